//! Reads one vehicle of a recording as a run.
//!
//! All topics are read first; `select` then decides which of them to use.

mod samples;
mod select;

use std::collections::BTreeMap;
use std::path::Path;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_record::bag::{self, BagError, Visitor};

use super::run::Run;
use samples::SampledTopic;

/// The topics of a recording to use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Topic of the poses; none: the first of the usual ones.
    pub odometry: Option<String>,
    /// Topic of the reference; none: `/reference_trajectory`.
    pub reference: Option<String>,
    /// Topic of the commands; none: the first of the usual ones.
    pub command: Option<String>,
    /// Only topics in this namespace.
    pub vehicle: Option<String>,
}

/// Why a recording cannot be read as a run.
#[derive(Debug)]
pub enum ReadError {
    /// It cannot be read.
    Bag(BagError),
    /// It lacks a topic that was requested or is needed; the message has the recording as its place, and accepts its topics of a suitable
    /// type.
    Topic(Diagnostic),
}

impl From<&ReadError> for Diagnostics {
    fn from(error: &ReadError) -> Diagnostics {
        match error {
            ReadError::Bag(error) => error.into(),
            ReadError::Topic(lacking) => lacking.clone().into(),
        }
    }
}

errors_by_parts!(ReadError { Bag(BagError), Topic(Diagnostic) });

/// The topics of a recording that an analysis can use.
#[derive(Debug, Default)]
struct Contents {
    topics: BTreeMap<String, SampledTopic>,
    notes: Vec<Diagnostic>,
}

/// Collects the contents of one file.
struct Reader<'a> {
    topics: &'a mut BTreeMap<String, SampledTopic>,
    /// Names of the topics of this file by id.
    names: BTreeMap<u64, String>,
}

impl Visitor for Reader<'_> {
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        // Topics without messages are listed too.
        self.topics.entry(name.into()).or_insert_with(|| SampledTopic::new(kind));
        self.names.insert(id, name.into());
        SampledTopic::is_read(kind)
    }

    fn message(&mut self, id: u64, time: i64, data: &[u8]) {
        if let Some(topic) = self.names.get(&id).and_then(|name| self.topics.get_mut(name)) {
            topic.take(time, data);
        }
    }
}

/// Reads the data of one vehicle from a recording.
///
/// # Errors
/// It cannot be read, is not a recording, or contains no odometry.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Run, ReadError> {
    let mut contents = Contents::default();
    let Contents { topics, notes } = &mut contents;
    bag::each_file(path, "are read", notes, |mut file, notes| {
        file.scan(&mut Reader { topics, names: BTreeMap::new() }, notes);
    })?;
    let mut run = select::run(path, contents, options)?;
    run.tidy();
    run.derive_velocities();
    Ok(run)
}
