//! URDF read back by an independent reader, and the resulting poses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::drawing::body_from_wheel;
use skidpad_sim::world::{LoadOptions, VehicleFrame, WheelFrame, World};

use super::*;
use crate::interface::joint_ports::{CommandInterface, JointPorts, JointTarget};
use crate::interface::naming::VehicleNaming;
use crate::preset::{F1TENTH_GYM_ROS, PRESETS, RACECAR_GAZEBO, ROS2_CONTROL, SKIDPAD};

fn worlds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("worlds")
}

fn load(name: &str) -> World {
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    World::load(&worlds().join(format!("{name}.world.xml")), &options).unwrap().0
}

fn read(vehicle: &VehicleInfo, names: &VehicleNames) -> urdf_rs::Robot {
    let text = Robot::new(vehicle, names).to_xml().unwrap();
    urdf_rs::read_from_string(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", vehicle.name))
}

fn names(vehicle: &VehicleInfo) -> VehicleNames {
    VehicleNames::new(&SKIDPAD, &vehicle.name, false, false)
}

/// Pose of a link in the root link with the joints at `positions` [rad].
fn pose(robot: &urdf_rs::Robot, link: &str, positions: &BTreeMap<String, f64>) -> Isometry3<f64> {
    let Some(joint) = robot.joints.iter().find(|joint| joint.child.link == link) else { return Isometry3::identity() };
    let [x, y, z] = *joint.origin.xyz;
    let [roll, pitch, yaw] = *joint.origin.rpy;
    let fixed = Isometry3::from_parts(Translation3::new(x, y, z), UnitQuaternion::from_euler_angles(roll, pitch, yaw));
    let turned = positions.get(&joint.name).map_or(UnitQuaternion::identity(), |angle| {
        let [x, y, z] = *joint.axis.xyz;
        UnitQuaternion::from_scaled_axis(*angle * nalgebra::Vector3::new(x, y, z))
    });
    pose(robot, &joint.parent.link, positions) * fixed * turned
}

#[test]
fn every_vehicle_of_every_world_is_a_tree_that_readers_accept() {
    let mut count = 0;
    for entry in worlds().read_dir().unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".world.xml") {
            continue;
        }
        let options = LoadOptions { offline: true, ..LoadOptions::default() };
        let Ok((world, _)) = World::load(&path, &options) else { continue };
        for vehicle in &world.scene().vehicles {
            let robot = read(vehicle, &names(vehicle));
            let children: Vec<_> = robot.joints.iter().map(|joint| &joint.child.link).collect();
            for link in &robot.links {
                let parents = children.iter().filter(|child| **child == &link.name).count();
                assert_eq!(parents, usize::from(link.name != "base_footprint"), "{path:?}: {}", link.name);
                let inertia = &link.inertial.inertia;
                let [x, y, z] = [inertia.ixx, inertia.iyy, inertia.izz];
                // The triangle inequality of any body's moments.
                assert!(
                    x <= 1.001 * (y + z) && y <= 1.001 * (x + z) && z <= 1.001 * (x + y),
                    "{path:?}: {}",
                    link.name
                );
            }
            for sensor in &vehicle.sensors {
                assert!(robot.links.iter().any(|link| link.name == sensor.name), "{path:?}: {}", sensor.name);
            }
            let mass: f64 = robot.links.iter().map(|link| link.inertial.mass.value).sum();
            assert!((mass - vehicle.mass).abs() < 1e-9 * vehicle.mass, "{path:?}: {mass} of {}", vehicle.mass);
            count += 1;
        }
    }
    assert!(count > 40, "{count} vehicles");
}

/// What a vehicle publishes under a preset gives every link of its description a pose: fixed joints by
/// robot_state_publisher, others by joint states or the preset's own transforms. The root has no inertia, and no two
/// vehicles share a frame.
#[test]
fn every_link_of_a_description_has_a_pose_under_every_preset() {
    let drives = [
        "racecar",
        "f1tenth",
        "nav2",
        "omnidirectional",
        "tricycle",
        "tracked",
        "articulated",
        "racecar_gazebo",
        "springs",
    ];
    for preset in PRESETS {
        for name in drives {
            let cars = (name == "f1tenth").then(|| ("num_agents".to_owned(), "3".to_owned()));
            let options =
                LoadOptions { offline: true, variables: cars.into_iter().collect(), ..LoadOptions::default() };
            let path = worlds().join(format!("{name}.world.xml"));
            let (world, _) = World::load(&path, &options).unwrap();
            let mut all_links = Vec::new();
            let scene = world.scene();
            for (vehicle, names) in scene.vehicles.iter().zip(VehicleNaming::new(preset, false).names_in(scene)) {
                let place = format!("{}, {name}: {}", preset.name, vehicle.name);
                let robot = read(vehicle, &names);
                let is_child = |link: &str| robot.joints.iter().any(|joint| joint.child.link == link);
                let roots: Vec<_> = robot.links.iter().filter(|link| !is_child(&link.name)).collect();
                assert_eq!(roots.len(), 1, "{place}");
                assert_eq!(roots[0].inertial.mass.value, 0.0, "{place}: {}", roots[0].name);
                let mass: f64 = robot.links.iter().map(|link| link.inertial.mass.value).sum();
                assert!((mass - vehicle.mass).abs() < 1e-9 * vehicle.mass, "{place}: {mass} of {}", vehicle.mass);
                let has_states = preset.has_joint_states();
                let states = rules::joints(vehicle, preset.joints);
                let moving: Vec<_> =
                    rules::moving_frames(&names).into_iter().map(|frame| [frame.parent, frame.child]).collect();
                for joint in robot.joints.iter().filter(|joint| joint.joint_type != urdf_rs::JointType::Fixed) {
                    let is_stated = has_states && states.iter().any(|stated| stated.name == joint.name);
                    let own = [joint.parent.link.clone(), joint.child.link.clone()];
                    assert!(is_stated != moving.contains(&own), "{place}: {}", joint.name);
                }
                // Root and the frame that the preset moves are one.
                assert!(moving.iter().any(|[_, child]| robot.links.iter().any(|link| link.name == *child)), "{place}");
                all_links.extend(robot.links.iter().map(|link| link.name.clone()));
            }
            if preset.has_agents() {
                let count = all_links.len();
                all_links.sort();
                all_links.dedup();
                assert_eq!(all_links.len(), count, "{}, {name}", preset.name);
            }
        }
    }
}

/// Joint states applied to the URDF, as by robot_state_publisher, give the wheel poses of the frame.
#[test]
fn joint_states_give_the_simulated_pose_of_each_wheel() {
    for (name, action) in [
        ("racecar", Action::Ackermann { speed: 1.0, steering_angle: 0.3 }),
        ("nav2", Action::Twist(Twist2::new(0.2, 0.0, 0.5))),
        ("omnidirectional", Action::Twist(Twist2::new(0.2, 0.2, 0.5))),
        ("tricycle", Action::Ackermann { speed: 1.0, steering_angle: 0.3 }),
        ("tracked", Action::Twist(Twist2::new(0.2, 0.0, 0.5))),
        ("articulated", Action::Ackermann { speed: 1.0, steering_angle: 0.5 }),
    ] {
        let mut world = load(name);
        world.command(Command { vehicle: 0, action }).unwrap();
        for _ in 0..100 {
            world.step().unwrap();
        }
        let scene = world.scene().clone();
        let vehicle = &scene.vehicles[0];
        let robot = read(vehicle, &names(vehicle));
        let frame = &world.frame().vehicles[0];
        let joints = rules::joints(vehicle, SKIDPAD.joints);
        let mut state = [vec![0.0; joints.len()], vec![0.0; joints.len()], vec![0.0; joints.len()]];
        let [position, velocity, effort] = &mut state;
        rules::write_joints(&joints, frame, 0.0, [position, velocity, effort]);
        let positions = joints.iter().zip(position).map(|(joint, at)| (joint.name.clone(), *at)).collect();
        let mut turned = 0;
        for (info, wheel) in vehicle.wheels.iter().zip(&frame.wheels) {
            let actual = pose(&robot, &format!("{}_link", info.name), &positions);
            let axle = actual.rotation * nalgebra::Vector3::y();
            let expected = [-wheel.steer.sin(), wheel.steer.cos(), 0.0];
            assert!((axle - nalgebra::Vector3::from(expected)).norm() < 1e-9, "{name} {}: {axle}", info.name);
            let center = actual.translation.vector;
            let expected = body_from_wheel(info.position, info.pivot, info.radius, wheel.steer).position();
            assert!((center - expected).norm() < 1e-9, "{name} {}: {center}", info.name);
            // A mark that was on top has rolled forward by the angle.
            let mark = actual.rotation * nalgebra::Vector3::z();
            let heading = nalgebra::Vector3::new(wheel.steer.cos(), wheel.steer.sin(), 0.0);
            assert!((mark.dot(&heading) - wheel.spin_angle.sin()).abs() < 1e-9, "{name} {}", info.name);
            turned += usize::from(wheel.spin_angle.abs() > 0.1);
        }
        assert!(turned >= 2, "{name}");
    }
}

#[test]
fn frames_of_sensors_agree_with_the_static_transforms() {
    for name in ["racecar", "racecar_gazebo", "nav2"] {
        let world = load(name);
        let vehicle = &world.scene().vehicles[0];
        for preset in PRESETS {
            let names = VehicleNames::new(preset, &vehicle.name, false, false);
            let robot = read(vehicle, &names);
            for (parent, child, expected) in rules::fixed_frames(vehicle, &names) {
                let joint = robot.joints.iter().find(|joint| joint.child.link == child).unwrap();
                assert_eq!(joint.parent.link, parent);
                assert_eq!(*joint.origin.xyz, [expected.x, expected.y, expected.z], "{name} {child}");
            }
        }
    }
}

#[test]
fn hinges_of_the_racecar_have_its_joint_names_and_steering_limits() {
    let world = load("racecar_gazebo");
    let vehicle = &world.scene().vehicles[0];
    let names = VehicleNames::new(&RACECAR_GAZEBO, &vehicle.name, false, false);
    let robot = read(vehicle, &names);
    let joint = |name: &str| robot.joints.iter().find(|joint| joint.name == name).unwrap();
    let hinge = joint("left_steering_hinge_joint");
    assert_eq!(hinge.joint_type, urdf_rs::JointType::Revolute);
    assert_eq!(joint("left_front_wheel_joint").parent.link, hinge.child.link);
    assert!(hinge.limit.upper >= vehicle.max_steer.unwrap() && hinge.limit.lower == -hinge.limit.upper);
}

/// Parts as racecar_gazebo (racecar_description/urdf/racecar.xacro) and f1tenth_gym_ros (ego_racecar.xacro) name them.
#[test]
fn links_of_known_cars_have_the_names_of_the_originals() {
    let links = |world: &str, variables: &[(&str, &str)], preset| {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options = LoadOptions { offline: true, variables, ..LoadOptions::default() };
        let world = World::load(&worlds().join(format!("{world}.world.xml")), &options).unwrap().0;
        let vehicle = &world.scene().vehicles[0];
        let robot = read(vehicle, &VehicleNames::new(preset, &vehicle.name, false, false));
        let shown = robot.links.iter().filter(|link| !link.visual.is_empty()).map(|link| link.name.clone()).collect();
        let steered = |name: &str| pose(&robot, name, &BTreeMap::new());
        let camera = ["camera_link", "camera_link_optical"].map(steered);
        (robot.links.iter().map(|link| link.name.clone()).collect::<Vec<_>>(), shown, camera)
    };
    let (racecar, shown, [link, optical]): (_, Vec<String>, _) =
        links("racecar_gazebo", &[("camera", "2")], &RACECAR_GAZEBO);
    let wheels = ["left_rear_wheel", "right_rear_wheel", "left_front_wheel", "right_front_wheel"];
    let other_links = [
        "base_link",
        "chassis",
        "laser",
        "left_steering_hinge",
        "right_steering_hinge",
        "camera_link",
        "zed_camera_right_link",
    ];
    for name in wheels.iter().chain(&other_links) {
        assert!(racecar.iter().any(|link| link == name), "{name} in {racecar:?}");
    }
    assert!(!racecar.iter().any(|link| link.ends_with("_wheel_link")), "{racecar:?}");
    assert_eq!(shown, [["chassis"].as_slice(), &wheels].concat());
    // x of the link and z of the picture point ahead.
    let ahead = nalgebra::Vector3::x();
    assert!((link.rotation * nalgebra::Vector3::x() - ahead).norm() < 1e-9);
    assert!((optical.rotation * nalgebra::Vector3::z() - ahead).norm() < 1e-9);
    assert!((link.translation.vector - nalgebra::Vector3::new(0.39, 0.06, 0.09)).norm() < 1e-9);
    assert_eq!(link.translation, optical.translation);

    let (_, shown, _) = links("f1tenth", &[], &F1TENTH_GYM_ROS);
    let parts = ["base_link", "back_left_wheel", "back_right_wheel", "front_left_wheel", "front_right_wheel"];
    assert_eq!(shown, parts.map(|part| format!("ego_racecar/{part}")));
}

/// The front frame of a loader hangs on a joint that turns by its bend, and carries its wheels.
#[test]
fn the_hinge_of_a_loader_is_a_joint_with_the_limit_of_its_steering() {
    let mut world = load("articulated");
    world.command(Command { vehicle: 0, action: Action::Ackermann { speed: 0.0, steering_angle: -0.4 } }).unwrap();
    for _ in 0..800 {
        world.step().unwrap();
    }
    let vehicle = &world.scene().vehicles[0];
    let robot = read(vehicle, &names(vehicle));
    let joint = |name: &str| robot.joints.iter().find(|joint| joint.name == name).unwrap();
    let hinge = joint("hinge");
    assert_eq!((&hinge.joint_type, *hinge.origin.xyz), (&urdf_rs::JointType::Revolute, [1.1, 0.0, 0.0]));
    assert!((hinge.limit.upper - 40.0_f64.to_radians()).abs() < 1e-9 && hinge.limit.lower == -hinge.limit.upper);
    assert_eq!(
        (joint("fl_wheel").parent.link.as_str(), joint("rl_wheel").parent.link.as_str()),
        ("hinge_link", "base_link")
    );
    let front = robot.links.iter().find(|link| link.name == "hinge_link").unwrap();
    assert!((front.inertial.mass.value - 1600.0).abs() < 1e-9 && front.collision.len() == 1 && front.visual.len() == 1);
    let joints = rules::joints(vehicle, SKIDPAD.joints);
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel", "hinge"]);
    let mut state = [[0.0; 5]; 3];
    let [position, velocity, effort] = &mut state;
    rules::write_joints(&joints, &world.frame().vehicles[0], 0.0, [position, velocity, effort]);
    assert!((position[4] + 0.4).abs() < 0.01, "{position:?}");
    assert_eq!(effort[4], world.frame().vehicles[0].hinge_torque);
}

#[test]
fn names_are_escaped_for_xml() {
    let vehicle = VehicleInfo { name: "a <\"b\"> & c".into(), ..VehicleInfo::default() };
    assert_eq!(read(&vehicle, &names(&vehicle)).name, vehicle.name);
}

/// The tag and the parameters of the only vehicle of a world.
fn for_control(world: &str) -> (String, Result<String, String>) {
    let world = load(world);
    let [vehicle] = &world.scene().vehicles[..] else { panic!() };
    let names = VehicleNames::new(&ROS2_CONTROL, &vehicle.name, false, false);
    let control = Control::new(&vehicle.name, &names, &JointPorts::new(vehicle, &names), CommandInterface::Velocity);
    let text = Robot::new(vehicle, &names).with_control(control).to_xml().unwrap();
    let robot = urdf_rs::read_from_string(&text).unwrap();
    let (_, tag) = text.split_once("<ros2_control").unwrap();
    let named: Vec<&str> = tag.split("<joint name=\"").skip(1).map(|part| part.split('"').next().unwrap()).collect();
    let of_urdf: Vec<&str> =
        robot.joints.iter().map(|joint| joint.name.as_str()).filter(|n| named.contains(n)).collect();
    assert_eq!(named, of_urdf, "in the order of the URDF");
    let parameters = controllers::controllers(vehicle, &names, world.scene().step.secs());
    (tag.to_owned(), parameters.map_err(|problem| problem.to_string()))
}

#[test]
fn a_robot_of_two_sides_has_the_parameters_of_diff_drive() {
    let (tag, parameters) = for_control("nav2");
    assert!(tag.contains("<param name=\"joint_commands_topic\">/robot_joint_commands</param>"), "{tag}");
    assert_eq!(tag.matches("<command_interface name=\"velocity\"/>").count(), 2, "{tag}");
    let parameters = parameters.unwrap();
    for line in [
        "diff_drive_controller.type: diff_drive_controller/DiffDriveController",
        "left_wheel_names: [\"l_wheel\"]",
        "right_wheel_names: [\"r_wheel\"]",
        "wheel_separation: 0.287",
        "wheel_radius: 0.033",
        "base_frame_id: base_link",
    ] {
        assert!(parameters.lines().any(|present| present.trim() == line), "{line}: {parameters}");
    }
}

#[test]
fn a_car_with_joints_has_those_of_ackermann_steering() {
    let (tag, parameters) = for_control("racecar_gazebo");
    assert_eq!(tag.matches("<command_interface name=\"velocity\"/>").count(), 4, "{tag}");
    assert_eq!(tag.matches("<command_interface name=\"position\"/>").count(), 2, "{tag}");
    let parameters = parameters.unwrap();
    for line in [
        "traction_joints_names: [\"rr_wheel\", \"rl_wheel\"]",
        "steering_joints_names: [\"fr_wheel_steer\", \"fl_wheel_steer\"]",
    ] {
        assert!(parameters.lines().any(|present| present.trim() == line), "{line}: {parameters}");
    }
}

/// The wheel speeds that omni_wheel_drive_controller commands, (vx·sin θ − vy·cos θ − ω·R)/r for a wheel at θ, move the robot as it is told, and
/// what it reads back is what it commanded.
#[test]
fn omni_wheels_turn_as_their_controller_has_them() {
    let world = load("omnidirectional");
    let scene = world.scene();
    let robot = |name: &str| &scene.vehicles[scene.vehicle_index(name).unwrap()];
    let vehicle = robot("three_wheels");
    let names = VehicleNames::new(&ROS2_CONTROL, &vehicle.name, false, false);
    let parameters = controllers::controllers(vehicle, &names, scene.step.secs()).unwrap();
    let value = |name: &str| {
        let line = parameters.lines().find_map(|line| line.trim().strip_prefix(&format!("{name}: ")));
        line.unwrap_or_else(|| panic!("{name}: {parameters}"))
    };
    assert_eq!(value("omni_wheel_drive_controller.type"), "omni_wheel_drive_controller/OmniWheelDriveController",);
    assert_eq!(value("wheel_names"), r#"["fl_wheel", "rear_wheel", "fr_wheel"]"#, "against the clock");
    let [offset, reach, radius] =
        ["wheel_offset", "robot_radius", "wheel_radius"].map(|name| value(name).parse::<f64>().unwrap());
    let order = ["fl_wheel", "rear_wheel", "fr_wheel"];
    let ports = JointPorts::new(vehicle, &names);
    for [vx, vy, wz] in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.3, -0.2, 0.7]] {
        let mut targets = vec![JointTarget::default(); ports.ports().len()];
        for (name, place) in order.iter().zip(0..) {
            let theta = offset + std::f64::consts::TAU / 3.0 * f64::from(place);
            let speed = (vx * theta.sin() - vy * theta.cos() - wz * reach) / radius;
            targets[ports.index(name).unwrap()].velocity = Some(speed);
        }
        let Some(Action::Wheels(commanded)) = ports.action(&targets) else { panic!() };
        let mut frame = VehicleFrame { wheels: vec![WheelFrame::default(); 3], ..VehicleFrame::default() };
        for (index, wheel) in vehicle.wheels.iter().enumerate() {
            let (sin, cos) = wheel.mount_yaw.sin_cos();
            let [x, y] = [vx - wz * wheel.position.y, vy + wz * wheel.position.x];
            let rolling = (x * cos + y * sin) / wheel.radius;
            assert!((commanded.spin[index].unwrap() - rolling).abs() < 1e-3, "{}: {commanded:?}", wheel.name);
            frame.wheels[index].spin = rolling;
        }
        let joints = rules::joints(vehicle, names.preset.joints);
        let mut numbers = [(); 3].map(|()| vec![0.0; joints.len()]);
        rules::write_joints(&joints, &frame, 0.1, numbers.each_mut().map(Vec::as_mut_slice));
        for (joint, read) in joints.iter().zip(&numbers[1]) {
            assert!(
                (read - targets[ports.index(&joint.name).unwrap()].velocity.unwrap()).abs() < 1e-3,
                "{}",
                joint.name
            );
        }
    }
    // The axes of the URDF are those of the joints.
    let text = Robot::new(vehicle, &names).to_xml().unwrap();
    assert_eq!((text.matches("0 -1 0").count(), text.matches("0 1 0").count()), (3, 0), "{text}");
    let usual = VehicleNames::new(&SKIDPAD, &vehicle.name, false, false);
    assert_eq!(Robot::new(vehicle, &usual).to_xml().unwrap().matches("0 -1 0").count(), 0);
    // Wheels at 60, 135, 225 and 300 degrees.
    let why = controllers::controllers(robot("four_wheels"), &names, scene.step.secs()).unwrap_err().to_string();
    assert!(why.contains("needs wheels at equal angles, these are at 60, 135, 225, 300°"), "{why}");
}

/// The controller's own default lets a command act in one cycle only. In a namespace it would put this before the frames.
#[test]
fn mecanum_wheels_go_on_between_commands_and_frames_are_those_of_the_vehicle() {
    let world = load("omnidirectional");
    let vehicle = world.scene().vehicles.iter().find(|vehicle| vehicle.name == "mecanum").unwrap();
    let written = |in_namespace| {
        let names = VehicleNames::new(&ROS2_CONTROL, &vehicle.name, in_namespace, false);
        controllers::controllers(vehicle, &names, world.scene().step.secs()).unwrap()
    };
    let (alone, beside) = (written(false), written(true));
    assert!(alone.contains("    reference_timeout: 0.5\n") && !alone.contains("tf_frame_prefix_enable"), "{alone}");
    assert!(beside.starts_with("/mecanum/controller_manager:\n"), "{beside}");
    assert!(
        beside.contains("    odom_frame_id: odom\n") && beside.contains("    tf_frame_prefix_enable: false\n"),
        "{beside}"
    );
}

#[test]
fn each_kinematics_has_its_controller_or_a_reason() {
    let kind = |world: &str| for_control(world).1.map(|text| text.lines().nth(5).unwrap_or_default().trim().to_owned());
    let typed = |name: &str, class: &str| Ok(format!("{name}.type: {name}/{class}"));
    assert_eq!(kind("skid_steer"), typed("diff_drive_controller", "DiffDriveController"));
    assert_eq!(kind("tricycle"), typed("tricycle_steering_controller", "TricycleSteeringController"));
    let refused = kind("articulated").unwrap_err();
    assert!(refused.contains("ros2_controllers has none that bends a frame at its joint \"hinge\""), "{refused}");
}
