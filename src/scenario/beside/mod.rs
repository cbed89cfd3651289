//! What is started beside a scenario's run (`beside`), and what has to be there before its time begins (`ready`).

mod answer;
mod case;
mod player;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::Rate;
use skidpad_metrics::experiment::ExperimentConfig;
use skidpad_run::processes::{RunValues, words};

pub(crate) use case::run;
pub(crate) use player::Player;

/// Longest wait for what has to be there [wall s], unless the scenario says otherwise.
const WITHIN: f64 = 30.0;
/// Most processes.
const MAX_PROCESSES: usize = 100;

/// A process beside a run, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BesideWords {
    /// A command.
    pub node: Option<String>,
    /// A launch file: its package and name, or its path.
    pub launch: Option<String>,
    /// A recording that is played in simulated time.
    pub bag: Option<String>,
    /// Arguments of the launch file.
    pub arguments: BTreeMap<String, String>,
    /// The topics of the recording that are played; empty: all.
    pub topics: Vec<String>,
    /// Its name in messages and files.
    pub name: Option<String>,
    /// Whether it may end before the run with any status.
    pub may_end: Option<bool>,
}

/// What has to be there before time begins, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadyWords {
    /// Nodes that answer calls, by their full names.
    pub nodes: Vec<String>,
    /// Topics that somebody publishes on, by their full names.
    pub published: Vec<String>,
    /// Whether somebody publishes commands for the vehicles, and answers calls.
    pub commanded: bool,
    /// Longest wall time that this may take [s].
    pub within: Option<f64>,
}

/// A process beside a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// Its name in messages and files.
    pub name: String,
    /// The words of its command, with names in braces that are not filled in.
    pub words: Vec<String>,
    /// Whether it may end before the run with any status.
    pub may_end: bool,
    /// Line and column in the scenario, counted from 1.
    pub place: (usize, usize),
}

/// A recording that the simulation plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Bag {
    /// Its name in messages, with names in braces that are not filled in.
    pub name: String,
    /// Its path as it is written, with names in braces that are not filled in.
    pub path: String,
    /// The topics that are played; empty: all.
    pub topics: Vec<String>,
    /// Line and column in the scenario, counted from 1.
    pub place: (usize, usize),
}

impl Bag {
    /// Its name in messages, with these values in the places of names in braces.
    pub(crate) fn name(&self, reported: &RunValues) -> String {
        reported.fill_text(&self.name)
    }

    /// Its file or folder, for a scenario in `folder`, with these values in the places of names in braces.
    pub(crate) fn file(&self, folder: &Path, reported: &RunValues) -> PathBuf {
        in_folder(folder, &reported.fill_text(&self.path))
    }
}

/// What is beside a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Neighbour {
    Process(Beside),
    Bag(Bag),
}

impl BesideWords {
    /// What it describes, in a scenario in this folder.
    ///
    /// # Errors
    /// It is none, or several, or has keys that belong to others.
    pub(crate) fn read(&self, folder: &Path, place: (usize, usize)) -> Result<Neighbour, Diagnostic> {
        const KINDS: &str = "one of node, launch, bag";
        let given = [&self.node, &self.launch, &self.bag].map(Option::is_some);
        if given.iter().filter(|is_given| **is_given).count() != 1 {
            let found = if given.contains(&true) { "several processes in one entry" } else { "no process" };
            return Err(Diagnostic::new("beside", found).accepted(KINDS));
        }
        if !self.arguments.is_empty() && self.launch.is_none() {
            return Err(
                Diagnostic::new("arguments", "applies only to a launch file").hint("put arguments of a node into node")
            );
        }
        if !self.topics.is_empty() && self.bag.is_none() {
            return Err(Diagnostic::new("topics", "applies only to a bag"));
        }
        if self.may_end.is_some() && self.bag.is_some() {
            return Err(Diagnostic::new("may_end", "does not apply to a bag, which may always end"));
        }
        if self.topics.iter().any(|name| name == player::CLOCK) {
            let found = format!("found {}", player::CLOCK);
            return Err(Diagnostic::new("topics", found).hint("the simulation publishes the time of the run"));
        }
        if let Some(name) = self.topics.iter().find(|name| !name.starts_with('/')) {
            return Err(Diagnostic::new("topics", format!("found \"{name}\"")).accepted("full names, such as /scan"));
        }
        let fixed = |fixed: &[&str]| fixed.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (name, all) = match (&self.node, &self.launch, &self.bag) {
            (Some(command), ..) => {
                let all = words(command).map_err(|problem| problem.at("node"))?;
                (stem(&all[0]), all)
            }
            (_, Some(file), _) => {
                let of_file = words(file).map_err(|problem| problem.at("launch"))?;
                let mut all = fixed(&["ros2", "launch"]);
                all.extend(of_file.iter().map(|word| in_folder(folder, word).display().to_string()));
                all.extend(self.arguments.iter().map(|(name, value)| format!("{name}:={value}")));
                (of_file.last().map(|word| stem(word)).unwrap_or_default(), all)
            }
            (.., bag) => {
                let path = bag.clone().unwrap_or_default();
                let (name, topics) = (self.name.clone().unwrap_or_else(|| stem(&path)), self.topics.clone());
                return Ok(Neighbour::Bag(Bag { name, path, topics, place }));
            }
        };
        let name = self.name.clone().unwrap_or(name);
        Ok(Neighbour::Process(Beside { name, words: all, may_end: self.may_end.unwrap_or_default(), place }))
    }
}

/// What a run with this config has to tell whoever is beside it, of whatever kind.
pub(crate) fn run_values(config: &ExperimentConfig) -> RunValues {
    RunValues(vec![
        ("seed", config.seed.to_string()),
        ("duration", config.duration.to_string()),
        ("vehicle", config.vehicle.clone()),
        ("world", config.world.display().to_string()),
    ])
}

/// This file of a scenario in `folder`: beside it if it is there, otherwise as it is written.
fn in_folder(folder: &Path, file: &str) -> PathBuf {
    Some(folder.join(file)).filter(|beside| beside.exists()).unwrap_or_else(|| file.into())
}

/// The name of a file without folder and endings.
fn stem(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Nodes and topics that have to be there before time begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Ready {
    /// Nodes that answer calls, by their full names.
    pub nodes: Vec<String>,
    /// Topics that somebody publishes on, by their full names.
    pub published: Vec<String>,
    /// Whether somebody publishes commands for the vehicles, and answers calls.
    pub commanded: bool,
    /// Longest wall time that this may take [s].
    pub within: f64,
}

impl ReadyWords {
    /// What is wrong with it.
    pub(crate) fn check(&self) -> Option<Diagnostic> {
        let of = |key: &str, found: String| Diagnostic::new(format!("ready: {key}"), found);
        for (key, names) in [("nodes", &self.nodes), ("published", &self.published)] {
            if let Some(name) = names.iter().find(|name| !name.starts_with('/') || name.len() < 2) {
                return Some(of(key, format!("found \"{name}\"")).accepted("full names, such as /planner"));
            }
        }
        if self.nodes.is_empty() && self.published.is_empty() && !self.commanded {
            return Some(Diagnostic::new("ready", "waits for nothing").accepted("nodes, published, commanded: true"));
        }
        let within = self.within.filter(|within| !(*within > 0.0 && *within <= 1e6));
        within.map(|within| of("within", format!("found {within}")).accepted("a number > 0 and at most 1e6 [wall s]"))
    }

    /// As it is meant.
    pub(crate) fn read(self) -> Ready {
        let ReadyWords { nodes, published, commanded, within } = self;
        Ready { nodes, published, commanded, within: within.unwrap_or(WITHIN) }
    }
}

/// The speed of simulated time of these words.
///
/// # Errors
/// It is out of range, or another word than `max`.
pub(crate) fn pace(text: &str) -> Result<Rate, Diagnostic> {
    text.parse::<Rate>().map_err(|error| Diagnostic::new("pace", error.to_string()).accepted("0.001 to 1000000, max"))
}

/// Refuses more processes than one machine is meant for.
pub(crate) fn too_many(count: usize) -> Option<Diagnostic> {
    (count > MAX_PROCESSES)
        .then(|| Diagnostic::new("beside", format!("{count} processes")).accepted(format!("at most {MAX_PROCESSES}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Neighbour, String> {
        let words: BesideWords = serde_saphyr::from_str(text).unwrap();
        words.read(Path::new("/nowhere"), (1, 1)).map_err(|problem| problem.first_line())
    }

    #[test]
    fn each_kind_has_its_command() {
        let of = |text: &str| {
            let Neighbour::Process(Beside { name, words, may_end, .. }) = read(text).unwrap() else { panic!("{text}") };
            (name, words.join(" "), may_end)
        };
        let all = |name: &str, words: &str, may_end| (name.to_owned(), words.to_owned(), may_end);
        assert_eq!(of("{node: \"python3 'a b.py' {seed}\"}"), all("python3", "python3 a b.py {seed}", false));
        assert_eq!(
            of("{launch: nav2_bringup navigation.launch.py, arguments: {use_sim_time: true, x: 1.5}}"),
            all("navigation", "ros2 launch nav2_bringup navigation.launch.py use_sim_time:=true x:=1.5", false)
        );
        let Neighbour::Bag(bag) = read("{bag: \"runs/{seed}.mcap\", topics: [/a, /b]}").unwrap() else {
            panic!("a process")
        };
        assert_eq!((bag.name.as_str(), bag.topics.len()), ("{seed}", 2));
        assert_eq!(
            bag.file(Path::new("/nowhere"), &RunValues(vec![("seed", "7".to_owned())])),
            Path::new("runs/7.mcap")
        );
    }

    #[test]
    fn what_is_no_process_is_refused() {
        for (text, expected) in [
            ("{name: x}", "beside: no process"),
            ("{node: a, launch: b}", "beside: several processes in one entry"),
            ("{node: a, arguments: {b: c}}", "arguments: applies only to a launch file"),
            ("{node: a, topics: [/b]}", "topics: applies only to a bag"),
            ("{bag: a, topics: [b]}", "topics: found \"b\""),
            ("{node: \"a 'b\"}", "node: found \"a 'b\", with a quote that is not closed"),
        ] {
            assert_eq!(read(text).unwrap_err(), expected, "{text}");
        }
        let refused = |text: &str| {
            serde_saphyr::from_str::<ReadyWords>(text).unwrap().check().map(|problem| problem.first_line())
        };
        assert_eq!(refused("{nodes: [/a], published: [/b], within: 3}"), None);
        assert_eq!(refused("{nodes: [a]}").as_deref(), Some("ready: nodes: found \"a\""));
        assert_eq!(refused("{within: 3}").as_deref(), Some("ready: waits for nothing"));
        assert_eq!(refused("{commanded: true, within: 0}").as_deref(), Some("ready: within: found 0"));
        let pace = |text: &str| pace(text).map_err(|problem| problem.first_line());
        assert_eq!((pace("2"), pace("max")), (Ok(Rate::Factor(2.0)), Ok(Rate::Max)));
        assert_eq!(pace("fast"), Err("pace: \"fast\" is not a number".to_owned()));
        assert_eq!(pace("0"), Err("pace: 0 is out of range".to_owned()));
    }
}
