//! How a mesh moves in itself, as glTF 2.0 has it: nodes, corners that follow one or several of them, and clips of how the nodes move.
//!
//! A corner is the weighted mean of where the nodes that it follows take it (linear blend skinning, glTF 2.0 specification, §3.7.3.3).
//! A mesh without a skin follows its node. All numbers are those of the file; a pose is the same bits wherever it is computed.

use skidpad_math::slerp;

/// Columns x, y, z and offset of an affine map.
pub(super) type Affine = [[f64; 3]; 4];

/// The map that changes nothing.
pub(super) const IDENTITY: Affine = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// Most nodes that a corner follows.
pub(super) const MAX_BONES: usize = 4;

/// What a mesh consists of that moves in itself, and how it moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// Each after its parent.
    pub(super) nodes: Vec<Node>,
    pub(super) bones: Vec<Bone>,
    /// One for each vertex of the mesh.
    pub(super) corners: Vec<Corner>,
    pub(super) clips: Vec<Clip>,
}

/// A node of a scene.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Index of the node above it.
    pub parent: Option<usize>,
    pub rest_pose: Rest,
}

/// Where a node is in the frame of its parent while no clip moves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rest {
    /// A map that need not be a rotation with a scale; clips do not move such nodes.
    Map(Affine),
    Placed(Placement),
}

/// Translation, rotation as a quaternion x y z w, and scale, applied in the reverse order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub translation: [f64; 3],
    pub rotation: [f64; 4],
    pub scale: [f64; 3],
}

/// A node that corners follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bone {
    pub node: usize,
    /// From the frame in which the corners are given to that of the node.
    pub node_from_corners: Affine,
}

/// A vertex: where it is in its own frame, and the bones that it follows by these shares, whose sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub at: [f32; 3],
    pub bones: [u32; MAX_BONES],
    pub shares: [f32; MAX_BONES],
}

/// A motion of some nodes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clip {
    pub name: String,
    /// The time of its last key [s].
    pub duration: f64,
    pub tracks: Vec<Track>,
}

/// What of a node a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Translation,
    Rotation,
    Scale,
}

/// How values between two keys follow from those of the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyInterpolation {
    /// The first of them.
    Step,
    /// A line, and of rotations the shorter arc.
    Line,
    /// A cubic: each key has a tangent before and after it.
    Cubic,
}

/// The motion of one part of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    pub node: usize,
    pub part: Part,
    pub interpolation: KeyInterpolation,
    /// [s], not decreasing, at least one.
    pub times: Vec<f32>,
    /// One for each time, three of a cubic: tangent before, value, tangent after. Translations and scales have three numbers.
    pub values: Vec<[f32; 4]>,
}

/// A pose of a rig; its buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    /// Each vertex, in the order of the mesh, in its frame and scaled.
    pub vertices: Vec<[f32; 3]>,
    /// Where each node is in the frame of its parent.
    parent_from_node: Vec<Rest>,
    root_from_node: Vec<Affine>,
    /// Columns of the map of each bone.
    bones: Vec<[[f32; 4]; 4]>,
}

impl Rig {
    /// The clip for this name: the one that is called so, otherwise the first; none if there is no clip. The page chooses alike
    /// (`web/src/scene/bodies/figures.ts`).
    pub fn clip(&self, name: &str) -> Option<usize> {
        let named = self.clips.iter().position(|clip| clip.name == name);
        named.or((!self.clips.is_empty()).then_some(0))
    }

    /// The names of the clips, in the order of the file.
    pub fn clip_names(&self) -> impl Iterator<Item = &str> {
        self.clips.iter().map(|clip| &*clip.name)
    }

    /// The time within a clip [s] after this time of its repetition; 0 where nothing moves, so that the same number and clip mean the same pose.
    pub fn time_within(&self, clip: Option<usize>, time: f64) -> f64 {
        match clip.and_then(|clip| self.clips.get(clip)) {
            Some(clip) if clip.duration > 0.0 && !clip.tracks.is_empty() => time % clip.duration,
            _ => 0.0,
        }
    }

    /// Computes where its vertices are at this time [s] of a clip, which is repeated, as many times as large as in the file. Without a clip, or
    /// with one that is not there, nodes are at rest.
    pub fn pose(&self, clip: Option<usize>, time: f64, scale: f64, posed: &mut Posed) {
        let Posed { vertices, parent_from_node, root_from_node, bones } = posed;
        parent_from_node.clear();
        parent_from_node.extend(self.nodes.iter().map(|node| node.rest_pose));
        let time = self.time_within(clip, time);
        if let Some(clip) = clip.and_then(|clip| self.clips.get(clip)) {
            for track in &clip.tracks {
                if let Some(Rest::Placed(placement)) = parent_from_node.get_mut(track.node) {
                    track.apply(time, placement);
                }
            }
        }
        root_from_node.clear();
        for (node, pose) in self.nodes.iter().zip(parent_from_node) {
            let parent_from_node = match pose {
                Rest::Placed(placement) => placement.map(),
                Rest::Map(map) => *map,
            };
            let above = node.parent.and_then(|parent| root_from_node.get(parent));
            let root_from_node_here = above.map_or(parent_from_node, |above| product(above, &parent_from_node));
            root_from_node.push(root_from_node_here);
        }
        bones.clear();
        bones.extend(self.bones.iter().map(|bone| {
            let root_from_node = root_from_node.get(bone.node).unwrap_or(&IDENTITY);
            let map = product(root_from_node, &bone.node_from_corners);
            map.map(|[x, y, z]| [x, y, z, 0.0].map(|number| (scale * number) as f32))
        }));
        vertices.clear();
        vertices.extend(self.corners.iter().map(|corner| corner.position(bones)));
    }
}

impl Corner {
    /// Where bones with these maps take it.
    #[inline(always)]
    fn position(&self, bones: &[[[f32; 4]; 4]]) -> [f32; 3] {
        let mut map = [[0.0_f32; 4]; 4];
        for (&bone, &share) in self.bones.iter().zip(&self.shares) {
            // Most corners follow one or two.
            if share == 0.0 {
                continue;
            }
            let Some(bone) = bones.get(bone as usize) else { continue };
            for (sum, column) in map.iter_mut().zip(bone) {
                for (sum, number) in sum.iter_mut().zip(column) {
                    *sum += share * number;
                }
            }
        }
        let ([a, b, c, offset], [x, y, z]) = (map, self.at);
        [0, 1, 2].map(|axis| a[axis] * x + b[axis] * y + c[axis] * z + offset[axis])
    }
}

impl Track {
    /// Moves a node to where it is at this time of the clip [s].
    fn apply(&self, time: f64, placement: &mut Placement) {
        let [x, y, z, w] = self.at(time);
        match self.part {
            Part::Translation => placement.translation = [x, y, z],
            Part::Scale => placement.scale = [x, y, z],
            Part::Rotation => placement.rotation = [x, y, z, w],
        }
    }

    /// Its value at a time [s]: before the first key that of the first, after the last that of the last.
    fn at(&self, time: f64) -> [f64; 4] {
        let after = self.times.partition_point(|&key| f64::from(key) <= time);
        let is_cubic = self.interpolation == KeyInterpolation::Cubic;
        let number = |key: usize, part: usize| {
            let index = if is_cubic { 3 * key + part } else { key };
            self.values.get(index).copied().unwrap_or_default().map(f64::from)
        };
        let value = |key: usize| number(key, 1);
        if after == 0 || after >= self.times.len() || self.interpolation == KeyInterpolation::Step {
            return value(after.saturating_sub(1));
        }
        let (a, b) = (value(after - 1), value(after));
        let [start, end] = [after - 1, after].map(|key| f64::from(self.times[key]));
        let (length, share) = (end - start, (time - start) / (end - start));
        match self.interpolation {
            KeyInterpolation::Cubic => {
                // glTF 2.0 specification, appendix C.
                let (s, t) = (share, length);
                let (s2, s3) = (s * s, s * s * s);
                let (leaving, arriving) = (number(after - 1, 2), number(after, 0));
                std::array::from_fn(|k| {
                    (2.0 * s3 - 3.0 * s2 + 1.0) * a[k]
                        + t * (s3 - 2.0 * s2 + s) * leaving[k]
                        + (3.0 * s2 - 2.0 * s3) * b[k]
                        + t * (s3 - s2) * arriving[k]
                })
            }
            _ if self.part == Part::Rotation => slerp(a, b, share),
            _ => std::array::from_fn(|k| a[k] + share * (b[k] - a[k])),
        }
    }
}

impl Placement {
    fn map(&self) -> Affine {
        let length = self.rotation.iter().map(|q| q * q).sum::<f64>().sqrt();
        let [x, y, z, w] = if length > 0.0 { self.rotation.map(|q| q / length) } else { [0.0, 0.0, 0.0, 1.0] };
        let columns = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let scaled = |axis: usize| columns[axis].map(|number| self.scale[axis] * number);
        [scaled(0), scaled(1), scaled(2), self.translation]
    }
}

/// The map that applies the second, then the first.
fn product(first: &Affine, second: &Affine) -> Affine {
    let [a, b, c, offset] = first;
    let turned = |[x, y, z]: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] * x + b[k] * y + c[k] * z) };
    let [x, y, z, at] = second.map(turned);
    [x, y, z, std::array::from_fn(|k| at[k] + offset[k])]
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_ORIGIN: Placement = Placement { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

    /// An arm along x of two bones of 1 m each, whose joint is at x = 1 m; corners at 0.5, 1 and 2 m follow the first, both, and the second.
    fn arm(tracks: Vec<Track>) -> Rig {
        let node =
            |parent, x| Node { parent, rest_pose: Rest::Placed(Placement { translation: [x, 0.0, 0.0], ..AT_ORIGIN }) };
        let corner = |x, shares: [f32; 2]| Corner {
            at: [x, 0.0, 0.0],
            bones: [0, 1, 0, 0],
            shares: [shares[0], shares[1], 0.0, 0.0],
        };
        Rig {
            nodes: vec![node(None, 0.0), node(Some(0), 1.0)],
            bones: vec![
                Bone { node: 0, node_from_corners: IDENTITY },
                Bone { node: 1, node_from_corners: [IDENTITY[0], IDENTITY[1], IDENTITY[2], [-1.0, 0.0, 0.0]] },
            ],
            corners: vec![corner(0.5, [1.0, 0.0]), corner(1.2, [0.5, 0.5]), corner(2.0, [0.0, 1.0])],
            clips: vec![Clip { name: "bend".into(), duration: 2.0, tracks }],
        }
    }

    fn turn(node: usize, interpolation: KeyInterpolation, keys: &[(f32, f64)]) -> Track {
        let values = keys.iter().map(|(_, angle)| {
            let (sin, cos) = libm::sincos(0.5 * angle);
            [0.0, 0.0, sin as f32, cos as f32]
        });
        let times = keys.iter().map(|(time, _)| *time).collect();
        Track { node, part: Part::Rotation, interpolation, times, values: values.collect() }
    }

    #[track_caller]
    fn assert_near(actual: [f32; 3], expected: [f64; 3]) {
        let off = actual.iter().zip(expected).map(|(f, e)| (f64::from(*f) - e).abs()).fold(0.0, f64::max);
        assert!(off < 1e-6, "{actual:?} for {expected:?}");
    }

    /// The elbow bends by a right angle in 2 s: by the closed form of one joint, its corners turn about x = 1 m by 45° after 1 s, and that which
    /// follows both is half way.
    #[test]
    fn corners_of_two_bones_follow_the_closed_form_of_a_joint() {
        let right = std::f64::consts::FRAC_PI_2;
        let rig = arm(vec![turn(1, KeyInterpolation::Line, &[(0.0, 0.0), (2.0, right)])]);
        let mut posed = Posed::default();
        for (time, scale) in [(0.0, 1.0), (0.5, 1.0), (1.0, 3.0), (1.7, 0.01), (2.7, 1.0), (40.3, 1.0)] {
            rig.pose(rig.clip("bend"), time, scale, &mut posed);
            let (sin, cos) = libm::sincos(right * (time % 2.0) / 2.0);
            let expected =
                [[0.5, 0.0, 0.0], [0.5 * 1.2 + 0.5 * (1.0 + 0.2 * cos), 0.1 * sin, 0.0], [1.0 + cos, sin, 0.0]];
            for (actual, expected) in posed.vertices.iter().zip(expected) {
                assert_near(*actual, expected.map(|number| scale * number));
            }
        }
        assert_eq!((rig.time_within(Some(0), 2.5), rig.time_within(None, 2.5)), (0.5, 0.0));
        assert_eq!(arm(Vec::new()).time_within(Some(0), 2.5), 0.0);
        // At rest without a clip, and where there is none of that number.
        for clip in [None, Some(7)] {
            rig.pose(clip, 1.0, 1.0, &mut posed);
            assert_near(posed.vertices[1], [1.2, 0.0, 0.0]);
        }
    }

    /// A shoulder that turns takes the lower bone along.
    #[test]
    fn nodes_take_those_below_them_along() {
        let angle = 0.3;
        let rig = arm(vec![
            turn(0, KeyInterpolation::Step, &[(0.0, angle)]),
            turn(1, KeyInterpolation::Step, &[(0.0, 0.1), (1.0, angle)]),
        ]);
        let mut posed = Posed::default();
        rig.pose(Some(0), 1.5, 1.0, &mut posed);
        let (sin, cos) = libm::sincos(angle);
        let (sin2, cos2) = libm::sincos(2.0 * angle);
        assert_near(posed.vertices[2], [cos + cos2, sin + sin2, 0.0]);
    }

    /// A cubic through keys whose tangents are those of t³ is t³; steps hold; ends are held.
    #[test]
    fn keys_are_joined_as_the_file_says() {
        let numbers = |t: f32| [[3.0 * t * t; 4], [t * t * t; 4], [3.0 * t * t; 4]];
        let cubic = Track {
            node: 0,
            part: Part::Translation,
            interpolation: KeyInterpolation::Cubic,
            times: vec![1.0, 2.0, 4.0],
            values: [1.0, 2.0, 4.0].into_iter().flat_map(numbers).collect(),
        };
        for (time, expected) in
            [(0.0, 1.0), (1.0, 1.0), (1.5, 3.375), (3.0, 27.0), (3.9, 59.319), (4.0, 64.0), (9.0, 64.0)]
        {
            assert!((cubic.at(time)[0] - expected).abs() < 1e-9, "{time}: {:?}", cubic.at(time));
        }
        let step = turn(0, KeyInterpolation::Step, &[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]);
        assert_eq!(step.at(1.99), step.at(1.0));
        // The shorter way between two rotations whose quaternions have opposite signs.
        let back = |share: f64| slerp([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -libm::sin(0.2), -libm::cos(0.2)], share);
        assert!((back(0.5)[2] - libm::sin(0.1)).abs() < 1e-12, "{:?}", back(0.5));
    }
}
