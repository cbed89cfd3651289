//! One world of those that are stepped together, with what is noted of its last call.

use std::path::PathBuf;

use pyo3::prelude::*;
use skidpad::assets::Cancel;
use skidpad::math::{Pose3, Twist2};
use skidpad::time::SimTime;
use skidpad::world::{EntityRef, ResetScope, Spot, StepError, World};

use crate::arrays::{Arrays, PLACE_FIELDS, Place};
use crate::course::Episode;
use crate::errors::refused;
use crate::path::Line;
use crate::source::Source;

/// Vehicles are looked for on their line when they have gone so far [m], and at the end of a call: where that call is cut into batches plays no part.
const STRIDE: f64 = 0.5;

/// The config of the trajectory that a vehicle follows from the start, and the files that were opened for it.
pub(crate) struct Followed {
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<PathBuf>,
}

/// One world of several.
pub(crate) struct Slot {
    pub(crate) world: World,
    pub(crate) source: Source,
    /// Revision of the scene that the arrays fit.
    pub(crate) fitting: u64,
    /// Simulated time before the last call of `step`.
    pub(crate) since: SimTime,
    /// For each vehicle, whether it has touched something in that call; only where somebody wants to know.
    pub(crate) collided: Vec<bool>,
    /// For each vehicle, where it is on the line, if there is one.
    pub(crate) places: Vec<Place>,
    /// For each vehicle, x and y [m] that its place is for; none: it has come there otherwise than by steps, and is looked for along the whole line.
    placed: Vec<Option<[f64; 2]>>,
    /// Makes no steps in this call of `drive`.
    pub(crate) rests: bool,
    /// Rays and pixels of one sample of each of its sensors.
    pub(crate) rays: u64,
    /// Ctrl-C has ended a step or a look before all sensors had sampled.
    pub(crate) is_cut_short: bool,
    /// What one of its vehicles has followed from the start; none: nothing.
    pub(crate) followed: Option<Followed>,
    /// The changes of the world from outside that were part of its load: see [`Slot::is_new`].
    loaded: u64,
    /// One for each driver, if there are any.
    pub(crate) episodes: Vec<Episode>,
    /// The error that ended its steps, and the count of steps at which. It makes no more until a reset has changed that count.
    failed: Option<(u64, StepError)>,
}

impl Slot {
    pub(crate) fn new(world: World, source: Source) -> Slot {
        let collided = vec![false; world.scene().vehicles.len()];
        let since = world.frame().time;
        let places = vec![[0.0; PLACE_FIELDS]; collided.len()];
        let placed = vec![None; collided.len()];
        let fitting = world.scene().revision;
        let (rays, loaded) = (rays_of(&world), world.changes());
        Slot {
            world,
            source,
            fitting,
            since,
            collided,
            places,
            placed,
            rests: false,
            rays,
            is_cut_short: false,
            followed: None,
            loaded,
            episodes: Vec::new(),
            failed: None,
        }
    }

    /// Whether its world is as it was loaded, apart from a trajectory that a vehicle follows from the start: then a recording that begins now can be made
    /// again.
    pub(crate) fn is_new(&self) -> bool {
        let frame = self.world.frame();
        self.world.changes() == self.loaded && frame.step == 0 && frame.time == SimTime::ZERO
    }

    /// Puts another world in the place of its own.
    pub(crate) fn replace(&mut self, world: World, source: Source) {
        (self.loaded, self.followed) = (world.changes(), None);
        (self.source, self.world) = (source, world);
        self.restart();
    }

    /// Notes that a vehicle follows a trajectory from the start.
    pub(crate) fn note_followed(&mut self, followed: Followed) {
        (self.loaded, self.followed) = (self.world.changes(), Some(followed));
    }

    /// Whether the arrays fit its world: no body has come or gone since they were made.
    pub(crate) fn fits(&self) -> bool {
        self.fitting == self.world.scene().revision
    }

    pub(crate) fn advance(&mut self, steps: u64, arrays: &Arrays, cancel: &Cancel) -> Result<(), StepError> {
        if self.rests { Ok(()) } else { self.make_steps(steps, arrays, cancel) }
    }

    /// Looks for the places of all vehicles on a line: near the last one of those that have made steps, by at least `farthest` [m].
    pub(crate) fn follow(&mut self, line: &Line, farthest: f64) {
        for ((place, placed), vehicle) in self.places.iter_mut().zip(&mut self.placed).zip(&self.world.frame().vehicles)
        {
            let pose = vehicle.world_from_body;
            let (point, progress) = ([pose.x, pose.y], place[PLACE_FIELDS - 1]);
            let projection = match *placed {
                None => {
                    place[PLACE_FIELDS - 1] = 0.0;
                    line.find(point, pose.yaw)
                }
                Some([x, y]) => {
                    let distance = ((point[0] - x).powi(2) + (point[1] - y).powi(2)).sqrt();
                    if distance == 0.0 || distance < farthest {
                        continue;
                    }
                    let projection = line.track(point, place[0], distance);
                    place[PLACE_FIELDS - 1] = progress + line.arc_length_between(place[0], projection[0]);
                    projection
                }
            };
            place[..PLACE_FIELDS - 1].copy_from_slice(&projection);
            *placed = Some(point);
        }
    }

    /// Forgets where vehicles are on the line: it is another one, or they have come elsewhere.
    pub(crate) fn lose_places(&mut self) {
        self.placed.fill(None);
    }

    fn make_steps(&mut self, steps: u64, arrays: &Arrays, cancel: &Cancel) -> Result<(), StepError> {
        match &self.failed {
            Some((count, error)) if *count == self.world.frame().step => return Err(error.clone()),
            _ => self.failed = None,
        }
        for _ in 0..steps {
            if cancel.is_cancelled() {
                break;
            }
            let frame = match self.world.step() {
                Ok(frame) => frame,
                Err(error) => {
                    self.failed = Some((self.world.frame().step, error.clone()));
                    return Err(error);
                }
            };
            if arrays.wants_collisions() {
                self.collided
                    .iter_mut()
                    .zip(&frame.vehicles)
                    .for_each(|(collided, vehicle)| *collided |= vehicle.colliding);
            }
            if let Some(line) = arrays.line() {
                self.follow(line, STRIDE);
            }
        }
        Ok(())
    }

    /// Puts a body at a pose in the plane, and at its present height, with a velocity.
    pub(crate) fn place(
        &mut self,
        entity: EntityRef,
        [x, y, yaw]: [f64; 3],
        z: Option<f64>,
        velocity: Twist2,
    ) -> PyResult<()> {
        let frame = self.world.frame();
        let present = match entity {
            EntityRef::Vehicle(index) => {
                // It is looked for along the whole line.
                self.placed[index] = None;
                frame.vehicles[index].world_from_body
            }
            EntityRef::Block(_) | EntityRef::Actor(_) => frame.pose_of(entity),
        };
        let pose = Pose3 { x, y, z: z.unwrap_or(present.z), yaw, pitch: 0.0, roll: 0.0 };
        let spot = Spot { pose, gives_z: z.is_some() };
        let is_static = matches!(entity, EntityRef::Block(index) if self.world.scene().blocks[index].is_static);
        let id = self.world.scene().entity_id(entity);
        self.world.set_state(id, Some(spot), (!is_static).then_some(velocity)).map_err(refused)
    }

    /// Back to the start; `time`: simulated time and noise, too.
    pub(crate) fn reset(&mut self, time: bool) {
        self.world.reset_with(if time { ResetScope::ALL } else { ResetScope { time: false, ..ResetScope::ALL } });
        self.restart();
    }

    /// Whether the sample of a sensor arrived during the last call.
    pub(crate) fn is_fresh(&self, slot: usize) -> bool {
        self.world.frame().readings[slot].arrived > self.since
    }

    /// Forgets what was noted of the last call.
    pub(crate) fn restart(&mut self) {
        self.since = self.world.frame().time;
        self.collided.clear();
        self.collided.resize(self.world.scene().vehicles.len(), false);
        self.places.resize(self.collided.len(), [0.0; PLACE_FIELDS]);
        self.placed.clear();
        self.placed.resize(self.collided.len(), None);
        self.rays = rays_of(&self.world);
        self.is_cut_short = false;
    }
}

/// Rays and pixels of one sample of each sensor of a world.
fn rays_of(world: &World) -> u64 {
    let load = world.sensor_load();
    load.rays.saturating_add(load.pixels)
}
