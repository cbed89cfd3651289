//! MVSim's ROS 2 node (MRPT/mvsim, commit 9c1b072): its names of topics, frames and parameters. Unlike there, the pose of the
//! ground truth is in the frame `map`, and odometry contains the twist.

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Effect, Frames, Input, InputKind, Moving, MovingPose, Pace, Preset, Setting, Switch, Topic,
    Value,
};

/// MVSim's node.
pub const MVSIM: Preset = Preset {
    name: "mvsim",
    help: "MVSim's ROS 2 node, for what is written for it",
    topics: &[
        Topic::new("odom", Content::WheelOdometry(ODOM, BASE), Pace::Odometry),
        Topic::new("base_pose_ground_truth", Content::GroundTruth(MAP, BASE, false), Pace::Odometry),
        Topic::new("collision", Content::Collision, Pace::Odometry),
        Topic::new("overturned", Content::Overturned, Pace::Odometry).when(Condition::OnSprings),
        Topic::new("chassis_markers", Content::ChassisMarkers(BASE), Pace::Odometry).latched(),
        Topic::new("chassis_polygon", Content::ChassisPolygon, Pace::Odometry).latched(),
        Topic::new("amcl_pose", Content::PoseEstimate(MAP), Pace::Odometry).latched().when(Condition::Localized),
        Topic::new("particlecloud", Content::PoseCloud(MAP), Pace::Odometry).when(Condition::Localized),
    ],
    inputs: &[
        Input::new("cmd_vel", InputKind::Velocity),
        Input::new("initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    ],
    placeholders: &frame_names::placeholders("base_link"),
    frames: Frames {
        moving: &[
            Moving { parent: ODOM, child: BASE, pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: MAP, child: ODOM, pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[(BASE, "base_footprint", [0.0; 3])],
        hinges: &[],
        sensors: BASE,
        states: BASE,
    },
    map: ["simul_map", "simul_map_metadata"],
    settings: &[
        Setting::new("do_fake_localization", Value::Switch(true), Effect::Is("publish_map_to_odom")),
        Setting::new("publish_tf_odom2baselink", Value::Switch(true), Effect::Is("publish_tf")),
        Setting::new("force_publish_vehicle_namespace", Value::Switch(false), Effect::Is("force_vehicle_namespace")),
        Setting::new("period_ms_publish_tf", Value::Number(20.0), Effect::Period("odom_rate", 1000.0)),
        Setting::new("realtime_factor", Value::Number(1.0), Effect::Is("rate")),
        Setting::new("base_watchdog_timeout", Value::Number(0.2), Effect::Is("cmd_timeout")),
        Setting::new("publisher_history_len", Value::Whole(50), Effect::DataDepth),
        Setting::new("simul_rate", Value::Number(100.0), Effect::Nothing("the world file gives the step")),
        Setting::new("world_file", Value::Text(""), Effect::Nothing("the command line gives the world file")),
        Setting::new("gui_refresh_period", Value::Number(50.0), Effect::Nothing("there is no window")),
        Setting::new("headless", Value::Switch(false), Effect::Nothing("there is no window")),
    ],
    defaults: &[
        ("publish_map_to_odom", Value::Switch(true)),
        // Hard-coded there; the parameter base_watchdog_timeout has no effect in it.
        ("cmd_timeout", Value::Number(1.0)),
    ],
    ..Preset::EMPTY
};
