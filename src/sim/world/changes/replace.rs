//! An empty world, and the replacement of one world by another.

use std::sync::Arc;

use skidpad_math::time::{Periodic, SimTime};

use crate::sensor::Reading;
use crate::world::{Catalogue, ExternalChange, Scene, World};

impl World {
    /// A world with nothing in it, for steps of `step` [ns], > 0.
    pub fn empty(step: SimTime, seed: u64) -> World {
        let step = step.max(SimTime(1000));
        let mut catalogue = Catalogue::default();
        catalogue.scalars.seed = seed;
        World::new(Scene { name: "empty".into(), step, seed, ..Scene::default() }, catalogue).begin()
    }

    /// Takes the place of `before`, as another load of it, where it is shown: its scene gets the next revision, by
    /// which viewers tell the two apart.
    pub fn succeed(&mut self, before: &World) {
        Arc::make_mut(&mut self.scene).revision = before.scene.revision + 1;
    }

    /// Replaces this world by another. Simulated time, ids and the scene's revision continue, and the settings of the run stay: command
    /// timeout, range noise, parallel steering, and the effect of teleports on odometry.
    pub fn replace(&mut self, by: World) {
        let mut by = by;
        let now = self.frame.time;
        by.frame.time = now;
        for mounted in by.vehicles.iter_mut().flat_map(|record| &mut record.sensors) {
            mounted.due = Periodic::after(mounted.sensor.info().period, now);
        }
        by.frame.readings.iter_mut().for_each(Reading::forget);
        by.succeed(self);
        by.registry.follow(&self.registry, Arc::make_mut(&mut by.scene));
        let parallel_steer = self.settings.parallel_steer.or(by.settings.parallel_steer);
        by.settings = self.settings;
        by.cancel = self.cancel.clone();
        (by.changes, by.recorded_changes) = (self.changes, self.recorded_changes.take());
        by.note(|_| ExternalChange::Other("another world was loaded"));
        by.set_parallel_steer(parallel_steer);
        by.reset_drivers();
        by.renew_phases();
        *self = by;
    }
}
