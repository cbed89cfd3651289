//! Vehicles and blocks that come and go while the world runs.
//!
//! Lists of the scene, the frame and the world are parallel and in the order of arrival; what leaves takes its entries along, and what
//! was there at first keeps them until a reset brings it back. All else that knows a body by an index is told of the change here.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::blocks::{BlockBody, BlockPlace, StillShape};
use super::catalogue::{Built, names_in, wrong_pose};
use super::joint::JointInfo;
use super::ledges::Footing;
use super::load::{block, stand, vehicle};
use super::mover::Mover;
use super::physics::Departed;
use super::track::Seat;
use super::world::Mounted;
use super::{
    BlockInfo, BodyIndex, BodyRef, Catalogue, EntityId, JointNumber, Recipe, Scene, SpawnError, SpawnErrorKind,
    VehicleFrame, VehicleInfo, World,
};
use crate::math::{Vec2, Vec3};
use crate::sensor::Reading;
use crate::vehicle::{Command, WheelFrame, wheel_outline};

/// Who is there, who was, and who may come.
pub(super) struct Population {
    pub catalogue: Arc<Catalogue>,
    /// All names in the world.
    names: BTreeSet<String>,
    /// What the next one to come is called.
    next_id: u64,
    /// The place of the next one in the order of arrival.
    next_order: u64,
    away: Away,
}

/// What was there at first and has left, in no order.
#[derive(Default)]
struct Away {
    vehicles: Vec<AwayVehicle>,
    blocks: Vec<AwayBlock>,
    joints: Vec<AwayJoint>,
}

struct AwayVehicle {
    info: VehicleInfo,
    mover: Mover,
    body: Departed,
    sensors: Vec<(Mounted, Reading)>,
    seat: Option<Seat>,
    frame: VehicleFrame,
}

struct AwayBlock {
    info: BlockInfo,
    body: Option<(BlockBody, Departed)>,
    place: BlockPlace,
    motion: Option<super::animation::Keyframes>,
}

/// A joint, with its bodies by kind and order of arrival.
struct AwayJoint {
    info: JointInfo,
    number: Option<JointNumber>,
    ends: [(bool, u64); 2],
    /// Its place among all joints of the world.
    order: usize,
}

impl Population {
    /// Numbers what is in a scene.
    pub(super) fn new(catalogue: Catalogue, scene: &mut Scene) -> Population {
        let names = names_in(scene).cloned().collect();
        let vehicles = scene.vehicles.iter_mut().map(|vehicle| &mut vehicle.id);
        let mut next_id = 0;
        for id in vehicles.chain(scene.blocks.iter_mut().map(|block| &mut block.id)) {
            *id = EntityId(next_id);
            next_id += 1;
        }
        let catalogue = Arc::new(catalogue);
        Population { catalogue, names, next_id, next_order: next_id, away: Away::default() }
    }

    fn new_id(&mut self) -> EntityId {
        self.next_id += 1;
        EntityId(self.next_id - 1)
    }

    fn new_order(&mut self) -> u64 {
        self.next_order += 1;
        self.next_order - 1
    }

    /// Goes on with numbers behind those of `before`, for a scene that takes the place of its scene.
    pub(super) fn follow(&mut self, before: &Population, scene: &mut Scene) {
        let vehicles = scene.vehicles.iter_mut().map(|vehicle| &mut vehicle.id);
        for id in vehicles.chain(scene.blocks.iter_mut().map(|block| &mut block.id)) {
            id.0 += before.next_id;
        }
        self.next_id += before.next_id;
    }
}

impl World {
    /// What can be added.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.population.catalogue
    }

    /// `wanted` itself if nothing is called so, or else the first of `wanted_2`, `wanted_3`, … that is free.
    pub fn free_name(&self, wanted: &str) -> String {
        let is_free = |name: &String| !self.population.names.contains(name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Puts something into the world, as it is now; it acts from the next step on. A sensor has its first reading at the next instant of
    /// its period. Where something else stands the engine parts both, and frames say of vehicles that they collide.
    ///
    /// # Errors
    /// Its name is taken, or nothing can stand at its pose.
    pub fn spawn(&mut self, recipe: Recipe) -> Result<EntityId, SpawnError> {
        let name = recipe.name();
        if self.population.names.contains(name) {
            let free = self.free_name(name);
            let message = format!("spawn \"{name}\": something is called so already\n  hint: \"{free}\" is free");
            return Err(SpawnError::new(SpawnErrorKind::NameTaken, message));
        }
        if let Some((wrong, accepted)) = wrong_pose(&recipe.pose()) {
            let message = format!("spawn \"{name}\": {wrong}\n  accepted: {accepted}");
            return Err(SpawnError::new(SpawnErrorKind::InvalidPose, message));
        }
        self.population.names.insert(name.to_owned());
        let before = self.physics.before_arrival();
        let id = match recipe.what {
            Built::Vehicle(vehicle) => self.add_vehicle(*vehicle),
            Built::Block(block) => self.add_block(*block),
        };
        self.physics.after_arrival(before);
        Ok(id)
    }

    /// Takes a vehicle or a block away, with everything that hangs on it.
    ///
    /// # Errors
    /// Nothing has this id.
    pub fn remove(&mut self, id: EntityId) -> Result<(), SpawnError> {
        if let Some(index) = self.scene.vehicle_of(id) {
            self.remove_vehicle(index);
        } else if let Some(index) = self.scene.block_of(id) {
            self.remove_block(index);
        } else {
            let message = format!("nothing here has the id {}", id.0);
            return Err(SpawnError::new(SpawnErrorKind::Unknown, message));
        }
        Ok(())
    }

    /// How many entries the lists hold that something could be left behind in, for those who watch that nothing is: bodies, scenery and
    /// storeys, bodies and colliders of the engine, shapes that lidars see, surfaces of the ground, sensors, readings and names.
    pub fn population_counts(&self) -> [usize; 10] {
        let [bodies, scenery, storeys, engine_bodies, colliders] = self.physics.counts();
        [
            bodies,
            scenery,
            storeys,
            engine_bodies,
            colliders,
            self.obstacles.mover_count(),
            self.terrain.surface_count(),
            self.sensors.len(),
            self.frame.readings.len(),
            self.population.names.len(),
        ]
    }

    /// Lower and upper corner [m] of the box around a vehicle or a block, in its own frame; a vehicle with its wheels.
    pub fn bounds_of(&self, id: EntityId) -> Option<[Vec3; 2]> {
        if let Some(index) = self.scene.vehicle_of(id) {
            let (info, wheels) = (&self.scene.vehicles[index], self.movers[index].vehicle.wheels());
            let corners = wheels.iter().flat_map(wheel_outline);
            let top = info.wheels.iter().map(|wheel| 2.0 * wheel.radius).fold(info.chassis_z[1], f64::max);
            return bounds(corners.chain(info.outline.iter().copied()), [info.chassis_z[0].min(0.0), top]);
        }
        let info = &self.scene.blocks[self.scene.block_of(id)?];
        bounds(info.outline.iter().copied(), info.z)
    }

    fn add_vehicle(&mut self, loaded: vehicle::Loaded) -> EntityId {
        let index = self.movers.len();
        let (body, shapes) = loaded.place(index, &mut self.physics, &mut self.obstacles);
        let vehicle::Loaded { mut info, vehicle, sensors, start_velocity_in_body, keeps_height, animation, .. } =
            loaded;
        if !keeps_height {
            stand(&mut info.world_from_start, 0.5 * info.chassis_z[1], &self.terrain);
        }
        let mut mover = Mover::new(vehicle, body, shapes, start_velocity_in_body);
        (mover.order, mover.is_spawned) = (self.population.new_order(), true);
        mover.animation = animation;
        mover.footing = Footing::new(&info);
        mover.vehicle.set_parallel_steer(self.parallel_steer);
        let wheels = vec![WheelFrame::default(); mover.vehicle.wheels().len()];
        let now = self.frame.time;
        for (number, sensor) in sensors.into_iter().enumerate() {
            let (mounted, reading) = Mounted::new(index, number, sensor, now);
            self.sensors.push(mounted);
            self.frame.readings.push(reading);
        }
        let id = self.population.new_id();
        info.id = id;
        self.movers.push(mover);
        self.frame.vehicles.push(VehicleFrame { wheels, ..VehicleFrame::default() });
        let scene = Arc::make_mut(&mut self.scene);
        scene.vehicles.push(info);
        scene.revision += 1;
        self.start_vehicle(index);
        id
    }

    /// Puts a vehicle to its start, on the ground there.
    fn start_vehicle(&mut self, index: usize) {
        self.rest_vehicle(index);
        self.settle_vehicle(index);
        let mover = &self.movers[index];
        let pose = &mut self.frame.vehicles[index].world_from_body;
        *pose = mover.attitude.with(pose.planar());
    }

    fn add_block(&mut self, loaded: block::Loaded) -> EntityId {
        let index = self.blocks.len();
        let mut loaded = loaded;
        if !loaded.keeps_height {
            let reach = 0.5 * loaded.info.z[1];
            stand(&mut loaded.info.world_from_start, reach, &self.terrain);
        }
        let gravity = self.population.catalogue.scalars.gravity;
        let (body, scenery) = loaded.place(&mut self.physics, &mut self.obstacles, gravity, false);
        let block::Loaded { mut info, animation, keeps_height, .. } = loaded;
        let was_level = self.terrain.is_level();
        let ground = self.terrain.add_block(&info);
        self.terrain.touch();
        let order = self.population.new_order();
        self.blocks.push(body);
        self.places.push(BlockPlace { order, is_spawned: true, ground, scenery, keeps_height, stood_at: None });
        self.pushed_blocks.extend(info.is_pushed().then_some(index));
        self.moving_blocks.extend(animation.map(|keyframes| (index, keyframes)));
        self.frame.blocks.push(info.world_from_start);
        let id = self.population.new_id();
        info.id = id;
        let scene = Arc::make_mut(&mut self.scene);
        scene.blocks.push(info);
        scene.revision += 1;
        if was_level {
            // Footings know nothing of steps yet.
            self.movers.iter_mut().for_each(|mover| mover.footing.forget());
        }
        id
    }

    fn remove_vehicle(&mut self, index: usize) {
        self.part_with_joints(BodyRef::Vehicle(index));
        let mover = self.movers.remove(index);
        let body = self.part_with_body(mover.body);
        let frame = self.frame.vehicles.remove(index);
        let seat = if self.drivers.len() > index { self.drivers.remove(index) } else { None };
        let mut sensors = Vec::new();
        if let Some(first) = self.sensors.iter().position(|mounted| mounted.vehicle == index) {
            let count = self.sensors[first..].iter().take_while(|mounted| mounted.vehicle == index).count();
            let readings = self.frame.readings.drain(first..first + count);
            sensors = self.sensors.drain(first..first + count).zip(readings).collect();
        }
        for commands in [&mut self.commands, &mut self.frame.commands] {
            commands.retain(|command| command.vehicle != index);
        }
        self.renumber_vehicles(|other| if other > index { other - 1 } else { other });
        let scene = Arc::make_mut(&mut self.scene);
        let info = scene.vehicles.remove(index);
        scene.revision += 1;
        self.population.names.remove(&info.name);
        self.own.forget(info.id);
        if mover.is_spawned {
            mover.shapes.iter().for_each(|&shape| self.obstacles.remove_mover(shape));
            self.physics.forget(&body);
        } else {
            mover.shapes.iter().for_each(|&shape| self.obstacles.set_mover_away(shape, true));
            self.population.away.vehicles.push(AwayVehicle { info, mover, body, sensors, seat, frame });
        }
        self.set_owners();
    }

    fn remove_block(&mut self, index: usize) {
        self.part_with_joints(BodyRef::Block(index));
        let place = self.places.remove(index);
        let body = self.blocks.remove(index).map(|block| {
            let departed = self.part_with_body(block.body);
            (block, departed)
        });
        self.frame.blocks.remove(index);
        self.pushed_blocks.retain(|&other| other != index);
        let motion = self.moving_blocks.iter().position(|(other, _)| *other == index);
        let motion = motion.map(|motion| self.moving_blocks.remove(motion).1);
        self.renumber_blocks(|other| if other > index { other - 1 } else { other });
        let scene = Arc::make_mut(&mut self.scene);
        let info = scene.blocks.remove(index);
        scene.revision += 1;
        self.population.names.remove(&info.name);
        if let Some((number, shape)) = place.scenery {
            self.physics.part_with_scenery(number, place.is_spawned);
            match shape {
                StillShape::First(shape) => self.obstacles.set_static_away(shape, true),
                StillShape::Later(shape) => self.obstacles.remove_mover(shape),
            }
        }
        if place.is_spawned {
            self.terrain.remove_block(place.ground);
            if let Some((block, departed)) = &body {
                self.obstacles.remove_mover(block.shape);
                self.physics.forget(departed);
            }
        } else {
            self.terrain.take_block(place.ground);
            if let Some((block, _)) = &body {
                self.obstacles.set_mover_away(block.shape, true);
            }
            self.population.away.blocks.push(AwayBlock { info, body, place, motion });
        }
        if self.terrain.is_level() {
            // It was the last ground there was: what stood on it comes down, which level ground does not look after.
            self.settle_on_ground();
        }
    }

    /// What came is gone, and what left is back.
    pub(super) fn restore_population(&mut self) {
        for index in (0..self.movers.len()).rev().filter(|&index| self.movers[index].is_spawned).collect::<Vec<_>>() {
            self.remove_vehicle(index);
        }
        for index in (0..self.places.len()).rev().filter(|&index| self.places[index].is_spawned).collect::<Vec<_>>() {
            self.remove_block(index);
        }
        let Away { mut vehicles, mut blocks, mut joints } = std::mem::take(&mut self.population.away);
        let is_changed = !vehicles.is_empty() || !blocks.is_empty();
        blocks.sort_by_key(|block| block.place.order);
        vehicles.sort_by_key(|vehicle| vehicle.mover.order);
        joints.sort_by_key(|joint| joint.order);
        blocks.into_iter().for_each(|block| self.bring_back_block(block));
        vehicles.into_iter().for_each(|vehicle| self.bring_back_vehicle(vehicle));
        joints.into_iter().for_each(|joint| self.bring_back_joint(joint));
        if is_changed {
            self.set_owners();
            self.physics.renew(false);
        }
    }

    fn bring_back_vehicle(&mut self, away: AwayVehicle) {
        let AwayVehicle { mut info, mut mover, body, sensors, mut seat, frame } = away;
        // It begins anew where it starts.
        seat.iter_mut().for_each(Seat::reset);
        let index = self.movers.partition_point(|other| other.order < mover.order);
        self.renumber_vehicles(|other| if other >= index { other + 1 } else { other });
        mover.body = self.readmit_body(body);
        mover.shapes.iter().for_each(|&shape| self.obstacles.set_mover_away(shape, false));
        mover.vehicle.set_parallel_steer(self.parallel_steer);
        self.movers.insert(index, mover);
        self.frame.vehicles.insert(index, frame);
        if self.drivers.len() >= index && (seat.is_some() || !self.drivers.is_empty()) {
            self.drivers.insert(index, seat);
        } else if seat.is_some() {
            self.drivers.resize_with(index, || None);
            self.drivers.push(seat);
        }
        let first = self.sensors.partition_point(|mounted| mounted.vehicle < index);
        let now = self.frame.time;
        for (number, (mut mounted, mut reading)) in sensors.into_iter().enumerate() {
            (mounted.vehicle, reading.vehicle) = (index, index);
            mounted.due.restart(now);
            self.sensors.insert(first + number, mounted);
            self.frame.readings.insert(first + number, reading);
        }
        info.id = self.population.new_id();
        self.population.names.insert(info.name.clone());
        let scene = Arc::make_mut(&mut self.scene);
        scene.vehicles.insert(index, info);
        scene.revision += 1;
        self.start_vehicle(index);
    }

    fn bring_back_block(&mut self, away: AwayBlock) {
        let AwayBlock { mut info, body, place, motion } = away;
        let index = self.places.partition_point(|other| other.order < place.order);
        self.renumber_blocks(|other| if other >= index { other + 1 } else { other });
        self.terrain.give_back_block(place.ground);
        if let Some((number, shape)) = place.scenery {
            self.physics.readmit_scenery(number);
            if let StillShape::First(shape) = shape {
                self.obstacles.set_static_away(shape, false);
            }
        }
        let block = body.map(|(mut block, departed)| {
            block.body = self.readmit_body(departed);
            self.obstacles.set_mover_away(block.shape, false);
            block
        });
        if let Some(motion) = motion {
            let at = self.moving_blocks.partition_point(|(other, _)| *other < index);
            self.moving_blocks.insert(at, (index, motion));
        }
        if info.is_pushed() {
            let at = self.pushed_blocks.partition_point(|&other| other < index);
            self.pushed_blocks.insert(at, index);
        }
        self.frame.blocks.insert(index, info.world_from_start);
        self.blocks.insert(index, block);
        self.places.insert(index, place);
        info.id = self.population.new_id();
        self.population.names.insert(info.name.clone());
        let scene = Arc::make_mut(&mut self.scene);
        scene.blocks.insert(index, info);
        scene.revision += 1;
        self.rest_block(index);
    }

    /// Takes away the joints that hang on a body.
    fn part_with_joints(&mut self, body: BodyRef) {
        if !self.scene.joints.iter().any(|joint| joint.ends.iter().any(|end| end.body == body)) {
            return;
        }
        let scene = Arc::make_mut(&mut self.scene);
        let mut index = 0;
        while index < scene.joints.len() {
            if !scene.joints[index].ends.iter().any(|end| end.body == body) {
                index += 1;
                continue;
            }
            let info = scene.joints.remove(index);
            let (order, number) = self.joint_numbers.remove(index);
            if let Some(number) = number {
                self.physics.part_with_joint(number);
            }
            let ends = [0, 1].map(|end| match info.ends[end].body {
                BodyRef::Vehicle(index) => (true, self.movers[index].order),
                BodyRef::Block(index) => (false, self.places[index].order),
            });
            self.population.away.joints.push(AwayJoint { info, number, ends, order });
        }
    }

    fn bring_back_joint(&mut self, joint: AwayJoint) {
        let AwayJoint { mut info, number, ends, order } = joint;
        for (end, (is_vehicle, order)) in info.ends.iter_mut().zip(ends) {
            end.body = if is_vehicle {
                BodyRef::Vehicle(self.movers.partition_point(|mover| mover.order < order))
            } else {
                BodyRef::Block(self.places.partition_point(|place| place.order < order))
            };
        }
        if let Some(number) = number {
            self.physics.readmit_joint(number);
        }
        let index = self.joint_numbers.partition_point(|(other, _)| *other < order);
        self.joint_numbers.insert(index, (order, number));
        Arc::make_mut(&mut self.scene).joints.insert(index, info);
    }

    fn part_with_body(&mut self, body: BodyIndex) -> Departed {
        let departed = self.physics.part_with(body);
        self.renumber_bodies(|other| if other > body { other - 1 } else { other });
        departed
    }

    fn readmit_body(&mut self, departed: Departed) -> BodyIndex {
        let body = self.physics.readmit(departed);
        self.renumber_bodies(|other| if other >= body { other + 1 } else { other });
        body
    }

    fn renumber_bodies(&mut self, change: impl Fn(BodyIndex) -> BodyIndex) {
        self.movers.iter_mut().for_each(|mover| mover.body = change(mover.body));
        self.blocks.iter_mut().flatten().for_each(|block| block.body = change(block.body));
    }

    fn renumber_vehicles(&mut self, change: impl Fn(usize) -> usize) {
        self.sensors.iter_mut().for_each(|mounted| mounted.vehicle = change(mounted.vehicle));
        self.frame.readings.iter_mut().for_each(|reading| reading.vehicle = change(reading.vehicle));
        let commands: [&mut Vec<Command>; 2] = [&mut self.commands, &mut self.frame.commands];
        commands.into_iter().flatten().for_each(|command| command.vehicle = change(command.vehicle));
        self.renumber_joints(|body| match body {
            BodyRef::Vehicle(index) => BodyRef::Vehicle(change(index)),
            BodyRef::Block(_) => body,
        });
    }

    fn renumber_blocks(&mut self, change: impl Fn(usize) -> usize) {
        self.pushed_blocks.iter_mut().for_each(|index| *index = change(*index));
        self.moving_blocks.iter_mut().for_each(|(index, _)| *index = change(*index));
        self.renumber_joints(|body| match body {
            BodyRef::Block(index) => BodyRef::Block(change(index)),
            BodyRef::Vehicle(_) => body,
        });
    }

    fn renumber_joints(&mut self, change: impl Fn(BodyRef) -> BodyRef) {
        if !self.scene.joints.is_empty() {
            let joints = &mut Arc::make_mut(&mut self.scene).joints;
            joints.iter_mut().flat_map(|joint| &mut joint.ends).for_each(|end| end.body = change(end.body));
        }
    }

    /// Tells the lidars' shapes whose they are.
    fn set_owners(&mut self) {
        for (index, mover) in self.movers.iter().enumerate() {
            mover.shapes.iter().for_each(|&shape| self.obstacles.set_owner(shape, index));
        }
    }
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
