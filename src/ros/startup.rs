//! What all nodes begin with: the context of the client library, the node with its names, the services common to all nodes, and the lines
//! that a node prints about itself.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use r2r::{Context, Node};
use skidpad_run::guard::reason;
use tokio::runtime::{Builder, Runtime};

use crate::error::{self, RosError};
use crate::graph::names::Resolver;
use crate::parameters::arguments::{self, Given};
use crate::parameters::services::{self, OnChange};
use crate::parameters::table::Parameters;
use crate::rosout;
use crate::service_calls::ServiceCalls;

/// A node without any topics or services yet.
pub(crate) struct NewNode {
    /// The context of the process.
    pub context: Context,
    /// The node.
    pub node: Node,
    /// Resolves the full names of its topics.
    pub resolver: Resolver,
    /// The parameters that were given for it at the start.
    pub given: Given,
    /// The thread of its tasks.
    pub tasks: Runtime,
}

impl NewNode {
    /// Creates the node with the name `name` unless `ros_args`, the arguments of the process, rename it.
    ///
    /// # Errors
    /// A `ROS_DOMAIN_ID` or `--ros-args` that are not accepted, and whatever the client library refuses.
    pub fn create(name: &str, ros_args: &[String]) -> Result<NewNode, RosError> {
        check_domain(std::env::var("ROS_DOMAIN_ID").ok().as_deref())?;
        let context = create_context()?;
        let node = Node::create(context.clone(), name, "").map_err(|error| {
            RosError::new("ROS node", format!("cannot be created: {error}"))
                .hint("check the node name (__node) and the namespace (__ns) in --ros-args")
        })?;
        let has_no_name = |error: r2r::Error| RosError::new("ROS node", format!("has no name: {error}"));
        let (name, namespace) = (node.name().map_err(has_no_name)?, node.namespace().map_err(has_no_name)?);
        let resolver = Resolver::new(&name, &namespace, ros_args);
        let given = arguments::given(ros_args, &node.fully_qualified_name().map_err(has_no_name)?)?;
        let tasks = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("ros-tasks")
            .enable_time()
            .build()
            .map_err(|error| error::thread(&error))?;
        Ok(NewNode { context, node, resolver, given, tasks })
    }
}

/// Offers what all nodes have in common: the parameter services, and the log on `/rosout`.
pub(crate) fn serve_parameters_and_log(
    node: &mut Node,
    parameters: &Arc<Parameters>,
    on_change: OnChange,
    calls: &mut ServiceCalls,
) -> Result<(), RosError> {
    services::serve(node, parameters, on_change, calls)
        .map_err(|error| RosError::new("ROS parameters", format!("cannot be offered: {error}")))?;
    rosout::publish(node, calls.tasks())
        .map_err(|error| RosError::new("ROS log", format!("cannot be published: {error}")))
}

/// Creates the context of the client library. r2r panics when rcl refuses to start; this function returns an error instead.
fn create_context() -> Result<Context, RosError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(Context::create));
    std::panic::set_hook(hook);
    let reason = match outcome {
        Ok(Ok(context)) => return Ok(context),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => reason(panic.as_ref()).to_owned(),
    };
    Err(RosError::new("ROS client library", format!("cannot start: {}", without_source_lines(&reason)))
        .hint("check --ros-args and the environment variables ROS_… and RMW_…"))
}

/// The reason given by rcl, without the lines of its own sources.
fn without_source_lines(reason: &str) -> &str {
    let line = reason.lines().next().unwrap_or_default();
    line.split(", at /").next().unwrap_or_default().trim_end_matches('.')
}

/// Refuses domains for which there are no ports: Fast DDS would end the whole process.
fn check_domain(domain: Option<&str>) -> Result<(), RosError> {
    let Some(domain) = domain.filter(|domain| !domain.is_empty()) else { return Ok(()) };
    match domain.parse::<u32>() {
        Ok(0..=232) => Ok(()),
        _ => Err(RosError::new("ROS_DOMAIN_ID", format!("found \"{domain}\""))
            .accepted("a whole number from 0 to 232")
            .hint("0 to 101 are safe on every system")),
    }
}

/// The ROS domain of this process, which has been accepted.
pub fn domain() -> u32 {
    std::env::var("ROS_DOMAIN_ID").ok().and_then(|domain| domain.parse().ok()).unwrap_or(0)
}

/// Distribution, full name and domain of a node, for display.
pub(crate) fn identity_line(node: &Node) -> String {
    let name = node.fully_qualified_name().unwrap_or_default();
    format!("ROS 2 {}: node {name}, domain {}", r2r::ROS_DISTRO, domain())
}

/// Appends names and their types under a title.
pub(crate) fn append_section(lines: &mut Vec<String>, title: &str, entries: Vec<(String, String)>) {
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, (name, kind)) in entries.iter().enumerate() {
        let title = if index == 0 { title } else { "" };
        lines.push(format!("  {title:<10} {name:<width$}  {kind}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_without_ports_are_refused() {
        assert_eq!(check_domain(None), Ok(()));
        assert_eq!(check_domain(Some("")), Ok(()));
        assert_eq!(check_domain(Some("232")), Ok(()));
        for bad in ["233", "-1", "abc", "1.5"] {
            let error = check_domain(Some(bad)).unwrap_err();
            assert_eq!(error.place.as_deref(), Some("ROS_DOMAIN_ID"));
            assert_eq!(error.found, format!("found \"{bad}\""));
        }
    }

    #[test]
    fn reasons_omit_source_locations_of_rcl() {
        let reason = "Couldn't parse remap rule: '-r x'. Error: no, at /project/a.c:239, at /project/b.c:380\nmore";
        assert_eq!(without_source_lines(reason), "Couldn't parse remap rule: '-r x'. Error: no");
    }
}
