//! The phases of a step for bodies on springs: the ground under each of their wheels before it, and the pose of their bodies after it. Bodies
//! that have tipped over collide, and are seen by lidars, with the outline that they have as they lie.

use skidpad_math::{Pose2, Pose3, Vec2, Vec3};

use crate::vehicle::Wheel;
use crate::vehicle::suspension::Stance;
use crate::vehicle::suspension::fall::Fall;
use crate::world::World;
use crate::world::step::attitude::Attitude;
use crate::world::terrain::Terrain;
use crate::world::vehicles::VehicleRecord;

/// Places along a wheel, in radii from its contact, at which the ground may carry it. A wheel rolls over an edge as soon as its rim touches it.
const ALONG_WHEEL: [f64; 7] = [0.0, -0.3, 0.3, -0.6, 0.6, -0.9, 0.9];

impl World {
    /// Tells vehicles on springs what they stand on.
    pub(in crate::world) fn stand_on_springs(&mut self) {
        let is_level = self.terrain.is_level();
        self.vehicles.iter_mut().for_each(|record| record.stand_on_springs(is_level));
    }

    /// Leans the bodies on springs in the frame.
    pub(in crate::world) fn lean_on_springs(&mut self) {
        for (record, frame) in self.vehicles.iter().zip(&mut self.frame.vehicles) {
            frame.world_from_body = record.leaning(frame.world_from_body);
            frame.lean = record.vehicle.lean();
            frame.is_overturned = record.vehicle.fall().is_some_and(Fall::has_landed);
        }
        for index in 0..self.vehicles.len() {
            self.lie_down(index);
        }
    }

    /// Gives a vehicle that has tipped over the outline that it has as it lies, and its own again once it stands.
    pub(in crate::world) fn lie_down(&mut self, index: usize) {
        let record = &mut self.vehicles[index];
        let fall = record.vehicle.fall();
        let lying = fall.map(Fall::footprint).map(|(outline, height)| Lying { outline, height });
        let is_same = match (&record.lying, &lying) {
            (Some(before), Some(now)) => before.is_near(now),
            (before, now) => before.is_none() && now.is_none(),
        };
        if is_same {
            return;
        }
        self.physics.reshape(record.body, lying.as_ref().map(|lying| &lying.outline[..]));
        if let Some((&chassis, wheels)) = record.shapes.split_first() {
            let outline = lying.as_ref().map_or(&self.scene.vehicles[index].outline[..], |lying| &lying.outline[..]);
            self.obstacles.set_mover_outline(chassis, outline);
            wheels.iter().for_each(|&wheel| self.obstacles.set_mover_away(wheel, lying.is_some()));
        }
        record.lying = lying;
        self.heights_are_known = false;
    }
}

/// What a vehicle that has tipped over covers.
pub(in crate::world) struct Lying {
    /// On the ground [m], in the frame of its body in the plane.
    outline: [Vec2; 4],
    /// How high it reaches above the plane [m].
    pub height: f64,
}

impl Lying {
    /// Whether it covers the same but for a centimetre.
    fn is_near(&self, other: &Lying) -> bool {
        let gaps = self.outline.iter().zip(&other.outline).map(|(one, other)| (*one - *other).norm());
        gaps.fold((self.height - other.height).abs(), f64::max) < 0.01
    }
}

impl VehicleRecord {
    /// Heights in the world [m] that it covers as it lies, if it has tipped over.
    pub(in crate::world) fn lying_heights(&self) -> Option<[f64; 2]> {
        self.lying.as_ref().map(|lying| [self.attitude.z, self.attitude.z + lying.height])
    }

    /// Tells a vehicle on springs what it stands on; `is_level`: the plane z = 0.
    pub(in crate::world) fn stand_on_springs(&mut self, is_level: bool) {
        if self.animation.is_none() && self.vehicle.lean().is_some() {
            let Attitude { z, pitch, roll } = self.attitude;
            let ground = if is_level { &[][..] } else { &self.ground_under_wheels };
            self.vehicle.stand_over(&Stance { z, pitch, roll, ground });
        }
    }

    /// The pose of the body on its springs, where it would have this one on the ground without them.
    pub(in crate::world) fn leaning(&self, world_from_body: Pose3) -> Pose3 {
        let Some(lean) = self.vehicle.lean().filter(|_| self.animation.is_none()) else { return world_from_body };
        let Pose3 { x, y, z, yaw, pitch, roll } = world_from_body;
        Pose3 { x, y, z: z + lean.z, yaw, pitch: pitch + lean.pitch, roll: roll + lean.roll }
    }

    /// Looks up the ground under the wheels of a vehicle on springs, whose body is at `planar` [m, rad].
    pub(in crate::world) fn feel_ground(&mut self, terrain: &Terrain, planar: Pose2) {
        if self.vehicle.lean().is_none() {
            return;
        }
        let world_from_body = self.attitude.with(planar);
        let mut ground = std::mem::take(&mut self.ground_under_wheels);
        ground.clear();
        ground.extend(self.vehicle.wheels().iter().map(|wheel| self.ground_under(wheel, terrain, world_from_body)));
        self.ground_under_wheels = ground;
    }

    /// Height [m] that the ground lifts a wheel to, above the plane that the vehicle stands on.
    fn ground_under(&self, wheel: &Wheel, terrain: &Terrain, world_from_body: Pose3) -> f64 {
        let (place, radius) = (wheel.parameters.position, wheel.parameters.radius);
        let forward = wheel.body_from_wheel() * Vec2::new(1.0, 0.0);
        let reach = self.reach_of(wheel, terrain.rules());
        let under = |along: f64| {
            let local = place + along * radius * forward;
            let point = world_from_body.transform_point(Vec3::new(local.x, local.y, 0.0));
            let height = terrain.support_under(Vec2::new(point.x, point.y), point.z + reach, local.norm()).height;
            height - point.z - radius * (1.0 - (1.0 - along * along).sqrt())
        };
        ALONG_WHEEL.into_iter().map(under).fold(f64::NEG_INFINITY, f64::max)
    }
}
