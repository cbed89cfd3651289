//! The phase of a step in which contact sensors are told what touches their vehicles, and the names of all bodies and actors for that.

use std::collections::BTreeMap;
use std::sync::Arc;

use skidpad_math::Vec3;

use crate::sensor::Touch;
use crate::world::physics::{Approach, TOUCHING, Touched};
use crate::world::step::meet_actors::{Meeting, each_meeting};
use crate::world::step::sensing::MountedSensor;
use crate::world::vehicles::vehicle_heights;
use crate::world::{SceneryIndex, World};

/// Names of everything that can be touched.
pub(in crate::world) struct BodyNames {
    /// Of each body, by its index.
    bodies: Vec<Arc<str>>,
    /// Of scenery.
    scenery: BTreeMap<SceneryIndex, Arc<str>>,
    /// Of each actor, by its index.
    actors: Vec<Arc<str>>,
    nothing: Arc<str>,
}

impl BodyNames {
    pub(in crate::world) fn of(&self, touched: Touched) -> &Arc<str> {
        let name = match touched {
            Touched::Body(index) => self.bodies.get(index),
            Touched::Scenery(number) => self.scenery.get(&number),
        };
        name.unwrap_or(&self.nothing)
    }

    fn of_actor(&self, index: usize) -> &Arc<str> {
        self.actors.get(index).unwrap_or(&self.nothing)
    }
}

/// The scenery that a world keeps: its maps and walls, by their names.
pub(in crate::world) type FixedScenery = Vec<(SceneryIndex, String)>;

impl World {
    /// Notes the names of all bodies, after some have come or gone, if a sensor feels contacts.
    pub(in crate::world) fn renew_body_names(&mut self) {
        let feels = self.vehicles.iter().flat_map(|record| &record.sensors).any(|mounted| mounted.sensor.feels());
        self.body_names = feels.then(|| self.names_of_bodies());
    }

    /// The names of all bodies, scenery and actors.
    pub(in crate::world) fn names_of_bodies(&self) -> BodyNames {
        let nothing: Arc<str> = "".into();
        let mut bodies = vec![nothing.clone(); self.physics.counts()[0]];
        let mut scenery: BTreeMap<_, Arc<str>> = BTreeMap::new();
        let mut name_body = |index: usize, name: &str| {
            if let Some(slot) = bodies.get_mut(index) {
                *slot = name.into();
            }
        };
        for (record, info) in self.vehicles.iter().zip(&self.scene.vehicles) {
            record.bodies().for_each(|body| name_body(body, &info.name));
        }
        for (record, info) in self.blocks.iter().zip(&self.scene.blocks) {
            if let Some(body) = &record.body {
                name_body(body.body, &info.name);
            }
            scenery.extend(record.scenery.map(|(number, _)| (number, info.name.as_str().into())));
        }
        scenery.extend(self.fixed_scenery.iter().map(|(number, name)| (*number, name.as_str().into())));
        let actors = self.scene.actors.iter().map(|info| info.name.as_str().into()).collect();
        BodyNames { bodies, scenery, actors, nothing }
    }

    /// Tells the sensors that feel contacts what touched their vehicles in this step.
    pub(in crate::world) fn feel_contacts(&mut self) {
        let Some(names) = &self.body_names else { return };
        let (time, step) = (self.frame.time, self.scene.step.secs());
        let vehicles = self.vehicles.iter_mut().zip(&self.frame.vehicles).zip(&self.scene.vehicles);
        for (vehicle, ((record, frame), info)) in vehicles.enumerate() {
            if !record.sensors.iter().any(|mounted| mounted.feels) {
                continue;
            }
            let world_from_body = frame.world_from_body;
            let standing = || vehicle_heights(world_from_body.z, info.chassis_z);
            let own_heights = record.lying_heights().unwrap_or_else(standing);
            let front = record.front.as_ref().map(|front| front.body);
            for body in std::iter::once(record.body).chain(front) {
                self.physics.touch_points(body, |point| {
                    let common = [own_heights[0].max(point.heights[0]), own_heights[1].min(point.heights[1])];
                    let touch = Touch {
                        time,
                        step,
                        world_from_body,
                        other: names.of(point.other),
                        position: Vec3::new(point.position.x, point.position.y, 0.5 * (common[0] + common[1])),
                        normal: Vec3::new(point.normal.x, point.normal.y, 0.0),
                        push: point.push,
                        impulse: Vec3::new(point.impulse.x, point.impulse.y, 0.0),
                    };
                    feel(&mut record.sensors, &touch);
                });
            }
            if !self.phases.actors {
                continue;
            }
            let mut sensors = std::mem::take(&mut record.sensors);
            let (physics, scene, frame) = (&self.physics, &self.scene, &self.frame);
            each_meeting(physics, scene, frame, vehicle, record, TOUCHING, |Meeting { actor, heights, approach }| {
                let Approach { position, normal, .. } = approach;
                let touch = Touch {
                    time,
                    step,
                    world_from_body,
                    other: names.of_actor(*actor),
                    position: Vec3::new(position.x, position.y, 0.5 * (heights[0] + heights[1])),
                    normal: Vec3::new(normal.x, normal.y, 0.0),
                    push: 0.0,
                    impulse: Vec3::zeros(),
                };
                feel(&mut sensors, &touch);
            });
            record.sensors = sensors;
        }
    }
}

/// Tells those of the sensors that feel contacts.
fn feel(sensors: &mut [MountedSensor], touch: &Touch<'_>) {
    sensors.iter_mut().filter(|mounted| mounted.feels).for_each(|mounted| mounted.sensor.feel(touch));
}
