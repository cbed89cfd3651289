//! The worlds with joints and with motion of their own: each shows what it is there to show.

use super::load_under as load;
use skidpad_math::{Pose3, Twist2, Vec3};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{PhysicsRules, World};

const RULES: [PhysicsRules; 2] = [PhysicsRules::Skidpad, PhysicsRules::Mvsim];

fn order(world: &mut World, vehicle: &str, action: Action) {
    let vehicle = world.scene().vehicle_index(vehicle).unwrap();
    world.command(Command { vehicle, action }).unwrap();
}

fn run(world: &mut World, seconds: f64, mut look: impl FnMut(&World)) {
    let end = world.frame().time.secs() + seconds - 0.5 * world.scene().step.secs();
    while world.frame().time.secs() < end {
        world.step().unwrap_or_else(|error| panic!("{error}"));
        look(world);
    }
}

fn vehicle(world: &World, name: &str) -> Pose3 {
    world.frame().vehicles[world.scene().vehicle_index(name).unwrap()].world_from_body
}

fn block(world: &World, name: &str) -> Pose3 {
    world.frame().blocks[world.scene().blocks.iter().position(|block| block.name == name).unwrap()]
}

fn distance(a: Pose3, p: (f64, f64), b: Pose3, q: (f64, f64)) -> f64 {
    (a.transform_point(Vec3::new(p.0, p.1, 0.0)) - b.transform_point(Vec3::new(q.0, q.1, 0.0))).norm()
}

fn turned(a: Pose3, b: Pose3) -> f64 {
    (b.yaw - a.yaw).to_degrees()
}

#[test]
fn a_train_follows_its_tractor_and_folds_up_to_its_limit() {
    for rules in RULES {
        let mut world = load("tractor_trailer", rules);
        let names: Vec<&str> = world.scene().joints.iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(names, ["hitch", "joint1"]);
        let closed = |world: &World| {
            let (a, b, c) = (vehicle(world, "tractor"), vehicle(world, "cart_1"), vehicle(world, "cart_2"));
            assert!(distance(a, (-0.6, 0.0), b, (1.5, 0.0)) < 1e-6 && distance(b, (-0.8, 0.0), c, (1.5, 0.0)) < 1e-6);
        };
        order(&mut world, "tractor", Action::Ackermann { speed: 1.5, steering_angle: 0.3 });
        run(&mut world, 10.0, closed);
        let angle = turned(vehicle(&world, "tractor"), vehicle(&world, "cart_1"));
        assert!(angle < -10.0 && angle > -60.0, "{angle}");
        order(&mut world, "tractor", Action::Ackermann { speed: -1.0, steering_angle: 0.5 });
        let mut widest: f64 = 0.0;
        run(&mut world, 12.0, |world| {
            closed(world);
            widest = widest.max(turned(vehicle(world, "tractor"), vehicle(world, "cart_1")).abs());
        });
        assert!((69.0..70.5).contains(&widest), "{widest}");
    }
}

#[test]
fn a_rope_tows_a_spring_swings_and_a_beam_turns() {
    for rules in RULES {
        let mut world = load("rope_and_spring", rules);
        order(&mut world, "robot", Action::Twist(Twist2::new(0.4, 0.0, 0.0)));
        let start = block(&world, "sledge");
        run(&mut world, 1.0, |_| {});
        assert_eq!(block(&world, "sledge"), start, "the rope is slack");
        let mut longest: f64 = 0.0;
        let mut swing = (f64::INFINITY, f64::NEG_INFINITY);
        run(&mut world, 9.0, |world| {
            longest = longest.max(distance(vehicle(world, "robot"), (-0.2, 0.0), block(world, "sledge"), (0.25, 0.0)));
            let x = block(world, "crate").x;
            swing = (swing.0.min(x), swing.1.max(x));
            assert!(distance(block(world, "beam"), (0.0, 0.0), block(world, "pivot"), (0.0, 0.0)) < 1e-6);
        });
        assert!(longest < 1.5 + 1e-6 && longest > 1.4999, "{longest}");
        assert!(block(&world, "sledge").x > 0.5, "{:?}", block(&world, "sledge"));
        assert!(swing.0 > -0.51 && swing.1 > 0.1, "{swing:?}");
        let x = block(&world, "crate").x;
        assert!(x.abs() < 0.2, "it comes to rest in the middle, is at {x}");
        // The beam turns for ever.
        let before = block(&world, "beam").yaw;
        run(&mut world, 1.0, |_| {});
        let rate = block(&world, "beam").yaw - before;
        run(&mut world, 1.0, |_| {});
        assert!(rate > 0.1 && (block(&world, "beam").yaw - before - 2.0 * rate).abs() < 1e-3 * rate, "{rate}");
    }
}

#[test]
fn a_ram_pushes_a_crate_and_a_gate_opens() {
    let mut world = load("moving_blocks", PhysicsRules::Skidpad);
    order(&mut world, "robot", Action::Twist(Twist2::new(0.6, 0.0, 0.0)));
    run(&mut world, 4.0, |_| {});
    let crate_ = block(&world, "crate");
    assert!((crate_.x - 0.78).abs() < 0.1 && (crate_.y - 3.0).abs() < 0.05, "{crate_:?}");
    // The gate is shut: it waits at the sliding leaf, at x = 1.95.
    let robot = vehicle(&world, "robot");
    assert!(robot.x < 1.95 && robot.x > 1.5 && world.frame().vehicles[0].colliding, "{robot:?}");
    run(&mut world, 8.0, |_| {});
    assert!(vehicle(&world, "robot").x > 3.5, "{:?}", vehicle(&world, "robot"));
    assert_eq!((block(&world, "sliding").y, block(&world, "rising").z), (2.5, 1.5));
    assert_eq!(block(&world, "crate").x, crate_.x);
    // Under MVSim's rules what has risen still blocks.
    let mut world = load("moving_blocks", PhysicsRules::Mvsim);
    order(&mut world, "robot", Action::Twist(Twist2::new(0.6, 0.0, 0.0)));
    run(&mut world, 12.0, |_| {});
    assert!(vehicle(&world, "robot").x < 3.0, "{:?}", vehicle(&world, "robot"));
}

#[test]
fn a_patrol_keeps_its_route_and_pushes_obstacles() {
    for rules in RULES {
        let mut world = load("animated_vehicle", rules);
        let robot = vehicle(&world, "robot");
        let mut touched = false;
        run(&mut world, 41.5, |world| {
            touched |= world.frame().vehicles[1].colliding;
            let patrol = vehicle(world, "patrol");
            assert!(patrol.x.abs() < 2.0 + 1e-9 && patrol.y.abs() < 2.0 + 1e-9, "{patrol:?}");
        });
        let patrol = &world.frame().vehicles[0];
        assert!((patrol.world_from_body.x + 0.5).abs() < 1e-9 && (patrol.velocity_in_body.vx - 1.0).abs() < 1e-9);
        assert!(patrol.wheels.iter().all(|wheel| wheel.spin > 1.0));
        let pushed = vehicle(&world, "robot");
        assert!(touched && (pushed.x - robot.x).hypot(pushed.y - robot.y) > 0.1, "{pushed:?}");
        world.reset();
        assert_eq!(vehicle(&world, "patrol").x, -2.0);
    }
}
