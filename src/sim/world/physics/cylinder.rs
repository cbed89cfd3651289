//! How near bodies come to upright cylinders that are no bodies, such as those that represent actors.

use rapier2d_f64::parry::query::PointQuery;
use skidpad_math::Vec2;

use super::wall_shape::PieceShape;
use super::{BodyIndex, Physics, vector};

/// How near a body is to a cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::world) struct Approach {
    /// Distance of their outlines [m]; negative where the cylinder reaches into the body.
    pub distance: f64,
    /// The point of the body that is nearest to the axis, in the world [m].
    pub position: Vec2,
    /// Unit vector in the world from the axis to the body [-].
    pub normal: Vec2,
}

impl Physics {
    /// How near a body is to an upright cylinder of `radius` [m] about `axis` [m] in the world; none if it is certainly further away than
    /// `reach` [m], or collides with nothing.
    pub(in crate::world) fn approach(&self, index: BodyIndex, axis: Vec2, radius: f64, reach: f64) -> Option<Approach> {
        let body = &self.bodies[index];
        let from_axis = body.center_in_world - axis;
        let farthest = body.radius + radius + reach;
        if from_axis.dot(from_axis) > farthest * farthest {
            return None;
        }
        let axis_in_body = body.world_from_body.inverse() * (axis - body.position());
        let colliders = self.engine.bodies.get(body.handle)?.colliders();
        let nearest_of = |piece: &PieceShape| {
            let p = piece.project_local_point(vector(axis_in_body), true).point;
            let from_axis = Vec2::new(p.x, p.y) - axis_in_body;
            (from_axis.norm(), from_axis)
        };
        let shapes = colliders.iter().filter_map(|&handle| self.engine.colliders.get(handle));
        let pieces = shapes.filter_map(|collider| collider.shape().as_shape::<PieceShape>());
        let (distance, to_piece) = pieces.map(nearest_of).min_by(|a, b| a.0.total_cmp(&b.0))?;
        let to_piece = body.world_from_body * to_piece;
        // On its axis it is pushed away from the middle of the body, and in the very middle to the front.
        let away = [to_piece, from_axis, body.world_from_body * Vec2::new(1.0, 0.0)];
        let away = away.into_iter().find(|away| away.norm() > 1e-9).unwrap_or_default();
        Some(Approach { distance: distance - radius, position: axis + to_piece, normal: (1.0 / away.norm()) * away })
    }
}
