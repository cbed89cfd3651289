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

use super::kernel::{ROBUST, ShearRay, Stack, WideRay, axes_of, entry, invert, nearest, take_lowest};
use super::lanes::{LANES, Lanes};
use super::tree::{LEAF, LEAF_WIDTH, Leaf, Node, UNUSED, WIDTH};
use super::{Found, Instance, Nearest, Ray, Space};

/// A number of each ray.
type Each<T> = [T; LANES];

/// The bits of all rays.
const ALL: u32 = (1 << LANES) - 1;
/// No node.
const NONE: u32 = u32::MAX;
/// Fewer rays than these are walked one by one.
const LEAST: u32 = 3;

/// What distinguishes kinds of rays: six properties, each with a bit for each ray.
type Kinds = [u32; 6];

/// Rays in the frame of a tree, in f32.
struct Bundle {
    origin: [Each<f32>; 3],
    direction: [Each<f32>; 3],
}

impl Bundle {
    /// What distinguishes the kinds of rays, of which a packet has one: a bit for each ray, of each sign of its direction, of the choice of the
    /// axis along which it is longest, and of whether its numbers are finite: limits of others are none.
    #[inline(always)]
    fn kinds<V: Lanes>(&self, near: &Each<f32>) -> Kinds {
        let [x, y, z] = &self.direction;
        let (x, y, z) = (V::load(x), V::load(y), V::load(z));
        let zero = V::splat(0.0);
        let mut nothing = V::load(near) - V::load(near);
        for numbers in self.origin.iter().chain(&self.direction) {
            nothing = nothing + (V::load(numbers) - V::load(numbers));
        }
        let (long_x, long_y, long_z) = (x.max(zero - x), y.max(zero - y), z.max(zero - z));
        // As `axes_of`. The bits of numbers are their signs.
        let is_x = long_x.gt(long_y).and(long_x.gt(long_z));
        [x.bits(), y.bits(), z.bits(), is_x.bits(), long_y.gt(long_z).bits(), nothing.ge(zero).bits()]
    }

    #[inline(always)]
    fn ray<V: Lanes>(&self, lane: usize, near: f32) -> WideRay<V> {
        WideRay::new(self.origin.map(|axis| axis[lane]), self.direction.map(|axis| axis[lane]), near)
    }
}

/// Rays of one kind in the frame of a tree. Its numbers are arrays, of which rays that are walked alone take theirs.
struct Packet {
    /// A bit for each ray of the bundle that is one of them; the others have the numbers of one of these.
    lanes: u32,
    origin: [Each<f32>; 3],
    inverse: [Each<f32>; 3],
    is_backward: [bool; 3],
    axes: [usize; 3],
    shear: [Each<f32>; 3],
    near: Each<f32>,
    /// Of the origins, on the side where the rays come from and on the other.
    ends: [[f32; 2]; 3],
    /// The least and the largest of `inverse`.
    limits: [[f32; 2]; 3],
    near_least: f32,
}

impl Packet {
    /// Those of these rays, which are of one kind.
    #[inline(always)]
    fn new(bundle: &Bundle, near: &Each<f32>, lanes: u32) -> Packet {
        let (mut origin, mut direction, mut near) = (bundle.origin, bundle.direction, *near);
        if lanes != ALL {
            let one = lanes.trailing_zeros() as usize % LANES;
            for numbers in origin.iter_mut().chain(&mut direction).chain([&mut near]) {
                for lane in 0..LANES {
                    numbers[lane] = if lanes >> lane & 1 != 0 { numbers[lane] } else { numbers[one] };
                }
            }
        }
        let axes = axes_of([direction[0][0], direction[1][0], direction[2][0]]);
        let [x, y, z] = axes;
        let (mut shear, mut inverse) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for lane in 0..LANES {
            let scale = 1.0 / direction[z][lane];
            shear[0][lane] = direction[x][lane] * scale;
            shear[1][lane] = direction[y][lane] * scale;
            shear[2][lane] = scale;
        }
        let (mut is_backward, mut ends, mut all_limits) = ([false; 3], [[0.0; 2]; 3], [[0.0; 2]; 3]);
        for axis in 0..3 {
            for lane in 0..LANES {
                inverse[axis][lane] = invert(direction[axis][lane]);
            }
            is_backward[axis] = inverse[axis][0] < 0.0;
            let [low, high] = limits(&origin[axis]);
            ends[axis] = if is_backward[axis] { [low, high] } else { [high, low] };
            all_limits[axis] = limits(&inverse[axis]);
        }
        let near_least = limits(&near)[0];
        Packet { lanes, origin, inverse, is_backward, axes, shear, near, ends, limits: all_limits, near_least }
    }

    /// Where the first ray may enter each box, and a bit for each box that some ray may enter before `far`.
    #[inline(always)]
    fn boxes<V: Lanes>(&self, node: &Node, far: f32) -> (V, u32) {
        let (mut enter, mut leave) = (V::splat(self.near_least), V::splat(far));
        for axis in 0..3 {
            let from = usize::from(self.is_backward[axis]);
            let (first, last) = (V::splat(self.ends[axis][0]), V::splat(self.ends[axis][1]));
            let (least, most) = (V::splat(self.limits[axis][0]), V::splat(self.limits[axis][1]));
            let to_enter = V::load(node.bounds[from][axis].as_array()) - first;
            let to_leave = V::load(node.bounds[1 - from][axis].as_array()) - last;
            enter = (to_enter * least).min(to_enter * most).max(enter);
            leave = (to_leave * least).max(to_leave * most).min(leave);
        }
        (enter, enter.le(leave * V::splat(ROBUST)).bits())
    }

    /// Where each ray enters one box of a node, and a bit for each that enters it before `far`.
    #[inline(always)]
    fn one_box<V: Lanes>(&self, node: &Node, place: usize, far: &Each<f32>) -> (V, u32) {
        let (mut enter, mut leave) = (V::load(&self.near), V::load(far));
        for axis in 0..3 {
            let from = usize::from(self.is_backward[axis]);
            let to = V::splat(node.bounds[from][axis].as_array()[place % WIDTH]);
            let back = V::splat(node.bounds[1 - from][axis].as_array()[place % WIDTH]);
            let (origin, inverse) = (V::load(&self.origin[axis]), V::load(&self.inverse[axis]));
            enter = ((to - origin) * inverse).max(enter);
            leave = ((back - origin) * inverse).min(leave);
        }
        (enter, enter.le(leave * V::splat(ROBUST)).bits() & self.lanes)
    }

    /// One of the rays, for triangles.
    #[inline(always)]
    fn shear_ray(&self, lane: usize) -> ShearRay {
        let mut ray = ShearRay { origin: [0.0; 3], axes: self.axes, shear: [0.0; 3], near: self.near[lane] };
        for axis in 0..3 {
            (ray.origin[axis], ray.shear[axis]) = (self.origin[axis][lane], self.shear[axis][lane]);
        }
        ray
    }

    /// The farthest distance to which any of the rays is followed; negative: none is.
    #[inline(always)]
    fn most(&self, so_far: &SoFar) -> f32 {
        let mut far = so_far.far;
        if self.lanes != ALL {
            for lane in 0..LANES {
                far[lane] = if self.lanes >> lane & 1 != 0 { far[lane] } else { f32::NEG_INFINITY };
            }
        }
        limits(&far)[1]
    }

    /// The next child of a node that is for the caller, a bit for each ray that may hit what is in it, and where they enter its box: a leaf
    /// (with [`LEAF`]), or a node that too few rays enter.
    #[inline(always)]
    fn next<V: Lanes>(
        &self,
        nodes: &[Node],
        walk: &mut PacketWalk,
        so_far: &SoFar,
        stack: &mut Stack,
    ) -> Option<(u32, u32, V)> {
        let mut next = walk.root;
        walk.root = NONE;
        loop {
            if let Some(node) = nodes.get(next as usize) {
                let (enter, mut hit) = self.boxes::<V>(node, walk.most);
                let enter = enter.to_array();
                let first = stack.depth();
                while hit != 0 {
                    let place = take_lowest(&mut hit) % WIDTH;
                    // The place of the child, not the child: it is tested ray by ray by the box that is in the node.
                    stack.push(entry(enter[place], next * WIDTH as u32 + place as u32));
                    stack.sort_in(first);
                }
            }
            let entry = stack.pop(walk.base, walk.most)?;
            let (node, place) = (&nodes[entry as u32 as usize / WIDTH], entry as usize % WIDTH);
            let child = node.children[place];
            let (enter, entering) = self.one_box::<V>(node, place, &so_far.far);
            if child & LEAF != 0 || entering.count_ones() < LEAST {
                if entering != 0 {
                    return Some((child, entering, enter));
                }
                next = NONE;
            } else {
                next = child;
            }
        }
    }

    /// Takes over the triangles of a leaf that these rays meet, which enter it and its instance at these distances; whether there are any.
    #[inline(always)]
    fn meet<V: Lanes>(
        &self,
        leaf: &Leaf,
        (instance, first): (u32, u32),
        lanes: u32,
        enter: V,
        so_far: &mut SoFar,
    ) -> bool {
        let mut has_met = false;
        if lanes.count_ones() < LEAST {
            let (enter, mut lanes) = (enter.to_array(), lanes);
            while lanes != 0 {
                let lane = take_lowest(&mut lanes) % LANES;
                if let Some((place, distance)) = nearest(leaf, &self.shear_ray(lane), enter[lane], so_far.far[lane]) {
                    so_far.take(lane, (instance, first + place as u32), distance);
                    has_met = true;
                }
            }
            return has_met;
        }
        let (zero, scale) = (V::splat(0.0), V::load(&self.shear[2]));
        for place in 0..LEAF_WIDTH {
            if leaf.triangles[place] == UNUSED {
                break;
            }
            let (a, b, c) = (self.shear::<V>(leaf, 0, place), self.shear(leaf, 1, place), self.shear(leaf, 2, place));
            let (u, v, w) = (edge(&c, &b), edge(&a, &c), edge(&b, &a));
            let inside = (u.ge(zero).and(v.ge(zero)).and(w.ge(zero))).or(u.le(zero).and(v.le(zero)).and(w.le(zero)));
            if inside.bits() & lanes == 0 {
                continue;
            }
            let (a, b, c) = (scale * a[2], scale * b[2], scale * c[2]);
            let distance = (u * a + v * b + w * c) / (u + v + w);
            let is_beyond = distance.gt(V::load(&self.near));
            let distance = distance.max(enter);
            let mut hit = inside.and(is_beyond).and(distance.le(V::load(&so_far.far))).bits() & lanes;
            let distance = distance.to_array();
            has_met |= hit != 0;
            while hit != 0 {
                let lane = take_lowest(&mut hit) % LANES;
                so_far.take(lane, (instance, first + place as u32), distance[lane]);
            }
        }
        has_met
    }

    /// The nearest triangles below a node of an instance, of each of these rays alone, which enter the box of the instance at these distances.
    #[inline(always)]
    fn find_alone<V: Lanes>(
        &self,
        (instance, node): (&Instance, u32),
        (index, enter, mut lanes): (u32, V, u32),
        local: &Bundle,
        so_far: &mut SoFar,
        stack: &mut Stack,
    ) {
        let enter = enter.to_array();
        while lanes != 0 {
            let lane = take_lowest(&mut lanes) % LANES;
            let mut nearest = so_far.of(lane);
            let ray = local.ray::<V>(lane, self.near[lane]);
            super::find_in(instance, (index, enter[lane], node), &ray, stack, &mut nearest, so_far.any);
            so_far.set(lane, nearest);
        }
    }

    /// A corner of a triangle in the frame whose z axis runs along each ray; its z without the scale.
    #[inline(always)]
    fn shear<V: Lanes>(&self, leaf: &Leaf, corner: usize, place: usize) -> [V; 3] {
        let [x, y, z] = self.axes;
        let corner = &leaf.corners[corner];
        let from_x = V::splat(corner[x].as_array()[place]) - V::load(&self.origin[x]);
        let from_y = V::splat(corner[y].as_array()[place]) - V::load(&self.origin[y]);
        let depth = V::splat(corner[z].as_array()[place]) - V::load(&self.origin[z]);
        [from_x - V::load(&self.shear[0]) * depth, from_y - V::load(&self.shear[1]) * depth, depth]
    }
}

/// Twice the area of the triangle of each ray and an edge.
#[inline(always)]
fn edge<V: Lanes>(p: &[V; 3], q: &[V; 3]) -> V {
    p[0] * q[1] - p[1] * q[0]
}

/// The least and the largest.
#[inline(always)]
fn limits(of: &Each<f32>) -> [f32; 2] {
    let (mut least, mut most) = (*of, *of);
    // In halves, which are compared in a vector instruction.
    for half in [LANES / 2, LANES / 4, LANES / 8] {
        for lane in 0..half {
            least[lane] = if least[lane + half] < least[lane] { least[lane + half] } else { least[lane] };
            most[lane] = if most[lane + half] > most[lane] { most[lane + half] } else { most[lane] };
        }
    }
    [least[0], most[0]]
}

/// A walk of a packet through a tree from node 0, near boxes first.
struct PacketWalk {
    /// What is on the stack below belongs to other walks.
    base: usize,
    /// A node; [`NONE`] once it has been visited.
    root: u32,
    /// The farthest distance to which any of the rays is followed.
    most: f32,
}

impl PacketWalk {
    #[inline(always)]
    fn new(stack: &Stack, most: f32) -> PacketWalk {
        PacketWalk { base: stack.depth(), root: 0, most }
    }
}

/// What the rays have met so far.
struct SoFar {
    far: Each<f32>,
    found: Each<Option<Found>>,
    any: bool,
}

impl SoFar {
    #[inline(always)]
    fn of(&self, lane: usize) -> Nearest {
        Nearest { found: self.found[lane], far: self.far[lane] }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, nearest: Nearest) {
        (self.found[lane], self.far[lane]) = (nearest.found, nearest.far);
    }

    #[inline(always)]
    fn take(&mut self, lane: usize, triangle: (u32, u32), distance: f32) {
        let mut nearest = self.of(lane);
        nearest.take(triangle, distance, self.any);
        self.set(lane, nearest);
    }
}

/// Takes the rays of one kind from these: a bit for each of them.
#[inline(always)]
fn take_kind(kinds: &Kinds, lanes: &mut u32) -> u32 {
    let one = lanes.trailing_zeros() % LANES as u32;
    let mut taken = *lanes;
    for kind in kinds {
        taken &= if kind >> one & 1 != 0 { *kind } else { !kind };
    }
    *lanes &= !taken;
    taken
}

/// Whether these rays of one kind are walked one by one.
#[inline(always)]
fn are_alone(kinds: &Kinds, lanes: u32) -> bool {
    lanes.count_ones() < LEAST || kinds[5] & lanes == 0
}

/// Rays of the world.
struct WorldRays<'a> {
    origin: [Each<f64>; 3],
    direction: [Each<f64>; 3],
    near: Each<f32>,
    /// One of them.
    one: &'a Ray,
}

/// The nearest triangle on the way of each of up to eight rays, or (`any`) one of them.
#[inline(always)]
pub(super) fn find_each<V: Lanes>(space: &Space, rays: &[Ray], any: bool) -> Each<Option<Found>> {
    let Some(one) = rays.first() else { return [None; LANES] };
    let mut world = WorldRays { origin: [[0.0; LANES]; 3], direction: [[0.0; LANES]; 3], near: [0.0; LANES], one };
    let mut so_far = SoFar { far: [0.0; LANES], found: [None; LANES], any };
    let mut top = Bundle { origin: [[0.0; LANES]; 3], direction: [[0.0; LANES]; 3] };
    for lane in 0..LANES {
        let ray = rays.get(lane).unwrap_or(one);
        // No number is no distance: nothing is as near.
        let far = if ray.far.is_nan() { f32::NEG_INFINITY } else { ray.far as f32 };
        (world.near[lane], so_far.far[lane]) = (ray.near as f32, far);
        for axis in 0..3 {
            (world.origin[axis][lane], world.direction[axis][lane]) = (ray.origin[axis], ray.direction[axis]);
            top.origin[axis][lane] = (ray.origin[axis] - space.origin[axis]) as f32;
            top.direction[axis][lane] = ray.direction[axis] as f32;
        }
    }
    let mut stack = Stack::new();
    let kinds = top.kinds::<V>(&world.near);
    let mut left = (1_u32 << rays.len().min(LANES)) - 1;
    while left != 0 {
        let lanes = take_kind(&kinds, &mut left);
        if are_alone(&kinds, lanes) {
            find_alone::<V>(space, rays, (0, lanes), &top, &mut so_far, &mut stack);
            continue;
        }
        let packet = Packet::new(&top, &world.near, lanes);
        let mut walk = PacketWalk::new(&stack, packet.most(&so_far));
        while let Some((child, lanes, enter)) = packet.next::<V>(&space.top.nodes, &mut walk, &so_far, &mut stack) {
            match child & LEAF {
                0 => find_alone::<V>(space, rays, (child, lanes), &top, &mut so_far, &mut stack),
                _ => find_in(space, (child & !LEAF, enter), (&world, lanes), &mut so_far, &mut stack),
            }
            walk.most = packet.most(&so_far);
        }
    }
    so_far.found
}

/// The nearest triangles of all instances below a node of the upper tree, of each of these rays alone.
#[inline(always)]
fn find_alone<V: Lanes>(
    space: &Space,
    rays: &[Ray],
    (node, mut lanes): (u32, u32),
    top: &Bundle,
    so_far: &mut SoFar,
    stack: &mut Stack,
) {
    while lanes != 0 {
        let lane = take_lowest(&mut lanes) % LANES;
        let Some(ray) = rays.get(lane) else { return };
        let from_origin = top.ray::<V>(lane, ray.near as f32);
        let mut nearest = so_far.of(lane);
        super::find_from(space, ray, (node, &from_origin), stack, &mut nearest, so_far.any);
        so_far.set(lane, nearest);
    }
}

/// The nearest triangles of the instance with this index, whose box these of the rays enter at these distances.
#[inline(always)]
fn find_in<V: Lanes>(
    space: &Space,
    (index, enter): (u32, V),
    (world, mut left): (&WorldRays<'_>, u32),
    so_far: &mut SoFar,
    stack: &mut Stack,
) {
    let Some(instance) = space.instances.get(index as usize).filter(|instance| instance.is_seen_by(world.one)) else {
        return;
    };
    let local = instance.bundle(world);
    let (tree, kinds) = (&instance.model.tree, local.kinds::<V>(&world.near));
    while left != 0 {
        let lanes = take_kind(&kinds, &mut left);
        let packet = Packet::new(&local, &world.near, lanes);
        let mut walk = PacketWalk::new(stack, packet.most(so_far));
        if are_alone(&kinds, lanes) {
            walk.root = NONE;
            packet.find_alone((instance, 0), (index, enter, lanes), &local, so_far, stack);
        }
        while let Some((child, lanes, enter_child)) = packet.next::<V>(&tree.nodes, &mut walk, so_far, stack) {
            if child & LEAF == 0 {
                packet.find_alone((instance, child), (index, enter, lanes), &local, so_far, stack);
                continue;
            }
            let leaf = child & !LEAF;
            let first = LEAF_WIDTH as u32 * leaf;
            let Some(triangles) = tree.leaves.get(leaf as usize) else { continue };
            if packet.meet(triangles, (index, first), lanes, enter.max(enter_child), so_far) {
                walk.most = packet.most(so_far);
            }
        }
    }
}

impl Instance {
    /// Rays of the world in the frame of the model, as [`Instance::local`].
    #[inline(always)]
    fn bundle(&self, world: &WorldRays<'_>) -> Bundle {
        let mut local = Bundle { origin: [[0.0; LANES]; 3], direction: [[0.0; LANES]; 3] };
        let [x, y, z] = &world.origin;
        for axis in 0..3 {
            let column = self.world_from_model.column(axis);
            let [a, b, c] = [column[0], column[1], column[2]];
            for lane in 0..LANES {
                let from = [x[lane] - self.position[0], y[lane] - self.position[1], z[lane] - self.position[2]];
                local.origin[axis][lane] = (a * from[0] + b * from[1] + c * from[2]) as f32;
                let [x, y, z] = &world.direction;
                local.direction[axis][lane] = (a * x[lane] + b * y[lane] + c * z[lane]) as f32;
            }
        }
        local
    }
}

#[cfg(test)]
mod tests;
