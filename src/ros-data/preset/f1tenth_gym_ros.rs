//! The bridge of f1tenth_gym to ROS 2 (f1tenth/f1tenth_gym_ros, commit 883394d, and the names of its branches of 2026 for more than
//! two cars), with the true lateral velocity in odometry, and stamps of simulated time.

use skidpad_sim::sensor::lidar2d::ENTRY as LASER;

use super::frame_names::{self, MAP};
use super::{
    Condition, Content, Effect, Frames, Input, InputKind, Moving, MovingPose, Pace, Placeholder, Preset, PresetSensor,
    Setting, Switch, Topic, Value,
};

/// A race of cars: the first is `ego_racecar`, the others are its opponents.
pub const F1TENTH_GYM_ROS: Preset = Preset {
    name: "f1tenth_gym_ros",
    help: "the bridge of f1tenth_gym, for agents that race in it; any number of cars",
    topics: &[
        Topic::new("/{car}/{odom}", TRUTH, Pace::Odometry),
        Topic::new("/{car}/{other_odom}", Content::OtherTruth(MAP, BASE), Pace::Odometry).when(Condition::WithOthers),
        Topic::new("/{car}/collision", Content::Collision, Pace::Odometry),
        Topic::new("/{car}/lap_count", Content::LapCount, Pace::Odometry),
        Topic::new("/{car}/lap_time", Content::LapTime, Pace::Odometry),
    ],
    inputs: &[
        Input::new("/{drive}", InputKind::Ackermann),
        Input::new("/cmd_vel", InputKind::Keyboard).when(Condition::Keyboard),
        Input::new("/initialpose", InputKind::EstimatedPose).when(Condition::TeleportsFirst),
        Input::new("/pose", InputKind::Pose).when(Condition::TeleportsFirst),
        Input::new("/goal_pose{number}", InputKind::Pose).when(Condition::TeleportsOthers),
        Input::new("/pause_sim", InputKind::Pause).when(Condition::First),
    ],
    placeholders: &[
        car(
            "car",
            ["ego_namespace", "opp_namespace"],
            ["ego_racecar", "opp_racecar"],
            "before its odometry and its frames",
        ),
        car("scan", ["ego_scan_topic", "opp_scan_topic"], ["scan", "opp_scan"], "its scans"),
        car("drive", ["ego_drive_topic", "opp_drive_topic"], ["drive", "opp_drive"], "its commands"),
        Placeholder {
            numbered: false,
            ..car("odom", ["ego_odom_topic", "opp_odom_topic"], ["odom"; 2], "its odometry")
        },
        Placeholder {
            numbered: false,
            ..car(
                "other_odom",
                ["ego_opp_odom_topic", "opp_ego_odom_topic"],
                ["opp_odom"; 2],
                "the odometry of its opponent",
            )
        },
        FRAMES[0],
        Placeholder { help: "without effect: odometry is the truth in the map", ..FRAMES[1] },
        FRAMES[2],
    ],
    frames: Frames {
        moving: &[
            Moving { parent: MAP, child: BASE, pose: MovingPose::Truth, switch: Switch::Tf },
            Moving {
                parent: "{car}/front_left_hinge",
                child: "{car}/front_left_wheel",
                pose: MovingPose::Steering(2),
                switch: Switch::Tf,
            },
            Moving {
                parent: "{car}/front_right_hinge",
                child: "{car}/front_right_wheel",
                pose: MovingPose::Steering(3),
                switch: Switch::Tf,
            },
        ],
        fixed: &[],
        hinges: &[(BASE, "{car}/front_left_hinge", 2), (BASE, "{car}/front_right_hinge", 3)],
        sensors: BASE,
        states: frame_names::BASE,
    },
    wheel_links: &[
        ("{car}/back_left_wheel", 0, false),
        ("{car}/back_right_wheel", 1, false),
        ("{car}/front_left_wheel", 2, false),
        ("{car}/front_right_wheel", 3, false),
    ],
    odometry_rate: 250.0,
    second_rate: 250.0,
    // Of the robot_state_publishers that its launch file starts.
    description: ["/ego_robot_description", "/opp_robot_description{number}"],
    sensors: &[PresetSensor::new(&LASER, 0, &["/{scan}"], "{car}/laser")],
    settings: &[
        Setting::new("kb_teleop", Value::Switch(true), Effect::Here("the first car listens to /cmd_vel of a keyboard")),
        Setting::new("drive_timeout", Value::Number(0.0), Effect::Is("cmd_timeout")),
        Setting::new("async_mode", Value::Switch(true), Effect::Not("lockstep")),
        Setting::new("lidar_noise_std", Value::Number(0.01), Effect::Is("range_noise")),
        Setting::new("num_agent", Value::Whole(1), Effect::Variable("num_agents")),
        Setting::new("num_agents", Value::Whole(1), Effect::Variable("num_agents")),
        Setting::new("map_path", Value::Text(""), Effect::MapFile("map_path")),
        Setting::new("map_img_ext", Value::Text(".png"), Effect::Nothing("the map's own file names its picture")),
        Setting::new(
            "scan_distance_to_base_link",
            Value::Number(0.275),
            Effect::Variable("scan_distance_to_base_link"),
        ),
        Setting::new("scan_fov", Value::Number(4.7), Effect::Variable("scan_fov")),
        Setting::new("scan_beams", Value::Whole(1080), Effect::Variable("scan_beams")),
        Setting::new("scan_num_beams", Value::Whole(1080), Effect::Variable("scan_beams")),
        Setting::new("scan_range_min", Value::Number(0.0), Effect::Variable("scan_range_min")),
        Setting::new("scan_range_max", Value::Number(30.0), Effect::Variable("scan_range_max")),
        Setting::new("sx", Value::Number(0.0), Effect::Variable("sx")),
        Setting::new("sy", Value::Number(0.0), Effect::Variable("sy")),
        Setting::new("stheta", Value::Number(0.0), Effect::Variable("stheta")),
        Setting::new("sx1", Value::Number(0.0), Effect::Variable("sx1")),
        Setting::new("sy1", Value::Number(0.0), Effect::Variable("sy1")),
        Setting::new("stheta1", Value::Number(0.0), Effect::Variable("stheta1")),
    ],
    defaults: &[
        // A command holds until the next.
        ("cmd_timeout", Value::Number(0.0)),
        ("teleport_topics", Value::Switch(true)),
        ("wait_for", Value::Text("commands")),
    ],
    ..Preset::EMPTY
};

/// The middle of the rear axle.
const BASE: &str = "{car}/{base_frame_id}";
const FRAMES: [Placeholder; 3] = frame_names::placeholders("base_link");
const TRUTH: Content = Content::GroundTruth(MAP, BASE, false);

const fn car(
    key: &'static str,
    parameter: [&'static str; 2],
    default: [&'static str; 2],
    help: &'static str,
) -> Placeholder {
    Placeholder { key, parameter, default, numbered: true, help }
}
