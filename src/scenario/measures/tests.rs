//! An observer beside worlds whose numbers are known.

use std::path::Path;

use skidpad_math::{Pose3, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

use super::*;
use crate::result::Measure;

/// A robot of 0.4 m × 0.4 m at the origin, that follows velocity commands exactly.
fn world(around: &str) -> World {
    let text = format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep>{around}\
         <vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"unicycle\"><l_wheel pos=\"0 0.1\" diameter=\"0.1\"/><r_wheel pos=\"0 -0.1\" diameter=\"0.1\"/><chassis mass=\"10\"><shape>\
         <pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></chassis></dynamics></vehicle></mvsim_world>"
    );
    World::load_text("test", Path::new("."), &text, &LoadOptions::default()).unwrap().0
}

const BLOCK: &str = "<block name=\"door\"><init_pose>2 0 0</init_pose><static>true</static><shape>\
    <pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt><pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape></block>";

/// Drives for some seconds; returns the greatest number of contacts that began in one step.
fn drive(world: &mut World, observer: &mut Observer, twist: Twist2, seconds: f64) -> usize {
    let mut most = 0;
    for _ in 0..(seconds / world.scene().step.secs()).round() as usize {
        world.command(Command { vehicle: 0, action: Action::Twist(twist) }).unwrap();
        world.step().unwrap();
        observer.observe(world.scene(), world.frame());
        most = most.max(observer.now("r1").unwrap().begun.len());
    }
    most
}

fn value(measures: &[Measure], key: &str) -> Option<f64> {
    measures.iter().find(|measure| measure.key == key).unwrap_or_else(|| panic!("{key}")).value
}

#[track_caller]
fn assert_value(measures: &[Measure], key: &str, expected: f64, within: f64) {
    let value = value(measures, key);
    assert!(value.is_some_and(|value| (value - expected).abs() <= within), "{key}: {value:?} for {expected}");
}

#[test]
fn a_drive_past_a_block_has_its_numbers() {
    let mut world = world(BLOCK);
    let mut observer = Observer::new(world.scene(), &[]);
    observer.set_goal("r1", Vec2::new(1.0, 0.0), None);
    observer.observe(world.scene(), world.frame());
    let now = observer.now("r1").unwrap();
    assert!((now.nearest.distance - 1.3).abs() < 1e-9, "{now:?}");
    assert_eq!(now.nearest.nearby_object.unwrap().described(world.scene()), "block \"door\"");
    drive(&mut world, &mut observer, Twist2::ZERO, 1.0);
    drive(&mut world, &mut observer, Twist2::new(0.5, 0.0, 0.0), 2.0);
    observer.reached("r1");
    drive(&mut world, &mut observer, Twist2::new(-0.5, 0.0, 0.0), 1.0);
    let (measures, trace) = observer.finish(world.scene(), world.frame());
    assert_value(&measures, "success", 1.0, 0.0);
    assert_value(&measures, "time_to_goal_s", 3.0, 1e-9);
    assert_value(&measures, "spl", 1.0, 0.02);
    assert_value(&measures, "path_length_m", 1.5, 0.02);
    assert_value(&measures, "duration_s", 4.0, 1e-9);
    assert_value(&measures, "time_not_moving_s", 1.0, 0.03);
    assert_value(&measures, "max_speed_mps", 0.5, 1e-9);
    // From rest to 0.5 m/s and from 0.5 to −0.5 m/s at once.
    assert_value(&measures, "max_acceleration_mps2", 10.0, 1e-6);
    assert_value(&measures, "max_jerk_mps3", 100.0, 1e-6);
    assert_value(&measures, "least_clearance_m", 0.3, 0.01);
    assert_value(&measures, "least_clearance_time_s", 3.0, 0.02);
    assert_value(&measures, "collisions", 0.0, 0.0);
    assert_value(&measures, "final_goal_distance_m", 0.5, 0.02);
    assert_eq!((value(&measures, "first_collision_s"), value(&measures, "least_person_distance_m")), (None, None));
    assert_eq!((trace.vehicles.len(), trace.vehicles[0].samples.len(), trace.moments.len()), (1, 401, 1));
    assert_eq!((trace.vehicles[0].goals.as_slice(), trace.moments[0].blocks.len()), ([[1.0, 0.0]].as_slice(), 1));
}

/// Against the block, pushing on for a second, back, and against it again: two collisions, however the contact chatters.
#[test]
fn each_collision_counts_once() {
    let mut world = world(BLOCK);
    let mut observer = Observer::new(world.scene(), &["r1".into()]);
    observer.observe(world.scene(), world.frame());
    assert_eq!(drive(&mut world, &mut observer, Twist2::new(1.0, 0.0, 0.0), 2.5), 1);
    assert_eq!(drive(&mut world, &mut observer, Twist2::new(-1.0, 0.0, 0.0), 0.5), 0);
    assert_eq!(drive(&mut world, &mut observer, Twist2::new(1.0, 0.0, 0.0), 1.0), 1);
    let (measures, trace) = observer.finish(world.scene(), world.frame());
    assert_value(&measures, "collisions", 2.0, 0.0);
    assert_value(&measures, "first_collision_s", 1.3, 0.02);
    assert_value(&measures, "least_clearance_m", 0.0, 0.0021);
    let reported: Vec<_> = trace.moments.iter().map(|moment| moment.incident.as_str()).collect();
    assert_eq!(reported, ["touches block \"door\"", ""]);
}

/// A wall 0.2 m thick with a door of 1 m around y = 0, at x = 1.
#[test]
fn walls_have_thickness_and_doors() {
    let wall = "<element class=\"vertical_plane\"><x0>1</x0><x1>1</x1><y0>-5</y0><y1>5</y1><z>0</z><height>2</height>\
        <door position=\"0.5\" width=\"1\" z_min=\"0\" z_max=\"2\"/></element>";
    let mut world = world(wall);
    let mut observer = Observer::new(world.scene(), &[]);
    observer.observe(world.scene(), world.frame());
    let near = observer.now("r1").unwrap().nearest;
    let info = &world.scene().walls[0];
    let expected = f64::hypot(1.0 - 0.5 * info.thickness.max(1e-3) - 0.2, 0.3);
    assert!((near.distance - expected).abs() < 1e-9, "{near:?} {info:?}");
    assert_eq!(near.nearby_object.unwrap().described(world.scene()), "wall \"vertical_plane_1\"");
    // In the middle of the door it has 0.3 m on either side.
    drive(&mut world, &mut observer, Twist2::new(1.0, 0.0, 0.0), 2.0);
    let (measures, _) = observer.finish(world.scene(), world.frame());
    assert_value(&measures, "least_clearance_m", 0.3, 1e-6);
    assert_value(&measures, "collisions", 0.0, 0.0);
}

#[test]
fn people_have_spaces_and_can_be_hit() {
    let person = "<actor name=\"anna\"><init_pose>3 0 0</init_pose></actor>";
    let mut world = world(person);
    let mut observer = Observer::new(world.scene(), &[]);
    observer.observe(world.scene(), world.frame());
    // 2.8 m from the outline: 1.6 m of social space, 0.75 m of personal space, and the cylinder within the intimate one.
    let radius = world.scene().actors[0].collision_radius;
    let seconds = 2.8 - radius + 0.05;
    drive(&mut world, &mut observer, Twist2::new(1.0, 0.0, 0.0), seconds);
    let (measures, _) = observer.finish(world.scene(), world.frame());
    assert_value(&measures, "social_space_percent", 100.0 * 1.6 / seconds, 1.0);
    assert_value(&measures, "personal_space_percent", 100.0 * 0.75 / seconds, 1.0);
    assert_value(&measures, "close_to_people_s", seconds - 1.6, 0.03);
    assert_value(&measures, "close_to_people_speed_mps", 1.0, 0.01);
    assert_value(&measures, "least_person_distance_m", radius - 0.05, 0.02);
    assert_value(&measures, "collisions", 1.0, 0.0);
}

/// A jump is no way, no acceleration and no turn.
#[test]
fn being_placed_elsewhere_is_no_motion() {
    let mut world = world("");
    let mut observer = Observer::new(world.scene(), &[]);
    observer.observe(world.scene(), world.frame());
    drive(&mut world, &mut observer, Twist2::new(0.5, 0.0, 0.0), 1.0);
    let id = world.scene().vehicles[0].id;
    let elsewhere = Pose3 { x: 10.0, y: 5.0, yaw: 2.0, ..Pose3::default() };
    world.set_state(id, Some(elsewhere), None).unwrap();
    drive(&mut world, &mut observer, Twist2::new(0.5, 0.0, 0.0), 1.0);
    let (measures, _) = observer.finish(world.scene(), world.frame());
    assert_value(&measures, "path_length_m", 1.0, 0.02);
    assert_value(&measures, "heading_change_rad", 0.0, 1e-9);
    assert_eq!(value(&measures, "least_clearance_m"), None, "nothing is around");
}

/// A van on springs that turns sharply: it lies once, and again after a reset.
#[test]
fn each_fall_counts_once() {
    let wheel = "mass=\"30\" diameter=\"0.6\"";
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name=\"r1\"><init_pose>0 0 0</init_pose><init_vel>15 0 0</init_vel>\
         <dynamics class=\"ackermann_drivetrain\"><rl_wheel pos=\"0 0.75\" {wheel}/><rr_wheel pos=\"0 -0.75\" {wheel}/><fl_wheel {wheel}/><fr_wheel {wheel}/>\
         <f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
         <chassis mass=\"1500\" com=\"1.3 0\" com_height=\"1.3\" inertia=\"2500\" zmin=\"0.3\" zmax=\"2.2\"><shape>\
         <pt>-0.7 -0.9</pt><pt>3.4 -0.9</pt><pt>3.4 0.9</pt><pt>-0.7 0.9</pt></shape></chassis>\
         <suspension><axle><ride_frequency>1.6</ride_frequency></axle></suspension>\
         <controller class=\"front_steer_pid\"><KP>3000</KP><max_torque>2500</max_torque></controller></dynamics>\
         <friction class=\"default\"><mu>1</mu></friction></vehicle></mvsim_world>"
    );
    let mut world = World::load_text("test", Path::new("."), &text, &LoadOptions::default()).unwrap().0;
    let mut observer = Observer::new(world.scene(), &[]);
    for _ in 0..2 {
        for _ in 0..1600 {
            let action = Action::Ackermann { speed: 15.0, steering_angle: 0.35 };
            world.command(Command { vehicle: 0, action }).unwrap();
            world.step().unwrap();
            observer.observe(world.scene(), world.frame());
        }
        assert!(world.frame().vehicles[0].is_overturned);
        world.reset();
    }
    let (measures, _) = observer.finish(world.scene(), world.frame());
    assert_value(&measures, "overturns", 2.0, 0.0);
}
