//! Messages of ROS's own packages, field by field as in their definitions.

use serde::{Deserialize, Serialize};

use super::Message;
use super::cdr::{self, CdrError};

messages! {
    Time = "builtin_interfaces/msg/Time" [Copy, Eq] {
        /// [s].
        sec: i32,
        /// [ns].
        nanosec: u32,
    }

    Header = "std_msgs/msg/Header" [Eq] {
        /// When.
        stamp: Time,
        /// In which frame.
        frame_id: String,
    }

    MultiArrayDimension = "std_msgs/msg/MultiArrayDimension" [Eq] {
        /// Its name.
        label: String,
        /// Entries.
        size: u32,
        /// Distance of entries.
        stride: u32,
    }

    MultiArrayLayout = "std_msgs/msg/MultiArrayLayout" [Eq] {
        /// One entry per dimension.
        dim: Vec<MultiArrayDimension>,
        /// Where the data begins.
        data_offset: u32,
    }

    Float64MultiArray = "std_msgs/msg/Float64MultiArray" {
        /// How the data lies.
        layout: MultiArrayLayout,
        /// The numbers.
        data: Vec<f64>,
    }

    Float64 = "std_msgs/msg/Float64" [Copy] {
        /// The number.
        data: f64,
    }

    /// And `Point`, which has the same fields.
    Vector3 = "geometry_msgs/msg/Vector3" [Copy] {
        /// x.
        x: f64,
        /// y.
        y: f64,
        /// z.
        z: f64,
    }

    Pose = "geometry_msgs/msg/Pose" [Copy] {
        /// [m].
        position: Vector3 as "geometry_msgs/Point position",
        /// [-].
        orientation: Quaternion,
    }

    Twist = "geometry_msgs/msg/Twist" [Copy] {
        /// [m/s].
        linear: Vector3,
        /// [rad/s].
        angular: Vector3,
    }

    PoseWithCovariance = "geometry_msgs/msg/PoseWithCovariance" [Copy] {
        /// The pose.
        pose: Pose,
        /// Its covariance.
        covariance: Covariance as "float64[36] covariance",
    }

    TwistWithCovariance = "geometry_msgs/msg/TwistWithCovariance" [Copy] {
        /// The twist.
        twist: Twist,
        /// Its covariance.
        covariance: Covariance as "float64[36] covariance",
    }

    Odometry = "nav_msgs/msg/Odometry" {
        /// When, and the frame of the pose.
        header: Header,
        /// The frame of the twist.
        child_frame_id: String,
        /// Where.
        pose: PoseWithCovariance,
        /// How fast.
        twist: TwistWithCovariance,
    }

    /// Single-precision.
    AckermannDrive = "ackermann_msgs/msg/AckermannDrive" [Copy] {
        /// [rad].
        steering_angle: f32,
        /// [rad/s].
        steering_angle_velocity: f32,
        /// [m/s].
        speed: f32,
        /// [m/s²].
        acceleration: f32,
        /// [m/s³].
        jerk: f32,
    }

    AckermannDriveStamped = "ackermann_msgs/msg/AckermannDriveStamped" {
        /// When.
        header: Header,
        /// What to do.
        drive: AckermannDrive,
    }

    Bool = "std_msgs/msg/Bool" [Copy] {
        /// The answer.
        data: bool,
    }

    Transform = "geometry_msgs/msg/Transform" [Copy] {
        /// [m].
        translation: Vector3,
        /// [-].
        rotation: Quaternion,
    }

    TransformStamped = "geometry_msgs/msg/TransformStamped" shared {
        /// When, and the parent.
        header: Header,
        /// The child.
        child_frame_id: String,
        /// The pose of the child in the parent.
        transform: Transform,
    }

    TFMessage = "tf2_msgs/msg/TFMessage" shared {
        /// The transforms.
        transforms: Vec<TransformStamped>,
    }

    PoseStamped = "geometry_msgs/msg/PoseStamped" shared {
        /// When, and in which frame.
        header: Header,
        /// Where.
        pose: Pose,
    }

    JointState = "sensor_msgs/msg/JointState" {
        /// When, and in which frame.
        header: Header,
        /// The joints.
        name: Vec<String>,
        /// [rad].
        position: Vec<f64>,
        /// [rad/s].
        velocity: Vec<f64>,
        /// [N·m].
        effort: Vec<f64>,
    }

    MapMetaData = "nav_msgs/msg/MapMetaData" [Copy] {
        /// When it was loaded.
        map_load_time: Time,
        /// Side of a cell [m].
        resolution: f32,
        /// Cells along x.
        width: u32,
        /// Cells along y.
        height: u32,
        /// The corner of cell (0, 0).
        origin: Pose,
    }

    OccupancyGrid = "nav_msgs/msg/OccupancyGrid" {
        /// When, and in which frame.
        header: Header,
        /// Size and place.
        info: MapMetaData,
        /// Row by row: -1 unknown, else percent.
        data: Vec<i8>,
    }

    Int32 = "std_msgs/msg/Int32" [Copy, Eq] {
        /// The number.
        data: i32,
    }

    Float32 = "std_msgs/msg/Float32" [Copy] {
        /// The number.
        data: f32,
    }

    Text = "std_msgs/msg/String" [Eq] {
        /// The text.
        data: String,
    }

    Clock = "rosgraph_msgs/msg/Clock" [Copy, Eq] {
        /// Simulated time.
        clock: Time,
    }

    Imu = "sensor_msgs/msg/Imu" {
        /// When, and in which frame.
        header: Header,
        /// In the world [-].
        orientation: Quaternion,
        /// Row by row, about x, y and z [rad²].
        orientation_covariance: [f64; 9],
        /// [rad/s].
        angular_velocity: Vector3,
        /// [rad²/s²].
        angular_velocity_covariance: [f64; 9],
        /// With gravity [m/s²].
        linear_acceleration: Vector3,
        /// [m²/s⁴].
        linear_acceleration_covariance: [f64; 9],
    }

    PoseWithCovarianceStamped = "geometry_msgs/msg/PoseWithCovarianceStamped" {
        /// When, and in which frame.
        header: Header,
        /// Where.
        pose: PoseWithCovariance,
    }

    PoseArray = "geometry_msgs/msg/PoseArray" {
        /// When, and in which frame.
        header: Header,
        /// Where.
        poses: Vec<Pose>,
    }

    Point32 = "geometry_msgs/msg/Point32" [Copy] {
        /// [m].
        x: f32,
        /// [m].
        y: f32,
        /// [m].
        z: f32,
    }

    Polygon = "geometry_msgs/msg/Polygon" {
        /// Its corners in order.
        points: Vec<Point32>,
    }

    PolygonStamped = "geometry_msgs/msg/PolygonStamped" {
        /// When, and in which frame.
        header: Header,
        /// The polygon.
        polygon: Polygon,
    }
}

impl Message for LaserScan {
    const TYPE: &'static str = "sensor_msgs/msg/LaserScan";
    fn definition() -> String {
        "std_msgs/Header header\n\
         float32 angle_min\n\
         float32 angle_max\n\
         float32 angle_increment\n\
         float32 time_increment\n\
         float32 scan_time\n\
         float32 range_min\n\
         float32 range_max\n\
         float32[] ranges\n\
         float32[] intensities\n"
            .to_owned()
    }

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

impl Message for Quaternion {
    const TYPE: &'static str = "geometry_msgs/msg/Quaternion";

    fn definition() -> String {
        "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n".to_owned()
    }
}

impl Default for Quaternion {
    /// No turn, as in the definition.
    fn default() -> Quaternion {
        Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }
    }
}

/// Row-major 6 × 6 matrix over x, y, z and the rotations about them.
pub type Covariance = [[f64; 6]; 6];

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
