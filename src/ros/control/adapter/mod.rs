//! The services and the action of `simulation_interfaces`, in the version that skidpad was built with. Each hands what it is asked to the
//! control and its answer back; nothing is decided here.

mod action;
mod convert;
mod services;
#[cfg_attr(simulation_interfaces = "1", path = "version1.rs")]
#[cfg_attr(simulation_interfaces = "2", path = "version2.rs")]
mod version;

use std::future::Future;
use std::sync::Arc;

use futures::StreamExt;
use r2r::{Node, QosProfile, WrappedServiceTypeSupport};
use tokio::runtime::Handle;

use super::simulation::Simulation;
use crate::ros::error::RosError;

/// Calls of one service that are dealt with at a time. Those beyond wait in turn, and what floods the node beyond that is lost.
const AT_A_TIME: usize = 64;

/// Offers everything in `namespace` and gives a summary: names and what they are.
pub fn serve(
    node: &mut Node,
    namespace: &str,
    simulation: &Arc<Simulation>,
    tasks: &Handle,
) -> Result<(String, String), RosError> {
    let mut desk = Desk { node, namespace, simulation, tasks, offered: 0 };
    services::offer(&mut desk)?;
    action::offer(&mut desk)?;
    let Desk { offered, .. } = desk;
    Ok((name_in(namespace, "…"), format!("simulation_interfaces {}, {offered} services and actions", version::NUMBER)))
}

fn name_in(namespace: &str, name: &str) -> String {
    format!("{}/{name}", namespace.trim_end_matches('/'))
}

/// Where services are opened.
struct Desk<'a> {
    node: &'a mut Node,
    namespace: &'a str,
    simulation: &'a Arc<Simulation>,
    tasks: &'a Handle,
    offered: usize,
}

impl Desk<'_> {
    /// The full or relative name of what is called `name`, counted.
    fn name(&mut self, name: &str) -> String {
        self.offered += 1;
        name_in(self.namespace, name)
    }

    /// Offers a service that `answer` answers.
    fn offer<S, F>(
        &mut self,
        name: &str,
        answer: impl Fn(Arc<Simulation>, S::Request) -> F + Send + 'static,
    ) -> Result<(), RosError>
    where
        S: WrappedServiceTypeSupport + 'static,
        F: Future<Output = S::Response> + Send + 'static,
    {
        let name = self.name(name);
        let calls = self
            .node
            .create_service::<S>(&name, QosProfile::services_default())
            .map_err(|error| RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}")))?;
        let simulation = self.simulation.clone();
        self.tasks.spawn(calls.for_each_concurrent(AT_A_TIME, move |call| {
            let (simulation, name) = (simulation.clone(), name.clone());
            let response = answer(simulation.clone(), call.message.clone());
            async move {
                if let Err(error) = call.respond(response.await) {
                    // The caller has gone.
                    tracing::debug!("service \"{name}\": could not answer: {error}");
                }
                simulation.end_if_quitting();
            }
        }));
        Ok(())
    }
}
