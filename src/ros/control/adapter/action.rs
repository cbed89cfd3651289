//! The action `SimulateSteps`: steps with feedback after each, until all are made or the caller cancels.
//!
//! An action consists of three services and two topics, and is implemented as these: the client library's own action server loses goals if
//! more than ten arrive at once, and never forgets one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use r2r::action_msgs::msg::{GoalInfo, GoalStatus, GoalStatusArray};
use r2r::action_msgs::srv::CancelGoal;
use r2r::builtin_interfaces::msg::Time;
use r2r::simulation_interfaces::action::SimulateSteps::{
    Feedback, FeedbackMessage, GetResult, Result as Outcome, SendGoal,
};
use r2r::unique_identifier_msgs::msg::UUID;
use r2r::{Publisher, QosProfile, WrappedTypesupport};
use skidpad_run::guard::{Guard, lock};
use tokio::runtime::Handle;

use super::super::outcome::Refusal;
use super::super::simulation::Simulation;
use super::super::stepping::Progress;
use super::Offers;
use super::convert::result;
use super::goals::{Cancelled, GoalId, Goals, MAX_GOALS, Stamp, Status};
use crate::error::RosError;
use crate::rosout::wall_clock;
use crate::throttle::Throttle;
use crate::typed_messages;

/// Quality of service of the states of goals, as in the client libraries of ROS: late joiners receive the last message.
const STATUS_QOS: QosProfile = QosProfile::default().keep_last(1).transient_local();
/// Delay of the states of goals, so that changes that follow each other closely are published together.
const STATUS_DELAY: Duration = Duration::from_millis(10);
const FEEDBACK_QOS: QosProfile = QosProfile::default().keep_last(10);

/// Offers the action.
pub fn offer(on: &mut Offers<'_>) -> Result<(), RosError> {
    let name = on.name("simulate_steps");
    offer_parts(on, &name)
        .map_err(|error| RosError::new(format!("action \"{name}\""), format!("cannot be offered: {error}")))
}

/// Offers its services and topics.
fn offer_parts(on: &mut Offers<'_>, name: &str) -> r2r::Result<()> {
    let part = |part_name: &str| format!("{name}/_action/{part_name}");
    let server = Arc::new(Server {
        simulation: on.simulation.clone(),
        goals: Mutex::new(Goals::new()),
        feedback: Mutex::new(on.node.create_publisher(&part("feedback"), FEEDBACK_QOS)?),
        status: Mutex::new(on.node.create_publisher(&part("status"), STATUS_QOS)?),
        tasks: on.calls.tasks().clone(),
        guard: Guard::new(format!("action \"{name}\"")),
        complaint: Mutex::new(Throttle::new(Duration::from_secs(5))),
        is_publishing: AtomicBool::new(false),
        name: name.to_owned(),
    });
    let (accepting, refusing) = (server.clone(), server.clone());
    on.calls.offer::<SendGoal::Service, _, _>(
        on.node,
        &part("send_goal"),
        move |request| {
            let (response, goal) = accepting.accept(&request);
            let server = accepting.clone();
            std::future::ready((response, move || server.begin(goal)))
        },
        move |reason| {
            refusing.complain(&reason);
            SendGoal::Response::default()
        },
    )?;
    let asked = server.clone();
    on.calls.offer::<GetResult::Service, _, _>(
        on.node,
        &part("get_result"),
        move |request| {
            let outcome = lock(&asked.goals).outcome(goal_id(&request.goal_id));
            async move {
                let outcome = match outcome {
                    Some(outcome) => outcome.await.ok(),
                    None => None,
                };
                let (status, result) =
                    outcome.map_or((0, Outcome::default()), |(status, result)| (status as i8, result));
                (GetResult::Response { status, result }, || ())
            }
        },
        |reason| GetResult::Response {
            status: 0,
            result: Outcome { result: result::<()>(&Err(Refusal::failed(reason))) },
        },
    )?;
    on.calls.offer::<CancelGoal::Service, _, _>(
        on.node,
        &part("cancel_goal"),
        move |request| std::future::ready((server.cancel(&request.goal_info), || ())),
        |_| CancelGoal::Response { return_code: CancelGoal::Response::ERROR_REJECTED as i8, ..Default::default() },
    )
}

/// State shared by the parts of the action.
struct Server {
    name: String,
    simulation: Arc<Simulation>,
    goals: Mutex<Goals<Outcome>>,
    // Only one thread may publish at a time.
    feedback: Mutex<Publisher<FeedbackMessage>>,
    status: Mutex<Publisher<GoalStatusArray>>,
    tasks: Handle,
    guard: Guard,
    complaint: Mutex<Throttle>,
    /// Whether the states are about to be published.
    is_publishing: AtomicBool,
}

impl Server {
    /// Accepts or refuses a goal; returns the response, and the goal to execute once the response is sent.
    fn accept(&self, request: &SendGoal::Request) -> (SendGoal::Response, Option<(GoalId, u64)>) {
        let (id, stamp) = (goal_id(&request.goal_id), wall_clock());
        let accepted = lock(&self.goals).accept(id, (stamp.sec, stamp.nanosec), Instant::now());
        if !accepted {
            self.complain(&format!("a goal is refused: its id is in use, or {MAX_GOALS} goals are under way"));
        }
        (SendGoal::Response { accepted, stamp }, accepted.then_some((id, request.goal.steps)))
    }

    /// Logs why a goal is refused, since the response has no room for it.
    fn complain(&self, reason: &str) {
        if lock(&self.complaint).is_due(Instant::now()) {
            tracing::warn!("action \"{}\": {reason}", self.name);
        }
    }

    fn begin(self: &Arc<Self>, goal: Option<(GoalId, u64)>) {
        let Some((id, steps)) = goal else { return };
        let server = self.clone();
        self.tasks.spawn(async move {
            let (status, message) = server.guard.run_async(server.pursue(id, steps)).await.unwrap_or_else(|| {
                let refusal = Refusal::failed("failed, see the log of the node");
                (Status::Aborted, Outcome { result: result::<()>(&Err(refusal)) })
            });
            lock(&server.goals).end(id, status, message, Instant::now());
            server.publish_status();
        });
    }

    /// Executes the steps of a goal. A refusal aborts the goal, so that the result gives the caller the reason.
    async fn pursue(self: &Arc<Self>, id: GoalId, steps: u64) -> (Status, Outcome) {
        lock(&self.goals).begin(id);
        self.publish_status();
        let goes_on = |progress: Progress| {
            let feedback = Feedback { completed_steps: progress.completed, remaining_steps: progress.remaining };
            publish(&self.feedback, &FeedbackMessage { goal_id: uuid(id), feedback });
            progress.remaining == 0 || !lock(&self.goals).is_canceling(id)
        };
        let outcome = self.simulation.step(steps, 1, goes_on).await;
        let status = match outcome {
            Err(_) => Status::Aborted,
            Ok(progress) if progress.remaining > 0 => Status::Canceled,
            Ok(_) => Status::Succeeded,
        };
        (status, Outcome { result: result(&outcome) })
    }

    fn cancel(self: &Arc<Self>, meant: &GoalInfo) -> CancelGoal::Response {
        let (outcome, marked) =
            lock(&self.goals).cancel(goal_id(&meant.goal_id), (meant.stamp.sec, meant.stamp.nanosec));
        if outcome == Cancelled::Done {
            self.publish_status();
        }
        let goals_canceling = marked.into_iter().map(|(id, stamp)| goal_info(id, stamp)).collect();
        CancelGoal::Response { return_code: outcome as i8, goals_canceling }
    }

    /// Publishes the states of all goals after a short delay, together with the changes meanwhile.
    fn publish_status(self: &Arc<Self>) {
        if self.is_publishing.swap(true, Ordering::AcqRel) {
            return;
        }
        let server = self.clone();
        self.tasks.spawn(async move {
            tokio::time::sleep(STATUS_DELAY).await;
            server.is_publishing.store(false, Ordering::Release);
            server.publish_status_now();
        });
    }

    fn publish_status_now(&self) {
        let status = |(id, stamp, status)| GoalStatus { goal_info: goal_info(id, stamp), status: status as i8 };
        let status_list = lock(&self.goals).all().map(status).collect();
        publish(&self.status, &GoalStatusArray { status_list });
    }
}

/// Publishes a message; failures are ignored.
fn publish<T: WrappedTypesupport + 'static>(publisher: &Mutex<Publisher<T>>, message: &T) {
    drop(typed_messages::publish(&lock(publisher), message));
}

fn goal_id(message: &UUID) -> GoalId {
    message.uuid.as_slice().try_into().unwrap_or_default()
}

fn uuid(id: GoalId) -> UUID {
    UUID { uuid: id.to_vec() }
}

fn goal_info(id: GoalId, (sec, nanosec): Stamp) -> GoalInfo {
    GoalInfo { goal_id: uuid(id), stamp: Time { sec, nanosec } }
}
