//! Solids of SDF that become meshes: what stands on a polyline, and ellipsoids.

use skidpad_files::mesh::primitives::Geometry;
use skidpad_files::mesh::prism;
use skidpad_math::{Vec2, Vec3};
use skidpad_xml::{Accept, Reader};

use super::{ROUND, Solid};
use crate::files::Files;

/// Points that are nearer to each other are the same [m].
const SAME: f64 = 1e-9;

/// The upright solid over a `<polyline>`, from the height 0 up. None, with a warning, where it is over no area.
pub(super) fn polyline(tag: &Reader<'_>, files: &Files) -> Option<Solid> {
    let points = tag.children("point");
    let mut outline: Vec<Vec2> =
        points.iter().filter_map(|point| point.own_numbers(&[2])).map(|point| Vec2::new(point[0], point[1])).collect();
    outline.dedup_by(|a, b| (*a - *b).norm() < SAME);
    if outline.len() > 1 && (outline[0] - outline[outline.len() - 1]).norm() < SAME {
        outline.pop();
    }
    // The format's own default is 1 m.
    let height = tag.optional_f64("height", Accept::positive()).or((!tag.has("height")).then_some(1.0))?;
    let mesh = prism(&outline, [0.0, height]);
    if mesh.triangles.is_empty() {
        tag.warn("<polyline> is left out: it has no area").accepted(["three <point> or more"]);
        return None;
    }
    let numbers: Vec<f64> = outline.iter().flat_map(|point| [point.x, point.y]).chain([height]).collect();
    Some(Solid::Mesh { file: files.generated_mesh("polyline", &numbers, mesh), scale: 1.0 })
}

/// An `<ellipsoid>`.
pub(super) fn ellipsoid(tag: &Reader<'_>, files: &Files) -> Option<Solid> {
    // The format's own default is 1 m along each axis.
    let radii = tag.numbers("radii", &[3]).or((!tag.has("radii")).then(|| vec![1.0; 3]))?;
    if radii.iter().any(|radius| *radius <= 0.0) {
        tag.error_at("radii", format!("an ellipsoid of {} x {} x {} m", radii[0], radii[1], radii[2]))
            .accepted(["radii > 0"]);
        return None;
    }
    let mut mesh = Geometry::Sphere { radius: 1.0, vertex_count: ROUND }.mesh();
    let scale = Vec3::new(radii[0], radii[1], radii[2]);
    mesh.vertices.iter_mut().for_each(|vertex| *vertex = vertex.component_mul(&scale));
    Some(Solid::Mesh { file: files.generated_mesh("ellipsoid", &radii, mesh), scale: 1.0 })
}
