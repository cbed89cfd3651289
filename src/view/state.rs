//! One instant for viewers: a list of numbers for each body, in a reused buffer.

use super::channels::{self, ACTOR, Channel, POSE, VEHICLE, WHEEL};
use crate::math::Pose3;
use crate::time::SimTime;
use crate::world::Frame;

/// The state of everything that can move, as counts of the channels of [`super::channels`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewState {
    /// Simulated time [ns].
    pub time: SimTime,
    /// That of the scene that it belongs to.
    pub revision: u32,
    /// The counts: vehicles each with its wheels, blocks, planes, actors.
    pub counts: Vec<i64>,
}

/// A scan, and where it was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewScan {
    /// Simulated time [ns].
    pub time: SimTime,
    /// That of the scene that it belongs to.
    pub revision: u32,
    /// Index of the vehicle.
    pub vehicle: usize,
    /// Index of the sensor on it.
    pub sensor: usize,
    /// Pose of the sensor in the world [m, rad].
    pub world_from_sensor: Pose3,
    /// Farthest range [m].
    pub range_max: f64,
    /// Range of each beam [m]; not finite where there is none.
    pub ranges: Vec<f32>,
}

impl ViewState {
    /// Fills it from a frame of the scene with this revision.
    pub fn fill(&mut self, revision: u32, frame: &Frame) {
        self.begin(frame.time, revision);
        for vehicle in &frame.vehicles {
            self.push(&VEHICLE, &channels::vehicle(vehicle));
            for wheel in &vehicle.wheels {
                self.push(&WHEEL, &channels::wheel(wheel));
            }
        }
        for pose in frame.blocks.iter().chain(&frame.planes) {
            self.push_pose(pose);
        }
        for actor in &frame.actors {
            self.push(&ACTOR, &channels::actor(actor));
        }
    }

    /// Empties it for an instant of the scene with this revision; then push bodies in order.
    pub fn begin(&mut self, time: SimTime, revision: u32) {
        self.time = time;
        self.revision = revision;
        self.counts.clear();
    }

    /// Adds values, one for each channel.
    pub fn push<const N: usize>(&mut self, channels: &[Channel; N], values: &[f64; N]) {
        self.counts.extend(channels.iter().zip(values).map(|(channel, value)| channels::counts(*value, channel)));
    }

    /// Adds the pose [m, rad] of a block or plane.
    pub fn push_pose(&mut self, pose: &Pose3) {
        self.push(&POSE, &channels::pose(*pose));
    }
}
