//! Where the centre of mass of a vehicle is between its wheels: what load each axle has, and what a bad place does.

use skidpad_math::Vec2;
use skidpad_xml::Context;

use super::class::{ClassChassis, ClassWheel, VehicleClass};
use super::layout::Drive;
use super::robot::Robot;
use super::text::number;
use super::trial;

/// Distance of the centre of mass from the middle, in parts of the track [-], above which its effect is looked for: chosen.
const ASIDE: f64 = 0.02;
/// Command with which it is looked for [m/s, rad/s]: a slow turn, in which robots that skid show most.
const TURN: [f64; 2] = [0.1, 0.5];
/// Axles that are nearer to each other than this count as one [m].
const MIN_WHEELBASE: f64 = 1e-3;

/// The centre of mass of chassis and wheels together [m].
fn center_of_mass(chassis: &ClassChassis, wheels: &[ClassWheel]) -> Vec2 {
    let moment = wheels.iter().fold(chassis.mass * chassis.center, |sum, wheel| sum + wheel.mass * wheel.position);
    let mass = chassis.mass + wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
    (1.0 / mass) * moment
}

/// The rearmost and the foremost axle [m]; none of vehicles on one axle or on tracks.
fn axles(drive: &Drive, wheels: &[ClassWheel]) -> Option<[f64; 2]> {
    let ends = wheels.iter().map(|wheel| wheel.position.x);
    let (rear, front) = (ends.clone().reduce(f64::min)?, ends.reduce(f64::max)?);
    let is_long = front - rear > MIN_WHEELBASE && !matches!(drive, Drive::Tracked { .. });
    is_long.then_some([rear, front])
}

/// Share of the weight [-] that is on the driven wheels, where the vehicle stands still.
pub(super) fn driven_share(drive: &Drive, chassis: &ClassChassis, wheels: &[ClassWheel]) -> f64 {
    let Some([rear, front]) = axles(drive, wheels) else { return 1.0 };
    let on_front = ((center_of_mass(chassis, wheels).x - rear) / (front - rear)).clamp(0.0, 1.0);
    match drive {
        Drive::Ackermann { differentials: "open_rear", .. } => 1.0 - on_front,
        Drive::Ackermann { differentials: "open_front", .. } | Drive::Tricycle { .. } => on_front,
        // The driven wheels of the others are the reference point, and a castor is at the other end.
        Drive::Differential(Some(_)) if rear < 0.0 => on_front,
        Drive::Differential(Some(_)) => 1.0 - on_front,
        _ => 1.0,
    }
}

/// What is wrong with a centre of mass that is not between the axles, so that one of them carries nothing.
pub(super) fn fault(class: &VehicleClass) -> Option<String> {
    let [rear, front] = axles(&class.drive, &class.wheels)?;
    let x = center_of_mass(&class.chassis, &class.wheels).x;
    let (place, off, other) =
        if x < rear { ("behind the rear", rear - x, "front") } else { ("ahead of the front", x - front, "rear") };
    (off > 0.0).then(|| {
        format!("centre of mass is {} m {place} wheels, and the {other} wheels carry no load", trial::shown(off))
    })
}

/// Warns of a centre of mass that leaves an axle without load, and of one beside the middle, with its effect.
pub(super) fn warn(context: &Context, robot: &Robot<'_>, class: &VehicleClass) {
    if let Some(fault) = fault(class) {
        context
            .warn(&robot.place, format!("the {fault}"))
            .accepted(["a centre of mass between the axles"])
            .hint("check the <inertial> of the heaviest link");
    }
    let sides = class.wheels.iter().map(|wheel| wheel.position.y);
    let (Some(right), Some(left)) = (sides.clone().reduce(f64::min), sides.reduce(f64::max)) else { return };
    let aside = center_of_mass(&class.chassis, &class.wheels).y - 0.5 * (left + right);
    if aside.abs() <= ASIDE * (left - right) {
        return;
    }
    let [speed, yaw_rate] = TURN;
    let turn = |yaw_rate: f64| trial::speed_in_turn(class, speed, yaw_rate);
    let (Some(to_left), Some(to_right)) = (turn(yaw_rate), turn(-yaw_rate)) else { return };
    if trial::is_close(to_left, speed) && trial::is_close(to_right, speed) {
        return;
    }
    let side = if aside > 0.0 { "left" } else { "right" };
    let message = format!(
        "the centre of mass is {} m to the {side} of the middle: asked {} m/s and {} rad/s, it drives {} m/s in a left turn and {} m/s in a right one",
        trial::shown(aside.abs()),
        number(speed),
        number(yaw_rate),
        trial::shown(to_left),
        trial::shown(to_right)
    );
    context.warn(&robot.place, message).hint("check the <inertial> of the heaviest link");
}
