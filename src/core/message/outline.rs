//! The outlines of a vehicle and of its wheels as markers, as MVSim draws them.

use super::{ColorRGBA, Header, Marker, MarkerArray, fill};
use crate::math::{Pose3, Vec2};
use crate::world::{VehicleFrame, VehicleInfo};

/// Width of the lines [m].
const LINE: f64 = 0.05;

/// A closed line through these points [m], at the height of the ground.
fn outline(points: impl Iterator<Item = Vec2> + Clone, frame: &str, namespace: String) -> Marker {
    Marker {
        header: Header { frame_id: frame.to_owned(), ..Header::default() },
        ns: namespace,
        kind: Marker::LINE_STRIP,
        action: Marker::ADD,
        scale: fill::vector(LINE, LINE, LINE),
        color: ColorRGBA { r: 0.9, g: 0.9, b: 0.9, a: 0.9 },
        frame_locked: true,
        points: points.clone().chain(points.take(1)).map(|point| fill::vector(point.x, point.y, 0.0)).collect(),
        ..Marker::default()
    }
}

/// The outline of the chassis and one of each wheel, in `frame`; with a zero stamp, because they are valid at all times.
pub(super) fn markers(vehicle: &VehicleInfo, frame: &str) -> MarkerArray {
    let chassis = outline(vehicle.outline.iter().copied(), frame, "mvsim.chassis_shape".to_owned());
    let wheels = vehicle.wheels.iter().enumerate().map(|(index, wheel)| {
        let (x, y) = (wheel.radius, 0.5 * wheel.width);
        let corners = [Vec2::new(-x, -y), Vec2::new(-x, y), Vec2::new(x, y), Vec2::new(x, -y)];
        let mut marker = outline(corners.into_iter(), frame, format!("mvsim.chassis_shape.wheel{index}"));
        marker.color = ColorRGBA::from(wheel.color);
        marker.pose = fill::pose(Pose3 { x: wheel.position.x, y: wheel.position.y, ..Pose3::default() });
        marker
    });
    MarkerArray { markers: std::iter::once(chassis).chain(wheels).collect() }
}

/// Rotates the wheels to their steering angles.
pub(super) fn steer(vehicle: &VehicleFrame, message: &mut MarkerArray) {
    for (marker, wheel) in message.markers.iter_mut().skip(1).zip(&vehicle.wheels) {
        let at = marker.pose.position;
        marker.pose = fill::pose(Pose3 { x: at.x, y: at.y, yaw: wheel.steer, ..Pose3::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{WheelFrame, WheelInfo};

    #[test]
    fn outlines_are_closed_and_those_of_wheels_steer() {
        let wheel = WheelInfo { position: Vec2::new(0.3, 0.1), radius: 0.05, width: 0.04, ..WheelInfo::default() };
        let outline = vec![Vec2::new(0.0, -0.1), Vec2::new(0.0, 0.1), Vec2::new(0.4, 0.0)];
        let vehicle = VehicleInfo { outline, wheels: vec![wheel], ..VehicleInfo::default() };
        let mut message = markers(&vehicle, "base_link");
        assert_eq!((message.markers.len(), message.markers[0].points.len()), (2, 4));
        assert_eq!(message.markers[0].points.first(), message.markers[0].points.last());
        let steered = WheelFrame { steer: 0.4, ..WheelFrame::default() };
        steer(&VehicleFrame { wheels: vec![steered], ..VehicleFrame::default() }, &mut message);
        let pose = &message.markers[1].pose;
        assert_eq!((pose.position.x, pose.position.y), (0.3, 0.1));
        assert!((pose.orientation.z - 0.2_f64.sin()).abs() < 1e-12);
    }
}
