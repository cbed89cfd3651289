//! Warnings of places from which a sensor sees nothing sensible: inside of something that is drawn as a solid, or below
//! the ground. Warnings of bodies that start below an elevation map or a tilted plane. A warning of a world whose sensors look for
//! a ground that has no shape.

use skidpad_files::counted::counted;
use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_xml::{Context, Place};

use crate::sensor::SensorKind;
use crate::world::terrain::is_inside;
use crate::world::visual::Visual;
use crate::world::{Scene, World};

/// Most solids that sensors are compared with. A world with more loads without the rest of these warnings.
const MAX_COMPARISONS: usize = 2_000_000;
/// Bodies are reported as below the ground from this depth on [m]: wheels may stand in a hollow.
const MIN_DEPTH: f64 = 0.5;
/// Height of the cells of a map [m], as drawn.
const MAP_HEIGHT: f64 = 2.0;

/// A prism that is drawn as such, over an outline in its own frame [m].
struct Solid<'a> {
    name: &'a str,
    vehicle: Option<usize>,
    world_from_solid: Pose3,
    outline: &'a [Vec2],
    z: [f64; 2],
    /// Whether planar sensors see it.
    is_tangible: bool,
    /// Whether it stands in for a mesh that is not on this machine.
    lacks_mesh: bool,
}

/// A mesh that lidars see instead of the solid, and that may have room inside.
fn has_mesh(visuals: &[Visual]) -> bool {
    visuals.iter().any(Visual::is_seen_by_lidars)
}

fn solids(world: &World) -> Vec<Solid<'_>> {
    let (scene, frame) = (world.scene(), world.frame());
    let blocks = scene.blocks.iter().zip(&frame.blocks).map(|(block, &pose)| Solid {
        name: &block.name,
        vehicle: None,
        world_from_solid: pose,
        outline: if has_mesh(&block.visuals) { &[] } else { &block.outline },
        z: block.z,
        is_tangible: !block.is_intangible,
        lacks_mesh: !block.visuals.is_empty(),
    });
    let vehicles = scene.vehicles.iter().zip(&frame.vehicles).enumerate().map(|(index, (vehicle, frame))| Solid {
        name: &vehicle.name,
        vehicle: Some(index),
        world_from_solid: frame.world_from_body,
        outline: if has_mesh(&vehicle.visuals) { &[] } else { &vehicle.outline },
        z: vehicle.chassis_z,
        is_tangible: true,
        lacks_mesh: !vehicle.visuals.is_empty(),
    });
    blocks.chain(vehicles).filter(|solid| solid.outline.len() > 2).collect()
}

impl Solid<'_> {
    fn contains(&self, p: Vec3) -> bool {
        let local = self.world_from_solid.rotation().transpose() * (p - self.world_from_solid.position());
        (self.z[0]..=self.z[1]).contains(&local.z) && is_inside(self.outline, Vec2::new(local.x, local.y))
    }
}

/// Warns of all of them; `starts` are the places of the vehicles' start poses, `name` that of the world.
pub(super) fn check(context: &Context, world: &World, starts: &[Place], name: &str) {
    check_bodies(context, world, starts, name);
    check_sensors(context, world, starts);
    check_ground(context, world, name);
}

/// Bodies that keep a height below an elevation map, and vehicles with nothing under them below a tilted plane.
fn check_bodies(context: &Context, world: &World, starts: &[Place], name: &str) {
    let (scene, frame) = (world.scene(), world.frame());
    let depth = |pose: &Pose3| world.terrain.elevation_at(pose.planar().position()).map_or(0.0, |top| top - pose.z);
    let below_plane = |pose: &Pose3| {
        let (terrain, p) = (&world.terrain, pose.planar().position());
        let lowest = terrain.lowest_plane(p).filter(|_| terrain.highest_under(p, pose.z, None).is_none())?;
        terrain.inclined_plane(p, lowest).map(|plane| plane.ground.height - pose.z)
    };
    let mut reported: Vec<&Place> = Vec::new();
    let whole = Place::of_file(name);
    let vehicles = scene.vehicles.iter().zip(&frame.vehicles).enumerate().map(|(index, (vehicle, frame))| {
        let place = starts.get(index).filter(|place| place.line > 0);
        let pose = &frame.world_from_body;
        let (depth, ground) =
            below_plane(pose).map_or((depth(pose), "the elevation map"), |depth| (depth, "a tilted plane"));
        (place, &vehicle.name, depth, ground)
    });
    for (place, body, depth, ground) in vehicles {
        let Some(place) = place.filter(|place| depth > MIN_DEPTH && !reported.contains(place)) else { continue };
        reported.push(place);
        let message = format!("\"{body}\" starts {depth:.2} m below {ground}");
        context.warn(place, message).hint("<init_pose> with x, y and yaw sets it on the ground");
    }
    let mut blocks = scene.blocks.iter().zip(&frame.blocks).filter_map(|(block, pose)| {
        let below = depth(pose) - block.z[1];
        (below > MIN_DEPTH).then_some((&block.name, below))
    });
    if let Some((block, below)) = blocks.next() {
        let more = match blocks.count() {
            0 => String::new(),
            more => format!(", and {}", counted(more, "more block")),
        };
        context.warn(&whole, format!("\"{block}\" is {below:.2} m below the elevation map{more}"));
    }
}

/// Sensors inside of solids and of the walls of maps, and below the ground: the first of each kind at each start pose.
fn check_sensors(context: &Context, world: &World, starts: &[Place]) {
    let (scene, frame) = (world.scene(), world.frame());
    let solids = solids(world);
    let mut comparisons_left = MAX_COMPARISONS;
    let mut reported: Vec<(&Place, &str)> = Vec::new();
    for (index, ((vehicle, record), place)) in scene.vehicles.iter().zip(&world.vehicles).zip(starts).enumerate() {
        let Some(frame) = frame.vehicles.get(index).filter(|_| place.line > 0) else { continue };
        for mounted in &record.sensors {
            let info = mounted.sensor.info();
            if !info.kind.casts_rays() || reported.contains(&(place, info.name.as_str())) {
                continue;
            }
            comparisons_left = comparisons_left.saturating_sub(solids.len());
            if comparisons_left == 0 {
                return;
            }
            let p = (frame.world_from_body * info.body_from_sensor).position();
            let sees_space = mounted.sensor.needs_space();
            let is_in = |solid: &&Solid<'_>| {
                solid.vehicle != Some(index) && (sees_space || solid.is_tangible) && solid.contains(p)
            };
            let fault = if let Some(solid) = solids.iter().find(is_in) {
                Some((format!("inside \"{}\"", solid.name), solid.lacks_mesh))
            } else if is_in_map(scene, p, sees_space) {
                Some(("inside an occupied cell of a map".to_owned(), false))
            } else {
                depth_below_ground(world, p).map(|depth| (format!("{depth:.2} m below the ground"), false))
            };
            let Some((fault, lacks_mesh)) = fault else { continue };
            reported.push((place, info.name.as_str()));
            let message = format!("sensor \"{}\" of \"{}\" starts {fault}", info.name, vehicle.name);
            let report = context.warn(place, message);
            if lacks_mesh {
                report.hint("its mesh is not on this machine: a solid with its outline replaces it");
            }
        }
    }
}

fn is_in_map(scene: &Scene, p: Vec3, sees_space: bool) -> bool {
    (!sees_space || (0.0..=MAP_HEIGHT).contains(&p.z))
        && scene.maps.iter().any(|map| {
            let local = map.world_from_grid.inverse().transform_point(Vec2::new(p.x, p.y));
            let cell = |coordinate: f64| (coordinate / map.resolution).floor();
            let (x, y) = (cell(local.x), cell(local.y));
            x >= 0.0 && y >= 0.0 && map.is_occupied(x as usize, y as usize)
        })
}

/// How far a point is below the ground [m]: an elevation map, or the level ground at 0 of a world without any other. None above it.
fn depth_below_ground(world: &World, p: Vec3) -> Option<f64> {
    let top = if world.terrain.is_level() { 0.0 } else { world.terrain.elevation_at(Vec2::new(p.x, p.y))? };
    (p.z < top - 1e-6).then_some(top - p.z)
}

/// The level ground at 0 has no shape that sensors could see.
fn check_ground(context: &Context, world: &World, name: &str) {
    let scene = world.scene();
    let has_ground = !scene.planes.is_empty() || !scene.elevations.is_empty() || !scene.maps.is_empty();
    let has_file = |visual: &Visual| visual.file.is_some();
    if has_ground || scene.blocks.iter().flat_map(|block| &block.visuals).any(has_file) {
        return;
    }
    let looks_down =
        |kind: &SensorKind| matches!(kind, SensorKind::Lidar3d(_) | SensorKind::Camera(_) | SensorKind::Rgbd(_));
    let mut sensors = scene.vehicles.iter().flat_map(|vehicle| {
        let seeing = vehicle.sensors.iter().filter(|sensor| looks_down(&sensor.kind));
        seeing.map(move |sensor| (&vehicle.name, &sensor.name))
    });
    let Some((vehicle, sensor)) = sensors.next() else { return };
    let and_more = match sensors.count() {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more sensor")),
    };
    let message = format!(
        "sensor \"{sensor}\" of \"{vehicle}\"{and_more} will see no ground: the default ground at 0 has no shape"
    );
    context.warn(&Place::of_file(name), message).hint("add <element class=\"horizontal_plane\"/>");
}
