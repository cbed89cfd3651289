//! `skidpad analyze`: metrics and graphs of recordings.

use std::path::PathBuf;

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct AnalyzeArgs {
    /// Recordings: MCAP files, sqlite3 bags, or the folders of `ros2 bag record`
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

/// Analyzes what was asked for.
pub(super) fn analyze(_args: &AnalyzeArgs) -> Result<(), Failure> {
    Ok(())
}
