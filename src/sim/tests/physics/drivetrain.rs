//! Torque at the wheels behind the six layouts of differentials, and PID step responses.

use super::common::*;
use skidpad_sim::world::World;

/// MVSim's Torsen: shares (first, second) at these spins.
fn torsen(first: f64, second: f64, bias: f64, split: f64) -> [f64; 2] {
    if first == 0.0 || second == 0.0 {
        return [split, 1.0 - split];
    }
    let (fast, slow) = (first.abs().max(second.abs()), first.abs().min(second.abs()));
    let k = ((fast - bias * slow) / fast).max(0.0);
    let (a, b) = if first.abs() > second.abs() {
        (split * (1.0 - k), (1.0 - split) * (1.0 + k))
    } else {
        (split * (1.0 + k), (1.0 - split) * (1.0 - k))
    };
    [a / (a + b), b / (a + b)]
}

/// Every step of a tight turn: the torque in a frame is the motor's, split at the spins of the frame before. Biases of 1.05
/// make the Torsens lock; the test checks that they did.
#[test]
fn the_wheels_get_the_motors_torque_as_the_layout_splits_it() {
    for (layout, front, rear, locks) in [
        ("open_front", true, false, false),
        ("open_rear", false, true, false),
        ("open_4wd", true, true, false),
        ("torsen_front", true, false, true),
        ("torsen_rear", false, true, true),
        ("torsen_4wd", true, true, true),
    ] {
        let inside = format!(
            r#"<drivetrain type="{layout}"><front_rear_split>0.4</front_rear_split><front_rear_bias>1.05</front_rear_bias>
            <front_left_right_split>0.45</front_left_right_split><front_left_right_bias>1.05</front_left_right_bias>
            <rear_left_right_split>0.55</rear_left_right_split><rear_left_right_bias>1.05</rear_left_right_bias></drivetrain>
            <controller class="raw"><torque>20</torque><steer_ang_deg>20</steer_ang_deg></controller>"#
        );
        let mut world = Cart { drive: "ackermann_drivetrain", inside, ..Cart::default() }.world(0.005);
        let mut spin = [0.0; 4];
        let mut most_uneven: f64 = 0.0;
        for _ in 0..400 {
            let wheels = &step(&mut world).vehicles[0].wheels;
            let shares = |a, b, split| if locks { torsen(a, b, 1.05, split) } else { [split, 1.0 - split] };
            let [to_front, to_rear] = match (front, rear) {
                (true, true) => shares(spin[2] + spin[3], spin[0] + spin[1], 0.4),
                (true, false) => [1.0, 0.0],
                _ => [0.0, 1.0],
            };
            let (f, r) = (shares(spin[2], spin[3], 0.45), shares(spin[0], spin[1], 0.55));
            let expected = [to_rear * r[0], to_rear * r[1], to_front * f[0], to_front * f[1]];
            for (wheel, share) in wheels.iter().zip(expected) {
                assert!((wheel.torque - 20.0 * share).abs() < 1e-12, "{layout}: {} for {share}", wheel.torque);
            }
            let sum: f64 = wheels.iter().map(|w| w.torque).sum();
            assert!((sum - 20.0).abs() < 1e-12, "{layout}: {sum}");
            let axle = if rear { [wheels[0].torque, wheels[1].torque] } else { [wheels[2].torque, wheels[3].torque] };
            let even = if rear { 0.55 } else { 0.45 };
            most_uneven = most_uneven.max((axle[0] / (axle[0] + axle[1]) - even).abs());
            spin = [wheels[0].spin, wheels[1].spin, wheels[2].spin, wheels[3].spin];
        }
        assert_eq!(most_uneven > 0.05, locks, "{layout}: {most_uneven}");
        assert!(first(&world).velocity_in_body.vx > 0.3, "{layout} moves");
    }
}

/// `ackermann` drives the front wheels only, each by its own motor.
#[test]
fn raw_torques_reach_their_front_wheels() {
    let inside =
        r#"<controller class="raw"><fl_torque>3</fl_torque><fr_torque>-1</fr_torque></controller>"#.to_string();
    let mut world = Cart { drive: "ackermann", inside, ..Cart::default() }.world(0.005);
    let torques: Vec<f64> = step(&mut world).vehicles[0].wheels.iter().map(|w| w.torque).collect();
    assert_eq!(torques, [0.0, 0.0, 3.0, -1.0]);
}

fn pid_cart(gains: &str) -> skidpad_sim::world::World {
    let inside = format!(r#"<controller class="twist_pid">{gains}<max_torque>0</max_torque></controller>"#);
    let mut world = Cart { inside, ..Cart::default() }.world(0.001);
    twist(&mut world, 0, 2.0, 0.0);
    world
}

/// P only: (m + ΣI/R²)·v' = 4·KP·(v_set − v)/R, one lag with τ = (m + ΣI/R²)·R/(4·KP). Tolerance: measured speed and
/// force are a step late, dt/τ = 0.3 % of the set-point; the first force, 800 N, is within grip.
#[test]
fn a_proportional_controller_answers_a_step_as_one_lag() {
    let mut world = pid_cart("<KP>30</KP>");
    let tau = (MASS + ROLLING_MASS) * RADIUS / (4.0 * 30.0);
    for k in 1..=10 {
        run(&mut world, 0.1);
        let expected = 2.0 * (1.0 - (-0.1 * f64::from(k) / tau).exp());
        let speed = first(&world).velocity_in_body.vx;
        assert!((speed - expected).abs() < 0.02, "{speed} for {expected}");
    }
}

/// PI: e'' + 2·ζ·ω_n·e' + ω_n²·e = 0 with ω_n² = 4·KI/(M·R), 2·ζ·ω_n = 4·KP/(M·R), e(0) = v_set, e'(0) = −2·ζ·ω_n·v_set. The
/// answer overshoots, then settles without error.
#[test]
fn an_integral_part_overshoots_as_the_second_order_says_and_settles() {
    let (kp, ki) = (20.0, 100.0);
    let mut world = pid_cart(&format!("<KP>{kp}</KP><KI>{ki}</KI>"));
    let inertia = (MASS + ROLLING_MASS) * RADIUS;
    let (natural, decay) = ((4.0 * ki / inertia).sqrt(), 2.0 * kp / inertia);
    let ringing = (natural * natural - decay * decay).sqrt();
    let mut most: f64 = 0.0;
    for k in 1..=40 {
        run(&mut world, 0.1);
        let t = 0.1 * f64::from(k);
        let error = 2.0 * (-decay * t).exp() * ((ringing * t).cos() - decay / ringing * (ringing * t).sin());
        let speed = first(&world).velocity_in_body.vx;
        assert!((speed - (2.0 - error)).abs() < 0.02, "{speed} for {} at {t}", 2.0 - error);
        most = most.max(speed);
    }
    assert!(most > 2.1, "{most}");
    run(&mut world, 20.0);
    assert!((first(&world).velocity_in_body.vx - 2.0).abs() < 1e-4, "{:?}", first(&world).velocity_in_body);
}

/// The limit is the limit, and a zero set-point only brakes.
#[test]
fn torque_stays_within_its_limit_and_braking_never_pushes() {
    let inside =
        r#"<controller class="twist_pid"><KP>200</KP><KI>50</KI><max_torque>15</max_torque></controller>"#.to_string();
    let mut world = Cart { inside, ..Cart::default() }.world(0.005);
    twist(&mut world, 0, 2.0, 0.0);
    let mut most: f64 = 0.0;
    for _ in 0..400 {
        for wheel in &step(&mut world).vehicles[0].wheels {
            most = most.max(wheel.torque.abs());
        }
    }
    assert_eq!(most, 15.0);
    twist(&mut world, 0, 0.0, 0.0);
    for _ in 0..2000 {
        let before = first(&world).wheels[0].spin;
        let torque = step(&mut world).vehicles[0].wheels[0].torque;
        assert!(torque * before <= 0.0, "{torque} at {before}");
    }
    assert!(first(&world).velocity_in_body.vx.abs() < 0.05);
}

/// MVSim takes any unknown type for its default; so does a world here, with a warning that says so.
#[test]
fn an_unknown_type_is_taken_for_torsen_4wd() {
    let text = r#"<mvsim_world><vehicle><init_pose>0 0 0</init_pose>
<dynamics class="ackermann_drivetrain"><drivetrain type="welded"/></dynamics></vehicle></mvsim_world>"#;
    let (_, warnings) =
        World::load_text("w.xml", std::path::Path::new("."), text, &skidpad_sim::world::LoadOptions::default())
            .unwrap();
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).filter(|w| w.contains("drivetrain")).collect();
    assert_eq!(
        warnings,
        ["w.xml:2:40: unknown type \"welded\" in <drivetrain>: it is taken as torsen_4wd
  accepted: open_front, open_rear, open_4wd, torsen_front, torsen_rear, torsen_4wd, locked_front, locked_rear, locked_4wd, viscous_front, viscous_rear, viscous_4wd"]
    );
}
