//! Heights: bodies pass over and under each other, in collisions and for planar lidars.

use super::common::*;
use skidpad_math::{Pose2, Twist2, Vec2};
use skidpad_sim::vehicle::{Inertia, Piece};
use skidpad_sim::world::{Physics, PhysicsRules, World};

const IDEAL: &str = r#"<controller class="twist_ideal"/>"#;

/// A cart told to drive along x with 1 m/s, and this in its way.
fn drive(obstacle: &str, rules: PhysicsRules) -> World {
    let mut world = world_with(&(Cart { inside: IDEAL.into(), ..Cart::default() }.named("a") + obstacle), Some(rules));
    twist(&mut world, 0, 1.0, 0.0);
    world
}

fn obstacle(zmin: f64, zmax: f64, extra: &str) -> String {
    format!("<block><init_pose>4 0 0</init_pose><zmin>{zmin}</zmin><zmax>{zmax}</zmax>{extra}</block>")
}

/// The chassis ends at 0.6 m: what begins there or higher is over it, what ends at the floor is under it.
#[test]
fn a_vehicle_drives_under_high_obstacles() {
    let fixed = "<static>true</static>";
    for extra in [fixed, "<mass>1e6</mass>"] {
        for (zmin, zmax, passes) in [
            (0.6, 2.0, true),
            (0.58, 2.0, false),
            (0.0, 0.3, false),
            (-1.0, 0.0, true),
            (3.0, 5.0, true),
            (0.0, 0.005, false),
        ] {
            let mut world = drive(&obstacle(zmin, zmax, extra), PhysicsRules::Skidpad);
            run(&mut world, 3.0);
            let x = first(&world).world_from_body.x;
            assert_eq!((x - 3.0).abs() < 1e-6, passes, "{zmin} to {zmax}, {extra}: {x}");
            assert_eq!(first(&world).colliding, !passes);
            if !passes || extra != fixed {
                continue;
            }
            // MVSim knows no heights.
            let mut world = drive(&obstacle(zmin, zmax, extra), PhysicsRules::Mvsim);
            run(&mut world, 3.0);
            assert!(first(&world).world_from_body.x < 2.5, "{zmin} to {zmax} under MVSim's rules");
        }
    }
}

/// A block slides over a wall that stands beneath it, and stops at a pillar that reaches as high.
#[test]
fn blocks_have_storeys_too() {
    let sliding = r#"<block><init_pose>0 0 0</init_pose><init_vel>2 0 0</init_vel><zmin>3</zmin><zmax>4</zmax>
        <ground_friction>0</ground_friction><linear_damping>0</linear_damping></block>"#;
    let wall = "<walls><wallHeight>2</wallHeight><shape><pt>2 -5</pt><pt>2 5</pt></shape></walls>";
    let pillar = r#"<block><static>true</static><init_pose>6 0 0</init_pose><zmin>0</zmin><zmax>4</zmax></block>"#;
    let mut world = world(&(sliding.to_string() + wall + pillar));
    run(&mut world, 2.0);
    assert!((world.frame().blocks[0].x - 4.0).abs() < 1e-6, "{:?}", world.frame().blocks[0]);
    run(&mut world, 2.0);
    assert!(world.frame().blocks[0].x < 5.01, "{:?}", world.frame().blocks[0]);
}

/// A lift gate that rises frees the way.
#[test]
fn a_rising_gate_opens() {
    let gate = obstacle(
        0.0,
        2.0,
        r#"<static>true</static><animation type="keyframes"><time_pose3d>0 0 0 0 0 0 0</time_pose3d>
        <time_pose3d>5 0 0 0 0 0 0</time_pose3d><time_pose3d>6 0 0 3 0 0 0</time_pose3d>
        <time_pose3d>60 0 0 3 0 0 0</time_pose3d></animation>"#,
    );
    let mut world = drive(&gate, PhysicsRules::Skidpad);
    run(&mut world, 5.0);
    assert!(first(&world).colliding && first(&world).world_from_body.x < 2.3);
    run(&mut world, 5.0);
    let x = first(&world).world_from_body.x;
    assert!(!first(&world).colliding && x > 5.0, "{x}");
}

/// Bodies of the engine on two floors, by themselves: over a wall and over each other, until the heights change.
#[test]
fn an_upper_floor_over_walls_is_driven_as_if_alone() {
    let square = |half: f64| Piece {
        outline: [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y)).to_vec(),
        friction: 0.5,
        restitution: 0.0,
    };
    let inertia = Inertia { mass: 10.0, center_of_mass: Vec2::ZERO, yaw: 2.0 };
    let mut physics = Physics::new(0.005, 0.03);
    let upper = physics.add_body(&[square(0.5)], inertia, Pose2::IDENTITY, [0.0; 2]);
    let lower = physics.add_body(&[square(0.5)], inertia, Pose2::new(2.0, 0.0, 0.0), [0.0; 2]);
    physics.set_heights(upper, [3.0, 3.6]);
    physics.set_heights(lower, [0.0, 0.6]);
    for k in 0..10 {
        physics.add_static(&square(0.3), Pose2::new(f64::from(k), 1.0, 0.3), [0.0, 2.0]);
        physics.add_static(&square(0.3), Pose2::new(f64::from(k), 0.0, 0.3), [-3.0, -1.0]);
    }
    for _ in 0..800 {
        physics.impose_velocity(upper, Twist2::new(1.0, 0.25, 0.1));
        physics.step();
        assert!(!physics.state(upper).is_colliding && !physics.state(lower).is_colliding);
    }
    let mut alone = Physics::new(0.005, 0.03);
    let body = alone.add_body(&[square(0.5)], inertia, Pose2::IDENTITY, [0.0; 2]);
    for _ in 0..800 {
        alone.impose_velocity(body, Twist2::new(1.0, 0.25, 0.1));
        alone.step();
    }
    let (a, b) = (physics.world_from_body(upper), alone.world_from_body(body));
    assert!((a.x - b.x).abs() < 1e-6 && (a.y - b.y).abs() < 1e-6 && (a.yaw - b.yaw).abs() < 1e-6, "{a:?} for {b:?}");
    assert_eq!(physics.world_from_body(lower), Pose2::new(2.0, 0.0, 0.0));
    // Down to the ground floor: the next wall stops it.
    physics.place(upper, Pose2::new(-2.0, 1.0, 0.0), Twist2::ZERO);
    physics.set_heights(upper, [0.0, 0.6]);
    for _ in 0..800 {
        physics.impose_velocity(upper, Twist2::new(1.0, 0.0, 0.0));
        physics.step();
    }
    assert!(
        physics.state(upper).is_colliding && physics.world_from_body(upper).x < -0.5,
        "{:?}",
        physics.world_from_body(upper)
    );
}

fn middle_beam(world: &World) -> f32 {
    let scan = world.frame().readings[0].data.scan().unwrap();
    scan.ranges[scan.ranges.len() / 2]
}

/// Planar lidars see what reaches their height, whatever the heights of their own vehicle. A lidar on the ground sees what
/// shares a height with its vehicle. The chassis ends at 0.6 m.
#[test]
fn planar_lidars_see_what_reaches_their_height() {
    for (height, zmin, zmax, seen) in [
        (0.3, 0.0, 1.0, true),
        (0.3, 0.0, 0.3, true),
        (0.3, 0.0, 0.29, false),
        (0.3, 0.4, 2.0, false),
        (1.0, 0.7, 2.0, true),
        (1.0, 0.0, 0.6, false),
        (0.3, -2.0, 0.0, false),
        (0.3, 3.0, 5.0, false),
        (0.0, 0.05, 0.1, true),
        (0.0, 0.5, 2.0, true),
        (0.0, 0.7, 2.0, false),
    ] {
        for extra in ["<static>true</static>", ""] {
            let sensor = format!(
                r#"<sensor class="laser"><pose_3d>0 0 {height} 0 0 0</pose_3d><nrays>3</nrays><range_std_noise>0</range_std_noise>
                <angle_std_noise_deg>0</angle_std_noise_deg></sensor></vehicle>"#
            );
            let cart = Cart::default().named("a").replace("</vehicle>", &sensor);
            let behind = "<walls><shape><pt>9 -3</pt><pt>9 3</pt></shape></walls>";
            let text = cart + &obstacle(zmin, zmax, extra) + behind;
            let mut world = world_with(&text, Some(PhysicsRules::Skidpad));
            run(&mut world, 0.1);
            let expected = if seen { 3.5 } else { 8.95 };
            assert!(
                (middle_beam(&world) - expected).abs() < 1e-5,
                "{height}, {zmin} to {zmax}: {}",
                middle_beam(&world)
            );
            let mut world = world_with(&text, Some(PhysicsRules::Mvsim));
            run(&mut world, 0.1);
            assert!((middle_beam(&world) - 3.5).abs() < 1e-5, "MVSim's rules: {}", middle_beam(&world));
        }
    }
}
