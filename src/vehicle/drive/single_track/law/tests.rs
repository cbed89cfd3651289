//! The single track against the linear theory, closed forms and its own symmetry.

use nalgebra::{Matrix2, Vector2};

use super::*;
use crate::drive::kinematic::law::{KinematicBicycle, Reference};

const G: f64 = 9.81;
const TYRES: [TyreModel; 5] = [
    TyreModel::Linear,
    TyreModel::Fiala { saturates: true },
    TyreModel::Fiala { saturates: false },
    TyreModel::Pacejka { b: None, c: 1.45, e: 0.97 },
    TyreModel::LinearByLoad,
];

/// Tyres with a linear form, and the one without.
fn every_tyre() -> impl Iterator<Item = TyreModel> {
    TYRES.into_iter().chain([TyreModel::Grip])
}

fn parameters(tyres: TyreModel) -> SingleTrackParameters {
    SingleTrackParameters {
        mass: 1500.0,
        yaw_inertia: 2500.0,
        cog_to_front: 1.2,
        cog_to_rear: 1.5,
        cog_height: 0.0,
        front_stiffness: 80e3,
        rear_stiffness: 90e3,
        mu: 0.9,
        tyres,
        speed_lag: 0.0,
        max_acceleration: 0.0,
        blend_speeds: [0.5, 1.5],
        substep: 1e-3,
        integrator: Integrator::Rk4,
    }
}

fn car(tyres: TyreModel) -> SingleTrack {
    SingleTrack::new(parameters(tyres), G)
}

fn input(speed: f64, steering_angle: f64) -> SingleTrackInput {
    SingleTrackInput { speed, steering_angle, gravity_in_body: Vec2::ZERO, gravity_into_ground: G, mu: [0.9, 0.9] }
}

fn run(car: &SingleTrack, from: SingleTrackState, input: &SingleTrackInput, seconds: f64) -> SingleTrackState {
    let steps = (seconds / 0.005).round() as u32;
    (0..steps).fold(from, |state, _| car.advance(state, input, 0.005))
}

fn at(speed: f64) -> SingleTrackState {
    SingleTrackState { speed, ..SingleTrackState::default() }
}

/// x, y, ψ, r, β, v.
fn array(state: &SingleTrackState) -> [f64; 6] {
    [state.pose.x, state.pose.y, state.pose.yaw, state.yaw_rate, state.sideslip, state.speed]
}

#[test]
fn circles_are_those_of_the_linear_theory_at_small_angles() {
    for tyres in TYRES {
        let car = car(tyres);
        for speed in [3.0, 10.0, 30.0] {
            let delta = 1e-4;
            let steady = car.linear(G).unwrap().steady_state(speed);
            let end = run(&car, at(speed), &input(speed, delta), 10.0);
            assert!((end.yaw_rate / (steady.yaw_rate * delta) - 1.0).abs() < 2e-3, "{tyres:?} {speed}: {end:?}");
            assert!((end.sideslip - steady.sideslip * delta).abs() < 2e-3 * delta, "{tyres:?} {speed}: {end:?}");
        }
    }
}

/// x(t) = A⁻¹·(exp(A·t) − 1)·B·δ from rest, by the series of the exponential with repeated squaring.
fn step_response(a: Matrix2<f64>, b: Vector2<f64>, t: f64, delta: f64) -> Vector2<f64> {
    let small = a * (t / 1024.0);
    let (mut term, mut sum) = (Matrix2::identity(), Matrix2::identity());
    for k in 1..12 {
        term = term * small / f64::from(k);
        sum += term;
    }
    for _ in 0..10 {
        sum *= sum;
    }
    a.try_inverse().unwrap() * (sum - Matrix2::identity()) * b * delta
}

#[test]
fn the_response_to_a_small_steering_step_matches_the_state_space() {
    for tyres in TYRES {
        let car = car(tyres);
        let delta = 1e-4;
        for speed in [5.0, 25.0] {
            let (a, b) = car.linear(G).unwrap().state_space(speed);
            for t in [0.05, 0.1, 0.3, 1.0] {
                let expected = step_response(a, b, t, delta);
                let end = run(&car, at(speed), &input(speed, delta), t);
                let scale = car.linear(G).unwrap().steady_state(speed).yaw_rate * delta;
                assert!((end.yaw_rate - expected.y).abs() < 1e-3 * scale, "{tyres:?} {speed} {t}: {end:?} {expected}");
                assert!((end.sideslip - expected.x).abs() < 1e-3 * scale, "{tyres:?} {speed} {t}: {end:?} {expected}");
            }
        }
    }
}

#[test]
fn an_oversteering_car_is_unstable_only_above_its_critical_speed() {
    let tail_heavy = SingleTrackParameters { cog_to_front: 1.6, cog_to_rear: 1.1, ..parameters(TyreModel::Linear) };
    let car = SingleTrack::new(tail_heavy, G);
    let critical = car.linear(G).unwrap().critical_speed().unwrap();
    let disturbed = |share: f64| {
        let start = SingleTrackState { yaw_rate: 1e-3, ..at(share * critical) };
        run(&car, start, &input(share * critical, 0.0), 20.0).yaw_rate.abs()
    };
    assert!(disturbed(0.9) < 1e-5, "{}", disturbed(0.9));
    assert!(disturbed(1.1) > 0.1, "{}", disturbed(1.1));
}

#[test]
fn saturating_tyres_corner_within_the_friction_limit() {
    let delta = 0.3;
    let speed = 25.0;
    let acceleration = |tyres| {
        let end = run(&car(tyres), at(speed), &input(speed, delta), 8.0);
        let forces = car(tyres).forces(&end, &input(speed, delta), 0.0);
        (forces.lateral[0] + forces.lateral[1]) / 1500.0
    };
    for tyres in [TYRES[1], TYRES[3]] {
        let limit = 0.9 * G;
        let reached = acceleration(tyres);
        assert!(reached <= limit * (1.0 + 1e-12) && reached > 0.8 * limit, "{tyres:?}: {reached}");
    }
    assert!(acceleration(TYRES[0]) > 1.5 * 0.9 * G, "{}", acceleration(TYRES[0]));
}

#[test]
fn stiffness_follows_load_and_grip_where_it_is_by_load() {
    let parameters = SingleTrackParameters { cog_height: 0.6, ..parameters(TyreModel::LinearByLoad) };
    let (car, constant) = (
        SingleTrack::new(parameters, G),
        SingleTrack::new(SingleTrackParameters { tyres: TyreModel::Linear, ..parameters }, G),
    );
    let still = [1.5, 1.2].map(|lever| 1500.0 * G * lever / 2.7);
    for (acceleration, mu) in [(0.0, 0.9), (4.0, 0.9), (-6.0, 0.3)] {
        let input = SingleTrackInput { mu: [mu; 2], ..input(20.0, 0.02) };
        let [actual, plain] = [&car, &constant].map(|car| car.forces(&at(20.0), &input, acceleration));
        let transfer = 1500.0 * acceleration * 0.6 / 2.7;
        let share = [(still[0] - transfer) / still[0], (still[1] + transfer) / still[1]].map(|load| load * mu / 0.9);
        for axle in [0, 1] {
            assert!((actual.lateral[axle] - plain.lateral[axle] * share[axle]).abs() < 1e-9, "{acceleration} {mu}");
        }
    }
}

#[test]
fn fiala_slides_at_three_mu_n_over_c() {
    let car = car(TYRES[1]);
    let load = 1500.0 * G * 1.5 / 2.7;
    let limit = libm::atan(3.0 * 0.9 * load / 80e3);
    for (share, full) in [(0.98, false), (1.0001, true), (1.5, true)] {
        // Only the front wheel is steered; the car drives straight ahead.
        let forces = car.forces(&at(20.0), &input(20.0, share * limit), 0.0);
        assert!((forces.load[0] - load).abs() < 1e-9);
        let used = forces.lateral[0] / (0.9 * load);
        assert!((used >= 1.0 - 1e-12) == full && used > 0.99, "{share}: {used}");
    }
}

#[test]
fn left_and_right_are_mirror_images_to_the_last_bit() {
    for tyres in every_tyre() {
        let car = SingleTrack::new(
            SingleTrackParameters { cog_height: 0.5, max_acceleration: 6.0, speed_lag: 0.2, ..parameters(tyres) },
            G,
        );
        let (mut left, mut right) = (at(4.0), at(4.0));
        for k in 0..2000 {
            let steer = 0.3 * libm::sin(0.01 * f64::from(k));
            let speed = 12.0 * libm::cos(2e-3 * f64::from(k));
            let mut order = SingleTrackInput { gravity_in_body: Vec2::new(0.3, 0.2), ..input(speed, steer) };
            left = car.advance(left, &order, 0.005);
            order.gravity_in_body.y = -0.2;
            right = car.advance(right, &SingleTrackInput { steering_angle: -steer, ..order }, 0.005);
            let mirrored =
                [right.pose.x, -right.pose.y, -right.pose.yaw, -right.yaw_rate, -right.sideslip, right.speed];
            assert_eq!(array(&left), mirrored, "{tyres:?} {k}");
        }
    }
}

#[test]
fn it_stays_finite_at_any_step_through_standstill_spin_and_reverse() {
    for tyres in every_tyre() {
        for integrator in [Integrator::Euler, Integrator::Rk4] {
            for (dt, substep) in [(1e-3, 1e-3), (5e-3, 1e-3), (1e-2, 1e-2), (2e-2, 2e-2), (2e-2, 1e-3)] {
                for (lag, most) in [(0.0, 0.0), (0.2, 8.0), (0.0, 8.0), (1e-4, 8.0)] {
                    let car = SingleTrack::new(
                        SingleTrackParameters {
                            integrator,
                            substep,
                            speed_lag: lag,
                            max_acceleration: most,
                            ..parameters(tyres)
                        },
                        G,
                    );
                    let mut state = at(0.0);
                    let mut largest: f64 = 0.0;
                    for k in 0..(6.5 / dt) as u32 {
                        let t = f64::from(k) * dt;
                        let order = input(15.0 * libm::sin(t), 0.5 * libm::sin(2.3 * t));
                        state = car.advance(state, &order, dt);
                        largest = largest.max(state.yaw_rate.abs());
                    }
                    assert!(array(&state).iter().all(|x| x.is_finite()), "{tyres:?} {integrator:?} {dt} {lag}");
                    assert!(largest < 60.0, "{tyres:?} {integrator:?} {dt} {substep} {lag} {most}: {largest}");
                    let stood = (0..(4.0 / dt) as u32).fold(state, |s, _| car.advance(s, &input(0.0, 0.2), dt));
                    assert!(stood.speed == 0.0 && stood.yaw_rate == 0.0, "{tyres:?} {integrator:?} {dt}: {stood:?}");
                }
            }
        }
    }
}

#[test]
fn at_low_speed_it_is_the_kinematic_bicycle_forward_and_back() {
    for tyres in every_tyre() {
        for speed in [0.4, -0.4, 2.0, -2.0] {
            let bicycle = KinematicBicycle { wheelbase: 2.7, rear_to_cog: 1.5, reference: Reference::Cog };
            let end = run(&car(tyres), at(speed), &input(speed, 0.2), 10.0);
            let expected = bicycle.velocity(speed, 0.2);
            let tolerance = if speed.abs() < 1.0 { 1e-9 } else { 1e-2 };
            let velocity = end.velocity();
            assert!(
                (velocity.wz / expected.wz - 1.0).abs() < tolerance,
                "{tyres:?} {speed}: {velocity:?} {expected:?}"
            );
            assert!((velocity.vy / expected.vy - 1.0).abs() < 3.0 * tolerance, "{tyres:?} {speed}: {velocity:?}");
        }
    }
}

#[test]
fn the_blend_has_no_kink() {
    let car = car(TyreModel::Linear);
    let order = input(1.0, 0.2);
    let step = car.prepare(&at(1.0), &order, (0.005, 0.001));
    let weight = |v: f64| step.dynamic_weight(v);
    let [low, high] = step.blend;
    assert_eq!((low, high), (0.5, 1.5));
    let slope = |v: f64| (weight(v + 1e-7) - weight(v - 1e-7)) / 2e-7;
    for v in [low, high] {
        assert!(slope(v).abs() < 1e-5, "{v}: {}", slope(v));
    }
    assert!((weight(1.0) - 0.5).abs() < 1e-15 && weight(-1.2) == weight(1.2));
}

#[test]
fn integrators_converge_with_their_order() {
    for integrator in [Integrator::Euler, Integrator::Midpoint, Integrator::Rk4] {
        let drive = |integrator, substep| {
            let car = SingleTrack::new(SingleTrackParameters { integrator, substep, ..parameters(TYRES[3]) }, G);
            array(&car.advance(at(15.0), &input(15.0, 0.08), 1.0))
        };
        let exact = drive(Integrator::Rk4, 1.0 / 8192.0);
        let error = |substep| {
            let end = drive(integrator, substep);
            (0..5).map(|i| (end[i] - exact[i]).abs()).fold(0.0, f64::max)
        };
        let order = (error(1.0 / 128.0) / error(1.0 / 256.0)).log2();
        assert!((order - f64::from(integrator.order())).abs() < 0.15, "{integrator:?}: {order}");
    }
}

#[test]
fn braking_shifts_load_by_m_a_h_over_l() {
    let car = SingleTrack::new(SingleTrackParameters { cog_height: 0.6, ..parameters(TyreModel::Linear) }, G);
    let [standing, braking] = [0.0, -5.0].map(|a| car.forces(&at(10.0), &input(10.0, 0.0), a).load);
    let transfer = 1500.0 * 5.0 * 0.6 / 2.7;
    assert!((braking[0] - standing[0] - transfer).abs() < 1e-9 && (braking[1] - standing[1] + transfer).abs() < 1e-9);
    assert!((standing[0] + standing[1] - 1500.0 * G).abs() < 1e-9);
}

#[test]
fn speed_follows_with_its_lag_within_the_limits_of_drive_and_grip() {
    let with = |lag, most| {
        SingleTrack::new(
            SingleTrackParameters { speed_lag: lag, max_acceleration: most, ..parameters(TyreModel::Linear) },
            G,
        )
    };
    let after_lag = run(&with(0.5, 100.0), at(10.0), &input(10.5, 0.0), 0.5);
    assert!((after_lag.speed - (10.5 - 0.5 / std::f64::consts::E)).abs() < 1e-9, "{after_lag:?}");
    let limited = run(&with(0.1, 2.0), at(0.0), &input(20.0, 0.0), 3.0);
    assert!((limited.speed - 6.0).abs() < 1e-9, "{limited:?}");
    let gripped = run(&with(0.1, 50.0), at(0.0), &SingleTrackInput { mu: [0.1; 2], ..input(20.0, 0.0) }, 3.0);
    assert!((gripped.speed - 0.1 * G * 3.0).abs() < 1e-9, "{gripped:?}");
    assert_eq!(run(&with(0.3, 0.0), at(0.0), &input(7.0, 0.0), 0.005).speed, 7.0);
}

#[test]
fn it_stands_on_a_slope_that_its_brakes_hold_and_slides_down_another() {
    let car = SingleTrack::new(
        SingleTrackParameters { speed_lag: 0.2, max_acceleration: 3.0, ..parameters(TyreModel::Linear) },
        G,
    );
    let slope = |pull: f64| SingleTrackInput { gravity_in_body: Vec2::new(-pull, 0.0), ..input(0.0, 0.1) };
    assert_eq!(run(&car, at(0.0), &slope(2.9), 20.0).pose.x, 0.0);
    let slid = run(&car, at(0.0), &slope(4.0), 2.0);
    assert!((slid.speed + 2.0).abs() < 2e-2, "{slid:?}");
    // A hillside pulls a car that drives across it downhill, to its right.
    let aside = SingleTrackInput { gravity_in_body: Vec2::new(0.0, -1.0), ..input(20.0, 0.0) };
    let drifted = run(&car, at(20.0), &aside, 2.0);
    assert!(drifted.sideslip < 0.0 && drifted.pose.y < 0.0, "{drifted:?}");
}

#[test]
fn state_and_velocity_are_two_views_of_one_motion() {
    for velocity in [Twist2::new(3.0, -0.5, 0.2), Twist2::new(-3.0, 0.5, 0.2), Twist2::new(0.0, 0.0, 0.1)] {
        let state = SingleTrackState::from_velocity(Pose2::IDENTITY, velocity);
        let back = state.velocity();
        assert!((back.vx - velocity.vx).abs() < 1e-15 && (back.vy - velocity.vy).abs() < 1e-15, "{state:?}");
    }
}

/// On both sides of the change from the series to the library.
#[test]
fn slip_angles_are_those_of_the_arctangent() {
    for forward in [0.0, 1e-6, 3.0, -3.0, 40.0] {
        for tangent in [0.0, 1e-12, 0.01, 0.1249, 0.1251, 2.0] {
            let left = tangent * if forward == 0.0 { 1.0_f64 } else { f64::abs(forward) };
            let expected = libm::atan2(left, f64::abs(forward));
            let [angle, other] = slip_angles([Vec2::new(forward, left), Vec2::new(forward, -left)]);
            assert!((angle - expected).abs() <= 4e-16 * expected, "{angle} for {expected} at {forward}");
            assert_eq!(other, -angle);
        }
    }
}
