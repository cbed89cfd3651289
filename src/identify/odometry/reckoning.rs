//! Dead reckoning over windows of a recording, beside the measured motion.

use nalgebra::{Matrix3, Vector3};
use skidpad_math::{Pose2, Twist2, advance};
use skidpad_sim::vehicle::drive::kinematic::law::TwoWheels;
use skidpad_sim::vehicle::{Accepts, Action, OdometryNoise, OdometryUncertainty};
use skidpad_sim::world::World;

use super::Systematic;
use crate::config::Measurement;
use crate::predict::{command, state_at};
use crate::recording::Recording;

/// Count of variances: along, across, yaw per way, yaw per turn, position and yaw at the ends.
pub(super) const VARIANCES: usize = 6;
/// Windows in which the robot goes and turns less than this [m, rad] tell nothing.
const STANDS: f64 = 0.01;
/// Longest time between the last command and the end of a window [s].
const SILENCE: f64 = 1.0;

/// Dead reckoning over a window.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// Estimated minus measured pose at the end, in the frame of the body at the start [m, m, rad].
    pub error: Vector3<f64>,
    /// Its change per scale error of ways [-], per scale error of turns [-], and per turn per way [rad/m], as columns.
    pub by_systematic: Matrix3<f64>,
    /// Its covariance per variance: the walks along and across [per m²/m], of yaw per way [per rad²/m] and per turn [per
    /// rad²/rad]; the noise of measured positions [per m²] and headings [per rad²] at both ends.
    pub by_variance: [Matrix3<f64>; VARIANCES],
    /// Estimated way [m].
    pub path_length: f64,
    /// Estimated turn, to either side [rad].
    pub turn: f64,
}

/// The velocity that odometry tells: that of the recorded commands, or of the recorded rates of the wheels.
#[derive(Clone, Debug)]
pub(super) struct ReportedMotion<'a> {
    recording: &'a Recording,
    /// Time of each command [s], on the clock of the measurements.
    times: Vec<f64>,
    /// Velocity from each of these times on, in the body frame [m/s, rad/s].
    velocities: Vec<Twist2>,
    measurement: Measurement,
    longest_gap: f64,
}

impl<'a> ReportedMotion<'a> {
    /// What odometry tells in a recording of a car of `world`; none if its commands are no velocities.
    pub(super) fn new(
        recording: &'a Recording,
        world: &World,
        measurement: Measurement,
        longest_gap: f64,
    ) -> Option<ReportedMotion<'a>> {
        let accepts = Accepts { twist: true, side_spins: true, ..Accepts::default() };
        let wheels = world.vehicle(0).map(|vehicle| vehicle.wheels()).unwrap_or_default();
        let axle = match wheels {
            [left, right, ..] => Some(TwoWheels {
                radius: [left, right].map(|wheel| wheel.parameters.radius),
                y: [left, right].map(|wheel| wheel.parameters.position.y),
            }),
            _ => None,
        };
        let (mut times, mut velocities) = (Vec::new(), Vec::new());
        for (row, time) in recording.command_times().iter().enumerate() {
            // What is told is the recorded velocity, before any model of how the car responds to it.
            let velocity = match command(recording, row, accepts, &Measurement::default()) {
                Some(Action::Twist(twist)) => twist,
                Some(Action::SideSpins(spins)) => axle?.velocity(spins),
                Some(_) => return None,
                None => continue,
            };
            times.push(time + measurement.clock_offset);
            velocities.push(velocity);
        }
        (!times.is_empty()).then_some(ReportedMotion { recording, times, velocities, measurement, longest_gap })
    }

    /// Dead reckoning with known systematic errors over the windows of this length [s] in which the robot moves.
    pub(super) fn windows(&self, length: f64, known: &Systematic) -> Vec<Window> {
        let (Some(&first), Some(&last)) = (self.times.first(), self.times.last()) else { return Vec::new() };
        let mut windows = Vec::new();
        let mut start = first.max(0.0);
        while start + length <= self.recording.duration().min(last + SILENCE) + 1e-6 {
            windows.extend(self.window(start, start + length, known));
            start += length;
        }
        windows
    }

    /// The measured pose of the body at a time [s].
    fn pose(&self, time: f64) -> Option<Pose2> {
        state_at(self.recording, time, &self.measurement, self.longest_gap).map(|(pose, _)| pose.planar())
    }

    fn window(&self, from: f64, to: f64, known: &Systematic) -> Option<Window> {
        let [start, end] = [self.pose(from)?, self.pose(to.min(self.recording.duration()))?];
        if self.recording.jumps.iter().any(|jump| (from..=to).contains(jump)) {
            return None;
        }
        let none = OdometryNoise { scale_std: 0.0, yaw_scale_std: 0.0, curvature_std: 0.0, ..OdometryNoise::WITHOUT };
        let walks = [
            OdometryNoise { along_walk: 1.0, ..none },
            OdometryNoise { across_walk: 1.0, ..none },
            OdometryNoise { yaw_walk: 1.0, ..none },
            OdometryNoise { turn_walk: 1.0, ..none },
        ];
        let mut grown = walks.map(|walk| OdometryUncertainty::new(&walk));
        let mut pose = Pose2::IDENTITY;
        let (mut path_length, mut turn) = (0.0, 0.0);
        let mut row = self.times.partition_point(|time| *time <= from).checked_sub(1)?;
        let mut now = from;
        while now < to {
            let next = self.times.get(row + 1).map_or(to, |time| time.min(to));
            let dt = next - now;
            let velocity = known.corrected(self.velocities[row]);
            if velocity != Twist2::ZERO && dt > 0.0 {
                let from = pose.position();
                pose = advance(pose, velocity, dt);
                for (uncertainty, walk) in grown.iter_mut().zip(&walks) {
                    uncertainty.advance(walk, pose.position() - from, dt * velocity.wz, dt * velocity.vx);
                }
                path_length += velocity.linear().norm() * dt;
                turn += velocity.wz.abs() * dt;
            }
            (now, row) = (next, row + 1);
        }
        if path_length < STANDS && turn < STANDS {
            return None;
        }
        let true_motion = start.inverse() * end;
        let error = pose.position() - true_motion.position();
        let [x, y] = [true_motion.x, true_motion.y];
        // An error of the heading at the start turns the whole motion.
        let by_heading = Vector3::new(-y, x, 1.0);
        let ends = [
            Matrix3::from_diagonal(&Vector3::new(2.0, 2.0, 0.0)),
            by_heading * by_heading.transpose() + Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, 1.0)),
        ];
        let [along, across, yaw, by_turn] = grown.map(|uncertainty| uncertainty.of_pose().matrix());
        Some(Window {
            error: Vector3::new(error.x, error.y, skidpad_math::wrap_angle(pose.yaw - true_motion.yaw)),
            by_systematic: Matrix3::from_columns(&grown[0].sensitivities().map(Vector3::from)),
            by_variance: [along, across, yaw, by_turn, ends[0], ends[1]],
            path_length,
            turn,
        })
    }
}
