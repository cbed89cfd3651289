//! What glTF files say of how a mesh moves: skins and animations. Morph targets are not read, nor more than four joints of a corner.

use std::collections::BTreeMap;

use gltf::accessor::DataType;
use gltf::animation::{Interpolation, Property};
use gltf::scene::Transform;
use gltf::{Accessor, Primitive, Semantic};

use super::MOST_VERTICES;
use super::gltf::Reading;
use super::rig::{Between, Bone, Clip, Corner, IDENTITY, MOST_BONES, Node, Part, Placement, Rest, Rig, Track};

/// Most keys of all clips, and most bones of all skins.
const MOST_KEYS: usize = MOST_VERTICES;
const MOST_JOINTS: usize = 100_000;

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
    /// Index of the skin, and joints and weights of each vertex.
    skin: Option<(usize, Vec<[f32; 4]>, Vec<[f32; 4]>)>,
    places: Vec<[f32; 3]>,
}

impl Motion {
    /// Notes a node that comes after its parent, whose index in the rig is given. Returns its own.
    pub(super) fn add_node(&mut self, node: &gltf::Node<'_>, parent: Option<usize>) -> usize {
        let rest = match node.transform() {
            Transform::Matrix { matrix } => Rest::Map(matrix.map(|[x, y, z, _]| [x, y, z].map(f64::from))),
            Transform::Decomposed { translation, rotation, scale } => Rest::Placed(Placement {
                translation: translation.map(f64::from),
                rotation: rotation.map(f64::from),
                scale: scale.map(f64::from),
            }),
        };
        self.rig.nodes.push(Node { parent, rest });
        let index = self.rig.nodes.len() - 1;
        self.nodes.entry(node.index()).or_insert(index);
        index
    }
}

impl Reading<'_> {
    /// Notes what these vertices of a primitive of a node with this index in the rig follow.
    ///
    /// Errors: joints or weights that cannot be read.
    pub(super) fn add_piece(
        &self,
        motion: &mut Motion,
        (node, at): (&gltf::Node<'_>, usize),
        primitive: &Primitive<'_>,
        places: Vec<[f32; 3]>,
    ) -> Result<(), String> {
        let skin = match (node.skin(), primitive.get(&Semantic::Joints(0)), primitive.get(&Semantic::Weights(0))) {
            (Some(skin), Some(joints), Some(weights)) => {
                let (joints, weights) = (self.numbers::<4>(&joints)?, self.numbers::<4>(&weights)?);
                if joints.len() < places.len() || weights.len() < places.len() {
                    return Err("it has fewer joints than vertices".to_string());
                }
                Some((skin.index(), joints, weights))
            }
            _ => None,
        };
        motion.pieces.push(Piece { node: at, skin, places });
        Ok(())
    }

    /// The rig of what has been noted.
    ///
    /// Errors: skins or animations that contradict themselves.
    pub(super) fn rig(&self, motion: Motion) -> Result<Rig, String> {
        let Motion { mut rig, nodes, pieces } = motion;
        let mut skins = BTreeMap::new();
        for skin in self.file.skins() {
            if pieces.iter().any(|piece| piece.skin.as_ref().is_some_and(|(index, ..)| *index == skin.index())) {
                skins.insert(skin.index(), self.add_joints(&mut rig, &skin, &nodes)?);
            }
        }
        for Piece { node, skin, places } in pieces {
            let Some((skin, joints, weights)) = skin else {
                let bone = rig.bones.len() as u32;
                rig.bones.push(Bone { node, node_from_corners: IDENTITY });
                let whole = |at| Corner { at, bones: [bone, 0, 0, 0], shares: [1.0, 0.0, 0.0, 0.0] };
                rig.corners.extend(places.into_iter().map(whole));
                continue;
            };
            let (first, count) = skins.get(&skin).copied().unwrap_or_default();
            for ((at, joints), weights) in places.into_iter().zip(joints).zip(weights) {
                rig.corners.push(corner(at, joints, weights, (first, count))?);
            }
        }
        let mut keys = 0;
        for animation in self.file.animations() {
            let mut tracks = Vec::new();
            for channel in animation.channels() {
                // Joints that belong to other scenes move nothing here.
                let Some(&node) = nodes.get(&channel.target().node().index()) else { continue };
                if let Some(track) = self.track(&channel, node)? {
                    keys += track.values.len();
                    if keys > MOST_KEYS {
                        return Err(format!("its clips have more than {MOST_KEYS} keys"));
                    }
                    tracks.push(track);
                }
            }
            let last = tracks.iter().filter_map(|track| track.times.last().copied());
            let duration = f64::from(last.fold(0.0, f32::max));
            rig.clips.push(Clip { name: animation.name().unwrap_or_default().to_string(), duration, tracks });
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
        let maps = skin.inverse_bind_matrices().map(|accessor| self.numbers::<16>(&accessor)).transpose()?;
        let first = rig.bones.len();
        for (index, joint) in skin.joints().enumerate() {
            let Some(&node) = nodes.get(&joint.index()) else {
                return Err(format!("joint {} is not in its scene", joint.index()));
            };
            if rig.bones.len() >= MOST_JOINTS {
                return Err(format!("it has more than {MOST_JOINTS} joints"));
            }
            let node_from_corners = match &maps {
                None => IDENTITY,
                Some(maps) => {
                    let map = maps.get(index).ok_or("it has fewer inverse bind matrices than joints")?;
                    std::array::from_fn(|column| std::array::from_fn(|row| f64::from(map[4 * column + row])))
                }
            };
            rig.bones.push(Bone { node, node_from_corners });
        }
        Ok((first, rig.bones.len() - first))
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
        let between = match sampler.interpolation() {
            Interpolation::Step => Between::Step,
            Interpolation::Linear => Between::Line,
            Interpolation::CubicSpline => Between::Cubic,
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
        let per_key = if between == Between::Cubic { 3 } else { 1 };
        if values.len() != per_key * times.len() {
            return Err("a clip has not as many values as times".to_string());
        }
        Ok(Some(Track { node, part, between, times, values }))
    }

    /// The items of an accessor as numbers, those of whole numbers that stand for shares as such (glTF 2.0 specification, §3.6.2.2).
    fn numbers<const N: usize>(&self, accessor: &Accessor<'_>) -> Result<Vec<[f32; N]>, String> {
        if accessor.dimensions().multiplicity() != N {
            return Err(format!("there are not {N} numbers where there should be"));
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
        let items: Vec<[f32; N]> = self.items(accessor, read)?;
        match items.iter().flatten().all(|number| number.abs() < 1e12) {
            true => Ok(items),
            false => Err("a number is not finite".to_string()),
        }
    }
}

/// A vertex that follows these of the bones of its skin: the index of the first, and their number.
fn corner(
    at: [f32; 3],
    joints: [f32; MOST_BONES],
    weights: [f32; MOST_BONES],
    (first, count): (usize, usize),
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
        let changes: [Change<'_>; 5] = [
            (r#""joints":[0,1]"#, r#""joints":[0]"#, "a vertex follows a joint that is not there"),
            (r#""nodes":[0,2,3]"#, r#""nodes":[2,3]"#, "joint 0 is not in its scene"),
            (
                r#""inverseBindMatrices":3"#,
                r#""inverseBindMatrices":4"#,
                "there are not 16 numbers where there should be",
            ),
            (r#""output":6"#, r#""output":0"#, "a clip has not as many values as times"),
            (r#""input":4,"output":6"#, r#""input":0,"output":6"#, "there are not 1 numbers where there should be"),
        ];
        for (old, new, reason) in changes {
            let mesh = file(|text| {
                assert!(text.contains(old), "{old}");
                text.replace(old, new)
            });
            assert_eq!((mesh.triangles.len(), &mesh.rig), (2, &None), "{new}");
            assert_eq!(mesh.unseen, [format!("how it moves: {reason}")], "{new}");
        }
    }
}
