//! The kernels: a ray through a tree of boxes, and against the triangles of a leaf.
//!
//! Boxes are tested by slabs, with the far side a little beyond its rounding error, so that no box that a ray touches is missed
//! (T. Ize 2013, "Robust BVH ray traversal"). Triangles are tested in a frame sheared along the ray, in which neighbours compute
//! the same edge, so that no ray passes between them (S. Woop, C. Benthin and I. Wald 2013, "Watertight ray/triangle intersection").

use wide::{f32x4, f32x8};

use super::tree::{LEAF, LEAF_WIDTH, Leaf, MOST_LEVELS, Node, WIDTH};

/// Deepest stack of a walk: seven siblings a level, of [a tree](MOST_LEVELS) and six levels over 8⁶ instances.
const STACK: usize = 128;
const _: () = assert!(7 * (MOST_LEVELS + 6) <= STACK);
/// One, and a little more than the largest relative error of a slab test in f32.
const ROBUST: f32 = 1.000_000_8;

/// A ray in the frame of a tree, in f32; each number eight times.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideRay {
    origin: [f32x8; 3],
    /// One over each component of the direction; large for 0, never infinite.
    inverse: [f32x8; 3],
    /// For each component, whether it is negative.
    is_backward: [bool; 3],
    /// The axis along which the ray is longest last, and the two others before it.
    axes: [usize; 3],
    /// x and y that a point is sheared by for each unit of z, and the scale of z.
    shear: [f32x4; 3],
    /// The origin, for triangles.
    start: [f32x4; 3],
    near: f32,
}

impl WideRay {
    /// A ray from `origin` along `direction`, a unit vector, that hits nothing before the distance `near`.
    #[inline(always)]
    pub(super) fn new(origin: [f32; 3], direction: [f32; 3], near: f32) -> WideRay {
        const LEAST: f32 = 1e-30;
        let size = direction.map(f32::abs);
        let z = if size[0] > size[1] && size[0] > size[2] {
            0
        } else if size[1] > size[2] {
            1
        } else {
            2
        };
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        let scale = 1.0 / direction[z];
        let inverse = direction.map(|d| 1.0 / if d.abs() < LEAST { LEAST.copysign(d) } else { d });
        WideRay {
            origin: origin.map(f32x8::splat),
            inverse: inverse.map(f32x8::splat),
            is_backward: inverse.map(|i| i < 0.0),
            axes: [x, y, z],
            shear: [direction[x] * scale, direction[y] * scale, scale].map(f32x4::splat),
            start: origin.map(f32x4::splat),
            near,
        }
    }
}

/// What is still to be visited.
pub(super) struct Stack {
    entries: [Entry; STACK],
    depth: usize,
}

/// A child, in the lower half, and the bits of where the ray enters it, in the upper half: of numbers ≥ 0 they have the order of the
/// numbers.
type Entry = u64;

fn entry(enter: f32, child: u32) -> Entry {
    u64::from(enter.to_bits()) << 32 | u64::from(child)
}

impl Stack {
    #[inline(always)]
    pub(super) fn new() -> Stack {
        Stack { entries: [0; STACK], depth: 0 }
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.entries[self.depth % STACK] = entry;
        self.depth += 1;
    }

    /// Moves the entry on top down to its place among those from `first` on, the nearest on top.
    #[inline(always)]
    fn sort_in(&mut self, first: usize) {
        let mut at = self.depth - 1;
        let entry = self.entries[at % STACK];
        while at > first && self.entries[(at - 1) % STACK] < entry {
            self.entries[at % STACK] = self.entries[(at - 1) % STACK];
            at -= 1;
        }
        self.entries[at % STACK] = entry;
    }
}

/// Walks the tree from node 0 to the distance `far`, near boxes first. `leaf` gets the index of each leaf that the ray may hit, and
/// returns the distance beyond which nothing counts any more.
#[inline(always)]
pub(super) fn walk(
    nodes: &[Node],
    ray: &WideRay,
    far: f32,
    stack: &mut Stack,
    mut leaf: impl FnMut(u32, &mut Stack) -> f32,
) {
    let base = stack.depth;
    let (mut far, mut next) = (far, 0);
    loop {
        if next & LEAF != 0 {
            far = leaf(next & !LEAF, stack);
        } else if let Some(node) = nodes.get(next as usize) {
            let (enter, mut hit) = boxes(node, ray, far);
            let enter = enter.as_array();
            let child = |place: usize| entry(enter[place % WIDTH], node.children[place % WIDTH]);
            if hit != 0 {
                let one = child(take_lowest(&mut hit));
                if hit == 0 {
                    next = one as u32;
                    continue;
                }
                let (other, first) = (child(take_lowest(&mut hit)), stack.depth);
                stack.push(one.max(other));
                if hit == 0 {
                    next = one.min(other) as u32;
                    continue;
                }
                stack.push(one.min(other));
                while hit != 0 {
                    stack.push(child(take_lowest(&mut hit)));
                    stack.sort_in(first);
                }
            }
        }
        let most = f32::max(far, 0.0).to_bits();
        loop {
            if stack.depth == base {
                return;
            }
            stack.depth -= 1;
            let entry = stack.entries[stack.depth % STACK];
            if (entry >> 32) as u32 <= most && far >= 0.0 {
                next = entry as u32;
                break;
            }
        }
    }
}

/// Clears the lowest bit of a mask that has one, and returns its place.
#[inline(always)]
fn take_lowest(mask: &mut u32) -> usize {
    let place = mask.trailing_zeros();
    *mask &= *mask - 1;
    place as usize
}

/// Where the ray enters each box, and a bit for each box that it enters before `far`.
#[inline(always)]
fn boxes(node: &Node, ray: &WideRay, far: f32) -> (f32x8, u32) {
    let (mut enter, mut leave) = (f32x8::splat(ray.near), f32x8::splat(far));
    for axis in 0..3 {
        let from = usize::from(ray.is_backward[axis]);
        let distance = |side: usize| (node.bounds[side][axis] - ray.origin[axis]) * ray.inverse[axis];
        enter = enter.fast_max(distance(from));
        leave = leave.fast_min(distance(1 - from));
    }
    (enter, enter.simd_le(leave * f32x8::splat(ROBUST)).to_bitmask())
}

/// The nearest triangle of a leaf that the ray hits before `far`: its place in the leaf, and the distance.
#[inline(always)]
pub(super) fn nearest(leaf: &Leaf, ray: &WideRay, far: f32) -> Option<(usize, f32)> {
    let (a, b, c) = (shear(&leaf.corners[0], ray), shear(&leaf.corners[1], ray), shear(&leaf.corners[2], ray));
    let (u, v, w) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
    let zero = f32x4::splat(0.0);
    let inside =
        (u.simd_ge(zero) & v.simd_ge(zero) & w.simd_ge(zero)) | (u.simd_le(zero) & v.simd_le(zero) & w.simd_le(zero));
    if inside.to_bitmask() == 0 {
        return None;
    }
    let distance = (u * a[2] + v * b[2] + w * c[2]) / (u + v + w);
    // A comparison with NaN is false: triangles seen edge-on, and unused places.
    let mut hit =
        (inside & distance.simd_gt(f32x4::splat(ray.near)) & distance.simd_lt(f32x4::splat(far))).to_bitmask();
    let mut best = None;
    while hit != 0 {
        let place = hit.trailing_zeros() as usize % LEAF_WIDTH;
        hit &= hit - 1;
        let t = distance.as_array()[place];
        if best.is_none_or(|(_, nearest)| t < nearest) {
            best = Some((place, t));
        }
    }
    best
}

/// Corners in a frame whose z axis runs along the ray: x, y, and the distance along the ray.
#[inline(always)]
fn shear(corner: &[f32x4; 3], ray: &WideRay) -> [f32x4; 3] {
    let [x, y, z] = ray.axes;
    let depth = corner[z] - ray.start[z];
    [
        (corner[x] - ray.start[x]) - ray.shear[0] * depth,
        (corner[y] - ray.start[y]) - ray.shear[1] * depth,
        ray.shear[2] * depth,
    ]
}

/// Twice the area of the triangle of the ray and an edge.
#[inline(always)]
fn edge(p: &[f32x4; 3], q: &[f32x4; 3]) -> f32x4 {
    p[0] * q[1] - p[1] * q[0]
}
