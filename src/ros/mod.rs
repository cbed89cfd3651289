//! The ROS 2 node around a running simulation. The only part of the crate that knows r2r.
//!
//! ```text
//!  simulation thread           publisher thread            tasks thread             spin thread
//!  RosSink::frame ── queue ──▶ Publishers::run ──▶ DDS     commands, services  ◀──  Node::spin_once ◀── DDS
//!        ▲                                                       │
//!        └────────────────────── Outbox ◀────────────────────────┘
//! ```
//!
//! Names are relative except `/clock` (and those of presets), so that namespaces and remapping rules work; everything that one step produced
//! carries the one stamp of its frame.
//!
//! A module that serves services or parameters on the node is called in `start::serve`, with the node, the outbox and the tasks.
//! A module that publishes from snapshots is a `publish::NodeOutput`, made in `start::outputs`.
mod arguments;
mod bridge;
mod context;
mod convert;
mod driver;
mod error;
mod gains;
mod hear;
mod lines;
mod names;
pub mod node;
mod parameter_services;
mod parameters;
mod publish;
mod qos_overrides;
mod queue;
pub mod rosout;
mod services;
mod settings;
mod snapshot;
mod spin;
mod start;
mod subscribe;
mod throttle;
mod topics;
mod vehicle;

use std::sync::Arc;

pub use bridge::Bridge;
pub use error::RosError;
pub use start::start;

use crate::record::Listener;
use crate::runner::{Outbox, Rate};
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
    /// Whether there is no viewer.
    pub headless: bool,
    /// The vehicle that follows a trajectory by itself; its driver's doings are published.
    pub driven: Option<usize>,
    /// Gains and geometry of that driver's tracker.
    pub tracker: Option<TrackerParameters>,
    /// Where a recording wants to hear what trackers outside say; none: it does not.
    pub listener: Option<Listener>,
}
