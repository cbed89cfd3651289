//! Motors that hold the speeds of their wheels: `twist_servo`.

use super::common::*;
use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::World;

/// A robot of 60 kg with four wheels of 2 kg at (±0.3, ±0.25) m, which grip with μ = 1.
fn four_wheels(more: &str, step: f64) -> World {
    world(&four_wheels_text("default", more, step))
}

fn four_wheels_text(law: &str, more: &str, step: f64) -> String {
    let wheel =
        |name: &str, pos: &str| format!(r#"<{name} pos="{pos}" mass="2" width="0.08" diameter="0.2" inertia="0.01"/>"#);
    let wheels: String = [("lr", "-0.3 0.25"), ("rr", "-0.3 -0.25"), ("lf", "0.3 0.25"), ("rf", "0.3 -0.25")]
        .map(|(name, pos)| wheel(&format!("{name}_wheel"), pos))
        .concat();
    format!(
        r#"<simul_timestep>{step}</simul_timestep><vehicle name="r"><init_pose>0 0 0</init_pose>
        <dynamics class="differential_4_wheels">{wheels}<chassis mass="60" com="0 0" inertia="4" zmin="0.1" zmax="0.3" linear_damping="0" angular_damping="0"/>
        <controller class="twist_servo">{more}</controller></dynamics>
        <friction class="{law}"><mu>1</mu><C_damping>0</C_damping></friction></vehicle>"#
    )
}

/// Two wheels of 0.5 kg and 5 cm radius at (0, ±0.15) m under 5 kg with this yaw inertia [kg·m²], and with these attributes of the wheels.
fn two_wheels(yaw_inertia: f64, inertia: f64, damping: f64, step: f64) -> World {
    let wheel = format!(r#"mass="0.5" width="0.03" diameter="0.1" inertia="{inertia}""#);
    world(&format!(
        r#"<simul_timestep>{step}</simul_timestep><vehicle name="r"><init_pose>0 0 0</init_pose>
        <dynamics class="differential"><l_wheel pos="0 0.15" {wheel}/><r_wheel pos="0 -0.15" {wheel}/>
        <chassis mass="5" com="0 0" inertia="{yaw_inertia}" zmin="0.05" zmax="0.15" linear_damping="0" angular_damping="0"/>
        <controller class="twist_servo"><max_torque>9</max_torque></controller></dynamics>
        <friction class="default"><mu>1</mu><C_damping>{damping}</C_damping><C_rr>0.01</C_rr></friction></vehicle>"#
    ))
}

/// Coulomb's law on four equally loaded wheels at (±a, ±b), whose rims run at ±b·ω_w: the forces against their sliding velocities
/// (b·(ω_w − ω), a·ω) have no torque together where b²·(ω_w − ω) = a²·ω. Whatever the step, and while it drives on as well.
#[test]
fn four_skidding_wheels_turn_the_body_as_coulombs_law_says() {
    let share = 0.25_f64.powi(2) / (0.3_f64.powi(2) + 0.25_f64.powi(2));
    for (law, step) in [("default", 0.001), ("wardiagnemma", 0.005), ("default", 0.02)] {
        for (speed, yaw_rate) in [(0.0, 0.4), (0.0, 0.05), (0.5, 0.4), (-0.5, -1.0)] {
            let mut world = world(&four_wheels_text(law, "", step));
            twist(&mut world, 0, speed, yaw_rate);
            run(&mut world, 1.0);
            let actual = first(&world).velocity_in_body;
            assert!((actual.wz / (share * yaw_rate) - 1.0).abs() < 0.02, "{actual:?} of {yaw_rate} at {step}");
            assert!((actual.vx - speed).abs() < 5e-3, "{actual:?} of {speed} at {step}");
        }
    }
    // A driver that reckons with wheels farther apart.
    let multiplier = format!("<wheel_separation_multiplier>{}</wheel_separation_multiplier>", 1.0 / share);
    let mut world = four_wheels(&multiplier, 0.005);
    twist(&mut world, 0, 0.0, 0.4);
    run(&mut world, 1.0);
    assert!((first(&world).velocity_in_body.wz - 0.4).abs() < 4e-3, "{:?}", first(&world).velocity_in_body);
}

/// Neither mass nor yaw inertia, damping, inertia of the wheels or step decides how a command is followed: within 5 % after 0.3 s, without
/// overshoot.
#[test]
fn what_grips_follows_a_command_whatever_its_masses_and_damping() {
    for step in [0.001, 0.005, 0.02] {
        for (yaw_inertia, inertia, damping) in
            [(0.06, 1e-3, 0.0), (1.0, 1e-3, 0.0), (0.003, 1e-3, 0.0), (0.06, 1e-3, 0.5), (0.06, 1e-7, 0.01)]
        {
            let mut world = two_wheels(yaw_inertia, inertia, damping, step);
            twist(&mut world, 0, 0.4, 0.5);
            let (mut most, mut soon) = (Twist2::ZERO, Twist2::ZERO);
            while world.frame().time.secs() < 1.0 {
                let actual = step_twist(&mut world);
                most = Twist2::new(most.vx.max(actual.vx), 0.0, most.wz.max(actual.wz));
                if world.frame().time.secs() < 0.3 + 1e-9 {
                    soon = actual;
                }
            }
            let of = (yaw_inertia, inertia, damping, step);
            assert!((soon.vx / 0.4 - 1.0).abs() < 0.05 && (soon.wz / 0.5 - 1.0).abs() < 0.05, "{soon:?} of {of:?}");
            assert!(most.vx < 0.4 * 1.005 && most.wz < 0.5 * 1.01, "{most:?} of {of:?}");
        }
    }
}

fn step_twist(world: &mut World) -> Twist2 {
    step(world).vehicles[0].velocity_in_body
}

/// F = 4·τ/R on the mass and the wheels, m + ΣI/R², until the speed is reached.
#[test]
fn a_motor_pushes_with_its_largest_torque_where_that_is_too_little() {
    for step in [0.001, 0.01] {
        let mut world = four_wheels("<max_torque>1</max_torque><time_constant>0</time_constant>", step);
        twist(&mut world, 0, 0.5, 0.0);
        run(&mut world, 0.5);
        let expected = 0.5 * 4.0 / 0.1 / (68.0 + 4.0);
        let actual = first(&world).velocity_in_body.vx;
        assert!((actual / expected - 1.0).abs() < 0.01, "{actual} of {expected} at {step}");
        let torques = first(&world).wheels.iter().map(|wheel| wheel.torque);
        assert!(torques.clone().all(|torque| (torque - 1.0).abs() < 1e-9), "{:?}", torques.collect::<Vec<_>>());
        run(&mut world, 3.5);
        let actual = first(&world).velocity_in_body.vx;
        assert!((actual - 0.5).abs() < 1e-6, "{actual}");
    }
}

/// Four wheels at (±a, ±b) begin to slide about their middle where F_x·b = F_y·a on the circle μ·N: τ = μ·N·R·a/√(a² + b²), 12.8 N·m. Weaker motors
/// push in vain, and stronger ones turn the body with the share of Coulomb's law.
#[test]
fn motors_that_are_too_weak_to_skid_do_not_turn_the_body() {
    let needed = 68.0 * GRAVITY / 4.0 * 0.1 * 0.3 / 0.3_f64.hypot(0.25);
    for step in [0.001, 0.005, 0.02] {
        for (torque, expected) in [(0.95 * needed, 0.0), (1.05 * needed, 0.164)] {
            let mut world = world(&four_wheels_text("default", &format!("<max_torque>{torque}</max_torque>"), step));
            twist(&mut world, 0, 0.0, 0.4);
            run(&mut world, 1.0);
            let actual = first(&world).velocity_in_body.wz;
            assert!((actual - expected).abs() < 2e-3, "{actual} of {expected} at {torque} N·m and {step} s");
            assert!(first(&world).wheels.iter().all(|wheel| wheel.torque.abs() <= torque * (1.0 + 1e-9)));
        }
    }
}

/// What pulls at the body takes torque and no speed: Σ τ = m·g·sin α·R. Stopped, it stays.
#[test]
fn a_slope_does_not_change_the_speed_and_a_halt_holds() {
    for grade in [0.2, -0.2] {
        let text = four_wheels_text("default", "", 0.005);
        let mut world = world(&format!("{}{text}", plane(grade, 100.0)));
        twist(&mut world, 0, 0.5, 0.0);
        run(&mut world, 2.0);
        let frame = first(&world);
        assert!((frame.velocity_in_body.vx - 0.5).abs() < 1e-3, "{:?}", frame.velocity_in_body);
        let expected = 68.0 * GRAVITY * f64::sin(f64::atan(grade)) * 0.1;
        let actual: f64 = frame.wheels.iter().map(|wheel| wheel.torque).sum();
        assert!((actual / expected - 1.0).abs() < 0.02, "{actual} of {expected}");
        twist(&mut world, 0, 0.0, 0.0);
        run(&mut world, 1.0);
        let from = first(&world).world_from_body;
        run(&mut world, 5.0);
        let to = first(&world).world_from_body;
        assert!((to.x - from.x).hypot(to.y - from.y) < 1e-3, "{from:?} {to:?}");
    }
}

/// Wheels with rollers at 45° push the body sideways, too.
#[test]
fn mecanum_and_omni_wheels_follow_a_command_along_both_axes() {
    for drive in ["mecanum", "omni_3_wheels", "omni_4_wheels"] {
        for step in [0.002, 0.02] {
            let inside = r#"<controller class="twist_servo"><max_torque>200</max_torque></controller>"#.to_owned();
            let mut world = Cart { drive, inside, ..Cart::default() }.world(step);
            let action = Action::Twist(Twist2::new(0.3, -0.2, 0.4));
            world.command(Command { vehicle: 0, action }).expect("takes velocities");
            run(&mut world, 0.3);
            let Twist2 { vx, vy, wz } = first(&world).velocity_in_body;
            let off = [(vx, 0.3), (vy, -0.2), (wz, 0.4)].map(|(actual, commanded)| (actual / commanded - 1.0).abs());
            assert!(off.iter().all(|off| *off < 0.05), "{drive} at {step}: {vx} {vy} {wz}");
        }
    }
}

/// Σ τ/R = (m + Σ I/R²)·a, and a wheel without a command of its own that runs free follows one that holds its spin.
#[test]
fn single_wheels_take_torques_and_spins() {
    use skidpad_sim::vehicle::WheelTargets;
    let send = |world: &mut World, spin: [Option<f64>; 4], torque: [Option<f64>; 4]| {
        let action = Action::Wheels(WheelTargets { spin, torque, ..WheelTargets::default() });
        world.command(Command { vehicle: 0, action }).unwrap();
    };
    for (law, step) in [("default", 0.001), ("default", 0.01), ("wardiagnemma", 0.005)] {
        let mut world = world(&four_wheels_text(law, "", step));
        send(&mut world, [None; 4], [Some(1.8); 4]);
        run(&mut world, 1.0);
        let expected = 4.0 * 1.8 / 0.1 / (68.0 + 4.0 * 0.01 / 0.01);
        let actual = first(&world).velocity_in_body.vx;
        let resistance = if law == "default" { 0.0 } else { 0.2 };
        assert!(
            (actual - expected).abs() < 0.02 * expected + resistance,
            "{actual} m/s of {expected} on {law} at {step}"
        );
        send(&mut world, [Some(7.0), Some(7.0), None, None], [None, None, Some(0.0), Some(0.0)]);
        run(&mut world, 1.0);
        let frame = first(&world);
        assert!((frame.velocity_in_body.vx - 0.7).abs() < 0.01, "{:?} on {law}", frame.velocity_in_body);
        assert!(frame.wheels.iter().all(|wheel| (wheel.spin - 7.0).abs() < 0.2), "{law}");
        assert!((frame.setpoint.velocity_in_body.vx - 0.7).abs() < 1e-9, "{:?}", frame.setpoint);
        // A command for all takes the place of those for single wheels.
        twist(&mut world, 0, 0.2, 0.0);
        run(&mut world, 0.5);
        assert!((first(&world).velocity_in_body.vx - 0.2).abs() < 0.01, "{law}");
    }
}

/// τ = R·F_x + I·Δω/Δt + c·ω in each step, for wheels with and without rollers.
#[test]
fn the_torque_of_a_motor_that_holds_a_spin_balances_the_ground() {
    for drive in ["mecanum", "omni_4_wheels", "differential_4_wheels"] {
        let damping = 0.01;
        let cart = Cart {
            drive,
            inside: r#"<controller class="twist_servo"><max_torque>200</max_torque></controller>"#.to_owned(),
            friction: format!(r#"<friction class="default"><mu>0.8</mu><C_damping>{damping}</C_damping></friction>"#),
            ..Cart::default()
        };
        let dt = 0.005;
        let mut world = cart.world(dt);
        let vy = if drive == "differential_4_wheels" { 0.0 } else { -0.2 };
        let action = Action::Twist(Twist2::new(0.3, vy, 0.4));
        world.command(Command { vehicle: 0, action }).expect("takes velocities");
        let inertias: Vec<f64> = world.scene().vehicles[0].wheels.iter().map(|wheel| wheel.inertia).collect();
        let mut most = 0.0_f64;
        for _ in 0..60 {
            let before: Vec<f64> = first(&world).wheels.iter().map(|wheel| wheel.spin).collect();
            let frame = step(&mut world);
            for ((wheel, before), inertia) in frame.vehicles[0].wheels.iter().zip(&before).zip(&inertias) {
                let expected =
                    RADIUS * wheel.force_in_wheel.x + inertia * (wheel.spin - before) / dt + damping * wheel.spin;
                assert!((wheel.torque - expected).abs() < 1e-6, "{drive}: {} of {expected} N·m", wheel.torque);
                most = most.max(expected.abs());
            }
        }
        assert!(most > 1.0, "{drive} was never driven");
    }
}
