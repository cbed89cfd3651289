//! What a program says, in a file of bounded size: the first part as it comes, and the last part once the program has ended. What is between them is
//! counted and left out.
//!
//! The program writes into a pipe, which a thread empties. So it is never refused, and a flood of output takes neither disk nor memory.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::legible::{bounded, plain};

use crate::guard::lock;

/// Largest file of the output of a program, unless the user says otherwise [bytes].
pub const LOG_LIMIT: u64 = 64 << 20;
/// Smallest limit [bytes].
pub const MIN_LOG_LIMIT: u64 = 64 << 10;
/// Longest last part, which is held in memory [bytes].
const MAX_LAST: u64 = 1 << 20;
/// What is read at once [bytes].
const CHUNK: usize = 64 << 10;
/// What lines are taken from to be shown [bytes].
const TAIL: usize = 16 << 10;
/// Longest line that is shown [characters].
const MAX_LINE_LENGTH: usize = 500;

/// The output of a program.
#[derive(Debug)]
pub(super) struct Output {
    kept: Arc<Mutex<Kept>>,
    /// Says nothing, and is closed once the program and all that have its output have ended.
    over: Receiver<()>,
}

/// What is kept of it.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    /// None: it is complete, or cannot be written.
    file: Option<File>,
    error: Option<io::Error>,
    limit: u64,
    /// Length of all output [bytes].
    total: u64,
    last: VecDeque<u8>,
    is_complete: bool,
}

impl Output {
    /// Creates the file at `path`; returns where the program has to write.
    ///
    /// # Errors
    /// The file cannot be created, or the system has no pipe or no thread left.
    pub(super) fn create(path: &Path, limit: u64) -> Result<(Output, [Stdio; 2]), Diagnostic> {
        let of_file = |error| Diagnostic::from(FileError::create(path, error));
        let file = File::create(path).map_err(of_file)?;
        let (reader, writer) = io::pipe().map_err(of_file)?;
        let limit = limit.max(MIN_LOG_LIMIT);
        let (path, last) = (path.to_owned(), VecDeque::new());
        let kept = Kept { path, file: Some(file), error: None, limit, total: 0, last, is_complete: false };
        let kept = Arc::new(Mutex::new(kept));
        let (tell, over) = mpsc::channel();
        let filled = Arc::clone(&kept);
        let read = move || {
            fill(reader, &filled);
            drop(tell);
        };
        thread::Builder::new().name("output".to_owned()).spawn(read).map_err(of_file)?;
        let writers = [writer.try_clone().map_err(of_file)?.into(), writer.into()];
        Ok((Output { kept, over }, writers))
    }

    /// Completes the file once all output has come; whoever still has the pipe after `patience` has left the program's group, and is not heard any
    /// more. Warns if a part of the output is not in the file.
    pub(super) fn complete(&self, patience: Duration) {
        // It is closed without a word.
        let _ = self.over.recv_timeout(patience);
        let problem = {
            let mut kept = lock(&self.kept);
            if kept.is_complete {
                return;
            }
            kept.complete();
            kept.problem()
        };
        if let Some(problem) = problem {
            tracing::warn!(diagnostic = problem.as_value());
        }
    }

    /// What of the output is not in the file, if anything.
    pub(super) fn problem(&self) -> Option<Diagnostic> {
        lock(&self.kept).problem()
    }

    /// The last lines, at most `most`, without empty ones, as readers may see them.
    pub(super) fn last_lines(&self, most: usize) -> Vec<String> {
        let tail: Vec<u8> = {
            let last = &lock(&self.kept).last;
            last.iter().skip(last.len().saturating_sub(TAIL)).copied().collect()
        };
        let text = String::from_utf8_lossy(&tail);
        let lines = text.lines().rev().map(|line| bounded(&plain(line), MAX_LINE_LENGTH).into_owned());
        let mut lines: Vec<String> = lines.filter(|line| !line.trim().is_empty()).take(most).collect();
        lines.reverse();
        lines
    }
}

/// Takes all output.
fn fill(mut reader: PipeReader, kept: &Mutex<Kept>) {
    let mut chunk = vec![0; CHUNK];
    loop {
        match reader.read(&mut chunk) {
            Ok(count @ 1..) => {
                let mut kept = lock(kept);
                if kept.is_complete {
                    return;
                }
                kept.take(&chunk[..count]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
        }
    }
}

impl Kept {
    /// Length of the last part [bytes].
    fn longest_last(&self) -> u64 {
        (self.limit / 4).min(MAX_LAST)
    }

    /// Length of the first part [bytes].
    fn longest_first(&self) -> u64 {
        self.limit - self.longest_last()
    }

    /// Length of what is between the two [bytes].
    fn left_out(&self) -> u64 {
        self.total.saturating_sub(self.limit)
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = self.longest_first().saturating_sub(self.total);
        let first = usize::try_from(room).map_or(bytes, |room| &bytes[..room.min(bytes.len())]);
        self.write(first);
        self.total += bytes.len() as u64;
        self.last.extend(bytes);
        let most = usize::try_from(self.longest_last()).unwrap_or(TAIL);
        self.last.drain(..self.last.len().saturating_sub(most));
    }

    fn complete(&mut self) {
        self.is_complete = true;
        let after_first = self.total.saturating_sub(self.longest_first());
        let count = usize::try_from(after_first).unwrap_or(usize::MAX).min(self.last.len());
        if self.left_out() > 0 {
            let line = format!("\n[… {} bytes are left out here …]\n", self.left_out());
            self.write(line.as_bytes());
        }
        let begin = self.last.len() - count;
        let last: Vec<u8> = self.last.iter().skip(begin).copied().collect();
        self.write(&last);
        self.file = None;
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(bytes)
        {
            (self.file, self.error) = (None, Some(error));
        }
    }

    fn problem(&self) -> Option<Diagnostic> {
        // The folder may be one that goes with the run.
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(error) = &self.error {
            return Some(Diagnostic::new(name, format!("cannot be written: {error}")));
        }
        let [all, first, last] = [self.total, self.longest_first(), self.longest_last()].map(megabytes);
        (self.left_out() > 0).then(|| {
            let found = format!("holds only the first {first} and the last {last} of {all} of output");
            Diagnostic::new(name, found)
                .accepted(format!("up to {} for each process", megabytes(self.limit)))
                .hint("let the process print less, or raise --log-limit")
        })
    }
}

/// Such as `1.5 MiB`.
fn megabytes(bytes: u64) -> String {
    let text = format!("{:.2}", bytes as f64 / f64::from(1 << 20));
    format!("{} MiB", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of this output under this limit, and the warning.
    fn kept(output: &[u8], limit: u64) -> (Vec<u8>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let file = Some(File::create(&path).unwrap());
        let last = VecDeque::new();
        let mut kept = Kept { path, file, error: None, limit, total: 0, last, is_complete: false };
        output.chunks(700).for_each(|chunk| kept.take(chunk));
        kept.complete();
        (std::fs::read(&kept.path).unwrap(), kept.problem().map(|problem| problem.to_string()))
    }

    #[test]
    fn a_file_has_all_output_up_to_its_limit_and_beyond_it_the_first_and_the_last_part() {
        let numbers: String = (0..9000).map(|number| format!("{number}\n")).collect();
        for length in [0, 1, 999, 1000, 7499, 7500, 7501, 9999, 10_000] {
            let output = &numbers.as_bytes()[..length];
            assert_eq!(kept(output, 10_000), (output.to_vec(), None), "{length} bytes");
        }
        let (text, warning) = kept(numbers.as_bytes(), 10_000);
        let text = String::from_utf8(text).unwrap();
        let (first, remaining_text) = text.split_once("\n[… ").unwrap();
        let (left_out, last) = remaining_text.split_once(" bytes are left out here …]\n").unwrap();
        assert_eq!((first.len(), last.len(), left_out.parse::<usize>()), (7500, 2500, Ok(numbers.len() - 10_000)));
        assert!(numbers.starts_with(first) && numbers.ends_with(last));
        let warning = warning.unwrap();
        assert!(
            warning.starts_with("a.log: holds only the first 0.01 MiB and the last 0 MiB of 0.04 MiB"),
            "{warning}"
        );
    }

    #[test]
    fn a_file_that_cannot_be_written_is_told() {
        let (output, [out, errors]) = Output::create(Path::new("/dev/full"), LOG_LIMIT).unwrap();
        drop(errors);
        let mut command = std::process::Command::new("echo");
        let mut child = command.arg("said").stdout(out).spawn().unwrap();
        drop(command);
        child.wait().unwrap();
        output.complete(Duration::from_secs(60));
        assert!(output.problem().unwrap().to_string().starts_with("full: cannot be written: No space left"));
        assert_eq!(output.last_lines(3), ["said"], "it is shown all the same");
    }
}
