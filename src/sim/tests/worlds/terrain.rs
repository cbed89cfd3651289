//! The worlds with ground of their own: each shows what it is there to show.

use std::path::Path;

use super::load_under as load;
use skidpad_math::{Pose3, Twist2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::terrain::BlockTop;
use skidpad_sim::world::{LoadOptions, PhysicsRules, World};

const BOTH: [PhysicsRules; 2] = [PhysicsRules::Skidpad, PhysicsRules::Mvsim];

fn drive(world: &mut World, name: &str, vx: f64) {
    let vehicle = world.scene().vehicle_index(name).unwrap();
    world.command(Command { vehicle, action: Action::Twist(Twist2::new(vx, 0.0, 0.0)) }).unwrap();
}

fn pose(world: &World, name: &str) -> Pose3 {
    world.frame().vehicles[world.scene().vehicle_index(name).unwrap()].world_from_body
}

/// Steps for `seconds`, and shows the world after each step to `look`.
fn run(world: &mut World, seconds: f64, mut look: impl FnMut(&World)) {
    for _ in 0..(seconds / world.scene().step.secs()).round() as usize {
        world.step().unwrap_or_else(|error| panic!("{error}"));
        look(world);
    }
}

#[test]
fn on_the_hills_all_stand_on_the_image_and_tilt_with_it() {
    for rules in BOTH {
        let mut world = load("elevation_map", rules);
        let map = world.scene().elevations[0].map.clone();
        assert_eq!((map.rows(), map.columns(), map.resolution()), (65, 65, 0.5));
        let ground = |pose: Pose3| map.height_at(skidpad_math::Vec2::new(pose.x, pose.y)).unwrap();
        let level = ground(Pose3::default());
        assert!(map.heights().iter().any(|&h| h > level + 0.5) && map.heights().iter().any(|&h| h < level - 0.2));
        let mut steepest = 0.0_f64;
        drive(&mut world, "walker", 0.5);
        drive(&mut world, "climber", 0.5);
        run(&mut world, 20.0, |world| {
            for name in ["walker", "climber"] {
                let pose = pose(world, name);
                assert!((pose.z - ground(pose)).abs() < 0.05, "{name}: {pose:?} on {}", ground(pose));
                steepest = steepest.max(pose.pitch.abs());
            }
        });
        assert!(steepest > 0.05, "{steepest}");
        assert!(
            (world.frame().blocks[0].z - ground(world.frame().blocks[0])).abs() < 1e-9 || rules == PhysicsRules::Mvsim
        );
    }
}

#[test]
fn the_robot_drives_over_the_hump_of_the_matrix() {
    for rules in BOTH {
        let mut world = load("elevation_matrix", rules);
        drive(&mut world, "r1", 1.0);
        let mut highest = 0.0_f64;
        run(&mut world, 18.0, |world| {
            let pose = pose(world, "r1");
            highest = highest.max(pose.z);
            if (-1.5..1.5).contains(&pose.x) {
                assert!((pose.pitch + 0.25_f64.atan()).abs() < 1e-6 && (pose.z - 0.25 * (pose.x + 2.0)).abs() < 1e-6);
            }
        });
        assert!((highest - 1.0).abs() < 1e-3 && pose(&world, "r1").x > 8.0, "{rules:?}: {:?}", pose(&world, "r1"));
    }
}

#[test]
fn the_robot_crosses_the_measured_quarry() {
    for rules in BOTH {
        let mut world = load("elevation_dem", rules);
        assert_eq!(world.scene().elevations[0].vertex_colors.len(), world.scene().elevations[0].map.heights().len());
        drive(&mut world, "r1", 0.5);
        let mut lowest = 0.0_f64;
        run(&mut world, 16.0, |world| lowest = lowest.min(pose(world, "r1").z));
        assert!(lowest < -0.2, "{rules:?}: {lowest}");
    }
}

#[test]
fn ramp_and_bump_lift_vehicles() {
    for rules in BOTH {
        let mut world = load("ramp_and_bump", rules);
        if world.scene().blocks.iter().any(|block| block.top == BlockTop::Flat) {
            // The shapes of blocks are read elsewhere.
            return;
        }
        drive(&mut world, "ramp_driver", 1.0);
        drive(&mut world, "bump_driver", 1.0);
        let (mut ramp, mut bump) = (0.0_f64, 0.0_f64);
        run(&mut world, 7.0, |world| {
            ramp = ramp.max(pose(world, "ramp_driver").z);
            bump = bump.max(pose(world, "bump_driver").z);
        });
        assert!((ramp - 0.5).abs() < 0.1 && (0.02..0.07).contains(&bump), "{rules:?}: {ramp}, {bump}");
        assert!(pose(&world, "ramp_driver").z == 0.0 && pose(&world, "ramp_driver").x > 5.0);
    }
}

#[test]
fn each_robot_stays_on_its_floor_until_the_upper_one_ends() {
    for rules in BOTH {
        let mut world = load("second_floor", rules);
        assert_eq!(world.frame().blocks[0].z, 3.0);
        drive(&mut world, "below", 0.5);
        drive(&mut world, "above", 0.5);
        run(&mut world, 3.0, |world| assert_eq!((pose(world, "below").z, pose(world, "above").z), (0.0, 3.0)));
        drive(&mut world, "above", -0.8);
        run(&mut world, 12.0, |_| {});
        assert!(pose(&world, "above").x < -6.5 && pose(&world, "above").z == 0.0, "{:?}", pose(&world, "above"));
    }
}

#[test]
fn the_elevator_lifts_the_vehicle_on_it() {
    for rules in BOTH {
        let mut world = load("elevator", rules);
        assert!((pose(&world, "passenger").z - 0.02).abs() < 1e-12);
        let mut highest = 0.0_f64;
        run(&mut world, 10.0, |world| {
            let plane = world.frame().planes[2].z;
            assert!((pose(world, "passenger").z - plane).abs() < 1e-9, "{} at {plane}", pose(world, "passenger").z);
            if rules == PhysicsRules::Skidpad {
                assert!((world.frame().blocks[0].z - plane).abs() < 1e-9);
            }
            highest = highest.max(plane);
        });
        // Without animations the plane stays.
        assert!(!(0.1..=2.9).contains(&highest), "{highest}");
    }
}

#[test]
fn one_car_stops_at_the_platform_one_climbs_the_kerb_one_drops_off() {
    for rules in BOTH {
        let mut world = load("ledge", rules);
        assert_eq!(pose(&world, "jumper").z, 0.5);
        for (name, speed) in [("stopped", 2.0), ("climber", 2.0), ("jumper", 2.0)] {
            drive(&mut world, name, speed);
        }
        run(&mut world, 12.0, |world| assert!(pose(world, "stopped").z == 0.0 && pose(world, "stopped").x < 4.6));
        assert!((pose(&world, "stopped").x + 3.4 - 8.0).abs() < 5e-3, "{rules:?}: {:?}", pose(&world, "stopped"));
        assert!((pose(&world, "climber").z - 0.05).abs() < 1e-9, "{rules:?}: {:?}", pose(&world, "climber"));
        assert!(pose(&world, "jumper").z == 0.0 && pose(&world, "jumper").x < 5.0, "{:?}", pose(&world, "jumper"));
    }
}

/// Over a cliff of 63° and up slopes that rise by more than a wheel's radius in a step, nobody falls through the map.
#[test]
fn steep_maps_hold_vehicles_at_any_speed() {
    let wheels = "<lr_wheel pos='-.2 .2' diameter='.2'/><rr_wheel pos='-.2 -.2' diameter='.2'/>
        <lf_wheel pos='.2 .2' diameter='.2'/><rf_wheel pos='.2 -.2' diameter='.2'/>";
    for (matrix, spacing, start, speed) in [
        ("50 50 50; 50 50 50; 48 48 48; 48 48 48; 48 48 48", 1.0, 0.5, 0.5),
        ("50 50 50; 61 61 61; 72 72 72", 30.0, 3.0, 9.0),
        ("50 50 50; 80 80 80; 110 110 110", 30.0, 3.0, 8.0),
    ] {
        let text = format!(
            "<mvsim_world><simul_timestep>0.02</simul_timestep>
            <element class='elevation_map'><resolution>{spacing}</resolution><corner_min_x>0</corner_min_x>
            <corner_min_y>-{spacing}</corner_min_y><elevation_data_matrix>[{matrix}]</elevation_data_matrix></element>
            <vehicle name='r'><init_pose3d>{start} 0 90 0 0 0</init_pose3d><dynamics class='differential_4_wheels'>{wheels}
            <controller class='twist_ideal'><V>{speed}</V></controller></dynamics></vehicle></mvsim_world>"
        );
        for rules in BOTH {
            let options = LoadOptions { physics: Some(rules), ..LoadOptions::default() };
            let (mut world, _) = World::load_text("w", Path::new("."), &text, &options).unwrap();
            run(&mut world, 2.0, |world| {
                let pose = pose(world, "r");
                assert!(pose.z > 47.0, "{matrix}: {pose:?} under {rules:?}");
            });
        }
    }
}
