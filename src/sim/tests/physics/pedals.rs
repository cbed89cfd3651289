//! Throttle, brake and steering commands, service brakes, the steering actuator, air and rolling resistance.

use super::common::*;
use skidpad_math::time::SimTime;
use skidpad_sim::vehicle::{Action, Command, GearLever, Pedals};
use skidpad_sim::world::World;

/// A cart with one motor on the rear axle, whose pedals are worked by hand; `parts` goes into its `<dynamics>`.
fn by_hand(parts: &str, velocity: &str) -> Cart {
    Cart {
        drive: "ackermann_drivetrain",
        inside: format!(
            r#"<drivetrain type="open_rear"/><controller class="pedals"><max_torque>90</max_torque></controller>{parts}"#
        ),
        velocity: velocity.to_string(),
        ..Cart::default()
    }
}

fn on(grade: f64, cart: &Cart, step: f64) -> World {
    world(&format!("<simul_timestep>{step}</simul_timestep>{}{}", plane(grade, 1e4), cart.named("cart")))
}

fn order(world: &mut World, action: Action) {
    world.command(Command { vehicle: 0, action }).expect("takes pedals");
}

fn speed(world: &World) -> f64 {
    first(world).velocity_in_body.vx
}

fn x(world: &World) -> f64 {
    first(world).world_from_body.planar().x
}

/// Kinetic energy [J] of the cart and its wheels.
fn energy(world: &World) -> f64 {
    let frame = first(world);
    let (v, wheel_inertia) = (frame.velocity_in_body, ROLLING_MASS / 4.0 * RADIUS * RADIUS);
    // Upright inertia of the chassis and of four wheels, about the centre of mass amid them.
    let yaw = 100.0 * (1.4 * 1.4 + 0.8 * 0.8) / 12.0 + 4.0 * 5.0 * (0.5 + (0.6 * 0.6 + 0.01) / 12.0);
    let side = v.vy + 0.5 * v.wz;
    let spins: f64 = frame.wheels.iter().map(|wheel| wheel.spin * wheel.spin).sum();
    0.5 * (MASS * (v.vx * v.vx + side * side) + yaw * v.wz * v.wz + wheel_inertia * spins)
}

fn press(throttle: f64, brake: f64, steering_angle: f64) -> Action {
    Action::Pedals { pedals: Pedals { throttle, brake, ..Pedals::default() }, steering_angle }
}

fn refusal(world: &mut World, action: Action) -> String {
    world.command(Command { vehicle: 0, action }).unwrap_err().to_string()
}

#[test]
fn pedal_commands_out_of_range_are_refused() {
    let inside = r#"<controller class="pedals"/>"#.to_string();
    let mut world = Cart { drive: "ackermann", inside, ..Cart::default() }.world(0.005);
    assert!(world.scene().vehicles[0].accepts.pedals);
    for (action, message) in [
        (press(1.5, 0.0, 0.0), "command to \"cart\": throttle 1.5 is out of range\n  accepted: 0 to 1"),
        (press(0.0, -0.1, 0.0), "command to \"cart\": brake -0.1 is out of range\n  accepted: 0 to 1"),
        (
            press(f64::NAN, 0.0, 0.0),
            "command to \"cart\" holds a number that is not finite\n  accepted: finite numbers",
        ),
        (
            press(0.0, 0.0, 1e7),
            "command to \"cart\" asks for more than any vehicle can do\n  accepted: up to 1000000 m/s or rad/s",
        ),
    ] {
        assert_eq!(refusal(&mut world, action), message);
    }
    assert_eq!(world.command(Command { vehicle: 0, action: press(1.0, 0.0, 0.3) }), Ok(()));
}

#[test]
fn a_vehicle_without_pedals_says_so() {
    let inside = r#"<controller class="front_steer_pid"/>"#.to_string();
    let mut world = Cart { drive: "ackermann", inside, ..Cart::default() }.world(0.005);
    let message = "vehicle \"cart\" takes no pedals commands\n  accepted: velocity, Ackermann";
    assert_eq!(refusal(&mut world, press(1.0, 0.0, 0.0)), message);
}

#[test]
fn pedals_in_the_world_file_are_checked() {
    let text = Cart {
        drive: "ackermann",
        inside: "<controller class=\"pedals\"><brake>2</brake><gear>park</gear></controller>".into(),
        ..Cart::default()
    };
    let actual = problems(&format!("<mvsim_world>{}</mvsim_world>", text.named("cart")));
    assert_eq!(
        actual,
        [
            "bad.xml:5:47: bad value \"2\" for <brake> in <controller class=\"pedals\">\n  accepted: a finite number from 0 to 1",
            "bad.xml:5:62: bad value \"park\" for <gear> in <controller class=\"pedals\">\n  accepted: drive, neutral, reverse",
        ]
    );
    let text = Cart {
        drive: "ackermann",
        inside: "<controller class=\"speed_pedals\"><max_torque>0</max_torque></controller>".into(),
        ..Cart::default()
    };
    let actual = problems(&format!("<mvsim_world>{}</mvsim_world>", text.named("cart")));
    let message = "<max_torque> is the torque at full throttle\n  accepted: a positive number";
    assert_eq!(actual, [format!("bad.xml:5:58: {message}")]);
}

/// m_eff·a = T/R with the motor's torque in proportion to the throttle; nothing in neutral, backwards in reverse.
#[test]
fn the_throttle_accelerates_in_proportion() {
    for (gear, sign) in [(GearLever::Drive, 1.0), (GearLever::Neutral, 0.0), (GearLever::Reverse, -1.0)] {
        for throttle in [0.25, 1.0] {
            let mut world = by_hand("", "0 0 0").world(0.005);
            let pedals = Pedals { throttle, brake: 0.0, gear };
            order(&mut world, Action::Pedals { pedals, steering_angle: 0.0 });
            run(&mut world, 1.0);
            let from = speed(&world);
            run(&mut world, 2.0);
            let expected = sign * throttle * 90.0 / RADIUS / (MASS + ROLLING_MASS);
            let actual = (speed(&world) - from) / 2.0;
            assert!((actual - expected).abs() < 1e-9, "{gear:?} {throttle}: {actual} for {expected}");
            let reported = first(&world).powertrain;
            assert_eq!((reported.throttle, reported.brake), (throttle, 0.0));
        }
    }
}

/// v²/(2·μ·g) on locked wheels; with ABS the same grip, but for what the relay gives away.
#[test]
fn full_braking_stops_within_the_textbook_distance() {
    for dt in [0.001, 0.005, 0.02] {
        for (abs, most) in [("", 1.02), (r#"<brakes front_share="0.5"><abs/></brakes>"#, 1.06)] {
            let mut world = by_hand(abs, "20 0 0").world(dt);
            run(&mut world, 1.0);
            let (v, from) = (speed(&world), x(&world));
            order(&mut world, press(0.0, 1.0, 0.0));
            run(&mut world, 4.0);
            let expected = v * v / (2.0 * 0.8 * GRAVITY);
            let ratio = (x(&world) - from) / expected;
            assert!((0.98..most).contains(&ratio), "{ratio} of the distance with {abs:?} at {dt}");
            assert_eq!(speed(&world), 0.0, "it stands");
        }
    }
}

/// Below the grip the deceleration is B/R/(m + ΣI/R²), whatever the shares.
#[test]
fn braking_below_the_grip_is_in_proportion_to_the_pedal() {
    for share in [0.0, 0.5, 0.6, 1.0] {
        let brakes = format!(r#"<brakes max_torque="200" front_share="{share}"/>"#);
        let mut world = by_hand(&brakes, "20 0 0").world(0.005);
        run(&mut world, 1.0);
        order(&mut world, press(0.0, 0.5, 0.0));
        run(&mut world, 0.5);
        let from = speed(&world);
        run(&mut world, 2.0);
        let expected = 0.5 * 200.0 / RADIUS / (MASS + ROLLING_MASS);
        let actual = (from - speed(&world)) / 2.0;
        assert!((actual - expected).abs() < 1e-9, "{actual} for {expected}");
        let torque: f64 = first(&world).wheels.iter().map(|wheel| wheel.torque).sum();
        assert!((torque + 100.0).abs() < 1e-9, "{torque}");
    }
}

/// The slip stays near its target while ABS works, and no wheel locks.
#[test]
fn abs_keeps_the_slip_near_its_target() {
    for dt in [0.001, 0.005, 0.01] {
        let mut world = by_hand(r#"<brakes front_share="0.5"><abs slip="0.15"/></brakes>"#, "30 0 0").world(dt);
        run(&mut world, 1.0);
        order(&mut world, press(0.0, 1.0, 0.0));
        run(&mut world, 0.3);
        let (mut sum, mut count, mut most) = (0.0, 0.0, 0.0_f64);
        while speed(&world) > 5.0 {
            step(&mut world);
            for wheel in &first(&world).wheels {
                sum -= wheel.slip_ratio();
                count += 1.0;
                most = most.max(-wheel.slip_ratio());
            }
        }
        assert!((0.08..0.25).contains(&(sum / count)), "mean slip {} at {dt}", sum / count);
        assert!(most < 0.8, "slip {most} at {dt}");
    }
}

/// On tyres whose grip falls beyond its peak ABS stops the cart sooner than locked wheels do, and slides no longer.
#[test]
fn abs_shortens_the_way_where_sliding_grips_less() {
    let distance = |brakes: &str, dt: f64| {
        let friction = r#"<friction class="pacejka"/>"#.to_string();
        let mut world = Cart { friction, ..by_hand(brakes, "20 0 0") }.world(dt);
        run(&mut world, 1.0);
        let (v, from) = (speed(&world), x(&world));
        order(&mut world, press(0.0, 1.0, 0.0));
        run(&mut world, 6.0);
        assert!(speed(&world).abs() < 1e-6, "{} m/s with {brakes:?} at {dt}", speed(&world));
        (x(&world) - from) / (v * v)
    };
    for dt in [0.001, 0.005, 0.01] {
        let locked = distance("", dt);
        let abs = distance(r#"<brakes front_share="0.5"><abs slip="0.12"/></brakes>"#, dt);
        assert!(abs < 0.9 * locked, "{abs} with ABS, {locked} on locked wheels, at {dt}");
    }
}

/// Whatever the law: brakes that bear the slope's pull hold the cart where it is, at once.
#[test]
fn brakes_hold_on_a_slope_on_every_tyre() {
    let needed = MASS * GRAVITY * 0.2_f64.atan().sin() * RADIUS;
    for law in skidpad_sim::friction::FRICTION_LAWS {
        for dt in [0.005, 0.02] {
            for start in ["0 0 0", "2 0 0", "-2 0 0"] {
                let brakes = format!(r#"<brakes max_torque="{}"/>"#, 2.0 * needed);
                let friction = format!(r#"<friction class="{}"/>"#, law.name);
                let mut world = on(0.2, &Cart { friction, ..by_hand(&brakes, start) }, dt);
                order(&mut world, press(0.0, 1.0, 0.0));
                run(&mut world, 4.0);
                let at = x(&world);
                run(&mut world, 2.0);
                let place = format!("{} from {start} at {dt}", law.name);
                assert!((x(&world) - at).abs() < 1e-6, "{place}: {}", x(&world) - at);
                assert!(first(&world).wheels.iter().all(|wheel| wheel.spin == 0.0), "{place}");
            }
        }
    }
}

/// Full braking while steering: on locked wheels the cart goes straight on, with ABS it turns in.
#[test]
fn with_abs_a_braking_cart_can_be_steered() {
    let turned = |brakes: &str, angle: f64| {
        let cart = Cart {
            friction: r#"<friction class="ellipse"><mu>0.8</mu></friction>"#.into(),
            ..by_hand(brakes, "20 0 0")
        };
        let mut world = cart.world(0.005);
        run(&mut world, 1.0);
        order(&mut world, press(0.0, 1.0, angle));
        run(&mut world, 1.5);
        let pose = first(&world).world_from_body.planar();
        (pose.yaw, pose.y)
    };
    let locked = turned("", 0.05);
    let abs = turned(r#"<brakes front_share="0.5"><abs/></brakes>"#, 0.05);
    assert!(abs.0 > 0.1 && abs.1 > 0.5, "{abs:?}");
    assert!(locked.0.abs() < 0.2 * abs.0 && locked.1.abs() < 0.2 * abs.1, "{locked:?} and {abs:?}");
    let right = turned(r#"<brakes front_share="0.5"><abs/></brakes>"#, -0.05);
    assert!((right.0 + abs.0).abs() < 1e-9 && (right.1 + abs.1).abs() < 1e-9, "{right:?} mirrors {abs:?}");
}

/// m·v' = −C·v²: v = v₀/(1 + C·v₀·t/m). With rolling resistance a = C_r0·g besides, m·v' = −m·a − C·v²:
/// v = √(m·a/C)·tan(atan(v₀·√(C/(m·a))) − t·√(C·a/m)), each with the rolling mass m. First order in dt.
#[test]
fn coasting_down_follows_the_closed_forms() {
    let mass = MASS + ROLLING_MASS;
    for (c_r0, block) in [
        (0.0, "<C_a>0.5</C_a>"),
        (0.0, "<air_density>1.25</air_density><drag_coefficient>0.4</drag_coefficient><frontal_area>2</frontal_area>"),
        (0.02, "<C_a>0.5</C_a><C_r0>0.02</C_r0>"),
    ] {
        let mut world = by_hand(&format!("<resistance>{block}</resistance>"), "30 0 0").world(0.001);
        run(&mut world, 1.0);
        let start = speed(&world);
        for second in 1..=10 {
            run(&mut world, 1.0);
            let (t, c) = (f64::from(second), 0.5);
            let expected = if c_r0 == 0.0 {
                start / (1.0 + c * start * t / mass)
            } else {
                let friction = c_r0 * MASS * GRAVITY;
                (friction / c).sqrt()
                    * ((start * (c / friction).sqrt()).atan() - t * (c * friction).sqrt() / mass).tan()
            };
            assert!((speed(&world) / expected - 1.0).abs() < 2e-4, "{} for {expected}", speed(&world));
        }
    }
}

/// m·v' = −m·g·(C_r1·v): an exponential; C_r2 like drag with C = C_r2·m·g.
#[test]
fn rolling_resistance_grows_with_the_speed() {
    let mass = MASS + ROLLING_MASS;
    let weight = MASS * GRAVITY;
    let exponential = |v: f64, t: f64| v * (-0.002 * weight / mass * t).exp();
    let hyperbola = |v: f64, t: f64| v / (1.0 + 0.0005 * weight * v * t / mass);
    for (block, law) in
        [("<C_r1>0.002</C_r1>", &exponential as &dyn Fn(f64, f64) -> f64), ("<C_r2>0.0005</C_r2>", &hyperbola)]
    {
        let mut world = by_hand(&format!("<resistance>{block}</resistance>"), "20 0 0").world(0.001);
        run(&mut world, 1.0);
        let start = speed(&world);
        run(&mut world, 10.0);
        let expected = law(start, 10.0);
        assert!((speed(&world) / expected - 1.0).abs() < 2e-4, "{block}: {} for {expected}", speed(&world));
    }
}

/// Rolling resistance ends in rest, exactly, and holds on a grade below C_r0; above it the cart rolls with g·(sin − C_r0·cos).
#[test]
fn rolling_resistance_holds_at_rest() {
    let cart = by_hand("<resistance><C_r0>0.05</C_r0></resistance>", "1 0 0");
    for dt in [0.005, 0.02] {
        for grade in [0.0, 0.04, -0.04] {
            let mut world = on(grade, &cart, dt);
            run(&mut world, 16.0);
            let at = x(&world);
            run(&mut world, 2.0);
            assert!((x(&world) - at).abs() < 1e-9, "{} at {grade}, {dt}", x(&world) - at);
        }
        let mut world = on(-0.08, &cart, dt);
        run(&mut world, 1.0);
        let from = speed(&world);
        run(&mut world, 4.0);
        let slope = 0.08_f64.atan();
        let expected = MASS * GRAVITY * (slope.sin() - 0.05 * slope.cos()) / (MASS + ROLLING_MASS);
        let actual = (speed(&world) - from) / 4.0;
        assert!((actual / expected - 1.0).abs() < 0.01, "{actual} for {expected} at {dt}");
    }
}

/// m·g·sin α = C·v².
#[test]
fn on_a_grade_the_speed_ends_where_drag_holds_gravity() {
    let cart = by_hand("<resistance><C_a>2</C_a></resistance>", "0 0 0");
    let mut world = on(-0.1, &cart, 0.02);
    run(&mut world, 120.0);
    let expected = (MASS * GRAVITY * 0.1_f64.atan().sin() / 2.0).sqrt();
    assert!((speed(&world) / expected - 1.0).abs() < 1e-4, "{} for {expected}", speed(&world));
}

/// Brakes hold up to ΣB/R = m·g·sin α, wherever their torque is, at any step; beyond it the cart rolls with what is left.
#[test]
fn brakes_hold_on_a_slope_up_to_their_capacity() {
    let slope = 0.2_f64.atan();
    let needed = MASS * GRAVITY * slope.sin() * RADIUS;
    for dt in [0.001, 0.005, 0.02] {
        for share in [0.0, 0.3, 0.5, 0.6] {
            for grade in [0.2, -0.2] {
                let mut world = on(
                    grade,
                    &by_hand(&format!(r#"<brakes max_torque="{}" front_share="{share}"/>"#, 1.02 * needed), "0 0 0"),
                    dt,
                );
                order(&mut world, press(0.0, 1.0, 0.0));
                run(&mut world, 0.5);
                let at = x(&world);
                run(&mut world, 2.0);
                assert!((x(&world) - at).abs() < 1e-6, "{} with {share} at {grade}, {dt}", x(&world) - at);
                assert!(first(&world).wheels.iter().all(|wheel| wheel.spin == 0.0));
                let mut world = on(
                    grade,
                    &by_hand(&format!(r#"<brakes max_torque="{}" front_share="{share}"/>"#, 0.9 * needed), "0 0 0"),
                    dt,
                );
                order(&mut world, press(0.0, 1.0, 0.0));
                run(&mut world, 0.5);
                let from = speed(&world);
                run(&mut world, 1.0);
                let expected = -grade.signum() * 0.1 * needed / RADIUS / (MASS + ROLLING_MASS);
                let actual = speed(&world) - from;
                assert!(
                    (actual / expected - 1.0).abs() < 0.02,
                    "{actual} for {expected} with {share} at {grade}, {dt}"
                );
            }
        }
    }
}

/// Throttle against the brake: it stands while T ≤ B of the driven wheels and drives beyond.
#[test]
fn the_throttle_works_against_the_brake() {
    for (torque, moves) in [(70.0, true), (110.0, false)] {
        let brakes = format!(r#"<brakes max_torque="{torque}" front_share="0.5"/>"#);
        let mut world = by_hand(&brakes, "0 0 0").world(0.005);
        order(&mut world, press(1.0, 1.0, 0.0));
        run(&mut world, 2.0);
        let expected = if moves { 2.0 * (90.0 - torque) / RADIUS / (MASS + ROLLING_MASS) } else { 0.0 };
        assert!((speed(&world) - expected).abs() <= 0.01 * expected + 1e-12, "{} for {expected}", speed(&world));
    }
}

/// Braking in a bend, from walking pace to 30 m/s, at every step: no wheel turns backwards, and energy only falls.
#[test]
fn braking_never_turns_a_wheel_backwards_nor_gains_energy() {
    for dt in [0.005, 0.01, 0.02] {
        for start in ["1 0 0", "8 0 0", "30 0 0"] {
            for brakes in [r#"<brakes max_torque="60"/>"#, "", "<brakes><abs/></brakes>"] {
                let mut world = by_hand(brakes, start).world(dt);
                run(&mut world, 0.5);
                order(&mut world, press(0.0, 1.0, 0.1));
                let mut last = energy(&world);
                for _ in 0..(6.0 / dt) as usize {
                    step(&mut world);
                    let place = format!("{brakes:?} from {start} at {dt}");
                    let actual = energy(&world);
                    assert!(actual <= last * (1.0 + 1e-6) + 1e-6, "{place}: {actual} J after {last} J");
                    last = actual;
                    let frame = first(&world);
                    // Over a locked wheel that is dragged backwards in a spin the sign says nothing.
                    if frame.velocity_in_body.wz.abs() < 0.5 {
                        assert!(frame.wheels.iter().all(|wheel| wheel.spin > -1e-6), "{place}: {:?}", frame.wheels);
                    }
                }
                assert!(energy(&world) < 1e-9 || !brakes.is_empty(), "{brakes:?} from {start} at {dt}: {last} J");
            }
        }
    }
}

#[test]
fn left_and_right_are_mirrors_under_the_pedals() {
    let path = |sign: f64| {
        let parts = r#"<brakes><abs/></brakes><steering_actuator rate_deg="20" lag="0.1"/>
            <resistance><C_a>0.5</C_a><C_r0>0.01</C_r0></resistance>"#;
        let mut world = by_hand(parts, "10 0 0").world(0.005);
        order(&mut world, press(0.5, 0.0, sign * 0.1));
        run(&mut world, 2.0);
        order(&mut world, press(0.0, 0.6, sign * -0.2));
        run(&mut world, 1.5);
        let pose = first(&world).world_from_body.planar();
        (pose.x, sign * pose.y, sign * pose.yaw)
    };
    let (left, right) = (path(1.0), path(-1.0));
    for (original, mirrored) in [(left.0, right.0), (left.1, right.1), (left.2, right.2)] {
        assert!((original - mirrored).abs() < 1e-9, "{left:?} and {right:?}");
    }
    assert!(left.1.abs() > 0.1, "{left:?}");
}

/// What frames report is the angle of the wheels: δ = rate·t to the left and right of it as Ackermann says.
#[test]
fn frames_report_the_actual_steering_angle() {
    let single_track = |world: &World| {
        let [left, right] = [2, 3].map(|i| 1.0 / first(world).wheels[i].steer.tan());
        (2.0 / (left + right)).atan()
    };
    for dt in [0.001, 0.005, 0.02] {
        let parts = r#"<steering_actuator ratio="16" wheel_rate_deg="160" wheel_max_deg="320"/>"#;
        let mut world = by_hand(parts, "0 0 0").world(dt);
        order(&mut world, press(0.0, 0.0, 0.4));
        for tenth in 1..=10 {
            run(&mut world, 0.1);
            let actual = single_track(&world).to_degrees();
            assert!((actual - f64::from(tenth)).abs() < 1e-9, "{actual} deg after {tenth} tenths at {dt}");
        }
        run(&mut world, 2.0);
        assert!((single_track(&world).to_degrees() - 20.0).abs() < 1e-9, "the limit");
    }
}

#[test]
fn a_vehicle_brakes_when_commands_stop() {
    let mut world = by_hand("", "0 0 0").world(0.005);
    world.set_command_timeout(Some(SimTime::from_secs(1.0)));
    order(&mut world, press(1.0, 0.0, 0.0));
    run(&mut world, 1.0);
    assert!(speed(&world) > 2.0);
    run(&mut world, 2.0);
    assert_eq!(speed(&world), 0.0);
}

/// Speeds through the pedals, forwards and backwards, on the level and on grades; and it stops, and stays.
#[test]
fn a_speed_is_reached_and_held_through_the_pedals() {
    for dt in [0.005, 0.02] {
        for grade in [0.0, 0.08, -0.08] {
            let cart = Cart {
                inside: r#"<drivetrain type="open_rear"/><controller class="speed_pedals"><KP>100</KP><KI>60</KI>
                    <max_torque>150</max_torque><enable_antiwindup>true</enable_antiwindup></controller>
                    <brakes max_torque="300"/>"#
                    .into(),
                ..by_hand("", "0 0 0")
            };
            let mut world = on(grade, &cart, dt);
            for wanted in [3.0, -2.0, 5.0] {
                twist(&mut world, 0, wanted, 0.0);
                run(&mut world, 12.0);
                assert!((speed(&world) - wanted).abs() < 0.02, "{} for {wanted} at {grade}, {dt}", speed(&world));
            }
            twist(&mut world, 0, 0.0, 0.0);
            run(&mut world, 3.0);
            let at = x(&world);
            run(&mut world, 3.0);
            assert!((x(&world) - at).abs() < 1e-6, "{} at {grade}, {dt}", x(&world) - at);
        }
    }
}

/// Without an integral the PID alone would let it creep downhill where brake and slope are even.
#[test]
fn a_zero_command_stops_it_on_a_slope_without_an_integral() {
    for grade in [0.15, -0.15] {
        let cart = Cart {
            inside: r#"<drivetrain type="open_rear"/><controller class="speed_pedals"><KP>100</KP><max_torque>150</max_torque></controller><brakes max_torque="300"/>"#
                .into(),
            ..by_hand("", "0 0 0")
        };
        let mut world = on(grade, &cart, 0.005);
        twist(&mut world, 0, 3.0, 0.0);
        run(&mut world, 6.0);
        assert!((speed(&world) - 3.0).abs() < 1.0, "{}", speed(&world));
        twist(&mut world, 0, 0.0, 0.0);
        run(&mut world, 6.0);
        let at = x(&world);
        run(&mut world, 2.0);
        assert!((x(&world) - at).abs() < 1e-6, "{} at {grade}", x(&world) - at);
    }
}

#[test]
fn bad_brakes_resistance_and_steering_are_named() {
    for (parts, message) in [
        (
            r#"<brakes max_torque="0"/>"#,
            "bad value \"0\" for attribute \"max_torque\" in <brakes>\n  accepted: a finite number > 0",
        ),
        (
            r#"<brakes><abs slip="1"/></brakes>"#,
            "bad value \"1\" for attribute \"slip\" in <abs>\n  accepted: a finite number from 0.01 to 0.9",
        ),
        (
            "<resistance><C_a>1</C_a><frontal_area>2</frontal_area></resistance>",
            "both <C_a> and its factors in <resistance>\n  hint: C_a = air_density·drag_coefficient·frontal_area/2",
        ),
        (
            "<resistance><drag_coefficient>1</drag_coefficient></resistance>",
            "<drag_coefficient> without <frontal_area> in <resistance>\n  hint: drag is their product",
        ),
        (
            r#"<steering_actuator rate_deg="-3"/>"#,
            "bad value \"-3\" for attribute \"rate_deg\" in <steering_actuator>\n  accepted: a finite number > 0",
        ),
    ] {
        let actual = problems(&format!("<mvsim_world>{}</mvsim_world>", by_hand(parts, "0 0 0").named("cart")));
        assert!(actual.len() == 1 && actual[0].ends_with(message), "{actual:?} for {message}");
    }
    let cart = Cart { inside: "<steering_actuator/>".into(), ..Cart::default() };
    let actual = problems(&format!("<mvsim_world>{}</mvsim_world>", cart.named("cart")));
    assert!(actual[0].ends_with("<steering_actuator> on a drive that does not steer"), "{actual:?}");
}
