//! Tries inputs in worker processes, so that a hang, a crash or excessive memory is attributed to one input, and the attack continues.
//!
//! A worker is this same program with the variable `SKIDPAD_SOAK_WORKER`. It writes the number of the current input into a file before it
//! tries it. The supervisor monitors that file and the worker's processor time and memory; it regenerates a failed input from
//! its number and saves it.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, setrlimit};

use super::{Plan, Rng, Usage, kept, root};

/// Processor time that one input may take [s]: about a hundred times what the slowest take in a debug build.
const CPU: f64 = 30.0;
/// Wall time that one input may take, on a machine with other work too.
const WALL: Duration = Duration::from_secs(240);
/// Memory that inputs may take [bytes], beyond what a world's sensors are known to take; the program itself takes about 60 MiB.
const MEMORY: u64 = 1 << 30;
/// Number of failures after which an attack stops.
const ENOUGH: usize = 20;
/// Interval of progress messages.
const TELL: Duration = Duration::from_secs(60);

/// Files for the program to read.
pub(crate) struct Input {
    /// Path from the folder that they are tried in, and content.
    pub(crate) files: Vec<(PathBuf, Vec<u8>)>,
    /// Command to try them by hand.
    pub(crate) about: String,
}

/// A kind of input, and what the program does with it.
pub(crate) trait Attack: Sized {
    const NAME: &'static str;
    /// The most memory that sensors of an accepted input may take [bytes].
    const MAX_SENSORS: u64;

    /// Puts what inputs are made of into an empty folder, once.
    fn prepare(shared: &Path);

    /// Reads it from there.
    fn new(shared: &Path) -> Self;

    /// An input that follows from these choices alone.
    fn input(&self, rng: &mut Rng) -> Input;

    /// Has the program read it, in a folder that is this worker's; the memory that its sensors may take [bytes], none if it was
    /// refused. A panic is a failure.
    fn attempt(&mut self, input: Input, folder: &Path, rng: &mut Rng) -> Option<u64>;
}

/// Runs an attack as the environment says; fails when an input did.
pub(crate) fn run<A: Attack>() {
    let plan = Plan::of_environment();
    if let Ok(text) = std::env::var("SKIDPAD_SOAK_WORKER") {
        let mut fields = text.splitn(4, ' ');
        let mut number = || fields.next().and_then(|field| field.parse::<u64>().ok()).unwrap();
        let (first, stride, count) = (number(), number(), number());
        return work::<A>(plan, first, stride, count, Path::new(fields.next().unwrap()));
    }
    let folder = tempfile::tempdir().unwrap();
    let shared = folder.path().join("shared");
    std::fs::create_dir(&shared).unwrap();
    A::prepare(&shared);
    let only = std::env::var("SKIDPAD_SOAK_CASE").ok().map(|text| text.parse::<u64>().unwrap());
    let count = if only.is_some() {
        1
    } else {
        std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(4))
    };
    let mut workers: Vec<Worker> =
        (0..count).map(|index| Worker::new::<A>(folder.path(), index, count, only)).collect();
    let attack = A::new(&shared);
    let (began, mut reported) = (Instant::now(), Instant::now());
    let mut failures = Vec::new();
    while failures.len() < ENOUGH
        && workers.iter().any(|worker| !worker.is_done)
        && (only.is_some() || began.elapsed() < plan.duration)
    {
        std::thread::sleep(Duration::from_millis(20));
        for worker in &mut workers {
            if let Some((number, why)) = worker.look() {
                failures.push(save(&attack, plan, number, &why));
                println!("soak: {}: {}", A::NAME, failures[failures.len() - 1]);
                worker.start::<A>(number + worker.stride);
            }
        }
        if reported.elapsed() > TELL {
            reported = Instant::now();
            println!("soak: {}", summary::<A>(&workers, began, plan, failures.len()));
        }
    }
    let line = summary::<A>(&workers, began, plan, failures.len());
    drop(workers);
    println!("soak: {line}");
    assert!(failures.is_empty(), "{line}\n{}", failures.join("\n"));
}

fn summary<A: Attack>(workers: &[Worker], began: Instant, plan: Plan, failures: usize) -> String {
    let sum = |count: fn(&Worker) -> u64| workers.iter().map(count).sum::<u64>();
    let peak = workers.iter().map(|worker| worker.peak).max().unwrap_or(0) >> 20;
    let (tried, accepted) =
        (sum(|worker| worker.before.0 + worker.now.0), sum(|worker| worker.before.1 + worker.now.1));
    let (seconds, seed, slowest) =
        (began.elapsed().as_secs(), plan.seed, workers.iter().map(|worker| worker.slowest).fold(0.0, f64::max));
    format!(
        "{}: {tried} inputs, {accepted} accepted, {seconds} s, slowest {slowest:.1} s, peak {peak} MiB, seed {seed}, failures {failures}",
        A::NAME
    )
}

/// Saves a failed input, and prints how to try it again.
fn save<A: Attack>(attack: &A, plan: Plan, number: u64, why: &str) -> String {
    let folder = kept(&format!("{}-{}-{number}", A::NAME, plan.seed));
    let input = attack.input(&mut plan.rng(number));
    for (path, content) in &input.files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let again =
        format!("SKIDPAD_SOAK_SEED={} SKIDPAD_SOAK_CASE={number} cargo test --test soak {}", plan.seed, A::NAME);
    let place = folder.strip_prefix(root()).unwrap_or(&folder).display();
    std::fs::write(folder.join("about.txt"), format!("{}\n{again}\n\n{why}\n", input.about)).unwrap();
    format!("{place}: {}\n  {again}", why.lines().next().unwrap_or_default())
}

/// A process that tries one input after the other.
struct Worker {
    folder: PathBuf,
    stride: u64,
    only: Option<u64>,
    child: Child,
    state: File,
    /// Inputs tried and accepted by this process, and by those before it.
    now: (u64, u64),
    before: (u64, u64),
    at: u64,
    /// When the input that it is at was begun, and the processor time by then [s].
    since: (Instant, f64),
    /// The most processor time of one input [s], as far as that is seen.
    slowest: f64,
    peak: u64,
    is_done: bool,
}

impl Worker {
    fn new<A: Attack>(folder: &Path, index: usize, count: usize, only: Option<u64>) -> Worker {
        let own = folder.join(format!("worker{index}"));
        std::fs::create_dir(&own).unwrap();
        let first = only.unwrap_or(index as u64);
        let (child, state) = spawn::<A>(&own, first, count as u64, only.is_some());
        Worker {
            folder: own,
            stride: count as u64,
            only,
            child,
            state,
            now: (0, 0),
            before: (0, 0),
            at: u64::MAX,
            since: (Instant::now(), 0.0),
            slowest: 0.0,
            peak: 0,
            is_done: false,
        }
    }

    /// Restarts at this input, unless there is only one.
    fn start<A: Attack>(&mut self, first: u64) {
        self.before = (self.before.0 + self.now.0, self.before.1 + self.now.1);
        (self.now, self.at, self.since) = ((0, 0), u64::MAX, (Instant::now(), 0.0));
        if self.only.is_some() {
            self.is_done = true;
            return;
        }
        (self.child, self.state) = spawn::<A>(&self.folder, first, self.stride, false);
    }

    /// Which input failed, and how.
    fn look(&mut self) -> Option<(u64, String)> {
        if self.is_done {
            return None;
        }
        let ended = self.child.try_wait().unwrap();
        let mut state = [0; 24];
        let is_begun = self.state.read_exact_at(&mut state, 0).is_ok();
        let [at, tried, accepted] =
            std::array::from_fn(|i| u64::from_le_bytes(state[8 * i..8 * i + 8].try_into().unwrap()));
        let usage = Usage::of(self.child.id());
        let cpu = usage.as_ref().map_or(self.since.1, |usage| usage.cpu);
        self.peak = self.peak.max(usage.map_or(0, |usage| usage.peak));
        self.slowest = self.slowest.max(if is_begun { cpu - self.since.1 } else { 0.0 });
        if is_begun {
            self.now = (tried, accepted);
            if at != self.at {
                (self.at, self.since) = (at, (Instant::now(), cpu));
            }
        }
        let place = self.folder.join("said.txt");
        let said = || std::fs::read_to_string(&place).unwrap_or_default();
        if let Some(status) = ended {
            if status.success() && self.only.is_some() {
                self.is_done = true;
                return None;
            }
            let said = said();
            // A failure before the first input has no input.
            assert!(is_begun, "the worker ended with {status}: {said}");
            return Some((at, format!("{}\n{said}", ending(status, &said))));
        }
        let (taken, waited) = (cpu - self.since.1, self.since.0.elapsed());
        if taken > CPU || waited > WALL {
            self.end();
            let why = format!("hangs: {taken:.0} s of processor time in {} s\n{}", waited.as_secs(), said());
            return Some((at, why));
        }
        None
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

/// How a worker ended, in a line.
fn ending(status: ExitStatus, said: &str) -> String {
    let mut lines = said.lines();
    let panic = lines
        .find(|line| line.contains("panicked at"))
        .map(|line| format!("{line} {}", lines.next().unwrap_or_default()));
    let memory = said.lines().find(|line| line.starts_with("memory allocation of"));
    panic.or(memory.map(String::from)).unwrap_or_else(|| format!("ended with {status}"))
}

fn spawn<A: Attack>(folder: &Path, first: u64, stride: u64, is_one: bool) -> (Child, File) {
    let said = File::create(folder.join("said.txt")).unwrap();
    let state = File::options().create(true).truncate(true).read(true).write(true).open(folder.join("state")).unwrap();
    let count = if is_one { 1 } else { u64::MAX };
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", A::NAME, "--nocapture", "--test-threads", "1"])
        .env("SKIDPAD_SOAK_WORKER", format!("{first} {stride} {count} {}", folder.display()))
        .env("RUST_BACKTRACE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(said)
        .spawn()
        .unwrap();
    (child, state)
}

/// The worker's side: tries inputs until it is ended.
fn work<A: Attack>(plan: Plan, first: u64, stride: u64, count: u64, folder: &Path) {
    let address_space = Some(MEMORY + A::MAX_SENSORS);
    setrlimit(Resource::As, Rlimit { current: address_space, maximum: address_space }).unwrap();
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).unwrap();
    let mut attack = A::new(&folder.parent().unwrap().join("shared"));
    let place = folder.join("tried");
    std::fs::create_dir_all(&place).unwrap();
    let state = File::options().write(true).open(folder.join("state")).unwrap();
    let (mut tried, mut accepted) = (0_u64, 0_u64);
    let mut promised = 0;
    while tried < count {
        let number = first.wrapping_add(tried.wrapping_mul(stride));
        let bytes: Vec<u8> = [number, tried, accepted].iter().flat_map(|number| number.to_le_bytes()).collect();
        state.write_all_at(&bytes, 0).unwrap();
        let mut rng = plan.rng(number);
        let input = attack.input(&mut rng);
        let sensors = attack.attempt(input, &place, &mut rng);
        accepted += u64::from(sensors.is_some());
        promised = promised.max(sensors.unwrap_or(0));
        // The peak is that of all inputs so far, so it is compared with the largest of theirs.
        let peak = Usage::of(std::process::id()).unwrap().peak;
        assert!(peak <= MEMORY + promised, "took {} MiB, with at most {} MiB for sensors", peak >> 20, promised >> 20);
        tried += 1;
    }
}

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    bytes
}
