//! Reads point clouds: text files with a point in each line, its coordinates [m] separated by blanks or commas.
//!
//! Two coordinates, x y, or three, x y z; the rest of a line is ignored. Empty lines and lines that start with `#`, `%` or `//`
//! are skipped.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use skidpad_files::assets::Cancel;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file::{self, FileProblem};

/// The longest file that is read [bytes].
const MAX_BYTES: u64 = 2 << 30;
/// The most points that are kept.
const MAX_POINTS: usize = 20_000_000;

/// Why points could not be read.
#[derive(Debug)]
pub enum PointError {
    /// The file cannot be opened or read.
    File(FileError),
    /// A line without the coordinates it should have.
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The first 80 characters of the line.
        found: String,
        /// Number of coordinates that a point should have.
        coordinates: usize,
    },
    /// More points than the limit.
    TooLarge {
        /// The file.
        path: PathBuf,
    },
}

impl From<&PointError> for Diagnostic {
    fn from(error: &PointError) -> Diagnostic {
        match error {
            PointError::File(error) => error.into(),
            PointError::Line { path, line, found, coordinates } => {
                Diagnostic::new(format!("{}:{line}", path.display()), format!("\"{found}\" is not a point"))
                    .accepted(format!("{coordinates} finite numbers [m]"))
            }
            PointError::TooLarge { path } => Diagnostic::of(format!("{} is too large", path.display()))
                .accepted(format!("{MAX_POINTS} points, {MAX_BYTES} bytes")),
        }
    }
}

error_by_parts!(PointError { File(FileError) });

impl FileProblem for PointError {
    fn diagnostic(&self) -> Diagnostic {
        self.into()
    }

    fn without_content(&self) -> Diagnostic {
        match self {
            PointError::Line { path, line, coordinates, .. } => {
                Diagnostic::new(format!("{}:{line}", path.display()), "no point")
                    .accepted(format!("{coordinates} finite numbers [m]"))
            }
            PointError::File(_) | PointError::TooLarge { .. } => self.into(),
        }
    }
}

/// Rows of a text with their numbers from 1, one in memory at a time, trimmed; empty rows and comments are skipped.
pub(in crate::world) struct Rows<R> {
    reader: R,
    /// The longest line [bytes].
    longest: u64,
    /// The prefixes of comments.
    comments: &'static [&'static str],
    line: usize,
    text: Vec<u8>,
}

impl<R: BufRead> Rows<R> {
    /// The rows of `reader`, none longer than `longest` [bytes], without those that begin with one of `comments`.
    pub(in crate::world) fn new(reader: R, longest: u64, comments: &'static [&'static str]) -> Rows<R> {
        Rows { reader, longest, comments, line: 0, text: Vec::new() }
    }

    /// Number and text of the next row; none at the end.
    pub(in crate::world) fn next_row(&mut self) -> std::io::Result<Option<(usize, String)>> {
        loop {
            self.text.clear();
            self.line += 1;
            if self.reader.by_ref().take(self.longest).read_until(b'\n', &mut self.text)? == 0 {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&self.text);
            let text = text.trim();
            if !text.is_empty() && !self.comments.iter().any(|mark| text.starts_with(mark)) {
                return Ok(Some((self.line, text.to_string())));
            }
        }
    }
}

/// Reads the points [m] of a file, with two or three `coordinates` each; the z of two is 0.
///
/// # Errors
/// There is no such file, it holds something else, or the load is called off by `cancel`.
pub fn load(path: &Path, coordinates: usize, cancel: &Cancel) -> Result<Vec<[f32; 3]>, PointError> {
    let io = |source: std::io::Error| PointError::File(FileError::read(path, source));
    let file = input_file::open(path).map_err(io)?;
    if file.metadata().map_err(io)?.len() > MAX_BYTES {
        return Err(PointError::TooLarge { path: path.to_path_buf() });
    }
    // The file may grow while it is read.
    let file = BufReader::new(cancel.reader(file.take(MAX_BYTES)));
    let mut rows = Rows::new(file, MAX_LINE_LENGTH, &["#", "%", "//"]);
    let mut points = Vec::new();
    while let Some((line, text)) = rows.next_row().map_err(io)? {
        let Some(point) = parse(&text, coordinates) else {
            let found = text.chars().take(80).collect();
            return Err(PointError::Line { path: path.to_path_buf(), line, found, coordinates });
        };
        if points.len() == MAX_POINTS {
            return Err(PointError::TooLarge { path: path.to_path_buf() });
        }
        points.push(point);
    }
    Ok(points)
}

/// The longest line [bytes].
const MAX_LINE_LENGTH: u64 = 1 << 16;

fn parse(text: &str, coordinates: usize) -> Option<[f32; 3]> {
    let mut point = [0.0; 3];
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    for coordinate in point.iter_mut().take(coordinates) {
        let value: f32 = words.next()?.parse().ok()?;
        *coordinate = Some(value).filter(|value| value.is_finite())?;
    }
    Some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, coordinates: usize) -> Result<Vec<[f32; 3]>, String> {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("p.txt");
        std::fs::write(&path, text).expect("a file");
        load(&path, coordinates, &Cancel::default())
            .map_err(|error| error.to_string().replace(&path.display().to_string(), "p.txt"))
    }

    #[test]
    fn points_are_lines_of_two_or_three_numbers() {
        let text = "# x y z\n1 2 3\n\n  -1e1,\t0.5 , 4 255 0 0\r\n% end\n7 8 9";
        assert_eq!(read(text, 3), Ok(vec![[1.0, 2.0, 3.0], [-10.0, 0.5, 4.0], [7.0, 8.0, 9.0]]));
        assert_eq!(read(text, 2), Ok(vec![[1.0, 2.0, 0.0], [-10.0, 0.5, 0.0], [7.0, 8.0, 0.0]]));
        assert_eq!(read("", 3), Ok(vec![]));
    }

    #[test]
    fn pipes_are_refused_and_loads_can_be_cancelled() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let (fifo, file) = (folder.path().join("fifo"), folder.path().join("p.txt"));
        skidpad_test_support::fifo::make_fifo(&fifo);
        std::fs::write(&file, "1 2 3\n").expect("a file");
        let cancel = Cancel::default();
        let message = |path: &Path| load(path, 3, &cancel).expect_err("no points").to_string();
        assert!(
            message(&fifo).ends_with("fifo: cannot be read: it is a FIFO\n  accepted: a regular file"),
            "{}",
            message(&fifo)
        );
        cancel.cancel();
        assert!(message(&file).ends_with("p.txt: cannot be read: loading was cancelled"), "{}", message(&file));
    }

    #[test]
    fn a_line_is_reported_without_its_content() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("p.txt");
        std::fs::write(&path, "1 2 3\nroot:secret\n").expect("a file");
        let reported = load(&path, 3, &Cancel::default()).expect_err("no points").without_content().to_string();
        assert_eq!(reported, format!("{}:2: no point\n  accepted: 3 finite numbers [m]", path.display()));
    }

    #[test]
    fn a_malformed_point_is_reported_with_its_line() {
        for (text, refused) in
            [("1 2 3\n4 5\n", "2: \"4 5\""), ("x y z\n", "1: \"x y z\""), ("1 2 inf\n", "1: \"1 2 inf\"")]
        {
            let expected = format!("p.txt:{refused} is not a point\n  accepted: 3 finite numbers [m]");
            assert_eq!(read(text, 3), Err(expected));
        }
        let missing = load(Path::new("no/such.txt"), 2, &Cancel::default()).expect_err("no file");
        assert_eq!(missing.to_string(), "no/such.txt: cannot be read: No such file or directory (os error 2)");
    }
}
