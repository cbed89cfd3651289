//! The node `ackermann_mux`: the racecar's command multiplexers and the relays between them. The racecar preset runs the same within the
//! simulator's node.
//!
//! The graph is that of the original: each level, each relay and the default command have topics of their own, so that bags, `ros2 topic
//! echo` and intermediate nodes see the same messages as there. A command passes one of them per update of the node.

use r2r::ackermann_msgs::msg as incoming;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{AckermannDrive, AckermannDriveStamped, Header, Message, Quality, Text, Time, fill};
use skidpad_ros_data::preset::racecar;
use skidpad_run::mux::{Level, LevelConfig, MuxConfig};

use super::{Entry, Input, Setup, SmallNode, USE_SIM_TIME};
use crate::error::RosError;
use crate::graph::quality::INPUT_QOS;
use crate::parameters::table::{Declaration, Kind};
use crate::publish::publisher::RosTopic;

/// The node.
pub const ENTRY: Entry = Entry {
    name: "ackermann_mux",
    parameters: &[
        Declaration::new(
            "config",
            Kind::Text { default: "" },
            "YAML file with levels and inputs; empty: the racecar's",
        )
        .at_start(),
        USE_SIM_TIME,
    ],
    start: |setup| {
        let file = setup.parameters.word("config");
        Ok(Box::new(AckermannMux::new(&configuration("config", &file, racecar::MUX)?, setup)?))
    },
};

/// The configuration in the file that a parameter names. If `file` is empty, it is `text`, the YAML of a preset.
pub fn configuration(parameter: &str, file: &str, text: &str) -> Result<MuxConfig, RosError> {
    let config = if file.is_empty() { MuxConfig::from_yaml("preset", text) } else { MuxConfig::read(file.as_ref()) };
    config.map_err(|error| error.at(format!("parameter \"{parameter}\"")))
}

/// The levels, relays and the default command.
pub(crate) struct AckermannMux {
    levels: Vec<LevelNode>,
    relays: Vec<(Input<incoming::AckermannDriveStamped>, RosTopic<AckermannDriveStamped>)>,
    default_command: Option<DefaultCommand>,
}

/// One multiplexer on the graph.
struct LevelNode {
    level: Level,
    inputs: Vec<Input<incoming::AckermannDriveStamped>>,
    output: RosTopic<AckermannDriveStamped>,
    active: RosTopic<Text>,
}

/// The command to stand still, which is sent periodically.
struct DefaultCommand {
    /// Whether it is suppressed.
    is_held: bool,
    topic: RosTopic<AckermannDriveStamped>,
    period: SimTime,
    next: SimTime,
}

/// A received command as an outgoing message.
fn from_received(command: incoming::AckermannDriveStamped) -> AckermannDriveStamped {
    let incoming::AckermannDriveStamped { header, drive } = command;
    let incoming::AckermannDrive { steering_angle, steering_angle_velocity, speed, acceleration, jerk } = drive;
    let stamp = Time { sec: header.stamp.sec, nanosec: header.stamp.nanosec };
    AckermannDriveStamped {
        header: Header { stamp, frame_id: header.frame_id },
        drive: AckermannDrive { steering_angle, steering_angle_velocity, speed, acceleration, jerk },
    }
}

impl LevelNode {
    fn new(config: &LevelConfig, setup: &mut Setup<'_>) -> Result<LevelNode, RosError> {
        let mut inputs = Vec::new();
        for input in &config.subscribers {
            inputs.push(setup.subscribe(&config.topic(&input.topic), AckermannDriveStamped::TYPE, INPUT_QOS)?);
        }
        let output = config.topic(&config.publisher);
        let level = Level::new(config);
        let active = Text { data: level.active().to_owned() };
        let mut active = setup.publish(&config.active_topic(), Quality::Latched, active)?;
        active.publish();
        Ok(LevelNode {
            level,
            inputs,
            output: setup.publish(&output, Quality::Data, AckermannDriveStamped::default())?,
            active,
        })
    }

    fn update(&mut self, now: SimTime) {
        let mut changed = self.level.expire(now);
        for (index, input) in self.inputs.iter_mut().enumerate() {
            while let Some(command) = input.oldest() {
                let verdict = self.level.offer(index, now);
                changed |= verdict.changed;
                if verdict.passes {
                    self.output.message = from_received(command);
                    self.output.publish();
                }
            }
        }
        if changed && self.active.message.data != self.level.active() {
            self.active.message.data = self.level.active().to_owned();
            self.active.publish();
        }
    }
}

impl AckermannMux {
    /// Subscribes to and announces the topics of `config`.
    pub fn new(config: &MuxConfig, setup: &mut Setup<'_>) -> Result<AckermannMux, RosError> {
        let levels = config.levels().map(|(_, level)| LevelNode::new(level, setup)).collect::<Result<_, _>>()?;
        let mut relays = Vec::new();
        for relay in &config.relays {
            let from = setup.subscribe(&relay.from, AckermannDriveStamped::TYPE, INPUT_QOS)?;
            let to = setup.publish(&relay.to, Quality::Data, AckermannDriveStamped::default())?;
            relays.push((from, to));
        }
        let default_command = match &config.default_command {
            Some(command) => Some(DefaultCommand {
                is_held: false,
                topic: setup.publish(&command.topic, Quality::Data, AckermannDriveStamped::default())?,
                period: SimTime::from_secs(1.0 / command.rate),
                next: SimTime::ZERO,
            }),
            None => None,
        };
        Ok(AckermannMux { levels, relays, default_command })
    }

    /// Sets whether the default command is suppressed. With a driver in the simulator's process it has to be, since any command takes over
    /// from the driver.
    pub(crate) fn hold_default(&mut self, is_held: bool) {
        if let Some(command) = &mut self.default_command {
            command.is_held = is_held;
        }
    }
}

impl SmallNode for AckermannMux {
    fn update(&mut self, now: SimTime) -> Option<SimTime> {
        for (from, to) in &mut self.relays {
            while let Some(command) = from.oldest() {
                to.message = from_received(command);
                to.publish();
            }
        }
        if let Some(command) = self.default_command.as_mut().filter(|command| !command.is_held) {
            // Also after the clock has stepped back.
            if now >= command.next || command.next - now > command.period {
                command.topic.message.header.stamp = fill::stamp(now);
                command.topic.publish();
                command.next = now + command.period;
            }
        }
        self.levels.iter_mut().for_each(|level| level.update(now));
        self.default_command.as_ref().map(|command| command.next)
    }
}
