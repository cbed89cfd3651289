//! A speed PID for each side of a differential or tracked drive, `<controller class="twist_pid">`.
//!
//! With the track w = y_left − y_right, commanded v and ω give set-points v ∓ ω·w/2 for the left and right side; the measured side
//! speeds come from the axle speeds by the same formula (MVSim's manual: B. Tymchenko, "Multiple Vehicle Simulator", 2020, §4.4.2).
//!
//! ```xml
//! <controller class="twist_pid">
//!   <KP>10</KP> <KI>0</KI> <KD>0</KD> <N>0</N> <max_torque>100</max_torque> …   see the PID
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <W>0</W>      set-point at the start [m/s], [deg/s]
//!   <max_speed>…</max_speed> <max_yaw_rate>…</max_yaw_rate>                  of what is asked for [m/s], [deg/s], > 0; absent: none
//!   <max_acceleration>…</max_acceleration>                                 of the set-point [m/s²], > 0; absent: none
//!   <max_yaw_acceleration>…</max_yaw_acceleration>                         of the set-point [deg/s²], > 0; absent: none
//! </controller>
//! ```
//! The limits are those of common robot drivers, such as Gazebo's diff_drive: v and ω are each clamped, and then approached at a
//! limited rate. They are skidpad's own.

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::{Actuation, ControlInput, Controller, Order, Pid, PidParameters, Steering, StopThresholds};
use crate::Wheel;
use crate::drive::velocity_from_axle;
use crate::{Accepts, Setpoint};

/// One PID per side.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferentialPid {
    pids: [Pid; 2],
    thresholds: StopThresholds,
    start: Twist2,
    limits: TwistLimits,
    /// Whether a motor turns a track, rather than each wheel of a side getting the torque of its motor.
    on_tracks: bool,
    /// Target of the set-point.
    target: Twist2,
    setpoint: Twist2,
}

/// Limits of v [m/s] and ω [rad/s], and of their rates of change [m/s², rad/s²].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistLimits {
    /// Limits of the velocity.
    pub velocity: [f64; 2],
    /// Limits of its rate of change.
    pub acceleration: [f64; 2],
}

impl TwistLimits {
    /// No limit.
    pub const NONE: TwistLimits = TwistLimits { velocity: [f64::INFINITY; 2], acceleration: [f64::INFINITY; 2] };

    /// Whether they bound how fast a set-point changes.
    pub(super) fn limit_rates(&self) -> bool {
        self.acceleration != TwistLimits::NONE.acceleration
    }

    pub(super) fn read(reader: &Reader<'_>) -> TwistLimits {
        let none = f64::INFINITY;
        let along = |name: &str| reader.optional_f64(name, Accept::positive()).unwrap_or(none);
        let about = |name: &str| reader.optional_f64(name, Accept::positive()).map_or(none, f64::to_radians);
        TwistLimits {
            velocity: [along("max_speed"), about("max_yaw_rate")],
            acceleration: [along("max_acceleration"), about("max_yaw_acceleration")],
        }
    }

    pub(super) fn cut(&self, wanted: Twist2) -> Twist2 {
        let [v, w] = self.velocity;
        Twist2::new(wanted.vx.clamp(-v, v), 0.0, wanted.wz.clamp(-w, w))
    }

    /// `wanted` within the limits, whichever way it points.
    pub(super) fn cut_in_plane(&self, wanted: Twist2) -> Twist2 {
        let [v, w] = self.velocity;
        let along = shortened(wanted.linear(), v);
        Twist2::new(along.x, along.y, wanted.wz.clamp(-w, w))
    }

    /// The set-point that follows `from` after `dt` [s] on the straight way to the velocity `to`.
    #[inline]
    pub(super) fn approach_in_plane(&self, from: Twist2, to: Twist2, dt: f64) -> Twist2 {
        let [v, w] = self.acceleration;
        let (start, end) = (from.linear(), to.linear());
        let along = if (end - start).norm() <= v * dt { end } else { start + shortened(end - start, v * dt) };
        let turn = if (to.wz - from.wz).abs() <= w * dt { to.wz } else { from.wz + (w * dt).copysign(to.wz - from.wz) };
        Twist2::new(along.x, along.y, turn)
    }

    /// The set-point that follows `from` on the way to `to` after `dt` [s].
    #[inline(always)]
    pub(super) fn approach(&self, from: Twist2, to: Twist2, dt: f64) -> Twist2 {
        let step = |from: f64, to: f64, most: f64| {
            if (to - from).abs() <= most * dt { to } else { from + (most * dt).copysign(to - from) }
        };
        let [v, w] = self.acceleration;
        Twist2::new(step(from.vx, to.vx, v), 0.0, step(from.wz, to.wz, w))
    }
}

impl DifferentialPid {
    /// A controller with the initial set-point `start` (body frame [m/s, rad/s]).
    pub fn new(parameters: PidParameters, thresholds: StopThresholds, start: Twist2) -> DifferentialPid {
        let pids = [Pid::new(parameters), Pid::new(parameters)];
        let limits = TwistLimits::NONE;
        DifferentialPid { pids, thresholds, start, limits, on_tracks: false, target: start, setpoint: start }
    }

    fn aim_at(&mut self, target: Twist2) {
        self.target = target;
        if !self.limits.limit_rates() {
            self.setpoint = target;
        }
    }

    /// Applies these limits.
    pub fn with_limits(self, limits: TwistLimits) -> DifferentialPid {
        DifferentialPid { limits, ..self }
    }
}

/// `vector`, at most `most` long.
#[inline]
fn shortened(vector: Vec2, most: f64) -> Vec2 {
    let length = vector.norm();
    if length <= most { vector } else { (most / length) * vector }
}

/// Speeds of the left and right side [m/s] of a vehicle of this `track` [m].
#[inline]
fn side_speeds(twist: Twist2, track: f64) -> [f64; 2] {
    let half = 0.5 * twist.wz * track;
    [twist.vx - half, twist.vx + half]
}

impl Controller for DifferentialPid {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        if let Order::Twist(twist) = order {
            self.aim_at(self.limits.cut(twist));
        }
    }

    fn speed_demand(&self, velocity_in_body: Twist2, _wheels: &[Wheel]) -> f64 {
        let [v, w] = self.limits.velocity;
        (velocity_in_body.vx.abs() / v).max(velocity_in_body.wz.abs() / w)
    }

    fn start_at(&mut self, velocity_in_body: Twist2) {
        if self.limits.limit_rates() {
            self.setpoint = Twist2 { vy: 0.0, ..velocity_in_body };
        }
    }

    fn stop(&mut self) {
        self.aim_at(Twist2::ZERO);
    }

    fn pids(&self) -> &[Pid] {
        &self.pids
    }

    fn pids_mut(&mut self) -> &mut [Pid] {
        &mut self.pids
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let track = input.wheels[0].parameters.position.y - input.wheels[1].parameters.position.y;
        self.setpoint = self.limits.approach(self.setpoint, self.target, input.dt);
        let wanted = side_speeds(self.setpoint, track);
        let measured = side_speeds(velocity_from_axle(input.wheels), track);
        // A castor is not driven.
        let driven = if self.on_tracks { 2 } else { input.wheels.len() / 2 * 2 };
        self.thresholds.drive(&mut self.pids, wanted, measured, driven, input)
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { velocity_in_body: self.setpoint, steering_angle: 0.0 }
    }

    fn reset(&mut self) {
        self.pids.iter_mut().for_each(Pid::reset);
        (self.target, self.setpoint) = (self.start, self.start);
    }
}

fn read_pid(reader: &Reader<'_>) -> DifferentialPid {
    let parameters = PidParameters::read(reader, PidParameters::new(10.0, 100.0));
    let start = Twist2::new(reader.f64("V", 0.0, Accept::any()), 0.0, reader.degrees("W", 0.0, Accept::any()));
    let limits = TwistLimits::read(reader);
    DifferentialPid::new(parameters, StopThresholds::read(reader), start).with_limits(limits)
}

pub(super) fn read(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    Box::new(read_pid(reader))
}

pub(super) fn read_tracked(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    Box::new(DifferentialPid { on_tracks: true, ..read_pid(reader) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_point_stays_within_the_limits_and_reaches_the_target() {
        let limits = TwistLimits { velocity: [0.46, 1.9], acceleration: [1.0, 2.0] };
        let target = limits.cut(Twist2::new(3.0, 0.0, -0.5));
        assert_eq!(target, Twist2::new(0.46, 0.0, -0.5));
        let mut at = Twist2::ZERO;
        for _ in 0..20 {
            at = limits.approach(at, target, 0.01);
        }
        assert!((at.vx - 0.2).abs() < 1e-12 && (at.wz + 0.4).abs() < 1e-12, "{at:?}");
        for _ in 0..27 {
            at = limits.approach(at, target, 0.01);
        }
        assert_eq!(at, target);
        let pid = DifferentialPid::new(PidParameters::new(1.0, 1.0), StopThresholds::default(), Twist2::ZERO);
        assert_eq!(pid.speed_demand(Twist2::new(9.0, 0.0, 9.0), &[]), 0.0);
        let limited = pid.with_limits(limits);
        assert!((limited.speed_demand(Twist2::new(0.69, 0.0, -3.8), &[]) - 2.0).abs() < 1e-12);
        assert_eq!(TwistLimits::NONE.approach(Twist2::ZERO, target, 1e-9), target);
    }
}
