//! Commands from ROS, by the names of the preset: velocities of whichever type their publishers offer, Ackermann commands,
//! pedals, single wheels.
//!
//! A topic has one type; a publisher of another type is not heard, and nothing says so. nav2 changed the type of
//! `cmd_vel` from `Twist` to `TwistStamped` with Kilted, so the node looks at the graph and subscribes to what is
//! offered. To change the type, the old subscription has to go first: Fast DDS refuses two types on one topic within a
//! process. r2r destroys a single subscription only when a further message comes in on it, so the subscriptions
//! that may change live on a node of their own, which is dropped and made anew. It has a thread of its own: waiting takes one message
//! of a topic at a time, and waiting for one node while another's messages pile up would make commands old.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream::BoxStream;
use r2r::ackermann_msgs::msg::AckermannDriveStamped;
use r2r::geometry_msgs::msg::{Twist, TwistStamped};
use r2r::qos::ReliabilityPolicy;
use r2r::skidpad::msg::Pedals as PedalsMessage;
use r2r::std_msgs::msg::Float64;
use r2r::{Context, Node};
use tokio::runtime::Handle;

use super::convert;
use super::error::RosError;
use super::names::Resolver;
use super::spin::SPIN;
use super::throttle::Throttle;
use super::topics::{COMMAND_QOS, VehicleTopics};
use crate::preset;
use crate::runner::{Outbox, Request};
use crate::vehicle::{Action, Command, GearLever, Pedals, WheelTargets};
use crate::world::Scene;

/// The second node's name; the underscore keeps it out of `ros2 node list`.
const COMMAND_NODE: &str = "_skidpad_commands";
/// Type of the topic `ackermann_cmd`.
pub const ACKERMANN_TYPE: &str = "ackermann_msgs/msg/AckermannDriveStamped";
/// Type of the topic `pedals_cmd`.
pub const PEDALS_TYPE: &str = "skidpad/msg/Pedals";
/// Type of the topics of single wheels and hinges.
pub const NUMBER_TYPE: &str = "std_msgs/msg/Float64";
/// Positions of the gear lever in that message, whose constants have types of their own.
const GEARS: [(i8, GearLever); 3] = [
    (PedalsMessage::DRIVE as i8, GearLever::Drive),
    (PedalsMessage::NEUTRAL as i8, GearLever::Neutral),
    (PedalsMessage::REVERSE as i8, GearLever::Reverse),
];
/// What the graph calls a node that it has only half discovered.
const UNKNOWN_NODE: &str = "_NODE_NAME_UNKNOWN_";

/// The message types of `cmd_vel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityType {
    /// geometry_msgs/msg/Twist
    Twist,
    /// geometry_msgs/msg/TwistStamped
    TwistStamped,
}

impl VelocityType {
    const ALL: [VelocityType; 2] = [VelocityType::Twist, VelocityType::TwistStamped];

    /// The type as the graph names it.
    pub fn name(self) -> &'static str {
        match self {
            VelocityType::Twist => "geometry_msgs/msg/Twist",
            VelocityType::TwistStamped => "geometry_msgs/msg/TwistStamped",
        }
    }

    /// What nav2 of this ROS distribution publishes by default.
    pub fn of_distro(distro: &str) -> VelocityType {
        match distro {
            "humble" | "iron" | "jazzy" => VelocityType::Twist,
            _ => VelocityType::TwistStamped,
        }
    }

    /// The type to listen for when `offered` are the types of the publishers: the present one as long as anybody
    /// offers it or nobody offers another.
    fn follow(self, offered: &[&str]) -> VelocityType {
        if offered.contains(&self.name()) {
            return self;
        }
        VelocityType::ALL.into_iter().find(|kind| offered.contains(&kind.name())).unwrap_or(self)
    }
}

/// Listens to the commands of all vehicles.
pub struct Commands {
    context: Context,
    tasks: Handle,
    outbox: Outbox,
    inputs: Vec<Input>,
    /// What speeds of Ackermann commands are multiplied by [-].
    speed_factor: f64,
    /// Holds the subscriptions whose type may change; none when none may.
    changing: Option<Changing>,
    /// Set when `changing` could not be made and has to be tried again.
    broken: bool,
}

/// The node of the subscriptions whose type may change, listening in a thread of its own until it is dropped.
struct Changing {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Changing {
    fn listen(mut node: Node) -> std::io::Result<Changing> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::Builder::new().name("ros-cmd-vel".to_owned()).spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                node.spin_once(SPIN);
            }
        })?;
        Ok(Changing { stop, thread: Some(thread) })
    }
}

impl Drop for Changing {
    /// The node is gone afterwards, which making it anew relies on.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported.
            let _ = thread.join();
        }
    }
}

/// One topic that commands come in on.
struct Input {
    vehicle: usize,
    vehicle_name: String,
    topic: String,
    resolved: String,
    kind: InputKind,
    told: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputKind {
    Velocity(VelocityType, Follow),
    Ackermann,
    Pedals,
    Spin(usize),
    Hinge(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follow {
    Publishers,
    Nobody,
}

impl InputKind {
    fn type_name(self) -> &'static str {
        match self {
            InputKind::Velocity(kind, _) => kind.name(),
            InputKind::Ackermann => ACKERMANN_TYPE,
            InputKind::Pedals => PEDALS_TYPE,
            InputKind::Spin(_) | InputKind::Hinge(_) => NUMBER_TYPE,
        }
    }

    fn changes(self) -> bool {
        matches!(self, InputKind::Velocity(_, Follow::Publishers))
    }
}

impl Commands {
    /// Subscribes to what each vehicle's controller accepts. `cmd_vel_type` is the parameter of that name, and
    /// `speed_factor` what speeds of Ackermann commands are multiplied by [-].
    pub fn new(
        context: Context,
        node: &mut Node,
        (scene, topics): (&Scene, &[VehicleTopics]),
        resolver: &Resolver,
        (cmd_vel_type, speed_factor): (&str, f64),
        (outbox, tasks): (Outbox, Handle),
    ) -> Result<Commands, RosError> {
        let velocity = match cmd_vel_type {
            "twist" => InputKind::Velocity(VelocityType::Twist, Follow::Nobody),
            "twist_stamped" => InputKind::Velocity(VelocityType::TwistStamped, Follow::Nobody),
            _ => InputKind::Velocity(VelocityType::of_distro(r2r::ROS_DISTRO), Follow::Publishers),
        };
        let mut inputs = Vec::new();
        for (index, (vehicle, topics)) in scene.vehicles.iter().zip(topics).enumerate() {
            let mut add = |name: &str, kind| {
                let topic = topics.names.topic(name);
                let resolved = resolver.resolve(&topic);
                let vehicle_name = vehicle.name.clone();
                inputs.push(Input { vehicle: index, vehicle_name, topic, resolved, kind, told: BTreeSet::new() });
            };
            for input in topics.names.preset.inputs {
                let (accepted, kind) = match input.kind {
                    preset::InputKind::Velocity => (vehicle.accepts.twist, velocity),
                    preset::InputKind::Ackermann => (vehicle.accepts.ackermann, InputKind::Ackermann),
                    preset::InputKind::Pedals => (vehicle.accepts.pedals, InputKind::Pedals),
                    preset::InputKind::Spin(wheel) => (vehicle.accepts.wheels, InputKind::Spin(wheel)),
                    preset::InputKind::Hinge(side) => (vehicle.accepts.wheels, InputKind::Hinge(side)),
                };
                if accepted {
                    add(input.name, kind);
                }
            }
        }
        let mut commands = Commands { context, tasks, outbox, inputs, speed_factor, changing: None, broken: false };
        for input in commands.inputs.iter().filter(|input| !input.kind.changes()) {
            commands.subscribe(node, input).map_err(|error| failed(&input.topic, &error))?;
        }
        commands.make_changing().map_err(|error| failed("cmd_vel", &*error))?;
        Ok(commands)
    }

    /// Topic and type of what is listened to, for people to read.
    pub fn interface(&self) -> Vec<(String, String, &'static str)> {
        let show = |input: &Input| (input.vehicle_name.clone(), input.resolved.clone(), input.kind.type_name());
        self.inputs.iter().map(show).collect()
    }

    /// Looks at the graph: follows the types that publishers offer, and tells of publishers that cannot be heard.
    pub fn follow_graph(&mut self, graph: &Node) {
        let mut changed = self.broken;
        for input in &mut self.inputs {
            let Ok(publishers) = graph.get_publishers_info_by_topic(&input.resolved, false) else { continue };
            let offered: Vec<&str> = publishers.iter().map(|publisher| publisher.topic_type.as_str()).collect();
            if let InputKind::Velocity(kind, Follow::Publishers) = input.kind {
                let offers = kind.follow(&offered);
                if offers != kind {
                    tracing::info!("topic \"{}\": now listening for {}", input.resolved, offers.name());
                    input.kind = InputKind::Velocity(offers, Follow::Publishers);
                    changed = true;
                }
            }
            for publisher in &publishers {
                let node = format!("{}/{}", publisher.node_namespace.trim_end_matches('/'), publisher.node_name);
                let listened = input.kind.type_name();
                let complaint = if publisher.topic_type != listened {
                    format!(
                        "node \"{node}\" publishes {} and is not heard\n  accepted: {listened}",
                        publisher.topic_type
                    )
                } else if publisher.qos_profile.reliability == ReliabilityPolicy::BestEffort {
                    format!("node \"{node}\" publishes best effort and is not heard\n  accepted: reliable")
                } else {
                    continue;
                };
                if publisher.node_name != UNKNOWN_NODE && input.told.insert(complaint.clone()) {
                    tracing::warn!("topic \"{}\": {complaint}", input.resolved);
                }
            }
        }
        if changed && let Err(error) = self.make_changing() {
            self.broken = true;
            tracing::warn!("cmd_vel: cannot listen, trying again: {error}");
        }
    }

    /// Drops the node of the changing subscriptions and makes it anew with the types of now.
    fn make_changing(&mut self) -> Result<(), Box<dyn Error>> {
        self.changing = None;
        self.broken = false;
        if !self.inputs.iter().any(|input| input.kind.changes()) {
            return Ok(());
        }
        let mut node = Node::create(self.context.clone(), COMMAND_NODE, "")?;
        for input in self.inputs.iter().filter(|input| input.kind.changes()) {
            self.subscribe(&mut node, input)?;
        }
        self.changing = Some(Changing::listen(node)?);
        Ok(())
    }

    fn subscribe(&self, node: &mut Node, input: &Input) -> r2r::Result<()> {
        let actions: BoxStream<'static, Result<Action, String>> = match input.kind {
            InputKind::Velocity(VelocityType::Twist, _) => {
                node.subscribe::<Twist>(&input.topic, COMMAND_QOS)?.map(|message| Ok(from_twist(&message))).boxed()
            }
            InputKind::Velocity(VelocityType::TwistStamped, _) => node
                .subscribe::<TwistStamped>(&input.topic, COMMAND_QOS)?
                .map(|message| Ok(from_twist(&message.twist)))
                .boxed(),
            InputKind::Ackermann => {
                let factor = self.speed_factor;
                node.subscribe::<AckermannDriveStamped>(&input.topic, COMMAND_QOS)?
                    .map(move |message| Ok(from_ackermann(&message, factor)))
                    .boxed()
            }
            InputKind::Spin(wheel) => {
                let targets = move |value| {
                    let mut targets = WheelTargets::default();
                    targets.spin[wheel] = Some(value);
                    targets
                };
                numbers(node, &input.topic, targets)?
            }
            InputKind::Hinge(side) => {
                let targets = move |value| {
                    let mut targets = WheelTargets::default();
                    targets.hinge[side] = Some(value);
                    targets
                };
                numbers(node, &input.topic, targets)?
            }
            InputKind::Pedals => {
                node.subscribe::<PedalsMessage>(&input.topic, COMMAND_QOS)?.map(|message| from_pedals(&message)).boxed()
            }
        };
        self.tasks.spawn(deliver(actions, input.vehicle, input.resolved.clone(), self.outbox.clone()));
        Ok(())
    }
}

/// Numbers that come in on a topic, each a command to one wheel or hinge.
fn numbers(
    node: &mut Node,
    topic: &str,
    targets: impl Fn(f64) -> WheelTargets + Send + 'static,
) -> r2r::Result<BoxStream<'static, Result<Action, String>>> {
    let messages = node.subscribe::<Float64>(topic, COMMAND_QOS)?;
    Ok(messages.map(move |message| Ok(Action::Wheels(targets(message.data)))).boxed())
}

/// Hands the actions that come in on `topic` to a vehicle, as long as they come; tells why those that are none are not.
async fn deliver(
    mut actions: BoxStream<'static, Result<Action, String>>,
    vehicle: usize,
    topic: String,
    outbox: Outbox,
) {
    let complaint = Arc::new(Mutex::new(Throttle::new(Duration::from_secs(1))));
    let topic = Arc::new(topic);
    while let Some(action) = actions.next().await {
        let meant = action.and_then(|action| match problem(&action) {
            Some(problem) => Err(format!("{problem}: {}", show(&action))),
            None => Ok(action),
        });
        let action = match meant {
            Ok(action) => action,
            Err(problem) => {
                if is_due(&complaint) {
                    tracing::warn!("topic \"{topic}\": command refused, {problem}");
                }
                continue;
            }
        };
        let (topic, complaint) = (topic.clone(), complaint.clone());
        outbox.ask(Request::Command(Command { vehicle, action }), move |answer| {
            if let Err(reason) = answer
                && is_due(&complaint)
            {
                tracing::warn!("topic \"{topic}\": command refused: {reason}");
            }
        });
    }
}

/// Why a command cannot be meant.
pub fn problem(action: &Action) -> Option<String> {
    if !action.is_finite() {
        Some("not finite".to_owned())
    } else if action.is_absurd() {
        Some(format!("beyond {}", Action::LARGEST))
    } else if let Some((pedal, _)) = action.pedal_out_of_range() {
        Some(format!("{pedal} out of 0 to 1"))
    } else {
        None
    }
}

fn is_due(throttle: &Mutex<Throttle>) -> bool {
    throttle.lock().unwrap_or_else(PoisonError::into_inner).is_due(Instant::now())
}

fn from_twist(message: &Twist) -> Action {
    Action::Twist(convert::planar_twist(message))
}

/// What a message asks for; `factor`: of the speed [-].
pub fn from_ackermann(message: &AckermannDriveStamped, factor: f64) -> Action {
    let drive = &message.drive;
    Action::Ackermann { speed: factor * f64::from(drive.speed), steering_angle: f64::from(drive.steering_angle) }
}

fn from_pedals(message: &PedalsMessage) -> Result<Action, String> {
    let Some((_, gear)) = GEARS.into_iter().find(|(number, _)| *number == message.gear) else {
        return Err(format!("no such gear: {}\n  accepted: 0 (DRIVE), 1 (NEUTRAL), -1 (REVERSE)", message.gear));
    };
    let pedals = Pedals { throttle: message.throttle, brake: message.brake, gear };
    Ok(Action::Pedals { pedals, steering_angle: message.steering_angle })
}

fn show(action: &Action) -> String {
    match action {
        Action::Twist(twist) => format!("linear.x {}, linear.y {}, angular.z {}", twist.vx, twist.vy, twist.wz),
        Action::Ackermann { speed, steering_angle } => format!("speed {speed}, steering_angle {steering_angle}"),
        Action::Pedals { pedals, steering_angle } => {
            format!("throttle {}, brake {}, steering_angle {steering_angle}", pedals.throttle, pedals.brake)
        }
        Action::Wheels(targets) => format!("{targets:?}"),
        Action::Teleport(pose) => format!("x {}, y {}, yaw {}", pose.x, pose.y, pose.yaw),
    }
}

fn failed(topic: &str, error: &dyn Error) -> RosError {
    RosError::new(format!("topic \"{topic}\""), format!("cannot subscribe: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Twist2;

    #[test]
    fn the_type_that_publishers_offer_is_followed() {
        use VelocityType::*;
        assert_eq!(Twist.follow(&[]), Twist);
        assert_eq!(Twist.follow(&[TwistStamped.name()]), TwistStamped);
        assert_eq!(TwistStamped.follow(&[Twist.name()]), Twist);
        assert_eq!(TwistStamped.follow(&[Twist.name(), TwistStamped.name()]), TwistStamped);
        assert_eq!(Twist.follow(&["geometry_msgs/msg/Pose"]), Twist);
    }

    #[test]
    fn commands_that_cannot_be_meant_are_refused() {
        let twist = |vx, wz| Action::Twist(Twist2::new(vx, 0.0, wz));
        assert_eq!(problem(&twist(-1e6, 1e6)), None);
        assert_eq!(problem(&twist(0.0, -1e308)).as_deref(), Some("beyond 1000000"));
        assert_eq!(problem(&twist(f64::NAN, 0.0)).as_deref(), Some("not finite"));
        assert_eq!(problem(&twist(f64::INFINITY, 0.0)).as_deref(), Some("not finite"));
        let steer = Action::Ackermann { speed: -1e7, steering_angle: 0.0 };
        assert_eq!(problem(&steer).as_deref(), Some("beyond 1000000"));
        let press = |throttle, brake| Action::Pedals {
            pedals: Pedals { throttle, brake, ..Pedals::default() },
            steering_angle: 0.0,
        };
        assert_eq!(problem(&press(1.0, 0.0)), None);
        assert_eq!(problem(&press(1.1, 0.0)).as_deref(), Some("throttle out of 0 to 1"));
        assert_eq!(problem(&press(0.0, -0.5)).as_deref(), Some("brake out of 0 to 1"));
        assert_eq!(problem(&press(0.0, f64::NAN)).as_deref(), Some("not finite"));
    }

    #[test]
    fn the_gear_lever_has_three_positions() {
        let gear = |gear| from_pedals(&PedalsMessage { throttle: 0.5, gear, ..PedalsMessage::default() });
        for (number, lever) in [(0, GearLever::Drive), (1, GearLever::Neutral), (-1, GearLever::Reverse)] {
            let pedals = Pedals { throttle: 0.5, brake: 0.0, gear: lever };
            assert_eq!(gear(number), Ok(Action::Pedals { pedals, steering_angle: 0.0 }));
        }
        let message = "no such gear: 2\n  accepted: 0 (DRIVE), 1 (NEUTRAL), -1 (REVERSE)";
        assert_eq!(gear(2), Err(message.to_owned()));
    }

    #[test]
    fn distributions_before_kilted_start_with_twist() {
        assert_eq!(VelocityType::of_distro("humble"), VelocityType::Twist);
        assert_eq!(VelocityType::of_distro("jazzy"), VelocityType::Twist);
        assert_eq!(VelocityType::of_distro("lyrical"), VelocityType::TwistStamped);
        assert_eq!(VelocityType::of_distro("rolling"), VelocityType::TwistStamped);
    }
}
