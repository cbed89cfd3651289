//! Whether names and axes of wheels agree with where the wheels are and how they roll.

use super::{Choosing, Drive, Layout};
use crate::robot::Joint;
use crate::wheels::RobotWheel;

impl Choosing<'_, '_> {
    /// Warns of wheels called left that are on the right, together with such called right that are on the left: by the tags of a plugin, or else
    /// by their own names. The names of a robot without a front tell nothing.
    pub(super) fn warn_of_exchanged_sides(&self, layout: &Layout) {
        if matches!(layout.drive, Drive::Omni3 | Drive::Omni4) {
            return;
        }
        let body_from_robot = layout.robot_from_body.inverse();
        let is_across = |wheel: &RobotWheel, is_left: bool| {
            let y = body_from_robot.transform_point(wheel.center).y;
            self.is_called_left(wheel) == Some(is_left) && if is_left { y < 0.0 } else { y > 0.0 }
        };
        let named = |is_left: bool| -> Vec<&Joint> {
            let across = layout.wheels.iter().filter(|(_, wheel)| is_across(wheel, is_left));
            across.map(|(_, wheel)| &self.robot.joints[wheel.joint]).collect()
        };
        let (left, right) = (named(true), named(false));
        let (Some(first), false) = (left.first(), right.is_empty()) else { return };
        let message = format!(
            "{} called left, but on the right, and {} called right, but on the left: the geometry decides",
            listed(&left),
            listed(&right)
        );
        self.context.warn(&first.place, message).hint("exchange the names, or turn the robot if it looks backwards");
    }

    /// Whether a wheel is called left, or right; none: neither, or both.
    fn is_called_left(&self, wheel: &RobotWheel) -> Option<bool> {
        let joint = &self.robot.joints[wheel.joint];
        let by_plugin = self.hints.sides.each_ref().map(|names| names.contains(&joint.name));
        let by_name = || self.is_called(wheel);
        let [left, right] = if by_plugin == [false; 2] { by_name() } else { by_plugin };
        (left != right).then_some(left)
    }

    /// Warns of driven wheels whose axes point to the right: a positive speed rolls them backwards.
    pub(super) fn warn_of_reversed_axes(&self, layout: &Layout) {
        if matches!(layout.drive, Drive::Omni3 | Drive::Omni4 | Drive::Tracked { .. }) {
            return;
        }
        let body_from_robot = layout.robot_from_body.inverse().rotation();
        let is_reversed = |wheel: &&RobotWheel| (body_from_robot * wheel.axle).y < 0.0;
        let reversed: Vec<&Joint> = layout
            .driven_wheels()
            .into_iter()
            .filter(is_reversed)
            .map(|wheel| &self.robot.joints[wheel.joint])
            .collect();
        let Some(first) = reversed.first() else { return };
        let message = match &reversed[..] {
            [only] => format!(
                "the axis of joint \"{}\" points to the right, so a positive speed rolls its wheel backwards: here it rolls ahead",
                only.name
            ),
            all => format!(
                "the axes of {} point to the right, so positive speeds roll their wheels backwards: here they roll ahead",
                listed(all)
            ),
        };
        self.context.warn(&first.place, message).accepted(["axes that point to the left"]);
    }
}

/// Joints by their names.
fn listed(joints: &[&Joint]) -> String {
    let names: Vec<String> = joints.iter().map(|joint| format!("\"{}\"", joint.name)).collect();
    format!("{} {}", if names.len() == 1 { "joint" } else { "joints" }, names.join(", "))
}
