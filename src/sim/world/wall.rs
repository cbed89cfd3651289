//! Vertical planes: walls with doors and windows.

use skidpad_math::{Pose3, Vec2};

use super::label::Label;
use super::visual::{CullFaces, Texture};

/// The fixed facts about a vertical plane.
///
/// It stands over the line between its ends, half of its thickness on either side. A viewer draws both sides with a cut-out
/// for each opening: along the wall [`Opening::span`], in height [`Opening::z`] within [`Self::z`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallInfo {
    /// Unique name.
    pub name: String,
    /// What sensors say of it.
    pub label: Label,
    /// Pose of the frame in which it is described, in the world [m, rad].
    pub world_from_wall: Pose3,
    /// Start and end [m], in its frame.
    pub ends: [Vec2; 2],
    /// Lower and upper edge [m], in its frame.
    pub z: [f64; 2],
    /// Distance of its sides [m].
    pub thickness: f64,
    /// Colour, red green blue alpha, where it has no texture.
    pub color: [u8; 4],
    /// The picture on its sides.
    pub texture: Option<Texture>,
    /// Whether it takes part in lighting and shadows.
    pub is_lit: bool,
    /// Which faces are not drawn.
    pub cull: CullFaces,
    /// Doors and windows in the order of the file, doors first.
    pub openings: Vec<Opening>,
}

/// Kinds of opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningKind {
    /// Bodies pass through it, at any height, and planar lidars see through it.
    Door,
    /// Only viewers show it as open; bodies and planar lidars meet the wall.
    Window,
}

/// A door or a window.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Door or window.
    pub kind: OpeningKind,
    /// Name in the file; may be empty, and need not be unique.
    pub name: String,
    /// Its middle as a share of the wall's length [-], 0 to 1 from start to end.
    pub position: f64,
    /// Extent along the wall [m], > 0.
    pub width: f64,
    /// Lower and upper edge [m], as those of the wall.
    pub z: [f64; 2],
}

impl Opening {
    /// Start and end along a wall of this length [m], within the wall.
    pub fn span(&self, length: f64) -> [f64; 2] {
        let middle = self.position * length;
        [middle - 0.5 * self.width, middle + 0.5 * self.width].map(|s| s.clamp(0.0, length))
    }
}

impl WallInfo {
    /// Distance of its ends [m].
    pub fn length(&self) -> f64 {
        (self.ends[1] - self.ends[0]).norm()
    }

    /// The segments that no door covers: start and end of each along the wall [m], in order.
    pub fn stretches(&self) -> Vec<[f64; 2]> {
        let length = self.length();
        let doors = self.openings.iter().filter(|opening| opening.kind == OpeningKind::Door);
        let mut gaps: Vec<[f64; 2]> = doors.map(|door| door.span(length)).collect();
        gaps.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut stretches = Vec::new();
        let mut start = 0.0;
        for [from, to] in gaps.into_iter().chain([[length, length]]) {
            if from - start > MIN_LENGTH {
                stretches.push([start, from]);
            }
            start = to.max(start);
        }
        stretches
    }

    /// The corners [m] of a segment in the wall's frame, counter-clockwise.
    pub fn outline(&self, stretch: [f64; 2]) -> [Vec2; 4] {
        let along = (1.0 / self.length()) * (self.ends[1] - self.ends[0]);
        let across = 0.5 * self.thickness.max(THINNEST) * along.perpendicular();
        let [from, to] = stretch.map(|s| self.ends[0] + s * along);
        [from - across, to - across, to + across, from + across]
    }
}

/// Segments shorter than this [m] are dropped.
const MIN_LENGTH: f64 = 1e-6;
/// A thinner wall collides as if it were this thick [m].
const THINNEST: f64 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(kind: OpeningKind, position: f64, width: f64) -> Opening {
        Opening { kind, name: String::new(), position, width, z: [0.0, 2.1] }
    }

    fn wall(openings: Vec<Opening>) -> WallInfo {
        let ends = [Vec2::new(1.0, 2.0), Vec2::new(7.0, 10.0)];
        WallInfo { ends, thickness: 0.2, z: [0.0, 3.0], openings, ..WallInfo::default() }
    }

    #[track_caller]
    fn assert_stretches(openings: Vec<Opening>, expected: &[[f64; 2]]) {
        let actual = wall(openings).stretches();
        assert_eq!(actual.len(), expected.len(), "{actual:?}");
        for (a, b) in actual.iter().flatten().zip(expected.iter().flatten()) {
            assert!((a - b).abs() < 1e-12, "{actual:?}");
        }
    }

    #[test]
    fn doors_split_the_wall_and_windows_do_not() {
        use OpeningKind::{Door, Window};
        assert_stretches(vec![], &[[0.0, 10.0]]);
        assert_stretches(vec![opening(Window, 0.5, 1.0)], &[[0.0, 10.0]]);
        assert_stretches(vec![opening(Door, 0.5, 1.2)], &[[0.0, 4.4], [5.6, 10.0]]);
        // In any order; those that overlap or touch are one.
        assert_stretches(
            vec![opening(Door, 0.8, 1.0), opening(Door, 0.25, 1.0), opening(Door, 0.2, 1.0), opening(Door, 0.35, 1.0)],
            &[[0.0, 1.5], [4.0, 7.5], [8.5, 10.0]],
        );
        // One within another.
        assert_stretches(vec![opening(Door, 0.5, 4.0), opening(Door, 0.45, 1.0)], &[[0.0, 3.0], [7.0, 10.0]]);
        // Over the ends.
        assert_stretches(vec![opening(Door, 0.0, 2.0), opening(Door, 1.0, 2.0)], &[[1.0, 9.0]]);
        assert_stretches(vec![opening(Door, 0.5, 30.0)], &[]);
    }

    #[test]
    fn a_stretch_is_a_rectangle_on_the_line() {
        let outline = wall(vec![]).outline([5.0, 10.0]);
        // The wall runs along (0.6, 0.8); its left is (-0.8, 0.6).
        let expected = [(4.08, 5.94), (7.08, 9.94), (6.92, 10.06), (3.92, 6.06)];
        for (p, (x, y)) in outline.iter().zip(expected) {
            assert!((*p - Vec2::new(x, y)).norm() < 1e-12, "{outline:?}");
        }
        let thin = WallInfo { thickness: 0.0, ..wall(vec![]) };
        assert!(((thin.outline([0.0, 1.0])[0] - thin.outline([0.0, 1.0])[3]).norm() - THINNEST).abs() < 1e-12);
    }
}
