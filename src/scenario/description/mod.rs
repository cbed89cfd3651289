//! What a scenario is: the config of an experiment, with what happens when (`events`), what must hold (`expect`), and how often it is run.
//!
//! One reading of the file serves all sections, so that each mistake has its line and column: keys of a scenario are taken out of those that an
//! experiment knows, and the rest goes to [`ExperimentConfig`].

mod sections;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_math::time::Rate;
use skidpad_metrics::experiment::{Axis, ExperimentConfig, ExperimentError};
use skidpad_metrics::yaml::{self, Refused};

pub use sections::{OWN_KEYS, Seeds};

use self::sections::Sections;
use crate::beside::{self, Bag, Beside, Neighbour, Ready, ReadyWords};
use crate::events::Event;
use crate::expect::Expected;

/// Longest file [bytes].
const MAX_BYTES: u64 = 1 << 20;
/// Longest run, unless the scenario says otherwise [wall s].
const TIMEOUT: f64 = 300.0;
/// Most seeds.
const MAX_SEEDS: usize = 10_000;

/// A scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its file.
    pub file: PathBuf,
    /// World, vehicle, controller, start, duration and what is varied; its name is the scenario's.
    pub experiment: ExperimentConfig,
    /// What happens when, in the order of the file.
    pub events: Vec<Event>,
    /// What must hold, in the order of the file; at least one, unless an event must happen.
    pub expect: Vec<Expected>,
    /// Seeds that it is run with, each once; empty: that of the experiment.
    pub seeds: Vec<u64>,
    /// Longest wall time of a run [s].
    pub timeout: f64,
    /// What is started beside it, in the order of the file.
    pub beside: Vec<Beside>,
    /// The recordings that are played beside it, in the order of the file.
    pub bags: Vec<Bag>,
    /// What has to be there before its time begins; none: nothing.
    pub ready: Option<Ready>,
    /// Its period of lockstep [s]; none: time does not wait for commands, unless a ROS controller leads the vehicle.
    pub lockstep: Option<f64>,
    /// The speed of its time where processes are beside it; none: as fast as possible in lockstep, or else real time.
    pub pace: Option<Rate>,
    /// Parameters of its node.
    pub parameters: BTreeMap<String, String>,
}

impl Scenario {
    /// Reads the scenario at `path`, and sets `settings`, each a name and a value, in its experiment.
    ///
    /// # Errors
    /// It cannot be read, is not YAML, has unknown keys or values that are not accepted; all mistakes with their lines.
    pub fn load(path: &Path, settings: &[(String, String)]) -> Result<Scenario, Diagnostics> {
        let text = input_file::read_text(path, MAX_BYTES)
            .map_err(|error| Diagnostics::from(Diagnostic::from(FileError::read(path, error))))?;
        Scenario::parse(path, &text, settings)
    }

    /// Reads a scenario from the text of the file at `path`.
    ///
    /// # Errors
    /// As [`load`](Scenario::load).
    pub fn parse(path: &Path, text: &str, settings: &[(String, String)]) -> Result<Scenario, Diagnostics> {
        let (name, folder) = (path.display().to_string(), path.parent().unwrap_or(Path::new("")));
        let Sections { mut experiment, events, expect, seeds, timeout, beside, ready, lockstep, pace, parameters } =
            yaml::read_all(&name, text, |sections: &mut Sections| {
                let mut refused = sections.experiment.complete(folder, settings);
                refused.extend(sections.check());
                refused.extend(sections.check_processes(folder));
                refused
            })?;
        experiment.find_files(&name, folder);
        if experiment.name.is_empty() {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            experiment.name = stem.strip_suffix(".scenario").unwrap_or(&stem).to_owned();
        }
        if expect.0.is_empty() && !events.iter().any(|(event, _)| event.must_happen) {
            let message = Diagnostic::new(&name, "nothing must hold: the section expect is missing or empty");
            return Err(message.hint("expect: {collisions: {at_most: 0}}").into());
        }
        let place = |at: (usize, usize)| format!("{name}:{}:{}", at.0, at.1);
        let (mut processes, mut bags) = (Vec::new(), Vec::new());
        for (words, place) in &beside {
            match words.read(folder, *place) {
                Ok(Neighbour::Process(process)) => processes.push(process),
                Ok(Neighbour::Bag(bag)) => bags.push(bag),
                // What is refused has been told.
                Err(_) => {}
            }
        }
        Ok(Scenario {
            file: path.to_path_buf(),
            events: events.into_iter().map(|event| Event::new(event.0, place(event.1))).collect(),
            expect: expect.0,
            seeds: seeds.map_or_else(Vec::new, |seeds| seeds.all(experiment.seed)),
            timeout: timeout.unwrap_or(TIMEOUT),
            beside: processes,
            bags,
            ready: ready.map(ReadyWords::read),
            lockstep,
            parameters,
            pace: pace.and_then(|pace| beside::pace(&pace).ok()),
            experiment,
        })
    }

    /// What it is multiplied by: the axes of its experiment, and its seeds.
    pub fn axes(&self) -> skidpad_metrics::experiment::Axes {
        let mut axes = self.experiment.vary.clone();
        if !self.seeds.is_empty() {
            let values = self.seeds.iter().map(|seed| vec![seed.to_string()]).collect();
            axes.0.push(Axis { keys: vec!["seed".to_owned()], values, written: None });
        }
        axes
    }

    /// Whether its runs with this config have processes beside them, which need ROS.
    pub fn is_in_company(&self, config: &ExperimentConfig) -> bool {
        let has_keys =
            !self.beside.is_empty() || !self.bags.is_empty() || self.ready.is_some() || self.lockstep.is_some();
        has_keys || !self.parameters.is_empty() || config.has_controller()
    }

    /// The parameters, `name:=value`, of the node of its run with this config: how time waits for others.
    pub fn node_parameters(&self, config: &ExperimentConfig) -> Vec<String> {
        let is_commanded = self.lockstep.is_some() || self.ready.as_ref().is_some_and(|ready| ready.commanded);
        let mut parameters: Vec<String> = match is_commanded {
            _ if config.has_controller() => config.controller_parameters(&config.vehicle),
            true => config.commander_parameters(&config.vehicle).collect(),
            false => Vec::new(),
        };
        // After the others, so that they take precedence.
        parameters.extend(self.parameters.iter().map(|(name, value)| format!("{name}:={value}")));
        parameters
    }

    /// The messages of an error of its experiment, with the places in its file of the keys that they name.
    pub fn explain(&self, error: &ExperimentError) -> Diagnostics {
        ExperimentConfig::explain(&self.file, error)
    }
}

/// The scenario at `path` as JSON, which is YAML too, for callers that change some of its keys before it is read.
///
/// # Errors
/// It cannot be read, or is not YAML.
pub fn as_json(path: &Path) -> Result<String, Diagnostics> {
    let text = input_file::read_text(path, MAX_BYTES)
        .map_err(|error| Diagnostics::from(Diagnostic::from(FileError::read(path, error))))?;
    let value: serde_json::Value = yaml::read_all_with_names(&path.display().to_string(), &text, |_| Vec::new())?;
    Ok(value.to_string())
}

impl Sections {
    /// What is out of range or does not belong together in the sections of a scenario.
    fn check(&self) -> Vec<Refused> {
        let mut refused: Vec<Refused> = Vec::new();
        let experiment = &self.experiment;
        let out_of_range = |key: &str, found: String, accepted: String| Refused::Value {
            section: "",
            problem: Diagnostic::new(key, format!("found {found}")).accepted(accepted),
        };
        if let Some(timeout) = self.timeout.filter(|timeout| !(*timeout > 0.0 && *timeout <= 1e6)) {
            refused.push(out_of_range("timeout", timeout.to_string(), "a number > 0 and at most 1e6 [wall s]".into()));
        }
        let count = self.seeds.as_ref().map_or(1, Seeds::count);
        if count == 0 || count > MAX_SEEDS {
            refused.push(out_of_range("seeds", format!("{count} seeds"), format!("1 to {MAX_SEEDS} seeds")));
        }
        let names: Vec<&str> = self.events.iter().filter_map(|(event, _)| event.name.as_deref()).collect();
        let sends = self.events.iter().any(|(event, _)| event.is_goal());
        let goals = self.events.iter().filter(|(event, _)| event.is_goal());
        let goals: Vec<&str> = goals.filter_map(|(event, _)| event.name.as_deref()).collect();
        // One that is refused itself refuses no times.
        let duration = if experiment.duration > 0.0 { experiment.duration } else { f64::INFINITY };
        let mut refuse = |place: (usize, usize), problem: Option<Diagnostic>, name: Option<Diagnostic>| {
            let problem = problem.map(|problem| Refused::At { place, problem });
            // Names are missing, too, where the event that has them is left out for a mistake of its own.
            refused.extend(problem.or_else(|| name.map(|problem| Refused::Consequence { place, problem })));
        };
        for (event, place) in &self.events {
            refuse(*place, event.check(&names, duration), event.check_names(&names, &goals));
        }
        for expected in &self.expect.0 {
            refuse(expected.place, expected.check(experiment, duration), expected.check_names(&goals, sends));
        }
        refused
    }
}

impl Sections {
    /// What is wrong with the processes beside a run in a scenario in this folder, and how time waits for them.
    fn check_processes(&self, folder: &Path) -> Vec<Refused> {
        let period = self.lockstep.filter(|period| !(*period >= 1e-3 && *period <= 1e3));
        let period = period.map(|seconds| {
            Diagnostic::new("lockstep", format!("found {seconds}")).accepted("a period of 0.001 to 1000 [s]")
        });
        let twice = (self.lockstep.is_some() && self.experiment.has_controller()).then(|| {
            let message = Diagnostic::new("lockstep", "the controller already has the lockstep period 1/rate");
            message.hint("leave it out, and set rate")
        });
        let problems = [
            beside::too_many(self.beside.len()),
            self.ready.as_ref().and_then(ReadyWords::check),
            self.pace.as_deref().and_then(|pace| beside::pace(pace).err()),
            period,
            twice,
        ];
        let problems = problems.into_iter().flatten().map(|problem| Refused::Value { section: "", problem });
        let of_beside = self.beside.iter().filter_map(|(words, place)| {
            words.read(folder, *place).err().map(|problem| Refused::At { place: *place, problem })
        });
        problems.chain(of_beside).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Scenario, Diagnostics> {
        Scenario::parse(Path::new("s.yaml"), text, &[])
    }

    #[test]
    fn a_scenario_is_an_experiment_with_more_sections() {
        let text = "world: tracking\nseed: 4\nseeds: 2\nduration: 5\nvary: {Kp: [1, 2]}\ntimeout: 9\nexpect:\n\
                    - speed: {at_most: 2, from: 1}\n- rmse_m: {at_most: 0.1}\nevents:\n- at: 2\n  command: {speed: 0}\n";
        let scenario = parse(text).unwrap();
        assert_eq!((scenario.experiment.name.as_str(), scenario.experiment.duration), ("s", 5.0));
        assert_eq!((scenario.seeds.as_slice(), scenario.timeout), ([4, 5].as_slice(), 9.0));
        assert_eq!(scenario.axes().keys().collect::<Vec<_>>(), ["Kp", "seed"]);
        assert_eq!(
            scenario.expect.iter().map(|criterion| criterion.kind.key()).collect::<Vec<_>>(),
            ["speed", "rmse_m"]
        );
        assert_eq!(scenario.events.len(), 1);
        let flow = "{world: tracking, expect: {collisions: {at_most: 0}, speed: {at_least: 0}}}";
        assert_eq!(parse(flow).unwrap().expect.len(), 2);
        let named = Scenario::parse(Path::new("a/door.scenario.yaml"), flow, &[]).unwrap();
        assert_eq!(named.experiment.name, "door");
        assert_eq!(parse("seeds: [3, 9]\nexpect: {speed: {at_most: 1}}").unwrap().seeds, [3, 9]);
    }

    #[test]
    fn all_mistakes_are_told_with_their_places() {
        let text = "worlds: tracking\nduration: -1\nexpect:\n- spede: {at_most: 1}\n- goal: {at: [1, 2], at_most: 3}\n\
                    events:\n- at: 1\n- at: 2\n  every: x\n  remove: a\n";
        let reported = parse(text).unwrap_err().to_string();
        let places: Vec<&str> = reported.lines().filter(|line| line.starts_with("s.yaml")).collect();
        let begin = ["s.yaml:1:1: unknown key \"worlds\"", "s.yaml:2:1: duration", "s.yaml:4:3: unknown key \"spede\""];
        for (line, begins) in places.iter().zip(begin) {
            assert!(line.starts_with(begins), "{reported}");
        }
        assert!(
            reported.contains("hint: did you mean \"world\"?") && reported.contains("did you mean \"speed\"?"),
            "{reported}"
        );
        assert!(
            reported.contains("s.yaml:5:3: goal")
                && reported.contains("s.yaml:7:3: ")
                && reported.contains("s.yaml:9:10: every")
        );
        assert_eq!(places.len(), 6, "{reported}");
    }

    #[test]
    fn one_mistake_has_one_message() {
        let places = |events: &str| {
            let text = format!("controller: none\n{events}expect:\n- navigation: {{of: go}}\n");
            let reported = parse(&text).unwrap_err().to_string();
            reported.lines().filter_map(|line| line.strip_prefix("s.yaml:")).map(str::to_owned).collect::<Vec<_>>()
        };
        let go = "- {at: 1, name: go, navigate_to: {at: [1, 2]}}\n";
        // Without its action an event is none, and nothing can refer to it.
        let wrong_command = format!("events:\n- at: 1\n  command: {{sped: 1}}\n{go}");
        assert_eq!(places(&wrong_command), ["4:12: command: found sped"]);
        assert_eq!(places("events:\n- at: 1\n  name: go\n  navigate_to: {at: [1, b]}\n").len(), 1);
        assert_eq!(places("events:\n- {at: 1, name: go, hold: 2,\n   navigate_to: {at: [1, 2]}}\n").len(), 1);
        // In braces over several lines.
        let several =
            format!("events:\n- {{at: 1,\n   command: {{vx: 1,\n     vq: 2}}}}\n{go}- {{at: x, command: stop}}\n");
        assert_eq!(places(&several), ["4:13: command: found vq vx", "7:8: at: found \"x\""]);
        let list = "events: [\n  {at: 0, command: stop}, {at: x,\n  command: stop}, {at: 0, command: 7},\n{at: 1, name: go, navigate_to: {at: [1,\n2]}}]\n";
        assert_eq!(places(list).len(), 2, "{:?}", places(list));
        assert_eq!(places(&format!("beside:\n- {{node: a,\n   nam: b}}\nevents:\n{go}")), ["4:4: unknown key \"nam\""]);
    }

    #[test]
    fn a_scenario_that_expects_nothing_is_refused() {
        assert_eq!(
            parse("world: tracking\n").unwrap_err().to_string(),
            "s.yaml: nothing must hold: the section expect is missing or empty\n  hint: expect: {collisions: {at_most: 0}}"
        );
    }
}
