//! What a vehicle was told, on the topics that it listens to.

use super::options::RecordError;
use super::output::McapOutput;
use super::topic::{Topic, Topics};
use crate::interface::names::{MAP_FRAME, VehicleNames};
use crate::math::Pose3;
use crate::message::{AckermannDriveStamped, Announce, Float64, Float64MultiArray, Pedals, PoseStamped, Twist, fill};
use crate::preset::{InputKind, SKIDPAD, racecar};
use crate::time::SimTime;
use crate::vehicle::Action;

/// A topic for each kind of command.
pub(super) struct CommandMessages {
    velocity: Option<Topic<Twist>>,
    ackermann: Option<Topic<AckermannDriveStamped>>,
    steering_rate: Option<Topic<AckermannDriveStamped>>,
    wheel_speeds: Option<Topic<Float64MultiArray>>,
    pedals: Option<Topic<Pedals>>,
    /// Of each wheel.
    spins: [Option<Topic<Float64>>; 4],
    /// Of the left and the right front wheel.
    hinges: [Option<Topic<Float64>>; 2],
    teleport: Option<Topic<PoseStamped>>,
}

impl CommandMessages {
    pub(super) fn new(names: &VehicleNames, topics: &mut Topics<'_>) -> Result<CommandMessages, RecordError> {
        let input = |kind: InputKind| {
            let inputs = names.preset.inputs.iter().chain(SKIDPAD.inputs).chain(&racecar::INPUTS);
            names.topic_below(inputs.clone().find(|input| input.kind == kind).map_or("", |input| input.name))
        };
        let ackermann = || fill::ackermann(SimTime::ZERO, 0.0, 0.0);
        let mut number = |kind| topics.announce_deferred(&input(kind), Float64::default());
        let [rear_left, rear_right, front_left, front_right] = [0, 1, 2, 3].map(|wheel| number(InputKind::Spin(wheel)));
        let [left, right] = [0, 1].map(|side| number(InputKind::Hinge(side)));
        Ok(CommandMessages {
            velocity: topics.announce_deferred(&input(InputKind::Velocity), Twist::default())?,
            ackermann: topics.announce_deferred(&input(InputKind::Ackermann), ackermann())?,
            steering_rate: topics.announce_deferred(&input(InputKind::SteeringRate), ackermann())?,
            wheel_speeds: topics.announce_deferred(&input(InputKind::WheelSpeeds), Float64MultiArray::default())?,
            pedals: topics.announce_deferred(&input(InputKind::Pedals), Pedals::default())?,
            spins: [rear_left?, rear_right?, front_left?, front_right?],
            hinges: [left?, right?],
            teleport: topics.announce_deferred(&names.topic_below("teleport"), PoseStamped::default())?,
        })
    }

    pub(super) fn write(&mut self, output: &mut McapOutput, time: SimTime, action: &Action) -> Result<(), RecordError> {
        match action {
            Action::Twist(twist) => {
                let Some(topic) = &mut self.velocity else { return Ok(()) };
                topic.message = fill::twist(*twist);
                topic.send(output, time)
            }
            Action::Ackermann { speed, steering_angle } => {
                let Some(topic) = &mut self.ackermann else { return Ok(()) };
                topic.message = fill::ackermann(time, *speed, *steering_angle);
                topic.send(output, time)
            }
            Action::LimitedAckermann { speed, steering_angle, limits } => {
                let Some(topic) = &mut self.ackermann else { return Ok(()) };
                topic.message = fill::ackermann(time, *speed, *steering_angle);
                topic.message.drive.acceleration = limits.acceleration as f32;
                topic.message.drive.steering_angle_velocity = limits.steering_rate as f32;
                topic.send(output, time)
            }
            Action::SteeringRate { speed, steering_rate } => {
                let Some(topic) = &mut self.steering_rate else { return Ok(()) };
                topic.message = fill::ackermann(time, *speed, 0.0);
                topic.message.drive.steering_angle_velocity = *steering_rate as f32;
                topic.send(output, time)
            }
            Action::SideSpins(spins) => {
                let Some(topic) = &mut self.wheel_speeds else { return Ok(()) };
                topic.message.data.clear();
                topic.message.data.extend(spins);
                topic.send(output, time)
            }
            Action::Pedals { pedals, steering_angle } => {
                let Some(topic) = &mut self.pedals else { return Ok(()) };
                topic.message = fill::pedals(time, pedals, *steering_angle);
                topic.send(output, time)
            }
            Action::Wheels(targets) => {
                let spins = self.spins.iter_mut().zip(&targets.spin);
                for (topic, value) in spins.chain(self.hinges.iter_mut().zip(&targets.hinge)) {
                    if let (Some(topic), Some(value)) = (topic, value) {
                        topic.message.data = *value;
                        topic.send(output, time)?;
                    }
                }
                Ok(())
            }
            Action::Teleport(pose) => {
                let Some(topic) = &mut self.teleport else { return Ok(()) };
                let pose = fill::pose(Pose3::from_planar(*pose));
                topic.message = PoseStamped { header: fill::header(time, MAP_FRAME), pose };
                topic.send(output, time)
            }
        }
    }
}
