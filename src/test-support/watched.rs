//! Programs that tests start: each is ended, with all that it has started, once its test's patience is over, and with its test.
//!
//! A test that waits for such a program, or reads what it prints, therefore ends too, and fails.

use std::io::{self, Read};
use std::ops::{Deref, DerefMut};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

/// How long a program may take on a busy machine, unless its test says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// How long what it has printed may take to arrive once it has ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Starts programs that do not outlive a test's patience.
pub trait Watch {
    /// Starts it; it is ended after [`PATIENCE`].
    ///
    /// # Panics
    /// There is no such program.
    fn watch(&mut self) -> Watched;

    /// Starts it; it is ended after `patience`.
    ///
    /// # Errors
    /// There is no such program.
    fn watch_for(&mut self, patience: Duration) -> io::Result<Watched>;

    /// Runs it to its end, without input, and keeps what it prints.
    ///
    /// # Panics
    /// There is no such program, or it does not end within [`PATIENCE`].
    fn finish(&mut self) -> Output;

    /// Has it end by signals, also where the tests ignore some, as under `nohup` or behind an `&`.
    fn with_usual_signals(&mut self) -> &mut Self;
}

impl Watch for Command {
    #[track_caller]
    fn watch(&mut self) -> Watched {
        self.watch_for(PATIENCE).unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    fn watch_for(&mut self, patience: Duration) -> io::Result<Watched> {
        let child = self.spawn()?;
        let watch = Arc::new(Guard { state: Mutex::new(State::Running), changed: Condvar::new() });
        let (guard, process) = (Arc::clone(&watch), child.id());
        thread::spawn(move || guard.end_after(patience, process));
        Ok(Watched { child, watch, patience, command: format!("{self:?}") })
    }

    #[track_caller]
    fn finish(&mut self) -> Output {
        self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).watch().output()
    }

    fn with_usual_signals(&mut self) -> &mut Command {
        let set = || {
            for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
                // SAFETY: it takes two numbers, and may be called between fork and exec.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            Ok(())
        };
        // SAFETY: the function neither allocates nor locks.
        unsafe { self.pre_exec(set) }
    }
}

/// A program under watch.
#[derive(Debug)]
pub struct Watched {
    child: Child,
    watch: Arc<Guard>,
    patience: Duration,
    /// As messages name it.
    command: String,
}

#[derive(Debug)]
struct Guard {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Running,
    /// Its number may be another program's by now.
    Ended,
    /// The patience was over.
    Killed,
}

impl Guard {
    /// Ends a process after some time, unless it ends before that.
    fn end_after(&self, patience: Duration, process: u32) {
        let state = self.state.lock().unwrap();
        let is_running = |state: &mut State| *state == State::Running;
        let (mut state, _) = self.changed.wait_timeout_while(state, patience, is_running).unwrap();
        if *state == State::Running {
            *state = State::Killed;
            kill_all(process);
        }
    }
}

impl Watched {
    /// Waits for its end.
    ///
    /// # Panics
    /// The patience was over first. The message has what is left to read of its output.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        self.until_it_ends();
        let mut state = self.watch.state.lock().unwrap();
        // From here on its number is free.
        let status = self.child.wait().unwrap();
        let before = std::mem::replace(&mut *state, State::Ended);
        drop(state);
        self.watch.changed.notify_all();
        if before == State::Killed {
            let (out, errors) = (Printed::of(self.child.stdout.take()), Printed::of(self.child.stderr.take()));
            self.fail(&out.all(), &errors.all());
        }
        status
    }

    /// Its status, if it has ended.
    ///
    /// # Panics
    /// The patience was over first.
    #[track_caller]
    pub fn try_wait(&mut self) -> Option<ExitStatus> {
        let is_over = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let has_ended =
            self.state() == State::Ended || waitid(self.number(), is_over).is_ok_and(|status| status.is_some());
        has_ended.then(|| self.wait())
    }

    /// Waits for its end, and keeps what it prints into pipes.
    ///
    /// # Panics
    /// The patience was over first. The message has what it had printed.
    #[track_caller]
    pub fn output(mut self) -> Output {
        let (out, errors) = (Printed::of(self.child.stdout.take()), Printed::of(self.child.stderr.take()));
        self.until_it_ends();
        let (stdout, stderr) = (out.all(), errors.all());
        if self.state() == State::Killed {
            self.fail(&stdout, &stderr);
        }
        Output { status: self.wait(), stdout, stderr }
    }

    fn number(&self) -> WaitId<'_> {
        WaitId::Pid(Pid::from_child(&self.child))
    }

    fn state(&self) -> State {
        *self.watch.state.lock().unwrap()
    }

    /// Returns when it has ended, by itself or by the guard; it keeps its number.
    fn until_it_ends(&self) {
        let is_over = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let is_interrupted = || waitid(self.number(), is_over).is_err_and(|error| error == Errno::INTR);
        while self.state() != State::Ended && is_interrupted() {}
    }

    #[track_caller]
    fn fail(&self, stdout: &[u8], stderr: &[u8]) -> ! {
        let printed = [stdout, stderr].map(String::from_utf8_lossy).concat();
        let seconds = self.patience.as_secs_f64();
        panic!("{}: has not ended after {seconds} s, and was killed\nit had printed: {printed}", self.command);
    }
}

impl Deref for Watched {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Watched {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let Ok(mut state) = self.watch.state.lock() else { return };
        if *state == State::Running {
            kill_all(self.child.id());
        }
        if *state != State::Ended {
            let _ = self.child.wait();
        }
        *state = State::Ended;
        self.watch.changed.notify_all();
    }
}

/// What a program prints into a pipe.
struct Printed(Receiver<Vec<u8>>);

impl Printed {
    fn of(pipe: Option<impl Read + Send + 'static>) -> Printed {
        let (sender, receiver) = channel();
        let read = move |mut pipe: Box<dyn Read + Send>| {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                let _ = sender.send(buffer[..count].to_vec());
            }
        };
        if let Some(pipe) = pipe {
            thread::spawn(move || read(Box::new(pipe)));
        }
        Printed(receiver)
    }

    /// All of it, after the end of the program; a program that it has left behind may hold the pipe open.
    fn all(self) -> Vec<u8> {
        let end = Instant::now() + LAST_WORDS;
        let next = || self.0.recv_timeout(end.saturating_duration_since(Instant::now())).ok();
        std::iter::from_fn(next).flatten().collect()
    }
}

/// Kills a process and all that it and its children have started.
fn kill_all(process: u32) {
    let mut doomed = vec![process];
    let parents = parents();
    let mut next = 0;
    while let Some(&parent) = doomed.get(next) {
        doomed.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(child, _)| *child));
        next += 1;
    }
    for process in doomed.into_iter().filter_map(|process| Pid::from_raw(i32::try_from(process).ok()?)) {
        let _ = kill_process(process, Signal::KILL);
    }
}

/// The processes of this machine, each with its parent; none where the system does not list them in `/proc`.
fn parents() -> Vec<(u32, u32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let parent = |process: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name before the state and the parent may hold anything.
        let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        Some((process, parent))
    };
    processes.filter_map(parent).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::panic::catch_unwind;

    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn what_a_program_prints_and_its_status_are_kept() {
        let output = shell("echo a; echo b >&2; exit 3").finish();
        assert_eq!((output.status.code(), &*output.stdout, &*output.stderr), (Some(3), &b"a\n"[..], &b"b\n"[..]));
        let long = shell("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2").finish();
        assert_eq!((long.stdout.len(), long.stderr.len()), (300_000, 300_000));
        let mut child = shell("exit 4").watch();
        assert_eq!((child.wait().code(), child.try_wait().and_then(|status| status.code())), (Some(4), Some(4)));
    }

    #[test]
    fn a_program_without_an_end_fails_its_test_and_is_killed_with_its_children() {
        for ends in [
            |child: Watched| drop(child.output()),
            |mut child: Watched| {
                child.wait();
            },
        ] {
            let folder = std::env::temp_dir().join(format!("skidpad-watched-{}", std::process::id()));
            let line = format!("sleep 1000 & echo $! > {}; echo begun; echo bad >&2; wait", folder.display());
            let child = shell(&line).watch_for(Duration::from_millis(300)).unwrap();
            let failure = catch_unwind(move || ends(child)).unwrap_err();
            let message = failure.downcast_ref::<String>().unwrap();
            assert!(message.contains("has not ended after 0.3 s, and was killed"), "{message}");
            assert!(message.ends_with("it had printed: begun\nbad\n"), "{message}");
            let sleeper: u32 = std::fs::read_to_string(&folder).unwrap().trim().parse().unwrap();
            std::fs::remove_file(folder).unwrap();
            let is_there = || parents().iter().any(|(process, _)| *process == sleeper);
            let begun = Instant::now();
            while is_there() {
                assert!(begun.elapsed() < LAST_WORDS, "{sleeper} goes on");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    #[test]
    fn a_program_ends_with_its_test() {
        let child = shell("sleep 1000").watch();
        let process = child.id();
        drop(child);
        assert!(parents().iter().all(|(child, _)| *child != process));
    }

    #[test]
    fn a_program_is_ended_by_signals_that_the_tests_ignore() {
        const INSIDE: &str = "SKIDPAD_TEST_WITHOUT_HANG_UP";
        if std::env::var_os(INSIDE).is_some() {
            let hang_up = || shell("kill -HUP $$; exit 5");
            assert_eq!(hang_up().finish().status.code(), Some(5));
            assert_eq!(hang_up().with_usual_signals().finish().status.signal(), Some(libc::SIGHUP));
            return;
        }
        let (_, module) = module_path!().split_once("::").unwrap();
        let test = format!("{module}::a_program_is_ended_by_signals_that_the_tests_ignore");
        let mut again = shell("trap '' HUP; exec \"$@\"");
        again.arg("sh").arg(std::env::current_exe().unwrap()).args(["--exact", &test]).env(INSIDE, "");
        let output = again.finish();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
