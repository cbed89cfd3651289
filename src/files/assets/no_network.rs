//! Builds without feature `network`: nothing is fetched, and no archive is unpacked.

use std::path::Path;

use super::fetch::Failure;
use super::{Cancel, Limits};

/// Why, after what cannot be done.
const REASON: &str = "this build of skidpad-files lacks the feature \"network\"";

/// Stands for the HTTP client.
#[derive(Debug)]
pub(super) struct Agent;

/// Stands for the client of one load.
pub(super) fn agent(_: &Limits) -> Agent {
    Agent
}

/// Refuses to fetch.
pub(super) fn fetch(_: &Agent, url: &str, _: &Limits, _: &Cancel, _: &Path) -> Result<String, Failure> {
    Err(Failure::Other(format!("\"{url}\" cannot be fetched ({REASON})")))
}

/// Refuses to unpack.
pub(super) fn unpack(_: &Path, _: &Path, _: &Limits, _: &Cancel) -> Result<Vec<(String, String)>, String> {
    Err(REASON.to_owned())
}
