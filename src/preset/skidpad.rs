//! skidpad's own interface: what nav2 expects.

use super::{Content, Frames, Input, InputKind, Joints, Moving, MovingPose, Only, Pace, Preset, Switch, Topic};

/// skidpad's own names.
pub const SKIDPAD: Preset = Preset {
    name: "skidpad",
    help: "skidpad's own names, as nav2 expects them",
    topics: &[
        Topic::new("odom", Content::WheelOdometry("odom", "base_footprint"), Pace::Odometry),
        Topic::new("ground_truth", Content::GroundTruth("map", "base_footprint", false), Pace::Odometry),
        Topic::new("joint_states", Content::JointStates, Pace::Odometry),
        Topic::new("wheel_states", Content::WheelStates, Pace::Odometry),
        Topic::new("collision", Content::Collision, Pace::Odometry),
    ],
    inputs: &[
        Input::new("cmd_vel", InputKind::Velocity),
        Input::new("ackermann_cmd", InputKind::Ackermann),
        Input::new("steering_rate_cmd", InputKind::SteeringRate),
        Input::new("wheel_speeds_cmd", InputKind::WheelSpeeds),
        Input::new("pedals_cmd", InputKind::Pedals),
        Input::new("initialpose", InputKind::EstimatedPose).only(Only::Teleports),
    ],
    words: &[],
    joints: Joints::AsWheels,
    frames: Frames {
        moving: &[
            Moving { parent: "odom", child: "base_footprint", pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: "map", child: "odom", pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[("base_footprint", "base_link", [0.0; 3])],
        hinges: &[],
        sensors: ("base_link", [0.0; 3]),
    },
    odometry_rate: 50.0,
    own_rate: 50.0,
    sensors: &[],
    map: ["map", "map_metadata"],
    services: &[],
    settings: &[],
    defaults: &[],
    limits: None,
    with_quirks: false,
    mux: None,
    with_true_map_to_odom: None,
};
