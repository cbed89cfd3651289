//! The node's services: pause, step, reset and the CSV logs. Each answers when the simulation has done it.

use std::sync::Arc;

use futures::channel::oneshot;
use r2r::std_srvs::srv::{Empty, SetBool, Trigger};
use r2r::{Node, WrappedServiceTypeSupport};
use tokio::runtime::Handle;

use super::calls::{Answering, Reception};
use crate::preset::{Preset, Service};
use crate::ros::error::RosError;
use crate::runner::{Outbox, Request};
use crate::sink::LogRequest;

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
pub fn serve(
    node: &mut Node,
    preset: &Preset,
    outbox: &Outbox,
    (reception, tasks): (&mut Reception, &Handle),
) -> Result<(), RosError> {
    let desk = &mut Desk { node, outbox, reception, tasks };
    switch(desk, "~/pause", Request::Pause)?;
    switch(desk, "~/log", |on| Request::Log(LogRequest::Record(on)))?;
    trigger(desk, "~/step", Request::Step(1))?;
    trigger(desk, "~/reset", Request::Reset)?;
    trigger(desk, "~/log_clear", Request::Log(LogRequest::Clear))?;
    trigger(desk, "~/log_new_session", Request::Log(LogRequest::NewSession))?;
    for (name, service) in preset.services {
        empty(desk, name, request(*service))?;
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

/// Where services are opened.
struct Desk<'a> {
    node: &'a mut Node,
    outbox: &'a Outbox,
    reception: &'a mut Reception,
    tasks: &'a Handle,
}

/// A service whose answer says nothing: why a request was refused goes to the log.
fn empty(desk: &mut Desk<'_>, name: &'static str, request: Request) -> Result<(), RosError> {
    let answer = move |done: bool, reason: String| {
        if !done {
            tracing::warn!("service \"{name}\": {reason}");
        }
        Empty::Response {}
    };
    offer::<Empty::Service>(desk, name, move |_| request.clone(), answer)
}

fn switch(desk: &mut Desk<'_>, name: &'static str, request: fn(bool) -> Request) -> Result<(), RosError> {
    let answer = |success: bool, message: String| SetBool::Response { success, message };
    offer::<SetBool::Service>(desk, name, move |asked: &SetBool::Request| request(asked.data), answer)
}

fn trigger(desk: &mut Desk<'_>, name: &'static str, request: Request) -> Result<(), RosError> {
    let answer = |success: bool, message: String| Trigger::Response { success, message };
    offer::<Trigger::Service>(desk, name, move |_| request.clone(), answer)
}

/// Offers a service: `request` says what a call asks of the simulation, `answer` what is told of whether it was done, and when
/// or why not.
fn offer<S: WrappedServiceTypeSupport + 'static>(
    desk: &mut Desk<'_>,
    name: &'static str,
    request: impl Fn(&S::Request) -> Request + Send + Sync + 'static,
    answer: impl Fn(bool, String) -> S::Response + Send + Sync + 'static,
) -> Result<(), RosError>
where
    S::Request: Send,
    S::Response: Send,
{
    let (outbox, answer) = (desk.outbox.clone(), Arc::new(answer));
    let refuse = {
        let answer = answer.clone();
        move |reason| answer(false, reason)
    };
    let answering = Answering {
        answer: move |asked: S::Request| {
            let (outbox, answer, request) = (outbox.clone(), answer.clone(), request(&asked));
            async move {
                let (done, what) = ask(&outbox, request).await;
                (answer(done, what), ())
            }
        },
        refuse,
        answered: |()| (),
    };
    desk.reception
        .offer::<S, _, _, _, _, _>(desk.node, name, desk.tasks, answering)
        .map_err(|error| failed(name, &error))
}

/// Hands a request over and waits for its answer: whether it was done, and when or why not.
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

fn failed(name: &str, error: &r2r::Error) -> RosError {
    RosError::new(format!("service \"{name}\""), format!("cannot be offered: {error}"))
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
