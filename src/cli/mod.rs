//! The command line: arguments, messages, exit status. Data goes to stdout, messages to stderr (`report`); with `--json` both are in one document on
//! stdout (`answer`).
//!
//! Exit status: 0 done (also after SIGINT or SIGTERM), 1 the world, the simulation or an output failed, 2 wrong usage, 3 done, with
//! all recordings complete, but the ROS middleware did not shut down in time and the process ended without it. `rerun` ends with 1 where the
//! bits differ, and with 2 where a run cannot be made again; `test` and `run --scenario` with 1 where a run fails, and with 2 where one cannot
//! be made.

mod analyze;
mod answer;
mod args;
mod browser;
mod check;
mod complete;
mod dataset;
mod describe;
mod describe_json;
mod experiment;
mod export;
pub mod find;
mod identify;
mod import;
mod judged;
mod lap_args;
mod list;
mod log;
mod man;
mod new;
mod node;
pub mod package;
mod parsers;
mod picture_args;
mod plot;
mod progress;
mod provenance;
mod python;
mod replay;
mod report;
mod rerun;
mod ros_args;
mod run;
pub mod scenarios;
mod sensor_args;
mod sets;
mod setting_hints;
mod signals;
mod snapshot;
mod test;
mod track;
mod urdf;
mod vary;
mod web;
mod world_args;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use crate::bench;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::identify::IdentifyError;
use crate::world::LoadOptions;
use answer::Answer;
use args::{BenchArgs, Task};
pub use provenance::of_this_version;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    // Its error is that of the commands which depend on signals.
    let _ = signals::set_up();
    signals::let_in();
    run_with(std::env::args_os().collect())
}

/// Runs the program with these arguments, of which the first is the name of the program.
pub fn run_with(arguments: Vec<OsString>) -> ExitCode {
    let _ = signals::set_up();
    let status = answer_to(arguments);
    signals::end_command();
    status
}

fn answer_to(arguments: Vec<OsString>) -> ExitCode {
    if complete::answer(&arguments) {
        return ExitCode::SUCCESS;
    }
    let (ours, for_ros) = ros_args::split(node::under_own_name(arguments));
    let words: Vec<String> = ours.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let args = match args::parse(ours) {
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
    let mut answer = Answer::new(with_document);
    let done = match args.task {
        Task::New(args) => new::new(&args),
        Task::Run(args) => {
            let is_judged = args.scenario.is_some();
            run::run(args, &words, for_ros, (warnings, &mut answer)).map_err(|failure| match failure {
                Failure::Because(errors) if is_judged => test::broken(errors),
                other => other,
            })
        }
        Task::Check(args) => check::check(&args, &mut answer),
        Task::List(args) => list::list(&args, &mut answer),
        Task::Plot(args) => plot::plot(&args),
        Task::Experiment(args) => experiment::experiment(&args, &words, &mut answer),
        Task::Test(args) => test::test(&args, &mut answer),
        Task::Identify(args) => identify::identify(&args),
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
    let status = match done {
        Ok(()) | Err(Failure::Unread) => 0,
        Err(Failure::Because(errors)) => {
            report::error(errors);
            1
        }
        Err(Failure::Ended { errors, status }) => {
            report::error(errors);
            status
        }
        Err(Failure::Stuck { errors, status }) => {
            report::error(errors);
            signals::end_at_once(answer.finish(u8::try_from(status).unwrap_or(1)).into())
        }
    };
    ExitCode::from(answer.finish(status))
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
            bench::run_all(args.seconds, (&package::own_program, &arguments), &mut out)
        }
    };
    done.map_err(Failure::from)
}

/// Exit status of a process that has finished its work, but could not shut down the middleware.
const STUCK: i32 = 3;

/// Why the program ends with an error status, or early.
#[derive(Debug, PartialEq)]
enum Failure {
    /// Its output is no longer read, as with `| head`; not an error.
    Unread,
    /// With messages to the user.
    Because(Diagnostics),
    /// With messages to the user, which may have had their answer already, and a status of its own.
    Ended {
        /// The messages; may be empty.
        errors: Diagnostics,
        /// The exit status.
        status: u8,
    },
    /// With messages to the user and a status, to exit at once: remaining threads must not run into static destructors.
    Stuck {
        /// The messages; may be empty.
        errors: Diagnostics,
        /// The exit status.
        status: i32,
    },
}

impl Failure {
    fn because(what: impl Into<Diagnostics>) -> Failure {
        Failure::Because(what.into())
    }

    /// The failure when an option names something that is not there.
    fn unknown(option: &str, found: &str, known: &[impl AsRef<str>]) -> Failure {
        let message = Diagnostic::new(option, format!("found \"{found}\""));
        Failure::because(match known {
            [] => message.accepted("none, there is nothing to name"),
            _ => message.one_of(found, known),
        })
    }

    /// This outcome, after a node that has shut down in order, was still about to (false), or does not.
    fn after(node: Result<bool, Diagnostic>, outcome: Result<(), Failure>) -> Result<(), Failure> {
        match node {
            Ok(true) => outcome,
            Ok(false) => Err(Failure::unfinished(outcome)),
            Err(problem) => Err(Failure::stuck(outcome, problem)),
        }
    }

    /// This outcome, for a process that has to exit before the middleware has shut down.
    fn unfinished(outcome: Result<(), Failure>) -> Failure {
        match outcome {
            Ok(()) | Err(Failure::Unread) => Failure::Stuck { errors: Diagnostics::default(), status: 0 },
            Err(Failure::Because(errors)) => Failure::Stuck { errors, status: 1 },
            Err(Failure::Ended { errors, status }) => Failure::Stuck { errors, status: status.into() },
            Err(stuck @ Failure::Stuck { .. }) => stuck,
        }
    }

    /// The failure when the middleware does not shut down after this outcome.
    fn stuck(outcome: Result<(), Failure>, problem: Diagnostic) -> Failure {
        match outcome {
            Ok(()) | Err(Failure::Unread) => Failure::Stuck { errors: problem.into(), status: STUCK },
            Err(Failure::Ended { mut errors, status }) => {
                errors.0.push(problem);
                Failure::Stuck { errors, status: status.into() }
            }
            Err(Failure::Because(mut errors) | Failure::Stuck { mut errors, .. }) => {
                errors.0.push(problem);
                Failure::Stuck { errors, status: 1 }
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Unread,
            _ => Failure::because(Diagnostic::from(error)),
        }
    }
}

impl From<IdentifyError> for Failure {
    fn from(error: IdentifyError) -> Failure {
        Failure::because(error)
    }
}

/// Logs warnings.
fn log_warnings(warnings: impl IntoIterator<Item: Into<Diagnostic>>) {
    for warning in warnings {
        tracing::warn!(diagnostic = warning.into().as_value());
    }
}

/// The message that `what` needs ROS, which this build lacks.
#[cfg(not(feature = "ros"))]
fn without_ros(what: &str) -> Diagnostic {
    let message = Diagnostic::new(what, "this skidpad is built without ROS").accepted("a build with --features ros");
    message.hint(match package::folder() {
        Some(_) => "the Python package has none: make build in a clone of skidpad gives target/release/skidpad",
        None => "make build",
    })
}

/// Sets the number of ray-casting threads; none: that of the machine.
fn set_threads(threads: Option<usize>) -> Result<(), Failure> {
    let Some(count) = threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new().num_threads(count).build_global().map_err(|error| {
        Failure::because(Diagnostic::new(format!("--threads {count}"), format!("cannot start the threads: {error}")))
    })
}
