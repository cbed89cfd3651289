//! Worlds: what is static, where `<state>` puts it, what is a body of its own, and what is ground.

use skidpad_math::{Pose3, Vec2};
use skidpad_sim::world::{LoadOptions, World};

use super::{Done, axis, box_of, collision, import, import_beside, joint, link, model, wheeled, world};

/// Names, places and yaws of the blocks, and whether they are static.
fn blocks(done: &Done) -> Vec<(String, [f64; 3], bool)> {
    let world = done.load();
    let of = |pose: &Pose3| [pose.x, pose.y, pose.yaw].map(|value| (value * 1e6).round() / 1e6);
    let blocks = world.scene().blocks.iter();
    blocks.map(|block| (block.name.to_string(), of(&block.world_from_start), block.is_static)).collect()
}

fn places(done: &Done) -> Vec<[f64; 3]> {
    blocks(done).into_iter().map(|(_, place, _)| place).collect()
}

const SHED: &str = "<sdf version='1.9'><model name='shed'><static>true</static><link name='l'>\
    <collision name='a'><pose>0 2 0.5 0 0 0</pose><geometry><box><size>4 0.1 1</size></box></geometry></collision>\
    <collision name='b'><pose>0 -2 0.5 0 0 0</pose><geometry><box><size>4 0.1 1</size></box></geometry></collision>\
    <collision name='c'><pose>2 0 0.5 0 0 0</pose><geometry><box><size>0.1 4 1</size></box></geometry></collision></link></model></sdf>";

#[test]
fn a_static_model_stays_static_in_a_model_around_it() {
    let inside = "<model name='around'><include><uri>model://shed</uri></include><pose>10 0 0 0 0 0</pose></model>";
    let done = import_beside("w.world", &world(inside), &[("models/shed/model.sdf", SHED)]);
    assert_eq!(done.warnings, [""; 0]);
    let found = blocks(&done);
    assert_eq!(places(&done), [[10.0, 2.0, 0.0], [10.0, -2.0, 0.0], [12.0, 0.0, 0.0]]);
    assert!(found.iter().all(|(_, _, is_static)| *is_static), "{found:?}");
    // A joint to the world holds a model, too.
    let post = link("l", "0 0 0.5 0 0 0", 1.0, &collision("0 0 0 0 0 0", &box_of("0.1 0.1 1")));
    let done = import(
        "w.world",
        &world(&format!("<model name='post'>{post}{}</model>", joint("j", "fixed", "world", "l", ""))),
    );
    assert_eq!(blocks(&done), [("post".to_owned(), [0.0; 3], true)]);
}

#[test]
fn models_stand_where_the_state_of_the_world_has_them() {
    let pillar = |name: &str| {
        format!(
            "<model name='{name}'><pose>1 0 0.5 0 0 0</pose><static>1</static><link name='l'>{}</link></model>",
            collision("0 0 0 0 0 0", &box_of("1 1 1"))
        )
    };
    let state = "<state world_name='w'><model name='a'><pose>4 3 0.5 0 0 0.5</pose><link name='l'><pose>4 3 0.5 0 0 0.5</pose></link></model></state>";
    let done = import("w.world", &world(&format!("{}{}{state}", pillar("a"), pillar("b"))));
    assert_eq!(places(&done), [[4.0, 3.0, 0.5], [1.0, 0.0, 0.0]]);
    // A link, such as an open door, has a place of its own.
    let swung = state.replace("<link name='l'><pose>4 3", "<link name='l'><pose>7 3");
    let done = import("w.world", &world(&format!("{}{swung}", pillar("a"))));
    assert_eq!(places(&done), [[7.0, 3.0, 0.5]]);
    // A vehicle stands there as well.
    let robot = format!("<model name='pair'>{}</model>", wheeled(&[("left", [0.0, 0.2]), ("right", [0.0, -0.2])]));
    let moved = state.replace("'a'", "'pair'").replace("4 3 0.5", "4 3 0");
    let start = import("w.world", &world(&format!("{robot}{moved}"))).load().scene().vehicles[0].world_from_start;
    assert!((start.x - 4.0).abs() < 1e-6 && (start.yaw - 0.5).abs() < 1e-6, "{start:?}");
    // So does a model within another one, whose pose is that in the world.
    let nested = format!("<model name='o'><pose>1 1 0 0 0 0</pose>{}{}</model>", pillar("a"), pillar("b"));
    let both = "<state world_name='w'><model name='o'><pose>2 1 0 0 0 0</pose><model name='a'><pose>8 8 0.5 0 0 0</pose></model></model></state>";
    let done = import("w.world", &world(&format!("{nested}{both}")));
    assert_eq!(places(&done), [[8.0, 8.0, 0.0], [3.0, 1.0, 0.0]]);
}

#[test]
fn models_without_joints_between_them_are_bodies_of_their_own() {
    let post = |name: &str, at: &str| {
        let shape = collision("0 0 0 0 0 0", &box_of("0.2 0.2 0.5"));
        format!("<model name='{name}'><pose>{at} 0.25 0 0 0</pose><link name='l'>{shape}</link></model>")
    };
    let posts = post("a", "5 1") + &post("b", "5 -1") + &post("c", "-5 -1");
    let done = import("w.world", &world(&format!("<model name='gate'>{posts}</model>")));
    let names = ["a", "b", "c"].map(|name| format!("gate_{name}"));
    let expected = names.into_iter().zip([[5.0, 1.0, 0.0], [5.0, -1.0, 0.0], [-5.0, -1.0, 0.0]]);
    assert_eq!(blocks(&done), expected.map(|(name, place)| (name, place, false)).collect::<Vec<_>>());
    // Links of one model likewise; a joint makes them one.
    let shape = collision("0 0 0 0 0 0", &box_of("0.2 0.2 0.5"));
    let links = link("a", "1 0 0.25 0 0 0", 1.0, &shape) + &link("b", "2 0 0.25 0 0 0", 2.0, &shape);
    let done = import("w.world", &world(&format!("<model name='m'>{links}</model>")));
    let expected = [("m_a".to_owned(), [1.0, 0.0, 0.0], false), ("m_b".to_owned(), [2.0, 0.0, 0.0], false)];
    assert_eq!(blocks(&done), expected);
    let hinge = joint("j", "revolute", "a", "b", &axis("0 0 1", None));
    let done = import("w.world", &world(&format!("<model name='m'>{links}{hinge}</model>")));
    assert_eq!(blocks(&done), [("m".to_owned(), [0.0; 3], false)]);
}

#[test]
fn a_robot_in_a_model_beside_scenery_is_a_vehicle() {
    let robot = model("robot", &wheeled(&[("left", [0.0, 0.2]), ("right", [0.0, -0.2])]));
    let inside = "<model name='scene'><include><uri>model://shed</uri><pose>5 0 0 0 0 0</pose></include>\
                  <include><uri>model://robot</uri><pose>1 2 0 0 0 0</pose></include></model>";
    let files = [("models/shed/model.sdf", SHED), ("models/robot/model.sdf", robot.as_str())];
    let done = import_beside("w.world", &world(inside), &files);
    assert_eq!(done.warnings, [""; 0]);
    assert_eq!(places(&done), [[5.0, 2.0, 0.0], [5.0, -2.0, 0.0], [7.0, 0.0, 0.0]]);
    let start = done.load().scene().vehicles[0].world_from_start;
    assert_eq!([start.x, start.y], [1.0, 2.0]);
}

#[test]
fn a_wide_slab_is_ground_to_stand_on() {
    let slab = |size: &str, z: f64| {
        let floor = collision(&format!("0 0 {z} 0 0 0"), &box_of(size));
        let wall = collision("4 0 1 0 0 0", &box_of("0.1 8 2"));
        world(&format!("<model name='hall'><static>true</static><link name='l'>{floor}{wall}</link></model>"))
    };
    let done = import("w.world", &slab("8 8 0.2", 0.1));
    assert_eq!(done.summary, ["w: 2 blocks, 1 plane"]);
    // Whoever starts without a height is on it.
    let text = done.read("w.world.xml").replace(
        "</mvsim_world>",
        "<vehicle name='v'><init_pose>0 0 0</init_pose><dynamics class='differential'><controller class='twist_ideal'/></dynamics></vehicle></mvsim_world>",
    );
    let (mut started, _) = World::load_text("w.xml", done.folder.path(), &text, &LoadOptions::default()).unwrap();
    assert!((started.frame().vehicles[0].world_from_body.z - 0.2).abs() < 1e-9);
    let twist = skidpad_math::Twist2::new(0.5, 0.0, 0.0);
    let velocity = super::driven(&mut started, twist, 1.0);
    assert!(velocity.vx > 0.3, "{velocity:?}");
    // A step, a crate, and a table are no ground.
    for (size, z) in [("1 8 0.1", 0.05), ("3 3 1", 0.5), ("4 4 0.05", 0.7)] {
        assert_eq!(import("w.world", &slab(size, z)).summary, ["w: 2 blocks"], "{size}");
    }
    let loaded = done.load();
    let outline = &loaded.scene().blocks[0].outline;
    assert!(outline.contains(&Vec2::new(4.0, 4.0)), "{outline:?}");
}

/// A house of 6 × 6 m as a mesh: a slab as high as `floor` [m], and walls of four quads up to 2 m, seen from both sides.
fn house(floor: f64) -> String {
    let corners = [(-3, -3), (3, -3), (3, 3), (-3, 3)];
    let mut text = String::new();
    for height in [0.0, floor, 2.0] {
        for (x, y) in corners {
            text += &format!("v {x} {y} {height}\n");
        }
    }
    for k in 1..=4 {
        let next = k % 4 + 1;
        text += &format!("f {k} {next} {} {}\n", next + 8, k + 8);
        text += &format!("f {k} {} {} {next}\n", k + 8, next + 8);
    }
    text + "f 5 6 7 8\nf 4 3 2 1\n"
}

#[test]
fn the_floor_of_a_house_is_ground_and_its_walls_stand_on_it() {
    let mesh = collision("0 0 0 0 0 0", "<mesh><uri>house.obj</uri></mesh>");
    let text = world(&format!("<model name='house'><static>true</static><link name='l'>{mesh}</link></model>"));
    for (floor, summary) in
        [(0.25, "w: 1 plane, 1 mesh as walls"), (0.0, "w: 1 mesh as walls"), (1.0, "w: 1 mesh as walls")]
    {
        let done = import_beside("w.world", &text, &[("house.obj", &house(floor))]);
        assert_eq!((done.summary[0].as_str(), &done.warnings[..]), (summary, &[][..]), "{floor}");
        let planes = done.read("w.world.xml");
        assert_eq!(planes.contains("<init_pose3d>0 0 0.25 0 0 0</init_pose3d>"), floor == 0.25, "{planes}");
    }
}

#[test]
fn polylines_and_ellipsoids_are_solids() {
    let of = |pose: &str, solid: &str| {
        let solid = format!("<static>1</static><link name='l'>{}</link>", collision(pose, solid));
        import("w.world", &world(&format!("<model name='m'>{solid}</model>")))
    };
    let points = |corners: &[[f64; 2]]| {
        let points: String = corners.iter().map(|[x, y]| format!("<point>{x} {y}</point>")).collect();
        format!("<polyline>{points}<height>2.5</height></polyline>")
    };
    // The last point may be the first one again. A convex one is a block.
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0], [0.0, 0.0]];
    let done = of("1 2 0 0 0 0", &points(&square));
    assert_eq!(done.warnings, [""; 0]);
    let loaded = done.load();
    let [block] = &loaded.scene().blocks[..] else { panic!("{:?}", done.summary) };
    assert_eq!((places(&done), block.z), (vec![[1.0, 2.0, 0.0]], [0.0, 2.5]));
    assert!(block.outline.len() == 4 && block.outline.contains(&Vec2::new(4.0, 3.0)), "{:?}", block.outline);
    // One with a notch becomes walls.
    let notched = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]];
    assert_eq!(of("0 0 0 0 0 0", &points(&notched)).summary, ["w: 1 mesh as walls"]);
    let flat = of("0 0 0 0 0 0", &points(&square[..2]));
    assert!(flat.warnings[0].contains("<polyline> is left out: it has no area"), "{:?}", flat.warnings);
    let round = of("0 0 1 0 0 0", "<ellipsoid><radii>0.4 0.2 1</radii></ellipsoid>");
    assert_eq!((round.warnings.len(), round.summary[0].as_str()), (0, "w: 1 block"));
}
