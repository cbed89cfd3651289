//! A glTF file whose indices and enumerations have been checked: the library's accessors end the program where one is wrong.
//!
//! A file whose geometry is wrong is refused. What is wrong with its looks or its motion is left out and noted. Cameras, lights and other
//! parts that are not read do not count.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gltf::json::accessor::{Accessor, ComponentType, GenericComponentType, Type};
use gltf::json::animation::{Animation, Channel, Sampler};
use gltf::json::deserialize::{from_slice, from_value};
use gltf::json::material::AlphaMode;
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::{Checked, Error, USize64, Validate};
use gltf::json::{Image, Index, Material, Path, Root, Skin, Texture, Value, texture};
use gltf::{Document, Glb};

use super::Mesh;

/// Extensions that change the looks alone, that move what is not read, and KHR_mesh_quantization (short normals): a file that requires them
/// is read all the same. Positions are checked.
const HARMLESS: [&str; 5] =
    ["KHR_materials", "KHR_texture", "EXT_texture", "KHR_mesh_quantization", "KHR_animation_pointer"];

/// A file of which every index and every enumeration that is read is good.
pub(super) struct CheckedFile {
    pub(super) document: Document,
    /// The binary part of a `.glb`.
    pub(super) blob: Option<Vec<u8>>,
    /// Why accessors cannot be read, by their numbers.
    pub(super) broken: BTreeMap<usize, String>,
}

/// Parses and checks a file; notes in `mesh` what is left out.
///
/// Errors: it is no glTF, it requires an extension that is not read, or its geometry refers to something missing.
pub(super) fn parse(bytes: &[u8], mesh: &mut Mesh) -> Result<CheckedFile, String> {
    let (text, blob) = if bytes.starts_with(b"glTF") {
        let file = Glb::from_slice(bytes).map_err(|error| error.to_string())?;
        (file.json, file.bin.map(Cow::into_owned))
    } else {
        (bytes.into(), None)
    };
    let mut json: Value = from_slice(&text).map_err(|error| in_words(&error))?;
    let mut broken = BTreeMap::new();
    let accessors = take(&mut json, "accessors", from_value::<Accessor>, |index, reason| {
        broken.insert(index, format!("accessor {index}: {reason}"));
        empty_accessor()
    });
    let mut note = |kind: &str, index: usize, reason: &str| mesh.note_unseen(format!("{kind} {index}: {reason}"));
    let materials = take(&mut json, "materials", from_value::<Material>, |index, reason| {
        note("material", index, &reason);
        Material::default()
    });
    let textures = take(&mut json, "textures", from_value::<Texture>, |index, reason| {
        note("texture", index, &reason);
        let (extensions, extras) = Default::default();
        Texture { name: None, sampler: None, source: Index::new(u32::MAX), extensions, extras }
    });
    let images = take(&mut json, "images", from_value::<Image>, |index, reason| {
        note("picture", index, &reason);
        let (extensions, extras) = Default::default();
        Image { buffer_view: None, mime_type: None, name: None, uri: None, extensions, extras }
    });
    let samplers = take(&mut json, "samplers", from_value::<texture::Sampler>, |index, reason| {
        note("texture sampler", index, &reason);
        texture::Sampler::default()
    });
    let skins = take(&mut json, "skins", from_value::<Skin>, |index, reason| {
        note("its animation: skin", index, &reason);
        empty_skin()
    });
    let clips = take(&mut json, "animations", Ok, |_, _| Value::Null);
    if let Some(fields) = json.as_object_mut() {
        fields.remove("cameras");
    }
    let root: Root = from_value(json).map_err(|error| in_words(&error))?;
    let mut root = Root { accessors, materials, textures, images, samplers, skins, ..root };
    check_appearance(&mut root, mesh);
    check_data(&mut root, &mut broken);
    check_nodes(&mut root, mesh);
    for primitive in root.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        check_primitive(primitive, &mut root.accessors, root.materials.len(), mesh)?;
    }
    check_rest(&mut root)?;
    let clips = clips.into_iter().enumerate().map(|(index, clip)| animation(index, clip, &root, mesh));
    root.animations = clips.filter(|clip| !clip.channels.is_empty()).collect();
    Ok(CheckedFile { document: Document::from_json_without_validation(root), blob, broken })
}

/// Takes the items of a list out of the file; `replaced` gives what stands for one that cannot be read, from its number and the reason. What is
/// not a list stays, so that the file is refused.
fn take<T>(
    json: &mut Value,
    list: &str,
    read: impl Fn(Value) -> Result<T, gltf::json::Error>,
    mut replaced: impl FnMut(usize, String) -> T,
) -> Vec<T> {
    let Some(Value::Array(items)) = json.get_mut(list) else { return Vec::new() };
    let items = std::mem::take(items).into_iter().enumerate();
    items.map(|(index, item)| read(item).unwrap_or_else(|error| replaced(index, in_words(&error)))).collect()
}

fn in_words(error: &gltf::json::Error) -> String {
    error.to_string().replace('`', "\"")
}

/// What is wrong first in a part of the file, if anything is.
fn fault(part: &impl Validate, root: &Root) -> Option<String> {
    let mut first = None;
    part.validate(root, Path::new, &mut |path: &dyn Fn() -> Path, error: Error| {
        first.get_or_insert_with(|| reason(&path(), error));
    });
    first
}

fn reason(path: &Path, error: Error) -> String {
    let fault = match error {
        Error::IndexOutOfBounds => "refers to something missing",
        Error::Invalid => "has an unknown value",
        Error::Missing => "is missing",
        Error::Oversize => "is too large",
        Error::Unsupported => "is not supported",
    };
    format!("{} {fault}", path.as_str())
}

fn empty_accessor() -> Accessor {
    let (extensions, extras) = Default::default();
    Accessor {
        buffer_view: None,
        byte_offset: None,
        count: USize64(0),
        component_type: Checked::Valid(GenericComponentType(ComponentType::F32)),
        extensions,
        extras,
        type_: Checked::Valid(Type::Scalar),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
    }
}

fn empty_skin() -> Skin {
    let (extensions, extras) = Default::default();
    Skin { extensions, extras, inverse_bind_matrices: None, joints: Vec::new(), name: None, skeleton: None }
}

/// Leaves out what is wrong with the materials. Their textures are looked up by number, with a reason where one is not there.
fn check_appearance(root: &mut Root, mesh: &mut Mesh) {
    let textures = root.textures.len();
    for (index, material) in root.materials.iter_mut().enumerate() {
        // Those are not read.
        (material.normal_texture, material.occlusion_texture, material.emissive_texture) = (None, None, None);
        let pbr = &mut material.pbr_metallic_roughness;
        pbr.metallic_roughness_texture = None;
        if pbr.base_color_texture.as_ref().is_some_and(|info| info.index.value() >= textures) {
            pbr.base_color_texture = None;
            mesh.note_unseen(format!("material {index}: its texture is not there"));
        }
        if material.alpha_mode == Checked::Invalid {
            material.alpha_mode = Checked::Valid(AlphaMode::Opaque);
            mesh.note_unseen(format!("material {index}: its alphaMode is unknown"));
        }
    }
    for (index, sampler) in root.samplers.iter().enumerate() {
        if let Some(reason) = fault(sampler, root) {
            mesh.note_unseen(format!("texture sampler {index}: {reason}"));
        }
    }
}

/// Replaces accessors that name what is not there; `broken` has the reasons.
fn check_data(root: &mut Root, broken: &mut BTreeMap<usize, String>) {
    root.buffer_views.iter_mut().for_each(|view| view.target = None);
    let views: BTreeMap<usize, String> =
        root.buffer_views.iter().enumerate().filter_map(|(index, view)| Some((index, fault(view, root)?))).collect();
    for index in 0..root.accessors.len() {
        let accessor = &root.accessors[index];
        let view = accessor.buffer_view.map(|view| view.value());
        let of_view = view.and_then(|view| Some(format!("buffer view {view}: {}", views.get(&view)?)));
        if broken.contains_key(&index) {
            continue;
        }
        // One without data is told when it is read.
        let has_data = accessor.buffer_view.is_some() || accessor.sparse.is_some();
        let of_accessor = || if has_data { fault(accessor, root) } else { None };
        if let Some(reason) = of_view.or_else(of_accessor) {
            broken.insert(index, format!("accessor {index}: {reason}"));
            root.accessors[index] = empty_accessor();
        }
    }
}

/// Leaves out what is wrong with skins.
fn check_nodes(root: &mut Root, mesh: &mut Mesh) {
    for index in 0..root.skins.len() {
        if let Some(reason) = fault(&root.skins[index], root) {
            mesh.note_unseen(format!("its animation: skin {index}: {reason}"));
            root.skins[index] = empty_skin();
        }
    }
    let skins = root.skins.len();
    for (index, node) in root.nodes.iter_mut().enumerate() {
        node.camera = None;
        if node.skin.is_some_and(|skin| skin.value() >= skins) {
            node.skin = None;
            mesh.note_unseen(format!("its animation: node {index}: its skin is not there"));
        }
    }
}

/// Leaves out what is wrong with a primitive beside its shape.
///
/// Errors: its positions are not there.
fn check_primitive(
    primitive: &mut Primitive,
    accessors: &mut [Accessor],
    materials: usize,
    mesh: &mut Mesh,
) -> Result<(), String> {
    if primitive.material.is_some_and(|material| material.value() >= materials) {
        primitive.material = None;
        mesh.note_unseen("a material that is not there".to_string());
    }
    if primitive.targets.take().is_some_and(|targets| !targets.is_empty()) {
        mesh.note_unseen("its morph targets".to_string());
    }
    let positions = Checked::Valid(Semantic::Positions);
    match primitive.attributes.get(&positions).map(|index| accessors.get_mut(index.value())) {
        Some(None) => return Err("a mesh names an accessor that is not there".to_string()),
        // The library wants the bounds, which are not read.
        Some(Some(accessor)) => {
            let bound = || Some(Value::from(vec![0.0; 3]));
            (accessor.min, accessor.max) = (bound(), bound());
        }
        None => {}
    }
    primitive.attributes.retain(|semantic, index| {
        let is_there = index.value() < accessors.len();
        if !is_there {
            mesh.note_unseen("an attribute of vertices whose accessor is not there".to_string());
        }
        is_there && *semantic != Checked::Invalid
    });
    Ok(())
}

/// Errors: something is wrong that has not been left out, and that is not looked up by number.
fn check_rest(root: &mut Root) -> Result<(), String> {
    root.extensions_required.retain(|name| !HARMLESS.iter().any(|start| name.starts_with(start)));
    let no_positions = "attributes[\"POSITION\"]";
    let left_out = ["accessors", "bufferViews", "textures", "images", "samplers"];
    let mut first = None;
    root.validate(root, Path::new, &mut |path: &dyn Fn() -> Path, error: Error| {
        let path = path();
        let is_known = left_out.iter().any(|list| path.as_str().starts_with(list))
            || error == Error::Missing && path.as_str().ends_with(no_positions);
        if !is_known {
            first.get_or_insert_with(|| reason(&path, error));
        }
    });
    first.map_or(Ok(()), Err)
}

/// A clip with those of its channels that move a node which is there, by data which are there.
fn animation(index: usize, mut clip: Value, root: &Root, mesh: &mut Mesh) -> Animation {
    let name = clip.get("name").and_then(Value::as_str).map(str::to_owned);
    let mut note = |channel: usize, reason: &str| {
        mesh.note_unseen(format!("its animation: channel {channel} of clip {index}: {reason}"));
    };
    let read = |item: Value| match item.pointer("/target/path").and_then(Value::as_str) {
        Some("pointer") => Ok(Err("moves something other than a node (KHR_animation_pointer)".to_string())),
        _ => from_value::<Channel>(item).map(Ok),
    };
    let channels = take(&mut clip, "channels", read, |_, reason| Err(reason));
    let samplers = take(&mut clip, "samplers", |item| from_value::<Sampler>(item).map(Ok), |_, reason| Err(reason));
    let mut good =
        Animation { extensions: None, extras: Default::default(), channels: Vec::new(), name, samplers: Vec::new() };
    for (number, channel) in channels.into_iter().enumerate() {
        let sampler = |channel: &Channel| match samplers.get(channel.sampler.value()) {
            Some(Ok(sampler)) => fault(sampler, root).map_or_else(|| Ok(sampler.clone()), Err),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err("its sampler is not there".to_string()),
        };
        let checked = channel.and_then(|channel| {
            let sampler = sampler(&channel)?;
            fault(&channel.target, root).map_or(Ok((channel, sampler)), |reason| Err(format!("target.{reason}")))
        });
        match checked {
            Ok((channel, sampler)) => {
                let index = Index::new(good.samplers.len() as u32);
                good.samplers.push(sampler);
                good.channels.push(Channel { sampler: index, ..channel });
            }
            Err(reason) => note(number, &reason),
        }
    }
    good
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::gltf::read;
    use super::super::tests::GLTF;

    /// The number of triangles, and what is not read; or why the file is refused.
    fn changed(changes: &[(&str, &str)]) -> Result<(usize, Vec<String>), String> {
        let mut text = GLTF.to_owned();
        for (old, new) in changes {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        read(text.as_bytes(), Path::new("m.gltf")).map(|mesh| (mesh.triangles.len(), mesh.unseen))
    }

    #[test]
    fn what_is_wrong_beside_the_geometry_is_left_out() {
        let material = |material: &str| {
            changed(&[
                (r#""indices":1"#, r#""indices":1,"material":0"#),
                (r#""accessors""#, &format!(r#""materials":[{material}],"accessors""#)),
            ])
        };
        for (actual, unseen) in [
            (material(r#"{"alphaMode":"GLASS"}"#), "material 0: its alphaMode is unknown"),
            (
                material(r#"{"pbrMetallicRoughness":{"baseColorTexture":{"index":3}}}"#),
                "material 0: its texture is not there",
            ),
            (
                material(r#"{"alphaMode":7}"#),
                "material 0: invalid type: integer \"7\", expected any of: [\"OPAQUE\", \"MASK\", \"BLEND\"]",
            ),
            (changed(&[(r#""indices":1"#, r#""indices":1,"material":4"#)]), "a material that is not there"),
            (changed(&[(r#""indices":1"#, r#""indices":1,"targets":[{"POSITION":99}]"#)]), "its morph targets"),
            (
                changed(&[(r#""POSITION":0"#, r#""POSITION":0,"NORMAL":99"#)]),
                "an attribute of vertices whose accessor is not there",
            ),
        ] {
            assert_eq!(actual, Ok((4, vec![unseen.to_owned()])));
        }
        // What is not read does not count.
        let none = Ok((4, Vec::new()));
        assert_eq!(material(r#"{"emissiveTexture":{"index":9},"normalTexture":{"index":9}}"#), none);
        assert_eq!(changed(&[(r#""accessors""#, r#""cameras":[{"type":"eye"}],"accessors""#)]), none);
        assert_eq!(changed(&[(r#""POSITION":0"#, r#""POSITION":0,"FOO":1"#)]), none);
        assert_eq!(
            changed(&[(r#""accessors""#, r#""extensionsRequired":["KHR_animation_pointer"],"accessors""#)]),
            none
        );
    }

    #[test]
    fn what_is_wrong_with_the_geometry_is_told() {
        for (old, new, reason) in [
            (r#""indices":1"#, r#""indices":99"#, "meshes[0].primitives[0].indices refers to something missing"),
            (r#""indices":1"#, r#""indices":1,"mode":9"#, "meshes[0].primitives[0].mode has an unknown value"),
            (r#""mesh":0"#, r#""mesh":9"#, "nodes[0].mesh refers to something missing"),
            (r#""mesh":0"#, r#""mesh":0,"children":[9]"#, "nodes[0].children[0] refers to something missing"),
            (r#""nodes":[0]"#, r#""nodes":[9]"#, "scenes[0].nodes[0] refers to something missing"),
            (r#""bufferView":0"#, r#""bufferView":9"#, "accessor 0: bufferView refers to something missing"),
            (r#""buffer":0"#, r#""buffer":9"#, "accessor 0: buffer view 0: buffer refers to something missing"),
            (r#""VEC3""#, r#""VEC9""#, "accessor 0: type has an unknown value"),
            (r#""componentType":5126"#, r#""componentType":1"#, "accessor 0: componentType has an unknown value"),
            (
                r#""accessors""#,
                r#""extensionsRequired":["KHR_draco_mesh_compression"],"accessors""#,
                "extensionsRequired[0] = \"KHR_draco_mesh_compression\" is not supported",
            ),
        ] {
            assert_eq!(changed(&[(old, new)]), Err(reason.to_owned()), "{new}");
        }
    }
}
