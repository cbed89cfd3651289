//! Slopes made of height maps: MVSim's drift test, rolling downhill, and stopping on the way. More of what vehicles do on a
//! plane of any slope is tested beside the code of the world.

use super::common::*;
use skidpad_sim::world::PhysicsRules;

/// MVSim's "drift on slope": 3 s at zero command, less than 1 mm and 0.01 rad.
#[test]
fn a_stopped_vehicle_does_not_drift_on_a_slope() {
    let wheel = r#"mass="1" width="0.03" diameter="0.20""#;
    for rules in [PhysicsRules::Skidpad, PhysicsRules::Mvsim] {
        for controller in ["twist_ideal", "twist_pid"] {
            let text = format!(
                r#"<simul_timestep>0.005</simul_timestep>
                <element class="elevation_map"><resolution>6</resolution>
                <elevation_data_matrix>[1 0 -1; 1.5 0 -1.5; 1 0 -1]</elevation_data_matrix>
                <corner_min_x>-8</corner_min_x><corner_min_y>-8</corner_min_y></element>
                <vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential_4_wheels">
                <lr_wheel pos="-0.3 0.6" {wheel}/><rr_wheel pos="-0.3 -0.6" {wheel}/>
                <lf_wheel pos="0.3 0.6" {wheel}/><rf_wheel pos="0.3 -0.6" {wheel}/>
                <chassis mass="10" zmin="0.05" zmax="0.25"/>
                <controller class="{controller}"><KP>4</KP><KI>3</KI><max_torque>20</max_torque></controller></dynamics>
                <friction class="default"><mu>0.8</mu><C_damping>0.05</C_damping></friction></vehicle>"#
            );
            let mut world = world_with(&text, Some(rules));
            twist(&mut world, 0, 0.0, 0.0);
            let start = first(&world).world_from_body;
            run(&mut world, 3.0);
            let end = first(&world).world_from_body;
            let off = [end.x - start.x, end.y - start.y, end.yaw - start.yaw];
            assert!(
                off[0].abs() < 1e-3 && off[1].abs() < 1e-3 && off[2].abs() < 0.01,
                "{rules:?} {controller}: {off:?}"
            );
            assert!(end.roll.abs() > 0.1, "it stands on the slope: {end:?}");
        }
    }
}

/// (m·g·sin θ)/(m + ΣI/R²) in neutral on a grade of 10 %; under MVSim's rules nothing.
#[test]
fn a_cart_in_neutral_rolls_down_a_grade() {
    for (rules, rolls) in [(PhysicsRules::Skidpad, true), (PhysicsRules::Mvsim, false)] {
        let text =
            format!("<simul_timestep>0.005</simul_timestep>{}{}", plane(0.1, 100.0), Cart::default().named("cart"));
        let mut world = world_with(&text, Some(rules));
        run(&mut world, 1.0);
        let before = first(&world).velocity_in_body.vx;
        run(&mut world, 3.0);
        let actual = (first(&world).velocity_in_body.vx - before) / 3.0;
        let expected = if rolls { -MASS * GRAVITY * 0.1_f64.atan().sin() / (MASS + ROLLING_MASS) } else { 0.0 };
        assert!((actual - expected).abs() < 1e-3 * GRAVITY, "{rules:?}: {actual} for {expected}");
    }
}

/// It climbs, stops and stays; its loads have the cosine.
#[test]
fn a_cart_stops_on_a_grade_and_stays() {
    let inside = r#"<controller class="twist_pid"><KP>100</KP></controller>"#.to_string();
    for grade in [0.1, -0.1] {
        let cart = Cart { inside: inside.clone(), ..Cart::default() }.named("cart");
        let text = format!("<simul_timestep>0.005</simul_timestep>{}{cart}", plane(grade, 100.0));
        let mut world = world_with(&text, Some(PhysicsRules::Skidpad));
        twist(&mut world, 0, 1.0, 0.0);
        run(&mut world, 3.0);
        assert!(first(&world).world_from_body.x > 1.0);
        twist(&mut world, 0, 0.0, 0.0);
        run(&mut world, 5.0);
        let at = first(&world).world_from_body;
        run(&mut world, 10.0);
        let distance = (first(&world).world_from_body.x - at.x).abs();
        assert!(distance < 1e-6, "{grade}: {distance}");
        let load: f64 = first(&world).wheels.iter().map(|wheel| wheel.load).sum();
        assert!((load / (MASS * GRAVITY * grade.atan().cos()) - 1.0).abs() < 1e-6, "{load}");
    }
}

/// A road along x whose left side is higher by `grade` [-].
fn bank(grade: f64) -> String {
    let height = 1000.0 * grade;
    format!(
        r#"<simul_timestep>0.005</simul_timestep><element class="elevation_map"><resolution>2000</resolution>
        <elevation_data_matrix>[{} {height}; {} {height}]</elevation_data_matrix>
        <corner_min_x>-1000</corner_min_x><corner_min_y>-1000</corner_min_y></element>"#,
        -height, -height
    )
}

const BANK: f64 = 0.2;

/// A cart in neutral that has rolled along a bank for 1.5 s, long enough for its wheels to have its speed.
fn rolling_along_a_bank(drive: &'static str, friction: &str) -> skidpad_sim::world::World {
    let inside = r#"<controller class="raw"/>"#.to_string();
    let cart = Cart { drive, inside, friction: friction.to_string(), velocity: "5 0 0".into(), ..Cart::default() };
    let mut world = world_with(&(bank(BANK) + &cart.named("cart")), Some(PhysicsRules::Skidpad));
    run(&mut world, 1.5);
    world
}

/// m·g·sin β across the car: gripping tyres bear it, and the car keeps its line.
#[test]
fn a_car_with_grip_keeps_its_line_on_a_bank() {
    for drive in ["ackermann", "ackermann_drivetrain", "differential_4_wheels"] {
        for law in ["default", "wardiagnemma"] {
            let mut world = rolling_along_a_bank(drive, &format!(r#"<friction class="{law}"><mu>0.8</mu></friction>"#));
            let before = first(&world).world_from_body;
            run(&mut world, 3.0);
            let at = first(&world).world_from_body;
            assert!(
                (at.y - before.y).abs() < 1e-6 && (at.yaw - before.yaw).abs() < 1e-6,
                "{drive} {law}: {before:?} {at:?}"
            );
            let force: f64 = first(&world).wheels.iter().map(|wheel| wheel.force_in_wheel.y).sum();
            let expected = MASS * GRAVITY * BANK.atan().sin();
            assert!((force / expected - 1.0).abs() < 1e-6, "{drive} {law}: {force} for {expected}");
        }
    }
}

/// Beyond μ = tan β it slides down with g·(sin β − μ·cos β), still rolling along.
#[test]
fn a_car_on_ice_slides_down_a_bank() {
    for drive in ["ackermann", "ackermann_drivetrain", "differential_4_wheels"] {
        let mut world = rolling_along_a_bank(
            drive,
            r#"<friction class="default"><mu>0.05</mu><C_damping>0</C_damping></friction>"#,
        );
        let before = first(&world).velocity_in_body;
        run(&mut world, 2.0);
        let after = first(&world).velocity_in_body;
        let (sin, cos) = BANK.atan().sin_cos();
        let expected = -GRAVITY * (sin - 0.05 * cos);
        let actual = (after.vy - before.vy) / 2.0;
        assert!((actual / expected - 1.0).abs() < 1e-3, "{drive}: {actual} for {expected}");
        assert!(after.vx > 4.5 && after.wz.abs() < 1e-6, "{drive}: {before:?} {after:?}");
    }
}

/// Tyres that need a slip angle for their force let it drift: α = tan β/C for a cornering stiffness of C·N, up to the square of
/// a = C·g·dt/v, as docs/tyres.md says.
#[test]
fn a_car_on_linear_tyres_drifts_down_a_bank() {
    let friction = r#"<friction class="linear"><mu>0.8</mu><C_alpha>10</C_alpha><C_damping>0</C_damping></friction>"#;
    let mut world = rolling_along_a_bank("ackermann", friction);
    run(&mut world, 2.0);
    let velocity = first(&world).velocity_in_body;
    let drift = -velocity.vy / velocity.vx;
    let a = 10.0 * GRAVITY * 0.005 / velocity.vx;
    assert!((drift / (BANK / 10.0) - 1.0).abs() < 1.1 * a * a, "{drift}");
    assert!(velocity.wz.abs() < 1e-6, "{velocity:?}");
}

/// What moves exactly as commanded keeps its line.
#[test]
fn imposed_motion_knows_no_bank() {
    for (drive, class) in
        [("ackermann", "twist_ideal"), ("kinematic_bicycle", "twist_ideal"), ("unicycle", "twist_ideal")]
    {
        let vehicle = format!(
            r#"<vehicle><init_pose>0 0 0</init_pose><dynamics class="{drive}"><controller class="{class}"/></dynamics></vehicle>"#
        );
        let mut world = world_with(&(bank(BANK) + &vehicle), Some(PhysicsRules::Skidpad));
        twist(&mut world, 0, 3.0, 0.0);
        run(&mut world, 3.0);
        let at = first(&world).world_from_body;
        assert!(at.x > 1.0 && at.y.abs() < 1e-9 && at.yaw.abs() < 1e-9 && at.roll.abs() > 0.1, "{drive}: {at:?}");
    }
}
