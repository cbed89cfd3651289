//! The commands that a vehicle accepted, on the topics that it subscribes to.

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::message::{
    AckermannDriveStamped, Announce, AnyMessage, Float64, Float64MultiArray, Kind, Pedals, PoseStamped, Quality,
    TopicChannel as _, Twist, fill,
};
use skidpad_ros_data::preset::{InputKind, SKIDPAD, racecar};
use skidpad_sim::vehicle::Action;

use super::options::RecordError;
use super::output::McapOutput;
use super::topic::{RecordChannel, Topics};

/// The inputs of a vehicle, each with the channel of its commands.
pub(super) struct CommandMessages {
    channels: Vec<(InputKind, RecordChannel)>,
    /// Frame of the vehicle.
    vehicle_frame: String,
    /// Frame of the map.
    map_frame: String,
}

/// The inputs whose commands are recorded, and the message types of these.
fn recorded_inputs() -> impl Iterator<Item = (InputKind, Kind)> {
    let wheels = (0..4).map(InputKind::Spin).chain((0..2).map(InputKind::Hinge));
    let others = [
        (InputKind::Velocity, Kind::of::<Twist>()),
        (InputKind::Ackermann, Kind::of::<AckermannDriveStamped>()),
        (InputKind::SteeringRate, Kind::of::<AckermannDriveStamped>()),
        (InputKind::WheelSpeeds, Kind::of::<Float64MultiArray>()),
        (InputKind::Pedals, Kind::of::<Pedals>()),
        (InputKind::Pose, Kind::of::<PoseStamped>()),
    ];
    others.into_iter().chain(wheels.map(|input| (input, Kind::of::<Float64>())))
}

impl CommandMessages {
    pub(super) fn new(names: &VehicleNames, topics: &mut Topics<'_>) -> Result<CommandMessages, RecordError> {
        let name = |kind| match kind {
            InputKind::Pose => "teleport",
            _ => {
                let mut inputs = names.preset.inputs.iter().chain(SKIDPAD.inputs).chain(&racecar::INPUTS);
                inputs.find(|input| input.kind == kind).map_or("", |input| input.name)
            }
        };
        let mut channels = Vec::new();
        for (input, message) in recorded_inputs() {
            let channel = topics.channel(&names.topic_below(name(input)), message, Quality::Deferred)?;
            channels.extend(channel.map(|channel| (input, channel)));
        }
        Ok(CommandMessages { channels, vehicle_frame: names.states_frame(), map_frame: names.map_frame() })
    }

    pub(super) fn write(&mut self, output: &mut McapOutput, time: SimTime, action: &Action) -> Result<(), RecordError> {
        let CommandMessages { channels, vehicle_frame, map_frame } = self;
        let mut send = |input, message: &dyn AnyMessage| match channels.iter_mut().find(|(kind, _)| *kind == input) {
            Some((_, channel)) => channel.send(output, time, message),
            None => Ok(()),
        };
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
                for (input, value) in spins.chain(hinges) {
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
}
