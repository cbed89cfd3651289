//! Messages of the systems that presets stand in for, beside those that every recording may hold.

use serde::Serialize;

use super::fill;
use super::message::{Covariance, Header, Message, Pose, PoseWithCovariance, Quaternion, Vector3};
use crate::interface::covariance;
use crate::interface::rules;
use crate::interface::vesc::{self, MotorState};
use crate::math::Vec2;
use crate::time::SimTime;
use crate::world::VehicleFrame;

macro_rules! types {
    ($($message:ty: $name:literal;)*) => {
        $(impl Message for $message {
            const TYPE: &'static str = $name;
        })*
    };
}

types! {
    Float32: "std_msgs/msg/Float32";
    Imu: "sensor_msgs/msg/Imu";
    Int32: "std_msgs/msg/Int32";
    Polygon: "geometry_msgs/msg/Polygon";
    PoseArray: "geometry_msgs/msg/PoseArray";
    PoseWithCovarianceStamped: "geometry_msgs/msg/PoseWithCovarianceStamped";
    VescImuStamped: "vesc_msgs/msg/VescImuStamped";
    VescStateStamped: "vesc_msgs/msg/VescStateStamped";
}

/// `std_msgs/msg/Int32`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Int32 {
    pub(super) data: i32,
}

/// `std_msgs/msg/Float32`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Float32 {
    pub(super) data: f32,
}

/// `sensor_msgs/msg/Imu`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Imu {
    header: Header,
    orientation: Quaternion,
    orientation_covariance: [f64; 9],
    angular_velocity: Vector3,
    angular_velocity_covariance: [f64; 9],
    linear_acceleration: Vector3,
    linear_acceleration_covariance: [f64; 9],
}

/// `geometry_msgs/msg/PoseWithCovarianceStamped`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct PoseWithCovarianceStamped {
    header: Header,
    pose: PoseWithCovariance,
}

/// `geometry_msgs/msg/PoseArray`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct PoseArray {
    header: Header,
    poses: Vec<Pose>,
}

/// `geometry_msgs/msg/Point32`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Point32 {
    x: f32,
    y: f32,
    z: f32,
}

/// `geometry_msgs/msg/Polygon`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Polygon {
    points: Vec<Point32>,
}

/// `vesc_msgs/msg/VescState`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct VescState {
    temperatures: [f64; 2],
    currents: [f64; 4],
    duty_cycle: f64,
    speed: f64,
    supply: [f64; 5],
    displacement: i32,
    distance_traveled: i32,
    fault_code: i32,
    pid_pos_now: f64,
    controller_id: i32,
    stages: [f64; 3],
    voltages: [f64; 2],
}

/// `vesc_msgs/msg/VescStateStamped`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct VescStateStamped {
    header: Header,
    state: VescState,
}

/// `vesc_msgs/msg/VescImu`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct VescImu {
    ypr: Vector3,
    linear_acceleration: Vector3,
    angular_velocity: Vector3,
    compass: Vector3,
    orientation: Quaternion,
}

/// `vesc_msgs/msg/VescImuStamped`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct VescImuStamped {
    header: Header,
    imu: VescImu,
}

fn vector([x, y, z]: [f64; 3]) -> Vector3 {
    Vector3 { x, y, z }
}

impl Imu {
    pub(super) fn new(frame: &str) -> Imu {
        let mut exact = [0.0; 9];
        covariance::write_exact(&mut exact);
        Imu {
            header: fill::header(SimTime::ZERO, frame),
            orientation_covariance: exact,
            angular_velocity_covariance: exact,
            linear_acceleration_covariance: exact,
            ..Imu::default()
        }
    }

    pub(super) fn fill(&mut self, time: SimTime, vehicle: &VehicleFrame) {
        self.header.stamp = fill::stamp(time);
        self.orientation = fill::pose(vehicle.world_from_body).orientation;
        self.angular_velocity = vector([0.0, 0.0, vehicle.velocity_in_body.wz]);
        self.linear_acceleration = vector(rules::specific_force(vehicle));
    }
}

impl PoseWithCovarianceStamped {
    pub(super) fn new(frame: &str) -> PoseWithCovarianceStamped {
        let pose = PoseWithCovariance { pose: Pose::default(), covariance: Covariance::default() };
        PoseWithCovarianceStamped { header: fill::header(SimTime::ZERO, frame), pose }
    }

    pub(super) fn fill(&mut self, time: SimTime, vehicle: &VehicleFrame) {
        self.header.stamp = fill::stamp(time);
        self.pose.pose = fill::pose(vehicle.world_from_body);
    }
}

impl PoseArray {
    pub(super) fn new(frame: &str) -> PoseArray {
        PoseArray { header: fill::header(SimTime::ZERO, frame), poses: vec![Pose::default()] }
    }

    pub(super) fn fill(&mut self, time: SimTime, vehicle: &VehicleFrame) {
        self.header.stamp = fill::stamp(time);
        self.poses.fill(fill::pose(vehicle.world_from_body));
    }
}

impl Polygon {
    pub(super) fn new(outline: &[Vec2]) -> Polygon {
        let point = |corner: &Vec2| Point32 { x: corner.x as f32, y: corner.y as f32, z: 0.0 };
        Polygon { points: outline.iter().map(point).collect() }
    }
}

impl VescStateStamped {
    pub(super) fn fill(&mut self, time: SimTime, motor: &MotorState) {
        self.header.stamp = fill::stamp(time);
        (self.state.speed, self.state.duty_cycle) = (motor.revolutions, motor.duty_cycle);
        [self.state.displacement, self.state.distance_traveled] = motor.tachometers();
    }
}

impl VescImuStamped {
    pub(super) fn fill(&mut self, time: SimTime, vehicle: &VehicleFrame) {
        self.header.stamp = fill::stamp(time);
        let [angles, force, rates] = vesc::inertial(vehicle);
        self.imu.ypr = vector(angles);
        self.imu.linear_acceleration = vector(force);
        self.imu.angular_velocity = vector(rates);
        self.imu.orientation = fill::pose(vehicle.world_from_body).orientation;
    }
}
