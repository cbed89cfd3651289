//! What is known about where rays end, in f64: of one ray, and of those of a packet eight times in one loop without branches, which
//! compiles to vector instructions.
#![allow(
    clippy::needless_range_loop,
    reason = "rays are counted through many arrays at once, so that loops become vector instructions"
)]

use skidpad_math::Vec3;

use super::bundle::{HitsOfEight, WorldRays};
use super::lanes::{LANES, Lanes};
use super::tree::LEAF_WIDTH;
use super::{Hit, Instance, Ray, Space, TriangleHit};

impl Instance {
    /// Computes everything about a hit in f64.
    #[inline(always)]
    pub(super) fn hit(&self, ray: &Ray, triangle: &TriangleHit) -> Hit {
        let (leaf, place) = (triangle.slot as usize / LEAF_WIDTH, triangle.slot as usize % LEAF_WIDTH);
        let leaf = &self.model.tree.leaves[leaf];
        let [a, b, c] = leaf.triangle(place);
        let (origin, direction) = self.local(ray);
        let normal = (b - a).cross(&(c - a));
        // The triangle is not seen edge-on: the kernel found a distance.
        let facing = normal.dot(&direction);
        let range = normal.dot(&(a - origin)) / facing;
        let unit = self.world_from_model * normal / normal.norm();
        Hit {
            range: range.clamp(ray.near, ray.far),
            normal: if facing > 0.0 { -unit } else { unit },
            instance: triangle.instance,
            triangle: leaf.triangles[place],
            slot: triangle.slot,
        }
    }

    /// Weights of the second and third corner of the triangle that a ray has hit, there [-]; that of the first is the rest to one.
    pub(super) fn weights(&self, ray: &Ray, hit: &Hit) -> [f64; 2] {
        let (leaf, place) = (hit.slot as usize / LEAF_WIDTH, hit.slot as usize % LEAF_WIDTH);
        let [a, b, c] = self.model.tree.leaves[leaf].triangle(place);
        let (origin, direction) = self.local(ray);
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(&ac);
        let at = origin + hit.range * direction - a;
        let area = normal.norm_squared();
        [at.cross(&ac).dot(&normal) / area, ab.cross(&at).dot(&normal) / area]
    }
}

/// A number of each ray.
type Each = [f64; LANES];

/// The numbers of vectors, one after the other.
type Vectors = [Each; 3];

/// Everything about the hits of these rays.
#[inline(always)]
pub(super) fn hit_each<V: Lanes>(space: &Space, world: &WorldRays<'_>, nearest: &HitsOfEight) -> [Option<Hit>; LANES] {
    let mut hits = [None; LANES];
    let mut triangles = [0; LANES];
    let mut corners = [[V::splat(0.0); 3]; 3];
    let zero: Vectors = [[0.0; LANES]; 3];
    let (mut rotation, mut position) = ([zero; 3], zero);
    // Neighbours mostly end on one triangle: each takes what the one before it has, but for what is another.
    let (mut filled, mut turned) = (None, None);
    for lane in 0..LANES {
        let Some(triangle) = nearest.get(lane) else { continue };
        let instance = &space.instances[triangle.instance as usize];
        let (leaf, place) = (triangle.slot as usize / LEAF_WIDTH, triangle.slot as usize % LEAF_WIDTH);
        if filled != Some((triangle.instance, triangle.slot)) {
            let leaf = &instance.model.tree.leaves[leaf];
            let from_here = V::mask(u32::MAX << lane);
            triangles[lane..].fill(leaf.triangles[place]);
            for axis in 0..3 {
                for corner in 0..3 {
                    let number = V::splat(leaf.corners[corner][axis].as_array()[place]);
                    corners[corner][axis] = from_here.select(number, corners[corner][axis]);
                }
            }
            filled = Some((triangle.instance, triangle.slot));
        }
        if turned.is_none() {
            for axis in 0..3 {
                position[axis] = [instance.position[axis]; LANES];
                for row in 0..3 {
                    rotation[row][axis] = [instance.rows[row][axis]; LANES];
                }
            }
        } else if turned != Some(triangle.instance) {
            for axis in 0..3 {
                position[axis][lane..].fill(instance.position[axis]);
                for row in 0..3 {
                    rotation[row][axis][lane..].fill(instance.rows[row][axis]);
                }
            }
        }
        turned = Some(triangle.instance);
    }
    let mut numbers = [[[0.0; LANES]; 3]; 3];
    for corner in 0..3 {
        for axis in 0..3 {
            numbers[corner][axis] = corners[corner][axis].to_array();
        }
    }
    let WorldRays { origin, direction, near, far, .. } = world;
    let (mut range, mut normal) = ([0.0; LANES], zero);
    for lane in 0..LANES {
        let of = |vectors: &Vectors| [vectors[0][lane], vectors[1][lane], vectors[2][lane]];
        let rows = [of(&rotation[0]), of(&rotation[1]), of(&rotation[2])];
        let corner = |[x, y, z]: &[[f32; LANES]; 3]| [f64::from(x[lane]), f64::from(y[lane]), f64::from(z[lane])];
        let [a, b, c] = [corner(&numbers[0]), corner(&numbers[1]), corner(&numbers[2])];
        let origin = turn_back(&rows, minus(of(origin), of(&position)));
        let direction = turn_back(&rows, of(direction));
        let across = cross(minus(b, a), minus(c, a));
        let facing = dot(across, direction);
        let length = dot(across, minus(a, origin)) / facing;
        let (from, to) = (near[lane], far[lane]);
        let length = if length < from { from } else { length };
        range[lane] = if length > to { to } else { length };
        let length = dot(across, across).sqrt();
        let root = if facing > 0.0 { -length } else { length };
        for axis in 0..3 {
            normal[axis][lane] = dot(rows[axis], across) / root;
        }
    }
    for lane in 0..LANES {
        let Some(triangle) = nearest.get(lane) else { continue };
        hits[lane] = Some(Hit {
            range: range[lane],
            normal: Vec3::new(normal[0][lane], normal[1][lane], normal[2][lane]),
            instance: triangle.instance,
            triangle: triangles[lane],
            slot: triangle.slot,
        });
    }
    hits
}

#[inline(always)]
fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A vector turned by the transposed matrix of these rows.
#[inline(always)]
fn turn_back(rows: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    [
        rows[0][0] * v[0] + rows[1][0] * v[1] + rows[2][0] * v[2],
        rows[0][1] * v[0] + rows[1][1] * v[1] + rows[2][1] * v[2],
        rows[0][2] * v[0] + rows[1][2] * v[1] + rows[2][2] * v[2],
    ]
}
