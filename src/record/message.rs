//! The ROS 2 messages that recordings hold, field by field as in their definitions.

use serde::{Deserialize, Serialize};

/// A message that is recorded as a topic of its own.
pub trait Message: Serialize {
    /// Its type, `package/msg/Name`.
    const TYPE: &'static str;
}

macro_rules! types {
    ($($message:ty: $name:literal;)*) => {
        $(impl Message for $message {
            const TYPE: &'static str = $name;
        })*
    };
}

types! {
    AckermannDriveStamped: "ackermann_msgs/msg/AckermannDriveStamped";
    Float64: "std_msgs/msg/Float64";
    Float64MultiArray: "std_msgs/msg/Float64MultiArray";
    Odometry: "nav_msgs/msg/Odometry";
}

/// `builtin_interfaces/msg/Time`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    /// [s].
    pub sec: i32,
    /// [ns].
    pub nanosec: u32,
}

/// `std_msgs/msg/Header`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// When.
    pub stamp: Time,
    /// In which frame.
    pub frame_id: String,
}

/// `std_msgs/msg/MultiArrayDimension`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MultiArrayDimension {
    /// Its name.
    pub label: String,
    /// Entries.
    pub size: u32,
    /// Distance of entries.
    pub stride: u32,
}

/// `std_msgs/msg/MultiArrayLayout`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MultiArrayLayout {
    /// One entry per dimension.
    pub dim: Vec<MultiArrayDimension>,
    /// Where the data begins.
    pub data_offset: u32,
}

/// `std_msgs/msg/Float64MultiArray`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Float64MultiArray {
    /// How the data lies.
    pub layout: MultiArrayLayout,
    /// The numbers.
    pub data: Vec<f64>,
}

/// `std_msgs/msg/Float64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Float64 {
    /// The number.
    pub data: f64,
}

/// `geometry_msgs/msg/Point` and `Vector3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector3 {
    /// x.
    pub x: f64,
    /// y.
    pub y: f64,
    /// z.
    pub z: f64,
}

/// `geometry_msgs/msg/Quaternion`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quaternion {
    /// x.
    pub x: f64,
    /// y.
    pub y: f64,
    /// z.
    pub z: f64,
    /// w.
    pub w: f64,
}

/// `geometry_msgs/msg/Pose`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// [m].
    pub position: Vector3,
    /// [-].
    pub orientation: Quaternion,
}

/// `geometry_msgs/msg/Twist`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Twist {
    /// [m/s].
    pub linear: Vector3,
    /// [rad/s].
    pub angular: Vector3,
}

/// Row-major 6 × 6 matrix over x, y, z and the rotations about them.
pub type Covariance = [[f64; 6]; 6];

/// `geometry_msgs/msg/PoseWithCovariance`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseWithCovariance {
    /// The pose.
    pub pose: Pose,
    /// Its covariance.
    pub covariance: Covariance,
}

/// `geometry_msgs/msg/TwistWithCovariance`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TwistWithCovariance {
    /// The twist.
    pub twist: Twist,
    /// Its covariance.
    pub covariance: Covariance,
}

/// `nav_msgs/msg/Odometry`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Odometry {
    /// When, and the frame of the pose.
    pub header: Header,
    /// The frame of the twist.
    pub child_frame_id: String,
    /// Where.
    pub pose: PoseWithCovariance,
    /// How fast.
    pub twist: TwistWithCovariance,
}

/// `ackermann_msgs/msg/AckermannDrive`; single-precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AckermannDrive {
    /// [rad].
    pub steering_angle: f32,
    /// [rad/s].
    pub steering_angle_velocity: f32,
    /// [m/s].
    pub speed: f32,
    /// [m/s²].
    pub acceleration: f32,
    /// [m/s³].
    pub jerk: f32,
}

/// `ackermann_msgs/msg/AckermannDriveStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AckermannDriveStamped {
    /// When.
    pub header: Header,
    /// What to do.
    pub drive: AckermannDrive,
}
