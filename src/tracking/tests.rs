//! Unit tests of the laws: linearizers, gains, integrals, safeguards, parameters.

use proptest::num::f64::{INFINITE, NEGATIVE, NORMAL, POSITIVE, QUIET_NAN, SUBNORMAL, ZERO};
use proptest::prelude::*;
use skidpad_math::time::SimTime;

use super::*;
use crate::trajectory::{self, Sample, TrajectoryParameters, Waypoint};
use skidpad_vehicle::lateral::LateralDynamics;

fn linearizer(name: &str) -> Box<dyn Linearizer> {
    build(&LinearizerParameters { linearizer: name.into(), ..LinearizerParameters::default() }).unwrap()
}

fn at(yaw: f64) -> VehicleState {
    VehicleState { world_from_body: Pose2::new(1.0, -2.0, yaw), velocity_in_body: Twist2::ZERO }
}

/// Wide limits and a negligible minimum speed, so that only the law acts.
fn bare() -> LinearizerParameters {
    LinearizerParameters { max_steering_angle: 1.57, min_speed: 1e-9, ..LinearizerParameters::default() }
}

proptest! {
    /// P moves exactly as commanded, forward and in reverse: V along the heading, ε·V·tan φ/l across it.
    #[test]
    fn the_kinematic_law_gives_p_the_velocity(x in -3.0..3.0, y in -3.0..3.0, yaw in -4.0..4.0, epsilon in 0.02..0.5) {
        let parameters = LinearizerParameters { epsilon, ..bare() };
        let wanted = Vec2::new(x, y);
        let steer = build(&parameters).unwrap().steer(wanted, &at(yaw));
        prop_assume!(!steer.is_cut());
        let across = epsilon * steer.speed * libm::tan(steer.steering_angle) / parameters.wheelbase;
        let velocity = skidpad_math::Rot2::new(yaw) * Vec2::new(steer.speed, across);
        prop_assert!((velocity - wanted).norm() < 1e-9, "{velocity:?} {wanted:?}");
        prop_assert!((steer.turn_rate * epsilon - across).abs() < 1e-9);
    }

    #[test]
    fn commands_are_finite_and_within_limits(
        numbers in prop::array::uniform8(POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO | INFINITE | QUIET_NAN),
        ordinary in prop::array::uniform8(-2.0..2.0), mask in any::<u8>(), reverse in any::<bool>(),
    ) {
        // Some numbers are absurd, the others ordinary.
        let n: Vec<f64> = (0..8).map(|i| if mask >> i & 1 == 1 { numbers[i] } else { ordinary[i] }).collect();
        for entry in LINEARIZERS {
            let parameters = LinearizerParameters { linearizer: entry.name.into(), reverse, ..LinearizerParameters::default() };
            let mut law = build(&parameters).unwrap();
            for yaw in [0.0, n[4]] {
                let state = VehicleState {
                    world_from_body: Pose2::new(n[2], n[3], yaw),
                    velocity_in_body: Twist2::new(n[5], n[6], n[7]),
                };
                let steer = law.steer(Vec2::new(n[0], n[1]), &state);
                prop_assert!(steer.speed.is_finite() && steer.steering_angle.is_finite() && steer.turn_rate.is_finite(), "{steer:?}");
                prop_assert!(steer.speed.abs() <= parameters.max_speed && steer.steering_angle.abs() <= parameters.max_steering_angle);
                prop_assert!(reverse || steer.speed >= 0.0, "{steer:?}");
            }
        }
    }
}

/// Without brackets, as the study prints it, the formula would give atan(l·V_y·cos θ − V_x·sin θ + …), another angle.
#[test]
fn the_kinematic_law_has_the_brackets_that_the_study_drops() {
    let (yaw, wanted) = (0.5, Vec2::new(0.8, 0.6));
    let parameters = LinearizerParameters { wheelbase: 0.325, epsilon: 0.1, ..bare() };
    let steer = build(&parameters).unwrap().steer(wanted, &at(yaw));
    let (sin, cos) = libm::sincos(yaw);
    let (along, across) = (0.8 * cos + 0.6 * sin, 0.6 * cos - 0.8 * sin);
    assert!((steer.speed - along).abs() < 1e-15);
    assert!((steer.steering_angle - libm::atan(0.325 * across / (0.1 * along))).abs() < 1e-15);
    let printed = libm::atan((0.325 * 0.6 * cos - 0.8 * sin) / (0.1 * 0.8 * cos + 0.6 * sin));
    assert!((steer.steering_angle - printed).abs() > 0.5, "{printed}");
}

#[test]
fn the_steering_angle_is_kept_while_p_stands() {
    let mut law = linearizer("kinematic");
    let turning = law.steer(Vec2::new(1.0, 0.2), &at(0.0));
    for small in [Vec2::ZERO, Vec2::new(0.01, 0.01), Vec2::new(-0.01, -0.019)] {
        let still = law.steer(small, &at(0.0));
        assert_eq!((still.speed, still.steering_angle), (small.x, turning.steering_angle));
    }
    law.reset();
    assert_eq!(law.steer(Vec2::ZERO, &at(0.0)).steering_angle, 0.0);
}

/// With the reference beside the car, it creeps in its last direction of travel, at full lock towards P.
#[test]
fn a_reference_beside_the_car_is_reached_by_creeping() {
    let mut law = linearizer("kinematic");
    let left = law.steer(Vec2::new(0.0, 0.5), &at(0.0));
    assert_eq!((left.speed, left.steering_angle, left.steering_is_cut), (0.02, 1.0, true));
    assert!(law.steer(Vec2::new(-0.5, 0.1), &at(0.0)).speed < 0.0);
    let back = law.steer(Vec2::new(0.0, 0.5), &at(0.0));
    assert_eq!((back.speed, back.steering_angle), (-0.02, -1.0), "still turning to the left, in reverse");
}

#[test]
fn reversing_is_exact_or_forbidden() {
    let behind = Vec2::new(-1.0, 0.1);
    let back = linearizer("kinematic").steer(behind, &at(0.0));
    assert_eq!((back.speed, back.is_cut()), (-1.0, false));
    assert!((back.turn_rate - 1.0).abs() < 1e-12 && back.steering_angle < 0.0, "{back:?}");
    for (wanted, speed, angle) in
        [(behind, 1.0, 1.0), (Vec2::new(-0.5, -0.1), 0.5, -1.0), (Vec2::new(0.0, 1.0), 0.02, 1.0)]
    {
        let parameters = LinearizerParameters { reverse: false, ..LinearizerParameters::default() };
        let round = build(&parameters).unwrap().steer(wanted, &at(0.0));
        assert_eq!((round.speed, round.steering_angle, round.steering_is_cut), (speed, angle, true));
    }
}

#[test]
fn limits_are_reported() {
    let parameters = LinearizerParameters { max_speed: 1.0, ..LinearizerParameters::default() };
    let mut law = build(&parameters).unwrap();
    let straight = law.steer(Vec2::new(3.0, 0.3), &at(0.0));
    assert_eq!((straight.speed, straight.speed_is_cut, straight.steering_is_cut), (1.0, true, false));
    let unlimited = linearizer("kinematic").steer(Vec2::new(3.0, 0.3), &at(0.0));
    assert_eq!(straight.steering_angle, unlimited.steering_angle, "the course is kept");
    let turn = law.steer(Vec2::new(0.5, 0.5), &at(0.0));
    assert_eq!((turn.steering_angle, turn.speed_is_cut, turn.steering_is_cut), (1.0, false, true));
    assert!((turn.turn_rate - 0.5 * libm::tan(1.0) / 0.325).abs() < 1e-12, "what the cut angle gives");
}

/// On a steady circle the dynamic law commands the steering angle that the linear single track needs there.
#[test]
fn the_dynamic_law_keeps_a_car_on_its_circle() {
    let p = LinearizerParameters { linearizer: "dynamic".into(), ..LinearizerParameters::default() };
    let (a, b) = (p.cog_to_front, p.cog_to_rear);
    let car = LateralDynamics {
        mass: p.mass,
        yaw_inertia: 0.1,
        cog_to_front: a,
        cog_to_rear: b,
        front_stiffness: p.front_stiffness,
        rear_stiffness: p.rear_stiffness,
    };
    for (speed, delta) in [(2.0, 0.02), (4.0, -0.01), (8.0, 0.005)] {
        let gains = car.steady_state(speed);
        let (rate, beta) = (gains.yaw_rate * delta, gains.sideslip * delta);
        let (sin, cos) = libm::sincos(beta);
        let at_cog = Vec2::new(speed * cos, speed * sin);
        let state = VehicleState {
            world_from_body: Pose2::IDENTITY,
            velocity_in_body: Twist2::new(at_cog.x, at_cog.y - b * rate, rate),
        };
        let wanted = at_cog + (p.epsilon * rate / speed) * at_cog.perpendicular();
        let steer = build(&p).unwrap().steer(wanted, &state);
        assert!((steer.speed - at_cog.x).abs() < 1e-9 && (steer.turn_rate - rate).abs() < 1e-9, "{steer:?}");
        assert!((steer.steering_angle - delta).abs() < 1e-6, "{steer:?}, {delta}");
    }
}

/// Below its blend speeds the dynamic law is that of a rolling car with P b + ε ahead of the rear axle; between them it
/// changes continuously.
#[test]
fn the_dynamic_law_rolls_at_low_speed() {
    let mut law = linearizer("dynamic");
    let angle = |law: &mut dyn Linearizer, speed: f64| {
        let state = VehicleState { velocity_in_body: Twist2::new(speed, 0.0, 0.2), ..VehicleState::default() };
        law.steer(Vec2::new(0.8, 0.02), &state).steering_angle
    };
    let rolling = libm::atan(0.325 * 0.02 / 0.2603 / 0.8);
    for speed in [0.0, 0.3, 0.5, -2.0] {
        assert!((angle(&mut *law, speed) - rolling).abs() < 1e-12, "{speed}");
    }
    let angles: Vec<f64> = (0..=200).map(|i| angle(&mut *law, 0.4 + 0.006 * f64::from(i))).collect();
    assert!(angles.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.002), "{angles:?}");
    assert!((angles[200] - rolling).abs() > 0.01, "the laws differ");
}

#[test]
fn the_dynamic_law_respects_the_lateral_acceleration_limit() {
    let p = LinearizerParameters { linearizer: "dynamic".into(), ..LinearizerParameters::default() };
    let state = VehicleState { velocity_in_body: Twist2::new(2.0, 0.0, 0.0), ..VehicleState::default() };
    let steer = build(&p).unwrap().steer(Vec2::new(2.0, 2.0), &state);
    assert!(steer.steering_is_cut && (steer.turn_rate - 20.0 / 2.0).abs() < 1e-9, "{steer:?}");
    assert!((steer.steering_angle - 5.692 * 20.0 / 399.0).abs() < 1e-9, "{steer:?}");
}

#[test]
fn errors_of_linearizer_parameters_name_the_accepted_values() {
    let with = |change: &dyn Fn(&mut LinearizerParameters)| {
        let mut parameters = LinearizerParameters { linearizer: "dynamic".into(), ..LinearizerParameters::default() };
        change(&mut parameters);
        build(&parameters).map(|_| ()).expect_err("wrong parameters").to_string()
    };
    assert_eq!(
        with(&|p| p.linearizer = "kinematics".into()),
        "linearizer: found \"kinematics\"\n  accepted: kinematic, dynamic\n  hint: did you mean \"kinematic\"?"
    );
    let bad = |p: &mut LinearizerParameters| (p.linearizer, p.wheelbase) = ("kinematic".into(), 0.0);
    assert_eq!(with(&bad), "L: found 0\n  accepted: a number > 0 [m]");
    assert_eq!(with(&|p| p.epsilon = -0.1), "epsilon: found -0.1\n  accepted: a number > 0 [m]");
    assert_eq!(with(&|p| p.front_stiffness = 0.0), "C_f: found 0\n  accepted: a number > 0 [N/rad]");
    assert_eq!(with(&|p| p.rear_stiffness = f64::NAN), "C_r: found NaN\n  accepted: a number > 0 [N/rad]");
    assert_eq!(with(&|p| p.cog_to_front = 0.0), "a: found 0\n  accepted: a number > 0 [m]");
    assert_eq!(with(&|p| p.cog_to_rear = 0.0), "b: found 0\n  accepted: a number > 0 [m]");
    assert_eq!(with(&|p| p.mass = 0.0), "M: found 0\n  accepted: a number > 0 [kg]");
    assert_eq!(
        with(&|p| p.max_steering_angle = 1.6),
        "max_steering_angle: found 1.6\n  accepted: a number > 0 and less than π/2 [rad]"
    );
    assert_eq!(
        with(&|p| p.max_speed = 0.01),
        "max_speed: found 0.01\n  accepted: a number greater than min_speed, which is 0.02 [m/s]"
    );
    assert_eq!(with(&|p| p.min_speed = 0.0), "min_speed: found 0\n  accepted: a number > 0 [m/s]");
    assert_eq!(
        with(&|p| p.blend_speeds = [1.0, 1.0]),
        "blend_speeds: found 1\n  accepted: two numbers, the first at least 0.1, the second greater [m/s]"
    );
    assert_eq!(
        with(&|p| p.max_lateral_acceleration = 0.0),
        "max_lateral_acceleration: found 0\n  accepted: a number > 0 [m/s²]"
    );
}

fn tracker(change: impl Fn(&mut TrackerParameters)) -> PointTracker {
    let mut parameters = TrackerParameters::default();
    change(&mut parameters);
    PointTracker::new(parameters).unwrap()
}

/// A reference at rest this far ahead of [`at`] in the world.
fn ahead(x: f64, y: f64) -> Sample {
    Sample { position: Vec2::new(1.0 + x, -2.0 + y), ..Sample::default() }
}

#[test]
fn the_study_defaults_are_a_p_controller_with_feed_forward() {
    let reference = Sample { velocity: Vec2::new(0.3, -0.4), ..ahead(0.1, 0.2) };
    let step = tracker(|_| {}).step(&reference, &at(0.7), 0.01);
    assert!((step.point_velocity - Vec2::new(0.3 + 0.5, -0.4 + 1.0)).norm() < 1e-12, "{step:?}");
    let arm = Vec2::new(0.1 * libm::cos(0.7), 0.1 * libm::sin(0.7));
    assert!((step.point - Vec2::new(1.0, -2.0) - arm).norm() < 1e-12);
    assert!((step.point_reference - reference.position - arm).norm() < 1e-12);
}

/// With the path's heading the reference of P is a point of an ideal car on the path, and its velocity is the derivative.
#[test]
fn the_velocity_of_the_exact_reference_is_its_derivative() {
    let eight = trajectory::build(&TrajectoryParameters::default()).unwrap();
    let exact = |time: f64| {
        let parameters = TrackerParameters {
            proportional: 0.0,
            reference_heading: ReferenceHeading::Path,
            ..TrackerParameters::default()
        };
        PointTracker::new(parameters).unwrap().step(&eight.at(time), &at(0.0), 0.0)
    };
    for step in 0..100 {
        let time = f64::from(step) * 0.2;
        let rate = (0.5 / 1e-6) * (exact(time + 1e-6).point_reference - exact(time - 1e-6).point_reference);
        assert!((rate - exact(time).point_velocity).norm() < 1e-6, "{time}");
        assert!(((exact(time).point_reference - eight.at(time).position).norm() - 0.1).abs() < 1e-12);
    }
}

/// A reference that stops keeps its last heading.
#[test]
fn the_exact_reference_keeps_its_heading_where_the_path_ends() {
    let mut tracker = tracker(|p| p.reference_heading = ReferenceHeading::Path);
    let moving = Sample { velocity: Vec2::new(0.0, 2.0), ..ahead(0.0, 0.0) };
    let first = tracker.step(&moving, &at(0.0), 0.0).point_reference;
    assert_eq!(first, tracker.step(&ahead(0.0, 0.0), &at(0.0), 0.01).point_reference);
    tracker.reset();
    assert_ne!(
        first,
        tracker.step(&ahead(0.0, 0.0), &at(0.0), 0.01).point_reference,
        "the vehicle's, where none is known"
    );
}

#[test]
fn the_integral_is_a_riemann_sum_and_the_derivative_a_difference() {
    let mut sum = tracker(|p| (p.proportional, p.integral) = (0.0, 2.0));
    let mut rate = tracker(|p| (p.proportional, p.derivative) = (0.0, 0.5));
    let errors = [0.1, 0.2, -0.05];
    let mut integral = 0.0;
    for (i, error) in errors.into_iter().enumerate() {
        let dt = if i == 0 { 0.0 } else { 0.02 };
        integral += error * dt;
        let summed = sum.step(&ahead(error, -error), &at(0.0), dt).point_velocity;
        assert!((summed - Vec2::new(2.0 * integral, -2.0 * integral)).norm() < 1e-12);
        let difference = if i == 0 { 0.0 } else { (error - errors[i - 1]) / 0.02 };
        let differed = rate.step(&ahead(error, -error), &at(0.0), dt).point_velocity;
        assert!((differed - Vec2::new(0.5 * difference, -0.5 * difference)).norm() < 1e-9);
    }
}

#[test]
fn anti_windup_stops_the_integral() {
    let wound = |anti_windup: AntiWindup, is_cut: bool| {
        let mut tracker = tracker(|p| {
            (p.proportional, p.integral, p.anti_windup, p.integral_limit) = (0.0, 1.0, anti_windup, 0.3);
        });
        tracker.report_cut(is_cut);
        let mut last = 0.0;
        for _ in 0..100 {
            last = tracker.step(&ahead(1.0, 0.0), &at(0.0), 0.01).point_velocity.x;
        }
        // Errors of the opposite sign unwind it, whether the command is limited or not.
        let back = tracker.step(&ahead(-1.0, 0.0), &at(0.0), 0.01).point_velocity.x;
        (last, back)
    };
    let near =
        |actual: (f64, f64), last: f64| (actual.0 - last).abs() < 1e-9 && (actual.1 - (last - 0.01)).abs() < 1e-9;
    assert!(near(wound(AntiWindup::None, true), 1.0));
    assert!(near(wound(AntiWindup::Clamp, true), 0.3));
    assert!(near(wound(AntiWindup::Conditional, false), 0.3));
    let (last, back) = wound(AntiWindup::Conditional, true);
    assert_eq!((last, back), (0.0, 0.0), "it stays where it was while cut");
}

/// A new Ki keeps the integral's contribution; a Kd that is switched on starts from the last error.
#[test]
fn gains_change_without_a_jump() {
    let mut tracker = tracker(|p| (p.proportional, p.integral) = (0.0, 1.0));
    for _ in 0..50 {
        tracker.step(&ahead(0.2, 0.0), &at(0.0), 0.01);
    }
    let before = tracker.step(&ahead(0.2, 0.0), &at(0.0), 0.01).point_velocity.x;
    let parameters = TrackerParameters { integral: 3.0, derivative: 1.0, ..*tracker.parameters() };
    tracker.set_parameters(parameters).unwrap();
    let after = tracker.step(&ahead(0.2, 0.0), &at(0.0), 0.01).point_velocity.x;
    assert!((after - before - 3.0 * 0.2 * 0.01).abs() < 1e-12, "{before} {after}");
    tracker.set_parameters(TrackerParameters { point_distance: 0.3, ..parameters }).unwrap();
    let speed = tracker.step(&ahead(0.2, 0.0), &at(0.0), 0.01).point_velocity.x;
    assert!((speed - after).abs() < 0.01, "another P is not a rate: {speed} {after}");
    tracker.set_parameters(TrackerParameters { integral: 0.0, derivative: 0.0, ..parameters }).unwrap();
    assert_eq!(
        tracker.step(&ahead(0.2, 0.0), &at(0.0), 0.01).point_velocity.x,
        0.0,
        "without Ki nothing is left of it"
    );
}

#[test]
fn errors_of_gains_name_the_accepted_values_and_change_nothing() {
    let mut tracker = tracker(|_| {});
    let before = *tracker.parameters();
    let mut error = |change: &dyn Fn(&mut TrackerParameters)| {
        let mut parameters = before;
        change(&mut parameters);
        tracker.set_parameters(parameters).expect_err("wrong gains").to_string()
    };
    assert_eq!(error(&|p| p.proportional = -5.0), "Kp: found -5\n  accepted: a number ≥ 0 [1/s]");
    assert_eq!(error(&|p| p.integral = f64::NAN), "Ki: found NaN\n  accepted: a number ≥ 0 [1/s²]");
    assert_eq!(error(&|p| p.derivative = f64::INFINITY), "Kd: found inf\n  accepted: a number ≥ 0 [-]");
    assert_eq!(error(&|p| p.point_distance = -0.1), "PL_distance: found -0.1\n  accepted: a number ≥ 0 [m]");
    assert_eq!(error(&|p| p.integral_limit = 0.0), "integral_limit: found 0\n  accepted: a number > 0 [m/s]");
    assert_eq!(*tracker.parameters(), before);
    let bad = PointTracker::new(TrackerParameters { integral: -1.0, ..before }).map(|_| ());
    assert_eq!(bad.unwrap_err().to_string(), "Ki: found -1\n  accepted: a number ≥ 0 [1/s²]");
}

#[test]
fn parameters_have_the_names_of_the_study() {
    let parameters: TrackerParameters =
        serde_json::from_str(r#"{"Kp":1,"Ki":2,"Kd":3,"FFWD":false,"PL_distance":0.2,"anti_windup":"conditional","reference_heading":"path","active":0}"#)
            .unwrap();
    assert_eq!((parameters.proportional, parameters.integral, parameters.derivative), (1.0, 2.0, 3.0));
    assert_eq!(
        (parameters.anti_windup, parameters.reference_heading),
        (AntiWindup::Conditional, ReferenceHeading::Path)
    );
    assert!(!parameters.feed_forward && !parameters.active);
}

fn driver(parameters: TrackerParameters) -> TrajectoryDriver {
    let line = TrajectoryParameters { trajectory_type: "line".into(), ..TrajectoryParameters::default() };
    let (line, tracker) = (trajectory::build(&line).unwrap(), PointTracker::new(parameters).unwrap());
    TrajectoryDriver::new(line, tracker, linearizer("kinematic"), SimTime::from_secs(0.01))
}

/// While the tracker is inactive the car stands; the motion begins when it becomes active.
#[test]
fn becoming_active_starts_the_motion() {
    let mut driver = driver(TrackerParameters { active: false, ..TrackerParameters::default() });
    let reference_at = |driver: &mut TrajectoryDriver, ms: i64| {
        let frame = driver.tick(SimTime(ms * 1_000_000), &VehicleState::default()).expect("due");
        (frame.active, frame.reference.position, frame.steer.speed)
    };
    for ms in [0, 10, 20] {
        assert_eq!(reference_at(&mut driver, ms), (false, Vec2::ZERO, 0.0));
    }
    driver.set_parameters(TrackerParameters::default()).unwrap();
    assert_eq!(reference_at(&mut driver, 30).1, Vec2::ZERO);
    let (active, position, speed) = reference_at(&mut driver, 1030);
    assert!(active && (position - Vec2::new(0.6, 0.8)).norm() < 1e-12 && speed > 1.0, "{position:?}");
    driver.set_parameters(TrackerParameters { active: false, ..TrackerParameters::default() }).unwrap();
    assert_eq!(reference_at(&mut driver, 1040), (false, Vec2::ZERO, 0.0));
    driver.set_parameters(TrackerParameters::default()).unwrap();
    assert_eq!(reference_at(&mut driver, 1050).1, Vec2::ZERO, "anew");
    assert!(reference_at(&mut driver, 2050).1.norm() > 0.9);
    driver.set_parameters(TrackerParameters { active: false, ..TrackerParameters::default() }).unwrap();
    driver.set_parameters(TrackerParameters::default()).unwrap();
    assert_eq!(reference_at(&mut driver, 2060).1, Vec2::ZERO, "also when it was off between two ticks only");
    driver.reset();
    assert_eq!(reference_at(&mut driver, 2065).1, Vec2::ZERO, "at once after a reset");
}

/// Where the reference is over the car is braked with its wheels as they are, though the end of the path lies beside it; a reset begins
/// anew.
#[test]
fn a_car_is_braked_where_its_path_ends() {
    let path = TrajectoryParameters {
        trajectory_type: "waypoints".into(),
        points: vec![Waypoint::at(0.0, 0.0), Waypoint::at(3.0, 0.0)],
        speed: 1.5,
        ..TrajectoryParameters::default()
    };
    let beside = VehicleState { world_from_body: Pose2::new(3.0, 0.2, 0.0), ..VehicleState::default() };
    for law in ["kinematic", "dynamic"] {
        let tracker = PointTracker::new(TrackerParameters::default()).unwrap();
        let path = trajectory::build(&path).unwrap();
        let mut driver = TrajectoryDriver::new(path, tracker, linearizer(law), SimTime::from_secs(0.01));
        let mut tick = |time: f64| driver.tick(SimTime::from_secs(time), &beside).expect("due");
        tick(0.0);
        // 3 m at 1.5 m/s.
        let last = tick(2.0);
        assert!(!last.is_over && last.steer.speed > 1.0 && last.steer.steering_angle < -0.1, "{last:?}");
        for time in [2.01, 3.0, 60.0] {
            let frame = tick(time);
            assert!(frame.is_over && frame.active, "{frame:?}");
            assert_eq!((frame.reference.position, frame.point_velocity), (Vec2::new(3.0, 0.0), Vec2::ZERO));
            let steer = frame.steer;
            assert_eq!((steer.speed, steer.steering_angle, steer.is_cut()), (0.0, last.steer.steering_angle, false));
        }
        driver.reset();
        assert!(!driver.tick(SimTime::from_secs(60.005), &beside).expect("due").is_over);
    }
}

#[test]
fn a_driver_does_nothing_between_its_ticks() {
    let mut driver = driver(TrackerParameters::default());
    let ticks = (0..=40).filter(|ms| driver.tick(SimTime(ms * 1_000_000), &VehicleState::default()).is_some());
    assert_eq!(ticks.collect::<Vec<_>>(), [0, 10, 20, 30, 40]);
}

#[test]
fn new_gains_of_an_active_driver_do_not_restart_the_motion() {
    let mut driver = driver(TrackerParameters::default());
    driver.tick(SimTime(0), &VehicleState::default()).expect("due");
    driver.set_parameters(TrackerParameters { proportional: 2.0, ..TrackerParameters::default() }).unwrap();
    let frame = driver.tick(SimTime::from_secs(1.0), &VehicleState::default()).expect("due");
    assert!((frame.reference.position - Vec2::new(0.6, 0.8)).norm() < 1e-12, "{:?}", frame.reference.position);
}

/// The line leaves the origin along (0.6, 0.8).
#[test]
fn a_driver_shows_the_path_that_it_follows() {
    let course = driver(TrackerParameters::default()).course();
    assert!(course.len() > 1 && course[0] == Vec2::ZERO);
    assert!(course.iter().all(|point| (0.8 * point.x - 0.6 * point.y).abs() < 1e-9), "{course:?}");
}

/// The first command acts at once, the others after the latency; those that somebody else's replace never do.
#[test]
fn commands_act_after_the_latency() {
    let ms = |ms: i64| SimTime(ms * 1_000_000);
    let mut driver = driver(TrackerParameters::default()).with_latency(ms(25));
    let still = VehicleState::default();
    let mut computed = Vec::new();
    let mut acting = Vec::new();
    for now in (0..=60).step_by(5) {
        computed.extend(driver.tick(ms(now), &still).map(|frame| frame.steer));
        acting.extend(driver.arrived(ms(now)).map(|steer| (now, steer)));
    }
    let times: Vec<i64> = acting.iter().map(|(now, _)| *now).collect();
    assert_eq!(times, [0, 35, 45, 55]);
    assert!(acting.iter().zip(&computed).all(|((_, acting), computed)| acting == computed));
    assert!(computed[1] != computed[2]);
    driver.drop_commands();
    assert_eq!(driver.arrived(ms(100)), None);
    let next = driver.tick(ms(100), &still).map(|frame| frame.steer);
    assert_eq!(driver.arrived(ms(100)), next);
}
