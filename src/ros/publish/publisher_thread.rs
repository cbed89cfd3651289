//! The publisher thread: turns snapshots into messages and passes them to the middleware: transforms first, then `/clock`, then the data of
//! that instant. So a transform at the time of the newest clock, or of the newest data, can always be looked up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::TfTopics;
use skidpad_ros_data::message::{Clock, LabelMessages, MapMessages, PoseMessages, Quality, fill};
use skidpad_run::guard::Guard;
use skidpad_sim::world::EntityId;

use super::outputs::NodeOutput;
use super::publisher::{Announcer, Publisher, RosTopic};
use super::queue::Queue;
use super::snapshot::PublishSnapshot;
use super::transforms::TransformPublishers;
use super::vehicle::VehiclePublishers;
use super::wall_stamps::SharedStamps;
use crate::error::RosError;
use crate::graph::neighbours::Neighbours;
use crate::graph::topic_layout::{PublisherGroup, TopicLayout, pose_key};
use crate::graph::topics::CLOCK_TOPIC;
use crate::throttle::Throttle;

/// How often the subscribers of the clock are counted.
const SUBSCRIBERS_PERIOD: Duration = Duration::from_millis(100);

/// The warning where a node waits for simulated time beside stamps of the wall clock.
const WITHOUT_CLOCK: &str = "topic \"/clock\": a node subscribes to it, but stamps:=wall publishes none\n  accepted: nodes with use_sim_time:=false\n  \
                             hint: nodes with use_sim_time:=true would wait for ever";

/// The publishers of a group, of the same variant as its `PublisherGroup`.
pub(crate) enum GroupPublishers {
    /// The publishers of a map.
    Map(Box<MapMessages<Publisher>>),
    /// The publisher of the table of labels.
    Labels(Box<LabelMessages<Publisher>>),
    /// The publishers of transforms.
    Transforms(Box<TransformPublishers>),
    /// The publishers of a vehicle.
    Vehicle(Box<VehiclePublishers>),
    /// The publishers of one `<publish>`.
    Poses(Box<PoseMessages<Publisher>>),
}

/// A group that has been created, for the publisher thread.
pub(crate) type CreatedGroup = (PublisherGroup, GroupPublishers);

/// A request of the publisher thread to the thread that owns the node.
pub(crate) enum Job {
    /// Create the publishers of this layout that are missing.
    Follow(Arc<TopicLayout>),
    /// Destroy these publishers: nothing more is published on them.
    Retire(PublisherGroup),
}

/// All publishers of the node.
pub(crate) struct Publishers {
    clock: RosTopic<Clock>,
    /// Whether the warning of a node that waits for a clock that is not published has been given.
    has_warned_of_clock: bool,
    /// The stamps in place of those of simulated time.
    stamps: Option<SharedStamps>,
    clock_limit: ClockLimit,
    /// Whether any node listens to the clock, and the throttle of that check.
    is_followed: (Arc<AtomicBool>, Throttle),
    /// Whether those who seem to listen may have vanished; watched where the clock goes on for them at the end.
    neighbours: Option<Neighbours>,
    layout: Arc<TopicLayout>,
    groups: BTreeMap<PublisherGroup, GroupPublishers>,
    /// The groups of the layout's `<publish>` entries.
    pose_groups: Vec<PublisherGroup>,
    outputs: Vec<Box<dyn NodeOutput>>,
    created: mpsc::Receiver<CreatedGroup>,
    jobs: mpsc::Sender<Job>,
}

impl Publishers {
    /// Publishes the clock, `outputs`, and the groups that arrive on `created`. `jobs` requests the groups of each new layout; those of
    /// `layout` are created without a request. Messages of `announcer` have `stamps` in place of those of simulated time, if there are any;
    /// then no clock is published.
    pub fn new(
        announcer: &mut Announcer<'_>,
        layout: &Arc<TopicLayout>,
        outputs: Vec<Box<dyn NodeOutput>>,
        stamps: Option<SharedStamps>,
        created: mpsc::Receiver<CreatedGroup>,
        jobs: mpsc::Sender<Job>,
    ) -> Result<Publishers, RosError> {
        Ok(Publishers {
            clock: announcer.topic(CLOCK_TOPIC, Quality::Data, Clock::default())?,
            has_warned_of_clock: false,
            stamps,
            clock_limit: ClockLimit::default(),
            is_followed: (Arc::default(), Throttle::new(SUBSCRIBERS_PERIOD)),
            neighbours: None,
            layout: layout.clone(),
            groups: BTreeMap::new(),
            pose_groups: pose_groups(layout),
            outputs,
            created,
            jobs,
        })
    }

    /// The same, whose clock those no longer follow who have vanished without leaving the graph.
    pub(crate) fn with_neighbours(self, neighbours: Option<Neighbours>) -> Publishers {
        Publishers { neighbours, ..self }
    }

    /// Whether any other node subscribes to the clock, kept up to date as long as the clock is published.
    pub fn is_followed(&self) -> Arc<AtomicBool> {
        self.is_followed.0.clone()
    }

    /// Publishes the snapshots from `queue` until it is closed. However this ends, the queue is closed afterwards.
    pub fn run(mut self, queue: &Queue<PublishSnapshot>) {
        let _close = CloseOnDrop(queue);
        let mut lost = 0;
        let mut complaint = Throttle::new(Duration::from_secs(5));
        let guard = Guard::new("publishing");
        while let Some(snapshot) = queue.pop() {
            guard.run(|| self.publish(&snapshot));
            queue.recycle(snapshot);
            let dropped = queue.dropped();
            if dropped > lost && complaint.is_due(Instant::now()) {
                tracing::warn!("publishing does not keep up: {} instants skipped", dropped - lost);
                lost = dropped;
            }
        }
    }

    fn publish(&mut self, snapshot: &PublishSnapshot) {
        if let Some(layout) = snapshot.layout.as_ref().filter(|layout| !Arc::ptr_eq(layout, &self.layout)) {
            self.follow(layout);
        }
        self.take_created();
        let time = snapshot.time;
        if let Some(stamps) = &self.stamps {
            stamps.set(snapshot.stamps);
            if !self.has_warned_of_clock
                && self.is_followed.1.is_due(Instant::now())
                && self.clock.channel.has_subscribers()
            {
                self.has_warned_of_clock = true;
                tracing::warn!("{WITHOUT_CLOCK}");
            }
        }
        let clock = snapshot.clock && self.clock_limit.allows(snapshot.may_wait, Instant::now());
        let has_begun = snapshot.has_begun;
        if has_begun && snapshot.settings.publish_static_tf {
            for (_, transforms) in transforms_in(&mut self.groups) {
                transforms.publish_fixed(time, &self.layout);
            }
        }
        // Transforms of a skipped clock would be of no use.
        if clock || !snapshot.may_wait {
            transforms_in(&mut self.groups).for_each(|(_, transforms)| transforms.publish(snapshot));
        }
        if clock {
            self.clock.message.clock = fill::stamp(time);
            self.clock.publish();
            let (is_followed, throttle) = &mut self.is_followed;
            if throttle.is_due(Instant::now()) {
                let have_gone = self.neighbours.as_mut().is_some_and(Neighbours::have_all_gone);
                is_followed.store(self.clock.channel.has_subscribers() && !have_gone, Ordering::Relaxed);
            }
        }
        if has_begun {
            self.publish_maps(time);
            if let Some(GroupPublishers::Labels(publisher)) = self.groups.get_mut(&PublisherGroup::Labels) {
                let Ok(()) = publisher.send(&mut (), time, &self.layout.scene);
            }
        }
        let vehicles = &self.layout.scene.vehicles;
        for (index, info) in vehicles.iter().enumerate() {
            if let Some(publishers) = vehicle_in(&mut self.groups, info.id) {
                publishers.publish(snapshot, index);
            }
        }
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            let id = vehicles.get(reading.reading.vehicle).map(|info| info.id);
            if let Some(publishers) = id.and_then(|id| vehicle_in(&mut self.groups, id)) {
                publishers.publish_reading(&reading.reading);
            }
        }
        for (poses, group) in snapshot.poses.iter().zip(&self.pose_groups).filter(|(poses, _)| poses.fresh) {
            if let Some(GroupPublishers::Poses(publishers)) = self.groups.get_mut(group) {
                let Ok(()) = publishers.send(&mut (), time, poses);
            }
        }
        self.outputs.iter_mut().for_each(|output| output.publish(snapshot));
    }

    fn publish_maps(&mut self, time: SimTime) {
        for (index, map) in self.layout.scene.maps.iter().enumerate() {
            if let Some(GroupPublishers::Map(publishers)) = self.groups.get_mut(&PublisherGroup::Map(index)) {
                let Ok(()) = publishers.send(&mut (), time, map);
            }
        }
    }

    /// Drops the groups that a new layout lacks, and requests those that it adds.
    fn follow(&mut self, layout: &Arc<TopicLayout>) {
        self.layout = layout.clone();
        self.pose_groups = pose_groups(layout);
        let wanted = layout.groups();
        self.groups.retain(|group, _| {
            let stays = wanted.contains(group);
            if !stays {
                drop(self.jobs.send(Job::Retire(group.clone())));
            }
            stays
        });
        transforms_in(&mut self.groups).for_each(|(topics, transforms)| transforms.follow(topics, layout));
        // Without a receiver the node is about to end.
        drop(self.jobs.send(Job::Follow(layout.clone())));
    }

    /// Takes the groups that have been created, except those that the layout has lost meanwhile.
    fn take_created(&mut self) {
        let mut wanted = None;
        while let Ok((group, mut publishers)) = self.created.try_recv() {
            if !wanted.get_or_insert_with(|| self.layout.groups()).contains(&group) {
                drop(self.jobs.send(Job::Retire(group)));
                continue;
            }
            if let (PublisherGroup::Transforms(topics), GroupPublishers::Transforms(transforms)) =
                (&group, &mut publishers)
            {
                transforms.follow(topics, &self.layout);
            }
            self.groups.insert(group, publishers);
        }
    }
}

/// The groups of the `<publish>` entries of a layout, in their order.
fn pose_groups(layout: &TopicLayout) -> Vec<PublisherGroup> {
    layout.pose_publications.iter().map(|publication| PublisherGroup::Poses(pose_key(publication))).collect()
}

fn transforms_in(
    groups: &mut BTreeMap<PublisherGroup, GroupPublishers>,
) -> impl Iterator<Item = (&TfTopics, &mut TransformPublishers)> {
    groups.iter_mut().filter_map(|entry| match entry {
        (PublisherGroup::Transforms(topics), GroupPublishers::Transforms(publishers)) => {
            Some((topics, publishers.as_mut()))
        }
        _ => None,
    })
}

fn vehicle_in(groups: &mut BTreeMap<PublisherGroup, GroupPublishers>, id: EntityId) -> Option<&mut VehiclePublishers> {
    match groups.get_mut(&PublisherGroup::Vehicle(id)) {
        Some(GroupPublishers::Vehicle(publishers)) => Some(publishers),
        _ => None,
    }
}

struct CloseOnDrop<'a>(&'a Queue<PublishSnapshot>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Thins out the messages of a clock that runs as fast as it can.
///
/// Every message but transforms is preceded by a clock message with its stamp. In between there are `clock_rate` clock messages per
/// simulated second at any rate of time, so that no node sees a jump of more than 1 / `clock_rate`. Only at rate 0 (as fast as the
/// processor allows), where their number per wall second is unbounded, messages that only advance the clock are thinned out.
#[derive(Debug)]
struct ClockLimit(Throttle);

impl Default for ClockLimit {
    fn default() -> ClockLimit {
        ClockLimit(Throttle::new(ClockLimit::SPACING))
    }
}

impl ClockLimit {
    /// Least wall time between messages that only advance the clock: at most 250 of them per wall second.
    const SPACING: Duration = Duration::from_millis(4);

    /// Whether a message is sent at wall time `now`; one that `may_wait` is soon followed by another.
    fn allows(&mut self, may_wait: bool, now: Instant) -> bool {
        if may_wait {
            return self.0.is_due(now);
        }
        self.0.restart(now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_messages_that_may_wait_are_thinned_out() {
        let start = Instant::now();
        let mut limit = ClockLimit::default();
        let mut sent = |may_wait| {
            let at = |k: u32| start + k * Duration::from_micros(10);
            (0..40_000).filter(|k| limit.allows(may_wait, at(*k))).count()
        };
        assert_eq!(sent(true), 100);
        assert_eq!(sent(false), 40_000);
    }
}
