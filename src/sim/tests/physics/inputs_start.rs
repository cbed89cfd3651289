//! Where inputs and rate limits start: at the state that the vehicle has, whichever way it got there.

use super::common::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2};
use skidpad_sim::vehicle::{Action, Command, RateLimits};
use skidpad_sim::world::{ResetScope, SpawnRequest, SpawnSource, Spot, World};

/// Every stage that remembers something. A command of 3 passes the dead zone and the gain as 3.
const STAGES: &str = r#"dead_zone="0.5" gain="1.2" delay="0.1" lag="0.35" rate="4" backlash="0.2""#;

/// A world with the class `car`, 0.3 m long, which its controller moves or its wheels push.
fn classes(drive: &str, controller: &str) -> String {
    let wheels = match drive {
        "unicycle" => r#"<l_wheel pos="0 0.1"/><r_wheel pos="0 -0.1"/>"#,
        _ => {
            r#"<rl_wheel pos="0 0.1"/><rr_wheel pos="0 -0.1"/><fl_wheel/><fr_wheel/>
            <f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.2</f_wheels_d>"#
        }
    };
    format!(
        r#"<vehicle:class name="car"><dynamics class="{drive}">{wheels}
        <chassis><shape><pt>0 -0.1</pt><pt>0 0.1</pt><pt>0.3 0.1</pt><pt>0.3 -0.1</pt></shape></chassis>
        <controller class="{controller}"/><inputs><speed {STAGES}/></inputs></dynamics></vehicle:class>"#
    )
}

fn car(velocity: &str) -> String {
    format!(r#"<vehicle name="a" class="car"><init_pose>0 0 0</init_pose><init_vel>{velocity}</init_vel></vehicle>"#)
}

/// A way in which the first vehicle of a world comes to a velocity.
type Start = (&'static str, fn(&mut World, Twist2));

/// Those of a vehicle that has driven slowly before.
fn starts() -> Vec<Start> {
    let all = |world: &mut World, _| world.reset_with(ResetScope::ALL);
    let state = |world: &mut World, v| {
        let id = world.scene().vehicles[0].id;
        world.set_state(id, Some(Pose3 { x: 5.0, ..Pose3::default() }), Some(v)).unwrap();
    };
    let teleport = |world: &mut World, v| {
        world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(5.0, 0.0, 0.0)) }).unwrap();
        run(world, 0.5);
        let id = world.scene().vehicles[0].id;
        world.set_state(id, None::<Spot>, Some(v)).unwrap();
    };
    let silence = |world: &mut World, v| {
        world.set_command_timeout(Some(SimTime::from_secs(0.05)));
        run(world, 0.5);
        world.set_command_timeout(None);
        let id = world.scene().vehicles[0].id;
        world.set_state(id, None::<Spot>, Some(v)).unwrap();
    };
    vec![
        ("reset", |world, _| world.reset()),
        ("reset of everything", all),
        ("start of an experiment", |world, v| world.set_start(0, Pose2::new(5.0, 0.0, 0.0), v)),
        ("state", state),
        ("teleport and velocity", teleport),
        ("silence and velocity", silence),
    ]
}

/// What the first vehicle's controller hears in the next 0.7 s of a command that asks for the motion that it has.
fn kept(world: &mut World, vehicle: usize, action: Action, start: &str) {
    world.command(Command { vehicle, action }).unwrap();
    let (wanted, turn) = match action {
        Action::Ackermann { .. } => (Twist2::new(3.0, 0.0, 0.0), 0.0),
        _ => (Twist2::new(3.0, 0.0, 0.5), 0.5),
    };
    for _ in 0..140 {
        let car = &step(world).vehicles[vehicle];
        let heard = car.setpoint.velocity_in_body;
        assert!((heard.vx - wanted.vx).abs() < 1e-12 && (heard.wz - turn).abs() < 1e-12, "{start}: {heard:?}");
    }
}

/// A first-order lag that starts at its target stays there exactly, and so do delay, rate limit and backlash.
#[test]
fn a_command_for_the_motion_that_the_vehicle_has_changes_nothing() {
    let straight = Action::Ackermann { speed: 3.0, steering_angle: 0.0 };
    let turning = Action::Twist(Twist2::new(3.0, 0.0, 0.5));
    for (drive, controller, velocity, action) in [
        ("kinematic_bicycle", "twist_ideal", Twist2::new(3.0, 0.0, 0.0), straight),
        ("single_track", "twist_ideal", Twist2::new(3.0, 0.0, 0.0), straight),
        ("ackermann_drivetrain", "front_steer_pid", Twist2::new(3.0, 0.0, 0.0), straight),
        ("unicycle", "twist_ideal", Twist2::new(3.0, 0.0, 0.5), turning),
    ] {
        let text = format!("3 0 {}", velocity.wz.to_degrees());
        let at_load = || world(&format!("{}{}", classes(drive, controller), car(&text)));
        kept(&mut at_load(), 0, action, "load");
        for (start, set_motion) in starts() {
            let mut world = at_load();
            let slow = match action {
                Action::Twist(_) => Action::Twist(Twist2::new(0.7, 0.0, -0.3)),
                _ => Action::Ackermann { speed: 0.7, steering_angle: 0.0 },
            };
            world.command(Command { vehicle: 0, action: slow }).unwrap();
            run(&mut world, 1.0);
            set_motion(&mut world, velocity);
            kept(&mut world, 0, action, &format!("{start} of {drive}"));
        }
        let mut world = at_load();
        let source = SpawnSource::Xml {
            text: car(&text).replace(r#"name="a""#, r#"name="b""#),
            directory: ".".into(),
            label: "b".into(),
        };
        let pose = Some(Pose2::new(0.0, 5.0, 0.0).into());
        let recipe = world.catalogue().recipe(&SpawnRequest { name: "b".into(), source, pose }).unwrap();
        world.spawn(recipe).unwrap();
        kept(&mut world, 1, action, &format!("spawn of {drive}"));
    }
}

/// v(t) = 3 − 2·(1 − e^(−(t − T)/τ)) after the delay T, of a car that is set to 3 m/s while 1 m/s is commanded.
#[test]
fn a_state_that_is_set_decays_to_the_command_from_the_delay_on() {
    let inputs = r#"<inputs><speed delay="0.1" lag="0.35"/></inputs>"#;
    let classes = classes("kinematic_bicycle", "twist_ideal");
    let classes = classes.replace(&format!("<inputs><speed {STAGES}/></inputs>"), inputs);
    let mut world = world(&format!("{classes}{}", car("0 0 0")));
    world.command(Command { vehicle: 0, action: Action::Ackermann { speed: 1.0, steering_angle: 0.0 } }).unwrap();
    run(&mut world, 4.0);
    let id = world.scene().vehicles[0].id;
    world.set_state(id, None::<Spot>, Some(Twist2::new(3.0, 0.0, 0.0))).unwrap();
    let dt = world.scene().step.secs();
    for count in 1..200 {
        let speed = step(&mut world).vehicles[0].velocity_in_body.vx;
        let time = (f64::from(count) * dt - 0.1).max(0.0);
        let expected = 1.0 + 2.0 * (-time / 0.35).exp();
        assert!((speed - expected).abs() < 1e-9, "{speed} for {expected} at {time}");
    }
}

/// v(t) = 3 + a·t: the rate limit of a command starts at the speed of the car, also through inputs.
#[test]
fn a_command_with_a_rate_limit_starts_at_the_speed_of_the_car() {
    let classes = classes("kinematic_bicycle", "twist_ideal");
    for inputs in ["", r#"<inputs><speed gain="1"/></inputs>"#] {
        let classes = classes.replace(&format!("<inputs><speed {STAGES}/></inputs>"), inputs);
        let limits = RateLimits { acceleration: 1.0, steering_rate: 0.0 };
        let action = Action::LimitedAckermann { speed: 4.0, steering_angle: 0.0, limits };
        for (velocity, first, next) in [
            ("3 0 0", None, Some(action)),
            ("0 0 0", Some(action), None),
            ("0 0 0", Some(action), Some(action)),
            ("0 0 0", Some(Action::Ackermann { speed: 1.0, steering_angle: 0.0 }), Some(action)),
        ] {
            let mut world = world(&format!("{classes}{}", car(velocity)));
            if let Some(action) = first {
                world.command(Command { vehicle: 0, action }).unwrap();
                run(&mut world, 0.1);
                let id = world.scene().vehicles[0].id;
                world.set_state(id, None::<Spot>, Some(Twist2::new(3.0, 0.0, 0.0))).unwrap();
            }
            next.into_iter().for_each(|action| world.command(Command { vehicle: 0, action }).unwrap());
            let dt = world.scene().step.secs();
            for count in 1..300 {
                let speed = step(&mut world).vehicles[0].velocity_in_body.vx;
                let expected = (3.0 + f64::from(count) * dt).min(4.0);
                assert!((speed - expected).abs() < 1e-9, "{speed} for {expected}: {inputs} {first:?} {next:?}");
            }
        }
    }
}

/// A robot whose controller limits the rate of its set-point does not drive on after a teleport.
#[test]
fn a_limited_set_point_starts_at_the_velocity_that_the_robot_is_set_to() {
    let drives = ["differential_4_wheels", "mecanum"];
    let controllers = [r#"class="twist_pid"><KP>200</KP>"#, r#"class="twist_servo">"#];
    for (drive, controller) in drives.into_iter().flat_map(|drive| controllers.map(|controller| (drive, controller))) {
        let inside = format!(
            "<controller {controller}<max_torque>500</max_torque>
            <max_acceleration>0.5</max_acceleration><max_yaw_acceleration>60</max_yaw_acceleration></controller>"
        );
        let mut world = Cart { drive, inside, ..Cart::default() }.world(0.005);
        twist(&mut world, 0, 1.0, 0.0);
        run(&mut world, 4.0);
        assert!(first(&world).velocity_in_body.vx > 0.8, "{drive} {controller}");
        world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(5.0, 5.0, 0.0)) }).unwrap();
        run(&mut world, 2.0);
        assert_eq!(first(&world).world_from_body.planar().x, 5.0, "{drive} {controller}");
        let id = world.scene().vehicles[0].id;
        world.set_state(id, None::<Spot>, Some(Twist2::new(2.0, 0.0, 0.0))).unwrap();
        twist(&mut world, 0, 2.0, 0.0);
        let heard = step(&mut world).vehicles[0].setpoint.velocity_in_body.vx;
        assert_eq!(heard, 2.0, "{drive} {controller}");
    }
}
