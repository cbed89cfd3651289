//! Wheels without a joint to roll on: what is round about a level axle, touches the ground, and hangs on a steering
//! hinge, as in models that only look like a car; or on a fixed joint, where a plugin moves the robot without its
//! wheels.

use skidpad_math::Vec3;

use super::{LEVEL, RobotWheel, TOUCHES, UPRIGHT, fixed_below, round_shape};
use crate::plugins::DriveHints;
use crate::robot::{Joint, JointKind, Link, Robot};
use crate::shape::{Shape, Solid};

/// Those beside the wheels on joints that roll, `joint_wheels`.
pub(super) fn wheels(robot: &Robot<'_>, hints: &DriveHints, joint_wheels: &[RobotWheel]) -> Vec<RobotWheel> {
    let bottom = |wheel: &RobotWheel| wheel.center.z - wheel.radius;
    let is_rolling = !joint_wheels.is_empty();
    let carries = |joint: &Joint| {
        let below = robot.links_below(joint.child);
        joint_wheels.iter().any(|wheel| below.contains(&robot.joints[wheel.joint].child))
    };
    let candidate = |(index, joint): (usize, &Joint)| {
        let hinge = match joint.kind {
            // One without limits that nothing turns is the swivel of a castor.
            JointKind::Turns if joint.axis_in_robot.z.abs() >= UPRIGHT => {
                (joint.limits.is_some() || hints.steers(&joint.name)).then_some(Some(index))?
            }
            JointKind::Fixed if hints.moves_robot && !is_rolling => None,
            _ => return None,
        };
        let axle = axle(robot, joint).filter(|_| !carries(joint))?;
        let round = round_shape(robot, &Joint { axis_in_robot: axle, ..joint.clone() })?;
        Some(RobotWheel {
            joint: index,
            links: robot.links_below(joint.child),
            center: round.center,
            axle,
            radius: round.radius,
            width: round.width,
            hinge,
            is_driven: false,
            has_rollers: false,
            color: round.color,
        })
    };
    let mut more: Vec<RobotWheel> = robot.joints.iter().enumerate().filter_map(candidate).collect();
    let ground = joint_wheels.iter().chain(&more).map(bottom).reduce(f64::min).unwrap_or(0.0);
    more.retain(|wheel| (bottom(wheel) - ground).abs() <= TOUCHES * wheel.radius);
    more
}

/// The level axle of a wheel on this joint, along y where its axes tell none: that of a cylinder, and of a mesh where
/// something is called wheel.
fn axle(robot: &Robot<'_>, joint: &Joint) -> Option<Vec3> {
    let links = fixed_below(robot, joint.child);
    let of_cylinder = |link: &Link, shape: &Shape| {
        let along = (link.robot_from_link * shape.link_from_shape).rotation() * Vec3::z();
        (matches!(shape.solid, Solid::Cylinder { .. }) && along.z.abs() <= LEVEL).then_some(along)
    };
    let links = links.iter().map(|link| &robot.links[*link]);
    let cylinder_axle = links
        .clone()
        .find_map(|link| link.collisions.iter().chain(&link.visuals).find_map(|shape| of_cylinder(link, shape)));
    let has_mesh = || {
        let is_called = is_called_wheel(&joint.name) || is_called_wheel(&robot.links[joint.child].name);
        let mut shapes = links.clone().flat_map(|link| link.collisions.iter().chain(&link.visuals));
        is_called && shapes.any(|shape| matches!(shape.solid, Solid::Mesh { .. }))
    };
    // Axles point to the left, so that wheels without an axis of their own agree.
    let cylinder_axle = cylinder_axle.map(|axle| if axle.y < 0.0 { -axle } else { axle });
    cylinder_axle.or_else(|| has_mesh().then(Vec3::y))
}

/// Whether a name is that of a wheel.
pub(super) fn is_called_wheel(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["wheel", "tire", "tyre"].iter().any(|part| name.contains(part))
}
