//! The worlds in `worlds/`: all load without a warning and run, and each shows what it is there to show.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed"
)]

mod arguments;
mod cameras;
mod drives;
mod ground;
mod joints;
mod lidars;
mod meshes;
mod models;
mod mountings;
mod near_and_glass;
mod own_body;
mod powertrain;
mod props;
mod satellites;
mod scenery;
mod siblings;
mod terrain;

use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use skidpad_math::{Pose2, Twist2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, PhysicsRules, VehicleFrame, World};

/// A file or a folder of the repository, by its path from the root.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate is in src/sim").join(path)
}

fn folder() -> PathBuf {
    repository("worlds")
}

/// Loads `worlds/<name>.world.xml`; warnings count as failures.
fn load(name: &str) -> World {
    load_with(name, &LoadOptions::default())
}

/// The same under these rules.
fn load_under(name: &str, rules: PhysicsRules) -> World {
    load_with(name, &LoadOptions { physics: Some(rules), ..LoadOptions::default() })
}

fn load_with(name: &str, options: &LoadOptions) -> World {
    let path = folder().join(format!("{name}.world.xml"));
    let (world, warnings) = World::load(&path, options).unwrap_or_else(|problems| panic!("{name}: {problems}"));
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{name}:\n{}", warnings.join("\n"));
    world
}

fn ackermann(speed: f64, steering_angle: f64) -> Action {
    Action::Ackermann { speed, steering_angle }
}

fn twist(vx: f64, wz: f64) -> Action {
    Action::Twist(Twist2::new(vx, 0.0, wz))
}

fn order(world: &mut World, vehicle: usize, action: Action) {
    world.command(Command { vehicle, action }).unwrap();
}

/// Steps for `seconds` of simulated time, and shows each frame's vehicles to `look`.
fn run(world: &mut World, seconds: f64, mut look: impl FnMut(f64, &[VehicleFrame])) {
    let end = world.frame().time.secs() + seconds - 0.5 * world.scene().step.secs();
    while world.frame().time.secs() < end {
        let frame = world.step().unwrap_or_else(|error| panic!("{error}"));
        look(frame.time.secs(), &frame.vehicles);
    }
}

fn pose(world: &World, vehicle: usize) -> Pose2 {
    world.frame().vehicles[vehicle].world_from_body.planar()
}

fn speed(world: &World, vehicle: usize) -> f64 {
    world.frame().vehicles[vehicle].velocity_in_body.vx
}

#[test]
fn every_world_loads_without_warnings_and_runs_for_ten_seconds_under_both_rules() {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".world.xml")?.to_string()))
        .collect();
    names.sort();
    assert!(names.len() >= 13, "{names:?}");
    let all_rules = [PhysicsRules::Skidpad, PhysicsRules::Mvsim];
    for (name, rules) in names.iter().flat_map(|name| all_rules.map(|rules| (name, rules))) {
        // Rays take long in a debug build.
        let variables = match name.as_str() {
            "warehouse" => vec![("EVERY_COLUMN".to_string(), "64".to_string())],
            "hill_with_trees" => [("EVERY_COLUMN", "64"), ("PIXELS", "16")].map(|(n, v)| (n.into(), v.into())).into(),
            "props" => vec![("PIXELS".to_string(), "16".to_string())],
            "checkerboard_room" => [("PIXELS", "16"), ("camera", "0")].map(|(n, v)| (n.into(), v.into())).into(),
            _ => Vec::new(),
        };
        let mut world = load_with(name, &LoadOptions { physics: Some(rules), variables, ..LoadOptions::default() });
        for vehicle in 0..world.scene().vehicles.len() {
            let accepts = world.scene().vehicles[vehicle].accepts;
            if accepts.ackermann {
                order(&mut world, vehicle, ackermann(1.0, 0.2));
            } else if accepts.twist {
                order(&mut world, vehicle, twist(0.4, 0.3));
            }
        }
        // A step that makes anything infinite is an error by itself; nothing may run away either.
        let starts: Vec<_> =
            world.scene().vehicles.iter().map(|info| info.world_from_start.planar().position()).collect();
        run(&mut world, 10.0, |time, vehicles| {
            for (vehicle, start) in vehicles.iter().zip(&starts) {
                let (v, at) = (vehicle.velocity_in_body, vehicle.world_from_body.planar());
                let is_steady = v.vx.hypot(v.vy) < 6.0 && v.wz.abs() < 20.0 && (at.position() - *start).norm() < 60.0;
                assert!(is_steady, "{name}, {rules:?}, at {time}: {vehicle:?}");
            }
        });
    }
}

#[test]
fn the_racecar_has_the_numbers_of_the_mit_racecar() {
    for name in ["racecar", "empty"] {
        let world = load(name);
        assert_eq!(world.scene().vehicles.len(), 1);
        let car = &world.scene().vehicles[0];
        assert_eq!(car.name, "racecar");
        assert!((car.mass - 5.692).abs() < 0.002, "{}", car.mass);
        assert!((car.wheelbase.unwrap() - 0.325).abs() < 1e-12);
        assert!((car.max_steer.unwrap() - 1.0).abs() < 1e-6);
        assert!(car.accepts.ackermann && car.accepts.twist);
        for (wheel, (x, y)) in car.wheels.iter().zip([(0.0, 0.1), (0.0, -0.1), (0.325, 0.1), (0.325, -0.1)]) {
            assert!((wheel.position.x - x).abs() < 1e-12 && (wheel.position.y - y).abs() < 1e-12, "{wheel:?}");
            assert_eq!((wheel.radius, wheel.width, wheel.steered), (0.05, 0.045, x > 0.0));
        }
        let lidar = &car.sensors[0];
        assert_eq!((lidar.name.as_str(), lidar.period.secs()), ("scan", 0.025));
        let at = lidar.body_from_sensor;
        assert!((at.planar().x - 0.265).abs() < 1e-12 && at.planar().y == 0.0 && at.planar().yaw == 0.0, "{at:?}");
        let beams = lidar.kind.lidar().unwrap();
        assert_eq!((beams.count, beams.range_min, beams.range_max, beams.range_std), (1081, 0.1, 10.0, 0.01));
        assert!((beams.angle_min + 0.75 * PI).abs() < 1e-9, "{beams:?}");
        assert!((beams.angle_increment - 1.5 * PI / 1080.0).abs() < 1e-9, "{beams:?}");
    }
}

#[test]
fn the_racecar_reaches_its_speed_without_overshoot_and_stops_for_good() {
    for target in [0.5, 1.0, 2.0, -0.7] {
        let mut world = load("empty");
        order(&mut world, 0, ackermann(target, 0.0));
        let mut most = 0.0_f64;
        run(&mut world, 1.0, |_, v| most = most.max(v[0].velocity_in_body.vx / target));
        assert!((speed(&world, 0) / target - 1.0).abs() < 0.02, "{target}: {}", speed(&world, 0));
        run(&mut world, 3.0, |_, v| most = most.max(v[0].velocity_in_body.vx / target));
        assert!((speed(&world, 0) / target - 1.0).abs() < 0.005, "{target}: {}", speed(&world, 0));
        assert!(most < 1.05, "{target}: {most}");

        order(&mut world, 0, ackermann(0.0, 0.0));
        run(&mut world, 2.0, |_, _| {});
        let stopped = pose(&world, 0);
        run(&mut world, 10.0, |_, v| assert!(v[0].velocity_in_body.vx.abs() < 1e-3));
        assert!((pose(&world, 0).x - stopped.x).abs() < 1e-4, "it creeps");
    }
}

#[test]
fn the_racecar_drives_the_circle_of_its_steering_angle() {
    let mut world = load("empty");
    order(&mut world, 0, ackermann(1.0, 0.2));
    run(&mut world, 2.0, |_, _| {});
    let radius = 0.325 / 0.2_f64.tan();
    let third = 2.0 * PI * radius / 3.0;
    let mut corners = Vec::new();
    for _ in 0..3 {
        corners.push(pose(&world, 0));
        run(&mut world, third, |_, _| {});
    }
    // Circumscribed circle: R = abc/(4A).
    let side = |i: usize, j: usize| (corners[i].x - corners[j].x).hypot(corners[i].y - corners[j].y);
    let (a, b, c) = (side(0, 1), side(1, 2), side(2, 0));
    let s = 0.5 * (a + b + c);
    let actual = a * b * c / (4.0 * (s * (s - a) * (s - b) * (s - c)).sqrt());
    assert!((actual / radius - 1.0).abs() < 0.02, "{actual} for {radius}");
}

/// A world from text, with paths as in `worlds/`.
fn load_text(text: &str) -> World {
    let (world, warnings) = World::load_text("text", &folder(), text, &LoadOptions::default())
        .unwrap_or_else(|problems| panic!("{problems}"));
    assert!(warnings.is_empty(), "{}", warnings[0]);
    world
}

#[test]
fn the_four_wheel_drive_racecar_understeers_steadily_beyond_its_grip() {
    let mut world = load_text(
        "<mvsim_world><include file=\"vehicles/racecar.vehicle.xml\"/>
         <vehicle name=\"car\" class=\"racecar\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
    );
    assert!((world.scene().vehicles[0].mass - 5.692).abs() < 0.002);
    order(&mut world, 0, ackermann(4.0, 0.34));
    run(&mut world, 6.0, |_, _| {});
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    run(&mut world, 2.0, |_, v| {
        least = least.min(v[0].velocity_in_body.wz);
        most = most.max(v[0].velocity_in_body.wz);
    });
    // μ·g bounds the lateral acceleration v·ω.
    assert!(most - least < 0.01 && 4.0 * most < 9.81, "{least} to {most}");
    assert!(4.0 * least > 0.85 * 9.81, "{least} to {most}");
    assert!(world.frame().vehicles[0].wheels.iter().all(|w| w.spin < 120.0));
}

#[test]
fn the_world_in_the_format_page_loads() {
    let page = std::fs::read_to_string(repository("docs/world-format.md")).unwrap();
    let block = page.split("```xml").nth(1).and_then(|part| part.split("```").next()).unwrap();
    let mut world = load_text(block.trim());
    assert_eq!(world.scene().vehicles[0].name, "r1");
    run(&mut world, 0.1, |_, _| {});
}

/// Each block of the pages on world files that is a whole world loads without a warning, seen from the folder of the worlds.
#[test]
fn the_worlds_in_the_pages_on_world_files_load() {
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    let mut problems = Vec::new();
    let mut count = 0;
    let folder = std::fs::read_dir(repository("docs/world")).unwrap().map(|entry| entry.unwrap().path());
    for page in folder.chain([repository("docs/world-format.md")]) {
        let text = std::fs::read_to_string(&page).unwrap();
        let blocks = text.split("```xml\n").skip(1).filter_map(|part| part.split("```").next());
        for block in blocks.filter(|block| block.trim_start().starts_with("<mvsim_world")) {
            count += 1;
            let place = format!("{}:\n{block}", page.file_name().unwrap().display());
            match World::load_text("page", &repository("worlds"), block.trim(), &options) {
                Ok((_, warnings)) if warnings.is_empty() => {}
                Ok((_, warnings)) => problems.push(format!("{place}{warnings:?}")),
                Err(errors) => problems.push(format!("{place}{errors}")),
            }
        }
    }
    assert!(problems.is_empty() && count > 30, "{count} worlds\n{}", problems.join("\n"));
}

#[test]
fn the_turtlebot_reaches_its_speeds_without_overshoot() {
    let mut world = load("office");
    order(&mut world, 0, twist(0.3, 0.8));
    let mut most = [0.0_f64; 2];
    run(&mut world, 2.0, |_, v| {
        let v = v[0].velocity_in_body;
        most = [most[0].max(v.vx), most[1].max(v.wz)];
    });
    let v = world.frame().vehicles[0].velocity_in_body;
    assert!((v.vx - 0.3).abs() < 0.006 && (v.wz - 0.8).abs() < 0.016, "{v:?}");
    assert!(most[0] < 0.315 && most[1] < 0.84, "{most:?}");
}

#[test]
fn the_race_track_is_free_along_the_straight_and_closed_ahead() {
    let mut world = load("racecar");
    let map = &world.scene().maps[0];
    assert_eq!((map.width, map.height, map.resolution), (400, 240, 0.05));
    // Before it moves, its lidar sees both walls of the track at 1 m.
    run(&mut world, 0.1, |_, _| {});
    let scan = world.frame().readings[0].data.scan().unwrap();
    assert_eq!(scan.ranges.len(), 1081);
    for beam in [540 - 360, 540 + 360] {
        assert!((scan.ranges[beam] - 1.0).abs() < 0.1, "beam {beam}: {}", scan.ranges[beam]);
    }
    assert!(scan.ranges[540] > 7.0, "{}", scan.ranges[540]);
    order(&mut world, 0, ackermann(2.0, 0.0));
    run(&mut world, 3.0, |time, v| assert!(!v[0].colliding, "at {time}: {:?}", v[0].world_from_body));
    run(&mut world, 7.0, |_, _| {});
    // The wall of the first bend holds it.
    let at = pose(&world, 0);
    assert!(world.frame().vehicles[0].colliding && at.x > 5.0 && at.x < 9.9, "{at:?}");
}

#[test]
fn two_robots_push_crates_and_stay_inside_the_arena() {
    let mut world = load("two_robots");
    let names: Vec<&str> = world.scene().vehicles.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["r1", "r2"]);
    for vehicle in &world.scene().vehicles {
        let beams = vehicle.sensors[0].kind.lidar().unwrap();
        assert_eq!((vehicle.sensors[0].name.as_str(), vehicle.sensors[0].period.secs()), ("scan", 0.1));
        assert_eq!((beams.count, beams.range_max), (360, 12.0));
    }
    assert!(world.scene().blocks.iter().any(|b| b.is_static) && world.scene().blocks.iter().any(|b| !b.is_static));
    let start = world.frame().blocks.clone();
    run(&mut world, 1.0, |_, v| assert!(v.iter().all(|v| !v.colliding)));
    for vehicle in 0..2 {
        order(&mut world, vehicle, twist(0.8, 0.0));
    }
    run(&mut world, 20.0, |_, v| {
        assert!(v.iter().all(|v| v.world_from_body.planar().x.abs() < 5.0 && v.world_from_body.planar().y.abs() < 4.0));
    });
    let distance = |i: usize| (world.frame().blocks[i].x - start[i].x).hypot(world.frame().blocks[i].y - start[i].y);
    let index = |name: &str| world.scene().blocks.iter().position(|b| b.name == name).unwrap();
    assert!(distance(index("crate_1")) > 0.5, "{}", distance(index("crate_1")));
    assert_eq!(distance(index("pillar_1")), 0.0);
}

#[test]
fn the_office_is_one_connected_floor_for_its_robot() {
    let mut world = load("office");
    let robot = &world.scene().vehicles[0];
    assert!((robot.wheels[0].position.y - robot.wheels[1].position.y - 0.287).abs() < 1e-12);
    assert_eq!(robot.wheels[0].radius, 0.033);
    let map = world.scene().maps[0].clone();
    assert_eq!((map.width, map.height), (400, 300));
    // Cells from which a disc of 0.2 m, which covers the robot, touches no wall; and those it can drive to.
    let radius = 4_i64;
    let free = |x: i64, y: i64| {
        (-radius..=radius).all(|dx| {
            (-radius..=radius).all(|dy| {
                let (cx, cy) = (x + dx, y + dy);
                let inside = cx >= 0 && cy >= 0 && cx < map.width as i64 && cy < map.height as i64;
                dx * dx + dy * dy > radius * radius || (inside && map.cells[cy as usize * map.width + cx as usize] == 0)
            })
        })
    };
    let all = (0..300).flat_map(|y| (0..400).map(move |x| (x, y))).filter(|&(x, y)| free(x, y)).count();
    let mut seen = vec![false; 400 * 300];
    let mut open = vec![(200_i64, 150_i64)];
    seen[150 * 400 + 200] = true;
    let mut reached = 0;
    while let Some((x, y)) = open.pop() {
        reached += 1;
        for (nx, ny) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            let index = (ny * 400 + nx) as usize;
            if free(nx, ny) && !seen[index] {
                seen[index] = true;
                open.push((nx, ny));
            }
        }
    }
    assert!(all > 50_000 && reached as f64 > 0.98 * all as f64, "{reached} of {all}");
    order(&mut world, 0, twist(0.46, 0.0));
    run(&mut world, 2.0, |_, v| assert!(!v[0].colliding));
    assert!((speed(&world, 0) - 0.46).abs() < 0.01, "{}", speed(&world, 0));
}

#[test]
fn a_pushed_block_slides_and_stops_and_a_heavy_one_holds() {
    let mut world = load("block_push");
    order(&mut world, 0, twist(0.5, 0.0));
    run(&mut world, 5.0, |_, _| {});
    let light = world.frame().blocks[0];
    assert!(light.x > 1.8 && light.y.abs() < 0.05, "{light:?}");
    order(&mut world, 0, twist(0.0, 0.0));
    run(&mut world, 1.0, |_, _| {});
    let stopped = world.frame().blocks[0];
    run(&mut world, 2.0, |_, _| {});
    assert!((world.frame().blocks[0].x - stopped.x).abs() < 1e-3);
    order(&mut world, 0, twist(0.5, 0.0));
    run(&mut world, 15.0, |_, _| {});
    let heavy = world.frame().blocks[1];
    assert!((heavy.x - 4.0).abs() < 0.02 && speed(&world, 0).abs() < 0.05, "{heavy:?}");
}

#[test]
fn a_torsen_drivetrain_favours_the_slower_wheels_and_an_open_one_does_not() {
    let mut torques = Vec::new();
    for name in ["torsen_4wd", "drivetrain_open"] {
        let mut world = load(name);
        order(&mut world, 0, ackermann(2.0, 0.5));
        run(&mut world, 3.0, |_, _| {});
        torques.push(world.frame().vehicles[0].wheels.iter().map(|w| w.torque).collect::<Vec<_>>());
    }
    let [rear_left, rear_right, front_left, front_right] = torques[0][..] else { panic!() };
    assert!(rear_left > 1.1 * rear_right && front_left > 1.1 * front_right && rear_right > 0.0, "{torques:?}");
    let [rear_left, rear_right, front_left, front_right] = torques[1][..] else { panic!() };
    assert!(rear_left == rear_right && rear_left > 0.0 && front_left == 0.0 && front_right == 0.0, "{torques:?}");
}

#[test]
fn a_castor_carries_its_share() {
    let mut world = load("three_wheels");
    order(&mut world, 0, twist(0.5, 0.0));
    run(&mut world, 3.0, |_, _| {});
    let loads: Vec<f64> = world.frame().vehicles[0].wheels.iter().map(|w| w.load).collect();
    // Lever rule for the chassis, 30 mm behind the axle of 300 mm, and the weight of the wheels themselves.
    assert!((loads[2] - (10.0 * 0.03 / 0.3 + 0.2) * 9.81).abs() < 1e-9, "{loads:?}");
    assert!((loads[0] + loads[1] + loads[2] - 12.2 * 9.81).abs() < 1e-9);
    assert!((speed(&world, 0) - 0.5).abs() < 0.01);
}

#[test]
fn skid_steering_turns_slower_than_its_wheels() {
    let mut world = load("skid_steer");
    order(&mut world, 0, twist(0.3, 0.6));
    run(&mut world, 4.0, |_, _| {});
    let robot = &world.frame().vehicles[0];
    let (truth, reported) = (robot.velocity_in_body.wz, robot.odom_velocity_in_body.wz);
    assert!(truth > 0.1 && truth < 0.9 * reported, "{truth} rad/s, odometry {reported}");
    assert!(robot.wheels[0].slip_angle() * robot.wheels[2].slip_angle() < 0.0, "front and rear slip to opposite sides");
}

#[test]
fn rolling_resistance_shortens_the_way() {
    let mut world = load("ward_iagnemma");
    run(&mut world, 5.0, |_, _| {});
    assert!(speed(&world, 0) < speed(&world, 1) && speed(&world, 1) < 5.0, "{:?}", world.frame().vehicles);
    assert!(pose(&world, 0).x < pose(&world, 1).x);
}

#[test]
fn ellipse_tyres_corner_with_slip() {
    let mut world = load("ellipse_friction");
    order(&mut world, 0, ackermann(1.5, 0.2));
    run(&mut world, 4.0, |_, _| {});
    let car = &world.frame().vehicles[0];
    assert!(car.wheels.iter().all(|w| w.slip_angle() < -5e-3), "{:?}", car.wheels);
    assert!(car.velocity_in_body.wz > 0.6, "{:?}", car.velocity_in_body);
}

#[test]
fn loops_conditions_and_expressions_make_a_fleet() {
    let world = load("for_loop_fleet");
    let scene = world.scene();
    assert_eq!((scene.vehicles.len(), scene.blocks.len()), (25, 12));
    let start = scene.vehicles[7].world_from_start;
    // Row 1, column 2.
    assert!((start.x - 0.0).abs() < 1e-9 && (start.y + 3.0).abs() < 1e-9, "{start:?}");
    assert!((start.yaw - 45.0_f64.to_radians()).abs() < 1e-9);
    assert_eq!(scene.vehicles[0].color, [0x33, 0x66, 0xcc, 0xff]);
    assert_eq!(scene.vehicles[0].sensors[0].period.secs(), 0.2);
}

#[test]
fn ideal_vehicles_move_exactly_as_commanded_until_a_wall() {
    let mut world = load("twist_ideal");
    order(&mut world, 0, twist(0.5, 0.5));
    order(&mut world, 1, ackermann(1.0, 0.0));
    run(&mut world, PI, |_, _| {});
    let radius = 1.0;
    let turned = 0.5 * world.frame().time.secs();
    let at = pose(&world, 0);
    // It starts towards +y and turns left about (-3 - radius, 0).
    let wanted = (-3.0 - radius + radius * turned.cos(), radius * turned.sin());
    assert!((at.x - wanted.0).abs() < 5e-3 && (at.y - wanted.1).abs() < 5e-3, "{at:?} for {wanted:?}");
    run(&mut world, 5.0, |_, _| {});
    assert!(world.frame().vehicles[1].colliding && pose(&world, 1).x < 7.6, "{:?}", pose(&world, 1));
}

/// Runs a script of worlds/ that writes files into `kept`, and compares what it writes now; none without python3.
fn written_anew(script: &str, kept: &str) -> Option<Vec<String>> {
    let out = tempfile::tempdir().unwrap();
    match Process::new("python3").arg(folder().join(script)).arg(out.path()).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            eprintln!("skipped: no python3 ({error})");
            return None;
        }
    }
    let entries = std::fs::read_dir(out.path()).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in &names {
        let (made, kept) = (std::fs::read(out.path().join(name)), std::fs::read(folder().join(kept).join(name)));
        assert!(made.unwrap() == kept.unwrap(), "{name} differs: run worlds/{script}");
    }
    Some(names)
}

#[test]
fn the_maps_are_what_their_script_writes() {
    assert!(written_anew("maps/make_maps.py", "maps").is_none_or(|names| names.len() >= 20));
}

#[test]
fn the_models_are_what_their_script_writes_and_small() {
    let Some(names) = written_anew("models/make/make.py", "models") else { return };
    let bytes = |name: &str| std::fs::metadata(folder().join("models").join(name)).map_or(0, |data| data.len());
    for name in &names {
        assert!(bytes(name) <= 60_000, "{name}: {} bytes", bytes(name));
    }
}
