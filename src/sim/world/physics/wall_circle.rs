//! Where a round piece of a body meets the walls of a map: the nearest points of faces and corners to its middle, and what the
//! circle hits on its way within the step. All normals pass through the middle.

use skidpad_math::{Circle, Vec2};

use super::wall_contacts::{HORIZON, Meeting, PiecePart, WallPart, Walls, normal_of, shallower};
use super::wall_faces::{Along, Face};
use super::wall_mover::{Mover, join, split};

/// A part of the walls as a circle meets it.
#[derive(Clone, Copy)]
enum Part {
    /// The line of a face, and its ends along it [m].
    Face { along: Along, number: u32, line: f64, ends: [f64; 2], looks_up: bool },
    /// A corner of the walls, with the signs of the quadrant that it alone is nearest to.
    Corner { number: u32, is_last: bool, at: Vec2, free: Vec2 },
}

impl Part {
    fn wall(&self) -> WallPart {
        match *self {
            Part::Face { along, number, .. } => WallPart::Face(along, number),
            Part::Corner { number, is_last, .. } => WallPart::Corner(number, is_last),
        }
    }

    /// The nearest point of the part to `p` [m] and the direction from there to it [-]; none if another part is nearer, or `p` is
    /// behind it.
    fn nearest(&self, p: Vec2) -> Option<(Vec2, Vec2)> {
        match *self {
            Part::Face { along, line, ends: [from, to], looks_up, .. } => {
                let (t, h) = split(along, p);
                let height = if looks_up { h - line } else { line - h };
                let normal = join(along, 0.0, if looks_up { 1.0 } else { -1.0 });
                (height >= 0.0 && (from..=to).contains(&t)).then(|| (join(along, t, line), normal))
            }
            Part::Corner { at, free, .. } => {
                let away = p - at;
                let distance = away.norm();
                let is_own = away.x * free.x >= 0.0 && away.y * free.y >= 0.0 && distance > 0.0;
                is_own.then(|| (at, (1.0 / distance) * away))
            }
        }
    }

    /// The share of its `path` [m] after which a circle of `radius` [m] at `p` [m] hits the part.
    fn hit(&self, p: Vec2, path: Vec2, radius: f64) -> Option<f64> {
        let share = match *self {
            Part::Face { along, line, looks_up, .. } => {
                let sign = if looks_up { 1.0 } else { -1.0 };
                let (height, rise) = (sign * (split(along, p).1 - line), sign * split(along, path).1);
                if height < 0.0 || rise >= 0.0 {
                    return None;
                }
                ((height - radius) / -rise).max(0.0)
            }
            Part::Corner { at, .. } => {
                let away = p - at;
                let (square, middle, rest) = (path.dot(path), away.dot(path), away.dot(away) - radius * radius);
                let root = middle * middle - square * rest;
                if middle >= 0.0 || root < 0.0 {
                    return None;
                }
                ((-middle - root.sqrt()) / square).max(0.0)
            }
        };
        self.nearest(p + share * path).is_some().then_some(share)
    }

    /// The contact of a circle at `p` [m] with the plane that touches the part where the circle is at `there` [m].
    fn meeting(&self, circle: &Circle, there: Vec2, is_ahead: bool) -> Option<Meeting> {
        let (on_wall, normal) = self.nearest(there)?;
        let p = circle.center;
        let on_wall = match self {
            Part::Face { .. } => p - (p - on_wall).dot(normal) * normal,
            Part::Corner { .. } => on_wall,
        };
        let distance = (p - on_wall).dot(normal) - circle.radius;
        let on_piece = p - circle.radius * normal;
        Some(Meeting { wall: self.wall(), piece: PiecePart::Side(0), normal, on_wall, on_piece, distance, is_ahead })
    }
}

impl Walls {
    /// Visits the places where a round piece meets the walls, or comes within `near` [m] of them, or gets to within the step.
    pub(super) fn each_meeting_of_circle(
        &self,
        mover: &Mover<'_>,
        circle: &Circle,
        near: f64,
        mut visit: impl FnMut(Meeting),
    ) {
        let (p, displacement) = (circle.center, mover.displacement_at(circle.center));
        if self.contains(p) {
            self.way_out_of(circle).into_iter().for_each(visit);
            return;
        }
        let is_near =
            |part: &Part| part.nearest(p).is_some_and(|(on_wall, _)| (p - on_wall).norm() - circle.radius <= near);
        let bounds = mover.bounds();
        self.each_part_near(bounds, near, |part| {
            if !is_near(part) {
                return;
            }
            let Some(meeting) = part.meeting(circle, p, false) else { return };
            let approach = -HORIZON * displacement.dot(meeting.normal);
            if meeting.distance <= 0.0 || approach <= meeting.distance {
                visit(meeting);
            } else if let Some(share) = part.hit(p, HORIZON * displacement, circle.radius)
                && share <= 1.0
            {
                // The plane where it arrives, which may be inclined to that of the nearest point.
                part.meeting(circle, p + share * HORIZON * displacement, false).into_iter().for_each(&mut visit);
            }
        });
        let (mut from, mut path) = (p, displacement);
        // Where one wall stops it, it goes on along that to the next.
        for _ in 0..2 {
            let mut first: Option<(f64, Part)> = None;
            self.each_part_near(bounds, near, |part| {
                if let Some(share) = part.hit(from, path, circle.radius)
                    && share <= first.map_or(1.0, |(share, _)| share)
                {
                    first = Some((share, *part));
                }
            });
            let Some((share, part)) = first else { break };
            from = from + share * path;
            let Some(meeting) = part.meeting(circle, from, true) else { break };
            if !is_near(&part) {
                visit(meeting);
            }
            let left = (1.0 - share) * path;
            path = left - left.dot(meeting.normal).min(0.0) * meeting.normal;
        }
    }

    /// The shortest way along an axis by which a circle leaves the wall that its middle is in.
    fn way_out_of(&self, circle: &Circle) -> Option<Meeting> {
        let p = circle.center;
        let mut way_out = None;
        for along in [Along::X, Along::Y] {
            for is_up in [false, true] {
                let Some((number, face, _)) = self.first_face(along, p, is_up, 2.0 * circle.radius) else { continue };
                if face.looks_up == is_up {
                    let normal = normal_of(along, &face);
                    let on_wall = join(along, split(along, p).0, self.line_of(&face));
                    let meeting = Meeting {
                        wall: WallPart::Face(along, number),
                        piece: PiecePart::Side(0),
                        normal,
                        on_wall,
                        on_piece: p - circle.radius * normal,
                        distance: (p - on_wall).dot(normal) - circle.radius,
                        is_ahead: false,
                    };
                    way_out = shallower(way_out, Some(meeting));
                }
            }
        }
        way_out
    }

    /// Coordinate of the line of a face [m].
    fn line_of(&self, face: &Face) -> f64 {
        f64::from(face.line) * self.cell
    }

    /// Visits the faces and the corners of the walls that may touch a box.
    fn each_part_near(&self, bounds: [Vec2; 2], near: f64, mut visit: impl FnMut(&Part)) {
        for along in [Along::X, Along::Y] {
            self.each_face_near(along, bounds, near, |number, face| {
                let line = self.line_of(&face);
                let ends = [face.from, face.to].map(|cell| f64::from(cell) * self.cell);
                visit(&Part::Face { along, number, line, ends, looks_up: face.looks_up });
                // Each corner is the end of one face along x.
                for is_last in [false, true] {
                    if along == Along::X && !face.is_inner[usize::from(is_last)] {
                        let free = Vec2::new(if is_last { 1.0 } else { -1.0 }, if face.looks_up { 1.0 } else { -1.0 });
                        let at = Vec2::new(ends[usize::from(is_last)], line);
                        visit(&Part::Corner { number, is_last, at, free });
                    }
                }
            });
        }
    }
}
