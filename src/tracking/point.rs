//! The tracker of point P: two PID controllers with feed-forward (the study, §5.3).
//!
//! P is `PL_distance` ahead of the vehicle's reference point. With the heading θ, the pose (x, y) and h(θ) = (cos θ, sin θ):
//!
//! ```text
//! P     = (x, y) + PL·h(θ)
//! P_ref = (x_ref, y_ref) + PL·h(θ_ref)                     θ_ref: see below
//! e     = P_ref − P
//! v_P   = FFWD·Ṗ_ff + Kp·e + Ki·Σ e·Δt + Kd·(e − e_last)/Δt
//! ```
//!
//! | `reference_heading` | θ_ref | Ṗ_ff | remaining error if P moves as commanded |
//! |---|---|---|---|
//! | `vehicle`, the study's | θ | ẋ_ref | ė = PL·θ̇·n(θ) − Kp·e: on a circle \|e\| = PL·\|θ̇\|/√(Kp² + θ̇²) |
//! | `path` | the path's | ẋ_ref + PL·θ̇_ref·n(θ_ref) | ė = −Kp·e: nothing |
//!
//! where n(θ) = (−sin θ, cos θ). The study uses the robot's own heading for the reference, so that e is also the error of the
//! reference point, but does not feed forward the velocity of the arm. Without feed-forward ẋ_ref remains, too: |e| ≈ v/Kp.

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Rot2, Vec2};

use super::VehicleState;
use super::baseline::{BicycleModel, TrackerName};
use crate::trajectory::Sample;
use crate::trajectory::check::{flag, not_negative, positive, require};

/// The heading used for the reference of P.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceHeading {
    /// The vehicle's, as in the study.
    #[default]
    Vehicle,
    /// The path's, with the resulting velocity of the arm fed forward: exact.
    Path,
}

/// Anti-windup of the integral while the vehicle cannot follow the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AntiWindup {
    /// None: the plain sum of the study.
    None,
    /// The integral's contribution on each axis stays within ±`integral_limit`.
    #[default]
    Clamp,
    /// As `clamp`, and while the last command was limited the integral of an axis may only shrink.
    Conditional,
}

/// Gains and geometry of all trackers: those of a [`PointTracker`] under the study's names (§5.3.2) and with its defaults (§5.3.4), and
/// those of the others in [`TRACKERS`](super::TRACKERS), each of which says which ones it reads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrackerParameters {
    /// A name of [`TRACKERS`](super::TRACKERS).
    pub tracker: TrackerName,
    /// Whether it tracks: a change from false to true restarts the trajectory, false stops the vehicle.
    #[serde(deserialize_with = "flag")]
    pub active: bool,
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
    #[serde(rename = "FFWD", deserialize_with = "flag")]
    pub feed_forward: bool,
    /// Distance from the reference point of the vehicle to P along its heading [m], ≥ 0.
    #[serde(rename = "PL_distance")]
    pub point_distance: f64,
    /// The heading used for the reference of P.
    pub reference_heading: ReferenceHeading,
    /// Anti-windup of the integral.
    pub anti_windup: AntiWindup,
    /// Limit of the integral's contribution on each axis [m/s], > 0.
    pub integral_limit: f64,
    /// Pure pursuit, Stanley, LQR: gain of the speed on the distance that is missing along the path [1/s], ≥ 0.
    pub k_along: f64,
    /// Pure pursuit: the goal is ahead by the way of this time [s], ≥ 0.
    pub lookahead_time: f64,
    /// Pure pursuit: and by at least this way [m], > 0.
    pub min_lookahead: f64,
    /// Stanley: rate at which a small distance from the path decays [1/s], ≥ 0.
    pub k_across: f64,
    /// Stanley: speed [m/s], ≥ 0, that is added to the vehicle's, so that it does not steer abruptly when it is slow.
    pub k_soft: f64,
    /// Stanley: damping of the yaw rate [s], ≥ 0.
    pub k_yaw: f64,
    /// Stanley: whether the front axle is led where it belongs if the rear axle is on the path, or along the path itself, as published.
    pub rear_on_path: bool,
    /// Stanley, LQR, MPC: the model of the vehicle.
    pub model: BicycleModel,
    /// LQR: how far ahead it knows the curvature of the path [s], ≥ 0.
    pub preview: f64,
    /// LQR, MPC: distance from the reference [m], > 0, that costs 1 per second.
    pub position_scale: f64,
    /// LQR, MPC: angle between course and path [rad], > 0, that costs 1 per second.
    pub course_scale: f64,
    /// LQR, MPC: rate of the steering angle [rad/s], > 0, that costs 1 per second.
    pub steering_rate_scale: f64,
    /// MPC: acceleration [m/s²], > 0, that costs 1 per second.
    pub acceleration_scale: f64,
    /// LQR, MPC with the dynamic model: yaw inertia [kg·m²], ≥ 0; 0: M·a·b.
    #[serde(rename = "I_z")]
    pub yaw_inertia: f64,
    /// MPC: number of steps that it plans, from 1 to [`MAX_HORIZON`].
    pub horizon: u32,
    /// MPC: length of such a step [s], > 0.
    pub horizon_step: f64,
    /// MPC: largest rate of the steering angle [rad/s], > 0.
    pub max_steering_rate: f64,
    /// MPC: largest acceleration and deceleration [m/s²], > 0.
    pub max_acceleration: f64,
    /// MPC: iterations after which the solver gives up, ≥ 1.
    pub max_iterations: u32,
}

/// Most steps that the MPC plans.
pub const MAX_HORIZON: u32 = 200;

impl Default for TrackerParameters {
    fn default() -> TrackerParameters {
        TrackerParameters {
            tracker: TrackerName::default(),
            active: true,
            proportional: 5.0,
            integral: 0.0,
            derivative: 0.0,
            feed_forward: true,
            point_distance: 0.1,
            reference_heading: ReferenceHeading::Vehicle,
            anti_windup: AntiWindup::Clamp,
            integral_limit: 1.0,
            k_along: 5.0,
            lookahead_time: 0.3,
            min_lookahead: 0.325,
            k_across: 2.5,
            k_soft: 0.0,
            k_yaw: 0.0,
            rear_on_path: true,
            model: BicycleModel::Kinematic,
            preview: 1.0,
            position_scale: 0.02,
            course_scale: 0.2,
            steering_rate_scale: 4.0,
            acceleration_scale: 4.0,
            yaw_inertia: 0.0,
            horizon: 20,
            horizon_step: 0.05,
            max_steering_rate: 10.0,
            max_acceleration: 10.0,
            max_iterations: 50,
        }
    }
}

impl TrackerParameters {
    /// Checks the ranges.
    ///
    /// # Errors
    /// A gain or a length is negative or not finite; the text gives the accepted values.
    pub fn check(&self) -> Result<(), Diagnostic> {
        not_negative("Kp", self.proportional, "1/s")?;
        not_negative("Ki", self.integral, "1/s²")?;
        not_negative("Kd", self.derivative, "-")?;
        not_negative("PL_distance", self.point_distance, "m")?;
        positive("integral_limit", self.integral_limit, "m/s")?;
        not_negative("k_along", self.k_along, "1/s")?;
        not_negative("lookahead_time", self.lookahead_time, "s")?;
        positive("min_lookahead", self.min_lookahead, "m")?;
        not_negative("k_across", self.k_across, "1/s")?;
        not_negative("k_soft", self.k_soft, "m/s")?;
        not_negative("k_yaw", self.k_yaw, "s")?;
        let within = |name: &str, value: f64, most: f64, unit: &str| {
            require(name, value, value > 0.0 && value <= most, &format!("a number > 0 and at most {most} [{unit}]"))
        };
        let preview = self.preview;
        require("preview", preview, (0.0..=10.0).contains(&preview), "a number from 0 to 10 [s]")?;
        scale("position_scale", self.position_scale, "m")?;
        scale("course_scale", self.course_scale, "rad")?;
        scale("steering_rate_scale", self.steering_rate_scale, "rad/s")?;
        scale("acceleration_scale", self.acceleration_scale, "m/s²")?;
        not_negative("I_z", self.yaw_inertia, "kg·m²")?;
        let whole = |name: &str, value: u32, most: u32| {
            let accepted = format!("a whole number from 1 to {most}");
            require(name, f64::from(value), (1..=most).contains(&value), &accepted)
        };
        whole("horizon", self.horizon, MAX_HORIZON)?;
        within("horizon_step", self.horizon_step, 1.0, "s")?;
        within("max_steering_rate", self.max_steering_rate, 1e6, "rad/s")?;
        within("max_acceleration", self.max_acceleration, 1e6, "m/s²")?;
        whole("max_iterations", self.max_iterations, 1000)
    }
}

/// Fails unless the value is fit to scale a cost, so that its square and its inverse are numbers.
fn scale(name: &str, value: f64, unit: &str) -> Result<(), Diagnostic> {
    require(name, value, (1e-6..=1e6).contains(&value), &format!("a number from 1e-6 to 1e6 [{unit}]"))
}

/// Result of one tracker step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackerStep {
    /// P [m] in the frame of the trajectory.
    pub point: Vec2,
    /// Reference position of P [m].
    pub point_reference: Vec2,
    /// Commanded velocity of P [m/s].
    pub point_velocity: Vec2,
}

/// Two identical PID controllers on the position of P, with the reference's velocity fed forward.
#[derive(Clone, Debug, Default)]
pub struct PointTracker {
    parameters: TrackerParameters,
    /// Contribution of the integral [m/s], stored with its gain included, so that a new `Ki` does not make the command jump.
    integral: Vec2,
    last_error: Option<Vec2>,
    /// Last heading of the moving path, used while it stands.
    last_heading: Option<Rot2>,
    is_cut: bool,
}

impl PointTracker {
    /// A tracker at rest.
    ///
    /// # Errors
    /// See [`TrackerParameters::check`].
    pub fn new(parameters: TrackerParameters) -> Result<PointTracker, Diagnostic> {
        parameters.check()?;
        Ok(PointTracker { parameters, ..PointTracker::default() })
    }

    /// Gains and geometry.
    pub fn parameters(&self) -> &TrackerParameters {
        &self.parameters
    }

    /// Sets gains and geometry from the next step on. The integral keeps its contribution, unless `Ki` becomes 0, and the derivative
    /// continues from the last error; `Kp`, `FFWD` and `PL_distance` act at once. Becoming `active` resets the state.
    ///
    /// # Errors
    /// See [`TrackerParameters::check`]; the old parameters remain in that case.
    pub fn set_parameters(&mut self, parameters: TrackerParameters) -> Result<(), Diagnostic> {
        parameters.check()?;
        if parameters.active && !self.parameters.active {
            self.reset();
        }
        let p = &parameters;
        let is_redefined = (p.point_distance, p.reference_heading)
            != (self.parameters.point_distance, self.parameters.reference_heading);
        if is_redefined {
            // The definition of the error has changed; its jump must not enter the derivative.
            self.last_error = None;
        }
        self.parameters = parameters;
        Ok(())
    }

    /// Resets the integral and the last error.
    pub fn reset(&mut self) {
        *self = PointTracker { parameters: self.parameters, ..PointTracker::default() };
    }

    /// Reports whether the command of the last step was limited, see [`Steer::is_cut`](super::Steer::is_cut).
    pub fn report_cut(&mut self, is_cut: bool) {
        self.is_cut = is_cut;
    }

    /// One step of the controllers, `dt` [s] ≥ 0 after the last. An inactive tracker commands standstill.
    pub fn step(&mut self, reference: &Sample, state: &VehicleState, dt: f64) -> TrackerStep {
        let p = self.parameters;
        let heading = state.world_from_body.rotation();
        let point = state.world_from_body.position() + along(heading, p.point_distance);
        let (point_reference, forward) = self.reference_of_point(reference, heading);
        if !p.active {
            return TrackerStep { point, point_reference, point_velocity: Vec2::ZERO };
        }
        let error = point_reference - point;
        self.integrate(error, dt);
        let rate = match self.last_error {
            Some(last) if dt > 0.0 => (1.0 / dt) * (error - last),
            _ => Vec2::ZERO,
        };
        self.last_error = Some(error);
        let forward = if p.feed_forward { forward } else { Vec2::ZERO };
        let point_velocity = forward + p.proportional * error + self.integral + p.derivative * rate;
        TrackerStep { point, point_reference, point_velocity }
    }

    /// Reference position [m] and velocity [m/s] of P.
    fn reference_of_point(&mut self, reference: &Sample, heading: Rot2) -> (Vec2, Vec2) {
        let arm = self.parameters.point_distance;
        if self.parameters.reference_heading == ReferenceHeading::Vehicle {
            return (reference.position + along(heading, arm), reference.velocity);
        }
        let speed = reference.speed();
        if speed > 0.0 {
            let along = (1.0 / speed) * reference.velocity;
            self.last_heading = Some(Rot2 { cos: along.x, sin: along.y });
        }
        let of_path = self.last_heading.unwrap_or(heading);
        let turning = (arm * reference.turn_rate()) * along(of_path, 1.0).perpendicular();
        (reference.position + along(of_path, arm), reference.velocity + turning)
    }

    fn integrate(&mut self, error: Vec2, dt: f64) {
        let p = &self.parameters;
        if p.integral == 0.0 {
            self.integral = Vec2::ZERO;
            return;
        }
        let axis = |sum: f64, error: f64| {
            let grown = sum + p.integral * error * dt;
            match p.anti_windup {
                AntiWindup::None => grown,
                AntiWindup::Conditional if self.is_cut && grown.abs() > sum.abs() => sum,
                AntiWindup::Clamp | AntiWindup::Conditional => {
                    skidpad_vehicle::friction::within(grown, p.integral_limit)
                }
            }
        };
        self.integral = Vec2::new(axis(self.integral.x, error.x), axis(self.integral.y, error.y));
    }
}

/// A vector of this length [m] along the rotated x axis.
fn along(rotation: Rot2, length: f64) -> Vec2 {
    Vec2::new(length * rotation.cos, length * rotation.sin)
}
