//! `skidpad import`: robots and worlds written here, imported by the real program, read back and driven.

mod bad_input;
mod drives;
mod files;
mod kinds;
mod trial;

use std::fmt::Write;
use std::path::Path;

use skidpad::preset::SKIDPAD;
use skidpad::urdf::Robot;
use skidpad::vehicle::{Action, Command};
use skidpad::world::{LoadOptions, VehicleInfo, World};

use crate::support::Lab;

/// An inertia that is diagonal, as URDF writes it.
fn inertial(mass: f64, [xx, yy, zz]: [f64; 3], origin: &str) -> String {
    format!(
        "<inertial><origin {origin}/><mass value=\"{mass}\"/><inertia ixx=\"{xx}\" ixy=\"0\" ixz=\"0\" iyy=\"{yy}\" iyz=\"0\" izz=\"{zz}\"/></inertial>"
    )
}

/// A wheel of 0.1 m radius on a joint of its own, whose axle is the z axis of its link, as xacro's authors like it.
fn wheel(name: &str, parent: &str, xyz: &str, more: &str) -> String {
    format!(
        "<link name=\"{name}\">{}<collision><geometry><cylinder radius=\"0.1\" length=\"0.04\"/></geometry></collision></link>\
         <joint name=\"{name}_joint\" type=\"continuous\"><origin xyz=\"{xyz}\" rpy=\"-1.5708 0 0\"/><parent link=\"{parent}\"/><child link=\"{name}\"/>\
         <axis xyz=\"0 0 1\"/>{more}</joint>",
        inertial(0.5, [0.002, 0.002, 0.003], "xyz=\"0 0 0\"")
    )
}

/// A robot with a base, a mast on a fixed joint, two wheels, a ball under its rear, and three sensors. Its base link is 0.1 m above the ground.
pub fn two_wheels() -> String {
    format!(
        "<robot name=\"rover\"><link name=\"base_footprint\"/>\
         <joint name=\"base_joint\" type=\"fixed\"><origin xyz=\"0 0 0.1\"/><parent link=\"base_footprint\"/><child link=\"base_link\"/></joint>\
         <link name=\"base_link\">{}<collision><origin xyz=\"-0.05 0 0.1\"/><geometry><box size=\"0.5 0.3 0.1\"/></geometry></collision>\
         <visual><origin xyz=\"-0.05 0 0.1\"/><geometry><box size=\"0.5 0.3 0.1\"/></geometry><material name=\"red\"><color rgba=\"1 0 0 1\"/></material></visual></link>\
         <joint name=\"mast_joint\" type=\"fixed\"><origin xyz=\"-0.2 0 0.4\"/><parent link=\"base_link\"/><child link=\"mast\"/></joint>\
         <link name=\"mast\">{}</link>\
         {}{}\
         <joint name=\"ball_joint\" type=\"fixed\"><origin xyz=\"-0.2 0 -0.05\"/><parent link=\"base_link\"/><child link=\"ball\"/></joint>\
         <link name=\"ball\"><inertial><mass value=\"0.2\"/></inertial><collision><geometry><sphere radius=\"0.05\"/></geometry></collision></link>\
         <gazebo reference=\"mast\"><sensor name=\"laser\" type=\"ray\"><update_rate>20</update_rate><ray><scan><horizontal><samples>181</samples>\
         <min_angle>-1.570796</min_angle><max_angle>1.570796</max_angle></horizontal></scan><range><min>0.1</min><max>8</max></range>\
         <noise><stddev>0.02</stddev></noise></ray><plugin filename=\"libgazebo_ros_ray_sensor.so\" name=\"p\"><ros><remapping>~/out:=scan</remapping></ros></plugin></sensor>\
         <sensor name=\"front\" type=\"camera\"><pose>0 0 0.1 0 0 0</pose><update_rate>10</update_rate><camera><horizontal_fov>1.5707963267948966</horizontal_fov>\
         <image><width>64</width><height>48</height></image><clip><near>0.05</near><far>50</far></clip></camera></sensor>\
         <sensor name=\"imu\" type=\"imu\"><update_rate>50</update_rate></sensor><sensor name=\"odd\" type=\"altimeter\"/></gazebo>\
         <gazebo reference=\"left\"><mu1>0.8</mu1></gazebo>\
         <gazebo><plugin filename=\"libgazebo_ros_diff_drive.so\" name=\"drive\"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>\
         <wheel_separation>0.5</wheel_separation><max_wheel_torque>1.5</max_wheel_torque><max_linear_velocity>1.2</max_linear_velocity></plugin></gazebo></robot>",
        inertial(4.0, [0.03, 0.08, 0.1], "xyz=\"0 0 0.1\""),
        inertial(1.0, [0.01, 0.01, 0.002], "xyz=\"0 0 0\""),
        wheel("left", "base_link", "0 0.2 0", "<dynamics damping=\"0.01\"/>"),
        wheel("right", "base_link", "0 -0.2 0", "<dynamics damping=\"0.01\"/>"),
    )
}

/// Imports `file` and loads the world that it made, without a warning.
fn imported(lab: &Lab, file: &str, world: &str) -> World {
    let done = lab.run(&format!("import {file}"));
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let (world, warnings) = World::load(&lab.path().join("imported").join(world), &LoadOptions::default()).unwrap();
    assert_eq!(warnings, []);
    world
}

fn near(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-9 * expected.abs().max(1.0), "{actual} is not {expected}");
}

#[test]
fn a_differential_robot_keeps_its_numbers_and_says_what_is_lost() {
    let lab = Lab::new();
    lab.write("rover.urdf", &two_wheels());
    let done = lab.run("import rover.urdf");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.stdout,
        "rover: differential_3_wheels, 6.2 kg, track 0.4 m, wheel radius 0.1 m; sensors scan (laser), front (camera), imu (imu)\n\
         rover: asked 0.5 m/s and 0.5 rad/s, got 0.5 m/s and 0.5 rad/s\n"
    );
    let messages: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(messages.len(), 2, "{}", done.stderr);
    assert!(messages[0].ends_with(
        "the plugin drives with a wheel separation of 0.5 m, but the wheels are 0.4 m apart, which is used"
    ));
    assert!(messages[1].ends_with("a sensor of type \"altimeter\" is left out"));
    let (world, warnings) = World::load(&lab.path().join("imported/rover.world.xml"), &LoadOptions::default()).unwrap();
    assert_eq!(warnings, []);
    let rover = &world.scene().vehicles[0];
    let [left, right, ball] = &rover.wheels[..] else { panic!("{} wheels", rover.wheels.len()) };
    for (wheel, y) in [(left, 0.2), (right, -0.2)] {
        near(wheel.position.x, 0.0);
        near(wheel.position.y, y);
        for (actual, expected) in [(wheel.radius, 0.1), (wheel.width, 0.04), (wheel.mass, 0.5), (wheel.inertia, 0.003)]
        {
            near(actual, expected);
        }
    }
    near(ball.position.x, -0.2);
    near(ball.mass, 0.2);
    // Base and mast about their centre: 4·0.04² + 1·0.16² beside their own inertias.
    near(rover.chassis.mass, 5.0);
    near(rover.chassis.center[0], -0.04);
    near(rover.chassis.yaw_inertia, 0.102 + 0.032);
    near(rover.mass, 6.2);
    near(rover.chassis_z[0], 0.15);
    near(rover.chassis_z[1], 0.25);
    let xs: Vec<f64> = rover.outline.iter().map(|p| p.x).collect();
    near(xs.iter().copied().fold(f64::INFINITY, f64::min), -0.3);
    near(xs.iter().copied().fold(f64::NEG_INFINITY, f64::max), 0.2);
    let scan = rover.sensors[0].body_from_sensor;
    near(scan.x, -0.2);
    near(scan.z, 0.5);
    let camera = rover.sensors[1].body_from_sensor;
    near(camera.z, 0.6);
    // The optical axis z points ahead.
    near(camera.rotation()[(0, 2)], 1.0);
    let class = lab.read("imported/rover.vehicle.xml");
    for text in [
        "<mu>0.8</mu>",
        "<C_damping>0.01</C_damping>",
        "<max_torque>1.5</max_torque>",
        "<max_speed>1.2</max_speed>",
        "<nrays>181</nrays>",
        "<fx>32</fx>",
        "<friction class=\"default\" wheels=\"caster_wheel\">",
    ] {
        assert!(class.contains(text), "{text}: {class}");
    }
    assert!(lab.read("imported/rover_shapes.mtl").contains("Kd 1 0 0"));
    assert_eq!(lab.run("check --strict imported/rover.world.xml").status, Some(0));
    // What is there is not replaced unasked.
    let again = lab.run("import rover.urdf");
    assert_eq!(again.status, Some(1));
    assert!(
        again.stderr.ends_with(
            "imported/rover_shapes.obj: the file is there\n  hint: another folder with --out, or --force to replace it\n"
        ),
        "{}",
        again.stderr
    );
    assert_eq!(lab.run("import rover.urdf --force").status, Some(0));
}

/// Pose x, y, yaw of the first vehicle after `seconds` of a command.
fn driven(world: &mut World, action: Action, seconds: f64) -> [f64; 3] {
    world.command(Command { vehicle: 0, action }).unwrap();
    let from = world.frame().time.secs();
    while world.frame().time.secs() < from + seconds {
        world.step().unwrap();
    }
    let pose = world.frame().vehicles[0].world_from_body;
    [pose.x, pose.y, pose.yaw]
}

#[test]
fn an_imported_robot_drives_and_turns_as_commanded() {
    let lab = Lab::new();
    lab.write("rover.urdf", &two_wheels());
    assert_eq!(lab.run("import rover.urdf").status, Some(0));
    lab.write("drive.csv", "time,vehicle,v,omega\n0,rover,0.5,0\n3,rover,0,0.5\n6,rover,0,0\n");
    let arguments = "run imported/rover.world.xml --headless --rate max --duration 7 --commands drive.csv --csv log";
    let done = lab.run(arguments);
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let rows = crate::support::Table::parse(&lab.read("log/session_001/rover_pose.csv"));
    let last = |name: &str| *rows.column(name).last().unwrap();
    assert!((last("q0x") - 1.5).abs() < 0.1, "{}", last("q0x"));
    assert!((last("q3yaw") - 1.5).abs() < 0.1, "{}", last("q3yaw"));
    assert!(last("dqx").abs() < 1e-3 && last("dqw").abs() < 1e-3);
}

#[test]
fn a_robot_whose_axles_lie_along_x_is_turned_and_its_swivelling_castor_has_no_grip() {
    let fork = format!(
        "<joint name=\"swivel\" type=\"continuous\"><origin xyz=\"0 -0.3 0.1\"/><parent link=\"base\"/><child link=\"fork\"/><axis xyz=\"0 0 1\"/></joint><link name=\"fork\"/>\
         <joint name=\"roll\" type=\"continuous\"><origin xyz=\"0 -0.05 -0.05\"/><parent link=\"fork\"/><child link=\"small\"/><axis xyz=\"1 0 0\"/></joint>\
         <link name=\"small\">{}<collision><geometry><sphere radius=\"0.05\"/></geometry></collision></link>",
        inertial(0.1, [1e-4; 3], "xyz=\"0 0 0\"")
    );
    let sideways = |name: &str, x: f64| {
        wheel(name, "base", &format!("{x} 0 0.1"), "").replace("rpy=\"-1.5708 0 0\"", "rpy=\"0 1.5708 0\"")
    };
    let text = format!(
        "<robot name=\"turned\"><link name=\"base\">{}<collision><origin xyz=\"0 -0.1 0.15\"/><geometry><box size=\"0.3 0.5 0.1\"/></geometry></collision></link>{}{}{fork}</robot>",
        inertial(3.0, [0.1; 3], "xyz=\"0 -0.1 0.15\""),
        sideways("one", 0.2),
        sideways("two", -0.2),
    );
    let lab = Lab::new();
    lab.write("turned.urdf", &text);
    let done = lab.run("import turned.urdf");
    let warnings: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    let expected = "warning: turned.urdf:1:1: the axles lie along the x axis: the vehicle's x axis is at -90° to it";
    assert_eq!(warnings, [expected]);
    let (world, _) = World::load(&lab.path().join("imported/turned.world.xml"), &LoadOptions::default()).unwrap();
    let info = &world.scene().vehicles[0];
    assert_eq!(info.dynamics, "differential_3_wheels");
    // A wheel about +x rolls along −y, where the castor is: it is ahead.
    let places: Vec<[f64; 2]> = info.wheels.iter().map(|wheel| [wheel.position.x, wheel.position.y]).collect();
    for (actual, expected) in places.iter().zip([[0.0, 0.2], [0.0, -0.2], [0.35, 0.0]]) {
        near(actual[0], expected[0]);
        near(actual[1], expected[1]);
    }
    near(info.wheels[2].radius, 0.05);
    near(info.chassis.center[0], 0.1);
    assert!(lab.read("imported/turned.vehicle.xml").contains("<mu>0.01</mu>"));
}

/// A car: hinges with an axis that points down on the right, driven rear wheels, the wheels beside their hinges.
fn car() -> String {
    let mut text = format!(
        "<robot name=\"car\"><link name=\"chassis\">{}<collision><origin xyz=\"0.3 0 0.2\"/><geometry><box size=\"0.8 0.3 0.2\"/></geometry></collision></link>",
        inertial(10.0, [0.1, 0.5, 0.6], "xyz=\"0.3 0 0.2\"")
    );
    for (side, y, axis) in [("left", 0.25, 1), ("right", -0.25, -1)] {
        let _ = write!(
            text,
            "{}<link name=\"{side}_hinge\"/><joint name=\"{side}_steer\" type=\"revolute\"><origin xyz=\"0.6 {} 0.1\"/><parent link=\"chassis\"/>\
             <child link=\"{side}_hinge\"/><axis xyz=\"0 0 {axis}\"/><limit lower=\"-0.6\" upper=\"0.6\" effort=\"10\" velocity=\"3\"/></joint>{}",
            wheel(&format!("rear_{side}"), "chassis", &format!("0 {y} 0.1"), "<limit effort=\"2\" velocity=\"50\"/>"),
            0.8 * y,
            wheel(&format!("front_{side}"), &format!("{side}_hinge"), &format!("0 {} 0", 0.2 * y), ""),
        );
    }
    let commanded =
        |joint: &str, kind: &str| format!("<joint name=\"{joint}\"><command_interface name=\"{kind}\"/></joint>");
    let _ = write!(
        text,
        "<ros2_control name=\"c\" type=\"system\">{}{}{}{}</ros2_control></robot>",
        commanded("rear_left_joint", "velocity"),
        commanded("rear_right_joint", "velocity"),
        commanded("left_steer", "position"),
        commanded("right_steer", "position"),
    );
    text
}

#[test]
fn a_car_keeps_its_axles_and_follows_a_circle() {
    let lab = Lab::new();
    lab.write("car.urdf", &car());
    let mut world = imported(&lab, "car.urdf", "car.world.xml");
    let info = &world.scene().vehicles[0];
    assert_eq!(info.dynamics, "ackermann_drivetrain");
    near(info.wheelbase.unwrap(), 0.6);
    for (wheel, [x, y]) in info.wheels.iter().zip([[0.0, 0.25], [0.0, -0.25], [0.6, 0.25], [0.6, -0.25]]) {
        near(wheel.position.x, x);
        near(wheel.position.y, y);
        near(wheel.radius, 0.1);
    }
    near(info.mass, 12.0);
    // The inner wheel at its limit: cot δ = cot 0.6 + 0.25/0.6.
    near(1.0 / info.max_steer.unwrap().tan(), 1.0 / 0.6_f64.tan() + 0.25 / 0.6);
    let class = lab.read("imported/car.vehicle.xml");
    for text in ["<drivetrain type=\"open_rear\"/>", "rate_deg=\"171.887338539\"", "<max_torque>4</max_torque>"] {
        assert!(class.contains(text), "{text}: {class}");
    }
    driven(&mut world, Action::Ackermann { speed: 0.5, steering_angle: 0.3 }, 2.0);
    let [_, _, from] = driven(&mut world, Action::Ackermann { speed: 0.5, steering_angle: 0.3 }, 0.005);
    let [_, _, to] = driven(&mut world, Action::Ackermann { speed: 0.5, steering_angle: 0.3 }, 4.0);
    let expected = 4.0 * 0.5 * 0.3_f64.tan() / 0.6;
    assert!(((to - from) / expected - 1.0).abs() < 0.05, "{} is not {expected}", to - from);
}

/// A skid-steered model whose links are in the frame of the model, except one, and whose sensors sit in a nested model that is included.
const SKID: &str = r#"<sdf version="1.8"><model name="skid">
  <pose>5 5 5 0 0 0</pose>
  <link name="base"><pose>0 0 0.2 0 0 0</pose>
    <inertial><mass>20</mass><inertia><ixx>0.5</ixx><iyy>0.9</iyy><izz>1.1</izz></inertia></inertial>
    <collision name="c"><geometry><box><size>0.6 0.4 0.2</size></box></geometry></collision></link>
  WHEELS
  <include><uri>model://head</uri><name>front_head</name><pose relative_to="base">0.2 0 0.15 0 0 0</pose></include>
  <joint name="neck" type="fixed"><parent>base</parent><child>front_head::body</child></joint>
  <plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
    <left_joint>rear_left</left_joint><left_joint>front_left</left_joint><right_joint>rear_right</right_joint><right_joint>front_right</right_joint>
    <max_linear_acceleration>2</max_linear_acceleration>
  </plugin>
</model></sdf>"#;

const HEAD: &str = r#"<sdf version="1.8"><model name="head"><link name="body">
  <inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  <visual name="v"><geometry><sphere><radius>0.05</radius></sphere></geometry></visual>
  <sensor name="points" type="gpu_lidar"><pose>0 0 0.1 0 0 0</pose><update_rate>10</update_rate><topic>/points</topic>
    <lidar><scan><horizontal><samples>90</samples><min_angle>-3.141592653589793</min_angle><max_angle>3.141592653589793</max_angle></horizontal>
    <vertical><samples>4</samples><min_angle>-0.2</min_angle><max_angle>0.2</max_angle></vertical></scan>
    <range><min>0.3</min><max>inf</max></range></lidar></sensor>
</link></model></sdf>"#;

fn skid() -> String {
    let mut wheels = String::new();
    for (name, x, y) in
        [("rear_left", -0.2, 0.25), ("rear_right", -0.2, -0.25), ("front_left", 0.2, 0.25), ("front_right", 0.2, -0.25)]
    {
        let _ = write!(
            wheels,
            "<link name=\"{name}_link\"><pose relative_to=\"base\">{x} {y} -0.05 -1.5707963 0 0</pose><inertial><mass>1.5</mass>\
             <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.02</izz></inertia></inertial><collision name=\"c\"><geometry><cylinder><radius>0.15</radius>\
             <length>0.08</length></cylinder></geometry></collision></link>\
             <joint name=\"{name}\" type=\"revolute\"><parent>base</parent><child>{name}_link</child><axis><xyz>0 0 1</xyz>\
             <limit><lower>-1e16</lower><upper>1e16</upper></limit></axis></joint>"
        );
    }
    SKID.replace("WHEELS", &wheels)
}

#[test]
fn a_skid_steered_model_with_an_included_head_keeps_its_numbers_and_drives() {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path().join("models/head")).unwrap();
    lab.write("models/head/model.sdf", HEAD);
    lab.write("skid.sdf", &skid());
    let mut world = imported(&lab, "skid.sdf", "skid.world.xml");
    let info = &world.scene().vehicles[0];
    assert_eq!(info.dynamics, "differential_4_wheels");
    for (wheel, [x, y]) in info.wheels.iter().zip([[-0.2, 0.25], [-0.2, -0.25], [0.2, 0.25], [0.2, -0.25]]) {
        near(wheel.position.x, x);
        near(wheel.position.y, y);
        near(wheel.radius, 0.15);
        near(wheel.inertia, 0.02);
    }
    near(info.mass, 27.0);
    near(info.chassis.center[0], 0.2 / 21.0);
    assert_eq!(info.sensors[0].name, "points");
    near(info.sensors[0].body_from_sensor.x, 0.2);
    near(info.sensors[0].body_from_sensor.z, 0.45);
    let [x, y, _] = driven(&mut world, Action::Twist(skidpad::math::Twist2::new(0.5, 0.0, 0.0)), 4.0);
    assert!((x - 2.0).abs() < 0.15 && y.abs() < 0.01, "{x} {y}");
}

/// Each wheel's place about the first axle, its radius, and the mass of the whole.
fn dimensions(info: &VehicleInfo) -> Vec<f64> {
    let rear = 0.5 * (info.wheels[0].position + info.wheels[1].position);
    let mut numbers = vec![info.wheelbase.unwrap_or(0.0), info.mass];
    for wheel in &info.wheels {
        numbers.extend([wheel.position.x - rear.x, wheel.position.y - rear.y, wheel.radius]);
    }
    numbers
}

#[test]
fn our_own_vehicles_come_back_from_their_urdf() {
    let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds");
    let lab = Lab::new();
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    let mut count = 0;
    for name in ["racecar", "skid_steer", "three_wheels", "office", "f1tenth", "ladder", "understeer", "two_robots"] {
        let (world, _) = World::load(&worlds.join(format!("{name}.world.xml")), &options).unwrap();
        for vehicle in &world.scene().vehicles {
            let names = skidpad::interface::names::VehicleNames::new(&SKIDPAD, &vehicle.name, false, false);
            lab.write("v.urdf", &Robot::new(vehicle, &names).to_xml().unwrap());
            let made = skidpad::import::import(&lab.path().join("v.urdf"), lab.path(), None).unwrap();
            assert_eq!(made.errors, [], "{name}: {}", vehicle.name);
            for file in &made.files {
                lab.write(&file.name, &file.text);
            }
            let file = lab.path().join(&made.files.last().unwrap().name);
            let (again, _) = World::load(&file, &options).unwrap();
            let (actual, expected) = (dimensions(&again.scene().vehicles[0]), dimensions(vehicle));
            assert_eq!(actual.len(), expected.len(), "{name}: {}", vehicle.name);
            for (actual, expected) in actual.iter().zip(expected) {
                near(*actual, expected);
            }
            if let (Some(actual), Some(expected)) = (again.scene().vehicles[0].max_steer, vehicle.max_steer) {
                near(actual, expected);
            }
            count += 1;
        }
    }
    assert!(count > 8, "{count} vehicles");
}

const WORLD: &str = r#"<sdf version="1.8"><world name="default">
  <gravity>0 0 -3.7</gravity>
  <light name="sun" type="directional"><direction>-1 0 -1</direction></light><light name="lamp" type="point"/>
  <include><uri>model://ground_plane</uri></include>
  <model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal><size>20 10</size></plane></geometry></collision></link></model>
  <model name="wall"><static>true</static><pose>3 0 0.5 0 0 1.5707963267948966</pose><link name="l">
    <inertial><inertia><ixx>nan</ixx></inertia></inertial>
    <collision name="c"><geometry><box><size>4 0.2 1</size></box></geometry></collision>
    <visual name="v"><geometry><box><size>4 0.2 1</size></box></geometry><material><diffuse>0 1 0 1</diffuse></material></visual></link></model>
  <model name="can"><pose>0 2 0.3 0 0 0</pose><link name="l"><inertial><mass>7</mass></inertial>
    <collision name="c"><geometry><cylinder><radius>0.2</radius><length>0.6</length></cylinder></geometry></collision></link></model>
  <model name="room"><static>true</static><link name="l"><collision name="c"><geometry><mesh><uri>room.obj</uri></mesh></geometry></collision></link></model>
  <include><uri>model://skid</uri><pose>-2 0 0 0 0 1.5707963267948966</pose></include>
  <include><uri>model://nowhere</uri></include>
</world></sdf>"#;

/// Four walls around 10 × 10 m, as a mesh of vertical quads, each seen from both sides.
fn room() -> String {
    let corners = [(-5, -5), (5, -5), (5, 5), (-5, 5)];
    let mut text = String::new();
    for (x, y) in corners {
        let _ = write!(text, "v {x} {y} 0\nv {x} {y} 2\n");
    }
    for k in 0..4 {
        let (a, b) = (2 * k + 1, 2 * ((k + 1) % 4) + 1);
        let _ = write!(text, "f {a} {b} {} {}\nf {a} {} {} {b}\n", b + 1, a + 1, a + 1, b + 1);
    }
    text
}

#[test]
fn a_world_of_boxes_meshes_and_a_robot_becomes_a_world() {
    let lab = Lab::new();
    for (folder, text) in [("models/head", HEAD), ("models/skid", &skid())] {
        std::fs::create_dir_all(lab.path().join(folder)).unwrap();
        lab.write(&format!("{folder}/model.sdf"), text);
    }
    lab.write("room.obj", &room());
    lab.write("yard.world", WORLD);
    let done = lab.run("import yard.world");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(
        done.stderr,
        "warning: yard.world:14:3: the model is left out: no package or model \"nowhere\" in the search paths and the folders above the description\n\
         warning: yard.world:3:78: the light is left out\n  accepted: one directional light\n\
         wrote imported/skid_shapes.obj, imported/skid_shapes.mtl, imported/skid.vehicle.xml, imported/yard.world.xml\n\
         \n  skidpad run imported/yard.world.xml\n"
    );
    assert!(done.stdout.ends_with("yard: 1 vehicle, 2 blocks, 1 plane, 1 mesh as walls\n"), "{}", done.stdout);
    assert_eq!(lab.run("check --strict imported/yard.world.xml").status, Some(0));
    let (mut world, _) = World::load(&lab.path().join("imported/yard.world.xml"), &LoadOptions::default()).unwrap();
    let scene = world.scene();
    let blocks: Vec<&str> =
        scene.blocks.iter().map(|block| block.name.as_str()).filter(|name| !name.starts_with("wall_")).collect();
    assert_eq!(blocks, ["wall", "can"]);
    let [wall, can] =
        [0, 1].map(|k| scene.blocks.iter().filter(|block| !block.name.starts_with("wall_")).nth(k).unwrap());
    near(wall.world_from_start.x, 3.0);
    near(wall.world_from_start.yaw, std::f64::consts::FRAC_PI_2);
    near(wall.z[1], 1.0);
    assert!(wall.is_static && wall.color == [0, 255, 0, 255]);
    near(can.z[1], 0.6);
    assert!(!can.is_static);
    let start = scene.vehicles[0].world_from_start;
    near(start.x, -2.0);
    near(start.yaw, std::f64::consts::FRAC_PI_2);
    // Ahead is +y. Between the walls of the room there is room to drive; they stop the robot, with its front at 5 m.
    let [x, y, _] = driven(&mut world, Action::Twist(skidpad::math::Twist2::new(1.0, 0.0, 0.0)), 4.0);
    assert!((x + 2.0).abs() < 0.05 && (3.5..4.1).contains(&y), "{x} {y}");
    let [_, y, _] = driven(&mut world, Action::Twist(skidpad::math::Twist2::new(1.0, 0.0, 0.0)), 3.0);
    assert!((4.5..4.8).contains(&y), "{y}");
}

/// Two cones, one of them turned, the other fixed, and a tree, where no model of Gazebo is.
#[test]
fn blocks_stand_in_for_well_known_models_that_are_missing() {
    let lab = Lab::new();
    let cone = |name: &str, inside: &str| {
        format!("<include><uri>model://construction_cone</uri><name>{name}</name>{inside}</include>")
    };
    let text = format!(
        "<sdf version=\"1.6\"><world name=\"w\">\n{}\n{}\n<include><uri>model://oak_tree</uri><pose>4 5 0 0 0 0</pose></include></world></sdf>",
        cone("a", "<pose>1 2 0 0 0 0.5</pose>"),
        cone("b", "<static>true</static>"),
    );
    lab.write("road.world", &text);
    let done = lab.run("import road.world");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(
        done.stderr.starts_with(
            "warning: road.world:2:1: the model \"construction cone\" is missing: the block class \"traffic_cone\" replaces it\n\
             warning: road.world:4:1: the model \"oak tree\" is missing: the block class \"linden\" replaces it\nwrote "
        ),
        "{}",
        done.stderr
    );
    assert_eq!(done.stdout, "road: 3 blocks\n");
    let (world, warnings) = World::load(&lab.path().join("imported/road.world.xml"), &LoadOptions::default()).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let blocks = &world.scene().blocks;
    let actual: Vec<(&str, &str, bool)> =
        blocks.iter().map(|block| (block.name.as_str(), block.label.class.as_str(), block.is_static)).collect();
    assert_eq!(actual, [("a", "cone", false), ("b", "cone", true), ("oak_tree", "tree", true)]);
    // Written in degrees, to five decimals.
    assert!((blocks[0].world_from_start.yaw - 0.5).abs() < 1e-7);
    near(blocks[2].world_from_start.y, 5.0);
    assert!(blocks.iter().all(|block| block.visuals.iter().all(|visual| visual.file.is_some())));
}
