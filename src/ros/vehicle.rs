//! What one vehicle publishes: the topics of its preset, its scans, and what else [`OUTPUTS`] has for it.

use r2r::builtin_interfaces::msg::Time;
use r2r::nav_msgs::msg::Odometry;
use r2r::sensor_msgs::msg::{JointState, LaserScan};
use r2r::skidpad::msg::WheelStates;
use r2r::std_msgs::msg::{Bool, Float64};

use super::convert;
use super::description::DescriptionPublisher;
use super::driver::DriverPublishers;
use super::error::RosError;
use super::log_topics::LogTopics;
use super::markers::VehicleMarkers;
use super::publish::{Announcer, Topic};
use super::snapshot::Snapshot;
use super::topics::{BASE_FRAME, DATA_QOS, VehicleTopics};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::names::VehicleNames;
use crate::interface::rules::{self, Joint};
use crate::preset::{Content, Pace, WheelQuantity};
use crate::time::SimTime;
use crate::world::VehicleInfo;

/// Publishes something of one vehicle beside the topics of its preset.
pub trait VehicleOutput: Send {
    /// Publishes what is due; `stamp` is the snapshot's time, and `vehicle` in it the vehicle that it was made for.
    fn publish(&mut self, stamp: &Time, snapshot: &Snapshot, vehicle: &VehicleSnapshot);
}

/// Makes such an output for a vehicle that has come; none where there is nothing to publish.
type MakeOutput =
    fn(&mut Announcer<'_>, &VehicleInfo, &VehicleTopics) -> Result<Option<Box<dyn VehicleOutput>>, RosError>;

/// What is made for every vehicle.
const OUTPUTS: &[MakeOutput] =
    &[DriverPublishers::make, DescriptionPublisher::make, VehicleMarkers::make, LogTopics::make];

/// The publishers of one vehicle.
pub struct VehiclePublishers {
    states: Vec<(Pace, Output)>,
    scans: Vec<Topic<LaserScan>>,
    outputs: Vec<Box<dyn VehicleOutput>>,
    /// When each pace was last published.
    published: [Option<SimTime>; 2],
}

/// A topic with what it carries.
enum Output {
    WheelOdometry(Topic<Odometry>),
    /// True: the twist in the world's axes.
    GroundTruth(Topic<Odometry>, bool),
    Joints(Topic<JointState>, Vec<Joint>),
    WheelStates(Topic<WheelStates>),
    Collision(Topic<Bool>),
    Wheel(Topic<Float64>, WheelQuantity, usize),
}

impl Output {
    fn new(
        on: &mut Announcer<'_>,
        name: &str,
        content: Content,
        (vehicle, names): (&VehicleInfo, &VehicleNames),
    ) -> Result<Output, RosError> {
        let name = &names.topic(name);
        Ok(match content {
            Content::WheelOdometry(header, child) => {
                let [header, child] = [header, child].map(|frame| names.frame(frame));
                Output::WheelOdometry(on.topic(name, DATA_QOS, convert::new_odometry(&header, &child))?)
            }
            Content::GroundTruth(header, child, in_world) => {
                let [header, child] = [header, child].map(|frame| names.frame(frame));
                let message = if in_world {
                    convert::new_odometry(&header, &child)
                } else {
                    convert::new_ground_truth(&header, &child)
                };
                Output::GroundTruth(on.topic(name, DATA_QOS, message)?, in_world)
            }
            Content::JointStates => {
                let joints = rules::joints(vehicle, names.preset.joints);
                Output::Joints(
                    on.topic(name, DATA_QOS, convert::new_joint_states(&joints, &names.frame(BASE_FRAME)))?,
                    joints,
                )
            }
            Content::WheelStates => Output::WheelStates(on.topic(
                name,
                DATA_QOS,
                convert::new_wheel_states(vehicle, &names.frame(BASE_FRAME)),
            )?),
            Content::Collision => Output::Collision(on.topic(name, DATA_QOS, Bool::default())?),
            Content::Wheel(quantity, wheel) => {
                Output::Wheel(on.topic(name, DATA_QOS, Float64::default())?, quantity, wheel)
            }
        })
    }

    fn publish(&mut self, stamp: &Time, seconds: f64, vehicle: &VehicleSnapshot) {
        let frame = &vehicle.frame;
        match self {
            Output::WheelOdometry(topic) => {
                convert::write_odometry(stamp, frame, &mut topic.message);
                topic.publish();
            }
            Output::GroundTruth(topic, in_world) => {
                convert::write_ground_truth(stamp, frame, *in_world, &mut topic.message);
                topic.publish();
            }
            Output::Joints(topic, joints) => {
                convert::write_joint_states(stamp, joints, frame, seconds, &mut topic.message);
                topic.publish();
            }
            Output::WheelStates(topic) => {
                convert::write_wheel_states(stamp, frame, &mut topic.message);
                topic.publish();
            }
            Output::Collision(topic) => {
                topic.message.data = vehicle.collided;
                topic.publish();
            }
            Output::Wheel(topic, quantity, wheel) => {
                if let Some(wheel) = frame.wheels.get(*wheel) {
                    topic.message.data = rules::wheel_quantity(wheel, *quantity);
                    topic.publish();
                }
            }
        }
    }
}

impl VehiclePublishers {
    /// Announces every topic of the vehicle.
    pub fn new(
        on: &mut Announcer<'_>,
        vehicle: &VehicleInfo,
        topics: &VehicleTopics,
    ) -> Result<VehiclePublishers, RosError> {
        let names = &topics.names;
        let mut scans = Vec::new();
        for (index, (sensor, name)) in vehicle.sensors.iter().zip(&topics.sensors).enumerate() {
            let frame = names.sensor_frame(vehicle, index);
            scans.push(on.topic(name, DATA_QOS, convert::new_scan(sensor, &frame))?);
        }
        let mut states = Vec::new();
        for topic in names.preset.topics {
            states.push((topic.pace, Output::new(on, topic.name, topic.content, (vehicle, names))?));
        }
        let mut outputs = Vec::new();
        for make in OUTPUTS {
            outputs.extend(make(on, vehicle, topics)?);
        }
        Ok(VehiclePublishers { states, scans, outputs, published: [None; 2] })
    }

    /// Publishes the topics of the paces that are due, and what else there is.
    pub fn publish(&mut self, stamp: &Time, snapshot: &Snapshot, vehicle: &VehicleSnapshot) {
        let (time, due) = (snapshot.time, snapshot.states);
        let mut seconds = [0.0; 2];
        for pace in [Pace::Odometry, Pace::Joints].map(|pace| pace as usize) {
            if due[pace] {
                seconds[pace] = self.published[pace].map_or(0.0, |last| (time - last).secs());
                self.published[pace] = Some(time);
            }
        }
        for (pace, output) in self.states.iter_mut().filter(|(pace, _)| due[*pace as usize]) {
            output.publish(stamp, seconds[*pace as usize], vehicle);
        }
        self.outputs.iter_mut().for_each(|output| output.publish(stamp, snapshot, vehicle));
    }

    /// Publishes the scan of the sensor with this index.
    pub fn publish_scan(&mut self, stamp: &Time, sensor: usize, ranges: &[f32]) {
        if let Some(scan) = self.scans.get_mut(sensor) {
            convert::write_scan(stamp, ranges, &mut scan.message);
            scan.publish();
        }
    }
}
