//! Closed forms of what an inertial measurement unit feels, and its errors.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::Twist2;

use super::*;
use crate::georeference::{Geodetic, Georeference};
use crate::raycast::Obstacles;
use crate::sensor::ErrorParameters;

const PERIOD: f64 = 0.01;

fn exact() -> ImuParameters {
    ImuParameters {
        angular_velocity: TriadParameters::white(0.0),
        linear_acceleration: TriadParameters::white(0.0),
        orientation_std: Some(0.0),
        period: SimTime::from_secs(PERIOD),
        ..ImuParameters::default()
    }
}

fn imu(parameters: ImuParameters) -> Imu {
    Imu::new(parameters, &SensorContext { seed: 1, vehicle: "r1".into(), name: "imu".into(), wheels: Vec::new() })
}

/// The last of some samples, one each period; the vehicle's pose and velocity follow from the time [s].
fn last(imu: &mut Imu, count: u32, motion: impl Fn(f64) -> (Pose3, Twist2)) -> ImuSample {
    let obstacles = Obstacles::new();
    let mut reading = imu.new_reading();
    for k in 1..=count {
        let time = f64::from(k) * PERIOD;
        let (world_from_body, velocity_in_body) = motion(time);
        let view =
            View { time: SimTime::from_secs(time), world_from_body, velocity_in_body, ..View::at_rest(&obstacles) };
        imu.sense(&view, &mut reading);
    }
    let ReadingData::Imu(sample) = reading else { panic!("{reading:?}") };
    sample
}

fn assert_near(actual: Vec3, expected: [f64; 3], tolerance: f64) {
    assert!((actual - Vec3::from(expected)).norm() < tolerance, "{actual:?} instead of {expected:?}");
}

#[test]
fn at_rest_it_measures_gravity_in_its_own_frame() {
    let sample = last(&mut imu(exact()), 2, |_| (Pose3::default(), Twist2::default()));
    assert_near(sample.linear_acceleration, [0.0, 0.0, 9.81], 1e-12);
    assert_near(sample.angular_velocity, [0.0; 3], 1e-12);
    assert_eq!(sample.orientation, [0.0, 0.0, 0.0, 1.0]);
    // Rolled to the right by a right angle, and nose down.
    for (roll, pitch, expected) in [(FRAC_PI_2, 0.0, [0.0, 9.81, 0.0]), (0.0, FRAC_PI_2, [-9.81, 0.0, 0.0])] {
        let body_from_sensor = Pose3 { roll, pitch, ..Pose3::default() };
        let sample = last(&mut imu(ImuParameters { body_from_sensor, ..exact() }), 2, |_| Default::default());
        assert_near(sample.linear_acceleration, expected, 1e-12);
    }
}

#[test]
fn on_a_circle_it_feels_the_acceleration_of_its_own_place() {
    // 2 m/s to the left around a point 4 m beside; the sensor sits 1 m ahead of and 0.5 m to the left of the reference point.
    let (speed, yaw_rate) = (2.0, 0.5);
    let body_from_sensor = Pose3 { x: 1.0, y: 0.5, z: 0.3, ..Pose3::default() };
    let sample = last(&mut imu(ImuParameters { body_from_sensor, ..exact() }), 50, |time| {
        (Pose3 { yaw: yaw_rate * time, ..Pose3::default() }, Twist2::new(speed, 0.0, yaw_rate))
    });
    assert_near(sample.angular_velocity, [0.0, 0.0, yaw_rate], 1e-9);
    // ω × v − ω²·r.
    let expected = [-yaw_rate * yaw_rate * 1.0, yaw_rate * speed - yaw_rate * yaw_rate * 0.5, 9.81];
    assert_near(sample.linear_acceleration, expected, 1e-9);
}

/// One sample of a period [s] that ends at `end` [s], with looks every `step` [s].
fn one(end: f64, period: f64, step: f64, lever: Pose3, motion: impl Fn(f64) -> (Pose3, Twist2)) -> ImuSample {
    let (obstacles, mut imu) = (Obstacles::new(), imu(ImuParameters { body_from_sensor: lever, ..exact() }));
    let mut reading = imu.new_reading();
    let at = |time: f64| {
        let (world_from_body, velocity_in_body) = motion(time);
        View { time: SimTime::from_secs(time), world_from_body, velocity_in_body, ..View::at_rest(&obstacles) }
    };
    // The sample before has one before it, too.
    let (first, steps) = (end - 2.0 * period, (period / step).round() as u32);
    imu.sense(&at(first), &mut reading);
    for before in [first, end - period] {
        (1..steps).for_each(|k| imu.watch(&at(before + f64::from(k) * step)));
        imu.sense(&at(before + period), &mut reading);
    }
    let ReadingData::Imu(sample) = reading else { panic!("{reading:?}") };
    sample
}

#[test]
fn a_slow_sample_is_the_mean_of_fast_ones_in_the_axes_of_each() {
    // Speeds up, slows down and swerves.
    let motion = |time: f64| {
        let yaw = 0.8 * libm::sin(5.0 * time);
        let twist = Twist2::new(5.0 + libm::sin(7.0 * time), 0.3 * libm::cos(9.0 * time), 4.0 * libm::cos(5.0 * time));
        (Pose3 { yaw, ..Pose3::default() }, twist)
    };
    let lever = Pose3 { x: 1.0, y: -0.5, z: 0.3, yaw: 0.4, ..Pose3::default() };
    let fast = (1..=10).map(|k| one(f64::from(k) * 0.01, 0.01, 0.005, lever, motion).linear_acceleration);
    let mean = fast.fold(Vec3::zeros(), |sum, force| sum + 0.1 * force);
    let slow = one(0.1, 0.1, 0.005, lever, motion);
    assert_near(slow.linear_acceleration, mean.into(), 1e-9);
    assert_near(slow.angular_velocity, [0.0, 0.0, motion(0.1).1.wz], 1e-12);
}

#[test]
fn braking_and_yawing_faster_are_felt_ahead_of_the_axle() {
    let body_from_sensor = Pose3 { x: 2.0, ..Pose3::default() };
    let sample = last(&mut imu(ImuParameters { body_from_sensor, ..exact() }), 2, |time| {
        (Pose3::default(), Twist2::new(5.0 - 3.0 * time, 0.0, 0.4 * time))
    });
    // With ω × v − ω²·r, as the mean of both samples: v is 4.97 and 4.94 m/s, ω is 0.004 and 0.008 rad/s.
    let centripetal = [0.5 * (0.004 * 0.004 + 0.008 * 0.008) * 2.0, 0.5 * (4.97 * 0.004 + 4.94 * 0.008)];
    assert_near(sample.linear_acceleration, [-3.0 - centripetal[0], 0.8 + centripetal[1], 9.81], 1e-9);
}

#[test]
fn a_change_of_attitude_is_a_rate_about_its_axes() {
    let pitching = last(&mut imu(exact()), 10, |t| (Pose3 { pitch: 0.3 * t, ..Pose3::default() }, Twist2::default()));
    assert_near(pitching.angular_velocity, [0.0, 0.3, 0.0], 1e-9);
    // Turning on a slope of which the nose points down by 0.2 rad: the turn about the vertical has a part about x.
    let turning = last(&mut imu(exact()), 10, |time| {
        (Pose3 { yaw: time, pitch: 0.2, ..Pose3::default() }, Twist2::new(0.0, 0.0, 1.0))
    });
    assert_near(turning.angular_velocity, [-libm::sin(0.2), 0.0, libm::cos(0.2)], 1e-9);
    let [sin, cos] = [libm::sin(0.2), libm::cos(0.2)];
    assert_near(turning.linear_acceleration, [-9.81 * sin, 0.0, 9.81 * cos], 1e-9);
}

#[test]
fn a_climb_that_begins_is_felt_upwards() {
    let sample = last(&mut imu(exact()), 11, |time| (Pose3 { z: time * time, ..Pose3::default() }, Twist2::default()));
    assert_near(sample.linear_acceleration, [0.0, 0.0, 11.81], 1e-6);
}

#[test]
fn a_vehicle_that_is_placed_elsewhere_feels_no_blow() {
    let mut imu = imu(exact());
    last(&mut imu, 5, |_| (Pose3::default(), Twist2::new(3.0, 0.0, 0.0)));
    let (obstacles, mut reading) = (Obstacles::new(), imu.new_reading());
    let view = View {
        time: SimTime::from_secs(6.0 * PERIOD),
        since_set_down: SimTime::from_secs(0.5 * PERIOD),
        world_from_body: Pose3 { z: 4.0, pitch: 0.3, ..Pose3::default() },
        ..View::at_rest(&obstacles)
    };
    imu.sense(&view, &mut reading);
    let ReadingData::Imu(sample) = reading else { panic!("{reading:?}") };
    assert!((sample.linear_acceleration.norm() - 9.81).abs() < 1e-12 && sample.angular_velocity.norm() == 0.0);
}

/// A circle of 1.25 m radius at 5 m/s in a plane that falls towards +x by this angle [rad]. The normal of the plane is that of the body, whatever the
/// heading.
fn on_slope(slope: f64) -> impl Fn(f64) -> (Pose3, Twist2) {
    let (speed, yaw_rate) = (5.0, 4.0);
    move |time: f64| {
        let yaw = 0.7 + yaw_rate * time;
        let ((sin, cos), (sin_slope, cos_slope)) = (libm::sincos(yaw), libm::sincos(slope));
        let x = speed / yaw_rate * sin;
        let pose = Pose3 {
            x,
            y: -speed / yaw_rate * cos,
            z: -x * sin_slope / cos_slope,
            yaw,
            pitch: libm::atan2(sin_slope * cos, cos_slope),
            roll: libm::asin(sin_slope * sin),
        };
        (pose, Twist2::new(speed, 0.0, yaw_rate))
    }
}

/// The mean specific force over a period [s] in the turning axes of the body, at a place of it [m]: by differences of positions in the
/// world that are 0.1 ms apart.
fn mean_force(end: f64, period: f64, place: Vec3, motion: impl Fn(f64) -> (Pose3, Twist2)) -> Vec3 {
    let (count, moment) = ((period / 1e-4).round() as u32, 1e-4);
    let at = |time: f64| motion(time).0.transform_point(place);
    let force = |k: u32| {
        let time = end - period + (f64::from(k) + 0.5) * moment;
        let acceleration = (at(time + moment) - 2.0 * at(time) + at(time - moment)) / (moment * moment);
        motion(time).0.rotation().transpose() * (acceleration + Vec3::new(0.0, 0.0, 9.81))
    };
    (0..count).fold(Vec3::zeros(), |sum, k| sum + force(k)) / f64::from(count)
}

#[test]
fn on_a_slope_gravity_and_the_climb_are_felt_in_the_turning_axes() {
    for place in [Vec3::zeros(), Vec3::new(1.0, 0.5, 0.3)] {
        let lever = Pose3::from_parts(place, &nalgebra::Matrix3::identity());
        for period in [0.01, 0.1, 0.5] {
            let sample = one(1.0, period, 0.005, lever, on_slope(0.3));
            assert_near(sample.linear_acceleration, mean_force(1.0, period, place, on_slope(0.3)).into(), 1e-3);
            let Pose3 { pitch, roll, .. } = on_slope(0.3)(1.0).0;
            let about_normal = 4.0 * libm::cos(pitch) / libm::cos(roll);
            assert_near(sample.angular_velocity, [0.0, 0.0, about_normal], 1e-3);
        }
    }
}

#[test]
fn a_vehicle_that_is_placed_while_driving_feels_that_it_drives_on() {
    // The first sample after a start has nothing before it.
    let level = last(&mut imu(exact()), 1, |_| (Pose3::default(), Twist2::new(5.0, 0.0, 4.0)));
    assert_near(level.linear_acceleration, [0.0, 20.0, 9.81], 1e-12);
    let body_from_sensor = Pose3 { x: 1.0, y: 0.5, z: 0.3, ..Pose3::default() };
    let parameters = || ImuParameters { body_from_sensor, ..exact() };
    let [first, second, third] = [1, 2, 3].map(|count| last(&mut imu(parameters()), count, on_slope(0.3)));
    let Pose3 { pitch, roll, .. } = on_slope(0.3)(PERIOD).0;
    assert_near(first.angular_velocity, [0.0, 0.0, 4.0 * libm::cos(pitch) / libm::cos(roll)], 1e-12);
    // How the speed along the slope changes is not known at first. The climb rate over a period would be a blow of 100 m/s².
    for (sample, after) in [(first, second), (second, third)] {
        assert!((sample.linear_acceleration - after.linear_acceleration).norm() < 3.0, "{sample:?} {after:?}");
        assert!((sample.angular_velocity - after.angular_velocity).norm() < 0.03, "{sample:?} {after:?}");
    }
}

#[test]
fn a_vehicle_that_is_placed_elsewhere_between_two_samples_is_felt_from_there_on() {
    let (obstacles, mut imu) = (Obstacles::new(), imu(exact()));
    let mut reading = imu.new_reading();
    let at = |time: f64, since_set_down: f64, speed: f64| View {
        time: SimTime::from_secs(time),
        since_set_down: SimTime::from_secs(since_set_down),
        world_from_body: Pose3 { yaw: 4.0 * time, ..Pose3::default() },
        velocity_in_body: Twist2::new(speed, 0.0, 4.0),
        ..View::at_rest(&obstacles)
    };
    imu.sense(&at(0.1, 10.0, 1.0), &mut reading);
    // Set down at 0.15 s with another speed: the change is no force.
    for (time, since, speed) in [(0.15, 10.0, 1.0), (0.16, 0.01, 5.0), (0.17, 0.02, 5.0)] {
        imu.watch(&at(time, since, speed));
    }
    imu.sense(&at(0.2, 0.05, 5.0), &mut reading);
    let ReadingData::Imu(sample) = &reading else { panic!("{reading:?}") };
    assert_near(sample.linear_acceleration, [0.0, 20.0, 9.81], 1e-9);
}

#[test]
fn the_attitude_counts_from_the_east() {
    let obstacles = Obstacles::new();
    let world = Georeference::new(Geodetic::default(), FRAC_PI_2);
    let (mut imu, view) = (imu(exact()), View { georeference: Some(&world), ..View::at_rest(&obstacles) });
    let mut reading = imu.new_reading();
    imu.sense(&view, &mut reading);
    let ReadingData::Imu(sample) = reading else { panic!("{reading:?}") };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!((sample.orientation[2] - half).abs() < 1e-12 && (sample.orientation[3] - half).abs() < 1e-12);
}

#[test]
fn errors_are_those_of_the_parameters_and_come_again_after_a_restart() {
    let parameters = ImuParameters {
        angular_velocity: TriadParameters {
            errors: ErrorParameters { turn_on: 0.1, ..ErrorParameters::white(0.01) },
            ..TriadParameters::white(0.0)
        },
        linear_acceleration: TriadParameters::white(0.2),
        orientation_std: Some(0.005),
        ..exact()
    };
    let mut imu = imu(parameters);
    let SensorKind::Imu(variances) = imu.info().kind else { panic!("{:?}", imu.info()) };
    assert!(
        (variances.angular_velocity - 0.0101).abs() < 1e-12 && (variances.linear_acceleration - 0.04).abs() < 1e-12
    );
    assert_eq!(variances.orientation, Some(0.005 * 0.005));
    let still = |_| (Pose3::default(), Twist2::default());
    let first = last(&mut imu, 7, still);
    assert!(first.angular_velocity.norm() > 1e-3 && first.orientation != [0.0, 0.0, 0.0, 1.0]);
    imu.restart();
    assert_eq!(last(&mut imu, 7, still), first);
}
