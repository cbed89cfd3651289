//! Vehicles and blocks that come and go while a world runs.

use std::path::PathBuf;

use super::common::{run, step, world};
use super::determinism::bits;
use skidpad::math::{Pose3, Twist2};
use skidpad::vehicle::{Action, Command};
use skidpad::world::{EntityId, ResetScope, SpawnError, SpawnErrorKind, SpawnRequest, SpawnWhat, World};

const CLASSES: &str = r#"<simul_timestep>0.005</simul_timestep><random_seed>7</random_seed>
  <vehicle:class name="robot"><dynamics class="differential_4_wheels">
    <lr_wheel pos="-0.2 0.2" diameter="0.2"/><rr_wheel pos="-0.2 -0.2" diameter="0.2"/>
    <lf_wheel pos="0.2 0.2" diameter="0.2"/><rf_wheel pos="0.2 -0.2" diameter="0.2"/>
    <chassis zmax="0.4"><shape><pt>-0.3 -0.2</pt><pt>-0.3 0.2</pt><pt>0.3 0.2</pt><pt>0.3 -0.2</pt></shape></chassis>
    <controller class="twist_ideal"/></dynamics>
    <sensor class="laser" name="scan"><nrays>31</nrays><sensor_period>0.02</sensor_period></sensor>
  </vehicle:class>
  <block:class name="crate"><mass>5</mass></block:class>
  <block:class name="pillar"><static>true</static></block:class>
  <block:class name="ramp"><static>true</static><intangible>true</intangible>
    <geometry type="ramp" lx="3" ly="2" lz="0.6"/></block:class>"#;

fn fleet(inner: &str) -> World {
    world(&format!("{CLASSES}{inner}"))
}

const ONE: &str = r#"<vehicle name="r1" class="robot"><init_pose>0 0 0</init_pose></vehicle>"#;

pub fn of_class(class: &str, name: &str, x: f64, y: f64) -> SpawnRequest {
    let pose = Some(Pose3 { x, y, ..Pose3::default() });
    SpawnRequest { name: name.into(), what: SpawnWhat::Class(class.into()), pose }
}

fn xml(name: &str, text: &str) -> SpawnRequest {
    let what = SpawnWhat::Xml { text: text.into(), directory: PathBuf::from("."), label: "here".into() };
    SpawnRequest { name: name.into(), what, pose: None }
}

fn spawn(world: &mut World, request: &SpawnRequest) -> Result<EntityId, SpawnError> {
    let recipe = world.catalogue().recipe(request)?;
    world.spawn(recipe)
}

#[track_caller]
fn add(world: &mut World, class: &str, name: &str, x: f64, y: f64) -> EntityId {
    spawn(world, &of_class(class, name, x, y)).unwrap_or_else(|error| panic!("{error}"))
}

fn drive(world: &mut World, name: &str, vx: f64, wz: f64) {
    let vehicle = world.scene().vehicle_index(name).expect("it is there");
    let action = Action::Twist(Twist2::new(vx, 0.0, wz));
    world.command(Command { vehicle, action }).expect("takes velocities");
}

#[test]
fn what_is_spawned_stands_drives_and_sees_and_is_seen() {
    let mut world = fleet(ONE);
    run(&mut world, 0.105);
    let revision = world.scene().revision;
    let id = add(&mut world, "robot", "r2", 3.0, 0.0);
    assert_eq!((world.scene().revision, world.scene().vehicle_of(id)), (revision + 1, Some(1)));
    assert_eq!(world.frame().vehicles[1].world_from_body.x, 3.0);
    // Its lidar's grid is that of its period, whenever it came.
    assert!(world.frame().readings[1].time.0 < 0);
    step(&mut world);
    step(&mut world);
    assert!(world.frame().readings[1].time.0 < 0);
    step(&mut world);
    assert_eq!(world.frame().readings[1].time.0, 120_000_000);
    drive(&mut world, "r2", -1.0, 0.0);
    run(&mut world, 0.5);
    let frame = world.frame();
    assert!((frame.vehicles[1].world_from_body.x - 2.5).abs() < 0.02, "{:?}", frame.vehicles[1].world_from_body);
    let ahead = |index: usize| {
        let skidpad::sensor::ReadingData::Scan(scan) = &frame.readings[index].data;
        scan.ranges[15]
    };
    assert!((ahead(0) - 2.2).abs() < 0.1, "r1 sees r2: {}", ahead(0));
    world.remove(id).expect("it is there");
    assert_eq!(world.frame().vehicles.len(), 1);
    run(&mut world, 0.1);
    let skidpad::sensor::ReadingData::Scan(scan) = &world.frame().readings[0].data;
    assert!(scan.ranges[15].is_infinite(), "r1 sees r2 no longer");
    assert_eq!(world.remove(id).unwrap_err().to_string(), format!("nothing here has the id {}", id.0));
}

#[test]
fn blocks_are_pushed_stood_on_and_bumped_into() {
    let mut world = fleet(ONE);
    let crate_ = add(&mut world, "crate", "c", 1.5, 0.0);
    let pillar = add(&mut world, "pillar", "p", 4.0, 0.0);
    let ramp = add(&mut world, "ramp", "up", 10.0, 0.0);
    drive(&mut world, "r1", 1.0, 0.0);
    run(&mut world, 6.0);
    let x = world.frame().vehicles[0].world_from_body.x;
    // Robot, crate and pillar in a row: 4 − 0.5 − 1 − 0.3.
    assert!((x - 2.2).abs() < 0.05, "{x}");
    world.remove(pillar).unwrap();
    world.remove(crate_).unwrap();
    run(&mut world, 9.0);
    let pose = world.frame().vehicles[0].world_from_body;
    assert!(pose.x > 11.0 && pose.x < 12.5 && pose.z > 0.2, "{pose:?}");
    world.remove(ramp).unwrap();
    assert_eq!(world.scene().blocks.len(), 0);
    step(&mut world);
    assert_eq!(
        (world.frame().vehicles[0].world_from_body.z, world.frame().vehicles[0].world_from_body.pitch),
        (0.0, 0.0)
    );
}

#[test]
fn a_thousand_come_and_go_and_leave_nothing_behind() {
    let mut world = fleet(ONE);
    drive(&mut world, "r1", 1.0, 0.3);
    let mut alone = fleet(ONE);
    drive(&mut alone, "r1", 1.0, 0.3);
    let mut counts = None;
    for round in 0..1000 {
        let id = add(&mut world, "robot", "guest", 150.0, 0.0);
        let block = add(&mut world, ["crate", "pillar", "ramp"][round % 3], "box", 160.0, 0.0);
        if round % 3 == 0 {
            drive(&mut world, "guest", 2.0, 1.0);
        }
        if round % 10 == 0 {
            step(&mut world);
            step(&mut alone);
            assert_eq!(world.frame().vehicles[0], alone.frame().vehicles[0], "round {round}");
            let [seen, alone] = [&world, &alone].map(|world| format!("{:?}", world.frame().readings[0]));
            assert_eq!(seen, alone, "round {round}");
        }
        world.remove(id).unwrap();
        world.remove(block).unwrap();
        if round % 64 == 63 {
            let now = world.population_counts();
            assert_eq!(*counts.get_or_insert(now), now, "round {round}");
        }
    }
    assert_eq!(world.scene().vehicles, alone.scene().vehicles);
    run(&mut world, 1.0);
    run(&mut alone, 1.0);
    assert_eq!(bits(world.frame()), bits(alone.frame()));
}

#[test]
fn after_a_reset_of_all_the_run_repeats_that_of_a_fresh_load() {
    let inner = r#"<vehicle name="r1" class="robot"><init_pose>0 0 0</init_pose></vehicle>
        <block name="a" class="crate"><init_pose>1.2 0.1 10</init_pose></block>
        <block name="wall" class="pillar"><init_pose>4 0 0</init_pose></block>
        <block name="b" class="crate"><init_pose>2.4 -0.1 0</init_pose></block>
        <vehicle name="r2" class="robot"><init_pose>0 3 0</init_pose></vehicle>
        <vehicle name="r3" class="robot"><init_pose>-2 3 0</init_pose></vehicle>
        <joint type="distance" body_a="r2" body_b="r3" anchor_a="0 0" anchor_b="0 0" max_length="2.2"/>"#;
    let tape = |world: &mut World| {
        drive(world, "r1", 1.0, 0.1);
        drive(world, "r2", 0.7, 0.0);
        (0..400).map(|_| bits(step(world))).collect::<Vec<_>>()
    };
    let fresh = tape(&mut fleet(inner));
    let mut used = fleet(inner);
    tape(&mut used);
    for name in ["r3", "r1"] {
        let id = used.scene().vehicles[used.scene().vehicle_index(name).unwrap()].id;
        used.remove(id).unwrap();
    }
    for block in [0, 0] {
        let id = used.scene().blocks[block].id;
        used.remove(id).unwrap();
    }
    assert!(used.scene().joints.is_empty());
    add(&mut used, "robot", "r1", 0.3, 0.2);
    add(&mut used, "pillar", "x", 2.0, 3.0);
    add(&mut used, "crate", "y", 2.0, 0.0);
    drive(&mut used, "r1", 1.0, 0.0);
    run(&mut used, 1.0);
    used.reset_with(ResetScope::ALL);
    assert_eq!(tape(&mut used), fresh);
    used.reset_with(ResetScope::ALL);
    assert_eq!(tape(&mut used), fresh, "and again");
}

#[test]
fn wrong_wishes_are_told_what_is_wrong() {
    let mut world = fleet(ONE);
    let mut refused = |request: &SpawnRequest| {
        let error = spawn(&mut world, request).expect_err("wrong");
        (error.kind, error.message)
    };
    use SpawnErrorKind::{InvalidPose, NameInvalid, NameTaken, NoResource, ParseError, UnsupportedFormat};
    let expect = |kind, message: &str| (kind, message.to_string());
    assert_eq!(
        refused(&of_class("robot", "r1", 0.0, 0.0)),
        expect(NameTaken, "spawn \"r1\": something is called so already\n  hint: \"r1_2\" is free")
    );
    assert_eq!(
        refused(&of_class("robt", "r2", 0.0, 0.0)),
        expect(
            NoResource,
            "spawn \"r2\": this world has no class \"robt\"\n  accepted: robot, crate, pillar, ramp\n  hint: did you mean \"robot\"?"
        )
    );
    assert_eq!(
        refused(&of_class("robot", " ", 0.0, 0.0)),
        expect(
            NameInvalid,
            "spawn: \" \" cannot be a name: it is empty\n  accepted: up to 255 bytes of printable text"
        )
    );
    assert_eq!(
        refused(&of_class("robot", "r2", f64::NAN, 0.0)),
        expect(InvalidPose, "spawn \"r2\": a number in its pose is not finite\n  accepted: finite numbers")
    );
    assert_eq!(
        refused(&xml("r2", "<robot name=\"urdf\"/>")),
        expect(
            UnsupportedFormat,
            "here: it is a <robot>\n  accepted: <vehicle>, <block>, <vehicle:class>, <block:class>"
        )
    );
    assert_eq!(
        refused(&xml("r2", "<vehicle class=\"robt\"/>")),
        expect(
            ParseError,
            "here:1:1: unknown vehicle class \"robt\"\n  accepted: robot\n  hint: did you mean \"robot\"?"
        )
    );
    assert_eq!(refused(&xml("r2", "<vehicle")).0, ParseError);
    let file = SpawnRequest { what: SpawnWhat::File("no/such.xml".into()), ..xml("r2", "") };
    assert_eq!(
        refused(&file),
        expect(
            NoResource,
            "no/such.xml: there is no such file\n  accepted: a file with one of <vehicle>, <block>, <vehicle:class>, <block:class>"
        )
    );
}
