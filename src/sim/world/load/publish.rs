//! `<publish>`: the pose of a body as a topic of its own, in addition to the topics of every vehicle.
//!
//! ```xml
//! <publish enabled="true">                                 false: no topic for the body's own pose
//!   <publish_pose_topic>/${NAME}/pose</publish_pose_topic>  ROS topic, geometry_msgs/PoseStamped in the frame of the map
//!   <publish_pose_period>0.1</publish_pose_period>          simulated time between poses [s], ≥ 1e-3
//!   <publish_relative_pose_topic>/${NAME}/others</publish_relative_pose_topic>
//!   <publish_relative_pose_objects>r2, crate</publish_relative_pose_objects>   names, separated by commas or blanks
//! </publish>
//! ```
//! The last two are given together: the topic publishes the poses of the named bodies relative to this one, each a
//! geometry_msgs/TransformStamped. MVSim publishes the same on its own network, in wall time and with z = 0.

use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::Builder;
use crate::world::Publish;

/// Reads the `<publish>` of an element. None without a topic.
pub(super) fn read_publish(reader: &Reader<'_>) -> Option<Publish> {
    let tag = reader.child("publish")?;
    let enabled = tag.attribute_bool("enabled", true);
    let pose_topic = tag.text("publish_pose_topic").filter(|_| enabled).unwrap_or_default();
    let period = SimTime::from_secs(tag.f64("publish_pose_period", 0.1, Accept::range(1e-3, 1e6)));
    let relative_topic = tag.text("publish_relative_pose_topic").unwrap_or_default();
    let objects = tag.text("publish_relative_pose_objects").unwrap_or_default();
    let relative_objects: Vec<String> = objects
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|name| !name.is_empty())
        .map(str::to_string)
        .collect();
    if relative_topic.is_empty() != relative_objects.is_empty() {
        let other =
            if relative_topic.is_empty() { "publish_relative_pose_topic" } else { "publish_relative_pose_objects" };
        tag.missing(&format!("<{other}>")).hint("give both the topic and its objects");
    }
    let place = tag.place().clone();
    tag.finish();
    if pose_topic.is_empty() && relative_topic.is_empty() {
        return None;
    }
    Some(Publish { pose_topic, period, relative_topic, relative_objects, place })
}

impl Builder<'_> {
    /// Warns of names in `<publish>` that no body has, and of poses that are asked for more often than there are any.
    pub(super) fn check_publishes(&self) {
        let step = self.step();
        let blocks = self.blocks.iter().filter_map(|block| block.info.publish.as_ref());
        for publish in self.vehicles.iter().filter_map(|vehicle| vehicle.info.publish.as_ref()).chain(blocks) {
            if publish.period < step {
                let (period, step) = (publish.period.secs(), step.secs());
                let rate = 1.0 / step;
                self.context
                    .warn(
                        &publish.place,
                        format!(
                            "<publish_pose_period> {period} s is below the step of {step} s: a pose is published at every step, {rate} times a second"
                        ),
                    )
                    .accepted([format!("at least {step} s")])
                    .hint("a smaller <simul_timestep>");
            }
            for name in publish.relative_objects.iter().filter(|name| self.names.body(name).is_none()) {
                let bodies = self.vehicles.iter().map(|v| v.info.name.clone());
                let bodies = bodies.chain(self.blocks.iter().map(|b| b.info.name.clone()));
                self.context
                    .warn(
                        &publish.place,
                        format!("<publish_relative_pose_objects> names \"{name}\", which does not exist"),
                    )
                    .one_of(name, bodies.take(20));
            }
        }
    }
}
