//! Inputs between commands and the car, friction that differs by wheel, and motors whose torque falls with speed.

use super::common::*;
use skidpad::math::{Pose3, Twist2};
use skidpad::time::SimTime;
use skidpad::vehicle::{Action, Command, Pedals};

/// A kinematic bicycle of 1 m with these inputs.
fn bicycle(inputs: &str) -> String {
    format!(
        r#"<vehicle name="car"><init_pose>0 0 0</init_pose><dynamics class="kinematic_bicycle">
        <rl_wheel pos="0 0.2"/><rr_wheel pos="0 -0.2"/><fl_wheel/><fr_wheel/><f_wheels_x>1</f_wheels_x><f_wheels_d>0.4</f_wheels_d>
        <chassis><shape><pt>0 -0.2</pt><pt>0 0.2</pt><pt>1 0.2</pt><pt>1 -0.2</pt></shape></chassis>{inputs}</dynamics></vehicle>"#
    )
}

fn in_world(vehicle: &str) -> String {
    format!("<mvsim_world>{vehicle}</mvsim_world>")
}

fn ackermann(speed: f64, steering_angle: f64) -> Command {
    Command { vehicle: 0, action: Action::Ackermann { speed, steering_angle } }
}

/// v(t) = 0.9·(1 − e^(−(t − 0.1)/0.2)) and yaw rate v·tan(0.2·1.5 + 0.01), from 0.1 s on.
#[test]
fn inputs_delay_and_lag_what_the_car_does() {
    let inputs = r#"<inputs><speed gain="0.9" delay="0.1" lag="0.2"/><steering gain="1.5" offset_deg="0.572957795" delay="0.1"/></inputs>"#;
    let mut world = world(&bicycle(inputs));
    world.command(ackermann(1.0, 0.2)).unwrap();
    let dt = world.scene().step.secs();
    for count in 1..200 {
        let car = step(&mut world).vehicles[0].velocity_in_body;
        let time = (f64::from(count) * dt - 0.1).max(0.0);
        let speed = 0.9 * (1.0 - (-time / 0.2).exp());
        assert!((car.vx - speed).abs() < 1e-9, "{} for {speed}", car.vx);
        assert!(time <= 0.0 || (car.wz - speed * 0.31_f64.tan()).abs() < 1e-8, "{} at {speed}", car.wz);
    }
}

/// A car that is set to a velocity goes on from it, and its steering stays where the commands have brought it.
#[test]
fn a_car_that_is_set_to_a_velocity_goes_on_from_it() {
    let mut world = world(&bicycle(r#"<inputs><speed lag="0.5"/><steering lag="0.1"/></inputs>"#));
    let dt = world.scene().step.secs();
    world.command(ackermann(0.5, 0.3)).unwrap();
    run(&mut world, 2.0);
    let id = world.scene().vehicles[0].id;
    world.set_state(id, Some(Pose3::default()), Some(Twist2::new(2.0, 0.0, 0.0))).unwrap();
    let car = step(&mut world).vehicles[0].velocity_in_body;
    assert!((car.vx - (0.5 + 1.5 * (-dt / 0.5).exp())).abs() < 1e-3, "{car:?}");
    assert!((car.wz / car.vx - 0.3_f64.tan()).abs() < 1e-6, "{car:?}");
}

#[test]
fn when_commands_stop_the_controller_hears_it_at_once() {
    let mut world = world(&bicycle(r#"<inputs><speed delay="0.5"/></inputs>"#));
    world.command(ackermann(1.0, 0.0)).unwrap();
    run(&mut world, 1.0);
    assert!((first(&world).velocity_in_body.vx - 1.0).abs() < 1e-12);
    world.set_command_timeout(Some(SimTime::from_secs(0.01)));
    run(&mut world, 0.1);
    assert_eq!(first(&world).velocity_in_body.vx, 0.0);
}

#[test]
fn bad_inputs_are_explained() {
    let found = problems(&in_world(&bicycle(
        r#"<inputs><speed delay="9"/><steering curve="0 1 0 2"/><throttle lag="-1"/></inputs>"#,
    )))
    .join("\n");
    for part in ["delay", "from 0 to 5", "pairs of a command and its result, with rising commands", "lag"] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

/// An Ackermann car on this friction, which slides sideways at 1 m/s; its yaw rate after 20 ms.
fn yaw_rate_of_a_slide(friction: &str) -> f64 {
    let cart = Cart {
        drive: "ackermann",
        inside: r#"<controller class="raw"/>"#.into(),
        friction: friction.into(),
        velocity: "2 1 0".into(),
        ..Cart::default()
    };
    let mut world = cart.world(0.001);
    run(&mut world, 0.02);
    first(&world).velocity_in_body.wz
}

#[test]
fn an_axle_with_more_grip_holds_its_end() {
    let axle = |wheels: &str, mu: f64| {
        format!(r#"<friction class="linear" {wheels}><mu>{mu}</mu><C_alpha>20</C_alpha></friction>"#)
    };
    let alike = yaw_rate_of_a_slide(&axle("", 0.5));
    let both = yaw_rate_of_a_slide(&(axle(r#"wheels="front""#, 0.5) + &axle(r#"wheels="rear""#, 0.5)));
    assert_eq!(alike, both);
    let rear = yaw_rate_of_a_slide(&(axle(r#"wheels="front""#, 0.1) + &axle(r#"wheels="rear""#, 0.9)));
    let front = yaw_rate_of_a_slide(&(axle("", 0.1) + &axle(r#"wheels="fl_wheel fr_wheel""#, 0.9)));
    // The car slides to the left: an end with grip stays behind.
    assert!(front < alike - 0.02 && rear > alike + 0.02, "{front} {alike} {rear}");
    // Of two for one wheel the first counts.
    let twice =
        yaw_rate_of_a_slide(&(axle(r#"wheels="front""#, 0.1) + &axle("", 0.9) + &axle(r#"wheels="front""#, 0.9)));
    assert_eq!(twice, rear);
}

#[test]
fn friction_for_unknown_wheels_is_explained() {
    let friction = r#"<friction class="linear" wheels="middle"/>"#.to_string();
    let found = problems(&in_world(&Cart { drive: "ackermann", friction, ..Cart::default() }.named("a"))).join("\n");
    assert!(found.contains(r#"wheels="middle": the vehicle has no "middle""#) && found.contains("fl_wheel"), "{found}");
}

/// m·v̇ = n·T·(1 − v/(R·ω₀))/R: v(t) = R·ω₀·(1 − e^(−t/τ)), τ = M·R²·ω₀/(n·T).
#[test]
fn a_motor_brings_the_car_to_its_no_load_speed() {
    let cart = Cart {
        drive: "ackermann_drivetrain",
        inside: r#"<drivetrain type="open_4wd"/><controller class="pedals"><max_torque>60</max_torque><no_load_speed>20</no_load_speed></controller>"#.into(),
        friction: r#"<friction class="default"><mu>5</mu><C_damping>0</C_damping></friction>"#.into(),
        ..Cart::default()
    };
    let mut world = cart.world(0.001);
    let action = Action::Pedals { pedals: Pedals { throttle: 1.0, ..Pedals::default() }, steering_angle: 0.0 };
    world.command(Command { vehicle: 0, action }).unwrap();
    let fastest = RADIUS * 20.0;
    let lag = (MASS + ROLLING_MASS) * RADIUS * fastest / 60.0;
    for seconds in 1..8 {
        run(&mut world, 1.0);
        let expected = fastest * (1.0 - (-f64::from(seconds) / lag).exp());
        let speed = first(&world).velocity_in_body.vx;
        assert!((speed / expected - 1.0).abs() < 2e-3, "{speed} for {expected}");
    }
}
