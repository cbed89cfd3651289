//! The range of a range finder: its message, what fills it, and its topic.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{RangeGeometry, ReadingData};

use super::super::fill::{header, stamp};
use super::super::{Announce, Header};
use super::{Length, TopicList};

messages! {
    Range = "sensor_msgs/msg/Range" + "uint8 ULTRASOUND=0\nuint8 INFRARED=1\n" {
        /// Time stamp and frame.
        header: Header,
        /// One of the constants.
        radiation_type: u8,
        /// Angle of the whole cone [rad].
        field_of_view: f32,
        /// [m].
        min_range: f32,
        /// [m].
        max_range: f32,
        /// [m]; +inf: no return, −inf: too near.
        range: f32,
        /// [m²]; 0: unknown. ROS 2 Humble's message ends before it.
        variance: f32,
    }
}

/// No range of a sensor in `frame`.
pub fn range(frame: &str, geometry: &RangeGeometry) -> Range {
    let RangeGeometry { radiation, fov, range: [near, far], variance, .. } = *geometry;
    Range {
        header: header(SimTime::ZERO, frame),
        radiation_type: radiation as u8,
        field_of_view: fov as f32,
        min_range: near as f32,
        max_range: far as f32,
        range: f32::INFINITY,
        variance: variance as f32,
    }
}

/// The range [m] of a sample.
pub fn fill_range(time: SimTime, range: f64, message: &mut Range) {
    message.header.stamp = stamp(time);
    message.range = range as f32;
}

/// Its samples.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>, geometry: &RangeGeometry) -> Result<(), A::Error> {
    list.add(Length::Small, range(list.frame, geometry), |sample, message| {
        let ReadingData::Range(measured) = sample.data else { return false };
        fill_range(sample.time, measured.range, message);
        true
    })
}
