//! The data of one run of a vehicle, wherever it comes from.

use std::fmt;

use serde::Serialize;

use crate::math::{Pose2, Twist2, Vec2, wrap_angle};
use crate::preset::racecar;

/// A pose of the vehicle from its odometry topic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseSample {
    /// When [s].
    pub time: f64,
    /// Pose of the reference point [m, rad].
    pub pose: Pose2,
    /// Velocity in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// The reference of the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionSample {
    /// When [s].
    pub time: f64,
    /// Position [m].
    pub position: Vec2,
}

/// A command to the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandSample {
    /// When [s].
    pub time: f64,
    /// Speed [m/s].
    pub speed: f64,
    /// Steering angle [rad]; none where the command is a velocity and a yaw rate.
    pub steering_angle: Option<f64>,
}

/// Slip and force of one wheel in the directions of the wheel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Name of the wheel, such as `right_front`.
    pub wheel: String,
    /// Slip ratio [-] and longitudinal force [N].
    pub longitudinal: Vec<(f64, f64)>,
    /// Slip angle [rad] and lateral force [N].
    pub lateral: Vec<(f64, f64)>,
}

/// The topics that the data of a run come from; empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RunTopics {
    /// Where the vehicle was.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub poses: String,
    /// Where it should have been.
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
        let named = all.iter().filter(|(_, topic)| !topic.is_empty()).map(|(what, topic)| format!("{what} {topic}"));
        f.write_str(&named.collect::<Vec<_>>().join(", "))
    }
}

/// What was recorded of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What legends call it: the file, or the plant.
    pub name: String,
    /// Where its data come from, if from a recording.
    pub topics: RunTopics,
    /// Where it was, in the order of time.
    pub poses: Vec<PoseSample>,
    /// Where it should have been, in the order of time.
    pub reference: Vec<PositionSample>,
    /// Its commands in the order of time.
    pub commands: Vec<CommandSample>,
    /// Slip and force of the wheels that were recorded.
    pub wheels: Vec<Scatter>,
    /// Notes of its source: data that are missing, cut off or left out.
    pub notes: Vec<String>,
}

impl Run {
    /// Brings samples into the order of time, leaves out those with a number that is not finite, and of several with the same time
    /// keeps the last. What was left out is noted.
    pub fn tidy(&mut self) {
        tidy(&mut self.poses, "odometry", &mut self.notes);
        tidy(&mut self.reference, "reference", &mut self.notes);
        tidy(&mut self.commands, "commands", &mut self.notes);
        for wheel in &mut self.wheels {
            wheel.longitudinal.retain(|(slip, force)| slip.is_finite() && force.is_finite());
            wheel.lateral.retain(|(slip, force)| slip.is_finite() && force.is_finite());
        }
    }

    /// Gives poses without velocities those of their positions: of the neighbours' difference, in the body frame. Poses of which
    /// any has a velocity keep theirs. The run is tidy.
    pub(super) fn derive_velocities(&mut self) {
        let moves = self.poses.windows(2).any(|pair| pair[0].pose != pair[1].pose);
        if !moves || self.poses.iter().any(|pose| pose.velocity_in_body != Twist2::default()) {
            return;
        }
        let of = |index: usize| {
            let (before, here) = (&self.poses[index.saturating_sub(1)], self.poses[index].pose);
            let after = &self.poses[(index + 1).min(self.poses.len() - 1)];
            let per_second = 1.0 / (after.time - before.time);
            let linear = per_second * (after.pose.position() - before.pose.position());
            let (sin, cos) = libm::sincos(here.yaw);
            let turned = wrap_angle(after.pose.yaw - before.pose.yaw);
            Twist2::new(cos * linear.x + sin * linear.y, cos * linear.y - sin * linear.x, per_second * turned)
        };
        let velocities: Vec<Twist2> = (0..self.poses.len()).map(of).collect();
        for (pose, velocity) in self.poses.iter_mut().zip(velocities) {
            pose.velocity_in_body = velocity;
        }
        self.notes.push("odometry: gives no velocities, those of its positions are taken".into());
    }
}

/// The name under which wheels are compared: the study's, where a wheel has one.
pub fn wheel_name(name: &str) -> &str {
    racecar::WHEELS.iter().find(|(own, _)| *own == name).map_or(name, |(_, study)| *study)
}

/// Positions further away than this are no positions [m]: squares and sums of them are none either.
const FARTHEST: f64 = 1e12;

fn is_near(position: Vec2) -> bool {
    position.x.abs() <= FARTHEST && position.y.abs() <= FARTHEST
}

/// Something that was recorded at a time.
pub(super) trait Timed {
    /// When [s].
    fn time(&self) -> f64;
    /// Whether all its numbers are.
    fn is_finite(&self) -> bool;

    /// Whether it lies within [`FARTHEST`].
    fn is_near(&self) -> bool {
        true
    }
}

impl Timed for PoseSample {
    fn time(&self) -> f64 {
        self.time
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite() && self.pose.is_finite() && self.velocity_in_body.is_finite()
    }

    fn is_near(&self) -> bool {
        is_near(self.pose.position())
    }
}

impl Timed for PositionSample {
    fn time(&self) -> f64 {
        self.time
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite() && self.position.is_finite()
    }

    fn is_near(&self) -> bool {
        is_near(self.position)
    }
}

impl Timed for CommandSample {
    fn time(&self) -> f64 {
        self.time
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite() && self.speed.is_finite() && self.steering_angle.is_none_or(f64::is_finite)
    }
}

fn tidy<T: Timed>(samples: &mut Vec<T>, what: &str, notes: &mut Vec<String>) {
    let all = samples.len();
    samples.retain(T::is_finite);
    let finite = samples.len();
    samples.retain(T::is_near);
    let near = samples.len();
    if !samples.is_sorted_by(|a, b| a.time() <= b.time()) {
        notes.push(format!("{what}: times out of order, sorted"));
        samples.sort_by(|a, b| a.time().total_cmp(&b.time()));
    }
    // The later of two stays: a topic's newest word counts.
    samples.reverse();
    samples.dedup_by(|a, b| a.time() == b.time());
    samples.reverse();
    if finite < all {
        notes.push(format!("{what}: {} of {all} samples are not finite, left out", all - finite));
    }
    if near < finite {
        notes.push(format!("{what}: {} of {all} samples lie beyond {FARTHEST:e} m, left out", finite - near));
    }
    if samples.len() < near {
        notes.push(format!("{what}: {} of {all} samples repeat a time, left out", near - samples.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidy_sorts_and_leaves_out_what_cannot_be_compared() {
        let at = |time: f64, x: f64| PositionSample { time, position: Vec2::new(x, 0.0) };
        let reference = vec![at(2.0, 2.0), at(1.0, 1.0), at(f64::NAN, 0.0), at(1.5, f64::INFINITY), at(1.0, 7.0)];
        let mut run = Run { reference, ..Run::default() };
        run.tidy();
        assert_eq!(run.reference, [at(1.0, 7.0), at(2.0, 2.0)]);
        assert_eq!(
            run.notes,
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
    fn positions_beyond_all_measure_are_left_out() {
        let at = |time: f64, x: f64| PositionSample { time, position: Vec2::new(x, 0.0) };
        let pose = |time: f64, y: f64| PoseSample { time, pose: Pose2::new(0.0, y, 0.0), ..PoseSample::default() };
        let reference = vec![at(1.0, 1e160), at(2.0, -1e12), at(3.0, f64::MAX)];
        let mut run = Run { poses: vec![pose(1.0, -2e12), pose(2.0, 0.0)], reference, ..Run::default() };
        run.tidy();
        assert_eq!((run.poses, run.reference), (vec![pose(2.0, 0.0)], vec![at(2.0, -1e12)]));
        let notes =
            ["odometry: 1 of 2", "reference: 2 of 3"].map(|n| format!("{n} samples lie beyond 1e12 m, left out"));
        assert_eq!(run.notes, notes);
    }

    /// Around a circle of 2 m at 0.5 rad/s, across the jump of the yaw.
    #[test]
    fn velocities_are_those_of_the_positions_where_there_are_none() {
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
        assert_eq!(run.notes, ["odometry: gives no velocities, those of its positions are taken"]);
    }
}
