//! Publishing and responding with NUL characters replaced, since ROS strings end at their first NUL.
//!
//! The client library panics on a NUL within a text while it holds a lock, which stops the whole node. Texts may quote files and other
//! nodes, so any of them may contain one. This is for messages of the client library's own types; those of [`crate::message`] are
//! written without NULs.

use r2r::{Publisher, ServiceRequest, WrappedServiceTypeSupport, WrappedTypesupport};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::message::cdr;

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
