//! The line around which laps are counted: a closed polyline, and where along it a position is.
//!
//! Each point of the line has the direction of the bisector of its two pieces, and between two points the direction turns evenly. A position is at
//! the place through whose normal it lies: `(x − C(u))·T(u) = 0` with C(u) = A + u·(B − A) and T(u) = T_A + u·(T_B − T_A), which is quadratic in u. So
//! the way along the line grows without jumps at its corners, and a line across it, such as start and finish, is straight.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;
use skidpad_sim::trajectory::Waypoint;

/// Points nearer than this [m] are one.
const NEAREST: f64 = 1e-6;
/// A line ends where it begins if that is no further than this many of its longest pieces.
const CLOSING: f64 = 2.0;
/// How much further than the nearest place of the line the place by its normals may be [-]: at a corner of 90° they differ by √2.
const SKEWED: f64 = 1.5;

/// A closed line.
#[derive(Clone, Debug, PartialEq)]
pub struct LapLine {
    /// Its points [m]; the last repeats the first.
    points: Vec<Vec2>,
    /// Direction at each point, of length 1.
    directions: Vec<Vec2>,
    /// Way along the line at each point [m].
    arc_lengths: Vec<f64>,
    /// Speed at each point [m/s]; empty: not known.
    speeds: Vec<f64>,
}

/// Where a position is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// Way along the line [m], from 0 up to its length.
    pub(super) arc_length: f64,
    /// Distance to the line there [m].
    pub(super) distance: f64,
}

impl LapLine {
    /// The line through these points and back to the first.
    ///
    /// # Errors
    /// Fewer than three points lie apart, or, unless `is_closed` is sure, the line ends elsewhere than it begins.
    pub fn of(waypoints: &[Waypoint], is_closed: bool) -> Result<LapLine, Diagnostic> {
        let mut kept: Vec<&Waypoint> = Vec::with_capacity(waypoints.len());
        let is_apart = |a: &Waypoint, b: &Waypoint| (a.position - b.position).norm() >= NEAREST;
        for point in waypoints {
            if kept.last().is_none_or(|last| is_apart(last, point)) {
                kept.push(point);
            }
        }
        if let [first, .., last] = kept[..]
            && !is_apart(first, last)
        {
            kept.pop();
        }
        if kept.len() < 3 {
            return Err(Diagnostic::of(format!("{} points that lie apart", kept.len())).accepted("at least 3"));
        }
        let longest = kept.windows(2).map(|pair| (pair[1].position - pair[0].position).norm()).fold(0.0, f64::max);
        let gap = (kept[0].position - kept[kept.len() - 1].position).norm();
        if !is_closed && gap > CLOSING * longest {
            let found = format!("the line ends {gap:.3} m from where it begins");
            return Err(Diagnostic::of(found).accepted("a closed line, of which laps can be counted"));
        }
        let speeds: Option<Vec<f64>> = kept.iter().chain([&kept[0]]).map(|point| point.speed).collect();
        let points: Vec<Vec2> = kept.iter().chain([&kept[0]]).map(|point| point.position).collect();
        let pieces: Vec<Vec2> = points.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut arc_lengths = vec![0.0];
        for piece in &pieces {
            arc_lengths.push(arc_lengths[arc_lengths.len() - 1] + piece.norm());
        }
        let unit = |v: Vec2| (1.0 / v.norm()) * v;
        let direction = |index: usize| {
            let (before, behind) =
                (unit(pieces[(index + pieces.len() - 1) % pieces.len()]), unit(pieces[index % pieces.len()]));
            let sum = before + behind;
            // Where the line turns back, the direction that it goes on in.
            if sum.norm() > 1e-9 { unit(sum) } else { behind }
        };
        let directions = (0..points.len()).map(direction).collect();
        Ok(LapLine { points, directions, arc_lengths, speeds: speeds.unwrap_or_default() })
    }

    /// Its length [m], > 0.
    pub fn length(&self) -> f64 {
        self.arc_lengths[self.arc_lengths.len() - 1]
    }

    /// The piece with the place at `arc_length` [m] along the line, and the share of the piece before that.
    fn piece(&self, arc_length: f64) -> (usize, f64) {
        let arc_length = arc_length.rem_euclid(self.length());
        let next = self.arc_lengths.partition_point(|start| *start <= arc_length);
        let piece = next.clamp(1, self.arc_lengths.len() - 1) - 1;
        (piece, (arc_length - self.arc_lengths[piece]) / (self.arc_lengths[piece + 1] - self.arc_lengths[piece]))
    }

    /// How far ahead of the line across the place at `arc_length` [m] a position is [m]; negative: before it.
    pub(super) fn ahead(&self, arc_length: f64, position: Vec2) -> f64 {
        let (piece, share) = self.piece(arc_length);
        let (point, direction) = self.at(piece, share);
        (position - point).dot(direction) / direction.norm()
    }

    /// Its direction at `arc_length` [m] along it, which is not of length 1.
    pub(super) fn direction(&self, arc_length: f64) -> Vec2 {
        let (piece, share) = self.piece(arc_length);
        self.at(piece, share).1
    }

    /// The speed that it has at `arc_length` [m] along it [m/s]; none: it has no speeds.
    pub(super) fn speed(&self, arc_length: f64) -> Option<f64> {
        let (piece, share) = self.piece(arc_length);
        let (from, to) = (self.speeds.get(piece)?, self.speeds.get(piece + 1)?);
        Some(from + share * (to - from))
    }

    /// Its points with the way along it and the speed there, for drawing; empty without speeds.
    pub(crate) fn profile(&self) -> Vec<(f64, f64)> {
        self.arc_lengths.iter().copied().zip(self.speeds.iter().copied()).collect()
    }

    fn at(&self, piece: usize, share: f64) -> (Vec2, Vec2) {
        let interpolated = |of: &[Vec2]| of[piece] + share * (of[piece + 1] - of[piece]);
        (interpolated(&self.points), interpolated(&self.directions))
    }

    /// The place of a position on the whole line.
    pub(super) fn place(&self, position: Vec2) -> Place {
        self.place_among(0..self.points.len() - 1, position)
    }

    /// Its place no further along the line than `reach` [m] from `arc_length` [m].
    pub(super) fn place_near(&self, arc_length: f64, reach: f64, position: Vec2) -> Place {
        let count = self.points.len() - 1;
        if 2.0 * reach >= self.length() {
            return self.place(position);
        }
        let (first, last) = (self.piece(arc_length - reach).0, self.piece(arc_length + reach).0);
        let pieces = (last + count - first) % count;
        self.place_among((first..=first + pieces).map(|piece| piece % count), position)
    }

    fn place_among(&self, pieces: impl Iterator<Item = usize>, position: Vec2) -> Place {
        let (mut nearest, mut normal): (Option<Place>, Option<Place>) = (None, None);
        let keep = |best: &mut Option<Place>, piece: usize, share: f64| {
            let (point, _) = self.at(piece, share);
            let place = Place {
                arc_length: self.arc_lengths[piece] + share * (self.arc_lengths[piece + 1] - self.arc_lengths[piece]),
                distance: (position - point).norm(),
            };
            if best.is_none_or(|best| place.distance < best.distance) {
                *best = Some(place);
            }
        };
        for piece in pieces {
            let along = self.points[piece + 1] - self.points[piece];
            let from = position - self.points[piece];
            keep(&mut nearest, piece, (from.dot(along) / along.dot(along)).clamp(0.0, 1.0));
            if let Some(share) = self.share(piece, position) {
                keep(&mut normal, piece, share);
            }
        }
        let nearest = nearest.unwrap_or_default();
        let place = normal.filter(|place| place.distance <= SKEWED * nearest.distance + NEAREST).unwrap_or(nearest);
        // The end of the line is its beginning.
        Place { arc_length: if place.arc_length >= self.length() { 0.0 } else { place.arc_length }, ..place }
    }

    /// The share of a piece through whose normal a position lies; none: it lies through that of no place of the piece.
    fn share(&self, piece: usize, position: Vec2) -> Option<f64> {
        let (from, to) = (self.points[piece], self.points[piece + 1]);
        let (start, end) = (self.directions[piece], self.directions[piece + 1]);
        let (at_start, at_end) = ((position - from).dot(start), (position - to).dot(end));
        if at_start < 0.0 || at_end >= 0.0 {
            return None;
        }
        // a·u² + b·u + c = 0 has one root within the piece, because its signs differ at the ends.
        let (along, turn) = (to - from, end - start);
        let (a, b, c) = (-along.dot(turn), (position - from).dot(turn) - along.dot(start), at_start);
        let root = libm::sqrt((b * b - 4.0 * a * c).max(0.0));
        let q = -0.5 * (b + if b < 0.0 { -root } else { root });
        let is_within = |u: &f64| (-1e-9..=1.0 + 1e-9).contains(u);
        let shares = [if q == 0.0 { 0.0 } else { c / q }, if a == 0.0 { f64::NAN } else { q / a }];
        shares.into_iter().find(is_within).map(|u| u.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A circle of radius `radius` [m] around the origin, to the left, from (radius, 0) on.
    fn circle(radius: f64, count: u32) -> LapLine {
        let at = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(count);
        let points: Vec<Waypoint> =
            (0..count).map(|k| Waypoint::at(radius * at(k).cos(), radius * at(k).sin())).collect();
        LapLine::of(&points, false).unwrap()
    }

    /// Around a polygon of 12 corners the way grows evenly and without jumps, however far inside or outside, and at the corners it is exact.
    #[test]
    fn the_way_along_a_polygon_has_no_jumps() {
        let line = circle(10.0, 12);
        for radius in [4.0, 9.0, 10.0, 15.0] {
            let mut last = 0.0;
            for k in 0..1200 {
                let angle = std::f64::consts::TAU * f64::from(k) / 1200.0;
                let place = line.place(Vec2::new(radius * angle.cos(), radius * angle.sin()));
                let step = place.arc_length - last;
                assert!((0.0..1.2 * line.length() / 1200.0).contains(&step), "{radius} {k}: {step}");
                if k % 100 == 0 {
                    assert!(
                        (place.arc_length - line.length() * f64::from(k) / 1200.0).abs() < 1e-9,
                        "{radius} {k}: {place:?}"
                    );
                    assert!((place.distance - (radius - 10.0).abs()).abs() < 1e-9);
                }
                last = place.arc_length;
            }
        }
        assert!((line.length() - 120.0 * 2.0 * (std::f64::consts::TAU / 24.0).sin()).abs() < 1e-12);
    }

    #[test]
    fn a_place_is_looked_for_within_reach_also_across_the_start() {
        let line = circle(10.0, 40);
        let at = |angle: f64| Vec2::new(10.0 * angle.cos(), 10.0 * angle.sin());
        let quarter = line.length() / 4.0;
        let place = line.place_near(line.length() - 1.0, 4.0, at(0.2));
        assert!((place.arc_length - 2.0).abs() < 0.02 && place.distance < 0.05, "{place:?}");
        // Of the other side of the circle nothing is within reach.
        let place = line.place_near(quarter, 2.0, at(3.0 * std::f64::consts::FRAC_PI_2));
        assert!(place.distance > 19.0 && (place.arc_length - quarter).abs() < 4.0, "{place:?}");
        assert!((line.ahead(quarter, Vec2::new(-1.0, 10.0)) - 1.0).abs() < 1e-9);
        let direction = line.direction(quarter);
        assert!(direction.x < -0.9 && direction.y.abs() < 1e-6, "{direction:?}");
    }

    #[test]
    fn an_open_line_has_no_laps() {
        let points: Vec<Waypoint> = (0..5).map(|x| Waypoint::at(f64::from(x), 0.0)).collect();
        let refused = |points: &[Waypoint], is_closed| LapLine::of(points, is_closed).unwrap_err().to_string();
        assert_eq!(
            refused(&points, false),
            "the line ends 4.000 m from where it begins\n  accepted: a closed line, of which laps can be counted"
        );
        assert_eq!(refused(&points[..2], true), "2 points that lie apart\n  accepted: at least 3");
        let speeds: Vec<Waypoint> = [(0.0, 0.0, 1.0), (4.0, 0.0, 3.0), (4.0, 3.0, 5.0)]
            .map(|(x, y, speed)| Waypoint { speed: Some(speed), ..Waypoint::at(x, y) })
            .to_vec();
        let triangle = LapLine::of(&speeds, true).unwrap();
        assert_eq!((triangle.length(), triangle.speed(2.0), triangle.speed(12.0 + 9.5)), (12.0, Some(2.0), Some(3.0)));
    }
}
