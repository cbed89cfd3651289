//! Small files of each format: valid, broken, and with false counts.

use std::path::Path;

use proptest::prelude::*;
use skidpad_math::Pose3;

use super::*;

/// A tetrahedron with corners at the origin and 1, 2 and 3 m along the axes, in each format.
const OBJ: &str = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const DAE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="half" meter="0.5"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries>
    <geometry id="g"><mesh>
      <source id="s"><float_array id="a" count="12">0 0 0 2 0 0 0 4 0 0 0 6</float_array>
        <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
      <polylist count="2"><input semantic="NORMAL" source="#n" offset="1"/><input semantic="VERTEX" source="#v" offset="0"/>
        <vcount>3 3</vcount><p>0 9 2 9 1 9 0 9 1 9 3 9</p></polylist>
      <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 3 2</p></triangles>
      <polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>1 2 3</p></polygons>
    </mesh></geometry>
  </library_geometries>
  <library_visual_scenes><visual_scene id="vs"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#vs"/></scene>
</COLLADA>"##;

pub(super) const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,2,3]},
 {"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"buffers":[{"byteLength":60,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBAAAIBAAEDAAMCAQID"}]}"#;

const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn stl_text() -> String {
    let mut text = "solid tetrahedron\n".to_string();
    for face in FACES {
        text += "facet normal nan nan nan\n outer loop\n";
        for [x, y, z] in face.map(|i| CORNERS[i]) {
            text += &format!("  vertex {x} {y} {z}\n");
        }
        text += " endloop\nendfacet\n";
    }
    text + "endsolid tetrahedron\n"
}

/// With a header that starts like a text file.
fn stl_binary() -> Vec<u8> {
    let mut bytes = b"solid".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        face.map(|i| CORNERS[i]).iter().flatten().for_each(|c| bytes.extend(c.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn glb() -> Vec<u8> {
    let mut json = GLTF.split(",\"uri\"").next().unwrap().to_string() + "}]}";
    json += &" ".repeat(3 - (json.len() + 3) % 4);
    let mut binary: Vec<u8> = CORNERS.iter().flatten().flat_map(|c| c.to_le_bytes()).collect();
    binary.extend(FACES.iter().flatten().map(|&i| i as u8));
    let mut bytes = b"glTF".to_vec();
    for number in [2, 12 + 8 + json.len() + 8 + binary.len(), json.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json.bytes());
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("dae", DAE.into()),
        ("obj", OBJ.into()),
        ("gltf", GLTF.into()),
        ("glb", glb()),
        ("stl", stl_text().into()),
        ("stl", stl_binary()),
    ]
}

/// Reads bytes as a file with this extension.
fn load_bytes(ending: &str, bytes: &[u8]) -> Result<Mesh, String> {
    parse(reader(&format!(".{ending}")).unwrap(), bytes, Path::new("m"))
}

fn message(ending: &str, bytes: &[u8]) -> String {
    load_bytes(ending, bytes).unwrap_err()
}

fn volume(mesh: &Mesh) -> f64 {
    let corner = |i: u32| mesh.vertices[i as usize];
    mesh.triangles.iter().map(|t| corner(t[0]).dot(&corner(t[1]).cross(&corner(t[2]))) / 6.0).sum()
}

#[test]
fn every_format_gives_the_same_tetrahedron() {
    for (ending, bytes) in samples() {
        let mesh = load_bytes(ending, &bytes).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mesh.triangles.len(), 4, "{ending}");
        assert!((volume(&mesh) - 1.0).abs() < 1e-9, "{ending}: {}", volume(&mesh));
        let [low, high] = mesh.bounds(&Pose3::default(), 1.0).unwrap();
        assert!(low.norm() < 1e-9 && (high - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-9, "{ending}: {low} {high}");
    }
}

impl Mesh {
    /// Lower and upper corner [m] of the box around all triangles and lines, in the frame that `pose` [m, rad] and `scale`
    /// [-] take them to. None for an empty mesh.
    pub(super) fn bounds(&self, pose: &Pose3, scale: f64) -> Option<[Vec3; 2]> {
        let used = self.triangles.iter().flatten().chain(self.lines.iter().flatten());
        extent(used.map(|&index| pose.transform_point(scale * self.vertices[index as usize])))
    }
}

fn bounds(mesh: &Mesh) -> [Vec3; 2] {
    mesh.bounds(&Pose3::default(), 1.0).unwrap()
}

#[test]
fn the_up_axis_of_a_collada_file_becomes_y() {
    let of = |up: &str| load_bytes("dae", DAE.replace("Y_UP", up).as_bytes()).unwrap();
    let [low, high] = bounds(&of("Z_UP"));
    assert!((low - Vec3::new(0.0, 0.0, -2.0)).norm() < 1e-12 && (high - Vec3::new(1.0, 3.0, 0.0)).norm() < 1e-12);
    // Rotated upright again, as worlds do.
    let upright = Pose3 { roll: std::f64::consts::FRAC_PI_2, ..Pose3::default() };
    let [low, high] = of("Z_UP").bounds(&upright, 1.0).unwrap();
    assert!(low.norm() < 1e-12 && (high - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-12, "{low} {high}");
    let [low, high] = bounds(&of("X_UP"));
    assert!((low - Vec3::new(-2.0, 0.0, 0.0)).norm() < 1e-12 && (high - Vec3::new(0.0, 1.0, 3.0)).norm() < 1e-12);
}

#[test]
fn the_axes_of_the_file_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let corner = Vec3::new(1.0, 2.0, 3.0);
    for up in ["X_UP", "Y_UP", "Z_UP"] {
        let path = folder.path().join("m.DAE");
        std::fs::write(&path, DAE.replace("Y_UP", up)).unwrap();
        let mesh = load(&path).unwrap();
        let turn = written_from_loaded(&path).unwrap();
        let farthest = mesh.vertices.iter().map(|v| turn * v).fold(Vec3::zeros(), |far, v| far.sup(&v));
        assert!((farthest - corner).norm() < 1e-12, "{up}: {farthest}");
    }
    assert_eq!(written_from_loaded(Path::new("nowhere.stl")).unwrap(), Matrix3::identity());
    assert!(written_from_loaded(Path::new("nowhere.dae")).is_err());
}

#[test]
fn collada_transforms_apply_in_document_order() {
    let scene = r##"<library_nodes><node id="twice"><translate>0 0 2</translate><instance_geometry url="#g"/>
        <node><scale>1 1 -1</scale><instance_geometry url="#g"/></node></node></library_nodes>
      <library_visual_scenes><visual_scene id="vs"><node><translate>10 0 0</translate><rotate>0 0 2 90</rotate>
        <scale>2 1 1</scale><instance_node url="#twice"/></node></visual_scene>"##;
    let text = DAE.replacen(
        "<library_visual_scenes><visual_scene id=\"vs\"><node><instance_geometry url=\"#g\"/></node></visual_scene>",
        scene,
        1,
    );
    let mesh = load_bytes("dae", text.as_bytes()).unwrap();
    assert_eq!(mesh.triangles.len(), 8);
    // In half metres: x 0 … 2 becomes y 0 … 4, y 0 … 4 becomes x 10 … 6, z 0 … 6 goes both ways from 2.
    let [low, high] = bounds(&mesh);
    assert!(
        (low - Vec3::new(3.0, 0.0, -2.0)).norm() < 1e-9 && (high - Vec3::new(5.0, 2.0, 4.0)).norm() < 1e-9,
        "{low} {high}"
    );
}

#[test]
fn collada_lines_are_read_even_with_arrays_longer_than_declared() {
    let text = DAE.replace("count=\"12\">", "count=\"9\">").replace(
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 3 2</p></triangles>",
        "<lines count=\"2\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 1 2</p></lines>
         <linestrips count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p><p>2 3</p></linestrips>",
    );
    let mesh = load_bytes("dae", text.as_bytes()).unwrap();
    assert_eq!(mesh.lines, [[0, 1], [1, 2], [0, 1], [1, 2], [2, 3]]);
    assert_eq!(mesh.triangles.len(), 3);
}

#[test]
fn obj_polygons_and_lines_are_read() {
    let text = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nf -5 -4 -3 -2 -1\nl 1 2 3\nl 4 5\n";
    let mesh = load_bytes("obj", text.as_bytes()).unwrap();
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| mesh.vertices[i as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    assert!((mesh.triangles.iter().map(area).sum::<f64>() - 2.5).abs() < 1e-12, "{:?}", mesh.triangles);
    assert!(mesh.lines.contains(&[3, 4]), "{:?}", mesh.lines);
}

#[test]
fn gltf_nodes_and_buffers_in_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let (head, data) = GLTF.split_once("data:application/octet-stream;base64,").unwrap();
    let (data, tail) = data.split_once('"').unwrap();
    let binary = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    std::fs::write(folder.path().join("my data.bin"), binary).unwrap();
    let text = format!("{head}my%20data.bin\"{tail}")
        .replace("[{\"mesh\":0}]", "[{\"children\":[1],\"translation\":[0,0,1]},{\"mesh\":0,\"scale\":[2,2,2]}]");
    let path = folder.path().join("m.gltf");
    std::fs::write(&path, text).unwrap();
    let [low, high] = bounds(&load(&path).unwrap());
    assert!((low - Vec3::new(0.0, 0.0, 1.0)).norm() < 1e-9 && (high - Vec3::new(2.0, 4.0, 7.0)).norm() < 1e-9);
}

#[test]
fn errors_of_unreadable_files_give_the_reason() {
    let refused = |name: &str| load(Path::new(name)).unwrap_err().to_string();
    assert_eq!(
        refused("a/m.FBX"),
        "a/m.FBX: cannot be read: FBX is not supported (supported: .dae, .stl, .obj, .gltf, .glb)"
    );
    assert_eq!(
        refused("m.xyz"),
        "m.xyz: cannot be read: unknown format \".xyz\" (supported: .dae, .stl, .obj, .gltf, .glb)"
    );
    assert!(refused("m").ends_with("its name has no ending (supported: .dae, .stl, .obj, .gltf, .glb)"));
    let absent = "this build reads no .dae files\n  hint: enable the feature \"meshes\" of skidpad-sim";
    assert_eq!(unknown(".dae", false).to_string(), absent);
    assert_eq!(message("obj", b"v 0 0 0\n"), "there is neither a triangle nor a line in it");
    assert_eq!(message("obj", b"v 0 0 0\nf 1 2 3\n"), "face vertex index out of bounds");
    assert_eq!(message("dae", b"<COLLADA>"), "the root node was opened but never closed");
    let bad = DAE.replace("<p>0 3 2</p>", "<p>0 4 2</p>");
    assert_eq!(message("dae", bad.as_bytes()), "an index names a vertex that is not there");
    let bad = DAE.replace("0 2 0 0 0 4", "0 2 x 0 0 4");
    assert_eq!(message("dae", bad.as_bytes()), "bad number \"x\" in <float_array>");
    let bad = DAE.replace("0 2 0 0 0 4", "0 2 inf 0 0 4");
    assert_eq!(message("dae", bad.as_bytes()), "a vertex is not finite");
    let bad = GLTF.replace("\"POSITION\":0", "\"POSITION\":7");
    assert_eq!(message("gltf", bad.as_bytes()), "a mesh names an accessor that is not there");
    let missing = refused("/nowhere/m.dae");
    assert!(missing.starts_with("/nowhere/m.dae: cannot be read: "), "{missing}");
}

#[test]
fn files_with_false_counts_take_no_more_memory_than_their_size() {
    let mut stl = stl_binary();
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    stl[0] = b'x';
    assert!(load_bytes("stl", &stl).is_err());
    for (from, to) in [
        ("\"count\":4", "\"count\":4000000000"),
        ("\"count\":12", "\"count\":0"),
        ("\"byteLength\":48", "\"byteLength\":18446744073709551615"),
        ("\"byteOffset\":48", "\"byteOffset\":18446744073709551615"),
    ] {
        let bad = GLTF.replacen(from, to, 1);
        assert!(load_bytes("gltf", bad.as_bytes()).is_err(), "{to}");
    }
    let more = DAE
        .replace("count=\"12\"", "count=\"4000000000\"")
        .replace("count=\"4\" stride", "count=\"4000000000\" stride");
    assert!(load_bytes("dae", more.as_bytes()).is_ok(), "counts are not needed");
    // A node that contains itself, and nodes that double at every level.
    let cycle = DAE.replace("<node><instance_geometry url=\"#g\"/>", "<node id=\"n\"><instance_node url=\"#n\"/>");
    assert!(message("dae", cycle.as_bytes()).starts_with("its nodes are nested more than 64 deep"));
    let cycle = GLTF.replace("{\"mesh\":0}", "{\"mesh\":0,\"children\":[0,0]}");
    assert!(message("gltf", cycle.as_bytes()).starts_with("its nodes are nested more than 64 deep"));
    let deep = format!("<COLLADA>{}{}</COLLADA>", "<node>".repeat(200_000), "</node>".repeat(200_000));
    assert!(load_bytes("dae", deep.as_bytes()).is_err());
    let deep = format!("{{\"asset\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    assert!(load_bytes("gltf", deep.as_bytes()).is_err());
}

#[test]
fn a_file_cut_short_anywhere_never_ends_the_program() {
    for (ending, bytes) in samples() {
        for length in (0..bytes.len()).step_by(7) {
            let _ = load_bytes(ending, &bytes[..length]);
        }
    }
}

/// Checks every index of a mesh.
fn check(mesh: &Mesh) {
    let count = mesh.vertices.len() as u32;
    assert!(mesh.triangles.iter().flatten().chain(mesh.lines.iter().flatten()).all(|&i| i < count));
    assert!(mesh.vertices.iter().all(|v| v.iter().all(|c| c.is_finite())));
    if let Ok(outline) = Outline::of_mesh(mesh, &Pose3::default(), 1.0, None) {
        assert!((3..=MAX_POINTS).contains(&outline.points.len()), "{outline:?}");
        assert!(outline.points.iter().all(|p| p.is_finite()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_with_random_changes_never_ends_the_program(
        sample_index in 0..6_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..8),
    ) {
        let (ending, mut bytes) = samples().swap_remove(sample_index);
        for (at, value, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = value,
                1 => bytes[at] = b"0123456789-e.\"<>/ "[usize::from(value) % 18],
                2 => bytes.insert(at, value),
                _ if bytes.len() > 1 => {
                    bytes.remove(at);
                }
                _ => {}
            }
        }
        if let Ok(mesh) = load_bytes(ending, &bytes) {
            check(&mesh);
        }
    }

    #[test]
    fn outlines_of_any_triangles_are_simple_polygons(
        corners in prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64, 0.0..1.0_f64), 3..60),
    ) {
        let vertices: Vec<Vec3> = corners.iter().map(|&(x, y, z)| Vec3::new(x, y, z)).collect();
        let triangles = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = Mesh { vertices, triangles, ..Mesh::default() };
        check(&mesh);
        if let Ok(outline) = Outline::of_mesh(&mesh, &Pose3::default(), 1.0, None) {
            let n = outline.points.len();
            prop_assert!(outline::area(&outline.points) > 0.0);
            let edge = |i: usize| (outline.points[i % n], outline.points[(i + 1) % n]);
            for i in 0..n {
                for j in i + 2..if i == 0 { n - 1 } else { n } {
                    let ((a, b), (c, d)) = (edge(i), edge(j));
                    let side = |p: skidpad_math::Vec2, q: skidpad_math::Vec2, r: skidpad_math::Vec2| (q - p).cross(r - p);
                    let crossing = side(a, b, c) * side(a, b, d) < -1e-12 && side(c, d, a) * side(c, d, b) < -1e-12;
                    prop_assert!(!crossing, "{outline:?}");
                }
            }
        }
    }
}

#[test]
fn triangles_have_the_plain_colours_of_their_materials() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        load(&path).unwrap().colors
    };
    std::fs::write(folder.path().join("m.mtl"), "newmtl red\nKd 1 0.2 0\nnewmtl plain\n").unwrap();
    let obj = OBJ.replace("f 1 3 2", "mtllib m.mtl\nusemtl red\nf 1 3 2").replace("f 2 3 4", "usemtl none\nf 2 3 4");
    let red = Some([255, 51, 0]);
    assert_eq!(loaded("a.obj", &obj), [red, red, red, None]);
    assert!(loaded("b.obj", &obj.replace("m.mtl", "absent.mtl")).iter().all(Option::is_none));
    let dae = DAE
        .replace("<polylist ", "<polylist material=\"sym\" ")
        .replace("<triangles ", "<triangles material=\"free\" ")
        .replace(
            "<library_visual_scenes>",
            "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse><color>0 0.4 1 1</color></diffuse>
            </lambert></technique></profile_COMMON></effect></library_effects>
            <library_materials><material id=\"m\"><instance_effect url=\"#e\"/></material></library_materials><library_visual_scenes>",
        )
        .replace(
            "<instance_geometry url=\"#g\"/>",
            "<instance_geometry url=\"#g\"><bind_material><technique_common><instance_material symbol=\"sym\" target=\"#m\"/>
            </technique_common></bind_material></instance_geometry>",
        );
    let blue = Some([0, 102, 255]);
    assert_eq!(loaded("a.dae", &dae), [blue, blue, None, None]);
    // Linear light of 0.2 and 0.5 is 124 and 188 as sRGB.
    let gltf = GLTF.replace("\"indices\":1", "\"indices\":1,\"material\":0").replace(
        "\"accessors\"",
        "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.2,0.5,1,1]}}],\"accessors\"",
    );
    assert_eq!(loaded("a.gltf", &gltf), [Some([124, 188, 255]); 4]);
    assert!(loaded("b.gltf", GLTF).is_empty());
}

#[test]
fn triangles_of_the_material_called_paint_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let painted = |name: &str| {
        let path = folder.path().join("a.gltf");
        let text = GLTF
            .replace("\"indices\":1", "\"indices\":1,\"material\":0")
            .replace("\"accessors\"", &format!("\"materials\":[{{\"name\":\"{name}\"}}],\"accessors\""));
        std::fs::write(&path, text).unwrap();
        load(&path).unwrap().painted
    };
    assert_eq!(painted(PAINT), [true; 4]);
    assert!(painted("Paint").is_empty() && painted("chrome").is_empty());
}

#[test]
fn gltf_may_have_short_normals_but_no_short_positions() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = |text: &str| {
        let path = folder.path().join("a.gltf");
        std::fs::write(&path, text).unwrap();
        load(&path).map_err(|error| error.to_string())
    };
    let short =
        "{\"extensionsUsed\":[\"KHR_mesh_quantization\"],\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"asset\"";
    let text = GLTF.replacen("{\"asset\"", short, 1);
    assert_eq!(loaded(&text).unwrap().triangles.len(), 4);
    let reported = loaded(&text.replace("5126,\"count\":4", "5122,\"count\":4")).unwrap_err();
    assert!(reported.contains("its positions are not three 32-bit numbers each"), "{reported}");
}
