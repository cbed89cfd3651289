//! The action `SimulateSteps`: steps with feedback after each, until they are made or its caller cancels.
//!
//! An action is three services and two topics, and is offered as these: the client library's own server of actions loses goals where
//! more than ten come at once, and never forgets one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use r2r::action_msgs::msg::{GoalInfo, GoalStatus, GoalStatusArray};
use r2r::action_msgs::srv::CancelGoal;
use r2r::builtin_interfaces::msg::Time;
use r2r::simulation_interfaces::action::SimulateSteps::{
    Feedback, FeedbackMessage, GetResult, Result as Outcome, SendGoal,
};
use r2r::unique_identifier_msgs::msg::UUID;
use r2r::{Publisher, QosProfile, WrappedTypesupport};
use tokio::runtime::Handle;

use super::super::outcome::Refusal;
use super::super::simulation::Simulation;
use super::super::stepping::Progress;
use super::Desk;
use super::convert::result;
use super::goals::{Cancelled, GoalId, Goals, MOST, Stamp, Status};
use crate::guard::Guard;
use crate::ros::error::RosError;
use crate::ros::nul_safe;
use crate::ros::rosout::wall_clock;
use crate::ros::services::calls::Answering;
use crate::ros::throttle::Throttle;

/// How states of goals are published, as the client libraries of ROS do it: who joins late learns them.
const STATUS_QOS: QosProfile = QosProfile::default().keep_last(1).transient_local();
/// How long changes of states wait for further ones.
const TOGETHER: Duration = Duration::from_millis(10);
const FEEDBACK_QOS: QosProfile = QosProfile::default().keep_last(10);

/// Offers it.
pub fn offer(desk: &mut Desk<'_>) -> Result<(), RosError> {
    let name = desk.name("simulate_steps");
    let failed = |error: r2r::Error| RosError::new(format!("action \"{name}\""), format!("cannot be offered: {error}"));
    let part = |what: &str| format!("{name}/_action/{what}");
    let server = Arc::new(Server {
        simulation: desk.simulation.clone(),
        goals: Mutex::new(Goals::new()),
        feedback: announce(desk, &part("feedback"), FEEDBACK_QOS).map_err(failed)?,
        status: announce(desk, &part("status"), STATUS_QOS).map_err(failed)?,
        tasks: desk.tasks.clone(),
        guard: Guard::new(format!("action \"{name}\"")),
        complaint: Mutex::new(Throttle::new(Duration::from_secs(5))),
        is_publishing: AtomicBool::new(false),
        name: name.clone(),
    });
    let (asked, refusing, begun) = (server.clone(), server.clone(), server.clone());
    desk.reception
        .offer::<SendGoal::Service, _, _, _, _, _>(
            desk.node,
            &part("send_goal"),
            desk.tasks,
            Answering {
                answer: move |request: SendGoal::Request| std::future::ready(asked.accept(&request)),
                refuse: move |reason: String| {
                    refusing.complain(&reason);
                    SendGoal::Response::default()
                },
                answered: move |goal: Option<(GoalId, u64)>| begun.begin(goal),
            },
        )
        .map_err(failed)?;
    let asked = server.clone();
    desk.reception
        .offer::<GetResult::Service, _, _, _, _, _>(
            desk.node,
            &part("get_result"),
            desk.tasks,
            Answering {
                answer: move |request: GetResult::Request| {
                    let told = asked.lock().outcome(goal_id(&request.goal_id));
                    async move {
                        let outcome = match told {
                            Some(told) => told.await.ok(),
                            None => None,
                        };
                        let (status, result) =
                            outcome.map_or((0, Outcome::default()), |(status, result)| (status as i8, result));
                        (GetResult::Response { status, result }, ())
                    }
                },
                refuse: |reason: String| GetResult::Response {
                    status: 0,
                    result: Outcome { result: result::<()>(&Err(Refusal::failed(reason))) },
                },
                answered: |(): ()| (),
            },
        )
        .map_err(failed)?;
    desk.reception
        .offer::<CancelGoal::Service, _, _, _, _, _>(
            desk.node,
            &part("cancel_goal"),
            desk.tasks,
            Answering {
                answer: move |request: CancelGoal::Request| std::future::ready((server.cancel(&request.goal_info), ())),
                refuse: |_: String| CancelGoal::Response {
                    return_code: CancelGoal::Response::ERROR_REJECTED as i8,
                    ..Default::default()
                },
                answered: |(): ()| (),
            },
        )
        .map_err(failed)
}

fn announce<T: WrappedTypesupport>(
    desk: &mut Desk<'_>,
    topic: &str,
    qos: QosProfile,
) -> r2r::Result<Mutex<Publisher<T>>> {
    desk.node.create_publisher::<T>(topic, qos).map(Mutex::new)
}

/// What the parts of the action share.
struct Server {
    name: String,
    simulation: Arc<Simulation>,
    goals: Mutex<Goals<Outcome>>,
    // What publishes is of one thread at a time.
    feedback: Mutex<Publisher<FeedbackMessage>>,
    status: Mutex<Publisher<GoalStatusArray>>,
    tasks: Handle,
    guard: Guard,
    complaint: Mutex<Throttle>,
    /// Whether the states are about to be published.
    is_publishing: AtomicBool,
}

impl Server {
    fn lock(&self) -> MutexGuard<'_, Goals<Outcome>> {
        self.goals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a goal on, and says what is to be pursued once its caller knows.
    fn accept(&self, request: &SendGoal::Request) -> (SendGoal::Response, Option<(GoalId, u64)>) {
        let (id, stamp) = (goal_id(&request.goal_id), wall_clock());
        let accepted = self.lock().accept(id, (stamp.sec, stamp.nanosec), Instant::now());
        if !accepted {
            self.complain(&format!("a goal is refused: it is there already, or {MOST} are under way"));
        }
        (SendGoal::Response { accepted, stamp }, accepted.then_some((id, request.goal.steps)))
    }

    /// Says why a goal is refused, for which the response has no room.
    fn complain(&self, reason: &str) {
        if self.complaint.lock().unwrap_or_else(PoisonError::into_inner).is_due(Instant::now()) {
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
            server.lock().end(id, status, message, Instant::now());
            server.publish_status();
        });
    }

    /// Makes the steps of a goal. What cannot be done aborts it, so that its caller reads why.
    async fn pursue(self: &Arc<Self>, id: GoalId, steps: u64) -> (Status, Outcome) {
        self.lock().begin(id);
        self.publish_status();
        let goes_on = |progress: Progress| {
            let feedback = Feedback { completed_steps: progress.completed, remaining_steps: progress.remaining };
            publish(&self.feedback, &FeedbackMessage { goal_id: uuid(id), feedback });
            progress.remaining == 0 || !self.lock().is_canceling(id)
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
        let (outcome, marked) = self.lock().cancel(goal_id(&meant.goal_id), (meant.stamp.sec, meant.stamp.nanosec));
        if outcome == Cancelled::Done {
            self.publish_status();
        }
        let goals_canceling = marked.into_iter().map(|(id, stamp)| goal_info(id, stamp)).collect();
        CancelGoal::Response { return_code: outcome as i8, goals_canceling }
    }

    /// Publishes the states of all goals a little later, those of many goals at once.
    fn publish_status(self: &Arc<Self>) {
        if self.is_publishing.swap(true, Ordering::AcqRel) {
            return;
        }
        let server = self.clone();
        self.tasks.spawn(async move {
            tokio::time::sleep(TOGETHER).await;
            server.is_publishing.store(false, Ordering::Release);
            server.publish_status_now();
        });
    }

    fn publish_status_now(&self) {
        let status = |(id, stamp, status)| GoalStatus { goal_info: goal_info(id, stamp), status: status as i8 };
        let status_list = self.lock().all().map(status).collect();
        publish(&self.status, &GoalStatusArray { status_list });
    }
}

/// Whether somebody listens does not matter.
fn publish<T: WrappedTypesupport + 'static>(publisher: &Mutex<Publisher<T>>, message: &T) {
    drop(nul_safe::publish(&publisher.lock().unwrap_or_else(PoisonError::into_inner), message));
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
