//! What lies outside the simulation: the nodes beside it, as a scenario sees them, without knowing ROS.
//!
//! A run in the process of a ROS node lends its [`Peers`], to which events hand their [`Order`]s and from which [`Heard`] comes back; a [`Link`]
//! keeps what has been heard. A run without a node has none, and refuses before its first step whatever needs one.

mod absent;
mod goal;
mod known;
mod link;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Vec2};
use skidpad_sim::world::Scene;

pub use absent::Absent;
pub use goal::{Ending, Goal, GoalStatus};
pub use known::{GoalRecord, Known, OrderRecord, TopicRecord};
pub(crate) use link::Giver;
pub use link::Link;

/// The lifecycle state of a node that does its work.
pub(crate) const ACTIVE: &str = "active";

/// The nodes beside a simulation. Nothing here waits for them.
pub trait Peers: Send {
    /// Called once before the first step with all that the scenario may order and watch, each with its place in the file. What can be checked
    /// without the nodes is, and what is to be watched is listened to from now on.
    ///
    /// # Errors
    /// All that cannot be done, with the places.
    fn begin(&mut self, scene: &Scene, needs: &[Need]) -> Result<(), Diagnostics>;

    /// Carries out an order. One that a node has to be there for waits until it is, and until then it is [told](Heard::Absent) who is not there.
    fn order(&mut self, order: Order);

    /// Sends a message, as the middleware has it, on the topic that is [played](NeedOf::Play) by this number; whether it was sent.
    fn play(&mut self, number: usize, message: &[u8]) -> bool;

    /// All that was heard since the last call, in the order of its arrival.
    fn heard(&mut self) -> Vec<Heard>;
}

/// What a scenario needs of the nodes beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// What it is.
    pub kind: NeedOf,
    /// The vehicle that it is about; names without a slash in front are in its namespace.
    pub vehicle: String,
    /// Where the file asks for it, `file:line:column`.
    pub place: String,
}

/// The kinds of needs.
#[derive(Clone, Debug, PartialEq)]
pub enum NeedOf {
    /// Goals of this kind may be sent; the goal is an example.
    Goals(Goal),
    /// An initial pose may be given.
    InitialPose,
    /// Parameters of this node may be set.
    Parameters(String),
    /// The lifecycle state of this node is watched, and may be changed.
    Lifecycle(String),
    /// Messages of a topic are counted; with `stamped` their stamps are read.
    Topic {
        /// Its number, which [`Heard::Message`] names.
        watch: usize,
        /// Its name.
        name: String,
        /// Whether the stamps are needed.
        stamped: bool,
    },
    /// The transform from the map to the vehicle's odometry is followed.
    Correction,
    /// The poses of a topic are read: messages `PoseWithCovarianceStamped` or `PoseStamped` in the frame of the map.
    Poses {
        /// Its number, which [`Heard::Pose`] names.
        watch: usize,
        /// Its name.
        topic: String,
    },
    /// Recorded messages are sent.
    Play {
        /// Its number, which [`Peers::play`] names.
        number: usize,
        /// Full name of the topic.
        topic: String,
        /// Type of its messages, `package/msg/Name`.
        kind: String,
        /// Whether the scenario asks for the topic; others are left out where their type is not known.
        is_requested: bool,
    },
    /// A message may be sent.
    Publish {
        /// Name of its topic.
        topic: String,
        /// Its type, `package/msg/Name`.
        kind: String,
        /// Its fields by name.
        message: serde_json::Map<String, serde_json::Value>,
    },
}

/// What an event has others do.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Its number among the orders of the run.
    pub number: usize,
    /// The action of the event, for messages.
    pub action: &'static str,
    /// Where the file asks for it, `file:line:column`.
    pub place: String,
    /// When it was given.
    pub now: SimTime,
    /// What is to be done.
    pub kind: OrderOf,
    /// The vehicle that it is about.
    pub vehicle: String,
}

/// The kinds of orders.
#[derive(Clone, Debug, PartialEq)]
pub enum OrderOf {
    /// A goal is sent, as soon as its server is there.
    Send {
        /// Its number.
        number: usize,
        /// The goal.
        goal: Goal,
    },
    /// The goal of this number is cancelled.
    Cancel(usize),
    /// The vehicle is told where it is.
    InitialPose {
        /// Its pose in the map [m, rad].
        pose: Pose2,
        /// Variances of x and y [m²] and of the yaw [rad²].
        variances: [f64; 3],
    },
    /// Parameters of a node are set.
    SetParameters {
        /// Its name.
        node: String,
        /// Their values.
        values: BTreeMap<String, Parameter>,
    },
    /// The lifecycle state of a node is changed.
    ChangeState {
        /// Its name.
        node: String,
        /// The transition.
        transition: Transition,
    },
    /// A message is sent, as soon as somebody listens; a newer one on its topic takes its place until then.
    Publish {
        /// Name of its topic.
        topic: String,
        /// Its type, `package/msg/Name`.
        kind: String,
        /// Its fields by name; those that are missing are 0 or empty, and a stamp the time of the order.
        message: serde_json::Map<String, serde_json::Value>,
    },
}

/// The value of a parameter of a node.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(untagged, expecting = "true, false, a number, a text, or a list of one kind of them")]
pub enum Parameter {
    /// A flag.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Flags.
    Flags(Vec<bool>),
    /// Whole numbers.
    Wholes(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
}

/// A transition of a managed node, by the names of ROS 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transition {
    /// Unconfigured to inactive.
    Configure,
    /// Inactive to unconfigured.
    Cleanup,
    /// Inactive to active.
    Activate,
    /// Active to inactive.
    Deactivate,
    /// From any state to finalized.
    Shutdown,
}

impl Transition {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Transition::Configure => "configure",
            Transition::Cleanup => "cleanup",
            Transition::Activate => "activate",
            Transition::Deactivate => "deactivate",
            Transition::Shutdown => "shutdown",
        }
    }
}

/// What comes back.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// Something that is not as one would expect, and changes nothing.
    Remark(Diagnostic),
    /// Whoever the order of this number is for is not there yet; none: is there now, or nobody has to be there any more. Each order that waits for
    /// somebody ends with the latter.
    Absent {
        /// The number of the order.
        order: usize,
        /// Who is not there.
        absent: Option<Absent>,
    },
    /// The goal of this number has gone out: its server is there.
    Sent(usize),
    /// It was accepted.
    Accepted(usize),
    /// It is under way.
    Feedback {
        /// Its number.
        number: usize,
        /// Recoveries so far; none: its action does not tell.
        recoveries: Option<u32>,
        /// Way that is left [m]; none: its action does not tell.
        remaining: Option<f64>,
    },
    /// It has ended.
    Ended {
        /// Its number.
        number: usize,
        /// How.
        ending: Ending,
    },
    /// A node has this lifecycle state, such as `active`.
    Lifecycle {
        /// The name by which it is watched.
        node: String,
        /// The vehicle in whose namespace it is.
        vehicle: String,
        /// The state.
        state: String,
    },
    /// A message of a watched topic has arrived.
    Message {
        /// The number of the watch.
        watch: usize,
        /// Its stamp, if that is read.
        stamp: Option<SimTime>,
    },
    /// A pose of a topic that is read has arrived.
    Pose {
        /// The number of the watch.
        watch: usize,
        /// When the vehicle is said to be there; 0: now.
        stamp: SimTime,
        /// Where, in the map [m].
        position: Vec2,
    },
    /// Where the odometry frame of a vehicle is taken to be in the map [m, rad].
    Correction {
        /// The vehicle.
        vehicle: String,
        /// The transform.
        map_from_odom: Pose2,
    },
    /// An order could not be carried out, or a node has refused it.
    Refused(Diagnostic),
}
