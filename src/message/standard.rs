//! Messages of ROS's own packages, field by field as in their definitions.

use serde::{Deserialize, Serialize};

use super::Message;
use super::cdr::{self, CdrError};

types! {
    AckermannDrive: "ackermann_msgs/msg/AckermannDrive" = "float32 steering_angle\nfloat32 steering_angle_velocity\nfloat32 speed\nfloat32 acceleration\nfloat32 jerk\n";
    AckermannDriveStamped: "ackermann_msgs/msg/AckermannDriveStamped" = "std_msgs/Header header\nackermann_msgs/AckermannDrive drive\n";
    Time: "builtin_interfaces/msg/Time" = "int32 sec\nuint32 nanosec\n";
    Point32: "geometry_msgs/msg/Point32" = "float32 x\nfloat32 y\nfloat32 z\n";
    Polygon: "geometry_msgs/msg/Polygon" = "geometry_msgs/Point32[] points\n";
    PolygonStamped: "geometry_msgs/msg/PolygonStamped";
    Pose: "geometry_msgs/msg/Pose" = "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n";
    PoseArray: "geometry_msgs/msg/PoseArray" = "std_msgs/Header header\ngeometry_msgs/Pose[] poses\n";
    PoseStamped: "geometry_msgs/msg/PoseStamped" shared = "std_msgs/Header header\ngeometry_msgs/Pose pose\n";
    PoseWithCovariance: "geometry_msgs/msg/PoseWithCovariance" = "geometry_msgs/Pose pose\nfloat64[36] covariance\n";
    PoseWithCovarianceStamped: "geometry_msgs/msg/PoseWithCovarianceStamped" = "std_msgs/Header header\ngeometry_msgs/PoseWithCovariance pose\n";
    Quaternion: "geometry_msgs/msg/Quaternion" = "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n";
    Transform: "geometry_msgs/msg/Transform" = "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n";
    TransformStamped: "geometry_msgs/msg/TransformStamped" shared = "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n";
    Twist: "geometry_msgs/msg/Twist" = "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n";
    TwistWithCovariance: "geometry_msgs/msg/TwistWithCovariance" = "geometry_msgs/Twist twist\nfloat64[36] covariance\n";
    Vector3: "geometry_msgs/msg/Vector3" = "float64 x\nfloat64 y\nfloat64 z\n";
    MapMetaData: "nav_msgs/msg/MapMetaData" = "builtin_interfaces/Time map_load_time\nfloat32 resolution\nuint32 width\nuint32 height\ngeometry_msgs/Pose origin\n";
    OccupancyGrid: "nav_msgs/msg/OccupancyGrid" = "std_msgs/Header header\nnav_msgs/MapMetaData info\nint8[] data\n";
    Odometry: "nav_msgs/msg/Odometry" = "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n";
    Clock: "rosgraph_msgs/msg/Clock";
    Imu: "sensor_msgs/msg/Imu" = "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n";
    JointState: "sensor_msgs/msg/JointState" = "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n";
    Bool: "std_msgs/msg/Bool" = "bool data\n";
    Float32: "std_msgs/msg/Float32" = "float32 data\n";
    Float64: "std_msgs/msg/Float64" = "float64 data\n";
    Float64MultiArray: "std_msgs/msg/Float64MultiArray" = "std_msgs/MultiArrayLayout layout\nfloat64[] data\n";
    Header: "std_msgs/msg/Header" = "builtin_interfaces/Time stamp\nstring frame_id\n";
    Int32: "std_msgs/msg/Int32" = "int32 data\n";
    MultiArrayDimension: "std_msgs/msg/MultiArrayDimension" = "string label\nuint32 size\nuint32 stride\n";
    MultiArrayLayout: "std_msgs/msg/MultiArrayLayout" = "std_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n";
    Text: "std_msgs/msg/String";
    TFMessage: "tf2_msgs/msg/TFMessage" shared = "geometry_msgs/TransformStamped[] transforms\n";
}

impl Message for LaserScan {
    const TYPE: &'static str = "sensor_msgs/msg/LaserScan";
    const DEFINITION: &'static str = "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\nfloat32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\nfloat32[] ranges\nfloat32[] intensities\n";

    /// Ranges are copied as one block: one by one they would take most of a recording's time.
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

/// `geometry_msgs/msg/Vector3`, and `Point`, which has the same fields.
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

impl Default for Quaternion {
    /// No turn, as in the definition.
    fn default() -> Quaternion {
        Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }
    }
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

/// `std_msgs/msg/Int32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Int32 {
    /// The number.
    pub data: i32,
}

/// `std_msgs/msg/Float32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Float32 {
    /// The number.
    pub data: f32,
}

/// `std_msgs/msg/String`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The text.
    pub data: String,
}

/// `rosgraph_msgs/msg/Clock`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Simulated time.
    pub clock: Time,
}

/// `sensor_msgs/msg/Imu`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Imu {
    /// When, and in which frame.
    pub header: Header,
    /// In the world [-].
    pub orientation: Quaternion,
    /// Row by row, about x, y and z [rad²].
    pub orientation_covariance: [f64; 9],
    /// [rad/s].
    pub angular_velocity: Vector3,
    /// [rad²/s²].
    pub angular_velocity_covariance: [f64; 9],
    /// With gravity [m/s²].
    pub linear_acceleration: Vector3,
    /// [m²/s⁴].
    pub linear_acceleration_covariance: [f64; 9],
}

/// `geometry_msgs/msg/PoseWithCovarianceStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseWithCovarianceStamped {
    /// When, and in which frame.
    pub header: Header,
    /// Where.
    pub pose: PoseWithCovariance,
}

/// `geometry_msgs/msg/PoseArray`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseArray {
    /// When, and in which frame.
    pub header: Header,
    /// Where.
    pub poses: Vec<Pose>,
}

/// `geometry_msgs/msg/Point32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point32 {
    /// [m].
    pub x: f32,
    /// [m].
    pub y: f32,
    /// [m].
    pub z: f32,
}

/// `geometry_msgs/msg/Polygon`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Polygon {
    /// Its corners in order.
    pub points: Vec<Point32>,
}

/// `geometry_msgs/msg/PolygonStamped`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PolygonStamped {
    /// When, and in which frame.
    pub header: Header,
    /// The polygon.
    pub polygon: Polygon,
}
