//! What the motor controller of an F1TENTH car says, where the package vesc_msgs was there when this was built.

#[cfg(vesc_msgs = "1")]
mod with {
    use r2r::geometry_msgs::msg::Vector3;
    use r2r::vesc_msgs::msg::{VescImuStamped, VescStateStamped};

    use super::super::convert;
    use super::super::error::RosError;
    use super::super::output::Instant;
    use super::super::publish::{Announcer, Topic};
    use super::super::topics::DATA_QOS;
    use crate::interface::vesc::{self, MotorState};
    use crate::preset::Content;

    /// One of its messages.
    pub enum VescOutput {
        State(Topic<VescStateStamped>, MotorState),
        Imu(Topic<VescImuStamped>),
    }

    impl VescOutput {
        /// Announces the topic.
        pub fn new(on: &mut Announcer<'_>, name: &str, content: Content) -> Result<Option<VescOutput>, RosError> {
            Ok(Some(match content {
                Content::VescImu => VescOutput::Imu(on.topic(name, DATA_QOS, VescImuStamped::default())?),
                _ => VescOutput::State(on.topic(name, DATA_QOS, VescStateStamped::default())?, MotorState::default()),
            }))
        }

        /// Publishes what is so at this instant.
        pub fn publish(&mut self, at: &Instant<'_>) {
            let frame = &at.vehicle.frame;
            match self {
                VescOutput::State(topic, motor) => {
                    motor.advance(frame, at.seconds);
                    topic.message.header.stamp = at.stamp.clone();
                    let state = &mut topic.message.state;
                    (state.speed, state.duty_cycle) = (motor.revolutions, motor.duty_cycle);
                    [state.displacement, state.distance_traveled] = motor.tachometers();
                    topic.publish();
                }
                VescOutput::Imu(topic) => {
                    topic.message.header.stamp = at.stamp.clone();
                    let imu = &mut topic.message.imu;
                    let [angles, force, rates] = vesc::inertial(frame).map(|[x, y, z]| Vector3 { x, y, z });
                    (imu.ypr, imu.linear_acceleration, imu.angular_velocity) = (angles, force, rates);
                    imu.orientation = convert::quaternion(frame.world_from_body);
                    topic.publish();
                }
            }
        }
    }
}

#[cfg(not(vesc_msgs = "1"))]
mod without {
    use super::super::error::RosError;
    use super::super::output::Instant;
    use super::super::publish::Announcer;
    use crate::preset::Content;

    /// Nothing: its messages are not known.
    pub enum VescOutput {}

    impl VescOutput {
        /// Says that the topic is off.
        pub fn new(_on: &mut Announcer<'_>, name: &str, content: Content) -> Result<Option<VescOutput>, RosError> {
            tracing::warn!(
                "topic \"{name}\": off, this skidpad was built without {}\n  hint: install vesc_msgs, source it, and build again",
                content.type_name()
            );
            Ok(None)
        }

        /// Never called.
        pub fn publish(&mut self, _at: &Instant<'_>) {
            match *self {}
        }
    }
}

#[cfg(vesc_msgs = "1")]
pub use with::VescOutput;
#[cfg(not(vesc_msgs = "1"))]
pub use without::VescOutput;
