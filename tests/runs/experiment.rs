//! Tracking in closed loop on the racecar's plants: how large errors are, why, and that runs repeat.

use std::path::Path;

use skidpad::analysis::Finding;
use skidpad::experiment::{Experiment, ExperimentConfig, Matrix, Outcome, StartAt, trajectories};
use skidpad::trajectory::{TrajectoryParameters, Waypoint};
use skidpad::world::LoadOptions;

fn config(plant: &str, tyre: &str, trajectory: &str) -> ExperimentConfig {
    let mut config = ExperimentConfig {
        world: Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds/tracking.world.xml"),
        plant: plant.into(),
        tyre: tyre.into(),
        duration: 20.0,
        ..ExperimentConfig::default()
    };
    config.trajectory.trajectory_type = trajectory.into();
    config
}

fn run(config: ExperimentConfig) -> Outcome {
    Experiment::new(config).run().unwrap()
}

fn rmse(outcome: &Outcome) -> f64 {
    outcome.analyzed.metrics.tracking.unwrap().rmse
}

fn findings(outcome: &Outcome) -> Vec<&'static str> {
    outcome.analyzed.metrics.findings.iter().map(|finding: &Finding| finding.kind).collect()
}

#[test]
fn proportional_control_with_feed_forward_stays_below_two_centimetres() {
    for (name, trajectory) in trajectories(&TrajectoryParameters::default()) {
        let outcome = run(ExperimentConfig { trajectory, duration: 60.0, ..config("kinematic", "default", name) });
        assert_eq!(outcome.warnings, [], "{name} is feasible");
        assert!(rmse(&outcome) < 0.02, "{name}: {}", rmse(&outcome));
    }
}

/// The study adds the vehicle's own heading to the reference, which leaves PL·θ̇/√(Kp² + θ̇²) on a circle; the path's heading leaves
/// what ticks of 10 ms leave.
#[test]
fn on_a_circle_the_error_is_that_of_the_arm() {
    let outcome = run(config("kinematic", "default", "circle"));
    let expected = 0.1 * 0.4 / f64::hypot(5.0, 0.4);
    assert!((rmse(&outcome) / expected - 1.0).abs() < 0.03, "{} {expected}", rmse(&outcome));
}

#[test]
fn rigid_body_and_single_track_give_very_similar_figures_of_eight() {
    for tyre in ["default", "linear", "fiala", "pacejka"] {
        let [rigid, single] = ["rigid_body", "single_track"].map(|plant| run(config(plant, tyre, "figure_eight")));
        let pairs = rigid.analyzed.run.poses.iter().zip(&single.analyzed.run.poses);
        let apart = pairs.map(|(a, b)| (a.pose.position() - b.pose.position()).norm()).fold(0.0, f64::max);
        assert!(apart > 1e-6 && apart < 0.02, "{tyre}: {apart} m apart");
        assert!((rmse(&rigid) / rmse(&single) - 1.0).abs() < 0.15, "{tyre}: {} {}", rmse(&rigid), rmse(&single));
    }
}

/// Of forces over slip angles: odd, rising through zero, and on the Magic Formula's curve, whose slope is 14.5 times the load.
#[test]
fn scatter_of_pacejka_tyres_forms_the_sigmoid() {
    for plant in ["rigid_body", "single_track"] {
        let mut config = config(plant, "pacejka", "figure_eight");
        (config.trajectory.eight_amplitude, config.trajectory.eight_rate) = (1.2, 1.4);
        let outcome = run(config);
        let wheel = &outcome.analyzed.run.wheels[3];
        assert_eq!(wheel.wheel, "right_front");
        let moving: Vec<_> = wheel.lateral.iter().filter(|(slip, _)| slip.abs() > 2e-3).collect();
        assert!(moving.len() > 200, "{plant}: {}", moving.len());
        let against = moving.iter().filter(|(slip, force)| slip * force < 0.0).count();
        assert!(against as f64 > 0.97 * moving.len() as f64, "{plant}: {against} of {}", moving.len());
        let (left, right) = (moving.iter().filter(|(slip, _)| *slip > 0.0).count(), moving.len());
        assert!(left > right / 4 && left < 3 * right / 4, "{plant}: {left} of {right}");
        // Bends away from its slope at zero, towards the peak.
        let mean = |low: f64, high: f64| {
            let inside = || moving.iter().filter(|(slip, _)| slip.abs() > low && slip.abs() <= high);
            inside().map(|(slip, force)| (force / slip).abs()).sum::<f64>() / inside().count().max(1) as f64
        };
        let (small, large) = (mean(0.002, 0.03), mean(0.06, 1.0));
        assert!(large > 0.0 && large < 0.9 * small, "{plant}: {small} {large}");
    }
}

#[test]
fn errors_grow_as_predicted_and_the_findings_explain_them() {
    // v/Kp behind without feed-forward.
    let mut slow = config("kinematic", "default", "line");
    slow.tracker.feed_forward = false;
    slow.duration = 60.0;
    let behind = run(slow);
    let tracking = behind.analyzed.metrics.tracking.unwrap();
    assert!((tracking.final_error - 1.0 / 5.0).abs() < 5e-3, "{tracking:?}");
    assert!(["lag", "offset"].iter().any(|kind| findings(&behind).contains(kind)), "{:?}", findings(&behind));
    // A circle of 0.15 m is tighter than the 0.21 m that the car can turn.
    let mut tight = config("kinematic", "default", "circle");
    (tight.trajectory.circle_radius, tight.trajectory.circle_rate) = (0.15, 4.0);
    let tight = run(tight);
    assert!(rmse(&tight) > 0.02, "{}", rmse(&tight));
    assert!(tight.warnings[0].to_string().contains("it can follow radii from 0.209 m on"), "{:?}", tight.warnings);
    // An ε four times the arm asks for a quarter of the turn rate.
    let mut wrong = config("kinematic", "default", "figure_eight");
    wrong.linearizer.epsilon = 0.4;
    assert!(rmse(&run(wrong)) > 2.0 * rmse(&run(config("kinematic", "default", "figure_eight"))));
}

#[test]
fn runs_agree_to_the_bit_with_any_number_of_threads() {
    let mut once = config("rigid_body", "pacejka", "cycloid");
    once.duration = 5.0;
    let first = run(once.clone());
    assert_eq!(run(once.clone()), first);
    let base = ExperimentConfig { duration: 1.0, plant: String::new(), tyre: String::new(), ..once };
    let [alone, together] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Matrix::run(&base, &LoadOptions::default())).unwrap()
    });
    assert_eq!(alone.cells.len(), 40);
    assert!(alone == together);
}

/// The grip is limited by the tyres, whatever the law demands: 17.3 m/s² are too much for a μ of 1.
#[test]
fn a_circle_beyond_the_grip_gives_a_warning() {
    for (plant, tyre, limit) in [
        ("rigid_body", "default", Some(9.81)),
        ("rigid_body", "linear", Some(9.81)),
        ("rigid_body", "fiala", Some(9.81)),
        ("rigid_body", "pacejka", Some(9.81)),
        ("single_track", "default", Some(9.81)),
        ("single_track", "pacejka", Some(9.81)),
        // Their force grows with the slip without end.
        ("single_track", "linear", None),
        ("kinematic", "default", None),
    ] {
        let mut config = config(plant, tyre, "circle");
        (config.trajectory.circle_radius, config.trajectory.circle_rate, config.duration) = (1.5, 3.4, 0.1);
        let warnings = run(config).warnings;
        let Some(limit) = limit else {
            assert_eq!(warnings, [], "{plant} {tyre}");
            continue;
        };
        let warning = warnings.first().unwrap_or_else(|| panic!("{plant} {tyre}: none"));
        assert!(warning.found.contains("lateral acceleration of 17.3"), "{warning}");
        let accepted: f64 =
            warning.accepted[0].strip_prefix("up to ").unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((accepted / limit - 1.0).abs() < 0.01, "{plant} {tyre}: {warning}");
    }
}

/// 2.5 m at 1.5 m/s. A run is over when the car has been braked after its path, so that a longer one is the same one.
#[test]
fn a_path_that_ends_is_the_same_run_however_long_it_may_take() {
    for plant in ["kinematic", "rigid_body", "single_track"] {
        let of = |duration: f64| {
            let mut config = config(plant, "default", "waypoints");
            config.trajectory.points = [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0)].map(|(x, y)| Waypoint::at(x, y)).to_vec();
            (config.trajectory.speed, config.duration) = (1.5, duration);
            run(config)
        };
        let whole = of(60.0);
        let (run, metrics) = (&whole.analyzed.run, &whole.analyzed.metrics);
        assert!((1.6..1.7).contains(&metrics.window.end) && rmse(&whole) > 1e-3, "{plant}: {:?}", metrics.window);
        let (end, last) = (run.poses.last().unwrap().time, run.commands.last().unwrap());
        assert!(end < 3.0 && last.speed == 0.0, "{plant}: {last:?} at {end} s");
        // Braked with its wheels as they are, and not at full lock.
        let mut braking = run.commands.iter().rev().take_while(|command| command.speed == 0.0);
        assert!(braking.all(|command| command.steering_angle == last.steering_angle), "{plant}");
        assert!(last.steering_angle.unwrap().abs() < 0.9, "{plant}: {last:?}");
        for duration in [1.7, 2.0, 6.0] {
            let other = of(duration).analyzed.metrics;
            assert_eq!((other.tracking, &other.findings), (metrics.tracking, &metrics.findings), "{plant}, {duration}");
        }
    }
}

#[test]
fn odometry_is_followed_in_its_own_frame() {
    let mut config = config("kinematic", "default", "figure_eight");
    config.feedback = skidpad::experiment::Feedback::Odometry;
    let by_odometry = run(config.clone());
    config.feedback = skidpad::experiment::Feedback::Truth;
    // A car that rolls without slip is where its odometry says.
    assert!((rmse(&by_odometry) / rmse(&run(config)) - 1.0).abs() < 0.02, "{}", rmse(&by_odometry));
    assert!(by_odometry.analyzed.run.poses[0].pose.yaw.abs() < 0.1);
}

#[test]
fn the_studys_start_at_rest_catches_up() {
    let mut config = config("rigid_body", "default", "figure_eight");
    (config.start.at, config.start.moving) = (StartAt::Pose, false);
    let outcome = run(config);
    let tracking = outcome.analyzed.metrics.tracking.unwrap();
    assert!(tracking.max_error > 0.05 && tracking.max_error_time < 2.0, "{tracking:?}");
    assert!(tracking.settling_time.unwrap() < 3.0, "{tracking:?}");
}

#[test]
fn a_track_around_waypoints_is_left_and_found_again() {
    use skidpad::experiment::{Equipment, TrackingWatch};
    use skidpad::time::SimTime;
    use skidpad::world::World;
    let mut config = config("kinematic", "default", "waypoints");
    config.trajectory.points = [0.0, 5.0, 10.0]
        .map(|x| Waypoint { speed: Some(1.0), free: Some([0.3, 0.2]), ..Waypoint::at(x, 0.0) })
        .to_vec();
    (config.start.at, config.start.y) = (StartAt::Pose, 1.0);
    let variables = vec![("plant".to_string(), "kinematic".to_string())];
    let (mut world, _) = World::load(&config.world, &LoadOptions { variables, ..LoadOptions::default() }).unwrap();
    let equipment = Equipment::fit(&config, &mut world).unwrap();
    let mut watch = TrackingWatch::new(0, false, SimTime::from_secs(1.0)).on_track(equipment.track);
    let mut lines = Vec::new();
    for _ in 0..1000 {
        lines.extend(watch.look(world.step().unwrap()));
    }
    assert!(lines[0].off_track > 10 && lines[0].to_string().contains("  off the track "), "{}", lines[0]);
    assert!(lines[4].off_track == 0 && !lines[4].to_string().contains("off the track"), "{}", lines[4]);
}

#[test]
fn any_command_takes_over_and_the_reference_waits() {
    use skidpad::experiment::{Equipment, TrackingWatch};
    use skidpad::time::SimTime;
    use skidpad::vehicle::{Action, Command};
    use skidpad::world::World;
    let config = config("kinematic", "default", "line");
    let variables = vec![("plant".to_string(), "kinematic".to_string())];
    let (mut world, _) = World::load(&config.world, &LoadOptions { variables, ..LoadOptions::default() }).unwrap();
    Equipment::fit(&config, &mut world).unwrap();
    let mut watch = TrackingWatch::new(0, false, SimTime::from_secs(1.0));
    let mut lines = Vec::new();
    let mut step = |world: &mut World, count: u32| {
        for _ in 0..count {
            lines.extend(watch.look(world.step().unwrap()));
        }
    };
    step(&mut world, 400);
    let stop = Command { vehicle: 0, action: Action::Ackermann { speed: 0.0, steering_angle: 0.0 } };
    world.command(stop).unwrap();
    step(&mut world, 2);
    let stands = world.frame().vehicles[0].world_from_body;
    step(&mut world, 190);
    assert_eq!(world.frame().vehicles[0].world_from_body, stands);
    assert!(world.frame().vehicles[0].tracking.is_none());
    world.command(stop).unwrap();
    step(&mut world, 408);
    let tracking = world.frame().vehicles[0].tracking.unwrap();
    // Five seconds, of which the reference waited from the second to 3.96.
    assert!((tracking.reference.position.norm() - 3.04).abs() < 0.03, "{tracking:?}");
    let position = world.frame().vehicles[0].world_from_body.planar().position();
    assert!((position - tracking.reference.position).norm() < 0.01, "{position:?}");
    assert!(lines[1].to_string().starts_with("t    2.0 s  reference (  1.20,   1.60) m"), "{}", lines[1]);
    assert!(lines.iter().filter(|line| line.suspended).count() == 1 && lines.len() == 5, "{lines:?}");
    let text = lines.iter().find(|line| line.suspended).map(ToString::to_string);
    assert_eq!(text.as_deref(), Some("t    3.0 s  somebody else drives, the reference waits"));
}
