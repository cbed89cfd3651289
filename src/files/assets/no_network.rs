//! Builds without feature `network`: nothing is fetched, and no archive is unpacked.

use std::path::{Path, PathBuf};

use super::{Assets, Author};
use crate::diagnostic::Diagnostic;

/// What this build lacks.
const NEEDED: &str = "enable the feature \"network\" of skidpad-sim";

/// Stands for the HTTP client.
#[derive(Debug)]
pub(super) struct Agent;

impl Assets {
    /// Refuses to fetch.
    pub(super) fn fetch(&self, url: &str, _: Author) -> Result<PathBuf, Diagnostic> {
        Err(Diagnostic::of(format!("this build fetches no files (\"{url}\")")).hint(NEEDED))
    }

    /// Refuses to unpack.
    pub(super) fn unpack(&self, _: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
        Err(super::not_unpacked(name, Diagnostic::of("this build unpacks no archives").hint(NEEDED)))
    }
}
