//! The tags that blocks, vehicles, planes and actors share: start pose, start velocity and prescribed motion.
//!
//! ```xml
//! <init_pose>x y yaw</init_pose>                  [m], [deg]; or
//! <init_pose3d>x y z yaw pitch roll</init_pose3d> [m], [deg]
//! <skip_elevation_adjust/>                        present: z stays as given; absent: it stands on what is under it, and without a z
//!                                                 on the lowest plane where all lie higher
//! <init_vel>vx vy w</init_vel>                    of the reference point, body frame [m/s], [deg/s]; default 0 0 0
//! <animation type="keyframes"> … </animation>    see `world::animation`
//! <publish> … </publish>
//! ```

use skidpad_math::{Pose3, Twist2};
use skidpad_xml::Reader;

use super::pose_from;
use super::publish::read_publish;
use crate::vehicle::wrong_pose;
use crate::world::Publish;
use crate::world::animation::Keyframes;

/// The start of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Start {
    /// Pose in the world [m, rad].
    pub pose: Pose3,
    /// What its z means.
    pub height: StartHeight,
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// A prescribed motion.
    pub animation: Option<Keyframes>,
    /// Topics for its pose, from `<publish>`.
    pub publish: Option<Publish>,
}

/// What the z of a start pose means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::world) enum StartHeight {
    /// Nobody chose it: the body stands on the ground, also on a plane that lies higher.
    #[default]
    Free,
    /// The body stands on the ground from there downwards.
    Given,
    /// It stays.
    Kept,
}

impl StartHeight {
    /// That of a pose whose z somebody chose, or not.
    pub(super) fn of(gives_z: bool) -> StartHeight {
        if gives_z { StartHeight::Given } else { StartHeight::Free }
    }
}

/// Whether a pose must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PoseIs {
    Needed,
    Optional,
}

/// Reads the tags above.
pub(super) fn read_start(reader: &Reader<'_>, pose_is: PoseIs) -> Start {
    let (pose, gives_z) = read_pose(reader, pose_is);
    Start {
        pose,
        height: if reader.has("skip_elevation_adjust") { StartHeight::Kept } else { StartHeight::of(gives_z) },
        velocity_in_body: read_velocity(reader),
        animation: read_animation(reader),
        publish: read_publish(reader),
    }
}

/// The tags of keyframes, with the number of their values.
const KEYFRAMES: [(&str, usize); 2] = [("time_pose", 4), ("time_pose3d", 7)];

fn read_animation(reader: &Reader<'_>) -> Option<Keyframes> {
    let tag = reader.child("animation")?;
    match tag.attribute("type") {
        None => {
            tag.missing("type").accepted(["keyframes"]);
            return None;
        }
        Some(kind) if kind != "keyframes" => {
            tag.error_at("type", format!("unknown type \"{kind}\" in <animation>")).one_of(&kind, ["keyframes"]);
            return None;
        }
        Some(_) => {}
    }
    let mut poses: Vec<(f64, Pose3)> = Vec::new();
    let mut is_bad = false;
    for child in tag.all_children() {
        let Some(&(_, count)) = KEYFRAMES.iter().find(|(name, _)| *name == child.tag()) else {
            let message = format!("unknown tag \"{}\" in {}", child.tag(), tag.describe());
            child.warn(message).one_of(child.tag(), KEYFRAMES.map(|(name, _)| name));
            continue;
        };
        let Some(n) = child.own_numbers(&[count]) else {
            if child.own_text().is_none() {
                child.missing("numbers").accepted([format!("{count} finite numbers, separated by blanks")]);
            }
            is_bad = true;
            continue;
        };
        if n[0] < 0.0 || poses.last().is_some_and(|&(last, _)| n[0] <= last) {
            let after = poses.last().map_or("negative".to_string(), |(last, _)| format!("not after {last}"));
            child.error(format!("time {} in <{}>, {after}", n[0], child.tag())).accepted(["increasing times, from 0"]);
            is_bad = true;
        }
        poses.push((n[0], pose_from(&n[1..])));
    }
    if poses.is_empty() && !is_bad {
        tag.missing("<time_pose>").accepted(KEYFRAMES.map(|(name, _)| name));
    }
    tag.finish();
    Keyframes::new(&poses)
}

/// The start pose [m, rad], and whether it has a z.
fn read_pose(reader: &Reader<'_>, pose_is: PoseIs) -> (Pose3, bool) {
    let planar = reader.numbers("init_pose", &[3]);
    let spatial = reader.numbers("init_pose3d", &[6]);
    if pose_is == PoseIs::Needed && !reader.has("init_pose") && !reader.has("init_pose3d") {
        reader.missing("<init_pose>");
    }
    let tag = if planar.is_some() { "init_pose" } else { "init_pose3d" };
    let gives_z = planar.is_none() && spatial.is_some();
    let pose = planar.or(spatial).map_or(Pose3::default(), |numbers| pose_from(&numbers));
    if let Some((wrong, accepted)) = wrong_pose(&pose) {
        reader.error_at(tag, format!("<{tag}>: {wrong}")).accepted([accepted]);
    }
    (pose, gives_z)
}

fn read_velocity(reader: &Reader<'_>) -> Twist2 {
    match reader.numbers("init_vel", &[3]) {
        Some(v) => Twist2::new(v[0], v[1], v[2].to_radians()),
        None => Twist2::ZERO,
    }
}
