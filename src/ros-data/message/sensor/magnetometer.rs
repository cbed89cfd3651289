//! The field that a magnetometer measures: its message, what fills it, and its topic.

use skidpad_math::Vec3;
use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{MagnetometerAccuracy, ReadingData};

use super::super::fill::{diagonal, header, of_vec3, stamp};
use super::super::{Announce, Header, Vector3};
use super::{Length, TopicList};

messages! {
    MagneticField = "sensor_msgs/msg/MagneticField" {
        /// Time stamp and frame.
        header: Header,
        /// The field [T].
        magnetic_field: Vector3,
        /// Its covariance, row by row [T²]; 0: unknown.
        magnetic_field_covariance: [f64; 9],
    }
}

/// An empty measurement in `frame`.
pub fn magnetic_field(frame: &str, accuracy: &MagnetometerAccuracy) -> MagneticField {
    MagneticField {
        header: header(SimTime::ZERO, frame),
        magnetic_field_covariance: diagonal(accuracy.variance),
        ..MagneticField::default()
    }
}

/// The field in the axes of the sensor [T].
pub fn fill_magnetic_field(time: SimTime, field: Vec3, message: &mut MagneticField) {
    message.header.stamp = stamp(time);
    message.magnetic_field = of_vec3(field);
}

/// Its samples.
pub(super) fn announce<A: Announce>(
    list: &mut TopicList<'_, A>,
    accuracy: &MagnetometerAccuracy,
) -> Result<(), A::Error> {
    list.add(Length::Small, magnetic_field(list.frame, accuracy), |sample, message| {
        let ReadingData::MagneticField(measured) = sample.data else { return false };
        fill_magnetic_field(sample.time, measured.field, message);
        true
    })
}
