//! Poses for the nodes beside the simulation, and initial poses.

use std::collections::BTreeMap;

use r2r::geometry_msgs::msg::PoseWithCovarianceStamped;
use r2r::{Node, Publisher, QosProfile};
use serde_json::{Value, json};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Pose2;
use skidpad_math::time::SimTime;

use super::Names;
use crate::typed_messages;

/// The topic of initial poses, in the namespace of a vehicle.
const TOPIC: &str = "initialpose";

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

/// The publishers of initial poses, by topic.
#[derive(Default)]
pub(super) struct InitialPoses(BTreeMap<String, Publisher<PoseWithCovarianceStamped>>);

impl InitialPoses {
    /// Makes the publisher for a vehicle.
    ///
    /// # Errors
    /// The middleware refuses it.
    pub(super) fn prepare(&mut self, node: &mut Node, names: &Names, vehicle: &str) -> Result<(), Diagnostic> {
        let topic = names.full(vehicle, TOPIC);
        if !self.0.contains_key(&topic) {
            // Whoever comes later hears the last one, too.
            let publisher = node
                .create_publisher(&topic, QosProfile::default().transient_local())
                .map_err(|cause| Diagnostic::new(format!("topic \"{topic}\""), format!("cannot publish: {cause}")))?;
            self.0.insert(topic, publisher);
        }
        Ok(())
    }

    /// Publishes a pose in the map, with variances of x, y [m²] and yaw [rad²].
    pub(super) fn publish(
        &self,
        (names, vehicle): (&Names, &str),
        now: SimTime,
        pose: Pose2,
        variances: [f64; 3],
    ) -> Result<(), Diagnostic> {
        let topic = names.full(vehicle, TOPIC);
        let failed = |what: String| Diagnostic::new(format!("topic \"{topic}\""), what);
        let publisher = self.0.get(&topic).ok_or_else(|| failed("no publisher".to_owned()))?;
        let mut covariance = vec![0.0; 36];
        (covariance[0], covariance[7], covariance[35]) = (variances[0], variances[1], variances[2]);
        let content = json!({
            "header": {"stamp": stamp_json(now), "frame_id": names.map_frame},
            "pose": {"pose": pose_json(pose), "covariance": covariance},
        });
        let message = serde_json::from_value(content).map_err(|cause| failed(cause.to_string()))?;
        typed_messages::publish(publisher, &message).map_err(|cause| failed(cause.to_string()))
    }
}
