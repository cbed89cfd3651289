//! Command-line arguments: those of `skidpad` that need ROS.

use std::ffi::OsString;

use clap::{Parser, Subcommand};
use skidpad_program::command_line;
use skidpad_program::node::NodeArgs;
use skidpad_program::report::Verbosity;
use skidpad_program::run_args::RunArgs;

/// Run worlds as a ROS 2 node, and the ROS nodes around the simulator
#[derive(Debug, Parser)]
#[command(
    name = "skidpad-ros",
    version,
    arg_required_else_help = true,
    after_help = "The program skidpad, which `make build` makes, has all other commands, such as check, experiment, test and replay."
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
    /// Run one of the ROS nodes around the simulator
    Node(NodeArgs),
    /// Print the parameters of the node as Markdown
    List(ListArgs),
    /// Print the environment variables that ROS needs, one on each line
    Environment,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// List to print
    #[arg(id = "what", value_name = "WHAT", value_enum)]
    pub(crate) kind: Listed,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Listed {
    /// The parameters of the ROS node
    Parameters,
}

/// The definition of the arguments.
pub(crate) fn command() -> clap::Command {
    command_line::definition::<Args>()
}

/// The arguments of these words, of which the first is the name of the program.
///
/// # Errors
/// They are no usage of it, or ask for help.
pub(crate) fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    command_line::parse(words, command)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Args::command().debug_assert();
    }
}
