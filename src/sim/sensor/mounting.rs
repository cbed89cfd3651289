//! Where a sensor sits on its vehicle, in the words of MVSim, and whether that leaves its beams in the plane.

use skidpad_math::{Pose2, Pose3};
use skidpad_xml::{Accept, Reader};

/// Sine of the largest tilt that counts as rounding [-], of 0.1°: a roll that a robot description gives as 3.14 is one of 180°.
const ROUNDING: f64 = 1.75e-3;

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

/// How a sensor is mounted whose beams lie in the plane of its vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanarMounting {
    /// Its position [m] and the direction of its x axis [rad] on the vehicle.
    pub body_from_sensor: Pose2,
    /// Whether its z axis points down, so that angles about it run clockwise as seen from above.
    pub is_upside_down: bool,
}

impl PlanarMounting {
    /// That of a sensor whose x and y axes are level; none if either is not.
    pub(super) fn of(body_from_sensor: &Pose3) -> Option<PlanarMounting> {
        let rotation = body_from_sensor.rotation();
        let tilt = libm::hypot(rotation[(2, 0)], rotation[(2, 1)]);
        (tilt <= ROUNDING).then(|| PlanarMounting {
            body_from_sensor: level(body_from_sensor),
            is_upside_down: rotation[(2, 2)] < 0.0,
        })
    }

    /// That of a sensor that looks along its x axis, if that is level, whatever its roll.
    pub(super) fn of_axis(body_from_sensor: &Pose3) -> Option<PlanarMounting> {
        let is_level = libm::sin(body_from_sensor.pitch).abs() <= ROUNDING;
        is_level.then(|| PlanarMounting { body_from_sensor: level(body_from_sensor), is_upside_down: false })
    }
}

/// The position and the direction of the x axis in the plane.
fn level(pose: &Pose3) -> Pose2 {
    // Beyond ±90° of pitch the x axis points backwards.
    let yaw = if libm::cos(pose.pitch) < 0.0 { pose.yaw + std::f64::consts::PI } else { pose.yaw };
    Pose2::new(pose.x, pose.y, yaw)
}

/// Reads `<raytrace_3d>` and `<ignore_parent_body>`, over these defaults: whether the beams of a sensor are cast in
/// three dimensions, and whether it then does not see its own vehicle. Without a `plane` that they could lie in, they
/// are in any case.
pub(super) fn read_space(
    reader: &Reader<'_>,
    plane: Option<PlanarMounting>,
    [is_spatial, ignores_parent]: [bool; 2],
) -> (bool, bool) {
    let is_given = reader.has("raytrace_3d");
    let is_asked = reader.bool("raytrace_3d", is_spatial);
    if plane.is_none() && is_given && !is_asked {
        let message = "raytrace_3d false has no effect: the sensor is tilted out of the plane";
        reader
            .warn_at("raytrace_3d", message)
            .hint("a roll of 180 degrees is allowed: the beams of a sensor upside down stay in the plane");
    }
    // One that leaves the plane by its mounting sees as little of its own vehicle as one in the plane.
    let ignores_parent = reader.bool("ignore_parent_body", ignores_parent || !is_asked);
    (is_asked || plane.is_none(), ignores_parent)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn mounting(degrees: [f64; 3]) -> Pose3 {
        Pose3::from_degrees([0.3, -0.2, 0.5, degrees[0], degrees[1], degrees[2]])
    }

    #[test]
    fn a_sensor_upside_down_is_as_level_as_an_upright_one() {
        for (degrees, yaw, is_upside_down) in [
            ([30.0, 0.0, 0.0], 30.0, false),
            ([30.0, 0.0, 180.0], 30.0, true),
            ([30.0, 0.0, -180.0], 30.0, true),
            // The same twice over: pitch and yaw of half a turn are a roll of half a turn.
            ([30.0, 180.0, 0.0], 210.0, true),
            ([-150.0, 180.0, 0.0], 30.0, true),
            ([-150.0, 180.0, 180.0], 30.0, false),
            // 3.14 rad.
            ([30.0, 0.0, 179.91], 30.0, true),
        ] {
            let actual = PlanarMounting::of(&mounting(degrees)).unwrap();
            let direction = actual.body_from_sensor.rotation();
            let expected = skidpad_math::Rot2::new(f64::to_radians(yaw));
            assert!((direction.cos - expected.cos).hypot(direction.sin - expected.sin) < 1e-12, "{degrees:?}");
            assert_eq!(actual.is_upside_down, is_upside_down, "{degrees:?}");
            assert_eq!((actual.body_from_sensor.x, actual.body_from_sensor.y), (0.3, -0.2));
        }
        for degrees in [[0.0, 20.0, 0.0], [0.0, 0.0, 0.2], [50.0, 0.0, 179.7], [0.0, -90.0, 0.0], [0.0, 10.0, 180.0]] {
            assert_eq!(PlanarMounting::of(&mounting(degrees)), None, "{degrees:?}");
        }
    }

    #[test]
    fn an_axis_stays_in_the_plane_at_any_roll() {
        let rolled = PlanarMounting::of_axis(&mounting([30.0, 0.0, 90.0])).unwrap();
        assert_eq!(rolled.body_from_sensor.yaw, 30.0_f64.to_radians());
        let backwards = PlanarMounting::of_axis(&mounting([30.0, 180.0, 0.0])).unwrap();
        assert_eq!(backwards.body_from_sensor.yaw, 30.0_f64.to_radians() + PI);
        assert_eq!(PlanarMounting::of_axis(&mounting([0.0, 20.0, 0.0])), None);
    }
}
