//! Controllers: from a command to steering and motor torque.
//!
//! A controller is one file with its manual page on top and a line per drive in [`CONTROLLERS`]. Measured speeds come from
//! the spin of wheels 0 and 1, as on a real robot ([`velocity_from_axle`](super::drive::velocity_from_axle)).

mod differential_pid;
mod ideal;
mod joint_pid;
mod omni_pid;
mod own_wheels;
mod pedals;
mod pid;
mod raw;
mod speed_pedals;
mod steering;
mod steering_pid;
mod tunable;
mod twist_servo;

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::actuation::{Actuation, MAX_MOTORS};
use super::command::{Pedals, WheelTargets};
use super::drive::{DriveKind, Steering};
use super::wheel::Wheel;
use crate::{Accepts, Setpoint};
pub use differential_pid::{DifferentialPid, TwistLimits};
pub use ideal::Ideal;
pub use joint_pid::JointPid;
pub use omni_pid::OmniPid;
pub use pedals::{Motor, PedalsByHand};
pub use pid::{Pid, PidParameters};
pub use raw::Raw;
pub use speed_pedals::SpeedPedals;
pub use steering::SteeredOrder;
pub use steering_pid::SteeredPid;
pub use tunable::Tunable;
pub use twist_servo::TwistServo;

/// Input of a controller at each step.
#[derive(Clone, Copy, Debug)]
pub struct ControlInput<'a> {
    /// The wheels, already steered for this step.
    pub wheels: &'a [Wheel],
    /// Gravity along the ground on the whole vehicle [N], in the body frame; zero on level ground.
    pub gravity_in_body: Vec2,
    /// The centre of mass of the whole vehicle [m], in the body frame, where gravity acts.
    pub center_of_mass: Vec2,
    /// Step [s].
    pub dt: f64,
}

/// Orders to a controller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    Twist(Twist2),
    /// Speed [m/s] and equivalent single-track steering angle [rad].
    Ackermann {
        /// Speed along the body's x axis [m/s].
        speed: f64,
        /// Steering angle [rad].
        steering_angle: f64,
    },
    /// What a velocity means to a vehicle that steers ([`Controller::steered`]), behind its inputs.
    Steered {
        /// Speed of the reference point along the body's x axis [m/s].
        speed: f64,
        /// Steering angle [rad].
        steering_angle: f64,
    },
    /// Throttle, brake and equivalent single-track steering angle [rad].
    Pedals {
        /// The pedals.
        pedals: Pedals,
        /// Steering angle [rad].
        steering_angle: f64,
    },
    /// Individual wheels and hinges.
    Wheels(WheelTargets),
}

/// How the torque of each motor falls as its rims get faster: the proportional part of a controller.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Droop {
    /// Torque per speed of the rim [N·m·s/m], ≥ 0.
    pub gain: f64,
    /// Whether the controller measures the speed of the rims that its motor turns; else that of wheels which roll along.
    pub sees_slip: bool,
    /// Largest torque [N·m], ≥ 0; infinite: no limit.
    pub max_torque: f64,
}

/// From orders to actuation.
pub trait Controller: Send + Sync {
    /// The orders that are accepted.
    fn accepts(&self) -> Accepts;

    /// Takes an order of an accepted kind; ignores others.
    fn order(&mut self, order: Order);

    /// Speed along the body's x axis [m/s] and steering angle [rad] that the controller makes of a velocity command (body frame
    /// [m/s, rad/s]); none: it does not steer.
    fn steered(&self, _velocity_in_body: Twist2) -> Option<[f64; 2]> {
        None
    }

    /// Lets a set-point whose rate is limited start at the velocity that the vehicle has been set to (body frame [m/s, rad/s]).
    fn start_at(&mut self, _velocity_in_body: Twist2) {}

    /// Position of the pedals in force; zero for controllers without pedals.
    fn pedals(&self) -> Pedals {
        Pedals::default()
    }

    /// Share of the fastest spin of the wheels [-] that a motion of the reference point (body frame [m/s, rad/s]) takes; a share
    /// above 1 is cut off. 0 if there is no limit.
    fn speed_demand(&self, _velocity_in_body: Twist2, _wheels: &[Wheel]) -> f64 {
        0.0
    }

    /// Whether the controller can also move a body along its y axis.
    fn moves_sideways(&self) -> bool {
        false
    }

    /// Brings the vehicle to a standstill, with the steering unchanged, after commands have stopped.
    fn stop(&mut self);

    /// Set-point of the equivalent steering angle [rad] for this step.
    fn steering_angle(&self) -> f64 {
        0.0
    }

    /// Whether it turns the left and the right steered wheel individually, by [`hinge_angles`](Controller::hinge_angles);
    /// otherwise both follow the equivalent angle.
    fn turns_hinges(&self) -> bool {
        false
    }

    /// The angles [rad] of the left and the right steered wheel after `dt` [s], for controllers that turn them individually.
    fn hinge_angles(&mut self, _dt: f64) -> [f64; 2] {
        [0.0; 2]
    }

    /// Whether it imposes a velocity ([`Actuation::imposed_velocity`]) at every step.
    fn imposes_velocity(&self) -> bool {
        false
    }

    /// Whether its motors hold the spins of their wheels.
    fn holds_spins(&self) -> bool {
        false
    }

    /// Its speed controllers by wheel or side, which all have the same parameters; none of another controller.
    fn pids(&self) -> &[Pid] {
        &[]
    }

    /// The same, to change.
    fn pids_mut(&mut self) -> &mut [Pid] {
        &mut []
    }

    /// How the torques of its motors fall as their rims get faster.
    fn droop(&self) -> Droop {
        self.pids().first().map_or_else(Droop::default, |pid| pid.droop(true))
    }

    /// Gives torques at the spins before the step, not limited, for a step that lets them [fall](Controller::droop) up to the spins after it;
    /// or not. No gain is too large for such a step.
    fn act_implicitly(&mut self, is_implicit: bool) {
        self.pids_mut().iter_mut().for_each(|pid| pid.act_implicitly(is_implicit));
    }

    /// Steers both wheels by the same angle or not; none: as in the world file.
    fn set_parallel_steer(&mut self, _parallel: Option<bool>) {}

    /// The parameters that can be changed at run time, with their values.
    fn tunables(&self) -> Vec<Tunable> {
        let parameters = self.pids().first().map(Pid::parameters);
        parameters.map_or_else(Vec::new, |parameters| tunable::of_pid(parameters, tunable::NOT_NEGATIVE))
    }

    /// Changes one of [`tunables`](Controller::tunables) to a value within its range; a reset keeps the change. False if there is none
    /// of this name.
    fn tune(&mut self, name: &str, value: f64) -> bool {
        // All have a parameter of this name, or none has.
        self.pids_mut().iter_mut().fold(false, |_, pid| pid.tune(name, value))
    }

    /// Motor torques (or an imposed velocity) for this step. Called after the wheels were steered.
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation;

    /// The set-point, for frames.
    fn setpoint(&self) -> Setpoint;

    /// Back to the orders of the world file, with all memory cleared.
    fn reset(&mut self);
}

/// Builds a controller from its XML block, for a drive with this steering geometry.
pub type ReadController = fn(&Reader<'_>, Option<Steering>) -> Box<dyn Controller>;

/// A line of [`CONTROLLERS`].
pub struct ControllerEntry {
    /// Value of `class` in `<controller class="…">`.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Drives that the controller fits, each with its constructor.
    pub drives: &'static [(DriveKind, ReadController)],
}

impl ControllerEntry {
    /// The constructor for drives of this kind.
    pub fn read_for(&self, kind: DriveKind) -> Option<ReadController> {
        self.drives.iter().find(|(k, _)| *k == kind).map(|(_, read)| *read)
    }
}

/// All controllers by their name in world files.
pub const CONTROLLERS: &[ControllerEntry] = &[
    ControllerEntry {
        name: "raw",
        help: "constant torques and steering angle from the world file",
        drives: &[
            (DriveKind::Differential, raw::read_differential),
            (DriveKind::Ackermann, raw::read_ackermann),
            (DriveKind::AckermannDrivetrain, raw::read_drivetrain),
            (DriveKind::Longitudinal, raw::read_drivetrain),
            (DriveKind::Tracked, raw::read_differential),
            (DriveKind::Tricycle, raw::read_drivetrain),
            (DriveKind::Articulated, raw::read_drivetrain),
            (DriveKind::Omnidirectional, raw::read_omnidirectional),
        ],
    },
    ControllerEntry {
        name: "twist_ideal",
        help: "imposes the commanded velocity, whatever the tyres say",
        drives: &[
            (DriveKind::Differential, ideal::read),
            (DriveKind::Ackermann, ideal::read),
            (DriveKind::AckermannDrivetrain, ideal::read),
            (DriveKind::Model, ideal::read),
            (DriveKind::SteeredModel, ideal::read),
            (DriveKind::Tracked, ideal::read),
            (DriveKind::Tricycle, ideal::read),
            (DriveKind::Omnidirectional, ideal::read),
        ],
    },
    ControllerEntry {
        name: "twist_pid",
        help: "velocity commands, a speed PID for each side, or for each wheel with rollers",
        drives: &[
            (DriveKind::Differential, differential_pid::read),
            (DriveKind::Tracked, differential_pid::read_tracked),
            (DriveKind::Omnidirectional, omni_pid::read),
        ],
    },
    ControllerEntry {
        name: "twist_servo",
        help: "velocity commands, a motor at each wheel that holds its speed, as in Gazebo and ros2_control",
        drives: &[
            (DriveKind::Differential, twist_servo::read_differential),
            (DriveKind::Omnidirectional, twist_servo::read_omnidirectional),
        ],
    },
    ControllerEntry {
        name: "twist_front_steer_pid",
        help: "velocity commands turned into steering, PID on speed",
        drives: &[
            (DriveKind::Ackermann, steering_pid::read_front_wheels_twist),
            (DriveKind::AckermannDrivetrain, steering_pid::read_drivetrain_twist),
            (DriveKind::Tricycle, steering_pid::read_single_front_wheel_twist),
            (DriveKind::Articulated, steering_pid::read_drivetrain_twist),
            (DriveKind::Longitudinal, steering_pid::read_drivetrain_twist),
        ],
    },
    ControllerEntry {
        name: "front_steer_pid",
        help: "speed and steering angle commands, PID on speed",
        drives: &[
            (DriveKind::Ackermann, steering_pid::read_front_wheels_steer),
            (DriveKind::AckermannDrivetrain, steering_pid::read_drivetrain_steer),
            (DriveKind::Tricycle, steering_pid::read_single_front_wheel_steer),
            (DriveKind::Articulated, steering_pid::read_drivetrain_steer),
            (DriveKind::Longitudinal, steering_pid::read_drivetrain_steer),
        ],
    },
    ControllerEntry {
        name: "joint_pid",
        help: "a controller for each wheel and each steering hinge, as in ros_control; takes wheels too",
        drives: &[(DriveKind::Joints, joint_pid::read)],
    },
    ControllerEntry {
        name: "speed_pedals",
        help: "a PID on speed that works the pedals; takes every command",
        drives: &[
            (DriveKind::Ackermann, speed_pedals::read_front_wheels),
            (DriveKind::AckermannDrivetrain, speed_pedals::read_drivetrain),
            (DriveKind::Tricycle, speed_pedals::read_tricycle),
            (DriveKind::Articulated, speed_pedals::read_drivetrain),
            (DriveKind::Longitudinal, speed_pedals::read_drivetrain),
            (DriveKind::AcceleratedModel, speed_pedals::read_drivetrain),
        ],
    },
    ControllerEntry {
        name: "pedals",
        help: "throttle, brake, gear lever and steering, as a driver has them",
        drives: &[
            (DriveKind::Ackermann, pedals::read),
            (DriveKind::AckermannDrivetrain, pedals::read),
            (DriveKind::Tricycle, pedals::read),
            (DriveKind::Articulated, pedals::read),
            (DriveKind::Longitudinal, pedals::read),
            (DriveKind::AcceleratedModel, pedals::read),
        ],
    },
];

/// Thresholds of MVSim's stop logic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopThresholds {
    /// A set-point below this speed [m/s] counts as zero.
    pub zero: f64,
    /// A vehicle below this speed [m/s] that is commanded to stand counts as standing: no torque, memory cleared.
    pub stop: f64,
}

impl Default for StopThresholds {
    fn default() -> StopThresholds {
        StopThresholds { zero: 0.001, stop: 0.05 }
    }
}

impl StopThresholds {
    /// Reads `<zero_threshold>` and `<stop_threshold>` [m/s].
    fn read(reader: &Reader<'_>) -> StopThresholds {
        let default = StopThresholds::default();
        StopThresholds {
            zero: reader.f64("zero_threshold", default.zero, Accept::non_negative()),
            stop: reader.f64("stop_threshold", default.stop, Accept::non_negative()),
        }
    }

    /// [`Actuation::stand_below`] of a vehicle that is commanded to stand, or not.
    ///
    /// On level ground a vehicle coasts out below the stop threshold, as in MVSim, and is held once it is at rest. On a slope,
    /// where it would not come to rest, it is held from the threshold on.
    #[inline]
    fn stand_below(&self, to_stand: bool, input: &ControlInput<'_>) -> Option<f64> {
        to_stand.then_some(if input.gravity_in_body == Vec2::ZERO { AT_REST } else { self.stop.max(AT_REST) })
    }

    /// Runs one PID per motor under the stop logic: no torque at standstill; with a zero set-point only torque against the
    /// motion, and the brakes ready. `driven` is the number of wheels that each get one motor's torque. Speeds in m/s;
    /// unused motors stay at zero torque. Returns motor torques and [`Actuation::stand_below`].
    #[inline]
    fn drive<const N: usize>(
        &self,
        pids: &mut [Pid; N],
        setpoints: [f64; N],
        measured: [f64; N],
        driven: usize,
        input: &ControlInput<'_>,
    ) -> Actuation {
        let to_stand = setpoints.iter().all(|v| v.abs() < self.zero);
        let stand_below = self.stand_below(to_stand, input);
        if to_stand && measured.iter().all(|v| v.abs() < self.stop) {
            pids.iter_mut().for_each(Pid::reset);
            return Actuation { stand_below, ..Actuation::default() };
        }
        let mut motor_torque = [0.0; MAX_MOTORS];
        for i in 0..N {
            let feedforward = feedforward(pids[i].parameters().feedforward, driven, input);
            motor_torque[i] = pids[i].update(setpoints[i], measured[i], feedforward, input.dt);
            if to_stand && motor_torque[i] * measured[i] > 0.0 {
                motor_torque[i] = 0.0;
            }
        }
        Actuation { motor_torque, stand_below, ..Actuation::default() }
    }
}

/// Speed [m/s] below which a vehicle counts as at rest: coasting further would cover less than a tenth of a millimetre.
const AT_REST: f64 = 1e-6;

/// `gain` [-] times the torque [N·m] that each of `driven` wheels needs to hold the vehicle on the slope: m·g·sin(slope)·R/n
/// with the mean radius R; positive when the nose points uphill.
#[inline]
fn feedforward(gain: f64, driven: usize, input: &ControlInput<'_>) -> f64 {
    if gain == 0.0 {
        return 0.0;
    }
    let radius = input.wheels.iter().map(|w| w.parameters.radius).sum::<f64>() / input.wheels.len() as f64;
    -gain * input.gravity_in_body.x * radius / driven as f64
}

#[cfg(test)]
mod tests {
    use skidpad_xml::{Context, Element, Options};

    use super::*;
    use crate::DRIVES;

    /// What moves a vehicle is decided by this when it is loaded, and no step asks again.
    #[test]
    fn controllers_that_impose_a_velocity_say_so_and_others_do_not() {
        let context = Context::new(Options::default());
        let empty = Reader::new(&context, Element::empty());
        let mut imposing = Vec::new();
        for drive in DRIVES {
            let parts = (drive.read)(&empty);
            let wheels: Vec<Wheel> = parts.wheels.into_iter().map(Wheel::new).collect();
            for (entry, read) in CONTROLLERS.iter().filter_map(|entry| Some((entry, entry.read_for(drive.kind)?))) {
                let mut controller = read(&empty, parts.drive.steering());
                let (gravity_in_body, center_of_mass) = (Vec2::ZERO, Vec2::ZERO);
                let input = ControlInput { wheels: &wheels, gravity_in_body, center_of_mass, dt: 0.01 };
                let imposes = controller.update(&input).imposed_velocity.is_some();
                assert_eq!(controller.imposes_velocity(), imposes, "{} on {}", entry.name, drive.name);
                imposing.extend(imposes.then_some(entry.name));
            }
        }
        imposing.dedup();
        assert_eq!(imposing, ["twist_ideal"]);
    }
}
