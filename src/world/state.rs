//! The state of a vehicle or a block is set from outside, and another world is put in place of one.

use std::sync::Arc;

use super::catalogue::wrong_pose;
use super::mover::{Attitude, Mover};
use super::terrain::Terrain;
use super::world::Parts;
use super::{BodyIndex, Catalogue, EntityId, OdometryOnTeleport, Physics, Scene, StateError, VehicleFrame, World};
use crate::math::{Pose2, Pose3, Twist2, Vec2};
use crate::raycast::Obstacles;
use crate::time::{Periodic, SimTime};
use crate::vehicle::Action;

impl World {
    /// Puts a vehicle or a block elsewhere, or has it move otherwise, or both; what is not given stays. `velocity_in_body` is that of its
    /// reference point [m/s, rad/s]; the wheels roll along. Its height, pitch and roll follow from the ground: the highest that is not
    /// above half of the body, counted from z.
    ///
    /// # Errors
    /// Nothing has this id, or it moves as its world says, or stands and shall move; or a number is not finite or absurd.
    pub fn set_state(
        &mut self,
        id: EntityId,
        pose: Option<Pose3>,
        velocity_in_body: Option<Twist2>,
    ) -> Result<(), StateError> {
        let (vehicle, block) = (self.scene.vehicle_of(id), self.scene.block_of(id));
        let name = match (vehicle, block) {
            (Some(index), _) => &self.scene.vehicles[index].name,
            (None, Some(index)) => &self.scene.blocks[index].name,
            (None, None) => return Err(StateError::Unknown(id.0)),
        };
        let invalid = |(what, accepted)| Err(StateError::Invalid { name: name.clone(), what, accepted });
        if let Some(wrong) = pose.as_ref().and_then(wrong_pose) {
            return invalid(wrong);
        }
        if let Some(v) = velocity_in_body {
            if !v.is_finite() {
                return invalid(("a number in its velocity is not finite", "finite numbers"));
            }
            if v.vx.abs().max(v.vy.abs()).max(v.wz.abs()) > Action::LARGEST {
                return invalid(("it would move too fast", "up to 1e6 m/s or rad/s"));
            }
        }
        if let Some(index) = vehicle {
            if self.movers[index].animation.is_some() {
                return Err(StateError::Fixed(name.clone()));
            }
            self.set_vehicle_state(index, pose, velocity_in_body);
        } else if let Some(index) = block {
            let info = &self.scene.blocks[index];
            if info.is_static {
                if velocity_in_body.is_some_and(|velocity| velocity != Twist2::ZERO) {
                    return invalid(("it never moves by itself", "no velocity"));
                }
                if let Some(pose) = pose {
                    self.put_still_block(index, self.on_ground(index, pose));
                }
                return Ok(());
            }
            if self.blocks[index].is_none() || !info.is_pushed() {
                return Err(StateError::Fixed(name.clone()));
            }
            self.set_block_state(index, pose, velocity_in_body);
        }
        Ok(())
    }

    /// Puts a body, with what hangs on it, at a pose, or leaves it where it is, and has it move so, or on as it does. Where it then
    /// stands [m, rad] and how it moves, in its own frame [m/s, rad/s].
    fn set_body_state(&mut self, body: BodyIndex, pose: Option<Pose3>, velocity: Option<Twist2>) -> (Pose2, Twist2) {
        let velocity = velocity.unwrap_or_else(|| self.physics.velocity_in_body(body));
        let planar = pose.map_or_else(|| self.physics.world_from_body(body), |pose| pose.planar());
        if pose.is_some() {
            let landing = Landing {
                starts_odometry_anew: self.odometry_on_teleport == OdometryOnTeleport::Reset,
                ends_command: false,
            };
            let vehicles = (&mut self.movers[..], &mut self.frame.vehicles[..]);
            take_along(&mut self.physics, vehicles, &self.terrain, landing, (body, planar));
        }
        self.physics.place(body, planar, velocity);
        (planar, velocity)
    }

    fn set_vehicle_state(&mut self, index: usize, pose: Option<Pose3>, velocity_in_body: Option<Twist2>) {
        let (planar, velocity) = self.set_body_state(self.movers[index].body, pose, velocity_in_body);
        let mover = &mut self.movers[index];
        mover.vehicle.halt();
        mover.vehicle.roll(velocity);
        mover.vehicle.moved_otherwise(velocity);
        mover.velocity_in_world = planar.rotation() * velocity.linear();
        if let Some(pose) = pose {
            mover.attitude = Attitude::of(pose);
            mover.set_down(&self.terrain, planar);
            self.settle_vehicle(index);
        }
        let mover = &self.movers[index];
        let frame = &mut self.frame.vehicles[index];
        (frame.world_from_body, frame.velocity_in_body) = (mover.attitude.with(planar), velocity);
        for (frame, wheel) in frame.wheels.iter_mut().zip(mover.vehicle.wheels()) {
            frame.spin = wheel.spin;
        }
    }

    /// The pose [m, rad] of a block that never moves by itself and is put at `pose`: it stays upright as it was, on the ground where it stood
    /// on the ground.
    fn on_ground(&self, index: usize, pose: Pose3) -> Pose3 {
        let (info, place) = (&self.scene.blocks[index], &self.places[index]);
        let start = info.world_from_start;
        let (pitch, roll) = (start.pitch, start.roll);
        if place.keeps_height {
            return Pose3 { pitch, roll, ..pose };
        }
        let z = self.terrain.ground_under(pose.planar().position(), pose.z + 0.5 * info.z[1], Some(place.ground));
        Pose3 { z, pitch, roll, ..pose }
    }

    fn set_block_state(&mut self, index: usize, pose: Option<Pose3>, velocity_in_body: Option<Twist2>) {
        let Some(block) = &self.blocks[index] else { return };
        let (planar, _) = self.set_body_state(block.body, pose, velocity_in_body);
        let Some(block) = &mut self.blocks[index] else { return };
        if let Some(pose) = pose {
            block.attitude = Attitude::of(pose);
            if block.follows {
                let reach = 0.5 * self.scene.blocks[index].z[1];
                let ground = Some(self.places[index].ground);
                block.attitude.z = self.terrain.ground_under(planar.position(), pose.z + reach, ground);
            }
            self.terrain.set_block_pose(self.places[index].ground, block.attitude.with(planar));
        }
        self.frame.blocks[index] = block.attitude.with(planar);
    }

    /// A world with nothing in it, for steps of `step` [ns], > 0.
    pub fn empty(step: SimTime, seed: u64) -> World {
        let step = step.max(SimTime(1000));
        let mut catalogue = Catalogue::default();
        catalogue.scalars.seed = seed;
        let threshold = catalogue.scalars.collision_threshold;
        let mut obstacles = Obstacles::new();
        obstacles.finish();
        World::assemble(Parts {
            scene: Scene { name: "empty".into(), step, seed, ..Scene::default() },
            physics: Physics::new(step.secs(), threshold),
            terrain: Terrain::new(catalogue.scalars.rules),
            regions: super::region::Regions::default(),
            movers: Vec::new(),
            blocks: Vec::new(),
            places: Vec::new(),
            pushed_blocks: Vec::new(),
            joint_numbers: Vec::new(),
            moving_blocks: Vec::new(),
            moving_planes: Vec::new(),
            actors: Vec::new(),
            sensors: Vec::new(),
            grids: Vec::new(),
            obstacles,
            catalogue,
        })
    }

    /// Puts another world in place of this one. Simulated time goes on, ids and the revision of the scene count on, and what was set for the
    /// run (command timeout, range noise, parallel steering, odometry at teleports)
    /// stays.
    pub fn replace(&mut self, by: World) {
        let mut by = by;
        let now = self.frame.time;
        by.frame.time = now;
        for (mounted, reading) in by.sensors.iter_mut().zip(&mut by.frame.readings) {
            mounted.due = Periodic::after(mounted.sensor.info().period, now);
            reading.time = super::world::NEVER;
        }
        let scene = Arc::make_mut(&mut by.scene);
        scene.revision = self.scene.revision + 1;
        by.population.follow(&self.population, scene);
        by.command_timeout = self.command_timeout;
        by.range_noise = self.range_noise;
        by.odometry_on_teleport = self.odometry_on_teleport;
        if self.parallel_steer.is_some() {
            by.set_parallel_steer(self.parallel_steer);
        }
        by.reset_drivers();
        *self = by;
    }
}

/// What becomes of vehicles that are set down elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Landing {
    /// Whether their odometry starts anew.
    pub starts_odometry_anew: bool,
    /// Whether they stand until the next command, instead of going on with the last.
    pub ends_command: bool,
}

/// Sets a body down elsewhere at rest [m, rad], and with it what hangs on it. Vehicles are given with their frames.
pub(super) fn take_along(
    physics: &mut Physics,
    (movers, frames): (&mut [Mover], &mut [VehicleFrame]),
    terrain: &Terrain,
    landing: Landing,
    (body, world_from_body): (BodyIndex, Pose2),
) {
    physics.teleport(body, world_from_body, |moved, pose| {
        for (mover, frame) in movers.iter_mut().zip(frames.iter_mut()).filter(|(mover, _)| mover.body == moved) {
            frame.since_set_down = SimTime::ZERO;
            if landing.ends_command {
                mover.vehicle.end_command();
            }
            mover.velocity_in_world = Vec2::ZERO;
            mover.acceleration_in_body = Vec2::ZERO;
            mover.vehicle.halt();
            if landing.starts_odometry_anew {
                mover.vehicle.reset_odometry();
            }
            mover.set_down(terrain, pose);
        }
    });
}
