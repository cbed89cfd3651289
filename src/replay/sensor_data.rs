//! Clouds, pictures and readings of a recording, read when a viewer asks for them: unlike the other topics they are not folded in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use skidpad_math::Pose3;
use skidpad_ros_data::message::compressed::{COMPRESSED, COMPRESSED_DEPTH};
use skidpad_ros_data::message::{CompressedImage, Header, Image, Message as _, PointCloud2};
use skidpad_server::sensor_data::{
    Content, READING_TYPES, SensorData, read_reading, view_cloud, view_compressed, view_picture,
};
use skidpad_view::channels;
use skidpad_view::scene::{SceneView, SensorTopicView, SensorView};
use skidpad_view::sensor_data::TopicKey;

use super::index::IndexedChannel;
use super::inferred_scene::{Parents, body_from_frame};
use super::recording::Recording;
use super::topics::TopicRoles;
use super::{Replay, decode};

/// The types of messages that are read on request.
pub(super) const ON_REQUEST: [&str; 3] = [PointCloud2::TYPE, Image::TYPE, CompressedImage::TYPE];

/// The channels of a scene with clouds, pictures and readings, by the indices of vehicle, sensor and topic.
pub(super) type SensorChannels = BTreeMap<(usize, usize, usize), u16>;

/// Finds the channels of the topics that a scene lists. A picture that was recorded only in its compressed form has that one.
pub(super) fn find(
    view: &SceneView,
    vehicles: &[Option<usize>],
    recording: &Recording,
    topic_roles: &TopicRoles,
) -> SensorChannels {
    let by_name: BTreeMap<(&str, &str), u16> = recording
        .channels
        .iter()
        .enumerate()
        .filter(|(_, channel)| is_on_request(channel) || READING_TYPES.contains(&channel.kind.as_str()))
        .filter(|(_, channel)| channel.has_messages())
        .map(|(index, channel)| ((channel.topic.as_str(), channel.kind.as_str()), index as u16))
        .collect();
    let mut sensor_channels = SensorChannels::new();
    for (index, (vehicle, recorded)) in view.vehicles.iter().zip(vehicles).enumerate() {
        let Some(recorded) = *recorded else { continue };
        for (sensor, sensor_view) in vehicle.sensors.iter().enumerate() {
            for (topic, topic_view) in sensor_view.topics.iter().enumerate() {
                let name = topic_roles.sensor_topic(recorded, &vehicle.sensors, sensor, &topic_view.suffix);
                let compressed = COMPRESSED.map(|end| format!("{name}{end}"));
                let plain = by_name.get(&(name.as_str(), topic_view.message.as_str()));
                let other = || compressed.iter().find_map(|name| by_name.get(&(name.as_str(), CompressedImage::TYPE)));
                let channel = if topic_view.message == Image::TYPE { plain.or_else(other) } else { plain };
                sensor_channels.extend(channel.map(|channel| ((index, sensor, topic), *channel)));
            }
        }
    }
    sensor_channels
}

/// Adds a sensor to an inferred scene for each topic with clouds or pictures, placed by its frame, and finds the channels.
pub(super) fn infer(
    view: &mut SceneView,
    recording: &mut Recording,
    topic_roles: &TopicRoles,
    parents: &Parents,
) -> SensorChannels {
    let topics = |kind: &str, end: &str| -> BTreeSet<String> {
        let shown = recording.channels.iter().filter(|channel| channel.kind == kind && channel.has_messages());
        shown.filter_map(|channel| channel.topic.strip_suffix(end)).map(str::to_owned).collect()
    };
    let images = topics(Image::TYPE, "");
    // Those of depths are compressed in both ways, of which the other one is not meant for them.
    let depths = topics(CompressedImage::TYPE, COMPRESSED_DEPTH);
    let mut sensor_channels = SensorChannels::new();
    for index in 0..recording.channels.len() {
        let channel = recording.channels[index].clone();
        let compressed = COMPRESSED.iter().find_map(|end| channel.topic.strip_suffix(end));
        let is_depth = channel.topic.ends_with(COMPRESSED_DEPTH);
        let (topic, message) = match (channel.kind.as_str(), compressed) {
            (CompressedImage::TYPE, Some(topic))
                if !images.contains(topic) && (is_depth || !depths.contains(topic)) =>
            {
                (topic, Image::TYPE)
            }
            (kind @ (PointCloud2::TYPE | Image::TYPE), _) => (channel.topic.as_str(), kind),
            _ => continue,
        };
        let Some(vehicle) = topic_roles.owner(topic) else { continue };
        let first = recording.next(index as u16, i64::MIN);
        let Some(header) = first.and_then(|first| decode::read::<Header>(first.data())) else { continue };
        let prefix = &topic_roles.recorded_vehicles[vehicle].prefix;
        let body_from_sensor = body_from_frame(parents, prefix, &header.frame_id);
        let name = topic.strip_prefix(prefix).unwrap_or(topic).trim_start_matches('/').to_owned();
        let sensors = &mut view.vehicles[vehicle].sensors;
        sensor_channels.insert((vehicle, sensors.len(), 0), index as u16);
        let topics = vec![SensorTopicView { message: message.into(), ..SensorTopicView::default() }];
        sensors.push(SensorView { name, topics, pose: channels::pose(body_from_sensor), ..SensorView::default() });
    }
    sensor_channels
}

/// Whether the messages of a channel are read on request only.
pub(super) fn is_on_request(channel: &IndexedChannel) -> bool {
    ON_REQUEST.contains(&channel.kind.as_str())
}

impl Replay {
    /// What a topic shows at the current instant, `last` if that is the same; none if the recording has nothing of it until then.
    pub fn sensor_data(&mut self, key: &TopicKey, last: Option<Arc<SensorData>>) -> Option<Arc<SensorData>> {
        let scene = self.scene();
        let recorded_scene = self.timeline.scenes.get(scene)?;
        if recorded_scene.view.revision != key.revision {
            return None;
        }
        let channel = *recorded_scene.sensor_data.get(&(key.vehicle, key.sensor, key.topic))?;
        let message = self.recording.last(channel, self.now)?;
        let time = self.scan_time(&message);
        if last.as_ref().is_some_and(|last| last.time == time) {
            return last;
        }
        let content = match self.recording.channels.get(usize::from(channel))?.kind.as_str() {
            PointCloud2::TYPE => {
                let world_from_sensor = self.world_from_sensor(scene, key.vehicle, key.sensor, message.time())?;
                Content::Cloud(view_cloud(&decode::read(message.data())?, world_from_sensor)?)
            }
            Image::TYPE => Content::Picture(view_picture(&decode::read(message.data())?)?),
            kind if READING_TYPES.contains(&kind) => Content::Reading(read_reading(kind, message.data())?),
            _ => Content::Picture(view_compressed(&decode::read(message.data())?)?),
        };
        Some(Arc::new(SensorData::new(*key, time, content)))
    }

    /// Pose of a sensor at a log time [ns].
    pub(super) fn world_from_sensor(
        &mut self,
        scene: usize,
        vehicle: usize,
        sensor: usize,
        time: i64,
    ) -> Option<Pose3> {
        let recorded_scene = self.timeline.scenes.get(scene)?;
        let [x, y, z, yaw, pitch, roll] = recorded_scene.view.vehicles.get(vehicle)?.sensors.get(sensor)?.pose;
        let recorded = (*recorded_scene.vehicles.get(vehicle)?)?;
        Some(self.pose_at(recorded, time) * Pose3 { x, y, z, yaw, pitch, roll })
    }
}
