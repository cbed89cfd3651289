//! Poses and velocities in requests of callers.

use skidpad_math::{Pose3, Vec3};
use skidpad_sim::world::World;

use super::outcome::{Outcome, Refusal};

/// A pose of a message, not yet validated.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenPose {
    /// Its reference frame: empty, that of the map or `world` for the world, or the name of an entity.
    pub frame: String,
    /// [m]
    pub position: [f64; 3],
    /// x, y, z, w [-]
    pub quaternion: [f64; 4],
}

/// Largest deviation of the length of a quaternion from 1 [-]; hand-written ones have four digits.
const LENGTH_TOLERANCE: f64 = 0.01;

impl GivenPose {
    /// The pose in the world, whose frame is `map`; `code` is the refusal code of an invalid pose.
    pub fn world_from_body(&self, world: &World, map: &str, code: u8) -> Outcome<Pose3> {
        let frame = world_from_frame(world, &self.frame, map, code)?;
        let pose = self.frame_from_body().map_err(|reason| Refusal::new(code, format!("pose: {reason}")))?;
        Ok(if is_world(&self.frame, map) { pose } else { frame * pose })
    }

    /// The pose in its frame, or why it is invalid.
    fn frame_from_body(&self) -> Result<Pose3, String> {
        if self.position.iter().chain(&self.quaternion).any(|number| !number.is_finite()) {
            return Err("a number is not finite\n  accepted: finite numbers".to_owned());
        }
        let length = self.quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        if (length - 1.0).abs() > LENGTH_TOLERANCE {
            return Err(format!("the orientation has the length {length:.3}\n  accepted: a quaternion of length 1"));
        }
        Ok(Pose3::from_quaternion(Vec3::from(self.position), self.quaternion))
    }
}

fn is_world(frame: &str, map: &str) -> bool {
    ["", "world", map].contains(&frame)
}

/// The pose of a frame in the world, whose frame is `map`; `code` is the refusal code of an unknown frame.
pub fn world_from_frame(world: &World, frame: &str, map: &str, code: u8) -> Outcome<Pose3> {
    if is_world(frame, map) {
        return Ok(Pose3::default());
    }
    let entity = world.scene().entity(frame).ok_or_else(|| {
        let reason = format!("frame \"{frame}\": unknown\n  accepted: {map}, world, the name of an entity");
        Refusal::new(code, reason)
    })?;
    Ok(world.frame().pose_of(entity))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(position: [f64; 3], quaternion: [f64; 4]) -> Result<Pose3, String> {
        GivenPose { frame: String::new(), position, quaternion }.frame_from_body()
    }

    #[test]
    fn a_pose_survives_conversion_to_a_message_and_back() {
        let pose = Pose3 { x: 1.0, y: -2.0, z: 0.5, yaw: 2.5, pitch: -0.3, roll: 0.2 };
        let back = given([1.0, -2.0, 0.5], pose.quaternion()).unwrap();
        for (a, b) in [(back.yaw, 2.5), (back.pitch, -0.3), (back.roll, 0.2), (back.x, 1.0), (back.z, 0.5)] {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        // As written by hand, not quite of length 1.
        let rounded = given([0.0; 3], [0.0, 0.0, 0.6001, 0.8]).unwrap();
        assert!((rounded.yaw - 2.0 * 0.6001_f64.atan2(0.8)).abs() < 1e-9);
    }

    #[test]
    fn invalid_poses_are_refused_with_a_reason() {
        assert_eq!(
            given([0.0; 3], [0.0; 4]).unwrap_err(),
            "the orientation has the length 0.000\n  accepted: a quaternion of length 1"
        );
        assert_eq!(
            given([f64::NAN, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]).unwrap_err(),
            "a number is not finite\n  accepted: finite numbers"
        );
        assert!(given([0.0; 3], [0.0, f64::INFINITY, 0.0, 1.0]).is_err());
    }
}
