//! What is noted of a run of an experiment while it is stepped, by whomever: in this process as fast as possible, or by the runner beside other
//! programs.

use skidpad_math::time::SimTime;
use skidpad_sim::tracking::TrackingFrame;
use skidpad_sim::world::{EntityId, Frame, Scene, VehicleFrame};

use super::{Driven, Equipment, ExperimentConfig, RunEnd};
use crate::Collector;

/// Below these speeds [m/s], [rad/s] a vehicle stands.
const STANDS: (f64, f64) = (1e-3, 1e-3);

/// Notes the steps of a run.
#[derive(Debug)]
pub struct DriveLog {
    collector: Collector,
    equipment: Equipment,
    /// The vehicle, and its index in the scene of this revision.
    id: EntityId,
    vehicle: Option<usize>,
    revision: u64,
    /// Ticks of the tracker, and at how many of them an earlier plan held.
    ticks: (u32, u32),
}

impl DriveLog {
    /// Of a run of this config with this name, whose world has been equipped and has this scene.
    pub fn new(label: &str, config: &ExperimentConfig, equipment: Equipment, scene: &Scene) -> DriveLog {
        let period = SimTime::from_secs(1.0 / config.sample_rate);
        let vehicle = equipment.vehicle;
        DriveLog {
            collector: Collector::new(label, vehicle, config.pose_source(), period),
            equipment,
            id: scene.vehicles[vehicle].id,
            vehicle: Some(vehicle),
            revision: scene.revision,
            ticks: (0, 0),
        }
    }

    /// Notes a step; returns whether the motion of the reference is over and the vehicle stands.
    pub fn note(&mut self, scene: &Scene, frame: &Frame) -> bool {
        if scene.revision != self.revision {
            self.revision = scene.revision;
            self.vehicle = scene.vehicle_of(self.id);
        }
        self.collector.collect(scene, frame);
        let Some(vehicle) = self.vehicle.and_then(|vehicle| frame.vehicles.get(vehicle)) else { return false };
        if let Some(tick) = tick_of(frame, vehicle) {
            self.ticks = (self.ticks.0 + 1, self.ticks.1 + u32::from(tick.steer.plan_is_held));
        }
        stands_at_the_end(vehicle)
    }

    /// The run, which has ended so, without a recording.
    pub fn finish(self, end: RunEnd) -> Driven {
        let DriveLog { collector, equipment, ticks, .. } = self;
        let run = collector.into_run();
        Driven { run, equipment, warnings: Vec::new(), recording_failed: false, recorded: None, end, ticks }
    }
}

/// The tick of a vehicle's tracker in this step, if there was one.
fn tick_of<'a>(frame: &Frame, vehicle: &'a VehicleFrame) -> Option<&'a TrackingFrame> {
    vehicle.tracking.as_ref().filter(|tracking| tracking.time == frame.time)
}

/// Whether the motion of a vehicle's reference is over, and the vehicle has been braked to a stand.
fn stands_at_the_end(vehicle: &VehicleFrame) -> bool {
    let velocity = vehicle.velocity_in_body;
    let stands = velocity.linear().norm() < STANDS.0 && velocity.wz.abs() < STANDS.1;
    stands && vehicle.tracking.is_some_and(|tracking| tracking.is_over)
}
