//! Blocks, planes and actors that move, as one topic of transforms.

use std::collections::BTreeMap;

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{Announce, Quality, TFMessage, fill};
use skidpad_sim::world::{Frame, Scene};

use super::MOVING_TOPIC;
use super::options::RecordError;
use super::output::McapOutput;
use super::topic::{RecordTopic, Topics};

/// Poses of everything but vehicles [m, rad]: blocks, planes and actors, in the order of the scene.
pub(super) fn poses(frame: &Frame) -> impl Iterator<Item = Pose3> {
    let actors = frame.actors.iter().map(|actor| actor.world_from_actor);
    frame.blocks.iter().chain(&frame.planes).copied().chain(actors)
}

/// The topic, which is created once something can move or has been displaced. Its first message, and the first of each scene, holds
/// everything that can move; others hold what has moved since the previous one.
pub(super) struct MovingBodyMessages {
    topic: Option<RecordTopic<TFMessage>>,
    /// Frame of the map.
    frame: String,
    bodies: Vec<Body>,
    /// Last pose of the bodies of earlier scenes, by name, and whether it was written: later bodies may have the same name.
    known: BTreeMap<String, (Pose3, bool)>,
    /// Whether the next message holds everything that can move.
    is_new: bool,
    /// Time of the last message [ns].
    last: SimTime,
}

struct Body {
    name: String,
    can_move: bool,
    /// Whether its pose was ever written.
    is_said: bool,
    /// The last pose written, or its pose at the start.
    pose: Pose3,
}

impl MovingBodyMessages {
    pub(super) fn new(scene: &Scene, frame: &str, topics: &mut Topics<'_>) -> Result<MovingBodyMessages, RecordError> {
        let topic = topics.announce(MOVING_TOPIC, Quality::Deferred, TFMessage::default())?;
        let mut moving = MovingBodyMessages {
            topic,
            frame: frame.to_owned(),
            bodies: Vec::new(),
            known: BTreeMap::new(),
            is_new: true,
            last: SimTime::ZERO,
        };
        moving.follow(scene);
        Ok(moving)
    }

    /// Makes the next message hold everything that can move.
    pub(super) fn say_all(&mut self) {
        self.is_new = true;
    }

    /// Applies a scene with other bodies.
    pub(super) fn follow(&mut self, scene: &Scene) {
        // Static bodies may have been moved by a user, and readers remember that pose.
        self.known.extend(self.bodies.drain(..).map(|body| (body.name, (body.pose, body.is_said))));
        let body = |name: &str, can_move, start| {
            let (pose, is_said) = self.known.get(name).copied().unwrap_or((start, false));
            Body { name: name.to_owned(), can_move, is_said, pose }
        };
        self.bodies
            .extend(scene.blocks.iter().map(|block| body(&block.name, !block.is_static, block.world_from_start)));
        self.bodies.extend(scene.planes.iter().map(|plane| body(&plane.name, true, plane.world_from_start)));
        self.bodies.extend(scene.actors.iter().map(|actor| body(&actor.name, true, actor.world_from_start)));
        self.is_new = true;
    }

    /// Writes the bodies that have moved.
    pub(super) fn write(&mut self, output: &mut McapOutput, time: SimTime, poses: &[Pose3]) -> Result<(), RecordError> {
        let Some(topic) = &mut self.topic else { return Ok(()) };
        // After time was set back, all poses are written again.
        let is_all = std::mem::take(&mut self.is_new) || time < self.last;
        self.last = time;
        let transforms = &mut topic.message.transforms;
        transforms.clear();
        for (body, pose) in self.bodies.iter_mut().zip(poses) {
            if body.pose != *pose || (is_all && body.can_move) {
                (body.pose, body.is_said) = (*pose, true);
                transforms.push(fill::transform(time, &self.frame, &body.name, *pose));
            }
        }
        if transforms.is_empty() { Ok(()) } else { topic.send(output, time) }
    }
}
