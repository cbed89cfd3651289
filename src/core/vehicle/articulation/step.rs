//! One step of an articulated vehicle.
//!
//! Everything is computed in the frame of the rear body: a motion or a wrench of the front body is that of a body whose
//! reference point is the vehicle's.

use std::ops::Range;

use super::{Articulation, FrontMotion, REAR_WHEELS};
use crate::math::{Rot2, Twist2, Vec2, Vec3};
use crate::vehicle::brake::Brakes;
use crate::vehicle::controller::ControlInput;
use crate::vehicle::step::{HeldBody, LEVEL, roll_on};
use crate::vehicle::vehicle::{Effect, Situation, SlopeRule, Vehicle};
use crate::vehicle::{Inertia, VehicleOutput, WheelFrame, Wrench};

/// Rate of the hinge [rad/s] below which it counts as at rest.
const AT_REST: f64 = 1e-3;

/// A bent vehicle: how the frame of the front body lies in that of the rear body.
#[derive(Clone, Copy, Debug)]
struct Bend {
    hinge: Vec2,
    rear_from_front: Rot2,
}

impl Bend {
    /// A motion of the front body, of its own reference point in its own frame, as one of the rear's in the rear's frame.
    fn velocity_in_rear(&self, velocity_in_front: Twist2) -> Twist2 {
        let reference_in_front = self.hinge - self.rear_from_front.inverse() * self.hinge;
        let linear = self.rear_from_front * velocity_in_front.at_point(reference_in_front);
        Twist2::new(linear.x, linear.y, velocity_in_front.wz)
    }

    /// A wrench about the rear's reference point in the rear's frame as one about the front's in the front's frame.
    fn wrench_in_front(&self, in_rear: Wrench) -> Wrench {
        let reference_in_rear = self.hinge - self.rear_from_front * self.hinge;
        Wrench {
            force_in_body: self.rear_from_front.inverse() * in_rear.force_in_body,
            torque: in_rear.torque - reference_in_rear.cross(in_rear.force_in_body),
        }
    }

    /// Mass properties of the front body, in the rear's frame.
    fn inertia_in_rear(&self, inertia: Inertia) -> Inertia {
        let center_of_mass = self.hinge + self.rear_from_front * (inertia.center_of_mass - self.hinge);
        Inertia { center_of_mass, ..inertia }
    }
}

/// One of both frames during a step, in the frame of the rear body.
struct Frame {
    /// Indices of its wheels.
    wheels: Range<usize>,
    inertia: Inertia,
    velocity: Twist2,
    /// What acts on it so far.
    wrench: Wrench,
    /// Its holding brakes, for the time of the step.
    brakes: Brakes,
}

impl Frame {
    /// The frame as a body to be held on its wheels.
    fn to_hold(&self) -> HeldBody {
        HeldBody {
            wheels: self.wheels.clone(),
            inertia: self.inertia,
            velocity_in_body: self.velocity,
            pull_in_body: self.wrench.force_in_body,
            torque: self.wrench.torque - self.inertia.center_of_mass.cross(self.wrench.force_in_body),
        }
    }
}

impl Vehicle {
    /// The front frame, if the vehicle has two.
    pub fn articulation(&self) -> Option<&Articulation> {
        self.articulation.as_deref()
    }

    /// One step of an articulated vehicle, whose front frame moves as `front`; like [`Vehicle::step`].
    pub fn step_articulated(
        &mut self,
        situation: &Situation<'_>,
        front: FrontMotion,
        output: &mut VehicleOutput<'_>,
    ) -> Effect {
        let Some(mut articulation) = self.articulation.take() else { return self.step(situation, output) };
        let bend = Bend { hinge: articulation.hinge.position, rear_from_front: Rot2::new(front.angle) };
        let rear = Frame {
            wheels: 0..REAR_WHEELS,
            inertia: self.inertia,
            velocity: situation.velocity_in_body,
            wrench: Wrench::default(),
            brakes: std::mem::take(&mut self.brakes),
        };
        let mut frames = [
            rear,
            Frame {
                wheels: REAR_WHEELS..self.wheels.len(),
                inertia: bend.inertia_in_rear(articulation.inertia),
                velocity: bend.velocity_in_rear(front.velocity_in_front),
                wrench: Wrench::default(),
                brakes: std::mem::take(&mut articulation.brakes),
            },
        ];
        self.drive.steer(front.angle, &mut self.wheels);
        self.step_frames(&mut frames, &mut articulation, front.angle, situation, output);
        let [rear, front] = frames;
        (self.brakes, articulation.brakes) = (rear.brakes, front.brakes);
        self.articulation = Some(articulation);
        Effect::TwoFrames(rear.wrench, bend.wrench_in_front(front.wrench))
    }

    /// The step, which adds to the wrenches of the frames; the hinge is at `angle` [rad].
    fn step_frames(
        &mut self,
        frames: &mut [Frame; 2],
        articulation: &mut Articulation,
        angle: f64,
        situation: &Situation<'_>,
        output: &mut VehicleOutput<'_>,
    ) {
        let &Situation { down_in_body: down, dt, .. } = situation;
        self.advance_setpoints(dt);
        let wanted = self.steering_actuator.follow(self.controller.steering_angle(), dt);
        let rate = frames[1].velocity.wz - frames[0].velocity.wz;
        let is_turning = wanted != articulation.wanted || rate.abs() > AT_REST;
        articulation.turn(wanted, [angle, rate], self.steering_actuator.max_rate(), dt);

        let (is_level, pulls) = (down == LEVEL, self.slope == SlopeRule::Pulls);
        let along_ground = if is_level { Vec2::ZERO } else { self.gravity * Vec2::new(down.x, down.y) };
        let gravity_in_body = (frames[0].inertia.mass + frames[1].inertia.mass) * along_ground;
        let center_of_mass = self.inertia.center_of_mass;
        let input = ControlInput { wheels: &self.wheels, gravity_in_body, center_of_mass, dt };
        let actuation = self.controller.update(&input);
        *output.setpoint = self.controller.setpoint();
        (output.powertrain.throttle, output.powertrain.brake) = (actuation.pedals.throttle, actuation.pedals.brake);
        self.update_loads(situation, Vec2::ZERO, if pulls { (-down.z).max(0.0) } else { 1.0 });
        self.drive.distribute(&actuation, &self.wheels, &mut self.torque);

        frames[0].wrench.torque -= articulation.torque;
        frames[1].wrench.torque += articulation.torque;
        if pulls && !is_level {
            for Frame { wrench, inertia, .. } in frames.iter_mut() {
                wrench.add(inertia.mass * along_ground, inertia.center_of_mass);
            }
        }
        if self.resistance.drag != 0.0 {
            let Frame { wrench, inertia, velocity, .. } = &mut frames[0];
            wrench.add(self.resistance.air(velocity.linear()), inertia.center_of_mass);
        }
        // A vehicle that bends while it stands rolls on its wheels.
        let stand_below = actuation.stand_below.filter(|_| pulls && !is_turning);
        let mut stands = true;
        for Frame { brakes, wheels, velocity, .. } in frames.iter_mut() {
            stands &= brakes.lock(stand_below, &self.wheels[wheels.clone()], *velocity);
        }
        if stands {
            self.along.clear();
            for frame in frames {
                let body = frame.to_hold();
                self.hold(&mut frame.brakes, body, situation, &mut frame.wrench, output);
            }
            return;
        }
        self.touch_ground(frames, situation);
        let slows = !is_level && pulls && actuation.stand_below.is_some();
        if slows {
            self.brake_against_slope(gravity_in_body);
        }
        self.drive_contacts(&actuation, dt, output);
        for frame in frames {
            let body = frame.to_hold();
            let can_stop = self.parts.brakes && pulls && self.brakes_could_stop(&body, dt);
            if !(can_stop && self.hold(&mut frame.brakes, body, situation, &mut frame.wrench, output)) {
                self.roll_frame(frame, down, slows, output);
            }
        }
    }

    /// Updates the contacts of all wheels with the motions of their frames. Under MVSim's rule for slopes adds the
    /// gravity at each wheel to the wrench of its frame.
    fn touch_ground(&mut self, frames: &mut [Frame; 2], situation: &Situation<'_>) {
        let down = situation.down_in_body;
        let is_level = down == LEVEL;
        // The gravity that this adds to one wrench is added to those of both frames here.
        self.find_contacts(situation, is_level, &mut Wrench::default());
        for Frame { wheels, velocity, wrench, .. } in frames {
            for index in wheels.clone() {
                let wheel = &self.wheels[index];
                self.contacts[index].velocity_in_wheel = wheel.velocity_in_wheel(*velocity);
                if self.slope == SlopeRule::Held && !is_level {
                    wrench.add(self.loads.at_rest[index] * Vec2::new(down.x, down.y), wheel.parameters.position);
                }
            }
        }
    }

    /// Rolls the wheels of a frame, of which those that are slowed do not reverse if the vehicle `slows`, and adds
    /// their forces to its wrench.
    fn roll_frame(&mut self, frame: &mut Frame, down: Vec3, slows: bool, output: &mut VehicleOutput<'_>) {
        for index in frame.wheels.clone() {
            let wheel = &mut self.wheels[index];
            let capacity = if self.parts.brakes { self.brake_torque[index] } else { 0.0 };
            let pull_in_body = self.loads.at_rest[index] * Vec2::new(down.x, down.y);
            let pull_along = (wheel.body_from_wheel().inverse() * pull_in_body).x;
            let is_slowed = slows && self.slowed[index];
            let state = roll_on(&*self.law, wheel, &self.contacts[index], (capacity, pull_along), is_slowed);
            frame.wrench.add(wheel.body_from_wheel() * state.force_in_wheel, wheel.parameters.position);
            self.torque[index] = state.torque;
            output.wheels[index] = WheelFrame { lifted: self.lifted[index], ..state };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEND: f64 = 0.7;

    fn bend() -> Bend {
        Bend { hinge: Vec2::new(0.9, 0.1), rear_from_front: Rot2::new(BEND) }
    }

    /// Power is the same in either frame: F·v + T·ω.
    #[test]
    fn motions_and_wrenches_of_the_front_frame_keep_their_power() {
        let velocity_in_front = Twist2::new(1.2, -0.4, 0.8);
        let mut in_rear = Wrench { torque: 0.3, ..Wrench::default() };
        in_rear.add(Vec2::new(3.0, -5.0), Vec2::new(2.0, 1.5));
        let power = |wrench: &Wrench, v: Twist2| wrench.force_in_body.dot(v.linear()) + wrench.torque * v.wz;
        let in_front = bend().wrench_in_front(in_rear);
        let difference =
            power(&in_front, velocity_in_front) - power(&in_rear, bend().velocity_in_rear(velocity_in_front));
        assert!(difference.abs() < 1e-12, "{difference}");
        // The hinge is the same point of both.
        let at_hinge = bend().velocity_in_rear(velocity_in_front).at_point(bend().hinge);
        let expected = bend().rear_from_front * velocity_in_front.at_point(bend().hinge);
        assert!((at_hinge - expected).norm() < 1e-12);
    }
}
