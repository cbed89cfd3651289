//! Warns of sensors that see nothing but the vehicle that carries them, as from within its chassis: at load, and when a vehicle is spawned.

use std::collections::BTreeSet;

use skidpad_math::Pose3;
use skidpad_xml::{Context, Place};

use super::vehicle::Loaded;
use crate::raycast::space::{Ray, Space};
use crate::vehicle::WheelFrame;
use crate::world::frame::VehicleFrame;
use crate::world::surroundings::Surroundings;
use crate::world::{Frame, World};

/// Warns of those of a world, once for each sensor at each start pose of the file, which a loop may repeat; `starts` are their places.
pub(super) fn check(context: &Context, world: &mut World, starts: &[Place]) {
    let Some(surroundings) = &mut world.surroundings else { return };
    let mut looked_at = BTreeSet::new();
    let mut is_placed = false;
    for (index, (record, place)) in world.vehicles.iter().zip(starts).enumerate() {
        let Some(frame) = world.frame.vehicles.get(index).filter(|_| place.line > 0) else { continue };
        for sensor in record.sensors.iter().map(|mounted| &mounted.sensor) {
            let name = &sensor.info().name;
            if !looked_at.insert((place, name)) {
                continue;
            }
            let rays = sensor.probes();
            if !rays.is_empty() && !is_placed {
                surroundings.place(&world.frame);
                is_placed = true;
            }
            if ends_at_own_vehicle(&rays, &frame.world_from_body, &surroundings.space, index) {
                warn(context, place, name, &world.scene.vehicles[index].name, rays.len());
            }
        }
    }
}

/// Warns of those of a vehicle that is to be spawned at `place`. `surroundings`: those of the vehicle alone.
pub(super) fn check_spawned(context: &Context, place: &Place, vehicle: &Loaded, surroundings: &mut Surroundings) {
    let probes = vehicle.sensors.iter().map(|sensor| (&sensor.info().name, sensor.probes()));
    let wheels = vec![WheelFrame::default(); vehicle.info.wheels.len()];
    let frame = Frame { vehicles: vec![VehicleFrame { wheels, ..VehicleFrame::default() }], ..Frame::default() };
    surroundings.place(&frame);
    for (name, rays) in probes {
        if ends_at_own_vehicle(&rays, &Pose3::default(), &surroundings.space, 0) {
            warn(context, place, name, &vehicle.info.name, rays.len());
        }
    }
}

/// Warns of what sensors do not see of a world, or a body, of this name.
pub(super) fn warn_of_unseen(context: &Context, name: &str, surroundings: &Surroundings) {
    for problem in &surroundings.problems {
        context.warn(&Place::of_file(name), problem.first_line()).parts_of(problem.clone());
    }
}

/// Whether each of the rays, which start from a body at this pose, meets the vehicle with this index first.
fn ends_at_own_vehicle(rays: &[Ray], world_from_body: &Pose3, space: &Space, vehicle: usize) -> bool {
    let rotation = world_from_body.rotation();
    let ends = |ray: &Ray| {
        let (origin, direction) = (world_from_body.transform_point(ray.origin), rotation * ray.direction);
        let hit = space.cast_through_glass(&Ray { origin, direction, ..*ray });
        hit.is_some_and(|hit| space.instance(&hit).vehicle() == Some(vehicle))
    };
    !rays.is_empty() && rays.iter().all(ends)
}

fn warn(context: &Context, place: &Place, sensor: &str, vehicle: &str, rays: usize) {
    let ends = match rays {
        1 => "its ray ends there".to_owned(),
        several => format!("each of {several} rays ends there"),
    };
    let message = format!("sensor \"{sensor}\" of \"{vehicle}\" sees its own vehicle and nothing else: {ends}");
    let hint =
        "<ignore_parent_body>true</ignore_parent_body> lets it see through its vehicle; or move the sensor outside";
    context.warn(place, message).hint(hint);
}
