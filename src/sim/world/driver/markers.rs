//! The state of a vehicle by the poses of a marker body that a motion-capture system sees: what a tracker on its topic knows.
//!
//! The pose is that of the newest sample that has arrived, as late as it is: nothing is predicted, and while samples are lost the
//! last one stays. Velocities are the slopes of the least-squares lines through the positions and the yaw of the last
//! 0.05 s, at least three samples, by their stamps; of N poses at a period T with independent noise σ, a slope has
//! the standard deviation σ·√(12/(N·(N² − 1)))/T and lags by half of the window (straight line through equidistant points, any book on
//! regression).

use std::collections::VecDeque;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Rot2, Twist2, Vec2, wrap_angle};

use crate::sensor::{MocapStamp, Reading, ReadingData, SensorInfo, SensorKind};
use crate::tracking::VehicleState;

/// Stamps of the poses that a velocity is taken from [ns].
const WINDOW: SimTime = SimTime(50_000_000);

/// Fewest poses that it is taken from where there are that many.
const MIN_POSES: usize = 3;

/// Estimates the state of a vehicle from the poses of a marker body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MarkerEstimator {
    /// Index of the sensor on its vehicle.
    sensor: usize,
    marker_from_body: Pose3,
    stamp: MocapStamp,
    /// Stamps and poses of the vehicle, with a yaw that does not jump.
    poses: VecDeque<(SimTime, Pose2)>,
    /// When the vehicle was last placed, other than by driving [ns].
    placed: SimTime,
    state: Option<VehicleState>,
}

impl MarkerEstimator {
    /// By the first marker body among the sensors of a vehicle; none if there is none.
    pub(super) fn of(sensors: &[SensorInfo]) -> Option<MarkerEstimator> {
        sensors.iter().enumerate().find_map(|(sensor, info)| {
            let SensorKind::Mocap(stamp) = info.kind else { return None };
            let marker_from_body = info.body_from_sensor.inverse();
            Some(MarkerEstimator {
                sensor,
                marker_from_body,
                stamp,
                poses: VecDeque::new(),
                placed: SimTime::ZERO,
                state: None,
            })
        })
    }

    /// Forgets all poses.
    pub(super) fn reset(&mut self) {
        self.poses.clear();
        self.state = None;
    }

    /// Takes those of the readings of a frame that are of its sensor, on the vehicle with index `vehicle`, and have
    /// arrived `now` [ns], but for what was seen before the vehicle was placed, which is `since` [ns] ago.
    pub(super) fn read(&mut self, readings: &[Reading], vehicle: usize, now: SimTime, since: SimTime) {
        let placed = now - since;
        if placed > self.placed {
            self.poses.clear();
        }
        self.placed = placed;
        let is_own = |reading: &&Reading| reading.vehicle == vehicle && reading.sensor == self.sensor;
        let Some(reading) = readings.iter().find(is_own).filter(|reading| reading.is_fresh(now)) else { return };
        for sample in reading.samples().filter(|sample| sample.time > placed) {
            if let ReadingData::MarkerPose(marker) = sample.data {
                let stamp = marker.stamp(self.stamp, sample.time, sample.arrived);
                self.add(stamp, (marker.world_from_marker * self.marker_from_body).planar());
            }
        }
    }

    /// Takes a pose of the vehicle with its stamp.
    fn add(&mut self, stamp: SimTime, pose: Pose2) {
        let yaw = self.poses.back().map_or(pose.yaw, |(_, last)| last.yaw + wrap_angle(pose.yaw - last.yaw));
        self.poses.push_back((stamp, Pose2 { yaw, ..pose }));
        while self.poses.len() > MIN_POSES && self.poses.front().is_some_and(|(first, _)| stamp - *first > WINDOW) {
            self.poses.pop_front();
        }
        let before = self.state.map_or(Twist2::ZERO, |state| state.velocity_in_body);
        let velocity_in_body = self.velocity().unwrap_or(before);
        self.state = Some(VehicleState { world_from_body: pose, velocity_in_body });
    }

    /// The velocity in the vehicle's frame, in the middle of the window; none by one instant alone.
    fn velocity(&self) -> Option<Twist2> {
        let newest = self.poses.back()?.0;
        let count = self.poses.len() as f64;
        let each = || self.poses.iter().map(|(stamp, pose)| ((*stamp - newest).secs(), [pose.x, pose.y, pose.yaw]));
        let middle = each().map(|(time, _)| time).sum::<f64>() / count;
        let means = [0, 1, 2].map(|of| each().map(|(_, pose)| pose[of]).sum::<f64>() / count);
        let spread: f64 = each().map(|(time, _)| (time - middle) * (time - middle)).sum();
        if spread <= 0.0 {
            return None;
        }
        let slopes = [0, 1, 2].map(|of| {
            let products: f64 = each().map(|(time, pose)| (time - middle) * (pose[of] - means[of])).sum();
            products / spread
        });
        let body_from_world = Rot2::new(-means[2]);
        let along = body_from_world * Vec2::new(slopes[0], slopes[1]);
        Some(Twist2::new(along.x, along.y, slopes[2]))
    }

    /// The state; until a pose has arrived `start`, which whoever places a vehicle knows.
    pub(super) fn state_from(&mut self, start: VehicleState) -> VehicleState {
        *self.state.get_or_insert(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimator() -> MarkerEstimator {
        let info = SensorInfo { kind: SensorKind::Mocap(MocapStamp::Sample), ..SensorInfo::default() };
        MarkerEstimator::of(&[SensorInfo::default(), info]).unwrap()
    }

    #[test]
    fn a_circle_has_its_velocity_in_the_middle_of_the_window() {
        // 2 m/s on a circle of 4 m, through the heading of ±π: a yaw rate of 0.5 rad/s.
        let mut markers = estimator();
        for sample in 0..100_i32 {
            let angle = 0.5 * 0.01 * f64::from(sample) + 1.4;
            let (sin, cos) = angle.sin_cos();
            let yaw = wrap_angle(angle + std::f64::consts::FRAC_PI_2);
            markers.add(SimTime(i64::from(sample) * 10_000_000), Pose2::new(4.0 * cos, 4.0 * sin, yaw));
        }
        let state = markers.state_from(VehicleState::default());
        let v = state.velocity_in_body;
        // The chord over the window is shorter than the arc by (θ/2)²/6: 3e-5.
        assert!((v.vx - 2.0).abs() < 1e-4 && v.vy.abs() < 1e-9 && (v.wz - 0.5).abs() < 1e-9, "{v:?}");
        let angle: f64 = 0.5 * 0.99 + 1.4;
        assert_eq!(state.world_from_body.x, 4.0 * angle.cos(), "the pose is the newest one");
    }

    #[test]
    fn the_noise_of_a_velocity_is_that_of_a_slope() {
        // Every other pose is off by ±σ: of six poses at 0.01 s, the slope of (−1)ⁱ·σ about the middle.
        let (sigma, mut markers) = (1e-3, estimator());
        for sample in 0..6_i64 {
            let off = if sample % 2 == 0 { sigma } else { -sigma };
            markers.add(SimTime(sample * 10_000_000), Pose2::new(off, 0.0, 0.0));
        }
        // Σ (i − 2.5)·(−1)ⁱ = −3, Σ (i − 2.5)² = 17.5.
        let v = markers.state_from(VehicleState::default()).velocity_in_body;
        assert!((v.vx + 3.0 * sigma / (17.5 * 0.01)).abs() < 1e-12, "{v:?}");
    }

    #[test]
    fn the_start_holds_until_a_pose_arrives_and_the_last_one_while_they_are_lost() {
        let start =
            VehicleState { world_from_body: Pose2::new(1.0, 2.0, 0.3), velocity_in_body: Twist2::new(1.0, 0.0, 0.0) };
        let mut markers = estimator();
        assert_eq!(markers.state_from(start), start);
        assert_eq!(markers.state_from(VehicleState::default()), start, "not where it has gone since");
        markers.add(SimTime(10_000_000), Pose2::new(1.01, 2.0, 0.3));
        let first = markers.state_from(start);
        assert_eq!((first.world_from_body.x, first.velocity_in_body.vx), (1.01, 1.0), "one pose has no velocity");
        // After a gap that is longer than the window: by the last poses, however old.
        markers.add(SimTime(510_000_000), Pose2::new(1.51, 2.0, 0.0));
        let after = markers.state_from(start).velocity_in_body;
        assert!((after.vx * after.vx + after.vy * after.vy).sqrt() - 1.0 < 1e-9, "{after:?}");
        markers.reset();
        assert_eq!(markers.state_from(VehicleState::default()), VehicleState::default());
    }
}
