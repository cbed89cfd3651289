//! What a world holds for viewers alone: no physics, no sensor sees it.

/// Camera, lights, sky, grids, lines and points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looks {}
