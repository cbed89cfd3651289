//! Where a convex piece of a body meets the walls of a map, exactly and without seams.
//!
//! Two kinds of contact make up all of them: a corner of the piece over a face, and a convex corner of the walls at a
//! side of the piece. Each has its true distance, which is negative inside of the wall, and a normal that the walls
//! have there. The engine's own contacts of voxels extend each cell along its neighbours to keep a box from catching on
//! seams; beside a slanted wall such a shape reaches into free space. Faces that go straight on need no such help.
//!
//! What a step can reach is found by casting: each corner of the piece along its path against faces, and each corner of
//! the walls against the piece the other way. Thus a piece that passes beside a face is not stopped by the plane of
//! that face.
//!
//! Corners are cut off by [`CUT`]: the engine lets resting bodies overlap by a millimetre, and a corner that slides
//! that deep along a row of cell corners must not catch on each. A body that is deeper leaves by the nearer of the two
//! faces or sides.

use std::sync::Arc;

use skidpad_math::Vec2;

use super::wall_faces::{Along, Face, WallFaces};
use super::wall_mover::{Mover, join, split};
use crate::raycast::OccupancyGrid;

/// So much of each side of a corner is cut off [m]: a millimetre across a slope of 45°.
const CUT: f64 = 1.4e-3;
/// Normals outside of the walls' own by less than this sine count as theirs [-].
const SMALL_SINE: f64 = 1e-6;
/// What a piece passes within so many steps [-] is not in its way. The engine moves bodies in four parts of a step. After the last
/// part it bounds the velocity by the distance left for one more, so it looks a quarter of a step farther.
pub(super) const HORIZON: f64 = 1.5;

/// What meets: a face or a corner of the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WallPart {
    /// A face by its number.
    Face(Along, u32),
    /// An end of a face along x, and whether it is the last.
    Corner(u32, bool),
}

impl WallPart {
    /// One number for each part.
    pub(super) fn code(self) -> u32 {
        let (number, kind) = match self {
            WallPart::Face(Along::X, number) => (number, 0),
            WallPart::Face(Along::Y, number) => (number, 1),
            WallPart::Corner(number, is_last) => (number, 2 + u32::from(is_last)),
        };
        number << 2 | kind
    }
}

/// A part of a piece, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PiecePart {
    Corner(u32),
    /// The side from the corner of this number to the next.
    Side(u32),
}

/// A place where a piece meets the walls, or will meet them within the step. In the frame of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) wall: WallPart,
    pub(super) piece: PiecePart,
    /// Out of the wall [-].
    pub(super) normal: Vec2,
    pub(super) on_wall: Vec2,
    pub(super) on_piece: Vec2,
    /// Along the normal [m], negative inside of the wall.
    pub(super) distance: f64,
    /// Whether only the way of this step leads there: the piece may be farther from the wall than from the plane of the contact.
    pub(super) is_ahead: bool,
}

/// The walls of a map.
pub(super) struct Walls {
    grid: Arc<OccupancyGrid>,
    faces: WallFaces,
    /// Side of a cell [m].
    pub(super) cell: f64,
    /// Columns and rows.
    size: [u32; 2],
}

/// A face, as it is met.
#[derive(Clone, Copy)]
struct WallFace {
    along: Along,
    /// Its number among the faces along this axis.
    number: u32,
    face: Face,
}

/// A corner of the walls: an end of a face along x.
#[derive(Clone, Copy)]
struct WallCorner {
    /// Number of the face.
    number: u32,
    face: Face,
    /// Whether it is the last end of the face.
    is_last: bool,
}

/// A way out of the wall for a corner of a piece.
struct Exit {
    meeting: Meeting,
    /// Whether the face only goes on inside of another wall there.
    is_inner: bool,
    /// How deep the face is cut off there [m].
    cut: f64,
}

impl Exit {
    fn meeting(self) -> Meeting {
        let Meeting { on_wall, normal, distance, .. } = self.meeting;
        Meeting { on_wall: on_wall - self.cut * normal, distance: distance + self.cut, ..self.meeting }
    }
}

/// Out of the wall [-].
pub(super) fn normal_of(along: Along, face: &Face) -> Vec2 {
    join(along, 0.0, if face.looks_up { 1.0 } else { -1.0 })
}

/// The one of less depth.
pub(super) fn shallower(a: Option<Meeting>, b: Option<Meeting>) -> Option<Meeting> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.distance >= b.distance { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// A corner of a piece leaves a wall by the nearest face; where walls rise from each other by both.
fn leave(exits: [Option<Exit>; 2], visit: &mut impl FnMut(Meeting)) {
    match exits {
        [Some(a), Some(b)] if a.is_inner && b.is_inner => {
            visit(a.meeting());
            visit(b.meeting());
        }
        [Some(a), Some(b)] => visit(if a.meeting.distance >= b.meeting.distance { a } else { b }.meeting()),
        [Some(exit), None] | [None, Some(exit)] => visit(exit.meeting()),
        [None, None] => {}
    }
}

impl Walls {
    pub(super) fn new(grid: &Arc<OccupancyGrid>) -> Walls {
        let size = [grid.width, grid.height].map(|count| count as u32);
        Walls { grid: Arc::clone(grid), faces: WallFaces::new(grid), cell: grid.resolution, size }
    }

    /// Whether a point lies in an occupied cell.
    pub(super) fn contains(&self, p: Vec2) -> bool {
        let [x, y] = [p.x, p.y].map(|coordinate| (coordinate / self.cell).floor());
        // Casts of floats saturate.
        x >= 0.0 && y >= 0.0 && self.grid.is_occupied(x as usize, y as usize)
    }

    /// How much is cut off of the ends of faces [m].
    pub(super) fn cut(&self) -> f64 {
        CUT.min(0.25 * self.cell)
    }

    /// Lines and cells at a coordinate, within those of the map.
    fn whole(&self, coordinate: f64, count: u32) -> u32 {
        // Casts of floats saturate.
        ((coordinate / self.cell).floor() as u32).min(count)
    }

    /// Visits the places where a piece meets the walls, or comes within `near` [m] of them, or gets to within the step.
    pub(super) fn each_meeting(&self, mover: &Mover<'_>, near: f64, mut visit: impl FnMut(Meeting)) {
        let [low, high] = mover.bounds();
        let size = (high.x - low.x).max(high.y - low.y);
        let [right, top] = self.size.map(|count| f64::from(count) * self.cell);
        if high.x < -near || high.y < -near || low.x > right + near || low.y > top + near {
            return;
        }
        if let Some(circle) = &mover.circle {
            return self.each_meeting_of_circle(mover, circle, near, visit);
        }
        let mut is_inside = false;
        let mut note = |meeting: Meeting| {
            is_inside |= meeting.distance < 0.0;
            visit(meeting);
        };
        let mut way_out: Option<Meeting> = None;
        for index in 0..mover.count() {
            let of_corner = self.meetings_of_corner(mover, index, [near, size], &mut note);
            way_out = shallower(way_out, of_corner);
        }
        let mut lost: Option<Meeting> = None;
        self.each_face_near(Along::X, [low, high], near, |number, face| {
            for is_last in [false, true] {
                let corner = WallCorner { number, face, is_last };
                if !face.is_inner[usize::from(is_last)]
                    && let Some(meeting) = self.meeting_with_corner(mover, corner, near, &mut lost)
                {
                    note(meeting);
                }
            }
        });
        if !is_inside && let Some(meeting) = way_out.or_else(|| self.straddled(mover, [low, high], lost)) {
            visit(meeting);
        }
    }

    /// Visits the faces along an axis that may touch a box.
    pub(super) fn each_face_near(
        &self,
        along: Along,
        [low, high]: [Vec2; 2],
        near: f64,
        mut visit: impl FnMut(u32, Face),
    ) {
        let ((from, bottom), (to, top)) = (split(along, low), split(along, high));
        let (length, count) = match along {
            Along::X => (self.size[0], self.size[1]),
            Along::Y => (self.size[1], self.size[0]),
        };
        let cells = [self.whole(from - near, length).saturating_sub(1), self.whole(to + near, length)];
        if bottom - near > f64::from(count) * self.cell || top + near < 0.0 {
            return;
        }
        for line in self.whole(bottom - near, count)..=self.whole(top + near, count) {
            self.faces.each_on(along, line, cells, &mut visit);
        }
    }

    /// The face at a place, seen along its line:
    fn face_at(&self, along: Along, line: u32, t: f64) -> Option<(u32, Face, bool)> {
        let cell = (t / self.cell).floor();
        if cell < 0.0 {
            return None;
        }
        let cell = cell as u32;
        let (number, face) = self.faces.at(along, line, cell)?;
        Some((number, face, cell < face.from || cell >= face.to))
    }

    /// How deep a face is cut off at this place along it [m]: more than 0 near an end that is a corner.
    fn cut_at(&self, face: &Face, t: f64) -> f64 {
        let [from, to] = [face.from, face.to].map(|cell| f64::from(cell) * self.cell);
        let [first, last] = [t - from, to - t].map(|from_end| self.cut() - from_end);
        let of_end = |is_inner: bool, cut: f64| if is_inner { 0.0 } else { cut.max(0.0) };
        of_end(face.is_inner[0], first).max(of_end(face.is_inner[1], last))
    }

    /// Of a corner of the piece: faces near it, the way out where it is in a wall, and what is in its way.
    /// Faces are looked for up to `near` [m] in free space, and up to the `size` of the piece [m] within a wall.
    ///
    /// Returns the shortest way out of a wall that it is deep in, whether or not other corners are lower there: a piece
    /// with no other contact leaves by it.
    fn meetings_of_corner(
        &self,
        mover: &Mover<'_>,
        index: usize,
        [near, size]: [f64; 2],
        visit: &mut impl FnMut(Meeting),
    ) -> Option<Meeting> {
        let p = mover.corner(index);
        let mut way_out: Option<Meeting> = None;
        let reach = if self.contains(p) { size } else { near };
        let displacement = mover.displacement_at(p);
        let mut exits: [Option<Exit>; 2] = [None, None];
        let mut met = [None, None];
        for (axis, along) in [Along::X, Along::Y].into_iter().enumerate() {
            for is_up in [false, true] {
                let Some((number, face, is_inner)) = self.first_face(along, p, is_up, reach) else { continue };
                let meeting = self.meeting_with_face(index, p, WallFace { along, number, face }, false);
                if face.looks_up == is_up {
                    way_out = shallower(way_out, Some(meeting));
                }
                if meeting.distance > near || !mover.is_lowest(index, p, meeting.normal) {
                    continue;
                }
                // Across free space a face is seen from the side that it looks to.
                if face.looks_up != is_up {
                    if !self.passes_beside(along, &face, p, displacement) {
                        visit(meeting);
                        met[axis] = Some(number);
                    }
                } else if exits[axis].as_ref().is_none_or(|other| meeting.distance > other.meeting.distance) {
                    exits[axis] = Some(Exit { meeting, is_inner, cut: self.cut_at(&face, split(along, p).0) });
                }
            }
        }
        leave(exits, visit);
        let (mut from, mut path) = (p, displacement);
        // Where one wall stops it, it goes on along that to the next.
        for _ in 0..2 {
            let Some((share, wall_face)) = self.face_ahead(from, path) else { break };
            if met[wall_face.along as usize] != Some(wall_face.number) {
                visit(self.meeting_with_face(index, p, wall_face, true));
            }
            let normal = normal_of(wall_face.along, &wall_face.face);
            from = from + share * path + (1e-6 * self.cell) * normal;
            let left = (1.0 - share) * path;
            path = left - left.dot(normal) * normal;
        }
        way_out.filter(|meeting| meeting.distance < -2.0 * self.cut())
    }

    /// Where the corner of the piece with this index, at `p`, meets a face.
    fn meeting_with_face(&self, index: usize, p: Vec2, wall_face: WallFace, is_ahead: bool) -> Meeting {
        let WallFace { along, number, face } = wall_face;
        let normal = normal_of(along, &face);
        let on_wall = join(along, split(along, p).0, f64::from(face.line) * self.cell);
        Meeting {
            wall: WallPart::Face(along, number),
            piece: PiecePart::Corner(index as u32),
            normal,
            on_wall,
            on_piece: p,
            distance: normal.dot(p - on_wall),
            is_ahead,
        }
    }

    /// Whether a point crosses the line of a face within the horizon, and misses the face.
    fn passes_beside(&self, along: Along, face: &Face, p: Vec2, displacement: Vec2) -> bool {
        let ((t, h), (dt, dh)) = (split(along, p), split(along, HORIZON * displacement));
        let to_go = f64::from(face.line) * self.cell - h;
        let crosses = if face.looks_up { dh < to_go } else { dh > to_go };
        if !crosses || dh == 0.0 {
            return false;
        }
        self.cut_at(face, t + to_go / dh * dt) > 0.0
    }

    /// The first face up to `reach` [m] above or below a point, across the axis: the number, the face, and whether it
    /// only goes on inside of a wall there.
    pub(super) fn first_face(&self, along: Along, p: Vec2, is_up: bool, reach: f64) -> Option<(u32, Face, bool)> {
        let (t, h) = split(along, p);
        let count = match along {
            Along::X => self.size[1],
            Along::Y => self.size[0],
        };
        let last_line = f64::from(count);
        let line_below = (h / self.cell).floor();
        let (first, last) = if is_up {
            ((line_below + 1.0).max(0.0), ((h + reach) / self.cell).floor().min(last_line))
        } else {
            (((h - reach) / self.cell).ceil().max(0.0), line_below.min(last_line))
        };
        if first > last {
            return None;
        }
        let (first, last) = (first as u32, last as u32);
        if is_up {
            (first..=last).find_map(|line| self.face_at(along, line, t))
        } else {
            (first..=last).rev().find_map(|line| self.face_at(along, line, t))
        }
    }

    /// The first face that a point meets on its path of this `displacement` [m], and the share of the path before it [-].
    /// None where it meets an end that is cut off.
    fn face_ahead(&self, p: Vec2, displacement: Vec2) -> Option<(f64, WallFace)> {
        let mut first: Option<(f64, WallFace)> = None;
        for along in [Along::X, Along::Y] {
            let ((t, h), (dt, dh)) = (split(along, p), split(along, displacement));
            if dh == 0.0 || !dh.is_finite() {
                continue;
            }
            let count = match along {
                Along::X => self.size[1],
                Along::Y => self.size[0],
            };
            let [low, high] = if dh > 0.0 { [h, h + dh] } else { [h + dh, h] };
            let low = (low / self.cell).ceil().max(0.0);
            let high = (high / self.cell).floor().min(f64::from(count));
            if low > high {
                continue;
            }
            let (low, high) = (low as u32, high as u32);
            let meets = |line: u32| {
                let share = (f64::from(line) * self.cell - h) / dh;
                let (number, face, is_inner) = self.face_at(along, line, t + share * dt)?;
                (!is_inner && face.looks_up == (dh < 0.0)).then_some((share, number, face))
            };
            let nearest = if dh > 0.0 { (low..=high).find_map(meets) } else { (low..=high).rev().find_map(meets) };
            if let Some((share, number, face)) = nearest
                && first.is_none_or(|(other, _)| share < other)
            {
                first = Some((share, WallFace { along, number, face }));
            }
        }
        let (share, wall_face) = first?;
        let (t, _) = split(wall_face.along, p + share * displacement);
        (self.cut_at(&wall_face.face, t) <= 0.0).then_some((share, wall_face))
    }

    /// Where a corner of the walls, an end of a face along x, meets a side or a corner of a piece. Of a corner deep in
    /// the piece that leaves it against its faces only, the way out becomes `lost` if it is the shortest.
    fn meeting_with_corner(
        &self,
        mover: &Mover<'_>,
        corner: WallCorner,
        near: f64,
        lost: &mut Option<Meeting>,
    ) -> Option<Meeting> {
        let WallCorner { number, face, is_last } = corner;
        let end = if is_last { face.to } else { face.from };
        let c = Vec2::new(f64::from(end) * self.cell, f64::from(face.line) * self.cell);
        let free = Vec2::new(if is_last { 1.0 } else { -1.0 }, if face.looks_up { 1.0 } else { -1.0 });
        let is_own = |normal: Vec2| normal.x * free.x >= -SMALL_SINE && normal.y * free.y >= -SMALL_SINE;
        // The motion of the corner as the piece sees it.
        let displacement = -1.0 * mover.displacement_at(c);
        let meeting = |piece: PiecePart, normal: Vec2, on_piece: Vec2, distance: f64, is_ahead: bool| Meeting {
            wall: WallPart::Corner(number, is_last),
            piece,
            normal,
            on_wall: c,
            on_piece,
            distance,
            is_ahead,
        };
        // Of a side: its outward normal, the distance from its line, and how deep it is cut off there.
        let at_side = |side: usize, p: Vec2| {
            let (a, b) = (mover.corner(side), mover.corner(side + 1));
            let outward = mover.outward(side);
            let length = (b - a).norm();
            let cut = self.cut().min(0.25 * length);
            let t = (p - a).dot(b - a) / length;
            let cut = if t < cut {
                (cut - t) * mover.slope_at(side)
            } else {
                (cut - (length - t)).max(0.0) * mover.slope_at(side + 1)
            };
            (outward, outward.dot(p - a), cut)
        };
        let is_outside = (0..mover.count()).any(|side| mover.outward(side).dot(c - mover.corner(side)) > 0.0);
        if !is_outside {
            let out_by = |side: usize, distance: f64| {
                let outward = mover.outward(side);
                let on_piece = c + (-distance) * outward;
                meeting(PiecePart::Side(side as u32), -1.0 * outward, on_piece, distance, false)
            };
            let mut nearest = (f64::NEG_INFINITY, 0);
            for side in 0..mover.count() {
                let (_, distance, _) = at_side(side, c);
                if distance > nearest.0 {
                    nearest = (distance, side);
                }
            }
            let mut best: Option<(f64, f64, usize)> = None;
            for side in 0..mover.count() {
                let (outward, distance, cut) = at_side(side, c);
                // The end of a side is not a way out for a corner that is nearer to another side.
                let is_way_out = cut <= 0.0 || side == nearest.1;
                if is_way_out && is_own(-1.0 * outward) && best.is_none_or(|(least, ..)| distance > least) {
                    best = Some((distance, cut, side));
                }
            }
            if best.is_none() && nearest.0 < -2.0 * self.cut() {
                *lost = shallower(*lost, Some(out_by(nearest.1, nearest.0)));
            }
            return best.map(|(distance, cut, side)| out_by(side, distance + cut));
        }
        // The side that the corner passes on its way into the piece.
        let (mut enters, mut leaves) = ((0.0_f64, None), HORIZON);
        for side in 0..mover.count() {
            let outward = mover.outward(side);
            let (distance, speed) = (outward.dot(c - mover.corner(side)), outward.dot(displacement));
            if speed < 0.0 && distance >= 0.0 {
                let share = -distance / speed;
                if share >= enters.0 {
                    enters = (share, Some(side));
                }
            } else if speed > 0.0 {
                leaves = leaves.min(-distance / speed);
            } else if distance > 0.0 {
                leaves = -1.0;
            }
        }
        if let (share, Some(side)) = enters
            && share <= leaves
        {
            let (outward, _, cut) = at_side(side, c + share * displacement);
            let normal = -1.0 * outward;
            if cut > 0.0 || !is_own(normal) {
                return None;
            }
            let (_, distance, cut) = at_side(side, c);
            let on_piece = c + (-distance) * outward;
            return Some(meeting(
                PiecePart::Side(side as u32),
                normal,
                on_piece,
                distance,
                cut > 0.0 || distance > near,
            ));
        }
        // It does not enter. It is a contact while it is near, for what else may move the piece within the step.
        let mut nearest: Option<(f64, Vec2, PiecePart)> = None;
        for side in 0..mover.count() {
            let (a, b) = (mover.corner(side), mover.corner(side + 1));
            let along = b - a;
            let share = ((c - a).dot(along) / along.dot(along)).clamp(0.0, 1.0);
            let q = a + share * along;
            let part = match share {
                0.0 => PiecePart::Corner(side as u32),
                1.0 => PiecePart::Corner(((side + 1) % mover.count()) as u32),
                _ => PiecePart::Side(side as u32),
            };
            let distance = (q - c).norm();
            if nearest.is_none_or(|(other, ..)| distance < other) {
                nearest = Some((distance, q, part));
            }
        }
        let (distance, q, part) = nearest.filter(|&(distance, ..)| distance <= near && distance > 0.0)?;
        let normal = (1.0 / distance) * (q - c);
        let would_stop = HORIZON * displacement.dot(normal) > distance;
        (is_own(normal) && !would_stop).then(|| meeting(part, normal, q, distance, false))
    }

    /// The part of its path [-] after which a piece hits the walls, where it would end deep in them: deeper than corners are cut off.
    pub(super) fn first_hit(&self, mover: &Mover<'_>) -> Option<f64> {
        let mut first = 1.0;
        self.each_meeting(mover, 0.0, |meeting| {
            let p = if matches!(meeting.wall, WallPart::Face(..)) { meeting.on_piece } else { meeting.on_wall };
            let approach = -mover.displacement_at(p).dot(meeting.normal);
            if meeting.is_ahead && approach > meeting.distance + self.cut() {
                // Not at 0, which would hold a body that touches the wall already.
                first = f64::min(first, (meeting.distance + 0.5 * self.cut()) / approach);
            }
        });
        (first < 1.0).then_some(first)
    }

    /// How deep a piece is in the walls [m]; 0 outside.
    pub(super) fn depth(&self, mover: &Mover<'_>) -> f64 {
        let mut depth = 0.0;
        self.each_meeting(mover, 0.0, |meeting| depth = f64::max(depth, -meeting.distance));
        depth
    }

    /// A piece that lies across a thin wall, with its corners on both sides, leaves it by the nearest face. Where sides
    /// of the piece would be shorter ways out it leaves as `lost`, or else by a face that crosses it.
    fn straddled(&self, mover: &Mover<'_>, bounds: [Vec2; 2], lost: Option<Meeting>) -> Option<Meeting> {
        let mut best: Option<Meeting> = None;
        let mut crossed: Option<Meeting> = None;
        for along in [Along::X, Along::Y] {
            self.each_face_near(along, bounds, 0.0, |number, face| {
                let e = f64::from(face.line) * self.cell;
                let sign = if face.looks_up { 1.0 } else { -1.0 };
                let height = |index: usize| sign * (split(along, mover.corner(index)).1 - e);
                let (mut lowest, mut depth, mut highest) = (0, f64::INFINITY, f64::NEG_INFINITY);
                for index in 0..mover.count() {
                    let corner_height = height(index);
                    highest = highest.max(corner_height);
                    if corner_height < depth {
                        (lowest, depth) = (index, corner_height);
                    }
                }
                if highest <= 0.0
                    || depth >= -2.0 * self.cut()
                    || best.as_ref().is_some_and(|best| depth <= best.distance)
                {
                    return;
                }
                let ends = [face.from, face.to].map(|cell| join(along, f64::from(cell) * self.cell, e));
                // The face is inside of the piece as far as it can be, and no side of the piece is a shorter way out.
                let is_shortest = (0..mover.count()).all(|side| {
                    let (a, outward) = (mover.corner(side), mover.outward(side));
                    let inside = ends.map(|end| outward.dot(end - a)).into_iter().fold(f64::INFINITY, f64::min);
                    inside <= depth
                });
                if is_shortest || mover.is_crossed_by(ends, 2.0 * self.cut()) {
                    let p = mover.corner(lowest);
                    let (t, _) = split(along, p);
                    let meeting = Some(Meeting {
                        wall: WallPart::Face(along, number),
                        piece: PiecePart::Corner(lowest as u32),
                        normal: join(along, 0.0, sign),
                        on_wall: join(along, t, e),
                        on_piece: p,
                        distance: depth,
                        is_ahead: false,
                    });
                    if is_shortest {
                        best = meeting;
                    } else {
                        crossed = shallower(crossed, meeting);
                    }
                }
            });
        }
        best.or(lost).or(crossed)
    }
}
