//! The runs of scenarios that a caller wants: which, with what seed and values.

use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::find;
use crate::scenario::{self, Case, Planned, Scenario};
use crate::set_values::SetValues;
use crate::time::Rate;
use crate::world::LoadOptions;

/// Which runs of scenarios are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only scenarios and runs that this pattern stands for.
    pub only: Option<String>,
    /// This seed alone, instead of those of the scenario.
    pub seed: Option<u64>,
    /// Keys of tracker, trajectory or linearizer, or else variables of the world, with their values.
    pub set: Vec<(String, String)>,
    /// How often each run is made; a run with other bits than its first has failed.
    pub repeat: Option<u32>,
    /// Simulated seconds per second of runs with processes beside them, instead of the scenario's.
    pub pace: Option<Rate>,
}

impl Wanted {
    /// Reads the scenario at `path`, and finds its world.
    ///
    /// # Errors
    /// All mistakes of the file, or that there is no such world.
    pub fn load(&self, path: &Path) -> Result<Scenario, Diagnostics> {
        self.completed(Scenario::load(path, &self.keys())?)
    }

    /// As [`load`](Wanted::load), from the text of the file at `path`.
    ///
    /// # Errors
    /// As there.
    pub fn parse(&self, path: &Path, text: &str) -> Result<Scenario, Diagnostics> {
        self.completed(Scenario::parse(path, text, &self.keys())?)
    }

    /// As [`load`](Wanted::load), with this world instead of the scenario's.
    ///
    /// # Errors
    /// All mistakes of the file.
    pub fn load_with(&self, path: &Path, world: PathBuf) -> Result<Scenario, Diagnostics> {
        let mut scenario = Scenario::load(path, &self.keys())?;
        let axes = scenario.experiment.vary.clone();
        scenario.experiment.find_worlds(&axes, |_| Ok(world.clone()))?;
        scenario.experiment.world = world;
        Ok(self.seeded(scenario))
    }

    fn completed(&self, mut scenario: Scenario) -> Result<Scenario, Diagnostics> {
        let experiment = &mut scenario.experiment;
        experiment.world = find::world_beside(&experiment.world, &scenario.file)
            .map_err(|problem| Diagnostics::from(problem.at(scenario.file.display())))?;
        let axes = experiment.vary.clone();
        experiment.find_worlds(&axes, |world| find::world_beside(world, &scenario.file))?;
        Ok(self.seeded(scenario))
    }

    /// The scenario with the seed and the pace that are wanted.
    fn seeded(&self, mut scenario: Scenario) -> Scenario {
        scenario.pace = self.pace.or(scenario.pace);
        if let Some(seed) = self.seed {
            (scenario.experiment.seed, scenario.seeds) = (seed, Vec::new());
        }
        scenario
    }

    fn keys(&self) -> Vec<(String, String)> {
        SetValues::of_experiment(&self.set).keys
    }

    /// How worlds are loaded: with the variables among the values.
    pub fn load_options(&self) -> LoadOptions {
        LoadOptions { variables: SetValues::of_experiment(&self.set).variables, ..LoadOptions::default() }
    }

    /// The runs of a scenario that are wanted; the world is loaded as `load` says.
    ///
    /// # Errors
    /// What it varies has mistakes, or its world cannot be loaded.
    pub fn cases<'a>(&self, scenario: &'a Scenario, load: &LoadOptions) -> Result<Vec<Planned<'a>>, Diagnostics> {
        let mut cases =
            scenario::cases(scenario, load, &self.keys(), self.repeat).map_err(|error| scenario.explain(&error))?;
        cases.retain(|planned| self.only.as_ref().is_none_or(|only| planned.case.is_called(only)));
        Ok(cases)
    }

    /// The message that no run is wanted of all those of `scenarios`; `place` is where the pattern was given.
    pub fn no_match(&self, place: &str, scenarios: &[Scenario]) -> Diagnostic {
        let names: Vec<&str> = scenarios.iter().map(|scenario| scenario.experiment.name.as_str()).collect();
        let only = self.only.as_deref().unwrap_or_default();
        Diagnostic::new(place, format!("no run is called \"{only}\"")).one_of(only, &names)
    }

    /// The words of the command that makes a run alone again.
    pub fn again(&self, case: &Case) -> Vec<String> {
        let mut words =
            vec!["test".to_owned(), case.file.display().to_string(), format!("--only={}", case.name_of_all())];
        words.extend(self.overrides());
        words.extend(self.pace.map(|pace| format!("--pace={pace}")));
        words
    }

    /// The words that override what scenarios say.
    pub fn overrides(&self) -> Vec<String> {
        let seed = self.seed.map(|seed| format!("--seed={seed}"));
        seed.into_iter().chain(self.set.iter().map(|(name, value)| format!("--set={name}={value}"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_that_is_wanted_replaces_the_scenarios_and_is_told_to_whoever_makes_the_run_again() {
        let wanted = Wanted { pace: Some(Rate::Factor(0.5)), ..Wanted::default() };
        let text = "world: twist_ideal\npace: 2\nexpect: {collisions: {at_most: 0}}\n";
        let read = |wanted: &Wanted| wanted.parse(Path::new("s.yaml"), text).unwrap();
        assert_eq!(read(&Wanted::default()).pace, Some(Rate::Factor(2.0)));
        let scenario = read(&wanted);
        assert_eq!(scenario.pace, Some(Rate::Factor(0.5)));
        let case = Case { scenario: "s".into(), file: scenario.file, varied: Vec::new(), repetition: None };
        assert_eq!(wanted.again(&case), ["test", "s.yaml", "--only=s", "--pace=0.5"]);
    }
}
