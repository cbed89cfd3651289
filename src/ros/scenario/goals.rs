//! Goals of nav2: action clients, and what becomes of each goal.

use std::collections::BTreeMap;

use futures::future::LocalBoxFuture;
use futures::stream::LocalBoxStream;
use futures::{FutureExt, StreamExt};
use r2r::{ActionClientGoalUntyped, ActionClientUntyped, Node};
use serde_json::{Value, json};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Pose2;
use skidpad_math::time::SimTime;
use skidpad_scenario::peers::{Ending, Goal, GoalStatus, Heard};

use super::Names;
use super::absence::Waiting;
use super::pose::{pose_json, stamp_json};

/// The action of a goal: its type, and its name in the namespace of a vehicle.
pub(super) fn action(goal: &Goal) -> (&'static str, &'static str) {
    match goal {
        Goal::NavigateToPose { .. } => ("nav2_msgs/action/NavigateToPose", "navigate_to_pose"),
        Goal::FollowWaypoints { .. } => ("nav2_msgs/action/FollowWaypoints", "follow_waypoints"),
        Goal::FollowPath { .. } => ("nav2_msgs/action/FollowPath", "follow_path"),
    }
}

/// A goal as its action has it.
fn request(goal: &Goal, now: SimTime, frame: &str) -> Value {
    let header = json!({"stamp": stamp_json(now), "frame_id": frame});
    let stamped = |pose: &Pose2| json!({"header": header, "pose": pose_json(*pose)});
    let all = |poses: &[Pose2]| poses.iter().map(stamped).collect::<Vec<_>>();
    match goal {
        Goal::NavigateToPose { pose, behavior_tree } => json!({"pose": stamped(pose), "behavior_tree": behavior_tree}),
        Goal::FollowWaypoints { poses, loops } => json!({"number_of_loops": loops, "poses": all(poses)}),
        Goal::FollowPath { poses, controller_id, goal_checker_id } => json!({
            "path": {"header": header, "poses": all(poses)},
            "controller_id": controller_id,
            "goal_checker_id": goal_checker_id,
        }),
    }
}

/// How a goal ended whose result is this.
fn ending(status: r2r::GoalStatus, result: &Value) -> Ending {
    let status = match status {
        r2r::GoalStatus::Succeeded => GoalStatus::Succeeded,
        r2r::GoalStatus::Canceled => GoalStatus::Canceled,
        _ => GoalStatus::Aborted,
    };
    Ending {
        status,
        error_code: result["error_code"].as_u64().and_then(|code| u16::try_from(code).ok()),
        message: result["error_msg"].as_str().unwrap_or_default().to_owned(),
        missed: result["missed_waypoints"].as_array().map_or(0, |missed| missed.len() as u32),
    }
}

/// All that r2r gives of a goal that was accepted.
type Accepted = (
    ActionClientGoalUntyped,
    LocalBoxFuture<'static, Option<(r2r::GoalStatus, Value)>>,
    LocalBoxStream<'static, Value>,
);

/// How far a goal is.
enum Stage {
    /// Until its server is there.
    Waits(LocalBoxFuture<'static, bool>),
    /// Until its server answers.
    Asks(LocalBoxFuture<'static, Result<Accepted, r2r::Error>>),
    /// Until it ends.
    IsUnderWay(Accepted),
}

/// A goal that has not ended.
struct Open {
    number: usize,
    goal: Goal,
    client: ActionClientUntyped,
    stage: Stage,
    waiting: Waiting,
    /// Whether it is to be cancelled as soon as it is accepted.
    is_unwanted: bool,
}

/// The action clients, and the goals that have not ended.
#[derive(Default)]
pub(super) struct Goals {
    clients: BTreeMap<String, ActionClientUntyped>,
    open: Vec<Open>,
    cancels: Vec<LocalBoxFuture<'static, Result<(), r2r::Error>>>,
}

impl Goals {
    /// Makes the client for goals of this kind, of which one is given.
    ///
    /// # Errors
    /// The program was built without nav2's messages, or the middleware refuses the client.
    pub(super) fn prepare(
        &mut self,
        node: &mut Node,
        names: &Names,
        vehicle: &str,
        goal: &Goal,
    ) -> Result<(), Diagnostic> {
        let (kind, name) = action(goal);
        let name = names.full(vehicle, name);
        if self.clients.contains_key(&name) {
            return Ok(());
        }
        let client = node.create_action_client_untyped(&name, kind).map_err(|cause| match cause {
            r2r::Error::InvalidMessageType { .. } => Diagnostic::new(
                kind,
                "skidpad was built without nav2_msgs and cannot send goals",
            )
            .hint(format!("install ros-{}-nav2-msgs and build again; cargo says what else it needs", r2r::ROS_DISTRO)),
            cause => Diagnostic::new(format!("action \"{name}\""), format!("no client: {cause}")),
        })?;
        self.clients.insert(name, client);
        Ok(())
    }

    /// Sends the goal of this number to the server of this full name as soon as it is there.
    ///
    /// # Errors
    /// No client was prepared, or it fails.
    pub(super) fn send(&mut self, name: &str, number: usize, goal: Goal, waiting: Waiting) -> Result<(), Diagnostic> {
        let failed = |problem: String| Diagnostic::new(format!("action \"{name}\""), problem);
        let client = self.clients.get(name).ok_or_else(|| failed("no client".to_owned()))?.clone();
        let available = Node::is_available(&client).map_err(|cause| failed(cause.to_string()))?;
        let stage = Stage::Waits(available.map(|is_there| is_there.is_ok()).boxed_local());
        self.open.push(Open { number, goal, client, stage, waiting, is_unwanted: false });
        Ok(())
    }

    /// Cancels a goal; one that has not gone out ends at once.
    pub(super) fn cancel(&mut self, number: usize, heard: &mut Vec<Heard>) {
        let Some(index) = self.open.iter().position(|open| open.number == number) else { return };
        match &self.open[index].stage {
            Stage::Waits(_) => {
                self.open.remove(index).waiting.is_over(heard);
                let message = "before its server was available".to_owned();
                let ending = Ending { status: GoalStatus::Canceled, message, ..Ending::default() };
                heard.push(Heard::Ended { number, ending });
            }
            Stage::Asks(_) => self.open[index].is_unwanted = true,
            Stage::IsUnderWay((handle, ..)) => {
                let handle = handle.clone();
                heard.extend(self.cancel_at(&handle));
            }
        }
    }

    fn cancel_at(&mut self, handle: &ActionClientGoalUntyped) -> Option<Heard> {
        match handle.cancel() {
            Ok(answer) => {
                self.cancels.push(answer.boxed_local());
                None
            }
            Err(cause) => Some(not_cancelled(&cause)),
        }
    }

    /// Looks after all goals; those that go out now have this time, and are in this frame.
    pub(super) fn turn(&mut self, node: &Node, now: SimTime, frame: &str, heard: &mut Vec<Heard>) {
        self.cancels.retain_mut(|answer| match answer.now_or_never() {
            None => true,
            Some(Ok(())) => false,
            Some(Err(cause)) => {
                heard.push(not_cancelled(&cause));
                false
            }
        });
        let mut unwanted = Vec::new();
        self.open.retain_mut(|open| open.turn(node, now, frame, heard, &mut unwanted));
        for handle in unwanted {
            heard.extend(self.cancel_at(&handle));
        }
    }
}

fn not_cancelled(cause: &r2r::Error) -> Heard {
    Heard::Remark(Diagnostic::new("cancel", format!("the goal is still under way: {cause}")))
}

impl Open {
    /// Returns whether it is still open.
    fn turn(
        &mut self,
        node: &Node,
        now: SimTime,
        frame: &str,
        heard: &mut Vec<Heard>,
        unwanted: &mut Vec<ActionClientGoalUntyped>,
    ) -> bool {
        let number = self.number;
        let rejected = |message: String| Heard::Ended {
            number,
            ending: Ending { status: GoalStatus::Rejected, message, ..Ending::default() },
        };
        if let Stage::Waits(available) = &mut self.stage {
            match available.now_or_never() {
                None => {
                    self.waiting.goes_on(node, heard);
                    return true;
                }
                Some(false) => {
                    heard.push(rejected("its client has ended".to_owned()));
                    return false;
                }
                Some(true) => self.waiting.is_over(heard),
            }
            match self.client.send_goal_request(request(&self.goal, now, frame)) {
                Ok(answer) => {
                    let answer = answer
                        .map(|answer| answer.map(|(handle, result, feedback)| accepted(handle, result, feedback)));
                    self.stage = Stage::Asks(answer.boxed_local());
                }
                Err(cause) => {
                    heard.push(rejected(cause.to_string()));
                    return false;
                }
            }
            heard.push(Heard::Sent(number));
        }
        if let Stage::Asks(answer) = &mut self.stage {
            match answer.now_or_never() {
                None => return true,
                Some(Ok(accepted)) => {
                    heard.push(Heard::Accepted(number));
                    if self.is_unwanted {
                        unwanted.push(accepted.0.clone());
                    }
                    self.stage = Stage::IsUnderWay(accepted);
                }
                Some(Err(cause)) => {
                    let message = match cause {
                        r2r::Error::RCL_RET_ACTION_GOAL_REJECTED => String::new(),
                        cause => cause.to_string(),
                    };
                    heard.push(rejected(message));
                    return false;
                }
            }
        }
        let Stage::IsUnderWay((_, result, feedback)) = &mut self.stage else { return true };
        while let Some(Some(reported)) = feedback.next().now_or_never() {
            let recoveries = reported["number_of_recoveries"].as_i64().and_then(|count| u32::try_from(count).ok());
            let remaining = reported["distance_remaining"].as_f64().or_else(|| reported["distance_to_goal"].as_f64());
            heard.push(Heard::Feedback { number, recoveries, remaining });
        }
        match result.now_or_never() {
            None => true,
            Some(result) => {
                let lost = || Ending {
                    status: GoalStatus::Aborted,
                    message: "its result was lost".to_owned(),
                    ..Ending::default()
                };
                let ending = result.map_or_else(lost, |(status, result)| ending(status, &result));
                heard.push(Heard::Ended { number, ending });
                false
            }
        }
    }
}

fn accepted<R, F>(handle: ActionClientGoalUntyped, result: R, feedback: F) -> Accepted
where
    R: Future<Output = Result<(r2r::GoalStatus, Result<Value, r2r::Error>), r2r::Error>> + 'static,
    F: futures::Stream<Item = Result<Value, r2r::Error>> + 'static,
{
    let result = result.map(|answer| answer.ok().map(|(status, value)| (status, value.unwrap_or(Value::Null))));
    (handle, result.boxed_local(), feedback.filter_map(|reported| std::future::ready(reported.ok())).boxed_local())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_has_the_fields_of_its_action() {
        let pose = Pose2::new(1.0, 2.0, std::f64::consts::PI);
        let goal = Goal::NavigateToPose { pose, behavior_tree: "a.xml".to_owned() };
        let written = request(&goal, SimTime(1_500_000_000), "map");
        assert_eq!(written["behavior_tree"], "a.xml");
        assert_eq!(written["pose"]["header"], json!({"stamp": {"sec": 1, "nanosec": 500_000_000}, "frame_id": "map"}));
        assert_eq!(written["pose"]["pose"]["position"], json!({"x": 1.0, "y": 2.0, "z": 0.0}));
        assert_eq!(written["pose"]["pose"]["orientation"]["z"], 1.0);
        let (controller_id, goal_checker_id) = ("FollowPath".to_owned(), String::new());
        let path = Goal::FollowPath { poses: vec![pose, pose], controller_id, goal_checker_id };
        assert_eq!(request(&path, SimTime::ZERO, "map")["path"]["poses"].as_array().unwrap().len(), 2);
        assert_eq!(action(&path).1, "follow_path");
    }

    #[test]
    fn results_of_all_distributions_are_read() {
        let humble = ending(r2r::GoalStatus::Aborted, &json!({"result": {}}));
        assert_eq!((humble.status, humble.error_code), (GoalStatus::Aborted, None));
        let jazzy = json!({"error_code": 9003, "error_msg": "late", "missed_waypoints": [{"index": 1}]});
        assert_eq!(ending(r2r::GoalStatus::Succeeded, &jazzy).words(), "succeeded, error 9003, 1 missed: late");
    }
}
