//! The commands that a vehicle accepted, on the topics that it subscribes to.

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::{Announce, Quality, TopicChannel as _, commands};
use skidpad_ros_data::preset::{InputKind, SKIDPAD, racecar};
use skidpad_sim::vehicle::Action;

use super::options::RecordError;
use super::output::McapOutput;
use super::topic::{RecordChannel, Topics};

/// Where torques of single wheels are recorded, which no preset has a topic of its own for.
const TORQUES: [&str; 4] =
    ["wheel_torque_cmd/wheel0", "wheel_torque_cmd/wheel1", "wheel_torque_cmd/wheel2", "wheel_torque_cmd/wheel3"];

/// The inputs of a vehicle, each with the channel of its commands.
pub(super) struct CommandMessages {
    channels: Vec<(InputKind, RecordChannel)>,
    /// Frame of the vehicle.
    vehicle_frame: String,
    /// Frame of the map.
    map_frame: String,
}

impl CommandMessages {
    pub(super) fn new(names: &VehicleNames, topics: &mut Topics<'_>) -> Result<CommandMessages, RecordError> {
        let name = |kind| match kind {
            InputKind::Pose => "teleport",
            InputKind::Torque(wheel) => TORQUES[wheel],
            _ => {
                let mut inputs = names.preset.inputs.iter().chain(SKIDPAD.inputs).chain(&racecar::INPUTS);
                inputs.find(|input| input.kind == kind).map_or("", |input| input.name)
            }
        };
        let mut channels = Vec::new();
        for input in InputKind::recorded() {
            let topic = names.topic_below(name(input));
            let channel = topics.channel(&topic, input.message(), Quality::Deferred)?;
            channels.extend(channel.map(|channel| (input, channel)));
        }
        Ok(CommandMessages { channels, vehicle_frame: names.states_frame(), map_frame: names.map_frame() })
    }

    pub(super) fn write(&mut self, output: &mut McapOutput, time: SimTime, action: &Action) -> Result<(), RecordError> {
        let CommandMessages { channels, vehicle_frame, map_frame } = self;
        commands::each_message(action, time, vehicle_frame, map_frame, |input, message| {
            match channels.iter_mut().find(|(kind, _)| *kind == input) {
                Some((_, channel)) => channel.send(output, time, message),
                None => Ok(()),
            }
        })
    }
}
