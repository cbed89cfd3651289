//! The messages of one reading.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::{
    Announce, AnyMessage, CdrError, Kind, LabelMessages, Quality, SensorMessages, TopicChannel,
};
use skidpad_sim::sensor::Reading;
use skidpad_sim::world::{Scene, VehicleInfo};

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// Topic of the message.
    pub topic: String,
    /// Type of the message, such as `sensor_msgs/msg/Image`.
    pub kind: &'static str,
    /// The message as it is sent.
    pub bytes: Vec<u8>,
}

/// All messages of a reading of a vehicle's sensor.
///
/// # Errors
/// A message cannot be written.
pub fn capture(vehicle: &VehicleInfo, names: &VehicleNames, reading: &Reading) -> Result<Vec<Captured>, CdrError> {
    let Some(sensor) = vehicle.sensors.get(reading.sensor) else { return Ok(Vec::new()) };
    let (topics, frame) = (names.sensor_topics(vehicle, reading.sensor), names.sensor_frame(vehicle, reading.sensor));
    let mut captured = Vec::new();
    SensorMessages::new(&mut Everything, sensor, &topics, &frame, &names.map_frame())?.send(&mut captured, reading)?;
    Ok(captured)
}

/// The message that says what the numbers of labels mean.
///
/// # Errors
/// It cannot be written.
pub fn capture_labels(scene: &Arc<Scene>) -> Result<Vec<Captured>, CdrError> {
    let mut captured = Vec::new();
    LabelMessages::new(&mut Everything)?.send(&mut captured, SimTime::ZERO, scene)?;
    Ok(captured)
}

/// Selects all topics.
struct Everything;

/// A topic whose messages are kept.
struct Kept {
    topic: String,
    kind: &'static str,
}

impl Announce for Everything {
    type Channel = Kept;
    type Error = CdrError;

    fn channel(&mut self, name: &str, kind: Kind, _: Quality) -> Result<Option<Kept>, CdrError> {
        Ok(Some(Kept { topic: name.to_owned(), kind: kind.name }))
    }
}

impl TopicChannel for Kept {
    type Output = Vec<Captured>;
    type Error = CdrError;

    fn send(&mut self, output: &mut Vec<Captured>, _: SimTime, message: &dyn AnyMessage) -> Result<(), CdrError> {
        let mut bytes = Vec::new();
        message.append_to(None, &mut bytes)?;
        output.push(Captured { topic: self.topic.clone(), kind: self.kind, bytes });
        Ok(())
    }
}
