//! Quality of service by parameter, as rclcpp nodes have it: `qos_overrides.<topic>.publisher.<policy>`.
//!
//! ```yaml
//! skidpad:
//!   ros__parameters:
//!     qos_overrides:
//!       /scan:
//!         publisher: {reliability: best_effort, depth: 1}
//! ```

use r2r::qos::{DurabilityPolicy, HistoryPolicy, ReliabilityPolicy};
use r2r::{ParameterValue, QosProfile};

use super::error::RosError;

const PREFIX: &str = "qos_overrides.";
const MIDDLE: &str = ".publisher.";

/// The policies that parameters ask for, by full topic name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QosOverrides(Vec<Override>);

#[derive(Clone, Debug, PartialEq)]
struct Override {
    topic: String,
    policy: Policy,
}

#[derive(Clone, Debug, PartialEq)]
enum Policy {
    Reliability(ReliabilityPolicy),
    Durability(DurabilityPolicy),
    History(HistoryPolicy),
    Depth(usize),
}

impl QosOverrides {
    /// Picks the overrides for publishers out of parameters given at the start. Fails on a policy or value that is not
    /// accepted.
    pub fn new<'a>(given: impl Iterator<Item = (&'a String, &'a ParameterValue)>) -> Result<QosOverrides, RosError> {
        let mut overrides = Vec::new();
        for (name, value) in given {
            let Some((topic, policy)) = name.strip_prefix(PREFIX).and_then(|rest| rest.rsplit_once(MIDDLE)) else {
                continue;
            };
            overrides.push(Override { topic: topic.to_owned(), policy: read(name, policy, value)? });
        }
        Ok(QosOverrides(overrides))
    }

    /// `qos` with what the parameters ask for the topic of this full name.
    pub fn apply(&self, topic: &str, mut qos: QosProfile) -> QosProfile {
        for one in self.0.iter().filter(|one| one.topic == topic) {
            match &one.policy {
                Policy::Reliability(policy) => qos.reliability = policy.clone(),
                Policy::Durability(policy) => qos.durability = policy.clone(),
                Policy::History(policy) => qos.history = policy.clone(),
                Policy::Depth(depth) => qos.depth = *depth,
            }
        }
        qos
    }
}

fn read(name: &str, policy: &str, value: &ParameterValue) -> Result<Policy, RosError> {
    let refuse = |accepted: &str| {
        let found = match value {
            ParameterValue::String(word) => format!("found \"{word}\""),
            ParameterValue::Integer(number) => format!("found {number}"),
            other => format!("found a value of type {}", other.type_name()),
        };
        Err(RosError::new(format!("parameter \"{name}\""), found).accepted(accepted))
    };
    let word = match value {
        ParameterValue::String(word) => word.as_str(),
        _ => "",
    };
    match policy {
        "reliability" => match word {
            "reliable" => Ok(Policy::Reliability(ReliabilityPolicy::Reliable)),
            "best_effort" => Ok(Policy::Reliability(ReliabilityPolicy::BestEffort)),
            _ => refuse("reliable, best_effort"),
        },
        "durability" => match word {
            "volatile" => Ok(Policy::Durability(DurabilityPolicy::Volatile)),
            "transient_local" => Ok(Policy::Durability(DurabilityPolicy::TransientLocal)),
            _ => refuse("volatile, transient_local"),
        },
        // Keeping all would let one stalled subscriber fill the memory.
        "history" => match word {
            "keep_last" => Ok(Policy::History(HistoryPolicy::KeepLast)),
            _ => refuse("keep_last"),
        },
        "depth" => match value {
            ParameterValue::Integer(depth @ 1..=1_000_000) => Ok(Policy::Depth(*depth as usize)),
            _ => refuse("a whole number from 1 to 1000000"),
        },
        _ => Err(RosError::new(format!("parameter \"{name}\""), format!("unknown policy \"{policy}\""))
            .accepted("reliability, durability, history, depth")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(name: &str, value: ParameterValue) -> Result<QosOverrides, RosError> {
        QosOverrides::new([(&name.to_owned(), &value)].into_iter())
    }

    #[test]
    fn policies_change_on_the_topic_that_is_named_and_nowhere_else() {
        let word = ParameterValue::String("best_effort".into());
        let overrides = overrides("qos_overrides./r1/scan.publisher.reliability", word).unwrap();
        let qos = QosProfile::default();
        assert_eq!(overrides.apply("/r1/scan", qos.clone()).reliability, ReliabilityPolicy::BestEffort);
        assert_eq!(overrides.apply("/r2/scan", qos.clone()), qos);
    }

    #[test]
    fn other_parameters_are_passed_over() {
        assert_eq!(overrides("odom_rate", ParameterValue::Double(1.0)).unwrap(), QosOverrides::default());
        let subscription = "qos_overrides./cmd_vel.subscription.depth";
        assert_eq!(overrides(subscription, ParameterValue::Integer(1)).unwrap(), QosOverrides::default());
    }

    #[test]
    fn what_is_not_accepted_is_named() {
        let error = overrides("qos_overrides./scan.publisher.depth", ParameterValue::Integer(0)).unwrap_err();
        let expected =
            "parameter \"qos_overrides./scan.publisher.depth\": found 0\n  accepted: a whole number from 1 to 1000000";
        assert_eq!(error.to_string(), expected);
        let word = ParameterValue::String("keep_all".into());
        let error = overrides("qos_overrides./scan.publisher.history", word).unwrap_err();
        assert_eq!(error.accepted.as_deref(), Some("keep_last"));
        let error = overrides("qos_overrides./scan.publisher.colour", ParameterValue::Integer(0)).unwrap_err();
        assert_eq!(error.found, "unknown policy \"colour\"");
    }
}
