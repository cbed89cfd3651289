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
//! Integration: an explicit rule advances ψ, r, β and v by sub-steps. The trapezoidal rule over these gives x and y. The accelerations at
//! both ends of a step correct it (Euler and Maclaurin), so that its order is 4 and each sub-step needs one direction.
//!
//! Low speed: β̇ is singular at v = 0, and the stiffness of both equations grows as 1/v. Below the lower blend speed the model is
//! the kinematic bicycle, r → v·cos β·tan δ/L and β → atan(b·tan δ/L), approached within 20 ms; up to the upper one the
//! derivatives are mixed with the weight s²·(3 − 2·s), s from 0 to 1, which is continuous with its slope. The lower speed is at
//! least h·((Cf + Cr)/m + (a²·Cf + b²·Cr)/Iz), h the sub-step, where every integrator here is stable; the upper one then at least
//! twice that. An understeering car in reverse oversteers: above its critical speed it spins round, as expected.
//!
//! Not modelled: lateral load transfer, roll, combined slip, relaxation length, aerodynamic and rolling resistance.

use std::cell::OnceCell;

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
    tyres: AxleLaws,
}

/// Tyre laws of the front and the rear axle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum AxleLaws {
    /// Force per lateral velocity [N·s/m].
    Grip([f64; 2]),
    /// Force over slip angle and μ·N [1/rad].
    ByLoad([f64; 2]),
    /// Force over slip angle [N/rad].
    Linear([f64; 2]),
    /// Force over slip angle; the Magic Formula with a peak of 1.
    Curved([SlipCurve; 2]),
}

/// Constants of a step.
struct Step<'a> {
    model: &'a SingleTrack,
    input: &'a SingleTrackInput,
    steer: Rot2,
    /// β at the start of the step [rad], and the rotation by it.
    sideslip: f64,
    along: Rot2,
    /// β of the kinematic bicycle [rad], and its r/v [1/m], once a slow car has asked.
    kinematic: OnceCell<(f64, f64)>,
    /// μ·N [N] at rest, front and rear.
    most: [f64; 2],
    /// Its change per path acceleration [N·s²/m].
    transfer: [f64; 2],
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
        let stiffness = [p.front_stiffness, p.rear_stiffness];
        let levers = [p.cog_to_rear, p.cog_to_front];
        let by_load = [0, 1].map(|axle| stiffness[axle] / static_grip(levers[axle]));
        let tyres = match p.tyres {
            TyreModel::Grip => AxleLaws::Grip(levers.map(|lever| share * held * lever / p.substep)),
            TyreModel::Linear => AxleLaws::Linear(stiffness),
            TyreModel::LinearByLoad => AxleLaws::ByLoad(by_load),
            TyreModel::Fiala { saturates } => {
                AxleLaws::Curved(stiffness.map(|stiffness| SlipCurve::Fiala { stiffness, saturates }))
            }
            TyreModel::Pacejka { b: Some(b), c, e } => {
                AxleLaws::Curved([SlipCurve::Magic(MagicFormula { b, c, d: 1.0, e }); 2])
            }
            TyreModel::Pacejka { b: None, c, e } => {
                AxleLaws::Curved(by_load.map(|slope| SlipCurve::Magic(MagicFormula::from_stiffness(slope, c, 1.0, e))))
            }
        };
        SingleTrack { parameters, tyres }
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
        let [front_stiffness, rear_stiffness] = self.stiffness(self.loads(0.0, 0.0, gravity).map(|load| p.mu * load));
        Some(LateralDynamics {
            mass: p.mass,
            yaw_inertia: p.yaw_inertia,
            cog_to_front: p.cog_to_front,
            cog_to_rear: p.cog_to_rear,
            front_stiffness,
            rear_stiffness,
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
        self.advance_with_forces(state, input, dt).0
    }

    /// The state after `dt` [s], and the forces in it under the mean path acceleration of this step.
    pub fn advance_with_forces(
        &self,
        state: SingleTrackState,
        input: &SingleTrackInput,
        dt: f64,
    ) -> (SingleTrackState, AxleForces) {
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
        let heading = Rot2::new(state.pose.yaw) * step.along;
        let direction = |s: &[f64; 4]| heading.turned((s[0] - state.pose.yaw) + (s[2] - state.sideslip));
        let mut s = [state.pose.yaw, state.yaw_rate, state.sideslip, state.speed];
        let mut slope = step.derivative(&s);
        let (mut along, mut sum) = (direction(&s), Vec2::ZERO);
        let at_start = acceleration(&s, &slope, along);
        for _ in 0..count as u32 {
            sum = sum + s[3] * along.forward();
            s = p.integrator.step_from(s, slope, h, |s| step.derivative(s));
            slope = step.derivative(&s);
            along = direction(&s);
            sum = sum + s[3] * along.forward();
        }
        let path = (0.5 * h) * sum + (h * h / 12.0) * (at_start - acceleration(&s, &slope, along));
        let pose = Pose2::new(state.pose.x + path.x, state.pose.y + path.y, s[0]);
        let acceleration = if is_imposed { 0.0 } else { (s[3] - state.speed) / dt };
        state = SingleTrackState { pose, yaw_rate: s[1], sideslip: s[2], speed: s[3] };
        if input.speed == 0.0 && state.speed.abs() < AT_REST {
            state.speed = 0.0;
            if state.yaw_rate.abs() < AT_REST {
                state.yaw_rate = 0.0;
            }
        }
        (state, step.forces(&state, acceleration))
    }

    /// The forces in a state, with path acceleration `acceleration` [m/s²].
    pub fn forces(&self, state: &SingleTrackState, input: &SingleTrackInput, acceleration: f64) -> AxleForces {
        self.prepare(state, input, (1.0, self.parameters.substep)).forces(state, acceleration)
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

    /// Forces [N] against the lateral motion of the front and the rear axle, whose wheels move with `velocity_in_wheel` [m/s]; `most`
    /// [N] is μ·N.
    #[inline(always)]
    fn forces_of_axles(&self, velocity_in_wheel: [Vec2; 2], most: [f64; 2]) -> [f64; 2] {
        let angles = || slip_angles(velocity_in_wheel);
        match &self.tyres {
            AxleLaws::Linear(stiffness) => product(*stiffness, angles()),
            AxleLaws::ByLoad(slope) => product(product(most, *slope), angles()),
            AxleLaws::Grip(per_velocity) => {
                [0, 1].map(|axle| within(per_velocity[axle] * velocity_in_wheel[axle].y, most[axle]))
            }
            AxleLaws::Curved(curves) => {
                let angles = angles();
                [0, 1].map(|axle| curved_force(&curves[axle], angles[axle], most[axle]))
            }
        }
    }

    /// The part of the slope of the front and the rear axle at zero slip [N/rad] that applies at every speed; `most` [N] is μ·N.
    fn stiffness(&self, most: [f64; 2]) -> [f64; 2] {
        match &self.tyres {
            AxleLaws::Grip(_) => [0.0; 2],
            AxleLaws::ByLoad(slope) => product(most, *slope),
            AxleLaws::Linear(stiffness) => *stiffness,
            AxleLaws::Curved(curves) => [0, 1].map(|axle| match &curves[axle] {
                SlipCurve::Magic(formula) => most[axle] * formula.stiffness(),
                curve => curve.stiffness(),
            }),
        }
    }

    fn prepare<'a>(&'a self, state: &SingleTrackState, input: &'a SingleTrackInput, (dt, h): (f64, f64)) -> Step<'a> {
        let p = &self.parameters;
        let (a, b) = (p.cog_to_front, p.cog_to_rear);
        let steer = Rot2::new(input.steering_angle);
        let loads = self.loads(0.0, 0.0, input.gravity_into_ground);
        let most = [0, 1].map(|axle| input.mu[axle] * loads[axle]);
        let [cf, cr] = self.stiffness(most);
        let transfer = p.mass * p.cog_height / (a + b);
        let stiffness = (cf + cr) / p.mass + (a * a * cf + b * b * cr) / p.yaw_inertia;
        let least = h * stiffness;
        let low = p.blend_speeds[0].max(least);
        let high = if low > p.blend_speeds[0] { p.blend_speeds[1].max(2.0 * low) } else { p.blend_speeds[1] };
        let mut step = Step {
            model: self,
            input,
            steer,
            sideslip: state.sideslip,
            along: Rot2::new(state.sideslip),
            kinematic: OnceCell::new(),
            most,
            transfer: [-transfer * input.mu[0], transfer * input.mu[1]],
            blend: [low, high],
            relaxation: RELAXATION.max(2.0 * h),
            lag: None,
            acceleration: 0.0,
        };
        if p.max_acceleration > 0.0 {
            let most = p.max_acceleration.min((most[0] + most[1]) / p.mass);
            if p.speed_lag > 0.0 {
                step.lag = Some((p.speed_lag.max(2.0 * h), most));
            } else {
                let pull = input.gravity_in_body.dot(step.along.forward());
                step.acceleration = within((input.speed - state.speed) / dt - pull, most) + pull;
            }
        }
        step
    }
}

/// Acceleration [m/s²] of a point on a path, from ψ, r, β and v, their time derivatives, and the direction of the path.
#[inline]
fn acceleration(s: &[f64; 4], slope: &[f64; 4], along: Rot2) -> Vec2 {
    along * Vec2::new(slope[3], s[3] * (slope[0] + slope[2]))
}

/// Slip angles [rad] of the front and the rear axle: from the wheel's plane to its velocity.
#[inline(always)]
fn slip_angles([front, rear]: [Vec2; 2]) -> [f64; 2] {
    let is_large = |velocity: Vec2| velocity.y.abs() > 0.125 * velocity.x.abs() || velocity.x == 0.0;
    if is_large(front) || is_large(rear) {
        return [front, rear].map(|velocity| libm::atan2(velocity.y, velocity.x.abs()));
    }
    // Taylor's series of the arctangent, without a call of the library: the first term left out is below a rounding of the sum.
    let tangent = [front.y / front.x.abs(), rear.y / rear.x.abs()];
    let square = product(tangent, tangent);
    let mut sum = [0.0; 2];
    for odd in [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = [1.0 / odd - square[0] * sum[0], 1.0 / odd - square[1] * sum[1]];
    }
    product(tangent, sum)
}

/// Force [N] of an axle at this slip angle [rad]; `most` [N] is μ·N.
fn curved_force(curve: &SlipCurve, angle: f64, most: f64) -> f64 {
    match curve {
        SlipCurve::Magic(formula) => most * formula.force(angle),
        SlipCurve::Fiala { stiffness, saturates: false } => {
            curve.force(within(angle, libm::atan(6.0 * most / stiffness)), most)
        }
        _ => curve.force(angle, most),
    }
}

/// Products of the values of both axles.
#[inline(always)]
fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0], a[1] * b[1]]
}

impl Step<'_> {
    /// Weight from 0, kinematic, to 1, dynamic [-].
    #[inline]
    fn dynamic_weight(&self, speed: f64) -> f64 {
        let [low, high] = self.blend;
        if speed.abs() >= high {
            return 1.0;
        }
        let share = (speed.abs() - low) / (high - low);
        if share <= 0.0 { 0.0 } else { share * share * (3.0 - 2.0 * share) }
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

    /// The forces in a state, with path acceleration `acceleration` [m/s²].
    fn forces(&self, state: &SingleTrackState, acceleration: f64) -> AxleForces {
        let (model, input) = (self.model, self.input);
        let along = self.along.turned(state.sideslip - self.sideslip);
        let load = model.loads(acceleration, input.gravity_in_body.x, input.gravity_into_ground);
        let velocity = self.wheel_velocities(state.speed, state.yaw_rate, along);
        let weight = self.dynamic_weight(state.speed);
        let slip_angle = if weight > 0.0 { slip_angles(velocity) } else { [0.0; 2] };
        let lateral = model.forces_of_axles(velocity, product(input.mu, load)).map(|force| -weight * force);
        let gravity_along = input.gravity_in_body.dot(along.forward());
        // The drive compensates the braking component of the steered front tyre's force.
        let cornering = lateral[0] * (self.steer.sin * along.cos - self.steer.cos * along.sin) - lateral[1] * along.sin;
        AxleForces {
            slip_angle,
            lateral,
            load,
            drive: model.parameters.mass * (acceleration - gravity_along) + cornering,
        }
    }

    /// β of the kinematic bicycle [rad], and its r/v [1/m].
    fn kinematic(&self) -> (f64, f64) {
        *self.kinematic.get_or_init(|| {
            let (a, b) = (self.model.parameters.cog_to_front, self.model.parameters.cog_to_rear);
            let tangent = self.steer.sin / self.steer.cos;
            let slope = b * tangent / (a + b);
            (libm::atan(slope), tangent / ((1.0 + slope * slope).sqrt() * (a + b)))
        })
    }

    /// Time derivative of ψ, r, β, v.
    #[inline]
    fn derivative(&self, s: &[f64; 4]) -> [f64; 4] {
        let &[_, yaw_rate, sideslip, speed] = s;
        let (p, input) = (&self.model.parameters, self.input);
        let along = self.along.turned(sideslip - self.sideslip);
        let gravity = input.gravity_in_body;
        let acceleration = match self.lag {
            Some((lag, most)) => {
                let pull = gravity.dot(along.forward());
                within((input.speed - speed) / lag - pull, most) + pull
            }
            None => self.acceleration,
        };
        let weight = self.dynamic_weight(speed);
        let (mut yaw_acceleration, mut sideslip_rate) = (0.0, 0.0);
        if weight > 0.0 {
            let velocity = self.wheel_velocities(speed, yaw_rate, along);
            let felt = acceleration - gravity.x;
            let most = [0, 1].map(|axle| (self.most[axle] + self.transfer[axle] * felt).max(0.0));
            let [front, rear] = self.model.forces_of_axles(velocity, most);
            let cos_front = self.steer.cos * along.cos + self.steer.sin * along.sin;
            let across = gravity.y * along.cos - gravity.x * along.sin;
            sideslip_rate = (across - (front * cos_front + rear * along.cos) / p.mass) / speed - yaw_rate;
            yaw_acceleration = (p.cog_to_rear * rear - p.cog_to_front * front * self.steer.cos) / p.yaw_inertia;
        }
        if weight < 1.0 {
            let (kinematic_sideslip, turn) = self.kinematic();
            let kinematic_weight = 1.0 - weight;
            let rate = 1.0 / self.relaxation;
            yaw_acceleration =
                weight * yaw_acceleration + kinematic_weight * (acceleration * turn + rate * (speed * turn - yaw_rate));
            sideslip_rate = weight * sideslip_rate + kinematic_weight * rate * (kinematic_sideslip - sideslip);
        }
        [yaw_rate, yaw_acceleration, sideslip_rate, acceleration]
    }
}

#[cfg(test)]
mod grip_tests;
#[cfg(test)]
mod tests;
