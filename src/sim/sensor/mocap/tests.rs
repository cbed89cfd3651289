//! Closed forms of the pose of a marker body, its errors, and its stamps.

use std::f64::consts::FRAC_PI_2;

use super::*;
use crate::raycast::Obstacles;

fn exact() -> MocapParameters {
    let none = ErrorParameters::white(0.0);
    MocapParameters { position: none, orientation: none, ..MocapParameters::default() }
}

fn mocap(parameters: MocapParameters) -> Mocap {
    let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "mocap".into(), wheels: Vec::new() };
    Mocap::new(parameters, &context)
}

/// Samples of a body with this pose, at their period.
fn samples(sensor: &mut Mocap, world_from_body: Pose3, count: i64) -> Vec<MarkerPose> {
    let obstacles = Obstacles::new();
    let period = sensor.info().period;
    let sample = |number: i64| {
        let mut reading = sensor.new_reading();
        let view = View { time: SimTime(number * period.0), world_from_body, ..View::at_rest(&obstacles) };
        sensor.sense(&view, &mut reading);
        let ReadingData::MarkerPose(pose) = reading else { panic!("{reading:?}") };
        pose
    };
    (1..=count).map(sample).collect()
}

fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    (values.clone().map(|x| x * x).sum::<f64>() / values.count() as f64).sqrt()
}

#[test]
fn without_errors_the_pose_is_that_of_the_markers_on_the_vehicle() {
    let body_from_sensor = Pose3 { x: 0.2, y: 0.1, z: 0.5, yaw: FRAC_PI_2, ..Pose3::default() };
    let mut sensor = mocap(MocapParameters { body_from_sensor, ..exact() });
    let world_from_body = Pose3 { x: 3.0, y: -1.0, yaw: FRAC_PI_2, ..Pose3::default() };
    let [MarkerPose { world_from_marker: actual, stamp_error }] = samples(&mut sensor, world_from_body, 1)[..] else {
        panic!("one sample")
    };
    // The body's x axis is the world's y axis.
    assert!((actual.position() - Vec3::new(2.9, -0.8, 0.5)).norm() < 1e-12, "{actual:?}");
    assert!((actual.yaw.abs() - std::f64::consts::PI).abs() < 1e-12 && actual.pitch.abs() + actual.roll.abs() < 1e-12);
    assert_eq!(stamp_error, SimTime::ZERO);
}

#[test]
fn noise_is_that_of_each_axis_and_comes_again_after_a_restart() {
    let errors = |position, orientation| MocapParameters {
        position: ErrorParameters::white(position),
        orientation: ErrorParameters::white(orientation),
        ..exact()
    };
    // A tilted body: the errors of its orientation are about its own axes.
    let pose = Pose3 { x: 1.0, pitch: 0.7, yaw: 2.0, ..Pose3::default() };
    let mut sensor = mocap(errors(3e-3, 2e-3));
    let actual = samples(&mut sensor, pose, 20_000);
    for axis in 0..3 {
        // Four standard errors of a standard deviation: 4/√(2n).
        let off = actual.iter().map(|sample| (sample.world_from_marker.position() - pose.position())[axis]);
        assert!((deviation(off) / 3e-3 - 1.0).abs() < 0.02);
        let turned = actual.iter().map(|sample| {
            let error = pose.rotation().transpose() * sample.world_from_marker.rotation();
            [error[(2, 1)], error[(0, 2)], error[(1, 0)]][axis]
        });
        assert!((deviation(turned) / 2e-3 - 1.0).abs() < 0.02);
    }
    sensor.restart();
    assert_eq!(samples(&mut sensor, pose, 5), actual[..5]);
    // Neither error changes the other one's.
    let alone = samples(&mut mocap(errors(3e-3, 0.0)), pose, 5);
    assert!(alone.iter().zip(&actual).all(|(a, b)| a.world_from_marker.position() == b.world_from_marker.position()));
}

#[test]
fn angles_are_told_in_whole_steps() {
    let orientation = ErrorParameters { resolution: 0.1, ..ErrorParameters::white(0.0) };
    let pose = Pose3 { yaw: 0.73, pitch: 0.16, roll: -0.04, ..Pose3::default() };
    let [actual] = samples(&mut mocap(MocapParameters { orientation, ..exact() }), pose, 1)[..] else { panic!("one") };
    let reported = [actual.world_from_marker.yaw, actual.world_from_marker.pitch, actual.world_from_marker.roll];
    assert!(
        reported.iter().zip([0.7, 0.2, 0.0]).all(|(reported, expected)| (reported - expected).abs() < 1e-12),
        "{reported:?}"
    );
}

#[test]
fn stamps_scatter_and_keep_their_order() {
    let mut sensor = mocap(MocapParameters { stamp_std: 1e-3, ..exact() });
    let errors: Vec<f64> =
        samples(&mut sensor, Pose3::default(), 20_000).iter().map(|sample| sample.stamp_error.secs()).collect();
    assert!((deviation(errors.iter().copied()) / 1e-3 - 1.0).abs() < 0.02);
    // Far more than half of a period, at which they are cut off.
    let mut wild = mocap(MocapParameters { stamp_std: 0.02, ..exact() });
    let stamps: Vec<SimTime> = (1..)
        .zip(samples(&mut wild, Pose3::default(), 2000))
        .map(|(number, sample)| sample.stamp(MocapStamp::Sample, SimTime(number * 10_000_000), SimTime::ZERO))
        .collect();
    assert!(stamps.windows(2).all(|pair| pair[0] < pair[1]));
    let late = MarkerPose::default();
    assert_eq!(late.stamp(MocapStamp::Arrival, SimTime(5), SimTime(9)), SimTime(9));
}
