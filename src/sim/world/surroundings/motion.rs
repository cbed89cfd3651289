//! How what moves has moved in the last step, for sensors that take their time to look.

use skidpad_math::{Pose3, Vec3, turn_of};

use super::Surroundings;
use super::parts::{Attachment, Part};
use crate::raycast::space::Motion;
use crate::sensor::View;
use crate::world::{Frame, MAX_MOTION_SPEED, VehicleFrame, World};

impl Part {
    /// Its pose in the world [m, rad].
    pub(super) fn world_from_part(&self, frame: &Frame) -> Pose3 {
        self.attachment.world_from_body(frame) * self.body_from_part
    }
}

impl Surroundings {
    /// Gives everything the motion that it had on its way to this frame, in a step of `step` [s], as far as it is known where it was before. What
    /// is fixed to a vehicle has the velocity of the vehicle, as a camera on it has. `at_rest`: what a sensor sees of its own motion.
    pub(in crate::world) fn set_in_motion(&mut self, frame: &Frame, step: f64, at_rest: &View<'_>) {
        self.space.stop();
        if self.before.len() != self.parts.len() {
            return;
        }
        for (part, before) in self.parts.iter().zip(&self.before) {
            if let Attachment::Vehicle(index) = part.attachment {
                if let Some(&VehicleFrame { world_from_body, velocity_in_body, lean, .. }) = frame.vehicles.get(index) {
                    let view = View { world_from_body, velocity_in_body, lean, ..*at_rest };
                    let motion = view.motion_of_part(part.body_from_part.position());
                    self.space.set_in_motion(part.instance, motion);
                }
                continue;
            }
            let was_put = |vehicle: usize| {
                frame.vehicles.get(vehicle).is_some_and(|vehicle| vehicle.since_set_down.secs() <= step)
            };
            if part.attachment.vehicle().is_some_and(was_put) {
                continue;
            }
            let now = part.world_from_part(frame);
            if now == *before {
                continue;
            }
            let velocity: Vec3 = (now.position() - before.position()) / step;
            if velocity.norm() <= MAX_MOTION_SPEED {
                let turn_rate = turn_of(&(now.rotation() * before.rotation().transpose())) / step;
                self.space.set_in_motion(part.instance, Motion { velocity, turn_rate });
            }
        }
    }
}

impl World {
    /// Notes where everything is before a step, for sensors that see how it moves, if one that somebody reads looks at the end of the step.
    pub(in crate::world) fn note_places(&mut self) {
        self.forget_places();
        let end = self.frame.time + self.scene.step;
        let mut sensors = self.vehicles.iter().flat_map(|record| &record.sensors);
        if sensors.any(|mounted| mounted.is_asked && mounted.sensor.sees_motion() && mounted.due.clone().is_due(end)) {
            self.look_around();
            if let Some(Surroundings { before, parts, .. }) = &mut self.surroundings {
                before.extend(parts.iter().map(|part| part.world_from_part(&self.frame)));
            }
        }
    }

    /// Lets everything stand still to sensors until the next step: bodies may have been put elsewhere.
    pub(in crate::world) fn forget_places(&mut self) {
        if let Some(surroundings) = &mut self.surroundings {
            surroundings.before.clear();
        }
    }
}
