//! nav2's loopback simulator (nav2_loopback_sim of nav2 1.3.13 and 1.5.1), with the dynamics, collisions and other vehicles that it lacks.

use std::f64::consts::PI;

use skidpad_sim::sensor::lidar2d::ENTRY as LASER;

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Effect, Frames, Input, InputKind, Moving, MovingPose, Pace, Placeholder, Preset, PresetSensor,
    Setting, Switch, Topic, Value,
};

/// A robot with perfect localization.
pub const NAV2_LOOPBACK: Preset = Preset {
    name: "nav2_loopback",
    help: "nav2's loopback simulator: map to odom is published, initialpose puts the robot there",
    topics: &[Topic::new("odom", Content::WheelOdometry(ODOM, BASE), Pace::Odometry)],
    inputs: &[
        Input::new("cmd_vel", InputKind::Velocity),
        Input::new("initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    ],
    placeholders: &[
        FRAMES[0],
        FRAMES[1],
        FRAMES[2],
        Placeholder::of_all("scan_frame_id", "base_scan", "frame of scans"),
    ],
    frames: Frames {
        moving: &[
            Moving { parent: ODOM, child: BASE, pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: MAP, child: ODOM, pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[(BASE, "base_link", [0.0, 0.0, 0.01])],
        hinges: &[],
        sensors: "base_link",
        states: "base_link",
    },
    sensors: &[PresetSensor::new(&LASER, 0, &["scan"], "{scan_frame_id}")],
    // That of its update_duration.
    odometry_rate: 100.0,
    settings: &[
        // Odometry is sent at each of its updates, unless it has a period of its own.
        Setting::new("update_duration", Value::Number(0.01), Effect::Period("odom_rate", 1.0)),
        Setting::new("odom_publish_dur", Value::Number(0.01), Effect::Period("odom_rate", 1.0)),
        Setting::new("speed_factor", Value::Number(1.0), Effect::Is("rate")),
        Setting::new("publish_map_odom_tf", Value::Switch(true), Effect::Is("publish_map_to_odom")),
        Setting::new(
            "enable_stamped_cmd_vel",
            Value::Switch(true),
            Effect::Choice("cmd_vel_type", ["twist_stamped", "twist"]),
        )
        .but(&[("jazzy", Value::Switch(false))]),
        Setting::new("publish_scan", Value::Switch(true), Effect::Variable("publish_scan")),
        Setting::new("scan_noise_std", Value::Number(0.01), Effect::Is("range_noise"))
            .but(&[("jazzy", Value::Number(0.0)), ("kilted", Value::Number(0.0))]),
        Setting::new("scan_publish_dur", Value::Number(0.1), Effect::VariableRate("lidar_rate_hz")),
        Setting::new("scan_range_max", Value::Number(30.0), Effect::Variable("lidar_max_range")),
        Setting::new("scan_range_min", Value::Number(0.05), Effect::Variable("lidar_min_range")),
        Setting::new("scan_angle_min", Value::Number(-PI), Effect::Variable("lidar_angle_min")),
        Setting::new("scan_angle_max", Value::Number(PI), Effect::Variable("lidar_angle_max")),
        Setting::new("scan_angle_increment", Value::Number(0.0261), Effect::Variable("lidar_angle_increment")),
        // Without infinity no return is 0.1 m less than the greatest range there.
        Setting::new("scan_use_inf", Value::Switch(true), Effect::Choice("no_return", ["inf", "below_max"])),
    ],
    defaults: &[
        ("publish_map_to_odom", Value::Switch(true)),
        // One of its updates ahead.
        ("transform_tolerance", Value::Number(0.01)),
        ("teleport_topics", Value::Switch(true)),
        // It takes the map from nav2's map server.
        ("publish_map", Value::Switch(false)),
    ],
    ..Preset::EMPTY
};

const FRAMES: [Placeholder; 3] = frame_names::placeholders("base_footprint");
