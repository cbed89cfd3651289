//! What one vehicle publishes: the topics of its preset, its transforms and its scans.

use r2r::builtin_interfaces::msg::Time;
use r2r::nav_msgs::msg::Odometry;
use r2r::sensor_msgs::msg::{JointState, LaserScan};
use r2r::skidpad::msg::WheelStates;
use r2r::std_msgs::msg::{Bool, Float64};
use r2r::tf2_msgs::msg::TFMessage;

use super::convert;
use super::driver::DriverPublishers;
use super::error::RosError;
use super::publish::{Announcer, Topic};
use super::topics::{DATA_QOS, LATCHED_QOS, TF_QOS, VehicleTopics};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::names::VehicleNames;
use crate::interface::rules::{self, Joint};
use crate::preset::{Content, Moving, Pace, Switch, WheelQuantity};
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// The publishers of one vehicle.
pub struct VehiclePublishers {
    names: VehicleNames,
    tf: Topic<TFMessage>,
    tf_static: Topic<TFMessage>,
    outputs: Vec<(Pace, Output)>,
    scans: Vec<Topic<LaserScan>>,
    driver: Option<DriverPublishers>,
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
                Output::Joints(on.topic(name, DATA_QOS, convert::new_joint_states(&joints))?, joints)
            }
            Content::WheelStates => {
                Output::WheelStates(on.topic(name, DATA_QOS, convert::new_wheel_states(vehicle))?)
            }
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
        let names = topics.names.clone();
        let mut scans = Vec::new();
        for (index, (sensor, name)) in vehicle.sensors.iter().zip(&topics.sensors).enumerate() {
            let frame = names.sensor_frame(vehicle, index);
            scans.push(on.topic(name, DATA_QOS, convert::new_scan(sensor, &frame))?);
        }
        let mut outputs = Vec::new();
        for topic in names.preset.topics {
            let output = Output::new(on, topic.name, topic.content, (vehicle, &names))?;
            outputs.push((topic.pace, output));
        }
        Ok(VehiclePublishers {
            tf: on.topic(&names.topic("tf"), TF_QOS, TFMessage::default())?,
            tf_static: on.topic(&names.topic("tf_static"), LATCHED_QOS, TFMessage::default())?,
            names,
            outputs,
            scans,
            driver: DriverPublishers::new(on, topics)?,
            published: [None; 2],
        })
    }

    /// Publishes what never moves.
    pub fn publish_fixed(&mut self, stamp: &Time, vehicle: &VehicleInfo) {
        self.tf_static.message.transforms = convert::static_transforms(stamp, vehicle, &self.names);
        self.tf_static.publish();
    }

    /// Publishes the transforms that the switches `publish_tf` and `publish_map_to_odom` allow.
    pub fn publish_transforms(&mut self, stamp: &Time, vehicle: &VehicleSnapshot, [tf, map_to_odom]: [bool; 2]) {
        let wanted = |moving: &&Moving| match moving.switch {
            Switch::Tf => tf,
            Switch::MapToOdom => map_to_odom,
        };
        let transforms = &mut self.tf.message.transforms;
        let mut count = 0;
        for moving in self.names.preset.frames.moving.iter().filter(wanted) {
            // Messages are kept; making one calls into C.
            let child = self.names.frame(moving.child);
            if transforms.get(count).is_none_or(|message| message.child_frame_id != child) {
                transforms.truncate(count);
                transforms.push(convert::new_transform(&self.names.frame(moving.parent), &child));
            }
            convert::write_transform(stamp, rules::moving_pose(moving.pose, &vehicle.frame), &mut transforms[count]);
            count += 1;
        }
        transforms.truncate(count);
        if count > 0 {
            self.tf.publish();
        }
    }

    /// Publishes the topics of the paces that are due.
    pub fn publish_states(&mut self, stamp: &Time, time: SimTime, due: [bool; 2], vehicle: &VehicleSnapshot) {
        let mut seconds = [0.0; 2];
        for pace in [Pace::Odometry, Pace::Joints].map(|pace| pace as usize) {
            if due[pace] {
                seconds[pace] = self.published[pace].map_or(0.0, |last| (time - last).secs());
                self.published[pace] = Some(time);
            }
        }
        for (pace, output) in self.outputs.iter_mut().filter(|(pace, _)| due[*pace as usize]) {
            output.publish(stamp, seconds[*pace as usize], vehicle);
        }
    }

    /// Publishes what the driver did, unless its tracker waits.
    pub fn publish_driver(&mut self, vehicle: &VehicleFrame) {
        if let (Some(driver), Some(tracking)) = (&mut self.driver, vehicle.tracking.filter(|tracking| tracking.active))
        {
            driver.publish(&tracking);
        }
    }

    /// Publishes the scan of the sensor with this index.
    pub fn publish_scan(&mut self, stamp: &Time, sensor: usize, ranges: &[f32]) {
        if let Some(scan) = self.scans.get_mut(sensor) {
            convert::write_scan(stamp, ranges, &mut scan.message);
            scan.publish();
        }
    }
}
