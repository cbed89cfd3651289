//! `skidpad export`: a recording as tables.

use std::path::PathBuf;

use crate::cli::parsers::elements;
use crate::cli::progress::Work;
use crate::cli::{Failure, complete, log_warnings, report};
use crate::counted::counted;
use crate::dataset::table::{self, TableFormat, TableOptions};

#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("tables").required(true).args(["csv", "parquet"])))]
pub(in crate::cli) struct ExportArgs {
    /// Recording: MCAP file, sqlite3 bag, or folder of `ros2 bag record`
    #[arg(add = complete::recordings())]
    recording: PathBuf,
    /// Folder for a CSV file of each topic; it must not exist
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Folder for a Parquet file of each topic; it must not exist
    ///
    /// Each column has its type.
    #[arg(long, value_name = "FOLDER")]
    parquet: Option<PathBuf>,
    /// Export only this topic; can be repeated
    #[arg(long, value_name = "TOPIC")]
    topic: Vec<String>,
    /// Longest list to export, with a column for each element
    ///
    /// Longer lists, such as ranges and pictures, are left out.
    #[arg(long, value_name = "N", default_value = "64", value_parser = elements)]
    list_limit: usize,
}

/// Writes the tables.
pub(in crate::cli) fn export(args: ExportArgs) -> Result<(), Failure> {
    let ExportArgs { recording, csv, parquet, topic, list_limit } = args;
    let mut notes = Vec::new();
    let (out, format) = match (csv, parquet) {
        (Some(folder), _) => (folder, TableFormat::Csv),
        (None, folder) => (folder.unwrap_or_default(), TableFormat::Parquet),
    };
    let options = TableOptions { out, format, topics: topic, longest: list_limit };
    let written = Work::of("exporting", || table::write(&recording, &options, &mut notes));
    log_warnings(&notes);
    let written = written.map_err(Failure::because)?;
    for (path, topic, rows) in &written {
        report::note(format!("{}: {} of {topic}", path.display(), counted(*rows, "message")));
    }
    Ok(())
}
