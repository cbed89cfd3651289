//! Shapes that collide: convex pieces of bodies, scenery, and maps.

use std::sync::Arc;

use rapier2d_f64::parry::shape::{ConvexPolygon, Voxels};
use rapier2d_f64::prelude::{ActiveHooks, CoefficientCombineRule, ColliderBuilder, IVector, SharedShape, Vector};
use skidpad_math::{Circle, Pose2, Vec2};

use super::circle;
use super::overlaps::Core;
use super::wall_contacts::Walls;
use super::wall_shape::{PieceShape, SharedMotion, WallShape};
use super::{Physics, SceneryIndex, pose, vector};
use crate::raycast::{ALL_HEIGHTS, OccupancyGrid};
use crate::vehicle::Piece;

/// The convex hull of a piece; none without area.
fn hull_of(piece: &Piece) -> Option<ConvexPolygon> {
    let points: Vec<Vector> = piece.outline.iter().map(|&p| vector(p)).collect();
    ConvexPolygon::from_convex_hull(&points)
}

/// The circle in the middle of a piece's convex hull; none without area. The body has its centre of mass at `center` [m].
pub(super) fn core_of(piece: &Piece, center: Vec2) -> Option<Core> {
    let hull = hull_of(piece)?;
    if let Some(Circle { center, radius }) = circle::of_polygon(&hull, Some(center)) {
        return Some(Core { center, radius });
    }
    let corners: Vec<Vec2> = hull.points().iter().map(|p| Vec2::new(p.x, p.y)).collect();
    Some(Core::of(&corners))
}

/// Distance [m] of the farthest point of a piece from the centre of mass of its body, at `center` [m].
pub(super) fn reach_of(piece: &Piece, center: Vec2) -> f64 {
    let circle = hull_of(piece).and_then(|hull| circle::of_polygon(&hull, Some(center)));
    let of_corners = || piece.outline.iter().map(|&p| (p - center).norm()).fold(0.0, f64::max);
    circle.map_or_else(of_corners, |circle| circle.reach_from(center))
}

/// The engine's collision shape of a piece of scenery; none without area.
fn fixed_collider_of(piece: &Piece, storey: u32) -> Option<ColliderBuilder> {
    let polygon = hull_of(piece)?;
    let builder = match circle::of_polygon(&polygon, None) {
        Some(circle) => body_shape(polygon, Some(circle), &Arc::default(), Vec2::ZERO),
        None => ColliderBuilder::new(SharedShape::new(polygon)),
    };
    Some(collider(piece, builder, storey))
}

/// The engine's collision shape of a piece of a body, which moves by `motion` and has its centre of mass at `center` [m]; none without
/// area.
pub(super) fn collider_of(
    piece: &Piece,
    storey: u32,
    motion: &Arc<SharedMotion>,
    center: Vec2,
) -> Option<ColliderBuilder> {
    let polygon = hull_of(piece)?;
    let circle = circle::of_polygon(&polygon, Some(center));
    Some(collider(piece, body_shape(polygon, circle, motion, center), storey))
}

fn body_shape(
    polygon: ConvexPolygon,
    circle: Option<Circle>,
    motion: &Arc<SharedMotion>,
    center: Vec2,
) -> ColliderBuilder {
    ColliderBuilder::new(SharedShape::new(PieceShape { polygon, circle, motion: Arc::clone(motion), center }))
}

fn collider(piece: &Piece, builder: ColliderBuilder, storey: u32) -> ColliderBuilder {
    let collider = builder.density(0.0).user_data(u128::from(storey)).active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
    with_friction(collider, piece.friction)
}

/// Sets the friction [-] of a collider, and how the coefficients of two colliders are combined. The engine's own restitution,
/// which solves the contacts of a face one after the other, is not used.
fn with_friction(collider: ColliderBuilder, friction: f64) -> ColliderBuilder {
    collider.friction(friction).friction_combine_rule(CoefficientCombineRule::GeometricMean).restitution(0.0)
}

impl Physics {
    /// Adds a piece of scenery that never moves, at this pose [m, rad], with this vertical extent [m]. One without area does
    /// not collide.
    pub fn add_static(&mut self, piece: &Piece, world_from_piece: Pose2, heights: [f64; 2]) -> SceneryIndex {
        let storey = self.collision_filter.add(heights, piece.restitution);
        let collider = fixed_collider_of(piece, storey).map(|collider| collider.position(pose(world_from_piece)));
        self.insert_scenery(storey, collider);
        storey
    }

    /// Adds the occupied cells of a map as one static shape at this pose [m, rad], with `friction` [-] and
    /// `restitution` [-] as those of a piece.
    pub fn add_map(
        &mut self,
        shape: &MapShape,
        world_from_map: Pose2,
        friction: f64,
        restitution: f64,
    ) -> SceneryIndex {
        let storey = self.collision_filter.add(ALL_HEIGHTS, restitution);
        let collider =
            ColliderBuilder::new(shape.0.clone()).position(pose(world_from_map)).user_data(u128::from(storey));
        self.insert_scenery(storey, Some(with_friction(collider, friction)));
        storey
    }
}

/// The occupied cells of a map, as the engine takes them. Cheap to clone.
#[derive(Clone)]
pub struct MapShape(SharedShape);

impl MapShape {
    /// That of a map; none if no cell is occupied.
    pub fn new(map: &Arc<OccupancyGrid>) -> Option<MapShape> {
        let cells = surface_cells(map);
        (!cells.is_empty()).then(|| {
            let voxels = Voxels::new(Vector::splat(map.resolution), &cells);
            MapShape(SharedShape::new(WallShape { walls: Arc::new(Walls::new(map)), voxels }))
        })
    }
}

/// The occupied cells with at least one of their eight neighbours free or off the map, row by row: cells inside a solid cannot be
/// touched.
fn surface_cells(map: &OccupancyGrid) -> Vec<IVector> {
    let mut cells = Vec::new();
    for y in 0..map.height {
        if !map.has_obstacle_in_row(y) {
            continue;
        }
        // Whether a column is occupied from the row before to the row after.
        let is_solid = |x: usize| y > 0 && (y - 1..=y + 1).all(|row| map.is_occupied(x, row));
        let (mut was_solid, mut is_column_solid) = (false, is_solid(0));
        for x in 0..map.width {
            let is_next_solid = is_solid(x + 1);
            if map.is_occupied(x, y) && !(was_solid && is_column_solid && is_next_solid) {
                cells.push(IVector::new(x as i64, y as i64));
            }
            (was_solid, is_column_solid) = (is_column_solid, is_next_solid);
        }
    }
    cells
}
