//! `skidpad bench`: the speed of typical worlds, one JSON line for each.
//!
//! | case | world |
//! |---|---|
//! | A | one car, no sensor |
//! | P | that car on tyres of the Magic Formula, with load transfer |
//! | B1 … B5000 | 1 … 5000 differential robots, no sensor |
//! | C | one car with a lidar of 1081 beams over 270° at 40 Hz in a map of 0.05 m, mean range about 5 m |
//! | D | ten of those in one hall, seeing each other |
//! | E | ten of those among a thousand static blocks |
//! | V | four cars with a lidar of 16 rings of 1808 rays at 10 Hz among those blocks |
//! | W | one car with a camera for colour and depth, 640 × 480 pixels each at 15 Hz, with shadows, among those blocks |
//!
//! All have steps of 5 ms and vehicles that drive circles. Each case runs in a separate process, so that its peak
//! memory is measured separately.

mod worlds;

pub use worlds::{BenchWorld, generate};

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

use skidpad_files::input_file;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{Frame, LoadOptions, World};

/// A world to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "verbatim")]
pub enum Case {
    /// One car, no sensor.
    A,
    /// One car on tyres of the Magic Formula, with load transfer.
    P,
    /// One differential robot.
    B1,
    /// Ten differential robots.
    B10,
    /// A hundred differential robots.
    B100,
    /// Five hundred differential robots.
    B500,
    /// A thousand differential robots.
    B1000,
    /// Five thousand differential robots.
    B5000,
    /// One car with a lidar in a map.
    C,
    /// Ten cars with lidars in a map.
    D,
    /// Ten cars with lidars among a thousand static blocks.
    E,
    /// Four cars with 3D lidars of 16 rings among a thousand static blocks.
    V,
    /// One car with a camera for colour and depth, 640 × 480 pixels at 15 Hz, among a thousand static blocks.
    W,
}

impl Case {
    /// Its name, such as `B10`.
    pub fn name(self) -> &'static str {
        match self {
            Case::A => "A",
            Case::P => "P",
            Case::B1 => "B1",
            Case::B10 => "B10",
            Case::B100 => "B100",
            Case::B500 => "B500",
            Case::B1000 => "B1000",
            Case::B5000 => "B5000",
            Case::C => "C",
            Case::D => "D",
            Case::E => "E",
            Case::V => "V",
            Case::W => "W",
        }
    }

    /// Generates and loads its world, and commands every vehicle. `Err` explains a failure.
    pub fn world(self) -> io::Result<World> {
        self.world_with(&LoadOptions::default())
    }

    /// The same with these options.
    fn world_with(self, options: &LoadOptions) -> io::Result<World> {
        let directory = tempfile::tempdir()?;
        let BenchWorld { text, twist } = generate(self, directory.path())?;
        let name = format!("bench case {}", self.name());
        let (mut world, _) = World::load_text(&name, directory.path(), &text, options)
            .map_err(|problems| io::Error::other(problems.to_string()))?;
        for vehicle in 0..world.scene().vehicles.len() {
            let command = Command { vehicle, action: Action::Twist(twist) };
            world.command(command).map_err(|refusal| io::Error::other(refusal.to_string()))?;
        }
        Ok(world)
    }
}

/// What was measured; the keys of the JSON line.
#[derive(Clone, Debug, Serialize)]
struct Line {
    case: &'static str,
    /// Steps per wall second.
    steps_per_s: f64,
    /// Simulated seconds per wall second.
    real_time_factor: f64,
    /// Processor time of the measured steps, all threads [s].
    cpu_s: f64,
    /// Largest resident memory of the process [MB]; none where the system does not say.
    peak_rss_mb: Option<f64>,
    /// Lidar beams cast per wall second.
    rays_per_s: f64,
}

/// Measures every case for `seconds` [s] in a process of its own, one after the other: of the program `skidpad`, with these more arguments.
pub fn run_all(
    seconds: f64,
    program: &dyn Fn() -> io::Result<Process>,
    arguments: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    for case in Case::value_variants() {
        let mut process = program()?;
        process.args(["bench", "--case", case.name(), "--seconds", &seconds.to_string()]);
        process.args(arguments).stdin(Stdio::null());
        let output = process.stderr(Stdio::inherit()).output()?;
        out.write_all(&output.stdout)?;
        out.flush()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("bench case {}: ended with {}", case.name(), output.status)));
        }
    }
    Ok(())
}

/// Measures one case, loaded with these options, for `seconds` [s] in this process and prints its line.
pub fn run_case(case: Case, seconds: f64, options: &LoadOptions, out: &mut impl Write) -> io::Result<()> {
    let mut world = case.world_with(options)?;
    let mut warm_up = Meter::new(&world);
    // Until wheels have their speed, buffers their size, and caches are filled.
    warm_up.run(&mut world, Duration::from_secs_f64(seconds / 5.0), 400)?;
    let mut meter = Meter::new(&world);
    meter.run(&mut world, Duration::from_secs_f64(seconds), 32)?;
    let text = serde_json::to_string(&meter.line(case, &world)).map_err(io::Error::other)?;
    writeln!(out, "{text}")?;
    out.flush()
}

/// Measures from its creation on.
struct Meter {
    begin: Instant,
    wall: f64,
    cpu: f64,
    steps: u64,
    rays: u64,
    first_time: skidpad_math::time::SimTime,
}

impl Meter {
    fn new(world: &World) -> Meter {
        Meter {
            cpu: cpu_seconds(),
            first_time: world.frame().time,
            steps: 0,
            rays: 0,
            wall: 0.0,
            begin: Instant::now(),
        }
    }

    /// Steps for `wall`, at least `least` steps.
    fn run(&mut self, world: &mut World, wall: Duration, least: u64) -> io::Result<()> {
        while self.steps < least || self.begin.elapsed() < wall {
            for _ in 0..16 {
                let frame = world.step().map_err(|error| io::Error::other(error.to_string()))?;
                self.rays += rays(frame);
            }
            self.steps += 16;
        }
        self.wall = self.begin.elapsed().as_secs_f64();
        self.cpu = cpu_seconds() - self.cpu;
        Ok(())
    }

    fn line(&self, case: Case, world: &World) -> Line {
        let simulated = (world.frame().time - self.first_time).secs();
        Line {
            case: case.name(),
            steps_per_s: rounded(self.steps as f64 / self.wall),
            real_time_factor: rounded(simulated / self.wall),
            cpu_s: rounded(self.cpu),
            peak_rss_mb: peak_rss_mb().map(rounded),
            rays_per_s: rounded(self.rays as f64 / self.wall),
        }
    }
}

fn rays(frame: &Frame) -> u64 {
    frame.fresh_readings().map(|reading| reading.data.rays()).sum()
}

/// Rounds to three decimals, more than two runs agree on.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Processor time of this process so far, all threads [s].
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Largest resident memory of this process so far [MB], from Linux' /proc.
fn peak_rss_mb() -> Option<f64> {
    let status = input_file::read_text(Path::new("/proc/self/status"), 1 << 20).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_names_on_the_command_line_match_the_output() {
        for case in Case::value_variants() {
            assert_eq!(case.to_possible_value().unwrap().get_name(), case.name());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_reports_memory_and_processor_time() {
        assert!(peak_rss_mb().unwrap() > 1.0);
        assert!(cpu_seconds() > 0.0);
    }
}
