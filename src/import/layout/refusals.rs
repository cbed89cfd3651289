//! Robots that no drive fits, and why.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::Vec3;

use super::Choosing;
use crate::robot::Joint;
use crate::text::number;
use crate::wheels::{RobotWheel, Wheels, missing_mesh};

impl Choosing<'_, '_> {
    /// The error where no drive fits.
    pub(super) fn refuse(&self, robot_wheels: &Wheels) {
        let named = |wheel: &RobotWheel| {
            let steered = if wheel.hinge.is_some() { " (steered)" } else { "" };
            format!("{}{steered}", self.robot.joints[wheel.joint].name)
        };
        let names: Vec<String> = robot_wheels.wheels.iter().map(named).collect();
        for joint in robot_wheels.without_mesh.iter().map(|joint| &self.robot.joints[*joint]) {
            let mesh = missing_mesh(self.robot, joint).unwrap_or_default();
            let message = format!("joint \"{}\" may carry a wheel, but its mesh \"{mesh}\" is missing", joint.name);
            self.context.warn(&joint.place, message);
        }
        let castors: Vec<&str> = robot_wheels.castors.iter().map(|castor| castor.name.as_str()).collect();
        let listed = match (names.is_empty(), castors.is_empty()) {
            (false, _) => format!("wheels on {}", names.join(", ")),
            (true, false) => format!("no wheels but castors, on {}", castors.join(", ")),
            (true, true) => "no wheels".to_owned(),
        };
        self.context
            .error(&self.robot.place, format!("robot \"{}\" has {listed}", self.robot.name))
            .accepted([
                "two wheels side by side",
                "four wheels in two pairs",
                "one or two steered wheels ahead of two others",
                "three or four wheels whose axles cross",
            ])
            .hint(if robot_wheels.without_mesh.is_empty() {
                "a wheel needs a continuous joint with a horizontal axis, and a link with a cylinder, sphere or mesh about that axis"
            } else {
                "provide the missing meshes of the wheels (see the warnings), or give those links cylinders as collisions"
            });
    }

    /// Whether legs reach below the wheels; an error then.
    pub(super) fn stands_on_legs(&self, robot_wheels: &Wheels) -> bool {
        let Some(legs) = robot_wheels.legs else { return false };
        let (count, depth) = (legs.count, number((1e3 * legs.depth).round() / 1e3));
        let (name, lowest) = (&self.robot.name, &self.robot.links[legs.lowest].name);
        self.context
            .error(
                &self.robot.place,
                format!(
                    "robot \"{name}\" does not stand on wheels: {count} links reach below all that is round, \"{lowest}\" by {depth} m"
                ),
            )
            .accepted(["a robot on wheels or tracks"]);
        true
    }

    /// Whether a hinge far from an axle turns both of its wheels, and so a part of the vehicle; an error then.
    pub(super) fn is_articulated(&self, steered: &[[RobotWheel; 2]]) -> bool {
        let is_far = |[left, right]: &&[RobotWheel; 2]| {
            let Some(hinge) = left.hinge.filter(|_| left.hinge == right.hinge) else { return false };
            let middle = 0.5 * (left.center + right.center);
            let rolling = left.axle.cross(&Vec3::z());
            (middle - self.robot.joints[hinge].origin_in_robot).dot(&rolling).abs() > left.radius
        };
        let Some([left, right]) = steered.iter().find(is_far) else { return false };
        let Some(hinge) = left.hinge.map(|hinge| &self.robot.joints[hinge]) else { return false };
        let names = [left, right].map(|wheel| self.robot.joints[wheel.joint].name.as_str());
        self.context
            .error(
                &hinge.place,
                format!(
                    "joint \"{}\" turns a part of the vehicle with the wheels on joints \"{}\" and \"{}\": it is articulated, which is not imported",
                    hinge.name, names[0], names[1]
                ),
            )
            .accepted(["a hinge above each steered wheel"])
            .hint("write a class with the drive articulated by hand");
        true
    }

    /// Whether other axles than the foremost one are steered in a way that no drive has; an error then. The `rear` ones are steered too, the
    /// `fixed` ones are not.
    pub(super) fn steers_too_much(
        &self,
        rear: &[[RobotWheel; 2]],
        front: &[RobotWheel; 2],
        fixed: &[[RobotWheel; 2]],
    ) -> bool {
        let x = |pair: &[RobotWheel; 2]| 0.5 * (self.level(&pair[0]).x + self.level(&pair[1]).x);
        let last_fixed = fixed.iter().map(x).reduce(f64::max);
        let turns_far = |wheel: &RobotWheel| {
            let limits = wheel.hinge.and_then(|hinge| self.robot.joints[hinge].written_limits());
            limits.is_none_or(|[low, high]| low.abs().min(high.abs()) >= FRAC_PI_2)
        };
        let all_turn_far = || rear.iter().chain([front]).flatten().all(turns_far);
        let why = if rear.iter().any(|pair| last_fixed.is_some_and(|fixed| x(pair) < fixed)) {
            "are steered too, behind wheels that are not"
        } else if fixed.is_empty() && rear.len() > 1 {
            "are steered too, on more than two axles"
        } else if fixed.is_empty() && !rear.is_empty() && all_turn_far() {
            "are steered too, and every wheel turns by 90 degrees or more"
        } else {
            return false;
        };
        let joints: Vec<&Joint> = rear.iter().flatten().map(|wheel| &self.robot.joints[wheel.joint]).collect();
        let names: Vec<String> = joints.iter().map(|joint| format!("\"{}\"", joint.name)).collect();
        let place = joints.first().map_or(&self.robot.place, |joint| &joint.place);
        self.context
            .error(place, format!("the wheels on joints {} {why}: no drive has such", names.join(", ")))
            .accepted(["steered wheels on the front axle alone, or on two axles by less than 90 degrees"]);
        true
    }
}
