//! The files of one session: a directory of its own, with a file for each vehicle's pose and for each wheel.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use csv::{Writer, WriterBuilder};
use skidpad_files::file_error::FileError;
use skidpad_sim::world::EntityId;

use super::columns::{POSE, WHEEL, header};
use crate::sink::SinkError;

/// One log file and its place in a vehicle's rows.
pub(super) struct LogFile {
    path: PathBuf,
    header: Vec<&'static str>,
    writer: Writer<CountingFile>,
}

/// A file that is only appended to, with the number of bytes written.
struct CountingFile {
    file: File,
    written: u64,
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Location of a vehicle's files.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VehicleFiles {
    /// Id of the vehicle.
    pub(super) id: EntityId,
    /// Prefix of `session_<n>/`: a directory with a trailing slash, or any beginning of a path.
    pub(super) prefix: String,
    /// First part of its file names.
    pub(super) stem: String,
    /// Number of wheels.
    pub(super) wheels: usize,
    /// Whether its rows are written.
    pub(super) is_recorded: bool,
}

/// Writes to an empty file.
fn on(file: File) -> Writer<CountingFile> {
    let counted = CountingFile { file, written: 0 };
    WriterBuilder::new().buffer_capacity(1 << 16).has_headers(false).from_writer(counted)
}

impl LogFile {
    pub(super) fn create(path: PathBuf, header: Vec<&'static str>) -> Result<LogFile, SinkError> {
        // If another process truncates the file, later rows must not leave a hole.
        let file = File::create(&path).and_then(|_| File::options().append(true).open(&path));
        let file = file.map_err(|error| FileError::create(&path, error))?;
        let mut log = LogFile { path, header, writer: on(file) };
        log.write_header()?;
        Ok(log)
    }

    fn write_header(&mut self) -> Result<(), SinkError> {
        self.writer.write_record(&self.header).map_err(|error| not_written(&self.path, &error))
    }

    /// Number of values in a row.
    pub(super) fn width(&self) -> usize {
        self.header.len()
    }

    pub(super) fn write(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.writer.serialize(row).map_err(|error| not_written(&self.path, &error))
    }

    pub(super) fn flush(&mut self) -> Result<(), SinkError> {
        self.writer.flush().map_err(|error| FileError::write(&self.path, error))?;
        self.look()
    }

    /// Fails if another process has removed or truncated the file.
    fn look(&self) -> Result<(), SinkError> {
        let CountingFile { file, written } = self.writer.get_ref();
        let metadata = file.metadata().map_err(|error| FileError::read(&self.path, error))?;
        // Devices have no length.
        let loss = match metadata.is_file() {
            true if metadata.nlink() == 0 => "was removed",
            true if metadata.len() < *written => "was truncated",
            _ => return Ok(()),
        };
        Err(SinkError::new(self.path.display(), format!("{loss} by another program while it was written")))
    }

    /// Empties the file except for its header.
    pub(super) fn clear(&mut self) -> Result<(), SinkError> {
        self.flush()?;
        self.writer.get_ref().file.set_len(0).map_err(|error| not_emptied(&self.path, &error))?;
        // The library provides the file only by shared reference.
        let file = self.writer.get_ref().file.try_clone().map_err(|error| not_emptied(&self.path, &error))?;
        self.writer = on(file);
        self.write_header()
    }
}

/// The open files of a session.
pub(super) struct Session {
    number: u64,
    /// For each vehicle: pose first, then the wheels; empty until needed, for one that was added later.
    pub(super) files: Vec<Vec<LogFile>>,
}

impl Session {
    /// Creates the next free session with the files of all vehicles.
    pub(super) fn create(vehicles: &[VehicleFiles]) -> Result<Session, SinkError> {
        let number = reserve(vehicles)?;
        let files = vehicles.iter().map(|vehicle| open(vehicle, number)).collect::<Result<_, _>>()?;
        Ok(Session { number, files })
    }

    #[cfg(test)]
    pub(super) fn of(files: Vec<Vec<LogFile>>) -> Session {
        Session { number: 1, files }
    }

    /// To be called when vehicles have been added or removed: closes the files of removed ones.
    pub(super) fn follow(&mut self, before: &[VehicleFiles], now: &[VehicleFiles]) -> Result<(), SinkError> {
        let mut files: Vec<_> = before.iter().map(|vehicle| vehicle.id).zip(std::mem::take(&mut self.files)).collect();
        for vehicle in now {
            let known = files.iter().position(|(id, _)| *id == vehicle.id);
            self.files.push(known.map(|index| files.swap_remove(index).1).unwrap_or_default());
        }
        files.iter_mut().flat_map(|(_, files)| files).try_for_each(LogFile::flush)
    }

    /// Creates the files of a vehicle that was added later, unless they exist.
    pub(super) fn need(&mut self, index: usize, vehicle: &VehicleFiles) -> Result<(), SinkError> {
        let files = &mut self.files[index];
        if files.is_empty() {
            let directory = directory(&vehicle.prefix, self.number);
            fs::create_dir_all(&directory).map_err(|error| FileError::create(&directory, error))?;
            *files = open(vehicle, self.number)?;
        }
        Ok(())
    }
}

/// Creates the files of a vehicle: pose first, then the wheels. Files of an earlier vehicle of the same name are kept.
fn open(vehicle: &VehicleFiles, number: u64) -> Result<Vec<LogFile>, SinkError> {
    let directory = directory(&vehicle.prefix, number);
    let numbered = (2..).map(|count| format!("{}_{count}", vehicle.stem));
    let mut stems = std::iter::once(vehicle.stem.clone()).chain(numbered);
    let stem = stems.find(|stem| !directory.join(format!("{stem}_pose.csv")).exists()).unwrap_or_default();
    let pose = (format!("{stem}_pose.csv"), header(POSE));
    let wheels = (1..=vehicle.wheels).map(|n| (format!("{stem}_wheel_{n}.csv"), header(WHEEL)));
    let files = std::iter::once(pose).chain(wheels);
    files.map(|(name, header)| LogFile::create(directory.join(name), header)).collect()
}

fn directory(prefix: &str, number: u64) -> PathBuf {
    PathBuf::from(format!("{prefix}session_{number:03}"))
}

/// Finds the first number that no prefix has used and creates its directories. Two programs that log to the same place at the same time
/// each get their own.
fn reserve(vehicles: &[VehicleFiles]) -> Result<u64, SinkError> {
    let prefixes: HashSet<&str> = vehicles.iter().map(|vehicle| vehicle.prefix.as_str()).collect();
    let mut prefixes: Vec<&str> = prefixes.into_iter().collect();
    prefixes.sort_unstable();
    let mut number = 1;
    'next: loop {
        while prefixes.iter().any(|prefix| directory(prefix, number).exists()) {
            number += 1;
        }
        for prefix in &prefixes {
            let path = directory(prefix, number);
            let parent = path.parent().unwrap_or(Path::new(""));
            let made = match parent.as_os_str().is_empty() {
                true => Ok(()),
                false => fs::create_dir_all(parent),
            };
            match made.and_then(|()| fs::create_dir(&path)) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {
                    number += 1;
                    continue 'next;
                }
                Err(error) => return Err(FileError::create(&path, error).into()),
            }
        }
        return Ok(number);
    }
}

/// File name parts for these vehicle names: without characters that have a meaning in paths, and all different.
pub(super) fn stems<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut used = HashSet::new();
    names
        .map(|name| {
            let keep = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
            let clean: String = name.trim_start_matches('.').chars().map(keep).collect();
            let mut stem = clean.clone();
            let mut count = 1;
            while !used.insert(stem.clone()) {
                count += 1;
                stem = format!("{clean}_{count}");
            }
            stem
        })
        .collect()
}

/// The error of a file that cannot be emptied.
fn not_emptied(path: &Path, error: &io::Error) -> SinkError {
    SinkError::new(path.display(), format!("cannot be emptied: {error}"))
}

/// The error of a row that cannot be written.
fn not_written(path: &Path, error: &csv::Error) -> SinkError {
    FileError::write(path, SinkError::of(error.to_string())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_numbered_and_a_prefix_may_end_within_a_name() {
        let root = tempfile::tempdir().unwrap();
        let vehicle = |prefix: &str, stem: &str| VehicleFiles {
            prefix: format!("{}/{prefix}", root.path().display()),
            id: EntityId::default(),
            stem: stem.into(),
            wheels: 2,
            is_recorded: true,
        };
        let vehicles = [vehicle("deep/er/", "r1"), vehicle("run_", "r2")];
        for number in ["001", "002"] {
            Session::create(&vehicles).unwrap();
            for file in ["r1_pose.csv", "r1_wheel_1.csv", "r1_wheel_2.csv"] {
                assert!(root.path().join(format!("deep/er/session_{number}/{file}")).exists());
            }
            assert!(root.path().join(format!("run_session_{number}/r2_pose.csv")).exists());
        }
    }

    #[test]
    fn file_names_of_vehicles_stay_in_the_directory_and_are_unique() {
        assert_eq!(stems(["../a/b", "a b", "a_b", "ü-1"].into_iter()), ["_a_b", "a_b", "a_b_2", "ü-1"]);
    }

    /// A change to a file by another process.
    type ExternalChange = fn(&Path);

    #[test]
    fn removed_or_truncated_files_are_an_error() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("r1_pose.csv");
        let harms: [(&str, ExternalChange); 2] = [
            ("was removed", |path| fs::remove_dir_all(path.parent().unwrap()).unwrap()),
            ("was truncated", |path| drop(File::create(path).unwrap())),
        ];
        for (change, harm) in harms {
            fs::create_dir_all(root.path()).unwrap();
            let mut log = LogFile::create(path.clone(), header(POSE)).unwrap();
            log.write(&vec![0.5; header(POSE).len()]).unwrap();
            log.flush().unwrap();
            harm(&path);
            log.write(&vec![1.5; header(POSE).len()]).unwrap();
            let expected = format!("{}: {change} by another program while it was written", path.display());
            assert_eq!(log.flush().unwrap_err().to_string(), expected);
            if change == "was truncated" {
                assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1, "what follows is readable");
            }
        }
    }

    #[test]
    fn an_unwritable_location_is_named() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let vehicle = VehicleFiles {
            prefix: format!("{}/", file.display()),
            stem: "r1".into(),
            wheels: 0,
            is_recorded: true,
            id: EntityId::default(),
        };
        let error = Session::create(&[vehicle]).err().unwrap().to_string();
        assert!(error.starts_with(&format!("{}/session_001: cannot be created: ", file.display())), "{error}");
    }
}
