//! Warns when another node publishes a topic that must have one publisher: subscribers would get contradicting messages in turn.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use r2r::Node;

use super::peers;
use crate::ros::throttle::Throttle;

/// Period of the queries of the graph.
const GRAPH_PERIOD: Duration = Duration::from_millis(200);

/// A topic that must have one publisher.
pub struct ExclusiveTopic {
    /// Its full name.
    pub topic: String,
    /// What is accepted, in a word or two: "one clock".
    pub accepted: &'static str,
    /// How to resolve the conflict.
    pub hint: &'static str,
}

/// Watches such topics.
pub struct DuplicatePublishers {
    topics: Vec<ExclusiveTopic>,
    checks: Throttle,
}

impl DuplicatePublishers {
    /// Watches these topics, which this node publishes.
    pub fn new(topics: Vec<ExclusiveTopic>) -> DuplicatePublishers {
        DuplicatePublishers { topics, checks: Throttle::new(GRAPH_PERIOD) }
    }

    /// Warns once for each topic with further publishers, of those for which `counts` holds.
    pub fn check(&mut self, node: &Node, counts: impl Fn(&str) -> bool) {
        if !self.checks.is_due(Instant::now()) {
            return;
        }
        self.topics.retain(|exclusive| !(counts(&exclusive.topic) && warn_if_shared(node, exclusive)));
    }
}

/// Warns if another node publishes on the topic; true when it did.
fn warn_if_shared(node: &Node, exclusive: &ExclusiveTopic) -> bool {
    let Some(publishers) = peers::publishers_of(node, &exclusive.topic).filter(|publishers| publishers.len() > 1)
    else {
        return false;
    };
    let count = publishers.len();
    let names: BTreeSet<String> = publishers.into_iter().collect();
    tracing::warn!("{}", warning(exclusive, count, &names));
    true
}

fn warning(exclusive: &ExclusiveTopic, count: usize, names: &BTreeSet<String>) -> String {
    let ExclusiveTopic { topic, accepted, hint } = exclusive;
    format!(
        "topic \"{topic}\": {count} nodes of this ROS domain publish it\n  accepted: {accepted}, found {}\n  hint: {hint}",
        peers::listed(names)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warning_names_the_publishers() {
        let exclusive = ExclusiveTopic { topic: "/map".to_owned(), accepted: "one map", hint: "end one" };
        let names = BTreeSet::from(["/map_server".to_owned(), "/skidpad".to_owned()]);
        assert_eq!(
            warning(&exclusive, 2, &names),
            "topic \"/map\": 2 nodes of this ROS domain publish it\n  accepted: one map, found nodes \"/map_server\", \"/skidpad\"\n  \
             hint: end one"
        );
    }
}
