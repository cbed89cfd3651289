//! Wheels whose motors hold their spin, on a law under which contacts stick: [`SpinServo`]s of infinite gain.
//!
//! Such a wheel ends the step with the wanted spin ω. The ground then acts on it as on a locked wheel whose contact moves with the velocity
//! of the rim over the ground, (v_x − ω·R, v_y): it sticks up to μ·N, and beyond that it slides with the force against that velocity
//! (Coulomb's law). The motor provides τ = R·F_x + I·ω̇ and the losses; a motor that cannot pushes with its largest torque, and the law of
//! the free wheel tells what comes of it. So neither gains nor masses decide how a vehicle follows the speeds of its wheels.
//!
//! The wheels act on one body: each contact in turn gets the force that stops its sliding after this step, in addition to those of the
//! others (projected Gauss-Seidel on impulses; E. Catto, "Iterative dynamics with temporal coherence", GDC 2005). Where four wheels skid
//! in a turn, the balance of their forces is that of Coulomb's law at any step, ω/ω_wheels = b²/(a² + b²) for a turn on the spot of wheels
//! at (±a, ±b) under equal loads.

use skidpad_math::Vec2;

use super::ground_forces::{MovingFrame, roll_on};
use super::servo::SpinServo;
use super::vehicle::Vehicle;
use super::{MOST_MOTORS, WheelFrame, WheelSlip};
use crate::friction::WheelContact;

/// Largest number of iterations over the wheels per step. A few are enough for wheels that can all roll; those that skid slowly take more, as
/// each adds the force that stops its contact, up to the limit of its grip.
const MOST_ROUNDS: usize = 64;
/// Forces have converged when they change by less than this share of the load on the wheels.
const ACCURACY: f64 = 1e-7;

/// The motion of a frame after this step under the forces so far.
#[derive(Clone, Copy)]
struct Moved {
    /// Of its centre of mass [m/s], in the body frame.
    velocity: Vec2,
    /// [rad/s]
    yaw_rate: f64,
}

/// A wheel that its motor holds.
#[derive(Clone, Copy, Default)]
struct Held {
    /// Its spin after this step [rad/s].
    spin: f64,
    /// Torque of the motor [N·m] besides that against the ground.
    own_torque: f64,
    /// Mass [kg] that a force at this wheel moves at least.
    mass: f64,
    /// Force of the ground on it [N].
    force_in_wheel: Vec2,
}

impl Held {
    /// Torque of the motor [N·m].
    fn torque(&self, radius: f64) -> f64 {
        self.own_torque + radius * self.force_in_wheel.x
    }
}

impl Vehicle {
    /// Whether these servos hold spins, and the law says what the ground does then.
    #[inline]
    pub(super) fn holds_spins(&self, servos: &Option<[SpinServo; MOST_MOTORS]>) -> bool {
        let holds = |servos: &[SpinServo; MOST_MOTORS]| servos[0].gain == f64::INFINITY;
        servos.as_ref().is_some_and(holds) && self.contacts.iter().all(|c| self.law.axle_losses(c).is_some())
    }

    /// Runs a frame on wheels whose servos hold their spins for a step: turns its wheels, adds their forces to its wrench and writes their
    /// states. Wheels without a servo, and those whose motors are too weak, roll on their own.
    #[inline(never)]
    pub(super) fn run_on_held_wheels(
        &mut self,
        frame: &mut MovingFrame,
        servos: &[SpinServo; MOST_MOTORS],
        states: &mut [WheelFrame],
    ) {
        let mut held = [None; MOST_MOTORS];
        let mut moved = self.moved_without_wheels(frame);
        for index in frame.wheels.clone() {
            match servos.get(index).filter(|servo| servo.max_torque > 0.0) {
                Some(servo) => held[index] = Some(self.hold_spin(index, servo, frame)),
                None => self.roll_alone(index, 0.0, frame, &mut moved, states),
            }
        }
        // Each round releases the wheels whose motors are too weak for what the others leave to them.
        for _ in 0..=MOST_MOTORS {
            self.share_forces(&mut held, frame, moved);
            let mut is_released = false;
            for (index, slot) in held.iter_mut().enumerate() {
                let Some(needed) = slot.as_ref().map(|held: &Held| held.torque(self.contacts[index].radius)) else {
                    continue;
                };
                let most = servos[index].max_torque;
                if needed.abs() > most {
                    *slot = None;
                    is_released = true;
                    self.roll_alone(index, most.copysign(needed), frame, &mut moved, states);
                }
            }
            if !is_released {
                break;
            }
        }
        for (index, wheel) in held.iter().enumerate().filter_map(|(index, held)| Some((index, held.as_ref()?))) {
            let contact = &self.contacts[index];
            let turned = &mut self.wheels[index];
            turned.turn_to(wheel.spin, contact.dt);
            turned.relaxed_slip = Vec2::ZERO;
            self.torque[index] = wheel.torque(contact.radius);
            frame.wrench.add(turned.body_from_wheel() * wheel.force_in_wheel, turned.parameters.position);
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
    }

    /// The motion of the frame after this step under what acts on it besides the ground.
    fn moved_without_wheels(&self, frame: &MovingFrame) -> Moved {
        let (inertia, dt) = (frame.inertia, self.contacts[frame.wheels.start].dt);
        let force = frame.wrench.force_in_body;
        let torque = frame.wrench.torque - inertia.center_of_mass.cross(force);
        Moved {
            velocity: frame.velocity_in_body.at_point(inertia.center_of_mass) + (dt / inertia.mass) * force,
            yaw_rate: frame.velocity_in_body.wz + dt / inertia.yaw * torque,
        }
    }

    /// Rolls a wheel under this torque of its motor [N·m].
    fn roll_alone(
        &mut self,
        index: usize,
        torque: f64,
        frame: &mut MovingFrame,
        moved: &mut Moved,
        states: &mut [WheelFrame],
    ) {
        self.contacts[index].torque = torque;
        let (wheel, contact) = (&mut self.wheels[index], &self.contacts[index]);
        states[index] = roll_on(&*self.law, wheel, contact, (self.brake_torque[index], 0.0), false);
        states[index].lifted = self.lifted[index];
        self.torque[index] = states[index].torque;
        let force = wheel.body_from_wheel() * states[index].force_in_wheel;
        frame.wrench.add(force, wheel.parameters.position);
        self.push_body(index, force, frame, moved);
    }

    /// Lets a force [N], in the body frame, act at a wheel.
    #[inline]
    fn push_body(&self, index: usize, force: Vec2, frame: &MovingFrame, moved: &mut Moved) {
        let (inertia, dt) = (frame.inertia, self.contacts[index].dt);
        let arm = self.wheels[index].parameters.position - inertia.center_of_mass;
        moved.velocity = moved.velocity + (dt / inertia.mass) * force;
        moved.yaw_rate += dt / inertia.yaw * arm.cross(force);
    }

    /// A wheel with the spin that its servo wants, on which the ground does not act yet.
    fn hold_spin(&self, index: usize, servo: &SpinServo, frame: &MovingFrame) -> Held {
        let (contact, inertia) = (&self.contacts[index], frame.inertia);
        let arm = self.wheels[index].parameters.position - inertia.center_of_mass;
        let losses = self.law.axle_losses(&WheelContact { spin: servo.spin, ..*contact }).unwrap_or_default();
        let braked = if servo.spin == 0.0 { 0.0 } else { self.brake_torque[index].copysign(servo.spin) };
        Held {
            spin: servo.spin,
            own_torque: contact.inertia * (servo.spin - contact.spin) / contact.dt - losses + braked,
            mass: 1.0 / (1.0 / inertia.mass + arm.dot(arm) / inertia.yaw),
            force_in_wheel: Vec2::ZERO,
        }
    }

    /// The force [N] on a held wheel, in its frame, that it has so far and that stops its sliding after this step, as far as it grips.
    fn stop_sliding(&self, index: usize, held: &Held, frame: &MovingFrame, moved: &Moved) -> Vec2 {
        let (contact, wheel) = (&self.contacts[index], &self.wheels[index]);
        let arm = wheel.parameters.position - frame.inertia.center_of_mass;
        let over_ground = wheel.body_from_wheel().inverse() * (moved.velocity + moved.yaw_rate * arm.perpendicular());
        let reaction = self.law.react(&WheelContact {
            velocity_in_wheel: over_ground - Vec2::new(held.spin * contact.radius, 0.0),
            gravity_in_wheel: -1.0 * held.force_in_wheel,
            mass: held.mass,
            locked: true,
            ..*contact
        });
        reaction.force_in_wheel
    }

    /// Lets the contacts of all held wheels act on the body together, which moves as `moved` without them.
    fn share_forces(&self, held: &mut [Option<Held>; MOST_MOTORS], frame: &MovingFrame, mut moved: Moved) {
        let load: f64 = self.load[frame.wheels.clone()].iter().sum();
        for (index, held) in held.iter_mut().enumerate().filter_map(|(index, held)| Some((index, held.as_mut()?))) {
            self.push_body(index, self.wheels[index].body_from_wheel() * held.force_in_wheel, frame, &mut moved);
        }
        for round in 0..MOST_ROUNDS {
            let mut most = 0.0_f64;
            for place in 0..MOST_MOTORS {
                // To and fro, so that no wheel is always the last.
                let index = if round % 2 == 0 { place } else { MOST_MOTORS - 1 - place };
                let Some(held) = &mut held[index] else { continue };
                let force = self.stop_sliding(index, held, frame, &moved);
                let change = force - held.force_in_wheel;
                held.force_in_wheel = force;
                self.push_body(index, self.wheels[index].body_from_wheel() * change, frame, &mut moved);
                most = most.max(change.x.abs()).max(change.y.abs());
            }
            if most <= ACCURACY * load {
                break;
            }
        }
    }
}
