//! nav2's loopback simulator (nav2_loopback_sim), with the dynamics, collisions and other vehicles that it lacks.

use skidpad_sim::sensor::lidar2d::ENTRY as LASER;

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Effect, Frames, Input, InputKind, Moving, MovingPose, Pace, Placeholder, Preset, PresetSensor,
    Setting, Switch, Topic, Value,
};

/// The first and the last angle of its scan [rad], with the digits of the original.
#[expect(clippy::approx_constant, reason = "a default is the same number as the original's")]
const HALF_TURN: f64 = 3.1415;

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
    settings: &[
        Setting::new("update_duration", Value::Number(0.01), Effect::Nothing("the world file gives the step")),
        Setting::new("odom_publish_dur", Value::Number(0.02), Effect::Period("odom_rate", 1.0)),
        Setting::new("speed_factor", Value::Number(1.0), Effect::Is("rate")),
        Setting::new("publish_map_odom_tf", Value::Switch(true), Effect::Is("publish_map_to_odom")),
        Setting::new(
            "enable_stamped_cmd_vel",
            Value::Switch(true),
            Effect::Choice("cmd_vel_type", ["twist_stamped", "twist"]),
        ),
        Setting::new("scan_noise_std", Value::Number(0.01), Effect::Is("range_noise")),
        Setting::new("scan_publish_dur", Value::Number(0.1), Effect::VariableRate("lidar_rate_hz")),
        Setting::new("scan_range_max", Value::Number(30.0), Effect::Variable("lidar_max_range")),
        Setting::new("scan_range_min", Value::Number(0.05), IN_WORLD),
        Setting::new("scan_angle_min", Value::Number(-HALF_TURN), IN_WORLD),
        Setting::new("scan_angle_max", Value::Number(HALF_TURN), IN_WORLD),
        Setting::new("scan_angle_increment", Value::Number(0.02617), IN_WORLD),
        // Without infinity no return is 0.1 m less than the greatest range there.
        Setting::new("scan_use_inf", Value::Switch(true), Effect::Choice("no_return", ["inf", "below_max"])),
    ],
    defaults: &[
        ("publish_map_to_odom", Value::Switch(true)),
        ("teleport_topics", Value::Switch(true)),
        // It takes the map from nav2's map server.
        ("publish_map", Value::Switch(false)),
    ],
    ..Preset::EMPTY
};

const FRAMES: [Placeholder; 3] = frame_names::placeholders("base_footprint");
const IN_WORLD: Effect = Effect::Nothing("the world file gives the lidar");
