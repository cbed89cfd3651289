//! Computes the numbers in messages.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Rot2, Twist2, Vec2, Vec3, wrap_angle};
use skidpad_sim::sensor::ScanGeometry;
use skidpad_sim::tracking::TrackingFrame;
use skidpad_sim::trajectory::Sample;
use skidpad_sim::vehicle::suspension::Lean;
use skidpad_sim::world::{VehicleFrame, VehicleInfo, WheelFrame};

use super::names::VehicleNames;
use crate::preset::{Joints, Moving, MovingPose, Switch, WheelQuantity};

/// Standard gravity [m/s²], for inertial measurements.
pub const GRAVITY: f64 = 9.80665;

/// Seconds [s] and nanoseconds [ns] of a stamp. Never both 0, which means "no time" in ROS and "the latest" in tf2: a time before the first
/// nanosecond becomes that nanosecond.
pub fn stamp(time: SimTime) -> (i32, u32) {
    time.max(SimTime(1)).split()
}

/// `map` → `odom` such that `map` → `base_footprint` is the truth on the plane: T_true · T_odom⁻¹ [m, rad].
pub fn map_from_odom(vehicle: &VehicleFrame) -> Pose2 {
    vehicle.world_from_body.planar() * vehicle.odom_from_body.inverse()
}

/// State of a vehicle's driver, in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Driving {
    /// What the driver is doing.
    pub state: DriverState,
    /// The controlled point [m].
    pub point: Vec2,
    /// The reference of that point, with the heading of the path there [m, rad].
    pub reference: Pose2,
}

/// Activity of a driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriverState {
    /// The vehicle has no driver.
    #[default]
    None = 0,
    /// It waits, or commands override it.
    Waits = 1,
    /// It drives.
    Drives = 2,
}

/// State of a vehicle's driver; the points are 0 without a driver, or before its first tick.
pub fn driving(vehicle: &VehicleFrame) -> Driving {
    let state = if vehicle.has_driver { DriverState::Waits } else { DriverState::None };
    let Some(tracking) = vehicle.tracking else { return Driving { state, ..Driving::default() } };
    let state = if vehicle.has_driver && tracking.active { DriverState::Drives } else { state };
    // Transforms from the odometry frame to the world, so that the reference is shown relative to the true pose.
    let to_world = if tracking.in_odometry { map_from_odom(vehicle) } else { Pose2::IDENTITY };
    let [point, reference] = [tracking.point, tracking.point_reference].map(|point| to_world.transform_point(point));
    let heading = wrap_angle(to_world.yaw + tracking.reference.heading());
    Driving { state, point, reference: Pose2::new(reference.x, reference.y, heading) }
}

/// Sets the state of the vehicle's driver, the inverse of [`driving`].
pub(crate) fn set_driving(vehicle: &mut VehicleFrame, Driving { state, point, reference }: Driving) {
    vehicle.has_driver = state != DriverState::None;
    vehicle.tracking = vehicle.has_driver.then(|| {
        // In the world frame, with a velocity along that heading.
        let (sin, cos) = libm::sincos(reference.yaw);
        let point_reference = reference.position();
        let reference = Sample { position: point_reference, velocity: Vec2::new(cos, sin), ..Sample::default() };
        let active = state == DriverState::Drives;
        TrackingFrame { reference, point, point_reference, active, ..TrackingFrame::default() }
    });
}

/// A moving frame of a vehicle.
#[derive(Clone, Debug)]
pub struct MovingFrame {
    /// Its parent.
    pub parent: String,
    /// Its name.
    pub child: String,
    /// The parameter that enables its transform.
    pub switch: Switch,
    /// Its pose; none: only that by the springs.
    of: Option<MovingPose>,
    /// Whether springs let it lean, and its pose at rest [m, rad] in the frame that leans.
    leans: Option<Pose3>,
}

impl MovingFrame {
    /// The pose [m, rad] in its parent.
    pub fn pose(&self, vehicle: &VehicleFrame) -> Pose3 {
        let pose = self.of.map_or(Pose3::default(), |of| moving_pose(of, vehicle));
        let Some(at_rest) = self.leans else { return pose };
        let Lean { z, pitch, roll, .. } = vehicle.lean.unwrap_or_default();
        pose * (Pose3 { z, pitch, roll, ..Pose3::default() } * at_rest)
    }
}

/// The moving frames of a vehicle: those of its preset, and the frame of its sensors if it leans on springs.
pub fn moving_frames(names: &VehicleNames) -> Vec<MovingFrame> {
    let link = leaning_link(names);
    let base = names.preset.base_frame();
    let of_preset = names.preset.frames.moving.iter().map(|moving| MovingFrame {
        parent: names.frame(moving.parent),
        child: names.frame(moving.child),
        switch: moving.switch,
        of: Some(moving.pose),
        // The truth has it.
        leans: (names.leans && link.is_none() && moving.child == base && moving.pose != MovingPose::Truth)
            .then(Pose3::default),
    });
    let of_springs = link.clone().map(|(parent, child, at_rest)| MovingFrame {
        parent,
        child,
        switch: Switch::Tf,
        of: None,
        leans: Some(at_rest),
    });
    of_preset.chain(of_springs).collect()
}

/// The fixed link of a preset that moves for a body on springs: the one from the base frame to the parent of sensors. None if the base
/// frame itself leans.
pub(crate) fn leaning_link(names: &VehicleNames) -> Option<Link> {
    let base = names.preset.base_frame();
    let is_truth = |moving: &Moving| moving.child == base && moving.pose == MovingPose::Truth;
    if !names.leans || names.preset.frames.moving.iter().any(is_truth) {
        return None;
    }
    let (links, (carrier, _)) = frames_of_preset(names);
    links.into_iter().find(|(parent, child, _)| *child == carrier && *parent == names.base_frame())
}

/// The pose [m, rad] that a moving transform of a preset has.
fn moving_pose(of: MovingPose, vehicle: &VehicleFrame) -> Pose3 {
    match of {
        MovingPose::WheelOdometry => Pose3::from_planar(vehicle.odom_from_body),
        MovingPose::OdometryError => Pose3::from_planar(map_from_odom(vehicle)),
        MovingPose::Truth => vehicle.world_from_body,
        MovingPose::Identity => Pose3::default(),
        MovingPose::Steering(wheel) => {
            Pose3 { yaw: vehicle.wheels.get(wheel).map_or(0.0, |wheel| wheel.steer), ..Pose3::default() }
        }
    }
}

/// The steered wheels of a vehicle, from whose angles that of the equivalent single track follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Linkage {
    wheelbase: f64,
    /// Index and side [m], to the left positive, of each.
    wheels: Vec<(usize, f64)>,
}

impl Linkage {
    /// That of a vehicle; one that does not steer has none.
    pub(crate) fn of(vehicle: &VehicleInfo) -> Linkage {
        let Some(wheelbase) = vehicle.wheelbase else { return Linkage::default() };
        let steered = vehicle.wheels.iter().enumerate().filter(|(_, wheel)| wheel.steered);
        let steered: Vec<(usize, f64)> = steered.map(|(index, wheel)| (index, wheel.position.y)).collect();
        let middle = steered.iter().map(|(_, y)| y).sum::<f64>() / steered.len().max(1) as f64;
        Linkage { wheelbase, wheels: steered.into_iter().map(|(index, y)| (index, y - middle)).collect() }
    }

    /// The steering angle δ [rad], positive to the left: that of a wheel in the middle, by the mean curvature κ = tan φ/(l + y·tan φ) of wheels at the side y
    /// that are turned by φ (Ackermann's condition), tan δ = l·κ. 0 without steered wheels.
    pub(crate) fn steering_angle(&self, vehicle: &VehicleFrame) -> f64 {
        let l = self.wheelbase;
        let curvature = |&(index, y): &(usize, f64)| {
            let turned = libm::tan(vehicle.wheels.get(index)?.steer);
            Some(turned / (l + y * turned))
        };
        let curvatures = self.wheels.iter().filter_map(curvature);
        let (sum, count) = curvatures.fold((0.0, 0_usize), |(sum, count), curvature| (sum + curvature, count + 1));
        if count == 0 { 0.0 } else { libm::atan(l * sum / count as f64) }
    }
}

/// The true velocity [m/s, rad/s] of the body along its own axes or (`in_world`) those of the world.
pub(crate) fn true_velocity(vehicle: &VehicleFrame, in_world: bool) -> Twist2 {
    let body = vehicle.velocity_in_body;
    let velocity = if in_world { Rot2::new(vehicle.world_from_body.yaw) * body.linear() } else { body.linear() };
    Twist2::new(velocity.x, velocity.y, body.wz)
}

/// The last angle of a scan [rad], derived from the others such that `round((angle_max - angle_min) / angle_increment) + 1` is
/// the number of beams in single precision too; SLAM toolbox refuses scans that break this.
pub fn last_angle(geometry: &ScanGeometry) -> f32 {
    let steps = geometry.count.saturating_sub(1) as f64;
    (f64::from(geometry.angle_min as f32) + steps * f64::from(geometry.angle_increment as f32)) as f32
}

/// Parent, child and pose [m, rad] of a static frame.
type Link = (String, String, Pose3);

/// The static frames of a preset, and the parent of a vehicle's sensors with the pose [m, rad] of the body in it.
fn frames_of_preset(names: &VehicleNames) -> (Vec<Link>, (String, Pose3)) {
    let frames = &names.preset.frames;
    let origin = |[x, y, z]: [f64; 3]| Pose3 { x, y, z, ..Pose3::default() };
    let base = names.preset.base_frame();
    // Where each frame is in the body by the table, and where the frame with its name is: users may give two of them one name.
    let mut in_table = vec![(base, [0.0; 3])];
    let mut in_tree = vec![(names.frame(base), [0.0; 3])];
    let mut links = Vec::new();
    for (parent, child, offset) in frames.fixed {
        let body_from_parent = place(&in_table, parent).unwrap_or_default();
        let at = [0, 1, 2].map(|axis| body_from_parent[axis] + offset[axis]);
        in_table.push((child, at));
        let [parent, child] = [parent, child].map(|name| names.frame(name));
        if place(&in_tree, child.as_str()).is_none() {
            let of_parent = place(&in_tree, parent.as_str()).unwrap_or_default();
            let is_there = of_parent == body_from_parent;
            let offset = if is_there { *offset } else { [0, 1, 2].map(|axis| at[axis] - of_parent[axis]) };
            in_tree.push((child.clone(), at));
            links.push((parent, child, origin(offset)));
        }
    }
    let carrier = names.frame(frames.sensors);
    let carrier_from_body = origin(place(&in_tree, carrier.as_str()).unwrap_or_default()).inverse();
    (links, (carrier, carrier_from_body))
}

/// The place [m] of the frame `name`.
fn place<N: AsRef<str>>(known: &[(N, [f64; 3])], name: &str) -> Option<[f64; 3]> {
    known.iter().find(|(other, _)| other.as_ref() == name).map(|(_, place)| *place)
}

/// The parent frame of a vehicle's sensors, and the pose [m, rad] of the body in it.
pub(crate) fn sensor_carrier(names: &VehicleNames) -> (String, Pose3) {
    frames_of_preset(names).1
}

/// A frame of which z points ahead, x to the right and y down, in one of which x points ahead, y to the left and z up (REP 103).
const AHEAD_FROM_OPTICAL: Pose3 = Pose3 { x: 0.0, y: 0.0, z: 0.0, yaw: -FRAC_PI_2, pitch: 0.0, roll: -FRAC_PI_2 };

/// Parent, child and pose [m, rad] of all static frames of a vehicle: those of its preset, and its sensors.
pub fn fixed_frames(vehicle: &VehicleInfo, names: &VehicleNames) -> Vec<(String, String, Pose3)> {
    let frames = &names.preset.frames;
    let hinges = frames.hinges.iter().filter_map(|(parent, child, wheel)| {
        let wheel = vehicle.wheels.get(*wheel)?;
        let at = Pose3 { x: wheel.position.x, y: wheel.position.y, z: wheel.radius, ..Pose3::default() };
        Some((names.frame(parent), names.frame(child), at))
    });
    let (links, (carrier, carrier_from_body)) = frames_of_preset(names);
    let sensors = vehicle.sensors.iter().enumerate().flat_map(|(index, sensor)| {
        let frame = names.sensor_frame(vehicle, index);
        let sensor_frame = (carrier.clone(), frame.clone(), carrier_from_body * sensor.body_from_sensor);
        let further = sensor.kind.frames().into_iter();
        let link = names.sensor_link(vehicle, index).map(|link| {
            (carrier.clone(), link, carrier_from_body * sensor.body_from_sensor * AHEAD_FROM_OPTICAL.inverse())
        });
        link.into_iter()
            .chain([sensor_frame])
            .chain(further.map(move |(suffix, pose)| (frame.clone(), format!("{frame}{suffix}"), pose)))
    });
    let moving_frames = moving_frames(names);
    let moving = moving_frames.iter().flat_map(|frame| [frame.parent.clone(), frame.child.clone()]);
    let is_fixed = |(_, child, _): &Link| moving_frames.iter().all(|frame| frame.child != *child);
    let own_frames: Vec<_> = links.into_iter().filter(is_fixed).chain(hinges).collect();
    let mut known: Vec<String> = moving.chain(own_frames.iter().map(|(_, child, _)| child.clone())).collect();
    // A frame has one place, also if several sensors are in it, or the vehicle has it anyway.
    let new = sensors.filter(|(_, child, _)| {
        let is_new = !known.contains(child);
        known.extend(is_new.then(|| child.clone()));
        is_new
    });
    let new: Vec<_> = new.collect();
    own_frames.into_iter().chain(new).collect()
}

/// Specific force [m/s²] of the body's reference point along its axes, as measured by an accelerometer there: the acceleration less
/// gravity.
pub fn specific_force(vehicle: &VehicleFrame) -> [f64; 3] {
    let down = vehicle.world_from_body.rotation().transpose() * Vec3::new(0.0, 0.0, -GRAVITY);
    let acceleration = vehicle.acceleration_in_body;
    [acceleration.x - down.x, acceleration.y - down.y, -down.z]
}

/// The quantity of a wheel that a topic carries.
pub(crate) fn wheel_quantity(wheel: &WheelFrame, quantity: WheelQuantity) -> f64 {
    match quantity {
        WheelQuantity::SlipRatio => wheel.slip_ratio(),
        WheelQuantity::SlipAngle => wheel.slip_angle(),
        WheelQuantity::ForceX => wheel.force_in_wheel.x,
        WheelQuantity::ForceY => wheel.force_in_wheel.y,
    }
}

/// Name of the joint between the frames of an articulated vehicle, which turns by the steering angle of the wheels on the front frame.
pub const HINGE: &str = "hinge";

/// A joint: its name, the index of its wheel, and whether it is the wheel's steering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// Name of the joint, as in the URDF.
    pub name: String,
    /// Index of its wheel.
    pub wheel: usize,
    /// Whether it steers the wheel, rather than letting it spin.
    pub steers: bool,
    /// Whether its angle, speed and torque are those of the wheel with the other sign.
    pub is_reversed: bool,
}

impl Joint {
    /// An angle, a speed or a torque of the wheel as one of the joint, and the other way round.
    pub fn turned(&self, value: f64) -> f64 {
        if self.is_reversed { -value } else { value }
    }
}

/// Whether a vehicle is on omni wheels, which stand at right angles to the line from its middle.
pub fn is_on_omni_wheels(vehicle: &VehicleInfo) -> bool {
    ["omni_3_wheels", "omni_4_wheels"].contains(&vehicle.dynamics.as_str())
}

/// Whether a wheel that turns forward turns the robot to the left: its position [m], and the angle [rad] from the x axis to its rolling
/// direction.
pub fn turns_left(position: Vec2, heading: f64) -> bool {
    let (sin, cos) = libm::sincos(heading);
    position.x * sin - position.y * cos > 0.0
}

/// The joints of a vehicle by the names of a preset; joints of missing wheels are omitted.
pub fn joints(vehicle: &VehicleInfo, names: Joints) -> Vec<Joint> {
    let joint = |name: &str, wheel, steers| Joint { name: name.to_owned(), wheel, steers, is_reversed: false };
    match names {
        Joints::AsWheels | Joints::AsControllers => {
            let may_be_reversed = matches!(names, Joints::AsControllers) && is_on_omni_wheels(vehicle);
            let mut joints = Vec::new();
            for (index, wheel) in vehicle.wheels.iter().enumerate() {
                let is_reversed = may_be_reversed && turns_left(wheel.position, wheel.mount_yaw);
                joints.push(Joint { is_reversed, ..joint(&wheel.name, index, false) });
                if wheel.steered {
                    joints.push(joint(&format!("{}_steer", wheel.name), index, true));
                }
            }
            if let Some(on_front) = vehicle.wheels.iter().position(|wheel| wheel.pivot.is_some()) {
                joints.push(joint(HINGE, on_front, true));
            }
            joints
        }
        Joints::Named(named) => {
            let on_it = named.iter().filter(|(_, wheel, _)| *wheel < vehicle.wheels.len());
            on_it.map(|(name, wheel, steers)| joint(name, *wheel, *steers)).collect()
        }
    }
}

/// Writes position [rad], velocity [rad/s] and torque [N·m] of each joint, of which the torques may be omitted. The rate of a steering joint is its change since
/// these were last written, `seconds` [s] ago; its torque is simulated for a hinge between two frames only, and otherwise stays 0.
pub(crate) fn write_joints(
    joints: &[Joint],
    vehicle: &VehicleFrame,
    seconds: f64,
    [position, velocity, effort]: [&mut [f64]; 3],
) {
    for (index, joint) in joints.iter().enumerate() {
        let Some(wheel) = vehicle.wheels.get(joint.wheel) else { continue };
        let torque = if joint.steers { vehicle.hinge_torque } else { joint.turned(wheel.torque) };
        effort.get_mut(index).into_iter().for_each(|effort| *effort = torque);
        if joint.steers {
            let turned = wheel.steer - position[index];
            velocity[index] = if seconds > 0.0 { turned / seconds } else { 0.0 };
            position[index] = wheel.steer;
        } else {
            position[index] = joint.turned(wheel.spin_angle);
            velocity[index] = joint.turned(wheel.spin);
        }
    }
}

/// Scale of drawn forces [m/N] at which the vehicle's weight is as long as the vehicle.
pub fn force_scale(vehicle: &VehicleInfo) -> f64 {
    let reach = vehicle.outline.iter().map(|p| p.norm()).fold(0.0, f64::max);
    if vehicle.mass > 0.0 { reach / (vehicle.mass * GRAVITY) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::sensor::SensorInfo;

    use super::*;
    use crate::preset::{PRESETS, PlaceholderValues, Preset, RACECAR_GAZEBO, TURTLEBOT3, frame_names};

    /// The names of a vehicle whose body has the frame `base`; none if that is refused.
    fn names_with(preset: &'static Preset, base: &str) -> Option<VehicleNames> {
        let words = PlaceholderValues::new(preset.placeholders, |name| (name == "base_frame_id").then(|| base.into()));
        frame_names::check(preset, &words).ok()?;
        Some(VehicleNames::new(preset, "", false, false).with_words(words.of(0)))
    }

    /// The pose of a frame in the body.
    fn body_from(links: &[Link], body: &str, frame: &str) -> Pose3 {
        if frame == body {
            return Pose3::default();
        }
        let above: Vec<_> = links.iter().filter(|(_, child, _)| child == frame).collect();
        let [(parent, _, pose)] = above.as_slice() else { panic!("{frame} has {} parents", above.len()) };
        body_from(links, body, parent) * *pose
    }

    #[test]
    fn what_is_fixed_to_a_vehicle_is_in_its_place_whatever_the_body_is_called() {
        let body_from_sensor = Pose3 { x: 0.2, z: 0.3, yaw: 0.5, ..Pose3::default() };
        let sensor = SensorInfo { name: "front".into(), body_from_sensor, ..SensorInfo::default() };
        let vehicle = VehicleInfo { sensors: vec![sensor], ..VehicleInfo::default() };
        let mut count = 0;
        for preset in PRESETS.into_iter().chain(RACECAR_GAZEBO.with_true_map_to_odom) {
            for base in ["base_footprint", "base_link", "chassis", "imu_link", "robot"] {
                let Some(names) = names_with(preset, base) else { continue };
                let (links, body) = (fixed_frames(&vehicle, &names), names.base_frame());
                let actual = body_from(&links, &body, &names.sensor_frame(&vehicle, 0));
                let off = actual.inverse() * body_from_sensor;
                assert!(off.position().norm() < 1e-12 && off.yaw.abs() < 1e-12, "{}, {base}: {actual:?}", preset.name);
                count += 1;
            }
        }
        assert!(count > 30, "{count}");
        for (base, height) in [("base_footprint", 0.078), ("base_link", 0.078), ("robot", 0.078)] {
            let names = names_with(&TURTLEBOT3, base).unwrap();
            let z = body_from(&fixed_frames(&vehicle, &names), base, "imu_link").z;
            assert!((z - height).abs() < 1e-12, "{base}: {z}");
        }
    }

    #[test]
    fn the_weight_arrow_is_as_long_as_the_vehicle() {
        let outline = [(3.0, 4.0), (-1.0, 0.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).into();
        let vehicle = VehicleInfo { outline, mass: 100.0, ..VehicleInfo::default() };
        assert!((force_scale(&vehicle) * 100.0 * GRAVITY - 5.0).abs() < 1e-12);
        assert_eq!(force_scale(&VehicleInfo::default()), 0.0);
    }
}
