//! What is recorded of one vehicle: the topics of its preset, transforms, scans, what its driver did, and what it was told.

use super::fill;
use super::message::{
    AckermannDriveStamped, Float64, Float64MultiArray, LaserScan, Pedals, PoseStamped, TFMessage, Twist,
};
use super::options::RecordError;
use super::output::{Output, Quality};
#[cfg(test)]
use super::preset_messages::Int32;
use super::snapshot::Snapshot;
use super::state::State;
use super::topic::{Topic, Topics};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::names::{MAP_FRAME, VehicleNames};
use crate::interface::rules::{self, Joint};
use crate::math::Pose3;
use crate::preset::{Circumstances, InputKind, Moving, Pace, SKIDPAD, Switch, racecar};
use crate::sensor::{Reading, ReadingData, SensorKind};
use crate::time::SimTime;
use crate::tracking::TrackingFrame;
use crate::vehicle::Action;
use crate::world::VehicleInfo;

/// The topic of one sensor, by kind of reading.
enum SensorTopic {
    Scan(Topic<LaserScan>),
    #[cfg(test)]
    Count(Topic<Int32>),
}

/// The recorded topics of one vehicle.
pub(super) struct VehicleMessages {
    states: Vec<(Pace, State)>,
    joints: Vec<Joint>,
    moving: Vec<&'static Moving>,
    tf: Option<Topic<TFMessage>>,
    tf_static: Option<Topic<TFMessage>>,
    /// One entry per sensor.
    sensors: Vec<Option<SensorTopic>>,
    tracking: TrackingMessages,
    commands: CommandMessages,
    /// When the topics of each pace were last written.
    written: [Option<SimTime>; 2],
}

impl VehicleMessages {
    pub(super) fn new(
        vehicle: &VehicleInfo,
        names: &VehicleNames,
        has_others: bool,
        topics: &mut Topics<'_>,
    ) -> Result<VehicleMessages, RecordError> {
        let preset = names.preset;
        let joints = rules::joints(vehicle, preset.joints);
        let moving: Vec<_> = preset.frames.moving.iter().filter(|moving| moving.switch == Switch::Tf).collect();
        let transforms = moving.iter().map(|moving| {
            let [parent, child] = [moving.parent, moving.child].map(|frame| names.frame(frame));
            fill::transform(SimTime::ZERO, &parent, &child, Pose3::default())
        });
        let tf = TFMessage { transforms: transforms.collect() };
        let tf = topics.topic(&names.topic("tf"), Quality::Transforms, tf)?;
        let fixed = rules::fixed_frames(vehicle, names).into_iter();
        let fixed = fixed.map(|(parent, child, pose)| fill::transform(SimTime::ZERO, &parent, &child, pose));
        let tf_static = TFMessage { transforms: fixed.collect() };
        let tf_static = topics.topic(&names.topic("tf_static"), Quality::Latched, tf_static)?;
        let mut states = Vec::new();
        // What localization would tell is for those who listen at the time: the truth is recorded anyway.
        let now = Circumstances { with_others: has_others, ..Circumstances::default() };
        for topic in preset.topics.iter().filter(|topic| topic.only.holds(&now)) {
            let state = State::new(topic, (vehicle, names), &joints, topics)?;
            states.extend(state.map(|state| (topic.pace, state)));
        }
        states.extend(State::own((vehicle, names), topics)?.into_iter().map(|state| (Pace::Odometry, state)));
        let mut sensors = Vec::new();
        for (index, sensor) in vehicle.sensors.iter().enumerate() {
            let name = names.sensor_topic(vehicle, index);
            let frame = names.sensor_frame(vehicle, index);
            sensors.push(match &sensor.kind {
                SensorKind::Lidar2d(geometry) => {
                    topics.topic(&name, Quality::Data, fill::scan(sensor, geometry, &frame))?.map(SensorTopic::Scan)
                }
                #[cfg(test)]
                SensorKind::Probe => topics.topic(&name, Quality::Data, Int32::default())?.map(SensorTopic::Count),
            });
        }
        let tracking = TrackingMessages::new(names, topics);
        let commands = CommandMessages::new(names, topics);
        let written = [None; 2];
        Ok(VehicleMessages { states, joints, moving, tf, tf_static, sensors, tracking, commands, written })
    }

    /// Writes what never changes.
    pub(super) fn write_fixed(&mut self, output: &mut Output, time: SimTime) -> Result<(), RecordError> {
        let Some(topic) = &mut self.tf_static else { return Ok(()) };
        topic.message.transforms.iter_mut().for_each(|transform| transform.header.stamp = fill::stamp(time));
        topic.write(output, time)
    }

    /// Writes a command that it took.
    pub(super) fn write_command(
        &mut self,
        output: &mut Output,
        time: SimTime,
        action: &Action,
    ) -> Result<(), RecordError> {
        self.commands.write(output, time, action)
    }

    /// Writes what its driver did, transforms and states, as far as they are due.
    pub(super) fn write(
        &mut self,
        output: &mut Output,
        snapshot: &Snapshot,
        vehicle: &VehicleSnapshot,
        opponent: Option<&VehicleSnapshot>,
    ) -> Result<(), RecordError> {
        // A tracker that waits says nothing.
        if let (true, Some(tracking)) = (vehicle.tracked, vehicle.frame.tracking.as_ref().filter(|t| t.active)) {
            self.tracking.write(output, tracking)?;
        }
        let time = snapshot.time;
        if (snapshot.states[Pace::Odometry as usize] || vehicle.senses)
            && let Some(topic) = &mut self.tf
            && !self.moving.is_empty()
        {
            for (moving, message) in self.moving.iter().zip(&mut topic.message.transforms) {
                fill::fill_transform(time, rules::moving_pose(moving.pose, &vehicle.frame), message);
            }
            topic.write(output, time)?;
        }
        let mut seconds = [0.0; 2];
        for ((due, written), seconds) in snapshot.states.iter().zip(&mut self.written).zip(&mut seconds) {
            if *due {
                // Where time has gone back nothing has passed.
                *seconds = written.replace(time).map_or(0.0, |last| (time - last).secs().max(0.0));
            }
        }
        for (pace, state) in &mut self.states {
            let pace = *pace as usize;
            if snapshot.states[pace] {
                let others = (opponent.map(|opponent| &opponent.frame), &self.joints[..]);
                state.write(output, (time, seconds[pace]), vehicle, others)?;
            }
        }
        Ok(())
    }

    /// Writes a reading of one of its sensors.
    pub(super) fn write_reading(&mut self, output: &mut Output, reading: &Reading) -> Result<(), RecordError> {
        let Some(Some(topic)) = self.sensors.get_mut(reading.sensor) else { return Ok(()) };
        match (topic, &reading.data) {
            (SensorTopic::Scan(topic), ReadingData::Scan(scan)) => {
                topic.message.header.stamp = fill::stamp(reading.time);
                topic.message.ranges.clear();
                topic.message.ranges.extend_from_slice(&scan.ranges);
                topic.write(output, reading.time)
            }
            #[cfg(test)]
            (SensorTopic::Count(topic), ReadingData::Count(count)) => {
                topic.message.data = *count as i32;
                topic.write(output, reading.time)
            }
            // A reading of another scene.
            #[cfg(test)]
            _ => Ok(()),
        }
    }
}

/// What the driver of a vehicle did, under the study's names.
struct TrackingMessages {
    reference: Option<Topic<Float64MultiArray>>,
    velocities: Option<Topic<Float64MultiArray>>,
    navigation: Option<Topic<AckermannDriveStamped>>,
}

impl TrackingMessages {
    fn new(names: &VehicleNames, topics: &mut Topics<'_>) -> TrackingMessages {
        let triple = || Float64MultiArray { data: vec![0.0; 3], ..Float64MultiArray::default() };
        // What the study's linearizers say beside speed and steering angle.
        let mut navigation = fill::ackermann(SimTime::ZERO, 0.0, 0.0);
        navigation.drive.acceleration = 1.0;
        navigation.drive.jerk = 1.0;
        TrackingMessages {
            reference: topics.later(&names.topic_below(racecar::REFERENCE_TRAJECTORY), triple()),
            velocities: topics.later(&names.topic_below(racecar::VIRTUAL_VELOCITIES), triple()),
            navigation: topics.later(&names.topic_below(racecar::NAVIGATION), navigation),
        }
    }

    fn write(&mut self, output: &mut Output, tracking: &TrackingFrame) -> Result<(), RecordError> {
        let (time, seconds) = (tracking.time, tracking.time.secs());
        if let Some(topic) = &mut self.reference {
            let position = tracking.reference.position;
            topic.message.data.copy_from_slice(&[position.x, position.y, seconds]);
            topic.write(output, time)?;
        }
        if let Some(topic) = &mut self.velocities {
            let velocity = tracking.point_velocity;
            topic.message.data.copy_from_slice(&[velocity.x, velocity.y, seconds]);
            topic.write(output, time)?;
        }
        if let Some(topic) = &mut self.navigation {
            topic.message.header.stamp = fill::stamp(time);
            topic.message.drive.speed = tracking.steer.speed as f32;
            topic.message.drive.steering_angle = tracking.steer.steering_angle as f32;
            topic.write(output, time)?;
        }
        Ok(())
    }
}

/// What a vehicle was told, on the topics that it listens to.
struct CommandMessages {
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
    fn new(names: &VehicleNames, topics: &mut Topics<'_>) -> CommandMessages {
        let input = |kind: InputKind| {
            let inputs = names.preset.inputs.iter().chain(SKIDPAD.inputs).chain(&racecar::INPUTS);
            names.topic_below(inputs.clone().find(|input| input.kind == kind).map_or("", |input| input.name))
        };
        CommandMessages {
            velocity: topics.later(&input(InputKind::Velocity), Twist::default()),
            ackermann: topics.later(&input(InputKind::Ackermann), fill::ackermann(SimTime::ZERO, 0.0, 0.0)),
            steering_rate: topics.later(&input(InputKind::SteeringRate), fill::ackermann(SimTime::ZERO, 0.0, 0.0)),
            wheel_speeds: topics.later(&input(InputKind::WheelSpeeds), Float64MultiArray::default()),
            pedals: topics.later(&input(InputKind::Pedals), Pedals::default()),
            spins: [0, 1, 2, 3].map(|wheel| topics.later(&input(InputKind::Spin(wheel)), Float64::default())),
            hinges: [0, 1].map(|side| topics.later(&input(InputKind::Hinge(side)), Float64::default())),
            teleport: topics.later(&names.topic_below("teleport"), PoseStamped::default()),
        }
    }

    fn write(&mut self, output: &mut Output, time: SimTime, action: &Action) -> Result<(), RecordError> {
        match action {
            Action::Twist(twist) => {
                let Some(topic) = &mut self.velocity else { return Ok(()) };
                topic.message = fill::twist(*twist);
                topic.write(output, time)
            }
            Action::Ackermann { speed, steering_angle } => {
                let Some(topic) = &mut self.ackermann else { return Ok(()) };
                topic.message = fill::ackermann(time, *speed, *steering_angle);
                topic.write(output, time)
            }
            Action::LimitedAckermann { speed, steering_angle, limits } => {
                let Some(topic) = &mut self.ackermann else { return Ok(()) };
                topic.message = fill::ackermann(time, *speed, *steering_angle);
                topic.message.drive.acceleration = limits.acceleration as f32;
                topic.message.drive.steering_angle_velocity = limits.steering_rate as f32;
                topic.write(output, time)
            }
            Action::SteeringRate { speed, steering_rate } => {
                let Some(topic) = &mut self.steering_rate else { return Ok(()) };
                topic.message = fill::ackermann(time, *speed, 0.0);
                topic.message.drive.steering_angle_velocity = *steering_rate as f32;
                topic.write(output, time)
            }
            Action::SideSpins(spins) => {
                let Some(topic) = &mut self.wheel_speeds else { return Ok(()) };
                topic.message.data.clear();
                topic.message.data.extend(spins);
                topic.write(output, time)
            }
            Action::Pedals { pedals, steering_angle } => {
                let Some(topic) = &mut self.pedals else { return Ok(()) };
                topic.message = fill::pedals(time, pedals, *steering_angle);
                topic.write(output, time)
            }
            Action::Wheels(targets) => {
                let spins = self.spins.iter_mut().zip(&targets.spin);
                for (topic, value) in spins.chain(self.hinges.iter_mut().zip(&targets.hinge)) {
                    if let (Some(topic), Some(value)) = (topic, value) {
                        topic.message.data = *value;
                        topic.write(output, time)?;
                    }
                }
                Ok(())
            }
            Action::Teleport(pose) => {
                let Some(topic) = &mut self.teleport else { return Ok(()) };
                let pose = fill::pose(Pose3::from_planar(*pose));
                topic.message = PoseStamped { header: fill::header(time, MAP_FRAME), pose };
                topic.write(output, time)
            }
        }
    }
}
