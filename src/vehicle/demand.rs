//! How far commands exceed the limits of a vehicle, and counts of such commands.
//!
//! A command is *saturated* when one of its numbers exceeds a limit of the vehicle, so that it is carried out only in
//! part: a steering angle beyond the lock, or a speed for which wheels would have to spin faster than they can. It is
//! *infeasible* when no wheel angle produces the motion: a turn tighter than the minimum turning circle (l·|ω| >
//! |v|·tan δ_max where wheels steer), turning on the spot with steered wheels, or moving sideways. Torque and grip are
//! not treated as limits here: their effect depends on the state, not on the command alone.

use skidpad_math::Twist2;
use skidpad_math::time::SimTime;

use super::controller::Order;
use super::drive::Steering;

/// Ratio of a command to the limits [-]; up to 1 it is feasible, infinity means infeasible at any limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Ratio for the number that is furthest beyond its limit.
    pub saturation: f64,
    /// Ratio for the curvature of the path; infinite for motions that are not pure rolling.
    pub infeasibility: f64,
}

/// Limits of the commands of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Geometry of the steered axle, if there is one.
    pub steering: Option<Steering>,
    /// Largest equivalent steering angle of the actuator [rad]; infinite: only the geometry limits it.
    pub actuator_angle: f64,
    /// Whether the vehicle can move along its y axis.
    pub moves_sideways: bool,
}

/// Tolerance, so that single-precision numbers equal to a limit do not exceed it.
const TOLERANCE: f64 = 1e-6;

impl Limits {
    /// Demand of an order; `speed_demand` gives the share of the possible speed that a motion of the reference point takes [-].
    pub fn demand(&self, order: &Order, speed_demand: impl Fn(Twist2) -> f64) -> Demand {
        let lock = self.steering.map_or(f64::INFINITY, |steering| steering.max_angle.min(self.actuator_angle));
        match *order {
            Order::Twist(twist) => {
                Demand { saturation: speed_demand(twist), infeasibility: self.infeasibility(twist, lock) }
            }
            Order::Ackermann { speed, steering_angle } | Order::Steered { speed, steering_angle } => {
                let angle = steering_angle.clamp(-lock, lock);
                let wz = self.steering.map_or(0.0, |steering| steering.yaw_rate(speed, angle));
                let of_speed = speed_demand(Twist2::new(speed, 0.0, wz));
                Demand { saturation: of_speed.max(steering_angle.abs() / lock), infeasibility: 0.0 }
            }
            Order::Pedals { steering_angle, .. } => {
                Demand { saturation: steering_angle.abs() / lock, infeasibility: 0.0 }
            }
            Order::Wheels(targets) => {
                let most = targets.hinge.into_iter().flatten().fold(0.0, |most: f64, angle| most.max(angle.abs()));
                Demand { saturation: most / lock, infeasibility: 0.0 }
            }
        }
    }

    fn infeasibility(&self, twist: Twist2, lock: f64) -> f64 {
        if twist.vy != 0.0 && !self.moves_sideways {
            return f64::INFINITY;
        }
        let Some(steering) = self.steering.filter(|_| twist.wz != 0.0 && lock < 0.5 * std::f64::consts::PI) else {
            return 0.0;
        };
        steering.share_of_curvature(twist.vx, twist.wz, lock)
    }
}

/// Counts of a vehicle's commands since the start or the last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandCounts {
    /// Commands taken.
    pub taken: u64,
    /// Simulated time of the last command [ns]; none: no command yet.
    pub last: Option<SimTime>,
    /// Number of commands with a number beyond a limit.
    pub saturated: u64,
    /// Largest ratio of a commanded number to its limit [-].
    pub worst_saturation: f64,
    /// Number of commands that no wheel angle can carry out.
    pub infeasible: u64,
    /// Largest ratio of a commanded curvature to the largest possible one [-]; infinite: turning on the spot, or moving sideways.
    pub worst_infeasibility: f64,
    /// How often the command timeout stopped a moving vehicle.
    pub timeouts: u64,
    /// Whether the last command is older than the command timeout.
    pub silent: bool,
    /// Whether the vehicle was commanded to move when the timeout acted.
    pub cut_off: bool,
}

impl CommandCounts {
    /// Counts a command taken at simulated time `now` [ns].
    #[inline]
    pub fn take(&mut self, now: SimTime, demand: Demand) {
        self.taken += 1;
        self.last = Some(now);
        (self.silent, self.cut_off) = (false, false);
        if demand.saturation > 1.0 + TOLERANCE {
            self.saturated += 1;
            self.worst_saturation = self.worst_saturation.max(demand.saturation);
        }
        if demand.infeasibility > 1.0 + TOLERANCE {
            self.infeasible += 1;
            self.worst_infeasibility = self.worst_infeasibility.max(demand.infeasibility);
        }
    }

    /// Counts a command timeout; `moving`: the vehicle was commanded to move rather than to stand.
    pub fn fall_silent(&mut self, moving: bool) {
        (self.silent, self.cut_off) = (true, moving);
        self.timeouts += u64::from(moving);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pedals, WheelTargets};

    const CAR: Limits = Limits {
        steering: Some(Steering {
            wheelbase: 0.325,
            track: 0.2,
            max_angle: 0.4,
            parallel: false,
            parallel_in_file: false,
            hinge: None,
        }),
        actuator_angle: f64::INFINITY,
        moves_sideways: false,
    };
    const ROBOT: Limits = Limits { steering: None, ..CAR };

    fn twist(vx: f64, vy: f64, wz: f64) -> Order {
        Order::Twist(Twist2::new(vx, vy, wz))
    }

    fn infeasibility(limits: &Limits, order: Order) -> f64 {
        limits.demand(&order, |_| 0.0).infeasibility
    }

    /// R_min = l / tan δ_max.
    #[test]
    fn the_minimum_turning_circle_bounds_the_turns_of_a_car() {
        let radius = 0.325 / 0.4_f64.tan();
        for speed in [-3.0, 0.2, 10.0] {
            assert!((infeasibility(&CAR, twist(speed, 0.0, speed / radius)) - 1.0).abs() < 1e-12);
            assert!((infeasibility(&CAR, twist(speed, 0.0, -3.68 * speed / radius)) - 3.68).abs() < 1e-12);
        }
        assert_eq!(infeasibility(&CAR, twist(1.0, 0.0, 0.0)), 0.0);
        assert_eq!(infeasibility(&CAR, twist(0.0, 0.0, 0.0)), 0.0);
        assert_eq!(infeasibility(&CAR, twist(0.0, 0.0, 0.1)), f64::INFINITY);
        assert_eq!(infeasibility(&ROBOT, twist(0.0, 0.0, 0.1)), 0.0);
    }

    #[test]
    fn an_actuator_limit_widens_the_turning_circle() {
        let limits = Limits { actuator_angle: 0.2, ..CAR };
        let ratio = infeasibility(&limits, twist(1.0, 0.0, 0.4_f64.tan() / 0.325));
        assert!((ratio - 0.4_f64.tan() / 0.2_f64.tan()).abs() < 1e-12, "{ratio}");
        let angle = limits.demand(&Order::Ackermann { speed: 1.0, steering_angle: 0.4 }, |_| 0.0);
        assert_eq!(angle, Demand { saturation: 2.0, infeasibility: 0.0 });
    }

    #[test]
    fn wheels_do_not_roll_sideways() {
        assert_eq!(infeasibility(&ROBOT, twist(1.0, 0.1, 0.0)), f64::INFINITY);
        assert_eq!(infeasibility(&Limits { moves_sideways: true, ..ROBOT }, twist(1.0, 0.1, 0.0)), 0.0);
    }

    #[test]
    fn every_kind_of_order_has_its_limits() {
        let saturation = |order: Order| CAR.demand(&order, |twist| twist.vx.abs() / 5.0).saturation;
        assert_eq!(saturation(twist(-10.0, 0.0, 0.0)), 2.0);
        assert_eq!(saturation(Order::Ackermann { speed: 1.0, steering_angle: -0.8 }), 2.0);
        assert_eq!(saturation(Order::Ackermann { speed: 20.0, steering_angle: 0.1 }), 4.0);
        assert_eq!(saturation(Order::Pedals { pedals: Pedals::default(), steering_angle: 1.2 }), 1.2 / 0.4);
        let hinge = [None, Some(-0.6)];
        assert_eq!(saturation(Order::Wheels(WheelTargets { hinge, ..WheelTargets::default() })), 0.6 / 0.4);
    }

    #[test]
    fn counts_keep_the_worst_and_tolerate_single_precision() {
        let mut counts = CommandCounts::default();
        let lock = f64::from(0.4_f32);
        counts.take(SimTime(1), CAR.demand(&Order::Ackermann { speed: 1.0, steering_angle: lock }, |_| 0.0));
        assert_eq!((counts.taken, counts.saturated), (1, 0));
        for saturation in [3.0, 2.0, 0.5] {
            counts.take(SimTime(2), Demand { saturation, infeasibility: 0.0 });
        }
        assert_eq!((counts.taken, counts.saturated, counts.worst_saturation), (4, 2, 3.0));
        counts.fall_silent(true);
        counts.fall_silent(false);
        assert_eq!((counts.timeouts, counts.silent, counts.cut_off), (1, true, false));
        counts.take(SimTime(9), Demand { saturation: 0.0, infeasibility: f64::INFINITY });
        assert_eq!((counts.silent, counts.infeasible, counts.last), (false, 1, Some(SimTime(9))));
    }
}
