//! The nodes beside the simulation for a scenario: its goals to nav2, what it sets, and what it hears.
//!
//! A hidden node in a thread of its own talks to them: orders go to it through one channel, and what it hears comes back through another, so that no
//! step of the simulation waits for the middleware. Goals, services and topics are spoken of by name and their contents as JSON, because the
//! definitions of nav2's actions differ from one distribution to the next: fields that a definition lacks are left out, and those that an answer lacks
//! are not told.

mod absence;
mod goals;
mod nodes;
mod pose;
mod publications;
mod topics;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use r2r::{Context, Node, PublisherUntyped};
use serde_json::Value;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::{TfMode, VehicleNames};
use skidpad_ros_data::interface::naming::VehicleNaming;
use skidpad_run::guard::Guard;
use skidpad_scenario::peers::{Heard, Need, NeedOf, Order, OrderOf, Peers};
use skidpad_sim::world::Scene;

use self::absence::{Addressee, Waiting};
use self::goals::Goals;
use self::nodes::Nodes;
use self::publications::Publications;
use self::topics::Topics;
use crate::error;
use crate::graph::names::Resolver;
use crate::shutdown::{Guests, Progress};

/// Name of the node; the underscore keeps it out of `ros2 node list`.
const NODE: &str = "_skidpad_scenario";
/// How long one spin waits.
const SPIN: Duration = Duration::from_millis(5);
/// How long the middleware may take to make the node with all that a scenario needs, before it is considered stuck.
const MAX_BEGIN: Duration = Duration::from_secs(20);

/// What the node of a scenario takes from that of the simulation.
pub struct Surroundings {
    /// The context of the process.
    pub context: Context,
    /// Names of topics under the remappings of the process.
    pub resolver: Resolver,
    /// Names of vehicles.
    pub naming: VehicleNaming,
    /// The mode of transforms for the name of a vehicle.
    pub tf_mode: Box<dyn Fn(&str) -> TfMode + Send>,
    /// The simulated time.
    pub clock: Box<dyn Fn() -> SimTime + Send>,
    /// Set when the node of the simulation ends.
    pub stop: Arc<AtomicBool>,
    /// Has the thread of the scenario joined with those of the node of the simulation.
    pub guests: Guests,
    /// Counts what has been destroyed during the shutdown.
    pub progress: Progress,
}

/// The publishers of what is played, by their numbers. The thread of the simulation has them, so that what is due before a step is sent before it.
type Played = BTreeMap<usize, PublisherUntyped>;

/// The nodes beside a simulation.
pub struct RosPeers {
    /// Until the run begins.
    surroundings: Option<Surroundings>,
    orders: Option<mpsc::Sender<Order>>,
    heard: Option<mpsc::Receiver<Heard>>,
    /// By their numbers.
    played: Played,
    ended: Arc<AtomicBool>,
}

impl RosPeers {
    /// Those that the node of a simulation sees.
    pub fn new(surroundings: Surroundings) -> RosPeers {
        let surroundings = Some(surroundings);
        RosPeers { surroundings, orders: None, heard: None, played: Played::new(), ended: Arc::default() }
    }
}

impl Peers for RosPeers {
    fn begin(&mut self, scene: &Scene, needs: &[Need]) -> Result<(), Diagnostics> {
        let Some(surroundings) = self.surroundings.take().filter(|_| !needs.is_empty()) else { return Ok(()) };
        let (to_node, orders) = mpsc::channel();
        let (tell, heard) = mpsc::channel();
        let (needs, ended) = (needs.to_vec(), Arc::clone(&self.ended));
        let names = Names::of(scene, &surroundings);
        (self.orders, self.heard) = (Some(to_node), Some(heard));
        let guests = surroundings.guests.clone();
        self.played = begin_talk(&guests, MAX_BEGIN, move |ready| {
            let Surroundings { context, clock, stop, progress, .. } = surroundings;
            match Talk::begin(&context, names, &needs, clock, tell) {
                Ok(mut talk) => {
                    drop(ready.send(Ok(std::mem::take(&mut talk.played))));
                    let guard = Guard::new("the nodes of the scenario");
                    while !ended.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                        guard.run(|| talk.turn(&orders));
                    }
                    drop(talk);
                    progress.note();
                }
                Err(problems) => drop(ready.send(Err(problems))),
            }
        })?;
        Ok(())
    }

    fn order(&mut self, order: Order) {
        if let Some(orders) = &self.orders {
            // A node that has ended carries nothing out.
            drop(orders.send(order));
        }
    }

    fn play(&mut self, number: usize, message: &[u8]) -> bool {
        self.played.get(&number).is_some_and(|publisher| publisher.publish_raw(message).is_ok())
    }

    fn heard(&mut self) -> Vec<Heard> {
        self.heard.as_ref().map_or_else(Vec::new, |heard| heard.try_iter().collect())
    }
}

impl Drop for RosPeers {
    /// Asks the thread to end, and waits for nothing: whatever the middleware does, the end of the simulation's node bounds the wait.
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Begins a thread that talks with the nodes beside the simulation, and waits until it says that it is ready, or why it cannot be.
///
/// # Errors
/// What it says; or it has said nothing within that time.
fn begin_talk<T: Send + 'static>(
    guests: &Guests,
    within: Duration,
    talk: impl FnOnce(mpsc::Sender<Result<T, Diagnostics>>) + Send + 'static,
) -> Result<T, Diagnostics> {
    let (ready, is_ready) = mpsc::channel();
    let thread = std::thread::Builder::new().name("ros-scenario".to_owned()).spawn(move || talk(ready));
    guests.admit(thread.map_err(|cause| error::thread(&cause))?);
    is_ready.recv_timeout(within).unwrap_or_else(|cause| {
        let found = match cause {
            mpsc::RecvTimeoutError::Timeout => {
                format!("the middleware did not create the scenario's node within {} s", within.as_secs_f64())
            }
            mpsc::RecvTimeoutError::Disconnected => "the thread of the scenario has ended".to_owned(),
        };
        Err(Diagnostic::new("ROS", found).into())
    })
}

/// The names of the vehicles, and how they are resolved.
struct Names {
    resolver: Resolver,
    vehicles: Vec<(String, VehicleNames)>,
    /// The frame of goals and poses.
    map_frame: String,
}

impl Names {
    fn of(scene: &Scene, surroundings: &Surroundings) -> Names {
        let mut naming = surroundings.naming.clone();
        let named = naming.names_in(scene);
        let vehicles = scene
            .vehicles
            .iter()
            .zip(named)
            .map(|(vehicle, names)| (vehicle.name.clone(), names.with_tf((surroundings.tf_mode)(&vehicle.name))));
        Names { resolver: surroundings.resolver.clone(), vehicles: vehicles.collect(), map_frame: naming.map_frame() }
    }

    fn vehicle(&self, vehicle: &str) -> Option<&VehicleNames> {
        self.vehicles.iter().find(|(name, _)| name == vehicle).map(|(_, names)| names)
    }

    /// The full name of a topic, a service, an action or a node in the namespace of a vehicle.
    fn full(&self, vehicle: &str, name: &str) -> String {
        let below = self.vehicle(vehicle).map_or_else(|| name.to_owned(), |names| names.topic(name));
        self.resolver.resolve(&below)
    }
}

/// The node and all that it talks of.
struct Talk {
    node: Node,
    names: Names,
    clock: Box<dyn Fn() -> SimTime + Send>,
    tell: mpsc::Sender<Heard>,
    goals: Goals,
    nodes: Nodes,
    topics: Topics,
    publications: Publications,
    /// Until the simulation takes them.
    played: Played,
}

impl Talk {
    /// The node, with what the scenario needs.
    fn begin(
        context: &Context,
        names: Names,
        needs: &[Need],
        clock: Box<dyn Fn() -> SimTime + Send>,
        tell: mpsc::Sender<Heard>,
    ) -> Result<Talk, Diagnostics> {
        let node = Node::create(context.clone(), NODE, "")
            .map_err(|cause| Diagnostic::new("ROS node", format!("cannot be created: {cause}")))?;
        let (goals, nodes) = (Goals::default(), Nodes::default());
        let (topics, publications) = (Topics::default(), Publications::default());
        let mut talk = Talk { node, names, clock, tell, goals, nodes, topics, publications, played: Played::new() };
        let mut wrong = Vec::new();
        for need in needs {
            let done = talk.meet(need);
            wrong.extend(done.err().map(|diagnostic| diagnostic.at(&need.place)));
        }
        if wrong.is_empty() { Ok(talk) } else { Err(Diagnostics(wrong)) }
    }

    fn meet(&mut self, need: &Need) -> Result<(), Diagnostic> {
        let (node, vehicle) = (&mut self.node, need.vehicle.as_str());
        let is_absolute = match &need.kind {
            NeedOf::Parameters(name)
            | NeedOf::Lifecycle(name)
            | NeedOf::Topic { name, .. }
            | NeedOf::Poses { topic: name, .. }
            | NeedOf::Publish { topic: name, .. } => name.starts_with('/'),
            NeedOf::Play { .. } => true,
            NeedOf::Goals(_) | NeedOf::InitialPose | NeedOf::Correction => false,
        };
        if !is_absolute && self.names.vehicle(vehicle).is_none() {
            let found = format!("\"{vehicle}\" does not exist at the start, so its topics are unknown");
            return Err(Diagnostic::new("vehicle", found).hint("a name with a leading slash needs no vehicle"));
        }
        match &need.kind {
            NeedOf::Goals(goal) => self.goals.prepare(node, &self.names, vehicle, goal),
            NeedOf::InitialPose => self.publications.prepare(node, &self.names.full(vehicle, pose::TOPIC), pose::KIND),
            NeedOf::Play { number, topic, kind, is_requested } => {
                match publications::for_recorded(node, &self.names.resolver.resolve(topic), kind) {
                    Ok(publisher) => drop(self.played.insert(*number, publisher)),
                    Err(diagnostic) if *is_requested => return Err(diagnostic),
                    Err(diagnostic) => {
                        let diagnostic = diagnostic.at("not played").at(&need.place);
                        tracing::warn!(diagnostic = diagnostic.as_value());
                    }
                }
                Ok(())
            }
            NeedOf::Publish { topic, kind, message } => {
                publications::check(kind, message)?;
                self.publications.prepare(node, &self.names.full(vehicle, topic), kind)
            }
            NeedOf::Parameters(name) => self.nodes.prepare(node, &self.names.full(vehicle, name)),
            NeedOf::Lifecycle(name) => self.nodes.watch(node, &self.names, vehicle, name),
            NeedOf::Topic { watch, name, stamped } => {
                self.topics.watch(*watch, self.names.full(vehicle, name), *stamped);
                Ok(())
            }
            NeedOf::Poses { watch, topic } => {
                self.topics.read_poses(*watch, self.names.full(vehicle, topic));
                Ok(())
            }
            NeedOf::Correction => self.topics.follow_corrections(node, &self.names, vehicle),
        }
    }

    /// Takes the orders that have come in, and what was heard.
    fn turn(&mut self, orders: &mpsc::Receiver<Order>) {
        self.node.spin_once(SPIN);
        let mut heard = Vec::new();
        for order in orders.try_iter() {
            let done = self.carry_out(&order, &mut heard);
            heard.extend(done.err().map(|diagnostic| Heard::Refused(diagnostic.at(order.action).at(&order.place))));
        }
        let now = (self.clock)();
        self.goals.turn(&self.node, now, &self.names.map_frame, &mut heard);
        self.nodes.turn(&self.node, &mut heard);
        self.publications.turn(&self.node, &mut heard);
        self.topics.turn(&mut self.node, &self.names.map_frame, &mut heard);
        for heard in heard {
            // A scenario that has ended needs none.
            let _ = self.tell.send(heard);
        }
    }

    fn publish(&mut self, order: &Order, topic: String, message: Value, heard: &mut Vec<Heard>) {
        let waiting = Waiting::of(order, Addressee::Subscriber(topic.clone()));
        self.publications.publish(topic, message, waiting, heard);
    }

    fn carry_out(&mut self, order: &Order, heard: &mut Vec<Heard>) -> Result<(), Diagnostic> {
        let full = |name: &str| self.names.full(&order.vehicle, name);
        match &order.kind {
            OrderOf::Send { number, goal } => {
                let name = full(goals::action(goal).1);
                let waiting = Waiting::of(order, Addressee::ActionServer(name.clone()));
                self.goals.send(&name, *number, goal.clone(), waiting)
            }
            OrderOf::Cancel(number) => {
                self.goals.cancel(*number, heard);
                Ok(())
            }
            OrderOf::InitialPose { pose, variances } => {
                let message = pose::initial_pose_json(&self.names.map_frame, order.now, *pose, *variances);
                self.publish(order, full(pose::TOPIC), message, heard);
                Ok(())
            }
            OrderOf::Publish { topic, kind, message } => {
                let message = publications::with_stamp(kind, message, order.now);
                self.publish(order, full(topic), message, heard);
                Ok(())
            }
            OrderOf::SetParameters { node, values } => {
                let name = full(node);
                let waiting = Waiting::of(order, Addressee::Node(name.clone()));
                self.nodes.set(&name, values.clone(), waiting)
            }
            OrderOf::ChangeState { node, transition } => {
                let name = full(node);
                let waiting = Waiting::of(order, Addressee::Node(name.clone()));
                self.nodes.change(&name, *transition, waiting)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_middleware_that_hangs_holds_up_neither_the_begin_of_a_scenario_nor_its_end() {
        let guests = Guests::default();
        let (hold, held) = mpsc::channel::<()>();
        let begun = begin_talk::<()>(&guests, Duration::from_millis(10), move |ready| {
            // It ends with the sender.
            let _ = held.recv();
            drop(ready);
        });
        let actual = begun.unwrap_err().to_string();
        assert_eq!(actual, "ROS: the middleware did not create the scenario's node within 0.01 s");
        let threads = guests.take();
        assert!(!threads[0].is_finished(), "the end of the node has it to wait for");
        drop(hold);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let died = begin_talk::<()>(&guests, MAX_BEGIN, drop).unwrap_err().to_string();
        assert_eq!(died, "ROS: the thread of the scenario has ended");
        assert_eq!(begin_talk(&guests, MAX_BEGIN, |ready| drop(ready.send(Ok(())))), Ok(()));
    }
}
