//! The topics of one vehicle: those of its preset, at their paces, and its scans.

use super::content::{self, Instant, Source};
use super::{Announce, Channel, ErrorOf, LaserScan, Quality, Topic, fill};
use crate::interface::copy::VehicleSnapshot;
use crate::interface::names::VehicleNames;
use crate::preset::{self, Pace};
use crate::time::SimTime;
use crate::world::{VehicleFrame, VehicleInfo};

/// The topics of one vehicle.
pub struct VehicleMessages<C> {
    states: Vec<State<C>>,
    /// One entry per sensor; none for those left out.
    scans: Vec<Option<Topic<C, LaserScan>>>,
    /// When the topics of each pace were last sent.
    sent: [Option<SimTime>; 2],
}

/// A topic of the preset.
struct State<C> {
    pace: Pace,
    source: Box<dyn Source>,
    channel: C,
}

/// What is due of all vehicles at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// When that is [ns].
    pub time: SimTime,
    /// Whether the topics of each [`Pace`] are due.
    pub due: [bool; 2],
}

impl<C: Channel> VehicleMessages<C> {
    /// Announces `topics` under the names that stand with them, then one topic for each sensor under the names of `sensors`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        (vehicle, names): (&VehicleInfo, &VehicleNames),
        topics: impl IntoIterator<Item = (String, preset::Topic)>,
        sensors: impl IntoIterator<Item = String>,
    ) -> Result<VehicleMessages<C>, A::Error> {
        let mut states = Vec::new();
        for (name, topic) in topics {
            let quality = if topic.latched { Quality::Latched } else { Quality::Data };
            let source = content::carried(topic.content, (vehicle, names)).source;
            let channel = on.channel(&name, source.kind(), quality)?;
            states.extend(channel.map(|channel| State { pace: topic.pace, source, channel }));
        }
        let mut scans = Vec::new();
        for (index, (sensor, name)) in vehicle.sensors.iter().zip(sensors).enumerate() {
            let message = fill::scan(sensor, &names.sensor_frame(vehicle, index));
            scans.push(on.announce(&name, Quality::Data, message)?);
        }
        Ok(VehicleMessages { states, scans, sent: [None; 2] })
    }

    /// Sends the topics of the paces that are due.
    ///
    /// # Errors
    /// As [`Channel::send`].
    pub fn send(
        &mut self,
        output: &mut C::Output,
        Moment { time, due }: Moment,
        vehicle: &VehicleSnapshot,
        opponent: Option<&VehicleFrame>,
    ) -> Result<(), ErrorOf<C>> {
        let mut seconds = [0.0; 2];
        for ((_, sent), seconds) in due.iter().zip(&mut self.sent).zip(&mut seconds).filter(|((due, _), _)| **due) {
            // Where time has gone back nothing has passed.
            *seconds = sent.replace(time).map_or(0.0, |last| (time - last).secs().max(0.0));
        }
        for State { pace, source, channel } in self.states.iter_mut().filter(|state| due[state.pace as usize]) {
            let seconds = seconds[*pace as usize];
            if let Some(message) = source.at(&Instant { time, seconds, vehicle, opponent }) {
                channel.send(output, time, message)?;
            }
        }
        Ok(())
    }

    /// Sends the scan of the sensor with this index.
    ///
    /// # Errors
    /// As [`Channel::send`].
    pub fn send_scan(
        &mut self,
        output: &mut C::Output,
        time: SimTime,
        sensor: usize,
        ranges: &[f32],
    ) -> Result<(), ErrorOf<C>> {
        let Some(Some(topic)) = self.scans.get_mut(sensor) else { return Ok(()) };
        fill::fill_scan(time, ranges, &mut topic.message);
        topic.send(output, time)
    }
}
