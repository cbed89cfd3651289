//! Entities: the vehicles, blocks and actors of a world, with their information and states.

use std::collections::BTreeMap;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_sim::vehicle::{Vehicle, wheel_outline};
use skidpad_sim::world::actor::ActorInfo;
use skidpad_sim::world::label;
use skidpad_sim::world::{BlockInfo, EntityId, EntityRef, Scene, VehicleInfo, World};

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
    /// Velocity of the reference point along the axes of the world [m/s].
    pub velocity: Vec3,
    /// Yaw rate [rad/s].
    pub yaw_rate: f64,
    /// Along the axes of the world [m/s²].
    pub acceleration: Vec2,
}

/// The entity called `name`.
pub fn find(scene: &Scene, name: &str) -> Outcome<(EntityId, EntityRef)> {
    let entity = scene.find_entity(name).map_err(Refusal::not_found)?;
    Ok((scene.entity_id(entity), entity))
}

/// State of an entity.
pub(crate) fn state_of(world: &World, entity: EntityRef) -> State {
    let frame = world.frame();
    let (pose, velocity) = (frame.pose_of(entity), frame.velocity_of(entity));
    let turn = pose.planar().rotation();
    let (velocity, yaw_rate) = match entity {
        EntityRef::Actor(index) => (frame.actors[index].velocity_in_world, velocity.yaw_rate),
        // Along the ground, whatever its slope.
        EntityRef::Vehicle(_) | EntityRef::Block(_) => {
            let along_ground = turn * Vec2::new(velocity.linear.x, velocity.linear.y);
            (Vec3::new(along_ground.x, along_ground.y, 0.0), velocity.yaw_rate)
        }
    };
    let acceleration = match entity {
        EntityRef::Vehicle(index) => turn * frame.vehicles[index].acceleration_in_body,
        // Blocks and actors have velocities only.
        EntityRef::Block(_) | EntityRef::Actor(_) => Vec2::ZERO,
    };
    State { time: frame.time, pose, velocity, yaw_rate, acceleration }
}

/// All properties that filters examine.
pub fn describe(world: &World, entity: EntityRef, overrides: &InfoOverrides) -> Described {
    let scene = world.scene();
    let info = overrides.get(&scene.entity_id(entity)).cloned().unwrap_or_else(|| info_of(scene, entity));
    let (outline, z) = extent(world, entity);
    let prism = Prism::of(world.frame().pose_of(entity), &outline, z);
    Described { name: scene.entity_name(entity).to_owned(), info, prism }
}

/// Information about an entity from the world alone.
pub(crate) fn info_of(scene: &Scene, entity: EntityRef) -> Info {
    match entity {
        EntityRef::Vehicle(index) => info_of_vehicle(&scene.vehicles[index]),
        EntityRef::Block(index) => info_of_block(&scene.blocks[index]),
        EntityRef::Actor(index) => info_of_actor(&scene.actors[index]),
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

/// Actors with the label `actor` are people; those with another label, such as `animal`, are dynamic objects.
fn info_of_actor(actor: &ActorInfo) -> Info {
    let of_class = if actor.class.is_empty() { String::new() } else { format!(" of the class {}", actor.class) };
    let is_person = actor.label.class == label::ACTOR;
    let category = if is_person { Category::Human } else { Category::DynamicObject };
    let description = format!("actor{of_class}, {:.4} m high", actor.height);
    Info {
        category,
        description,
        tags: tags_of(&["actor", &actor.class, if is_person { "" } else { &actor.label.class }]),
    }
}

fn tags_of(words: &[&str]) -> Vec<String> {
    words.iter().filter(|word| !word.is_empty()).map(|word| (*word).to_owned()).collect()
}

/// Outline, and lower and upper end [m], in the entity's own frame, wheels included; of an articulated vehicle while it is straight.
fn extent(world: &World, entity: EntityRef) -> (Vec<Vec2>, [f64; 2]) {
    let scene = world.scene();
    let bounds = scene.bounds_of(entity);
    let low_and_high = bounds.map_or([0.0; 2], |bounds| bounds.map(|corner| corner.z));
    match entity {
        EntityRef::Vehicle(index) => {
            let vehicle = &scene.vehicles[index];
            let wheels = world.vehicle(index).map(Vehicle::wheels).unwrap_or_default();
            let chassis = vehicle.outline.iter().chain(vehicle.front.iter().flat_map(|front| &front.outline)).copied();
            (chassis.chain(wheels.iter().flat_map(wheel_outline)).collect(), low_and_high)
        }
        EntityRef::Block(index) => (scene.blocks[index].outline.clone(), low_and_high),
        EntityRef::Actor(_) => {
            let [low, high] = bounds.unwrap_or_default();
            let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
            (corners.map(|(x, y)| Vec2::new(x, y)).to_vec(), low_and_high)
        }
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
        let overrides = InfoOverrides::from([(id, own.clone())]);
        assert_eq!(describe(&world, body, &overrides).info, own);
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
        let action = skidpad_sim::vehicle::Action::Twist(skidpad_math::Twist2::new(0.5, 0.0, 0.0));
        for _ in 0..200 {
            world.command(skidpad_sim::vehicle::Command { vehicle: index, action }).unwrap();
            world.step().unwrap();
        }
        let state = state_of(&world, EntityRef::Vehicle(index));
        let truth = world.frame().vehicles[index].velocity_in_body;
        assert!(truth.vx > 0.1 && (state.velocity.x + truth.vx).abs() < 0.05 * truth.vx, "{state:?}");
        assert_eq!(state.time, world.frame().time);
    }
}
