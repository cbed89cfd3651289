//! The topics of one vehicle: those of its preset, at their paces, and those of its sensors.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::Reading;
use skidpad_sim::world::{VehicleFrame, VehicleInfo};

use super::content::{self, Instant, MessageSource};
use super::sensor::SensorMessages;
use super::{Announce, AutowareDesk, ErrorOf, Quality, TopicChannel};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::names::VehicleNames;
use crate::preset::{self, Pace};

/// The topics of one vehicle.
pub struct VehicleMessages<C: TopicChannel> {
    states: Vec<StateTopic<C>>,
    /// One entry per sensor.
    sensors: Vec<SensorMessages<C>>,
    /// When the topics of each pace were last sent.
    sent: [Option<SimTime>; 2],
}

/// A topic of the preset.
struct StateTopic<C> {
    pace: Pace,
    source: Box<dyn MessageSource>,
    channel: C,
}

/// The due data of all vehicles at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Its time [ns].
    pub time: SimTime,
    /// Whether the topics of each [`Pace`] are due.
    pub due: [bool; 2],
}

impl<C: TopicChannel> VehicleMessages<C> {
    /// Announces `topics` under their names, then those of each sensor under the names of `sensors`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        vehicle: &VehicleInfo,
        names: &VehicleNames,
        topics: impl IntoIterator<Item = (String, preset::Topic)>,
        sensors: impl IntoIterator<Item = Vec<String>>,
    ) -> Result<VehicleMessages<C>, A::Error> {
        let mut states = Vec::new();
        for (name, topic) in topics {
            let quality = if topic.latched { Quality::Latched } else { Quality::Data };
            let source = content::topic_content(topic.content, vehicle, names).source;
            let channel = on.channel(&name, source.kind(), quality)?;
            states.extend(channel.map(|channel| StateTopic { pace: topic.pace, source, channel }));
        }
        let mut all = Vec::new();
        for (index, (sensor, topics)) in vehicle.sensors.iter().zip(sensors).enumerate() {
            let frame = names.sensor_frame(vehicle, index);
            all.push(SensorMessages::new(on, sensor, &topics, &frame, &names.map_frame())?);
        }
        Ok(VehicleMessages { states, sensors: all, sent: [None; 2] })
    }

    /// Sends the topics of the paces that are due, with the opponent of the vehicle and what Autoware has commanded.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(
        &mut self,
        output: &mut C::Output,
        Moment { time, due }: Moment,
        vehicle: &VehicleSnapshot,
        opponent: Option<&VehicleFrame>,
        desk: &AutowareDesk,
    ) -> Result<(), ErrorOf<C>> {
        let mut seconds = [0.0; 2];
        for ((_, sent), seconds) in due.iter().zip(&mut self.sent).zip(&mut seconds).filter(|((due, _), _)| **due) {
            // After time was set back the interval is 0.
            *seconds = sent.replace(time).map_or(0.0, |last| (time - last).secs().max(0.0));
        }
        for StateTopic { pace, source, channel } in self.states.iter_mut().filter(|state| due[state.pace as usize]) {
            let seconds = seconds[*pace as usize];
            if let Some(message) = source.at(&Instant { time, seconds, vehicle, opponent, desk }) {
                channel.send(output, time, message)?;
            }
        }
        Ok(())
    }

    /// Sends a reading of one of its sensors.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send_reading(&mut self, output: &mut C::Output, reading: &Reading) -> Result<(), ErrorOf<C>> {
        match self.sensors.get_mut(reading.sensor) {
            Some(sensor) => sensor.send(output, reading),
            None => Ok(()),
        }
    }
}
