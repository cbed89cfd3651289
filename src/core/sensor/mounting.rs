//! Where a sensor sits on its vehicle, in the words of MVSim.

use crate::math::Pose3;
use crate::xml::{Accept, Reader};

/// Reads `<pose_3d>` [m, deg], else `<pose>` with `<height>` [m], else `<height>` alone, over `default`. Returns the pose in the
/// vehicle's frame [m, rad].
pub(super) fn read_mounting(reader: &Reader<'_>, default: Pose3) -> Pose3 {
    let height = reader.optional_f64("height", Accept::any());
    let planar = reader.numbers("pose", &[3]);
    let spatial = reader.numbers("pose_3d", &[6]);
    if let Some(&[x, y, z, yaw, pitch, roll]) = spatial.as_deref() {
        return Pose3::from_degrees([x, y, z, yaw, pitch, roll]);
    }
    if let Some(p) = planar {
        return Pose3 { x: p[0], y: p[1], z: height.unwrap_or(0.0), yaw: p[2].to_radians(), ..Pose3::default() };
    }
    Pose3 { z: height.unwrap_or(default.z), ..default }
}
