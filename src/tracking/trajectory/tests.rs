//! Properties of every trajectory: derivatives, placement, parameters.

use super::*;

/// All kinds, with waypoints of each sort.
fn all() -> Vec<TrajectoryParameters> {
    let default = TrajectoryParameters::default;
    let mut all: Vec<TrajectoryParameters> = TRAJECTORIES
        .iter()
        .filter(|entry| entry.name != "waypoints")
        .map(|entry| TrajectoryParameters { trajectory_type: entry.name.into(), ..default() })
        .collect();
    let places = [(0.0, 0.0), (2.0, 0.3), (3.5, 2.0), (2.0, 4.0), (-0.5, 2.5)];
    for closed in [false, true] {
        all.push(waypoints(&places.map(|(x, y)| (None, x, y)), closed));
        let mut with_speeds = waypoints(&places.map(|(x, y)| (None, x, y)), closed);
        for (point, speed) in with_speeds.points.iter_mut().zip([0.6, 1.4, 0.3, 0.9, 0.5]) {
            point.speed = Some(speed);
        }
        all.push(with_speeds);
    }
    all.push(waypoints(
        &[(1.0, 0.0, 0.0), (3.0, 2.0, 0.3), (6.0, 3.5, 2.0), (7.5, 2.0, 4.0)].map(|(t, x, y)| (Some(t), x, y)),
        false,
    ));
    all.push(waypoints(
        &[(1.0, 0.0, 0.0), (3.0, 2.0, 0.3), (6.0, 3.5, 2.0), (9.0, 0.0, 0.0)].map(|(t, x, y)| (Some(t), x, y)),
        true,
    ));
    all
}

fn waypoints(points: &[(Option<f64>, f64, f64)], closed: bool) -> TrajectoryParameters {
    let points = points.iter().map(|&(time, x, y)| Waypoint { time, ..Waypoint::at(x, y) });
    TrajectoryParameters {
        trajectory_type: "waypoints".into(),
        points: points.collect(),
        closed,
        speed: 0.7,
        ..TrajectoryParameters::default()
    }
}

#[track_caller]
fn error(parameters: &TrajectoryParameters) -> String {
    build(parameters).map(|trajectory| format!("{trajectory:?}")).expect_err("wrong parameters").to_string()
}

/// Velocity is the derivative of the position and acceleration that of the velocity, wherever the shape is placed.
#[test]
fn velocity_and_acceleration_are_derivatives() {
    let h = 1e-5;
    for parameters in all() {
        let placed = TrajectoryParameters { phase: 0.4, x0: 3.0, y0: -2.0, yaw0: 0.7, ..parameters };
        let trajectory = build(&placed).unwrap();
        let end = trajectory.duration().map_or(20.0, |end| end - 0.01);
        for step in 1..400 {
            let time = end * f64::from(step) / 400.0;
            let (before, sample, after) = (trajectory.at(time - h), trajectory.at(time), trajectory.at(time + h));
            let velocity = (0.5 / h) * (after.position - before.position);
            let acceleration = (0.5 / h) * (after.velocity - before.velocity);
            assert!((velocity - sample.velocity).norm() < 1e-5, "{placed:?} at {time}: {velocity:?} {sample:?}");
            assert!(
                (acceleration - sample.acceleration).norm() < 1e-3,
                "{placed:?} at {time}: {acceleration:?} {sample:?}"
            );
        }
    }
}

/// Curvature and turn rate of a trajectory are the derivatives of its heading by path length and time.
#[test]
fn curvature_is_the_derivative_of_the_heading() {
    let h = 1e-5;
    for parameters in all() {
        let trajectory = build(&parameters).unwrap();
        for step in 1..100 {
            let time = 5.0 * f64::from(step) / 100.0;
            let sample = trajectory.at(time);
            let turned =
                skidpad_math::wrap_angle(trajectory.at(time + h).heading() - trajectory.at(time - h).heading());
            let rate = turned / (2.0 * h);
            assert!(
                (rate - sample.turn_rate()).abs() < 1e-3,
                "{parameters:?} at {time}: {rate} {}",
                sample.turn_rate()
            );
            assert!((sample.curvature() * sample.speed() - sample.turn_rate()).abs() < 1e-12);
        }
    }
}

#[test]
fn a_shape_starts_at_its_phase_and_is_placed_at_its_pose() {
    for parameters in all() {
        let plain = build(&parameters).unwrap();
        let placed =
            TrajectoryParameters { phase: 0.5, x0: 1.0, y0: 2.0, yaw0: std::f64::consts::FRAC_PI_2, ..parameters };
        let placed = build(&placed).unwrap();
        let (from, to) = (plain.at(0.8), placed.at(0.3));
        let turned = |v: Vec2| Vec2::new(-v.y, v.x);
        assert!((to.position - Vec2::new(1.0, 2.0) - turned(from.position)).norm() < 1e-12);
        assert!((to.velocity - turned(from.velocity)).norm() < 1e-12);
        assert!((to.acceleration - turned(from.acceleration)).norm() < 1e-12);
        assert_eq!(placed.duration(), plain.duration().map(|end| end - 0.5));
    }
}

/// The shapes of the study start at the origin, where its robot stands; its circle needs a phase for that.
#[test]
fn the_shapes_of_the_study_start_at_the_origin() {
    for entry in TRAJECTORIES.iter().filter(|entry| entry.number.is_some()) {
        let number = entry.number.unwrap().to_string();
        let parameters = TrajectoryParameters { trajectory_type: number, ..TrajectoryParameters::default() };
        assert_eq!(build(&parameters).unwrap().at(0.0).position, Vec2::ZERO, "{}", entry.name);
    }
}

#[test]
fn a_path_through_waypoints_has_constant_speed() {
    for closed in [false, true] {
        let points = [(0.0, 0.0), (2.0, 0.3), (3.5, 2.0), (2.0, 4.0), (-0.5, 2.5)].map(|(x, y)| (None, x, y));
        let parameters = waypoints(&points, closed);
        let trajectory = build(&parameters).unwrap();
        let end = trajectory.duration().unwrap_or(100.0);
        for step in 0..=1000 {
            let sample = trajectory.at(end * f64::from(step) / 1000.0 * 0.999_999);
            assert!((sample.speed() - 0.7).abs() < 1e-12);
            assert!(sample.acceleration.dot(sample.velocity).abs() < 1e-9, "none along the path");
        }
        let passes = |place: Vec2| {
            let times = (0..40_000).map(|i| f64::from(i) * 0.0005);
            times.map(|time| (trajectory.at(time).position - place).norm()).fold(f64::INFINITY, f64::min)
        };
        assert!(parameters.points.iter().all(|point| passes(point.position) < 3e-4), "passes every waypoint");
    }
}

/// An open path rests at its end, and a closed one continues from its start with the same velocity and acceleration.
#[test]
fn open_paths_end_and_closed_paths_repeat() {
    for parameters in all().into_iter().filter(|parameters| parameters.trajectory_type == "waypoints") {
        let trajectory = build(&parameters).unwrap();
        if let Some(end) = trajectory.duration() {
            let last = parameters.points.last().unwrap().position;
            let after = trajectory.at(end + 5.0);
            assert!((after.position - last).norm() < 1e-9 && after.speed() == 0.0, "{after:?}");
            assert!(trajectory.at(end).speed() > 0.0, "it does not slow down before");
            continue;
        }
        // Duration of a lap: the first time after a while at which it is back at its start.
        let start = trajectory.at(0.0);
        let around = (1000..400_000).map(|i| f64::from(i) * 1e-4).find(|time| {
            let sample = trajectory.at(*time);
            (sample.position - start.position).norm() < 1e-4 && sample.velocity.dot(start.velocity) > 0.0
        });
        let (before, after) = (trajectory.at(around.unwrap() - 1e-3), trajectory.at(around.unwrap() + 1e-3));
        assert!((before.velocity - after.velocity).norm() < 1e-2, "{before:?} {after:?}");
        // With speeds of its own, each part of a path has its acceleration along it.
        let is_paced = parameters.points[0].speed.is_some();
        let across = |sample: &Sample| sample.velocity.cross(sample.acceleration);
        let jump = (before.acceleration - after.acceleration).norm();
        assert!(if is_paced { (across(&before) - across(&after)).abs() } else { jump } < 1e-2, "{before:?} {after:?}");
    }
}

/// Points with times are reached at their times; the motion starts at the first.
#[test]
fn waypoints_with_times_are_reached_on_time() {
    let points = [(1.0, 0.0, 0.0), (3.0, 2.0, 0.3), (6.0, 3.5, 2.0)].map(|(t, x, y)| (Some(t), x, y));
    let trajectory = build(&waypoints(&points, false)).unwrap();
    for (time, x, y) in points {
        let position = trajectory.at(time.unwrap() - 1.0).position;
        assert!((position - Vec2::new(x, y)).norm() < 1e-12, "{position:?}");
    }
    assert_eq!(trajectory.duration(), Some(5.0));
}

#[test]
fn errors_of_parameters_name_the_accepted_values() {
    let with = |trajectory_type: &str, change: &dyn Fn(&mut TrajectoryParameters)| {
        let mut parameters =
            TrajectoryParameters { trajectory_type: trajectory_type.into(), ..TrajectoryParameters::default() };
        change(&mut parameters);
        error(&parameters)
    };
    let names = "line, parabola, circle, figure_eight, cycloid, waypoints";
    assert_eq!(
        with("circel", &|_| {}),
        format!("trajectory_type: found \"circel\"\n  accepted: {names}\n  hint: did you mean \"circle\"?")
    );
    assert_eq!(with("7", &|_| {}), format!("trajectory_type: found \"7\"\n  accepted: {names}"));
    assert_eq!(with("circle", &|p| p.circle_radius = 0.0), "R: found 0\n  accepted: a number > 0 [m]");
    assert_eq!(with("2", &|p| p.circle_rate = f64::NAN), "W: found NaN\n  accepted: a number > 0 [rad/s]");
    assert_eq!(with("figure_eight", &|p| p.eight_amplitude = -1.0), "a: found -1\n  accepted: a number > 0 [m]");
    assert_eq!(with("3", &|p| p.eight_rate = f64::INFINITY), "w: found inf\n  accepted: a number > 0 [rad/s]");
    assert_eq!(
        with("cycloid", &|p| p.cycloid_distance = 0.5),
        "cycloid_distance: found 0.5\n  accepted: a number > 0 and less than cycloid_radius, which is 0.5 [m]"
    );
    assert_eq!(with("4", &|p| p.cycloid_radius = -0.5), "cycloid_radius: found -0.5\n  accepted: a number > 0 [m]");
    assert_eq!(
        with("line", &|p| (p.a_coeff, p.b_coeff) = (0.0, 0.0)),
        "a_coeff, b_coeff: found 0 and 0\n  accepted: finite numbers, one of them not 0 [m/s]"
    );
    assert_eq!(with("line", &|p| p.a_coeff = f64::NAN), "a_coeff: found NaN\n  accepted: a finite number [m/s]");
    assert_eq!(
        with("parabola", &|p| p.focal_length = 0.0),
        "focal_length: found 0\n  accepted: a finite number other than 0 [m]"
    );
    assert_eq!(with("circle", &|p| p.yaw0 = f64::NAN), "yaw0: found NaN\n  accepted: a finite number [rad]");
    assert_eq!(
        with("waypoints", &|p| p.file = "gone.csv".into()),
        "file: found \"gone.csv\"\n  accepted: a CSV file with waypoints\n  hint: the trajectory waypoints reads its points from this CSV file"
    );
}

#[test]
fn errors_of_invalid_waypoints_give_the_reason() {
    let two = [(None, 0.0, 0.0), (None, 1.0, 0.0)];
    assert_eq!(error(&waypoints(&two[..1], false)), "file: 1 waypoints that lie apart\n  accepted: at least 2");
    assert_eq!(error(&waypoints(&two[..1], true)), "file: 1 waypoints that lie apart\n  accepted: at least 3");
    assert_eq!(error(&waypoints(&two, true)), "file: 2 waypoints that lie apart\n  accepted: at least 3");
    assert_eq!(
        error(&TrajectoryParameters { speed: 0.0, ..waypoints(&two, false) }),
        "speed: found 0\n  accepted: a number > 0 [m/s]"
    );
    assert_eq!(
        error(&TrajectoryParameters {
            phase: 2.0,
            ..waypoints(&[(Some(1.0), 0.0, 0.0), (Some(3.0), 1.0, 0.0)], false)
        }),
        "phase: found 2\n  accepted: a number ≥ 0 and less than the duration, 2 [s]"
    );
    assert_eq!(
        error(&waypoints(&[(None, 0.0, 0.0), (None, 1.0, 0.0), (None, 1.0, 0.0)], false)),
        "waypoint 3: the point (1, 0) comes twice in a row\n  accepted: points that lie apart"
    );
    assert_eq!(
        error(&waypoints(&[(Some(0.0), 0.0, 0.0), (Some(0.0), 1.0, 0.0)], false)),
        "waypoint 2: time 0 does not come after 0\n  accepted: times that rise from row to row [s]"
    );
    assert_eq!(
        error(&waypoints(&[(Some(0.0), 0.0, 0.0), (None, 1.0, 0.0)], false)),
        "waypoint 2: some points have a time and some have none\n  accepted: all or none"
    );
    let open = [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (2.0, 1.0, 1.0), (3.0, 0.0, 1.0)].map(|(t, x, y)| (Some(t), x, y));
    assert_eq!(
        error(&waypoints(&open, true)),
        "closed: the last waypoint is not at the first one\n  accepted: a last row with the time at which the path is back at its first point"
    );
}
