//! Models that move in themselves: their triangles are moved and the boxes of their tree drawn around them again, on the nodes that the tree had.
//!
//! Rays meet what they would meet in a tree that is built anew, except for triangles that were not finite when the tree was built: it does
//! not have them, and they do not come back. Rays visit more of its boxes where the model has bent far from the pose that
//! the tree was built in. Nothing is allocated, and what comes out depends on the last pose alone.

use std::sync::Arc;

use wide::f32x4;

use super::top::Bounds;
use super::tree::{LEAF, LEAF_WIDTH, Leaf, Node, Tree};
use super::{Model, Space};

impl Space {
    /// Moves the triangles of an instance within its model [m]: each has these three of these vertices, in the order in which its model was made.
    /// Other instances of that model stay as they are. Counts from the next [`finish`](Self::finish) on.
    pub fn reshape(&mut self, index: usize, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) {
        let instance = &mut self.instances[index];
        let model = Arc::make_mut(&mut instance.model);
        Arc::make_mut(&mut model.tree).refit(vertices, triangles);
        model.reshaped.get_or_insert_default().revision += 1;
        self.boxes[index] = instance.bounds(self.origin);
    }
}

/// What a model is called whose triangles move.
#[derive(Debug, Default)]
pub(super) struct Reshaped {
    /// Its address is the name. Not of size zero, so that each has its own.
    name: Arc<u8>,
    revision: u64,
}

impl Reshaped {
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.name).addr()
    }
}

impl Clone for Reshaped {
    /// Under another name: from here on the two move apart.
    fn clone(&self) -> Reshaped {
        Reshaped { name: Arc::default(), revision: self.revision }
    }
}

/// Keeps the [address](Model::address) of a model from being that of another one, and not more than it has to.
#[derive(Clone, Debug)]
pub struct Keeper(#[allow(dead_code, reason = "what it is for is that it is there")] Kept);

#[derive(Clone, Debug)]
#[allow(dead_code, reason = "as above")]
enum Kept {
    Triangles(Arc<Tree>),
    Name(Arc<u8>),
}

impl Model {
    /// Keeps its address its own.
    pub fn keeper(&self) -> Keeper {
        Keeper(match &self.reshaped {
            Some(reshaped) => Kept::Name(Arc::clone(&reshaped.name)),
            None => Kept::Triangles(Arc::clone(&self.tree)),
        })
    }

    /// How often its triangles have moved.
    pub fn revision(&self) -> u64 {
        self.reshaped.as_ref().map_or(0, |reshaped| reshaped.revision)
    }
}

impl Tree {
    /// Moves its triangles to these places and fits all boxes to them.
    fn refit(&mut self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) {
        // Nodes come after those that they are children of.
        for index in (0..self.nodes.len()).rev() {
            let children = self.nodes[index].children;
            for (place, child) in children.into_iter().enumerate() {
                let bounds = if child & LEAF == 0 {
                    self.nodes.get(child as usize).map(around)
                } else {
                    let leaf = self.leaves.get_mut((child & !LEAF) as usize);
                    leaf.map(|leaf| leaf.refit(vertices, triangles))
                };
                if let Some(bounds) = bounds {
                    self.nodes[index].set(place, bounds, child);
                }
            }
        }
        self.bounds = self.nodes.first().map_or(self.bounds, around);
    }
}

impl Leaf {
    /// Moves its triangles to these places. Returns the box around them.
    fn refit(&mut self, vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Bounds {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        // By corner and place; where there is no triangle they are at infinity, as in a new leaf.
        let mut points = [[[f32::INFINITY; 3]; LEAF_WIDTH]; 3];
        for (place, &triangle) in self.triangles.iter().enumerate() {
            let Some(triangle) = triangles.get(triangle as usize) else { continue };
            for (points, &vertex) in points.iter_mut().zip(triangle) {
                let Some(point) = vertices.get(vertex as usize) else { continue };
                points[place] = *point;
                for axis in 0..3 {
                    low[axis] = less(low[axis], point[axis]);
                    high[axis] = more(high[axis], point[axis]);
                }
            }
        }
        for (corner, points) in self.corners.iter_mut().zip(points) {
            for (axis, all) in corner.iter_mut().enumerate() {
                *all = f32x4::new(points.map(|point| point[axis]));
            }
        }
        [low, high]
    }
}

/// The box around the children of a node; places without a child do not count.
fn around(node: &Node) -> Bounds {
    let [lower, upper] = &node.bounds;
    let least = |axis: usize| lower[axis].as_array().iter().copied().fold(f32::INFINITY, less);
    let most = |axis: usize| upper[axis].as_array().iter().copied().fold(f32::NEG_INFINITY, more);
    [[0, 1, 2].map(least), [0, 1, 2].map(most)]
}

/// The smaller number; an instruction less than of [`f32::min`], which knows what is no number.
#[inline(always)]
fn less(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The larger number.
#[inline(always)]
fn more(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skidpad_math::{Pose3, Vec3};

    use super::super::{Looker, Ray, Surface};
    use super::*;

    fn space(model: Arc<Model>) -> Space {
        let mut space = Space::new(Vec3::zeros());
        let pose = Pose3 { x: 0.3, y: -0.2, z: 0.1, yaw: 0.4, ..Pose3::default() };
        space.add(model, Arc::new([Surface::default()]), None, pose);
        space.finish();
        space
    }

    fn corners(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<Vec3> {
        triangles.iter().flatten().map(|&vertex| Vec3::from(vertices[vertex as usize].map(f64::from))).collect()
    }

    fn point() -> impl Strategy<Value = [f32; 3]> {
        [-2.0_f32..2.0, -2.0_f32..2.0, -2.0_f32..2.0]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Vertices that have moved anywhere: rays meet the same triangle as in a tree that is built of them, at the same distance bit by bit.
        #[test]
        fn rays_meet_what_they_meet_in_a_new_tree(
            before in prop::collection::vec(point(), 60),
            after in prop::collection::vec(point(), 60),
            triangles in prop::collection::vec([0_u32..60, 0_u32..60, 0_u32..60], 1..200),
            rays in prop::collection::vec((point(), point()), 50),
        ) {
            let model = Arc::new(Model::new(&corners(&before, &triangles)));
            let mut moved = space(Arc::clone(&model));
            // By way of another pose: what comes out depends on the last one alone.
            moved.reshape(0, &after.iter().map(|p| p.map(|c| 3.0 * c)).collect::<Vec<_>>(), &triangles);
            moved.reshape(0, &after, &triangles);
            moved.finish();
            let built = space(Arc::new(Model::new(&corners(&after, &triangles))));
            // The model that others show has not moved: it is as one that is made of the same numbers.
            let (still, unmoved) = (space(model), space(Arc::new(Model::new(&corners(&before, &triangles)))));
            for (origin, towards) in rays {
                let [origin, towards] = [origin, towards].map(|p| Vec3::from(p.map(f64::from)));
                let direction = (2.0 * towards - origin).normalize();
                let ray = Ray { origin: 3.0 * origin, direction, near: 0.0, far: 50.0, hidden: None, looker: Looker::Lidar };
                let (a, b) = (moved.cast(&ray), built.cast(&ray));
                prop_assert_eq!(a.map(|hit| hit.range.to_bits()), b.map(|hit| hit.range.to_bits()));
                prop_assert_eq!(still.cast(&ray), unmoved.cast(&ray));
            }
        }
    }
}
