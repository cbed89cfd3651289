//! Links and joints as XML.

use std::io::{self, Cursor};

use quick_xml::Writer;
use quick_xml::events::BytesText;
use skidpad_math::Pose3;

use super::body::{Geometry, Shape};
use super::control::Control;
use super::{Joint, JointKind, Link, Robot};

/// URDF requires limits of effort and velocity; this value is never reached.
const UNBOUNDED: &str = "1000";

type Out = Writer<Cursor<Vec<u8>>>;

/// The text of `robot`.
pub(super) fn write(robot: &Robot) -> io::Result<String> {
    let mut out = Writer::new_with_indent(Cursor::new(b"<?xml version=\"1.0\"?>\n".to_vec()), b' ', 2);
    out.get_mut().set_position("<?xml version=\"1.0\"?>\n".len() as u64);
    out.create_element("robot").with_attribute(("name", robot.name.as_str())).write_inner_content(|out| {
        robot.links.iter().try_for_each(|link| write_link(out, link))?;
        robot.joints.iter().try_for_each(|joint| write_joint(out, joint))?;
        robot.control.iter().try_for_each(|control| write_control(out, control))
    })?;
    let mut bytes = out.into_inner().into_inner();
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn numbers<const N: usize>(values: [f64; N]) -> String {
    // No −0.
    values.map(|value| (value + 0.0).to_string()).join(" ")
}

fn write_origin(out: &mut Out, pose: Pose3) -> io::Result<()> {
    let (xyz, rpy) = (numbers([pose.x, pose.y, pose.z]), numbers([pose.roll, pose.pitch, pose.yaw]));
    write_empty(out, "origin", &[("xyz", &xyz), ("rpy", &rpy)])
}

/// An element with attributes and nothing in it.
fn write_empty(out: &mut Out, tag: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
    out.create_element(tag).with_attributes(attributes.iter().copied()).write_empty().map(drop)
}

fn write_link(out: &mut Out, link: &Link) -> io::Result<()> {
    let element = |out: &mut Out, kind: &str, shape: &Shape, index: usize| {
        out.create_element(kind)
            .write_inner_content(|out| {
                write_shape(out, shape, (kind == "visual").then(|| format!("{}_{index}", link.name)))
            })
            .map(drop)
    };
    let start = out.create_element("link").with_attribute(("name", link.name.as_str()));
    let inertial = link.inertial.filter(|inertial| inertial.is_finite());
    if inertial.is_none() && link.visuals.is_empty() && link.collisions.is_empty() {
        return start.write_empty().map(drop);
    }
    start
        .write_inner_content(|out| {
            if let Some(inertial) = inertial {
                out.create_element("inertial").write_inner_content(|out| {
                    write_origin(out, inertial.link_from_center)?;
                    write_empty(out, "mass", &[("value", &numbers([inertial.mass]))])?;
                    let [xx, yy, zz] = inertial.moments.map(|moment| numbers([moment]));
                    let moments = [("ixx", &*xx), ("ixy", "0"), ("ixz", "0"), ("iyy", &yy), ("iyz", "0"), ("izz", &zz)];
                    write_empty(out, "inertia", &moments)
                })?;
            }
            for (index, shape) in link.visuals.iter().enumerate() {
                element(out, "visual", shape, index)?;
            }
            link.collisions.iter().enumerate().try_for_each(|(index, shape)| element(out, "collision", shape, index))
        })
        .map(drop)
}

/// The `<ros2_control>` tag.
fn write_control(out: &mut Out, control: &Control) -> io::Result<()> {
    let text = |out: &mut Out, tag: &str, name: Option<&str>, text: &str| {
        let element = out.create_element(tag).with_attributes(name.map(|name| ("name", name)));
        element.write_text_content(BytesText::new(text)).map(drop)
    };
    let start =
        out.create_element("ros2_control").with_attributes([("name", control.name.as_str()), ("type", "system")]);
    start
        .write_inner_content(|out| {
            out.create_element("hardware").write_inner_content(|out| {
                text(out, "plugin", None, Control::PLUGIN)?;
                control.parameters().iter().try_for_each(|(name, value)| text(out, "param", Some(name), value))
            })?;
            control.joints.iter().try_for_each(|joint| {
                let start = out.create_element("joint").with_attribute(("name", joint.name.as_str()));
                start
                    .write_inner_content(|out| {
                        let command = joint.command.map(|interface| interface.name());
                        if let Some(name) = command {
                            write_empty(out, "command_interface", &[("name", name)])?;
                        }
                        for name in ["position", "velocity"] {
                            // What a controller reads before the first message.
                            let state = out.create_element("state_interface").with_attribute(("name", name));
                            state.write_inner_content(|out| text(out, "param", Some("initial_value"), "0.0"))?;
                        }
                        let effort = command.filter(|name| *name == "effort");
                        effort.into_iter().try_for_each(|name| write_empty(out, "state_interface", &[("name", name)]))
                    })
                    .map(drop)
            })
        })
        .map(drop)
}

/// With a material called `material` where it has a colour.
fn write_shape(out: &mut Out, shape: &Shape, material: Option<String>) -> io::Result<()> {
    write_origin(out, shape.link_from_shape)?;
    out.create_element("geometry").write_inner_content(|out| {
        let (tag, attributes) = match &shape.geometry {
            Geometry::Box(size) => ("box", vec![("size", numbers(*size))]),
            Geometry::Cylinder(radius, length) => {
                ("cylinder", vec![("radius", numbers([*radius])), ("length", numbers([*length]))])
            }
            Geometry::Mesh(address, scale) => {
                ("mesh", vec![("filename", address.clone()), ("scale", numbers([*scale; 3]))])
            }
        };
        let attributes: Vec<(&str, &str)> = attributes.iter().map(|(name, value)| (*name, value.as_str())).collect();
        write_empty(out, tag, &attributes)
    })?;
    if let (Some(name), Some(color)) = (material, shape.color) {
        let rgba = numbers(color.map(|part| (f64::from(part) / 255.0 * 1000.0).round() / 1000.0));
        out.create_element("material")
            .with_attribute(("name", name.as_str()))
            .write_inner_content(|out| write_empty(out, "color", &[("rgba", &rgba)]))?;
    }
    Ok(())
}

fn write_joint(out: &mut Out, joint: &Joint) -> io::Result<()> {
    let (kind, axis) = match joint.kind {
        JointKind::Fixed => ("fixed", None),
        JointKind::Leans => ("floating", None),
        JointKind::Spins { is_reversed: false } => ("continuous", Some("0 1 0")),
        JointKind::Spins { is_reversed: true } => ("continuous", Some("0 -1 0")),
        JointKind::Steers(Some(_)) => ("revolute", Some("0 0 1")),
        JointKind::Steers(None) => ("continuous", Some("0 0 1")),
    };
    let attributes = [("name", joint.name.as_str()), ("type", kind)];
    out.create_element("joint")
        .with_attributes(attributes)
        .write_inner_content(|out| {
            write_origin(out, joint.parent_from_joint)?;
            write_empty(out, "parent", &[("link", &joint.parent)])?;
            write_empty(out, "child", &[("link", &joint.child)])?;
            if let Some(axis) = axis {
                write_empty(out, "axis", &[("xyz", axis)])?;
            }
            if let JointKind::Steers(Some(most)) = joint.kind {
                let (lower, upper) = (numbers([-most]), numbers([most]));
                let limits = [("lower", &*lower), ("upper", &upper), ("effort", UNBOUNDED), ("velocity", UNBOUNDED)];
                write_empty(out, "limit", &limits)?;
            }
            Ok(())
        })
        .map(drop)
}
