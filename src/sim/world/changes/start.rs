//! Sets the pose and velocity at which a vehicle starts, in place of those of the world file.

use std::sync::Arc;

use skidpad_math::{Pose2, Twist2};

use crate::world::{PhysicsRules, Spot, World};

impl World {
    /// Sets the start of the vehicle with this index to `world_from_start` [m, rad] with `velocity_in_body` [m/s, rad/s], its wheels
    /// rolling along. It stands on the ground there, searched from the height of its start before. The world is reset, as by [`reset`](World::reset). Scenes that were handed out before still show the old start. No
    /// such vehicle: nothing happens.
    pub fn set_start(&mut self, vehicle: usize, world_from_start: Pose2, velocity_in_body: Twist2) {
        let scene = Arc::make_mut(&mut self.scene);
        let (Some(info), Some(record)) = (scene.vehicles.get_mut(vehicle), self.vehicles.get_mut(vehicle)) else {
            return;
        };
        let start = &mut info.world_from_start;
        (start.x, start.y, start.yaw) = (world_from_start.x, world_from_start.y, world_from_start.yaw);
        if self.terrain.rules() == PhysicsRules::Skidpad {
            start.z = self.terrain.ground_for(Spot::near(*start), 0.5 * info.chassis_z[1]);
        }
        record.start_velocity_in_body = velocity_in_body;
        record.starts_rolling = true;
        self.reset();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::world::LoadOptions;

    #[test]
    fn a_car_that_starts_rolling_keeps_its_speed_and_a_reset_returns_it_to_its_start() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
        // The speed at which the controller's KP·e holds rolling resistance and bearings: e = (C_rr·m·g + 4·c·v/R²)·R/KP.
        let droop = (0.005 * 5.692 * 9.81 + 4.0 * 0.0005 * 1.5 / (0.05 * 0.05)) * 0.05 / 8.0;
        for (plant, loss) in [("rigid_body", droop), ("single_track", 1e-6), ("kinematic", 1e-6)] {
            let variables = vec![("plant".to_string(), plant.to_string())];
            let options = LoadOptions { variables, ..LoadOptions::default() };
            let (mut world, _) = World::load(&folder.join("tracking.world.xml"), &options).unwrap();
            let start = Pose2::new(3.0, -2.0, 0.5);
            world.set_start(0, start, Twist2::new(1.5, 0.0, 0.0));
            world.set_start(1, start, Twist2::ZERO);
            for _ in 0..2 {
                let first = world.frame().vehicles[0].clone();
                assert_eq!(first.world_from_body.planar(), start, "{plant}");
                let action = crate::vehicle::Action::Ackermann { speed: 1.5, steering_angle: 0.0 };
                world.command(crate::vehicle::Command { vehicle: 0, action }).unwrap();
                for _ in 0..20 {
                    let speed = world.step().unwrap().vehicles[0].velocity_in_body.vx;
                    assert!((speed - 1.5).abs() < loss, "{plant}: {speed}");
                }
                let moved = world.frame().vehicles[0].world_from_body.planar().position() - start.position();
                assert!((moved.norm() - 0.15).abs() < 1e-3, "{plant}: {moved:?}");
                let odometry = world.frame().vehicles[0].odom_from_body;
                assert!((odometry.x - 0.15).abs() < 1e-3 && odometry.y.abs() < 1e-3, "{plant}: {odometry:?}");
                world.reset();
            }
        }
    }
}
