//! All coupled wheels at once: Newton's method on the three velocities of the body after the step.
//!
//! ```text
//! M/Δt·(m − m₀) = Σ Jᵢᵀ·Fᵢ(Jᵢ·m)        Jᵢ: the velocity of contact i per motion m = (v_x, v_y, yaw rate)
//! ```
//! A contact that sticks answers a slip w with F = F_before − k·w. Its k is so large that no slip of the solution matters. A wheel that turns
//! freely rolls along with the body, and the balance of torques gives the force along it. So with all contacts sticking one round finds the
//! solution. Contacts that hold the same motion share what changes in their force as their loads. A contact that slides answers with its limit
//! (`sliding.rs`).
//!
//! The method gives up where wheels with rollers slide, where a wheel stops rather than reverse, and after [`MAX_ROUNDS`]. The wheels then
//! get their forces in turn (`in_turn.rs`).

use skidpad_math::Vec2;

use super::super::ground_forces::MovingFrame;
use super::super::pairs::sum_by_pairs;
use super::super::stiffness::Motor;
use super::super::vehicle::Vehicle;
use super::super::wheel::Wheel;
use super::{ACCURACY, Answer, CoupledWheel, MotionAfterStep};
use crate::friction::{Grip, Limit, Sticking, WheelContact};

/// Largest number of rounds.
const MAX_ROUNDS: usize = 12;
/// The force of a sticking contact per speed of its slip, as a multiple of the force that stops the body within the step [-].
const STICKING: f64 = 1e4;
/// A force is cut by the limit of grip if it changes by more than this share of itself.
pub(super) const CUT: f64 = 1e-12;

/// By which a force falls per speed of its contact [N·s/m]: along it per speed along and across, and across it.
pub(super) type Falls = [[f64; 2]; 2];
/// The same of forces and torque on the body, per motion of it.
type Matrix = [[f64; 3]; 3];

/// The velocity of a contact along and across its wheel per motion of the body.
pub(super) type Rows = [[f64; 3]; 2];

/// The rows of a wheel on a body with this centre of mass [m].
#[inline(always)]
pub(super) fn rows_of(wheel: &Wheel, center: Vec2) -> Rows {
    let arm = wheel.parameters.position - center;
    let (cos, sin) = (wheel.body_from_wheel().cos, wheel.body_from_wheel().sin);
    [[cos, sin, sin * arm.x - cos * arm.y], [-sin, cos, sin * arm.y + cos * arm.x]]
}

/// The velocity of a contact over the ground [m/s], in the frame of its wheel, under this motion of the body.
#[inline(always)]
pub(super) fn over_ground(rows: &Rows, motion: &[f64; 3]) -> Vec2 {
    let speed = |row: &[f64; 3]| row[0] * motion[0] + row[1] * motion[1] + row[2] * motion[2];
    Vec2::new(speed(&rows[0]), speed(&rows[1]))
}

/// The force [N] with which the ground turns a wheel of this `radius` [m] at a spin [rad/s]. The second value is by how much it falls per
/// speed [N·s/m]. The motor gives `torque` [N·m], which falls by `gain` per spin.
#[inline(always)]
pub(super) fn push_and_fall(
    contact: &WheelContact,
    sticking: &Sticking,
    (torque, gain): (f64, f64),
    (spin, radius): (f64, f64),
) -> (f64, f64) {
    let turning = contact.inertia / contact.dt;
    let push = (torque + sticking.losses - turning * (spin - contact.spin)) / radius;
    (push, (gain + sticking.losses_fall + turning) / (radius * radius))
}

/// A wheel during the rounds of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// By which the force of the last answer falls.
    falls: Falls,
    rows: Rows,
    /// The k of the sticking contact [N·s/m].
    pub stiffness: f64,
    /// The force of the last step [N].
    force_before: Vec2,
    /// The velocity of the contact over the ground [m/s], in the frame of the wheel, that it answered in the first round.
    first_over_ground: Vec2,
    pub grip: Grip,
    /// The force with which it slid in the last round [N].
    pub slid: Option<Vec2>,
    /// Whether the force of the last answer is beyond the grip: the contact has turned back, and sticks for one round.
    pub is_beyond_grip: bool,
    /// The torque [N·m] of a motor of infinite gain that cannot hold its spin.
    pub saturated: Option<f64>,
    /// How a driven wheel slides: as its law says of the motion before the step.
    pub sliding: Option<Answer>,
}

impl Round {
    /// Whether a force in this direction would push the contact on: it slid the other way in the last round.
    #[inline]
    pub(super) fn turns_back(&self, force: Vec2) -> bool {
        self.slid.is_some_and(|slid| slid.dot(force) < 0.0)
    }

    /// Adds by which the force of the last answer falls per motion of the body.
    #[inline(always)]
    fn stiffen(&self, matrix: &mut Matrix) {
        let ([along, across], falls) = (&self.rows, &self.falls);
        if falls[0][1] == 0.0 && falls[1][0] == 0.0 {
            for row in 0..3 {
                let (by_along, by_across) = (along[row] * falls[0][0], across[row] * falls[1][1]);
                for column in row..3 {
                    let fall = by_along * along[column] + by_across * across[column];
                    matrix[row][column] += fall;
                    if column > row {
                        matrix[column][row] += fall;
                    }
                }
            }
            return;
        }
        for row in 0..3 {
            let by_along = along[row] * falls[0][0] + across[row] * falls[1][0];
            let by_across = along[row] * falls[0][1] + across[row] * falls[1][1];
            for column in 0..3 {
                matrix[row][column] += by_along * along[column] + by_across * across[column];
            }
        }
    }
}

impl CoupledWheel {
    /// Adds the force of the last answer, as forces and torque on the body [N, N·m].
    #[inline(always)]
    fn push(&self, body: &mut [f64; 3]) {
        let ([along, across], force) = (&self.at_once.rows, self.answer.force_in_wheel);
        for row in 0..3 {
            body[row] += along[row] * force.x + across[row] * force.y;
        }
    }

    /// Changes the answer of the first round to that of the solution, where the motor holds its spin and nothing limits it. Whether that is so.
    #[inline(always)]
    fn settles(&mut self, motion: &[f64; 3], radius: f64) -> bool {
        let (Some(motor), round) = (&self.motor, &self.at_once) else { return true };
        if !motor.holds() {
            return false;
        }
        let change = over_ground(&round.rows, motion) - round.first_over_ground;
        let falls = &round.falls;
        let lost =
            Vec2::new(falls[0][0] * change.x + falls[0][1] * change.y, falls[1][0] * change.x + falls[1][1] * change.y);
        let force = self.answer.force_in_wheel - lost;
        self.answer.force_in_wheel = force;
        if round.grip.cut(force) != force {
            return false;
        }
        self.answer.torque -= radius * lost.x;
        self.answer.torque.abs() <= motor.max_torque
    }
}

/// The solution of three linear equations, by elimination without exchange of rows: mirrored equations have the mirrored solution.
#[inline]
pub(crate) fn solve([[a, b, c], [d, e, f], [g, h, i]]: Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let of_first = 1.0 / a;
    let (of_second, of_third) = (d * of_first, g * of_first);
    let (e, f, y) = (e - of_second * b, f - of_second * c, y - of_second * x);
    let (h, i, z) = (h - of_third * b, i - of_third * c, z - of_third * x);
    let of_second = 1.0 / e;
    let of_third = h * of_second;
    let z = (z - of_third * y) / (i - of_third * f);
    let y = (y - f * z) * of_second;
    [(x - b * y - c * z) * of_first, y, z]
}

impl Vehicle {
    /// Finds the forces at all wheels that have a motor, and the motion after this step with them. None: the method gives up. The body moves
    /// as `before` now, and as `alone` after the step without these wheels.
    #[inline]
    pub(super) fn solve_at_once(
        &mut self,
        wheels: &mut [CoupledWheel],
        frame: &MovingFrame,
        before: MotionAfterStep,
        alone: MotionAfterStep,
    ) -> Option<MotionAfterStep> {
        let load = sum_by_pairs(self.load.iter().copied());
        if load.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let per_dt = 1.0 / self.contacts[0].dt;
        let inertia = [frame.inertia.mass * per_dt, frame.inertia.mass * per_dt, frame.inertia.yaw * per_dt];
        let stiffness = STICKING * inertia[0] / load;
        let alone = [alone.velocity.x, alone.velocity.y, alone.yaw_rate];
        let mut motion = [before.velocity.x, before.velocity.y, before.yaw_rate];
        let gripping = self.solve_gripping(wheels, frame, (inertia, stiffness), (motion, alone));
        if gripping.is_some() {
            return gripping;
        }
        self.begin_rounds(wheels, frame, stiffness);
        let mut slides = false;
        for round in 0..MAX_ROUNDS {
            let mut force = [0.0; 3];
            for row in 0..3 {
                force[row] = inertia[row] * (alone[row] - motion[row]);
            }
            for (place, pair) in wheels.chunks_mut(2).enumerate() {
                let mut of_pair = [0.0; 3];
                for (index, wheel) in (2 * place..).zip(pair) {
                    let Some(motor) = wheel.motor else { continue };
                    let over_ground = if round == 0 {
                        self.contacts[index].velocity_in_wheel
                    } else {
                        over_ground(&wheel.at_once.rows, &motion)
                    };
                    let checks = round > 0 || self.other_forces.slid[index];
                    slides |= checks;
                    wheel.at_once.falls = if motor.holds() {
                        self.answer_holding(index, wheel, &motor, over_ground, checks, frame)?
                    } else {
                        self.answer_freely(index, wheel, &motor, over_ground, checks, frame)?
                    };
                    wheel.push(&mut of_pair);
                }
                for row in 0..3 {
                    force[row] += of_pair[row];
                }
            }
            let is_within_grip = wheels.iter().all(|wheel| !wheel.at_once.is_beyond_grip);
            if round > 0 && is_within_grip && self.balances(force, load, frame) {
                for (slid, wheel) in self.other_forces.slid.iter_mut().zip(wheels) {
                    *slid = wheel.at_once.slid.is_some();
                }
                return Some(MotionAfterStep { velocity: Vec2::new(motion[0], motion[1]), yaw_rate: motion[2] });
            }
            let mut matrix = [[inertia[0], 0.0, 0.0], [0.0, inertia[1], 0.0], [0.0, 0.0, inertia[2]]];
            for pair in wheels.chunks(2) {
                let mut of_pair = Matrix::default();
                for wheel in pair {
                    wheel.at_once.stiffen(&mut of_pair);
                }
                for row in 0..3 {
                    for column in 0..3 {
                        matrix[row][column] += of_pair[row][column];
                    }
                }
            }
            let change = solve(matrix, force);
            for row in 0..3 {
                motion[row] += change[row];
            }
            if !slides {
                let mut all_settle = true;
                for (wheel, contact) in wheels.iter_mut().zip(&self.contacts) {
                    all_settle &= wheel.settles(&motion, contact.radius);
                }
                if all_settle {
                    return Some(MotionAfterStep { velocity: Vec2::new(motion[0], motion[1]), yaw_rate: motion[2] });
                }
            }
        }
        None
    }

    /// Prepares the wheels for the rounds; `per_load` is the stiffness of a sticking contact per load on it [s/m].
    #[inline(always)]
    fn begin_rounds(&self, wheels: &mut [CoupledWheel], frame: &MovingFrame, per_load: f64) {
        for (index, (wheel, (parts, contact))) in
            wheels.iter_mut().zip(self.wheels.iter().zip(&self.contacts)).enumerate()
        {
            let round = &mut wheel.at_once;
            round.rows = rows_of(parts, frame.inertia.center_of_mass);
            round.stiffness = per_load * contact.load;
            round.force_before = self.other_forces.forces_in_wheel[index];
            round.first_over_ground = contact.velocity_in_wheel;
            (round.slid, round.saturated, round.sliding) = (None, None, None);
            round.is_beyond_grip = false;
        }
    }

    /// Whether a rest of forces [N] and torque [N·m] is small enough.
    #[inline]
    fn balances(&self, residual: [f64; 3], load: f64, frame: &MovingFrame) -> bool {
        let close = ACCURACY * load;
        let close_torque = close * (frame.inertia.yaw / frame.inertia.mass).sqrt();
        residual[0].abs() <= close && residual[1].abs() <= close && residual[2].abs() <= close_torque
    }

    /// The answer of a wheel whose motor holds its spin, as far as its torque suffices. Where it does not check limits, the contact sticks.
    fn answer_holding(
        &self,
        index: usize,
        wheel: &mut CoupledWheel,
        motor: &Motor,
        over_ground: Vec2,
        checks: bool,
        frame: &MovingFrame,
    ) -> Option<Falls> {
        if let Some(torque) = wheel.at_once.saturated {
            let falls = self.answer_freely(index, wheel, &motor.giving(torque), over_ground, checks, frame)?;
            if (motor.spin - wheel.answer.spin) * torque >= 0.0 {
                return Some(falls);
            }
            wheel.at_once.saturated = None;
        }
        let (contact, round) = (&self.contacts[index], &mut wheel.at_once);
        let (spin, k) = (motor.spin, round.stiffness);
        let Sticking { losses, mut grip, .. } = self.law.sticking(contact, spin)?;
        let slip = over_ground - Vec2::new(spin * contact.radius, 0.0);
        let mut demand = round.force_before - k * slip;
        let mut falls = [[k, 0.0], [0.0, k]];
        let axis = self.wheels[index].parameters.rollers.map(|rollers| rollers.axis());
        if let Some(axis) = axis {
            demand = demand.dot(axis) * axis;
            falls = along_axis(k, axis);
            // Whatever the law limits, a roller pushes along its axis only.
            grip.limit = Limit::Circle;
        }
        round.grip = grip;
        let mut force = demand;
        if checks {
            let within_grip = grip.cut(demand);
            round.is_beyond_grip = is_cut(within_grip, demand) && round.turns_back(within_grip);
            round.slid = (is_cut(within_grip, demand) && !round.is_beyond_grip).then_some(within_grip);
            if round.slid.is_some() {
                force = within_grip;
                falls = if axis.is_some() { Falls::default() } else { falls_of_sliding(within_grip, demand, k) };
            }
        }
        let braked = if spin == 0.0 { 0.0 } else { self.brake_torque[index].copysign(spin) };
        let turning = contact.inertia * (spin - contact.spin) / contact.dt;
        let torque = turning - losses + braked + contact.radius * force.x;
        if checks && torque.abs() > motor.max_torque {
            let torque = motor.max_torque.copysign(torque);
            round.saturated = Some(torque);
            return self.answer_freely(index, wheel, &motor.giving(torque), over_ground, checks, frame);
        }
        wheel.answer = Answer { spin, torque, force_in_wheel: force };
        Some(falls)
    }

    /// The answer of a wheel that turns freely under its motor. Where it does not check limits, the contact sticks.
    #[inline(always)]
    fn answer_freely(
        &self,
        index: usize,
        wheel: &mut CoupledWheel,
        motor: &Motor,
        over_ground: Vec2,
        checks: bool,
        frame: &MovingFrame,
    ) -> Option<Falls> {
        let (contact, axis) =
            (&self.contacts[index], self.wheels[index].parameters.rollers.map(|rollers| rollers.axis()));
        let (speed, radius) = match axis {
            None => (over_ground.x, contact.radius),
            Some(axis) => (over_ground.dot(axis), contact.radius * axis.x),
        };
        let spin = speed / radius;
        if self.brake_torque[index] != 0.0 || (motor.never_reverses && spin * contact.spin < 0.0) {
            return None;
        }
        let sticking = self.law.sticking(contact, spin)?;
        let (torque, gain) = motor.torque_and_gain_at(spin);
        let (push, fall) = push_and_fall(contact, &sticking, (torque, gain), (spin, radius));
        let (grip, round) = (sticking.grip, &mut wheel.at_once);
        round.grip = grip;
        round.is_beyond_grip = false;
        if let Some(axis) = axis {
            wheel.answer = Answer { spin, torque, force_in_wheel: push * axis };
            return (!checks || push.abs() <= grip.max).then_some(along_axis(fall, axis));
        }
        let demand = Vec2::new(push, round.force_before.y - round.stiffness * over_ground.y);
        wheel.answer = Answer { spin, torque, force_in_wheel: demand };
        if !checks || (round.sliding.is_none() && !is_cut(grip.cut(demand), demand)) {
            round.slid = None;
            return Some([[fall, 0.0], [0.0, round.stiffness]]);
        }
        self.answer_sliding(index, wheel, motor, over_ground, fall, frame)
    }
}

/// A fall along one axis only.
fn along_axis(fall: f64, axis: Vec2) -> Falls {
    let mixed = fall * axis.x * axis.y;
    [[fall * axis.x * axis.x, mixed], [mixed, fall * axis.y * axis.y]]
}

/// Whether the limit of grip cut a force.
#[inline]
pub(super) fn is_cut(within_grip: Vec2, demand: Vec2) -> bool {
    let cut = within_grip - demand;
    cut.x.abs().max(cut.y.abs()) > CUT * demand.x.abs().max(demand.y.abs())
}

/// How a force that the limit cut falls, where the force that was wanted falls by `fall` along both axes.
fn falls_of_sliding(force: Vec2, demand: Vec2, fall: f64) -> Falls {
    let length = demand.norm();
    if force.cross(demand).abs() <= CUT * force.norm() * length {
        // A circle: its length stays, its direction turns.
        let (x, y) = (demand.x / length, demand.y / length);
        let k = force.norm() / length * fall;
        return [[k * y * y, -k * x * y], [-k * x * y, k * x * x]];
    }
    let kept = |force: f64, demand: f64| if force == demand { fall } else { 0.0 };
    [[kept(force.x, demand.x), 0.0], [0.0, kept(force.y, demand.y)]]
}
