//! What stands still, gathered in the frame of the space: the scenery, and the plain blocks of each square of the ground. Squares are
//! divided until few blocks are in each, so that one that comes, goes or is moved leaves the trees of the others as they are; rays meet one
//! tree in which all of them are joined.
//!
//! Which blocks are in one square follows from the blocks alone, not from the order in which they came: what is kept from an earlier scene
//! is what would be built of this one.

use std::collections::BTreeMap;
use std::sync::Arc;

use skidpad_math::{Pose3, Vec2, Vec3};

use super::models::{on_picture, visible_corners};
use super::{Surroundings, map};
use crate::raycast::OccupancyGrid;
use crate::raycast::space::{self, Model, OnPicture, Part, SeenBy, Surface};
use crate::world::drawing::{self, Drawing, Shape};
use crate::world::label::LabelledPart;
use crate::world::terrain::ElevationInfo;
use crate::world::wall::WallInfo;
use crate::world::{BlockInfo, Scene};

/// Most cells along a side of a height map that sensors see; a finer map is thinned out.
const MAX_CELLS: usize = 1000;
/// Most blocks of a square, unless they stand in one place.
const MAX_BLOCKS: usize = 64;
/// Most triangles of scenery that become one with the blocks: more would take long to copy.
const MAX_COPIED: usize = 4096;

/// What stood still in the scene before.
#[derive(Default)]
pub(super) struct Still {
    /// Origin of the space [m].
    origin: Vec3,
    scenery: Option<Scenery>,
    squares: BTreeMap<Square, Blocks>,
    /// The triangles of all squares, and of scenery that has few.
    joined: Option<Part>,
}

/// Walls, ground and maps.
struct Scenery {
    walls: Vec<WallInfo>,
    elevations: Vec<ElevationInfo>,
    maps: Vec<Arc<OccupancyGrid>>,
    map_labels: Vec<[LabelledPart; 2]>,
    /// Of each map: whether a plane of the world is its floor.
    are_floored: Vec<bool>,
    pieces: Pieces,
}

/// The blocks of a square.
struct Blocks {
    blocks: Vec<BlockInfo>,
    pieces: Pieces,
}

/// What stands still as sensors see it.
struct Pieces {
    /// Mesh files, and what not all sensors see.
    alone: Vec<Piece>,
    /// Everything else, in the frame of the space; none if there is nothing.
    gathered: Option<Part>,
}

/// An instance that stands still.
struct Piece {
    part: Part,
    seen_by: SeenBy,
    world_from_piece: Pose3,
}

/// A square of the ground: how often the whole ground is halved along either axis, and the numbers of the part along x and y.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Square(u32, [u32; 2]);

impl Surroundings {
    /// Adds walls, ground, maps and blocks that never move, in what there was `before` where that is the same.
    pub(super) fn add_still(&mut self, scene: &Scene, before: Still) {
        let origin = self.space.origin();
        let mut before = if before.origin == origin { before } else { Still::default() };
        let mut parts = Vec::new();
        let known = before.scenery.filter(|scenery| scenery.is_that_of(scene));
        let mut is_joined = known.is_some();
        let scenery = known.unwrap_or_else(|| Scenery::new(scene, self));
        self.add_alone(&scenery.pieces);
        match &scenery.pieces.gathered {
            Some(part) if part.0.surfaces.len() > MAX_COPIED => self.add_gathered(part),
            few => parts.extend(few.clone()),
        }
        let blocks = scene.blocks.iter().filter(|block| block.is_static && !block.is_animated);
        let mut squares = BTreeMap::new();
        Square::WHOLE.divide(blocks.collect(), &mut |square, blocks: Vec<&BlockInfo>| {
            let known = before.squares.remove(&square);
            let known = known.filter(|known| known.blocks.iter().eq(blocks.iter().copied()));
            is_joined &= known.is_some();
            let known = known.unwrap_or_else(|| Blocks::new(&blocks, self));
            self.add_alone(&known.pieces);
            parts.extend(known.pieces.gathered.clone());
            squares.insert(square, known);
        });
        is_joined &= before.squares.is_empty();
        let joined = if is_joined { before.joined } else { (!parts.is_empty()).then(|| space::join(&parts)) };
        joined.iter().for_each(|part| self.add_gathered(part));
        self.still = Still { origin, scenery: Some(scenery), squares, joined };
    }

    fn add_alone(&mut self, pieces: &Pieces) {
        for Piece { part: (model, surfaces), seen_by, world_from_piece } in &pieces.alone {
            let instance = self.space.add(Arc::clone(model), Arc::clone(surfaces), None, *world_from_piece);
            self.space.show_to(instance, *seen_by);
        }
    }

    /// Adds triangles in the frame of the space.
    fn add_gathered(&mut self, part: &Part) {
        let (model, surfaces) = part;
        let origin = self.space.origin();
        let pose = Pose3 { x: origin.x, y: origin.y, z: origin.z, ..Pose3::default() };
        self.space.add(Arc::clone(model), Arc::clone(surfaces), None, pose);
    }

    /// The pieces of these drawings, each with the pose of its body in the world [m, rad] and its label.
    fn pieces(&mut self, drawings: impl Iterator<Item = (Drawing, Pose3, [u16; 2])>) -> Pieces {
        let (mut alone, mut gathered) = (Vec::new(), Gathered { origin: self.space.origin(), ..Gathered::default() });
        for (drawing, world_from_body, label) in drawings {
            let (world_from_piece, seen_by) = (world_from_body * drawing.pose, drawing.seen_by);
            if let (Shape::Triangles(corners), SeenBy::All) = (&drawing.shape, seen_by) {
                let surface = self.surface(&drawing, label);
                gathered.add(corners, &drawing, surface, world_from_piece);
            } else if let Some(seen) = self.models.of(&drawing, false, &mut self.problems) {
                let surfaces = self.surfaces(&drawing, label, None, &seen.textures);
                alone.push(Piece { part: (seen.model, surfaces), seen_by, world_from_piece });
            }
        }
        Pieces { alone, gathered: gathered.into_part() }
    }
}

#[cfg(test)]
impl Still {
    /// The models that were built of triangles in the frame of the space.
    pub(super) fn built(&self) -> Vec<Arc<Model>> {
        let pieces = self.scenery.iter().map(|scenery| &scenery.pieces);
        let pieces = pieces.chain(self.squares.values().map(|square| &square.pieces));
        pieces.filter_map(|pieces| pieces.gathered.as_ref()).map(|part| Arc::clone(&part.0)).collect()
    }
}

impl Scenery {
    fn new(scene: &Scene, all: &mut Surroundings) -> Scenery {
        let still = Pose3::default();
        let walls = scene
            .walls
            .iter()
            .flat_map(|wall| drawing::wall(wall).into_iter().map(move |drawing| (drawing, still, wall.label.numbers)));
        let elevations = scene.elevations.iter();
        let elevations = elevations.map(|info| (drawing::elevation(info, MAX_CELLS), still, info.label.numbers));
        let are_floored = are_floored(scene);
        let maps =
            scene.maps.iter().zip(&scene.map_labels).zip(&are_floored).flat_map(|((grid, labels), is_floored)| {
                let pose = Pose3::from_planar(grid.world_from_grid);
                let drawings = map::drawings(grid).into_iter().zip(labels).skip(usize::from(*is_floored));
                drawings.map(move |(drawing, part)| (drawing, pose, part.label.numbers))
            });
        let pieces = all.pieces(walls.chain(elevations).chain(maps));
        let Scene { walls, elevations, maps, map_labels, .. } = scene;
        Scenery {
            walls: walls.clone(),
            elevations: elevations.clone(),
            maps: maps.clone(),
            map_labels: map_labels.clone(),
            are_floored,
            pieces,
        }
    }

    fn is_that_of(&self, scene: &Scene) -> bool {
        self.walls == scene.walls
            && self.map_labels == scene.map_labels
            && self.are_floored == are_floored(scene)
            && self.maps.len() == scene.maps.len()
            && self.maps.iter().zip(&scene.maps).all(|(a, b)| Arc::ptr_eq(a, b))
            && self.elevations.len() == scene.elevations.len()
            && self.elevations.iter().zip(&scene.elevations).all(|(a, b)| is_same(a, b))
    }
}

/// Of each map whether a plane lies where its floor would be, under all of it: two surfaces at one place would be seen in spots.
fn are_floored(scene: &Scene) -> Vec<bool> {
    let grounds =
        || scene.planes.iter().filter(|plane| plane.is_level_ground() && drawing::opacity(plane.color) >= 1.0);
    let is_floored = |grid: &Arc<OccupancyGrid>| {
        let [x, y] = [grid.width, grid.height].map(|cells| cells as f64 * grid.resolution);
        let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]]
            .map(|[x, y]| grid.world_from_grid.transform_point(Vec2::new(x, y)));
        grounds().any(|plane| corners.iter().all(|&corner| plane.covers(corner)))
    };
    scene.maps.iter().map(is_floored).collect()
}

/// Whether two height maps are drawn alike. Their heights are not compared: a map with other heights is another `Arc`.
fn is_same(before: &ElevationInfo, other: &ElevationInfo) -> bool {
    let ElevationInfo { name: _, label, map, color, texture, vertex_colors, split_size: _ } = before;
    Arc::ptr_eq(map, &other.map)
        && (label, color, texture) == (&other.label, &other.color, &other.texture)
        && *vertex_colors == other.vertex_colors
}

impl Blocks {
    fn new(blocks: &[&BlockInfo], all: &mut Surroundings) -> Blocks {
        let pieces = all.pieces(blocks.iter().flat_map(|block| {
            let drawings = drawing::block(block).into_iter().chain(drawing::block_without_meshes(block));
            drawings.map(|drawing| (drawing, block.world_from_start, block.label.numbers))
        }));
        Blocks { blocks: blocks.iter().map(|&block| block.clone()).collect(), pieces }
    }
}

impl Square {
    /// All of the ground.
    const WHOLE: Square = Square(0, [0; 2]);
    /// Side of it [m]. What is farther out belongs to the squares at its edge.
    const SIDE: f64 = 2_097_152.0;
    /// Squares of half a metre are not divided.
    const MAX_HALVINGS: u32 = 22;

    /// Calls `each` with the squares that this one is divided into and the blocks whose reference points are there, in their order.
    fn divide<'a>(self, blocks: Vec<&'a BlockInfo>, each: &mut dyn FnMut(Square, Vec<&'a BlockInfo>)) {
        let Square(halvings, part) = self;
        if blocks.len() <= MAX_BLOCKS || halvings == Self::MAX_HALVINGS {
            if !blocks.is_empty() {
                each(self, blocks);
            }
            return;
        }
        let side = Self::SIDE / f64::from(1_u32 << halvings);
        let middle = part.map(|number| (f64::from(number) + 0.5) * side - 0.5 * Self::SIDE);
        for quarter in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let is_inside = |block: &&&BlockInfo| {
                let Pose3 { x, y, .. } = block.world_from_start;
                [u32::from(x >= middle[0]), u32::from(y >= middle[1])] == quarter
            };
            let inside = blocks.iter().filter(is_inside).copied().collect();
            let [x, y] = [0, 1].map(|axis| 2 * part[axis] + quarter[axis]);
            Square(halvings + 1, [x, y]).divide(inside, each);
        }
    }
}

/// Triangles in the frame of the space, each with its surface.
#[derive(Default)]
struct Gathered {
    origin: Vec3,
    corners: Vec<Vec3>,
    surfaces: Vec<Surface>,
    model: Model,
}

impl Gathered {
    /// Adds the triangles of a drawing with its surface and its pose in the world [m, rad].
    fn add(&mut self, corners: &[Vec3], drawing: &Drawing, surface: Surface, pose: Pose3) {
        let count = corners.len() / 3;
        let placed: Vec<Vec3> = corners.iter().map(|&p| pose.transform_point(p) - self.origin).collect();
        self.model.surfaces.extend(std::iter::repeat_n(self.surfaces.len() as u32, count));
        let total = self.model.surfaces.len();
        if let Some(picture) = &drawing.picture {
            self.model.on_picture.resize(total - count, OnPicture::default());
            self.model.on_picture.extend(on_picture(&placed, &picture.corners));
        }
        if !drawing.corner_colors.is_empty() {
            self.model.colors.resize(total - count, [[0; 3]; 3]);
            self.model.colors.extend(visible_corners(&drawing.corner_colors));
        }
        self.corners.extend(placed);
        self.surfaces.push(surface);
    }

    fn into_part(self) -> Option<Part> {
        let Gathered { corners, surfaces, model, .. } = self;
        (!corners.is_empty()).then(|| (Arc::new(model.with_triangles(&corners)), surfaces.into()))
    }
}

#[cfg(test)]
mod floor_tests {
    use skidpad_math::Pose2;

    use super::*;
    use crate::world::terrain::PlaneInfo;

    #[test]
    fn a_plane_that_is_the_ground_under_all_of_a_map_is_its_floor() {
        // From (1, 2) to (2, 2.5), turned by a quarter: to (0.5, 3) then.
        let grid = |yaw| {
            let pose = Pose2::new(1.0, 2.0, yaw);
            Arc::new(OccupancyGrid::new(2, 1, 0.5, pose, vec![0, 0], 50).unwrap())
        };
        let quarter = core::f64::consts::FRAC_PI_2;
        let floored = |plane: PlaneInfo, yaw| {
            are_floored(&Scene { maps: vec![grid(yaw)], planes: vec![plane], ..Scene::default() })
        };
        let plane = || PlaneInfo { x: [0.9, 2.1], y: [1.9, 2.6], color: [255; 4], ..PlaneInfo::default() };
        assert_eq!(floored(plane(), 0.0), [true]);
        assert_eq!(floored(plane(), quarter), [false], "it leaves the plane at the left and ahead");
        assert_eq!(floored(PlaneInfo { x: [0.4, 1.1], y: [1.9, 3.1], ..plane() }, quarter), [true]);
        assert_eq!(floored(PlaneInfo { z: 0.1, ..plane() }, 0.0), [false]);
        assert_eq!(floored(PlaneInfo { color: [255, 255, 255, 254], ..plane() }, 0.0), [false], "it is clear");
        assert_eq!(floored(PlaneInfo { is_animated: true, ..plane() }, 0.0), [false]);
        let sunk = Pose3 { z: -0.5, ..Pose3::default() };
        assert_eq!(floored(PlaneInfo { z: 0.5, world_from_start: sunk, ..plane() }, 0.0), [true]);
        let tilted = Pose3 { pitch: 0.1, ..Pose3::default() };
        assert_eq!(floored(PlaneInfo { world_from_start: tilted, ..plane() }, 0.0), [false]);
    }
}
