//! The kernels for one ray: through a tree of boxes, and against the triangles of a leaf.
//!
//! Boxes are tested by slabs, with the far side a little beyond its rounding error, so that no box that a ray touches is missed
//! (T. Ize 2013, "Robust BVH ray traversal"). Triangles are tested in a frame sheared along the ray, in which neighbours compute
//! the same edge, so that no ray passes between them (S. Woop, C. Benthin and I. Wald 2013, "Watertight ray/triangle intersection").
//!
//! What a ray meets does not depend on the order in which boxes are visited, so that [packets](super::packet) of rays may visit them
//! in another one: no triangle counts as nearer than where the ray enters its boxes (rounding is monotonic, so that a box inside
//! another one is never entered before it), and of several at one distance the first by number is met.

use std::mem::MaybeUninit;

use wide::f32x4;

use super::lanes::Lanes;
use super::tree::{LEAF, LEAF_WIDTH, Leaf, MAX_LEVELS, Node, WIDTH};

/// Deepest stack of a walk: seven siblings a level, of [a tree](MAX_LEVELS) and six levels over 8⁶ instances.
const STACK: usize = 128;
const _: () = assert!(7 * (MAX_LEVELS + 6) <= STACK);
/// One, and a little more than the largest relative error of a slab test in f32.
pub(super) const ROBUST: f32 = 1.000_000_8;

/// One over a component of a direction; large for 0, never infinite.
#[inline(always)]
pub(super) fn invert(component: f32) -> f32 {
    1.0 / if component.abs() < MIN_INVERTED { MIN_INVERTED.copysign(component) } else { component }
}

/// Components that are smaller count as this large.
pub(super) const MIN_INVERTED: f32 = 1e-30;

/// The axis along which a ray is longest last, and the two others before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes([usize; 3]);

impl Axes {
    /// Those of a ray with this direction.
    #[inline(always)]
    pub(super) fn of(direction: [f32; 3]) -> Axes {
        const NEXT: [[usize; 3]; 3] = [[1, 2, 0], [2, 0, 1], [0, 1, 2]];
        let size = direction.map(f32::abs);
        let last = if size[0] > size[1] && size[0] > size[2] {
            0
        } else if size[1] > size[2] {
            1
        } else {
            2
        };
        Axes(NEXT[last])
    }

    /// What there is of each axis, in their order.
    #[inline(always)]
    pub(super) fn sort<T: Copy>(self, of: &[T; 3]) -> [T; 3] {
        let Axes([x, y, z]) = self;
        debug_assert!(x < 3 && y < 3 && z < 3);
        // SAFETY: `Axes::of` makes no others than 0, 1 and 2.
        unsafe { [*of.get_unchecked(x), *of.get_unchecked(y), *of.get_unchecked(z)] }
    }
}

/// A ray in the frame of a tree, in f32.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideRay<'a, V> {
    /// Where it starts, for boxes, each number eight times.
    origin: [V; 3],
    /// The same for triangles, in the order of [`Axes`], each number four times.
    from: [f32x4; 3],
    course: &'a Course<V>,
}

/// What does not depend on where a ray starts: rays into several frames whose axes are the same share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<V> {
    /// Less one over each component of the direction, as [`invert`]: sides of boxes are subtracted from the origin then, which takes an
    /// instruction less, and gives the same bits.
    inverse: [V; 3],
    sides: Sides,
    near: V,
    shear: Shear,
}

/// Which sides of boxes a ray meets first and last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// Where the bounds are in a node, of each axis [bytes].
    near: [usize; 3],
    far: [usize; 3],
}

impl Sides {
    /// Those of a ray whose direction has these negative components.
    #[inline(always)]
    pub(super) fn new(is_backward: [bool; 3]) -> Sides {
        let at = |axis: usize, is_upper: bool| size_of::<[f32; WIDTH]>() * (axis + if is_upper { 3 } else { 0 });
        let [x, y, z] = is_backward;
        Sides { near: [at(0, x), at(1, y), at(2, z)], far: [at(0, !x), at(1, !y), at(2, !z)] }
    }

    /// The sides across this axis that the ray meets first.
    #[inline(always)]
    pub(super) fn near<V: Lanes>(&self, node: &Node, axis: usize) -> V {
        V::load(bounds(node, self.near[axis]))
    }

    /// Those that it meets last.
    #[inline(always)]
    pub(super) fn far<V: Lanes>(&self, node: &Node, axis: usize) -> V {
        V::load(bounds(node, self.far[axis]))
    }

    /// Both of one box.
    #[inline(always)]
    pub(super) fn of_one(&self, node: &Node, axis: usize, place: usize) -> (f32, f32) {
        (bounds(node, self.near[axis])[place % WIDTH], bounds(node, self.far[axis])[place % WIDTH])
    }
}

/// The eight numbers that are so many bytes, of [`Sides`], into the bounds of a node.
#[inline(always)]
fn bounds(node: &Node, offset: usize) -> &[f32; WIDTH] {
    debug_assert!(offset <= size_of_val(&node.bounds) - size_of::<[f32; WIDTH]>() && offset.is_multiple_of(4));
    // SAFETY: `Sides::new` makes no other offsets than those of the six arrays that the bounds consist of.
    unsafe { &*(&raw const node.bounds).byte_add(offset).cast::<[f32; WIDTH]>() }
}

/// The frame along a ray in which the triangles of a leaf are tested; each number four times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shear {
    pub axes: Axes,
    /// x and y that a point is sheared by for each unit of z.
    slopes: [f32x4; 2],
    /// Less the scale of z.
    scale_back: f32x4,
    /// Nothing nearer is hit.
    near: f32x4,
}

impl Shear {
    /// `slopes`: x and y that a point is sheared by for each unit of z, and the scale of z, in the order of the axes.
    #[inline(always)]
    pub(super) fn new(axes: Axes, slopes: [f32; 3], near: f32) -> Shear {
        let [x, y, scale] = slopes;
        Shear {
            axes,
            slopes: [f32x4::splat(x), f32x4::splat(y)],
            scale_back: f32x4::splat(-scale),
            near: f32x4::splat(near),
        }
    }

    /// Corners in that frame, from the origin of the ray: x, y, and less the distance along z, without its scale.
    #[inline(always)]
    fn corners(&self, origin: &[f32x4; 3], corners: &[f32x4; 3]) -> [f32x4; 3] {
        let [x, y, z] = self.axes.sort(corners);
        // With all signs turned, which takes an instruction less each and gives the same products.
        let depth = origin[2] - z;
        [origin[0] - x - self.slopes[0] * depth, origin[1] - y - self.slopes[1] * depth, depth]
    }
}

impl<V: Lanes> Course<V> {
    /// That of rays along `direction`, a unit vector, that hit nothing before the distance `near`.
    #[inline(always)]
    pub(super) fn new(direction: [f32; 3], near: f32) -> Course<V> {
        let axes = Axes::of(direction);
        let [x, y, z] = axes.sort(&direction);
        let scale = 1.0 / z;
        let inverse = [invert(direction[0]), invert(direction[1]), invert(direction[2])];
        Course {
            inverse: [V::splat(-inverse[0]), V::splat(-inverse[1]), V::splat(-inverse[2])],
            sides: Sides::new([inverse[0] < 0.0, inverse[1] < 0.0, inverse[2] < 0.0]),
            near: V::splat(near),
            shear: Shear::new(axes, [x * scale, y * scale, scale], near),
        }
    }
}

impl<'a, V: Lanes> WideRay<'a, V> {
    /// A ray from `origin`.
    #[inline(always)]
    pub(super) fn new(origin: [f32; 3], course: &'a Course<V>) -> WideRay<'a, V> {
        let [x, y, z] = course.shear.axes.sort(&origin);
        WideRay {
            origin: [V::splat(origin[0]), V::splat(origin[1]), V::splat(origin[2])],
            from: [f32x4::splat(x), f32x4::splat(y), f32x4::splat(z)],
            course,
        }
    }

    /// What it shares with others.
    #[inline(always)]
    pub(super) fn course(&self) -> &'a Course<V> {
        self.course
    }

    /// The nearest triangle of a leaf, as [`nearest`].
    #[inline(always)]
    pub(super) fn nearest(&self, leaf: &Leaf, enter: f32, far: f32) -> Option<(usize, f32)> {
        nearest(leaf, &self.from, &self.course.shear, enter, far)
    }
}

/// What is still to be visited.
pub(super) struct Stack {
    /// Those below `depth` have been written.
    entries: [MaybeUninit<Entry>; STACK],
    depth: usize,
}

/// A child, in the lower half, and the bits of where the ray enters it, in the upper half: of numbers ≥ 0 they have the order of the
/// numbers.
pub(super) type Entry = u64;

#[inline(always)]
pub(super) fn entry(enter: f32, child: u32) -> Entry {
    u64::from(enter.to_bits()) << 32 | u64::from(child)
}

/// Where the ray enters the child of an entry.
#[inline(always)]
pub(super) fn enter_of(entry: Entry) -> f32 {
    f32::from_bits((entry >> 32) as u32)
}

impl Stack {
    /// An empty one; its memory is not cleared, which would take a ray longer than some boxes.
    #[inline(always)]
    pub(super) fn new() -> Stack {
        Stack { entries: [const { MaybeUninit::uninit() }; STACK], depth: 0 }
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entry: Entry) {
        self.entries[self.depth % STACK].write(entry);
        self.depth += 1;
    }

    /// The entry in this place, which is below the depth.
    #[inline(always)]
    fn at(&self, place: usize) -> Entry {
        debug_assert!(place < self.depth);
        // SAFETY: every place below the depth was written when the depth was that place; were there ever more than STACK, the last
        // one that was written there is read.
        unsafe { self.entries[place % STACK].assume_init() }
    }

    /// Takes the entry on top. Only for callers that know of one: at depth 0 there is none, and [`at`](Self::at) would read what was never
    /// written. They are [`pop`](Self::pop), below its check of the depth, and walks that have just pushed.
    #[inline(always)]
    pub(super) fn take_top(&mut self) -> Entry {
        debug_assert!(self.depth > 0, "nothing is on the stack");
        let entry = self.at(self.depth - 1);
        self.depth -= 1;
        entry
    }

    /// Moves the entry on top down to its place among those from `first` on, the nearest on top.
    #[inline(always)]
    pub(super) fn sort_in(&mut self, first: usize) {
        let mut at = self.depth - 1;
        let entry = self.at(at);
        while at > first && self.at(at - 1) < entry {
            self.entries[at % STACK].write(self.at(at - 1));
            at -= 1;
        }
        self.entries[at % STACK].write(entry);
    }

    /// Takes the entry on top that is entered no farther than `far`, dropping those before it; none if only `base` are left, or `far`
    /// is negative.
    #[inline(always)]
    pub(super) fn pop(&mut self, base: usize, far: f32) -> Option<Entry> {
        // Of negative numbers, the bits are less than those of all others as integers with a sign; −0 becomes 0.
        let most = (far + 0.0).to_bits().cast_signed();
        while self.depth > base {
            let entry = self.take_top();
            if ((entry >> 32) as i32) <= most {
                return Some(entry);
            }
        }
        None
    }
}

/// A walk through a tree from a node on, near boxes first, which stops at each leaf. It is no function with a closure for leaves: closures
/// are compiled without the vector instructions of the function around them, unless they happen to be inlined.
pub(super) struct Walk {
    /// What is on the stack below belongs to other walks.
    base: usize,
    /// Where it starts.
    start: Option<u32>,
}

impl Walk {
    #[inline(always)]
    pub(super) fn new(stack: &Stack, node: u32) -> Walk {
        Walk { base: stack.depth, start: Some(node) }
    }

    /// The index of the next leaf that the ray may hit before `far`, and where it enters its box.
    #[inline(always)]
    pub(super) fn next_leaf<V: Lanes>(
        &mut self,
        nodes: &[Node],
        ray: &WideRay<'_, V>,
        far: f32,
        stack: &mut Stack,
    ) -> Option<(u32, f32)> {
        let mut next = match self.start.take() {
            Some(node) => u64::from(node),
            None => stack.pop(self.base, far)?,
        };
        loop {
            let index = next as u32;
            if index & LEAF != 0 {
                return Some((index & !LEAF, enter_of(next)));
            }
            let nearest = match nodes.get(index as usize) {
                Some(node) => open(node, ray, far, stack),
                None => None,
            };
            next = match nearest {
                Some(nearest) => nearest,
                None => stack.pop(self.base, far)?,
            };
        }
    }
}

/// Pushes the children of a node that the ray enters before `far` but for the nearest, which is returned, if there are any.
#[inline(always)]
fn open<V: Lanes>(node: &Node, ray: &WideRay<'_, V>, far: f32, stack: &mut Stack) -> Option<Entry> {
    let (enter, mut hit) = boxes(node, ray, far);
    if hit == 0 {
        return None;
    }
    let enter = enter.to_array();
    let child = |place: usize| entry(enter[place % WIDTH], node.children[place % WIDTH]);
    let first_entry = child(take_lowest(&mut hit));
    if hit == 0 {
        return Some(first_entry);
    }
    let (second_entry, first) = (child(take_lowest(&mut hit)), stack.depth);
    stack.push(first_entry.max(second_entry));
    if hit == 0 {
        return Some(first_entry.min(second_entry));
    }
    stack.push(first_entry.min(second_entry));
    while hit != 0 {
        stack.push(child(take_lowest(&mut hit)));
        stack.sort_in(first);
    }
    Some(stack.take_top())
}

/// Clears the lowest bit of a mask that has one, and returns its place.
#[inline(always)]
pub(super) fn take_lowest(mask: &mut u32) -> usize {
    let place = mask.trailing_zeros();
    *mask &= *mask - 1;
    place as usize
}

/// Where the ray enters each box, and a bit for each box that it enters before `far`.
#[inline(always)]
fn boxes<V: Lanes>(node: &Node, ray: &WideRay<'_, V>, far: f32) -> (V, u32) {
    let Course { inverse, sides, near, .. } = ray.course;
    let (mut enter, mut leave) = (*near, V::splat(far));
    for (axis, inverse) in inverse.iter().enumerate() {
        // In this order −0 does not become the place where the ray enters.
        enter = ((ray.origin[axis] - sides.near(node, axis)) * *inverse).max(enter);
        leave = ((ray.origin[axis] - sides.far(node, axis)) * *inverse).min(leave);
    }
    (enter, enter.le(leave * V::splat(ROBUST)).bits())
}

/// The nearest triangle of a leaf that the ray hits no farther than `far`, and no nearer than where it enters the leaf: its place in
/// the leaf, and the distance.
#[inline(always)]
pub(super) fn nearest(leaf: &Leaf, origin: &[f32x4; 3], shear: &Shear, enter: f32, far: f32) -> Option<(usize, f32)> {
    let [a, b, c] = &leaf.corners;
    let (a, b, c) = (shear.corners(origin, a), shear.corners(origin, b), shear.corners(origin, c));
    let (u, v, w) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
    let zero = f32x4::splat(0.0);
    // Where one of them is no number, the distance is none either.
    let (least, most) = (u.fast_min(v).fast_min(w), u.fast_max(v).fast_max(w));
    let inside = least.simd_ge(zero) | most.simd_le(zero);
    if inside.to_bitmask() == 0 {
        return None;
    }
    let along = |corner: &[f32x4; 3]| shear.scale_back * corner[2];
    let distance = (u * along(&a) + v * along(&b) + w * along(&c)) / (u + v + w);
    // A comparison with NaN is false: triangles seen edge-on, and unused places.
    let is_beyond = distance.simd_gt(shear.near);
    let distance = distance.fast_max(f32x4::splat(enter));
    let mut hit = (inside & is_beyond & distance.simd_le(f32x4::splat(far))).to_bitmask();
    let mut best = None;
    while hit != 0 {
        let place = take_lowest(&mut hit) % LEAF_WIDTH;
        let t = distance.as_array()[place];
        if best.is_none_or(|(_, nearest)| t < nearest) {
            best = Some((place, t));
        }
    }
    best
}

/// Twice the area of the triangle of the ray and an edge.
#[inline(always)]
fn edge(p: &[f32x4; 3], q: &[f32x4; 3]) -> f32x4 {
    p[0] * q[1] - p[1] * q[0]
}
