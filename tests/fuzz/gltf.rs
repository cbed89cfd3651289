//! A glTF file with a skin, a clip, a material and sparse data, in which values stand that do not belong there: it is read or refused, and
//! what is read can be posed.

use skidpad::mesh::load;
use skidpad::mesh::rig::Posed;

use super::{MIB, within};

/// The file, whose data are zeros.
fn file() -> String {
    let zeros = "A".repeat(320);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],"extensionsRequired":["KHR_texture_transform"],
        "nodes":[{{"mesh":0,"skin":0,"children":[2]}},{{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}},{{"rotation":[0,0,0,1],"camera":0}}],
        "cameras":[{{"type":"perspective","perspective":{{"yfov":1,"znear":1}}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2,"TEXCOORD_0":6,"COLOR_0":5}},"indices":7,"material":0,
         "mode":4,"targets":[{{"POSITION":0}}]}}]}}],
        "materials":[{{"alphaMode":"MASK","alphaCutoff":0.5,"emissiveTexture":{{"index":0}},"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0,
         "texCoord":0,"extensions":{{"KHR_texture_transform":{{"offset":[0,1],"rotation":1}}}}}}}}}}],
        "textures":[{{"sampler":0,"source":0}}],"images":[{{"bufferView":0,"mimeType":"image/png"}}],"samplers":[{{"wrapS":10497,"minFilter":9728}}],
        "skins":[{{"joints":[2],"inverseBindMatrices":3,"skeleton":0}}],
        "animations":[{{"samplers":[{{"input":4,"output":5,"interpolation":"STEP"}}],"channels":[{{"sampler":0,"target":{{"node":2,"path":"rotation"}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
         {{"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"}},{{"bufferView":1,"componentType":5121,"normalized":true,"count":3,"type":"VEC4"}},
         {{"bufferView":0,"componentType":5126,"count":1,"type":"MAT4"}},{{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}},
         {{"bufferView":0,"componentType":5126,"count":1,"type":"VEC4"}},{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC2"}},
         {{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR","byteOffset":0}},
         {{"componentType":5126,"count":3,"type":"VEC3","sparse":{{"count":1,"indices":{{"bufferView":1,"componentType":5121}},"values":{{"bufferView":0}}}}}}],
        "bufferViews":[{{"buffer":0,"byteLength":64,"target":34962}},{{"buffer":0,"byteOffset":64,"byteLength":12,"byteStride":4}}],
        "buffers":[{{"byteLength":240,"uri":"data:application/octet-stream;base64,{zeros}"}}]}}"#
    )
}

/// Where the numbers and texts of a JSON text are, those that name fields too.
fn values(text: &str) -> Vec<std::ops::Range<usize>> {
    let (bytes, mut ranges, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        match bytes[at] {
            b'"' => at += 2 + bytes[at + 1..].iter().take_while(|byte| **byte != b'"').count(),
            byte if is_number(&byte) => at += bytes[at..].iter().take_while(|byte| is_number(byte)).count(),
            _ => {
                at += 1;
                continue;
            }
        }
        ranges.push(start..at);
    }
    ranges
}

#[test]
fn gltf_files_are_read() {
    const WRONG: &[&str] = &[
        "0",
        "1",
        "2",
        "3",
        "8",
        "99",
        "4294967295",
        "4294967296",
        "18446744073709551615",
        "-1",
        "1.5",
        "1e400",
        "\"x\"",
        "\"node\"",
        "\"pointer\"",
        "\"weights\"",
        "\"CUBICSPLINE\"",
        "\"POSITION\"",
        "null",
        "true",
        "[]",
        "[0]",
        "{}",
        "",
    ];
    let (whole, folder) = (file(), tempfile::tempdir().unwrap());
    let (path, places) = (folder.path().join("a.gltf"), values(&whole));
    std::fs::write(&path, &whole).unwrap();
    let mesh = load(&path).unwrap();
    assert!(mesh.rig.is_some_and(|rig| rig.clip_names().count() == 1), "{:?}", mesh.unseen);
    attempt!(1000, 6, |input: &[u8]| {
        let mut changes: Vec<_> = input
            .chunks_exact(2)
            .map(|change| (usize::from(change[0]) % places.len(), WRONG[usize::from(change[1]) % WRONG.len()]))
            .collect();
        changes.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        changes.dedup_by_key(|(place, _)| *place);
        let mut text = whole.clone();
        changes.iter().for_each(|(place, wrong)| text.replace_range(places[*place].clone(), wrong));
        std::fs::write(&path, text).unwrap();
        within(4 * MIB, || {
            if let Ok(mesh) = load(&path)
                && let Some(rig) = &mesh.rig
            {
                rig.pose(Some(0), 0.3, 1.0, &mut Posed::default());
            }
        });
    });
}
