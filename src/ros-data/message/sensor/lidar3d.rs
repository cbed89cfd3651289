//! The topic of a lidar in three dimensions.

use skidpad_sim::sensor::{CloudGeometry, ReadingData};

use super::super::Announce;
use super::super::cloud::{cloud, fill_cloud, point_length};
use super::{Length, TopicList};

/// The cloud of points.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>, geometry: CloudGeometry) -> Result<(), A::Error> {
    let bytes = point_length(&geometry) as u64 * (geometry.rings * geometry.columns) as u64;
    list.add(Length::OnDemand(bytes), cloud(list.frame, &geometry), move |sample, message| {
        let ReadingData::Cloud(points) = sample.data else { return false };
        fill_cloud(sample.time, points, &geometry, message);
        true
    })
}
