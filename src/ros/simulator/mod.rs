//! The simulator's node: its parameters, services and subscriptions, the publishers and listeners of its vehicles, its threads, and its
//! interface to the rest of the program.

mod bridge;
mod control_mode;
mod fleet;
mod interface_lines;
mod parameters;
mod run_control;
mod spin;
mod start;
mod start_watch;
mod subscriptions;
mod tracker_topics;
mod wrench_service;

use std::sync::Arc;

use skidpad_math::time::{Rate, SimTime};
use skidpad_record::ExternalInput;
use skidpad_run::runner::Outbox;
use skidpad_sim::tracking::TrackerParameters;
use skidpad_sim::world::Scene;

use crate::control::Origin;
pub use bridge::Bridge;
pub use parameters::{parameter_table, variables};
pub use start::start;
pub use start_watch::StartConditions;

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
    /// What has to be there before time begins; none: nothing but what parameters say.
    pub start_when: Option<StartConditions>,
    /// How the run began, for the `simulation_interfaces` services.
    pub origin: Origin,
}
