//! One topic of a preset in a recording: the message for what it carries, and how it is filled.

use super::fill;
use super::message::{Bool, Float64, JointState, Odometry, VehicleState, WheelStates};
use super::options::RecordError;
use super::output::{Output, Quality};
use super::preset_messages::{
    Float32, Imu, Int32, Polygon, PoseArray, PoseWithCovarianceStamped, VescImuStamped, VescStateStamped,
};
use super::topic::{Topic, Topics};
use super::{STATE_TOPIC, WHEELS_TOPIC};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::laps::Laps;
use crate::interface::names::VehicleNames;
use crate::interface::rules::{self, Joint};
use crate::interface::vesc::{self, MotorState};
use crate::preset::{self, Content, WheelQuantity};
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// One topic of the preset.
pub(super) enum State {
    WheelOdometry(Topic<Odometry>),
    /// True: the twist in the world's axes.
    GroundTruth(Topic<Odometry>, bool),
    OtherTruth(Topic<Odometry>),
    Joints(Topic<JointState>),
    Wheels(Topic<WheelStates>),
    Collision(Topic<Bool>),
    Wheel(Topic<Float64>, WheelQuantity, usize),
    Imu(Box<Topic<Imu>>),
    PoseEstimate(Box<Topic<PoseWithCovarianceStamped>>),
    PoseCloud(Topic<PoseArray>),
    LapCount(Topic<Int32>, Laps),
    LapTime(Topic<Float32>, Laps),
    /// True once it was written.
    Polygon(Topic<Polygon>, bool),
    Motor(Box<Topic<VescStateStamped>>, MotorState),
    VescImu(Box<Topic<VescImuStamped>>),
    Servo(Topic<Float64>),
    Vehicle(Box<Topic<VehicleState>>),
}

impl State {
    /// The topic with an empty message; none where the filter leaves it out, and for what only viewers want.
    pub(super) fn new(
        topic: &preset::Topic,
        (vehicle, names): (&VehicleInfo, &VehicleNames),
        joints: &[Joint],
        topics: &mut Topics<'_>,
    ) -> Result<Option<State>, RecordError> {
        let quality = if topic.latched { Quality::Latched } else { Quality::Data };
        let name = &names.topic_below(topic.name);
        Ok(match topic.content {
            Content::WheelOdometry(frame, child) => topics
                .topic(name, quality, fill::odometry(&names.frame(frame), &names.frame(child)))?
                .map(State::WheelOdometry),
            Content::GroundTruth(frame, child, in_world) => {
                let message = fill::ground_truth(&names.frame(frame), &names.frame(child), !in_world);
                topics.topic(name, quality, message)?.map(|topic| State::GroundTruth(topic, in_world))
            }
            Content::OtherTruth(frame, child) => {
                let message = fill::ground_truth(&names.frame(frame), &names.opponent_frame(child), true);
                topics.topic(name, quality, message)?.map(State::OtherTruth)
            }
            Content::JointStates => topics.topic(name, quality, fill::joint_states(joints))?.map(State::Joints),
            Content::WheelStates => topics.topic(name, quality, fill::wheel_states(vehicle))?.map(State::Wheels),
            Content::Collision => topics.topic(name, quality, Bool::default())?.map(State::Collision),
            Content::Wheel(..) if vehicle.wheels.is_empty() => None,
            Content::Wheel(quantity, wheel) => {
                topics.topic(name, quality, Float64::default())?.map(|topic| State::Wheel(topic, quantity, wheel))
            }
            Content::Imu(frame) => {
                topics.topic(name, quality, Imu::new(&names.frame(frame)))?.map(|topic| State::Imu(Box::new(topic)))
            }
            Content::PoseEstimate(frame) => topics
                .topic(name, quality, PoseWithCovarianceStamped::new(&names.frame(frame)))?
                .map(|topic| State::PoseEstimate(Box::new(topic))),
            Content::PoseCloud(frame) => {
                topics.topic(name, quality, PoseArray::new(&names.frame(frame)))?.map(State::PoseCloud)
            }
            Content::LapCount => {
                topics.topic(name, quality, Int32::default())?.map(|topic| State::LapCount(topic, Laps::default()))
            }
            Content::LapTime => {
                topics.topic(name, quality, Float32::default())?.map(|topic| State::LapTime(topic, Laps::default()))
            }
            // What is drawn of a vehicle follows from the rest.
            Content::ChassisMarkers(_) => None,
            Content::ChassisPolygon => {
                topics.topic(name, quality, Polygon::new(&vehicle.outline))?.map(|topic| State::Polygon(topic, false))
            }
            Content::VescState => topics
                .topic(name, quality, VescStateStamped::default())?
                .map(|topic| State::Motor(Box::new(topic), MotorState::default())),
            Content::VescImu => {
                topics.topic(name, quality, VescImuStamped::default())?.map(|topic| State::VescImu(Box::new(topic)))
            }
            Content::ServoPosition => topics.topic(name, quality, Float64::default())?.map(State::Servo),
        })
    }

    /// What recordings hold of a vehicle under every preset, so that viewers can be shown all of it.
    pub(super) fn own(
        (vehicle, names): (&VehicleInfo, &VehicleNames),
        topics: &mut Topics<'_>,
    ) -> Result<Vec<State>, RecordError> {
        let name = names.own_topic(STATE_TOPIC);
        let state = topics.topic(&name, Quality::Data, fill::vehicle_state(names))?;
        let mut own: Vec<State> = state.map(|topic| State::Vehicle(Box::new(topic))).into_iter().collect();
        let has_wheels = names.preset.topics.iter().any(|topic| topic.content == Content::WheelStates);
        if !has_wheels && !vehicle.wheels.is_empty() {
            let name = names.own_topic(WHEELS_TOPIC);
            own.extend(topics.topic(&name, Quality::Data, fill::wheel_states(vehicle))?.map(State::Wheels));
        }
        Ok(own)
    }

    /// Writes what is so at `time` [ns], `seconds` [s] after it was last written.
    pub(super) fn write(
        &mut self,
        output: &mut Output,
        (time, seconds): (SimTime, f64),
        vehicle: &VehicleSnapshot,
        (opponent, joints): (Option<&VehicleFrame>, &[Joint]),
    ) -> Result<(), RecordError> {
        let frame = &vehicle.frame;
        match self {
            State::WheelOdometry(topic) => {
                fill::fill_odometry(time, frame, &mut topic.message);
                topic.write(output, time)
            }
            State::GroundTruth(topic, in_world) => {
                fill::fill_ground_truth(time, frame, *in_world, &mut topic.message);
                topic.write(output, time)
            }
            State::OtherTruth(topic) => {
                let Some(opponent) = opponent else { return Ok(()) };
                fill::fill_ground_truth(time, opponent, false, &mut topic.message);
                topic.write(output, time)
            }
            State::Joints(topic) => {
                let JointState { header, position, velocity, effort, .. } = &mut topic.message;
                header.stamp = fill::stamp(time);
                rules::write_joints(joints, frame, seconds, [position, velocity, effort]);
                topic.write(output, time)
            }
            State::Wheels(topic) => {
                fill::fill_wheel_states(time, frame, &mut topic.message);
                topic.write(output, time)
            }
            State::Collision(topic) => {
                topic.message.data = vehicle.collided;
                topic.write(output, time)
            }
            State::Wheel(topic, quantity, wheel) => {
                let Some(wheel) = frame.wheels.get(*wheel) else { return Ok(()) };
                topic.message.data = rules::wheel_quantity(wheel, *quantity);
                topic.write(output, time)
            }
            State::Imu(topic) => {
                topic.message.fill(time, frame);
                topic.write(output, time)
            }
            State::PoseEstimate(topic) => {
                topic.message.fill(time, frame);
                topic.write(output, time)
            }
            State::PoseCloud(topic) => {
                topic.message.fill(time, frame);
                topic.write(output, time)
            }
            State::LapCount(topic, laps) => {
                laps.update(time, frame);
                topic.message.data = laps.count;
                topic.write(output, time)
            }
            State::LapTime(topic, laps) => {
                laps.update(time, frame);
                topic.message.data = laps.last as f32;
                topic.write(output, time)
            }
            State::Polygon(topic, written) => {
                if !std::mem::replace(written, true) {
                    topic.write(output, time)?;
                }
                Ok(())
            }
            State::Motor(topic, motor) => {
                motor.advance(frame, seconds);
                topic.message.fill(time, motor);
                topic.write(output, time)
            }
            State::VescImu(topic) => {
                topic.message.fill(time, frame);
                topic.write(output, time)
            }
            State::Servo(topic) => {
                topic.message.data = vesc::servo(frame);
                topic.write(output, time)
            }
            State::Vehicle(topic) => {
                fill::fill_vehicle_state(time, frame, &mut topic.message);
                topic.write(output, time)
            }
        }
    }
}
