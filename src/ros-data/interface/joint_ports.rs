//! Joints that can be commanded by their names, as ros2_control's hardware interfaces do: which joint takes what, and the command of the
//! vehicle that follows from the targets of its joints.
//!
//! | The vehicle's controller takes | Wheels | Steering joints |
//! |---|---|---|
//! | single wheels | each wheel has its own spin, and its own torque where its motor gives one | each its own angle |
//! | speed and steering angle | the speed of the vehicle that fits their rims best | the equivalent angle that fits them best |
//! | wheel speeds of both sides | the mean of each side | |
//!
//! The wheels roll without slip in these conversions, as controllers take them to: with the curvature κ = tan δ/l a wheel at (x, y) from the
//! middle of the rear axle rolls at √((1 − κ·y)² + (κ·x)²) times the speed, and a front wheel at the side y is turned by φ with
//! tan φ = l·κ/(1 − κ·y), so that κ = tan φ/(l + y·tan φ) (Ackermann's condition). What the wheels of the vehicle do with the command is up
//! to its mechanics.

use skidpad_sim::vehicle::{Accepts, Action, WheelTargets};
use skidpad_sim::world::{VehicleInfo, WheelInfo};

use super::names::VehicleNames;
use super::rules::{self, Joint};

/// The wheels of a vehicle that have spins and torques of their own.
const MAX_OWN_WHEELS: usize = 4;
/// The wheels before this index are on the rear axle of vehicles that steer.
const REAR_WHEELS: usize = 2;

/// What a joint can be commanded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandInterface {
    /// An angle [rad], of a steering joint.
    Position,
    /// A spin [rad/s], of a wheel.
    Velocity,
    /// A torque [N·m], of a wheel.
    Effort,
}

impl CommandInterface {
    /// Its name in ros2_control.
    pub fn name(self) -> &'static str {
        match self {
            CommandInterface::Position => "position",
            CommandInterface::Velocity => "velocity",
            CommandInterface::Effort => "effort",
        }
    }
}

/// A joint and what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPort {
    /// The joint.
    pub joint: Joint,
    /// What it can be commanded to; empty: nothing, it is only measured.
    pub takes: Vec<CommandInterface>,
    /// Its wheel's centre [m] from the middle of the rear axle.
    position: [f64; 2],
    /// Radius of its wheel [m].
    radius: f64,
}

impl JointPort {
    /// Whether it is a wheel of the rear axle.
    pub(crate) fn is_rear(&self) -> bool {
        !self.joint.steers && self.joint.wheel < REAR_WHEELS
    }
}

/// The last targets of a joint; none: never commanded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointTarget {
    /// Angle [rad].
    pub position: Option<f64>,
    /// Spin [rad/s]; none while a torque is in force.
    pub velocity: Option<f64>,
    /// Torque [N·m]; none while a spin is in force.
    pub effort: Option<f64>,
}

/// How the targets of joints become a command.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Meaning {
    /// Single wheels; whether a motor gives torques.
    Own { torques: bool },
    /// Speed and steering angle; none for `wheelbase`: the vehicle bends, or does not steer by its wheels.
    Steered { wheelbase: Option<f64>, lock: f64 },
    /// Speeds of both sides.
    Sides,
    /// They cannot be commanded.
    #[default]
    Nothing,
}

/// The joints of a vehicle in the order of its joint states.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointPorts {
    ports: Vec<JointPort>,
    meaning: Meaning,
}

impl JointPorts {
    /// Those of a vehicle, with the names of its preset.
    pub fn new(vehicle: &VehicleInfo, names: &VehicleNames) -> JointPorts {
        let Accepts { wheels: takes_wheels, wheel_torques, ackermann, side_spins, .. } = vehicle.accepts;
        let meaning = if takes_wheels {
            Meaning::Own { torques: wheel_torques }
        } else if ackermann {
            let wheelbase = vehicle.wheelbase.filter(|_| vehicle.front.is_none());
            Meaning::Steered { wheelbase, lock: vehicle.max_steer.unwrap_or(0.0) }
        } else if side_spins {
            Meaning::Sides
        } else {
            Meaning::Nothing
        };
        let rear = vehicle.wheels.iter().filter(|wheel| !wheel.steered).map(|wheel| wheel.position.x);
        let rear: Vec<f64> = rear.take(REAR_WHEELS).collect();
        let axle = rear.iter().sum::<f64>() / rear.len().max(1) as f64;
        let has_castor = !vehicle.wheels.len().is_multiple_of(2) && side_spins;
        let port = |joint: Joint| {
            let at = vehicle.wheels.get(joint.wheel);
            let is_castor = has_castor && joint.wheel + 1 == vehicle.wheels.len();
            let takes = if joint.steers {
                let is_taken = match meaning {
                    Meaning::Own { .. } => (REAR_WHEELS..REAR_WHEELS + 2).contains(&joint.wheel),
                    Meaning::Steered { wheelbase, .. } => wheelbase.is_some() != (joint.name == rules::HINGE),
                    Meaning::Sides | Meaning::Nothing => false,
                };
                if is_taken { vec![CommandInterface::Position] } else { Vec::new() }
            } else {
                match meaning {
                    _ if is_castor => Vec::new(),
                    Meaning::Own { .. } if joint.wheel >= MAX_OWN_WHEELS => Vec::new(),
                    Meaning::Own { torques: true } => vec![CommandInterface::Velocity, CommandInterface::Effort],
                    // Behind a hinge the rear frame has the speed that is commanded.
                    Meaning::Steered { wheelbase: None, .. } if joint.wheel >= REAR_WHEELS => Vec::new(),
                    Meaning::Nothing => Vec::new(),
                    Meaning::Own { .. } | Meaning::Steered { .. } | Meaning::Sides => vec![CommandInterface::Velocity],
                }
            };
            let of_wheel = |number: fn(&WheelInfo) -> f64| at.map_or(0.0, number);
            let position = [of_wheel(|wheel| wheel.position.x) - axle, of_wheel(|wheel| wheel.position.y)];
            JointPort { joint, takes, position, radius: of_wheel(|wheel| wheel.radius) }
        };
        JointPorts { ports: rules::joints(vehicle, names.preset.joints).into_iter().map(port).collect(), meaning }
    }

    /// Whether a vehicle that takes these commands has joints to command.
    pub fn are_taken(accepts: &Accepts) -> bool {
        accepts.wheels || accepts.ackermann || accepts.side_spins
    }

    /// The joints, in the order of the joint states.
    pub fn ports(&self) -> &[JointPort] {
        &self.ports
    }

    /// The index of the joint called `name`.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.ports.iter().position(|port| port.joint.name == name)
    }

    /// The command for these last targets, one for each joint; none if nothing has been commanded that moves the vehicle.
    pub fn action(&self, targets: &[JointTarget]) -> Option<Action> {
        let all = || self.ports.iter().zip(targets);
        match self.meaning {
            Meaning::Nothing => None,
            Meaning::Own { torques } => {
                let mut action = WheelTargets::default();
                for (port, target) in all() {
                    if port.joint.steers {
                        let side = port.joint.wheel.checked_sub(REAR_WHEELS);
                        if let Some(hinge) = side.and_then(|side| action.hinge.get_mut(side)) {
                            *hinge = target.position;
                        }
                    } else if port.joint.wheel < MAX_OWN_WHEELS && !port.takes.is_empty() {
                        action.spin[port.joint.wheel] = target.velocity.map(|spin| port.joint.turned(spin));
                        // A motor that nobody has commanded gives no torque.
                        let torque = target
                            .effort
                            .map(|torque| port.joint.turned(torque))
                            .or((torques && target.velocity.is_none()).then_some(0.0));
                        action.torque[port.joint.wheel] = torque;
                    }
                }
                Some(Action::Wheels(action))
            }
            Meaning::Steered { wheelbase, lock } => {
                let angle = mean(all().filter_map(|(port, target)| {
                    let angle = target.position.filter(|_| port.joint.steers)?;
                    Some(
                        wheelbase.map_or(angle, |wheelbase| equivalent_angle(angle, port.position[1], wheelbase, lock)),
                    )
                }));
                let steering_angle = angle.unwrap_or(0.0);
                let curvature =
                    wheelbase.map_or(0.0, |wheelbase| libm::tan(steering_angle.clamp(-lock, lock)) / wheelbase);
                let (mut product, mut square) = (0.0, 0.0);
                for (port, target) in all() {
                    let Some(spin) = target.velocity else { continue };
                    let [x, y] = port.position;
                    let share = libm::hypot(1.0 - curvature * y, curvature * x);
                    product += share * spin * port.radius;
                    square += share * share;
                }
                let speed = if square > 0.0 { product / square } else { 0.0 };
                Some(Action::Ackermann { speed, steering_angle })
            }
            Meaning::Sides => {
                let side = |is_left: bool| {
                    let of_side = all().filter(|(port, _)| (port.position[1] > 0.0) == is_left);
                    mean(of_side.filter_map(|(_, target)| target.velocity)).unwrap_or(0.0)
                };
                Some(Action::SideSpins([side(true), side(false)]))
            }
        }
    }
}

/// The mean; none of nothing.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Angle of the equivalent single track [rad] at which a front wheel at the side `y` [m] is turned by `angle` [rad], at most as far as at the
/// angle `lock` [rad] of the single track: controllers ask for ±π/2 while they stand.
fn equivalent_angle(angle: f64, y: f64, wheelbase: f64, lock: f64) -> f64 {
    let tangent = libm::tan(lock);
    let end = |tangent: f64| libm::atan2(wheelbase * tangent, wheelbase - y * tangent);
    let tangent = libm::tan(angle.clamp(end(-tangent), end(tangent)));
    libm::atan2(wheelbase * tangent, wheelbase + y * tangent)
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;
    use crate::preset::ROS2_CONTROL;

    fn wheel(name: &str, x: f64, y: f64, steered: bool) -> WheelInfo {
        WheelInfo { name: name.into(), position: Vec2::new(x, y), radius: 0.05, steered, ..WheelInfo::default() }
    }

    fn car(accepts: Accepts) -> VehicleInfo {
        let wheels = vec![
            wheel("rl", 0.0, 0.1, false),
            wheel("rr", 0.0, -0.1, false),
            wheel("fl", 0.3, 0.1, true),
            wheel("fr", 0.3, -0.1, true),
        ];
        VehicleInfo { wheels, accepts, wheelbase: Some(0.3), max_steer: Some(0.5), ..VehicleInfo::default() }
    }

    fn ports(vehicle: &VehicleInfo) -> JointPorts {
        JointPorts::new(vehicle, &VehicleNames::new(&ROS2_CONTROL, "r", false, false))
    }

    fn targets(ports: &JointPorts, values: &[(&str, JointTarget)]) -> Vec<JointTarget> {
        let mut targets = vec![JointTarget::default(); ports.ports().len()];
        for (name, target) in values {
            targets[ports.index(name).unwrap()] = *target;
        }
        targets
    }

    fn spin(spin: f64) -> JointTarget {
        JointTarget { velocity: Some(spin), ..JointTarget::default() }
    }

    fn angle(angle: f64) -> JointTarget {
        JointTarget { position: Some(angle), ..JointTarget::default() }
    }

    const ACKERMANN: Accepts =
        Accepts { twist: true, ackermann: true, pedals: false, wheels: false, wheel_torques: false, side_spins: false };

    /// Ackermann's angles and speeds of a turn about (0, r), by the formulas of steering_controllers_library, are that turn again.
    #[test]
    fn the_joints_of_a_turn_are_the_speed_and_the_angle_of_that_turn() {
        let ports = ports(&car(ACKERMANN));
        for r in [0.8_f64, -1.5, 20.0] {
            let turned = |y: f64| angle((0.3 / (r - y)).atan());
            let rolling = |y: f64| spin(0.7 / 0.05 * (1.0 - y / r));
            let all =
                [("rl", rolling(0.1)), ("rr", rolling(-0.1)), ("fl_steer", turned(0.1)), ("fr_steer", turned(-0.1))];
            let Some(Action::Ackermann { speed, steering_angle }) = ports.action(&targets(&ports, &all)) else {
                panic!()
            };
            assert!((speed - 0.7).abs() < 1e-12 && (steering_angle - (0.3 / r).atan()).abs() < 1e-12, "{r}");
            // A driven front wheel rolls as much faster as its way is longer, and tells the same speed alone.
            let front = spin(0.7 / 0.05 * (1.0 - 0.1 / r).hypot(0.3 / r));
            let Some(Action::Ackermann { speed, .. }) =
                ports.action(&targets(&ports, &[("fl", front), ("fl_steer", turned(0.1)), ("fr_steer", turned(-0.1))]))
            else {
                panic!()
            };
            assert!((speed - 0.7).abs() < 1e-12, "{speed}");
        }
    }

    /// A controller that is asked to turn on the spot asks for a right angle.
    #[test]
    fn an_angle_that_no_wheel_has_is_the_lock() {
        let ports = ports(&car(ACKERMANN));
        for requested in [1.6, -1.6] {
            let all = [("fl_steer", angle(requested)), ("fr_steer", angle(requested))];
            let Some(Action::Ackermann { speed, steering_angle }) = ports.action(&targets(&ports, &all)) else {
                panic!()
            };
            assert!(speed == 0.0 && (steering_angle - 0.5_f64.copysign(requested)).abs() < 1e-12, "{steering_angle}");
        }
    }

    #[test]
    fn wheels_without_a_command_of_their_own_run_free() {
        let own = Accepts { wheels: true, wheel_torques: true, ..ACKERMANN };
        let ports = ports(&car(own));
        let torque = JointTarget { effort: Some(0.4), ..JointTarget::default() };
        let actual = ports.action(&targets(&ports, &[("rl", spin(3.0)), ("rr", torque), ("fr_steer", angle(0.2))]));
        let expected = WheelTargets {
            spin: [Some(3.0), None, None, None],
            torque: [None, Some(0.4), Some(0.0), Some(0.0)],
            hinge: [None, Some(0.2)],
        };
        assert_eq!(actual, Some(Action::Wheels(expected)));
    }

    #[test]
    fn sides_have_the_mean_of_their_wheels_and_a_castor_none() {
        let sides = Accepts { twist: true, side_spins: true, ..Accepts::default() };
        let wheels = vec![wheel("l", 0.0, 0.2, false), wheel("r", 0.0, -0.2, false), wheel("castor", 0.3, 0.0, false)];
        let robot = VehicleInfo { wheels, accepts: sides, ..VehicleInfo::default() };
        let ports = ports(&robot);
        assert_eq!(ports.ports().iter().map(|port| port.takes.len()).collect::<Vec<_>>(), [1, 1, 0]);
        assert_eq!(
            ports.action(&targets(&ports, &[("l", spin(2.0)), ("r", spin(-1.0))])),
            Some(Action::SideSpins([2.0, -1.0]))
        );
        let none = self::ports(&VehicleInfo { accepts: Accepts { pedals: true, ..Accepts::default() }, ..robot });
        assert!(none.ports().iter().all(|port| port.takes.is_empty()));
    }
}
