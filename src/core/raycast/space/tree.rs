//! A tree of triangles: eight boxes a node and eight triangles a leaf, so that each is tested in a few vector instructions.
//!
//! `obvhs` builds a binary tree (parallel locally-ordered clustering, D. Meister and J. Bittner 2018, with reinsertion);
//! its levels are merged to nodes of eight here.

use obvhs::aabb::Aabb;
use obvhs::bvh2::leaf_collapser::collapse;
use obvhs::bvh2::reinsertion::ReinsertionOptimizer;
use obvhs::bvh2::{Bvh2, node::Bvh2Node};
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};

use crate::math::Vec3;

/// Children of a node, and triangles of a leaf.
pub(super) const WIDTH: usize = 8;
/// Marks a child that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// Marks a place without a child.
pub(super) const NONE: u32 = u32::MAX;

/// Eight boxes: x, y, z of their lower and upper corners. Places without a child have a box that nothing hits.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(super) struct Node {
    pub min: [[f32; WIDTH]; 3],
    pub max: [[f32; WIDTH]; 3],
    /// Index of a node; with [`LEAF`], of a leaf; [`NONE`].
    pub children: [u32; WIDTH],
}

impl Node {
    /// A node without children.
    pub(super) const EMPTY: Node =
        Node { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3], children: [NONE; WIDTH] };

    /// Puts a child with this box in a place.
    pub(super) fn set(&mut self, place: usize, [low, high]: [[f32; 3]; 2], child: u32) {
        for axis in 0..3 {
            self.min[axis][place] = low[axis];
            self.max[axis][place] = high[axis];
        }
        self.children[place] = child;
    }
}

/// Up to eight triangles: x, y, z of their three corners. Unused places have triangles of no size at infinity.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(super) struct Leaf {
    pub corners: [[[f32; WIDTH]; 3]; 3],
    /// Index of each triangle.
    pub triangles: [u32; WIDTH],
}

/// Triangles in a frame of their own, in which f32 is precise enough.
#[derive(Clone, Debug)]
pub struct Tree {
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
    pub fn new(corners: &[Vec3]) -> Tree {
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
        let merge = Merge { binary: &binary, numbers: &finite, triangles: &triangles };
        if root.is_leaf() {
            let leaf = merge.leaf(&mut tree, &root);
            tree.nodes.push(Node::EMPTY);
            tree.nodes[0].set(0, tree.bounds, leaf);
        } else {
            merge.node(&mut tree, &root);
        }
        tree
    }

    /// Number of triangles.
    pub(super) fn triangle_count(&self) -> usize {
        self.leaves.iter().flat_map(|leaf| &leaf.triangles).filter(|&&triangle| triangle != NONE).count()
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
    /// Cost of visiting a node, in tests of a triangle: low, as a leaf of eight costs as much as one of one.
    const VISIT_COST: f32 = 3.0;
    let all = (0..boxes.len() as u32).collect();
    let mut tree =
        PlocBuilder::with_capacity(boxes.len()).build(PlocSearchDistance::Medium, boxes, all, SortPrecision::U64, 0);
    let mut optimizer = ReinsertionOptimizer::default();
    optimizer.run(&mut tree, REINSERTED, None);
    collapse(&mut tree, WIDTH as u32, VISIT_COST);
    tree
}

/// Merges the levels of a binary tree.
struct Merge<'a> {
    binary: &'a Bvh2,
    /// Number of each triangle of the binary tree.
    numbers: &'a [u32],
    triangles: &'a [[[f32; 3]; 3]],
}

impl Merge<'_> {
    /// Adds the node over the descendants of an inner node, and everything below it. Returns its index.
    fn node(&self, tree: &mut Tree, from: &Bvh2Node) -> u32 {
        let index = tree.nodes.len();
        tree.nodes.push(Node::EMPTY);
        let mut children: Vec<Bvh2Node> = self.children(from).to_vec();
        // The largest child is opened, until there are eight.
        while children.len() < WIDTH {
            let inner = children.iter().enumerate().filter(|(_, child)| !child.is_leaf());
            let largest = inner.max_by(|(_, a), (_, b)| a.aabb.half_area().total_cmp(&b.aabb.half_area()));
            let Some((place, _)) = largest else { break };
            let opened = children.swap_remove(place);
            children.extend(self.children(&opened));
        }
        for (place, child) in children.iter().enumerate() {
            let below = if child.is_leaf() { self.leaf(tree, child) } else { self.node(tree, child) };
            tree.nodes[index].set(place, corners_of(child), below);
        }
        index as u32
    }

    fn children(&self, node: &Bvh2Node) -> [Bvh2Node; 2] {
        let first = node.first_index as usize;
        [self.binary.nodes[first], self.binary.nodes[first + 1]]
    }

    fn leaf(&self, tree: &mut Tree, node: &Bvh2Node) -> u32 {
        let range = node.first_index as usize..(node.first_index + node.prim_count) as usize;
        let mut leaf = Leaf { corners: [[[f32::INFINITY; WIDTH]; 3]; 3], triangles: [NONE; WIDTH] };
        for (place, &primitive) in self.binary.primitive_indices[range].iter().enumerate().take(WIDTH) {
            let number = self.numbers[primitive as usize];
            for (corner, point) in self.triangles[number as usize].iter().enumerate() {
                for axis in 0..3 {
                    leaf.corners[corner][axis][place] = point[axis];
                }
            }
            leaf.triangles[place] = number;
        }
        tree.leaves.push(leaf);
        LEAF | (tree.leaves.len() - 1) as u32
    }
}
