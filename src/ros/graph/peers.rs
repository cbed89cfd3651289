//! Other nodes on the ROS graph: their names, and which of them publish a topic.

use std::collections::BTreeSet;

use r2r::Node;

/// Name of a node in the graph as long as it is only half discovered.
const UNKNOWN_NODE: &str = "_NODE_NAME_UNKNOWN_";

/// The full name of a node; none until the graph has discovered it.
pub(crate) fn full_name(namespace: &str, name: &str) -> Option<String> {
    (name != UNKNOWN_NODE).then(|| format!("{}/{name}", namespace.trim_end_matches('/')))
}

/// The names of nodes for display: `node "/a"`, `nodes "/a", "/b"`.
pub fn listed(names: &BTreeSet<String>) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let kind = if names.len() == 1 { "node" } else { "nodes" };
    format!("{kind} {}", quoted.join(", "))
}

/// The nodes that publish on a topic.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Publishers {
    /// Names of those that the graph has discovered as a whole.
    pub names: BTreeSet<String>,
    /// Number of publishers.
    pub count: usize,
    /// Number of those whose node's name is not known yet.
    pub unnamed: usize,
}

/// The nodes that publish on a topic, given by its full name.
pub(crate) fn publishers_of(node: &Node, topic: &str) -> Publishers {
    let ends = node.get_publishers_info_by_topic(topic, false).unwrap_or_default();
    let names: Vec<String> = ends.iter().filter_map(|end| full_name(&end.node_namespace, &end.node_name)).collect();
    Publishers { count: ends.len(), unnamed: ends.len() - names.len(), names: names.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_listed_by_name() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(listed(&names(&["/a"])), "node \"/a\"");
        assert_eq!(listed(&names(&["/ns/b", "/a"])), "nodes \"/a\", \"/ns/b\"");
    }

    #[test]
    fn half_discovered_nodes_have_no_name() {
        assert_eq!(full_name("/", "peer").as_deref(), Some("/peer"));
        assert_eq!(full_name("/car", "peer").as_deref(), Some("/car/peer"));
        assert_eq!(full_name("/", UNKNOWN_NODE), None);
    }
}
