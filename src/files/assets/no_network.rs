//! Builds without feature `network`: nothing is fetched, and no archive is unpacked.

use std::path::{Path, PathBuf};

use super::{Assets, Author};

/// Why, after what cannot be done.
const REASON: &str = "this build of skidpad-files lacks the feature \"network\"";

/// Stands for the HTTP client.
#[derive(Debug)]
pub(super) struct Agent;

impl Assets {
    /// Refuses to fetch.
    pub(super) fn fetch(&self, url: &str, _: Author) -> Result<PathBuf, String> {
        Err(format!("\"{url}\" cannot be fetched ({REASON})"))
    }

    /// Refuses to unpack.
    pub(super) fn unpack(&self, _: &Path, name: &str) -> Result<PathBuf, String> {
        Err(format!("cannot unpack \"{name}\" ({REASON})"))
    }
}
