//! The setup of a small node: its parameters, publishers and subscriptions.

use std::sync::Arc;

use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use r2r::{Node, QosProfile, WrappedTypesupport};
use skidpad_ros_data::message::{Message, Quality};

use crate::error::{self, RosError};
use crate::graph::names::Resolver;
use crate::parameters::qos_overrides::{End, QosOverrides};
use crate::parameters::table::Parameters;
use crate::publish::publisher::{Announcer, RosTopic};
use crate::publish::wall_stamps::SharedStamps;
use crate::startup::append_section;

/// A subscription that is polled at every update.
pub struct Input<T> {
    messages: BoxStream<'static, T>,
}

impl<T> Input<T> {
    /// The oldest message that has not been read yet.
    pub fn oldest(&mut self) -> Option<T> {
        self.messages.next().now_or_never().flatten()
    }

    /// The newest message that has not been read yet; older ones are skipped.
    pub fn newest(&mut self) -> Option<T> {
        std::iter::from_fn(|| self.oldest()).last()
    }
}

/// A node that is being set up.
pub struct Setup<'a> {
    /// Its parameters.
    pub parameters: Arc<Parameters>,
    announcer: Announcer<'a>,
    published: Vec<(String, String)>,
    heard: Vec<(String, String)>,
}

impl<'a> Setup<'a> {
    /// The setup of a node, with its names, its QoS overrides and its parameters.
    pub fn new(
        node: &'a mut Node,
        resolver: &'a Resolver,
        overrides: &'a QosOverrides,
        parameters: Arc<Parameters>,
    ) -> Setup<'a> {
        let announcer = Announcer::new(node, resolver, overrides);
        Setup { parameters, announcer, published: Vec::new(), heard: Vec::new() }
    }

    /// The same, with these stamps in place of those of simulated time, if there are any.
    pub(crate) fn with_stamps(self, stamps: Option<SharedStamps>) -> Setup<'a> {
        Setup { announcer: self.announcer.with_stamps(stamps), ..self }
    }

    /// Subscribes to a topic; `kind` is the name of its type.
    pub fn subscribe<T: WrappedTypesupport + Send + 'static>(
        &mut self,
        topic: &str,
        kind: &str,
        qos: QosProfile,
    ) -> Result<Input<T>, RosError> {
        let name = self.announcer.resolver.resolve(topic);
        let qos = self.announcer.overrides.apply(&name, End::Subscription, qos);
        let messages =
            self.announcer.node().subscribe::<T>(topic, qos).map_err(|error| error::subscription(&name, &error))?;
        self.heard.push((name, kind.to_owned()));
        Ok(Input { messages: messages.boxed() })
    }

    /// Announces a topic; its messages are modifications of `message`.
    pub fn publish<M: Message>(&mut self, topic: &str, quality: Quality, message: M) -> Result<RosTopic<M>, RosError> {
        let made = self.announcer.topic(topic, quality, message)?;
        self.published.push((self.announcer.resolver.resolve(topic), M::TYPE.to_owned()));
        Ok(made)
    }

    /// The full name of a topic under the namespace and the remapping rules.
    pub(crate) fn full_name(&self, topic: &str) -> String {
        self.announcer.resolver.resolve(topic)
    }

    /// The topics so far, for display.
    pub(crate) fn into_lines(self) -> Vec<String> {
        let mut lines = Vec::new();
        append_section(&mut lines, "publishes", self.published);
        append_section(&mut lines, "listens to", self.heard);
        lines
    }
}
