//! A program that was started, with its output in a file.

use std::fmt;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;

use super::output::Output;
use super::warden::Warden;
use crate::guard::lock;

/// How a program is asked to end, and how long it may take after each: a node of ROS and `ros2 launch` expect a Ctrl-C.
const REQUESTS: [(Signal, Duration); 2] =
    [(Signal::INT, Duration::from_secs(4)), (Signal::TERM, Duration::from_secs(2))];
/// How often it is looked whether it has.
const POLL: Duration = Duration::from_millis(5);
/// How long processes may take to end that have been made to.
const KILLED: Duration = Duration::from_millis(500);

/// The programs that have not ended.
static RUNNING: Mutex<Running> = Mutex::new(Running { groups: Vec::new(), warden: Warden::NONE });

struct Running {
    groups: Vec<Pid>,
    /// Ends them when this process is killed.
    warden: Warden,
}

impl Running {
    fn change(&mut self, change: impl FnOnce(&mut Vec<Pid>)) {
        change(&mut self.groups);
        self.warden.watch(&self.groups);
    }
}

/// Makes all programs end at once, with all of their groups: for a process that exits without dropping their owners.
pub fn kill_all() {
    let mut running = lock(&RUNNING);
    for group in &running.groups {
        // It may be ending meanwhile; its number stays taken as long as it is among these.
        let _ = kill_process_group(*group, Signal::KILL);
    }
    running.change(Vec::clear);
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
    output: Output,
    began: Instant,
    ended: Option<Ended>,
}

impl Process {
    /// Starts a program without input. What it says goes to the file at `log`, of which `limit` bytes are kept, and its standard output to that at
    /// `out`, if there is one.
    ///
    /// # Errors
    /// There is no such program, or a file cannot be written.
    pub fn start(mut command: Command, log: &Path, out: Option<&Path>, limit: u64) -> Result<Process, Diagnostic> {
        let (output, [log_file, errors]) = Output::create(log, limit)?;
        let out = match out {
            Some(out) => File::create(out).map_err(|error| Diagnostic::from(FileError::create(out, error)))?.into(),
            None => log_file,
        };
        command.stdin(Stdio::null()).stdout(out).stderr(errors).process_group(0);
        let program = command.get_program().to_string_lossy().into_owned();
        let mut running = lock(&RUNNING);
        let child = command.spawn().map_err(|error| {
            Diagnostic::new(&program, format!("cannot be started: {error}")).hint("is it installed, and executable?")
        })?;
        let group = Pid::from_child(&child);
        running.change(|groups| groups.push(group));
        Ok(Process { child, group, output, began: Instant::now(), ended: None })
    }

    /// How it has ended, if it has; then so have the others of its group.
    pub fn ended(&mut self) -> Option<Ended> {
        // Its number stays taken until it has been waited for, so that no other group gets the signal.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if self.ended.is_none() && !matches!(waitid(WaitId::Pid(self.group), options), Ok(None)) {
            self.signal(Signal::KILL);
            lock(&RUNNING).change(|groups| groups.retain(|group| *group != self.group));
            let status = self.child.wait().unwrap_or_default();
            // Others of the group take a moment; those that nobody waits for stay in the list of processes, dead.
            let killed = Instant::now();
            while test_kill_process_group(self.group).is_ok() && killed.elapsed() < KILLED {
                std::thread::sleep(POLL);
            }
            self.ended = Some(Ended { status, after: self.began.elapsed() });
            self.output.complete(KILLED);
        }
        self.ended
    }

    /// How long it has been running [wall time].
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Asks it to end at once, and does not wait.
    pub fn ask_to_end(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends it with all of its group: it is asked to end, and soon made to.
    pub fn end(&mut self) -> Ended {
        for (signal, patience) in REQUESTS {
            if let Some(ended) = self.ended() {
                return ended;
            }
            self.signal(signal);
            let signalled = Instant::now();
            while self.ended().is_none() && signalled.elapsed() < patience {
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

    /// The last lines of its output, at most `most`, as readers may see them; empty ones are left out.
    pub fn last_lines(&self, most: usize) -> Vec<String> {
        self.output.last_lines(most)
    }

    /// What of its output is not in its log, if anything; it has been warned of that.
    pub fn log_problem(&self) -> Option<Diagnostic> {
        self.output.problem()
    }

    /// The message with the last lines of its output, at most `most`.
    pub fn explain(&self, message: Diagnostic, most: usize) -> Diagnostic {
        let lines = self.last_lines(most);
        let intro = if lines.is_empty() { "no output" } else { "last lines of its output:" };
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

#[cfg(test)]
mod tests {
    use super::super::output::{LOG_LIMIT, MIN_LOG_LIMIT};
    use super::*;

    fn shell(script: &str, log: &Path) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start(command, log, None, LOG_LIMIT).unwrap()
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
    fn programs_end_when_their_owner_is_killed() {
        const LOG: &str = "SKIDPAD_TEST_LOG_OF_PROGRAM";
        if let Some(log) = std::env::var_os(LOG) {
            // This process is the owner, which is killed.
            let _process = shell("trap '' TERM; sleep 600 & echo begun $$; wait; wait", Path::new(&log));
            std::thread::sleep(Duration::from_secs(600));
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut owner = Command::new(std::env::current_exe().unwrap());
        let (_, module) = module_path!().split_once("::").unwrap();
        owner
            .args(["--exact", &format!("{module}::programs_end_when_their_owner_is_killed")])
            .env(LOG, &log)
            .stdout(Stdio::null());
        let mut owner = owner.spawn().unwrap();
        let number = loop {
            let text = std::fs::read_to_string(&log).unwrap_or_default();
            if let Some(number) = text.strip_prefix("begun ").and_then(|text| text.strip_suffix('\n')) {
                break number.parse().unwrap();
            }
            std::thread::sleep(POLL);
        };
        let group = Pid::from_raw(number).unwrap();
        assert!(is_alive(group));
        // It is told of a program after it has been started.
        std::thread::sleep(Duration::from_millis(100));
        owner.kill().unwrap();
        owner.wait().unwrap();
        wait_for_end(group);
    }

    #[test]
    fn a_flood_of_output_leaves_a_small_log_with_its_ends() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("flood.log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo begun; yes '\u{1b}[31mno\u{1b}[0m' | head -c 20000000; printf '\\ngone\\0\\n' >&2"]);
        let mut process = Process::start(command, &log, None, MIN_LOG_LIMIT).unwrap();
        while process.ended().is_none() {
            std::thread::sleep(POLL);
        }
        let text = std::fs::read(&log).unwrap();
        assert!((MIN_LOG_LIMIT..MIN_LOG_LIMIT + 100).contains(&(text.len() as u64)), "{}", text.len());
        assert!(text.starts_with(b"begun\n") && text.ends_with(b"gone\0\n"));
        assert_eq!(process.last_lines(2), ["no", "gone\\u{0}"]);
        let problem = process.log_problem().unwrap().to_string();
        assert!(
            problem.starts_with("flood.log: holds only the first 0.05 MiB and the last 0.02 MiB of 19.07 MiB"),
            "{problem}"
        );
    }

    #[test]
    fn who_has_left_the_group_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let mut process = shell("setsid sh -c 'sleep 30' & echo begun; exit 0", &folder.path().join("log"));
        while process.ended().is_none() {
            std::thread::sleep(POLL);
        }
        assert_eq!(process.last_lines(1), ["begun"]);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem =
            Process::start(Command::new("no_such_program"), &folder.path().join("log"), None, LOG_LIMIT).unwrap_err();
        assert!(problem.to_string().starts_with("no_such_program: cannot be started: "), "{problem}");
    }
}
