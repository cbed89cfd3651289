//! The command line: arguments, messages, exit status. Data goes to stdout, messages to stderr (`report`); with `--json` both are in one document on
//! stdout (`answer`).
//!
//! Exit status: 0 done (also after SIGINT or SIGTERM), 1 the world, the simulation or an output failed, 2 wrong usage, 3 done, with
//! all recordings complete, but the ROS middleware did not shut down in time and the process ended without it. `rerun` ends with 1 where the
//! bits differ, and with 2 where a run cannot be made again; `test` and `run --scenario` with 1 where a run fails, and with 2 where one cannot
//! be made.

mod args;
mod complete;
mod experiments;
mod man;
mod old_options;
#[cfg(test)]
mod pasted_tests;
mod python;
pub mod runs;

mod to_node;
mod worlds;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use crate::bench;
use crate::world::LoadOptions;
use args::{BenchArgs, Task};
use experiments::{analyze, dataset, experiment, identify, lap_args, manoeuvre, picture_args, plot, vary};
use runs::{replay, rerun, scenarios, test};
use skidpad_program::answer::{self, Answer};
pub use skidpad_program::provenance::of_this_version;
use skidpad_program::{
    Failure, command_line, log, log_warnings, node, offer, parsers, progress, provenance, report, ros_args, run,
    run_args, scored_run, sensor_args, set_threads, set_values, sets, setting_hints, signals, web_args, world_args,
};
pub use skidpad_program::{find, package, wanted};
use worlds::{check, describe, describe_json, export, import, list, new, snapshot, urdf};

/// Runs the program with the arguments of the process, or becomes the program of the ROS node where they need ROS.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if complete::answer(&arguments) {
        return ExitCode::SUCCESS;
    }
    let node = to_node::become_if_needed(&arguments);
    // Its error is that of the commands which depend on signals.
    let _ = signals::set_up();
    signals::let_in();
    match node {
        Ok(()) => answered(arguments),
        failed => Answer::new(None).end(failed),
    }
}

/// Runs the program with these arguments, of which the first is the name of the program.
pub fn run_with(arguments: Vec<OsString>) -> ExitCode {
    if complete::answer(&arguments) { ExitCode::SUCCESS } else { answered(arguments) }
}

/// The same, of arguments that are no question of a shell.
fn answered(arguments: Vec<OsString>) -> ExitCode {
    skidpad_program::take_arguments(args::command);
    let _ = signals::set_up();
    let status = answer_to(arguments);
    signals::end_command();
    status
}

fn answer_to(arguments: Vec<OsString>) -> ExitCode {
    let (for_program, for_ros) = ros_args::split(node::under_own_name(arguments));
    let (for_program, replaced_options) = old_options::replace(for_program);
    let words: Vec<String> = for_program.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let args = match args::parse(for_program) {
        Ok(args) => args,
        Err(error) => {
            signals::end_command();
            return answer::wrong_usage(&error, &words);
        }
    };
    // These say what signals do to them.
    if !matches!(args.task, Task::Run(_) | Task::Replay(_) | Task::Node(_)) {
        signals::end_command();
    }
    let node = match &args.task {
        Task::Node(args) => args.name.as_str(),
        _ => "skidpad",
    };
    let with_document = args.task.with_document();
    report::begin(args.verbosity, with_document.is_some());
    let warnings = log::start(&ros_args::log_options(&for_ros, node), args.verbosity);
    log_warnings(replaced_options);
    let mut answer = Answer::new(with_document);
    let done = match args.task {
        Task::New(args) => new::new(&args),
        Task::Run(args) => run::run(*args, &words, for_ros, warnings, &mut answer),
        Task::Check(args) => check::check(&args, &mut answer),
        Task::List(args) => list::list(&args, &mut answer),
        Task::Plot(args) => plot::plot(&args, &mut answer),
        Task::Experiment(args) => experiment::experiment(&args, &words, &mut answer),
        Task::Test(args) => test::test(&args, &mut answer),
        Task::Identify(args) => identify::identify(&args, &mut answer),
        Task::Validate(args) => identify::validate(&args, &mut answer),
        Task::Import(args) => import::import(&args),
        Task::Analyze(args) => analyze::analyze(&args, &mut answer),
        Task::Replay(args) => replay::replay(&args, warnings),
        Task::Rerun(args) => rerun::rerun(&args, &mut answer),
        Task::Node(args) => node::node(&args, &for_ros),
        Task::Snapshot(args) => snapshot::snapshot(&args),
        Task::Dataset(args) => dataset::dataset(args),
        Task::Export(args) => export::export(args),
        Task::Sweep(args) => python::run("sweep", &args),
        Task::Tune(args) => python::run("tune", &args),
        Task::Urdf(args) => urdf::urdf(&args, &mut io::stdout().lock()),
        Task::Completions(args) => complete::completions(&args, &words),
        Task::Man(args) => man::man(&args),
        Task::Bench(args) => set_threads(args.threads).and_then(|()| measure(&args)),
    };
    answer.end(done)
}

/// Measures one case, or all.
fn measure(args: &BenchArgs) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let done = match args.case {
        Some(case) => {
            let options = LoadOptions { batch_caster: args.sensors.batch_caster(), ..LoadOptions::default() };
            bench::run_case(case, args.seconds, &options, &mut out)
        }
        None => {
            let threads = args.threads.map(|threads| format!("--threads={threads}"));
            let arguments: Vec<String> = threads.into_iter().chain([args.sensors.argument()]).collect();
            bench::run_all(args.seconds, &package::own_program, &arguments, &mut out)
        }
    };
    done.map_err(Failure::from)
}
