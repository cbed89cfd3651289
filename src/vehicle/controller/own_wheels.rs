//! Targets of single wheels, in place of those that follow from a motion of the whole vehicle: [`WheelTargets`] for controllers of
//! vehicles with a motor at each wheel and without steering.

use skidpad_math::Twist2;

use super::WheelTargets;
use crate::MAX_MOTORS;
use crate::wheel::Wheel;
use crate::wheel_kinematics::WheelKinematics;

/// The targets in force, if there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OwnWheels {
    targets: Option<WheelTargets>,
    /// The motion of the body [m/s, rad/s] that fits the set-points of the last step.
    motion: Twist2,
}

impl OwnWheels {
    /// Takes targets; those that are omitted stay as they were.
    pub(super) fn take(&mut self, targets: WheelTargets) {
        self.targets = Some(targets.over(self.targets.unwrap_or_default()));
    }

    /// Ends them. Returns the motion of the body that they were for [m/s, rad/s], if there were any.
    pub(super) fn end(&mut self) -> Option<Twist2> {
        self.targets.take().map(|_| self.motion)
    }

    /// The motion of the body that they are for [m/s, rad/s]; none without targets.
    pub(super) fn motion(&self) -> Option<Twist2> {
        self.targets.map(|_| self.motion)
    }

    /// Set-point of the spin of a wheel [rad/s], if it has one of its own.
    #[inline]
    pub(super) fn spin(&self, wheel: usize) -> Option<f64> {
        self.targets.and_then(|targets| targets.spin.get(wheel).copied().flatten())
    }

    /// Torque of the motor of a wheel [N·m], if it is given in place of a spin.
    #[inline]
    pub(super) fn torque(&self, wheel: usize) -> Option<f64> {
        self.targets.and_then(|targets| targets.torque.get(wheel).copied().flatten())
    }

    /// Notes the set-points of the rims of this step [m/s], from which the motion of the body follows.
    pub(super) fn note(&mut self, wheels: &[Wheel], rims: &[f64; MAX_MOTORS]) {
        if self.targets.is_none() {
            return;
        }
        self.motion = match (WheelKinematics::new(wheels), wheels) {
            (Some(kinematics), _) => kinematics.velocity_of_rims(rims),
            (None, [left, right, ..]) => {
                let track = left.parameters.position.y - right.parameters.position.y;
                let turn = if track > 0.0 { (rims[1] - rims[0]) / track } else { 0.0 };
                Twist2::new(0.5 * (rims[0] + rims[1]), 0.0, turn)
            }
            _ => Twist2::ZERO,
        };
    }
}
