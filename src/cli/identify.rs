//! `skidpad identify` and `skidpad validate`: fit a vehicle class to recordings of a car, and say how well a class predicts them.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, find, print_message, set_threads};
use crate::identify::{self, Car, IdentifyConfig, IdentifyError};

#[derive(Debug, clap::Args)]
pub(super) struct IdentifyArgs {
    /// What is unknown and where the recordings are, as YAML
    #[arg(value_name = "CONFIG")]
    pub(super) config: PathBuf,
    /// Folder for the class, the tables and the page
    #[arg(long, value_name = "DIR", default_value = "identified")]
    pub(super) out: PathBuf,
    /// Folder of the recordings, instead of the config's
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Most evaluations of all windows, instead of the config's
    #[arg(long, value_name = "N")]
    pub(super) budget: Option<usize>,
    /// Threads that evaluate windows; changes no result
    #[arg(long, value_name = "N", value_parser = super::parsers::threads)]
    pub(super) threads: Option<usize>,
}

#[derive(Debug, clap::Args)]
pub(super) struct ValidateArgs {
    /// Columns, windows and recordings, as for identify; its unknowns are not searched
    #[arg(value_name = "CONFIG")]
    pub(super) config: PathBuf,
    /// File of the class, instead of the config's
    #[arg(long, value_name = "FILE")]
    pub(super) vehicle: Option<PathBuf>,
    /// Name of the class, instead of the config's
    #[arg(long, value_name = "NAME")]
    pub(super) class: Option<String>,
    /// Folder of the recordings, instead of the config's
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Threads that evaluate windows; changes no result
    #[arg(long, value_name = "N", value_parser = super::parsers::threads)]
    pub(super) threads: Option<usize>,
}

impl From<IdentifyError> for Failure {
    fn from(error: IdentifyError) -> Failure {
        Failure::because(error)
    }
}

/// The folder of a config.
fn folder_of(config: &Path) -> PathBuf {
    let parent = config.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_path_buf()
}

/// The class file: beside the config, or among the installed worlds.
fn class_file(file: &Path, config: &Path) -> Result<PathBuf, Failure> {
    let beside = folder_of(config).join(file);
    if beside.is_file() {
        return Ok(beside);
    }
    let installed =
        find::folders().into_iter().map(|folder| folder.join("vehicles").join(file)).find(|path| path.is_file());
    installed.ok_or_else(|| {
        Failure::Because(format!(
            "{}: not found\n  accepted: a file beside the config, or one of worlds/vehicles",
            file.display()
        ))
    })
}

/// Fits a class.
pub(super) fn identify(args: &IdentifyArgs) -> Result<(), Failure> {
    set_threads(args.threads)?;
    let mut config = IdentifyConfig::load(&args.config)?;
    config.budget = args.budget.unwrap_or(config.budget);
    let file = class_file(&config.vehicle.file, &args.config)?;
    let folder = args.data.clone().unwrap_or_else(|| folder_of(&args.config));
    let bar = if io::stderr().is_terminal() { ProgressBar::new(config.budget as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {bar:30} {pos}/{len} evaluations, {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let found = identify::identify(&config, &file, &folder, &|count, cost| {
        bar.set_position(count as u64);
        bar.set_message(format!("cost {cost:.1}"));
    });
    bar.finish_and_clear();
    let found = found?;
    for note in &found.notes {
        tracing::warn!("{note}");
    }
    let lists = [("fitted", &found.scores[0][..]), ("not fitted", &found.scores[1][..])];
    let text = format!("{}\n{}", identify::table(&found.found), identify::score_table(&lists));
    io::stdout().lock().write_all(text.as_bytes())?;
    let files = identify::write(&found, &config, &args.out)?;
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    print_message(&format!("wrote {}", names.join(", ")));
    Ok(())
}

/// Scores a class.
pub(super) fn validate(args: &ValidateArgs) -> Result<(), Failure> {
    set_threads(args.threads)?;
    let mut config = IdentifyConfig::load(&args.config)?;
    config.unknowns.clear();
    config.vehicle.class = args.class.clone().unwrap_or(config.vehicle.class);
    let file = match &args.vehicle {
        Some(file) => file.clone(),
        None => class_file(&config.vehicle.file, &args.config)?,
    };
    let folder = args.data.clone().unwrap_or_else(|| folder_of(&args.config));
    let mut notes = Vec::new();
    let car = Car::new(&config, &file)?;
    let [train, test] = identify::recordings(&config, &folder, &mut notes)?;
    for note in &notes {
        tracing::warn!("{note}");
    }
    let scores = [identify::scores(&train, &car, &[])?, identify::scores(&test, &car, &[])?];
    let text = identify::score_table(&[("recordings to fit", &scores[0]), ("recordings to predict", &scores[1])]);
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
