//! `skidpad experiment --vary`: a matrix of the user's own.

use std::path::PathBuf;

use crate::analysis::{FIELDS, Field};
use crate::cli::answer::Answer;
use crate::cli::experiment::{ExperimentArgs, explained, report_files};
use crate::cli::progress::Work;
use crate::cli::{Failure, complete, log_warnings};
use crate::counted::counted;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::experiment::{Axes, Axis, ExperimentConfig, Grid, GridReport, PLANTS, TYRES, trajectories};
use crate::plot;
use crate::world::LoadOptions;
use std::io::Write;

/// Most warnings that are told one by one.
const MAX_WARNINGS: usize = 6;

/// Options of a matrix of the user's own.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct VaryArgs {
    /// Run all combinations of values, such as Kp=1,2,5; can be repeated
    ///
    /// KEY is a key that --set takes, or one of trajectory, speed, world, vehicle, controller, plant, tyre, feedback, latency, step,
    /// rate, sample_rate, duration and seed. KEY:KEY=A:X,B:Y changes keys together.
    #[arg(long, value_name = "KEY=A,B", value_parser = str::parse::<Axis>, add = complete::axes())]
    pub(in crate::cli) vary: Vec<Axis>,
    /// Metric in the table and curves of --vary
    ///
    /// KEY is the metric's key in metrics.csv.
    #[arg(long, value_name = "KEY", default_value = "rmse_m", value_parser = metric, add = complete::metrics())]
    metric: &'static Field,
    /// Draw the metric over the last numeric axis of --vary
    ///
    /// The ending of the file chooses its format: SVG, PDF, PNG or CSV.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) curves: Option<PathBuf>,
    /// Record each run of --vary in the folder runs of --out
    #[arg(long, requires = "out")]
    record_runs: bool,
}

impl VaryArgs {
    /// The axes of the config and of the command line; with --matrix also those of the study.
    pub(in crate::cli) fn axes(&self, config: &ExperimentConfig, matrix: bool) -> Axes {
        let mut axes = config.vary.clone();
        axes.add(self.vary.clone());
        if axes.is_empty() || !matrix {
            return axes;
        }
        let axis = |key: &str, values: Vec<&str>| Axis {
            keys: vec![key.to_owned()],
            values: values.into_iter().map(|value| vec![value.to_owned()]).collect(),
            written: None,
        };
        let shapes = trajectories(&config.trajectory).into_iter().map(|(name, _)| name).collect();
        let of_study = [axis("trajectory", shapes), axis("plant", PLANTS.to_vec()), axis("tyre", TYRES.to_vec())];
        let is_new = |axis: &Axis| !axes.keys().any(|key| key == axis.keys[0]);
        let mut all = Axes(of_study.into_iter().filter(is_new).collect());
        all.add(axes.0);
        all
    }

    /// What was given for a matrix, where there is none.
    pub(in crate::cli) fn refuse_without_axes(&self) -> Result<(), Failure> {
        match &self.curves {
            Some(path) => Err(needs_axes(&format!("--curves {}", path.display()))),
            None if self.record_runs => Err(needs_axes("--record-runs")),
            None => Ok(()),
        }
    }
}

/// The failure of an option that needs a matrix.
pub(in crate::cli) fn needs_axes(option: &str) -> Failure {
    Failure::because(Diagnostic::new(option, "needs several runs, found one").hint("run several with --vary KEY=A,B"))
}

fn metric(key: &str) -> Result<&'static Field, Diagnostic> {
    let names: Vec<&str> = FIELDS.iter().map(|field| field.key).collect();
    FIELDS.iter().find(|field| field.key == key).ok_or_else(|| Diagnostic::of("unknown metric").one_of(key, &names))
}

/// Runs all combinations; `settings` are set in all of them.
pub(in crate::cli) fn grid(
    args: &ExperimentArgs,
    answer: &mut Answer,
    config: &ExperimentConfig,
    load: &LoadOptions,
    axes: &Axes,
    settings: &[(String, String)],
) -> Result<(), Failure> {
    let record = args.out.as_ref().filter(|_| args.vary.record_runs).map(|out| out.join("runs"));
    let grid = Work::of("running", || Grid::run(config, load, axes, settings, record.as_deref()))
        .map_err(|error| explained(args, &error))?;
    tell_warnings(&grid);
    let report = GridReport(&grid);
    let field = args.vary.metric;
    let text = || {
        if args.csv {
            report.csv().map_err(Failure::because)
        } else {
            Ok(if args.markdown { report.markdown(field) } else { report.text(field) })
        }
    };
    answer.give(|| report.as_json(), |out| Ok(out.write_all(text()?.as_bytes())?))?;
    let work = Work::begin("drawing");
    let mut files: Vec<PathBuf> = record.into_iter().collect();
    if let Some(out) = &args.out {
        let title = if config.name.is_empty() { "Matrix" } else { config.name.as_str() };
        files.extend(report.write(title, field, &args.pictures.options(), out).map_err(Failure::because)?);
    }
    if let Some(path) = &args.vary.curves {
        let (figure, size) = report.curves(field).ok_or_else(|| {
            let message = Diagnostic::new(
                format!("--curves {}", path.display()),
                "needs a numeric axis of two or more values, and runs that have the metric",
            );
            Failure::because(message.hint("--vary speed=1,2,3"))
        })?;
        plot::write(&figure, path, size).map_err(Failure::because)?;
        files.push(path.clone());
    }
    drop(work);
    if !files.is_empty() {
        report_files(&files);
    }
    let failed: Diagnostics = grid.cells.iter().filter_map(|cell| cell.run.as_ref()?.as_ref().err().cloned()).collect();
    if failed.0.is_empty() { Ok(()) } else { Err(Failure::Because(failed)) }
}

/// Tells what was left out, and the first of the warnings of all runs, each once.
fn tell_warnings(grid: &Grid) {
    let absent: Vec<String> =
        grid.cells.iter().filter(|cell| cell.run.is_none()).map(|cell| grid.label(cell)).collect();
    if let Some(first) = absent.first() {
        let found = format!(
            "{} of {} combinations are not possible in this world, such as {first}",
            absent.len(),
            grid.cells.len()
        );
        log_warnings([Diagnostic::new("--vary", found)]);
    }
    let mut reported: Vec<&Diagnostic> = Vec::new();
    let mut more = 0;
    for cell in &grid.cells {
        let Some(Ok(run)) = &cell.run else { continue };
        for warning in &run.warnings {
            if reported.contains(&warning) {
                continue;
            }
            reported.push(warning);
            if reported.len() <= MAX_WARNINGS {
                log_warnings([warning.clone().at(grid.label(cell))]);
            } else {
                more += 1;
            }
        }
    }
    if more > 0 {
        let found = format!("{} of other runs", counted(more, "more warning"));
        log_warnings([Diagnostic::new("--vary", found).hint("--json lists the warnings of each run")]);
    }
}
