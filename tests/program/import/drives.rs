//! Robots on omni and mecanum wheels, on tracks, and on three wheels of which one is steered.

use skidpad::math::Twist2;
use skidpad::vehicle::Action;
use skidpad::world::VehicleInfo;

use super::{driven, imported, inertial, near, wheel};
use crate::support::Lab;

/// A base of 5 kg with a box on it, the other parts, and what is in `<gazebo>`.
pub(super) fn robot(parts: &str, extension: &str) -> String {
    format!(
        "<robot name=\"bot\"><link name=\"base\">{}<collision><origin xyz=\"0 0 0.15\"/><geometry><box size=\"0.4 0.3 0.1\"/></geometry></collision></link>\
         {parts}<gazebo>{extension}</gazebo></robot>",
        inertial(5.0, [0.05, 0.08, 0.1], "xyz=\"0 0 0.15\"")
    )
}

/// Four wheels whose axles lie along y.
pub(super) fn two_pairs() -> String {
    [("rl", "-0.2 0.15"), ("rr", "-0.2 -0.15"), ("fl", "0.2 0.15"), ("fr", "0.2 -0.15")]
        .map(|(name, at)| wheel(name, "base", &format!("{at} 0.1"), "<limit effort=\"1.2\" velocity=\"20\"/>"))
        .concat()
}

/// Wheels on a circle of 0.2 m, each with its axle pointing to the middle.
fn on_circle(degrees: &[f64]) -> String {
    let wheel_at = |(k, degrees): (usize, &f64)| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let at = format!("{} {} 0.1", 0.2 * cos, 0.2 * sin);
        // The z axis of the link is turned down to the ground, then to the side.
        let turned = format!("rpy=\"0 1.5707963267948966 {}\"", degrees.to_radians());
        wheel(&format!("w{k}"), "base", &at, "").replace("rpy=\"-1.5708 0 0\"", &turned)
    };
    degrees.iter().enumerate().map(wheel_at).collect()
}

/// Places of the wheels [m] and their mounting yaw [deg].
fn places(info: &VehicleInfo) -> Vec<(String, [f64; 3])> {
    let placed = |wheel: &skidpad::world::WheelInfo| {
        (wheel.name.to_string(), [wheel.position.x, wheel.position.y, wheel.mount_yaw.to_degrees()])
    };
    info.wheels.iter().map(placed).collect()
}

fn are_at(info: &VehicleInfo, expected: &[(&str, [f64; 3])]) {
    let actual = places(info);
    assert_eq!(actual.len(), expected.len(), "{actual:?}");
    for ((name, place), (expected_name, expected)) in actual.iter().zip(expected) {
        let is_there = place.iter().zip(expected).all(|(actual, expected)| (actual - expected).abs() < 1e-6);
        assert!(name == expected_name && is_there, "{actual:?}");
    }
}

fn twist(vx: f64, vy: f64, wz: f64) -> Action {
    Action::Twist(Twist2::new(vx, vy, wz))
}

const MECANUM: &str = "<plugin filename=\"gz-sim-mecanum-drive-system\" name=\"gz::sim::systems::MecanumDrive\">\
    <front_left_joint>fl_joint</front_left_joint><front_right_joint>fr_joint</front_right_joint><back_left_joint>rl_joint</back_left_joint>\
    <back_right_joint>rr_joint</back_right_joint><wheel_separation>0.3</wheel_separation><wheelbase>0.4</wheelbase>\
    <max_linear_velocity>0.8</max_linear_velocity></plugin>";

#[test]
fn a_robot_on_mecanum_wheels_moves_sideways() {
    let lab = Lab::new();
    lab.write("bot.urdf", &robot(&two_pairs(), MECANUM));
    let mut world = imported(&lab, "bot.urdf", "bot.world.xml");
    let info = &world.scene().vehicles[0];
    assert_eq!(info.dynamics, "mecanum");
    let expected = [("rl", -0.2, 0.15), ("rr", -0.2, -0.15), ("fl", 0.2, 0.15), ("fr", 0.2, -0.15)];
    let names = expected.map(|(name, x, y)| (format!("{name}_wheel"), [x, y, 0.0]));
    are_at(info, &names.each_ref().map(|(name, place)| (name.as_str(), *place)));
    near(info.mass, 7.0);
    let class = lab.read("imported/bot.vehicle.xml");
    for text in ["<max_torque>1.2</max_torque>", "<max_speed>0.8</max_speed>", "rollers at 45° to the axles"] {
        assert!(class.contains(text), "{text}: {class}");
    }
    let [x, y, yaw] = driven(&mut world, twist(0.0, 0.4, 0.0), 3.0);
    assert!((y - 1.2).abs() < 0.1 && x.abs() < 0.05 && yaw.abs() < 0.05, "{x} {y} {yaw}");
}

#[test]
fn rollers_on_joints_of_their_own_make_a_mecanum_wheel() {
    // In the frame of a wheel its axle is z.
    let roller = |wheel: &str, k: u32| {
        let name = format!("{wheel}_roller_{k}");
        let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
        let axis = format!("{} {} 1", -sin, cos);
        format!(
            "<link name=\"{name}\">{}<collision><geometry><sphere radius=\"0.02\"/></geometry></collision></link>\
             <joint name=\"{name}_joint\" type=\"continuous\"><origin xyz=\"{} {} 0\"/><parent link=\"{wheel}\"/><child link=\"{name}\"/><axis xyz=\"{axis}\"/></joint>",
            inertial(0.01, [1e-6; 3], "xyz=\"0 0 0\""),
            0.08 * cos,
            0.08 * sin,
        )
    };
    let rollers = |wheel| (0..8).map(|k| roller(wheel, k)).collect::<String>();
    let lab = Lab::new();
    let parts = two_pairs() + &["rl", "rr", "fl", "fr"].map(rollers).concat();
    lab.write("bot.urdf", &robot(&parts, ""));
    let world = imported(&lab, "bot.urdf", "bot.world.xml");
    let info = &world.scene().vehicles[0];
    assert_eq!((info.dynamics.as_str(), info.wheels.len()), ("mecanum", 4));
    near(info.mass, 7.32);
    near(info.wheels[0].mass, 0.58);
    assert!(!lab.run("import bot.urdf --force").stderr.contains("warning"), "nothing is lost");
}

#[test]
fn a_plugin_that_moves_the_robot_itself_makes_mecanum_wheels_of_two_pairs_only() {
    let lab = Lab::new();
    let planar = "<plugin filename=\"libgazebo_ros_planar_move.so\" name=\"move\"/>";
    lab.write("bot.urdf", &robot(&two_pairs(), planar));
    let done = lab.run("import bot.urdf");
    assert!(done.stdout.starts_with("bot: mecanum, 7 kg, wheelbase 0.4 m, track 0.3 m, "), "{}", done.stdout);
    let reported = "a plugin moves the robot without its wheels: here the wheels drive it, by their geometry\n";
    assert!(done.stderr.contains(reported), "{}", done.stderr);
    let pair = wheel("left", "base", "0 0.2 0.1", "") + &wheel("right", "base", "0 -0.2 0.1", "");
    lab.write("bot.urdf", &robot(&pair, planar));
    let done = lab.run("import bot.urdf --force");
    assert!(done.stdout.starts_with("bot: differential, "), "{}", done.stdout);
    assert!(done.stderr.contains(reported), "{}", done.stderr);
    let omni = "<plugin filename=\"libgazebo_ros_omni_3wd_drive.so\" name=\"drive\"><left_joint>left_joint</left_joint></plugin>";
    lab.write("bot.urdf", &robot(&pair, omni));
    let done = lab.run("import bot.urdf --force");
    let refused = "these wheels cannot move the robot in every direction: the drive is chosen by their geometry\n  \
                   accepted: three or four wheels whose axles cross (omni), four wheels in two pairs (mecanum)\n";
    assert!(done.stderr.contains(refused), "{}", done.stderr);
}

const OMNI_CONTROLLERS: &str = "controller_manager:\n  ros__parameters:\n    update_rate: 50\n    base:\n      \
    type: omni_wheel_drive_controller/OmniWheelDriveController\n\
    base:\n  ros__parameters:\n    wheel_names: [w0_joint, w1_joint, w2_joint]\n    linear:\n      x:\n        max_velocity: 0.6\n";

#[test]
fn omni_wheels_roll_across_the_line_to_the_middle() {
    let lab = Lab::new();
    lab.write("controllers.yaml", OMNI_CONTROLLERS);
    let control = "<plugin filename=\"libgz_ros2_control-system.so\" name=\"gz_ros2_control::GazeboSimROS2ControlPlugin\">\
                   <parameters>controllers.yaml</parameters></plugin>";
    lab.write("three.urdf", &robot(&on_circle(&[60.0, 180.0, -60.0]), control).replace("\"bot\"", "\"three\""));
    let mut world = imported(&lab, "three.urdf", "three.world.xml");
    let (x, y) = (0.1, 0.2 * 60.0_f64.to_radians().sin());
    are_at(
        &world.scene().vehicles[0],
        &[("fl_wheel", [x, y, 150.0]), ("fr_wheel", [x, -y, 30.0]), ("rear_wheel", [-0.2, 0.0, -90.0])],
    );
    assert!(lab.read("imported/three.vehicle.xml").contains("<max_speed>0.6</max_speed>"));
    let [x, y, yaw] = driven(&mut world, twist(0.2, -0.3, 0.0), 4.0);
    assert!((x - 0.8).abs() < 0.1 && (y + 1.2).abs() < 0.1 && yaw.abs() < 0.1, "{x} {y} {yaw}");
    // Four of them need no plugin: nothing else could roll.
    lab.write("bot.urdf", &robot(&on_circle(&[0.0, 90.0, 180.0, 270.0]), ""));
    let mut world = imported(&lab, "bot.urdf", "bot.world.xml");
    assert_eq!(world.scene().vehicles[0].dynamics, "omni_4_wheels");
    let [x, y, yaw] = driven(&mut world, twist(0.0, 0.0, 0.5), 3.0);
    assert!((yaw - 1.5).abs() < 0.1 && x.abs() < 0.02 && y.abs() < 0.02, "{x} {y} {yaw}");
}

/// Two wheels, and one that is steered ahead of them.
pub(super) fn tricycle(front: &str) -> String {
    let parts = wheel("left", "base", "0 0.2 0.1", "")
        + &wheel("right", "base", "0 -0.2 0.1", "")
        + "<link name=\"fork\"/><joint name=\"steer\" type=\"revolute\"><origin xyz=\"0.5 0 0.1\"/><parent link=\"base\"/><child link=\"fork\"/>\
           <axis xyz=\"0 0 1\"/><limit lower=\"-1.2\" upper=\"1.2\" effort=\"10\" velocity=\"4\"/></joint>"
        + &wheel("nose", "fork", front, "");
    let plugin = "<plugin name=\"drive\" filename=\"libgazebo_ros_tricycle_drive.so\"><steering_joint>steer</steering_joint>\
                  <actuated_wheel_joint>nose_joint</actuated_wheel_joint><max_wheel_torque>2</max_wheel_torque><max_steering_speed>1</max_steering_speed></plugin>";
    robot(&parts, plugin)
}

#[test]
fn a_tricycle_is_driven_at_its_front_wheel() {
    let lab = Lab::new();
    lab.write("bot.urdf", &tricycle("0 0 0"));
    let mut world = imported(&lab, "bot.urdf", "bot.world.xml");
    let info = &world.scene().vehicles[0];
    assert_eq!(info.dynamics, "tricycle");
    are_at(info, &[("rl_wheel", [0.0, 0.2, 0.0]), ("rr_wheel", [0.0, -0.2, 0.0]), ("f_wheel", [0.5, 0.0, 0.0])]);
    near(info.max_steer.unwrap(), 1.2);
    let class = lab.read("imported/bot.vehicle.xml");
    // The torque that the front wheel can hold under its thirteenth of the weight.
    for text in ["<max_torque>0.44145</max_torque>", "rate_deg=\"57.2957795131\"", "twist_front_steer_pid"] {
        assert!(class.contains(text), "{text}: {class}");
    }
    driven(&mut world, twist(0.3, 0.0, 0.3), 3.0);
    let [_, _, from] = driven(&mut world, twist(0.3, 0.0, 0.3), 0.005);
    let [_, _, to] = driven(&mut world, twist(0.3, 0.0, 0.3), 3.0);
    assert!((to - from - 0.9).abs() < 0.05, "{} is not 0.9", to - from);
}

#[test]
fn a_steered_wheel_behind_the_others_is_refused() {
    let lab = Lab::new();
    lab.write("bot.urdf", &tricycle("-0.7 0 0"));
    let done = lab.run("import bot.urdf");
    assert_eq!(done.status, Some(1));
    let expected = "the steered wheel is not ahead of the others and between them\n  \
                    accepted: a steered wheel ahead of two others, along the x axis\n  \
                    hint: a robot that faces backwards is turned round if its steered wheels are named front, or its left wheels are on the right\n";
    assert!(done.stderr.ends_with(expected), "{}", done.stderr);
}

/// A tank: tracks of a box with a roller at each end, and a flipper on the left one.
fn tank() -> String {
    let part = |name: &str, y: f64, mass: f64, shapes: &str| {
        format!(
            "<link name=\"{name}\"><pose>0 {y} 0 0 0 0</pose><inertial><mass>{mass}</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>{shapes}</link>\
             <joint name=\"{name}_joint\" type=\"fixed\"><parent>base</parent><child>{name}</child></joint>"
        )
    };
    let shape = |pose: &str, solid: &str| {
        format!("<collision name=\"c\"><pose>{pose}</pose><geometry>{solid}</geometry></collision>")
    };
    let roller = "<cylinder><radius>0.1</radius><length>0.08</length></cylinder>";
    let track = shape("0 0 0.1 0 0 0", "<box><size>0.6 0.08 0.2</size></box>")
        + &shape("0.3 0 0.1 1.5707963267948966 0 0", roller)
        + &shape("-0.3 0 0.1 1.5707963267948966 0 0", roller);
    let flipper = shape("0.3 0 0.1 1.5707963267948966 0 0", roller);
    format!(
        "<sdf version=\"1.8\"><model name=\"tank\"><link name=\"base\"><inertial><mass>20</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1.5</izz></inertia></inertial>\
         <collision name=\"c\"><pose>0 0 0.2 0 0 0</pose><geometry><box><size>0.7 0.3 0.2</size></box></geometry></collision></link>{}{}{}\
         <plugin name=\"gz::sim::systems::TrackController\" filename=\"gz-sim-track-controller-system\"><link>left</link></plugin>\
         <plugin name=\"gz::sim::systems::TrackedVehicle\" filename=\"gz-sim-tracked-vehicle-system\"><left_track><link>left</link></left_track>\
         <left_track><link>flipper</link></left_track><right_track><link>right</link></right_track><tracks_separation>0.4</tracks_separation>\
         <linear_velocity><max_velocity>0.7</max_velocity></linear_velocity></plugin></model></sdf>",
        part("left", 0.2, 5.0, &track),
        part("right", -0.2, 5.0, &track),
        part("flipper", 0.3, 1.0, &flipper),
    )
}

#[test]
fn tracks_are_as_long_as_what_touches_the_ground() {
    let lab = Lab::new();
    lab.write("tank.sdf", &tank());
    let done = lab.run("import tank.sdf");
    assert!(done.stdout.starts_with("tank: tracked, 31 kg, 0.6 m on the ground, track 0.4 m\n"), "{}", done.stdout);
    let warnings: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert!(
        matches!(warnings[..], [line] if line.ends_with("the track flipper is left out, its mass belongs to the chassis")),
        "{}",
        done.stderr
    );
    let mut world = imported(&lab, "tank.sdf --force", "tank.world.xml");
    let info = &world.scene().vehicles[0];
    assert_eq!(info.dynamics, "tracked");
    near(info.mass, 31.0);
    near(info.wheels[0].radius, 0.1);
    near(info.wheels[0].width, 0.08);
    // The first one is in the middle.
    near(info.wheels[0].position.x, 0.0);
    near(info.wheels[0].position.y, 0.2);
    let class = lab.read("imported/tank.vehicle.xml");
    for text in ["length=\"0.6\"", "<max_speed>0.7</max_speed>"] {
        assert!(class.contains(text), "{text}: {class}");
    }
    let [x, y, _] = driven(&mut world, twist(0.5, 0.0, 0.0), 3.0);
    assert!((x - 1.5).abs() < 0.15 && y.abs() < 0.01, "{x} {y}");
}

#[test]
fn what_a_drive_names_and_is_not_there_is_told() {
    let lab = Lab::new();
    let control = |file: &str| {
        let plugin = format!(
            "<plugin filename=\"libgazebo_ros2_control.so\" name=\"gazebo_ros2_control\"><parameters>{file}</parameters></plugin>"
        );
        robot(&two_pairs(), &plugin)
    };
    lab.write("broken.yaml", "a: [1\n");
    lab.write("other.yaml", &OMNI_CONTROLLERS.replace("w2_joint", "w3_joint"));
    lab.write(
        "two.yaml",
        &OMNI_CONTROLLERS
            .replace("    base:\n", "    spare: {type: tricycle_controller/TricycleController}\n    base:\n"),
    );
    for (text, expected) in [
        (control("none.yaml"), "the controllers are not read: no file \"none.yaml\"\n"),
        (control("broken.yaml"), "the controllers are not read: broken.yaml is not YAML: "),
        (control("other.yaml"), "no joint \"w3_joint\"\n  accepted: rl_joint, rr_joint, fl_joint, fr_joint\n"),
        (control("two.yaml"), "several controllers drive the robot, base, spare: the first one is used\n"),
        (
            tank().replace("<link>right</link>", "<link>wrong</link>"),
            "no link \"wrong\"\n  accepted: base, left, right, flipper\n",
        ),
        (
            tank().replace("<link>right</link>", ""),
            "robot \"tank\" has no track with a shape on each side\n  \
             accepted: <left_track> and <right_track>: links with a collision or a visual, on a joint each\n",
        ),
    ] {
        lab.write("r.sdf", &text);
        let done = lab.run("import r.sdf --force");
        assert!(done.stderr.contains(expected), "{}\n{expected}", done.stderr);
    }
}
