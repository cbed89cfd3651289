//! How instances move, for pictures whose rows are taken one after the other: where each was and will be within a picture follows from
//! constant velocities.

use skidpad_math::{Vec3, turned_by};

use super::{Instance, Space};

/// The motion of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity of the origin of its model in the world [m/s].
    pub velocity: Vec3,
    /// Angular velocity in the world [rad/s].
    pub turn_rate: Vec3,
}

/// An instance that moves.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// The box around it in the world [m]: lower and upper corner.
    pub bounds: [Vec3; 2],
    /// Speed that no point of it exceeds [m/s].
    pub speed: f64,
}

impl Space {
    /// Forgets the motions of all instances: they stand still.
    pub fn stop(&mut self) {
        self.moving.clear();
    }

    /// Gives an instance this motion, until the next [`stop`](Self::stop).
    pub fn set_in_motion(&mut self, index: usize, motion: Motion) {
        if motion != Motion::default() {
            self.moving.push((index as u32, motion));
        }
    }

    /// The instances that move.
    pub fn moving(&self) -> impl Iterator<Item = Moving<'_>> {
        self.moving.iter().filter_map(|&(index, motion)| {
            let (instance, bounds) = (self.instances.get(index as usize)?, self.boxes.get(index as usize)?);
            let [low, high] = instance.model.tree.bounds;
            // A model without triangles has no box.
            if low[0] > high[0] {
                return None;
            }
            let reach = Vec3::from_fn(|axis, _| f64::from(low[axis].abs().max(high[axis].abs()))).norm();
            let bounds = bounds.map(|corner| Vec3::from(corner.map(f64::from)) + self.origin);
            let speed = motion.velocity.norm() + motion.turn_rate.norm() * reach;
            Some(Moving { instance, bounds, speed })
        })
    }

    /// Becomes a copy of another one, as from the next [`finish`](Self::finish) on, in the memory that this one has.
    pub fn copy_from(&mut self, other: &Space) {
        let Space {
            instances,
            boxes,
            top: _,
            textures,
            light,
            sky,
            batch_caster,
            origin,
            has_glass,
            has_holes,
            moving,
        } = other;
        self.instances.clone_from(instances);
        self.boxes.clone_from(boxes);
        self.textures.clone_from(textures);
        self.moving.clone_from(moving);
        self.sky.clone_from(sky);
        self.batch_caster.clone_from(batch_caster);
        (self.light, self.origin, self.has_glass, self.has_holes) = (*light, *origin, *has_glass, *has_holes);
    }

    /// Lets go of the instances of a copy, so that models are shared with it no longer than it is looked at; the memory for them stays.
    pub fn let_go(&mut self) {
        self.instances.clear();
        self.boxes.clear();
        self.moving.clear();
    }

    /// Places what moves in a space of which this one is a copy where it is `time` [s] later, which may be negative, and takes that over.
    pub fn place_at(&mut self, of: &Space, time: f64) {
        for &(index, Motion { velocity, turn_rate }) in &of.moving {
            let Some(original) = of.instances.get(index as usize) else { continue };
            let rotation = turned_by(turn_rate * time) * original.world_from_model;
            let position = original.position + velocity * time;
            if let Some(instance) = self.instances.get_mut(index as usize) {
                instance.put(rotation, position);
                self.boxes[index as usize] = instance.bounds(self.origin);
            }
        }
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use skidpad_math::Pose3;

    use super::super::{Looker, Model, Ray, Surface};
    use super::*;

    /// A square of side 2 that drives along y at 3 m/s and turns about z at 0.5 rad/s, and one that stands still.
    #[test]
    fn a_copy_has_what_moves_where_it_is_at_its_time_and_the_rest_where_it_was() {
        let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (1.0, -1.0)];
        let model = Arc::new(Model::new(&corners.map(|(y, z)| Vec3::new(0.0, y, z))));
        let surfaces: Arc<[Surface]> = [Surface::default()].into();
        let mut space = Space::new(Vec3::new(100.0, 0.0, 0.0));
        let at = |x: f64, y: f64, yaw: f64| Pose3 { x, y, yaw, ..Pose3::default() };
        let moving = space.add(Arc::clone(&model), Arc::clone(&surfaces), None, at(104.0, 0.0, 0.1));
        space.add(Arc::clone(&model), Arc::clone(&surfaces), None, at(108.0, 0.0, 0.0));
        space.finish();
        let motion = Motion { velocity: Vec3::new(0.0, 3.0, 0.0), turn_rate: Vec3::new(0.0, 0.0, 0.5) };
        space.set_in_motion(moving, motion);
        space.set_in_motion(1, Motion::default());
        let [only] = &space.moving().collect::<Vec<_>>()[..] else { panic!() };
        assert!((only.speed - (3.0 + 0.5 * 2.0_f64.sqrt())).abs() < 1e-6);
        assert!(only.bounds[0].x < 104.0 && only.bounds[1].x > 104.0 && only.bounds[1].x < 105.0);
        let mut copy = Space::default();
        copy.copy_from(&space);
        for time in [0.4, -0.2, 0.0] {
            copy.place_at(&space, time);
            let mut expected = Space::new(space.origin());
            expected.add(Arc::clone(&model), Arc::clone(&surfaces), None, at(104.0, 3.0 * time, 0.1 + 0.5 * time));
            expected.add(Arc::clone(&model), Arc::clone(&surfaces), None, at(108.0, 0.0, 0.0));
            expected.finish();
            for y in [-0.9, 0.0, 0.9, 1.9] {
                let origin = Vec3::new(100.0, y, 0.3);
                let (direction, looker) = (Vec3::x(), Looker::Camera);
                let ray = Ray { origin, direction, near: 0.0, far: 50.0, hidden: None, looker };
                let [actual, wanted] = [&copy, &expected].map(|space| space.cast(&ray));
                assert_eq!(actual.map(|hit| hit.instance), wanted.map(|hit| hit.instance), "{time} {y}");
                let range = |hit: Option<super::super::Hit>| hit.map_or(0.0, |hit| hit.range);
                assert!((range(actual) - range(wanted)).abs() < 1e-5, "{time} {y}");
            }
        }
        space.stop();
        assert_eq!(space.moving().count(), 0);
    }
}
