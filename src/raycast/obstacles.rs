//! Rays against shapes: what a lidar sees of vehicles, blocks and walls.
//!
//! Beams share an origin and are ordered by angle, so a shape only concerns the beams between its outermost edges. For
//! each edge the covered beams are found from the angles of its ends, and only these are intersected with it, exactly. Of a
//! simple polygon only edges that face the origin can be hit first: front faces from outside, back faces from inside.
//! Shapes that stay are indexed by a coarse grid, so that those out of range cost nothing.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use crate::math::{Pose2, Vec2, wrap_angle};

/// Side of a cell of the index of static shapes [m].
const CELL: f64 = 4.0;

/// Beams from one origin: beam `i` runs along `directions[i]`, which is within `tolerance` of angle
/// `angle_min + i·angle_increment`.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    /// Where the beams start, in the world [m].
    pub origin: Vec2,
    /// Unit vectors in the world, in order of angle.
    pub directions: &'a [Vec2],
    /// Nominal angle of the first beam in the world [rad].
    pub angle_min: f64,
    /// Nominal angle between neighbours [rad], ≥ 0.
    pub angle_increment: f64,
    /// Largest deviation of a beam from its nominal angle [rad].
    pub tolerance: f64,
    /// Nothing farther counts [m].
    pub max_range: f64,
}

/// A polygon in the world.
#[derive(Clone, Debug, PartialEq)]
struct Shape {
    owner: Option<usize>,
    outline: Vec<Vec2>,
    vertices: Vec<Vec2>,
    center: Vec2,
    radius: f64,
    center_in_body: Vec2,
}

impl Shape {
    /// A shape whose outline runs counter-clockwise in its own frame.
    fn new(owner: Option<usize>, outline: &[Vec2]) -> Shape {
        let mut outline = outline.to_vec();
        let twice_area: f64 = (0..outline.len()).map(|i| outline[i].cross(outline[(i + 1) % outline.len()])).sum();
        if twice_area < 0.0 {
            outline.reverse();
        }
        let count = outline.len().max(1) as f64;
        let center_in_body = (1.0 / count) * outline.iter().fold(Vec2::ZERO, |sum, &p| sum + p);
        let radius = outline.iter().map(|&p| (p - center_in_body).norm()).fold(0.0, f64::max);
        Shape { owner, vertices: outline.clone(), outline, center: center_in_body, radius, center_in_body }
    }

    fn place(&mut self, world_from_body: Pose2) {
        let (rotation, position) = (world_from_body.rotation(), world_from_body.position());
        for (vertex, &p) in self.vertices.iter_mut().zip(&self.outline) {
            *vertex = position + rotation * p;
        }
        self.center = position + rotation * self.center_in_body;
    }

    /// Whether a point lies inside, by the crossing rule.
    fn contains(&self, p: Vec2) -> bool {
        let mut inside = false;
        let mut a = self.vertices[self.vertices.len() - 1];
        for &b in &self.vertices {
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                inside = !inside;
            }
            a = b;
        }
        inside
    }

    /// Lowers the ranges of the beams that hit this shape.
    fn cast(&self, fan: &Fan<'_>, ranges: &mut [f64]) {
        let to_center = self.center - fan.origin;
        let reach = fan.max_range + self.radius;
        if to_center.dot(to_center) > reach * reach || self.vertices.len() < 2 {
            return;
        }
        let near = to_center.dot(to_center) <= self.radius * self.radius;
        let faces_out = if near && self.contains(fan.origin) { -1.0 } else { 1.0 };
        let mut a = self.vertices[self.vertices.len() - 1] - fan.origin;
        for &vertex in &self.vertices {
            let b = vertex - fan.origin;
            // Counter-clockwise outline: seen from outside, a front face runs clockwise around the origin.
            if faces_out * a.cross(b) < 0.0 {
                let (first, last) = if faces_out > 0.0 { (b, a) } else { (a, b) };
                cast_edge(fan, first, last, ranges);
            }
            a = b;
        }
    }
}

/// Lowers the ranges of the beams that hit the segment from `first` to `last` [m] (relative to the origin, counter-clockwise).
fn cast_edge(fan: &Fan<'_>, first: Vec2, last: Vec2, ranges: &mut [f64]) {
    let edge = last - first;
    let area = first.cross(edge);
    if area * area > fan.max_range * fan.max_range * edge.dot(edge) {
        // The whole line is out of range.
        return;
    }
    let start = coarse_angle(first);
    let mut span = coarse_angle(last) - start;
    if span < 0.0 {
        span += TAU;
    }
    // The coarse angles are right to 1e-3 rad; the exact intersection decides.
    let margin = fan.tolerance + 2e-3;
    if span > PI + margin {
        // A sliver whose ends are within the error of the angles; treat it as narrow.
        span = 0.0;
    }
    let offset = wrap_angle(start - fan.angle_min);
    let mut from = offset - margin;
    let width = span + 2.0 * margin;
    // The interval may reach the fan from one turn before; a fan of a full turn may meet it twice.
    from -= TAU * libm::ceil((from + width) / TAU).max(0.0);
    while from < fan.angle_increment * ranges.len() as f64 + margin {
        let (low, high) = if fan.angle_increment > 0.0 {
            (libm::ceil(from / fan.angle_increment), libm::floor((from + width) / fan.angle_increment))
        } else {
            (0.0, 0.0)
        };
        if high >= 0.0 {
            let low = low.max(0.0) as usize;
            let high = (high as usize + 1).min(ranges.len());
            if low < high {
                cast_segment(first, edge, area, &fan.directions[low..high], fan.max_range, &mut ranges[low..high]);
            }
        }
        from += TAU;
    }
}

/// Intersects each direction with the segment `first + s·edge`, 0 ≤ s ≤ 1.
#[inline]
fn cast_segment(first: Vec2, edge: Vec2, area: f64, directions: &[Vec2], max_range: f64, ranges: &mut [f64]) {
    for (direction, range) in directions.iter().zip(ranges) {
        // first + s·edge = t·direction, by Cramer's rule; counter-clockwise edges have a positive determinant.
        let determinant = direction.cross(edge);
        let along = first.cross(*direction);
        let distance = area / determinant;
        let hit = determinant > 0.0 && along >= 0.0 && along <= determinant && distance <= max_range;
        if hit && distance < *range {
            *range = distance;
        }
    }
}

/// atan2 to 1e-3 rad, for choosing beams (a cubic for atan on [0, 1]; S. Rajan et al., IEEE Signal Processing Magazine 23,
/// 2006, eq. 9, whose error is 0.0038 rad, with their second-order term, 0.0015 rad).
#[inline]
fn coarse_angle(v: Vec2) -> f64 {
    let (x, y) = (v.x.abs(), v.y.abs());
    let ratio = x.min(y) / x.max(y).max(f64::MIN_POSITIVE);
    let atan = ratio * (0.25 * PI + (1.0 - ratio) * (0.2447 + 0.0663 * ratio));
    let octant = if y > x { 0.5 * PI - atan } else { atan };
    let half = if v.x < 0.0 { PI - octant } else { octant };
    if v.y < 0.0 { -half } else { half }
}

/// Everything but maps that lidars see.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    statics: Vec<Shape>,
    movers: Vec<Shape>,
    /// Static shapes by the cell of their centre, sorted by cell.
    index: Vec<((i64, i64), Vec<u32>)>,
    /// Static shapes too large for the index.
    large: Vec<u32>,
}

fn cell_of(x: f64) -> i64 {
    libm::floor(x / CELL) as i64
}

impl Obstacles {
    /// No shapes yet.
    pub fn new() -> Obstacles {
        Obstacles::default()
    }

    /// Adds a shape that stays where it is; `outline` [m] in its own frame, not closed.
    pub fn add_static(&mut self, outline: &[Vec2], world_from_shape: Pose2) {
        let mut shape = Shape::new(None, outline);
        shape.place(world_from_shape);
        self.statics.push(shape);
    }

    /// Adds a shape that moves, of the vehicle `owner` if it is one's. Returns its index.
    pub fn add_mover(&mut self, owner: Option<usize>, outline: &[Vec2]) -> usize {
        self.movers.push(Shape::new(owner, outline));
        self.movers.len() - 1
    }

    /// Puts a moving shape somewhere.
    pub fn set_mover_pose(&mut self, index: usize, world_from_body: Pose2) {
        self.movers[index].place(world_from_body);
    }

    /// Builds the index over the static shapes. Call it once after the last of them.
    pub fn finish(&mut self) {
        let mut cells = BTreeMap::<(i64, i64), Vec<u32>>::new();
        self.large.clear();
        for (i, shape) in self.statics.iter().enumerate() {
            if shape.radius <= CELL {
                cells.entry((cell_of(shape.center.x), cell_of(shape.center.y))).or_default().push(i as u32);
            } else {
                self.large.push(i as u32);
            }
        }
        self.index = cells.into_iter().collect();
    }

    /// Lowers `ranges` [m] where a shape is nearer than what is there. Shapes of the vehicle `exclude` are not seen.
    pub fn cast_fan(&self, fan: &Fan<'_>, exclude: Option<usize>, ranges: &mut [f64]) {
        for &i in &self.large {
            self.statics[i as usize].cast(fan, ranges);
        }
        self.cast_indexed(fan, ranges);
        for shape in &self.movers {
            if shape.owner.is_none() || shape.owner != exclude {
                shape.cast(fan, ranges);
            }
        }
    }

    fn cast_indexed(&self, fan: &Fan<'_>, ranges: &mut [f64]) {
        let reach = fan.max_range + CELL;
        let (low_x, high_x) = (cell_of(fan.origin.x - reach), cell_of(fan.origin.x + reach));
        let (low_y, high_y) = (cell_of(fan.origin.y - reach), cell_of(fan.origin.y + reach));
        let from = self.index.partition_point(|(cell, _)| *cell < (low_x, low_y));
        for ((x, y), shapes) in &self.index[from..] {
            if *x > high_x {
                break;
            }
            if *y >= low_y && *y <= high_y {
                for &i in shapes {
                    self.statics[i as usize].cast(fan, ranges);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square(half: f64) -> Vec<Vec2> {
        [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y)).to_vec()
    }

    fn fan_of(directions: &[Vec2], origin: Vec2, angle_min: f64, angle_increment: f64) -> Fan<'_> {
        Fan { origin, directions, angle_min, angle_increment, tolerance: 0.0, max_range: 30.0 }
    }

    fn directions(angle_min: f64, angle_increment: f64, count: usize) -> Vec<Vec2> {
        (0..count)
            .map(|i| {
                let (sin, cos) = libm::sincos(angle_min + i as f64 * angle_increment);
                Vec2::new(cos, sin)
            })
            .collect()
    }

    fn scan(obstacles: &Obstacles, origin: Vec2, exclude: Option<usize>) -> Vec<f64> {
        let beams = directions(-PI, TAU / 360.0, 361);
        let mut ranges = vec![f64::INFINITY; 361];
        obstacles.cast_fan(&fan_of(&beams, origin, -PI, TAU / 360.0), exclude, &mut ranges);
        ranges
    }

    #[test]
    fn a_box_ahead_is_seen_at_its_face_and_under_its_angle() {
        let mut obstacles = Obstacles::new();
        obstacles.add_static(&square(1.0), Pose2::new(5.0, 0.0, 0.0));
        obstacles.finish();
        let ranges = scan(&obstacles, Vec2::ZERO, None);
        assert!((ranges[180] - 4.0).abs() < 1e-12);
        let ten = 10.0_f64.to_radians();
        assert!((ranges[190] - 4.0 / ten.cos()).abs() < 1e-12 && (ranges[170] - ranges[190]).abs() < 1e-12);
        // atan(1/4) is 14.04°.
        assert!(ranges[194].is_finite() && ranges[195].is_infinite() && ranges[0].is_infinite());
    }

    #[test]
    fn both_ends_of_a_full_turn_see_what_is_behind() {
        let mut obstacles = Obstacles::new();
        obstacles.add_static(&square(1.0), Pose2::new(-5.0, 0.0, 0.3));
        obstacles.finish();
        let ranges = scan(&obstacles, Vec2::ZERO, None);
        assert!(ranges[0].is_finite() && (ranges[0] - ranges[360]).abs() < 1e-9, "{} {}", ranges[0], ranges[360]);
    }

    #[test]
    fn the_own_vehicle_is_not_seen_and_others_are() {
        let mut obstacles = Obstacles::new();
        let own = obstacles.add_mover(Some(0), &square(0.5));
        let other = obstacles.add_mover(Some(1), &square(0.5));
        obstacles.finish();
        obstacles.set_mover_pose(own, Pose2::IDENTITY);
        obstacles.set_mover_pose(other, Pose2::new(0.0, 3.0, 0.0));
        let ranges = scan(&obstacles, Vec2::ZERO, Some(0));
        assert!((ranges[270] - 2.5).abs() < 1e-12 && ranges[180].is_infinite());
        assert!((scan(&obstacles, Vec2::ZERO, Some(1))[180] - 0.5).abs() < 1e-12, "from inside the back faces count");
    }

    #[test]
    fn a_concave_outline_shows_its_notch() {
        let notch =
            [(0.0, -2.0), (4.0, -2.0), (4.0, 2.0), (0.0, 2.0), (0.0, 1.0), (2.0, 1.0), (2.0, -1.0), (0.0, -1.0)];
        for reversed in [false, true] {
            let mut outline: Vec<Vec2> = notch.map(|(x, y)| Vec2::new(x, y)).to_vec();
            if reversed {
                outline.reverse();
            }
            let mut obstacles = Obstacles::new();
            obstacles.add_static(&outline, Pose2::new(3.0, 0.0, 0.0));
            obstacles.finish();
            let ranges = scan(&obstacles, Vec2::ZERO, None);
            assert!((ranges[180] - 5.0).abs() < 1e-12, "{}", ranges[180]);
            let above = 25.0_f64.to_radians();
            assert!((ranges[205] - 3.0 / above.cos()).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_out_of_range_is_not_seen() {
        let mut obstacles = Obstacles::new();
        obstacles.add_static(&square(1.0), Pose2::new(30.99, 0.0, 0.0));
        obstacles.add_static(&square(1.0), Pose2::new(0.0, 31.01, 0.0));
        obstacles.finish();
        let ranges = scan(&obstacles, Vec2::ZERO, None);
        assert!((ranges[180] - 29.99).abs() < 1e-9 && ranges[270].is_infinite());
    }

    #[test]
    fn coarse_angles_are_right_to_two_milliradians() {
        for i in 0..3600 {
            let angle = wrap_angle(f64::from(i) * TAU / 3600.0 + 1e-9);
            let coarse = coarse_angle(Vec2::new(3.0 * angle.cos(), 3.0 * angle.sin()));
            assert!(wrap_angle(coarse - angle).abs() < 2e-3, "{angle}: {coarse}");
        }
    }

    /// Every beam against every edge, both sides.
    fn brute_force(shapes: &[(Vec<Vec2>, Pose2)], origin: Vec2, beams: &[Vec2]) -> Vec<f64> {
        beams
            .iter()
            .map(|d| {
                let mut best = f64::INFINITY;
                for (outline, pose) in shapes {
                    for i in 0..outline.len() {
                        let a = pose.transform_point(outline[i]) - origin;
                        let b = pose.transform_point(outline[(i + 1) % outline.len()]) - origin;
                        let (e, determinant) = (b - a, d.cross(b - a));
                        let (t, s) = (a.cross(e) / determinant, a.cross(*d) / determinant);
                        if determinant != 0.0 && t >= 0.0 && (0.0..=1.0).contains(&s) && t <= 30.0 {
                            best = best.min(t);
                        }
                    }
                }
                best
            })
            .collect()
    }

    proptest! {
        #[test]
        fn fans_agree_with_brute_force(
            boxes in prop::collection::vec((-20.0..20.0f64, -20.0..20.0f64, -4.0..4.0f64, 0.05..6.0f64), 1..12),
            start in -7.0..7.0f64,
            span in 0.01..6.28f64,
            count in 1usize..200,
        ) {
            let increment = if count > 1 { span / (count - 1) as f64 } else { 0.0 };
            let beams = directions(start, increment, count);
            let shapes: Vec<_> = boxes.iter().map(|&(x, y, yaw, half)| (square(half), Pose2::new(x, y, yaw))).collect();
            let mut obstacles = Obstacles::new();
            for (outline, pose) in &shapes {
                obstacles.add_static(outline, *pose);
            }
            obstacles.finish();
            let mut ranges = vec![f64::INFINITY; count];
            obstacles.cast_fan(&fan_of(&beams, Vec2::ZERO, start, increment), None, &mut ranges);
            let expected = brute_force(&shapes, Vec2::ZERO, &beams);
            for (i, (found, expected)) in ranges.iter().zip(&expected).enumerate() {
                // A beam through a vertex may take either side; compare where it is not that close.
                let same = (found - expected).abs() < 1e-6 || (found.is_infinite() && expected.is_infinite());
                prop_assert!(same, "beam {i}: {found} for {expected}");
            }
        }
    }
}
