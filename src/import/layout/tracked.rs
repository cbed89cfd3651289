//! Tracks, which a plugin names: a link on each side, with a shape whose lowest part is the ground run.

use skidpad_math::{Pose3, Vec3};

use super::{Choosing, Drive, Layout, tagged};
use crate::robot::JointKind;
use crate::shape::Solid;
use crate::text::number;
use crate::wheels::RobotWheel;

/// What is no higher above the lowest point than this share of a track's height stands on the ground: chosen.
const ON_GROUND: f64 = 0.05;
/// Share by which the tracks may differ without a warning.
const ALIKE: f64 = 0.01;

/// A track in the frame of the robot.
struct Track {
    link: usize,
    /// It as a wheel of the radius of its sprocket, in the middle of the ground run.
    wheel: RobotWheel,
    /// Length on the ground [m].
    ground_run: f64,
}

impl Choosing<'_, '_> {
    /// The layout of the tracks that a plugin names. None, with the error recorded, where these links are not tracks.
    pub(super) fn tracked(&self) -> Option<Layout> {
        let [left, right] = self.hints.tracks.each_ref().map(|links| self.longest(links));
        let (Some(left), Some(right)) = (left, right) else {
            self.context
                .error(
                    &self.robot.place,
                    format!("robot \"{}\" has no track with a shape on each side", self.robot.name),
                )
                .accepted(["<left_track> and <right_track>: links with a collision or a visual, on a joint each"]);
            return None;
        };
        let ground_run = 0.5 * (left.ground_run + right.ground_run);
        let differ = (left.ground_run - right.ground_run).abs() > ALIKE * ground_run
            || (left.wheel.radius - right.wheel.radius).abs() > ALIKE * left.wheel.radius;
        if differ {
            let place = &self.robot.links[right.link].place;
            let mean = number(ground_run);
            self.context.warn(place, format!("the tracks differ: both are {mean} m long on the ground, their mean"));
        }
        let radius = 0.5 * (left.wheel.radius + right.wheel.radius);
        let [left, right] = [left.wheel, right.wheel].map(|wheel| RobotWheel { radius, ..wheel });
        let ground = 0.5 * (left.center.z + right.center.z) - radius;
        let robot_from_body = Pose3 { z: ground, ..self.middle_frame(&[&left, &right]) };
        let wheels = tagged(["l_track", "r_track"], [&left, &right]);
        Some(Layout { drive: Drive::Tracked { ground_run }, wheels, robot_from_body })
    }

    /// The track with the longest ground run, as flippers have a short one or none; a warning for each of the others.
    fn longest(&self, links: &[usize]) -> Option<Track> {
        let tracks = links.iter().filter_map(|link| self.track(*link));
        let longer = |longest: Track, other: Track| if other.ground_run > longest.ground_run { other } else { longest };
        let longest = tracks.reduce(longer)?;
        for other in links.iter().filter(|link| **link != longest.link) {
            let link = &self.robot.links[*other];
            let message = format!("the track {} is left out, its mass belongs to the chassis", link.name);
            self.context.warn(&link.place, message).accepted(["one track on each side"]);
        }
        Some(longest)
    }

    /// A link as a track. None where it has no shape or no joint.
    fn track(&self, link: usize) -> Option<Track> {
        let robot = self.robot;
        let shapes = if robot.links[link].collisions.is_empty() {
            &robot.links[link].visuals
        } else {
            &robot.links[link].collisions
        };
        let robot_from_link = &robot.links[link].robot_from_link;
        // Of what is round only the lowest and the highest point count: the corners of a polygon around it would lengthen the track.
        let points: Vec<Vec3> = shapes
            .iter()
            .flat_map(|shape| match shape.solid {
                Solid::Cylinder { radius, length } => {
                    let pose = *robot_from_link * shape.link_from_shape;
                    let (center, along) = (pose.position(), pose.rotation() * Vec3::z());
                    let up = Vec3::new(0.0, 0.0, radius);
                    [-0.5, 0.5]
                        .into_iter()
                        .flat_map(|side| {
                            let end = center + side * length * along;
                            [end - up, end + up]
                        })
                        .collect()
                }
                _ => shape.points(robot_from_link),
            })
            .collect();
        let range = |points: &[Vec3], axis: usize| {
            let along = points.iter().map(|point| point[axis]);
            Some([along.clone().reduce(f64::min)?, along.reduce(f64::max)?])
        };
        let ([bottom, top], [right, left]) = (range(&points, 2)?, range(&points, 1)?);
        let height = top - bottom;
        let low: Vec<Vec3> = points.iter().copied().filter(|point| point.z - bottom <= ON_GROUND * height).collect();
        let [rear, front] = range(&low, 0)?;
        if !(height > 0.0 && front > rear && left > right) {
            return None;
        }
        let radius = 0.5 * height;
        let mut links = vec![link];
        let mut next = 0;
        while let Some(&parent) = links.get(next) {
            let fixed = robot.joints.iter().filter(|joint| joint.parent == parent && joint.kind == JointKind::Fixed);
            links.extend(fixed.map(|joint| joint.child));
            next += 1;
        }
        let wheel = RobotWheel {
            joint: robot.joint_above(link)?,
            links,
            center: Vec3::new(0.5 * (rear + front), 0.5 * (left + right), bottom + radius),
            axle: Vec3::y(),
            radius,
            width: left - right,
            hinge: None,
            is_driven: true,
            has_rollers: false,
            color: robot.links[link].visuals.iter().find_map(|shape| shape.color),
        };
        Some(Track { link, wheel, ground_run: front - rear })
    }
}
