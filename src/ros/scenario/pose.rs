//! Poses for the nodes beside the simulation, and initial poses.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use r2r::geometry_msgs::msg::PoseWithCovarianceStamped;
use r2r::{Node, Publisher, QosProfile};
use serde_json::{Value, json};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Pose2;
use skidpad_math::time::SimTime;
use skidpad_scenario::outside::Heard;

use super::Names;
use super::absence::Waiting;
use crate::typed_messages;

/// The topic of initial poses, in the namespace of a vehicle.
pub(super) const TOPIC: &str = "initialpose";

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

/// Initial poses: their publishers by topic, and those that wait for somebody who listens.
#[derive(Default)]
pub(super) struct InitialPoses {
    publishers: BTreeMap<String, Publisher<PoseWithCovarianceStamped>>,
    waiting: Vec<(Waiting, String, PoseWithCovarianceStamped)>,
}

impl InitialPoses {
    /// Makes the publisher for a vehicle.
    ///
    /// # Errors
    /// The middleware refuses it.
    pub(super) fn prepare(&mut self, node: &mut Node, names: &Names, vehicle: &str) -> Result<(), Diagnostic> {
        if let Entry::Vacant(entry) = self.publishers.entry(names.full(vehicle, TOPIC)) {
            let publisher = node.create_publisher(entry.key(), QosProfile::default()).map_err(|cause| {
                Diagnostic::new(format!("topic \"{}\"", entry.key()), format!("cannot publish: {cause}"))
            })?;
            entry.insert(publisher);
        }
        Ok(())
    }

    /// Publishes a pose in the frame of the map on this topic as soon as somebody listens, with variances of x, y [m²] and yaw [rad²].
    ///
    /// # Errors
    /// It is no message.
    pub(super) fn publish(
        &mut self,
        (topic, map_frame): (String, &str),
        now: SimTime,
        (pose, variances): (Pose2, [f64; 3]),
        waiting: Waiting,
        heard: &mut Vec<Heard>,
    ) -> Result<(), Diagnostic> {
        let mut covariance = vec![0.0; 36];
        (covariance[0], covariance[7], covariance[35]) = (variances[0], variances[1], variances[2]);
        let content = json!({
            "header": {"stamp": stamp_json(now), "frame_id": map_frame},
            "pose": {"pose": pose_json(pose), "covariance": covariance},
        });
        let message = serde_json::from_value(content)
            .map_err(|cause| Diagnostic::new(format!("topic \"{topic}\""), cause.to_string()))?;
        // A newer one takes the place of one that nobody has heard.
        self.waiting.retain(|(waiting, other, _)| {
            if *other == topic {
                waiting.is_over(heard);
            }
            *other != topic
        });
        self.waiting.push((waiting, topic, message));
        Ok(())
    }

    /// Publishes those to which somebody listens now.
    pub(super) fn turn(&mut self, node: &Node, heard: &mut Vec<Heard>) {
        let publishers = &self.publishers;
        self.waiting.retain_mut(|(waiting, topic, message)| {
            let Some(publisher) = publishers.get(topic) else { return false };
            if !publisher.get_inter_process_subscription_count().is_ok_and(|count| count > 0) {
                waiting.goes_on(node, heard);
                return true;
            }
            waiting.is_over(heard);
            if let Err(cause) = typed_messages::publish(publisher, message) {
                heard.push(waiting.refused(Diagnostic::new(format!("topic \"{topic}\""), cause.to_string())));
            }
            false
        });
    }
}
