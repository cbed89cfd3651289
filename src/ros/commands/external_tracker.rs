//! Subscribes to the topics of external trackers, for a recording of the run.

use futures::StreamExt;
use r2r::Node;
use r2r::std_msgs::msg::Float64MultiArray;
use tokio::runtime::Handle;

use crate::message::{self, Message};
use crate::record::{EXTERNAL_TOPICS, ExternalInput};
use crate::ros::error::RosError;
use crate::ros::graph::quality::DATA_QOS;

/// Name and type of each topic subscribed to.
pub const HEARD: [(&str, &str); 2] =
    [(EXTERNAL_TOPICS[0], message::Float64MultiArray::TYPE), (EXTERNAL_TOPICS[1], message::Float64MultiArray::TYPE)];

/// Subscribes to these topics and passes their data to `listener`.
pub fn subscribe(node: &mut Node, listener: &ExternalInput, tasks: &Handle) -> Result<(), RosError> {
    for (index, topic) in EXTERNAL_TOPICS.into_iter().enumerate() {
        let mut messages = node
            .subscribe::<Float64MultiArray>(topic, DATA_QOS)
            .map_err(|error| RosError::subscription(topic, &error))?;
        let listener = listener.clone();
        tasks.spawn(async move {
            while let Some(message) = messages.next().await {
                listener.record(index, message.data);
            }
        });
    }
    Ok(())
}
