//! One topic of a preset: the message for what it carries, and how it is filled.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Polygon, PoseArray, PoseWithCovarianceStamped};
use r2r::nav_msgs::msg::Odometry;
use r2r::sensor_msgs::msg::{Imu, JointState};
use r2r::skidpad::msg::WheelStates;
use r2r::std_msgs::msg::{Bool, Float32, Float64, Int32};
use r2r::visualization_msgs::msg::MarkerArray;

use super::chassis;
use super::convert;
use super::error::RosError;
use super::publish::{Announcer, Topic};
use super::topics::{BASE_FRAME, DATA_QOS, LATCHED_QOS};
use super::vesc::VescOutput;
use crate::interface::copy::VehicleSnapshot;
use crate::interface::laps::Laps;
use crate::interface::names::VehicleNames;
use crate::interface::rules::{self, Joint};
use crate::interface::vesc;
use crate::preset::{self, Content, WheelQuantity};
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// A topic with what it carries.
pub enum Output {
    WheelOdometry(Topic<Odometry>),
    /// True: the twist in the world's axes.
    GroundTruth(Topic<Odometry>, bool),
    OtherTruth(Topic<Odometry>),
    Joints(Topic<JointState>, Vec<Joint>),
    WheelStates(Topic<WheelStates>),
    Collision(Topic<Bool>),
    Wheel(Topic<Float64>, WheelQuantity, usize),
    Imu(Topic<Imu>),
    PoseEstimate(Topic<PoseWithCovarianceStamped>),
    PoseCloud(Topic<PoseArray>),
    LapCount(Topic<Int32>, Laps),
    LapTime(Topic<Float32>, Laps),
    Markers(Topic<MarkerArray>),
    /// True once it was published.
    Polygon(Topic<Polygon>, bool),
    Vesc(VescOutput),
    Servo(Topic<Float64>),
}

/// One instant of one vehicle.
pub struct Instant<'a> {
    /// Its stamp.
    pub stamp: &'a Time,
    /// Its simulated time [ns].
    pub time: SimTime,
    /// How long ago [s] the topics of this pace were last published.
    pub seconds: f64,
    /// The vehicle.
    pub vehicle: &'a VehicleSnapshot,
    /// The one that it takes for its opponent.
    pub opponent: Option<&'a VehicleFrame>,
}

impl Output {
    /// Announces the topic; none where the message is not known to this machine.
    pub fn new(
        on: &mut Announcer<'_>,
        topic: &preset::Topic,
        (vehicle, names): (&VehicleInfo, &VehicleNames),
    ) -> Result<Option<Output>, RosError> {
        let name = &names.topic(topic.name);
        let qos = if topic.latched { LATCHED_QOS } else { DATA_QOS };
        Ok(Some(match topic.content {
            Content::WheelOdometry(header, child) => {
                let [header, child] = [header, child].map(|frame| names.frame(frame));
                Output::WheelOdometry(on.topic(name, qos, convert::new_odometry(&header, &child))?)
            }
            Content::GroundTruth(header, child, in_world) => {
                let [header, child] = [header, child].map(|frame| names.frame(frame));
                let message = if in_world {
                    convert::new_odometry(&header, &child)
                } else {
                    convert::new_ground_truth(&header, &child)
                };
                Output::GroundTruth(on.topic(name, qos, message)?, in_world)
            }
            Content::OtherTruth(header, child) => {
                let message = convert::new_ground_truth(&names.frame(header), &names.opponent_frame(child));
                Output::OtherTruth(on.topic(name, qos, message)?)
            }
            Content::JointStates => {
                let joints = rules::joints(vehicle, names.preset.joints);
                Output::Joints(
                    on.topic(name, qos, convert::new_joint_states(&joints, &names.frame(BASE_FRAME)))?,
                    joints,
                )
            }
            Content::WheelStates => Output::WheelStates(on.topic(
                name,
                qos,
                convert::new_wheel_states(vehicle, &names.frame(BASE_FRAME)),
            )?),
            Content::Collision => Output::Collision(on.topic(name, qos, Bool::default())?),
            Content::Wheel(quantity, wheel) => Output::Wheel(on.topic(name, qos, Float64::default())?, quantity, wheel),
            Content::Imu(frame) => Output::Imu(on.topic(name, qos, chassis::new_imu(&names.frame(frame)))?),
            Content::PoseEstimate(frame) => {
                let mut message = PoseWithCovarianceStamped::default();
                message.header.frame_id = names.frame(frame);
                Output::PoseEstimate(on.topic(name, qos, message)?)
            }
            Content::PoseCloud(frame) => {
                let mut message = PoseArray { poses: vec![Default::default()], ..PoseArray::default() };
                message.header.frame_id = names.frame(frame);
                Output::PoseCloud(on.topic(name, qos, message)?)
            }
            Content::LapCount => Output::LapCount(on.topic(name, qos, Int32::default())?, Laps::default()),
            Content::LapTime => Output::LapTime(on.topic(name, qos, Float32::default())?, Laps::default()),
            Content::ChassisMarkers(frame) => {
                Output::Markers(on.topic(name, qos, chassis::new_markers(vehicle, &names.frame(frame)))?)
            }
            Content::ChassisPolygon => Output::Polygon(on.topic(name, qos, chassis::polygon(vehicle))?, false),
            Content::VescState | Content::VescImu => {
                return Ok(VescOutput::new(on, name, topic.content)?.map(Output::Vesc));
            }
            Content::ServoPosition => Output::Servo(on.topic(name, qos, Float64::default())?),
        }))
    }

    /// Publishes what is so at this instant.
    pub fn publish(&mut self, at: &Instant<'_>) {
        let frame = &at.vehicle.frame;
        match self {
            Output::WheelOdometry(topic) => {
                convert::write_odometry(at.stamp, frame, &mut topic.message);
                topic.publish();
            }
            Output::GroundTruth(topic, in_world) => {
                convert::write_ground_truth(at.stamp, frame, *in_world, &mut topic.message);
                topic.publish();
            }
            Output::OtherTruth(topic) => {
                if let Some(opponent) = at.opponent {
                    convert::write_ground_truth(at.stamp, opponent, false, &mut topic.message);
                    topic.publish();
                }
            }
            Output::Joints(topic, joints) => {
                convert::write_joint_states(at.stamp, joints, frame, at.seconds, &mut topic.message);
                topic.publish();
            }
            Output::WheelStates(topic) => {
                convert::write_wheel_states(at.stamp, frame, &mut topic.message);
                topic.publish();
            }
            Output::Collision(topic) => {
                topic.message.data = at.vehicle.collided;
                topic.publish();
            }
            Output::Wheel(topic, quantity, wheel) => {
                if let Some(wheel) = frame.wheels.get(*wheel) {
                    topic.message.data = rules::wheel_quantity(wheel, *quantity);
                    topic.publish();
                }
            }
            Output::Imu(topic) => {
                chassis::write_imu(at.stamp, frame, &mut topic.message);
                topic.publish();
            }
            Output::PoseEstimate(topic) => {
                topic.message.header.stamp = at.stamp.clone();
                convert::write_pose(frame.world_from_body, &mut topic.message.pose.pose);
                topic.publish();
            }
            Output::PoseCloud(topic) => {
                topic.message.header.stamp = at.stamp.clone();
                for pose in &mut topic.message.poses {
                    convert::write_pose(frame.world_from_body, pose);
                }
                topic.publish();
            }
            Output::LapCount(topic, laps) => {
                laps.update(at.time, frame);
                topic.message.data = laps.count;
                topic.publish();
            }
            Output::LapTime(topic, laps) => {
                laps.update(at.time, frame);
                topic.message.data = laps.last as f32;
                topic.publish();
            }
            Output::Markers(topic) => {
                chassis::write_markers(frame, &mut topic.message);
                topic.publish();
            }
            Output::Polygon(topic, published) => {
                if !std::mem::replace(published, true) {
                    topic.publish();
                }
            }
            Output::Vesc(output) => output.publish(at),
            Output::Servo(topic) => {
                topic.message.data = vesc::servo(frame);
                topic.publish();
            }
        }
    }
}
