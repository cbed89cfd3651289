//! The ledger of bits: a hash of every output of every world, compared with the accepted ones in `accepted.tsv` on one thread and on two,
//! with wide vector instructions and without. `SKIDPAD_UPDATE=1 cargo test --test ledger` accepts what is found.
//!
//! Each way to compute has a process of its own: its vector instructions, and those of the C library's functions, are of a whole process.

mod runs;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use skidpad::frame_bits as bits;

use skidpad::raycast::{VectorInstructions, use_vector_instructions};
use skidpad_test_support::watched::{Watch, Watched};
use table::Table;

/// Tells a process of this test how to compute, as the number of its [`Method`], and the file for its hashes.
const WORKER: &str = "SKIDPAD_LEDGER_WORKER";

/// How long all worlds may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A way to compute, which must not change a bit.
#[derive(Clone, Copy)]
struct Method {
    name: &'static str,
    threads: usize,
    instructions: VectorInstructions,
}

const METHODS: [Method; 2] = [
    Method { name: "1 thread, widest vector instructions", threads: 1, instructions: VectorInstructions::Widest },
    Method { name: "2 threads, baseline vector instructions", threads: 2, instructions: VectorInstructions::Baseline },
];

/// Keeps the C library from functions for wide instructions, which round differently: numbers must not depend on it.
const BASELINE_LIBRARY: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F");

#[test]
fn every_output_has_its_accepted_bits() {
    if let Ok(order) = std::env::var(WORKER) {
        let (method, path) = order.split_once(' ').unwrap();
        return work(METHODS[method.parse::<usize>().unwrap()], Path::new(path));
    }
    let folder = tempfile::tempdir().unwrap();
    let workers: Vec<(PathBuf, Watched)> = (0..METHODS.len()).map(|method| spawn(method, folder.path())).collect();
    let actual: Vec<Table> = workers
        .into_iter()
        .zip(&METHODS)
        .map(|((path, mut worker), method)| {
            let status = worker.wait();
            assert!(status.success(), "the run with {} ended with {status}, as its output above says", method.name);
            Table::read(&path)
        })
        .collect();
    for (method, other) in METHODS.iter().zip(&actual).skip(1) {
        if let Some(differences) = other.differences(&actual[0]) {
            panic!(
                "the bits depend on how they are computed: found with {}, \"accepted\" with {}\n{differences}",
                method.name, METHODS[0].name
            );
        }
    }
    let path = accepted();
    if std::env::var_os("SKIDPAD_UPDATE").is_some() {
        return actual[0].write(&path);
    }
    if let Some(differences) = actual[0].differences(&Table::read(&path)) {
        panic!(
            "outputs have other bits than tests/ledger/accepted.tsv accepts\n{differences}\n  \
             hint: if this is intended, SKIDPAD_UPDATE=1 cargo test --test ledger accepts them, and the message of the commit gives the \
             reason for each world and output; if not, docs/development.md (The ledger of bits) says how to find the cause"
        );
    }
}

/// The ledger covers what it says.
#[test]
fn every_world_has_rows_and_every_kind_of_reading_is_among_them() {
    let table = Table::read(&accepted());
    for run in runs::all() {
        let output = if run.is_plain() { "frames" } else { "recorded nav_msgs/msg/Odometry" };
        assert!(table.has(&run.name, output), "{}: no {output}", run.name);
    }
    for (kind, worlds) in runs::KINDS.map(|kind| (kind, table.worlds_with(kind))) {
        assert!(worlds > 0, "{kind}: in no world");
    }
    for (output, least) in [("CSV of wheels", 100), ("recorded skidpad/scene.json", 100), ("scans", 20)] {
        assert!(table.worlds_with(output) >= least, "{output}: in {} worlds", table.worlds_with(output));
    }
}

fn accepted() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledger/accepted.tsv")
}

/// Starts a process that computes in this way.
fn spawn(method: usize, folder: &Path) -> (PathBuf, Watched) {
    let path = folder.join(format!("{method}.tsv"));
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "every_output_has_its_accepted_bits", "--nocapture"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env(WORKER, format!("{method} {}", path.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    if METHODS[method].instructions == VectorInstructions::Baseline {
        command.env(BASELINE_LIBRARY.0, BASELINE_LIBRARY.1);
    }
    (path, command.watch_for(PATIENCE).unwrap())
}

/// Writes the hashes of all outputs.
fn work(method: Method, path: &Path) {
    let is_wide = use_vector_instructions(method.instructions);
    if method.instructions == VectorInstructions::Widest && !is_wide {
        eprintln!("this processor has no wide vector instructions: only the others are compared");
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(method.threads).build().unwrap();
    let mut table = Table::default();
    for run in runs::all() {
        table.add(&run.name, pool.install(|| run.outputs()));
    }
    table.write(path);
}
