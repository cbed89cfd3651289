//! The directions in which a lidar looks during a turn, and when.
//!
//! A spinning lidar looks the same way in every turn. One with a list or a file of rays begins again after the last of them, which
//! need not be at the end of a turn. A rosette and the pattern of a Mid-360 never repeat.

mod file;
mod mid360;
mod rosette;

use std::f64::consts::PI;

use skidpad_files::counted::counted;
use skidpad_math::Vec3;
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use self::mid360::Mid360;
use self::rosette::Rosette;

/// Most rays of a turn, and of a file.
const MAX_RAYS: usize = 4_000_000;

/// One ray of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PatternRay {
    /// Unit vector in the sensor's frame [-].
    pub direction: Vec3,
    /// Time since the start of the turn [ns], of all rays of a column that of the first one. They start at one place: in 50 µs a fast car goes 1 mm.
    pub since_start: u32,
    /// Ring, from the lowest.
    pub ring: u16,
    /// Time since the first ray of the column [ns].
    pub since_column: u16,
}

/// Where a lidar looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    kind: Kind,
    /// Time of a turn [ns].
    period: SimTime,
    /// Numbers of rings and of columns.
    pub(super) size: [usize; 2],
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Every turn is the same.
    Same(Vec<PatternRay>),
    /// Rays in the order of their times, again and again.
    Cycle {
        rays: Vec<CycleRay>,
        length: SimTime,
    },
    Rosette(Rosette),
    Mid360(Mid360),
}

/// A ray of a cycle that may be longer or shorter than a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CycleRay {
    /// Unit vector in the sensor's frame [-].
    direction: Vec3,
    /// Since the start of the cycle [ns].
    time: SimTime,
    ring: u16,
}

impl Pattern {
    /// Reads the pattern of a lidar whose turn takes `period` [ns].
    pub(super) fn read(reader: &Reader<'_>, period: SimTime) -> Pattern {
        type Read = fn(&Reader<'_>, SimTime) -> Option<(Kind, [usize; 2])>;
        const NAMES: &[(&str, Read)] = &[
            ("spinning", read_spinning),
            ("angles", read_angles),
            ("file", file::read),
            ("rosette", rosette::read),
            ("mid360", mid360::read),
        ];
        let read = reader.choice("pattern", NAMES[0].1, NAMES);
        let (kind, size) = read(reader, period).unwrap_or((Kind::Same(Vec::new()), [1, 1]));
        let mut pattern = Pattern { kind, period, size };
        let most = pattern.most_rays();
        if most > MAX_RAYS {
            let report = reader.error(format!("{most} rays in a turn of {} s", period.secs()));
            report.accepted([format!("at most {MAX_RAYS}")]);
            pattern.kind = Kind::Same(Vec::new());
        }
        pattern
    }

    /// A spinning one, see [`spinning`].
    #[cfg(test)]
    pub(super) fn spinning(elevations: &[f64], columns: usize, turn: f64, period: SimTime) -> Pattern {
        let rings: Vec<Ring> = elevations.iter().map(|&elevation| Ring { elevation, delay: SimTime::ZERO }).collect();
        let kind = Kind::Same(spinning(&rings, columns, turn, period));
        Pattern { kind, period, size: [elevations.len(), columns] }
    }

    /// Whether it has several rings, numbered from the lowest.
    pub(super) fn is_spinning(&self) -> bool {
        matches!(self.kind, Kind::Same(_)) && self.size[0] > 1
    }

    /// Whether its turns have a row for each ring.
    pub(super) fn has_rings(&self) -> bool {
        matches!(self.kind, Kind::Same(_))
    }

    /// How many rays one after the other have different rings, the next ones being beside them; 1 where that is not known.
    pub(super) fn rings_of_a_column(&self) -> usize {
        if self.is_spinning() { self.size[0] } else { 1 }
    }

    /// Upper limit for the number of rays of a turn.
    pub(super) fn most_rays(&self) -> usize {
        match &self.kind {
            Kind::Same(rays) => rays.len(),
            Kind::Cycle { rays, length } => {
                let cycles = self.period.0.div_euclid(length.0.max(1)) as usize + 2;
                let most = rays.len().saturating_mul(cycles);
                // No more than a turn can hold of a cycle that is longer.
                if cycles == 2 { most.min(busiest(rays, *length, self.period)) } else { most }
            }
            Kind::Rosette(rosette) => rosette.rays(self.period),
            Kind::Mid360(pattern) => pattern.rays(self.period),
        }
    }

    /// Writes the rays of the turn that starts at `start` [ns] over those of the turn before.
    pub(super) fn fill(&self, start: SimTime, turn: &mut Vec<PatternRay>) {
        match &self.kind {
            Kind::Same(rays) => {
                if turn.is_empty() {
                    turn.extend_from_slice(rays);
                }
            }
            Kind::Cycle { rays, length } => {
                turn.clear();
                let begin = SimTime(start.0.rem_euclid(length.0));
                let first = rays.partition_point(|ray| ray.time < begin);
                let later = (first..).map(|index| {
                    let (cycles, ray) = ((index / rays.len()) as i64, &rays[index % rays.len()]);
                    (ray, ray.time.0 + cycles * length.0 - begin.0)
                });
                turn.extend(later.take_while(|(_, time)| *time < self.period.0).map(|(ray, time)| PatternRay {
                    direction: ray.direction,
                    since_start: time as u32,
                    ring: ray.ring,
                    since_column: 0,
                }));
            }
            Kind::Rosette(rosette) => rosette.fill(start, self.period, turn),
            Kind::Mid360(pattern) => pattern.fill(start, self.period, turn),
        }
    }
}

/// Most rays of a cycle that any stretch of the length `period` contains.
fn busiest(rays: &[CycleRay], length: SimTime, period: SimTime) -> usize {
    let mut end = 0;
    let time = |index: usize| rays[index % rays.len()].time.0 + (index / rays.len()) as i64 * length.0;
    let count = |(start, ray): (usize, &CycleRay)| {
        end = end.max(start);
        while end < start + rays.len() && time(end) < ray.time.0 + period.0 {
            end += 1;
        }
        end - start
    };
    rays.iter().enumerate().map(count).max().unwrap_or(0)
}

/// The unit vector with this azimuth, counter-clockwise from ahead, and elevation [rad].
fn direction(azimuth: f64, elevation: f64) -> Vec3 {
    let ((sin, cos), (up, level)) = (libm::sincos(azimuth), libm::sincos(elevation));
    Vec3::new(level * cos, level * sin, up)
}

/// Reads the rings and columns of a turn.
fn read_spinning(reader: &Reader<'_>, period: SimTime) -> Option<(Kind, [usize; 2])> {
    let rings = reader.integer("vert_nrays", 16, Accept::range(1.0, 1024.0)) as usize;
    let columns = reader.integer("horz_nrays", 180, Accept::range(1.0, 1e5)) as usize;
    let fov = reader.degrees("vert_fov_degrees", PI / 6.0, Accept::range(0.0, 180.0));
    let turn = reader.degrees("horz_fov_degrees", 2.0 * PI, Accept::range(1e-3, 360.0));
    let listed = reader.numbers("vertical_ray_angles", &[rings]);
    if let Some(wrong) = listed.iter().flatten().find(|angle| !(-90.0..=90.0).contains(*angle)) {
        let report = reader.error_at("vertical_ray_angles", format!("an elevation of {wrong} degrees"));
        report.accepted(["−90 to 90"]);
    }
    if rings * columns > MAX_RAYS {
        let (sum, rings, columns) = (rings * columns, counted(rings, "ring"), counted(columns, "ray"));
        let report = reader.error_at("horz_nrays", format!("{rings} of {columns} are {sum} rays"));
        report.accepted([format!("at most {MAX_RAYS} in a turn")]);
        return None;
    }
    let elevations = match listed {
        Some(angles) => angles.into_iter().map(f64::to_radians).collect(),
        None => even(rings, fov),
    };
    // Less than the time of a column in whole nanoseconds.
    let most = (period.0 / columns as i64 - 1).clamp(0, u16::MAX.into());
    let longest = 1e-3 * most as f64;
    let delays = reader.numbers("ring_delays", &[rings]).unwrap_or_else(|| vec![0.0; rings]);
    if let Some(wrong) = delays.iter().find(|delay| **delay != 0.0 && !(0.0..=longest).contains(*delay)) {
        let report = reader.error_at("ring_delays", format!("a delay of {wrong} µs"));
        report.accepted([format!("0 to {longest:.3} µs, less than a column takes")]);
        return None;
    }
    let of_ring = |(elevation, delay): (f64, f64)| Ring { elevation, delay: SimTime::from_secs(1e-6 * delay) };
    let mut of_rings: Vec<Ring> = elevations.into_iter().zip(delays).map(of_ring).collect();
    of_rings.sort_by(|a, b| a.elevation.total_cmp(&b.elevation));
    Some((Kind::Same(spinning(&of_rings, columns, turn, period)), [rings, columns]))
}

/// Reads directions that are all seen once in a turn, at even times.
fn read_angles(reader: &Reader<'_>, period: SimTime) -> Option<(Kind, [usize; 2])> {
    let Some(angles) = reader.numbers("ray_angles", &[]) else {
        reader.missing("ray_angles").accepted(["azimuth and elevation of each ray [deg]"]);
        return None;
    };
    let (pairs, unpaired) = angles.as_chunks::<2>();
    if !unpaired.is_empty() || pairs.is_empty() {
        let report = reader.error_at("ray_angles", format!("{} numbers", angles.len()));
        report.accepted(["azimuth and elevation of each ray [deg]"]);
        return None;
    }
    if let Some([_, wrong]) = pairs.iter().find(|[_, elevation]| !(-90.0..=90.0).contains(elevation)) {
        let report = reader.error_at("ray_angles", format!("an elevation of {wrong} degrees"));
        report.accepted(["−90 to 90"]);
        return None;
    }
    let time = |index: usize| (period.0 as f64 * (index + 1) as f64 / pairs.len() as f64) as u32;
    let ray = |(index, &[azimuth, elevation]): (usize, &[f64; 2])| PatternRay {
        direction: direction(azimuth.to_radians(), elevation.to_radians()),
        since_start: time(index),
        ring: 0,
        since_column: 0,
    };
    Some((Kind::Same(pairs.iter().enumerate().map(ray).collect()), [1, pairs.len()]))
}

/// `count` angles from −fov/2 to fov/2 [rad]; a single one is 0.
fn even(count: usize, fov: f64) -> Vec<f64> {
    let step = if count > 1 { fov / (count - 1) as f64 } else { 0.0 };
    (0..count).map(|ring| (ring as f64 - 0.5 * (count - 1) as f64) * step).collect()
}

/// A ring of a spinning lidar.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ring {
    /// [rad].
    elevation: f64,
    /// Time after the first ring of the column [ns].
    delay: SimTime,
}

/// The rays of these rings, from the lowest, in the order of their times. They turn clockwise over `turn` [rad], and the last one is cast at the
/// end of `period` [ns].
fn spinning(rings: &[Ring], columns: usize, turn: f64, period: SimTime) -> Vec<PatternRay> {
    let mut fired: Vec<(usize, &Ring)> = rings.iter().enumerate().collect();
    fired.sort_by_key(|(_, ring)| ring.delay.0);
    let [first, last] = [fired.first(), fired.last()].map(|ring| ring.map_or(SimTime::ZERO, |(_, ring)| ring.delay));
    let heights: Vec<(f64, f64)> = rings.iter().map(|ring| libm::sincos(ring.elevation)).collect();
    let mut rays = Vec::with_capacity(columns * rings.len());
    // Of less than a whole turn both ends are seen.
    let steps = if turn < 2.0 * PI { columns.max(2) - 1 } else { columns };
    let column_time = period.secs() / columns as f64;
    for column in 0..columns {
        let since_start = (period.0 as f64 * (column + 1) as f64 / columns as f64) as u32;
        let mut at = (SimTime::ZERO, libm::sincos(0.5 * turn - turn * column as f64 / steps as f64));
        rays.extend(fired.iter().map(|&(number, ring)| {
            if at.0 != ring.delay {
                let turned = column as f64 + ring.delay.secs() / column_time;
                at = (ring.delay, libm::sincos(0.5 * turn - turn * turned / steps as f64));
            }
            let ((up, level), (sin, cos)) = (heights[number], at.1);
            PatternRay {
                direction: Vec3::new(level * cos, level * sin, up),
                since_start: since_start - (last - first).0 as u32,
                ring: number as u16,
                since_column: (ring.delay - first).0 as u16,
            }
        }));
    }
    rays
}

#[cfg(test)]
mod tests;
