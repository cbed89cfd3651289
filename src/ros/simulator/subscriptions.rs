//! The subscriptions of the simulator's node itself: the topic that pauses the simulation, and those of external trackers, for a recording
//! of the run. Each vehicle's commands have a node of their own.

use futures::StreamExt;
use r2r::Node;
use r2r::std_msgs::msg::{Bool, Float64MultiArray};
use skidpad_record::{EXTERNAL_TOPICS, ExternalInput};
use skidpad_ros_data::message::{self, Message};
use skidpad_ros_data::preset::{InputKind, Preset};
use skidpad_run::runner::{Outbox, Request};
use tokio::runtime::Handle;

use crate::error::{self, RosError};
use crate::graph::quality::{COMMAND_QOS, DATA_QOS};

/// Name and type of each topic of external trackers.
pub const TRACKER_TOPICS: [(&str, &str); 2] =
    [(EXTERNAL_TOPICS[0], message::Float64MultiArray::TYPE), (EXTERNAL_TOPICS[1], message::Float64MultiArray::TYPE)];

/// Subscribes to the topics of external trackers and passes their data to `listener`.
pub fn record_trackers(node: &mut Node, listener: &ExternalInput, tasks: &Handle) -> Result<(), RosError> {
    for (index, topic) in EXTERNAL_TOPICS.into_iter().enumerate() {
        let mut messages =
            node.subscribe::<Float64MultiArray>(topic, DATA_QOS).map_err(|error| error::subscription(topic, &error))?;
        let listener = listener.clone();
        tasks.spawn(async move {
            while let Some(message) = messages.next().await {
                listener.record(index, message.data);
            }
        });
    }
    Ok(())
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
