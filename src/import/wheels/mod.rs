//! Finds the wheels, steering hinges and castors of a robot by the axes of its joints and the shapes of its links.
//!
//! A wheel hangs on a joint that turns about a level axle without end, is round about it, and touches the ground; the
//! joints that a drive plugin names are wheels in any case. Round things on steering hinges, and on fixed joints of
//! robots that a plugin moves, are wheels without a joint of their own (`jointless`). A wheel in the middle of two
//! others is the one of a single-track model, and stands for both. A hinge is a joint with an upright axis above a
//! wheel. A castor is a wheel that trails behind such a hinge, or a ball or anything called castor that touches the
//! ground.

mod jointless;
mod rollers;
mod standing;

use skidpad_math::Vec3;
use skidpad_xml::Context;

pub(super) use standing::Legs;

use super::plugins::DriveHints;
use super::robot::{Joint, JointKind, Link, Robot};
use super::shape::{Shape, Solid};

/// Largest vertical part of a level axle, and least of an upright hinge [-].
const LEVEL: f64 = 0.2;
const UPRIGHT: f64 = 0.8;
/// A wheel touches the ground if its lowest point is no higher than this share of its radius above that of the lowest wheel.
const TOUCHES: f64 = 0.3;
/// Width of a wheel of which only the radius is known, as a share of the radius: chosen.
const WIDTH_OF_RADIUS: f64 = 0.5;
/// Least cosine between the axle of a wheel and the line to its partner [-], and largest distance of a wheel from the
/// middle of two others, in parts of theirs.
const ALONG: f64 = 0.95;
const MIDDLE: f64 = 0.1;
/// A wheel trails if its centre is farther from its hinge than this share of its radius, along the direction of rolling.
const TRAIL: f64 = 0.1;

/// A wheel, in the frame of the robot.
#[derive(Clone, Debug)]
pub(super) struct RobotWheel {
    /// The joint that it spins about.
    pub joint: usize,
    /// All links that spin with it, or hang on it.
    pub links: Vec<usize>,
    pub center: Vec3,
    /// Along the axle, of length 1.
    pub axle: Vec3,
    pub radius: f64,
    pub width: f64,
    /// The joint that steers it.
    pub hinge: Option<usize>,
    pub is_driven: bool,
    /// Whether it has rollers askew to its axle, as a mecanum wheel, or the friction of such.
    pub has_rollers: bool,
    pub color: Option<[u8; 4]>,
}

/// What carries weight and resists nothing.
#[derive(Clone, Debug)]
pub(super) struct Castor {
    pub name: String,
    pub center: Vec3,
    pub radius: f64,
    /// The links that roll.
    pub links: Vec<usize>,
}

/// What a robot stands on.
#[derive(Debug, Default)]
pub(super) struct Wheels {
    pub wheels: Vec<RobotWheel>,
    pub castors: Vec<Castor>,
    /// Wheels in the middle of two others.
    pub virtual_wheels: Vec<RobotWheel>,
    /// Joints that could carry a wheel, if the meshes of their links were there.
    pub without_mesh: Vec<usize>,
    /// Height of the ground in the frame of the robot [m].
    pub ground: f64,
    /// What the robot stands on instead of its wheels, if they do not reach the ground.
    pub legs: Option<Legs>,
}

/// The round shape of a wheel.
pub(super) struct Round {
    center: Vec3,
    radius: f64,
    width: f64,
    color: Option<[u8; 4]>,
}

impl Wheels {
    /// Finds them. None, with the error recorded, where a joint that has to be a wheel is not one.
    pub(super) fn find(context: &Context, robot: &Robot<'_>, hints: &DriveHints) -> Option<Wheels> {
        let (mut wheels, mut without_mesh) = (Vec::new(), Vec::new());
        for (index, joint) in robot.joints.iter().enumerate() {
            let mut is_driven = hints.drives(&joint.name);
            if joint.kind != JointKind::Turns || !(joint.spins() || is_driven) {
                continue;
            }
            if joint.axis_in_robot.z.abs() > LEVEL {
                // What is only commanded may be the swivel of a castor.
                if is_driven && !hints.are_guessed {
                    context
                        .error(
                            &joint.place,
                            format!("joint \"{}\" is driven, but its axis is not horizontal", joint.name),
                        )
                        .accepted(["an axis parallel to the ground"]);
                    return None;
                }
                continue;
            }
            let round = match round_shape(robot, joint) {
                Some(round) => round,
                // What is only commanded may move anything: it belongs to the chassis if it is not round.
                None if is_driven && (!hints.are_guessed || has_known_radius(robot, hints, joint)) => {
                    let Some(radius) = hints.wheel_radius else {
                        let because = missing_mesh(robot, joint)
                            .map_or_else(String::new, |mesh| format!(": its mesh \"{mesh}\" is missing"));
                        context
                            .error(
                                &joint.place,
                                format!("the wheel of joint \"{}\" has no radius{because}", joint.name),
                            )
                            .accepted([
                                "a cylinder, sphere or mesh about the joint's axis as collision or visual of its link",
                            ]);
                        return None;
                    };
                    Round { center: joint.origin_in_robot, radius, width: WIDTH_OF_RADIUS * radius, color: None }
                }
                // Beside driven wheels of a known radius, another one stands on the ground if it has this radius, too.
                None => match hints.wheel_radius.filter(|_| is_wheel_without_mesh(robot, hints, joint)) {
                    Some(radius) => {
                        Round { center: joint.origin_in_robot, radius, width: WIDTH_OF_RADIUS * radius, color: None }
                    }
                    None => {
                        without_mesh.extend(missing_mesh(robot, joint).map(|_| index));
                        continue;
                    }
                },
            };
            // A castor with a motor has none for the drive.
            is_driven &= !(hints.are_guessed && is_called_castor(&joint.name));
            wheels.push(RobotWheel {
                joint: index,
                links: robot.links_below(joint.child),
                center: round.center,
                axle: joint.axis_in_robot,
                radius: round.radius,
                width: round.width,
                hinge: hinge_above(robot, joint.parent),
                is_driven,
                has_rollers: rollers::has_rollers(robot, joint),
                color: round.color,
            });
        }
        if hints.moves_robot && wheels.is_empty() {
            let is_wheel = |joint: &Joint| joint.kind == JointKind::Fixed && jointless::is_called_wheel(&joint.name);
            let fixed = robot.joints.iter().enumerate().filter(|(_, joint)| is_wheel(joint));
            without_mesh
                .extend(fixed.filter(|(_, joint)| missing_mesh(robot, joint).is_some()).map(|(index, _)| index));
        }
        // The rollers of a wheel are round and may touch the ground.
        let links: Vec<(usize, Vec<usize>)> = wheels.iter().map(|wheel| (wheel.joint, wheel.links.clone())).collect();
        let is_part = |wheel: &RobotWheel| {
            let parent = robot.joints[wheel.joint].parent;
            links.iter().any(|(joint, links)| *joint != wheel.joint && links.contains(&parent))
        };
        wheels.retain(|wheel| !is_part(wheel));
        let bottom = |wheel: &RobotWheel| wheel.center.z - wheel.radius;
        // What is only commanded may be the joint of an arm, far above the castors.
        let is_known = |wheel: &RobotWheel| wheel.is_driven && !hints.are_guessed;
        let stands = |wheel: &&RobotWheel| {
            wheel.is_driven || (hints.are_guessed && is_called_castor(&robot.joints[wheel.joint].name))
        };
        let lowest = wheels.iter().filter(stands).map(bottom).reduce(f64::min);
        let ground = lowest.or_else(|| wheels.iter().map(bottom).reduce(f64::min)).unwrap_or(0.0);
        wheels.retain(|wheel| is_known(wheel) || (bottom(wheel) - ground).abs() <= TOUCHES * wheel.radius);
        let legs = if wheels.iter().any(is_known) { None } else { standing::legs(robot, &wheels, ground) };
        wheels.extend(jointless::wheels(robot, hints, &wheels));
        let (castors, wheels): (Vec<_>, Vec<_>) = wheels.into_iter().partition(|wheel| is_castor(robot, hints, wheel));
        let (virtual_wheels, wheels) = without_virtual(wheels);
        for wheel in &virtual_wheels {
            let joint = &robot.joints[wheel.joint];
            let message = format!(
                "the wheel on joint \"{}\" is midway between two others, as in a single-track model, and is left out",
                joint.name
            );
            context.warn(&joint.place, message);
        }
        let mut castors: Vec<Castor> = castors.iter().map(|wheel| Castor::of_wheel(robot, wheel)).collect();
        castors.extend(balls(robot, &wheels, &castors, ground));
        Some(Wheels { wheels, castors, virtual_wheels, without_mesh, ground, legs })
    }
}

impl Castor {
    /// A wheel that carries weight and no more.
    pub(super) fn of_wheel(robot: &Robot<'_>, wheel: &RobotWheel) -> Castor {
        let name = robot.joints[wheel.joint].name.clone();
        Castor { name, center: wheel.center, radius: wheel.radius, links: wheel.links.clone() }
    }
}

/// Whether a plugin states the radius of a wheel whose mesh is missing.
fn has_known_radius(robot: &Robot<'_>, hints: &DriveHints, joint: &Joint) -> bool {
    hints.wheel_radius.is_some() && missing_mesh(robot, joint).is_some()
}

/// Whether a joint is called wheel, beside others that a plugin drives, and its mesh is missing.
fn is_wheel_without_mesh(robot: &Robot<'_>, hints: &DriveHints, joint: &Joint) -> bool {
    !hints.are_guessed && jointless::is_called_wheel(&joint.name) && missing_mesh(robot, joint).is_some()
}

/// The steering hinge above a link.
fn hinge_above(robot: &Robot<'_>, link: usize) -> Option<usize> {
    let is_hinge = |joint: &Joint| joint.kind == JointKind::Turns && joint.axis_in_robot.z.abs() >= UPRIGHT;
    robot.joints_above(link).into_iter().find(|joint| is_hinge(&robot.joints[*joint]))
}

/// Whether one of the words of a name is this one.
fn is_called(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

fn is_called_castor(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("caster") || name.contains("castor")
}

fn is_castor(robot: &Robot<'_>, hints: &DriveHints, wheel: &RobotWheel) -> bool {
    let joint = &robot.joints[wheel.joint];
    if wheel.is_driven && !hints.are_guessed {
        return false;
    }
    if is_called_castor(&joint.name) || is_called_castor(&robot.links[joint.child].name) {
        return true;
    }
    let Some(hinge) = wheel.hinge.map(|hinge| &robot.joints[hinge]) else { return false };
    let rolling = wheel.axle.cross(&Vec3::z());
    let trail = (wheel.center - hinge.origin_in_robot).dot(&rolling).abs();
    hinge.spins() && !hints.steers(&hinge.name) && trail > TRAIL * wheel.radius
}

/// Links that touch the ground, and are balls or called castor.
fn balls(robot: &Robot<'_>, wheels: &[RobotWheel], castors: &[Castor], ground: f64) -> Vec<Castor> {
    let Some(radius) = wheels.iter().map(|wheel| wheel.radius).reduce(f64::min) else { return Vec::new() };
    let used = |index: &usize| {
        wheels.iter().any(|wheel| wheel.links.contains(index))
            || castors.iter().any(|castor| castor.links.contains(index))
    };
    let is_ball =
        |link: &Link, shape: &Shape| matches!(shape.solid, Solid::Sphere { .. }) || is_called_castor(&link.name);
    let of_link = |index: usize| -> Vec<Castor> {
        let link = &robot.links[index];
        // A robot of which only the looks are described has its castors there.
        let shapes = if link.collisions.is_empty() { &link.visuals } else { &link.collisions };
        // A ball may be a part of the base: that link is not a castor then.
        let is_own = is_called_castor(&link.name) || shapes.iter().all(|shape| is_ball(link, shape));
        let of_shape = |shape: &Shape| {
            let points = shape.points(&link.robot_from_link);
            let low = points.iter().map(|p| p.z).reduce(f64::min)?;
            let high = points.iter().map(|p| p.z).reduce(f64::max)?;
            let half = match shape.solid {
                Solid::Sphere { radius } => radius,
                _ => 0.5 * (high - low),
            };
            let middle = points.iter().sum::<Vec3>() / points.len() as f64;
            let touches = (low - ground).abs() <= TOUCHES * radius;
            touches.then(|| Castor {
                name: link.name.clone(),
                center: Vec3::new(middle.x, middle.y, low + half),
                radius: half,
                links: if is_own { vec![index] } else { Vec::new() },
            })
        };
        shapes.iter().filter(|shape| is_ball(link, shape)).filter_map(of_shape).collect()
    };
    (0..robot.links.len()).filter(|index| !used(index)).flat_map(of_link).collect()
}

/// Wheels in the middle of two others on one line with their axles, which are driven if it is; and all the others.
fn without_virtual(mut wheels: Vec<RobotWheel>) -> (Vec<RobotWheel>, Vec<RobotWheel>) {
    let pair_around = |middle: &RobotWheel| {
        let other_wheels = || (0..wheels.len()).filter(|k| wheels[*k].joint != middle.joint);
        let is_around = |a: &RobotWheel, b: &RobotWheel| {
            let apart = b.center - a.center;
            let beside = middle.center - 0.5 * (a.center + b.center);
            apart.dot(&a.axle).abs() > ALONG * apart.norm() && beside.norm() < MIDDLE * apart.norm()
        };
        other_wheels()
            .find_map(|a| other_wheels().find(|b| a < *b && is_around(&wheels[a], &wheels[*b])).map(|b| [a, b]))
    };
    let around: Vec<Option<[usize; 2]>> = wheels.iter().map(pair_around).collect();
    for (middle, pair) in around.iter().enumerate() {
        for beside in pair.iter().flatten() {
            wheels[*beside].is_driven |= wheels[middle].is_driven;
        }
    }
    let (inner, outer): (Vec<_>, Vec<_>) = wheels.into_iter().zip(around).partition(|(_, pair)| pair.is_some());
    let only = |wheels: Vec<(RobotWheel, _)>| wheels.into_iter().map(|(wheel, _)| wheel).collect();
    (only(inner), only(outer))
}

/// A mesh of the joint's link, or of those fixed to it, that is not there.
pub(super) fn missing_mesh<'r>(robot: &'r Robot<'_>, joint: &Joint) -> Option<&'r str> {
    let links = fixed_below(robot, joint.child);
    links.into_iter().find_map(|link| robot.links[link].missing_meshes.first()).map(String::as_str)
}

/// A link and those that are fixed to it.
fn fixed_below(robot: &Robot<'_>, link: usize) -> Vec<usize> {
    let mut links = vec![link];
    let mut next = 0;
    while let Some(&parent) = links.get(next) {
        let fixed = robot.joints.iter().filter(|below| below.parent == parent && below.kind == JointKind::Fixed);
        links.extend(fixed.map(|below| below.child));
        next += 1;
    }
    links
}

/// The first shape of a joint's link, or of those fixed to it, that is round about the joint's axis; collisions come first.
pub(super) fn round_shape(robot: &Robot<'_>, joint: &Joint) -> Option<Round> {
    let links = fixed_below(robot, joint.child);
    let of = |shapes: fn(&Link) -> &Vec<Shape>| {
        links
            .iter()
            .map(|link| &robot.links[*link])
            .find_map(|link| shapes(link).iter().find_map(|shape| round_about(joint, link, shape)))
    };
    let round = of(|link| &link.collisions).or_else(|| of(|link| &link.visuals))?;
    let color = links.iter().find_map(|link| robot.links[*link].visuals.iter().find_map(|shape| shape.color));
    Some(Round { color, ..round })
}

/// The shape as a wheel about the joint's axis, if it is round about it.
fn round_about(joint: &Joint, link: &Link, shape: &Shape) -> Option<Round> {
    let pose = link.robot_from_link * shape.link_from_shape;
    let (axle, origin) = (joint.axis_in_robot, joint.origin_in_robot);
    let on_axle = |point: Vec3| origin + axle * (point - origin).dot(&axle);
    let round = |center: Vec3, radius: f64, width: f64| {
        let foot = on_axle(center);
        ((center - foot).norm() <= TOUCHES * radius).then_some(Round { center: foot, radius, width, color: None })
    };
    match &shape.solid {
        Solid::Cylinder { radius, length } => {
            let along = pose.rotation() * Vec3::z();
            if along.dot(&axle).abs() < 0.95 {
                return None;
            }
            round(pose.position(), *radius, *length)
        }
        Solid::Sphere { radius } => round(pose.position(), *radius, WIDTH_OF_RADIUS * radius),
        Solid::Mesh { .. } => {
            let points = shape.points(&link.robot_from_link);
            let heights = points.iter().map(|point| (point - origin).dot(&axle));
            let (low, high) = (heights.clone().reduce(f64::min)?, heights.reduce(f64::max)?);
            let radius = points.iter().map(|point| (point - on_axle(*point)).norm()).reduce(f64::max)?;
            let width = high - low;
            let is_disc = radius > 1e-4 && width > 1e-5 && width < 4.0 * radius;
            is_disc.then_some(Round { center: origin + axle * (0.5 * (low + high)), radius, width, color: None })
        }
        Solid::Box(_) | Solid::Plane(_) => None,
    }
}
