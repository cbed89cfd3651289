//! Autoware's models against closed forms, and at their limits.

use super::*;

const PARAMETERS: Parameters = Parameters {
    wheelbase: 2.79,
    speed_limit: 50.0,
    acceleration_limit: 7.0,
    steering_limit: 1.0,
    steering_rate_limit: 5.0,
    delay: 0.1,
    time_constant: 0.1,
    steering_delay: 0.24,
    steering_time_constant: 0.27,
    steering_dead_band: 0.0,
    steering_bias: 0.0,
};
const GO: Input =
    Input { speed: 0.0, throttle: 1.5, brake: 0.0, gear: GearLever::Drive, slope: 0.0, steering_angle: 0.0 };

const IDEAL_VEL: AutowareModel = AutowareModel::IDEAL_STEER_VEL;
const IDEAL_ACC: AutowareModel = AutowareModel::IDEAL_STEER_ACC;
const IDEAL_GEARED: AutowareModel = AutowareModel::IDEAL_STEER_ACC_GEARED;
const VEL: AutowareModel = AutowareModel::DELAY_STEER_VEL;
const ACC: AutowareModel = AutowareModel::DELAY_STEER_ACC;
const GEARED: AutowareModel = AutowareModel::DELAY_STEER_ACC_GEARED;
const MAPPED: AutowareModel = AutowareModel::DELAY_STEER_MAP_ACC_GEARED;
const UNGUARDED: AutowareModel = AutowareModel::DELAY_STEER_ACC_GEARED_WO_FALL_GUARD;

/// Speed [m/s] and steering angle [rad] after `seconds` in steps of `dt` [s].
fn run(vehicle: &mut AutowareVehicle, input: &Input, seconds: f64, dt: f64) -> [f64; 2] {
    (0..libm::round(seconds / dt) as usize).for_each(|_| {
        vehicle.advance(input, dt);
    });
    [vehicle.velocity().vx, vehicle.steering_angle()]
}

/// v = v*·(1 − e^(−(t − d)/τ)).
#[test]
fn a_commanded_speed_is_reached_by_a_lag_after_the_dead_time() {
    let mut car = AutowareVehicle::new(VEL, Parameters { delay: 0.25, time_constant: 0.5, ..PARAMETERS });
    let input = Input { speed: 2.0, ..GO };
    assert_eq!(run(&mut car, &input, 0.25, 0.001)[0], 0.0);
    let actual = run(&mut car, &input, 1.0, 0.001)[0];
    assert!((actual - 2.0 * (1.0 - (-2.0_f64).exp())).abs() < 1e-12, "{actual}");
}

/// v = a*·((t − d) − τ·(1 − e^(−(t − d)/τ))), likewise backwards in reverse.
#[test]
fn a_commanded_acceleration_is_reached_by_a_lag_after_the_dead_time() {
    for (gear, sign) in [(GearLever::Drive, 1.0), (GearLever::Reverse, -1.0)] {
        for model in [ACC, GEARED] {
            let actual = run(&mut AutowareVehicle::new(model, PARAMETERS), &Input { gear, ..GO }, 1.1, 0.001)[0];
            let expected = sign * 1.5 * (1.0 - 0.1 * (1.0 - (-10.0_f64).exp()));
            assert!((actual - expected).abs() < 1e-9, "{model:?} {actual} {expected}");
        }
    }
}

/// With a map that falls to 0 at the speed V: τ·v̈ + v̇ + a*·v/V = a*, after the dead time from rest; with the roots r and s of τ·λ² + λ + a*/V,
/// v = V·(1 − (s·e^(r·t) − r·e^(s·t))/(s − r)).
#[test]
fn accelerations_are_those_of_the_map_at_the_speed() {
    let (requested, most, lag) = (2.0, 20.0, 0.1_f64);
    let map = CommandMap::new(vec![0.0, 4.0], vec![0.0, most], vec![vec![0.0, 0.0], vec![4.0, 0.0]]).unwrap();
    let mut car = AutowareVehicle::new(MAPPED, PARAMETERS).with_map(map);
    let root = (1.0 - 4.0 * lag * requested / most).sqrt();
    let (r, s) = ((root - 1.0) / (2.0 * lag), (-root - 1.0) / (2.0 * lag));
    let input = Input { throttle: requested, ..GO };
    run(&mut car, &input, 0.1, 0.001);
    for second in 1..=10 {
        let t = f64::from(second);
        let actual = run(&mut car, &input, 1.0, 0.001)[0];
        let expected = most * (1.0 - (s * (r * t).exp() - r * (s * t).exp()) / (s - r));
        assert!((actual - expected).abs() < 1e-9, "{t}: {actual} {expected}");
    }
}

/// From the first step on a half period of the dead time is rounded away; δ = δ*·(1 − e^(−t/τ)) with the order of Euler's rule.
#[test]
fn steering_lags_and_shorter_steps_come_closer_to_the_exponential() {
    let error = |dt: f64| {
        let input = Input { steering_angle: 0.3, ..GO };
        let actual = run(&mut AutowareVehicle::new(ACC, PARAMETERS), &input, 0.24 + 0.4, dt)[1];
        (actual - 0.3 * (1.0 - (-0.4_f64 / 0.27).exp())).abs()
    };
    assert!(error(0.002) < 5e-4);
    assert!((error(0.002) / error(0.001) - 2.0).abs() < 0.05);
}

/// With a bias it ends at δ* − bias, with a dead band as far short of that, and never turns faster than its limit.
#[test]
fn a_servo_with_a_dead_band_and_a_bias_ends_beside_its_target() {
    let parameters = Parameters {
        steering_dead_band: 0.02,
        steering_bias: 0.05,
        steering_rate_limit: 0.4,
        steering_delay: 0.0,
        ..PARAMETERS
    };
    let mut car = AutowareVehicle::new(VEL, parameters);
    let input = Input { steering_angle: 0.5, ..GO };
    assert!((run(&mut car, &input, 0.5, 0.005)[1] - 0.2).abs() < 1e-12);
    assert!((run(&mut car, &input, 9.5, 0.005)[1] - 0.43).abs() < 1e-12);
    let input = Input { steering_angle: -2.0, ..GO };
    assert!((run(&mut car, &input, 20.0, 0.005)[1] - (-1.0 - 0.05 + 0.02)).abs() < 1e-9);
}

#[test]
fn limits_of_speed_and_acceleration_hold() {
    let parameters = Parameters { speed_limit: 5.0, acceleration_limit: 2.0, ..PARAMETERS };
    for model in [VEL, ACC, GEARED, UNGUARDED] {
        let mut car = AutowareVehicle::new(model, parameters);
        let input = Input { speed: 90.0, throttle: 9.0, ..GO };
        let [first, _] = run(&mut car, &input, 1.0, 0.025);
        assert!(first > 1.0 && first < 2.0, "{model:?} {first}");
        let [last, _] = run(&mut car, &input, 9.0, 0.025);
        assert!((last - 5.0).abs() < 1e-6, "{model:?} {last}");
    }
}

#[test]
fn a_gear_is_a_one_way_street_and_none_is_a_wall() {
    for model in [IDEAL_GEARED, GEARED, MAPPED] {
        let mut car = AutowareVehicle::new(model, PARAMETERS);
        run(&mut car, &GO, 2.0, 0.025);
        let braked = Input { throttle: 0.0, brake: 4.0, ..GO };
        assert_eq!(run(&mut car, &braked, 3.0, 0.025)[0], 0.0, "{model:?}");
        let reverse = Input { gear: GearLever::Reverse, ..GO };
        assert!(run(&mut car, &reverse, 2.0, 0.025)[0] < -1.0, "{model:?}");
        // Shifted while it rolls, it stands at once, where it was.
        assert_eq!(car.advance(&Input { gear: GearLever::Neutral, ..GO }, 0.025), Pose2::IDENTITY, "{model:?}");
        assert_eq!(car.velocity().vx, 0.0, "{model:?}");
    }
}

/// As the real class does (sim_model_delay_steer_acc_geared.cpp of autoware.universe, b8ce82e3): its queue takes what is commanded in neutral, so that a
/// car that is put in gear has no dead time.
#[test]
fn what_is_asked_for_out_of_gear_is_under_way_when_a_gear_is_engaged() {
    let mut car = AutowareVehicle::new(GEARED, PARAMETERS);
    assert_eq!(run(&mut car, &Input { gear: GearLever::Neutral, ..GO }, 1.0, 0.001)[0], 0.0);
    let actual = run(&mut car, &GO, 0.5, 0.001)[0];
    let expected = 1.5 * (0.5 - 0.1 * (1.0 - (-5.0_f64).exp()));
    assert!((actual - expected).abs() < 1e-9, "{actual} {expected}");
}

/// As the real class does (sim_model_delay_steer_vel.cpp, likewise): the servo goes on to δ* − bias, and the car turns as with the limit.
#[test]
fn a_bias_beyond_the_limit_turns_models_of_a_speed_no_more_sharply() {
    let parameters = Parameters { steering_limit: 0.5, steering_bias: -0.2, ..PARAMETERS };
    let input = Input { speed: 3.0, steering_angle: 0.9, ..GO };
    for (model, turned) in [(VEL, 0.5_f64), (ACC, 0.7)] {
        let mut car = AutowareVehicle::new(model, parameters);
        let [speed, angle] = run(&mut car, &input, 20.0, 0.025);
        assert!((angle - 0.7).abs() < 1e-9, "{model:?} {angle}");
        let still = Input { throttle: 0.0, ..input };
        let speed = if model == ACC { run(&mut car, &still, 5.0, 0.025)[0] } else { speed };
        let yaw = car.advance(&still, 0.025).yaw;
        assert!((yaw - 0.025 * speed * turned.tan() / 2.79).abs() < 1e-9, "{model:?} {yaw}");
    }
}

/// Also against the lever, and on a slope.
#[test]
fn a_brake_without_gears_ends_at_a_standstill() {
    for model in [IDEAL_ACC, ACC] {
        for gear in [GearLever::Drive, GearLever::Reverse] {
            let mut car = AutowareVehicle::new(model, PARAMETERS);
            run(&mut car, &Input { gear, ..GO }, 2.0, 0.025);
            let braked = Input { throttle: 0.0, brake: 4.0, slope: 0.5, ..GO };
            assert!(run(&mut car, &braked, 0.3, 0.025)[0] != 0.0, "{model:?}");
            assert_eq!(run(&mut car, &braked, 3.0, 0.025)[0], 0.0, "{model:?} {gear:?}");
        }
    }
}

/// Uphill it rolls back with g·sin α unless the brake holds it; in neutral as well.
#[test]
fn without_fall_guard_slopes_and_brakes_decide() {
    let slope = Input { slope: -0.8, throttle: 0.0, ..GO };
    let mut car = AutowareVehicle::new(UNGUARDED, PARAMETERS);
    assert!((run(&mut car, &slope, 1.0, 0.025)[0] + 0.8).abs() < 1e-12);
    let [neutral, _] = run(&mut car, &Input { gear: GearLever::Neutral, ..slope }, 1.0, 0.025);
    assert!((neutral + 1.6).abs() < 1e-12);
    assert_eq!(run(&mut car, &Input { brake: 2.0, ..slope }, 4.0, 0.025)[0], 0.0);
    assert_eq!(run(&mut car, &Input { brake: 0.81, ..slope }, 4.0, 0.025)[0], 0.0);
    assert!(run(&mut car, &Input { brake: 0.79, ..slope }, 4.0, 0.025)[0] < 0.0);
}

/// R = L/tan δ.
#[test]
fn its_rear_axle_runs_on_a_circle() {
    let mut car = AutowareVehicle::new(IDEAL_VEL, PARAMETERS);
    let input = Input { speed: 4.0, steering_angle: -0.3, ..GO };
    let centre = -2.79 / 0.3_f64.tan();
    let pose = (0..400).fold(Pose2::IDENTITY, |pose, _| pose * car.advance(&input, 0.01));
    assert!(((pose.y - centre).hypot(pose.x) - centre.abs()).abs() < 1e-9, "{pose:?}");
    assert!((pose.yaw - 16.0 / centre).abs() < 1e-9, "{pose:?}");
}
