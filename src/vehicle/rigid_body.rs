//! Rigid body in the plane: mass properties, shape, and the forces on it.

use skidpad_math::{Rot2, Vec2};

use super::chassis::Chassis;
use super::wheel::Wheel;

/// Mass properties of a movable body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass [m] in the body frame.
    pub center_of_mass: Vec2,
    /// Yaw inertia about the centre of mass [kg·m²].
    pub yaw: f64,
}

impl Inertia {
    /// Smallest mass [kg] that a force at the point `p` [m] of the body moves there: across its arm.
    pub fn mass_at(&self, p: Vec2) -> f64 {
        let arm = p - self.center_of_mass;
        1.0 / (1.0 / self.mass + arm.dot(arm) / self.yaw)
    }

    /// Such a mass [kg] for each of two wheels on the sides of an axle, one of them at `p` [m], that push at once: together they stop a
    /// motion across the body, and reverse none.
    pub(super) fn mass_of_pair_at(&self, p: Vec2) -> f64 {
        let arm = p - self.center_of_mass;
        let across = 1.0 / self.mass + arm.x * arm.x / self.yaw;
        1.0 / (across + arm.y * arm.y / self.yaw).max(2.0 * across)
    }
}

/// A convex piece of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Outline [m] in the body frame; its convex hull collides.
    pub outline: Vec<Vec2>,
    /// Coulomb friction against other bodies [-]; a pair of bodies has the geometric mean.
    pub friction: f64,
    /// Restitution [-]; a pair of bodies has the larger value. In a body with several pieces, the first piece's value counts.
    pub restitution: f64,
}

/// The force [N] and torque [N·m] on a body about its reference point, in the body frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force [N].
    pub force_in_body: Vec2,
    /// Torque about the reference point [N·m].
    pub torque: f64,
}

impl Wrench {
    /// Adds a force [N] at the point `at` [m], both in the body frame.
    #[inline]
    pub fn add(&mut self, force_in_body: Vec2, at: Vec2) {
        self.force_in_body = self.force_in_body + force_in_body;
        self.torque += at.cross(force_in_body);
    }
}

/// Mass properties of chassis and wheels together (each wheel a uniform rectangle seen from above, as in MVSim).
pub fn total_inertia(chassis: &Chassis, wheels: &[Wheel]) -> Inertia {
    let (mut mass, mut moment) = (chassis.mass, chassis.mass * chassis.center_of_mass);
    for wheel in wheels {
        mass += wheel.parameters.mass;
        moment = moment + wheel.parameters.mass * wheel.parameters.position;
    }
    let center_of_mass = (1.0 / mass) * moment;
    let arm = |p: Vec2| (p - center_of_mass).dot(p - center_of_mass);
    let mut yaw = chassis.inertia + chassis.mass * arm(chassis.center_of_mass);
    for wheel in wheels {
        let p = &wheel.parameters;
        let length = 2.0 * p.radius;
        yaw += p.mass * ((length * length + p.width * p.width) / 12.0 + arm(p.position));
    }
    Inertia { mass, center_of_mass, yaw }
}

/// Collision shapes: the chassis and each wheel, straight ahead, as a rectangle. Friction and restitution as in MVSim.
pub fn collision_pieces(chassis: &Chassis, wheels: &[Wheel]) -> Vec<Piece> {
    let mut pieces = vec![Piece { outline: chassis.outline.clone(), friction: 0.0, restitution: 0.01 }];
    pieces.extend(wheels.iter().map(|w| Piece { outline: wheel_outline(w), friction: 0.5, restitution: 0.05 }));
    pieces
}

/// The rectangle of a wheel straight ahead, seen from above [m], in the body frame.
pub fn wheel_outline(wheel: &Wheel) -> Vec<Vec2> {
    let p = &wheel.parameters;
    rectangle([p.radius, 0.5 * p.width], p.position, p.mount_yaw).to_vec()
}

/// Corners [m] of a rectangle with these half sides [m] about a middle [m], turned by `yaw` [rad].
pub fn rectangle([a, b]: [f64; 2], middle: Vec2, yaw: f64) -> [Vec2; 4] {
    let turn = Rot2::new(yaw);
    [(-a, -b), (a, -b), (a, b), (-a, b)].map(|(x, y)| middle + turn * Vec2::new(x, y))
}
