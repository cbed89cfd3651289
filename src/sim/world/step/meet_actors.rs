//! The phase of a step in which vehicles meet actors.
//!
//! Actors are no bodies: nothing stops them, and they push nothing. A vehicle that runs over one goes on as before, but it has touched somebody:
//! it collides, and its contact sensors feel who it is, without any force.

use skidpad_math::Vec2;

use crate::raycast::share_heights;
use crate::world::physics::{Approach, Physics};
use crate::world::vehicles::{VehicleRecord, vehicle_heights};
use crate::world::{Frame, Scene, World};

/// A vehicle that is near to an actor.
pub(in crate::world) struct Meeting {
    /// Index of the actor.
    pub actor: usize,
    /// Heights that both have in common [m], in the world.
    pub heights: [f64; 2],
    /// How near they are.
    pub approach: Approach,
}

/// Visits the actors that are nearer than `reach` [m] to the frames of the vehicle of this index, whose record is `record`.
pub(in crate::world) fn each_meeting(
    physics: &Physics,
    scene: &Scene,
    frame: &Frame,
    vehicle: usize,
    record: &VehicleRecord,
    reach: f64,
    mut visit: impl FnMut(&Meeting),
) {
    let (info, z) = (&scene.vehicles[vehicle], frame.vehicles[vehicle].world_from_body.z);
    let front = record.front.as_ref().zip(info.front.as_ref()).map(|(front, info)| (front.body, info.z));
    for (body, of_body) in [(record.body, info.chassis_z)].into_iter().chain(front) {
        let own_heights = record.lying_heights().unwrap_or_else(|| vehicle_heights(z, of_body));
        for (actor, (info, frame)) in scene.actors.iter().zip(&frame.actors).enumerate() {
            let at = frame.world_from_actor;
            let heights = [at.z, at.z + info.collision_height];
            let near = physics.approach(body, Vec2::new(at.x, at.y), info.collision_radius, reach);
            let Some(approach) = near.filter(|near| near.distance < reach && share_heights(own_heights, heights))
            else {
                continue;
            };
            let common = [own_heights[0].max(heights[0]), own_heights[1].min(heights[1])];
            visit(&Meeting { actor, heights: common, approach });
        }
    }
}

impl World {
    /// Lets the frame tell which vehicles touch actors, as it does of bodies.
    // Not inlined, so that the step stays short where there are none.
    #[inline(never)]
    pub(in crate::world) fn meet_actors(&mut self) {
        let reach = self.registry.catalogue.scalars.collision_threshold;
        for (vehicle, record) in self.vehicles.iter().enumerate() {
            let mut touches = false;
            each_meeting(&self.physics, &self.scene, &self.frame, vehicle, record, reach, |_| touches = true);
            self.frame.vehicles[vehicle].colliding |= touches;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensor::{Contact, ReadingData};
    use crate::vehicle::{Action, Command};
    use crate::world::LoadOptions;
    use skidpad_math::Twist2;

    /// A robot that is 1 m long and half as wide, with a bumper, drives 1 m/s along x towards a person 2 m ahead.
    fn world(vehicle: &str, actor: &str) -> World {
        let actor = if actor.contains("init_pose") {
            actor.to_owned()
        } else {
            format!("<init_pose>2 0 180</init_pose>{actor}")
        };
        let text = format!(
            r#"<mvsim_world><simul_timestep>0.005</simul_timestep>
            <vehicle name="r"><init_pose>0 0 0</init_pose>{vehicle}
              <dynamics class="differential"><chassis mass="20" zmin="0.05" zmax="0.6">
                <shape><pt>-0.5 -0.25</pt><pt>-0.5 0.25</pt><pt>0.5 0.25</pt><pt>0.5 -0.25</pt></shape></chassis>
                <l_wheel pos="0 0.2" mass="1" width="0.05" diameter="0.2"/><r_wheel pos="0 -0.2" mass="1" width="0.05" diameter="0.2"/>
                <controller class="twist_ideal"/></dynamics>
              <sensor class="contact" name="bumper"><sensor_period>0.005</sensor_period></sensor></vehicle>
            <actor name="alice">{actor}</actor></mvsim_world>"#
        );
        World::load_text("t.xml", ".".as_ref(), &text, &LoadOptions::default()).expect("a good world").0
    }

    fn drive(world: &mut World) -> (f64, bool, Vec<Contact>) {
        let action = Action::Twist(Twist2::new(1.0, 0.0, 0.0));
        world.command(Command { vehicle: 0, action }).expect("takes twists");
        let frame = world.step().expect("finite");
        let ReadingData::Contacts(contacts) = &frame.readings[0].data else { panic!("{:?}", frame.readings) };
        (frame.vehicles[0].world_from_body.x, frame.vehicles[0].colliding, contacts.clone())
    }

    #[test]
    fn who_runs_over_a_person_is_in_contact_until_it_is_past() {
        let mut world = world("", "");
        let (mut felt, mut collided) = (Vec::new(), Vec::new());
        for _ in 0..800 {
            let (x, colliding, contacts) = drive(&mut world);
            if colliding {
                collided.push(x);
            }
            for contact in contacts {
                assert_eq!((&*contact.other, contact.force, contact.impulse.norm()), ("alice", 0.0, 0.0));
                felt.push((x, contact));
            }
        }
        let ends = |all: &[f64]| [all[0], all[all.len() - 1]];
        // Its outline is 0.5 m long to both sides, and a person is 0.3 m in radius.
        let [from, to] = ends(&felt.iter().map(|(x, _)| *x).collect::<Vec<_>>());
        assert!((from - 1.2).abs() < 0.01 && (to - 2.8).abs() < 0.01, "{from} to {to}");
        assert!(felt.len() > 300, "every step of it: {}", felt.len());
        // What is nearer than the threshold collides, as everywhere.
        let [from, to] = ends(&collided);
        assert!((from - 1.17).abs() < 0.01 && (to - 2.83).abs() < 0.01, "{from} to {to}");
        let (_, first) = &felt[0];
        assert!((first.position.x - 0.5).abs() < 0.01 && first.position.y.abs() < 1e-9, "{first:?}");
        // From the ground to the top of the chassis, which is lower than a person.
        assert!((first.position.z - 0.3).abs() < 1e-9 && (first.normal.x + 1.0).abs() < 1e-9, "{first:?}");
        let (_, last) = &felt[felt.len() - 1];
        assert!((last.position.x + 0.5).abs() < 0.01 && (last.normal.x - 1.0).abs() < 1e-9, "{last:?}");
        assert!((world.frame().vehicles[0].world_from_body.x - 4.0).abs() < 0.02, "nothing stops it");
    }

    #[test]
    fn who_is_beside_above_or_met_by_no_outline_is_not_touched() {
        let is_met = |vehicle: &str, actor: &str| {
            let mut world = world(vehicle, actor);
            (0..800).any(|_| {
                let (_, colliding, contacts) = drive(&mut world);
                colliding || !contacts.is_empty()
            })
        };
        assert!(is_met("", ""));
        assert!(is_met("", "<init_pose>2 0.5 0</init_pose>"), "the edge of the cylinder");
        assert!(!is_met("", "<init_pose>2 0.6 0</init_pose>"), "0.05 m beside it");
        assert!(!is_met("", "<skip_elevation_adjust/><init_pose3d>2 0 3 0 0 0</init_pose3d>"), "on a bridge");
        assert!(!is_met("<intangible>true</intangible>", ""));
        // A person who walks into a robot that stands touches it as well.
        let mut world = world("", "<path><waypoint>-1 0 180</waypoint></path>");
        let touched = (0..400).any(|_| world.step().expect("finite").vehicles[0].colliding);
        assert!(touched && world.frame().vehicles[0].world_from_body.planar().position().norm() < 1e-9);
    }
}
