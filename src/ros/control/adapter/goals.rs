//! The goals of an action: their states, the callers that wait for results, and cancellation. Bounded in number, and independent of ROS.

use std::time::{Duration, Instant};

use futures::channel::oneshot;

/// Most goals that are remembered, including those that have ended.
pub(crate) const MAX_GOALS: usize = 512;
/// How long a result is kept after the end of its goal, as in the client libraries of ROS.
const RESULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Id of a goal; all zero: no particular goal.
pub(crate) type GoalId = [u8; 16];
/// Seconds and nanoseconds at which a goal was accepted.
pub type Stamp = (i32, u32);

/// State of a goal. The discriminants are those of action_msgs/msg/GoalStatus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub enum Status {
    Accepted = 1,
    Executing = 2,
    Canceling = 3,
    Succeeded = 4,
    Canceled = 5,
    Aborted = 6,
}

impl Status {
    fn has_ended(self) -> bool {
        matches!(self, Status::Succeeded | Status::Canceled | Status::Aborted)
    }
}

/// Outcome of a request to cancel. The discriminants are those of action_msgs/srv/CancelGoal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub(crate) enum Cancelled {
    Done = 0,
    UnknownGoal = 2,
    HasEnded = 3,
}

/// One goal.
struct Goal<R> {
    id: GoalId,
    stamp: Stamp,
    status: Status,
    /// The goal's result, and the time at which it ended.
    outcome: Option<(R, Instant)>,
    waiting: Vec<oneshot::Sender<(Status, R)>>,
}

/// All goals, in the order of their arrival.
pub struct Goals<R>(Vec<Goal<R>>);

impl<R: Clone> Goals<R> {
    /// An empty list.
    pub fn new() -> Goals<R> {
        Goals(Vec::new())
    }

    /// Accepts a goal. False if its id is taken, or too many goals are under way.
    pub fn accept(&mut self, id: GoalId, stamp: Stamp, now: Instant) -> bool {
        self.0.retain(|goal| {
            goal.outcome.as_ref().is_none_or(|(_, ended)| now.saturating_duration_since(*ended) < RESULT_TIMEOUT)
        });
        if self.0.iter().any(|goal| goal.id == id) {
            return false;
        }
        if self.0.len() >= MAX_GOALS {
            let Some(oldest) = self.0.iter().position(|goal| goal.status.has_ended()) else { return false };
            self.0.remove(oldest);
        }
        self.0.push(Goal { id, stamp, status: Status::Accepted, outcome: None, waiting: Vec::new() });
        true
    }

    /// Marks a goal as executing, unless it is being cancelled.
    pub fn begin(&mut self, id: GoalId) {
        if let Some(goal) = self.find(id).filter(|goal| goal.status == Status::Accepted) {
            goal.status = Status::Executing;
        }
    }

    /// Stores the result of a goal and sends it to the callers that wait for it.
    pub fn end(&mut self, id: GoalId, status: Status, result: R, now: Instant) {
        let Some(goal) = self.find(id) else { return };
        goal.status = status;
        for waiting in goal.waiting.drain(..) {
            // The client may have left.
            drop(waiting.send((status, result.clone())));
        }
        goal.outcome = Some((result, now));
    }

    /// Whether a goal is being cancelled.
    pub(crate) fn is_canceling(&self, id: GoalId) -> bool {
        self.0.iter().any(|goal| goal.id == id && goal.status == Status::Canceling)
    }

    /// The result of a goal, once it has ended; none if there is no such goal.
    pub fn outcome(&mut self, id: GoalId) -> Option<oneshot::Receiver<(Status, R)>> {
        let goal = self.find(id)?;
        let (sender, receiver) = oneshot::channel();
        match &goal.outcome {
            Some((result, _)) => drop(sender.send((goal.status, result.clone()))),
            None => goal.waiting.push(sender),
        }
        Some(receiver)
    }

    /// Marks goals as being cancelled and returns them: the goal `id`, and all goals accepted up to `stamp`, each unless it is zero; all
    /// goals if both are zero.
    pub fn cancel(&mut self, id: GoalId, stamp: Stamp) -> (Cancelled, Vec<(GoalId, Stamp)>) {
        let (names_one, names_time) = (id != GoalId::default(), stamp != Stamp::default());
        let is_meant = |goal: &Goal<R>| match (names_one, names_time) {
            (false, false) => true,
            (true, false) => goal.id == id,
            (_, true) => goal.id == id || goal.stamp <= stamp,
        };
        let mut marked = Vec::new();
        for goal in self.0.iter_mut().filter(|goal| is_meant(goal) && !goal.status.has_ended()) {
            goal.status = Status::Canceling;
            marked.push((goal.id, goal.stamp));
        }
        let outcome = match self.0.iter().find(|goal| names_one && goal.id == id) {
            _ if !marked.is_empty() || !names_one || names_time => Cancelled::Done,
            Some(_) => Cancelled::HasEnded,
            None => Cancelled::UnknownGoal,
        };
        (outcome, marked)
    }

    /// Every goal that is remembered.
    pub fn all(&self) -> impl Iterator<Item = (GoalId, Stamp, Status)> {
        self.0.iter().map(|goal| (goal.id, goal.stamp, goal.status))
    }

    fn find(&mut self, id: GoalId) -> Option<&mut Goal<R>> {
        self.0.iter_mut().find(|goal| goal.id == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u16) -> GoalId {
        let mut id = [1; 16];
        id[..2].copy_from_slice(&number.to_le_bytes());
        id
    }

    #[test]
    fn results_reach_waiting_and_late_callers() {
        let (mut goals, now) = (Goals::new(), Instant::now());
        assert!(goals.accept(id(1), (1, 0), now) && !goals.accept(id(1), (2, 0), now));
        goals.begin(id(1));
        assert_eq!(goals.all().collect::<Vec<_>>(), [(id(1), (1, 0), Status::Executing)]);
        let mut early = goals.outcome(id(1)).unwrap();
        assert_eq!(early.try_recv(), Ok(None));
        goals.end(id(1), Status::Succeeded, "done", now);
        let late = goals.outcome(id(1)).unwrap().try_recv();
        assert_eq!(
            (early.try_recv(), late),
            (Ok(Some((Status::Succeeded, "done"))), Ok(Some((Status::Succeeded, "done"))))
        );
        assert!(goals.outcome(id(2)).is_none());
    }

    #[test]
    fn cancelling_selects_one_goal_or_those_up_to_a_time_or_all() {
        let fresh = || {
            let (mut goals, now) = (Goals::new(), Instant::now());
            for number in 1..=3 {
                assert!(goals.accept(id(number), (i32::from(number), 0), now));
            }
            goals.end(id(2), Status::Aborted, (), now);
            goals
        };
        let numbers = |(outcome, marked): (Cancelled, Vec<(GoalId, Stamp)>)| {
            (outcome, marked.into_iter().map(|(_, (seconds, _))| seconds).collect::<Vec<_>>())
        };
        let mut goals = fresh();
        assert_eq!(numbers(goals.cancel(id(1), (0, 0))), (Cancelled::Done, vec![1]));
        assert!(goals.is_canceling(id(1)) && !goals.is_canceling(id(3)));
        goals.begin(id(1));
        assert!(goals.is_canceling(id(1)));
        assert_eq!(numbers(fresh().cancel(id(2), (0, 0))), (Cancelled::HasEnded, vec![]));
        assert_eq!(numbers(fresh().cancel(id(9), (0, 0))), (Cancelled::UnknownGoal, vec![]));
        assert_eq!(numbers(fresh().cancel([0; 16], (2, 5))), (Cancelled::Done, vec![1]));
        assert_eq!(numbers(fresh().cancel(id(3), (1, 0))), (Cancelled::Done, vec![1, 3]));
        assert_eq!(numbers(fresh().cancel([0; 16], (0, 0))), (Cancelled::Done, vec![1, 3]));
    }

    #[test]
    fn the_number_of_remembered_goals_is_bounded() {
        let (mut goals, now) = (Goals::new(), Instant::now());
        assert!((0..MAX_GOALS as u16).all(|number| goals.accept(id(number), (0, 0), now)));
        assert!(!goals.accept(id(9999), (0, 0), now), "all are under way");
        goals.end(id(7), Status::Succeeded, (), now);
        assert!(goals.accept(id(9999), (0, 0), now) && goals.outcome(id(7)).is_none());
        goals.end(id(8), Status::Succeeded, (), now);
        assert!(goals.accept(id(9998), (0, 0), now + RESULT_TIMEOUT) && goals.outcome(id(8)).is_none());
        assert_eq!(goals.all().count(), MAX_GOALS);
    }
}
