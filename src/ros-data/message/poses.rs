//! The topics of one `<publish>` of the world.

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;

use super::{Announce, ErrorOf, PoseStamped, Quality, TopicChannel, TopicWriter, TransformStamped, fill};
use crate::interface::poses::{PosePublication, PoseSnapshot};

/// The topics of one `<publish>`.
pub struct PoseMessages<C> {
    pose: Option<TopicWriter<C, PoseStamped>>,
    relative: Option<TopicWriter<C, TransformStamped>>,
    /// The names of the other bodies.
    other_names: Vec<String>,
}

impl<C: TopicChannel> PoseMessages<C> {
    /// Announces the topics of the publication, with poses in the frame `map`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        publication: &PosePublication,
        map: &str,
    ) -> Result<PoseMessages<C>, A::Error> {
        let pose = fill::stamped_pose(map);
        let relative = fill::transform(SimTime::ZERO, &publication.name, "", Pose3::default());
        Ok(PoseMessages {
            pose: match &publication.pose_topic {
                Some(name) => on.announce(name, Quality::Data, pose)?,
                None => None,
            },
            relative: match &publication.relative_topic {
                Some(name) => on.announce(name, Quality::Data, relative)?,
                None => None,
            },
            other_names: publication.other_bodies.iter().map(|(_, name)| name.clone()).collect(),
        })
    }

    /// Sends the poses.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, time: SimTime, poses: &PoseSnapshot) -> Result<(), ErrorOf<C>> {
        if let Some(topic) = &mut self.pose {
            fill::fill_stamped_pose(time, poses.world_from_body, &mut topic.message);
            topic.send(output, time)?;
        }
        if let Some(topic) = &mut self.relative {
            for (name, pose) in self.other_names.iter().zip(&poses.body_from_others) {
                topic.message.child_frame_id.clone_from(name);
                fill::fill_transform(time, *pose, &mut topic.message);
                topic.send(output, time)?;
            }
        }
        Ok(())
    }
}
