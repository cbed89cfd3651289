//! Shapes of links: boxes, cylinders, spheres and meshes, as URDF and SDF write them.

mod sdf_solids;

use std::f64::consts::{PI, TAU};

use nalgebra::Matrix3;
use skidpad_files::mesh::primitives::Geometry;
use skidpad_files::mesh::{MAX_POINTS, Mesh};
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use super::files::{Files, MeshFile, NoMesh};

/// Corners of round solids that viewers see.
const ROUND: usize = 24;

/// A visual or collision shape of a link.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub link_from_shape: Pose3,
    pub solid: Solid,
    /// Red green blue alpha; none: not given.
    pub color: Option<[u8; 4]>,
}

/// A solid with its origin in the middle, as both formats place it.
#[derive(Clone, Debug)]
pub(super) enum Solid {
    /// Extent along x, y, z [m].
    Box([f64; 3]),
    /// About z [m].
    Cylinder {
        radius: f64,
        length: f64,
    },
    Sphere {
        radius: f64,
    },
    Mesh {
        file: MeshFile,
        scale: f64,
    },
    /// Without thickness; normal to z, with these sides [m].
    Plane([f64; 2]),
}

/// A cylinder, capsule or sphere, whose numbers `size` reads; None for any other element.
fn read_round(geometry: &Reader<'_>, size: impl Fn(&Reader<'_>, &str) -> Option<f64>) -> Option<Option<Solid>> {
    let cylinder = |tag: &Reader<'_>, caps: f64| {
        let (radius, length) = (size(tag, "radius")?, size(tag, "length")?);
        Some(Solid::Cylinder { radius, length: length + caps * radius })
    };
    if let Some(tag) = geometry.child("cylinder") {
        return Some(cylinder(&tag, 0.0));
    }
    if let Some(tag) = geometry.child("capsule") {
        return Some(cylinder(&tag, 2.0));
    }
    let sphere = geometry.child("sphere")?;
    Some(size(&sphere, "radius").map(|radius| Solid::Sphere { radius }))
}

impl Solid {
    /// Reads a `<geometry>` of URDF. None, with a warning or an error, where there is no shape of it here.
    pub(super) fn read_urdf(geometry: &Reader<'_>, files: &Files) -> Option<Solid> {
        let size =
            |tag: &Reader<'_>, name: &str| needed(tag, name, tag.optional_attribute_f64(name, Accept::positive()));
        if let Some(tag) = geometry.child("box") {
            return sides(needed(&tag, "size", tag.attribute_numbers("size", &[3])), &tag);
        }
        if let Some(solid) = read_round(geometry, size) {
            return solid;
        }
        if let Some(tag) = geometry.child("mesh") {
            let address = needed(&tag, "filename", tag.attribute("filename"))?;
            let scale = tag.attribute_numbers("scale", &[1, 3]).unwrap_or_else(|| vec![1.0]);
            return read_mesh(&tag, &address, &scale, files);
        }
        unknown(geometry)
    }

    /// Reads a `<geometry>` of SDF, likewise.
    pub(super) fn read_sdf(geometry: &Reader<'_>, files: &Files) -> Option<Solid> {
        // The format's own defaults: 1 m, of which the radius of a capsule is half.
        let size = |tag: &Reader<'_>, name: &str| {
            let usual = if tag.tag() == "capsule" && name == "radius" { 0.5 } else { 1.0 };
            tag.optional_f64(name, Accept::positive()).or((!tag.has(name)).then_some(usual))
        };
        if let Some(tag) = geometry.child("box") {
            return sides(tag.numbers("size", &[3]).or((!tag.has("size")).then(|| vec![1.0; 3])), &tag);
        }
        if let Some(solid) = read_round(geometry, size) {
            return solid;
        }
        if let Some(tag) = geometry.child("plane") {
            let size = tag.numbers("size", &[2]).unwrap_or_else(|| vec![1.0, 1.0]);
            return Some(Solid::Plane([size[0].abs(), size[1].abs()]));
        }
        if let Some(tag) = geometry.child("mesh") {
            let address = needed(&tag, "uri", tag.text("uri"))?;
            let scale = tag.numbers("scale", &[1, 3]).unwrap_or_else(|| vec![1.0]);
            return read_mesh(&tag, &address, &scale, files);
        }
        if let Some(tag) = geometry.child("polyline") {
            return sdf_solids::polyline(&tag, files);
        }
        if let Some(tag) = geometry.child("ellipsoid") {
            return sdf_solids::ellipsoid(&tag, files);
        }
        if geometry.has("empty") {
            return None;
        }
        unknown(geometry)
    }

    /// Points whose convex hull is the solid, or contains it narrowly where it is round [m].
    fn points(&self) -> Vec<Vec3> {
        match self {
            Solid::Box([x, y, z]) => corners([*x, *y, *z]),
            Solid::Plane([x, y]) => corners([*x, *y, 0.0]),
            Solid::Cylinder { radius, length } => {
                // The polygon around the circle that the outline of a body may have.
                let around = radius / libm::cos(PI / MAX_POINTS as f64);
                circle(around, MAX_POINTS, [-0.5 * length, 0.5 * length])
            }
            Solid::Sphere { radius } => {
                let mut points = circle(radius / libm::cos(PI / MAX_POINTS as f64), MAX_POINTS, [0.0, 0.0]);
                points.extend([Vec3::new(0.0, 0.0, -radius), Vec3::new(0.0, 0.0, *radius)]);
                points
            }
            Solid::Mesh { file, .. } => {
                let turn = self.written_from_loaded();
                file.mesh.vertices.iter().map(|vertex| turn * vertex).collect()
            }
        }
    }

    /// Scale and turn of a mesh.
    fn written_from_loaded(&self) -> Matrix3<f64> {
        match self {
            Solid::Mesh { file, scale } => *scale * file.written_from_loaded,
            _ => Matrix3::identity(),
        }
    }

    /// Its surface [m]; none of a mesh, which has a file, and of a plane.
    pub(super) fn surface(&self) -> Option<Mesh> {
        let (geometry, middle) = match *self {
            Solid::Box(size) => (Geometry::Box { size }, 0.5 * Vec3::from(size)),
            Solid::Cylinder { radius, length } => {
                (Geometry::Cylinder { radius, length, vertex_count: ROUND }, Vec3::new(0.0, 0.0, 0.5 * length))
            }
            Solid::Sphere { radius } => (Geometry::Sphere { radius, vertex_count: ROUND }, Vec3::zeros()),
            Solid::Mesh { .. } | Solid::Plane(_) => return None,
        };
        let mut mesh = geometry.mesh();
        mesh.vertices.iter_mut().for_each(|vertex| *vertex -= middle);
        Some(mesh)
    }
}

impl Shape {
    /// Points in another frame whose convex hull is the shape, or contains it narrowly [m].
    pub(super) fn points(&self, frame_from_link: &Pose3) -> Vec<Vec3> {
        let frame_from_shape = *frame_from_link * self.link_from_shape;
        if let Solid::Sphere { radius } = self.solid {
            // A sphere looks the same in all frames; its hull is wanted from above.
            let center = frame_from_shape.position();
            return Solid::Sphere { radius }.points().iter().map(|point| center + point).collect();
        }
        let (rotation, position) = (frame_from_shape.rotation(), frame_from_shape.position());
        self.solid.points().iter().map(|point| position + rotation * point).collect()
    }

    /// Pose of the mesh as skidpad reads it in another frame, and its scale; none of other solids.
    pub(super) fn mesh_pose(&self, frame_from_link: &Pose3) -> Option<(&MeshFile, Pose3, f64)> {
        let Solid::Mesh { file, scale } = &self.solid else { return None };
        let pose = *frame_from_link * self.link_from_shape;
        let turned = pose.rotation() * file.written_from_loaded;
        Some((file, Pose3::from_parts(pose.position(), &turned), *scale))
    }
}

/// The corners of a box around the origin.
fn corners(size: [f64; 3]) -> Vec<Vec3> {
    let sign = |bit: usize, k: usize| if k & (1 << bit) == 0 { -0.5 } else { 0.5 };
    (0..8).map(|k| Vec3::new(sign(0, k) * size[0], sign(1, k) * size[1], sign(2, k) * size[2])).collect()
}

/// Regular polygons about z at two heights.
fn circle(radius: f64, count: usize, heights: [f64; 2]) -> Vec<Vec3> {
    let at = |k: usize| libm::sincos(TAU * k as f64 / count as f64);
    let ring = |z: f64| (0..count).map(at).map(move |(sin, cos)| Vec3::new(radius * cos, radius * sin, z));
    heights.into_iter().flat_map(ring).collect()
}

fn sides(size: Option<Vec<f64>>, tag: &Reader<'_>) -> Option<Solid> {
    let size = size?;
    if size.iter().all(|side| *side > 0.0) {
        return Some(Solid::Box([size[0], size[1], size[2]]));
    }
    let message = format!("a box of {} x {} x {} m", size[0], size[1], size[2]);
    if size.iter().all(|side| *side >= 0.0) {
        // Without a volume, it is there for nothing.
        tag.warn(format!("{message} is left out")).accepted(["sides > 0"]);
    } else {
        tag.error_at("size", message).accepted(["sides > 0"]);
    }
    None
}

/// A value that must be there; an error where it is not. One that is there and wrong has been reported.
fn needed<T>(tag: &Reader<'_>, name: &str, value: Option<T>) -> Option<T> {
    let is_there = tag.element().attribute(name).is_some() || tag.element().child(name).is_some();
    if !is_there {
        tag.missing(name);
    }
    value
}

fn read_mesh(tag: &Reader<'_>, address: &str, scale: &[f64], files: &Files) -> Option<Solid> {
    let scale = if let [x, y, z] = *scale { [x, y, z] } else { [scale[0]; 3] };
    if scale.contains(&0.0) {
        tag.warn("the mesh is left out: it is scaled by 0").accepted(["a scale other than 0 along each axis"]);
        return None;
    }
    match files.mesh(tag.directory(), address) {
        Ok(file) => {
            let is_even = scale.iter().all(|part| (part - scale[0]).abs() <= 1e-9 * scale[0].abs());
            Some(if is_even && scale[0] > 0.0 {
                Solid::Mesh { file, scale: scale[0] }
            } else {
                Solid::Mesh { file: files.scaled(&file, scale), scale: 1.0 }
            })
        }
        Err(NoMesh::SamePackage) => None,
        Err(NoMesh::Because(why)) => {
            tag.warn(format!("the mesh is left out: {why}"));
            None
        }
        Err(NoMesh::Package(name)) => {
            tag.warn(format!("no package or model \"{name}\": its meshes are left out")).hint(
                "searched: AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH, the folders above this file, and its checkout",
            );
            None
        }
    }
}

fn unknown(geometry: &Reader<'_>) -> Option<Solid> {
    let kinds: Vec<&str> = geometry.element().children.iter().map(|child| child.tag.as_str()).collect();
    let content = if kinds.is_empty() { "an empty <geometry>".to_owned() } else { format!("<{}>", kinds.join("> <")) };
    geometry
        .warn(format!("{content} is left out"))
        .accepted(["box", "cylinder", "capsule", "sphere", "mesh"].map(|kind| format!("<{kind}>")));
    None
}
