//! Messages made of numbers of the simulation. Those that are written again and again are made once and then filled.

use super::message::{
    AckermannDrive, AckermannDriveStamped, Header, JointState, LaserScan, MapMetaData, OccupancyGrid, Odometry, Pedals,
    Pose, Quaternion, Time, Transform, TransformStamped, Twist, Vector3, VehicleState, WheelState, WheelStates,
};
use crate::interface::covariance;
use crate::interface::names::{MAP_FRAME, VehicleNames};
use crate::interface::rules::{self, Joint};
use crate::math::{Pose3, Twist2};
use crate::raycast;
use crate::sensor::{ScanGeometry, SensorInfo};
use crate::time::SimTime;
use crate::vehicle::{GearLever, Pedals as PedalPositions};
use crate::world::{VehicleFrame, VehicleInfo};

/// Frame of what belongs to the body.
pub(super) const BASE_FRAME: &str = "base_link";

pub(super) fn stamp(time: SimTime) -> Time {
    let (sec, nanosec) = rules::stamp(time);
    Time { sec, nanosec }
}

pub(super) fn header(time: SimTime, frame: &str) -> Header {
    Header { stamp: stamp(time), frame_id: frame.to_owned() }
}

fn quaternion(pose: Pose3) -> Quaternion {
    let [x, y, z, w] = pose.quaternion();
    Quaternion { x, y, z, w }
}

fn vector(x: f64, y: f64, z: f64) -> Vector3 {
    Vector3 { x, y, z }
}

pub(super) fn pose(pose: Pose3) -> Pose {
    Pose { position: vector(pose.x, pose.y, pose.z), orientation: quaternion(pose) }
}

pub(super) fn twist(twist: Twist2) -> Twist {
    Twist { linear: vector(twist.vx, twist.vy, 0.0), angular: vector(0.0, 0.0, twist.wz) }
}

/// The transform of `child`, whose pose is `pose`, in `parent`.
pub(super) fn transform(time: SimTime, parent: &str, child: &str, pose: Pose3) -> TransformStamped {
    TransformStamped {
        header: header(time, parent),
        child_frame_id: child.to_owned(),
        transform: Transform { translation: vector(pose.x, pose.y, pose.z), rotation: quaternion(pose) },
    }
}

/// Moves a transform on.
pub(super) fn fill_transform(time: SimTime, pose: Pose3, message: &mut TransformStamped) {
    message.header.stamp = stamp(time);
    message.transform = Transform { translation: vector(pose.x, pose.y, pose.z), rotation: quaternion(pose) };
}

pub(super) fn odometry(frame: &str, child: &str) -> Odometry {
    Odometry { header: header(SimTime::ZERO, frame), child_frame_id: child.to_owned(), ..Odometry::default() }
}

/// `exact`: with the covariances of what is known exactly, otherwise zeros.
pub(super) fn ground_truth(frame: &str, child: &str, exact: bool) -> Odometry {
    let mut message = odometry(frame, child);
    if exact {
        covariance::write_truth(message.pose.covariance.as_flattened_mut());
        covariance::write_truth(message.twist.covariance.as_flattened_mut());
    }
    message
}

pub(super) fn fill_odometry(time: SimTime, vehicle: &VehicleFrame, message: &mut Odometry) {
    message.header.stamp = stamp(time);
    message.pose.pose = pose(Pose3::from_planar(vehicle.odom_from_body));
    message.twist.twist = twist(vehicle.odom_velocity_in_body);
    covariance::write_planar(&vehicle.odom_pose_covariance, message.pose.covariance.as_flattened_mut());
    covariance::write_planar(&vehicle.odom_velocity_covariance, message.twist.covariance.as_flattened_mut());
}

/// `in_world`: the twist along the axes of the world.
pub(super) fn fill_ground_truth(time: SimTime, vehicle: &VehicleFrame, in_world: bool, message: &mut Odometry) {
    message.header.stamp = stamp(time);
    message.pose.pose = pose(vehicle.world_from_body);
    message.twist.twist = twist(rules::true_velocity(vehicle, in_world));
}

pub(super) fn joint_states(joints: &[Joint]) -> JointState {
    JointState {
        header: header(SimTime::ZERO, BASE_FRAME),
        name: joints.iter().map(|joint| joint.name.clone()).collect(),
        position: vec![0.0; joints.len()],
        velocity: vec![0.0; joints.len()],
        effort: vec![0.0; joints.len()],
    }
}

pub(super) fn wheel_states(vehicle: &VehicleInfo) -> WheelStates {
    let state = |name: &String| WheelState { name: name.clone(), ..WheelState::default() };
    WheelStates {
        header: header(SimTime::ZERO, BASE_FRAME),
        wheels: vehicle.wheels.iter().map(|wheel| state(&wheel.name)).collect(),
    }
}

pub(super) fn fill_wheel_states(time: SimTime, vehicle: &VehicleFrame, message: &mut WheelStates) {
    message.header.stamp = stamp(time);
    for (state, wheel) in message.wheels.iter_mut().zip(&vehicle.wheels) {
        state.steer_angle = wheel.steer;
        state.spin_angle = wheel.spin_angle;
        state.spin = wheel.spin;
        state.slip_ratio = wheel.slip_ratio;
        state.slip_angle = wheel.slip_angle;
        state.force = vector(wheel.force_in_wheel.x, wheel.force_in_wheel.y, wheel.load);
        state.torque = wheel.torque;
        state.lifted = wheel.lifted;
    }
}

pub(super) fn vehicle_state(names: &VehicleNames) -> VehicleState {
    VehicleState {
        header: header(SimTime::ZERO, MAP_FRAME),
        child_frame_id: names.frame(names.preset.base_frame()),
        ..VehicleState::default()
    }
}

pub(super) fn fill_vehicle_state(time: SimTime, vehicle: &VehicleFrame, message: &mut VehicleState) {
    message.header.stamp = stamp(time);
    message.pose = pose(vehicle.world_from_body);
    message.twist = twist(vehicle.velocity_in_body);
    message.acceleration = vector(vehicle.acceleration_in_body.x, vehicle.acceleration_in_body.y, 0.0);
    message.take_numbers(vehicle);
}

/// A scan without its ranges.
pub(super) fn scan(sensor: &SensorInfo, geometry: &ScanGeometry, frame: &str) -> LaserScan {
    LaserScan {
        header: header(SimTime::ZERO, frame),
        angle_min: geometry.angle_min as f32,
        angle_max: rules::last_angle(geometry),
        angle_increment: geometry.angle_increment as f32,
        // The whole sweep is taken at one instant.
        time_increment: 0.0,
        scan_time: sensor.period.secs() as f32,
        range_min: geometry.range_min as f32,
        range_max: geometry.range_max as f32,
        ranges: Vec::with_capacity(geometry.count),
        intensities: Vec::new(),
    }
}

pub(super) fn occupancy_grid(time: SimTime, map: &raycast::OccupancyGrid) -> OccupancyGrid {
    OccupancyGrid { header: header(time, MAP_FRAME), info: map_metadata(time, map), data: map.cells.clone() }
}

pub(super) fn map_metadata(time: SimTime, map: &raycast::OccupancyGrid) -> MapMetaData {
    MapMetaData {
        map_load_time: stamp(time),
        resolution: map.resolution as f32,
        width: u32::try_from(map.width).unwrap_or(u32::MAX),
        height: u32::try_from(map.height).unwrap_or(u32::MAX),
        origin: pose(Pose3::from_planar(map.world_from_grid)),
    }
}

pub(super) fn ackermann(time: SimTime, speed: f64, steering_angle: f64) -> AckermannDriveStamped {
    let drive =
        AckermannDrive { speed: speed as f32, steering_angle: steering_angle as f32, ..AckermannDrive::default() };
    AckermannDriveStamped { header: header(time, BASE_FRAME), drive }
}

pub(super) fn pedals(time: SimTime, pedals: &PedalPositions, steering_angle: f64) -> Pedals {
    let gear = match pedals.gear {
        GearLever::Drive => Pedals::DRIVE,
        GearLever::Neutral => Pedals::NEUTRAL,
        GearLever::Reverse => Pedals::REVERSE,
    };
    let PedalPositions { throttle, brake, .. } = *pedals;
    Pedals { header: header(time, BASE_FRAME), throttle, brake, steering_angle, gear }
}
