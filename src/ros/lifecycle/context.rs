//! The start of the client library: its context, and what a node is called.

use std::panic::AssertUnwindSafe;

use r2r::{Context, Node};

use crate::guard::reason;
use crate::ros::error::RosError;

/// r2r panics when rcl refuses to start; this says the same as an error.
pub fn create_context() -> Result<Context, RosError> {
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

/// What rcl says, less the places in its own sources.
fn without_source_lines(reason: &str) -> &str {
    let line = reason.lines().next().unwrap_or_default();
    line.split(", at /").next().unwrap_or_default().trim_end_matches('.')
}

/// Fast DDS ends the whole process when the domain is so high that it has no ports.
pub fn check_domain(domain: Option<&str>) -> Result<(), RosError> {
    let Some(domain) = domain.filter(|domain| !domain.is_empty()) else { return Ok(()) };
    match domain.parse::<u32>() {
        Ok(0..=232) => Ok(()),
        _ => Err(RosError::new("ROS_DOMAIN_ID", format!("found \"{domain}\""))
            .accepted("a whole number from 0 to 232")
            .hint("0 to 101 are safe on every system")),
    }
}

/// Distribution, full name and domain of a node, for people to read.
pub fn identity_line(node: &Node) -> String {
    let domain = std::env::var("ROS_DOMAIN_ID").unwrap_or_else(|_| "0".to_owned());
    format!("ROS 2 {}: node {}, domain {domain}", r2r::ROS_DISTRO, node.fully_qualified_name().unwrap_or_default())
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
            assert_eq!(error.place, "ROS_DOMAIN_ID");
            assert_eq!(error.found, format!("found \"{bad}\""));
        }
    }

    #[test]
    fn reasons_come_without_places_in_foreign_sources() {
        let reason = "Couldn't parse remap rule: '-r x'. Error: no, at /project/a.c:239, at /project/b.c:380\nmore";
        assert_eq!(without_source_lines(reason), "Couldn't parse remap rule: '-r x'. Error: no");
    }
}
