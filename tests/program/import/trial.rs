//! The drive after an import: what imported robots make of a command, and what is said of it.

use super::drives::robot;
use super::{near, wheel};
use crate::support::Lab;

/// The line of the drive of a robot with these parts and plugins.
fn line(lab: &Lab, parts: &str, plugins: &str) -> String {
    lab.write("bot.urdf", &robot(parts, plugins));
    let done = lab.run("import bot.urdf --force");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    done.stdout.lines().last().unwrap_or_default().to_owned()
}

/// Two wheels at the sides of the base.
fn pair(more: &str) -> String {
    wheel("left", "base", "0 0.2 0.1", more) + &wheel("right", "base", "0 -0.2 0.1", more)
}

/// Two pairs of wheels at (±0.2, ±0.15) m.
fn four(more: &str) -> String {
    [("rl", "-0.2 0.15"), ("rr", "-0.2 -0.15"), ("fl", "0.2 0.15"), ("fr", "0.2 -0.15")]
        .map(|(name, at)| wheel(name, "base", &format!("{at} 0.1"), more))
        .concat()
}

const AS_COMMANDED: &str = "bot: asked 0.5 m/s and 0.5 rad/s, got 0.5 m/s and 0.5 rad/s";

/// Wheels at (±a, ±b) under equal loads turn the robot with b²/(a² + b²) = 0.36 of the yaw rate of their speeds.
#[test]
fn a_robot_that_skids_is_told_the_separation_with_which_it_turns_as_asked() {
    let lab = Lab::new();
    let reported = "(it turns by sliding, though its wheels reach their speeds; with a wheel_separation_multiplier of ";
    let actual = line(&lab, &four(""), "");
    assert!(actual.starts_with("bot: asked 0.5 m/s and 0.5 rad/s, got 0.501 m/s and 0.18 rad/s, "), "{actual}");
    let (_, multiplier) = actual.split_once(reported).unwrap_or_else(|| panic!("{actual}"));
    let multiplier: f64 = multiplier.strip_suffix(" it turns as asked)").unwrap().parse().unwrap();
    assert!((multiplier * 0.36 - 1.0).abs() < 0.03, "{multiplier}");
    // A driver that reckons with it, as the plugins and controllers of such robots do, has what it asks for.
    let separation = 0.3 * multiplier;
    let joints = "<left_joint>rl_joint</left_joint><right_joint>rr_joint</right_joint><left_joint>fl_joint</left_joint><right_joint>fr_joint</right_joint>";
    let plugin = format!(
        "<plugin filename=\"gz-sim-diff-drive-system\" name=\"d\">{joints}<wheel_separation>{separation}</wheel_separation></plugin>"
    );
    let yaml = format!(
        "controller_manager:\n  ros__parameters:\n    base: {{type: diff_drive_controller/DiffDriveController}}\n\
         base:\n  ros__parameters:\n    left_wheel_names: [rl_joint, fl_joint]\n    right_wheel_names: [rr_joint, fr_joint]\n    \
         wheel_separation: 0.3\n    wheel_separation_multiplier: {multiplier}\n"
    );
    lab.write("control.yaml", &yaml);
    let control = "<plugin filename=\"libgz_ros2_control-system.so\" name=\"gz_ros2_control\"><parameters>control.yaml</parameters></plugin>";
    for plugin in [&plugin[..], control] {
        let actual = line(&lab, &four(""), plugin);
        assert!(!actual.contains('('), "{actual}");
        let class = lab.read("imported/bot.vehicle.xml");
        let written = |tag: &str| -> f64 {
            let (_, content) = class.split_once(tag).unwrap_or_else(|| panic!("{tag}: {class}"));
            content[..content.find(['<', '"']).unwrap()].parse().unwrap()
        };
        near(written("<wheel_separation_multiplier>"), multiplier);
        near(written("yaw_multiplier=\""), 1.0 / multiplier);
    }
}

/// Damping at the axles, a great yaw inertia, and wheels without grip that a plugin carries along: none decides what is followed.
#[test]
fn neither_damping_nor_yaw_inertia_keeps_a_robot_from_its_command() {
    let lab = Lab::new();
    assert_eq!(line(&lab, &pair("<dynamics damping=\"0.7\"/>"), ""), AS_COMMANDED);
    let mast = format!(
        "<link name=\"mast\">{}</link><joint name=\"mast_joint\" type=\"fixed\"><parent link=\"base\"/><child link=\"mast\"/></joint>",
        super::inertial(0.1, [0.01, 0.01, 1.0], "xyz=\"0 0 0.2\"")
    );
    assert_eq!(line(&lab, &(pair("") + &mast), ""), AS_COMMANDED);
    let slippery = ["rl", "rr", "fl", "fr"]
        .map(|name| format!("</gazebo><gazebo reference=\"{name}\"><mu1>0.01</mu1><mu2>0.01</mu2></gazebo><gazebo>"));
    let planar_move = "<plugin name=\"m\" filename=\"libgazebo_ros_planar_move.so\"/>";
    assert_eq!(line(&lab, &four(""), &(slippery.concat() + planar_move)), AS_COMMANDED);
}

#[test]
fn what_keeps_a_robot_from_its_command_is_said() {
    let lab = Lab::new();
    let plugin = |limits: &str| {
        format!(
            "<plugin filename=\"gz-sim-diff-drive-system\" name=\"d\"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>{limits}</plugin>"
        )
    };
    for (more, limits, reported) in [
        (
            "<limit effort=\"0.05\" velocity=\"20\"/>",
            "",
            "(its motors, of 0.05 N·m each, are too weak for its mass and friction)",
        ),
        (
            "<limit effort=\"2\" velocity=\"20\"/><dynamics damping=\"0.7\"/>",
            "",
            "(the damping of its wheels, 0.7 N·m·s/rad, is too much for motors of 2 N·m)",
        ),
        ("", "<max_linear_acceleration>1</max_linear_acceleration>", "(its acceleration is limited to 1 m/s²)"),
        (
            "",
            "<max_linear_velocity>0.3</max_linear_velocity><max_angular_velocity>0.4</max_angular_velocity>",
            "(its speed is limited to 0.3 m/s; its yaw rate is limited to 0.4 rad/s)",
        ),
    ] {
        let actual = line(&lab, &pair(more), &plugin(limits));
        assert!(actual.ends_with(reported), "{actual}");
    }
    // On the spot it takes μ·N·R·a/√(a² + b²) = 1.37 N·m.
    let actual = line(&lab, &four("<limit effort=\"1.2\" velocity=\"20\"/>"), "");
    assert!(actual.ends_with("(its motors, of 1.2 N·m each, are too weak for its mass and friction)"), "{actual}");
    // Two reasons, of which the second is that of the yaw rate.
    let slow = "<plugin filename=\"gz-sim-diff-drive-system\" name=\"d\"><left_joint>rl_joint</left_joint><right_joint>rr_joint</right_joint>\
                <left_joint>fl_joint</left_joint><right_joint>fr_joint</right_joint><max_linear_velocity>0.3</max_linear_velocity></plugin>";
    let actual = line(&lab, &four(""), slow);
    assert!(actual.contains("(its speed is limited to 0.3 m/s; it turns by sliding, "), "{actual}");
    // Reached, but later.
    let actual = line(&lab, &pair(""), &plugin("<max_linear_acceleration>1</max_linear_acceleration>"));
    assert!(actual.starts_with(&format!("{AS_COMMANDED}, 0.2")) && actual.contains(" after 0.3 s ("), "{actual}");
}
