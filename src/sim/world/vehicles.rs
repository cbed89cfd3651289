//! The vehicles of a world, one record each, and the phases of a step in which they act on their bodies.

use std::sync::Arc;

use rayon::prelude::*;
use skidpad_math::{Pose2, Twist2, Vec2, Vec3};

use super::animation::Keyframes;
use super::changes::settings::VehicleSettings;
use super::driver::Driver;
use super::load::vehicle::Loaded;
use super::region::Regions;
use super::step::attitude::Attitude;
use super::step::front_frame::FrontBody;
use super::step::interpolation::StepStart;
use super::step::ledges::LedgeGuard;
use super::step::sensing::MountedSensor;
use super::step::springs::Lying;
use super::{BodyIndex, Physics, VehicleFrame, World};
use crate::sensor::Reading;
use crate::vehicle::{Effect, Situation, Vehicle, WheelFrame, WheelGround};

/// The smallest fleet that is stepped by several threads. Waking a thread takes as long as stepping a hundred vehicles, and smaller
/// fleets fit into the caches of one core.
pub(super) const MIN_FLEET: usize = 768;

/// The smallest number of vehicles for one piece of work: a few pieces for each thread, so that threads end together.
pub(super) fn share(vehicles: usize) -> usize {
    vehicles.div_ceil(4 * rayon::current_num_threads())
}

/// State of a vehicle besides its [`VehicleInfo`](super::VehicleInfo) in the scene and its [`VehicleFrame`].
pub(super) struct VehicleRecord {
    /// Its arrival number, which rises along the list.
    pub order: u64,
    /// Whether it was spawned while the world ran.
    pub is_spawned: bool,
    /// Its wheels, drive, controller and friction law.
    pub vehicle: Vehicle,
    /// Rigid body of the vehicle.
    pub body: BodyIndex,
    /// The body's arrival number in the physics, which stays when its index shifts.
    pub body_arrival: u64,
    /// Indices of the shapes of its rigid body for lidars.
    pub shapes: Vec<usize>,
    /// The front frame of an articulated vehicle.
    pub front: Option<FrontBody>,
    /// Velocity at the start, of the reference point in the body frame [m/s, rad/s].
    pub start_velocity_in_body: Twist2,
    /// Whether its wheels initially roll at that velocity; else they stand.
    pub starts_rolling: bool,
    /// Velocity of the reference point after the last step, in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Mean acceleration of the reference point over the last step, in the frame that turns with the body [m/s²].
    pub acceleration_in_body: Vec2,
    /// Its attitude on the ground.
    pub attitude: Attitude,
    /// Unit vector [-] along gravity, in the body frame.
    pub down_in_body: Option<Vec3>,
    /// Keeps it off steps in the ground.
    pub ledge_guard: LedgeGuard,
    /// Ground under each wheel.
    pub ground: Vec<WheelGround>,
    /// Height of the ground under each wheel above the plane that the vehicle stands on [m], if its body is on springs and the ground uneven.
    pub ground_under_wheels: Vec<f64>,
    /// What it covers as it lies, if it has tipped over.
    pub lying: Option<Lying>,
    /// Point at which a joint supports a vehicle with two wheels [m], in the body frame.
    pub hitch: Option<Vec2>,
    /// Its prescribed motion, if any, which nothing disturbs.
    pub animation: Option<Keyframes>,
    /// Effect of its step that is not yet applied to its body; only while a fleet is stepped by several threads.
    pub effect: Option<Effect>,
    /// Pose that the vehicle's model demands after this step, in the world [m, rad], and the velocity then.
    pub model_goal: Option<(Pose2, Twist2)>,
    /// Its motion at the beginning of the step, if it has sensors that sample between steps and the world has such instants.
    pub step_start: StepStart,
    /// Its sensors, in the order of the file.
    pub sensors: Vec<MountedSensor>,
    /// Its driver, if it follows a trajectory.
    pub driver: Option<Driver>,
    /// Settings of its own.
    pub settings: VehicleSettings,
}

impl World {
    /// Adds a vehicle as the last one: its body, its shapes for lidars, and its entries in scene and frame. `order` is its place in
    /// the order of arrival. Indices of bodies and vehicles before it stay.
    pub(super) fn place_vehicle(&mut self, loaded: Loaded, order: u64, is_spawned: bool) {
        let index = self.vehicles.len();
        let (body, shapes) = loaded.place(index, &mut self.physics, &mut self.obstacles);
        let front = FrontBody::place(&loaded, body, index, &mut self.physics, &mut self.obstacles);
        let Loaded { info, mut vehicle, sensors, start_velocity_in_body, animation, .. } = loaded;
        vehicle.prepare(self.scene.step.secs());
        let wheels = vehicle.wheels().len();
        let readings = sensors.iter().enumerate().map(|(number, sensor)| Reading::empty(&**sensor, index, number));
        self.frame.readings.extend(readings);
        let now = self.frame.time;
        self.heights_are_known = false;
        self.vehicles.push(VehicleRecord {
            order,
            is_spawned,
            vehicle,
            body,
            body_arrival: self.physics.arrival_of(body),
            shapes,
            front,
            start_velocity_in_body,
            starts_rolling: false,
            velocity_in_body: Twist2::ZERO,
            acceleration_in_body: Vec2::ZERO,
            attitude: Attitude::default(),
            down_in_body: None,
            ledge_guard: LedgeGuard::new(&info),
            ground: vec![WheelGround::default(); wheels],
            ground_under_wheels: Vec::new(),
            lying: None,
            hitch: None,
            animation,
            effect: None,
            model_goal: None,
            step_start: StepStart::default(),
            sensors: sensors.into_iter().map(|sensor| MountedSensor::new(sensor, now)).collect(),
            driver: None,
            settings: VehicleSettings::default(),
        });
        let wheels = vec![WheelFrame::default(); wheels];
        self.frame.vehicles.push(VehicleFrame { wheels, ..VehicleFrame::default() });
        Arc::make_mut(&mut self.scene).vehicles.push(info);
    }

    /// Runs controller, drive, wheel contacts and friction of every vehicle, and applies their effect to its body's velocity.
    pub(super) fn drive_vehicles(&mut self, dt: f64) {
        if self.vehicles.len() < MIN_FLEET {
            for (record, frame) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles) {
                let effect = record.drive(&self.physics, &self.regions, frame, dt);
                record.act(effect, &mut self.physics);
            }
            return;
        }
        let share = share(self.vehicles.len());
        // Each vehicle reads its own body alone, so that the effects do not depend on the order.
        let vehicles = self.vehicles.par_iter_mut().zip(&mut self.frame.vehicles).with_min_len(share);
        vehicles.for_each(|(record, frame)| record.effect = record.drive(&self.physics, &self.regions, frame, dt));
        for record in &mut self.vehicles {
            let effect = record.effect.take();
            record.act(effect, &mut self.physics);
        }
    }

    /// Passes the heights of the vehicles to the physics, if they may have changed.
    pub(super) fn set_vehicle_heights(&mut self) {
        if self.heights_are_known {
            return;
        }
        self.heights_are_known = self.terrain.is_level() && !self.phases.animated_vehicles;
        for (record, info) in self.vehicles.iter().zip(&self.scene.vehicles) {
            let standing = || vehicle_heights(record.attitude.z, info.chassis_z);
            self.physics.set_heights(record.body, record.lying_heights().unwrap_or_else(standing));
            if let (Some(front), Some(info)) = (&record.front, &info.front) {
                self.physics.set_heights(front.body, vehicle_heights(record.attitude.z, info.z));
            }
        }
    }

    /// The vehicles that start inside something, each with the name of one that it starts in. Call it before the first step.
    pub(super) fn overlaps_at_start(&mut self) -> Vec<(usize, Arc<str>)> {
        self.set_vehicle_heights();
        let owners: Vec<(usize, BodyIndex)> = {
            let vehicles = self.vehicles.iter().enumerate();
            vehicles.flat_map(|(index, record)| record.bodies().map(move |body| (index, body))).collect()
        };
        let bodies: Vec<BodyIndex> = owners.iter().map(|&(_, body)| body).collect();
        let overlaps = self.physics.overlaps_now(&bodies);
        if overlaps.is_empty() {
            return Vec::new();
        }
        let names = self.names_of_bodies();
        let vehicle_of = |body: BodyIndex| owners.iter().find(|&&(_, part)| part == body).map(|&(vehicle, _)| vehicle);
        overlaps
            .into_iter()
            .filter_map(|(body, other)| Some((vehicle_of(body)?, Arc::clone(names.of(other)))))
            .collect()
    }

    /// Sets the velocity of bodies that reached the pose demanded by their vehicle's model; blocked models are given their body's
    /// actual velocity.
    pub(super) fn finish_model_motions(&mut self) {
        for record in &mut self.vehicles {
            let Some((goal, velocity_in_body)) = record.model_goal.take() else { continue };
            if self.physics.is_at(record.body, goal) {
                self.physics.set_velocity(record.body, velocity_in_body);
            } else {
                record.vehicle.correct_velocity(self.physics.velocity_in_body(record.body));
            }
        }
    }
}

impl VehicleRecord {
    /// One step of the vehicle, which only reads its body: returns the effect on the body. None for a prescribed motion.
    // Always inlined: with two callers the compiler would not, at 2 % of a step.
    #[inline(always)]
    fn drive(&mut self, physics: &Physics, regions: &Regions, frame: &mut VehicleFrame, dt: f64) -> Option<Effect> {
        let ground_varies = regions.change_ground();
        if ground_varies {
            let (position, rotation) = (physics.position(self.body), physics.rotation(self.body));
            regions.look_under(self.vehicle.wheels(), position, rotation, self.attitude, &mut self.ground);
        }
        let situation = Situation {
            velocity_in_body: physics.velocity_on_wheels(self.body),
            acceleration_in_body: self.acceleration_in_body,
            down_in_body: self.down_in_body,
            ground: &self.ground,
            ground_varies,
            front: self.front.as_ref().map(|front| front.motion(self.body, physics)),
            dt,
        };
        match self.animation {
            Some(_) => {
                self.vehicle.step_animated(&situation, &mut frame.output());
                None
            }
            None => Some(self.vehicle.step(&situation, &mut frame.output())),
        }
    }

    /// Applies the effect of a step to the body's velocity.
    #[inline]
    fn act(&mut self, effect: Option<Effect>, physics: &mut Physics) {
        match effect {
            Some(Effect::Forces(wrench)) => physics.apply(self.body, wrench),
            Some(Effect::TwoFrames(wrench, wrench_on_front)) => {
                physics.apply(self.body, wrench);
                if let Some(front) = &self.front {
                    physics.apply(front.body, wrench_on_front);
                }
            }
            Some(Effect::Velocity(velocity)) => physics.impose_velocity(self.body, velocity),
            Some(Effect::Motion(motion)) => {
                let goal = physics.world_from_body(self.body) * motion.body_from_next;
                self.model_goal = Some((goal, motion.velocity_in_body));
                physics.move_by(self.body, motion.body_from_next);
            }
            None => {}
        }
    }
}

/// Vertical extent [m] of a vehicle on ground of height `z` [m]: down to its wheels, up to the end of its chassis.
pub(super) fn vehicle_heights(z: f64, chassis_z: [f64; 2]) -> [f64; 2] {
    [z, z + chassis_z[1].max(0.0)]
}
