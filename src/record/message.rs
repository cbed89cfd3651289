//! The ROS 2 messages that recordings hold, field by field as in their definitions.

use serde::{Deserialize, Serialize};

use super::cdr::{self, CdrError};
pub use super::vehicle_state::VehicleState;

/// A message that is recorded as a topic of its own.
pub trait Message: Serialize {
    /// Its type, `package/msg/Name`.
    const TYPE: &'static str;
    /// Whether several bodies may have one topic for it: it says itself whom it is about, or the world asks for it.
    const SHARED: bool = false;

    /// Appends the message as CDR with its encapsulation to `bytes`.
    ///
    /// # Errors
    /// As [`cdr::write`].
    fn write(&self, bytes: &mut Vec<u8>) -> Result<(), CdrError>
    where
        Self: Sized,
    {
        cdr::write(self, bytes)
    }
}

macro_rules! types {
    ($($message:ty: $name:literal $($shared:ident)?;)*) => {
        $(impl Message for $message {
            const TYPE: &'static str = $name;
            $(const SHARED: bool = stringify!($shared).len() > 0;)?
        })*
    };
}

types! {
    AckermannDriveStamped: "ackermann_msgs/msg/AckermannDriveStamped";
    Bool: "std_msgs/msg/Bool";
    Float64: "std_msgs/msg/Float64";
    Float64MultiArray: "std_msgs/msg/Float64MultiArray";
    JointState: "sensor_msgs/msg/JointState";
    MapMetaData: "nav_msgs/msg/MapMetaData";
    OccupancyGrid: "nav_msgs/msg/OccupancyGrid";
    Odometry: "nav_msgs/msg/Odometry";
    Pedals: "skidpad/msg/Pedals";
    PoseStamped: "geometry_msgs/msg/PoseStamped" shared;
    TFMessage: "tf2_msgs/msg/TFMessage" shared;
    TransformStamped: "geometry_msgs/msg/TransformStamped" shared;
    Twist: "geometry_msgs/msg/Twist";
    WheelStates: "skidpad/msg/WheelStates";
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

/// `std_msgs/msg/Bool`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bool {
    /// The answer.
    pub data: bool,
}

/// `geometry_msgs/msg/Transform`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// [m].
    pub translation: Vector3,
    /// [-].
    pub rotation: Quaternion,
}

/// `geometry_msgs/msg/TransformStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TransformStamped {
    /// When, and the parent.
    pub header: Header,
    /// The child.
    pub child_frame_id: String,
    /// The pose of the child in the parent.
    pub transform: Transform,
}

/// `tf2_msgs/msg/TFMessage`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TFMessage {
    /// The transforms.
    pub transforms: Vec<TransformStamped>,
}

/// `geometry_msgs/msg/PoseStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseStamped {
    /// When, and in which frame.
    pub header: Header,
    /// Where.
    pub pose: Pose,
}

/// `sensor_msgs/msg/LaserScan`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LaserScan {
    /// When, and in which frame.
    pub header: Header,
    /// Angle of the first beam [rad].
    pub angle_min: f32,
    /// Angle of the last beam [rad].
    pub angle_max: f32,
    /// Between neighbours [rad].
    pub angle_increment: f32,
    /// Between neighbours [s].
    pub time_increment: f32,
    /// Between scans [s].
    pub scan_time: f32,
    /// [m].
    pub range_min: f32,
    /// [m].
    pub range_max: f32,
    /// In the order of angle [m].
    pub ranges: Vec<f32>,
    /// None, or one for each range.
    pub intensities: Vec<f32>,
}

impl Message for LaserScan {
    const TYPE: &'static str = "sensor_msgs/msg/LaserScan";

    /// Ranges go over in one piece: one by one they would take most of a recording's time.
    fn write(&self, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
        let angles = (self.angle_min, self.angle_max, self.angle_increment);
        cdr::write(
            &(&self.header, angles, self.time_increment, self.scan_time, self.range_min, self.range_max),
            bytes,
        )?;
        // Those end at a multiple of four bytes, where sequences of floats begin.
        cdr::write_floats(&self.ranges, bytes)?;
        cdr::write_floats(&self.intensities, bytes)
    }
}

/// `sensor_msgs/msg/JointState`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// When, and in which frame.
    pub header: Header,
    /// The joints.
    pub name: Vec<String>,
    /// [rad].
    pub position: Vec<f64>,
    /// [rad/s].
    pub velocity: Vec<f64>,
    /// [N·m].
    pub effort: Vec<f64>,
}

/// `nav_msgs/msg/MapMetaData`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MapMetaData {
    /// When it was loaded.
    pub map_load_time: Time,
    /// Side of a cell [m].
    pub resolution: f32,
    /// Cells along x.
    pub width: u32,
    /// Cells along y.
    pub height: u32,
    /// The corner of cell (0, 0).
    pub origin: Pose,
}

/// `nav_msgs/msg/OccupancyGrid`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OccupancyGrid {
    /// When, and in which frame.
    pub header: Header,
    /// Size and place.
    pub info: MapMetaData,
    /// Row by row: -1 unknown, else percent.
    pub data: Vec<i8>,
}

/// `skidpad/msg/WheelState`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelState {
    /// As in the world file.
    pub name: String,
    /// [rad].
    pub steer_angle: f64,
    /// [rad].
    pub spin_angle: f64,
    /// [rad/s].
    pub spin: f64,
    /// [-].
    pub slip_ratio: f64,
    /// [rad].
    pub slip_angle: f64,
    /// Of the ground on the wheel, in the wheel frame [N].
    pub force: Vector3,
    /// [N·m].
    pub torque: f64,
    /// Whether it is off the ground.
    pub lifted: bool,
}

/// `skidpad/msg/WheelStates`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelStates {
    /// When, and in which frame.
    pub header: Header,
    /// In the order of the world file.
    pub wheels: Vec<WheelState>,
}

/// `skidpad/msg/Pedals`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pedals {
    /// When, and in which frame.
    pub header: Header,
    /// [-], 0 to 1.
    pub throttle: f64,
    /// [-], 0 to 1.
    pub brake: f64,
    /// [rad], positive to the left.
    pub steering_angle: f64,
    /// One of the constants.
    pub gear: i8,
}

impl Pedals {
    /// Forward gears.
    pub const DRIVE: i8 = 0;
    /// Nothing is driven.
    pub const NEUTRAL: i8 = 1;
    /// The reverse gear.
    pub const REVERSE: i8 = -1;
}
