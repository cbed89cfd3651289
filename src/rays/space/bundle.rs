//! Eight rays at once, as numbers of which each kernel takes its registers, and what they have met.
#![allow(
    clippy::needless_range_loop,
    reason = "rays are counted through many arrays at once, so that loops become vector instructions"
)]

use super::kernel::Course;
use super::lanes::{LANES, Lanes};
use super::{Instance, Nearest, Ray, TriangleHit};

/// A number of each ray.
pub(super) type Each<T> = [T; LANES];

/// No index, of a node or an instance.
pub(super) const NONE: u32 = u32::MAX;

/// What distinguishes kinds of rays: six properties, each with a bit for each ray.
pub(super) type Kinds = [u32; 6];

/// Where rays begin to search an instance; `E` is a distance of one ray or of each.
#[derive(Clone, Copy)]
pub(super) struct SearchStart<E> {
    /// Index of the instance.
    pub index: u32,
    /// Distance along the ray at which it enters the box of the instance [m].
    pub enter: E,
    /// Index of the node of the instance's tree below which triangles are searched.
    pub node: u32,
}

/// Up to eight rays of the world.
pub(super) struct WorldRays<'a> {
    /// Those from `count` on are fillers.
    pub rays: &'a [Ray; LANES],
    pub count: usize,
    pub origin: [Each<f64>; 3],
    pub direction: [Each<f64>; 3],
    pub near: Each<f64>,
    pub far: Each<f64>,
}

impl WorldRays<'_> {
    /// The first `count` of these; the others are fillers with their looker.
    #[inline(always)]
    pub(super) fn new(rays: &[Ray; LANES], count: usize) -> WorldRays<'_> {
        let zero = [0.0; LANES];
        let mut world = WorldRays { rays, count, origin: [zero; 3], direction: [zero; 3], near: zero, far: zero };
        for lane in 0..LANES {
            let ray = &rays[lane];
            for axis in 0..3 {
                (world.origin[axis][lane], world.direction[axis][lane]) = (ray.origin[axis], ray.direction[axis]);
            }
            (world.near[lane], world.far[lane]) = (ray.near, ray.far);
        }
        world
    }
}

/// Rays of the world that enter the box of an instance.
#[derive(Clone, Copy)]
pub(super) struct EnteringRays<'a> {
    pub world: &'a WorldRays<'a>,
    /// Distance from which each ray is followed [m].
    pub near: &'a Each<f32>,
    /// A bit for each ray that enters.
    pub lanes: u32,
}

/// Rays of a bundle that are walked one by one.
#[derive(Clone, Copy)]
pub(super) struct LoneRays<'a, V> {
    /// All rays, in the frame of the tree that is walked.
    pub bundle: &'a Bundle<V>,
    /// Distance from which each ray is followed [m].
    pub near: &'a Each<f32>,
    /// A bit for each ray that is walked.
    pub lanes: u32,
}

/// Rays in the frame of a tree, in f32.
pub(super) struct Bundle<V> {
    pub origin: [V; 3],
    pub direction: [V; 3],
}

impl<V: Lanes> Bundle<V> {
    /// What distinguishes the kinds of rays, of which a packet has one: a bit for each ray, of each sign of its direction, of the choice of the
    /// axis along which it is longest, and of whether its numbers are finite: limits of others are none.
    #[inline(always)]
    pub(super) fn kinds(&self, near: V) -> Kinds {
        let [x, y, z] = self.direction;
        let zero = V::splat(0.0);
        let mut nothing = near * zero;
        for axis in 0..3 {
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            nothing = nothing + origin * zero + direction * zero;
        }
        let (long_x, long_y, long_z) = (x.max(zero - x), y.max(zero - y), z.max(zero - z));
        // As `Axes::of`. The bits of numbers are their signs.
        let is_x = long_x.gt(long_y).and(long_x.gt(long_z));
        [x.bits(), y.bits(), z.bits(), is_x.bits(), long_y.gt(long_z).bits(), nothing.ge(zero).bits()]
    }

    /// What one ray shares with others of its direction.
    #[inline(always)]
    pub(super) fn course(&self, lane: usize, near: f32) -> Course<V> {
        Course::new(of_lane(&self.direction, lane), near)
    }
}

/// The numbers of one ray.
#[inline(always)]
pub(super) fn of_lane<V: Lanes>([x, y, z]: &[V; 3], lane: usize) -> [f32; 3] {
    [x.to_array()[lane], y.to_array()[lane], z.to_array()[lane]]
}

impl Instance {
    /// Rays of the world in the frame of the model, as [`Instance::local`].
    #[inline(always)]
    pub(super) fn bundle<V: Lanes>(&self, world: &WorldRays<'_>) -> Bundle<V> {
        let mut local = Bundle { origin: [V::splat(0.0); 3], direction: [V::splat(0.0); 3] };
        let [x, y, z] = &world.origin;
        let [along_x, along_y, along_z] = &world.direction;
        if !self.is_turned {
            for axis in 0..3 {
                let (mut origin, mut direction) = ([0.0; LANES], [0.0; LANES]);
                for lane in 0..LANES {
                    origin[lane] = (world.origin[axis][lane] - self.position[axis]) as f32;
                    direction[lane] = world.direction[axis][lane] as f32;
                }
                (local.origin[axis], local.direction[axis]) = (V::load(&origin), V::load(&direction));
            }
            return local;
        }
        for axis in 0..3 {
            let [a, b, c] = [self.rows[0][axis], self.rows[1][axis], self.rows[2][axis]];
            let (mut origin, mut direction) = ([0.0; LANES], [0.0; LANES]);
            for lane in 0..LANES {
                let from = [x[lane] - self.position[0], y[lane] - self.position[1], z[lane] - self.position[2]];
                origin[lane] = (a * from[0] + b * from[1] + c * from[2]) as f32;
                direction[lane] = (a * along_x[lane] + b * along_y[lane] + c * along_z[lane]) as f32;
            }
            (local.origin[axis], local.direction[axis]) = (V::load(&origin), V::load(&direction));
        }
        local
    }
}

/// Which triangles eight rays meet.
pub(super) struct HitsOfEight {
    /// That of each ray; [`NONE`] for none.
    instance: Each<u32>,
    slot: Each<u32>,
}

impl HitsOfEight {
    /// None.
    pub(super) const NOTHING: HitsOfEight = HitsOfEight { instance: [NONE; LANES], slot: [0; LANES] };

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Option<TriangleHit> {
        let (instance, slot) = (self.instance[lane], self.slot[lane]);
        if instance == NONE { None } else { Some(TriangleHit { instance, slot }) }
    }
}

/// What the rays have met so far.
pub(super) struct SoFar {
    pub far: Each<f32>,
    pub triangles: HitsOfEight,
    pub any: bool,
}

impl SoFar {
    #[inline(always)]
    pub(super) fn of(&self, lane: usize) -> Nearest {
        Nearest { triangle: self.triangles.get(lane), far: self.far[lane] }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, nearest: Nearest) {
        if let Some(TriangleHit { instance, slot }) = nearest.triangle {
            (self.triangles.instance[lane], self.triangles.slot[lane]) = (instance, slot);
        }
        self.far[lane] = nearest.far;
    }

    #[inline(always)]
    pub(super) fn take(&mut self, lane: usize, instance: u32, slot: u32, distance: f32) {
        let mut nearest = self.of(lane);
        nearest.take(instance, slot, distance, self.any);
        self.set(lane, nearest);
    }

    /// As [`take`](Self::take) of all rays to which a triangle is nearer than what they have met.
    #[inline(always)]
    pub(super) fn take_all<V: Lanes>(&mut self, nearer: V, instance: u32, slot: u32, distance: V) {
        nearer.put(instance, &mut self.triangles.instance);
        nearer.put(slot, &mut self.triangles.slot);
        let far = if self.any { V::splat(f32::NEG_INFINITY) } else { distance };
        self.far = nearer.select(far, V::load(&self.far)).to_array();
    }
}
