//! The standard `simulation_interfaces`: how tools for any simulator control this one.
//!
//! Only `adapter` knows the messages, which differ between versions of the package; skidpad uses those of the version that it was built
//! with (see `build.rs`). The files beside `adapter` implement the calls without ROS, with request and response types of their own and
//! the result codes of the standard. Without the package the node runs without these services and logs that they are off.

#![cfg_attr(not(simulation_interfaces), allow(dead_code, reason = "only the adapter calls, which is left out then"))]

#[cfg(simulation_interfaces)]
mod adapter;
mod bounds;
mod entity;
mod features;
mod filter;
mod loader;
mod origin;
mod outcome;
mod pose;
mod queries;
mod resource;
mod run_state;
mod simulation;
mod spawn;
mod stepping;
mod world_list;
mod worlds;

use r2r::Node;
use skidpad_files::nearest::did_you_mean;
use skidpad_ros_data::preset::Preset;
use skidpad_run::runner::Outbox;

use crate::error::RosError;
use crate::parameters::table::Parameters;
use crate::publish::wall_stamps::SharedStamps;
use crate::service_calls::ServiceCalls;
pub use loader::DECLARATIONS;
pub use origin::Origin;

/// The parameter with the namespace of the services.
pub(crate) const NAMESPACE: &str = "simulation_interfaces_namespace";

/// The header of the states that the services give.
pub struct StateHeader {
    /// The frame of the map, in which poses are.
    pub map_frame: String,
    /// The stamps in place of those of simulated time, if there are any.
    pub stamps: Option<SharedStamps>,
}

/// Offers the services and the action in the namespace of the parameters (`~`: below the name of the node; empty: at the root). Returns a
/// summary: the pattern of their names, and what they provide. The states that they give have `header`.
#[cfg(simulation_interfaces)]
pub fn serve(
    node: &mut Node,
    parameters: &Parameters,
    preset: &'static Preset,
    outbox: &Outbox,
    origin: Origin,
    calls: &mut ServiceCalls,
    header: StateHeader,
) -> Result<Option<(String, String)>, RosError> {
    let loader = loader::Loader::new(parameters, origin.folders(), origin.stop.clone());
    let simulation = simulation::Simulation::new(outbox.clone(), origin, loader, preset, header);
    let simulation = std::sync::Arc::new(simulation);
    adapter::serve(node, &parameters.word(NAMESPACE), &simulation, calls).map(Some)
}

/// Logs that the services are off.
#[cfg(not(simulation_interfaces))]
pub fn serve(
    _node: &mut Node,
    _parameters: &Parameters,
    _preset: &'static Preset,
    _outbox: &Outbox,
    _origin: Origin,
    _calls: &mut ServiceCalls,
    _header: StateHeader,
) -> Result<Option<(String, String)>, RosError> {
    tracing::info!(
        "the services of simulation_interfaces are off: skidpad was built without that package\n  hint: install \
         ros-{}-simulation-interfaces and build again; cargo says what else it needs",
        r2r::ROS_DISTRO
    );
    Ok(None)
}

/// A hint with the most similar of these names; empty if none is similar.
fn hint(written: &str, names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    did_you_mean(written, &names).map(|hint| format!("\n  hint: {hint}")).unwrap_or_default()
}
