//! Scans that take time: beams are measured one after the other while the vehicle drives.

use std::ops::Range;

use skidpad_math::time::SimTime;

/// When the beams of a scan are measured, and what its messages say of that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScanMotion {
    /// Time from one beam to the next one [s], > 0.
    pub beam_time: f64,
    /// Whether the lidar turns clockwise about its z axis: the last beam of the scan is measured first.
    pub is_clockwise: bool,
    /// What messages say.
    pub stamp: ScanStamp,
}

/// Which time the stamp of a scan is, by the convention of its driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScanStamp {
    /// That of the first beam of the message, as sensor_msgs/LaserScan demands. Where the lidar turns clockwise, `time_increment` is
    /// negative.
    #[default]
    FirstBeam,
    /// That of the beam measured first; `time_increment` is positive in any case.
    Start,
    /// That of the beam measured last; `time_increment` is positive in any case.
    End,
}

impl ScanStamp {
    /// The words of `<scan_stamp>`.
    pub const NAMES: &[(&str, ScanStamp)] =
        &[("first_beam", ScanStamp::FirstBeam), ("start", ScanStamp::Start), ("end", ScanStamp::End)];
}

impl ScanMotion {
    /// Time from the first measured beam to the last one of `count` [s].
    pub fn duration(&self, count: usize) -> f64 {
        self.beam_time * count.saturating_sub(1) as f64
    }

    /// `time_increment` of the messages [s].
    pub fn time_increment(&self) -> f64 {
        if self.is_clockwise && self.stamp == ScanStamp::FirstBeam { -self.beam_time } else { self.beam_time }
    }

    /// How long before the last measurement of `count` beams the stamp is [s].
    pub fn stamped_before_end(&self, count: usize) -> f64 {
        match self.stamp {
            ScanStamp::FirstBeam if self.is_clockwise => 0.0,
            ScanStamp::FirstBeam | ScanStamp::Start => self.duration(count),
            ScanStamp::End => 0.0,
        }
    }

    /// How long before the end of the scan this one of `count` beams is measured [s], counted in the order of angles.
    pub fn before_end(&self, beam: usize, count: usize) -> f64 {
        self.beam_time * if self.is_clockwise { beam } else { count.saturating_sub(1).saturating_sub(beam) } as f64
    }
}

/// The beams that were measured between two looks, in the order of their places in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredBeams {
    /// Time of the measurement at the first place [ns].
    pub first: SimTime,
    /// From each place to the next one [s]; negative where the list runs against the rotation.
    pub step: f64,
}

impl MeasuredBeams {
    /// Time of the measurement at a place [ns].
    pub(super) fn time(&self, place: usize) -> SimTime {
        self.first + SimTime::from_secs(self.step * place as f64)
    }
}

/// Stretches of `places`, each cast from one point, where the lidar moves by `distance` [m] and `turn` [rad] over all of them. Over a stretch it moves by at
/// most `MAX_SHIFT` and `MAX_TURN` either way, but for the least number of beams.
pub(super) fn stretches(places: Range<usize>, (distance, turn): (f64, f64)) -> impl Iterator<Item = Range<usize>> {
    /// [m]: a tenth of the noise of good lidars.
    const MAX_SHIFT: f64 = 5e-4;
    /// [rad].
    const MAX_TURN: f64 = 0.05;
    /// Shorter stretches cost more than they bring.
    const MIN_BEAMS: usize = 8;
    let count = libm::ceil((distance / (2.0 * MAX_SHIFT)).max(turn / (2.0 * MAX_TURN))).max(1.0);
    let length = libm::ceil(places.len() as f64 / count).max(MIN_BEAMS as f64) as usize;
    let end = places.end;
    places.step_by(length).map(move |start| start..end.min(start + length))
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
