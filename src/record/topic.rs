//! Topics of the recording that are selected.

use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{self, Announce, AnyMessage, BODY_TOPICS, Kind, MarkerArray, Message, Quality};

use super::drawings::CLOCK_TOPIC;
use super::options::RecordError;
use super::output::{ChannelId, McapOutput, Owner};
use super::topic_selection::{TopicSelection, absolute};

/// Adds the selected topics to a recording.
pub(super) struct Topics<'a> {
    pub(super) output: &'a mut McapOutput,
    pub(super) selection: &'a mut TopicSelection,
    /// Owner of the topics.
    pub(super) owner: Owner,
}

impl Announce for Topics<'_> {
    type Channel = RecordChannel;
    type Error = RecordError;

    fn channel(&mut self, name: &str, kind: Kind, quality: Quality) -> Result<Option<RecordChannel>, RecordError> {
        let name = absolute(name);
        let is_on_request = name == CLOCK_TOPIC || BODY_TOPICS.iter().any(|(topic, _)| absolute(topic) == name);
        let is_taken = if is_on_request { self.selection.takes_named(&name) } else { self.selection.takes(&name) };
        if !is_taken {
            return Ok(None);
        }
        let declared = match quality {
            Quality::Deferred => None,
            _ => Some(self.output.channel(&name, kind, quality, self.owner)?),
        };
        Ok(Some(RecordChannel { name, kind, owner: self.owner, declared, last: None }))
    }
}

/// A channel of the recording.
pub(super) struct RecordChannel {
    name: String,
    kind: Kind,
    owner: Owner,
    /// None before the first message of a deferred topic.
    declared: Option<ChannelId>,
    /// The last markers: how often the file has begun anew by then, and a hash of them.
    last: Option<(u32, u64)>,
}

/// A topic of the recording.
pub(super) type RecordTopic<M> = message::TopicWriter<RecordChannel, M>;

impl message::TopicChannel for RecordChannel {
    type Output = McapOutput;
    type Error = RecordError;

    fn send(&mut self, output: &mut McapOutput, time: SimTime, message: &dyn AnyMessage) -> Result<(), RecordError> {
        let channel = match self.declared {
            Some(channel) => channel,
            None => *self.declared.insert(output.channel(&self.name, self.kind, Quality::Deferred, self.owner)?),
        };
        match self.kind.name {
            // Viewers keep what they were shown, and what stands still is shown again and again.
            MarkerArray::TYPE => output.write_changed(channel, time, message, &mut self.last),
            _ => output.write(channel, time, message),
        }
    }
}
