//! Command-line arguments: those of `skidpad` that need ROS.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use skidpad_program::node::NodeArgs;
use skidpad_program::report::Verbosity;
use skidpad_program::run_args::RunArgs;

/// Runs worlds as a ROS 2 node, and the nodes around the simulator
#[derive(Debug, Parser)]
#[command(
    name = "skidpad-ros",
    version,
    arg_required_else_help = true,
    after_help = "All other commands, such as check, experiment, test and replay, are those of skidpad, which make build makes."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Run a world as a ROS 2 node
    ///
    /// Arguments between --ros-args and -- (or the end) are passed to ROS. SIGINT, SIGTERM and SIGHUP end the run with status 0.
    Run(Box<RunArgs>),
    /// Run one of the nodes around the simulator
    Node(NodeArgs),
    /// Print the parameters of the node as Markdown
    List(ListArgs),
    /// Print the environment that ROS needs, a variable on each line
    Environment,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// What is listed
    #[arg(value_enum)]
    pub(crate) what: Listed,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Listed {
    /// The parameters of the ROS node
    Parameters,
}

/// The definition of the arguments. Help is wrapped to the terminal on which it is printed, and elsewhere not at all.
pub(crate) fn command() -> clap::Command {
    let command = Args::command();
    if io::stdout().is_terminal() { command } else { command.term_width(0) }
}

/// The arguments of these words, of which the first is the name of the program.
///
/// # Errors
/// They are no usage of it, or ask for help.
pub(crate) fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    let mut matches = command().try_get_matches_from(words)?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Args::command().debug_assert();
    }
}
