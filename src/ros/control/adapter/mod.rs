//! The services and the action of `simulation_interfaces`, in the version that skidpad was built with. Each hands what it is asked to the
//! control and its answer back; nothing is decided here.

mod action;
mod convert;
mod goals;
mod services;
#[cfg_attr(simulation_interfaces = "1", path = "version1.rs")]
#[cfg_attr(simulation_interfaces = "2", path = "version2.rs")]
mod version;

use std::future::Future;
use std::sync::Arc;

use r2r::simulation_interfaces::msg::Result as ResultMessage;
use r2r::{Node, WrappedServiceTypeSupport};
use tokio::runtime::Handle;

use super::outcome::Refusal;
use super::simulation::Simulation;
use crate::ros::error::RosError;
use crate::ros::services::calls::{Answering, Reception};

/// Offers everything in `namespace` and gives a summary: names and what they are.
pub fn serve(
    node: &mut Node,
    namespace: &str,
    simulation: &Arc<Simulation>,
    (reception, tasks): (&mut Reception, &Handle),
) -> Result<(String, String), RosError> {
    let mut desk = Desk { node, namespace, simulation, reception, tasks, offered: 0 };
    services::offer(&mut desk)?;
    action::offer(&mut desk)?;
    let Desk { offered, .. } = desk;
    Ok((name_in(namespace, "…"), format!("simulation_interfaces {}, {offered} services and actions", version::NUMBER)))
}

fn name_in(namespace: &str, name: &str) -> String {
    format!("{}/{name}", namespace.trim_end_matches('/'))
}

/// A response that can say why a call was refused.
trait Refusable: Default {
    /// Says so.
    fn refuse(&mut self, result: ResultMessage);
}

/// Where services are opened.
struct Desk<'a> {
    node: &'a mut Node,
    namespace: &'a str,
    simulation: &'a Arc<Simulation>,
    reception: &'a mut Reception,
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
        answer: impl Fn(Arc<Simulation>, S::Request) -> F + Send + Sync + 'static,
    ) -> Result<(), RosError>
    where
        S: WrappedServiceTypeSupport + 'static,
        S::Request: Send,
        S::Response: Refusable + Send,
        F: Future<Output = S::Response> + Send + 'static,
    {
        let name = self.name(name);
        let (simulation, quitting) = (self.simulation.clone(), self.simulation.clone());
        let answering = Answering {
            answer: move |request| {
                let response = answer(simulation.clone(), request);
                async move { (response.await, ()) }
            },
            refuse: |reason: String| {
                let mut response = S::Response::default();
                response.refuse(convert::result::<()>(&Err(Refusal::failed(reason))));
                response
            },
            answered: move |()| quitting.end_if_quitting(),
        };
        self.reception
            .offer::<S, _, _, _, _, _>(self.node, &name, self.tasks, answering)
            .map_err(|error| RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}")))
    }
}
