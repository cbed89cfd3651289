//! The services through which `ros2 param`, launch files and rqt read and set parameters, and the events of their changes.

use std::sync::{Arc, Mutex};

use r2r::rcl_interfaces::msg::{
    FloatingPointRange, IntegerRange, ListParametersResult, Parameter as ParameterMessage, ParameterDescriptor,
    ParameterEvent, ParameterValue as ValueMessage, SetParametersResult,
};
use r2r::rcl_interfaces::srv::{
    DescribeParameters, GetParameterTypes, GetParameters, ListParameters, SetParameters, SetParametersAtomically,
};
use r2r::{Node, ParameterValue, Publisher, QosProfile};
use skidpad_run::guard::lock;

use super::table::{Declaration, Event, Kind, Named, Parameters, accepted, is_below};
use crate::rosout::wall_clock;
use crate::service_calls::ServiceCalls;
use crate::typed_messages;

/// Called after parameters have changed.
pub(crate) type OnChange = Arc<dyn Fn() + Send + Sync>;

/// Offers the six parameter services of a ROS node, and publishes the events of changes.
pub fn serve(
    node: &mut Node,
    parameters: &Arc<Parameters>,
    on_change: OnChange,
    calls: &mut ServiceCalls,
) -> r2r::Result<()> {
    let events = node.create_publisher::<ParameterEvent>("/parameter_events", QosProfile::parameter_events())?;
    let name = node.fully_qualified_name()?;

    let events = EventPublisher { publisher: Mutex::new(events), node: name };
    events.publish(&Event { new: parameters.all(), ..Event::default() });
    parameters.listen(move |event| events.publish(event));

    let p = parameters.clone();
    calls.offer_ready::<GetParameters::Service>(node, "~/get_parameters", move |request| GetParameters::Response {
        values: request.names.iter().map(|name| to_message(&p.value(name))).collect(),
    })?;

    let p = parameters.clone();
    calls.offer_ready::<GetParameterTypes::Service>(node, "~/get_parameter_types", move |request| {
        let kind = |name: &String| p.declaration(name).map_or(0, |declaration| type_number(&declaration.kind));
        GetParameterTypes::Response { types: request.names.iter().map(kind).collect() }
    })?;

    let p = parameters.clone();
    calls.offer_ready::<ListParameters::Service>(node, "~/list_parameters", move |request| {
        ListParameters::Response { result: list(&p.names(), &request.prefixes, request.depth) }
    })?;

    let p = parameters.clone();
    calls.offer_ready::<DescribeParameters::Service>(node, "~/describe_parameters", move |request| {
        let describe = |name: &String| match p.declaration(name) {
            Some(declaration) => descriptor(name, &declaration),
            None => ParameterDescriptor { name: name.clone(), ..ParameterDescriptor::default() },
        };
        DescribeParameters::Response { descriptors: request.names.iter().map(describe).collect() }
    })?;

    let setter = Setter { parameters: parameters.clone(), on_change };
    let set = setter.clone();
    calls.offer_ready::<SetParameters::Service>(node, "~/set_parameters", move |request| {
        let results =
            request.parameters.iter().map(|parameter| outcome(set.set(std::slice::from_ref(parameter)))).collect();
        SetParameters::Response { results }
    })?;
    calls.offer_ready::<SetParametersAtomically::Service>(node, "~/set_parameters_atomically", move |request| {
        SetParametersAtomically::Response { result: outcome(setter.set(&request.parameters)) }
    })?;
    Ok(())
}

/// The names at or below `prefixes` (all names if there are none) with fewer than `depth` dots after the prefix (any number if it is 0), and
/// the parts before their last dots.
fn list(names: &[String], prefixes: &[String], depth: u64) -> ListParametersResult {
    let is_shallow = |suffix: &str| depth == 0 || (suffix.matches('.').count() as u64) < depth;
    let is_wanted = |name: &str| match prefixes {
        [] => is_shallow(name),
        prefixes => prefixes.iter().any(|prefix| {
            let suffix = name.strip_prefix(prefix.as_str());
            is_below(name, prefix) && suffix.is_some_and(|suffix| is_shallow(suffix.trim_start_matches('.')))
        }),
    };
    let names: Vec<String> = names.iter().filter(|name| is_wanted(name)).cloned().collect();
    let mut prefixes: Vec<String> = Vec::new();
    for (prefix, _) in names.iter().filter_map(|name| name.rsplit_once('.')) {
        if !prefixes.iter().any(|known| known == prefix) {
            prefixes.push(prefix.to_owned());
        }
    }
    ListParametersResult { names, prefixes }
}

#[derive(Clone)]
struct Setter {
    parameters: Arc<Parameters>,
    on_change: OnChange,
}

impl Setter {
    /// Sets all of them, or none and returns the reason.
    fn set(&self, wanted: &[ParameterMessage]) -> Result<(), String> {
        let accepted = wanted
            .iter()
            .map(|parameter| {
                let value = self.parameters.would_set(&parameter.name, &from_message(&parameter.value))?;
                Ok((parameter.name.clone(), value))
            })
            .collect::<Result<_, String>>()?;
        if self.parameters.set(accepted) {
            (self.on_change)();
        }
        Ok(())
    }
}

/// Publishes the changes of parameters on `/parameter_events`.
struct EventPublisher {
    /// Locked, since parameters change in more than one thread.
    publisher: Mutex<Publisher<ParameterEvent>>,
    node: String,
}

impl EventPublisher {
    fn publish(&self, event: &Event) {
        let messages = |named: &[Named]| -> Vec<ParameterMessage> {
            named
                .iter()
                .map(|(name, value)| ParameterMessage { name: name.clone(), value: to_message(value) })
                .collect()
        };
        let message = ParameterEvent {
            stamp: wall_clock(),
            node: self.node.clone(),
            new_parameters: messages(&event.new),
            changed_parameters: messages(&event.changed),
            deleted_parameters: messages(&event.deleted),
        };
        let publisher = lock(&self.publisher);
        if let Err(error) = typed_messages::publish(&publisher, &message) {
            tracing::debug!("/parameter_events: cannot be published: {error}");
        }
    }
}

fn outcome(result: Result<(), String>) -> SetParametersResult {
    match result {
        Ok(()) => SetParametersResult { successful: true, reason: String::new() },
        Err(reason) => SetParametersResult { successful: false, reason },
    }
}

fn descriptor(name: &str, declaration: &Declaration) -> ParameterDescriptor {
    let mut message = ParameterDescriptor {
        name: name.to_owned(),
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
        Kind::Gapped { range: [from_value, to_value], .. } => {
            message.floating_point_range = vec![FloatingPointRange { from_value, to_value, step: 0.0 }];
            message.additional_constraints = accepted(&declaration.kind);
        }
        Kind::Whole { range: [from, to], .. } => {
            message.integer_range = vec![IntegerRange { from_value: from, to_value: to, step: 0 }];
        }
        Kind::Word { .. } => message.additional_constraints = format!("one of {}", accepted(&declaration.kind)),
        // The type of an accepted value may differ from that of the parameter.
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
        Kind::Number { .. } | Kind::Gapped { .. } => 3,
        Kind::Word { .. } | Kind::Choice { .. } | Kind::Text { .. } => 4,
    }
}

/// A value as messages have it.
pub(crate) fn to_message(value: &ParameterValue) -> ValueMessage {
    let mut message = ValueMessage::default();
    match value {
        ParameterValue::Bool(value) => (message.type_, message.bool_value) = (1, *value),
        ParameterValue::Integer(value) => (message.type_, message.integer_value) = (2, *value),
        ParameterValue::Double(value) => (message.type_, message.double_value) = (3, *value),
        ParameterValue::String(value) => (message.type_, message.string_value) = (4, value.clone()),
        ParameterValue::ByteArray(values) => (message.type_, message.byte_array_value) = (5, values.clone()),
        ParameterValue::BoolArray(values) => (message.type_, message.bool_array_value) = (6, values.clone()),
        ParameterValue::IntegerArray(values) => (message.type_, message.integer_array_value) = (7, values.clone()),
        ParameterValue::DoubleArray(values) => (message.type_, message.double_array_value) = (8, values.clone()),
        ParameterValue::StringArray(values) => (message.type_, message.string_array_value) = (9, values.clone()),
        ParameterValue::NotSet => message.type_ = 0,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_filtered_by_prefix_and_depth_as_in_rclcpp() {
        let names = ["rate", "a.b", "a.b.c", "ab.c"].map(str::to_owned);
        let listed = |prefixes: &[&str], depth| {
            let prefixes: Vec<String> = prefixes.iter().map(|prefix| (*prefix).to_owned()).collect();
            let ListParametersResult { names, prefixes } = list(&names, &prefixes, depth);
            (names.join(" "), prefixes.join(" "))
        };
        let expected = |names: &str, prefixes: &str| (names.to_owned(), prefixes.to_owned());
        assert_eq!(listed(&[], 0), expected("rate a.b a.b.c ab.c", "a a.b ab"));
        assert_eq!(listed(&[], 1), expected("rate", ""));
        assert_eq!(listed(&[], 2), expected("rate a.b ab.c", "a ab"));
        assert_eq!(listed(&["a"], 0), expected("a.b a.b.c", "a a.b"));
        assert_eq!(listed(&["a"], 1), expected("a.b", "a"));
        assert_eq!(listed(&["a.b", "rate"], 0), expected("rate a.b a.b.c", "a a.b"));
        assert_eq!(listed(&["x"], 0), expected("", ""));
    }
}
