//! Boxes, cylinders and spheres as a mesh file, since the visuals of vehicles are meshes, and meshes that are written
//! anew: Wavefront OBJ with its materials.

use std::fmt::Write;

use skidpad_files::mesh::Mesh;
use skidpad_math::Pose3;

use super::shape::Solid;
use super::text::number;

/// The texts of an OBJ file with these solids and of its material library, which is called `library`; colours are red
/// green blue alpha. None where nothing has a surface.
pub(super) fn files(solids: &[(Pose3, Solid, [u8; 4])], library: &str) -> Option<[String; 2]> {
    let (mut shapes, mut materials) = (format!("mtllib {library}\n"), String::new());
    let mut first = 1;
    for (index, (pose, solid, color)) in solids.iter().enumerate() {
        let Some(mesh) = solid.surface() else { continue };
        let share = |k: usize| number(f64::from(color[k]) / 255.0);
        let _ = writeln!(materials, "newmtl m{index}\nKd {} {} {}", share(0), share(1), share(2));
        let _ = writeln!(shapes, "o s{index}\nusemtl m{index}");
        let rotation = pose.rotation();
        for vertex in &mesh.vertices {
            let p = pose.position() + rotation * vertex;
            let _ = writeln!(shapes, "v {} {} {}", number(p.x), number(p.y), number(p.z));
        }
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|corner| first + corner);
            let _ = writeln!(shapes, "f {a} {b} {c}");
        }
        first += mesh.vertices.len() as u32;
    }
    (first > 1).then_some([shapes, materials])
}

/// The texts of an OBJ file with this mesh, in its own colours, and of its material library, which is called `library`.
pub(super) fn mesh_files(mesh: &Mesh, library: &str) -> [String; 2] {
    let (mut shapes, mut materials) = (format!("mtllib {library}\n"), String::new());
    for vertex in &mesh.vertices {
        let _ = writeln!(shapes, "v {} {} {}", number(vertex.x), number(vertex.y), number(vertex.z));
    }
    let mut colors: Vec<[u8; 3]> = mesh.colors.iter().flatten().copied().collect();
    colors.sort_unstable();
    colors.dedup();
    for (index, color) in colors.iter().enumerate() {
        let share = |k: usize| number(f64::from(color[k]) / 255.0);
        let _ = writeln!(materials, "newmtl m{index}\nKd {} {} {}", share(0), share(1), share(2));
    }
    // Those without a colour come first: OBJ has no way back to no material.
    let of = |triangle: usize| mesh.colors.get(triangle).copied().flatten();
    let mut order: Vec<usize> = (0..mesh.triangles.len()).collect();
    order.sort_by_key(|triangle| of(*triangle));
    let mut current = None;
    for triangle in order {
        let color = of(triangle);
        if color != current {
            let index = color.and_then(|color| colors.binary_search(&color).ok()).unwrap_or_default();
            let _ = writeln!(shapes, "usemtl m{index}");
            current = color;
        }
        let [a, b, c] = mesh.triangles[triangle].map(|corner| 1 + corner);
        let _ = writeln!(shapes, "f {a} {b} {c}");
    }
    for [a, b] in mesh.lines.iter().map(|line| line.map(|end| 1 + end)) {
        let _ = writeln!(shapes, "l {a} {b}");
    }
    [shapes, materials]
}
