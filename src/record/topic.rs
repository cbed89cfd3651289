//! Topics of the recording that are selected.

use super::options::RecordError;
use super::output::{ChannelId, McapOutput, Owner};
use super::topic_selection::TopicSelection;
use crate::message::{self, Announce, AnyMessage, Kind, MarkerArray, Message, Quality};
use crate::time::SimTime;

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
        // Drawings of a vehicle follow from the rest.
        if kind.name == MarkerArray::TYPE {
            return Ok(None);
        }
        let name = format!("/{}", name.trim_start_matches('/'));
        if !self.selection.takes(&name) {
            return Ok(None);
        }
        let declared = match quality {
            Quality::Deferred => None,
            _ => Some(self.output.channel(&name, kind, quality, self.owner)?),
        };
        Ok(Some(RecordChannel { name, kind, owner: self.owner, declared }))
    }
}

/// A channel of the recording.
pub(super) struct RecordChannel {
    name: String,
    kind: Kind,
    owner: Owner,
    /// None before the first message of a deferred topic.
    declared: Option<ChannelId>,
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
        output.write(channel, time, message)
    }
}
