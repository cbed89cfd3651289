//! Many rays at once, for casters to which a single ray is not worth its way: a graphics processor.
//!
//! A [`BatchCaster`] finds which triangle each ray meets first. Range, normal and weights follow from that triangle here, in f64, by the
//! computation for rays that are cast one by one, so that both ways agree, but for rays that pass an edge within the rounding of f32.

use std::fmt::Debug;
use std::ops::Range;

use super::tree::{LEAF, LEAF_WIDTH, Leaf, Node, UNUSED, WIDTH};
use super::{Hit, Instance, Model, PACKET, Ray, Space, TriangleHit};

/// Words of 32 bits that a node takes in [`Model::append_nodes`].
pub const NODE_WORDS: usize = 7 * WIDTH;
/// Words of 32 bits that a leaf takes in [`Model::append_leaves`].
pub const LEAF_WORDS: usize = 9 * LEAF_WIDTH;

/// A triangle of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleId {
    /// Index of the instance.
    pub instance: u32,
    /// Its place in the tree of the model: four times the index of the leaf, and its place in the leaf.
    pub slot: u32,
}

impl TriangleId {
    /// That of a ray which meets nothing.
    pub const NONE: TriangleId = TriangleId { instance: u32::MAX, slot: u32::MAX };
}

/// Calls its second argument with each ray of a range of indices, in order. Rays whose `far` is below their `near` meet nothing.
pub type EachRay<'a> = dyn Fn(Range<usize>, &mut dyn FnMut(Ray)) + Sync + 'a;

/// Rays to be cast at once.
#[derive(Clone, Copy)]
pub struct BatchRequest<'a> {
    /// How many.
    pub count: usize,
    /// Index of a vehicle that all of them pass through, whatever [`Ray::hidden`] says.
    pub hidden: Option<usize>,
    /// Whether any triangle on the way will do, instead of the nearest.
    pub any: bool,
    /// The rays, all of one looker.
    pub rays: &'a EachRay<'a>,
}

/// Finds what many rays meet, faster than one by one.
pub trait BatchCaster: Debug + Send + Sync {
    /// Writes the triangle that each ray meets to `triangles`, or leaves it empty: then the rays are to be cast one by one. Several threads
    /// may call it at the same time.
    fn find(&self, space: &Space, request: &BatchRequest<'_>, triangles: &mut Vec<TriangleId>);
}

/// What the rays of one look meet, as far as the [batch caster](Space::batch_caster) has found it. The buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    nearest: Vec<TriangleId>,
    /// What is between the sun and where each ray ends.
    in_sun: Vec<TriangleId>,
}

impl Batch {
    /// Finds what `count` rays meet, if the space has a batch caster that takes so many. `hidden` and `rays` are as in [`BatchRequest`].
    #[inline]
    pub fn find(
        &mut self,
        space: &Space,
        count: usize,
        hidden: Option<usize>,
        rays: impl Fn(Range<usize>, &mut dyn FnMut(Ray)) + Sync,
    ) {
        self.in_sun.clear();
        self.nearest.clear();
        if let Some(caster) = &space.batch_caster {
            caster.find(space, &BatchRequest { count, hidden, any: false, rays: &rays }, &mut self.nearest);
        }
    }

    /// Finds which of the same rays end in shadow, after [`find`](Self::find).
    #[inline]
    pub fn find_shadows(&mut self, space: &Space, rays: impl Fn(Range<usize>, &mut dyn FnMut(Ray)) + Sync) {
        let Some(caster) = space.batch_caster.as_ref().filter(|_| space.light.has_shadows) else { return };
        let mut in_sun = std::mem::take(&mut self.in_sun);
        let to_sun = |range: Range<usize>, each: &mut dyn FnMut(Ray)| {
            let mut index = range.start;
            rays(range, &mut |ray| {
                let hit = self.cast(space, index, &ray);
                let ray_to_sun = hit.and_then(|hit| space.way_to_sun(&ray, &hit));
                each(ray_to_sun.unwrap_or(Ray { near: 0.0, far: -1.0, ..ray }));
                index += 1;
            });
        };
        if !self.nearest.is_empty() {
            let request =
                BatchRequest { count: self.nearest.len(), hidden: None, any: !space.has_glass, rays: &to_sun };
            caster.find(space, &request, &mut in_sun);
        }
        self.in_sun = in_sun;
    }

    /// What the ray with this index meets.
    #[inline]
    pub fn cast(&self, space: &Space, index: usize, ray: &Ray) -> Option<Hit> {
        match self.nearest.get(index) {
            None => space.cast(ray),
            Some(&triangle) => space.hit(ray, triangle),
        }
    }

    /// What each of up to [`PACKET`] rays meets, as [`cast`](Self::cast); `index` gives the index of each.
    #[inline]
    pub fn cast_packet(&self, space: &Space, index: impl Fn(usize) -> usize, rays: &[Ray]) -> [Option<Hit>; PACKET] {
        if self.nearest.is_empty() {
            return space.cast_packet(rays);
        }
        std::array::from_fn(|lane| rays.get(lane).and_then(|ray| self.cast(space, index(lane), ray)))
    }

    /// What the cones of the angle `spread` [rad] around each of up to [`PACKET`] rays see, as [`Space::look`]. `index` gives the index of
    /// each ray.
    #[inline]
    pub fn look_packet(
        &self,
        space: &Space,
        index: impl Fn(usize) -> usize,
        rays: &[Ray],
        spread: f64,
    ) -> [([f32; 3], Option<Hit>); PACKET] {
        let hits = self.cast_packet(space, &index, rays);
        let mut is_blocked = [false; PACKET];
        if self.in_sun.is_empty() && space.light.has_shadows {
            let Some(&first_ray) = rays.first() else { return [([0.0; 3], None); PACKET] };
            let (mut rays_to_sun, mut lanes, mut count) = ([first_ray; PACKET], [0; PACKET], 0);
            for (lane, (ray, hit)) in rays.iter().zip(&hits).enumerate() {
                if let Some(ray_to_sun) = hit.and_then(|hit| space.way_to_sun(ray, &hit)) {
                    (rays_to_sun[count], lanes[count]) = (ray_to_sun, lane);
                    count += 1;
                }
            }
            let are_blocked = space.is_packet_blocked(&rays_to_sun[..count]);
            (0..count).for_each(|place| is_blocked[lanes[place]] = are_blocked[place]);
        }
        std::array::from_fn(|lane| {
            let Some(ray) = rays.get(lane) else { return ([0.0; 3], None) };
            let is_blocked = |to_sun: &Ray| match self.in_sun.get(index(lane)) {
                None => is_blocked[lane],
                Some(&triangle) if space.has_glass => space.pass_glass(to_sun, space.hit(to_sun, triangle)).is_some(),
                Some(&triangle) => triangle != TriangleId::NONE,
            };
            space.see(ray, spread, hits[lane], is_blocked)
        })
    }
}

impl Space {
    /// The hit of a ray on a triangle that a batch caster has found.
    fn hit(&self, ray: &Ray, triangle: TriangleId) -> Option<Hit> {
        /// How far beyond an edge a hit may be, as a weight: more than the rounding of f32.
        const BEYOND: f64 = 1e-3;
        if triangle == TriangleId::NONE {
            return None;
        }
        let leaf = triangle.slot / LEAF_WIDTH as u32;
        let instance = self.instances.get(triangle.instance as usize);
        let is_there = |instance: &&Instance| (leaf as usize) < instance.model.tree.leaves.len();
        let hit = instance
            .filter(is_there)
            .map(|instance| instance.hit(ray, &TriangleHit { instance: triangle.instance, slot: triangle.slot }));
        // A triangle seen edge-on, or one that is not on the way: no driver is trusted.
        let is_met = |hit: &Hit| {
            let [second, third] = self.instance(hit).weights(ray, hit);
            (1.0 - second - third).min(second).min(third) >= -BEYOND
        };
        let hit = hit.filter(is_met).or_else(|| self.nearest(ray));
        self.pass_holes(ray, hit)
    }

    /// Everything in it, by the index of [`TriangleId::instance`].
    #[inline]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Appends the nodes of the tree over the instances, as [`Model::append_nodes`]; leaves are instances. The boxes are relative to
    /// [`origin`](Self::origin).
    pub fn append_top_nodes(&self, words: &mut Vec<u32>) {
        self.top.nodes.iter().for_each(|node| append_node(node, words));
    }

    /// Origin of the boxes of the upper tree [m].
    #[inline]
    pub fn origin(&self) -> skidpad_math::Vec3 {
        self.origin
    }
}

impl Model {
    /// Numbers of nodes and leaves of its tree.
    pub fn tree_size(&self) -> [usize; 2] {
        [self.tree.nodes.len(), self.tree.leaves.len()]
    }

    /// Appends the nodes of its tree, [`NODE_WORDS`] each: the bits of eight lower and eight upper limits of x, y and z
    /// [m] (f32), then eight children: the index of a node, that of a leaf with the highest bit set, or all bits for
    /// none.
    pub fn append_nodes(&self, words: &mut Vec<u32>) {
        self.tree.nodes.iter().for_each(|node| append_node(node, words));
    }

    /// Appends the leaves of its tree, [`LEAF_WORDS`] each: for each corner of the triangles the bits of four x, four y
    /// and four z [m] (f32). Triangles that do not exist have no area.
    pub fn append_leaves(&self, words: &mut Vec<u32>) {
        self.tree.leaves.iter().for_each(|leaf| append_leaf(leaf, words));
    }
}

fn append_node(node: &Node, words: &mut Vec<u32>) {
    let [lower, upper] = &node.bounds;
    for (low, high) in lower.iter().zip(upper) {
        for side in [low, high] {
            // Boxes without a child are at infinity, which not every processor of graphics knows.
            words.extend(side.as_array().map(|limit| if limit.is_finite() { limit.to_bits() } else { 0 }));
        }
    }
    words.extend(node.children);
}

fn append_leaf(leaf: &Leaf, words: &mut Vec<u32>) {
    for corner in &leaf.corners {
        for (axis, all) in corner.iter().enumerate() {
            let first = leaf.corners[0][axis].as_array()[0];
            let all = all.as_array();
            let is_used = |place: usize| leaf.triangles[place] != UNUSED;
            words.extend((0..LEAF_WIDTH).map(|place| if is_used(place) { all[place] } else { first }.to_bits()));
        }
    }
}

/// Marks a child that is a leaf, in the words of a node.
pub const LEAF_BIT: u32 = LEAF;
