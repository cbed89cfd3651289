//! The velocity of a body that contacts keep pushing.
//!
//! The engine pushes bodies out of each other with velocities that it takes back within the step, short of a few millimetres a second. A
//! robot that presses a crate against a wall would tell them, and roll on them, while it stands. So others see the change of the pose, and wheels
//! roll along with it. Sideways they act on the velocity that the body has, so that friction damps what contacts leave.

use skidpad_math::{Rot2, Twist2};

use super::Body;

impl Body {
    /// Velocity of the reference point in the body frame [m/s, rad/s], as others see it: while contacts push the body, that of the change of
    /// its pose.
    #[inline]
    pub(super) fn seen_velocity_in_body(&self) -> Twist2 {
        match self.seen_to_move {
            Some((velocity_in_world, yaw_rate)) => self.in_body(velocity_in_world, yaw_rate),
            None => self.velocity_in_body(),
        }
    }

    /// Velocity of the reference point in the body frame [m/s, rad/s] on which wheels act: along the body, where they roll, as others see it.
    #[inline]
    pub(super) fn velocity_on_wheels(&self) -> Twist2 {
        let velocity = self.velocity_in_body();
        if self.seen_to_move.is_some() { Twist2 { vx: self.seen_velocity_in_body().vx, ..velocity } } else { velocity }
    }

    /// Notes at the end of a step of `dt` [s] how a body moves that contacts have pushed. Contacts that last leave velocities that do not
    /// move it: those with which they push bodies out of each other. In the first step of a contact there is an impact, in which the
    /// change of the pose says nothing of the velocity after it.
    pub(super) fn note_push(&mut self, dt: f64) {
        self.seen_to_move = (self.is_pushed && self.was_pushed).then(|| {
            let (center, yaw, _) = self.start;
            let turned = self.yaw - yaw;
            // The body has gone on along an arc, from the mean heading to that at the end.
            (Rot2::near(0.5 * turned) * ((1.0 / dt) * (self.center_in_world - center)), turned / dt)
        });
        (self.was_pushed, self.is_pushed) = (self.is_pushed, false);
    }
}
