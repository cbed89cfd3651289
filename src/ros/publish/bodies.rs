//! The topics of all bodies: when those of [`BodyMessages`] are published.

use std::sync::atomic::Ordering;

use skidpad_ros_data::message::{BODY_TOPICS, BodyMessages};

use super::outputs::NodeOutput;
use super::publisher::{Announcer, Publisher};
use super::snapshot::{PublishSnapshot, SharedLatest};
use crate::error::RosError;
use crate::typed_messages::is_known;

/// The topics of all bodies.
pub(crate) struct WorldBodies {
    messages: BodyMessages<Publisher>,
    latest: SharedLatest,
}

impl WorldBodies {
    /// Announces the topics, with poses in `frame`, that of the map. Without `vision_msgs` at build time there are no detections. `latest`
    /// tells the simulation thread whether something listens.
    pub fn new(announcer: &mut Announcer<'_>, frame: &str, latest: SharedLatest) -> Result<WorldBodies, RosError> {
        let [_, (_, detections)] = BODY_TOPICS;
        let messages = BodyMessages::new(announcer, frame, is_known(detections))?;
        Ok(WorldBodies { messages, latest })
    }
}

impl NodeOutput for WorldBodies {
    fn publish(&mut self, snapshot: &PublishSnapshot) {
        self.latest.has_body_listeners.store(self.messages.has_receivers(), Ordering::Relaxed);
        if let (true, Some(layout)) = (snapshot.has_bodies, &snapshot.layout) {
            let Ok(()) = self.messages.send(&mut (), snapshot.time, &layout.scene, &snapshot.bodies);
        }
    }
}
