//! Quality of service by parameter, as in rclcpp nodes: `qos_overrides.<topic>.publisher.<policy>` and
//! `qos_overrides.<topic>.subscription.<policy>`, which can be set only at the start.
//!
//! ```yaml
//! skidpad:
//!   ros__parameters:
//!     qos_overrides:
//!       /scan:
//!         publisher: {reliability: best_effort, depth: 1}
//!       /cmd_vel:
//!         subscription: {reliability: best_effort}
//! ```

use r2r::qos::HistoryPolicy;
use r2r::{ParameterValue, QosProfile};

use super::table::{Declaration, Kind, Named, Parameters};
use crate::error::RosError;
use crate::graph::quality::DATA_QOS;

const PREFIX: &str = "qos_overrides.";

/// Smallest and largest depth of a topic [messages].
pub const DEPTHS: [i64; 2] = [1, 1_000_000];

/// The policies and the values that they accept.
const POLICIES: [Declaration; 4] = [
    policy("reliability", Kind::Word { default: "reliable", of: &["reliable", "best_effort"] }),
    policy("durability", Kind::Word { default: "volatile", of: &["volatile", "transient_local"] }),
    // Keeping all would let one stalled subscriber fill the memory.
    policy("history", Kind::Word { default: "keep_last", of: &["keep_last"] }),
    policy("depth", Kind::Whole { default: 10, range: DEPTHS }),
];

const fn policy(name: &'static str, kind: Kind) -> Declaration {
    Declaration::new(name, kind, "quality of service of one end of a topic").at_start()
}

/// An end of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The publisher.
    Publisher,
    /// The subscription.
    Subscription,
}

/// The ends by their names in parameters.
const ENDS: [(&str, End); 2] = [("publisher", End::Publisher), ("subscription", End::Subscription)];

/// The policies requested by parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QosOverrides {
    /// By full topic name.
    of_topics: Vec<Override>,
    /// Depth of the publishers of states and sensors [messages]; none: that of `DATA_QOS`.
    data_depth: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
struct Override {
    topic: String,
    end: End,
    /// Name of one of [`POLICIES`].
    policy: &'static str,
    value: ParameterValue,
}

impl QosOverrides {
    /// The overrides among the parameters given at the start, which it declares. Fails on a policy or value that is not accepted.
    pub fn new(given: &[Named], parameters: &Parameters) -> Result<QosOverrides, RosError> {
        let mut of_topics = Vec::new();
        for (name, _) in given {
            let Some((path, policy)) = name.strip_prefix(PREFIX).and_then(|path| path.rsplit_once('.')) else {
                continue;
            };
            let Some((topic, end)) = path.rsplit_once('.') else { continue };
            let Some((_, end)) = ENDS.iter().find(|(name, _)| *name == end) else {
                let accepted = ENDS.map(|(name, _)| name).join(", ");
                return Err(RosError::new(format!("parameter \"{name}\""), format!("found \"{end}\""))
                    .accepted(format!("{accepted} between the topic and the policy")));
            };
            let Some(declaration) = POLICIES.iter().find(|known| known.name == policy) else {
                let accepted = POLICIES.map(|known| known.name).join(", ");
                return Err(RosError::new(format!("parameter \"{name}\""), format!("unknown policy \"{policy}\""))
                    .accepted(accepted));
            };
            let prefix = name.strip_suffix(policy).unwrap_or_default().trim_end_matches('.');
            parameters.declare(prefix, &[*declaration], Box::new(|_, _| {}))?;
            let (policy, value) = (declaration.name, parameters.value(name));
            of_topics.push(Override { topic: topic.to_owned(), end: *end, policy, value });
        }
        Ok(QosOverrides { of_topics, data_depth: None })
    }

    /// The same with a depth of the publishers of states and sensors, which policies of single topics override.
    pub(crate) fn with_data_depth(self, data_depth: Option<usize>) -> QosOverrides {
        QosOverrides { data_depth, ..self }
    }

    /// `qos` with the overrides for this end of a topic, given by its full name.
    pub fn apply(&self, topic: &str, end: End, mut qos: QosProfile) -> QosProfile {
        if end == End::Publisher && qos == DATA_QOS {
            qos.depth = self.data_depth.unwrap_or(qos.depth);
        }
        for entry in self.of_topics.iter().filter(|entry| entry.topic == topic && entry.end == end) {
            match (entry.policy, &entry.value) {
                ("reliability", ParameterValue::String(word)) => {
                    let is_best_effort = word == "best_effort";
                    qos = if is_best_effort { qos.best_effort() } else { qos.reliable() };
                }
                ("durability", ParameterValue::String(word)) => {
                    let is_latched = word == "transient_local";
                    qos = if is_latched { qos.transient_local() } else { qos.volatile() };
                }
                ("depth", ParameterValue::Integer(depth)) => qos.depth = usize::try_from(*depth).unwrap_or(1),
                // The only history that is accepted.
                _ => qos.history = HistoryPolicy::KeepLast,
            }
        }
        qos
    }
}

#[cfg(test)]
mod tests {
    use r2r::qos::ReliabilityPolicy;
    use skidpad_ros_data::message::Quality;

    use super::*;
    use crate::graph::quality::qos;

    fn overrides(name: &str, value: ParameterValue) -> Result<(QosOverrides, Vec<String>), RosError> {
        let given = [(name.to_owned(), value)];
        let parameters =
            Parameters::new(&[], &[], given.iter().map(|(name, value)| (name, value)), Box::new(|_, _| {}))?;
        Ok((QosOverrides::new(&given, &parameters)?, parameters.names()))
    }

    fn word(text: &str) -> ParameterValue {
        ParameterValue::String(text.into())
    }

    #[test]
    fn policies_apply_only_to_the_named_end() {
        let name = "qos_overrides./r1/scan.publisher.reliability";
        let (of_publisher, declared) = overrides(name, word("best_effort")).unwrap();
        assert_eq!(declared, [name]);
        let qos = QosProfile::default();
        assert_eq!(
            of_publisher.apply("/r1/scan", End::Publisher, qos.clone()).reliability,
            ReliabilityPolicy::BestEffort
        );
        assert_eq!(of_publisher.apply("/r1/scan", End::Subscription, qos.clone()), qos);
        assert_eq!(of_publisher.apply("/r2/scan", End::Publisher, qos.clone()), qos);
        let subscription = "qos_overrides./cmd_vel.subscription.depth";
        let (of_subscription, _) = overrides(subscription, ParameterValue::Integer(1)).unwrap();
        assert_eq!(of_subscription.apply("/cmd_vel", End::Subscription, qos.clone()).depth, 1);
        assert_eq!(of_subscription.apply("/cmd_vel", End::Publisher, qos.clone()), qos);
    }

    #[test]
    fn a_preset_sets_the_depth_of_states_and_sensors_and_policies_of_a_topic_override_it() {
        let name = "qos_overrides./scan.publisher.depth";
        let overrides = overrides(name, ParameterValue::Integer(3)).unwrap().0.with_data_depth(Some(50));
        let depth = |topic, end, qos| overrides.apply(topic, end, qos).depth;
        assert_eq!(depth("/odom", End::Publisher, DATA_QOS), 50);
        assert_eq!(depth("/scan", End::Publisher, DATA_QOS), 3);
        assert_eq!(depth("/cmd_vel", End::Subscription, DATA_QOS), DATA_QOS.depth);
        assert_eq!(depth("/map", End::Publisher, qos(Quality::Latched)), Quality::Latched.depth());
    }

    #[test]
    fn other_parameters_are_ignored() {
        assert_eq!(overrides("odom_rate", ParameterValue::Double(1.0)).unwrap(), Default::default());
    }

    #[test]
    fn invalid_policies_are_named() {
        let refused = |name, value| overrides(name, value).unwrap_err().to_string();
        assert_eq!(
            refused("qos_overrides./scan.publisher.depth", ParameterValue::Integer(0)),
            "parameter \"qos_overrides./scan.publisher.depth\": found 0\n  accepted: a whole number from 1 to 1000000"
        );
        assert_eq!(
            refused("qos_overrides./scan.publisher.history", word("keep_all")),
            "parameter \"qos_overrides./scan.publisher.history\": found \"keep_all\"\n  accepted: keep_last"
        );
        assert_eq!(
            refused("qos_overrides./scan.publisher.colour", ParameterValue::Integer(0)),
            "parameter \"qos_overrides./scan.publisher.colour\": unknown policy \"colour\"\n  \
             accepted: reliability, durability, history, depth"
        );
        assert_eq!(
            refused("qos_overrides./scan.subscriber.depth", ParameterValue::Integer(1)),
            "parameter \"qos_overrides./scan.subscriber.depth\": found \"subscriber\"\n  \
             accepted: publisher, subscription between the topic and the policy"
        );
    }
}
