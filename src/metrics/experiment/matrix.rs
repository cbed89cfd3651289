//! The comparison in "the study" (ch. 7; see [`crate`]): every plant on every tyre along every trajectory, in parallel.

use rayon::prelude::*;
use skidpad_run::meter::{Meter, Unit};
use skidpad_sim::trajectory::{TRAJECTORIES, TrajectoryParameters};
use skidpad_sim::world::LoadOptions;

use super::run::nanoseconds;
use super::{Experiment, ExperimentConfig, ExperimentError, Outcome, PLANTS, TYRES};
use crate::Section;

/// Start of the parabola unless `base` gives a phase [s after its vertex].
///
/// With the focal length a it has the radius 2·a·(1 + t²)^1.5 and the speed 2·a·√(1 + t²): with a vertex that the racecar can drive
/// (0.21 m) it would be faster than 12 m/s after a minute. From here on a = 0.02 m leads from 0.45 m and 0.09 m/s to 2.5 m/s.
const PARABOLA_PHASE: f64 = 2.0;

/// The five trajectories of the study by name, each with the parameters of `base`; the parabola without its vertex.
pub fn trajectories(base: &TrajectoryParameters) -> Vec<(&'static str, TrajectoryParameters)> {
    let of = |name: &'static str| {
        let phase = if name == "parabola" && base.phase == 0.0 { PARABOLA_PHASE } else { base.phase };
        (name, TrajectoryParameters { trajectory_type: name.into(), phase, ..base.clone() })
    };
    TRAJECTORIES.iter().filter(|entry| entry.number.is_some()).map(|entry| of(entry.name)).collect()
}

/// One run of a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The trajectory.
    pub trajectory: &'static str,
    /// The plant.
    pub plant: &'static str,
    /// The tyres.
    pub tyre: &'static str,
    /// The result.
    pub outcome: Outcome,
}

/// All runs, in the order of trajectories, plants, tyres.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The runs.
    pub cells: Vec<Cell>,
}

impl Matrix {
    /// Runs all combinations with the other settings of `base`, on all threads; their number does not change the results.
    ///
    /// # Errors
    /// As [`Experiment::run`], of the first that fails.
    pub fn run(base: &ExperimentConfig, load: &LoadOptions) -> Result<Matrix, ExperimentError> {
        let mut plan = Vec::new();
        for (name, parameters) in trajectories(&base.trajectory) {
            for plant in PLANTS {
                for tyre in TYRES {
                    plan.push((name, parameters.clone(), plant, tyre));
                }
            }
        }
        let meter = Meter::current();
        meter.begin(Unit::SimulatedTime, plan.len() as u64 * nanoseconds(base.duration));
        let run = |(trajectory, parameters, plant, tyre): (&'static str, TrajectoryParameters, _, _)| {
            let config = ExperimentConfig {
                name: trajectory.into(),
                plant: str::to_string(plant),
                tyre: str::to_string(tyre),
                trajectory: parameters,
                ..base.clone()
            };
            let label = format!("{plant}, {tyre}");
            let run = format!("{trajectory}, {label}");
            let outcome = Experiment { config, label, load: load.clone(), record: None, meter: meter.clone() }.run();
            let outcome = outcome.map_err(|error| ExperimentError::Run { run, error: Box::new(error) })?;
            Ok(Cell { trajectory, plant, tyre, outcome })
        };
        // All runs finish before the first failure is selected, so that it does not depend on threads.
        let cells: Vec<Result<Cell, ExperimentError>> = plan.into_par_iter().map(run).collect();
        Ok(Matrix { cells: cells.into_iter().collect::<Result<_, _>>()? })
    }

    /// The runs of each trajectory in common graphs, for one page of plots.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for cell in &self.cells {
            let analyzed = cell.outcome.analyzed.clone();
            match sections.last_mut().filter(|section| section.title == cell.trajectory) {
                Some(section) => section.runs.push(analyzed),
                None => sections.push(Section { title: cell.trajectory.into(), runs: vec![analyzed] }),
            }
        }
        sections
    }
}
