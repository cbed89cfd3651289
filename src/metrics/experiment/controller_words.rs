//! What a ROS controller is told of its run: the words of its command, in which `{name}` stands for a value, and environment variables.
//!
//! | `{name}` | variable | value |
//! |---|---|---|
//! | `{odometry}` | `SKIDPAD_ODOMETRY` | topic of the pose |
//! | `{reference}` | `SKIDPAD_REFERENCE` | topic of the reference |
//! | `{command}` | `SKIDPAD_COMMAND` | topic of the command |
//! | `{reference_file}` | `SKIDPAD_REFERENCE_FILE` | CSV file of the whole reference, in the frame of the topics |
//! | `{feedback}` | `SKIDPAD_FEEDBACK` | what the pose is: truth, odometry or mocap |
//! | `{period}` | `SKIDPAD_PERIOD` | s between two ticks |
//! | `{seed}` | `SKIDPAD_SEED` | seed of the run |

use std::fmt::Write as _;
use std::path::Path;

use skidpad_ros_data::interface::naming::VehicleNaming;
use skidpad_ros_data::preset::{SKIDPAD, racecar};
use skidpad_run::processes::RunValues;
use skidpad_sim::sensor::SensorKind;
use skidpad_sim::trajectory::Trajectory;
use skidpad_sim::world::Scene;

use super::{ExperimentConfig, Feedback};

/// Most rows of the file of the reference.
const MAX_ROWS: f64 = 1e6;

/// The topics of a run, by their full names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ControllerTopics {
    /// The pose that the controller is to use: of an odometry, or of a marker.
    pub(super) odometry: String,
    /// The pose that the metrics compare.
    pub(super) compared: String,
    pub(super) reference: String,
    pub(super) command: String,
    pub(super) wheels: String,
}

impl ControllerTopics {
    /// Those of the vehicle with this index; `config` says which pose is used.
    pub(super) fn of(config: &ExperimentConfig, scene: &Scene, vehicle: usize) -> ControllerTopics {
        let mut naming = VehicleNaming::new(&SKIDPAD, false);
        naming.follow(scene);
        let info = &scene.vehicles[vehicle];
        let names = naming.names(info);
        let absolute = |name: String| format!("/{}", name.trim_start_matches('/'));
        let topic = |name: &str| absolute(names.topic(name));
        let markers = || info.sensors.iter().position(|sensor| matches!(sensor.kind, SensorKind::Mocap(_)));
        let seen = |index| names.sensor_topics(info, index).into_iter().next().map(absolute);
        let compared = topic(if config.feedback == Feedback::Odometry { "odom" } else { "ground_truth" });
        let odometry = match config.feedback {
            Feedback::Mocap => markers().and_then(seen),
            Feedback::Truth | Feedback::Odometry => None,
        };
        ControllerTopics {
            odometry: odometry.unwrap_or_else(|| compared.clone()),
            compared,
            reference: absolute(names.topic_below(racecar::REFERENCE_TRAJECTORY)),
            command: topic("ackermann_cmd"),
            wheels: topic("wheel_states"),
        }
    }

    /// What the controller of a run of this config is told.
    pub(super) fn reported(&self, config: &ExperimentConfig, reference_file: &Path) -> RunValues {
        RunValues(vec![
            ("odometry", self.odometry.clone()),
            ("reference", self.reference.clone()),
            ("command", self.command.clone()),
            ("reference_file", reference_file.display().to_string()),
            ("feedback", config.feedback.name().to_owned()),
            ("period", (1.0 / config.rate).to_string()),
            ("seed", config.seed.to_string()),
        ])
    }
}

/// The reference at each tick of `rate` [Hz] up to `duration` [s], as CSV: time [s], position [m], heading [rad] and speed [m/s].
pub(super) fn reference_csv(trajectory: &dyn Trajectory, rate: f64, duration: f64) -> String {
    let rate = rate.min(MAX_ROWS / duration);
    let mut text = "time,x,y,yaw,speed\n".to_owned();
    for tick in 0..=(duration * rate).round() as u64 {
        let time = tick as f64 / rate;
        let at = trajectory.at(time);
        let _ = writeln!(text, "{time},{},{},{},{}", at.position.x, at.position.y, at.heading(), at.speed());
    }
    text
}

#[cfg(test)]
mod tests {
    use skidpad_sim::trajectory::{self, TrajectoryParameters};

    use super::*;

    #[test]
    fn the_reference_is_a_table_of_its_ticks() {
        let circle = TrajectoryParameters { trajectory_type: "circle".into(), ..TrajectoryParameters::default() };
        let trajectory = trajectory::build(&circle).unwrap();
        let text = reference_csv(&*trajectory, 10.0, 2.0);
        let rows: Vec<Vec<f64>> =
            text.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        assert_eq!((text.lines().next(), rows.len()), (Some("time,x,y,yaw,speed"), 21));
        // A circle of 2 m at 0.4 rad/s.
        for row in &rows {
            let [time, x, y, yaw, speed] = row[..] else { panic!("five columns") };
            let angle = 0.4 * time;
            assert!((x - 2.0 * angle.sin()).abs() < 1e-12 && (y - 2.0 + 2.0 * angle.cos()).abs() < 1e-12);
            assert!((speed - 0.8).abs() < 1e-12 && (yaw - angle).abs() < 1e-12);
        }
    }
}
