//! The pattern of a Livox Mid-360: a fan of four beams that turns about its middle. The fan goes around the lidar 182 times a second, and
//! rises and sinks ten times a second.
//!
//! Livox publishes the directions as a file for simulators (Livox-SDK/livox_laser_simulation, `mid360.csv`), and no law. This is a fit of it.
//! Of firing n, at 50 000 a second, the middle of the fan has the elevation E(n) = Σ C_j·cos(2π·j·n/5000). Its azimuth falls by 1.3141° a
//! firing on average, and by less the higher the fan looks: the file has 1.256° at 47° and 1.35° at −4°. Beam k stands S_k from the middle, at
//! the angle 2π·n/274.1 from upright. Of 19 firings of the file, elevations differ by at most 0.35°. Azimuths drift away from those of the
//! file, by about 1° in a hundred firings. No scan repeats another, as in the file.

use std::f64::consts::{PI, TAU};

use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::{Kind, PatternRay, direction};

/// Firings a second.
const FIRINGS: f64 = 50_000.0;
/// C_j [deg].
const ELEVATION: [f64; 7] = [20.4535, 23.5232, 1.1247, 2.3002, 0.2232, 0.1565, 0.0330];
/// Firings from one highest point to the next one.
const RISE: f64 = 5000.0;
/// Azimuth of the first firing, and its mean change from each to the next one [deg].
const AZIMUTH: [f64; 2] = [270.08, -1.3141];
/// By how much that change grows with the elevation [-]: from 1.35° to 1.256° over 51°.
const PER_ELEVATION: f64 = 0.0018;
/// Firings in which the fan turns once.
const TURN: f64 = 274.1;
/// S_k [deg].
const BEAMS: [f64; 4] = [4.0, 1.33, -1.38, -4.13];

/// The pattern at a number of rays a second, which changes how densely it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mid360 {
    rate: f64,
}

/// Reads the number of rays.
pub(super) fn read(reader: &Reader<'_>, period: SimTime) -> Option<(Kind, [usize; 2])> {
    let pattern = Mid360 { rate: reader.f64("ray_rate", 200_000.0, Accept::range(40.0, 1e7)) };
    Some((Kind::Mid360(pattern), [BEAMS.len(), pattern.firings(period)]))
}

impl Mid360 {
    fn firings(&self, period: SimTime) -> usize {
        (self.rate / BEAMS.len() as f64 * period.secs()).round().max(1.0) as usize
    }

    /// Number of rays of a turn of `period` [ns].
    pub(super) fn rays(&self, period: SimTime) -> usize {
        BEAMS.len() * self.firings(period)
    }

    /// Writes the rays of the turn that starts at `start` [ns] and takes `period` [ns].
    pub(super) fn fill(&self, start: SimTime, period: SimTime, turn: &mut Vec<PatternRay>) {
        let count = self.firings(period);
        turn.clear();
        for index in 0..count {
            let since_start = (period.0 as f64 * index as f64 / count as f64) as u32;
            let firing = FIRINGS * (start + SimTime(i64::from(since_start))).secs();
            let rays = rays_of(firing).map(|[azimuth, elevation]| direction(azimuth, elevation));
            let rings = 0..BEAMS.len() as u16;
            turn.extend(rays.into_iter().zip(rings).map(|(direction, ring)| PatternRay {
                direction,
                since_start,
                ring,
                since_column: 0,
            }));
        }
    }
}

/// Azimuth and elevation [rad] of the four beams of a firing, by its number.
fn rays_of(firing: f64) -> [[f64; 2]; BEAMS.len()] {
    let phase = TAU * (firing / RISE).rem_euclid(1.0);
    let part = |(order, size): (usize, &f64)| size * libm::cos(order as f64 * phase);
    let elevation = ELEVATION.iter().enumerate().map(part).sum::<f64>().to_radians();
    // What the change has come to with the elevation: the integral of all but its mean.
    let swing = |(order, size): (usize, &f64)| {
        let order = order as f64;
        size * libm::sin(order * phase) * RISE / (TAU * order)
    };
    let swung = PER_ELEVATION * ELEVATION.iter().enumerate().skip(1).map(swing).sum::<f64>();
    let azimuth = (AZIMUTH[0] + AZIMUTH[1] * firing + swung).rem_euclid(360.0).to_radians();
    let (sin, cos) = libm::sincos(TAU * (firing / TURN).rem_euclid(1.0));
    let level = libm::cos(elevation);
    BEAMS.map(|beam| {
        let beam = beam.to_radians();
        [azimuth + beam * sin / level, (elevation + beam * cos).clamp(-0.5 * PI, 0.5 * PI)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elevations of rows of `mid360.csv`: firing, and those of its four beams [deg].
    #[test]
    fn the_first_firing_has_the_elevations_of_the_file() {
        for (of_beam, [_, elevation]) in [52.16, 49.18, 46.42, 43.85].into_iter().zip(rays_of(0.0)) {
            assert!((elevation.to_degrees() - of_beam).abs() < 0.5, "{} {of_beam}", elevation.to_degrees());
        }
        assert!(rays_of(0.0).iter().all(|[azimuth, _]| (azimuth.to_degrees() - 270.08).abs() < 1e-9));
        let middle = rays_of(2530.0).iter().map(|[_, elevation]| elevation.to_degrees()).sum::<f64>() / 4.0;
        assert!((middle + 4.1).abs() < 0.5, "{middle}");
    }

    /// The change of the azimuth of the middle of the fan around two firings of the file [deg].
    #[test]
    fn the_azimuth_changes_as_in_the_file() {
        let middle = |firing: f64| {
            // The fan is upright or hangs: its beams have one azimuth.
            let turns = (firing / (0.5 * TURN)).round();
            let [azimuth, _] = rays_of(turns * 0.5 * TURN)[1];
            (turns * 0.5 * TURN, azimuth.to_degrees())
        };
        for (firing, of_file) in [(0.0, -1.256), (12_530.0, -1.35)] {
            let ((first, from), (last, to)) = (middle(firing), middle(firing + 138.0));
            let turns = ((last - first) * of_file - (to - from)) / 360.0;
            let change = (to - from + 360.0 * turns.round()) / (last - first);
            assert!((change - of_file).abs() < 0.012, "{firing}: {change}");
        }
    }

    #[test]
    fn it_sees_the_field_of_the_data_sheet_and_no_turn_repeats_another() {
        let (pattern, period) = (Mid360 { rate: 200_000.0 }, SimTime(100_000_000));
        let (mut turn, mut before, mut seen) = (Vec::new(), Vec::new(), vec![false; 120 * 20]);
        for number in 0..30_i64 {
            pattern.fill(SimTime(number * period.0), period, &mut turn);
            assert_eq!((turn.len(), pattern.rays(period)), (20_000, 20_000));
            assert!(turn.is_sorted_by_key(|ray| ray.since_start) && turn != before);
            for ray in &turn {
                let elevation = libm::asin(ray.direction.z).to_degrees();
                assert!((-8.5..52.5).contains(&elevation), "{elevation}");
                let azimuth = libm::atan2(ray.direction.y, ray.direction.x).to_degrees() + 180.0;
                let place = [azimuth / 3.0, (elevation + 8.0) / 3.0].map(|place| place.max(0.0) as usize);
                seen[place[0].min(119) * 20 + place[1].min(19)] = true;
            }
            before.clone_from(&turn);
        }
        // In three seconds it has seen every direction.
        let share = seen.iter().filter(|seen| **seen).count() as f64 / seen.len() as f64;
        assert!(share > 0.97, "{share}");
    }
}
