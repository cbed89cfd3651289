//! Which sensors anybody reads: an input of the world like commands, decided between two steps by whoever hands out its
//! frames. The others cast no rays.

use crate::world::World;

/// The sensors whose readings are wanted, by their places among [`Frame::readings`](crate::world::Frame); by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    is_everything: bool,
    sensors: Vec<bool>,
}

impl Wanted {
    /// Every sensor, whatever the world has.
    pub fn everything() -> Wanted {
        Wanted { is_everything: true, sensors: Vec::new() }
    }

    /// Makes it empty, and keeps its memory.
    pub fn clear(&mut self) {
        self.is_everything = false;
        self.sensors.clear();
    }

    /// Adds every sensor.
    pub fn add_everything(&mut self) {
        self.is_everything = true;
    }

    /// Adds the sensor in this place.
    pub fn add(&mut self, place: usize) {
        if self.sensors.len() <= place {
            self.sensors.resize(place + 1, false);
        }
        self.sensors[place] = true;
    }

    /// Adds all that another one has.
    pub fn add_all(&mut self, other: &Wanted) {
        self.is_everything |= other.is_everything;
        other.sensors.iter().enumerate().filter(|(_, is_wanted)| **is_wanted).for_each(|(place, _)| self.add(place));
    }

    /// Whether the sensor in this place is wanted.
    pub fn has(&self, place: usize) -> bool {
        self.is_everything || self.sensors.get(place).copied().unwrap_or(false)
    }
}

impl World {
    /// Whether a sensor casts rays: only of these it matters whether they are [wanted](Self::want).
    pub fn casts_rays(&self) -> bool {
        self.casts_rays
    }

    /// Takes readings of these sensors alone from the next step on, as far as they cast rays; a world takes all as long
    /// as nobody says so, and of sensors that come. The others are as if they had been read: readings do not depend on
    /// which others were taken. The slot of one that is not taken is [empty](crate::sensor::Reading::forget). A sensor
    /// that looks all the time between its readings, as a spinning lidar does, has one once it has seen a whole turn.
    pub fn want(&mut self, wanted: &Wanted) {
        let sensors = self.vehicles.iter_mut().flat_map(|record| &mut record.sensors);
        for (place, mounted) in sensors.enumerate() {
            mounted.is_asked = wanted.has(place);
            mounted.choose();
        }
    }
}
