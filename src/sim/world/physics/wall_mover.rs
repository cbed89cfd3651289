//! A convex piece of a body beside the walls of a map: where its corners and sides are, and how they move within the step.

use rapier2d_f64::parry::shape::ConvexPolygon;
use rapier2d_f64::prelude::{Pose, Vector};
use skidpad_math::{Circle, Vec2};

use super::wall_faces::Along;
use super::wall_shape::PieceShape;

/// A corner of a piece meets a face with sides that rise from it at least with this sine of an angle below the face
/// [-]: others of its corners are nearer otherwise.
const MIN_RISE: f64 = -0.2;

/// How a body moves within a step, in the frame of its reference point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StepMotion {
    /// Displacement of the centre of mass [m].
    pub(super) linear: Vec2,
    /// Turn [rad].
    pub(super) turn: f64,
    /// The centre of mass [m].
    pub(super) center: Vec2,
}

/// A piece as it stands in the frame of the map, and moves.
pub(super) struct Mover<'a> {
    polygon: &'a ConvexPolygon,
    /// Of a round piece, in the frame of the map.
    pub(super) circle: Option<Circle>,
    map_from_piece: Pose,
    linear: Vec2,
    turn: f64,
    center: Vec2,
}

fn from_engine(v: Vector) -> Vec2 {
    Vec2::new(v.x, v.y)
}

/// Components along and across an axis.
pub(super) fn split(along: Along, p: Vec2) -> (f64, f64) {
    match along {
        Along::X => (p.x, p.y),
        Along::Y => (p.y, p.x),
    }
}

/// A vector from its components along and across an axis.
pub(super) fn join(along: Along, t: f64, h: f64) -> Vec2 {
    match along {
        Along::X => Vec2::new(t, h),
        Along::Y => Vec2::new(h, t),
    }
}

impl<'a> Mover<'a> {
    pub(super) fn new(piece: &'a PieceShape, map_from_piece: &Pose, motion: &StepMotion) -> Mover<'a> {
        let at = |p: Vec2| from_engine(map_from_piece * Vector::new(p.x, p.y));
        let turned = |v: Vec2| from_engine(map_from_piece.rotation * Vector::new(v.x, v.y));
        Mover {
            polygon: &piece.polygon,
            circle: piece.circle.map(|circle| Circle { center: at(circle.center), ..circle }),
            map_from_piece: *map_from_piece,
            linear: turned(motion.linear),
            turn: motion.turn,
            center: at(motion.center),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.polygon.points().len()
    }

    pub(super) fn corner(&self, index: usize) -> Vec2 {
        from_engine(self.map_from_piece * self.polygon.points()[index % self.count()])
    }

    pub(super) fn outward(&self, side: usize) -> Vec2 {
        from_engine(self.map_from_piece.rotation * self.polygon.normals()[side])
    }

    /// Tangent of the angle between each side of a corner and the line that cuts the corner off.
    pub(super) fn slope_at(&self, corner: usize) -> f64 {
        let count = self.count();
        let [before, after] = [corner + count - 1, corner].map(|side| self.outward(side % count));
        before.cross(after) / (1.0 + before.dot(after)).max(1e-3)
    }

    /// Displacement of its point at `p` within the step [m].
    pub(super) fn displacement_at(&self, p: Vec2) -> Vec2 {
        self.linear + self.turn * (p - self.center).perpendicular()
    }

    /// Smallest and greatest coordinates of the region that it covers within the step.
    pub(super) fn bounds(&self) -> [Vec2; 2] {
        if let Some(Circle { center, radius }) = self.circle {
            let (end, reach) = (center + self.displacement_at(center), Vec2::new(radius, radius));
            let low = Vec2::new(center.x.min(end.x), center.y.min(end.y));
            let high = Vec2::new(center.x.max(end.x), center.y.max(end.y));
            return [low - reach, high + reach];
        }
        let (mut low, mut high) =
            (Vec2::new(f64::INFINITY, f64::INFINITY), Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for index in 0..self.count() {
            let corner = self.corner(index);
            for p in [corner, corner + self.displacement_at(corner)] {
                low = Vec2::new(low.x.min(p.x), low.y.min(p.y));
                high = Vec2::new(high.x.max(p.x), high.y.max(p.y));
            }
        }
        [low, high]
    }

    /// Whether the corner at `p` is the lowest around it, seen along `normal`, up to a small angle.
    pub(super) fn is_lowest(&self, index: usize, p: Vec2, normal: Vec2) -> bool {
        let count = self.count();
        [index + count - 1, index + 1].iter().all(|&other| {
            let side = self.corner(other) - p;
            side.dot(normal) >= MIN_RISE * side.norm()
        })
    }

    /// Whether a part of the line between two points lies deeper inside than `depth` [m].
    pub(super) fn is_crossed_by(&self, [a, b]: [Vec2; 2], depth: f64) -> bool {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for side in 0..self.count() {
            let outward = self.outward(side);
            let [from, to] = [a, b].map(|p| outward.dot(p - self.corner(side)) + depth);
            if from >= 0.0 && to >= 0.0 {
                return false;
            }
            if from > 0.0 {
                low = low.max(from / (from - to));
            } else if to > 0.0 {
                high = high.min(from / (from - to));
            }
        }
        low < high
    }
}
