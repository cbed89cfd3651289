//! The action `SimulateSteps`: steps with feedback after each, until they are made or its caller cancels.

use std::sync::Arc;

use futures::{FutureExt, StreamExt};
use r2r::ActionServerGoalRequest;
use r2r::simulation_interfaces::action::SimulateSteps;

use super::super::simulation::Simulation;
use super::super::stepping::Progress;
use super::convert::result;
use super::{AT_A_TIME, Desk};
use crate::ros::error::RosError;

/// Offers it.
pub fn offer(desk: &mut Desk<'_>) -> Result<(), RosError> {
    let name = desk.name("simulate_steps");
    let goals = desk
        .node
        .create_action_server::<SimulateSteps::Action>(&name)
        .map_err(|error| RosError::new(format!("action \"{name}\""), format!("cannot be offered: {error}")))?;
    let simulation = desk.simulation.clone();
    desk.tasks.spawn(goals.for_each_concurrent(AT_A_TIME, move |goal| {
        let (simulation, name) = (simulation.clone(), name.clone());
        async move {
            if let Err(error) = pursue(&simulation, goal).await {
                tracing::debug!("action \"{name}\": {error}");
            }
        }
    }));
    Ok(())
}

/// Makes the steps of a goal. What cannot be done aborts it, so that its caller reads why.
async fn pursue(simulation: &Arc<Simulation>, goal: ActionServerGoalRequest<SimulateSteps::Action>) -> r2r::Result<()> {
    let count = goal.goal.steps;
    let (mut goal, mut cancels) = goal.accept()?;
    let told = goal.clone();
    let goes_on = move |progress: Progress| {
        let feedback =
            SimulateSteps::Feedback { completed_steps: progress.completed, remaining_steps: progress.remaining };
        // Whether somebody listens does not matter.
        drop(told.publish_feedback(feedback));
        match cancels.next().now_or_never() {
            Some(Some(cancel)) if progress.remaining > 0 => {
                cancel.accept();
                false
            }
            _ => true,
        }
    };
    let outcome = simulation.step(count, 1, goes_on).await;
    let message = SimulateSteps::Result { result: result(&outcome) };
    match outcome {
        Err(_) => goal.abort(message),
        Ok(progress) if progress.remaining > 0 => goal.cancel(message),
        Ok(_) => goal.succeed(message),
    }
}
