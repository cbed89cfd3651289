//! The interface of a node (publishers, subscriptions, services) as lines of text for display.

use std::path::Path;

use r2r::Node;
use skidpad_ros_data::interface::listing::grouped;
use skidpad_ros_data::preset::{Preset, racecar};

use super::tracker_topics::TRACKER_TYPE;
use super::{run_control, wrench_service};
use crate::commands::listener::CommandListeners;
use crate::commands::subscription::ACKERMANN_TYPE;
use crate::graph::names::Resolver;
use crate::graph::topic_layout::{TopicLayout, published};
use crate::startup::{append_section, identity_line};

/// What the node publishes, subscribes to and offers.
pub struct NodeInterface<'a> {
    pub preset: &'a Preset,
    /// The topics that it publishes.
    pub layout: &'a TopicLayout,
    /// The topics of commands.
    pub inputs: &'a CommandListeners,
    /// The topics of external trackers that are recorded.
    pub recorded: &'a [&'a str],
    /// The services of `simulation_interfaces`: the pattern of their names, and what they provide.
    pub controls: Option<(String, String)>,
    /// The interface of the command multiplexer; empty if there is none.
    pub mux_lines: Vec<String>,
}

/// The topics that the node publishes and subscribes to, its services, and how to drive.
pub fn interface_lines(node: &Node, resolver: &Resolver, interface: NodeInterface<'_>) -> Vec<String> {
    let NodeInterface { preset, layout, inputs, recorded, controls, mux_lines } = interface;
    let mut lines = vec![identity_line(node)];
    let vehicles: Vec<&str> = layout.on_graph().map(|(_, info, _)| info.name.as_str()).collect();
    let mut section = |title: &str, entries| append_section(&mut lines, title, grouped(entries, &vehicles));
    section(
        "publishes",
        published(layout).into_iter().map(|(name, kind)| (resolver.resolve(&name), kind.to_owned())).collect(),
    );
    let heard = inputs.interface(layout);
    let recorded = recorded.iter().map(|name| (resolver.resolve(name), TRACKER_TYPE));
    let listens = heard.iter().cloned().chain(recorded);
    section("listens to", listens.map(|(topic, kind)| (topic, kind.to_owned())).collect());
    let own_services = run_control::offered(preset).chain(cfg!(skidpad).then_some(wrench_service::SERVICE));
    let run_services = own_services.map(|(name, kind)| (name.to_owned(), kind.to_owned()));
    let offered = run_services.chain(controls).map(|(name, kind)| (resolver.resolve(&name), kind));
    section("offers", offered.collect());
    let has_mux = !mux_lines.is_empty();
    if has_mux {
        lines.push("  command multiplexer".to_owned());
        lines.extend(mux_lines);
    }
    if let Some((topic, kind)) = heard.first()
        && let Some(values) = values_of(kind)
    {
        let navigation = if preset.with_quirks { racecar::NAVIGATION } else { "/drive" };
        let topic = if has_mux { resolver.resolve(navigation) } else { topic.clone() };
        lines.push(format!("  drive it   {}", how_to_drive(&topic, kind, values, Surroundings::find())));
    }
    lines
}

/// What a message of this type has in it to drive along a curve, if one message alone does that: joints are driven by their own names, and
/// Autoware's cars need a gear first.
fn values_of(kind: &str) -> Option<&'static str> {
    Some(match kind {
        ACKERMANN_TYPE => "{drive: {speed: 1.0, steering_angle: 0.2}}",
        "geometry_msgs/msg/TwistStamped" => "{twist: {linear: {x: 0.5}, angular: {z: 0.2}}}",
        "geometry_msgs/msg/Twist" => "{linear: {x: 0.5}, angular: {z: 0.2}}",
        "skidpad/msg/Pedals" => "{throttle: 0.3, steering_angle: 0.1}",
        _ => return None,
    })
}

/// What there is where the node was started.
#[derive(Clone, Copy)]
struct Surroundings {
    /// Whether the shell finds `ros2`.
    has_ros2: bool,
    /// Whether `make drive` works in the current folder.
    is_checkout: bool,
}

impl Surroundings {
    fn find() -> Surroundings {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Surroundings {
            has_ros2: std::env::split_paths(&path).any(|folder| folder.join("ros2").is_file()),
            is_checkout: Path::new("Makefile").is_file() && Path::new("ros/drive.py").is_file(),
        }
    }
}

/// A command that drives a vehicle and runs there: `ros2`, or else `make drive` for the topics that it knows; without either what to publish.
fn how_to_drive(topic: &str, kind: &str, values: &str, surroundings: Surroundings) -> String {
    let known = [("ackermann_cmd", ACKERMANN_TYPE, "STEER=0.2"), ("cmd_vel", "geometry_msgs/msg/Twist", "TURN=0.2")];
    let made = known.into_iter().find_map(|(name, of_name, option)| {
        let vehicle = match topic.strip_suffix(name).filter(|_| kind == of_name)? {
            "/" => String::new(),
            namespace => format!(" VEHICLE={}", namespace.strip_prefix('/')?.strip_suffix('/')?),
        };
        Some(format!("make drive SPEED=0.5 {option}{vehicle}"))
    });
    match made.filter(|_| surroundings.is_checkout) {
        _ if surroundings.has_ros2 => format!("ros2 topic pub -r 10 {topic} {kind} '{values}'"),
        Some(command) => command,
        None => format!("publish {kind} on {topic}, ten times a second: {values}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_values_of_their_own() {
        assert!(values_of("skidpad/msg/Pedals").is_some_and(|values| values.contains("throttle")));
        assert_eq!(values_of("sensor_msgs/msg/JointState"), None);
        assert_eq!(values_of("autoware_control_msgs/msg/Control"), None);
    }

    #[test]
    fn only_commands_that_run_are_told() {
        let reported = |topic, kind, has_ros2, is_checkout| {
            how_to_drive(topic, kind, "{a: 1}", Surroundings { has_ros2, is_checkout })
        };
        let twist = "geometry_msgs/msg/Twist";
        assert_eq!(
            reported("/cmd_vel", twist, true, true),
            "ros2 topic pub -r 10 /cmd_vel geometry_msgs/msg/Twist '{a: 1}'"
        );
        assert_eq!(reported("/cmd_vel", twist, false, true), "make drive SPEED=0.5 TURN=0.2");
        assert_eq!(
            reported("/r1/ackermann_cmd", ACKERMANN_TYPE, false, true),
            "make drive SPEED=0.5 STEER=0.2 VEHICLE=r1"
        );
        for (topic, is_checkout) in [("/drive", true), ("/my_cmd_vel", true), ("/cmd_vel", false)] {
            let expected = format!("publish {twist} on {topic}, ten times a second: {{a: 1}}");
            assert_eq!(reported(topic, twist, false, is_checkout), expected);
        }
    }
}
