//! Starts, stops and resets of a vehicle, and how it takes a motion that comes from outside of its step.

use skidpad_math::{Twist2, Vec2};

use super::brake::Brakes;
use super::demand::CommandCounts;
use super::drive::REAR_WHEELS;
use super::parts::Steered;
use super::vehicle::Vehicle;
use super::wheel::Wheel;

impl Vehicle {
    /// Stops the wheels, after the body was placed elsewhere with `velocity_in_body` [m/s, rad/s], at which the set-points
    /// start.
    pub fn halt(&mut self, velocity_in_body: Twist2) {
        self.start_setpoints(velocity_in_body);
        if let Steered::FrontFrame(articulation) = &mut self.steered {
            articulation.halt(self.wheels[REAR_WHEELS].steer());
        }
        for wheel in &mut self.wheels {
            wheel.spin = 0.0;
            wheel.relaxed_slip = Vec2::ZERO;
        }
        self.forget_last_steps();
        if let Some(powertrain) = &mut self.powertrain {
            powertrain.halt();
        }
        if let Some(motion) = self.mover.model_mut() {
            motion.halt();
        }
    }

    /// Tells the model that the vehicle was placed at a pose.
    pub fn straighten(&mut self) {
        if let Some(motion) = self.mover.model_mut() {
            motion.straighten();
        }
    }

    /// Initial velocity of the reference point in the body frame [m/s, rad/s] that the model defines, if any.
    pub fn start_velocity(&self) -> Option<Twist2> {
        self.motion()?.start_velocity()
    }

    /// Starts the model and the set-points with the velocity `velocity_in_body` [m/s, rad/s] of the reference point.
    pub fn start_with(&mut self, velocity_in_body: Twist2) {
        self.start_setpoints(velocity_in_body);
        if let Some(motion) = self.mover.model_mut() {
            motion.start_with(velocity_in_body);
        }
    }

    /// Sets the spin of the wheels so that they roll without slip on a body that moves with `velocity_in_body` [m/s, rad/s].
    pub fn roll(&mut self, velocity_in_body: Twist2) {
        self.other_forces.forget();
        for wheel in &mut self.wheels {
            wheel.spin = wheel.rolling_speed(velocity_in_body) / wheel.parameters.radius;
        }
    }

    /// Changes the spin of the wheels along with the velocity of the body, from `before` to `after` [m/s, rad/s], so that their slip stays.
    pub fn keep_slip(&mut self, before: Twist2, after: Twist2) {
        self.other_forces.forget();
        for wheel in &mut self.wheels {
            let change = wheel.rolling_speed(after) - wheel.rolling_speed(before);
            wheel.spin += change / wheel.parameters.radius;
        }
    }

    /// Informs the model that the body did not move as in [`Motion`](crate::Effect::Motion): its reference point has `velocity_in_body` [m/s, rad/s].
    pub fn correct_velocity(&mut self, velocity_in_body: Twist2) {
        if let Some(motion) = self.mover.model_mut() {
            motion.correct_velocity(velocity_in_body);
        }
    }

    /// Resets to the start: commands of the world file, wheels at rest, odometry at its origin.
    pub fn reset(&mut self) {
        self.ramp = None;
        if let Some(inputs) = &mut self.inputs {
            inputs.reset();
        }
        self.controller.reset();
        self.wheels.iter_mut().for_each(Wheel::reset);
        if let Steered::FrontFrame(articulation) = &mut self.steered {
            articulation.halt(0.0);
            self.drive.steer(0.0, &mut self.wheels);
        }
        self.steered.turn_again();
        self.forget_last_steps();
        self.odometry.reset();
        self.steering_actuator.reset();
        if let Some(powertrain) = &mut self.powertrain {
            powertrain.reset();
        }
        if let Some(braking) = &mut self.braking {
            braking.reset();
        }
        if let Some(motion) = self.mover.model_mut() {
            motion.reset();
        }
        self.last_command = None;
        self.command_counts = CommandCounts::default();
    }

    /// Forgets what a step takes over from those before it.
    fn forget_last_steps(&mut self) {
        self.brakes.iter_mut().for_each(Brakes::forget);
        self.other_forces.forget();
        self.felt.reset();
        if let Some(suspension) = self.carrying.suspension_mut() {
            suspension.reset();
        }
        self.shaft_torques = Default::default();
    }
}
