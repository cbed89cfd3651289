//! Outlines that are circles collide as circles: a contact pushes them towards their middle and does not turn them.
//!
//! An outline is a polygon, and a round robot of twelve corners that meets a wall would turn onto one of its sides. So the contacts
//! of a round piece are made here, one point on the circle for each other shape. Those with the walls of maps are in `physics/wall_circle.rs`.

use rapier2d_f64::geometry::{ContactData, ContactManifold, TrackedContact};
use rapier2d_f64::parry::query::PointProjection;
use rapier2d_f64::parry::shape::{ConvexPolygon, PackedFeatureId, Shape};
use rapier2d_f64::prelude::{Pose, Vector};
use skidpad_math::{Circle, Vec2};

use super::wall_shape::PieceShape;

/// The circle in place of a convex polygon; `center_of_mass` [m] is its middle if that fits, so that contacts turn nothing. None for a
/// polygon that is no circle.
pub(super) fn of_polygon(polygon: &ConvexPolygon, center_of_mass: Option<Vec2>) -> Option<Circle> {
    let corners: Vec<Vec2> = polygon.points().iter().map(|p| Vec2::new(p.x, p.y)).collect();
    Circle::of(&corners, center_of_mass)
}

/// The nearest point of a circle to `p` [m]; `is_solid`: `p` itself inside of the circle.
pub(super) fn project(circle: &Circle, p: Vector, is_solid: bool) -> PointProjection {
    let Nearest { on, distance, .. } = nearest_of_circle(circle, p);
    let is_inside = distance <= 0.0;
    PointProjection::new(is_inside, if is_inside && is_solid { p } else { on })
}

/// The point of an outline that is nearest to another point.
struct Nearest {
    on: Vector,
    /// Out of the outline, towards the other point [-].
    normal: Vector,
    /// Distance [m], negative inside.
    distance: f64,
}

/// An outline as a circle meets it.
enum Outline<'a> {
    Circle(Circle),
    Polygon(&'a ConvexPolygon),
}

impl Outline<'_> {
    fn of(shape: &dyn Shape) -> Option<Outline<'_>> {
        match shape.as_shape::<PieceShape>() {
            Some(piece) => Some(piece.circle.map_or(Outline::Polygon(&piece.polygon), Outline::Circle)),
            None => shape.as_convex_polygon().map(Outline::Polygon),
        }
    }

    fn nearest(&self, p: Vector) -> Nearest {
        match self {
            Outline::Circle(circle) => nearest_of_circle(circle, p),
            Outline::Polygon(polygon) => nearest_of_polygon(polygon, p),
        }
    }
}

fn nearest_of_circle(circle: &Circle, p: Vector) -> Nearest {
    let center = Vector::new(circle.center.x, circle.center.y);
    let from_center = p - center;
    let length = from_center.length();
    let normal = if length > 0.0 { from_center / length } else { Vector::X };
    Nearest { on: center + circle.radius * normal, normal, distance: length - circle.radius }
}

fn nearest_of_polygon(polygon: &ConvexPolygon, p: Vector) -> Nearest {
    let (corners, normals) = (polygon.points(), polygon.normals());
    let height = |side: usize| normals[side].dot(p - corners[side]);
    let side = (0..corners.len()).fold(0, |best, side| if height(side) > height(best) { side } else { best });
    let inside = Nearest { on: p - height(side) * normals[side], normal: normals[side], distance: height(side) };
    if inside.distance <= 0.0 {
        return inside;
    }
    let on_side = |side: usize| {
        let (a, b) = (corners[side], corners[(side + 1) % corners.len()]);
        a + ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0) * (b - a)
    };
    let points = (0..corners.len()).map(on_side);
    let Some(on) = points.min_by(|a, b| (p - *a).length_squared().total_cmp(&(p - *b).length_squared())) else {
        return inside;
    };
    let distance = (p - on).length();
    if distance > 0.0 { Nearest { on, normal: (p - on) / distance, distance } } else { inside }
}

/// Whether the shape is a circle.
fn circle_of(shape: &dyn Shape) -> Option<Circle> {
    shape.as_shape::<PieceShape>()?.circle
}

/// Point of the circle in the frame of its shape, where the outline in the frame of `outline_from_circle` is nearest.
fn approach(circle: &Circle, outline: &Outline<'_>, outline_from_circle: &Pose) -> (Nearest, Vector, Vector) {
    let center = Vector::new(circle.center.x, circle.center.y);
    let nearest = outline.nearest(*outline_from_circle * center);
    let away = -(outline_from_circle.rotation.inverse() * nearest.normal);
    (nearest, center + circle.radius * away, away)
}

/// Distance [m] of two shapes of which at least one is a circle, negative where they overlap; `pos12` is the pose of the second in
/// the frame of the first. None without a circle.
pub(super) fn distance(pos12: &Pose, a: &dyn Shape, b: &dyn Shape) -> Option<f64> {
    let (circle, other, other_from_circle) = match (circle_of(a), circle_of(b)) {
        (_, Some(circle)) => (circle, a, *pos12),
        (Some(circle), None) => (circle, b, pos12.inverse()),
        (None, None) => return None,
    };
    let (nearest, ..) = approach(&circle, &Outline::of(other)?, &other_from_circle);
    Some(nearest.distance - circle.radius)
}

/// Makes the contact of two shapes if at least one of them is a circle and they are nearer than `prediction` [m]; false, without any
/// effect, without a circle. The contact keeps its impulses.
pub(super) fn meet(
    pos12: &Pose,
    a: &dyn Shape,
    b: &dyn Shape,
    prediction: f64,
    manifolds: &mut Vec<ContactManifold>,
) -> bool {
    let (circle, other, other_from_circle, is_flipped) = match (circle_of(a), circle_of(b)) {
        (_, Some(circle)) => (circle, a, *pos12, false),
        (Some(circle), None) => (circle, b, pos12.inverse(), true),
        (None, None) => return false,
    };
    let Some(outline) = Outline::of(other) else { return false };
    let (nearest, on_circle, away) = approach(&circle, &outline, &other_from_circle);
    if manifolds.is_empty() {
        manifolds.push(ContactManifold::new());
    }
    let Some(manifold) = manifolds.first_mut() else { return true };
    let distance = nearest.distance - circle.radius;
    if distance > prediction {
        manifold.clear();
        return true;
    }
    let part = PackedFeatureId::face(0);
    let point: TrackedContact<ContactData> =
        TrackedContact::flipped(nearest.on, on_circle, part, part, distance, is_flipped);
    match manifold.points.first_mut() {
        Some(known) => known.copy_geometry_from(point),
        None => manifold.points.push(point),
    }
    (manifold.local_n1, manifold.local_n2) = if is_flipped { (away, nearest.normal) } else { (nearest.normal, away) };
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_of_a_polygon_lies_on_a_side_or_a_corner() {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vector::new(x, y));
        let square = ConvexPolygon::from_convex_hull(&corners).unwrap();
        let diagonal = 0.5_f64.sqrt();
        for (p, on, normal, distance) in [
            ((3.0, 0.5), (1.0, 0.5), (1.0, 0.0), 2.0),
            ((2.0, 2.0), (1.0, 1.0), (diagonal, diagonal), 2.0_f64.sqrt()),
            ((0.1, -0.9), (0.1, -1.0), (0.0, -1.0), -0.1),
            ((1.0, 0.0), (1.0, 0.0), (1.0, 0.0), 0.0),
        ] {
            let nearest = nearest_of_polygon(&square, Vector::new(p.0, p.1));
            assert!((nearest.on - Vector::new(on.0, on.1)).length() < 1e-15, "{p:?}");
            assert!((nearest.normal - Vector::new(normal.0, normal.1)).length() < 1e-15, "{p:?}");
            assert!((nearest.distance - distance).abs() < 1e-15, "{p:?}");
        }
    }
}
