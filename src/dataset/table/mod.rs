//! A recording as tables: a CSV or Parquet file for each topic, with a row for each message and a column for each number and text in it.
//!
//! ```text
//!  recording ── first pass: definitions, lengths of lists ──▶ Layout of each topic
//!  recording again ── each message by its layout ──▶ a row
//! ```
//! The first column is `log_time`; the others are named by the paths of their fields. Times are seconds with all nine decimals in CSV, and
//! time stamps in nanoseconds in Parquet.

mod content;
mod definition;
mod parquet;
mod shape;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::nearest::did_you_mean;
use skidpad_files::scratch::Scratch;
use skidpad_record::bag::{self, BagError, Visitor};
use skidpad_ros_data::message;

pub use content::{content, first_difference};
use definition::{Definition, Kind};
use parquet::ParquetFile;
use shape::{Cell, Layout};

/// What to write.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The folder, which must not exist.
    pub out: PathBuf,
    /// What the files are.
    pub format: TableFormat,
    /// Only these topics; none: all.
    pub topics: Vec<String>,
    /// Longest list that has columns.
    pub longest: usize,
}

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values (RFC 4180).
    Csv,
    /// Apache Parquet, each column with its type.
    Parquet,
}

/// Why there are no tables.
#[derive(Debug)]
pub enum TableError {
    /// The recording cannot be read.
    Recording(BagError),
    /// The folder exists, a topic is not there, or nothing is.
    Refused(Diagnostic),
    /// A file cannot be written.
    File(FileError),
}

impl From<&TableError> for Diagnostics {
    fn from(error: &TableError) -> Diagnostics {
        match error {
            TableError::Recording(error) => error.into(),
            TableError::Refused(diagnostic) => diagnostic.clone().into(),
            TableError::File(error) => Diagnostic::from(error).into(),
        }
    }
}

errors_by_parts!(TableError { Recording(BagError), Refused(Diagnostic), File(FileError) });

/// The layout of a topic so far, or why it has none.
struct Topic {
    kind: String,
    layout: Result<Layout, String>,
    messages: usize,
    /// Messages whose bytes do not fit the definition.
    broken: usize,
}

/// The first pass.
#[derive(Default)]
struct Survey {
    longest: usize,
    definitions: BTreeMap<String, String>,
    topics: BTreeMap<String, Topic>,
    wanted: Vec<String>,
    /// Names of the topics of the present file by id; none: not wanted, or of another type than before.
    names: BTreeMap<u64, String>,
    /// Topics that come with a second type.
    mixed: Vec<String>,
}

impl Visitor for Survey {
    fn definition(&mut self, kind: &str, text: &str) {
        if !text.trim().is_empty() {
            self.definitions.insert(kind.to_owned(), text.to_owned());
        }
    }

    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        let longest = self.longest;
        let layout = || {
            let known_definition = message::definition(kind);
            let text = self.definitions.get(kind).unwrap_or(&known_definition);
            if text.is_empty() && kind != "std_msgs/msg/Empty" {
                return Err("the recording does not contain its definition".to_owned());
            }
            Definition::parse(kind, text).map(|definition| Layout::new(definition, longest))
        };
        let topic = self.topics.entry(name.to_owned());
        let topic = topic.or_insert_with(|| Topic { kind: kind.to_owned(), layout: layout(), messages: 0, broken: 0 });
        if topic.kind != kind {
            self.mixed.push(name.to_owned());
            return false;
        }
        let is_wanted = self.wanted.is_empty() || self.wanted.iter().any(|wanted| wanted == name);
        if is_wanted {
            self.names.insert(id, name.to_owned());
        }
        is_wanted
    }

    fn message(&mut self, id: u64, _time: i64, data: &[u8]) {
        let Some(topic) = self.names.get(&id).and_then(|name| self.topics.get_mut(name)) else { return };
        topic.messages += 1;
        if let Ok(layout) = &mut topic.layout {
            // A message that is broken leaves no trace in the layout.
            let before = layout.clone();
            if !layout.learn(data) {
                *layout = before;
                topic.broken += 1;
            }
        }
    }
}

/// A file that is being written.
struct Table {
    writer: Writer,
    path: PathBuf,
    rows: usize,
}

/// What writes the rows of a file.
enum Writer {
    Csv(Box<csv::Writer<File>>),
    Parquet(Box<ParquetFile>),
}

impl Writer {
    /// Begins a file with these columns.
    fn new(format: TableFormat, file: File, columns: &[(String, Kind)]) -> io::Result<Writer> {
        Ok(match format {
            TableFormat::Csv => {
                let mut writer = csv::WriterBuilder::new().flexible(false).from_writer(file);
                writer.write_record(columns.iter().map(|(name, _)| name))?;
                Writer::Csv(Box::new(writer))
            }
            TableFormat::Parquet => Writer::Parquet(Box::new(ParquetFile::new(file, columns)?)),
        })
    }

    fn write(&mut self, row: &mut Vec<Cell>) -> io::Result<()> {
        match self {
            Writer::Csv(writer) => Ok(writer.write_record(row.iter().map(ToString::to_string))?),
            Writer::Parquet(file) => file.write(row.drain(..)),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Writer::Csv(mut writer) => writer.flush(),
            Writer::Parquet(file) => file.finish(),
        }
    }
}

/// The second pass.
struct Writing<'a> {
    survey: &'a Survey,
    tables: BTreeMap<&'a str, Table>,
    names: BTreeMap<u64, &'a str>,
    failure: Option<FileError>,
    row: Vec<Cell>,
}

impl Visitor for Writing<'_> {
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        let known = self.survey.topics.get_key_value(name).filter(|(_, topic)| topic.kind == kind);
        let known = known.map(|(name, _)| name.as_str()).filter(|name| self.tables.contains_key(name));
        self.names.extend(known.map(|name| (id, name)));
        known.is_some()
    }

    fn message(&mut self, id: u64, time: i64, data: &[u8]) {
        let Some(name) = self.names.get(&id).filter(|_| self.failure.is_none()) else { return };
        let Some(Ok(layout)) = self.survey.topics.get(*name).map(|topic| &topic.layout) else { return };
        let Some(table) = self.tables.get_mut(name) else { return };
        self.row.clear();
        self.row.push(Cell::Nanoseconds(time));
        if layout.cells(data, &mut self.row).is_none() {
            return;
        }
        match table.writer.write(&mut self.row) {
            Ok(()) => table.rows += 1,
            Err(error) => self.failure = Some(FileError::write(&table.path, error)),
        }
    }
}

/// The name of the file of a topic: `husky.odom.csv` of `/husky/odom`; names of topics have no dots.
fn file_name(topic: &str, format: TableFormat) -> String {
    let ending = match format {
        TableFormat::Csv => "csv",
        TableFormat::Parquet => "parquet",
    };
    format!("{}.{ending}", topic.trim_matches('/').replace('/', "."))
}

/// Writes the tables of a recording; returns the files, each with its topic and the number of its rows. What is left out is added to `notes`.
///
/// # Errors
/// As [`TableError`]; then there is no folder.
pub fn write(
    recording: &Path,
    options: &TableOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<(PathBuf, String, usize)>, TableError> {
    let out = options.out.as_path();
    if out.exists() {
        let hint = "choose a folder that does not, or remove it";
        return Err(Diagnostic::new(out.display(), "exists already").hint(hint).into());
    }
    let wanted = options.topics.iter().map(|topic| format!("/{}", topic.trim_start_matches('/'))).collect();
    let mut survey = Survey { longest: options.longest, wanted, ..Survey::default() };
    bag::visit_files(recording, "are exported", notes, |mut file, notes| {
        survey.names.clear();
        file.scan(&mut survey, notes);
    })?;
    let names: Vec<&str> = survey.topics.keys().map(String::as_str).collect();
    if let Some(unknown) = survey.wanted.iter().find(|wanted| !survey.topics.contains_key(*wanted)) {
        let message = Diagnostic::new(recording.display(), format!("has no topic {unknown}"));
        let message = message.accepted_all(names.iter().copied());
        return Err(Diagnostic { hint: did_you_mean(unknown, &names), ..message }.into());
    }
    tell(recording, &survey, notes);
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |path: &Path, error: io::Error| FileError::write(path, error);
    let unfinished = Scratch::beside(parent, ".skidpad-export-").map_err(|error| failed(parent, error))?;
    // A folder of its own in there has the usual permissions.
    let content = unfinished.path().join("content");
    fs::create_dir(&content).map_err(|error| failed(&content, error))?;
    let mut tables = BTreeMap::new();
    for (name, topic) in &survey.topics {
        let Ok(layout) = &topic.layout else { continue };
        if topic.messages == topic.broken {
            continue;
        }
        let path = content.join(file_name(name, options.format));
        let file = File::create(&path).map_err(|error| failed(&path, error))?;
        let columns: Vec<(String, Kind)> =
            std::iter::once(("log_time".to_owned(), Kind::Time)).chain(layout.columns()).collect();
        let writer = Writer::new(options.format, file, &columns).map_err(|error| failed(&path, error))?;
        tables.insert(name.as_str(), Table { writer, path, rows: 0 });
    }
    if tables.is_empty() {
        let message = Diagnostic::new(recording.display(), "holds no message that can be exported");
        return Err(message.into());
    }
    let mut writing = Writing { survey: &survey, tables, names: BTreeMap::new(), failure: None, row: Vec::new() };
    // What is wrong with the recording was noted by the first pass.
    bag::visit_files(recording, "are exported", &mut Vec::new(), |mut file, notes| {
        writing.names.clear();
        file.scan(&mut writing, notes);
    })?;
    if let Some(failure) = writing.failure {
        return Err(failure.into());
    }
    let mut written = Vec::new();
    for (name, table) in writing.tables {
        table.writer.finish().map_err(|error| failed(&table.path, error))?;
        written.push((out.join(file_name(name, options.format)), name.to_owned(), table.rows));
    }
    fs::rename(&content, out).map_err(|error| failed(out, error))?;
    Ok(written)
}

/// Says what is left out.
fn tell(recording: &Path, survey: &Survey, notes: &mut Vec<Diagnostic>) {
    let of = |topic: &str, found: String| Diagnostic::new(recording.display(), format!("{topic}: {found}"));
    for (name, topic) in survey.topics.iter().filter(|(_, topic)| topic.messages > 0) {
        let layout = match &topic.layout {
            Ok(layout) => layout,
            Err(problem) => {
                notes.push(of(name, format!("{} messages are left out: {problem}", topic.messages)));
                continue;
            }
        };
        if topic.broken > 0 {
            notes.push(of(name, format!("{} messages are not {}, left out", topic.broken, topic.kind)));
        }
        let lists = layout.left_out();
        if let Some(most) = lists.iter().map(|(_, most)| *most).max() {
            let paths: Vec<&str> = lists.iter().map(|(path, _)| path.as_str()).collect();
            let message = of(name, format!("{} has up to {most} elements, left out", paths.join(", ")));
            notes.push(message.accepted(format!("up to {}", survey.longest)).hint(format!("--list-limit {most}")));
        }
    }
    notes.extend(survey.mixed.iter().map(|name| of(name, "has several types, only the first is written".into())));
}
