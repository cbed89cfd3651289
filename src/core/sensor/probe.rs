//! A sensor for tests, which counts its samples.
//!
//! It represents any sensor other than a lidar, so that tests can list one before the lidar and check that topics, recordings and
//! viewers go by the kind of a reading.
//!
//! `<sensor class="probe" name="…"/>`, at 10 Hz, at the vehicle's reference point.

use super::{ReadingData, Sensor, SensorContext, SensorEntry, SensorInfo, SensorKind, View};
use crate::math::Pose3;
use crate::time::SimTime;

/// Its line, which is not among [`SENSORS`](super::SENSORS).
pub(super) const ENTRY: SensorEntry = SensorEntry {
    name: "probe",
    help: "counts its samples",
    message: "std_msgs/msg/Int32",
    read: |_, context| Box::new(Probe::new(context)),
};

/// A counter of samples.
struct Probe {
    info: SensorInfo,
    samples: u32,
}

impl Probe {
    fn new(context: &SensorContext) -> Probe {
        let info = SensorInfo {
            name: context.name.clone(),
            period: SimTime(100_000_000),
            body_from_sensor: Pose3::default(),
            kind: SensorKind::Probe,
        };
        Probe { info, samples: 0 }
    }
}

impl Sensor for Probe {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Count(0)
    }

    fn restart(&mut self) {
        self.samples = 0;
    }

    fn sense(&mut self, _: &View<'_>, out: &mut ReadingData) {
        self.samples += 1;
        *out = ReadingData::Count(self.samples);
    }
}
