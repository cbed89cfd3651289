//! How the numbers of a run were measured, as its recording says: an analysis of the recording measures alike.

use serde_json::Value;
use skidpad_math::time::{Periodic, SimTime};
use skidpad_record::Provenance;

use crate::PoseSample;
use crate::experiment::{BUILT_IN, NOBODY};

/// What the recording of an experiment says of its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measured {
    /// Samples of the pose per second that the numbers follow from [Hz]; none: all.
    rate: Option<f64>,
    /// Whether reference and numbers are in the frame of the odometry.
    pub(super) in_odometry: bool,
}

impl Measured {
    /// Of a run that was made so.
    pub(super) fn of(made: &Provenance) -> Measured {
        let key = |name: &str| made.config.as_ref().and_then(|config| config.get(name));
        let word = |name: &str| key(name).and_then(Value::as_str);
        // A ROS controller needs the pose at each of its ticks, and a node publishes it more often, too.
        let is_led = word("controller").is_some_and(|controller| ![BUILT_IN, NOBODY].contains(&controller));
        let has_scenario = made.command.iter().any(|word| word.starts_with("--scenario="));
        let rate = key("sample_rate").and_then(Value::as_f64).filter(|rate| *rate > 0.0 && (is_led || has_scenario));
        Measured { rate, in_odometry: word("feedback") == Some("odometry") }
    }

    /// Leaves out the poses that the numbers do not follow from; they are in the order of time.
    pub(super) fn keep(self, poses: &mut Vec<PoseSample>) {
        let Some(rate) = self.rate else { return };
        let mut due = Periodic::new(SimTime::from_secs(1.0 / rate));
        poses.retain(|pose| due.is_due(SimTime::from_secs(pose.time)));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn made(config: Value, command: &[&str]) -> Provenance {
        let command = command.iter().map(ToString::to_string).collect();
        Provenance { config: Some(config), command, ..Provenance::default() }
    }

    #[test]
    fn a_recording_with_a_controller_is_sampled_as_its_experiment() {
        let poses: Vec<PoseSample> =
            (0..=100).map(|tick| PoseSample { time: 0.01 * f64::from(tick), ..PoseSample::default() }).collect();
        let kept = |made: &Provenance| {
            let mut poses = poses.clone();
            Measured::of(made).keep(&mut poses);
            poses.iter().map(|pose| (100.0 * pose.time).round() as u32).collect::<Vec<_>>()
        };
        let led = made(json!({ "sample_rate": 20.0, "controller": "a_node" }), &["run", "--track=run.yaml"]);
        assert_eq!(kept(&led), (1..=20).map(|sample| 5 * sample).collect::<Vec<_>>());
        let scenario_run = made(json!({ "sample_rate": 10.0, "controller": NOBODY }), &["run", "--scenario=s.yaml"]);
        assert_eq!(kept(&scenario_run).len(), 10);
        // The recordings of others have these samples, or belong to no experiment.
        let own = made(json!({ "sample_rate": 20.0 }), &["experiment", "e.yaml"]);
        assert_eq!((kept(&own).len(), kept(&Provenance::default()).len()), (101, 101));
    }

    #[test]
    fn numbers_are_in_the_frame_that_is_followed() {
        let in_odometry = |feedback: &str| Measured::of(&made(json!({ "feedback": feedback }), &[])).in_odometry;
        assert!(in_odometry("odometry") && !in_odometry("truth") && !in_odometry("mocap"));
    }
}
