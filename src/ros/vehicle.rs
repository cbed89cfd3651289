//! What one vehicle publishes: the topics of its preset, its scans, and what else [`OUTPUTS`] has for it.

use r2r::builtin_interfaces::msg::Time;
use r2r::sensor_msgs::msg::LaserScan;
#[cfg(test)]
use r2r::std_msgs::msg::Int32;

use super::convert;
use super::description::DescriptionPublisher;
use super::driver::DriverPublishers;
use super::error::RosError;
use super::log_topics::LogTopics;
use super::markers::VehicleMarkers;
use super::output::{Instant, Output};
use super::publish::{Announcer, Topic};
use super::snapshot::Snapshot;
use super::topics::{DATA_QOS, VehicleTopics};
use crate::interface::copy::VehicleSnapshot;
use crate::preset::Pace;
use crate::sensor::{Reading, ReadingData, SensorKind};
use crate::time::SimTime;
use crate::world::VehicleInfo;

/// Publishes something of one vehicle beside the topics of its preset.
pub trait VehicleOutput: Send {
    /// Publishes what is due; `stamp` is the snapshot's time, and `vehicle` in it the vehicle that it was made for.
    fn publish(&mut self, stamp: &Time, snapshot: &Snapshot, vehicle: &VehicleSnapshot);
}

/// Makes such an output for a vehicle that has come; none where there is nothing to publish.
type MakeOutput =
    fn(&mut Announcer<'_>, &VehicleInfo, &VehicleTopics) -> Result<Option<Box<dyn VehicleOutput>>, RosError>;

/// What is made for every vehicle.
const OUTPUTS: &[MakeOutput] =
    &[DriverPublishers::make, DescriptionPublisher::make, VehicleMarkers::make, LogTopics::make];

/// The topic of one sensor, by kind of reading.
enum SensorTopic {
    Scan(Topic<LaserScan>),
    #[cfg(test)]
    Count(Topic<Int32>),
}

/// The publishers of one vehicle.
pub struct VehiclePublishers {
    states: Vec<(Pace, Output)>,
    /// One entry per sensor.
    sensors: Vec<SensorTopic>,
    outputs: Vec<Box<dyn VehicleOutput>>,
    /// When each pace was last published.
    published: [Option<SimTime>; 2],
}

impl VehiclePublishers {
    /// Announces every topic of the vehicle.
    pub fn new(
        on: &mut Announcer<'_>,
        vehicle: &VehicleInfo,
        topics: &VehicleTopics,
    ) -> Result<VehiclePublishers, RosError> {
        let names = &topics.names;
        let mut sensors = Vec::new();
        for (index, (sensor, name)) in vehicle.sensors.iter().zip(&topics.sensors).enumerate() {
            let frame = names.sensor_frame(vehicle, index);
            sensors.push(match &sensor.kind {
                SensorKind::Lidar2d(geometry) => {
                    SensorTopic::Scan(on.topic(name, DATA_QOS, convert::new_scan(sensor, geometry, &frame))?)
                }
                #[cfg(test)]
                SensorKind::Probe => SensorTopic::Count(on.topic(name, DATA_QOS, Int32::default())?),
            });
        }
        let mut states = Vec::new();
        for topic in names.preset.topics.iter().filter(|topic| topic.only.holds(&topics.now)) {
            let output = Output::new(on, topic, (vehicle, names))?;
            states.extend(output.map(|output| (topic.pace, output)));
        }
        let mut outputs = Vec::new();
        for make in OUTPUTS {
            outputs.extend(make(on, vehicle, topics)?);
        }
        Ok(VehiclePublishers { states, sensors, outputs, published: [None; 2] })
    }

    /// Publishes the topics of the paces that are due, and what else there is, of the vehicle with this index in the snapshot.
    pub fn publish(&mut self, stamp: &Time, snapshot: &Snapshot, index: usize) {
        let Some(vehicle) = snapshot.vehicles.get(index) else { return };
        let opponents = snapshot.stage.as_ref().map(|stage| stage.opponents.as_slice()).unwrap_or_default();
        let opponent = opponents.get(index).copied().flatten().and_then(|opponent| snapshot.vehicles.get(opponent));
        let opponent = opponent.map(|opponent| &opponent.frame);
        let (time, due) = (snapshot.time, snapshot.states);
        let mut seconds = [0.0; 2];
        for pace in [Pace::Odometry, Pace::Own].map(|pace| pace as usize) {
            if due[pace] {
                // Where time has gone back nothing has passed.
                seconds[pace] = self.published[pace].map_or(0.0, |last| (time - last).secs().max(0.0));
                self.published[pace] = Some(time);
            }
        }
        for (pace, output) in self.states.iter_mut().filter(|(pace, _)| due[*pace as usize]) {
            output.publish(&Instant { stamp, time, seconds: seconds[*pace as usize], vehicle, opponent });
        }
        self.outputs.iter_mut().for_each(|output| output.publish(stamp, snapshot, vehicle));
    }

    /// Publishes a reading of one of its sensors.
    pub fn publish_reading(&mut self, stamp: &Time, reading: &Reading) {
        match (self.sensors.get_mut(reading.sensor), &reading.data) {
            (Some(SensorTopic::Scan(topic)), ReadingData::Scan(scan)) => {
                convert::write_scan(stamp, &scan.ranges, &mut topic.message);
                topic.publish();
            }
            #[cfg(test)]
            (Some(SensorTopic::Count(topic)), ReadingData::Count(count)) => {
                topic.message.data = *count as i32;
                topic.publish();
            }
            // A reading of another scene.
            _ => {}
        }
    }
}
