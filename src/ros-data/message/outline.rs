//! The outlines of a vehicle and of its wheels as markers, as MVSim draws them.

use skidpad_math::{Pose3, Vec2};
use skidpad_sim::world::drawing::{body_from_wheel, turned_about};
use skidpad_sim::world::{VehicleFrame, VehicleInfo};

use super::{ColorRGBA, Header, Marker, MarkerArray, fill};

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

/// The outline of the chassis, one of each wheel, and that of a front frame, in `frame`; with a zero stamp, because they are valid at all times.
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
    let front = vehicle
        .front
        .iter()
        .map(|front| outline(front.outline.iter().copied(), frame, "mvsim.chassis_shape.front".to_owned()));
    MarkerArray { markers: std::iter::once(chassis).chain(wheels).chain(front).collect() }
}

/// Position and pivot [m] of each wheel.
pub(super) fn places(vehicle: &VehicleInfo) -> Vec<(Vec2, Option<Vec2>)> {
    vehicle.wheels.iter().map(|wheel| (wheel.position, wheel.pivot)).collect()
}

/// Turns the wheels at these places, and a front frame with the last of them, to their steering angles.
pub(super) fn steer(places: &[(Vec2, Option<Vec2>)], vehicle: &VehicleFrame, message: &mut MarkerArray) {
    let mut markers = message.markers.iter_mut().skip(1);
    for ((&(position, pivot), wheel), marker) in places.iter().zip(&vehicle.wheels).zip(markers.by_ref()) {
        marker.pose = fill::pose(body_from_wheel(position, pivot, 0.0, wheel.steer));
    }
    if let (Some(marker), Some(&(_, Some(pivot))), Some(wheel)) = (markers.next(), places.last(), vehicle.wheels.last())
    {
        marker.pose = fill::pose(turned_about(pivot, wheel.steer));
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::world::{WheelFrame, WheelInfo};

    use super::*;

    #[test]
    fn outlines_are_closed_and_those_of_wheels_steer() {
        let wheel = WheelInfo { position: Vec2::new(0.3, 0.1), radius: 0.05, width: 0.04, ..WheelInfo::default() };
        let outline = vec![Vec2::new(0.0, -0.1), Vec2::new(0.0, 0.1), Vec2::new(0.4, 0.0)];
        let vehicle = VehicleInfo { outline, wheels: vec![wheel], ..VehicleInfo::default() };
        let mut message = markers(&vehicle, "base_link");
        assert_eq!((message.markers.len(), message.markers[0].points.len()), (2, 4));
        assert_eq!(message.markers[0].points.first(), message.markers[0].points.last());
        let steered = WheelFrame { steer: 0.4, ..WheelFrame::default() };
        steer(&places(&vehicle), &VehicleFrame { wheels: vec![steered], ..VehicleFrame::default() }, &mut message);
        let pose = &message.markers[1].pose;
        assert_eq!((pose.position.x, pose.position.y), (0.3, 0.1));
        assert!((pose.orientation.z - 0.2_f64.sin()).abs() < 1e-12);
    }
}
