//! Listens to the commands of each vehicle, in a thread and with a node of its own, which live as long as the vehicle.
//!
//! A subscription has one message type; messages of publishers with another type are not received, and the middleware does not report
//! them. nav2 changed the type of `cmd_vel` from `Twist` to `TwistStamped` with Kilted, so each vehicle's thread asks the graph for the
//! types of the publishers and subscribes accordingly. To change the type, the old subscription has to be destroyed first: Fast DDS
//! refuses two types on one topic within a process. r2r destroys a single subscription only when another message arrives on it, but all
//! subscriptions of a node together with the node. So the thread drops its node and creates a new one, without any effect on other
//! vehicles. In the same way it changes to best effort if a publisher is best effort: a reliable subscription does not receive that
//! publisher's messages, while a best-effort one receives all. Until then it is reliable, so that a command that is sent only once, such as
//! a stop, is not lost.
//!
//! A command is sent to the simulation by the thread that receives it, without another thread in between, so that it counts from the
//! first step after its arrival.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures::{FutureExt, StreamExt};
use r2r::qos::ReliabilityPolicy;
use r2r::{Context, Node};
use skidpad_files::reported_once::ReportedOnce;
use skidpad_math::Pose2;
use skidpad_ros_data::interface::joint_ports::JointPorts;
use skidpad_ros_data::interface::names::token;
use skidpad_ros_data::message::SharedDesk;
use skidpad_ros_data::message::autoware_desk::ControlTaking;
use skidpad_ros_data::message::commands::{CommandReading, WheelSpeedOrder, in_words};
use skidpad_ros_data::preset::InputKind;
use skidpad_run::guard::Guard;
use skidpad_run::runner::Outbox;
use skidpad_sim::vehicle::Action;
use skidpad_sim::world::{EntityId, VehicleInfo};

use super::command_rate::{CommandRate, SharedClock};
use super::command_sender::CommandSender;
use super::start_gate::StartGate;
use super::subscription::{self, Actions, Velocity};
use crate::error::{self, RosError};
use crate::graph::names::Resolver;
use crate::graph::peers;
use crate::graph::quality::COMMAND_QOS;
use crate::graph::topic_layout::TopicLayout;
use crate::graph::topics::VehicleTopics;
use crate::parameters::qos_overrides::{End, QosOverrides};
use crate::shutdown::Progress;
use crate::typed_messages::is_known;

/// Name of the nodes before the vehicle's; the underscore keeps them out of `ros2 node list`.
const COMMAND_NODE: &str = "_skidpad_commands";
/// How long a vehicle's thread waits at a time. A message wakes it at once, so this only bounds the delay until it notices that the vehicle
/// was removed; a hundred idle vehicles cost next to nothing.
const SPIN_TIMEOUT: Duration = Duration::from_millis(100);
/// Period of the checks for nodes that publish commands, and delay before a failed subscription is retried.
const GRAPH_PERIOD: Duration = Duration::from_millis(200);
/// How long a warning waits for the graph to learn the names of the publishers.
const NAME_TIMEOUT: Duration = Duration::from_secs(2);

/// The command threads of all vehicles.
pub(crate) struct CommandListeners {
    setting: ListenerSettings,
    vehicles: BTreeMap<EntityId, ListenerThread>,
    /// Threads that have been asked to stop.
    leaving: Vec<JoinHandle<()>>,
}

/// What the listeners of all vehicles share.
#[derive(Clone)]
pub(crate) struct ListenerSettings {
    /// The context of the client library in this process.
    pub context: Context,
    /// Resolves full names.
    pub resolver: Resolver,
    /// The QoS overrides of the parameters.
    pub overrides: QosOverrides,
    /// Destination of the commands.
    pub outbox: Outbox,
    /// The message type of velocity commands.
    pub velocity: Velocity,
    /// Factor of the speeds of Ackermann commands [-].
    pub speed_factor: f64,
    /// Whether acceleration and steering rate of Ackermann commands count as limits.
    pub ackermann_limits: bool,
    /// Holds commands back at the start.
    pub gate: StartGate,
    /// Counts the nodes that have been destroyed.
    pub progress: Progress,
    /// The simulated time.
    pub clock: SharedClock,
    /// What Autoware commands under its preset.
    pub desk: SharedDesk,
}

/// The thread of one vehicle.
struct ListenerThread {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Reports whether the commands of a vehicle have been subscribed to.
pub struct Ready(mpsc::Receiver<Result<(), RosError>>);

impl Ready {
    /// Waits for the subscription, or for the reason why it failed.
    pub fn wait(&self) -> Result<(), RosError> {
        self.0.recv().unwrap_or_else(|_| Err(RosError::new("ROS", "a thread that listens has ended")))
    }
}

impl CommandListeners {
    /// No vehicles yet.
    pub fn new(setting: ListenerSettings) -> CommandListeners {
        CommandListeners { setting, vehicles: BTreeMap::new(), leaving: Vec::new() }
    }

    /// Counts the nodes that have been destroyed.
    pub fn progress(&self) -> Progress {
        self.setting.progress.clone()
    }

    /// Topic and type of each subscription, for display.
    pub fn interface(&self, layout: &TopicLayout) -> Vec<(String, &'static str)> {
        let inputs = layout.on_graph().flat_map(|(_, vehicle, topics)| self.setting.inputs(vehicle, topics));
        inputs.map(|input| (input.resolved.clone(), input.type_name())).collect()
    }

    /// The vehicles that take commands, each with the topics of its commands, but for the one that is `led` here.
    pub fn commanded(&self, layout: &TopicLayout, led: Option<EntityId>) -> Vec<(String, Vec<String>)> {
        let of_vehicle = |(_, vehicle, topics): (usize, &VehicleInfo, &VehicleTopics)| {
            let inputs = self.setting.inputs(vehicle, topics);
            let topics: Vec<String> =
                inputs.iter().filter(|input| !is_pose(input)).map(|input| input.resolved.clone()).collect();
            (!topics.is_empty() && led != Some(vehicle.id)).then(|| (vehicle.name.clone(), topics))
        };
        layout.on_graph().filter_map(of_vehicle).collect()
    }

    /// Stops the listeners of removed vehicles. Their commands reach no other vehicle, since they carry an id.
    pub fn leave(&mut self, layout: &TopicLayout) {
        // A stopped thread ends by itself and is joined only at shutdown.
        let leaving = &mut self.leaving;
        leaving.retain(|thread| !thread.is_finished());
        self.vehicles.retain(|id, listener| {
            let stays = layout.scene.vehicle_of(*id).is_some();
            listener.stop.fetch_or(!stays, Ordering::Relaxed);
            if !stays {
                leaving.extend(listener.thread.take());
            }
            stays
        });
    }

    /// Starts listeners for added vehicles.
    pub fn join(&mut self, layout: &TopicLayout) -> Vec<Ready> {
        let is_commanded = |(_, vehicle, topics): &(usize, &VehicleInfo, &VehicleTopics)| {
            !topics.has_driver && self.setting.inputs(vehicle, topics).iter().any(|input| !is_pose(input))
        };
        self.setting.gate.expect(layout.on_graph().filter(is_commanded).map(|(_, vehicle, _)| vehicle.id).collect());
        let mut all = Vec::new();
        for (_, vehicle, topics) in layout.on_graph() {
            if self.vehicles.contains_key(&vehicle.id) {
                continue;
            }
            let inputs = self.setting.inputs(vehicle, topics);
            if inputs.is_empty() {
                continue;
            }
            let (sender, receiver) = mpsc::channel();
            let stop = Arc::new(AtomicBool::new(false));
            let node = format!("{COMMAND_NODE}_{}", token(&vehicle.name));
            let (limits, map_frame) = (topics.names.preset.limits, topics.names.map_frame());
            let wheels = if vehicle.accepts.side_spins {
                WheelSpeedOrder::Sides
            } else {
                WheelSpeedOrder::Each(vehicle.wheels.len())
            };
            let joints = JointPorts::new(vehicle, &topics.names);
            let (setting, taking) = (self.setting.clone(), ControlTaking::of(vehicle));
            let stop_too = stop.clone();
            let listener =
                VehicleListener { setting, node, inputs, limits, map_frame, wheels, joints, taking, stop: stop_too };
            let thread = std::thread::Builder::new().name("ros-commands".to_owned()).spawn({
                let sender = sender.clone();
                move || listener.run(&sender)
            });
            match thread {
                Ok(thread) => drop(self.vehicles.insert(vehicle.id, ListenerThread { stop, thread: Some(thread) })),
                // A waiting caller gets the error; otherwise it has left.
                Err(error) => {
                    let problem = error::thread(&error);
                    tracing::warn!("vehicle \"{}\" receives no commands: {problem}", vehicle.name);
                    drop(sender.send(Err(problem)));
                }
            }
            all.push(Ready(receiver));
        }
        all
    }
}

impl Drop for CommandListeners {
    /// The nodes are gone afterwards, before the process takes the middleware down.
    fn drop(&mut self) {
        self.vehicles.values().for_each(|listener| listener.stop.store(true, Ordering::Relaxed));
        for listener in self.vehicles.values_mut() {
            if let Some(thread) = listener.thread.take() {
                // The panic has been reported already.
                drop(thread.join());
            }
        }
        self.leaving.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl ListenerSettings {
    /// The topics of the commands that the vehicle's controller accepts, with the names of its preset.
    fn inputs(&self, vehicle: &VehicleInfo, topics: &VehicleTopics) -> Vec<CommandTopic> {
        let accepts = vehicle.accepts;
        let inputs = topics.names.preset.inputs.iter().filter_map(|input| {
            let kind = input.kind.message().name;
            if !input.condition.holds(&topics.now) || !is_known(kind) {
                return None;
            }
            let topic = topics.names.topic(input.name);
            let resolved = self.resolver.resolve(&topic);
            let sender = CommandSender::new(vehicle.id, &resolved, &self.outbox);
            input.kind.is_accepted(&accepts).then(|| CommandTopic {
                topic,
                resolved,
                kind: input.kind,
                velocity: self.velocity,
                is_best_effort: false,
                sender,
                reported: ReportedOnce::default(),
                complaints: Vec::new(),
                rate: CommandRate::new(Arc::clone(&self.clock)),
            })
        });
        inputs.collect()
    }
}

/// Whether a topic sets a vehicle down instead of driving it.
fn is_pose(input: &CommandTopic) -> bool {
    matches!(input.kind, InputKind::EstimatedPose | InputKind::Pose)
}

/// A command topic.
struct CommandTopic {
    topic: String,
    resolved: String,
    kind: InputKind,
    /// The message type of velocities.
    velocity: Velocity,
    is_best_effort: bool,
    sender: CommandSender,
    /// Problems already reported.
    reported: ReportedOnce,
    /// Problems to report as soon as the names of the publishers are known.
    complaints: Vec<(String, Instant)>,
    rate: CommandRate,
}

impl CommandTopic {
    /// The message type as the graph names it.
    fn type_name(&self) -> &'static str {
        subscription::type_name(self.kind, self.velocity.kind)
    }

    /// Forwards the latest received command to the vehicle, and returns it if it is a pose.
    fn receive(&mut self, actions: &mut Actions, gate: &StartGate) -> Option<Pose2> {
        let mut last = None;
        while let Some(Some(action)) = actions.next().now_or_never() {
            self.rate.count = self.rate.count.saturating_add(1);
            let refused = match action {
                Ok(action) => match action.fault() {
                    None => {
                        // Wheels are commanded one by one, everything else as a whole.
                        last = Some(action);
                        continue;
                    }
                    Some(fault) => (fault.to_string(), format!("{fault}: {}", in_words(&action))),
                },
                Err(problem) => (problem.to_string(), problem.to_string()),
            };
            let complaint = format!("command refused, {}", refused.1);
            self.sender.refuse(&complaint);
            if self.reported.first(&refused.0).is_some() {
                self.complaints.push((complaint, Instant::now()));
            }
        }
        let action = last?;
        gate.pass(&self.sender, action);
        if let Action::Teleport(pose) = action { Some(pose) } else { None }
    }

    /// Checks the publishers of the topic; true when the type or QoS of the subscription has to change.
    fn check_publishers(&mut self, node: &Node) -> bool {
        let Ok(publishers) = node.get_publishers_info_by_topic(&self.resolved, false) else { return false };
        let offered: Vec<&str> = publishers.iter().map(|publisher| publisher.topic_type.as_str()).collect();
        let velocity = self.velocity.follow(&offered);
        let mut changes = self.kind == InputKind::Velocity && velocity != self.velocity;
        self.velocity = velocity;
        let listened = self.type_name();
        if changes {
            tracing::info!("topic \"{}\": now listening for {listened}", self.resolved);
        }
        for publisher in &publishers {
            let is_heard = publisher.topic_type == listened;
            let complaint = if !is_heard {
                format!("publishes {}, which is ignored\n  accepted: {listened}", publisher.topic_type)
            } else if publisher.qos_profile.reliability == ReliabilityPolicy::BestEffort {
                changes |= !std::mem::replace(&mut self.is_best_effort, true);
                "publishes best effort: lost commands are not sent again\n  accepted: reliable".to_owned()
            } else {
                continue;
            };
            let complaint = peers::full_name(&publisher.node_namespace, &publisher.node_name)
                .map(|node| format!("node \"{node}\" {complaint}"));
            if let Some(complaint) = complaint.as_ref().filter(|_| !is_heard) {
                self.sender.refuse(complaint);
            }
            if let Some(complaint) = complaint.and_then(|complaint| self.reported.first(&complaint)) {
                tracing::warn!("topic \"{}\": {complaint}", self.resolved);
            }
        }
        if let Some(complaint) = self.rate.check().filter(|_| self.reported.first("flood").is_some()) {
            self.complaints.push((complaint, Instant::now()));
        }
        let names: Option<BTreeSet<String>> =
            publishers.iter().map(|end| peers::full_name(&end.node_namespace, &end.node_name)).collect();
        let names = names.filter(|names| !names.is_empty()).map(|names| peers::listed(&names));
        self.complaints.retain(|(complaint, since)| {
            let publisher_names = names.as_deref().or((since.elapsed() > NAME_TIMEOUT).then_some("nobody known"));
            if let Some(publisher_names) = publisher_names {
                tracing::warn!("topic \"{}\": {complaint}\n  hint: published by {publisher_names}", self.resolved);
            }
            publisher_names.is_none()
        });
        changes
    }
}

/// Listens to one vehicle's commands.
struct VehicleListener {
    setting: ListenerSettings,
    node: String,
    inputs: Vec<CommandTopic>,
    limits: Option<[f64; 2]>,
    /// The frame of the map.
    map_frame: String,
    /// The wheels that arrays of speeds apply to.
    wheels: WheelSpeedOrder,
    /// The joints that can be commanded by their names.
    joints: JointPorts,
    /// How it takes what Autoware commands.
    taking: ControlTaking,
    stop: Arc<AtomicBool>,
}

impl VehicleListener {
    /// Listens until it is stopped; signals on `ready` that it has subscribed, or why it cannot.
    fn run(mut self, ready: &mpsc::Sender<Result<(), RosError>>) {
        let mut last_problem = None;
        let guard = Guard::new(format!("the commands of node \"{}\"", self.node));
        while !self.stop.load(Ordering::Relaxed) {
            match self.open() {
                Ok((node, actions)) => {
                    drop(ready.send(Ok(())));
                    last_problem = None;
                    guard.run(|| self.listen(node, actions));
                    self.setting.progress.note();
                }
                Err(problem) => {
                    if ready.send(Err(problem.clone())).is_err() {
                        if last_problem.as_ref() != Some(&problem) {
                            let reported = problem.clone().hint("skidpad keeps trying");
                            tracing::warn!(diagnostic = reported.as_value());
                        }
                        last_problem = Some(problem);
                    }
                    std::thread::sleep(GRAPH_PERIOD);
                }
            }
        }
    }

    fn open(&self) -> Result<(Node, Vec<Actions>), RosError> {
        let first = self.inputs.first().map_or("", |input| &input.resolved);
        let mut node = Node::create(self.setting.context.clone(), &self.node, "")
            .map_err(|error| error::subscription(first, &error))?;
        let mut all = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let reading = CommandReading {
                wheels: self.wheels,
                speed_factor: self.setting.speed_factor,
                ackermann_limits: self.setting.ackermann_limits,
                velocity_limits: self.limits,
                map_frame: self.map_frame.clone(),
                joints: self.joints.clone(),
                desk: (self.setting.desk.clone(), self.taking),
            };
            let qos = if input.is_best_effort { COMMAND_QOS.best_effort() } else { COMMAND_QOS };
            let qos = self.setting.overrides.apply(&input.resolved, End::Subscription, qos);
            let (kind, velocity) = (input.kind, input.velocity.kind);
            let actions = subscription::subscribe(&mut node, &input.topic, kind, velocity, qos, reading);
            all.push(actions.map_err(|error| error::subscription(&input.resolved, &error))?);
        }
        Ok((node, all))
    }

    /// Under the preset of Autoware a pose is kept, and leaves in force what was commanded before it, as its simulator does.
    fn resume_at(&self, pose: Pose2) {
        let Some(input) = self.inputs.iter().find(|input| matches!(input.kind, InputKind::Autoware(_))) else { return };
        let desk = {
            let mut desk = self.setting.desk.lock();
            desk.initial_pose = Some(pose);
            *desk
        };
        if desk.is_commanded() {
            self.setting.gate.pass(&input.sender, desk.action(self.taking));
        }
    }

    /// Listens until it is stopped or a subscription has to change.
    fn listen(&mut self, mut node: Node, mut actions: Vec<Actions>) {
        let mut checked_at = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            node.spin_once(SPIN_TIMEOUT);
            let mut put = None;
            for (input, actions) in self.inputs.iter_mut().zip(&mut actions) {
                put = input.receive(actions, &self.setting.gate).or(put);
            }
            if let Some(pose) = put {
                self.resume_at(pose);
            }
            // A vehicle that was removed meanwhile has nothing to report about publishers, which may belong to its successor.
            if checked_at.elapsed() < GRAPH_PERIOD || self.stop.load(Ordering::Relaxed) {
                continue;
            }
            checked_at = Instant::now();
            let mut changes = false;
            for input in &mut self.inputs {
                changes |= input.check_publishers(&node);
            }
            if changes {
                return;
            }
        }
    }
}
