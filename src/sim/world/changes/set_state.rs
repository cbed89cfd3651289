//! Sets the pose and velocity of a vehicle or a block, and the pose of an actor, from outside.

use skidpad_math::{Pose2, Pose3, Twist2};

use crate::vehicle::{Action, wrong_pose};
use crate::world::changes::teleport::AfterTeleport;
use crate::world::step::attitude::Attitude;
use crate::world::{BodyIndex, EntityId, EntityRef, ExternalChange, Spot, StateError, World};

impl World {
    /// Whether [`set_state`](World::set_state) would accept this.
    ///
    /// # Errors
    /// As [`set_state`](World::set_state).
    pub fn check_state(
        &self,
        id: EntityId,
        pose: Option<impl Into<Spot>>,
        velocity_in_body: Option<Twist2>,
    ) -> Result<(), StateError> {
        let spot = pose.map(Into::into);
        let entity = self.scene.entity_of(id).ok_or(StateError::Unknown(id.0))?;
        let name = || self.scene.entity_name(entity).to_owned();
        let invalid = |fault, accepted| Err(StateError::Invalid { name: name(), fault, accepted });
        if let Some((fault, accepted)) =
            spot.and_then(|spot| wrong_pose(&spot.pose)).or_else(|| velocity_in_body.and_then(wrong_velocity))
        {
            return invalid(fault, accepted);
        }
        let moves = velocity_in_body.is_some_and(|velocity| velocity != Twist2::ZERO);
        let fixed = match entity {
            EntityRef::Vehicle(index) => self.vehicles[index].animation.is_some(),
            EntityRef::Actor(_) if moves => return invalid("the path of an actor sets its velocity", "no velocity"),
            EntityRef::Actor(_) => false,
            EntityRef::Block(index) if self.scene.blocks[index].is_static => {
                if moves {
                    return invalid("it never moves by itself", "no velocity");
                }
                false
            }
            EntityRef::Block(index) => self.blocks[index].body.is_none() || !self.scene.blocks[index].is_pushed(),
        };
        if fixed { Err(StateError::Fixed(name())) } else { Ok(()) }
    }

    /// Sets the pose, the velocity, or both, of a vehicle or a block; omitted values stay. An actor takes a pose, as it is, and goes on
    /// from there; without a z of its own it keeps its height. `velocity_in_body` is that of the reference
    /// point [m/s, rad/s]; the wheels roll along. Height, pitch and roll follow from the ground: the highest that is not above half of
    /// the body, counted from z. Where all planes are higher, a [`Spot`] without a z of its own takes the lowest of them.
    ///
    /// # Errors
    /// Nothing has this id, its motion is prescribed, it is static but is given a velocity, or a number is not finite or absurd.
    pub fn set_state(
        &mut self,
        id: EntityId,
        pose: Option<impl Into<Spot>>,
        velocity_in_body: Option<Twist2>,
    ) -> Result<(), StateError> {
        let spot = pose.map(Into::into);
        self.check_state(id, spot, velocity_in_body)?;
        let Some(entity) = self.scene.entity_of(id) else { return Ok(()) };
        let moves = match entity {
            EntityRef::Vehicle(_) => true,
            EntityRef::Block(index) => !self.scene.blocks[index].is_static,
            EntityRef::Actor(_) => false,
        };
        if !moves && spot.is_none() {
            return Ok(());
        }
        let velocity = velocity_in_body.filter(|_| moves);
        self.note(|scene| ExternalChange::State(scene.entity_name(entity).to_owned(), spot, velocity));
        match (entity, spot) {
            (EntityRef::Vehicle(index), _) => {
                if spot.is_some() {
                    self.forget_teleports(index);
                }
                self.set_vehicle_state(index, spot, velocity);
            }
            (EntityRef::Block(index), Some(spot)) if !moves => self.put_still_block(index, self.on_ground(index, spot)),
            (EntityRef::Block(index), _) => self.set_block_state(index, spot, velocity),
            (EntityRef::Actor(index), Some(spot)) => self.place_actor(index, spot),
            (EntityRef::Actor(_), None) => {}
        }
        Ok(())
    }

    /// Places a body, together with the bodies joined to it, at a pose if one is given, and sets its velocity, if one is given. Returns
    /// its pose [m, rad] and its velocity in its own frame [m/s, rad/s].
    fn set_body_state(&mut self, body: BodyIndex, spot: Option<Spot>, velocity: Option<Twist2>) -> (Pose2, Twist2) {
        let velocity = velocity.unwrap_or_else(|| self.physics.velocity_in_body(body));
        let planar = spot.map_or_else(|| self.physics.world_from_body(body), |spot| spot.pose.planar());
        if spot.is_some() {
            self.teleport(body, planar, AfterTeleport::Continue);
        }
        self.physics.place(body, planar, velocity);
        (planar, velocity)
    }

    /// Moves a vehicle to a pose [m, rad] and a velocity of its reference point [m/s, rad/s] near its own, as an estimator corrects a
    /// prediction. Unlike after [`World::set_state`], the slip of its wheels, the state of its tyres, its load transfer, its controller and
    /// its drivetrain go on. Bodies joined to it stay.
    ///
    /// # Errors
    /// No vehicle has this id, its motion is prescribed, or a number is not finite or absurd.
    pub fn correct_state(&mut self, id: EntityId, pose: Pose3, velocity_in_body: Twist2) -> Result<(), StateError> {
        let Some(index) = self.scene.vehicle_of(id) else { return Err(StateError::Unknown(id.0)) };
        let name = || self.scene.vehicles[index].name.clone();
        if let Some((fault, accepted)) = wrong_pose(&pose).or_else(|| wrong_velocity(velocity_in_body)) {
            return Err(StateError::Invalid { name: name(), fault, accepted });
        }
        if self.vehicles[index].animation.is_some() {
            return Err(StateError::Fixed(name()));
        }
        self.note(|_| ExternalChange::Other("the state of a vehicle was corrected"));
        let record = &mut self.vehicles[index];
        record.vehicle.keep_slip(self.physics.velocity_in_body(record.body), velocity_in_body);
        let bend = record.bend(&self.physics);
        self.physics.place(record.body, pose.planar(), velocity_in_body);
        record.place_front(bend, &mut self.physics);
        record.vehicle.continue_from(velocity_in_body);
        self.continue_vehicle(index, Some(pose.into()), pose.planar(), velocity_in_body);
        Ok(())
    }

    pub(in crate::world) fn set_vehicle_state(
        &mut self,
        index: usize,
        spot: Option<Spot>,
        velocity_in_body: Option<Twist2>,
    ) {
        let bend = self.vehicles[index].bend(&self.physics);
        let (planar, velocity) = self.set_body_state(self.vehicles[index].body, spot, velocity_in_body);
        self.vehicles[index].place_front(bend, &mut self.physics);
        let vehicle = &mut self.vehicles[index].vehicle;
        vehicle.halt(velocity);
        vehicle.roll(velocity);
        self.continue_vehicle(index, spot, planar, velocity);
    }

    /// Lets a vehicle go on from where its body has been placed, at `planar` [m, rad] with `velocity` [m/s, rad/s] in its frame.
    fn continue_vehicle(&mut self, index: usize, spot: Option<Spot>, planar: Pose2, velocity: Twist2) {
        let record = &mut self.vehicles[index];
        record.vehicle.correct_velocity(velocity);
        record.velocity_in_body = velocity;
        if let Some(spot) = spot {
            record.attitude = Attitude::of(spot.pose);
            record.set_down(&self.terrain, spot);
            self.set_vehicle_on_ground(index);
        }
        let record = &self.vehicles[index];
        let frame = &mut self.frame.vehicles[index];
        (frame.world_from_body, frame.velocity_in_body) = (record.attitude.with(planar), velocity);
        for (frame, wheel) in frame.wheels.iter_mut().zip(record.vehicle.wheels()) {
            frame.spin = wheel.spin;
        }
    }

    /// The pose [m, rad] of a block that never moves by itself and is placed at `pose`: it keeps its tilt, and stays on the ground if it
    /// was on the ground.
    fn on_ground(&self, index: usize, spot: Spot) -> Pose3 {
        let (info, record, pose) = (&self.scene.blocks[index], &self.blocks[index], spot.pose);
        let start = info.world_from_start;
        let (pitch, roll) = (start.pitch, start.roll);
        if record.keeps_height {
            return Pose3 { pitch, roll, ..pose };
        }
        let z = self.terrain.ground_near(spot, pose.z + 0.5 * info.z[1], Some(record.ground));
        Pose3 { z, pitch, roll, ..pose }
    }

    pub(in crate::world) fn set_block_state(
        &mut self,
        index: usize,
        spot: Option<Spot>,
        velocity_in_body: Option<Twist2>,
    ) {
        let Some(block) = &self.blocks[index].body else { return };
        let (planar, velocity) = self.set_body_state(block.body, spot, velocity_in_body);
        let record = &mut self.blocks[index];
        let Some(block) = &mut record.body else { return };
        if let Some(spot) = spot {
            block.attitude = Attitude::of(spot.pose);
            if block.follows {
                let highest = spot.pose.z + 0.5 * self.scene.blocks[index].z[1];
                block.attitude.z = self.terrain.ground_near(spot, highest, Some(record.ground));
            }
            self.terrain.set_block_pose(record.ground, block.attitude.with(planar));
        }
        self.frame.blocks[index] = block.attitude.with(planar);
        self.frame.block_velocities[index] = velocity;
        self.incline_blocks();
    }
}

/// What is wrong with a velocity [m/s, rad/s], and what is accepted.
fn wrong_velocity(v: Twist2) -> Option<(&'static str, &'static str)> {
    if !v.is_finite() {
        return Some(("a number in its velocity is not finite", "finite numbers"));
    }
    let is_fast = v.vx.abs().max(v.vy.abs()).max(v.wz.abs()) > Action::MAX_NUMBER;
    is_fast.then_some(("it would move too fast", "up to 1e6 m/s or rad/s"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicle::Command;
    use crate::world::LoadOptions;

    const CAR: &str = "<mvsim_world version=\"1.0\"><vehicle name=\"car\"><init_pose>0 0 0</init_pose>\
        <dynamics class=\"ackermann\"><controller class=\"twist_front_steer_pid\"><KP>50</KP><max_torque>50</max_torque></controller></dynamics></vehicle></mvsim_world>";

    fn spinning_up() -> World {
        let mut world = World::load_text("test", ".".as_ref(), CAR, &LoadOptions::default()).unwrap().0;
        world.command(Command { vehicle: 0, action: Action::Ackermann { speed: 3.0, steering_angle: 0.2 } }).unwrap();
        for _ in 0..20 {
            world.step().unwrap();
        }
        world
    }

    #[test]
    fn a_corrected_state_keeps_the_slip_of_the_wheels_and_a_set_one_rolls() {
        let slips = |world: &World| -> Vec<f64> {
            let velocity = world.frame().vehicles[0].velocity_in_body;
            let wheels = world.vehicle(0).unwrap().wheels();
            wheels.iter().map(|w| w.spin * w.parameters.radius - w.velocity_in_wheel(velocity).x).collect()
        };
        let mut world = spinning_up();
        let id = world.scene().vehicles[0].id;
        let before = slips(&world);
        assert!(before.iter().any(|slip| slip.abs() > 1e-3), "{before:?}");
        let pose = Pose3 { x: 5.0, yaw: 1.0, ..Pose3::default() };
        let velocity = Twist2::new(2.0, 0.1, 0.3);
        world.correct_state(id, pose, velocity).unwrap();
        assert_eq!(world.frame().vehicles[0].world_from_body.planar(), pose.planar());
        for (after, before) in slips(&world).iter().zip(&before) {
            assert!((after - before).abs() < 1e-12, "{after} {before}");
        }
        world.set_state(id, Some(pose), Some(velocity)).unwrap();
        assert!(slips(&world).iter().all(|slip| slip.abs() < 1e-12));
    }

    #[test]
    fn a_state_that_is_set_takes_the_place_of_a_teleport_that_waits() {
        let mut world = spinning_up();
        let id = world.scene().vehicles[0].id;
        for action in
            [Action::Teleport(Pose2::new(9.0, 9.0, 0.0)), Action::Ackermann { speed: 2.0, steering_angle: 0.0 }]
        {
            world.command(Command { vehicle: 0, action }).unwrap();
        }
        let pose = Pose3 { x: 5.0, ..Pose3::default() };
        world.set_state(id, Some(pose), Some(Twist2::new(2.0, 0.0, 0.0))).unwrap();
        world.step().unwrap();
        let car = &world.frame().vehicles[0];
        assert!((car.world_from_body.x - 5.0).abs() < 0.1 && car.velocity_in_body.vx > 1.9, "{car:?}");
        assert_eq!(world.frame().commands.len(), 1, "the command behind it stays");
    }

    #[test]
    fn a_state_corrected_to_itself_changes_nothing() {
        let (mut world, mut same) = (spinning_up(), spinning_up());
        let car = &same.frame().vehicles[0];
        let (id, pose, velocity) = (same.scene().vehicles[0].id, car.world_from_body, car.velocity_in_body);
        same.correct_state(id, pose, velocity).unwrap();
        for _ in 0..200 {
            let (a, b) = (world.step().unwrap().vehicles[0].clone(), same.step().unwrap().vehicles[0].clone());
            let (a, b) = (a.world_from_body.planar(), b.world_from_body.planar());
            assert!((a.x - b.x).hypot(a.y - b.y) < 1e-9 && (a.yaw - b.yaw).abs() < 1e-9, "{a:?} {b:?}");
        }
    }

    #[test]
    fn an_absurd_state_is_refused() {
        let mut world = spinning_up();
        let id = world.scene().vehicles[0].id;
        let error = world.correct_state(id, Pose3::default(), Twist2::new(f64::NAN, 0.0, 0.0)).unwrap_err();
        assert!(error.to_string().contains("not finite"), "{error}");
        assert!(world.correct_state(EntityId(99), Pose3::default(), Twist2::ZERO).is_err());
    }
}
