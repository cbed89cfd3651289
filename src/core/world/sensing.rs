//! Sensors of vehicles, and the phase of a step in which due sensors are sampled.

use rayon::prelude::*;

use super::World;
use super::blocks::block_heights;
use super::region::has_coverage;
use super::vehicles::{VehicleRecord, vehicle_heights};
use crate::raycast::ALL_HEIGHTS;
use crate::sensor::{ReadingData, Sensor, View, WheelSpin};
use crate::time::{Periodic, SimTime};

/// A sensor and its schedule.
pub(super) struct MountedSensor {
    pub sensor: Box<dyn Sensor>,
    pub due: Periodic,
    is_due: bool,
    /// Whether it looks at every step.
    watches: bool,
    /// Whether it is told of contacts.
    pub feels: bool,
    /// Whether its samples are lost or late.
    pub is_delivered: bool,
    /// Buffer of the sample that is being taken; swapped with the one in the frame afterwards.
    sample: ReadingData,
}

impl MountedSensor {
    /// A sensor that is mounted at simulated time `now` [ns].
    pub(super) fn new(mut sensor: Box<dyn Sensor>, now: SimTime) -> MountedSensor {
        let due = Periodic::after(sensor.info().period, now);
        let (watches, feels, is_delivered) = (sensor.watches(), sensor.feels(), sensor.delivery().is_some());
        MountedSensor { due, is_due: false, watches, feels, is_delivered, sample: sensor.new_reading(), sensor }
    }
}

impl World {
    /// Lets one sensor of a vehicle sample, at the instants of its period from `from` [ns] on, and no other: for programs that want one sample
    /// and need not wait for the others.
    pub fn sample_only(&mut self, vehicle: usize, sensor: usize, from: SimTime) {
        const NEVER_DUE: SimTime = SimTime(i64::MAX / 2);
        for (index, record) in self.vehicles.iter_mut().enumerate() {
            for (number, mounted) in record.sensors.iter_mut().enumerate() {
                let is_wanted = (index, number) == (vehicle, sensor);
                let period = mounted.due.period();
                mounted.due = if is_wanted { Periodic::after(period, from - period) } else { Periodic::new(NEVER_DUE) };
                mounted.watches &= is_wanted;
                mounted.feels &= is_wanted;
            }
        }
    }

    /// Takes a sample with every sensor at this instant, apart from its schedule, and delivers it: for programs that have just placed bodies and want
    /// to see the result before the first step. A sensor that delays its samples delivers this one late, too.
    pub fn sense(&mut self) {
        let sensors = self.vehicles.iter_mut().flat_map(|record| &mut record.sensors);
        let count = sensors.map(|mounted| mounted.is_due = true).count();
        if count > 0 {
            self.look(count == 1);
        }
    }

    /// Samples the due sensors on the new state, in parallel if there are several, and delivers the samples.
    pub(super) fn sample_sensors(&mut self) {
        if self.frame.readings.is_empty() {
            return;
        }
        if self.body_names.is_some() {
            self.feel_contacts();
        }
        let now = self.frame.time;
        let mut looking = 0;
        for record in &mut self.vehicles {
            for mounted in &mut record.sensors {
                mounted.is_due = mounted.due.is_due(now);
                looking += usize::from(mounted.is_due || mounted.watches);
            }
        }
        if looking > 0 {
            self.look(looking == 1);
        }
        if self.has_deliveries {
            self.receive_samples();
        }
    }

    /// Delivers the samples that have been under way.
    fn receive_samples(&mut self) {
        let now = self.frame.time;
        let sensors = self.vehicles.iter_mut().flat_map(|record| &mut record.sensors);
        for (mounted, reading) in sensors.zip(&mut self.frame.readings).filter(|(mounted, _)| mounted.is_delivered) {
            if let Some(delivery) = mounted.sensor.delivery() {
                delivery.receive(now, reading);
            }
        }
    }

    /// Lets the due sensors sample, and those that watch look; `is_one`: there is only one.
    fn look(&mut self, is_one: bool) {
        let now = self.frame.time;
        self.place_shapes();
        if let Some(surroundings) = &mut self.surroundings {
            surroundings.place(&self.frame);
        }
        let (frame, scene, grids, obstacles) = (&self.frame, &self.scene, &self.grids, &self.obstacles);
        let space = self.surroundings.as_ref().map(|surroundings| &surroundings.space);
        let gravity = self.population.catalogue.scalars.gravity;
        let has_satellites = |point| has_coverage(&scene.regions, point);
        let (heights_separate, range_noise) = (self.physics.heights_separate(), self.settings.range_noise);
        let look = |(vehicle, record): (usize, &mut VehicleRecord)| {
            let pose = frame.vehicles[vehicle].world_from_body;
            let wheels = &frame.vehicles[vehicle].wheels;
            let spin_of = |wheel: usize| {
                let spin = wheels.get(wheel).map(|wheel| WheelSpin { angle: wheel.spin_angle, rate: wheel.spin });
                spin.unwrap_or_default()
            };
            let view = View {
                time: now,
                world_from_body: pose,
                velocity_in_body: frame.vehicles[vehicle].velocity_in_body,
                since_set_down: frame.vehicles[vehicle].since_set_down,
                gravity,
                georeference: scene.georeference.as_ref(),
                has_coverage: &has_satellites,
                spin_of: &spin_of,
                heights: if heights_separate {
                    vehicle_heights(pose.z, scene.vehicles[vehicle].chassis_z)
                } else {
                    ALL_HEIGHTS
                },
                vehicle,
                grids,
                obstacles,
                space,
                range_noise_override: record.settings.range_noise.or(range_noise),
            };
            let sample = |mounted: &mut MountedSensor| {
                if mounted.is_due {
                    mounted.sensor.sense(&view, &mut mounted.sample);
                } else if mounted.watches {
                    mounted.sensor.watch(&view);
                }
            };
            match &mut record.sensors[..] {
                [] => {}
                [only] => sample(only),
                several => several.par_iter_mut().for_each(sample),
            }
        };
        if is_one {
            self.vehicles.iter_mut().enumerate().for_each(look);
        } else {
            self.vehicles.par_iter_mut().enumerate().for_each(look);
        }
        let mut readings = self.frame.readings.iter_mut();
        for (record, vehicle) in self.vehicles.iter_mut().zip(&self.frame.vehicles) {
            for (mounted, reading) in record.sensors.iter_mut().zip(readings.by_ref()) {
                if !mounted.is_due {
                    continue;
                }
                let delivery = if mounted.is_delivered { mounted.sensor.delivery() } else { None };
                if let Some(delivery) = delivery {
                    delivery.send(now, vehicle.world_from_body, &mut mounted.sample);
                } else {
                    std::mem::swap(&mut mounted.sample, &mut reading.data);
                    (reading.time, reading.arrived) = (now, now);
                    reading.world_from_body = vehicle.world_from_body;
                }
            }
        }
    }

    /// Updates the poses of the shapes for lidars.
    fn place_shapes(&mut self) {
        for (index, (record, frame)) in self.vehicles.iter().zip(&self.frame.vehicles).enumerate() {
            let pose = frame.world_from_body;
            let heights = vehicle_heights(pose.z, self.scene.vehicles[index].chassis_z);
            record.shapes.iter().for_each(|&shape| self.obstacles.set_mover_pose(shape, pose.planar(), heights));
            if let (Some(front), Some(info)) = (&record.front, &self.scene.vehicles[index].front) {
                let heights = vehicle_heights(pose.z, info.z);
                let pose = self.physics.world_from_body(front.body);
                front.shapes.iter().for_each(|&shape| self.obstacles.set_mover_pose(shape, pose, heights));
            }
        }
        for &index in &self.moving_blocks {
            if let Some(body) = &self.blocks[index].body {
                let pose = self.frame.blocks[index];
                let heights = block_heights(pose.z, self.scene.blocks[index].z);
                self.obstacles.set_mover_pose(body.shape, pose.planar(), heights);
            }
        }
        for ((actor, info), frame) in self.actors.iter().zip(&self.scene.actors).zip(&self.frame.actors) {
            if let Some(shape) = actor.shape {
                let pose = frame.world_from_actor;
                self.obstacles.set_mover_pose(shape, pose.planar(), [pose.z, pose.z + info.collision_height]);
            }
        }
    }
}
