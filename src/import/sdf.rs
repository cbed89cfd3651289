//! Reads models of SDF: their links, joints, sensors and plugins, those of nested models among them.
//!
//! Source: the specification of SDF (sdformat.org/spec), version 1.4 and later. Other than there, a link without
//! `<inertial>` has no mass here: its default of 1 kg is meant for no real robot.

use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Context, Reader};

use super::files::Files;
use super::frames::Frames;
use super::pose::{read_pose, tensor};
use super::robot::{Inertial, Joint, JointKind, Link, MountedSensor, Robot};
use super::shape::{Shape, Solid};

/// From this version on, axes are in the frame of their joint; before, in that of the model.
const AXES_IN_JOINTS: f64 = 1.5;

/// Reads a `<model>` without its own pose. None, with the errors recorded, where it is not a model.
pub(super) fn read<'a>(context: &'a Context, model: &Reader<'a>, version: f64, files: &Files) -> Option<Robot<'a>> {
    let mut robot = Robot {
        name: model.attribute("name").unwrap_or_else(|| "model".to_owned()),
        place: model.place().clone(),
        links: Vec::new(),
        joints: Vec::new(),
        sensors: Vec::new(),
        plugins: Vec::new(),
        commanded: Vec::new(),
    };
    // Nothing depends on the mass of what never moves, and many of those have none that makes sense.
    let is_static = model.bool("static", false);
    let mut reading = Reading { context, version, files, is_static, robot: &mut robot };
    reading.model(model, "", Pose3::default(), 0);
    let is_sound = !robot.is_too_large(context) && !context.has_errors() && robot.is_forest(context);
    is_sound.then_some(robot)
}

struct Reading<'r, 'a> {
    context: &'a Context,
    version: f64,
    files: &'r Files,
    is_static: bool,
    robot: &'r mut Robot<'a>,
}

impl<'a> Reading<'_, 'a> {
    /// Adds a model whose names get this prefix.
    fn model(&mut self, model: &Reader<'a>, prefix: &str, robot_from_model: Pose3, depth: usize) {
        let frames = Frames::read(self.context, model, depth);
        if self.context.has_errors() {
            return;
        }
        for link in model.children("link") {
            if self.context.has_errors() {
                return;
            }
            self.link(&link, prefix, robot_from_model, &frames);
        }
        for nested in model.children("model").into_iter().take_while(|_| !self.context.has_errors()) {
            let Some(name) = nested.attribute("name") else { continue };
            let pose = robot_from_model * frames.pose_of("model", &name).unwrap_or_default();
            self.model(&nested, &format!("{prefix}{name}::"), pose, depth + 1);
        }
        for joint in model.children("joint").into_iter().take_while(|_| !self.context.has_errors()) {
            self.joint(&joint, prefix, robot_from_model, &frames);
        }
        self.robot.plugins.extend(model.children("plugin"));
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
        let friction = collisions.iter().find_map(|tag| {
            let friction = tag.child("surface")?.child("friction")?;
            let ode = friction.child("ode")?;
            ode.optional_f64("mu", Accept::non_negative())
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
            tag.missing("<geometry>");
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
        let end = |role: &str| {
            let Some(wanted) = tag.text(role) else {
                tag.missing(&format!("<{role}>"));
                return None;
            };
            let whole = format!("{prefix}{wanted}");
            let index = self.robot.links.iter().position(|link| link.name == whole);
            if index.is_none() && wanted != "world" {
                let names = self.robot.links.iter().map(|link| link.name.clone());
                self.context.error(tag.place_of(role), format!("no link \"{whole}\"")).one_of(&whole, names);
            }
            index
        };
        let (parent, child) = (end("parent"), end("child"));
        let (Some(parent), Some(child)) = (parent, child) else { return };
        let kind = match tag.attribute("type").as_deref() {
            Some("fixed") => JointKind::Fixed,
            Some("revolute" | "continuous") => JointKind::Turns,
            Some("prismatic") => JointKind::Slides,
            Some("ball") => JointKind::Ball,
            _ => JointKind::Other,
        };
        let pose = frames.pose_of("joint", &name).unwrap_or_default();
        let axis = tag.child("axis");
        let given = axis.as_ref().and_then(|axis| axis.numbers("xyz", &[3]));
        let given = given.map_or(Vec3::z(), |a| Vec3::new(a[0], a[1], a[2]));
        let has_axis = matches!(kind, JointKind::Turns | JointKind::Slides);
        let Some(given) = given.try_normalize(1e-9).or((!has_axis).then(Vec3::z)) else {
            tag.error(format!("the axis of joint \"{name}\" has no direction")).accepted(["an axis other than 0 0 0"]);
            return;
        };
        let expressed_in = axis.as_ref().and_then(|axis| axis.child("xyz")?.attribute("expressed_in"));
        let in_model = axis.as_ref().is_some_and(|axis| axis.bool("use_parent_model_frame", false));
        let frame = match expressed_in.filter(|frame| !frame.is_empty()) {
            Some(frame) => frames.pose(&frame).unwrap_or(pose),
            None if in_model || self.version < AXES_IN_JOINTS => Pose3::default(),
            None => pose,
        };
        let limit = axis.as_ref().and_then(|axis| axis.child("limit"));
        let bound = |name: &str| limit.as_ref().and_then(|limit| limit.optional_f64(name, Accept::any()));
        let limits = bound("lower").zip(bound("upper")).and_then(|(low, high)| Joint::real_limits(low, high));
        let dynamics = axis.as_ref().and_then(|axis| axis.child("dynamics"));
        self.robot.joints.push(Joint {
            name: format!("{prefix}{name}"),
            place: tag.place().clone(),
            kind,
            parent,
            child,
            origin_in_robot: (robot_from_model * pose).position(),
            axis_in_robot: robot_from_model.rotation() * frame.rotation() * given,
            limits,
            effort: bound("effort").filter(|effort| *effort > 0.0),
            velocity: bound("velocity").filter(|velocity| *velocity > 0.0),
            damping: dynamics.map_or(0.0, |tag| tag.f64("damping", 0.0, Accept::non_negative())),
        });
        self.robot.is_too_large(self.context);
    }
}
