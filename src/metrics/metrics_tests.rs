//! Metrics against closed forms, and with data that are incomplete, duplicated or out of order.

use std::f64::consts::TAU;

use proptest::prelude::*;
use skidpad_math::{Pose2, Twist2, Vec2};

use super::*;

/// A vehicle and its reference as functions of time, for `duration` [s] at `rate` [1/s], the reference five times as often.
fn run(duration: f64, rate: f64, at: impl Fn(f64) -> (f64, f64), reference: impl Fn(f64) -> (f64, f64)) -> Run {
    let times = |rate: f64| (0..=(duration * rate).round() as usize).map(move |i| i as f64 / rate);
    let pose = |time: f64| {
        let (x, y) = at(time);
        PoseSample { time, pose: Pose2::new(x, y, 0.0), velocity_in_body: Twist2::new(1.0, 0.0, 0.0) }
    };
    let position = |time: f64| PositionSample { time, position: Vec2::new(reference(time).0, reference(time).1) };
    Run {
        name: "run".into(),
        poses: times(rate).map(pose).collect(),
        reference: times(5.0 * rate).map(position).collect(),
        ..Run::default()
    }
}

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
}

fn of(run: &Run) -> Metrics {
    metrics(run, &MetricsOptions::default()).unwrap()
}

fn tracking(run: &Run) -> TrackingMetrics {
    of(run).tracking.unwrap()
}

#[test]
fn a_constant_offset_has_its_length_as_the_error() {
    let run = run(10.0, 20.0, |t| (t + 0.3, -0.4), |t| (t, 0.0));
    let metrics = of(&run);
    let tracking = metrics.tracking.unwrap();
    for (actual, expected) in [
        (tracking.rmse, 0.5),
        (tracking.rmse_x, 0.3),
        (tracking.rmse_y, 0.4),
        (tracking.ise, 0.25 * 10.0),
        (tracking.squared_error_sum, 0.25 * 201.0),
        (tracking.mean_error, 0.5),
        (tracking.max_error, 0.5),
        (tracking.final_error, 0.5),
        // The last samples lie beyond the end of the path: nearest is its end.
        (tracking.cross_track_max, 0.5),
        (tracking.along_track_mean, 0.3),
        (tracking.along_track_rms, 0.3),
        (metrics.duration, 10.0),
        (metrics.path_length, 10.0),
        (metrics.mean_speed, 1.0),
        (metrics.max_speed, 1.0),
    ] {
        close(actual, expected, 1e-12);
    }
    assert_eq!((metrics.samples, tracking.settling_time), (201, None));
    assert_eq!(metrics.findings.len(), 1, "{:?}", metrics.findings);
    assert_eq!(
        metrics.findings[0].text,
        "the error is a constant offset of (0.300, -0.400) m: are odometry and reference in the same frame? Without it, the RMSE is 0.0000 m"
    );
}

#[test]
fn the_error_of_a_sine_is_known() {
    // Over whole periods, sin² has the mean 1/2, which the trapezoid rule gives exactly.
    let run = run(4.0, 50.0, |t| (t, 0.2 * (TAU * t).sin()), |t| (t, 0.0));
    let metrics = tracking(&run);
    close(metrics.ise, 0.04 * 4.0 / 2.0, 1e-12);
    close(metrics.rmse, 0.2 / f64::sqrt(2.0), 1e-3);
    close(metrics.cross_track_rms, metrics.rmse, 1e-12);
    close(metrics.max_error, 0.2, 1e-3);
    close(metrics.max_error_time % 0.5, 0.25, 0.02);
    close(metrics.along_track_rms, 0.0, 1e-12);
}

#[test]
fn a_circle_of_another_radius_is_beside_the_path_by_the_difference() {
    let circle =
        |radius: f64, phase: f64| move |t: f64| (radius * (0.4 * t + phase).cos(), radius * (0.4 * t + phase).sin());
    let run = run(20.0, 20.0, circle(2.3, -0.1), circle(2.0, 0.0));
    let metrics = tracking(&run);
    close(metrics.cross_track_rms, 0.3, 1e-4);
    close(metrics.cross_track_max, 0.3, 1e-4);
    // Law of cosines; and the part along the tangent, 0.1 rad behind.
    close(metrics.rmse, f64::sqrt(2.3_f64.powi(2) + 4.0 - 2.0 * 2.3 * 2.0 * 0.1_f64.cos()), 1e-9);
    close(metrics.along_track_mean, -2.3 * 0.1_f64.sin(), 1e-3);
}

#[test]
fn a_decay_settles_where_it_enters_the_band() {
    let run = run(10.0, 100.0, |t| (t, (-t).exp()), |t| (t, 0.0));
    let metrics = tracking(&run);
    close(metrics.settling_time.unwrap(), (1.0 / 0.05_f64).ln(), 0.01);
    close(metrics.ise, 0.5, 1e-4);
    let wide = MetricsOptions { band: 2.0, ..MetricsOptions::default() };
    assert_eq!(super::metrics(&run, &wide).unwrap().tracking.unwrap().settling_time, Some(0.0));
    // A last sample outside means: not settled.
    let mut late = run;
    late.poses.last_mut().unwrap().pose.y = 1.0;
    assert_eq!(tracking(&late).settling_time, None);
}

#[test]
fn a_lag_is_reported_with_its_duration() {
    let eight = |t: f64| (2.0 * (0.4 * t).sin(), (0.8 * t).sin());
    let mut run = run(30.0, 20.0, |t| eight(t - 0.2), eight);
    for pose in &mut run.poses {
        pose.velocity_in_body.vx = 1.2;
    }
    let metrics = of(&run);
    let texts: Vec<_> = metrics.findings.iter().map(|finding| (finding.kind, finding.text.as_str())).collect();
    assert_eq!(
        texts,
        [(
            "lag",
            "the vehicle follows 0.200 s behind the reference: P control without feed-forward lags 1/Kp, delays add"
        )]
    );
}

#[test]
fn saturated_steering_and_a_reference_too_fast_are_reported() {
    let mut run = run(30.0, 20.0, |t| (t, 0.01 * t * t), |t| (2.0 * t, 0.0));
    let command =
        |time: f64, angle: f64| CommandSample { time, speed: 1.0, steering_angle: Some(angle), yaw_rate: None };
    run.commands = (0..300).map(|i| command(0.1 * f64::from(i), if i % 2 == 0 { 0.4 } else { 0.1 })).collect();
    let kinds: Vec<_> = of(&run).findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, ["steering_saturated", "reference_too_fast", "growing"]);
    // Far from the vehicle's own limit nothing is saturated.
    let options = MetricsOptions { max_steering_angle: Some(0.5), ..MetricsOptions::default() };
    let kinds: Vec<_> = super::metrics(&run, &options).unwrap().findings.iter().map(|f| f.kind).collect();
    assert_eq!(kinds, ["reference_too_fast", "growing"]);
}

/// A circle of 1.5 m, which a vehicle of 0.325 m takes with 0.213 rad, while commands stand at a limit.
#[test]
fn a_path_is_too_tight_only_where_it_needs_the_limit() {
    let circle = |radius: f64| move |t: f64| (radius * (3.4 * t).cos(), radius * (3.4 * t).sin());
    let mut run = run(20.0, 20.0, circle(1.9), circle(1.5));
    let command =
        |i: i32| CommandSample { time: 0.1 * f64::from(i), speed: 5.1, steering_angle: Some(0.2), yaw_rate: None };
    run.commands = (0..200).map(command).collect();
    let text = |limit: f64, wheelbase: Option<f64>| {
        let options = MetricsOptions { max_steering_angle: Some(limit), wheelbase, ..MetricsOptions::default() };
        let findings = super::metrics(&run, &options).unwrap().findings;
        findings.into_iter().find(|finding| finding.kind == "steering_saturated").unwrap().text
    };
    let stands = "steering stands at its limit of 0.200 rad for 100 % of the commands: the path";
    assert_eq!(text(0.2, Some(0.325)), format!("{stands} is too tight, it needs 0.213 rad"));
    assert_eq!(
        text(0.2, Some(0.25)),
        format!("{stands} needs no more than 0.165 rad, so the tyres slide or the vehicle is far off the path")
    );
    let open = format!("{stands} is too tight, the tyres slide, or the vehicle is far off the path");
    assert_eq!(text(0.2, None), open);
}

/// An ellipse from its rim, seen from the vehicle's start: rotated, translated, and 1 cm beside it to and fro.
#[test]
fn poses_in_another_frame_are_reported_with_the_remaining_error() {
    let reference = |t: f64| (3.0 + 2.0 * t.cos(), 1.0 + t.sin());
    let start_from_world = Pose2::new(5.0, 1.0, 1.5).inverse();
    let position = |t: f64| {
        let (x, y) = reference(t);
        let beside = if (t / 0.05).round() as i64 % 2 == 0 { 0.01 } else { -0.01 };
        let p = start_from_world.transform_point(Vec2::new(x, y + beside));
        (p.x, p.y)
    };
    let mut seen = run(6.25, 20.0, position, reference);
    seen.poses.iter_mut().for_each(|pose| pose.velocity_in_body.vx = 2.0);
    let metrics = of(&seen);
    assert!(metrics.tracking.unwrap().rmse > 1.0);
    let [finding] = &metrics.findings[..] else { panic!("{:?}", metrics.findings) };
    assert_eq!(
        (finding.kind, finding.text.as_str()),
        (
            "frame",
            "positions and reference differ by a constant transform (x 5.000 m, y 1.000 m, yaw 85.94 deg): are they in the same frame? \
             Aligned, the RMSE is 0.0100 m"
        )
    );
    close(finding.aligned_rmse_m.unwrap(), 0.01, 1e-5);
    // One that drives an ellipse of its own is badly off, in the same frame.
    let other = |t: f64| (3.0 + 1.2 * t.cos(), 1.0 + 1.4 * t.sin());
    let findings = of(&run(6.25, 20.0, other, reference)).findings;
    assert!(findings.iter().all(|finding| finding.kind != "frame"), "{findings:?}");
}

#[test]
fn effort_integrates_the_changes_of_commands() {
    let mut run = run(10.0, 20.0, |t| (t, 0.0), |t| (t, 0.0));
    let command = |i: usize| CommandSample {
        time: 0.1 * i as f64,
        speed: if i < 50 { 0.0 } else { 2.0 },
        steering_angle: Some(0.01 * i as f64),
        yaw_rate: None,
    };
    // Data after the last sample does not count.
    run.commands = (0..=200).map(command).collect();
    let effort = of(&run).effort.unwrap();
    assert_eq!(effort.commands, 101);
    close(effort.speed_variation, 2.0, 1e-12);
    close(effort.steering_variation.unwrap(), 1.0, 1e-12);
    close(effort.steering_effort.unwrap(), 0.1 * 0.1 * 10.0, 1e-12);
    close(effort.max_steering_angle.unwrap(), 1.0, 1e-12);
    run.commands[3].steering_angle = None;
    assert_eq!(of(&run).effort.unwrap().steering_variation, None);
    run.commands.clear();
    assert_eq!(of(&run).effort, None);
}

#[test]
fn a_stretch_counts_from_the_first_sample_with_a_reference() {
    let mut run = run(10.0, 20.0, |t| (t, if t < 5.0 { 1.0 } else { 0.0 }), |t| (t, 0.0));
    run.reference.retain(|sample| sample.time >= 2.0);
    let part = |from: Option<f64>, to: Option<f64>| metrics(&run, &MetricsOptions { from, to, ..Default::default() });
    let metrics = part(Some(3.0), None).unwrap();
    // 1.95 s is near to 2 s, but before it.
    let first = 2.0;
    assert_eq!(metrics.samples, ((10.0 - (first + 3.0)) / 0.05_f64).round() as usize + 1);
    close(part(Some(0.0), Some(2.9)).unwrap().tracking.unwrap().rmse, 1.0, 1e-3);
    assert_eq!(
        part(Some(9.0), None).unwrap_err().to_string(),
        "run: no sample from 9 s to the end\n  accepted: 0 to 8.000 s"
    );
}

/// Three metres at 1.5 m/s, 3 cm beside the path; then the car stands half a metre further on with its wheels at full lock.
#[test]
fn how_long_a_car_stands_at_the_end_of_its_path_changes_nothing() {
    let of = |duration: f64, to: Option<f64>| {
        let at = |t: f64| if t <= 2.0 { (1.5 * t, 0.03) } else { (3.5, 0.03) };
        let mut run = run(duration, 20.0, at, |t| (1.5 * t.min(2.0), 0.0));
        let command = |time: f64| {
            let (speed, angle) = if time <= 2.0 { (1.5, 0.1) } else { (0.0, 0.4) };
            CommandSample { time, speed, steering_angle: Some(angle), yaw_rate: None }
        };
        run.commands = (0..=(100.0 * duration) as usize).map(|i| command(0.01 * i as f64)).collect();
        let options = MetricsOptions { max_steering_angle: Some(0.4), to, ..MetricsOptions::default() };
        super::metrics(&run, &options).unwrap()
    };
    for duration in [2.0, 2.05, 6.0, 60.0] {
        let metrics = of(duration, None);
        close(metrics.tracking.unwrap().rmse, 0.03, 1e-12);
        assert_eq!((metrics.samples, metrics.duration), (41, 2.0), "{duration}");
        assert_eq!(metrics.findings, []);
        let window = metrics.window;
        assert_eq!((window.start, window.end), (0.0, 2.0));
        let reported = (duration > 2.0).then(|| {
            format!("metrics end at 2.000 s, where the reference comes to rest; the run goes on to {duration:.3} s")
        });
        assert_eq!(window.explanation(), reported);
    }
    // Who wants the standing to count says so.
    let to_the_end = of(6.0, Some(6.0));
    assert!(to_the_end.tracking.unwrap().rmse > 0.3 && to_the_end.samples == 121, "{to_the_end:?}");
    assert_eq!(to_the_end.findings[0].kind, "steering_saturated");
}

/// A controller that is done sends no reference any more: the poses after it have none, though the last is near in time.
#[test]
fn poses_after_the_last_reference_do_not_count() {
    let mut run = run(10.0, 20.0, |t| (t, 0.0), |t| (t, 0.0));
    run.reference.retain(|sample| sample.time <= 4.0);
    let metrics = of(&run);
    close(metrics.tracking.unwrap().rmse, 0.0, 1e-12);
    assert_eq!(
        metrics.window.explanation().unwrap(),
        "metrics end at 4.000 s, with the last message of the reference; the run goes on to 10.000 s"
    );
    let cut = MetricsOptions { from: Some(5.0), ..MetricsOptions::default() };
    assert_eq!(
        super::metrics(&run, &cut).unwrap_err().to_string(),
        "run: no sample from 5 s to the end\n  accepted: 0 to 4.000 s"
    );
}

/// Before its first message and after its last one nothing is to be followed, however near in time the message is: the vehicle drives 1 m/s.
#[test]
fn poses_count_while_there_is_a_reference() {
    let mut run = run(10.0, 20.0, |t| (t, 0.02), |t| (t, 0.0));
    run.reference.retain(|sample| (2.02..=6.03).contains(&sample.time));
    let metrics = of(&run);
    close(metrics.tracking.unwrap().max_error, 0.02, 1e-12);
    close(metrics.tracking.unwrap().rmse, 0.02, 1e-12);
    close(metrics.window.start, 2.05, 1e-12);
    close(metrics.window.end, 6.0, 1e-12);
    assert_eq!((metrics.samples, metrics.duration), (80, 6.0 - 2.05));
    assert_eq!(
        metrics.window.explanation().unwrap(),
        "metrics begin with the first message of the reference, 2.020 s after the run; \
         metrics end at 3.980 s, with the last message of the reference; the run goes on to 7.980 s"
    );
    // The other way round the reference waits for the poses, and goes on after them.
    let mut run = self::run(10.0, 20.0, |t| (t, 0.02), |t| (t, 0.0));
    run.poses.retain(|pose| (2.0..=6.0).contains(&pose.time));
    let metrics = of(&run);
    assert_eq!((metrics.window.explanation(), metrics.samples), (None, 81));
    close(metrics.tracking.unwrap().max_error, 0.02, 1e-12);
}

#[test]
fn a_gap_adds_nothing_to_the_integral() {
    let mut run = run(10.0, 20.0, |t| (t, 0.5), |t| (t, 0.0));
    run.poses.retain(|pose| pose.time <= 2.0 || pose.time >= 7.0);
    let metrics = of(&run);
    close(metrics.tracking.unwrap().ise, 0.25 * 5.0, 1e-12);
    assert_eq!(metrics.findings[0].text, "1 gaps of 5.00 s in all, over which nothing is integrated");
}

#[test]
fn missing_data_is_reported() {
    let mut run = run(1.0, 20.0, |t| (t, 0.0), |t| (t, 1.0));
    for sample in &mut run.reference {
        sample.time += 1e9;
    }
    assert_eq!(
        metrics(&run, &MetricsOptions::default()).unwrap_err().to_string(),
        "run: no odometry sample between the first reference sample and the last has one within 0.1 s: odometry is from 0.000 to 1.000 s, the reference from 1000000000.000 to 1000000001.000 s\n  accepted: stamps of one clock\n  hint: do both stamp by the same clock (use_sim_time)?"
    );
    run.reference.clear();
    let metrics = of(&run);
    assert_eq!((metrics.tracking, metrics.samples), (None, 21));
    run.poses.truncate(1);
    assert_eq!((of(&run).duration, of(&run).mean_speed), (0.0, 0.0));
    run.reference.push(PositionSample { time: 0.0, position: Vec2::new(3.0, 4.0) });
    let tracking = tracking(&run);
    assert_eq!((tracking.rmse, tracking.ise, tracking.settling_time), (5.0, 0.0, None));
    close(tracking.cross_track_max, 5.0, 1e-12);
    run.poses.clear();
    let error = super::metrics(&run, &MetricsOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "run: has no odometry to analyze");
}

/// A run with random positions and distinct times, and the order of its samples.
fn shuffled() -> impl Strategy<Value = (Run, Run)> {
    let number = || -5.0..5.0_f64;
    let samples = prop::collection::vec((number(), number(), number(), number()), 1..60);
    samples.prop_flat_map(|samples| {
        let at = |i: usize| (samples[i].0, samples[i].1);
        let shall = |i: usize| (samples[i].2, samples[i].3);
        let index = |t: f64| ((t * 20.0).round() as usize).min(samples.len() - 1);
        let run = run((samples.len() - 1) as f64 / 20.0, 20.0, |t| at(index(t)), |t| shall(index(t)));
        let poses = Just(run.poses.clone()).prop_shuffle();
        let reference = Just(run.reference.clone()).prop_shuffle();
        (Just(run), poses, reference).prop_map(|(run, poses, reference)| {
            let other = Run { poses, reference, ..run.clone() };
            (run, other)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_samples_in_a_file_changes_nothing((run, other) in shuffled()) {
        prop_assert_eq!(of(&run), of(&other));
    }

    #[test]
    fn metrics_hold_to_each_other((run, _) in shuffled()) {
        let tracking = tracking(&run);
        prop_assert!(tracking.mean_error <= tracking.rmse * (1.0 + 1e-12));
        prop_assert!(tracking.rmse <= tracking.max_error * (1.0 + 1e-12));
        prop_assert!(tracking.cross_track_max <= tracking.max_error * (1.0 + 1e-12));
        prop_assert!((tracking.rmse.powi(2) - tracking.rmse_x.powi(2) - tracking.rmse_y.powi(2)).abs() < 1e-9);
        // A common rotation and translation changes nothing.
        let turn = |p: Vec2| Vec2::new(3.0 - p.y, 7.0 + p.x);
        let mut turned = run.clone();
        for pose in &mut turned.poses {
            let p = turn(pose.pose.position());
            (pose.pose.x, pose.pose.y) = (p.x, p.y);
        }
        for sample in &mut turned.reference {
            sample.position = turn(sample.position);
        }
        let turned = super::metrics(&turned, &MetricsOptions::default()).unwrap().tracking.unwrap();
        prop_assert!((turned.rmse - tracking.rmse).abs() < 1e-9 && (turned.ise - tracking.ise).abs() < 1e-9);
        prop_assert!((turned.cross_track_rms - tracking.cross_track_rms).abs() < 1e-9);
        prop_assert!((turned.along_track_rms - tracking.along_track_rms).abs() < 1e-9);
    }
}
