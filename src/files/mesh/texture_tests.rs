//! Where the corners of triangles are on the pictures of small files of each format.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::texture::{Alpha, Image, Texture, Wrap};
use super::*;

/// A triangle with three texture coordinates, the bytes 1 2 3 as a picture, and colours of its vertices: 36 + 24 + 4 + 12 bytes.
fn gltf(material: &str, more: &str) -> String {
    let mut buffer: Vec<u8> =
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32].iter().flat_map(|c| c.to_le_bytes()).collect();
    buffer.extend([0.0, 0.0, 1.0, 0.25, 0.5, 2.0_f32].iter().flat_map(|c| c.to_le_bytes()));
    buffer.extend([1, 2, 3, 0]);
    buffer.extend([255, 255, 255, 0, 255, 0, 0, 0, 0, 0, 255, 0]);
    let data = STANDARD.encode(&buffer);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1{more}}},"material":0}}]}}],
"materials":[{{"pbrMetallicRoughness":{{{material}}}}}],
"samplers":[{{"wrapS":33071,"wrapT":33648}}],
"textures":[{{"source":0}},{{"source":1,"sampler":0}},{{"source":2}},{{}},{{"source":3}}],
"images":[{{"uri":"data:image/png;base64,AQID"}},{{"uri":"a%20b.png"}},{{"bufferView":2,"mimeType":"image/png"}},{{"uri":"http://x.y/z.png"}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
 {{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}},
 {{"bufferView":3,"componentType":5121,"normalized":true,"count":3,"type":"VEC3"}}],
"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":24}},
 {{"buffer":0,"byteOffset":60,"byteLength":3}},{{"buffer":0,"byteOffset":64,"byteLength":12,"byteStride":4}}],
"buffers":[{{"byteLength":76,"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
    )
}

fn read(ending: &str, text: &str) -> Mesh {
    let read = reader(ending).unwrap();
    parse(read, text.as_bytes(), Path::new("/models/m")).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn gltf_has_pictures_within_and_beside_it_with_v_downwards() {
    let textured = |index: usize| read(".gltf", &gltf(&format!("\"baseColorTexture\":{{\"index\":{index}}}"), ""));
    let mesh = textured(0);
    assert_eq!(mesh.textures[0].image, Image::Within(0, [1, 2, 3].as_slice().into()));
    assert_eq!(mesh.textures[0].wrap, [Wrap::Repeat; 2]);
    assert_eq!(mesh.on_texture[0].unwrap().corners, [[0.0, 1.0], [1.0, 0.75], [0.5, -1.0]]);
    assert_eq!(mesh.colors, [Some([255; 3])]);
    let mesh = textured(1);
    assert_eq!(mesh.textures[0].image, Image::File("/models/a b.png".into()));
    assert_eq!(mesh.textures[0].wrap, [Wrap::Stretch, Wrap::Mirror]);
    assert_eq!(textured(2).textures[0].image, Image::Within(2, [1, 2, 3].as_slice().into()));
    for (index, expected) in [(3, "format is not supported"), (4, "\"http://x.y/z.png\" is not a file")] {
        let Image::Lost(_, reason) = &textured(index).textures[0].image else { panic!("{index}") };
        assert!(reason.contains(expected), "{reason}");
    }
    // Half the size, a quarter turn counter-clockwise in the picture, and moved: u' = v/2 + 0.1, v' = -u/2 + 0.2, downwards.
    let transform = r#""baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":
        {"scale":[0.5,0.5],"rotation":1.5707964,"offset":[0.1,0.2]}}}"#;
    let on = read(".gltf", &gltf(transform, "")).on_texture[0].unwrap().corners;
    for (actual, expected) in on.as_flattened().iter().zip([0.1, 0.8, 0.225, 1.3, 1.1, 1.05]) {
        assert!((actual - expected).abs() < 1e-6, "{on:?}");
    }
    let other_set = r#""baseColorTexture":{"index":0,"texCoord":3}"#;
    let mesh = read(".gltf", &gltf(other_set, ""));
    assert!(matches!(&mesh.textures[0].image, Image::Lost(0, reason) if reason.contains("TEXCOORD_3")), "{mesh:?}");
}

#[test]
fn colours_of_vertices_count_times_those_of_materials() {
    let mesh = read(".gltf", &gltf("\"baseColorFactor\":[0.2,1,1,1]", ",\"COLOR_0\":2"));
    // Linear light of 0.2 is 124 as sRGB.
    assert_eq!(mesh.corner_colors, [Some([[124, 255, 255], [124, 0, 0], [0, 0, 255]])]);
    let obj = read(".obj", "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 0.2\nf 1 2 3\n");
    assert_eq!(obj.corner_colors, [Some([[255, 0, 0], [0, 255, 0], [0, 0, 51]])]);
    assert!(read(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").corner_colors.is_empty());
}

#[test]
fn obj_has_the_pictures_of_its_library_with_their_options() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("lib")).unwrap();
    let library =
        "newmtl plain\nKd 1 0 0\nnewmtl wood\nKd 1 1 0.2\nmap_Kd -s 2 4 1 -o 0.5 -clamp on -bm 1 tex\\my wood.png\n";
    std::fs::write(folder.path().join("lib/m.mtl"), library).unwrap();
    let text = "mtllib lib/m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
        usemtl plain\nf 1/1 2/2 3/3\nusemtl wood\nf 1/1 2/2 3/3 4/4\n";
    let path = folder.path().join("a.obj");
    std::fs::write(&path, text).unwrap();
    let mesh = load(&path).unwrap();
    assert_eq!(mesh.textures.len(), 1);
    assert_eq!(mesh.textures[0].image, Image::File(folder.path().join("lib/tex/my wood.png")));
    assert_eq!(mesh.textures[0].wrap, [Wrap::Stretch; 2]);
    assert_eq!(mesh.colors, [Some([255, 0, 0]), Some([255, 255, 51]), Some([255, 255, 51])]);
    assert!(mesh.on_texture[0].is_none() && mesh.unseen.is_empty());
    for (triangle, on) in mesh.triangles.iter().zip(&mesh.on_texture).skip(1) {
        for (vertex, at) in triangle.iter().zip(on.unwrap().corners) {
            let corner = mesh.vertices[*vertex as usize];
            assert_eq!(at, [2.0 * corner.x as f32 + 0.5, 4.0 * corner.y as f32]);
        }
    }
}

#[test]
fn what_of_the_looks_is_not_read_is_told_once() {
    let obj = read(".obj", "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\nf 1 3 2\n");
    assert_eq!(obj.unseen, ["its material library gone.mtl, which cannot be read"]);
}

#[test]
fn gltf_says_what_the_opacity_of_a_material_and_of_its_picture_means() {
    let read_with = |mode: &str, material: &str| {
        let text = gltf(material, "").replace("\"materials\":[{", &format!("\"materials\":[{{{mode}"));
        let mesh = read(".gltf", &text);
        assert!(mesh.unseen.is_empty(), "{mesh:?}");
        let on = mesh.on_texture.first().copied().flatten();
        on.map(|on| mesh.textures[on.texture as usize].clone())
    };
    let clear = "\"baseColorFactor\":[1,1,1,0.6]";
    let picture = format!("{clear},\"baseColorTexture\":{{\"index\":0}}");
    let (blend, mask) = ("\"alphaMode\":\"BLEND\",", "\"alphaMode\":\"MASK\",\"alphaCutoff\":0.3,");
    let opacity =
        |mode: &str, material: &str| read_with(mode, material).map(|texture| (texture.alpha, texture.opacity));
    assert_eq!(opacity("", clear), None, "it is ignored");
    assert_eq!(opacity("", &picture), Some((Alpha::Ignored, 255)));
    assert_eq!(opacity(blend, &picture), Some((Alpha::Blend, 153)));
    assert_eq!(opacity(blend, clear), Some((Alpha::Unsaid, 153)));
    assert_eq!(read_with(blend, clear).unwrap().image, Image::Plain);
    assert_eq!(opacity(blend, "\"baseColorFactor\":[1,1,1,1]"), None);
    // 0.3 of a picture times 0.6: below half of it there is a hole.
    assert_eq!(opacity(mask, &picture), Some((Alpha::Mask(128), 255)));
    assert_eq!(opacity(mask, clear), None);
    assert_eq!(opacity(mask, &clear.replace("0.6", "0.2")), Some((Alpha::Unsaid, 0)), "all of it is a hole");
    assert_eq!(opacity(mask, &picture.replace("0.6", "0.2")), Some((Alpha::Mask(256), 255)));
    // Without a cutoff it is a half.
    let usual = mask.replace("\"alphaCutoff\":0.3,", "");
    assert_eq!(opacity(&usual, "\"baseColorTexture\":{\"index\":0}"), Some((Alpha::Mask(128), 255)));
    let vertices = gltf(clear, ",\"COLOR_0\":2").replace(
        "\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC3\"",
        "\"componentType\":5121,\"normalized\":true,\"count\":3,\"type\":\"VEC4\"",
    );
    let vertices = vertices.replace("\"materials\":[{", &format!("\"materials\":[{{{blend}"));
    assert_eq!(read(".gltf", &vertices).unseen, ["the opacity of its vertices"]);
}

#[test]
fn obj_says_how_much_light_passes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    std::fs::write(&path, "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl b\nf 1/1 2/2 3/3\n")
        .unwrap();
    let with = |library: &str| {
        std::fs::write(folder.path().join("m.mtl"), format!("newmtl b\n{library}")).unwrap();
        let mesh = load(&path).unwrap();
        let look = mesh.textures.first().map(|texture| (texture.alpha, texture.opacity));
        (look, mesh.unseen)
    };
    for (library, alpha, opacity) in [
        ("d 0.4", Alpha::Unsaid, 102),
        ("d -halo 0.4", Alpha::Unsaid, 102),
        ("Tr 0.6", Alpha::Unsaid, 102),
        ("Tr \t 0.6", Alpha::Unsaid, 102),
        ("d 0.4\nTr 0.4", Alpha::Unsaid, 102),
        ("Tr 0.4\nd 0.4", Alpha::Unsaid, 102),
        ("map_Kd a.png\nmap_d a.png", Alpha::Blend, 255),
        ("map_Kd a.png\nmap_d -s 1 1 1 a.png\nd 0.4", Alpha::Blend, 102),
        ("map_Kd a.png", Alpha::Unsaid, 255),
    ] {
        assert_eq!(with(library), (Some((alpha, opacity)), vec![]), "{library}");
    }
    // Triangles that are not on the picture let light pass, too.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(folder.path().join("m.mtl"), "newmtl b\nmap_Kd a.png\nd 0.4\n").unwrap();
    std::fs::write(&path, format!("{text}f 1 2 3\n")).unwrap();
    let mesh = load(&path).unwrap();
    let textures: Vec<_> =
        mesh.textures.iter().map(|texture| (texture.image == Image::Plain, texture.opacity)).collect();
    assert_eq!(textures, [(false, 102), (true, 102)]);
    assert_eq!(mesh.on_texture.iter().map(|on| on.unwrap().texture).collect::<Vec<_>>(), [0, 1]);
    std::fs::write(&path, text).unwrap();
    // Programs write zero where they mean nothing invisible.
    for library in ["d 1", "d 0", "Tr 0", "Tr 1"] {
        assert_eq!(with(library), (None, vec![]), "{library}");
    }
    let reported = "the opacity picture of its material \"b\", which differs from its colour picture";
    assert_eq!(with("map_Kd a.png\nmap_d b.png"), (Some((Alpha::Unsaid, 255)), vec![reported.to_string()]));
    assert_eq!(with("map_d b.png"), (None, vec![reported.to_string()]));
}

#[test]
fn collada_has_the_pictures_of_its_effects() {
    let text = |from: &str| {
        format!(
            r##"<COLLADA><library_images><image id="i"><init_from>{from}</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON>
<newparam sid="su"><surface type="2D"><init_from>i</init_from></surface></newparam>
<newparam sid="sa"><sampler2D><source>su</source><wrap_s>MIRROR</wrap_s></sampler2D></newparam>
<technique sid="t"><lambert><diffuse><texture texture="sa" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#pa" stride="3"/></technique_common></source>
<source id="u"><float_array id="ua">0 0 9 0.5 0 9 0.5 1 9 0 1 9</float_array><technique_common><accessor source="#ua" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#u" offset="1" set="0"/>
<vcount>4</vcount><p>0 0 1 1 2 2 3 3</p></polylist>
<triangles count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>"##
        )
    };
    let mesh = read(".dae", &text("..\\tex/a%20b.png"));
    assert_eq!(mesh.textures.len(), 1);
    assert_eq!(mesh.textures[0].image, Image::File("/models/../tex/a b.png".into()));
    assert_eq!(mesh.textures[0].wrap, [Wrap::Mirror, Wrap::Repeat]);
    assert_eq!(mesh.triangles.len(), 3);
    for (triangle, on) in mesh.triangles[..2].iter().zip(&mesh.on_texture) {
        for (vertex, at) in triangle.iter().zip(on.unwrap().corners) {
            let corner = mesh.vertices[*vertex as usize];
            assert_eq!(at, [0.5 * corner.x as f32, corner.y as f32]);
        }
    }
    assert!(mesh.on_texture[2].is_none(), "no coordinates");
    let lost = read(".dae", &text("https://x.y/z.png"));
    assert!(matches!(&lost.textures[0].image, Image::Lost(..)), "{lost:?}");
}

/// The test's file with another primitive before its own.
fn with_primitive_before(text: &str, primitive: &str) -> String {
    text.replace("\"primitives\":[", &format!("\"primitives\":[{primitive},"))
}

#[test]
fn a_picture_without_coordinates_has_its_own_number_and_texture() {
    // The third texture is of the first picture.
    let text = gltf("\"baseColorTexture\":{\"index\":0}", "")
        .replace("\"textures\":[", "\"textures\":[{\"source\":1},{\"source\":2},")
        .replace("{\"index\":0}", "{\"index\":2}");
    let mesh = read(".gltf", &with_primitive_before(&text, r#"{"attributes":{"POSITION":0},"material":0}"#));
    assert!(matches!(&mesh.textures[0].image, Image::Lost(0, reason) if reason.contains("TEXCOORD_0")), "{mesh:?}");
    assert!(matches!(&mesh.textures[1].image, Image::Within(0, _)), "{mesh:?}");
    assert!(mesh.on_texture[0].is_none());
    assert_eq!(mesh.on_texture[1].unwrap().texture, 1);
}

#[test]
fn pictures_of_the_same_bytes_are_in_memory_once() {
    let text = gltf("\"baseColorTexture\":{\"index\":2}", "")
        .replace("\"images\":[", "\"images\":[{\"bufferView\":2},{\"bufferView\":2},{\"bufferView\":2},")
        .replace("\"materials\":[", "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}},")
        .replace("\"material\":0", "\"material\":1");
    let primitive = r#"{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}"#;
    let mesh = read(".gltf", &with_primitive_before(&text, primitive));
    assert_eq!(mesh.textures.len(), 1, "{mesh:?}");
    assert_eq!(mesh.on_texture.iter().flatten().count(), 2);
    let mut sum = 0;
    gltf::add_length(&mut sum, MAX_BYTES as usize, "parts").unwrap();
    assert_eq!(gltf::add_length(&mut sum, 1, "parts").unwrap_err(), "its parts are longer than 256 MB");
}

#[test]
fn as_many_coordinates_and_colours_as_vertices_are_read() {
    let count = |text: &str, of: &str| {
        text.replace(&format!("\"count\":3,\"type\":\"{of}\"}}"), &format!("\"count\":2,\"type\":\"{of}\"}}"))
    };
    let text = gltf("\"baseColorTexture\":{\"index\":0}", ",\"COLOR_0\":2");
    let mesh = read(".gltf", &count(&text, "VEC2"));
    let Image::Lost(0, reason) = &mesh.textures[0].image else { panic!("{mesh:?}") };
    assert_eq!(reason, "2 texture coordinates or colours are given for 3 vertices");
    assert_eq!(mesh.corner_colors.len(), 1);
    let mesh = read(".gltf", &count(&text, "VEC3"));
    assert!(mesh.corner_colors.is_empty());
    let reason = "2 texture coordinates or colours are given for 3 vertices";
    assert_eq!(mesh.unseen, [format!("the colours of its vertices ({reason})")]);
    let signed = read(".gltf", &text.replace("5121", "5120"));
    assert!(matches!(&signed.unseen[..], [message] if message.contains("signed")), "{signed:?}");
}

#[test]
fn textures_and_what_is_not_read_have_an_end() {
    let (mut mesh, mut known) = (Mesh::default(), texture::Indices::default());
    let texture = |number: usize| Texture::opaque(Image::Lost(number, "gone".to_string()), [Wrap::Repeat; 2]);
    let indices: Vec<_> = (0..10_002).map(|number| mesh.add_texture(&mut known, texture(number))).collect();
    assert_eq!(indices[9_998..], [Some(9_998), Some(9_999), None, None]);
    assert_eq!(mesh.add_texture(&mut known, texture(7)), Some(7));
    assert_eq!(mesh.unseen, ["more than 10000 textures"]);
    (0..50).for_each(|number| mesh.note_unseen(format!("its part {number}")));
    assert_eq!(mesh.unseen.len(), MAX_UNSEEN + 1);
    assert_eq!(mesh.unseen.last().unwrap(), "and more of the kind");
}

#[test]
fn a_material_counts_for_its_own_triangles() {
    let text = gltf("", "").replace("\"materials\":[{", "\"materials\":[{\"name\":\"tyre\"},{\"name\":\"paint\",");
    let text = text.replace("\"material\":0", "\"material\":1");
    let tyre = r#"{"attributes":{"POSITION":0},"material":0}"#;
    assert_eq!(read(".gltf", &with_primitive_before(&text, tyre)).painted, [false, true]);
    let bare = r#"{"attributes":{"POSITION":0}}"#;
    let mesh = read(".gltf", &with_primitive_before(&text, bare));
    assert_eq!((mesh.colors, mesh.painted), (vec![None, Some([255; 3])], vec![false, true]));
}

#[test]
fn material_libraries_are_read_as_far_as_they_make_sense() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    let text = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl b\nf 1/1 2/2 3/3\nf 1 2 3\nf\nl 1 2 3\nf 1/1 2/2 3/3\n";
    std::fs::write(&path, text).unwrap();
    let with = |library: &[u8]| {
        std::fs::write(folder.path().join("m.mtl"), library).unwrap();
        load(&path).unwrap()
    };
    // One number for all three, Latin-1 in a comment, and numbers without sense in lines that do not count.
    let mesh = with(b"# gr\xfcn\nnewmtl b\nKd 0.2\nKa 1\nKs x\nNs\nillum two\nd 1\nmap_Kd b.png\n");
    assert_eq!(mesh.colors, [Some([51; 3]); 3]);
    assert!(mesh.unseen.is_empty(), "{mesh:?}");
    // The face without coordinates has not those of the one before.
    assert_eq!(mesh.on_texture.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(with(b"newmtl b\nKd red\nd -halo 0.5\n").unseen, ["line 2 of its material library m.mtl"]);
    assert_eq!(with(b"newmtl\n").unseen, ["its material library m.mtl, which cannot be read"]);
}

#[test]
fn collada_is_read_without_the_coordinates_that_make_no_sense() {
    let effect = |more: &str| {
        format!(
            r##"<COLLADA><library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><texture texture="i"/></diffuse>{more}
</lambert></technique></profile_COMMON></effect></library_effects>
<library_images><image id="i"><init_from>i.png</init_from></image></library_images>
<library_materials><material id="m" name="pane"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array>0 0 0 1 0 0 1 1 0</float_array></source><source id="u"><float_array>0 0 1 0 1 1 1.#QNAN 0</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="m"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#u" offset="1"/>
<input semantic="NORMAL" source="#n" offset="2"/><p>0 0 -1 1 1 -1 2 2 -1  0 0 0 1 -1 0 2 2 0  0 3 0 1 1 0 2 2 0  0 9 0 1 1 0 2 2 0</p></triangles>
</mesh></geometry></library_geometries></COLLADA>"##
        )
    };
    // A material may also be called as the symbol is.
    let mesh = read(".dae", &effect(""));
    assert_eq!(mesh.on_texture.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false, false]);
    assert_eq!(mesh.unseen, ["its texture coordinate \"1.#QNAN\""]);
    let look = |more: &str| {
        let mesh = read(".dae", &effect(more));
        (mesh.textures[0].alpha, mesh.textures[0].opacity, mesh.unseen.len())
    };
    let opacity = |more: &str| {
        let (alpha, opacity, unseen) = look(more);
        assert_eq!((alpha, unseen), (Alpha::Unsaid, 1), "{more}");
        opacity
    };
    let color =
        |mode: &str, color: &str| format!("<transparent opaque=\"{mode}\"><color>{color}</color></transparent>");
    let share = |share: &str| format!("<transparency><float>{share}</float></transparency>");
    assert_eq!([share("0.4"), share("1"), share("0")].map(|more| opacity(&more)), [102, 255, 255]);
    assert_eq!([color("A_ONE", "1 1 1 0.4"), color("A_ONE", "0 0 0 1")].map(|more| opacity(&more)), [102, 255]);
    assert_eq!(
        [color("RGB_ZERO", "0.4 0.4 0.4 1"), color("RGB_ZERO", "0 0 0 1")].map(|more| opacity(&more)),
        [153, 255]
    );
    assert_eq!(opacity(&(color("RGB_ZERO", "1 1 1 1") + &share("0"))), 255);
    assert_eq!(
        [color("A_ZERO", "0 0 0 0.4"), color("RGB_ONE", "0.4 0.4 0.4 0")].map(|more| opacity(&more)),
        [153, 102]
    );
    // The picture of colours has the opacity, too; another one is not read.
    let picture = "<transparent opaque=\"A_ONE\"><texture texture=\"i\"/></transparent>";
    assert_eq!(look(picture), (Alpha::Blend, 255, 1));
    assert_eq!(look(&picture.replace("\"i\"", "\"other\"")), (Alpha::Unsaid, 255, 2));
    assert_eq!(look(&picture.replace("A_ONE", "RGB_ZERO")), (Alpha::Unsaid, 255, 2));
}
