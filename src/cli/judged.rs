//! `skidpad run --scenario`: a run that a scenario judges, whoever is beside it.

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};

use super::args::RunArgs;
use super::experiment::SetValues;
use super::scenarios::Wanted;
use super::test;
use super::track::TrackingLines;
use super::{Failure, report, track};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::{Equipment, ExperimentConfig};
use crate::runner::Summary;
use crate::scenario::report::run_json;
use crate::scenario::{Case, CaseResult, Planned, Ready, Referee, Scenario, Verdict};
use crate::time::SimTime;
use crate::world::{LoadOptions, StepError, World};

/// A scenario, and the case of it that is run.
pub(super) struct Judged {
    scenario: Scenario,
    config: ExperimentConfig,
    case: Case,
}

impl Judged {
    /// Reads the scenario of these arguments; none: they name none.
    ///
    /// # Errors
    /// The file has mistakes, its world is not found, or it has no run of the name of `--only`; all with the exit status of a run that cannot be made.
    pub(super) fn read(args: &RunArgs, file: &Path) -> Result<Judged, Failure> {
        let wanted =
            Wanted { only: args.only.clone(), seed: args.seed, set: args.world.set.clone(), ..Wanted::default() };
        let scenario = wanted.load(file).map_err(test::broken)?;
        let batch_caster = args.sensors.batch_caster();
        let variables = wanted.load_options().variables;
        let load = LoadOptions { variables, batch_caster, ..args.world.load_options(None) };
        let cases = wanted.cases(&scenario, &load).map_err(test::broken)?;
        let count = cases.len();
        let Some(Planned { config, case, .. }) = cases.into_iter().next() else {
            return Err(test::broken(wanted.nothing("--only", std::slice::from_ref(&scenario))));
        };
        if count > 1 {
            report::note(format!(
                "{}: the first of {count} runs of this scenario; --only NAME takes another",
                case.name()
            ));
        }
        Ok(Judged { config, case, scenario })
    }

    /// Sets world, variables, seed and duration of its run in the arguments.
    pub(super) fn settle(&self, args: &mut RunArgs) {
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
    pub(super) fn arguments(&self, given: Vec<OsString>, has_node: bool) -> Result<Vec<OsString>, Failure> {
        if !self.scenario.is_in_company(&self.config) {
            return Ok(given);
        }
        if !has_node {
            let found = "has processes beside it, and this run has no ROS node";
            let message = Diagnostic::new(self.scenario.file.display(), found);
            let accepted = "a program that is built with --features ros, without --no-ros";
            return Err(test::broken(message.accepted(accepted)));
        }
        let parameters = self.scenario.node_parameters(&self.config);
        let own = parameters.iter().flat_map(|parameter| ["-p", parameter]).map(OsString::from);
        Ok(std::iter::once("--ros-args".into()).chain(own).chain(given).collect())
    }

    /// What has to be there before its time begins; none: nothing but what parameters say.
    pub(super) fn ready(&self) -> Option<&Ready> {
        self.scenario.ready.as_ref()
    }

    /// The seed of its run.
    pub(super) fn seed(&self) -> u64 {
        self.config.seed
    }

    /// The physics step of its run; none: that of the world.
    pub(super) fn step(&self) -> Option<f64> {
        (self.config.step > 0.0).then_some(self.config.step)
    }

    /// Places its vehicle, and makes it follow its trajectory, if there is one.
    pub(super) fn fit(&self, world: &mut World) -> Result<(Equipment, Option<TrackingLines>), Failure> {
        let equipment =
            Equipment::fit(&self.config, world).map_err(|error| test::broken(self.scenario.explain(&error)))?;
        super::log_warnings(&equipment.warnings);
        let lines = self.config.has_trajectory().then(|| track::lines(self.config.clone(), equipment.clone(), world));
        Ok((equipment, lines))
    }

    /// Its case, which a [`Referee`] judges.
    pub(super) fn planned(&self) -> Planned<'_> {
        Planned { scenario: &self.scenario, config: self.config.clone(), case: self.case.clone() }
    }
}

/// What a run comes to that has ended so, after so much simulated time was asked for.
pub(super) fn conclude(
    referee: Referee<'_>,
    result: &Result<Summary, StepError>,
    world: &World,
    duration: Option<SimTime>,
) -> CaseResult {
    let ended: Result<(), Diagnostics> = match result {
        Err(error) => Err(Diagnostic::from(error).into()),
        Ok(Summary { late: Some(late), .. }) => Err(late.clone().into()),
        Ok(Summary { attendant: Some(ended), .. }) => ended.clone(),
        Ok(summary) if duration.is_some_and(|duration| summary.simulated < duration) => {
            Err(Diagnostic::of(format!("interrupted after {} of simulated time", summary.simulated)).into())
        }
        Ok(_) => Ok(()),
    };
    referee.conclude(ended, world)
}

/// The verdict in the answer of the run: as in the document of `skidpad test`, with what pictures are drawn from.
pub(super) fn document(result: &CaseResult) -> Value {
    let mut document = run_json(result);
    if let Some(document) = document.as_object_mut() {
        document.insert("trace".to_owned(), json!(result.trace));
    }
    document
}

/// The end of the program that the verdict asks for.
pub(super) fn status(verdict: &Verdict) -> Result<(), Failure> {
    let ended = |status| Err(Failure::Ended { errors: Diagnostics::default(), status });
    match verdict {
        Verdict::Passed => Ok(()),
        Verdict::Failed => ended(test::FAILED),
        Verdict::Broken(_) => ended(test::BROKEN),
    }
}
