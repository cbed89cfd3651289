//! Warnings about numbers that are possible but implausible: a unit or a sign that is wrong, a digit too many.
//!
//! The bounds are chosen: far from every vehicle of `worlds/` and of MVSim, and near enough for a wrong unit.

use std::collections::BTreeSet;

use skidpad_files::counted::counted;
use skidpad_math::Vec2;
use skidpad_xml::{Context, Place, Reader};

use super::Builder;
use crate::sensor::SensorKind;
use crate::vehicle::WheelParameters;
use crate::vehicle::chassis::Chassis;
use crate::vehicle::drive::Steering;
use crate::world::vehicles::VehicleRecord;
use crate::world::{BlockInfo, World};

/// A wheel's diameter is at most this many times the longest side of its vehicle.
const MAX_WHEEL: f64 = 2.0;
/// A centre of mass is at most this many times the longest side of its vehicle away from it, and above the ground.
const MAX_CENTER: f64 = 2.0;
/// A steering limit below this [deg] may be one in radians: a quarter turn.
const MAX_ANGLE_IN_RADIANS: f64 = std::f64::consts::FRAC_PI_2;
/// Lower tops that wheels drive onto are no edges [m].
const MIN_EDGE: f64 = 0.005;

/// Warns of implausible numbers in a `<dynamics>`.
pub(super) fn check_dynamics(
    dynamics: &Reader<'_>,
    chassis: &Chassis,
    wheels: &[WheelParameters],
    steering: Option<Steering>,
) {
    let [low, high] = extent(chassis, wheels);
    let longest = (high.x - low.x).max(high.y - low.y);
    if let Some(tag) = dynamics.child("chassis") {
        if !chassis.shape_from_visual {
            check_heights(&tag, chassis.z);
        }
        check_center_of_mass(&tag, chassis, [low, high], longest);
    }
    for wheel in wheels {
        let diameter = 2.0 * wheel.radius;
        if diameter > MAX_WHEEL * longest
            && let Some(tag) = dynamics.child(wheel.name)
        {
            let context = dynamics.context();
            let message = format!("a wheel of {diameter} m on a vehicle that is {longest:.3} m long");
            context.warn(tag.place_of("diameter"), message).hint("diameters are in metres");
        }
    }
    if let Some(angle) = steering.map(|steering| steering.max_angle.to_degrees())
        && angle < MAX_ANGLE_IN_RADIANS
        && dynamics.has("max_steer_ang_deg")
    {
        let place = dynamics.place_of("max_steer_ang_deg");
        let in_degrees = angle.to_degrees();
        dynamics
            .context()
            .warn(place, format!("the steering is limited to {angle:.4}°"))
            .hint(format!("<max_steer_ang_deg> is in degrees: {angle:.4} rad are {in_degrees:.2}°"));
    }
}

/// Warns if the lower end of a body is above its upper end; both are in `tag`, as attributes or tags [m].
pub(super) fn check_heights(tag: &Reader<'_>, [low, high]: [f64; 2]) {
    if low > high {
        let message = format!("zmin = {low} m is above zmax = {high} m in {}", tag.describe());
        tag.context().warn(tag.place_of("zmin"), message);
    }
}

fn check_center_of_mass(tag: &Reader<'_>, chassis: &Chassis, [low, high]: [Vec2; 2], longest: f64) {
    let center = chassis.center_of_mass;
    let beyond = |value: f64, low: f64, high: f64| (low - value).max(value - high);
    let away = beyond(center.x, low.x, high.x).max(beyond(center.y, low.y, high.y));
    let far = MAX_CENTER * longest;
    if away > far {
        let message = format!("the centre of mass is {away:.1} m outside a vehicle that is {longest:.3} m long");
        tag.context().warn(tag.place_of("com"), message).hint("com is in metres, in the vehicle's frame");
    }
    let (height, top) = (chassis.center_of_mass_height, chassis.z[1].max(0.0));
    if height > top + far {
        let message = format!("the centre of mass is {height} m high in a vehicle that is {top} m high");
        tag.context().warn(tag.place_of("com_height"), message).hint("com_height is in metres");
    }
}

/// The corners of the box around the outline of a chassis and the centres of its wheels [m].
fn extent(chassis: &Chassis, wheels: &[WheelParameters]) -> [Vec2; 2] {
    let points = chassis.outline.iter().copied().chain(wheels.iter().map(|wheel| wheel.position));
    points.fold([Vec2::new(f64::INFINITY, f64::INFINITY), Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY)], |b, p| {
        [Vec2::new(b[0].x.min(p.x), b[0].y.min(p.y)), Vec2::new(b[1].x.max(p.x), b[1].y.max(p.y))]
    })
}

impl Builder<'_> {
    /// Places of the start poses of all vehicles read, in their order.
    pub(super) fn starts(&self) -> Vec<Place> {
        self.vehicles.iter().map(|vehicle| vehicle.start_place.clone()).collect()
    }
}

/// Warns of vehicles that start inside something, once for each start pose of the file, which a loop may repeat; `starts` are its places.
pub(super) fn check_starts(context: &Context, world: &mut World, starts: &[Place]) {
    check_wind(context, world);
    check_imus(context, world, starts);
    let mut overlaps = world.overlaps_at_start();
    overlaps.retain(|(vehicle, _)| starts.get(*vehicle).is_some_and(|place| place.line > 0));
    overlaps.sort_by_key(|(vehicle, _)| *vehicle);
    overlaps.dedup_by_key(|(vehicle, _)| *vehicle);
    while let Some((first, other)) = overlaps.first().cloned() {
        let at_same_place = |(vehicle, _): &mut (usize, _)| starts[*vehicle] == starts[first];
        let more = match overlaps.extract_if(.., at_same_place).count() - 1 {
            0 => String::new(),
            more => format!(", and {} at this pose inside others", counted(more, "more vehicle")),
        };
        let name = &world.scene().vehicles[first].name;
        context.warn(&starts[first], format!("\"{name}\" starts inside \"{other}\"{more}"));
    }
}

/// Warns of wind that moves nothing.
fn check_wind(context: &Context, world: &World) {
    let feels_it = |record: &VehicleRecord| record.vehicle.resistance().drag > 0.0;
    if world.wind.blows() && !world.vehicles.is_empty() && !world.vehicles.iter().any(feels_it) {
        let message = "wind blows, but no vehicle has air drag: it pushes none";
        let hint = "give <aerodynamics> or <resistance> in <dynamics>";
        context.warn(&Place::of_file(&world.scene.name), message).hint(hint);
    }
}

/// Warns of inertial sensors on bodies without springs, where there are edges that wheels drive over: a rigid body jerks there.
fn check_imus(context: &Context, world: &World, starts: &[Place]) {
    let is_edge = |block: &&BlockInfo| block.is_intangible && block.z[1] > MIN_EDGE;
    let Some(edge) = world.scene.blocks.iter().find(is_edge) else { return };
    let mut looked_at = BTreeSet::new();
    for ((record, info), place) in world.vehicles.iter().zip(&world.scene.vehicles).zip(starts) {
        let has_imu = info.sensors.iter().any(|sensor| matches!(sensor.kind, SensorKind::Imu(_)));
        let is_rigid = !info.is_on_springs && record.animation.is_none() && !info.wheels.is_empty();
        if has_imu && is_rigid && place.line > 0 && looked_at.insert(place) {
            let (name, edge) = (&info.name, &edge.name);
            let message = format!("the body of \"{name}\" has no springs: its IMU jerks at edges such as \"{edge}\"");
            context.warn(place, message).hint("<suspension> in <dynamics>, for four or six wheels");
        }
    }
}
