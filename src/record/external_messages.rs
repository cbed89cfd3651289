//! Records messages of trackers outside the simulation, so that a recording contains the reference that they follow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{Announce, Float64MultiArray, Quality};
use skidpad_ros_data::preset::racecar;

use super::options::RecordError;
use super::output::McapOutput;
use super::topic::{RecordTopic, Topics};

/// The topics recorded from outside, `std_msgs/Float64MultiArray`.
pub const EXTERNAL_TOPICS: [&str; 2] = [racecar::REFERENCE_TRAJECTORY, racecar::VIRTUAL_VELOCITIES];
/// Messages that may be queued until the next frame: five minutes of both topics at 100 Hz, for pauses and slow disks.
const CAPACITY: usize = 1 << 16;

/// An external message.
#[derive(Debug)]
pub(super) struct ExternalMessage {
    topic: usize,
    data: Vec<f64>,
}

/// Passes external messages to a recorder, from any thread.
#[derive(Clone, Debug)]
pub struct ExternalInput {
    sender: SyncSender<ExternalMessage>,
    /// Whether a message was left out.
    has_lost: Arc<AtomicBool>,
}

impl ExternalInput {
    /// Records `data` under the topic with this index in [`EXTERNAL_TOPICS`], logged at the time of the next frame. What has no room in the
    /// queue is left out, which is reported once.
    pub fn record(&self, topic: usize, data: Vec<f64>) {
        let sent = self.sender.try_send(ExternalMessage { topic, data });
        if matches!(sent, Err(TrySendError::Full(_))) && !self.has_lost.swap(true, Ordering::Relaxed) {
            let name = EXTERNAL_TOPICS.get(topic).copied().unwrap_or_default();
            let found = format!("{CAPACITY} messages wait for the next step, further ones are not recorded");
            let told = RecordError::new(format!("topic \"{name}\""), found);
            tracing::warn!(diagnostic = told.hint("let the tracker rest while the simulation does").as_value());
        }
    }
}

/// An input and the receiver of its messages.
pub(super) fn external_input() -> (ExternalInput, Receiver<ExternalMessage>) {
    let (sender, receiver) = sync_channel(CAPACITY);
    (ExternalInput { sender, has_lost: Arc::default() }, receiver)
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
