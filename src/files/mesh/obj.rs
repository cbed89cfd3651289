//! Wavefront OBJ: vertices, faces and lines, and the diffuse colours of its material libraries.

use std::io::Cursor;
use std::path::Path;

use nalgebra::Matrix4;
use skidpad_math::Vec3;

use super::{Mesh, polygon};
use crate::input_file;

/// Longest material library read [bytes].
const LONGEST_LIBRARY: u64 = 4 << 20;

/// Reads the text of an OBJ file; material libraries are looked up beside `path`, and those that cannot be read have no colours.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    let text = with_short_lines(&String::from_utf8_lossy(bytes));
    // Faces stay polygons here, since the library triangulates them as if all were convex.
    let options = tobj::LoadOptions { triangulate: false, single_index: false, ..tobj::LoadOptions::default() };
    let library = |name: &Path| {
        let file = path.parent().unwrap_or(Path::new(".")).join(name);
        let text = input_file::read(&file, LONGEST_LIBRARY).unwrap_or_default();
        Ok(tobj::load_mtl_buf(&mut Cursor::new(text)).unwrap_or_default())
    };
    let (models, materials) =
        tobj::load_obj_buf(&mut Cursor::new(text.as_bytes()), &options, library).map_err(|e| e.to_string())?;
    let materials = materials.unwrap_or_default();
    let mut mesh = Mesh::default();
    for model in models {
        let source = model.mesh;
        let points: Vec<Vec3> = source.positions.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect();
        let first = mesh.add_points(&points, &Matrix4::identity())?;
        // Without arities all faces are triangles.
        let mut rest = source.indices.as_slice();
        let mut arities = source.face_arities.iter().map(|&n| n as usize);
        while !rest.is_empty() {
            let count = arities.next().unwrap_or(3).max(1);
            let (face, after) = rest.split_at_checked(count).ok_or("a face is cut short")?;
            rest = after;
            match *face {
                [_] => {}
                [a, b] => mesh.add_lines(first, [[a, b]])?,
                [a, b, c] => mesh.add_triangles(first, [[a, b, c]])?,
                _ => mesh.add_triangles(first, polygon::triangulate(&points, face))?,
            }
        }
        let diffuse = source.material_id.and_then(|index| materials.get(index)?.diffuse);
        mesh.paint(diffuse.map(|color| color.map(|share| (255.0 * share).round() as u8)));
    }
    Ok(mesh)
}

/// The text with each polyline split into segments of two points, since the library treats longer ones as faces.
fn with_short_lines(text: &str) -> String {
    let mut cut = String::with_capacity(text.len());
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        if words.next() == Some("l") {
            let points: Vec<&str> = words.collect();
            for pair in points.windows(2) {
                cut.extend(["l ", pair[0], " ", pair[1], "\n"]);
            }
        } else {
            cut.extend([line, "\n"]);
        }
    }
    cut
}
