//! What every class has to predict better than: the state at the start of each window, held.

use std::fmt::Write;

use super::*;

/// A car that goes round in a circle is where it is predicted to be if its state is held; a class that steers too little
/// is not, and the answer begins with that.
#[test]
fn a_class_that_a_held_state_predicts_better_than_is_told_first() {
    let (speed, rate) = (1.0_f64, 0.5_f64);
    let mut csv = String::from("t,steer,want,x,y,yaw,v,r\n");
    for row in 0..500_u32 {
        let time = 0.02 * f64::from(row);
        let (sin, cos) = (rate * time).sin_cos();
        let (x, y) = (speed / rate * sin, speed / rate * (1.0 - cos));
        let _ = writeln!(csv, "{},0.15,1,{x},{y},{},3.6,{rate}", 1e3 * time, (rate * time).to_degrees());
    }
    let config = CONFIG
        .replace("  vx: {", "  yaw_rate: r\n  vx: {")
        .replace("test: {every: 3}", "test: {}")
        .split("unknowns:")
        .next()
        .unwrap()
        .to_owned();
    let unknown = "unknowns:\n  - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}\n";
    let of = |name: &str, scores: &[Score]| scores.iter().find(|score| score.name == name).unwrap().rms;
    let short = identified_from(&format!("{config}{unknown}"), &[csv.clone()]).unwrap();
    let held = &short.scores[0].held.all;
    for name in ["position", "yaw", "vx", "yaw_rate"] {
        assert!(of(name, held) < 1e-4, "{name}: {held:?}");
    }
    let error = of("position", &short.scores[0].all);
    assert!(error > 1e-3, "{error}");
    let first = format!("found predicts no better than holding the state: position {error:.4} against 0.0000 m, yaw ");
    assert!(answer(&short).starts_with(&first), "{}", answer(&short));
    let out = tempfile::tempdir().unwrap();
    let text = IdentifyConfig::load(&folder(&config, &[]).path().join("config.yaml"));
    assert!(text.is_err(), "unknowns are needed");
    let folder = folder(&format!("{config}{unknown}"), &[]);
    let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    write(&short, &config, out.path(), &PictureOptions::default()).unwrap();
    for name in ["found.md", "found.html", "found.vehicle.xml"] {
        let written = std::fs::read_to_string(out.path().join(name)).unwrap();
        assert!(written.contains("found predicts no better than holding the state: position"), "{name}: {written}");
    }
    assert!(tables(&short).contains("| RMS error of prediction | fitted | state held | not fitted |"));
}

/// A car that speeds up leaves a held state behind by half its acceleration times the square of the time.
#[test]
fn a_held_state_is_left_behind_by_the_acceleration() {
    let mut csv = String::from("t,steer,want,x,y,yaw,v\n");
    let acceleration = 0.5;
    for row in 0..500_u32 {
        let time = 0.02 * f64::from(row);
        let (x, v) = (0.5 * acceleration * time * time, acceleration * time);
        let _ = writeln!(csv, "{},0,{v},{x},0,0,{}", 1e3 * time, 3.6 * v);
    }
    let folder = folder(&CONFIG.replace("test: {every: 3}", "test: {}"), &[csv]);
    let config = IdentifyConfig::load(&folder.path().join("config.yaml")).unwrap();
    let [data, _] = recordings(&config, folder.path(), &mut Vec::new()).unwrap();
    let roles = [Role::X, Role::Vx];
    let predictions = data.held(&roles);
    assert_eq!(predictions.len(), 2 * 9 * 50);
    for prediction in predictions {
        // The first row of a window is one after its start.
        let after = 0.02 * (((prediction.row - 1) % 50) + 1) as f64;
        let behind = if prediction.role == Role::X { 0.5 * acceleration * after * after } else { acceleration * after };
        let error = prediction.measured - prediction.predicted;
        assert!((error - behind).abs() < 1e-6, "{prediction:?}: {error} {behind}");
    }
}
