//! The node's services: pause, step, reset and the CSV logs. Each answers when the simulation has done it.

use futures::StreamExt;
use futures::channel::oneshot;
use r2r::std_srvs::srv::{Empty, SetBool, Trigger};
use r2r::{Node, QosProfile, WrappedServiceTypeSupport};
use tokio::runtime::Handle;

use super::error::RosError;
use crate::preset::{Preset, Service};
use crate::runner::{LogRequest, Outbox, Request};

/// Name and type of the node's own services.
const SERVICES: [(&str, &str); 6] = [
    ("~/pause", "std_srvs/srv/SetBool"),
    ("~/step", "std_srvs/srv/Trigger"),
    ("~/reset", "std_srvs/srv/Trigger"),
    ("~/log", "std_srvs/srv/SetBool"),
    ("~/log_clear", "std_srvs/srv/Trigger"),
    ("~/log_new_session", "std_srvs/srv/Trigger"),
];

/// Offers the services, those of the preset too, and answers them on `tasks`.
pub fn serve(node: &mut Node, preset: &Preset, outbox: &Outbox, tasks: &Handle) -> Result<(), RosError> {
    switch(node, "~/pause", Request::Pause, outbox, tasks)?;
    switch(node, "~/log", |on| Request::Log(LogRequest::Record(on)), outbox, tasks)?;
    trigger(node, "~/step", Request::Step(1), outbox, tasks)?;
    trigger(node, "~/reset", Request::Reset, outbox, tasks)?;
    trigger(node, "~/log_clear", Request::Log(LogRequest::Clear), outbox, tasks)?;
    trigger(node, "~/log_new_session", Request::Log(LogRequest::NewSession), outbox, tasks)?;
    for (name, service) in preset.services {
        empty(node, name, request(*service), outbox, tasks)?;
    }
    Ok(())
}

/// Name and type of every service under these names, for people to read.
pub fn offered(preset: &Preset) -> impl Iterator<Item = (&'static str, &'static str)> {
    SERVICES.into_iter().chain(preset.services.iter().map(|(name, _)| (*name, "std_srvs/srv/Empty")))
}

fn request(service: Service) -> Request {
    match service {
        Service::Reset => Request::Reset,
        Service::Pause(on) => Request::Pause(on),
    }
}

/// A service whose answer says nothing: why a request was refused goes to the log.
fn empty(
    node: &mut Node,
    name: &'static str,
    request: Request,
    outbox: &Outbox,
    tasks: &Handle,
) -> Result<(), RosError> {
    let answer = move |done: bool, reason: String| {
        if !done {
            tracing::warn!("service \"{name}\": {reason}");
        }
        Empty::Response {}
    };
    offer::<Empty::Service>(node, name, (move |_| request.clone(), answer), outbox, tasks)
}

fn switch(
    node: &mut Node,
    name: &'static str,
    request: fn(bool) -> Request,
    outbox: &Outbox,
    tasks: &Handle,
) -> Result<(), RosError> {
    let answer = |success: bool, message: String| SetBool::Response { success, message };
    offer::<SetBool::Service>(node, name, (move |asked: &SetBool::Request| request(asked.data), answer), outbox, tasks)
}

fn trigger(
    node: &mut Node,
    name: &'static str,
    request: Request,
    outbox: &Outbox,
    tasks: &Handle,
) -> Result<(), RosError> {
    let answer = |success: bool, message: String| Trigger::Response { success, message };
    offer::<Trigger::Service>(node, name, (move |_| request.clone(), answer), outbox, tasks)
}

/// Offers a service: `request` says what a call asks of the simulation, `answer` what is told of whether it was done, and when
/// or why not.
fn offer<S: WrappedServiceTypeSupport + 'static>(
    node: &mut Node,
    name: &'static str,
    (request, answer): (
        impl Fn(&S::Request) -> Request + Send + Sync + 'static,
        impl Fn(bool, String) -> S::Response + Send + Sync + 'static,
    ),
    outbox: &Outbox,
    tasks: &Handle,
) -> Result<(), RosError> {
    let mut calls = node.create_service::<S>(name, QosProfile::services_default()).map_err(|e| failed(name, &e))?;
    let outbox = outbox.clone();
    tasks.spawn(async move {
        while let Some(call) = calls.next().await {
            let (done, what) = ask(&outbox, request(&call.message)).await;
            report(name, call.respond(answer(done, what)));
        }
    });
    Ok(())
}

/// Hands a request over and waits for its answer: whether it was done, and when or why not.
async fn ask(outbox: &Outbox, request: Request) -> (bool, String) {
    let (sender, receiver) = oneshot::channel();
    // The one who asked may have gone: nobody is left to be told.
    outbox.ask(request, move |answer| drop(sender.send(answer)));
    match receiver.await {
        Ok(Ok(time)) => (true, format!("done at {time}")),
        Ok(Err(reason)) => (false, reason),
        Err(oneshot::Canceled) => (false, "the simulation has ended".to_owned()),
    }
}

fn failed(name: &str, error: &r2r::Error) -> RosError {
    RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}"))
}

fn report(name: &str, sent: r2r::Result<()>) {
    if let Err(error) = sent {
        tracing::debug!("service \"{name}\": could not answer: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::mailbox;

    #[test]
    fn a_simulation_that_has_ended_is_an_answer_too() {
        let (outbox, inbox) = mailbox();
        drop(inbox);
        let answer = futures::executor::block_on(ask(&outbox, Request::Reset));
        assert_eq!(answer, (false, "the simulation has ended".to_owned()));
    }
}
