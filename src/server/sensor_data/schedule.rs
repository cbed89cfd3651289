//! When a session asks for clouds and pictures, and sends them: as often as is useful, and never so much that states are late.

use std::collections::BTreeMap;
use std::time::Duration;

use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{Image, Message, PointCloud2};
use skidpad_view::messages::{OfVehicles, WatchedTopic};
use skidpad_view::scene::SceneView;
use skidpad_view::sensor_data::TopicKey;
use tokio::time::Instant;

use super::READING_TYPES;

/// Shortest time between two clouds of a topic [wall].
const CLOUD_PERIOD: Duration = Duration::from_millis(100);
/// Shortest time between two pictures of a topic [wall].
const PICTURE_PERIOD: Duration = Duration::from_millis(200);
/// Shortest time between two readings of a topic [wall].
const READING_PERIOD: Duration = Duration::from_millis(100);
/// Most topics that a session asks for at a time, those first that have waited longest.
const MAX_OPEN: usize = 8;

/// The topics that a viewer watches, each with the shortest time between two messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct TopicsWanted {
    topics: Vec<(TopicKey, Duration)>,
}

impl TopicsWanted {
    /// The clouds of the vehicles in `points`, if any are wanted, these pictures, and the readings of the vehicle with this id, as far as the
    /// scene has them.
    pub(in super::super) fn new(
        scene: &SceneView,
        points: OfVehicles,
        clouds: bool,
        pictures: &[WatchedTopic],
        readings: Option<u64>,
    ) -> TopicsWanted {
        let mut topics = Vec::new();
        for (vehicle, view) in scene.vehicles.iter().enumerate() {
            let has_clouds = clouds
                && match points {
                    OfVehicles::None => false,
                    OfVehicles::All => true,
                    OfVehicles::Vehicle(id) => id == view.id,
                };
            for (sensor, sensor_view) in view.sensors.iter().enumerate() {
                for (topic, topic_view) in sensor_view.topics.iter().enumerate() {
                    let watched = WatchedTopic { vehicle: view.id, sensor: sensor as u32, topic: topic as u32 };
                    let period = match topic_view.message.as_str() {
                        PointCloud2::TYPE if has_clouds => CLOUD_PERIOD,
                        Image::TYPE if pictures.contains(&watched) => PICTURE_PERIOD,
                        other if readings == Some(view.id) && READING_TYPES.contains(&other) => READING_PERIOD,
                        _ => continue,
                    };
                    topics.push((TopicKey { revision: scene.revision, vehicle, sensor, topic }, period));
                }
            }
        }
        TopicsWanted { topics }
    }
}

/// What happened with a topic.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// When it was last asked for [wall].
    last_request: Option<Instant>,
    /// Whether the answer has not come yet.
    is_open: bool,
    /// Time of the data that were sent last.
    sent: Option<SimTime>,
}

/// The schedule of a session.
#[derive(Debug, Default)]
pub(in super::super) struct Schedule {
    topics: BTreeMap<TopicKey, Past>,
    /// When the line is free for further data [wall].
    free: Option<Instant>,
}

impl Schedule {
    /// The topics to ask for now.
    pub(in super::super) fn ask(&mut self, wanted: &TopicsWanted, now: Instant) -> Vec<TopicKey> {
        self.topics.retain(|known, _| wanted.topics.iter().any(|(key, _)| key == known));
        if self.free.is_some_and(|free| now < free) {
            return Vec::new();
        }
        let open = self.topics.values().filter(|past| past.is_open).count();
        let mut due: Vec<(Option<Instant>, TopicKey)> = Vec::new();
        for (key, period) in &wanted.topics {
            let past = self.topics.entry(*key).or_default();
            if !past.is_open && past.last_request.is_none_or(|last_request| now >= last_request + *period) {
                due.push((past.last_request, *key));
            }
        }
        due.sort_unstable();
        due.truncate(MAX_OPEN.saturating_sub(open));
        for (_, key) in &due {
            self.topics.entry(*key).and_modify(|past| (past.last_request, past.is_open) = (Some(now), true));
        }
        due.into_iter().map(|(_, key)| key).collect()
    }

    /// The topics whose answers have not come yet.
    pub(in super::super) fn open(&self) -> Vec<TopicKey> {
        self.topics.iter().filter(|(_, past)| past.is_open).map(|(key, _)| *key).collect()
    }

    /// Notes an answer with data of this time; returns whether they are new.
    pub(in super::super) fn close(&mut self, key: &TopicKey, time: Option<SimTime>) -> bool {
        let Some(past) = self.topics.get_mut(key) else { return false };
        past.is_open = false;
        let is_new = time.is_some() && past.sent != time;
        if is_new {
            past.sent = time;
        }
        is_new
    }

    /// Notes that the line was busy with data for so long until `now`. It is left to states for as long.
    pub(in super::super) fn pause_after(&mut self, busy: Duration, now: Instant) {
        self.free = Some(now + busy);
    }
}
