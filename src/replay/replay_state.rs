//! The state at one instant of a recording: the last message of each topic, as a frame of the simulation.
//!
//! The state does not depend on how the instant was reached: folding all messages up to it gives the same as folding the last one of each
//! topic, in the order of time, and what the index has of the way that actors have rolled.

use std::collections::BTreeMap;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Rot2, Twist2, Vec2};
use skidpad_record::MOVING_TOPIC;
use skidpad_record::bag::{Stamped, nanoseconds};
use skidpad_ros_data::interface::rules;
use skidpad_ros_data::message::{
    AckermannDrive, AckermannDriveStamped, Bool, Float64, Float64MultiArray, Imu, JointState, Odometry, Pedals, Pose,
    TFMessage, Twist, VehicleState, WheelStates,
};
use skidpad_ros_data::preset::{Joints, WheelQuantity};
use skidpad_sim::tracking::TrackingFrame;
use skidpad_sim::world::actor::{ActorFrame, Gait};
use skidpad_sim::world::drawing::body_from_wheel;
use skidpad_sim::world::{Frame, Setpoint, VehicleFrame, WheelFrame, WheelSlip};
use skidpad_view::scene::{SceneView, VehicleView};

use super::clock::LogClock;
use super::decode;
use super::index::IndexedChannel;
use super::recording::Message;
use super::roll_distance::{ACTOR_TIMEOUT, PoseWithRoll};
use super::topics::{self, Role, TopicRoles};

/// A driver without messages for this long has ended [ns].
const DRIVER_TIMEOUT: i64 = 500_000_000;

/// The state so far.
pub(super) struct ReplayState {
    vehicles: Vec<ReplayVehicle>,
    /// Moving bodies other than vehicles, by name.
    moving: BTreeMap<String, PoseWithRoll>,
    /// Poses of frames in the map, by the prefix of their topic and their name: each namespace may have its own tree.
    from_map: BTreeMap<(String, String), Pose3>,
    /// Whether joints of omni wheels have the sign of their controller in ros2_control.
    has_controllers: bool,
    /// The last scan of each channel.
    pub(super) scans: BTreeMap<u16, Message>,
    /// When the newest pose was logged [ns], and its stamp [ns].
    newest: Option<(i64, i64)>,
}

/// The state of a vehicle.
#[derive(Clone, Debug, Default)]
struct ReplayVehicle {
    /// Prefix of its topics.
    prefix: String,
    /// The frame whose transforms are its poses; none: other messages have them.
    moving_frame: Option<String>,
    frame: VehicleFrame,
    /// The frame of its odometry, and its pose in that frame.
    odometry: Option<(String, Pose3)>,
    /// Names of its wheels.
    wheels: Vec<String>,
    /// Whether its `WheelStates` are recorded, which contain how its wheels are mounted.
    has_wheel_states: bool,
    /// From its driver: the time of the last message [ns], the reference pose, and the desired velocity.
    driver: Option<i64>,
    reference: Vec2,
    point_velocity: Vec2,
    /// Whether its `VehicleState` is recorded, which contains whether the simulation drives it.
    has_state: bool,
}

impl ReplayState {
    pub(super) fn new(topic_roles: &TopicRoles) -> ReplayState {
        ReplayState {
            vehicles: topic_roles
                .recorded_vehicles
                .iter()
                .map(|recorded| ReplayVehicle {
                    prefix: recorded.prefix.clone(),
                    moving_frame: matches!(recorded.poses.first(), Some((Role::Transform, _)))
                        .then(|| recorded.body_frame.clone()),
                    ..ReplayVehicle::default()
                })
                .collect(),
            moving: BTreeMap::new(),
            from_map: BTreeMap::new(),
            has_controllers: matches!(topic_roles.preset.joints, Joints::AsControllers),
            scans: BTreeMap::new(),
            newest: None,
        }
    }

    /// Folds a message in. A malformed message changes nothing.
    pub(super) fn take(&mut self, topic_roles: &TopicRoles, channels: &[IndexedChannel], message: &Message) {
        let number = usize::from(message.channel());
        let (Some(channel), Some(role)) = (channels.get(number), topic_roles.roles.get(number)) else { return };
        let time = message.time();
        match role {
            None if channel.topic == MOVING_TOPIC => self.take_moving(time, message.data()),
            None | Some((_, Role::Transform)) if channel.child.is_some() => {
                self.take_transforms(channel.prefix(), &topic_roles.map_frame, time, message.data());
            }
            None => {}
            Some((_, Role::Scan)) => {
                self.scans.insert(message.channel(), message.clone());
            }
            Some((recorded, role)) => {
                // Only the best source of poses counts.
                let says_where = topic_roles.recorded_vehicles[*recorded]
                    .poses
                    .first()
                    .is_some_and(|best| best.1 == message.channel());
                if says_where {
                    self.newest = Some((time, decode::stamp(message.data()).unwrap_or(time)));
                }
                let _ = self.vehicles[*recorded].take(topic_roles, *role, says_where, time, message.data());
            }
        }
    }

    fn take_moving(&mut self, time: i64, data: &[u8]) {
        let Some(message): Option<TFMessage> = decode::read(data) else { return };
        let stamp = message.transforms.first().map(|transform| transform.header.stamp).and_then(nanoseconds);
        for transform in message.transforms {
            let pose = decode::pose(transform.transform.translation, transform.transform.rotation);
            let last = self.moving.get(&transform.child_frame_id);
            let next = last.map_or(PoseWithRoll::first(pose, time), |last| last.followed_by(pose, time));
            self.moving.insert(transform.child_frame_id, next);
        }
        if self.newest.is_none_or(|(newest, _)| newest < time) {
            self.newest = Some((time, stamp.unwrap_or(time)));
        }
    }

    /// Notes what the index has of a moving body whose last pose is known: the way that it has covered ahead [m].
    pub(super) fn put_roll_distance(&mut self, channels: &[IndexedChannel], channel: u16, distance: f64) {
        let body = channels.get(usize::from(channel)).and_then(IndexedChannel::moving_body);
        if let Some(last) = body.and_then(|name| self.moving.get_mut(name)) {
            last.distance = distance;
        }
    }

    fn take_transforms(&mut self, prefix: &str, map: &str, time: i64, data: &[u8]) {
        let Some(message): Option<TFMessage> = decode::read(data) else { return };
        for transform in message.transforms {
            let pose = || decode::pose(transform.transform.translation, transform.transform.rotation);
            let is_same = |vehicle: &&mut ReplayVehicle| {
                vehicle.prefix == prefix && vehicle.moving_frame.as_ref() == Some(&transform.child_frame_id)
            };
            if let Some(vehicle) = self.vehicles.iter_mut().find(is_same) {
                vehicle.frame.world_from_body = pose();
                vehicle.odometry = Some((transform.header.frame_id.clone(), pose()));
                self.newest = Some((time, nanoseconds(transform.header.stamp).unwrap_or(time)));
            } else if transform.header.frame_id.trim_start_matches('/') == map {
                let pose = pose();
                self.from_map.insert((prefix.to_owned(), transform.child_frame_id), pose);
            }
        }
    }

    /// Simulated time of the newest pose.
    pub(super) fn time(&self, clock: &LogClock) -> Option<SimTime> {
        let (log, stamp) = self.newest?;
        Some(SimTime(clock.instant(log, stamp)))
    }

    /// Whether there is any pose.
    pub(super) fn has_begun(&self) -> bool {
        self.newest.is_some()
    }

    /// Converts a pose in this frame, from a vehicle with this prefix, to the map.
    pub(super) fn in_map(&self, prefix: &str, frame: &str, pose: Pose3) -> Pose3 {
        topics::of_tree(&self.from_map, prefix, frame).map_or(pose, |map_from_frame| *map_from_frame * pose)
    }

    /// Pose of a vehicle.
    pub(super) fn pose(&self, recorded: usize) -> Pose3 {
        let known = &self.vehicles[recorded];
        match &known.odometry {
            Some((frame, pose)) => self.in_map(&known.prefix, frame, *pose),
            None => known.frame.world_from_body,
        }
    }

    /// The names of a vehicle's wheels, as far as they are recorded.
    pub(super) fn wheels(&self, recorded: usize) -> &[String] {
        &self.vehicles[recorded].wheels
    }

    /// A frame of a scene at the log time `time` [ns]; `vehicles` are the indices of its vehicles in the recording.
    pub(super) fn frame(&self, scene: &SceneView, vehicles: &[Option<usize>], clock: &LogClock, time: i64) -> Frame {
        let mut frame = Frame { time: self.time(clock).unwrap_or(SimTime(clock.simulated(time))), ..Frame::default() };
        for (view, recorded) in scene.vehicles.iter().zip(vehicles) {
            let mut vehicle = match recorded {
                Some(recorded) => self.vehicles[*recorded].at(time, self.pose(*recorded)),
                None => VehicleFrame::default(),
            };
            vehicle.wheels.resize_with(view.wheels.len(), WheelFrame::default);
            if recorded.is_some_and(|recorded| !self.vehicles[recorded].has_wheel_states) {
                mount(&mut vehicle.wheels, view, self.has_controllers);
            }
            for (wheel, view) in vehicle.wheels.iter_mut().zip(&view.wheels) {
                let point = |[x, y]: [f64; 2]| Vec2::new(x, y);
                let at = body_from_wheel(point(view.position), view.pivot.map(point), 0.0, wheel.steer);
                let velocity = vehicle.velocity_in_body.at_point(Vec2::new(at.x, at.y));
                wheel.velocity_in_wheel = Rot2::new(-wheel.steer) * velocity;
            }
            frame.vehicles.push(vehicle);
        }
        let body_pose = |name: &str, [x, y, z, yaw, pitch, roll]: [f64; 6]| {
            let start = PoseWithRoll::first(Pose3 { x, y, z, yaw, pitch, roll }, 0);
            self.moving.get(name).copied().unwrap_or(start)
        };
        frame.blocks.extend(scene.blocks.iter().map(|body| body_pose(&body.name, body.pose).pose));
        frame.planes.extend(scene.planes.iter().map(|body| body_pose(&body.name, body.pose).pose));
        for body in &scene.actors {
            let PoseWithRoll { pose, time: since, distance } = body_pose(&body.name, body.pose);
            let moves = time - since <= ACTOR_TIMEOUT && self.moving.contains_key(&body.name);
            let gait = if moves { Gait::Walk } else { Gait::Idle };
            let clip_time = SimTime(clock.simulated(time)).secs();
            frame.actors.push(ActorFrame {
                world_from_actor: pose,
                gait,
                clip_time,
                distance,
                ..ActorFrame::default()
            });
        }
        frame
    }
}

/// Completes wheels of which only the joints are recorded, which do not contain how they are mounted: turns them to their headings, and back from
/// the sign that their joints have where these are as `has_controllers` says.
fn mount(wheels: &mut [WheelFrame], vehicle: &VehicleView, has_controllers: bool) {
    let is_on_omni_wheels = vehicle.moves_sideways && vehicle.wheels.iter().any(|view| view.heading != 0.0);
    for (wheel, view) in wheels.iter_mut().zip(&vehicle.wheels) {
        if wheel.steer == 0.0 {
            wheel.steer = view.heading;
        }
        let [x, y] = view.position;
        if has_controllers && is_on_omni_wheels && rules::turns_left(Vec2::new(x, y), view.heading) {
            for value in [&mut wheel.spin_angle, &mut wheel.spin, &mut wheel.torque] {
                *value = -*value;
            }
        }
    }
}

impl ReplayVehicle {
    /// Its frame at the log time `time` [ns] and at this pose.
    fn at(&self, time: i64, pose: Pose3) -> VehicleFrame {
        let mut frame = self.frame.clone();
        frame.world_from_body = pose;
        if frame.has_driver {
            return frame;
        }
        // A driver outside the simulation exists while it sends messages; recordings without `VehicleState` show no other drivers.
        let outside = self.driver.filter(|last| !self.has_state || time - last <= DRIVER_TIMEOUT);
        frame.has_driver = outside.is_some();
        frame.tracking = outside.map(|last| {
            let mut tracking = TrackingFrame { time: SimTime(last), ..TrackingFrame::default() };
            tracking.reference.position = self.reference;
            tracking.reference.velocity = self.point_velocity;
            (tracking.point, tracking.point_reference) = (pose.planar().position(), self.reference);
            (tracking.point_velocity, tracking.active) = (self.point_velocity, time - last <= DRIVER_TIMEOUT);
            tracking
        });
        frame
    }

    fn wheel(&mut self, index: usize) -> Option<&mut WheelFrame> {
        // No vehicle has more; a corrupt message might.
        const MAX_WHEELS: usize = 64;
        if index >= self.frame.wheels.len() && index < MAX_WHEELS {
            self.frame.wheels.resize_with(index + 1, WheelFrame::default);
        }
        self.frame.wheels.get_mut(index)
    }

    fn take_state(&mut self, message: &VehicleState) {
        let frame = &mut self.frame;
        frame.world_from_body = decode::pose(message.pose.position, message.pose.orientation);
        frame.velocity_in_body = decode::twist(&message.twist);
        frame.acceleration_in_body = Vec2::new(message.acceleration.x, message.acceleration.y);
        message.put_numbers(frame);
        self.has_state = true;
    }

    fn take(&mut self, topic_roles: &TopicRoles, role: Role, says_where: bool, time: i64, data: &[u8]) -> Option<()> {
        match role {
            Role::State => self.take_state(&VehicleState::read(data).ok()?),
            Role::Truth | Role::Odometry => {
                let message: Odometry = decode::read(data)?;
                let pose = decode::pose(message.pose.pose.position, message.pose.pose.orientation);
                let mut velocity = decode::twist(&message.twist.twist);
                if role == Role::Odometry {
                    self.frame.odom_from_body = pose.planar();
                    self.frame.odom_velocity_in_body = velocity;
                } else if topic_roles.preset.with_true_map_to_odom.is_some()
                    && message.header.frame_id == topic_roles.map_frame
                {
                    // As in the Gazebo model of the racecar: along the axes of the world.
                    let linear = Rot2::new(-pose.yaw) * velocity.linear();
                    velocity = Twist2::new(linear.x, linear.y, velocity.wz);
                }
                if says_where {
                    self.frame.velocity_in_body = velocity;
                    self.frame.world_from_body = pose;
                    self.odometry = (role == Role::Odometry).then_some((message.header.frame_id, pose));
                }
            }
            Role::Estimate => {
                let message: Stamped<Pose> = decode::read(data)?;
                if says_where {
                    self.frame.world_from_body = decode::pose(message.content.position, message.content.orientation);
                    self.odometry = None;
                }
            }
            Role::Joints => {
                let message: JointState = decode::read(data)?;
                if self.wheels.is_empty() {
                    let spins = |name: &&String| {
                        topics::joint(topic_roles.preset, name, &[(*name).clone()]).is_some_and(|(_, steers)| !steers)
                    };
                    self.wheels = message.name.iter().filter(spins).cloned().collect();
                }
                for (index, name) in message.name.iter().enumerate() {
                    let Some((wheel, steers)) = topics::joint(topic_roles.preset, name, &self.wheels) else { continue };
                    let value = |list: &[f64]| list.get(index).copied();
                    let Some(wheel) = self.wheel(wheel) else { continue };
                    if steers {
                        wheel.steer = value(&message.position).unwrap_or(wheel.steer);
                    } else {
                        wheel.spin_angle = value(&message.position).unwrap_or(wheel.spin_angle);
                        wheel.spin = value(&message.velocity).unwrap_or(wheel.spin);
                        wheel.torque = value(&message.effort).unwrap_or(wheel.torque);
                    }
                }
            }
            Role::Wheels => {
                let message = WheelStates::read(data).ok()?;
                self.has_wheel_states = true;
                if !self.wheels.iter().eq(message.wheels.iter().map(|state| &state.name)) {
                    self.wheels = message.wheels.iter().map(|state| state.name.clone()).collect();
                }
                for (index, state) in message.wheels.iter().enumerate() {
                    let Some(wheel) = self.wheel(index) else { continue };
                    (wheel.steer, wheel.spin_angle, wheel.spin) = (state.steer_angle, state.spin_angle, state.spin);
                    wheel.slip = WheelSlip::Known { ratio: state.slip_ratio, angle: state.slip_angle };
                    wheel.force_in_wheel = Vec2::new(state.force.x, state.force.y);
                    (wheel.load, wheel.torque, wheel.lifted) = (state.force.z, state.torque, state.lifted);
                    wheel.travel = message.travels.get(index).copied().unwrap_or_default();
                }
            }
            Role::Wheel(quantity, wheel) => {
                let value = decode::read::<Float64>(data)?.data;
                let wheel = self.wheel(wheel)?;
                match quantity {
                    WheelQuantity::SlipRatio => {
                        wheel.slip = WheelSlip::Known { ratio: value, angle: wheel.slip_angle() };
                    }
                    WheelQuantity::SlipAngle => {
                        wheel.slip = WheelSlip::Known { ratio: wheel.slip_ratio(), angle: value };
                    }
                    WheelQuantity::ForceX => wheel.force_in_wheel.x = value,
                    WheelQuantity::ForceY => wheel.force_in_wheel.y = value,
                }
            }
            Role::Touch => self.frame.colliding = decode::read::<Bool>(data)?.data,
            Role::Overturned => self.frame.is_overturned = decode::read::<Bool>(data)?.data,
            Role::Inertia => {
                let message: Imu = decode::read(data)?;
                let turn = decode::pose(Default::default(), message.orientation);
                let gravity = rules::specific_force(&VehicleFrame { world_from_body: turn, ..VehicleFrame::default() });
                let force = message.linear_acceleration;
                self.frame.acceleration_in_body = Vec2::new(force.x - gravity[0], force.y - gravity[1]);
            }
            Role::Velocity => {
                let twist = decode::read::<Twist>(data).filter(|_| data.len() <= 4 + size_of::<Twist>());
                let twist = twist.or_else(|| Some(decode::read::<Stamped<Twist>>(data)?.content))?;
                self.frame.setpoint = Setpoint { velocity_in_body: decode::twist(&twist), steering_angle: 0.0 };
            }
            Role::Ackermann => {
                // One without a header is shorter than any with.
                let drive = match data.len() <= 4 + size_of::<AckermannDrive>() {
                    true => decode::read::<AckermannDrive>(data)?,
                    false => decode::read::<AckermannDriveStamped>(data)?.drive,
                };
                let velocity_in_body = Twist2::new(f64::from(drive.speed), 0.0, 0.0);
                self.frame.setpoint = Setpoint { velocity_in_body, steering_angle: f64::from(drive.steering_angle) };
            }
            Role::Pedals => {
                let pedals: Pedals = decode::read(data)?;
                let power = &mut self.frame.powertrain;
                (power.throttle, power.brake) = (pedals.throttle, pedals.brake);
                power.gear = if pedals.gear == Pedals::REVERSE { -1 } else { i8::from(pedals.gear == Pedals::DRIVE) };
                self.frame.setpoint =
                    Setpoint { velocity_in_body: Twist2::default(), steering_angle: pedals.steering_angle };
            }
            Role::Reference => {
                self.reference = pair(data)?;
                self.driver = Some(time);
            }
            Role::PointVelocity => self.point_velocity = pair(data)?,
            Role::Transform | Role::Scan | Role::Outline => {}
        }
        Some(())
    }
}

/// The first two numbers of a list.
fn pair(data: &[u8]) -> Option<Vec2> {
    let array: Float64MultiArray = decode::read(data)?;
    let start = usize::try_from(array.layout.data_offset).ok()?;
    Some(Vec2::new(*array.data.get(start)?, *array.data.get(start.checked_add(1)?)?))
}
