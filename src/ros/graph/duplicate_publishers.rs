//! Warns when somebody else publishes what only one may: every listener would be told two things in turn.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use r2r::Node;

use super::peers;

/// How often the graph is asked.
const LOOK: Duration = Duration::from_millis(200);

/// A topic with one publisher.
pub struct Sole {
    /// Its full name.
    pub topic: String,
    /// What is accepted, in a word or two: "one clock".
    pub accepted: &'static str,
    /// What to try.
    pub hint: &'static str,
}

/// The watch over such topics.
pub struct Rivals {
    topics: Vec<Sole>,
    looked: Option<Instant>,
}

impl Rivals {
    /// Watches these topics, which this node publishes.
    pub fn new(topics: Vec<Sole>) -> Rivals {
        Rivals { topics, looked: None }
    }

    /// Warns once for each topic that others publish too, of those for which `counts` holds.
    pub fn look(&mut self, node: &Node, counts: impl Fn(&str) -> bool) {
        if self.looked.is_some_and(|at| at.elapsed() < LOOK) {
            return;
        }
        self.looked = Some(Instant::now());
        self.topics.retain(|sole| !(counts(&sole.topic) && tell(node, sole)));
    }
}

/// Warns if somebody else publishes on the topic; true when it did.
fn tell(node: &Node, sole: &Sole) -> bool {
    let Some(publishers) = peers::publishers_of(node, &sole.topic).filter(|publishers| publishers.len() > 1) else {
        return false;
    };
    let count = publishers.len();
    let names: BTreeSet<String> = publishers.into_iter().collect();
    tracing::warn!("{}", warning(sole, count, &names));
    true
}

fn warning(sole: &Sole, count: usize, names: &BTreeSet<String>) -> String {
    let Sole { topic, accepted, hint } = sole;
    format!(
        "topic \"{topic}\": {count} nodes of this ROS domain publish it\n  accepted: {accepted}, found {}\n  hint: {hint}",
        peers::listed(names)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warning_names_who_publishes() {
        let sole = Sole { topic: "/map".to_owned(), accepted: "one map", hint: "end one" };
        let names = BTreeSet::from(["/map_server".to_owned(), "/skidpad".to_owned()]);
        assert_eq!(
            warning(&sole, 2, &names),
            "topic \"/map\": 2 nodes of this ROS domain publish it\n  accepted: one map, found nodes \"/map_server\", \"/skidpad\"\n  \
             hint: end one"
        );
    }
}
