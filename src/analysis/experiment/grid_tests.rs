//! Matrices of the user's own: the same bits on any number of threads, numbers of the closed forms, and all mistakes at once.

use std::path::Path;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::world::LoadOptions;

use super::{Axes, ExperimentConfig, Grid, GridReport};
use crate::FIELDS;

fn base() -> ExperimentConfig {
    let mut config = ExperimentConfig {
        world: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/tracking.world.xml"),
        duration: 4.0,
        ..ExperimentConfig::default()
    };
    config.trajectory.trajectory_type = "circle".into();
    config
}

fn axes(texts: &[&str]) -> Axes {
    Axes(texts.iter().map(|text| text.parse().unwrap()).collect())
}

fn run(texts: &[&str]) -> Grid {
    Grid::run(&base(), &LoadOptions::default(), &axes(texts), &[], None).unwrap()
}

/// The messages of axes that are refused.
fn refused(texts: &[&str], settings: &[(String, String)]) -> Vec<String> {
    let error = Grid::run(&base(), &LoadOptions::default(), &axes(texts), settings, None).unwrap_err();
    error.to_string().lines().filter(|line| !line.starts_with("  ")).map(str::to_owned).collect()
}

/// A car that rolls on a circle leaves ε·θ̇/√(Kp² + θ̇²) with θ̇ = v/R.
#[test]
fn speeds_and_gains_give_the_errors_of_the_closed_form() {
    let grid = run(&["plant=kinematic", "Kp=2,5", "speed=0.4,1.2"]);
    let errors: Vec<f64> = grid.cells.iter().map(|cell| cell.metrics().unwrap().tracking.unwrap().rmse).collect();
    let expected =
        [(2.0, 0.4), (2.0, 1.2), (5.0, 0.4), (5.0, 1.2)].map(|(kp, v)| 0.1 * (v / 2.0) / f64::hypot(kp, v / 2.0));
    // From the start on the error grows into it within 1/Kp.
    for (error, expected) in errors.iter().zip(expected) {
        assert!(*error < expected && *error > 0.75 * expected, "{errors:?} {expected:?}");
    }
    let csv = GridReport(&grid).csv().unwrap();
    assert!(
        csv.starts_with("plant,Kp,speed,rmse_m,ise_m2s,")
            && csv.lines().nth(2).unwrap().starts_with("kinematic,2,1.2,")
    );
    let table = GridReport(&grid).markdown(&FIELDS[0]);
    assert!(
        table.starts_with(
            "RMSE [cm], columns: speed\n\n| plant | Kp | 0.4 | 1.2 |\n|---|---|---|---|\n| kinematic | 2 | "
        ),
        "{table}"
    );
    let (figure, _) = GridReport(&grid).curves(&FIELDS[0]).unwrap();
    assert_eq!(
        (figure.panels.len(), figure.panels[0].series.len()),
        (1, 2),
        "a panel for the plant, a curve for each gain"
    );
    assert_eq!((figure.panels[0].x.label.as_str(), figure.panels[0].y.label.as_str()), ("speed [m/s]", "RMSE [cm]"));
}

#[test]
fn a_matrix_has_the_same_bits_on_any_number_of_threads() {
    let [alone, together] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            run(&["latency=0,0.1", "step=0.001,0.005", "linearizer:PL_distance=kinematic:0.1,dynamic:0.26"])
        })
    });
    assert!(alone == together && alone.cells.len() == 8);
    let error = |indices: [usize; 3]| {
        let cell = alone.cells.iter().find(|cell| cell.indices == indices).unwrap();
        cell.metrics().unwrap().tracking.unwrap().rmse
    };
    assert!(error([0, 0, 0]) != error([0, 1, 0]), "the step acts");
    assert!(error([1, 0, 0]) != error([0, 0, 0]), "the latency acts");
    assert!(error([0, 0, 1]) > 2.0 * error([0, 0, 0]), "so do keys that change together");
}

#[test]
fn seeds_are_averaged_and_what_the_world_lacks_is_left_out() {
    let grid = run(&["plant=kinematic,single_track", "tyre=default,pacejka", "seed=1,2"]);
    let absent: Vec<_> = grid.cells.iter().filter(|cell| cell.run.is_none()).map(|cell| grid.label(cell)).collect();
    assert_eq!(absent, ["plant=kinematic, tyre=pacejka, seed=1", "plant=kinematic, tyre=pacejka, seed=2"]);
    let text = GridReport(&grid).text(&FIELDS[0]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "RMSE [cm], columns: tyre, mean of 2 seeds ± half of its 95 % interval");
    assert!(lines[2].starts_with("kinematic ") && lines[2].ends_with("  –"), "{text}");
    assert!(lines[3].matches(" ± 0").count() == 2, "{text}");
}

/// 1, 2 and 3 cm have the mean 2 cm and s = 1 cm; t of two degrees of freedom is 4.302 65, and half of the interval t·s/√3.
#[test]
fn several_seeds_have_the_interval_of_students_distribution() {
    let mut grid = run(&["speed=0.4,0.8", "seed=1,2,3"]);
    for (index, cell) in grid.cells.iter_mut().enumerate() {
        let run = cell.run.as_mut().unwrap().as_mut().unwrap();
        run.metrics.tracking.as_mut().unwrap().rmse = 0.01 * (1 + index % 3) as f64 * if index < 3 { 1.0 } else { 2.0 };
    }
    let half = 4.302_65 / 3.0_f64.sqrt();
    let expected = format!("| 0.4 | 2 ± {half:.3} |\n| 0.8 | 4 ± {:.3} |\n", 2.0 * half);
    assert!(GridReport(&grid).markdown(&FIELDS[0]).ends_with(&expected), "{}", GridReport(&grid).markdown(&FIELDS[0]));
    let csv = GridReport(&grid).summary_csv().unwrap().unwrap();
    let head = "speed,metric,n,mean,standard_deviation,ci95_low,ci95_high,min,max";
    assert!(csv.starts_with(&format!("{head}\n0.4,rmse_m,3,0.02,0.01,")), "{csv}");
    let summary = &GridReport(&grid).as_json()["summaries"][1];
    assert_eq!((summary["vary"]["speed"].as_str(), summary["metrics"]["rmse_m"]["n"].as_u64()), (Some("0.8"), Some(3)));
    let low = summary["metrics"]["rmse_m"]["ci95"][0].as_f64().unwrap();
    assert!((low - 0.02 * (2.0 - half)).abs() < 1e-7, "{low}");
    let (figure, _) = GridReport(&grid).curves(&FIELDS[0]).unwrap();
    let series: Vec<&str> = figure.panels[0].series.iter().map(|series| series.label.as_str()).collect();
    assert_eq!(series.len(), 4, "area, mean and both ends: {series:?}");
    assert_eq!(
        figure.legend.iter().map(|key| key.label.as_str()).collect::<Vec<_>>(),
        ["mean of 3 seeds", "95 % interval of the mean"]
    );
    let single = run(&["speed=0.4,0.8"]);
    assert_eq!(
        (
            GridReport(&single).summary_csv().unwrap(),
            GridReport(&single).as_json()["summaries"].as_array().unwrap().len()
        ),
        (None, 0)
    );
}

#[test]
fn a_mean_over_seeds_says_which_runs_failed() {
    let mut grid = run(&["speed=0.4,0.8", "seed=1,2"]);
    grid.cells[1].run = Some(Err(Diagnostic::of("no controller").into()));
    let report = GridReport(&grid);
    let lines: Vec<String> = report.text(&FIELDS[0]).lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "RMSE [cm], mean of 2 seeds ± half of its 95 % interval, without 1 failed run");
    assert!(lines[2].ends_with(" (1 of 2)") && lines[3].ends_with(" ± 0"), "{lines:?}");
    let (figure, _) = report.curves(&FIELDS[0]).unwrap();
    assert_eq!(figure.legend[0].label, "mean of 2 seeds, without 1 failed run");
    // Without seeds, a failed run is a dash.
    let mut single = run(&["speed=0.4,0.8"]);
    single.cells[0].run = Some(Err(Diagnostic::of("no controller").into()));
    let text = GridReport(&single).text(&FIELDS[0]);
    assert!(
        text.starts_with("RMSE [cm], without 1 failed run\n") && text.lines().nth(2).unwrap().ends_with("–"),
        "{text}"
    );
}

#[test]
fn all_mistakes_of_all_axes_are_told_at_once() {
    assert_eq!(
        refused(
            &["trajectory=circel", "Kp=1,fast,-2", "speed=0,1", "tyre=pacejka,pacejca", "sped=1", "latency=9"],
            &[]
        ),
        [
            "--vary trajectory=circel: trajectory: found \"circel\"",
            "--vary Kp=fast: Kp: found \"fast\"",
            "--vary Kp=-2: Kp: found -2",
            "--vary speed=0: speed: found 0",
            "--vary latency=9: latency: found 9",
            "--vary tyre=pacejca: tyre: found \"pacejca\"",
            "--vary sped=1: variable \"sped\": this world has no such variable",
        ]
    );
    let twice = refused(&["Kp=1,2", "Kp:Ki=1:0,2:0"], &[("Ki".into(), "1".into())]);
    assert_eq!(twice, ["--vary Kp: appears twice", "--vary Ki: Ki=1 is set for all runs"]);
    let many: Vec<String> = (0..101).map(|value| value.to_string()).collect();
    let many = [format!("seed={}", many.join(",")), format!("Ki={}", many.join(","))];
    assert_eq!(refused(&many.each_ref().map(String::as_str), &[]), ["--vary: 10201 runs"]);
}
