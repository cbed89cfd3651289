//! What came to a run from outside and changed its world, by the step before which it acted: what a recording needs, beside the files that the
//! run was made from, so that the run can be made again.
//!
//! Such a change is a line of text, `step,what,vehicle,value,…`, whose numbers read back to the same bits:
//!
//! ```text
//! 120,twist,r1,1.5,0,0.25        a command by the name of its kind, with its numbers; an omitted number is empty
//! 130,teleport,r1,1,2,0.5        x, y [m] and yaw [rad]
//! 140,state,r1,1,2,0,0.5,0,0,,,  x, y, z [m], yaw, pitch, roll [rad], velocity in its frame [m/s, rad/s]; empty: as it was
//! 0,command_timeout,,1000000000  [ns]; empty: never
//! 300,command_link,r1,200000000,0.1    commands are so late [ns], and this share of them is lost
//! 310,sensor_fault,r1,scan,true,0      whether it is off, and which share of its readings is lost
//! 320,actor,walker,walk,1,2            where it walks or runs to, x, y, … [m]; or: stand, go
//! 500,other,,a body was moved    what cannot be made again, in words
//! 900,end,                       the number of steps of the whole run
//! ```

use skidpad_math::Pose2;
use skidpad_math::time::SimTime;
use skidpad_sim::sensor::NoReturn;
use skidpad_sim::vehicle::{Action, CommandKind, CommandNumbers};
use skidpad_sim::world::{EntityId, ExternalChange, Scene};

use super::{Message, REMOVED, Request, Run, external_change};

/// A change of a run from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedChange {
    /// The number of steps that the run had made.
    pub step: u64,
    /// What was changed.
    pub change: Change,
}

/// What an [`TimedChange`] changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Something was done to the world, by a request or by a visitor.
    World(ExternalChange),
    /// Everything was put back to its start by a request.
    Reset,
    /// Anything else, in words: it cannot be made again.
    Other(String),
    /// None: the run ended here.
    End,
}

/// Names of the set-points of motor controllers, which are no kind of command for other senders.
const SETPOINTS: &str = "setpoints";

impl Change {
    /// The change that a request makes of a world with this scene; none: it changes no world.
    pub(super) fn of(request: &Request, scene: &Scene) -> Option<Change> {
        let name = |id: &EntityId| scene.vehicle_of(*id).map(|index| scene.vehicles[index].name.clone());
        Some(Change::World(match request {
            Request::Command { id, action } => ExternalChange::Command(name(id)?, *action),
            Request::SetCommandTimeout(timeout) => ExternalChange::CommandTimeout(*timeout),
            Request::SetRangeNoise(noise) => ExternalChange::RangeNoise(*noise),
            Request::SetNoReturn(no_return) => ExternalChange::NoReturn(*no_return),
            Request::SetParallelSteer(parallel) => ExternalChange::ParallelSteer(*parallel),
            Request::Tune(id, parameter, value) => ExternalChange::Tune(name(id)?, (*parameter).to_owned(), *value),
            Request::Reset => return Some(Change::Reset),
            Request::SetTracker(id, _) => {
                let words = format!("gains of the tracker of \"{}\" were set", name(id).unwrap_or_default());
                return Some(Change::Other(words));
            }
            Request::Pause(_) | Request::Step(_) | Request::SetRate(_) | Request::SetLockstep(_) | Request::Log(_) => {
                return None;
            }
        }))
    }

    /// The request that makes this change of a world with this scene; none: a visitor does it.
    ///
    /// # Errors
    /// The vehicle or its parameter is not there, or nothing is known of the change but words.
    pub(super) fn request(&self, scene: &Scene) -> Result<Option<Request>, String> {
        let vehicle = |name: &str| scene.vehicle_index(name).map(|index| &scene.vehicles[index]).ok_or(REMOVED);
        let change = match self {
            Change::World(change) => change,
            Change::Reset => return Ok(Some(Request::Reset)),
            Change::Other(words) => return Err(words.clone()),
            Change::End => return Err("the run ended here".to_owned()),
        };
        Ok(Some(match change {
            ExternalChange::Command(name, action) => Request::Command { id: vehicle(name)?.id, action: *action },
            ExternalChange::CommandTimeout(timeout) => Request::SetCommandTimeout(*timeout),
            ExternalChange::RangeNoise(noise) => Request::SetRangeNoise(*noise),
            ExternalChange::NoReturn(no_return) => Request::SetNoReturn(*no_return),
            ExternalChange::ParallelSteer(parallel) => Request::SetParallelSteer(*parallel),
            ExternalChange::Tune(name, parameter, value) => {
                let info = vehicle(name)?;
                let tunable = info.tunables.iter().find(|tunable| tunable.name == parameter);
                let tunable = tunable.ok_or_else(|| format!("\"{name}\" has no parameter {parameter}"))?;
                Request::Tune(info.id, tunable.name, *value)
            }
            _ => return Ok(None),
        }))
    }

    /// Its name, vehicle and values, as they stand in a line.
    fn words(&self) -> (&str, &str, Vec<String>) {
        let change = match self {
            Change::World(change) => change,
            Change::Reset => return ("reset", "", Vec::new()),
            Change::Other(words) => return ("other", "", vec![words.clone()]),
            Change::End => return ("end", "", Vec::new()),
        };
        match change {
            ExternalChange::Command(vehicle, action) => match (action, action.kind()) {
                (Action::Teleport(pose), _) => {
                    ("teleport", vehicle, [pose.x, pose.y, pose.yaw].map(|value| value.to_string()).to_vec())
                }
                (Action::Setpoints { speed, steering_angle }, _) => {
                    (SETPOINTS, vehicle, [*speed, *steering_angle].map(number).to_vec())
                }
                (_, Some((kind, numbers))) => {
                    let count = numbers.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
                    (kind.name, vehicle, numbers[..count].iter().copied().map(number).collect())
                }
                (_, None) => ("other", vehicle, vec!["a command of an unknown kind".to_owned()]),
            },
            ExternalChange::CommandTimeout(timeout) => {
                ("command_timeout", "", vec![timeout.map_or_else(String::new, |timeout| timeout.0.to_string())])
            }
            ExternalChange::RangeNoise(noise) => ("range_noise", "", vec![number(*noise)]),
            ExternalChange::NoReturn(no_return) => {
                let name = NoReturn::NAMES.iter().find(|(_, choice)| Some(*choice) == *no_return);
                ("no_return", "", vec![name.map_or_else(String::new, |(name, _)| (*name).to_owned())])
            }
            ExternalChange::ParallelSteer(parallel) => {
                ("parallel_steer", "", vec![parallel.map_or_else(String::new, |parallel| parallel.to_string())])
            }
            ExternalChange::Tune(vehicle, parameter, value) => {
                ("tune", vehicle, vec![parameter.clone(), value.to_string()])
            }
            change => external_change::words(change).unwrap_or(("other", "", vec![format!("{change:?}")])),
        }
    }

    /// The change with these words; none: they are not understood.
    fn parse(keyword: &str, vehicle: &str, values: &[&str]) -> Option<Change> {
        if let Some(change) = external_change::parse(keyword, vehicle, values) {
            return Some(Change::World(change));
        }
        let numbers = || {
            let mut numbers = CommandNumbers::default();
            for (place, text) in numbers.iter_mut().zip(values) {
                *place = optional(text)?;
            }
            Some(numbers)
        };
        let vehicle = vehicle.to_owned();
        let first = values.first().copied().unwrap_or_default();
        Some(Change::World(match keyword {
            "teleport" => {
                let [Some(x), Some(y), Some(yaw), ..] = numbers()? else { return None };
                ExternalChange::Command(vehicle, Action::Teleport(Pose2 { x, y, yaw }))
            }
            SETPOINTS => {
                let [speed, steering_angle, ..] = numbers()?;
                ExternalChange::Command(vehicle, Action::Setpoints { speed, steering_angle })
            }
            "reset" => return Some(Change::Reset),
            "end" => return Some(Change::End),
            "other" => return Some(Change::Other(first.to_owned())),
            "command_timeout" => ExternalChange::CommandTimeout(optional::<i64>(first)?.map(SimTime)),
            "range_noise" => ExternalChange::RangeNoise(optional(first)?),
            "no_return" if first.is_empty() => ExternalChange::NoReturn(None),
            "no_return" => ExternalChange::NoReturn(Some(NoReturn::NAMES.iter().find(|(name, _)| *name == first)?.1)),
            "parallel_steer" => ExternalChange::ParallelSteer(optional(first)?),
            "tune" => ExternalChange::Tune(vehicle, first.to_owned(), values.get(1)?.parse().ok()?),
            kind => ExternalChange::Command(vehicle, (CommandKind::named(kind)?.action)(&numbers()?)),
        }))
    }
}

/// A number that may be omitted, as [`optional`] reads it.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A value that may be omitted; outer none: it is none.
pub(super) fn optional<T: std::str::FromStr>(text: &str) -> Option<Option<T>> {
    if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
}

impl From<ExternalChange> for Change {
    fn from(change: ExternalChange) -> Change {
        match change {
            ExternalChange::Other(words) => Change::Other(words.to_owned()),
            change => Change::World(change),
        }
    }
}

impl TimedChange {
    /// Its line, without a line break behind it; XML that was spawned may have some within its quotes.
    pub fn line(&self) -> String {
        let (keyword, vehicle, values) = self.change.words();
        let head = [self.step.to_string(), keyword.to_owned(), vehicle.to_owned()];
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        // Writing to memory does not fail.
        let written = writer.write_record(head.iter().chain(&values)).ok().and_then(|()| writer.into_inner().ok());
        String::from_utf8(written.unwrap_or_default()).unwrap_or_default().trim_end_matches('\n').to_owned()
    }

    /// The changes in the lines of `text`, in their order.
    ///
    /// # Errors
    /// A line is not understood; the text is that line.
    pub fn parse_all(text: &[u8]) -> Result<Vec<TimedChange>, String> {
        let mut reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text);
        let mut all = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let words: Vec<&str> = record.iter().collect();
            let parsed = || match words.as_slice() {
                [step, keyword, vehicle, values @ ..] => {
                    Some(TimedChange { step: step.parse().ok()?, change: Change::parse(keyword, vehicle, values)? })
                }
                _ => None,
            };
            all.push(parsed().ok_or_else(|| words.join(","))?);
        }
        Ok(all)
    }
}

impl Run<'_> {
    /// Tells the sinks of a change, which acts before the next step.
    pub(super) fn tell(&mut self, change: Change) {
        let timed_change = TimedChange { step: self.steps, change };
        self.sinks.call_all(|sink| sink.changed(&timed_change));
    }

    /// Makes the changes that an earlier run had before its next step.
    pub(super) fn repeat_changes(&mut self) {
        let steps = self.steps;
        while self.settings.timed_changes.front().is_some_and(|next| next.step <= steps) {
            let Some(next) = self.settings.timed_changes.pop_front() else { return };
            let done = match (next.change.request(&self.scene), next.change) {
                (Ok(Some(request)), _) => self.carry_out(request, false),
                (Ok(None), Change::World(change)) => {
                    // By the way it came: the sinks learn of bodies that have come or gone, and of time that was set back.
                    let again = Message::Visitor(Box::new(move |visit| {
                        if let Err(refusal) = external_change::repeat(&change, visit.world) {
                            tracing::warn!("step {steps}: {refusal}");
                        }
                    }));
                    self.receive(again, false);
                    Ok(())
                }
                (Ok(None), _) => Ok(()),
                (Err(refusal), _) => Err(refusal),
            };
            if let Err(refusal) = done {
                tracing::warn!("step {steps}: {refusal}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose3, Twist2, Vec2};
    use skidpad_sim::vehicle::{COMMANDS, GearLever, Pedals, RateLimits, WheelTargets};
    use skidpad_sim::world::actor::ActorOrder;
    use skidpad_sim::world::{
        AppliedWrench, CommandLink, OdometryOnTeleport, ResetScope, SensorFault, SpawnRequest, SpawnSource, Spot,
        Touched,
    };

    use super::*;

    /// Every kind of command among them, with numbers that have no short decimal form.
    fn changes() -> Vec<Change> {
        let (a, b) = (0.1 + 0.2, -1.0 / 3.0);
        let pose = Pose3 { x: a, y: b, z: -0.0, yaw: a, pitch: b, roll: 0.0 };
        let (pose, near) = (Some(Spot::from(pose)), Some(Spot::near(pose)));
        let spawned = |source: SpawnSource, pose| {
            Change::World(ExternalChange::Spawn(SpawnRequest { name: "c, d".into(), source, pose }))
        };
        let limits = RateLimits { acceleration: a, steering_rate: 0.0 };
        let pedals = Pedals { throttle: a, brake: 0.0, gear: GearLever::Reverse };
        let actions = [
            Action::Twist(Twist2::new(a, -0.0, b)),
            Action::Ackermann { speed: a, steering_angle: b },
            Action::LimitedAckermann { speed: a, steering_angle: b, limits },
            Action::Setpoints { speed: None, steering_angle: Some(b) },
            Action::SteeringRate { speed: a, steering_rate: b },
            Action::SideSpins([a, b]),
            Action::Pedals { pedals, steering_angle: b },
            Action::Wheels(WheelTargets {
                spin: [None, Some(a), None, Some(5e-324)],
                torque: [Some(b), None, None, None],
                hinge: [Some(b), None],
            }),
            Action::Teleport(Pose2 { x: a, y: 1e300, yaw: b }),
        ];
        for kind in &COMMANDS {
            assert!(actions.iter().any(|action| action.kind().is_some_and(|(other, _)| other.name == kind.name)));
        }
        let commands = actions
            .into_iter()
            .map(|action| Change::World(ExternalChange::Command("car, \"the\" first".into(), action)));
        commands
            .chain([
                Change::Reset,
                Change::End,
                Change::World(ExternalChange::CommandTimeout(None)),
                Change::World(ExternalChange::CommandTimeout(Some(SimTime(123_456_789)))),
                Change::World(ExternalChange::RangeNoise(Some(a))),
                Change::World(ExternalChange::RangeNoise(None)),
                Change::World(ExternalChange::NoReturn(Some(NoReturn::NAMES[0].1))),
                Change::World(ExternalChange::NoReturn(None)),
                Change::World(ExternalChange::ParallelSteer(Some(true))),
                Change::World(ExternalChange::ParallelSteer(None)),
                Change::World(ExternalChange::Tune("r1".into(), "KP".into(), b)),
                Change::World(ExternalChange::State("b".into(), pose, None)),
                Change::World(ExternalChange::State("b".into(), near, Some(Twist2::new(a, 0.0, b)))),
                Change::World(ExternalChange::State("b".into(), None, Some(Twist2::new(b, 0.0, a)))),
                spawned(SpawnSource::Class("crate".into()), None),
                spawned(SpawnSource::File("a/b.xml".into()), pose),
                spawned(SpawnSource::File("a/b.xml".into()), near),
                spawned(
                    SpawnSource::Xml { text: "<a b=\"c\">\n, d</a>".into(), directory: ".".into(), label: "l".into() },
                    pose,
                ),
                Change::World(ExternalChange::Remove("b".into())),
                Change::World(ExternalChange::Reset(ResetScope::ALL)),
                Change::World(ExternalChange::OdometryOnTeleport(OdometryOnTeleport::Reset)),
                Change::World(ExternalChange::CommandTimeoutOf("r1".into(), None)),
                Change::World(ExternalChange::CommandTimeoutOf("r1".into(), Some(None))),
                Change::World(ExternalChange::CommandTimeoutOf("r1".into(), Some(Some(SimTime(5))))),
                Change::World(ExternalChange::RangeNoiseOf("r1".into(), Some(a))),
                Change::World(ExternalChange::RangeNoiseOf("r1".into(), None)),
                Change::World(ExternalChange::CommandLink("r1".into(), CommandLink { latency: SimTime(7), loss: a })),
                Change::World(ExternalChange::SensorFault(
                    "r1".into(),
                    "sc, an".into(),
                    SensorFault { is_off: true, loss: a },
                )),
                Change::World(ExternalChange::OdometryScale("r1".into(), [a, b, 1.0])),
                Change::World(ExternalChange::Actor("w".into(), ActorOrder::Stand)),
                Change::World(ExternalChange::Actor("w".into(), ActorOrder::Go)),
                Change::World(ExternalChange::Actor(
                    "w".into(),
                    ActorOrder::Send { to: vec![[a, b], [0.0, 1e300]], is_run: true },
                )),
                Change::World(ExternalChange::Wrench(
                    "crate, 1".into(),
                    AppliedWrench {
                        force: Vec2::new(a, b),
                        torque: -a,
                        turns_with_body: true,
                        point_in_body: Some(Vec2::new(b, a)),
                        duration: SimTime(7),
                    },
                )),
                Change::World(ExternalChange::Wrench("r1".into(), AppliedWrench::default())),
                Change::World(ExternalChange::Amend {
                    text: "<w>\r\n, \"d\"\n</w>\n".into(),
                    touched: Touched {
                        moved_bodies: vec!["a".into(), "b, c".into()],
                        rebuilt_bodies: vec!["d".into()],
                    },
                }),
                Change::World(ExternalChange::Amend { text: String::new(), touched: Touched::default() }),
                Change::Other("a body was moved, twice".into()),
            ])
            .collect()
    }

    #[test]
    fn every_change_reads_back_to_the_bit() {
        let all: Vec<TimedChange> =
            changes().into_iter().zip(7..).map(|(change, step)| TimedChange { step, change }).collect();
        let text: String = all.iter().map(|change| change.line() + "\n").collect();
        assert_eq!(TimedChange::parse_all(text.as_bytes()).unwrap(), all);
        assert!(text.starts_with("7,twist,\"car, \"\"the\"\" first\",0.30000000000000004,-0,"), "{text}");
        let bits = |all: &[TimedChange]| match &all[0].change {
            Change::World(ExternalChange::Command(_, Action::Twist(twist))) => twist.vy.to_bits(),
            _ => 0,
        };
        assert_eq!(bits(&TimedChange::parse_all(text.as_bytes()).unwrap()), (-0.0_f64).to_bits());
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for bad in [
            "x,reset,",
            "1,jump,r1",
            "1,teleport,r1,1,2",
            "1,twist,r1,a",
            "1",
            "1,tune,r1,KP",
            "1,state,r1,1,,,,,,,,",
            "1,spawn,r1,what,a,,,,,,,,",
            "1,actor,w,walk,1",
            "1,sensor_fault,r1,scan,off",
        ] {
            assert_eq!(TimedChange::parse_all(bad.as_bytes()).unwrap_err(), bad);
        }
    }
}
