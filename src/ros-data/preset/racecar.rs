//! The MIT racecar in Gazebo (mit-racecar/racecar_gazebo), with a tree of frames after REP 105, and the topics of "the study" (§4.2;
//! see [`crate`]).

use skidpad_sim::sensor::camera::ENTRY as CAMERA;
use skidpad_sim::sensor::lidar2d::ENTRY as LASER;

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Frames, Input, InputKind, Joints, Moving, MovingPose, Pace, Placeholder, Preset, PresetSensor,
    Service, Switch, Topic, Value, WheelQuantity,
};

/// The MIT racecar in Gazebo.
pub const RACECAR_GAZEBO: Preset = Preset {
    topics: &racecar_topics(ODOM, BASE, false),
    frames: Frames {
        moving: &[
            Moving { parent: ODOM, child: BASE, pose: MovingPose::Truth, switch: Switch::Tf },
            Moving { parent: MAP, child: ODOM, pose: MovingPose::Identity, switch: Switch::MapToOdom },
        ],
        ..RACECAR_FRAMES
    },
    with_true_map_to_odom: Some(&RACECAR_TRUE_MAP),
    ..RACECAR_TRUE_MAP
};

/// The preset as the Gazebo model behaves: the pose of the car is that of `odom` in `map`, and no transform connects `odom` with
/// `base_link`.
const RACECAR_TRUE_MAP: Preset = Preset {
    name: "racecar_gazebo",
    help: "the MIT racecar in Gazebo, for nodes written for it",
    topics: &racecar_topics(MAP, ODOM, true),
    inputs: &INPUTS,
    placeholders: &[
        FRAMES[0],
        FRAMES[1],
        FRAMES[2],
        // Frames of ROS have z ahead; those of the Gazebo model's pictures are the links, with x ahead.
        Placeholder::of_all("camera_frame_id", "camera_link_optical", "frame of the camera's pictures"),
        Placeholder::of_all(
            "camera_right_frame_id",
            "zed_camera_right_link_optical",
            "frame of the right lens' pictures",
        ),
    ],
    joints: Joints::Named(&JOINTS),
    wheel_links: &WHEEL_LINKS,
    frames: Frames {
        moving: &[Moving { parent: MAP, child: ODOM, pose: MovingPose::Truth, switch: Switch::Tf }],
        ..RACECAR_FRAMES
    },
    odometry_rate: 20.0,
    sensors: &[
        PresetSensor::new(&LASER, 0, &["/scan"], "laser"),
        PresetSensor {
            link: Some("camera_link"),
            ..PresetSensor::new(
                &CAMERA,
                0,
                &["/camera/zed/rgb/image_rect_color", "/camera/zed/rgb/camera_info"],
                "{camera_frame_id}",
            )
        },
        // As of zed_wrapper, which calls the left lens `rgb` too.
        PresetSensor {
            link: Some("zed_camera_right_link"),
            ..PresetSensor::new(
                &CAMERA,
                1,
                &["/camera/zed/right/image_rect_color", "/camera/zed/right/camera_info"],
                "{camera_right_frame_id}",
            )
        },
    ],
    services: &SERVICES,
    // The original publishes none: a map_server has the topic.
    defaults: &[("publish_map", Value::Switch(false))],
    with_quirks: true,
    mux: Some(MUX),
    ..Preset::EMPTY
};

const FRAMES: [Placeholder; 3] = frame_names::placeholders("base_link");

/// Links of racecar_description's URDF that sensors and navigation need; the others come from a robot_state_publisher.
const RACECAR_FRAMES: Frames = Frames {
    moving: &[],
    fixed: &[(BASE, "base_footprint", [0.0; 3]), (BASE, "chassis", [0.0, 0.0, 0.05])],
    hinges: &[],
    sensors: "chassis",
    states: BASE,
};

const fn racecar_topics(header: &'static str, child: &'static str, as_gazebo: bool) -> [Topic; 22] {
    use WheelQuantity::{ForceX, ForceY, SlipAngle, SlipRatio};
    let truth = Content::GroundTruth(header, child, as_gazebo);
    const fn wheel(name: &'static str, quantity: WheelQuantity, index: usize) -> Topic {
        Topic::new(name, Content::Wheel(quantity, index), Pace::Second)
    }
    [
        Topic::new(ODOMETRY, truth, Pace::Odometry),
        Topic::new(BETTER_ODOMETRY, truth, Pace::Odometry),
        Topic::new(JOINT_STATES, Content::JointStates, Pace::Second),
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
        Topic::new("wheel_states", Content::WheelStates, Pace::Odometry),
        Topic::new("collision", Content::Collision, Pace::Odometry),
        Topic::new("overturned", Content::Overturned, Pace::Odometry).when(Condition::OnSprings),
    ]
}

/// `nav_msgs/msg/Odometry` of the car.
pub const ODOMETRY: &str = "/vesc/odom";
/// The same messages on the topic of the "better odometry".
pub const BETTER_ODOMETRY: &str = "/pf/pose/odom";
/// `std_msgs/msg/Float64MultiArray` x, y [m], time [s]: reference of the reference point.
pub const REFERENCE_TRAJECTORY: &str = "/reference_trajectory";
/// `std_msgs/msg/Float64MultiArray` vx, vy [m/s], time [s]: commanded velocity of point P.
pub const VIRTUAL_VELOCITIES: &str = "/virtual_velocities";
/// `ackermann_msgs/msg/AckermannDriveStamped` of the linearizers.
pub const NAVIGATION: &str = "/vesc/ackermann_cmd_mux/input/navigation";
/// The study's names of `rl_wheel`, `rr_wheel`, `fl_wheel`, `fr_wheel`.
pub const WHEELS: [(&str, &str); 4] =
    [("rl_wheel", "left_rear"), ("rr_wheel", "right_rear"), ("fl_wheel", "left_front"), ("fr_wheel", "right_front")];
/// Topics `std_msgs/msg/Float64` of a wheel are called `/<quantity>_pub/<wheel>`: slip ratio [-], slip angle [rad],
/// longitudinal and lateral force [N].
pub const WHEEL_QUANTITIES: [&str; 4] = ["long", "lat", "fx", "fy"];
/// Angles of the six joints.
pub const JOINT_STATES: &str = "/racecar/joint_states";
/// Output topic of the multiplexer, and its former name.
pub(crate) const MUX_OUTPUTS: [&str; 2] =
    ["/vesc/low_level/ackermann_cmd_mux/output", "/racecar/ackermann_cmd_mux/output"];
/// Commands of teleoperation.
pub const TELEOPERATION: &str = "/vesc/ackermann_cmd_mux/input/teleop";
/// The joints of the URDF: name, index of the wheel, and whether it is its steering.
pub(crate) const JOINTS: [(&str, usize, bool); 6] = [
    ("left_rear_wheel_joint", 0, false),
    ("right_rear_wheel_joint", 1, false),
    ("left_front_wheel_joint", 2, false),
    ("right_front_wheel_joint", 3, false),
    ("left_steering_hinge_joint", 2, true),
    ("right_steering_hinge_joint", 3, true),
];
/// The links that these joints turn.
const WHEEL_LINKS: [(&str, usize, bool); 6] = [
    ("left_rear_wheel", 0, false),
    ("right_rear_wheel", 1, false),
    ("left_front_wheel", 2, false),
    ("right_front_wheel", 3, false),
    ("left_steering_hinge", 2, true),
    ("right_steering_hinge", 3, true),
];
/// Its command topics after the multiplexer.
pub const INPUTS: [Input; 10] = [
    Input::new(MUX_OUTPUTS[0], InputKind::Ackermann),
    Input::new(MUX_OUTPUTS[1], InputKind::Ackermann),
    Input::new("/racecar/left_rear_wheel_velocity_controller/command", InputKind::Spin(0)),
    Input::new("/racecar/right_rear_wheel_velocity_controller/command", InputKind::Spin(1)),
    Input::new("/racecar/left_front_wheel_velocity_controller/command", InputKind::Spin(2)),
    Input::new("/racecar/right_front_wheel_velocity_controller/command", InputKind::Spin(3)),
    Input::new("/racecar/left_steering_hinge_position_controller/command", InputKind::Hinge(0)),
    Input::new("/racecar/right_steering_hinge_position_controller/command", InputKind::Hinge(1)),
    Input::new("/initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
    Input::new("/pose", InputKind::Pose).when(Condition::Teleports),
];
/// Gazebo's services for reset and pause.
pub const SERVICES: [(&str, Service); 4] = [
    ("/gazebo/reset_world", Service::Reset),
    ("/gazebo/reset_simulation", Service::Reset),
    ("/gazebo/pause_physics", Service::Pause(true)),
    ("/gazebo/unpause_physics", Service::Pause(false)),
];
/// The two levels of its command multiplexer.
pub const MUX: &str = include_str!("../../../config/ackermann_mux.yaml");
/// Factor on a command's speed with `quirks.half_speed` [-]: the Gazebo model's command node divides by 0.1 m
/// where the wheels' radius is 0.05 m.
pub const HALF_SPEED: f64 = 0.5;
