//! The topic of one sensor, by kind of reading.

use super::Int32;
use super::{Announce, ErrorOf, LaserScan, Quality, TopicChannel, TopicWriter, fill};
use crate::sensor::{Reading, ReadingData, SensorInfo, SensorKind};

/// The topic of one sensor.
pub enum SensorMessages<C> {
    /// That of a planar lidar.
    Scan(TopicWriter<C, LaserScan>),
    /// That of a counter of samples.
    Count(TopicWriter<C, Int32>),
}

impl<C: TopicChannel> SensorMessages<C> {
    /// Announces the topic `name`, whose messages are in `frame`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        sensor: &SensorInfo,
        name: &str,
        frame: &str,
    ) -> Result<Option<SensorMessages<C>>, A::Error> {
        Ok(match &sensor.kind {
            SensorKind::Lidar2d(geometry) => {
                on.announce(name, Quality::Data, fill::scan(sensor, geometry, frame))?.map(SensorMessages::Scan)
            }
            SensorKind::Probe => on.announce(name, Quality::Data, Int32::default())?.map(SensorMessages::Count),
        })
    }

    /// Sends a reading of the sensor.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, reading: &Reading) -> Result<(), ErrorOf<C>> {
        match (self, &reading.data) {
            (SensorMessages::Scan(topic), ReadingData::Scan(scan)) => {
                fill::fill_scan(reading.time, &scan.ranges, &mut topic.message);
                topic.send(output, reading.time)
            }
            (SensorMessages::Count(topic), ReadingData::Count(count)) => {
                topic.message.data = *count as i32;
                topic.send(output, reading.time)
            }
            // The reading belongs to another scene.
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Message;
    use super::*;
    use crate::sensor::{SENSORS, sensor_of_class};

    /// [`SENSORS`] lies below the messages and cannot refer to their types.
    #[test]
    fn the_table_of_sensors_has_the_published_types() {
        let sent = [LaserScan::TYPE, Int32::TYPE];
        let entries = SENSORS.iter().copied().chain(sensor_of_class("probe"));
        assert_eq!(entries.map(|entry| entry.message).collect::<Vec<_>>(), sent);
    }
}
