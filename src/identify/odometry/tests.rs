//! Robots with known errors of odometry, in closed form.

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skidpad_math::{Pose2, Twist2, advance};

use super::*;
use crate::columns::Role;
use crate::config::IdentifyConfig;
use crate::recording::Recording;

/// Standard deviations of the walks: along and across [m/√m], yaw per way [rad/√m] and per turn [rad/√rad].
const WALKS: [f64; 4] = [0.03, 0.015, 0.05, 0.04];
/// Standard deviation of measured positions [m] and headings [rad].
const MEASURED: [f64; 2] = [0.003, 0.004];

/// 15 min of a robot with these errors, which drives arcs of 2 s, some of them on the spot and some standing.
fn recording(seed: u64, systematic: Systematic, walks: [f64; 4]) -> Recording {
    const DT: f64 = 0.05;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut gauss = |sigma: f64| sigma * (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>();
    let mut turn = Xoshiro256PlusPlus::seed_from_u64(seed + 1000);
    let mut simulated = Recording { path: format!("run_{seed}.csv").into(), ..Recording::default() };
    let mut columns: [Vec<f64>; 5] = Default::default();
    let (mut pose, mut reported) = (Pose2::new(1.0, 2.0, 0.5), Twist2::ZERO);
    for step in 0..18_000 {
        if step % 40 == 0 {
            let speed = [0.0, 0.1, 0.2, 0.3][turn.random_range(0..4)];
            reported = Twist2::new(speed, 0.0, if speed == 0.1 { 0.0 } else { turn.random_range(-0.6..0.6) });
        }
        simulated.time.push(DT * f64::from(step));
        let [place, heading] = MEASURED;
        let row = [pose.x + gauss(place), pose.y + gauss(place), pose.yaw + gauss(heading), reported.vx, reported.wz];
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        let corrected = systematic.corrected(reported);
        let [along, across, yaw, by_turn] = walks;
        let (distance, turned) = (corrected.vx.abs() * DT, corrected.wz.abs() * DT);
        let step = |std: f64, gone: f64| std * gone.sqrt() / DT;
        let walk = Twist2::new(
            gauss(step(along, distance)),
            gauss(step(across, distance)),
            gauss(step(yaw, distance)) + gauss(step(by_turn, turned)),
        );
        pose = advance(pose, Twist2::new(corrected.vx + walk.vx, walk.vy, corrected.wz + walk.wz), DT);
    }
    let roles = [Role::X, Role::Y, Role::Yaw, Role::CommandSpeed, Role::CommandYawRate];
    simulated.columns = BTreeMap::from_iter(roles.into_iter().zip(columns));
    // Headings are unwrapped where recordings are read.
    if let Some(yaw) = simulated.columns.get_mut(&Role::Yaw) {
        for k in 1..yaw.len() {
            yaw[k] = yaw[k - 1] + skidpad_math::wrap_angle(yaw[k] - yaw[k - 1]);
        }
    }
    simulated
}

const CLASS: &str = r#"<vehicle:class name="robot"><dynamics class="kinematic_differential">
    <l_wheel pos="0 0.1" diameter="0.1"/><r_wheel pos="0 -0.1" diameter="0.1"/></dynamics></vehicle:class>"#;

/// What is found of these recordings, of which those from `fitted` on are not fitted.
fn errors(recordings: Vec<Recording>, fitted: usize) -> Result<OdometryErrors, IdentifyError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("robot.vehicle.xml"), CLASS).unwrap();
    let text = "name: found\nvehicle: {file: robot.vehicle.xml, class: robot}\nrecordings: [a.csv]\nnoise: {x: 1}\nunknowns: []\nodometry_window: 6\n";
    let config = IdentifyConfig::parse("config.yaml", text)?;
    let car = Car::new(&config, &[folder.path().to_path_buf()])?;
    let mut first = recordings;
    let test_recordings = first.split_off(fitted);
    let data = [Data::new(first, &config), Data::new(test_recordings, &config)];
    odometry_errors(&data, &car, &[], &config).map(Option::unwrap)
}

#[test]
fn errors_of_odometry_are_found_within_their_intervals() {
    let of = |scale, yaw_scale, curvature| Systematic { scale, yaw_scale, curvature };
    let truth =
        [of(0.05, 0.04, 0.03), of(0.08, 0.08, 0.07), of(0.02, 0.02, -0.01), of(0.06, 0.07, 0.05), of(0.04, 0.04, 0.01)];
    let runs = (0..5).map(|k| recording(k, truth[k as usize], WALKS)).collect();
    let actual = errors(runs, 4).unwrap();
    for (of, truth) in actual.recordings.iter().zip(&truth) {
        let error = (of.systematic.vector() - truth.vector()).abs();
        // Twice the half width is four standard deviations.
        assert!((0..3).all(|k| error[k] < 2.0 * of.half_widths[k]), "{of:?} {truth:?}");
        assert!(of.half_widths[0] < 0.02 && of.half_widths[1] < 0.03 && of.half_widths[2] < 0.06, "{of:?}");
    }
    let expected = WALKS.iter().chain(&MEASURED);
    for (walk, expected) in actual.walks.iter().zip(expected) {
        assert!((walk.value - expected).abs() < 2.0 * walk.half_width, "{walk:?} {expected}");
    }
    for (walk, expected) in actual.walks.iter().zip(WALKS) {
        assert!((walk.value / expected - 1.0).abs() < 0.3, "{walk:?} {expected}");
    }
    // The fifth robot is like the others: its errors are what the noise says.
    let [fit, held_out] = actual.reckoned;
    assert!((fit.ratio - 1.0).abs() < 0.3 && (held_out.ratio - 1.0).abs() < 0.4, "{actual:?}");
    assert!(fit.corrected[0] < fit.reported[0] && fit.corrected[1] < fit.reported[1], "{fit:?}");
    let text = odometry_tables(&actual);
    assert!(text.contains("| run_4.csv, not fitted | 1"), "{text}");
}

/// Without walks and with one robot, only its systematic errors are left, and they are exact.
#[test]
fn systematic_errors_alone_are_exact() {
    let truth = Systematic { scale: 0.05, yaw_scale: -0.04, curvature: 0.1 };
    let actual = errors(vec![recording(3, truth, [0.0; 4])], 1).unwrap();
    let error = (actual.recordings[0].systematic.vector() - truth.vector()).abs();
    assert!(error.max() < 1e-3, "{actual:?}");
    assert!(actual.walks[..4].iter().all(|walk| walk.value < 2.0 * walk.half_width), "{:?}", actual.walks);
    assert!((actual.umbmark()[1] - 0.96 / 1.05).abs() < 1e-3 && (actual.umbmark()[0] - 0.99 / 1.01).abs() < 1e-3);
}

#[test]
fn recordings_without_velocities_or_windows_are_refused() {
    let mut short = recording(1, Systematic::default(), WALKS);
    short.time.truncate(400);
    short.columns.values_mut().for_each(|values| values.truncate(400));
    let error = errors(vec![short.clone()], 1).unwrap_err().to_string();
    assert!(error.starts_with("odometry_window: run_1.csv has fewer than 4 windows of 6 s"), "{error}");
    let yaw_rate = short.columns.remove(&Role::CommandYawRate).unwrap();
    short.columns.insert(Role::CommandSteering, yaw_rate);
    let error = errors(vec![short], 1).unwrap_err().to_string();
    assert!(error.starts_with("odometry_window: run_1.csv has no velocities\n  accepted:"), "{error}");
}
