//! The laws compared with their closed forms, in a loop with an ideal bicycle; and what holds for every line of the table.

use proptest::prelude::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2, Vec2, advance};

use super::bicycle::{Car, discrete};
use super::lqr::{Regulator, riccati, state_cost};
use super::matrix::Matrix;
use super::quadratic::{self, Limits, Step};
use super::{BicycleModel, TRACKERS, TrackerName};
use crate::trajectory::{self, Trajectory, TrajectoryParameters, Waypoint};
use crate::{LinearizerParameters, Steer, TrackerParameters, TrackingFrame, TrajectoryDriver, VehicleState};

/// Period of the loop [s].
const PERIOD: f64 = 0.01;

fn tracker(name: &str) -> TrackerParameters {
    TrackerParameters { tracker: TrackerName::named(name).unwrap(), ..TrackerParameters::default() }
}

/// The trackers without a linearizer; plans are short here, because they take time.
fn baselines() -> impl Iterator<Item = TrackerParameters> {
    let names = TRACKERS.iter().filter(|entry| !entry.has_linearizer()).map(|entry| entry.name);
    names.map(|name| TrackerParameters { horizon: 10, ..tracker(name) })
}

fn path(name: &str) -> TrajectoryParameters {
    let phase = if name == "parabola" { 2.0 } else { 0.0 };
    TrajectoryParameters { trajectory_type: name.into(), phase, ..TrajectoryParameters::default() }
}

fn line(speed: f64) -> TrajectoryParameters {
    TrajectoryParameters { a_coeff: speed, b_coeff: 0.0, ..path("line") }
}

/// An ideal bicycle that does what it is told, and the driver that leads it.
struct Loop {
    driver: TrajectoryDriver,
    trajectory: Box<dyn Trajectory>,
    wheelbase: f64,
    pose: Pose2,
    twist: Twist2,
    steps: i64,
}

impl Loop {
    fn new(path: &TrajectoryParameters, tracker: &TrackerParameters) -> Loop {
        let (vehicle, build) = (LinearizerParameters::default(), || trajectory::build(path).unwrap());
        let driver = TrajectoryDriver::with(build(), tracker, &vehicle, SimTime::from_secs(PERIOD)).unwrap();
        let first = build().at(0.0);
        let pose = Pose2::new(first.position.x, first.position.y, first.heading());
        let twist = Twist2::new(first.speed(), 0.0, first.turn_rate());
        Loop { driver, trajectory: build(), wheelbase: vehicle.wheelbase, pose, twist, steps: 0 }
    }

    /// To the left of its path, in its own frame.
    fn beside(mut self, left: f64, turned: f64) -> Loop {
        self.pose = self.pose * Pose2::new(0.0, left, turned);
        self
    }

    fn time(&self) -> f64 {
        PERIOD * self.steps as f64
    }

    fn step(&mut self) -> TrackingFrame {
        let state = VehicleState { world_from_body: self.pose, velocity_in_body: self.twist };
        let frame = self.driver.tick(SimTime::from_secs(self.time()), &state).unwrap();
        let Steer { speed, steering_angle, .. } = frame.steer;
        self.twist = Twist2::new(speed, 0.0, speed * libm::tan(steering_angle) / self.wheelbase);
        self.pose = advance(self.pose, self.twist, PERIOD);
        self.steps += 1;
        frame
    }

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / PERIOD).round() as usize {
            self.step();
        }
    }

    /// Distance to the reference [m].
    fn error(&self) -> f64 {
        (self.pose.position() - self.trajectory.at(self.time()).position).norm()
    }

    fn rmse(&mut self, seconds: f64) -> f64 {
        let count = (seconds / PERIOD).round();
        let square = |_| {
            self.step();
            self.error() * self.error()
        };
        ((0..count as usize).map(square).sum::<f64>() / count).sqrt()
    }
}

/// Pure pursuit's goal runs ahead of changes of the curvature; the others know the curvature itself.
#[test]
fn an_ideal_car_follows_every_trajectory_of_the_study() {
    for parameters in baselines() {
        let name = parameters.tracker.as_str();
        let bound = if name == "pure_pursuit" { 0.03 } else { 0.005 };
        for shape in ["line", "parabola", "circle", "figure_eight", "cycloid"] {
            let rmse = Loop::new(&path(shape), &parameters).rmse(3.0);
            assert!(rmse < bound, "{name}, {shape}: {rmse} m");
        }
    }
}

#[test]
fn pure_pursuit_is_exact_on_a_circle_and_a_damped_oscillation_beside_a_line() {
    let mut round = Loop::new(&path("circle"), &tracker("pure_pursuit"));
    let steer = round.step().steer;
    assert!((steer.steering_angle - libm::atan(0.325 / 2.0)).abs() < 1e-4, "{steer:?}");
    round.run(20.0);
    assert!(round.error() < 2e-3, "what is left of a tick: {}", round.error());

    let parameters = TrackerParameters { lookahead_time: 0.0, min_lookahead: 0.8, ..tracker("pure_pursuit") };
    let mut beside = Loop::new(&line(1.0), &parameters).beside(1e-3, 0.0);
    for _ in 0..40 {
        beside.run(0.1);
        let distance = beside.pose.x / 0.8;
        let expected = 1e-3 * (-distance).exp() * (distance.cos() + distance.sin());
        assert!((beside.pose.y - expected).abs() < 2e-5, "{} {expected}", beside.pose.y);
    }
}

#[test]
fn stanley_decays_with_its_rate_and_cuts_corners_as_published() {
    let parameters = tracker("stanley");
    for speed in [0.5, 2.0, 8.0] {
        let mut beside = Loop::new(&line(speed), &parameters).beside(1e-3, 0.0);
        let front = |l: &Loop| l.pose.transform_point(Vec2::new(0.325, 0.0)).y;
        let mut last = front(&beside);
        for _ in 0..10 {
            beside.run(0.1);
            let (now, expected) = (front(&beside), last * (-0.25f64).exp());
            assert!((now - expected).abs() < 0.02 * last, "{speed} m/s: {now} {expected}");
            last = now;
        }
    }
    let published = TrackerParameters { rear_on_path: false, ..parameters };
    let mut round = Loop::new(&path("circle"), &published);
    round.run(30.0);
    let radius = (round.pose.position() - Vec2::new(0.0, 2.0)).norm();
    assert!((radius - libm::sqrt(4.0 - 0.325 * 0.325)).abs() < 1e-3, "{radius}");
    let mut exact = Loop::new(&path("circle"), &parameters);
    exact.run(30.0);
    let radius = (exact.pose.position() - Vec2::new(0.0, 2.0)).norm();
    assert!((radius - 2.0).abs() < 1e-3, "{radius}");
}

fn cars() -> [(TrackerParameters, Car); 2] {
    [BicycleModel::Kinematic, BicycleModel::Dynamic].map(|model| {
        let parameters = TrackerParameters { model, ..tracker("lqr") };
        let car = Car::new(&parameters, &LinearizerParameters::default()).unwrap();
        (parameters, car)
    })
}

#[test]
fn the_gain_of_lqr_solves_riccatis_equation_and_is_stable() {
    for (parameters, car) in cars() {
        for speed in [0.1, 0.4, 1.0, 5.0, 20.0] {
            let lateral = car.lateral(speed);
            let (a, b) = discrete(&lateral.a, &lateral.b, PERIOD);
            let (q, r) = (state_cost(&lateral, &parameters).scaled(PERIOD), PERIOD / 16.0);
            let p = riccati(&a, &b, &q, r).unwrap();
            let (back, weight) = (b.transposed(), r + b.transposed().times(&p).times(&b).get(0, 0));
            let gain = back.times(&p).times(&a).scaled(1.0 / weight);
            let closed = a.plus(-1.0, &b.times(&gain));
            let residual = q.plus(1.0, &a.transposed().times(&p).times(&closed)).plus(-1.0, &p);
            assert!(residual.norm() < 1e-9 * p.norm(), "{speed} m/s: {} of {}", residual.norm(), p.norm());
            let mut power = closed;
            (0..14).for_each(|_| power = power.times(&power));
            assert!(power.norm() < 1e-6, "{speed} m/s: {power:?}");
        }
    }
}

/// In a steady curve the preview commands what keeps the car there, of both models; on the ideal car no error remains.
#[test]
fn lqr_with_preview_leaves_no_error_in_a_steady_curve() {
    for (parameters, car) in cars() {
        let (speed, curvature) = (3.0, 0.5);
        let regulator = Regulator::new(&car, &parameters, speed, PERIOD).unwrap();
        let (_, rear_slip) = car.slip_angles(speed, curvature);
        let rate = speed * curvature;
        let state =
            VehicleState { velocity_in_body: Twist2::new(speed, -rear_slip * speed, rate), ..VehicleState::default() };
        let state = car.state(0.0, rear_slip, &state, car.steady_angle(speed, curvature));
        for count in [1, 100] {
            let input = regulator.input(&state, std::iter::repeat_n(rate, count)).unwrap();
            assert!(input.abs() < 1e-8, "{:?}, {count}: {input}", parameters.model);
        }
    }
    let mut round = Loop::new(&path("circle"), &tracker("lqr")).beside(0.05, 0.1);
    round.run(30.0);
    let left = (round.pose.position() - Vec2::new(0.0, 2.0)).norm() - 2.0;
    assert!(left.abs() < 1e-6, "{left}");
}

/// A system of three states and two inputs that changes from step to step.
fn changing() -> (Matrix, Vec<Step>) {
    let steps = (0..15u32).map(|k| {
        let (t, mut a) = (f64::from(k), Matrix::identity(3));
        a.set(0, 1, 0.1 + 0.01 * t);
        a.set(1, 0, -0.05);
        a.set(1, 2, 0.1);
        let (mut b, mut q) = (Matrix::zeros(3, 2), Matrix::identity(3));
        b.set(2, 1, 0.1);
        b.set(0, 0, 0.05);
        q.set(0, 2, 0.3);
        q.set(2, 0, 0.3);
        Step { a, b, d: Matrix::column(&[0.01, -0.02 * t, 0.03]), q }
    });
    (Matrix::column(&[1.0, -0.5, 0.2]), steps.collect())
}

/// The first input by dynamic programming: with the cost-to-go xᵀPx + 2·xᵀp, backwards from the last step.
fn first_input(start: &Matrix, steps: &[Step], costs: &[f64]) -> Matrix {
    let mut r = Matrix::zeros(2, 2);
    costs.iter().enumerate().for_each(|(i, cost)| r.set(i, i, *cost));
    let (mut p, mut linear, mut input) = (Matrix::zeros(3, 3), Matrix::zeros(3, 1), Matrix::zeros(2, 1));
    for step in steps.iter().rev() {
        let whole = step.q.plus(1.0, &p);
        let back = step.b.transposed();
        let weight = r.plus(1.0, &back.times(&whole).times(&step.b));
        let gain = weight.solve(&back.times(&whole).times(&step.a)).unwrap();
        let shift = whole.times(&step.d).plus(1.0, &linear);
        let known = weight.solve(&back.times(&shift)).unwrap();
        let closed = step.a.plus(-1.0, &step.b.times(&gain));
        input = gain.times(start).plus(1.0, &known).scaled(-1.0);
        linear = closed.transposed().times(&shift);
        p = step.a.transposed().times(&whole).times(&closed);
    }
    input
}

#[test]
fn a_plan_without_limits_is_that_of_dynamic_programming_and_one_with_limits_keeps_them() {
    let (start, steps) = changing();
    let costs = vec![0.5, 0.2];
    let expected = first_input(&start, &steps, &costs);
    let free = Limits { input_costs: costs, most_inputs: vec![f64::INFINITY; 2], states: Vec::new() };
    let plan = quadratic::solve(&start, &steps, &free, 50).unwrap();
    for i in 0..2 {
        assert!((plan[i] - expected.get(i, 0)).abs() < 1e-6, "{plan:?} {expected:?}");
    }
    let bounded = Limits { most_inputs: vec![0.3, 0.8], states: vec![(2, -0.1, 0.25)], ..free };
    let plan = quadratic::solve(&start, &steps, &bounded, 50).unwrap();
    let mut state = start;
    for (step, inputs) in steps.iter().zip(plan.chunks(2)) {
        assert!(inputs[0].abs() < 0.3 + 1e-6 && inputs[1].abs() < 0.8 + 1e-6, "{inputs:?}");
        state = step.a.times(&state).plus(1.0, &step.b.times(&Matrix::column(inputs))).plus(1.0, &step.d);
        assert!((-0.1 - 1e-6..0.25 + 1e-6).contains(&state.get(2, 0)), "{state:?}");
    }
    assert!(plan.iter().any(|input| (input.abs() - 0.3).abs() < 1e-5), "the limits matter: {plan:?}");
    assert_eq!(quadratic::solve(&start, &steps, &bounded, 1), None, "one iteration is too few");
}

#[test]
fn mpc_keeps_its_limits_and_says_when_it_holds_a_plan() {
    let parameters = TrackerParameters { max_steering_rate: 0.5, max_acceleration: 0.4, ..tracker("mpc") };
    let mut car = Loop::new(&path("figure_eight"), &parameters).beside(0.3, -0.2);
    let mut last: Option<Steer> = None;
    let mut reached = false;
    for _ in 0..300 {
        let steer = car.step().steer;
        assert!(!steer.plan_is_held);
        if let Some(last) = last {
            let rates =
                [steer.speed - last.speed, steer.steering_angle - last.steering_angle].map(|d| d.abs() / PERIOD);
            assert!(rates[0] < 0.4 + 1e-6 && rates[1] < 0.5 + 1e-6, "{rates:?}");
            reached |= rates[1] > 0.499;
        }
        last = Some(steer);
    }
    assert!(reached);
    // A circle that is too tight is driven at the limit of the steering, and says so.
    let tight = TrajectoryParameters { circle_radius: 0.15, circle_rate: 2.0, ..path("circle") };
    let mut round = Loop::new(&tight, &tracker("mpc"));
    round.run(0.3);
    assert!(round.step().steer.steering_is_cut);
    let hasty = TrackerParameters { max_iterations: 1, ..parameters };
    let held = Loop::new(&path("figure_eight"), &hasty).step().steer;
    assert!(held.plan_is_held && held.speed > 1.1, "{held:?}");
}

/// Where the eight crosses itself the nearest point of the whole path may be one of its other branch.
#[test]
fn a_car_beside_the_crossing_of_an_eight_stays_on_its_branch() {
    for parameters in baselines() {
        let name = parameters.tracker.as_str();
        // Half a lap later the reference is in the middle again; the car goes there 10 cm beside its way.
        let late = TrajectoryParameters { phase: 6.5, ..path("figure_eight") };
        let mut car = Loop::new(&late, &parameters).beside(0.1, 0.0);
        car.run(2.5);
        assert!(car.error() < 0.02, "{name}: {}", car.error());
    }
}

#[test]
fn a_car_that_starts_off_the_path_or_turned_reaches_it_and_never_reverses() {
    for parameters in baselines() {
        let name = parameters.tracker.as_str();
        for (left, turned) in [(0.5, 0.0), (-0.3, 0.6), (0.0, -1.5)] {
            let mut car = Loop::new(&line(1.0), &parameters).beside(left, turned);
            for _ in 0..400 {
                assert!(car.step().steer.speed >= 0.0, "{name}");
            }
            assert!(car.error() < 0.02, "{name}, {left} m, {turned} rad: {} m", car.error());
        }
    }
}

/// Pauses, an end, and a switch: the car is commanded to stand, and its steering is held.
#[test]
fn a_car_stands_at_pauses_at_the_end_and_when_it_is_switched_off() {
    // Two seconds to a halt, and two from there.
    let points = [(0.0, 1.0), (1.0, 0.0), (2.0, 1.0)];
    let point = |(x, speed)| Waypoint { speed: Some(speed), ..Waypoint::at(x, 0.0) };
    let paused = TrajectoryParameters { points: points.map(point).to_vec(), ..path("waypoints") };
    for parameters in baselines() {
        let name = parameters.tracker.as_str();
        let mut car = Loop::new(&paused, &parameters);
        car.run(3.99);
        // A plan brakes before the end, the others there.
        assert!(car.error() < 0.05, "{name}: {}", car.error());
        car.run(0.03);
        let last = car.step();
        assert!(last.is_over && last.steer.speed == 0.0, "{name}");

        let mut off = Loop::new(&path("circle"), &parameters);
        off.run(1.0);
        let driven = off.step().steer;
        off.driver.set_parameters(TrackerParameters { active: false, ..parameters }).unwrap();
        let steer = off.step().steer;
        assert_eq!((steer.speed, steer.steering_angle), (0.0, driven.steering_angle), "{name}");
        off.driver.set_parameters(parameters).unwrap();
        assert_eq!(off.step().reference, off.trajectory.at(0.0), "{name}: from its start on");
        let other = off.driver.set_parameters(tracker("point")).unwrap_err().to_string();
        assert!(other.starts_with("tracker: found \"point\"\n  accepted: "), "{other}");
    }
}

#[test]
fn a_reset_gives_the_same_bits_again() {
    for parameters in baselines() {
        for model in [BicycleModel::Kinematic, BicycleModel::Dynamic] {
            let mut car = Loop::new(&path("figure_eight"), &TrackerParameters { model, ..parameters }).beside(0.1, 0.1);
            let (pose, twist) = (car.pose, car.twist);
            let mut bits = || {
                let angles: Vec<u64> = (0..80).map(|_| car.step().steer.steering_angle.to_bits()).collect();
                car.driver.reset();
                (car.pose, car.twist, car.steps) = (pose, twist, 0);
                angles
            };
            assert_eq!(bits(), bits(), "{}", parameters.tracker.as_str());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn commands_are_finite_and_within_limits(
        numbers in prop::array::uniform6(prop::num::f64::ANY), ordinary in prop::array::uniform6(-3.0..3.0),
        mask in 0u8..64, dynamic in any::<bool>(),
    ) {
        let n: Vec<f64> = (0..6).map(|i| if mask >> i & 1 == 1 { numbers[i] } else { ordinary[i] }).collect();
        let state = VehicleState {
            world_from_body: Pose2::new(n[0], n[1], n[2]),
            velocity_in_body: Twist2::new(n[3], n[4], n[5]),
        };
        let model = if dynamic { BicycleModel::Dynamic } else { BicycleModel::Kinematic };
        for parameters in baselines() {
            let mut car = Loop::new(&path("figure_eight"), &TrackerParameters { model, horizon: 5, ..parameters });
            for tick in 1..3 {
                let steer = car.driver.tick(SimTime::from_secs(PERIOD * f64::from(tick)), &state).unwrap().steer;
                prop_assert!(steer.speed.is_finite() && steer.steering_angle.is_finite() && steer.turn_rate.is_finite());
                prop_assert!((0.0..=100.0).contains(&steer.speed) && steer.steering_angle.abs() <= 1.0, "{steer:?}");
            }
        }
    }
}

#[test]
fn each_tracker_knows_which_keys_it_reads() {
    let reads = |name: &str, key: &str, model| TrackerName::named(name).unwrap().entry().reads(key, model);
    for (name, key, kinematic, dynamic) in [
        ("point", "Kp", true, true),
        ("point", "epsilon", true, true),
        ("point", "k_across", false, false),
        ("pure_pursuit", "Kp", false, false),
        ("pure_pursuit", "linearizer", false, false),
        ("pure_pursuit", "L", true, false),
        ("stanley", "C_f", false, true),
        ("stanley", "L", true, false),
        ("lqr", "I_z", false, true),
        ("mpc", "k_along", false, false),
        ("mpc", "max_speed", true, true),
    ] {
        let actual = [BicycleModel::Kinematic, BicycleModel::Dynamic].map(|model| reads(name, key, model));
        assert_eq!(actual, [kinematic, dynamic], "{name}, {key}");
    }
}

#[test]
fn errors_of_tracker_parameters_name_the_accepted_values() {
    let read = |text: &str| serde_saphyr::from_str::<TrackerParameters>(text);
    assert_eq!(read("tracker: stanley").unwrap().tracker.as_str(), "stanley");
    let unknown = read("tracker: stanly").unwrap_err().to_string();
    assert!(unknown.contains("stanly") && unknown.contains("pure_pursuit"), "{unknown}");
    let refused = |change: &dyn Fn(&mut TrackerParameters)| {
        let mut parameters = tracker("mpc");
        change(&mut parameters);
        parameters.check().unwrap_err().to_string()
    };
    assert_eq!(refused(&|p| p.horizon = 0), "horizon: found 0\n  accepted: a whole number from 1 to 200");
    assert_eq!(
        refused(&|p| p.position_scale = 0.0),
        "position_scale: found 0\n  accepted: a number from 1e-6 to 1e6 [m]"
    );
    assert_eq!(refused(&|p| p.min_lookahead = 0.0), "min_lookahead: found 0\n  accepted: a number > 0 [m]");
    assert_eq!(refused(&|p| p.preview = 11.0), "preview: found 11\n  accepted: a number from 0 to 10 [s]");
}
