//! Straight ahead: free rolling, coast-down and braking.

use super::common::*;
use skidpad_sim::world::{LoadOptions, World};
use std::path::Path;

fn law(class: &str, inner: &str) -> String {
    format!(r#"<friction class="{class}"><C_damping>0</C_damping>{inner}</friction>"#)
}

fn speed(world: &World) -> f64 {
    first(world).velocity_in_body.vx
}

/// Whatever slips on the way, m·v + Σ(I/R)·ω is conserved by forces at the contacts: the wheels, standing at first, end
/// with ω·R = v at v = m·v0/(m + ΣI/R²). Exact for the scheme as well; 1e-9 is for rounding over the steps.
#[test]
fn without_losses_standing_wheels_spin_up_and_then_the_speed_is_constant() {
    for friction in [law("default", ""), law("wardiagnemma", "<R1>0</R1><R2>0</R2>")] {
        let mut world = Cart { friction, velocity: "5 0 0".into(), ..Cart::default() }.world(0.005);
        run(&mut world, 2.0);
        let expected = 5.0 * MASS / (MASS + ROLLING_MASS);
        assert!((speed(&world) - expected).abs() < 1e-9, "{} for {expected}", speed(&world));
        let x = first(&world).world_from_body.planar().x;
        run(&mut world, 20.0);
        assert!((speed(&world) - expected).abs() < 1e-9, "{}", speed(&world));
        let distance = first(&world).world_from_body.planar().x - x;
        assert!((distance - 20.0 * expected).abs() < 1e-7, "{distance}");
        assert!(first(&world).velocity_in_body.vy.abs() < 1e-12, "{:?}", first(&world).velocity_in_body);
    }
}

/// The ellipse gives force only with slip, so that the wheels close on rolling without ever reaching it; momentum binds
/// all the same.
#[test]
fn without_losses_the_ellipse_keeps_its_momentum() {
    let mut world = Cart { friction: law("ellipse", ""), velocity: "5 0 0".into(), ..Cart::default() }.world(0.005);
    for _ in 0..2000 {
        step(&mut world);
        let frame = first(&world);
        let spin: f64 = frame.wheels.iter().map(|w| w.spin).sum();
        let momentum = MASS * frame.velocity_in_body.vx + ROLLING_MASS * RADIUS * spin / 4.0;
        assert!((momentum - 5.0 * MASS).abs() < 1e-8, "{momentum}");
    }
    assert!((speed(&world) - 5.0 * MASS / (MASS + ROLLING_MASS)).abs() < 1e-3, "{}", speed(&world));
}

/// (m + ΣI/R²)·v' = −Σ c·v/R²: an exponential. Tolerance: the scheme is of first order, dt·rate/2 = 1e-4 relative per time
/// constant.
#[test]
fn bearing_damping_brakes_exponentially() {
    let friction = r#"<friction class="default"><C_damping>0.5</C_damping></friction>"#.to_string();
    let mut world = Cart { friction, velocity: "5 0 0".into(), ..Cart::default() }.world(0.001);
    run(&mut world, 0.5);
    let (start, rate) = (speed(&world), 4.0 * 0.5 / (RADIUS * RADIUS) / (MASS + ROLLING_MASS));
    for second in 1..=10 {
        run(&mut world, 1.0);
        let expected = start * (-rate * f64::from(second)).exp();
        assert!((speed(&world) / expected - 1.0).abs() < 1e-3, "{} for {expected}", speed(&world));
    }
}

/// Damping of the body, v/(1 + c·dt) per step, is exp(−c·t) to dt·c/2.
#[test]
fn chassis_damping_brakes_exponentially() {
    let text = Cart { velocity: "5 0 0".into(), ..Cart::default() }.named("cart");
    let text = text.replace(r#"linear_damping="0""#, r#"linear_damping="0.2""#);
    let mut world = world(&format!("<simul_timestep>0.001</simul_timestep>{text}"));
    run(&mut world, 0.5);
    let start = speed(&world);
    run(&mut world, 5.0);
    // The wheels roll along undamped and feed their share back.
    let expected = start * (-0.2 * 5.0 * MASS / (MASS + ROLLING_MASS)).exp();
    assert!((speed(&world) / expected - 1.0).abs() < 1e-3, "{} for {expected}", speed(&world));
}

/// (m + ΣI/R²)·v' = −C_rr·m·g: uniform deceleration, exact in the scheme but for tanh(100 ω) near rest.
#[test]
fn rolling_resistance_brakes_uniformly_to_a_stop() {
    let friction = r#"<friction class="default"><C_damping>0</C_damping><C_rr>0.02</C_rr></friction>"#.to_string();
    let mut world = Cart { friction, velocity: "3 0 0".into(), ..Cart::default() }.world(0.001);
    run(&mut world, 0.5);
    let (start, from) = (speed(&world), first(&world).world_from_body.planar().x);
    let deceleration = 0.02 * MASS * GRAVITY / (MASS + ROLLING_MASS);
    run(&mut world, 10.0);
    assert!((speed(&world) - (start - 10.0 * deceleration)).abs() < 1e-6, "{}", speed(&world));
    run(&mut world, 20.0);
    // The law lets go below 1e-4 rad/s, where the cart creeps on.
    assert!(speed(&world).abs() < 1.01e-4 * RADIUS, "{}", speed(&world));
    let distance = first(&world).world_from_body.planar().x - from;
    let expected = start * start / (2.0 * deceleration);
    assert!((distance / expected - 1.0).abs() < 1e-3, "{distance} for {expected}");
}

/// (m + ΣI/R²)·v' = −m·g·(R1·(1 − e^(−A·v)) + R2·v) (Ward and Iagnemma 2008), by Runge-Kutta in steps of 1 ms.
#[test]
fn ward_and_iagnemmas_resistance_brakes_as_its_equation_says() {
    let friction = law("wardiagnemma", "<A_roll>50</A_roll><R1>0.0075</R1><R2>0.02</R2>");
    let mut world = Cart { friction, velocity: "5 0 0".into(), ..Cart::default() }.world(0.001);
    run(&mut world, 0.5);
    let slope = |v: f64| -MASS * GRAVITY / (MASS + ROLLING_MASS) * (0.0075 * (1.0 - (-50.0 * v).exp()) + 0.02 * v);
    let (mut expected, dt) = (speed(&world), 1e-3);
    for _ in 0..8 {
        for _ in 0..1000 {
            let a = slope(expected);
            let b = slope(expected + 0.5 * dt * a);
            let c = slope(expected + 0.5 * dt * b);
            let d = slope(expected + dt * c);
            expected += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        }
        run(&mut world, 1.0);
        assert!((speed(&world) - expected).abs() < 5e-3, "{} for {expected}", speed(&world));
    }
}

/// Wheels that are torn backwards slide: |F| = μ·m·g, so that the cart stops after v²/(2·μ·g). Tolerance: one step of travel.
/// The Magic Formula's force falls beyond its peak: see `tyres`.
#[test]
fn sliding_wheels_stop_the_cart_within_the_textbook_distance() {
    let dt = 0.001;
    for class in ["default", "wardiagnemma", "ellipse", "linear", "fiala"] {
        for limit in ["circle", "axes"] {
            for (mu, v) in [(0.5_f64, 10.0_f64), (0.3, 5.0)] {
                let friction = law(class, &format!("<mu>{mu}</mu><limit>{limit}</limit>"));
                let inside =
                    r#"<controller class="raw"><l_torque>-400</l_torque><r_torque>-400</r_torque></controller>"#
                        .to_string();
                let mut world = Cart { friction, inside, velocity: format!("{v} 0 0"), ..Cart::default() }.world(dt);
                let mut time = 0.0;
                while speed(&world) > 0.0 {
                    step(&mut world);
                    time += dt;
                    assert!(time < 20.0, "{class} {limit} never stops");
                }
                let distance = first(&world).world_from_body.planar().x;
                let expected = v * v / (2.0 * mu * GRAVITY);
                assert!((distance - expected).abs() < v * dt, "{class} {limit}: {distance} for {expected}");
                assert!((time - v / (mu * GRAVITY)).abs() < 2.0 * dt, "{class} {limit}: {time}");
            }
        }
    }
}

/// A PID that may pull without limit holds the wheels near standstill: KP·ω·R = μ·N·R, that is 0.14 m/s at the rim. Never
/// shorter than full grip allows; longer by what the wheels' own momentum pushes, ΣI/R² = 10 of 120 kg.
#[test]
fn a_braking_pid_without_torque_limit_uses_nearly_all_grip() {
    let inside = r#"<controller class="twist_pid"><KP>500</KP><max_torque>0</max_torque></controller>"#.to_string();
    let mut world = Cart { inside, velocity: "10 0 0".into(), ..Cart::default() }.world(0.001);
    for _ in 0..5000 {
        step(&mut world);
    }
    let (distance, shortest) = (first(&world).world_from_body.planar().x, 100.0 / (2.0 * 0.8 * GRAVITY));
    assert!(speed(&world).abs() < 0.2, "{}", speed(&world));
    assert!(distance > shortest - 0.01 && distance < 1.1 * shortest, "{distance} for {shortest}");
}

/// The velocity at the start is of the body frame: with yaw 30° a forward speed moves along (cos 30°, sin 30°).
#[test]
fn the_velocity_at_the_start_is_in_the_body_frame() {
    let mut world = Cart { pose: "1 2 30", velocity: "2 0 0".into(), ..Cart::default() }.world(0.005);
    assert_eq!(first(&world).velocity_in_body.vx, 2.0);
    let yaw = 30.0_f64.to_radians();
    run(&mut world, 1.0);
    let pose = first(&world).world_from_body.planar();
    let (along, across) = (
        (pose.x - 1.0) * yaw.cos() + (pose.y - 2.0) * yaw.sin(),
        (pose.y - 2.0) * yaw.cos() - (pose.x - 1.0) * yaw.sin(),
    );
    assert!(along > 1.8 && along < 2.0 && across.abs() < 1e-9, "{along} {across}");
    assert!((pose.yaw - yaw).abs() < 1e-9, "{}", pose.yaw - yaw);
}

/// Without gravity there is no load, no grip and no loss: a body turns and moves on by itself.
#[test]
fn without_gravity_the_velocity_at_the_start_stays() {
    let text = Cart { pose: "0 0 90", velocity: "1 0.5 30".into(), ..Cart::default() }.named("cart");
    let mut world = world(&format!("<gravity>0</gravity>{text}"));
    let com = 0.5; // x of the centre of mass
    run(&mut world, 3.0);
    let pose = first(&world).world_from_body.planar();
    let (w, yaw) = (30.0_f64.to_radians(), 90.0_f64.to_radians());
    assert!((pose.yaw - (yaw + 3.0 * w)).abs() < 1e-9, "{pose:?}");
    // The centre of mass moves at (1, 0.5 + ω·0.5) of the body frame at the start, which is (−vy, vx) in the world.
    let (cx, cy) = (0.0 - 3.0 * (0.5 + w * com), com + 3.0 * 1.0);
    assert!((pose.x + com * pose.yaw.cos() - cx).abs() < 1e-9, "{pose:?}");
    assert!((pose.y + com * pose.yaw.sin() - cy).abs() < 1e-9, "{pose:?}");
}

/// The cart with wheels of this inertia [kg·m²] after 5 s: its speed, that of the next step, and what momentum demands.
fn with_heavy_wheels(inertia: f64) -> [f64; 3] {
    let cart = Cart { friction: law("default", "<mu>5</mu>"), velocity: "5 0 0".into(), ..Cart::default() };
    let text = cart.named("a").replace(r#"mass="5""#, &format!(r#"mass="5" inertia="{inertia}""#));
    let mut world = world(&text);
    run(&mut world, 5.0);
    let before = speed(&world);
    step(&mut world);
    [before, speed(&world), 5.0 * MASS / (MASS + 4.0 * inertia / (RADIUS * RADIUS))]
}

/// The wheel's spin follows the body one step later, which converges while ΣI/R² < m, here I < 2.7 kg·m².
#[test]
fn wheels_may_weigh_as_much_in_rotation_as_the_cart() {
    for inertia in [0.01, 1.0, 2.0, 2.6] {
        let [before, after, expected] = with_heavy_wheels(inertia);
        assert!((before - expected).abs() < 1e-6 && (after - expected).abs() < 1e-6, "{inertia}: {before} {after}");
    }
}

/// Beyond that the speed would swing by μ·g·dt from step to step for ever: the loader says so.
#[test]
fn wheels_that_weigh_more_in_rotation_than_the_vehicle_get_a_warning() {
    let text = |inertia: f64| {
        let wheel = |name: &str| format!(r#"<{name} mass="1" diameter="0.6" inertia="{inertia}"/>"#);
        format!(
            "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">{}{}\
             <chassis mass=\"8\"/></dynamics></vehicle></mvsim_world>",
            wheel(r#"l_wheel pos="0 0.5""#),
            wheel(r#"r_wheel pos="0 -0.5""#)
        )
    };
    let load =
        |inertia| World::load_text("a.world.xml", Path::new("."), &text(inertia), &LoadOptions::default()).unwrap().1;
    assert!(load(0.44).is_empty());
    let warnings = load(0.46);
    assert_eq!(
        warnings[0].to_string(),
        "a.world.xml:1:60: the wheels weigh 10.222 kg in rotation (Σ I/R²), the vehicle 10.000 kg\n  \
         hint: its speed will oscillate from step to step; check the inertia of the wheels"
    );
}
