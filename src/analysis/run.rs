//! The data of one run of a vehicle, wherever it comes from.

use crate::math::{Pose2, Twist2, Vec2};
use crate::preset::racecar;

/// A pose of the vehicle, as its odometry topic has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseSample {
    /// When [s].
    pub time: f64,
    /// Pose of the reference point [m, rad].
    pub pose: Pose2,
    /// Velocity in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// Where the vehicle shall be.
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

/// What was recorded of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What legends call it: the file, or the plant.
    pub name: String,
    /// Where it was, in the order of time.
    pub poses: Vec<PoseSample>,
    /// Where it should have been, in the order of time.
    pub reference: Vec<PositionSample>,
    /// What it was told, in the order of time.
    pub commands: Vec<CommandSample>,
    /// Slip and force of the wheels that were recorded.
    pub wheels: Vec<Scatter>,
    /// What its source had to say: what is missing, cut off or left out.
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
}

/// The name under which wheels are compared: the study's, where a wheel has one.
pub fn wheel_name(name: &str) -> &str {
    racecar::WHEELS.iter().find(|(own, _)| *own == name).map_or(name, |(_, study)| *study)
}

/// Something that was recorded at a time.
pub(super) trait Timed {
    /// When [s].
    fn time(&self) -> f64;
    /// Whether all its numbers are.
    fn is_finite(&self) -> bool;
}

impl Timed for PoseSample {
    fn time(&self) -> f64 {
        self.time
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite() && self.pose.is_finite() && self.velocity_in_body.is_finite()
    }
}

impl Timed for PositionSample {
    fn time(&self) -> f64 {
        self.time
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite() && self.position.is_finite()
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
    if samples.len() < finite {
        notes.push(format!("{what}: {} of {all} samples repeat a time, left out", finite - samples.len()));
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
}
