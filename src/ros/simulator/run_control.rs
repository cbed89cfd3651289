//! The services that pause, step and reset the simulation and control the CSV logs, under the node's name and under those of presets. Each
//! responds when the simulation has carried out the request.

use std::sync::Arc;

use futures::channel::oneshot;
use r2r::std_srvs::srv::{Empty, SetBool, Trigger};
use r2r::{Node, WrappedServiceTypeSupport};
use skidpad_ros_data::message::SharedDesk;
use skidpad_ros_data::preset::{Preset, Service};
use skidpad_run::runner::{Outbox, Request};
use skidpad_run::sink::LogRequest;

use super::control_mode;
use crate::commands::start_gate::StartGate;
use crate::error::RosError;
use crate::service_calls::ServiceCalls;

/// The request that a call of a service sends to the simulation.
#[derive(Clone, Copy)]
enum Call {
    /// A request with the switch of the call.
    Switch(fn(bool) -> Request),
    /// Always the same request.
    Trigger(fn() -> Request),
}

/// The node's own services.
const SERVICES: [(&str, Call); 6] = [
    ("~/pause", Call::Switch(Request::Pause)),
    ("~/step", Call::Trigger(|| Request::Step(1))),
    ("~/reset", Call::Trigger(|| Request::Reset)),
    ("~/log", Call::Switch(|on| Request::Log(LogRequest::Record(on)))),
    ("~/log_clear", Call::Trigger(|| Request::Log(LogRequest::Clear))),
    ("~/log_new_session", Call::Trigger(|| Request::Log(LogRequest::NewSession))),
];

/// Offers the node's own services and those of the preset.
pub fn serve(
    node: &mut Node,
    preset: &Preset,
    desk: &SharedDesk,
    outbox: &Outbox,
    gate: &StartGate,
    calls: &mut ServiceCalls,
) -> Result<(), RosError> {
    let mut offers = Offers { node, outbox, calls };
    for (name, call) in SERVICES {
        match call {
            Call::Switch(request) => offers.offer::<SetBool::Service>(
                name,
                move |service_request| request(service_request.data),
                |success, message| SetBool::Response { success, message },
            )?,
            Call::Trigger(request) => offers.offer::<Trigger::Service>(
                name,
                move |_| request(),
                |success, message| Trigger::Response { success, message },
            )?,
        }
    }
    for &(name, service) in preset.services {
        let request = match service {
            Service::Reset => Request::Reset,
            Service::Pause(on) => Request::Pause(on),
            Service::ControlMode => {
                control_mode::serve(offers.node, name, desk, outbox, gate, offers.calls)?;
                continue;
            }
        };
        let request = move |_: &Empty::Request| request.clone();
        offers.offer::<Empty::Service>(name, request, move |done, reason| {
            // The response has no room for the reason.
            if !done {
                tracing::warn!("service \"{name}\": {reason}");
            }
            Empty::Response {}
        })?;
    }
    Ok(())
}

/// Name and type of every service under these names, for display.
pub fn offered(preset: &Preset) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own_services = SERVICES.into_iter().map(|(name, call)| match call {
        Call::Switch(_) => (name, "std_srvs/srv/SetBool"),
        Call::Trigger(_) => (name, "std_srvs/srv/Trigger"),
    });
    own_services.chain(preset.services.iter().map(|(name, service)| (*name, service.type_name())))
}

/// Where services are offered, and where their requests go.
struct Offers<'a> {
    node: &'a mut Node,
    outbox: &'a Outbox,
    calls: &'a mut ServiceCalls,
}

impl Offers<'_> {
    /// Offers a service: `request` converts a call to a request; `response` is made of whether that was carried out, and when or why not.
    fn offer<S: WrappedServiceTypeSupport<Request: Send, Response: Send> + 'static>(
        &mut self,
        name: &str,
        request: impl Fn(&S::Request) -> Request + Send + Sync + 'static,
        response: impl Fn(bool, String) -> S::Response + Send + Sync + 'static,
    ) -> Result<(), RosError> {
        let (outbox, response) = (self.outbox.clone(), Arc::new(response));
        let refuse = {
            let response = response.clone();
            move |reason| response(false, reason)
        };
        let answer = move |service_request: S::Request| {
            let (outbox, response, request) = (outbox.clone(), response.clone(), request(&service_request));
            async move {
                let (done, message) = ask(&outbox, request).await;
                (response(done, message), || ())
            }
        };
        self.calls
            .offer::<S, _, _>(self.node, name, answer, refuse)
            .map_err(|error| RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}")))
    }
}

/// Sends a request to the simulation and waits for the answer: whether it was carried out, and when or why not.
async fn ask(outbox: &Outbox, request: Request) -> (bool, String) {
    let (sender, receiver) = oneshot::channel();
    // The client may have left.
    outbox.ask(request, move |answer| drop(sender.send(answer)));
    match receiver.await {
        Ok(Ok(time)) => (true, format!("done at {time}")),
        Ok(Err(reason)) => (false, reason),
        Err(oneshot::Canceled) => (false, "the simulation has ended".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use skidpad_run::runner::mailbox;

    use super::*;

    #[test]
    fn a_call_after_the_end_of_the_simulation_is_answered() {
        let (outbox, inbox) = mailbox();
        drop(inbox);
        let answer = futures::executor::block_on(ask(&outbox, Request::Reset));
        assert_eq!(answer, (false, "the simulation has ended".to_owned()));
    }
}
