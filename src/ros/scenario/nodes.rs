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
use skidpad_scenario::outside::{Heard, Parameter, Transition};

use super::Names;
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
    asked: Option<Instant>,
    /// Whether it has ever told its state.
    was_there: bool,
}

/// An order that waits for its service, or for the answer; what it says is what the node refuses.
type Pending = LocalBoxFuture<'static, Result<(), Diagnostic>>;

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
        (vehicle, name): (&str, &str),
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
            asked: None,
            was_there: false,
        });
        Ok(())
    }

    /// Sets parameters of the node of this full name as soon as it is there.
    ///
    /// # Errors
    /// It was not prepared for.
    pub(super) fn set(&mut self, full: &str, values: BTreeMap<String, Parameter>) -> Result<(), Diagnostic> {
        let place = format!("parameters of {full}");
        let client = self.setters.get(full).ok_or_else(|| Diagnostic::new(&place, "no client"))?;
        let names: Vec<String> = values.keys().cloned().collect();
        let message = |(name, value)| ParameterMessage { name, value: services::to_message(&value_of(value)) };
        let parameters = values.into_iter().map(message).collect();
        let answer = call(client, SetParameters::Request { parameters });
        self.pending.push(
            async move {
                let answer = answer.await.map_err(|cause| Diagnostic::new(&place, cause.to_string()))?;
                let refused = names.iter().zip(&answer.results).find(|(_, result)| !result.successful);
                match refused {
                    Some((name, result)) => Err(Diagnostic::new(place, format!("{name}: {}", result.reason))),
                    None => Ok(()),
                }
            }
            .boxed_local(),
        );
        Ok(())
    }

    /// Changes the state of the node of this full name as soon as it is there.
    ///
    /// # Errors
    /// It is not watched.
    pub(super) fn change(&mut self, full: &str, transition: Transition) -> Result<(), Diagnostic> {
        let place = format!("lifecycle of {full}");
        let found = self.watched.iter().find(|watched| watched.full == full);
        let client = &found.ok_or_else(|| Diagnostic::new(&place, "no client"))?.change;
        let mut request = ChangeState::Request::default();
        request.transition.label = transition.name().to_owned();
        let answer = call(client, request);
        self.pending.push(
            async move {
                let answer = answer.await.map_err(|cause| Diagnostic::new(&place, cause.to_string()))?;
                let refused = || Diagnostic::new(place, format!("{} was refused", transition.name()));
                if answer.success { Ok(()) } else { Err(refused()) }
            }
            .boxed_local(),
        );
        Ok(())
    }

    /// Asks watched nodes for their states, and takes the answers.
    pub(super) fn turn(&mut self, heard: &mut Vec<Heard>) {
        self.pending.retain_mut(|answer| match answer.now_or_never() {
            None => true,
            Some(done) => {
                heard.extend(done.err().map(Heard::Refused));
                false
            }
        });
        for watched in &mut self.watched {
            heard.extend(watched.turn().map(|state| Heard::Lifecycle {
                node: watched.name.clone(),
                vehicle: watched.vehicle.clone(),
                state,
            }));
        }
    }
}

impl Watched {
    /// Its state, if there is an answer.
    fn turn(&mut self) -> Option<String> {
        let since = self.asked.map(|asked| asked.elapsed());
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
            self.asked = Some(Instant::now());
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
