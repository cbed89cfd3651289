//! The publishers and listeners of all vehicles, kept by the thread that owns the node: it creates them for added vehicles and destroys
//! those of removed ones, while no other thread waits.

use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};

use r2r::Node;

use super::audience::{Audience, AudienceCount};
use super::names::Resolver;
use super::topic_layout::TopicLayout;
use super::topic_layout::{PublisherGroup, pose_key};
use crate::message::{LabelMessages, MapMessages, PoseMessages};
use crate::ros::commands::listener::{CommandListeners, Ready};
use crate::ros::error::RosError;
use crate::ros::lifecycle::shutdown::Progress;
use crate::ros::parameters::qos_overrides::QosOverrides;
use crate::ros::parameters::step_rates::StepRates;
use crate::ros::parameters::vehicle_parameters::VehicleParameters;
use crate::ros::publish::publisher::{Announcer, OnTopic};
use crate::ros::publish::publishers::{CreatedGroup, GroupPublishers, Job};
use crate::ros::publish::transforms::TransformPublishers;
use crate::ros::publish::vehicle::VehiclePublishers;
use crate::ros::publish::wall_stamps::SharedStamps;

/// Creates the publishers of a group.
type CreateGroup<'a> = &'a dyn Fn(&mut Announcer<'_>) -> Result<GroupPublishers, RosError>;

/// The node with its publishers and listeners.
pub struct Fleet {
    /// The node.
    pub node: Node,
    resolver: Resolver,
    overrides: QosOverrides,
    stamps: Option<SharedStamps>,
    inputs: CommandListeners,
    parameters: VehicleParameters,
    rates: Arc<StepRates>,
    /// The publishers of each group; empty for one that could not be created.
    on_graph: BTreeMap<PublisherGroup, Vec<OnTopic>>,
    created: mpsc::Sender<CreatedGroup>,
    audience: AudienceCount,
    progress: Progress,
}

impl Fleet {
    /// Creates an empty fleet; groups that are created are sent to `created`, and who listens to sensors is noted in `audience`. Their messages have `stamps` in
    /// place of those of simulated time, if there are any.
    pub fn new(
        node: Node,
        (resolver, overrides, stamps): (Resolver, QosOverrides, Option<SharedStamps>),
        (inputs, parameters, rates): (CommandListeners, VehicleParameters, Arc<StepRates>),
        created: mpsc::Sender<CreatedGroup>,
        audience: Arc<Audience>,
    ) -> Fleet {
        let (progress, audience) = (inputs.progress(), AudienceCount::new(audience));
        let on_graph = BTreeMap::new();
        Fleet { node, resolver, overrides, stamps, inputs, parameters, rates, on_graph, created, audience, progress }
    }

    /// Counts who listens to sensors.
    pub fn count_audience(&mut self) {
        self.audience.count();
    }

    /// Destroys the listeners, all at once, then the publishers, then the node.
    pub fn end(self) {
        let Fleet { mut node, inputs, on_graph, progress, .. } = self;
        drop(inputs);
        for on_topic in on_graph.into_values().flatten() {
            on_topic.destroy(&mut node);
            progress.note();
        }
        drop(node);
    }

    /// Creates all groups at the start, and waits until the commands of all vehicles are subscribed to.
    ///
    /// # Errors
    /// A parameter that is not accepted, or a topic that cannot be published or listened to.
    pub fn begin(&mut self, layout: &TopicLayout) -> Result<(), RosError> {
        self.rates.follow(layout.scene.step);
        let problems = self.parameters.follow(&layout.scene);
        if let Some(problem) = problems.into_iter().chain(self.announce(layout)).next() {
            return Err(problem);
        }
        self.inputs.follow(layout).iter().try_for_each(Ready::wait)
    }

    /// Carries out a request of the publisher thread.
    pub fn execute(&mut self, job: Job) {
        match job {
            Job::Follow(layout) => {
                self.rates.follow(layout.scene.step);
                let problems = self.parameters.follow(&layout.scene);
                for problem in problems.into_iter().chain(self.announce(&layout)) {
                    tracing::warn!("{problem}");
                }
                // Listeners log their own errors.
                drop(self.inputs.follow(&layout));
            }
            Job::Retire(group) => self.retire(&group),
        }
    }

    /// Creates the groups of the layout that do not exist yet; gives the errors.
    fn announce(&mut self, layout: &TopicLayout) -> Vec<RosError> {
        let wanted = layout.groups();
        self.on_graph.retain(|group, on_topics| !on_topics.is_empty() || wanted.contains(group));
        let mut problems = Vec::new();
        let mut put = |group: PublisherGroup, create: CreateGroup<'_>| problems.extend(self.put(group, create).err());
        for (index, names) in layout.maps.iter().enumerate() {
            put(PublisherGroup::Map(index), &|on| {
                Ok(GroupPublishers::Map(Box::new(MapMessages::new(on, names, &layout.map_frame)?)))
            });
        }
        if wanted.contains(&PublisherGroup::Labels) {
            put(PublisherGroup::Labels, &|on| Ok(GroupPublishers::Labels(Box::new(LabelMessages::new(on)?))));
        }
        for (_, vehicle, topics) in layout.on_graph() {
            for (tf, _) in &topics.tf {
                put(PublisherGroup::Transforms(tf.clone()), &|on| {
                    Ok(GroupPublishers::Transforms(Box::new(TransformPublishers::new(on, tf)?)))
                });
            }
            put(PublisherGroup::Vehicle(vehicle.id), &|on| {
                Ok(GroupPublishers::Vehicle(Box::new(VehiclePublishers::new(on, vehicle, topics)?)))
            });
        }
        for publication in &layout.pose_publications {
            put(PublisherGroup::Poses(pose_key(publication)), &|on| {
                Ok(GroupPublishers::Poses(Box::new(PoseMessages::new(on, publication, &layout.map_frame)?)))
            });
        }
        for (_, vehicle, topics) in layout.on_graph() {
            let created = self.on_graph.get(&PublisherGroup::Vehicle(vehicle.id)).map(Vec::as_slice);
            self.audience.follow(vehicle, &topics.sensors, created.unwrap_or_default());
        }
        problems
    }

    fn put(&mut self, group: PublisherGroup, create: CreateGroup<'_>) -> Result<(), RosError> {
        if self.on_graph.contains_key(&group) {
            return Ok(());
        }
        let on = Announcer::new(&mut self.node, &self.resolver, &self.overrides);
        let mut on = on.with_stamps(self.stamps.clone());
        let created = create(&mut on);
        let on_topics = on.into_created();
        match created {
            Ok(publishers) => {
                self.on_graph.insert(group.clone(), on_topics);
                // If the publisher thread has gone, the node is about to end.
                drop(self.created.send((group, publishers)));
                Ok(())
            }
            Err(problem) => {
                on_topics.into_iter().for_each(|on_topic| on_topic.destroy(&mut self.node));
                self.on_graph.insert(group, Vec::new());
                Err(problem)
            }
        }
    }

    fn retire(&mut self, group: &PublisherGroup) {
        if let PublisherGroup::Vehicle(id) = group {
            self.audience.remove(*id);
        }
        for on_topic in self.on_graph.remove(group).into_iter().flatten() {
            on_topic.destroy(&mut self.node);
        }
    }
}
