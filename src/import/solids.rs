//! Boxes, cylinders and spheres as a mesh file, since the visuals of vehicles are meshes: Wavefront OBJ with its materials.

use std::fmt::Write;

use super::shape::Solid;
use super::text::number;
use crate::math::Pose3;

/// The texts of an OBJ file with these solids and of its material library, which is called `library`; colours are red green blue alpha. None
/// where nothing has a surface.
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
