//! The rosette of a lidar that looks through two turning wedge prisms, as the first Livox ones do: it fills a round field of view,
//! and no turn repeats another.
//!
//! Each prism bends the ray by a quarter of the field of view towards where it is turned, and small bends add as vectors
//! (C. Brazeal, B. Wilkinson and H. Hochmair 2021, "A Rigorous Observation Model for the Risley Prism-Based Livox Mid-40 Lidar Sensor",
//! in the paraxial limit).

use std::f64::consts::PI;

use skidpad_math::Vec3;
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::{Kind, PatternRay};

/// Two prisms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rosette {
    /// Bend of each [rad].
    bend: f64,
    /// How fast they turn [rad/s], counter-clockwise seen from ahead.
    speeds: [f64; 2],
    /// Rays a second.
    rate: f64,
}

/// Reads the prisms.
pub(super) fn read(reader: &Reader<'_>, _period: SimTime) -> Option<(Kind, [usize; 2])> {
    let fov = reader.degrees("rosette_fov_degrees", 38.4_f64.to_radians(), Accept::range(1e-3, 180.0));
    let turns = reader.numbers("rosette_rpm", &[2]).unwrap_or_else(|| vec![7294.0, -4664.0]);
    let rate = reader.f64("ray_rate", 100_000.0, Accept::range(1.0, 1e7));
    Some((Kind::Rosette(Rosette::new(fov, [turns[0], turns[1]], rate)), [1, 1]))
}

impl Rosette {
    /// Prisms that see the full angle `fov` [rad], with their speeds [1/min], at so many rays a second.
    pub(super) fn new(fov: f64, rpm: [f64; 2], rate: f64) -> Rosette {
        Rosette { bend: 0.25 * fov, speeds: rpm.map(|rpm| rpm * 2.0 * PI / 60.0), rate }
    }

    /// Number of rays of a turn of `period` [ns].
    pub(super) fn rays(&self, period: SimTime) -> usize {
        (self.rate * period.secs()).round().max(1.0) as usize
    }

    /// Writes the rays of the turn that starts at `start` [ns] and takes `period` [ns].
    pub(super) fn fill(&self, start: SimTime, period: SimTime, turn: &mut Vec<PatternRay>) {
        let count = self.rays(period);
        turn.clear();
        turn.extend((0..count).map(|index| {
            let since_start = (period.0 as f64 * index as f64 / count as f64) as u32;
            let time = (start + SimTime(i64::from(since_start))).secs();
            let [(s, c), (t, d)] = self.speeds.map(|speed| libm::sincos(speed * time));
            let (left, up) = (self.bend * (c + d), self.bend * (s + t));
            let angle = libm::hypot(left, up);
            let (sin, cos) = libm::sincos(angle);
            let share = if angle > 0.0 { sin / angle } else { 1.0 };
            PatternRay { direction: Vec3::new(cos, share * left, share * up), since_start, ring: 0, since_column: 0 }
        }));
    }
}
