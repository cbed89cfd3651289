//! ROS names: which ones are valid, and what a relative one becomes under a namespace and remapping rules.
//!
//! r2r creates topics by relative name and does not report the resolved names, but queries of the graph need full names. The rules are
//! those of rcl (<https://design.ros2.org/articles/topic_and_service_names.html> and
//! <https://design.ros2.org/articles/static_remapping.html>): the first rule whose expanded match equals the expanded name applies, and its
//! replacement is expanded in turn.

/// Name of the node unless `__node` says otherwise.
pub const NODE: &str = "skidpad";

/// The scope of relative names: a node's name and namespace, and the remapping rules of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolver {
    node: String,
    namespace: String,
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    pattern: String,
    replacement: String,
}

impl Resolver {
    /// For the node `node` in `namespace` (as the node itself reports them), with the rules in the arguments of the process. Anything else
    /// than a rule for topic names is skipped: rcl has already reported invalid arguments.
    pub fn new(node: &str, namespace: &str, args: &[String]) -> Resolver {
        let rules = remap_arguments(args).filter_map(|rule| parse_rule(rule, node)).collect();
        Resolver { node: node.to_owned(), namespace: namespace.to_owned(), rules }
    }

    /// The full name that `name` stands for.
    pub fn resolve(&self, name: &str) -> String {
        let full = self.expand(name);
        match self.rules.iter().find(|rule| self.expand(&rule.pattern) == full) {
            Some(rule) => self.expand(&rule.replacement),
            None => full,
        }
    }

    fn expand(&self, name: &str) -> String {
        let namespace = self.namespace.trim_end_matches('/');
        if name.starts_with('/') {
            name.to_owned()
        } else if let Some(private) = name.strip_prefix('~') {
            format!("{namespace}/{}{private}", self.node)
        } else {
            format!("{namespace}/{name}")
        }
    }
}

/// The full name of the node according to the arguments of the process; its default name is `skidpad`.
pub(crate) fn node_name(args: &[String]) -> String {
    let given = |name: &str| remap_arguments(args).find_map(|rule| rule.strip_prefix(name)?.strip_prefix(":="));
    let namespace = given("__ns").unwrap_or_default().trim_matches('/');
    let name = given("__node").or_else(|| given("__name")).unwrap_or(NODE);
    if namespace.is_empty() { format!("/{name}") } else { format!("/{namespace}/{name}") }
}

/// The words after `-r` or `--remap` between `--ros-args` and `--`.
fn remap_arguments(args: &[String]) -> impl Iterator<Item = &str> {
    let mut inside = false;
    let mut expects_rule = false;
    args.iter().filter_map(move |arg| {
        if std::mem::take(&mut expects_rule) {
            return Some(arg.as_str());
        }
        match arg.as_str() {
            "--ros-args" => inside = true,
            "--" => inside = false,
            "-r" | "--remap" => expects_rule = inside,
            _ => {}
        }
        None
    })
}

fn parse_rule(text: &str, node: &str) -> Option<Rule> {
    let (left, replacement) = text.split_once(":=")?;
    let left = left.strip_prefix("rostopic://").unwrap_or(left);
    let pattern = match left.split_once(':') {
        Some((only_for, pattern)) if only_for == node => pattern,
        Some(_) => return None,
        None => left,
    };
    let pattern = pattern.strip_prefix("rostopic://").unwrap_or(pattern);
    if pattern.starts_with("__") || pattern.contains("://") {
        return None;
    }
    Some(Rule { pattern: pattern.to_owned(), replacement: replacement.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver(namespace: &str, args: &[&str]) -> Resolver {
        let args: Vec<String> = args.iter().map(|a| (*a).to_owned()).collect();
        Resolver::new("skidpad", namespace, &args)
    }

    #[test]
    fn relative_names_take_the_namespace_and_absolute_ones_do_not() {
        assert_eq!(resolver("/", &[]).resolve("odom"), "/odom");
        assert_eq!(resolver("/car", &[]).resolve("odom"), "/car/odom");
        assert_eq!(resolver("/car", &[]).resolve("/clock"), "/clock");
        assert_eq!(resolver("/car", &[]).resolve("~/reset"), "/car/skidpad/reset");
    }

    #[test]
    fn the_first_matching_rule_applies_and_its_replacement_is_expanded() {
        let r = resolver("/car", &["skidpad", "--ros-args", "-r", "scan:=front/scan", "--remap", "scan:=other"]);
        assert_eq!(r.resolve("scan"), "/car/front/scan");
        assert_eq!(r.resolve("odom"), "/car/odom");
        let r = resolver("/car", &["skidpad", "--ros-args", "-r", "/car/scan:=/lidar"]);
        assert_eq!(r.resolve("scan"), "/lidar");
    }

    #[test]
    fn rules_for_other_nodes_and_special_rules_are_skipped() {
        let args = ["x", "--ros-args", "-r", "other:odom:=a", "-r", "__ns:=/b", "-r", "skidpad:scan:=c"];
        let r = resolver("/", &args);
        assert_eq!(r.resolve("odom"), "/odom");
        assert_eq!(r.resolve("scan"), "/c");
    }

    #[test]
    fn rules_outside_the_ros_arguments_are_ignored() {
        let r = resolver("/", &["x", "-r", "odom:=a", "--ros-args", "--", "-r", "odom:=b"]);
        assert_eq!(r.resolve("odom"), "/odom");
    }
}
