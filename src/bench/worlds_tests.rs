//! The worlds match the table of cases.

use super::*;
use skidpad_sim::sensor::SensorKind;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

/// The ranges [m] of all scans of some seconds; those without a return count as the largest range.
fn ranges(case: Case) -> Vec<f64> {
    let mut world = case.world().unwrap();
    let mut ranges = Vec::new();
    for _ in 0..1000 {
        for reading in world.step().unwrap().fresh_readings() {
            let scan = reading.data.scan().unwrap();
            ranges.extend(scan.ranges.iter().map(|range| f64::from(*range).min(30.0)));
        }
    }
    ranges
}

#[test]
fn case_c_sees_walls_at_five_metres_on_average() {
    let ranges = ranges(Case::C);
    assert_eq!(ranges.len(), 200 * 1081);
    let mean = ranges.iter().sum::<f64>() / ranges.len() as f64;
    assert!((4.0..6.0).contains(&mean), "{mean}");
}

#[test]
fn the_worlds_contain_the_numbers_of_their_case() {
    for (case, vehicles, blocks, maps, sensors) in [
        (Case::A, 1, 0, 0, 0),
        (Case::P, 1, 0, 0, 0),
        (Case::B500, 500, 0, 0, 0),
        (Case::C, 1, 0, 1, 1),
        (Case::D, 10, 0, 1, 10),
        (Case::E, 10, 1000, 0, 10),
    ] {
        let world = case.world().unwrap();
        let scene = world.scene();
        let lidars = scene.vehicles.iter().flat_map(|vehicle| &vehicle.sensors);
        let big = lidars.filter(|sensor| matches!(&sensor.kind, SensorKind::Lidar2d(scan) if scan.count == 1081));
        assert_eq!(
            (scene.vehicles.len(), scene.blocks.len(), scene.maps.len(), big.count()),
            (vehicles, blocks, maps, sensors),
            "{case:?}"
        );
        assert!(scene.blocks.iter().all(|block| block.is_static));
    }
    for (case, vehicles, class) in [(Case::V, 4, "lidar3d"), (Case::W, 1, "rgbd_camera")] {
        let world = case.world().unwrap();
        let scene = world.scene();
        assert_eq!((scene.vehicles.len(), scene.blocks.len()), (vehicles, 1000), "{case:?}");
        let sensors = scene.vehicles.iter().flat_map(|vehicle| &vehicle.sensors);
        assert!(sensors.clone().all(|sensor| sensor.kind.entry().name == class) && sensors.count() == vehicles);
    }
}

#[test]
fn vehicles_drive_and_touch_nothing() {
    for case in [Case::A, Case::P, Case::B10, Case::C, Case::D, Case::E] {
        let directory = tempfile::tempdir().unwrap();
        // Lidars change no motion.
        let BenchWorld { text, twist } = generate(case, directory.path()).unwrap();
        let text = text.replace(LIDAR, "");
        let (mut world, _) = World::load_text("test", directory.path(), &text, &LoadOptions::default()).unwrap();
        for vehicle in 0..world.scene().vehicles.len() {
            world.command(Command { vehicle, action: Action::Twist(twist) }).unwrap();
        }
        for step in 0..4000 {
            let frame = world.step().unwrap();
            for (index, vehicle) in frame.vehicles.iter().enumerate() {
                assert!(!vehicle.colliding, "{case:?}: vehicle {index} at step {step}");
                assert!(step < 2000 || vehicle.velocity_in_body.vx > 0.3, "{case:?}: vehicle {index} stands");
            }
        }
    }
}
