//! One instant for viewers: a list of numbers for each body, in a reused buffer.

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::numbers;
use skidpad_sim::world::Frame;

use super::channels::{ACTOR, Channel, POSE, VEHICLE, WHEEL, all_counts};

/// The state of everything that can move, as counts of the channels of [`super::channels`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewState {
    /// Simulated time [ns].
    pub time: SimTime,
    /// Revision of its scene.
    pub revision: u32,
    /// The counts: vehicles each with its wheels, blocks, planes, actors.
    pub counts: Vec<i64>,
}

/// A scan with the pose of its sensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewScan {
    /// Simulated time [ns].
    pub time: SimTime,
    /// Revision of its scene.
    pub revision: u32,
    /// Index of the vehicle.
    pub vehicle: usize,
    /// Index of the sensor on it.
    pub sensor: usize,
    /// Pose of the sensor in the world [m, rad].
    pub world_from_sensor: Pose3,
    /// Farthest range [m].
    pub range_max: f64,
    /// Range of each beam [m]; not finite without a hit.
    pub ranges: Vec<f32>,
}

impl ViewState {
    /// Fills it from a frame of the scene with this revision.
    pub fn fill(&mut self, revision: u32, frame: &Frame) {
        (self.time, self.revision) = (frame.time, revision);
        self.counts.clear();
        for vehicle in &frame.vehicles {
            self.push(&numbers::vehicle(vehicle), &VEHICLE);
            for wheel in &vehicle.wheels {
                self.push(&numbers::wheel(wheel), &WHEEL);
            }
        }
        for pose in frame.blocks.iter().chain(&frame.planes) {
            self.push(&numbers::pose(*pose), &POSE);
        }
        for actor in &frame.actors {
            self.push(&numbers::actor(actor), &ACTOR);
        }
    }

    fn push<const N: usize>(&mut self, values: &[f64; N], channels: &[Channel; N]) {
        self.counts.extend_from_slice(&all_counts(values, channels));
    }
}
