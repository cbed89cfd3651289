//! How often the stated 95 % intervals of an identification hold, and how long it takes: recordings that skidpad makes
//! itself on each rung, with secret numbers and noise, identified blind.
//! `cargo run --release -p identification-coverage -- [SEEDS [RUNG]]` prints a line for each unknown of each rung (or of those with
//! RUNG in their names): how many of the seeds (default 5) found it determined, how many of those within its interval,
//! and how wide the interval was; then the time of a fit to 60 s of 100 Hz data, as a ratio to that of driving the same
//! 60 s. It writes the row of each rung into docs/identification-results.md.
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a program for developers, which prints")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skidpad_identify::{Car, IdentifyConfig, identify};
use skidpad_math::{Twist2, Vec2, wrap_angle};
use skidpad_sim::vehicle::{Action, Command, GearLever, Pedals};

/// Duration of each of the three recordings [s].
const SECONDS: f64 = 20.0;
/// Steps of the simulation per row.
const STEPS_PER_ROW: usize = 2;
/// Standard deviation of positions [m]; a third of it of headings [rad], twice as much of velocities.
const NOISE: f64 = 0.004;

/// A rung of the ladder with what is unknown of it.
struct Rung {
    name: &'static str,
    file: &'static str,
    class: &'static str,
    /// The columns of commands.
    columns: &'static [&'static str],
    /// The commands for the next 0.4 to 1.2 s.
    drive: fn(&mut Xoshiro256PlusPlus) -> [f64; 2],
    /// Path, range, start, and the secret number.
    unknowns: &'static [(&'static str, [f64; 2], f64, f64)],
}

fn slow_car(random: &mut Xoshiro256PlusPlus) -> [f64; 2] {
    [random.random_range(0.5..2.5), random.random_range(-0.35..0.35)]
}

fn fast_car(random: &mut Xoshiro256PlusPlus) -> [f64; 2] {
    [random.random_range(2.5..6.0), random.random_range(-0.25..0.25)]
}

fn road_car(random: &mut Xoshiro256PlusPlus) -> [f64; 2] {
    [random.random_range(8.0..20.0), random.random_range(-0.05..0.05)]
}

fn pedals(random: &mut Xoshiro256PlusPlus) -> [f64; 2] {
    [random.random_range(-0.4..0.9), random.random_range(-0.08..0.08)]
}

fn robot(random: &mut Xoshiro256PlusPlus) -> [f64; 2] {
    [random.random_range(0.05..0.22), random.random_range(-2.0..2.0)]
}

const ACKERMANN: &[&str] = &["command_speed", "command_steering"];

const RUNGS: &[Rung] = &[
    Rung {
        name: "differential robot",
        file: "turtlebot3_burger.vehicle.xml",
        class: "turtlebot3_burger",
        columns: &["command_speed", "command_yaw_rate"],
        drive: robot,
        unknowns: &[
            ("dynamics/inputs/speed@gain", [0.5, 1.5], 1.0, 0.9),
            ("dynamics/inputs/speed@lag", [0.0, 0.5], 0.05, 0.15),
            ("dynamics/l_wheel@diameter", [0.05, 0.08], 0.066, 0.068),
            ("dynamics/r_wheel@diameter", [0.05, 0.08], 0.066, 0.065),
        ],
    },
    Rung {
        name: "kinematic bicycle",
        file: "f1tenth.vehicle.xml",
        class: "f1tenth_kinematic",
        columns: ACKERMANN,
        drive: slow_car,
        unknowns: &[
            ("dynamics/inputs/speed@gain", [0.5, 1.5], 1.0, 0.92),
            ("dynamics/inputs/speed@delay", [0.0, 0.3], 0.05, 0.08),
            ("dynamics/inputs/speed@lag", [0.0, 0.5], 0.1, 0.15),
            ("dynamics/inputs/steering@gain", [0.5, 2.0], 1.0, 1.15),
            ("dynamics/inputs/steering@offset", [-0.1, 0.1], 0.0, 0.02),
            ("dynamics/inputs/steering@delay", [0.0, 0.3], 0.05, 0.03),
            ("dynamics/inputs/steering@lag", [0.0, 0.5], 0.05, 0.08),
            ("measurement/marker_x", [-0.3, 0.5], 0.0, 0.12),
            ("measurement/marker_y", [-0.2, 0.2], 0.0, 0.03),
            ("measurement/heading_offset", [-0.1, 0.1], 0.0, -0.02),
        ],
    },
    Rung {
        name: "longitudinal model",
        file: "compact_car.vehicle.xml",
        class: "compact_car_longitudinal",
        columns: &["command_throttle", "command_steering"],
        drive: pedals,
        unknowns: &[
            ("dynamics/powertrain/engine/peak_torque", [80.0, 300.0], 164.0, 130.0),
            ("dynamics/brakes@max_torque", [200.0, 4000.0], 1500.0, 1100.0),
            ("dynamics/resistance/drag_coefficient", [0.0, 2.0], 0.37, 0.6),
            ("dynamics/inputs/throttle@lag", [0.0, 0.5], 0.1, 0.2),
            ("dynamics/inputs/steering@gain", [0.5, 2.0], 1.0, 1.1),
        ],
    },
    Rung {
        name: "linear single track",
        file: "f1tenth.vehicle.xml",
        class: "f1tenth_single_track",
        columns: ACKERMANN,
        drive: fast_car,
        unknowns: &[
            ("dynamics/Cf", [30.0, 200.0], 94.0, 80.0),
            ("dynamics/Cr", [30.0, 200.0], 101.0, 110.0),
            ("dynamics/Iz", [0.01, 0.12], 0.047, 0.06),
            ("dynamics/inputs/speed@gain", [0.5, 1.5], 1.0, 0.92),
            ("dynamics/inputs/steering@gain", [0.5, 2.0], 1.0, 1.15),
            ("dynamics/inputs/steering@delay", [0.0, 0.2], 0.01, 0.03),
        ],
    },
    Rung {
        name: "single track, Pacejka",
        file: "compact_car.vehicle.xml",
        class: "compact_car_single_track",
        columns: ACKERMANN,
        drive: road_car,
        unknowns: &[
            ("dynamics/Iz", [500.0, 4000.0], 1500.0, 1900.0),
            ("dynamics/inputs/speed@lag", [0.0, 1.0], 0.1, 0.3),
            ("dynamics/inputs/steering@gain", [0.5, 2.0], 1.0, 0.9),
            ("dynamics/inputs/steering@lag", [0.0, 0.5], 0.05, 0.1),
        ],
    },
    Rung {
        name: "rigid body on wheels",
        file: "f1tenth.vehicle.xml",
        class: "f1tenth",
        columns: ACKERMANN,
        drive: fast_car,
        unknowns: &[
            ("friction/C_alpha", [1.0, 15.0], 5.3, 7.0),
            ("friction/mu", [0.3, 1.5], 1.05, 0.8),
            ("dynamics/chassis@inertia", [0.005, 0.08], 0.024, 0.03),
            ("dynamics/inputs/speed@gain", [0.5, 1.5], 1.0, 0.92),
            ("dynamics/inputs/steering@gain", [0.5, 2.0], 1.0, 1.15),
            ("dynamics/inputs/steering@lag", [0.0, 0.2], 0.02, 0.05),
        ],
    },
];

impl Rung {
    fn config(&self) -> String {
        let mut text = format!(
            "name: found\nvehicle: {{file: {}, class: {}}}\nrecordings: [run_*.csv]\ncolumns: {{time: t, {first}: a, {second}: b, x: x, y: y, yaw: yaw, vx: vx, vy: vy, yaw_rate: wz}}\n\
             windows: {{length: 1, every: 1, settle: 0}}\nnoise: {{x: {n}, y: {n}, yaw: {third}, vx: {twice}, vy: {twice}, yaw_rate: {twice}}}\nunknowns:\n",
            self.file,
            self.class,
            first = self.columns[0],
            second = self.columns[1],
            n = NOISE,
            third = NOISE / 3.0,
            twice = 2.0 * NOISE
        );
        for (path, [low, high], start, _) in self.unknowns {
            let _ = writeln!(text, "  - {{at: \"{path}\", range: [{low}, {high}], start: {start}}}");
        }
        text
    }

    fn action(&self, [a, b]: [f64; 2]) -> Action {
        match self.columns[..] {
            ["command_throttle", _] => {
                let pedals = Pedals { throttle: a.max(0.0), brake: (-a).max(0.0), gear: GearLever::Drive };
                Action::Pedals { pedals, steering_angle: b }
            }
            [_, "command_yaw_rate"] => Action::Twist(Twist2::new(a, 0.0, b)),
            _ => Action::Ackermann { speed: a, steering_angle: b },
        }
    }

    /// A recording of the car with its secret numbers.
    fn recording(&self, car: &Car, seed: u64) -> String {
        let secret: Vec<f64> = self.unknowns.iter().map(|(.., secret)| *secret).collect();
        let mut world = car.world(&secret).expect("a good class");
        let (around, _) = car.measurement(&secret);
        let marker = Vec2::new(around.marker_x, around.marker_y);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut command, mut until) = ([0.0; 2], 0.0);
        let mut csv = String::from("t,a,b,x,y,yaw,vx,vy,wz\n");
        let dt = world.scene().step.secs();
        for step in 0..(SECONDS / dt) as usize {
            let time = step as f64 * dt;
            if step % STEPS_PER_ROW == 0 && time >= until {
                command = (self.drive)(&mut random);
                until = time + random.random_range(0.4..1.2);
            }
            if step % STEPS_PER_ROW == 0 {
                let frame = &world.frame().vehicles[0];
                let (pose, v) = (frame.world_from_body.planar(), frame.velocity_in_body);
                let place = pose.transform_point(marker);
                let mut noisy = |value: f64, sigma: f64| {
                    value + sigma * (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>()
                };
                let (sin, cos) = around.heading_offset.sin_cos();
                let (vx, vy) = (v.vx - v.wz * marker.y, v.vy + v.wz * marker.x);
                let row = [
                    command[0],
                    command[1],
                    noisy(place.x, NOISE),
                    noisy(place.y, NOISE),
                    wrap_angle(noisy(pose.yaw + around.heading_offset, NOISE / 3.0)),
                    noisy(cos * vx + sin * vy, 2.0 * NOISE),
                    noisy(cos * vy - sin * vx, 2.0 * NOISE),
                    noisy(v.wz, 2.0 * NOISE),
                ];
                let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
                let _ = writeln!(csv, "{time},{}", numbers.join(","));
            }
            world.command(Command { vehicle: 0, action: self.action(command) }).expect("an accepted command");
            world.step().expect("a step");
        }
        csv
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Puts the row of a rung in the place of the one that the page has.
fn write_row(name: &str, row: &str) {
    let path = root().join("docs/identification-results.md");
    let page = std::fs::read_to_string(&path).expect("the page of results");
    let (before, rest) = page.split_once("<!-- coverage -->\n").expect("the begin of the table");
    let (table, after) = rest.split_once("<!-- coverage end -->").expect("the end of the table");
    let start = format!("| {name} |");
    let mut rows: Vec<&str> = table.lines().collect();
    match rows.iter_mut().find(|row| row.starts_with(&start)) {
        Some(place) => *place = row,
        None => rows.push(row),
    }
    let table = rows.join("\n");
    let page = format!("{before}<!-- coverage -->\n{table}\n<!-- coverage end -->{after}");
    std::fs::write(&path, page).expect("the page of results can be written");
}

/// What the seeds have found of an unknown.
#[derive(Clone, Default)]
struct Tally {
    determined: usize,
    covered: usize,
    width: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let seeds = arguments.first().and_then(|count| count.parse().ok()).unwrap_or(5_u64);
    let rungs = arguments.get(1).map_or("", String::as_str);
    let folders = vec![root().join("worlds/vehicles")];
    println!("{:22} {:38} determined within 95 %   half-width", "rung", "unknown");
    for rung in RUNGS.iter().filter(|rung| rung.name.contains(rungs)) {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| -> PathBuf { folder.path().join(name) };
        std::fs::write(at("config.yaml"), rung.config()).expect("a config");
        let config = IdentifyConfig::load(&at("config.yaml")).unwrap_or_else(|error| panic!("{}: {error}", rung.name));
        let car = Car::new(&config, &folders).unwrap_or_else(|error| panic!("{}: {error}", rung.name));
        let mut tallies = vec![Tally::default(); rung.unknowns.len()];
        let (mut driving, mut fitting, mut failures) = (0.0, 0.0, 0);
        for seed in 0..seeds {
            let started = Instant::now();
            for run in 0..3 {
                std::fs::write(at(&format!("run_{run}.csv")), rung.recording(&car, 100 * seed + run))
                    .expect("a recording");
            }
            driving += started.elapsed().as_secs_f64();
            let started = Instant::now();
            let identified = identify(&config, &folders, folder.path(), None, &|_| {});
            fitting += started.elapsed().as_secs_f64();
            let Ok(identified) = identified else {
                failures += 1;
                continue;
            };
            for ((tally, estimate), (.., secret)) in tallies.iter_mut().zip(&identified.estimates).zip(rung.unknowns) {
                if estimate.certainty.is_determined {
                    tally.determined += 1;
                    tally.covered += usize::from((estimate.value - secret).abs() <= estimate.certainty.half_width);
                    tally.width += estimate.certainty.half_width;
                }
            }
        }
        for (tally, (path, ..)) in tallies.iter().zip(rung.unknowns) {
            let width = tally.width / tally.determined.max(1) as f64;
            println!(
                "{:22} {path:38} {:4} of {seeds:3} {:4} of {:3}    {width:.2e}",
                rung.name, tally.determined, tally.covered, tally.determined
            );
        }
        println!(
            "{:22} {:.1} s a fit, {:.0} times the time of driving; {failures} failed",
            rung.name,
            fitting / seeds as f64,
            fitting / driving
        );
        tallies.sort_by_key(|tally| tally.covered);
        let within: Vec<String> =
            tallies.iter().map(|tally| format!("{} of {}", tally.covered, tally.determined)).collect();
        let row = format!("| {} | {seeds} | {} | {} |", rung.name, rung.unknowns.len(), within.join(", "));
        println!("{row}");
        write_row(rung.name, &row);
    }
}
