//! Walls, blocks and other vehicles in the way.

use super::common::*;
use rand::{Rng, SeedableRng};
use skidpad_math::{Pose2, Pose3, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

const PID: &str = r#"<controller class="twist_pid"><KP>100</KP><KI>20</KI></controller>"#;
const IDEAL: &str = r#"<controller class="twist_ideal"/>"#;
const ICE: &str = r#"<friction class="default"><mu>0</mu><C_damping>0</C_damping></friction>"#;
/// How far the cart's front wheels reach ahead of its reference point [m].
const NOSE: f64 = 1.3;

fn x(world: &World) -> f64 {
    first(world).world_from_body.planar().x
}

/// A static block and a wall, each with its face at x = 3.5.
const OBSTACLES: [&str; 2] = [
    r#"<block><static>true</static><init_pose>4 0 0</init_pose></block>"#,
    "<walls><shape><pt>3.55 -3</pt><pt>3.55 3</pt></shape></walls>",
];

/// Rests against the obstacle while it pushes, less than 1 cm deep; free again once it has backed off.
#[test]
fn a_vehicle_stops_at_an_obstacle_and_backs_off() {
    for obstacle in OBSTACLES {
        let mut world = world(&(Cart { inside: PID.into(), ..Cart::default() }.named("a") + obstacle));
        twist(&mut world, 0, 1.0, 0.0);
        let mut deepest: f64 = 0.0;
        for _ in 0..1200 {
            step(&mut world);
            deepest = deepest.max(x(&world) + NOSE - 3.5);
        }
        assert!(deepest < 0.01, "{deepest} deep");
        assert!(x(&world) + NOSE > 3.5 - 0.03, "{}", x(&world));
        assert!(first(&world).colliding, "at the obstacle");
        twist(&mut world, 0, -0.5, 0.0);
        run(&mut world, 3.0);
        assert!(!first(&world).colliding, "backed off to {}", x(&world));
        assert!(x(&world) < 2.0, "{}", x(&world));
    }
}

/// How deep [m] a cart gets into the obstacle whose imposed velocity [m/s] drives it there for 7.5 s; it must come free.
fn depth_of_an_imposed_velocity(obstacle: &str, speed: f64) -> f64 {
    let mut world = world(&(Cart { inside: IDEAL.into(), ..Cart::default() }.named("a") + obstacle));
    twist(&mut world, 0, speed, 0.0);
    let mut deepest: f64 = 0.0;
    for _ in 0..1500 {
        step(&mut world);
        deepest = deepest.max(x(&world) + NOSE - 3.5);
    }
    assert!(first(&world).colliding, "{speed} m/s into {obstacle}: at {} of 3.5", x(&world) + NOSE);
    twist(&mut world, 0, -speed, 0.0);
    run(&mut world, 1.0);
    assert!(!first(&world).colliding && x(&world) < 3.5 - NOSE, "backed off to {}", x(&world));
    deepest
}

#[test]
fn an_imposed_velocity_stops_at_the_face_of_an_obstacle() {
    for obstacle in OBSTACLES {
        for speed in [0.5, 1.0, 2.0, 5.0, 10.0] {
            let deepest = depth_of_an_imposed_velocity(obstacle, speed);
            assert!(deepest < 0.01, "{speed} m/s: {deepest} m deep in {obstacle}");
        }
    }
}

/// Nothing counts as a collision before the threshold, 3 cm by default.
#[test]
fn collisions_are_reported_from_the_threshold_on() {
    for (threshold, gap, colliding) in
        [(0.03, 0.031, false), (0.03, 0.029, true), (0.2, 0.19, true), (0.2, 0.21, false)]
    {
        let block = format!("<block><static>true</static><init_pose>{} 0 0</init_pose></block>", NOSE + gap + 0.5);
        let threshold = format!("<collision_threshold>{threshold}</collision_threshold>");
        let mut world = world(&(threshold + &Cart::default().named("a") + &block));
        run(&mut world, 0.1);
        assert_eq!(first(&world).colliding, colliding, "{gap}");
    }
}

/// μ·g of the floor brakes a sliding block: v²/(2·μ·g), along either axis and at any angle. Tolerance: one step of travel; and
/// 10 mrad of yaw, for the two points under the block are solved one after the other.
#[test]
fn a_sliding_block_stops_within_the_textbook_distance() {
    for (velocity, yaw) in [("3 0 0", 0.0), ("0 3 0", 0.0), ("3 0 0", 40.0), ("2.4 1.8 0", 130.0)] {
        for mu in [0.5, 0.2] {
            let mut world = world(&format!(
                r#"<block><init_pose>1 2 {yaw}</init_pose><init_vel>{velocity}</init_vel>
                <ground_friction>{mu}</ground_friction><linear_damping>0</linear_damping>
                <angular_damping>0</angular_damping></block>"#
            ));
            run(&mut world, 4.0);
            let end = world.frame().blocks[0];
            let distance = (end.x - 1.0).hypot(end.y - 2.0);
            let expected = 9.0 / (2.0 * mu * GRAVITY);
            assert!((distance - expected).abs() < 3.0 * 0.005, "{velocity}: {distance} for {expected}");
            assert!((end.yaw - f64::to_radians(yaw)).abs() < 1e-2, "{velocity}: turned to {}", end.yaw);
            run(&mut world, 1.0);
            assert_eq!(world.frame().blocks[0], end, "it has stopped for good");
        }
    }
}

/// A block spins down and stays in place.
#[test]
fn a_spinning_block_stops_in_place() {
    let mut world = world(
        r#"<block><init_pose>0 0 0</init_pose><init_vel>0 0 200</init_vel><linear_damping>0</linear_damping>
        <angular_damping>0</angular_damping></block>"#,
    );
    run(&mut world, 4.0);
    let end = world.frame().blocks[0];
    assert!(end.x.hypot(end.y) < 1e-4, "{end:?}");
    // Friction μ·m·g/2 at each of two points at r = √½ m, I = m/6: the rate falls by 6·μ·g·r per second.
    let rate = 200.0_f64.to_radians();
    let expected = rate * rate / (2.0 * 6.0 * 0.5 * GRAVITY * 0.5_f64.sqrt());
    assert!((end.yaw - expected).abs() < rate * 0.005, "{} for {expected}", end.yaw);
}

/// A pushed block moves with the pusher and, let go, slides on for v²/(2·μ·g) = 0.102 m.
#[test]
fn a_vehicle_pushes_a_block_which_slides_on() {
    let block = "<block><init_pose>3 0 0</init_pose><linear_damping>0</linear_damping></block>";
    let mut world = world(&(Cart { inside: IDEAL.into(), ..Cart::default() }.named("a") + block));
    twist(&mut world, 0, 1.0, 0.0);
    run(&mut world, 4.0);
    let pushed = world.frame().blocks[0].x;
    assert!((pushed - 0.5 - (x(&world) + NOSE)).abs() < 0.02, "{pushed} ahead of {}", x(&world));
    assert!((x(&world) - 4.0).abs() < 0.02, "{}", x(&world));
    twist(&mut world, 0, 0.0, 0.0);
    run(&mut world, 2.0);
    let slid = world.frame().blocks[0].x - pushed;
    assert!((slid - 1.0 / (2.0 * 0.5 * GRAVITY)).abs() < 0.015, "{slid}");
    assert!(!first(&world).colliding);
}

/// On ice nothing but the contact acts, so that momentum is kept; contacts may only lose energy.
#[test]
fn two_vehicles_meet_head_on_and_keep_their_momentum() {
    let with = |pose, velocity: &str| Cart { friction: ICE.into(), pose, velocity: velocity.into(), ..Cart::default() };
    for (left, right, offset) in [("3 0 0", "1 0 0", "6 0 180"), ("2 0 0", "2 0 0", "6 0.3 180")] {
        let mut world = world(&(with("0 0 0", left).named("a") + &with(offset, right).named("b")));
        let momentum = |world: &World| {
            world.frame().vehicles.iter().fold((0.0, 0.0), |sum, v| {
                let (t, yaw) = (v.velocity_in_body, v.world_from_body.yaw);
                // The centre of mass is 0.5 m ahead of the reference point.
                let (vx, vy) = (t.vx, t.vy + 0.5 * t.wz);
                (sum.0 + MASS * (vx * yaw.cos() - vy * yaw.sin()), sum.1 + MASS * (vx * yaw.sin() + vy * yaw.cos()))
            })
        };
        let energy = |world: &World| {
            let v = world.frame().vehicles.iter();
            v.map(|v| v.velocity_in_body).map(|t| t.vx.powi(2) + (t.vy + 0.5 * t.wz).powi(2)).sum::<f64>()
        };
        let (p, e) = (momentum(&world), energy(&world));
        let mut met = false;
        for _ in 0..600 {
            met |= step(&mut world).vehicles.iter().all(|v| v.colliding);
            let now = momentum(&world);
            // The velocity of pushed bodies is that of the arcs on which their poses change.
            let is_pushed = world.frame().vehicles.iter().any(|v| v.colliding);
            let off = if is_pushed { 2e-3 } else { 1e-9 } * 5.0 * MASS;
            assert!((now.0 - p.0).abs() < off && (now.1 - p.1).abs() < off, "{now:?} of {p:?}");
        }
        assert!(met, "they met");
        assert!(energy(&world) < 0.9 * e, "{} of {e}", energy(&world));
        let [a, b] = &world.frame().vehicles[..] else { panic!("two") };
        assert!(a.velocity_in_body.vx < 2.0 && b.velocity_in_body.vx < 2.0, "{a:?} {b:?}");
    }
}

/// 20 m/s is a step of 0.1 m, as thick as the wall: none gets through, whatever the phase of the impact.
#[test]
fn a_fast_vehicle_does_not_tunnel_through_a_thin_wall() {
    for phase in 0..10 {
        for speed in [20.0, 35.0] {
            let wall = format!(
                "<walls><shape><pt>{w} -6</pt><pt>{w} 6</pt></shape></walls>",
                w = 8.05 + 0.013 * f64::from(phase)
            );
            let cart = Cart { friction: ICE.into(), velocity: format!("{speed} 0 0"), ..Cart::default() };
            let mut world = world(&(cart.named("a") + &wall));
            let face = 8.0 + 0.013 * f64::from(phase);
            let mut deepest: f64 = 0.0;
            for _ in 0..800 {
                step(&mut world);
                deepest = deepest.max(x(&world) + NOSE - face);
            }
            assert!(x(&world) + NOSE < face + 0.01, "{speed}, {phase}: behind the wall at {}", x(&world));
            assert!(deepest < 0.11 * speed / 20.0, "{speed}, {phase}: {deepest} deep");
        }
    }
}

/// Largest difference [m, rad] of the first vehicles' poses within 2000 steps, in which the second world's must not collide.
fn worst_difference(worlds: &mut [World; 2]) -> f64 {
    let mut worst: f64 = 0.0;
    for _ in 0..2000 {
        let [a, b] = worlds.each_mut().map(|world| step(world).vehicles[0].clone());
        let (p, q) = (a.world_from_body.planar(), b.world_from_body.planar());
        worst = worst.max((p.x - q.x).abs()).max((p.y - q.y).abs()).max((p.yaw - q.yaw).abs());
        assert!(!b.colliding);
    }
    worst
}

/// A velocity that is imposed after a teleport, or a reset, knows nothing of the wall that was there.
#[test]
fn old_contacts_do_not_affect_an_imposed_velocity_after_a_teleport() {
    for obstacle in OBSTACLES {
        for reset in [false, true] {
            let mut world = world(&(Cart { inside: IDEAL.into(), ..Cart::default() }.named("a") + obstacle));
            twist(&mut world, 0, 1.0, 0.0);
            run(&mut world, 5.0);
            assert!(first(&world).colliding);
            if reset {
                world.reset();
            } else {
                let action = Action::Teleport(Pose2::IDENTITY);
                world.command(Command { vehicle: 0, action }).unwrap();
            }
            twist(&mut world, 0, 2.0, 0.5);
            let velocity = step(&mut world).vehicles[0].velocity_in_body;
            // A step turns the body by ω·dt = 2.5 mrad while its centre of mass, half a metre ahead, keeps its velocity:
            // ω²·x·dt = 0.6 mm/s for the reference point.
            assert!((velocity.vx - 2.0).abs() < 1e-3 && (velocity.wz - 0.5).abs() < 1e-12, "{velocity:?}");
        }
    }
}

/// Positions are integrated in two ways, alone or by the engine when something is near. A block 5 cm beside the way switches
/// to the engine; the path stays the same but for rounding.
#[test]
fn a_near_miss_does_not_bend_the_path() {
    let far = r#"<block><static>true</static><init_pose>0 5000 0</init_pose></block>"#;
    // Wheels reach to y = ±0.55.
    let near = r#"<block><static>true</static><init_pose>10 0.65 0</init_pose>
        <shape><pt>-30 -0.05</pt><pt>-30 0.05</pt><pt>30 0.05</pt><pt>30 -0.05</pt></shape></block>"#;
    let mut paths =
        [far, near].map(|block| world(&(Cart { inside: PID.into(), ..Cart::default() }.named("a") + block)));
    for world in &mut paths {
        twist(world, 0, 1.5, 0.0);
    }
    let worst = worst_difference(&mut paths);
    assert!(x(&paths[0]) > 12.0 && worst < 1e-9 * 12.0, "{worst} after {} m", x(&paths[0]));

    // The same on a circle, with a ring of blocks further out that keeps the engine busy.
    let mut ring = String::new();
    for k in 0..24 {
        let angle = f64::from(k) * 15.0_f64.to_radians();
        ring += &format!(
            "<block><static>true</static><init_pose>{} {} 0</init_pose><shape><pt>-0.05 -0.05</pt><pt>-0.05 0.05</pt><pt>0.05 0.05</pt></shape></block>",
            3.0 * angle.cos(),
            2.0 + 3.0 * angle.sin()
        );
    }
    let car = Cart {
        drive: "ackermann",
        inside: r#"<controller class="front_steer_pid"><V>1</V><STEER_ANG>26.565</STEER_ANG></controller>"#.into(),
        ..Cart::default()
    };
    let mut paths = [String::new(), ring].map(|blocks| world(&(car.named("a") + &blocks)));
    let worst = worst_difference(&mut paths);
    // The engine turns a body by atan(ω·h) in each of its four substeps h, which is (ω·h)³/3 less than ω·h: 7e-7 rad here.
    assert!(worst > 0.0 && worst < 3e-6, "{worst}");
}

/// An intangible block is not an obstacle.
#[test]
fn intangible_blocks_are_driven_through() {
    let block = r#"<block><static>true</static><intangible>true</intangible><init_pose>4 0 0</init_pose></block>"#;
    let mut world = world(&(Cart { inside: IDEAL.into(), ..Cart::default() }.named("a") + block));
    twist(&mut world, 0, 2.0, 0.0);
    run(&mut world, 5.0);
    assert!((x(&world) - 10.0).abs() < 1e-9 && !first(&world).colliding, "{}", x(&world));
}

/// The points of a car's corner in the cells of a map lead to equations that are almost dependent; a car must not be thrown off by their solution.
#[test]
fn a_car_that_slides_along_the_wall_of_a_map_is_not_thrown_off() {
    let folder = repository("worlds");
    let variables = [("map_path", "maps/track_bean.yaml"), ("timestep", "0.01")];
    let options = LoadOptions {
        variables: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        ..LoadOptions::default()
    };
    let (mut world, _) = World::load(&folder.join("f1tenth.world.xml"), &options).unwrap();
    let id = world.scene().vehicles[0].id;
    // States from which the equations of the first step give a thousand metres per second.
    let states = [
        [
            4.415903818164613,
            4.703551078392263,
            1.9281882996082933,
            4.433536765701497,
            0.7530562845931545,
            -3.0326295650548394,
        ],
        [
            4.436039615758422,
            4.709518415919438,
            1.9048559029943297,
            4.127666587500577,
            0.9606164506728421,
            -2.6618020356009424,
        ],
    ];
    for [x, y, yaw, vx, vy, wz] in states {
        world.reset();
        let pose = Pose3 { x, y, yaw, ..Pose3::default() };
        world.set_state(id, Some(pose), Some(Twist2::new(vx, vy, wz))).unwrap();
        let action = Action::Ackermann { speed: 4.54, steering_angle: -0.28 };
        world.command(Command { vehicle: 0, action }).unwrap();
        for _ in 0..20 {
            step(&mut world);
            let velocity = first(&world).velocity_in_body;
            assert!(velocity.linear().norm() < 6.0 && velocity.wz.abs() < 20.0, "{velocity:?}");
        }
        assert!(first(&world).colliding);
    }
}

/// A map of 10 m x 3 m, free but for a wall below y = 0 and bumps on it: left edge, right edge and height [m].
const BUMPS: [[f64; 3]; 5] =
    [[0.0, 10.0, 0.0], [1.0, 1.05, 0.05], [3.0, 3.05, 0.1], [5.0, 5.05, 0.15], [7.0, 7.05, 0.2]];

/// A car of class f1tenth_single_track in that map, with this gap [m] between the map's lower edge and the wall's top.
fn car_at_a_rough_wall(folder: &std::path::Path, wall: f64) -> World {
    const CELL: f64 = 0.05;
    let mut map = b"P5\n200 60\n255\n".to_vec();
    for row in (0..60).rev() {
        for column in 0..200 {
            let (x, y) = ((f64::from(column) + 0.5) * CELL, (f64::from(row) + 0.5) * CELL - wall);
            let is_wall = BUMPS.iter().any(|[left, right, height]| (*left..*right).contains(&x) && y < *height);
            map.push(if is_wall { 0 } else { 254 });
        }
    }
    std::fs::write(folder.join("wall.pgm"), map).unwrap();
    let text = format!(
        "image: wall.pgm\nresolution: {CELL}\norigin: [0, {}, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
        -wall
    );
    std::fs::write(folder.join("wall.yaml"), text).unwrap();
    let map_path = folder.join("wall.yaml").to_str().unwrap().to_owned();
    let variables = vec![("map_path".to_owned(), map_path), ("timestep".to_owned(), "0.01".to_owned())];
    let file = repository("worlds/f1tenth.world.xml");
    World::load(&file, &LoadOptions { variables, ..LoadOptions::default() }).unwrap().0
}

/// Distance [m] of the outline of an F1TENTH car from the rough wall.
fn gap_to_the_wall(pose: Pose2) -> f64 {
    let corners = [[-0.125, -0.155], [0.455, -0.155], [0.455, 0.155], [-0.125, 0.155]].map(|[x, y]| Vec2::new(x, y));
    let mut least = f64::INFINITY;
    for (k, &from) in corners.iter().enumerate() {
        let side = corners[(k + 1) % 4] - from;
        for share in 0..=100 {
            let p = pose.transform_point(from + 0.01 * f64::from(share) * side);
            for [left, right, height] in BUMPS {
                least = least.min(f64::hypot((left - p.x).max(p.x - right).max(0.0), (p.y - height).max(0.0)));
            }
        }
    }
    least
}

/// A fast car approaches the planes of its contacts with a rough wall by centimetres in a step, and yet may pass beside it: it collides if the wall changes its motion, and not if
/// it ends far from it with the motion that it would have without the wall.
#[test]
fn a_fast_car_that_passes_close_to_a_rough_wall_collides_only_if_it_touches_it() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [mut world, mut open] =
        [(&folders[0], 1.0), (&folders[1], -9.0)].map(|(folder, wall)| car_at_a_rough_wall(folder.path(), wall));
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = [0; 3];
    for _ in 0..1000 {
        let mut uniform = |least: f64, most: f64| random.random_range(least..most);
        let pose = Pose3 { x: uniform(1.0, 8.0), y: uniform(0.17, 0.52), yaw: uniform(-0.3, 0.3), ..Pose3::default() };
        let velocity = Twist2::new(uniform(5.0, 15.0), uniform(-6.0, 0.0), uniform(0.0, 1.0));
        if gap_to_the_wall(pose.planar()) < 0.05 {
            continue;
        }
        let [actual, free] = [&mut world, &mut open].map(|world| {
            world.reset();
            world.set_state(world.scene().vehicles[0].id, Some(pose), Some(velocity)).unwrap();
            let action = Action::Ackermann { speed: velocity.vx, steering_angle: 0.0 };
            world.command(Command { vehicle: 0, action }).unwrap();
            step(world);
            let car = first(world);
            (car.colliding, car.velocity_in_body, car.world_from_body.planar())
        });
        assert!(!free.0);
        let is_deflected = (actual.1.linear() - free.1.linear()).norm() > 1e-6;
        let is_far = gap_to_the_wall(actual.2) > 0.05;
        if is_deflected {
            assert!(actual.0, "deflected from {pose:?} with {velocity:?}");
            counts[0] += 1;
        } else if is_far {
            assert!(!actual.0, "{pose:?} with {velocity:?}");
            counts[1] += 1;
        } else {
            counts[2] += 1;
        }
    }
    assert!(counts[0] > 4 && counts[1] > 100 && counts[2] > 20, "{counts:?}");
}

/// A resting F1TENTH car beside a wall at 45° in cells of 5 cm: it keeps its place at every gap, and is in contact only where it stands in a cell.
#[test]
fn a_car_that_rests_beside_a_slanted_wall_of_a_map_is_not_pushed() {
    const CELL: f64 = 0.05;
    const COUNT: u32 = 240;
    let folder = tempfile::tempdir().unwrap();
    let center = |k: u32| (f64::from(k) + 0.5 - 0.5 * f64::from(COUNT)) * CELL;
    let is_wall = |column: u32, row: u32| (0.0..0.42).contains(&(center(row) - center(column)));
    let mut map = format!("P5\n{COUNT} {COUNT}\n255\n").into_bytes();
    let cells = (0..COUNT).rev().flat_map(|row| (0..COUNT).map(move |column| (column, row)));
    map.extend(cells.map(|(column, row)| if is_wall(column, row) { 0 } else { 254 }));
    std::fs::write(folder.path().join("wall.pgm"), map).unwrap();
    let corner = -0.5 * f64::from(COUNT) * CELL;
    let text = format!(
        "image: wall.pgm\nresolution: {CELL}\norigin: [{corner}, {corner}, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"
    );
    std::fs::write(folder.path().join("wall.yaml"), text).unwrap();
    let map_path = folder.path().join("wall.yaml").to_str().unwrap().to_owned();
    let variables = vec![("map_path".to_owned(), map_path), ("timestep".to_owned(), "0.01".to_owned())];
    let file = repository("worlds/f1tenth.world.xml");
    let (mut world, _) = World::load(&file, &LoadOptions { variables, ..LoadOptions::default() }).unwrap();
    let id = world.scene().vehicles[0].id;
    let yaw = std::f64::consts::FRAC_PI_4;
    for away in [0.05, 0.08, 0.10, 0.12, 0.13, 0.15] {
        for place in 0..20 {
            world.reset();
            let at = Pose2::new(0.0, 0.0, yaw).transform_point(Vec2::new(0.2 * f64::from(place) - 2.0, -0.155 - away));
            let pose = Pose3 { x: at.x, y: at.y, yaw, ..Pose3::default() };
            world.set_state(id, Some(pose), Some(Twist2::ZERO)).unwrap();
            for _ in 0..3 {
                step(&mut world);
            }
            let car = first(&world);
            let after = car.world_from_body.planar();
            assert!(!car.colliding && car.velocity_in_body == Twist2::ZERO, "{away} m away at {at:?}: {car:?}");
            assert!((after.position() - at).norm() < 1e-12 && (after.yaw - yaw).abs() < 1e-12, "{after:?}");
        }
    }
}
