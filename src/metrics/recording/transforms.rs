//! The motion of vehicles by their transforms, for recordings that hold no odometry.
//!
//! A vehicle is the first frame below those that stand (`map`, `odom`, `world`): `base_link` below `odom`. Where several standing
//! frames are above each other, the transforms between them are joined, each as it was last sent.

use std::collections::BTreeMap;

use skidpad_math::Pose2;
use skidpad_record::bag::{is_fixed_frame, namespace, vehicle_name};

use super::samples::{SampledTopic, Samples, Transforms};
use crate::PoseSample;

/// The motion of one vehicle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Motion {
    /// Where its poses are from: a topic, or transforms.
    pub(super) source: String,
    /// The namespace of its topics.
    pub(super) namespace: String,
    /// What to call it.
    pub(super) name: String,
    /// Log time [s] and pose.
    pub(super) poses: Vec<(f64, PoseSample)>,
}

/// One tree of frames: that of the transforms in one namespace.
type Tree<'a> = BTreeMap<&'a str, (&'a str, &'a Transforms)>;

/// The motions that the transforms of a recording hold, by the names of the bodies' frames.
pub(super) fn motions<'a>(topics: impl Iterator<Item = (&'a str, &'a SampledTopic)>) -> Vec<Motion> {
    let mut trees: BTreeMap<&str, (&str, Tree)> = BTreeMap::new();
    for (topic, sampled) in topics {
        let Samples::Transforms(of) = &sampled.samples else { continue };
        let (moving, tree) = trees.entry(namespace(topic)).or_insert((topic, Tree::new()));
        if !topic.ends_with("_static") {
            *moving = topic;
        }
        tree.extend(of.iter().map(|([parent, child], poses)| (child.as_str(), (parent.as_str(), poses))));
    }
    let of_tree = |(namespace, (topic, tree)): (&str, (&str, Tree))| -> Vec<Motion> {
        // A frame of somebody's own name, such as that of a motion capture, stands if nothing is above it.
        let stands = |frame: &str| {
            let is_part = frame.rsplit('/').next().is_some_and(|last| last.starts_with("base"));
            is_fixed_frame(frame) || !(tree.contains_key(frame) || is_part)
        };
        let is_body = |child: &str, parent: &str| !is_fixed_frame(child) && stands(parent);
        let moves = |poses: &Transforms| poses.windows(2).any(|pair| pair[0].1.pose != pair[1].1.pose);
        let bodies = tree.iter().filter(|(child, (parent, poses))| is_body(child, parent) && moves(poses));
        let motion = |(child, (parent, poses)): (&&str, &(&str, &Transforms))| {
            let (root, poses) = joined(&tree, parent, poses);
            let source = format!("{topic}, {root} to {child}");
            // `r1/base_link` is a body of the vehicle whose topics are below `/r1`.
            let of_frame = child.rsplit_once('/').map(|(start, _)| format!("/{start}"));
            let vehicle_namespace = of_frame.filter(|_| namespace.is_empty()).unwrap_or_else(|| namespace.to_owned());
            Motion { source, namespace: vehicle_namespace, name: vehicle_name(namespace, child), poses }
        };
        bodies.map(motion).collect()
    };
    trees.into_iter().flat_map(of_tree).collect()
}

/// The topmost frame above `parent`, and the poses in it.
fn joined<'a>(tree: &Tree<'a>, parent: &'a str, poses: &Transforms) -> (&'a str, Transforms) {
    let (mut root, mut poses) = (parent, poses.clone());
    // A foreign recording may have a cycle.
    for _ in 0..tree.len() {
        let Some((above, transforms)) = tree.get(root) else { break };
        root = above;
        let last_before = |log: f64| -> Pose2 {
            let after = transforms.partition_point(|(time, _)| *time <= log);
            transforms.get(after.saturating_sub(1)).map_or(Pose2::default(), |(_, sample)| sample.pose)
        };
        for (log, sample) in &mut poses {
            sample.pose = last_before(*log) * sample.pose;
        }
    }
    (root, poses)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use skidpad_ros_data::message::Message;
    use skidpad_ros_data::message::TFMessage;

    use super::*;

    /// A topic of transforms: parent, child, and its poses, one each second.
    fn topic(transforms: &[(&str, &str, &[Pose2])]) -> SampledTopic {
        let timed = |poses: &[Pose2]| -> Transforms {
            let at = |(second, pose): (usize, &Pose2)| {
                let time = second as f64;
                (time, PoseSample { time, pose: *pose, ..PoseSample::default() })
            };
            poses.iter().enumerate().map(at).collect()
        };
        let of =
            transforms.iter().map(|(parent, child, poses)| ([(*parent).to_owned(), (*child).to_owned()], timed(poses)));
        SampledTopic { samples: Samples::Transforms(of.collect()), ..SampledTopic::new(TFMessage::TYPE) }
    }

    #[test]
    fn a_body_moves_in_the_topmost_frame() {
        let ahead = [0.0, 1.0, 2.0].map(|x| Pose2::new(x, 0.0, 0.0));
        // After a second the localization turns the frame of the odometry.
        let corrected = [Pose2::new(10.0, 0.0, 0.0), Pose2::new(10.0, 0.0, FRAC_PI_2)];
        let wheel = [0.0, 1.0].map(|yaw| Pose2::new(0.1, 0.2, yaw));
        let moving = topic(&[
            ("odom", "base_link", &ahead),
            ("map", "odom", &corrected),
            ("base_link", "wheel", &wheel),
            ("base_link", "laser", &[Pose2::new(0.3, 0.0, 0.0)]),
        ]);
        let actual = motions([("/tf", &moving)].into_iter());
        let [motion] = &actual[..] else { panic!("{actual:?}") };
        assert_eq!((motion.source.as_str(), motion.name.as_str()), ("/tf, map to base_link", "base_link"));
        let places: Vec<(f64, f64)> = motion.poses.iter().map(|(_, s)| (s.pose.x, s.pose.y.round())).collect();
        assert_eq!(
            places.iter().map(|(x, y)| (x.round(), *y)).collect::<Vec<_>>(),
            [(10.0, 0.0), (10.0, 1.0), (10.0, 2.0)]
        );
    }

    #[test]
    fn each_vehicle_is_found_in_one_tree_or_in_trees_of_their_own() {
        let ahead = [0.0, 1.0].map(|x| Pose2::new(x, 0.0, 0.0));
        let shared_topic = topic(&[("r1/odom", "r1/base_link", &ahead), ("world", "r2/base_link", &ahead)]);
        let own = topic(&[("odom", "base_link", &ahead)]);
        let names = |topics: &[(&str, &SampledTopic)]| -> Vec<(String, String)> {
            motions(topics.iter().copied()).into_iter().map(|motion| (motion.namespace, motion.name)).collect()
        };
        assert_eq!(
            names(&[("/tf", &shared_topic)]),
            [("/r1", "r1"), ("/r2", "r2")].map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
        let apart = names(&[("/r1/tf", &own), ("/r2/tf", &own)]);
        assert_eq!(apart, [("/r1", "r1"), ("/r2", "r2")].map(|(a, b)| (a.to_owned(), b.to_owned())));
        // What has a pose once does not move.
        assert_eq!(names(&[("/tf_static", &topic(&[("world", "table", &ahead[..1])]))]), []);
    }
}
