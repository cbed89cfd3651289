//! The directions in which a lidar looks during a turn.

use std::f64::consts::PI;

use crate::math::Vec3;
use crate::time::SimTime;
use crate::xml::{Accept, Reader};

/// Most rays of a turn.
const MOST_RAYS: usize = 4_000_000;

/// One ray of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternRay {
    /// Unit vector in the sensor's frame [-].
    pub direction: Vec3,
    /// Time since the start of the turn [ns].
    pub since_start: u32,
    /// Ring, from the lowest.
    pub ring: u16,
}

/// Reads the rings and columns of a turn that takes `period` [ns]. Returns its rays and the numbers of rings and columns.
pub(super) fn read_pattern(reader: &Reader<'_>, period: SimTime) -> (Vec<PatternRay>, [usize; 2]) {
    let rings = reader.integer("vert_nrays", 16, Accept::range(1.0, 1024.0)) as usize;
    let columns = reader.integer("horz_nrays", 180, Accept::range(1.0, 1e5)) as usize;
    let fov = reader.degrees("vert_fov_degrees", PI / 6.0, Accept::range(0.0, 180.0));
    let turn = reader.degrees("horz_fov_degrees", 2.0 * PI, Accept::range(1e-3, 360.0));
    let listed = reader.numbers("vertical_ray_angles", &[rings]);
    if let Some(angles) = &listed
        && let Some(wrong) = angles.iter().find(|angle| !(-90.0..=90.0).contains(*angle))
    {
        let report = reader.error_at("vertical_ray_angles", format!("an elevation of {wrong} degrees"));
        report.accepted(["−90 to 90"]);
    }
    if rings * columns > MOST_RAYS {
        let report =
            reader.error_at("horz_nrays", format!("{rings} rings of {columns} rays are {} rays", rings * columns));
        report.accepted([format!("at most {MOST_RAYS} in a turn")]);
        return (Vec::new(), [rings, columns]);
    }
    let mut elevations = match listed {
        Some(angles) => angles.into_iter().map(f64::to_radians).collect(),
        None => even(rings, fov),
    };
    elevations.sort_by(f64::total_cmp);
    (spinning(&elevations, columns, turn, period), [rings, columns])
}

/// `count` angles from −fov/2 to fov/2 [rad]; a single one is 0.
fn even(count: usize, fov: f64) -> Vec<f64> {
    let step = if count > 1 { fov / (count - 1) as f64 } else { 0.0 };
    (0..count).map(|ring| (ring as f64 - 0.5 * (count - 1) as f64) * step).collect()
}

/// The rays of rings at these elevations [rad] that turn clockwise over `turn` [rad], all rings of a column at once: the last column at the
/// end of `period` [ns].
pub(super) fn spinning(elevations: &[f64], columns: usize, turn: f64, period: SimTime) -> Vec<PatternRay> {
    let heights: Vec<(f64, f64)> = elevations.iter().map(|&elevation| libm::sincos(elevation)).collect();
    let mut rays = Vec::with_capacity(columns * elevations.len());
    // Of less than a whole turn both ends are seen.
    let steps = if turn < 2.0 * PI { columns.max(2) - 1 } else { columns };
    for column in 0..columns {
        let (sin, cos) = libm::sincos(0.5 * turn - turn * column as f64 / steps as f64);
        let since_start = (period.0 as f64 * (column + 1) as f64 / columns as f64) as u32;
        rays.extend(heights.iter().enumerate().map(|(ring, &(up, level))| PatternRay {
            direction: Vec3::new(level * cos, level * sin, up),
            since_start,
            ring: ring as u16,
        }));
    }
    rays
}
