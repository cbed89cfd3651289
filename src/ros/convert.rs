//! Frames and scenes as ROS messages. Pure functions that fill messages which are kept and used again: making one calls
//! into C and allocates.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Pose, PoseStamped, Quaternion, Transform, TransformStamped, Vector3};
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid, Odometry};
use r2r::sensor_msgs::msg::{JointState, LaserScan};
use r2r::skidpad::msg::{WheelState, WheelStates};

use super::topics::{BASE_FRAME, FOOTPRINT_FRAME, MAP_FRAME, ODOM_FRAME};
use crate::interface::covariance::{self, Drift};
use crate::math::{Pose2, Pose3, Twist2};
use crate::raycast;
use crate::sensor::{ScanGeometry, SensorInfo, SensorKind};
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// The time as a message. Never the stamp 0, which ROS takes for "no time" and tf2 for "the latest": a time before the
/// first nanosecond becomes that nanosecond.
pub fn stamp(time: SimTime) -> Time {
    let (sec, nanosec) = time.max(SimTime(1)).split();
    Time { sec, nanosec }
}

/// The time of a message.
pub fn time(message: &Time) -> SimTime {
    SimTime(i64::from(message.sec) * 1_000_000_000 + i64::from(message.nanosec))
}

fn quaternion(pose: Pose3) -> Quaternion {
    let [x, y, z, w] = pose.quaternion();
    Quaternion { x, y, z, w }
}

fn write_pose(pose: Pose3, message: &mut Pose) {
    message.position.x = pose.x;
    message.position.y = pose.y;
    message.position.z = pose.z;
    message.orientation = quaternion(pose);
}

fn transform(pose: Pose3) -> Transform {
    Transform { translation: Vector3 { x: pose.x, y: pose.y, z: pose.z }, rotation: quaternion(pose) }
}

fn write_twist(twist: Twist2, message: &mut r2r::geometry_msgs::msg::Twist) {
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

/// An empty odometry message with its frames: `odom` → `base_footprint`.
pub fn new_odometry() -> Odometry {
    let mut message = Odometry::default();
    message.header.frame_id = ODOM_FRAME.to_owned();
    message.child_frame_id = FOOTPRINT_FRAME.to_owned();
    message
}

/// An empty ground-truth message with its frames, `map` → `base_footprint`, and its covariances.
pub fn new_ground_truth() -> Odometry {
    let mut message = Odometry::default();
    message.header.frame_id = MAP_FRAME.to_owned();
    message.child_frame_id = FOOTPRINT_FRAME.to_owned();
    covariance::write_truth(&mut message.pose.covariance);
    covariance::write_truth(&mut message.twist.covariance);
    message
}

/// What the odometry believes, `drift` giving how sure it is of the pose. The twist is in the child frame.
pub fn write_odometry(stamp: &Time, vehicle: &VehicleFrame, drift: &Drift, message: &mut Odometry) {
    message.header.stamp = stamp.clone();
    write_pose(Pose3::from_planar(vehicle.odom_from_body), &mut message.pose.pose);
    drift.write_pose(&mut message.pose.covariance);
    write_twist(vehicle.odom_velocity_in_body, &mut message.twist.twist);
    covariance::write_odometry_twist(vehicle.odom_velocity_in_body, &mut message.twist.covariance);
}

/// The truth. The twist is in the child frame.
pub fn write_ground_truth(stamp: &Time, vehicle: &VehicleFrame, message: &mut Odometry) {
    message.header.stamp = stamp.clone();
    write_pose(vehicle.world_from_body, &mut message.pose.pose);
    write_twist(vehicle.velocity_in_body, &mut message.twist.twist);
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

/// `odom` → `base_footprint` as the odometry believes it.
pub fn write_odom_transform(stamp: &Time, vehicle: &VehicleFrame, message: &mut TransformStamped) {
    write_transform(stamp, Pose3::from_planar(vehicle.odom_from_body), message);
}

/// `map` → `odom` such that `map` → `base_footprint` is the truth on the plane: T_true · T_odom⁻¹.
pub fn write_map_transform(stamp: &Time, vehicle: &VehicleFrame, message: &mut TransformStamped) {
    write_transform(stamp, Pose3::from_planar(map_from_odom(vehicle)), message);
}

fn map_from_odom(vehicle: &VehicleFrame) -> Pose2 {
    vehicle.world_from_body.planar() * vehicle.odom_from_body.inverse()
}

/// Everything that never moves on a vehicle: `base_footprint` → `base_link` → each sensor. One message holds all, since
/// of a latched topic a late reader gets only the last message.
pub fn static_transforms(stamp: &Time, vehicle: &VehicleInfo) -> Vec<TransformStamped> {
    let mut fixed = vec![new_transform(FOOTPRINT_FRAME, BASE_FRAME)];
    fixed[0].transform = transform(Pose3::default());
    fixed.extend(vehicle.sensors.iter().map(|sensor| {
        let mut message = new_transform(BASE_FRAME, &sensor.name);
        message.transform = transform(sensor.body_from_sensor);
        message
    }));
    for message in &mut fixed {
        message.header.stamp = stamp.clone();
    }
    fixed
}

/// A scan message with everything that does not change from sweep to sweep.
///
/// The last angle is derived from the others, so that `round((angle_max - angle_min) / angle_increment) + 1` is the
/// number of beams in single precision too; SLAM toolbox refuses scans that break this.
pub fn new_scan(sensor: &SensorInfo) -> LaserScan {
    let SensorKind::Lidar2d(geometry) = &sensor.kind;
    let mut message = LaserScan::default();
    message.header.frame_id = sensor.name.clone();
    message.angle_min = geometry.angle_min as f32;
    message.angle_increment = geometry.angle_increment as f32;
    message.angle_max = last_angle(geometry);
    message.scan_time = sensor.period.secs() as f32;
    // The whole sweep is taken at one instant.
    message.time_increment = 0.0;
    message.range_min = geometry.range_min as f32;
    message.range_max = geometry.range_max as f32;
    message
}

fn last_angle(geometry: &ScanGeometry) -> f32 {
    let steps = geometry.count.saturating_sub(1) as f64;
    (f64::from(geometry.angle_min as f32) + steps * f64::from(geometry.angle_increment as f32)) as f32
}

/// The ranges of a sweep [m], as measured (REP 117).
pub fn write_scan(stamp: &Time, ranges: &[f32], message: &mut LaserScan) {
    message.header.stamp = stamp.clone();
    message.ranges.clear();
    message.ranges.extend_from_slice(ranges);
}

/// A joint-state message with the names of a vehicle's joints: for each wheel its spin `<wheel>`, and where it is
/// steered also `<wheel>_steer`.
pub fn new_joint_states(vehicle: &VehicleInfo) -> JointState {
    let mut message = JointState::default();
    message.header.frame_id = BASE_FRAME.to_owned();
    for wheel in &vehicle.wheels {
        message.name.push(wheel.name.clone());
        if wheel.steered {
            message.name.push(format!("{}_steer", wheel.name));
        }
    }
    let joints = message.name.len();
    message.position = vec![0.0; joints];
    message.velocity = vec![0.0; joints];
    message.effort = vec![0.0; joints];
    message
}

/// The state of a vehicle's joints. The rate of a steering joint [rad/s] is its change since the message was last
/// written, `seconds` [s] ago; its effort is not simulated and reads 0.
pub fn write_joint_states(
    stamp: &Time,
    info: &VehicleInfo,
    vehicle: &VehicleFrame,
    seconds: f64,
    message: &mut JointState,
) {
    message.header.stamp = stamp.clone();
    let mut joint = 0;
    for (wheel_info, wheel) in info.wheels.iter().zip(&vehicle.wheels) {
        message.position[joint] = wheel.spin_angle;
        message.velocity[joint] = wheel.spin;
        message.effort[joint] = wheel.torque;
        joint += 1;
        if wheel_info.steered {
            let turned = wheel.steer - message.position[joint];
            message.velocity[joint] = if seconds > 0.0 { turned / seconds } else { 0.0 };
            message.position[joint] = wheel.steer;
            joint += 1;
        }
    }
}

/// A wheel-state message with the names of a vehicle's wheels.
pub fn new_wheel_states(vehicle: &VehicleInfo) -> WheelStates {
    let mut message = WheelStates::default();
    message.header.frame_id = BASE_FRAME.to_owned();
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
    use super::*;
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
                let message = new_scan(&lidar(count, -0.5 * span, span / (count - 1) as f64));
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
        let composed = map_from_odom(&vehicle) * vehicle.odom_from_body;
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
        let mut message = new_odometry();
        write_odometry(&stamp(SimTime(7)), &vehicle, &Drift::default(), &mut message);
        assert_eq!((message.header.frame_id.as_str(), message.child_frame_id.as_str()), ("odom", "base_footprint"));
        assert_eq!((message.pose.pose.position.x, message.pose.pose.position.y), (1.0, 2.0));
        assert!((message.pose.pose.orientation.z - (0.25 * PI).sin()).abs() < 1e-12);
        assert_eq!((message.twist.twist.linear.x, message.twist.twist.angular.z), (0.5, 0.3));
        assert_eq!(message.pose.covariance.len(), 36);
    }

    #[test]
    fn all_static_transforms_are_in_one_list_with_one_parent_each() {
        let fixed = static_transforms(&stamp(SimTime(1)), &racecar());
        let pairs: Vec<_> = fixed.iter().map(|t| (t.header.frame_id.as_str(), t.child_frame_id.as_str())).collect();
        assert_eq!(pairs, [("base_footprint", "base_link"), ("base_link", "scan")]);
        assert_eq!(fixed[1].transform.translation.x, 0.2);
        assert_eq!(fixed[0].transform.rotation.w, 1.0);
    }

    #[test]
    fn joints_carry_spin_and_steering_with_its_rate() {
        let info = racecar();
        let mut message = new_joint_states(&info);
        assert_eq!(message.name, ["rl_wheel", "fl_wheel", "fl_wheel_steer"]);
        let wheel = |steer| WheelFrame { steer, spin_angle: 4.0, spin: 20.0, torque: 0.1, ..WheelFrame::default() };
        let mut vehicle = VehicleFrame { wheels: vec![wheel(0.0), wheel(0.1)], ..VehicleFrame::default() };
        write_joint_states(&stamp(SimTime(1)), &info, &vehicle, 0.0, &mut message);
        assert_eq!(message.velocity, [20.0, 20.0, 0.0]);
        vehicle.wheels[1].steer = 0.2;
        write_joint_states(&stamp(SimTime(2)), &info, &vehicle, 0.02, &mut message);
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
