//! Which drive a robot's wheels make, and where its reference point is.

use super::plugins::DriveHints;
use super::robot::Robot;
use super::text::number;
use super::wheels::{Castor, RobotWheel, Wheels};
use crate::math::{Pose3, Vec3};
use crate::xml::Context;

/// Largest steering angle of the equivalent single track where a robot states none: chosen, as that of a car [rad].
const USUAL_STEER: f64 = 30.0 * std::f64::consts::PI / 180.0;
/// Largest steering angle of a class [rad].
const MOST_STEER: f64 = 89.0 * std::f64::consts::PI / 180.0;

/// A drive of skidpad.
#[derive(Clone, Debug)]
pub(super) enum Drive {
    /// Two driven wheels; a castor, if one carries weight.
    Differential(Option<Castor>),
    /// Four driven wheels that skid in turns.
    SkidSteer,
    /// Two wheels that are steered, ahead of two that are not.
    Ackermann {
        /// Largest angle of the equivalent single track [rad].
        max_steer: f64,
        /// Type of the differentials.
        differentials: &'static str,
    },
}

/// Wheels with their roles, and the frame of the vehicle.
#[derive(Debug)]
pub(super) struct Layout {
    pub drive: Drive,
    /// The wheels in the order of the drive, each with its tag.
    pub wheels: Vec<(&'static str, RobotWheel)>,
    /// The reference point, on the ground, x ahead.
    pub robot_from_body: Pose3,
}

impl Layout {
    /// Chooses the drive. None, with the error recorded, where there is none for these wheels.
    pub(super) fn choose(context: &Context, robot: &Robot<'_>, hints: &DriveHints, found: Wheels) -> Option<Layout> {
        let heading = heading(context, robot, &found.wheels);
        let turn = Pose3 { yaw: -heading, ..Pose3::default() }.rotation();
        let level = |wheel: &RobotWheel| turn * wheel.center;
        let (steered, fixed): (Vec<RobotWheel>, Vec<RobotWheel>) =
            found.wheels.iter().cloned().partition(|wheel| wheel.hinge.is_some());
        let (steered, fixed) = (sides(steered, level), sides(fixed, level));
        let ground = found.ground;
        let at = |wheels: &[&RobotWheel]| {
            let middle = wheels.iter().map(|wheel| wheel.center).sum::<Vec3>() / wheels.len() as f64;
            Pose3 { x: middle.x, y: middle.y, z: ground, yaw: heading, ..Pose3::default() }
        };
        let tagged = |tags: &[&'static str], wheels: &[&RobotWheel]| {
            tags.iter().copied().zip(wheels.iter().map(|wheel| (*wheel).clone())).collect::<Vec<_>>()
        };
        match (&steered[..], &fixed[..]) {
            ([], [[left, right]]) => {
                let robot_from_body = at(&[left, right]);
                let castor = castor(robot, &found, &robot_from_body, &[left, right]);
                let wheels = tagged(&["l_wheel", "r_wheel"], &[left, right]);
                Some(Layout { drive: Drive::Differential(castor), wheels, robot_from_body })
            }
            ([], [[rear_left, rear_right], middle @ .., [front_left, front_right]]) => {
                leave_out(context, robot, middle);
                let all = [rear_left, rear_right, front_left, front_right];
                let wheels = tagged(&["lr_wheel", "rr_wheel", "lf_wheel", "rf_wheel"], &all);
                Some(Layout { drive: Drive::SkidSteer, wheels, robot_from_body: at(&all) })
            }
            ([.., [front_left, front_right]], rest) => {
                // With all wheels steered, the rear ones stay straight.
                let all: Vec<&[RobotWheel; 2]> = rest.iter().chain(&steered[..steered.len() - 1]).collect();
                let front_x = 0.5 * (level(front_left).x + level(front_right).x);
                let behind: Vec<_> = all.into_iter().filter(|pair| level(&pair[0]).x < front_x - 1e-3).collect();
                let driven = |pair: &&&[RobotWheel; 2]| pair.iter().any(|wheel| wheel.is_driven);
                let Some(rear) = behind.iter().find(driven).or(behind.first()).copied() else {
                    context
                        .error(&robot.place, "the steered wheels are behind the others")
                        .accepted(["steered wheels ahead of the others, along the x axis"]);
                    return None;
                };
                let others: Vec<[RobotWheel; 2]> =
                    behind.iter().filter(|pair| pair[0].joint != rear[0].joint).map(|pair| (*pair).clone()).collect();
                leave_out(context, robot, &others);
                if rear[0].hinge.is_some() {
                    let joint = &robot.joints[rear[0].joint];
                    context.warn(&joint.place, "the rear wheels are steered too: here they stay straight");
                }
                let [rear_left, rear_right] = rear;
                let all = [rear_left, rear_right, front_left, front_right];
                let drive = Drive::Ackermann {
                    max_steer: max_steer(
                        context,
                        robot,
                        hints,
                        [front_left, front_right],
                        front_x - level(rear_left).x,
                    ),
                    differentials: differentials(rear_left.is_driven, front_left.is_driven),
                };
                let wheels = tagged(&["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"], &all);
                Some(Layout { drive, wheels, robot_from_body: at(&[rear_left, rear_right]) })
            }
            _ => {
                let names: Vec<&str> =
                    found.wheels.iter().map(|wheel| robot.joints[wheel.joint].name.as_str()).collect();
                let what =
                    if names.is_empty() { "no wheels".to_owned() } else { format!("wheels on {}", names.join(", ")) };
                context
                    .error(&robot.place, format!("robot \"{}\" has {what}", robot.name))
                    .accepted([
                        "two wheels side by side",
                        "four wheels in two pairs",
                        "two steered wheels ahead of two others",
                    ])
                    .hint("a wheel hangs on a joint that turns about a level axis without end, and its link has a cylinder, sphere or mesh about that axis");
                None
            }
        }
    }
}

/// Direction in which the robot drives [rad] in its own frame: along x, or, where the axles lie along x, to the side to which its wheels roll.
fn heading(context: &Context, robot: &Robot<'_>, wheels: &[RobotWheel]) -> f64 {
    let along_x = wheels.iter().filter(|wheel| wheel.axle.x.abs() > wheel.axle.y.abs()).count();
    let Some(first) = wheels.first().filter(|_| 2 * along_x > wheels.len()) else { return 0.0 };
    let ahead = first.axle.cross(&Vec3::z());
    let heading = std::f64::consts::FRAC_PI_2.copysign(ahead.y);
    context.warn(
        &robot.place,
        format!("the axles lie along the x axis: the vehicle's x axis is at {}° to it", heading.to_degrees()),
    );
    heading
}

/// Pairs of a left and a right wheel, from the rear to the front; wheels without a partner are left out.
fn sides(mut wheels: Vec<RobotWheel>, level: impl Fn(&RobotWheel) -> Vec3) -> Vec<[RobotWheel; 2]> {
    wheels.sort_by(|a, b| level(a).x.total_cmp(&level(b).x));
    let mut pairs = Vec::new();
    while let Some(first) = (!wheels.is_empty()).then(|| wheels.remove(0)) {
        // The partner on the other side is the nearest one along x.
        let apart = |other: &RobotWheel| (level(other).x - level(&first).x).abs();
        let is_beside = |other: &RobotWheel| (level(other).y - level(&first).y).abs() > apart(other).max(1e-6);
        let partner = (0..wheels.len())
            .filter(|k| is_beside(&wheels[*k]))
            .min_by(|a, b| apart(&wheels[*a]).total_cmp(&apart(&wheels[*b])));
        if let Some(partner) = partner {
            let second = wheels.remove(partner);
            let is_left = level(&first).y > level(&second).y;
            pairs.push(if is_left { [first, second] } else { [second, first] });
        }
    }
    pairs
}

/// Warns of wheels for which the drive has no place.
fn leave_out(context: &Context, robot: &Robot<'_>, pairs: &[[RobotWheel; 2]]) {
    for wheel in pairs.iter().flatten() {
        let joint = &robot.joints[wheel.joint];
        context
            .warn(
                &joint.place,
                format!("the wheel on joint \"{}\" is left out, its mass belongs to the chassis", joint.name),
            )
            .accepted(["at most four wheels"]);
    }
}

/// The castor that carries weight: in the middle of those on the side of the axle on which the centre of mass is.
fn castor(robot: &Robot<'_>, found: &Wheels, robot_from_body: &Pose3, wheels: &[&RobotWheel]) -> Option<Castor> {
    let body_from_robot = robot_from_body.inverse();
    let place = |castor: &Castor| body_from_robot.transform_point(castor.center);
    let wheel_links: Vec<usize> = wheels.iter().flat_map(|wheel| wheel.links.clone()).collect();
    let rest: Vec<usize> = (0..robot.links.len()).filter(|link| !wheel_links.contains(link)).collect();
    let center = super::mass::combined(robot, &rest, &body_from_robot).center;
    let side = if center.x > 0.0 { 1.0 } else { -1.0 };
    let radius = wheels.first()?.radius;
    let on_side: Vec<&Castor> = found.castors.iter().filter(|castor| side * place(castor).x > 0.5 * radius).collect();
    let count = on_side.len() as f64;
    let first = on_side.first()?;
    Some(Castor {
        name: on_side.iter().map(|castor| castor.name.as_str()).collect::<Vec<_>>().join(", "),
        center: on_side.iter().map(|castor| place(castor)).sum::<Vec3>() / count,
        radius: first.radius,
        links: on_side.iter().flat_map(|castor| castor.links.clone()).collect(),
    })
}

/// Type of differentials for wheels driven at the rear and at the front; without knowledge of either, the rear.
fn differentials(rear: bool, front: bool) -> &'static str {
    match (rear, front) {
        (true, true) => "open_4wd",
        (false, true) => "open_front",
        (_, false) => "open_rear",
    }
}

/// The largest angle of the equivalent single track [rad] at which no hinge exceeds its limits: cot δ = cot δ_inner + w/2l, with the front
/// track w and the wheelbase l, as in `vehicle::drive`.
fn max_steer(
    context: &Context,
    robot: &Robot<'_>,
    hints: &DriveHints,
    wheels: [&RobotWheel; 2],
    wheelbase: f64,
) -> f64 {
    let hinges = wheels.iter().filter_map(|wheel| wheel.hinge.map(|hinge| &robot.joints[hinge]));
    let reach = hinges.filter_map(|hinge| hinge.limits).map(|[low, high]| low.abs().min(high.abs()));
    let half_track = 0.5 * (wheels[0].center - wheels[1].center).xy().norm();
    let by_hinge = reach.reduce(f64::min).map(|inner| {
        libm::atan2(wheelbase * libm::sin(inner), wheelbase * libm::cos(inner) + half_track * libm::sin(inner))
    });
    let most = match (by_hinge, hints.max_steer) {
        (Some(hinge), Some(plugin)) => hinge.min(plugin),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => {
            context.warn(
                &robot.place,
                format!("no limit of its steering is stated: {} degrees are chosen", number(USUAL_STEER.to_degrees())),
            );
            USUAL_STEER
        }
    };
    most.clamp(1e-3, MOST_STEER)
}
