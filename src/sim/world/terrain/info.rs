//! The fixed facts about ground, for viewers and other readers of the scene.

use std::sync::Arc;

use skidpad_math::{Pose3, Vec2};

use super::HeightMap;
use crate::world::label::Label;
use crate::world::visual::{CullFaces, Texture};

/// The fixed facts about a horizontal plane: a rectangle in its own frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneInfo {
    /// Unique name.
    pub name: String,
    /// What sensors say of it.
    pub label: Label,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose3,
    /// Ends along x [m].
    pub x: [f64; 2],
    /// Ends along y [m].
    pub y: [f64; 2],
    /// Height [m] in its frame.
    pub z: f64,
    /// Colour where it has no texture, red green blue alpha.
    pub color: [u8; 4],
    /// Whether it is lit and shaded.
    pub is_lit: bool,
    /// Which of its faces are not drawn.
    pub cull: CullFaces,
    /// Texture; tiles start at the smallest x and y.
    pub texture: Option<Texture>,
    /// Whether it has a prescribed motion.
    pub is_animated: bool,
}

impl PlaneInfo {
    /// Whether it is a part of the level ground at 0, on which bodies stand without it, too: it shows that ground, and changes no motion.
    pub fn is_level_ground(&self) -> bool {
        let Pose3 { z, pitch, roll, .. } = self.world_from_start;
        !self.is_animated && z + self.z == 0.0 && pitch == 0.0 && roll == 0.0
    }

    /// Whether this point of the world [m] is above or below it; for planes that are level.
    pub fn covers(&self, p: Vec2) -> bool {
        let local = self.world_from_start.planar().inverse().transform_point(p);
        let is_within = |[least, most]: [f64; 2], value: f64| least <= value && value <= most;
        is_within(self.x, local.x) && is_within(self.y, local.y)
    }
}

/// The fixed facts about a height map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElevationInfo {
    /// Unique name.
    pub name: String,
    /// What sensors say of it.
    pub label: Label,
    /// The heights.
    pub map: Arc<HeightMap>,
    /// Colour where it has no texture, red green blue alpha.
    pub color: [u8; 4],
    /// Texture.
    pub texture: Option<Texture>,
    /// Colour of each vertex in the order of the heights, red green blue, where the file gives them; otherwise empty.
    pub vertex_colors: Vec<[u8; 3]>,
    /// Side length of the tiles in which a viewer draws it [m]; 0: one tile.
    pub split_size: f64,
}

/// The upper side of a block, in its frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BlockTop {
    /// Level at the block's `zmax`.
    #[default]
    Flat,
    /// Rises from 0 at x = 0 to `height` [m] at x = `length` [m].
    Ramp {
        /// Extent along x [m].
        length: f64,
        /// Height at its end [m].
        height: f64,
    },
    /// Half an ellipse across y: `height` [m] in the middle, 0 at y = ±`width`/2 [m].
    Bump {
        /// Extent along y [m].
        width: f64,
        /// Height in the middle [m].
        height: f64,
    },
}
