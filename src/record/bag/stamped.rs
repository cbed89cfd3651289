//! Messages with a header.

use serde::Deserialize;
use skidpad_ros_data::message::{Header, PoseStamped, Time};

/// `geometry_msgs/PoseWithCovarianceStamped`.
pub const POSE_WITH_COVARIANCE_STAMPED: &str = "geometry_msgs/msg/PoseWithCovarianceStamped";
/// `geometry_msgs/TwistStamped`.
pub const TWIST_STAMPED: &str = "geometry_msgs/msg/TwistStamped";

/// `geometry_msgs/PoseStamped[]` with a header, as planners send their paths.
pub const PATH: &str = "nav_msgs/msg/Path";
/// `ackermann_msgs/AckermannDrive`: a command without a header.
pub const ACKERMANN_DRIVE: &str = "ackermann_msgs/msg/AckermannDrive";

/// A `nav_msgs/Path`.
#[derive(Deserialize)]
pub struct Path {
    /// Stamp and frame.
    pub header: Header,
    /// Its poses, in order; few senders give them times of their own.
    pub poses: Vec<PoseStamped>,
}

/// The beginning of a message: a header and its first field. The rest of the bytes is not read.
#[derive(Deserialize)]
pub struct Stamped<T> {
    /// Stamp and frame.
    pub header: Header,
    /// The first field after the header.
    pub content: T,
}

/// A stamp [ns]; none if it is 0, which means unset.
pub fn nanoseconds(stamp: Time) -> Option<i64> {
    let nanoseconds = i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec);
    (nanoseconds != 0).then_some(nanoseconds)
}
