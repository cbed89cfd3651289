//! Conversion of received ROS messages into types of the core.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Pose, Quaternion, Twist};

use crate::math::{Pose2, Twist2};
use crate::time::SimTime;

/// The stamp of a message.
pub fn time(message: &Time) -> SimTime {
    SimTime(i64::from(message.sec) * 1_000_000_000 + i64::from(message.nanosec))
}

/// The planar part of a pose: position [m] and yaw [rad].
pub fn planar_pose(message: &Pose) -> Pose2 {
    let Quaternion { x, y, z, w } = message.orientation;
    let yaw = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    Pose2::new(message.position.x, message.position.y, yaw)
}

/// The planar part of a twist [m/s, rad/s].
pub fn planar_twist(message: &Twist) -> Twist2 {
    Twist2::new(message.linear.x, message.linear.y, message.angular.z)
}
