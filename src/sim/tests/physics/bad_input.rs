//! Broken worlds: every reader's errors, all of them at once, and places through includes.

use std::path::Path;

use super::bad_rows::*;
use super::common::*;
use skidpad_sim::world::{LoadOptions, World};

fn report(text: &str) -> String {
    problems(text).join("\n").replace("bad.xml:", "")
}

#[test]
fn each_mistake_is_reported_at_its_place_with_what_is_accepted() {
    let driven = |class: &str, inner: &str| vehicle(&format!("<dynamics class=\"{class}\">\n{inner}\n</dynamics>"));
    let mut failures = Vec::new();
    let mut check = |text: String, expected: &str| {
        let actual = report(&text);
        if actual != expected {
            failures.push(format!("{text}\nexpected\n{expected}\nfound\n{actual}\n"));
        }
    };
    for (inner, expected) in IN_WORLD {
        check(format!("<mvsim_world>\n{inner}\n</mvsim_world>"), expected);
    }
    for (inner, expected) in IN_UNDRIVEN {
        check(vehicle(inner), expected);
    }
    for (inner, expected) in IN_VEHICLE {
        check(vehicle(&format!("<dynamics class=\"differential\"/>\n{inner}")), expected);
    }
    for (inner, expected) in IN_DIFFERENTIAL {
        check(driven("differential", inner), expected);
    }
    for (inner, expected) in IN_ACKERMANN {
        check(driven("ackermann", inner), expected);
    }
    for (inner, expected) in IN_DRIVETRAIN {
        check(driven("ackermann_drivetrain", inner), expected);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn vehicle(inner: &str) -> String {
    format!("<mvsim_world>\n<vehicle name=\"r1\">\n<init_pose>0 0 0</init_pose>\n{inner}\n</vehicle>\n</mvsim_world>")
}

#[test]
fn ten_mistakes_are_reported_together() {
    let text = r#"<mvsim_world>
<simul_timestep>1</simul_timestep>
<gravity>down</gravity>
<physics>newton</physics>
<vehicle name="a">
  <init_pose>0 0</init_pose>
  <dynamics class="differential">
    <l_wheel pos="0 0.5" mass="-4" diameter="0"/>
    <r_wheel pos="0 -0.5"/>
    <chassis><shape><pt>0 0</pt><pt>1 1</pt></shape></chassis>
    <controller class="twist_pid"><KP>a lot</KP></controller>
  </dynamics>
  <friction class="default"><mu>-1</mu></friction>
</vehicle>
<vehicle name="b" class="car"/>
</mvsim_world>"#;
    let places: Vec<String> = problems(text)
        .iter()
        .map(|problem| problem.lines().next().unwrap_or_default().replace("bad.xml:", ""))
        .collect();
    assert_eq!(
        places,
        [
            r#"2:17: bad value "1" for <simul_timestep>"#,
            r#"3:10: bad value "down" for <gravity>"#,
            r#"4:1: unknown rules "newton" in <physics>"#,
            r#"6:14: bad value "0 0" for <init_pose> in <vehicle name="a">"#,
            r#"13:33: bad value "-1" for <mu> in <friction class="default">"#,
            r#"8:32: bad value "-4" for attribute "mass" in <l_wheel>"#,
            r#"8:46: bad value "0" for attribute "diameter" in <l_wheel>"#,
            r#"10:14: <shape> has 2 points"#,
            r#"11:39: bad value "a lot" for <KP> in <controller class="twist_pid">"#,
            r#"15:1: unknown vehicle class "car""#,
        ]
    );
}

#[test]
fn a_mistake_in_an_included_class_names_both_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("car.xml"),
        "<vehicle:class name=\"car\">\n<dynamics class=\"ackerman\"/>\n</vehicle:class>",
    )
    .unwrap();
    let text = "<mvsim_world>\n<include file=\"car.xml\"/>\n<vehicle name=\"a\" class=\"car\"><init_pose>0 0 0</init_pose></vehicle>\n</mvsim_world>";
    let Err(actual) = World::load_text("w.xml", folder.path(), text, &LoadOptions::default()) else { panic!("loads") };
    let shown = folder.path().to_string_lossy().into_owned();
    assert_eq!(
        actual.to_string().replace(&shown, "DIR"),
        "DIR/car.xml:2:1: unknown class \"ackerman\" in <dynamics>\n  included from w.xml:2:1\n  \
         accepted: differential, differential_3_wheels, differential_4_wheels, omni_3_wheels, omni_4_wheels, mecanum, tracked, tricycle, articulated, ackermann, ackermann_drivetrain, ackermann_joints, unicycle, kinematic_differential, kinematic_bicycle, single_track, longitudinal, autoware\n  hint: did you mean \"ackermann\"?"
    );
}

/// Values out of a class that two vehicles share are reported once.
#[test]
fn a_mistake_in_a_shared_class_is_reported_once() {
    let vehicle = |name: &str| format!("<vehicle name=\"{name}\" class=\"c\"><init_pose>0 0 0</init_pose></vehicle>");
    let class =
        "<vehicle:class name=\"c\"><dynamics class=\"differential\"><chassis mass=\"0\"/></dynamics></vehicle:class>";
    let text = format!("<mvsim_world>{class}{}{}</mvsim_world>", vehicle("a"), vehicle("b"));
    assert_eq!(problems(&text).len(), 1);
}

#[test]
fn tags_without_effect_are_warnings_and_the_world_loads() {
    let text = r#"<mvsim_world>
<joystick_enabled>true</joystick_enabled>
<no_such_tag/>
<vehicle name="a">
  <init_pose>0 0 0</init_pose>
  <dynamics class="differential"><chassis><linear_damping>10</linear_damping></chassis></dynamics>
  <friction class="default"><C_dampng>1</C_dampng></friction>
</vehicle>
</mvsim_world>"#;
    let (_, warnings) = World::load_text("w.xml", Path::new("."), text, &LoadOptions::default()).unwrap();
    let actual: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(actual.len(), 4, "{actual:#?}");
    assert!(actual[0].starts_with("w.xml:2:1: <joystick_enabled> has no effect\n  hint: "), "{actual:#?}");
    assert!(
        actual[1].starts_with("w.xml:3:1: unknown tag \"no_such_tag\" in <mvsim_world>\n  accepted: "),
        "{actual:#?}"
    );
    assert_eq!(
        actual[2],
        "w.xml:7:29: unknown tag \"C_dampng\" in <friction class=\"default\">\n  accepted: mu, C_damping, C_rr, limit\n  \
         hint: did you mean \"C_damping\"?"
    );
    assert_eq!(actual[3], "w.xml:6:34: <linear_damping> as a tag has no effect; give it as an attribute of <chassis>");
}

#[test]
fn names_of_sensors_that_no_topic_can_have_and_single_heights_are_warnings() {
    let sensors = ["laser%{NAME}", "tf", "a b", "a_b", &"x".repeat(300)]
        .map(|name| format!("<sensor class=\"laser\" name=\"{name}\"/>\n"));
    let text = format!(
        "<mvsim_world>\n<vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>\n{}</vehicle>\n\
         <block name=\"b\"><init_pose>3 0 0</init_pose><zmax>2</zmax></block>\n<sensor class=\"laser\"/></mvsim_world>",
        sensors.concat()
    );
    let (_, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let actual: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let expected = [
        "w.xml:3:1: sensor \"laser%{NAME}\": its topics are called laser_NAME_, since its name is not valid in a topic\n  \
         accepted: letters, digits and single _, no digit first\n  hint: ${NAME} stands for the name of the vehicle",
        "w.xml:4:1: sensor \"tf\": another topic has this name\n  accepted: a name of its own",
        "w.xml:5:1: sensor \"a b\": its topics are called a_b, since its name is not valid in a topic\n  \
         accepted: letters, digits and single _, no digit first",
        "w.xml:6:1: sensor \"a_b\": its topics are the same as those of sensor \"a b\"\n  accepted: a name that differs in letters and digits",
        "w.xml:7:1: sensor \"xxxxxxxxxxxxxxxxxxxx…\": its name is too long for a topic\n  \
         accepted: up to 243 letters, so that topics have up to 247",
        "w.xml:9:51: <zmax> has no effect without <zmin>\n  accepted: both, or neither",
        "w.xml:10:1: <sensor> outside a vehicle has no effect: MVSim publishes such sensors only to its own network",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn a_second_sensor_of_a_name_gets_one_of_its_own() {
    let sensors = [("a", "0.2"), ("a", "-0.2"), ("a_2", "0.1"), ("a", "0")]
        .map(|(name, x)| format!("<sensor class=\"laser\" name=\"{name}\"><pose>{x} 0 0</pose></sensor>\n"));
    let text = format!(
        "<mvsim_world>\n<vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>\n{}</vehicle></mvsim_world>",
        sensors.concat()
    );
    let (world, warnings) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let reported = |line: usize, from: &str, to: &str| {
        format!(
            "w.xml:{line}:1: a second sensor called \"{from}\" on vehicle \"r1\": here it is \"{to}\"\n  \
             hint: the name of a sensor is its topic and frame; in MVSim both sensors would share them"
        )
    };
    let actual: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(actual, [reported(4, "a", "a_2"), reported(5, "a_2", "a_2_2"), reported(6, "a", "a_3")]);
    let sensors = &world.scene().vehicles[0].sensors;
    let places: Vec<(&str, f64)> = sensors.iter().map(|s| (s.name.as_str(), s.body_from_sensor.x)).collect();
    assert_eq!(places, [("a", 0.2), ("a_2", -0.2), ("a_2_2", 0.1), ("a_3", 0.0)]);
}

/// World scalars count wherever they stand: one after the vehicle is as good as one before.
#[test]
fn the_order_of_world_scalars_does_not_matter() {
    let cart = Cart::default().named("a");
    for scalar in ["<gravity>1.62</gravity>", "<physics>mvsim</physics>"] {
        let twist = r#"<odometry x_multiplier="1.1"/></vehicle>"#;
        let cart = cart.replace("</vehicle>", twist).replace("0 0 0</init_vel>", "3 1 50</init_vel>");
        let mut worlds = [world(&format!("{scalar}{cart}")), world(&format!("{cart}{scalar}"))];
        for world in &mut worlds {
            run(world, 1.0);
        }
        assert_eq!(first(&worlds[0]), first(&worlds[1]), "{scalar}");
    }
}
