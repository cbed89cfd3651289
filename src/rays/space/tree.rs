//! A tree of triangles: eight boxes a node and four triangles a leaf, so that each is tested in a few vector instructions.
//!
//! `obvhs` builds a binary tree (parallel locally-ordered clustering, D. Meister and J. Bittner 2018, with
//! reinsertion); its levels are merged to nodes of eight here, those that cost rays the least. Where boxes hardly
//! differ, such a tree can be as deep as a list: then nodes over the same leaves are built by halving, as those over
//! instances are.

use obvhs::aabb::Aabb;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::bvh2::{Bvh2, node::Bvh2Node};
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use skidpad_math::Vec3;
use wide::{f32x4, f32x8};

use super::top::Top;

/// Children of a node.
pub(super) const WIDTH: usize = 8;
/// Triangles of a leaf.
pub(super) const LEAF_WIDTH: usize = 4;
/// Marks a child that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// Marks a place of a node without a child.
const NO_CHILD: u32 = u32::MAX;
/// Marks a place of a leaf without a triangle.
pub(super) const UNUSED: u32 = u32::MAX;

/// Levels that a tree may have, so that walks through it and the nodes above it have room on their
/// [stack](super::kernel::STACK). Triangles in any sensible place need up to eight.
pub(super) const MAX_LEVELS: usize = 12;

/// Eight boxes. Places without a child have a box that nothing hits.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// x, y, z of the lower corners, and of the upper ones.
    pub bounds: [[f32x8; 3]; 2],
    /// Index of a node; with [`LEAF`], of a leaf.
    pub children: [u32; WIDTH],
}

impl Node {
    /// A node without children.
    pub(super) const EMPTY: Node = Node {
        bounds: [[f32x8::new([f32::INFINITY; WIDTH]); 3], [f32x8::new([f32::NEG_INFINITY; WIDTH]); 3]],
        children: [NO_CHILD; WIDTH],
    };

    /// Puts a child with this box in a place.
    pub(super) fn set(&mut self, place: usize, bounds: [[f32; 3]; 2], child: u32) {
        for (corners, corner) in self.bounds.iter_mut().zip(bounds) {
            for (limits, limit) in corners.iter_mut().zip(corner) {
                limits.as_mut_array()[place] = limit;
            }
        }
        self.children[place] = child;
    }
}

/// Up to four triangles. Unused places have corners at infinity, which nothing hits.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// x, y, z of each corner.
    pub corners: [[f32x4; 3]; 3],
    /// Index of each triangle.
    pub triangles: [u32; LEAF_WIDTH],
}

impl Leaf {
    /// A leaf without triangles.
    const EMPTY: Leaf =
        Leaf { corners: [[f32x4::new([f32::INFINITY; LEAF_WIDTH]); 3]; 3], triangles: [UNUSED; LEAF_WIDTH] };

    /// The corners of the triangle in this place [m].
    #[inline(always)]
    pub(super) fn triangle(&self, place: usize) -> [Vec3; 3] {
        let corner = |[x, y, z]: &[f32x4; 3]| [x, y, z].map(|axis| f64::from(axis.as_array()[place])).into();
        let [a, b, c] = &self.corners;
        [corner(a), corner(b), corner(c)]
    }

    /// Lower and upper corner of the box around its triangles [m].
    fn bounds(&self) -> [[f32; 3]; 2] {
        let used = || (0..LEAF_WIDTH).filter(|&place| self.triangles[place] != UNUSED);
        let ends = |of: fn(f32, f32) -> f32, start: f32| {
            [0, 1, 2].map(|axis| {
                let all =
                    self.corners.iter().flat_map(|corner| used().map(move |place| corner[axis].as_array()[place]));
                all.fold(start, of)
            })
        };
        [ends(f32::min, f32::INFINITY), ends(f32::max, f32::NEG_INFINITY)]
    }
}

/// Triangles in a frame of their own, in which f32 is precise enough.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) leaves: Vec<Leaf>,
    /// Lower and upper corner of the box around everything [m].
    pub(super) bounds: [[f32; 3]; 2],
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: Vec::new(), leaves: Vec::new(), bounds: [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]] }
    }
}

impl Tree {
    /// A tree of triangles [m], given by three corners each. Triangles that are not finite are left out.
    pub(super) fn new(corners: &[Vec3]) -> Tree {
        let triangles: Vec<[[f32; 3]; 3]> = corners.as_chunks::<3>().0.iter().map(|t| t.map(single)).collect();
        let is_finite = |index: &u32| triangles[*index as usize].as_flattened().iter().all(|c| c.is_finite());
        let finite: Vec<u32> = (0..triangles.len() as u32).filter(is_finite).collect();
        if finite.is_empty() {
            return Tree::default();
        }
        let boxes: Vec<Aabb> =
            finite.iter().map(|&index| Aabb::from_points(&triangles[index as usize].map(Into::into))).collect();
        let binary = build_binary(&boxes);
        let root = binary.nodes[0];
        let mut tree = Tree { bounds: corners_of(&root), ..Tree::default() };
        let merge = Merge::new(&binary, &finite, &triangles);
        if merge.plans[0].is_leaf {
            let leaf = merge.leaf(&mut tree, 0);
            tree.nodes.push(Node::EMPTY);
            tree.nodes[0].set(0, tree.bounds, leaf);
        } else {
            merge.node(&mut tree, 0);
        }
        if tree.levels() > MAX_LEVELS {
            tree.balance();
        }
        tree
    }

    /// The trees of several parts in one frame as one, with nodes over the parts. The triangles of each part are numbered from this number
    /// on.
    pub(super) fn join(parts: &[(&Tree, u32)]) -> Tree {
        let boxes: Vec<[[f32; 3]; 2]> = parts.iter().map(|(part, _)| part.bounds).collect();
        let mut top = Top::default();
        let bounds = top.build(&boxes);
        let above = top.nodes.len();
        let mut tree = Tree { nodes: top.nodes, leaves: Vec::new(), bounds };
        let mut roots = Vec::with_capacity(parts.len());
        for (part, first) in parts {
            let [nodes, leaves] = [tree.nodes.len() as u32, tree.leaves.len() as u32];
            roots.push(nodes);
            tree.nodes.extend(part.nodes.iter().cloned());
            tree.leaves.extend(part.leaves.iter().cloned());
            let children = tree.nodes[nodes as usize..].iter_mut().flat_map(|node| &mut node.children);
            for child in children.filter(|child| **child != NO_CHILD) {
                *child += if *child & LEAF == 0 { nodes } else { leaves };
            }
            let triangles = tree.leaves[leaves as usize..].iter_mut().flat_map(|leaf| &mut leaf.triangles);
            triangles.filter(|triangle| **triangle != UNUSED).for_each(|triangle| *triangle += first);
        }
        let children = tree.nodes[..above].iter_mut().flat_map(|node| &mut node.children);
        for child in children.filter(|child| **child != NO_CHILD && **child & LEAF != 0) {
            *child = roots[(*child & !LEAF) as usize];
        }
        if tree.levels() > MAX_LEVELS {
            tree.balance();
        }
        tree
    }

    /// The levels of nodes.
    fn levels(&self) -> usize {
        // Nodes come after those that they are children of.
        let mut below = vec![0_usize; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let levels_of = |&child: &u32| below.get(child as usize).copied().unwrap_or(0);
            below[index] = 1 + node.children.iter().map(levels_of).max().unwrap_or(0);
        }
        below.first().copied().unwrap_or(0)
    }

    /// Replaces the nodes by such as divide the leaves into equal parts.
    fn balance(&mut self) {
        let boxes: Vec<[[f32; 3]; 2]> = self.leaves.iter().map(Leaf::bounds).collect();
        let mut top = Top::default();
        top.build(&boxes);
        self.nodes = top.nodes;
    }

    /// Number of triangles.
    pub(super) fn triangle_count(&self) -> usize {
        self.leaves.iter().flat_map(|leaf| &leaf.triangles).filter(|&&triangle| triangle != UNUSED).count()
    }
}

/// A point in f32.
pub(super) fn single(p: Vec3) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

fn corners_of(node: &Bvh2Node) -> [[f32; 3]; 2] {
    [node.aabb.min.to_array(), node.aabb.max.to_array()]
}

fn build_binary(boxes: &[Aabb]) -> Bvh2 {
    /// Share of the nodes that are moved to a better place: beyond it the build takes longer than it saves rays.
    const REINSERTED: f32 = 0.1;
    let all = (0..boxes.len() as u32).collect();
    let mut tree =
        PlocBuilder::with_capacity(boxes.len()).build(PlocSearchDistance::Medium, boxes, all, SortPrecision::U64, 0);
    let mut optimizer = ReinsertionOptimizer::default();
    optimizer.run(&mut tree, REINSERTED, None);
    tree
}

/// What can become of a node of the binary tree, and of what is below it: one child of a wide node, or up to eight.
#[derive(Clone, Copy)]
struct Plan {
    /// The cost of a ray in what is below, if it becomes so many children at most, from one on.
    cost: [f32; WIDTH],
    /// Of so many children, how many are of the left one of the two that are below; 0: as of one child less.
    left: [u8; WIDTH],
    /// How many triangles are below.
    triangles: u32,
    /// Whether, as one child, it is a leaf.
    is_leaf: bool,
}

/// Merges the levels of a binary tree, so that the cost of rays is the least by the surface-area heuristic: a box is entered in proportion
/// to its surface. TriangleHit by dynamic programming from the leaves on (H. Ylitie, T. Karras and S. Laine 2017, "Efficient incoherent ray
/// traversal on GPUs through compressed wide BVHs", section 4.1).
struct Merge<'a> {
    binary: &'a Bvh2,
    plans: Vec<Plan>,
    /// Number of each triangle of the binary tree.
    numbers: &'a [u32],
    triangles: &'a [[[f32; 3]; 3]],
}

impl<'a> Merge<'a> {
    fn new(binary: &'a Bvh2, numbers: &'a [u32], triangles: &'a [[[f32; 3]; 3]]) -> Merge<'a> {
        let none = Plan { cost: [0.0; WIDTH], left: [0; WIDTH], triangles: 0, is_leaf: false };
        let mut merge = Merge { binary, plans: vec![none; binary.nodes.len()], numbers, triangles };
        // Nodes before those that they are children of, however deep the tree is.
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&index) = order.get(next) {
            order.extend(merge.children(index).into_iter().flatten());
            next += 1;
        }
        for index in order.into_iter().rev() {
            merge.plans[index] = merge.plan(index);
        }
        merge
    }

    /// The best plan for a node, once there are those of its children.
    fn plan(&self, index: usize) -> Plan {
        /// Cost of the test of a leaf, in visits of a node: in instructions of a single ray, however many triangles there are.
        const LEAF_COST: f32 = 1.6;
        let node = &self.binary.nodes[index];
        let area = node.aabb.half_area();
        let Some([left, right]) = self.children(index).map(|children| children.map(|child| &self.plans[child])) else {
            return Plan { cost: [LEAF_COST * area; WIDTH], left: [0; WIDTH], triangles: 1, is_leaf: true };
        };
        let triangles = left.triangles + right.triangles;
        let mut plan = Plan { cost: [0.0; WIDTH], left: [0; WIDTH], triangles, is_leaf: false };
        for count in 2..=WIDTH {
            let (mut least, mut best) = (f32::INFINITY, 1);
            for of_left in 1..count {
                let cost = left.cost[of_left - 1] + right.cost[count - of_left - 1];
                if cost < least {
                    (least, best) = (cost, of_left as u8);
                }
            }
            (plan.cost[count - 1], plan.left[count - 1]) = (least, best);
        }
        let as_node = area + plan.cost[WIDTH - 1];
        let as_leaf = LEAF_COST * area;
        plan.is_leaf = triangles <= LEAF_WIDTH as u32 && as_leaf <= as_node;
        plan.cost[0] = if plan.is_leaf { as_leaf } else { as_node };
        // What becomes a node is divided into eight in any case.
        for count in 2..WIDTH {
            if plan.cost[count - 2] <= plan.cost[count - 1] {
                (plan.cost[count - 1], plan.left[count - 1]) = (plan.cost[count - 2], 0);
            }
        }
        plan
    }

    /// Adds the node over the descendants of an inner node, and everything below it. Returns its index.
    fn node(&self, tree: &mut Tree, from: usize) -> u32 {
        let index = tree.nodes.len();
        tree.nodes.push(Node::EMPTY);
        let mut children = Vec::with_capacity(WIDTH);
        self.divide(from, WIDTH, &mut children);
        for (place, child) in children.into_iter().enumerate() {
            let below = if self.plans[child].is_leaf { self.leaf(tree, child) } else { self.node(tree, child) };
            tree.nodes[index].set(place, corners_of(&self.binary.nodes[child]), below);
        }
        index as u32
    }

    /// Appends the nodes that a node becomes as up to so many children.
    fn divide(&self, from: usize, mut count: usize, into: &mut Vec<usize>) {
        while count > 1 && self.plans[from].left[count - 1] == 0 {
            count -= 1;
        }
        match self.children(from) {
            Some([left, right]) if count > 1 => {
                let of_left = usize::from(self.plans[from].left[count - 1]);
                self.divide(left, of_left, into);
                self.divide(right, count - of_left, into);
            }
            _ => into.push(from),
        }
    }

    /// The indices of the two nodes below an inner node.
    fn children(&self, index: usize) -> Option<[usize; 2]> {
        let node = &self.binary.nodes[index];
        let first = node.first_index as usize;
        (!node.is_leaf()).then_some([first, first + 1])
    }

    /// Adds a leaf of all triangles below a node.
    fn leaf(&self, tree: &mut Tree, from: usize) -> u32 {
        let mut leaf = Leaf::EMPTY;
        let (mut open, mut place) = (vec![from], 0);
        while let Some(index) = open.pop() {
            if let Some([left, right]) = self.children(index) {
                open.extend([right, left]);
                continue;
            }
            let primitive = self.binary.primitive_indices[self.binary.nodes[index].first_index as usize];
            let number = self.numbers[primitive as usize];
            for (corner, point) in self.triangles[number as usize].iter().enumerate() {
                for (coordinates, &coordinate) in leaf.corners[corner].iter_mut().zip(point) {
                    coordinates.as_mut_array()[place] = coordinate;
                }
            }
            leaf.triangles[place] = number;
            place += 1;
        }
        tree.leaves.push(leaf);
        LEAF | (tree.leaves.len() - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(at: f64, size: f64) -> [Vec3; 3] {
        [[0.0, 0.0], [size, 0.0], [0.0, size]].map(|[y, z]| Vec3::new(at, y, z))
    }

    /// Of a fan whose triangles shrink, and of thousands in one place, trees are deep.
    #[test]
    fn no_triangles_make_a_tree_deeper_than_its_walks() {
        let nested: Vec<Vec3> =
            (0..140).flat_map(|n| triangle(libm::exp2(-f64::from(n)), libm::exp2(-f64::from(n)))).collect();
        let grown: Vec<Vec3> = (0..2_000).flat_map(|n| triangle(0.0, 1.0 + 1e-3 * f64::from(n))).collect();
        let same: Vec<Vec3> = (0..2_000).flat_map(|_| triangle(1.0, 1.0)).collect();
        let tiny: Vec<Vec3> = (0..2_000).flat_map(|n| triangle(1e-42 * f64::from(n), 1e-42)).collect();
        for (name, corners) in [("nested", nested), ("grown", grown), ("same", same), ("tiny", tiny)] {
            let mut tree = Tree::new(&corners);
            assert!(tree.levels() <= MAX_LEVELS, "{name}: {}", tree.levels());
            assert_eq!(tree.triangle_count(), corners.len() / 3, "{name}");
            tree.balance();
            assert!(tree.levels() <= 7, "{name}: {}", tree.levels());
        }
    }

    /// As many triangles as there are, each in the box of its node, and numbered on.
    #[test]
    fn joined_trees_have_the_triangles_of_all() {
        let parts: Vec<Tree> = (0..30_u32)
            .map(|n| Tree::new(&(0..n).flat_map(|k| triangle(f64::from(7 * n + k), 1.0)).collect::<Vec<Vec3>>()))
            .collect();
        let numbered: Vec<(&Tree, u32)> =
            (0..30_u32).map(|n| (&parts[n as usize], n * n.saturating_sub(1) / 2)).collect();
        let tree = Tree::join(&numbered);
        let mut triangles = Vec::new();
        let mut open = vec![(0_usize, tree.bounds)];
        while let Some((node, bounds)) = open.pop() {
            let is_inside =
                |[low, high]: [[f32; 3]; 2]| (0..3).all(|k| low[k] >= bounds[0][k] && high[k] <= bounds[1][k]);
            let node = &tree.nodes[node];
            for (place, &child) in node.children.iter().enumerate().filter(|(_, child)| **child != NO_CHILD) {
                let bounds = node.bounds.map(|corner| corner.map(|axis| axis.as_array()[place]));
                assert!(is_inside(bounds));
                if child & LEAF == 0 {
                    open.push((child as usize, bounds));
                    continue;
                }
                let leaf = &tree.leaves[(child & !LEAF) as usize];
                let of_leaf = leaf.bounds();
                assert!((0..3).all(|k| of_leaf[0][k] >= bounds[0][k] && of_leaf[1][k] <= bounds[1][k]));
                triangles.extend(leaf.triangles.iter().copied().filter(|&triangle| triangle != UNUSED));
            }
        }
        triangles.sort_unstable();
        assert_eq!(triangles, (0..29 * 30 / 2).collect::<Vec<u32>>());
        let empty = Tree::join(&[(&Tree::default(), 0), (&Tree::default(), 0)]);
        assert!(empty.nodes.is_empty() && empty.bounds[0][0] > empty.bounds[1][0]);
    }
}
