//! Decodes the messages that a replay uses.

use serde::de::DeserializeOwned;
use skidpad_math::{Pose3, Twist2, Vec2, Vec3};
use skidpad_record::bag::{ACKERMANN_DRIVE, PATH, POSE_WITH_COVARIANCE_STAMPED, TWIST_STAMPED, nanoseconds};
use skidpad_ros_data::message::cdr;
use skidpad_ros_data::message::{
    self, AckermannDriveStamped, Bool, Float64, Float64MultiArray, Imu, JointState, LaserScan, Message, Odometry,
    Pedals, Polygon, PoseStamped, Quaternion, TFMessage, Time, Transform, Twist, Vector3, VehicleState, WheelStates,
};
use skidpad_server::sensor_data::READING_TYPES;
use skidpad_sim::raycast::OccupancyGrid;

use super::sensor_data::ON_REQUEST;

/// The message types that a replay uses.
const OF_USE: [&str; 20] = [
    Odometry::TYPE,
    VehicleState::TYPE,
    TFMessage::TYPE,
    POSE_WITH_COVARIANCE_STAMPED,
    LaserScan::TYPE,
    message::OccupancyGrid::TYPE,
    Twist::TYPE,
    TWIST_STAMPED,
    AckermannDriveStamped::TYPE,
    ACKERMANN_DRIVE,
    PoseStamped::TYPE,
    PATH,
    Pedals::TYPE,
    Float64MultiArray::TYPE,
    Polygon::TYPE,
    Imu::TYPE,
    JointState::TYPE,
    WheelStates::TYPE,
    Bool::TYPE,
    Float64::TYPE,
];

/// Whether a replay uses messages of this type.
pub(super) fn is_of_use(kind: &str) -> bool {
    OF_USE.contains(&kind) || ON_REQUEST.contains(&kind) || READING_TYPES.contains(&kind)
}

/// The message in these bytes; none if they are not of this type.
pub(super) fn read<T: DeserializeOwned>(data: &[u8]) -> Option<T> {
    cdr::read(data).ok()
}

/// Stamp of a message that begins with a header [ns]; none if it is 0.
pub fn stamp(data: &[u8]) -> Option<i64> {
    read::<Time>(data).and_then(nanoseconds)
}

/// The child frames of transforms, each with its transform.
pub(super) fn transforms(data: &[u8]) -> impl Iterator<Item = (String, Transform)> {
    let message: TFMessage = read(data).unwrap_or_default();
    message.transforms.into_iter().map(|of_child| (of_child.child_frame_id, of_child.transform))
}

/// The corners of a polygon on the plan [m].
pub(super) fn outline(polygon: &Polygon) -> Vec<Vec2> {
    polygon.points.iter().map(|point| Vec2::new(f64::from(point.x), f64::from(point.y))).collect()
}

/// The pose with this position and orientation. The quaternion is normalized; a zero quaternion gives no rotation.
pub fn pose(position: Vector3, orientation: Quaternion) -> Pose3 {
    let Quaternion { x, y, z, w } = orientation;
    let position = Vec3::new(position.x, position.y, position.z);
    let rotation = nalgebra::UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-9).unwrap_or_default();
    Pose3::from_parts(position, rotation.to_rotation_matrix().matrix())
}

/// The planar part of a twist.
pub(super) fn twist(twist: &Twist) -> Twist2 {
    Twist2::new(twist.linear.x, twist.linear.y, twist.angular.z)
}

/// The map in a message; none if it is invalid.
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

/// Occupancy [%] from which map_server treats cells as occupied.
const OCCUPIED: i8 = 65;
