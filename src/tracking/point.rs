//! The tracker of point P: two PID controllers with feed-forward (seed 004, §5.3).

use serde::{Deserialize, Serialize};

use super::VehicleState;
use crate::math::Vec2;
use crate::trajectory::Sample;

/// Gains and geometry of a [`PointTracker`], under the study's names (seed 004, §5.3.2) and with its defaults (§5.3.4).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackerParameters {
    /// Proportional gain [1/s], ≥ 0.
    #[serde(rename = "Kp")]
    pub proportional: f64,
    /// Integral gain [1/s²], ≥ 0.
    #[serde(rename = "Ki")]
    pub integral: f64,
    /// Derivative gain [-], ≥ 0.
    #[serde(rename = "Kd")]
    pub derivative: f64,
    /// Whether the velocity of the reference is fed forward.
    #[serde(rename = "FFWD")]
    pub feed_forward: bool,
    /// From the reference point of the vehicle to P along its heading [m], ≥ 0.
    #[serde(rename = "PL_distance")]
    pub point_distance: f64,
}

impl Default for TrackerParameters {
    fn default() -> TrackerParameters {
        TrackerParameters { proportional: 5.0, integral: 0.0, derivative: 0.0, feed_forward: true, point_distance: 0.1 }
    }
}

/// What a tracker came to in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackerStep {
    /// P [m] in the frame of the trajectory.
    pub point: Vec2,
    /// Where P shall be [m].
    pub point_reference: Vec2,
    /// The velocity that P shall have [m/s].
    pub point_velocity: Vec2,
}

/// Two identical PID controllers on the position of P, with the reference's velocity fed forward.
#[derive(Clone, Debug, Default)]
pub struct PointTracker {
    parameters: TrackerParameters,
    integral: Vec2,
    last_error: Option<Vec2>,
}

impl PointTracker {
    /// A tracker at rest.
    pub fn new(parameters: TrackerParameters) -> PointTracker {
        PointTracker { parameters, ..PointTracker::default() }
    }

    /// Gains and geometry; may be changed between steps.
    pub fn parameters_mut(&mut self) -> &mut TrackerParameters {
        &mut self.parameters
    }

    /// Forgets integral and last error.
    pub fn reset(&mut self) {
        self.integral = Vec2::ZERO;
        self.last_error = None;
    }

    /// One step of the controllers, `dt` [s] ≥ 0 after the last.
    pub fn step(&mut self, reference: &Sample, state: &VehicleState, dt: f64) -> TrackerStep {
        let p = &self.parameters;
        let arm = p.point_distance * (state.world_from_body.rotation() * Vec2::new(1.0, 0.0));
        let point = state.world_from_body.position() + arm;
        let point_reference = reference.position + arm;
        let error = point_reference - point;
        self.integral = self.integral + dt * error;
        let rate = match self.last_error {
            Some(last) if dt > 0.0 => (1.0 / dt) * (error - last),
            _ => Vec2::ZERO,
        };
        self.last_error = Some(error);
        let forward = if p.feed_forward { reference.velocity } else { Vec2::ZERO };
        let point_velocity = forward + p.proportional * error + p.integral * self.integral + p.derivative * rate;
        TrackerStep { point, point_reference, point_velocity }
    }
}
