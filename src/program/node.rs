//! `skidpad node`: the companion ROS 2 nodes of the simulator, which are also installed as executables under their own names.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::{Failure, offer, ros, signals};

/// The nodes by name, with help. An executable of such a name, as installed by the package, is that node.
pub const NODES: &[(&str, &str)] = &[
    (
        "trajectory_tracker",
        "makes point P of a vehicle follow a trajectory; reads /vesc/odom, publishes /virtual_velocities",
    ),
    ("kinematic_linearizer", "turns /virtual_velocities into speed and steering angle, by the kinematic bicycle"),
    ("dynamic_linearizer", "turns /virtual_velocities into speed and steering angle, by the dynamic single track"),
    (
        "single_track_simulator",
        "simulates one car as a dynamic single track; takes speed and steering angle, publishes /vesc/odom",
    ),
    ("ackermann_mux", "forwards the command with the highest priority, like the racecar's two multiplexers"),
    ("keyboard_teleop", "drives a vehicle with the keys w, a, s, d"),
];

#[derive(Debug, clap::Args)]
#[command(after_help = help())]
#[allow(missing_docs, reason = "clap would take it for help")]
pub struct NodeArgs {
    /// Name of the node
    #[arg(value_parser = name, add = offer::nodes())]
    pub name: String,
}

/// Rewrites the arguments to `skidpad node NAME` if the program was started under the name of a node.
pub fn under_own_name(mut args: Vec<OsString>) -> Vec<OsString> {
    let started_as = args.first().map(Path::new).and_then(Path::file_stem).unwrap_or(OsStr::new(""));
    let Some((name, _)) = NODES.iter().find(|(name, _)| started_as == *name) else { return args };
    args.splice(..1, ["skidpad".into(), "node".into(), OsString::from(name)]);
    args
}

/// Runs a node until a signal arrives.
///
/// # Errors
/// This program has no ROS, or the node cannot start.
pub fn node(args: &NodeArgs, for_ros: &[OsString]) -> Result<(), Failure> {
    let Some(ros) = ros::of_program() else {
        return Err(Failure::because(ros::without_ros(&format!("node {}", args.name))));
    };
    let signals = signals::Signals::listen(None)?;
    signals.loaded();
    let for_ros = for_ros.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let ended = ros.run_node(&args.name, for_ros, signals.stop).map_err(Failure::because);
    // A node that is abandoned at exit cannot do it.
    ros.restore_terminal();
    Failure::after(ended?, Ok(()))
}

fn name(text: &str) -> Result<String, Diagnostic> {
    let names: Vec<&str> = NODES.iter().map(|(name, _)| *name).collect();
    if names.contains(&text) { Ok(text.to_owned()) } else { Err(Diagnostic::of("unknown node").one_of(text, &names)) }
}

fn help() -> String {
    let width = NODES.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines: Vec<String> = NODES.iter().map(|(name, help)| format!("  {name:<width$}  {help}")).collect();
    format!(
        "Nodes:\n{}\n\nWrite ROS parameters and remapping rules after --ros-args; docs/nodes.md lists them. A link to this program \
         with the name of a node runs that node.",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn a_link_of_a_nodes_name_is_that_node() {
        assert_eq!(
            under_own_name(words("/opt/lib/skidpad/kinematic_linearizer --help")),
            words("skidpad node kinematic_linearizer --help")
        );
        for other in ["target/debug/skidpad run w.xml", "", "kinematic_linearizers"] {
            assert_eq!(under_own_name(words(other)), words(other));
        }
    }

    #[test]
    fn a_name_that_is_none_is_refused_with_the_names_that_are() {
        let refused = name("kinematic_linearise").unwrap_err().to_string();
        assert!(
            refused.starts_with("unknown node\n  accepted: ") && refused.contains("kinematic_linearizer"),
            "{refused}"
        );
        assert!(refused.ends_with("\n  hint: did you mean \"kinematic_linearizer\"?"), "{refused}");
        assert!(!name("x").unwrap_err().to_string().contains("hint"));
    }

    #[test]
    fn the_package_installs_a_link_for_every_node() {
        let cmake = include_str!("../../CMakeLists.txt");
        let (_, node_list) = cmake.split_once("set(SKIDPAD_NODES ").unwrap();
        let installed: Vec<&str> = node_list.split(')').next().unwrap().split_whitespace().collect();
        assert_eq!(installed, NODES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
