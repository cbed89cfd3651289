//! STL, binary and text.

use std::io::Cursor;

use nalgebra::Matrix4;
use skidpad_math::Vec3;

use super::Mesh;

/// Length of a binary file's header, including the triangle count, and of a triangle [bytes].
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// Reads the text of an STL file.
///
/// A file is binary when its length matches its triangle count, because many binary files start with the keyword of text files,
/// `solid`; or when it does not start with that keyword.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, String> {
    let claimed = bytes.get(80..HEADER).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let fits = claimed.is_some_and(|count| bytes.len() as u64 == HEADER as u64 + TRIANGLE as u64 * u64::from(count));
    let says_text = bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let mut source = if says_text && !fits { plain_text(bytes) } else { bytes.to_vec() };
    if fits && let Some(first) = source.first_mut() {
        // The library decides by the first word, which is part of a meaningless header.
        *first = 0;
    }
    let mut source = Cursor::new(source);
    let mut mesh = Mesh::default();
    let identity = Matrix4::identity();
    for triangle in stl_io::create_stl_reader(&mut source).map_err(|error| error.to_string())? {
        let triangle = triangle.map_err(|error| error.to_string())?;
        let corners = triangle.vertices.map(|v| Vec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2])));
        let first = mesh.add_points(&corners, &identity)?;
        mesh.add_triangles(first, [[0, 1, 2]])?;
    }
    Ok(mesh)
}

/// A text file as the library expects it: one named solid with finite normals. Files in use have several unnamed solids,
/// keywords in capitals, and normals that are NaN.
fn plain_text(bytes: &[u8]) -> Vec<u8> {
    let mut plain = b"solid a\n".to_vec();
    for line in bytes.split(|&b| b == b'\n' || b == b'\r') {
        let line = line.trim_ascii().to_ascii_lowercase();
        let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match word {
            b"" | b"solid" | b"endsolid" => continue,
            b"facet" => plain.extend_from_slice(b"facet normal 0 0 0"),
            _ => plain.extend_from_slice(&line),
        }
        plain.push(b'\n');
    }
    plain.extend_from_slice(b"endsolid\n");
    plain
}
