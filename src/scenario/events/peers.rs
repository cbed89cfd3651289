//! Events that nodes beside the simulation carry out: goals, initial poses, parameters and states of nodes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::{Pose2, Vec2};
use skidpad_sim::waypoint_file::WaypointFile;

use super::EventWords;
use crate::peers::{Goal, NeedOf, Parameter, Transition};

/// Standard deviations of an initial pose [m, rad]: those of the tool in RViz, 0.5 m and 15°.
const SIGMA: f64 = 0.5;
const SIGMA_YAW: f64 = std::f64::consts::PI / 12.0;
/// Most points of a goal.
const MAX_POINTS: usize = 100_000;

/// A goal of `NavigateToPose`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavigateWords {
    /// Position in the world [m].
    pub at: [f64; 2],
    /// Heading [rad].
    #[serde(default)]
    pub yaw: f64,
    /// File of a behaviour tree; empty: that of the navigator.
    #[serde(default)]
    pub behavior_tree: String,
}

/// A goal of `FollowWaypoints`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaypointsWords {
    /// The points: x, y [m], and perhaps yaw [rad], which otherwise is towards the next one.
    pub points: Vec<Vec<f64>>,
    /// How often they are visited again.
    #[serde(default)]
    pub loops: u32,
}

/// A goal of `FollowPath`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathWords {
    /// The points, as of [`WaypointsWords`].
    pub points: Vec<Vec<f64>>,
    /// A CSV file of waypoints instead.
    pub file: Option<PathBuf>,
    /// Name of the controller; empty: the only one.
    pub controller_id: String,
    /// Name of the goal checker; empty: the only one.
    pub goal_checker_id: String,
}

/// Where a vehicle is said to be.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "truth, or the keys at, yaw, sigma and sigma_yaw")]
pub enum InitialPoseWords {
    /// Where it is.
    Truth(TruthWord),
    /// Here.
    Given(GivenPose),
}

/// The word for where a vehicle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TruthWord {
    /// Its true pose.
    Truth,
}

/// A pose with its uncertainty.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenPose {
    /// Position in the world [m].
    pub at: [f64; 2],
    /// Heading [rad].
    #[serde(default)]
    pub yaw: f64,
    /// Standard deviation of x and of y [m].
    #[serde(default = "default_sigma")]
    pub sigma: f64,
    /// Standard deviation of the heading [rad].
    #[serde(default = "default_sigma_yaw")]
    pub sigma_yaw: f64,
}

fn default_sigma() -> f64 {
    SIGMA
}

fn default_sigma_yaw() -> f64 {
    SIGMA_YAW
}

/// Parameters of a node.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParametersWords {
    /// Name of the node.
    pub node: String,
    /// Their values.
    pub set: BTreeMap<String, Parameter>,
}

/// A change of the state of a managed node.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LifecycleWords {
    /// Name of the node.
    pub node: String,
    /// The transition.
    pub transition: Transition,
}

/// A message to whoever listens.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishWords {
    /// Name of the topic.
    pub topic: String,
    /// Type of the message, `package/msg/Name`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The fields that are not 0 or empty, by name.
    #[serde(default)]
    pub message: serde_json::Map<String, serde_json::Value>,
}

impl InitialPoseWords {
    /// The pose of a vehicle whose true one this is, and the variances of x, y [m²] and yaw [rad²].
    pub(super) fn pose(&self, truth: Pose2) -> (Pose2, [f64; 3]) {
        let (pose, sigma, sigma_yaw) = match self {
            InitialPoseWords::Truth(TruthWord::Truth) => (truth, SIGMA, SIGMA_YAW),
            InitialPoseWords::Given(given) => {
                (Pose2::new(given.at[0], given.at[1], given.yaw), given.sigma, given.sigma_yaw)
            }
        };
        (pose, [sigma * sigma, sigma * sigma, sigma_yaw * sigma_yaw])
    }
}

impl EventWords {
    /// Whether it sends a goal.
    pub(crate) fn is_goal(&self) -> bool {
        self.navigate_to.is_some() || self.follow_waypoints.is_some() || self.follow_path.is_some()
    }

    /// The goal that it sends, with the files of `folder`.
    ///
    /// # Errors
    /// A file cannot be read, or has too few points.
    pub(super) fn goal(&self, folder: &Path) -> Result<Option<Goal>, Diagnostics> {
        if let Some(words) = &self.navigate_to {
            let pose = Pose2::new(words.at[0], words.at[1], words.yaw);
            return Ok(Some(Goal::NavigateToPose { pose, behavior_tree: words.behavior_tree.clone() }));
        }
        if let Some(words) = &self.follow_waypoints {
            return Ok(Some(Goal::FollowWaypoints { poses: poses(&words.points), loops: words.loops }));
        }
        let Some(words) = &self.follow_path else { return Ok(None) };
        let poses = match &words.file {
            None => poses(&words.points),
            Some(file) => {
                let read = WaypointFile::read(&folder.join(file), None)?;
                let points: Vec<Vec<f64>> =
                    read.points.iter().map(|point| vec![point.position.x, point.position.y]).collect();
                if points.len() < 2 || points.len() > MAX_POINTS {
                    let message = Diagnostic::new(&read.name, format!("{} points", points.len()));
                    return Err(message.accepted(format!("2 to {MAX_POINTS}")).into());
                }
                self::poses(&points)
            }
        };
        let (controller_id, goal_checker_id) = (words.controller_id.clone(), words.goal_checker_id.clone());
        Ok(Some(Goal::FollowPath { poses, controller_id, goal_checker_id }))
    }

    /// What it needs of the nodes beside the simulation, where its goal is this one.
    pub(super) fn needs(&self, goal: Option<&Goal>) -> impl Iterator<Item = NeedOf> {
        let all = [
            goal.cloned().map(NeedOf::Goals),
            self.initial_pose.as_ref().map(|_| NeedOf::InitialPose),
            self.parameters.as_ref().map(|words| NeedOf::Parameters(words.node.clone())),
            self.lifecycle.as_ref().map(|words| NeedOf::Lifecycle(words.node.clone())),
            self.publish.clone().map(|PublishWords { topic, kind, message }| NeedOf::Publish { topic, kind, message }),
        ];
        all.into_iter().flatten()
    }

    /// What is wrong with what it has nodes do.
    pub(super) fn check_peers(&self) -> Option<Diagnostic> {
        let lists = [
            ("follow_waypoints", self.follow_waypoints.as_ref().map(|words| (&words.points, 1, true))),
            ("follow_path", self.follow_path.as_ref().map(|words| (&words.points, 2, words.file.is_none()))),
        ];
        for (action, list) in lists {
            let Some((points, least, is_needed)) = list else { continue };
            if is_needed && !(least..=MAX_POINTS).contains(&points.len()) {
                let message = Diagnostic::new(action, format!("{} points", points.len()));
                let file = if action == "follow_path" { ", or a file" } else { "" };
                return Some(message.accepted(format!("points: {least} to {MAX_POINTS} of them{file}")));
            }
            if !is_needed && !points.is_empty() {
                return Some(Diagnostic::new(action, "points and a file").accepted("one of them"));
            }
            if let Some(point) = wrong_point(points) {
                return Some(
                    Diagnostic::new(action, format!("found {point:?}")).accepted("x, y [m], and perhaps yaw [rad]"),
                );
            }
        }
        if let Some(InitialPoseWords::Given(given)) = &self.initial_pose {
            let is_right = |sigma: f64| (0.0..=1e3).contains(&sigma);
            if !is_right(given.sigma) || !is_right(given.sigma_yaw) {
                let found = format!("found sigma {}, sigma_yaw {}", given.sigma, given.sigma_yaw);
                return Some(Diagnostic::new("initial_pose", found).accepted("numbers from 0 to 1000 [m, rad]"));
            }
        }
        let nodes = [
            ("parameters", self.parameters.as_ref().map(|words| &words.node)),
            ("lifecycle", self.lifecycle.as_ref().map(|words| &words.node)),
        ];
        let empty = nodes.into_iter().find(|(_, node)| node.is_some_and(String::is_empty));
        if let Some((action, _)) = empty {
            return Some(Diagnostic::new(action, "no node is named").accepted("node: its name"));
        }
        let PublishWords { topic, kind, .. } = self.publish.as_ref()?;
        if topic.is_empty() {
            return Some(Diagnostic::new("publish", "no topic is named").accepted("topic: its name"));
        }
        let is_kind = matches!(kind.split('/').collect::<Vec<_>>()[..], [package, "msg", name] if !package.is_empty() && !name.is_empty());
        let accepted = "a package and a name, such as std_msgs/msg/Bool";
        (!is_kind).then(|| Diagnostic::new("publish: type", format!("found \"{kind}\"")).accepted(accepted))
    }

    /// Its numbers in the plane, for a check of their ranges.
    pub(super) fn peer_places(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let navigate = self.navigate_to.as_ref().map(|words| [words.at[0], words.at[1], words.yaw]);
        let given = match &self.initial_pose {
            Some(InitialPoseWords::Given(given)) => Some([given.at[0], given.at[1], given.yaw]),
            _ => None,
        };
        navigate.into_iter().chain(given).flat_map(|all| ["at", "at", "yaw"].into_iter().zip(all))
    }
}

/// The first of these points that is none.
fn wrong_point(points: &[Vec<f64>]) -> Option<&Vec<f64>> {
    points.iter().find(|point| !(2..=3).contains(&point.len()) || !point.iter().all(|number| is_place(*number)))
}

fn is_place(number: f64) -> bool {
    number.abs() <= 1e6
}

/// Poses at these points: a heading that is not given is towards the next point, of the last one as before.
fn poses(points: &[Vec<f64>]) -> Vec<Pose2> {
    let position =
        |point: &Vec<f64>| Vec2::new(point.first().copied().unwrap_or(0.0), point.get(1).copied().unwrap_or(0.0));
    let mut poses: Vec<Pose2> = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        let place = position(point);
        let ahead = points[index + 1..].iter().map(|next| position(next) - place).find(|ahead| ahead.norm() > 0.0);
        let towards = ahead.map(|ahead| libm::atan2(ahead.y, ahead.x));
        let yaw = point.get(2).copied().or(towards).or_else(|| poses.last().map(|pose| pose.yaw)).unwrap_or(0.0);
        poses.push(Pose2::new(place.x, place.y, yaw));
    }
    poses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_that_are_not_given_are_towards_the_next_point() {
        let all = poses(&[vec![0.0, 0.0], vec![0.0, 2.0], vec![0.0, 2.0, 3.0], vec![1.0, 2.0], vec![1.0, 2.0]]);
        let half = std::f64::consts::FRAC_PI_2;
        let yaws: Vec<f64> = all.iter().map(|pose| pose.yaw).collect();
        assert_eq!(yaws, [half, 0.0, 3.0, 3.0, 3.0]);
        assert_eq!(poses(&[vec![1.0, 2.0]]), [Pose2::new(1.0, 2.0, 0.0)]);
    }

    #[test]
    fn goals_are_read_and_wrong_ones_refused() {
        let refused = |text: &str| {
            let words: EventWords = serde_saphyr::from_str(text).unwrap();
            let problem = words.check(&["a", "g"], 10.0).or_else(|| words.check_names(&["a", "g"], &["g"]));
            problem.map(|problem| problem.first_line())
        };
        assert_eq!(refused("{at: 1, navigate_to: {at: [1, 2]}}"), None);
        assert_eq!(refused("{at: 1, initial_pose: truth}"), None);
        assert_eq!(refused("{at: 1, cancel: g}"), None);
        assert_eq!(refused("{at: 1, parameters: {node: amcl, set: {a: 1, b: [0.5], c: x, d: true}}}"), None);
        let message = "message: {data: true, pose: {x: 1, y: 2.5, n: [1, 2]}, text: \"y\"}";
        assert_eq!(refused(&format!("{{at: 1, publish: {{topic: stop, type: std_msgs/msg/Bool, {message}}}}}")), None);
        assert_eq!(refused("{when: {active: bt_navigator}, lifecycle: {node: amcl, transition: deactivate}}"), None);
        assert_eq!(refused("{when: {goal: reached, of: g}, follow_path: {file: a.csv}}"), None);
        for (text, expected) in [
            ("{at: 1, navigate_to: {at: [1, .nan]}}", "navigate_to: at: found NaN"),
            ("{at: 1, follow_waypoints: {points: []}}", "follow_waypoints: 0 points"),
            ("{at: 1, follow_waypoints: {points: [[1]]}}", "follow_waypoints: found [1.0]"),
            ("{at: 1, follow_path: {points: [[1, 2]]}}", "follow_path: 1 points"),
            ("{at: 1, follow_path: {points: [[1, 2]], file: a.csv}}", "follow_path: points and a file"),
            ("{at: 1, publish: {topic: \"\", type: std_msgs/msg/Bool}}", "publish: no topic is named"),
            ("{at: 1, publish: {topic: /stop, type: Bool}}", "publish: type: found \"Bool\""),
            ("{at: 1, cancel: a}", "cancel: no event that sends a goal is called \"a\""),
            (
                "{at: 1, initial_pose: {at: [0, 0], sigma: -1}}",
                "initial_pose: found sigma -1, sigma_yaw 0.2617993877991494",
            ),
            ("{when: {goal: reached, of: a}, remove: x}", "when: of: no event that sends a goal is called \"a\""),
            ("{when: {goal: ended}, remove: x}", "when: goal and of need each other"),
        ] {
            assert_eq!(refused(text).as_deref(), Some(expected), "{text}");
        }
    }
}
