//! Orders, timeouts, teleport, reset, odometry and truth.

use super::common::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2};
use skidpad_sim::vehicle::{Action, Command, RateLimits};
use skidpad_sim::world::{Frame, PhysicsRules, World};

const PID: &str = r#"<controller class="twist_pid"><KP>50</KP><KI>10</KI></controller>"#;

fn cart() -> World {
    Cart { inside: PID.into(), ..Cart::default() }.world(0.005)
}

fn refusal(world: &mut World, vehicle: usize, action: Action) -> String {
    world.command(Command { vehicle, action }).unwrap_err().to_string()
}

/// Wheels that spin on ice: odometry is the integral of ω·R, step by step, and runs ahead of the truth.
#[test]
fn wheel_odometry_is_the_integral_of_the_spin_and_shows_slip() {
    let friction = r#"<friction class="default"><mu>0.02</mu></friction>"#.to_string();
    let inside = r#"<controller class="raw"><l_torque>10</l_torque><r_torque>10</r_torque></controller>"#.to_string();
    let mut world = Cart { friction, inside, pose: "3 4 50", ..Cart::default() }.world(0.005);
    let mut integral = 0.0;
    for _ in 0..400 {
        integral += 0.005 * RADIUS * step(&mut world).vehicles[0].wheels[0].spin;
    }
    let frame = first(&world);
    let truth = frame.world_from_body.planar();
    let distance = (truth.x - 3.0).hypot(truth.y - 4.0);
    assert!((frame.odom_from_body.x - integral).abs() < 1e-10, "{} for {integral}", frame.odom_from_body.x);
    assert!(frame.odom_from_body.y.abs() < 1e-9 && frame.odom_from_body.yaw.abs() < 1e-9, "{:?}", frame.odom_from_body);
    // μ·g·t²/2, and one step of it more.
    assert!((distance - 0.02 * GRAVITY * 2.0).abs() < 2e-3, "{distance}");
    assert!(integral > 5.0 * distance, "{integral} and {distance}");
    assert!(frame.wheels[0].slip_ratio() > 0.8, "{:?}", frame.wheels[0]);
}

/// With odometry from the truth the believed pose is the true one seen from the start. The believed arc is exact, the body
/// moves along chords: over this run they differ by less than 2 mm.
#[test]
fn odometry_from_the_truth_starts_at_the_origin_and_follows_the_body() {
    let text = Cart { inside: PID.into(), pose: "3 4 50", ..Cart::default() }.named("cart");
    let mut world = world_with(&text, Some(PhysicsRules::Mvsim));
    twist(&mut world, 0, 1.0, 0.4);
    run(&mut world, 5.0);
    let frame = first(&world);
    let start = Pose2::new(3.0, 4.0, 50.0_f64.to_radians());
    let expected = start.inverse() * frame.world_from_body.planar();
    let actual = frame.odom_from_body;
    assert!((actual.x - expected.x).hypot(actual.y - expected.y) < 2e-3, "{actual:?} for {expected:?}");
    assert!((actual.yaw - expected.yaw).abs() < 1e-9, "{actual:?} for {expected:?}");
    assert_eq!(frame.odom_velocity_in_body, frame.velocity_in_body);
}

/// The pose in a frame is the truth: it moves by velocity times step, stays in the plane, and its acceleration is the
/// change of velocity.
#[test]
fn the_frame_has_the_true_motion() {
    let mut world = cart();
    twist(&mut world, 0, 1.5, 0.0);
    for _ in 0..300 {
        let before = first(&world).clone();
        let after = step(&mut world).vehicles[0].clone();
        let distance = after.world_from_body.planar().x - before.world_from_body.planar().x;
        assert!((distance - 0.005 * after.velocity_in_body.vx).abs() < 1e-12, "{distance}");
        let acceleration = (after.velocity_in_body.vx - before.velocity_in_body.vx) / 0.005;
        assert!((after.acceleration_in_body.x - acceleration).abs() < 1e-9);
        assert_eq!(after.world_from_body.z, 0.0);
        assert!(after.world_from_body.planar().y.abs() < 1e-9, "{:?}", after.world_from_body);
    }
}

/// Timeouts are in simulated time: with a timeout of 0.5 s a command of t = 1.0 s is obeyed up to and with the step at 1.5 s.
#[test]
fn a_vehicle_stops_when_commands_stop() {
    let mut world = cart();
    world.set_command_timeout(Some(SimTime::from_secs(0.5)));
    run(&mut world, 1.0);
    twist(&mut world, 0, 1.0, 0.2);
    let mut last = SimTime::ZERO;
    for _ in 0..400 {
        let frame = step(&mut world);
        if frame.vehicles[0].setpoint.velocity_in_body != Twist2::ZERO {
            last = frame.time;
        }
    }
    assert_eq!(last, SimTime::from_secs(1.505));
    run(&mut world, 5.0);
    assert!(first(&world).velocity_in_body.vx.abs() < 0.05);
    // A new command is obeyed again.
    twist(&mut world, 0, 1.0, 0.0);
    run(&mut world, 0.4);
    assert!(first(&world).velocity_in_body.vx > 0.2);
}

#[test]
fn without_a_timeout_a_command_holds() {
    let mut world = cart();
    twist(&mut world, 0, 1.0, 0.0);
    run(&mut world, 60.0);
    assert!((first(&world).velocity_in_body.vx - 1.0).abs() < 1e-3);
}

/// A timeout is not for set-points of the world file.
#[test]
fn a_set_point_of_the_world_does_not_time_out() {
    let inside = r#"<controller class="twist_ideal"><V>0.5</V></controller>"#.to_string();
    let mut world = Cart { inside, ..Cart::default() }.world(0.005);
    world.set_command_timeout(Some(SimTime::from_secs(0.1)));
    run(&mut world, 2.0);
    assert!((first(&world).world_from_body.planar().x - 1.0).abs() < 1e-9);
}

#[test]
fn a_teleported_vehicle_stands_at_its_new_pose() {
    let inside = r#"<controller class="raw"/>"#.to_string();
    let mut world = Cart { inside, velocity: "3 0 0".into(), ..Cart::default() }.world(0.005);
    run(&mut world, 1.0);
    let odometry = first(&world).odom_from_body;
    let target = Pose2::new(-7.0, 2.5, 2.0);
    world.command(Command { vehicle: 0, action: Action::Teleport(target) }).unwrap();
    for _ in 0..10 {
        let frame = &step(&mut world).vehicles[0];
        let pose = frame.world_from_body.planar();
        assert!((pose.x + 7.0).abs() < 1e-12 && (pose.y - 2.5).abs() < 1e-12 && (pose.yaw - 2.0).abs() < 1e-12);
        assert_eq!(frame.velocity_in_body, Twist2::ZERO);
        assert!(frame.acceleration_in_body.norm() == 0.0 && frame.wheels.iter().all(|w| w.spin == 0.0));
        assert_eq!(frame.odom_from_body, odometry, "odometry knows nothing of it");
    }
}

/// The state of all bodies, without the counts of commands: these hold the time, which goes on at a reset.
fn state(frame: &Frame) -> (Vec<skidpad_sim::world::VehicleFrame>, Vec<Pose3>) {
    let vehicles = frame.vehicles.iter().cloned();
    let uncounted =
        vehicles.map(|vehicle| skidpad_sim::world::VehicleFrame { commands: Default::default(), ..vehicle });
    (uncounted.collect(), frame.blocks.clone())
}

fn crowded() -> World {
    let block = r#"<block name="b"><init_pose>2.5 0.1 10</init_pose><init_vel>0.5 0 20</init_vel></block>"#;
    world(&format!("{}{block}", Cart { inside: PID.into(), velocity: "1 0 0".into(), ..Cart::default() }.named("a")))
}

#[test]
fn a_reset_world_is_as_at_the_start_and_its_clock_goes_on() {
    let mut world = crowded();
    let start = state(world.frame());
    twist(&mut world, 0, 2.0, 0.5);
    run(&mut world, 3.0);
    twist(&mut world, 0, 1.0, 0.5);
    let time = world.frame().time;
    world.reset();
    assert_eq!(state(world.frame()), start);
    assert_eq!(world.frame().time, time);
    step(&mut world);
    assert_eq!(world.frame().time, time + world.scene().step);
}

#[test]
fn a_reset_restarts_the_step_count() {
    let mut world = cart();
    run(&mut world, 1.0);
    world.reset();
    assert_eq!(world.frame().step, 0);
    assert_eq!(step(&mut world).step, 1);
}

/// After a reset the same commands give the same run, bumps included.
#[test]
fn a_reset_world_runs_as_a_fresh_one() {
    let mut fresh = crowded();
    let mut reset = crowded();
    twist(&mut reset, 0, 2.0, 0.5);
    run(&mut reset, 2.0);
    reset.reset();
    for world in [&mut fresh, &mut reset] {
        twist(world, 0, 2.0, 0.1);
    }
    for k in 0..600 {
        let a = state(step(&mut fresh));
        assert_eq!(state(step(&mut reset)), a, "step {k}");
    }
    assert!(state(fresh.frame()).1[0].x > 2.6, "the block was pushed");
}

/// A vehicle that rests against a wall when the reset comes starts with its whole velocity again.
#[test]
fn a_reset_out_of_a_collision_gives_the_start_velocity_back() {
    let cart = Cart { velocity: "3 0 0".into(), inside: PID.into(), ..Cart::default() }.named("a");
    let text = cart + "<block><static>true</static><init_pose>2 0 0</init_pose></block>";
    let (mut fresh, mut reset) = (world(&text), world(&text));
    for world in [&mut fresh, &mut reset] {
        twist(world, 0, 3.0, 0.0);
    }
    run(&mut reset, 2.0);
    assert!(first(&reset).colliding);
    reset.reset();
    twist(&mut reset, 0, 3.0, 0.0);
    for k in 0..100 {
        let expected = state(step(&mut fresh));
        assert_eq!(state(step(&mut reset)), expected, "step {k}");
    }
}

#[test]
fn refused_commands_say_what_is_accepted() {
    let car = Cart {
        drive: "ackermann",
        inside: r#"<controller class="twist_front_steer_pid"/>"#.into(),
        pose: "0 10 0",
        ..Cart::default()
    };
    let raw = Cart { pose: "0 20 0", ..Cart::default() };
    let text = Cart { inside: PID.into(), ..Cart::default() }.named("r1") + &car.named("r2") + &raw.named("r3");
    let mut world = world(&text);
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for action in [
        Action::Twist(Twist2::new(nan, 0.0, 0.0)),
        Action::Twist(Twist2::new(0.0, 0.0, -inf)),
        Action::Ackermann { speed: inf, steering_angle: 0.0 },
        Action::Ackermann { speed: 0.0, steering_angle: nan },
        Action::Teleport(Pose2::new(0.0, nan, 0.0)),
        Action::Teleport(Pose2::new(0.0, 0.0, inf)),
    ] {
        assert_eq!(
            refusal(&mut world, 1, action),
            "command to \"r2\" holds a number that is not finite\n  accepted: finite numbers"
        );
    }
    assert_eq!(
        refusal(&mut world, 1, Action::Twist(Twist2::new(0.0, 0.0, -1e308))),
        "command to \"r2\" asks for more than any vehicle can do\n  accepted: up to 1000000 m/s or rad/s"
    );
    let go = Action::Twist(Twist2::ZERO);
    let steer = Action::Ackermann { speed: 1.0, steering_angle: 0.0 };
    assert_eq!(refusal(&mut world, 3, go), "no vehicle with index 3");
    assert_eq!(refusal(&mut world, usize::MAX, go), format!("no vehicle with index {}", usize::MAX));
    assert_eq!(
        refusal(&mut world, 0, steer),
        "vehicle \"r1\" takes no Ackermann commands\n  accepted: velocity, wheel speeds"
    );
    for (action, kind) in [(go, "velocity"), (steer, "Ackermann")] {
        let message = format!("vehicle \"r3\" takes no {kind} commands\n  accepted: none, its controller is raw");
        assert_eq!(refusal(&mut world, 2, action), message);
    }
    assert_eq!(world.command(Command { vehicle: 1, action: steer }), Ok(()));
    assert_eq!(world.command(Command { vehicle: 2, action: Action::Teleport(Pose2::new(0.0, 30.0, 0.0)) }), Ok(()));
    // A refused command leaves no trace.
    run(&mut world, 1.0);
    assert_eq!(first(&world).velocity_in_body, Twist2::ZERO);
}

/// Of many commands between two steps the last counts, and a teleport among them happens.
#[test]
fn the_last_of_many_commands_counts() {
    let inside = r#"<controller class="twist_pid"/>"#.to_string();
    let text = Cart { inside, ..Cart::default() }.named("a");
    let (mut flooded, mut plain) = (world(&text), world(&text));
    let teleport = Action::Teleport(Pose2::new(3.0, 4.0, 1.0));
    for k in 0..1000 {
        let action = Action::Twist(Twist2::new(f64::from(k), 0.0, -1.0));
        assert_eq!(flooded.command(Command { vehicle: 0, action }), Ok(()));
    }
    for world in [&mut flooded, &mut plain] {
        assert_eq!(world.command(Command { vehicle: 0, action: teleport }), Ok(()));
        twist(world, 0, 0.5, 0.2);
        run(world, 1.0);
    }
    assert_eq!(state(flooded.frame()), state(plain.frame()));
    assert_eq!(first(&plain).setpoint.velocity_in_body, Twist2::new(0.5, 0.0, 0.2));
    assert!((first(&plain).world_from_body.planar().x - 3.0).abs() < 1.0);
}

/// Demands beyond the limits are counted with their maximum, and so are timeouts during motion, since the start or the last
/// reset.
#[test]
fn req_n6_commands_beyond_the_limits_are_counted_in_frames() {
    let mut world = world(
        r#"<vehicle name="car"><init_pose>0 0 0</init_pose><dynamics class="ackermann">
        <max_steer_ang_deg>30</max_steer_ang_deg><f_wheels_x>1</f_wheels_x><f_wheels_d>1</f_wheels_d>
        <rl_wheel pos="0 0.5"/><rr_wheel pos="0 -0.5"/><fl_wheel/><fr_wheel/>
        <controller class="front_steer_pid"/></dynamics></vehicle>"#,
    );
    let steer = |world: &mut World, steering_angle| {
        let action = Action::Ackermann { speed: 1.0, steering_angle };
        world.command(Command { vehicle: 0, action }).unwrap();
        step(world).vehicles[0].commands
    };
    let lock = 30.0_f64.to_radians();
    assert_eq!(steer(&mut world, lock).saturated, 0);
    let counts = steer(&mut world, -1.5 * lock);
    assert_eq!((counts.taken, counts.saturated, counts.infeasible), (2, 1, 0));
    assert!((counts.worst_saturation - 1.5).abs() < 1e-12, "{counts:?}");
    twist(&mut world, 0, 1.0, 2.0 * lock.tan());
    step(&mut world);
    let counts = first(&world).commands;
    assert_eq!((counts.infeasible, counts.last), (1, Some(SimTime(2 * world.scene().step.0))));
    assert!((counts.worst_infeasibility - 2.0).abs() < 1e-12, "{counts:?}");
    world.set_command_timeout(Some(SimTime::from_secs(0.1)));
    run(&mut world, 0.5);
    let counts = first(&world).commands;
    assert!((counts.timeouts, counts.silent, counts.cut_off) == (1, true, true), "{counts:?}");
    twist(&mut world, 0, 0.0, 0.0);
    run(&mut world, 0.5);
    let counts = first(&world).commands;
    assert!((counts.timeouts, counts.silent, counts.cut_off) == (1, true, false), "{counts:?}");
    world.reset();
    assert_eq!(first(&world).commands, Default::default());
}

fn car(inside: &str) -> World {
    let inside = format!(
        r#"<max_steer_ang_deg>28.6478897565412</max_steer_ang_deg>
        <controller class="front_steer_pid"><KP>200</KP></controller>{inside}"#
    );
    Cart { drive: "ackermann_drivetrain", inside, ..Cart::default() }.world(0.005)
}

fn tell(world: &mut World, action: Action) {
    world.command(Command { vehicle: 0, action }).expect("is taken");
}

/// v = a·t and δ = φ·t until they are what was asked for; the lock is 0.5 rad.
#[test]
fn limits_of_a_command_are_ramps_of_the_set_points() {
    let mut world = car("");
    let limits = RateLimits { acceleration: 2.0, steering_rate: 0.4 };
    tell(&mut world, Action::LimitedAckermann { speed: 1.0, steering_angle: 0.3, limits });
    for number in 1..=200 {
        // Commands that come again and again go on from where the set-points are.
        if number % 7 == 0 {
            tell(&mut world, Action::LimitedAckermann { speed: 1.0, steering_angle: 0.3, limits });
        }
        let setpoint = step(&mut world).vehicles[0].setpoint;
        let t = 0.005 * f64::from(number);
        assert!((setpoint.velocity_in_body.vx - (2.0 * t).min(1.0)).abs() < 1e-9, "{t}: {setpoint:?}");
        assert!((setpoint.steering_angle - (0.4 * t).min(0.3)).abs() < 1e-9, "{t}: {setpoint:?}");
    }
    // Another command ends them at once.
    tell(&mut world, Action::Ackermann { speed: -1.0, steering_angle: 0.0 });
    assert_eq!(step(&mut world).vehicles[0].setpoint.steering_angle, 0.0);
}

/// Set-points that are on their way go no further once the car is set down elsewhere.
#[test]
fn a_teleport_ends_limits_and_rates_too() {
    let limits = RateLimits { acceleration: 0.5, steering_rate: 0.1 };
    for action in [
        Action::LimitedAckermann { speed: 1.0, steering_angle: 0.3, limits },
        Action::SteeringRate { speed: 1.0, steering_rate: 0.1 },
    ] {
        let mut world = car("");
        tell(&mut world, action);
        run(&mut world, 0.5);
        tell(&mut world, Action::Teleport(Pose2::new(5.0, 1.0, 0.0)));
        for _ in 0..100 {
            let car = &step(&mut world).vehicles[0];
            assert_eq!(car.setpoint.velocity_in_body.vx, 0.0, "{action:?}");
            assert!((car.world_from_body.planar().x - 5.0).abs() < 1e-9, "{action:?}");
        }
    }
}

#[test]
fn a_steering_rate_turns_the_wheels_to_the_lock_and_no_rate_keeps_them() {
    let mut world = car("");
    tell(&mut world, Action::SteeringRate { speed: 0.5, steering_rate: -0.4 });
    for _ in 0..100 {
        step(&mut world);
    }
    assert!((first(&world).setpoint.steering_angle + 0.2).abs() < 1e-9);
    tell(&mut world, Action::SteeringRate { speed: 0.5, steering_rate: 0.0 });
    run(&mut world, 0.5);
    assert!((first(&world).setpoint.steering_angle + 0.2).abs() < 1e-9);
    tell(&mut world, Action::SteeringRate { speed: 0.5, steering_rate: -0.4 });
    run(&mut world, 2.0);
    assert!((first(&world).setpoint.steering_angle + 0.5).abs() < 1e-9, "{:?}", first(&world).setpoint);
}

#[test]
fn the_command_timeout_ends_a_ramp_and_keeps_the_steering() {
    let mut world = car("");
    world.set_command_timeout(Some(SimTime::from_secs(0.2)));
    tell(&mut world, Action::SteeringRate { speed: 1.0, steering_rate: 0.4 });
    run(&mut world, 1.0);
    let setpoint = first(&world).setpoint;
    assert!(setpoint.velocity_in_body.vx == 0.0 && setpoint.steering_angle < 0.1, "{setpoint:?}");
}

/// v = (R·ω_l + R·ω_r)/2, ω = R·(ω_r − ω_l)/w with R = 0.3 m and w = 1 m.
#[test]
fn wheel_speeds_are_a_velocity_of_the_body() {
    let mut world = cart();
    tell(&mut world, Action::SideSpins([2.0, 4.0]));
    let setpoint = step(&mut world).vehicles[0].setpoint.velocity_in_body;
    assert!((setpoint.vx - 0.9).abs() < 1e-12 && (setpoint.wz - 0.6).abs() < 1e-12, "{setpoint:?}");
    tell(&mut world, Action::SideSpins([-2.0, -2.0]));
    run(&mut world, 5.0);
    assert!(first(&world).wheels.iter().all(|wheel| (wheel.spin + 2.0).abs() < 0.05), "{:?}", first(&world).wheels);
}

#[test]
fn commands_of_rates_and_wheel_speeds_are_refused_where_they_do_not_apply() {
    let mut world = car("");
    let limits = RateLimits { acceleration: -1.0, steering_rate: 0.0 };
    assert_eq!(
        refusal(&mut world, 0, Action::LimitedAckermann { speed: 1.0, steering_angle: 0.0, limits }),
        "command to \"cart\": acceleration -1 is negative\n  accepted: 0 (as fast as possible) or more"
    );
    assert_eq!(
        refusal(&mut world, 0, Action::SideSpins([1.0, 1.0])),
        "vehicle \"cart\" takes no wheel speed commands\n  accepted: velocity, Ackermann"
    );
    let rate = Action::SteeringRate { speed: 1.0, steering_rate: 0.1 };
    assert_eq!(
        refusal(&mut cart(), 0, rate),
        "vehicle \"cart\" takes no steering rate commands\n  accepted: velocity, wheel speeds"
    );
    let endless = Action::SteeringRate { speed: 1.0, steering_rate: f64::NAN };
    assert!(refusal(&mut world, 0, endless).contains("not finite"));
}
