//! Finite but absurd parameters give a finite run or a `StepError`, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::common::*;
use skidpad_sim::friction::FRICTION_LAWS;
use skidpad_sim::world::{LoadOptions, World};

/// Steps 100 times, continuing after errors. True if everything was finite.
fn survives(text: &str) -> Result<bool, String> {
    let text = format!("<mvsim_world>{text}</mvsim_world>");
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let (mut world, _) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default())
            .map_err(|problems| problems.to_string())?;
        for vehicle in 0..world.scene().vehicles.len() {
            if world.scene().vehicles[vehicle].accepts.twist {
                twist(&mut world, vehicle, 5.0, 1.0);
            }
        }
        let mut finite = true;
        for _ in 0..100 {
            if let Err(error) = world.step() {
                finite = false;
                let text = error.to_string();
                assert!(
                    (text.starts_with("vehicle \"") || text.starts_with("block \""))
                        && text.contains(" is not finite at "),
                    "{text}"
                );
            }
        }
        Ok(finite)
    }));
    outcome.unwrap_or_else(|_| Err("panics".to_string()))
}

fn vehicle(changes: &[(&str, &str)], class: &str) -> String {
    let inside =
        r#"<controller class="twist_pid"><KP>50</KP><KI>10</KI><KD>0</KD><max_torque>100</max_torque></controller>"#;
    let friction = format!(r#"<friction class="{class}"><C_damping>0.01</C_damping></friction>"#);
    let mut text = Cart { inside: inside.into(), friction, velocity: "1 0 10".into(), ..Cart::default() }.named("a");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

#[test]
fn absurd_numbers_never_panic() {
    let block = "<block><init_pose>3 0 0</init_pose></block>";
    let mut failures = Vec::new();
    for class in FRICTION_LAWS.iter().map(|law| law.name) {
        for changes in [
            &[(r#"<chassis mass="100""#, r#"<chassis mass="1e-9""#)][..],
            &[(r#"<chassis mass="100""#, r#"<chassis mass="1e9""#)],
            &[(r#"<chassis mass="100""#, r#"<chassis mass="1e300""#)],
            &[(r#"<chassis mass="100""#, r#"<chassis mass="1e-300""#), (r#"mass="5""#, r#"mass="1e-300""#)],
            &[(r#"mass="5""#, r#"mass="1e9""#)],
            &[(r#"mass="5""#, r#"mass="5" inertia="1e-300""#)],
            &[(r#"mass="5""#, r#"mass="5" inertia="1e-12""#)],
            &[(r#"mass="5""#, r#"mass="5" inertia="1e12""#)],
            &[(r#"<chassis mass"#, r#"<chassis inertia="1e-12" mass"#)],
            &[(r#"<chassis mass"#, r#"<chassis inertia="1e12" mass"#)],
            &[("<KP>50", "<KP>1e12")],
            &[("<KP>50", "<KP>-1e12"), ("<max_torque>100", "<max_torque>0")],
            &[("<KP>50", "<KP>1e12"), ("<max_torque>100", "<max_torque>0")],
            &[
                ("<KP>50", "<KP>1e300"),
                ("<max_torque>100", "<max_torque>0"),
                (r#"<chassis mass"#, r#"<chassis com_height="1" mass"#),
            ],
            &[("<KP>50", "<KP>1e300"), ("<max_torque>100", "<max_torque>1e308")],
            &[("<KI>10", "<KI>1e12"), ("<max_torque>100", "<max_torque>0")],
            &[
                ("<KD>0", "<KD>1e12"),
                ("<max_torque>100", "<max_torque>0"),
                (r#"<chassis mass"#, r#"<chassis com_height="100" mass"#),
            ],
            &[(r#"diameter="0.6""#, r#"diameter="1e-9""#)],
            &[(r#"diameter="0.6""#, r#"diameter="1e9""#)],
            &[(r#"diameter="0.6""#, r#"diameter="1e-200""#)],
            &[
                (r#"diameter="0.6""#, r#"diameter="1e200" inertia="1""#),
                (r#"<chassis mass"#, r#"<chassis com="50 0" mass"#),
                ("<C_damping>0.01", "<C_rr>0.1</C_rr><C_damping>0.01"),
                ("<init_vel>1 0 10", "<init_vel>0 0 0"),
            ],
            &[("<C_damping>0.01", "<C_damping>1e12")],
            &[("<C_damping>0.01</C_damping>", "<mu>1e300</mu>")],
            &[
                ("<C_damping>0.01</C_damping>", "<mu>1e308</mu>"),
                (r#"<chassis mass"#, r#"<chassis com_height="1e300" mass"#),
            ],
            &[(r#"<chassis mass"#, r#"<chassis com_height="1e308" mass"#)],
            &[(r#"linear_damping="0""#, r#"linear_damping="1e300""#)],
            &[("<init_vel>1 0 10", "<init_vel>1e12 0 0")],
            &[("<init_vel>1 0 10", "<init_vel>1e200 0 0")],
            &[("<init_vel>1 0 10", "<init_vel>1e308 1e308 0")],
            &[("<init_vel>1 0 10", "<init_vel>0 0 1e15")],
            &[("<init_vel>1 0 10", "<init_vel>0 0 1e200")],
            &[("<init_pose>0 0 0", "<init_pose>1e9 0 0")],
            &[("<init_pose>0 0 0", "<init_pose>1e9 0 5e10")],
            &[("<init_pose>0 0 0", "<init_pose>-1e9 1e9 0")],
            &[("<pt>1.2 0.4</pt>", "<pt>5e4 5e4</pt>")],
            &[("<pt>1.2 0.4</pt>", "<pt>7e4 7e4</pt>")],
            &[("-0.2", "-2e-8"), ("0.4", "4e-2"), ("1.2", "3e-8")],
        ] {
            for extra in ["", block] {
                if let Err(message) = survives(&(vehicle(changes, class) + extra)) {
                    failures.push(format!("{class} {changes:?} {extra}: {message}"));
                }
            }
        }
    }
    for tail in [
        "<C_s>1e308</C_s>",
        "<C_alpha>1e308</C_alpha>",
        "<slip_angle_saturation>1e-320</slip_angle_saturation>",
        "<slip_ratio_saturation>1e-308</slip_ratio_saturation>",
    ] {
        let text = vehicle(&[("<C_damping>0.01</C_damping>", tail)], "ellipse");
        if let Err(message) = survives(&text) {
            failures.push(format!("{tail}: {message}"));
        }
    }
    for tail in ["<A_roll>1e308</A_roll>", "<R1>1e308</R1>", "<R2>1e308</R2>", "<C_rr>1e308</C_rr>"] {
        let text = vehicle(&[("<C_damping>0.01</C_damping>", tail)], "wardiagnemma");
        if let Err(message) = survives(&text) {
            failures.push(format!("{tail}: {message}"));
        }
    }
    for world in [
        "<gravity>1e300</gravity>",
        "<gravity>1e308</gravity>",
        "<simul_timestep>1e-12</simul_timestep>",
        "<simul_timestep>0.1</simul_timestep>",
        "<collision_threshold>0</collision_threshold>",
    ] {
        for extra in ["", block] {
            if let Err(message) = survives(&format!("{world}{}{extra}", vehicle(&[], "default"))) {
                failures.push(format!("{world} {extra}: {message}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn absurd_blocks_never_panic() {
    let mut failures = Vec::new();
    for inner in [
        "<init_vel>1e200 0 0</init_vel>",
        "<init_vel>1e308 1e308 0</init_vel>",
        "<init_vel>0 0 1e200</init_vel>",
        "<init_vel>1 0 0</init_vel><mass>1e-300</mass>",
        "<init_vel>1 0 0</init_vel><mass>1e300</mass>",
        "<init_vel>1 0 0</init_vel><ground_friction>1e308</ground_friction>",
        "<init_vel>1 0 0</init_vel><lateral_friction>1e308</lateral_friction>",
        "<shape><pt>0 0</pt><pt>9e4 0</pt><pt>0 9e4</pt></shape><init_vel>1 0 0</init_vel>",
        "<shape><pt>0 0</pt><pt>1e-3 0</pt><pt>0 1e-3</pt></shape><init_vel>1 0 0</init_vel>",
        "<shape><pt>0 0</pt><pt>9e4 0</pt><pt>0 9e4</pt></shape><static>true</static>",
        "<shape><pt>0 0</pt><pt>0 0</pt><pt>1 0</pt><pt>0 1</pt></shape><init_vel>1 0 0</init_vel>",
        "<shape><pt>0 0</pt><pt>1 1</pt><pt>1 0</pt><pt>0 1.1</pt></shape><init_vel>1 0 0</init_vel>",
        "<linear_damping>1e308</linear_damping><init_vel>1 0 0</init_vel>",
    ] {
        for pose in ["2 0 0", "1.4 0 0", "1e9 0 0"] {
            let text = format!("{}<block><init_pose>{pose}</init_pose>{inner}</block>", vehicle(&[], "default"));
            if let Err(message) = survives(&text) {
                failures.push(format!("{inner} at {pose}: {message}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

/// An unstable loop is reported with the vehicle, the quantity and the time; a reset world runs on.
#[test]
fn an_unstable_world_is_reported_and_can_be_reset() {
    let wild = vehicle(&[("<KP>50", "<KD>1e5</KD><KP>50"), ("<max_torque>100", "<max_torque>0")], "default");
    for text in [wild.clone(), wild + "<block><init_pose>2.2 0 0</init_pose></block>"] {
        let mut world = world(&text);
        let mut errors = Vec::new();
        for _ in 0..2 {
            twist(&mut world, 0, 5.0, 1.0);
            let error = (0..5000).find_map(|_| world.step().err()).expect("diverges");
            let now = world.frame().time;
            assert_eq!(
                error.to_string(),
                format!(
                    "vehicle \"a\": {} is not finite at {now}\n  hint: a smaller <simul_timestep>, or check masses, inertias and gains",
                    error.quantity
                )
            );
            errors.push(error.quantity);
            world.reset();
            let frame = first(&world);
            assert!(frame.world_from_body.planar().is_finite() && frame.velocity_in_body.vx == 1.0, "{frame:?}");
            // Without a command it stands where it started, and all is finite.
            for _ in 0..20 {
                step(&mut world);
            }
            world.reset();
        }
        assert_eq!(errors[0], errors[1]);
    }
}

#[test]
fn a_block_that_leaves_the_finite_numbers_is_reported() {
    let mut world =
        world(r#"<block name="b"><init_pose>1e9 0 0</init_pose><init_vel>1e308 1e308 0</init_vel></block>"#);
    let error = (0..10_000).find_map(|_| world.step().err()).expect("an error");
    assert_eq!((error.kind, error.vehicle.as_str(), error.quantity), ("block", "b", "pose"));
}

#[test]
fn absurd_lidars_never_panic() {
    let still = "<block><static>true</static><init_pose>-1e9 0 0</init_pose></block>\
                 <block><static>true</static><init_pose>3 0 0</init_pose></block>";
    let mut failures = Vec::new();
    for sensor in [
        "<pose>1e300 0 0</pose>",
        "<pose>1e308 1e308 1e300</pose>",
        "<max_range>1e308</max_range>",
        "<max_range>1e-300</max_range><min_range>0</min_range>",
        "<range_std_noise>1e308</range_std_noise>",
        "<angle_std_noise_deg>10</angle_std_noise_deg><fov_degrees>360</fov_degrees>",
        "<nrays>1</nrays>",
    ] {
        let lidar = format!("<sensor class=\"laser\"><sensor_period>0.01</sensor_period>{sensor}</sensor></vehicle>");
        for pose in ["0 0 0", "1e9 0 0", "1e9 0 5e10", "-1e9 1e9 0"] {
            let changes = [("<init_pose>0 0 0", format!("<init_pose>{pose}")), ("</vehicle>", lidar.clone())];
            let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (*from, to.as_str())).collect();
            if let Err(message) = survives(&(vehicle(&changes, "default") + still)) {
                failures.push(format!("{sensor} at {pose}: {message}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

/// Engines, ratios and starts beyond sense end in an error of the load or of a step.
#[test]
fn absurd_powertrains_and_models_never_panic() {
    let wheels = r#"<rl_wheel pos="0 0.7"/><rr_wheel pos="0 -0.7"/><fl_wheel/><fr_wheel/><f_wheels_x>2.5</f_wheels_x>"#;
    let mut failures = Vec::new();
    for (class, inside) in [
        ("ackermann_drivetrain", "<powertrain><engine><inertia>1e-300</inertia></engine></powertrain>"),
        (
            "ackermann_drivetrain",
            "<powertrain><engine><peak_torque>1e7</peak_torque><peak_power>1e12</peak_power></engine></powertrain>",
        ),
        ("ackermann_drivetrain", "<powertrain><coupling><stall_speed>1e-300</stall_speed></coupling></powertrain>"),
        ("ackermann_drivetrain", "<powertrain><gearbox><ratios>1e200</ratios></gearbox></powertrain>"),
        ("ackermann_drivetrain", "<powertrain><gearbox><final_drive>1e300</final_drive></gearbox></powertrain>"),
        ("single_track", "<v0>1e200</v0>"),
        ("single_track", "<Iz>1e-320</Iz>"),
        ("single_track", "<tyre_model>fiala</tyre_model><mu>1e-320</mu>"),
    ] {
        let pedals =
            if class == "single_track" { "" } else { r#"<controller class="speed_pedals"><V>20</V></controller>"# };
        let text = format!(
            r#"<vehicle><init_pose>0 0 0</init_pose><dynamics class="{class}">{wheels}<drivetrain type="torsen_4wd"/>{inside}{pedals}</dynamics></vehicle>"#
        );
        match survives(&text) {
            Err(message) if message == "panics" => failures.push(format!("{class} {inside}")),
            _ => {}
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}

/// Beside a map a body of 2e9 m took minutes for a step.
#[test]
fn absurdly_distant_corners_are_refused() {
    for (corner, shown) in [("100001 0", "100001.0 0.0"), ("0 -1e200", "0.0 -1e200")] {
        let block = format!(
            "<block><init_pose>0 0 0</init_pose><shape><pt>{corner}</pt><pt>1 1</pt><pt>0 0</pt></shape></block>"
        );
        let message = survives(&block).expect_err("is refused");
        let expected = format!("<shape> has a corner at {shown}\n  accepted: corners within 100000 m of the origin");
        assert!(message.ends_with(&expected), "{message}");
    }
}

#[test]
fn a_world_has_room_for_so_many_bodies_and_maps_and_says_so() {
    let block = "<block><init_pose>0 0 0</init_pose></block>";
    let vehicle = "<vehicle/>";
    let map = r#"<element class="occupancy_grid"/>"#;
    for (count, element, kind, most) in [
        (60_000, block, "vehicles and blocks", 50_000),
        (60_000, vehicle, "vehicles and blocks", 50_000),
        (100_000, map, "maps, elevation maps and point clouds", 64),
    ] {
        let text = format!(r#"<mvsim_world><for var="i" from="1" to="{count}">{element}</for></mvsim_world>"#);
        let problems = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).err();
        let actual = problems.expect("is refused").to_string();
        assert!(actual.contains(&format!("too many {kind} in this world\n  accepted: at most {most}")), "{actual}");
    }
}
