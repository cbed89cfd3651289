//! The publisher of one topic, which sends messages as bytes, and the creation of publishers.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use r2r::{Node, PublisherUntyped};
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{self, Announce, AnyMessage, Kind, Message, Quality, TopicChannel};

use super::wall_stamps::SharedStamps;
use crate::error::RosError;
use crate::graph::names::Resolver;
use crate::graph::quality::qos;
use crate::parameters::qos_overrides::{End, QosOverrides};
use crate::throttle::Throttle;
use crate::typed_messages::{is_known, unknown};

/// Sends the messages of one topic to the middleware, in serialized form.
#[derive(Debug)]
pub struct Publisher {
    name: String,
    untyped: PublisherUntyped,
    /// The last message, kept for its buffer.
    bytes: Vec<u8>,
    complaint: Throttle,
    /// The stamps of its messages, if they are not those of simulated time.
    stamps: Option<SharedStamps>,
}

/// A topic of the node.
pub(crate) type RosTopic<M> = message::TopicWriter<Publisher, M>;

/// Larger buffers [bytes] are not kept: such messages are rare.
const MAX_BUFFER: usize = 1 << 20;

impl TopicChannel for Publisher {
    type Output = ();
    type Error = Infallible;

    /// Failures are reported at most every five seconds.
    fn send(&mut self, (): &mut (), _: SimTime, message: &dyn AnyMessage) -> Result<(), Infallible> {
        self.bytes.clear();
        let stamps = self.stamps.as_ref().and_then(SharedStamps::get);
        let written = message.append_to(stamps.as_ref(), &mut self.bytes).map_err(|error| error.to_string());
        let sent = written.and_then(|()| self.untyped.publish_raw(&self.bytes).map_err(|error| error.to_string()));
        if let Err(error) = sent
            && self.complaint.is_due(Instant::now())
        {
            tracing::warn!("topic \"{}\": cannot be published: {error}", self.name);
        }
        if self.bytes.capacity() > MAX_BUFFER {
            self.bytes = Vec::new();
        }
        Ok(())
    }

    fn has_receivers(&self) -> bool {
        self.has_subscribers()
    }
}

impl Publisher {
    /// Whether the topic has subscribers, as far as is known.
    pub(crate) fn has_subscribers(&self) -> bool {
        has_subscribers(&self.untyped)
    }
}

/// Whether anything subscribes to this publisher's topic, as far as is known.
fn has_subscribers(publisher: &PublisherUntyped) -> bool {
    publisher.get_inter_process_subscription_count().unwrap_or(1) > 0
}

/// A publisher as the thread that owns the node keeps it, to count its subscribers and to destroy it.
#[derive(Clone)]
pub(crate) struct PublisherHandle {
    /// Its name as it was given.
    pub name: String,
    publisher: PublisherUntyped,
}

impl PublisherHandle {
    /// Whether anything subscribes to the topic, as far as is known.
    pub(crate) fn has_subscribers(&self) -> bool {
        has_subscribers(&self.publisher)
    }

    /// Destroys the publisher.
    pub(crate) fn destroy(self, node: &mut Node) {
        node.destroy_publisher_untyped(self.publisher);
    }
}

/// Creates publishers, with the quality of service that the parameters ask for.
pub(crate) struct Announcer<'a> {
    node: &'a mut Node,
    /// Resolves full names.
    pub resolver: &'a Resolver,
    /// The QoS overrides of the parameters.
    pub overrides: &'a QosOverrides,
    stamps: Option<SharedStamps>,
    created: Vec<PublisherHandle>,
}

impl<'a> Announcer<'a> {
    /// Announces topics on `node`, whose names `resolver` resolves, with the QoS `overrides`.
    pub fn new(node: &'a mut Node, resolver: &'a Resolver, overrides: &'a QosOverrides) -> Announcer<'a> {
        Announcer { node, resolver, overrides, stamps: None, created: Vec::new() }
    }

    /// The same, with these stamps in place of those of simulated time, if there are any.
    pub(crate) fn with_stamps(self, stamps: Option<SharedStamps>) -> Announcer<'a> {
        Announcer { stamps, ..self }
    }

    /// The node, to subscribe to something.
    pub fn node(&mut self) -> &mut Node {
        self.node
    }

    /// All publishers created here.
    pub(crate) fn into_created(self) -> Vec<PublisherHandle> {
        self.created
    }

    /// Announces a topic of a type that is always available, on which `message` is sent repeatedly.
    pub fn topic<M: Message>(&mut self, name: &str, quality: Quality, message: M) -> Result<RosTopic<M>, RosError> {
        Ok(RosTopic { channel: self.publisher(name, M::TYPE, quality)?, message })
    }

    fn publisher(&mut self, relative: &str, kind: &str, quality: Quality) -> Result<Publisher, RosError> {
        let name = self.resolver.resolve(relative);
        let qos = self.overrides.apply(&name, End::Publisher, qos(quality));
        // The client library resolves names itself and would remap a full one once more.
        let untyped = self
            .node
            .create_publisher_untyped(relative, kind, qos)
            .map_err(|error| RosError::new(format!("topic \"{name}\""), format!("cannot publish: {error}")))?;
        self.created.push(PublisherHandle { name: relative.to_owned(), publisher: untyped.clone() });
        let (complaint, stamps) = (Throttle::new(Duration::from_secs(5)), self.stamps.clone());
        Ok(Publisher { name, untyped, bytes: Vec::new(), complaint, stamps })
    }
}

impl Announce for Announcer<'_> {
    type Channel = Publisher;
    type Error = RosError;

    /// None, with a warning, for message types that were not available at build time.
    fn channel(&mut self, name: &str, kind: Kind, quality: Quality) -> Result<Option<Publisher>, RosError> {
        let kind = kind.name;
        if is_known(kind) {
            return self.publisher(name, kind, quality).map(Some);
        }
        let reported = unknown(format!("topic \"{name}\""), kind);
        tracing::warn!(diagnostic = reported.as_value());
        Ok(None)
    }
}
