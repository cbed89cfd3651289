//! Messages of a vehicle's body that presets have: its outline as markers and as a polygon, and what an inertial sensor measures.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Point, Point32, Polygon, Vector3};
use r2r::sensor_msgs::msg::Imu;
use r2r::std_msgs::msg::ColorRGBA;
use r2r::visualization_msgs::msg::{Marker, MarkerArray};

use super::convert;
use crate::interface::covariance;
use crate::interface::rules;
use crate::math::{Pose3, Vec2};
use crate::world::{VehicleFrame, VehicleInfo};

/// Width of the lines [m].
const LINE: f64 = 0.05;

/// A closed line through these points [m], at the height of the ground.
fn outline(points: impl Iterator<Item = Vec2> + Clone, frame: &str, namespace: String) -> Marker {
    let corner = |point: Vec2| Point { x: point.x, y: point.y, z: 0.0 };
    let mut marker = Marker {
        ns: namespace,
        type_: Marker::LINE_STRIP as i32,
        action: Marker::ADD as i32,
        scale: Vector3 { x: LINE, y: LINE, z: LINE },
        color: ColorRGBA { r: 0.9, g: 0.9, b: 0.9, a: 0.9 },
        frame_locked: true,
        points: points.clone().chain(points.take(1)).map(corner).collect(),
        ..Marker::default()
    };
    marker.header.frame_id = frame.to_owned();
    marker
}

/// The outline of the chassis and one of each wheel, in `frame`; never stamped, because they hold at all times.
pub fn new_markers(vehicle: &VehicleInfo, frame: &str) -> MarkerArray {
    let chassis = outline(vehicle.outline.iter().copied(), frame, "mvsim.chassis_shape".to_owned());
    let wheels = vehicle.wheels.iter().enumerate().map(|(index, wheel)| {
        let (x, y) = (wheel.radius, 0.5 * wheel.width);
        let corners = [Vec2::new(-x, -y), Vec2::new(-x, y), Vec2::new(x, y), Vec2::new(x, -y)];
        let mut marker = outline(corners.into_iter(), frame, format!("mvsim.chassis_shape.wheel{index}"));
        let [r, g, b, a] = wheel.color.map(|part| f32::from(part) / 255.0);
        marker.color = ColorRGBA { r, g, b, a };
        let pose = Pose3 { x: wheel.position.x, y: wheel.position.y, ..Pose3::default() };
        convert::write_pose(pose, &mut marker.pose);
        marker
    });
    let mut markers = vec![chassis];
    markers.extend(wheels);
    MarkerArray { markers }
}

/// Turns the wheels as they are steered.
pub fn write_markers(vehicle: &VehicleFrame, message: &mut MarkerArray) {
    for (marker, wheel) in message.markers.iter_mut().skip(1).zip(&vehicle.wheels) {
        let at = &marker.pose.position;
        let pose = Pose3 { x: at.x, y: at.y, yaw: wheel.steer, ..Pose3::default() };
        convert::write_pose(pose, &mut marker.pose);
    }
}

/// The outline of the chassis [m].
pub fn polygon(vehicle: &VehicleInfo) -> Polygon {
    let point = |corner: &Vec2| Point32 { x: corner.x as f32, y: corner.y as f32, z: 0.0 };
    Polygon { points: vehicle.outline.iter().map(point).collect() }
}

/// An empty inertial measurement in `frame`, of what is known exactly.
pub fn new_imu(frame: &str) -> Imu {
    let mut message = Imu::default();
    message.header.frame_id = frame.to_owned();
    covariance::write_exact(&mut message.orientation_covariance);
    covariance::write_exact(&mut message.angular_velocity_covariance);
    covariance::write_exact(&mut message.linear_acceleration_covariance);
    message
}

/// The true attitude, yaw rate and specific force of the body.
pub fn write_imu(stamp: &Time, vehicle: &VehicleFrame, message: &mut Imu) {
    message.header.stamp = stamp.clone();
    message.orientation = convert::quaternion(vehicle.world_from_body);
    message.angular_velocity.z = vehicle.velocity_in_body.wz;
    let [x, y, z] = rules::specific_force(vehicle);
    message.linear_acceleration = Vector3 { x, y, z };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{WheelFrame, WheelInfo};

    #[test]
    fn the_outline_is_closed_and_wheels_are_where_they_are_and_steer() {
        let wheel = WheelInfo { position: Vec2::new(0.3, 0.1), radius: 0.05, width: 0.04, ..WheelInfo::default() };
        let outline = vec![Vec2::new(0.0, -0.1), Vec2::new(0.0, 0.1), Vec2::new(0.4, 0.0)];
        let vehicle = VehicleInfo { outline, wheels: vec![wheel], ..VehicleInfo::default() };
        let mut message = new_markers(&vehicle, "base_link");
        assert_eq!((message.markers.len(), message.markers[0].points.len()), (2, 4));
        assert_eq!(message.markers[0].points.first(), message.markers[0].points.last());
        assert_eq!(polygon(&vehicle).points.len(), 3);
        let steered = WheelFrame { steer: 0.4, ..WheelFrame::default() };
        write_markers(&VehicleFrame { wheels: vec![steered], ..VehicleFrame::default() }, &mut message);
        let pose = &message.markers[1].pose;
        assert_eq!((pose.position.x, pose.position.y), (0.3, 0.1));
        assert!((pose.orientation.z - 0.2_f64.sin()).abs() < 1e-12);
    }
}
