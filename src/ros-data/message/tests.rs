//! Numbers of a simulation in the fields of messages.

use std::f64::consts::{FRAC_PI_2, PI};

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2};
use skidpad_sim::raycast;
use skidpad_sim::sensor::{ScanGeometry, SensorInfo, SensorKind};
use skidpad_sim::vehicle::suspension::Lean;
use skidpad_sim::world::{VehicleFrame, VehicleInfo, WheelFrame, WheelInfo};

use super::fill::*;
use super::{WheelStates, cdr};
use crate::interface::names::VehicleNames;
use crate::interface::rules;
use crate::preset::{Joints, RACECAR_GAZEBO, SKIDPAD};

fn lidar(count: usize, angle_min: f64, angle_increment: f64) -> SensorInfo {
    SensorInfo {
        name: "scan".into(),
        period: SimTime::from_secs(0.025),
        body_from_sensor: Pose3 { x: 0.2, z: 0.1, ..Pose3::default() },
        kind: SensorKind::Lidar2d(ScanGeometry {
            count,
            angle_min,
            angle_increment,
            range_min: 0.1,
            range_max: 10.0,
            range_std: 0.0,
            ..ScanGeometry::default()
        }),
    }
}

fn names(preset: &'static crate::preset::Preset) -> VehicleNames {
    VehicleNames::new(preset, "car", false, false)
}

fn racecar() -> VehicleInfo {
    let wheel = |name: &str, steered| WheelInfo {
        name: name.into(),
        position: Default::default(),
        radius: 0.05,
        width: 0.02,
        steered,
        ..WheelInfo::default()
    };
    VehicleInfo {
        name: "racecar".into(),
        wheels: vec![wheel("rl_wheel", false), wheel("fl_wheel", true)],
        sensors: vec![lidar(3, -1.0, 1.0)],
        ..VehicleInfo::default()
    }
}

#[test]
fn no_stamp_is_zero() {
    assert_eq!((stamp(SimTime::ZERO).sec, stamp(SimTime::ZERO).nanosec), (0, 1));
    assert_eq!((stamp(SimTime(2_000_000_005)).sec, stamp(SimTime(2_000_000_005)).nanosec), (2, 5));
}

#[test]
fn the_number_of_beams_follows_from_the_angles_in_single_precision() {
    for count in [2, 3, 181, 360, 541, 720, 1081, 1440, 5000] {
        for span in [0.5 * PI, 1.5 * PI, 2.0 * PI] {
            let sensor = lidar(count, -0.5 * span, span / (count - 1) as f64);
            let message = scan(&sensor, sensor.kind.lidar().unwrap(), "scan");
            let beams = ((message.angle_max - message.angle_min) / message.angle_increment).round() as usize + 1;
            assert_eq!(beams, count, "span {span}");
        }
    }
}

#[test]
fn map_from_odom_times_odom_from_body_is_the_truth() {
    let vehicle = VehicleFrame {
        world_from_body: Pose3 { x: 3.0, y: -1.0, z: 0.2, yaw: 2.0, pitch: 0.1, roll: 0.0 },
        odom_from_body: Pose2::new(1.0, 0.5, -0.7),
        ..VehicleFrame::default()
    };
    let composed = rules::map_from_odom(&vehicle) * vehicle.odom_from_body;
    assert!((composed.position() - vehicle.world_from_body.planar().position()).norm() < 1e-12);
    assert!((composed.yaw - 2.0).abs() < 1e-12);
}

#[test]
fn odometry_carries_pose_and_twist_in_the_child_frame() {
    let vehicle = VehicleFrame {
        odom_from_body: Pose2::new(1.0, 2.0, FRAC_PI_2),
        odom_velocity_in_body: Twist2::new(0.5, 0.1, 0.3),
        ..VehicleFrame::default()
    };
    let mut message = odometry("odom", "base_footprint");
    fill_odometry(SimTime(7), &vehicle, &mut message);
    assert_eq!((message.header.frame_id.as_str(), message.child_frame_id.as_str()), ("odom", "base_footprint"));
    assert_eq!((message.pose.pose.position.x, message.pose.pose.position.y), (1.0, 2.0));
    assert!((message.pose.pose.orientation.z - (0.25 * PI).sin()).abs() < 1e-12);
    assert_eq!((message.twist.twist.linear.x, message.twist.twist.angular.z), (0.5, 0.3));
    assert_eq!(message.pose.covariance[2][2], crate::interface::covariance::UNKNOWN);
}

#[test]
fn all_static_transforms_are_in_one_list_with_one_parent_each() {
    let fixed = fixed_transforms(SimTime(1), &racecar(), &names(&SKIDPAD));
    let pairs: Vec<_> = fixed.iter().map(|t| (t.header.frame_id.as_str(), t.child_frame_id.as_str())).collect();
    assert_eq!(pairs, [("base_footprint", "base_link"), ("base_link", "scan")]);
    assert_eq!(fixed[1].transform.translation.x, 0.2);
    assert_eq!(fixed[0].transform.rotation.w, 1.0);
}

#[test]
fn the_racecars_laser_and_joints_match_its_description() {
    let fixed = fixed_transforms(SimTime(1), &racecar(), &names(&RACECAR_GAZEBO));
    let laser = fixed.last().unwrap();
    assert_eq!((laser.header.frame_id.as_str(), laser.child_frame_id.as_str()), ("chassis", "laser"));
    let place = &laser.transform.translation;
    assert!(place.x == 0.2 && (place.z - 0.05).abs() < 1e-12, "{place:?}");
    let message = joint_states(&rules::joints(&racecar(), RACECAR_GAZEBO.joints), &names(&RACECAR_GAZEBO));
    assert_eq!(message.name, ["left_rear_wheel_joint", "right_rear_wheel_joint"], "two wheels are all it has");
}

#[test]
fn the_true_twist_is_along_the_requested_axes() {
    let vehicle = VehicleFrame {
        world_from_body: Pose3 { yaw: FRAC_PI_2, ..Pose3::default() },
        velocity_in_body: Twist2::new(2.0, 0.0, 0.5),
        ..VehicleFrame::default()
    };
    let mut message = ground_truth("map", "base_footprint", true);
    fill_ground_truth(SimTime(1), &vehicle, false, &mut message);
    assert_eq!((message.twist.twist.linear.x, message.twist.twist.angular.z), (2.0, 0.5));
    fill_ground_truth(SimTime(1), &vehicle, true, &mut message);
    let twist = &message.twist.twist;
    assert!(twist.linear.x.abs() < 1e-15 && twist.linear.y == 2.0 && twist.angular.z == 0.5, "{twist:?}");
}

#[test]
fn joints_carry_spin_and_steering_with_its_rate() {
    let joints = rules::joints(&racecar(), Joints::AsWheels);
    let mut message = joint_states(&joints, &names(&SKIDPAD));
    assert_eq!(message.name, ["rl_wheel", "fl_wheel", "fl_wheel_steer"]);
    let wheel = |steer| WheelFrame { steer, spin_angle: 4.0, spin: 20.0, torque: 0.1, ..WheelFrame::default() };
    let mut vehicle = VehicleFrame { wheels: vec![wheel(0.0), wheel(0.1)], ..VehicleFrame::default() };
    fill_joint_states(SimTime(1), &joints, &vehicle, 0.0, &mut message);
    assert_eq!(message.velocity, [20.0, 20.0, 0.0]);
    vehicle.wheels[1].steer = 0.2;
    fill_joint_states(SimTime(2), &joints, &vehicle, 0.02, &mut message);
    assert_eq!(message.position, [4.0, 4.0, 0.2]);
    assert!((message.velocity[2] - 5.0).abs() < 1e-9);
    assert_eq!(message.effort, [0.1, 0.1, 0.0]);
}

#[test]
fn a_map_keeps_its_cells_and_its_rotated_origin() {
    let map = raycast::OccupancyGrid {
        width: 2,
        height: 1,
        resolution: 0.05,
        world_from_grid: Pose2::new(-1.0, 2.0, FRAC_PI_2),
        cells: vec![-1, 100],
        occupied_percent: 65,
    };
    let message = occupancy_grid(SimTime(1), "map", &map);
    assert_eq!((message.info.width, message.info.height), (2, 1));
    assert_eq!(message.data, [-1, 100]);
    assert_eq!(message.header.frame_id, "map");
    assert!((message.info.origin.orientation.z - (0.25 * PI).sin()).abs() < 1e-12);
}

#[test]
fn states_of_wheels_have_their_travels_and_those_of_earlier_versions_are_read() {
    let wheel = WheelInfo { name: "left".into(), ..WheelInfo::default() };
    let info = VehicleInfo { wheels: vec![wheel], ..VehicleInfo::default() };
    let bytes_of = |vehicle: &VehicleFrame| {
        let mut message = wheel_states(&info, &names(&SKIDPAD));
        fill_wheel_states(SimTime(5), vehicle, &mut message);
        let mut bytes = Vec::new();
        cdr::write(&message, None, &mut bytes).unwrap();
        (message, bytes)
    };
    let wheels = vec![WheelFrame { travel: -0.02, lifted: true, ..WheelFrame::default() }];
    let rigid = VehicleFrame { wheels, ..VehicleFrame::default() };
    let (message, bytes) = bytes_of(&VehicleFrame { lean: Some(Lean::default()), ..rigid.clone() });
    assert_eq!((message.travels.as_slice(), WheelStates::read(&bytes).unwrap()), (&[-0.02][..], message.clone()));
    let (message, bytes) = bytes_of(&rigid);
    assert_eq!((message.travels.len(), WheelStates::read(&bytes).unwrap()), (0, message.clone()));
    // Without the list: its four bytes, and what aligns them after a bool.
    let earlier = &bytes[..bytes.len() - 7];
    assert_eq!((WheelStates::read(earlier).unwrap(), earlier.last()), (message, Some(&1)));
    assert!(WheelStates::read(&earlier[..earlier.len() - 1]).is_err());
}
