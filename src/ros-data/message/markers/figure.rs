//! The markers of a vehicle, created once and then moved: chassis, wheels that steer and spin, forces.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::{Pose3, Vec2, Vec3, wrap_angle};
use skidpad_sim::world::drawing;
use skidpad_sim::world::{VehicleFrame, VehicleInfo, WheelFrame, WheelInfo};

use super::group::{self, MarkerGroup};
use crate::interface::rules;
use crate::message::{Marker, fill};

/// Colour of the forces of the ground on wheels.
const FORCE_COLOR: [u8; 4] = [0xff, 0x45, 0x00, 0xff];
/// Colour of the cross that shows the rotation of a wheel.
const SPOKE_COLOR: [u8; 4] = [0xd0, 0xd0, 0xd0, 0xff];
/// Colour of the outline of the chassis.
const OUTLINE_COLOR: [u8; 4] = [0xe6, 0xe6, 0xe6, 0xe6];
/// Shorter arrows [m] are not shown.
const MIN_ARROW: f64 = 0.01;

/// The part of the vehicle that a marker moves with.
#[derive(Clone, Copy, Debug)]
enum Attachment {
    /// The body, with the pose of the marker on it.
    Body(Pose3),
    /// A steered and spinning wheel, with the pose of the marker on it.
    Wheel(usize, Pose3),
    /// The steering of a wheel, which turns a mesh of the body that has this pose on it, about the wheel's pivot if it has one, or else about
    /// the origin of the mesh.
    Steering(usize, Pose3),
    /// The force on a wheel.
    Force(usize),
}

/// A vehicle's markers.
pub(super) struct Figure {
    attachments: Vec<Attachment>,
    /// Position and pivot of each wheel [m].
    wheels: Vec<(Vec2, Option<Vec2>)>,
    radii: Vec<f64>,
    /// Default length of a force [m/N]: the arrow of the vehicle's weight is as long as the vehicle's reach.
    own_scale: f64,
    /// The markers, ready to be sent after [`Figure::update`].
    pub(super) markers: Vec<Marker>,
}

impl Figure {
    /// The figure of a vehicle, with markers in `frame` whose namespaces begin with `prefix`.
    pub(super) fn new(vehicle: &VehicleInfo, frame: &str, is_locked: bool, prefix: &str) -> Figure {
        let mut figure = Figure {
            attachments: Vec::new(),
            wheels: vehicle.wheels.iter().map(|wheel| (wheel.position, wheel.pivot)).collect(),
            radii: vehicle.wheels.iter().map(|wheel| wheel.radius).collect(),
            own_scale: rules::force_scale(vehicle),
            markers: Vec::new(),
        };
        let names = ["chassis", "wheels", "forces"].map(|name| format!("{prefix}{name}"));
        let [chassis, wheels, forces] =
            [0, 1, 2].map(|index: usize| MarkerGroup { frame, namespace: &names[index], is_locked });
        figure.add_chassis(vehicle, chassis);
        for (index, wheel) in vehicle.wheels.iter().enumerate() {
            figure.add_wheel(index, wheel, wheels);
        }
        for (index, wheel) in vehicle.wheels.iter().enumerate() {
            figure.add(Attachment::Force(index), forces.arrow(index, 0.15 * wheel.radius, FORCE_COLOR));
        }
        figure
    }

    fn add(&mut self, attachment: Attachment, marker: Marker) {
        self.attachments.push(attachment);
        self.markers.push(marker);
    }

    fn add_chassis(&mut self, vehicle: &VehicleInfo, group: MarkerGroup<'_>) {
        let outline = drawing::Drawing::new(drawing::ring(&vehicle.outline, vehicle.chassis_z[1]), OUTLINE_COLOR);
        self.add(Attachment::Body(Pose3::default()), group.drawing(0, &outline));
        for (index, body) in drawing::vehicle(vehicle).iter().enumerate() {
            let attachment = match drawing::steered_by(vehicle, body) {
                Some((wheel, yaw)) => Attachment::Steering(wheel, Pose3 { yaw: body.pose.yaw + yaw, ..body.pose }),
                None => Attachment::Body(body.pose),
            };
            self.add(attachment, group.drawing(1 + index, body));
        }
    }

    fn add_wheel(&mut self, index: usize, wheel: &WheelInfo, group: MarkerGroup<'_>) {
        // The marker ids of a wheel begin at a multiple of this.
        const NUMBERS: usize = 100;
        let first = NUMBERS * index;
        let meshes: Vec<drawing::Drawing> = drawing::visuals(&wheel.visuals).collect();
        if meshes.is_empty() {
            let (radius, side) = (wheel.radius, 0.51 * wheel.width);
            let axle = Pose3 { roll: FRAC_PI_2, ..Pose3::default() };
            self.add(Attachment::Wheel(index, axle), group.cylinder(first, radius, wheel.width, wheel.color));
            let spokes = [-side, side].map(|y| {
                [(-radius, 0.0), (radius, 0.0), (0.0, -radius), (0.0, radius)].map(|(x, z)| Vec3::new(x, y, z))
            });
            let spokes = group.lines(first + 1, spokes.as_flattened(), 0.1 * radius, SPOKE_COLOR);
            self.add(Attachment::Wheel(index, Pose3::default()), spokes);
        }
        for (number, mesh) in meshes.iter().enumerate() {
            self.add(Attachment::Wheel(index, mesh.pose), group.drawing(first + number, mesh));
        }
    }

    /// Moves the markers: `frame_from_body` is the pose of the body in the markers' frame, `force_scale` the length of a force [m/N]; 0: as
    /// fits the vehicle.
    pub(super) fn update(&mut self, frame_from_body: Pose3, vehicle: &VehicleFrame, force_scale: f64) {
        let force_scale = if force_scale > 0.0 { force_scale } else { self.own_scale };
        let still = WheelFrame::default();
        for (attachment, marker) in self.attachments.iter().zip(&mut self.markers) {
            let wheel = |index: usize| vehicle.wheels.get(index).unwrap_or(&still);
            match *attachment {
                Attachment::Body(pose) => marker.pose = fill::pose(frame_from_body * pose),
                Attachment::Steering(index, pose) => {
                    let steer = wheel(index).steer;
                    let turned = match self.wheels[index].1 {
                        Some(pivot) => drawing::turned_about(pivot, steer) * pose,
                        None => Pose3 { yaw: pose.yaw + steer, ..pose },
                    };
                    marker.pose = fill::pose(frame_from_body * turned);
                }
                Attachment::Wheel(index, pose) => {
                    let WheelFrame { spin_angle, travel, steer, .. } = *wheel(index);
                    let spin = Pose3 { pitch: wrap_angle(spin_angle), ..Pose3::default() };
                    let (position, pivot) = self.wheels[index];
                    let at = drawing::body_from_wheel(position, pivot, self.radii[index] + travel, steer);
                    marker.pose = fill::pose(frame_from_body * at * spin * pose);
                }
                Attachment::Force(index) => {
                    let (position, pivot) = self.wheels[index];
                    let at = drawing::body_from_wheel(position, pivot, 0.0, wheel(index).steer);
                    let force = force_scale * wheel(index).force_in_wheel;
                    let ends = [Vec3::zeros(), Vec3::new(force.x, force.y, 0.0)];
                    group::set_arrow(ends.map(|end| at.transform_point(end)), MIN_ARROW, marker);
                    marker.pose = fill::pose(frame_from_body);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vehicle() -> VehicleInfo {
        VehicleInfo {
            outline: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).into(),
            chassis_z: [0.1, 0.4],
            wheels: vec![WheelInfo { position: Vec2::new(1.0, 0.5), radius: 0.2, width: 0.1, ..WheelInfo::default() }],
            ..VehicleInfo::default()
        }
    }

    fn frame(wheel: WheelFrame) -> VehicleFrame {
        VehicleFrame { wheels: vec![wheel], ..VehicleFrame::default() }
    }

    fn named<'a>(figure: &'a Figure, namespace: &str) -> Vec<&'a Marker> {
        figure.markers.iter().filter(|marker| marker.ns == namespace).collect()
    }

    /// Direction in the body of a wheel marker's own x axis.
    fn x_axis(marker: &Marker) -> [f64; 3] {
        let q = &marker.pose.orientation;
        [1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w), 2.0 * (q.x * q.z - q.y * q.w)]
    }

    #[test]
    fn wheels_steer_to_the_left_and_roll_forward() {
        let mut figure = Figure::new(&vehicle(), "base_link", true, "");
        let close = |actual: [f64; 3], wanted: [f64; 3]| {
            assert!(actual.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{actual:?} {wanted:?}");
        };
        figure.update(Pose3::default(), &frame(WheelFrame { steer: 0.3, ..WheelFrame::default() }), 0.01);
        let spokes = named(&figure, "wheels")[1];
        close(x_axis(spokes), [0.3_f64.cos(), 0.3_f64.sin(), 0.0]);
        assert_eq!((spokes.pose.position.x, spokes.pose.position.y, spokes.pose.position.z), (1.0, 0.5, 0.2));
        // A quarter turn forward brings the spoke in front down.
        figure.update(Pose3::default(), &frame(WheelFrame { spin_angle: FRAC_PI_2, ..WheelFrame::default() }), 0.01);
        close(x_axis(named(&figure, "wheels")[1]), [0.0, 0.0, -1.0]);
        figure.update(Pose3::default(), &frame(WheelFrame { travel: -0.05, ..WheelFrame::default() }), 0.01);
        assert!((named(&figure, "wheels")[1].pose.position.z - 0.15).abs() < 1e-12);
    }

    #[test]
    fn forces_are_arrows_in_the_bodys_frame_of_the_scaled_length_or_none() {
        let mut figure = Figure::new(&vehicle(), "base_link", true, "r1/");
        let steered = |force| WheelFrame { steer: FRAC_PI_2, force_in_wheel: force, ..WheelFrame::default() };
        figure.update(Pose3::default(), &frame(steered(Vec2::new(100.0, 0.0))), 0.01);
        let arrow = named(&figure, "r1/forces")[0];
        assert_eq!(arrow.action, Marker::ADD);
        let [from, to] = [&arrow.points[0], &arrow.points[1]];
        assert!((to.x - from.x).abs() < 1e-12 && (to.y - from.y - 1.0).abs() < 1e-12);
        figure.update(Pose3::default(), &frame(steered(Vec2::new(0.1, 0.0))), 0.01);
        assert_eq!(named(&figure, "r1/forces")[0].action, Marker::DELETE);
    }

    #[test]
    fn marker_ids_are_unique_within_a_namespace() {
        let mut info = vehicle();
        info.wheels = vec![info.wheels[0].clone(); 4];
        let figure = Figure::new(&info, "base_link", true, "");
        let mut keys: Vec<(&str, i32)> = figure.markers.iter().map(|m| (m.ns.as_str(), m.id)).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!((keys.len(), count), (2 + 8 + 4, 2 + 8 + 4));
    }
}
