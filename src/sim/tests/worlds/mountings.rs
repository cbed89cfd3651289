//! Planar lidars and range finders at any attitude: their points, placed as the messages and the transforms say, are where the bodies are.

use std::path::Path;

use skidpad_math::{Pose3, Vec3};
use skidpad_sim::sensor::ReadingData;
use skidpad_sim::world::{LoadOptions, World};

use super::cameras::{load, robot};

/// A floor, and a block of 1 m ahead on the left, with its faces at y = 2.5 and 3.5.
const SCENE: &str =
    "<element class=\"horizontal_plane\"><x_min>-9</x_min><x_max>9</x_max><y_min>-9</y_min><y_max>9</y_max></element>
    <block name=\"b\"><static>true</static><init_pose>0.5 3 0</init_pose><zmin>0</zmin><zmax>2</zmax></block>";

/// A planar lidar without noise at this attitude [deg], half a metre up, with more tags.
fn lidar(attitude: &str, tags: &str) -> String {
    format!(
        "<sensor class=\"laser\" name=\"scan\"><pose_3d>0.1 0 0.5 {attitude}</pose_3d><fov_degrees>350</fov_degrees><nrays>701</nrays>
        <range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg><max_range>30</max_range>{tags}</sensor>"
    )
}

/// Where the first scan of the first sensor has its returns in the world [m], by angle about the z axis of the sensor's frame.
fn points(world: &mut World) -> Vec<(f64, Vec3)> {
    while world.frame().readings[0].time != world.frame().time {
        world.step().unwrap();
    }
    let (reading, sensor) = (&world.frame().readings[0], &world.scene().vehicles[0].sensors[0]);
    let (ReadingData::Scan(scan), Some(beams)) = (&reading.data, sensor.kind.lidar()) else { panic!("{reading:?}") };
    let world_from_sensor: Pose3 = reading.world_from_body * sensor.body_from_sensor;
    let returns = scan.ranges.iter().enumerate().filter(|(_, range)| range.is_finite());
    returns
        .map(|(beam, &range)| {
            let angle = beams.angle_min + beam as f64 * beams.angle_increment;
            let along = Vec3::new(angle.cos(), angle.sin(), 0.0);
            (angle, world_from_sensor.transform_point(f64::from(range) * along))
        })
        .collect()
}

/// Distance [m] from the floor or the faces of the block.
fn to_surface(p: &Vec3) -> f64 {
    let outside = [(p.x - 0.5).abs() - 0.5, (p.y - 3.0).abs() - 0.5, (p.z - 1.0).abs() - 1.0];
    let to_block = outside.into_iter().fold(f64::NEG_INFINITY, f64::max).abs();
    to_block.min(p.z.abs())
}

#[test]
fn a_block_on_the_left_is_on_the_left_of_a_lidar_at_any_attitude() {
    for (attitude, is_upside_down) in [
        ("0 0 0", false),
        ("90 0 0", false),
        ("0 0 180", true),
        ("0 0 179.999", true),
        ("-40 0 -180", true),
        ("180 180 0", true),
        ("0 180 0", true),
    ] {
        let actual = points(&mut load(Path::new("."), &format!("{SCENE}{}", robot(&lidar(attitude, "")))));
        assert!(actual.len() > 30, "{attitude}: {}", actual.len());
        for (angle, point) in &actual {
            assert!(to_surface(point) < 1e-5 && point.y > 0.0, "{attitude}, {angle}: {point:?}");
        }
        // Of an upright lidar and of one upside down, the angles of the same point have opposite signs.
        if ["0 0 0", "0 0 180"].contains(&attitude) {
            assert!(actual.iter().all(|(angle, _)| (*angle < 0.0) == is_upside_down), "{attitude}");
        }
    }
}

/// The vehicle turned by 30°, the lidar at attitudes all around: every point of every scan lies on a surface.
#[test]
fn points_of_a_tilted_lidar_lie_on_the_ground_and_on_bodies() {
    let (mut on_ground, mut on_block) = (0, 0);
    for number in 0..24 {
        let [yaw, pitch, roll] = [37, 53, 71].map(|step| (step * number) % 360 - 180);
        let robot =
            robot(&lidar(&format!("{yaw} {pitch} {roll}"), "")).replace("0 0 0</init_pose>", "0 0 30</init_pose>");
        for (angle, point) in points(&mut load(Path::new("."), &format!("{SCENE}{robot}"))) {
            assert!(to_surface(&point) < 1e-5, "{yaw} {pitch} {roll}, {angle}: {point:?}");
            *(if point.z.abs() < 1e-5 { &mut on_ground } else { &mut on_block }) += 1;
        }
    }
    assert!(on_ground > 3000 && on_block > 300, "{on_ground} {on_block}");
}

/// 20° down from 0.5 m: the ground is met at 0.5 m / sin 20°, straight ahead, and not the own wheels between.
#[test]
fn a_lidar_that_looks_down_has_the_ranges_of_the_ground() {
    let actual = points(&mut load(Path::new("."), &format!("{SCENE}{}", robot(&lidar("0 20 0", "")))));
    let (_, ahead) = actual.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).unwrap();
    let expected = 0.1 + 0.5 / 20.0_f64.to_radians().tan();
    assert!((ahead - Vec3::new(expected, 0.0, 0.0)).norm() < 1e-5, "{ahead:?}");
    // On request it sees its own vehicle, as one with raytrace_3d does.
    let sees_itself = lidar("0 20 0", "<ignore_parent_body>false</ignore_parent_body>");
    let own = points(&mut load(Path::new("."), &format!("{SCENE}{}", robot(&sees_itself))));
    let spatial = points(&mut load(
        Path::new("."),
        &format!("{SCENE}{}", robot(&lidar("0 20 0", "<raytrace_3d>true</raytrace_3d>"))),
    ));
    assert_eq!(own, spatial);
    assert_ne!(own, actual);
}

#[test]
fn what_a_tilt_leaves_without_effect_is_said() {
    let warnings = |sensor: &str| {
        let text = format!("<mvsim_world>\n{}</mvsim_world>", robot(sensor));
        let (_, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
        warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let flat = "<raytrace_3d>false</raytrace_3d>";
    let (no_effect, blind) = (
        "raytrace_3d false has no effect: the sensor is tilted out of the plane\n  \
         hint: a roll of 180 degrees is allowed: the beams of a sensor upside down stay in the plane",
        "bodies_visible false has no effect: beams in three dimensions meet everything",
    );
    let actual = warnings(&lidar("0 20 0", flat));
    assert!(actual.starts_with("w.xml:3:") && actual.ends_with(no_effect), "{actual}");
    for silent in [lidar("0 0 180", flat), lidar("0 0 0", flat), lidar("0 20 0", "")] {
        assert_eq!(warnings(&silent), "");
    }
    let map_only = "<bodies_visible>false</bodies_visible>";
    assert!(warnings(&lidar("0 20 0", map_only)).ends_with(blind));
    let in_space = warnings(&lidar("0 0 0", &format!("<raytrace_3d>true</raytrace_3d>{map_only}")));
    assert!(in_space.contains(blind) && in_space.contains("sees its own vehicle and nothing else"), "{in_space}");
    assert_eq!(warnings(&lidar("0 0 180", map_only)), "");
    let sonar = |attitude: &str| {
        format!("<sensor class=\"range\" name=\"sonar\"><pose_3d>0.3 0 0.2 {attitude}</pose_3d>{flat}</sensor>")
    };
    assert!(warnings(&sonar("0 20 0")).ends_with(no_effect));
    // A cone is the same at any roll.
    assert_eq!(warnings(&sonar("0 0 90")), "");
}
