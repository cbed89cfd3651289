//! Messages of ROS's own packages, field by field as in their definitions.

use serde::{Deserialize, Serialize};

use super::cdr::{self, CdrError, Doubles};
use super::{Message, StampLine};

messages! {
    Time = "builtin_interfaces/msg/Time" [Copy, Eq] {
        /// Seconds [s].
        sec: i32,
        /// Nanoseconds [ns].
        nanosec: u32,
    }

    Header = "std_msgs/msg/Header" [Eq] {
        /// Time stamp.
        stamp: Time,
        /// Frame.
        frame_id: String,
    }

    MultiArrayDimension = "std_msgs/msg/MultiArrayDimension" [Eq] {
        /// Name of the dimension.
        label: String,
        /// Number of entries.
        size: u32,
        /// Stride of the entries.
        stride: u32,
    }

    MultiArrayLayout = "std_msgs/msg/MultiArrayLayout" [Eq] {
        /// One entry per dimension.
        dim: Vec<MultiArrayDimension>,
        /// Offset of the data.
        data_offset: u32,
    }

    Float64MultiArray = "std_msgs/msg/Float64MultiArray" {
        /// Layout of the data.
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
        /// Position [m].
        position: Vector3 as "geometry_msgs/Point position",
        /// Orientation [-].
        orientation: Quaternion,
    }

    Twist = "geometry_msgs/msg/Twist" [Copy] {
        /// Linear velocity [m/s].
        linear: Vector3,
        /// Angular velocity [rad/s].
        angular: Vector3,
    }

    TwistStamped = "geometry_msgs/msg/TwistStamped" {
        /// Time stamp and frame.
        header: Header,
        ;
        /// Velocity in that frame.
        twist: Twist,
    }

    PoseWithCovariance = "geometry_msgs/msg/PoseWithCovariance" [Copy] {
        /// The pose.
        pose: Pose,
        /// Covariance of the pose: x, y, z [m], rotations about x, y, z [rad].
        covariance: Covariance as "float64[36] covariance",
    }

    TwistWithCovariance = "geometry_msgs/msg/TwistWithCovariance" [Copy] {
        /// The twist.
        twist: Twist,
        /// Covariance of the velocity: x, y, z [m/s], rotations about x, y, z [rad/s].
        covariance: Covariance as "float64[36] covariance",
    }

    Accel = "geometry_msgs/msg/Accel" [Copy] {
        /// Linear acceleration [m/s²].
        linear: Vector3,
        /// Angular acceleration [rad/s²].
        angular: Vector3,
    }

    AccelWithCovariance = "geometry_msgs/msg/AccelWithCovariance" [Copy] {
        /// The acceleration.
        accel: Accel,
        /// Covariance of the acceleration: x, y, z [m/s²], rotations about x, y, z [rad/s²].
        covariance: Covariance as "float64[36] covariance",
    }

    AccelWithCovarianceStamped = "geometry_msgs/msg/AccelWithCovarianceStamped" {
        /// Time stamp and frame.
        header: Header,
        ;
        /// Acceleration and covariance.
        accel: AccelWithCovariance,
    }

    Odometry = "nav_msgs/msg/Odometry" {
        /// Time stamp, and the frame of the pose.
        header: Header,
        /// The frame of the twist.
        child_frame_id: String,
        ;
        /// Pose and covariance.
        pose: PoseWithCovariance,
        /// Twist and covariance.
        twist: TwistWithCovariance,
    }

    /// Single-precision.
    AckermannDrive = "ackermann_msgs/msg/AckermannDrive" [Copy] {
        /// Steering angle [rad].
        steering_angle: f32,
        /// Rate of the steering angle [rad/s].
        steering_angle_velocity: f32,
        /// Speed [m/s].
        speed: f32,
        /// Acceleration [m/s²].
        acceleration: f32,
        /// Jerk [m/s³].
        jerk: f32,
    }

    AckermannDriveStamped = "ackermann_msgs/msg/AckermannDriveStamped" {
        /// Time stamp.
        header: Header,
        /// The command.
        drive: AckermannDrive,
    }

    Bool = "std_msgs/msg/Bool" [Copy] {
        /// The value.
        data: bool,
    }

    Transform = "geometry_msgs/msg/Transform" [Copy] {
        /// Translation [m].
        translation: Vector3,
        /// Rotation [-].
        rotation: Quaternion,
    }

    TransformStamped = "geometry_msgs/msg/TransformStamped" shared {
        /// Time stamp, and the parent frame.
        header: Header,
        /// The child frame.
        child_frame_id: String,
        /// The pose of the child in the parent.
        transform: Transform,
    }

    TFMessage = "tf2_msgs/msg/TFMessage" shared {
        /// The transforms.
        transforms: Vec<TransformStamped>,
    }

    PoseStamped = "geometry_msgs/msg/PoseStamped" shared {
        /// Time stamp and frame.
        header: Header,
        ;
        /// The pose.
        pose: Pose,
    }

    JointState = "sensor_msgs/msg/JointState" {
        /// Time stamp and frame.
        header: Header,
        /// Names of the joints.
        name: Vec<String>,
        /// Positions [rad].
        position: Vec<f64>,
        /// Velocities [rad/s].
        velocity: Vec<f64>,
        /// Torques [N·m].
        effort: Vec<f64>,
    }

    MapMetaData = "nav_msgs/msg/MapMetaData" [Copy] {
        /// Time at which it was loaded.
        map_load_time: Time,
        /// Side of a cell [m].
        resolution: f32,
        /// Cells along x.
        width: u32,
        /// Cells along y.
        height: u32,
        /// Pose of the corner of cell (0, 0).
        origin: Pose,
    }

    OccupancyGrid = "nav_msgs/msg/OccupancyGrid" {
        /// Time stamp and frame.
        header: Header,
        /// Size and pose.
        info: MapMetaData,
        /// Occupancy row by row: -1 unknown, otherwise percent.
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
        /// Time stamp and frame.
        header: Header,
        ;
        /// Orientation in the world [-].
        orientation: Quaternion,
        /// Its covariance, row by row, about x, y and z [rad²].
        orientation_covariance: [f64; 9],
        /// Angular velocity [rad/s].
        angular_velocity: Vector3,
        /// Its covariance [rad²/s²].
        angular_velocity_covariance: [f64; 9],
        /// Acceleration including gravity [m/s²].
        linear_acceleration: Vector3,
        /// Its covariance [m²/s⁴].
        linear_acceleration_covariance: [f64; 9],
    }

    PoseWithCovarianceStamped = "geometry_msgs/msg/PoseWithCovarianceStamped" {
        /// Time stamp and frame.
        header: Header,
        ;
        /// Pose and covariance.
        pose: PoseWithCovariance,
    }

    PoseArray = "geometry_msgs/msg/PoseArray" {
        /// Time stamp and frame.
        header: Header,
        /// The poses.
        poses: Vec<Pose>,
    }

    Point32 = "geometry_msgs/msg/Point32" [Copy] {
        /// x [m].
        x: f32,
        /// y [m].
        y: f32,
        /// z [m].
        z: f32,
    }

    Polygon = "geometry_msgs/msg/Polygon" {
        /// Its corners in order.
        points: Vec<Point32>,
    }

    PolygonStamped = "geometry_msgs/msg/PolygonStamped" {
        /// Time stamp and frame.
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
    fn write(&self, stamps: Option<&StampLine>, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
        let angles = (self.angle_min, self.angle_max, self.angle_increment);
        cdr::write(
            &(&self.header, angles, self.time_increment, self.scan_time, self.range_min, self.range_max),
            stamps,
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

impl Quaternion {
    /// The yaw [rad] of a rotation by yaw, pitch and roll.
    pub fn yaw(self) -> f64 {
        let Quaternion { x, y, z, w } = self;
        skidpad_math::yaw_of([x, y, z, w])
    }
}

impl Default for Quaternion {
    /// The identity, as in the definition.
    fn default() -> Quaternion {
        Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }
    }
}

/// Parts of which all numbers are `f64`, with the blocks that they consist of.
macro_rules! doubles {
    ($($part:ident: $($block:ident)*;)*) => {
        $(impl Doubles for $part {
            #[inline]
            fn append_to(&self, bytes: &mut Vec<u8>) {
                $(self.$block.append_to(bytes);)*
            }
        })*
    };
}

doubles! {
    Pose: position orientation;
    Twist: linear angular;
    Accel: linear angular;
    PoseWithCovariance: pose covariance;
    TwistWithCovariance: twist covariance;
    AccelWithCovariance: accel covariance;
}

impl Doubles for Vector3 {
    #[inline]
    fn append_to(&self, bytes: &mut Vec<u8>) {
        [self.x, self.y, self.z].append_to(bytes);
    }
}

impl Doubles for Quaternion {
    #[inline]
    fn append_to(&self, bytes: &mut Vec<u8>) {
        [self.x, self.y, self.z, self.w].append_to(bytes);
    }
}

/// Row-major 6 × 6 matrix over x, y, z and the rotations about them.
pub type Covariance = [[f64; 6]; 6];

/// `sensor_msgs/msg/LaserScan`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LaserScan {
    /// Time stamp and frame.
    pub header: Header,
    /// Angle of the first beam [rad].
    pub angle_min: f32,
    /// Angle of the last beam [rad].
    pub angle_max: f32,
    /// Angle between neighbouring beams [rad].
    pub angle_increment: f32,
    /// Time between neighbouring beams [s].
    pub time_increment: f32,
    /// Time between scans [s].
    pub scan_time: f32,
    /// Smallest range [m].
    pub range_min: f32,
    /// Largest range [m].
    pub range_max: f32,
    /// Ranges in the order of angle [m].
    pub ranges: Vec<f32>,
    /// Intensities: none, or one for each range.
    pub intensities: Vec<f32>,
}
