//! Bodies that are put on tilted planes, whatever puts them there.

use std::path::Path;

use skidpad_math::{Pose2, Pose3, Twist2, Vec2, Vec3};

use crate::vehicle::{Action, Command, DRIVES};
use crate::world::*;

/// The tilted plane of these worlds, and its element.
const PLANE: Pose3 = Pose3 { x: 1.0, y: -2.0, z: 0.3, yaw: 0.4, pitch: -0.45, roll: 0.12 };

fn plane() -> String {
    let Pose3 { x, y, z, yaw, pitch, roll } = PLANE;
    let [yaw, pitch, roll] = [yaw, pitch, roll].map(f64::to_degrees);
    let size = "<x_min>-90</x_min><x_max>90</x_max><y_min>-90</y_min><y_max>90</y_max>";
    format!(
        "<element class=\"horizontal_plane\">{size}<init_pose3d>{x} {y} {z} {yaw} {pitch} {roll}</init_pose3d></element>"
    )
}

fn load(rules: PhysicsRules, inner: &str) -> World {
    let options = LoadOptions { physics: Some(rules), ..LoadOptions::default() };
    let text = format!("<mvsim_world>{inner}</mvsim_world>");
    World::load_text("t.xml", Path::new("."), &text, &options).expect("a good world").0
}

fn body(tag: &str, name: &str, pose: &str, inner: &str) -> String {
    format!("<{tag} name=\"{name}\">{pose}{inner}</{tag}>")
}

fn planar(pose: Pose2) -> String {
    format!("<init_pose>{} {} {}</init_pose>", pose.x, pose.y, pose.yaw.to_degrees())
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| {
        world.step().expect("finite");
    });
}

/// Height of the tilted plane [m] at `p` [m].
fn height_at(p: Vec2) -> f64 {
    let up = PLANE.rotation() * Vec3::new(0.0, 0.0, 1.0);
    PLANE.z - (up.x * (p.x - PLANE.x) + up.y * (p.y - PLANE.y)) / up.z
}

fn height_of(world: &World, block: usize) -> [f64; 2] {
    let pose = world.frame.blocks[block];
    [pose.z, height_at(pose.planar().position())]
}

/// Asserts that a vehicle stands on the tilted plane and is as inclined, but for what the last iteration leaves where two angles change.
#[track_caller]
fn assert_on_plane(world: &World, vehicle: usize, case: &str) {
    let pose = world.frame.vehicles[vehicle].world_from_body;
    let high = pose.z - height_at(pose.planar().position());
    let [up, expected] = [pose, PLANE].map(|pose| pose.rotation() * Vec3::new(0.0, 0.0, 1.0));
    assert!(high.abs() < 1e-3 && (up - expected).norm() < 1e-2, "{case}: {high} m above, {pose:?}");
    let down = world.vehicles[vehicle].down_in_body.unwrap();
    let expected = pose.rotation().transpose() * Vec3::new(0.0, 0.0, -1.0);
    assert!((down - expected).norm() < 1e-12, "{case}: gravity {down:?}");
}

/// The two places are below and above the level ground at 0 that is everywhere.
const PLACES: [(f64, f64); 2] = [(-15.0, 4.0), (12.0, -3.0)];
const YAWS: [f64; 5] = [0.0, 0.9, 2.2, 3.6, 5.0];

#[test]
fn a_start_a_spawn_a_teleport_a_state_and_a_reset_put_every_kind_of_vehicle_on_a_tilted_plane() {
    for drive in DRIVES {
        let dynamics = format!("<dynamics class=\"{}\"/>", drive.name);
        for (&(x, y), yaw) in PLACES.iter().zip(YAWS).chain(PLACES.iter().rev().zip(YAWS)) {
            let (at, there) = (Pose2::new(x, y, yaw), Pose2::new(-0.5 * x, y + 9.0, yaw + 1.0));
            let reported = |how: &str| format!("{how} of {} at {at:?}", drive.name);
            let mut world =
                load(PhysicsRules::Skidpad, &format!("{}{}", plane(), body("vehicle", "r1", &planar(at), &dynamics)));
            assert_on_plane(&world, 0, &reported("start"));
            let start = world.frame.vehicles[0].world_from_body;
            steps(&mut world, 1);
            assert_on_plane(&world, 0, &reported("first step"));
            for (how, put) in [("teleport", Action::Teleport(there)), ("teleport back", Action::Teleport(at))] {
                world.command(Command { vehicle: 0, action: put }).expect("a good pose");
                steps(&mut world, 1);
                assert_on_plane(&world, 0, &reported(how));
            }
            world.set_state(world.scene.vehicles[0].id, Some(there), Some(Twist2::ZERO)).expect("a good state");
            assert_on_plane(&world, 0, &reported("state"));
            world.reset();
            assert_eq!(world.frame.vehicles[0].world_from_body, start, "{}", reported("reset"));
            world.set_start(0, there, Twist2::ZERO);
            assert_on_plane(&world, 0, &reported("other start"));
            let text = body("vehicle", "r2", "", &dynamics);
            let source = SpawnSource::Xml { text, directory: ".".into(), label: "here".into() };
            let recipe = world.catalogue().recipe(&SpawnRequest { name: String::new(), source, pose: Some(at.into()) });
            world.spawn(recipe.expect("a good vehicle")).expect("a free name");
            assert_on_plane(&world, 1, &reported("spawn"));
            steps(&mut world, 5);
            (0..2).for_each(|vehicle| assert_on_plane(&world, vehicle, &reported("later")));
        }
    }
}

#[test]
fn a_car_drives_up_the_plane_that_it_was_put_on() {
    let car = "<dynamics class=\"ackermann\"><controller class=\"twist_ideal\"/></dynamics>";
    let mut world =
        load(PhysicsRules::Skidpad, &format!("{}{}", plane(), body("vehicle", "r1", &planar(Pose2::IDENTITY), car)));
    for to in [Pose2::new(-30.0, 0.0, 0.4), Pose2::new(10.0, 5.0, 0.4)] {
        world.command(Command { vehicle: 0, action: Action::Teleport(to) }).expect("a good pose");
        steps(&mut world, 1);
        world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(2.0, 0.0, 0.0)) }).expect("takes it");
        for _ in 0..200 {
            steps(&mut world, 1);
            assert_on_plane(&world, 0, "drive");
        }
        let gone = world.frame.vehicles[0].world_from_body.planar().position() - to.position();
        assert!((gone.norm() - 2.0).abs() < 0.02 && !world.frame.vehicles[0].colliding, "{gone:?}");
    }
}

#[test]
fn blocks_and_what_is_joined_to_a_vehicle_come_to_stand_on_the_plane() {
    let shape = "<shape><pt>-0.3 -0.2</pt><pt>-0.3 0.2</pt><pt>0.3 0.2</pt><pt>0.3 -0.2</pt></shape>";
    let cart = format!("<dynamics class=\"differential\"><chassis zmax=\"0.5\">{shape}</chassis></dynamics>");
    let block = |name: &str, x: f64, inner: &str| {
        body("block", name, &planar(Pose2::new(x, 2.0, 0.3)), &format!("<zmin>0</zmin><zmax>0.4</zmax>{shape}{inner}"))
    };
    let [crate_, post] = [block("crate", 14.0, ""), block("post", 16.0, "<static>true</static>")];
    let towed = block("towed", -8.0, "");
    let [puller, trailer] =
        [-5.0, -6.5].map(|x| body("vehicle", &format!("r{x}"), &planar(Pose2::new(x, 2.0, 0.0)), &cart));
    let joints = "<joint type=\"revolute\" body_a=\"r-5\" body_b=\"r-6.5\" anchor_a=\"-0.75 0\" anchor_b=\"0.75 0\"/>\
                  <joint type=\"revolute\" body_a=\"r-6.5\" body_b=\"towed\" anchor_a=\"-0.75 0\" anchor_b=\"0.75 0\"/>";
    let text = format!("{}{crate_}{post}{towed}{puller}{trailer}{joints}", plane());
    let mut world = load(PhysicsRules::Skidpad, &text);
    let all_stand = |world: &World, case: &str| {
        (0..2).for_each(|vehicle| assert_on_plane(world, vehicle, case));
        for block in 0..3 {
            let [z, plane] = height_of(world, block);
            assert!((z - plane).abs() < 1e-6, "{case}: block {block} at {z} instead of {plane}");
        }
    };
    all_stand(&world, "start");
    world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(20.0, 5.0, 1.2)) }).expect("a good pose");
    steps(&mut world, 1);
    assert!(world.frame.blocks[2].z > 5.0, "{:?}", world.frame.blocks[2]);
    all_stand(&world, "teleport of a train");
    for block in 0..2 {
        let id = world.scene.blocks[block].id;
        world.set_state(id, Some(Pose2::new(18.0, block as f64, 0.0)), None).expect("a good state");
    }
    steps(&mut world, 1);
    all_stand(&world, "states of blocks");
}

#[test]
fn of_planes_that_all_lie_higher_the_lowest_counts_unless_the_pose_has_a_z() {
    let floor = |z: f64| format!("<element class=\"horizontal_plane\"><z>{z}</z></element>");
    let robot = |pose: &str| body("vehicle", "r1", pose, "<dynamics class=\"differential\"/>");
    let z = |rules, floors: &str, pose: &str| {
        let world = load(rules, &format!("{floors}{}", robot(pose)));
        world.frame.vehicles[0].world_from_body.z
    };
    let (here, given) = ("<init_pose>0 0 0</init_pose>", "<init_pose3d>0 0 0 0 0 0</init_pose3d>");
    let house = format!("{}{}", floor(7.0), floor(4.0));
    let skidpad = PhysicsRules::Skidpad;
    assert_eq!(z(skidpad, &house, here), 4.0);
    assert_eq!(z(skidpad, &house, given), 0.0);
    assert_eq!(z(skidpad, &house, "<init_pose3d>0 0 4.1 0 0 0</init_pose3d>"), 4.0);
    assert_eq!(z(skidpad, &format!("{house}{}", floor(-1.0)), here), -1.0);
    assert_eq!(z(skidpad, &format!("{house}{}", floor(0.0)), here), 0.0, "the ground at 0 is a plane of the file");
    let roof = "<block><static>true</static><zmin>4</zmin><zmax>5</zmax><init_pose>0 0 0</init_pose></block>";
    assert_eq!(z(skidpad, roof, here), 0.0, "blocks stand on the ground");
    assert_eq!(z(PhysicsRules::Mvsim, &house, here), 0.0);
}

/// MVSim has no such rule.
#[test]
fn by_mvsims_rules_a_start_on_a_tilted_plane_stays_level() {
    let car = body("vehicle", "r1", &planar(Pose2::new(1.0, -2.0, 0.4)), "<dynamics class=\"ackermann\"/>");
    let world = load(PhysicsRules::Mvsim, &format!("{}{car}", plane()));
    let pose = world.frame.vehicles[0].world_from_body;
    assert!(pose.pitch.abs() < 0.3, "{pose:?}");
}
