//! Tyre laws with slip on whole vehicles: closed forms, standing on slopes, the friction limit. What every law must hold is in
//! `friction_laws`.

use super::common::*;
use skidpad_math::Vec2;
use skidpad_sim::world::World;

const LAWS: [&str; 4] = ["linear", "fiala", "pacejka", "similarity"];

/// The block of a law with these tags inside; `similarity` is the Magic Formula with its other rule.
fn law(class: &str, inside: &str) -> String {
    let (class, rule) =
        if class == "similarity" { ("pacejka", "<combined>similarity</combined>") } else { (class, "") };
    format!(r#"<friction class="{class}"><C_damping>0</C_damping>{rule}{inside}</friction>"#)
}

fn on_plane(cart: &Cart, grade: f64, step: f64) -> World {
    world(&format!("<simul_timestep>{step}</simul_timestep>{}{}", plane(grade, 100.0), cart.named("cart")))
}

/// A tenth and five times the inertia of the cart's discs.
const WHEELS: [&str; 3] = ["", r#" inertia="0.0225""#, r#" inertia="1.125""#];

fn with_inertia(text: String, inertia: &str) -> String {
    text.replace(r#"diameter="0.6""#, &format!(r#"diameter="0.6"{inertia}"#))
}

/// In neutral across a grade of 10 % for 10 s: it stays where it is, and no velocity grows or changes its sign.
#[test]
fn a_cart_across_a_slope_neither_creeps_nor_chatters() {
    for (class, dt, inertia, more) in LAWS.iter().flat_map(|class| {
        [0.001, 0.005, 0.01, 0.02].into_iter().flat_map(move |dt| {
            WHEELS.iter().flat_map(move |inertia| {
                ["", "<relaxation_length>0.2</relaxation_length>"].map(|more| (class, dt, inertia, more))
            })
        })
    }) {
        // Ten thousand steps of one kind are enough.
        if (dt == 0.001 || dt == 0.01) && !(inertia.is_empty() && more.is_empty()) {
            continue;
        }
        let cart = Cart { friction: law(class, more), pose: "0 0 90", ..Cart::default() };
        let text = format!("<simul_timestep>{dt}</simul_timestep>{}{}", plane(0.1, 100.0), cart.named("cart"));
        let mut world = world(&with_inertia(text, inertia));
        run(&mut world, 0.1);
        let start = first(&world).world_from_body;
        let mut fastest = 0.0_f64;
        for _ in 0..(10.0 / dt) as usize {
            let car = &step(&mut world).vehicles[0];
            let v = car.velocity_in_body;
            fastest = fastest.max(v.vx.abs()).max(v.vy.abs()).max(v.wz.abs());
            assert!(car.wheels.iter().all(|wheel| wheel.force_in_wheel.y.abs() > 10.0), "{class}: {:?}", car.wheels);
        }
        let end = first(&world).world_from_body;
        let off = (end.x - start.x).abs().max((end.y - start.y).abs()).max((end.yaw - start.yaw).abs());
        assert!(off < 1e-9 && fastest < 1e-9, "{class} {dt}{inertia}{more}: {off} m, {fastest} m/s");
    }
}

/// From 5 m/s, straight or sliding, to a stop on a grade of 5 %, and then it stays.
#[test]
fn a_cart_stops_and_stays() {
    let inside = r#"<controller class="twist_pid"><KP>60</KP><max_torque>60</max_torque></controller>"#;
    for class in LAWS {
        for dt in [0.001, 0.005, 0.01, 0.02] {
            for (velocity, more) in
                [("5 0 0", ""), ("4 -3 2", ""), ("4 3 -2", "<relaxation_length>0.3 0.4</relaxation_length>")]
            {
                if (dt == 0.001 || dt == 0.01) && velocity != "4 -3 2" {
                    continue;
                }
                let inside = inside.to_string();
                let friction = law(class, more);
                let cart = Cart { inside, friction, velocity: velocity.into(), pose: "0 0 30", ..Cart::default() };
                let mut world = on_plane(&cart, 0.05, dt);
                twist(&mut world, 0, 0.0, 0.0);
                run(&mut world, 4.0);
                let start = first(&world).world_from_body;
                let mut fastest = 0.0_f64;
                for _ in 0..(3.0 / dt) as usize {
                    let v = step(&mut world).vehicles[0].velocity_in_body;
                    fastest = fastest.max(v.vx.abs()).max(v.vy.abs()).max(v.wz.abs());
                }
                let end = first(&world).world_from_body;
                let off = (end.x - start.x).hypot(end.y - start.y);
                assert!(off < 1e-6 && fastest < 1e-6, "{class} {dt} {velocity} {more}: {off} m, {fastest} m/s");
            }
        }
    }
}

/// In neutral nothing but tyres stops a cart that slides sideways: it comes to rest in μ·g or less, and stays at rest.
#[test]
fn side_slip_ends_at_rest() {
    for class in LAWS {
        for dt in [0.001, 0.005, 0.01, 0.02] {
            for more in ["", "<relaxation_length>0.3</relaxation_length>"] {
                let friction = law(class, more);
                let mut world = Cart { friction, velocity: "0 3 0".into(), ..Cart::default() }.world(dt);
                run(&mut world, 3.0);
                let mut signs = 0;
                let mut last = 0.0;
                for _ in 0..100 {
                    let v = step(&mut world).vehicles[0].velocity_in_body.vy;
                    assert!(v.abs() < 1e-9, "{class} {dt} {more}: {v}");
                    signs += i32::from(v * last < 0.0 && v.abs() > 1e-12);
                    last = v;
                }
                assert_eq!(signs, 0, "{class} {dt} {more}");
            }
        }
    }
}

/// Pulled against a linear drag c·m·v the cart runs at a speed where each wheel pushes with F = T/R: κ = T/(R·C_s·N).
#[test]
fn steady_traction_has_the_slip_of_its_force() {
    for dt in [0.001, 0.005, 0.01, 0.02] {
        for (class, exact) in [("linear", true), ("fiala", false), ("pacejka", false), ("similarity", false)] {
            let torque = 20.0;
            let inside = format!(
                r#"<controller class="raw"><l_torque>{torque}</l_torque><r_torque>{torque}</r_torque></controller>"#
            );
            let cart = Cart { inside, friction: law(class, ""), ..Cart::default() }.named("cart");
            let cart = cart.replace(r#"linear_damping="0""#, r#"linear_damping="1""#);
            let mut world = world(&format!("<simul_timestep>{dt}</simul_timestep>{cart}"));
            run(&mut world, 40.0);
            let wheel = first(&world).wheels[0];
            let force = torque / 2.0 / RADIUS;
            let torque_is_per_side = (wheel.torque - torque / 2.0).abs() < 1e-9;
            let force = if torque_is_per_side { force } else { wheel.torque / RADIUS };
            assert!((wheel.force_in_wheel.x / force - 1.0).abs() < 1e-6, "{class} {dt}: {wheel:?} for {force}");
            if exact {
                let expected = force / (12.0 * wheel.load);
                assert!(
                    (wheel.slip_ratio() / expected - 1.0).abs() < 1e-5,
                    "{dt}: {} for {expected}",
                    wheel.slip_ratio()
                );
            }
            assert!(wheel.slip_ratio() > 1e-3, "{class}: {wheel:?}");
        }
    }
}

/// Rolling across a slope the cart drifts with tan θ·N = C_alpha·N·α; the scheme's error is (C_alpha·g·dt/v)².
#[test]
fn rolling_across_a_slope_takes_the_slip_angle_of_the_pull() {
    let (grade, v) = (0.05_f64, 10.0);
    for dt in [0.001, 0.005] {
        for class in ["linear", "fiala"] {
            let cart =
                Cart { friction: law(class, ""), velocity: format!("{v} 0 0"), pose: "0 0 90", ..Cart::default() };
            let mut world = on_plane(&cart, grade, dt);
            run(&mut world, 4.0);
            let car = first(&world);
            let drift = -car.velocity_in_body.vy.abs() / car.velocity_in_body.vx;
            let expected = -grade / 10.0;
            let tolerance = if class == "linear" { 0.01 } else { 0.03 };
            assert!((drift / expected - 1.0).abs() < tolerance, "{class} {dt}: {drift} for {expected}");
        }
    }
}

/// A steady circle: the lateral forces are m·v·r together, and under the linear law each is
/// C_alpha·N·α·√(1 − (F_x/μN)²).
#[test]
fn a_steady_circle_has_slip_angles_of_its_force() {
    for class in LAWS {
        let inside = r#"<controller class="front_steer_pid"><KP>100</KP><max_torque>40</max_torque></controller>"#;
        let cart = Cart { drive: "ackermann", inside: inside.to_string(), friction: law(class, ""), ..Cart::default() };
        let mut world = cart.world(0.001);
        let action = skidpad_sim::vehicle::Action::Ackermann { speed: 5.0, steering_angle: 0.05 };
        world.command(skidpad_sim::vehicle::Command { vehicle: 0, action }).expect("steers");
        run(&mut world, 20.0);
        let car = first(&world);
        let (v, r) = (car.velocity_in_body, car.velocity_in_body.wz);
        let lateral: f64 =
            car.wheels.iter().map(|w| w.force_in_wheel.x * w.steer.sin() + w.force_in_wheel.y * w.steer.cos()).sum();
        // The centre of mass is half a metre before the reference point: a_y = v_x·r, and the wheels stay with the body.
        assert!((lateral / (MASS * v.vx * r) - 1.0).abs() < 1e-3, "{class}: {lateral} for {}", MASS * v.vx * r);
        for wheel in &car.wheels {
            assert!(wheel.slip_angle() < -1e-3, "{class}: {wheel:?}");
            if class == "linear" {
                let used = wheel.force_in_wheel.x / (0.8 * wheel.load);
                let expected = -10.0 * wheel.load * wheel.slip_angle() * (1.0 - used * used).sqrt();
                assert!((wheel.force_in_wheel.y / expected - 1.0).abs() < 1e-3, "{wheel:?}");
            }
        }
    }
}

/// Locked wheels slide with the Magic Formula's force at slip ratio 1: μ·N·sin(C·atan(B − E·(B − atan B))).
#[test]
fn wheels_torn_backwards_slide_with_what_the_formula_leaves() {
    let (b, c, e, mu) = (10.0_f64, 1.65_f64, 0.5_f64, 0.5_f64);
    let share = (c * (b - e * (b - b.atan())).atan()).sin();
    let (dt, v) = (0.001, 10.0);
    let inside =
        r#"<controller class="raw"><l_torque>-400</l_torque><r_torque>-400</r_torque></controller>"#.to_string();
    let friction = law("pacejka", &format!("<mu>{mu}</mu>"));
    let mut world = Cart { inside, friction, velocity: format!("{v} 0 0"), ..Cart::default() }.world(dt);
    run(&mut world, 1.0);
    let before = first(&world).velocity_in_body.vx;
    run(&mut world, 0.5);
    let actual = (before - first(&world).velocity_in_body.vx) / 0.5;
    assert!((actual / (share * mu * GRAVITY) - 1.0).abs() < 1e-6, "{actual} for {}", share * mu * GRAVITY);
}

/// Camber pushes a rolling wheel to where it leans, with C_gamma·γ·N, and not one that stands.
#[test]
fn leaning_wheels_push_where_they_lean() {
    use skidpad_sim::friction::{FrictionLaw as _, Linear, Tyre};
    let law = Linear { tyre: Tyre { camber_stiffness: 1.5, ..Tyre::default() }, ..Linear::default() };
    for (v, camber) in [(10.0, 0.02), (-10.0, 0.02), (10.0, -0.02), (0.0, 0.02)] {
        let contact = skidpad_sim::friction::WheelContact { camber, ..contact(v, 0.0, 0.001) };
        let expected = if v == 0.0 { 0.0 } else { 1.5 * camber * contact.load };
        let actual = law.react(&contact).force_in_wheel.y;
        assert!((actual - expected).abs() <= 1e-4 * expected.abs(), "{v} {camber}: {actual} for {expected}");
    }
}

/// Slip builds up as 1 − e^(−x/L) over the way x.
#[test]
fn relaxed_slip_follows_over_the_way() {
    use skidpad_sim::friction::{FrictionLaw as _, Linear, Tyre, WheelContact};
    let tyre = Tyre { mu: 1.0, damping: 0.0, relaxation_length: Vec2::new(0.0, 0.5), ..Tyre::default() };
    let law = Linear { tyre, ..Linear::default() };
    for (dt, v) in [(0.001, 10.0), (0.005, 10.0), (0.02, 40.0)] {
        let mut contact = contact(v, 0.01 * v, dt);
        let mut distance = 0.0;
        for _ in 0..20 {
            let reaction = law.react(&contact);
            contact.relaxed_slip = reaction.relaxed_slip;
            contact.spin += reaction.spin_acceleration * dt;
            distance += v * dt;
            let a = 10.0 * contact.load * dt / (contact.mass * v);
            let length = 0.5 * (1.0 - a);
            let expected = -10.0 * contact.load * (0.01 * (1.0 - (-distance / length).exp())).atan();
            let actual = reaction.force_in_wheel.y;
            assert!((actual / expected - 1.0).abs() < 1e-9, "{v} {dt}: {actual} for {expected}");
        }
        let _: WheelContact = contact;
    }
}

/// A wheel of 400 kg under 3 kN that moves with this velocity [m/s] and rolls.
fn contact(vx: f64, vy: f64, dt: f64) -> skidpad_sim::friction::WheelContact {
    skidpad_sim::friction::WheelContact {
        wheel: 0,
        velocity_in_wheel: Vec2::new(vx, vy),
        pull_in_wheel: Vec2::ZERO,
        load: 3000.0,
        mass: 400.0,
        spin: vx / 0.3,
        torque: 0.0,
        radius: 0.3,
        inertia: 1.0,
        locked: false,
        camber: 0.0,
        relaxed_slip: Vec2::ZERO,
        ground_mu: None,
        ground_rolling_resistance: None,
        dt,
    }
}

#[test]
fn mistakes_in_tyres_are_reported() {
    for (inside, expected) in [
        (
            r#"<friction class="linear"><combined>both</combined></friction>"#,
            r#"bad.xml:5:36: bad value "both" for <combined> in <friction class="linear">
  accepted: ellipse, similarity"#,
        ),
        (
            r#"<friction class="fiala"><C_alpha>-1</C_alpha></friction>"#,
            r#"bad.xml:5:34: bad value "-1" for <C_alpha> in <friction class="fiala">
  accepted: a finite number > 0"#,
        ),
        (
            r#"<friction class="fiala"><stiffness>absolute</stiffness><C_s>5e4</C_s></friction>"#,
            r#"bad.xml:5:1: missing <C_alpha>, in newton, in <friction class="fiala">"#,
        ),
        (
            r#"<friction class="linear"><relaxation_length>0.2 -1</relaxation_length></friction>"#,
            r#"bad.xml:5:45: negative length for <relaxation_length> in <friction class="linear">
  accepted: one number or two, along x and y, >= 0"#,
        ),
        (
            r#"<friction class="pacejka"><longitudinal><B>3</B><b2>1390</b2><b4>30</b4></longitudinal></friction>"#,
            r#"bad.xml:5:44: both <B> and <b2> in <longitudinal>
  accepted: <B>, <C>, <D> or <mu>, <E>, <C> and <b1> to <b8>, <b13>"#,
        ),
        (
            r#"<friction class="pacejka"><lateral><D>3000</D></lateral></friction>"#,
            r#"bad.xml:5:39: <D> in <lateral> without <nominal_load>
  hint: say in <friction> at which load [N] the peak is D, or give <mu> instead"#,
        ),
        (
            r#"<friction class="pacejka"><lateral><E>1.5</E></lateral></friction>"#,
            r#"bad.xml:5:39: bad value "1.5" for <E> in <lateral>
  accepted: a finite number from -100 to 1"#,
        ),
        (
            r#"<friction class="pacejka"><mu>0</mu></friction>"#,
            r#"bad.xml:5:31: bad value "0" for <mu> in <friction class="pacejka">
  accepted: a finite number > 0
  hint: mu belongs to the ground of the parameters; for slippery ground use a <property_region>"#,
        ),
    ] {
        let text = format!(
            "<mvsim_world>\n<vehicle name=\"r\">\n<init_pose>0 0 0</init_pose>\n<dynamics class=\"differential\"/>\n{inside}\n</vehicle>\n</mvsim_world>"
        );
        assert_eq!(problems(&text), [expected], "{inside}");
    }
}

/// Each world of tyres loads without a warning, and its cars corner with a slip angle at every wheel.
#[test]
fn the_worlds_of_tyres_corner_with_slip() {
    for name in ["linear", "fiala", "pacejka"] {
        let file = repository(&format!("worlds/{name}_tyres.world.xml"));
        let (mut world, warnings) = World::load(&file, &skidpad_sim::world::LoadOptions::default()).expect("loads");
        assert!(warnings.is_empty(), "{warnings:?}");
        let action = skidpad_sim::vehicle::Action::Ackermann { speed: 1.5, steering_angle: 0.2 };
        world.command(skidpad_sim::vehicle::Command { vehicle: 0, action }).expect("steers");
        run(&mut world, 4.0);
        let car = first(&world);
        assert!(car.wheels.iter().all(|w| w.slip_angle() < -5e-3), "{name}: {:?}", car.wheels);
        assert!(car.velocity_in_body.wz > 0.6, "{name}: {:?}", car.velocity_in_body);
    }
}
