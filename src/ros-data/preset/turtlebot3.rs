//! The TurtleBot3 as in nav2's own simulation (nav2_minimal_turtlebot_simulation), for programs written for that robot.

use skidpad_sim::sensor::lidar2d::ENTRY as LASER;

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Frames, Input, InputKind, Joints, Moving, MovingPose, Pace, Preset, PresetSensor, Switch,
    Topic, Value,
};

/// A TurtleBot3: waffle or burger, depending on the world.
pub const TURTLEBOT3: Preset = Preset {
    name: "turtlebot3",
    help: "the TurtleBot3 with its frames, joints, inertial measurement and speed limits",
    topics: &[
        Topic::new("odom", Content::WheelOdometry(ODOM, BASE), Pace::Odometry),
        Topic::new("joint_states", Content::JointStates, Pace::Odometry),
        Topic::new("imu", Content::Imu("imu_link"), Pace::Second),
    ],
    inputs: &[
        Input::new("cmd_vel", InputKind::Velocity),
        Input::new("initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    ],
    placeholders: &frame_names::placeholders("base_footprint"),
    joints: Joints::Named(&[("wheel_left_joint", 0, false), ("wheel_right_joint", 1, false)]),
    frames: Frames {
        moving: &[
            Moving { parent: ODOM, child: BASE, pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: MAP, child: ODOM, pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        // As in its URDF (turtlebot3_description).
        fixed: &[(BASE, "base_link", [0.0, 0.0, 0.01]), ("base_link", "imu_link", [0.0, 0.0, 0.068])],
        hinges: &[],
        sensors: "base_link",
        states: "base_link",
    },
    odometry_rate: 30.0,
    second_rate: 200.0,
    sensors: &[PresetSensor::new(&LASER, 0, &["scan"], "base_scan")],
    // The original publishes none: a map_server has the topic.
    defaults: &[("publish_map", Value::Switch(false))],
    // Values of nav2's simulated waffle.
    limits: Some([0.46, 1.9]),
    ..Preset::EMPTY
};
