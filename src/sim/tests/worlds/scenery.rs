//! Walls with openings, actors, data for viewers, and georeferences: in the worlds that show them, and in
//! worlds written in place.

use std::path::Path;

use super::load_under as load;
use skidpad_math::{Twist2, Vec3};
use skidpad_sim::georeference::Geodetic;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::actor::Gait;
use skidpad_sim::world::viewer_scene::{GroundGrid, Gui, Lights};
use skidpad_sim::world::wall::OpeningKind;
use skidpad_sim::world::{LoadOptions, PhysicsRules, World};

/// A world from what stands in it, and its warnings. It begins on line 2.
fn read(inner: &str) -> (World, Vec<String>) {
    let text = format!("<mvsim_world>\n{inner}\n</mvsim_world>");
    let (world, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default())
        .unwrap_or_else(|problems| panic!("{problems}\nin\n{text}"));
    (world, warnings.iter().map(ToString::to_string).collect())
}

/// The errors of a world that must not load.
fn problems(inner: &str) -> Vec<String> {
    let text = format!("<mvsim_world>\n{inner}\n</mvsim_world>");
    match World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()) {
        Ok(_) => panic!("loads although it is wrong:\n{text}"),
        Err(problems) => problems.0.iter().map(ToString::to_string).collect(),
    }
}

fn drive(world: &mut World, vehicle: usize, speed: f64) {
    let action = Action::Twist(Twist2::new(speed, 0.0, 0.0));
    world.command(Command { vehicle, action }).unwrap();
}

fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / world.scene().step.secs()).round() as usize {
        world.step().unwrap();
    }
}

/// What the first lidar of a vehicle measured last along this angle [rad].
fn range(world: &World, vehicle: usize, angle: f64) -> f64 {
    let beams = world.scene().vehicles[vehicle].sensors[0].kind.lidar().unwrap();
    let index = ((angle - beams.angle_min) / beams.angle_increment).round() as usize;
    let reading = world.frame().readings.iter().find(|reading| reading.vehicle == vehicle).unwrap();
    let scan = reading.data.scan().unwrap();
    f64::from(scan.ranges[index])
}

#[test]
fn a_robot_drives_through_a_door_and_another_ends_at_the_wall_beside_it() {
    for rules in [PhysicsRules::Skidpad, PhysicsRules::Mvsim] {
        let mut world = load("doors_and_windows", rules);
        for vehicle in 0..2 {
            drive(&mut world, vehicle, 1.0);
        }
        run(&mut world, 6.0);
        let [guest, neighbour] = [0, 1].map(|vehicle| world.frame().vehicles[vehicle].world_from_body);
        // The wall's near side is at 2.9 m, the robot's nose 0.25 m before its middle.
        assert!(guest.x > 5.0 && guest.y.abs() < 0.1, "{rules:?}: {guest:?}");
        assert!((2.6..2.66).contains(&neighbour.x), "{rules:?}: {neighbour:?}");
        let colliding = [0, 1].map(|vehicle| world.frame().vehicles[vehicle].colliding);
        assert_eq!(colliding, [false, true], "{rules:?}");
        // On through the double door, of which neither half is as wide as the robot is long.
        run(&mut world, 5.0);
        assert!(world.frame().vehicles[0].world_from_body.x > 9.0);
    }
}

#[test]
fn a_lidar_sees_through_doors_and_not_through_windows() {
    let mut world = load("doors_and_windows", PhysicsRules::Skidpad);
    world.set_range_noise(Some(0.0));
    run(&mut world, 0.2);
    // The lidar sits 0.1 m ahead of the robot's middle. Straight on both doors are open; the door's edge is at 0.6 m.
    assert_eq!(range(&world, 0, 0.0), f64::INFINITY);
    let edge = f64::atan2(0.6, 2.8);
    let beside = range(&world, 0, edge + 0.1);
    assert!((beside - 2.8 / (edge + 0.1).cos()).abs() < 0.03, "{beside}");
    // Through the door, beside the double door of 1.8 m, at the inner side of the outer wall, at 7.9 m.
    let past = range(&world, 0, f64::atan2(1.2, 7.8));
    assert!((past - f64::hypot(1.2, 7.8)).abs() < 0.03, "{past}");
    // The neighbour looks at the window.
    assert!((range(&world, 1, 0.0) - 2.8).abs() < 0.01);
}

#[test]
fn walls_keep_what_viewers_draw() {
    let world = load("doors_and_windows", PhysicsRules::Skidpad);
    let wall = &world.scene().walls[0];
    assert_eq!((wall.z, wall.thickness, wall.color), ([0.0, 2.5], 0.2, [0xc0, 0xb0, 0x90, 0xff]));
    let [door, window] = &wall.openings[..] else { panic!("{wall:?}") };
    assert_eq!((door.kind, door.name.as_str(), door.z), (OpeningKind::Door, "entrance", [0.0, 2.1]));
    assert_eq!((window.kind, window.name.as_str(), window.z), (OpeningKind::Window, "south", [1.0, 2.0]));
    assert_eq!(window.span(wall.length()), [1.75, 3.25]);
    assert_eq!(world.scene().walls[1].openings[1].z, [0.0, 2.1]);
    let mut names: Vec<&str> = world.scene().walls.iter().map(|wall| wall.name.as_str()).collect();
    names.dedup();
    assert_eq!(names.len(), 5);
}

#[test]
fn tags_win_over_attributes_of_openings_and_odd_ones_are_warned_of() {
    let (world, warnings) = read(
        "<element class=\"vertical_plane\"><x0>0</x0> <y0>0</y0> <x1>4</x1> <y1>0</y1><texture>no.png</texture>
<door position=\"0.1\" width=\"2\" z_start=\"0.5\" z_end=\"1.5\"><position>$f{1/4}</position><z_max>1.8</z_max></door>
<window position=\"1.5\" name=\"high\"/>
<window width=\"0\"/>
</element>
<element class=\"vertical_plane\"><x1>-10</x1><y1>-10</y1></element>",
    );
    assert_eq!(
        warnings,
        [
            "w.xml:2:85: no file \"no.png\" for <texture> in <element class=\"vertical_plane\">",
            "w.xml:4:19: position 1.5 of <window name=\"high\"> is taken as 1\n  accepted: 0 to 1, a share of the wall's length",
            "w.xml:5:16: width 0 of <window>: it is left out\n  accepted: a finite number > 0",
            "w.xml:7:1: a wall of no length at (-10, -10)",
        ]
    );
    let [wall] = &world.scene().walls[..] else { panic!("{:?}", world.scene().walls) };
    let [door, window] = &wall.openings[..] else { panic!("{wall:?}") };
    assert_eq!((door.position, door.width, door.z), (0.25, 2.0, [0.5, 1.8]));
    assert_eq!((window.position, window.width, window.name.as_str()), (1.0, 1.0, "high"));
    let texture = wall.texture.as_ref().unwrap();
    assert_eq!((texture.uri.as_str(), &texture.file, texture.size), ("no.png", &None, [1.0, 1.0]));
}

/// Where alice is: to and fro between y = ±4 m at 1.2 m/s, with a second at either end.
fn alice(time: f64) -> f64 {
    let leg = 8.0 / 1.2;
    let within = time % (2.0 * leg + 2.0);
    if within < leg + 1.0 { -4.0 + 1.2 * within.min(leg) } else { 4.0 - 1.2 * (within - leg - 1.0).min(leg) }
}

#[test]
fn a_lidar_sees_actors_walk_by_under_skidpads_rules_alone() {
    for rules in [PhysicsRules::Skidpad, PhysicsRules::Mvsim] {
        let mut world = load("pedestrians", rules);
        world.set_range_noise(Some(0.0));
        let mut sightings = 0;
        for _ in 0..4000 {
            let frame = world.step().unwrap();
            let time = frame.time.secs();
            let [at, runner, waiter] = [0, 1, 2].map(|actor| frame.actors[actor]);
            let pose = at.world_from_actor;
            assert!((pose.x - 3.0).abs() < 1e-9 && (pose.y - alice(time)).abs() < 1e-6, "{time}: {pose:?}");
            assert_eq!((runner.gait, runner.speed, waiter.gait), (Gait::Run, 3.0, Gait::Idle));
            if frame.fresh_readings().next().is_none() || runner.world_from_actor.x.abs() < 4.9 {
                continue;
            }
            // From the lidar, 0.1 m ahead of the robot's middle, to the 12-gon's near side.
            let distance = (pose.x - 0.1).hypot(pose.y);
            let seen = range(&world, 0, f64::atan2(pose.y, pose.x - 0.1));
            if rules == PhysicsRules::Skidpad {
                let near = distance - 0.25..distance - 0.25 * (15.0_f64.to_radians()).cos();
                assert!(near.start - 0.02 < seen && seen < near.end + 0.02, "{time}: {seen} for {near:?}");
                assert!((range(&world, 0, -std::f64::consts::PI) - 1.7).abs() < 0.02);
            } else {
                assert_eq!(seen, f64::INFINITY, "{time}");
            }
            sightings += 1;
        }
        assert!(sightings > 50, "{sightings}");
    }
}

#[test]
fn a_reset_brings_actors_back_to_where_they_started() {
    let mut world = load("pedestrians", PhysicsRules::Skidpad);
    run(&mut world, 1.0);
    let first = world.frame().actors.clone();
    run(&mut world, 7.7);
    assert_ne!(world.frame().actors, first);
    world.reset();
    let start = world.frame().actors[0];
    assert_eq!((start.world_from_actor, start.speed), (world.scene().actors[0].world_from_start, 0.0));
    run(&mut world, 1.0);
    assert_eq!(world.frame().actors, first);
}

#[test]
fn an_actor_takes_what_it_lacks_from_its_class() {
    let (world, warnings) = read(
        "<actor:class name=\"c\"><walking_speed>2</walking_speed><height>1.9</height><path><waypoint>9 9 9</waypoint></path>
<animation_walk>stroll</animation_walk></actor:class>
<variable name=\"i\" value=\"7\"/>
<actor name=\"a${i}\" class=\"c\"><init_pose3d>1 2 3 90 0 0</init_pose3d><skip_elevation_adjust/><walking_speed>1</walking_speed>
<path loop=\"false\"><waypoint animation=\"idle\">1 4 0</waypoint><waypoint pause=\"2\">1 4 5 0 0 0</waypoint></path></actor>
<actor name=\"b${j}\" class=\"c\"><init_pose>0 0 0</init_pose></actor>
<actor><init_pose>0 0 0</init_pose><path><waypoint animation=\"hop\">1 0 0</waypoint></path></actor>",
    );
    let hop = "w.xml:8:42: unknown animation \"hop\" of a waypoint: it walks there\n  accepted: walk, run, idle";
    assert_eq!(warnings, [hop]);
    let [a, b, unnamed] = &world.scene().actors[..] else { panic!("{:?}", world.scene().actors) };
    assert_eq!([&a.name, &b.name, &unnamed.name], ["a7", "b${j}", "actor1"]);
    assert_eq!((a.walking_speed, a.height, a.running_speed, a.class.as_str()), (1.0, 1.9, 3.5, "c"));
    assert_eq!([&a.clips[0], &a.clips[1], &a.clips[2]], ["idle", "stroll", "run"]);
    // A waypoint without a height is as high as the start.
    assert_eq!(a.waypoints.iter().map(|w| w.world_from_actor.z).collect::<Vec<_>>(), [3.0, 5.0]);
    assert!(!a.is_loop && b.is_loop && b.waypoints.len() == 1);
    // MVSim lets the first leg, hinted idle, stand for ever.
    let mut world = world;
    run(&mut world, 2.5);
    let at = world.frame().actors[0].world_from_actor;
    assert!((at.y - 4.0).abs() < 1e-9 && (at.z - 3.5).abs() < 1e-6, "{at:?}");
}

#[test]
fn viewers_receive_cameras_lights_lines_points_and_sky() {
    let world = load("markers_and_looks", PhysicsRules::Skidpad);
    let viewer_scene = &world.scene().viewer_scene;
    let gui = &viewer_scene.gui;
    assert_eq!(gui.refresh_rate, 30.0);
    assert_eq!((gui.camera_target, gui.camera_distance), (Vec3::new(2.0, 0.0, 0.3), 12.0));
    assert!((gui.field_of_view - 50.0_f64.to_radians()).abs() < 1e-15 && gui.follow_vehicle == "surveyor");
    assert!((viewer_scene.lights.azimuth + 75.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!((viewer_scene.lights.ambient, viewer_scene.lights.color), (0.4, [0xff, 0xf4, 0xe0, 0xff]));
    assert_eq!(
        viewer_scene.markers[0].points,
        [(0.0, 1.0), (4.0, 1.0), (6.0, 3.0)].map(|(x, y)| Vec3::new(x, y, 0.01))
    );
    let cloud = &viewer_scene.point_clouds[0];
    assert_eq!((cloud.points.len(), cloud.points[4], cloud.point_size), (5, [0.0, 0.0, 1.5], 4.0));
    assert!((cloud.world_from_cloud.yaw - 90.0_f64.to_radians()).abs() < 1e-15);
    let sky = viewer_scene.sky.as_ref().unwrap();
    assert!(sky.files.iter().flatten().count() == 6 && sky.files[3].as_ref().unwrap().ends_with("sky/plainUp.png"));
    let [grid] = &viewer_scene.grids[..] else { panic!("{:?}", viewer_scene.grids) };
    assert_eq!((grid.follows.as_deref(), grid.interval, grid.x), (Some("surveyor"), 1.0, [-10.0, 10.0]));
}

#[test]
fn defaults_of_visual_settings_are_mvsims() {
    let (world, warnings) = read("<gui><headless>true</headless></gui><gui/><lights/>");
    assert_eq!(warnings, [""; 0]);
    let viewer_scene = &world.scene().viewer_scene;
    assert_eq!(viewer_scene.gui, Gui { is_headless: true, ..Gui::default() });
    assert_eq!((&viewer_scene.lights, &viewer_scene.grids[..]), (&Lights::default(), &[GroundGrid::default()][..]));
    let (world, _) = read("<element class=\"vertical_plane\"/>");
    assert!(world.scene().viewer_scene.grids.is_empty());
}

#[test]
fn missing_visual_files_are_warnings() {
    let robot = "<vehicle name=\"robot\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle>";
    let (world, warnings) = read(&format!(
        "<gui><follow_vehicle>robt</follow_vehicle><zoom>1</zoom></gui><lights><light_azimuth>1</light_azimuth></lights>
<element class=\"ground_grid\"><floating>false</floating><floating_focus>robot</floating_focus></element>
<element class=\"skybox\"><textures>no%s.png</textures></element>{robot}
<sensor class=\"laser\" name=\"x\"/><joystick_enabled>0</joystick_enabled><save_to_rawlog>x</save_to_rawlog>
<georeference/>"
    ));
    let starts = [
        "w.xml:2:43: unknown tag \"zoom\" in <gui>\n  accepted: ",
        "w.xml:2:71: unknown tag \"light_azimuth\" in <lights>\n  accepted: ",
        "w.xml:4:25: no file \"noFront.png\", nor 5 more for <textures> in <element class=\"skybox\">",
        "w.xml:5:1: <sensor> outside a vehicle has no effect: MVSim publishes such sensors only to its own network",
        "w.xml:5:71: <save_to_rawlog> has no effect\n  hint: `ros2 bag record` ",
        "w.xml:6:1: <georeference> without <latitude> and <longitude>: the world has no place on Earth",
        "w.xml:2:22: no vehicle \"robt\" for <follow_vehicle> in <gui>\n  accepted: robot\n  hint: did you mean \"robot\"?",
    ];
    assert_eq!(warnings.len(), starts.len(), "{warnings:#?}");
    let wrong: Vec<_> = warnings.iter().zip(starts).filter(|(warning, start)| !warning.starts_with(start)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(world.scene().viewer_scene.grids[0].follows.is_some() && world.scene().georeference.is_none());
}

#[test]
fn a_world_knows_where_its_vehicles_are_on_earth() {
    let world = load("georeferenced", PhysicsRules::Skidpad);
    let georeference = world.scene().georeference.as_ref().unwrap();
    let start = georeference.geodetic_from_world(world.scene().vehicles[1].world_from_start.position());
    // 40 m at 5° north of east, over the radii of curvature of the WGS-84 ellipsoid at 36.894718° and 200 m.
    let (latitude, a, e2) = (36.894_718_f64.to_radians(), 6_378_137.0, 0.006_694_379_990_14);
    let w2 = 1.0 - e2 * latitude.sin().powi(2);
    let (meridian, vertical) = (a * (1.0 - e2) / w2.powf(1.5) + 200.0, a / w2.sqrt() + 200.0);
    let turn = 5.0_f64.to_radians();
    let north = 40.0 * turn.sin() / meridian;
    let east = 40.0 * turn.cos() / (vertical * latitude.cos());
    assert!((start.latitude - latitude - north).abs() < 1e-10, "{start:?}");
    assert!((start.longitude + 2.316_988_f64.to_radians() - east).abs() < 1e-10, "{start:?}");
}

#[test]
fn a_utm_world_drives_at_six_digit_coordinates() {
    let (mut world, warnings) = read(
        "<georeference><latitude>36.9</latitude><longitude>-2.3</longitude><height>20</height><world_is_utm>true</world_is_utm></georeference>
<element class=\"vertical_plane\"><x0>562400</x0><y0>4083990</y0><x1>562400</x1><y1>4084010</y1><thickness>0.2</thickness></element>
<vehicle name=\"r\"><init_pose>562390 4084000 0</init_pose><dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>
<sensor class=\"laser\"><range_std_noise>0</range_std_noise></sensor></vehicle>",
    );
    assert_eq!(warnings, [""; 0]);
    let georeference = world.scene().georeference.clone().unwrap();
    assert_eq!((georeference.utm().unwrap().zone, georeference.is_utm_world()), (30, true));
    let place = |world: &World| georeference.geodetic_from_world(world.frame().vehicles[0].world_from_body.position());
    let Geodetic { latitude, longitude, height } = place(&world);
    assert!(
        (latitude.to_degrees() - 36.9).abs() < 1e-2 && (longitude.to_degrees() + 2.3).abs() < 1e-2 && height == 20.0
    );
    drive(&mut world, 0, 1.0);
    run(&mut world, 4.0);
    assert!((world.frame().vehicles[0].world_from_body.x - 562_394.0).abs() < 0.02);
    assert!((range(&world, 0, 0.0) - 5.9).abs() < 0.02, "{}", range(&world, 0, 0.0));
    // A grid metre 62.4 km from the central meridian is 1/(0.9996·(1 + (62.4 km/R)²/2)) true ones, and grid east 0.42° off.
    let true_metres = 4.0 / (0.9996 * (1.0 + 0.5 * (62.4_f64 / 6378.0).powi(2))) * 0.42_f64.to_radians().cos();
    let parallel = 6_378_137.0 / (1.0 - 0.006_694_38 * latitude.sin().powi(2)).sqrt() * latitude.cos();
    let distance = (place(&world).longitude - longitude) * parallel;
    assert!((distance - true_metres).abs() < 0.006, "{distance} for {true_metres}");
    run(&mut world, 8.0);
    let stopped = world.frame().vehicles[0].world_from_body.x;
    assert!(world.frame().vehicles[0].colliding && stopped < 562_400.0, "{stopped}");
}

#[test]
fn errors_of_scenery_are_reported_at_their_place() {
    let mut wrong = Vec::new();
    for (inner, expected) in [
        (
            "<georeference><latitude>1</latitude><world_is_utm>true</world_is_utm></georeference>",
            "w.xml:2:51: <world_is_utm> without <latitude> and <longitude>\n  \
             hint: they determine the UTM zone and hemisphere of the coordinates of the world",
        ),
        (
            "<georeference><latitude>1</latitude><longitude>1</longitude><world_is_utm>1</world_is_utm>
<world_to_enu_rotation_deg>5</world_to_enu_rotation_deg></georeference>",
            "w.xml:3:28: <world_to_enu_rotation_deg> in a world with <world_is_utm>\n  accepted: 0\n  \
             hint: the x axis of UTM coordinates is grid east",
        ),
        (
            "<georeference><latitude>85</latitude><longitude>1</longitude><world_is_utm>1</world_is_utm></georeference>",
            "w.xml:2:25: <world_is_utm> beyond the ends of UTM\n  accepted: latitudes from -80 to 84",
        ),
        (
            "<georeference><latitude>91</latitude></georeference>",
            "w.xml:2:25: bad value \"91\" for <latitude> in <georeference>\n  accepted: a finite number from -90 to 90",
        ),
        ("<actor/>", "w.xml:2:1: missing <init_pose> in <actor>"),
        (
            "<actor class=\"x\"/>",
            "w.xml:2:1: unknown actor class \"x\"\n  hint: define <actor:class name=\"x\"> before it in the file",
        ),
        (
            "<actor name=\"a\"><init_pose>0 0 0</init_pose></actor>\n<actor name=\"a\"><init_pose>0 0 0</init_pose></actor>",
            "w.xml:3:1: a second actor called \"a\"\n  hint: names must be unique",
        ),
        (
            "<actor><init_pose>0 0 0</init_pose><path><waypoint pause=\"-1\">1 2</waypoint></path></actor>",
            "w.xml:2:59: bad value \"-1\" for attribute \"pause\" in <waypoint>\n  accepted: a finite number >= 0\n\
             w.xml:2:63: bad value \"1 2\" for <waypoint>\n  accepted: 3 or 6 finite numbers, separated by blanks",
        ),
        (
            "<actor><init_pose>0 0 0</init_pose><path><waypoint>1e10 2 0</waypoint><waypoint/></path></actor>",
            "w.xml:2:42: a waypoint out of this world\n  accepted: numbers up to 1000000000\n\
             w.xml:2:71: <waypoint> without a pose\n  accepted: x y yaw, x y z yaw pitch roll",
        ),
        ("<marker/>", "w.xml:2:1: missing type in <marker>"),
        ("<marker type=\"cube\"/>", "w.xml:2:1: unknown type \"cube\" in <marker>\n  accepted: line_strip"),
        (
            "<marker type=\"line_strip\"><points>1 2 3 4</points></marker>",
            "w.xml:2:35: <points> of <marker> holds 4 numbers\n  accepted: x y z for each point",
        ),
        (
            "<element class=\"pointcloud\"/>",
            "w.xml:2:1: missing <file_txt_2d> or <file_txt_3d> in <element class=\"pointcloud\">",
        ),
        (
            "<element class=\"pointcloud\"><file_txt_2d>no.txt</file_txt_2d></element>",
            "w.xml:2:42: ./no.txt: cannot be read: No such file or directory (os error 2)",
        ),
        ("<element class=\"skybox\"/>", "w.xml:2:1: missing <textures> in <element class=\"skybox\">"),
        (
            "<element class=\"skybox\"><textures>sky.png</textures></element>",
            "w.xml:2:35: no %s in <textures> \"sky.png\"\n  \
             accepted: an address with %s, which is replaced by Front, Back, Down, Up, Left and Right",
        ),
        (
            "<element class=\"vertical_plane\"><thickness>-1</thickness><cull_face>ALL</cull_face></element>",
            "w.xml:2:44: bad value \"-1\" for <thickness> in <element class=\"vertical_plane\">\n  \
             accepted: a finite number from 0 to 1000000000\n\
             w.xml:2:69: bad value \"ALL\" for <cull_face> in <element class=\"vertical_plane\">\n  \
             accepted: NONE, FRONT, BACK",
        ),
    ] {
        let actual = problems(inner).join("\n");
        if actual != expected {
            wrong.push(format!("{inner}\n{actual}\nfor\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
