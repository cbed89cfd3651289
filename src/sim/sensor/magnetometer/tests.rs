//! Closed forms of the field in the axes of a sensor, and its errors.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

use super::*;
use crate::georeference::{Geodetic, Georeference};
use crate::raycast::Obstacles;

fn exact() -> MagnetometerParameters {
    MagnetometerParameters { magnetic_field: TriadParameters::white(0.0), ..MagnetometerParameters::default() }
}

fn magnetometer(parameters: MagnetometerParameters) -> Magnetometer {
    Magnetometer::new(
        parameters,
        &SensorContext { seed: 1, vehicle: "r1".into(), name: "mag".into(), wheels: Vec::new() },
    )
}

fn measured(magnetometer: &mut Magnetometer, view: &View<'_>) -> Vec3 {
    let mut reading = magnetometer.new_reading();
    magnetometer.sense(view, &mut reading);
    let ReadingData::MagneticField(sample) = reading else { panic!("{reading:?}") };
    sample.field
}

#[track_caller]
fn assert_near(actual: Vec3, expected: [f64; 3]) {
    assert!((actual - Vec3::from(expected)).norm() < 1e-18, "{actual:?} instead of {expected:?}");
}

#[test]
fn the_default_field_points_north_and_down() {
    let obstacles = Obstacles::new();
    let view = View::at_rest(&obstacles);
    let (north, down) = (2.5e-5, 5e-5 * 0.75_f64.sqrt());
    assert_near(measured(&mut magnetometer(exact()), &view), [0.0, north, -down]);
    // Towards the north; nose straight down; lying on its right side.
    for (pose, expected) in [
        (Pose3 { yaw: FRAC_PI_2, ..Pose3::default() }, [north, 0.0, -down]),
        (Pose3 { pitch: FRAC_PI_2, ..Pose3::default() }, [down, north, 0.0]),
        (Pose3 { roll: FRAC_PI_2, ..Pose3::default() }, [0.0, -down, -north]),
    ] {
        assert_near(measured(&mut magnetometer(exact()), &View { world_from_body: pose, ..view }), expected);
        let mounted = MagnetometerParameters { body_from_sensor: pose, ..exact() };
        assert_near(measured(&mut magnetometer(mounted), &view), expected);
    }
}

#[test]
fn declination_turns_the_field_towards_east_and_the_place_of_the_world_counts() {
    let obstacles = Obstacles::new();
    let parameters = MagnetometerParameters { declination: FRAC_PI_6, inclination: 0.0, strength: 4e-5, ..exact() };
    let north = 4e-5 * 0.75_f64.sqrt();
    assert_near(measured(&mut magnetometer(parameters.clone()), &View::at_rest(&obstacles)), [2e-5, north, 0.0]);
    // The world's x axis points north.
    let world = Georeference::new(Geodetic::default(), FRAC_PI_2);
    let view = View { georeference: Some(&world), ..View::at_rest(&obstacles) };
    assert_near(measured(&mut magnetometer(parameters), &view), [north, -2e-5, 0.0]);
}

#[test]
fn iron_and_noise_disturb_it_and_noise_comes_again_after_a_restart() {
    let obstacles = Obstacles::new();
    let view = View::at_rest(&obstacles);
    let soft_iron = TriadParameters { cross_axis: [[0.2, 0.0], [0.0; 2], [0.0; 2]], ..TriadParameters::white(0.0) };
    let hard_iron = Vec3::new(1e-6, 0.0, 2e-6);
    let iron = MagnetometerParameters { inclination: 0.0, magnetic_field: soft_iron, hard_iron, ..exact() };
    assert_near(measured(&mut magnetometer(iron), &view), [1e-6 + 0.2 * 5e-5, 5e-5, 2e-6]);

    let mut noisy = magnetometer(MagnetometerParameters::default());
    let SensorKind::Magnetometer(MagnetometerAccuracy { variance }) = noisy.info().kind else {
        panic!("{:?}", noisy.info())
    };
    assert!((variance - 9e-14).abs() < 1e-25);
    let first = measured(&mut noisy, &view);
    assert!(first != measured(&mut noisy, &view));
    noisy.restart();
    assert_eq!(measured(&mut noisy, &view), first);
}
