//! Reads URDF, with Gazebo's `<gazebo>` extensions.
//!
//! Source: the specification of URDF (wiki.ros.org/urdf/XML); `<gazebo>` as of sdformat's conversion of URDF.

use std::cell::RefCell;

use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Context, Element, Place, Reader, Scope};

use super::files::Files;
use super::pose::{grip_along, right_angles, tensor};
use super::robot::{CommandedJoint, Inertial, Joint, JointKind, Link, MountedSensor, Robot};
use super::shape::{Shape, Solid};
use super::xacro;

/// The type of joints that turn without end. Limits have no meaning there, and many descriptions write some.
const CONTINUOUS: &str = "continuous";

/// Reads a `<robot>`. None, with the errors recorded, where it is not a robot.
pub(super) fn read<'a>(context: &'a Context, root: &'a Element, files: &Files) -> Option<Robot<'a>> {
    if !xacro::is_expanded(context, root) {
        return None;
    }
    let reader = Reader::new(context, root).with_scope(Scope::Constant);
    let mut robot = Robot {
        name: reader.attribute("name").unwrap_or_else(|| "robot".to_owned()),
        place: root.place.clone(),
        links: Vec::new(),
        joints: Vec::new(),
        sensors: Vec::new(),
        plugins: Vec::new(),
        commanded: Vec::new(),
    };
    let materials: Vec<(String, [u8; 4])> =
        reader.children("material").iter().filter_map(|tag| Some((tag.attribute("name")?, rgba(tag)?))).collect();
    for tag in reader.children("link") {
        let Some(name) = name_of(&tag) else { continue };
        if robot.links.iter().any(|link| link.name == name) {
            tag.error(format!("a second link \"{name}\""));
            continue;
        }
        robot.links.push(read_link(&tag, name, &materials, files));
        if robot.is_too_large(context) {
            return None;
        }
    }
    let mut poses: Vec<Pose3> = Vec::new();
    for tag in reader.children("joint") {
        poses.extend(read_joint(context, &tag, &mut robot));
        if robot.is_too_large(context) {
            return None;
        }
    }
    if robot.links.is_empty() {
        reader.missing("<link>");
    }
    if context.has_errors() {
        return None;
    }
    let mut are_left = robot.keep_trees(context, false).into_iter();
    poses.retain(|_| are_left.next().unwrap_or(true));
    let roots: Vec<&Link> = (0..robot.links.len())
        .filter(|link| robot.joint_above(*link).is_none())
        .map(|link| &robot.links[link])
        .collect();
    if let [first, second, ..] = roots[..] {
        context
            .error(
                &second.place,
                format!("link \"{}\" has no parent joint, and neither has \"{}\"", second.name, first.name),
            )
            .accepted(["one link without a parent"]);
        return None;
    }
    place_links(&mut robot, &poses);
    free_steering(context, &mut robot);
    read_extensions(context, &reader, &mut robot);
    (!robot.is_too_large(context)).then_some(robot)
}

fn name_of(tag: &Reader<'_>) -> Option<String> {
    let name = tag.attribute("name").filter(|name| !name.is_empty());
    if name.is_none() {
        tag.missing("name");
    }
    name
}

fn read_link(tag: &Reader<'_>, name: String, materials: &[(String, [u8; 4])], files: &Files) -> Link {
    let missing_meshes = RefCell::new(Vec::new());
    let shapes = |kind: &str| -> Vec<Shape> {
        let tags = tag.children(kind);
        let shapes = tags.iter().filter_map(|tag| {
            let Some(geometry) = tag.child("geometry") else {
                tag.warn(format!("<{kind}> is left out: it has no <geometry>"));
                return None;
            };
            let color = tag.child("material").and_then(|material| {
                let named = || {
                    let name = material.attribute("name")?;
                    materials.iter().find(|(known, _)| *known == name).map(|(_, color)| *color)
                };
                rgba(&material).or_else(named)
            });
            let solid = Solid::read_urdf(&geometry, files);
            if solid.is_none() {
                missing_meshes.borrow_mut().extend(geometry.child("mesh").and_then(|mesh| mesh.attribute("filename")));
            }
            let solid = solid?;
            Some(Shape { link_from_shape: origin(tag), solid, color })
        });
        shapes.collect()
    };
    let inertial = tag.child("inertial").map(|tag| {
        let mass = tag.child("mass").map(|mass| mass.attribute_f64("value", 0.0, Accept::non_negative()));
        let tensor = tag.child("inertia").map_or([0.0; 6], |inertia| {
            ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(|name| inertia.attribute_f64(name, 0.0, Accept::any()))
        });
        Inertial { mass: mass.unwrap_or(0.0), link_from_center: origin(&tag), tensor: self::tensor(tensor) }
    });
    let (collisions, visuals) = (shapes("collision"), shapes("visual"));
    Link {
        name,
        place: tag.place().clone(),
        robot_from_link: Pose3::default(),
        inertial,
        collisions,
        visuals,
        missing_meshes: missing_meshes.into_inner(),
        friction: None,
        grip_along: None,
        is_static: false,
    }
}

/// The pose in `<origin xyz="…" rpy="…"/>` [m, rad]; that of the frame itself where it is absent.
fn origin(tag: &Reader<'_>) -> Pose3 {
    let Some(origin) = tag.child("origin") else { return Pose3::default() };
    let xyz = origin.attribute_numbers("xyz", &[3]).unwrap_or_else(|| vec![0.0; 3]);
    let rpy = origin.attribute_numbers("rpy", &[3]).unwrap_or_else(|| vec![0.0; 3]);
    right_angles(Pose3 { x: xyz[0], y: xyz[1], z: xyz[2], roll: rpy[0], pitch: rpy[1], yaw: rpy[2] })
}

/// The colour of a `<material>`, if it states one.
fn rgba(tag: &Reader<'_>) -> Option<[u8; 4]> {
    let rgba = tag.child("color")?.attribute_numbers("rgba", &[3, 4])?;
    let part = |k: usize| (255.0 * rgba.get(k).copied().unwrap_or(1.0).clamp(0.0, 1.0)).round() as u8;
    Some([part(0), part(1), part(2), part(3)])
}

/// Adds a joint; its origin and axis are those in its own frame until [`place_links`]. Returns its pose in the parent link. One without its links
/// is left out, with a warning.
fn read_joint(context: &Context, tag: &Reader<'_>, robot: &mut Robot<'_>) -> Option<Pose3> {
    let name = name_of(tag)?;
    let left_out = |place: &Place, why: String| context.warn(place, format!("joint \"{name}\" is left out: {why}"));
    let link = |role: &str| {
        let named = tag.child(role).and_then(|end| end.attribute("link"));
        let Some(wanted) = named else {
            left_out(tag.place(), format!("it has no <{role} link=\"…\">"));
            return None;
        };
        let index = robot.links.iter().position(|link| link.name == wanted);
        if index.is_none() {
            let names = robot.links.iter().map(|link| link.name.clone());
            let place = tag.child(role).map_or(tag.place(), |end| end.place_of("link"));
            left_out(place, format!("there is no link \"{wanted}\"")).one_of(&wanted, names);
        }
        index
    };
    let (parent, child) = (link("parent")?, link("child")?);
    let kinds: &[(&str, JointKind)] = &[
        ("fixed", JointKind::Fixed),
        ("revolute", JointKind::Turns),
        (CONTINUOUS, JointKind::Turns),
        ("prismatic", JointKind::Slides),
        ("floating", JointKind::Other),
        ("planar", JointKind::Other),
    ];
    let kind = tag.attribute_choice("type", JointKind::Fixed, kinds);
    let axis = tag.child("axis").and_then(|axis| axis.attribute_numbers("xyz", &[3]));
    let axis = axis.map_or(Vec3::x(), |a| Vec3::new(a[0], a[1], a[2]));
    // Of other joints the axis has no meaning, and many are written with one of 0 0 0.
    let has_axis = matches!(kind, JointKind::Turns | JointKind::Slides);
    let Some(axis) = axis.try_normalize(1e-9).or((!has_axis).then(Vec3::x)) else {
        tag.error(format!("the axis of joint \"{name}\" has no direction")).accepted(["an axis other than 0 0 0"]);
        return None;
    };
    let limit = tag.child("limit");
    let bound = |name: &str| limit.as_ref().and_then(|limit| limit.optional_attribute_f64(name, Accept::any()));
    let given = ["lower", "upper"].map(bound);
    // Of one end alone, the other one is 0.
    let ends = given.iter().any(Option::is_some).then(|| given.map(Option::unwrap_or_default));
    let (ends, idle) = if tag.attribute("type").as_deref() == Some(CONTINUOUS) { (None, ends) } else { (ends, None) };
    let is_locked = has_axis && ends.is_some_and(Joint::is_locked);
    let has_zero_limits = is_locked && kind == JointKind::Turns && ends.is_some_and(|[low, _]| low.abs() < 1e-6);
    let kind = if is_locked { JointKind::Fixed } else { kind };
    let [limits, idle_limits] = [ends, idle].map(|ends| ends.and_then(|[low, high]| Joint::real_limits(low, high)));
    let damping = tag.child("dynamics").map_or(0.0, |tag| tag.attribute_f64("damping", 0.0, Accept::non_negative()));
    robot.joints.push(Joint {
        name,
        place: tag.place().clone(),
        kind,
        parent,
        child,
        origin_in_robot: Vec3::zeros(),
        axis_in_robot: axis,
        limits,
        idle_limits,
        has_zero_limits,
        effort: bound("effort").filter(|effort| *effort > 0.0),
        velocity: bound("velocity").filter(|velocity| *velocity > 0.0),
        damping,
    });
    Some(origin(tag))
}

/// Places links and joints in the frame of the root link, with all joints at zero.
fn place_links(robot: &mut Robot<'_>, parent_from_joint: &[Pose3]) {
    let roots = (0..robot.links.len()).filter(|link| robot.joint_above(*link).is_none());
    let order: Vec<usize> = roots.flat_map(|root| robot.links_below(root)).collect();
    for link in order {
        let Some(above) = robot.joint_above(link) else { continue };
        let pose = robot.links[robot.joints[above].parent].robot_from_link * parent_from_joint[above];
        robot.links[link].robot_from_link = pose;
        let joint = &mut robot.joints[above];
        joint.origin_in_robot = pose.position();
        joint.axis_in_robot = pose.rotation() * joint.axis_in_robot;
    }
}

/// Lets joints turn that are called steering, are upright above a wheel, and have limits of 0. Exporters of CAD programs write such limits where
/// none is set.
fn free_steering(context: &Context, robot: &mut Robot<'_>) {
    let carries_wheel = |hinge: &Joint| {
        let is_level = |joint: &Joint| joint.axis_in_robot.z.abs() < 0.5;
        robot.joints.iter().any(|joint| joint.parent == hinge.child && joint.spins() && is_level(joint))
    };
    let is_called = |joint: &Joint| {
        [&joint.name, &robot.links[joint.child].name].iter().any(|name| name.to_ascii_lowercase().contains("steer"))
    };
    let is_meant = |joint: &Joint| {
        joint.has_zero_limits && joint.axis_in_robot.z.abs() > 0.5 && is_called(joint) && carries_wheel(joint)
    };
    let are_meant: Vec<bool> = robot.joints.iter().map(is_meant).collect();
    for (joint, _) in robot.joints.iter_mut().zip(are_meant).filter(|(_, is_meant)| *is_meant) {
        joint.kind = JointKind::Turns;
        let message =
            format!("both limits of joint \"{}\" are 0, as if none were set: it turns without them", joint.name);
        context.warn(&joint.place, message).accepted(["limits of which one is not 0"]);
    }
}

/// Reads `<gazebo>`, `<ros2_control>` and `<transmission>`.
fn read_extensions<'a>(context: &'a Context, reader: &Reader<'a>, robot: &mut Robot<'a>) {
    for tag in reader.children("gazebo") {
        let Some(reference) = tag.attribute("reference") else {
            robot.plugins.extend(tag.children("plugin"));
            continue;
        };
        let link = robot.links.iter().position(|link| link.name == reference);
        let Some(link) = link else {
            if !robot.joints.iter().any(|joint| joint.name == reference) {
                let names = robot.links.iter().map(|link| link.name.clone());
                context
                    .warn(tag.place_of("reference"), format!("no link or joint \"{reference}\""))
                    .one_of(&reference, names);
            }
            continue;
        };
        let coefficient = |name: &str| {
            let value = tag.child(name)?;
            value
                .optional_attribute_f64("value", Accept::non_negative())
                .or_else(|| value.own_f64(Accept::non_negative()))
        };
        let mu = coefficient("mu1").or_else(|| coefficient("mu")).or(robot.links[link].friction);
        robot.links[link].friction = mu;
        let pose = robot.links[link].robot_from_link;
        if let Some(direction) = tag.child("fdir1") {
            let along = direction.attribute_numbers("value", &[3]).or_else(|| direction.own_numbers(&[3]));
            let frame = super::pose::expressed_in(&direction);
            let named = frame.and_then(|name| robot.links.iter().find(|link| link.name == name));
            let frame = named.map_or(pose, |link| link.robot_from_link);
            robot.links[link].grip_along = along.and_then(|along| grip_along(&frame, &along, mu, coefficient("mu2")));
        }
        for sensor in tag.children("sensor") {
            let robot_from_sensor = pose * super::pose::read_pose(&sensor);
            robot.sensors.push(MountedSensor { reader: sensor, robot_from_sensor });
        }
        robot.plugins.extend(tag.children("plugin"));
    }
    for control in reader.children("ros2_control") {
        for joint in control.children("joint") {
            let Some(name) = joint.attribute("name") else { continue };
            let commands = joint.children("command_interface");
            let commands: Vec<String> = commands.iter().filter_map(|command| command.attribute("name")).collect();
            if !commands.is_empty() {
                let by_position = commands.iter().all(|command| command == "position");
                robot.commanded.push(CommandedJoint { name, by_position });
            }
        }
    }
    for transmission in reader.children("transmission") {
        for joint in transmission.children("joint") {
            let Some(name) = joint.attribute("name") else { continue };
            let interface = joint.text("hardwareInterface").unwrap_or_default();
            robot.commanded.push(CommandedJoint { name, by_position: interface.ends_with("PositionJointInterface") });
        }
    }
}
