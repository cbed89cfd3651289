//! The world: its state, and the step that advances it.

use std::sync::Arc;

use super::actor::Actor;
use super::animation::Keyframes;
use super::blocks::BlockRecord;
use super::contact_sensing::{BodyNames, FixedScenery};
use super::joint::JointRecord;
use super::population::Population;
use super::region::Regions;
use super::settings::RunSettings;
use super::surroundings::Surroundings;
use super::terrain::Terrain;
use super::vehicles::VehicleRecord;
use super::{Catalogue, Frame, Physics, PhysicsRules, PreparedMap, Scene, StepError};
use crate::assets::Cancel;
use crate::raycast::{GridCaster, Obstacles};
use crate::vehicle::{Command, Vehicle};

/// A loaded world. Plain data: no thread, no clock, no I/O; the same commands give the same frames.
pub struct World {
    pub(super) scene: Arc<Scene>,
    pub(super) frame: Frame,
    pub(super) physics: Physics,
    pub(super) terrain: Terrain,
    pub(super) regions: Regions,
    /// Maps for lidars.
    pub(super) grids: Vec<Arc<GridCaster>>,
    /// The maps as they were read, for other worlds.
    pub(super) maps: Vec<Arc<PreparedMap>>,
    /// Shapes for lidars.
    pub(super) obstacles: Obstacles,
    /// What sensors see in three dimensions, if one of them does.
    pub(super) surroundings: Option<Surroundings>,
    /// Names of all bodies, if a sensor feels contacts.
    pub(super) body_names: Option<BodyNames>,
    /// Whether a sensor casts rays.
    pub(super) casts_rays: bool,
    /// Whether samples of a sensor are lost or late; steps look for them only then.
    pub(super) has_deliveries: bool,
    /// Whether a sensor samples between steps.
    pub(super) has_between: bool,
    /// Its maps and walls in the physics.
    pub(super) fixed_scenery: FixedScenery,
    /// One record per vehicle of the scene.
    pub(super) vehicles: Vec<VehicleRecord>,
    /// One record per block of the scene.
    pub(super) blocks: Vec<BlockRecord>,
    /// Indices of the blocks that can move, so that scenery costs nothing per step; derived from `blocks`.
    pub(super) moving_blocks: Vec<usize>,
    /// One record per joint of the scene.
    pub(super) joints: Vec<JointRecord>,
    /// Prescribed motions of horizontal planes, with the index of each plane.
    pub(super) moving_planes: Vec<(usize, Keyframes)>,
    /// One per actor of the scene.
    pub(super) actors: Vec<Actor>,
    /// Commands for the next step, in the order of arrival.
    pub(super) commands: Vec<Command>,
    pub(super) settings: RunSettings,
    /// Whether any vehicle was ever given a command timeout of its own; steps check for one only then.
    pub(super) has_own_timeouts: bool,
    /// Whether any vehicle was ever given a driver; steps check for one only then.
    pub(super) has_drivers: bool,
    /// Whether a vehicle has a prescribed motion.
    pub(super) has_animated_vehicles: bool,
    /// Whether a vehicle moves by a model of the whole vehicle.
    pub(super) has_models: bool,
    /// Whether a vehicle is articulated.
    pub(super) has_fronts: bool,
    /// Whether the physics has the heights of all vehicles, which do not change on level ground.
    pub(super) heights_are_known: bool,
    pub(super) population: Population,
    /// Cancels the step under way.
    pub(super) cancel: Cancel,
    /// Whether a step was cancelled before all sensors had sampled.
    pub(super) is_cut_short: bool,
}

impl World {
    /// A world under construction, with only the facts of `scene`. [`Self::begin`] completes it.
    pub(super) fn new(scene: Scene, catalogue: Catalogue) -> World {
        let rules = catalogue.scalars.rules;
        let mut physics = Physics::new(scene.step.secs(), catalogue.scalars.collision_threshold);
        if rules == PhysicsRules::Mvsim {
            physics.ignore_heights();
        }
        World {
            regions: Regions::new(&scene.regions, rules.looks_up_wheels_flat()),
            scene: Arc::new(scene),
            frame: Frame::default(),
            physics,
            terrain: Terrain::new(rules),
            grids: Vec::new(),
            maps: Vec::new(),
            obstacles: Obstacles::new(),
            surroundings: None,
            body_names: None,
            casts_rays: false,
            has_deliveries: false,
            has_between: false,
            fixed_scenery: Vec::new(),
            vehicles: Vec::new(),
            blocks: Vec::new(),
            moving_blocks: Vec::new(),
            joints: Vec::new(),
            moving_planes: Vec::new(),
            actors: Vec::new(),
            commands: Vec::with_capacity(64),
            settings: RunSettings::default(),
            has_own_timeouts: false,
            has_drivers: false,
            has_animated_vehicles: false,
            has_models: false,
            has_fronts: false,
            heights_are_known: false,
            population: Population::new(catalogue),
            cancel: Cancel::default(),
            is_cut_short: false,
        }
    }

    /// The world at its start, after everything in it has been placed.
    pub(super) fn begin(mut self) -> World {
        self.obstacles.finish();
        self.population.enter_all(Arc::make_mut(&mut self.scene));
        self.frame.planes = self.scene.planes.iter().map(|plane| plane.world_from_start).collect();
        self.frame.actors = self.actors.iter().map(Actor::frame).collect();
        self.reset_bodies();
        self.renew_senses();
        self
    }

    /// Renews what sensors know of all bodies, after some have come or gone.
    pub(super) fn renew_senses(&mut self) {
        self.renew_surroundings();
        self.renew_body_names();
        let sensors = || self.vehicles.iter().flat_map(|record| &record.sensors);
        let (has_deliveries, casts_rays) =
            (sensors().any(|mounted| mounted.is_delivered), sensors().any(|mounted| mounted.casts_rays));
        (self.has_deliveries, self.casts_rays) = (has_deliveries, casts_rays);
        self.renew_instants();
    }

    /// The vehicle with this index in the scene, for its laws and parameters.
    pub fn vehicle(&self, index: usize) -> Option<&Vehicle> {
        self.vehicles.get(index).map(|record| &record.vehicle)
    }

    /// The fixed facts.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The last frame; before the first step, the start.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Advances by one step of `scene().step`.
    pub fn step(&mut self) -> Result<&Frame, StepError> {
        let dt = self.scene.step.secs();
        self.take_commands();
        if self.has_between {
            self.note_step_start();
        }
        self.animate(dt);
        self.drive_vehicles(dt);
        self.brake_blocks(dt);
        self.stop_at_ledges(dt);
        self.set_vehicle_heights();
        self.physics.step();
        self.advance_time();
        self.follow_ground();
        self.finish_model_motions();
        self.fill_frame(dt)?;
        self.report_fronts();
        self.follow_trajectories();
        self.sample_sensors();
        Ok(&self.frame)
    }

    /// Lets `cancel` end a step early in another thread, at the next batch of rays: a step whose sensors cast millions
    /// of rays takes seconds.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// Whether a step has been cancelled before all of its sensors had sampled. Its frame lacks readings, and the world
    /// is of no further use.
    pub fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// Advances simulated time and the step counter.
    fn advance_time(&mut self) {
        self.frame.time += self.scene.step;
        self.frame.step += 1;
    }
}
