//! What trackers outside the simulation say while it is recorded, so that a recording holds the reference that they follow.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::options::RecordError;
use super::output::Output;
use super::topic::{Topic, Topics};
use crate::message::{Announce, Float64MultiArray};
use crate::preset::racecar;
use crate::time::SimTime;

/// The topics that are taken in from outside, `std_msgs/Float64MultiArray`.
pub const HEARD_TOPICS: [&str; 2] = [racecar::REFERENCE_TRAJECTORY, racecar::VIRTUAL_VELOCITIES];
/// Messages that may wait for the next frame: more than a second of both topics at 100 Hz.
const CAPACITY: usize = 256;

/// A message from outside.
#[derive(Debug)]
pub(super) struct Heard {
    topic: usize,
    data: Vec<f64>,
}

/// Hands messages from outside to a recorder; of any thread.
#[derive(Clone, Debug)]
pub struct Listener(SyncSender<Heard>);

impl Listener {
    /// Records `data` under the topic with this index in [`HEARD_TOPICS`], logged at the time of the next frame. Beside a
    /// simulation that stands it is lost when too many wait.
    pub fn hear(&self, topic: usize, data: Vec<f64>) {
        let _ = self.0.try_send(Heard { topic, data });
    }
}

/// A listener and the end where its messages come out.
pub(super) fn listen() -> (Listener, Receiver<Heard>) {
    let (sender, receiver) = sync_channel(CAPACITY);
    (Listener(sender), receiver)
}

/// The topics of the recording that hold what was heard.
pub(super) struct HeardMessages([Option<Topic<Float64MultiArray>>; 2]);

impl HeardMessages {
    pub(super) fn new(topics: &mut Topics<'_>) -> Result<HeardMessages, RecordError> {
        let [reference, velocities] =
            HEARD_TOPICS.map(|name| topics.announce_deferred(name, Float64MultiArray::default()));
        Ok(HeardMessages([reference?, velocities?]))
    }

    pub(super) fn write(&mut self, output: &mut Output, time: SimTime, heard: &[Heard]) -> Result<(), RecordError> {
        for Heard { topic, data } in heard {
            if let Some(Some(topic)) = self.0.get_mut(*topic) {
                topic.message.data.clone_from(data);
                topic.send(output, time)?;
            }
        }
        Ok(())
    }
}
