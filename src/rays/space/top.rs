//! The upper level of the tree: boxes of instances, built anew whenever they have moved.

use super::tree::WIDTH;
use super::tree::{LEAF, Node};

/// A box [m]: lower and upper corner, in the frame of the space.
pub(super) type Bounds = [[f32; 3]; 2];

/// Nodes over instances, in buffers that are reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Top {
    pub(super) nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Top {
    /// Builds the nodes over these boxes; those without extent (lower above upper corner) are left out. Returns the box around all.
    pub(super) fn build(&mut self, boxes: &[Bounds]) -> Bounds {
        self.nodes.clear();
        self.order.clear();
        self.order.extend(
            (0..boxes.len() as u32).filter(|&index| boxes[index as usize][0][0] <= boxes[index as usize][1][0]),
        );
        if self.order.is_empty() {
            return EMPTY;
        }
        let mut order = std::mem::take(&mut self.order);
        let (_, whole) = self.node(&mut order, boxes);
        self.order = order;
        whole
    }

    /// Adds the node over these instances, and everything below it. Returns its index and its box.
    fn node(&mut self, of: &mut [u32], boxes: &[Bounds]) -> (u32, Bounds) {
        let index = self.nodes.len();
        self.nodes.push(Node::EMPTY);
        let mut whole = EMPTY;
        let mut place = 0;
        let mut add = |top: &mut Top, bounds: Bounds, child: u32| {
            top.nodes[index].set(place, bounds, child);
            place += 1;
            whole = union(whole, bounds);
        };
        if of.len() <= WIDTH {
            of.iter().for_each(|&instance| add(self, boxes[instance as usize], LEAF | instance));
        } else {
            for group in in_eight(of, boxes) {
                match group {
                    [] => {}
                    [only] => add(self, boxes[*only as usize], LEAF | *only),
                    several => {
                        let (child, bounds) = self.node(several, boxes);
                        add(self, bounds, child);
                    }
                }
            }
        }
        (index as u32, whole)
    }
}

const EMPTY: Bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];

fn union(a: Bounds, b: Bounds) -> Bounds {
    let each = |corner: usize, of: fn(f32, f32) -> f32| [0, 1, 2].map(|axis| of(a[corner][axis], b[corner][axis]));
    [each(0, f32::min), each(1, f32::max)]
}

/// Divides instances in eight groups of neighbours.
fn in_eight<'a>(of: &'a mut [u32], boxes: &[Bounds]) -> [&'a mut [u32]; WIDTH] {
    let [a, b] = halves(of, boxes);
    let [a, b, c, d] = four([halves(a, boxes), halves(b, boxes)]);
    let [e, f, g, h] = [a, b, c, d].map(|part| halves(part, boxes));
    let ([a, b, c, d], [e, f, g, h]) = (four([e, f]), four([g, h]));
    [a, b, c, d, e, f, g, h]
}

fn four([[a, b], [c, d]]: [[&mut [u32]; 2]; 2]) -> [&mut [u32]; 4] {
    [a, b, c, d]
}

/// Divides instances at the median along the axis in which their centres are farthest apart.
fn halves<'a>(of: &'a mut [u32], boxes: &[Bounds]) -> [&'a mut [u32]; 2] {
    let center = |instance: u32, axis: usize| {
        let [low, high] = boxes[instance as usize];
        low[axis] + high[axis]
    };
    let extent = |axis: usize| {
        let ends =
            of.iter().map(|&i| center(i, axis)).fold([f32::MAX, f32::MIN], |[low, high], c| [low.min(c), high.max(c)]);
        ends[1] - ends[0]
    };
    let longest = (0..3).max_by(|&a, &b| extent(a).total_cmp(&extent(b))).unwrap_or(0);
    let half = of.len() / 2;
    if half > 0 {
        // Ties in the order of the instances, so that the same boxes give the same nodes.
        of.select_nth_unstable_by(half, |&a, &b| center(a, longest).total_cmp(&center(b, longest)).then(a.cmp(&b)));
    }
    let (a, b) = of.split_at_mut(half);
    [a, b]
}
