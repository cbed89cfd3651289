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
const MAX_LIMIT: f64 = 1e3;

impl Joint {
    /// Whether it may turn without end.
    pub(super) fn spins(&self) -> bool {
        self.kind == JointKind::Turns && self.limits.is_none()
    }

    /// The limits, unless they are so far apart that they stand for none.
    pub(super) fn real_limits(low: f64, high: f64) -> Option<[f64; 2]> {
        (low.abs() < MAX_LIMIT && high.abs() < MAX_LIMIT && low < high).then_some([low, high])
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

    /// Whether the joints make trees of the links: no link hangs on two joints, and none on itself. Errors are recorded.
    pub(super) fn is_forest(&self, context: &Context) -> bool {
        let mut above: Vec<Option<usize>> = vec![None; self.links.len()];
        for (index, joint) in self.joints.iter().enumerate() {
            if let Some(first) = above[joint.child] {
                let message = format!(
                    "link \"{}\" has two parent joints, \"{}\" and \"{}\"",
                    self.links[joint.child].name, self.joints[first].name, joint.name
                );
                context.error(&joint.place, message).accepted(["one joint to a parent for each link"]);
                return false;
            }
            above[joint.child] = Some(index);
        }
        // Links are marked on their way to a root; a way that meets its own marks is a cycle.
        let mut mark = vec![usize::MAX; self.links.len()];
        for start in 0..self.links.len() {
            let mut at = start;
            while mark[at] == usize::MAX {
                mark[at] = start;
                let Some(joint) = above[at] else { break };
                at = self.joints[joint].parent;
                if mark[at] == start {
                    let name = &self.links[at].name;
                    context
                        .error(&self.joints[joint].place, format!("the joints lead from link \"{name}\" back to it"))
                        .accepted(["joints that make a tree"]);
                    return false;
                }
            }
        }
        true
    }
}
