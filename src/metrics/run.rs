//! The data of one run of a vehicle, from a simulation or from a recording.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Pose2, Twist2, Vec2, wrap_angle};
use skidpad_record::Provenance;
use skidpad_ros_data::preset::racecar;

/// A pose of the vehicle from its odometry topic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseSample {
    /// Time [s].
    pub time: f64,
    /// Pose of the reference point [m, rad].
    pub pose: Pose2,
    /// Velocity in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// A position of the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionSample {
    /// Time [s].
    pub time: f64,
    /// Position [m].
    pub position: Vec2,
}

/// A path without times that the vehicle is to follow, as planners send them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WantedPath {
    /// Time [s] from which on it holds, until the next one.
    pub time: f64,
    /// Its positions [m], at least one.
    pub points: Vec<Vec2>,
}

/// A command to the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandSample {
    /// Time [s].
    pub time: f64,
    /// Speed [m/s].
    pub speed: f64,
    /// Steering angle [rad]; none where the command is a velocity and a yaw rate.
    pub steering_angle: Option<f64>,
    /// Yaw rate [rad/s]; none where the command is a steering angle.
    pub yaw_rate: Option<f64>,
}

/// Slip and force of one wheel, along and across its rolling direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Name of the wheel, such as `right_front`.
    pub wheel: String,
    /// Slip ratio [-] and longitudinal force [N].
    pub longitudinal: Vec<(f64, f64)>,
    /// Slip angle [rad] and lateral force [N].
    pub lateral: Vec<(f64, f64)>,
}

/// The topics from which the data of a run were read; empty: none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunTopics {
    /// Topic of the poses.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub poses: String,
    /// Topic of the reference.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// Topic of its commands.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub commands: String,
}

impl fmt::Display for RunTopics {
    /// One line for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [("poses", &self.poses), ("reference", &self.reference), ("commands", &self.commands)];
        let named = all.iter().filter(|(_, topic)| !topic.is_empty()).map(|(kind, topic)| format!("{kind} {topic}"));
        f.write_str(&named.collect::<Vec<_>>().join(", "))
    }
}

/// The data of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Its name in legends: the file, or the plant.
    pub name: String,
    /// What its vehicle is called in a recording: by its namespace, or by the frame of its body.
    pub vehicle: String,
    /// The topics of its data, if it was read from a recording.
    pub topics: RunTopics,
    /// Topics of the recording with poses that were not taken.
    pub other_poses: Vec<String>,
    /// Poses in the order of time.
    pub poses: Vec<PoseSample>,
    /// Positions of the reference in the order of time.
    pub reference: Vec<PositionSample>,
    /// Paths without times, in place of a reference, in the order of time.
    pub plans: Vec<WantedPath>,
    /// Commands in the order of time.
    pub commands: Vec<CommandSample>,
    /// Slip and force of the wheels that were recorded.
    pub wheels: Vec<Scatter>,
    /// Remarks about the data: what is missing, cut off or left out.
    pub notes: Vec<Diagnostic>,
    /// How it was made; none: that is not known.
    pub provenance: Option<Arc<Provenance>>,
}

impl Run {
    /// Sorts samples by time, drops those with a number that is not finite, and keeps only the last of several with the same time.
    /// A note says what was dropped.
    pub fn tidy(&mut self) {
        let notes = &mut self.notes;
        let is_pose = |s: &PoseSample| s.pose.is_finite() && s.velocity_in_body.is_finite();
        tidy(&mut self.poses, "odometry", notes, |s| s.time, is_pose, |s| s.pose.position());
        tidy(&mut self.reference, "reference", notes, |s| s.time, |s| s.position.is_finite(), |s| s.position);
        let is_command = |s: &CommandSample| s.speed.is_finite() && s.steering_angle.is_none_or(f64::is_finite);
        tidy(&mut self.commands, "commands", notes, |s| s.time, is_command, |_| Vec2::ZERO);
        self.plans.retain(|plan| plan.time.is_finite());
        self.plans.sort_by(|a, b| a.time.total_cmp(&b.time));
        for points in self.wheels.iter_mut().flat_map(|wheel| [&mut wheel.longitudinal, &mut wheel.lateral]) {
            points.retain(|(slip, force)| slip.is_finite() && force.is_finite());
        }
    }

    /// Computes the velocities in the body frame from the positions of neighbouring samples if no pose has a velocity. The run is
    /// tidy.
    pub(super) fn derive_velocities(&mut self) {
        let moves = self.poses.windows(2).any(|pair| pair[0].pose != pair[1].pose);
        if !moves || self.poses.iter().any(|pose| pose.velocity_in_body != Twist2::default()) {
            return;
        }
        let of = |index: usize| {
            let (before, pose) = (&self.poses[index.saturating_sub(1)], self.poses[index].pose);
            let after = &self.poses[(index + 1).min(self.poses.len() - 1)];
            let per_second = 1.0 / (after.time - before.time);
            let linear = per_second * (after.pose.position() - before.pose.position());
            let (sin, cos) = libm::sincos(pose.yaw);
            let turned = wrap_angle(after.pose.yaw - before.pose.yaw);
            Twist2::new(cos * linear.x + sin * linear.y, cos * linear.y - sin * linear.x, per_second * turned)
        };
        let velocities: Vec<Twist2> = (0..self.poses.len()).map(of).collect();
        for (pose, velocity) in self.poses.iter_mut().zip(velocities) {
            pose.velocity_in_body = velocity;
        }
        let found = "has no velocities: they are computed from its positions";
        self.notes.push(Diagnostic::new("odometry", found));
    }
}

/// The name of a wheel in analyses: that of the study, if it has one there.
pub fn wheel_name(name: &str) -> &str {
    racecar::WHEELS.iter().find(|(wheel, _)| *wheel == name).map_or(name, |(_, study)| *study)
}

/// Positions farther away than this [m] are left out: sums of their squares would lose all precision.
const MAX_COORDINATE: f64 = 1e12;

/// Tidies the samples of one topic; `topic` names it in notes.
fn tidy<T>(
    samples: &mut Vec<T>,
    topic: &str,
    notes: &mut Vec<Diagnostic>,
    time: impl Fn(&T) -> f64,
    is_finite: impl Fn(&T) -> bool,
    position: impl Fn(&T) -> Vec2,
) {
    let mut note = |found: String| notes.push(Diagnostic::new(topic, found));
    let all = samples.len();
    samples.retain(|sample| time(sample).is_finite() && is_finite(sample));
    let finite = samples.len();
    samples.retain(|sample| position(sample).x.abs() <= MAX_COORDINATE && position(sample).y.abs() <= MAX_COORDINATE);
    let near = samples.len();
    if !samples.is_sorted_by(|a, b| time(a) <= time(b)) {
        note("times out of order, sorted".to_owned());
        samples.sort_by(|a, b| time(a).total_cmp(&time(b)));
    }
    // Of two samples with the same time the later one counts.
    samples.reverse();
    samples.dedup_by(|a, b| time(a) == time(b));
    samples.reverse();
    if finite < all {
        note(format!("{} of {all} samples are not finite, left out", all - finite));
    }
    if near < finite {
        note(format!("{} of {all} samples lie beyond {MAX_COORDINATE:e} m, left out", finite - near));
    }
    if samples.len() < near {
        note(format!("{} of {all} samples repeat a time, left out", near - samples.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(run: &Run) -> Vec<String> {
        run.notes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tidy_sorts_and_drops_samples_that_cannot_be_compared() {
        let at = |time: f64, x: f64| PositionSample { time, position: Vec2::new(x, 0.0) };
        let reference = vec![at(2.0, 2.0), at(1.0, 1.0), at(f64::NAN, 0.0), at(1.5, f64::INFINITY), at(1.0, 7.0)];
        let mut run = Run { reference, ..Run::default() };
        run.tidy();
        assert_eq!(run.reference, [at(1.0, 7.0), at(2.0, 2.0)]);
        assert_eq!(
            texts(&run),
            [
                "reference: times out of order, sorted",
                "reference: 2 of 5 samples are not finite, left out",
                "reference: 1 of 5 samples repeat a time, left out"
            ]
        );
        let tidied = run.clone();
        run.tidy();
        assert_eq!(run, tidied, "once is enough");
    }

    #[test]
    fn implausibly_large_positions_are_dropped() {
        let at = |time: f64, x: f64| PositionSample { time, position: Vec2::new(x, 0.0) };
        let pose = |time: f64, y: f64| PoseSample { time, pose: Pose2::new(0.0, y, 0.0), ..PoseSample::default() };
        let reference = vec![at(1.0, 1e160), at(2.0, -1e12), at(3.0, f64::MAX)];
        let mut run = Run { poses: vec![pose(1.0, -2e12), pose(2.0, 0.0)], reference, ..Run::default() };
        run.tidy();
        let reported = texts(&run);
        assert_eq!((run.poses, run.reference), (vec![pose(2.0, 0.0)], vec![at(2.0, -1e12)]));
        let notes =
            ["odometry: 1 of 2", "reference: 2 of 3"].map(|n| format!("{n} samples lie beyond 1e12 m, left out"));
        assert_eq!(reported, notes);
    }

    /// Around a circle of 2 m at 0.5 rad/s, across the jump of the yaw.
    #[test]
    fn missing_velocities_are_derived_from_positions() {
        let pose = |time: f64| {
            let angle = 0.5 * time;
            let yaw = wrap_angle(angle + std::f64::consts::FRAC_PI_2);
            let pose = Pose2::new(2.0 * angle.cos(), 2.0 * angle.sin(), yaw);
            PoseSample { time, pose, velocity_in_body: Twist2::default() }
        };
        let mut run = Run { poses: (0..200).map(|i| pose(0.05 * f64::from(i))).collect(), ..Run::default() };
        let with_twist = Twist2::new(0.1, 0.0, 0.0);
        run.poses[7].velocity_in_body = with_twist;
        run.derive_velocities();
        assert_eq!((run.poses[6].velocity_in_body, run.notes.len()), (Twist2::default(), 0), "what there is stays");
        run.poses[7].velocity_in_body = Twist2::default();
        run.derive_velocities();
        for pose in &run.poses[1..199] {
            let Twist2 { vx, vy, wz } = pose.velocity_in_body;
            assert!((vx - 1.0).abs() < 1e-3 && vy.abs() < 1e-9 && (wz - 0.5).abs() < 1e-9, "{pose:?}");
        }
        assert_eq!(texts(&run), ["odometry: has no velocities: they are computed from its positions"]);
    }
}
