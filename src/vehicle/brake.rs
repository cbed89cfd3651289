//! Holding brakes of a vehicle that is commanded to stand: while it still rolls they balance gravity on a slope, and once it is
//! slow enough they lock all wheels.
//!
//! Locked wheels hold the body by static friction. Statics does not determine how the wheels share the force: each takes a share
//! according to its wheel load, as the friction of a single plate on the ground would. Where that exceeds the limit of a contact,
//! the others take over: each contact in turn gets the force that stops its point of the body, in addition to the forces of the
//! others (projected Gauss-Seidel on impulses with warm start; E. Catto, "Iterative dynamics with temporal coherence", GDC 2005), the two
//! of a pair at once, so that left and right share alike. A vehicle on a slope stays in place up to rounding, at any step.
//!
//! Brakes of limited capacity (service brakes, rolling resistance) bound the force along each wheel as friction does
//! ([`Along`]); where they cannot hold the vehicle, the wheels are treated one by one.
//!
//! Not modelled: wear, and a limit of the brake torque of a vehicle that is commanded to stand without pedals. MVSim's rules
//! have no brake: there the contact itself keeps wheels from rolling downhill.

use skidpad_math::{Twist2, Vec2};

use super::Inertia;
use super::Wrench;
use super::pairs::{PairedWrench, sum_by_pairs};
use super::wheel::{Wheel, WheelGround};
use crate::friction::{FrictionLaw, WheelContact};

/// Largest number of iterations over the wheels per step. Each removes about nine tenths of the remaining motion.
const MAX_ROUNDS: usize = 16;
/// A vehicle stands if its brakes leave less than this share of its weight unheld; the following steps hold the rest.
const HELD: f64 = 1e-3;
/// Forces have converged when they change by less than this share of the weight.
const ACCURACY: f64 = 1e-12;

/// State of the brakes between steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Brakes {
    locked: bool,
    /// Force of each locked contact [N], in the body frame.
    force_in_body: Vec<Vec2>,
    /// Additional force of each contact on behalf of the others [N]; these sum to no force and no torque.
    taken_over: Vec<Vec2>,
    /// Mass [kg] that a force at each wheel has to stop.
    point_mass: Vec<f64>,
}

/// The load that locked wheels must hold.
pub(super) struct Load<'a> {
    pub law: &'a dyn FrictionLaw,
    /// Index of the first of these wheels among those of the vehicle.
    pub first: usize,
    pub wheels: &'a [Wheel],
    /// Load of each wheel [N].
    pub load: &'a [f64],
    pub ground: &'a [WheelGround],
    pub inertia: Inertia,
    /// Velocity of the reference point [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Gravity along the ground and any other force at the centre of mass [N].
    pub gravity_in_body: Vec2,
    /// Any torque besides [N·m].
    pub torque: f64,
    /// Range of the ground force along each wheel [N] that brake and motor allow, for brakes of limited capacity; empty:
    /// unlimited.
    pub along: &'a [Along],
    /// Step [s].
    pub dt: f64,
}

/// Smallest and largest force along a wheel [N] that its brake can hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Along {
    pub least: f64,
    pub most: f64,
}

impl Along {
    fn nearest(self, force: f64) -> f64 {
        force.max(self.least).min(self.most)
    }
}

impl Brakes {
    /// Open brakes of a vehicle with this `inertia` on these wheels.
    pub(super) fn new(wheels: &[Wheel], inertia: Inertia) -> Brakes {
        let point_mass = |(index, wheel): (usize, &Wheel)| {
            let place = wheel.parameters.position;
            if index ^ 1 < wheels.len() { inertia.mass_of_pair_at(place) } else { inertia.mass_at(place) }
        };
        Brakes {
            locked: false,
            force_in_body: vec![Vec2::ZERO; wheels.len()],
            taken_over: vec![Vec2::ZERO; wheels.len()],
            point_mass: wheels.iter().enumerate().map(point_mass).collect(),
        }
    }

    /// Opens the brakes.
    fn release(&mut self) {
        if self.locked {
            self.forget();
        }
    }

    /// Opens the brakes and clears the forces that the contacts took over from each other.
    pub(super) fn forget(&mut self) {
        self.locked = false;
        self.taken_over.fill(Vec2::ZERO);
    }

    /// Whether the wheels are locked in this step, for a vehicle that moves with `velocity_in_body` and is to be held below
    /// `stand_below` [m/s]. Sliding locked wheels stay locked.
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
        let &Load { inertia, gravity_in_body, velocity_in_body, dt, .. } = task;
        let arm = |i: usize| task.wheels[i].parameters.position - inertia.center_of_mass;
        let plate = Plate::new(task.wheels, inertia.center_of_mass, task.load);
        let velocity = velocity_in_body.at_point(inertia.center_of_mass);
        // Force and torque that stop the body within this step.
        let force = -((inertia.mass / dt) * velocity + gravity_in_body);
        let torque = -inertia.yaw / dt * velocity_in_body.wz - task.torque;
        let enough = ACCURACY * plate.load;
        let mut all_hold = true;
        for i in 0..task.wheels.len() {
            let own = plate.part(task.load[i], arm(i), force, torque);
            self.force_in_body[i] = own;
            all_hold &= (self.react(task, i, Vec2::ZERO) - own).norm() <= enough;
        }
        if all_hold {
            self.taken_over.fill(Vec2::ZERO);
            return &self.force_in_body;
        }
        for (force, more) in self.force_in_body.iter_mut().zip(&self.taken_over) {
            *force = *force + *more;
        }
        self.take_over(task, enough);
        let Wrench { force_in_body: sum, torque: turning } = self.held(task, Wrench::default());
        for i in 0..task.wheels.len() {
            self.taken_over[i] = self.force_in_body[i] - plate.part(task.load[i], arm(i), sum, turning);
        }
        &self.force_in_body
    }

    /// The force of the ground on each wheel [N], in the body frame, if brakes with the capacity given in `task` can stop
    /// the vehicle within this step and hold it; otherwise none.
    pub(super) fn hold_within(&mut self, task: &Load<'_>) -> Option<&[Vec2]> {
        self.hold(task);
        let total = sum_by_pairs(task.load.iter().copied());
        let enough = HELD * total;
        let &Load { inertia, velocity_in_body, dt, .. } = task;
        let velocity = velocity_in_body.at_point(inertia.center_of_mass);
        let acting = Wrench {
            force_in_body: (inertia.mass / dt) * velocity + task.gravity_in_body,
            torque: inertia.yaw / dt * velocity_in_body.wz + task.torque,
        };
        let Wrench { force_in_body: left, torque: turning } = self.held(task, acting);
        let mut within = true;
        for ((wheel, &force), along) in task.wheels.iter().zip(&self.force_in_body).zip(task.along) {
            let force_along = (wheel.body_from_wheel().inverse() * force).x;
            within &= (along.nearest(force_along) - force_along).abs() <= enough;
        }
        let reach = (inertia.yaw / inertia.mass).sqrt();
        if within && left.norm() <= enough && turning.abs() <= enough * reach {
            return Some(&self.force_in_body);
        }
        self.taken_over.fill(Vec2::ZERO);
        None
    }

    /// The forces at all wheels besides what is `acting`, with the torque about the centre of mass.
    fn held(&self, task: &Load<'_>, acting: Wrench) -> Wrench {
        let mut wrench = PairedWrench::new(acting);
        for (i, (wheel, &force)) in task.wheels.iter().zip(&self.force_in_body).enumerate() {
            wrench.add(i, force, wheel.parameters.position - task.inertia.center_of_mass);
        }
        wrench.sum()
    }

    /// Force [N], in the body frame, of a contact that has to provide its force so far and to stop its point of the body, which
    /// moves with `velocity_in_body` [m/s].
    fn react(&self, task: &Load<'_>, index: usize, velocity_in_body: Vec2) -> Vec2 {
        let wheel = &task.wheels[index];
        let wheel_from_body = wheel.body_from_wheel().inverse();
        let velocity_in_wheel = wheel_from_body * velocity_in_body;
        let mut pull_in_wheel = wheel_from_body * -self.force_in_body[index];
        if let Some(along) = task.along.get(index) {
            let stopping = self.point_mass[index] / task.dt * velocity_in_wheel.x;
            pull_in_wheel.x = -(along.nearest(-(pull_in_wheel.x + stopping)) + stopping);
        }
        let contact = WheelContact {
            wheel: task.first + index,
            velocity_in_wheel,
            pull_in_wheel,
            load: task.load[index],
            mass: self.point_mass[index],
            spin: wheel.spin,
            torque: 0.0,
            radius: wheel.parameters.radius,
            inertia: wheel.parameters.inertia,
            locked: true,
            camber: 0.0,
            relaxed_slip: Vec2::ZERO,
            ground_mu: task.ground[index].mu,
            ground_rolling_resistance: task.ground[index].rolling_resistance,
            dt: task.dt,
        };
        wheel.body_from_wheel() * task.law.react(&contact).force_in_wheel
    }

    /// Brings every contact within its limit, and lets the others stop the remaining motion of the body.
    fn take_over(&mut self, task: &Load<'_>, enough: f64) {
        let &Load { inertia, velocity_in_body, dt, .. } = task;
        // Motion of the body after this step under the forces so far.
        let acting = self.held(task, Wrench { force_in_body: task.gravity_in_body, torque: task.torque });
        let mut velocity =
            velocity_in_body.at_point(inertia.center_of_mass) + (dt / inertia.mass) * acting.force_in_body;
        let mut yaw_rate = velocity_in_body.wz + dt / inertia.yaw * acting.torque;
        for _ in 0..MAX_ROUNDS {
            let mut most = 0.0_f64;
            for left in (0..task.wheels.len()).step_by(2) {
                // Both of a pair at once, so that neither is the first.
                let mut changes = Wrench::default();
                for i in left..task.wheels.len().min(left + 2) {
                    let arm = task.wheels[i].parameters.position - inertia.center_of_mass;
                    let force = self.react(task, i, velocity + yaw_rate * arm.perpendicular());
                    let change = force - self.force_in_body[i];
                    self.force_in_body[i] = force;
                    changes.add(change, arm);
                    most = most.max(change.x.abs()).max(change.y.abs());
                }
                velocity = velocity + (dt / inertia.mass) * changes.force_in_body;
                yaw_rate += dt / inertia.yaw * changes.torque;
            }
            if most <= enough {
                break;
            }
        }
    }
}

/// How a plate on these wheels distributes a force among them: weighted by load, so that Σ|F_i|²/N_i is minimal.
struct Plate {
    /// Sum of the loads [N].
    load: f64,
    /// Centre of the loads [m], from the centre of mass.
    centre: Vec2,
    /// Second moment of the loads about it [N·m²].
    second: f64,
}

impl Plate {
    fn new(wheels: &[Wheel], center_of_mass: Vec2, loads: &[f64]) -> Plate {
        let loads = || wheels.iter().zip(loads).map(|(wheel, &n)| (n, wheel.parameters.position - center_of_mass));
        let load = sum_by_pairs(loads().map(|(n, _)| n));
        let first = sum_by_pairs(loads().map(|(n, arm)| n * arm));
        let second = sum_by_pairs(loads().map(|(n, arm)| n * arm.dot(arm)));
        let centre = if load > 0.0 { (1.0 / load) * first } else { Vec2::ZERO };
        Plate { load, centre, second: second - load * centre.dot(centre) }
    }

    /// Share [N] of a contact with `load` [N] at `arm` [m] from the centre of mass in `force` [N] at the centre of mass and
    /// `torque` [N·m] about it.
    fn part(&self, load: f64, arm: Vec2, force: Vec2, torque: f64) -> Vec2 {
        if self.load <= 0.0 {
            return Vec2::ZERO;
        }
        let about_centre = torque - self.centre.cross(force);
        let turn = if self.second > 1e-9 * self.load * arm.dot(arm) { about_centre / self.second } else { 0.0 };
        load * ((1.0 / self.load) * force + turn * (arm - self.centre).perpendicular())
    }
}

/// Torque [N·m] with which the brake of a wheel that turns downhill takes its share of gravity on a slope, so that the
/// vehicle slows down as on level ground. `share` is the part of the vehicle's load on this wheel [-].
#[inline]
pub(super) fn torque_against_slope(wheel: &Wheel, gravity_in_body: Vec2, share: f64) -> f64 {
    if wheel.parameters.rollers.is_some() {
        // Their controller takes that share, as the directions in which they hold differ.
        return 0.0;
    }
    let pull = (wheel.body_from_wheel().inverse() * gravity_in_body).x;
    if pull * wheel.spin > 0.0 { -pull * share * wheel.parameters.radius } else { 0.0 }
}
