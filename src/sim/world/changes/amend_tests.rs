//! What an edit leaves as it is, and that the world it makes is that of its text.

use std::path::Path;

use skidpad_math::{Pose2, Vec2};
use skidpad_xml::edit::Expressions;

use super::*;
use crate::sensor::ReadingData;
use crate::vehicle::Action;
use crate::world::document::{Addition, Edit, WorldDocument};
use crate::world::{ResetScope, SpawnSource};

const WORLD: &str = r##"<mvsim_world version="1.0">
  <simul_timestep>0.005</simul_timestep>
  <block:class name="crate"> <mass>5</mass> <shape><pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt><pt>0.2 -0.2</pt></shape> </block:class>
  <vehicle:class name="cart">
    <dynamics class="differential"> <controller class="twist_pid"><KP>6</KP><KI>3</KI></controller> </dynamics>
    <sensor class="laser" name="scan"><nrays>21</nrays><sensor_period>0.1</sensor_period><range_std_noise>0.02</range_std_noise><max_range>4</max_range></sensor>
    <sensor class="imu" name="imu"><sensor_period>0.02</sensor_period></sensor>
  </vehicle:class>
  <vehicle name="a" class="cart"> <init_pose>0 0 20</init_pose> </vehicle>
  <vehicle name="b" class="cart"> <init_pose>-30 0 0</init_pose> </vehicle>
  <block name="near" class="crate"> <init_pose>1 -2 0</init_pose> </block>
  <block name="far" class="crate"> <init_pose>40 0 0</init_pose> </block>
  <walls> <shape> <pt>30 30</pt> <pt>40 30</pt> </shape> </walls>
</mvsim_world>
"##;

fn open(text: &str) -> (WorldDocument, World) {
    let edited = WorldDocument::open("w", Path::new("."), text, &LoadOptions::default());
    let edited = edited.unwrap_or_else(|error| panic!("{error}"));
    (edited.document, edited.world)
}

/// Carries out an edit in the text and in the world.
#[track_caller]
fn edit(document: &WorldDocument, world: &mut World, edit: &Edit) -> (WorldDocument, Amended) {
    let edited = document.edit(edit, Expressions::Keep, &LoadOptions::default());
    let edited = edited.unwrap_or_else(|error| panic!("{error}"));
    let after = edited.document.clone();
    let spawned = edited.world.catalogue().build_again(&world.spawned());
    (after, world.amend(edited.for_running(document, spawned)))
}

fn drive(world: &mut World, name: &str, speed: f64) {
    let vehicle = world.scene().vehicle_index(name).unwrap();
    world.command(Command { vehicle, action: Action::Twist(Twist2::new(speed, 0.0, 0.3)) }).unwrap();
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        world.step().unwrap();
    }
}

/// The state of a vehicle and its readings.
fn state(world: &World, name: &str) -> (VehicleFrame, Vec<(i64, ReadingData)>) {
    let index = world.scene().vehicle_index(name).unwrap();
    let readings = world.frame().readings.iter().filter(|reading| reading.vehicle == index);
    (world.frame().vehicles[index].clone(), readings.map(|reading| (reading.time.0, reading.data.clone())).collect())
}

fn place(name: &str, x: f64, y: f64) -> Edit {
    Edit::Place(name.into(), Pose2::new(x, y, 0.0))
}

fn edits() -> Vec<Edit> {
    vec![
        place("far", 42.0, 3.0),
        Edit::Add(Addition::Class("cart".into()), Pose2::new(-30.0, 9.0, 0.0)),
        Edit::Add(Addition::Shape("box".into()), Pose2::new(50.0, 9.0, 0.0)),
        Edit::AddWalls {
            points: vec![Vec2::new(60.0, 0.0), Vec2::new(70.0, 0.0)],
            thickness: 0.1,
            height: 1.0,
            color: Some("#b8b4ac".into()),
        },
        Edit::Set { name: "far".into(), key: "own:mass".into(), value: "9".into() },
        Edit::Remove("b".into()),
        Edit::Remove("far".into()),
    ]
}

#[test]
fn what_no_edit_touches_goes_on_to_the_bit() {
    let ((mut document, mut world), (_, mut same)) = (open(WORLD), open(WORLD));
    let id = world.scene().vehicles[0].id;
    for each in [&mut world, &mut same] {
        drive(each, "a", 0.6);
        drive(each, "b", 0.5);
    }
    for (number, each) in edits().iter().enumerate() {
        for world in [&mut world, &mut same] {
            steps(world, 37);
            drive(world, "a", 0.6 - 0.05 * number as f64);
        }
        let amended;
        (document, amended) = edit(&document, &mut world, each);
        assert_eq!(amended, Amended::default());
        for world in [&mut world, &mut same] {
            steps(world, 1);
        }
        assert_eq!(state(&world, "a"), state(&same, "a"), "{each:?}");
        assert_eq!(world.frame().time, same.frame().time);
    }
    steps(&mut world, 200);
    steps(&mut same, 200);
    assert_eq!(state(&world, "a"), state(&same, "a"));
    assert_eq!(world.scene().vehicles[0].id, id);
    // What was edited is as the file says: its crates stand elsewhere, and b is gone.
    assert!(world.scene().body("b").is_none() && world.scene().body("box").is_some());
    let back = document.undo(&LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let after = back.document.clone();
    world.amend(back.for_running(&document, Vec::new()));
    let block = |world: &World, name: &str| {
        world.frame().blocks[world.scene().blocks.iter().position(|b| b.name == name).unwrap()]
    };
    let far = block(&world, "far");
    assert_eq!((far.x, far.y), (42.0, 3.0));
    steps(&mut world, 1);
    steps(&mut same, 1);
    assert_eq!(state(&world, "a"), state(&same, "a"), "an edit that is taken back leaves it, too");
    assert!(after.scene().body("far").is_some());
}

#[test]
fn the_world_is_that_of_the_edited_text_and_a_full_reset_starts_it() {
    let (mut document, mut world) = open(WORLD);
    drive(&mut world, "a", 0.6);
    steps(&mut world, 50);
    for each in edits() {
        (document, _) = edit(&document, &mut world, &each);
        steps(&mut world, 3);
    }
    let (_, mut fresh) = open(document.text());
    let names = |world: &World| -> Vec<String> {
        let scene = world.scene();
        scene.vehicles.iter().map(|v| v.name.clone()).chain(scene.blocks.iter().map(|b| b.name.clone())).collect()
    };
    assert_eq!(names(&world), names(&fresh));
    for (a, b) in world.scene().vehicles.iter().zip(&fresh.scene().vehicles) {
        assert!(is_alike(a, b) && a.world_from_start == b.world_from_start, "{}", a.name);
    }
    for (a, b) in world.scene().blocks.iter().zip(&fresh.scene().blocks) {
        assert!(is_alike(a, b) && a.world_from_start == b.world_from_start, "{}", a.name);
    }
    world.reset_with(ResetScope::ALL);
    for world in [&mut world, &mut fresh] {
        drive(world, "a", 0.5);
        steps(world, 120);
    }
    assert_eq!(world.frame().blocks, fresh.frame().blocks);
    for name in ["a", "cart"] {
        assert_eq!(state(&world, name), state(&fresh, name), "{name}");
    }
}

#[test]
fn what_is_edited_is_changed_where_it_is_or_put_where_it_is_to_start() {
    let (document, mut world) = open(WORLD);
    drive(&mut world, "a", 0.6);
    drive(&mut world, "b", 0.6);
    steps(&mut world, 200);
    let before = state(&world, "a").0;
    let gains = Edit::Set { name: "a".into(), key: "class:dynamics/controller/KP".into(), value: "7".into() };
    let (document, amended) = edit(&document, &mut world, &gains);
    assert_eq!(amended, Amended::default());
    let after = state(&world, "a").0;
    assert_eq!(after.world_from_body, before.world_from_body);
    assert_eq!(after.velocity_in_body, before.velocity_in_body);
    let (_, _) = edit(&document, &mut world, &place("b", -30.0, 5.0));
    let (a, b) = (state(&world, "a").0, state(&world, "b").0);
    assert_eq!((b.world_from_body.x, b.world_from_body.y, b.velocity_in_body), (-30.0, 5.0, Twist2::ZERO));
    assert_eq!(a.world_from_body, before.world_from_body);
    steps(&mut world, 1);
    world.reset();
    assert_eq!(state(&world, "b").0.world_from_body.y, 5.0);
}

#[test]
fn what_was_spawned_moved_or_removed_while_it_ran_stays_so() {
    let (document, mut world) = open(WORLD);
    let pose = Some(Pose2::new(8.0, 8.0, 0.0).into());
    let request = SpawnRequest { name: "extra".into(), source: SpawnSource::Class("cart".into()), pose };
    world.spawn(world.catalogue().recipe(&request).unwrap()).unwrap();
    drive(&mut world, "extra", 0.4);
    let id = |world: &World, name: &str| world.scene().blocks.iter().find(|block| block.name == name).unwrap().id;
    world.remove(world.scene().vehicles[1].id).unwrap();
    let near = id(&world, "near");
    world.set_state(near, Some(Pose3 { x: -5.0, ..Pose3::default() }), None).unwrap();
    let wall = id(&world, "wall_0001");
    world.set_state(wall, Some(Pose3 { x: 33.0, y: 33.0, ..Pose3::default() }), None).unwrap();
    steps(&mut world, 100);
    let extra = state(&world, "extra");
    let (document, amended) = edit(&document, &mut world, &place("far", 42.0, 3.0));
    assert_eq!(amended, Amended::default());
    assert_eq!(state(&world, "extra"), extra);
    assert!(world.scene().body("b").is_none());
    let pose = |world: &World, name: &str| {
        world.frame().blocks[world.scene().blocks.iter().position(|b| b.name == name).unwrap()]
    };
    assert_eq!((pose(&world, "near").x, pose(&world, "wall_0001").x), (-5.0, 33.0));
    steps(&mut world, 100);
    assert!(state(&world, "extra").0.velocity_in_body.vx > 0.2);
    // The file knows neither.
    world.reset_with(ResetScope::ALL);
    assert!(world.scene().body("extra").is_none() && world.scene().body("b").is_some());
    assert_eq!(document.scene().vehicles.len(), world.scene().vehicles.len());
}

#[test]
fn a_world_with_another_step_starts_anew() {
    let text = WORLD.replace("  <simul_timestep>0.005</simul_timestep>\n", "").replace("0.02<", "0.004<");
    let (document, mut world) = open(&text);
    steps(&mut world, 10);
    let (document, _) = edit(&document, &mut world, &Edit::Remove("a".into()));
    let (_, amended) = edit(&document, &mut world, &Edit::Remove("b".into()));
    let why = amended.restarted.unwrap_or_default();
    assert!(why.starts_with("its step is 0.005") && why.ends_with("instead of 0.004 s"), "{why}");
    assert_eq!(world.frame().step, 0);
}

#[test]
fn an_edit_can_be_repeated_by_its_deed() {
    let ((document, mut world), (_, mut again)) = (open(WORLD), open(WORLD));
    for world in [&mut world, &mut again] {
        drive(world, "b", 0.5);
        steps(world, 50);
    }
    world.record_changes();
    let _ = edit(&document, &mut world, &Edit::Add(Addition::Class("cart".into()), Pose2::new(0.0, 6.0, 0.0)));
    let changes = world.take_changes();
    let [ExternalChange::Amend { text, touched }] = changes.as_slice() else { panic!("{changes:?}") };
    let amendment = again.amendment(text.clone(), touched.clone()).unwrap_or_else(|problems| panic!("{problems}"));
    again.amend(amendment);
    steps(&mut world, 60);
    steps(&mut again, 60);
    assert_eq!(world.frame(), again.frame());
}

#[test]
fn ground_of_a_region_that_is_gone_is_gone_from_under_the_wheels() {
    let ice = "<element class=\"property_region\"><property_name>friction_mu</property_name><value_double>0.001</value_double>\
        <x_min>-100</x_min><x_max>100</x_max><y_min>-100</y_min><y_max>100</y_max><z_min>-1</z_min><z_max>1</z_max></element>";
    let (_, mut world) = open(&WORLD.replace("  <walls>", &format!("  {ice}\n  <walls>")));
    drive(&mut world, "a", 1.0);
    steps(&mut world, 100);
    let speed = |world: &World| state(world, "a").0.velocity_in_body.vx;
    assert!(speed(&world) < 0.05, "{} m/s", speed(&world));
    let amendment = world.amendment(WORLD.to_owned(), Touched::default());
    world.amend(amendment.unwrap_or_else(|problems| panic!("{problems}")));
    drive(&mut world, "a", 1.0);
    steps(&mut world, 200);
    assert!(speed(&world) > 0.5, "{} m/s", speed(&world));
}

/// Joints, front frames, slopes, planes and actors in motion, contacts: an edit of nothing changes nothing but the last digits of contacts.
#[test]
fn worlds_of_all_kinds_go_on() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    for name in [
        "tracking",
        "articulated",
        "rope_and_spring",
        "ramp_and_bump",
        "second_floor",
        "elevator",
        "pedestrians",
        "moving_blocks",
        "crates_on_slope",
        "push_yard",
        "single_track",
    ] {
        let path = folder.join(format!("{name}.world.xml"));
        let load = || World::load(&path, &options).unwrap_or_else(|problems| panic!("{problems}")).0;
        let (mut world, mut same) = (load(), load());
        for each in [&mut world, &mut same] {
            for vehicle in 0..each.scene().vehicles.len() {
                let accepts = each.scene().vehicles[vehicle].accepts;
                let action = match accepts.ackermann {
                    true => Action::Ackermann { speed: 0.5, steering_angle: 0.1 },
                    false => Action::Twist(Twist2::new(0.5, 0.0, 0.1)),
                };
                let _ = each.command(Command { vehicle, action });
            }
            steps(each, 40);
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let amendment = world.amendment(text, Touched::default()).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(world.amend(amendment), Amended::default(), "{name}");
        let mut farthest = 0.0_f64;
        for _ in 0..40 {
            let (a, b) = (world.step().unwrap(), same.step().unwrap());
            assert_eq!(a.time, b.time);
            let vehicles = a.vehicles.iter().zip(&b.vehicles).map(|(a, b)| (a.world_from_body, b.world_from_body));
            let actors = a.actors.iter().zip(&b.actors).map(|(a, b)| (a.world_from_actor, b.world_from_actor));
            let poses = a.blocks.iter().zip(&b.blocks).chain(a.planes.iter().zip(&b.planes)).map(|(a, b)| (*a, *b));
            for (a, b) in vehicles.chain(actors).chain(poses) {
                farthest = farthest.max((a.position() - b.position()).norm()).max((a.yaw - b.yaw).abs());
                farthest = farthest.max((a.pitch - b.pitch).abs()).max((a.roll - b.roll).abs());
            }
            let times =
                |frame: &crate::world::Frame| frame.readings.iter().map(|reading| reading.time).collect::<Vec<_>>();
            assert_eq!(times(a), times(b), "{name}");
        }
        assert!(farthest < 1e-6, "{name}: {farthest} m or rad apart");
    }
}
