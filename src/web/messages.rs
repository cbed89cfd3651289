//! What server and page say to each other besides states and scans: JSON, the same over WebSocket and REST.
//!
//! A binary message begins with a byte for its kind: 1 [`Greeting`], 2 [`SceneView`](crate::view::scene::SceneView),
//! 3 a state ([`delta`](crate::view::delta)), 4 a scan ([`points`](crate::view::points)), 5 [`Status`], 6 [`Answer`], 7 [`Notice`]; where it
//! is JSON, that follows as UTF-8. Text messages to the server are [`Envelope`]s.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::view::channels::Layout;

/// The WebSocket subprotocol, which names the version of all this.
pub const PROTOCOL: &str = "skidpad.v1";

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
    /// What is shown.
    pub mode: Mode,
    /// Whether orders are refused.
    pub read_only: bool,
    /// What states consist of.
    pub layout: Layout,
    /// Differs from run to run: a page that reconnects sees whether the server is another one.
    pub run: String,
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

/// How things go; sent when it changes, and at least once a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Status {
    /// Whether time stands.
    pub paused: bool,
    /// Simulated seconds per second that are wanted; none: as many as possible.
    pub rate: Option<f64>,
    /// Simulated seconds per second over the last second.
    pub real_time_factor: f64,
    /// Simulated time [s].
    pub time: f64,
    /// Number of viewers.
    pub viewers: u32,
    /// How often all went back to the start after some steps, in this run: whoever drives lets go then.
    pub resets: u32,
    /// Of a recording: from when to when it is [s].
    pub span: Option<Span>,
    /// Whether the simulation has ended, or the recording is at its end.
    pub ended: bool,
}

/// From when to when [s].
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
    /// Comes back in the answer.
    pub id: u32,
    /// What is asked.
    pub order: Order,
}

/// What can be asked. Also what has no fields has braces: serde would take unknown fields there otherwise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, derive(TS))]
pub enum Order {
    /// Which states and scans to send to this viewer; over WebSocket only.
    Watch {
        /// States per second of wall time, 0.01 to 60; 0: none.
        rate: f64,
        /// Which scans.
        points: Points,
        /// Only every so many-th beam, at least 1.
        stride: u16,
    },
    /// Time stands from now on.
    Pause {},
    /// Time goes on.
    Resume {},
    /// So many steps while time stands, 1 to 100 000.
    Step {
        /// How many.
        count: u32,
    },
    /// Everything back to where it started.
    Reset {},
    /// Change the speed of time.
    SetRate {
        /// Simulated seconds per second, 0.001 or more; none: as many as possible.
        rate: Option<f64>,
    },
    /// Tell a vehicle to move; repeat it at least every 0.5 s of wall time, or it is told to stand.
    Drive {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
        /// Speed [m/s], negative: backwards.
        speed: f64,
        /// Of a vehicle that steers: steering angle [rad], positive to the left; of others: yaw rate [rad/s].
        turn: f64,
    },
    /// Push a vehicle's pedals; repeat as above.
    Pedals {
        /// Id of the vehicle.
        #[cfg_attr(test, ts(type = "number"))]
        vehicle: u64,
        /// Throttle, 0 to 1.
        throttle: f64,
        /// Brake, 0 to 1.
        brake: f64,
        /// Whether the lever is at reverse.
        reverse: bool,
        /// Steering angle [rad], positive to the left.
        steering_angle: f64,
    },
    /// Put a vehicle or a block elsewhere, at rest.
    Place {
        /// Its id.
        #[cfg_attr(test, ts(type = "number"))]
        entity: u64,
        /// Where [m]; it comes to stand on the ground.
        x: f64,
        /// See there.
        y: f64,
        /// Of several floors the one at or below this height [m]; none: the one that it is on.
        z: Option<f64>,
        /// Heading [rad].
        yaw: f64,
    },
    /// Of a recording: go to this time [s].
    Seek {
        /// When.
        time: f64,
    },
}

/// Which scans a viewer wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(TS))]
pub enum Points {
    /// None.
    #[default]
    None,
    /// Those of all vehicles.
    All,
    /// Those of the vehicle with this id.
    Vehicle(#[cfg_attr(test, ts(type = "number"))] u64),
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Answer {
    /// That of the envelope; 0 over REST.
    pub id: u32,
    /// Why not; none: it is done.
    pub error: Option<String>,
    /// Simulated time at which it was done [s].
    pub time: Option<f64>,
}

/// Something that viewers should read.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Notice {
    /// `info`, `warning` or `error`.
    pub level: String,
    /// For people.
    pub text: String,
}
