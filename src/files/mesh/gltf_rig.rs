//! What glTF files say of how a mesh moves: skins and animations. Morph targets are not read, nor more than four joints of a
//! corner; the mesh says so.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gltf::accessor::DataType;
use gltf::animation::{Interpolation, Property};
use gltf::scene::Transform;
use gltf::{Accessor, Primitive, Semantic};

use super::MAX_VERTICES;
use super::gltf::Reading;
use super::rig::{Bone, Clip, Corner, IDENTITY, KeyInterpolation, MAX_BONES, Node, Part, Placement, Rest, Rig, Track};

/// Most keys of all clips.
const MAX_KEYS: usize = MAX_VERTICES;
/// Most joints of all skins and parts without a skin together, each of which is a bone.
const MAX_JOINTS: usize = 100_000;

/// What is known of the motion of a mesh while its file is read.
#[derive(Debug, Default)]
pub(super) struct Motion {
    rig: Rig,
    /// Index in the rig of each node of the file.
    nodes: BTreeMap<usize, usize>,
    pieces: Vec<Piece>,
}

/// Vertices that follow one node, or the joints of a skin.
#[derive(Debug)]
struct Piece {
    /// Index of the node in the rig.
    node: usize,
    skin: Option<Skinned>,
    places: Vec<[f32; 3]>,
}

/// What vertices follow of a skin.
#[derive(Debug)]
struct Skinned {
    /// Index of the skin in the file.
    skin: usize,
    /// Of each vertex, as indices into the joints of the skin.
    joints: Vec<[f32; MAX_BONES]>,
    /// Of each vertex, one for each of its joints; their sum need not be 1.
    weights: Vec<[f32; MAX_BONES]>,
}

impl Motion {
    /// Notes a node that comes after its parent, whose index in the rig is given. Returns its own.
    pub(super) fn add_node(&mut self, node: &gltf::Node<'_>, parent: Option<usize>) -> usize {
        let rest_pose = match node.transform() {
            Transform::Matrix { matrix } => Rest::Map(matrix.map(|[x, y, z, _]| [x, y, z].map(f64::from))),
            Transform::Decomposed { translation, rotation, scale } => Rest::Placed(Placement {
                translation: translation.map(f64::from),
                rotation: rotation.map(f64::from),
                scale: scale.map(f64::from),
            }),
        };
        self.rig.nodes.push(Node { parent, rest_pose });
        let index = self.rig.nodes.len() - 1;
        self.nodes.entry(node.index()).or_insert(index);
        index
    }
}

impl Reading<'_> {
    /// Notes what these vertices of a primitive of a node follow. `at` is the index of the node in the rig.
    ///
    /// Errors: joints or weights that cannot be read.
    pub(super) fn add_piece(
        &mut self,
        motion: &mut Motion,
        node: &gltf::Node<'_>,
        at: usize,
        primitive: &Primitive<'_>,
        places: Vec<[f32; 3]>,
    ) -> Result<(), String> {
        let skin = match (node.skin(), primitive.get(&Semantic::Joints(0)), primitive.get(&Semantic::Weights(0))) {
            (Some(skin), Some(joints), Some(weights)) => {
                self.sound(&joints).and(self.sound(&weights))?;
                // Checked first: nodes without number may share accessors that take long to read.
                if [&joints, &weights].iter().any(|accessor| accessor.count() != places.len()) {
                    return Err("it has not as many joints and weights as vertices".to_string());
                }
                if primitive.get(&Semantic::Joints(1)).is_some() {
                    self.mesh.note_unseen("joints beyond four of a vertex".to_string());
                }
                let (joints, weights) = (self.numbers(&joints)?, self.numbers(&weights)?);
                Some(Skinned { skin: skin.index(), joints, weights })
            }
            _ => None,
        };
        motion.pieces.push(Piece { node: at, skin, places });
        Ok(())
    }

    /// The rig of what has been noted.
    ///
    /// Errors: skins or animations that contradict themselves.
    pub(super) fn rig(&mut self, motion: Motion) -> Result<Rig, String> {
        let Motion { mut rig, nodes, pieces } = motion;
        let file = self.file;
        let used: BTreeSet<usize> = pieces.iter().filter_map(|piece| Some(piece.skin.as_ref()?.skin)).collect();
        let mut skins = BTreeMap::new();
        for skin in file.skins() {
            if used.contains(&skin.index()) {
                skins.insert(skin.index(), self.add_joints(&mut rig, &skin, &nodes)?);
            }
        }
        for Piece { node, skin, places } in pieces {
            let Some(Skinned { skin, joints, weights }) = skin else {
                has_room(&rig, 1)?;
                let bone = rig.bones.len() as u32;
                rig.bones.push(Bone { node, node_from_corners: IDENTITY });
                let whole = |at| Corner { at, bones: [bone, 0, 0, 0], shares: [1.0, 0.0, 0.0, 0.0] };
                rig.corners.extend(places.into_iter().map(whole));
                continue;
            };
            let (first, count) = skins.get(&skin).copied().unwrap_or_default();
            for ((at, joints), weights) in places.into_iter().zip(joints).zip(weights) {
                rig.corners.push(corner(at, joints, weights, first, count)?);
            }
        }
        let mut keys = 0;
        for animation in file.animations() {
            let (mut tracks, mut duration) = (Vec::new(), 0.0_f32);
            for channel in animation.channels() {
                // Those that move nothing here count too, as on the page.
                let times = channel.sampler().input();
                let last = self.numbers_in::<1>(&times, times.count().saturating_sub(1)..times.count())?;
                duration = last.iter().fold(duration, |longest, [last]| longest.max(*last));
                // Joints that belong to other scenes move nothing here.
                let Some(&node) = nodes.get(&channel.target().node().index()) else { continue };
                if let Some(track) = self.track(&channel, node)? {
                    if let Some(Node { rest_pose: Rest::Map(_), .. }) = rig.nodes.get(node) {
                        self.mesh.note_unseen("motions of nodes that have a matrix".to_string());
                    }
                    keys += track.values.len();
                    if keys > MAX_KEYS {
                        return Err(format!("its clips have more than {MAX_KEYS} keys"));
                    }
                    tracks.push(track);
                }
            }
            let name = animation.name().unwrap_or_default().to_string();
            rig.clips.push(Clip { name, duration: f64::from(duration), tracks });
        }
        Ok(rig)
    }

    /// Adds the joints of a skin as bones; returns the first and their number.
    fn add_joints(
        &self,
        rig: &mut Rig,
        skin: &gltf::Skin<'_>,
        nodes: &BTreeMap<usize, usize>,
    ) -> Result<(usize, usize), String> {
        let count = skin.joints().count();
        has_room(rig, count)?;
        // No more than there are joints: skins may share an accessor that takes long to read.
        let maps =
            skin.inverse_bind_matrices().map(|accessor| self.numbers_in::<16>(&accessor, 0..count)).transpose()?;
        let first = rig.bones.len();
        for (index, joint) in skin.joints().enumerate() {
            let Some(&node) = nodes.get(&joint.index()) else {
                return Err(format!("joint {} is not in its scene", joint.index()));
            };
            let node_from_corners = match &maps {
                None => IDENTITY,
                Some(maps) => {
                    let map = maps.get(index).ok_or("it has fewer inverse bind matrices than joints")?;
                    std::array::from_fn(|column| std::array::from_fn(|row| f64::from(map[4 * column + row])))
                }
            };
            rig.bones.push(Bone { node, node_from_corners });
        }
        Ok((first, count))
    }

    /// The track of a channel; none of morph targets.
    fn track(&self, channel: &gltf::animation::Channel<'_>, node: usize) -> Result<Option<Track>, String> {
        let sampler = channel.sampler();
        let part = match channel.target().property() {
            Property::Translation => Part::Translation,
            Property::Rotation => Part::Rotation,
            Property::Scale => Part::Scale,
            Property::MorphTargetWeights => return Ok(None),
        };
        let interpolation = match sampler.interpolation() {
            Interpolation::Step => KeyInterpolation::Step,
            Interpolation::Linear => KeyInterpolation::Line,
            Interpolation::CubicSpline => KeyInterpolation::Cubic,
        };
        let times: Vec<f32> = self.numbers::<1>(&sampler.input())?.into_iter().map(|[time]| time).collect();
        if times.is_empty() || times.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err("the times of a clip do not increase".to_string());
        }
        let output = sampler.output();
        let values = match part {
            Part::Rotation => self.numbers::<4>(&output)?,
            _ => self.numbers::<3>(&output)?.into_iter().map(|[x, y, z]| [x, y, z, 0.0]).collect(),
        };
        let per_key = if interpolation == KeyInterpolation::Cubic { 3 } else { 1 };
        if values.len() != per_key * times.len() {
            return Err("a clip has not as many values as times".to_string());
        }
        Ok(Some(Track { node, part, interpolation, times, values }))
    }

    /// The items of an accessor as numbers, those of whole numbers that stand for shares as such (glTF 2.0 specification, §3.6.2.2).
    fn numbers<const N: usize>(&self, accessor: &Accessor<'_>) -> Result<Vec<[f32; N]>, String> {
        self.numbers_in(accessor, 0..accessor.count())
    }

    /// Those of the items with these indices.
    fn numbers_in<const N: usize>(
        &self,
        accessor: &Accessor<'_>,
        wanted: Range<usize>,
    ) -> Result<Vec<[f32; N]>, String> {
        self.sound(accessor)?;
        if accessor.dimensions().multiplicity() != N {
            return Err(format!("a value does not have {N} numbers"));
        }
        let (kind, is_share) = (accessor.data_type(), accessor.normalized());
        let size = kind.size();
        let share = |number: f32, most: f32| if is_share { (number / most).max(-1.0) } else { number };
        let number = |bytes: &[u8]| match (kind, bytes) {
            (DataType::I8, &[a]) => share(f32::from(a as i8), 127.0),
            (DataType::U8, &[a]) => share(f32::from(a), 255.0),
            (DataType::I16, &[a, b]) => share(f32::from(i16::from_le_bytes([a, b])), 32767.0),
            (DataType::U16, &[a, b]) => share(f32::from(u16::from_le_bytes([a, b])), 65535.0),
            (DataType::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as f32,
            (DataType::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            _ => f32::NAN,
        };
        let read = |item: &[u8]| std::array::from_fn(|k| item.get(k * size..(k + 1) * size).map_or(f32::NAN, number));
        let items: Vec<[f32; N]> = self.items_in(accessor, wanted, read)?;
        match items.iter().flatten().all(|number| number.abs() < 1e12) {
            true => Ok(items),
            false => Err("a number is not finite".to_string()),
        }
    }
}

/// Errors: no room for so many more bones.
fn has_room(rig: &Rig, count: usize) -> Result<(), String> {
    match rig.bones.len() + count > MAX_JOINTS {
        true => Err(format!("it has more than {MAX_JOINTS} joints and parts")),
        false => Ok(()),
    }
}

/// A vertex that follows these of the bones of its skin. `first` is the index of the skin's first bone, `count` the number of bones.
fn corner(
    at: [f32; 3],
    joints: [f32; MAX_BONES],
    weights: [f32; MAX_BONES],
    first: usize,
    count: usize,
) -> Result<Corner, String> {
    let sum: f32 = weights.iter().map(|weight| weight.abs()).sum();
    // As in viewers: what follows nothing follows the first joint named.
    let shares = if sum > 0.0 { weights.map(|weight| weight / sum) } else { [1.0, 0.0, 0.0, 0.0] };
    if joints.iter().zip(shares).any(|(&joint, share)| share != 0.0 && joint as usize >= count) {
        return Err("a vertex follows a joint that is not there".to_string());
    }
    Ok(Corner { at, bones: joints.map(|joint| (first + joint as usize) as u32), shares })
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::super::rig::Posed;
    use super::super::{Mesh, load};

    /// A triangle of two joints, 1 m apart along x, of which the second turns about z; beside it a triangle without a skin on a node that
    /// a clip moves up. Rotations are whole numbers, and so are the weights, which are not normalised to one.
    fn file(change: impl Fn(String) -> String) -> Mesh {
        let mut bytes = Vec::new();
        let floats = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let identity = |x: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, 0.0, 0.0, 1.0];
        let quarter = (32767.0 * std::f64::consts::FRAC_1_SQRT_2) as i16;
        let turns: Vec<u8> =
            [0, 0, 0, 32767, 0, 0, quarter, quarter].iter().flat_map(|n: &i16| n.to_le_bytes()).collect();
        let parts = [
            (
                floats(&[0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]),
                r#""componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[2,0,0]"#,
            ),
            (vec![0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0], r#""componentType":5121,"count":3,"type":"VEC4""#),
            (
                vec![200, 0, 0, 0, 100, 100, 0, 0, 51, 0, 0, 0],
                r#""componentType":5121,"normalized":true,"count":3,"type":"VEC4""#,
            ),
            (floats(&[identity(0.0), identity(-1.0)].concat()), r#""componentType":5126,"count":2,"type":"MAT4""#),
            (floats(&[0.0, 2.0]), r#""componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[2]"#),
            (turns, r#""componentType":5122,"normalized":true,"count":2,"type":"VEC4""#),
            (floats(&[0.0, 0.0, 0.0, 0.0, 3.0, 0.0]), r#""componentType":5126,"count":2,"type":"VEC3""#),
        ];
        let (mut views, mut accessors) = (Vec::new(), Vec::new());
        for (index, (part, form)) in parts.iter().enumerate() {
            views.push(format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, bytes.len(), part.len()));
            accessors.push(format!(r#"{{"bufferView":{index},{form}}}"#));
            bytes.extend(part);
        }
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2,3]}}],
            "nodes":[{{"children":[1]}},{{"translation":[1,0,0]}},{{"mesh":0,"skin":0,"translation":[9,9,9]}},{{"mesh":1}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}}}]}},{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "skins":[{{"joints":[0,1],"inverseBindMatrices":3}}],
            "animations":[{{"name":"bend","samplers":[{{"input":4,"output":5}},{{"input":4,"output":6}}],
             "channels":[{{"sampler":0,"target":{{"node":1,"path":"rotation"}}}},{{"sampler":1,"target":{{"node":3,"path":"translation"}}}}]}}],
            "accessors":[{}],"bufferViews":[{}],
            "buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{}"}}]}}"#,
            accessors.join(","),
            views.join(","),
            bytes.len(),
            STANDARD.encode(&bytes)
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arm.gltf");
        std::fs::write(&path, change(text)).unwrap();
        load(&path).unwrap()
    }

    #[test]
    fn skins_and_clips_are_read() {
        let mesh = file(|text| text);
        assert!(mesh.unseen.is_empty(), "{:?}", mesh.unseen);
        let rig = mesh.rig.as_ref().unwrap();
        assert_eq!(
            (rig.clip("bend"), rig.clip("else"), rig.clip_names().collect::<Vec<_>>()),
            (Some(0), Some(0), vec!["bend"])
        );
        let mut posed = Posed::default();
        for (time, angle, up) in [(0.0, 0.0, 0.0), (1.0, 45.0_f64, 1.5), (2.0, 0.0, 0.0), (3.0, 45.0, 1.5)] {
            rig.pose(Some(0), time, 1.0, &mut posed);
            let (sin, cos) = libm::sincos(angle.to_radians());
            // The transform of the node of a skinned mesh does not count.
            let expected = [[0.5, 0.0], [1.0, 0.0], [1.0 + cos, sin], [0.5, up], [1.0, up], [2.0, up]];
            assert_eq!(posed.vertices.len(), mesh.vertices.len());
            for ([x, y, z], [right_x, right_y]) in posed.vertices.iter().zip(expected) {
                let off = (f64::from(*x) - right_x).abs().max((f64::from(*y) - right_y).abs()).max(f64::from(z.abs()));
                assert!(off < 1e-4, "{time}: {:?} for {expected:?}", posed.vertices);
            }
        }
    }

    /// The mesh is there all the same, and one phrase says what is not read.
    #[test]
    fn motions_that_contradict_themselves_are_not_read() {
        type Change<'a> = (&'a str, &'a str, &'a str);
        let changes: [Change<'_>; 6] = [
            (r#""JOINTS_0":1"#, r#""JOINTS_0":5"#, "it has not as many joints and weights as vertices"),
            (r#""joints":[0,1]"#, r#""joints":[0]"#, "a vertex follows a joint that is not there"),
            (r#""nodes":[0,2,3]"#, r#""nodes":[2,3]"#, "joint 0 is not in its scene"),
            (r#""inverseBindMatrices":3"#, r#""inverseBindMatrices":4"#, "a value does not have 16 numbers"),
            (r#""output":6"#, r#""output":0"#, "a clip has not as many values as times"),
            (r#""input":4,"output":6"#, r#""input":0,"output":6"#, "a value does not have 1 numbers"),
        ];
        for (old, new, reason) in changes {
            let mesh = file(|text| {
                assert!(text.contains(old), "{old}");
                text.replace(old, new)
            });
            assert_eq!((mesh.triangles.len(), &mesh.rig), (2, &None), "{new}");
            assert_eq!(mesh.unseen, [format!("its animation: {reason}")], "{new}");
        }
    }

    /// The mesh, and what of its motion can be read, are there all the same.
    #[test]
    fn channels_and_skins_that_name_what_is_not_there_are_left_out() {
        const TURN: &str = r#""target":{"node":1,"path":"rotation"}"#;
        for (old, new, tracks, reason) in [
            (
                r#""path":"rotation""#,
                r#""path":"rotationx""#,
                1,
                "channel 0 of clip 0: target.path has an unknown value",
            ),
            (
                TURN,
                r#""target":{"node":99,"path":"rotation"}"#,
                1,
                "channel 0 of clip 0: target.node refers to something missing",
            ),
            (TURN, r#""target":{"path":"rotation"}"#, 1, r#"channel 0 of clip 0: missing field "node""#),
            (
                TURN,
                r#""target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/1/rotation"}}}"#,
                1,
                "channel 0 of clip 0: moves something other than a node (KHR_animation_pointer)",
            ),
            (r#""sampler":0"#, r#""sampler":7"#, 1, "channel 0 of clip 0: its sampler is not there"),
            (
                r#""input":4,"output":5"#,
                r#""input":4,"output":99"#,
                1,
                "channel 0 of clip 0: output refers to something missing",
            ),
            (
                r#""output":5"#,
                r#""output":5,"interpolation":"SMOOTH""#,
                1,
                "channel 0 of clip 0: interpolation has an unknown value",
            ),
            (
                r#""output":5"#,
                r#""output":"five""#,
                1,
                r#"channel 0 of clip 0: invalid type: string "five", expected index into child of root"#,
            ),
            (r#""skin":0"#, r#""skin":7"#, 2, "node 2: its skin is not there"),
        ] {
            let mesh = file(|text| {
                assert!(text.contains(old), "{old}");
                text.replace(old, new)
            });
            assert_eq!(mesh.unseen, [format!("its animation: {reason}")], "{new}");
            let actual = mesh.rig.as_ref().map(|rig| rig.clips.iter().map(|clip| clip.tracks.len()).sum());
            assert_eq!((mesh.triangles.len(), actual), (2, Some(tracks)), "{new}");
        }
        for (old, new, reason) in [
            (r#""joints":[0,1]"#, r#""joints":[0,9]"#, "skin 0: joints[1] refers to something missing"),
            (
                r#""inverseBindMatrices":3"#,
                r#""inverseBindMatrices":99"#,
                "skin 0: inverseBindMatrices refers to something missing",
            ),
            (r#""joints":[0,1]"#, r#""joints":true"#, "skin 0: invalid type: boolean \"true\", expected a sequence"),
        ] {
            let mesh = file(|text| text.replace(old, new));
            assert_eq!((mesh.triangles.len(), &mesh.rig), (2, &None), "{new}");
            assert_eq!(mesh.unseen[0], format!("its animation: {reason}"), "{new}");
        }
        // Without any channel that is read the file has no clip.
        let mesh = file(|text| text.replace(r#""path":""#, r#""path":"x"#));
        assert_eq!((mesh.rig.map(|rig| rig.clips.len()), mesh.unseen.len()), (Some(0), 2));
    }

    /// Nodes that share a mesh of many parts: each is a bone, and together they are too many.
    #[test]
    fn parts_without_number_are_not_moved() {
        let mesh = file(|text| {
            let part = r#"{"attributes":{"POSITION":0}}"#;
            let text = text.replace(part, &vec![part; 400].join(","));
            text.replace(r#""nodes":[0,2,3]"#, &format!(r#""nodes":[0,2,{}]"#, vec!["3"; 251].join(",")))
        });
        assert_eq!((mesh.triangles.len(), mesh.rig), (1 + 400 * 251, None));
        assert_eq!(mesh.unseen, ["its animation: it has more than 100000 joints and parts"]);
    }

    /// The page repeats a clip after the last key of all of its channels, of those too that are not shown.
    #[test]
    fn what_is_not_moved_counts_for_the_duration_of_a_clip_and_is_named() {
        let bent = |change: &dyn Fn(String) -> String| {
            let mesh = file(change);
            let duration = mesh.rig.as_ref().unwrap().clips[0].duration;
            (mesh.unseen, duration, mesh.rig.unwrap().clips[0].tracks.len())
        };
        let weights = |text: String| {
            text.replace(r#""path":"rotation""#, r#""path":"weights""#)
                .replace(r#""path":"translation""#, r#""path":"weights""#)
        };
        assert_eq!(bent(&weights), (vec![], 2.0, 0));
        let matrix =
            |text: String| text.replace(r#"{"mesh":1}"#, r#"{"mesh":1,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}"#);
        assert_eq!(bent(&matrix), (vec!["motions of nodes that have a matrix".to_string()], 2.0, 2));
        let joints = |text: String| text.replace(r#""JOINTS_0":1"#, r#""JOINTS_0":1,"JOINTS_1":1"#);
        assert_eq!(bent(&joints), (vec!["joints beyond four of a vertex".to_string()], 2.0, 2));
        let morph = |text: String| {
            text.replace(
                r#"{"attributes":{"POSITION":0}}"#,
                r#"{"attributes":{"POSITION":0},"targets":[{"POSITION":0}]}"#,
            )
        };
        assert_eq!(bent(&morph), (vec!["its morph targets".to_string()], 2.0, 2));
    }
}
