//! A recorded drive as a dataset with ground truth, in the folders that programs for odometry and SLAM read.
//!
//! ```text
//!  recording ── survey: topics, stamps, true motion, mounting of the sensors ──▶ Survey
//!  Survey ── choice of the topics ──▶ Sources ── plan: which message becomes which file ──▶ Plan
//!  recording again ── each message of the plan ──▶ files
//! ```
//! Formats: KITTI odometry (A. Geiger et al. 2012), TUM RGB-D (J. Sturm et al. 2012), EuRoC MAV (M. Burri et al. 2016). A dataset is made
//! beside its folder and moved there when it is complete. Memory does not grow with the pictures and points of the recording.

mod euroc;
mod kitti;
mod motion;
mod pictures;
pub mod snapshot;
mod sources;
mod survey;
pub mod table;
mod tum;
mod yaml;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::scratch::Scratch;
use skidpad_record::bag::{self, BagError, Visitor};

use self::motion::Motion;
use self::sources::Sources;
use self::survey::Survey;

/// Most frames of a dataset: numbers of KITTI have six digits.
const MAX_FRAMES: usize = 1_000_000;

/// A format of datasets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetFormat {
    /// KITTI odometry: clouds, pictures and poses by number.
    Kitti,
    /// TUM RGB-D: colour and depth pictures by time.
    Tum,
    /// EuRoC MAV: pictures and inertial samples by time.
    Euroc,
}

impl DatasetFormat {
    /// Their names on the command line.
    pub const NAMES: &[(&str, DatasetFormat)] =
        &[("kitti", DatasetFormat::Kitti), ("tum", DatasetFormat::Tum), ("euroc", DatasetFormat::Euroc)];
}

/// What to write. Topics may be given by their ends; without one the first that fits is taken, of TUM RGB-D the first
/// camera with colours and depths.
#[derive(Clone, Debug)]
pub struct DatasetOptions {
    /// The format.
    pub format: DatasetFormat,
    /// The folder, which must not exist.
    pub out: PathBuf,
    /// Name of the vehicle; needed if there are several.
    pub vehicle: Option<String>,
    /// Topic of the clouds.
    pub cloud: Option<String>,
    /// Topic of the colour pictures.
    pub image: Option<String>,
    /// Topic of the pictures of a right camera; none are taken unless it is given.
    pub right_image: Option<String>,
    /// Topic of the depth pictures.
    pub depth: Option<String>,
    /// Topic of the inertial samples.
    pub imu: Option<String>,
}

/// Why there is no dataset.
#[derive(Debug)]
pub enum DatasetError {
    /// The recording cannot be read.
    Recording(BagError),
    /// The folder exists.
    Exists(PathBuf),
    /// Nothing says where the vehicle truly was.
    NoTruth(PathBuf),
    /// It is not clear which vehicle is meant.
    Vehicle {
        /// What was given; empty: nothing.
        found: String,
        /// Names of the vehicles.
        known: Vec<String>,
    },
    /// The recording lacks a topic that was asked for or that the format needs.
    Topic {
        /// The option that chooses it.
        option: &'static str,
        /// What is missing.
        missing: String,
        /// Topics that would fit.
        known: Vec<String>,
    },
    /// No sample lies within the time of the true motion.
    NoFrames {
        /// The recording.
        path: PathBuf,
        /// The topic.
        topic: String,
    },
    /// More frames than can be numbered.
    TooMany(usize),
    /// A message that cannot be written.
    Message {
        /// Topic of the message.
        topic: String,
        /// Why.
        problem: String,
    },
    /// A file cannot be written.
    File(FileError),
}

impl From<&DatasetError> for Diagnostics {
    fn from(error: &DatasetError) -> Diagnostics {
        let message = match error {
            DatasetError::Recording(error) => return error.into(),
            DatasetError::Exists(path) => {
                Diagnostic::new(path.display(), "exists already").hint("choose a folder that does not, or remove it")
            }
            DatasetError::NoTruth(path) => Diagnostic::new(path.display(), "has no true motion of a vehicle")
                .accepted("recordings with vehicle_state (skidpad/msg/VehicleState), as skidpad run --record writes"),
            DatasetError::Vehicle { found, known } => {
                Diagnostic::new("--vehicle", format!("found \"{found}\"")).accepted_all(known)
            }
            DatasetError::Topic { option, missing, known } => match &known[..] {
                [] => Diagnostic::new(option, missing).accepted("none, the recording has no such topic"),
                known => Diagnostic::new(option, missing).accepted_all(known),
            },
            DatasetError::NoFrames { path, topic } => {
                Diagnostic::new(path.display(), format!("no sample of {topic} lies within the time of the true motion"))
            }
            DatasetError::TooMany(count) => {
                Diagnostic::of(format!("{count} frames")).accepted(format!("up to {MAX_FRAMES}"))
            }
            DatasetError::Message { topic, problem } => Diagnostic::new(topic, problem),
            DatasetError::File(error) => error.into(),
        };
        message.into()
    }
}

errors_by_parts!(DatasetError { Recording(BagError), File(FileError) });

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatasetReport {
    /// Each topic with the number of its messages in the dataset.
    pub written: Vec<(String, usize)>,
}

/// Turns one message into a file.
type WriteMessage = Box<dyn Fn(&[u8], &Path) -> Result<(), DatasetError>>;

/// Which messages become which files.
#[derive(Default)]
struct Plan {
    topics: BTreeMap<String, PlannedTopic>,
    /// Texts that are known after the survey, by their paths below the folder.
    texts: Vec<(PathBuf, String)>,
}

/// Files by the stamp of their message [ns].
type Files = BTreeMap<i64, Vec<PathBuf>>;

/// A topic of which some messages become files.
struct PlannedTopic {
    /// The paths below the folder of the message with each stamp [ns].
    files: Files,
    write: WriteMessage,
}

impl Plan {
    fn add_topic(&mut self, topic: &str, files: Files, write: WriteMessage) {
        self.topics.insert(topic.to_owned(), PlannedTopic { files, write });
    }

    fn add_text(&mut self, path: impl Into<PathBuf>, text: String) {
        self.texts.push((path.into(), text));
    }
}

/// A recorded drive: what the formats plan from.
struct Drive<'a> {
    recording: &'a Path,
    survey: &'a Survey,
    sources: &'a Sources,
    motion: &'a Motion,
}

/// Writes the drive of a recording as a dataset. What is unusual about the recording is added to `notes`.
///
/// # Errors
/// As [`DatasetError`]; then there is no folder.
pub fn write(
    recording: &Path,
    options: &DatasetOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<DatasetReport, DatasetError> {
    if options.out.exists() {
        return Err(DatasetError::Exists(options.out.clone()));
    }
    let mut survey = Survey::default();
    bag::visit_files(recording, "are read", notes, |mut file, notes| {
        survey.next_file();
        file.scan(&mut survey, notes);
        survey.end_of_file(&file);
    })?;
    let (vehicle, motion) = survey.choose_vehicle(recording, options)?;
    let sources = Sources::choose(&survey, vehicle, options, notes)?;
    let drive = Drive { recording, survey: &survey, sources: &sources, motion: &motion };
    let plan = match options.format {
        DatasetFormat::Kitti => kitti::plan(&drive, notes)?,
        DatasetFormat::Tum => tum::plan(&drive, notes)?,
        DatasetFormat::Euroc => euroc::plan(&drive, notes)?,
    };
    let failed = |path: &Path, error: io::Error| FileError::write(path, error);
    let parent = options.out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let unfinished = Scratch::beside(parent, ".skidpad-dataset-").map_err(|error| failed(parent, error))?;
    let report = fill(recording, unfinished.path(), plan, notes)?;
    // A folder of its own in there has the usual permissions.
    fs::rename(unfinished.path().join(CONTENT), &options.out).map_err(|error| failed(&options.out, error))?;
    Ok(report)
}

/// The dataset inside of the folder in which it is made.
const CONTENT: &str = "content";

/// Writes the files of a plan.
fn fill(
    recording: &Path,
    folder: &Path,
    plan: Plan,
    notes: &mut Vec<Diagnostic>,
) -> Result<DatasetReport, DatasetError> {
    let root = folder.join(CONTENT);
    let failed = |path: &Path, error: io::Error| FileError::write(path, error);
    let paths = plan
        .topics
        .values()
        .flat_map(|topic| topic.files.values().flatten())
        .chain(plan.texts.iter().map(|text| &text.0));
    let mut folders: Vec<PathBuf> = paths.filter_map(|path| path.parent()).map(|folder| root.join(folder)).collect();
    folders.sort();
    folders.dedup();
    folders.iter().try_for_each(|folder| fs::create_dir_all(folder).map_err(|error| failed(folder, error)))?;
    for (path, text) in &plan.texts {
        let path = root.join(path);
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    let mut writer = Writer { root, plan, ids: BTreeMap::new(), counts: BTreeMap::new(), failure: None };
    // What is wrong with the recording was noted by the survey.
    let mut known = Vec::new();
    bag::visit_files(recording, "are read", &mut known, |mut file, notes| {
        writer.ids.clear();
        file.scan(&mut writer, notes);
    })?;
    notes.extend(known.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
    match writer.failure {
        Some(failure) => Err(failure),
        None => Ok(DatasetReport { written: writer.counts.into_iter().collect() }),
    }
}

/// Writes the messages of the plan while the recording is read.
struct Writer {
    root: PathBuf,
    plan: Plan,
    /// Topics by their ids in the present file.
    ids: BTreeMap<u64, String>,
    counts: BTreeMap<String, usize>,
    failure: Option<DatasetError>,
}

impl Visitor for Writer {
    fn topic(&mut self, id: u64, name: &str, _kind: &str) -> bool {
        let is_wanted = self.plan.topics.contains_key(name);
        if is_wanted {
            self.ids.insert(id, name.to_owned());
        }
        is_wanted
    }

    fn message(&mut self, id: u64, _time: i64, data: &[u8]) {
        let Some(topic) = self.ids.get(&id).filter(|_| self.failure.is_none()) else { return };
        let (Some(planned), Some(stamp)) = (self.plan.topics.get(topic), survey::stamp(data)) else { return };
        for path in planned.files.get(&stamp).into_iter().flatten() {
            match (planned.write)(data, &self.root.join(path)) {
                Ok(()) => *self.counts.entry(topic.clone()).or_default() += 1,
                Err(error) => self.failure = Some(error),
            }
        }
    }
}

/// Checks the number of frames from a topic.
fn check_count(recording: &Path, topic: &str, count: usize) -> Result<(), DatasetError> {
    match count {
        0 => Err(DatasetError::NoFrames { path: recording.to_path_buf(), topic: topic.to_owned() }),
        _ if count > MAX_FRAMES => Err(DatasetError::TooMany(count)),
        _ => Ok(()),
    }
}
