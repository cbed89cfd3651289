//! Experiments that start moving, with inputs between the driver and the car.

use skidpad::experiment::{Experiment, ExperimentConfig, trajectories};
use skidpad::trajectory::TrajectoryParameters;

/// A car, 0.3 m long, which its controller moves with a delay and a lag.
const SLUGGISH: &str = r#"<mvsim_world><vehicle name="a"><init_pose>0 0 0</init_pose>
    <dynamics class="kinematic_bicycle"><rl_wheel pos="0 0.1"/><rr_wheel pos="0 -0.1"/><fl_wheel/><fr_wheel/>
    <f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.2</f_wheels_d>
    <chassis><shape><pt>0 -0.1</pt><pt>0 0.1</pt><pt>0.3 0.1</pt><pt>0.3 -0.1</pt></shape></chassis>
    <controller class="twist_ideal"/><inputs><speed delay="0.1" lag="0.35"/></inputs></dynamics></vehicle></mvsim_world>"#;

/// A driver that starts on its trajectory at its speed stays on it, whatever lags behind its commands.
#[test]
fn an_experiment_that_starts_moving_keeps_its_speed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.world.xml");
    std::fs::write(&file, SLUGGISH).unwrap();
    let (_, trajectory) =
        trajectories(&TrajectoryParameters::default()).into_iter().find(|(name, _)| *name == "circle").unwrap();
    let mut config = ExperimentConfig { world: file, trajectory, duration: 1.0, ..ExperimentConfig::default() };
    config.start.moving = true;
    let outcome = Experiment::new(config).run().unwrap();
    let run = &outcome.analyzed.run;
    let first = run.poses.first().unwrap().velocity_in_body.vx;
    assert!(first > 0.5, "{first}");
    let slowest = run.poses.iter().map(|sample| sample.velocity_in_body.vx).fold(f64::INFINITY, f64::min);
    assert!(slowest > 0.97 * first, "{slowest} of {first}");
}
