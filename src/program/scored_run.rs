//! `skidpad run --scenario`: a run that a scenario scores, with or without programs beside it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::{Equipment, ExperimentConfig};
use crate::processes::named_files;
use crate::run_args::RunArgs;
use crate::runner::Summary;
use crate::scenario::report::run_json;
use crate::scenario::{Case, CaseResult, Planned, Ready, Scenario, Scorer, Verdict};
use crate::set_values::SetValues;
use crate::time::SimTime;
use crate::track::TrackingLines;
use crate::wanted::Wanted;
use crate::world::{LoadOptions, StepError, World};
use crate::{Failure, report, track};

/// Exit status where a run failed.
pub const FAILED: u8 = 1;
/// Exit status where a run could not be made or a file is wrong.
pub const BROKEN: u8 = 2;

/// The failure of a test that cannot be made.
pub fn broken(errors: impl Into<Diagnostics>) -> Failure {
    Failure::Ended { errors: errors.into(), status: BROKEN }
}

/// A scenario, and the case of it that is run.
pub(crate) struct ScoredRun {
    scenario: Scenario,
    config: ExperimentConfig,
    case: Case,
}

impl ScoredRun {
    /// Reads the scenario of these arguments; none: they name none.
    ///
    /// # Errors
    /// The file has mistakes, its world is not found, or it has no run of the name of `--only`; all with the exit status of a run that cannot be made.
    pub(crate) fn read(args: &RunArgs, file: &Path) -> Result<ScoredRun, Failure> {
        let wanted =
            Wanted { only: args.only.clone(), seed: args.seed, set: args.world.set.clone(), ..Wanted::default() };
        let scenario = wanted.load(file).map_err(broken)?;
        let batch_caster = args.sensors.batch_caster();
        let variables = wanted.load_options().variables;
        let load = LoadOptions { variables, batch_caster, ..args.world.load_options(None) };
        let cases = wanted.cases(&scenario, &load).map_err(broken)?;
        let count = cases.len();
        let Some(Planned { config, case, .. }) = cases.into_iter().next() else {
            return Err(broken(wanted.no_match("--only", std::slice::from_ref(&scenario))));
        };
        if count > 1 {
            report::note(format!(
                "{}: the first of {count} runs of this scenario; --only NAME takes another",
                case.name()
            ));
        }
        Ok(ScoredRun { config, case, scenario })
    }

    /// Sets world, variables, seed and duration of its run in the arguments.
    pub(crate) fn settle(&self, args: &mut RunArgs) {
        let SetValues { variables, .. } = SetValues::of_experiment(&args.world.set);
        args.world.world.clone_from(&self.config.world);
        args.world.set = self.config.world_variables().into_iter().chain(variables).collect();
        args.seed = Some(self.config.seed);
        args.duration = Some(SimTime::from_secs(self.config.duration));
        let of_controller = self.config.has_controller().then(|| 1.0 / self.config.rate);
        let period = self.scenario.lockstep.or(of_controller).map(SimTime::from_secs);
        args.lockstep = args.lockstep.or(period);
    }

    /// The arguments for ROS, after those that let time wait for others as the scenario says.
    ///
    /// # Errors
    /// The scenario needs a node, and there is none.
    pub(crate) fn arguments(&self, given: Vec<OsString>, has_node: bool) -> Result<Vec<OsString>, Failure> {
        if !self.scenario.is_in_company(&self.config) {
            return Ok(given);
        }
        if !has_node {
            let found = "needs processes beside the run, but this run has no ROS node";
            let message = Diagnostic::new(self.scenario.file.display(), found);
            let accepted = "skidpad-ros in the folder of skidpad, and no --no-ros";
            return Err(broken(message.accepted(accepted)));
        }
        let parameters = self.scenario.node_parameters(&self.config);
        let of_scenario = parameters.iter().flat_map(|parameter| ["-p", parameter]).map(OsString::from);
        Ok(std::iter::once("--ros-args".into()).chain(of_scenario).chain(given).collect())
    }

    /// What has to be there before its time begins; none: nothing but what parameters say.
    pub(crate) fn ready(&self) -> Option<&Ready> {
        self.scenario.ready.as_ref()
    }

    /// The files that the commands of the processes beside it name, apart from those of its controller.
    pub(crate) fn files_beside(&self) -> Vec<PathBuf> {
        let prefixes = std::env::var_os("AMENT_PREFIX_PATH");
        self.scenario.beside.iter().flat_map(|beside| named_files(&beside.words, prefixes.as_deref())).collect()
    }

    /// The seed of its run.
    pub(crate) fn seed(&self) -> u64 {
        self.config.seed
    }

    /// The physics step of its run; none: that of the world.
    pub(crate) fn step(&self) -> Option<f64> {
        (self.config.step > 0.0).then_some(self.config.step)
    }

    /// Places its vehicle, and makes it follow its trajectory, if there is one.
    pub(crate) fn fit(&self, world: &mut World) -> Result<(Equipment, Option<TrackingLines>), Failure> {
        let equipment = Equipment::fit(&self.config, world).map_err(|error| broken(self.scenario.explain(&error)))?;
        crate::log_warnings(&equipment.warnings);
        let lines = self.config.has_trajectory().then(|| track::lines(self.config.clone(), equipment.clone(), world));
        Ok((equipment, lines))
    }

    /// Its case, which a [`Scorer`] judges.
    pub(crate) fn planned(&self) -> Planned<'_> {
        Planned { scenario: &self.scenario, config: self.config.clone(), case: self.case.clone() }
    }
}

/// What a run comes to that has ended so, after so much simulated time was asked for.
pub fn conclude(
    scorer: Scorer<'_>,
    result: &Result<Summary, StepError>,
    world: &World,
    duration: Option<SimTime>,
) -> CaseResult {
    let ended: Result<(), Diagnostics> = match result {
        Err(error) => Err(Diagnostic::from(error).into()),
        Ok(Summary { late: Some(late), .. }) => Err(late.clone().into()),
        Ok(Summary { hooks: Some(ended), .. }) => ended.clone(),
        Ok(summary) if duration.is_some_and(|duration| summary.simulated < duration) => {
            Err(Diagnostic::of(format!("interrupted after {} of simulated time", summary.simulated)).into())
        }
        Ok(_) => Ok(()),
    };
    scorer.conclude(ended, world)
}

/// The verdict in the answer of the run: as in the document of `skidpad test`, with what pictures are drawn from.
pub fn document(result: &CaseResult) -> Value {
    let mut document = run_json(result);
    if let Some(document) = document.as_object_mut() {
        document.insert("trace".to_owned(), json!(result.trace));
    }
    document
}

/// The end of the program that the verdict asks for.
pub fn status(verdict: &Verdict) -> Result<(), Failure> {
    let ended = |status| Err(Failure::Ended { errors: Diagnostics::default(), status });
    match verdict {
        Verdict::Passed => Ok(()),
        Verdict::Failed => ended(FAILED),
        Verdict::Broken(_) => ended(BROKEN),
    }
}

/// The lines of a run.
pub fn text(result: &CaseResult) -> String {
    let word = match result.verdict {
        Verdict::Passed => "PASS ",
        Verdict::Failed => "FAIL ",
        Verdict::Broken(_) => "ERROR",
    };
    let mut text =
        format!("{word}  {}  {:.2} s simulated in {:.2} s\n", result.case.name(), result.simulated, result.wall);
    for reason in result.reasons() {
        // Writing to memory does not fail.
        let _ = writeln!(text, "       {}", reason.replace('\n', "\n       "));
    }
    for line in result.never_happened() {
        let _ = writeln!(text, "       {line}");
    }
    text
}
