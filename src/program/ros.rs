//! The ROS of the program: [`Ros`], which `skidpad-node` provides and `skidpad` does not, and what a run asks of it.
//!
//! So a run is the same code in both programs, and this crate needs no ROS.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::interface::naming::PublishedNaming;
use crate::log_lines::Reader;
use crate::preset::PresetVariable;
use crate::record::Recorder;
use crate::run_args::RunArgs;
use crate::runner::{GracefulShutdown, Outbox};
use crate::scenario::peers::Peers;
use crate::scenario::{Obstacle, Ready};
use crate::sink::Sinks;
use crate::time::Rate;
use crate::tracking::TrackerParameters;
use crate::world::{LoadOptions, World};

static ROS: OnceLock<&'static dyn Ros> = OnceLock::new();

/// What a program with ROS can do.
pub trait Ros: Sync {
    /// The variables of a world that parameters of a preset set, in these arguments of ROS.
    ///
    /// # Errors
    /// The arguments have mistakes.
    fn variables(&self, ros_args: Vec<String>) -> Result<Vec<PresetVariable>, Diagnostics>;

    /// Starts the node of a run, and adds its sinks and the recorder of the run to those of the run.
    ///
    /// # Errors
    /// The node cannot start, or its parameters have mistakes.
    fn start(&self, run: RunOfNode<'_>, sinks: &mut Sinks) -> Result<Box<dyn Node>, Diagnostics>;

    /// Runs one of the nodes around the simulator until `stop` is true; returns what [`Node::shutdown`] does.
    ///
    /// # Errors
    /// The node cannot start, or its parameters have mistakes.
    fn run_node(
        &self,
        name: &str,
        ros_args: Vec<String>,
        stop: Arc<AtomicBool>,
    ) -> Result<Result<bool, Diagnostic>, Diagnostics>;

    /// Restores a terminal that a node has set to read single keys.
    fn restore_terminal(&self);

    /// Passes lines of the log on to `/rosout`.
    fn rosout(&self) -> Reader;
}

/// The node of a run.
pub trait Node {
    /// The other nodes, for a scenario.
    fn peers(&self) -> Box<dyn Peers>;

    /// The names of vehicles as they are published.
    fn naming(&self) -> PublishedNaming;

    /// The speed of time at the start, which a parameter may have set.
    fn rate(&self) -> Rate;

    /// Whether time stands at the start, which a parameter may have set.
    fn starts_paused(&self) -> bool;

    /// The end of the run once `is_requested` is true: its clock continues for a while for its subscribers.
    fn graceful_shutdown(&self, is_requested: Arc<AtomicBool>) -> GracefulShutdown;

    /// The lines with which a run introduces its topics.
    fn interface(&self) -> Vec<String>;

    /// Ends the node; fails when the middleware does not shut down. False: it was still about to when its time was over.
    ///
    /// # Errors
    /// The middleware does not shut down.
    fn shutdown(self: Box<Self>) -> Result<bool, Diagnostic>;
}

/// The vehicle whose driver follows a trajectory, and that driver's tracker.
pub type Driven = (usize, Option<TrackerParameters>);

/// The run that a node belongs to.
pub struct RunOfNode<'a> {
    /// Its arguments.
    pub args: &'a RunArgs,
    /// The arguments of ROS, from `--ros-args` on.
    pub ros_args: Vec<String>,
    /// The file of its world.
    pub path: &'a Path,
    /// Its world.
    pub world: &'a World,
    /// How its world is loaded again.
    pub load: LoadOptions,
    /// True ends the run.
    pub stop: &'a Arc<AtomicBool>,
    /// Takes requests to the run.
    pub outbox: &'a Outbox,
    /// The vehicle that follows a trajectory, if there is one.
    pub driven: Option<Driven>,
    /// What has to be there before time begins, and what then stands in the way.
    pub ready: Option<(&'a Ready, Obstacle)>,
    /// Its recording, if there is one.
    pub recorder: Option<Recorder>,
}

/// Makes this a program with ROS; only the first call counts.
pub fn provide(ros: &'static dyn Ros) {
    ROS.get_or_init(|| ros);
}

/// The ROS of this program, if it has one.
pub(crate) fn of_program() -> Option<&'static dyn Ros> {
    ROS.get().copied()
}

/// The message that `feature` needs ROS, which this program lacks.
pub fn without_ros(feature: &str) -> Diagnostic {
    let message = Diagnostic::new(feature, "this skidpad runs without ROS").accepted("skidpad-ros in the same folder");
    match crate::package::folder() {
        Some(_) => {
            message.hint("the Python package has none: make build in a clone of skidpad gives target/release/skidpad")
        }
        None => message.hint("make build"),
    }
}
