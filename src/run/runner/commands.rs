//! Commands from a file: reproducible driving without ROS.
//!
//! A CSV file with one of these headers, whose columns behind the second [`COMMANDS`] lists:
//!
//! ```text
//! time,vehicle,v,omega                   a twist: forward speed [m/s] and yaw rate [rad/s]
//! time,vehicle,vx,vy,omega               the same with the speed to the left [m/s], for vehicles that move sideways
//! time,vehicle,speed,steering_angle      speed [m/s] and equivalent single-track steering angle [rad]
//! time,vehicle,speed,steering_angle,acceleration,steering_rate   the same, approached no faster than so [m/s²], [rad/s]; 0: at once
//! time,vehicle,speed,steering_rate       speed [m/s], and rate of the steering angle until the lock [rad/s]
//! time,vehicle,left,right                speeds of the left and the right wheels of a vehicle that steers by them [rad/s]
//! time,vehicle,throttle,brake,gear,steering_angle   pedals [-] from 0 to 1, drive, neutral or reverse, and [rad]
//! ```
//!
//! `time` is simulated time [s], ≥ 0; the rows of each vehicle are ordered by time, and rows of the same time are applied in file order.
//! `vehicle` may be empty when the world has one vehicle. Lines that start with `#` are comments. A command is applied at the first step
//! that starts at or after its time and holds until the next.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use skidpad_files::counted::counted;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file::{self, csv_error, csv_line};
use skidpad_math::time::SimTime;
use skidpad_sim::vehicle::{
    Action, COMMANDS, Command, CommandFault, CommandField, CommandKind, CommandNumbers, CommandRange, GearLever,
    field_of_column,
};
use skidpad_sim::world::Scene;

/// Longest file of commands [bytes]: a day of them at 50 Hz.
const MAX_BYTES: u64 = 256 << 20;

/// Commands in order of time, and how many have been consumed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandSchedule {
    commands: Vec<(SimTime, Command)>,
    next: usize,
    /// Names of the vehicles in the commands' numbering, and the current index of each.
    vehicles: Vec<(String, Option<usize>)>,
}

impl CommandSchedule {
    /// Reads the file at `path` for the vehicles of `scene`. All problems of the file are reported together.
    pub fn read(path: &Path, scene: &Scene) -> Result<CommandSchedule, CommandFileError> {
        let name = path.display().to_string();
        let text = input_file::open_stream(path).and_then(|file| input_file::read_to_end(file, MAX_BYTES));
        match text {
            Ok(text) => CommandSchedule::parse(&name, text.as_slice(), scene),
            Err(error) => Err(CommandFileError(vec![FileError::read(path, error).into()])),
        }
    }

    /// Reads commands from `text`; `name` identifies the file in messages.
    pub fn parse(name: &str, text: impl Read, scene: &Scene) -> Result<CommandSchedule, CommandFileError> {
        let mut reader = ReaderBuilder::new()
            .trim(Trim::All)
            .flexible(true)
            .comment(Some(b'#'))
            .has_headers(false)
            .from_reader(text);
        let mut records = reader.records();
        let mut problems = Vec::new();
        let mut commands = Vec::new();
        // Time and line of the last row of each vehicle.
        let mut last = BTreeMap::new();
        let format = match records.next() {
            Some(Ok(record)) => Format::of(&record).ok_or_else(|| {
                let header = record.iter().collect::<Vec<_>>().join(",");
                Diagnostic::new(format!("{name}:{}", csv_line(&record)), format!("unknown header \"{header}\""))
            }),
            Some(Err(error)) => Err(csv_error(name, &error).into()),
            None => Err(Diagnostic::new(format!("{name}:1"), "no header")),
        };
        let format = format
            .map_err(|problem| CommandFileError(vec![problem.accepted_all(formats().map(|format| format.header))]))?;
        for record in records {
            let row = match &record {
                Ok(record) => {
                    format.command(record, scene).map_err(|problem| problem.at(format!("{name}:{}", csv_line(record))))
                }
                Err(error) => Err(csv_error(name, error).into()),
            };
            match row {
                Ok((time, command)) => {
                    let line = record.as_ref().map_or(0, csv_line);
                    let before = last.insert(command.vehicle, (time, line));
                    problems.extend(before.filter(|(before, _)| time < *before).map(|(before, at)| {
                        let [time, before] = [time, before].map(SimTime::secs);
                        let found = format!("time {time} is earlier than {before} in line {at}");
                        Diagnostic::new(format!("{name}:{line}"), found)
                            .accepted("the rows of each vehicle in order of time")
                    }));
                    commands.push((time, command));
                }
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(CommandFileError(problems));
        }
        commands.sort_by_key(|(time, _)| *time);
        let vehicles = scene.vehicles.iter().enumerate();
        let vehicles = vehicles.map(|(index, vehicle)| (vehicle.name.clone(), Some(index))).collect();
        Ok(CommandSchedule { commands, next: 0, vehicles })
    }

    /// Takes the next command that is due at simulated time `now` [ns]; call it until there is none.
    pub fn take_due(&mut self, now: SimTime) -> Option<Command> {
        loop {
            let (time, command) = *self.commands.get(self.next)?;
            if time > now {
                return None;
            }
            self.next += 1;
            // Commands to removed vehicles are dropped.
            if let Some(vehicle) = self.vehicles.get(command.vehicle).and_then(|(_, index)| *index) {
                return Some(Command { vehicle, ..command });
            }
        }
    }

    /// To be called when vehicles have been added or removed: commands go to those of the same names.
    pub fn follow(&mut self, scene: &Scene) {
        self.vehicles.iter_mut().for_each(|(name, index)| *index = scene.vehicle_index(name));
    }

    /// To be called when simulated time has been set to `now` [ns]: commands from then on are due again.
    pub fn rewind(&mut self, now: SimTime) {
        self.next = self.commands.partition_point(|(time, _)| *time < now);
    }

    /// Whether this vehicle is commanded at any time.
    pub(crate) fn commands_vehicle(&self, vehicle: usize) -> bool {
        let names_vehicle = |number: usize| self.vehicles.get(number).is_some_and(|(_, index)| *index == Some(vehicle));
        self.commands.iter().any(|(_, command)| names_vehicle(command.vehicle))
    }

    /// The largest speed that this vehicle is commanded [m/s]. None if no command has one.
    pub fn largest_speed(&self, vehicle: usize) -> Option<f64> {
        let names_vehicle = |number: usize| self.vehicles.get(number).is_some_and(|(_, index)| *index == Some(vehicle));
        let commands = self.commands.iter().filter(|(_, command)| names_vehicle(command.vehicle));
        commands.filter_map(|(_, command)| command.action.speed()).reduce(f64::max)
    }

    /// Number of commands.
    pub fn len(&self) -> usize {
        self.commands.len()
    }

    /// True when there are no commands.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }
}

/// The problems of a commands file, in the order of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandFileError(pub Vec<Diagnostic>);

impl CommandFileError {
    /// Most problems that are listed: a larger number usually has one cause.
    const MAX_PROBLEMS: usize = 20;
}

impl From<&CommandFileError> for Diagnostics {
    fn from(CommandFileError(all): &CommandFileError) -> Diagnostics {
        let more = all.len().saturating_sub(CommandFileError::MAX_PROBLEMS);
        let more = (more > 0).then(|| Diagnostic::of(format!("and {} of this file", counted(more, "more problem"))));
        all.iter().take(CommandFileError::MAX_PROBLEMS).cloned().chain(more).collect()
    }
}

errors_by_parts!(CommandFileError);

/// A kind of commands file.
struct Format {
    kind: &'static CommandKind,
    /// Its columns after `time` and `vehicle`, separated by commas.
    columns: &'static str,
    /// All of its columns.
    header: String,
}

/// Every kind of commands file.
fn formats() -> impl Iterator<Item = Format> {
    let format = |kind, columns| Format { kind, columns, header: format!("{HEAD},{columns}") };
    COMMANDS.iter().flat_map(move |kind| kind.columns.iter().map(move |columns| format(kind, columns)))
}

/// Columns of each file in front of the numbers.
const HEAD: &str = "time,vehicle";

/// The text as a number; `column` is its place in messages.
fn number(column: &str, text: &str) -> Result<f64, Diagnostic> {
    let number = text.parse::<f64>().ok().filter(|value| value.is_finite());
    let refused = || Diagnostic::of(format!("{column} \"{text}\" is not a number")).accepted("a finite number");
    number.ok_or_else(refused)
}

impl Format {
    fn of(record: &StringRecord) -> Option<Format> {
        formats().find(|format| record.iter().eq(format.header.split(',')))
    }

    /// The field that a column holds, with the place of its number.
    fn field(&self, column: &str) -> Option<(usize, &'static CommandField)> {
        self.kind.places().find(|(_, field)| field.name == field_of_column(column))
    }

    /// The columns whose numbers only [`Action::MAX_NUMBER`] bounds, for messages.
    fn unbounded(&self) -> String {
        let is_unbounded = |column: &&str| {
            self.field(column).is_some_and(|(_, field)| matches!(field.range, CommandRange::Any | CommandRange::Limit))
        };
        let names: Vec<&str> = self.columns.split(',').filter(is_unbounded).collect();
        match names.as_slice() {
            [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
            _ => names.join(""),
        }
    }

    /// The command of a row, whose numbers begin with the third field.
    fn action(&self, record: &StringRecord) -> Result<Action, Diagnostic> {
        let mut numbers = CommandNumbers::default();
        for (column, text) in self.columns.split(',').zip(record.iter().skip(2)) {
            let Some((place, field)) = self.field(column) else { continue };
            numbers[place] = Some(match field.range {
                CommandRange::Gear => GearLever::place_of(text).ok_or_else(|| {
                    Diagnostic::of(format!("gear \"{text}\" is not known")).accepted(GearLever::names())
                })? as f64,
                _ => number(column, text)?,
            });
        }
        Ok((self.kind.action)(&numbers))
    }

    /// Time and command of a row.
    fn command(&self, record: &StringRecord, scene: &Scene) -> Result<(SimTime, Command), Diagnostic> {
        let header = &self.header;
        if record.len() != header.split(',').count() {
            let problem = match header.split(',').nth(record.len()) {
                Some(missing) => format!("no column \"{missing}\""),
                None => counted(record.len(), "column"),
            };
            return Err(Diagnostic::of(problem).accepted(header));
        }
        let time = number("time", &record[0])?;
        if !(0.0..=9e9).contains(&time) {
            return Err(Diagnostic::of(format!("time {time} is out of range")).accepted("0 to 9e9 [s]"));
        }
        let vehicle = vehicle(&record[1], scene)?;
        let action = self.action(record)?;
        match action.fault() {
            None => {}
            Some(CommandFault::TooLarge) => {
                let found = format!("{} is more than any vehicle can do", self.unbounded());
                return Err(Diagnostic::of(found).accepted(format!("up to {}", Action::MAX_NUMBER)));
            }
            Some(fault) => return Err(fault.explained()),
        }
        let info = &scene.vehicles[vehicle];
        if !(self.kind.accepted)(&info.accepts) {
            let accepted_formats = formats().filter(|other| (other.kind.accepted)(&info.accepts));
            let accepted_formats: Vec<String> = accepted_formats.map(|other| other.header).collect();
            let refused = Diagnostic::of(format!("the controller of \"{}\" takes no {header}", info.name));
            return Err(match accepted_formats.as_slice() {
                [] => refused.accepted("none, its controller is driven by hand"),
                formats => refused.accepted_all(formats),
            });
        }
        Ok((SimTime::from_secs(time), Command { vehicle, action }))
    }
}

/// The vehicle of that name; the only one for an empty name.
fn vehicle(name: &str, scene: &Scene) -> Result<usize, Diagnostic> {
    if name.is_empty() && scene.vehicles.len() == 1 {
        return Ok(0);
    }
    scene.vehicle_index(name).ok_or_else(|| {
        let names: Vec<&str> = scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect();
        let unknown = Diagnostic::of(format!("unknown vehicle \"{name}\""));
        match names.as_slice() {
            [] => unknown.accepted("none, the world has no vehicle"),
            names => unknown.one_of(name, names),
        }
    })
}

#[cfg(test)]
mod tests {
    use skidpad_math::Twist2;
    use skidpad_sim::vehicle::{Accepts, Pedals, RateLimits};
    use skidpad_sim::world::{LoadOptions, World};

    use super::*;

    /// Vehicles that take twists, or speed and steering angle where the name starts with `ack`, or pedals where it starts
    /// with `ped`.
    fn scene(names: &[&str]) -> Scene {
        let vehicle = |name: &&str| {
            format!(
                "<vehicle name=\"{name}\"><init_pose>0 0 0</init_pose>\
                 <dynamics class=\"differential\"><controller class=\"twist_pid\"/></dynamics></vehicle>"
            )
        };
        let vehicles: String = names.iter().map(vehicle).collect();
        let text = format!("<mvsim_world version=\"1.0\">{vehicles}</mvsim_world>");
        let (world, _) = World::load_text("test", Path::new("."), &text, &LoadOptions::default()).unwrap();
        let mut scene = world.scene().as_ref().clone();
        for vehicle in scene.vehicles.iter_mut().filter(|vehicle| vehicle.name.starts_with("ack")) {
            vehicle.accepts = Accepts { ackermann: true, ..Accepts::default() };
        }
        for vehicle in scene.vehicles.iter_mut().filter(|vehicle| vehicle.name.starts_with("ped")) {
            vehicle.accepts = Accepts { pedals: true, ..Accepts::default() };
        }
        scene
    }

    fn parse(text: &str, names: &[&str]) -> Result<CommandSchedule, String> {
        CommandSchedule::parse("c.csv", text.as_bytes(), &scene(names)).map_err(|error| error.to_string())
    }

    #[test]
    fn pipes_are_refused_by_name_and_readable_when_passed_open() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        skidpad_test_support::fifo::make_fifo(&fifo);
        let message = CommandSchedule::read(&fifo, &Scene::default()).unwrap_err().to_string();
        assert!(message.ends_with("fifo: cannot be read: it is a FIFO\n  accepted: a regular file"), "{message}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(writer);
        let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        let message = CommandSchedule::read(Path::new(&path), &Scene::default()).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{path}:1: no header")), "{message}");
    }

    #[test]
    fn each_row_is_taken_once_at_its_time() {
        let text = "time,vehicle,v,omega\n1,r2,1,0.5\n# a comment\n0,r1,2,0\n2,r1,3,0\n";
        let mut schedule = parse(text, &["r1", "r2"]).unwrap();
        let twist = |vehicle, v, w| Some(Command { vehicle, action: Action::Twist(Twist2::new(v, 0.0, w)) });
        assert_eq!(schedule.take_due(SimTime::ZERO), twist(0, 2.0, 0.0));
        assert_eq!(schedule.take_due(SimTime::ZERO), None);
        assert_eq!(schedule.take_due(SimTime::from_secs(1.999)), twist(1, 1.0, 0.5));
        assert_eq!(schedule.take_due(SimTime::from_secs(1.999)), None);
        assert_eq!(schedule.take_due(SimTime::from_secs(2.0)), twist(0, 3.0, 0.0));
        assert_eq!(schedule.take_due(SimTime::from_secs(9.0)), None);
    }

    #[test]
    fn commands_follow_vehicle_names_through_removal_and_addition() {
        let vehicle = |name: &str| skidpad_sim::world::VehicleInfo { name: name.into(), ..Default::default() };
        let scene =
            |names: &[&str]| Scene { vehicles: names.iter().map(|name| vehicle(name)).collect(), ..Scene::default() };
        let mut schedule = parse("time,vehicle,v,omega\n0,r1,1,0\n0,r2,2,0\n1,r1,3,0\n", &["r1", "r2"]).unwrap();
        schedule.follow(&scene(&["r2"]));
        let twist = |vehicle, v| Some(Command { vehicle, action: Action::Twist(Twist2::new(v, 0.0, 0.0)) });
        assert_eq!((schedule.commands_vehicle(0), schedule.commands_vehicle(1)), (true, false));
        assert_eq!(schedule.take_due(SimTime::ZERO), twist(0, 2.0));
        schedule.follow(&scene(&["x", "r2", "r1"]));
        assert_eq!(schedule.take_due(SimTime::from_secs(1.0)), twist(2, 3.0));
    }

    #[test]
    fn ackermann_commands_have_their_own_header_and_an_empty_name_means_the_only_vehicle() {
        let mut schedule = parse("time,vehicle,speed,steering_angle\n0,,2,-0.1\n", &["ack"]).unwrap();
        let action = Action::Ackermann { speed: 2.0, steering_angle: -0.1 };
        assert_eq!(schedule.take_due(SimTime::ZERO), Some(Command { vehicle: 0, action }));
    }

    #[test]
    fn pedals_and_gear_lever_have_their_own_header() {
        let head = "time,vehicle,throttle,brake,gear,steering_angle\n";
        let mut schedule = parse(&format!("{head}0,,0.5,0.25,reverse,-0.1\n1,,0,1,neutral,0\n"), &["ped"]).unwrap();
        let command = |throttle, brake, gear, steering_angle| {
            let action = Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle };
            Some(Command { vehicle: 0, action })
        };
        assert_eq!(schedule.take_due(SimTime::ZERO), command(0.5, 0.25, GearLever::Reverse, -0.1));
        assert_eq!(schedule.take_due(SimTime::from_secs(1.0)), command(0.0, 1.0, GearLever::Neutral, 0.0));
        let cases: [(&str, &str); 6] = [
            ("0,ped,1.1,0,drive,0", "c.csv:2: throttle 1.1 is out of range\n  accepted: 0 to 1"),
            ("0,ped,0,-1,drive,0", "c.csv:2: brake -1 is out of range\n  accepted: 0 to 1"),
            ("0,ped,0,0,park,0", "c.csv:2: gear \"park\" is not known\n  accepted: drive, neutral, reverse"),
            (
                "0,ped,0,0,drive,1e7",
                "c.csv:2: steering_angle is more than any vehicle can do\n  accepted: up to 1000000",
            ),
            ("0,ped,0,0", "c.csv:2: no column \"gear\"\n  accepted: time,vehicle,throttle,brake,gear,steering_angle"),
            (
                "0,r1,0,0,drive,0",
                "c.csv:2: the controller of \"r1\" takes no time,vehicle,throttle,brake,gear,steering_angle\n  \
                 accepted: time,vehicle,v,omega, time,vehicle,vx,vy,omega, time,vehicle,left,right",
            ),
        ];
        for (row, message) in cases {
            assert_eq!(parse(&format!("{head}{row}\n"), &["r1", "ped"]).unwrap_err(), message);
        }
    }

    #[test]
    fn limits_rates_and_wheel_speeds_have_their_own_headers() {
        let taken = |text: &str, name| parse(text, &[name]).unwrap().take_due(SimTime::ZERO).unwrap().action;
        let limits = RateLimits { acceleration: 3.0, steering_rate: 0.5 };
        assert_eq!(
            taken("time,vehicle,speed,steering_angle,acceleration,steering_rate\n0,,2,-0.1,3,0.5\n", "ack"),
            Action::LimitedAckermann { speed: 2.0, steering_angle: -0.1, limits }
        );
        assert_eq!(
            taken("time,vehicle,speed,steering_rate\n0,,2,-0.1\n", "ack"),
            Action::SteeringRate { speed: 2.0, steering_rate: -0.1 }
        );
        assert_eq!(taken("time,vehicle,vx,vy,omega\n0,,1,-2,0.5\n", "r1"), Action::Twist(Twist2::new(1.0, -2.0, 0.5)));
        assert_eq!(taken("time,vehicle,left,right\n0,,2,-1\n", "r1"), Action::SideSpins([2.0, -1.0]));
        let negative = "time,vehicle,speed,steering_angle,acceleration,steering_rate\n0,,2,0,-3,0\n";
        assert_eq!(
            parse(negative, &["ack"]).unwrap_err(),
            "c.csv:2: acceleration -3 is negative\n  accepted: 0 (as fast as possible) or more"
        );
    }

    #[test]
    fn every_problem_is_reported_with_its_line_and_the_accepted_values() {
        let head = "time,vehicle,v,omega\n";
        let cases: [(&str, &str); 9] = [
            ("0,r3,1,0", "c.csv:2: unknown vehicle \"r3\"\n  accepted: r1, r2, ack"),
            ("0,,1,0", "c.csv:2: unknown vehicle \"\"\n  accepted: r1, r2, ack"),
            ("0,r1,NaN,0", "c.csv:2: v \"NaN\" is not a number\n  accepted: a finite number"),
            ("0,r1,1,-1e7", "c.csv:2: v or omega is more than any vehicle can do\n  accepted: up to 1000000"),
            ("0,r1,1,fast", "c.csv:2: omega \"fast\" is not a number\n  accepted: a finite number"),
            ("0,r1,1", "c.csv:2: no column \"omega\"\n  accepted: time,vehicle,v,omega"),
            ("0,r1,1,0,9", "c.csv:2: 5 columns\n  accepted: time,vehicle,v,omega"),
            ("-1,r1,1,0", "c.csv:2: time -1 is out of range\n  accepted: 0 to 9e9 [s]"),
            (
                "0,ack,1,0",
                "c.csv:2: the controller of \"ack\" takes no time,vehicle,v,omega\n  accepted: time,vehicle,speed,steering_rate, \
                 time,vehicle,speed,steering_angle, time,vehicle,speed,steering_angle,acceleration,steering_rate",
            ),
        ];
        for (row, message) in cases {
            assert_eq!(parse(&format!("{head}{row}\n"), &["r1", "r2", "ack"]).unwrap_err(), message);
        }
    }

    #[test]
    fn rows_of_a_vehicle_must_be_ordered_by_time() {
        let error =
            parse("time,vehicle,v,omega\n1,r1,1,0\n0.5,r2,1,0\n0.25,r1,0,0\n0.3,r1,1,0\n0.1,r2,1,0\n", &["r1", "r2"]);
        let accepted = "accepted: the rows of each vehicle in order of time";
        assert_eq!(
            error.unwrap_err(),
            format!(
                "c.csv:4: time 0.25 is earlier than 1 in line 2\n  {accepted}\nc.csv:6: time 0.1 is earlier than 0.5 in line 3\n  {accepted}"
            )
        );
    }

    #[test]
    fn a_file_without_a_known_header_is_refused() {
        let accepted = "\n  accepted: time,vehicle,v,omega, time,vehicle,vx,vy,omega, time,vehicle,speed,steering_rate, \
                        time,vehicle,speed,steering_angle, time,vehicle,speed,steering_angle,acceleration,steering_rate, \
                        time,vehicle,left,right, \
                        time,vehicle,throttle,brake,gear,steering_angle";
        assert_eq!(parse("t,v\n0,1\n", &["r1"]).unwrap_err(), format!("c.csv:1: unknown header \"t,v\"{accepted}"));
        assert_eq!(parse("", &["r1"]).unwrap_err(), format!("c.csv:1: no header{accepted}"));
    }

    #[test]
    fn problems_are_reported_together_up_to_a_limit() {
        let text = format!("time,vehicle,v,omega\n{}", "0,x,1,0\n".repeat(30));
        let message = parse(&text, &["r1"]).unwrap_err();
        assert_eq!(message.matches("unknown vehicle").count(), 20);
        assert!(message.ends_with("and 10 more problems of this file"));
    }
}
