//! Links and joints as XML.

use std::io::{self, Cursor};

use quick_xml::Writer;

use super::body::{Geometry, Shape};
use super::{Joint, JointKind, Link, Robot};
use crate::math::Pose3;

/// URDF requires limits of effort and velocity; this value is never reached.
const UNBOUNDED: &str = "1000";

type Out = Writer<Cursor<Vec<u8>>>;

/// The text of `robot`.
pub(super) fn write(robot: &Robot) -> io::Result<String> {
    let mut out = Writer::new_with_indent(Cursor::new(b"<?xml version=\"1.0\"?>\n".to_vec()), b' ', 2);
    out.get_mut().set_position("<?xml version=\"1.0\"?>\n".len() as u64);
    out.create_element("robot").with_attribute(("name", robot.name.as_str())).write_inner_content(|out| {
        robot.links.iter().try_for_each(|link| write_link(out, link))?;
        robot.joints.iter().try_for_each(|joint| write_joint(out, joint))
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
    let attributes = [("xyz", xyz.as_str()), ("rpy", rpy.as_str())];
    out.create_element("origin").with_attributes(attributes).write_empty().map(drop)
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
                    let mass = numbers([inertial.mass]);
                    out.create_element("mass").with_attribute(("value", mass.as_str())).write_empty()?;
                    let [ixx, iyy, izz] = inertial.moments.map(|moment| numbers([moment]));
                    let attributes = [("ixx", ixx.as_str()), ("ixy", "0"), ("ixz", "0")];
                    let rest = [("iyy", iyy.as_str()), ("iyz", "0"), ("izz", izz.as_str())];
                    out.create_element("inertia")
                        .with_attributes(attributes.into_iter().chain(rest))
                        .write_empty()
                        .map(drop)
                })?;
            }
            for (index, shape) in link.visuals.iter().enumerate() {
                element(out, "visual", shape, index)?;
            }
            link.collisions.iter().enumerate().try_for_each(|(index, shape)| element(out, "collision", shape, index))
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
        let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
        out.create_element(tag).with_attributes(attributes).write_empty().map(drop)
    })?;
    if let (Some(name), Some(color)) = (material, shape.color) {
        let rgba = numbers(color.map(|part| (f64::from(part) / 255.0 * 1000.0).round() / 1000.0));
        out.create_element("material").with_attribute(("name", name.as_str())).write_inner_content(|out| {
            out.create_element("color").with_attribute(("rgba", rgba.as_str())).write_empty().map(drop)
        })?;
    }
    Ok(())
}

fn write_joint(out: &mut Out, joint: &Joint) -> io::Result<()> {
    let (kind, axis) = match joint.kind {
        JointKind::Fixed => ("fixed", None),
        JointKind::Spins => ("continuous", Some("0 1 0")),
        JointKind::Steers(Some(_)) => ("revolute", Some("0 0 1")),
        JointKind::Steers(None) => ("continuous", Some("0 0 1")),
    };
    let attributes = [("name", joint.name.as_str()), ("type", kind)];
    out.create_element("joint")
        .with_attributes(attributes)
        .write_inner_content(|out| {
            write_origin(out, joint.parent_from_joint)?;
            out.create_element("parent").with_attribute(("link", joint.parent.as_str())).write_empty()?;
            out.create_element("child").with_attribute(("link", joint.child.as_str())).write_empty()?;
            if let Some(axis) = axis {
                out.create_element("axis").with_attribute(("xyz", axis)).write_empty()?;
            }
            if let JointKind::Steers(Some(most)) = joint.kind {
                let (lower, upper) = (numbers([-most]), numbers([most]));
                let limit =
                    [("lower", lower.as_str()), ("upper", &upper), ("effort", UNBOUNDED), ("velocity", UNBOUNDED)];
                out.create_element("limit").with_attributes(limit).write_empty()?;
            }
            Ok(())
        })
        .map(drop)
}
