//! The world: everything that moves, and the step that moves it.

use std::sync::Arc;

use rayon::prelude::*;

use super::actor::Actor;
use super::animation::Keyframes;
use super::blocks::{BlockBody, BlockPlace};
use super::carry::{block_heights, vehicle_heights};
use super::mover::Mover;
use super::own::OwnSettings;
use super::population::Population;
use super::region::Regions;
use super::relocate::OdometryOnTeleport;
use super::state::{Landing, take_along};
use super::terrain::Terrain;
use super::track::Seat;
use super::{Catalogue, CommandError, Frame, JointNumber, Physics, Scene, StepError, VehicleFrame};
use crate::raycast::{ALL_HEIGHTS, GridCaster, Obstacles};
use crate::sensor::{Reading, Sensor, View};
use crate::time::{Periodic, SimTime};
use crate::vehicle::{Action, Command, Effect, Situation, Vehicle, WheelFrame};

/// A sensor and when it is due.
pub(super) struct Mounted {
    pub vehicle: usize,
    pub sensor: Box<dyn Sensor>,
    pub due: Periodic,
    is_due: bool,
}

impl Mounted {
    /// A sensor that is mounted at simulated time `now` [ns] on the vehicle with this index, as the one with index `number` there;
    /// and the slot for its readings.
    pub(super) fn new(vehicle: usize, number: usize, sensor: Box<dyn Sensor>, now: SimTime) -> (Mounted, Reading) {
        let reading = Reading { vehicle, sensor: number, time: NEVER, data: sensor.new_reading() };
        let due = Periodic::after(sensor.info().period, now);
        (Mounted { vehicle, sensor, due, is_due: false }, reading)
    }
}

/// The time of a reading that has not been taken [ns].
pub(super) const NEVER: SimTime = SimTime(-1);

/// A loaded world. Plain data: no thread, no clock, no I/O; the same commands give the same frames.
pub struct World {
    pub(super) scene: Arc<Scene>,
    pub(super) physics: Physics,
    pub(super) terrain: Terrain,
    pub(super) regions: Regions,
    pub(super) movers: Vec<Mover>,
    /// One entry per block of the scene; those without a body never collide, or never move.
    pub(super) blocks: Vec<Option<BlockBody>>,
    pub(super) places: Vec<BlockPlace>,
    /// Indices of the blocks that bodies may push.
    pub(super) pushed_blocks: Vec<usize>,
    /// For each joint of the scene its place among all that there ever were, and what the engine calls it; none for those that can
    /// move nothing.
    pub(super) joint_numbers: Vec<(usize, Option<JointNumber>)>,
    /// Prescribed motions of blocks and of horizontal planes, with the index of what moves.
    pub(super) moving_blocks: Vec<(usize, Keyframes)>,
    pub(super) moving_planes: Vec<(usize, Keyframes)>,
    pub(super) actors: Vec<Actor>,
    pub(super) sensors: Vec<Mounted>,
    pub(super) grids: Vec<Arc<GridCaster>>,
    pub(super) obstacles: Obstacles,
    pub(super) frame: Frame,
    pub(super) commands: Vec<Command>,
    pub(super) command_timeout: Option<SimTime>,
    pub(super) odometry_on_teleport: OdometryOnTeleport,
    pub(super) range_noise: Option<f64>,
    pub(super) parallel_steer: Option<bool>,
    pub(super) own: OwnSettings,
    /// Who drives each vehicle along a trajectory; shorter than the list of vehicles when nobody does.
    pub(super) drivers: Vec<Option<Seat>>,
    pub(super) population: Population,
}

/// What the loader puts together: a world before its first frame.
pub(super) struct Parts {
    pub catalogue: Catalogue,
    pub scene: Scene,
    pub physics: Physics,
    pub terrain: Terrain,
    pub regions: Regions,
    pub movers: Vec<Mover>,
    pub blocks: Vec<Option<BlockBody>>,
    pub places: Vec<BlockPlace>,
    pub pushed_blocks: Vec<usize>,
    pub joint_numbers: Vec<Option<JointNumber>>,
    pub moving_blocks: Vec<(usize, Keyframes)>,
    pub moving_planes: Vec<(usize, Keyframes)>,
    pub actors: Vec<Actor>,
    /// Each with the index of its vehicle; those of a vehicle in a row.
    pub sensors: Vec<(usize, Box<dyn Sensor>)>,
    pub grids: Vec<Arc<GridCaster>>,
    pub obstacles: Obstacles,
}

impl World {
    pub(super) fn assemble(parts: Parts) -> World {
        let Parts {
            catalogue,
            mut scene,
            physics,
            terrain,
            regions,
            movers,
            blocks,
            places,
            pushed_blocks,
            joint_numbers,
            moving_blocks,
            moving_planes,
            actors,
            sensors,
            grids,
            obstacles,
        } = parts;
        let mut readings = Vec::with_capacity(sensors.len());
        let mut mounted = Vec::with_capacity(sensors.len());
        let mut last = None;
        let mut index = 0;
        for (vehicle, sensor) in sensors {
            index = if last == Some(vehicle) { index + 1 } else { 0 };
            last = Some(vehicle);
            let (sensor, reading) = Mounted::new(vehicle, index, sensor, SimTime::ZERO);
            readings.push(reading);
            mounted.push(sensor);
        }
        let vehicles = movers.iter().map(|mover| VehicleFrame {
            wheels: vec![WheelFrame::default(); mover.vehicle.wheels().len()],
            ..VehicleFrame::default()
        });
        let frame = Frame {
            vehicles: vehicles.collect(),
            blocks: scene.blocks.iter().map(|block| block.world_from_start).collect(),
            planes: scene.planes.iter().map(|plane| plane.world_from_start).collect(),
            actors: actors.iter().map(Actor::frame).collect(),
            readings,
            ..Frame::default()
        };
        let population = Population::new(catalogue, &mut scene);
        let mut world = World {
            scene: Arc::new(scene),
            physics,
            terrain,
            regions,
            movers,
            blocks,
            places,
            pushed_blocks,
            joint_numbers: joint_numbers.into_iter().enumerate().collect(),
            moving_blocks,
            moving_planes,
            actors,
            sensors: mounted,
            grids,
            obstacles,
            frame,
            commands: Vec::with_capacity(64),
            command_timeout: None,
            odometry_on_teleport: OdometryOnTeleport::default(),
            range_noise: None,
            parallel_steer: None,
            own: OwnSettings::default(),
            drivers: Vec::new(),
            population,
        };
        world.rest();
        world
    }

    /// The vehicle with this index in the scene, for its laws and numbers.
    pub fn vehicle(&self, index: usize) -> Option<&Vehicle> {
        self.movers.get(index).map(|mover| &mover.vehicle)
    }

    /// The fixed facts.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The last frame; before the first step, the start.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Hands over a command, which is taken at the start of the next step. A vehicle that follows a trajectory is taken over by it,
    /// until no command has come for a while.
    pub fn command(&mut self, command: Command) -> Result<(), CommandError> {
        self.hand_over(command)?;
        if !matches!(command.action, Action::Teleport(_)) {
            self.take_over(command.vehicle);
        }
        Ok(())
    }

    /// [`command`](World::command) by whoever drives already.
    pub(super) fn hand_over(&mut self, command: Command) -> Result<(), CommandError> {
        let info = self.scene.vehicles.get(command.vehicle).ok_or(CommandError::NoVehicle(command.vehicle))?;
        if !command.action.is_finite() {
            return Err(CommandError::NotFinite(info.name.clone()));
        }
        if command.action.is_absurd() {
            return Err(CommandError::Absurd(info.name.clone()));
        }
        if let Some((pedal, position)) = command.action.pedal_out_of_range() {
            return Err(CommandError::PedalRange { vehicle: info.name.clone(), pedal, position });
        }
        if let Some((limit, value)) = command.action.negative_limit() {
            return Err(CommandError::NegativeLimit { vehicle: info.name.clone(), limit, value });
        }
        let (taken, kind) = info.accepts.takes(&command.action);
        if !taken {
            return Err(CommandError::NotAccepted { vehicle: info.name.clone(), kind, accepted: info.accepts.names() });
        }
        // Of the velocities and steering that arrive between two steps only the last counts; kept by vehicle, so that
        // what arrives during a long pause takes no more memory than that.
        let vehicle = command.vehicle;
        if let Action::Wheels(targets) = command.action {
            // They differ from what all wheels were told, which therefore stays before them.
            match self.commands.iter_mut().rfind(|earlier| earlier.vehicle == vehicle) {
                Some(Command { action: Action::Wheels(earlier), .. }) => *earlier = targets.over(*earlier),
                _ => self.commands.push(command),
            }
            return Ok(());
        }
        let drives = |action: &Action| !matches!(action, Action::Teleport(_));
        while drives(&command.action)
            && let Some(last) = self.commands.iter().rposition(|earlier| earlier.vehicle == vehicle)
            && drives(&self.commands[last].action)
        {
            self.commands.remove(last);
        }
        self.commands.push(command);
        Ok(())
    }

    /// Stops a vehicle whose last command is older than this [ns of simulated time]. None: commands hold for ever (default).
    pub fn set_command_timeout(&mut self, timeout: Option<SimTime>) {
        self.command_timeout = timeout;
    }

    /// Standard deviation of the range noise [m] of every lidar; none: as the world file says.
    pub fn set_range_noise(&mut self, range_noise: Option<f64>) {
        self.range_noise = range_noise;
    }

    /// Steers both front wheels of every steered vehicle by the same angle, or as its world file says (none).
    pub fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.parallel_steer = parallel;
        self.movers.iter_mut().for_each(|mover| mover.vehicle.set_parallel_steer(parallel));
    }

    /// Advances by one step of `scene().step`.
    pub fn step(&mut self) -> Result<&Frame, StepError> {
        let dt = self.scene.step.secs();
        self.take_commands();
        self.carry(dt);
        self.drive_vehicles(dt);
        self.brake_blocks(dt);
        self.heed_ledges(dt);
        self.set_vehicle_heights();
        self.physics.step();
        self.frame.time += self.scene.step;
        self.frame.step += 1;
        self.frame.vehicles.iter_mut().for_each(|vehicle| vehicle.since_set_down += self.scene.step);
        self.settle();
        self.finish_motions();
        self.observe(dt)?;
        self.follow_trajectories();
        self.sense();
        Ok(&self.frame)
    }

    /// Phase 1: commands, and vehicles whose commander fell silent.
    fn take_commands(&mut self) {
        let now = self.frame.time;
        std::mem::swap(&mut self.commands, &mut self.frame.commands);
        self.commands.clear();
        for command in &self.frame.commands {
            let mover = &mut self.movers[command.vehicle];
            if let Action::Teleport(world_from_body) = command.action {
                let place = (mover.body, world_from_body);
                let landing = Landing {
                    starts_odometry_anew: self.odometry_on_teleport == OdometryOnTeleport::Reset,
                    ends_command: true,
                };
                let vehicles = (&mut self.movers[..], &mut self.frame.vehicles[..]);
                take_along(&mut self.physics, vehicles, &self.terrain, landing, place);
            } else {
                mover.vehicle.command(command.action, now);
            }
        }
        if self.has_command_timeout() {
            for (mover, info) in self.movers.iter_mut().zip(&self.scene.vehicles) {
                if let Some(timeout) = self.own.command_timeout(info.id, self.command_timeout) {
                    mover.vehicle.watch(now, timeout);
                }
            }
        }
    }

    /// Phases 3 to 7: controllers, drives, contacts, friction, and the velocities of the bodies.
    fn drive_vehicles(&mut self, dt: f64) {
        for (mover, frame) in self.movers.iter_mut().zip(&mut self.frame.vehicles) {
            if self.regions.change_ground() {
                let (position, rotation) = (self.physics.position(mover.body), self.physics.rotation(mover.body));
                let wheels = mover.vehicle.wheels();
                self.regions.look_under(wheels, position, rotation, mover.attitude, &mut mover.ground);
            }
            let situation = Situation {
                velocity_in_body: self.physics.velocity_in_body(mover.body),
                acceleration_in_body: mover.acceleration_in_body,
                down_in_body: mover.down_in_body,
                ground: &mover.ground,
                dt,
            };
            if mover.animation.is_some() {
                mover.vehicle.roll_with(&situation, &mut frame.output());
                continue;
            }
            match mover.vehicle.step(&situation, &mut frame.output()) {
                Effect::Forces(wrench) => self.physics.apply(mover.body, wrench),
                Effect::Velocity(velocity) => self.physics.impose_velocity(mover.body, velocity),
                Effect::Motion(motion) => {
                    let wanted = self.physics.world_from_body(mover.body) * motion.body_from_next;
                    mover.wanted = Some((wanted, motion.velocity_in_body));
                    self.physics.move_by(mover.body, motion.body_from_next);
                }
            }
        }
    }

    /// Phase 7: air and the floor under the blocks, which brake them; and how high they stand on it.
    fn brake_blocks(&mut self, dt: f64) {
        for block in self.blocks.iter().flatten() {
            block.brake(&mut self.physics, dt);
            self.physics.set_heights(block.body, block_heights(block.attitude.z, block.ends));
        }
    }

    /// Phase 8: bodies that went where their vehicle's model wanted them move on as it says; of the others it is told.
    fn finish_motions(&mut self) {
        for mover in &mut self.movers {
            let Some((wanted, velocity_in_body)) = mover.wanted.take() else { continue };
            if self.physics.is_at(mover.body, wanted) {
                self.physics.set_velocity(mover.body, velocity_in_body);
            } else {
                mover.vehicle.moved_otherwise(self.physics.velocity_in_body(mover.body));
            }
        }
    }

    /// Phase 9: the new state into the frame; every number must be finite.
    fn observe(&mut self, dt: f64) -> Result<(), StepError> {
        for (index, (mover, frame)) in self.movers.iter_mut().zip(&mut self.frame.vehicles).enumerate() {
            let velocity_in_body = self.physics.velocity_in_body(mover.body);
            let rotation = self.physics.rotation(mover.body);
            let velocity_in_world = rotation * velocity_in_body.linear();
            mover.acceleration_in_body =
                rotation.inverse() * ((1.0 / dt) * (velocity_in_world - mover.velocity_in_world));
            mover.velocity_in_world = velocity_in_world;
            mover.vehicle.update_odometry(velocity_in_body, dt);
            frame.world_from_body = mover.attitude.with(self.physics.world_from_body(mover.body));
            frame.velocity_in_body = velocity_in_body;
            frame.acceleration_in_body = mover.acceleration_in_body;
            let odometry = mover.vehicle.odometry();
            frame.odom_from_body = odometry.odom_from_body;
            frame.odom_velocity_in_body = odometry.velocity_in_body;
            frame.odom_pose_covariance = odometry.pose_covariance();
            frame.odom_velocity_covariance = odometry.velocity_covariance();
            frame.commands = *mover.vehicle.command_counts();
            frame.colliding = self.physics.is_colliding(mover.body) || mover.footing.is_stopped;
            if let Some(quantity) = not_finite(frame) {
                return Err(StepError {
                    kind: "vehicle",
                    vehicle: self.scene.vehicles[index].name.clone(),
                    quantity,
                    time: self.frame.time,
                });
            }
        }
        for (index, (block, pose)) in self.blocks.iter().zip(&mut self.frame.blocks).enumerate() {
            if let Some(block) = block {
                *pose = block.attitude.with(self.physics.world_from_body(block.body));
                if !pose.is_finite() {
                    let vehicle = self.scene.blocks[index].name.clone();
                    return Err(StepError { kind: "block", vehicle, quantity: "pose", time: self.frame.time });
                }
            }
        }
        Ok(())
    }

    /// Phase 10: sensors that fell due look at the new state, in parallel where there are several.
    fn sense(&mut self) {
        let now = self.frame.time;
        let mut due = 0;
        for mounted in &mut self.sensors {
            mounted.is_due = mounted.due.is_due(now);
            due += usize::from(mounted.is_due);
        }
        if due == 0 {
            return;
        }
        self.place_shapes();
        let Frame { vehicles, readings, .. } = &mut self.frame;
        let (grids, obstacles, range_noise, own) = (&self.grids, &self.obstacles, self.range_noise, &self.own);
        let (scene, heeds_heights) = (&self.scene, self.physics.heeds_heights());
        let look = |mounted: &mut Mounted, reading: &mut Reading| {
            if mounted.is_due {
                let pose = vehicles[mounted.vehicle].world_from_body;
                let info = &scene.vehicles[mounted.vehicle];
                let heights = vehicle_heights(pose.z, info.chassis_z);
                let view = View {
                    time: now,
                    world_from_body: pose.planar(),
                    heights: if heeds_heights { heights } else { ALL_HEIGHTS },
                    vehicle: mounted.vehicle,
                    grids,
                    obstacles,
                    range_noise_override: own.range_noise(info.id, range_noise),
                };
                mounted.sensor.sense(&view, &mut reading.data);
                reading.time = now;
            }
        };
        if due == 1 {
            self.sensors.iter_mut().zip(readings).for_each(|(mounted, reading)| look(mounted, reading));
        } else {
            self.sensors
                .par_iter_mut()
                .zip(readings.par_iter_mut())
                .for_each(|(mounted, reading)| look(mounted, reading));
        }
    }

    /// Shows lidars where everything stands now.
    fn place_shapes(&mut self) {
        for (index, (mover, frame)) in self.movers.iter().zip(&self.frame.vehicles).enumerate() {
            let pose = frame.world_from_body;
            let heights = vehicle_heights(pose.z, self.scene.vehicles[index].chassis_z);
            mover.shapes.iter().for_each(|&shape| self.obstacles.set_mover_pose(shape, pose.planar(), heights));
        }
        for ((block, info), &pose) in self.blocks.iter().zip(&self.scene.blocks).zip(&self.frame.blocks) {
            if let Some(block) = block {
                self.obstacles.set_mover_pose(block.shape, pose.planar(), block_heights(pose.z, info.z));
            }
        }
    }
}

/// Name of the first quantity that is NaN or infinite.
fn not_finite(frame: &VehicleFrame) -> Option<&'static str> {
    if !frame.world_from_body.is_finite() {
        return Some("pose");
    }
    if !frame.velocity_in_body.is_finite() {
        return Some("velocity");
    }
    if !frame.odom_from_body.is_finite() {
        return Some("odometry");
    }
    let spins: f64 = frame.wheels.iter().map(|wheel| wheel.spin).sum();
    if !spins.is_finite() {
        return Some("wheel spin");
    }
    None
}
