//! Ticks of wheel encoders: their messages, what fills them, and their topics.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{EncoderInfo, EncoderTicks, ReadingData};

use super::super::fill::{header, stamp};
use super::super::{Announce, JointState, MultiArrayDimension, MultiArrayLayout};
use super::{Length, TopicList};

messages! {
    Int64MultiArray = "std_msgs/msg/Int64MultiArray" [Eq] {
        /// Layout of the data.
        layout: MultiArrayLayout,
        /// The numbers.
        data: Vec<i64>,
    }
}

/// The wheels of an encoder in `frame`, at rest. Torques are not measured.
pub fn encoder_joints(frame: &str, info: &EncoderInfo) -> JointState {
    JointState { header: header(SimTime::ZERO, frame), name: info.wheels.clone(), ..JointState::default() }
}

/// The angles of the wheels by their ticks.
pub fn fill_encoder_joints(time: SimTime, ticks: &EncoderTicks, info: &EncoderInfo, message: &mut JointState) {
    message.header.stamp = stamp(time);
    message.position.clear();
    message.position.extend(ticks.counts.iter().map(|count| *count as f64 * info.radians_per_tick()));
    message.velocity.clone_from(&ticks.rates);
}

/// The ticks of as many wheels as the encoder has.
pub fn tick_counts(info: &EncoderInfo) -> Int64MultiArray {
    let count = info.wheels.len() as u32;
    let dimension = MultiArrayDimension { label: "wheels".to_owned(), size: count, stride: count };
    Int64MultiArray { layout: MultiArrayLayout { dim: vec![dimension], data_offset: 0 }, data: Vec::new() }
}

/// The angles of the wheels, and their ticks.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>, info: &EncoderInfo) -> Result<(), A::Error> {
    let encoder = info.clone();
    list.add(Length::Small, encoder_joints(list.frame, info), move |sample, message| {
        let ReadingData::Ticks(ticks) = sample.data else { return false };
        fill_encoder_joints(sample.time, ticks, &encoder, message);
        true
    })?;
    list.add(Length::Small, tick_counts(info), |sample, message| {
        let ReadingData::Ticks(ticks) = sample.data else { return false };
        message.data.clone_from(&ticks.counts);
        true
    })
}
