//! Wheels with rollers, on which a robot moves in any direction.
//!
//! Three or four wheels whose axles cross are omni wheels whatever a plugin says: other wheels there could not roll.
//! Mecanum wheels stand like any two pairs: a plugin or a controller tells them, or rollers that are joints of their
//! own.

use skidpad_math::{Vec2, Vec3};

use super::{Choosing, Drive, Layout, heading, tagged};
use crate::wheels::{RobotWheel, Wheels};

/// Least sine of the angle between axles that cross [-]: far more than any toe angle.
const CROSSING: f64 = 0.3;

impl Choosing<'_, '_> {
    /// The layout of wheels with rollers. None where there are none; a warning where a plugin drives them nevertheless.
    pub(super) fn any_direction(&self, robot_wheels: &Wheels) -> Option<Layout> {
        let is_used = |wheel: &&RobotWheel| self.hints.driven.is_empty() || wheel.is_driven;
        let mut wheels: Vec<RobotWheel> = robot_wheels.wheels.iter().filter(is_used).cloned().collect();
        // Two driven wheels whose axles cross cannot roll without the third one.
        if wheels.len() == 2 && robot_wheels.wheels.len() == 3 && cross(&wheels) {
            wheels.clone_from(&robot_wheels.wheels);
        }
        let are_straight = wheels.iter().all(|wheel| wheel.hinge.is_none());
        let layout = match wheels.len() {
            3 | 4 if are_straight && cross(&wheels) => Some(self.omni(wheels)),
            4 if are_straight && (self.hints.any_direction || wheels.iter().all(|wheel| wheel.has_rollers)) => {
                self.mecanum(wheels)
            }
            _ => None,
        };
        match (&layout, &self.hints.roller_wheels) {
            (Some(layout), _) => {
                let is_left_out = |wheel: &&RobotWheel| layout.wheels.iter().all(|(_, used)| used.joint != wheel.joint);
                self.leave_out(robot_wheels.wheels.iter().filter(is_left_out), "the driven wheels");
            }
            (None, Some(place)) => {
                self.context
                    .warn(
                        place,
                        "these wheels cannot move the robot in every direction: the drive is chosen by their geometry",
                    )
                    .accepted(["three or four wheels whose axles cross (omni)", "four wheels in two pairs (mecanum)"]);
            }
            (None, None) => {}
        }
        layout
    }

    /// Omni wheels, of which each is on one side of the middle.
    fn omni(&self, mut wheels: Vec<RobotWheel>) -> Layout {
        let robot_from_body = self.middle_frame(&wheels.iter().collect::<Vec<_>>());
        let body_from_robot = robot_from_body.inverse();
        let azimuth = |wheel: &RobotWheel| {
            let center = body_from_robot.transform_point(wheel.center);
            libm::atan2(center.y, center.x)
        };
        wheels.sort_by(|a, b| azimuth(a).total_cmp(&azimuth(b)));
        let (drive, wheels) = match &wheels[..] {
            [a, b, c] => {
                // The one behind the other two, which are the right and the left one by their azimuth.
                let all = [a, b, c];
                let behind = |k: &usize| azimuth(all[*k]).abs();
                let rear = (0..3).max_by(|i, j| behind(i).total_cmp(&behind(j))).unwrap_or(2);
                let (right, left) = (usize::from(rear == 0), if rear == 2 { 1 } else { 2 });
                let wheels = tagged(["fl_wheel", "fr_wheel", "rear_wheel"], [all[left], all[right], all[rear]]);
                (Drive::Omni3, wheels)
            }
            [rear_right, front_right, front_left, rear_left, ..] => {
                (Drive::Omni4, tagged(FOUR, [rear_left, rear_right, front_left, front_right]))
            }
            _ => (Drive::Omni4, Vec::new()),
        };
        Layout { drive, wheels, robot_from_body }
    }

    /// Mecanum wheels in two pairs.
    fn mecanum(&self, wheels: Vec<RobotWheel>) -> Option<Layout> {
        let ahead = Choosing { heading: heading(self.context, self.robot, &wheels), ..*self };
        let paired = ahead.paired(wheels);
        let [[rear_left, rear_right], [front_left, front_right]] = &paired.pairs[..] else { return None };
        let all = [rear_left, rear_right, front_left, front_right];
        Some(Layout { drive: Drive::Mecanum, wheels: tagged(FOUR, all), robot_from_body: ahead.middle_frame(&all) })
    }
}

/// Tags of four wheels.
const FOUR: [&str; 4] = ["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"];

/// Whether the axles of some wheels cross.
fn cross(wheels: &[RobotWheel]) -> bool {
    wheels.iter().any(|wheel| wheel.axle.cross(&wheels[0].axle).z.abs() > CROSSING)
}

/// Direction in which an omni wheel rolls where it turns the body to the left [rad], from its position [m] and its axle in the body frame.
pub(crate) fn mount_yaw(position: Vec2, axle: Vec3) -> f64 {
    let rolling = axle.cross(&Vec3::z());
    let turns_left = position.x * rolling.y - position.y * rolling.x >= 0.0;
    let ahead = if turns_left { rolling } else { -rolling };
    libm::atan2(ahead.y, ahead.x)
}

#[cfg(test)]
mod tests {
    use skidpad_math::wrap_angle;

    use super::*;

    #[test]
    fn an_omni_wheel_turns_the_body_to_the_left() {
        let near =
            |actual: f64, degrees: f64| assert!(wrap_angle(actual - degrees.to_radians()).abs() < 1e-9, "{actual}");
        // In front of the middle with its axle along x, either way round: it rolls to the left.
        for sign in [1.0, -1.0] {
            near(mount_yaw(Vec2::new(0.2, 0.0), Vec3::new(sign, 0.0, 0.0)), 90.0);
            near(mount_yaw(Vec2::new(0.0, 0.2), Vec3::new(0.0, sign, 0.0)), 180.0);
        }
        let (sin, cos) = libm::sincos(60.0_f64.to_radians());
        near(mount_yaw(Vec2::new(0.2 * cos, -0.2 * sin), Vec3::new(cos, -sin, 0.0)), 30.0);
    }
}
