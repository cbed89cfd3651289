//! One instant for viewers: a list of numbers for each body, in a reused buffer.

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::numbers::{self, Number};
use skidpad_sim::world::Frame;

use super::channels::counts;

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
            self.push(&numbers::VEHICLE, vehicle);
            for wheel in &vehicle.wheels {
                self.push(&numbers::WHEEL, wheel);
            }
        }
        for pose in frame.blocks.iter().chain(&frame.planes) {
            let values = numbers::POSE.iter().zip(numbers::pose(*pose));
            self.counts.extend(values.map(|(channel, value)| counts(value, channel)));
        }
        for actor in &frame.actors {
            self.push(&numbers::ACTOR, actor);
        }
    }

    fn push<T>(&mut self, table: &[Number<T>], from: &T) {
        self.counts.extend(table.iter().map(|number| counts((number.value)(from), &number.channel)));
    }
}
