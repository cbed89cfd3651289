//! A topic: a message that is kept and refilled, and the channel that sends it.

use std::convert::Infallible;

use skidpad_math::time::SimTime;

use super::{AnyMessage, Message};

/// Quality of service: whether late subscribers receive the last message, and how many messages a slow subscriber may lag behind. All
/// topics are reliable, so that both reliable and best-effort subscribers match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Subscribers receive the messages sent after they subscribe.
    Data,
    /// As `Data`, with the depth that tf2 listeners have.
    Transforms,
    /// Latched: late subscribers also receive the last message.
    Latched,
    /// As `Data`, on a topic that a recording contains only from the first message on.
    Deferred,
}

impl Quality {
    /// Queue depth for subscribers that fall behind.
    pub const fn depth(self) -> usize {
        match self {
            Quality::Data | Quality::Deferred => 10,
            Quality::Transforms => 100,
            Quality::Latched => 1,
        }
    }

    /// Whether late subscribers receive the last message.
    pub const fn is_latched(self) -> bool {
        matches!(self, Quality::Latched)
    }
}

/// The message type of an announced topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The message type, `package/msg/Name`.
    pub name: &'static str,
    /// As [`Message::SHARED`].
    pub is_shared: bool,
}

impl Kind {
    /// The type of this message.
    pub const fn of<M: Message>() -> Kind {
        Kind { name: M::TYPE, is_shared: M::SHARED }
    }
}

/// The output of one topic: a channel of a recording, or a publisher of the node.
pub trait TopicChannel: Send + 'static {
    /// The shared output that every send needs, such as the file of a recording.
    type Output;
    /// Error when a message cannot be sent.
    type Error;

    /// Sends a message of the time `time` [ns].
    ///
    /// # Errors
    /// The output does not accept it.
    fn send(&mut self, output: &mut Self::Output, time: SimTime, message: &dyn AnyMessage) -> Result<(), Self::Error>;

    /// Whether anything receives its messages, as far as is known: large ones need not be made for nobody.
    fn has_receivers(&self) -> bool {
        true
    }
}

/// Error of a channel that cannot send its messages.
pub type ErrorOf<C> = <C as TopicChannel>::Error;

/// Announces topics: adds them to a recording, or publishes them on the graph.
pub trait Announce {
    /// The channel of an announced topic.
    type Channel: TopicChannel;
    /// Error when a topic cannot be announced.
    type Error;

    /// The channel of the topic `name`; none if the topic is not selected.
    ///
    /// # Errors
    /// The name is taken, or the output refuses the topic.
    fn channel(&mut self, name: &str, kind: Kind, quality: Quality) -> Result<Option<Self::Channel>, Self::Error>;

    /// A topic on which `message` is sent repeatedly; none if it is not selected.
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
    /// Sends the message in its present state, with the time `time` [ns].
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, time: SimTime) -> Result<(), ErrorOf<C>> {
        self.channel.send(output, time, &self.message)
    }
}

impl<C: TopicChannel<Output = (), Error = Infallible>, M: Message> TopicWriter<C, M> {
    /// Sends the message in its present state where that needs nothing else and cannot fail, as on the graph.
    pub fn publish(&mut self) {
        let Ok(()) = self.send(&mut (), SimTime::ZERO);
    }
}
