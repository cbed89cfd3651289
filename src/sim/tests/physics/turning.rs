//! Steady circles: radius, yaw rate and the angles of the front wheels.

use super::common::*;
use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

const DRIVES: [&str; 2] = ["ackermann", "ackermann_drivetrain"];

fn steered(drive: &'static str, speed: f64, degrees: f64) -> World {
    let inside = format!(
        r#"<controller class="front_steer_pid"><KP>500</KP><KI>200</KI><max_torque>500</max_torque>
        <V>{speed}</V><STEER_ANG>{degrees}</STEER_ANG></controller>"#
    );
    Cart { drive, inside, ..Cart::default() }.world(0.005)
}

/// Radius of the rear axle's middle on the circle through three points of its path.
fn radius(world: &mut World, seconds: f64) -> f64 {
    let mut points = vec![first(world).world_from_body.planar()];
    for _ in 0..2 {
        run(world, seconds);
        points.push(first(world).world_from_body.planar());
    }
    let side = |a: usize, b: usize| (points[a].x - points[b].x).hypot(points[a].y - points[b].y);
    let (a, b, c) = (side(0, 1), side(1, 2), side(2, 0));
    let cross = (points[1].x - points[0].x) * (points[2].y - points[0].y)
        - (points[2].x - points[0].x) * (points[1].y - points[0].y);
    a * b * c / (2.0 * cross)
}

/// Geometry of Ackermann steering: R = L/tan δ about the rear axle, ω = v·tan δ/L. At 0.3 to 1 m/s grip has ample reserve;
/// what remains is the turn of one step, v·dt/L = 0.5 %.
#[test]
fn a_slow_steady_circle_has_the_radius_of_the_geometry() {
    for drive in DRIVES {
        for (speed, degrees) in [(1.0, 10.0_f64), (0.3, -25.0), (-0.5, 20.0)] {
            let mut world = steered(drive, speed, degrees);
            run(&mut world, 8.0);
            let expected = 1.0 / degrees.to_radians().tan();
            let actual = radius(&mut world, 0.8) * f64::signum(speed);
            assert!((actual / expected - 1.0).abs() < 5e-3, "{drive} {degrees}: {actual} for {expected}");
            let twist = first(&world).velocity_in_body;
            assert!((twist.vx / speed - 1.0).abs() < 1e-2, "{drive}: {twist:?}");
            assert!((twist.wz * expected / twist.vx - 1.0).abs() < 5e-3, "{drive}: {twist:?}");
            assert!(twist.vy.abs() < 5e-3 * speed.abs(), "{drive}: {twist:?}");
        }
    }
}

/// cot δ_inner = cot δ − w/2L, cot δ_outer = cot δ + w/2L, here with w = L = 1; the limit of 30° counts for δ.
#[test]
fn frames_carry_the_ackermann_angles() {
    for drive in DRIVES {
        for degrees in [5.0_f64, -20.0, 29.9, 60.0, -60.0] {
            let mut world = steered(drive, 0.0, degrees);
            let wheels: Vec<f64> = step(&mut world).vehicles[0].wheels.iter().map(|w| w.steer).collect();
            let delta = degrees.to_radians().clamp(-30.0_f64.to_radians(), 30.0_f64.to_radians());
            let cotangent = 1.0 / delta.tan();
            assert_eq!(wheels[..2], [0.0, 0.0], "{drive}");
            // About the middle of the rear axle, left is the side of positive y.
            assert!((1.0 / wheels[2].tan() - (cotangent - 0.5)).abs() < 1e-12, "{drive} {degrees}: {wheels:?}");
            assert!((1.0 / wheels[3].tan() - (cotangent + 0.5)).abs() < 1e-12, "{drive} {degrees}: {wheels:?}");
            let setpoint = world.frame().vehicles[0].setpoint;
            assert!((setpoint.steering_angle - delta).abs() < 1e-15, "{setpoint:?}");
        }
    }
}

/// The two kinds of command meet where ω = v·tan δ/L: same run, bit for bit, where the angle comes back exactly.
#[test]
fn velocity_and_ackermann_commands_drive_the_same_circle() {
    for drive in DRIVES {
        let paths = [
            Action::Ackermann { speed: 0.8, steering_angle: 0.2 },
            Action::Twist(Twist2::new(0.8, 0.0, 0.8 * 0.2_f64.tan())),
        ]
        .map(|action| {
            let mut world = steered(drive, 0.0, 0.0);
            world.command(Command { vehicle: 0, action }).unwrap();
            run(&mut world, 5.0);
            first(&world).world_from_body.planar()
        });
        let [a, b] = paths;
        assert!((a.x - b.x).abs() < 1e-9 && (a.y - b.y).abs() < 1e-9 && (a.yaw - b.yaw).abs() < 1e-9, "{a:?} {b:?}");
        assert!(a.yaw > 0.5, "{a:?}");
    }
}

/// In a steady turn the wheels hold the centripetal force: Σ F_y = m·a_y with a_y = ω²·R of the centre of mass. Where v²/R
/// asks for more than μ·g, the sum of all forces stays at μ·m·g.
#[test]
fn a_fast_circle_is_held_by_friction_up_to_mu_g() {
    let mut world = steered("ackermann", 2.0, 20.0);
    run(&mut world, 10.0);
    let frame = first(&world);
    let twist = frame.velocity_in_body;
    let lateral: f64 =
        frame.wheels.iter().map(|w| w.force_in_wheel.x * w.steer.sin() + w.force_in_wheel.y * w.steer.cos()).sum();
    let expected = MASS * twist.wz * twist.vx;
    assert!((lateral / expected - 1.0).abs() < 0.02, "{lateral} for {expected}");

    let mut fast = steered("ackermann", 8.0, 20.0);
    let (grip, mut most) = (0.8 * MASS * GRAVITY, 0.0_f64);
    for _ in 0..2000 {
        step(&mut fast);
        let sum = first(&fast).wheels.iter().fold((0.0, 0.0), |sum, w| {
            let (sin, cos) = w.steer.sin_cos();
            let f = w.force_in_wheel;
            (sum.0 + f.x * cos - f.y * sin, sum.1 + f.x * sin + f.y * cos)
        });
        most = most.max(f64::hypot(sum.0, sum.1));
    }
    assert!(most <= grip * (1.0 + 1e-12) && most > 0.95 * grip, "{most} of {grip}");
}

/// The angle in a frame is that of the wheel against the body, with the yaw at which it is mounted, from the start on.
#[test]
fn a_wheel_reports_its_mounting_yaw() {
    let cart = Cart { inside: r#"<controller class="twist_pid"/>"#.into(), ..Cart::default() };
    let mut world = world(&cart.named("a").replace(r#"pos="1 0.5""#, r#"pos="1 0.5 30""#));
    let yaws = |world: &World| first(world).wheels.iter().map(|wheel| wheel.steer).collect::<Vec<_>>();
    let expected = [0.0, 0.0, 30.0_f64.to_radians(), 0.0];
    assert_eq!(yaws(&world), expected);
    step(&mut world);
    assert_eq!(yaws(&world), expected);
}
