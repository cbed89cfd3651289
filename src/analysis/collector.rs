//! Collects the data of a run while it is simulated: the numbers that a recording of it would give, without a file in between.

use super::run::{CommandSample, PoseSample, PositionSample, Run, Scatter, wheel_name};
use crate::math::{Pose2, Pose3};
use crate::sink::{Sink, SinkError};
use crate::time::{Periodic, SimTime};
use crate::world::{Frame, Scene};

/// Whose word on the vehicle's pose counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoseSource {
    /// Its odometry, in the odometry's own frame.
    #[default]
    Odometry,
    /// The truth in the world.
    Truth,
}

/// A sink that fills a [`Run`] with one vehicle's poses at a fixed rate, and with what its driver wanted and said.
#[derive(Debug)]
pub struct Collector {
    vehicle: usize,
    source: PoseSource,
    due: Periodic,
    last_tracking: Option<SimTime>,
    run: Run,
}

impl Collector {
    /// Collects what the vehicle with this index does, every `period` [ns] of simulated time.
    pub fn new(name: impl Into<String>, vehicle: usize, source: PoseSource, period: SimTime) -> Collector {
        let run = Run { name: name.into(), ..Run::default() };
        Collector { vehicle, source, due: Periodic::new(period), last_tracking: None, run }
    }

    /// What was collected.
    pub fn into_run(self) -> Run {
        self.run
    }

    /// Takes in a frame, which follows the last one.
    pub fn collect(&mut self, scene: &Scene, frame: &Frame) {
        let Some(vehicle) = frame.vehicles.get(self.vehicle) else { return };
        if let Some(tracking) = vehicle.tracking.filter(|tracking| self.last_tracking != Some(tracking.time)) {
            self.last_tracking = Some(tracking.time);
            let time = tracking.time.secs();
            self.run.reference.push(PositionSample { time, position: tracking.reference.position });
            // Ackermann messages are single precision.
            let [speed, angle] = [tracking.steer.speed, tracking.steer.steering_angle].map(|v| f64::from(v as f32));
            self.run.commands.push(CommandSample { time, speed, steering_angle: Some(angle) });
        }
        if !self.due.is_due(frame.time) {
            return;
        }
        let (pose, velocity_in_body) = match self.source {
            PoseSource::Odometry => (vehicle.odom_from_body, vehicle.odom_velocity_in_body),
            PoseSource::Truth => (vehicle.world_from_body.planar(), vehicle.velocity_in_body),
        };
        // Poses are recorded with a quaternion.
        let yaw = yaw_of(Pose3::from_planar(pose).quaternion());
        self.run.poses.push(PoseSample { time: frame.time.secs(), pose: Pose2 { yaw, ..pose }, velocity_in_body });
        let wheels = scene.vehicles.get(self.vehicle).map_or([].as_slice(), |info| info.wheels.as_slice());
        let scatter = |name: &str| Scatter { wheel: wheel_name(name).into(), ..Scatter::default() };
        if self.run.wheels.is_empty() {
            self.run.wheels = wheels.iter().map(|wheel| scatter(&wheel.name)).collect();
        }
        for (into, wheel) in self.run.wheels.iter_mut().zip(&vehicle.wheels) {
            into.longitudinal.push((wheel.slip_ratio, wheel.force_in_wheel.x));
            into.lateral.push((wheel.slip_angle, wheel.force_in_wheel.y));
        }
    }
}

impl Sink for Collector {
    fn name(&self) -> &str {
        "analysis"
    }

    fn frame(&mut self, scene: &Scene, frame: &Frame) -> Result<(), SinkError> {
        self.collect(scene, frame);
        Ok(())
    }
}

/// The yaw [rad] in [-π, π] of a rotation as a quaternion (x, y, z, w), of any length but zero.
pub(super) fn yaw_of([x, y, z, w]: [f64; 4]) -> f64 {
    libm::atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)
}
