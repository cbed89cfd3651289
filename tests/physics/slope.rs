//! Slopes made of height maps: MVSim's drift test, rolling downhill, and stopping on the way. More of what vehicles do on a
//! plane of any slope is tested beside the code of the world.

use super::common::*;
use skidpad::world::PhysicsRules;

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
        let found = (first(&world).velocity_in_body.vx - before) / 3.0;
        let expected = if rolls { -MASS * GRAVITY * 0.1_f64.atan().sin() / (MASS + ROLLING_MASS) } else { 0.0 };
        assert!((found - expected).abs() < 1e-3 * GRAVITY, "{rules:?}: {found} for {expected}");
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
        let moved = (first(&world).world_from_body.x - at.x).abs();
        assert!(moved < 1e-6, "{grade}: {moved}");
        let load: f64 = first(&world).wheels.iter().map(|wheel| wheel.load).sum();
        assert!((load / (MASS * GRAVITY * grade.atan().cos()) - 1.0).abs() < 1e-6, "{load}");
    }
}
