//! The real program from outside: arguments, messages, files and downloads.

mod analyze;
mod assets;
mod check;
mod cli;
mod dataset;
mod experiment;
#[cfg(target_os = "linux")]
mod full_disk;
mod identify;
mod import;
mod json;
mod laps;
#[path = "../support/launch.rs"]
mod launch;
mod other_robots;
mod plot;
mod python;
mod record;
mod replay;
mod rerun;
mod rerun_forged;
mod running;
mod scenario;
mod shell;
mod shown;
mod signals;
mod snapshot;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/terminal.rs"]
mod terminal;
mod tutorials;
