//! The real F1TENTH car (f1tenth/f1tenth_system, branch humble-devel): the topics of its motor controller, its multiplexer and its
//! lidar, so that one launch file drives the car and the simulator.

use skidpad_sim::sensor::lidar2d::ENTRY as LASER;

use super::frame_names::{self, BASE, MAP, ODOM};
use super::{
    Condition, Content, Frames, Input, InputKind, Motor, Moving, MovingPose, Pace, Preset, PresetSensor, Switch, Topic,
    Value,
};

/// One car, driven through a multiplexer.
pub const F1TENTH_SYSTEM: Preset = Preset {
    name: "f1tenth_system",
    help: "the real F1TENTH car, for what runs on it",
    topics: &[
        Topic::new("/odom", Content::WheelOdometry(ODOM, BASE), Pace::Odometry),
        Topic::new("/sensors/core", Content::VescState, Pace::Odometry),
        Topic::new("/sensors/imu", Content::VescImu, Pace::Odometry),
        Topic::new("/sensors/imu/raw", Content::Imu(BASE), Pace::Odometry),
        Topic::new("/sensors/servo_position_command", Content::ServoPosition, Pace::Odometry),
    ],
    inputs: &[
        Input::new("/ackermann_drive", InputKind::Ackermann),
        Input::new("/commands/motor/speed", InputKind::Motor(Motor::Speed)),
        Input::new("/commands/motor/duty_cycle", InputKind::Motor(Motor::DutyCycle)),
        Input::new("/commands/motor/brake", InputKind::Motor(Motor::Brake)),
        Input::new("/commands/servo/position", InputKind::Motor(Motor::Servo)),
        Input::new("/initialpose", InputKind::EstimatedPose).when(Condition::Teleports),
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
    sensors: &[PresetSensor::new(&LASER, 0, &["/scan"], "laser")],
    // The original publishes none: a map_server has the topic.
    defaults: &[("publish_map", Value::Switch(false))],
    mux: Some(include_str!("../../../config/f1tenth_mux.yaml")),
    ..Preset::EMPTY
};

/// Units of the car's motor controller (`vesc.yaml` of f1tenth_system).
pub mod vesc {
    /// Electrical revolutions per minute for each metre per second.
    pub(crate) const SPEED_GAIN: f64 = 4614.0;
    /// The largest electrical speed in either direction [1/min].
    pub(crate) const SPEED_LIMIT: f64 = 23250.0;
    /// Position of the servo for each radian of steering.
    pub(crate) const SERVO_GAIN: f64 = -1.2135;
    /// Position of the servo straight ahead.
    pub(crate) const SERVO_OFFSET: f64 = 0.5304;
    /// Least and largest position of the servo.
    pub(crate) const SERVO_RANGE: [f64; 2] = [0.15, 0.85];

    /// The speed [m/s] at this electrical speed [1/min], within the limit.
    pub fn speed(revolutions: f64) -> f64 {
        revolutions.clamp(-SPEED_LIMIT, SPEED_LIMIT) / SPEED_GAIN
    }

    /// The electrical revolutions per minute at a speed [m/s].
    pub(crate) fn revolutions(speed: f64) -> f64 {
        SPEED_GAIN * speed
    }

    /// The steering angle [rad] at a position of the servo, within its range.
    pub fn steering_angle(servo: f64) -> f64 {
        (servo.clamp(SERVO_RANGE[0], SERVO_RANGE[1]) - SERVO_OFFSET) / SERVO_GAIN
    }

    /// The position of the servo for a steering angle [rad], within its range.
    pub fn servo(steering_angle: f64) -> f64 {
        (SERVO_GAIN * steering_angle + SERVO_OFFSET).clamp(SERVO_RANGE[0], SERVO_RANGE[1])
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_motor_controller_counts_within_its_limits() {
            assert!((speed(4614.0) - 1.0).abs() < 1e-12 && (speed(1e6) - 5.039).abs() < 1e-3);
            assert_eq!(revolutions(2.0), 9228.0);
            assert!((steering_angle(servo(0.2)) - 0.2).abs() < 1e-12);
            assert_eq!([servo(1.0), servo(-1.0)], SERVO_RANGE);
            assert!((steering_angle(0.0) - 0.3135).abs() < 1e-4, "{}", steering_angle(0.0));
        }
    }
}
