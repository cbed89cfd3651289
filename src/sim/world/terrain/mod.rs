//! The ground: the surface under a point, and the attitude of a body on it.
//!
//! Surfaces are height maps, horizontal planes and the tops of blocks; several may lie above each other, like the floors of a
//! house. Queries give the height from which they search downwards. Where no surface lies below, the ground is level at 0, as
//! in MVSim.
//!
//! Coordinates are of double precision throughout, so that worlds in UTM metres need no offset.

mod block_top;
mod edge;
mod facet;
pub(super) mod file;
mod fit;
mod height_map;
mod index;
mod info;
mod plane;

use std::sync::Arc;

use skidpad_math::{Pose3, Vec2};

use self::block_top::BlockGround;
pub(super) use self::block_top::is_inside;
pub(super) use self::edge::Approach;
pub(super) use self::fit::PlaneFit;
pub(super) use self::height_map::check_size;
pub use self::height_map::{HeightMap, HeightMapError, MAX_VERTICES};
use self::index::Index;
pub use self::info::{BlockTop, ElevationInfo, PlaneInfo};
use self::plane::PlaneGround;
use super::{BlockInfo, PhysicsRules, Spot};

/// Number of surfaces that may be added before the index is rebuilt; more as it grows.
const MIN_TAIL: usize = 32;

/// An axis-parallel box seen from above [m].
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    min: Vec2,
    max: Vec2,
}

impl Bounds {
    const EMPTY: Bounds =
        Bounds { min: Vec2::new(f64::INFINITY, f64::INFINITY), max: Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY) };

    fn include(&mut self, p: Vec2) {
        self.min = Vec2::new(self.min.x.min(p.x), self.min.y.min(p.y));
        self.max = Vec2::new(self.max.x.max(p.x), self.max.y.max(p.y));
    }

    fn grown(self, by: f64) -> Bounds {
        let d = Vec2::new(by, by);
        Bounds { min: self.min - d, max: self.max + d }
    }

    fn is_empty(&self) -> bool {
        !(self.min.x <= self.max.x && self.min.y <= self.max.y)
    }

    #[inline]
    fn contains(&self, p: Vec2) -> bool {
        self.min.x <= p.x && p.x <= self.max.x && self.min.y <= p.y && p.y <= self.max.y
    }
}

#[derive(Clone, Debug)]
enum Kind {
    Map(Arc<HeightMap>),
    Plane(PlaneGround),
    Block { number: usize, ground: BlockGround, collides: bool },
}

#[derive(Clone, Debug)]
struct Surface {
    bounds: Bounds,
    kind: Kind,
    /// Greatest height [m] at which it may be a step.
    step_top: f64,
    /// Whether the surface has moved away from its position in the index.
    has_moved: bool,
    /// Whether the surface is absent.
    is_away: bool,
}

impl Surface {
    #[inline]
    fn height_at(&self, p: Vec2) -> Option<f64> {
        if !self.bounds.contains(p) || self.is_away {
            return None;
        }
        match &self.kind {
            Kind::Map(map) => map.height_at(p),
            Kind::Plane(plane) => plane.height_at(p),
            Kind::Block { ground, .. } => ground.height_at(p),
        }
    }

    /// Its gradient [-] at `p` [m], which it covers, along the world's axes.
    fn gradient_at(&self, p: Vec2) -> Vec2 {
        match &self.kind {
            Kind::Map(map) => map.gradient_at(p).unwrap_or_default(),
            Kind::Plane(plane) => plane.gradient(),
            Kind::Block { ground, .. } => ground.gradient_at(p),
        }
    }

    /// Whether it may be inclined anywhere.
    fn may_slope(&self) -> bool {
        match &self.kind {
            Kind::Map(_) => true,
            Kind::Plane(plane) => plane.gradient() != Vec2::ZERO,
            Kind::Block { ground, .. } => ground.may_slope(),
        }
    }
}

/// The ground at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundPoint {
    /// Its height [m].
    pub height: f64,
    /// Its gradient [-]: metres up per metre along the world's x and y axes.
    pub gradient: Vec2,
}

/// The ground under a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Support {
    /// Its height [m].
    pub height: f64,
    /// Whether an elevation map is there, at any height.
    pub is_on_map: bool,
}

/// An inclined plane on which a body was put.
#[derive(Clone, Copy, Debug)]
pub(super) struct InclinedPlane<'a> {
    surface: &'a Surface,
    /// At the body's reference point.
    pub ground: GroundPoint,
}

impl InclinedPlane<'_> {
    /// Its height [m] at `p` [m]. None outside it.
    pub(super) fn height_at(&self, p: Vec2) -> Option<f64> {
        self.surface.height_at(p)
    }
}

/// Rule by which ground is a step for a point of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StepRule {
    /// Height [m] above which ground is a step.
    pub limit: f64,
    /// Height [m] above which ground is a bridge that the vehicle passes under.
    pub reach: f64,
}

/// All the ground of a world.
#[derive(Clone, Debug, Default)]
pub struct Terrain {
    rules: PhysicsRules,
    surfaces: Vec<Surface>,
    /// Surface numbers of the planes, in their order, and of the blocks, in theirs.
    planes: Vec<u32>,
    blocks: Vec<u32>,
    /// Free block numbers.
    free: Vec<usize>,
    /// Number of surfaces that are present, without planes that are the level ground at 0 itself.
    present: usize,
    index: Index,
    /// Number of surfaces in the index.
    indexed: usize,
    /// Surfaces that have moved away from their positions in the index.
    moved_surfaces: Vec<u32>,
    /// Greatest height of any surface that may be a step [m].
    step_top: f64,
    /// Whether a surface is or was inclined.
    may_slope: bool,
    /// Whether a surface moved since bodies were last set on the ground.
    is_changed: bool,
}

impl Terrain {
    /// No ground yet: level at 0 everywhere.
    pub fn new(rules: PhysicsRules) -> Terrain {
        Terrain { rules, step_top: f64::NEG_INFINITY, ..Terrain::default() }
    }

    /// The rules by which bodies stand on the ground.
    pub fn rules(&self) -> PhysicsRules {
        self.rules
    }

    /// Adds uneven ground.
    pub fn add_map(&mut self, map: Arc<HeightMap>) {
        let (bounds, top) = map.bounds();
        self.add(Kind::Map(map), bounds, top);
    }

    /// Adds the next horizontal plane.
    pub fn add_plane(&mut self, info: &PlaneInfo) {
        let plane = PlaneGround::new(info);
        let (bounds, top) = plane.bounds();
        self.planes.push(self.surfaces.len() as u32);
        if info.is_level_ground() {
            // It is no step either: the ground around it is as high, or has a step of its own.
            self.add(Kind::Plane(plane), bounds, f64::NEG_INFINITY);
            self.present -= 1;
        } else {
            self.add(Kind::Plane(plane), bounds, top);
        }
    }

    /// Adds a block and returns its number. Blocks that collide are ground to stand on, but not steps.
    pub(super) fn add_block(&mut self, info: &BlockInfo) -> usize {
        let collides = !info.is_intangible;
        let ground = BlockGround::new(info.outline.clone(), info.top, info.z[1], info.world_from_start);
        let (bounds, top) = ground.bounds();
        let step_top = if collides { f64::NEG_INFINITY } else { top };
        if let Some(number) = self.free.pop() {
            let surface = self.blocks[number];
            self.present += 1;
            self.surfaces[surface as usize].kind = Kind::Block { number, ground, collides };
            self.surfaces[surface as usize].is_away = false;
            self.note_move(surface, bounds, step_top);
            return number;
        }
        let number = self.blocks.len();
        self.blocks.push(self.surfaces.len() as u32);
        self.add(Kind::Block { number, ground, collides }, bounds, step_top);
        number
    }

    fn add(&mut self, kind: Kind, bounds: Bounds, step_top: f64) {
        let surface = Surface { bounds, kind, step_top, has_moved: false, is_away: false };
        self.may_slope |= surface.may_slope();
        self.surfaces.push(surface);
        self.present += 1;
        self.step_top = self.step_top.max(step_top);
        if self.surfaces.len() - self.indexed > MIN_TAIL + self.indexed {
            self.finish();
        }
    }

    /// Removes a block for good.
    pub(super) fn remove_block(&mut self, number: usize) {
        self.set_block_away(number, true);
        self.free.push(number);
    }

    /// Removes a block that may come back, or restores it; its number stays reserved.
    pub(super) fn set_block_away(&mut self, number: usize, is_away: bool) {
        let Some(&surface) = self.blocks.get(number) else { return };
        let surface = &mut self.surfaces[surface as usize];
        if surface.is_away == is_away {
            return;
        }
        surface.is_away = is_away;
        self.is_changed = true;
        self.present = if is_away { self.present - 1 } else { self.present + 1 };
        let tops = self.surfaces.iter().filter(|surface| !surface.is_away).map(|surface| surface.step_top);
        self.step_top = tops.fold(f64::NEG_INFINITY, f64::max);
    }

    /// Number of surface slots, used or free.
    pub(super) fn surface_count(&self) -> usize {
        self.surfaces.len()
    }

    /// Builds the index over all surfaces. Only for speed, once after the last was added.
    pub fn finish(&mut self) {
        let boxes: Vec<Bounds> = self.surfaces.iter().map(|surface| surface.bounds).collect();
        self.index = Index::new(&boxes);
        self.indexed = self.surfaces.len();
        self.moved_surfaces = Vec::with_capacity(self.surfaces.len());
        self.surfaces.iter_mut().for_each(|surface| surface.has_moved = false);
    }

    /// Whether the only ground is the level at 0.
    #[inline]
    pub fn is_level(&self) -> bool {
        self.present == 0
    }

    /// The greatest height [m] not above `z` [m] among the surfaces at `p` [m], one block left out. None when no surface is that
    /// low.
    #[inline]
    pub fn highest_under(&self, p: Vec2, z: f64, except_block: Option<usize>) -> Option<f64> {
        let mut highest = f64::NEG_INFINITY;
        self.for_each_at(p, |surface, height| {
            let excepted = except_block
                .is_some_and(|except| matches!(surface.kind, Kind::Block { number, .. } if number == except));
            if height <= z && height > highest && !excepted {
                highest = height;
            }
        });
        (highest > f64::NEG_INFINITY).then_some(highest)
    }

    /// The ground [m] at `p` [m], searched from height `z` [m] downwards: [`highest_under`](Self::highest_under), or else 0.
    #[inline]
    pub fn ground_under(&self, p: Vec2, z: f64, except_block: Option<usize>) -> f64 {
        self.highest_under(p, z, except_block).unwrap_or(0.0)
    }

    /// The same with its gradient; level where it is 0 because no surface is that low.
    pub(super) fn ground_point(&self, p: Vec2, z: f64, except_block: usize) -> GroundPoint {
        let (mut highest, mut ground) = (f64::NEG_INFINITY, None);
        self.for_each_at(p, |surface, height| {
            let excepted = matches!(surface.kind, Kind::Block { number, .. } if number == except_block);
            if height <= z && height > highest && !excepted {
                (highest, ground) = (height, Some(surface));
            }
        });
        let level = GroundPoint { height: 0.0, gradient: Vec2::ZERO };
        ground.map_or(level, |surface| GroundPoint { height: highest, gradient: surface.gradient_at(p) })
    }

    /// Whether any ground may be inclined.
    #[inline]
    pub(super) fn may_slope(&self) -> bool {
        self.may_slope
    }

    /// The height [m] of the highest elevation map at `p` [m], below which nothing stands; none without one there.
    pub fn elevation_at(&self, p: Vec2) -> Option<f64> {
        let mut highest: Option<f64> = None;
        self.for_each_at(p, |surface, height| {
            if matches!(surface.kind, Kind::Map(_)) {
                highest = Some(highest.map_or(height, |other| other.max(height)));
            }
        });
        highest
    }

    /// The ground [m] on which a body is set that is put at this spot: the highest that is not more than `reach` [m] above its height, or
    /// above the elevation map there, which has no space below. Where none is that low, see [`ground_near`](Self::ground_near).
    pub(super) fn ground_for(&self, spot: Spot, reach: f64) -> f64 {
        let z = spot.pose.z;
        let least = self.elevation_at(spot.position()).map_or(z, |elevation| elevation.max(z));
        self.ground_near(spot, least + reach, None)
    }

    /// The highest ground [m] at a spot up to the height `z` [m], one block left out. Where none is that low, it is the lowest plane there if
    /// the spot does not give its height, and else 0.
    pub(super) fn ground_near(&self, spot: Spot, z: f64, except_block: Option<usize>) -> f64 {
        let below = self.highest_under(spot.position(), z, except_block);
        below.or_else(|| if spot.gives_z { None } else { self.lowest_plane(spot.position()) }).unwrap_or(0.0)
    }

    /// The height [m] of the lowest plane at `p` [m]. None without one, and by MVSim's rules.
    pub(super) fn lowest_plane(&self, p: Vec2) -> Option<f64> {
        let mut lowest: Option<f64> = None;
        self.for_each_at(p, |surface, height| {
            if matches!(surface.kind, Kind::Plane(_)) && self.rules == PhysicsRules::Skidpad {
                lowest = Some(lowest.map_or(height, |other| other.min(height)));
            }
        });
        lowest
    }

    /// The inclined plane that is the highest ground at `p` [m] up to height `z` [m], with its height and gradient there. None where another
    /// surface is higher, or none is that low.
    pub(super) fn inclined_plane(&self, p: Vec2, z: f64) -> Option<InclinedPlane<'_>> {
        let (mut highest, mut highest_surface) = (f64::NEG_INFINITY, None);
        self.for_each_at(p, |surface, height| {
            if height <= z && height > highest {
                (highest, highest_surface) = (height, Some(surface));
            }
        });
        let surface = highest_surface.filter(|surface| matches!(surface.kind, Kind::Plane(_)))?;
        let ground = GroundPoint { height: highest, gradient: surface.gradient_at(p) };
        (ground.gradient != Vec2::ZERO).then_some(InclinedPlane { surface, ground })
    }

    /// The ground [m] under a wheel at `p` [m], searched from height `z` [m] downwards. On a height map the search begins `sunk` [m]
    /// higher: nothing passes below such a map, and its steep edges may reach above a wheel.
    pub(super) fn support_under(&self, p: Vec2, z: f64, sunk: f64) -> Support {
        let (mut highest, mut is_on_map) = (f64::NEG_INFINITY, false);
        self.for_each_at(p, |surface, height| {
            let is_map = matches!(surface.kind, Kind::Map(_));
            is_on_map |= is_map;
            let reach = if is_map { z + sunk } else { z };
            if height <= reach && height > highest {
                highest = height;
            }
        });
        Support { height: if highest > f64::NEG_INFINITY { highest } else { 0.0 }, is_on_map }
    }

    #[inline]
    fn for_each_at<'a>(&'a self, p: Vec2, mut visit: impl FnMut(&'a Surface, f64)) {
        let mut look = |number: usize| {
            let surface = &self.surfaces[number];
            if let Some(height) = surface.height_at(p) {
                visit(surface, height);
            }
        };
        let (wide, near) = self.index.at(p);
        for list in [wide, near, &self.moved_surfaces] {
            list.iter().for_each(|&number| look(number as usize));
        }
        (self.indexed..self.surfaces.len()).for_each(look);
    }

    /// Moves a plane to this pose [m, rad]. Planes are counted from 0 in the order they were added.
    pub fn set_plane_pose(&mut self, plane: usize, world_from_plane: Pose3) {
        let Some(&number) = self.planes.get(plane) else { return };
        if let Kind::Plane(ground) = &mut self.surfaces[number as usize].kind
            && ground.world_from_plane != world_from_plane
        {
            ground.set_pose(world_from_plane);
            let (bounds, top) = ground.bounds();
            self.note_move(number, bounds, top);
        }
    }

    /// Moves the block with this number to this pose [m, rad].
    pub fn set_block_pose(&mut self, block: usize, world_from_block: Pose3) {
        let Some(&number) = self.blocks.get(block) else { return };
        if let Kind::Block { ground, collides, .. } = &mut self.surfaces[number as usize].kind
            && ground.world_from_block != world_from_block
        {
            ground.set_pose(world_from_block);
            let (bounds, top) = ground.bounds();
            let top = if *collides { f64::NEG_INFINITY } else { top };
            self.note_move(number, bounds, top);
        }
    }

    /// Takes over the bounds and the greatest height [m] of a step of a surface that has moved.
    fn note_move(&mut self, number: u32, bounds: Bounds, step_top: f64) {
        let surface = &mut self.surfaces[number as usize];
        surface.bounds = bounds;
        surface.step_top = step_top;
        self.may_slope |= surface.may_slope();
        self.step_top = self.step_top.max(step_top);
        self.is_changed = true;
        if !surface.has_moved && (number as usize) < self.indexed {
            surface.has_moved = true;
            self.moved_surfaces.push(number);
        }
    }

    /// Pose of a block as part of the ground [m, rad].
    pub(super) fn block_pose(&self, block: usize) -> Option<Pose3> {
        match &self.surfaces[*self.blocks.get(block)? as usize].kind {
            Kind::Block { ground, .. } => Some(ground.world_from_block),
            _ => None,
        }
    }

    /// Marks the ground as changed.
    pub(super) fn mark_changed(&mut self) {
        self.is_changed = true;
    }

    /// Whether a surface moved since the last call.
    pub(super) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }

    /// Whether any ground may be a step.
    #[inline]
    pub(super) fn may_have_steps(&self) -> bool {
        self.step_top > f64::NEG_INFINITY
    }

    /// Whether any ground that does not itself collide may rise above this height [m].
    #[inline]
    pub(super) fn has_steps_above(&self, height: f64) -> bool {
        self.may_have_steps() && self.step_top.max(0.0) > height
    }

    /// Whether there is a step at `p` [m] for a point that comes from `from` [m].
    ///
    /// Ground between the two heights of the rule is a step. Ground above them is a step if nothing can pass below it (height maps,
    /// ramps and bumps) and the point was not below it before. Blocks that collide are left to the physics engine.
    pub(super) fn is_step(&self, p: Vec2, from: Vec2, rule: StepRule) -> bool {
        let (mut is_step, mut has_ground) = (false, false);
        self.for_each_at(p, |surface, height| {
            if matches!(surface.kind, Kind::Block { collides: true, .. }) {
                has_ground |= height <= rule.reach;
            } else if height <= rule.reach {
                has_ground = true;
                is_step |= height > rule.limit;
            } else {
                is_step |= match &surface.kind {
                    Kind::Map(map) => map.height_at(from).is_some_and(|before| before <= rule.limit),
                    Kind::Plane(_) => false,
                    Kind::Block { ground, .. } => ground.is_wedge() && ground.world_from_block.z <= rule.limit,
                };
            }
        });
        is_step || (!has_ground && rule.limit < 0.0)
    }
}

#[cfg(test)]
mod tests;
