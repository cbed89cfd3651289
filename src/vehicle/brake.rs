//! The brakes of a vehicle that shall stand: while it still rolls they carry the pull of a slope, and once it is slow
//! enough they lock all wheels.
//!
//! Locked wheels hold the body by static friction. How the wheels share what there is to hold is not determined by
//! statics, so it is found step by step: each contact in turn gets the force that stops its point of the body, beside
//! what the others do, within its own limit, and remembers it for the next step (projected Gauss-Seidel on impulses with
//! warm start; E. Catto, "Iterative dynamics with temporal coherence", GDC 2005). A vehicle at rest on a slope then keeps
//! the forces that balance gravity, and what a wheel on ice cannot hold the others take over.
//!
//! Not modelled: the torque that a real brake can bear, and wear. MVSim's rules have no brake: there the contact itself
//! keeps wheels from rolling downhill.

use super::vehicle::WheelGround;
use super::wheel::Wheel;
use crate::friction::{FrictionLaw, WheelContact};
use crate::math::{Twist2, Vec2};
use crate::world::Inertia;

/// At most so many rounds over the wheels in a step. Each takes about nine tenths of what is left of the motion.
const MOST_ROUNDS: usize = 16;
/// Forces that change by less than this share of the weight are found.
const ACCURACY: f64 = 1e-12;

/// What the brakes keep between steps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Brakes {
    locked: bool,
    /// What each locked contact does [N], in the body frame.
    force_in_body: Vec<Vec2>,
    /// Mass [kg] that a force at each wheel moves, at least.
    point_mass: Vec<f64>,
}

/// What locked wheels have to hold.
pub(super) struct Load<'a> {
    pub law: &'a dyn FrictionLaw,
    pub wheels: &'a [Wheel],
    /// Load of each wheel [N].
    pub load: &'a [f64],
    pub ground: &'a [WheelGround],
    pub inertia: Inertia,
    /// Of the reference point [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Pull of gravity along the ground, at the centre of mass [N].
    pub gravity_in_body: Vec2,
    /// Step [s].
    pub dt: f64,
}

impl Brakes {
    /// Open brakes of a vehicle with this `inertia` on these wheels.
    pub(super) fn new(wheels: &[Wheel], inertia: Inertia) -> Brakes {
        let point_mass = |wheel: &Wheel| {
            let arm = wheel.parameters.position - inertia.center_of_mass;
            1.0 / (1.0 / inertia.mass + arm.dot(arm) / inertia.yaw)
        };
        Brakes {
            locked: false,
            force_in_body: vec![Vec2::ZERO; wheels.len()],
            point_mass: wheels.iter().map(point_mass).collect(),
        }
    }

    /// Opens the brakes.
    pub(super) fn release(&mut self) {
        if self.locked {
            self.locked = false;
            self.force_in_body.fill(Vec2::ZERO);
        }
    }

    /// Whether the wheels are locked in this step, of a vehicle that moves with `velocity_in_body` and shall be held below
    /// `stand_below` [m/s]. What slides on locked wheels stays locked.
    pub(super) fn lock(&mut self, stand_below: Option<f64>, wheels: &[Wheel], velocity_in_body: Twist2) -> bool {
        match stand_below {
            None => self.release(),
            Some(_) if self.locked => {}
            Some(speed) => {
                self.locked = wheels.iter().all(|wheel| {
                    let over_ground = velocity_in_body.at_point(wheel.parameters.position);
                    over_ground.dot(over_ground) < speed * speed && wheel.rim_speed().abs() < speed
                });
            }
        }
        self.locked
    }

    /// The force of the ground on each locked wheel [N], in the body frame.
    pub(super) fn hold(&mut self, task: &Load<'_>) -> &[Vec2] {
        let &Load { inertia, gravity_in_body, dt, .. } = task;
        let com = inertia.center_of_mass;
        let sum = |a: Vec2, b: &Vec2| a + *b;
        let held = self.force_in_body.iter().fold(gravity_in_body, sum);
        let arms = task.wheels.iter().map(|wheel| wheel.parameters.position - com);
        let turning: f64 = arms.zip(&self.force_in_body).map(|(arm, force)| arm.cross(*force)).sum();
        // How the centre of mass will move after this step, with the forces so far.
        let mut velocity = task.velocity_in_body.at_point(com) + (dt / inertia.mass) * held;
        let mut yaw_rate = task.velocity_in_body.wz + dt / inertia.yaw * turning;
        let enough = ACCURACY * task.load.iter().sum::<f64>();
        for _ in 0..MOST_ROUNDS {
            let mut most = 0.0_f64;
            for (i, wheel) in task.wheels.iter().enumerate() {
                let arm = wheel.parameters.position - com;
                let wheel_from_body = wheel.body_from_wheel().inverse();
                let contact = WheelContact {
                    velocity_in_wheel: wheel_from_body * (velocity + yaw_rate * arm.perpendicular()),
                    // The contact gives what it gave so far, and stops its point.
                    gravity_in_wheel: wheel_from_body * -self.force_in_body[i],
                    load: task.load[i],
                    mass: self.point_mass[i],
                    spin: wheel.spin,
                    torque: 0.0,
                    radius: wheel.parameters.radius,
                    inertia: wheel.parameters.inertia,
                    locked: true,
                    ground_mu: task.ground[i].mu,
                    ground_rolling_resistance: task.ground[i].rolling_resistance,
                    dt,
                };
                let force = wheel.body_from_wheel() * task.law.react(&contact).force_in_wheel;
                let change = force - self.force_in_body[i];
                self.force_in_body[i] = force;
                velocity = velocity + (dt / inertia.mass) * change;
                yaw_rate += dt / inertia.yaw * arm.cross(change);
                most = most.max(change.x.abs()).max(change.y.abs());
            }
            if most <= enough {
                break;
            }
        }
        &self.force_in_body
    }
}

/// Torque [N·m] with which the brake of a wheel takes its share of a slope's pull from a wheel that turns downhill, so that
/// the vehicle slows down as on level ground. `share` is the part of the vehicle's load on this wheel [-].
#[inline]
pub(super) fn torque_against_slope(wheel: &Wheel, gravity_in_body: Vec2, share: f64) -> f64 {
    let pull = (wheel.body_from_wheel().inverse() * gravity_in_body).x;
    if pull * wheel.spin > 0.0 { -pull * share * wheel.parameters.radius } else { 0.0 }
}
