//! Poses for the nodes beside the simulation, and initial poses.

use serde_json::{Value, json};
use skidpad_math::Pose2;
use skidpad_math::time::SimTime;

/// The topic of initial poses, in the namespace of a vehicle.
pub(super) const TOPIC: &str = "initialpose";
/// The type of their messages.
pub(super) const KIND: &str = "geometry_msgs/msg/PoseWithCovarianceStamped";

/// A pose as messages have it.
pub(super) fn pose_json(pose: Pose2) -> Value {
    let half = 0.5 * pose.yaw;
    json!({
        "position": {"x": pose.x, "y": pose.y, "z": 0.0},
        "orientation": {"x": 0.0, "y": 0.0, "z": libm::sin(half), "w": libm::cos(half)},
    })
}

/// A time as messages have it.
pub(super) fn stamp_json(time: SimTime) -> Value {
    json!({"sec": time.0.div_euclid(1_000_000_000), "nanosec": time.0.rem_euclid(1_000_000_000)})
}

/// An initial pose in this frame at this time as its message has it, with variances of x, y [m²] and yaw [rad²].
pub(super) fn initial_pose_json(frame: &str, now: SimTime, pose: Pose2, variances: [f64; 3]) -> Value {
    let mut covariance = vec![0.0; 36];
    (covariance[0], covariance[7], covariance[35]) = (variances[0], variances[1], variances[2]);
    json!({
        "header": {"stamp": stamp_json(now), "frame_id": frame},
        "pose": {"pose": pose_json(pose), "covariance": covariance},
    })
}
