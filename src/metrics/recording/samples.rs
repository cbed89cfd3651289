//! Decodes messages into samples, for the message types that an analysis can use.

use std::collections::BTreeMap;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2, Vec2, yaw_of};
use skidpad_record::bag::{
    ACKERMANN_DRIVE, NavPath, PATH, POSE_WITH_COVARIANCE_STAMPED, Stamped, TWIST_STAMPED, nanoseconds,
};
use skidpad_ros_data::message::cdr::{self, CdrError};
use skidpad_ros_data::message::{
    AckermannDrive, AckermannDriveStamped, Float64, Float64MultiArray, Message, Odometry, PoseStamped,
    PoseWithCovariance, TFMessage, Time, Twist, WheelStates,
};

use crate::{PoseSample, Scatter, wheel_name};

/// A command with the time of its header, if it has one, besides that of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Command {
    pub(super) log_time: f64,
    pub(super) stamp: Option<f64>,
    pub(super) speed: f64,
    pub(super) steering_angle: Option<f64>,
    pub(super) yaw_rate: Option<f64>,
}

/// A path that a vehicle is to follow, as a planner sent it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) log_time: f64,
    pub(super) stamp: Option<f64>,
    /// Its positions [m], each with the time [s] of its header, if that has one.
    pub(super) points: Vec<(Option<f64>, Vec2)>,
}

/// Log time and pose of one transform after the other.
pub(super) type Transforms = Vec<(f64, PoseSample)>;

/// The samples of a topic; log times in [s].
#[derive(Debug, Default)]
pub(super) enum Samples {
    /// A type that the analysis does not use.
    #[default]
    Other,
    /// Log time and pose; the time of the pose is that of its header.
    Poses(Vec<(f64, PoseSample)>),
    /// Log time and the first three numbers.
    Arrays(Vec<(f64, [f64; 3])>),
    /// Commands to a vehicle.
    Commands(Vec<Command>),
    /// Log time and number.
    Numbers(Vec<(f64, f64)>),
    /// Slip and force of all wheels.
    Wheels(Vec<Scatter>),
    /// Paths without or with times.
    Plans(Vec<Plan>),
    /// Transforms by parent and child frame.
    Transforms(BTreeMap<[String; 2], Transforms>),
}

/// A topic of a recording.
#[derive(Debug, Default)]
pub(super) struct SampledTopic {
    /// The type of its messages.
    pub(super) kind: String,
    pub(super) samples: Samples,
    /// For poses: the frame of the body, of the first message that names one.
    pub(super) body_frame: String,
    /// Number of messages whose bytes do not fit the type.
    pub(super) broken: usize,
}

/// The types that carry the pose of a vehicle.
pub(super) const POSE_TYPES: [&str; 3] = [Odometry::TYPE, PoseStamped::TYPE, POSE_WITH_COVARIANCE_STAMPED];
/// The types that carry commands.
pub(super) const COMMAND_TYPES: [&str; 4] = [AckermannDriveStamped::TYPE, ACKERMANN_DRIVE, Twist::TYPE, TWIST_STAMPED];

impl SampledTopic {
    /// A topic of this type without messages.
    pub(super) fn new(kind: &str) -> SampledTopic {
        let samples = match kind {
            _ if POSE_TYPES.contains(&kind) => Samples::Poses(Vec::new()),
            _ if COMMAND_TYPES.contains(&kind) => Samples::Commands(Vec::new()),
            Float64MultiArray::TYPE => Samples::Arrays(Vec::new()),
            Float64::TYPE => Samples::Numbers(Vec::new()),
            WheelStates::TYPE => Samples::Wheels(Vec::new()),
            PATH => Samples::Plans(Vec::new()),
            TFMessage::TYPE => Samples::Transforms(BTreeMap::new()),
            _ => Samples::Other,
        };
        SampledTopic { kind: kind.into(), samples, body_frame: String::new(), broken: 0 }
    }

    /// Whether the analysis uses messages of this type.
    pub(super) fn is_read(kind: &str) -> bool {
        !matches!(SampledTopic::new(kind).samples, Samples::Other)
    }

    /// Whether it holds a sample.
    pub(super) fn is_empty(&self) -> bool {
        match &self.samples {
            Samples::Other => true,
            Samples::Poses(samples) => samples.is_empty(),
            Samples::Arrays(samples) => samples.is_empty(),
            Samples::Commands(samples) => samples.is_empty(),
            Samples::Numbers(samples) => samples.is_empty(),
            Samples::Wheels(samples) => samples.is_empty(),
            Samples::Plans(samples) => samples.is_empty(),
            Samples::Transforms(samples) => samples.is_empty(),
        }
    }

    /// Adds a message that was logged at `log_time` [ns].
    pub(super) fn take(&mut self, log_time: i64, data: &[u8]) {
        if self.decode(SimTime(log_time).secs(), data).is_err() {
            self.broken += 1;
        }
    }

    fn decode(&mut self, log_time: f64, data: &[u8]) -> Result<(), CdrError> {
        match &mut self.samples {
            Samples::Other => {}
            Samples::Poses(samples) => {
                let (pose, body_frame) = pose_of(&self.kind, log_time, data)?;
                samples.push((log_time, pose));
                if self.body_frame.is_empty() {
                    self.body_frame = body_frame;
                }
            }
            Samples::Arrays(samples) => {
                let array: Float64MultiArray = cdr::read(data)?;
                let start = array.layout.data_offset as usize;
                let number = |index: usize| array.data.get(start.saturating_add(index)).copied().unwrap_or(f64::NAN);
                samples.push((log_time, [number(0), number(1), number(2)]));
            }
            Samples::Commands(samples) => {
                samples.push(command_of(&self.kind, data, log_time)?);
            }
            Samples::Numbers(samples) => samples.push((log_time, cdr::read::<Float64>(data)?.data)),
            Samples::Wheels(wheels) => {
                for state in WheelStates::read(data)?.wheels {
                    let name = wheel_name(&state.name);
                    let index = wheels.iter().position(|wheel| wheel.wheel == name).unwrap_or_else(|| {
                        wheels.push(Scatter { wheel: name.into(), ..Scatter::default() });
                        wheels.len() - 1
                    });
                    wheels[index].longitudinal.push((state.slip_ratio, state.force.x));
                    wheels[index].lateral.push((state.slip_angle, state.force.y));
                }
            }
            Samples::Plans(plans) => {
                let path: NavPath = cdr::read(data)?;
                let point = |pose: &PoseStamped| {
                    (secs(pose.header.stamp), Vec2::new(pose.pose.position.x, pose.pose.position.y))
                };
                let points = path.poses.iter().map(point).filter(|(_, point)| point.is_finite()).collect();
                plans.push(Plan { log_time, stamp: secs(path.header.stamp), points });
            }
            Samples::Transforms(of) => {
                for transform in cdr::read::<TFMessage>(data)?.transforms {
                    let (p, q) = (transform.transform.translation, transform.transform.rotation);
                    let pose = PoseSample {
                        time: secs(transform.header.stamp).unwrap_or(log_time),
                        pose: Pose2::new(p.x, p.y, yaw_of([q.x, q.y, q.z, q.w])),
                        velocity_in_body: Twist2::default(),
                    };
                    let frames = [&transform.header.frame_id, &transform.child_frame_id]
                        .map(|frame| frame.trim_start_matches('/').to_owned());
                    of.entry(frames).or_default().push((log_time, pose));
                }
            }
        }
        Ok(())
    }
}

/// The time of a header [s]; none if it is not set.
fn secs(stamp: Time) -> Option<f64> {
    nanoseconds(stamp).map(|nanoseconds| SimTime(nanoseconds).secs())
}

/// A pose with the frame of the body.
fn pose_of(kind: &str, log_time: f64, data: &[u8]) -> Result<(PoseSample, String), CdrError> {
    let mut body_frame = String::new();
    let (header, pose, twist) = match kind {
        Odometry::TYPE => {
            let message: Odometry = cdr::read(data)?;
            body_frame = message.child_frame_id;
            (message.header, message.pose.pose, message.twist.twist)
        }
        PoseStamped::TYPE => {
            let message: PoseStamped = cdr::read(data)?;
            (message.header, message.pose, Twist::default())
        }
        _ => {
            let message: Stamped<PoseWithCovariance> = cdr::read(data)?;
            (message.header, message.content.pose, Twist::default())
        }
    };
    let (p, q) = (pose.position, pose.orientation);
    let sample = PoseSample {
        time: secs(header.stamp).unwrap_or(log_time),
        pose: Pose2::new(p.x, p.y, yaw_of([q.x, q.y, q.z, q.w])),
        velocity_in_body: Twist2::new(twist.linear.x, twist.linear.y, twist.angular.z),
    };
    Ok((sample, body_frame))
}

/// A command and the time of its header.
fn command_of(kind: &str, data: &[u8], log_time: f64) -> Result<Command, CdrError> {
    let ackermann = |stamp, drive: AckermannDrive| {
        let steering_angle = Some(f64::from(drive.steering_angle));
        Command { log_time, stamp, speed: f64::from(drive.speed), steering_angle, yaw_rate: None }
    };
    let velocity = |stamp, twist: Twist| {
        let yaw_rate = Some(twist.angular.z);
        Command { log_time, stamp, speed: twist.linear.x, steering_angle: None, yaw_rate }
    };
    Ok(match kind {
        AckermannDriveStamped::TYPE => {
            let message: AckermannDriveStamped = cdr::read(data)?;
            ackermann(secs(message.header.stamp), message.drive)
        }
        ACKERMANN_DRIVE => ackermann(None, cdr::read(data)?),
        Twist::TYPE => velocity(None, cdr::read(data)?),
        _ => {
            let message: Stamped<Twist> = cdr::read(data)?;
            velocity(secs(message.header.stamp), message.content)
        }
    })
}
