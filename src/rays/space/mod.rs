//! What sensors see in three dimensions: triangles in a tree of two levels.
//!
//! A [`Model`] is a tree of triangles in a frame of its own. An [`Instance`] is a model at a pose; the upper level is a tree over
//! the boxes of the instances. What stands still is one instance, built once; what moves is placed before sensors look.
//! Rays are walked in f32 near the origin of each frame; the range to the triangle that was hit is computed again in f64, from
//! corners in f32: it is exact to about 10⁻⁷ of the size of the model.

mod appearance;
pub mod batch;
mod bundle;
mod hits;
mod join;
mod kernel;
mod lanes;
mod motion;
mod opacity;
mod packet;
mod refit;
mod sky;
mod texture;
mod top;
mod tree;

use std::sync::Arc;

use nalgebra::Matrix3;
use skidpad_files::mesh::texture::{Alpha, Wrap};
use skidpad_math::{Pose3, Vec3};

pub use self::appearance::Light;
use self::batch::BatchCaster;
use self::bundle::{HitsOfEight, SearchStart, WorldRays};
pub use self::join::{Part, join};
use self::kernel::{Course, Stack, Walk, WideRay};
use self::lanes::Lanes;
pub use self::motion::{Motion, Moving};
pub use self::refit::Keeper;
use self::refit::Reshaped;
pub use self::sky::{ClearSky, Sky};
pub use self::texture::{OnPicture, Texture};
use self::top::{Bounds, Top};
use self::tree::{LEAF_WIDTH, Tree, single};
use super::vectors::vectorized;

/// What casts a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looker {
    /// What measures distances alone: lidars and range finders.
    Lidar,
    /// Cameras, with and without depth.
    Camera,
}

/// Most rays of a packet.
pub const PACKET: usize = lanes::LANES;

/// Which of them see an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeenBy {
    /// All.
    #[default]
    All,
    /// Cameras alone: a model that lidars are spared.
    Cameras,
    /// Lidars and range finders alone: the plain shape of a body with such a model.
    Lidars,
}

impl SeenBy {
    /// The names in world files, where what lidars alone see follows from what cameras alone see.
    pub const NAMES: &[(&str, SeenBy)] = &[("all", SeenBy::All), ("cameras", SeenBy::Cameras)];

    /// Whether this looker is one of them.
    #[inline]
    pub fn includes(self, looker: Looker) -> bool {
        match self {
            SeenBy::All => true,
            SeenBy::Cameras => looker == Looker::Camera,
            SeenBy::Lidars => looker == Looker::Lidar,
        }
    }
}

/// A ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, in the world [m].
    pub origin: Vec3,
    /// Unit vector along it, in the world [-].
    pub direction: Vec3,
    /// Nothing nearer is hit [m], ≥ 0.
    pub near: f64,
    /// Nothing farther is hit [m].
    pub far: f64,
    /// Index of a vehicle that it passes through.
    pub hidden: Option<usize>,
    /// What casts it: it passes through what this does not see.
    pub looker: Looker,
}

impl Ray {
    /// Where the rays of sensors start [m]: a sensor that is flush with a surface does not meet it by the rounding of large models.
    pub const START: f64 = 1e-4;

    /// A ray that meets nothing: a place for another one.
    pub const NOWHERE: Ray = Ray {
        origin: Vec3::new(0.0, 0.0, 0.0),
        direction: Vec3::new(1.0, 0.0, 0.0),
        near: 0.0,
        far: -1.0,
        hidden: None,
        looker: Looker::Lidar,
    };
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the origin of the ray [m].
    pub range: f64,
    /// Unit normal of the triangle in the world [-], towards the ray's origin.
    pub normal: Vec3,
    /// Index of the instance.
    pub instance: u32,
    /// Index of the triangle in its model.
    pub triangle: u32,
    /// Its place, as that of [`TriangleHit`].
    slot: u32,
}

/// The look of a triangle, and what it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Red, green, blue, 0 to 1, as in files (sRGB).
    pub color: [f32; 3],
    /// Share of the light that it keeps back [-], 0 to 1; less than 1: glass.
    pub opacity: f32,
    /// The picture on it, if it has one.
    pub picture: Option<SurfacePicture>,
    /// Whether light and shadow fall on it.
    pub is_lit: bool,
    /// What it belongs to, for points and pixels: number of the class, and of the body; 0 0: nothing.
    pub label: [u16; 2],
}

impl Default for Surface {
    /// Black, opaque, unlit, and part of nothing.
    fn default() -> Surface {
        Surface { color: [0.0; 3], opacity: 1.0, picture: None, is_lit: false, label: [0; 2] }
    }
}

/// A picture on a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfacePicture {
    /// Its index in [`Space::textures`].
    pub texture: u32,
    /// What is beyond its edges, to the right and upwards.
    pub wrap: [Wrap; 2],
    /// Whether it has the colours of the triangle's corners, as a filter.
    pub is_tinted: bool,
    /// What its opacity means.
    pub alpha: Alpha,
}

/// Whether a surface of this opacity [-] is glass to sensors that know one return: more than half of the light passes it.
#[inline]
pub fn is_clear(opacity: f32) -> bool {
    opacity < 0.5
}

impl Hit {
    /// A distance on the ray [m] just behind the surface, above the rounding of large models.
    #[inline]
    pub fn behind(&self) -> f64 {
        self.range + 1e-4 + 1e-6 * self.range
    }
}

/// Triangles and what is known about each of them.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Shared by the models that differ in their looks alone.
    tree: Arc<Tree>,
    /// The surface of each triangle, as an index into the surfaces of the instance; empty: all have the first.
    pub surfaces: Vec<u32>,
    /// Where each triangle is on a picture; empty: nowhere.
    pub on_picture: Vec<OnPicture>,
    /// Colours of the three corners of each triangle instead of the surface's; empty: none.
    pub colors: Vec<[[u8; 3]; 3]>,
    /// What it is called while its triangles [move](Space::reshape), and how often they have.
    reshaped: Option<Reshaped>,
}

impl Model {
    /// A model of triangles [m], given by three corners each, with one surface.
    pub fn new(corners: &[Vec3]) -> Model {
        Model::default().with_triangles(corners)
    }

    /// The same with these triangles [m].
    pub fn with_triangles(mut self, corners: &[Vec3]) -> Model {
        self.tree = Arc::new(Tree::new(corners));
        self
    }

    /// Number of triangles.
    #[inline]
    pub fn triangles(&self) -> usize {
        self.tree.triangle_count()
    }

    /// A number that only models of the same triangles have, as long as its [`keeper`](Self::keeper) is there: where they are in memory. A model
    /// whose triangles move within it keeps it.
    pub fn address(&self) -> usize {
        match &self.reshaped {
            Some(reshaped) => reshaped.address(),
            None => Arc::as_ptr(&self.tree).addr(),
        }
    }

    /// A model of the same triangles, not copied, with one surface.
    pub fn without_looks(&self) -> Model {
        Model { tree: Arc::clone(&self.tree), ..Model::default() }
    }
}

/// A model at a pose.
#[derive(Clone, Debug)]
pub struct Instance {
    model: Arc<Model>,
    surfaces: Arc<[Surface]>,
    /// Index of the vehicle that it is a part of.
    vehicle: Option<usize>,
    seen_by: SeenBy,
    world_from_model: Matrix3<f64>,
    /// The rows of that matrix, and a zero each: what a vector of the world is in the model are sums of them.
    rows: [[f64; 4]; 3],
    /// Whether its axes are others than those of the world.
    is_turned: bool,
    position: Vec3,
}

/// Everything that sensors see.
#[derive(Clone, Debug, Default)]
pub struct Space {
    instances: Vec<Instance>,
    boxes: Vec<Bounds>,
    top: Top,
    /// The pictures on surfaces, if cameras see them; none for one that cannot be read.
    pub textures: Vec<Option<Arc<Texture>>>,
    /// The light that falls on surfaces, for cameras.
    pub light: Light,
    /// What cameras see where nothing is.
    pub sky: Sky,
    /// Casts the rays of large batches, if anything does it faster than one by one.
    pub batch_caster: Option<Arc<dyn BatchCaster>>,
    /// Origin of the upper level, near everything [m].
    origin: Vec3,
    /// Whether any surface is not opaque.
    has_glass: bool,
    /// Whether pictures make holes in any surface.
    has_holes: bool,
    /// The indices of what moves while a picture is taken, and how.
    moving: Vec<(u32, Motion)>,
}

impl Space {
    /// An empty space. Everything should be within some kilometres of `origin` [m].
    pub fn new(origin: Vec3) -> Space {
        Space { origin, ..Space::default() }
    }

    /// Adds an instance at `pose` in the world [m, rad]; its box counts from the next [`finish`](Self::finish) on. Returns its index.
    pub fn add(&mut self, model: Arc<Model>, surfaces: Arc<[Surface]>, vehicle: Option<usize>, pose: Pose3) -> usize {
        self.has_holes |= surfaces.iter().any(Surface::can_have_holes);
        self.has_glass |= self.has_holes || surfaces.iter().any(|surface| surface.opacity < 1.0);
        let (world_from_model, position) = (Matrix3::identity(), Vec3::zeros());
        let (seen_by, rows, is_turned) = (SeenBy::All, [[0.0; 4]; 3], false);
        let mut instance = Instance { model, surfaces, vehicle, seen_by, world_from_model, rows, is_turned, position };
        instance.place(pose);
        self.boxes.push(instance.bounds(self.origin));
        self.instances.push(instance);
        self.instances.len() - 1
    }

    /// Lets these alone see an instance.
    pub fn show_to(&mut self, index: usize, seen_by: SeenBy) {
        self.instances[index].seen_by = seen_by;
    }

    /// Places an instance at `pose` in the world [m, rad], as from the next [`finish`](Self::finish) on.
    pub fn place(&mut self, index: usize, pose: Pose3) {
        let instance = &mut self.instances[index];
        instance.place(pose);
        self.boxes[index] = instance.bounds(self.origin);
    }

    /// Takes over what was added and placed.
    pub fn finish(&mut self) {
        self.top.build(&self.boxes);
    }

    /// Number of triangles.
    #[inline]
    pub fn triangles(&self) -> usize {
        let count = |instance: &Instance| instance.model.triangles();
        self.instances.iter().map(count).sum()
    }

    /// The surface that was hit.
    #[inline]
    pub fn surface(&self, hit: &Hit) -> &Surface {
        let instance = &self.instances[hit.instance as usize];
        let index = instance.model.surfaces.get(hit.triangle as usize).copied().unwrap_or(0);
        &instance.surfaces[index as usize]
    }

    /// The instance that was hit.
    #[inline]
    pub fn instance(&self, hit: &Hit) -> &Instance {
        &self.instances[hit.instance as usize]
    }

    /// The model that was hit.
    #[inline]
    pub fn model(&self, hit: &Hit) -> &Model {
        &self.instances[hit.instance as usize].model
    }

    /// What is nearest on the way of a ray, from either side; holes in it are nothing.
    #[inline]
    pub fn cast(&self, ray: &Ray) -> Option<Hit> {
        self.pass_holes(ray, self.nearest(ray))
    }

    /// The nearest triangle on the way of a ray, from either side.
    fn nearest(&self, ray: &Ray) -> Option<Hit> {
        cast(self, ray)
    }

    /// The nearest triangle on the way of each of up to [`PACKET`] rays, as [`cast`](Self::cast) finds it: the same bits, and sooner where
    /// the rays run along each other. All have one looker, and pass through one vehicle.
    #[inline]
    pub fn cast_packet(&self, rays: &[Ray]) -> [Option<Hit>; PACKET] {
        let mut hits = match rays.first_chunk() {
            Some(all) => cast_packet(self, all, PACKET),
            None => filled(rays).map_or([None; PACKET], |all| cast_packet(self, &all, rays.len())),
        };
        if self.has_holes {
            for (ray, hit) in rays.iter().zip(&mut hits) {
                *hit = self.pass_holes(ray, *hit);
            }
        }
        hits
    }

    /// Whether anything is on the way of each of up to [`PACKET`] rays, as [`is_blocked`](Self::is_blocked) finds it.
    pub fn is_packet_blocked(&self, rays: &[Ray]) -> [bool; PACKET] {
        if self.has_glass {
            let nearest = self.cast_packet(rays);
            return std::array::from_fn(|lane| {
                rays.get(lane).is_some_and(|ray| self.pass_glass(ray, nearest[lane]).is_some())
            });
        }
        find_packet(self, rays, true).map(|triangle| triangle.is_some())
    }

    /// Whether anything is on the way of a ray that lets no more than half of the light through.
    #[inline]
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        match self.has_glass {
            true => self.cast_through_glass(ray).is_some(),
            false => find(self, ray, true).is_some(),
        }
    }
}

/// A triangle on the way of a ray.
#[derive(Clone, Copy)]
struct TriangleHit {
    instance: u32,
    /// Its place in the tree of the model: four times the index of the leaf, and its place in the leaf.
    slot: u32,
}

/// What a ray has met so far.
#[derive(Clone, Copy)]
struct Nearest {
    triangle: Option<TriangleHit>,
    /// The distance to it, or that to which the ray is followed.
    far: f32,
}

impl Nearest {
    /// Takes over a triangle in this distance, if it is nearer or, in the same distance, has a smaller number. If any triangle will do
    /// (`any`), none is nearer then.
    #[inline(always)]
    fn take(&mut self, instance: u32, slot: u32, distance: f32, any: bool) {
        let is_first = |triangle: TriangleHit| (instance, slot) < (triangle.instance, triangle.slot);
        if distance < self.far || (distance == self.far && self.triangle.is_some_and(is_first)) {
            self.triangle = Some(TriangleHit { instance, slot });
            self.far = if any { f32::NEG_INFINITY } else { distance };
        }
    }
}

vectorized! {
    /// The nearest triangle, or (`any`) one of them.
    fn find<V>(space: &Space, ray: &Ray, any: bool) -> Option<TriangleHit> {
        find_one::<V>(space, ray, any)
    }
}

vectorized! {
    /// As [`Space::cast`].
    fn cast<V>(space: &Space, ray: &Ray) -> Option<Hit> {
        let triangle = find_one::<V>(space, ray, false)?;
        Some(space.instances[triangle.instance as usize].hit(ray, &triangle))
    }
}

/// As [`find`], on these vector instructions.
#[inline(always)]
fn find_one<V: Lanes>(space: &Space, ray: &Ray, any: bool) -> Option<TriangleHit> {
    let course = Course::<V>::new(single(ray.direction), ray.near as f32);
    let from_origin = WideRay::new(single(ray.origin - space.origin), &course);
    let mut nearest = Nearest { triangle: None, far: ray.far as f32 };
    find_from(space, ray, 0, &from_origin, &mut Stack::new(), &mut nearest, any);
    nearest.triangle
}

/// The nearest triangle of all instances below a node of the upper tree. `from_origin` is the same ray relative to the tree's origin.
#[inline(always)]
fn find_from<V: Lanes>(
    space: &Space,
    ray: &Ray,
    node: u32,
    from_origin: &WideRay<'_, V>,
    stack: &mut Stack,
    nearest: &mut Nearest,
    any: bool,
) {
    let mut instances = Walk::new(stack, node);
    while let Some((index, enter)) = instances.next_leaf(&space.top.nodes, from_origin, nearest.far, stack) {
        // Rays of numbers that are none may enter places of nodes that are empty.
        let Some(instance) = space.instances.get(index as usize) else { continue };
        if instance.is_seen_by(ray) {
            let turned;
            let (origin, course) = if instance.is_turned {
                let (origin, direction) = instance.local(ray);
                turned = Course::new(single(direction), ray.near as f32);
                (origin, &turned)
            } else {
                (ray.origin - instance.position, from_origin.course())
            };
            let start = SearchStart { index, enter, node: 0 };
            V::find_in(instance, start, &WideRay::new(single(origin), course), stack, nearest, any);
        }
    }
}

/// As [`find`] of each of up to [`PACKET`] rays.
fn find_packet(space: &Space, rays: &[Ray], any: bool) -> [Option<TriangleHit>; PACKET] {
    let triangles = match rays.first_chunk() {
        Some(all) => find_each(space, all, PACKET, any),
        None => filled(rays).map_or(HitsOfEight::NOTHING, |all| find_each(space, &all, rays.len(), any)),
    };
    std::array::from_fn(|lane| triangles.get(lane))
}

/// These rays, and the first of them in all places beyond; none if there are none.
fn filled(rays: &[Ray]) -> Option<[Ray; PACKET]> {
    let first = rays.first()?;
    Some(std::array::from_fn(|lane| *rays.get(lane).unwrap_or(first)))
}

vectorized! {
    /// As [`find`] of the first `count` of these rays.
    fn find_each<V>(space: &Space, rays: &[Ray; PACKET], count: usize, any: bool) -> HitsOfEight {
        packet::find_each::<V>(space, &WorldRays::new(rays, count), any)
    }
}

vectorized! {
    /// As [`Space::cast`] of the first `count` of these rays.
    fn cast_packet<V>(space: &Space, rays: &[Ray; PACKET], count: usize) -> [Option<Hit>; PACKET] {
        let world = WorldRays::new(rays, count);
        hits::hit_each::<V>(space, &world, &packet::find_each::<V>(space, &world, false))
    }
}

/// The nearest triangle of an instance from this start on. `local` is the ray in the frame of the instance.
#[inline(always)]
fn find_in<V: Lanes>(
    instance: &Instance,
    SearchStart { index, enter, node }: SearchStart<f32>,
    local: &WideRay<'_, V>,
    stack: &mut Stack,
    nearest: &mut Nearest,
    any: bool,
) {
    let tree = &instance.model.tree;
    let mut leaves = Walk::new(stack, node);
    while let Some((leaf, enter_leaf)) = leaves.next_leaf(&tree.nodes, local, nearest.far, stack) {
        let enter = if enter > enter_leaf { enter } else { enter_leaf };
        let Some(triangles) = tree.leaves.get(leaf as usize) else { continue };
        if let Some((place, distance)) = local.nearest(triangles, enter, nearest.far) {
            nearest.take(index, LEAF_WIDTH as u32 * leaf + place as u32, distance, any);
        }
    }
}

impl Instance {
    /// The triangles of the instance, in its own frame.
    #[inline]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Index of the vehicle that it is a part of.
    #[inline]
    pub fn vehicle(&self) -> Option<usize> {
        self.vehicle
    }

    /// Which lookers see it.
    #[inline]
    pub fn seen_by(&self) -> SeenBy {
        self.seen_by
    }

    /// Its rotation [-] and position [m] in the world.
    #[inline]
    pub fn pose(&self) -> (Matrix3<f64>, Vec3) {
        (self.world_from_model, self.position)
    }

    /// Places it at this pose in the world [m, rad].
    fn place(&mut self, pose: Pose3) {
        self.put(pose.rotation(), pose.position());
    }

    /// Places it in the world with this rotation [-] and position [m].
    fn put(&mut self, rotation: Matrix3<f64>, position: Vec3) {
        (self.world_from_model, self.position) = (rotation, position);
        let m = &self.world_from_model;
        self.rows = [0, 1, 2].map(|row| [m[(row, 0)], m[(row, 1)], m[(row, 2)], 0.0]);
        self.is_turned = *m != Matrix3::identity();
    }

    /// Origin [m] and direction of a ray in the frame of the model.
    #[inline(always)]
    fn local(&self, ray: &Ray) -> (Vec3, Vec3) {
        let [origin, direction] = self.turned([ray.origin - self.position, ray.direction]);
        (origin, direction)
    }

    /// These vectors of the world in the frame of the model.
    #[inline(always)]
    fn turned<const N: usize>(&self, vectors: [Vec3; N]) -> [Vec3; N] {
        vectors.map(|vector| self.turn_back(vector))
    }

    /// A vector of the world in the frame of the model.
    #[inline(always)]
    fn turn_back(&self, v: Vec3) -> Vec3 {
        let [x, y, z] = &self.rows;
        let mut turned = [0.0; 4];
        for axis in 0..4 {
            turned[axis] = x[axis] * v.x + y[axis] * v.y + z[axis] * v.z;
        }
        Vec3::new(turned[0], turned[1], turned[2])
    }

    /// Whether a ray does not pass through it.
    #[inline(always)]
    fn is_seen_by(&self, ray: &Ray) -> bool {
        !(ray.hidden.is_some() && self.vehicle == ray.hidden) && self.seen_by.includes(ray.looker)
    }

    /// The box around it in the world, from `origin` [m].
    fn bounds(&self, origin: Vec3) -> Bounds {
        /// More than the rounding of its corners to f32.
        const MARGIN: f64 = 1e-6;
        let [low, high] = self.model.tree.bounds;
        if low[0] > high[0] {
            return [low, high];
        }
        let [low, high] = [low, high].map(|corner| Vec3::from(corner.map(f64::from)));
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let middle = self.world_from_model * middle + self.position - origin;
        let half = self.world_from_model.abs() * half;
        let margin = (middle.abs() + half).map(|reach| MARGIN * (1.0 + reach));
        [single(middle - half - margin), single(middle + half + margin)]
    }
}

#[cfg(test)]
mod tests;
