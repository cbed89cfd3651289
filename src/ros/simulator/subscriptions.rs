//! The subscriptions of the simulator's node itself: the topics that pause the simulation and set the initial speed. Each vehicle's commands have a node of their own,
//! and so have the topics of external trackers.

use std::sync::{Arc, Mutex};

use futures::StreamExt;
use r2r::Node;
use r2r::geometry_msgs::msg::TwistStamped;
use r2r::std_msgs::msg::Bool;
use skidpad_files::reported_once::ReportedOnce;
use skidpad_math::{Pose3, Twist2};
use skidpad_ros_data::message::SharedDesk;
use skidpad_ros_data::preset::{InputKind, Preset};
use skidpad_run::guard::lock;
use skidpad_run::runner::{Outbox, Request, SimulationAccess};
use tokio::runtime::Handle;

use crate::error::{self, RosError};
use crate::graph::quality::COMMAND_QOS;
use crate::typed_messages::{is_known, unknown};

/// Tells of the topics of the preset that nobody can listen to, as their types were not available at build time.
pub(crate) fn tell_unknown(preset: &Preset) {
    for input in preset.inputs {
        let kind = input.kind.message().name;
        if !is_known(kind) {
            let reported = unknown(format!("topic \"{}\"", input.name), kind);
            tracing::warn!(diagnostic = reported.as_value());
        }
    }
}

/// Subscribes to the topic of the preset that pauses and resumes the simulation, if it has one.
pub(crate) fn pause_on_request(
    node: &mut Node,
    preset: &Preset,
    outbox: &Outbox,
    tasks: &Handle,
) -> Result<(), RosError> {
    let Some(input) = preset.inputs.iter().find(|input| input.kind == InputKind::Pause) else { return Ok(()) };
    let topic = input.name;
    let mut messages =
        node.subscribe::<Bool>(topic, COMMAND_QOS).map_err(|error| error::subscription(topic, &error))?;
    let outbox = outbox.clone();
    tasks.spawn(async move {
        while let Some(message) = messages.next().await {
            outbox.send(Request::Pause(message.data));
        }
    });
    Ok(())
}

/// Subscribes to the topic of the preset that sets the initial speed, if it has one: the first vehicle is put at its last pose again, with that speed, and
/// what was commanded stays in force. Before the first pose it has no effect, as in Autoware's simulator.
pub(crate) fn start_on_request(
    node: &mut Node,
    preset: &Preset,
    desk: &SharedDesk,
    outbox: &Outbox,
    tasks: &Handle,
) -> Result<(), RosError> {
    let Some(input) = preset.inputs.iter().find(|input| input.kind == InputKind::InitialTwist) else { return Ok(()) };
    let topic = input.name;
    let mut messages =
        node.subscribe::<TwistStamped>(topic, COMMAND_QOS).map_err(|error| error::subscription(topic, &error))?;
    let (outbox, desk) = (outbox.clone(), desk.clone());
    let reported: Arc<Mutex<ReportedOnce>> = Arc::default();
    tasks.spawn(async move {
        while let Some(message) = messages.next().await {
            let (last, reported) = (desk.lock().initial_pose, Arc::clone(&reported));
            let Some(pose) = last else { continue };
            let velocity = Twist2::new(message.twist.linear.x, 0.0, 0.0);
            let start = move |visit: &mut SimulationAccess<'_>| {
                let Some(id) = visit.world.scene().vehicles.first().map(|vehicle| vehicle.id) else { return };
                // At the height at which it is, as after a pose.
                let z = visit.world.frame().vehicles.first().map_or(0.0, |vehicle| vehicle.world_from_body.z);
                let pose = Pose3 { z, ..Pose3::from_planar(pose) };
                if let Err(problem) = visit.world.set_state(id, Some(pose), Some(velocity))
                    && let Some(problem) = lock(&reported).first(&problem.to_string())
                {
                    tracing::warn!("topic \"{topic}\": {problem}");
                }
            };
            // A simulation that has ended needs none.
            let _ = outbox.visit(start);
        }
    });
    Ok(())
}
