//! The messages between server and page besides states and scans: JSON, the same over WebSocket and REST.
//!
//! A binary message begins with a byte for its kind: 1 [`Greeting`], 2 [`SceneView`](crate::scene::SceneView),
//! 3 a state ([`delta`](crate::delta)), 4 a scan ([`points`](crate::points)), 5 [`Status`], 6 [`Answer`], 7 [`Notice`], 8 a cloud, 9 a picture,
//! 10 a reading ([`sensor_data`](crate::sensor_data)) and 11 a compact scan; JSON follows as UTF-8. Text messages to the server are [`Envelope`]s.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::channels::Layout;
use super::command::CommandView;
use super::editing::{DescriptionView, DocumentView, EditView};

/// The WebSocket subprotocol with the version of the protocol.
pub const PROTOCOL: &str = "skidpad.v1";

/// Number of additions to the protocol so far: a server has what the lower ones have, too. 0: the orders up to [`Order::Seek`]; 1: those up to
/// [`Order::Shutdown`]; 2: those up to [`Order::Save`]; 3: `sideways` of [`Order::Drive`], warnings of
/// the run as [`Notice`]s; 4: `numbers` of [`Order::Watch`], [`Order::New`], edits that leave the rest of the world as it is, and what they say;
/// 5: [short](super::scene::SceneView::shortened) scenes; 6: [labels](super::sensor_data::ViewCloud::labels) of clouds;
/// 7: [streamed](super::parts::streamed) scenes.
pub const MINOR: u32 = 8;

/// First bytes of binary messages that hold JSON.
pub mod kind {
    /// A [`Greeting`](super::Greeting).
    pub const GREETING: u8 = 1;
    /// A scene.
    pub const SCENE: u8 = 2;
    /// A [`Status`](super::Status).
    pub const STATUS: u8 = 5;
    /// An [`Answer`](super::Answer).
    pub const ANSWER: u8 = 6;
    /// A [`Notice`](super::Notice).
    pub const NOTICE: u8 = 7;
}

/// The first message to a viewer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Greeting {
    /// Version of skidpad.
    pub version: String,
    /// [`MINOR`]; missing: 0.
    pub minor: u32,
    /// Whether a simulation or a recording is shown.
    pub mode: Mode,
    /// Whether orders are refused.
    pub read_only: bool,
    /// Whether the world file can be edited; missing: no.
    pub can_edit: bool,
    /// The channels of states.
    pub layout: Layout,
    /// Unique per run: lets a page that reconnects detect another server.
    pub run: String,
    /// What the load of the world, or of the recording, warned of.
    pub warnings: Vec<String>,
    /// The recording that is shown, or that is being made; missing: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub recording: Option<RecordingView>,
}

/// A recording, and how it was made, as far as that is known: what is not is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RecordingView {
    /// Name of its file, without folders.
    pub file: String,
    /// World file.
    pub world: String,
    /// Seed of all noise, as text: it has more digits than numbers of scripts.
    pub seed: String,
    /// The program that made it: version and commit.
    pub program: String,
    /// All that is known, in lines of a name and a text.
    pub details: Vec<[String; 2]>,
}

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(TS))]
pub enum Mode {
    /// A running simulation.
    #[default]
    Live,
    /// A recording.
    Replay,
}

/// Status of the run; sent when it changes, and at least once a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Status {
    /// Whether simulated time is paused.
    pub paused: bool,
    /// Requested speed of time [simulated seconds per second]; none: as fast as possible.
    pub rate: Option<f64>,
    /// Simulated seconds per second over the last second.
    pub real_time_factor: f64,
    /// Simulated time [s].
    pub time: f64,
    /// Number of viewers.
    pub viewers: u32,
    /// Number of resets after some steps in this run; drivers release their vehicles at a reset.
    pub resets: u32,
    /// Time span of a recording [s].
    pub span: Option<Span>,
    /// Whether the simulation has ended, or the recording is at its end.
    pub ended: bool,
}

/// A time span [s].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Span {
    /// Beginning [s].
    pub start: f64,
    /// End [s].
    pub end: f64,
}

/// A message from a viewer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub struct Envelope {
    /// Repeated in the answer.
    pub id: u32,
    /// The order.
    pub order: Order,
}

/// The orders of viewers. Variants without fields have braces too, so that serde refuses unknown fields.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub enum Order {
    /// What to send to this viewer; over WebSocket only.
    Watch {
        /// States per second of wall time, 0.01 to 60; 0: none.
        rate: f64,
        /// Of which vehicles to send scans.
        points: OfVehicles,
        /// Send every `stride`-th beam only, at least 1.
        stride: u16,
        /// Whether to send the clouds of the same vehicles, too.
        #[serde(default)]
        clouds: bool,
        /// Topics whose pictures to send, at most [`MAX_PICTURES`].
        #[serde(default)]
        pictures: Vec<WatchedTopic>,
        /// Id of the vehicle whose poses, ranges, fixes and contacts to send, too; none: of no vehicle.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, type = "number"))]
        readings: Option<u64>,
        /// Of which vehicles to send all numbers and exact scans. Of the others come the numbers that pictures show
        /// ([`Layout::seen`](crate::channels::Layout::seen)), and compact scans.
        #[serde(default = "OfVehicles::all")]
        #[cfg_attr(test, ts(optional, as = "Option<OfVehicles>"))]
        numbers: OfVehicles,
    },
    /// Pause simulated time.
    Pause {},
    /// Resume simulated time.
    Resume {},
    /// Make `count` steps while paused, 1 to 100 000.
    Step {
        /// How many.
        count: u32,
    },
    /// Reset everything to the start.
    Reset {},
    /// Change the speed of time.
    SetRate {
        /// Simulated seconds per second, 0.001 or more; none: as fast as possible.
        rate: Option<f64>,
    },
    /// Drive a vehicle; to be repeated at least every 0.5 s of wall time, or the vehicle is stopped.
    Drive {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
        /// Speed [m/s], negative: backwards.
        speed: f64,
        /// Steering angle [rad] of a steered vehicle, positive to the left; yaw rate [rad/s] of others.
        turn: f64,
        /// Speed to the left [m/s], of vehicles that move sideways.
        #[serde(default)]
        sideways: f64,
    },
    /// Operate a vehicle's pedals; to be repeated as above.
    Pedals {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
        /// Throttle, 0 to 1.
        throttle: f64,
        /// Brake, 0 to 1.
        brake: f64,
        /// Whether reverse is selected.
        reverse: bool,
        /// Steering angle [rad], positive to the left.
        steering_angle: f64,
    },
    /// Move a vehicle or a block to another pose, at rest.
    Place {
        /// Id of the vehicle or block.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
        /// x [m]; its height follows from the ground.
        x: f64,
        /// y [m].
        y: f64,
        /// Selects, of several floors, the one at or below this height [m]; none: the current one.
        z: Option<f64>,
        /// Heading [rad].
        yaw: f64,
        /// Velocity in its frame: vx, vy [m/s], yaw rate [rad/s]; none: at rest.
        #[cfg_attr(test, ts(optional))]
        velocity: Option<[f64; 3]>,
    },
    /// Seek to this time of a recording.
    Seek {
        /// Time [s].
        time: f64,
    },
    /// Command a vehicle; to be repeated as [`Order::Drive`].
    Command {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
        /// The command.
        #[cfg_attr(test, ts(type = "CommandView"))]
        command: CommandView,
    },
    /// Add a vehicle or a block; the answer has its name.
    Spawn {
        /// A class of the world, or XML with a `<vehicle>` or a `<block>`, or one class of either.
        what: String,
        /// Its name; empty: a free one made from the class, or the one in the XML.
        name: String,
        /// x [m].
        x: f64,
        /// y [m].
        y: f64,
        /// Selects, of several floors, the highest that is not above half of the body, counted from this height [m]; none: from 0, and the
        /// lowest plane where all are higher.
        z: Option<f64>,
        /// Heading [rad].
        yaw: f64,
    },
    /// Remove a vehicle or a block.
    Remove {
        /// Id of the vehicle or block.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
    },
    /// Read the parameters of a vehicle's controller, which are in the answer.
    Parameters {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
    },
    /// Change a parameter of a vehicle's controller; a reset keeps it.
    SetParameter {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
        /// Name of the parameter.
        name: String,
        /// New value of the parameter, in its unit.
        value: f64,
    },
    /// End the run.
    Shutdown {},
    /// Edit the world file, and the running world with it; the answer has the document.
    Edit {
        /// The edit.
        edit: EditView,
        /// Whether it may overwrite expressions and variables.
        #[serde(default)]
        overwrite: bool,
    },
    /// Take the last edit back.
    Undo {},
    /// Repeat the last edit that was taken back.
    Redo {},
    /// Read the state of the document, and what can be added to it; both are in the answer.
    Document {},
    /// Read what of a body can be edited, which is in the answer.
    Describe {
        /// Id of the body.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
    },
    /// Write the document to its file, or to a new one.
    Save {
        /// Name of a new file in the folder for edited worlds; none: the file of the document.
        file: Option<String>,
    },
    /// Write a world with a floor and a robot to a new file, and run and edit that one from now on; the answer has the document.
    New {
        /// Name of the new file in the folder for edited worlds.
        file: String,
        /// Whether edits that are not saved may be lost.
        #[serde(default)]
        discard: bool,
    },
}

/// Most topics whose pictures a viewer can have at the same time.
pub const MAX_PICTURES: usize = 8;

/// A topic of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub struct WatchedTopic {
    /// Id of the vehicle.
    #[cfg_attr(test, ts(type = "number"))]
    pub vehicle: u64,
    /// Index of the sensor on it.
    pub sensor: u32,
    /// Index of the topic in the sensor's list.
    pub topic: u32,
}

/// Of which vehicles a viewer wants something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(TS))]
pub enum OfVehicles {
    /// Of none.
    #[default]
    None,
    /// Of all.
    All,
    /// Of the vehicle with this id.
    Vehicle(#[cfg_attr(test, ts(type = "number"))] u64),
}

impl OfVehicles {
    /// Of all: what viewers get that do not say.
    fn all() -> OfVehicles {
        OfVehicles::All
    }
}

/// Result of an order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Answer {
    /// Id of the envelope; 0 over REST.
    pub id: u32,
    /// Why it failed; none on success.
    pub error: Option<String>,
    /// Simulated time at which it was carried out [s].
    pub time: Option<f64>,
    /// Name of what was spawned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    /// The parameters that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub parameters: Option<Vec<ParameterView>>,
    /// The edited document.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub document: Option<DocumentView>,
    /// The body that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<DescriptionView>,
    /// What else was done, in sentences.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub note: Option<String>,
}

impl Answer {
    /// The answer to the order with this id.
    pub fn new(id: u32, result: Result<Done, String>) -> Answer {
        match result {
            Ok(Done { time, name, parameters, document, description, note }) => {
                Answer { id, error: None, time: Some(time), name, parameters, document, description, note }
            }
            Err(error) => Answer { id, error: Some(error), ..Answer::default() },
        }
    }
}

/// What an order has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// Simulated time at which it was carried out [s].
    pub time: f64,
    /// Name of what was spawned.
    pub name: Option<String>,
    /// The parameters that were asked for.
    pub parameters: Option<Vec<ParameterView>>,
    /// The edited document.
    pub document: Option<DocumentView>,
    /// The body that was asked for.
    pub description: Option<DescriptionView>,
    /// What else was done, in sentences.
    pub note: Option<String>,
}

impl From<f64> for Done {
    /// Carried out at this simulated time [s], with nothing else to say.
    fn from(time: f64) -> Done {
        Done { time, ..Done::default() }
    }
}

/// A parameter of a controller.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ParameterView {
    /// Name.
    pub name: String,
    /// Description, with the unit.
    pub help: String,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// Current value.
    pub value: f64,
}

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Notice {
    /// `info`, `warning` or `error`.
    pub level: String,
    /// The text.
    pub text: String,
    /// Simulated time of a warning of the run [s]; none: it is of this moment.
    pub time: Option<f64>,
    /// Counts the warnings of the run, from 1: a viewer that connects again gets the last ones again. 0: not such a warning.
    #[cfg_attr(test, ts(type = "number"))]
    pub number: u64,
}
