//! Drives on wheels with rollers: they move as commanded in every direction, within the grip along their rollers, and hold on slopes.

use super::common::*;
use skidpad_math::Twist2;
use skidpad_sim::friction::FRICTION_LAWS;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{PhysicsRules, VehicleFrame, World};

const DRIVES: [&str; 3] = ["omni_3_wheels", "omni_4_wheels", "mecanum"];

/// A cart that follows velocity commands closely.
fn cart(drive: &'static str) -> Cart {
    let inside = r#"<controller class="twist_pid"><KP>100</KP>
        <max_acceleration>1</max_acceleration><max_yaw_acceleration>60</max_yaw_acceleration></controller>"#
        .into();
    Cart { drive, inside, ..Cart::default() }
}

fn command(world: &mut World, velocity: Twist2) {
    world.command(Command { vehicle: 0, action: Action::Twist(velocity) }).expect("takes velocities");
}

fn errors(actual: Twist2, wanted: Twist2) -> f64 {
    (actual.vx - wanted.vx).abs().max((actual.vy - wanted.vy).abs()).max((actual.wz - wanted.wz).abs())
}

#[test]
fn they_move_as_commanded_in_every_direction_and_their_odometry_agrees() {
    for drive in DRIVES {
        let mut world = cart(drive).world(0.005);
        for wanted in [Twist2::new(0.0, 0.8, 0.0), Twist2::new(-0.4, -0.5, 0.0), Twist2::new(0.5, 0.3, 0.2)] {
            command(&mut world, wanted);
            run(&mut world, 6.0);
            let frame = first(&world);
            assert!(
                errors(frame.velocity_in_body, wanted) < 0.03,
                "{drive}: {:?} for {wanted:?}",
                frame.velocity_in_body
            );
        }
        let frame = first(&world);
        let (truth, reported) = (frame.world_from_body.planar(), frame.odom_from_body);
        assert!((truth.position() - reported.position()).norm() < 0.01, "{drive}: {reported:?} for {truth:?}");
        assert!((truth.yaw - reported.yaw).abs() < 0.01, "{drive}");
        assert_eq!(world.vehicle(0).expect("there").command_counts().infeasible, 0, "{drive}");
    }
}

/// Wheels that spin are pushed with μ·N at 45°: a = μ·g/√2 both ways, a fraction of what four ordinary wheels give.
#[test]
fn the_grip_of_mecanum_wheels_is_that_along_their_rollers() {
    for (torques, sideways) in [("400 400 400 400", false), ("400 -400 -400 400", true)] {
        let inside = format!(r#"<controller class="raw"><torques>{torques}</torques></controller>"#);
        let mut world = Cart { drive: "mecanum", inside, ..Cart::default() }.world(0.005);
        run(&mut world, 0.5);
        let velocity = first(&world).velocity_in_body;
        let expected = 0.8 * GRAVITY * std::f64::consts::FRAC_1_SQRT_2 * 0.5;
        let (along, across) = if sideways { (velocity.vy, velocity.vx) } else { (velocity.vx, velocity.vy) };
        assert!((along / expected - 1.0).abs() < 0.01, "{along} for {expected}");
        assert!(across.abs() < 1e-9 && velocity.wz.abs() < 1e-9, "{velocity:?}");
        for wheel in &first(&world).wheels {
            assert!((wheel.force_in_wheel.norm() / (0.8 * wheel.load) - 1.0).abs() < 1e-9, "{wheel:?}");
            assert!((wheel.force_in_wheel.x.abs() - wheel.force_in_wheel.y.abs()).abs() < 1e-9, "{wheel:?}");
        }
    }
}

/// On ice the wheels turn as commanded, and the odometry runs ahead of the robot.
#[test]
fn odometry_shows_the_slip_of_the_wheels() {
    let friction = r#"<friction class="default"><mu>0.02</mu></friction>"#.to_string();
    let mut world = Cart { friction, ..cart("mecanum") }.world(0.005);
    command(&mut world, Twist2::new(0.0, 1.0, 0.0));
    run(&mut world, 2.0);
    let frame = first(&world);
    let truth = frame.world_from_body.planar();
    assert!(frame.odom_from_body.y > 1.3 && truth.y < 0.4, "{:?} {truth:?}", frame.odom_from_body);
    assert!(frame.wheels.iter().all(|wheel| wheel.slip_ratio().abs() > 0.5 && wheel.slip_angle() == 0.0));
}

#[test]
fn without_slip_the_frames_show_none_while_they_move_sideways() {
    for drive in DRIVES {
        let mut world = cart(drive).world(0.005);
        command(&mut world, Twist2::new(0.0, 0.8, 0.0));
        run(&mut world, 6.0);
        for wheel in &first(&world).wheels {
            assert!(wheel.slip_ratio().abs() < 1e-3 && wheel.slip_angle() == 0.0, "{drive}: {wheel:?}");
        }
    }
}

fn speed(frame: &VehicleFrame) -> f64 {
    frame.velocity_in_body.linear().norm()
}

/// A grade of 10 %: they stop while they roll down it, whichever way they face, and then stay to the millimetre.
#[test]
fn commanded_to_stand_they_stop_and_stay_on_a_slope() {
    for drive in DRIVES {
        for yaw in ["0 0 0", "0 0 90", "0 0 200"] {
            let inside = r#"<controller class="twist_pid"><KP>20</KP></controller>"#.into();
            let robot =
                Cart { drive, inside, pose: yaw, velocity: "0.3 0.2 0".into(), ..Cart::default() }.named("cart");
            let mut world = world(&format!("<simul_timestep>0.005</simul_timestep>{}{robot}", plane(0.1, 50.0)));
            command(&mut world, Twist2::ZERO);
            run(&mut world, 5.0);
            assert!(speed(first(&world)) < 1e-9, "{drive} at {yaw}: {:?}", first(&world).velocity_in_body);
            let before = first(&world).world_from_body.planar();
            run(&mut world, 20.0);
            let after = first(&world).world_from_body.planar();
            assert!((after.position() - before.position()).norm() < 1e-3, "{drive} at {yaw}");
        }
    }
}

/// Without torque nothing holds wheels that are free to turn, nor does MVSim's rule for slopes: sideways the cart speeds up with
/// m·g·sin θ/(m + ΣI/R²), since mecanum wheels turn as fast as when it goes ahead.
#[test]
fn free_wheels_roll_down_a_slope_to_the_side() {
    let robot = Cart { drive: "mecanum", pose: "0 0 90", ..Cart::default() }.named("cart");
    let inside = format!("<simul_timestep>0.005</simul_timestep>{}{robot}", plane(0.1, 50.0));
    for rules in [PhysicsRules::Skidpad, PhysicsRules::Mvsim] {
        let mut world = world_with(&inside, Some(rules));
        run(&mut world, 1.0);
        let expected = MASS * GRAVITY * 0.1_f64.atan().sin() / (MASS + ROLLING_MASS);
        let actual = first(&world).velocity_in_body.vy;
        assert!((actual / expected - 1.0).abs() < 0.01, "{rules:?}: {actual} for {expected}");
    }
}

/// Every friction law, in short and long steps: sideways, about the middle, slantwise, and to rest.
#[test]
fn every_law_drives_them_sideways_and_to_rest() {
    for drive in DRIVES {
        for law in FRICTION_LAWS {
            for step in [0.002, 0.01, 0.02] {
                let friction = format!(r#"<friction class="{}"/>"#, law.name);
                let mut world = Cart { friction, ..cart(drive) }.world(step);
                for wanted in [Twist2::new(0.0, 0.5, 0.0), Twist2::new(0.0, 0.0, 0.5), Twist2::new(0.3, -0.3, 0.1)] {
                    command(&mut world, wanted);
                    run(&mut world, 4.0);
                    let actual = first(&world).velocity_in_body;
                    assert!(
                        errors(actual, wanted) < 0.08,
                        "{drive} on {} at {step} s: {actual:?} for {wanted:?}",
                        law.name
                    );
                }
                command(&mut world, Twist2::ZERO);
                run(&mut world, 6.0);
                let actual = first(&world).velocity_in_body;
                assert!(errors(actual, Twist2::ZERO) < 0.06, "{drive} on {} at {step} s: {actual:?}", law.name);
            }
        }
    }
}

/// An imposed velocity turns the wheels as they roll: mecanum wheels with (v_x ± v_y ± (l + w)·ω)/R.
#[test]
fn an_imposed_velocity_turns_the_wheels_as_they_roll() {
    let inside = r#"<controller class="twist_ideal"/>"#.into();
    let mut world = Cart { drive: "mecanum", inside, ..Cart::default() }.world(0.005);
    command(&mut world, Twist2::new(1.0, 0.5, 0.0));
    step(&mut world);
    let expected = [1.5, 0.5, 0.5, 1.5].map(|speed| speed / RADIUS);
    for (wheel, expected) in first(&world).wheels.iter().zip(expected) {
        assert!((wheel.spin - expected).abs() < 1e-12 && wheel.slip_ratio() == 0.0, "{wheel:?}");
    }
}

#[test]
fn wheel_speeds_of_two_sides_are_refused() {
    let world = cart("mecanum").world(0.005);
    assert!(!world.scene().vehicles[0].accepts.side_spins);
}

#[test]
fn impossible_wheels_are_explained() {
    let message = |wheels: &str| {
        problems(&format!(
            "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\n<dynamics class=\"mecanum\">{wheels}</dynamics></vehicle></mvsim_world>"
        ))
    };
    assert_eq!(
        message(r#"<fl_wheel roller_angle_deg="180"/>"#),
        [
            "bad.xml:2:55: rollers at 180° to the axle\n  accepted: an angle that is not a multiple of 180, such as 90 for an omni wheel or 45 for a mecanum wheel"
        ]
    );
    assert_eq!(message(r#"<fl_wheel pos="1"/>"#).len(), 1, "one mistake, one message");
    let straight: String = ["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"]
        .map(|name| format!(r#"<{name} roller_angle_deg="90"/>"#))
        .concat();
    assert_eq!(
        message(&straight),
        [
            "bad.xml:2:1: the body could move or turn while all wheels stand\n  accepted: wheels whose places and angles hold the body in every direction\n  \
          hint: mount omni wheels at right angles to the line from the middle, or mecanum wheels with rollers at 45 and -45 in turn"
        ]
    );
}
