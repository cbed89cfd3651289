//! The motion of points of a vehicle, which sensors measure.

use skidpad_math::Vec3;

use super::View;
use crate::raycast::space::Motion;
use crate::vehicle::suspension::Lean;

/// The rates that the velocity in the plane does not have, or what they come to over a time [rad], [m].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SpatialRates {
    /// Of the body's roll [rad/s].
    pub roll: f64,
    /// Of the body's pitch [rad/s].
    pub pitch: f64,
    /// Upwards, of its reference point [m/s].
    pub climb: f64,
}

impl std::ops::Add for SpatialRates {
    type Output = SpatialRates;

    fn add(self, other: SpatialRates) -> SpatialRates {
        SpatialRates { roll: self.roll + other.roll, pitch: self.pitch + other.pitch, climb: self.climb + other.climb }
    }
}

impl std::ops::Mul<f64> for SpatialRates {
    type Output = SpatialRates;

    fn mul(self, factor: f64) -> SpatialRates {
        SpatialRates { roll: factor * self.roll, pitch: factor * self.pitch, climb: factor * self.climb }
    }
}

impl View<'_> {
    /// The rates of the body: those that its springs give it, or those of driving on in the plane that the vehicle stands on.
    pub(super) fn rates(&self) -> SpatialRates {
        if let Some(Lean { climb, pitch_rate, roll_rate, .. }) = self.lean {
            return SpatialRates { roll: roll_rate, pitch: pitch_rate, climb };
        }
        let pose = self.world_from_body;
        let ((sin_pitch, cos_pitch), tan_roll) = (libm::sincos(pose.pitch), libm::tan(pose.roll));
        let velocity = self.velocity_in_body;
        SpatialRates {
            // The normal of the plane stays: the body turns about its z axis.
            roll: velocity.wz * sin_pitch,
            pitch: -velocity.wz * cos_pitch * tan_roll,
            climb: (velocity.vy * tan_roll - velocity.vx * sin_pitch) / cos_pitch,
        }
    }

    /// The angular velocity of the body about its own axes [rad/s].
    pub(super) fn angular_velocity(&self, rates: SpatialRates) -> Vec3 {
        let pose = self.world_from_body;
        let ((sin_pitch, cos_pitch), (sin_roll, cos_roll)) = (libm::sincos(pose.pitch), libm::sincos(pose.roll));
        let yaw_rate = self.velocity_in_body.wz;
        // From the rates of Euler angles to those about the body's axes.
        Vec3::new(
            rates.roll - yaw_rate * sin_pitch,
            rates.pitch * cos_roll + yaw_rate * cos_pitch * sin_roll,
            -rates.pitch * sin_roll + yaw_rate * cos_pitch * cos_roll,
        )
    }

    /// The motion in the world of a part that is fixed to the body, with its origin at a point of it [m]. Ground goes on as it is.
    pub(crate) fn motion_of_part(&self, point: Vec3) -> Motion {
        let rates = self.rates();
        let turn_rate = self.world_from_body.rotation() * self.angular_velocity(rates);
        Motion { velocity: self.velocity_of(point, rates), turn_rate }
    }

    /// A vector of the heading frame along the axes of the body.
    pub(super) fn along_axes(&self, in_heading: Vec3) -> Vec3 {
        let pose = self.world_from_body;
        let ((sin_pitch, cos_pitch), (sin_roll, cos_roll)) = (libm::sincos(pose.pitch), libm::sincos(pose.roll));
        let up = sin_pitch * in_heading.x + cos_pitch * in_heading.z;
        Vec3::new(
            cos_pitch * in_heading.x - sin_pitch * in_heading.z,
            cos_roll * in_heading.y + sin_roll * up,
            -sin_roll * in_heading.y + cos_roll * up,
        )
    }

    /// The velocity in the world [m/s] of a point of the body [m].
    pub(super) fn velocity_of(&self, point: Vec3, rates: SpatialRates) -> Vec3 {
        let pose = self.world_from_body;
        let horizontal = pose.planar().rotation() * self.velocity_in_body.linear();
        Vec3::new(horizontal.x, horizontal.y, rates.climb)
            + pose.rotation() * self.angular_velocity(rates).cross(&point)
    }
}
