//! The topics of a vehicle's driver, with the names of the racecar study.

use skidpad_math::Vec2;
use skidpad_math::time::SimTime;

use super::{AckermannDriveStamped, Announce, ErrorOf, Float64MultiArray, Quality, TopicChannel, TopicWriter, fill};
use crate::interface::copy::VehicleSnapshot;

/// The topics of one driver.
pub struct DriverMessages<C> {
    reference: Option<TopicWriter<C, Float64MultiArray>>,
    velocities: Option<TopicWriter<C, Float64MultiArray>>,
    command: Option<TopicWriter<C, AckermannDriveStamped>>,
}

impl<C: TopicChannel> DriverMessages<C> {
    /// Announces the topics of the reference, of the virtual velocities and of the command, whose message is `command`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        [reference, velocities, command_topic]: [&str; 3],
        command: AckermannDriveStamped,
    ) -> Result<DriverMessages<C>, A::Error> {
        Ok(DriverMessages {
            reference: on.announce(reference, Quality::Deferred, timed_vector(Vec2::ZERO, SimTime::ZERO))?,
            velocities: on.announce(velocities, Quality::Deferred, timed_vector(Vec2::ZERO, SimTime::ZERO))?,
            command: on.announce(command_topic, Quality::Deferred, command)?,
        })
    }

    /// Sends the driver's last tick with the time of that tick, unless its tracker waits; where others lead the vehicle only the reference.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(&mut self, output: &mut C::Output, vehicle: &VehicleSnapshot) -> Result<(), ErrorOf<C>> {
        let Some(tracking) = vehicle.frame.tracking.as_ref().filter(|tracking| vehicle.tracked && tracking.active)
        else {
            return Ok(());
        };
        let time = tracking.time;
        let vectors =
            [(&mut self.reference, tracking.reference.position), (&mut self.velocities, tracking.point_velocity)];
        let vector_count = if tracking.is_guide { 1 } else { vectors.len() };
        for (topic, vector) in vectors.into_iter().take(vector_count) {
            if let Some(topic) = topic {
                fill_timed_vector(vector, time, &mut topic.message);
                topic.send(output, time)?;
            }
        }
        if let Some(topic) = self.command.as_mut().filter(|_| !tracking.is_guide) {
            let AckermannDriveStamped { header, drive } = &mut topic.message;
            header.stamp = fill::stamp(time);
            (drive.speed, drive.steering_angle) = (tracking.steer.speed as f32, tracking.steer.steering_angle as f32);
            topic.send(output, time)?;
        }
        Ok(())
    }
}

/// A planar vector with its time, as in the messages of the study's nodes.
pub fn timed_vector(vector: Vec2, time: SimTime) -> Float64MultiArray {
    Float64MultiArray { data: vec![vector.x, vector.y, time.secs()], ..Float64MultiArray::default() }
}

/// Fills a message with a vector and, as the last element, the time [s].
pub fn fill_timed_vector(vector: Vec2, time: SimTime, message: &mut Float64MultiArray) {
    message.data.clear();
    message.data.extend([vector.x, vector.y, time.secs()]);
}
