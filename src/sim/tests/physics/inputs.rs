//! Inputs between commands and the car, friction that differs by wheel, and motors whose torque falls with speed.

use super::common::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2};
use skidpad_sim::vehicle::{Action, Command, Pedals};
use skidpad_sim::world::{LoadOptions, ResetScope, World};

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

/// Speeds that a car has been commanded, one every 20 ms, as it hears them [m/s], after each step of 5 ms.
fn heard(world: &mut World) -> Vec<f64> {
    let mut heard = Vec::new();
    for count in 0..400 {
        if count % 4 == 0 && count < 360 {
            world.command(ackermann(0.001 * f64::from(count), 0.0)).unwrap();
        }
        heard.push(step(world).vehicles[0].velocity_in_body.vx);
    }
    heard
}

/// Each command takes a time of its own, by the seed; none overtakes another one.
#[test]
fn commands_arrive_with_jitter_by_the_seed_and_in_their_order() {
    let text = in_world(&bicycle(r#"<inputs delay="0.1" jitter="0.03"/>"#));
    let of_seed = |seed| {
        let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
        World::load_text("w", std::path::Path::new("."), &text, &options).unwrap().0
    };
    let mut world = of_seed(1);
    let first = heard(&mut world);
    assert!(first.windows(2).all(|pair| pair[0] <= pair[1]), "speeds that rise are heard as they rise");
    assert!((first[399] - 0.356).abs() < 1e-9, "the last one arrives: {}", first[399]);
    // A command that says n is given in step n; on average it is heard 0.1 s, which are 20 steps, later.
    let late: Vec<f64> = (100..350).map(|count| f64::from(count) - 1000.0 * first[count as usize]).collect();
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    assert!((18.0..30.0).contains(&mean) && late.iter().any(|late| (late - mean).abs() > 4.0), "{mean} {late:?}");
    assert_eq!(heard(&mut of_seed(1)), first);
    assert_ne!(heard(&mut of_seed(2)), first);
    world.reset_with(ResetScope::ALL);
    assert_eq!(heard(&mut world), first, "as in a fresh world");
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

/// Robots and what they are commanded: they turn while they drive, and some slide.
fn robots() -> [(&'static str, &'static str, [Twist2; 3]); 4] {
    let along = [Twist2::new(1.0, 0.0, 0.8), Twist2::new(0.4, 0.0, -1.2), Twist2::new(-0.5, 0.0, 0.6)];
    let sliding = along.map(|twist| Twist2 { vy: 0.7 * twist.wz, ..twist });
    [
        ("unicycle", r#"<l_wheel pos="0 0.1"/><r_wheel pos="0 -0.1"/>"#, along),
        ("kinematic_differential", r#"<l_wheel pos="0 0.1"/><r_wheel pos="0 -0.1"/>"#, along),
        ("differential", r#"<l_wheel pos="0 0.1"/><r_wheel pos="0 -0.1"/>"#, sliding),
        (
            "mecanum",
            r#"<rl_wheel pos="0 0.2"/><rr_wheel pos="0 -0.2"/><fl_wheel pos="0.4 0.2"/><fr_wheel pos="0.4 -0.2"/>"#,
            sliding,
        ),
    ]
}

fn robot(drive: &str, wheels: &str, inputs: &str) -> String {
    format!(
        r#"<simul_timestep>0.005</simul_timestep><vehicle name="robot"><init_pose>1 2 30</init_pose>
        <dynamics class="{drive}">{wheels}<controller class="twist_ideal"/>{inputs}</dynamics></vehicle>"#
    )
}

/// Its pose after each of `steps` steps, with the next command every half second.
fn path(world: &mut World, commands: &[Twist2], steps: usize) -> Vec<Pose2> {
    let pose = |count: usize| {
        if count.is_multiple_of(100) && count / 100 < commands.len() {
            let action = Action::Twist(commands[count / 100]);
            world.command(Command { vehicle: 0, action }).unwrap();
        }
        step(world).vehicles[0].world_from_body.planar()
    };
    (0..steps).map(pose).collect()
}

/// x(t) = x₀(t − T): velocity, sliding and turning arrive together, from one delay or from one for each.
#[test]
fn a_delayed_velocity_traces_the_same_path_later() {
    for (drive, wheels, commands) in robots() {
        let at_once = path(&mut world(&robot(drive, wheels, "")), &commands, 300);
        for inputs in [
            r#"<inputs><speed delay="0.1"/></inputs>"#,
            r#"<inputs><speed delay="0.1"/><lateral_speed delay="0.1"/><yaw_rate delay="0.1"/></inputs>"#,
            r#"<inputs><yaw_rate gain="1"/><speed delay="0.1"/></inputs>"#,
        ] {
            let inputs = if matches!(drive, "differential" | "mecanum") {
                inputs.to_string()
            } else {
                inputs.replace(r#"<lateral_speed delay="0.1"/>"#, "")
            };
            let late = path(&mut world(&robot(drive, wheels, &inputs)), &commands, 320);
            assert!(late[..20].iter().all(|pose| *pose == late[0]), "{drive}: it waits");
            for (before, after) in at_once.iter().zip(&late[20..]) {
                let apart = (before.position() - after.position()).norm() + (before.yaw - after.yaw).abs();
                assert!(apart < 1e-7, "{drive} {inputs}: {before:?} {after:?}");
            }
        }
    }
}

/// (v, v_y, ω) = (1 − e^(−t/τ))·command: with one lag a robot that starts at rest is on the path of the command.
#[test]
fn a_velocity_that_lags_keeps_its_direction_and_its_curvature() {
    for (drive, wheels, commands) in robots() {
        let mut world = world(&robot(drive, wheels, r#"<inputs><speed lag="0.2"/></inputs>"#));
        world.command(Command { vehicle: 0, action: Action::Twist(commands[0]) }).unwrap();
        for count in 1..200 {
            let actual = step(&mut world).vehicles[0].setpoint.velocity_in_body;
            let share = 1.0 - (-f64::from(count) * 0.005 / 0.2).exp();
            let Twist2 { vx, vy, wz } = commands[0];
            let apart =
                (actual.vx - share * vx).abs() + (actual.vy - share * vy).abs() + (actual.wz - share * wz).abs();
            assert!(apart < 1e-12, "{drive}: {actual:?} at {count}");
        }
    }
}

/// Each channel of a velocity has stages of its own.
#[test]
fn each_part_of_a_velocity_has_its_own_stages() {
    let (drive, wheels, _) = robots()[3];
    let inputs = r#"<inputs><speed gain="0.9" delay="0.05" lag="0.3"/><lateral_speed dead_zone="0.2" lag="0"/>
        <yaw_rate offset_deg="5" rate_deg="50" delay="0" lag="0"/></inputs>"#;
    let mut world = world(&robot(drive, wheels, inputs));
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(1.0, 0.5, 0.4)) }).unwrap();
    for count in 1..200 {
        let actual = step(&mut world).vehicles[0].setpoint.velocity_in_body;
        let time = f64::from(count) * 0.005;
        let late = (time - 0.05).max(0.0);
        let lateral = if late > 0.0 { 0.3 } else { 0.0 };
        let yaw_rate = (time * 50_f64.to_radians()).min(0.4 + 5_f64.to_radians());
        let apart = [actual.vx - 0.9 * (1.0 - (-late / 0.3).exp()), actual.vy - lateral, actual.wz - yaw_rate];
        assert!(apart.iter().all(|apart| apart.abs() < 1e-9) || (time - 0.05).abs() < 1e-9, "{apart:?} at {time}");
    }
}

/// The servo of a car stands between a velocity command and its wheels as between any other: δ = 1.5·atan(ω·l/v) + 0.01.
#[test]
fn the_steering_acts_on_velocity_commands_of_a_car() {
    let inputs =
        r#"<inputs><speed gain="0.9" delay="0.2" lag="0.3"/><steering gain="1.5" offset="0.01" delay="0.1"/></inputs>"#;
    let mut of_velocity = world(&bicycle(inputs));
    let mut of_angle = world(&bicycle(inputs));
    of_velocity.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(1.0, 0.0, 0.2_f64.tan())) }).unwrap();
    of_angle.command(ackermann(1.0, 0.2)).unwrap();
    for _ in 0..400 {
        let (a, b) = (&step(&mut of_velocity).vehicles[0], &step(&mut of_angle).vehicles[0]);
        assert!((a.setpoint.steering_angle - b.setpoint.steering_angle).abs() < 1e-12);
        assert!((a.velocity_in_body.wz - b.velocity_in_body.wz).abs() < 1e-12, "{a:?} {b:?}");
    }
    let car = first(&of_velocity);
    assert!((car.setpoint.steering_angle - 0.31).abs() < 1e-9 && car.velocity_in_body.vx > 0.88, "{car:?}");
}

/// Speeds of the two sides are a velocity.
#[test]
fn wheel_speeds_of_both_sides_arrive_together() {
    let (drive, wheels, _) = robots()[0];
    let spins = Action::SideSpins([8.0, 12.0]);
    let [mut late, mut at_once] = [r#"<inputs><speed delay="0.1"/></inputs>"#, ""].map(|inputs| {
        let mut world = world(&robot(drive, wheels, inputs));
        world.command(Command { vehicle: 0, action: spins }).unwrap();
        world
    });
    run(&mut late, 0.1);
    assert_eq!(first(&late).velocity_in_body, Twist2::ZERO);
    for _ in 0..100 {
        let (a, b) = (step(&mut late).vehicles[0].world_from_body, step(&mut at_once).vehicles[0].world_from_body);
        assert!((a.x - b.x).hypot(a.y - b.y) < 1e-9 && (a.yaw - b.yaw).abs() < 1e-9, "{a:?} {b:?}");
    }
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
    let actual = problems(&in_world(&bicycle(
        r#"<inputs><speed delay="9"/><steering curve="0 1 0 2"/><throttle lag="-1"/></inputs>"#,
    )))
    .join("\n");
    for part in ["delay", "from 0 to 5", "pairs of a command and its result, with increasing commands", "lag"] {
        assert!(actual.contains(part), "{part}: {actual}");
    }
}

/// The warnings of a vehicle with this controller behind all inputs, without places in the file.
fn warnings(drive: &'static str, controller: &str, inputs: &str) -> Vec<String> {
    let inside = format!("{controller}\n<inputs>{inputs}</inputs>");
    let text = in_world(&Cart { drive, inside, ..Cart::default() }.named("a"));
    let (_, warnings) = World::load_text("w.xml", ".".as_ref(), &text, &LoadOptions::default()).unwrap();
    warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn channels_that_no_command_goes_through_are_warned_of() {
    const ALL: [&str; 6] = ["speed", "lateral_speed", "yaw_rate", "steering", "throttle", "brake"];
    let of_velocity = "its velocity commands are converted to speed and steering angle before <inputs>";
    let takes = |names: &str| format!("commands that its controller takes: {names}");
    for (drive, controller, acting, reasons) in [
        (
            "mecanum",
            "twist_pid",
            vec!["speed", "lateral_speed", "yaw_rate"],
            vec![takes("velocity, wheels"), takes("velocity, wheels"), takes("velocity, wheels")],
        ),
        (
            "differential_4_wheels",
            "twist_pid",
            vec!["speed", "yaw_rate"],
            vec!["it does not move along its y axis".into(), takes("velocity"), takes("velocity"), takes("velocity")],
        ),
        (
            "ackermann",
            "front_steer_pid",
            vec!["speed", "steering"],
            vec![of_velocity.into(), of_velocity.into(), takes("velocity, Ackermann"), takes("velocity, Ackermann")],
        ),
        ("ackermann", "twist_ideal", vec!["speed", "lateral_speed", "yaw_rate", "steering"], {
            vec![takes("velocity, Ackermann"), takes("velocity, Ackermann")]
        }),
        ("ackermann", "pedals", vec!["steering", "throttle", "brake"], vec![takes("pedals"); 3]),
        ("ackermann", "speed_pedals", vec!["speed", "steering", "throttle", "brake"], {
            vec![of_velocity.into(), of_velocity.into()]
        }),
        ("ackermann", "raw", vec![], vec![takes("none, its controller is raw"); 6]),
    ] {
        let controller = format!(r#"<controller class="{controller}"/>"#);
        let actual = warnings(drive, &controller, &ALL.map(|name| format!("\n<{name}/>")).concat());
        let idle: Vec<&str> = ALL.into_iter().filter(|name| !acting.contains(name)).collect();
        let accepted: Vec<String> = acting.iter().map(|name| format!("<{name}>")).collect();
        let accepted = if acting.is_empty() { String::new() } else { format!("\n  accepted: {}", accepted.join(", ")) };
        let expected: Vec<String> = idle
            .iter()
            .zip(reasons)
            .map(|(name, why)| {
                let line = 7 + ALL.iter().position(|all| all == name).unwrap();
                format!("w.xml:{line}:1: <{name}> of <inputs> has no effect on this vehicle{accepted}\n  hint: {why}")
            })
            .collect();
        assert_eq!(actual, expected, "{drive} {controller}");
    }
    let actual = warnings("ackermann_joints", r#"<controller class="joint_pid"/>"#, r#"<speed lag="0.1"/>"#);
    let expected = "w.xml:6:1: the channels of <inputs> have no effect on commands to single wheels, which the controller also takes\n  \
                    hint: they act on its velocity and Ackermann commands";
    assert_eq!(actual, [expected]);
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
    let separate = yaw_rate_of_a_slide(&(axle(r#"wheels="front""#, 0.5) + &axle(r#"wheels="rear""#, 0.5)));
    assert_eq!(alike, separate);
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
    let actual = problems(&in_world(&Cart { drive: "ackermann", friction, ..Cart::default() }.named("a"))).join("\n");
    assert!(
        actual.contains(r#"wheels="middle": the vehicle has no "middle""#) && actual.contains("fl_wheel"),
        "{actual}"
    );
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
