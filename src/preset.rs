//! Names of topics, of the node and of recordings, as one table: skidpad's own, and those of systems it stands in for.
//!
//! A [`Preset`] is one line of [`PRESETS`]: what is published under which name, in which frames and how often, and what is
//! listened to. The ROS node does what the table says; a further system is a further line.

/// The interface of one system.
#[derive(Debug)]
pub struct Preset {
    /// What users call it.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What a vehicle publishes, beside transforms and scans.
    pub topics: &'static [Topic],
    /// What a vehicle listens to.
    pub inputs: &'static [Input],
    /// Names of the joints.
    pub joints: Joints,
    /// Its transforms.
    pub frames: Frames,
    /// Odometry and what goes with it, unless the parameter `odom_rate` says otherwise [Hz].
    pub odometry_rate: f64,
    /// What is published at [`Pace::Joints`] [Hz].
    pub joint_rate: f64,
    /// Topic and frame of the first lidar; none: the sensor's name is both.
    pub lidar: Option<(&'static str, &'static str)>,
    /// Services beside the node's own, `std_srvs/srv/Empty`.
    pub services: &'static [(&'static str, Service)],
    /// Whether the parameters `quirks.…` mean something.
    pub with_quirks: bool,
    /// Whether the racecar's command multiplexer lies before its inputs.
    pub has_mux: bool,
    /// The same with the ground truth as the Gazebo model has it (`quirks.map_odom_ground_truth`), where that differs.
    pub with_true_map_to_odom: Option<&'static Preset>,
}

/// One topic of a vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// Its name; relative ones are under the vehicle's where there are several vehicles.
    pub name: &'static str,
    /// What it carries.
    pub content: Content,
    /// When.
    pub pace: Pace,
}

/// When a topic is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// With the odometry.
    Odometry,
    /// With the joints.
    Joints,
}

/// What a topic carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// What the wheels' odometry believes, in these frames (of the pose, of the twist).
    WheelOdometry(&'static str, &'static str),
    /// The truth, in these frames; true: the twist in the world's axes, and covariances of zero.
    GroundTruth(&'static str, &'static str, bool),
    /// Angles, rates and torques of the joints.
    JointStates,
    /// Slip, forces and torque of all wheels in one message.
    WheelStates,
    /// Whether it touched something.
    Collision,
    /// One quantity of the wheel with this index.
    Wheel(WheelQuantity, usize),
}

impl Content {
    /// The message type.
    pub fn type_name(self) -> &'static str {
        match self {
            Content::WheelOdometry(..) | Content::GroundTruth(..) => "nav_msgs/msg/Odometry",
            Content::JointStates => "sensor_msgs/msg/JointState",
            Content::WheelStates => "skidpad/msg/WheelStates",
            Content::Collision => "std_msgs/msg/Bool",
            Content::Wheel(..) => "std_msgs/msg/Float64",
        }
    }
}

/// A quantity of one wheel, in the wheel frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelQuantity {
    /// Slip ratio [-].
    SlipRatio,
    /// Slip angle [rad].
    SlipAngle,
    /// Force of the ground along its rolling direction [N].
    ForceX,
    /// Force of the ground to its left [N].
    ForceY,
}

/// A topic that commands come in on.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// Its name, as in [`Topic`].
    pub name: &'static str,
    /// What it carries.
    pub kind: InputKind,
}

/// Kinds of command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// `geometry_msgs/msg/Twist` or `TwistStamped`.
    Velocity,
    /// `ackermann_msgs/msg/AckermannDriveStamped`.
    Ackermann,
    /// `skidpad/msg/Pedals`.
    Pedals,
    /// `std_msgs/msg/Float64`: spin of the wheel with this index [rad/s].
    Spin(usize),
    /// `std_msgs/msg/Float64`: angle of the left (0) or right (1) front wheel [rad].
    Hinge(usize),
}

/// What a service does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Everything back to its start; simulated time goes on.
    Reset,
    /// Stop (true) or go on (false).
    Pause(bool),
}

/// Names of the joints in joint states.
#[derive(Clone, Copy, Debug)]
pub enum Joints {
    /// As the wheels in the world file; where one is steered, also with `_steer` behind it.
    AsWheels,
    /// Name, index of the wheel, and whether it is its steering.
    Named(&'static [(&'static str, usize, bool)]),
}

/// The transforms of a vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// Those that move.
    pub moving: &'static [Moving],
    /// Those that stay: parent, child, and where the child's origin is in the parent [m].
    pub fixed: &'static [(&'static str, &'static str, [f64; 3])],
    /// Frame that sensors are given in, and where its origin is in the vehicle's body [m].
    pub sensors: (&'static str, [f64; 3]),
}

/// A transform that moves.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    /// Frame from which the pose is seen.
    pub parent: &'static str,
    /// Frame whose pose it is.
    pub child: &'static str,
    /// The pose.
    pub pose: MovingPose,
    /// What switches it on.
    pub switch: Switch,
}

/// The pose of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovingPose {
    /// What the wheels' odometry believes.
    WheelOdometry,
    /// What it is wrong by: the true pose over it is the truth.
    OdometryError,
    /// The true pose in the world.
    Truth,
    /// None: both frames are one.
    Identity,
}

/// The parameter that switches a transform on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// `publish_tf`.
    Tf,
    /// `publish_map_to_odom`.
    MapToOdom,
}

/// The preset called `name`.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().copied().find(|preset| preset.name == name)
}

/// All presets, skidpad's own first.
pub const PRESETS: [&Preset; 2] = [&SKIDPAD, &RACECAR_GAZEBO];

/// Their names.
pub const PRESET_NAMES: [&str; 2] = [SKIDPAD.name, RACECAR_GAZEBO.name];

/// skidpad's own interface: what nav2 expects.
pub const SKIDPAD: Preset = Preset {
    name: "skidpad",
    help: "skidpad's own names, as nav2 expects them",
    topics: &[
        topic("odom", Content::WheelOdometry("odom", "base_footprint"), Pace::Odometry),
        topic("ground_truth", Content::GroundTruth("map", "base_footprint", false), Pace::Odometry),
        topic("joint_states", Content::JointStates, Pace::Odometry),
        topic("wheel_states", Content::WheelStates, Pace::Odometry),
        topic("collision", Content::Collision, Pace::Odometry),
    ],
    inputs: &[
        Input { name: "cmd_vel", kind: InputKind::Velocity },
        Input { name: "ackermann_cmd", kind: InputKind::Ackermann },
        Input { name: "pedals_cmd", kind: InputKind::Pedals },
    ],
    joints: Joints::AsWheels,
    frames: Frames {
        moving: &[
            Moving { parent: "odom", child: "base_footprint", pose: MovingPose::WheelOdometry, switch: Switch::Tf },
            Moving { parent: "map", child: "odom", pose: MovingPose::OdometryError, switch: Switch::MapToOdom },
        ],
        fixed: &[("base_footprint", "base_link", [0.0; 3])],
        sensors: ("base_link", [0.0; 3]),
    },
    odometry_rate: 50.0,
    joint_rate: 50.0,
    lidar: None,
    services: &[],
    with_quirks: false,
    has_mux: false,
    with_true_map_to_odom: None,
};

/// The MIT racecar in Gazebo (mit-racecar/racecar_gazebo), with a tree of frames after REP 105.
pub const RACECAR_GAZEBO: Preset = Preset {
    topics: &racecar_topics("odom", "base_link", false),
    frames: Frames {
        moving: &[
            Moving { parent: "odom", child: "base_link", pose: MovingPose::Truth, switch: Switch::Tf },
            Moving { parent: "map", child: "odom", pose: MovingPose::Identity, switch: Switch::MapToOdom },
        ],
        ..RACECAR_FRAMES
    },
    with_true_map_to_odom: Some(&RACECAR_TRUE_MAP),
    ..RACECAR_TRUE_MAP
};

/// The same as the Gazebo model has it: the pose of the car is that of `odom` in `map`, and nothing connects `odom` with
/// `base_link`.
const RACECAR_TRUE_MAP: Preset = Preset {
    name: "racecar_gazebo",
    help: "the MIT racecar in Gazebo, for nodes written for it",
    topics: &racecar_topics("map", "odom", true),
    inputs: &racecar::INPUTS,
    joints: Joints::Named(&racecar::JOINTS),
    frames: Frames {
        moving: &[Moving { parent: "map", child: "odom", pose: MovingPose::Truth, switch: Switch::Tf }],
        ..RACECAR_FRAMES
    },
    odometry_rate: 20.0,
    joint_rate: 50.0,
    lidar: Some(("/scan", "laser")),
    services: &racecar::SERVICES,
    with_quirks: true,
    has_mux: true,
    with_true_map_to_odom: None,
};

/// Links of racecar_description's URDF that sensors and navigation need; the others come from a robot_state_publisher.
const RACECAR_FRAMES: Frames = Frames {
    moving: &[],
    fixed: &[("base_link", "base_footprint", [0.0; 3]), ("base_link", "chassis", [0.0, 0.0, 0.05])],
    sensors: ("chassis", [0.0, 0.0, 0.05]),
};

const fn topic(name: &'static str, content: Content, pace: Pace) -> Topic {
    Topic { name, content, pace }
}

const fn racecar_topics(header: &'static str, child: &'static str, as_gazebo: bool) -> [Topic; 21] {
    use WheelQuantity::{ForceX, ForceY, SlipAngle, SlipRatio};
    let truth = Content::GroundTruth(header, child, as_gazebo);
    const fn wheel(name: &'static str, quantity: WheelQuantity, index: usize) -> Topic {
        topic(name, Content::Wheel(quantity, index), Pace::Joints)
    }
    [
        topic(racecar::ODOMETRY, truth, Pace::Odometry),
        topic(racecar::BETTER_ODOMETRY, truth, Pace::Odometry),
        topic(racecar::JOINT_STATES, Content::JointStates, Pace::Joints),
        wheel("/long_pub/left_rear", SlipRatio, 0),
        wheel("/long_pub/right_rear", SlipRatio, 1),
        wheel("/long_pub/left_front", SlipRatio, 2),
        wheel("/long_pub/right_front", SlipRatio, 3),
        wheel("/lat_pub/left_rear", SlipAngle, 0),
        wheel("/lat_pub/right_rear", SlipAngle, 1),
        wheel("/lat_pub/left_front", SlipAngle, 2),
        wheel("/lat_pub/right_front", SlipAngle, 3),
        wheel("/fx_pub/left_rear", ForceX, 0),
        wheel("/fx_pub/right_rear", ForceX, 1),
        wheel("/fx_pub/left_front", ForceX, 2),
        wheel("/fx_pub/right_front", ForceX, 3),
        wheel("/fy_pub/left_rear", ForceY, 0),
        wheel("/fy_pub/right_rear", ForceY, 1),
        wheel("/fy_pub/left_front", ForceY, 2),
        wheel("/fy_pub/right_front", ForceY, 3),
        topic("wheel_states", Content::WheelStates, Pace::Odometry),
        topic("collision", Content::Collision, Pace::Odometry),
    ]
}

/// The topics of the study and of the racecar in Gazebo (the study, §4.2; mit-racecar/racecar_gazebo).
pub mod racecar {
    use super::{Input, InputKind, Service};

    /// `nav_msgs/msg/Odometry` of the car.
    pub const ODOMETRY: &str = "/vesc/odom";
    /// The same again, as the "better odometry".
    pub const BETTER_ODOMETRY: &str = "/pf/pose/odom";
    /// `std_msgs/msg/Float64MultiArray` x, y [m], time [s]: where the reference point shall be.
    pub const REFERENCE_TRAJECTORY: &str = "/reference_trajectory";
    /// `std_msgs/msg/Float64MultiArray` vx, vy [m/s], time [s]: the velocity that point P shall have.
    pub const VIRTUAL_VELOCITIES: &str = "/virtual_velocities";
    /// `ackermann_msgs/msg/AckermannDriveStamped` of the linearizers.
    pub const NAVIGATION: &str = "/vesc/ackermann_cmd_mux/input/navigation";
    /// What the study calls the wheels that skidpad calls `rl_wheel`, `rr_wheel`, `fl_wheel`, `fr_wheel`.
    pub const WHEELS: [(&str, &str); 4] = [
        ("rl_wheel", "left_rear"),
        ("rr_wheel", "right_rear"),
        ("fl_wheel", "left_front"),
        ("fr_wheel", "right_front"),
    ];
    /// Topics `std_msgs/msg/Float64` of a wheel are called `/<quantity>_pub/<wheel>`: slip ratio [-], slip angle [rad],
    /// longitudinal and lateral force [N].
    pub const WHEEL_QUANTITIES: [&str; 4] = ["long", "lat", "fx", "fy"];
    /// Angles of the six joints.
    pub const JOINT_STATES: &str = "/racecar/joint_states";
    /// What the multiplexer lets pass, and the name that it had before.
    pub const MUX_OUTPUTS: [&str; 2] =
        ["/vesc/low_level/ackermann_cmd_mux/output", "/racecar/ackermann_cmd_mux/output"];
    /// Commands of a person.
    pub const TELEOPERATION: &str = "/vesc/ackermann_cmd_mux/input/teleop";
    /// The joints of the URDF: name, index of the wheel, and whether it is its steering.
    pub const JOINTS: [(&str, usize, bool); 6] = [
        ("left_rear_wheel_joint", 0, false),
        ("right_rear_wheel_joint", 1, false),
        ("left_front_wheel_joint", 2, false),
        ("right_front_wheel_joint", 3, false),
        ("left_steering_hinge_joint", 2, true),
        ("right_steering_hinge_joint", 3, true),
    ];
    /// What it listens to behind the multiplexer.
    pub const INPUTS: [Input; 8] = [
        Input { name: MUX_OUTPUTS[0], kind: InputKind::Ackermann },
        Input { name: MUX_OUTPUTS[1], kind: InputKind::Ackermann },
        Input { name: "/racecar/left_rear_wheel_velocity_controller/command", kind: InputKind::Spin(0) },
        Input { name: "/racecar/right_rear_wheel_velocity_controller/command", kind: InputKind::Spin(1) },
        Input { name: "/racecar/left_front_wheel_velocity_controller/command", kind: InputKind::Spin(2) },
        Input { name: "/racecar/right_front_wheel_velocity_controller/command", kind: InputKind::Spin(3) },
        Input { name: "/racecar/left_steering_hinge_position_controller/command", kind: InputKind::Hinge(0) },
        Input { name: "/racecar/right_steering_hinge_position_controller/command", kind: InputKind::Hinge(1) },
    ];
    /// Gazebo's services that students reset and pause with.
    pub const SERVICES: [(&str, Service); 4] = [
        ("/gazebo/reset_world", Service::Reset),
        ("/gazebo/reset_simulation", Service::Reset),
        ("/gazebo/pause_physics", Service::Pause(true)),
        ("/gazebo/unpause_physics", Service::Pause(false)),
    ];
    /// By how much a command's speed is taken with `quirks.half_speed` [-]: the Gazebo model's command node divides by 0.1 m
    /// where the wheels' radius is 0.05 m.
    pub const HALF_SPEED: f64 = 0.5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for one in PRESETS {
            assert_eq!(preset(one.name).map(|found| found.name), Some(one.name));
            assert!(PRESET_NAMES.contains(&one.name) && !one.help.is_empty());
            let mut names: Vec<&str> =
                one.topics.iter().map(|t| t.name).chain(one.inputs.iter().map(|i| i.name)).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", one.name);
        }
        assert!(preset("racecar").is_none());
    }

    /// Wheels and quantities of the study, in every combination, on the wheel that is meant.
    #[test]
    fn every_quantity_of_every_wheel_has_its_topic() {
        for (index, (_, wheel)) in racecar::WHEELS.iter().enumerate() {
            for quantity in racecar::WHEEL_QUANTITIES {
                let name = format!("/{quantity}_pub/{wheel}");
                let topic = RACECAR_GAZEBO.topics.iter().find(|topic| topic.name == name);
                let content = topic.map(|topic| topic.content);
                assert!(matches!(content, Some(Content::Wheel(_, found)) if found == index), "{name}: {content:?}");
            }
        }
    }

    #[test]
    fn no_frame_has_two_parents() {
        for preset in [&SKIDPAD, &RACECAR_GAZEBO, &RACECAR_TRUE_MAP] {
            let mut children: Vec<&str> = preset.frames.moving.iter().map(|moving| moving.child).collect();
            children.extend(preset.frames.fixed.iter().map(|(_, child, _)| *child));
            let count = children.len();
            children.sort_unstable();
            children.dedup();
            assert_eq!(children.len(), count, "{}", preset.name);
        }
    }
}
