//! Copies of what a frame says of vehicles and sensors, for the threads that publish or write it later. Kept and filled again.

use crate::sensor::ReadingData;
use crate::world::{Frame, VehicleFrame};

/// A copy of one vehicle's state.
#[derive(Debug, Default)]
pub struct VehicleSnapshot {
    /// The state.
    pub frame: VehicleFrame,
    /// True when it collided since states were last due.
    pub collided: bool,
    /// True when one of its sensors is among the copies of readings.
    pub senses: bool,
    /// True when its driver has acted.
    pub tracked: bool,
}

/// A copy of one sensor's reading.
#[derive(Debug, Default)]
pub struct SensorSnapshot {
    /// Whether the reading is new.
    pub fresh: bool,
    /// Index of the vehicle.
    pub vehicle: usize,
    /// Index of the sensor on the vehicle.
    pub sensor: usize,
    /// Ranges of a scan [m].
    pub ranges: Vec<f32>,
}

impl VehicleSnapshot {
    /// Copies the state into the buffers that are there. Nothing is said yet of collisions, sensors and drivers.
    pub fn copy_from(&mut self, vehicle: &VehicleFrame) {
        let mut wheels = std::mem::take(&mut self.frame.wheels);
        wheels.clone_from(&vehicle.wheels);
        self.frame = VehicleFrame { wheels, ..*vehicle };
        (self.collided, self.senses, self.tracked) = (false, false, false);
    }
}

/// Copies the readings that are new, one slot for each sensor, and says of whose vehicles they are.
pub fn copy_readings(frame: &Frame, sensors: &mut Vec<SensorSnapshot>, vehicles: &mut [VehicleSnapshot]) {
    sensors.resize_with(frame.readings.len(), SensorSnapshot::default);
    for (copy, reading) in sensors.iter_mut().zip(&frame.readings) {
        copy.fresh = reading.time == frame.time;
        copy.vehicle = reading.vehicle;
        copy.sensor = reading.sensor;
        if !copy.fresh {
            continue;
        }
        match &reading.data {
            ReadingData::Scan(scan) => copy.ranges.clone_from(&scan.ranges),
        }
        if let Some(vehicle) = vehicles.get_mut(reading.vehicle) {
            vehicle.senses = true;
        }
    }
}
