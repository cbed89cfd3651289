//! Messages of the client library's own types: which types it knows, the conversion of received messages into types of the core, and
//! the sending of messages and responses with NUL characters replaced. Messages of [`skidpad_ros_data::message`] are written as bytes and need none
//! of this.
//!
//! ROS strings end at their first NUL. The client library panics on a NUL within a text while it holds a lock, which stops the whole node.
//! Texts may quote files and other nodes, so any of them may contain one.

use std::fmt::Display;

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Pose, Quaternion, Twist};
use r2r::{Publisher, ServiceRequest, WrappedServiceTypeSupport, WrappedTypesupport};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2};
use skidpad_ros_data::message::cdr;

/// Whether this message type was available at build time; `kind` is its full name, such as `std_msgs/msg/Float64`.
pub fn is_known(kind: &str) -> bool {
    r2r::WrappedNativeMsgUntyped::new_from(kind).is_ok()
}

/// What is told of a topic or service, the `place`, whose type was not available at build time.
pub fn unknown(place: impl Display, kind: &str) -> Diagnostic {
    let package = kind.split('/').next().unwrap_or_default();
    Diagnostic::new(place, format!("off, this skidpad was built without {kind}"))
        .hint(format!("install {package}, source it, and build again"))
}

/// The stamp of a message.
pub fn time(message: &Time) -> SimTime {
    SimTime(i64::from(message.sec) * 1_000_000_000 + i64::from(message.nanosec))
}

/// The planar part of a pose: position [m] and yaw [rad].
pub(crate) fn planar_pose(message: &Pose) -> Pose2 {
    let Quaternion { x, y, z, w } = message.orientation;
    let orientation = skidpad_ros_data::message::Quaternion { x, y, z, w };
    Pose2::new(message.position.x, message.position.y, orientation.yaw())
}

/// The planar part of a twist [m/s, rad/s].
pub(crate) fn planar_twist(message: &Twist) -> Twist2 {
    Twist2::new(message.linear.x, message.linear.y, message.angular.z)
}

/// The error for a message whose NULs cannot be replaced.
const UNFIT: r2r::Error = r2r::Error::RCL_RET_INVALID_ARGUMENT;

/// A copy of the message in which every NUL in a text is replaced; none if it has no NUL.
fn fit<T: Serialize + DeserializeOwned>(message: &T) -> r2r::Result<Option<T>> {
    cdr::without_nul(message).map_err(|_| UNFIT)
}

/// Publishes the message, with its NULs replaced.
pub fn publish<T: WrappedTypesupport + 'static>(publisher: &Publisher<T>, message: &T) -> r2r::Result<()> {
    publisher.publish(fit(message)?.as_ref().unwrap_or(message))
}

/// Answers a call with the response, with its NULs replaced.
pub fn respond<S: WrappedServiceTypeSupport + 'static>(
    call: ServiceRequest<S>,
    response: S::Response,
) -> r2r::Result<()> {
    let fitting = fit(&response)?;
    call.respond(fitting.unwrap_or(response))
}

#[cfg(test)]
mod tests {
    use r2r::diagnostic_msgs::msg::{DiagnosticArray, DiagnosticStatus, KeyValue};
    use r2r::sensor_msgs::msg::LaserScan;
    use r2r::std_msgs::msg::String as Text;

    use super::*;

    #[test]
    fn messages_without_nul_are_sent_unchanged() {
        let scan = LaserScan { ranges: vec![f32::INFINITY, f32::NAN, 1.0], ..LaserScan::default() };
        assert!(fit(&scan).unwrap().is_none());
        assert!(fit(&Text { data: "a\n\u{1b}ü".to_owned() }).unwrap().is_none());
    }

    #[test]
    fn nuls_are_replaced_in_every_text_at_any_depth() {
        let value = KeyValue { key: "k\0".to_owned(), value: "v".to_owned() };
        let status =
            DiagnosticStatus { level: 2, message: "\0m\0".to_owned(), values: vec![value], ..Default::default() };
        let array = DiagnosticArray { status: vec![DiagnosticStatus::default(), status], ..Default::default() };
        let fitting = fit(&array).unwrap().unwrap();
        assert_eq!(fitting.status[0], array.status[0]);
        assert_eq!((fitting.status[1].level, fitting.status[1].message.as_str()), (2, "\u{FFFD}m\u{FFFD}"));
        assert_eq!(fitting.status[1].values[0].key, "k\u{FFFD}");
    }

    #[test]
    fn non_finite_numbers_survive_beside_a_replaced_text() {
        let mut scan = LaserScan { ranges: vec![f32::INFINITY], ..LaserScan::default() };
        scan.header.frame_id = "\0".to_owned();
        let fitting = fit(&scan).unwrap().unwrap();
        assert_eq!((fitting.header.frame_id.as_str(), fitting.ranges), ("\u{FFFD}", scan.ranges));
    }
}
