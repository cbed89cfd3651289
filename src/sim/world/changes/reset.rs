//! Resets of the state of everything that moves, of the bodies that are there, and of simulated time.

use skidpad_math::time::SimTime;
use skidpad_math::{Twist2, Vec2};

use crate::vehicle::WheelFrame;
use crate::world::actor::Actor;
use crate::world::step::attitude::Attitude;
use crate::world::{ExternalChange, VehicleFrame, World};

/// Scope of a reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetScope {
    /// Simulated time is 0 again: the schedules and the noise of sensors, and the tasks of drivers, start over.
    pub time: bool,
    /// Poses and velocities are those of the start, and no command is in force.
    pub state: bool,
    /// Spawned bodies are removed, and removed bodies of the loaded world are restored.
    pub spawned: bool,
}

impl ResetScope {
    /// Everything: afterwards the world is as if it had just been loaded.
    pub const ALL: ResetScope = ResetScope { time: true, state: true, spawned: true };
}

impl World {
    /// Puts everything back to its start. Simulated time continues, so that no clock jumps back.
    pub fn reset(&mut self) {
        self.reset_with(ResetScope { state: true, ..ResetScope::default() });
    }

    /// Resets the parts of `scope`. After [`ResetScope::ALL`] the world gives the same bits as one that has just been loaded.
    pub fn reset_with(&mut self, scope: ResetScope) {
        self.note(|_| ExternalChange::Reset(scope));
        if scope.spawned {
            let revision = self.scene.revision;
            self.restore_bodies();
            if self.scene.revision != revision {
                self.centre_surroundings();
                self.renew_senses();
            }
        }
        if scope.time {
            self.rewind();
        }
        if scope.state {
            self.commands.clear();
            self.late.forget();
            self.wrenches.clear();
            self.frame.commands.clear();
            self.frame.step = 0;
            self.reset_bodies();
            self.physics.restart_engine(true);
            self.reset_drivers();
        }
    }

    /// Sets simulated time back to 0.
    fn rewind(&mut self) {
        self.frame.time = SimTime::ZERO;
        self.late.restart();
        let sensors = self.vehicles.iter_mut().flat_map(|record| &mut record.sensors);
        for (mounted, reading) in sensors.zip(&mut self.frame.readings) {
            mounted.restart(reading);
        }
        for (record, frame) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles) {
            record.vehicle.rewind();
            frame.commands = *record.vehicle.command_counts();
        }
        self.reset_drivers();
        self.renew_phases();
    }

    /// Places a vehicle at its start with its start velocity, whatever the height of the ground.
    pub(in crate::world) fn reset_vehicle(&mut self, index: usize) {
        let record = &mut self.vehicles[index];
        let start = self.scene.vehicles[index].world_from_start;
        record.vehicle.reset();
        self.lie_down(index);
        let record = &mut self.vehicles[index];
        record.vehicle.start_with(record.start_velocity_in_body);
        if record.starts_rolling {
            record.vehicle.roll(record.start_velocity_in_body);
        }
        self.physics.place(record.body, start.planar(), record.start_velocity_in_body);
        record.place_front(0.0, &mut self.physics);
        record.attitude = Attitude::of(start);
        self.heights_are_known = false;
        record.velocity_in_body = record.start_velocity_in_body;
        record.acceleration_in_body = Vec2::ZERO;
        record.model_goal = None;
        let wheels = std::mem::take(&mut self.frame.vehicles[index].wheels);
        self.frame.vehicles[index] = VehicleFrame {
            world_from_body: start,
            velocity_in_body: record.start_velocity_in_body,
            setpoint: record.vehicle.controller().setpoint(),
            commands: *record.vehicle.command_counts(),
            has_driver: self.frame.vehicles[index].has_driver,
            wheels,
            ..VehicleFrame::default()
        };
        for (frame, wheel) in self.frame.vehicles[index].wheels.iter_mut().zip(record.vehicle.wheels()) {
            *frame = WheelFrame { steer: wheel.heading(), ..WheelFrame::default() };
        }
    }

    /// Places a block at its start with its start velocity.
    pub(in crate::world) fn reset_block(&mut self, index: usize) {
        self.put_back_still_block(index);
        let start = self.scene.blocks[index].world_from_start;
        (self.frame.blocks[index], self.frame.block_velocities[index]) = (start, Twist2::ZERO);
        if let Some(block) = &mut self.blocks[index].body {
            self.frame.block_velocities[index] = block.start_velocity_in_body;
            block.attitude = Attitude::of(start);
            self.physics.place(block.body, start.planar(), block.start_velocity_in_body);
        }
    }

    /// Places all bodies at their start with its start velocity.
    pub(in crate::world) fn reset_bodies(&mut self) {
        (0..self.vehicles.len()).for_each(|index| self.reset_vehicle(index));
        (0..self.blocks.len()).for_each(|index| self.reset_block(index));
        for (pose, info) in self.frame.planes.iter_mut().zip(&self.scene.planes) {
            *pose = info.world_from_start;
        }
        self.actors.iter_mut().for_each(Actor::reset);
        for (frame, actor) in self.frame.actors.iter_mut().zip(&self.actors) {
            *frame = actor.frame();
        }
        self.animate_start();
        self.follow_ground_at_start();
        for (record, frame) in self.vehicles.iter().zip(&mut self.frame.vehicles) {
            frame.world_from_body = record.attitude.with(frame.world_from_body.planar());
        }
        for (record, pose) in self.blocks.iter().zip(&mut self.frame.blocks) {
            if let Some(block) = &record.body {
                *pose = block.attitude.with(pose.planar());
            }
        }
    }
}
