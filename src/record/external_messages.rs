//! Records messages of trackers outside the simulation, so that a recording contains the reference that they follow.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::options::RecordError;
use super::output::McapOutput;
use super::topic::{RecordTopic, Topics};
use crate::message::{Announce, Float64MultiArray, Quality};
use crate::preset::racecar;
use crate::time::SimTime;

/// The topics recorded from outside, `std_msgs/Float64MultiArray`.
pub const EXTERNAL_TOPICS: [&str; 2] = [racecar::REFERENCE_TRAJECTORY, racecar::VIRTUAL_VELOCITIES];
/// Messages that may be queued until the next frame: more than a second of both topics at 100 Hz.
const CAPACITY: usize = 256;

/// An external message.
#[derive(Debug)]
pub(super) struct ExternalMessage {
    topic: usize,
    data: Vec<f64>,
}

/// Passes external messages to a recorder, from any thread.
#[derive(Clone, Debug)]
pub struct ExternalInput(SyncSender<ExternalMessage>);

impl ExternalInput {
    /// Records `data` under the topic with this index in [`EXTERNAL_TOPICS`], logged at the time of the next frame. During a pause it is
    /// lost when the queue is full.
    pub fn record(&self, topic: usize, data: Vec<f64>) {
        let _ = self.0.try_send(ExternalMessage { topic, data });
    }
}

/// An input and the receiver of its messages.
pub(super) fn external_input() -> (ExternalInput, Receiver<ExternalMessage>) {
    let (sender, receiver) = sync_channel(CAPACITY);
    (ExternalInput(sender), receiver)
}

/// The recorded topics of external messages.
pub(super) struct ExternalMessages([Option<RecordTopic<Float64MultiArray>>; 2]);

impl ExternalMessages {
    pub(super) fn new(topics: &mut Topics<'_>) -> Result<ExternalMessages, RecordError> {
        let [reference, velocities] =
            EXTERNAL_TOPICS.map(|name| topics.announce(name, Quality::Deferred, Float64MultiArray::default()));
        Ok(ExternalMessages([reference?, velocities?]))
    }

    pub(super) fn write(
        &mut self,
        output: &mut McapOutput,
        time: SimTime,
        external: &[ExternalMessage],
    ) -> Result<(), RecordError> {
        for ExternalMessage { topic, data } in external {
            if let Some(Some(topic)) = self.0.get_mut(*topic) {
                topic.message.data.clone_from(data);
                topic.send(output, time)?;
            }
        }
        Ok(())
    }
}
