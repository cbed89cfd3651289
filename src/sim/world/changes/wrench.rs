//! Forces and torques from outside that act on a vehicle or a block for a time.

use skidpad_math::Vec2;
use skidpad_math::time::SimTime;

use crate::vehicle::Wrench;
use crate::world::{EntityId, EntityRef, ExternalChange, StateError, World};

/// Most wrenches that act at a time.
const MAX_WRENCHES: usize = 1000;
/// Largest component of a force [N] and of a torque [N·m], and largest coordinate of its point [m].
const MAX_COMPONENT: f64 = 1e9;
/// Longest duration [ns].
const MAX_DURATION: SimTime = SimTime(1_000_000_000_000_000);

/// A force and a torque on a body in the plane, for a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AppliedWrench {
    /// Force [N], along the axes of the world, or of the body if it [turns along](Self::turns_with_body).
    pub force: Vec2,
    /// Torque about the vertical [N·m], beside that of the force.
    pub torque: f64,
    /// Whether the force keeps its direction in the body.
    pub turns_with_body: bool,
    /// Where the force acts [m], in the body's frame; none: at the centre of mass.
    pub point_in_body: Option<Vec2>,
    /// How long it acts from the next step on [ns of simulated time], in whole steps: at least one. 0 ends all wrenches on the body.
    pub duration: SimTime,
}

/// A wrench that acts.
#[derive(Clone, Copy, Debug)]
pub(in crate::world) struct ActingWrench {
    id: EntityId,
    wrench: AppliedWrench,
    /// Steps that are left.
    steps: i64,
}

impl AppliedWrench {
    /// What is wrong with it, and what is accepted.
    fn fault(&self) -> Option<(&'static str, &'static str)> {
        let AppliedWrench { force, torque, point_in_body, duration, .. } = *self;
        let point = point_in_body.unwrap_or(Vec2::ZERO);
        let numbers = [force.x, force.y, torque, point.x, point.y];
        if numbers.iter().any(|number| !number.is_finite()) {
            return Some(("a number of the wrench is not finite", "finite numbers"));
        }
        if numbers.iter().any(|number| number.abs() > MAX_COMPONENT) {
            return Some(("a number of the wrench is too large", "up to 1e9 N, N·m and m"));
        }
        let is_long = !(SimTime::ZERO..=MAX_DURATION).contains(&duration);
        is_long
            .then_some(("the duration of the wrench is out of range", "0 to 1e6 s; 0 ends all wrenches on the entity"))
    }
}

impl World {
    /// Lets a force and a torque act on a vehicle or a block from the next step on. Several add up. They end with their duration, with a
    /// reset of the state, and with their body. Of an articulated vehicle they act on the rear frame.
    ///
    /// # Errors
    /// Nothing has this id, forces do not move it, a number is not finite or too large, or 1000 wrenches act already.
    pub fn apply_wrench(&mut self, id: EntityId, wrench: AppliedWrench) -> Result<(), StateError> {
        let name = self.check_takes_forces(id)?;
        let invalid = |(fault, accepted)| Err(StateError::Invalid { name: name.clone(), fault, accepted });
        if let Some(fault) = wrench.fault() {
            return invalid(fault);
        }
        let ends = wrench.duration == SimTime::ZERO;
        if !ends && self.wrenches.len() >= MAX_WRENCHES {
            return invalid(("too many wrenches act in this world", "1000 at a time"));
        }
        self.note(|_| ExternalChange::Wrench(name.clone(), wrench));
        if ends {
            self.wrenches.retain(|acting| acting.id != id);
        } else {
            let (duration, step) = (wrench.duration.0, self.scene.step.0);
            let steps = (duration / step + i64::from(2 * (duration % step) >= step)).max(1);
            self.wrenches.push(ActingWrench { id, wrench, steps });
        }
        Ok(())
    }

    /// The name of a body that forces move.
    fn check_takes_forces(&self, id: EntityId) -> Result<String, StateError> {
        let entity = self.scene.entity_of(id).ok_or(StateError::Unknown(id.0))?;
        let is_moved = match entity {
            EntityRef::Vehicle(index) => {
                self.vehicles[index].animation.is_none() && self.vehicles[index].vehicle.moves_by_forces()
            }
            EntityRef::Block(index) => self.blocks[index].body.is_some() && self.blocks[index].animation.is_none(),
            EntityRef::Actor(_) => false,
        };
        let name = self.scene.entity_name(entity).to_owned();
        if is_moved { Ok(name) } else { Err(StateError::Unmoved(name)) }
    }

    /// Takes over the wrenches of a world whose bodies are still there, by name.
    pub(in crate::world) fn take_over_wrenches(&mut self, before: &World) {
        for acting in &before.wrenches {
            let name = before.scene.entity_of(acting.id).map(|entity| before.scene.entity_name(entity));
            let id = name.and_then(|name| self.scene.entity(name)).map(|entity| self.scene.entity_id(entity));
            if let Some(id) = id.filter(|id| self.check_takes_forces(*id).is_ok()) {
                self.wrenches.push(ActingWrench { id, ..*acting });
            }
        }
    }

    /// Adds what the wrenches do in one step to the velocities of their bodies. Tyres and floor then resist in the same step.
    // Not inlined, so that the step stays short where none acts.
    #[inline(never)]
    pub(in crate::world) fn push_bodies(&mut self) {
        let (scene, vehicles, blocks, physics) = (&self.scene, &self.vehicles, &self.blocks, &mut self.physics);
        self.wrenches.retain_mut(|acting| {
            let vehicle = || scene.vehicle_of(acting.id).map(|index| vehicles[index].body);
            let block = || scene.block_of(acting.id).and_then(|index| blocks[index].body.as_ref());
            let Some(body) = vehicle().or_else(|| block().map(|block| block.body)) else { return false };
            let AppliedWrench { force, torque, turns_with_body, point_in_body, .. } = acting.wrench;
            let force_in_body = if turns_with_body { force } else { physics.rotation(body).inverse() * force };
            let mut wrench = Wrench { torque, ..Wrench::default() };
            wrench.add(force_in_body, point_in_body.unwrap_or_else(|| physics.center_of_mass(body)));
            physics.push_by(body, wrench);
            acting.steps -= 1;
            acting.steps > 0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::LoadOptions;

    /// A crate of 10 kg without friction, 1 m wide, a robot of 20 kg whose motors turn freely, and bodies that no force moves.
    fn world() -> World {
        let text = "<mvsim_world version=\"1.0\"><simul_timestep>0.01</simul_timestep>\
            <block name=\"crate\"><mass>10</mass><ground_friction>0</ground_friction><init_pose>0 5 90</init_pose>\
            <linear_damping>0</linear_damping><angular_damping>0</angular_damping>\
            <shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape></block>\
            <block name=\"wall\"><static>true</static><init_pose>9 9 0</init_pose><shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt></shape></block>\
            <vehicle name=\"robot\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"><chassis mass=\"20\"/>\
            <l_wheel pos=\"0 0.3\" mass=\"0.1\"/><r_wheel pos=\"0 -0.3\" mass=\"0.1\"/><controller class=\"raw\"/></dynamics></vehicle>\
            <vehicle name=\"ghost\"><init_pose>0 -5 0</init_pose><dynamics class=\"unicycle\"/></vehicle>\
            <actor name=\"bob\"><init_pose>5 5 0</init_pose></actor></mvsim_world>";
        World::load_text("test", ".".as_ref(), text, &LoadOptions::default()).unwrap().0
    }

    fn id_of(world: &World, name: &str) -> EntityId {
        world.scene().entity_id(world.scene().entity(name).unwrap())
    }

    fn push(force: Vec2, torque: f64, seconds: f64) -> AppliedWrench {
        AppliedWrench { force, torque, duration: SimTime::from_secs(seconds), ..AppliedWrench::default() }
    }

    fn steps(world: &mut World, count: usize) {
        for _ in 0..count {
            world.step().unwrap();
        }
    }

    #[test]
    fn a_free_body_gets_the_impulse_of_the_force_for_its_duration() {
        let mut world = world();
        let id = id_of(&world, "crate");
        // 20 N for 0.5 s on 10 kg: 1 m/s along x of the world, although the crate looks along y.
        world.apply_wrench(id, push(Vec2::new(20.0, 0.0), 0.0, 0.5)).unwrap();
        steps(&mut world, 200);
        let velocity = world.block_velocity_in_body(0);
        assert!(
            (velocity.vy + 1.0).abs() < 1e-9 && velocity.vx.abs() < 1e-9 && velocity.wz.abs() < 1e-9,
            "{velocity:?}"
        );
        // Semi-implicit steps: half a step more than v·t of the continuous motion.
        let x = world.frame().blocks[0].x;
        assert!((x - (0.25 + 0.005 + 1.5)).abs() < 1e-9, "{x}");
    }

    #[test]
    fn a_force_beside_the_middle_and_a_torque_turn_the_body() {
        let yaw_rate = |wrench: AppliedWrench| {
            let mut world = world();
            let id = id_of(&world, "crate");
            world.apply_wrench(id, wrench).unwrap();
            steps(&mut world, 10);
            world.block_velocity_in_body(0).wz
        };
        // A square of 1 m and 10 kg: m·(1 + 1)/12.
        let inertia = 10.0 * 2.0 / 12.0;
        let torque = yaw_rate(push(Vec2::ZERO, 3.0, 0.1));
        assert!((torque - 3.0 * 0.1 / inertia).abs() < 1e-9, "{torque}");
        let beside = AppliedWrench {
            turns_with_body: true,
            point_in_body: Some(Vec2::new(0.0, -0.5)),
            ..push(Vec2::new(6.0, 0.0), 0.0, 0.1)
        };
        let beside = yaw_rate(beside);
        assert!((beside - torque).abs() < 1e-9, "6 N at 0.5 m: {beside}");
    }

    #[test]
    fn wrenches_add_up_and_end_early_with_a_reset_and_with_their_body() {
        let mut world = world();
        let id = id_of(&world, "crate");
        let speed = |world: &World| world.block_velocity_in_body(0).linear().norm();
        for _ in 0..2 {
            world.apply_wrench(id, push(Vec2::new(10.0, 0.0), 0.0, 1e3)).unwrap();
        }
        steps(&mut world, 10);
        assert!((speed(&world) - 0.2).abs() < 1e-9);
        world.apply_wrench(id, AppliedWrench::default()).unwrap();
        steps(&mut world, 10);
        assert!((speed(&world) - 0.2).abs() < 1e-9);
        world.apply_wrench(id, push(Vec2::new(10.0, 0.0), 0.0, 1e3)).unwrap();
        world.reset();
        steps(&mut world, 10);
        assert_eq!(speed(&world), 0.0);
        world.apply_wrench(id, push(Vec2::new(10.0, 0.0), 0.0, 1e3)).unwrap();
        world.remove(id).unwrap();
        steps(&mut world, 1);
        assert!(world.wrenches.is_empty());
    }

    #[test]
    fn a_robot_is_pushed_along_its_wheels_and_held_across() {
        let mut world = world();
        let id = id_of(&world, "robot");
        world.apply_wrench(id, push(Vec2::new(2.0, 0.0), 0.0, 1.0)).unwrap();
        steps(&mut world, 100);
        let ahead = world.frame().vehicles[0].velocity_in_body;
        assert!(ahead.vx > 0.05 && ahead.vy.abs() < 1e-6, "{ahead:?}");
        world.reset();
        world.apply_wrench(id, push(Vec2::new(0.0, 2.0), 0.0, 1.0)).unwrap();
        steps(&mut world, 100);
        let across = world.frame().vehicles[0].velocity_in_body;
        assert!(across.vy.abs() < 1e-3, "tyres hold it: {across:?}");
    }

    #[test]
    fn bad_wrenches_and_bodies_that_no_force_moves_are_refused() {
        let mut world = world();
        let refusal = |world: &mut World, name: &str, wrench| {
            let id = id_of(world, name);
            world.apply_wrench(id, wrench).unwrap_err().to_string()
        };
        let good = push(Vec2::new(1.0, 0.0), 0.0, 1.0);
        for name in ["wall", "ghost", "bob"] {
            let expected = format!(
                "wrench on \"{name}\": no force moves it\n  \
                 accepted: vehicles that tyre forces move, and blocks that can be pushed"
            );
            assert_eq!(refusal(&mut world, name, good), expected);
        }
        let long = AppliedWrench { duration: SimTime(-1), ..good };
        let expected = "state of \"crate\": the duration of the wrench is out of range\n  \
                        accepted: 0 to 1e6 s; 0 ends all wrenches on the entity";
        assert_eq!(refusal(&mut world, "crate", long), expected);
        let infinite = AppliedWrench { torque: f64::INFINITY, ..good };
        assert!(refusal(&mut world, "crate", infinite).contains("not finite"));
        assert!(world.apply_wrench(EntityId(999), good).is_err());
        let id = id_of(&world, "crate");
        (0..MAX_WRENCHES).for_each(|_| world.apply_wrench(id, good).unwrap());
        assert!(refusal(&mut world, "crate", good).contains("1000 at a time"));
    }
}
