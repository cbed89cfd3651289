//! Messages built from numbers of the simulation. Those that are sent repeatedly are built once and then filled.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2, Vec2, Vec3};
use skidpad_sim::raycast;
use skidpad_sim::sensor::{ImuSample, ImuVariances, Scan, ScanGeometry, SensorInfo};
use skidpad_sim::vehicle::Pedals as PedalPositions;
use skidpad_sim::world::{VehicleFrame, VehicleInfo};

use super::{
    AckermannDrive, AckermannDriveStamped, Header, Imu, JointState, LaserScan, MapMetaData, OccupancyGrid, Odometry,
    Pedals, Point32, Polygon, Pose, PoseArray, PoseStamped, PoseWithCovarianceStamped, Quaternion, Time, Transform,
    TransformStamped, Twist, Vector3, VehicleState, VescImuStamped, VescStateStamped, WheelState, WheelStates,
};
use crate::interface::covariance;
use crate::interface::names::VehicleNames;
use crate::interface::rules::{self, Joint, MovingFrame};
use crate::interface::vesc::{self, MotorState};

/// The time as a stamp, never 0.
pub fn stamp(time: SimTime) -> Time {
    let (sec, nanosec) = rules::stamp(time);
    Time { sec, nanosec }
}

/// A header in `frame`.
pub fn header(time: SimTime, frame: &str) -> Header {
    Header { stamp: stamp(time), frame_id: frame.to_owned() }
}

fn quaternion(pose: Pose3) -> Quaternion {
    let [x, y, z, w] = pose.quaternion();
    Quaternion { x, y, z, w }
}

/// A vector, such as a point.
pub fn vector(x: f64, y: f64, z: f64) -> Vector3 {
    Vector3 { x, y, z }
}

pub(super) fn of_vec3(v: Vec3) -> Vector3 {
    vector(v.x, v.y, v.z)
}

/// A pose [m, rad].
pub fn pose(pose: Pose3) -> Pose {
    Pose { position: vector(pose.x, pose.y, pose.z), orientation: quaternion(pose) }
}

/// A velocity in the plane [m/s, rad/s].
pub fn twist(twist: Twist2) -> Twist {
    Twist { linear: vector(twist.vx, twist.vy, 0.0), angular: vector(0.0, 0.0, twist.wz) }
}

/// The transform of `child`, whose pose is `pose` [m, rad], in `parent`.
pub fn transform(time: SimTime, parent: &str, child: &str, pose: Pose3) -> TransformStamped {
    TransformStamped {
        header: header(time, parent),
        child_frame_id: child.to_owned(),
        transform: Transform { translation: vector(pose.x, pose.y, pose.z), rotation: quaternion(pose) },
    }
}

/// Updates a transform to `pose` [m, rad].
pub fn fill_transform(time: SimTime, pose: Pose3, message: &mut TransformStamped) {
    message.header.stamp = stamp(time);
    message.transform = Transform { translation: vector(pose.x, pose.y, pose.z), rotation: quaternion(pose) };
}

/// All static transforms of a vehicle.
pub fn fixed_transforms(time: SimTime, vehicle: &VehicleInfo, names: &VehicleNames) -> Vec<TransformStamped> {
    let fixed = rules::fixed_frames(vehicle, names).into_iter();
    fixed.map(|(parent, child, pose)| transform(time, &parent, &child, pose)).collect()
}

/// The moving transforms of a vehicle, with their messages.
pub fn moving_transforms(names: &VehicleNames) -> impl Iterator<Item = (MovingFrame, TransformStamped)> {
    rules::moving_frames(names).into_iter().map(|frame| {
        let message = transform(SimTime::ZERO, &frame.parent, &frame.child, Pose3::default());
        (frame, message)
    })
}

/// An empty odometry message with the frames of its pose and of its twist.
pub fn odometry(frame: &str, child: &str) -> Odometry {
    Odometry { header: header(SimTime::ZERO, frame), child_frame_id: child.to_owned(), ..Odometry::default() }
}

/// The same for the ground truth. `exact`: with the covariances of an exactly known state, otherwise zeros.
pub fn ground_truth(frame: &str, child: &str, exact: bool) -> Odometry {
    let mut message = odometry(frame, child);
    if exact {
        covariance::write_truth(&mut message.pose.covariance);
        covariance::write_truth(&mut message.twist.covariance);
    }
    message
}

/// The odometry's pose estimate and its covariance. The twist is in the child frame.
pub fn fill_odometry(time: SimTime, vehicle: &VehicleFrame, message: &mut Odometry) {
    message.header.stamp = stamp(time);
    message.pose.pose = pose(Pose3::from_planar(vehicle.odom_from_body));
    message.twist.twist = twist(vehicle.odom_velocity_in_body);
    covariance::write_planar(&vehicle.odom_pose_covariance(), &mut message.pose.covariance);
    covariance::write_planar(&vehicle.odom_velocity_covariance(), &mut message.twist.covariance);
}

/// The ground truth. The twist is that of the body, along its own axes or (`in_world`) those of the world.
pub(crate) fn fill_ground_truth(time: SimTime, vehicle: &VehicleFrame, in_world: bool, message: &mut Odometry) {
    message.header.stamp = stamp(time);
    message.pose.pose = pose(vehicle.world_from_body);
    message.twist.twist = twist(rules::true_velocity(vehicle, in_world));
}

/// The joints by their names, in the frame of their body.
pub fn joint_states(joints: &[Joint], names: &VehicleNames) -> JointState {
    JointState {
        header: header(SimTime::ZERO, &names.states_frame()),
        name: joints.iter().map(|joint| joint.name.clone()).collect(),
        position: vec![0.0; joints.len()],
        velocity: vec![0.0; joints.len()],
        effort: vec![0.0; joints.len()],
    }
}

/// The wheels of a vehicle by their names, in the frame of its body.
pub fn wheel_states(vehicle: &VehicleInfo, names: &VehicleNames) -> WheelStates {
    let state = |name: &String| WheelState { name: name.clone(), ..WheelState::default() };
    WheelStates {
        header: header(SimTime::ZERO, &names.states_frame()),
        wheels: vehicle.wheels.iter().map(|wheel| state(&wheel.name)).collect(),
        travels: Vec::new(),
    }
}

/// Slip, forces and torque of the wheels, in the wheel frame.
pub fn fill_wheel_states(time: SimTime, vehicle: &VehicleFrame, message: &mut WheelStates) {
    message.header.stamp = stamp(time);
    for (state, wheel) in message.wheels.iter_mut().zip(&vehicle.wheels) {
        state.steer_angle = wheel.steer;
        state.spin_angle = wheel.spin_angle;
        state.spin = wheel.spin;
        state.slip_ratio = wheel.slip_ratio();
        state.slip_angle = wheel.slip_angle();
        state.force = vector(wheel.force_in_wheel.x, wheel.force_in_wheel.y, wheel.load);
        state.torque = wheel.torque;
        state.lifted = wheel.lifted;
    }
    message.travels.clear();
    if vehicle.lean.is_some() {
        message.travels.extend(vehicle.wheels.iter().map(|wheel| wheel.travel));
    }
}

/// An empty state of a vehicle, for viewers of recordings.
pub fn vehicle_state(names: &VehicleNames) -> VehicleState {
    VehicleState {
        header: header(SimTime::ZERO, &names.map_frame()),
        child_frame_id: names.base_frame(),
        ..VehicleState::default()
    }
}

/// All numbers of a vehicle that viewers show.
pub(crate) fn fill_vehicle_state(time: SimTime, vehicle: &VehicleFrame, message: &mut VehicleState) {
    message.header.stamp = stamp(time);
    message.pose = pose(vehicle.world_from_body);
    message.twist = twist(vehicle.velocity_in_body);
    message.acceleration = vector(vehicle.acceleration_in_body.x, vehicle.acceleration_in_body.y, 0.0);
    message.take_numbers(vehicle);
}

/// The present joint states, `seconds` [s] after they were last written; see [`rules::write_joints`].
pub(crate) fn fill_joint_states(
    time: SimTime,
    joints: &[Joint],
    vehicle: &VehicleFrame,
    seconds: f64,
    message: &mut JointState,
) {
    let JointState { header, position, velocity, effort, .. } = message;
    header.stamp = stamp(time);
    rules::write_joints(joints, vehicle, seconds, [position, velocity, effort]);
}

/// An empty inertial measurement in `frame`, with the covariances of exact values.
pub fn imu(frame: &str) -> Imu {
    let mut exact = [0.0; 9];
    covariance::write_exact(&mut exact);
    Imu {
        header: header(SimTime::ZERO, frame),
        orientation_covariance: exact,
        angular_velocity_covariance: exact,
        linear_acceleration_covariance: exact,
        ..Imu::default()
    }
}

/// The true attitude, yaw rate and specific force of the body.
pub fn fill_imu(time: SimTime, vehicle: &VehicleFrame, message: &mut Imu) {
    let [x, y, z] = rules::specific_force(vehicle);
    message.header.stamp = stamp(time);
    message.orientation = quaternion(vehicle.world_from_body);
    message.angular_velocity = vector(0.0, 0.0, vehicle.velocity_in_body.wz);
    message.linear_acceleration = vector(x, y, z);
}

/// The covariance of three independent axes with this variance. That of exact values is not 0, which means "unknown" in `sensor_msgs`.
pub(super) fn diagonal(variance: f64) -> [f64; 9] {
    let mut matrix = [0.0; 9];
    match variance > 0.0 {
        true => matrix.iter_mut().step_by(4).for_each(|element| *element = variance),
        false => covariance::write_exact(&mut matrix),
    }
    matrix
}

/// An empty measurement of a sensor in `frame`, with its variances. Without an attitude the first number of its covariance is −1, and the quaternion one
/// that programs can compute with (REP 145, `sensor_msgs/Imu`).
pub(crate) fn measured_imu(frame: &str, variances: &ImuVariances) -> Imu {
    Imu {
        header: header(SimTime::ZERO, frame),
        orientation_covariance: variances.orientation.map_or([-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], diagonal),
        angular_velocity_covariance: diagonal(variances.angular_velocity),
        linear_acceleration_covariance: diagonal(variances.linear_acceleration),
        orientation: Quaternion { w: 1.0, ..Quaternion::default() },
        ..Imu::default()
    }
}

/// The sample of a sensor.
pub(crate) fn fill_measured_imu(time: SimTime, sample: &ImuSample, message: &mut Imu) {
    let [x, y, z, w] = sample.orientation;
    message.header.stamp = stamp(time);
    message.orientation = Quaternion { x, y, z, w };
    message.angular_velocity = of_vec3(sample.angular_velocity);
    message.linear_acceleration = of_vec3(sample.linear_acceleration);
}

/// An empty pose in `frame`.
pub fn stamped_pose(frame: &str) -> PoseStamped {
    PoseStamped { header: header(SimTime::ZERO, frame), ..PoseStamped::default() }
}

/// A pose [m, rad] with its stamp.
pub(crate) fn fill_stamped_pose(stamped: SimTime, reported: Pose3, message: &mut PoseStamped) {
    message.header.stamp = stamp(stamped);
    message.pose = pose(reported);
}

/// An empty pose in `frame`, with a covariance of zero.
pub fn pose_estimate(frame: &str) -> PoseWithCovarianceStamped {
    PoseWithCovarianceStamped { header: header(SimTime::ZERO, frame), ..PoseWithCovarianceStamped::default() }
}

/// A cloud of one particle in `frame`.
pub fn pose_cloud(frame: &str) -> PoseArray {
    PoseArray { header: header(SimTime::ZERO, frame), poses: vec![Pose::default()] }
}

/// A polygon of these corners [m].
pub fn polygon(corners: &[Vec2]) -> Polygon {
    let point = |corner: &Vec2| Point32 { x: corner.x as f32, y: corner.y as f32, z: 0.0 };
    Polygon { points: corners.iter().map(point).collect() }
}

/// The state of a motor controller.
pub(crate) fn fill_vesc_state(time: SimTime, motor: &MotorState, message: &mut VescStateStamped) {
    message.header.stamp = stamp(time);
    let state = &mut message.state;
    (state.speed, state.duty_cycle) = (motor.revolutions, motor.duty_cycle);
    [state.displacement, state.distance_traveled] = motor.tachometers();
}

/// The measurement of a motor controller's inertial sensor.
pub(crate) fn fill_vesc_imu(time: SimTime, vehicle: &VehicleFrame, message: &mut VescImuStamped) {
    message.header.stamp = stamp(time);
    let [angles, force, rates] = vesc::inertial(vehicle).map(|[x, y, z]| vector(x, y, z));
    let imu = &mut message.imu;
    (imu.ypr, imu.linear_acceleration, imu.angular_velocity) = (angles, force, rates);
    imu.orientation = quaternion(vehicle.world_from_body);
}

/// A scan without its ranges: everything that is the same in each sweep.
pub fn scan(sensor: &SensorInfo, geometry: &ScanGeometry, frame: &str) -> LaserScan {
    LaserScan {
        header: header(SimTime::ZERO, frame),
        angle_min: geometry.angle_min as f32,
        angle_max: rules::last_angle(geometry),
        angle_increment: geometry.angle_increment as f32,
        time_increment: geometry.motion.map_or(0.0, |motion| motion.time_increment()) as f32,
        scan_time: sensor.period.secs() as f32,
        range_min: geometry.range_min as f32,
        range_max: geometry.range_max as f32,
        ranges: Vec::with_capacity(geometry.count),
        intensities: Vec::new(),
    }
}

/// The ranges of a sweep [m], as measured (REP 117), and its intensities.
pub(crate) fn fill_scan(time: SimTime, scan: &Scan, message: &mut LaserScan) {
    message.header.stamp = stamp(time);
    message.ranges.clone_from(&scan.ranges);
    message.intensities.clone_from(&scan.intensities);
}

/// A map in `frame` as `nav2_map_server` would publish it.
pub fn occupancy_grid(time: SimTime, frame: &str, map: &raycast::OccupancyGrid) -> OccupancyGrid {
    OccupancyGrid { header: header(time, frame), info: map_metadata(time, map), data: map.cells.clone() }
}

/// Size and place of a map.
pub fn map_metadata(time: SimTime, map: &raycast::OccupancyGrid) -> MapMetaData {
    MapMetaData {
        map_load_time: stamp(time),
        resolution: map.resolution as f32,
        width: u32::try_from(map.width).unwrap_or(u32::MAX),
        height: u32::try_from(map.height).unwrap_or(u32::MAX),
        origin: pose(Pose3::from_planar(map.world_from_grid)),
    }
}

/// A command of speed [m/s] and steering angle [rad] for the vehicle with the frame `frame`.
pub fn ackermann(time: SimTime, frame: &str, speed: f64, steering_angle: f64) -> AckermannDriveStamped {
    let drive =
        AckermannDrive { speed: speed as f32, steering_angle: steering_angle as f32, ..AckermannDrive::default() };
    AckermannDriveStamped { header: header(time, frame), drive }
}

/// A command of pedals, gear lever and steering angle [rad] for the vehicle with the frame `frame`.
pub fn pedals(time: SimTime, frame: &str, pedals: &PedalPositions, steering_angle: f64) -> Pedals {
    let PedalPositions { throttle, brake, gear } = *pedals;
    Pedals { header: header(time, frame), throttle, brake, steering_angle, gear: Pedals::number_of(gear) }
}
