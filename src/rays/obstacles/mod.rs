//! Rays against shapes: the vehicles, blocks and walls that a lidar sees.
//!
//! Beams share an origin and are ordered by angle, so a shape only concerns the beams between its outermost edges. Shapes
//! are visited roughly from near to far, and a shape behind everything that its beams have hit already is skipped, so that a
//! crowd costs little more than its front row. The others are intersected exactly. Of a simple polygon only edges that
//! face the origin can be hit first: front faces from outside, back faces from inside.
//! Shapes that share no height with the beams are skipped.
//! Static shapes are kept in a coarse grid, so that those out of range cost nothing.

use std::f64::consts::{PI, TAU};
use std::ops::Range;

use skidpad_math::{Pose2, Vec2, wrap_angle};

use super::heights::{ALL_HEIGHTS, share_heights};
use super::vectors::vectorized;

/// Beams from one origin: beam `i` runs along `directions[i]`, which is within `tolerance` of angle
/// `angle_min + i·angle_increment`.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    /// Where the beams start, in the world [m].
    pub origin: Vec2,
    /// Unit vectors [-] in the world, in order of angle.
    pub directions: &'a [Vec2],
    /// Nominal angle of the first beam in the world [rad].
    pub angle_min: f64,
    /// Nominal angle between neighbours [rad], ≥ 0.
    pub angle_increment: f64,
    /// Largest deviation of a beam from its nominal angle [rad].
    pub tolerance: f64,
    /// Hits beyond this distance are ignored [m].
    pub max_range: f64,
    /// Only shapes that share these heights [m], from low to high, are seen.
    pub heights: [f64; 2],
    /// Whether the beams meet shapes that are [clear](super::space::is_clear), as sound does.
    pub meets_glass: bool,
}

/// A polygon in the world.
#[derive(Clone, Debug, PartialEq)]
struct Shape {
    owner: Option<usize>,
    outline: Vec<Vec2>,
    /// Where the vertices were computed for, once they were.
    world_from_body: Option<Pose2>,
    vertices: Vec<Vec2>,
    center: Vec2,
    radius: f64,
    center_in_body: Vec2,
    /// Vertical extent in the world [m].
    heights: [f64; 2],
    /// Whether it is hidden from all sensors.
    is_away: bool,
    /// Whether light passes it.
    is_clear: bool,
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
        Shape {
            owner,
            vertices: outline.clone(),
            world_from_body: None,
            outline,
            center: center_in_body,
            radius,
            center_in_body,
            heights: ALL_HEIGHTS,
            is_away: false,
            is_clear: false,
        }
    }

    fn place(&mut self, world_from_body: Pose2) {
        let (rotation, position) = (world_from_body.rotation(), world_from_body.position());
        for (vertex, &p) in self.vertices.iter_mut().zip(&self.outline) {
            *vertex = position + rotation * p;
        }
        self.center = position + rotation * self.center_in_body;
        self.world_from_body = Some(world_from_body);
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
    fn cast(&self, sweep: &mut Sweep<'_>) {
        let to_center = self.center - sweep.fan.origin;
        let squared = to_center.dot(to_center);
        let reach = sweep.fan.max_range + self.radius;
        let is_unseen = self.is_away | (self.is_clear & !sweep.fan.meets_glass);
        if squared > reach * reach || self.vertices.len() < 2 || is_unseen {
            return;
        }
        if squared <= self.radius * self.radius * 1.01 {
            if !share_heights(self.heights, sweep.fan.heights) {
                return;
            }
            let faces_out = !self.contains(sweep.fan.origin);
            self.cast_edges(sweep, faces_out);
            return;
        }
        let distance = squared.sqrt();
        // asin(s)/s has a series of positive terms that sum to π/2 at s = 1: below 1 + (π/2 − 1)·s².
        let s = self.radius / distance;
        let half_width = s * (1.0 + (0.5 * PI - 1.0) * s * s);
        let beams = sweep.beams(coarse_angle(to_center) - half_width, 2.0 * half_width);
        if beams.iter().all(|range| sweep.is_hidden(range, distance - self.radius))
            || !share_heights(self.heights, sweep.fan.heights)
        {
            return;
        }
        if beams.iter().map(|range| range.len()).sum::<usize>() > FEW_BEAMS {
            self.cast_edges(sweep, true);
            return;
        }
        self.for_each_facing_edge(sweep.fan.origin, true, |first, edge, area| {
            beams.iter().for_each(|range| sweep.cast_segment(first, edge, area, range.clone()));
        });
        beams.iter().for_each(|range| sweep.update(range));
    }

    /// Casts each edge against its own beams.
    fn cast_edges(&self, sweep: &mut Sweep<'_>, faces_out: bool) {
        self.for_each_facing_edge(sweep.fan.origin, faces_out, |first, edge, area| {
            if area * area > sweep.fan.max_range * sweep.fan.max_range * edge.dot(edge) {
                // The line is out of range as a whole.
                return;
            }
            let start = coarse_angle(first);
            let mut width = coarse_angle(first + edge) - start;
            if width < 0.0 {
                width += TAU;
            }
            if width > PI + ANGLE_ERROR {
                // A sliver whose ends lie within the error of the angles.
                width = 0.0;
            }
            for range in sweep.beams(start, width) {
                sweep.cast_segment(first, edge, area, range.clone());
                sweep.update(&range);
            }
        });
    }

    /// Calls `visit` with start [m] (from the origin), direction [m] and doubled area [m²] of each edge that faces `origin`
    /// (turns its back to it, from inside), counter-clockwise around it.
    fn for_each_facing_edge(&self, origin: Vec2, faces_out: bool, mut visit: impl FnMut(Vec2, Vec2, f64)) {
        let mut a = self.vertices[self.vertices.len() - 1] - origin;
        for &vertex in &self.vertices {
            let b = vertex - origin;
            // The outline runs counter-clockwise: seen from outside, a front face runs clockwise around the origin.
            let (first, last) = if faces_out { (b, a) } else { (a, b) };
            let area = first.cross(last);
            if area > 0.0 {
                visit(first, last - first, area);
            }
            a = b;
        }
    }
}

/// Error bound of [`coarse_angle`] [rad].
const ANGLE_ERROR: f64 = 2e-3;
/// Up to this many beams a shape's edges are all cast against all of its beams.
const FEW_BEAMS: usize = 64;
/// Beams that share a bound of their ranges.
const BLOCK: usize = 16;

/// A fan while shapes are cast: its ranges, and for each block of beams the farthest of them.
struct Sweep<'a> {
    fan: Fan<'a>,
    /// `fan.angle_min` in [−π, π).
    angle_min: f64,
    per_increment: f64,
    ranges: &'a mut [f64],
    farthest: &'a mut [f64],
}

impl Sweep<'_> {
    /// Indices of the beams that may lie between the angles `start` and `start + width` [rad]; up to three stretches, since
    /// a fan of a full turn meets some directions at both ends.
    fn beams(&self, start: f64, width: f64) -> [Range<usize>; 3] {
        let margin = self.fan.tolerance + ANGLE_ERROR;
        let mut from = start - self.angle_min - margin;
        from += if from < 0.0 { TAU } else { 0.0 } - if from >= TAU { TAU } else { 0.0 };
        let to = from + width + 2.0 * margin;
        let count = self.ranges.len() as u32;
        // Rounded outwards; conversions saturate.
        let index = |angle: f64| (angle * self.per_increment) as u32;
        let stretch = |first: u32, to: f64| {
            let end = index(to).saturating_add(2).min(count);
            first.min(end) as usize..end as usize
        };
        let mut beams = [stretch(index(from), to), 0..0, 0..0];
        if to >= TAU {
            beams[1] = stretch(0, to - TAU);
        }
        if (from + TAU) * self.per_increment < self.ranges.len() as f64 {
            beams[2] = stretch(index(from + TAU), to + TAU);
        }
        beams
    }

    /// Whether all these beams end before `distance` [m].
    fn is_hidden(&self, beams: &Range<usize>, distance: f64) -> bool {
        beams.is_empty() || self.farthest[beams.start / BLOCK..beams.end.div_ceil(BLOCK)].iter().all(|&f| f < distance)
    }

    /// Intersects each of these beams with the segment `first + s·edge`, 0 ≤ s ≤ 1.
    #[inline]
    fn cast_segment(&mut self, first: Vec2, edge: Vec2, area: f64, beams: Range<usize>) {
        let (directions, ranges) = (&self.fan.directions[beams.clone()], &mut self.ranges[beams]);
        cast_segment(first, edge, area, self.fan.max_range, directions, ranges);
    }

    /// Brings the bounds of these beams up to date.
    fn update(&mut self, beams: &Range<usize>) {
        if beams.is_empty() {
            return;
        }
        let blocks = beams.start / BLOCK..beams.end.div_ceil(BLOCK);
        let ranges = self.ranges[blocks.start * BLOCK..].chunks(BLOCK);
        for (farthest, ranges) in self.farthest[blocks].iter_mut().zip(ranges) {
            *farthest = largest(ranges);
        }
    }
}

vectorized! {
    /// Lowers `ranges` [m] of beams along `directions` to the distance of the segment `first + s·edge` [m], 0 ≤ s ≤ 1, where that
    /// is nearer and not beyond `max_range` [m]; `area` [m²] is the cross product of its ends.
    fn cast_segment(first: Vec2, edge: Vec2, area: f64, max_range: f64, directions: &[Vec2], ranges: &mut [f64]) {
        for (direction, range) in directions.iter().zip(ranges) {
            // first + s·edge = t·direction by Cramer's rule; a counter-clockwise edge has a positive determinant.
            let determinant = direction.cross(edge);
            let along = first.cross(*direction);
            let distance = area / determinant;
            let is_hit = (along >= 0.0) & (along <= determinant) & (determinant > 0.0);
            *range = if is_hit & (distance <= max_range) & (distance < *range) { distance } else { *range };
        }
    }
}

/// The largest of these ranges [m], 0 without any.
#[inline]
fn largest(ranges: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let (fours, remainder) = ranges.as_chunks::<4>();
    // Four at a time, for vector instructions.
    let most = fours.iter().fold([0.0; 4], |most, four| std::array::from_fn(|k| larger(most[k], four[k])));
    most.iter().chain(remainder).copied().fold(0.0, larger)
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
    /// Indices of removed movers, to be reused.
    free: Vec<usize>,
    index: Index,
}

/// Static shapes by the cell of their centre.
#[derive(Clone, Debug, Default)]
struct Index {
    cell: f64,
    low: [i64; 2],
    size: [i64; 2],
    /// For each cell, row-major, where its shapes start in `shapes`; one more entry at the end.
    starts: Vec<u32>,
    shapes: Vec<u32>,
    /// Shapes larger than a cell.
    large: Vec<u32>,
}

/// The finest index [m], and the most cells it may have.
const FINEST_CELL: f64 = 2.0;
const MAX_CELLS: i64 = 1 << 20;

/// The cell of size `cell` [m] in which a coordinate [m] lies. Coordinates beyond 10¹⁵ cells share the outermost one, so that
/// sums and differences of cells do not overflow.
fn cell_of(coordinate: f64, cell: f64) -> i64 {
    libm::floor(coordinate / cell).clamp(-1e15, 1e15) as i64
}

impl Index {
    fn new(shapes: &[Shape]) -> Index {
        let mut cell = FINEST_CELL;
        let key = |p: Vec2, cell: f64| [cell_of(p.x, cell), cell_of(p.y, cell)];
        loop {
            let small = || shapes.iter().filter(|shape| shape.radius <= cell).map(|shape| key(shape.center, cell));
            let Some(first) = small().next() else { break };
            let (mut low, mut high) = (first, first);
            for k in small() {
                for axis in 0..2 {
                    low[axis] = low[axis].min(k[axis]);
                    high[axis] = high[axis].max(k[axis]);
                }
            }
            let size = [high[0].saturating_sub(low[0]), high[1].saturating_sub(low[1])].map(|n| n.saturating_add(1));
            if size[0].saturating_mul(size[1]) > MAX_CELLS {
                cell *= 2.0;
                continue;
            }
            return Index::fill(shapes, cell, low, size, |p| key(p, cell));
        }
        Index { cell, large: (0..shapes.len() as u32).collect(), ..Index::default() }
    }

    fn fill(shapes: &[Shape], cell: f64, low: [i64; 2], size: [i64; 2], key: impl Fn(Vec2) -> [i64; 2]) -> Index {
        let mut cells = vec![Vec::new(); (size[0] * size[1]) as usize];
        let mut large = Vec::new();
        for (i, shape) in shapes.iter().enumerate() {
            if shape.radius <= cell {
                let k = key(shape.center);
                cells[((k[1] - low[1]) * size[0] + k[0] - low[0]) as usize].push(i as u32);
            } else {
                large.push(i as u32);
            }
        }
        let mut index = Index { cell, low, size, starts: vec![0], shapes: Vec::new(), large };
        for cell in cells {
            index.shapes.extend(cell);
            index.starts.push(index.shapes.len() as u32);
        }
        index
    }

    /// Visits the shapes within `reach` [m] of `origin`, ring of cells by ring of cells from the inside.
    fn visit_outwards(&self, origin: Vec2, reach: f64, mut visit: impl FnMut(u32)) {
        if self.starts.is_empty() {
            return;
        }
        let center = [(origin.x, 0), (origin.y, 1)].map(|(x, axis)| cell_of(x, self.cell) - self.low[axis]);
        // Rings beyond the farthest corner of the index are empty, as are those before its nearest side.
        let farthest = (0..2).map(|a| center[a].abs().max((self.size[a] - 1 - center[a]).abs())).max().unwrap_or(0);
        let nearest = (0..2).map(|a| (-center[a]).max(center[a] - self.size[a] + 1).max(0)).max().unwrap_or(0);
        let rings = ((reach / self.cell) as i64).saturating_add(2).min(farthest);
        for ring in nearest..=rings {
            let rows = (center[1] - ring).max(0)..=(center[1] + ring).min(self.size[1] - 1);
            let columns = [center[0] - ring, center[0] + ring];
            for row in rows {
                let mut visit_columns = |first: i64, last: i64| {
                    let (first, last) = (first.max(0), last.min(self.size[0] - 1));
                    if first <= last {
                        let cell = |column: i64| (row * self.size[0] + column) as usize;
                        let shapes = self.starts[cell(first)] as usize..self.starts[cell(last) + 1] as usize;
                        self.shapes[shapes].iter().for_each(|&shape| visit(shape));
                    }
                };
                if (row - center[1]).abs() == ring {
                    visit_columns(columns[0], columns[1]);
                } else {
                    columns.iter().for_each(|&column| visit_columns(column, column));
                }
            }
        }
    }
}

impl Obstacles {
    /// No shapes yet.
    pub fn new() -> Obstacles {
        Obstacles::default()
    }

    /// Adds a static shape; `outline` [m] in its own frame, not closed; vertical extent in the world [m]. Returns
    /// its index among the static shapes. Call [`finish`](Self::finish) after the last one.
    pub fn add_static(&mut self, outline: &[Vec2], world_from_shape: Pose2, heights: [f64; 2]) -> usize {
        let mut shape = Shape::new(None, outline);
        shape.place(world_from_shape);
        shape.heights = heights;
        self.statics.push(shape);
        self.statics.len() - 1
    }

    /// Adds a moving shape, `outline` [m] in its body's frame, that belongs to the vehicle `owner`, if any. Returns its index.
    pub fn add_mover(&mut self, owner: Option<usize>, outline: &[Vec2]) -> usize {
        let shape = Shape::new(owner, outline);
        if let Some(index) = self.free.pop() {
            self.movers[index] = shape;
            return index;
        }
        self.movers.push(shape);
        self.movers.len() - 1
    }

    /// Removes a moving shape.
    pub fn remove_mover(&mut self, index: usize) {
        self.movers[index] = Shape::new(None, &[]);
        self.free.push(index);
    }

    /// Gives a moving shape another outline [m] in its body's frame; it has no pose until the next.
    pub fn set_mover_outline(&mut self, index: usize, outline: &[Vec2]) {
        let Shape { owner, is_away, is_clear, .. } = self.movers[index];
        self.movers[index] = Shape { is_away, is_clear, ..Shape::new(owner, outline) };
    }

    /// Hides a moving shape from all sensors, or shows it again.
    pub fn set_mover_away(&mut self, index: usize, is_away: bool) {
        self.movers[index].is_away = is_away;
    }

    /// Hides a static shape from all sensors, or shows it again.
    pub fn set_static_away(&mut self, index: usize, is_away: bool) {
        if let Some(shape) = self.statics.get_mut(index) {
            shape.is_away = is_away;
        }
    }

    /// Says whether light passes a moving shape.
    pub fn set_mover_clear(&mut self, index: usize, is_clear: bool) {
        self.movers[index].is_clear = is_clear;
    }

    /// Says whether light passes a static shape.
    pub fn set_static_clear(&mut self, index: usize, is_clear: bool) {
        if let Some(shape) = self.statics.get_mut(index) {
            shape.is_clear = is_clear;
        }
    }

    /// Sets the vehicle that a moving shape belongs to.
    pub fn set_owner(&mut self, index: usize, owner: usize) {
        self.movers[index].owner = Some(owner);
    }

    /// Number of slots for moving shapes, free ones included.
    pub fn mover_count(&self) -> usize {
        self.movers.len()
    }

    /// Moves a moving shape to this pose [m, rad] of its body, with this vertical extent in the world [m].
    pub fn set_mover_pose(&mut self, index: usize, world_from_body: Pose2, heights: [f64; 2]) {
        let shape = &mut self.movers[index];
        if shape.world_from_body != Some(world_from_body) {
            shape.place(world_from_body);
        }
        shape.heights = heights;
    }

    /// Moves a static shape to another pose [m, rad], with this vertical extent in the world [m], and rebuilds the index.
    pub fn set_static_pose(&mut self, index: usize, world_from_shape: Pose2, heights: [f64; 2]) {
        let Some(shape) = self.statics.get_mut(index) else { return };
        shape.place(world_from_shape);
        shape.heights = heights;
        self.finish();
    }

    /// Builds the index over the static shapes; to be called after the last of them is added.
    pub fn finish(&mut self) {
        self.index = Index::new(&self.statics);
    }

    /// Lowers `ranges` [m] where a shape is nearer than the range already there. Shapes of the vehicle `exclude` are not seen.
    /// `scratch` is working memory, reused from call to call.
    pub fn cast_fan(&self, fan: &Fan<'_>, exclude: Option<usize>, ranges: &mut [f64], scratch: &mut Vec<f64>) {
        let count = ranges.len();
        if count == 0 || (self.statics.is_empty() && self.movers.is_empty()) {
            return;
        }
        scratch.resize(count.div_ceil(BLOCK), 0.0);
        let per_increment = if fan.angle_increment > 0.0 { 1.0 / fan.angle_increment } else { f64::INFINITY };
        let angle_min = wrap_angle(fan.angle_min);
        let mut sweep = Sweep { fan: *fan, angle_min, per_increment, ranges, farthest: scratch };
        sweep.update(&(0..count));
        for shape in &self.movers {
            if shape.owner.is_none() || shape.owner != exclude {
                shape.cast(&mut sweep);
            }
        }
        for &i in &self.index.large {
            self.statics[i as usize].cast(&mut sweep);
        }
        self.index.visit_outwards(fan.origin, fan.max_range + self.index.cell, |i| {
            self.statics[i as usize].cast(&mut sweep);
        });
    }
}

#[cfg(test)]
mod tests;
