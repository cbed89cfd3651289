//! The `<ros2_control>` tag of a vehicle: its joints behind the hardware interface that speaks over the topics of the preset `ros2_control`
//! (`joint_state_topic_hardware_interface/JointStateTopicSystem`). Each joint has the states that are published of it, and the command
//! interface that it takes. A command interface has a state interface of its name, as the plugin compares the two; that of torques has no
//! values, so that torques are always sent.

use crate::interface::joint_ports::{CommandInterface, JointPorts};
use crate::interface::names::VehicleNames;
use crate::preset::{JOINT_COMMANDS, JOINT_STATES};

/// The joints of a vehicle as ros2_control has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    pub(super) name: String,
    pub(super) topics: [String; 2],
    pub(super) joints: Vec<ControlledJoint>,
}

/// A joint and how it is commanded; none: it is only measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ControlledJoint {
    pub name: String,
    pub command: Option<CommandInterface>,
}

impl Control {
    /// The plugin that is loaded.
    pub(super) const PLUGIN: &str = "joint_state_topic_hardware_interface/JointStateTopicSystem";

    /// The joints of the vehicle called `vehicle`; those of wheels are commanded by `of_wheels` where they take it.
    pub fn new(vehicle: &str, names: &VehicleNames, ports: &JointPorts, of_wheels: CommandInterface) -> Control {
        let joints = ports.ports().iter().map(|port| {
            let wanted = if port.joint.steers { CommandInterface::Position } else { of_wheels };
            let command = port.takes.contains(&wanted).then_some(wanted);
            ControlledJoint { name: port.joint.name.clone(), command }
        });
        let topic = |name: &str| format!("/{}", names.topic(name));
        Control {
            name: vehicle.to_owned(),
            topics: [topic(JOINT_COMMANDS), topic(JOINT_STATES)],
            joints: joints.collect(),
        }
    }

    /// Parameters of the hardware. Commands are sent in each cycle: what is sent only when it changes is lost if nobody listens yet.
    pub(super) fn parameters(&self) -> [(&'static str, &str); 3] {
        let [commands, states] = &self.topics;
        [("joint_commands_topic", commands), ("joint_states_topic", states), ("trigger_joint_command_threshold", "-1")]
    }

    /// The joints in the order of the URDF, in which `place` finds each by its name.
    pub(super) fn joints_in_order(&self, place: impl Fn(&str) -> Option<usize>) -> Vec<ControlledJoint> {
        let mut joints = self.joints.clone();
        joints.sort_by_key(|joint| place(&joint.name));
        joints
    }
}
