//! Frames and scenes as ROS messages. Pure functions that fill messages which are kept and used again: making one calls
//! into C and allocates.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Pose, PoseStamped, Quaternion, Transform, TransformStamped, Vector3};
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid, Odometry};
use r2r::sensor_msgs::msg::{JointState, LaserScan};
use r2r::skidpad::msg::{WheelState, WheelStates};

use crate::interface::covariance;
use crate::interface::names::{MAP_FRAME, VehicleNames};
use crate::interface::rules::{self, Joint};
use crate::math::{Pose2, Pose3, Twist2};
use crate::raycast;
use crate::sensor::{ScanGeometry, SensorInfo};
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// The time as a message, never the stamp 0.
pub fn stamp(time: SimTime) -> Time {
    let (sec, nanosec) = rules::stamp(time);
    Time { sec, nanosec }
}

/// The time of a message.
pub fn time(message: &Time) -> SimTime {
    SimTime(i64::from(message.sec) * 1_000_000_000 + i64::from(message.nanosec))
}

/// The attitude of a pose.
pub fn quaternion(pose: Pose3) -> Quaternion {
    let [x, y, z, w] = pose.quaternion();
    Quaternion { x, y, z, w }
}

/// Writes a pose.
pub fn write_pose(pose: Pose3, message: &mut Pose) {
    message.position.x = pose.x;
    message.position.y = pose.y;
    message.position.z = pose.z;
    message.orientation = quaternion(pose);
}

fn transform(pose: Pose3) -> Transform {
    Transform { translation: Vector3 { x: pose.x, y: pose.y, z: pose.z }, rotation: quaternion(pose) }
}

/// Writes a velocity in the plane.
pub fn write_twist(twist: Twist2, message: &mut r2r::geometry_msgs::msg::Twist) {
    message.linear.x = twist.vx;
    message.linear.y = twist.vy;
    message.angular.z = twist.wz;
}

/// What a message says of the plane: position [m] and yaw [rad].
pub fn planar_pose(message: &Pose) -> Pose2 {
    let Quaternion { x, y, z, w } = message.orientation;
    let yaw = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    Pose2::new(message.position.x, message.position.y, yaw)
}

/// What a message says of the plane [m/s, rad/s].
pub fn planar_twist(message: &r2r::geometry_msgs::msg::Twist) -> Twist2 {
    Twist2::new(message.linear.x, message.linear.y, message.angular.z)
}

/// An empty odometry message with the frames of its pose and of its twist.
pub fn new_odometry(frame: &str, child: &str) -> Odometry {
    let mut message = Odometry::default();
    message.header.frame_id = frame.to_owned();
    message.child_frame_id = child.to_owned();
    message
}

/// An empty ground-truth message with its frames and its covariances.
pub fn new_ground_truth(frame: &str, child: &str) -> Odometry {
    let mut message = new_odometry(frame, child);
    covariance::write_truth(&mut message.pose.covariance);
    covariance::write_truth(&mut message.twist.covariance);
    message
}

/// What the odometry believes, and how sure it is. The twist is in the child frame.
pub fn write_odometry(stamp: &Time, vehicle: &VehicleFrame, message: &mut Odometry) {
    message.header.stamp = stamp.clone();
    write_pose(Pose3::from_planar(vehicle.odom_from_body), &mut message.pose.pose);
    covariance::write_planar(&vehicle.odom_pose_covariance, &mut message.pose.covariance);
    write_twist(vehicle.odom_velocity_in_body, &mut message.twist.twist);
    covariance::write_planar(&vehicle.odom_velocity_covariance, &mut message.twist.covariance);
}

/// The truth. The twist is that of the vehicle's body, along its own axes or (`in_world`) those of the world.
pub fn write_ground_truth(stamp: &Time, vehicle: &VehicleFrame, in_world: bool, message: &mut Odometry) {
    message.header.stamp = stamp.clone();
    write_pose(vehicle.world_from_body, &mut message.pose.pose);
    write_twist(rules::true_velocity(vehicle, in_world), &mut message.twist.twist);
}

/// A transform from `parent` to `child` that is filled in later.
pub fn new_transform(parent: &str, child: &str) -> TransformStamped {
    let mut message = TransformStamped::default();
    message.header.frame_id = parent.to_owned();
    message.child_frame_id = child.to_owned();
    message
}

/// Fills a transform in: `pose` is that of the child in the parent.
pub fn write_transform(stamp: &Time, pose: Pose3, message: &mut TransformStamped) {
    message.header.stamp = stamp.clone();
    message.transform = transform(pose);
}

/// An empty pose in the frame `map`.
pub fn new_pose() -> PoseStamped {
    let mut message = PoseStamped::default();
    message.header.frame_id = MAP_FRAME.to_owned();
    message
}

/// A pose in the world.
pub fn write_stamped_pose(stamp: &Time, pose: Pose3, message: &mut PoseStamped) {
    message.header.stamp = stamp.clone();
    write_pose(pose, &mut message.pose);
}

/// Everything that never moves on a vehicle.
pub fn static_transforms(stamp: &Time, vehicle: &VehicleInfo, names: &VehicleNames) -> Vec<TransformStamped> {
    let message = |(parent, child, pose): (String, String, Pose3)| {
        let mut message = new_transform(&parent, &child);
        write_transform(stamp, pose, &mut message);
        message
    };
    rules::fixed_frames(vehicle, names).into_iter().map(message).collect()
}

/// A scan message with everything that does not change from sweep to sweep.
pub fn new_scan(sensor: &SensorInfo, geometry: &ScanGeometry, frame: &str) -> LaserScan {
    let mut message = LaserScan::default();
    message.header.frame_id = frame.to_owned();
    message.angle_min = geometry.angle_min as f32;
    message.angle_increment = geometry.angle_increment as f32;
    message.angle_max = rules::last_angle(geometry);
    message.scan_time = sensor.period.secs() as f32;
    // The whole sweep is taken at one instant.
    message.time_increment = 0.0;
    message.range_min = geometry.range_min as f32;
    message.range_max = geometry.range_max as f32;
    message
}

/// The ranges of a sweep [m], as measured (REP 117).
pub fn write_scan(stamp: &Time, ranges: &[f32], message: &mut LaserScan) {
    message.header.stamp = stamp.clone();
    message.ranges.clear();
    message.ranges.extend_from_slice(ranges);
}

/// A joint-state message with the names of these joints and the frame of their body.
pub fn new_joint_states(joints: &[Joint], frame: &str) -> JointState {
    let mut message = JointState::default();
    message.header.frame_id = frame.to_owned();
    message.name = joints.iter().map(|joint| joint.name.clone()).collect();
    message.position = vec![0.0; joints.len()];
    message.velocity = vec![0.0; joints.len()];
    message.effort = vec![0.0; joints.len()];
    message
}

/// The state of a vehicle's joints. The rate of a steering joint [rad/s] is its change since the message was last
/// written, `seconds` [s] ago; its effort is not simulated and reads 0.
pub fn write_joint_states(
    stamp: &Time,
    joints: &[Joint],
    vehicle: &VehicleFrame,
    seconds: f64,
    message: &mut JointState,
) {
    message.header.stamp = stamp.clone();
    let JointState { position, velocity, effort, .. } = message;
    rules::write_joints(joints, vehicle, seconds, [position, velocity, effort]);
}

/// A wheel-state message with the names of a vehicle's wheels and the frame of its body.
pub fn new_wheel_states(vehicle: &VehicleInfo, frame: &str) -> WheelStates {
    let mut message = WheelStates::default();
    message.header.frame_id = frame.to_owned();
    message.wheels =
        vehicle.wheels.iter().map(|wheel| WheelState { name: wheel.name.clone(), ..WheelState::default() }).collect();
    message
}

/// Slip, forces and torque of a vehicle's wheels, in the wheel frame.
pub fn write_wheel_states(stamp: &Time, vehicle: &VehicleFrame, message: &mut WheelStates) {
    message.header.stamp = stamp.clone();
    for (state, wheel) in message.wheels.iter_mut().zip(&vehicle.wheels) {
        state.steer_angle = wheel.steer;
        state.spin_angle = wheel.spin_angle;
        state.spin = wheel.spin;
        state.slip_ratio = wheel.slip_ratio;
        state.slip_angle = wheel.slip_angle;
        state.force = Vector3 { x: wheel.force_in_wheel.x, y: wheel.force_in_wheel.y, z: wheel.load };
        state.torque = wheel.torque;
        state.lifted = wheel.lifted;
    }
}

/// An occupancy map as `nav2_map_server` would publish it.
pub fn occupancy_grid(stamp: &Time, map: &raycast::OccupancyGrid) -> OccupancyGrid {
    let mut message = OccupancyGrid::default();
    message.header.frame_id = MAP_FRAME.to_owned();
    message.header.stamp = stamp.clone();
    message.info = metadata(stamp, map);
    message.data = map.cells.clone();
    message
}

/// Size and place of an occupancy map.
pub fn metadata(stamp: &Time, map: &raycast::OccupancyGrid) -> MapMetaData {
    let mut message = MapMetaData {
        map_load_time: stamp.clone(),
        resolution: map.resolution as f32,
        width: u32::try_from(map.width).unwrap_or(u32::MAX),
        height: u32::try_from(map.height).unwrap_or(u32::MAX),
        ..MapMetaData::default()
    };
    write_pose(Pose3::from_planar(map.world_from_grid), &mut message.origin);
    message
}

#[cfg(test)]
mod tests {
    use super::super::topics::BASE_FRAME;
    use super::*;
    use crate::preset::{Joints, RACECAR_GAZEBO, SKIDPAD};
    use crate::sensor::SensorKind;
    use crate::world::{WheelFrame, WheelInfo};
    use std::f64::consts::{FRAC_PI_2, PI};

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
                let message = new_scan(&sensor, sensor.kind.lidar().unwrap(), "scan");
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
        let mut message = new_odometry("odom", "base_footprint");
        write_odometry(&stamp(SimTime(7)), &vehicle, &mut message);
        assert_eq!((message.header.frame_id.as_str(), message.child_frame_id.as_str()), ("odom", "base_footprint"));
        assert_eq!((message.pose.pose.position.x, message.pose.pose.position.y), (1.0, 2.0));
        assert!((message.pose.pose.orientation.z - (0.25 * PI).sin()).abs() < 1e-12);
        assert_eq!((message.twist.twist.linear.x, message.twist.twist.angular.z), (0.5, 0.3));
        assert_eq!(message.pose.covariance.len(), 36);
    }

    #[test]
    fn all_static_transforms_are_in_one_list_with_one_parent_each() {
        let fixed = static_transforms(&stamp(SimTime(1)), &racecar(), &names(&SKIDPAD));
        let pairs: Vec<_> = fixed.iter().map(|t| (t.header.frame_id.as_str(), t.child_frame_id.as_str())).collect();
        assert_eq!(pairs, [("base_footprint", "base_link"), ("base_link", "scan")]);
        assert_eq!(fixed[1].transform.translation.x, 0.2);
        assert_eq!(fixed[0].transform.rotation.w, 1.0);
    }

    #[test]
    fn the_racecars_laser_and_joints_are_where_its_description_has_them() {
        let fixed = static_transforms(&stamp(SimTime(1)), &racecar(), &names(&RACECAR_GAZEBO));
        let laser = fixed.last().unwrap();
        assert_eq!((laser.header.frame_id.as_str(), laser.child_frame_id.as_str()), ("chassis", "laser"));
        let place = &laser.transform.translation;
        assert!(place.x == 0.2 && (place.z - 0.05).abs() < 1e-12, "{place:?}");
        let message = new_joint_states(&rules::joints(&racecar(), RACECAR_GAZEBO.joints), BASE_FRAME);
        assert_eq!(message.name, ["left_rear_wheel_joint", "right_rear_wheel_joint"], "two wheels are all it has");
    }

    #[test]
    fn the_twist_of_the_truth_is_along_the_axes_that_are_asked_for() {
        let vehicle = VehicleFrame {
            world_from_body: Pose3 { yaw: FRAC_PI_2, ..Pose3::default() },
            velocity_in_body: Twist2::new(2.0, 0.0, 0.5),
            ..VehicleFrame::default()
        };
        let mut message = new_ground_truth("map", "base_footprint");
        write_ground_truth(&stamp(SimTime(1)), &vehicle, false, &mut message);
        assert_eq!((message.twist.twist.linear.x, message.twist.twist.angular.z), (2.0, 0.5));
        write_ground_truth(&stamp(SimTime(1)), &vehicle, true, &mut message);
        let twist = &message.twist.twist;
        assert!(twist.linear.x.abs() < 1e-15 && twist.linear.y == 2.0 && twist.angular.z == 0.5, "{twist:?}");
    }

    #[test]
    fn joints_carry_spin_and_steering_with_its_rate() {
        let joints = rules::joints(&racecar(), Joints::AsWheels);
        let mut message = new_joint_states(&joints, BASE_FRAME);
        assert_eq!(message.name, ["rl_wheel", "fl_wheel", "fl_wheel_steer"]);
        let wheel = |steer| WheelFrame { steer, spin_angle: 4.0, spin: 20.0, torque: 0.1, ..WheelFrame::default() };
        let mut vehicle = VehicleFrame { wheels: vec![wheel(0.0), wheel(0.1)], ..VehicleFrame::default() };
        write_joint_states(&stamp(SimTime(1)), &joints, &vehicle, 0.0, &mut message);
        assert_eq!(message.velocity, [20.0, 20.0, 0.0]);
        vehicle.wheels[1].steer = 0.2;
        write_joint_states(&stamp(SimTime(2)), &joints, &vehicle, 0.02, &mut message);
        assert_eq!(message.position, [4.0, 4.0, 0.2]);
        assert!((message.velocity[2] - 5.0).abs() < 1e-9);
        assert_eq!(message.effort, [0.1, 0.1, 0.0]);
    }

    #[test]
    fn a_map_keeps_its_cells_and_its_turned_origin() {
        let map = raycast::OccupancyGrid {
            width: 2,
            height: 1,
            resolution: 0.05,
            world_from_grid: Pose2::new(-1.0, 2.0, FRAC_PI_2),
            cells: vec![-1, 100],
            occupied_percent: 65,
        };
        let message = occupancy_grid(&stamp(SimTime(1)), &map);
        assert_eq!((message.info.width, message.info.height), (2, 1));
        assert_eq!(message.data, [-1, 100]);
        assert_eq!(message.header.frame_id, "map");
        assert!((message.info.origin.orientation.z - (0.25 * PI).sin()).abs() < 1e-12);
    }
}
