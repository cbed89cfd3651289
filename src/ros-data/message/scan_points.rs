//! The scan of a planar lidar as points: what has returned, in the frame of the sensor.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{Scan, ScanGeometry};

use super::cloud::{PointCloud2, field};
use super::fill;

/// Where the label of a point is [bytes]: after x, y, z.
const LABEL: usize = 12;

/// Length of a point [bytes].
pub(super) fn point_length(geometry: &ScanGeometry) -> usize {
    LABEL + if geometry.has_labels { 4 } else { 0 }
}

/// Turns scans into points.
pub(super) struct ScanPoints {
    /// Cosine and sine of each beam's angle [-].
    directions: Vec<[f32; 2]>,
    /// Ranges that are returns [m]: from the first on and below the last one.
    limits: [f32; 2],
    has_labels: bool,
}

impl ScanPoints {
    /// For scans of these beams, and an empty cloud in `frame`.
    pub(super) fn new(frame: &str, geometry: &ScanGeometry) -> (ScanPoints, PointCloud2) {
        let direction = |beam| {
            let (sin, cos) = libm::sincos(geometry.angle(beam));
            [cos, sin].map(|share| share as f32)
        };
        let coordinates = ["x", "y", "z"].iter().enumerate().map(|(axis, name)| field(name, 4 * axis, 7));
        let label = ["class", "body"].iter().enumerate().map(|(at, name)| field(name, LABEL + 2 * at, 4));
        let message = PointCloud2 {
            header: fill::header(SimTime::ZERO, frame),
            height: 1,
            fields: coordinates.chain(label.filter(|_| geometry.has_labels)).collect(),
            point_step: point_length(geometry) as u32,
            is_dense: true,
            ..PointCloud2::default()
        };
        let directions = (0..geometry.count).map(direction).collect();
        let limits = [geometry.range_min, geometry.range_max].map(|limit| limit as f32);
        (ScanPoints { directions, limits, has_labels: geometry.has_labels }, message)
    }

    /// The points of the beams that have returned: as laser_geometry has it, what reads the largest range has not.
    pub(super) fn fill(&self, time: SimTime, scan: &Scan, message: &mut PointCloud2) {
        message.header.stamp = fill::stamp(time);
        message.data.clear();
        let [near, far] = self.limits;
        for (beam, (&range, [cos, sin])) in scan.ranges.iter().zip(&self.directions).enumerate() {
            if range >= near && range < far {
                message.data.extend([range * cos, range * sin, 0.0].map(f32::to_le_bytes).as_flattened());
                if self.has_labels {
                    let label = scan.labels.get(beam).copied().unwrap_or_default();
                    message.data.extend(label.map(u16::to_le_bytes).as_flattened());
                }
            }
        }
        message.row_step = message.data.len() as u32;
        message.width = message.row_step / message.point_step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_the_beams_that_return() {
        let geometry = ScanGeometry {
            count: 5,
            angle_min: -std::f64::consts::FRAC_PI_2,
            angle_increment: std::f64::consts::FRAC_PI_4,
            range_min: 0.1,
            range_max: 10.0,
            has_points: true,
            has_labels: true,
            ..ScanGeometry::default()
        };
        let (points, mut message) = ScanPoints::new("scan", &geometry);
        let ranges = vec![2.0, f32::INFINITY, 3.0, f32::NEG_INFINITY, 10.0];
        points.fill(
            SimTime(5),
            &Scan { ranges, labels: (0..5).map(|beam| [3, beam]).collect(), ..Scan::default() },
            &mut message,
        );
        assert_eq!((message.width, message.height, message.row_step, message.is_dense), (2, 1, 32, true));
        let number = |at: usize| f32::from_le_bytes(message.data[at..at + 4].try_into().unwrap());
        // The first beam looks to the right, the one in the middle ahead.
        assert!([number(0), number(4) + 2.0, number(8), number(16) - 3.0, number(20)].iter().all(|n| n.abs() < 1e-6));
        assert_eq!((&message.data[12..16], &message.data[28..]), (&[3, 0, 0, 0][..], &[3, 0, 2, 0][..]));
        let names: Vec<_> =
            message.fields.iter().map(|field| (field.name.as_str(), field.offset, field.datatype)).collect();
        assert_eq!(names, [("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("class", 12, 4), ("body", 14, 4)]);
        let (_, plain) = ScanPoints::new("scan", &ScanGeometry { has_labels: false, ..geometry });
        assert_eq!((plain.fields.len(), plain.point_step), (3, 12));
    }
}
