//! A program that was started, with its output in a file.

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;

/// How a program is asked to end, and how long it may take after each: a node of ROS and `ros2 launch` expect a Ctrl-C.
const REQUESTS: [(Signal, Duration); 2] =
    [(Signal::INT, Duration::from_secs(4)), (Signal::TERM, Duration::from_secs(2))];
/// How often it is looked whether it has.
const POLL: Duration = Duration::from_millis(5);
/// How long processes may take to end that have been made to.
const KILLED: Duration = Duration::from_millis(500);
/// What is read from the end of its output [bytes].
const TAIL: u64 = 16 << 10;

/// The groups of all programs that have not ended.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Makes all programs end at once, with all of their groups: for a process that exits without dropping their owners.
pub fn kill_all() {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    for group in running.drain(..) {
        // It may be ending meanwhile; its number stays taken as long as it is among these.
        let _ = kill_process_group(group, Signal::KILL);
    }
    // Nobody starts another one: the process exits now.
    std::mem::forget(running);
}

/// How a program has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// How long it has run [wall time].
    pub after: Duration,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use std::os::unix::process::ExitStatusExt;
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => write!(f, "status {code}")?,
            (None, Some(signal)) => write!(f, "signal {signal}")?,
            (None, None) => f.write_str("an unknown status")?,
        }
        write!(f, " after {:.1} s", self.after.as_secs_f64())
    }
}

/// A program in a process group of its own. All processes of the group have ended when this is dropped, but for those that have left it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Pid,
    log: PathBuf,
    began: Instant,
    ended: Option<Ended>,
}

impl Process {
    /// Starts a program without input. What it says goes to the file at `log`, and its standard output to that at `out`, if there is one.
    ///
    /// # Errors
    /// There is no such program, or a file cannot be written.
    pub fn start(mut command: Command, log: &Path, out: Option<&Path>) -> Result<Process, Diagnostic> {
        let of_log = |error| Diagnostic::from(FileError::create(log, error));
        let errors = File::create(log).map_err(of_log)?;
        let out = match out {
            Some(out) => File::create(out).map_err(|error| Diagnostic::from(FileError::create(out, error)))?,
            None => errors.try_clone().map_err(of_log)?,
        };
        command.stdin(Stdio::null()).stdout(out).stderr(errors).process_group(0);
        let program = command.get_program().to_string_lossy().into_owned();
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn().map_err(|error| {
            Diagnostic::new(&program, format!("cannot be started: {error}")).hint("is it installed, and executable?")
        })?;
        let group = Pid::from_child(&child);
        running.push(group);
        Ok(Process { child, group, log: log.to_owned(), began: Instant::now(), ended: None })
    }

    /// How it has ended, if it has; then so have the others of its group.
    pub fn ended(&mut self) -> Option<Ended> {
        // Its number stays taken until it has been waited for, so that no other group gets the signal.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if self.ended.is_none() && !matches!(waitid(WaitId::Pid(self.group), options), Ok(None)) {
            self.signal(Signal::KILL);
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|group| *group != self.group);
            let status = self.child.wait().unwrap_or_default();
            // Others of the group take a moment; those that nobody waits for stay in the list of processes, dead.
            let killed = Instant::now();
            while test_kill_process_group(self.group).is_ok() && killed.elapsed() < KILLED {
                std::thread::sleep(POLL);
            }
            self.ended = Some(Ended { status, after: self.began.elapsed() });
        }
        self.ended
    }

    /// How long it has been running [wall time].
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Ends it with all of its group: it is asked to end, and soon made to.
    pub fn end(&mut self) -> Ended {
        for (signal, patience) in REQUESTS {
            if let Some(ended) = self.ended() {
                return ended;
            }
            self.signal(signal);
            let asked = Instant::now();
            while self.ended().is_none() && asked.elapsed() < patience {
                std::thread::sleep(POLL);
            }
        }
        self.signal(Signal::KILL);
        loop {
            if let Some(ended) = self.ended() {
                return ended;
            }
            std::thread::sleep(POLL);
        }
    }

    /// Ends all of them side by side.
    pub fn end_all<'a>(all: impl IntoIterator<Item = &'a mut Process>) {
        std::thread::scope(|scope| {
            for process in all {
                scope.spawn(move || process.end());
            }
        });
    }

    /// The last lines of its output, at most `most`; empty ones are left out.
    pub fn last_lines(&self, most: usize) -> Vec<String> {
        let text = tail(&self.log).unwrap_or_default();
        let mut lines: Vec<String> =
            text.lines().rev().filter(|line| !line.trim().is_empty()).take(most).map(str::to_owned).collect();
        lines.reverse();
        lines
    }

    /// The message with the last lines of its output, at most `most`.
    pub fn explain(&self, message: Diagnostic, most: usize) -> Diagnostic {
        let lines = self.last_lines(most);
        let intro = if lines.is_empty() { "it has said nothing" } else { "it said last:" };
        lines.into_iter().fold(message.note(intro), |message, line| message.note(format!("| {line}")))
    }

    fn signal(&self, signal: Signal) {
        if self.ended.is_none() {
            // It may have ended meanwhile.
            let _ = kill_process_group(self.group, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The end of a file.
fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = input_file::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, log: &Path) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start(command, log, None).unwrap()
    }

    /// Waits until the program has written this.
    fn wait_for(process: &Process, line: &str) {
        while !process.last_lines(9).iter().any(|written| written == line) {
            std::thread::sleep(POLL);
        }
    }

    /// Whether any process but a zombie is in this group.
    fn is_alive(group: Pid) -> bool {
        let of_group = |stat: &str| {
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
            fields.get(2).is_some_and(|number| *number == group.as_raw_pid().to_string()) && fields[0] != "Z"
        };
        std::fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .any(|entry| std::fs::read_to_string(entry.path().join("stat")).is_ok_and(|stat| of_group(&stat)))
    }

    /// Waits until nothing of the group is alive; what was killed takes a moment on a busy machine.
    fn wait_for_end(group: Pid) {
        let began = Instant::now();
        while is_alive(group) {
            assert!(began.elapsed() < Duration::from_secs(60), "something is left");
            std::thread::sleep(POLL);
        }
    }

    #[test]
    fn the_end_of_a_program_is_told_with_its_status_and_last_lines() {
        let folder = tempfile::tempdir().unwrap();
        let mut process = shell("echo one; echo; echo two >&2; exit 3", &folder.path().join("log"));
        let ended = loop {
            if let Some(ended) = process.ended() {
                break ended;
            }
        };
        assert!(ended.to_string().starts_with("status 3 after "), "{ended}");
        assert_eq!(
            (process.last_lines(9), process.last_lines(1)),
            (vec!["one".into(), "two".into()], vec!["two".into()])
        );
        assert_eq!(process.end(), ended);
    }

    #[test]
    fn nothing_of_a_group_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        // With a child of its own, which outlives it in one case.
        for script in ["sleep 600 & echo begun; wait", "sleep 600 & echo begun; exit 0"] {
            let mut process = shell(script, &log);
            let group = process.group;
            wait_for(&process, "begun");
            process.end();
            drop(process);
            wait_for_end(group);
        }
        let process = shell("sleep 600 & echo begun; wait", &log);
        let group = process.group;
        wait_for(&process, "begun");
        drop(process);
        wait_for_end(group);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem = Process::start(Command::new("no_such_program"), &folder.path().join("log"), None).unwrap_err();
        assert!(problem.to_string().starts_with("no_such_program: cannot be started: "), "{problem}");
    }
}
