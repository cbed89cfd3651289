//! A topic of the recording with the message that is written to it again and again.

use super::choice::Choice;
use super::message::Message;
use super::options::RecordError;
use super::output::{Channel, Output, Owner, Quality};
use crate::time::SimTime;

/// Puts topics into a recording, as far as they are wanted.
pub(super) struct Topics<'a> {
    pub(super) output: &'a mut Output,
    pub(super) choice: &'a mut Choice,
    /// Whose they are.
    pub(super) owner: Owner,
}

impl Topics<'_> {
    /// The absolute name of a topic.
    pub(super) fn name(&self, name: &str) -> String {
        format!("/{}", name.trim_start_matches('/'))
    }

    /// A topic that is in the recording from the start; none where it is not wanted.
    pub(super) fn topic<M: Message>(
        &mut self,
        name: &str,
        quality: Quality,
        message: M,
    ) -> Result<Option<Topic<M>>, RecordError> {
        let Some(mut topic) = self.later(name, message) else { return Ok(None) };
        topic.channel = Some(self.output.channel::<M>(&topic.name, quality, self.owner)?);
        Ok(Some(topic))
    }

    /// A topic that comes into the recording with its first message; none where it is not wanted.
    pub(super) fn later<M: Message>(&mut self, name: &str, message: M) -> Option<Topic<M>> {
        let name = self.name(name);
        self.choice.takes(&name).then_some(Topic { name, owner: self.owner, channel: None, message })
    }
}

/// A topic of the recording.
pub(super) struct Topic<M> {
    name: String,
    owner: Owner,
    channel: Option<Channel>,
    /// The message, kept from one to the next.
    pub(super) message: M,
}

impl<M: Message> Topic<M> {
    /// Appends the message as it stands.
    pub(super) fn write(&mut self, output: &mut Output, time: SimTime) -> Result<(), RecordError> {
        let channel = match self.channel {
            Some(channel) => channel,
            None => *self.channel.insert(output.channel::<M>(&self.name, Quality::Data, self.owner)?),
        };
        output.write(channel, time, &self.message)
    }
}
