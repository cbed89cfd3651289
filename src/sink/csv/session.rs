//! The files of one session: a directory of its own, with a file for each vehicle's pose and for each wheel.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use csv::{Writer, WriterBuilder};

use super::columns::{POSE, WHEEL, header};
use crate::sink::SinkError;

/// One log file and its place in a vehicle's rows.
pub(super) struct LogFile {
    path: PathBuf,
    header: Vec<&'static str>,
    writer: Writer<File>,
}

/// Where the files of a vehicle go.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VehicleFiles {
    /// What stands before `session_<n>/`: a directory with a slash at its end, or any beginning of a path.
    pub(super) prefix: String,
    /// First part of its file names.
    pub(super) stem: String,
    /// Number of wheels.
    pub(super) wheels: usize,
}

impl LogFile {
    pub(super) fn create(path: PathBuf, header: Vec<&'static str>) -> Result<LogFile, SinkError> {
        let file = File::create(&path).map_err(|error| failed(&path, "create", &error))?;
        let writer = WriterBuilder::new().buffer_capacity(1 << 16).has_headers(false).from_writer(file);
        let mut log = LogFile { path, header, writer };
        log.write_header()?;
        Ok(log)
    }

    fn write_header(&mut self) -> Result<(), SinkError> {
        self.writer.write_record(&self.header).map_err(|error| failed(&self.path, "write", &error))
    }

    /// Number of values in a row.
    pub(super) fn width(&self) -> usize {
        self.header.len()
    }

    pub(super) fn write(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.writer.serialize(row).map_err(|error| failed(&self.path, "write", &error))
    }

    pub(super) fn flush(&mut self) -> Result<(), SinkError> {
        self.writer.flush().map_err(|error| failed(&self.path, "write", &error))
    }

    /// Empties the file but for its header.
    pub(super) fn clear(&mut self) -> Result<(), SinkError> {
        self.flush()?;
        let mut file = self.writer.get_ref();
        let emptied = file.set_len(0).and_then(|()| file.rewind());
        emptied.map_err(|error| failed(&self.path, "empty", &error))?;
        self.write_header()
    }
}

/// Creates the next free session, that is the files of each vehicle: pose first, then the wheels.
pub(super) fn create(vehicles: &[VehicleFiles]) -> Result<Vec<Vec<LogFile>>, SinkError> {
    let number = reserve(vehicles)?;
    vehicles
        .iter()
        .map(|vehicle| {
            let directory = directory(&vehicle.prefix, number);
            let pose = (format!("{}_pose.csv", vehicle.stem), header(POSE));
            let wheels = (1..=vehicle.wheels).map(|n| (format!("{}_wheel_{n}.csv", vehicle.stem), header(WHEEL)));
            std::iter::once(pose)
                .chain(wheels)
                .map(|(name, header)| LogFile::create(directory.join(name), header))
                .collect()
        })
        .collect()
}

fn directory(prefix: &str, number: u64) -> PathBuf {
    PathBuf::from(format!("{prefix}session_{number:03}"))
}

/// Finds the first number that no prefix has used and makes its directories. Of two programs that log to the same place
/// at the same time, each gets its own.
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
                Err(error) => return Err(failed(&path, "create", &error)),
            }
        }
        return Ok(number);
    }
}

/// File name parts for these vehicle names: without characters that a path gives a meaning to, and all different.
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

pub(super) fn failed(path: &Path, verb: &str, error: &dyn std::fmt::Display) -> SinkError {
    SinkError { place: path.display().to_string(), message: format!("cannot {verb}: {error}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_numbered_on_and_a_prefix_need_not_end_at_a_directory() {
        let root = tempfile::tempdir().unwrap();
        let vehicle = |prefix: &str, stem: &str| VehicleFiles {
            prefix: format!("{}/{prefix}", root.path().display()),
            stem: stem.into(),
            wheels: 2,
        };
        let vehicles = [vehicle("deep/er/", "r1"), vehicle("run_", "r2")];
        for number in ["001", "002"] {
            create(&vehicles).unwrap();
            for file in ["r1_pose.csv", "r1_wheel_1.csv", "r1_wheel_2.csv"] {
                assert!(root.path().join(format!("deep/er/session_{number}/{file}")).exists());
            }
            assert!(root.path().join(format!("run_session_{number}/r2_pose.csv")).exists());
        }
    }

    #[test]
    fn vehicle_names_cannot_leave_the_directory_or_meet() {
        assert_eq!(stems(["../a/b", "a b", "a_b", "ü-1"].into_iter()), ["_a_b", "a_b", "a_b_2", "ü-1"]);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let vehicle = VehicleFiles { prefix: format!("{}/", file.display()), stem: "r1".into(), wheels: 0 };
        let error = create(&[vehicle]).err().unwrap().to_string();
        assert!(error.starts_with(&format!("{}/session_001: cannot create: ", file.display())), "{error}");
    }
}
