//! The topics of one `<publish>` of the world.

use super::{Announce, Channel, ErrorOf, PoseStamped, Quality, Topic, TransformStamped, fill};
use crate::interface::names::MAP_FRAME;
use crate::interface::poses::{PoseSnapshot, PoseWish};
use crate::math::Pose3;
use crate::time::SimTime;

/// The topics of one `<publish>`.
pub struct PoseMessages<C> {
    pose: Option<Topic<C, PoseStamped>>,
    relative: Option<Topic<C, TransformStamped>>,
    /// The names of the other bodies.
    others: Vec<String>,
}

impl<C: Channel> PoseMessages<C> {
    /// Announces the topics of the wish.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(on: &mut A, wish: &PoseWish) -> Result<PoseMessages<C>, A::Error> {
        let pose = PoseStamped { header: fill::header(SimTime::ZERO, MAP_FRAME), ..PoseStamped::default() };
        let relative = fill::transform(SimTime::ZERO, &wish.name, "", Pose3::default());
        Ok(PoseMessages {
            pose: match &wish.pose_topic {
                Some(name) => on.announce(name, Quality::Data, pose)?,
                None => None,
            },
            relative: match &wish.relative_topic {
                Some(name) => on.announce(name, Quality::Data, relative)?,
                None => None,
            },
            others: wish.others.iter().map(|(_, name)| name.clone()).collect(),
        })
    }

    /// Sends the poses.
    ///
    /// # Errors
    /// As [`Channel::send`].
    pub fn send(&mut self, output: &mut C::Output, time: SimTime, poses: &PoseSnapshot) -> Result<(), ErrorOf<C>> {
        if let Some(topic) = &mut self.pose {
            topic.message.header.stamp = fill::stamp(time);
            topic.message.pose = fill::pose(poses.world_from_body);
            topic.send(output, time)?;
        }
        if let Some(topic) = &mut self.relative {
            for (name, pose) in self.others.iter().zip(&poses.body_from_others) {
                topic.message.child_frame_id.clone_from(name);
                fill::fill_transform(time, *pose, &mut topic.message);
                topic.send(output, time)?;
            }
        }
        Ok(())
    }
}
