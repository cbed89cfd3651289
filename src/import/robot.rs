//! A robot as links and joints, whatever the format that describes it. Everything is in the frame of the robot with all joints at zero.

use nalgebra::Matrix3;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Context, Place, Reader};

use super::shape::Shape;

/// A robot.
pub(super) struct Robot<'a> {
    pub name: String,
    pub place: Place,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub sensors: Vec<MountedSensor<'a>>,
    /// `<plugin>` elements of the whole robot.
    pub plugins: Vec<Reader<'a>>,
    /// Joints that ros2_control or a transmission commands.
    pub commanded: Vec<CommandedJoint>,
}

/// A rigid part.
#[derive(Clone)]
pub(super) struct Link {
    pub name: String,
    pub place: Place,
    pub robot_from_link: Pose3,
    pub inertial: Option<Inertial>,
    pub collisions: Vec<Shape>,
    pub visuals: Vec<Shape>,
    /// Addresses of its meshes that are not there.
    pub missing_meshes: Vec<String>,
    /// Friction coefficient of its surface [-], where it is given.
    pub friction: Option<f64>,
    /// Direction of length 1, in the frame of the robot, along which alone its surface has grip: that of rollers, which are not there
    /// themselves.
    pub grip_along: Option<Vec3>,
    /// Whether nothing moves it: it belongs to a static model, or is fixed to the world.
    pub is_static: bool,
}

impl Link {
    /// One without mass and shapes.
    pub(super) fn bare(place: &Place, robot_from_link: Pose3) -> Link {
        Link {
            name: String::new(),
            place: place.clone(),
            robot_from_link,
            inertial: None,
            collisions: Vec::new(),
            visuals: Vec::new(),
            missing_meshes: Vec::new(),
            friction: None,
            grip_along: None,
            is_static: false,
        }
    }
}

/// Mass and its distribution.
#[derive(Clone, Debug)]
pub(super) struct Inertial {
    /// [kg], ≥ 0
    pub mass: f64,
    pub link_from_center: Pose3,
    /// About the centre of mass, in the axes of `link_from_center` [kg·m²].
    pub tensor: Matrix3<f64>,
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    Fixed,
    /// About its axis.
    Turns,
    /// Along its axis.
    Slides,
    /// About any axis.
    Ball,
    /// In another way.
    Other,
}

/// What follows the name of a joint with two axes in the name of its steering hinge.
pub(super) const HINGE: &str = "::hinge";

/// What connects a link with its parent.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub name: String,
    pub place: Place,
    pub kind: JointKind,
    /// Indices of links.
    pub parent: usize,
    pub child: usize,
    pub origin_in_robot: Vec3,
    /// Of length 1.
    pub axis_in_robot: Vec3,
    /// Lower and upper end [rad] or [m]; none: unlimited.
    pub limits: Option<[f64; 2]>,
    /// Limits that are written where they have no effect, as those of a `continuous` joint [rad].
    pub idle_limits: Option<[f64; 2]>,
    /// Whether it is fixed only because both of its limits are 0, as exporters write where none is set.
    pub has_zero_limits: bool,
    /// Largest torque or force [N·m, N]; none: unlimited.
    pub effort: Option<f64>,
    /// Largest speed [rad/s, m/s]; none: unlimited.
    pub velocity: Option<f64>,
    /// Viscous friction [N·m·s/rad].
    pub damping: f64,
}

/// A joint that a controller of the robot moves.
#[derive(Clone, Debug)]
pub(super) struct CommandedJoint {
    pub name: String,
    /// Whether its position is commanded, as that of a steering hinge, rather than its velocity or effort.
    pub by_position: bool,
}

/// A `<sensor>` in the format of SDF, and where it is.
pub(super) struct MountedSensor<'a> {
    pub reader: Reader<'a>,
    pub robot_from_sensor: Pose3,
}

/// The largest magnitude of a limit that counts as one: larger ones are written for "none" [rad or m].
const MAX_LIMIT: f64 = 100.0;
/// Limits that are closer together than this leave a joint no room [rad or m].
const LOCKED: f64 = 1e-6;

impl Joint {
    /// Whether it may turn without end.
    pub(super) fn spins(&self) -> bool {
        self.kind == JointKind::Turns && self.limits.is_none()
    }

    /// The limits, also those without effect: of a steering hinge they say what the vehicle can.
    pub(super) fn written_limits(&self) -> Option<[f64; 2]> {
        self.limits.or(self.idle_limits)
    }

    /// The limits, unless they are so far apart that they stand for none.
    pub(super) fn real_limits(low: f64, high: f64) -> Option<[f64; 2]> {
        (low.abs() < MAX_LIMIT && high.abs() < MAX_LIMIT && low < high).then_some([low, high])
    }

    /// Whether these limits lock a joint: their distance is rounding.
    pub(super) fn is_locked([low, high]: [f64; 2]) -> bool {
        (high - low).abs() < LOCKED
    }
}

/// Most links, joints and sensors of a robot: far more than any has, and few enough that searches among them take no time.
const MAX_PARTS: usize = 1000;

impl Robot<'_> {
    /// Whether it has more parts than are read; an error then.
    pub(super) fn is_too_large(&self, context: &Context) -> bool {
        let parts = [("links", self.links.len()), ("joints", self.joints.len()), ("sensors", self.sensors.len())];
        let Some((kind, _)) = parts.into_iter().find(|(_, count)| *count > MAX_PARTS) else { return false };
        context
            .error(&self.place, format!("robot \"{}\" has more than {MAX_PARTS} {kind}", self.name))
            .accepted([format!("at most {MAX_PARTS}")]);
        true
    }

    /// The joint that carries a link.
    pub(super) fn joint_above(&self, link: usize) -> Option<usize> {
        self.joints.iter().position(|joint| joint.child == link)
    }

    /// The joints from a link up to the root.
    pub(super) fn joints_above(&self, link: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = link;
        while let Some(joint) = self.joint_above(at) {
            path.push(joint);
            at = self.joints[joint].parent;
        }
        path
    }

    /// A link and all that hangs on it.
    pub(super) fn links_below(&self, link: usize) -> Vec<usize> {
        let mut links = vec![link];
        let mut next = 0;
        while let Some(&parent) = links.get(next) {
            links.extend(self.joints.iter().filter(|joint| joint.parent == parent).map(|joint| joint.child));
            next += 1;
        }
        links
    }

    /// Leaves the joints that make trees of the links; each other joint closes a loop, which is a warning. Returns which ones are left, in
    /// their order. `may_turn`: a joint may carry its parent, where only so all links of a tree hang on one; a model of SDF names the ends of
    /// its joints in any order.
    pub(super) fn keep_trees(&mut self, context: &Context, may_turn: bool) -> Vec<bool> {
        let mut are_left = vec![false; self.joints.len()];
        let mut is_reached = vec![false; self.links.len()];
        for root in self.roots(may_turn) {
            if std::mem::replace(&mut is_reached[root], true) {
                continue;
            }
            let (mut reached, mut next) = (vec![root], 0);
            loop {
                while let Some(&at) = reached.get(next) {
                    next += 1;
                    for (joint, is_left) in self.joints.iter().zip(&mut are_left) {
                        if joint.parent == at && !is_reached[joint.child] {
                            is_reached[joint.child] = true;
                            *is_left = true;
                            reached.push(joint.child);
                        }
                    }
                }
                let is_turned = |joint: &&mut Joint| reached.contains(&joint.child) && !is_reached[joint.parent];
                let Some(joint) = self.joints.iter_mut().find(is_turned).filter(|_| may_turn) else { break };
                (joint.parent, joint.child) = (joint.child, joint.parent);
                joint.axis_in_robot = -joint.axis_in_robot;
                // It is one of those that go on from here now.
                next = reached.iter().position(|link| *link == joint.parent).unwrap_or(next);
            }
        }
        for joint in self.joints.iter().zip(&are_left).filter(|(_, is_left)| !**is_left).map(|(joint, _)| joint) {
            let message = format!("joint \"{}\" is left out: it closes a loop of links", joint.name);
            context.warn(&joint.place, message).accepted(["joints that make a tree"]);
        }
        let mut left = are_left.iter();
        self.joints.retain(|_| left.next().copied().unwrap_or(true));
        are_left
    }

    /// The links from which trees grow, then all others: those that no joint carries. With `may_turn`, of several that joints connect, or of
    /// none, the link with the most joints.
    fn roots(&self, may_turn: bool) -> Vec<usize> {
        let is_carried = |link: usize| self.joints.iter().any(|joint| joint.child == link);
        let all = 0..self.links.len();
        if !may_turn {
            return all.clone().filter(|link| !is_carried(*link)).chain(all).collect();
        }
        let count =
            |link: usize| self.joints.iter().filter(|joint| [joint.parent, joint.child].contains(&link)).count();
        let root = |group: Vec<usize>| {
            let mut free = group.iter().copied().filter(|link| !is_carried(*link));
            match (free.next(), free.next()) {
                (Some(only), None) => Some(only),
                // The first of those with the most.
                _ => group.into_iter().rev().max_by_key(|link| count(*link)),
            }
        };
        self.groups().into_iter().filter_map(root).chain(all).collect()
    }

    /// The links that joints connect, group by group, each in the order of the links.
    pub(super) fn groups(&self) -> Vec<Vec<usize>> {
        let mut group_of: Vec<usize> = (0..self.links.len()).collect();
        for joint in &self.joints {
            let [from, to] = [group_of[joint.parent], group_of[joint.child]];
            let (kept, other) = (from.min(to), from.max(to));
            group_of.iter_mut().filter(|group| **group == other).for_each(|group| *group = kept);
        }
        let all = |group: usize| (0..group_of.len()).filter(|link| group_of[*link] == group).collect();
        (0..group_of.len()).map(all).filter(|links: &Vec<usize>| !links.is_empty()).collect()
    }
}
