//! Entities: vehicles, blocks and actors, with the facts and the state that all of them have.

use skidpad_files::nearest::did_you_mean;
use skidpad_math::{Pose3, Twist2, Vec2, Vec3};

use super::label::Label;
use super::{BodyRef, EntityId, Frame, Scene, VehicleInfo, WheelInfo};
use crate::vehicle::rectangle;

/// A vehicle, a block or an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityRef {
    /// The vehicle of this index in [`Scene::vehicles`].
    Vehicle(usize),
    /// The block of this index in [`Scene::blocks`].
    Block(usize),
    /// The actor of this index in [`Scene::actors`].
    Actor(usize),
}

impl From<BodyRef> for EntityRef {
    fn from(body: BodyRef) -> EntityRef {
        match body {
            BodyRef::Vehicle(index) => EntityRef::Vehicle(index),
            BodyRef::Block(index) => EntityRef::Block(index),
        }
    }
}

/// The velocity of an entity along the axes of its own frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntityVelocity {
    /// Of its reference point [m/s]. Vehicles and blocks move along the ground: z is 0.
    pub linear: Vec3,
    /// Yaw rate [rad/s].
    pub yaw_rate: f64,
}

impl From<Twist2> for EntityVelocity {
    fn from(velocity: Twist2) -> EntityVelocity {
        EntityVelocity { linear: Vec3::new(velocity.vx, velocity.vy, 0.0), yaw_rate: velocity.wz }
    }
}

impl Scene {
    /// All entities: vehicles, blocks, actors.
    pub fn entities(&self) -> impl Iterator<Item = EntityRef> + use<> {
        let vehicles = (0..self.vehicles.len()).map(EntityRef::Vehicle);
        let blocks = (0..self.blocks.len()).map(EntityRef::Block);
        vehicles.chain(blocks).chain((0..self.actors.len()).map(EntityRef::Actor))
    }

    /// The entity called `name`.
    pub fn entity(&self, name: &str) -> Option<EntityRef> {
        self.entities().find(|entity| self.entity_name(*entity) == name)
    }

    /// The entity called `name`, or a message that gives the nearest name.
    pub fn find_entity(&self, name: &str) -> Result<EntityRef, String> {
        self.entity(name).ok_or_else(|| {
            let names: Vec<&str> = self.entities().map(|entity| self.entity_name(entity)).collect();
            let hint = did_you_mean(name, &names).map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
            format!("entity \"{name}\": not found{hint}")
        })
    }

    /// The entity with this id, if it is still present.
    pub fn entity_of(&self, id: EntityId) -> Option<EntityRef> {
        self.entities().find(|entity| self.entity_id(*entity) == id)
    }

    /// Whether nothing moves an entity: a static block without an animation.
    pub fn is_static(&self, entity: EntityRef) -> bool {
        matches!(entity, EntityRef::Block(index) if self.blocks[index].is_static && !self.blocks[index].is_animated)
    }

    /// Name of an entity.
    pub fn entity_name(&self, entity: EntityRef) -> &str {
        match entity {
            EntityRef::Vehicle(index) => &self.vehicles[index].name,
            EntityRef::Block(index) => &self.blocks[index].name,
            EntityRef::Actor(index) => &self.actors[index].name,
        }
    }

    /// Id of an entity.
    pub fn entity_id(&self, entity: EntityRef) -> EntityId {
        match entity {
            EntityRef::Vehicle(index) => self.vehicles[index].id,
            EntityRef::Block(index) => self.blocks[index].id,
            EntityRef::Actor(index) => self.actors[index].id,
        }
    }

    /// What sensors say of an entity.
    pub fn entity_label(&self, entity: EntityRef) -> &Label {
        match entity {
            EntityRef::Vehicle(index) => &self.vehicles[index].label,
            EntityRef::Block(index) => &self.blocks[index].label,
            EntityRef::Actor(index) => &self.actors[index].label,
        }
    }

    /// Lower and upper corner [m] of the box around an entity, in its own frame. That of a vehicle includes its wheels, straight ahead.
    /// That of an actor is around its cylinder, up to the height of its figure. None of a block without an outline.
    pub fn bounds_of(&self, entity: EntityRef) -> Option<[Vec3; 2]> {
        match entity {
            EntityRef::Vehicle(index) => vehicle_bounds(&self.vehicles[index]),
            EntityRef::Block(index) => {
                let info = &self.blocks[index];
                bounds(info.outline.iter().copied(), info.z)
            }
            EntityRef::Actor(index) => {
                let info = &self.actors[index];
                let (radius, top) = (info.collision_radius, info.height.max(info.collision_height));
                Some([Vec3::new(-radius, -radius, 0.0), Vec3::new(radius, radius, top)])
            }
        }
    }
}

impl Frame {
    /// Pose of an entity in the world [m, rad].
    pub fn pose_of(&self, entity: EntityRef) -> Pose3 {
        match entity {
            EntityRef::Vehicle(index) => self.vehicles[index].world_from_body,
            EntityRef::Block(index) => self.blocks[index],
            EntityRef::Actor(index) => self.actors[index].world_from_actor,
        }
    }

    /// Velocity of an entity in its own frame.
    pub fn velocity_of(&self, entity: EntityRef) -> EntityVelocity {
        match entity {
            EntityRef::Vehicle(index) => self.vehicles[index].velocity_in_body.into(),
            EntityRef::Block(index) => self.block_velocities[index].into(),
            EntityRef::Actor(index) => {
                let actor = &self.actors[index];
                let linear = actor.world_from_actor.rotation().transpose() * actor.velocity_in_world;
                EntityVelocity { linear, yaw_rate: actor.yaw_rate }
            }
        }
    }
}

fn vehicle_bounds(info: &VehicleInfo) -> Option<[Vec3; 2]> {
    let outline = |wheel: &WheelInfo| rectangle([wheel.radius, 0.5 * wheel.width], wheel.position, wheel.mount_yaw);
    let corners = info.wheels.iter().flat_map(outline);
    let top = info.wheels.iter().map(|wheel| 2.0 * wheel.radius).fold(info.chassis_z[1], f64::max);
    let front = info.front.iter().flat_map(|front| &front.outline);
    let top = info.front.iter().map(|front| front.z[1]).fold(top, f64::max);
    bounds(corners.chain(info.outline.iter().chain(front).copied()), [info.chassis_z[0].min(0.0), top])
}

/// The box around points [m] between two heights [m]; none without a point.
fn bounds(points: impl Iterator<Item = Vec2>, z: [f64; 2]) -> Option<[Vec3; 2]> {
    let mut bounds: Option<[Vec2; 2]> = None;
    for p in points {
        let [low, high] = bounds.unwrap_or([p, p]);
        bounds = Some([Vec2::new(low.x.min(p.x), low.y.min(p.y)), Vec2::new(high.x.max(p.x), high.y.max(p.y))]);
    }
    let (bottom, top) = (z[0].min(z[1]), z[0].max(z[1]));
    bounds.map(|[low, high]| [Vec3::new(low.x, low.y, bottom), Vec3::new(high.x, high.y, top)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{LoadOptions, ResetScope, Spot, World};

    /// A crate that slides ahead, a robot that stands, a walker, and a pigeon that rises and turns.
    fn world() -> World {
        let text = "<mvsim_world version=\"1.0\"><simul_timestep>0.01</simul_timestep>\
            <vehicle name=\"robot\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle>\
            <block name=\"crate\"><ground_friction>0</ground_friction><init_pose>0 9 90</init_pose><init_vel>0.5 0 0</init_vel>\
            <linear_damping>0</linear_damping><angular_damping>0</angular_damping>\
            <shape><pt>-1 -0.5</pt><pt>1 -0.5</pt><pt>1 0.5</pt><pt>-1 0.5</pt></shape><zmin>0</zmin><zmax>0.8</zmax></block>\
            <actor name=\"walker\"><init_pose>5 0 90</init_pose><walking_speed>1.5</walking_speed>\
            <path><waypoint>5 100 90</waypoint></path></actor>\
            <actor name=\"pigeon\"><init_pose3d>-5 0 1 0 0 0</init_pose3d><animation type=\"keyframes\">\
            <time_pose>0 0 0 0</time_pose><time_pose>4 8 0 90</time_pose></animation></actor></mvsim_world>";
        World::load_text("test", ".".as_ref(), text, &LoadOptions::default()).unwrap().0
    }

    fn run(world: &mut World, steps: usize) {
        for _ in 0..steps {
            world.step().unwrap();
        }
    }

    #[test]
    fn every_entity_has_a_name_an_id_a_box_and_a_velocity() {
        let mut world = world();
        run(&mut world, 100);
        let (scene, frame) = (world.scene(), world.frame());
        let names: Vec<&str> = scene.entities().map(|entity| scene.entity_name(entity)).collect();
        assert_eq!(names, ["robot", "crate", "walker", "pigeon"]);
        for entity in scene.entities() {
            assert_eq!(scene.entity_of(scene.entity_id(entity)), Some(entity));
            assert_eq!(scene.entity(scene.entity_name(entity)), Some(entity));
            assert!(scene.bounds_of(entity).is_some_and(|[low, high]| low.x < high.x && low.z < high.z));
        }
        let [crate_, walker, pigeon] = [EntityRef::Block(0), EntityRef::Actor(0), EntityRef::Actor(1)];
        let size = scene.bounds_of(crate_).map(|[low, high]| high - low).unwrap();
        assert_eq!(size, Vec3::new(2.0, 1.0, 0.8));
        assert!((frame.velocity_of(crate_).linear - Vec3::new(0.5, 0.0, 0.0)).norm() < 1e-9, "{frame:?}");
        assert!((frame.velocity_of(walker).linear - Vec3::new(1.5, 0.0, 0.0)).norm() < 1e-9);
        let velocity = frame.velocity_of(pigeon);
        assert!((velocity.linear.norm() - 2.0).abs() < 1e-9, "{velocity:?}");
        assert!((velocity.yaw_rate - std::f64::consts::FRAC_PI_8).abs() < 1e-3, "{velocity:?}");
    }

    #[test]
    fn an_actor_is_placed_and_goes_on_from_there() {
        let mut world = world();
        run(&mut world, 100);
        for (name, at, expected) in [("walker", [6.0, 50.0], [6.0 - 0.03, 51.5]), ("pigeon", [0.0, 3.0], [2.0, 3.0])] {
            let entity = world.scene().entity(name).unwrap();
            let (id, before) = (world.scene().entity_id(entity), world.frame().pose_of(entity));
            world.set_state(id, Some(Pose3 { x: at[0], y: at[1], ..before }), None).unwrap();
            assert_eq!(world.frame().pose_of(entity).x, at[0]);
            assert_eq!(world.frame().velocity_of(entity), EntityVelocity::default());
            run(&mut world, 100);
            let pose = world.frame().pose_of(entity);
            assert!((pose.x - expected[0]).hypot(pose.y - expected[1]) < 0.01, "{name}: {pose:?}");
            let refused = world.set_state(id, None::<Spot>, Some(Twist2::new(1.0, 0.0, 0.0))).unwrap_err();
            let message =
                format!("state of \"{name}\": the path of an actor sets its velocity\n  accepted: no velocity");
            assert_eq!(refused.to_string(), message);
        }
        world.reset();
        assert_eq!(world.frame().pose_of(EntityRef::Actor(0)).planar().position(), Vec2::new(5.0, 0.0));
        assert_eq!(world.frame().pose_of(EntityRef::Actor(1)).planar().position(), Vec2::new(-5.0, 0.0));
    }

    #[test]
    fn an_actor_is_removed_and_a_full_reset_brings_it_back_to_its_place() {
        let mut world = world();
        run(&mut world, 100);
        let id = |world: &World, name: &str| world.scene().entity(name).map(|entity| world.scene().entity_id(entity));
        let walker = id(&world, "walker").unwrap();
        world.remove(walker).unwrap();
        run(&mut world, 100);
        assert_eq!((world.frame().actors.len(), id(&world, "walker")), (1, None));
        assert!(world.remove(walker).is_err());
        world.reset();
        assert_eq!(id(&world, "walker"), None, "only a reset of what is there restores it");
        world.reset_with(ResetScope::ALL);
        assert_eq!(world.scene().entity("walker"), Some(EntityRef::Actor(0)));
        assert_ne!(id(&world, "walker"), Some(walker), "ids are never reused");
        run(&mut world, 100);
        assert!((world.frame().actors[0].world_from_actor.y - 1.5).abs() < 1e-9);
    }
}
