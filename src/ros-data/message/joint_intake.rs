//! Reads `sensor_msgs/msg/JointState` as commands of joints, as joint_state_topic_hardware_interface of ros2_control sends them
//! (ros-controls/topic_based_hardware_interfaces, `joint_state_topic_hardware_interface.cpp`): `name` holds all joints of the hardware, and
//! each array only the values of the joints that have a command interface of its kind, in the order of `name`. An array that is as long as
//! `name` has a value for each. Values that are not finite are of interfaces that no controller has claimed: what was commanded before holds.

use std::collections::BTreeSet;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::legible;
use skidpad_sim::vehicle::Action;

use super::JointState;
use super::commands::message;
use crate::interface::joint_ports::{CommandInterface, JointPort, JointPorts, JointTarget};

/// Most different complaints that are kept, so that a peer with endless names costs no memory.
const MAX_REPORTED: usize = 32;

/// The joints of a vehicle with their last targets.
#[derive(Clone, Debug)]
pub struct JointIntake {
    ports: JointPorts,
    targets: Vec<JointTarget>,
    reported: BTreeSet<String>,
}

/// What a message says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointOrders {
    /// The parts of it that are refused, each once.
    pub refused: Vec<Diagnostic>,
    /// The command that follows from the rest and from what holds; none if nothing in it is a command.
    pub action: Option<Action>,
}

impl JointOrders {
    /// The command.
    ///
    /// # Errors
    /// The first thing that is refused, if there is no command.
    pub fn command(self) -> Result<Action, Diagnostic> {
        let first = self.refused.into_iter().next();
        self.action.ok_or_else(|| first.unwrap_or_else(|| Diagnostic::of("nothing that commands a joint")))
    }
}

impl JointIntake {
    /// Nothing has been commanded yet.
    pub fn new(ports: JointPorts) -> JointIntake {
        let targets = vec![JointTarget::default(); ports.ports().len()];
        JointIntake { ports, targets, reported: BTreeSet::new() }
    }

    /// Takes a message.
    pub fn read(&mut self, bytes: &[u8]) -> JointOrders {
        match message::<JointState>(bytes) {
            Ok(message) => self.take(&message),
            Err(problem) => {
                let mut orders = JointOrders::default();
                self.refuse(problem, &mut orders);
                orders
            }
        }
    }

    fn take(&mut self, message: &JointState) -> JointOrders {
        let mut orders = JointOrders::default();
        let named: Vec<Option<usize>> = message.name.iter().map(|name| self.ports.index(name)).collect();
        for (name, _) in message.name.iter().zip(&named).filter(|(_, index)| index.is_none()) {
            let unknown = Diagnostic::of(format!("no joint \"{}\"", legible::name(name)));
            let known = self.ports.ports().iter().filter(|port| !port.takes.is_empty());
            self.refuse(
                unknown.accepted(known.map(|port| port.joint.name.clone()).collect::<Vec<_>>().join(", ")),
                &mut orders,
            );
        }
        let mut has_command = false;
        for (interface, values) in [
            (CommandInterface::Position, &message.position),
            (CommandInterface::Velocity, &message.velocity),
            (CommandInterface::Effort, &message.effort),
        ] {
            let Some(order) = self.order(interface, &named, values.len()) else {
                let found = format!("{} values of {} for {} joints", values.len(), interface.name(), named.len());
                let refused = Diagnostic::of(found)
                    .accepted("one for each joint with a command interface of that kind, in the order of the names");
                self.refuse(refused, &mut orders);
                continue;
            };
            for (index, &value) in order.into_iter().zip(values).filter(|(_, value)| value.is_finite()) {
                let Some(index) = index else { continue };
                let port = &self.ports.ports()[index];
                if !port.takes.contains(&interface) {
                    let refused = not_taken(port, interface);
                    self.refuse(refused, &mut orders);
                    continue;
                }
                has_command = true;
                let target = &mut self.targets[index];
                match interface {
                    CommandInterface::Position => target.position = Some(value),
                    CommandInterface::Velocity => (target.velocity, target.effort) = (Some(value), None),
                    CommandInterface::Effort => (target.velocity, target.effort) = (None, Some(value)),
                }
            }
        }
        if has_command {
            orders.action = self.ports.action(&self.targets);
        }
        orders
    }

    /// The joints that the values of an array of this length are for; none: it has another length than any number of joints that it may be
    /// for.
    fn order(&self, interface: CommandInterface, named: &[Option<usize>], length: usize) -> Option<Vec<Option<usize>>> {
        if length == 0 {
            return Some(Vec::new());
        }
        if length == named.len() {
            return Some(named.to_vec());
        }
        let of = |keep: fn(&JointPort) -> bool| -> Vec<Option<usize>> {
            let ports = self.ports.ports();
            let takes = |index: &usize| ports[*index].takes.contains(&interface) && keep(&ports[*index]);
            named.iter().flatten().copied().filter(takes).map(Some).collect()
        };
        // Of wheels it may be all, or those of the rear axle, whose speeds steering controllers command.
        [of(|_| true), of(JointPort::is_rear)].into_iter().find(|order| order.len() == length)
    }

    /// Keeps what is refused, unless it has been told.
    fn refuse(&mut self, problem: Diagnostic, orders: &mut JointOrders) {
        let text = problem.to_string();
        if self.reported.len() < MAX_REPORTED && self.reported.insert(text) {
            orders.refused.push(problem);
        }
    }
}

/// The refusal of a value for a joint that does not take its kind.
fn not_taken(port: &JointPort, interface: CommandInterface) -> Diagnostic {
    let found = format!("joint \"{}\" takes no {}", port.joint.name, interface.name());
    let takes: Vec<&str> = port.takes.iter().map(|interface| interface.name()).collect();
    Diagnostic::of(found).accepted(if takes.is_empty() {
        "none, it is only measured".to_owned()
    } else {
        takes.join(", ")
    })
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;
    use skidpad_sim::vehicle::Accepts;
    use skidpad_sim::world::{VehicleInfo, WheelInfo};

    use super::*;
    use crate::interface::names::VehicleNames;
    use crate::preset::ROS2_CONTROL;

    /// A car with wheels rl, rr, fl, fr, the last two with fl_steer, fr_steer.
    fn intake() -> JointIntake {
        let wheel = |name: &str, x: f64, y: f64| WheelInfo {
            name: name.into(),
            position: Vec2::new(x, y),
            radius: 0.5,
            steered: x > 0.0,
            ..WheelInfo::default()
        };
        let vehicle = VehicleInfo {
            wheels: vec![wheel("rl", 0.0, 0.1), wheel("rr", 0.0, -0.1), wheel("fl", 0.3, 0.1), wheel("fr", 0.3, -0.1)],
            accepts: Accepts { ackermann: true, ..Accepts::default() },
            wheelbase: Some(0.3),
            max_steer: Some(0.5),
            ..VehicleInfo::default()
        };
        JointIntake::new(JointPorts::new(&vehicle, &VehicleNames::new(&ROS2_CONTROL, "r", false, false)))
    }

    fn joints(names: &[&str], position: &[f64], velocity: &[f64], effort: &[f64]) -> JointState {
        let name = names.iter().map(|&name| name.to_owned()).collect();
        let [position, velocity, effort] = [position, velocity, effort].map(<[f64]>::to_vec);
        JointState { name, position, velocity, effort, ..JointState::default() }
    }

    fn speed(orders: &JointOrders) -> f64 {
        let Some(Action::Ackermann { speed, .. }) = orders.action else { panic!("{orders:?}") };
        speed
    }

    /// As the interface of a car sends it: four names, two positions and two velocities.
    #[test]
    fn values_belong_to_the_joints_with_their_interface_in_the_order_of_the_names() {
        let mut intake = intake();
        let orders = intake.take(&joints(&["fr_steer", "rr", "rl", "fl_steer"], &[0.0, 0.0], &[3.0, 1.0], &[]));
        assert_eq!((speed(&orders), orders.refused.len()), (1.0, 0));
        assert_eq!(intake.targets[intake.ports.index("rr").unwrap()].velocity, Some(3.0));
        // With the front wheels beside them, which are only measured.
        let all = ["rl", "rr", "fl_steer", "fl", "fr_steer", "fr"];
        assert_eq!(speed(&intake.take(&joints(&all, &[0.0, 0.0], &[4.0, 4.0], &[]))), 2.0);
        // A value for each joint.
        let nan = f64::NAN;
        let velocity = [6.0, 6.0, nan, nan, nan, nan];
        assert_eq!(speed(&intake.take(&joints(&all, &[nan, nan, 0.0, nan, 0.0, nan], &velocity, &[]))), 3.0);
    }

    #[test]
    fn what_is_not_finite_leaves_what_was_commanded() {
        let mut intake = intake();
        let names = ["rl", "rr"];
        assert_eq!(intake.take(&joints(&names, &[], &[f64::NAN; 2], &[])), JointOrders::default());
        assert_eq!(speed(&intake.take(&joints(&names, &[], &[2.0, 2.0], &[]))), 1.0);
        assert_eq!(speed(&intake.take(&joints(&names, &[], &[f64::INFINITY, 4.0], &[]))), 1.5);
        assert_eq!(intake.take(&joints(&names, &[], &[f64::NAN; 2], &[])).action, None);
    }

    #[test]
    fn what_is_refused_is_told_once_and_the_rest_holds() {
        let mut intake = intake();
        let message = joints(&["rl", "gripper", "rr"], &[], &[2.0, 9.0, 2.0], &[]);
        let orders = intake.take(&message);
        let reported: Vec<String> = orders.refused.iter().map(ToString::to_string).collect();
        assert_eq!(reported, ["no joint \"gripper\"\n  accepted: rl, rr, fl, fl_steer, fr, fr_steer"]);
        assert_eq!(speed(&orders), 1.0);
        assert_eq!((speed(&intake.take(&message)), intake.take(&message).refused), (1.0, Vec::new()));
        let reported = |orders: JointOrders| orders.refused.iter().map(ToString::to_string).collect::<Vec<_>>();
        let actual = reported(intake.take(&joints(&["rl", "rr"], &[], &[], &[1.0, 1.0])));
        assert_eq!(
            actual,
            [
                "joint \"rl\" takes no effort\n  accepted: velocity",
                "joint \"rr\" takes no effort\n  accepted: velocity"
            ]
        );
        let actual = reported(intake.take(&joints(&["rl", "rr"], &[], &[1.0; 3], &[])));
        assert!(
            actual[0].starts_with("3 values of velocity for 2 joints\n  accepted: one for each joint"),
            "{actual:?}"
        );
        for number in 0..100 {
            intake.take(&joints(&[&format!("x{number}")], &[], &[1.0], &[]));
        }
        assert_eq!(intake.reported.len(), MAX_REPORTED);
    }
}
