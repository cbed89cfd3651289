//! Warns when another node publishes a topic that must have one publisher: subscribers would get contradicting messages in turn.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use r2r::Node;

use super::peers::{self, Publishers};
use crate::throttle::Throttle;

/// Period of the queries of the graph.
const GRAPH_PERIOD: Duration = Duration::from_millis(200);
/// Queries that wait for the names of nodes which are only half discovered; on a busy network a name may never come.
const QUERIES_FOR_NAMES: u32 = 25;

/// A topic that must have one publisher.
pub(crate) struct ExclusiveTopic {
    /// Its full name.
    pub topic: String,
    /// What is accepted, in a word or two: "one clock".
    pub accepted: &'static str,
    /// How to resolve the conflict.
    pub hint: &'static str,
}

/// Watches such topics.
pub(crate) struct DuplicatePublishers {
    /// Those without a warning yet, and how many queries have waited for names.
    topics: Vec<(ExclusiveTopic, u32)>,
    checks: Throttle,
}

impl DuplicatePublishers {
    /// Watches these topics, which this node publishes.
    pub fn new(topics: Vec<ExclusiveTopic>) -> DuplicatePublishers {
        let topics = topics.into_iter().map(|topic| (topic, 0)).collect();
        DuplicatePublishers { topics, checks: Throttle::new(GRAPH_PERIOD) }
    }

    /// Warns once for each topic with further publishers, of those for which `counts` holds.
    pub fn check(&mut self, node: &Node, counts: impl Fn(&str) -> bool) {
        if !self.checks.is_due(Instant::now()) {
            return;
        }
        self.topics.retain_mut(|(exclusive, waited)| {
            if !counts(&exclusive.topic) {
                return true;
            }
            let publishers = peers::publishers_of(node, &exclusive.topic);
            *waited += u32::from(publishers.count > 1);
            !warn_if_shared(exclusive, &publishers, *waited > QUERIES_FOR_NAMES)
        });
    }
}

/// Warns if several nodes publish on the topic, once their names are known or `is_late`; true when it did.
fn warn_if_shared(exclusive: &ExclusiveTopic, publishers: &Publishers, is_late: bool) -> bool {
    if publishers.count < 2 || (publishers.unnamed > 0 && !is_late) {
        return false;
    }
    tracing::warn!("{}", warning(exclusive, publishers.count, &publishers.names));
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

    #[test]
    fn nodes_without_a_name_are_waited_for_but_not_forever() {
        let exclusive = ExclusiveTopic { topic: "/map".to_owned(), accepted: "one map", hint: "end one" };
        let publishers = |count, unnamed| Publishers { names: BTreeSet::from(["/skidpad".to_owned()]), count, unnamed };
        for (count, unnamed, is_late, expected) in
            [(1, 0, true, false), (2, 1, false, false), (2, 1, true, true), (2, 0, false, true)]
        {
            assert_eq!(warn_if_shared(&exclusive, &publishers(count, unnamed), is_late), expected, "{count} {unnamed}");
        }
    }
}
