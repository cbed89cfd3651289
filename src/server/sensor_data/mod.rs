//! Clouds, pictures and readings for viewers, made from the messages of sensors only when a viewer has asked for them.
//!
//! ```text
//!  Session ── asks for topics ──▶ Exchange ──▶ WebSink: messages of the last reading    ──┐
//!     ▲                              │     └─▶ Player:  last message of the recording   ──┤
//!     └── newest data, once each ◀── Hub ◀── cloud.rs, picture.rs: thinned out, shared ◀──┘
//! ```
//! A message is made once for all viewers. Nothing queues up: the exchange keeps the last data of each topic.

mod cloud;
mod live;
mod picture;
mod reading;
mod schedule;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use skidpad_math::time::SimTime;
use skidpad_view::sensor_data::{ReadingView, TopicKey, ViewCloud, ViewPicture};

pub use cloud::view_cloud;
pub(super) use live::LiveMessages;
pub use picture::{view_compressed, view_picture};
pub use reading::{READING_TYPES, read_reading, view_reading};
pub(super) use schedule::{Schedule, TopicsWanted};

/// The content of a topic at one time.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Points.
    Cloud(ViewCloud),
    /// A picture.
    Picture(ViewPicture),
    /// A few numbers.
    Reading(ReadingView),
}

/// A cloud, a picture or a reading.
#[derive(Debug)]
pub struct SensorData {
    key: TopicKey,
    /// Simulated time of the sample [ns].
    pub time: SimTime,
    content: Content,
    /// Made when the first session needs it, so that no simulation waits for it; none if that fails.
    message: OnceLock<Option<Bytes>>,
}

impl SensorData {
    /// What a topic shows at this time.
    pub fn new(key: TopicKey, time: SimTime, content: Content) -> SensorData {
        SensorData { key, time, content, message: OnceLock::new() }
    }

    /// The message to viewers; none if it cannot be made.
    pub fn message(&self) -> Option<Bytes> {
        let encode = || match &self.content {
            Content::Cloud(cloud) => Some(cloud.encode(&self.key, self.time).into()),
            Content::Reading(reading) => Some(reading.encode(&self.key, self.time).into()),
            Content::Picture(picture) => picture.encode(&self.key, self.time).map(Bytes::from),
        };
        self.message.get_or_init(encode).clone()
    }
}

/// A topic in the exchange.
#[derive(Debug, Default)]
struct Slot {
    is_wanted: bool,
    last: Option<Arc<SensorData>>,
}

/// The topics that viewers have asked for, each with its last data.
#[derive(Debug, Default)]
pub struct Exchange {
    slots: BTreeMap<TopicKey, Slot>,
}

impl Exchange {
    /// Asks for the data of a topic. Those of earlier scenes are dropped.
    pub(super) fn ask(&mut self, key: TopicKey) {
        self.slots.retain(|known, _| known.revision == key.revision);
        self.slots.entry(key).or_default().is_wanted = true;
    }

    /// Whether a topic is asked for.
    pub(super) fn has_requests(&self) -> bool {
        self.slots.values().any(|slot| slot.is_wanted)
    }

    /// The topics that are asked for, each with its last data.
    pub fn wanted(&self) -> Vec<(TopicKey, Option<Arc<SensorData>>)> {
        let wanted = self.slots.iter().filter(|(_, slot)| slot.is_wanted);
        wanted.map(|(key, slot)| (*key, slot.last.clone())).collect()
    }

    /// Answers for a topic; `None`: there is nothing yet.
    pub fn answer(&mut self, key: &TopicKey, data: Option<Arc<SensorData>>) {
        if let Some(slot) = self.slots.get_mut(key) {
            *slot = Slot { is_wanted: false, last: data };
        }
    }

    /// The answer for a topic; `None`: it is still wanted.
    pub(super) fn answered(&self, key: &TopicKey) -> Option<Option<Arc<SensorData>>> {
        match self.slots.get(key) {
            Some(slot) if slot.is_wanted => None,
            Some(slot) => Some(slot.last.clone()),
            None => Some(None),
        }
    }
}

#[cfg(test)]
mod tests;
