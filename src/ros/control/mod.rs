//! The standard `simulation_interfaces`: how tools for any simulator control this one.
//!
//! What a call means is told without ROS in the files beside `adapter`: requests and answers in types of their own, codes and
//! reasons of the standard. Only `adapter` knows the messages. They are those of the version of the package that skidpad was built
//! with (see `build.rs`); without the package the node runs without these services and says so.

#![cfg_attr(not(simulation_interfaces), allow(dead_code, reason = "only the adapter calls, which is left out then"))]

#[cfg(simulation_interfaces)]
mod adapter;
mod bounds;
mod entity;
mod features;
mod filter;
mod life;
mod loading;
mod origin;
mod outcome;
mod pose;
mod queries;
mod resource;
mod simulation;
mod spawn;
mod stepping;
mod worlds;

pub use loading::DECLARATIONS;
pub use origin::Origin;

use r2r::Node;

use crate::ros::error::RosError;
use crate::ros::parameters::table::Parameters;
use crate::ros::services::calls::ServiceCalls;
use crate::runner::Outbox;
use crate::xml::nearest;

/// The parameter that says where the services are.
pub const NAMESPACE: &str = "simulation_interfaces_namespace";

/// Offers the services and the action in the namespace of the parameters (`~`: below the name of the node; empty: at the root). Gives their
/// names and what they are, in short.
#[cfg(simulation_interfaces)]
pub fn serve(
    node: &mut Node,
    parameters: &Parameters,
    outbox: &Outbox,
    origin: Origin,
    calls: &mut ServiceCalls,
) -> Result<Option<(String, String)>, RosError> {
    let loads = loading::Loads::new(parameters, origin.folders(), origin.stop.clone());
    let simulation = std::sync::Arc::new(simulation::Simulation::new(outbox.clone(), origin, loads));
    adapter::serve(node, &parameters.word(NAMESPACE), &simulation, calls).map(Some)
}

/// Says that there are no such services.
#[cfg(not(simulation_interfaces))]
pub fn serve(
    _node: &mut Node,
    _parameters: &Parameters,
    _outbox: &Outbox,
    _origin: Origin,
    _calls: &mut ServiceCalls,
) -> Result<Option<(String, String)>, RosError> {
    tracing::info!(
        "the services of simulation_interfaces are off: skidpad was built without that package\n  hint: install \
         ros-{}-simulation-interfaces and build again; cargo says what else it needs",
        r2r::ROS_DISTRO
    );
    Ok(None)
}

/// A hint for a name that is nearly one of these.
fn hint(written: &str, names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    nearest(written, &names).map(|near| format!("\n  hint: did you mean \"{near}\"?")).unwrap_or_default()
}
