//! The topic of an inertial measurement unit.

use skidpad_sim::sensor::{ImuVariances, ReadingData};

use super::super::{Announce, fill};
use super::{Length, TopicList};

/// Its samples.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>, variances: &ImuVariances) -> Result<(), A::Error> {
    list.add(Length::Small, fill::measured_imu(list.frame, variances), |sample, message| {
        let ReadingData::Imu(measured) = sample.data else { return false };
        fill::fill_measured_imu(sample.time, measured, message);
        true
    })
}
