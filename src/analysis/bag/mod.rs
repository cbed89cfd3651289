//! Reads recordings: MCAP files, sqlite3 bags of rosbag2, and the folders that `ros2 bag record` makes.
//!
//! What a file is goes by its first bytes, not by its name. Files that end early, as after a kill, are read as far as they go, with a
//! note. Which topics count is decided when all are known (`select`).

mod decode;
mod folder;
mod mcap;
mod select;
pub(crate) mod sqlite;

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::run::Run;
use crate::input_file;
use crate::record::framing::most_unpacked;
use decode::Topic;
pub(crate) use folder::{files, unpacked};

/// Which topics of a recording count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Where the vehicle was; none: the first of the usual ones.
    pub odometry: Option<String>,
    /// Where it should have been; none: `/reference_trajectory`.
    pub reference: Option<String>,
    /// What it was told; none: the first of the usual ones.
    pub command: Option<String>,
    /// Only topics in this namespace.
    pub vehicle: Option<String>,
}

/// Why a recording gives no run.
#[derive(Debug, Error)]
pub enum BagError {
    /// A file cannot be opened or read.
    #[error("{}: cannot be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is none of the formats, or too broken to say anything.
    #[error("{}: {found}\n  accepted: MCAP files, sqlite3 bags (.db3), folders of ros2 bag record{}", path.display(), hint_line(hint))]
    Format {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
        /// What to do about it.
        hint: Option<&'static str>,
    },
    /// No part of a folder can be read.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Parts(Vec<BagError>),
    /// It holds no topic that was asked for or is needed.
    #[error("{}: {found}\n  accepted: {}{}", path.display(), or_nothing(accepted), hint_line(hint))]
    Topic {
        /// The recording.
        path: PathBuf,
        /// What is missing.
        found: String,
        /// Topics that would do.
        accepted: Vec<String>,
        /// What to do about it.
        hint: Option<String>,
    },
}

fn hint_line(hint: &Option<impl std::fmt::Display>) -> String {
    hint.as_ref().map_or_else(String::new, |hint| format!("\n  hint: {hint}"))
}

fn or_nothing(names: &[String]) -> String {
    if names.is_empty() { "nothing that this recording holds".into() } else { names.join(", ") }
}

/// Everything of a recording that an analysis can use, topic by topic.
#[derive(Debug, Default)]
struct Contents {
    topics: BTreeMap<String, Topic>,
    notes: Vec<String>,
}

impl Contents {
    /// The topic of this name, which is of this type; made at the first call.
    fn topic(&mut self, name: &str, kind: &str) -> &mut Topic {
        // Not `entry`, which would want the name as its own for every message.
        if !self.topics.contains_key(name) {
            self.topics.insert(name.into(), Topic::new(kind));
        }
        self.topics.entry(name.into()).or_default()
    }
}

/// Reads what a recording says of one vehicle.
///
/// # Errors
/// It cannot be read, is no recording, or holds no odometry.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Run, BagError> {
    let mut contents = Contents::default();
    if path.is_dir() {
        folder::read(path, &mut contents)?;
    } else {
        read_file(path, &mut contents)?;
    }
    let mut run = select::run(path, contents, options)?;
    run.tidy();
    run.derive_velocities();
    Ok(run)
}

/// Reads one file of a recording, whatever it is.
fn read_file(path: &Path, contents: &mut Contents) -> Result<(), BagError> {
    let from_start =
        || input_file::open(path).map(BufReader::new).map_err(|error| BagError::File { path: path.into(), error });
    match kind_of(path)? {
        Kind::Mcap => mcap::read(path, from_start()?, contents),
        Kind::Sqlite => sqlite::read(path, contents),
        Kind::Compressed => folder::read_compressed(path, contents),
    }
}

/// What a file of a recording is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// MCAP.
    Mcap,
    /// A sqlite3 bag.
    Sqlite,
    /// One of the others, compressed as a whole.
    Compressed,
}

/// Tells what a file is.
///
/// # Errors
/// It cannot be read, or is no recording.
pub(crate) fn kind_of(path: &Path) -> Result<Kind, BagError> {
    let failed = |error| BagError::File { path: path.into(), error };
    let mut start = Vec::new();
    input_file::open(path).and_then(|file| file.take(16).read_to_end(&mut start)).map_err(failed)?;
    let format = |found: &str, hint| BagError::Format { path: path.into(), found: found.into(), hint };
    match &start[..] {
        [] => Err(format("is empty", None)),
        _ if start.starts_with(mcap::MAGIC) => Ok(Kind::Mcap),
        _ if start.starts_with(sqlite::MAGIC) => Ok(Kind::Sqlite),
        _ if start.starts_with(folder::ZSTD) => Ok(Kind::Compressed),
        _ if start.starts_with(b"#ROSBAG V") => Err(format(
            "is a bag of ROS 1",
            Some("rosbags-convert, of the Python package rosbags, makes one of ROS 2 of it"),
        )),
        _ => Err(format("is no recording", None)),
    }
}
