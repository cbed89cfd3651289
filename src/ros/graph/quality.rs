//! The qualities of service (QoS) with which topics are published and subscribed to.

use r2r::QosProfile;
use skidpad_ros_data::message::Quality;

/// Subscription of simulated time: best-effort readers match reliable and best-effort publishers.
pub(crate) const CLOCK_INPUT_QOS: QosProfile = QosProfile::default().keep_last(1).best_effort();
/// Subscriptions of nodes, to reliable and best-effort publishers; deep enough for the messages between two updates.
pub(crate) const INPUT_QOS: QosProfile = QosProfile::default().keep_last(10).best_effort();
/// Odometry, sensors and states: reliable, so that both reliable and best-effort readers match.
pub(crate) const DATA_QOS: QosProfile = qos(Quality::Data);
/// The quality that tf2 listeners ask for.
pub(crate) const TF_QOS: QosProfile = qos(Quality::Transforms);
/// Commands: the quality with which nav2 and teleoperation publish.
pub(crate) const COMMAND_QOS: QosProfile = QosProfile::default().keep_last(10);

/// Converts a quality of service to the type of the client library.
pub(crate) const fn qos(quality: Quality) -> QosProfile {
    let profile = QosProfile::default().keep_last(quality.depth());
    if quality.is_latched() { profile.transient_local() } else { profile }
}
