//! Autoware's planning simulator (`autoware_simple_planning_simulator` of autowarefoundation/autoware_universe, commit 5892bac, under the names that
//! its launch file maps to; messages of autowarefoundation/autoware_msgs 1.12.0), for any car of a world.

use super::frame_names::{self, BASE, MAP};
use super::{
    AutowareInput, AutowareReport, Condition, Content, Effect, Frames, Input, InputKind, Moving, MovingPose, Pace,
    Preset, Seat, Service, Setting, Switch, Topic, Value,
};

/// One car that Autoware drives.
pub const AUTOWARE: Preset = Preset {
    name: "autoware",
    help: "Autoware's planning simulator: Autoware drives a car, and is told where it is",
    topics: &[
        state("/localization/kinematic_state", Content::GroundTruth(MAP, BASE, false)),
        state("/localization/acceleration", Content::Acceleration(BASE)),
        state("/simulation/debug/localization/pose_estimator/pose_with_covariance", Content::PoseEstimate(MAP)),
        state("/sensing/imu/imu_data", Content::Imu(BASE)),
        state("/vehicle/status/velocity_status", Content::Autoware(AutowareReport::Velocity(BASE))),
        state("/vehicle/status/steering_status", Content::Autoware(AutowareReport::Steering)),
        state("/vehicle/status/gear_status", Content::Autoware(AutowareReport::Gear)),
        state("/vehicle/status/control_mode", Content::Autoware(AutowareReport::ControlMode)),
        state("/vehicle/status/turn_indicators_status", Content::Autoware(AutowareReport::TurnIndicators)),
        state("/vehicle/status/hazard_lights_status", Content::Autoware(AutowareReport::HazardLights)),
    ],
    inputs: &[
        command("/control/command/control_cmd", AutowareInput::Control(Seat::Autonomous)),
        command("/control/command/gear_cmd", AutowareInput::Gear(Seat::Autonomous)),
        command("/vehicle/command/manual_control_cmd", AutowareInput::Control(Seat::Manual)),
        command("/vehicle/command/manual_gear_command", AutowareInput::Gear(Seat::Manual)),
        command("/control/command/turn_indicators_cmd", AutowareInput::TurnIndicators),
        command("/control/command/hazard_lights_cmd", AutowareInput::HazardLights),
        command("/vehicle/engage", AutowareInput::Engage),
        Input::new("/initialpose3d", InputKind::EstimatedPose).when(Condition::Teleports),
        Input::new("/simulation/input/initialtwist", InputKind::InitialTwist),
    ],
    placeholders: &frame_names::placeholders("base_link"),
    frames: Frames {
        moving: &[Moving { parent: MAP, child: BASE, pose: MovingPose::Truth, switch: Switch::Tf }],
        fixed: &[],
        hinges: &[],
        sensors: BASE,
        states: BASE,
    },
    // That of its timer_sampling_time_ms.
    odometry_rate: 40.0,
    services: &[("/control/control_mode_request", Service::ControlMode)],
    settings: &SETTINGS,
    defaults: &[
        // A command holds until the next.
        ("cmd_timeout", Value::Number(0.0)),
        ("teleport_topics", Value::Switch(true)),
        // That of its initialize_source.
        ("wait_for", Value::Text("pose")),
        // Autoware's vehicle launch file does, from the description of the vehicle.
        ("publish_robot_description", Value::Switch(false)),
    ],
    ..Preset::EMPTY
};

const SETTINGS: [Setting; 48] = [
    Setting::new(
        "initialize_source",
        Value::Text("INITIAL_POSE_TOPIC"),
        Effect::Word("wait_for", [&["ORIGIN", "INITIAL_POSE_TOPIC"], &["nothing", "pose"]]),
    ),
    Setting::new("timer_sampling_time_ms", Value::Number(25.0), Effect::Period("odom_rate", 1e3)),
    Setting::new(
        "initial_engage_state",
        Value::Switch(true),
        Effect::Here("false: the car stands until `/vehicle/engage` lets it go"),
    ),
    variable("vehicle_model_type", Value::Text("DELAY_STEER_ACC_GEARED")),
    number("vel_lim", 50.0),
    number("vel_rate_lim", 7.0),
    number("steer_lim", 1.0),
    number("steer_rate_lim", 5.0),
    number("acc_time_delay", 0.1),
    number("acc_time_constant", 0.1),
    number("vel_time_delay", 0.25),
    number("vel_time_constant", 0.5),
    number("steer_time_delay", 0.24),
    number("steer_time_constant", 0.27),
    number("steer_dead_band", 0.0),
    number("steer_bias", 0.0),
    variable("acceleration_map_path", Value::Text("")),
    number("wheel_radius", 0.383),
    number("wheel_width", 0.235),
    number("wheel_base", 2.79),
    number("wheel_tread", 1.64),
    number("front_overhang", 1.0),
    number("rear_overhang", 1.1),
    number("left_overhang", 0.128),
    number("right_overhang", 0.128),
    number("vehicle_height", 2.5),
    Setting::new("max_steer_angle", Value::Number(0.7), Effect::Nothing("`steer_lim` is the limit there, too")),
    Setting::new("simulated_frame_id", Value::Text("base_link"), Effect::Nothing("`base_frame_id` has the name")),
    Setting::new("origin_frame_id", Value::Text("map"), Effect::Nothing("`map_frame_id` has the name")),
    Setting::new("enable_road_slope_simulation", Value::Switch(true), Effect::Nothing(OF_GROUND)),
    Setting::new("enable_pub_steer", Value::Switch(true), Effect::Nothing("the steering is always reported")),
    Setting::new("add_measurement_noise", Value::Switch(false), Effect::Nothing(EXACT)),
    Setting::new("pos_noise_stddev", Value::Number(0.01), Effect::Nothing(EXACT)),
    Setting::new("vel_noise_stddev", Value::Number(0.01), Effect::Nothing(EXACT)),
    Setting::new("rpy_noise_stddev", Value::Number(0.0001), Effect::Nothing(EXACT)),
    Setting::new("steer_noise_stddev", Value::Number(0.0001), Effect::Nothing(EXACT)),
    Setting::new("x_stddev", Value::Number(0.0001), Effect::Nothing(EXACT)),
    Setting::new("y_stddev", Value::Number(0.0001), Effect::Nothing(EXACT)),
    Setting::new("debug_acc_scaling_factor", Value::Number(1.0), Effect::Nothing(FOR_TESTS)),
    Setting::new("debug_steer_scaling_factor", Value::Number(1.0), Effect::Nothing(FOR_TESTS)),
    Setting::new("accel_time_delay", Value::Number(0.1), Effect::Nothing(OTHER_MODELS)),
    Setting::new("accel_time_constant", Value::Number(0.1), Effect::Nothing(OTHER_MODELS)),
    Setting::new("brake_time_delay", Value::Number(0.1), Effect::Nothing(OTHER_MODELS)),
    Setting::new("brake_time_constant", Value::Number(0.1), Effect::Nothing(OTHER_MODELS)),
    Setting::new("convert_accel_cmd", Value::Switch(true), Effect::Nothing(OTHER_MODELS)),
    Setting::new("convert_brake_cmd", Value::Switch(true), Effect::Nothing(OTHER_MODELS)),
    Setting::new("accel_map_path", Value::Text(""), Effect::Nothing(OTHER_MODELS)),
    Setting::new("brake_map_path", Value::Text(""), Effect::Nothing(OTHER_MODELS)),
];

const OF_GROUND: &str = "slopes are those of the ground of the world";
const EXACT: &str = "the truth is sent; noise is that of the sensors of the world";
const FOR_TESTS: &str = "it is for tests of the original";
const OTHER_MODELS: &str = "of models that are not here";

const fn state(name: &'static str, content: Content) -> Topic {
    Topic::new(name, content, Pace::Odometry)
}

const fn command(name: &'static str, input: AutowareInput) -> Input {
    Input::new(name, InputKind::Autoware(input))
}

const fn variable(name: &'static str, default: Value) -> Setting {
    Setting::new(name, default, Effect::Variable(name))
}

const fn number(name: &'static str, default: f64) -> Setting {
    variable(name, Value::Number(default))
}
