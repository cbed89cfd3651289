//! The interface of a node (publishers, subscriptions, services) as lines of text for display.

use r2r::Node;

use super::context::identity_line;
use crate::preset::{Preset, racecar};
use crate::ros::commands::external_tracker;
use crate::ros::commands::listener::CommandListeners;
use crate::ros::commands::subscription::ACKERMANN_TYPE;
use crate::ros::graph::names::Resolver;
use crate::ros::graph::topic_layout::{TopicLayout, published};
use crate::ros::services::run_control;

/// Appends names and their types under a title.
pub fn append_section(lines: &mut Vec<String>, title: &str, entries: Vec<(String, String)>) {
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, (name, kind)) in entries.iter().enumerate() {
        let title = if index == 0 { title } else { "" };
        lines.push(format!("  {title:<10} {name:<width$}  {kind}"));
    }
}

/// The topics that the node publishes and subscribes to, its services, and how to drive.
pub fn interface_lines(
    node: &Node,
    resolver: &Resolver,
    (preset, layout, controls): (&Preset, &TopicLayout, Option<(String, String)>),
    inputs: &CommandListeners,
    hears_trackers: bool,
    mux_lines: Vec<String>,
) -> Vec<String> {
    let mut lines = vec![identity_line(node)];
    let mut section = |title: &str, entries| append_section(&mut lines, title, entries);
    section(
        "publishes",
        published(layout).into_iter().map(|(name, kind)| (resolver.resolve(&name), kind.to_owned())).collect(),
    );
    let heard = inputs.interface(layout);
    let recorded =
        external_tracker::HEARD.iter().filter(|_| hears_trackers).map(|(name, kind)| (resolver.resolve(name), *kind));
    let listens = heard.iter().cloned().chain(recorded);
    section("listens to", listens.map(|(topic, kind)| (topic, kind.to_owned())).collect());
    let own = run_control::offered(preset).map(|(name, kind)| (name.to_owned(), kind.to_owned()));
    let offered = own.chain(controls).map(|(name, kind)| (resolver.resolve(&name), kind));
    section("offers", offered.collect());
    let has_mux = !mux_lines.is_empty();
    if has_mux {
        lines.push("  command multiplexer".to_owned());
        lines.extend(mux_lines);
    }
    if let Some((topic, kind)) = heard.first() {
        let navigation = if preset.with_quirks { racecar::NAVIGATION } else { "/drive" };
        let topic = if has_mux { resolver.resolve(navigation) } else { topic.clone() };
        let values = match *kind {
            ACKERMANN_TYPE => "{drive: {speed: 1.0, steering_angle: 0.2}}",
            "geometry_msgs/msg/TwistStamped" => "{twist: {linear: {x: 0.5}, angular: {z: 0.2}}}",
            _ => "{linear: {x: 0.5}, angular: {z: 0.2}}",
        };
        lines.push(format!("  drive it   ros2 topic pub -r 10 {topic} {kind} '{values}'"));
    }
    lines
}
