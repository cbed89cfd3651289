//! Wheels whose motors hold their spin, on a law under which contacts stick: [`SpinServo`]s of infinite gain.
//!
//! Such a wheel ends the step with the wanted spin ω. The ground then acts on it as on a locked wheel whose contact moves with the velocity
//! of the rim over the ground, (v_x − ω·R, v_y): it sticks up to μ·N, and beyond that it slides with the force against that velocity
//! (Coulomb's law). The motor provides τ = R·F_x + I·ω̇ and the losses. Where that is more than its largest torque, ω is the spin that this
//! torque reaches. So neither gains nor masses decide how a vehicle follows the speeds of its wheels.
//!
//! The wheels act on one body: each contact in turn gets the force that stops its sliding after this step, in addition to those of the
//! others (projected Gauss-Seidel on impulses; E. Catto, "Iterative dynamics with temporal coherence", GDC 2005). Where four wheels skid
//! in a turn, the balance of their forces is that of Coulomb's law at any step, ω/ω_wheels = b²/(a² + b²) for a turn on the spot of wheels
//! at (±a, ±b) under equal loads.

use skidpad_math::Vec2;

use super::ground_forces::{MovingFrame, roll_on};
use super::parts::Footing;
use super::servo::SpinServo;
use super::vehicle::Vehicle;
use super::{MOST_MOTORS, WheelFrame, WheelSlip};
use crate::friction::WheelContact;

/// Largest number of iterations over the wheels per step. A few are enough for wheels that can all roll; those that skid slowly take more, as
/// each adds the force that stops its contact, up to the limit of its grip.
const MOST_ROUNDS: usize = 64;
/// Largest number of guesses of a spin that a motor reaches.
const MOST_GUESSES: usize = 16;
/// Forces have converged when they change by less than this share of the load on the wheels, and a torque by that of the largest one.
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
    /// Torque of its motor [N·m].
    torque: f64,
    /// Mass [kg] that a force at this wheel moves at least.
    mass: f64,
    /// Force of the ground on it [N].
    force_in_wheel: Vec2,
}

impl Vehicle {
    /// Runs a frame on wheels whose servos hold their spins for a step: turns its wheels, adds their forces to its wrench and writes their
    /// states. Wheels without a servo roll on their own.
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
            if servos.get(index).is_some_and(|servo| servo.max_torque > 0.0) {
                let mass = frame.inertia.mass_at(self.wheels[index].parameters.position);
                held[index] = Some(Held { mass, ..Held::default() });
            } else {
                self.roll_free(index, frame, &mut moved, states);
            }
        }
        self.share_forces(&mut held, servos, frame, moved);
        for (index, wheel) in held.iter().enumerate().filter_map(|(index, held)| Some((index, held.as_ref()?))) {
            let contact = &self.contacts[index];
            let turned = &mut self.wheels[index];
            turned.turn_to(wheel.spin, contact.dt);
            turned.relaxed_slip = Vec2::ZERO;
            self.torque[index] = wheel.torque;
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
        if let Footing::Rollers = self.footing {
            self.report_slip_of_rollers(states);
        }
    }

    /// The motion of the frame after this step under what acts on it besides the ground.
    fn moved_without_wheels(&self, frame: &MovingFrame) -> Moved {
        let (inertia, dt) = (frame.inertia, self.contacts[frame.wheels.start].dt);
        let force = frame.wrench.force_in_body;
        let torque = frame.wrench.torque - inertia.center_of_mass.cross(force);
        Moved {
            velocity: frame.coasting_in_body(dt).at_point(inertia.center_of_mass) + (dt / inertia.mass) * force,
            yaw_rate: frame.velocity_in_body.wz + dt / inertia.yaw * torque,
        }
    }

    /// Rolls a wheel without a motor.
    fn roll_free(&mut self, index: usize, frame: &mut MovingFrame, moved: &mut Moved, states: &mut [WheelFrame]) {
        self.contacts[index].torque = 0.0;
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

    /// The force of the ground [N] on a held wheel at this spin [rad/s], which stops its sliding after this step in addition to the force that
    /// it has, as far as it grips; and the torque of the motor that it takes [N·m].
    fn at_spin(&self, index: usize, spin: f64, held: &Held, over_ground: Vec2) -> (Vec2, f64) {
        let contact = &self.contacts[index];
        let reaction = self.law.react(&WheelContact {
            velocity_in_wheel: over_ground - Vec2::new(spin * contact.radius, 0.0),
            pull_in_wheel: -1.0 * held.force_in_wheel,
            mass: held.mass,
            locked: true,
            ..*contact
        });
        let losses = self.law.axle_losses(&WheelContact { spin, ..*contact }).unwrap_or_default();
        let braked = if spin == 0.0 { 0.0 } else { self.brake_torque[index].copysign(spin) };
        let turning = contact.inertia * (spin - contact.spin) / contact.dt;
        let force = reaction.force_in_wheel;
        (force, turning - losses + braked + contact.radius * force.x)
    }

    /// A held wheel on a body that moves as `moved`, with the spin that its servo wants, or the one that its largest torque reaches.
    fn turn_held(&self, index: usize, servo: &SpinServo, held: &Held, frame: &MovingFrame, moved: &Moved) -> Held {
        let (contact, wheel) = (&self.contacts[index], &self.wheels[index]);
        let arm = wheel.parameters.position - frame.inertia.center_of_mass;
        let over_ground = wheel.body_from_wheel().inverse() * (moved.velocity + moved.yaw_rate * arm.perpendicular());
        let (force_in_wheel, torque) = self.at_spin(index, servo.spin, held, over_ground);
        let most = servo.max_torque.copysign(torque);
        if torque.abs() <= servo.max_torque {
            return Held { spin: servo.spin, torque, force_in_wheel, ..*held };
        }
        // The torque grows with the spin, by I/Δt at least: regula falsi, halving the value at the retained end (Illinois).
        let (mut spins, mut off) =
            ([servo.spin, servo.spin - (torque - most) * contact.dt / contact.inertia], [torque - most; 2]);
        off[1] = self.at_spin(index, spins[1], held, over_ground).1 - most;
        let mut last = None;
        for _ in 0..MOST_GUESSES {
            let spin = (spins[0] * off[1] - spins[1] * off[0]) / (off[1] - off[0]);
            if !spin.is_finite() {
                break;
            }
            let (_, torque) = self.at_spin(index, spin, held, over_ground);
            let end = usize::from((torque - most) * off[0] < 0.0);
            (spins[end], off[end]) = (spin, torque - most);
            if (torque - most).abs() <= ACCURACY * servo.max_torque {
                break;
            }
            if last == Some(end) {
                off[1 - end] *= 0.5;
            }
            last = Some(end);
        }
        let nearer = if off[0].abs() < off[1].abs() { spins[0] } else { spins[1] };
        let (force_in_wheel, _) = self.at_spin(index, nearer, held, over_ground);
        Held { spin: nearer, torque: most, force_in_wheel, ..*held }
    }

    /// Lets the contacts of all held wheels act on the body together, which moves as `moved` without them.
    fn share_forces(
        &self,
        held: &mut [Option<Held>; MOST_MOTORS],
        servos: &[SpinServo; MOST_MOTORS],
        frame: &MovingFrame,
        mut moved: Moved,
    ) {
        let load: f64 = self.load[frame.wheels.clone()].iter().sum();
        for round in 0..MOST_ROUNDS {
            let mut most = 0.0_f64;
            for place in 0..MOST_MOTORS {
                // To and fro, so that no wheel is always the last.
                let index = if round % 2 == 0 { place } else { MOST_MOTORS - 1 - place };
                let Some(wheel) = &mut held[index] else { continue };
                let before = wheel.force_in_wheel;
                *wheel = self.turn_held(index, &servos[index], wheel, frame, &moved);
                let change = wheel.force_in_wheel - before;
                self.push_body(index, self.wheels[index].body_from_wheel() * change, frame, &mut moved);
                most = most.max(change.x.abs()).max(change.y.abs());
            }
            if most <= ACCURACY * load {
                break;
            }
        }
    }
}
