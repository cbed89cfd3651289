//! Prescribed motion: `<animation type="keyframes">`.
//!
//! ```xml
//! <animation type="keyframes">
//!   <time_pose>t x y yaw</time_pose>                    [s], [m], [deg]; relative to the start pose; or
//!   <time_pose3d>t x y z yaw pitch roll</time_pose3d>   at least one; times ≥ 0, each later than the one before
//! </animation>
//! ```
//! After the last keyframe it starts again from time 0. Positions are interpolated linearly, orientations on the shortest
//! way (slerp: K. Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985). Before the first keyframe its pose
//! holds. An animated body pushes others with its true velocity, and nothing pushes it; if the last pose differs from the
//! first, it jumps between them without velocity. Time counts from the start of the world or its last reset.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use skidpad_math::{Pose3, slerp};

/// Poses closer to each other than this [m], [rad] are equal.
const SAME: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Keyframe {
    /// Time [s].
    time: f64,
    position: Vector3<f64>,
    rotation: UnitQuaternion<f64>,
    pose: Pose3,
}

/// A motion through poses at given times, repeated forever.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keyframes {
    frames: Vec<Keyframe>,
}

impl Keyframes {
    /// A motion through poses at times [s], which must be non-negative and increasing. None if they are not, or if there are none.
    pub fn new(poses: &[(f64, Pose3)]) -> Option<Keyframes> {
        let rise = poses.windows(2).all(|pair| pair[1].0 > pair[0].0);
        if !rise || poses.first().is_none_or(|&(time, _)| time < 0.0) || !poses.iter().all(|(t, _)| t.is_finite()) {
            return None;
        }
        let frame = |&(time, pose): &(f64, Pose3)| {
            let [x, y, z, w] = pose.quaternion();
            let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
            Keyframe { time, position: pose.position(), rotation, pose }
        };
        Some(Keyframes { frames: poses.iter().map(frame).collect() })
    }

    /// Duration of one cycle [s].
    pub fn period(&self) -> f64 {
        self.frames.last().map_or(0.0, |last| last.time)
    }

    /// Pose relative to the start pose [m, rad] at `time` [s] ≥ 0 since the start.
    pub fn at(&self, time: f64) -> Pose3 {
        let period = self.period();
        let time = if period > 0.0 { time % period } else { 0.0 };
        let next = self.frames.partition_point(|frame| frame.time <= time);
        let Some(to) = self.frames.get(next) else { return self.frames.last().map_or(Pose3::default(), |f| f.pose) };
        let Some(from) = next.checked_sub(1).map(|last| &self.frames[last]) else { return to.pose };
        let share = (time - from.time) / (to.time - from.time);
        let position = from.position + share * (to.position - from.position);
        let [from, to] = [from, to].map(|frame| frame.rotation.coords.into());
        Pose3::from_quaternion(position, slerp(from, to, share))
    }

    /// Whether it jumps between one time [s] and a later one, less than a cycle after it.
    pub fn jumps(&self, from: f64, to: f64) -> bool {
        let period = self.period();
        // The same remainders as in `at`: a quotient would round differently at the end of a cycle.
        if period <= 0.0 || (to - from < period && to % period >= from % period) {
            return false;
        }
        let [Some(first), Some(last)] = [self.frames.first(), self.frames.last()] else { return false };
        (first.position - last.position).norm() > SAME || first.rotation.angle_to(&last.rotation) > SAME
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planar(x: f64, y: f64, degrees: f64) -> Pose3 {
        Pose3 { x, y, yaw: degrees.to_radians(), ..Pose3::default() }
    }

    #[test]
    fn the_end_of_a_cycle_is_a_jump_only_in_the_step_that_passes_it() {
        for tenths in 5..60 {
            let period = f64::from(tenths) / 10.0;
            let motion = Keyframes::new(&[(0.0, Pose3::default()), (period, Pose3 { x: 4.0, ..Pose3::default() })])
                .expect("good keyframes");
            for step in 0..6000_u32 {
                let (from, to) = (f64::from(step) * 0.005, f64::from(step + 1) * 0.005);
                let goes_back = motion.at(to).x < motion.at(from).x;
                assert_eq!(motion.jumps(from, to), goes_back, "period {period}, step {step}");
            }
        }
    }

    #[test]
    fn poses_are_interpolated_and_repeat() {
        let motion = Keyframes::new(&[(1.0, planar(0.0, 2.0, 0.0)), (3.0, planar(4.0, 2.0, 90.0))]).unwrap();
        assert_eq!(motion.at(0.0), planar(0.0, 2.0, 0.0), "before the first keyframe");
        let p = motion.at(1.5);
        assert!((p.x - 1.0).abs() < 1e-12 && (p.y - 2.0).abs() < 1e-12, "{p:?}");
        assert!((p.yaw - 22.5_f64.to_radians()).abs() < 1e-12 && p.pitch.abs() < 1e-12);
        assert_eq!(motion.at(3.0 + 1.5), motion.at(1.5), "the next round");
        assert!((motion.at(3.0 - 1e-9).x - 4.0).abs() < 1e-8);
        assert_eq!(motion.at(3.0), planar(0.0, 2.0, 0.0), "t mod T");
    }

    #[test]
    fn turns_take_the_shortest_way_in_space() {
        let motion = Keyframes::new(&[(0.0, planar(0.0, 0.0, 170.0)), (1.0, planar(0.0, 0.0, -170.0))]).unwrap();
        assert!((motion.at(0.5).yaw.abs() - std::f64::consts::PI).abs() < 1e-12, "{:?}", motion.at(0.5));
        let tilted = Pose3 { z: 2.0, pitch: 0.4, roll: -0.6, ..Pose3::default() };
        let motion = Keyframes::new(&[(0.0, Pose3::default()), (2.0, tilted)]).unwrap();
        // Half of a rotation applied twice is the whole.
        let half = motion.at(1.0);
        let twice = half.rotation() * half.rotation();
        assert!((twice - tilted.rotation()).norm() < 1e-12 && half.z == 1.0);
    }

    #[test]
    fn it_jumps_where_the_ends_differ() {
        let open = Keyframes::new(&[(0.0, planar(0.0, 0.0, 0.0)), (2.0, planar(1.0, 0.0, 0.0))]).unwrap();
        assert!(open.jumps(1.999, 2.004) && open.jumps(3.998, 4.0) && !open.jumps(1.0, 1.5) && !open.jumps(2.0, 2.1));
        let closed =
            Keyframes::new(&[(0.0, planar(0.0, 0.0, 0.0)), (1.0, planar(1.0, 0.0, 0.0)), (2.0, planar(0.0, 0.0, 0.0))])
                .unwrap();
        assert!(!closed.jumps(1.999, 2.004));
        // A full turn ends as it began.
        let turn = Keyframes::new(&[
            (0.0, planar(0.0, 0.0, 0.0)),
            (1.0, planar(0.0, 0.0, 180.0)),
            (2.0, planar(0.0, 0.0, 360.0)),
        ])
        .unwrap();
        assert!(!turn.jumps(1.999, 2.004));
    }

    #[test]
    fn one_keyframe_holds_and_bad_times_make_none() {
        let still = Keyframes::new(&[(0.0, planar(1.0, 0.0, 0.0))]).unwrap();
        assert_eq!(still.at(7.0), planar(1.0, 0.0, 0.0));
        assert!(!still.jumps(0.0, 1.0));
        for times in [&[][..], &[-1.0], &[1.0, 1.0], &[2.0, 1.0], &[0.0, f64::NAN], &[f64::INFINITY]] {
            let poses: Vec<(f64, Pose3)> = times.iter().map(|&t| (t, Pose3::default())).collect();
            assert!(Keyframes::new(&poses).is_none(), "{times:?}");
        }
    }
}
