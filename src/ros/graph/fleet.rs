//! What is on the graph, kept by the thread that owns the node: vehicles that come are announced and listened to, those that go
//! are taken off, and nobody else waits for it.

use std::collections::BTreeMap;
use std::sync::mpsc;

use r2r::Node;

use super::names::Resolver;
use super::topic_layout::Stage;
use crate::message::{MapMessages, PoseMessages};
use crate::ros::commands::listener::{Inputs, Ready};
use crate::ros::error::RosError;
use crate::ros::lifecycle::shutdown::Progress;
use crate::ros::parameters::qos_overrides::QosOverrides;
use crate::ros::parameters::vehicle_parameters::OwnParameters;
use crate::ros::publish::publishers::{Announcer, Job, Made, Part, TakeOff, pose_key};
use crate::ros::publish::transforms::TransformPublishers;
use crate::ros::publish::vehicle::VehiclePublishers;

/// The node with what it has on the graph.
pub struct Fleet {
    /// The node.
    pub node: Node,
    resolver: Resolver,
    overrides: QosOverrides,
    inputs: Inputs,
    parameters: OwnParameters,
    /// How each part is taken off again; nothing for one that could not be announced.
    on_graph: BTreeMap<Part, Vec<TakeOff>>,
    made: mpsc::Sender<Made>,
    progress: Progress,
}

impl Fleet {
    /// Nothing is on the graph yet; what comes onto it is handed to `made`.
    pub fn new(
        node: Node,
        (resolver, overrides): (Resolver, QosOverrides),
        (inputs, parameters): (Inputs, OwnParameters),
        made: mpsc::Sender<Made>,
    ) -> Fleet {
        let progress = inputs.progress();
        Fleet { node, resolver, overrides, inputs, parameters, on_graph: BTreeMap::new(), made, progress }
    }

    /// Lets go of all that is on the graph: those that listen first, all at once, then the node.
    pub fn end(self) {
        let Fleet { mut node, inputs, on_graph, progress, .. } = self;
        drop(inputs);
        for take_off in on_graph.into_values().flatten() {
            take_off(&mut node);
            progress.note();
        }
        drop(node);
    }

    /// Announces everything at the start, and waits until all vehicles are listened to.
    ///
    /// # Errors
    /// A parameter that is not accepted, or a topic that cannot be published or listened to.
    pub fn begin(&mut self, stage: &Stage) -> Result<(), RosError> {
        let problems = self.parameters.follow(&stage.scene);
        if let Some(problem) = problems.into_iter().chain(self.announce(stage)).next() {
            return Err(problem);
        }
        self.inputs.follow(stage).iter().try_for_each(Ready::wait)
    }

    /// Does what the publisher thread asks for.
    pub fn carry_out(&mut self, job: Job) {
        match job {
            Job::Follow(stage) => {
                let problems = self.parameters.follow(&stage.scene);
                for problem in problems.into_iter().chain(self.announce(&stage)) {
                    tracing::warn!("{problem}");
                }
                // Those that cannot be listened to tell it themselves.
                drop(self.inputs.follow(&stage));
            }
            Job::Retire(part) => self.retire(&part),
        }
    }

    /// Puts on the graph what is not there yet; gives the reasons why something could not be.
    fn announce(&mut self, stage: &Stage) -> Vec<RosError> {
        let wanted = stage.parts();
        self.on_graph.retain(|part, take_offs| !take_offs.is_empty() || wanted.contains(part));
        let mut problems = Vec::new();
        let mut put = |part: Part, make: &dyn Fn(&mut Announcer<'_>) -> Result<Made, RosError>| {
            problems.extend(self.put(part, make).err());
        };
        for (index, names) in stage.maps.iter().enumerate() {
            put(Part::Map(index), &|on| Ok(Made::Map(index, Box::new(MapMessages::new(on, names)?))));
        }
        for (_, vehicle, topics) in stage.on_graph() {
            for (tf, _) in &topics.tf {
                let make = |on: &mut Announcer<'_>| TransformPublishers::new(on, tf);
                put(Part::Transforms(tf.clone()), &|on| Ok(Made::Transforms(tf.clone(), Box::new(make(on)?))));
            }
            put(Part::Vehicle(vehicle.id), &|on| {
                Ok(Made::Vehicle(vehicle.id, Box::new(VehiclePublishers::new(on, vehicle, topics)?)))
            });
        }
        for wish in &stage.wishes {
            let key = pose_key(wish);
            put(Part::Poses(key.clone()), &|on| Ok(Made::Poses(key.clone(), Box::new(PoseMessages::new(on, wish)?))));
        }
        problems
    }

    fn put(&mut self, part: Part, make: &dyn Fn(&mut Announcer<'_>) -> Result<Made, RosError>) -> Result<(), RosError> {
        if self.on_graph.contains_key(&part) {
            return Ok(());
        }
        let mut on = Announcer::new(&mut self.node, &self.resolver, &self.overrides);
        let made = make(&mut on);
        let take_offs = on.into_take_offs();
        let made = match made {
            Ok(made) => made,
            Err(problem) => {
                take_offs.into_iter().for_each(|take_off| take_off(&mut self.node));
                self.on_graph.insert(part, Vec::new());
                return Err(problem);
            }
        };
        self.on_graph.insert(part, take_offs);
        // Without a publisher thread the node is about to end.
        drop(self.made.send(made));
        Ok(())
    }

    fn retire(&mut self, part: &Part) {
        for take_off in self.on_graph.remove(part).into_iter().flatten() {
            take_off(&mut self.node);
        }
    }
}
