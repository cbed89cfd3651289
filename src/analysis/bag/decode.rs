//! Messages become samples, topic by topic, by the types that an analysis can use.

use serde::Deserialize;

use crate::analysis::collector::yaw_of;
use crate::analysis::{PoseSample, Scatter, wheel_name};
use crate::math::{Pose2, Twist2};
use crate::message::cdr::{self, CdrError};
use crate::message::{
    AckermannDrive, Float64, Float64MultiArray, Header, Odometry, Pose, PoseWithCovariance, Time, Twist, Vector3,
};
use crate::time::SimTime;

/// Any message of a header and something.
#[derive(Deserialize)]
struct Stamped<T> {
    header: Header,
    content: T,
}

/// `skidpad/msg/WheelState`.
#[derive(Deserialize)]
struct WheelState {
    name: String,
    _steer_angle: f64,
    _spin_angle: f64,
    _spin: f64,
    slip_ratio: f64,
    slip_angle: f64,
    force: Vector3,
    _torque: f64,
    _lifted: bool,
}

/// A command with the time of its header, if it has one, besides that of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Command {
    pub(super) log_time: f64,
    pub(super) stamp: Option<f64>,
    pub(super) speed: f64,
    pub(super) steering_angle: Option<f64>,
}

/// The samples of a topic; log times in [s].
#[derive(Debug, Default)]
pub(super) enum Samples {
    /// A type of no use.
    #[default]
    Other,
    /// Log time and pose, whose own time is that of its header.
    Poses(Vec<(f64, PoseSample)>),
    /// Log time and the first three numbers.
    Arrays(Vec<(f64, [f64; 3])>),
    /// What a vehicle was told.
    Commands(Vec<Command>),
    /// Log time and number.
    Numbers(Vec<(f64, f64)>),
    /// Slip and force of all wheels.
    Wheels(Vec<Scatter>),
}

/// A topic of a recording.
#[derive(Debug, Default)]
pub(super) struct Topic {
    /// The type of its messages.
    pub(super) kind: String,
    pub(super) samples: Samples,
    /// Messages whose bytes are not of that type.
    pub(super) broken: usize,
}

/// The types that can say where a vehicle is.
pub(super) const POSE_TYPES: [&str; 3] =
    ["nav_msgs/msg/Odometry", "geometry_msgs/msg/PoseStamped", "geometry_msgs/msg/PoseWithCovarianceStamped"];
/// The type that can say where it shall be, besides those.
pub(super) const ARRAY_TYPE: &str = "std_msgs/msg/Float64MultiArray";
/// The types that can say what it was told.
pub(super) const COMMAND_TYPES: [&str; 4] = [
    "ackermann_msgs/msg/AckermannDriveStamped",
    "ackermann_msgs/msg/AckermannDrive",
    "geometry_msgs/msg/Twist",
    "geometry_msgs/msg/TwistStamped",
];
/// The type of single quantities of wheels.
pub(super) const NUMBER_TYPE: &str = "std_msgs/msg/Float64";
/// The type of all wheels at once.
pub(super) const WHEELS_TYPE: &str = "skidpad/msg/WheelStates";

impl Topic {
    /// A topic of this type without messages.
    pub(super) fn new(kind: &str) -> Topic {
        let samples = match kind {
            _ if POSE_TYPES.contains(&kind) => Samples::Poses(Vec::new()),
            _ if COMMAND_TYPES.contains(&kind) => Samples::Commands(Vec::new()),
            ARRAY_TYPE => Samples::Arrays(Vec::new()),
            NUMBER_TYPE => Samples::Numbers(Vec::new()),
            WHEELS_TYPE => Samples::Wheels(Vec::new()),
            _ => Samples::Other,
        };
        Topic { kind: kind.into(), samples, broken: 0 }
    }

    /// Whether messages of this type are of use.
    pub(super) fn is_read(kind: &str) -> bool {
        let types = POSE_TYPES.iter().chain(&COMMAND_TYPES).chain(&[ARRAY_TYPE, NUMBER_TYPE, WHEELS_TYPE]);
        types.copied().any(|known| known == kind)
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

    /// Takes in a message that was logged at `log_time` [ns].
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
                let (stamp, speed, steering_angle) = command_of(&self.kind, data)?;
                samples.push(Command { log_time, stamp, speed, steering_angle });
            }
            Samples::Numbers(samples) => samples.push((log_time, cdr::read::<Float64>(data)?.data)),
            Samples::Wheels(wheels) => {
                for state in cdr::read::<Stamped<Vec<WheelState>>>(data)?.content {
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

/// The time of a header [s]; none where nobody set it.
fn secs(stamp: Time) -> Option<f64> {
    let nanoseconds = i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec);
    (nanoseconds != 0).then(|| SimTime(nanoseconds).secs())
}

fn pose_of(kind: &str, log_time: f64, data: &[u8]) -> Result<PoseSample, CdrError> {
    let (header, pose, twist) = if kind == POSE_TYPES[0] {
        let message: Odometry = cdr::read(data)?;
        (message.header, message.pose.pose, message.twist.twist)
    } else if kind == POSE_TYPES[1] {
        let message: Stamped<Pose> = cdr::read(data)?;
        (message.header, message.content, Twist::default())
    } else {
        let message: Stamped<PoseWithCovariance> = cdr::read(data)?;
        (message.header, message.content.pose, Twist::default())
    };
    let (p, q) = (pose.position, pose.orientation);
    Ok(PoseSample {
        time: secs(header.stamp).unwrap_or(log_time),
        pose: Pose2::new(p.x, p.y, yaw_of([q.x, q.y, q.z, q.w])),
        velocity_in_body: Twist2::new(twist.linear.x, twist.linear.y, twist.angular.z),
    })
}

/// Time of the header, speed and steering angle.
fn command_of(kind: &str, data: &[u8]) -> Result<(Option<f64>, f64, Option<f64>), CdrError> {
    let ackermann = |drive: AckermannDrive| (f64::from(drive.speed), Some(f64::from(drive.steering_angle)));
    let (stamp, (speed, angle)) = if kind == COMMAND_TYPES[0] {
        let message: Stamped<AckermannDrive> = cdr::read(data)?;
        (secs(message.header.stamp), ackermann(message.content))
    } else if kind == COMMAND_TYPES[1] {
        (None, ackermann(cdr::read(data)?))
    } else if kind == COMMAND_TYPES[2] {
        (None, (cdr::read::<Twist>(data)?.linear.x, None))
    } else {
        let message: Stamped<Twist> = cdr::read(data)?;
        (secs(message.header.stamp), (message.content.linear.x, None))
    };
    Ok((stamp, speed, angle))
}
