//! Vehicles and blocks that come and go while a world runs.

use std::path::PathBuf;

use super::bits::bits;
use super::common::{run, step, world};
use skidpad_math::{Pose2, Pose3, Twist2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{EntityId, ResetScope, SpawnError, SpawnErrorKind, SpawnRequest, SpawnSource, Spot, World};

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

const ROBOT: &str = r#"<vehicle name="r1" class="robot"><init_pose>0 0 0</init_pose></vehicle>"#;

pub fn of_class(class: &str, name: &str, x: f64, y: f64) -> SpawnRequest {
    let pose = Some(Pose2::new(x, y, 0.0).into());
    SpawnRequest { name: name.into(), source: SpawnSource::Class(class.into()), pose }
}

fn xml(name: &str, text: &str) -> SpawnRequest {
    let source = SpawnSource::Xml { text: text.into(), directory: PathBuf::from("."), label: "here".into() };
    SpawnRequest { name: name.into(), source, pose: None }
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

/// What is built elsewhere may be handed over.
const fn crosses_threads<T: Send>() {}
const _: () = {
    crosses_threads::<std::sync::Arc<skidpad_sim::world::Catalogue>>();
    crosses_threads::<skidpad_sim::world::Recipe>();
};

#[test]
fn a_spawned_vehicle_drives_sees_and_is_seen() {
    let mut world = fleet(ROBOT);
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
    let ahead = |index: usize| frame.readings[index].data.scan().unwrap().ranges[15];
    assert!((ahead(0) - 2.2).abs() < 0.1, "r1 sees r2: {}", ahead(0));
    world.remove(id).expect("it is there");
    assert_eq!(world.frame().vehicles.len(), 1);
    run(&mut world, 0.1);
    let scan = world.frame().readings[0].data.scan().unwrap();
    assert!(scan.ranges[15].is_infinite(), "r1 sees r2 no longer");
    assert_eq!(world.remove(id).unwrap_err().to_string(), format!("nothing here has the id {}", id.0));
}

#[test]
fn a_vehicle_spawned_into_another_is_reported_by_both() {
    let mut world = fleet(ROBOT);
    run(&mut world, 0.05);
    add(&mut world, "robot", "r2", 0.4, 0.1);
    let frame = step(&mut world);
    assert!(frame.vehicles.iter().all(|vehicle| vehicle.colliding));
}

#[test]
fn blocks_are_pushed_stood_on_and_bumped_into() {
    let mut world = fleet(ROBOT);
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
    let mut world = fleet(ROBOT);
    drive(&mut world, "r1", 1.0, 0.3);
    let mut alone = fleet(ROBOT);
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
fn invalid_requests_are_explained() {
    let mut world = fleet(ROBOT);
    let mut refused = |request: &SpawnRequest| {
        let error = spawn(&mut world, request).expect_err("wrong");
        (error.kind, error.message)
    };
    use SpawnErrorKind::{InvalidPose, NameInvalid, NameTaken, NoResource, ParseError, UnsupportedFormat};
    let expect = |kind, message: &str| (kind, message.to_string());
    assert_eq!(
        refused(&of_class("robot", "r1", 0.0, 0.0)),
        expect(NameTaken, "spawn \"r1\": the name is taken\n  hint: \"r1_2\" is free")
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
    let file = SpawnRequest { source: SpawnSource::File("no/such.xml".into()), ..xml("r2", "") };
    assert_eq!(
        refused(&file),
        expect(
            NoResource,
            "no/such.xml: there is no such file\n  accepted: a file with one of <vehicle>, <block>, <vehicle:class>, <block:class>"
        )
    );
}

#[test]
fn the_state_of_a_vehicle_keeps_to_the_ground_and_its_wheels_roll_along() {
    let mut world = fleet(&format!(
        r#"<element class="horizontal_plane"><x_min>5</x_min><x_max>15</x_max><y_min>-5</y_min><y_max>5</y_max><z>0.5</z></element>{ROBOT}
        <block name="box" class="crate"><init_pose>-3 0 0</init_pose></block>
        <block name="post" class="pillar"><init_pose>-6 0 0</init_pose></block>"#
    ));
    run(&mut world, 0.1);
    let id = world.scene().vehicles[0].id;
    let pose = Pose3 { x: 10.0, y: 1.0, z: 0.6, yaw: 0.5, pitch: 0.3, ..Pose3::default() };
    world.set_state(id, Some(pose), Some(Twist2::new(1.5, 0.0, 0.0))).unwrap();
    let frame = &world.frame().vehicles[0];
    assert_eq!(frame.world_from_body, Pose3 { x: 10.0, y: 1.0, z: 0.5, yaw: 0.5, ..Pose3::default() });
    assert!(frame.wheels.iter().all(|wheel| (wheel.spin - 15.0).abs() < 1e-9), "{:?}", frame.wheels);
    drive(&mut world, "r1", 1.5, 0.0);
    let after = step(&mut world).vehicles[0].world_from_body;
    assert!((after.x - 10.0 - 0.0075 * 0.5_f64.cos()).abs() < 1e-6, "{after:?}");
    let block = world.scene().blocks[0].id;
    world.set_state(block, Some(Pose3 { x: 8.0, y: -3.0, z: 0.5, ..Pose3::default() }), None).unwrap();
    assert_eq!(step(&mut world).blocks[0].z, 0.5);
    world.set_state(block, None::<Spot>, Some(Twist2::new(1.0, 0.0, 0.0))).unwrap();
    assert!(step(&mut world).blocks[0].x > 8.004);
    let post = world.scene().blocks[1].id;
    let messages = [
        world.set_state(post, Some(pose), Some(Twist2::new(1.0, 0.0, 0.0))),
        world.set_state(id, Some(Pose3 { x: f64::INFINITY, ..pose }), None),
        world.set_state(id, None::<Spot>, Some(Twist2::new(1e7, 0.0, 0.0))),
        world.set_state(EntityId(99), None::<Spot>, None),
    ];
    assert_eq!(
        messages.map(|result| result.unwrap_err().to_string()),
        [
            "state of \"post\": it never moves by itself\n  accepted: no velocity",
            "state of \"r1\": a number in its pose is not finite\n  accepted: finite numbers",
            "state of \"r1\": it would move too fast\n  accepted: up to 1e6 m/s or rad/s",
            "state: nothing here has the id 99",
        ]
    );
}

#[test]
fn another_world_takes_the_place_of_one_and_time_goes_on() {
    let mut world = fleet(ROBOT);
    run(&mut world, 0.503);
    let (time, revision) = (world.frame().time, world.scene().revision);
    let old = world.scene().vehicles[0].id;
    let mut by = fleet(ROBOT);
    run(&mut by, 0.1);
    by.reset_with(ResetScope::ALL);
    world.replace(by);
    assert_eq!((world.frame().time, world.scene().revision), (time, revision + 1));
    assert!(world.scene().vehicle_of(old).is_none());
    assert!(step(&mut world).time > time);
    let mut due = None;
    for _ in 0..8 {
        due = due.or_else(|| step(&mut world).fresh_readings().next().map(|reading| reading.time.0));
    }
    assert_eq!(due, Some(520_000_000), "on the grid of its period");
    world.replace(World::empty(world.scene().step, 3));
    assert_eq!((world.scene().vehicles.len(), world.frame().readings.len()), (0, 0));
    step(&mut world);
    let plain = r#"<vehicle><dynamics class="differential"/></vehicle>"#;
    let id = spawn(&mut world, &xml("new", plain)).expect("it takes XML");
    assert!(id.0 > old.0 + 1, "ids are given once");
    step(&mut world);
}

#[test]
fn a_part_of_a_reset_leaves_the_rest_as_it_is() {
    let mut world = fleet(ROBOT);
    drive(&mut world, "r1", 1.0, 0.0);
    run(&mut world, 1.0);
    add(&mut world, "robot", "r2", 0.0, 5.0);
    let x = world.frame().vehicles[0].world_from_body.x;
    world.reset_with(ResetScope { time: true, ..ResetScope::default() });
    assert_eq!((world.frame().time.0, world.frame().vehicles[0].world_from_body.x), (0, x));
    assert_eq!(world.scene().vehicles.len(), 2);
    run(&mut world, 0.1);
    assert_eq!(world.frame().readings[1].time.0, 100_000_000, "both lidars are back on their grid");
    world.reset_with(ResetScope { spawned: true, ..ResetScope::default() });
    assert_eq!((world.scene().vehicles.len(), world.frame().time.0), (1, 100_000_000));
    assert!(world.frame().vehicles[0].world_from_body.x > x);
    world.reset();
    assert_eq!((world.frame().vehicles[0].world_from_body.x, world.frame().time.0), (0.0, 100_000_000));
}

#[test]
fn bounds_are_those_of_the_body_in_its_own_frame() {
    let mut world = fleet(ROBOT);
    let id = world.scene().vehicles[0].id;
    let ramp = add(&mut world, "ramp", "up", 10.0, 0.0);
    let scene = world.scene();
    let corners = |id| scene.bounds_of(scene.entity_of(id)?).map(|corners| corners.map(|c| [c.x, c.y, c.z]));
    let [low, high] = corners(id).expect("it is there");
    let expected = [low[0] + 0.3, high[0] - 0.3, low[2], high[2] - 0.4];
    assert!(expected.iter().all(|off| off.abs() < 1e-12), "{low:?} {high:?}");
    assert_eq!(corners(ramp), Some([[0.0, -1.0, 0.0], [3.0, 1.0, 0.6]]));
    assert_eq!(corners(EntityId(77)), None);
}

/// Two worlds go through the same, at random, with contacts: the same bits, and no panic.
#[test]
fn the_same_changes_of_population_give_the_same_bits() {
    use rand::{Rng, SeedableRng};
    for seed in 0..2 {
        let tape = || {
            let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut world = fleet(&format!(
                r#"{ROBOT}<vehicle name="r2" class="robot"><init_pose>2 0 180</init_pose></vehicle>
                <block name="a" class="crate"><init_pose>1 1 0</init_pose></block>
                <block name="b" class="pillar"><init_pose>-2 0 0</init_pose></block>
                <joint type="revolute" body_a="r2" body_b="a" anchor_a="-1 -1" anchor_b="0 0"/>"#
            ));
            let mut tape = Vec::new();
            for number in 0..80 {
                let ids: Vec<EntityId> = {
                    let scene = world.scene();
                    scene.vehicles.iter().map(|v| v.id).chain(scene.blocks.iter().map(|b| b.id)).collect()
                };
                match random.random_range(0..12) {
                    0..3 => {
                        let class = ["robot", "crate", "pillar", "ramp"][random.random_range(0..4)];
                        let [x, y] = [random.random_range(-3.0..3.0), random.random_range(-3.0..3.0)];
                        add(&mut world, class, &format!("n{number}"), x, y);
                    }
                    3..6 if !ids.is_empty() => {
                        world.remove(ids[random.random_range(0..ids.len())]).expect("it is there");
                    }
                    6 => {
                        let [time, state, spawned] = [(); 3].map(|()| random.random_bool(0.5));
                        world.reset_with(ResetScope { time, state, spawned });
                    }
                    7 if !ids.is_empty() => {
                        let pose = Pose3 { x: random.random_range(-3.0..3.0), ..Pose3::default() };
                        // Static bodies refuse.
                        let _ = world.set_state(ids[0], Some(pose), Some(Twist2::new(1.0, 0.0, 0.5)));
                    }
                    _ => {}
                }
                for index in 0..world.scene().vehicles.len() {
                    let action = Action::Twist(Twist2::new(random.random_range(-1.0..1.0), 0.0, 0.3));
                    world.command(Command { vehicle: index, action }).expect("takes velocities");
                }
                (0..random.random_range(1..6)).for_each(|_| tape.push(bits(step(&mut world))));
            }
            world.reset_with(ResetScope::ALL);
            (0..40).for_each(|_| tape.push(bits(step(&mut world))));
            (tape, world.population_counts())
        };
        let (first, second) = (tape(), tape());
        assert!(first == second, "seed {seed}");
        assert_eq!(first.1[0], 3, "r1, r2 and a are back, and nothing else moves");
    }
}

/// Static bodies are moved between two steps: others collide with them at the new pose, lidars see them there, and a reset moves them back.
#[test]
fn static_bodies_can_be_moved() {
    let pillar = r#"<block name="pillar" class="pillar"><init_pose>0 50 0</init_pose></block>"#;
    for is_spawned in [false, true] {
        let mut world = fleet(&if is_spawned { ROBOT.to_owned() } else { format!("{ROBOT}{pillar}") });
        let id = if is_spawned { add(&mut world, "pillar", "pillar", 0.0, 50.0) } else { world.scene().blocks[0].id };
        let mut twin = fleet(&format!("{ROBOT}{}", pillar.replace("0 50 0", "3 0 0")));
        run(&mut world, 0.1);
        run(&mut twin, 0.1);
        let revision = world.scene().revision;
        let target = Pose3 { x: 3.0, ..Pose3::default() };
        world.set_state(id, Some(target), None).expect("stands elsewhere now");
        assert_eq!((world.scene().blocks[0].world_from_start, world.frame().blocks[0]), (target, target));
        assert!(world.scene().revision > revision, "viewers look again");
        for world in [&mut world, &mut twin] {
            drive(world, "r1", 1.0, 0.0);
            run(world, 4.0);
        }
        let (actual, expected) = (&world.frame().vehicles[0], &twin.frame().vehicles[0]);
        assert!(actual.colliding && (actual.world_from_body.x - expected.world_from_body.x).abs() < 1e-3, "{actual:?}");
        let ranges = |world: &World| world.frame().readings[0].data.scan().unwrap().ranges.clone();
        let (actual, expected) = (ranges(&world), ranges(&twin));
        assert!(actual.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-3 || a == b), "{actual:?} {expected:?}");
        if !is_spawned {
            world.reset();
            assert_eq!(world.frame().blocks[0].y, 50.0);
            drive(&mut world, "r1", 1.0, 0.0);
            run(&mut world, 5.0);
            assert!(world.frame().vehicles[0].world_from_body.x > 4.5, "nothing is in the way");
        }
    }
}

#[test]
fn static_bodies_accept_no_velocity() {
    let mut world = fleet(r#"<block name="pillar" class="pillar"><init_pose>3 0 0</init_pose></block>"#);
    let id = world.scene().blocks[0].id;
    let refused = world.set_state(id, None::<Spot>, Some(Twist2::new(1.0, 0.0, 0.0))).unwrap_err().to_string();
    assert_eq!(refused, "state of \"pillar\": it never moves by itself\n  accepted: no velocity");
    world.set_state(id, None::<Spot>, Some(Twist2::ZERO)).expect("it stands");
}
