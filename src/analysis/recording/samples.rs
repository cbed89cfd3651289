//! Decodes messages into samples, for the message types that an analysis can use.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2};
use skidpad_record::bag::{POSE_WITH_COVARIANCE_STAMPED, Stamped, TWIST_STAMPED, nanoseconds};
use skidpad_ros_data::message::cdr::{self, CdrError};
use skidpad_ros_data::message::{
    AckermannDrive, AckermannDriveStamped, Float64, Float64MultiArray, Message, Odometry, PoseStamped,
    PoseWithCovariance, Time, Twist, WheelStates,
};

use crate::collector::yaw_of;
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
}

/// A topic of a recording.
#[derive(Debug, Default)]
pub(super) struct SampledTopic {
    /// The type of its messages.
    pub(super) kind: String,
    pub(super) samples: Samples,
    /// Number of messages whose bytes do not fit the type.
    pub(super) broken: usize,
}

/// The types that carry the pose of a vehicle.
pub(super) const POSE_TYPES: [&str; 3] = [Odometry::TYPE, PoseStamped::TYPE, POSE_WITH_COVARIANCE_STAMPED];
/// A command without a header.
const ACKERMANN_DRIVE: &str = "ackermann_msgs/msg/AckermannDrive";
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
            _ => Samples::Other,
        };
        SampledTopic { kind: kind.into(), samples, broken: 0 }
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
            Samples::Poses(samples) => samples.push((log_time, pose_of(&self.kind, log_time, data)?)),
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
                for state in cdr::read::<WheelStates>(data)?.wheels {
                    let name = wheel_name(&state.name);
                    let index = wheels.iter().position(|wheel| wheel.wheel == name).unwrap_or_else(|| {
                        wheels.push(Scatter { wheel: name.into(), ..Scatter::default() });
                        wheels.len() - 1
                    });
                    wheels[index].longitudinal.push((state.slip_ratio, state.force.x));
                    wheels[index].lateral.push((state.slip_angle, state.force.y));
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

fn pose_of(kind: &str, log_time: f64, data: &[u8]) -> Result<PoseSample, CdrError> {
    let (header, pose, twist) = match kind {
        Odometry::TYPE => {
            let message: Odometry = cdr::read(data)?;
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
    Ok(PoseSample {
        time: secs(header.stamp).unwrap_or(log_time),
        pose: Pose2::new(p.x, p.y, yaw_of([q.x, q.y, q.z, q.w])),
        velocity_in_body: Twist2::new(twist.linear.x, twist.linear.y, twist.angular.z),
    })
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
