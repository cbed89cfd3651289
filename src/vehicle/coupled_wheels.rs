//! Wheels whose spins and forces are solved together with the motion of their body, on a law under which contacts stick: those of motors
//! that hold spins ([`SpinServo`](super::servo::SpinServo)s of infinite gain), and those of a vehicle whose gains or bearings change its
//! speed within few steps (`stiffness.rs`).
//!
//! With the spin ω after the step, the ground acts on a wheel as on a locked one whose contact moves with the velocity of the rim over the
//! ground, (v_x − ω·R, v_y): it sticks up to μ·N, and beyond that it slides with the force against that velocity (Coulomb's law). The
//! [`Motor`] gives τ(ω), and ω balances τ(ω) = R·F_x + I·ω̇ and the losses, which are those at ω too (implicit Euler's method; E. Hairer
//! and G. Wanner, "Solving Ordinary Differential Equations II", §IV.3). A motor that holds a spin provides what that takes, up to its largest
//! torque. So neither gains nor damping nor masses decide whether a vehicle can be stepped. An ordinary wheel that is driven and not held follows
//! the body while that takes no more than its grip; beyond it slides as its law says of wheels that are solved alone, so that a vehicle slides
//! alike at every step.
//!
//! The wheels act on one body: each contact in turn gets the force that stops its sliding after this step, in addition to those of the
//! others (projected Gauss-Seidel on impulses; E. Catto, "Iterative dynamics with temporal coherence", GDC 2005). The two of a pair get
//! theirs at once: statics does not determine how left and right share a force across the body, and the first of two would take all of it. Where
//! four wheels skid in a turn, the balance of their forces is that of Coulomb's law at any step, ω/ω_wheels = b²/(a² + b²) for a turn on the spot of wheels
//! at (±a, ±b) under equal loads.

use std::ops::{Add, Sub};

use skidpad_math::Vec2;

use super::ground_forces::{MovingFrame, roll_on};
use super::pairs::{PairedWrench, sum_by_pairs};
use super::parts::RunningGear;
use super::stiffness::{MAX_WHEELS, Motor, Motors};
use super::vehicle::Vehicle;
use super::{Inertia, WheelFrame, WheelSlip, Wrench};
use crate::friction::WheelContact;

/// Largest number of iterations over the wheels per step. A few are enough for wheels that can all roll; those that skid slowly take more, as
/// each adds the force that stops its contact, up to the limit of its grip.
const MAX_ROUNDS: usize = 16;
/// Largest number of guesses of a spin.
const MAX_GUESSES: usize = 16;
/// Forces have converged when they change by less than this share of the load on the wheels, and a torque by that of the largest one, or of
/// the load times the radius.
const ACCURACY: f64 = 1e-8;

/// The motion of a frame after this step under the forces so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MotionAfterStep {
    /// Of its centre of mass [m/s], in the body frame.
    pub velocity: Vec2,
    /// [rad/s]
    pub yaw_rate: f64,
}

impl Add for MotionAfterStep {
    type Output = MotionAfterStep;
    fn add(self, other: MotionAfterStep) -> MotionAfterStep {
        MotionAfterStep { velocity: self.velocity + other.velocity, yaw_rate: self.yaw_rate + other.yaw_rate }
    }
}

impl Sub for MotionAfterStep {
    type Output = MotionAfterStep;
    fn sub(self, other: MotionAfterStep) -> MotionAfterStep {
        MotionAfterStep { velocity: self.velocity - other.velocity, yaw_rate: self.yaw_rate - other.yaw_rate }
    }
}

impl MotionAfterStep {
    /// Lets a wrench about the centre of mass act for `dt` [s].
    #[inline]
    fn push(&mut self, wrench: &Wrench, inertia: Inertia, dt: f64) {
        self.velocity = self.velocity + (dt / inertia.mass) * wrench.force_in_body;
        self.yaw_rate += dt / inertia.yaw * wrench.torque;
    }
}

/// What moves a body besides its wheels and what they know of: contacts with other bodies, and a hitch. A step cannot know what they
/// will do in it, and takes them to do what they did in the two before, as far as these agree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Others {
    /// The motion without them after the last step, if the wheels were solved together with the body in it.
    pub alone: Option<MotionAfterStep>,
    /// What they changed in the last step.
    change: MotionAfterStep,
    /// The forces of the ground on the wheels in the last step [N], in the frames of the wheels.
    forces_in_wheel: [Vec2; MAX_WHEELS],
}

impl Others {
    /// What they are going to change in this step, at whose start the body moves as `found`.
    pub(super) fn expect(&mut self, found: MotionAfterStep) -> MotionAfterStep {
        let Some(alone) = self.alone.take() else {
            self.change = MotionAfterStep::default();
            return self.change;
        };
        let before = self.change;
        self.change = found - alone;
        let agreed = |a: f64, b: f64| if a * b <= 0.0 { 0.0 } else { a.abs().min(b.abs()).copysign(a) };
        MotionAfterStep {
            velocity: Vec2::new(
                agreed(before.velocity.x, self.change.velocity.x),
                agreed(before.velocity.y, self.change.velocity.y),
            ),
            yaw_rate: agreed(before.yaw_rate, self.change.yaw_rate),
        }
    }

    /// Forgets what they did: the body was moved.
    pub(super) fn forget(&mut self) {
        *self = Others::default();
    }
}

/// A wheel that is solved together with the body.
#[derive(Clone, Copy, Default)]
struct Coupled {
    /// Its spin after this step [rad/s].
    spin: f64,
    /// Torque of its motor [N·m].
    torque: f64,
    /// Mass [kg] that a force at this wheel moves at least.
    mass: f64,
    /// Force of the ground on it [N].
    force_in_wheel: Vec2,
}

/// The root of a rising function, up to `close`: regula falsi from two guesses, halving the value at the retained end (Illinois). Where the
/// guesses do not enclose the root, one beyond them does, since the function grows by `least` at least.
fn find_root(mut at: [f64; 2], close: f64, least: f64, rising: impl Fn(f64) -> f64) -> f64 {
    let mut off = at.map(&rising);
    if off[0] * off[1] > 0.0 && off[1].abs() > close {
        (at[0], off[0]) = (at[1], off[1]);
        at[1] -= off[1] / least;
        off[1] = rising(at[1]);
    }
    let mut last = None;
    for _ in 0..MAX_GUESSES {
        if off[0].abs() <= close || off[1].abs() <= close {
            break;
        }
        let next = (at[0] * off[1] - at[1] * off[0]) / (off[1] - off[0]);
        if !next.is_finite() {
            break;
        }
        let found = rising(next);
        let end = usize::from(found * off[0] < 0.0);
        (at[end], off[end]) = (next, found);
        if last == Some(end) {
            off[1 - end] *= 0.5;
        }
        last = Some(end);
    }
    if off[0].abs() < off[1].abs() { at[0] } else { at[1] }
}

impl Vehicle {
    /// Runs a frame on wheels with these motors for a step: turns its wheels, adds their forces to its wrench and writes their states. Wheels
    /// without a motor roll on their own.
    #[inline(never)]
    pub(super) fn run_on_coupled_wheels(
        &mut self,
        frame: &mut MovingFrame,
        motors: &Motors,
        states: &mut [WheelFrame],
    ) {
        let mut coupled = [None; MAX_WHEELS];
        let was_coupled = self.others.alone.is_some();
        let found = MotionAfterStep {
            velocity: frame.velocity_in_body.at_point(frame.inertia.center_of_mass),
            yaw_rate: frame.velocity_in_body.wz,
        };
        let others = self.others.expect(found);
        let mut moved = self.moved_without_wheels(frame) + others;
        let mut wrench = PairedWrench::default();
        for index in frame.wheels.clone() {
            let place = self.wheels[index].parameters.position;
            let force = if motors[index].is_some() {
                let (wheel, contact) = (&self.wheels[index], &self.contacts[index]);
                let is_pair = motors.get(index ^ 1).is_some_and(Option::is_some);
                let mass = if is_pair { frame.inertia.mass_of_pair_at(place) } else { frame.inertia.mass_at(place) };
                // Forces go on as they were. At first wheels that hold the same motion share its force as their masses.
                let force_in_wheel = if was_coupled {
                    self.others.forces_in_wheel[index]
                } else {
                    let across = self.law.react(&WheelContact { torque: 0.0, ..*contact }).force_in_wheel.y;
                    Vec2::new(0.0, across)
                };
                coupled[index] = Some(Coupled { mass, force_in_wheel, ..Coupled::default() });
                wheel.body_from_wheel() * force_in_wheel
            } else {
                self.roll_free(index, states)
            };
            wrench.add(index, force, place - frame.inertia.center_of_mass);
        }
        moved.push(&wrench.sum(), frame.inertia, self.contacts[frame.wheels.start].dt);
        let moved = self.share_forces(&mut coupled, motors, frame, moved);
        self.others.alone = Some(moved - others);
        let mut wrench = PairedWrench::new(frame.wrench);
        for index in frame.wheels.clone() {
            let (contact, place) = (&self.contacts[index], self.wheels[index].parameters.position);
            let Some(wheel) = &coupled[index] else {
                wrench.add(index, self.wheels[index].body_from_wheel() * states[index].force_in_wheel, place);
                continue;
            };
            self.others.forces_in_wheel[index] = wheel.force_in_wheel;
            let turned = &mut self.wheels[index];
            turned.turn_to(wheel.spin, contact.dt);
            turned.relaxed_slip = Vec2::ZERO;
            self.torque[index] = wheel.torque;
            wrench.add(index, turned.body_from_wheel() * wheel.force_in_wheel, place);
            states[index] = WheelFrame {
                steer: turned.heading(),
                spin: turned.spin,
                spin_angle: turned.spin_angle,
                torque: self.torque[index],
                load: contact.load,
                lifted: self.lifted[index],
                velocity_in_wheel: contact.velocity_in_wheel,
                force_in_wheel: wheel.force_in_wheel,
                slip: WheelSlip::OfRim(contact.spin * contact.radius),
            };
        }
        frame.wrench = wrench.sum();
        if let RunningGear::Rollers = self.running_gear {
            self.report_slip_of_rollers(states);
        }
    }

    /// The motion of the frame after this step under what acts on it besides the ground.
    pub(super) fn moved_without_wheels(&self, frame: &MovingFrame) -> MotionAfterStep {
        let (inertia, dt) = (frame.inertia, self.contacts[frame.wheels.start].dt);
        let force = frame.wrench.force_in_body;
        let torque = frame.wrench.torque - inertia.center_of_mass.cross(force);
        MotionAfterStep {
            velocity: frame.coasting_in_body(dt).at_point(inertia.center_of_mass) + (dt / inertia.mass) * force,
            yaw_rate: frame.velocity_in_body.wz + dt / inertia.yaw * torque,
        }
    }

    /// Rolls a wheel without a motor. The force of the ground on it [N], in the body frame.
    fn roll_free(&mut self, index: usize, states: &mut [WheelFrame]) -> Vec2 {
        self.contacts[index].torque = 0.0;
        let (wheel, contact) = (&mut self.wheels[index], &self.contacts[index]);
        states[index] = roll_on(&*self.law, wheel, contact, (self.brake_torque[index], 0.0), false);
        states[index].lifted = self.lifted[index];
        self.torque[index] = states[index].torque;
        wheel.body_from_wheel() * states[index].force_in_wheel
    }

    /// The force of the ground [N] on a wheel with this spin [rad/s] after the step, which stops its sliding after this step in addition to
    /// the force that it has, as far as it grips; and the torque of the motor that it takes [N·m].
    fn at_spin(&self, index: usize, spin: f64, wheel: &Coupled, over_ground: Vec2) -> (Vec2, f64) {
        let contact = &self.contacts[index];
        let reaction = self.law.react(&WheelContact {
            velocity_in_wheel: over_ground - Vec2::new(spin * contact.radius, 0.0),
            pull_in_wheel: -1.0 * wheel.force_in_wheel,
            mass: wheel.mass,
            locked: true,
            ..*contact
        });
        let losses = self.law.axle_losses(&WheelContact { spin, ..*contact }).unwrap_or_default();
        let braked = if spin == 0.0 { 0.0 } else { self.brake_torque[index].copysign(spin) };
        let turning = contact.inertia * (spin - contact.spin) / contact.dt;
        let force = reaction.force_in_wheel;
        (force, turning - losses + braked + contact.radius * force.x)
    }

    /// A wheel on a body that moves as `moved`, with the spin at which its motor gives what turning it takes.
    fn turn(
        &self,
        index: usize,
        motor: &Motor,
        wheel: &Coupled,
        frame: &MovingFrame,
        moved: &MotionAfterStep,
    ) -> Coupled {
        let (contact, parts) = (&self.contacts[index], &self.wheels[index]);
        let arm = parts.parameters.position - frame.inertia.center_of_mass;
        let over_ground = parts.body_from_wheel().inverse() * (moved.velocity + moved.yaw_rate * arm.perpendicular());
        if motor.drives() && !motor.holds() && parts.parameters.rollers.is_none() {
            return self.follow_body(index, motor, wheel, over_ground);
        }
        let at = |spin: f64| {
            let (force_in_wheel, taken) = self.at_spin(index, spin, wheel, over_ground);
            (Coupled { spin, torque: motor.torque_at(spin), force_in_wheel, ..*wheel }, taken)
        };
        // The torque that the motor lacks.
        let lack = |spin: f64| {
            let (turned, taken) = at(spin);
            taken - turned.torque
        };
        let least = contact.inertia / contact.dt;
        if motor.holds() {
            let (held, taken) = at(motor.spin);
            if taken.abs() <= motor.max_torque {
                return Coupled { torque: taken, ..held };
            }
            // At the spin that it wants to hold, its torque is on the side of what turning takes.
            let most = motor.max_torque.copysign(taken);
            let lack = |spin: f64| if spin == motor.spin { taken - most } else { lack(spin) };
            let guesses = [motor.spin, motor.spin - (taken - most) / least];
            return at(find_root(guesses, ACCURACY * motor.max_torque, least, lack)).0;
        }
        let close = ACCURACY * (contact.radius * contact.load + contact.torque.abs());
        // A contact that sticks moves the mass along.
        let sticking = least + motor.gain + contact.radius * contact.radius * wheel.mass / contact.dt;
        let rolling = over_ground.x / contact.radius;
        at(find_root([rolling, rolling - lack(rolling) / sticking], close, least, lack)).0
    }

    /// An ordinary wheel that a motor drives and does not hold. While the forces that make it follow the body stay within its grip, it rolls
    /// along with the body; else it slides as its law says of the motion before the step.
    fn follow_body(&self, index: usize, motor: &Motor, wheel: &Coupled, over_ground: Vec2) -> Coupled {
        let contact = &self.contacts[index];
        let &WheelContact { radius, inertia, dt, spin: before, .. } = contact;
        let losses = |spin: f64| self.law.axle_losses(&WheelContact { spin, ..*contact }).unwrap_or_default();
        let least = inertia / dt;
        // What a spin leaves of the torque for the ground.
        let spare = |spin: f64| motor.torque_at(spin) + losses(spin) - least * (spin - before);
        let close = ACCURACY * (radius * contact.load + contact.torque.abs());
        let per_speed = wheel.mass / dt;
        let coasting = over_ground.x - wheel.force_in_wheel.x / per_speed;
        let following = |spin: f64| per_speed * (spin * radius - coasting);
        let lack = |spin: f64| radius * following(spin) - spare(spin);
        let rolling = over_ground.x / radius;
        let stiff = least + radius * radius * per_speed;
        let spin = find_root([rolling, rolling - lack(rolling) / (stiff + motor.gain)], close, stiff, lack);
        let spin = if motor.never_reverses && spin * before < 0.0 { 0.0 } else { spin };
        let demand = Vec2::new(following(spin), wheel.force_in_wheel.y - per_speed * over_ground.y);
        let within_grip = self.law.react(&WheelContact {
            velocity_in_wheel: Vec2::new(before * radius, 0.0),
            torque: radius * demand.x - losses(before),
            pull_in_wheel: Vec2::new(0.0, -demand.y),
            ..*contact
        });
        let cut = within_grip.force_in_wheel - demand;
        if cut.x.abs().max(cut.y.abs()) <= 1e-9 * demand.x.abs().max(demand.y.abs()) {
            return Coupled { spin, torque: motor.torque_at(spin), force_in_wheel: demand, ..*wheel };
        }
        let most = (1.0 - 1e-9) * within_grip.force_in_wheel.norm();
        let motor = motor.while_sliding();
        let sliding = |spin: f64| {
            let force = self.law.react(&WheelContact { torque: motor.torque_at(spin), ..*contact }).force_in_wheel;
            // What slides too slowly for the law to tell from sticking slides with all of its grip, too.
            if force.norm() < most { within_grip.force_in_wheel } else { force }
        };
        let spare = |spin: f64| motor.torque_at(spin) + losses(spin) - least * (spin - before);
        let lack = |spin: f64| radius * sliding(spin).x - spare(spin);
        let spin = find_root([before, before - lack(before) / (least + motor.gain)], close, least, lack);
        let spin = if motor.never_reverses && spin * before < 0.0 { 0.0 } else { spin };
        Coupled { spin, torque: motor.torque_at(spin), force_in_wheel: sliding(spin), ..*wheel }
    }

    /// Lets the contacts of all wheels act on the body together, which moves as `moved` without them. Returns how it moves with them.
    fn share_forces(
        &self,
        coupled: &mut [Option<Coupled>; MAX_WHEELS],
        motors: &Motors,
        frame: &MovingFrame,
        mut moved: MotionAfterStep,
    ) -> MotionAfterStep {
        let load = sum_by_pairs(self.load[frame.wheels.clone()].iter().copied());
        let dt = self.contacts[frame.wheels.start].dt;
        for round in 0..MAX_ROUNDS {
            let mut most = 0.0_f64;
            for place in 0..MAX_WHEELS / 2 {
                // To and fro, so that no axle is always the last.
                let left = 2 * if round % 2 == 0 { place } else { MAX_WHEELS / 2 - 1 - place };
                let mut changes = Wrench::default();
                for index in [left, left + 1] {
                    let (Some(wheel), Some(motor)) = (&mut coupled[index], &motors[index]) else { continue };
                    let before = wheel.force_in_wheel;
                    *wheel = self.turn(index, motor, wheel, frame, &moved);
                    let change = wheel.force_in_wheel - before;
                    let parts = &self.wheels[index];
                    changes.add(
                        parts.body_from_wheel() * change,
                        parts.parameters.position - frame.inertia.center_of_mass,
                    );
                    most = most.max(change.x.abs()).max(change.y.abs());
                }
                moved.push(&changes, frame.inertia, dt);
            }
            if most <= ACCURACY * load {
                break;
            }
        }
        moved
    }
}
