//! The checkpoint of an identification: a file with the best point of each of its searches, from which the same
//! identification resumes after an interruption.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_files::output_file;

use super::IdentifyError;
use super::search::Point;

/// Shortest time between two writes of the file.
const INTERVAL: Duration = Duration::from_secs(2);
/// Largest file that is read [bytes].
const MAX_BYTES: u64 = 1 << 20;

/// The content of the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Content {
    /// Digest of the config, the classes and the recordings: only the same identification resumes.
    key: String,
    /// Best point of each search: of the class, then of the classes to compare with.
    points: Vec<Point>,
}

/// The checkpoint file of a running identification.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: Option<PathBuf>,
    /// The points of the interrupted identification.
    earlier: Vec<Point>,
    state: RefCell<State>,
}

#[derive(Debug)]
struct State {
    content: Content,
    written: Option<Instant>,
    failure: Option<IdentifyError>,
}

impl Checkpoint {
    /// Resumes from the file at `path` if it has this key, otherwise starts a new one. Without a path nothing is read
    /// or written.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(path: Option<&Path>, key: String) -> Result<Checkpoint, IdentifyError> {
        let read = |path: &Path| serde_json::from_str(&input_file::read_text(path, MAX_BYTES).ok()?).ok();
        let earlier: Content = path.and_then(read).unwrap_or_default();
        let earlier = if earlier.key == key { earlier.points } else { Vec::new() };
        let content = Content { key, points: earlier.clone() };
        let state = RefCell::new(State { content, written: None, failure: None });
        let checkpoint = Checkpoint { path: path.map(Path::to_path_buf), earlier, state };
        checkpoint.write()?;
        Ok(checkpoint)
    }

    /// The point at which search number `search` was interrupted, if it was.
    pub(super) fn earlier(&self, search: usize) -> Option<Point> {
        self.earlier.get(search).filter(|point| !point.values.is_empty()).cloned()
    }

    /// Keeps a point of search number `search` if it has a lower cost than the last one, or another set of held
    /// unknowns.
    pub(super) fn keep(&self, search: usize, point: &Point) {
        let mut state = self.state.borrow_mut();
        let points = &mut state.content.points;
        points.resize(points.len().max(search + 1), Point::default());
        let last = &mut points[search];
        if last.values.is_empty() || last.held.len() != point.held.len() || point.cost <= last.cost {
            *last = point.clone();
        }
        let is_due = state.written.is_none_or(|written| written.elapsed() >= INTERVAL);
        drop(state);
        if is_due && let Err(failure) = self.write() {
            self.state.borrow_mut().failure.get_or_insert(failure);
        }
    }

    /// Keeps a point of search number `search`, whatever the cost of the last one.
    pub(super) fn replace(&self, search: usize, point: &Point) {
        let mut state = self.state.borrow_mut();
        let points = &mut state.content.points;
        points.resize(points.len().max(search + 1), Point::default());
        points[search] = point.clone();
    }

    /// Removes the file if the searches are over, otherwise writes it a last time.
    ///
    /// # Errors
    /// The file could not be written or removed.
    pub(super) fn close(self, is_over: bool) -> Result<(), IdentifyError> {
        if let (true, Some(path)) = (is_over, &self.path) {
            return Ok(std::fs::remove_file(path).map_err(|error| FileError::write(path, error))?);
        }
        self.write()?;
        self.state.into_inner().failure.map_or(Ok(()), Err)
    }

    fn write(&self) -> Result<(), IdentifyError> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut state = self.state.borrow_mut();
        state.written = Some(Instant::now());
        let write = || {
            let folder = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder)?;
            output_file::write(path, serde_json::to_string(&state.content)?)
        };
        Ok(write().map_err(|error: std::io::Error| FileError::write(path, error))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(cost: f64, held: &[usize]) -> Point {
        Point { values: vec![cost, 1.0], held: held.to_vec(), evaluations: 3, cost, best_seen: None }
    }

    #[test]
    fn the_best_point_is_kept_for_the_same_identification_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/car.search.json");
        let first = Checkpoint::open(Some(&path), "a".into()).unwrap();
        assert_eq!(first.earlier(0), None);
        first.keep(1, &point(5.0, &[]));
        first.keep(1, &point(4.0, &[]));
        first.keep(1, &point(6.0, &[]));
        first.close(false).unwrap();
        let again = Checkpoint::open(Some(&path), "a".into()).unwrap();
        assert_eq!((again.earlier(0), again.earlier(1)), (None, Some(point(4.0, &[]))));
        // With less that is free it costs more.
        again.keep(1, &point(7.0, &[0]));
        again.close(false).unwrap();
        assert_eq!(Checkpoint::open(Some(&path), "a".into()).unwrap().earlier(1), Some(point(7.0, &[0])));
        let other = Checkpoint::open(Some(&path), "b".into()).unwrap();
        assert_eq!(other.earlier(1), None);
        other.close(true).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_is_damaged_is_ignored_and_a_folder_that_is_a_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("car.search.json");
        std::fs::write(&path, "{\"key\": \"a\", \"points\": [{").unwrap();
        assert_eq!(Checkpoint::open(Some(&path), "a".into()).unwrap().earlier(0), None);
        let error = Checkpoint::open(Some(&path.join("below")), "a".into()).unwrap_err().to_string();
        assert!(error.starts_with(&path.join("below").display().to_string()), "{error}");
    }
}
