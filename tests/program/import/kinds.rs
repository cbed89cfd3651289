//! What descriptions of others have beside the textbook: joints that only look like some, wheels without joints, lidars the other way round.

use super::drives::{robot, tricycle, two_pairs};
use super::{imported, inertial, near, wheel};
use crate::support::{Done, Lab};

/// Two wheels at the sides of the base.
fn pair(more: &str) -> String {
    wheel("left", "base", "0 0.2 0.1", more) + &wheel("right", "base", "0 -0.2 0.1", more)
}

/// The warnings of an import, without their places.
fn warnings(done: &Done) -> Vec<String> {
    let lines = done.stderr.lines().filter_map(|line| line.strip_prefix("warning: "));
    lines.map(|line| line.split_once(": ").map_or(line, |(_, message)| message).to_owned()).collect()
}

/// Imports a robot; its status has to be 0.
fn done(lab: &Lab, text: &str) -> Done {
    lab.write("bot.urdf", text);
    let done = lab.run("import bot.urdf --force");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    done
}

#[test]
fn only_joints_that_move_along_an_axis_need_one() {
    let lab = Lab::new();
    let joint = |kind: &str| {
        let tail = format!(
            "<link name=\"mast\"/><joint name=\"mast_joint\" type=\"{kind}\"><parent link=\"base\"/><child link=\"mast\"/><axis xyz=\"0 0 0\"/></joint>"
        );
        robot(&(pair("") + &tail), "")
    };
    assert_eq!(warnings(&done(&lab, &joint("fixed"))), [""; 0]);
    assert_eq!(
        warnings(&done(&lab, &joint("floating"))),
        ["joint \"mast_joint\" is fixed at 0, since a chassis is rigid"]
    );
    lab.write("bot.urdf", &joint("prismatic"));
    let refused = lab.run("import bot.urdf --force");
    let expected = "the axis of joint \"mast_joint\" has no direction\n  accepted: an axis other than 0 0 0\n";
    assert!(refused.stderr.ends_with(expected), "{}", refused.stderr);
    // Likewise in SDF, where joints may be called as links besides.
    let wheel = |name: &str, y: f64| {
        format!(
            "<link name=\"{name}\"><pose>0 {y} 0.05 1.5708 0 0</pose><inertial><mass>0.4</mass><inertia><ixx>0.0003</ixx><iyy>0.0003</iyy><izz>0.0005</izz></inertia></inertial>\
             <collision name=\"c\"><geometry><cylinder><radius>0.05</radius><length>0.02</length></cylinder></geometry></collision></link>\
             <joint name=\"{name}\" type=\"revolute\"><parent>base</parent><child>{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let base = "<link name=\"base\"><pose>0 0 0.1 0 0 0</pose><inertial><mass>4</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.02</izz></inertia></inertial>\
                <collision name=\"c\"><geometry><box><size>0.3 0.2 0.1</size></box></geometry></collision></link>\
                <link name=\"top\"/><joint name=\"top\" type=\"fixed\"><parent>base</parent><child>top</child><axis><xyz>0 0 0</xyz></axis></joint>";
    lab.write(
        "twins.sdf",
        &format!(
            "<sdf version=\"1.4\"><model name=\"twins\">{base}{}{}</model></sdf>",
            wheel("l", 0.13),
            wheel("r", -0.13)
        ),
    );
    let world = imported(&lab, "twins.sdf", "twins.world.xml");
    let twins = &world.scene().vehicles[0];
    assert_eq!(twins.dynamics, "differential");
    near(twins.wheels[0].position.y, 0.13);
}

#[test]
fn a_castor_whose_joints_have_transmissions_is_one_nevertheless() {
    let mut parts = pair("")
        + "<link name=\"fork\"/><joint name=\"turn\" type=\"continuous\"><origin xyz=\"-0.3 0 0.12\"/><parent link=\"base\"/><child link=\"fork\"/><axis xyz=\"0 0 1\"/></joint>"
        + &wheel("small", "fork", "-0.05 0 -0.02", "");
    for joint in ["left_joint", "right_joint", "turn", "small_joint"] {
        parts += &format!(
            "<transmission name=\"t_{joint}\"><joint name=\"{joint}\"><hardwareInterface>hardware_interface/VelocityJointInterface</hardwareInterface></joint></transmission>"
        );
    }
    let lab = Lab::new();
    let actual = done(&lab, &robot(&parts, "").replace("xyz=\"0 0 0.15\"", "xyz=\"-0.1 0 0.15\""));
    assert!(actual.stdout.starts_with("bot: differential_3_wheels, 6.5 kg, track 0.4 m, "), "{}", actual.stdout);
    assert_eq!(warnings(&actual), [""; 0]);
    // What a plugin names is a wheel, or an error.
    let plugin = "<plugin filename=\"libgazebo_ros_diff_drive.so\" name=\"d\"><left_joint>turn</left_joint><right_joint>right_joint</right_joint></plugin>";
    lab.write("bot.urdf", &robot(&parts, plugin));
    let refused = lab.run("import bot.urdf --force");
    assert!(
        refused.stderr.contains("joint \"turn\" is driven, but its axis is not horizontal\n"),
        "{}",
        refused.stderr
    );
}

#[test]
fn balls_of_the_base_are_castors_and_leave_it_its_mass() {
    let ball = |x: f64| {
        format!("<collision><origin xyz=\"{x} 0 0.04\"/><geometry><sphere radius=\"0.04\"/></geometry></collision>")
    };
    let lab = Lab::new();
    let with_balls =
        robot(&pair(""), "").replacen("<collision>", &format!("{}{}<collision>", ball(-0.15), ball(0.15)), 1);
    let actual = done(&lab, &with_balls.replace("xyz=\"0 0 0.15\"", "xyz=\"0.02 0 0.15\""));
    assert_eq!(warnings(&actual), [""; 0]);
    assert!(actual.stdout.starts_with("bot: differential_3_wheels, 6.005 kg, track 0.4 m, "), "{}", actual.stdout);
    let class = lab.read("imported/bot.vehicle.xml");
    for text in [
        "<caster_wheel pos=\"0.15 0\" mass=\"0.005\"",
        "<chassis mass=\"5\"",
        "zmin=\"0.1\"",
        "The castor replaces base.",
    ] {
        assert!(class.contains(text), "{text}: {class}");
    }
}

/// A car along −x, whose steered wheels have joints of these names.
fn backwards(left: &str, right: &str) -> String {
    let mut parts = String::new();
    for (name, y) in [(left, -0.15), (right, 0.15)] {
        parts += &format!(
            "<link name=\"{name}_hinge\"/><joint name=\"{name}_steer\" type=\"revolute\"><origin xyz=\"-0.2 {y} 0.1\"/><parent link=\"base\"/>\
             <child link=\"{name}_hinge\"/><axis xyz=\"0 0 1\"/><limit lower=\"-0.5\" upper=\"0.5\" effort=\"9\" velocity=\"3\"/></joint>"
        );
        parts += &wheel(name, &format!("{name}_hinge"), "0 0 0", "");
    }
    parts + &wheel("one", "base", "0.2 0.15 0.1", "") + &wheel("two", "base", "0.2 -0.15 0.1", "")
}

#[test]
fn a_car_that_looks_backwards_is_turned_round() {
    let lab = Lab::new();
    for [left, right] in [["fl", "fr"], ["wheelLeft", "wheelRight"]] {
        let actual = done(&lab, &robot(&backwards(left, right), ""));
        let reported = "the steered wheels are at the other end: the vehicle's x axis is at 180° to that of the robot";
        assert_eq!(warnings(&actual), [reported]);
        assert!(actual.stdout.contains(", got 0.5 m/s and 0.5 rad/s\n"), "{}", actual.stdout);
        let class = lab.read("imported/bot.vehicle.xml");
        assert!(class.contains("<f_wheels_x>0.4</f_wheels_x>") && class.contains("180 0 0 (x y z"), "{class}");
    }
    // Without such names it may be steered at the rear, as fork lifts are.
    lab.write("bot.urdf", &robot(&backwards("a", "b"), ""));
    let refused = lab.run("import bot.urdf --force");
    let expected = "the steered wheels are behind the others\n  accepted: steered wheels ahead of the others, along the x axis\n  \
                    hint: a robot that faces backwards is turned round if its steered wheels are named front, or its left wheels are on the right\n";
    assert!(refused.stderr.ends_with(expected), "{}", refused.stderr);
    let three = tricycle("-0.7 0 0").replace("nose", "front_wheel");
    let actual = done(&lab, &three);
    assert!(actual.stdout.starts_with("bot: tricycle, 6.5 kg, wheelbase 0.2 m, "), "{}", actual.stdout);
}

#[test]
fn the_wheels_of_a_single_track_model_stand_for_those_beside_them() {
    let round = "<origin rpy=\"1.5708 0 0\"/><geometry><cylinder radius=\"0.1\" length=\"0.04\"/></geometry>";
    // A wheel that is fixed to its hinge.
    let steered = |name: &str, y: f64, limit: f64, shape: &str| {
        format!(
            "<link name=\"{name}\">{}<{shape}>{round}</{shape}></link><joint name=\"{name}_joint\" type=\"revolute\"><origin xyz=\"0.4 {y} 0.1\"/>\
             <parent link=\"base\"/><child link=\"{name}\"/><axis xyz=\"0 0 1\"/><limit lower=\"-{limit}\" upper=\"{limit}\" effort=\"9\" velocity=\"3\"/></joint>",
            inertial(0.5, [0.002, 0.003, 0.002], "xyz=\"0 0 0\"")
        )
    };
    let parts = wheel("rl", "base", "0 0.15 0.1", "")
        + &wheel("rr", "base", "0 -0.15 0.1", "")
        + &wheel("virtual_rear", "base", "0 0 0.1", "")
        + &steered("fl", 0.15, 0.6, "collision")
        + &steered("fr", -0.15, 0.6, "collision")
        + &steered("virtual_front", 0.0, 0.3, "visual")
        + "<ros2_control name=\"c\" type=\"system\"><joint name=\"virtual_rear_joint\"><command_interface name=\"velocity\"/></joint>\
           <joint name=\"virtual_front_joint\"><command_interface name=\"position\"/></joint></ros2_control>";
    let lab = Lab::new();
    let actual = done(&lab, &robot(&parts, ""));
    let reported = |name: &str| {
        format!(
            "the wheel on joint \"{name}\" is midway between two others, as in a single-track model, and is left out"
        )
    };
    assert_eq!(warnings(&actual), [reported("virtual_rear_joint"), reported("virtual_front_joint")]);
    assert!(
        actual.stdout.starts_with("bot: ackermann_drivetrain, 8 kg, wheelbase 0.4 m, track 0.3 m, "),
        "{}",
        actual.stdout
    );
    let class = lab.read("imported/bot.vehicle.xml");
    for text in ["<max_steer_ang_deg>17.1887338539</max_steer_ang_deg>", "<drivetrain type=\"open_rear\"/>"] {
        assert!(class.contains(text), "{text}: {class}");
    }
}

#[test]
fn a_robot_that_a_plugin_moves_may_have_its_wheels_on_fixed_joints() {
    let fixed = two_pairs().replace("type=\"continuous\"", "type=\"fixed\"");
    let lab = Lab::new();
    let actual = done(&lab, &robot(&fixed, "<plugin filename=\"libgazebo_ros_planar_move.so\" name=\"move\"/>"));
    assert!(actual.stdout.starts_with("bot: mecanum, 7 kg, wheelbase 0.4 m, track 0.3 m, "), "{}", actual.stdout);
    // Its wheels may slide while the plugin moves it; here they are driven.
    let slippery =
        ["fl", "fr", "rl", "rr"].map(|link| format!("<gazebo reference=\"{link}\"><mu1>0.01</mu1></gazebo>")).concat();
    let text = robot(&fixed, "<plugin filename=\"libgazebo_ros_planar_move.so\" name=\"move\"/>");
    let actual = done(&lab, &text.replace("</robot>", &(slippery + "</robot>")));
    let reported =
        "a friction coefficient of 0.01, with which the wheels slide while a plugin moves the robot: 1 is used";
    assert!(warnings(&actual).contains(&reported.to_owned()), "{}", actual.stderr);
    assert!(lab.read("imported/bot.vehicle.xml").contains("<mu>1</mu>"));
    // Without such a plugin these are feet.
    lab.write("bot.urdf", &robot(&fixed, ""));
    assert!(lab.run("import bot.urdf --force").stderr.contains("robot \"bot\" has no wheels\n"));
}

#[test]
fn controllers_of_other_packages_are_recognised_or_told() {
    let control = "<plugin filename=\"libgz_ros2_control-system.so\" name=\"c\"><parameters>controllers.yaml</parameters></plugin>";
    let lab = Lab::new();
    let controllers = |kind: &str| {
        format!(
            "controller_manager:\n  ros__parameters:\n    base.type: maker_drives/{kind}\nbase:\n  ros__parameters:\n    joints: [fl_joint, rl_joint, rr_joint, fr_joint]\n"
        )
    };
    lab.write("controllers.yaml", &controllers("MecanumDriveController"));
    let actual = done(&lab, &robot(&two_pairs(), control));
    assert!(actual.stdout.starts_with("bot: mecanum, "), "{}", actual.stdout);
    assert_eq!(warnings(&actual), [""; 0]);
    lab.write("controllers.yaml", &controllers("CrabDrive"));
    let actual = done(&lab, &robot(&two_pairs(), control));
    assert!(actual.stdout.starts_with("bot: differential_4_wheels, "), "{}", actual.stdout);
    let reported = "controller \"base\" of type \"maker_drives/CrabDrive\" is not known: the drive is chosen by the geometry of the wheels";
    assert_eq!(warnings(&actual), [reported]);
}

#[test]
fn lidars_turn_all_the_way_round_and_in_either_direction() {
    let lab = Lab::new();
    let lidar = |horizontal: [f64; 2], vertical: &str| {
        let [from, to] = horizontal;
        let sensor = format!(
            "<sensor name=\"scan\" type=\"ray\"><ray><scan><horizontal><samples>90</samples><min_angle>{from}</min_angle><max_angle>{to}</max_angle></horizontal>{vertical}</scan>\
             <range><min>0.1</min><max>9</max></range></ray></sensor>"
        );
        robot(&pair(""), "").replace("<gazebo></gazebo>", &format!("<gazebo reference=\"base\">{sensor}</gazebo>"))
    };
    let class = || lab.read("imported/bot.vehicle.xml");
    assert_eq!(warnings(&done(&lab, &lidar([0.0, "6.28319".parse().unwrap()], ""))), [""; 0]);
    assert!(class().contains("<fov_degrees>360</fov_degrees>"), "{}", class());
    assert_eq!(
        warnings(&done(&lab, &lidar([-6.3, 3.0], ""))),
        ["the horizontal angles are 9.3 rad apart: a full turn is taken"]
    );
    let actual = done(&lab, &lidar([1.5, -1.5], ""));
    assert_eq!(warnings(&actual), ["the horizontal angles run from 1.5 to -1.5 rad: they are swapped"]);
    assert!(class().contains("<start_degrees>-85.943669</start_degrees>"), "{}", class());
    let down = "<vertical><samples>3</samples><min_angle>-0.1</min_angle><max_angle>-0.3</max_angle></vertical>";
    let actual = done(&lab, &lidar([-3.0, 3.0], down));
    assert_eq!(warnings(&actual), ["the vertical angles run from -0.1 to -0.3 rad: they are swapped"]);
    assert!(class().contains("<vertical_ray_angles>-17.1887338539 -11.4591559026 -5.72957795131<"), "{}", class());
    assert_eq!(lab.run("check --strict imported/bot.world.xml").status, Some(0));
    // Rays of which a plugin makes one range.
    let cone = "<vertical><samples>4</samples><min_angle>-0.1</min_angle><max_angle>0.1</max_angle></vertical>";
    let sonar = lidar([-0.2, 0.2], cone)
        .replace("</sensor>", "<plugin name=\"p\" filename=\"libgazebo_ros_range.so\"/></sensor>");
    assert_eq!(warnings(&done(&lab, &sonar)), [""; 0]);
    assert!(class().contains("<sensor class=\"range\" name=\"scan\">"), "{}", class());
    assert!(class().contains("<fov_degrees>22.918312</fov_degrees>"), "{}", class());
}

/// A robot whose lidar is called scan, with more in its sensor.
fn with_frame(more: &str) -> String {
    let sensor = format!(
        "<sensor name=\"scan\" type=\"ray\">{more}<ray><range><min>0.1</min><max>9</max></range></ray></sensor>"
    );
    robot(&pair(""), "").replace("<gazebo></gazebo>", &format!("<gazebo reference=\"base\">{sensor}</gazebo>"))
}

#[test]
fn the_frame_of_a_sensor_is_kept() {
    let lab = Lab::new();
    let plugin =
        "<plugin name=\"p\" filename=\"libgazebo_ros_ray_sensor.so\"><frame_name>/laser_link</frame_name></plugin>";
    for more in ["<gz_frame_id>laser_link</gz_frame_id>", "<ignition_frame_id>laser_link</ignition_frame_id>", plugin] {
        assert_eq!(warnings(&done(&lab, &with_frame(more))), [""; 0]);
        assert!(lab.read("imported/bot.vehicle.xml").contains("<frame_id>laser_link</frame_id>"), "{more}");
    }
    assert_eq!(warnings(&done(&lab, &with_frame("<gz_frame_id>scan</gz_frame_id>"))), [""; 0]);
    assert!(!lab.read("imported/bot.vehicle.xml").contains("frame_id"));
    let actual = done(&lab, &with_frame("<gz_frame_id>a b</gz_frame_id>"));
    let reported = "the frame \"a b\" is not used: the frame of the sensor is \"scan\", as its topic";
    assert_eq!(warnings(&actual), [reported]);
}

#[test]
fn the_drive_after_an_import_shows_what_slows_the_robot() {
    let lab = Lab::new();
    let actual = done(&lab, &robot(&pair("<limit effort=\"9\" velocity=\"2\"/>"), ""));
    assert!(
        actual.stdout.ends_with(
            "bot: asked 0.5 m/s and 0.5 rad/s, got 0.2 m/s and 0.5 rad/s, 0.2 m/s and 0.499 rad/s after 0.3 s (its speed is limited to 0.2 m/s)\n"
        ),
        "{}",
        actual.stdout
    );
    let reported =
        |side: &str| format!("the velocity limit of joint \"{side}_joint\", 2 rad/s, lets the robot drive at 0.2 m/s");
    assert_eq!(warnings(&actual), [reported("left")]);
}
