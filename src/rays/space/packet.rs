//! The kernels for a packet: eight rays that run along each other, through a tree of boxes and against the triangles of a leaf.
//!
//! A box is visited by the whole packet: first the eight boxes of a node are tested against the limits of the packet's origins and
//! directions, by interval arithmetic, then the leaves that remain against each ray, and their triangles against the rays that enter.
//! Each test of a ray is that of [the kernel for one](super::kernel), number for number, and what a ray meets does not depend on the order of
//! visits: a packet gives the bits that its rays have alone.
#![allow(
    clippy::needless_range_loop,
    reason = "rays are counted through many arrays at once, so that loops become vector instructions"
)]

use wide::f32x4;

use super::bundle::{Bundle, EnteringRays, HitsOfEight, Kinds, LoneRays, NONE, SearchStart, SoFar, WorldRays, of_lane};
use super::kernel::{Axes, Entry, ROBUST, Shear, Sides, Stack, WideRay, entry, nearest, take_lowest};
use super::lanes::{LANES, Lanes};
use super::tree::{LEAF, LEAF_WIDTH, Leaf, Node, UNUSED, WIDTH};
use super::{Instance, Ray, Space};

/// The bits of all rays.
const ALL: u32 = (1 << LANES) - 1;
/// Fewer rays than these are walked one by one.
const MIN_RAYS: u32 = 3;

/// Rays of one kind in the frame of a tree.
struct Packet<V> {
    /// A bit for each ray of the bundle that is one of them; the others have the numbers of one of these.
    lanes: u32,
    /// The same, as a comparison.
    are_here: V,
    origin: [V; 3],
    /// Less one over each component of the direction, as [a ray](super::kernel::WideRay) has it.
    inverse: [V; 3],
    sides: Sides,
    axes: Axes,
    shear: [V; 3],
    near: V,
    /// Of the origins, on the side where the rays come from and on the other.
    ends: [[V; 2]; 3],
    /// The least and the largest of `inverse`.
    limits: [[V; 2]; 3],
    near_least: V,
}

impl<V: Lanes> Packet<V> {
    /// Those of these rays, which are of one kind.
    #[inline(always)]
    fn new(bundle: &Bundle<V>, near: V, lanes: u32) -> Packet<V> {
        let (mut origin, mut direction, mut near) = (bundle.origin, bundle.direction, near);
        let (first_lane, are_here) = (lanes.trailing_zeros() as usize % LANES, V::mask(lanes));
        if lanes != ALL {
            for axis in 0..3 {
                origin[axis] = are_here.select(origin[axis], V::splat(origin[axis].to_array()[first_lane]));
                direction[axis] = are_here.select(direction[axis], V::splat(direction[axis].to_array()[first_lane]));
            }
            near = are_here.select(near, V::splat(near.to_array()[first_lane]));
        }
        let first = of_lane(&direction, first_lane);
        let axes = Axes::of(first);
        let [x, y, z] = axes.sort(&direction);
        let scale = V::splat(1.0) / z;
        let shear = [x * scale, y * scale, scale];
        let is_backward = [first[0].is_sign_negative(), first[1].is_sign_negative(), first[2].is_sign_negative()];
        let mut inverse = direction;
        let (mut ends, mut limits) = ([[near; 2]; 3], [[near; 2]; 3]);
        for axis in 0..3 {
            inverse[axis] = direction[axis].invert_back();
            limits[axis] = [inverse[axis].least_in_all(), inverse[axis].most_in_all()];
            let (low, high) = (origin[axis].least_in_all(), origin[axis].most_in_all());
            ends[axis] = if is_backward[axis] { [low, high] } else { [high, low] };
        }
        let (sides, near_least) = (Sides::new(is_backward), near.least_in_all());
        Packet { lanes, are_here, origin, inverse, sides, axes, shear, near, ends, limits, near_least }
    }

    /// Where the first ray may enter each box, and a bit for each box that some ray may enter before `far`.
    #[inline(always)]
    fn boxes(&self, node: &Node, far: V) -> (V, u32) {
        let (mut enter, mut leave) = (self.near_least, far);
        for axis in 0..3 {
            let ([first, last], [least, most]) = (self.ends[axis], self.limits[axis]);
            let to_enter = first - self.sides.near(node, axis);
            let to_leave = last - self.sides.far(node, axis);
            enter = (to_enter * least).min(to_enter * most).max(enter);
            leave = (to_leave * least).max(to_leave * most).min(leave);
        }
        (enter, enter.le(leave * V::splat(ROBUST)).bits())
    }

    /// Where each ray enters one box of a node, and a bit for each that enters it before `far`.
    #[inline(always)]
    fn one_box(&self, node: &Node, place: usize, far: V) -> (V, u32) {
        let (mut enter, mut leave) = (self.near, far);
        for axis in 0..3 {
            let (to, back) = self.sides.of_one(node, axis, place);
            let (origin, inverse) = (self.origin[axis], self.inverse[axis]);
            enter = ((origin - V::splat(to)) * inverse).max(enter);
            leave = ((origin - V::splat(back)) * inverse).min(leave);
        }
        (enter, enter.le(leave * V::splat(ROBUST)).bits() & self.lanes)
    }

    /// One of the rays, for triangles: as [`nearest`] takes it.
    #[inline(always)]
    fn shear_of(&self, lane: usize) -> ([f32x4; 3], Shear) {
        let [x, y, z] = of_lane(&self.axes.sort(&self.origin), lane);
        let shear = Shear::new(self.axes, of_lane(&self.shear, lane), self.near.to_array()[lane]);
        ([f32x4::splat(x), f32x4::splat(y), f32x4::splat(z)], shear)
    }

    /// The farthest distance to which any of the rays is followed, in all places; negative: none is.
    #[inline(always)]
    fn most(&self, so_far: &SoFar) -> V {
        self.are_here.select(V::load(&so_far.far), V::splat(f32::NEG_INFINITY)).most_in_all()
    }

    /// The next child of a node that is for the caller, a bit for each ray that may hit what is in it, and where they enter its box: a leaf
    /// (with [`LEAF`]), or a node that too few rays enter.
    #[inline(always)]
    fn next(
        &self,
        nodes: &[Node],
        walk: &mut PacketWalk<V>,
        so_far: &SoFar,
        stack: &mut Stack,
    ) -> Option<(u32, u32, V)> {
        let mut next = walk.root;
        walk.root = NONE;
        loop {
            // The places of children, not the children: they are tested ray by ray by the boxes that are in the node.
            let nearest = match nodes.get(next as usize) {
                Some(node) => self.open(node, next, walk.most, stack),
                None => None,
            };
            let at = match nearest {
                Some(at) => at,
                None => stack.pop(walk.base, walk.most.first())?,
            };
            let (number, place) = (at as u32 as usize / WIDTH, at as usize % WIDTH);
            let node = nodes.get(number)?;
            let child = node.children[place];
            let (enter, entering) = self.one_box(node, place, V::load(&so_far.far));
            if child & LEAF != 0 || entering.count_ones() < MIN_RAYS {
                if entering != 0 {
                    return Some((child, entering, enter));
                }
                next = NONE;
            } else {
                next = child;
            }
        }
    }

    /// Pushes the places of children that some ray may enter before `far` but for the nearest, which is returned, if there are any.
    #[inline(always)]
    fn open(&self, node: &Node, index: u32, far: V, stack: &mut Stack) -> Option<Entry> {
        let (enter, mut hit) = self.boxes(node, far);
        if hit == 0 {
            return None;
        }
        let enter = enter.to_array();
        let at = |place: usize| entry(enter[place % WIDTH], index * WIDTH as u32 + place as u32);
        let first_entry = at(take_lowest(&mut hit));
        if hit == 0 {
            return Some(first_entry);
        }
        let first = stack.depth();
        stack.push(first_entry);
        while hit != 0 {
            stack.push(at(take_lowest(&mut hit)));
            stack.sort_in(first);
        }
        Some(stack.take_top())
    }

    /// Takes over the triangles of a leaf of an instance that these rays meet; whether there are any. `first` is the slot of the leaf's
    /// first triangle. `enter` are the distances at which the rays enter the leaf and its instance [m].
    #[inline(always)]
    fn meet(&self, leaf: &Leaf, instance: u32, first: u32, lanes: u32, enter: V, so_far: &mut SoFar) -> bool {
        let mut has_met = false;
        if lanes.count_ones() < MIN_RAYS {
            let (enter, mut lanes) = (enter.to_array(), lanes);
            while lanes != 0 {
                let lane = take_lowest(&mut lanes) % LANES;
                let (origin, shear) = self.shear_of(lane);
                if let Some((place, distance)) = nearest(leaf, &origin, &shear, enter[lane], so_far.far[lane]) {
                    so_far.take(lane, instance, first + place as u32, distance);
                    has_met = true;
                }
            }
            return has_met;
        }
        let (zero, scale, mask) = (V::splat(0.0), self.shear[2], V::mask(lanes));
        for place in 0..LEAF_WIDTH {
            if leaf.triangles[place] == UNUSED {
                break;
            }
            let (a, b, c) = (self.shear(leaf, 0, place), self.shear(leaf, 1, place), self.shear(leaf, 2, place));
            let (u, v, w) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
            // As in `nearest`.
            let inside = u.min(v).min(w).ge(zero).or(u.max(v).max(w).le(zero));
            let inside = inside.and(mask);
            if inside.bits() == 0 {
                continue;
            }
            let (a, b, c) = (scale * a[2], scale * b[2], scale * c[2]);
            let distance = (u * a + v * b + w * c) / (u + v + w);
            let (is_beyond, far) = (distance.gt(self.near), V::load(&so_far.far));
            let distance = distance.max(enter);
            let hit = inside.and(is_beyond).and(distance.le(far));
            let (nearer, mut left) = (hit.and(far.gt(distance)), hit.bits());
            if left == 0 {
                continue;
            }
            has_met = true;
            let slot = first + place as u32;
            so_far.take_all(nearer, instance, slot, distance);
            left &= !nearer.bits();
            while left != 0 {
                let lane = take_lowest(&mut left) % LANES;
                so_far.take(lane, instance, slot, distance.to_array()[lane]);
            }
        }
        has_met
    }

    /// A corner of a triangle in the frame whose z axis runs along each ray; its z without the scale.
    #[inline(always)]
    fn shear(&self, leaf: &Leaf, corner: usize, place: usize) -> [V; 3] {
        let at = |axis: f32x4| V::splat(axis.as_array()[place]);
        let ([x, y, z], from) = (self.axes.sort(&leaf.corners[corner]), self.axes.sort(&self.origin));
        let (from_x, from_y, depth) = (at(x) - from[0], at(y) - from[1], at(z) - from[2]);
        [from_x - self.shear[0] * depth, from_y - self.shear[1] * depth, depth]
    }
}

/// Twice the area of the triangle of each ray and an edge.
#[inline(always)]
fn edge<V: Lanes>(p: &[V; 3], q: &[V; 3]) -> V {
    p[0] * q[1] - p[1] * q[0]
}

/// A walk of a packet through a tree from node 0, near boxes first.
struct PacketWalk<V> {
    /// What is on the stack below belongs to other walks.
    base: usize,
    /// A node; [`NONE`] once it has been visited.
    root: u32,
    /// The farthest distance to which any of the rays is followed, in all places.
    most: V,
}

impl<V: Lanes> PacketWalk<V> {
    #[inline(always)]
    fn new(stack: &Stack, most: V) -> PacketWalk<V> {
        PacketWalk { base: stack.depth(), root: 0, most }
    }
}

/// Takes the rays of one kind from these: a bit for each of them.
#[inline(always)]
fn take_kind(kinds: &Kinds, lanes: &mut u32) -> u32 {
    let first_lane = lanes.trailing_zeros() % LANES as u32;
    let mut taken = *lanes;
    for kind in kinds {
        taken &= if kind >> first_lane & 1 != 0 { *kind } else { !kind };
    }
    *lanes &= !taken;
    taken
}

/// Whether these rays of one kind are walked one by one.
#[inline(always)]
fn are_alone(kinds: &Kinds, lanes: u32) -> bool {
    lanes.count_ones() < MIN_RAYS || kinds[5] & lanes == 0
}

/// The nearest triangle on the way of each of up to eight rays, or (`any`) one of them.
#[inline(always)]
pub(super) fn find_each<V: Lanes>(space: &Space, world: &WorldRays<'_>, any: bool) -> HitsOfEight {
    let WorldRays { rays, count, origin, direction, .. } = world;
    let (mut near, mut far) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        // No number is no distance: nothing is as near.
        far[lane] = if world.far[lane].is_nan() { f32::NEG_INFINITY } else { world.far[lane] as f32 };
        near[lane] = world.near[lane] as f32;
    }
    let mut so_far = SoFar { far, triangles: HitsOfEight::NOTHING, any };
    let mut top = Bundle { origin: [V::splat(0.0); 3], direction: [V::splat(0.0); 3] };
    for axis in 0..3 {
        let (mut from, mut along) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            from[lane] = (origin[axis][lane] - space.origin[axis]) as f32;
            along[lane] = direction[axis][lane] as f32;
        }
        (top.origin[axis], top.direction[axis]) = (V::load(&from), V::load(&along));
    }
    let mut stack = Stack::new();
    let kinds = top.kinds(V::load(&near));
    let mut left = (1_u32 << (*count).min(LANES)) - 1;
    while left != 0 {
        let lanes = take_kind(&kinds, &mut left);
        if are_alone(&kinds, lanes) {
            find_alone(space, rays, 0, LoneRays { bundle: &top, near: &near, lanes }, &mut so_far, &mut stack);
            continue;
        }
        let packet = Packet::new(&top, V::load(&near), lanes);
        let mut walk = PacketWalk::new(&stack, packet.most(&so_far));
        while let Some((child, lanes, enter)) = packet.next(&space.top.nodes, &mut walk, &so_far, &mut stack) {
            match child & LEAF {
                0 => {
                    let lone_rays = LoneRays { bundle: &top, near: &near, lanes };
                    find_alone(space, rays, child, lone_rays, &mut so_far, &mut stack);
                }
                _ => {
                    let entering_rays = EnteringRays { world, near: &near, lanes };
                    V::find_packet_in(space, child & !LEAF, enter, entering_rays, &mut so_far, &mut stack);
                }
            }
            walk.most = packet.most(&so_far);
        }
    }
    so_far.triangles
}

/// The nearest triangles of all instances below a node of the upper tree, of each of these rays alone.
#[inline(always)]
fn find_alone<V: Lanes>(
    space: &Space,
    rays: &[Ray; LANES],
    node: u32,
    lone_rays: LoneRays<'_, V>,
    so_far: &mut SoFar,
    stack: &mut Stack,
) {
    let LoneRays { bundle: top, near, mut lanes } = lone_rays;
    while lanes != 0 {
        let lane = take_lowest(&mut lanes) % LANES;
        let ray = &rays[lane];
        let course = top.course(lane, near[lane]);
        let from_origin = WideRay::new(of_lane(&top.origin, lane), &course);
        let mut nearest = so_far.of(lane);
        super::find_from(space, ray, node, &from_origin, stack, &mut nearest, so_far.any);
        so_far.set(lane, nearest);
    }
}

/// The nearest triangles of an instance from this start on, of each of these rays alone.
#[inline(always)]
fn find_in_alone<V: Lanes>(
    instance: &Instance,
    start: SearchStart<V>,
    lone_rays: LoneRays<'_, V>,
    so_far: &mut SoFar,
    stack: &mut Stack,
) {
    let SearchStart { index, enter, node } = start;
    let LoneRays { bundle: local, near, mut lanes } = lone_rays;
    let enter = enter.to_array();
    while lanes != 0 {
        let lane = take_lowest(&mut lanes) % LANES;
        let mut nearest = so_far.of(lane);
        let course = local.course(lane, near[lane]);
        let ray = WideRay::new(of_lane(&local.origin, lane), &course);
        let start = SearchStart { index, enter: enter[lane], node };
        V::find_in(instance, start, &ray, stack, &mut nearest, so_far.any);
        so_far.set(lane, nearest);
    }
}

/// The nearest triangles of the instance with this index, whose box these of the rays enter at these distances.
#[inline(always)]
pub(super) fn find_in<V: Lanes>(
    space: &Space,
    index: u32,
    enter: V,
    rays: EnteringRays<'_>,
    so_far: &mut SoFar,
    stack: &mut Stack,
) {
    let EnteringRays { world, near, lanes: mut left } = rays;
    let Some(instance) = space.instances.get(index as usize) else { return };
    if !instance.is_seen_by(&world.rays[0]) {
        return;
    }
    let local = instance.bundle(world);
    let (tree, kinds) = (&instance.model.tree, local.kinds(V::load(near)));
    while left != 0 {
        let lanes = take_kind(&kinds, &mut left);
        if are_alone(&kinds, lanes) {
            let start = SearchStart { index, enter, node: 0 };
            find_in_alone(instance, start, LoneRays { bundle: &local, near, lanes }, so_far, stack);
            continue;
        }
        let packet = Packet::new(&local, V::load(near), lanes);
        let mut walk = PacketWalk::new(stack, packet.most(so_far));
        while let Some((child, lanes, enter_child)) = packet.next(&tree.nodes, &mut walk, so_far, stack) {
            if child & LEAF == 0 {
                let start = SearchStart { index, enter, node: child };
                find_in_alone(instance, start, LoneRays { bundle: &local, near, lanes }, so_far, stack);
                walk.most = packet.most(so_far);
                continue;
            }
            let leaf = child & !LEAF;
            let first = LEAF_WIDTH as u32 * leaf;
            let Some(triangles) = tree.leaves.get(leaf as usize) else { continue };
            if packet.meet(triangles, index, first, lanes, enter.max(enter_child), so_far) {
                walk.most = packet.most(so_far);
            }
        }
    }
}

#[cfg(test)]
mod tests;
