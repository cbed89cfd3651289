//! The services and the action of `simulation_interfaces`, in the version that skidpad was built with. They convert messages and call the
//! methods of [`Simulation`]; nothing is decided here.

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

use super::outcome::{Outcome, Refusal};
use super::simulation::Simulation;
use crate::error::RosError;
use crate::service_calls::ServiceCalls;

/// Offers everything in `namespace` and returns a summary: the pattern of the names, and what they provide.
pub fn serve(
    node: &mut Node,
    namespace: &str,
    simulation: &Arc<Simulation>,
    calls: &mut ServiceCalls,
) -> Result<(String, String), RosError> {
    let mut offers = Offers { node, namespace, simulation, calls, count: 0 };
    services::offer(&mut offers)?;
    action::offer(&mut offers)?;
    let count = offers.count;
    Ok((name_in(namespace, "…"), format!("simulation_interfaces {}, {count} services and actions", version::NUMBER)))
}

fn name_in(namespace: &str, name: &str) -> String {
    format!("{}/{name}", namespace.trim_end_matches('/'))
}

/// A response, composed of the result of the call and of the requested content.
trait Response: Default {
    /// The requested content; empty if the call was refused.
    type Content: Default;

    /// The response with this result and content.
    fn new(result: ResultMessage, content: Self::Content) -> Self;
}

/// Where services are offered, and the simulation that they control.
struct Offers<'a> {
    node: &'a mut Node,
    namespace: &'a str,
    simulation: &'a Arc<Simulation>,
    calls: &'a mut ServiceCalls,
    /// Services and actions offered so far.
    count: usize,
}

impl Offers<'_> {
    /// The full or relative name of a service or action, which is also counted.
    fn name(&mut self, name: &str) -> String {
        self.count += 1;
        name_in(self.namespace, name)
    }

    /// Offers a service: `answer` returns the requested content, or why the call is refused.
    fn offer<S, F>(
        &mut self,
        name: &str,
        answer: impl Fn(Arc<Simulation>, S::Request) -> F + Send + Sync + 'static,
    ) -> Result<(), RosError>
    where
        S: WrappedServiceTypeSupport<Request: Send, Response: Response + Send> + 'static,
        F: Future<Output = Outcome<<S::Response as Response>::Content>> + Send + 'static,
    {
        self.offer_with::<S, _>(name, move |simulation, request| {
            let outcome = answer(simulation, request);
            async move { respond(outcome.await) }
        })
    }

    /// As [`offer`](Self::offer), where `answer` returns the whole response.
    fn offer_with<S, F>(
        &mut self,
        name: &str,
        answer: impl Fn(Arc<Simulation>, S::Request) -> F + Send + Sync + 'static,
    ) -> Result<(), RosError>
    where
        S: WrappedServiceTypeSupport<Request: Send, Response: Response + Send> + 'static,
        F: Future<Output = S::Response> + Send + 'static,
    {
        let name = self.name(name);
        let simulation = self.simulation.clone();
        let answer = move |request| {
            let (response, simulation) = (answer(simulation.clone(), request), simulation.clone());
            async move { (response.await, move || simulation.end_if_quitting()) }
        };
        let refuse = |reason: String| respond(Err(Refusal::failed(reason)));
        self.calls
            .offer::<S, _, _>(self.node, &name, answer, refuse)
            .map_err(|error| RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}")))
    }
}

/// The response of a call with this `outcome`.
fn respond<R: Response>(outcome: Outcome<R::Content>) -> R {
    R::new(convert::result(&outcome), outcome.unwrap_or_default())
}
