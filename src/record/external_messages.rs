//! Records messages of trackers outside the simulation, so that a recording contains the reference that they follow.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{Announce, Float64MultiArray, Quality};
use skidpad_ros_data::preset::racecar;

use super::options::{RecordError, TopicFilter};
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
    /// Whether each of [`EXTERNAL_TOPICS`] is recorded.
    are_taken: [bool; EXTERNAL_TOPICS.len()],
    losses: Arc<Losses>,
}

/// Number of messages left out of each of [`EXTERNAL_TOPICS`].
type Losses = [AtomicU64; EXTERNAL_TOPICS.len()];

impl ExternalInput {
    /// Whether the topic with this index in [`EXTERNAL_TOPICS`] is recorded.
    pub fn takes(&self, topic: usize) -> bool {
        self.are_taken.get(topic).copied().unwrap_or_default()
    }

    /// The topics that are recorded.
    pub fn topics(&self) -> impl Iterator<Item = &'static str> {
        EXTERNAL_TOPICS.into_iter().zip(self.are_taken).filter(|(_, is_taken)| *is_taken).map(|(topic, _)| topic)
    }

    /// Records `data` under the topic with this index in [`EXTERNAL_TOPICS`], logged at the time of the next frame. What has no room in the
    /// queue is left out and counted, which is reported once.
    pub fn record(&self, topic: usize, data: Vec<f64>) {
        let sent = self.sender.try_send(ExternalMessage { topic, data });
        let Some(lost) = self.losses.get(topic).filter(|_| matches!(sent, Err(TrySendError::Full(_)))) else { return };
        if lost.fetch_add(1, Ordering::Relaxed) == 0 {
            let name = EXTERNAL_TOPICS.get(topic).copied().unwrap_or_default();
            let found = format!("{CAPACITY} messages wait for the next step: further messages are not recorded");
            let reported = RecordError::new(format!("topic \"{name}\""), found);
            tracing::warn!(diagnostic = reported.hint("pause the tracker while the simulation is paused").as_value());
        }
    }
}

/// The recorder's end of an input.
pub(super) struct ExternalReceiver {
    messages: Receiver<ExternalMessage>,
    losses: Arc<Losses>,
    /// The losses that [`Self::left_out`] has returned.
    known: [u64; EXTERNAL_TOPICS.len()],
}

impl ExternalReceiver {
    /// The messages that have arrived.
    pub(super) fn arrived(&self) -> impl Iterator<Item = ExternalMessage> {
        self.messages.try_iter()
    }

    /// The topics of which messages were left out since the last call, with their numbers.
    pub(super) fn left_out(&mut self) -> impl Iterator<Item = (&'static str, u64)> {
        let counted = EXTERNAL_TOPICS.into_iter().zip(self.losses.iter()).zip(&mut self.known);
        let news = counted.map(|((topic, lost), known)| {
            let lost = lost.load(Ordering::Relaxed);
            (topic, lost - std::mem::replace(known, lost))
        });
        news.filter(|(_, count)| *count > 0)
    }
}

/// An input for the topics that `filter` takes, and the recorder's end of it.
pub(super) fn external_input(filter: &TopicFilter) -> (ExternalInput, ExternalReceiver) {
    let (sender, messages) = sync_channel(CAPACITY);
    let losses = Arc::<Losses>::default();
    let are_taken = EXTERNAL_TOPICS.map(|topic| filter.takes(topic));
    (
        ExternalInput { sender, are_taken, losses: Arc::clone(&losses) },
        ExternalReceiver { messages, losses, known: [0; EXTERNAL_TOPICS.len()] },
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_is_counted_by_topic() {
        let (input, mut receiver) = external_input(&TopicFilter::only([EXTERNAL_TOPICS[1]]));
        assert!(!input.takes(0) && input.takes(1) && input.topics().eq([EXTERNAL_TOPICS[1]]));
        (0..CAPACITY + 3).for_each(|_| input.record(1, Vec::new()));
        assert!(receiver.left_out().eq([(EXTERNAL_TOPICS[1], 3)]));
        assert_eq!((receiver.arrived().count(), receiver.left_out().count()), (CAPACITY, 0));
        (0..=CAPACITY).for_each(|_| input.record(0, Vec::new()));
        assert!(receiver.left_out().eq([(EXTERNAL_TOPICS[0], 1)]));
    }
}
