//! The dynamic single track: a car with one wheel per axle and lateral tyre slip.
//!
//! State x, y, ψ of the centre of gravity, yaw rate r, side-slip angle β, speed v along the path; the study's `ode_simulator`
//! (the study, §5.4). Nonlinear form as in M. Althoff, M. Koschi and S. Manzinger, "CommonRoad: composable benchmarks for motion
//! planning on roads", IV 2017, and R. Rajamani, "Vehicle Dynamics and Control", 2nd ed., §2.3, without small angles:
//!
//! * ẋ = v·cos(ψ + β), ẏ = v·sin(ψ + β), ψ̇ = r
//! * v̇ = a_t, the acceleration along the path that the drive achieves, see below
//! * β̇ = (F_f·cos(δ − β) + F_r·cos β)/(m·v) + g_n/v − r
//! * ṙ = (a·F_f·cos δ − b·F_r)/Iz
//! * F = −force(α) with α_f = atan((v·sin β + a·r)/(v·cos β)) − δ, α_r = atan((v·sin β − b·r)/(v·cos β)) forward; in general
//!   the angle from the wheel's plane to its velocity, so that the force opposes side slip in reverse and in a spin too
//! * loads N_f = m·(g_z·b − h·(a_t − g_x))/L, N_r = m·(g_z·a + h·(a_t − g_x))/L, never below zero; h = 0: static
//!
//! g_x, g_y, g_z are gravity along the ground and into it, g_t and g_n its parts along the path and to the left of it.
//!
//! Tyres, per axle: `linear` C·α; `linear_by_load` C·α·(μ·N)/(μ·N)₀ with the class's μ and the static load in (μ·N)₀,
//! as in CommonRoad and f1tenth_gym; `fiala` up to μ·N; `fiala_unsaturated` continues Fiala's cubic up to twice the
//! slip at which the axle would slide (there 2·μ·N), so that a spin stays finite; `pacejka` μ·N·sin(C·atan(…)) with
//! slope B·C·μ·N.
//!
//! `default` is the Coulomb grip of the wheels of rigid bodies (MVSim's manual: B. Tymchenko, "Multiple Vehicle Simulator", 2020, §4.2.2;
//! `friction class="default"`) at each axle: the force that removes, within T, the lateral velocity u of the mass on the axle,
//! at most μ·N: F = −clamp(k·m_axle·u/T, ±μ·N), with m_f = m·b/L, m_r = m·a/L, T the longest sub-step. Straight ahead the two
//! together are v̇_y = −k·v_y/T and ṙ = −k·(m·a·b/Iz)·r/T, decoupled from each other: k = min(1, Iz/(m·a·b)) keeps both rates within 1/T,
//! so that every integrator here is stable, and neither motion is reversed within a step. u of both axles is then 0 except in cornering:
//! u = T·a_y/k, millimetres per second. Its slope over the slip angle grows with v, so that nothing is stiffer at low speed.
//!
//! Drive: a speed command is followed with a first-order lag τ, v̇ = (v_c − v)/τ, where the drive gives at most `max_acceleration`
//! and μ·g_z and works against gravity: a_t = clamp((v_c − v)/τ − g_t) + g_t. τ = 0: as fast as that allows. `max_acceleration` =
//! 0: v is the commanded speed at once, as in the study. The drive force acts along the path and does not reduce the lateral force
//! of the tyres.
//!
//! Low speed: β̇ is singular at v = 0, and the stiffness of both equations grows as 1/v. Below the lower blend speed the model is
//! the kinematic bicycle, r → v·cos β·tan δ/L and β → atan(b·tan δ/L), approached within 20 ms; up to the upper one the
//! derivatives are mixed with the weight s²·(3 − 2·s), s from 0 to 1, which is continuous with its slope. The lower speed is at
//! least h·((Cf + Cr)/m + (a²·Cf + b²·Cr)/Iz), h the sub-step, where every integrator here is stable; the upper one then at least
//! twice that. An understeering car in reverse oversteers: above its critical speed it spins round, as expected.
//!
//! Not modelled: lateral load transfer, roll, combined slip, relaxation length, aerodynamic and rolling resistance.

use skidpad_math::{Pose2, Rot2, Twist2, Vec2};

use crate::friction::curve::{MagicFormula, SlipCurve};
use crate::friction::within;
use crate::integrate::Integrator;
use crate::lateral::LateralDynamics;

/// Time [s] within which a slow car approaches the kinematic motion; at least two sub-steps.
const RELAXATION: f64 = 0.02;
/// Speed [m/s] below which a car that is commanded to stand counts as standing.
const AT_REST: f64 = 1e-6;

/// Tyre law of both axles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TyreModel {
    /// Grip: removes the lateral velocity within a sub-step, with at most μ·N.
    Grip,
    /// C·α.
    Linear,
    /// C·α, with C in proportion to μ·N: C is the stiffness at the static load and the class's own μ.
    LinearByLoad,
    /// Fiala's brush.
    Fiala {
        /// Whether the force stays at μ·N beyond the sliding limit; otherwise it follows the cubic to twice that slip.
        saturates: bool,
    },
    /// The Magic Formula with the peak μ·N.
    Pacejka {
        /// B [1/rad]; none: chosen so that the slope at the static load is the axle's stiffness.
        b: Option<f64>,
        /// C [-], ≥ 1.
        c: f64,
        /// E [-], ≤ 1.
        e: f64,
    },
}

/// Parameters of a single track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleTrackParameters {
    /// m [kg], > 0.
    pub mass: f64,
    /// Iz [kg·m²] about the centre of gravity, > 0.
    pub yaw_inertia: f64,
    /// a [m]: from the centre of gravity to the front axle, > 0.
    pub cog_to_front: f64,
    /// b [m]: from the centre of gravity to the rear axle, > 0.
    pub cog_to_rear: f64,
    /// h [m] ≥ 0; 0: static loads.
    pub cog_height: f64,
    /// Cf [N/rad] of the front axle, > 0.
    pub front_stiffness: f64,
    /// Cr [N/rad] of the rear axle, > 0.
    pub rear_stiffness: f64,
    /// μ [-] of tyre and ground.
    pub mu: f64,
    /// Tyre law.
    pub tyres: TyreModel,
    /// τ [s] ≥ 0.
    pub speed_lag: f64,
    /// [m/s²]; 0: the speed is imposed.
    pub max_acceleration: f64,
    /// Below the first speed [m/s] kinematic, above the second dynamic.
    pub blend_speeds: [f64; 2],
    /// Longest step of integration [s], > 0.
    pub substep: f64,
    /// Integration method.
    pub integrator: Integrator,
}

/// State of a single track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SingleTrackState {
    /// x, y [m] of the centre of gravity and ψ [rad].
    pub pose: Pose2,
    /// r [rad/s].
    pub yaw_rate: f64,
    /// β [rad], from the heading to the velocity; for v < 0, to the opposite of the velocity.
    pub sideslip: f64,
    /// v [m/s] along the path, negative in reverse.
    pub speed: f64,
}

impl SingleTrackState {
    /// The state at `pose` with this velocity of the centre of gravity in the body frame [m/s, rad/s]; |β| ≤ 90°.
    pub fn from_velocity(pose: Pose2, velocity: Twist2) -> SingleTrackState {
        let sign = if velocity.vx < 0.0 { -1.0 } else { 1.0 };
        let speed = velocity.linear().norm();
        let sideslip = if speed > 0.0 { libm::atan2(sign * velocity.vy, velocity.vx.abs()) } else { 0.0 };
        SingleTrackState { pose, yaw_rate: velocity.wz, sideslip, speed: sign * speed }
    }

    /// Velocity of the centre of gravity in the body frame [m/s, rad/s].
    pub fn velocity(&self) -> Twist2 {
        let along = Rot2::new(self.sideslip);
        Twist2::new(self.speed * along.cos, self.speed * along.sin, self.yaw_rate)
    }

    fn to_array(self) -> [f64; 6] {
        [self.pose.x, self.pose.y, self.pose.yaw, self.yaw_rate, self.sideslip, self.speed]
    }

    fn from_array([x, y, yaw, yaw_rate, sideslip, speed]: [f64; 6]) -> SingleTrackState {
        SingleTrackState { pose: Pose2::new(x, y, yaw), yaw_rate, sideslip, speed }
    }
}

/// The inputs of a single track for a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleTrackInput {
    /// v_c [m/s].
    pub speed: f64,
    /// δ [rad], |δ| < 90°.
    pub steering_angle: f64,
    /// g_x, g_y [m/s²]: gravity along the ground, in the body frame.
    pub gravity_in_body: Vec2,
    /// g_z [m/s²] into the ground, ≥ 0.
    pub gravity_into_ground: f64,
    /// μ [-] under the front and the rear axle.
    pub mu: [f64; 2],
}

/// Forces on the wheels of a single track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxleForces {
    /// Slip angle [rad] at the front and the rear axle, in the wheel's plane.
    pub slip_angle: [f64; 2],
    /// Force of the ground to the left of the wheel [N], front and rear.
    pub lateral: [f64; 2],
    /// Load [N], front and rear.
    pub load: [f64; 2],
    /// Drive force along the path [N], all wheels together.
    pub drive: f64,
}

/// A single track with precomputed tyre laws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleTrack {
    parameters: SingleTrackParameters,
    axles: [AxleLaw; 2],
}

/// Tyre law of one axle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AxleLaw {
    /// Force per lateral velocity [N·s/m].
    Grip(f64),
    /// Force over slip angle and μ·N [1/rad].
    ByLoad(f64),
    /// Force over slip angle; the Magic Formula with a peak of 1.
    Slip(SlipCurve),
}

/// Constants of a step.
struct Step<'a> {
    model: &'a SingleTrack,
    input: &'a SingleTrackInput,
    steer: Rot2,
    /// ψ and β at the start of the step [rad], and the rotations by them.
    start: [f64; 2],
    rotations: [Rot2; 2],
    /// β of the kinematic bicycle [rad], and its r/v [1/m].
    kinematic: (f64, f64),
    /// Blend speeds [m/s]: kinematic below the first, dynamic above the second.
    blend: [f64; 2],
    relaxation: f64,
    /// Lag [s] and largest acceleration of the drive [m/s²]; none: the path acceleration is given.
    lag: Option<(f64, f64)>,
    /// The path acceleration [m/s²] where there is no lag.
    acceleration: f64,
}

impl SingleTrack {
    /// A car with these parameters, with the `pacejka` stiffness matched under `gravity` [m/s²] on level ground.
    pub fn new(parameters: SingleTrackParameters, gravity: f64) -> SingleTrack {
        let p = &parameters;
        let weight = p.mass * gravity / (p.cog_to_front + p.cog_to_rear);
        let held = p.mass / (p.cog_to_front + p.cog_to_rear);
        let share = (p.yaw_inertia / (p.mass * p.cog_to_front * p.cog_to_rear)).min(1.0);
        let static_grip = |lever: f64| (p.mu * weight * lever).max(f64::MIN_POSITIVE);
        let law = |stiffness: f64, lever: f64| match p.tyres {
            TyreModel::Grip => AxleLaw::Grip(share * held * lever / p.substep),
            TyreModel::Linear => AxleLaw::Slip(SlipCurve::Linear { stiffness }),
            TyreModel::LinearByLoad => AxleLaw::ByLoad(stiffness / static_grip(lever)),
            TyreModel::Fiala { saturates } => AxleLaw::Slip(SlipCurve::Fiala { stiffness, saturates }),
            TyreModel::Pacejka { b: Some(b), c, e } => {
                AxleLaw::Slip(SlipCurve::Magic(MagicFormula { b, c, d: 1.0, e }))
            }
            TyreModel::Pacejka { b: None, c, e } => {
                AxleLaw::Slip(SlipCurve::Magic(MagicFormula::from_stiffness(stiffness / static_grip(lever), c, 1.0, e)))
            }
        };
        let axles = [law(p.front_stiffness, p.cog_to_rear), law(p.rear_stiffness, p.cog_to_front)];
        SingleTrack { parameters, axles }
    }

    /// The parameters.
    pub fn parameters(&self) -> &SingleTrackParameters {
        &self.parameters
    }

    /// Linearisation about straight driving, under `gravity` [m/s²] on level ground with the parameters' own μ. Grip tyres have no
    /// linear form that is valid at every speed.
    pub fn linear(&self, gravity: f64) -> Option<LateralDynamics> {
        let p = &self.parameters;
        if p.tyres == TyreModel::Grip {
            return None;
        }
        let loads = self.loads(0.0, 0.0, gravity);
        Some(LateralDynamics {
            mass: p.mass,
            yaw_inertia: p.yaw_inertia,
            cog_to_front: p.cog_to_front,
            cog_to_rear: p.cog_to_rear,
            front_stiffness: self.stiffness(0, p.mu * loads[0]),
            rear_stiffness: self.stiffness(1, p.mu * loads[1]),
        })
    }

    /// The same motion with |β| ≤ 90°. After a spin the car moves backwards, and its drive must stop that motion. A car with
    /// imposed speed keeps the speed instead, and its state is unchanged.
    pub fn turned_round(&self, state: SingleTrackState) -> SingleTrackState {
        use std::f64::consts::{FRAC_PI_2, PI};
        if self.parameters.max_acceleration <= 0.0 || state.sideslip.abs() <= FRAC_PI_2 {
            return state;
        }
        let sideslip = skidpad_math::wrap_angle(state.sideslip);
        if sideslip.abs() <= FRAC_PI_2 {
            return SingleTrackState { sideslip, ..state };
        }
        SingleTrackState { speed: -state.speed, sideslip: sideslip - PI.copysign(sideslip), ..state }
    }

    /// The state after `dt` [s].
    pub fn advance(&self, state: SingleTrackState, input: &SingleTrackInput, dt: f64) -> SingleTrackState {
        let p = &self.parameters;
        let mut state = state;
        let is_imposed = p.max_acceleration <= 0.0;
        if is_imposed {
            state.speed = input.speed;
        } else {
            state = self.turned_round(state);
        }
        let count = (dt / p.substep - 1e-9).ceil().clamp(1.0, 1e6);
        let h = dt / count;
        let step = self.prepare(&state, input, (dt, h));
        let mut s = state.to_array();
        for _ in 0..count as u32 {
            s = p.integrator.step(s, h, |s| step.derivative(s));
        }
        let mut state = SingleTrackState::from_array(s);
        if input.speed == 0.0 && state.speed.abs() < AT_REST {
            state.speed = 0.0;
            if state.yaw_rate.abs() < AT_REST {
                state.yaw_rate = 0.0;
            }
        }
        state
    }

    /// The forces in a state, with path acceleration `acceleration` [m/s²].
    pub fn forces(&self, state: &SingleTrackState, input: &SingleTrackInput, acceleration: f64) -> AxleForces {
        let step = self.prepare(state, input, (1.0, self.parameters.substep));
        let along = step.rotations[1];
        let load = self.loads(acceleration, input.gravity_in_body.x, input.gravity_into_ground);
        let velocity = step.wheel_velocities(state.speed, state.yaw_rate, along);
        let weight = step.dynamic_weight(state.speed);
        let slip_angle = velocity.map(|velocity| if weight > 0.0 { slip_angle(velocity) } else { 0.0 });
        let lateral = [0, 1].map(|axle| -weight * self.force(axle, velocity[axle], input.mu[axle] * load[axle]));
        let gravity_along = input.gravity_in_body.dot(Vec2::new(along.cos, along.sin));
        // The drive compensates the braking component of the steered front tyre's force.
        let cornering = lateral[0] * (step.steer.sin * along.cos - step.steer.cos * along.sin) - lateral[1] * along.sin;
        AxleForces {
            slip_angle,
            lateral,
            load,
            drive: self.parameters.mass * (acceleration - gravity_along) + cornering,
        }
    }

    /// Loads [N] of the front and the rear axle.
    #[inline]
    fn loads(&self, acceleration: f64, gravity_along: f64, gravity_into_ground: f64) -> [f64; 2] {
        let p = &self.parameters;
        let per_length = p.mass / (p.cog_to_front + p.cog_to_rear);
        let transfer = p.cog_height * (acceleration - gravity_along);
        let (front, rear) =
            (gravity_into_ground * p.cog_to_rear - transfer, gravity_into_ground * p.cog_to_front + transfer);
        [per_length * front.max(0.0), per_length * rear.max(0.0)]
    }

    /// Force [N] against the lateral motion of an axle (0 front, 1 rear) whose wheels move with `velocity_in_wheel` [m/s]; `most`
    /// [N] is μ·N.
    #[inline]
    fn force(&self, axle: usize, velocity_in_wheel: Vec2, most: f64) -> f64 {
        match &self.axles[axle] {
            AxleLaw::Grip(per_velocity) => within(per_velocity * velocity_in_wheel.y, most),
            AxleLaw::ByLoad(slope) => most * slope * slip_angle(velocity_in_wheel),
            AxleLaw::Slip(SlipCurve::Magic(formula)) => most * formula.force(slip_angle(velocity_in_wheel)),
            AxleLaw::Slip(curve @ SlipCurve::Fiala { stiffness, saturates: false }) => {
                let limit = libm::atan(6.0 * most / stiffness);
                curve.force(within(slip_angle(velocity_in_wheel), limit), most)
            }
            AxleLaw::Slip(curve) => curve.force(slip_angle(velocity_in_wheel), most),
        }
    }

    /// The part of an axle's slope at zero slip [N/rad] that applies at every speed; `most` [N] is μ·N.
    fn stiffness(&self, axle: usize, most: f64) -> f64 {
        match &self.axles[axle] {
            AxleLaw::Grip(_) => 0.0,
            AxleLaw::ByLoad(slope) => most * slope,
            AxleLaw::Slip(SlipCurve::Magic(formula)) => most * formula.stiffness(),
            AxleLaw::Slip(curve) => curve.stiffness(),
        }
    }

    fn prepare<'a>(&'a self, state: &SingleTrackState, input: &'a SingleTrackInput, (dt, h): (f64, f64)) -> Step<'a> {
        let p = &self.parameters;
        let (a, b) = (p.cog_to_front, p.cog_to_rear);
        let steer = Rot2::new(input.steering_angle);
        let tangent = steer.sin / steer.cos;
        let slope = b * tangent / (a + b);
        let cos_beta = 1.0 / (1.0 + slope * slope).sqrt();
        let loads = self.loads(0.0, 0.0, input.gravity_into_ground);
        let [cf, cr] = [0, 1].map(|axle| self.stiffness(axle, input.mu[axle] * loads[axle]));
        let stiffness = (cf + cr) / p.mass + (a * a * cf + b * b * cr) / p.yaw_inertia;
        let least = h * stiffness;
        let low = p.blend_speeds[0].max(least);
        let high = if low > p.blend_speeds[0] { p.blend_speeds[1].max(2.0 * low) } else { p.blend_speeds[1] };
        let mut step = Step {
            model: self,
            input,
            steer,
            start: [state.pose.yaw, state.sideslip],
            rotations: [Rot2::new(state.pose.yaw), Rot2::new(state.sideslip)],
            kinematic: (libm::atan(slope), cos_beta * tangent / (a + b)),
            blend: [low, high],
            relaxation: RELAXATION.max(2.0 * h),
            lag: None,
            acceleration: 0.0,
        };
        if p.max_acceleration > 0.0 {
            let grip = (input.mu[0] * loads[0] + input.mu[1] * loads[1]) / p.mass;
            let most = p.max_acceleration.min(grip);
            if p.speed_lag > 0.0 {
                step.lag = Some((p.speed_lag.max(2.0 * h), most));
            } else {
                let along = step.rotations[1];
                let pull = input.gravity_in_body.dot(Vec2::new(along.cos, along.sin));
                step.acceleration = within((input.speed - state.speed) / dt - pull, most) + pull;
            }
        }
        step
    }
}

/// Slip angle [rad]: from the wheel's plane to its velocity.
#[inline]
fn slip_angle(velocity_in_wheel: Vec2) -> f64 {
    let (forward, left) = (velocity_in_wheel.x.abs(), velocity_in_wheel.y);
    if left.abs() > 0.125 * forward || forward == 0.0 {
        return libm::atan2(left, forward);
    }
    // Taylor's series of the arctangent, without a call of the library: the first term left out is below a rounding of the sum.
    let tangent = left / forward;
    let square = -(tangent * tangent);
    let series = [3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0].map(|odd: f64| 1.0 / odd);
    tangent * (1.0 + square * series.iter().rev().fold(0.0, |sum, term| term + square * sum))
}

impl Step<'_> {
    /// Weight from 0, kinematic, to 1, dynamic [-].
    #[inline]
    fn dynamic_weight(&self, speed: f64) -> f64 {
        let [low, high] = self.blend;
        let share = (speed.abs() - low) / (high - low);
        if share <= 0.0 {
            0.0
        } else if share < 1.0 {
            share * share * (3.0 - 2.0 * share)
        } else {
            1.0
        }
    }

    /// Velocities [m/s] of the axles in the planes of their wheels; `along` is the rotation by β.
    #[inline]
    fn wheel_velocities(&self, speed: f64, yaw_rate: f64, along: Rot2) -> [Vec2; 2] {
        let p = &self.model.parameters;
        let (vx, vy) = (speed * along.cos, speed * along.sin);
        let front = self.steer.inverse() * Vec2::new(vx, vy + p.cog_to_front * yaw_rate);
        let rear = Vec2::new(vx, vy - p.cog_to_rear * yaw_rate);
        [front, rear]
    }

    /// Time derivative of x, y, ψ, r, β, v.
    #[inline]
    fn derivative(&self, s: &[f64; 6]) -> [f64; 6] {
        let &[_, _, yaw, yaw_rate, sideslip, speed] = s;
        let (p, input) = (&self.model.parameters, self.input);
        let along = self.rotations[1].turned(sideslip - self.start[1]);
        let direction = self.rotations[0].turned(yaw - self.start[0]) * along;
        let gravity = input.gravity_in_body;
        let pull = gravity.x * along.cos + gravity.y * along.sin;
        let acceleration = match self.lag {
            Some((lag, most)) => within((input.speed - speed) / lag - pull, most) + pull,
            None => self.acceleration,
        };
        let weight = self.dynamic_weight(speed);
        let (mut yaw_acceleration, mut sideslip_rate) = (0.0, 0.0);
        if weight > 0.0 {
            let [at_front, at_rear] = self.wheel_velocities(speed, yaw_rate, along);
            let load = self.model.loads(acceleration, gravity.x, input.gravity_into_ground);
            let front = -self.model.force(0, at_front, input.mu[0] * load[0]);
            let rear = -self.model.force(1, at_rear, input.mu[1] * load[1]);
            let cos_front = self.steer.cos * along.cos + self.steer.sin * along.sin;
            let across = gravity.y * along.cos - gravity.x * along.sin;
            sideslip_rate = ((front * cos_front + rear * along.cos) / p.mass + across) / speed - yaw_rate;
            yaw_acceleration = (p.cog_to_front * front * self.steer.cos - p.cog_to_rear * rear) / p.yaw_inertia;
        }
        if weight < 1.0 {
            let (kinematic_sideslip, turn) = self.kinematic;
            let kinematic_weight = 1.0 - weight;
            let rate = 1.0 / self.relaxation;
            yaw_acceleration =
                weight * yaw_acceleration + kinematic_weight * (acceleration * turn + rate * (speed * turn - yaw_rate));
            sideslip_rate = weight * sideslip_rate + kinematic_weight * rate * (kinematic_sideslip - sideslip);
        }
        [speed * direction.cos, speed * direction.sin, yaw_rate, yaw_acceleration, sideslip_rate, acceleration]
    }
}

#[cfg(test)]
mod grip_tests;
#[cfg(test)]
mod tests;
