//! The topic of one sensor, by kind of reading.

use super::cloud::{self, PointCloud2};
use super::{Announce, ErrorOf, Imu, LaserScan, MagneticField, NavSatFix, Quality, TopicChannel, TopicWriter, fill};
use crate::sensor::{CloudGeometry, GnssAccuracy, Reading, ReadingData, SensorInfo, SensorKind};

/// The topic of one sensor.
pub enum SensorMessages<C> {
    /// That of a planar lidar.
    Scan(TopicWriter<C, LaserScan>),
    /// That of a lidar in three dimensions.
    Cloud(CloudGeometry, Box<TopicWriter<C, PointCloud2>>),
    /// That of an inertial measurement unit.
    Imu(Box<TopicWriter<C, Imu>>),
    /// That of a satellite receiver.
    Gnss(Box<GnssMessages<C>>),
    /// That of a magnetometer.
    MagneticField(Box<TopicWriter<C, MagneticField>>),
}

/// The topic of a satellite receiver.
pub struct GnssMessages<C> {
    fix: TopicWriter<C, NavSatFix>,
    accuracy: GnssAccuracy,
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
            SensorKind::Lidar3d(geometry) => on
                .announce(name, Quality::Data, cloud::cloud(frame, geometry))?
                .map(|topic| SensorMessages::Cloud(*geometry, Box::new(topic))),
            SensorKind::Imu(variances) => on
                .announce(name, Quality::Data, fill::measured_imu(frame, variances))?
                .map(|topic| SensorMessages::Imu(Box::new(topic))),
            SensorKind::Gnss(accuracy) => on
                .announce(name, Quality::Data, fill::nav_sat_fix(frame))?
                .map(|fix| SensorMessages::Gnss(Box::new(GnssMessages { fix, accuracy: *accuracy }))),
            SensorKind::Magnetometer { variance } => on
                .announce(name, Quality::Data, fill::magnetic_field(frame, *variance))?
                .map(|topic| SensorMessages::MagneticField(Box::new(topic))),
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
            (SensorMessages::Cloud(geometry, topic), ReadingData::Cloud(points)) => {
                cloud::fill_cloud(reading.time, points, geometry, &mut topic.message);
                topic.send(output, reading.time)
            }
            (SensorMessages::Imu(topic), ReadingData::Imu(sample)) => {
                fill::fill_measured_imu(reading.time, sample, &mut topic.message);
                topic.send(output, reading.time)
            }
            (SensorMessages::Gnss(topics), ReadingData::Gnss(fix)) => {
                if fix.place.is_none() && !topics.accuracy.publishes_no_fix {
                    return Ok(());
                }
                fill::fill_nav_sat_fix(reading.time, fix, &topics.accuracy, &mut topics.fix.message);
                topics.fix.send(output, reading.time)
            }
            (SensorMessages::MagneticField(topic), ReadingData::MagneticField(field)) => {
                fill::fill_magnetic_field(reading.time, *field, &mut topic.message);
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
    use crate::sensor::SENSORS;

    /// [`SENSORS`] lies below the messages and cannot refer to their types.
    #[test]
    fn the_table_of_sensors_has_the_published_types() {
        let sent = [LaserScan::TYPE, PointCloud2::TYPE, Imu::TYPE, NavSatFix::TYPE, MagneticField::TYPE];
        assert_eq!(SENSORS.iter().map(|entry| entry.message).collect::<Vec<_>>(), sent);
    }
}
