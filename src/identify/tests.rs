//! Recordings that skidpad makes itself, with secret numbers and noise, identified blind.

use std::fmt::Write;
use std::path::Path;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skidpad_analysis::PictureOptions;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

use super::*;

mod budget;
mod days;
mod gears;
mod held;
mod inputs;
mod wheels;

/// A kinematic bicycle of 0.3 m behind these inputs.
fn class(inputs: &str) -> String {
    format!(
        r#"<vehicle:class name="car"><dynamics class="kinematic_bicycle">
        <rl_wheel pos="0 0.1"/><rr_wheel pos="0 -0.1"/><fl_wheel/><fr_wheel/><f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.2</f_wheels_d>
        <chassis><shape><pt>0 -0.1</pt><pt>0 0.1</pt><pt>0.3 0.1</pt><pt>0.3 -0.1</pt></shape></chassis>{inputs}</dynamics></vehicle:class>"#
    )
}

const SECRET: &str =
    r#"<inputs><speed gain="0.92" delay="0.06" lag="0.15"/><steering gain="1.2" offset="0.02" delay="0.04"/></inputs>"#;
/// Position of the marker ahead of the rear axle [m].
const MARKER: f64 = 0.12;

/// How a recording is driven and disturbed.
#[derive(Clone, Copy)]
struct Drive {
    seed: u64,
    seconds: f64,
    /// Standard deviation of positions [m] and of a third of it of headings [rad].
    noise: f64,
    /// Whether the steering moves.
    steers: bool,
    stands: bool,
    /// Added to the time of measurements [s].
    clock: f64,
}

const DRIVE: Drive = Drive { seed: 1, seconds: 12.0, noise: 0.003, steers: true, stands: false, clock: 0.0 };

/// Noise of given standard deviations, almost normal: sums of twelve uniform numbers.
fn gauss(seed: u64) -> impl FnMut(f64) -> f64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    move |sigma| sigma * (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>()
}

/// A recording as CSV: time in ms, heading in degrees, speed in km/h.
fn recording(inputs: &str, drive: Drive) -> String {
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>{}<vehicle name=\"a\" class=\"car\"><init_pose>1 2 30</init_pose></vehicle></mvsim_world>",
        class(inputs)
    );
    let (mut world, _) = World::load_text("secret", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let mut gauss = gauss(drive.seed);
    let mut csv = String::from("t,steer,want,x,y,yaw,v\n");
    let (mut speed, mut steering) = (1.0, 0.0);
    let mut turn = Xoshiro256PlusPlus::seed_from_u64(drive.seed + 1000);
    for step in 0..(drive.seconds / 0.005) as usize {
        if step % 80 == 0 {
            speed = if drive.stands { 0.0 } else { turn.random_range(0.4..1.6) };
            steering = if drive.steers { turn.random_range(-0.3..0.3) } else { 0.0 };
        }
        if step % 4 == 0 {
            let car = &world.frame().vehicles[0];
            let pose = car.world_from_body.planar();
            let place = pose.transform_point(skidpad_math::Vec2::new(MARKER, 0.0));
            let time = step as f64 * 5.0 + 1e3 * drive.clock;
            let (x, y, yaw) =
                (place.x + gauss(drive.noise), place.y + gauss(drive.noise), pose.yaw + gauss(drive.noise / 3.0));
            let v = 3.6 * (car.velocity_in_body.vx + gauss(2.0 * drive.noise));
            let _ =
                writeln!(csv, "{time},{steering},{speed},{x},{y},{},{v}", skidpad_math::wrap_angle(yaw).to_degrees());
        }
        world.command(Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle: steering } }).unwrap();
        world.step().unwrap();
    }
    csv
}

const CONFIG: &str = "
name: found
vehicle: {file: car.vehicle.xml, class: car}
recordings: [run_*.csv]
columns:
  time: {column: t, unit: ms}
  command_steering: steer
  command_speed: want
  x: x
  y: y
  yaw: {column: yaw, unit: deg}
  vx: {column: v, unit: km/h}
test: {every: 3}
windows: {length: 1.0, every: 1.0, settle: 0.0}
noise: {x: 0.003, y: 0.003, yaw: 0.001, vx: 0.006}
unknowns:
  - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}
  - {at: dynamics/inputs/speed@delay, range: [0, 0.2], start: 0.02}
  - {at: dynamics/inputs/speed@lag, range: [0, 0.5], start: 0.05}
  - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}
  - {at: dynamics/inputs/steering@offset, range: [-0.1, 0.1], start: 0}
  - {at: dynamics/inputs/steering@delay, range: [0, 0.2], start: 0.02}
  - {at: measurement/marker_x, range: [-0.2, 0.4], start: 0}
";
const TRUTH: [f64; 7] = [0.92, 0.06, 0.15, 1.2, 0.02, 0.04, MARKER];

/// A folder with these recordings, the class without inputs, and the config.
fn folder(config: &str, recordings: &[String]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("car.vehicle.xml"), class("")).unwrap();
    std::fs::write(at("config.yaml"), config).unwrap();
    for (k, text) in recordings.iter().enumerate() {
        std::fs::write(at(&format!("run_{k}.csv")), text).unwrap();
    }
    folder
}

fn identified_from(config: &str, recordings: &[String]) -> Result<Identified, IdentifyError> {
    let folder = folder(config, recordings);
    let config = IdentifyConfig::load(&folder.path().join("config.yaml"))?;
    identify(&config, &[folder.path().to_path_buf()], folder.path(), None, &|_| {})
}

fn runs(count: u64, drive: Drive) -> Vec<String> {
    (0..count).map(|k| recording(SECRET, Drive { seed: drive.seed + 10 * k, ..drive })).collect()
}

#[test]
fn secret_numbers_are_found_with_their_uncertainty_and_predict_another_run() {
    let result = identified_from(CONFIG, &runs(3, DRIVE)).unwrap();
    for (estimate, truth) in result.estimates.iter().zip(TRUTH) {
        assert!(estimate.certainty.is_determined, "{estimate:?}");
        let off = (estimate.value - truth).abs();
        assert!(
            off < 2.0 * estimate.certainty.half_width && off < 0.03,
            "{}: {} for {truth}, {:?}",
            estimate.unknown.name(),
            estimate.value,
            estimate.certainty
        );
    }
    let [fitted, unseen] = &result.scores;
    let of = |scores: &[Score], name: &str| scores.iter().find(|score| score.name == name).unwrap().rms;
    // Noise of the start and of the row itself.
    assert!(of(&fitted.all, "position") < 0.01 && of(&unseen.all, "position") < 0.01, "{unseen:?}");
    assert!(of(&unseen.all, "yaw") < 0.004, "{unseen:?}");
}

#[test]
fn the_written_class_predicts_as_the_fitted_car_does() {
    let result = identified_from(CONFIG, &runs(2, DRIVE)).unwrap();
    let out = tempfile::tempdir().unwrap();
    let folder = folder(&CONFIG.replace("class: car", "class: found"), &runs(2, DRIVE));
    let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    let options = PictureOptions { data: true, ..PictureOptions::default() };
    let files = write(&result, &config, out.path(), &options).unwrap();
    let mut config = IdentifyConfig::load(&files[1]).unwrap();
    config.unknowns.clear();
    let car = Car::new(&config, &[out.path().to_path_buf()]).unwrap();
    let [data, _] = recordings(&config, folder.path(), &mut Vec::new()).unwrap();
    assert_eq!(scores(&data, &car, &[]).unwrap(), result.scores[0]);
    let page = std::fs::read_to_string(&files[3]).unwrap();
    assert!(page.contains("<svg") && page.contains("steering@gain"), "{page}");
    // The bands in the figures are those of the tables, around the predictions.
    let widths = &result.data[0].bands[0].as_ref().unwrap().half_widths["yaw"];
    let csv = std::fs::read_to_string(out.path().join("found.window_1.csv")).unwrap();
    let drawn = |series: &str| -> Vec<f64> {
        let start = format!("heading [deg],{series},");
        let rows = csv.lines().filter(|line| line.starts_with(&start));
        rows.map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect()
    };
    let [upper, predicted, lower] =
        ["upper limit of the 95 % band", "predicted", "lower limit of the 95 % band"].map(drawn);
    let last = predicted.len() - 1;
    for (row, width) in [(0, widths[0]), (last, widths[widths.len() - 1])] {
        assert!((upper[row] - predicted[row] - width.to_degrees()).abs() < 1e-9, "{row} {widths:?}");
        assert!((predicted[row] - lower[row] - width.to_degrees()).abs() < 1e-9, "{row} {widths:?}");
    }
    let unseen = usize::from(result.data[1].count() > 0);
    let covered = result.scores[unseen].covered.iter().find(|covered| covered.name == "yaw").unwrap().all();
    let share = format!("yaw: {:.1} % of {} rows within", 100.0 * Coverage::share(covered), covered[1]);
    assert!(page.contains(&share) && page.contains("95 % band"), "{share}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let recordings = runs(2, Drive { seconds: 5.0, ..DRIVE });
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| identified_from(CONFIG, &recordings).unwrap().values())
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn what_the_recordings_do_not_show_is_named_and_held() {
    let straight = runs(2, Drive { steers: false, ..DRIVE });
    let prior = CONFIG.replace("range: [0.5, 2], start: 1}", "range: [0.5, 2], start: 1, prior: [1.1, 0.3]}");
    let result = identified_from(&prior, &straight).unwrap();
    let of = |name: &str| result.estimates.iter().find(|estimate| estimate.unknown.name().ends_with(name)).unwrap();
    for name in ["steering@gain", "steering@delay"] {
        assert!(!of(name).certainty.is_determined && of(name).is_held, "{:?}", of(name));
    }
    // The best value of one of which the data say nothing is that of its prior.
    assert!((of("steering@gain").value - 1.1).abs() < 1e-3, "{:?}", of("steering@gain"));
    assert!((of("speed@gain").value - 0.92).abs() < 0.01, "{:?}", of("speed@gain"));
    assert!(table(&result.estimates).contains("no: held"));
}

#[test]
fn an_interrupted_search_goes_on_where_it_was() {
    let folder = folder(CONFIG, &runs(3, DRIVE));
    let file = folder.path().join("out/found.search.json");
    let config = |budget: usize| {
        let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
        IdentifyConfig { budget, ..config }
    };
    let identified = |budget: usize, checkpoint: Option<&Path>| {
        identify(&config(budget), &[folder.path().to_path_buf()], folder.path(), checkpoint, &|_| {}).unwrap()
    };
    let whole = identified(2000, None);
    let part = identified(70, Some(&file));
    assert_eq!(part.fit.ending, "the search has used its budget before it converged");
    assert!(file.is_file());
    let resumed = identified(2000, Some(&file));
    assert!(
        resumed.notes.iter().any(|note| note.to_string().starts_with("found: the search resumes after ")),
        "{:?}",
        resumed.notes
    );
    assert!(resumed.fit.evaluations < whole.fit.evaluations + 70, "{:?} {:?}", resumed.fit, whole.fit);
    for (resumed, whole) in resumed.estimates.iter().zip(&whole.estimates) {
        let near = 0.05 * whole.certainty.half_width;
        assert!(
            (resumed.value - whole.value).abs() < near,
            "{} {} {}",
            resumed.unknown.name(),
            resumed.value,
            whole.value
        );
    }
    assert!(!file.exists());
    // Another question starts anew.
    identified(70, Some(&file));
    let text = CONFIG.replace("range: [-0.2, 0.4]", "range: [-0.2, 0.5]");
    std::fs::write(folder.path().join("config.yaml"), text).unwrap();
    let other = identified(2000, Some(&file));
    assert!(other.notes.iter().all(|note| !note.found.contains("the search resumes after")), "{:?}", other.notes);
}

#[test]
fn what_differs_between_recordings_is_found_for_each_and_predicts_others_of_its_day() {
    // On the second day the steering is trimmed to the left; the last recording of each day is for the test.
    let trimmed = SECRET.replace("offset=\"0.02\"", "offset=\"0.068\"");
    assert_ne!(trimmed, SECRET);
    let of_day = |inputs: &str, seed| recording(inputs, Drive { seed, ..DRIVE });
    let driven = [of_day(SECRET, 1), of_day(SECRET, 11), of_day(&trimmed, 21), of_day(&trimmed, 31)];
    let days = "test: {files: [run_1, run_3]}";
    let config = CONFIG.replace("test: {every: 3}", days);
    let trim = "  - {at: [\"measurement[run_2]/steering_trim\", \"measurement[run_3]/steering_trim\"], range: [-0.2, 0.2], start: 0}\n";
    let result = identified_from(&format!("{config}{trim}"), &driven).unwrap();
    let [.., of_second_day] = &result.estimates[..] else { panic!() };
    // Before the gain of 1.2 the 0.048 rad are 0.04.
    assert!(of_second_day.certainty.is_determined && (of_second_day.value - 0.04).abs() < 0.005, "{of_second_day:?}");
    assert!((result.estimates[4].value - 0.02).abs() < 0.005, "{}", table(&result.estimates));
    let yaw = |result: &Identified| result.scores[1].all.iter().find(|score| score.name == "yaw").unwrap().rms;
    assert!(yaw(&result) < 0.004, "{}", yaw(&result));
    // Taken for one day, they contradict each other.
    let combined = identified_from(&config, &driven).unwrap();
    assert!(yaw(&combined) > 0.01, "{}", yaw(&combined));
    // What is written predicts as well.
    let out = tempfile::tempdir().unwrap();
    let folder = folder(&config, &driven);
    let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    write(&result, &config, out.path(), &PictureOptions::default()).unwrap();
    let written = std::fs::read_to_string(out.path().join("found.yaml")).unwrap();
    let mut validated = IdentifyConfig::parse("found.yaml", &written).unwrap();
    validated.unknowns.clear();
    let car = Car::new(&validated, &[out.path().to_path_buf()]).unwrap();
    let [_, unseen] = recordings(&validated, folder.path(), &mut Vec::new()).unwrap();
    assert_eq!(scores(&unseen, &car, &[]).unwrap(), result.scores[1]);
}

#[test]
fn profiles_agree_with_intervals_where_the_cost_is_a_parabola_and_are_open_where_the_data_say_nothing() {
    let straight = runs(2, Drive { steers: false, seconds: 8.0, ..DRIVE });
    let text = CONFIG.replace("[0.5, 2], start: 1}", "[0.5, 2], start: 1, prior: [1.1, 10]}");
    let result = identified_from(&format!("{text}profiles: true\n"), &straight).unwrap();
    let of = |name: &str| result.estimates.iter().find(|estimate| estimate.unknown.name().ends_with(name)).unwrap();
    let gain = of("speed@gain");
    let [Some(low), Some(high)] = gain.profile.as_ref().unwrap().interval else { panic!("{gain:?}") };
    let half_width = gain.certainty.half_width;
    assert!((high - low - 2.0 * half_width).abs() < 0.2 * half_width, "{gain:?}");
    assert!((0.5 * (low + high) - gain.value).abs() < 0.2 * half_width, "{gain:?}");
    assert_eq!(of("steering@gain").profile.as_ref().unwrap().interval, [None, None], "{:?}", of("steering@gain"));
    let text = table(&result.estimates);
    assert!(text.starts_with("| Unknown | Value, 95 % | Uncertainty from | Profile, 95 % | Range |"), "{text}");
    assert!(text.contains("| open | 0.5 to 2 | no: held fixed |"), "{text}");
    let out = tempfile::tempdir().unwrap();
    let config = IdentifyConfig::load(&folder(CONFIG, &[]).path().join("config.yaml")).unwrap();
    let files = write(&result, &config, out.path(), &PictureOptions::default()).unwrap();
    let names: Vec<String> =
        files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in ["found.driven.svg", "found.window_1.svg", "found.profiles.svg"] {
        assert!(names.iter().any(|listed| listed == name), "{names:?}");
    }
}

#[test]
fn clocks_that_differ_are_found() {
    // Measurements whose clock is late by 0.4 s arrive in rows that are late by as much.
    let late = |text: String| -> String {
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let mut csv = String::from("t,steer,want,x,y,yaw,v\n");
        for row in 1..rows.len() - 20 {
            let (command, measured) = (&rows[row + 20], &rows[row]);
            let _ = writeln!(csv, "{},{},{},{}", measured[0], command[1], command[2], measured[3..].join(","));
        }
        csv
    };
    let recordings: Vec<String> = runs(2, DRIVE).into_iter().map(late).collect();
    let config = CONFIG
        .replace(
            "  - {at: dynamics/inputs/speed@delay, range: [0, 0.2], start: 0.02}\n",
            "  - {at: measurement/clock_offset, range: [-0.2, 0.8], start: 0.2}\n",
        )
        .replace("  - {at: dynamics/inputs/steering@delay, range: [0, 0.2], start: 0.02}\n", "");
    let result = identified_from(&config, &recordings).unwrap();
    let clock = result.estimates.iter().find(|estimate| estimate.unknown.name() == "measurement/clock_offset").unwrap();
    // With delays of 0.06 and 0.04 s that are not fitted.
    assert!((clock.value - 0.45).abs() < 0.03 && clock.certainty.is_determined, "{clock:?}");
}

#[test]
fn bad_rows_and_gaps_cost_their_windows_only() {
    let mut recordings = runs(2, DRIVE);
    for text in &mut recordings {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let spoiled =
            lines.iter().enumerate().filter(|(row, _)| !(200..260).contains(row)).map(|(row, line)| match row % 37 {
                5 => line.split(',').take(3).chain(["nan"; 4]).collect::<Vec<_>>().join(","),
                9 => "garbage".to_owned(),
                _ => line.clone(),
            });
        *text = lines[..1].iter().cloned().chain(spoiled.skip(1)).collect::<Vec<_>>().join("\n");
    }
    let result = identified_from(CONFIG, &recordings).unwrap();
    assert!(result.notes.iter().any(|note| note.found.contains("rows have no time")), "{:?}", result.notes);
    assert!(
        (result.estimates[0].value - 0.92).abs() < 0.02 && (result.estimates[3].value - 1.2).abs() < 0.05,
        "{:?}",
        table(&result.estimates)
    );
}

#[test]
fn what_cannot_be_identified_is_explained() {
    let standing = vec![recording(SECRET, Drive { stands: true, ..DRIVE })];
    let slow = CONFIG.replace("settle: 0.0}", "settle: 0.0, slowest: 0.2}");
    let cases = [
        (
            slow.as_str(),
            &standing,
            "recordings: no window to fit\n  accepted: recordings that are longer than windows.length, without gaps, faster than windows.slowest",
        ),
        (&CONFIG.replace("run_*", "walk_*"), &standing, "walk_*.csv: no file fits"),
        (&CONFIG.replace("class: car", "class: bus"), &standing, "no class \"bus\"\n  accepted: car"),
        (
            &CONFIG.replace("column: t,", "column: zeit,"),
            &standing,
            "no column \"zeit\"\n  accepted: t, steer, want, x, y, yaw, v",
        ),
        (
            &CONFIG.replace("unit: km/h", "unit: knots"),
            &standing,
            "config.yaml:12:3: vx: found unit \"knots\"\n  accepted: m/s, km/h, mph",
        ),
        (
            &CONFIG.replace("measurement/marker_x", "measurement/market_x"),
            &standing,
            "config.yaml:23:10: unknowns: no \"measurement/market_x\"\n  accepted: marker_x",
        ),
        (
            &CONFIG.replace("start: 0.05", "start: 0.7"),
            &standing,
            "unknowns: dynamics/inputs/speed@lag: start 0.7 is out of range\n  accepted: from 0 to 0.5",
        ),
        (
            &CONFIG.replace(", start: 0.05", ""),
            &standing,
            "unknowns: dynamics/inputs/speed@lag: no start\n  accepted: start: NUMBER",
        ),
        (
            &CONFIG.replace("range: [0.5, 1.5]", "range: [1.5, 0.5]"),
            &standing,
            "unknowns: dynamics/inputs/speed@gain: range [1.5, 0.5]\n  accepted: a smaller and a larger number",
        ),
        (&CONFIG.replace("speed@lag", "speed@delay@x"), &standing, "not a path"),
        (
            &CONFIG.replace("{x: 0.003,", "{time: 0.003,"),
            &standing,
            "config.yaml:15:9: time: not a predicted quantity\n  accepted: x, y, yaw",
        ),
        (
            &CONFIG.replace("measurement/marker_x", "\"measurement[run_1]/market_x\""),
            &standing,
            "unknowns: no \"measurement[run_1]/market_x\"\n  accepted: marker_x",
        ),
        (
            &format!("{CONFIG}measurement_in: {{run_1: {{trim: 1}}}}\n"),
            &standing,
            "config.yaml:24:18: run_1: no \"trim\"\n  accepted: marker_x",
        ),
        (&CONFIG.replace("huge", "").replace("name: found", "nam: found"), &standing, "unknown key \"nam\""),
    ];
    for (config, recordings, expected) in cases {
        let error = identified_from(config, recordings).map(|result| table(&result.estimates)).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn all_mistakes_of_a_config_are_told_at_once() {
    let wrong = CONFIG
        .replace("name: found", "name: a/b")
        .replace("unit: ms", "unit: h")
        .replace("{length: 1.0, every: 1.0,", "{length: -1, every: soon,")
        .replace("yaw: 0.001", "yaw: 0")
        .replace("range: [0.5, 1.5], start: 1", "range: [1.5, 0.5]")
        .replace("start: 0.05", "start: 0.7, guess: 1")
        .replace("steering@offset, range: [-0.1, 0.1]", "steering@offset")
        .replace("measurement/marker_x", "measurement/market_x");
    let text =
        format!("{wrong}timestep: 1\nbudget: many\nhuber: 0\nmeasurement_in: {{run_1: {{heading_offset: .inf}}}}\n");
    assert_eq!(
        IdentifyConfig::parse("c.yaml", &text).unwrap_err().to_string(),
        "c.yaml:2:1: name: found \"a/b\"\n  accepted: letters, digits, _, - and ., beginning with a letter, a digit or _\n\
         c.yaml:6:3: time: found unit \"h\"\n  accepted: s, ms, us, ns\n\
         c.yaml:14:30: every: found \"soon\"\n  accepted: a number\n\
         c.yaml:15:29: yaw: found 0\n  accepted: a positive number\n\
         c.yaml:17:10: unknowns: dynamics/inputs/speed@gain: range [1.5, 0.5]\n  accepted: a smaller and a larger number\n\
         c.yaml:19:66: unknown key \"guess\"\n  accepted: at, range, start, prior\n\
         c.yaml:23:10: unknowns: no \"measurement/market_x\"\n  accepted: marker_x, marker_y, heading_offset, clock_offset, wheel_speed_scale, yaw_rate_offset, steering_trim, throttle_scale, speed_scale, yaw_rate_scale, curvature, push_x, push_y, push_yaw\n  hint: did you mean \"marker_x\"?\n\
         c.yaml:24:1: timestep: found 1\n  accepted: a number from 0.00001 to 0.1 [s]\n\
         c.yaml:25:9: budget: found \"many\"\n  accepted: a whole number, 0 or more\n\
         c.yaml:26:1: huber: found 0\n  accepted: a number > 0 [-]\n\
         c.yaml:27:18: run_1: heading_offset: found inf\n  accepted: a number"
    );
    let error = |text: &str| IdentifyConfig::parse("c.yaml", text).unwrap_err().to_string();
    assert_eq!(
        error("name: a\nnoise: {}\nvehicle: {file: a, class: b}\n"),
        "c.yaml:2:1: noise: it is empty\n  accepted: a standard deviation of each quantity to fit\n\
         c.yaml: missing key \"recordings\"\nc.yaml: missing key \"unknowns\""
    );
    assert_eq!(error(&CONFIG.replace(", class: car", "")), "c.yaml:3:11: missing key \"class\"");
}

/// Ten seconds with a class of one number less: the comparison shows what that number buys.
#[test]
fn a_simpler_class_is_fitted_to_the_same_windows_and_compared() {
    let compare = "compare:
  - name: without a lag
    vehicle: {file: car.vehicle.xml, class: car}
    unknowns:
      - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}
      - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}
beyond: 0.3
";
    let result = identified_from(
        &format!("{CONFIG}{compare}").replace("noise: {", "velocity_span: 0.2\nnoise: {"),
        &runs(3, DRIVE),
    )
    .unwrap();
    let [other] = &result.compared[..] else { panic!("{:?}", result.compared) };
    let rms = |scores: &[Score], title: &str| scores.iter().find(|score| score.title() == title).unwrap().rms;
    for title in ["position [m]", "position [m] beyond 0.3 m/s²", "vx [m/s]"] {
        let (full, simple) = (rms(&result.scores[1].all, title), rms(&other.scores[1].all, title));
        assert!(full < 0.6 * simple, "{title}: {full} {simple}");
    }
    let count = |title: &str| result.scores[1].all.iter().find(|score| score.title() == title).unwrap().count;
    assert!(count("position [m] beyond 0.3 m/s²") < count("position [m]"));
    let text = tables(&result);
    assert!(
        text.contains("| RMS error of prediction, not fitted | this class | state held | without a lag |"),
        "{text}"
    );
}

#[test]
fn a_start_from_far_away_is_found_by_searching_the_whole_ranges() {
    let far = CONFIG
        .replace("speed@gain, range: [0.5, 1.5], start: 1}", "speed@gain, range: [0.1, 4], start: 3.9}")
        .replace("range: [0, 0.5], start: 0.05}", "range: [0, 3], start: 2.9}")
        .replace("steering@gain, range: [0.5, 2], start: 1}", "steering@gain, range: [-3, 3], start: -2.5}");
    let search = format!("{far}search: {{evaluations: 600, seed: 3}}\n");
    let recordings = runs(1, DRIVE);
    let result = identified_from(&search, &recordings).unwrap();
    let near = |name: &str, truth: f64| {
        let value = result.estimates.iter().find(|estimate| estimate.unknown.name().ends_with(name)).unwrap().value;
        assert!((value - truth).abs() < 0.06, "{name}: {value}\n{}", table(&result.estimates));
    };
    near("speed@gain", 0.92);
    near("steering@gain", 1.2);
    near("speed@lag", 0.15);
}

/// A recording that begins at 3 m/s with a command of 3 m/s, and does not turn: its windows start at that state, whatever
/// moves the car, and it stays there. `settle` 0: nothing precedes the windows.
#[test]
fn a_window_starts_at_the_state_that_was_measured() {
    for (drive, controller) in [("kinematic_bicycle", "twist_ideal"), ("ackermann_drivetrain", "front_steer_pid")] {
        let inputs = "<inputs><speed delay=\"0.1\" lag=\"0.35\"/></inputs>";
        let text = class(&format!("<controller class=\"{controller}\"><KP>100</KP></controller>{inputs}"));
        let text = text.replace("kinematic_bicycle", drive);
        let mut csv = String::from("t,steer,want,x,y,yaw,v\n");
        for row in 0..200_u32 {
            let time = 0.02 * f64::from(row);
            let _ = writeln!(csv, "{time},0,3,{},0,0,3", 3.0 * time);
        }
        let config = "name: kept\nvehicle: {file: car.vehicle.xml, class: car}\nrecordings: [run.csv]
columns: {time: t, command_steering: steer, command_speed: want, x: x, y: y, yaw: yaw, vx: v}
windows: {length: 0.5, every: 1, settle: 0}\nnoise: {x: 0.003, y: 0.003, yaw: 0.003, vx: 0.003}\nunknowns: []\n";
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("car.vehicle.xml", text.as_str()), ("run.csv", &csv), ("config.yaml", config)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
        let car = Car::new(&config, &[folder.path().to_path_buf()]).unwrap();
        let [data, _] = recordings(&config, folder.path(), &mut Vec::new()).unwrap();
        let result = scores(&data, &car, &[]).unwrap();
        let speed = result.all.iter().find(|score| score.name == "vx").unwrap();
        // A gain alone leaves a few cm/s to the bearings.
        assert!(speed.rms < 0.1, "{drive}: {speed:?}");
    }
}

/// A rigid body's own recording: the forces that its motion needs are those of its tyres.
#[test]
fn measured_forces_lie_on_the_curve_of_the_tyres() {
    let vehicles = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("worlds/vehicles");
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep><include file=\"{}\"/><vehicle name=\"a\" class=\"f1tenth\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
        vehicles.join("f1tenth.vehicle.xml").display()
    );
    let (mut world, _) = World::load_text("car", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let mut csv = String::from("t,want,steer,x,y,yaw,vx,vy,r\n");
    for step in 0..2400_u32 {
        let time = 0.005 * f64::from(step);
        let (speed, steer) = (1.5 + 0.25 * time, 0.2 * (2.0 * time).sin());
        if step % 2 == 0 {
            let car = &world.frame().vehicles[0];
            let (pose, v) = (car.world_from_body.planar(), car.velocity_in_body);
            let _ =
                writeln!(csv, "{time},{speed},{steer},{},{},{},{},{},{}", pose.x, pose.y, pose.yaw, v.vx, v.vy, v.wz);
        }
        world.command(Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle: steer } }).unwrap();
        world.step().unwrap();
    }
    let config = "name: found\nvehicle: {file: f1tenth.vehicle.xml, class: f1tenth}\nrecordings: [run.csv]
columns: {time: t, command_speed: want, command_steering: steer, x: x, y: y, yaw: yaw, vx: vx, vy: vy, yaw_rate: r}
windows: {length: 1, every: 1, settle: 0}\nnoise: {yaw_rate: 0.01, vy: 0.01}\nunknowns:
  - {at: friction/C_alpha, range: [2, 12], start: 5}\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.csv"), csv).unwrap();
    std::fs::write(folder.path().join("config.yaml"), config).unwrap();
    let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    let result = identify(&config, &[vehicles], folder.path(), None, &|_| {}).unwrap();
    let axles = tyres::axles(&result).unwrap().unwrap();
    for axle in &axles {
        let at = |points: &[(f64, f64)]| -> f64 {
            points.iter().map(|(slip, force)| slip * force).sum::<f64>()
                / points.iter().map(|(slip, _)| slip * slip).sum::<f64>()
        };
        let (measured, predicted) = (at(&axle.measured), at(&axle.predicted));
        assert!(predicted < -50.0 && (measured / predicted - 1.0).abs() < 0.1, "{measured} {predicted} N/rad");
        assert!(axle.worst_deviation().unwrap() < 1.0, "{:?}", axle.worst_deviation());
    }
}
