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
//! A `TopicLayout` lists the topics of each vehicle. The sink builds a new one when the scene changes. It travels with the snapshots, so that
//! the publisher thread knows which vehicles their data belongs to, and from there to the thread that owns the node.
//!
//! Names are relative except `/clock` (and those of presets), so that namespaces and remapping rules work; all messages of one step
//! carry the stamp of its frame.
//!
//! A module that offers services on the node is called in `lifecycle::start::start`, with the node, the outbox and `ServiceCalls`.
//! A module that publishes from snapshots implements `NodeOutput` (`publish/output.rs`) and is created in `lifecycle::start::outputs`, or it
//! implements `VehicleOutput` and is created for every added vehicle by an entry of `OUTPUTS` (`publish/vehicle.rs`).
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
mod shared_memory;
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
    /// The arguments of the process, from which names are resolved. The client library reads `--ros-args` from the process itself.
    pub ros_args: Vec<String>,
    /// The world that is simulated.
    pub scene: Arc<Scene>,
    /// Where commands and requests go.
    pub outbox: Outbox,
    /// The rate of the command line; the parameter `rate` overrides it.
    pub rate: Rate,
    /// The lockstep period [ns] of the command line; the parameters `lockstep…` override it.
    pub lockstep: Option<SimTime>,
    /// Whether the command line has time stand at the start; the parameter `paused` overrides it.
    pub paused: bool,
    /// Index of the vehicle whose built-in driver follows a trajectory; the state of that driver is published.
    pub driven: Option<usize>,
    /// Gains and geometry of that driver's tracker.
    pub tracker: Option<TrackerParameters>,
    /// Receives the topics of external trackers for a recording; none without a recording.
    pub listener: Option<ExternalInput>,
    /// How the run began, for the `simulation_interfaces` services.
    pub origin: Origin,
}
