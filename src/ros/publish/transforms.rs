//! The publishers of transforms: on topics below a vehicle's name, or on those of the tree of all vehicles, which share one publisher.
//! Late readers of a latched topic receive only the last message, so that one message holds all static transforms.

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::{TfTopics, VehicleNames};
use skidpad_ros_data::interface::rules::MovingFrame;
use skidpad_ros_data::message::{Quality, TFMessage, TransformStamped, fill};
use skidpad_ros_data::preset::Switch;
use skidpad_sim::world::EntityId;

use super::publisher::{Announcer, RosTopic};
use super::snapshot::PublishSnapshot;
use crate::error::RosError;
use crate::graph::topic_layout::TopicLayout;

/// The publishers of one tree's transforms.
pub(crate) struct TransformPublishers {
    moving: RosTopic<TFMessage>,
    fixed: RosTopic<TFMessage>,
    members: Vec<Member>,
    /// Whether the static transforms have to be published again.
    is_stale: bool,
}

/// A vehicle whose transforms are in the tree.
struct Member {
    id: EntityId,
    /// Its index in the scene.
    vehicle: usize,
    names: VehicleNames,
    /// Its transforms that move.
    moving: Vec<(MovingFrame, TransformStamped)>,
}

impl TransformPublishers {
    /// Announces the topics, still without transforms of any vehicle.
    pub fn new(
        announcer: &mut Announcer<'_>,
        TfTopics([moving, fixed]): &TfTopics,
    ) -> Result<TransformPublishers, RosError> {
        Ok(TransformPublishers {
            moving: announcer.topic(moving, Quality::Transforms, TFMessage::default())?,
            fixed: announcer.topic(fixed, Quality::Latched, TFMessage::default())?,
            members: Vec::new(),
            is_stale: true,
        })
    }

    /// Publishes the transforms of those vehicles of the layout that have them on `topics`.
    pub fn follow(&mut self, topics: &TfTopics, layout: &TopicLayout) {
        let before: Vec<EntityId> = self.members.iter().map(|member| member.id).collect();
        let routes = layout.on_graph().flat_map(|(vehicle, info, vehicle_topics)| {
            let matching_routes = vehicle_topics.tf.iter().filter(|(routed, _)| routed == topics);
            matching_routes.map(move |(_, names)| (vehicle, info.id, names))
        });
        let mut kept = std::mem::take(&mut self.members);
        for (vehicle, id, names) in routes {
            let member = match kept.iter().position(|member| member.id == id) {
                Some(place) => Member { vehicle, ..kept.swap_remove(place) },
                None => Member::new(id, vehicle, names.clone()),
            };
            self.members.push(member);
        }
        self.is_stale |= self.members.iter().map(|member| member.id).ne(before);
    }

    /// Publishes the static transforms if they have changed.
    pub(crate) fn publish_fixed(&mut self, time: SimTime, layout: &TopicLayout) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let transforms = self.members.iter().filter_map(|member| {
            let vehicle = layout.scene.vehicles.get(member.vehicle)?;
            Some(fill::fixed_transforms(time, vehicle, &member.names))
        });
        self.fixed.message.transforms = transforms.flatten().collect();
        self.fixed.publish();
    }

    /// Publishes the moving transforms of the vehicles for which they are due.
    pub fn publish(&mut self, snapshot: &PublishSnapshot) {
        let settings = &snapshot.settings;
        let message = &mut self.moving.message.transforms;
        message.clear();
        for member in &mut self.members {
            let Some(vehicle) = snapshot.vehicles.get(member.vehicle) else { continue };
            if !(snapshot.has_transforms || vehicle.senses) {
                continue;
            }
            for (moving, transform) in &mut member.moving {
                let (wanted, time) = match moving.switch {
                    Switch::Tf => (settings.publish_tf, snapshot.time),
                    Switch::MapToOdom => (settings.publish_map_to_odom, snapshot.time + settings.map_to_odom_offset),
                };
                if wanted {
                    fill::fill_transform(time, moving.pose(&vehicle.frame), transform);
                    message.push(transform.clone());
                }
            }
        }
        if !message.is_empty() {
            self.moving.publish();
        }
    }
}

impl Member {
    fn new(id: EntityId, vehicle: usize, names: VehicleNames) -> Member {
        Member { id, vehicle, moving: fill::moving_transforms(&names).collect(), names }
    }
}
