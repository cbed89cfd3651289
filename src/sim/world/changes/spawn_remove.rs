//! Spawning and removal of vehicles and blocks, and removal of actors, while the world runs.
//!
//! The lists of the scene, the frame and the world are parallel and in the order of arrival. A removed body takes its entries along;
//! one of the loaded world is kept for a reset, which restores it to its place. Indices shift then, and are recomputed from the
//! records ([`World::link`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use skidpad_math::Twist2;

use crate::sensor::{Reading, SensorLoad};
use crate::vehicle::wrong_pose;
use crate::world::actor::{Actor, ActorInfo};
use crate::world::blocks::{BlockRecord, StillShape};
use crate::world::changes::catalogue::{Built, names_in};
use crate::world::changes::settings::VehicleSettings;
use crate::world::driver::Driver;
use crate::world::joint::{BodyKey, JointInfo, JointRecord};
use crate::world::label::{Numbering, UNNUMBERED};
use crate::world::load::{block, place_on_ground, vehicle};
use crate::world::physics::DetachedBody;
use crate::world::vehicles::VehicleRecord;
use crate::world::{
    BlockInfo, BodyRef, Catalogue, EntityId, EntityRef, ExternalChange, Recipe, Scene, SpawnError, SpawnErrorKind,
    SpawnRequest, VehicleFrame, VehicleInfo, World,
};

/// Names and ids in a world, the bodies that were removed, and the catalogue to spawn from.
pub(in crate::world) struct BodyRegistry {
    pub catalogue: Arc<Catalogue>,
    /// All names in the world.
    names: BTreeSet<String>,
    /// The next id.
    next_id: u64,
    /// The next arrival number.
    next_order: u64,
    /// The numbers of labels.
    pub(in crate::world) labels: Numbering,
    removed: Removed,
    /// What has been spawned and is still there, in the order of arrival.
    pub(in crate::world) spawned: Vec<SpawnRequest>,
}

/// Bodies of the loaded world that were removed, in no order.
#[derive(Default)]
struct Removed {
    vehicles: Vec<RemovedVehicle>,
    blocks: Vec<RemovedBlock>,
    joints: Vec<(JointInfo, JointRecord)>,
    actors: Vec<(ActorInfo, Actor)>,
}

struct RemovedVehicle {
    info: VehicleInfo,
    record: VehicleRecord,
    body: DetachedBody,
    front: Option<DetachedBody>,
    frame: VehicleFrame,
    readings: Vec<Reading>,
}

struct RemovedBlock {
    info: BlockInfo,
    record: BlockRecord,
    body: Option<DetachedBody>,
}

impl BodyRegistry {
    /// The registry of a world without bodies.
    pub(in crate::world) fn new(catalogue: Catalogue) -> BodyRegistry {
        let (names, labels, removed) = (BTreeSet::new(), Numbering::default(), Removed::default());
        let catalogue = Arc::new(catalogue);
        BodyRegistry { catalogue, names, next_id: 0, next_order: 0, labels, removed, spawned: Vec::new() }
    }

    /// Assigns ids and labels to everything in the scene of a world that was just loaded, and registers the names.
    pub(in crate::world) fn enter_all(&mut self, scene: &mut Scene) {
        self.names = names_in(scene).cloned().collect();
        for id in ids_in(scene) {
            *id = self.new_id();
        }
        self.next_order = self.next_id;
        self.labels.enter_all(scene);
    }

    /// Names of the bodies of the loaded world that are gone, and that a full reset restores.
    pub(in crate::world) fn removed_names(&self) -> impl Iterator<Item = &String> {
        let vehicles = self.removed.vehicles.iter().map(|removed| &removed.info.name);
        let blocks = self.removed.blocks.iter().map(|removed| &removed.info.name);
        vehicles.chain(blocks).chain(self.removed.actors.iter().map(|(info, _)| &info.name))
    }

    /// Whether there are more bodies than numbers of labels.
    pub(in crate::world) fn lacks_labels(&self) -> bool {
        self.labels.is_used_up()
    }

    fn new_id(&mut self) -> EntityId {
        self.next_id += 1;
        EntityId(self.next_id - 1)
    }

    fn new_order(&mut self) -> u64 {
        self.next_order += 1;
        self.next_order - 1
    }

    /// Continues with the ids after those of `before`, for a scene that replaces its scene.
    pub(in crate::world) fn follow(&mut self, before: &BodyRegistry, scene: &mut Scene) {
        ids_in(scene).for_each(|id| id.0 += before.next_id);
        self.next_id += before.next_id;
    }
}

/// The ids of vehicles, blocks and actors, in this order.
fn ids_in(scene: &mut Scene) -> impl Iterator<Item = &mut EntityId> {
    let vehicles = scene.vehicles.iter_mut().map(|vehicle| &mut vehicle.id);
    let blocks = scene.blocks.iter_mut().map(|block| &mut block.id);
    vehicles.chain(blocks).chain(scene.actors.iter_mut().map(|actor| &mut actor.id))
}

impl World {
    /// The classes that can be spawned.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.registry.catalogue
    }

    /// `wanted` itself if the name is free, otherwise the first of `wanted_2`, `wanted_3`, … that is free.
    pub fn free_name(&self, wanted: &str) -> String {
        let is_free = |name: &String| !self.registry.names.contains(name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Spawns a vehicle or a block; it acts from the next step on. A sensor has its first reading at the next instant of its period.
    /// If it overlaps another body the two are moved apart, and frames report vehicles among them as colliding.
    ///
    /// # Errors
    /// Its name is in use, its pose is not finite or too far away, with its sensors those of the world exceed their
    /// budget, or no label is left for it where sensors report labels.
    pub fn spawn(&mut self, recipe: Recipe) -> Result<EntityId, SpawnError> {
        let name = recipe.name();
        if self.registry.names.contains(name) {
            let free = self.free_name(name);
            let message = format!("spawn \"{name}\": the name is taken\n  hint: \"{free}\" is free");
            return Err(SpawnError::new(SpawnErrorKind::NameTaken, message));
        }
        if let Some((wrong, accepted)) = wrong_pose(&recipe.pose()) {
            let message = format!("spawn \"{name}\": {wrong}\n  accepted: {accepted}");
            return Err(SpawnError::new(SpawnErrorKind::InvalidPose, message));
        }
        if let Built::Vehicle(vehicle) = &recipe.built {
            let new: SensorLoad = vehicle.sensors.iter().map(|sensor| SensorLoad::of(&**sensor, self.scene.step)).sum();
            if let Some(excess) = (self.sensor_load() + new).excess() {
                return Err(SpawnError::new(SpawnErrorKind::TooMuch, format!("spawn \"{name}\": with it {excess}")));
            }
        }
        if self.scene.has_labels() && !self.registry.labels.has_number_for(name) {
            let message = format!(
                "spawn \"{name}\": all {} labels are used\n  hint: reuse the name of a removed body",
                UNNUMBERED - 1
            );
            return Err(SpawnError::new(SpawnErrorKind::NoLabel, message));
        }
        self.registry.names.insert(name.to_owned());
        self.note(|_| ExternalChange::Spawn(recipe.request.clone()));
        self.registry.spawned.push(recipe.request);
        let before = self.physics.before_arrival();
        let id = match recipe.built {
            Built::Vehicle(vehicle) => self.add_vehicle(*vehicle),
            Built::Block(block) => self.add_block(*block),
        };
        self.physics.after_arrival(before);
        self.renew_senses();
        recipe.seen.into_iter().for_each(|models| self.keep_models(id, models));
        // From here on the sensors count as those of the world.
        drop(recipe.claim);
        Ok(id)
    }

    /// Removes a vehicle, a block or an actor, with its sensors, its commands and its joints.
    ///
    /// # Errors
    /// Nothing has this id.
    pub fn remove(&mut self, id: EntityId) -> Result<(), SpawnError> {
        let Some(entity) = self.scene.entity_of(id) else {
            let message = format!("nothing here has the id {}", id.0);
            return Err(SpawnError::new(SpawnErrorKind::Unknown, message));
        };
        self.note(|scene| ExternalChange::Remove(scene.entity_name(entity).to_owned()));
        match entity {
            EntityRef::Vehicle(index) => self.remove_vehicle(index),
            EntityRef::Block(index) => self.remove_block(index),
            EntityRef::Actor(index) => self.remove_actor(index),
        }
        self.renew_senses();
        Ok(())
    }

    /// What the sensors of all vehicles cost.
    pub fn sensor_load(&self) -> SensorLoad {
        let sensors = self.vehicles.iter().flat_map(|record| &record.sensors);
        sensors.map(|mounted| SensorLoad::of(&*mounted.sensor, self.scene.step)).sum()
    }

    /// Sizes of all lists from which a removal deletes entries, so that tests can check that nothing is left: bodies, scenery,
    /// collision_filter, bodies and colliders of the engine, shapes that lidars see, surfaces of the ground, sensors, readings and names.
    pub fn population_counts(&self) -> [usize; 10] {
        let [bodies, scenery, collision_filter, engine_bodies, colliders] = self.physics.counts();
        [
            bodies,
            scenery,
            collision_filter,
            engine_bodies,
            colliders,
            self.obstacles.mover_count(),
            self.terrain.surface_count(),
            self.vehicles.iter().map(|record| record.sensors.len()).sum(),
            self.frame.readings.len(),
            self.registry.names.len(),
        ]
    }

    fn add_vehicle(&mut self, loaded: vehicle::Loaded) -> EntityId {
        let mut loaded = loaded;
        let reach = 0.5 * loaded.info.chassis_z[1];
        place_on_ground(&mut loaded.info.world_from_start, loaded.height, reach, &self.terrain);
        let id = self.registry.new_id();
        loaded.info.id = id;
        let classes = &mut Arc::make_mut(&mut self.scene).label_classes;
        self.registry.labels.number(Some(&loaded.info.name), &mut loaded.info.label, classes);
        let (index, order) = (self.vehicles.len(), self.registry.new_order());
        self.place_vehicle(loaded, order, true);
        self.vehicles[index].vehicle.set_parallel_steer(self.settings.parallel_steer);
        Arc::make_mut(&mut self.scene).revision += 1;
        self.start_vehicle(index);
        id
    }

    /// Places a vehicle at its start, on the ground there.
    fn start_vehicle(&mut self, index: usize) {
        self.reset_vehicle(index);
        self.set_vehicle_on_ground(index);
        let pose = &mut self.frame.vehicles[index].world_from_body;
        *pose = self.vehicles[index].attitude.with(pose.planar());
    }

    fn add_block(&mut self, loaded: block::Loaded) -> EntityId {
        let mut loaded = loaded;
        place_on_ground(&mut loaded.info.world_from_start, loaded.height, 0.5 * loaded.info.z[1], &self.terrain);
        let id = self.registry.new_id();
        loaded.info.id = id;
        let classes = &mut Arc::make_mut(&mut self.scene).label_classes;
        self.registry.labels.number(Some(&loaded.info.name), &mut loaded.info.label, classes);
        let was_level = self.terrain.is_level();
        let ground = self.terrain.add_block(&loaded.info);
        self.terrain.mark_changed();
        let order = self.registry.new_order();
        self.place_block(loaded, ground, order, true);
        self.incline_blocks();
        Arc::make_mut(&mut self.scene).revision += 1;
        if was_level {
            // On level ground the guards were not updated.
            self.vehicles.iter_mut().for_each(|record| record.ledge_guard.forget());
        }
        id
    }

    pub(in crate::world) fn remove_vehicle(&mut self, index: usize) {
        self.detach_joints(BodyKey::Vehicle(self.vehicles[index].order));
        let first = self.first_reading(index);
        let mut record = self.vehicles.remove(index);
        // The front frame arrived after the rear one, whose index is therefore not shifted.
        let front = record.front.as_ref().map(|front| {
            front.joint.into_iter().for_each(|joint| self.physics.detach_joint(joint));
            self.physics.detach_body(front.body)
        });
        let body = self.physics.detach_body(record.body);
        let frame = self.frame.vehicles.remove(index);
        let readings: Vec<Reading> = self.frame.readings.drain(first..first + record.sensors.len()).collect();
        for commands in [&mut self.commands, &mut self.frame.commands] {
            commands.retain(|command| command.vehicle != index);
            commands.iter_mut().filter(|command| command.vehicle > index).for_each(|command| command.vehicle -= 1);
        }
        let scene = Arc::make_mut(&mut self.scene);
        let info = scene.vehicles.remove(index);
        scene.revision += 1;
        self.registry.names.remove(&info.name);
        record.settings = VehicleSettings::default();
        record.mend();
        if record.is_spawned {
            self.registry.spawned.retain(|request| request.name != info.name);
            record.all_shapes().for_each(|shape| self.obstacles.remove_mover(shape));
            front.iter().chain([&body]).for_each(|body| self.physics.forget(body));
            let joint = record.front.as_ref().and_then(|front| front.joint);
            joint.into_iter().for_each(|joint| self.physics.forget_joint(joint));
        } else {
            record.all_shapes().for_each(|shape| self.obstacles.set_mover_away(shape, true));
            self.registry.removed.vehicles.push(RemovedVehicle { info, record, body, front, frame, readings });
        }
        self.link();
    }

    pub(in crate::world) fn remove_block(&mut self, index: usize) {
        self.detach_joints(BodyKey::Block(self.blocks[index].order));
        let record = self.blocks.remove(index);
        let body = record.body.as_ref().map(|block| self.physics.detach_body(block.body));
        self.frame.blocks.remove(index);
        self.frame.block_velocities.remove(index);
        let scene = Arc::make_mut(&mut self.scene);
        let info = scene.blocks.remove(index);
        scene.revision += 1;
        self.registry.names.remove(&info.name);
        if let Some((number, shape)) = record.scenery {
            self.physics.detach_scenery(number, record.is_spawned);
            match shape {
                StillShape::First(shape) => self.obstacles.set_static_away(shape, true),
                StillShape::Later(shape) => self.obstacles.remove_mover(shape),
            }
        }
        let shape = record.body.as_ref().map(|block| block.shape);
        if record.is_spawned {
            self.registry.spawned.retain(|request| request.name != info.name);
            self.terrain.remove_block(record.ground);
            shape.into_iter().for_each(|shape| self.obstacles.remove_mover(shape));
            body.iter().for_each(|body| self.physics.forget(body));
        } else {
            self.terrain.set_block_away(record.ground, true);
            shape.into_iter().for_each(|shape| self.obstacles.set_mover_away(shape, true));
            self.registry.removed.blocks.push(RemovedBlock { info, record, body });
        }
        self.link();
        if self.terrain.is_level() {
            // It was the last piece of ground: bodies on it are set down here, since steps on level ground do not update heights.
            self.follow_uneven_ground();
        }
    }

    pub(in crate::world) fn remove_actor(&mut self, index: usize) {
        let actor = self.actors.remove(index);
        self.frame.actors.remove(index);
        let scene = Arc::make_mut(&mut self.scene);
        let info = scene.actors.remove(index);
        scene.revision += 1;
        self.registry.names.remove(&info.name);
        actor.shape.into_iter().for_each(|shape| self.obstacles.set_mover_away(shape, true));
        self.registry.removed.actors.push((info, actor));
    }

    fn restore_actor(&mut self, info: ActorInfo, actor: Actor) {
        let mut info = info;
        info.id = self.registry.new_id();
        self.registry.names.insert(info.name.clone());
        actor.shape.into_iter().for_each(|shape| self.obstacles.set_mover_away(shape, false));
        let index = self.actors.partition_point(|known| known.order < actor.order);
        self.frame.actors.insert(index, actor.frame());
        self.actors.insert(index, actor);
        let scene = Arc::make_mut(&mut self.scene);
        scene.actors.insert(index, info);
        scene.revision += 1;
    }

    /// Removes spawned bodies, and restores removed bodies and actors of the loaded world.
    pub(in crate::world) fn restore_bodies(&mut self) {
        for index in (0..self.vehicles.len()).rev() {
            if self.vehicles[index].is_spawned {
                self.remove_vehicle(index);
            }
        }
        for index in (0..self.blocks.len()).rev() {
            if self.blocks[index].is_spawned {
                self.remove_block(index);
            }
        }
        let Removed { mut vehicles, mut blocks, mut joints, actors } = std::mem::take(&mut self.registry.removed);
        actors.into_iter().for_each(|(info, actor)| self.restore_actor(info, actor));
        if vehicles.is_empty() && blocks.is_empty() {
            return;
        }
        blocks.sort_by_key(|block| block.record.order);
        vehicles.sort_by_key(|vehicle| vehicle.record.order);
        joints.sort_by_key(|(_, joint)| joint.order);
        blocks.into_iter().for_each(|block| self.restore_block(block));
        vehicles.into_iter().for_each(|vehicle| self.restore_vehicle(vehicle));
        joints.into_iter().for_each(|(info, record)| self.restore_joint(info, record));
        self.link();
        self.physics.restart_engine(false);
    }

    fn restore_vehicle(&mut self, removed: RemovedVehicle) {
        let RemovedVehicle { mut info, mut record, body, front, frame, readings } = removed;
        record.driver.iter_mut().for_each(Driver::reset);
        record.vehicle.set_parallel_steer(self.settings.parallel_steer);
        let now = self.frame.time;
        record.sensors.iter_mut().for_each(|mounted| mounted.due.restart(now));
        record.all_shapes().for_each(|shape| self.obstacles.set_mover_away(shape, false));
        let joint = record.front.as_ref().and_then(|front| front.joint);
        let index = self.vehicles.partition_point(|other| other.order < record.order);
        for commands in [&mut self.commands, &mut self.frame.commands] {
            commands.iter_mut().filter(|command| command.vehicle >= index).for_each(|command| command.vehicle += 1);
        }
        let first = self.first_reading(index);
        self.frame.readings.splice(first..first, readings);
        self.frame.vehicles.insert(index, frame);
        self.vehicles.insert(index, record);
        self.physics.attach_body(body);
        front.into_iter().for_each(|front| self.physics.attach_body(front));
        joint.into_iter().for_each(|joint| self.physics.attach_joint(joint));
        info.id = self.registry.new_id();
        self.registry.names.insert(info.name.clone());
        let scene = Arc::make_mut(&mut self.scene);
        scene.vehicles.insert(index, info);
        scene.revision += 1;
        self.link();
        self.start_vehicle(index);
    }

    fn restore_block(&mut self, removed: RemovedBlock) {
        let RemovedBlock { mut info, record, body } = removed;
        self.terrain.set_block_away(record.ground, false);
        if let Some((number, shape)) = record.scenery {
            self.physics.attach_scenery(number);
            if let StillShape::First(shape) = shape {
                self.obstacles.set_static_away(shape, false);
            }
        }
        if let Some(block) = &record.body {
            self.obstacles.set_mover_away(block.shape, false);
        }
        body.into_iter().for_each(|body| self.physics.attach_body(body));
        let index = self.blocks.partition_point(|other| other.order < record.order);
        self.frame.blocks.insert(index, info.world_from_start);
        self.frame.block_velocities.insert(index, Twist2::ZERO);
        self.blocks.insert(index, record);
        info.id = self.registry.new_id();
        self.registry.names.insert(info.name.clone());
        let scene = Arc::make_mut(&mut self.scene);
        scene.blocks.insert(index, info);
        scene.revision += 1;
        self.link();
        self.reset_block(index);
    }

    /// Detaches the joints of a body.
    fn detach_joints(&mut self, body: BodyKey) {
        let mut index = 0;
        while index < self.joints.len() {
            if !self.joints[index].ends.contains(&body) {
                index += 1;
                continue;
            }
            let record = self.joints.remove(index);
            let info = Arc::make_mut(&mut self.scene).joints.remove(index);
            if let Some(number) = record.number {
                self.physics.detach_joint(number);
            }
            self.registry.removed.joints.push((info, record));
        }
    }

    fn restore_joint(&mut self, info: JointInfo, record: JointRecord) {
        if let Some(number) = record.number {
            self.physics.attach_joint(number);
        }
        let index = self.joints.partition_point(|other| other.order < record.order);
        self.joints.insert(index, record);
        Arc::make_mut(&mut self.scene).joints.insert(index, info);
    }

    /// Index in the frame of the first reading of the vehicle with this index.
    pub(in crate::world) fn first_reading(&self, vehicle: usize) -> usize {
        self.vehicles[..vehicle].iter().map(|record| record.sensors.len()).sum()
    }

    /// Recomputes all indices after a body was removed or restored: of rigid bodies, of blocks that can move, of the vehicles that own
    /// shapes and readings, and of the bodies at the ends of joints. They follow from the order of arrival.
    fn link(&mut self) {
        self.heights_are_known = false;
        for record in &mut self.vehicles {
            record.body = self.physics.index_of(record.body_arrival).unwrap_or(record.body);
            if let Some(front) = &mut record.front {
                front.body = self.physics.index_of(front.arrival).unwrap_or(front.body);
            }
        }
        for block in self.blocks.iter_mut().filter_map(|record| record.body.as_mut()) {
            block.body = self.physics.index_of(block.arrival).unwrap_or(block.body);
        }
        self.moving_blocks.clear();
        let moving = self.blocks.iter().enumerate().filter(|(_, record)| record.can_move());
        self.moving_blocks.extend(moving.map(|(index, _)| index));
        let mut readings = self.frame.readings.iter_mut();
        for (index, record) in self.vehicles.iter().enumerate() {
            record.all_shapes().for_each(|shape| self.obstacles.set_owner(shape, index));
            readings.by_ref().take(record.sensors.len()).for_each(|reading| reading.vehicle = index);
        }
        if self.joints.is_empty() {
            return;
        }
        let infos = &mut Arc::make_mut(&mut self.scene).joints;
        for (end, key) in
            infos.iter_mut().flat_map(|info| &mut info.ends).zip(self.joints.iter().flat_map(|joint| joint.ends))
        {
            end.body = match key {
                BodyKey::Vehicle(order) => BodyRef::Vehicle(self.vehicles.partition_point(|other| other.order < order)),
                BodyKey::Block(order) => BodyRef::Block(self.blocks.partition_point(|other| other.order < order)),
            };
        }
    }
}
