//! Sensors of vehicles, and the phase of a step in which due sensors are sampled.

use std::iter;

use rayon::prelude::*;
use skidpad_math::Pose3;
use skidpad_math::time::{Periodic, SimTime};

use crate::raycast::ALL_HEIGHTS;
use crate::sensor::{
    DeliveredSensor, DeliveryParameters, Reading, ReadingData, Samples, Sensor, SensorContext, View, WheelSpin,
};
use crate::vehicle::drive::REAR_WHEELS;
use crate::world::blocks::block_heights;
use crate::world::region::has_coverage;
use crate::world::step::interpolation::{StepStart, lean_between, pose_between, spin_between, twist_between};
use crate::world::vehicles::{VehicleRecord, vehicle_heights};
use crate::world::{SensorFault, WheelInfo, World};

/// Least number of sensors without rays that share threads: fewer are done before the threads have started.
const MIN_SHARED: usize = 64;

/// A sensor and its schedule.
pub(in crate::world) struct MountedSensor {
    pub sensor: Box<dyn Sensor>,
    pub due: Periodic,
    is_due: bool,
    /// Whether it samples at the instants of its period, between steps too.
    pub interpolates: bool,
    /// The first instant of its period in this step and their number, in a world with sensors that sample between steps.
    instants: Option<(SimTime, i64)>,
    /// Buffers of the samples of these instants.
    step_samples: Samples,
    /// Whether it looks at every step.
    watches: bool,
    /// Whether it casts rays.
    pub casts_rays: bool,
    /// Whether somebody reads it.
    pub is_asked: bool,
    /// Whether its readings are wanted, or cost nothing to speak of.
    is_wanted: bool,
    /// What is wrong with it.
    pub fault: SensorFault,
    /// Whether it has looked in every step since the last instant of its schedule, as far as it watches.
    is_whole: bool,
    /// Whether it looks in this step.
    is_looking: bool,
    /// Whether it is told of contacts.
    pub feels: bool,
    /// Whether its samples are lost or late.
    pub is_delivered: bool,
    /// Buffer of the sample that is being taken; swapped with the one in the frame afterwards.
    sample: ReadingData,
}

impl MountedSensor {
    /// A sensor that is mounted at simulated time `now` [ns].
    pub(in crate::world) fn new(mut sensor: Box<dyn Sensor>, now: SimTime) -> MountedSensor {
        let due = Periodic::after(sensor.info().period, now);
        let (watches, feels, is_delivered) = (sensor.watches(), sensor.feels(), sensor.delivery().is_some());
        MountedSensor {
            due,
            is_due: false,
            interpolates: sensor.interpolates(),
            instants: None,
            step_samples: Samples::default(),
            watches,
            casts_rays: sensor.info().kind.casts_rays(),
            is_asked: true,
            is_wanted: true,
            fault: SensorFault::default(),
            is_whole: true,
            is_looking: false,
            feels,
            is_delivered,
            sample: sensor.new_reading(),
            sensor,
        }
    }

    /// The same, with samples that can be lost, of a vehicle with this name in a world with this seed.
    pub(in crate::world) fn delivered(self, seed: u64, vehicle: &str) -> MountedSensor {
        if self.is_delivered {
            return self;
        }
        let name = self.sensor.info().name.clone();
        let context = SensorContext { seed, vehicle: vehicle.to_owned(), name, wheels: Vec::new() };
        let sensor = DeliveredSensor::new(self.sensor, DeliveryParameters::AT_ONCE, &context);
        MountedSensor { sensor: Box::new(sensor), is_delivered: true, ..self }
    }

    /// Loses samples by this fault from now on; `reading` is its slot, if it has one.
    pub(in crate::world) fn break_down(&mut self, fault: SensorFault, reading: Option<&mut Reading>) {
        self.fault = fault;
        self.choose();
        let Some(delivery) = self.sensor.delivery() else { return };
        delivery.set_extra_loss(fault.share());
        if fault.is_off {
            delivery.lose_all();
            reading.into_iter().for_each(Reading::forget);
        }
    }

    /// Chooses anew whether it takes its readings.
    pub(in crate::world) fn choose(&mut self) {
        self.is_wanted = !self.casts_rays || self.is_asked && !self.fault.is_off;
    }

    /// Decides whether it looks `now` [ns], from a vehicle with this pose. A sample passes if nobody wants it, or if it
    /// was not wanted all the time while it was gathered.
    fn decide(&mut self, now: SimTime, world_from_body: Pose3, reading: &mut Reading) -> bool {
        let can_look = self.is_wanted && self.is_whole;
        self.is_looking = can_look && (self.is_due || self.watches);
        if self.is_due && !can_look {
            self.is_due = false;
            self.sensor.skip(now, world_from_body);
            if !self.is_delivered {
                reading.pass(now);
            }
            self.is_whole = true;
        } else if !self.is_due && self.watches {
            self.is_whole = can_look;
        }
        self.is_looking
    }

    /// Starts its schedule and its noise over, after simulated time has been set back to 0.
    pub(in crate::world) fn restart(&mut self, reading: &mut Reading) {
        self.sensor.restart();
        self.due.restart(SimTime::ZERO);
        self.is_whole = true;
        reading.forget();
        reading.data = self.sensor.new_reading();
    }

    /// Takes the samples of the `count` instants of this step from `first` [ns] on; `start` is the motion of the vehicle at the beginning
    /// of the step, `step` [ns] before `view`.
    fn sample_between(&mut self, first: SimTime, count: i64, view: &View<'_>, start: &StepStart, step: SimTime) {
        self.step_samples.clear();
        for index in 0..count {
            let time = first + SimTime(index * self.due.period().0);
            let left = view.time - time;
            let share = 1.0 - left.secs() / step.secs();
            let spin_of = |wheel: usize| {
                let end = (view.spin_of)(wheel);
                let begin = start.spins.get(wheel).copied().unwrap_or(end);
                if left == SimTime::ZERO { end } else { spin_between(begin, end, share, step.secs()) }
            };
            let mut sample_view = View { time, spin_of: &spin_of, since_set_down: view.since_set_down - left, ..*view };
            if left > SimTime::ZERO {
                sample_view.world_from_body = pose_between(start.world_from_body, view.world_from_body, share);
                sample_view.velocity_in_body = twist_between(start.velocity_in_body, view.velocity_in_body, share);
                sample_view.lean = lean_between(start.lean, view.lean, share);
            }
            let sensor = &mut self.sensor;
            let sample = self.step_samples.append(|| sensor.new_reading());
            (sample.time, sample.world_from_body) = (time, sample_view.world_from_body);
            sensor.sense(&sample_view, &mut sample.data);
        }
        if self.watches && first + SimTime((count - 1) * self.due.period().0) < view.time {
            self.sensor.watch(view);
        }
    }

    /// Delivers the samples of this step, which is over `now` [ns]; the last of them is in the slot afterwards.
    fn deliver_between(&mut self, now: SimTime, reading: &mut Reading) {
        if let Some(delivery) = if self.is_delivered { self.sensor.delivery() } else { None } {
            for sample in self.step_samples.iter_mut() {
                delivery.send(sample.time, sample.world_from_body, &mut sample.data);
            }
        } else if let Some(last) = self.step_samples.take_last() {
            (reading.time, reading.arrived, reading.world_from_body) = (last.time, now, last.world_from_body);
            std::mem::swap(&mut last.data, &mut reading.data);
            std::mem::swap(&mut self.step_samples, &mut reading.earlier);
        }
    }
}

impl World {
    /// Takes a sample with every [wanted](Self::want) sensor at this instant, apart from its schedule, and delivers it:
    /// for programs that have just placed bodies and want to see the result before the first step. A sensor that delays
    /// its samples delivers this one late, too.
    pub fn sense(&mut self) {
        let sensors = self.vehicles.iter_mut().flat_map(|record| &mut record.sensors);
        sensors.for_each(|mounted| (mounted.is_due, mounted.instants) = (true, None));
        self.forget_places();
        self.look_where_due();
    }

    /// Samples the due sensors on the new state, in parallel if there are several, and delivers the samples.
    pub(in crate::world) fn sample_sensors(&mut self) {
        if self.frame.readings.is_empty() {
            return;
        }
        if self.body_names.is_some() {
            self.feel_contacts();
        }
        let now = self.frame.time;
        for record in &mut self.vehicles {
            for mounted in &mut record.sensors {
                if self.phases.instants && mounted.interpolates {
                    let instants = mounted.due.instants(now - self.scene.step, now);
                    (mounted.is_due, mounted.instants) = (instants.1 > 0, Some(instants));
                } else {
                    (mounted.is_due, mounted.instants) = (mounted.due.is_due(now), None);
                }
            }
        }
        self.look_where_due();
        if self.phases.deliveries {
            self.receive_samples();
        }
    }

    /// Lets all sensors that are due and wanted sample, and those that watch look.
    fn look_where_due(&mut self) {
        let now = self.frame.time;
        let mut readings = self.frame.readings.iter_mut();
        let (mut looking, mut casts_rays, mut sees_space) = (0, false, false);
        for (record, vehicle) in self.vehicles.iter_mut().zip(&self.frame.vehicles) {
            for (mounted, reading) in record.sensors.iter_mut().zip(readings.by_ref()) {
                if mounted.decide(now, vehicle.world_from_body, reading) {
                    looking += 1;
                    casts_rays |= mounted.casts_rays;
                    sees_space |= mounted.casts_rays && mounted.sensor.needs_space();
                }
            }
        }
        if casts_rays {
            self.place_shapes();
        }
        if sees_space {
            self.look_around();
            if let Some(surroundings) = self.surroundings.as_mut().filter(|_| self.surroundings_plan.is_needed) {
                surroundings.place(&self.frame);
                if self.phases.motions {
                    let at_rest = View::at_rest(&self.obstacles);
                    surroundings.set_in_motion(&self.frame, self.scene.step.secs(), &at_rest);
                }
            }
        }
        if looking > 0 {
            self.look(looking == 1 || !casts_rays && looking < MIN_SHARED);
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

    /// Lets the sensors look that have decided to, on this thread or on several.
    fn look(&mut self, is_alone: bool) {
        let now = self.frame.time;
        let (frame, scene, grids, obstacles) = (&self.frame, &self.scene, &self.grids, &self.obstacles);
        let surroundings = self.surroundings.as_ref().filter(|_| self.surroundings_plan.is_needed);
        let space = surroundings.map(|surroundings| &surroundings.space);
        let cancel = &self.cancel;
        let gravity = self.registry.catalogue.scalars.gravity;
        let has_satellites = |point| has_coverage(&scene.regions, point);
        let (heights_separate, range_noise) = (self.physics.heights_separate(), self.settings.range_noise);
        let no_return = self.settings.no_return;
        let look = |vehicle: usize, record: &mut VehicleRecord| {
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
                lean: frame.vehicles[vehicle].lean,
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
                no_return_override: no_return,
                cancel: Some(cancel),
            };
            let (start, step) = (&record.step_start, scene.step);
            let sample = |mounted: &mut MountedSensor| {
                if !mounted.is_looking || cancel.is_cancelled() {
                    return;
                }
                if mounted.is_due {
                    match mounted.instants {
                        Some((first, count)) => mounted.sample_between(first, count, &view, start, step),
                        None => mounted.sensor.sense(&view, &mut mounted.sample),
                    }
                } else {
                    mounted.sensor.watch(&view);
                }
            };
            match &mut record.sensors[..] {
                [] => {}
                [only] => sample(only),
                several if is_alone => several.iter_mut().for_each(sample),
                several => several.par_iter_mut().for_each(sample),
            }
        };
        if is_alone {
            self.vehicles.iter_mut().enumerate().for_each(|(vehicle, record)| look(vehicle, record));
        } else {
            self.vehicles.par_iter_mut().enumerate().for_each(|(vehicle, record)| look(vehicle, record));
        }
        if cancel.is_cancelled() {
            self.is_cut_short = true;
            return;
        }
        let mut readings = self.frame.readings.iter_mut();
        for (record, vehicle) in self.vehicles.iter_mut().zip(&self.frame.vehicles) {
            for (mounted, reading) in record.sensors.iter_mut().zip(readings.by_ref()) {
                if !mounted.is_due {
                    continue;
                }
                if mounted.instants.is_some() {
                    mounted.deliver_between(now, reading);
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
            let info = &self.scene.vehicles[index];
            for (&shape, heights) in record.shapes.iter().zip(shape_heights(pose.z, info.chassis_z, &info.wheels)) {
                self.obstacles.set_mover_pose(shape, pose.planar(), record.lying_heights().unwrap_or(heights));
            }
            if let (Some(front), Some(front_info)) = (&record.front, &info.front) {
                let planar = self.physics.world_from_body(front.body);
                let heights = shape_heights(pose.z, front_info.z, &info.wheels[REAR_WHEELS..]);
                for (&shape, heights) in front.shapes.iter().zip(heights) {
                    self.obstacles.set_mover_pose(shape, planar, heights);
                }
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

/// Heights in the world [m] of what lidars see of a vehicle, or of one of its frames: its chassis, and each wheel down to the ground. The
/// ground has the height `z` [m].
fn shape_heights(z: f64, chassis_z: [f64; 2], wheels: &[WheelInfo]) -> impl Iterator<Item = [f64; 2]> {
    let wheels = wheels.iter().map(move |wheel| [z, z + 2.0 * wheel.radius]);
    iter::once(chassis_z.map(|end| z + end)).chain(wheels)
}
