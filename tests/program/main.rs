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
#[path = "../support/launch.rs"]
mod launch;
mod plot;
mod python;
mod record;
mod replay;
mod running;
#[allow(dead_code, reason = "the library's own tests need the other answers")]
#[path = "../support/server.rs"]
mod server;
mod shown;
mod snapshot;
#[path = "../support/mod.rs"]
mod support;
mod tutorials;
