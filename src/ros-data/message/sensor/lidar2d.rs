//! The topics of a planar lidar.

use skidpad_math::time::SimTime;
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
    let each = if geometry.white.is_some() { 2 * size_of::<f32>() } else { size_of::<f32>() };
    let before = geometry.motion.map_or(0.0, |motion| motion.stamped_before_end(geometry.count));
    let before = SimTime::from_secs(before);
    list.add(Length::Of(bytes(each)), message, move |sample, message| {
        let ReadingData::Scan(scan) = sample.data else { return false };
        fill::fill_scan(sample.time - scan.since_end - before, scan, message);
        true
    })?;
    if geometry.has_points {
        let (points, message) = ScanPoints::new(list.frame, geometry);
        list.add(Length::OnDemand(bytes(point_length(geometry))), message, move |sample, message| {
            let ReadingData::Scan(scan) = sample.data else { return false };
            points.fill(sample.time - scan.since_end - before, scan, message);
            true
        })?;
    }
    Ok(())
}
