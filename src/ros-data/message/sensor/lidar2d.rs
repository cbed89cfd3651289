//! The topics of a planar lidar.

use skidpad_sim::sensor::{ReadingData, ScanGeometry, SensorInfo};

use super::super::scan_points::{ScanPoints, point_length};
use super::super::{Announce, fill};
use super::{Length, TopicList};

/// The scan, and its points where they are asked for.
pub(super) fn announce<A: Announce>(
    list: &mut TopicList<'_, A>,
    sensor: &SensorInfo,
    geometry: &ScanGeometry,
) -> Result<(), A::Error> {
    let bytes = |each: usize| each as u64 * geometry.count as u64;
    let message = fill::scan(sensor, geometry, list.frame);
    list.add(Length::Of(bytes(size_of::<f32>())), message, |sample, message| {
        let ReadingData::Scan(scan) = sample.data else { return false };
        fill::fill_scan(sample.time, &scan.ranges, message);
        true
    })?;
    if geometry.has_points {
        let (points, message) = ScanPoints::new(list.frame, geometry);
        list.add(Length::OnDemand(bytes(point_length(geometry))), message, move |sample, message| {
            let ReadingData::Scan(scan) = sample.data else { return false };
            points.fill(sample.time, scan, message);
            true
        })?;
    }
    Ok(())
}
