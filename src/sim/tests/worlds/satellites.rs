//! Satellite receivers in worlds: reception in regions, and worlds without a place on Earth.

use std::path::Path;

use skidpad_math::{Twist2, Vec3};
use skidpad_sim::sensor::ReadingData;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

const PLACE: &str = "<georeference><latitude>36.9</latitude><longitude>-2.3</longitude>
    <world_to_enu_rotation_deg>90</world_to_enu_rotation_deg></georeference>";

/// A robot with its antenna 1 m ahead of and 0.5 m above its reference point.
const ROBOT: &str = "<vehicle name=\"r\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>
    <sensor class=\"gnss\" name=\"gps\"><pose_3d>1 0 0.5 0 0 0</pose_3d><sensor_period>0.1</sensor_period>
    <horizontal_std_noise>0</horizontal_std_noise><vertical_std_noise>0</vertical_std_noise></sensor></vehicle>";

const TUNNEL: &str =
    "<element class=\"property_region\"><property_name>gps_no_coverage</property_name><value_bool>true</value_bool>
    <x_min>3</x_min><x_max>5</x_max><y_min>-1</y_min><y_max>1</y_max><z_min>0</z_min><z_max>4</z_max></element>";

fn load(text: &str) -> (World, Vec<String>) {
    let text = format!("<mvsim_world>\n{text}</mvsim_world>");
    let (world, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default())
        .unwrap_or_else(|problems| panic!("{problems}"));
    (world, warnings.iter().map(ToString::to_string).collect())
}

#[test]
fn a_tunnel_stops_fixes_while_the_antenna_is_inside() {
    let (mut world, warnings) = load(&format!("{PLACE}{ROBOT}{TUNNEL}"));
    assert_eq!(warnings, [""; 0]);
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(1.0, 0.0, 0.0)) }).unwrap();
    let (mut outside, mut inside) = (0, 0);
    while world.frame().time.secs() < 6.0 {
        let frame = world.step().unwrap();
        let reading = &frame.readings[0];
        if reading.time != frame.time {
            continue;
        }
        let antenna = frame.vehicles[0].world_from_body.transform_point(Vec3::new(1.0, 0.0, 0.5));
        let ReadingData::Gnss(fix) = &reading.data else { panic!("{reading:?}") };
        assert_eq!(fix.is_none(), (3.0..=5.0).contains(&antenna.x), "{antenna}");
        *(if fix.is_none() { &mut inside } else { &mut outside }) += 1;
        if let Some(fix) = *fix {
            let actual = world.scene().georeference.as_ref().unwrap().world_from_geodetic(fix.place);
            assert!((actual - antenna).norm() < 1e-6, "{actual} for {antenna}");
        }
    }
    assert!(inside > 15 && outside > 30, "{inside} of {}", inside + outside);
}

#[test]
fn a_world_without_a_place_on_earth_is_told_of_once() {
    let second = ROBOT.replace("name=\"r\"", "name=\"s\"").replace("0 0 0</init_pose>", "9 9 0</init_pose>");
    let (mut world, warnings) = load(&format!("{ROBOT}{second}"));
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(
        warning.starts_with("w.xml:3:5: <sensor class=\"gnss\"> in a world without a place on Earth: it has no fix\n"),
        "{warning}"
    );
    while world.frame().time.secs() < 0.5 {
        world.step().unwrap();
    }
    let reading = &world.frame().readings[0];
    assert!(reading.time.secs() > 0.0 && matches!(&reading.data, ReadingData::Gnss(fix) if fix.is_none()));
    // The order of the file does not matter.
    assert_eq!(load(&format!("{ROBOT}{PLACE}")).1, [""; 0]);
}
