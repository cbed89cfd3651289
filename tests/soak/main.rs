//! Attacks of any duration: mutated worlds, broken recordings, and hostile clients of the viewer's server.
//!
//! `cargo test --test soak` runs each for a few seconds, `make soak MINUTES=60` for an hour, together with that of tests/ros/test_soak.py.
//! Every input follows from a seed and its number alone: a failure is saved to target/soak with the command that tries it again.
//!
//! | Variable | |
//! |---|---|
//! | `SKIDPAD_SOAK_SECONDS` | how long each attack lasts [s]; 5 |
//! | `SKIDPAD_SOAK_SEED` | what the inputs follow from; 1, or `random` |
//! | `SKIDPAD_SOAK_CASE` | worlds and recordings: try the input of this number alone |

mod bags;
mod damage;
mod mcap_damage;
mod requests;
mod sockets;
mod supervisor;
#[allow(dead_code, reason = "other tests need the other answers")]
#[path = "../support/mod.rs"]
mod support;
mod world_damage;
mod worlds;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The random number generator.
type Rng = Xoshiro256PlusPlus;

/// Duration and seed of an attack.
#[derive(Clone, Copy)]
struct Plan {
    duration: Duration,
    seed: u64,
}

impl Plan {
    /// Reads the environment.
    fn of_environment() -> Plan {
        let number = |name: &str| {
            std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")))
        };
        let seed = match std::env::var("SKIDPAD_SOAK_SEED").as_deref() {
            Ok("random") => u64::from(rand::random::<u32>()),
            _ => number("SKIDPAD_SOAK_SEED").unwrap_or(1),
        };
        Plan { duration: Duration::from_secs(number("SKIDPAD_SOAK_SECONDS").unwrap_or(5)), seed }
    }

    /// The generator of one input, independent of earlier ones.
    fn rng(self, number: u64) -> Rng {
        Rng::seed_from_u64(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number))
    }
}

/// The checkout.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Folder of failed inputs.
fn kept(name: &str) -> PathBuf {
    let folder = root().join("target/soak").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Peak and present memory of a process [bytes], and the processor time that it has taken [s]; none when it has ended.
struct Usage {
    peak: u64,
    resident: u64,
    cpu: f64,
}

impl Usage {
    fn of(process: u32) -> Option<Usage> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let kib = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        };
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // Fields 14 and 15, in hundredths of a second; the name before them may hold anything.
        let ticks =
            stat.rsplit_once(')')?.1.split(' ').skip(12).take(2).map(|field| field.parse::<f64>().unwrap_or(0.0));
        Some(Usage { peak: kib("VmHWM:")? << 10, resident: kib("VmRSS:")? << 10, cpu: 0.01 * ticks.sum::<f64>() })
    }
}

#[test]
fn worlds() {
    supervisor::run::<worlds::Worlds>();
}

#[test]
fn bags() {
    supervisor::run::<bags::Bags>();
}

#[test]
fn sockets() {
    sockets::run(Plan::of_environment());
}
