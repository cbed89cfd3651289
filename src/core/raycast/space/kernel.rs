//! The kernels: a ray through a tree of boxes, and against the triangles of a leaf.
//!
//! Boxes are tested by slabs, with the far side a little beyond its rounding error, so that no box that a ray touches is missed
//! (T. Ize 2013, "Robust BVH ray traversal"). Triangles are tested in a frame sheared along the ray, in which neighbours compute
//! the same edge, so that no ray passes between them (S. Woop, C. Benthin and I. Wald 2013, "Watertight ray/triangle intersection").

use super::tree::{LEAF, Leaf, NONE, Node, WIDTH};

/// Deepest stack of a walk: seven siblings a level.
const STACK: usize = 256;
/// Twice the largest relative error of a slab test in f32, and one.
const ROBUST: f32 = 1.000_000_8;

/// A ray in the frame of a tree, in f32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray32 {
    origin: [f32; 3],
    /// One over each component of the direction; large for 0, never infinite.
    inverse: [f32; 3],
    /// The axis along which the ray is longest, and the two others.
    axes: [usize; 3],
    /// x and y that a point is sheared by for each unit of z, and the scale of z.
    shear: [f32; 3],
    /// Nearest and farthest distance that counts, in lengths of the direction.
    pub(super) near: f32,
    pub(super) far: f32,
}

impl Ray32 {
    /// A ray from `origin` along `direction`, of any length but 0, between two distances in lengths of the direction.
    #[inline(always)]
    pub(super) fn new(origin: [f32; 3], direction: [f32; 3], near: f32, far: f32) -> Ray32 {
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
        Ray32 {
            origin,
            inverse: direction.map(|d| 1.0 / if d.abs() < LEAST { LEAST.copysign(d) } else { d }),
            axes: [x, y, z],
            shear: [direction[x] * scale, direction[y] * scale, scale],
            near,
            far,
        }
    }
}

/// Walks the tree from node 0, near boxes first. `leaf` gets the index of each leaf that the ray may hit, and returns the
/// distance beyond which nothing counts any more.
#[inline(always)]
pub(super) fn walk(nodes: &[Node], ray: &Ray32, mut leaf: impl FnMut(u32) -> f32) {
    if nodes.is_empty() {
        return;
    }
    let mut far = ray.far;
    let mut stack = [(0_u32, 0.0_f32); STACK];
    let mut depth = 1;
    stack[0] = (0, ray.near);
    while depth > 0 {
        depth -= 1;
        let (index, distance) = stack[depth];
        if distance > far {
            continue;
        }
        if index & LEAF != 0 {
            far = leaf(index & !LEAF);
            continue;
        }
        let Some(node) = nodes.get(index as usize) else { continue };
        let (enter, mut hit) = boxes(node, ray, far);
        let first = depth;
        while hit != 0 && depth < STACK {
            let place = hit.trailing_zeros() as usize;
            hit &= hit - 1;
            let entry = (node.children[place % WIDTH], enter[place % WIDTH]);
            // Sorted with the nearest on top.
            let mut at = depth;
            while at > first && stack[at - 1].1 < entry.1 {
                stack[at] = stack[at - 1];
                at -= 1;
            }
            stack[at] = entry;
            depth += 1;
        }
    }
}

/// Where the ray enters each box, and a bit for each box that it enters before `far`.
#[inline(always)]
fn boxes(node: &Node, ray: &Ray32, far: f32) -> ([f32; WIDTH], u32) {
    let mut enter = [ray.near; WIDTH];
    let mut leave = [far; WIDTH];
    for axis in 0..3 {
        let (origin, inverse) = (ray.origin[axis], ray.inverse[axis]);
        let (near, far) = if inverse < 0.0 { (&node.max, &node.min) } else { (&node.min, &node.max) };
        for i in 0..WIDTH {
            let (a, b) = ((near[axis][i] - origin) * inverse, (far[axis][i] - origin) * inverse);
            enter[i] = if a > enter[i] { a } else { enter[i] };
            leave[i] = if b < leave[i] { b } else { leave[i] };
        }
    }
    let mut hit = 0;
    for i in 0..WIDTH {
        hit |= u32::from(enter[i] <= leave[i] * ROBUST && node.children[i] != NONE) << i;
    }
    (enter, hit)
}

/// The nearest triangle of a leaf that the ray hits before `far`: its place in the leaf and the distance, in lengths of the direction.
#[inline(always)]
pub(super) fn nearest(leaf: &Leaf, ray: &Ray32, far: f32) -> Option<(usize, f32)> {
    let [x, y, z] = ray.axes;
    let [shear_x, shear_y, scale] = ray.shear;
    let mut sheared = [[[0.0_f32; WIDTH]; 3]; 3];
    for (corner, to) in leaf.corners.iter().zip(&mut sheared) {
        for i in 0..WIDTH {
            let depth = corner[z][i] - ray.origin[z];
            to[0][i] = (corner[x][i] - ray.origin[x]) - shear_x * depth;
            to[1][i] = (corner[y][i] - ray.origin[y]) - shear_y * depth;
            to[2][i] = scale * depth;
        }
    }
    let [a, b, c] = &sheared;
    let mut distance = [f32::INFINITY; WIDTH];
    for i in 0..WIDTH {
        let u = c[0][i] * b[1][i] - c[1][i] * b[0][i];
        let v = a[0][i] * c[1][i] - a[1][i] * c[0][i];
        let w = b[0][i] * a[1][i] - b[1][i] * a[0][i];
        let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
        let sum = u + v + w;
        let t = (u * a[2][i] + v * b[2][i] + w * c[2][i]) / sum;
        // A comparison with NaN is false: triangles seen edge-on, and unused places.
        distance[i] = if inside && t > ray.near && t < far { t } else { f32::INFINITY };
    }
    let mut best = (0, f32::INFINITY);
    for (i, &t) in distance.iter().enumerate() {
        if t < best.1 {
            best = (i, t);
        }
    }
    (best.1 < f32::INFINITY).then_some(best)
}
