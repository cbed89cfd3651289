//! The services through which `ros2 param`, launch files and rqt see and set parameters, and the events that tell of it.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::BoxStream;
use r2r::rcl_interfaces::msg::{
    FloatingPointRange, IntegerRange, ListParametersResult, Parameter as ParameterMessage, ParameterDescriptor,
    ParameterEvent, ParameterValue as ValueMessage, SetParametersResult,
};
use r2r::rcl_interfaces::srv::{
    DescribeParameters, GetParameterTypes, GetParameters, ListParameters, SetParameters, SetParametersAtomically,
};
use r2r::{Node, ParameterValue, Publisher, QosProfile, ServiceRequest};
use tokio::runtime::Handle;

use super::parameters::{Declaration, Kind, Parameters, accepted};

/// Called after parameters have changed.
pub type OnChange = Arc<dyn Fn() + Send + Sync>;

/// Offers the six parameter services of a ROS node and answers them on `tasks`.
pub fn serve(node: &mut Node, parameters: &Arc<Parameters>, on_change: OnChange, tasks: &Handle) -> r2r::Result<()> {
    let events = node.create_publisher::<ParameterEvent>("/parameter_events", QosProfile::parameter_events())?;
    let name = node.fully_qualified_name()?;

    let p = parameters.clone();
    answer(tasks, service::<GetParameters::Service>(node, "~/get_parameters")?, move |request| {
        let value = |name: &String| p.index_of(name).map_or(ParameterValue::NotSet, |index| p.value(index));
        GetParameters::Response { values: request.names.iter().map(|name| to_message(&value(name))).collect() }
    });

    let p = parameters.clone();
    answer(tasks, service::<GetParameterTypes::Service>(node, "~/get_parameter_types")?, move |request| {
        let kind = |name: &String| p.index_of(name).map_or(0, |index| type_number(&p.declarations()[index].kind));
        GetParameterTypes::Response { types: request.names.iter().map(kind).collect() }
    });

    let declarations = parameters.declarations();
    answer(tasks, service::<ListParameters::Service>(node, "~/list_parameters")?, move |request| {
        let has = |name: &str, prefix: &String| {
            name.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let wanted =
            |name: &str| request.prefixes.is_empty() || request.prefixes.iter().any(|prefix| has(name, prefix));
        let names = declarations.iter().map(|d| d.name).filter(|name| wanted(name)).map(str::to_owned).collect();
        ListParameters::Response { result: ListParametersResult { names, prefixes: Vec::new() } }
    });

    let p = parameters.clone();
    answer(tasks, service::<DescribeParameters::Service>(node, "~/describe_parameters")?, move |request| {
        let describe = |name: &String| match p.index_of(name) {
            Some(index) => descriptor(&p.declarations()[index]),
            None => ParameterDescriptor { name: name.clone(), ..ParameterDescriptor::default() },
        };
        DescribeParameters::Response { descriptors: request.names.iter().map(describe).collect() }
    });

    let setter =
        Setter { parameters: parameters.clone(), events: Announcer { publisher: events, node: name }, on_change };
    let set = setter.clone();
    answer(tasks, service::<SetParameters::Service>(node, "~/set_parameters")?, move |request| {
        let results = request.parameters.iter().map(|one| outcome(set.set(std::slice::from_ref(one)))).collect();
        SetParameters::Response { results }
    });
    answer(tasks, service::<SetParametersAtomically::Service>(node, "~/set_parameters_atomically")?, move |request| {
        SetParametersAtomically::Response { result: outcome(setter.set(&request.parameters)) }
    });
    Ok(())
}

type Requests<S> = BoxStream<'static, ServiceRequest<S>>;

fn service<S>(node: &mut Node, name: &str) -> r2r::Result<Requests<S>>
where
    S: r2r::WrappedServiceTypeSupport + 'static,
    S::Request: Send,
{
    Ok(node.create_service::<S>(name, QosProfile::parameters())?.boxed())
}

fn answer<S>(tasks: &Handle, mut requests: Requests<S>, respond: impl Fn(&S::Request) -> S::Response + Send + 'static)
where
    S: r2r::WrappedServiceTypeSupport + 'static,
    S::Request: Send,
{
    tasks.spawn(async move {
        while let Some(request) = requests.next().await {
            let response = respond(&request.message);
            if let Err(error) = request.respond(response) {
                tracing::debug!("parameter service: could not answer: {error}");
            }
        }
    });
}

#[derive(Clone)]
struct Setter {
    parameters: Arc<Parameters>,
    events: Announcer,
    on_change: OnChange,
}

impl Setter {
    /// Sets all of them, or none and says why.
    fn set(&self, wanted: &[ParameterMessage]) -> Result<(), String> {
        let accepted: Vec<(usize, ParameterValue)> = wanted
            .iter()
            .map(|one| self.parameters.would_set(&one.name, &from_message(&one.value)))
            .collect::<Result<_, _>>()?;
        let changed: Vec<ParameterMessage> = accepted
            .into_iter()
            .filter(|(index, value)| self.parameters.set(*index, value.clone()))
            .map(|(index, value)| ParameterMessage {
                name: self.parameters.declarations()[index].name.to_owned(),
                value: to_message(&value),
            })
            .collect();
        if !changed.is_empty() {
            (self.on_change)();
            self.events.announce(changed);
        }
        Ok(())
    }
}

#[derive(Clone)]
struct Announcer {
    publisher: Publisher<ParameterEvent>,
    node: String,
}

impl Announcer {
    fn announce(&self, changed_parameters: Vec<ParameterMessage>) {
        let event = ParameterEvent { node: self.node.clone(), changed_parameters, ..ParameterEvent::default() };
        if let Err(error) = self.publisher.publish(&event) {
            tracing::debug!("/parameter_events: could not publish: {error}");
        }
    }
}

fn outcome(result: Result<(), String>) -> SetParametersResult {
    match result {
        Ok(()) => SetParametersResult { successful: true, reason: String::new() },
        Err(reason) => SetParametersResult { successful: false, reason },
    }
}

fn descriptor(declaration: &Declaration) -> ParameterDescriptor {
    let mut message = ParameterDescriptor {
        name: declaration.name.to_owned(),
        type_: type_number(&declaration.kind),
        description: declaration.description.to_owned(),
        read_only: declaration.read_only,
        ..ParameterDescriptor::default()
    };
    match declaration.kind {
        Kind::Switch { .. } | Kind::Text { .. } => {}
        Kind::Number { range: [from_value, to_value], .. } => {
            message.floating_point_range = vec![FloatingPointRange { from_value, to_value, step: 0.0 }];
        }
        Kind::Whole { range: [from, to], .. } => {
            message.integer_range = vec![IntegerRange { from_value: from, to_value: to, step: 0 }];
        }
        Kind::Word { .. } => message.additional_constraints = format!("one of {}", accepted(&declaration.kind)),
        // What it takes need not be of the type that it has.
        Kind::Flag { .. } | Kind::Choice { .. } => {
            message.additional_constraints = format!("one of {}", accepted(&declaration.kind));
            message.dynamic_typing = true;
        }
    }
    message
}

// The numbers of rcl_interfaces/msg/ParameterType.
fn type_number(kind: &Kind) -> u8 {
    match kind {
        Kind::Switch { .. } | Kind::Flag { .. } => 1,
        Kind::Whole { .. } => 2,
        Kind::Number { .. } => 3,
        Kind::Word { .. } | Kind::Choice { .. } | Kind::Text { .. } => 4,
    }
}

fn to_message(value: &ParameterValue) -> ValueMessage {
    let mut message = ValueMessage::default();
    match value {
        ParameterValue::Bool(value) => (message.type_, message.bool_value) = (1, *value),
        ParameterValue::Integer(value) => (message.type_, message.integer_value) = (2, *value),
        ParameterValue::Double(value) => (message.type_, message.double_value) = (3, *value),
        ParameterValue::String(value) => (message.type_, message.string_value) = (4, value.clone()),
        // No parameter of this node is an array.
        _ => message.type_ = 0,
    }
    message
}

fn from_message(message: &ValueMessage) -> ParameterValue {
    match message.type_ {
        1 => ParameterValue::Bool(message.bool_value),
        2 => ParameterValue::Integer(message.integer_value),
        3 => ParameterValue::Double(message.double_value),
        4 => ParameterValue::String(message.string_value.clone()),
        5 => ParameterValue::ByteArray(message.byte_array_value.clone()),
        6 => ParameterValue::BoolArray(message.bool_array_value.clone()),
        7 => ParameterValue::IntegerArray(message.integer_array_value.clone()),
        8 => ParameterValue::DoubleArray(message.double_array_value.clone()),
        9 => ParameterValue::StringArray(message.string_array_value.clone()),
        _ => ParameterValue::NotSet,
    }
}
