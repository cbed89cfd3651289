//! skidpad's own interface: what nav2 expects.

use super::{Condition, Content, Frames, Input, InputKind, Moving, MovingPose, Pace, Preset, Switch, Topic};

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
        Input::new("initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    ],
    frames: Frames {
        moving: &[
            Moving { parent: "odom", child: "base_footprint", pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: "map", child: "odom", pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[("base_footprint", "base_link", [0.0; 3])],
        hinges: &[],
        sensors: ("base_link", [0.0; 3]),
    },
    ..Preset::EMPTY
};
