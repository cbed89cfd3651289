//! Commands as messages: the message type of each kind of input, and the action that a message stands for.

use futures::StreamExt;
use futures::stream::BoxStream;
use r2r::ackermann_msgs::msg::AckermannDriveStamped;
use r2r::geometry_msgs::msg::{Pose, PoseStamped, PoseWithCovarianceStamped, Twist, TwistStamped};
use r2r::skidpad::msg::Pedals as PedalsMessage;
use r2r::std_msgs::msg::{Float64, Float64MultiArray};
use r2r::{Node, QosProfile, WrappedTypesupport};
use skidpad_ros_data::message::{self, Message};
use skidpad_ros_data::preset::{InputKind, Motor, vesc};
use skidpad_sim::vehicle::{Action, Pedals, RateLimits, WheelTargets};

use crate::typed_messages;

/// Type of commands of speed and steering angle.
pub const ACKERMANN_TYPE: &str = message::AckermannDriveStamped::TYPE;
/// Steering angle of a keyboard command [rad].
const KEYBOARD_STEERING: f64 = 0.3;

/// The message types of `cmd_vel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VelocityType {
    /// geometry_msgs/msg/Twist
    Twist,
    /// geometry_msgs/msg/TwistStamped
    TwistStamped,
}

impl VelocityType {
    const ALL: [VelocityType; 2] = [VelocityType::Twist, VelocityType::TwistStamped];

    /// The type as the graph names it.
    pub fn name(self) -> &'static str {
        match self {
            VelocityType::Twist => message::Twist::TYPE,
            VelocityType::TwistStamped => "geometry_msgs/msg/TwistStamped",
        }
    }

    /// The type that nav2 of this ROS distribution publishes by default.
    pub fn of_distro(distro: &str) -> VelocityType {
        match distro {
            "humble" | "iron" | "jazzy" => VelocityType::Twist,
            _ => VelocityType::TwistStamped,
        }
    }

    /// The type to subscribe to when `offered` are the types of the publishers: the present one as long as any publisher offers it or no
    /// publisher offers another.
    fn follow(self, offered: &[&str]) -> VelocityType {
        if offered.contains(&self.name()) {
            return self;
        }
        VelocityType::ALL.into_iter().find(|kind| offered.contains(&kind.name())).unwrap_or(self)
    }
}

/// The wheels that an array of speeds applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelSpeedOrder {
    /// The left and the right ones.
    Sides,
    /// All four: rear left, rear right, front left, front right.
    Each,
}

/// The message type of `cmd_vel`, and whether it changes to what the publishers of a topic offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Velocity {
    /// The initial type.
    pub kind: VelocityType,
    /// Whether it follows the publishers; a parameter fixes it otherwise.
    pub follows: bool,
}

impl Velocity {
    /// The value of the parameter `cmd_vel_type`.
    pub fn named(cmd_vel_type: &str) -> Velocity {
        match cmd_vel_type {
            "twist" => Velocity { kind: VelocityType::Twist, follows: false },
            "twist_stamped" => Velocity { kind: VelocityType::TwistStamped, follows: false },
            _ => Velocity { kind: VelocityType::of_distro(r2r::ROS_DISTRO), follows: true },
        }
    }

    /// The choice for a topic whose publishers offer messages of the types `offered`.
    pub fn follow(self, offered: &[&str]) -> Velocity {
        Velocity { kind: if self.follows { self.kind.follow(offered) } else { self.kind }, ..self }
    }
}

/// The stream of a topic: actions, or the reason why a message is refused.
pub type Actions = BoxStream<'static, Result<Action, String>>;

/// How messages are converted to actions.
pub struct CommandConversion<'a> {
    /// The message type of velocities.
    pub velocity: VelocityType,
    /// The wheels that arrays of speeds apply to.
    pub wheels: WheelSpeedOrder,
    /// Factor of the speeds of Ackermann commands [-].
    pub speed_factor: f64,
    /// Whether acceleration and steering rate of Ackermann commands count as limits.
    pub ackermann_limits: bool,
    /// Largest speed [m/s] and yaw rate [rad/s] of velocity commands; `None`: no limit.
    pub limits: Option<[f64; 2]>,
    /// The frame of the map.
    pub map_frame: &'a str,
}

/// Subscribes to a topic.
pub fn subscribe(
    node: &mut Node,
    topic: &str,
    kind: InputKind,
    qos: QosProfile,
    reading: &CommandConversion<'_>,
) -> r2r::Result<Actions> {
    let CommandConversion { velocity, wheels, speed_factor, ackermann_limits, limits, map_frame } = *reading;
    let map = map_frame.to_owned();
    match kind {
        InputKind::Velocity => match velocity {
            VelocityType::Twist => listen(node, topic, qos, move |message| Ok(from_twist(&message, limits))),
            VelocityType::TwistStamped => {
                listen(node, topic, qos, move |message: TwistStamped| Ok(from_twist(&message.twist, limits)))
            }
        },
        InputKind::Ackermann => {
            listen(node, topic, qos, move |message| Ok(from_ackermann(&message, speed_factor, ackermann_limits)))
        }
        InputKind::SteeringRate => {
            listen(node, topic, qos, move |message| Ok(from_steering_rate(&message, speed_factor)))
        }
        InputKind::WheelSpeeds => {
            listen(node, topic, qos, move |message: Float64MultiArray| from_wheel_speeds(&message.data, wheels))
        }
        InputKind::Pedals => listen(node, topic, qos, |message| from_pedals(&message)),
        InputKind::Spin(wheel) => listen(node, topic, qos, move |message: Float64| {
            let mut targets = WheelTargets::default();
            targets.spin[wheel] = Some(message.data);
            Ok(Action::Wheels(targets))
        }),
        InputKind::Hinge(side) => listen(node, topic, qos, move |message: Float64| {
            let mut targets = WheelTargets::default();
            targets.hinge[side] = Some(message.data);
            Ok(Action::Wheels(targets))
        }),
        InputKind::Keyboard => listen(node, topic, qos, |message| Ok(from_keyboard(&message))),
        InputKind::EstimatedPose => listen(node, topic, qos, move |message: PoseWithCovarianceStamped| {
            from_pose((&message.header.frame_id, &map), &message.pose.pose)
        }),
        InputKind::Pose => listen(node, topic, qos, move |message: PoseStamped| {
            from_pose((&message.header.frame_id, &map), &message.pose)
        }),
        InputKind::Motor(what) => listen(node, topic, qos, move |message: Float64| Ok(from_motor(what, message.data))),
        // Stops all vehicles and commands none.
        InputKind::Pause => Ok(futures::stream::pending().boxed()),
    }
}

/// Subscribes to a topic whose messages `read` turns into actions.
fn listen<M: WrappedTypesupport + Send + 'static>(
    node: &mut Node,
    topic: &str,
    qos: QosProfile,
    read: impl Fn(M) -> Result<Action, String> + Send + 'static,
) -> r2r::Result<Actions> {
    Ok(node.subscribe::<M>(topic, qos)?.map(read).boxed())
}

fn from_twist(message: &Twist, limits: Option<[f64; 2]>) -> Action {
    let mut twist = typed_messages::planar_twist(message);
    if let Some([speed, turn]) = limits {
        twist.vx = twist.vx.clamp(-speed, speed);
        twist.vy = twist.vy.clamp(-speed, speed);
        twist.wz = twist.wz.clamp(-turn, turn);
    }
    Action::Twist(twist)
}

/// The command of a key: f1tenth_gym_ros steers by 0.3 rad towards the side of the yaw rate, whatever its size.
fn from_keyboard(message: &Twist) -> Action {
    let turn = message.angular.z;
    let steering_angle = if turn == 0.0 { 0.0 } else { KEYBOARD_STEERING.copysign(turn) };
    Action::Ackermann { speed: message.linear.x, steering_angle }
}

/// A teleport to a pose in `frame`, which has to be `map`, the frame of the map; poses in other frames would need a lookup of transforms.
fn from_pose((frame, map): (&str, &str), pose: &Pose) -> Result<Action, String> {
    if frame != map && !frame.is_empty() {
        return Err(format!("a pose in the frame \"{frame}\"\n  accepted: {map}"));
    }
    let orientation = &pose.orientation;
    if [orientation.x, orientation.y, orientation.z, orientation.w] == [0.0; 4] {
        return Err("a pose with no orientation\n  accepted: a quaternion of length 1".to_owned());
    }
    Ok(Action::Teleport(typed_messages::planar_pose(pose)))
}

/// The set-point that a topic of the motor controller gives; the other one stays.
fn from_motor(what: Motor, value: f64) -> Action {
    let (speed, steering_angle) = match what {
        Motor::Speed => (Some(vesc::speed(value)), None),
        Motor::DutyCycle => (Some(vesc::speed(value.clamp(-1.0, 1.0) * vesc::SPEED_LIMIT)), None),
        Motor::Brake => (Some(0.0), None),
        Motor::Servo => (None, Some(vesc::steering_angle(value))),
    };
    Action::Setpoints { speed, steering_angle }
}

/// The action of an Ackermann command whose speed is multiplied by `factor` [-]. With `limits`, its acceleration and steering rate bound
/// how fast set-points change, unless they are zero.
pub fn from_ackermann(message: &AckermannDriveStamped, factor: f64, limits: bool) -> Action {
    let drive = &message.drive;
    let (speed, steering_angle) = (factor * f64::from(drive.speed), f64::from(drive.steering_angle));
    let (acceleration, steering_rate) = (f64::from(drive.acceleration), f64::from(drive.steering_angle_velocity));
    if limits && (acceleration != 0.0 || steering_rate != 0.0) {
        let limits = RateLimits { acceleration: factor * acceleration, steering_rate };
        return Action::LimitedAckermann { speed, steering_angle, limits };
    }
    Action::Ackermann { speed, steering_angle }
}

/// The action of an Ackermann command that sets the steering rate, not the angle; its speed is multiplied by `factor` [-].
fn from_steering_rate(message: &AckermannDriveStamped, factor: f64) -> Action {
    let drive = &message.drive;
    Action::SteeringRate {
        speed: factor * f64::from(drive.speed),
        steering_rate: f64::from(drive.steering_angle_velocity),
    }
}

/// The action of an array of wheel speeds [rad/s].
fn from_wheel_speeds(speeds: &[f64], wheels: WheelSpeedOrder) -> Result<Action, String> {
    match (wheels, speeds) {
        (WheelSpeedOrder::Sides, &[left, right]) => Ok(Action::SideSpins([left, right])),
        (WheelSpeedOrder::Each, &[a, b, c, d]) => {
            let spin = [a, b, c, d].map(Some);
            Ok(Action::Wheels(WheelTargets { spin, ..WheelTargets::default() }))
        }
        (WheelSpeedOrder::Sides, _) => {
            Err("an array of another length\n  accepted: 2 speeds, left and right".to_owned())
        }
        (WheelSpeedOrder::Each, _) => {
            Err("an array of another length\n  accepted: 4 speeds, rear left, rear right, front left, \
                                  front right"
                .to_owned())
        }
    }
}

fn from_pedals(message: &PedalsMessage) -> Result<Action, String> {
    let Some(gear) = message::Pedals::gear_of(message.gear) else {
        return Err(format!("no such gear: {}\n  accepted: 0 (DRIVE), 1 (NEUTRAL), -1 (REVERSE)", message.gear));
    };
    let pedals = Pedals { throttle: message.throttle, brake: message.brake, gear };
    Ok(Action::Pedals { pedals, steering_angle: message.steering_angle })
}

/// A command as text for display.
pub fn show(action: &Action) -> String {
    match action {
        Action::Twist(twist) => format!("linear.x {}, linear.y {}, angular.z {}", twist.vx, twist.vy, twist.wz),
        Action::Ackermann { speed, steering_angle } => format!("speed {speed}, steering_angle {steering_angle}"),
        Action::Setpoints { speed, steering_angle } => {
            let named = [("speed", speed), ("steering_angle", steering_angle)];
            let given = named.iter().filter_map(|(name, value)| value.map(|value| format!("{name} {value}")));
            given.collect::<Vec<_>>().join(", ")
        }
        Action::LimitedAckermann { speed, steering_angle, limits } => format!(
            "speed {speed}, steering_angle {steering_angle}, acceleration {}, steering_angle_velocity {}",
            limits.acceleration, limits.steering_rate
        ),
        Action::SteeringRate { speed, steering_rate } => {
            format!("speed {speed}, steering_angle_velocity {steering_rate}")
        }
        Action::SideSpins([left, right]) => format!("left {left}, right {right}"),
        Action::Pedals { pedals, steering_angle } => {
            format!("throttle {}, brake {}, steering_angle {steering_angle}", pedals.throttle, pedals.brake)
        }
        Action::Wheels(targets) => format!("{targets:?}"),
        Action::Teleport(pose) => format!("x {}, y {}, yaw {}", pose.x, pose.y, pose.yaw),
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Twist2;
    use skidpad_sim::vehicle::GearLever;

    use super::*;

    #[test]
    fn the_subscription_follows_the_type_that_publishers_offer() {
        use VelocityType::*;
        assert_eq!(Twist.follow(&[]), Twist);
        assert_eq!(Twist.follow(&[TwistStamped.name()]), TwistStamped);
        assert_eq!(TwistStamped.follow(&[Twist.name()]), Twist);
        assert_eq!(TwistStamped.follow(&[Twist.name(), TwistStamped.name()]), TwistStamped);
        assert_eq!(Twist.follow(&["geometry_msgs/msg/Pose"]), Twist);
    }

    fn fault(action: &Action) -> Option<String> {
        action.fault().map(|fault| fault.to_string())
    }

    #[test]
    fn implausible_commands_are_refused() {
        let twist = |vx, wz| Action::Twist(Twist2::new(vx, 0.0, wz));
        assert_eq!(fault(&twist(-1e6, 1e6)), None);
        assert_eq!(fault(&twist(0.0, -1e308)).as_deref(), Some("beyond 1000000"));
        assert_eq!(fault(&twist(f64::NAN, 0.0)).as_deref(), Some("not finite"));
        assert_eq!(fault(&twist(f64::INFINITY, 0.0)).as_deref(), Some("not finite"));
        let steer = Action::Ackermann { speed: -1e7, steering_angle: 0.0 };
        assert_eq!(fault(&steer).as_deref(), Some("beyond 1000000"));
        let press = |throttle, brake| Action::Pedals {
            pedals: Pedals { throttle, brake, ..Pedals::default() },
            steering_angle: 0.0,
        };
        assert_eq!(fault(&press(1.0, 0.0)), None);
        assert_eq!(fault(&press(1.1, 0.0)).as_deref(), Some("throttle out of 0 to 1"));
        assert_eq!(fault(&press(0.0, -0.5)).as_deref(), Some("brake out of 0 to 1"));
        assert_eq!(fault(&press(0.0, f64::NAN)).as_deref(), Some("not finite"));
    }

    #[test]
    fn keys_steer_fully_and_limits_hold_velocities() {
        let mut twist = Twist::default();
        (twist.linear.x, twist.angular.z) = (2.0, -0.01);
        assert_eq!(from_keyboard(&twist), Action::Ackermann { speed: 2.0, steering_angle: -0.3 });
        twist.angular.z = 0.0;
        assert_eq!(from_keyboard(&twist), Action::Ackermann { speed: 2.0, steering_angle: 0.0 });
        twist.angular.z = 9.0;
        twist.linear.y = -3.0;
        assert_eq!(from_twist(&twist, Some([0.46, 1.9])), Action::Twist(Twist2::new(0.46, -0.46, 1.9)));
        assert_eq!(from_twist(&twist, None), Action::Twist(Twist2::new(2.0, -3.0, 9.0)));
    }

    #[test]
    fn rates_of_ackermann_messages_are_limits_only_on_request() {
        let mut message = AckermannDriveStamped::default();
        (message.drive.speed, message.drive.steering_angle) = (2.0, 0.25);
        let plain = Action::Ackermann { speed: 1.0, steering_angle: 0.25 };
        assert_eq!(from_ackermann(&message, 0.5, true), plain);
        (message.drive.acceleration, message.drive.steering_angle_velocity) = (3.0, 0.5);
        assert_eq!(from_ackermann(&message, 0.5, false), plain);
        let limits = RateLimits { acceleration: 1.5, steering_rate: 0.5 };
        let limited = Action::LimitedAckermann { speed: 1.0, steering_angle: 0.25, limits };
        assert_eq!(from_ackermann(&message, 0.5, true), limited);
        message.drive.acceleration = -1.0;
        assert_eq!(fault(&from_ackermann(&message, 1.0, true)).as_deref(), Some("acceleration below 0"));
        let rate = Action::SteeringRate { speed: 2.0, steering_rate: 0.5 };
        assert_eq!(from_steering_rate(&message, 1.0), rate);
    }

    #[test]
    fn arrays_of_wheel_speeds_have_a_number_for_each_side_or_each_wheel() {
        assert_eq!(from_wheel_speeds(&[1.0, -2.0], WheelSpeedOrder::Sides), Ok(Action::SideSpins([1.0, -2.0])));
        let Ok(Action::Wheels(targets)) = from_wheel_speeds(&[1.0, 2.0, 3.0, 4.0], WheelSpeedOrder::Each) else {
            panic!()
        };
        assert_eq!((targets.spin, targets.hinge), ([1.0, 2.0, 3.0, 4.0].map(Some), [None; 2]));
        for (wheels, accepted) in [(WheelSpeedOrder::Sides, "2 speeds"), (WheelSpeedOrder::Each, "4 speeds")] {
            let refused = from_wheel_speeds(&[1.0; 3], wheels).unwrap_err();
            assert!(refused.starts_with(&format!("an array of another length\n  accepted: {accepted}")), "{refused}");
        }
    }

    #[test]
    fn each_topic_of_a_motor_gives_its_own_set_point() {
        let Action::Setpoints { speed: Some(speed), steering_angle: None } = from_motor(Motor::Speed, 9228.0) else {
            panic!()
        };
        assert!((speed - 2.0).abs() < 1e-9);
        let servo = from_motor(Motor::Servo, vesc::servo(0.1));
        let Action::Setpoints { speed: None, steering_angle: Some(angle) } = servo else { panic!() };
        assert!((angle - 0.1).abs() < 1e-9);
        assert_eq!(from_motor(Motor::Brake, 3.0), Action::Setpoints { speed: Some(0.0), steering_angle: None });
        assert_eq!(fault(&from_motor(Motor::Speed, f64::NAN)).as_deref(), Some("not finite"));
    }

    #[test]
    fn poses_are_accepted_in_the_map_frame_only() {
        let mut pose = Pose::default();
        pose.position.x = 1.0;
        assert!(from_pose(("map", "map"), &pose).is_ok());
        assert_eq!(from_pose(("odom", "map"), &pose).unwrap_err(), "a pose in the frame \"odom\"\n  accepted: map");
        assert!(from_pose(("world", "world"), &pose).is_ok());
        assert_eq!(from_pose(("map", "world"), &pose).unwrap_err(), "a pose in the frame \"map\"\n  accepted: world");
        pose.orientation.w = 0.0;
        assert!(from_pose(("map", "map"), &pose).is_err());
    }

    #[test]
    fn the_gear_lever_has_three_positions() {
        let gear = |gear| from_pedals(&PedalsMessage { throttle: 0.5, gear, ..PedalsMessage::default() });
        for (number, lever) in [(0, GearLever::Drive), (1, GearLever::Neutral), (-1, GearLever::Reverse)] {
            let pedals = Pedals { throttle: 0.5, brake: 0.0, gear: lever };
            assert_eq!(gear(number), Ok(Action::Pedals { pedals, steering_angle: 0.0 }));
        }
        let message = "no such gear: 2\n  accepted: 0 (DRIVE), 1 (NEUTRAL), -1 (REVERSE)";
        assert_eq!(gear(2), Err(message.to_owned()));
    }

    #[test]
    fn distributions_before_kilted_start_with_twist() {
        assert_eq!(VelocityType::of_distro("humble"), VelocityType::Twist);
        assert_eq!(VelocityType::of_distro("jazzy"), VelocityType::Twist);
        assert_eq!(VelocityType::of_distro("lyrical"), VelocityType::TwistStamped);
        assert_eq!(VelocityType::of_distro("rolling"), VelocityType::TwistStamped);
    }
}
