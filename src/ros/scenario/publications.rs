//! Messages to whoever listens, by topic and type.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use r2r::{Node, PublisherUntyped, QosProfile, WrappedNativeMsgUntyped};
use serde_json::{Map, Value};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;
use skidpad_scenario::peers::Heard;

use super::absence::Waiting;
use super::pose::stamp_json;

/// Messages that the middleware keeps of a recorded topic, and of one with transforms that stay.
const DEPTH: usize = 200;
const DEPTH_OF_STATIC: usize = 1000;

/// The publishers by topic, and the messages that wait for somebody who listens.
#[derive(Default)]
pub(super) struct Publications {
    publishers: BTreeMap<String, (String, PublisherUntyped)>,
    waiting: Vec<(Waiting, String, Value)>,
}

impl Publications {
    /// Makes the publisher for messages of this type on the topic of this full name.
    ///
    /// # Errors
    /// The type was not known when skidpad was built, another one is published there, or the middleware refuses the publisher.
    pub(super) fn prepare(&mut self, node: &mut Node, topic: &str, kind: &str) -> Result<(), Diagnostic> {
        let of_topic = |problem: String| Diagnostic::new(format!("topic \"{topic}\""), problem);
        if let Some((known, _)) = self.publishers.get(topic) {
            let mismatch = || of_topic(format!("{known} and {kind}")).accepted("one type");
            return if known == kind { Ok(()) } else { Err(mismatch()) };
        }
        let publisher = publisher(node, topic, kind, QosProfile::default())?;
        self.publishers.insert(topic.to_owned(), (kind.to_owned(), publisher));
        Ok(())
    }

    /// Publishes a message, or as soon as somebody listens; its fields have been [checked](check).
    pub(super) fn publish(&mut self, topic: String, message: Value, mut waiting: Waiting, heard: &mut Vec<Heard>) {
        // A newer one takes the place of one that nobody has heard.
        if let Some(index) = self.waiting.iter().position(|(_, other, _)| *other == topic) {
            let (older, ..) = self.waiting.remove(index);
            older.is_over(heard);
            waiting.goes_on_from(older);
        }
        match self.publishers.get(&topic) {
            Some((_, publisher)) if is_heard(publisher) => send(publisher, &topic, message, &waiting, heard),
            _ => self.waiting.push((waiting, topic, message)),
        }
    }

    /// Publishes those to which somebody listens now.
    pub(super) fn turn(&mut self, node: &Node, heard: &mut Vec<Heard>) {
        let publishers = &self.publishers;
        self.waiting.retain_mut(|(waiting, topic, message)| {
            let Some((_, publisher)) = publishers.get(topic) else { return false };
            if !is_heard(publisher) {
                waiting.goes_on(node, heard);
                return true;
            }
            send(publisher, topic, std::mem::take(message), waiting, heard);
            false
        });
    }
}

/// Whether somebody subscribes.
fn is_heard(publisher: &PublisherUntyped) -> bool {
    publisher.get_inter_process_subscription_count().is_ok_and(|count| count > 0)
}

fn send(publisher: &PublisherUntyped, topic: &str, message: Value, waiting: &Waiting, heard: &mut Vec<Heard>) {
    waiting.is_over(heard);
    if let Err(cause) = publisher.publish(message) {
        heard.push(waiting.refused(Diagnostic::new(format!("topic \"{topic}\""), cause.to_string())));
    }
}

/// A publisher for messages of a recording. Whatever the quality of service of those who subscribe, it is offered: recordings do not always tell what it
/// was.
///
/// # Errors
/// The type was not known when skidpad was built, or the middleware refuses the publisher.
pub(super) fn for_recorded(node: &mut Node, topic: &str, kind: &str) -> Result<PublisherUntyped, Diagnostic> {
    let depth = if topic.ends_with("/tf_static") { DEPTH_OF_STATIC } else { DEPTH };
    publisher(node, topic, kind, QosProfile::default().keep_last(depth).reliable().transient_local())
}

fn publisher(node: &mut Node, topic: &str, kind: &str, qos: QosProfile) -> Result<PublisherUntyped, Diagnostic> {
    node.create_publisher_untyped(topic, kind, qos).map_err(|cause| match cause {
        r2r::Error::InvalidMessageType { .. } => unknown_type(kind),
        cause => Diagnostic::new(format!("topic \"{topic}\""), format!("cannot publish: {cause}")),
    })
}

/// What is told of a type that r2r does not know.
fn unknown_type(kind: &str) -> Diagnostic {
    let package = kind.split('/').next().unwrap_or_default();
    Diagnostic::new("type", format!("skidpad was built without {kind}"))
        .hint(format!("check the spelling; docs/development.md says how to build with {package}"))
}

/// A message of this type, whose fields are these; a stamp that is not given becomes `now`.
pub(super) fn with_stamp(kind: &str, fields: &Map<String, Value>, now: SimTime) -> Value {
    let mut message = fields.clone();
    let has_header = || template(kind).is_some_and(|template| template.pointer("/header/stamp").is_some());
    let is_stamped = fields.get("header").is_some_and(|header| header.get("stamp").is_some());
    if !is_stamped && has_header() {
        let header = message.entry("header").or_insert_with(|| Value::Object(Map::new()));
        if let Some(header) = header.as_object_mut() {
            header.insert("stamp".to_owned(), stamp_json(now));
        }
    }
    Value::Object(message)
}

/// A message of a type with nothing in it.
fn template(kind: &str) -> Option<Value> {
    WrappedNativeMsgUntyped::new_from(kind).ok()?.to_json().ok()
}

/// What is wrong with the fields of a message of this type, which is known.
///
/// # Errors
/// A field that the type does not have, an array of another length, or a value of another kind.
pub(super) fn check(kind: &str, fields: &Map<String, Value>) -> Result<(), Diagnostic> {
    let template = template(kind).ok_or_else(|| unknown_type(kind))?;
    let given = Value::Object(fields.clone());
    compare(&template, &given, "message").map_err(|mismatch| mismatch.at(kind))?;
    let native = WrappedNativeMsgUntyped::new_from(kind).map_err(|_| unknown_type(kind))?;
    // What is in a list has no template, and the client library panics at the length of some.
    let read = std::panic::catch_unwind(AssertUnwindSafe(|| native.from_json(given.clone())));
    let bounded = |_| Diagnostic::new(kind, "message: a list in it has a length that the type does not allow");
    read.map_err(bounded)?.map_err(|cause| Diagnostic::new(kind, format!("message: {cause}")))?;
    let filled = native.to_json().map_err(|cause| Diagnostic::new(kind, format!("message: {cause}")))?;
    compare(&filled, &given, "message").map_err(|mismatch| mismatch.at(kind))
}

/// The client library takes no notice of fields that a type does not have, and panics where an array has another length or a text a NUL.
fn compare(template: &Value, given: &Value, place: &str) -> Result<(), Diagnostic> {
    let error = || Diagnostic::new(place, format!("found {given}"));
    match (template, given) {
        (Value::Object(known), Value::Object(fields)) => {
            for (name, value) in fields {
                let names = || known.keys().collect::<Vec<_>>();
                let unknown = || Diagnostic::new(place, format!("no field \"{name}\"")).one_of(name, &names());
                compare(known.get(name).ok_or_else(unknown)?, value, &format!("{place}.{name}"))?;
            }
            Ok(())
        }
        (Value::Object(_), _) => Err(error().accepted("fields by name")),
        (Value::Array(known), Value::Array(values)) => {
            let Some(first) = known.first() else {
                return if given.to_string().contains("\\u0000") { Err(error()) } else { Ok(()) };
            };
            if values.len() != known.len() {
                return Err(error().accepted(format!("{} values", known.len())));
            }
            values.iter().try_for_each(|value| compare(first, value, place))
        }
        (Value::Array(_), _) => Err(error().accepted("a list")),
        (Value::String(_), Value::String(text)) if text.contains('\0') => Err(error().accepted("a text without NUL")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn what_a_type_does_not_have_is_refused() {
        let reported = |kind: &str, text: &str| check(kind, &fields(text)).map_err(|problem| problem.to_string());
        assert_eq!(reported("std_msgs/msg/Bool", r#"{"data": true}"#), Ok(()));
        let pose = "geometry_msgs/msg/PoseWithCovarianceStamped";
        assert_eq!(
            reported(pose, r#"{"header": {"frame_id": "map"}, "pose": {"pose": {"position": {"x": 1}}}}"#),
            Ok(())
        );
        let unknown = reported("std_msgs/msg/Bool", r#"{"dat": true}"#).unwrap_err();
        assert_eq!(
            unknown,
            "std_msgs/msg/Bool: message: no field \"dat\"\n  accepted: data\n  hint: did you mean \"data\"?"
        );
        let nested = reported(pose, r#"{"pose": {"pose": {"locus": {}}}}"#).unwrap_err();
        assert!(nested.starts_with(&format!("{pose}: message.pose.pose: no field \"locus\"")), "{nested}");
        let short = reported(pose, r#"{"pose": {"covariance": [1]}}"#).unwrap_err();
        assert!(short.ends_with("message.pose.covariance: found [1]\n  accepted: 36 values"), "{short}");
        assert!(
            reported("std_msgs/msg/Bool", r#"{"data": "yes"}"#)
                .unwrap_err()
                .starts_with("std_msgs/msg/Bool: message: ")
        );
        assert!(reported("std_msgs/msg/String", r#"{"data": "a\u0000"}"#).is_err());
        // In lists, which have no template.
        let goals = "action_msgs/msg/GoalStatusArray";
        assert_eq!(reported(goals, r#"{"status_list": [{"status": 1}, {"status": 2}]}"#), Ok(()));
        let inner = reported(goals, r#"{"status_list": [{"status": 1}, {"stat": 2}]}"#).unwrap_err();
        assert!(inner.contains("no field \"stat\""), "{inner}");
        let short = reported(goals, r#"{"status_list": [{"goal_info": {"goal_id": {"uuid": [1]}}}]}"#).unwrap_err();
        assert!(short.ends_with("a list in it has a length that the type does not allow"), "{short}");
        let absent = reported("no_msgs/msg/Bool", "{}").unwrap_err();
        assert!(absent.starts_with("type: skidpad was built without no_msgs/msg/Bool\n  hint: "), "{absent}");
    }

    #[test]
    fn a_stamp_that_is_not_given_is_the_time_of_the_order() {
        let now = SimTime(1_500_000_000);
        let stamp = |kind: &str, text: &str| with_stamp(kind, &fields(text), now).pointer("/header/stamp").cloned();
        let twist = "geometry_msgs/msg/TwistStamped";
        assert_eq!(stamp(twist, "{}"), Some(stamp_json(now)));
        assert_eq!(stamp(twist, r#"{"header": {"stamp": {"sec": 3}}}"#), serde_json::from_str(r#"{"sec": 3}"#).ok());
        assert_eq!(stamp("std_msgs/msg/Bool", r#"{"data": true}"#), None);
    }
}
