//! The truth about all bodies of the world, for trackers and evaluations: vehicles, blocks and actors with their poses, boxes and velocities.
//!
//! | topic | message | what it lacks |
//! |---|---|---|
//! | `bodies` | `skidpad/Bodies` | |
//! | `body_detections` | `vision_msgs/Detection3DArray`, where that package was there at build time | velocities |

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_sim::world::{EntityRef, EntityVelocity, Frame, Scene};

use super::vision::{BoundingBox3D, Detection3D, Detection3DArray, certain};
use super::{Announce, Bodies, Body, ErrorOf, Message, Quality, TopicChannel, TopicWriter, Twist, Vector3, fill};

/// Names and types of the topics.
pub const BODY_TOPICS: [(&str, &str); 2] = [("bodies", Bodies::TYPE), ("body_detections", Detection3DArray::TYPE)];

/// Pose in the world [m, rad] and velocity of each entity, in the order of [`Scene::entities`].
#[derive(Debug, Default)]
pub struct BodySnapshot(Vec<(Pose3, EntityVelocity)>);

impl BodySnapshot {
    /// Copies the states of a frame into the existing buffer.
    pub fn copy_from(&mut self, scene: &Scene, frame: &Frame) {
        self.0.clear();
        self.0.extend(scene.entities().map(|entity| (frame.pose_of(entity), frame.velocity_of(entity))));
    }
}

/// The topics of the bodies.
pub struct BodyMessages<C> {
    bodies: Option<TopicWriter<C, Bodies>>,
    detections: Option<TopicWriter<C, Detection3DArray>>,
    scene: Option<Arc<Scene>>,
    /// Middle [m] of the box of each body, in the frame of the body.
    middles: Vec<Vec3>,
}

impl<C: TopicChannel> BodyMessages<C> {
    /// Announces the topics, with poses in `frame`, that of the map; `has_vision`: whether there is `vision_msgs`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        frame: &str,
        has_vision: bool,
    ) -> Result<BodyMessages<C>, A::Error> {
        let header = fill::header(SimTime::ZERO, frame);
        let [(bodies, _), (detections, _)] = BODY_TOPICS;
        Ok(BodyMessages {
            bodies: on.announce(bodies, Quality::Data, Bodies { header: header.clone(), bodies: Vec::new() })?,
            detections: match has_vision {
                true => on.announce(detections, Quality::Data, Detection3DArray { header, detections: Vec::new() })?,
                false => None,
            },
            scene: None,
            middles: Vec::new(),
        })
    }

    /// Whether something receives one of the topics.
    pub fn has_receivers(&self) -> bool {
        self.bodies.as_ref().is_some_and(|topic| topic.channel.has_receivers())
            || self.detections.as_ref().is_some_and(|topic| topic.channel.has_receivers())
    }

    /// Sends the states of all bodies of a scene.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(
        &mut self,
        output: &mut C::Output,
        time: SimTime,
        scene: &Arc<Scene>,
        states: &BodySnapshot,
    ) -> Result<(), ErrorOf<C>> {
        if !self.scene.as_ref().is_some_and(|known| Arc::ptr_eq(known, scene)) {
            self.follow(scene);
        }
        if let Some(topic) = self.bodies.as_mut().filter(|topic| topic.channel.has_receivers()) {
            topic.message.header.stamp = fill::stamp(time);
            for (body, (pose, velocity)) in topic.message.bodies.iter_mut().zip(&states.0) {
                body.pose = fill::pose(*pose);
                body.twist = twist(velocity);
            }
            topic.send(output, time)?;
        }
        if let Some(topic) = self.detections.as_mut().filter(|topic| topic.channel.has_receivers()) {
            topic.message.header.stamp = fill::stamp(time);
            let detections = topic.message.detections.iter_mut().zip(&self.middles);
            for ((detection, middle), (pose, _)) in detections.zip(&states.0) {
                detection.header.stamp = topic.message.header.stamp;
                let of_middle = Pose3 { x: middle.x, y: middle.y, z: middle.z, ..Pose3::default() };
                detection.bbox.center = fill::pose(*pose * of_middle);
                detection.results.iter_mut().for_each(|result| result.pose.pose = fill::pose(*pose));
            }
            topic.send(output, time)?;
        }
        Ok(())
    }

    /// Writes the constant parts of the messages: names, classes and boxes.
    fn follow(&mut self, scene: &Arc<Scene>) {
        let boxes: Vec<(EntityRef, [Vec3; 2])> =
            scene.entities().map(|entity| (entity, scene.bounds_of(entity).unwrap_or_default())).collect();
        self.middles = boxes.iter().map(|(_, [low, high])| 0.5 * (low + high)).collect();
        if let Some(topic) = &mut self.bodies {
            let bodies = boxes.iter().zip(&self.middles).map(|((entity, [low, high]), middle)| Body {
                name: scene.entity_name(*entity).to_owned(),
                class_name: scene.entity_label(*entity).class.clone(),
                kind: kind(*entity),
                is_static: scene.is_static(*entity),
                box_center: vector(*middle),
                box_size: vector(high - low),
                ..Body::default()
            });
            topic.message.bodies = bodies.collect();
        }
        if let Some(topic) = &mut self.detections {
            let header = topic.message.header.clone();
            let detections = boxes.iter().map(|(entity, [low, high])| Detection3D {
                header: header.clone(),
                results: vec![certain(&scene.entity_label(*entity).class, fill::pose(Pose3::default()))],
                bbox: BoundingBox3D { size: vector(high - low), ..BoundingBox3D::default() },
                id: scene.entity_name(*entity).to_owned(),
            });
            topic.message.detections = detections.collect();
        }
        self.scene = Some(Arc::clone(scene));
    }
}

/// The constant of `skidpad/Body` for what an entity is.
fn kind(entity: EntityRef) -> u8 {
    match entity {
        EntityRef::Vehicle(_) => Body::VEHICLE,
        EntityRef::Block(_) => Body::BLOCK,
        EntityRef::Actor(_) => Body::ACTOR,
    }
}

fn twist(velocity: &EntityVelocity) -> Twist {
    Twist { linear: vector(velocity.linear), angular: Vector3 { x: 0.0, y: 0.0, z: velocity.yaw_rate } }
}

fn vector(v: Vec3) -> Vector3 {
    Vector3 { x: v.x, y: v.y, z: v.z }
}
