//! What messages say, by their types.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::math::{Pose3, Twist2, Vec2, Vec3};
use crate::message::cdr;
use crate::message::{self, Header, Pose, Quaternion, TFMessage, Twist, Vector3};
use crate::raycast::OccupancyGrid;

/// Where something is, and how it moves.
pub(super) const ODOMETRY: &str = "nav_msgs/msg/Odometry";
/// All that is shown of a vehicle but its wheels and scans.
pub(super) const STATE: &str = "skidpad/msg/VehicleState";
/// Poses of frames in others.
pub(super) const TRANSFORMS: &str = "tf2_msgs/msg/TFMessage";
/// An estimated pose.
pub(super) const ESTIMATE: &str = "geometry_msgs/msg/PoseWithCovarianceStamped";
/// Scans.
pub(super) const SCAN: &str = "sensor_msgs/msg/LaserScan";
/// Maps.
pub(super) const MAP: &str = "nav_msgs/msg/OccupancyGrid";
/// Velocity commands.
pub(super) const VELOCITY: [&str; 2] = ["geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"];
/// Commands of speed and steering angle.
pub(super) const ACKERMANN: &str = "ackermann_msgs/msg/AckermannDriveStamped";
/// Pedals.
pub(super) const PEDALS: &str = "skidpad/msg/Pedals";
/// x, y and time.
pub(super) const ARRAY: &str = "std_msgs/msg/Float64MultiArray";
/// An outline.
pub(super) const POLYGON: &str = "geometry_msgs/msg/Polygon";
/// Types besides those.
const OTHERS: [&str; 5] = [
    "sensor_msgs/msg/Imu",
    "sensor_msgs/msg/JointState",
    "skidpad/msg/WheelStates",
    "std_msgs/msg/Bool",
    "std_msgs/msg/Float64",
];

/// Whether messages of this type are of use.
pub(super) fn is_of_use(kind: &str) -> bool {
    let known = [ODOMETRY, STATE, TRANSFORMS, ESTIMATE, SCAN, MAP, ACKERMANN, PEDALS, ARRAY, POLYGON];
    known.iter().chain(&VELOCITY).chain(&OTHERS).any(|known| *known == kind)
}

/// The message in these bytes; none where they hold another.
pub(super) fn read<T: DeserializeOwned>(data: &[u8]) -> Option<T> {
    cdr::read(data).ok()
}

/// Stamp of a message that begins with a header [ns]; none where nobody set it.
pub(super) fn stamp(data: &[u8]) -> Option<i64> {
    read(data).and_then(nanoseconds)
}

/// A stamp [ns]; none where nobody set it.
pub(super) fn nanoseconds(time: message::Time) -> Option<i64> {
    let nanoseconds = i64::from(time.sec) * 1_000_000_000 + i64::from(time.nanosec);
    (nanoseconds != 0).then_some(nanoseconds)
}

/// The child frames of transforms.
pub(super) fn children(data: &[u8]) -> Vec<String> {
    read(data).map_or_else(Vec::new, |message: TFMessage| {
        message.transforms.into_iter().map(|transform| transform.child_frame_id).collect()
    })
}

/// `geometry_msgs/PoseWithCovarianceStamped` up to its covariance.
#[derive(Deserialize)]
pub(super) struct Estimate {
    pub(super) header: Header,
    pub(super) pose: Pose,
}

/// `geometry_msgs/TwistStamped`.
#[derive(Deserialize)]
pub(super) struct TwistStamped {
    _header: Header,
    pub(super) twist: Twist,
}

/// `sensor_msgs/Imu`.
#[derive(Deserialize)]
pub(super) struct Imu {
    _header: Header,
    pub(super) orientation: Quaternion,
    _orientation_covariance: [f64; 9],
    _angular_velocity: Vector3,
    _angular_velocity_covariance: [f64; 9],
    pub(super) linear_acceleration: Vector3,
}

/// `geometry_msgs/Polygon`.
#[derive(Deserialize)]
pub(super) struct Polygon {
    points: Vec<[f32; 3]>,
}

impl Polygon {
    /// Its corners [m].
    pub(super) fn outline(&self) -> Vec<Vec2> {
        self.points.iter().map(|[x, y, _]| Vec2::new(f64::from(*x), f64::from(*y))).collect()
    }
}

/// The pose with this position and orientation, whose length does not count; without turn where that is none.
pub(super) fn pose(position: Vector3, orientation: Quaternion) -> Pose3 {
    let Quaternion { x, y, z, w } = orientation;
    let position = Vec3::new(position.x, position.y, position.z);
    let rotation = nalgebra::UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-9).unwrap_or_default();
    Pose3::from_parts(position, rotation.to_rotation_matrix().matrix())
}

/// The planar part of a twist.
pub(super) fn twist(twist: &Twist) -> Twist2 {
    Twist2::new(twist.linear.x, twist.linear.y, twist.angular.z)
}

/// The map in a message; none where its numbers are of no map.
pub(super) fn map(message: message::OccupancyGrid) -> Option<OccupancyGrid> {
    let info = message.info;
    let map = OccupancyGrid {
        width: info.width as usize,
        height: info.height as usize,
        resolution: f64::from(info.resolution),
        world_from_grid: pose(info.origin.position, info.origin.orientation).planar(),
        cells: message.data,
        occupied_percent: OCCUPIED,
    };
    map.validate().is_ok().then_some(map)
}

/// From this percentage on map_server takes cells for occupied.
const OCCUPIED: i8 = 65;
