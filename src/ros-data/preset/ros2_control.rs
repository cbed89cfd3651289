//! What hardware interfaces of ros2_control that speak over topics have on their other side
//! (ros-controls/topic_based_hardware_interfaces, `joint_state_topic_hardware_interface`): a vehicle as joints, which controllers drive.

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Frames, Input, InputKind, Joints, Moving, MovingPose, Pace, Preset, Switch, Topic, Value,
};

/// Topic of the commands of joints, below the vehicle's namespace; at the root it is the plugin's default.
pub const JOINT_COMMANDS: &str = "robot_joint_commands";
/// Topic of the states of joints, likewise.
pub const JOINT_STATES: &str = "robot_joint_states";

/// Joints of a vehicle behind a hardware interface.
pub const ROS2_CONTROL: Preset = Preset {
    name: "ros2_control",
    help: "the hardware of ros2_control over topics, which its controllers drive",
    topics: &[
        Topic::new(JOINT_STATES, Content::JointFeedback, Pace::Odometry),
        Topic::new("ground_truth", Content::GroundTruth(MAP, BASE, false), Pace::Odometry),
        Topic::new("wheel_states", Content::WheelStates, Pace::Odometry),
        Topic::new("collision", Content::Collision, Pace::Odometry),
        Topic::new("overturned", Content::Overturned, Pace::Odometry).when(Condition::OnSprings),
    ],
    inputs: &[
        Input::new(JOINT_COMMANDS, InputKind::Joints),
        Input::new("initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    ],
    placeholders: &frame_names::placeholders("base_link"),
    frames: Frames {
        moving: &[
            Moving { parent: ODOM, child: BASE, pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: MAP, child: ODOM, pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[],
        hinges: &[],
        sensors: BASE,
        states: BASE,
    },
    joints: Joints::AsControllers,
    // A controller manager of 100 Hz gets a new state in each of its cycles.
    odometry_rate: 100.0,
    defaults: &[
        // Controllers publish it.
        ("publish_tf", Value::Switch(false)),
        // robot_state_publisher does, with the <ros2_control> tag that the controller manager needs.
        ("publish_robot_description", Value::Switch(false)),
        ("publish_static_tf", Value::Switch(false)),
        // Once a wheel has the speed that was commanded the interface is silent.
        ("cmd_timeout", Value::Number(0.0)),
        // A cycle begins at the first clock message at or after its time.
        ("clock_rate", Value::Number(200.0)),
    ],
    ..Preset::EMPTY
};
