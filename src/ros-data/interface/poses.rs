//! Poses published by `<publish>` in a world: bodies, topics and times.

use skidpad_math::Pose3;
use skidpad_math::time::{Periodic, SimTime};
use skidpad_sim::world::{BodyRef, Frame, Publish, Scene};

use super::names::token;

/// Type of a body's own pose.
pub(crate) const POSE_TYPE: &str = "geometry_msgs/msg/PoseStamped";
/// Type of another body's pose relative to a body: the message names both.
pub(crate) const RELATIVE_TYPE: &str = "geometry_msgs/msg/TransformStamped";

/// Pose of a body in the world [m, rad].
fn pose(body: BodyRef, frame: &Frame) -> Pose3 {
    match body {
        BodyRef::Vehicle(index) => frame.vehicles.get(index).map(|v| v.world_from_body).unwrap_or_default(),
        BodyRef::Block(index) => frame.blocks.get(index).copied().unwrap_or_default(),
    }
}

/// One `<publish>` of the world, with ROS names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PosePublication {
    body: BodyRef,
    /// Name of the body: the frame of relative poses.
    pub name: String,
    period: SimTime,
    /// Topic of the body's own pose.
    pub pose_topic: Option<String>,
    /// Topic of the others' poses.
    pub relative_topic: Option<String>,
    /// The other bodies and their names.
    pub other_bodies: Vec<(BodyRef, String)>,
}

/// All `<publish>` tags of a world. A topic that the node uses for something else is skipped with a warning.
pub fn pose_publications(scene: &Scene, taken: &[String]) -> Vec<PosePublication> {
    let vehicles = scene.vehicles.iter().enumerate().map(|(i, v)| (BodyRef::Vehicle(i), &v.name, &v.publish));
    let blocks = scene.blocks.iter().enumerate().map(|(i, b)| (BodyRef::Block(i), &b.name, &b.publish));
    let mut kinds: Vec<(String, &'static str)> = taken.iter().map(|name| (name.clone(), "")).collect();
    let mut claim = |name: &str, kind: &'static str, publish: &Publish| {
        if name.is_empty() {
            return None;
        }
        let name = topic(name);
        match kinds.iter().find(|(other, _)| other.trim_start_matches('/') == name.trim_start_matches('/')) {
            Some((_, other)) if *other != kind => {
                tracing::warn!(
                    "{}: the topic \"{name}\" is taken, no {kind} is published on it\n  hint: give it another name",
                    publish.place
                );
                return None;
            }
            Some(_) => {}
            None => kinds.push((name.clone(), kind)),
        }
        Some(name)
    };
    let mut publications = Vec::new();
    for (body, name, publish) in vehicles.chain(blocks) {
        let Some(publish) = publish else { continue };
        publications.push(PosePublication {
            body,
            name: name.clone(),
            period: publish.period,
            pose_topic: claim(&publish.pose_topic, POSE_TYPE, publish),
            relative_topic: claim(&publish.relative_topic, RELATIVE_TYPE, publish),
            other_bodies: publish
                .relative_objects
                .iter()
                .filter_map(|other| Some((scene.body(other)?, other.clone())))
                .collect(),
        });
    }
    publications
}

/// The nearest valid topic: each part between slashes as a token.
fn topic(name: &str) -> String {
    let parts: Vec<String> = name.split('/').filter(|part| !part.is_empty()).map(token).collect();
    format!("{}{}", if name.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

/// The poses of one `<publish>` at one instant.
#[derive(Debug, Default)]
pub struct PoseSnapshot {
    /// Whether they are due.
    pub fresh: bool,
    /// Pose of the body in the world [m, rad].
    pub world_from_body: Pose3,
    /// Poses of the others in the body's frame [m, rad].
    pub body_from_others: Vec<Pose3>,
}

/// Decides when poses are due.
pub(crate) struct PoseClock {
    pose_publications: Vec<(PosePublication, Periodic, bool)>,
}

impl PoseClock {
    /// A clock for these publications, in this order.
    pub(crate) fn new(pose_publications: Vec<PosePublication>) -> PoseClock {
        let timed = |publication: PosePublication| {
            let period = Periodic::new(publication.period);
            (publication, period, false)
        };
        PoseClock { pose_publications: pose_publications.into_iter().map(timed).collect() }
    }

    /// Restarts after time has gone back, or for a late start: nothing is due until after `now` [ns].
    pub(crate) fn restart(&mut self, now: SimTime) {
        self.pose_publications.iter_mut().for_each(|(_, period, _)| period.restart(now));
    }

    /// Whether any pose is due at `now` [ns].
    pub(crate) fn tick(&mut self, now: SimTime) -> bool {
        let mut any = false;
        for (_, period, due) in &mut self.pose_publications {
            *due = period.is_due(now);
            any |= *due;
        }
        any
    }

    /// Copies the poses found due by [`Self::tick`] into `snapshots`, one entry per publication.
    pub(crate) fn copy(&self, frame: &Frame, snapshots: &mut Vec<PoseSnapshot>) {
        snapshots.resize_with(self.pose_publications.len(), PoseSnapshot::default);
        for ((publication, _, due), snapshot) in self.pose_publications.iter().zip(snapshots) {
            snapshot.fresh = *due;
            if *due {
                snapshot.world_from_body = pose(publication.body, frame);
                let body_from_world = snapshot.world_from_body.inverse();
                let relative_poses =
                    publication.other_bodies.iter().map(|(other, _)| body_from_world * pose(*other, frame));
                snapshot.body_from_others.clear();
                snapshot.body_from_others.extend(relative_poses);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::{BlockInfo, VehicleFrame, VehicleInfo};
    use skidpad_xml::Place;

    use super::*;

    fn publish(pose: &str, relative: &str, objects: &[&str]) -> Option<Publish> {
        Some(Publish {
            pose_topic: pose.into(),
            period: SimTime(100),
            relative_topic: relative.into(),
            relative_objects: objects.iter().map(ToString::to_string).collect(),
            place: Place::of_file("w"),
        })
    }

    fn scene() -> Scene {
        let vehicle = VehicleInfo { name: "r1".into(), publish: publish("/r1/odom", "", &[]), ..Default::default() };
        let crate_ = BlockInfo {
            name: "crate 1".into(),
            publish: publish("/crate 1/pose", "near/by", &["r1", "nobody"]),
            ..Default::default()
        };
        Scene { vehicles: vec![vehicle], blocks: vec![crate_], ..Scene::default() }
    }

    #[test]
    fn topics_are_made_valid_and_never_take_those_of_the_node() {
        let pose_publications = pose_publications(&scene(), &["r1/odom".to_string()]);
        assert_eq!(pose_publications[0].pose_topic, None);
        assert_eq!(pose_publications[1].pose_topic.as_deref(), Some("/crate_1/pose"));
        assert_eq!(pose_publications[1].relative_topic.as_deref(), Some("near/by"));
        assert_eq!(pose_publications[1].other_bodies, [(BodyRef::Vehicle(0), "r1".to_string())]);
    }

    #[test]
    fn poses_are_due_in_simulated_time_and_relative_to_the_body() {
        let mut clock = PoseClock::new(pose_publications(&scene(), &[]));
        let half_turn = std::f64::consts::FRAC_PI_2;
        let frame = Frame {
            vehicles: vec![VehicleFrame {
                world_from_body: Pose3 { x: 1.0, y: 5.0, z: 2.0, ..Pose3::default() },
                ..VehicleFrame::default()
            }],
            blocks: vec![Pose3 { x: 1.0, y: 2.0, yaw: half_turn, ..Pose3::default() }],
            ..Frame::default()
        };
        let mut snapshots = Vec::new();
        let due: Vec<bool> = [50, 100, 150, 200].into_iter().map(|t| clock.tick(SimTime(t))).collect();
        assert_eq!(due, [false, true, false, true]);
        clock.copy(&frame, &mut snapshots);
        let seen = snapshots[1].body_from_others[0];
        assert!((seen.x - 3.0).abs() < 1e-12 && seen.y.abs() < 1e-12 && (seen.z - 2.0).abs() < 1e-12, "{seen:?}");
        assert!((seen.yaw + half_turn).abs() < 1e-12);
        clock.tick(SimTime(210));
        clock.copy(&frame, &mut snapshots);
        assert!(!snapshots[1].fresh);
    }
}
