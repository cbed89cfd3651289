//! The publishers and listeners of all vehicles, kept by the thread that owns the node: it creates them for added vehicles and destroys
//! those of removed ones, while no other thread waits.

use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use r2r::Node;
use skidpad_ros_data::message::{LabelMessages, MapMessages, PoseMessages};

use super::parameters::vehicles::VehicleParameters;
use super::tracker_topics::TrackerListeners;
use crate::commands::listener::{CommandListeners, Ready};
use crate::error::RosError;
use crate::graph::names::Resolver;
use crate::graph::topic_layout::{PublisherGroup, TopicLayout, pose_key};
use crate::parameters::qos_overrides::QosOverrides;
use crate::parameters::step_rates::StepRates;
use crate::publish::audience::{Audience, AudienceCount};
use crate::publish::publisher::{Announcer, PublisherHandle};
use crate::publish::publisher_thread::{CreatedGroup, GroupPublishers, Job};
use crate::publish::transforms::TransformPublishers;
use crate::publish::vehicle::VehiclePublishers;
use crate::publish::wall_stamps::SharedStamps;
use crate::shutdown::Progress;
use crate::throttle::Throttle;

/// Creates the publishers of a group.
type CreateGroup<'a> = &'a dyn Fn(&mut Announcer<'_>) -> Result<GroupPublishers, RosError>;

/// How often it is looked whether anything subscribes to any topic.
const AUDIENCE_PERIOD: Duration = Duration::from_millis(200);

/// The node with its publishers and listeners.
pub(crate) struct Fleet {
    /// The node.
    pub node: Node,
    resolver: Resolver,
    overrides: QosOverrides,
    stamps: Option<SharedStamps>,
    inputs: CommandListeners,
    /// Listens to external trackers, for a recording.
    trackers: Option<TrackerListeners>,
    parameters: VehicleParameters,
    rates: Arc<StepRates>,
    /// The publishers of each group; empty for one that could not be created.
    handles: BTreeMap<PublisherGroup, Vec<PublisherHandle>>,
    created: mpsc::Sender<CreatedGroup>,
    audience: AudienceCount,
    /// Limits how often all publishers are asked.
    throttle: Throttle,
    progress: Progress,
}

/// The names, qualities of service, stamps and parameters of a fleet.
pub(crate) struct FleetSettings {
    /// Resolves the names of topics.
    pub resolver: Resolver,
    /// The qualities of service that parameters override.
    pub overrides: QosOverrides,
    /// The stamps of messages in place of those of simulated time, if there are any.
    pub stamps: Option<SharedStamps>,
    /// The parameters of each vehicle.
    pub parameters: VehicleParameters,
    /// Warns of rates that the step cannot give.
    pub rates: Arc<StepRates>,
}

impl Fleet {
    /// Creates an empty fleet; groups that are created are sent to `created`, and which sensors have subscribers is noted in `audience`.
    pub fn new(
        node: Node,
        settings: FleetSettings,
        inputs: CommandListeners,
        created: mpsc::Sender<CreatedGroup>,
        audience: Arc<Audience>,
    ) -> Fleet {
        let FleetSettings { resolver, overrides, stamps, parameters, rates } = settings;
        let (progress, audience) = (inputs.progress(), AudienceCount::new(audience));
        let handles = BTreeMap::new();
        let trackers = None;
        Fleet {
            node,
            resolver,
            overrides,
            stamps,
            inputs,
            trackers,
            parameters,
            rates,
            handles,
            created,
            audience,
            throttle: Throttle::new(AUDIENCE_PERIOD),
            progress,
        }
    }

    /// The same with these listeners, if there are any.
    pub(crate) fn with_trackers(self, trackers: Option<TrackerListeners>) -> Fleet {
        Fleet { trackers, ..self }
    }

    /// Counts who listens.
    pub(crate) fn count_audience(&mut self) {
        self.audience.count();
        if self.throttle.is_due(Instant::now()) {
            self.audience.note_heard(self.handles.values().flatten().any(PublisherHandle::has_subscribers));
        }
    }

    /// Destroys the listeners, all at once, then the publishers, then the node.
    pub fn end(self) {
        let Fleet { mut node, inputs, trackers, handles, progress, .. } = self;
        drop((inputs, trackers));
        for handle in handles.into_values().flatten() {
            handle.destroy(&mut node);
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
        self.inputs.join(layout).iter().try_for_each(Ready::wait)
    }

    /// Carries out a request of the publisher thread.
    pub fn execute(&mut self, job: Job) {
        match job {
            Job::Follow(layout) => {
                self.inputs.leave(&layout);
                self.rates.follow(layout.scene.step);
                let problems = self.parameters.follow(&layout.scene);
                for problem in problems.into_iter().chain(self.announce(&layout)) {
                    tracing::warn!("{problem}");
                }
                // Listeners log their own errors.
                drop(self.inputs.join(&layout));
            }
            Job::Retire(group) => self.retire(&group),
        }
    }

    /// Creates the groups of the layout that do not exist yet; gives the errors.
    fn announce(&mut self, layout: &TopicLayout) -> Vec<RosError> {
        let wanted = layout.groups();
        self.handles.retain(|group, handles| !handles.is_empty() || wanted.contains(group));
        let mut problems = Vec::new();
        let mut put = |group: PublisherGroup, create: CreateGroup<'_>| problems.extend(self.put(group, create).err());
        for (index, names) in layout.maps.iter().enumerate() {
            put(PublisherGroup::Map(index), &|announcer| {
                Ok(GroupPublishers::Map(Box::new(MapMessages::new(announcer, names, &layout.map_frame)?)))
            });
        }
        if wanted.contains(&PublisherGroup::Labels) {
            put(PublisherGroup::Labels, &|announcer| {
                Ok(GroupPublishers::Labels(Box::new(LabelMessages::new(announcer)?)))
            });
        }
        for (_, vehicle, topics) in layout.on_graph() {
            for (tf, _) in &topics.tf {
                put(PublisherGroup::Transforms(tf.clone()), &|announcer| {
                    Ok(GroupPublishers::Transforms(Box::new(TransformPublishers::new(announcer, tf)?)))
                });
            }
            put(PublisherGroup::Vehicle(vehicle.id), &|announcer| {
                Ok(GroupPublishers::Vehicle(Box::new(VehiclePublishers::new(announcer, vehicle, topics)?)))
            });
        }
        for publication in &layout.pose_publications {
            put(PublisherGroup::Poses(pose_key(publication)), &|announcer| {
                Ok(GroupPublishers::Poses(Box::new(PoseMessages::new(announcer, publication, &layout.map_frame)?)))
            });
        }
        for (_, vehicle, topics) in layout.on_graph() {
            let created = self.handles.get(&PublisherGroup::Vehicle(vehicle.id)).map(Vec::as_slice);
            self.audience.follow(vehicle, &topics.sensors, created.unwrap_or_default());
        }
        problems
    }

    fn put(&mut self, group: PublisherGroup, create: CreateGroup<'_>) -> Result<(), RosError> {
        if self.handles.contains_key(&group) {
            return Ok(());
        }
        let announcer = Announcer::new(&mut self.node, &self.resolver, &self.overrides);
        let mut announcer = announcer.with_stamps(self.stamps.clone());
        let created = create(&mut announcer);
        let handles = announcer.into_created();
        match created {
            Ok(publishers) => {
                self.handles.insert(group.clone(), handles);
                // If the publisher thread has gone, the node is about to end.
                drop(self.created.send((group, publishers)));
                Ok(())
            }
            Err(problem) => {
                handles.into_iter().for_each(|handle| handle.destroy(&mut self.node));
                self.handles.insert(group, Vec::new());
                Err(problem)
            }
        }
    }

    fn retire(&mut self, group: &PublisherGroup) {
        if let PublisherGroup::Vehicle(id) = group {
            self.audience.remove(*id);
        }
        for handle in self.handles.remove(group).into_iter().flatten() {
            handle.destroy(&mut self.node);
        }
    }
}
