//! Topics of the recording, as far as they are wanted.

use super::options::RecordError;
use super::output::{ChannelId, McapOutput, Owner};
use super::topic_selection::TopicSelection;
use crate::message::{self, Announce, AnyMessage, Kind, MarkerArray, Message, Quality};
use crate::time::SimTime;

/// Puts topics into a recording, as far as they are wanted.
pub(super) struct Topics<'a> {
    pub(super) output: &'a mut McapOutput,
    pub(super) selection: &'a mut TopicSelection,
    /// Whose they are.
    pub(super) owner: Owner,
}

impl Announce for Topics<'_> {
    type Channel = Channel;
    type Error = RecordError;

    fn channel(&mut self, name: &str, kind: Kind, quality: Quality) -> Result<Option<Channel>, RecordError> {
        let Some(mut channel) = self.deferred_channel(name, kind)? else { return Ok(None) };
        channel.declared = Some(self.output.channel(&channel.name, kind, quality, self.owner)?);
        Ok(Some(channel))
    }

    fn deferred_channel(&mut self, name: &str, kind: Kind) -> Result<Option<Channel>, RecordError> {
        // What is drawn of a vehicle follows from the rest.
        if kind.name == MarkerArray::TYPE {
            return Ok(None);
        }
        let name = format!("/{}", name.trim_start_matches('/'));
        let is_wanted = self.selection.takes(&name);
        Ok(is_wanted.then_some(Channel { name, kind, owner: self.owner, declared: None }))
    }
}

/// A channel of the recording.
pub(super) struct Channel {
    name: String,
    kind: Kind,
    owner: Owner,
    /// None before the first message of one that comes into the recording with that.
    declared: Option<ChannelId>,
}

/// A topic of the recording.
pub(super) type Topic<M> = message::Topic<Channel, M>;

impl message::Channel for Channel {
    type Output = McapOutput;
    type Error = RecordError;

    fn send(&mut self, output: &mut McapOutput, time: SimTime, message: &dyn AnyMessage) -> Result<(), RecordError> {
        let channel = match self.declared {
            Some(channel) => channel,
            None => *self.declared.insert(output.channel(&self.name, self.kind, Quality::Data, self.owner)?),
        };
        output.write(channel, time, message)
    }
}
