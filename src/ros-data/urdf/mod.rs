//! Vehicles as URDF, for robot_state_publisher, RViz and other users of a `robot_description`.
//!
//! Links and joints have the names of the vehicle's interface: its fixed frames and those of its sensors are fixed joints, and its
//! wheels have the joints of the joint states, from which robot_state_publisher computes the poses of the simulated wheels.
//! The frames of wheels that a preset does not name have the names of their joints with `_link` instead of `_joint`.
//! So that every link has a pose, nothing moves that nothing is published of: where a preset has no joint states, only wheels that its
//! transforms steer move, and the others are fixed.
//!
//! The root has no inertia, which KDL does not support: where the chassis hangs on nothing, its mass is in a link of
//! its own, `chassis_inertia`.
//!
//! The centre of a wheel is one radius above level ground. Chassis without meshes are the bounding box of their outline, since URDF has no
//! prisms. Not described: suspension, camber, visuals that turn with a wheel's steering.

mod body;
pub mod control;
pub mod controllers;
mod xml;

use std::io;

use skidpad_math::{Pose3, Vec3};
use skidpad_sim::world::{FrontFrameInfo, VehicleInfo, WheelInfo};

use crate::interface::names::VehicleNames;
use crate::interface::rules;
use crate::preset::MovingPose;
use body::{Inertial, Shape};
use control::Control;

/// A vehicle as links and joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    name: String,
    links: Vec<Link>,
    joints: Vec<Joint>,
    control: Option<Control>,
}

/// A rigid part.
#[derive(Clone, Debug, Default, PartialEq)]
struct Link {
    name: String,
    inertial: Option<Inertial>,
    visuals: Vec<Shape>,
    collisions: Vec<Shape>,
}

/// The joint between a link and its parent.
#[derive(Clone, Debug, PartialEq)]
struct Joint {
    name: String,
    parent: String,
    child: String,
    parent_from_joint: Pose3,
    kind: JointKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum JointKind {
    Fixed,
    /// By springs, in any direction.
    Leans,
    /// About the axle, forward positive, or the other way round.
    Spins {
        is_reversed: bool,
    },
    /// About the vertical, positive to the left, up to this angle [rad] either way; none: unlimited.
    Steers(Option<f64>),
}

impl Robot {
    /// The vehicle with the frames and joints of `names`.
    pub fn new(vehicle: &VehicleInfo, names: &VehicleNames) -> Robot {
        let mut robot = Robot { name: vehicle.name.clone(), links: Vec::new(), joints: Vec::new(), control: None };
        let fixed = rules::fixed_frames(vehicle, names);
        let leaning = rules::leaning_link(names);
        // The tree's root is the parent that is not a child; it comes first, as readers expect.
        let links = || leaning.iter().chain(&fixed);
        let root = links().map(|(parent, _, _)| parent).find(|parent| links().all(|(_, child, _)| child != *parent));
        let (carrier, carrier_from_body) = rules::sensor_carrier(names);
        let root = root.unwrap_or(&carrier);
        robot.link(root);
        if let Some((parent, child, pose)) = &leaning {
            robot.link(parent);
            robot.attach(format!("{child}_joint"), parent, child, *pose, JointKind::Leans);
        }
        for (parent, child, pose) in &fixed {
            robot.link(parent);
            robot.attach(format!("{child}_joint"), parent, child, *pose, JointKind::Fixed);
        }
        let chassis = robot.link(&carrier);
        chassis.visuals = body::chassis_visuals(vehicle, carrier_from_body);
        chassis.collisions = vec![body::chassis_box(vehicle, carrier_from_body)];
        let heavy = if carrier == *root { names.own_frame(CHASSIS_INERTIA) } else { carrier.clone() };
        robot.attach(format!("{heavy}_joint"), &carrier, &heavy, Pose3::default(), JointKind::Fixed);
        robot.link(&heavy).inertial =
            body::chassis_inertial(&vehicle.chassis, &vehicle.outline, vehicle.chassis_z, carrier_from_body);
        let front =
            vehicle.front.as_ref().map(|front| robot.front_frame(vehicle, front, names, &carrier, carrier_from_body));
        for (index, wheel) in vehicle.wheels.iter().enumerate() {
            match &front {
                Some((link, link_from_body)) if wheel.pivot.is_some() => {
                    robot.wheel(vehicle, names, index, wheel, link, *link_from_body);
                }
                _ => robot.wheel(vehicle, names, index, wheel, &carrier, carrier_from_body),
            }
        }
        robot
    }

    /// The same with a `<ros2_control>` tag for its joints.
    pub fn with_control(self, control: Control) -> Robot {
        let place = |name: &str| self.joints.iter().position(|joint| joint.name == name);
        let control = Control { joints: control.joints_in_order(place), ..control };
        Robot { control: Some(control), ..self }
    }

    /// The text of the URDF.
    pub fn to_xml(&self) -> io::Result<String> {
        xml::write(self)
    }

    /// The link called `name`, created if missing.
    fn link(&mut self, name: &str) -> &mut Link {
        let index = self.links.iter().position(|link| link.name == name).unwrap_or_else(|| {
            self.links.push(Link { name: name.to_owned(), ..Link::default() });
            self.links.len() - 1
        });
        &mut self.links[index]
    }

    /// Attaches the link `child` to `parent`. A link that is already attached is left unchanged: no frame has two parents.
    fn attach(&mut self, name: String, parent: &str, child: &str, parent_from_joint: Pose3, kind: JointKind) -> bool {
        if parent == child || self.joints.iter().any(|joint| joint.child == child || joint.name == name) {
            return false;
        }
        self.link(child);
        let (parent, child) = (parent.to_owned(), child.to_owned());
        self.joints.push(Joint { name, parent, child, parent_from_joint, kind });
        true
    }

    /// Adds the front frame behind its hinge. Returns its link, and the body's pose in it while the vehicle is straight.
    fn front_frame(
        &mut self,
        vehicle: &VehicleInfo,
        front: &FrontFrameInfo,
        names: &VehicleNames,
        carrier: &str,
        carrier_from_body: Pose3,
    ) -> (String, Pose3) {
        let body_from_link = Pose3 { x: front.hinge.x, y: front.hinge.y, ..Pose3::default() };
        let link_from_body = body_from_link.inverse();
        let name = names.own_frame(&link_name(rules::HINGE));
        let is_published = published_joints(vehicle, names).iter().any(|joint| joint.name == rules::HINGE);
        let kind = if is_published { JointKind::Steers(vehicle.max_steer) } else { JointKind::Fixed };
        if self.attach(rules::HINGE.to_owned(), carrier, &name, carrier_from_body * body_from_link, kind) {
            let link = self.link(&name);
            link.inertial = body::chassis_inertial(&front.chassis, &front.outline, front.z, link_from_body);
            let box_around = body::box_around(&front.outline, front.z, front.color, link_from_body);
            link.visuals = body::meshes(&front.visuals, link_from_body);
            if link.visuals.is_empty() {
                link.visuals.push(box_around.clone());
            }
            link.collisions = vec![box_around];
        }
        (name, link_from_body)
    }

    fn wheel(
        &mut self,
        vehicle: &VehicleInfo,
        names: &VehicleNames,
        index: usize,
        wheel: &WheelInfo,
        carrier: &str,
        carrier_from_body: Pose3,
    ) {
        let joints = published_joints(vehicle, names);
        let is_own = |joint: &&rules::Joint| joint.wheel == index && joint.name != rules::HINGE;
        let joint = |steers| joints.iter().filter(is_own).find(|joint| joint.steers == steers);
        let center = Vec3::new(wheel.position.x, wheel.position.y, wheel.radius);
        let at = |yaw| Pose3 { x: center.x, y: center.y, z: center.z, yaw, ..Pose3::default() };
        // A hinge joint turns by the heading, which includes the mounting angle.
        let steering = names.preset.frames.moving.iter().find(|moving| moving.pose == MovingPose::Steering(index));
        let (parent, parent_from_wheel) = match (joint(true), steering) {
            // The preset's transforms steer it.
            (None, Some(moving)) => {
                let [hinge, link] = [moving.parent, moving.child].map(|name| names.frame(name));
                let most = vehicle.max_steer.map(|most| body::largest_wheel_angle(most, vehicle, wheel));
                let name = format!("{link}_joint");
                self.attach(name, &hinge, &link, Pose3::default(), JointKind::Steers(most));
                (link, Pose3::default())
            }
            (Some(hinge), _) => {
                let link = wheel_link(names, (index, true), &hinge.name);
                let most = vehicle.max_steer.map(|most| body::largest_wheel_angle(most, vehicle, wheel));
                let placed = carrier_from_body * at(0.0);
                self.attach(hinge.name.clone(), carrier, &link, placed, JointKind::Steers(most));
                (link, Pose3::default())
            }
            (None, None) => (carrier.to_owned(), carrier_from_body * at(wheel.mount_yaw)),
        };
        let (name, kind) = match joint(false) {
            Some(axle) => (axle.name.clone(), JointKind::Spins { is_reversed: axle.is_reversed }),
            None => (format!("{}_joint", wheel.name), JointKind::Fixed),
        };
        let link = wheel_link(names, (index, false), &name);
        // What transforms steer may be the wheel itself.
        if link == parent || self.attach(name, &parent, &link, parent_from_wheel, kind) {
            let link = self.link(&link);
            link.inertial = body::wheel_inertial(wheel);
            link.visuals = body::wheel_visuals(wheel);
            link.collisions = vec![body::wheel_cylinder(wheel)];
        }
    }
}

/// The link with the mass of a chassis that is the root.
const CHASSIS_INERTIA: &str = "chassis_inertia";

/// The joints whose angles are published.
fn published_joints(vehicle: &VehicleInfo, names: &VehicleNames) -> Vec<rules::Joint> {
    if names.preset.has_joint_states() { rules::joints(vehicle, names.preset.joints) } else { Vec::new() }
}

/// The link of the wheel with this index, or of what steers it, which this joint turns.
fn wheel_link(names: &VehicleNames, part: (usize, bool), joint: &str) -> String {
    let named = names.preset.wheel_links.iter().find(|(_, wheel, steers)| (*wheel, *steers) == part);
    named.map_or_else(|| names.own_frame(&link_name(joint)), |(link, _, _)| names.frame(link))
}

/// What the link that a joint turns is called if nothing else names it.
fn link_name(joint: &str) -> String {
    format!("{}_link", joint.strip_suffix("_joint").unwrap_or(joint))
}

#[cfg(test)]
mod tests;
