//! Entities: the vehicles and blocks of a world, with their information and states.

use std::collections::BTreeMap;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2, Vec2};
use skidpad_sim::vehicle::{Vehicle, wheel_outline};
use skidpad_sim::world::{BlockInfo, BodyRef, EntityId, Scene, VehicleInfo, World};

use super::bounds::Prism;
use super::outcome::{Outcome, Refusal};

/// The category of an entity. The discriminants are the standard's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Category {
    Object = 0,
    Robot = 1,
    Human = 2,
    DynamicObject = 4,
    StaticObject = 5,
}

impl Category {
    /// The category with this number.
    pub fn read(number: u8) -> Outcome<Category> {
        use Category::{DynamicObject, Human, Object, Robot, StaticObject};
        let known = [Object, Robot, Human, DynamicObject, StaticObject];
        known.into_iter().find(|category| *category as u8 == number).ok_or_else(|| {
            let reason = format!(
                "category {number}: unknown\n  accepted: 0 object, 1 robot, 2 human, 4 dynamic object, 5 static object"
            );
            Refusal::failed(reason)
        })
    }
}

/// Category, description and tags of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    pub category: Category,
    pub description: String,
    pub tags: Vec<String>,
}

/// Information that callers have set; it replaces that of the world.
pub(crate) type InfoOverrides = BTreeMap<EntityId, Info>;

/// An entity with all properties that filters examine.
#[derive(Clone, Debug)]
pub struct Described {
    pub name: String,
    pub info: Info,
    /// Its volume in the world.
    pub prism: Prism,
}

/// Pose, velocity and acceleration of an entity in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    pub time: SimTime,
    pub pose: Pose3,
    /// Along the axes of the world [m/s, rad/s].
    pub velocity: Twist2,
    /// Along the axes of the world [m/s²].
    pub acceleration: Vec2,
}

/// The entity called `name`.
pub fn find(scene: &Scene, name: &str) -> Outcome<(EntityId, BodyRef)> {
    let body = scene.body(name).ok_or_else(|| {
        let hint = super::hint(name, all(scene).map(|body| scene.body_name(body).to_owned()));
        Refusal::not_found(format!("entity \"{name}\": not found{hint}"))
    })?;
    Ok((scene.body_id(body), body))
}

/// All entities, vehicles first.
pub fn all(scene: &Scene) -> impl Iterator<Item = BodyRef> + '_ {
    (0..scene.vehicles.len()).map(BodyRef::Vehicle).chain((0..scene.blocks.len()).map(BodyRef::Block))
}

/// Pose of an entity in the world [m, rad].
pub fn pose_of(world: &World, body: BodyRef) -> Pose3 {
    match body {
        BodyRef::Vehicle(index) => world.frame().vehicles[index].world_from_body,
        BodyRef::Block(index) => world.frame().blocks[index],
    }
}

/// State of an entity.
pub(crate) fn state_of(world: &World, body: BodyRef) -> State {
    let pose = pose_of(world, body);
    let turn = pose.planar().rotation();
    let velocity = match body {
        BodyRef::Vehicle(index) => world.frame().vehicles[index].velocity_in_body,
        BodyRef::Block(index) => world.block_velocity_in_body(index),
    };
    let acceleration = match body {
        BodyRef::Vehicle(index) => turn * world.frame().vehicles[index].acceleration_in_body,
        // The physics engine gives only the velocities of blocks.
        BodyRef::Block(_) => Vec2::ZERO,
    };
    let linear = turn * velocity.linear();
    State { time: world.frame().time, pose, velocity: Twist2::new(linear.x, linear.y, velocity.wz), acceleration }
}

/// All properties that filters examine.
pub fn describe(world: &World, body: BodyRef, overrides: &InfoOverrides) -> Described {
    let scene = world.scene();
    let id = scene.body_id(body);
    let info = overrides.get(&id).cloned().unwrap_or_else(|| info_of(scene, body));
    let (outline, z) = extent(world, id, body);
    let prism = Prism::of(pose_of(world, body), &outline, z);
    Described { name: scene.body_name(body).to_owned(), info, prism }
}

/// Information about an entity from the world alone.
pub(crate) fn info_of(scene: &Scene, body: BodyRef) -> Info {
    match body {
        BodyRef::Vehicle(index) => info_of_vehicle(&scene.vehicles[index]),
        BodyRef::Block(index) => info_of_block(&scene.blocks[index]),
    }
}

fn info_of_vehicle(vehicle: &VehicleInfo) -> Info {
    let of_class = if vehicle.class.is_empty() { String::new() } else { format!(" of the class {}", vehicle.class) };
    let description = format!("vehicle{of_class}, dynamics {}, {:.4} kg", vehicle.dynamics, vehicle.mass);
    let tags = ["vehicle", &vehicle.class, &vehicle.dynamics];
    Info { category: Category::Robot, description, tags: tags_of(&tags) }
}

fn info_of_block(block: &BlockInfo) -> Info {
    let (category, kind) = match block.is_static {
        true => (Category::StaticObject, "static"),
        false => (Category::DynamicObject, "movable"),
    };
    let intangible = if block.is_intangible { "intangible" } else { "" };
    Info { category, description: format!("{kind} block"), tags: tags_of(&["block", kind, intangible]) }
}

fn tags_of(words: &[&str]) -> Vec<String> {
    words.iter().filter(|word| !word.is_empty()).map(|word| (*word).to_owned()).collect()
}

/// Outline, and lower and upper end [m], in the entity's own frame, wheels included; of an articulated vehicle while it is straight.
fn extent(world: &World, id: EntityId, body: BodyRef) -> (Vec<Vec2>, [f64; 2]) {
    let scene = world.scene();
    let low_and_high = world.bounds_of(id).map_or([0.0; 2], |bounds| bounds.map(|corner| corner.z));
    match body {
        BodyRef::Vehicle(index) => {
            let vehicle = &scene.vehicles[index];
            let wheels = world.vehicle(index).map(Vehicle::wheels).unwrap_or_default();
            let chassis = vehicle.outline.iter().chain(vehicle.front.iter().flat_map(|front| &front.outline)).copied();
            (chassis.chain(wheels.iter().flat_map(wheel_outline)).collect(), low_and_high)
        }
        BodyRef::Block(index) => (scene.blocks[index].outline.clone(), low_and_high),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_sim::world::LoadOptions;

    use super::*;

    fn world() -> World {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("worlds/two_robots.world.xml");
        World::load(&path, &LoadOptions::default()).unwrap().0
    }

    #[test]
    fn vehicles_and_blocks_have_the_information_of_the_world() {
        let world = world();
        let scene = world.scene();
        let info = |name| info_of(scene, find(scene, name).unwrap().1);
        let robot = info("r1");
        assert_eq!(robot.category, Category::Robot);
        assert_eq!(robot.tags, ["vehicle", "diffbot", "differential"]);
        assert_eq!(
            (info("pillar_1").category, info("crate_1").category),
            (Category::StaticObject, Category::DynamicObject)
        );
        assert_eq!(info("crate_1").tags, ["block", "movable"]);
    }

    #[test]
    fn information_set_by_callers_overrides_that_of_the_world() {
        let world = world();
        let (id, body) = find(world.scene(), "r2").unwrap();
        let own = Info { category: Category::Human, description: "x".into(), tags: vec!["a".into()] };
        let said = InfoOverrides::from([(id, own.clone())]);
        assert_eq!(describe(&world, body, &said).info, own);
        assert_eq!(describe(&world, body, &InfoOverrides::new()).info, info_of(world.scene(), body));
    }

    #[test]
    fn a_similar_name_is_suggested() {
        let refusal = find(world().scene(), "pilar_1").unwrap_err();
        assert_eq!(refusal.code, 2);
        assert_eq!(refusal.reason, "entity \"pilar_1\": not found\n  hint: did you mean \"pillar_1\"?");
    }

    #[test]
    fn velocities_are_along_the_axes_of_the_world() {
        let mut world = world();
        // r2 looks back along x.
        let index = world.scene().vehicle_index("r2").unwrap();
        let action = skidpad_sim::vehicle::Action::Twist(Twist2::new(0.5, 0.0, 0.0));
        for _ in 0..200 {
            world.command(skidpad_sim::vehicle::Command { vehicle: index, action }).unwrap();
            world.step().unwrap();
        }
        let state = state_of(&world, BodyRef::Vehicle(index));
        let truth = world.frame().vehicles[index].velocity_in_body;
        assert!(truth.vx > 0.1 && (state.velocity.vx + truth.vx).abs() < 0.05 * truth.vx, "{state:?}");
        assert_eq!(state.time, world.frame().time);
    }
}
