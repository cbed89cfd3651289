//! Which drive a robot's wheels make, and where its reference point is.

mod any_direction;
mod backwards;
mod refusals;
mod sides;
mod tracked;

use std::collections::BTreeSet;

use skidpad_math::{Pose3, Vec3};
use skidpad_xml::Context;

use super::plugins::DriveHints;
use super::robot::{Joint, Robot};
use super::text::number;
use super::wheels::{Castor, RobotWheel, Wheels};
pub(super) use any_direction::mount_yaw;

/// Largest steering angle of the equivalent single track where a robot states none: chosen, as that of a car [rad].
const USUAL_STEER: f64 = 30.0 * std::f64::consts::PI / 180.0;
/// Likewise of a tricycle: chosen, as that of the drive [rad].
const USUAL_TRICYCLE_STEER: f64 = 80.0 * std::f64::consts::PI / 180.0;
/// Largest steering angle of a class [rad].
const MAX_STEER: f64 = 89.0 * std::f64::consts::PI / 180.0;

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
    /// A front wheel that is steered and driven, ahead of two that roll.
    Tricycle {
        /// Its largest angle [rad].
        max_steer: f64,
    },
    /// Three driven omni wheels.
    Omni3,
    /// Four driven omni wheels.
    Omni4,
    /// Four driven mecanum wheels.
    Mecanum,
    /// Two tracks.
    Tracked {
        /// Their length on the ground [m].
        ground_run: f64,
    },
}

impl Drive {
    /// Its `<dynamics class>`.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Drive::Differential(None) => "differential",
            Drive::Differential(Some(_)) => "differential_3_wheels",
            Drive::SkidSteer => "differential_4_wheels",
            Drive::Ackermann { .. } => "ackermann_drivetrain",
            Drive::Tricycle { .. } => "tricycle",
            Drive::Omni3 => "omni_3_wheels",
            Drive::Omni4 => "omni_4_wheels",
            Drive::Mecanum => "mecanum",
            Drive::Tracked { .. } => "tracked",
        }
    }

    /// Largest angle of the equivalent single track [rad], if it is steered.
    pub(super) fn max_steer(&self) -> Option<f64> {
        match self {
            Drive::Ackermann { max_steer, .. } | Drive::Tricycle { max_steer } => Some(*max_steer),
            _ => None,
        }
    }
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

/// Wheels in pairs, from the rear to the front, and those without a partner.
#[derive(Default)]
struct Paired {
    pairs: Vec<[RobotWheel; 2]>,
    singles: Vec<RobotWheel>,
}

/// What a layout is chosen from.
struct Choosing<'a, 'r> {
    context: &'a Context,
    robot: &'a Robot<'r>,
    hints: &'a DriveHints,
    /// Height of the ground [m] and direction ahead [rad] in the frame of the robot.
    ground: f64,
    heading: f64,
    /// Largest angle of the steered wheel of a single-track model, which stands for two [rad].
    virtual_steer: Option<f64>,
}

impl Layout {
    /// Chooses the drive. None, with the error recorded, where there is none for these wheels.
    pub(super) fn choose(
        context: &Context,
        robot: &Robot<'_>,
        hints: &DriveHints,
        robot_wheels: Wheels,
    ) -> Option<Layout> {
        let limit = |wheel: &RobotWheel| {
            robot.joints[wheel.hinge?].written_limits().map(|[low, high]| low.abs().min(high.abs()))
        };
        let virtual_steer = robot_wheels.virtual_wheels.iter().filter_map(limit).reduce(f64::min);
        let along_x = Choosing { context, robot, hints, ground: robot_wheels.ground, heading: 0.0, virtual_steer };
        if hints.has_tracks() {
            return along_x.tracked();
        }
        if along_x.stands_on_legs(&robot_wheels) {
            return None;
        }
        if let Some(layout) = along_x.any_direction(&robot_wheels) {
            along_x.warn_of_exchanged_sides(&layout);
            along_x.warn_of_reversed_axes(&layout);
            return Some(layout);
        }
        let mut choosing = Choosing { heading: heading(context, robot, &robot_wheels.wheels), ..along_x };
        let is_turned = choosing.looks_backwards(&robot_wheels.wheels);
        if is_turned {
            choosing.heading += if choosing.heading > 0.0 { -std::f64::consts::PI } else { std::f64::consts::PI };
            let degrees = number(choosing.heading.to_degrees());
            context.warn(
                &robot.place,
                format!("the steered wheels are at the other end: the vehicle's x axis is at {degrees}° to that of the robot"),
            );
        }
        let layout = choosing.by_pairs(robot_wheels)?;
        choosing.warn_of_exchanged_sides(&layout);
        // The axes of one that looks backwards may be right for its own frame.
        if !is_turned {
            choosing.warn_of_reversed_axes(&layout);
        }
        Some(layout)
    }

    /// The wheels that the drive of the class drives.
    pub(super) fn driven_wheels(&self) -> Vec<&RobotWheel> {
        let of = |range: std::ops::Range<usize>| self.wheels[range].iter().map(|(_, wheel)| wheel).collect();
        match self.drive {
            Drive::Ackermann { differentials: "open_rear", .. } => of(0..2),
            Drive::Ackermann { differentials: "open_front", .. } => of(2..4),
            Drive::Tricycle { .. } => of(2..3),
            _ => of(0..self.wheels.len()),
        }
    }
}

impl Choosing<'_, '_> {
    /// The layout of wheels in pairs and of single ones. None, with the error recorded, where no drive has such.
    fn by_pairs(&self, mut robot_wheels: Wheels) -> Option<Layout> {
        let (steered, fixed) = robot_wheels.wheels.iter().cloned().partition(|wheel| wheel.hinge.is_some());
        let (steered, fixed) = (self.paired(steered), self.paired(fixed));
        let is_alone = |wheel: &RobotWheel| wheel.is_driven || wheel.hinge.is_some();
        let singles = || steered.singles.iter().chain(&fixed.singles);
        match (&steered.pairs[..], &fixed.pairs[..], &steered.singles[..]) {
            ([], [[left, right]], _) if !singles().any(is_alone) => {
                // A third wheel that is neither driven nor steered carries weight.
                robot_wheels.castors.extend(singles().map(|wheel| Castor::of_wheel(self.robot, wheel)));
                let robot_from_body = self.middle_frame(&[left, right]);
                let castor = castor(self.robot, &robot_wheels, &robot_from_body, &[left, right]);
                let wheels = tagged(["l_wheel", "r_wheel"], [left, right]);
                Some(Layout { drive: Drive::Differential(castor), wheels, robot_from_body })
            }
            ([], [[rear_left, rear_right], middle @ .., [front_left, front_right]], _) if !singles().any(is_alone) => {
                self.leave_out(middle.iter().flatten().chain(singles()), PAIRS);
                let all = [rear_left, rear_right, front_left, front_right];
                let wheels = tagged(["lr_wheel", "rr_wheel", "lf_wheel", "rf_wheel"], all);
                Some(Layout { drive: Drive::SkidSteer, wheels, robot_from_body: self.middle_frame(&all) })
            }
            ([], [[left, right]], [front]) if fixed.singles.is_empty() && self.is_turned(front) => {
                self.tricycle([left, right], front)
            }
            ([rear @ .., front], fixed, _) => {
                if self.is_articulated(&steered.pairs) || self.steers_too_much(rear, front, fixed) {
                    return None;
                }
                self.leave_out(singles(), PAIRS);
                // With all wheels steered, the rear ones stay straight.
                self.ackermann(front, fixed.iter().chain(rear).collect())
            }
            _ => {
                self.refuse(&robot_wheels);
                None
            }
        }
    }

    /// The centre of a wheel in a frame whose x axis points ahead.
    fn level(&self, wheel: &RobotWheel) -> Vec3 {
        Pose3 { yaw: -self.heading, ..Pose3::default() }.rotation() * wheel.center
    }

    /// The frame in the middle of wheels, on the ground.
    fn middle_frame(&self, wheels: &[&RobotWheel]) -> Pose3 {
        let middle = wheels.iter().map(|wheel| wheel.center).sum::<Vec3>() / wheels.len() as f64;
        Pose3 { x: middle.x, y: middle.y, z: self.ground, yaw: self.heading, ..Pose3::default() }
    }

    /// Finds for each wheel the one on the other side that is nearest along x.
    fn paired(&self, mut wheels: Vec<RobotWheel>) -> Paired {
        wheels.sort_by(|a, b| self.level(a).x.total_cmp(&self.level(b).x));
        let mut paired = Paired::default();
        while let Some(first) = (!wheels.is_empty()).then(|| wheels.remove(0)) {
            let at = self.level(&first);
            let apart = |other: &RobotWheel| (self.level(other).x - at.x).abs();
            let is_beside = |other: &RobotWheel| (self.level(other).y - at.y).abs() > apart(other).max(1e-6);
            let partner = (0..wheels.len())
                .filter(|k| is_beside(&wheels[*k]))
                .min_by(|a, b| apart(&wheels[*a]).total_cmp(&apart(&wheels[*b])));
            match partner.map(|partner| wheels.remove(partner)) {
                Some(second) if at.y > self.level(&second).y => paired.pairs.push([first, second]),
                Some(second) => paired.pairs.push([second, first]),
                None => paired.singles.push(first),
            }
        }
        paired
    }

    /// A steered pair ahead of one of `other_pairs`: of the driven one, if any is.
    fn ackermann(&self, front: &[RobotWheel; 2], other_pairs: Vec<&[RobotWheel; 2]>) -> Option<Layout> {
        let [front_left, front_right] = front;
        let front_x = 0.5 * (self.level(front_left).x + self.level(front_right).x);
        let behind: Vec<_> = other_pairs.into_iter().filter(|pair| self.level(&pair[0]).x < front_x - 1e-3).collect();
        let is_driven = |pair: &&&[RobotWheel; 2]| pair.iter().any(|wheel| wheel.is_driven);
        let Some(rear) = behind.iter().find(is_driven).or(behind.first()).copied() else {
            self.context
                .error(&self.robot.place, "the steered wheels are behind the others")
                .accepted(["steered wheels ahead of the others, along the x axis"])
                .hint(BACKWARDS);
            return None;
        };
        self.leave_out(behind.iter().filter(|pair| pair[0].joint != rear[0].joint).copied().flatten(), PAIRS);
        if rear[0].hinge.is_some() {
            let joint = &self.robot.joints[rear[0].joint];
            self.context.warn(&joint.place, "the rear wheels are steered too: here they stay straight");
        }
        let [rear_left, rear_right] = rear;
        let drive = Drive::Ackermann {
            max_steer: self.max_steer(&front.each_ref()[..], front_x - self.level(rear_left).x, USUAL_STEER),
            differentials: differentials(rear_left.is_driven, front_left.is_driven),
        };
        let all = [rear_left, rear_right, front_left, front_right];
        let wheels = tagged(["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"], all);
        Some(Layout { drive, wheels, robot_from_body: self.middle_frame(&[rear_left, rear_right]) })
    }

    /// Whether something turns the hinge of a wheel, which does not just swivel as that of a castor.
    fn is_turned(&self, wheel: &RobotWheel) -> bool {
        let hinge = wheel.hinge.map(|hinge| &self.robot.joints[hinge]);
        hinge.is_some_and(|hinge| wheel.is_driven || hinge.limits.is_some() || self.hints.steers(&hinge.name))
    }

    /// A steered wheel ahead of a pair.
    fn tricycle(&self, [left, right]: [&RobotWheel; 2], front: &RobotWheel) -> Option<Layout> {
        let robot_from_body = self.middle_frame(&[left, right]);
        let at = robot_from_body.inverse().transform_point(front.center);
        let half_track = 0.5 * (left.center - right.center).norm();
        let place = &self.robot.joints[front.joint].place;
        if at.x < 1e-3 || at.y.abs() > half_track {
            self.context
                .error(place, "the steered wheel is not ahead of the others and between them")
                .accepted(["a steered wheel ahead of two others, along the x axis"])
                .hint(BACKWARDS);
            return None;
        }
        if at.y.abs() > 0.02 * half_track {
            let aside = number(at.y);
            self.context
                .warn(place, format!("the steered wheel is {aside} m beside the middle: here it is in the middle"));
        }
        if left.is_driven || right.is_driven {
            let place = &self.robot.joints[left.joint].place;
            self.context.warn(place, "the rear wheels are driven: here the steered one is, and they roll");
        }
        let drive = Drive::Tricycle { max_steer: self.max_steer(&[front], at.x, USUAL_TRICYCLE_STEER) };
        let middle = robot_from_body.transform_point(Vec3::new(at.x, 0.0, at.z));
        let front = RobotWheel { center: middle, ..front.clone() };
        let wheels = tagged(["rl_wheel", "rr_wheel", "f_wheel"], [left, right, &front]);
        Some(Layout { drive, wheels, robot_from_body })
    }

    /// Warns of wheels for which the drive has no place beside those that are `accepted`.
    fn leave_out<'w>(&self, wheels: impl Iterator<Item = &'w RobotWheel>, accepted: &str) {
        for wheel in wheels {
            let joint = &self.robot.joints[wheel.joint];
            let message = format!("the wheel on joint \"{}\" is left out, its mass belongs to the chassis", joint.name);
            self.context.warn(&joint.place, message).accepted([accepted]);
        }
    }

    /// The largest angle of the equivalent single track [rad] at which no hinge of the steered wheels exceeds its
    /// limits; `usual` where there is no limit: cot δ = cot δ_inner + w/2l, with the front track w and the wheelbase l,
    /// as in `vehicle::drive`.
    fn max_steer(&self, front: &[&RobotWheel], wheelbase: f64, usual: f64) -> f64 {
        let hinges = front.iter().filter_map(|wheel| wheel.hinge.map(|hinge| &self.robot.joints[hinge]));
        let reach = hinges.filter_map(Joint::written_limits).map(|[low, high]| low.abs().min(high.abs()));
        let half_track = match front {
            [left, right] => 0.5 * (left.center - right.center).xy().norm(),
            _ => 0.0,
        };
        let by_hinge = reach.reduce(f64::min).map(|inner| {
            libm::atan2(wheelbase * libm::sin(inner), wheelbase * libm::cos(inner) + half_track * libm::sin(inner))
        });
        // The hinge of a single-track model turns by the angle that is asked for here.
        let by_hinge = self.virtual_steer.into_iter().chain(by_hinge).reduce(f64::min);
        let most = match (by_hinge, self.hints.max_steer) {
            (Some(hinge), Some(plugin)) => hinge.min(plugin),
            (Some(limit), None) | (None, Some(limit)) => limit,
            (None, None) => {
                let degrees = number(usual.to_degrees());
                let message = format!("its steering has no limit: {degrees} degrees are used");
                self.context.warn(&self.robot.place, message);
                usual
            }
        };
        most.clamp(1e-3, MAX_STEER)
    }
}

/// Hint where the steered wheels are at the rear.
const BACKWARDS: &str = "a robot that faces backwards is turned round if its steered wheels are named front, or its left wheels are on the right";

/// What [`Choosing::leave_out`] accepts of drives with pairs of wheels.
const PAIRS: &str = "wheels in at most two pairs";

/// Wheels with their tags.
fn tagged<const N: usize>(tags: [&'static str; N], wheels: [&RobotWheel; N]) -> Vec<(&'static str, RobotWheel)> {
    tags.into_iter().zip(wheels.into_iter().cloned()).collect()
}

/// Direction in which the robot drives [rad] in its own frame: along x, or, where the axles lie along x, to the side to
/// which its wheels roll.
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

/// The castor that carries weight: in the middle of those on the side of the axle on which the centre of mass is.
fn castor(robot: &Robot<'_>, robot_wheels: &Wheels, robot_from_body: &Pose3, wheels: &[&RobotWheel]) -> Option<Castor> {
    let body_from_robot = robot_from_body.inverse();
    let place = |castor: &Castor| body_from_robot.transform_point(castor.center);
    let wheel_links: Vec<usize> = wheels.iter().flat_map(|wheel| wheel.links.clone()).collect();
    let other_links: Vec<usize> = (0..robot.links.len()).filter(|link| !wheel_links.contains(link)).collect();
    let center = super::mass::combined(robot, &other_links, &body_from_robot).center;
    let side = if center.x > 0.0 { 1.0 } else { -1.0 };
    let radius = wheels.first()?.radius;
    let castors = robot_wheels.castors.iter();
    let on_side: Vec<&Castor> = castors.filter(|castor| side * place(castor).x > 0.5 * radius).collect();
    let count = on_side.len() as f64;
    let first = on_side.first()?;
    let links: BTreeSet<usize> = on_side.iter().flat_map(|castor| castor.links.clone()).collect();
    let mut names: Vec<&str> = on_side.iter().map(|castor| castor.name.as_str()).collect();
    names.dedup();
    Some(Castor {
        name: names.join(", "),
        center: on_side.iter().map(|castor| place(castor)).sum::<Vec3>() / count,
        radius: first.radius,
        links: links.into_iter().collect(),
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
