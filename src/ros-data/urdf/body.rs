//! Masses and shapes of links.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_sim::world::visual::Visual;
use skidpad_sim::world::{BeltInfo, ChassisMass, VehicleInfo, WheelInfo};

use crate::mesh_address::mesh_address;

/// Mass, centre of mass and moments of inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inertial {
    /// [kg]
    pub mass: f64,
    /// Pose of the centre of mass and the principal axes [m, rad].
    pub link_from_center: Pose3,
    /// Moments of inertia about those axes [kg·m²].
    pub moments: [f64; 3],
}

/// A visual or collision shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub link_from_shape: Pose3,
    pub geometry: Geometry,
    /// Red green blue alpha; none: that of the mesh.
    pub color: Option<[u8; 4]>,
}

/// The solids of URDF.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Geometry {
    /// Extent along x, y, z [m], the origin in the middle.
    Box([f64; 3]),
    /// About z, the origin in the middle: radius and length [m].
    Cylinder(f64, f64),
    /// Address and scale of a mesh.
    Mesh(String, f64),
}

/// Moments about x, y and z of a mass with these mean squares of its coordinates [m²]; always those of a possible body.
fn moments(mass: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [mass * (y + z), mass * (x + z), mass * (x + y)]
}

/// Lower and upper end of an outline along x and y [m].
fn bounds(outline: &[Vec2]) -> [[f64; 2]; 2] {
    let along = |of: fn(&Vec2) -> f64| {
        let values = outline.iter().map(of);
        [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
    };
    if outline.is_empty() { [[0.0; 2]; 2] } else { [along(|p| p.x), along(|p| p.y)] }
}

/// The chassis' mass with its yaw inertia, and about the other axes the inertia of its bounding box.
pub(super) fn chassis_inertial(
    chassis: &ChassisMass,
    outline: &[Vec2],
    z: [f64; 2],
    link_from_body: Pose3,
) -> Option<Inertial> {
    if chassis.mass <= 0.0 {
        return None;
    }
    let [x, y, z] = {
        let [x, y] = bounds(outline);
        [x, y, z].map(|[low, high]| (high - low) * (high - low) / 12.0)
    };
    let spread = chassis.yaw_inertia / chassis.mass;
    let share = if x + y > 0.0 { spread / (x + y) } else { 0.0 };
    let [cx, cy, cz] = chassis.center;
    let center = link_from_body * Pose3 { x: cx, y: cy, z: cz, ..Pose3::default() };
    let moments = moments(chassis.mass, [share * x, share * y, z]);
    Some(Inertial { mass: chassis.mass, link_from_center: center, moments })
}

/// The wheel's mass with its inertia about the axle.
pub(super) fn wheel_inertial(wheel: &WheelInfo) -> Option<Inertial> {
    let round = 0.5 * wheel.inertia / wheel.mass;
    let moments = moments(wheel.mass, [round, wheel.width * wheel.width / 12.0, round]);
    (wheel.mass > 0.0).then_some(Inertial { mass: wheel.mass, link_from_center: Pose3::default(), moments })
}

/// The box around the chassis.
pub(super) fn chassis_box(vehicle: &VehicleInfo, link_from_body: Pose3) -> Shape {
    box_around(&vehicle.outline, vehicle.chassis_z, vehicle.color, link_from_body)
}

/// The box around an outline [m] between two heights [m].
pub(super) fn box_around(outline: &[Vec2], z: [f64; 2], color: [u8; 4], link_from_body: Pose3) -> Shape {
    let [x, y] = bounds(outline);
    let sides = [x, y, z];
    let middle = sides.map(|[low, high]| 0.5 * (low + high));
    let center = Pose3 { x: middle[0], y: middle[1], z: middle[2], ..Pose3::default() };
    let size = sides.map(|[low, high]| high - low);
    Shape { link_from_shape: link_from_body * center, geometry: Geometry::Box(size), color: Some(color) }
}

/// Visuals of the chassis: its meshes, or its bounding box, and its tracks.
pub(super) fn chassis_visuals(vehicle: &VehicleInfo, link_from_body: Pose3) -> Vec<Shape> {
    let meshes = meshes(&vehicle.visuals, link_from_body);
    let mut shapes = if meshes.is_empty() { vec![chassis_box(vehicle, link_from_body)] } else { meshes };
    shapes.extend(vehicle.belts.iter().map(|belt| belt_box(belt, link_from_body)));
    shapes
}

/// The visuals that are meshes.
pub(super) fn meshes(visuals: &[Visual], link_from_body: Pose3) -> Vec<Shape> {
    visuals.iter().filter_map(|visual| mesh(visual, link_from_body)).collect()
}

/// The box around the ground run of a track, as high as the track; the wheels at its ends make it round.
fn belt_box(belt: &BeltInfo, link_from_body: Pose3) -> Shape {
    let center = Pose3 { x: belt.position.x, y: belt.position.y, z: belt.radius, ..Pose3::default() };
    let size = [belt.length, 0.9 * belt.width, 2.0 * belt.radius];
    Shape { link_from_shape: link_from_body * center, geometry: Geometry::Box(size), color: Some(belt.color) }
}

/// A cylinder about the axle.
pub(super) fn wheel_cylinder(wheel: &WheelInfo) -> Shape {
    Shape {
        link_from_shape: Pose3 { roll: FRAC_PI_2, ..Pose3::default() },
        geometry: Geometry::Cylinder(wheel.radius, wheel.width),
        color: Some(wheel.color),
    }
}

/// Visuals of a wheel: its meshes, or a cylinder.
pub(super) fn wheel_visuals(wheel: &WheelInfo) -> Vec<Shape> {
    let meshes = meshes(&wheel.visuals, Pose3::default());
    if meshes.is_empty() { vec![wheel_cylinder(wheel)] } else { meshes }
}

fn mesh(visual: &Visual, link_from_body: Pose3) -> Option<Shape> {
    let file = visual.file.as_ref()?;
    Some(Shape {
        link_from_shape: link_from_body * visual.body_from_mesh,
        geometry: Geometry::Mesh(mesh_address(file), visual.scale),
        color: visual.color,
    })
}

/// Largest angle of this wheel [rad] at the angle `most` of the equivalent single track: that of the inner wheel with Ackermann
/// steering, where the rear axle is in the middle of the unsteered wheels.
pub(super) fn largest_wheel_angle(most: f64, vehicle: &VehicleInfo, wheel: &WheelInfo) -> f64 {
    let Some(wheelbase) = vehicle.wheelbase.filter(|_| most > 0.0) else { return most };
    let radius = wheelbase / libm::tan(most) - wheel.position.y.abs();
    if radius > 0.0 { libm::atan2(wheelbase, radius).max(most) } else { FRAC_PI_2.max(most) }
}

impl Inertial {
    /// Whether all numbers are finite; URDF readers refuse others.
    pub(super) fn is_finite(&self) -> bool {
        let center: Vec3 = self.link_from_center.position();
        self.mass.is_finite() && self.moments.iter().chain(&center).all(|number| number.is_finite())
    }
}
