//! Tracking in closed loop compared with theory: the remaining error of each law, on a rolling and on a slipping car.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2, Vec2, wrap_angle};
use skidpad_sim::tracking::{
    self, AntiWindup, LinearizerParameters, PointTracker, ReferenceHeading, TrackerParameters, TrackingFrame,
    TrajectoryDriver,
};
use skidpad_sim::trajectory::{self, Quantity, TrajectoryParameters, Waypoint, feasibility};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

use super::common::{first, step, world};

/// Axles of the racecar [m].
const WHEELBASE: f64 = 0.325;
/// From its rear axle to its centre of gravity [m].
const TO_COG: f64 = 0.1603;

/// A loop that is closed around a racecar.
#[derive(Clone)]
struct Loop {
    trajectory: TrajectoryParameters,
    tracker: TrackerParameters,
    linearizer: LinearizerParameters,
    /// Class of the car's dynamics.
    class: &'static str,
    /// What stands in it.
    inside: String,
    /// Heading at the start [rad].
    yaw: f64,
    /// Step of the world and period of the tracker [s].
    step: f64,
    period: f64,
    /// Whether the driver knows its odometry only.
    follows_odometry: bool,
}

/// A rolling car that starts along the path, with the study's tracker at 1 kHz, where sampling leaves no error to speak of.
fn rolling(trajectory_type: &str) -> Loop {
    let trajectory =
        TrajectoryParameters { trajectory_type: trajectory_type.into(), ..TrajectoryParameters::default() };
    Loop {
        trajectory,
        tracker: TrackerParameters::default(),
        linearizer: LinearizerParameters::default(),
        class: "kinematic_bicycle",
        inside: String::new(),
        yaw: f64::NAN,
        step: 0.001,
        period: 0.001,
        follows_odometry: false,
    }
}

/// A car whose tyres slip, with imposed speed as in the study, and the dynamic law at 100 Hz.
fn slipping(trajectory_type: &str, tyre: &str) -> Loop {
    let inside = format!(
        "<m>5.692</m><Iz>0.12</Iz><cog_a>0.1647</cog_a><cog_b>{TO_COG}</cog_b><Cf>399</Cf><Cr>410.7</Cr><mu>1</mu>
         <max_acceleration>0</max_acceleration><tyre_model>{tyre}</tyre_model>"
    );
    let tracker = TrackerParameters { point_distance: TO_COG + 0.1, ..TrackerParameters::default() };
    let linearizer = LinearizerParameters { linearizer: "dynamic".into(), ..LinearizerParameters::default() };
    Loop {
        tracker,
        linearizer,
        class: "single_track\" reference=\"rear",
        inside,
        period: 0.01,
        ..rolling(trajectory_type)
    }
}

impl Loop {
    fn world(&self) -> World {
        let trajectory = trajectory::build(&self.trajectory).unwrap();
        let yaw = if self.yaw.is_nan() { trajectory.at(0.0).heading() } else { self.yaw };
        let wheel = r#"mass="0.34" width="0.045" diameter="0.1""#;
        let mut world = world(&format!(
            r#"<simul_timestep>{}</simul_timestep><vehicle name="car"><init_pose>0 0 {}</init_pose>
            <dynamics class="{}"><rl_wheel pos="0 0.1" {wheel}/><rr_wheel pos="0 -0.1" {wheel}/><fl_wheel {wheel}/>
            <fr_wheel {wheel}/><f_wheels_x>{WHEELBASE}</f_wheels_x><f_wheels_d>0.2</f_wheels_d>
            <max_steer_ang_deg>57.29577951308232</max_steer_ang_deg>
            <chassis mass="4.33" com="0.1594 0"><shape><pt>-0.09 -0.08</pt><pt>-0.09 0.08</pt><pt>0.42 0.08</pt>
            <pt>0.42 -0.08</pt></shape></chassis>{}</dynamics></vehicle>"#,
            self.step,
            yaw.to_degrees(),
            self.class,
            self.inside
        ));
        let tracker = PointTracker::new(self.tracker).unwrap();
        let linearizer = tracking::build(&self.linearizer).unwrap();
        let driver = TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(self.period));
        world.set_driver(0, Some(driver.follow_odometry(self.follows_odometry))).unwrap();
        world
    }

    /// What the driver saw at its ticks up to `seconds`, and the car's pose then.
    fn run(&self, seconds: f64) -> Vec<(TrackingFrame, Pose2)> {
        let mut world = self.world();
        let mut ticks = vec![(first(&world).tracking.unwrap(), first(&world).world_from_body.planar())];
        for _ in 0..(seconds / self.step).round() as usize {
            let frame = step(&mut world);
            let (now, car) = (frame.time, &frame.vehicles[0]);
            let tracking = car.tracking.unwrap();
            if tracking.time == now {
                ticks.push((tracking, car.world_from_body.planar()));
            }
        }
        ticks
    }

    /// Error of P [m] at each tick from `from` [s] to `to` [s].
    fn errors(&self, from: f64, to: f64) -> Vec<Vec2> {
        let ticks = self.run(to).into_iter().filter(|(tick, _)| tick.time.secs() >= from);
        ticks.map(|(tick, _)| tick.point_reference - tick.point).collect()
    }

    /// The error of P [m] once it has settled, at 30 s.
    fn settled(&self) -> f64 {
        let errors = self.errors(29.0, 30.0);
        let (low, high) = errors.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), e| (l.min(e.norm()), h.max(e.norm())));
        assert!(high - low < 1e-3 + 0.02 * high, "not settled: {low} to {high}");
        high
    }

    /// Root mean square of the error of P [m] in the first `seconds`.
    fn rmse(&self, seconds: f64) -> f64 {
        rms(&self.errors(0.0, seconds))
    }

    fn with(mut self, change: impl Fn(&mut Loop)) -> Loop {
        change(&mut self);
        self
    }
}

fn rms(errors: &[Vec2]) -> f64 {
    (errors.iter().map(|e| e.dot(*e)).sum::<f64>() / errors.len() as f64).sqrt()
}

#[track_caller]
fn close(actual: f64, expected: f64, share: f64) {
    assert!((actual - expected).abs() <= share * expected.abs(), "{actual}, expected {expected}");
}

/// Speed and turn rate of the default circle [m/s], [rad/s].
const CIRCLE: (f64, f64) = (0.8, 0.4);

/// The trajectories of the study that this car can follow, and waypoints.
fn feasible() -> Vec<Loop> {
    let mut loops: Vec<Loop> = ["line", "parabola", "circle", "figure_eight", "cycloid"].map(rolling).into();
    loops[1].trajectory.focal_length = 0.2;
    for closed in [false, true] {
        let places = [(0.0, 0.0), (2.0, 0.2), (3.5, 2.0), (2.0, 4.0), (-0.5, 2.5)];
        let points = places.map(|(x, y)| Waypoint::at(x, y));
        let waypoints = |l: &mut Loop| (l.trajectory.points, l.trajectory.closed) = (points.to_vec(), closed);
        loops.push(rolling("waypoints").with(waypoints));
    }
    loops
}

/// At the study's 100 Hz, with its reference transformation and with the exact one.
#[test]
fn p_with_feed_forward_stays_within_two_centimetres() {
    for case in feasible() {
        let seconds = if case.trajectory.trajectory_type == "parabola" { 10.0 } else { 25.0 };
        let trajectory = trajectory::build(&case.trajectory).unwrap();
        let limits = case.world().limits(0).unwrap();
        assert_eq!(feasibility(&*trajectory, &limits, seconds), [], "{:?}", case.trajectory);
        let seconds = trajectory.duration().map_or(seconds, |end| end.min(seconds));
        let at_100_hz = case.with(|l| (l.step, l.period) = (0.005, 0.01));
        let study = at_100_hz.rmse(seconds);
        let exact = at_100_hz.with(|l| l.tracker.reference_heading = ReferenceHeading::Path).rmse(seconds);
        assert!(study < 0.02 && exact < 0.005 && exact < study + 1e-4, "{study} {exact}");
    }
}

/// The study's car starts along x, and its eight at 45° to that: the wheels cannot turn as far as the law wants at once.
#[test]
fn the_study_s_start_across_the_eight_costs_little() {
    let across = rolling("figure_eight").with(|l| (l.step, l.period, l.yaw) = (0.005, 0.01, 0.0));
    let rmse = across.rmse(60.0);
    assert!(rmse < 0.02, "{rmse}");
    assert!(across.run(0.0)[0].0.steer.steering_is_cut, "and the frame says so");
}

/// The heading that turns with the car has no feed-forward: ε·θ̇/√(Kp² + θ̇²) is left, whatever PL is.
#[test]
fn the_study_s_reference_leaves_a_lag_of_the_arm() {
    let theory = |epsilon: f64, gain: f64| epsilon * CIRCLE.1 / gain.hypot(CIRCLE.1);
    for (epsilon, point_distance, gain) in
        [(0.1, 0.1, 5.0), (0.1, 0.1, 2.0), (0.3, 0.3, 5.0), (0.3, 0.1, 5.0), (0.1, 0.3, 5.0)]
    {
        let actual = rolling("circle").with(|l| {
            (l.linearizer.epsilon, l.tracker.point_distance, l.tracker.proportional) = (epsilon, point_distance, gain);
        });
        close(actual.settled(), theory(epsilon, gain), 0.02);
    }
}

/// With the path's heading a wrong ε leaves |ε − PL|·θ̇/√(Kp² + θ̇²), and the right one nothing.
#[test]
fn the_exact_reference_leaves_the_error_of_epsilon() {
    let settled = |epsilon: f64| {
        let circle = rolling("circle").with(|l| l.tracker.reference_heading = ReferenceHeading::Path);
        circle.with(|l| l.linearizer.epsilon = epsilon).settled()
    };
    assert!(settled(0.1) < 1e-4, "{}", settled(0.1));
    for epsilon in [0.05, 0.2, 0.4] {
        close(settled(epsilon), (epsilon - 0.1_f64).abs() * CIRCLE.1 / 5.0_f64.hypot(CIRCLE.1), 0.02);
    }
}

/// v/Kp on the line, √(v² + (PL·θ̇)²)/√(Kp² + θ̇²) on the circle.
#[test]
fn without_feed_forward_p_lags_behind() {
    let lag = |name: &str, gain: f64| {
        let lagging = rolling(name).with(|l| (l.tracker.feed_forward, l.tracker.proportional) = (false, gain));
        lagging.with(|l| l.tracker.reference_heading = ReferenceHeading::Path).settled()
    };
    for gain in [2.0, 5.0] {
        close(lag("line", gain), 1.0 / gain, 0.01);
        close(lag("circle", gain), CIRCLE.0.hypot(0.1 * CIRCLE.1) / gain.hypot(CIRCLE.1), 0.01);
    }
}

/// A speed that lags by τ leaves τ·V̇/Kp: on the parabola V̇ = 2·a·t/√(1 + t²).
#[test]
fn a_lag_of_the_speed_costs_what_the_speed_changes() {
    let parabola = slipping("parabola", "linear").with(|l| {
        l.inside = l.inside.replace("<max_acceleration>0", "<speed_lag>0.2</speed_lag><max_acceleration>50");
        (l.trajectory.focal_length, l.period) = (0.2, 0.001);
        l.tracker.reference_heading = ReferenceHeading::Path;
    });
    let error = parabola.errors(8.9, 9.0);
    close(rms(&error), 0.2 * 0.4 * 9.0 / 9.0_f64.hypot(1.0) / 5.0, 0.05);
}

/// An integral takes the lag on a line away. On a circle the error turns with the car, and the integral with it:
/// v·θ̇/|Ki − θ̇² + i·Kp·θ̇| is left.
#[test]
fn the_integral_removes_constant_errors() {
    let with = |name: &str| {
        rolling(name).with(|l| {
            (l.tracker.feed_forward, l.tracker.integral, l.tracker.integral_limit) = (false, 4.0, 10.0);
            (l.tracker.reference_heading, l.tracker.point_distance) = (ReferenceHeading::Path, 0.1);
        })
    };
    assert!(with("line").settled() < 1e-3, "{}", with("line").settled());
    let (v, w) = (CIRCLE.0.hypot(0.1 * CIRCLE.1), CIRCLE.1);
    close(with("circle").settled(), v * w / (4.0 - w * w).hypot(5.0 * w), 0.02);
}

/// With an integral the whole error is made up for: P overshoots a reference that it starts behind of, and further when it
/// winds up while the speed is cut; the limits of the integral shorten that.
#[test]
fn the_integral_overshoots() {
    let overshoot = |integral: f64, max_speed: f64, anti_windup: AntiWindup| {
        let from_behind = rolling("line").with(|l| {
            (l.trajectory.a_coeff, l.trajectory.b_coeff, l.trajectory.x0) = (0.5, 0.0, 1.0);
            (l.tracker.proportional, l.tracker.integral, l.tracker.integral_limit) = (2.0, integral, 10.0);
            (l.tracker.anti_windup, l.linearizer.max_speed) = (anti_windup, max_speed);
        });
        from_behind.errors(0.0, 15.0).iter().map(|e| -e.x).fold(0.0, f64::max)
    };
    assert!(overshoot(0.0, 100.0, AntiWindup::None) < 1e-9);
    // e = e₀·(1 − t)·exp(−t) for the double pole at 1/s: −e₀·exp(−2) at 2 s.
    close(overshoot(1.0, 100.0, AntiWindup::None), libm::exp(-2.0), 0.02);
    let (wound, held) = (overshoot(1.0, 0.8, AntiWindup::None), overshoot(1.0, 0.8, AntiWindup::Conditional));
    assert!(wound > 1.5 * libm::exp(-2.0) && held < 0.5 * wound, "{wound} {held}");
}

/// The car goes round on its smallest circle, inside which the reference is: the error grows to the difference, and both the
/// check before and the frames tell why.
#[test]
fn an_infeasible_circle_is_left_and_explained() {
    let circle = |radius: f64| {
        rolling("circle").with(|l| (l.trajectory.circle_radius, l.trajectory.circle_rate) = (radius, 1.0))
    };
    let least = WHEELBASE / libm::tan(1.0);
    let (wide, narrow) = (circle(1.5 * least), circle(0.6 * least));
    let check = |l: &Loop| {
        let limits = l.world().limits(0).unwrap();
        feasibility(&*trajectory::build(&l.trajectory).unwrap(), &limits, 30.0)
    };
    assert_eq!(check(&wide), []);
    let actual = check(&narrow);
    let [steering] = actual.as_slice() else { panic!("{actual:?}") };
    assert_eq!((steering.quantity, steering.share > 0.999), (Quantity::SteeringAngle, true));
    close(steering.least_radius, least, 1e-6);
    close(steering.value, libm::atan(WHEELBASE / (0.6 * least)), 1e-6);
    let cut = |l: &Loop| {
        let ticks = l.run(30.0);
        ticks.iter().filter(|(tick, _)| tick.steer.steering_is_cut).count() as f64 / ticks.len() as f64
    };
    assert!(cut(&wide) < 0.05 && cut(&narrow) > 0.5, "{} {}", cut(&wide), cut(&narrow));
    let (inside, outside) = (rms(&wide.errors(20.0, 30.0)), rms(&narrow.errors(20.0, 30.0)));
    assert!(inside < 0.025 && outside > 1.3 * inside && outside > 0.03, "{inside} {outside}");
}

/// The reference of P is behind: the car reverses, turns round and follows forward; without reversing it turns round driving forward.
#[test]
fn a_reference_behind_turns_the_car_round() {
    for reverse in [true, false] {
        let back = rolling("line").with(|l| {
            (l.trajectory.a_coeff, l.trajectory.b_coeff, l.yaw) = (-0.5, 0.0, 0.05);
            (l.step, l.period, l.linearizer.reverse) = (0.005, 0.01, reverse);
        });
        let ticks = back.run(20.0);
        let slowest = ticks.iter().map(|(tick, _)| tick.steer.speed).fold(f64::INFINITY, f64::min);
        assert_eq!(slowest < 0.0, reverse, "{slowest}");
        let (tick, pose) = ticks.last().unwrap();
        assert!((tick.point_reference - tick.point).norm() < 1e-3 && tick.steer.speed > 0.49, "{tick:?}");
        assert!(wrap_angle(pose.yaw - std::f64::consts::PI).abs() < 1e-2, "{pose:?}");
    }
}

/// Also a reference right beside it, for which the law has no answer, is reached.
#[test]
fn a_reference_beside_is_reached() {
    let beside = rolling("line").with(|l| {
        (l.trajectory.a_coeff, l.trajectory.b_coeff, l.yaw) = (0.0, 0.5, 0.0);
        (l.step, l.period) = (0.005, 0.01);
    });
    let errors = beside.errors(19.0, 20.0);
    assert!(rms(&errors) < 1e-3, "{}", rms(&errors));
}

/// Circles at speeds at which the car rolls, where the laws are mixed, and where it slips, up to 0.73 g.
#[test]
fn the_dynamic_law_tracks_a_car_that_slips() {
    for tyre in ["linear", "fiala", "pacejka"] {
        for (speed, radius) in [(0.3, 1.0), (0.8, 2.0), (1.0, 1.0), (1.5, 1.0), (3.0, 3.0), (5.0, 8.0), (5.0, 3.5)] {
            let circle = slipping("circle", tyre).with(|l| {
                (l.trajectory.circle_radius, l.trajectory.circle_rate) = (radius, speed / radius);
                l.tracker.reference_heading = ReferenceHeading::Path;
            });
            let errors = circle.errors(10.0, 20.0);
            let spread = errors.iter().map(|e| e.norm()).fold(0.0, f64::max) - rms(&errors);
            assert!(rms(&errors) < 0.015, "{tyre} {speed} {radius}: {}", rms(&errors));
            assert!(spread < 2e-3, "{tyre} {speed} {radius}: it oscillates, {spread}");
        }
    }
}

/// The trajectories of the study, at its speeds.
#[test]
fn the_dynamic_law_tracks_the_study_s_trajectories() {
    for name in ["line", "circle", "figure_eight", "cycloid"] {
        let rmse = slipping(name, "pacejka").rmse(25.0);
        let exact = slipping(name, "pacejka").with(|l| l.tracker.reference_heading = ReferenceHeading::Path).rmse(25.0);
        assert!(rmse < 0.04 && exact < 0.002, "{name}: {rmse} {exact}");
    }
}

/// Odometry of wheels knows no side slip: β is then that of a rolling car, and what is left is a little more.
#[test]
fn the_dynamic_law_lives_on_odometry() {
    for (speed, radius) in [(0.8, 2.0), (1.5, 1.5), (3.0, 3.0), (4.0, 8.0)] {
        let circle = slipping("circle", "linear").with(|l| {
            (l.trajectory.circle_radius, l.trajectory.circle_rate) = (radius, speed / radius);
            l.tracker.reference_heading = ReferenceHeading::Path;
            l.follows_odometry = true;
        });
        let errors = circle.errors(10.0, 20.0);
        assert!(rms(&errors) < 0.03, "{speed} {radius}: {}", rms(&errors));
    }
}

/// On a fast eight the slip that only the dynamic law knows of costs the kinematic one most of its error.
#[test]
fn at_speed_the_dynamic_law_is_the_better_one() {
    let fast = slipping("figure_eight", "linear").with(|l| {
        (l.trajectory.eight_amplitude, l.trajectory.eight_rate) = (8.0, 0.4);
        l.tracker.reference_heading = ReferenceHeading::Path;
    });
    let kinematic =
        fast.clone().with(|l| (l.linearizer.linearizer, l.tracker.point_distance) = ("kinematic".into(), 0.1));
    let (dynamic, kinematic) = (fast.rmse(30.0), kinematic.rmse(30.0));
    assert!(dynamic < 0.003 && dynamic < 0.5 * kinematic, "{dynamic} {kinematic}");
}

/// Two runs agree to the last bit, and so does a run after a reset, since the driver forgets.
/// Commands from outside lead the vehicle, and neither they nor their absence stop the reference.
#[test]
fn a_guide_gives_the_reference_and_leaves_the_vehicle_to_others() {
    let setup = rolling("figure_eight").with(|setup| setup.step = 0.01);
    let mut world = setup.world();
    let path = trajectory::build(&setup.trajectory).unwrap();
    let guide = TrajectoryDriver::guide(trajectory::build(&setup.trajectory).unwrap(), SimTime::from_secs(0.01));
    world.set_driver(0, Some(guide)).unwrap();
    assert!(!world.frame().vehicles[0].has_driver, "lockstep waits for others");
    for k in 0..200 {
        if (50..100).contains(&k) {
            let action = Action::Ackermann { speed: 1.0, steering_angle: 0.0 };
            world.command(Command { vehicle: 0, action }).unwrap();
        }
        let frame = step(&mut world);
        let (time, tracking) = (frame.time.secs(), frame.vehicles[0].tracking.unwrap());
        assert_eq!(tracking.reference, path.at(time));
        assert!(tracking.is_guide && tracking.steer.speed == 0.0);
        if k == 90 {
            let speed = frame.vehicles[0].velocity_in_body.vx;
            assert!((speed - 1.0).abs() < 0.05, "{speed}");
        }
    }
}

/// Until somebody else leads a vehicle that starts in motion, it is not braked, also after a reset.
#[test]
fn a_guide_holds_the_speed_of_the_start_until_others_lead() {
    let setup = rolling("circle").with(|setup| setup.step = 0.01);
    let mut world = setup.world();
    let guide = || TrajectoryDriver::guide(trajectory::build(&setup.trajectory).unwrap(), SimTime::from_secs(0.01));
    world.set_start(0, Pose2::default(), Twist2::new(0.8, 0.0, 0.0));
    world.set_driver(0, Some(guide().holding(0.8))).unwrap();
    for _ in 0..2 {
        for _ in 0..10 {
            let speed = step(&mut world).vehicles[0].velocity_in_body.vx;
            assert!((speed - 0.8).abs() < 0.02, "{speed}");
        }
        let action = Action::Ackermann { speed: 0.4, steering_angle: 0.0 };
        world.command(Command { vehicle: 0, action }).unwrap();
        for _ in 0..100 {
            step(&mut world);
        }
        let speed = world.frame().vehicles[0].velocity_in_body.vx;
        assert!((speed - 0.4).abs() < 0.02, "{speed}");
        world.reset();
    }
}

#[test]
fn runs_repeat() {
    let eight = slipping("figure_eight", "pacejka").with(|l| l.tracker.integral = 0.5);
    let (once, again) = (eight.run(3.0), eight.run(3.0));
    assert!(once == again);
    let mut world = eight.world();
    // A time at which a tick is due, so that all later ones fall alike.
    for _ in 0..1230 {
        step(&mut world);
    }
    world.reset();
    let mut after = vec![first(&world).tracking.unwrap()];
    let from = after[0].time;
    for _ in 0..3000 {
        let frame = step(&mut world);
        let tracking = frame.vehicles[0].tracking.unwrap();
        if tracking.time == frame.time {
            after.push(tracking);
        }
    }
    assert!(from > SimTime::ZERO);
    assert!(after.len() == once.len() && after.len() > 290, "{}", after.len());
    for (after, (once, _)) in after.iter().zip(&once) {
        assert_eq!(TrackingFrame { time: once.time, ..*after }, *once, "at {} s", once.time);
    }
}

/// A driver with other gains takes over in a running world, and begins its path.
#[test]
fn another_driver_starts_its_path_from_the_beginning() {
    let mut world = rolling("line").world();
    super::common::run(&mut world, 1.0);
    let lagging = rolling("line").with(|l| l.tracker.feed_forward = false);
    let tracker = PointTracker::new(lagging.tracker).unwrap();
    let (line, law) = (trajectory::build(&lagging.trajectory).unwrap(), tracking::build(&lagging.linearizer).unwrap());
    world.set_driver(0, Some(TrajectoryDriver::new(line, tracker, law, SimTime::from_secs(0.001)))).unwrap();
    assert_eq!(first(&world).tracking.unwrap().reference.position, Vec2::ZERO, "at its start");
    super::common::run(&mut world, 10.0);
    let error = first(&world).tracking.map(|t| (t.point_reference - t.point).norm()).unwrap();
    close(error, 0.2, 0.01);
    world.set_driver(0, None).unwrap();
    assert!(first(&world).tracking.is_none());
}

/// Either law commands the speed of the rear axle, and every car takes it as that: on a circle no pair leaves an error of its own.
#[test]
fn any_law_drives_any_car() {
    for law in ["kinematic", "dynamic"] {
        for class in ["kinematic_bicycle", "single_track\" reference=\"rear"] {
            let circle = slipping("circle", "linear").with(|l| {
                l.linearizer.linearizer = law.into();
                l.tracker.point_distance = if law == "kinematic" { 0.1 } else { TO_COG + 0.1 };
                (l.trajectory.circle_radius, l.trajectory.circle_rate) = (0.8, 0.6);
                l.tracker.reference_heading = ReferenceHeading::Path;
                l.class = class;
                l.inside = if class == "kinematic_bicycle" { String::new() } else { l.inside.clone() };
            });
            let error = rms(&circle.errors(10.0, 20.0));
            assert!(error < 2.5e-3, "{law} law on {class}: {error}");
        }
    }
}
