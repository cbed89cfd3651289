//! What an interrupted identification leaves: the best point of each of its searches, in a file from which the same identification goes on.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::IdentifyError;
use super::search::Point;
use crate::{input_file, output_file};

/// The file is written at most this often.
const INTERVAL: Duration = Duration::from_secs(2);
/// Longest file [bytes].
const LONGEST: u64 = 1 << 20;

/// The content of the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Content {
    /// Of what is identified from what.
    key: String,
    /// The best point of the search of the class, then of those that are compared.
    points: Vec<Point>,
}

/// The file of an identification under way.
#[derive(Debug)]
pub(super) struct Checkpoint {
    path: Option<PathBuf>,
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
    /// Goes on from the file at `path`, if it is one of an identification with this key. None: nothing is kept.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(path: Option<&Path>, key: String) -> Result<Checkpoint, IdentifyError> {
        let read = |path: &Path| serde_json::from_str(&input_file::read_text(path, LONGEST).ok()?).ok();
        let earlier: Content = path.and_then(read).unwrap_or_default();
        let earlier = if earlier.key == key { earlier.points } else { Vec::new() };
        let content = Content { key, points: earlier.clone() };
        let state = RefCell::new(State { content, written: None, failure: None });
        let checkpoint = Checkpoint { path: path.map(Path::to_path_buf), earlier, state };
        checkpoint.write()?;
        Ok(checkpoint)
    }

    /// Where search number `search` has been interrupted.
    pub(super) fn earlier(&self, search: usize) -> Option<Point> {
        self.earlier.get(search).filter(|point| !point.values.is_empty()).cloned()
    }

    /// Keeps a point of search number `search` if it is better than the last one.
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

    /// Leaves nothing behind if the searches are over, otherwise the file.
    ///
    /// # Errors
    /// It could not be written.
    pub(super) fn close(self, is_over: bool) -> Result<(), IdentifyError> {
        if let (true, Some(path)) = (is_over, &self.path) {
            return std::fs::remove_file(path).map_err(|error| failed(path, &error));
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
        write().map_err(|error: std::io::Error| failed(path, &error))
    }
}

fn failed(path: &Path, error: &std::io::Error) -> IdentifyError {
    IdentifyError::Output(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(cost: f64, held: &[usize]) -> Point {
        Point { values: vec![cost, 1.0], held: held.to_vec(), evaluations: 3, cost }
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
