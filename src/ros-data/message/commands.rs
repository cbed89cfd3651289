//! The commands of vehicles as messages. Each [`InputKind`] has its message type, what it does, which controllers take it, and the
//! conversions from a message to a command and back; node, recordings and the manual follow.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::legible::name;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2};
use skidpad_sim::vehicle::{Accepts, Action, Pedals as PedalPositions, RateLimits, WheelTargets};

use super::autoware_desk::{AutowareInput, ControlTaking, SharedDesk};
use super::joint_intake::JointIntake;
use super::{
    AckermannDrive, AckermannDriveStamped, AnyMessage, Bool, CdrError, Float64, Float64MultiArray, JointState, Kind,
    Message, Pedals, Pose, PoseStamped, PoseWithCovarianceStamped, Quaternion, Twist, TwistStamped, cdr, fill,
};
use crate::interface::joint_ports::JointPorts;
use crate::preset::vesc;

/// Steering angle of a keyboard command [rad].
const KEYBOARD_STEERING: f64 = 0.3;

/// Kinds of command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// `geometry_msgs/msg/Twist` or `TwistStamped`.
    Velocity,
    /// `ackermann_msgs/msg/AckermannDriveStamped`.
    Ackermann,
    /// `ackermann_msgs/msg/AckermannDriveStamped`: speed, and rate of the steering angle.
    SteeringRate,
    /// `std_msgs/msg/Float64MultiArray`: speeds of the wheels [rad/s].
    WheelSpeeds,
    /// `skidpad/msg/Pedals`.
    Pedals,
    /// `std_msgs/msg/Float64`: spin of the wheel with this index [rad/s].
    Spin(usize),
    /// `std_msgs/msg/Float64`: torque of the motor of the wheel with this index [N·m]. Only recordings have it.
    Torque(usize),
    /// `std_msgs/msg/Float64`: angle of the left (0) or right (1) front wheel [rad].
    Hinge(usize),
    /// `sensor_msgs/msg/JointState`: spins and torques of wheels and angles of steering joints, by the names of the joints.
    Joints,
    /// `geometry_msgs/msg/Twist` of a keyboard: speed, and full steering of 0.3 rad by the sign of the yaw rate.
    Keyboard,
    /// `geometry_msgs/msg/PoseWithCovarianceStamped`: place the vehicle there at rest.
    EstimatedPose,
    /// `geometry_msgs/msg/PoseStamped`: place the vehicle there at rest.
    Pose,
    /// `std_msgs/msg/Bool`: pause the simulation (true) or continue.
    Pause,
    /// `geometry_msgs/msg/TwistStamped`: place the vehicle at its last pose, with this speed.
    InitialTwist,
    /// `std_msgs/msg/Float64`: a command to the motor controller.
    Motor(Motor),
    /// A message of Autoware's, of which several make a command.
    Autoware(AutowareInput),
}

/// Commands to the motor controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motor {
    /// Electrical speed of the motor [1/min].
    Speed,
    /// Share of the supply's voltage, -1 to 1.
    DutyCycle,
    /// Braking current [A].
    Brake,
    /// Position of the steering servo, 0 to 1.
    Servo,
}

/// The wheels that an array of speeds applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WheelSpeedOrder {
    /// The left and the right ones.
    Sides,
    /// All of this many; of four: rear left, rear right, front left, front right.
    Each(usize),
}

/// How messages are read as commands.
#[derive(Clone, Debug)]
pub struct CommandReading {
    /// The wheels that arrays of speeds apply to.
    pub wheels: WheelSpeedOrder,
    /// Factor of the speeds of Ackermann commands [-].
    pub speed_factor: f64,
    /// Whether acceleration and steering rate of Ackermann commands count as limits.
    pub ackermann_limits: bool,
    /// Largest speed [m/s] and yaw rate [rad/s] of velocity commands; none: no limit.
    pub velocity_limits: Option<[f64; 2]>,
    /// The frame of the map.
    pub map_frame: String,
    /// The joints that can be commanded by their names.
    pub joints: JointPorts,
    /// What Autoware has commanded, and how the vehicle takes it.
    pub desk: (SharedDesk, ControlTaking),
}

impl InputKind {
    /// The type of its messages. Velocities may be stamped, too: [`TwistStamped`].
    pub fn message(self) -> Kind {
        match self {
            InputKind::Velocity | InputKind::Keyboard => Kind::of::<Twist>(),
            InputKind::Ackermann | InputKind::SteeringRate => Kind::of::<AckermannDriveStamped>(),
            InputKind::WheelSpeeds => Kind::of::<Float64MultiArray>(),
            InputKind::Pedals => Kind::of::<Pedals>(),
            InputKind::Spin(_) | InputKind::Torque(_) | InputKind::Hinge(_) | InputKind::Motor(_) => {
                Kind::of::<Float64>()
            }
            InputKind::Joints => Kind::of::<JointState>(),
            InputKind::EstimatedPose => Kind::of::<PoseWithCovarianceStamped>(),
            InputKind::Pose => Kind::of::<PoseStamped>(),
            InputKind::Pause => Kind::of::<Bool>(),
            InputKind::InitialTwist => Kind::of::<TwistStamped>(),
            InputKind::Autoware(input) => input.message(),
        }
    }

    /// What its messages do, for the manual.
    pub fn effect(self) -> String {
        match self {
            InputKind::Velocity => "velocity of the body".to_owned(),
            InputKind::Keyboard => format!("speed; steers by {KEYBOARD_STEERING} rad to the side of `angular.z`"),
            InputKind::Ackermann => "speed and steering angle".into(),
            InputKind::SteeringRate => "speed, and `steering_angle_velocity` until the lock".into(),
            InputKind::WheelSpeeds => {
                "left and right, or of each wheel of a vehicle that drives each alone [rad/s]".into()
            }
            InputKind::Pedals => "throttle, brake, steering angle".into(),
            InputKind::Spin(wheel) => format!("spin of wheel {wheel} [rad/s]"),
            InputKind::Torque(wheel) => format!("torque of wheel {wheel} [N·m]"),
            InputKind::Joints => {
                "speeds and torques of wheels, angles of steering joints, by the names of the joints".into()
            }
            InputKind::Hinge(side) => {
                format!("angle of the {} front wheel [rad]", if side == 0 { "left" } else { "right" })
            }
            InputKind::EstimatedPose | InputKind::Pose => "puts it there, at rest".into(),
            InputKind::Pause => "true stops the simulation, false lets it go on".into(),
            InputKind::InitialTwist => "puts it at its last pose, with the speed `linear.x`".into(),
            InputKind::Motor(Motor::Speed) => "electrical speed of the motor [1/min]".into(),
            InputKind::Motor(Motor::DutyCycle) => "the same, as a share of the greatest".into(),
            InputKind::Motor(Motor::Brake) => "any current brakes to a stand".into(),
            InputKind::Motor(Motor::Servo) => "position of the steering servo, 0 to 1".into(),
            InputKind::Autoware(input) => input.effect().into(),
        }
    }

    /// Whether a vehicle takes its commands.
    pub fn is_accepted(self, accepts: &Accepts) -> bool {
        match self {
            InputKind::Velocity => accepts.twist,
            InputKind::Ackermann | InputKind::SteeringRate | InputKind::Keyboard | InputKind::Motor(_) => {
                accepts.ackermann
            }
            InputKind::WheelSpeeds => accepts.wheels || accepts.side_spins,
            InputKind::Pedals => accepts.pedals,
            InputKind::Spin(_) | InputKind::Hinge(_) => accepts.wheels,
            InputKind::Torque(_) => accepts.wheel_torques,
            InputKind::Joints => JointPorts::are_taken(accepts),
            InputKind::EstimatedPose | InputKind::Pose => true,
            InputKind::Autoware(_) => AutowareInput::is_accepted(accepts),
            // It concerns all vehicles, not one; a state is no command.
            InputKind::Pause | InputKind::InitialTwist => false,
        }
    }

    /// The command in a message of this kind's type. A velocity may be stamped instead.
    ///
    /// # Errors
    /// Bytes that are not a message of this type, or a message that is not a command: what was found, and what is accepted.
    pub fn read(self, bytes: &[u8], is_stamped: bool, reading: &CommandReading) -> Result<Action, Diagnostic> {
        let &CommandReading { wheels, speed_factor, ackermann_limits, velocity_limits, .. } = reading;
        let map = &reading.map_frame;
        let number = || message(bytes).map(|Float64 { data }| data);
        Ok(match self {
            InputKind::Velocity if is_stamped => velocity(&message::<TwistStamped>(bytes)?.twist, velocity_limits),
            InputKind::Velocity => velocity(&message(bytes)?, velocity_limits),
            InputKind::Keyboard => key(&message(bytes)?),
            InputKind::Ackermann => {
                ackermann(&message::<AckermannDriveStamped>(bytes)?.drive, speed_factor, ackermann_limits)
            }
            InputKind::SteeringRate => steering_rate(&message::<AckermannDriveStamped>(bytes)?.drive, speed_factor),
            InputKind::WheelSpeeds => wheel_speeds(&message::<Float64MultiArray>(bytes)?.data, wheels)?,
            InputKind::Pedals => pedals(&message(bytes)?)?,
            InputKind::Spin(wheel) => {
                let mut targets = WheelTargets::default();
                targets.spin[wheel] = Some(number()?);
                Action::Wheels(targets)
            }
            InputKind::Torque(wheel) => {
                let mut targets = WheelTargets::default();
                targets.torque[wheel] = Some(number()?);
                Action::Wheels(targets)
            }
            InputKind::Joints => JointIntake::new(reading.joints.clone()).read(bytes).command()?,
            InputKind::Hinge(side) => {
                let mut targets = WheelTargets::default();
                targets.hinge[side] = Some(number()?);
                Action::Wheels(targets)
            }
            InputKind::EstimatedPose => {
                let PoseWithCovarianceStamped { header, pose } = message(bytes)?;
                teleport(&header.frame_id, map, &pose.pose)?
            }
            InputKind::Pose => {
                let PoseStamped { header, pose } = message(bytes)?;
                teleport(&header.frame_id, map, &pose)?
            }
            InputKind::Motor(input) => motor(input, number()?),
            InputKind::Autoware(input) => {
                let (desk, taking) = &reading.desk;
                let action = desk.take(input, bytes, *taking)?;
                action.ok_or_else(|| Diagnostic::of("nothing that changes the command of the vehicle"))?
            }
            InputKind::Pause => return Err(Diagnostic::of("a pause, which commands no vehicle")),
            InputKind::InitialTwist => return Err(Diagnostic::of("a state, which commands nothing")),
        })
    }

    /// The inputs whose commands are recorded.
    pub fn recorded() -> impl Iterator<Item = InputKind> {
        let wheels = (0..4).map(InputKind::Spin).chain((0..4).map(InputKind::Torque));
        let wheels = wheels.chain((0..2).map(InputKind::Hinge));
        let other_inputs = [
            InputKind::Velocity,
            InputKind::Ackermann,
            InputKind::SteeringRate,
            InputKind::WheelSpeeds,
            InputKind::Pedals,
            InputKind::Pose,
        ];
        other_inputs.into_iter().chain(wheels)
    }
}

/// Gives the messages of a command to `send`, each with the input that it is for: of a command at `time` to the vehicle with the first
/// of these frames, on the map with the second.
///
/// # Errors
/// The first error of `send`.
pub fn each_message<E>(
    action: &Action,
    time: SimTime,
    vehicle_frame: &str,
    map_frame: &str,
    mut send: impl FnMut(InputKind, &dyn AnyMessage) -> Result<(), E>,
) -> Result<(), E> {
    match action {
        Action::Twist(twist) => send(InputKind::Velocity, &fill::twist(*twist)),
        Action::Ackermann { speed, steering_angle } => {
            send(InputKind::Ackermann, &fill::ackermann(time, vehicle_frame, *speed, *steering_angle))
        }
        Action::LimitedAckermann { speed, steering_angle, limits } => {
            let mut message = fill::ackermann(time, vehicle_frame, *speed, *steering_angle);
            message.drive.acceleration = limits.acceleration as f32;
            message.drive.steering_angle_velocity = limits.steering_rate as f32;
            send(InputKind::Ackermann, &message)
        }
        // A vehicle completes them to the command above.
        Action::Setpoints { .. } => Ok(()),
        Action::SteeringRate { speed, steering_rate } => {
            let mut message = fill::ackermann(time, vehicle_frame, *speed, 0.0);
            message.drive.steering_angle_velocity = *steering_rate as f32;
            send(InputKind::SteeringRate, &message)
        }
        Action::SideSpins(spins) => {
            let message = Float64MultiArray { data: spins.to_vec(), ..Float64MultiArray::default() };
            send(InputKind::WheelSpeeds, &message)
        }
        Action::Pedals { pedals, steering_angle } => {
            send(InputKind::Pedals, &fill::pedals(time, vehicle_frame, pedals, *steering_angle))
        }
        Action::Wheels(targets) => {
            let spins = targets.spin.iter().enumerate().map(|(wheel, spin)| (InputKind::Spin(wheel), spin));
            let hinges = targets.hinge.iter().enumerate().map(|(side, angle)| (InputKind::Hinge(side), angle));
            let torques = targets.torque.iter().enumerate().map(|(wheel, torque)| (InputKind::Torque(wheel), torque));
            for (input, value) in spins.chain(torques).chain(hinges) {
                if let Some(data) = *value {
                    send(input, &Float64 { data })?;
                }
            }
            Ok(())
        }
        Action::Teleport(pose) => {
            let pose = fill::pose(Pose3::from_planar(*pose));
            send(InputKind::Pose, &PoseStamped { header: fill::header(time, map_frame), pose })
        }
    }
}

/// A command in words, with the names that its messages have.
pub fn in_words(action: &Action) -> String {
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

/// The message in these bytes.
pub(super) fn message<M: Message + serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<M, Diagnostic> {
    cdr::read(bytes).map_err(|error: CdrError| Diagnostic::of(error.to_string()).accepted(M::TYPE))
}

fn velocity(message: &Twist, limits: Option<[f64; 2]>) -> Action {
    let mut twist = Twist2::new(message.linear.x, message.linear.y, message.angular.z);
    if let Some([speed, turn]) = limits {
        twist.vx = twist.vx.clamp(-speed, speed);
        twist.vy = twist.vy.clamp(-speed, speed);
        twist.wz = twist.wz.clamp(-turn, turn);
    }
    Action::Twist(twist)
}

/// The command of a key: f1tenth_gym_ros steers by 0.3 rad towards the side of the yaw rate, whatever its size.
fn key(message: &Twist) -> Action {
    let turn = message.angular.z;
    let steering_angle = if turn == 0.0 { 0.0 } else { KEYBOARD_STEERING.copysign(turn) };
    Action::Ackermann { speed: message.linear.x, steering_angle }
}

/// The command whose speed is multiplied by `factor` [-]. With `limits`, its acceleration and steering rate bound how fast set-points
/// change, unless they are zero.
fn ackermann(drive: &AckermannDrive, factor: f64, limits: bool) -> Action {
    let (speed, steering_angle) = (factor * f64::from(drive.speed), f64::from(drive.steering_angle));
    let (acceleration, steering_rate) = (f64::from(drive.acceleration), f64::from(drive.steering_angle_velocity));
    if limits && (acceleration != 0.0 || steering_rate != 0.0) {
        let limits = RateLimits { acceleration: factor * acceleration, steering_rate };
        return Action::LimitedAckermann { speed, steering_angle, limits };
    }
    Action::Ackermann { speed, steering_angle }
}

/// The command that sets the steering rate, not the angle; its speed is multiplied by `factor` [-].
fn steering_rate(drive: &AckermannDrive, factor: f64) -> Action {
    Action::SteeringRate {
        speed: factor * f64::from(drive.speed),
        steering_rate: f64::from(drive.steering_angle_velocity),
    }
}

/// The command of an array of wheel speeds [rad/s].
fn wheel_speeds(speeds: &[f64], wheels: WheelSpeedOrder) -> Result<Action, Diagnostic> {
    match (wheels, speeds) {
        (WheelSpeedOrder::Sides, &[left, right]) => Ok(Action::SideSpins([left, right])),
        (WheelSpeedOrder::Each(count), speeds) if speeds.len() == count => {
            let spin = std::array::from_fn(|wheel| speeds.get(wheel).copied());
            Ok(Action::Wheels(WheelTargets { spin, ..WheelTargets::default() }))
        }
        (WheelSpeedOrder::Sides, _) => {
            Err(Diagnostic::of("an array of another length").accepted("2 speeds, left and right"))
        }
        (WheelSpeedOrder::Each(4), _) => Err(Diagnostic::of("an array of another length")
            .accepted("4 speeds, rear left, rear right, front left, front right")),
        (WheelSpeedOrder::Each(count), _) => {
            Err(Diagnostic::of("an array of another length").accepted(format!("{count} speeds, one of each wheel")))
        }
    }
}

fn pedals(message: &Pedals) -> Result<Action, Diagnostic> {
    let Some(gear) = Pedals::gear_of(message.gear) else {
        let found = format!("no such gear: {}", message.gear);
        return Err(Diagnostic::of(found).accepted("0 (DRIVE), 1 (NEUTRAL), -1 (REVERSE)"));
    };
    let pedals = PedalPositions { throttle: message.throttle, brake: message.brake, gear };
    Ok(Action::Pedals { pedals, steering_angle: message.steering_angle })
}

/// A teleport to a pose in `frame`, which has to be `map`, the frame of the map; poses in other frames would need a lookup of transforms.
fn teleport(frame: &str, map: &str, pose: &Pose) -> Result<Action, Diagnostic> {
    if frame != map && !frame.is_empty() {
        return Err(Diagnostic::of(format!("a pose in the frame \"{}\"", name(frame))).accepted(map));
    }
    let Quaternion { x, y, z, w } = pose.orientation;
    if [x, y, z, w] == [0.0; 4] {
        return Err(Diagnostic::of("a pose with no orientation").accepted("a quaternion of length 1"));
    }
    Ok(Action::Teleport(Pose2::new(pose.position.x, pose.position.y, pose.orientation.yaw())))
}

/// The set-point that a topic of the motor controller gives; the other one stays.
fn motor(input: Motor, value: f64) -> Action {
    let (speed, steering_angle) = match input {
        Motor::Speed => (Some(vesc::speed(value)), None),
        Motor::DutyCycle => (Some(vesc::speed(value.clamp(-1.0, 1.0) * vesc::SPEED_LIMIT)), None),
        Motor::Brake => (Some(0.0), None),
        Motor::Servo => (None, Some(vesc::steering_angle(value))),
    };
    Action::Setpoints { speed, steering_angle }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::vehicle::{COMMANDS, GearLever};

    use super::*;

    fn reading() -> CommandReading {
        CommandReading {
            wheels: WheelSpeedOrder::Sides,
            speed_factor: 1.0,
            ackermann_limits: true,
            velocity_limits: None,
            map_frame: "map".to_owned(),
            joints: JointPorts::default(),
            desk: (SharedDesk::default(), ControlTaking::Speed),
        }
    }

    fn bytes(message: &dyn AnyMessage) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.append_to(None, &mut bytes).unwrap();
        bytes
    }

    fn fault(action: &Action) -> Option<String> {
        action.fault().map(|fault| fault.to_string())
    }

    /// What is recorded is what would have been heard. Numbers of eighths have no rounding in single precision.
    #[test]
    fn the_messages_of_a_command_stand_for_it() {
        for kind in &COMMANDS {
            let numbers = std::array::from_fn(|place| Some([0.125, 0.5, 1.0][place % 3]));
            let action = (kind.action)(&numbers);
            let mut heard = Vec::new();
            each_message(&action, SimTime::ZERO, "base_link", "map", |input, message| {
                assert!(InputKind::recorded().any(|recorded| recorded == input), "{}", kind.name);
                input.read(&bytes(message), false, &reading()).map(|action| heard.push(action))
            })
            .unwrap();
            if let Action::Wheels(_) = action {
                let mut all = WheelTargets::default();
                for action in &heard {
                    let Action::Wheels(one) = action else { panic!("{action:?}") };
                    all.spin.iter_mut().zip(one.spin).for_each(|(all, one)| *all = all.or(one));
                    all.torque.iter_mut().zip(one.torque).for_each(|(all, one)| *all = all.or(one));
                    all.hinge.iter_mut().zip(one.hinge).for_each(|(all, one)| *all = all.or(one));
                }
                heard = vec![Action::Wheels(all)];
            }
            assert_eq!(heard, [action], "{}", kind.name);
        }
    }

    #[test]
    fn bytes_that_are_not_a_message_are_refused() {
        for input in InputKind::recorded() {
            for bytes in [&[][..], &[0; 3], &[9; 80], &[0, 1, 0, 0, 1]] {
                assert!(input.read(bytes, false, &reading()).is_err(), "{input:?} {bytes:?}");
            }
        }
    }

    #[test]
    fn velocities_may_have_a_stamp() {
        let twist = fill::twist(Twist2::new(1.0, 2.0, 3.0));
        let stamped = TwistStamped { twist, ..TwistStamped::default() };
        let heard = InputKind::Velocity.read(&bytes(&stamped), true, &reading());
        assert_eq!(heard, Ok(Action::Twist(Twist2::new(1.0, 2.0, 3.0))));
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
            pedals: PedalPositions { throttle, brake, ..PedalPositions::default() },
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
        assert_eq!(key(&twist), Action::Ackermann { speed: 2.0, steering_angle: -0.3 });
        twist.angular.z = 0.0;
        assert_eq!(key(&twist), Action::Ackermann { speed: 2.0, steering_angle: 0.0 });
        twist.angular.z = 9.0;
        twist.linear.y = -3.0;
        assert_eq!(velocity(&twist, Some([0.46, 1.9])), Action::Twist(Twist2::new(0.46, -0.46, 1.9)));
        assert_eq!(velocity(&twist, None), Action::Twist(Twist2::new(2.0, -3.0, 9.0)));
    }

    #[test]
    fn rates_of_ackermann_messages_are_limits_only_on_request() {
        let mut drive = AckermannDrive { speed: 2.0, steering_angle: 0.25, ..AckermannDrive::default() };
        let plain = Action::Ackermann { speed: 1.0, steering_angle: 0.25 };
        assert_eq!(ackermann(&drive, 0.5, true), plain);
        (drive.acceleration, drive.steering_angle_velocity) = (3.0, 0.5);
        assert_eq!(ackermann(&drive, 0.5, false), plain);
        let limits = RateLimits { acceleration: 1.5, steering_rate: 0.5 };
        let limited = Action::LimitedAckermann { speed: 1.0, steering_angle: 0.25, limits };
        assert_eq!(ackermann(&drive, 0.5, true), limited);
        drive.acceleration = -1.0;
        assert_eq!(fault(&ackermann(&drive, 1.0, true)).as_deref(), Some("acceleration below 0"));
        let rate = Action::SteeringRate { speed: 2.0, steering_rate: 0.5 };
        assert_eq!(steering_rate(&drive, 1.0), rate);
    }

    #[test]
    fn arrays_of_wheel_speeds_have_a_number_for_each_side_or_each_wheel() {
        assert_eq!(wheel_speeds(&[1.0, -2.0], WheelSpeedOrder::Sides), Ok(Action::SideSpins([1.0, -2.0])));
        let Ok(Action::Wheels(targets)) = wheel_speeds(&[1.0, 2.0, 3.0, 4.0], WheelSpeedOrder::Each(4)) else {
            panic!()
        };
        assert_eq!((targets.spin, targets.hinge), ([1.0, 2.0, 3.0, 4.0].map(Some), [None; 2]));
        for (wheels, accepted) in [(WheelSpeedOrder::Sides, "2 speeds"), (WheelSpeedOrder::Each(4), "4 speeds")] {
            let refused = wheel_speeds(&[1.0; 3], wheels).unwrap_err().to_string();
            assert!(refused.starts_with(&format!("an array of another length\n  accepted: {accepted}")), "{refused}");
        }
    }

    #[test]
    fn each_topic_of_a_motor_gives_its_own_set_point() {
        let Action::Setpoints { speed: Some(speed), steering_angle: None } = motor(Motor::Speed, 9228.0) else {
            panic!()
        };
        assert!((speed - 2.0).abs() < 1e-9);
        let servo = motor(Motor::Servo, vesc::servo(0.1));
        let Action::Setpoints { speed: None, steering_angle: Some(angle) } = servo else { panic!() };
        assert!((angle - 0.1).abs() < 1e-9);
        assert_eq!(motor(Motor::Brake, 3.0), Action::Setpoints { speed: Some(0.0), steering_angle: None });
        assert_eq!(fault(&motor(Motor::Speed, f64::NAN)).as_deref(), Some("not finite"));
    }

    #[test]
    fn poses_are_accepted_in_the_map_frame_only() {
        let mut pose = Pose::default();
        pose.position.x = 1.0;
        pose.orientation.w = 1.0;
        assert!(teleport("map", "map", &pose).is_ok());
        let refused = |frame, map| teleport(frame, map, &pose).unwrap_err().to_string();
        assert_eq!(refused("odom", "map"), "a pose in the frame \"odom\"\n  accepted: map");
        assert!(teleport("world", "world", &pose).is_ok());
        assert_eq!(refused("map", "world"), "a pose in the frame \"map\"\n  accepted: world");
        pose.orientation.w = 0.0;
        assert!(teleport("map", "map", &pose).is_err());
    }

    #[test]
    fn the_gear_lever_has_three_positions() {
        let gear = |gear| pedals(&Pedals { throttle: 0.5, gear, ..Pedals::default() });
        for (number, lever) in [(0, GearLever::Drive), (1, GearLever::Neutral), (-1, GearLever::Reverse)] {
            let pedals = PedalPositions { throttle: 0.5, brake: 0.0, gear: lever };
            assert_eq!(gear(number), Ok(Action::Pedals { pedals, steering_angle: 0.0 }));
        }
        let message = "no such gear: 2\n  accepted: 0 (DRIVE), 1 (NEUTRAL), -1 (REVERSE)";
        assert_eq!(gear(2).unwrap_err().to_string(), message);
    }
}
