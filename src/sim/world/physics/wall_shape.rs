//! The shapes by which bodies meet the walls of maps in the engine: [`WallShape`] is the walls, [`PieceShape`] a piece
//! of a body that knows how it moves within the step, and [`Dispatcher`] hands the engine their contacts
//! (`physics/wall_contacts.rs`). All other questions go to the engine's own shapes inside of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rapier2d_f64::geometry::{ContactData, ContactManifold, ContactManifoldData, TrackedContact};
use rapier2d_f64::parry::bounding_volume::{Aabb, BoundingSphere};
use rapier2d_f64::parry::mass_properties::MassProperties;
use rapier2d_f64::parry::query::details::{NormalConstraints, ShapeCastOptions};
use rapier2d_f64::parry::query::{
    ClosestPoints, Contact, ContactManifoldsWorkspace, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, PointProjection, PointQuery, QueryDispatcher, Ray, RayCast, RayIntersection,
    ShapeCastHit, ShapeCastStatus, ShapeDistance, ShapeIntersection, Unsupported,
};
use rapier2d_f64::parry::shape::{
    ConvexPolygon, FeatureId, PackedFeatureId, PolygonalFeatureMap, Shape, ShapeType, SubShapeId, SupportMap,
    TypedShape, Voxels,
};
use rapier2d_f64::prelude::{Pose, Vector};
use skidpad_math::{Circle, Vec2};

use super::circle;
use super::vector;
use super::wall_contacts::{Meeting, PiecePart, WallPart, Walls};
use super::wall_mover::{Mover, StepMotion};

/// Contacts deeper than this many cells [-] give way to shallower ones that push the other way: a body across a thin
/// wall leaves it on one side.
const DEEP: f64 = 0.5;

/// How often a step is halved to find when a piece that turns hits a wall.
const HALVINGS: u32 = 6;

/// How a body moves within the present step. The engine's shapes have no other way to know it, and share it with their body.
#[derive(Debug, Default)]
pub(super) struct SharedMotion([AtomicU64; 3]);

impl SharedMotion {
    /// Sets the displacement of the centre of mass [m] in the frame of the body, and the turn [rad].
    pub(super) fn set(&self, linear: Vec2, turn: f64) {
        for (slot, value) in self.0.iter().zip([linear.x, linear.y, turn]) {
            slot.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    fn get(&self, center: Vec2) -> StepMotion {
        let [x, y, turn] = [0, 1, 2].map(|place: usize| f64::from_bits(self.0[place].load(Ordering::Relaxed)));
        StepMotion { linear: Vec2::new(x, y), turn, center }
    }
}

/// A convex piece of a body.
#[derive(Clone)]
pub(super) struct PieceShape {
    pub(super) polygon: ConvexPolygon,
    /// The circle that collides in place of the polygon.
    pub(super) circle: Option<Circle>,
    pub(super) motion: Arc<SharedMotion>,
    /// Centre of mass of the body [m], in its frame.
    pub(super) center: Vec2,
}

/// The occupied cells of a map.
#[derive(Clone)]
pub(super) struct WallShape {
    pub(super) walls: Arc<Walls>,
    pub(super) voxels: Voxels,
}

impl WallShape {
    /// Whether a piece stands in the walls, or only in free cells but nearer to them than `threshold` [m].
    pub(super) fn is_near(&self, piece: &PieceShape, map_from_piece: &Pose, threshold: f64) -> bool {
        let mut is_near = false;
        let mover = Mover::new(piece, map_from_piece, &StepMotion::default());
        self.walls.each_meeting(&mover, threshold, |meeting| is_near |= meeting.distance < threshold);
        is_near
    }
}

impl WallShape {
    /// When [s] between `start` and `end` a piece hits the walls. Contacts are made for the motion that a body has
    /// before the step; this is for what other bodies give to it within the step. The engine's own cast would hold a
    /// fast body that slides along a wall.
    fn hit_by(
        &self,
        piece: &PieceShape,
        motion: &NonlinearRigidMotion,
        world_from_map: &Pose,
        [start, end]: [f64; 2],
    ) -> Option<ShapeCastHit> {
        let world_from_piece = motion.position_at_time(start);
        let map_from_piece = world_from_map.inv_mul(&world_from_piece);
        let linear = (end - start) * (world_from_piece.rotation.inverse() * motion.linvel);
        let step_motion = StepMotion {
            linear: Vec2::new(linear.x, linear.y),
            turn: (end - start) * motion.angvel,
            center: Vec2::new(motion.local_center.x, motion.local_center.y),
        };
        let share = self.walls.first_hit(&Mover::new(piece, &map_from_piece, &step_motion));
        let end = start + share.unwrap_or(1.0) * (end - start);
        // A piece that turns leaves the straight ways of its corners.
        let depth = |time: f64| {
            let map_from_piece = world_from_map.inv_mul(&motion.position_at_time(time));
            self.walls.depth(&Mover::new(piece, &map_from_piece, &StepMotion::default()))
        };
        let allowed = depth(start) + self.walls.cut();
        let is_deep = step_motion.turn != 0.0 && depth(end) > allowed;
        if share.is_none() && !is_deep {
            return None;
        }
        let (mut free, mut deep) = (start, end);
        for _ in 0..if is_deep { HALVINGS } else { 0 } {
            let middle = 0.5 * (free + deep);
            *(if depth(middle) > allowed { &mut deep } else { &mut free }) = middle;
        }
        let time_of_impact = if is_deep { free } else { end };
        Some(ShapeCastHit {
            time_of_impact,
            witness1: Vector::ZERO,
            witness2: Vector::ZERO,
            normal1: Vector::X,
            normal2: Vector::X,
            status: ShapeCastStatus::Converged,
            subshape1: SubShapeId::default(),
            subshape2: SubShapeId::default(),
        })
    }

    /// Whether a corner of a polygon lies in an occupied cell.
    pub(super) fn contains_corner_of(&self, corners: &[Vector], map_from_polygon: &Pose) -> bool {
        corners.iter().map(|&corner| map_from_polygon * corner).any(|p| self.walls.contains(Vec2::new(p.x, p.y)))
    }
}

impl RayCast for WallShape {
    fn cast_local_ray_and_get_normal(&self, ray: &Ray, farthest: f64, solid: bool) -> Option<RayIntersection> {
        self.voxels.cast_local_ray_and_get_normal(ray, farthest, solid)
    }
}

impl PointQuery for WallShape {
    fn project_local_point(&self, p: Vector, solid: bool) -> PointProjection {
        self.voxels.project_local_point(p, solid)
    }

    fn project_local_point_and_get_feature(&self, p: Vector) -> (PointProjection, FeatureId) {
        self.voxels.project_local_point_and_get_feature(p)
    }
}

impl Shape for WallShape {
    fn compute_local_aabb(&self) -> Aabb {
        self.voxels.compute_local_aabb()
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        self.voxels.compute_local_bounding_sphere()
    }

    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    fn scale_dyn(&self, _: Vector, _: u32) -> Option<Box<dyn Shape>> {
        None
    }

    fn mass_properties(&self, _: f64) -> MassProperties {
        MassProperties::default()
    }

    fn shape_type(&self) -> ShapeType {
        ShapeType::Custom
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        TypedShape::Custom(self)
    }

    fn ccd_thickness(&self) -> f64 {
        self.voxels.ccd_thickness()
    }

    fn ccd_angular_thickness(&self) -> f64 {
        self.voxels.ccd_angular_thickness()
    }
}

impl RayCast for PieceShape {
    fn cast_local_ray_and_get_normal(&self, ray: &Ray, farthest: f64, solid: bool) -> Option<RayIntersection> {
        self.polygon.cast_local_ray_and_get_normal(ray, farthest, solid)
    }
}

impl PointQuery for PieceShape {
    fn project_local_point(&self, p: Vector, solid: bool) -> PointProjection {
        match &self.circle {
            Some(circle) => circle::project(circle, p, solid),
            None => self.polygon.project_local_point(p, solid),
        }
    }

    fn project_local_point_and_get_feature(&self, p: Vector) -> (PointProjection, FeatureId) {
        match &self.circle {
            Some(circle) => (circle::project(circle, p, false), FeatureId::Face(0)),
            None => self.polygon.project_local_point_and_get_feature(p),
        }
    }
}

/// As the engine's polygon, for all but walls and circles.
impl Shape for PieceShape {
    fn compute_local_aabb(&self) -> Aabb {
        self.compute_aabb(&Pose::IDENTITY)
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        match &self.circle {
            Some(circle) => BoundingSphere::new(vector(circle.center), circle.radius),
            None => self.polygon.compute_local_bounding_sphere(),
        }
    }

    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    fn scale_dyn(&self, scale: Vector, subdivisions: u32) -> Option<Box<dyn Shape>> {
        self.polygon.scale_dyn(scale, subdivisions)
    }

    fn compute_aabb(&self, position: &Pose) -> Aabb {
        match &self.circle {
            Some(circle) => Aabb::from_half_extents(*position * vector(circle.center), Vector::splat(circle.radius)),
            None => self.polygon.compute_aabb(position),
        }
    }

    fn mass_properties(&self, density: f64) -> MassProperties {
        self.polygon.mass_properties(density)
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn shape_type(&self) -> ShapeType {
        self.polygon.shape_type()
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        self.polygon.as_typed_shape()
    }

    fn ccd_thickness(&self) -> f64 {
        self.polygon.ccd_thickness()
    }

    fn ccd_angular_thickness(&self) -> f64 {
        self.polygon.ccd_angular_thickness()
    }

    fn as_support_map(&self) -> Option<&dyn SupportMap> {
        self.polygon.as_support_map()
    }

    fn as_polygonal_feature_map(&self) -> Option<(&dyn PolygonalFeatureMap, f64)> {
        self.polygon.as_polygonal_feature_map()
    }

    fn feature_normal_at_point(&self, subshape: u32, feature: FeatureId, p: Vector) -> Option<Vector> {
        self.polygon.feature_normal_at_point(subshape, feature, p)
    }
}

/// Contacts between pieces of bodies and walls; the engine's for all other shapes.
pub(super) struct Dispatcher {
    /// Contacts are made from this distance on [m].
    pub(super) near: f64,
}

/// The shape that the engine knows how to ask.
fn known(shape: &dyn Shape) -> &dyn Shape {
    match shape.as_shape::<WallShape>() {
        Some(wall) => &wall.voxels,
        None => shape,
    }
}

impl QueryDispatcher for Dispatcher {
    fn intersection_test(&self, pos12: &Pose, a: &dyn Shape, b: &dyn Shape) -> Result<ShapeIntersection, Unsupported> {
        DefaultQueryDispatcher.intersection_test(pos12, known(a), known(b))
    }

    fn distance(&self, pos12: &Pose, a: &dyn Shape, b: &dyn Shape) -> Result<ShapeDistance, Unsupported> {
        DefaultQueryDispatcher.distance(pos12, known(a), known(b))
    }

    fn contact(
        &self,
        pos12: &Pose,
        a: &dyn Shape,
        b: &dyn Shape,
        prediction: f64,
    ) -> Result<Option<Contact>, Unsupported> {
        DefaultQueryDispatcher.contact(pos12, known(a), known(b), prediction)
    }

    fn closest_points(
        &self,
        pos12: &Pose,
        a: &dyn Shape,
        b: &dyn Shape,
        farthest: f64,
    ) -> Result<ClosestPoints, Unsupported> {
        DefaultQueryDispatcher.closest_points(pos12, known(a), known(b), farthest)
    }

    fn cast_shapes(
        &self,
        pos12: &Pose,
        velocity: Vector,
        a: &dyn Shape,
        b: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        DefaultQueryDispatcher.cast_shapes(pos12, velocity, known(a), known(b), options)
    }

    fn cast_shapes_nonlinear(
        &self,
        motion_a: &NonlinearRigidMotion,
        a: &dyn Shape,
        motion_b: &NonlinearRigidMotion,
        b: &dyn Shape,
        start: f64,
        end: f64,
        stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        if let (Some(piece), Some(wall)) = (a.as_shape::<PieceShape>(), b.as_shape::<WallShape>()) {
            return Ok(wall.hit_by(piece, motion_a, &motion_b.start, [start, end]));
        }
        let [a, b] = [known(a), known(b)];
        DefaultQueryDispatcher.cast_shapes_nonlinear(motion_a, a, motion_b, b, start, end, stop_at_penetration)
    }
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Dispatcher {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        a: &dyn Shape,
        b: &dyn Shape,
        prediction: f64,
        manifolds: &mut Vec<ContactManifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        if let (Some(wall), Some(piece)) = (a.as_shape::<WallShape>(), b.as_shape::<PieceShape>()) {
            self.meet(wall, piece, pos12, false, manifolds);
            Ok(())
        } else if let (Some(piece), Some(wall)) = (a.as_shape::<PieceShape>(), b.as_shape::<WallShape>()) {
            self.meet(wall, piece, &pos12.inverse(), true, manifolds);
            Ok(())
        } else if circle::meet(pos12, a, b, prediction, manifolds) {
            Ok(())
        } else {
            DefaultQueryDispatcher.contact_manifolds(pos12, a, b, prediction, manifolds, workspace)
        }
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        a: &dyn Shape,
        b: &dyn Shape,
        constraints_a: Option<&dyn NormalConstraints>,
        constraints_b: Option<&dyn NormalConstraints>,
        prediction: f64,
        manifold: &mut ContactManifold,
    ) -> Result<(), Unsupported> {
        DefaultQueryDispatcher.contact_manifold_convex_convex(
            pos12,
            a,
            b,
            constraints_a,
            constraints_b,
            prediction,
            manifold,
        )
    }
}

/// Whether the step only leads to a contact of walls: its distance is that from a plane.
pub(super) fn is_ahead(point: &TrackedContact<ContactData>) -> bool {
    [point.fid1, point.fid2].contains(&AHEAD)
}

/// Marks, in place of a part of the walls, what is only ahead. Parts of pieces are vertices and faces, and so are those
/// of the engine's shapes.
const AHEAD: PackedFeatureId = PackedFeatureId::UNKNOWN;

impl Dispatcher {
    /// Replaces the contacts of a piece and walls; those that stay keep their impulses. `is_flipped`: the piece comes first.
    fn meet(
        &self,
        wall: &WallShape,
        piece: &PieceShape,
        map_from_piece: &Pose,
        is_flipped: bool,
        manifolds: &mut Vec<ContactManifold>,
    ) {
        let before = manifolds.len();
        let mover = Mover::new(piece, map_from_piece, &piece.motion.get(piece.center));
        wall.walls.each_meeting(&mover, self.near, |meeting| {
            add(&meeting, map_from_piece, is_flipped, before, manifolds);
        });
        yield_to_shallower(wall.walls.cell, before, manifolds);
        let (old, new) = manifolds.split_at_mut(before);
        for manifold in new {
            let same =
                |old: &&mut ContactManifold| [old.subshape1, old.subshape2] == [manifold.subshape1, manifold.subshape2];
            if let Some(old) = old.iter_mut().find(same) {
                std::mem::swap(&mut manifold.data, &mut old.data);
                for point in &mut manifold.points {
                    let of_piece =
                        |point: &TrackedContact<ContactData>| if is_flipped { point.fid1 } else { point.fid2 };
                    if let Some(known) = old.points.iter().find(|known| of_piece(known) == of_piece(point)) {
                        point.data = known.data;
                    }
                }
            }
        }
        manifolds.drain(..before);
    }
}

/// Adds a contact to the manifold of its part of the walls. Of more than two at one face the nearest count.
fn add(
    meeting: &Meeting,
    map_from_piece: &Pose,
    is_flipped: bool,
    before: usize,
    manifolds: &mut Vec<ContactManifold>,
) {
    let [normal, on_wall, on_piece] =
        [meeting.normal, meeting.on_wall, meeting.on_piece].map(|v| Vector::new(v.x, v.y));
    let code = meeting.wall.code();
    let of_piece = match meeting.piece {
        PiecePart::Corner(number) => PackedFeatureId::vertex(number),
        PiecePart::Side(number) => PackedFeatureId::face(number),
    };
    let of_wall = match (meeting.is_ahead, meeting.wall) {
        (true, _) => AHEAD,
        (false, WallPart::Face(..)) => PackedFeatureId::face(0),
        (false, WallPart::Corner(..)) => PackedFeatureId::vertex(0),
    };
    let in_piece = map_from_piece.inverse() * on_piece;
    let point = TrackedContact::flipped(on_wall, in_piece, of_wall, of_piece, meeting.distance, is_flipped);
    let codes = if is_flipped { [0, code] } else { [code, 0] };
    let place = manifolds[before..].iter().position(|manifold| [manifold.subshape1, manifold.subshape2] == codes);
    if let Some(place) = place {
        let points = &mut manifolds[before + place].points;
        if points.try_push(point).is_err()
            && let Some(farthest) = points.iter_mut().max_by(|a, b| a.dist.total_cmp(&b.dist))
            && farthest.dist > point.dist
        {
            *farthest = point;
        }
        return;
    }
    let mut manifold = ContactManifold::with_data(codes[0], codes[1], ContactManifoldData::default());
    let of_piece = -(map_from_piece.rotation.inverse() * normal);
    (manifold.local_n1, manifold.local_n2) = if is_flipped { (of_piece, normal) } else { (normal, of_piece) };
    manifold.points.push(point);
    manifolds.push(manifold);
}

/// Removes deep contacts among the new ones that push against shallower ones.
fn yield_to_shallower(cell: f64, before: usize, manifolds: &mut Vec<ContactManifold>) {
    let depth =
        |manifold: &ContactManifold| manifold.points.iter().fold(0.0_f64, |depth, point| depth.max(-point.dist));
    let mut place = before;
    while place < manifolds.len() {
        let manifold = &manifolds[place];
        let own_depth = depth(manifold);
        let yields = own_depth > DEEP * cell
            && manifolds[before..].iter().any(|other| {
                let other_depth = depth(other);
                other_depth > 0.0 && other_depth < own_depth && other.local_n1.dot(manifold.local_n1) < -0.1
            });
        if yields {
            manifolds.remove(place);
        } else {
            place += 1;
        }
    }
}
