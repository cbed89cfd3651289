//! Upright planes: walls with doors and windows.

/// The fixed facts about a vertical plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallInfo {
    /// Unique name.
    pub name: String,
}
