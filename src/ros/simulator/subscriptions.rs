//! The subscription of the simulator's node itself: the topic that pauses the simulation. Each vehicle's commands have a node of their own,
//! and so have the topics of external trackers.

use futures::StreamExt;
use r2r::Node;
use r2r::std_msgs::msg::Bool;
use skidpad_ros_data::preset::{InputKind, Preset};
use skidpad_run::runner::{Outbox, Request};
use tokio::runtime::Handle;

use crate::error::{self, RosError};
use crate::graph::quality::COMMAND_QOS;
use crate::typed_messages::{is_known, unknown};

/// Tells of the topics of the preset that nobody can listen to, as their types were not available at build time.
pub fn tell_unknown(preset: &Preset) {
    for input in preset.inputs {
        let kind = input.kind.message().name;
        if !is_known(kind) {
            let told = unknown(format!("topic \"{}\"", input.name), kind);
            tracing::warn!(diagnostic = told.as_value());
        }
    }
}

/// Subscribes to the topic of the preset that pauses and resumes the simulation, if it has one.
pub fn pause_on_request(node: &mut Node, preset: &Preset, outbox: &Outbox, tasks: &Handle) -> Result<(), RosError> {
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
