//! Teleports: place a body elsewhere at rest, together with the bodies that joints connect to it.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2, Vec2};

use crate::world::{BodyIndex, Spot, World};

/// Speed [m/s] above which a body that is elsewhere than before was put there: by an animation or a recording that begins again. Chosen because
/// hardly anything on wheels is as fast, and being put 2 m away is told by it between poses of 50 Hz.
pub const MAX_MOTION_SPEED: f64 = 100.0;

/// The effect of a teleport on odometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OdometryOnTeleport {
    /// None: wheels do not turn while a robot is carried, and REP 105 requires odometry to be continuous. Localisation sees the jump
    /// between `map` and `odom`.
    #[default]
    Continuous,
    /// Restarts it at its origin, as when a robot is carried and switched on again.
    Reset,
}

impl OdometryOnTeleport {
    /// Names of the values in parameters.
    pub const NAMES: [(&'static str, OdometryOnTeleport); 2] =
        [("continuous", OdometryOnTeleport::Continuous), ("reset", OdometryOnTeleport::Reset)];
}

/// Behaviour of vehicles after a teleport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum AfterTeleport {
    /// They stand until the next command.
    Stand,
    /// They continue with the last command.
    Continue,
}

impl World {
    /// Places a body at rest at `world_from_body` [m, rad], together with the bodies that joints connect to it.
    pub(in crate::world) fn teleport(&mut self, body: BodyIndex, world_from_body: Pose2, after: AfterTeleport) {
        let resets_odometry = self.settings.odometry_on_teleport == OdometryOnTeleport::Reset;
        let (vehicles, frames, terrain) = (&mut self.vehicles, &mut self.frame.vehicles, &self.terrain);
        let (blocks, infos, moving) = (&mut self.blocks, &self.scene.blocks, &self.moving_blocks);
        self.physics.teleport(body, world_from_body, |placed_body, pose| {
            for &index in moving {
                let ground = blocks[index].ground;
                if let Some(block) = blocks[index].pushed_body().filter(|block| block.body == placed_body) {
                    block.set_down(terrain, ground, &infos[index], pose);
                }
            }
            for (record, frame) in
                vehicles.iter_mut().zip(frames.iter_mut()).filter(|(record, _)| record.body == placed_body)
            {
                frame.since_set_down = SimTime::ZERO;
                if after == AfterTeleport::Stand {
                    record.vehicle.end_command();
                }
                record.velocity_in_body = Twist2::ZERO;
                record.acceleration_in_body = Vec2::ZERO;
                record.vehicle.halt(Twist2::ZERO);
                record.vehicle.straighten();
                if resets_odometry {
                    record.vehicle.reset_odometry();
                }
                record.set_down(terrain, Spot::near(record.attitude.with(pose)));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose3;

    use super::*;
    use crate::vehicle::{Action, Command};
    use crate::world::LoadOptions;

    fn world() -> World {
        let text = "<mvsim_world version=\"1.0\"><vehicle name=\"r1\"><init_pose>1 0 0</init_pose>\
             <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics></vehicle></mvsim_world>";
        let mut world = World::load_text("test", ".".as_ref(), text, &LoadOptions::default()).unwrap().0;
        tell(&mut world, Action::Twist(Twist2::new(1.0, 0.0, 0.0)));
        for _ in 0..100 {
            world.step().unwrap();
        }
        world
    }

    fn tell(world: &mut World, action: Action) {
        world.command(Command { vehicle: 0, action }).unwrap();
    }

    #[test]
    fn odometry_continues_over_a_teleport_unless_it_is_to_restart() {
        let mut world = world();
        let before = world.frame().vehicles[0].clone();
        assert!(before.odom_from_body.x > 0.1 && before.odom_pose_covariance().xx > 0.0, "{before:?}");
        tell(&mut world, Action::Teleport(Pose2::new(5.0, 5.0, 1.0)));
        let after = world.step().unwrap().vehicles[0].clone();
        assert!((after.odom_from_body.x - before.odom_from_body.x).abs() < 0.02, "{after:?}");

        world.set_odometry_on_teleport(OdometryOnTeleport::Reset);
        tell(&mut world, Action::Twist(Twist2::ZERO));
        tell(&mut world, Action::Teleport(Pose2::new(-5.0, 5.0, 1.0)));
        let after = &world.step().unwrap().vehicles[0];
        assert_eq!((after.odom_from_body, after.odom_pose_covariance().xx), (Pose2::IDENTITY, 0.0));
    }

    /// Commands, states, spawns and world files have one check.
    #[test]
    fn poses_that_no_body_can_have_are_refused_wherever_they_come_from() {
        let mut world = world();
        let id = world.scene().vehicles[0].id;
        for (pose, reason) in [
            (
                Pose3 { x: 1e308, ..Pose3::default() },
                "its position is too far away\n  accepted: coordinates up to 1e9 m",
            ),
            (
                Pose3 { yaw: -1e300, ..Pose3::default() },
                "an angle in its pose is too large\n  accepted: angles up to 1e9 rad",
            ),
        ] {
            let command = Command { vehicle: 0, action: Action::Teleport(pose.planar()) };
            let refused = world.command(command).unwrap_err().to_string();
            assert_eq!(refused, format!("command to \"r1\": {reason}"));
            let refused = world.set_state(id, Some(pose), None).unwrap_err().to_string();
            assert!(refused.ends_with(reason), "{refused}");
            let source = crate::world::SpawnSource::Class("none".into());
            let request = crate::world::SpawnRequest { name: "r2".into(), source, pose: Some(pose.into()) };
            let refused = world.catalogue().recipe(&request).unwrap_err().to_string();
            assert!(refused.ends_with(reason), "{refused}");
        }
        let text = "<mvsim_world><vehicle name=\"r1\"><init_pose>0 -2e9 0</init_pose><dynamics class=\"differential\"/></vehicle></mvsim_world>";
        let refused = World::load_text("test", ".".as_ref(), text, &LoadOptions::default()).err().unwrap().to_string();
        assert!(refused.starts_with("test:1:44: <init_pose>: its position is too far away"), "{refused}");
    }

    #[test]
    fn a_teleport_ends_the_last_command_and_a_state_does_not() {
        let drive = |world: &mut World| {
            for _ in 0..100 {
                world.step().unwrap();
            }
            world.frame().vehicles[0].clone()
        };
        let mut world = world();
        let hundred_steps = world.frame().time;
        assert_eq!(world.frame().vehicles[0].since_set_down, hundred_steps);
        tell(&mut world, Action::Teleport(Pose2::new(5.0, 5.0, 0.0)));
        let after = drive(&mut world);
        assert_eq!((after.velocity_in_body, after.since_set_down), (Twist2::ZERO, hundred_steps));
        assert_eq!(after.world_from_body.planar(), Pose2::new(5.0, 5.0, 0.0));
        tell(&mut world, Action::Twist(Twist2::new(1.0, 0.0, 0.0)));
        assert!(drive(&mut world).velocity_in_body.vx > 0.9, "the next command counts");
        tell(&mut world, Action::Twist(Twist2::new(-1.0, 0.0, 0.0)));
        tell(&mut world, Action::Teleport(Pose2::IDENTITY));
        tell(&mut world, Action::Twist(Twist2::new(0.5, 0.0, 0.0)));
        assert_eq!(drive(&mut world).velocity_in_body.vx, 0.5, "also one that has come since");
        let id = world.scene().vehicles[0].id;
        world.set_state(id, Some(Pose3 { x: 3.0, ..Pose3::default() }), None).unwrap();
        let after = drive(&mut world);
        assert_eq!((after.velocity_in_body.vx, after.since_set_down), (0.5, hundred_steps));
        world.set_state(id, None::<Spot>, Some(Twist2::ZERO)).unwrap();
        assert_eq!(
            drive(&mut world).since_set_down,
            hundred_steps + hundred_steps,
            "without a pose it stays where it is"
        );
    }

    /// A servo does not bring back the motor's speed from before a teleport, a reset, or a silence: the motor's topic has to.
    #[test]
    fn a_set_point_on_its_own_keeps_the_other_one_only_as_long_as_the_command_is_in_force() {
        let of = |speed, steering_angle| Action::Setpoints { speed, steering_angle };
        type Way = (&'static str, fn(&mut World));
        let ways: [Way; 4] = [
            ("teleport", |world| tell(world, Action::Teleport(Pose2::new(5.0, 5.0, 0.0)))),
            ("two teleports and a command between them", |world| {
                tell(world, Action::Teleport(Pose2::new(5.0, 5.0, 0.0)));
                tell(world, Action::Setpoints { speed: Some(2.0), steering_angle: None });
                tell(world, Action::Teleport(Pose2::new(5.0, 5.0, 0.0)));
            }),
            ("reset", World::reset),
            ("silence", |world| {
                world.set_command_timeout(Some(SimTime::from_secs(0.05)));
                for _ in 0..20 {
                    world.step().unwrap();
                }
            }),
        ];
        let inputs = "<inputs><speed delay=\"0.1\" lag=\"0.1\"/></inputs>";
        for ((way, end), inputs) in ways.into_iter().flat_map(|way| [(way, ""), (way, inputs)]) {
            let text = format!(
                "<mvsim_world version=\"1.0\"><vehicle name=\"r1\"><init_pose>1 0 0</init_pose>\
                 <dynamics class=\"ackermann\">{inputs}<controller class=\"twist_ideal\"/></dynamics></vehicle></mvsim_world>"
            );
            let mut world = World::load_text("test", ".".as_ref(), &text, &LoadOptions::default()).unwrap().0;
            tell(&mut world, of(None, Some(0.2)));
            tell(&mut world, of(Some(1.0), None));
            for _ in 0..300 {
                world.step().unwrap();
            }
            let setpoint = world.frame().vehicles[0].setpoint;
            assert!(
                (setpoint.velocity_in_body.vx - 1.0).abs() < 1e-3 && setpoint.steering_angle == 0.2,
                "{setpoint:?}"
            );
            end(&mut world);
            tell(&mut world, of(None, Some(0.1)));
            for _ in 0..100 {
                let frame = world.step().unwrap();
                assert_eq!(frame.vehicles[0].velocity_in_body, Twist2::ZERO, "{way} {inputs}");
                // Recordings hold the whole command.
                for command in &frame.commands {
                    assert!(!matches!(command.action, Action::Setpoints { .. }), "{command:?}");
                }
            }
            assert_eq!(world.frame().vehicles[0].setpoint.steering_angle, 0.1, "{way}");
        }
    }

    #[test]
    fn however_many_commands_come_between_two_steps_few_are_kept() {
        let mut world = world();
        for index in 0..100 {
            tell(&mut world, Action::Twist(Twist2::new(f64::from(index), 0.0, 0.0)));
            tell(&mut world, Action::Teleport(Pose2::new(f64::from(index), 5.0, 0.0)));
        }
        tell(&mut world, Action::Twist(Twist2::new(0.5, 0.0, 0.0)));
        let frame = world.step().unwrap();
        assert!(frame.commands.len() <= 3, "{:?}", frame.commands);
        let vehicle = &frame.vehicles[0];
        assert_eq!((vehicle.velocity_in_body.vx, vehicle.world_from_body.y), (0.5, 5.0));
        assert!((vehicle.world_from_body.x - 99.0).abs() < 0.01, "{vehicle:?}");
    }

    #[test]
    fn a_state_that_is_set_is_a_teleport_only_with_a_pose() {
        let mut world = world();
        let id = world.scene().vehicles[0].id;
        world.set_odometry_on_teleport(OdometryOnTeleport::Reset);
        world.set_state(id, None::<Spot>, Some(Twist2::ZERO)).unwrap();
        assert!(world.step().unwrap().vehicles[0].odom_from_body.x > 0.1);
        world.set_state(id, Some(Pose3 { x: 3.0, ..Pose3::default() }), None).unwrap();
        assert!(world.step().unwrap().vehicles[0].odom_from_body.x < 0.01);
    }
}
