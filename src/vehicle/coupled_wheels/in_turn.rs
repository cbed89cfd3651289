//! All coupled wheels in turn, in rounds: projected Gauss-Seidel on impulses (E. Catto, "Iterative dynamics with temporal coherence", GDC
//! 2005).
//!
//! Each contact in turn gets the force that stops its sliding after this step, in addition to those of the other wheels. The two of a pair get
//! theirs at once. Statics does not determine how left and right share a force across the body, and the first of two would take all of it.
//! Where four wheels skid in a turn, their forces balance as in Coulomb's law at any step. For a turn on the spot of wheels at (±a, ±b) under
//! equal loads that is ω/ω_wheels = b²/(a² + b²).

use skidpad_math::Vec2;

use super::super::ground_forces::MovingFrame;
use super::super::pairs::{PairedWrench, sum_by_pairs};
use super::super::stiffness::{MAX_WHEELS, Motor};
use super::super::vehicle::Vehicle;
use super::super::{Inertia, Wrench};
use super::at_once::is_cut;
use super::{ACCURACY, Answer, CoupledWheel, MotionAfterStep};
use crate::friction::WheelContact;

/// Largest number of iterations over the wheels per step. A few are enough for wheels that can all roll; those that skid slowly take more, as
/// each adds the force that stops its contact, up to the limit of its grip.
const MAX_ROUNDS: usize = 16;
/// Largest number of guesses of a spin.
const MAX_GUESSES: usize = 16;

impl MotionAfterStep {
    /// Lets a wrench about the centre of mass act for `dt` [s].
    #[inline]
    pub(super) fn push(&mut self, wrench: &Wrench, inertia: Inertia, dt: f64) {
        self.velocity = self.velocity + (dt / inertia.mass) * wrench.force_in_body;
        self.yaw_rate += dt / inertia.yaw * wrench.torque;
    }
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
        let value = rising(next);
        let end = usize::from(value * off[0] < 0.0);
        (at[end], off[end]) = (next, value);
        if last == Some(end) {
            off[1 - end] *= 0.5;
        }
        last = Some(end);
    }
    if off[0].abs() < off[1].abs() { at[0] } else { at[1] }
}

impl Vehicle {
    /// Finds the forces at the wheels with motors, starting from those of the last step. `motion` is the motion without them.
    #[inline(never)]
    pub(super) fn solve_in_turn(
        &self,
        wheels: &mut [CoupledWheel],
        frame: &MovingFrame,
        mut motion: MotionAfterStep,
        was_coupled: bool,
    ) -> MotionAfterStep {
        let mut wrench = PairedWrench::default();
        for (index, wheel) in wheels.iter_mut().enumerate() {
            let (parts, contact) = (&self.wheels[index], &self.contacts[index]);
            let place = parts.parameters.position;
            wheel.answer = Answer::default();
            if wheel.motor.is_some() {
                wheel.mass = self.mass_at_wheel(index, wheel.is_paired, frame);
                // Forces go on as they were. At first wheels that hold the same motion share its force as their masses.
                wheel.answer.force_in_wheel = if was_coupled {
                    self.other_forces.forces_in_wheel[index]
                } else {
                    let across = self.law.react(&WheelContact { torque: 0.0, ..*contact }).force_in_wheel.y;
                    Vec2::new(0.0, across)
                };
            }
            let force = parts.body_from_wheel() * wheel.answer.force_in_wheel;
            wrench.add(index, force, place - frame.inertia.center_of_mass);
        }
        motion.push(&wrench.sum(), frame.inertia, self.contacts[frame.wheels.start].dt);
        self.share_forces(wheels, frame, motion)
    }

    /// Mass [kg] that a force at this wheel moves at least, together with the other one of its pair.
    pub(super) fn mass_at_wheel(&self, index: usize, is_paired: bool, frame: &MovingFrame) -> f64 {
        let place = self.wheels[index].parameters.position;
        if is_paired { frame.inertia.mass_of_pair_at(place) } else { frame.inertia.mass_at(place) }
    }

    /// The force of the ground [N] on a wheel with this spin [rad/s] after the step, and the torque of the motor that it takes [N·m]. With the
    /// force that the wheel has, it stops the sliding after this step, as far as the wheel grips.
    fn at_spin(&self, index: usize, spin: f64, wheel: &CoupledWheel, over_ground: Vec2) -> (Vec2, f64) {
        let contact = &self.contacts[index];
        let reaction = self.law.react(&WheelContact {
            velocity_in_wheel: over_ground - Vec2::new(spin * contact.radius, 0.0),
            pull_in_wheel: -1.0 * wheel.answer.force_in_wheel,
            mass: wheel.mass,
            locked: true,
            ..*contact
        });
        let losses = self.law.sticking(contact, spin).map_or(0.0, |sticking| sticking.losses);
        let braked = if spin == 0.0 { 0.0 } else { self.brake_torque[index].copysign(spin) };
        let turning = contact.inertia * (spin - contact.spin) / contact.dt;
        let force = reaction.force_in_wheel;
        (force, turning - losses + braked + contact.radius * force.x)
    }

    /// A wheel on a body that moves as `motion`, with the spin at which its motor gives what turning it takes.
    fn turn(
        &self,
        index: usize,
        motor: &Motor,
        wheel: &CoupledWheel,
        frame: &MovingFrame,
        motion: &MotionAfterStep,
    ) -> Answer {
        let (contact, parts) = (&self.contacts[index], &self.wheels[index]);
        let arm = parts.parameters.position - frame.inertia.center_of_mass;
        let over_ground = parts.body_from_wheel().inverse() * (motion.velocity + motion.yaw_rate * arm.perpendicular());
        if motor.drives() && !motor.holds() && parts.parameters.rollers.is_none() {
            return self.follow_body(index, motor, wheel, over_ground);
        }
        let at = |spin: f64| {
            let (force_in_wheel, taken) = self.at_spin(index, spin, wheel, over_ground);
            (Answer { spin, torque: motor.torque_at(spin), force_in_wheel }, taken)
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
                return Answer { torque: taken, ..held };
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
    fn follow_body(&self, index: usize, motor: &Motor, wheel: &CoupledWheel, over_ground: Vec2) -> Answer {
        let contact = &self.contacts[index];
        let &WheelContact { radius, inertia, dt, spin: before, .. } = contact;
        let losses = |spin: f64| self.law.sticking(contact, spin).map_or(0.0, |sticking| sticking.losses);
        let least = inertia / dt;
        // What a spin leaves of the torque for the ground.
        let spare = |spin: f64| motor.torque_at(spin) + losses(spin) - least * (spin - before);
        let close = ACCURACY * (radius * contact.load + contact.torque.abs());
        let per_speed = wheel.mass / dt;
        let coasting = over_ground.x - wheel.answer.force_in_wheel.x / per_speed;
        let following = |spin: f64| per_speed * (spin * radius - coasting);
        let lack = |spin: f64| radius * following(spin) - spare(spin);
        let rolling = over_ground.x / radius;
        let stiff = least + radius * radius * per_speed;
        let spin = find_root([rolling, rolling - lack(rolling) / (stiff + motor.gain)], close, stiff, lack);
        let spin = if motor.never_reverses && spin * before < 0.0 { 0.0 } else { spin };
        let demand = Vec2::new(following(spin), wheel.answer.force_in_wheel.y - per_speed * over_ground.y);
        match self.beyond_grip(index, demand) {
            Some(within_grip) => self.slide(index, motor, within_grip),
            None => Answer { spin, torque: motor.torque_at(spin), force_in_wheel: demand },
        }
    }

    /// What the grip of a driven wheel leaves of a force [N] in the frame of the wheel; none: all of it.
    fn beyond_grip(&self, index: usize, demand: Vec2) -> Option<Vec2> {
        let contact = &self.contacts[index];
        let within_grip = self.law.sticking(contact, contact.spin)?.grip.cut(demand);
        is_cut(within_grip, demand).then_some(within_grip)
    }

    /// A driven wheel that slides as its law says of the motion before the step; `within_grip` [N] is the force at which it began to slide.
    pub(super) fn slide(&self, index: usize, motor: &Motor, within_grip: Vec2) -> Answer {
        let contact = &self.contacts[index];
        let fall = self.law.sticking(contact, contact.spin).map_or(0.0, |sticking| sticking.losses_fall);
        let &WheelContact { radius, inertia, dt, spin: before, .. } = contact;
        let losses = |spin: f64| self.law.sticking(contact, spin).map_or(0.0, |sticking| sticking.losses);
        let least = inertia / dt;
        let close = ACCURACY * (radius * contact.load + contact.torque.abs());
        let most = (1.0 - 1e-9) * within_grip.norm();
        let motor = motor.while_sliding();
        // What slides too slowly for the law to tell from sticking slides with all of its grip, too.
        let force_at = |spin: f64| {
            let force = self.law.react(&WheelContact { torque: motor.torque_at(spin), ..*contact }).force_in_wheel;
            if force.norm() < most { within_grip } else { force }
        };
        let spare = |spin: f64| motor.torque_at(spin) + losses(spin) - least * (spin - before);
        let lack = |spin: f64| radius * force_at(spin).x - spare(spin);
        // Mostly the torque is linear in the spin.
        let likely = before - (radius * within_grip.x - spare(before)) / (least + motor.gain + fall);
        let spin = if lack(likely).abs() <= close {
            likely
        } else {
            find_root([before, before - lack(before) / (least + motor.gain)], close, least, lack)
        };
        let spin = if motor.never_reverses && spin * before < 0.0 { 0.0 } else { spin };
        Answer { spin, torque: motor.torque_at(spin), force_in_wheel: force_at(spin) }
    }

    /// Lets the contacts of all wheels act on the body together, which moves as `motion` without them. Returns how it moves with them.
    fn share_forces(
        &self,
        wheels: &mut [CoupledWheel],
        frame: &MovingFrame,
        mut motion: MotionAfterStep,
    ) -> MotionAfterStep {
        let load = sum_by_pairs(self.load[frame.wheels.clone()].iter().copied());
        let dt = self.contacts[frame.wheels.start].dt;
        let rounds = if self.is_reference() { 1000 } else { MAX_ROUNDS };
        for round in 0..rounds {
            let mut most = 0.0_f64;
            for place in 0..MAX_WHEELS / 2 {
                // To and fro, so that no axle is always the last.
                let left = 2 * if round % 2 == 0 { place } else { MAX_WHEELS / 2 - 1 - place };
                let mut changes = Wrench::default();
                for index in left..wheels.len().min(left + 2) {
                    let Some(motor) = wheels[index].motor else { continue };
                    let answer = self.turn(index, &motor, &wheels[index], frame, &motion);
                    let change = answer.force_in_wheel - wheels[index].answer.force_in_wheel;
                    wheels[index].answer = answer;
                    let parts = &self.wheels[index];
                    changes.add(
                        parts.body_from_wheel() * change,
                        parts.parameters.position - frame.inertia.center_of_mass,
                    );
                    most = most.max(change.x.abs()).max(change.y.abs());
                }
                motion.push(&changes, frame.inertia, dt);
            }
            if most <= ACCURACY * load {
                break;
            }
        }
        motion
    }
}
