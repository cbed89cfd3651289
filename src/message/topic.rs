//! A topic: a message that is kept and refilled, and the channel that sends it.

use super::{AnyMessage, Message};
use crate::time::SimTime;

/// Quality of service: whether late readers receive the last message, and how many messages a slow reader may lag behind. All topics are reliable, so
/// that both reliable and best-effort readers match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Readers receive the messages sent after they subscribe.
    Data,
    /// As data, with the depth that tf2 listeners have.
    Transforms,
    /// Late readers also receive the last message.
    Latched,
    /// As data, on a topic that a recording has from the first message on only.
    Deferred,
}

impl Quality {
    /// Messages that are kept for readers that fall behind.
    pub const fn depth(self) -> usize {
        match self {
            Quality::Data | Quality::Deferred => 10,
            Quality::Transforms => 100,
            Quality::Latched => 1,
        }
    }

    /// Whether late readers receive the last message.
    pub const fn is_latched(self) -> bool {
        matches!(self, Quality::Latched)
    }
}

/// The message type that a topic is announced with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The message type, `package/msg/Name`.
    pub name: &'static str,
    /// As [`Message::SHARED`].
    pub is_shared: bool,
}

impl Kind {
    /// That of a message.
    pub const fn of<M: Message>() -> Kind {
        Kind { name: M::TYPE, is_shared: M::SHARED }
    }
}

/// The output of one topic: a channel of a recording, or a publisher of the node.
pub trait TopicChannel {
    /// The shared output that every send needs, such as the file of a recording.
    type Output;
    /// Why one could not be sent.
    type Error;

    /// Sends a message of the time `time` [ns].
    ///
    /// # Errors
    /// The output does not take it.
    fn send(&mut self, output: &mut Self::Output, time: SimTime, message: &dyn AnyMessage) -> Result<(), Self::Error>;
}

/// Why a channel's messages could not be sent.
pub type ErrorOf<C> = <C as TopicChannel>::Error;

/// Announces topics: puts them into a recording, or on the graph.
pub trait Announce {
    /// The channel of an announced topic.
    type Channel: TopicChannel;
    /// Why one could not be announced.
    type Error;

    /// The channel of the topic `name`; none where the topic is left out.
    ///
    /// # Errors
    /// The name is taken, or the output refuses the topic.
    fn channel(&mut self, name: &str, kind: Kind, quality: Quality) -> Result<Option<Self::Channel>, Self::Error>;

    /// A topic on which `message` is sent again and again; none where it is left out.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    fn announce<M: Message>(
        &mut self,
        name: &str,
        quality: Quality,
        message: M,
    ) -> Result<Option<TopicWriter<Self::Channel, M>>, Self::Error> {
        let channel = self.channel(name, Kind::of::<M>(), quality)?;
        Ok(channel.map(|channel| TopicWriter { channel, message }))
    }
}

/// A topic with its message.
#[derive(Debug)]
pub struct TopicWriter<C, M> {
    /// The channel that sends its messages.
    pub channel: C,
    /// The message, reused for each send.
    pub message: M,
}

impl<C: TopicChannel, M: Message> TopicWriter<C, M> {
    /// Sends the message as it stands, as of the time `time` [ns].
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, time: SimTime) -> Result<(), ErrorOf<C>> {
        self.channel.send(output, time, &self.message)
    }
}
