//! The program of the ROS 2 node: `run`, the nodes around the simulator, and the table of the node's parameters. `skidpad-ros`
//! (`launcher.rs`) starts it, because it needs the libraries of ROS; `skidpad` has all other commands.

mod args;
mod bridge;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_program::answer::{self, Answer};
use skidpad_program::{Failure, log, log_warnings, node, provenance, report, ros, ros_args, run, signals};

use args::{Listed, Task};

fn main() -> ExitCode {
    skidpad_program::take_arguments(args::command);
    ros::provide(&bridge::R2R);
    // Its error is that of the commands which depend on signals.
    let _ = signals::set_up();
    signals::let_in();
    let status = answer_to(std::env::args_os().collect());
    signals::end_command();
    status
}

fn answer_to(arguments: Vec<OsString>) -> ExitCode {
    let (for_program, for_ros) = ros_args::split(node::under_own_name(arguments));
    let words: Vec<String> = for_program.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let args = match args::parse(for_program) {
        Ok(args) => args,
        Err(error) => {
            signals::end_command();
            return answer::wrong_usage(&error, &words);
        }
    };
    let (name, document) = match &args.task {
        Task::Run(run) => ("skidpad", run.json.json.then_some("run")),
        Task::Node(node) => (node.name.as_str(), None),
        Task::List(_) | Task::Environment => ("skidpad", None),
    };
    report::begin(args.verbosity, document.is_some());
    let warnings = log::start(&ros_args::log_options(&for_ros, name), args.verbosity);
    tell_of_another_build();
    let mut answer = Answer::new(document);
    let done = match args.task {
        Task::Run(args) => run::run(*args, &words, for_ros, warnings, &mut answer),
        Task::Node(args) => node::node(&args, &for_ros),
        Task::List(args) => match args.kind {
            Listed::Parameters => write(&skidpad_ros::parameter_table()),
        },
        Task::Environment => write(&environment()),
    };
    answer.end(done)
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The variables that the launcher has completed, as `NAME=VALUE` on lines.
fn environment() -> String {
    let names = ["ROS_DISTRO", "AMENT_PREFIX_PATH", "LD_LIBRARY_PATH"];
    let given = names.iter().filter_map(|name| std::env::var(name).ok().map(|value| format!("{name}={value}\n")));
    given.collect()
}

/// Warns where `skidpad`, which has become this program, is of another build.
fn tell_of_another_build() {
    let own_build = provenance::of_this_version().program();
    if let Ok(caller) = std::env::var(provenance::CALLER)
        && caller != own_build
    {
        log_warnings([Diagnostic::new("skidpad-node", format!("is {own_build}"))
            .accepted(format!("the build of skidpad, which is {caller}"))
            .hint("make build")]);
    }
}
