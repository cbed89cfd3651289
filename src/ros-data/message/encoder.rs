//! Ticks of wheel encoders: their messages, and what fills them.

use skidpad_math::time::SimTime;
use skidpad_sim::sensor::{EncoderInfo, EncoderTicks};

use super::fill::{header, stamp};
use super::{JointState, MultiArrayDimension, MultiArrayLayout};

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
