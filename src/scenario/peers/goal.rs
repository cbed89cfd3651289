//! Goals of navigation, and how they end.

use skidpad_files::legible::phrase;
use skidpad_math::{Pose2, Vec2};

/// A goal, by the actions of nav2.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// `NavigateToPose`.
    NavigateToPose {
        /// The pose in the map [m, rad].
        pose: Pose2,
        /// File of a behaviour tree; empty: that of the navigator.
        behavior_tree: String,
    },
    /// `FollowWaypoints`.
    FollowWaypoints {
        /// The poses in the map [m, rad]; at least one.
        poses: Vec<Pose2>,
        /// How often they are visited again.
        loops: u32,
    },
    /// `FollowPath`.
    FollowPath {
        /// The poses in the map [m, rad]; at least two.
        poses: Vec<Pose2>,
        /// Plugins by their names; empty: the only one, or the default.
        controller_id: String,
        /// See `controller_id`.
        goal_checker_id: String,
    },
}

impl Goal {
    /// The poses on the way [m, rad], the last one at its end.
    pub fn poses(&self) -> &[Pose2] {
        match self {
            Goal::NavigateToPose { pose, .. } => std::slice::from_ref(pose),
            Goal::FollowWaypoints { poses, .. } | Goal::FollowPath { poses, .. } => poses,
        }
    }

    /// Length of the straight lines from the point `from` [m] through all of its poses, in all rounds [m].
    pub(crate) fn straight_length(&self, from: Vec2) -> f64 {
        let rounds = if let Goal::FollowWaypoints { loops, .. } = self { *loops } else { 0 };
        let points = || self.poses().iter().map(|pose| Vec2::new(pose.x, pose.y));
        let through =
            |from: Vec2| points().fold((0.0, from), |(length, last), point| (length + (point - last).norm(), point));
        let (first, end) = through(from);
        first + f64::from(rounds) * through(end).0
    }
}

/// How a goal ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Its status.
    pub status: GoalStatus,
    /// The error code of its result; none: its server has no such codes.
    pub error_code: Option<u16>,
    /// The message of its result; may be empty.
    pub message: String,
    /// Waypoints that were missed.
    pub missed: u32,
}

impl Ending {
    /// In words, such as `aborted, error 9003: timed out`.
    pub fn words(&self) -> String {
        let mut text = self.status.name().to_owned();
        if let Some(code) = self.error_code.filter(|code| *code != 0) {
            text += &format!(", error {code}");
        }
        if self.missed > 0 {
            text += &format!(", {} missed", self.missed);
        }
        match phrase(&self.message) {
            message if message.is_empty() => text,
            message => format!("{text}: {message}"),
        }
    }
}

/// The status that a goal ends with, by the names of actions in ROS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoalStatus {
    /// It was reached.
    #[default]
    Succeeded,
    /// The server gave it up.
    Aborted,
    /// It was cancelled.
    Canceled,
    /// The server did not accept it.
    Rejected,
}

impl GoalStatus {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            GoalStatus::Succeeded => "succeeded",
            GoalStatus::Aborted => "aborted",
            GoalStatus::Canceled => "canceled",
            GoalStatus::Rejected => "rejected",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// To (3, 4), on to (3, 0), and from there both once more.
    #[test]
    fn straight_lines_lead_through_all_waypoints_in_all_rounds() {
        let poses = vec![Pose2::new(3.0, 4.0, 1.0), Pose2::new(3.0, 0.0, 0.0)];
        let goal = |loops| Goal::FollowWaypoints { poses: poses.clone(), loops };
        assert_eq!([0, 1].map(|loops| goal(loops).straight_length(Vec2::ZERO)), [9.0, 17.0]);
    }

    #[test]
    fn an_ending_tells_what_its_server_told() {
        let ending =
            Ending { status: GoalStatus::Aborted, error_code: Some(103), message: " stuck ".into(), missed: 2 };
        assert_eq!(ending.words(), "aborted, error 103, 2 missed: stuck");
        assert_eq!(Ending { error_code: Some(0), ..Ending::default() }.words(), "succeeded");
    }
}
