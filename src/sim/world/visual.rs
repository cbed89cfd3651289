//! Appearance of a body: a mesh and its mounting.

use std::path::PathBuf;

use skidpad_math::Pose3;

use crate::raycast::space::{Looker, SeenBy};

/// Which faces of a mesh are not drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CullFaces {
    /// All are drawn.
    #[default]
    None,
    /// Those that face the viewer are not.
    Front,
    /// Those that face away are not.
    Back,
}

impl CullFaces {
    /// The names in world files.
    pub const NAMES: &[(&str, CullFaces)] =
        &[("NONE", CullFaces::None), ("FRONT", CullFaces::Front), ("BACK", CullFaces::Back)];
}

/// A texture that is repeated over a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texture {
    /// The address as the world file gives it.
    pub uri: String,
    /// The local file; none where it is not available.
    pub file: Option<PathBuf>,
    /// Width and height of one picture [m]; 0: as large as the surface.
    pub size: [f64; 2],
    /// Rotation [rad]: 0, ±π/2, ±π.
    pub turn: f64,
}

/// A mesh on a body. A point p of the mesh lies at `body_from_mesh`·(`scale`·p).
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// The address as the world file gives it.
    pub uri: String,
    /// The local file; none where it is not available.
    pub file: Option<PathBuf>,
    /// Pose of the mesh in the frame that it is attached to [m, rad].
    pub body_from_mesh: Pose3,
    /// Size of the mesh [-].
    pub scale: f64,
    /// Overrides the mesh's own colours, red green blue alpha, where given.
    pub color: Option<[u8; 4]>,
    /// Which faces are not drawn.
    pub cull: CullFaces,
    /// Name by which a wheel's `linked_yaw` refers to it; may be empty.
    pub name: String,
    /// Whether viewers draw its bounding box.
    pub show_bounding_box: bool,
    /// Which sensors see it. What lidars do not see of a body is what it is without a mesh.
    pub seen_by: SeenBy,
    /// Whether viewers draw housings of lidars and cameras where the vehicle's sensors sit: the mesh has none.
    pub show_housings: bool,
    /// Radius [m] of the wheel of an actor that it is: it turns about its origin as the actor moves. None: it does not turn.
    pub wheel_radius: Option<f64>,
}

impl Visual {
    /// Whether it is on this machine and lidars see it.
    pub fn is_seen_by_lidars(&self) -> bool {
        self.file.is_some() && self.seen_by.includes(Looker::Lidar)
    }
}
