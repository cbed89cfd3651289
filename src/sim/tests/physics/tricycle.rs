//! A tricycle: its front wheel steers and drives, and its rear wheels only roll.

use super::common::*;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// Wheelbase of the cart as a tricycle [m].
const WHEELBASE: f64 = 1.0;
/// Its mass with three wheels [kg].
const MASS_ON_THREE: f64 = 115.0;

fn tricycle(inside: &str) -> Cart {
    Cart { drive: "tricycle", inside: inside.into(), ..Cart::default() }
}

fn driven() -> World {
    tricycle(r#"<controller class="front_steer_pid"><KP>200</KP><KI>100</KI><max_torque>200</max_torque></controller>"#)
        .world(0.001)
}

/// ω = v·tan δ/l at the rear axle, and the rim of the front wheel turns with v/cos δ.
#[test]
fn it_turns_about_the_point_on_the_rear_axle_that_the_front_wheel_points_around() {
    for angle in [0.2, -0.6, 1.2] {
        let mut world = driven();
        let speed = 0.4;
        let action = Action::Ackermann { speed, steering_angle: angle };
        world.command(Command { vehicle: 0, action }).expect("takes steering");
        run(&mut world, 8.0);
        let frame = first(&world);
        let v = frame.velocity_in_body;
        assert!((v.vx - speed).abs() < 0.004 && v.vy.abs() < 0.004, "{angle}: {v:?}");
        assert!((v.wz / (v.vx * angle.tan() / WHEELBASE) - 1.0).abs() < 0.01, "{angle}: {v:?}");
        let front = &frame.wheels[2];
        assert!((front.steer - angle).abs() < 1e-12, "{front:?}");
        assert!((front.spin * RADIUS * angle.cos() / v.vx - 1.0).abs() < 0.01, "{angle}: {front:?}");
        assert!(frame.wheels[..2].iter().all(|wheel| wheel.torque == 0.0));
        let (truth, reported) = (frame.world_from_body.planar(), frame.odom_from_body);
        assert!((truth.position() - reported.position()).norm() < 0.02, "{angle}: {reported:?} for {truth:?}");
    }
}

/// At full lock, 80°, a yaw rate alone makes the rear axle creep with ω·l/tan δ.
#[test]
fn a_yaw_rate_alone_turns_it_almost_on_the_spot() {
    let mut world = driven();
    twist(&mut world, 0, 0.0, 0.5);
    run(&mut world, 8.0);
    let v = first(&world).velocity_in_body;
    assert!((v.vx / (v.wz * WHEELBASE / 80.0_f64.to_radians().tan()) - 1.0).abs() < 0.01, "{v:?}");
    assert!((v.wz / 0.5 - 1.0).abs() < 0.05, "{v:?}");
}

/// Only the front wheel pulls: a = μ·N_f/m, N_f being half of the weight of body and rear wheels at the middle of the wheelbase, and its own.
#[test]
fn the_grip_of_the_front_wheel_limits_the_acceleration() {
    let mut world = tricycle(r#"<controller class="raw"><torque>1000</torque></controller>"#).world(0.005);
    run(&mut world, 1.0);
    // The chassis weighs 100 kg at half the wheelbase, and each wheel 5 kg. The rear wheels take Σ I/R² = 5 kg along.
    let front_load = (0.5 * 100.0 + 5.0) * GRAVITY;
    let expected = 0.8 * front_load / (MASS_ON_THREE + 5.0);
    let actual = first(&world).velocity_in_body.vx;
    assert!((actual / expected - 1.0).abs() < 0.01, "{actual} for {expected}");
}

#[test]
fn a_front_wheel_beside_the_middle_is_explained() {
    let text = r#"<mvsim_world><vehicle name="r1"><init_pose>0 0 0</init_pose>
<dynamics class="tricycle"><f_wheel pos="1 0.2"/></dynamics></vehicle></mvsim_world>"#;
    assert_eq!(
        problems(text),
        [
            "bad.xml:2:1: the front wheel at (1, 0.2) is not ahead of the middle of the rear axle at (0, 0)\n  accepted: x greater than 0 and y = 0"
        ]
    );
}
