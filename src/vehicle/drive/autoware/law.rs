//! The vehicle models of Autoware's `simple_planning_simulator`: kinematic bicycles about the rear axle behind dead times, lags and limits.
//!
//! Source: its manual and the published code of its models (autowarefoundation/autoware_universe, `simulator/autoware_simple_planning_simulator`,
//! 2025-12; that without fall guard as of tier4/autoware_universe, 2026-06). All have ẋ = v·cos ψ, ẏ = v·sin ψ, ψ̇ = v·tan δ/L. D_t is a dead time
//! of t, sat a limit, dz(e) the excess of e beyond the dead band:
//!
//! | model | v | δ |
//! |---|---|---|
//! | `IDEAL_STEER_VEL` | the commanded speed | the commanded angle |
//! | `IDEAL_STEER_ACC` | v̇ = a* | the commanded angle |
//! | `DELAY_STEER_VEL` | v̇ = sat((sat(D v*) − v)/τ_v) | δ̇ = −sat(dz(δ + bias − sat(D δ*))/τ_δ) |
//! | `DELAY_STEER_ACC` | v̇ = sat(a), ȧ = (sat(D a*) − sat(a))/τ_a, \|v\| ≤ limit | the same |
//! | `DELAY_STEER_MAP_ACC_GEARED` | ȧ = (M(sat(D a*), v) − sat(a))/τ_a with a [map](super::command_map) M | the same without dead band |
//!
//! `…_GEARED`: a step that would turn the vehicle against its gear, or move it out of gear, ends where it began, at rest. Without fall guard a is
//! what the pedals ask for, in the direction of the gear; the brake opposes the motion, and holds up to the acceleration of the slope; a vehicle that
//! it does not hold rolls back.
//!
//! A step is one of the classical rule of Runge and Kutta (without fall guard: of Euler), in which the servo of the steering turns at the rate of its
//! beginning. Dead times are counted in whole steps, the nearest number, and nothing is under way at the start. In steps of 25 ms the numbers are
//! thus those of Autoware with its timer at 40 Hz; in shorter ones they converge to the equations above.
//!
//! Chosen otherwise than there: a brake does not drive the models without gears through zero, but ends at a standstill; a dead time is emptied where
//! the vehicle is placed anew.

use std::collections::VecDeque;

use skidpad_math::{Pose2, Twist2};

use super::command_map::CommandMap;
use crate::command::GearLever;
use crate::integrate::Integrator;

/// Smallest time constant [s].
pub const MIN_TIME_CONSTANT: f64 = 0.03;

/// How the speed follows the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// It is that of the command.
    Commanded,
    /// A lag towards the commanded speed.
    Lagging,
    /// Its rate is the commanded acceleration.
    Accelerated,
    /// Its rate is a lag towards the commanded acceleration.
    LaggingAcceleration,
    /// The same by pedals on a slope.
    Pedals,
}

/// What a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutowareModel {
    /// How the speed follows the commands.
    pub speed: Speed,
    /// Whether the steering lags and has limits.
    pub has_servo: bool,
    /// Whether it stands rather than move against its gear.
    pub has_guard: bool,
    /// Whether a map tells the accelerations that commands lead to.
    pub has_map: bool,
}

impl AutowareModel {
    /// `IDEAL_STEER_VEL`
    pub const IDEAL_STEER_VEL: AutowareModel = AutowareModel::of(Speed::Commanded, false, false);
    /// `IDEAL_STEER_ACC`
    pub const IDEAL_STEER_ACC: AutowareModel = AutowareModel::of(Speed::Accelerated, false, false);
    /// `IDEAL_STEER_ACC_GEARED`
    pub const IDEAL_STEER_ACC_GEARED: AutowareModel = AutowareModel::of(Speed::Accelerated, false, true);
    /// `DELAY_STEER_VEL`
    pub const DELAY_STEER_VEL: AutowareModel = AutowareModel::of(Speed::Lagging, true, false);
    /// `DELAY_STEER_ACC`
    pub const DELAY_STEER_ACC: AutowareModel = AutowareModel::of(Speed::LaggingAcceleration, true, false);
    /// `DELAY_STEER_ACC_GEARED`
    pub const DELAY_STEER_ACC_GEARED: AutowareModel = AutowareModel::of(Speed::LaggingAcceleration, true, true);
    /// `DELAY_STEER_MAP_ACC_GEARED`
    pub const DELAY_STEER_MAP_ACC_GEARED: AutowareModel =
        AutowareModel { has_map: true, ..AutowareModel::DELAY_STEER_ACC_GEARED };
    /// `DELAY_STEER_ACC_GEARED_WO_FALL_GUARD`
    pub const DELAY_STEER_ACC_GEARED_WO_FALL_GUARD: AutowareModel = AutowareModel::of(Speed::Pedals, true, false);

    /// All by their `vehicle_model_type`.
    pub const NAMES: [(&'static str, AutowareModel); 8] = [
        ("IDEAL_STEER_VEL", AutowareModel::IDEAL_STEER_VEL),
        ("IDEAL_STEER_ACC", AutowareModel::IDEAL_STEER_ACC),
        ("IDEAL_STEER_ACC_GEARED", AutowareModel::IDEAL_STEER_ACC_GEARED),
        ("DELAY_STEER_VEL", AutowareModel::DELAY_STEER_VEL),
        ("DELAY_STEER_ACC", AutowareModel::DELAY_STEER_ACC),
        ("DELAY_STEER_ACC_GEARED", AutowareModel::DELAY_STEER_ACC_GEARED),
        ("DELAY_STEER_MAP_ACC_GEARED", AutowareModel::DELAY_STEER_MAP_ACC_GEARED),
        ("DELAY_STEER_ACC_GEARED_WO_FALL_GUARD", AutowareModel::DELAY_STEER_ACC_GEARED_WO_FALL_GUARD),
    ];

    const fn of(speed: Speed, has_servo: bool, has_guard: bool) -> AutowareModel {
        AutowareModel { speed, has_servo, has_guard, has_map: false }
    }

    /// Whether it takes a speed, rather than an acceleration.
    pub fn takes_speed(self) -> bool {
        matches!(self.speed, Speed::Commanded | Speed::Lagging)
    }
}

/// Parameters of all models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// L [m], > 0.
    pub wheelbase: f64,
    /// Largest speed [m/s], > 0.
    pub speed_limit: f64,
    /// Largest acceleration, commanded or not [m/s²], > 0.
    pub acceleration_limit: f64,
    /// Largest steering angle [rad], > 0.
    pub steering_limit: f64,
    /// Largest steering rate [rad/s], > 0.
    pub steering_rate_limit: f64,
    /// Dead time of the speed or the acceleration, whichever is commanded [s], ≥ 0.
    pub delay: f64,
    /// Its time constant [s], ≥ [`MIN_TIME_CONSTANT`].
    pub time_constant: f64,
    /// Dead time of the steering [s], ≥ 0.
    pub steering_delay: f64,
    /// Its time constant [s], ≥ [`MIN_TIME_CONSTANT`].
    pub steering_time_constant: f64,
    /// Error of the measured steering angle up to which the servo rests [rad], ≥ 0.
    pub steering_dead_band: f64,
    /// Measured less true steering angle [rad].
    pub steering_bias: f64,
}

/// Commands of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// Speed [m/s], backwards negative.
    pub speed: f64,
    /// Acceleration by the throttle [m/s²], ≥ 0, in the direction of the gear.
    pub throttle: f64,
    /// Deceleration by the brake [m/s²], ≥ 0.
    pub brake: f64,
    /// The gear lever.
    pub gear: GearLever,
    /// Acceleration by gravity [m/s²], forward positive.
    pub slope: f64,
    /// Steering angle [rad], positive to the left.
    pub steering_angle: f64,
}

impl Input {
    /// 1 forwards, −1 backwards, 0 out of gear.
    fn direction(&self) -> f64 {
        match self.gear {
            GearLever::Drive => 1.0,
            GearLever::Neutral => 0.0,
            GearLever::Reverse => -1.0,
        }
    }
}

/// A dead time, in whole steps.
#[derive(Clone, Debug, Default, PartialEq)]
struct DeadTime {
    /// The oldest first; one for each step.
    under_way: VecDeque<f64>,
}

impl DeadTime {
    /// The value of `delay` [s] ago.
    fn pass(&mut self, value: f64, delay: f64, dt: f64) -> f64 {
        let steps = libm::round(delay / dt) as usize;
        if self.under_way.len() != steps {
            self.under_way.resize(steps, 0.0);
        }
        self.under_way.push_back(value);
        self.under_way.pop_front().unwrap_or(value)
    }

    fn empty(&mut self) {
        self.under_way.iter_mut().for_each(|value| *value = 0.0);
    }
}

/// A vehicle of one of the models.
#[derive(Clone, Debug, PartialEq)]
pub struct AutowareVehicle {
    model: AutowareModel,
    parameters: Parameters,
    /// Accelerations [m/s²] by the commanded one [m/s²] and the speed [m/s], both positive along the vehicle.
    map: Option<CommandMap>,
    /// v [m/s].
    speed: f64,
    /// δ [rad], without the bias.
    steering_angle: f64,
    /// a [m/s²]; without fall guard, that of the pedals.
    acceleration: f64,
    /// Speeds [m/s] or accelerations [m/s²] under way.
    motion_under_way: DeadTime,
    /// Steering angles under way [rad].
    steering_under_way: DeadTime,
}

/// x, y [m], heading [rad], speed [m/s], steering angle [rad], acceleration [m/s²].
type State = [f64; 6];

impl AutowareVehicle {
    /// At rest, straight ahead; without a map, accelerations are those of the commands.
    pub fn new(model: AutowareModel, parameters: Parameters) -> AutowareVehicle {
        AutowareVehicle {
            model,
            parameters,
            map: None,
            speed: 0.0,
            steering_angle: 0.0,
            acceleration: 0.0,
            motion_under_way: DeadTime::default(),
            steering_under_way: DeadTime::default(),
        }
    }

    /// The same whose commands lead to the accelerations of a map [m/s²], by the commanded one [m/s²] and the speed [m/s] along the vehicle.
    pub fn with_map(self, map: CommandMap) -> AutowareVehicle {
        AutowareVehicle { map: Some(map), ..self }
    }

    /// Its parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// True steering angle [rad].
    pub fn steering_angle(&self) -> f64 {
        self.steering_angle
    }

    /// Velocity of the centre of the rear axle in the body frame [m/s, rad/s].
    pub fn velocity(&self) -> Twist2 {
        Twist2::new(self.speed, 0.0, self.speed * libm::tan(self.steering_angle) / self.parameters.wheelbase)
    }

    /// Goes on at this speed [m/s].
    pub fn set_speed(&mut self, speed: f64) {
        self.speed = speed;
    }

    /// Goes on at this speed [m/s] without acceleration, with nothing under way.
    pub fn start_at(&mut self, speed: f64) {
        (self.speed, self.acceleration) = (speed, 0.0);
        self.motion_under_way.empty();
        self.steering_under_way.empty();
    }

    /// Sets the steering angle to 0.
    pub fn straighten(&mut self) {
        self.steering_angle = 0.0;
    }

    /// Back to rest, straight ahead.
    pub fn reset(&mut self) {
        self.start_at(0.0);
        self.straighten();
    }

    /// What is asked for now: a speed [m/s], or an acceleration [m/s²].
    fn wanted(&self, input: &Input) -> f64 {
        let Input { throttle, brake, slope, .. } = *input;
        match self.model.speed {
            Speed::Commanded | Speed::Lagging => input.speed,
            Speed::Pedals => throttle - brake,
            // What is asked for out of gear is under way when a gear is engaged.
            _ if self.model.has_guard => {
                let along = if input.gear == GearLever::Reverse { -1.0 } else { 1.0 };
                along * (throttle - brake) + slope
            }
            _ => input.direction() * throttle - brake * signum(self.speed) + slope,
        }
    }

    /// Moves for `dt` [s], > 0. The pose after it relative to the one before [m, rad].
    pub fn advance(&mut self, input: &Input, dt: f64) -> Pose2 {
        let Parameters { delay, steering_delay, steering_limit, speed_limit, .. } = self.parameters;
        let wanted = self.wanted(input);
        let (wanted, steering_rate) = if self.model.has_servo {
            let wanted = self.motion_under_way.pass(wanted, delay, dt);
            let angle = self.steering_under_way.pass(input.steering_angle, steering_delay, dt);
            (wanted, self.steering_rate(angle.clamp(-steering_limit, steering_limit)))
        } else {
            self.steering_angle = input.steering_angle;
            (wanted, 0.0)
        };
        if self.model.speed == Speed::Commanded {
            self.speed = wanted;
        }
        let before = self.speed;
        let integrator = if self.model.speed == Speed::Pedals { Integrator::Euler } else { Integrator::Rk4 };
        let start = [0.0, 0.0, 0.0, before, self.steering_angle, self.acceleration];
        let [x, y, yaw, mut speed, steering_angle, acceleration] =
            integrator.step(start, dt, |state| self.rates(state, input, wanted, steering_rate));
        (self.steering_angle, self.acceleration) = (steering_angle, acceleration);
        if matches!(self.model.speed, Speed::LaggingAcceleration | Speed::Pedals) {
            speed = speed.clamp(-speed_limit, speed_limit);
        }
        let is_held = self.model.speed == Speed::Pedals && before * speed <= 0.0 && -acceleration >= input.slope.abs();
        self.speed = if is_held { 0.0 } else { speed };
        if self.has_to_stand(input, before) {
            (self.speed, self.acceleration) = (0.0, (0.0 - before) / dt);
            return Pose2::IDENTITY;
        }
        Pose2::new(x, y, yaw)
    }

    /// Whether the step from the speed `before` [m/s] is one that the gear, or the brake, does not allow.
    fn has_to_stand(&self, input: &Input, before: f64) -> bool {
        if self.model.has_guard {
            return match input.gear {
                GearLever::Drive => self.speed < 0.0,
                GearLever::Reverse => self.speed > 0.0,
                GearLever::Neutral => true,
            };
        }
        let brakes = input.brake > input.throttle;
        matches!(self.model.speed, Speed::Accelerated | Speed::LaggingAcceleration)
            && brakes
            && before * self.speed <= 0.0
    }

    /// Rate [rad/s] of the steering towards `wanted` [rad].
    fn steering_rate(&self, wanted: f64) -> f64 {
        let Parameters { steering_dead_band: band, steering_rate_limit: most, .. } = self.parameters;
        let error = self.steering_angle + self.parameters.steering_bias - wanted;
        let excess = error - error.clamp(-band, band);
        (-excess / self.parameters.steering_time_constant).clamp(-most, most)
    }

    /// Time derivative of the state.
    fn rates(&self, state: &State, input: &Input, wanted: f64, steering_rate: f64) -> State {
        let &[_, _, yaw, speed, angle, acceleration] = state;
        let Parameters { wheelbase, speed_limit, acceleration_limit, steering_limit, time_constant, .. } =
            self.parameters;
        let limited = |value: f64, limit: f64| value.clamp(-limit, limit);
        let felt = limited(acceleration, acceleration_limit);
        let moving = limited(speed, speed_limit);
        let requested = limited(wanted, acceleration_limit);
        let led_to = self.map.as_ref().map_or(requested, |map| map.value(requested, moving));
        let lag = (led_to - felt) / time_constant;
        let (v, speed_rate, acceleration_rate) = match self.model.speed {
            Speed::Commanded => (speed, 0.0, 0.0),
            Speed::Accelerated => (speed, wanted, 0.0),
            Speed::Lagging => {
                let rate = (limited(wanted, speed_limit) - moving) / time_constant;
                (moving, limited(rate, acceleration_limit), 0.0)
            }
            Speed::LaggingAcceleration => (moving, felt, lag),
            Speed::Pedals => (moving, by_pedals(felt, moving, input), lag),
        };
        // Of the models with a servo only this one limits the angle itself, which a bias leads beyond that of the commands.
        let turned = if self.model.speed == Speed::Lagging { limited(angle, steering_limit) } else { angle };
        let (sin, cos) = libm::sincos(yaw);
        [v * cos, v * sin, v * libm::tan(turned) / wheelbase, speed_rate, steering_rate, acceleration_rate]
    }
}

/// v̇ [m/s²] at the speed `v` [m/s] under the acceleration `pedals` [m/s²] of throttle (positive) or brake.
fn by_pedals(pedals: f64, v: f64, input: &Input) -> f64 {
    if pedals >= 0.0 {
        return input.direction() * pedals + input.slope;
    }
    if v == 0.0 && -pedals >= input.slope.abs() {
        return 0.0;
    }
    signum(v) * pedals + input.slope
}

/// −1, 0 or 1.
fn signum(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.signum() }
}

#[cfg(test)]
#[path = "law_tests.rs"]
mod tests;
