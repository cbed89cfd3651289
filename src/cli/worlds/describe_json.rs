//! The content of a world for programs: the result of `skidpad check --json`, in SI units and radians. `docs/json.md` describes each field.

use serde_json::{Value, json};

use crate::sensor::SensorInfo;
use crate::time::SimTime;
use crate::world::{VehicleInfo, World};

/// The content of a world.
pub(in crate::cli) fn content(world: &World) -> Value {
    let scene = world.scene();
    let variables = world.catalogue().settable_variables();
    let variables: Value = variables.map(|(name, value)| json!({ "name": name, "value": value })).collect();
    let place = scene.georeference.as_ref().map(|georeference| {
        let origin = georeference.origin();
        json!({ "latitude": origin.latitude, "longitude": origin.longitude, "height": origin.height })
    });
    let vehicles: Value = scene.vehicles.iter().map(|info| vehicle(info, scene.step)).collect();
    let blocks: Value =
        scene.blocks.iter().map(|block| json!({ "name": block.name, "static": block.is_static })).collect();
    let maps = scene.maps.iter();
    let maps: Value =
        maps.map(|map| json!({ "columns": map.width, "rows": map.height, "resolution": map.resolution })).collect();
    json!({
        "world": scene.name,
        "step": scene.step.secs(),
        "seed": scene.seed,
        "place": place,
        "variables": variables,
        "vehicles": vehicles,
        "blocks": blocks,
        "maps": maps,
        "planes": names(scene.planes.iter().map(|plane| &plane.name)),
        "elevations": names(scene.elevations.iter().map(|elevation| &elevation.name)),
        "walls": names(scene.walls.iter().map(|wall| &wall.name)),
        "regions": names(scene.regions.iter().map(|region| &region.name)),
        "joints": names(scene.joints.iter().map(|joint| &joint.name)),
        "actors": names(scene.actors.iter().map(|actor| &actor.name)),
    })
}

fn names<T: AsRef<str>>(names: impl Iterator<Item = T>) -> Value {
    names.map(|name| Value::from(name.as_ref())).collect()
}

fn vehicle(info: &VehicleInfo, step: SimTime) -> Value {
    let accepts = info.accepts;
    let kinds = [
        (accepts.twist, "twist"),
        (accepts.ackermann, "ackermann"),
        (accepts.pedals, "pedals"),
        (accepts.wheels, "wheels"),
    ];
    let (pose, class) = (info.world_from_start, Some(&info.class).filter(|class| !class.is_empty()));
    json!({
        "name": info.name,
        "class": class,
        "dynamics": info.dynamics,
        "mass": info.mass,
        "wheels": names(info.wheels.iter().map(|wheel| &wheel.name)),
        "wheelbase": info.wheelbase,
        "max_steer": info.max_steer,
        "commands": names(kinds.iter().filter(|(is_taken, _)| *is_taken).map(|(_, name)| *name)),
        "start": { "x": pose.x, "y": pose.y, "yaw": pose.yaw },
        "sensors": info.sensors.iter().map(|info| sensor(info, step)).collect::<Vec<_>>(),
    })
}

fn sensor(info: &SensorInfo, step: SimTime) -> Value {
    json!({ "name": info.name, "class": info.kind.entry().name, "rate": 1.0 / info.interval(step).secs() })
}
