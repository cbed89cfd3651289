//! Reads the vehicles of a recording as runs.
//!
//! All topics are read first; `select` then decides which of them to use.

mod measured;
mod samples;
mod select;
mod transforms;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_record::bag::{self, BagError, FileRange, Visitor};
use skidpad_record::provenance::PROVENANCE_ATTACHMENT;
use skidpad_record::{MISSING_ATTACHMENT, MissingMessages, Provenance};

use super::run::Run;
use measured::Measured;
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
    /// Whether a recording without a reference lacks nothing.
    pub needs_no_reference: bool,
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

/// Times of missing messages that a note lists.
const LISTED: usize = 10;

/// The topics of a recording that an analysis can use.
#[derive(Debug, Default)]
struct Contents {
    topics: BTreeMap<String, SampledTopic>,
    /// Number of messages by topic that the recorder has found to be missing, and their first times.
    missing: BTreeMap<String, (u64, Vec<String>)>,
    /// How the numbers of the run were measured.
    measured: Measured,
    notes: Vec<Diagnostic>,
}

impl Contents {
    /// Takes what a recorder has written about missing messages.
    fn take_missing(&mut self, json: &[u8]) {
        if let Ok(MissingMessages { topic, time, count }) = serde_json::from_slice(json) {
            let (sum, times) = self.missing.entry(topic).or_default();
            *sum = sum.saturating_add(count);
            if times.len() < LISTED {
                times.push(format!("{time:.3} s"));
            }
        }
    }
}

/// Collects the contents of one file.
struct Reader<'a> {
    topics: &'a mut BTreeMap<String, SampledTopic>,
    /// Names of the topics of this file by id.
    names: BTreeMap<u64, String>,
    /// What the recorder has found to be missing.
    missing: Vec<FileRange>,
    /// How the run was made.
    provenance: Option<FileRange>,
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

    fn attachment(&mut self, _: u64, name: &str, place: FileRange) {
        match name {
            MISSING_ATTACHMENT => self.missing.push(place),
            PROVENANCE_ATTACHMENT => self.provenance = self.provenance.or(Some(place)),
            _ => {}
        }
    }
}

/// Reads the data of one vehicle from a recording.
///
/// # Errors
/// It cannot be read, is not a recording, or contains no odometry, or that of several vehicles none of which is named.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Run, ReadError> {
    let mut runs = read_all(path, options)?;
    match runs.pop() {
        Some(only) if runs.is_empty() => Ok(only),
        last => {
            let sources = runs.into_iter().chain(last).map(|run| run.topics.poses);
            let message = Diagnostic::new(path.display(), "has several odometries").accepted_all(sources);
            Err(message.hint("--odom names the topic").into())
        }
    }
}

/// Reads the data of all vehicles from a recording, or of the one that the options name; at least of one.
///
/// # Errors
/// It cannot be read, is not a recording, or contains no odometry.
pub fn read_all(path: &Path, options: &ReadOptions) -> Result<Vec<Run>, ReadError> {
    let mut contents = Contents::default();
    let (mut notes, mut provenance) = (Vec::new(), None::<Arc<Provenance>>);
    bag::visit_files(path, "are read", &mut notes, |mut file, notes| {
        let topics = &mut contents.topics;
        let mut reader = Reader { topics, names: BTreeMap::new(), missing: Vec::new(), provenance: None };
        file.scan(&mut reader, notes);
        let (written, made) = (std::mem::take(&mut reader.missing), reader.provenance.take());
        let made = made.and_then(|place| serde_json::from_slice(&file.attachment(&place)?).ok());
        provenance = provenance.take().or(made.map(Arc::new));
        written.iter().filter_map(|place| file.attachment(place)).for_each(|json| contents.take_missing(&json));
    })?;
    contents.notes = notes;
    contents.measured = provenance.as_deref().map(Measured::of).unwrap_or_default();
    let mut runs = select::runs(path, &contents, options)?;
    for run in &mut runs {
        run.tidy();
        run.derive_velocities();
        contents.measured.keep(&mut run.poses);
        run.provenance.clone_from(&provenance);
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use skidpad_math::time::SimTime;
    use skidpad_record::{RecordOptions, Recorder};
    use skidpad_run::sink::Sink;
    use skidpad_sim::world::{LoadOptions, World};

    use super::*;

    #[test]
    fn what_a_recorder_has_counted_as_missing_is_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.mcap");
        let text = "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\
                    <dynamics class=\"differential\"/></vehicle></mvsim_world>";
        let (mut world, _) = World::load_text("w", Path::new("."), text, &LoadOptions::default()).unwrap();
        let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
        recorder.start(world.scene()).unwrap();
        let topic = Arc::<str>::from("/reference_trajectory");
        for instant in 1..30 {
            world.step().unwrap();
            recorder.frame(world.scene(), world.frame()).unwrap();
            if instant % 10 == 0 {
                recorder.message_missing(&topic, SimTime::from_secs(0.02 * f64::from(instant))).unwrap();
            }
        }
        recorder.finish().unwrap();
        let notes = read(&path, &ReadOptions::default()).unwrap().notes;
        let reported = "/reference_trajectory: missing by the recorder's count: 2 messages, at 0.200 s, 0.400 s";
        assert!(notes.iter().any(|note| note.to_string() == reported), "{notes:?}");
    }
}
