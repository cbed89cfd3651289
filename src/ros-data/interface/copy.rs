//! Copies of the vehicles and readings of a frame, for the threads that publish or record them later. Buffers are reused.

use skidpad_sim::sensor::Reading;
use skidpad_sim::world::{Frame, VehicleFrame};

/// A copy of one vehicle's state.
#[derive(Debug, Default)]
pub struct VehicleSnapshot {
    /// The state.
    pub frame: VehicleFrame,
    /// True when it collided since states were last due.
    pub collided: bool,
    /// True when a sample of one of its sensors was due, whether anybody wanted it or not.
    pub senses: bool,
    /// True when its driver has acted.
    pub tracked: bool,
}

/// A copy of one sensor's reading.
#[derive(Debug)]
pub struct SensorSnapshot {
    /// Whether the reading is new.
    pub fresh: bool,
    /// The last new reading.
    pub reading: Reading,
}

impl SensorSnapshot {
    /// Its size in memory [bytes].
    pub fn bytes(&self) -> usize {
        let earlier = self.reading.earlier.as_slice().iter().map(|sample| size_of_val(sample) + sample.data.bytes());
        size_of_val(self) + self.reading.data.bytes() + earlier.sum::<usize>()
    }
}

impl VehicleSnapshot {
    /// Its size in memory [bytes].
    pub fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&self.frame.wheels[..])
    }

    /// Copies the state into the existing buffers, and clears the flags for collisions, sensors and drivers.
    pub fn copy_from(&mut self, vehicle: &VehicleFrame) {
        let mut wheels = std::mem::take(&mut self.frame.wheels);
        wheels.clone_from(&vehicle.wheels);
        self.frame = VehicleFrame { wheels, ..*vehicle };
        (self.collided, self.senses, self.tracked) = (false, false, false);
    }
}

/// Copies the state of every vehicle of the frame.
pub fn copy_vehicles(frame: &Frame, vehicles: &mut Vec<VehicleSnapshot>) {
    vehicles.resize_with(frame.vehicles.len(), VehicleSnapshot::default);
    for (copy, vehicle) in vehicles.iter_mut().zip(&frame.vehicles) {
        copy.copy_from(vehicle);
    }
}

/// Copies the new readings, one slot for each sensor, and marks the vehicles whose sensors were due.
pub(crate) fn copy_readings(frame: &Frame, sensors: &mut Vec<SensorSnapshot>, vehicles: &mut [VehicleSnapshot]) {
    sensors.truncate(frame.readings.len());
    for (index, reading) in frame.readings.iter().enumerate() {
        let fresh = reading.is_fresh(frame.time);
        match sensors.get_mut(index) {
            Some(copy) => {
                copy.fresh = fresh;
                if fresh {
                    copy.reading.copy_from(reading);
                }
            }
            None => sensors.push(SensorSnapshot { fresh, reading: reading.clone() }),
        }
        if let Some(vehicle) = vehicles.get_mut(reading.vehicle).filter(|_| reading.was_due(frame.time)) {
            vehicle.senses = true;
        }
    }
}
