//! The ROS 2 node around a running simulation. The only part of the crate that knows r2r.
//!
//! ```text
//!  simulation thread           publisher thread           spin thread                   one thread per vehicle
//!  RosSink::frame ── queue ──▶ Publishers::run ──▶ DDS    Node::spin_once ◀── DDS       VehicleListener ◀── DDS
//!        ▲                            └─ Job ─▶ Fleet: vehicles added and removed ───────────▶ │
//!        └────────────────────── Outbox ◀── services, on the tasks thread ◀─┘                 │
//!                                   ▲─────────────────────────── CommandSender ◀──────────────┘
//! ```
//!
//! A `TopicLayout` says which vehicles have which topics. The sink builds a new one when the scene changes. It travels with the snapshots, so that the
//! publisher thread knows which vehicles their data belongs to, and from there to the thread that owns the node.
//!
//! Names are relative except `/clock` (and those of presets), so that namespaces and remapping rules work; all messages of one step
//! carry the stamp of its frame.
//!
//! A module that serves services or parameters on the node is called in `lifecycle::start::serve`, with the node, the outbox and the tasks.
//! A module that publishes from snapshots is a `NodeOutput` (`publish/publishers.rs`), created in `lifecycle::start::outputs`, or once for every vehicle that is added
//! a `VehicleOutput`, created by a line in `OUTPUTS` (`publish/vehicle.rs`).
mod commands;
mod control;
mod convert;
mod diagnostics;
mod error;
mod graph;
mod lifecycle;
mod markers;
pub mod node;
mod nul_safe;
mod parameters;
pub mod publish;
pub mod rosout;
mod services;
mod throttle;

use std::sync::Arc;

pub use control::Origin;
pub use error::RosError;
pub use lifecycle::bridge::Bridge;
pub use lifecycle::shutdown::Ended;
pub use lifecycle::start::start;
pub use parameters::listing::parameter_table;
pub use parameters::preset_parameters::variables;

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
    /// The vehicle whose built-in driver follows a trajectory; the state of that driver is published.
    pub driven: Option<usize>,
    /// Gains and geometry of that driver's tracker.
    pub tracker: Option<TrackerParameters>,
    /// Receives the topics of external trackers for a recording; none without a recording.
    pub listener: Option<ExternalInput>,
    /// Where the simulation comes from, for the `simulation_interfaces` services.
    pub origin: Origin,
}
