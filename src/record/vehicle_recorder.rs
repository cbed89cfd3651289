//! The recorded data of one vehicle: the topics of its preset, transforms, scans, the state of its driver, and its commands.

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::copy::VehicleSnapshot;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::interface::rules::MovingFrame;
use skidpad_ros_data::message::{Announce, DriverMessages, Moment, Quality, TFMessage, VehicleMessages, fill};
use skidpad_ros_data::preset::{self, Content, Pace, VehicleContext, racecar};
use skidpad_sim::world::VehicleInfo;

use super::commands::CommandMessages;
use super::drawings::VehicleDrawings;
use super::options::RecordError;
use super::output::McapOutput;
use super::snapshot::RecordSnapshot;
use super::topic::{RecordChannel, RecordTopic, Topics};
use super::{STATE_TOPIC, WHEELS_TOPIC};

/// The recorded topics of one vehicle.
pub(super) struct VehicleRecorder {
    pub(super) messages: VehicleMessages<RecordChannel>,
    moving: Vec<MovingFrame>,
    tf: Option<RecordTopic<TFMessage>>,
    tf_static: Option<RecordTopic<TFMessage>>,
    driver: DriverMessages<RecordChannel>,
    pub(super) commands: CommandMessages,
    drawings: VehicleDrawings,
}

impl VehicleRecorder {
    pub(super) fn new(
        vehicle: &VehicleInfo,
        names: &VehicleNames,
        has_other_vehicles: bool,
        topics: &mut Topics<'_>,
    ) -> Result<VehicleRecorder, RecordError> {
        // The true transform from map to odometry too, without which viewers of the file cannot place what it shows on the map.
        let (moving, transforms) = fill::moving_transforms(names).unzip();
        let tf = topics.announce(&names.topic("tf"), Quality::Transforms, TFMessage { transforms })?;
        let fixed = TFMessage { transforms: fill::fixed_transforms(SimTime::ZERO, vehicle, names) };
        let tf_static = topics.announce(&names.topic("tf_static"), Quality::Latched, fixed)?;
        let sensors = (0..vehicle.sensors.len()).map(|index| names.sensor_topics(vehicle, index));
        let messages =
            VehicleMessages::new(topics, vehicle, names, preset_topics(vehicle, names, has_other_vehicles), sensors)?;
        let driver = [racecar::REFERENCE_TRAJECTORY, racecar::VIRTUAL_VELOCITIES, racecar::NAVIGATION]
            .map(|name| names.topic_below(name));
        // Output of the study's linearizers besides speed and steering angle.
        let mut navigation = fill::ackermann(SimTime::ZERO, &names.states_frame(), 0.0, 0.0);
        (navigation.drive.acceleration, navigation.drive.jerk) = (1.0, 1.0);
        let driver = DriverMessages::new(topics, driver.each_ref().map(String::as_str), navigation)?;
        let commands = CommandMessages::new(names, topics)?;
        let drawings = VehicleDrawings::new(vehicle, names, topics)?;
        Ok(VehicleRecorder { messages, moving, tf, tf_static, driver, commands, drawings })
    }

    /// Writes constant data.
    pub(super) fn write_fixed(&mut self, output: &mut McapOutput, time: SimTime) -> Result<(), RecordError> {
        self.drawings.write_fixed(output, time)?;
        let Some(topic) = &mut self.tf_static else { return Ok(()) };
        topic.message.transforms.iter_mut().for_each(|transform| transform.header.stamp = fill::stamp(time));
        topic.send(output, time)
    }

    /// To be called when the vehicle is removed.
    pub(super) fn remove(&mut self, output: &mut McapOutput, time: SimTime) -> Result<(), RecordError> {
        self.drawings.remove(output, time)
    }

    /// Writes the state of its driver, transforms and states, if they are due.
    pub(super) fn write(
        &mut self,
        output: &mut McapOutput,
        snapshot: &RecordSnapshot,
        vehicle: &VehicleSnapshot,
        opponent: Option<&VehicleSnapshot>,
    ) -> Result<(), RecordError> {
        self.driver.send(output, vehicle)?;
        let (time, due) = (snapshot.time, snapshot.states);
        if (due[Pace::Odometry as usize] || vehicle.senses)
            && let Some(topic) = &mut self.tf
            && !self.moving.is_empty()
        {
            for (moving, message) in self.moving.iter().zip(&mut topic.message.transforms) {
                fill::fill_transform(time, moving.pose(&vehicle.frame), message);
            }
            topic.send(output, time)?;
        }
        if snapshot.markers {
            self.drawings.write(output, time, &vehicle.frame)?;
        }
        let opponent = opponent.map(|opponent| &opponent.frame);
        self.messages.send(output, Moment { time, due }, vehicle, opponent, &snapshot.desk)
    }
}

/// The topics of the preset with their names, and the topics recorded of a vehicle under every preset, so that viewers can show all of it.
fn preset_topics(
    vehicle: &VehicleInfo,
    names: &VehicleNames,
    has_other_vehicles: bool,
) -> Vec<(String, preset::Topic)> {
    // Output of a localization matters only to live subscribers: the truth is recorded anyway.
    let now = VehicleContext {
        on_springs: vehicle.is_on_springs,
        with_others: has_other_vehicles,
        ..VehicleContext::default()
    };
    let has_wheels = !vehicle.wheels.is_empty();
    let can_be = |content| has_wheels || !matches!(content, Content::Wheel(..));
    let of_preset = names.preset.topics.iter().filter(|topic| topic.condition.holds(&now) && can_be(topic.content));
    let mut topics: Vec<_> = of_preset.map(|topic| (names.topic_below(topic.name), *topic)).collect();
    let mut add_own_topic = |name, content| {
        topics.push((names.own_topic(name), preset::Topic::new(name, content, Pace::Odometry)));
    };
    add_own_topic(STATE_TOPIC, Content::VehicleState);
    if has_wheels && names.preset.topics.iter().all(|topic| topic.content != Content::WheelStates) {
        add_own_topic(WHEELS_TOPIC, Content::WheelStates);
    }
    topics
}
