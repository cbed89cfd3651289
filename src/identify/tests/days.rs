//! Cars that differ between recordings: trims that are observed while driving, and bands of prediction that hold on others.

use super::*;

/// What the car of a recording makes of its commands.
fn inputs(steering_offset: f64, speed_gain: f64) -> String {
    format!(
        r#"<inputs><speed gain="{speed_gain}" lag="0.05"/><steering gain="1.2" offset="{steering_offset}"/></inputs>"#
    )
}

/// The number `k` of a scatter of this standard deviation.
fn scattered(seed: u64, sigma: f64) -> f64 {
    gauss(seed)(sigma)
}

/// Trims of each recording are found from the second before a window, from the start of the first one on that has it, and a
/// prediction with them is as exact as that of a car without any.
#[test]
fn trims_that_differ_between_recordings_are_observed_before_each_window() {
    const TRIMS: [(f64, f64); 3] = [(0.06, 1.1), (-0.05, 0.93), (0.02, 0.85)];
    let drive = Drive { noise: 0.0, seconds: 8.0, ..DRIVE };
    let recorded = TRIMS.map(|(offset, gain)| recording(&inputs(offset, gain), drive));
    let config =
        CONFIG.replace("test: {every: 3}", "observe: {span: 1.0, trims: {steering_trim: 0.1, speed_scale: 0.3}}");
    let folder = folder(&config, &recorded);
    std::fs::write(folder.path().join("car.vehicle.xml"), class(&inputs(0.0, 1.0))).unwrap();
    let mut config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    config.unknowns.clear();
    config.measurement.marker_x = MARKER;
    let car = Car::new(&config, &[folder.path().to_path_buf()]).unwrap();
    let [data, _] = recordings(&config, folder.path(), &mut Vec::new()).unwrap();
    let result = scores(&data, &car, &[]).unwrap();
    let of = |scores: &[Score], name: &str| scores.iter().find(|score| score.name == name).unwrap().rms;
    let observed = result.observed.as_ref().unwrap();
    for (run, (_, scores)) in observed.recordings.iter().enumerate() {
        let (with, without) = (of(scores, "position"), of(&result.recordings[run].1, "position"));
        assert!(without > 0.02, "{run}: {without}");
        // The first window has no second before it.
        assert!(with < 0.5 * without, "{run}: {with} {without}");
    }
    let roles = [Role::X];
    let later = |prediction: &&Prediction| prediction.window > 0;
    let predictions = data.observed(&car, &[], &roles).unwrap().unwrap();
    let worst = predictions.iter().filter(later).map(|p| (p.predicted - p.measured).abs()).fold(0.0, f64::max);
    assert!(worst < 2e-3, "{worst}");
    assert!(recording_table("RMS error", &result).contains("| run_0.csv, trims observed | "));
}

/// Of cars that each steer a little otherwise, predictions on further ones lie within the band as often as it says, and far
/// less often within one that the noise alone would give.
#[test]
fn bands_hold_on_recordings_of_cars_that_were_not_fitted() {
    let drive = |seed| Drive { seed, seconds: 6.0, noise: 0.001, ..DRIVE };
    let recorded: Vec<String> = (0..16)
        .map(|k| recording(&inputs(scattered(100 + k, 0.02), 1.0 + scattered(200 + k, 0.03)), drive(300 + k)))
        .collect();
    let config = CONFIG
        .replace("every: 3", "every: 2")
        .replace("{x: 0.003, y: 0.003, yaw: 0.001, vx: 0.006}", "{x: 0.02, y: 0.02, yaw: 0.03, vx: 0.05}");
    let config = config.split("unknowns:").next().unwrap().to_owned()
        + "measurement: {marker_x: 0.12}\nstart_noise: {}\nunknowns:\n  - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}\n  - {at: dynamics/inputs/speed@lag, range: [0, 0.5], start: 0.05}\n  - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}\n  - {at: dynamics/inputs/steering@offset, range: [-0.1, 0.1], start: 0}\n";
    let result = identified_from(&config, &recorded).unwrap();
    // Gain of the speed and offset of the steering, which differ.
    for estimate in [&result.estimates[0], &result.estimates[3]] {
        assert_eq!(estimate.certainty.scatter, Scatter::Recordings, "{estimate:?}");
        assert!(estimate.certainty.half_width > estimate.certainty.of_windows, "{estimate:?}");
    }
    let offset = &result.estimates[3];
    let expected = (0..8).map(|k| scattered(100 + 2 * k, 0.02)).sum::<f64>() / 8.0;
    assert!((offset.value - expected).abs() < offset.certainty.half_width, "{offset:?} {expected}");
    let covered = &result.scores[1].covered;
    for coverage in covered {
        let share = Coverage::share(coverage.all());
        assert!((0.85..=1.0).contains(&share), "{}: {share}", coverage.name);
        assert!(coverage.half_widths[1] > coverage.half_widths[0] || coverage.name == "vx", "{coverage:?}");
    }
    assert_eq!(covered.len(), 3, "{covered:?}");
    let text = tables(&result);
    assert!(text.contains("| 95 % band of errors, not fitted | position [m] | yaw [deg] | vx [m/s] |"), "{text}");
    assert!(text.contains("| half width up to 0.1 s | ") && text.contains("| share within, run_1.csv | "), "{text}");
    assert!(
        text.contains("Bands come from 8 fitted recordings, each predicted with unknowns fitted to the others."),
        "{text}"
    );
}

/// A car that is driven faster than all fitted recordings has rows outside of the ranges of the bands, which are counted apart.
#[test]
fn rows_outside_of_the_motions_of_the_fitted_recordings_are_counted_apart() {
    let drive = |seed| Drive { seed, seconds: 6.0, noise: 0.001, ..DRIVE };
    let gains = [1.0, 1.02, 0.98, 1.01, 1.0, 1.8];
    let recorded: Vec<String> =
        gains.iter().zip(0..).map(|(gain, seed)| recording(&inputs(0.0, *gain), drive(400 + seed))).collect();
    let config = CONFIG
        .replace("test: {every: 3}", "test: {files: [run_4, run_5]}")
        .replace("{x: 0.003, y: 0.003, yaw: 0.001, vx: 0.006}", "{x: 0.02, y: 0.02, yaw: 0.03, vx: 0.05}");
    let config = config.split("unknowns:").next().unwrap().to_owned()
        + "measurement: {marker_x: 0.12}\nstart_noise: {}\nunknowns:\n  - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}\n  - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}\n  - {at: dynamics/inputs/speed@lag, range: [0, 0.5], start: 0.05}\n";
    let result = identified_from(&config, &recorded).unwrap();
    let ranges = result.data[0].bands[0].as_ref().unwrap().ranges.unwrap();
    let [low, high] = ranges.speed.unwrap();
    assert!(low > 0.1 && (1.4..1.8).contains(&high), "{ranges:?}");
    assert_eq!((ranges.lateral_acceleration, ranges.side_slip), (None, None), "neither was measured");
    let position = result.scores[1].covered.iter().find(|covered| covered.name == "position").unwrap();
    let (all, inside) = (&position.recordings, position.inside.as_ref().unwrap());
    assert!(2 * inside[0][1] > all[0].1[1], "{position:?}");
    assert!(2 * inside[1][1] < all[1].1[1], "{position:?}");
    assert!(result.scores[0].covered.iter().all(|covered| Some(covered.all()) == covered.all_inside()));
    let text = tables(&result);
    assert!(text.contains(" inside) | ") && text.contains(" They were found at "), "{text}");
    let yaml = serde_saphyr::to_string(&result.data[0].bands[0]).unwrap();
    let read: Option<Bands> = serde_saphyr::from_str(&yaml).unwrap();
    assert_eq!(read, result.data[0].bands[0]);
}

/// Trims that are expected to scatter far more than they do follow the noise, and predictions with them are worse.
#[test]
fn trims_that_make_predictions_worse_are_told() {
    let score = |rms| Score { name: "position", beyond: 0.0, unit: "m", rms, range: None, count: 9, failed: 0 };
    let scores = |of_class, observed| {
        let observed = Errors { all: vec![score(observed)], recordings: Vec::new() };
        Scores { all: vec![score(of_class)], observed: Some(observed), ..Scores::default() }
    };
    assert_eq!(
        worse_by_observing("car", &scores(0.113, 0.130)).as_deref(),
        Some(
            "car predicts worse with trims observed: position 0.1300 instead of 0.1130 m. Leave observe out, or shorten its span or its deviations."
        )
    );
    assert_eq!(worse_by_observing("car", &scores(0.113, 0.1131)), None);
    assert_eq!(worse_by_observing("car", &scores(0.130, 0.113)), None);
}
