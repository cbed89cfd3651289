//! Whether a wheel has rollers, as mecanum and omni wheels have them: by joints of its own, by its friction, or by a name.

use super::{fixed_below, is_called};
use crate::robot::{Joint, Robot};
use crate::shape::{Shape, Solid};
use crate::text;

/// Cosine of the angle between the axle of a mecanum wheel and its rollers [-], which is 45° in most; and least number of rollers.
const ASKEW: [f64; 2] = [0.3, 0.95];
const MIN_ROLLERS: usize = 4;

/// Whether a wheel has rollers that are askew to its axle, or the friction of such, or is called so.
pub(super) fn has_rollers(robot: &Robot<'_>, wheel: &Joint) -> bool {
    has_roller_joints(robot, wheel) || has_grip_askew(robot, wheel) || is_called_so(robot, wheel)
}

/// Whether several joints on a wheel turn about axes that are askew to its own.
fn has_roller_joints(robot: &Robot<'_>, wheel: &Joint) -> bool {
    let is_askew = |joint: &&Joint| {
        let along = joint.axis_in_robot.dot(&wheel.axis_in_robot).abs();
        joint.parent == wheel.child && joint.spins() && (ASKEW[0]..ASKEW[1]).contains(&along)
    };
    robot.joints.iter().filter(is_askew).count() >= MIN_ROLLERS
}

/// Whether the surface of a wheel has grip in one direction alone, which is askew to its axle, as rollers have it.
fn has_grip_askew(robot: &Robot<'_>, wheel: &Joint) -> bool {
    let along = fixed_below(robot, wheel.child).into_iter().find_map(|link| robot.links[link].grip_along);
    along.is_some_and(|along| (ASKEW[0]..ASKEW[1]).contains(&along.dot(&wheel.axis_in_robot).abs()))
}

/// Whether the joint of a wheel, its link or one of its mesh files is called mecanum or omni.
fn is_called_so(robot: &Robot<'_>, wheel: &Joint) -> bool {
    let is_it = |name: &str| name.to_ascii_lowercase().contains("mecanum") || is_called(&text::words(name), "omni");
    let of_mesh = |shape: &Shape| matches!(&shape.solid, Solid::Mesh { file, .. } if is_it(file_name(&file.address)));
    let of_link = |link: usize| {
        let link = &robot.links[link];
        is_it(&link.name)
            || link.visuals.iter().chain(&link.collisions).any(of_mesh)
            || link.missing_meshes.iter().any(|address| is_it(file_name(address)))
    };
    is_it(&wheel.name) || fixed_below(robot, wheel.child).into_iter().any(of_link)
}

/// The name of a file without its folders.
fn file_name(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}
