//! The topic of a marker body of a motion-capture system.

use skidpad_sim::sensor::{MocapStamp, ReadingData};

use super::super::{Announce, fill};
use super::{Length, TopicList};

/// Its poses in the world.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>, stamp: MocapStamp) -> Result<(), A::Error> {
    list.add(Length::Small, fill::stamped_pose(list.map), move |sample, message| {
        let ReadingData::MarkerPose(marker) = sample.data else { return false };
        let stamp = marker.stamp(stamp, sample.time, sample.arrived);
        fill::fill_stamped_pose(stamp, marker.world_from_marker, message);
        true
    })
}
