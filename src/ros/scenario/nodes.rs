//! Nodes beside the simulation: their parameters, and the lifecycle states of managed ones.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use r2r::lifecycle_msgs::srv::{ChangeState, GetState};
use r2r::rcl_interfaces::msg::Parameter as ParameterMessage;
use r2r::rcl_interfaces::srv::SetParameters;
use r2r::{Client, Node, ParameterValue, QosProfile, WrappedServiceTypeSupport};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::legible::phrase;
use skidpad_scenario::peers::{Heard, Parameter, Transition};

use super::Names;
use super::absence::Waiting;
use crate::parameters::services;

/// How often a node is asked for its state.
const PERIOD: Duration = Duration::from_millis(200);
/// A node that has not answered for so long is gone.
const PATIENCE: Duration = Duration::from_secs(3);
/// The state of a node that was there.
const GONE: &str = "gone";

/// A managed node whose state is watched.
struct Watched {
    name: String,
    vehicle: String,
    full: String,
    client: Rc<Client<GetState::Service>>,
    change: Rc<Client<ChangeState::Service>>,
    answer: Option<LocalBoxFuture<'static, Option<String>>>,
    last_request: Option<Instant>,
    /// Whether it has ever told its state.
    was_there: bool,
}

/// An order that waits for its service, or for the answer.
struct Pending {
    waiting: Waiting,
    /// Until its service is there; none: it was.
    available: Option<LocalBoxFuture<'static, r2r::Result<()>>>,
    /// The call and its answer; what it says is what the node refuses.
    answer: LocalBoxFuture<'static, Result<(), Diagnostic>>,
}

/// The nodes.
#[derive(Default)]
pub(super) struct Nodes {
    watched: Vec<Watched>,
    setters: BTreeMap<String, Rc<Client<SetParameters::Service>>>,
    pending: Vec<Pending>,
}

impl Nodes {
    /// Makes a client for the parameters of the node of this full name.
    ///
    /// # Errors
    /// The middleware refuses it.
    pub(super) fn prepare(&mut self, node: &mut Node, full: &str) -> Result<(), Diagnostic> {
        if !self.setters.contains_key(full) {
            let client = client::<SetParameters::Service>(node, &format!("{full}/set_parameters"))?;
            self.setters.insert(full.to_owned(), client);
        }
        Ok(())
    }

    /// Watches the state of a node of a vehicle.
    ///
    /// # Errors
    /// The middleware refuses a client.
    pub(super) fn watch(
        &mut self,
        node: &mut Node,
        names: &Names,
        vehicle: &str,
        name: &str,
    ) -> Result<(), Diagnostic> {
        if self.watched.iter().any(|watched| watched.name == name && watched.vehicle == vehicle) {
            return Ok(());
        }
        let full = names.full(vehicle, name);
        let state = client::<GetState::Service>(node, &format!("{full}/get_state"))?;
        let change = client::<ChangeState::Service>(node, &format!("{full}/change_state"))?;
        self.watched.push(Watched {
            name: name.to_owned(),
            vehicle: vehicle.to_owned(),
            full,
            client: state,
            change,
            answer: None,
            last_request: None,
            was_there: false,
        });
        Ok(())
    }

    /// Sets parameters of the node of this full name as soon as it is there.
    ///
    /// # Errors
    /// It was not prepared for.
    pub(super) fn set(
        &mut self,
        full: &str,
        values: BTreeMap<String, Parameter>,
        waiting: Waiting,
    ) -> Result<(), Diagnostic> {
        let client = self.setters.get(full).ok_or_else(|| Diagnostic::new(full, "no client"))?;
        let (names, place): (Vec<String>, String) = (values.keys().cloned().collect(), full.to_owned());
        let message = |(name, value)| ParameterMessage { name, value: services::to_message(&value_of(value)) };
        let parameters = values.into_iter().map(message).collect();
        let judge = move |answer: SetParameters::Response| {
            let refused = names.iter().zip(&answer.results).find(|(_, result)| !result.successful);
            match refused {
                Some((name, result)) => Err(Diagnostic::new(place, format!("{name}: {}", phrase(&result.reason)))),
                None => Ok(()),
            }
        };
        let pending = Pending::of(client, SetParameters::Request { parameters }, full, waiting, judge)?;
        self.pending.push(pending);
        Ok(())
    }

    /// Changes the state of the node of this full name as soon as it is there.
    ///
    /// # Errors
    /// It is not watched.
    pub(super) fn change(&mut self, full: &str, transition: Transition, waiting: Waiting) -> Result<(), Diagnostic> {
        let watched_node = self.watched.iter().find(|watched| watched.full == full);
        let client = &watched_node.ok_or_else(|| Diagnostic::new(full, "no client"))?.change;
        let mut request = ChangeState::Request::default();
        request.transition.label = transition.name().to_owned();
        let place = full.to_owned();
        let judge = move |answer: ChangeState::Response| {
            let refused = || Diagnostic::new(place, format!("{} was refused", transition.name()));
            if answer.success { Ok(()) } else { Err(refused()) }
        };
        let pending = Pending::of(client, request, full, waiting, judge)?;
        self.pending.push(pending);
        Ok(())
    }

    /// Asks watched nodes for their states, and takes the answers.
    pub(super) fn turn(&mut self, node: &Node, heard: &mut Vec<Heard>) {
        self.pending.retain_mut(|pending| pending.turn(node, heard));
        for watched in &mut self.watched {
            heard.extend(watched.turn().map(|state| Heard::Lifecycle {
                node: watched.name.clone(),
                vehicle: watched.vehicle.clone(),
                state,
            }));
        }
    }
}

impl Pending {
    /// A call of this service, of the node of this full name, whose answer is judged so.
    ///
    /// # Errors
    /// The middleware refuses to wait for the service.
    fn of<S: WrappedServiceTypeSupport + 'static>(
        client: &Rc<Client<S>>,
        request: S::Request,
        full: &str,
        waiting: Waiting,
        judge: impl FnOnce(S::Response) -> Result<(), Diagnostic> + 'static,
    ) -> Result<Pending, Diagnostic> {
        let place = full.to_owned();
        let failed = move |cause: r2r::Error| Diagnostic::new(&place, cause.to_string());
        let available = Node::is_available(client.as_ref()).map_err(&failed)?.boxed_local();
        let client = Rc::clone(client);
        let answer = async move {
            let answer = client.request(&request).map_err(&failed)?;
            judge(answer.await.map_err(&failed)?)
        };
        Ok(Pending { waiting, available: Some(available), answer: answer.boxed_local() })
    }

    /// Returns whether it still waits for something.
    fn turn(&mut self, node: &Node, heard: &mut Vec<Heard>) -> bool {
        if let Some(available) = &mut self.available {
            match available.now_or_never() {
                None => {
                    self.waiting.goes_on(node, heard);
                    return true;
                }
                // What has failed says so in the call.
                Some(_) => self.available = None,
            }
            self.waiting.is_over(heard);
        }
        let Some(done) = (&mut self.answer).now_or_never() else { return true };
        heard.extend(done.err().map(|diagnostic| self.waiting.refused(diagnostic)));
        false
    }
}

impl Watched {
    /// Its state, if there is an answer.
    fn turn(&mut self) -> Option<String> {
        let since = self.last_request.map(|last_request| last_request.elapsed());
        if let Some(answer) = &mut self.answer {
            if let Some(answer) = answer.now_or_never() {
                self.answer = None;
                self.was_there |= answer.is_some();
                return answer;
            }
            // An answer may get lost; before the node was there, the call waits for its service.
            if since.is_some_and(|since| since > PATIENCE) {
                self.answer = None;
                return std::mem::take(&mut self.was_there).then(|| GONE.to_owned());
            }
            return None;
        }
        if since.is_none_or(|since| since > PERIOD) {
            self.last_request = Some(Instant::now());
            let answer = call(&self.client, GetState::Request::default());
            self.answer = Some(answer.map(|answer| answer.ok().map(|answer| answer.current_state.label)).boxed_local());
        }
        None
    }
}

fn client<S: WrappedServiceTypeSupport + 'static>(node: &mut Node, name: &str) -> Result<Rc<Client<S>>, Diagnostic> {
    node.create_client::<S>(name, QosProfile::services_default())
        .map(Rc::new)
        .map_err(|cause| Diagnostic::new(format!("service \"{name}\""), format!("no client: {cause}")))
}

/// Calls a service as soon as it is there.
fn call<S>(client: &Rc<Client<S>>, request: S::Request) -> impl Future<Output = r2r::Result<S::Response>> + use<S>
where
    S: WrappedServiceTypeSupport + 'static,
{
    let available = Node::is_available(client.as_ref());
    let client = Rc::clone(client);
    async move {
        available?.await?;
        let answer = client.request(&request)?;
        answer.await
    }
}

/// The value of a parameter for the client library.
fn value_of(value: Parameter) -> ParameterValue {
    match value {
        Parameter::Flag(value) => ParameterValue::Bool(value),
        Parameter::Whole(value) => ParameterValue::Integer(value),
        Parameter::Number(value) => ParameterValue::Double(value),
        Parameter::Text(value) => ParameterValue::String(value),
        Parameter::Flags(values) => ParameterValue::BoolArray(values),
        Parameter::Wholes(values) => ParameterValue::IntegerArray(values),
        Parameter::Numbers(values) => ParameterValue::DoubleArray(values),
        Parameter::Texts(values) => ParameterValue::StringArray(values),
    }
}
