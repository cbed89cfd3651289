//! Transforms on their topics: below a vehicle's name, or on those of the tree that holds all vehicles, which therefore have one
//! publisher for all. Of a latched topic a late reader gets only the last message, so that one message holds everything.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::TransformStamped;
use r2r::tf2_msgs::msg::TFMessage;

use super::convert;
use super::error::RosError;
use super::publish::{Announcer, Topic};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::topics::{LATCHED_QOS, TF_QOS};
use crate::interface::names::{TfTopics, VehicleNames};
use crate::interface::rules;
use crate::preset::{Moving, Switch};
use crate::world::EntityId;

/// The publishers of one tree's transforms.
pub struct TransformPublishers {
    moving: Topic<TFMessage>,
    fixed: Topic<TFMessage>,
    members: Vec<Member>,
    /// Which message of which member is in the message that is being sent.
    lent: Vec<(usize, usize)>,
    /// Whether what never moves has to be published anew.
    is_stale: bool,
}

/// A vehicle whose transforms are in the tree.
struct Member {
    id: EntityId,
    /// Its index in the scene.
    vehicle: usize,
    names: VehicleNames,
    /// Its transforms that move, with their messages, which are kept: making one calls into C.
    moving: Vec<(&'static Moving, Option<TransformStamped>)>,
}

impl TransformPublishers {
    /// Announces the topics; nobody's transforms are on them yet.
    pub fn new(on: &mut Announcer<'_>, TfTopics([moving, fixed]): &TfTopics) -> Result<TransformPublishers, RosError> {
        Ok(TransformPublishers {
            moving: on.topic(moving, TF_QOS, TFMessage::default())?,
            fixed: on.topic(fixed, LATCHED_QOS, TFMessage::default())?,
            members: Vec::new(),
            lent: Vec::new(),
            is_stale: true,
        })
    }

    /// Takes the transforms of the vehicles that the stage has on `topics`.
    pub fn follow(&mut self, topics: &TfTopics, stage: &Stage) {
        let before: Vec<EntityId> = self.members.iter().map(|member| member.id).collect();
        let routes = stage.on_graph().flat_map(|(vehicle, info, own)| {
            own.tf.iter().filter(|(on, _)| on == topics).map(move |(_, names)| (vehicle, info.id, names))
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

    /// Publishes what never moves, if that is new.
    pub fn publish_fixed(&mut self, stamp: &Time, stage: &Stage) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let transforms = self.members.iter().filter_map(|member| {
            let vehicle = stage.scene.vehicles.get(member.vehicle)?;
            Some(convert::static_transforms(stamp, vehicle, &member.names))
        });
        self.fixed.message.transforms = transforms.flatten().collect();
        self.fixed.publish();
    }

    /// Publishes what moves of the vehicles whose transforms are due.
    pub fn publish(&mut self, stamp: &Time, snapshot: &Snapshot) {
        let [tf, map_to_odom] = snapshot.transforms;
        let message = &mut self.moving.message.transforms;
        let ahead = convert::stamp(snapshot.time + snapshot.map_to_odom_ahead);
        for (index, member) in self.members.iter_mut().enumerate() {
            let Some(vehicle) = snapshot.vehicles.get(member.vehicle) else { continue };
            if !(snapshot.moved || vehicle.senses) {
                continue;
            }
            for (place, (moving, kept)) in member.moving.iter_mut().enumerate() {
                let (wanted, stamp) = match moving.switch {
                    Switch::Tf => (tf, stamp),
                    Switch::MapToOdom => (map_to_odom, &ahead),
                };
                if wanted && let Some(mut transform) = kept.take() {
                    convert::write_transform(stamp, rules::moving_pose(moving.pose, &vehicle.frame), &mut transform);
                    message.push(transform);
                    self.lent.push((index, place));
                }
            }
        }
        if self.lent.is_empty() {
            return;
        }
        self.moving.publish();
        for ((member, place), transform) in self.lent.drain(..).zip(self.moving.message.transforms.drain(..)) {
            self.members[member].moving[place].1 = Some(transform);
        }
    }
}

impl Member {
    fn new(id: EntityId, vehicle: usize, names: VehicleNames) -> Member {
        let message = |moving: &'static Moving| {
            let [parent, child] = [moving.parent, moving.child].map(|frame| names.frame(frame));
            (moving, Some(convert::new_transform(&parent, &child)))
        };
        let moving = names.preset.frames.moving.iter().map(message).collect();
        Member { id, vehicle, names, moving }
    }
}
