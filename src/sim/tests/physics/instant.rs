//! The motion that is told is the motion that is made: velocities, headings, forces and accelerations are those of one instant, at
//! any step, and a body that contacts hold in place does not move.

use super::common::*;
use skidpad_math::{Rot2, Twist2, Vec2};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{PhysicsRules, VehicleFrame, World};

const STEPS: [f64; 5] = [0.001, 0.0025, 0.005, 0.01, 0.02];

fn circling(friction: &str, step: f64) -> World {
    let inside =
        r#"<controller class="front_steer_pid"><KP>100</KP><KI>20</KI><max_torque>100</max_torque></controller>"#;
    let cart = Cart { drive: "ackermann", inside: inside.into(), friction: friction.into(), ..Cart::default() };
    let mut world = cart.world(step);
    let action = Action::Ackermann { speed: 2.0, steering_angle: 0.2 };
    world.command(Command { vehicle: 0, action }).expect("steers");
    run(&mut world, 8.0);
    world
}

fn law(inside: &str) -> String {
    format!(r#"<friction {inside}</friction>"#)
}

/// Nothing slips while it grips, so that the slip angles are 0 and the radius is L/tan δ; what remains is proportional to the step,
/// a fifth of the turn of a step or less, by forces along the steered wheels.
#[test]
fn gripping_wheels_do_not_slip_in_a_turn_at_any_step() {
    for friction in [law(r#"class="default">"#), law(r#"class="wardiagnemma">"#)] {
        for step in STEPS {
            let world = circling(&friction, step);
            let car = first(&world);
            let turn = car.velocity_in_body.wz * step;
            for wheel in &car.wheels {
                assert!(wheel.slip_angle().abs() < turn / 5.0, "{step}: {} of {turn}", wheel.slip_angle());
                assert!(wheel.slip_ratio().abs() < 1e-4, "{step}: {}", wheel.slip_ratio());
            }
            let Twist2 { vx, vy, wz } = car.velocity_in_body;
            assert!(vy.abs() < vx * turn / 5.0, "{step}: {vy} m/s");
            let radius = 1.0 / 0.2_f64.tan();
            assert!((vx / wz / radius - 1.0).abs() < 0.3 * step, "{step}: {} for {radius}", vx / wz);
        }
    }
}

/// Nor while it accelerates, at 5 ms each wheel for itself and at 20 ms together with the body; −a·Δt/v would be 0.06 there.
#[test]
fn gripping_wheels_do_not_slip_while_they_accelerate() {
    for step in [0.005, 0.02] {
        let mut world = world(&format!(
            r#"<simul_timestep>{step}</simul_timestep><include file="worlds/vehicles/racecar.vehicle.xml"/>
            <vehicle name="r" class="racecar"><init_pose>0 0 0</init_pose></vehicle>"#
        ));
        twist(&mut world, 0, 3.0, 0.0);
        run(&mut world, 0.3);
        let start = first(&world).velocity_in_body.vx;
        for _ in 0..10 {
            for wheel in &crate::common::step(&mut world).vehicles[0].wheels {
                assert!(wheel.slip_ratio().abs() < 1e-3, "{step}: {}", wheel.slip_ratio());
            }
        }
        assert!(first(&world).velocity_in_body.vx > start + 0.05, "it accelerates: {start}");
    }
}

/// Where the force is a function of the slip, the slip is that of the force at any step.
#[test]
fn slips_of_tyres_in_a_turn_do_not_depend_on_the_step() {
    for class in ["linear", "fiala", "pacejka"] {
        let slip = |step: f64| {
            let world = circling(&law(&format!(r#"class="{class}">"#)), step);
            first(&world).wheels.iter().map(|wheel| wheel.slip_angle()).collect::<Vec<_>>()
        };
        let exact = slip(0.0005);
        for step in STEPS {
            for (actual, exact) in slip(step).iter().zip(&exact) {
                assert!((actual / exact - 1.0).abs() < 1.5 * step, "{class} at {step}: {actual} for {exact}");
            }
        }
    }
}

/// The sum of the forces at the wheels in the body frame [N].
fn pushed(car: &VehicleFrame) -> Vec2 {
    car.wheels.iter().fold(Vec2::ZERO, |sum, wheel| sum + Rot2::new(wheel.steer) * wheel.force_in_wheel)
}

/// m·a = ΣF in the frame that turns with the body, on the circle and while it gets onto it. The centre of mass is half a metre
/// before the reference point.
#[test]
fn accelerations_are_those_of_the_forces() {
    for class in ["default", "linear"] {
        let mut world = circling(&law(&format!(r#"class="{class}">"#)), 0.005);
        for steering_angle in [0.2, -0.1] {
            let action = Action::Ackermann { speed: 2.5, steering_angle };
            world.command(Command { vehicle: 0, action }).expect("steers");
            for _ in 0..400 {
                let before = first(&world).velocity_in_body.wz;
                let car = &step(&mut world).vehicles[0];
                let wz = car.velocity_in_body.wz;
                let mean = 0.5 * (wz + before);
                let of_center = car.acceleration_in_body + Vec2::new(-0.5 * mean * mean, 0.5 * (wz - before) / 0.005);
                let off = (MASS * of_center - pushed(car)).norm();
                assert!(off < 0.03 * (10.0 + pushed(car).norm()), "{class}: {off} N of {:?}", pushed(car));
            }
        }
    }
}

/// What an ideal controller commands is told, and the path is the circle itself.
#[test]
fn imposed_velocities_are_told_and_followed_at_any_step() {
    for step in STEPS {
        let cart = Cart { inside: r#"<controller class="twist_ideal"/>"#.into(), ..Cart::default() };
        let mut world = cart.world(step);
        twist(&mut world, 0, 4.0, 2.0);
        run(&mut world, 3.0);
        let car = first(&world);
        let reported = car.velocity_in_body;
        let off = Twist2::new(reported.vx - 4.0, reported.vy, reported.wz - 2.0);
        assert!(off.linear().norm() < 1e-12 && off.wz.abs() < 1e-12, "{step}: {reported:?}");
        let (pose, angle) = (car.world_from_body, 2.0 * world.frame().time.secs());
        let off = Vec2::new(pose.x - 2.0 * angle.sin(), pose.y - 2.0 * (1.0 - angle.cos())).norm();
        // The engine turns the body in the first step, short of turn³/48.
        assert!(off < 3e-6, "{step}: {off} m");
    }
}

/// Under MVSim's rules the velocity is that of before the turn of the step.
#[test]
fn mvsims_rules_keep_the_slip_of_a_step() {
    let inside = r#"<controller class="twist_ideal"/>"#;
    let cart = Cart { inside: inside.into(), ..Cart::default() };
    let mut world = world_with(&cart.named("cart"), Some(PhysicsRules::Mvsim));
    twist(&mut world, 0, 4.0, 2.0);
    run(&mut world, 1.0);
    // That of the centre of mass, half a metre ahead, keeps its direction in the world.
    let turn = 2.0 * world.scene().step.secs();
    let expected = -4.0 * turn.sin() + 2.0 * 0.5 * (turn.cos() - 1.0);
    let reported = first(&world).velocity_in_body.vy;
    assert!((reported - expected).abs() < 1e-9, "{reported} for {expected}");
}

/// A robot that presses a crate against a wall stands: what is told is the change of its pose, and its odometry stays.
#[test]
fn what_presses_a_crate_against_a_wall_stands() {
    let crate_and_wall = r#"
        <block name="crate"><mass>4</mass><ground_friction>0.3</ground_friction><init_pose>2 0 0</init_pose><zmax>0.4</zmax>
        <shape><pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt><pt>0.2 -0.2</pt></shape></block>
        <walls><shape><pt>2.5 -3</pt><pt>2.5 3</pt></shape></walls>"#;
    let inside = r#"<controller class="twist_pid"><KP>100</KP><KI>20</KI><max_torque>20</max_torque></controller>"#;
    let cart = Cart { inside: inside.into(), ..Cart::default() }.named("cart");
    let mut world = world(&(cart + crate_and_wall));
    twist(&mut world, 0, 0.5, 0.0);
    run(&mut world, 4.0);
    let (mut pose, odom) = (first(&world).world_from_body, first(&world).odom_from_body);
    let dt = world.scene().step.secs();
    for _ in 0..800 {
        let car = &step(&mut world).vehicles[0];
        let mean_speed = (car.world_from_body.x - pose.x) / dt;
        assert!((car.velocity_in_body.vx - mean_speed).abs() < 1e-4, "{} for {mean_speed}", car.velocity_in_body.vx);
        pose = car.world_from_body;
    }
    let ran = first(&world).odom_from_body.x - odom.x;
    assert!(ran.abs() < 1e-4, "{ran} m in 4 s");
}
