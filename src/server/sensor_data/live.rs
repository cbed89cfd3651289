//! The messages of readings, made for single topics.

use std::collections::BTreeMap;
use std::convert::Infallible;

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{
    Announce, AnyMessage, Image, Kind, PointCloud2, Quality, SensorMessages, TopicChannel,
};
use skidpad_sim::sensor::{Reading, SensorInfo};
use skidpad_view::sensor_data::TopicKey;

use super::{Content, view_cloud, view_picture, view_reading};

/// Makes the messages of single topics and keeps their buffers.
#[derive(Default)]
pub(in super::super) struct LiveMessages {
    topics: BTreeMap<TopicKey, SensorMessages<Converter>>,
}

impl LiveMessages {
    /// What a topic of this sensor shows of its reading; none if viewers see none of it.
    pub(in super::super) fn content(
        &mut self,
        key: &TopicKey,
        sensor: &SensorInfo,
        reading: &Reading,
        world_from_sensor: Pose3,
    ) -> Option<Content> {
        self.topics.retain(|known, _| known.revision == key.revision);
        let messages = self.topics.entry(*key).or_insert_with(|| {
            // Named by their numbers.
            let names: Vec<String> = (0..sensor.kind.topics().count()).map(|number| number.to_string()).collect();
            let Ok(messages) = SensorMessages::new(&mut Only(key.topic), sensor, &names, "", "");
            messages
        });
        let mut output = Output { world_from_sensor, content: None };
        let Ok(()) = messages.send(&mut output, reading);
        output.content
    }
}

/// Selects the topic with this number.
struct Only(usize);

/// Converts the messages of a topic.
struct Converter;

/// Where the sensor was, and what it sees.
struct Output {
    world_from_sensor: Pose3,
    content: Option<Content>,
}

impl Announce for Only {
    type Channel = Converter;
    type Error = Infallible;

    fn channel(&mut self, name: &str, _: Kind, _: Quality) -> Result<Option<Converter>, Infallible> {
        Ok((name.parse() == Ok(self.0)).then_some(Converter))
    }
}

impl TopicChannel for Converter {
    type Output = Output;
    type Error = Infallible;

    fn send(&mut self, output: &mut Output, _: SimTime, message: &dyn AnyMessage) -> Result<(), Infallible> {
        let message = message.as_any();
        output.content = if let Some(cloud) = message.downcast_ref::<PointCloud2>() {
            view_cloud(cloud, output.world_from_sensor).map(Content::Cloud)
        } else if let Some(image) = message.downcast_ref::<Image>() {
            view_picture(image).map(Content::Picture)
        } else {
            view_reading(message).map(Content::Reading)
        };
        Ok(())
    }
}
