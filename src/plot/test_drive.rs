//! A vehicle that is driven by commands of speed and steering angle, for its figures.
//!
//! Lengths scale with L/2.6 m, times and speeds with √(L/2.6 m). So small and large vehicles are compared at the same accelerations (Froude
//! similarity).

use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{VehicleFrame, World};

use super::test_vehicle::{ModelError, TestVehicle};

/// Acceleration of the run-up [m/s²].
const ACCELERATION: f64 = 2.0;
/// Wheelbase of the vehicle that drives at the speeds of the standards [m].
const USUAL_WHEELBASE: f64 = 2.6;
/// Steering angle of a vehicle without a limit [rad].
const USUAL_MAX_STEER: f64 = 0.6;

/// A vehicle under test.
pub(super) struct TestDrive<'a> {
    world: &'a mut World,
    vehicle: usize,
    /// Whether it takes Ackermann commands; otherwise velocity commands.
    ackermann: bool,
    /// L [m].
    pub(super) wheelbase: f64,
    /// Largest steering angle [rad] of drive and actuator.
    pub(super) max_steer: f64,
    /// √(L/2.6 m) [-].
    pub(super) scale: f64,
    /// Step [s].
    pub(super) dt: f64,
    /// Centre of mass in the body frame [m].
    pub(super) center: Vec2,
    /// Yaw rate at the last sample [rad/s].
    last_yaw_rate: f64,
}

/// The motion of the centre of mass, after a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// Position in the world [m], and heading [rad].
    pub(super) world_from_center: Pose2,
    /// Velocity in the heading frame [m/s], and yaw rate [rad/s].
    pub(super) velocity: Twist2,
    /// Mean acceleration of the last step in that frame [m/s²].
    pub(super) acceleration: Vec2,
}

impl Sample {
    /// Side-slip angle [rad]: from the heading to the velocity.
    pub(super) fn slip_angle(&self) -> f64 {
        libm::atan2(self.velocity.vy, self.velocity.vx)
    }
}

impl<'a> TestDrive<'a> {
    /// Takes the wheel of a vehicle.
    ///
    /// # Errors
    /// It is not in its world, is not steered, or takes no such commands.
    pub(super) fn new(driven: &'a mut TestVehicle<'_>) -> Result<TestDrive<'a>, ModelError> {
        let unfit = |reason| ModelError::Unfit { name: driven.name.to_string(), reason };
        let scene = driven.world.scene();
        let info = scene.vehicles.get(driven.vehicle).ok_or_else(|| unfit("is not in its world"))?;
        let wheelbase = info.wheelbase.ok_or_else(|| unfit("is not steered"))?;
        if !info.accepts.twist && !info.accepts.ackermann {
            return Err(unfit("takes no such commands"));
        }
        let vehicle = driven.world.vehicle(driven.vehicle);
        let actuator_angle = vehicle.map_or(f64::INFINITY, |vehicle| vehicle.limits().actuator_angle);
        Ok(TestDrive {
            ackermann: info.accepts.ackermann,
            max_steer: info.max_steer.unwrap_or(USUAL_MAX_STEER).min(actuator_angle),
            dt: scene.step.secs(),
            scale: scale_of(wheelbase),
            center: vehicle.map_or(Vec2::ZERO, |vehicle| vehicle.inertia().center_of_mass),
            last_yaw_rate: 0.0,
            vehicle: driven.vehicle,
            world: driven.world,
            wheelbase,
        })
    }

    /// Puts the vehicle back to its start.
    pub(super) fn reset(&mut self) {
        self.world.reset();
        self.last_yaw_rate = 0.0;
    }

    /// One step with these commands [m/s, rad].
    ///
    /// # Errors
    /// The step fails.
    pub(super) fn step(&mut self, speed: f64, steering_angle: f64) -> Result<&VehicleFrame, ModelError> {
        let action = if self.ackermann {
            Action::Ackermann { speed, steering_angle }
        } else {
            let yaw_rate = speed * libm::tan(steering_angle) / self.wheelbase;
            Action::Twist(Twist2::new(speed, 0.0, yaw_rate))
        };
        // Only a vehicle of another kind could refuse, and those were excluded before.
        let _ = self.world.command(Command { vehicle: self.vehicle, action });
        let vehicle = self.vehicle;
        Ok(&self.world.step()?.vehicles[vehicle])
    }

    /// The same, with the motion of the centre of mass after it.
    ///
    /// # Errors
    /// The step fails.
    pub(super) fn sample(&mut self, speed: f64, steering_angle: f64) -> Result<(Sample, &VehicleFrame), ModelError> {
        let (center, dt, last) = (self.center, self.dt, self.last_yaw_rate);
        self.step(speed, steering_angle)?;
        let frame = &self.world.frame().vehicles[self.vehicle];
        let velocity = frame.velocity_in_body;
        let at_center = velocity.at_point(center);
        let pose = frame.world_from_body.planar();
        let position = pose.transform_point(center);
        let spin = (velocity.wz - last) / dt;
        let turning = Vec2::new(
            -velocity.wz * velocity.wz * center.x - spin * center.y,
            spin * center.x - velocity.wz * velocity.wz * center.y,
        );
        self.last_yaw_rate = velocity.wz;
        let sample = Sample {
            world_from_center: Pose2::new(position.x, position.y, pose.yaw),
            velocity: Twist2::new(at_center.x, at_center.y, velocity.wz),
            acceleration: frame.acceleration_in_body + turning,
        };
        Ok((sample, frame))
    }

    /// Number of steps of a duration of `seconds` [s] for a car, scaled to the size of this vehicle.
    pub(super) fn steps(&self, seconds: f64) -> usize {
        ((seconds * self.scale / self.dt) as usize).max(1)
    }

    /// A length [m] of a car, scaled to the size of this vehicle.
    pub(super) fn length(&self, of_car: f64) -> f64 {
        of_car * self.scale * self.scale
    }

    /// Ramps the commanded speed from one value to another [m/s] and waits until the vehicle has reached it and settled.
    ///
    /// # Errors
    /// A step fails.
    pub(super) fn hold(&mut self, from: f64, wanted: f64, angle: f64) -> Result<(), ModelError> {
        let (patience, settled) = (self.steps(60.0), self.steps(2.0));
        let (mut settled_steps, mut best) = (0, (f64::INFINITY, 0));
        for step in 0..patience {
            let ramp = (from + ACCELERATION * step as f64 * self.dt).min(wanted);
            let error = (self.step(ramp, angle)?.velocity_in_body.vx - wanted).abs();
            settled_steps = if error < 0.01 * wanted { settled_steps + 1 } else { 0 };
            if error < 0.99 * best.0 {
                best = (error, step);
            }
            // The speed is reached, or the drive comes no closer to it.
            if settled_steps > settled || step > best.1 + settled {
                break;
            }
        }
        Ok(())
    }

    /// Accelerates the vehicle from its start straight ahead to the speed [m/s] of a car, scaled to its size, and returns that speed [m/s].
    ///
    /// # Errors
    /// A step fails.
    pub(super) fn speed_up(&mut self, of_car: f64) -> Result<f64, ModelError> {
        self.reset();
        let wanted = of_car * self.scale;
        self.hold(0.0, wanted, 0.0)?;
        self.last_yaw_rate = self.world.frame().vehicles[self.vehicle].velocity_in_body.wz;
        Ok(wanted)
    }

    /// The same. None if the vehicle does not come within 3 % of the speed.
    ///
    /// # Errors
    /// A step fails.
    pub(super) fn reach(&mut self, of_car: f64) -> Result<Option<f64>, ModelError> {
        let wanted = self.speed_up(of_car)?;
        let reached = self.world.frame().vehicles[self.vehicle].velocity_in_body.vx;
        Ok((reached > 0.97 * wanted).then_some(wanted))
    }

    /// The same, and straight on to the last step before the place x [m] in the world that `place` gives for the speed [m/s]. Returns the speed
    /// and the sample there; none if the vehicle does not come to the speed, or not to the place.
    ///
    /// # Errors
    /// A step fails.
    pub(super) fn reach_place(
        &mut self,
        of_car: f64,
        place: impl Fn(f64) -> f64,
    ) -> Result<Option<(f64, Sample)>, ModelError> {
        let Some(speed) = self.reach(of_car)? else { return Ok(None) };
        let x = place(speed);
        let patience = (1.5 * x / (speed * self.dt)) as usize;
        for _ in 0..patience {
            let (sample, frame) = self.sample(speed, 0.0)?;
            if frame.world_from_body.x >= x {
                return Ok(Some((speed, sample)));
            }
        }
        Ok(None)
    }

    /// The vehicle.
    pub(super) fn vehicle(&self) -> Option<&skidpad_sim::vehicle::Vehicle> {
        self.world.vehicle(self.vehicle)
    }

    /// Outline of its chassis [m], in the body frame.
    pub(super) fn outline(&self) -> Vec<Vec2> {
        self.world.scene().vehicles[self.vehicle].outline.clone()
    }
}

/// √(L/2.6 m) [-] of a wheelbase [m].
pub(super) fn scale_of(wheelbase: f64) -> f64 {
    (wheelbase / USUAL_WHEELBASE).sqrt()
}
