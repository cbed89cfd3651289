//! The ground: what lies under a point, and how a body stands on it.

use crate::math::Pose3;

/// The fixed facts about a horizontal plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneInfo {
    /// Unique name.
    pub name: String,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose3,
}

/// The fixed facts about a height map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElevationInfo {
    /// Unique name.
    pub name: String,
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

/// All ground of a world.
#[derive(Clone, Debug, Default)]
pub struct Terrain {}
