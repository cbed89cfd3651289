//! The ROS 2 node around a running simulation. The only part of the crate that knows r2r.
//!
//! ```text
//!  simulation thread           publisher thread           spin thread                   one thread per vehicle
//!  RosSink::frame ── queue ──▶ Publishers::run ──▶ DDS    Node::spin_once ◀── DDS       Ear::listen ◀── DDS
//!        ▲                            └─ Job ─▶ Fleet: who comes and goes ──────────────────▶ │
//!        └────────────────────── Outbox ◀── services, on the tasks thread ◀─┘                 │
//!                                   ▲─────────────────────────── Courier ◀────────────────────┘
//! ```
//!
//! A `Stage` says which vehicles have which topics. The sink makes another one when the scene changes; it travels with the snapshots,
//! so that the publisher thread knows whose numbers they hold, and from there to the thread that owns the node.
//!
//! Names are relative except `/clock` (and those of presets), so that namespaces and remapping rules work; everything that one step produced
//! carries the one stamp of its frame.
//!
//! A module that serves services or parameters on the node is called in `start::serve`, with the node, the outbox and the tasks.
//! A module that publishes from snapshots is a `publish::NodeOutput`, made in `start::outputs`, or once for every vehicle that comes
//! a `vehicle::VehicleOutput`, made by a line in `vehicle::OUTPUTS`.
mod arguments;
mod bridge;
mod calls;
mod clock;
mod context;
mod control;
mod convert;
mod deliver;
mod description;
mod diagnostics;
mod driver;
mod ending;
mod error;
mod fit;
mod fleet;
mod frame_rivals;
mod gains;
mod gate;
mod graph;
mod health;
mod hear;
mod inputs;
mod lines;
mod lockstep;
mod log_topics;
mod markers;
#[cfg(test)]
mod message_tests;
mod names;
pub mod node;
mod own;
mod parameter_services;
mod parameter_table;
mod parameters;
mod presets;
mod publish;
mod qos_overrides;
mod queue;
mod rivals;
pub mod rosout;
mod services;
mod settings;
mod snapshot;
mod spin;
mod stage;
mod start;
mod statistics;
mod subscribe;
mod throttle;
mod topics;
mod transforms;
mod vehicle;

use std::sync::Arc;

pub use bridge::Bridge;
pub use control::Origin;
pub use ending::Ended;
pub use error::RosError;
pub use parameter_table::parameter_table;
pub use presets::variables;
pub use start::start;

use crate::record::ExternalInput;
use crate::runner::Outbox;
use crate::time::{Rate, SimTime};
use crate::tracking::TrackerParameters;
use crate::world::Scene;

/// What the node needs to start.
pub struct Options {
    /// The arguments of the process. `--ros-args` are taken by the client library from the process itself; these tell
    /// what they do to names.
    pub ros_args: Vec<String>,
    /// The world that is simulated.
    pub scene: Arc<Scene>,
    /// Where commands and requests go.
    pub outbox: Outbox,
    /// The rate of the command line; the parameter `rate` overrides it.
    pub rate: Rate,
    /// The period of lockstep [ns] of the command line; the parameters `lockstep…` override it.
    pub lockstep: Option<SimTime>,
    /// Whether there is no viewer.
    pub headless: bool,
    /// The vehicle that follows a trajectory by itself; its driver's doings are published.
    pub driven: Option<usize>,
    /// Gains and geometry of that driver's tracker.
    pub tracker: Option<TrackerParameters>,
    /// Where a recording wants to hear what trackers outside say; none: it does not.
    pub listener: Option<ExternalInput>,
    /// Where the simulation comes from, for those who control it.
    pub origin: Origin,
}
