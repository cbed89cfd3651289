//! How a coupled wheel that turns freely slides.
//!
//! A contact slides with all of its grip against the slip after the step. The slip along the wheel follows from the spin, and the spin from
//! the balance of torques. A driven wheel that slides fast does so as its law says of the motion before the step, like a wheel that is solved
//! alone.

use skidpad_math::Vec2;

use super::super::ground_forces::MovingFrame;
use super::super::stiffness::Motor;
use super::super::vehicle::Vehicle;
use super::CoupledWheel;
use super::at_once::{CUT, Falls, is_cut};

impl Vehicle {
    /// The answer of a wheel that turns freely, where the force of the sticking contact, its last answer, is beyond the grip. That force falls
    /// by `fall` along the wheel. None: a limit by axes cuts the force along it.
    #[inline(never)]
    pub(super) fn answer_sliding(
        &self,
        index: usize,
        wheel: &mut CoupledWheel,
        motor: &Motor,
        over_ground: Vec2,
        fall: f64,
        frame: &MovingFrame,
    ) -> Option<Falls> {
        let (contact, demand, grip) = (&self.contacts[index], wheel.answer.force_in_wheel, wheel.at_once.grip);
        let sticking = Some([[fall, 0.0], [0.0, wheel.at_once.stiffness]]);
        if wheel.at_once.sliding.is_some() {
            return if self.goes_on_sliding(index, wheel, over_ground) { Some(Falls::default()) } else { sticking };
        }
        let within_grip = grip.cut(demand);
        if wheel.at_once.turns_back(within_grip) {
            wheel.at_once.slid = None;
            wheel.at_once.is_beyond_grip = true;
            return sticking;
        }
        // A motor of infinite gain that gives all of its torque lets the contact slide like a wheel without a motor.
        let is_driven = motor.drives() && wheel.at_once.saturated.is_none();
        let mut slide = Slide { force: within_grip, softness: 0.0, falls: [[fall, 0.0], [0.0, 0.0]] };
        let is_circle = within_grip.cross(demand).abs() <= CUT * grip.max * demand.norm();
        if is_circle && grip.max > 0.0 {
            // Of the torque on a driven wheel that slides the ground takes its share, and the rest turns the wheel.
            let mass = if is_driven { self.mass_at_wheel(index, wheel.is_paired, frame) } else { 0.0 };
            slide = Slide::on_circle(demand.x, over_ground.y, grip.max, fall, fall + mass / contact.dt);
        } else if !is_circle && within_grip.x != demand.x {
            return None;
        }
        wheel.at_once.slid = Some(slide.force);
        if is_driven {
            let sliding = self.slide(index, motor, slide.force);
            if sliding.force_in_wheel != slide.force {
                wheel.at_once.sliding = Some(sliding);
                return if self.goes_on_sliding(index, wheel, over_ground) { Some(Falls::default()) } else { sticking };
            }
            wheel.answer = sliding;
        } else {
            wheel.answer.spin = (over_ground.x + slide.softness * slide.force.x) / contact.radius;
            wheel.answer.force_in_wheel = slide.force;
        }
        Some(slide.falls)
    }

    /// Lets a driven wheel slide as its law says of the motion before the step, unless that pushes its contact on. Whether it does not.
    fn goes_on_sliding(&self, index: usize, wheel: &mut CoupledWheel, over_ground: Vec2) -> bool {
        let Some(sliding) = wheel.at_once.sliding else { return false };
        let slip = over_ground - Vec2::new(sliding.spin * self.contacts[index].radius, 0.0);
        if sliding.force_in_wheel.dot(slip) > 0.0 {
            let demand = wheel.answer.force_in_wheel;
            wheel.at_once.is_beyond_grip = is_cut(wheel.at_once.grip.cut(demand), demand);
            wheel.at_once.slid = None;
            return false;
        }
        wheel.at_once.slid = Some(sliding.force_in_wheel);
        wheel.answer = sliding;
        true
    }
}

/// The force of a contact that slides.
struct Slide {
    /// [N]
    force: Vec2,
    /// The slip against the force, per force [m/(N·s)].
    softness: f64,
    /// By which the force falls.
    falls: Falls,
}

impl Slide {
    /// The force of the length `most` [N] against the slip: along the wheel `push`/(1 + `softens`·σ), across it −`across`/σ, where σ is the
    /// softness. `across` is the speed of the contact [m/s], and `push` [N] falls by `fall` per speed along. The length falls with σ, ever
    /// less steeply, so that Newton's method finds σ from below.
    fn on_circle(push: f64, across: f64, most: f64, fall: f64, softens: f64) -> Slide {
        let mut softness = (across.abs() / most).max((push.abs() / most - 1.0) / softens);
        let mut force = Vec2::ZERO;
        let mut weights = [0.0; 2];
        let mut shortens = 0.0;
        for _ in 0..8 {
            shortens = 1.0 / (1.0 + softens * softness);
            force = Vec2::new(push * shortens, -across / softness);
            weights = [softens * shortens * force.x * force.x, force.y * force.y / softness];
            let excess = force.dot(force) - most * most;
            if excess <= 1e-13 * most * most {
                break;
            }
            softness += 0.5 * excess / (weights[0] + weights[1]);
        }
        let per_sum = 1.0 / (weights[0] + weights[1]);
        let mixed = -force.x * force.y * per_sum / softness;
        let falls = [
            [fall * shortens * weights[1] * per_sum, softens * shortens * mixed],
            [fall * shortens * mixed, weights[0] * per_sum / softness],
        ];
        Slide { force, softness, falls }
    }
}
