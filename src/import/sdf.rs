//! Reads models of SDF: their links, joints, sensors and plugins, those of nested models among them.
//!
//! Source: the specification of SDF (sdformat.org/spec), version 1.4 and later. Other than there, a link without
//! `<inertial>` has no mass here: its default of 1 kg is meant for no real robot.

use std::collections::BTreeMap;

use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Context, Place, Reader};

use super::files::Files;
use super::frames::Frames;
use super::pose::{expressed_in, grip_along, read_pose, tensor};
use super::robot::{HINGE, Inertial, Joint, JointKind, Link, MountedSensor, Robot};
use super::shape::{Shape, Solid};

/// A version of SDF: 1.10 comes after 1.9.
pub(super) type Version = [u32; 2];
/// From this version on, axes are in the frame of their joint; before, in that of the model.
const AXES_IN_JOINTS: Version = [1, 5];

/// The version that an `<sdf>` states; the newest one where it states none.
pub(super) fn version_of(root: &Reader<'_>) -> Version {
    let stated = root.attribute("version");
    let parts = stated.as_deref().and_then(|version| version.split_once('.'));
    parts.and_then(|(major, minor)| Some([major.parse().ok()?, minor.parse().ok()?])).unwrap_or([u32::MAX; 2])
}

/// The name of a model in itself.
const MODEL: &str = "__model__";
/// Most frames on the way from one to its link.
const MAX_WAY: usize = 100;
/// What a joint is fixed to instead of a link.
const WORLD: &str = "world";
/// The type of joints that turn without end. Limits have no meaning there.
const CONTINUOUS: &str = "continuous";

/// An end of a joint.
#[derive(Clone, Copy)]
enum End {
    World,
    /// Index of a link.
    Link(usize),
}

/// An axis of a joint.
struct Axis {
    /// Of length 1.
    in_robot: Vec3,
    /// Lower and upper end [rad] or [m], as they are written; none: one is not given, or has no meaning.
    limits: Option<[f64; 2]>,
    /// Largest torque or force [N·m, N] and speed [rad/s, m/s]; none: unlimited.
    effort: Option<f64>,
    velocity: Option<f64>,
    /// [N·m·s/rad]
    damping: f64,
}

impl Axis {
    /// Whether its limits leave no room.
    fn is_locked(&self) -> bool {
        self.limits.is_some_and(Joint::is_locked)
    }
}

/// Whether joints of a kind move along or about an axis.
fn has_axis(kind: JointKind) -> bool {
    matches!(kind, JointKind::Turns | JointKind::Slides)
}

/// Reads a `<model>` without its own pose. None, with the errors recorded, where it is not a model.
pub(super) fn read<'a>(context: &'a Context, model: &Reader<'a>, version: Version, files: &Files) -> Option<Robot<'a>> {
    read_without(context, model, version, files, false, &[])
}

/// As [`read`], of a model in one that `is_static`, without the nested models of these names.
pub(super) fn read_without<'a>(
    context: &'a Context,
    model: &Reader<'a>,
    version: Version,
    files: &Files,
    is_static: bool,
    without: &[String],
) -> Option<Robot<'a>> {
    let mut robot = Robot {
        name: model.attribute("name").unwrap_or_else(|| "model".to_owned()),
        place: model.place().clone(),
        links: Vec::new(),
        joints: Vec::new(),
        sensors: Vec::new(),
        plugins: Vec::new(),
        commanded: Vec::new(),
    };
    let mut reading =
        Reading { context, version, files, is_static, without, carriers: BTreeMap::new(), robot: &mut robot };
    reading.model(model, "", Pose3::default(), 0);
    if robot.is_too_large(context) || context.has_errors() {
        return None;
    }
    robot.keep_trees(context, true);
    Some(robot)
}

struct Reading<'r, 'a> {
    context: &'a Context,
    version: Version,
    files: &'r Files,
    /// Whether the model that is read is static. Nothing depends on the mass of what never moves, and many of those have none that makes sense.
    is_static: bool,
    /// Names of nested models of the outermost one that are left to others.
    without: &'r [String],
    /// What carries a frame or a model: a link, another frame or a model, each by its whole name.
    carriers: BTreeMap<String, String>,
    robot: &'r mut Robot<'a>,
}

impl<'a> Reading<'_, 'a> {
    /// Adds a model whose names get this prefix.
    fn model(&mut self, model: &Reader<'a>, prefix: &str, robot_from_model: Pose3, depth: usize) {
        let frames = Frames::read(self.context, model, depth);
        if self.context.has_errors() {
            return;
        }
        let around_is_static = self.is_static;
        self.is_static |= model.bool("static", false);
        let first = self.robot.links.len();
        let itself = format!("{prefix}{MODEL}");
        for frame in model.children("frame") {
            let Some(name) = frame.attribute("name") else { continue };
            let carrier = frame.attribute("attached_to").filter(|carrier| !carrier.is_empty());
            let carrier = carrier.map_or_else(|| itself.clone(), |carrier| format!("{prefix}{carrier}"));
            self.carriers.insert(format!("{prefix}{name}"), carrier);
        }
        for link in model.children("link") {
            if self.context.has_errors() {
                return;
            }
            self.link(&link, prefix, robot_from_model, &frames);
        }
        for nested in model.children("model").into_iter().take_while(|_| !self.context.has_errors()) {
            let Some(name) = nested.attribute("name") else { continue };
            if depth == 0 && self.without.contains(&name) {
                continue;
            }
            let pose = robot_from_model * frames.pose_of("model", &name).unwrap_or_default();
            self.model(&nested, &format!("{prefix}{name}::"), pose, depth + 1);
        }
        // A model is where its first link is.
        if let Some(link) = self.robot.links.get(first) {
            self.carriers.insert(prefix.trim_end_matches("::").to_owned(), itself.clone());
            self.carriers.insert(itself, link.name.clone());
        }
        for joint in model.children("joint").into_iter().take_while(|_| !self.context.has_errors()) {
            self.joint(&joint, prefix, robot_from_model, &frames);
        }
        self.robot.plugins.extend(model.children("plugin"));
        self.is_static = around_is_static;
    }

    fn link(&mut self, link: &Reader<'a>, prefix: &str, robot_from_model: Pose3, frames: &Frames) {
        let Some(name) = link.attribute("name") else {
            link.missing("name");
            return;
        };
        let whole = format!("{prefix}{name}");
        if self.robot.links.iter().any(|known| known.name == whole) {
            link.error(format!("a second link \"{whole}\""));
            return;
        }
        let robot_from_link = robot_from_model * frames.pose_of("link", &name).unwrap_or_default();
        let inertial = link.child("inertial").filter(|_| !self.is_static).map(|tag| {
            let parts = tag.child("inertia").map_or([0.0; 6], |inertia| {
                ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(|name| inertia.f64(name, 0.0, Accept::any()))
            });
            let mass = tag.optional_f64("mass", Accept::non_negative());
            let missing = match mass {
                Some(0.0) => Some("a mass of 0"),
                None if !tag.has("mass") => Some("an <inertial> without a mass"),
                _ => None,
            };
            if let Some(missing) = missing {
                let message = format!("link \"{whole}\" has {missing}: it counts as a link without <inertial>");
                self.context.warn(tag.place_of("mass"), message).accepted(["a <mass> above 0"]);
            }
            let mass = mass.unwrap_or(0.0);
            Inertial { mass, link_from_center: read_pose(&tag), tensor: tensor(parts) }
        });
        let collisions = link.children("collision");
        let surface = collisions.iter().find_map(|tag| tag.child("surface")?.child("friction")?.child("ode"));
        let coefficient = |name: &str| surface.as_ref()?.optional_f64(name, Accept::non_negative());
        let friction = coefficient("mu");
        let direction = surface.as_ref().and_then(|surface| surface.child("fdir1"));
        let grip_along = direction.and_then(|direction| {
            let frame = expressed_in(&direction).and_then(|frame| frames.pose(&frame));
            let robot_from_frame = frame.map_or(robot_from_link, |frame| robot_from_model * frame);
            grip_along(&robot_from_frame, &direction.own_numbers(&[3])?, friction, coefficient("mu2"))
        });
        let mut missing_meshes = Vec::new();
        let mut shapes = |tags: &[Reader<'a>]| -> Vec<Shape> {
            tags.iter().filter_map(|tag| self.shape(tag, &mut missing_meshes)).collect()
        };
        let (collisions, visuals) = (shapes(&collisions), shapes(&link.children("visual")));
        let new = Link {
            name: whole,
            place: link.place().clone(),
            robot_from_link,
            inertial,
            collisions,
            visuals,
            missing_meshes,
            friction,
            grip_along,
            is_static: self.is_static,
        };
        self.robot.links.push(new);
        if self.robot.is_too_large(self.context) {
            return;
        }
        for sensor in link.children("sensor") {
            let robot_from_sensor = robot_from_link * read_pose(&sensor);
            self.robot.sensors.push(MountedSensor { reader: sensor, robot_from_sensor });
        }
    }

    /// A shape; the address of its mesh goes to `missing` where that is not there.
    fn shape(&self, tag: &Reader<'_>, missing: &mut Vec<String>) -> Option<Shape> {
        let Some(geometry) = tag.child("geometry") else {
            tag.warn(format!("{} is left out: it has no <geometry>", tag.describe()));
            return None;
        };
        let color = tag.child("material").and_then(|material| {
            let rgba = ["diffuse", "ambient"].iter().find_map(|name| material.numbers(name, &[3, 4]))?;
            let part = |k: usize| (255.0 * rgba.get(k).copied().unwrap_or(1.0).clamp(0.0, 1.0)).round() as u8;
            Some([part(0), part(1), part(2), part(3)])
        });
        let solid = Solid::read_sdf(&geometry, self.files);
        if solid.is_none() {
            missing.extend(geometry.child("mesh").and_then(|mesh| mesh.text("uri")));
        }
        let solid = solid?;
        Some(Shape { link_from_shape: read_pose(tag), solid, color })
    }

    fn joint(&mut self, tag: &Reader<'a>, prefix: &str, robot_from_model: Pose3, frames: &Frames) {
        let Some(name) = tag.attribute("name") else {
            tag.missing("name");
            return;
        };
        let whole_name = format!("{prefix}{name}");
        let left_out =
            |place: &Place, why: String| self.context.warn(place, format!("joint \"{whole_name}\" is left out: {why}"));
        let links = &self.robot.links;
        let end = |role: &str| match tag.text(role) {
            None => {
                left_out(tag.place(), format!("it has no <{role}>"));
                None
            }
            Some(wanted) if wanted == WORLD => Some(End::World),
            Some(wanted) => {
                let whole = format!("{prefix}{wanted}");
                let index = self.link_of(&whole);
                if index.is_none() {
                    let names = links.iter().map(|link| link.name.clone());
                    left_out(tag.place_of(role), format!("there is no link \"{whole}\"")).one_of(&whole, names);
                }
                index.map(End::Link)
            }
        };
        let Some(ends) = end("parent").zip(end("child")) else { return };
        let kind = match tag.attribute("type").as_deref() {
            Some("fixed") => JointKind::Fixed,
            Some("revolute" | CONTINUOUS | "universal" | "revolute2") => JointKind::Turns,
            Some("prismatic") => JointKind::Slides,
            Some("ball") => JointKind::Ball,
            _ => JointKind::Other,
        };
        let is_double = matches!(tag.attribute("type").as_deref(), Some("universal" | "revolute2"));
        let (parent, child) = match ends {
            (End::Link(parent), End::Link(child)) => (parent, child),
            (End::World, End::Link(link)) | (End::Link(link), End::World) => {
                self.robot.links[link].is_static |= kind == JointKind::Fixed;
                return;
            }
            (End::World, End::World) => return,
        };
        let pose = frames.pose_of("joint", &name).unwrap_or_default();
        let Some(axis) = self.axis(tag, "axis", kind, robot_from_model, &pose, frames) else { return };
        let joint = |name: String, parent: usize, child: usize, axis: Axis| Joint {
            name,
            place: tag.place().clone(),
            kind: if axis.is_locked() && has_axis(kind) { JointKind::Fixed } else { kind },
            parent,
            child,
            origin_in_robot: (robot_from_model * pose).position(),
            axis_in_robot: axis.in_robot,
            limits: axis.limits.and_then(|[low, high]| Joint::real_limits(low, high)),
            idle_limits: None,
            has_zero_limits: false,
            effort: axis.effort,
            velocity: axis.velocity,
            damping: axis.damping,
        };
        if is_double {
            let Some(second) = self.axis(tag, "axis2", kind, robot_from_model, &pose, frames) else { return };
            // A wheel hangs on its hinge, whichever axis is written first.
            let is_hinge = |axis: &Axis| axis.in_robot.z.abs();
            let (first, second) = if is_hinge(&second) > is_hinge(&axis) { (second, axis) } else { (axis, second) };
            let hub = self.robot.links.len();
            let hub_link =
                Link { name: format!("{whole_name}::hub"), ..Link::bare(tag.place(), robot_from_model * pose) };
            let hinge = joint(format!("{whole_name}{HINGE}"), parent, hub, first);
            let spin = joint(whole_name, hub, child, second);
            self.robot.links.push(hub_link);
            self.robot.joints.extend([hinge, spin]);
        } else {
            let joint = joint(whole_name, parent, child, axis);
            self.robot.joints.push(joint);
        }
        self.robot.is_too_large(self.context);
    }

    /// The link of this whole name, or the one that carries the frame or the model of this name.
    fn link_of(&self, whole: &str) -> Option<usize> {
        let carried = std::iter::successors(Some(whole), |name| self.carriers.get(*name).map(String::as_str));
        carried.take(MAX_WAY).find_map(|name| self.robot.links.iter().position(|link| link.name == name))
    }

    /// The axis of a joint at this `pose` in its model, in the tag of this name. None, with the error recorded, where it has no direction.
    fn axis(
        &self,
        joint: &Reader<'a>,
        name: &str,
        kind: JointKind,
        robot_from_model: Pose3,
        pose: &Pose3,
        frames: &Frames,
    ) -> Option<Axis> {
        let tag = joint.child(name);
        let given = tag.as_ref().and_then(|axis| axis.numbers("xyz", &[3]));
        let given = given.map_or(Vec3::z(), |a| Vec3::new(a[0], a[1], a[2]));
        let Some(given) = given.try_normalize(1e-9).or((!has_axis(kind)).then(Vec3::z)) else {
            let named = joint.attribute("name").unwrap_or_default();
            joint
                .error(format!("the axis of joint \"{named}\" has no direction"))
                .accepted(["an axis other than 0 0 0"]);
            return None;
        };
        let stated = tag.as_ref().and_then(|axis| expressed_in(&axis.child("xyz")?));
        let in_model = tag.as_ref().is_some_and(|axis| axis.bool("use_parent_model_frame", false));
        let frame = match stated {
            Some(frame) => frames.pose(&frame).unwrap_or(*pose),
            None if in_model || self.version < AXES_IN_JOINTS => Pose3::default(),
            None => *pose,
        };
        let limit = tag.as_ref().and_then(|axis| axis.child("limit"));
        let bound = |name: &str| limit.as_ref().and_then(|limit| limit.optional_f64(name, Accept::any()));
        let is_endless = joint.attribute("type").as_deref() == Some(CONTINUOUS);
        let dynamics = tag.as_ref().and_then(|axis| axis.child("dynamics"));
        Some(Axis {
            in_robot: robot_from_model.rotation() * frame.rotation() * given,
            limits: bound("lower").zip(bound("upper")).filter(|_| !is_endless).map(|(low, high)| [low, high]),
            effort: bound("effort").filter(|effort| *effort > 0.0),
            velocity: bound("velocity").filter(|velocity| *velocity > 0.0),
            damping: dynamics.map_or(0.0, |tag| tag.f64("damping", 0.0, Accept::non_negative())),
        })
    }
}
