//! `skidpad experiment`: runs experiments in this process, as fast as the processor allows.

use std::path::PathBuf;

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct ExperimentArgs {
    /// The experiment, as YAML
    #[arg(value_name = "CONFIG", required_unless_present = "matrix")]
    pub(super) config: Option<PathBuf>,
    /// Run every plant on every tyre along every trajectory
    #[arg(long)]
    pub(super) matrix: bool,
    /// Folder for recordings, metrics and plots
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
}

/// Runs what was asked for.
pub(super) fn experiment(_args: &ExperimentArgs) -> Result<(), Failure> {
    Ok(())
}
