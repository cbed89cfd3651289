//! Whether the positions and the velocities of a run belong together.
//!
//! Both are of one message, but not always of one source: there are robots whose odometry has velocities and stays at the origin, and others
//! whose positions come from elsewhere, or jump. Way, mean speed and errors are those of the positions, the greatest speed is that of the
//! velocities.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Twist2;

use super::run::{PoseSample, Run};
use super::window::Window;

/// Positions are compared over intervals of at least this length [s], so that their noise does not add up to a way.
const INTERVAL: f64 = 1.0;
/// By how much the two ways may differ: the longer one over the shorter one [-]. In the tightest turns of a robot a way of one second is twice as
/// long as its chord.
const RATIO: f64 = 2.0;
/// The two ways may differ by this much in any case [m].
const MARGIN: f64 = 0.5;

/// A note if the positions in the window move by another way than the velocities there, with its time since `origin` [s]. The run is tidy.
pub(super) fn note(run: &Run, window: &Window, origin: f64) -> Option<Diagnostic> {
    let poses: Vec<&PoseSample> = run.poses.iter().filter(|pose| window.contains(pose.time)).collect();
    // Without velocities nothing is compared.
    if poses.iter().all(|pose| pose.velocity_in_body == Twist2::default()) {
        return None;
    }
    let by_velocities = poses
        .windows(2)
        .map(|pair| 0.5 * (pair[1].time - pair[0].time) * (speed(pair[0]) + speed(pair[1])))
        .fold(0.0, |sum, part| sum + part);
    let (mut by_positions, mut from) = (0.0, *poses.first()?);
    for pose in &poses {
        if pose.time - from.time >= INTERVAL {
            by_positions += distance(from, pose);
            from = pose;
        }
    }
    by_positions += distance(from, poses.last()?);
    let (longer, shorter) = (f64::max(by_positions, by_velocities), f64::min(by_positions, by_velocities));
    if longer <= RATIO * shorter + MARGIN {
        return None;
    }
    let mut text =
        format!("the distance is {by_positions:.2} m by its positions, {by_velocities:.2} m by its velocities");
    let steps = poses.windows(2).map(|pair| (distance(pair[0], pair[1]), pair[0].time, pair[1].time));
    if let Some((step, before, after)) =
        steps.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|_| by_positions > by_velocities)
    {
        text += &format!("; the longest step is {step:.2} m from {:.3} to {:.3} s", before - origin, after - origin);
    }
    let topic = if run.topics.poses.is_empty() { "odometry" } else { &run.topics.poses };
    let hint = "distance, mean speed and errors are computed from the positions";
    let hint = match &run.other_poses[..] {
        [] => hint.to_owned(),
        topics => format!("{hint}; --odom takes other poses: {}", topics.join(", ")),
    };
    Some(Diagnostic::new(topic, text).hint(hint))
}

fn speed(pose: &PoseSample) -> f64 {
    pose.velocity_in_body.linear().norm()
}

fn distance(from: &PoseSample, to: &PoseSample) -> f64 {
    (to.pose.position() - from.pose.position()).norm()
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;

    use super::*;
    use crate::metrics::{MetricsOptions, metrics};

    /// A circle of 0.5 m at 1 m/s for 10 s, with velocities of `scale` times that, and positions that jump by `jump` [m] after 5 s.
    fn reported(scale: f64, jump: f64, moves: bool) -> Option<String> {
        let at = |k: i32| {
            let time = 0.02 * f64::from(k);
            let angle = 2.0 * time;
            let offset = if time > 5.0 { jump } else { 0.0 };
            let pose = if moves {
                Pose2::new(0.5 * angle.sin() + offset, -0.5 * angle.cos(), angle)
            } else {
                Pose2::default()
            };
            PoseSample { time: 100.0 + time, pose, velocity_in_body: Twist2::new(scale, 0.0, 2.0 * scale) }
        };
        let mut run = Run { poses: (0..=500).map(at).collect(), ..Run::default() };
        run.topics.poses = "/odometry".into();
        run.other_poses = vec!["/pose".into()];
        let window = metrics(&run, &MetricsOptions::default()).unwrap().window;
        note(&run, &window, window.start).map(|note| note.to_string())
    }

    #[test]
    fn positions_that_do_not_belong_to_the_velocities_are_told() {
        assert_eq!(reported(1.0, 0.0, true), None);
        assert_eq!(reported(0.0, 0.0, true), None, "no velocities");
        let hint = "\n  hint: distance, mean speed and errors are computed from the positions; --odom takes other poses: /pose";
        assert_eq!(
            reported(1.0, 0.0, false).unwrap(),
            format!("/odometry: the distance is 0.00 m by its positions, 10.00 m by its velocities{hint}")
        );
        let jump = reported(1.0, -40.0, true).unwrap();
        assert!(jump.contains("; the longest step is 40.0") && jump.contains(" m from 5.000 to 5.020 s"), "{jump}");
    }
}
