//! The world: its state, and the step that advances it.

use std::sync::Arc;

use skidpad_files::assets::Cancel;

use super::actor::Actor;
use super::animation::Keyframes;
use super::blocks::BlockRecord;
use super::changes::faults::LateCommands;
use super::changes::settings::RunSettings;
use super::changes::spawn_remove::BodyRegistry;
use super::changes::wrench::ActingWrench;
use super::joint::JointRecord;
use super::region::Regions;
use super::step::contact_sensing::{BodyNames, FixedScenery};
use super::surroundings::{Surroundings, SurroundingsPlan};
use super::terrain::Terrain;
use super::vehicles::VehicleRecord;
use super::wind::Wind;
use super::{Catalogue, ExternalChange, Frame, Physics, PhysicsRules, PreparedMap, Scene, StepError};
use crate::raycast::{GridCaster, Obstacles};
use crate::vehicle::{Command, Vehicle};

/// A loaded world. Plain data: no thread, no clock, no I/O; the same commands give the same frames.
pub struct World {
    pub(super) scene: Arc<Scene>,
    pub(super) frame: Frame,
    pub(super) physics: Physics,
    pub(super) terrain: Terrain,
    pub(super) regions: Regions,
    pub(super) wind: Wind,
    /// Maps for lidars.
    pub(super) grids: Vec<Arc<GridCaster>>,
    /// The maps as they were read, for other worlds.
    pub(super) maps: Vec<Arc<PreparedMap>>,
    /// Shapes for lidars.
    pub(super) obstacles: Obstacles,
    /// What sensors see in three dimensions, if one of them does or did; as of the last look of such a sensor.
    pub(super) surroundings: Option<Surroundings>,
    /// What the surroundings are to be.
    pub(super) surroundings_plan: SurroundingsPlan,
    /// Names of all bodies, if a sensor feels contacts.
    pub(super) body_names: Option<BodyNames>,
    /// Whether a sensor casts rays.
    pub(super) casts_rays: bool,
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
    /// Commands that are late.
    pub(super) late: LateCommands,
    pub(super) settings: RunSettings,
    /// Wrenches from outside that act, in the order of arrival.
    pub(super) wrenches: Vec<ActingWrench>,
    /// The phases that its steps have besides those of every world.
    pub(super) phases: Phases,
    /// Whether the physics has the heights of all vehicles, which do not change on level ground.
    pub(super) heights_are_known: bool,
    pub(super) registry: BodyRegistry,
    /// Cancels the step under way.
    pub(super) cancel: Cancel,
    /// Whether a step was cancelled before all sensors had sampled.
    pub(super) is_cut_short: bool,
    /// See [`changes`](Self::changes).
    pub(super) changes: u64,
    /// See [`record_changes`](Self::record_changes); none: nobody asked.
    pub(super) recorded_changes: Option<Vec<ExternalChange>>,
}

/// The phases of a step that not every world has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Phases {
    /// Vehicles stop when commands have stopped, or commands are late or lost.
    pub attention: bool,
    /// A sensor samples between steps.
    pub instants: bool,
    /// Something has a prescribed motion.
    pub animations: bool,
    /// Vehicles among it.
    pub animated_vehicles: bool,
    /// A vehicle moves by a model of the whole vehicle.
    pub models: bool,
    /// A vehicle is articulated.
    pub fronts: bool,
    /// Actors are there, whom vehicles may meet.
    pub actors: bool,
    /// A vehicle follows a trajectory.
    pub drivers: bool,
    /// Samples of a sensor are lost or late.
    pub deliveries: bool,
    /// A sensor sees how bodies move.
    pub motions: bool,
    /// A body is on springs.
    pub springs: bool,
    /// Wind blows somewhere.
    pub wind: bool,
}

impl World {
    /// A world under construction, with only the facts of `scene`. [`Self::begin`] completes it.
    pub(super) fn new(scene: Scene, catalogue: Catalogue) -> World {
        let rules = catalogue.scalars.rules;
        let mut physics = Physics::new(scene.step.secs(), catalogue.scalars.collision_threshold);
        physics.set_force_frame(rules.force_frame());
        if rules == PhysicsRules::Mvsim {
            physics.ignore_heights();
        }
        World {
            wind: Wind::new(&scene.regions, scene.seed),
            regions: Regions::new(&scene.regions, rules.looks_up_wheels_flat()),
            scene: Arc::new(scene),
            frame: Frame::default(),
            physics,
            terrain: Terrain::new(rules),
            grids: Vec::new(),
            maps: Vec::new(),
            obstacles: Obstacles::new(),
            surroundings: None,
            surroundings_plan: SurroundingsPlan::default(),
            body_names: None,
            casts_rays: false,
            fixed_scenery: Vec::new(),
            vehicles: Vec::new(),
            blocks: Vec::new(),
            moving_blocks: Vec::new(),
            joints: Vec::new(),
            moving_planes: Vec::new(),
            actors: Vec::new(),
            commands: Vec::with_capacity(64),
            wrenches: Vec::new(),
            late: LateCommands::default(),
            settings: RunSettings::default(),
            phases: Phases::default(),
            heights_are_known: false,
            registry: BodyRegistry::new(catalogue),
            cancel: Cancel::default(),
            is_cut_short: false,
            changes: 0,
            recorded_changes: None,
        }
    }

    /// How often the world has been changed from outside since it was loaded, which steps alone would not have done: by commands, new and
    /// removed bodies, states, resets, and settings that got another value. Who steps a world sees by it whether a caller only looked.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The world at its start, after everything in it has been placed.
    pub(super) fn begin(mut self) -> World {
        self.obstacles.finish();
        self.registry.enter_all(Arc::make_mut(&mut self.scene));
        self.frame.planes = self.scene.planes.iter().map(|plane| plane.world_from_start).collect();
        self.frame.actors = self.actors.iter().map(Actor::frame).collect();
        self.reset_bodies();
        self.centre_surroundings();
        self.renew_senses();
        self.look_around();
        self
    }

    /// Renews what sensors know of all bodies and which phases steps have, after some have come or gone.
    pub(super) fn renew_senses(&mut self) {
        self.renew_surroundings();
        self.renew_body_names();
        self.casts_rays = self.vehicles.iter().flat_map(|record| &record.sensors).any(|mounted| mounted.casts_rays);
        self.renew_phases();
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
        // Waiting commands → orders to controllers, teleported bodies.
        if self.phases.attention {
            // Those that were late among them, and their age → vehicles that stop.
            self.attend_commands();
        } else {
            self.take_commands();
        }
        if self.phases.instants {
            // State before the step → what sensors between steps start from.
            self.note_step_start();
        }
        if self.phases.motions {
            // Poses before the step → what sensors know of motions.
            self.note_places();
        }
        if self.phases.animations {
            // Prescribed motions → poses of bodies, planes and actors.
            self.animate(dt);
        }
        if !self.wrenches.is_empty() {
            // Wrenches from outside → velocities of their bodies.
            self.push_bodies();
        }
        if self.phases.wind {
            // Wind, poses → air around the vehicles.
            self.blow_wind();
        }
        // Orders, motion of the bodies, attitudes, ground → states of wheels, velocities of the bodies.
        self.drive_vehicles(dt);
        // Air and floor → velocities and heights of blocks.
        self.brake_blocks(dt);
        // Steps in the ground → velocities of the vehicles in front of them.
        self.stop_at_ledges(dt);
        // Attitudes → heights between which vehicles collide.
        self.set_vehicle_heights();
        // Velocities → joints, contacts, poses of all bodies.
        self.physics.step();
        self.advance_time();
        // Poses, ground → attitudes, and gravity along the ground in the next step.
        self.follow_ground();
        if self.phases.models {
            // Poses that were reached or not → velocities of the bodies that models move, and of these models.
            self.finish_model_motions();
        }
        // Poses, velocities, attitudes, wheels → frame with odometry, all of it finite.
        self.fill_frame(dt)?;
        if self.phases.springs {
            // Attitudes, ground → what bodies on springs stand on, and their poses.
            self.stand_on_springs();
            self.lean_on_springs();
        }
        if self.phases.fronts {
            // Front frames of articulated vehicles → frame.
            self.report_fronts();
        }
        if self.phases.actors {
            // Frame, actors → frame of who touches them.
            self.meet_actors();
        }
        // Frame, contacts, surroundings → readings.
        self.sample_sensors();
        if self.phases.drivers {
            // Frame, readings → commands for the next step.
            self.follow_trajectories();
        }
        Ok(&self.frame)
    }

    /// Whether a vehicle of the world has its body on springs.
    pub fn has_springs(&self) -> bool {
        self.phases.springs
    }

    /// Decides anew which phases steps have; to be called where something that one of them is for has come, gone or changed.
    pub(super) fn renew_phases(&mut self) {
        let vehicles = || self.vehicles.iter();
        let sensors = || vehicles().flat_map(|record| &record.sensors);
        let has_animated_vehicles = vehicles().any(|record| record.animation.is_some());
        let has_animated_blocks = self.blocks.iter().any(|record| record.animation.is_some());
        let (step, now) = (self.scene.step.0, self.frame.time.0);
        let is_between = |period: i64| period % step != 0 || now % step != 0;
        self.phases = Phases {
            attention: self.has_command_timeout() || self.has_late_commands(),
            instants: sensors().any(|mounted| mounted.interpolates && is_between(mounted.due.period().0)),
            animations: has_animated_vehicles
                || has_animated_blocks
                || !(self.moving_planes.is_empty() && self.actors.is_empty()),
            animated_vehicles: has_animated_vehicles,
            models: vehicles().any(|record| record.vehicle.motion().is_some()),
            fronts: vehicles().any(|record| record.front.is_some()),
            actors: !self.actors.is_empty(),
            drivers: vehicles().any(|record| record.driver.is_some()),
            deliveries: sensors().any(|mounted| mounted.is_delivered),
            motions: sensors().any(|mounted| mounted.sensor.sees_motion()),
            springs: vehicles().any(|record| record.vehicle.lean().is_some()),
            wind: self.wind.blows(),
        };
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

#[cfg(test)]
mod tests {
    use skidpad_math::time::SimTime;

    use super::*;
    use crate::world::{LoadOptions, ResetScope};

    /// A world with a vehicle of each of these classes, and one that follows keyframes.
    fn load(classes: &[&str]) -> World {
        let moving = r#"<animation type="keyframes"><time_pose>0 0 0 0</time_pose></animation>"#;
        let vehicle = |index: usize, class: &str| {
            let (class, animation) = if class == "animated" { ("differential", moving) } else { (class, "") };
            format!(
                r#"<vehicle><init_pose>0 {} 0</init_pose>{animation}<dynamics class="{class}"/></vehicle>"#,
                5 * index
            )
        };
        let vehicles: String = classes.iter().enumerate().map(|(index, class)| vehicle(index, class)).collect();
        let text = format!("<mvsim_world>{vehicles}</mvsim_world>");
        World::load_text("t.xml", ".".as_ref(), &text, &LoadOptions::default()).expect("a good world").0
    }

    #[test]
    fn steps_have_the_phases_of_the_vehicles_that_are_there() {
        let plain = Phases::default();
        assert_eq!(load(&["differential", "ackermann"]).phases, plain);
        let all = Phases { animations: true, animated_vehicles: true, models: true, fronts: true, ..plain };
        let mut world = load(&["differential", "unicycle", "articulated", "animated"]);
        assert_eq!(world.phases, all);
        for (left, phases) in
            [Phases { animations: false, animated_vehicles: false, ..all }, Phases { models: true, ..plain }, plain]
                .into_iter()
                .enumerate()
        {
            world.remove(world.scene.vehicles[3 - left].id).expect("is there");
            assert_eq!(world.phases, phases);
            world.step().expect("finite");
        }
        world.reset_with(ResetScope::ALL);
        assert_eq!(world.phases, all);
    }

    #[test]
    fn steps_look_at_the_age_of_commands_as_long_as_one_of_them_can_be_too_old() {
        let mut world = load(&["differential"]);
        let id = world.scene.vehicles[0].id;
        let old = Some(SimTime::from_secs(0.1));
        let mut looks = |set: &dyn Fn(&mut World)| {
            set(&mut world);
            world.phases.attention
        };
        assert!(looks(&|world| assert!(world.set_command_timeout_of(id, Some(old)))));
        assert!(!looks(&|world| assert!(world.set_command_timeout_of(id, None))));
        assert!(looks(&|world| world.set_command_timeout(old)));
        let other = |of_all: Option<SimTime>| {
            move |world: &mut World| {
                world.set_command_timeout(of_all);
                world.replace(load(&["unicycle"]));
            }
        };
        assert!(looks(&other(old)), "the settings of a run outlast its world");
        assert!(!looks(&other(None)));
    }
}
