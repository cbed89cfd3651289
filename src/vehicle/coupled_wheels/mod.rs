//! Wheels whose spins and forces are solved together with the motion of their body. The law is one under which contacts stick. Two kinds of
//! vehicle have such wheels:
//!
//! * Its motors hold spins ([`SpinServo`](super::servo::SpinServo)s of infinite gain).
//! * Its gains or bearings change its speed within few steps, or its wheels have to slide (`stiffness.rs`).
//!
//! With the spin ω after the step, the contact moves with the velocity of the rim over the ground, (v_x − ω·R, v_y). It sticks up to μ·N.
//! Beyond that it slides with the force against that velocity (Coulomb's law).
//!
//! The [`Motor`] gives τ(ω), and ω balances τ(ω) = R·F_x + I·ω̇ and the losses at ω. This is implicit Euler's method (E. Hairer and
//! G. Wanner, "Solving Ordinary Differential Equations II", §IV.3). A motor that holds a spin provides what that takes, up to its largest
//! torque. So neither gains nor damping nor masses decide whether a vehicle can be stepped.
//!
//! An ordinary wheel that is driven and not held follows the body while that takes no more than its grip. Beyond it slides as its law says
//! of wheels that are solved alone. A vehicle then slides alike at every step.
//!
//! The wheels act on one body. One round of Newton's method finds all forces while the contacts stick (`gripping.rs`), and a few rounds where
//! some slide (`at_once.rs`). What it gives up on is solved wheel by wheel (`in_turn.rs`).

mod at_once;
mod gripping;
mod in_turn;
mod sliding;

use std::ops::{Add, Sub};

use skidpad_math::Vec2;

pub(super) use self::at_once::solve;
use super::ground_forces::{MovingFrame, roll_on};
use super::pairs::PairedWrench;
use super::parts::RunningGear;
use super::stiffness::{MAX_WHEELS, Motor};
use super::vehicle::Vehicle;
use super::{WheelFrame, WheelSlip};

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

/// What moves a body besides its wheels and the forces that they know of: contacts with other bodies, and a hitch. A step cannot know what
/// these will do in it. It takes them to do what they did in the two before, as far as these agree. Remembers the wheels, too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OtherForces {
    /// The motion without them after the last step, if the wheels were solved together with the body in it.
    pub alone: Option<MotionAfterStep>,
    /// What they changed in the last step.
    change: MotionAfterStep,
    /// The forces of the ground on the wheels in the last step [N], in the frames of the wheels.
    forces_in_wheel: [Vec2; MAX_WHEELS],
    /// Which wheels slid in the last step.
    slid: [bool; MAX_WHEELS],
}

impl OtherForces {
    /// What they are going to change in this step, at whose start the body moves as `before`.
    pub(super) fn expect(&mut self, before: MotionAfterStep) -> MotionAfterStep {
        let Some(alone) = self.alone.take() else {
            self.change = MotionAfterStep::default();
            return self.change;
        };
        let last_change = std::mem::replace(&mut self.change, before - alone);
        let agreed = |a: f64, b: f64| if a * b <= 0.0 { 0.0 } else { a.abs().min(b.abs()).copysign(a) };
        MotionAfterStep {
            velocity: Vec2::new(
                agreed(last_change.velocity.x, self.change.velocity.x),
                agreed(last_change.velocity.y, self.change.velocity.y),
            ),
            yaw_rate: agreed(last_change.yaw_rate, self.change.yaw_rate),
        }
    }

    /// Forgets what they did: the body was moved.
    pub(super) fn forget(&mut self) {
        *self = OtherForces::default();
    }
}

/// A wheel during a step in which it is solved together with the body.
#[derive(Clone, Debug, Default)]
pub(super) struct CoupledWheel {
    /// Its motor; none: it rolls on its own.
    pub motor: Option<Motor>,
    /// Whether the other wheel of its pair has a motor, too.
    pub is_paired: bool,
    /// What it does in this step, after all rounds.
    answer: Answer,
    /// Mass [kg] that a force at this wheel moves at least, for rounds in turn.
    mass: f64,
    at_once: at_once::Round,
    gripping: gripping::Gripping,
}

/// What a wheel does in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    /// Its spin after this step [rad/s].
    spin: f64,
    /// Torque of its motor [N·m].
    torque: f64,
    /// Force of the ground on it [N].
    force_in_wheel: Vec2,
}

impl Vehicle {
    /// Runs a frame on the wheels in `coupled` for a step: turns its wheels, adds their forces to its wrench and writes their states. Wheels
    /// without a motor roll on their own.
    #[inline(never)]
    pub(super) fn run_on_coupled_wheels(&mut self, frame: &mut MovingFrame, states: &mut [WheelFrame]) {
        let was_coupled = self.other_forces.alone.is_some();
        if !was_coupled {
            self.other_forces.forces_in_wheel = [Vec2::ZERO; MAX_WHEELS];
            self.other_forces.slid = [false; MAX_WHEELS];
        }
        let before = MotionAfterStep {
            velocity: frame.velocity_in_body.at_point(frame.inertia.center_of_mass),
            yaw_rate: frame.velocity_in_body.wz,
        };
        let by_other_forces = self.other_forces.expect(before);
        let mut coupled = std::mem::take(&mut self.coupled);
        let alone =
            self.motion_without_wheels(frame) + by_other_forces + self.roll_free_wheels(&coupled, frame, states);
        let at_once = if self.is_reference() { None } else { self.solve_at_once(&mut coupled, frame, before, alone) };
        let motion = at_once.unwrap_or_else(|| self.solve_in_turn(&mut coupled, frame, alone, was_coupled));
        self.other_forces.alone = Some(motion - by_other_forces);
        let mut wrench = PairedWrench::new(frame.wrench);
        for (index, (CoupledWheel { motor, answer, .. }, state)) in coupled.iter().zip(states.iter_mut()).enumerate() {
            let (wheel, contact) = (&mut self.wheels[index], &self.contacts[index]);
            if motor.is_some() {
                wheel.turn_to(answer.spin, contact.dt);
                wheel.relaxed_slip = Vec2::ZERO;
                self.other_forces.forces_in_wheel[index] = answer.force_in_wheel;
                self.torque[index] = answer.torque;
                *state = WheelFrame {
                    steer: wheel.heading(),
                    spin: wheel.spin,
                    spin_angle: wheel.spin_angle,
                    torque: answer.torque,
                    load: contact.load,
                    lifted: self.lifted[index],
                    travel: state.travel,
                    velocity_in_wheel: contact.velocity_in_wheel,
                    force_in_wheel: answer.force_in_wheel,
                    slip: WheelSlip::OfRim(contact.spin * contact.radius),
                };
            }
            wrench.add(index, wheel.body_from_wheel() * state.force_in_wheel, wheel.parameters.position);
        }
        self.coupled = coupled;
        frame.wrench = wrench.sum();
        if let RunningGear::Rollers = self.running_gear {
            self.report_slip_of_rollers(states);
        }
    }

    /// Whether a test wants the wheels to be solved in turn, to convergence.
    #[inline(always)]
    fn is_reference(&self) -> bool {
        #[cfg(test)]
        return self.is_reference;
        #[cfg(not(test))]
        false
    }

    /// Rolls the wheels without a motor. Returns what that changes in the motion of the frame.
    #[inline]
    fn roll_free_wheels(
        &mut self,
        coupled: &[CoupledWheel],
        frame: &MovingFrame,
        states: &mut [WheelFrame],
    ) -> MotionAfterStep {
        let mut change = MotionAfterStep::default();
        if coupled.iter().any(|wheel| wheel.motor.is_none()) {
            let mut wrench = PairedWrench::default();
            for (index, wheel) in coupled.iter().enumerate() {
                let force = if wheel.motor.is_none() { self.roll_free(index, states) } else { Vec2::ZERO };
                wrench.add(index, force, self.wheels[index].parameters.position - frame.inertia.center_of_mass);
            }
            change.push(&wrench.sum(), frame.inertia, self.contacts[frame.wheels.start].dt);
        }
        change
    }

    /// The motion of the frame after this step under what acts on it besides the ground.
    pub(super) fn motion_without_wheels(&self, frame: &MovingFrame) -> MotionAfterStep {
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
        roll_on(&*self.law, wheel, contact, (self.brake_torque[index], 0.0), false, &mut states[index]);
        states[index].lifted = self.lifted[index];
        self.torque[index] = states[index].torque;
        wheel.body_from_wheel() * states[index].force_in_wheel
    }
}

#[cfg(test)]
mod tests;
