//! skidpad's own interface: what nav2 expects.

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{Condition, Content, Frames, Input, InputKind, Moving, MovingPose, Pace, Preset, Switch, Topic};

/// skidpad's own names.
pub const SKIDPAD: Preset = Preset {
    name: "skidpad",
    help: "skidpad's own names, as nav2 expects them",
    topics: &[
        Topic::new("odom", Content::WheelOdometry(ODOM, BASE), Pace::Odometry),
        Topic::new("ground_truth", Content::GroundTruth(MAP, BASE, false), Pace::Odometry),
        Topic::new("joint_states", Content::JointStates, Pace::Odometry),
        Topic::new("wheel_states", Content::WheelStates, Pace::Odometry),
        Topic::new("collision", Content::Collision, Pace::Odometry),
        Topic::new("overturned", Content::Overturned, Pace::Odometry).when(Condition::OnSprings),
    ],
    inputs: &[
        Input::new("cmd_vel", InputKind::Velocity),
        Input::new("ackermann_cmd", InputKind::Ackermann),
        Input::new("steering_rate_cmd", InputKind::SteeringRate),
        Input::new("wheel_speeds_cmd", InputKind::WheelSpeeds),
        Input::new("pedals_cmd", InputKind::Pedals),
        Input::new("initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    ],
    placeholders: &frame_names::placeholders("base_footprint"),
    frames: Frames {
        moving: &[
            Moving { parent: ODOM, child: BASE, pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: MAP, child: ODOM, pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[(BASE, "base_link", [0.0; 3])],
        hinges: &[],
        sensors: "base_link",
        states: "base_link",
    },
    ..Preset::EMPTY
};
