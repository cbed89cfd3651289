//! The most frequent step: no contact slid in the last one, and no motor holds its spin. The first round of Newton's method (`at_once.rs`) then
//! finds the solution, unless a limit is reached. This is that round, with nothing that only a limit needs.

use skidpad_math::Vec2;

use super::super::ground_forces::MovingFrame;
use super::super::parts::RunningGear;
use super::super::vehicle::Vehicle;
use super::at_once::{Rows, over_ground, push_and_fall, rows_of, solve};
use super::{CoupledWheel, MotionAfterStep};
use crate::friction::Grip;

/// A wheel that turns freely on a contact that sticks, after its answer to the motion before the step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gripping {
    rows: Rows,
    /// By which the force along and the one across fall per speed [N·s/m].
    falls: [f64; 2],
    /// By which the torque of the motor falls per spin [N·m·s/rad].
    gain: f64,
    grip: Grip,
    /// Spin [rad/s] from which on losses are linear.
    linear_from: f64,
}

/// Forces and torque on the body, and the upper half of the matrix by which they fall with its motion.
type Sums = [f64; 9];

impl Gripping {
    /// What the wheel adds if it answers with this force.
    #[inline(always)]
    fn terms(&self, force: Vec2) -> Sums {
        let ([[x, y, w], [across_x, across_y, across_w]], [along, across]) = (self.rows, self.falls);
        let (by_x, by_across_x) = (x * along, across_x * across);
        let (by_y, by_across_y) = (y * along, across_y * across);
        let (by_w, by_across_w) = (w * along, across_w * across);
        [
            x * force.x + across_x * force.y,
            y * force.x + across_y * force.y,
            w * force.x + across_w * force.y,
            by_x * x + by_across_x * across_x,
            by_x * y + by_across_x * across_y,
            by_x * w + by_across_x * across_w,
            by_y * y + by_across_y * across_y,
            by_y * w + by_across_y * across_w,
            by_w * w + by_across_w * across_w,
        ]
    }
}

/// Adds terms to a sum.
#[inline(always)]
fn add(sums: &mut Sums, terms: &Sums) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

impl Vehicle {
    /// Finds the forces at all wheels that have a motor, and the motion after this step with them, where all contacts go on to stick.
    /// None: some may not. `stiffness` is that of a sticking contact per load on it [s/m].
    #[inline(always)]
    pub(super) fn solve_gripping(
        &self,
        wheels: &mut [CoupledWheel],
        frame: &MovingFrame,
        (inertia, stiffness): ([f64; 3], f64),
        (before, alone): ([f64; 3], [f64; 3]),
    ) -> Option<MotionAfterStep> {
        if self.other_forces.slid.contains(&true) || !matches!(self.running_gear, RunningGear::Tyres) {
            return None;
        }
        let n = wheels.len();
        let (contacts, parts, brakes) = (&self.contacts[..n], &self.wheels[..n], &self.brake_torque[..n]);
        let rest: [f64; 3] = std::array::from_fn(|row| inertia[row] * (alone[row] - before[row]));
        let mut sums = [rest[0], rest[1], rest[2], inertia[0], 0.0, 0.0, inertia[1], 0.0, inertia[2]];
        for begin in (0..n).step_by(2) {
            let mut of_pair = Sums::default();
            for index in begin..n.min(begin + 2) {
                let (wheel, contact) = (&mut wheels[index], &contacts[index]);
                let Some(motor) = &wheel.motor else { continue };
                if motor.holds() || motor.never_reverses || brakes[index] != 0.0 {
                    return None;
                }
                let (before, radius) = (contact.velocity_in_wheel, contact.radius);
                let spin = before.x / radius;
                let sticking = self.law.sticking(contact, spin)?;
                let (torque, gain) = motor.torque_and_gain_at(spin);
                let (push, along) = push_and_fall(contact, &sticking, (torque, gain), (spin, radius));
                let across = stiffness * contact.load;
                let force = Vec2::new(push, self.other_forces.forces_in_wheel[index].y - across * before.y);
                let rows = rows_of(&parts[index], frame.inertia.center_of_mass);
                let (grip, linear_from) = (sticking.grip, sticking.linear_from);
                let gripping = Gripping { rows, falls: [along, across], gain, grip, linear_from };
                add(&mut of_pair, &gripping.terms(force));
                wheel.gripping = gripping;
                (wheel.answer.spin, wheel.answer.force_in_wheel) = (spin, force);
            }
            add(&mut sums, &of_pair);
        }
        let [x, y, w, xx, xy, xw, yy, yw, ww] = sums;
        let change = solve([[xx, xy, xw], [xy, yy, yw], [xw, yw, ww]], [x, y, w]);
        let motion: [f64; 3] = std::array::from_fn(|row| before[row] + change[row]);
        for (wheel, contact) in wheels.iter_mut().zip(contacts) {
            let (Some(motor), Gripping { rows, falls, gain, grip, linear_from }) = (&wheel.motor, &wheel.gripping)
            else {
                continue;
            };
            let answer = &mut wheel.answer;
            let change = over_ground(rows, &motion) - contact.velocity_in_wheel;
            let lost = Vec2::new(falls[0] * change.x, falls[1] * change.y);
            let (force, first) = (answer.force_in_wheel - lost, answer.spin);
            let spin = first + change.x / contact.radius;
            let (torque, gain_then) = motor.torque_and_gain_at(spin);
            let is_linear = spin.abs() >= *linear_from && spin * first >= 0.0 && gain_then == *gain;
            if !is_linear || grip.cut(force) != force {
                return None;
            }
            (answer.spin, answer.torque, answer.force_in_wheel) = (spin, torque, force);
        }
        Some(MotionAfterStep { velocity: Vec2::new(motion[0], motion[1]), yaw_rate: motion[2] })
    }
}
