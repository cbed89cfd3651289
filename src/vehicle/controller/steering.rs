//! Orders to a steered vehicle: velocity and Ackermann commands, converted into each other.

use skidpad_math::Twist2;

use super::{Order, Steering};
use crate::Setpoint;

/// The order in force, as speed and steering angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteeredOrder {
    steering: Steering,
    start: Order,
    /// Speed along the body's x axis [m/s].
    pub speed: f64,
    /// Equivalent steering angle [rad], within the drive's limit.
    pub steering_angle: f64,
    /// Yaw rate [rad/s] of that motion.
    pub yaw_rate: f64,
}

impl SteeredOrder {
    /// Starts with the order `first`.
    pub fn new(steering: Steering, first: Order) -> SteeredOrder {
        let mut order = SteeredOrder { steering, start: first, speed: 0.0, steering_angle: 0.0, yaw_rate: 0.0 };
        order.take(first);
        order
    }

    /// Takes a new order. A velocity is turned into a steering angle ([`SteeredOrder::steered`]), and a steering angle into a
    /// yaw rate, both by [`Steering`].
    pub fn take(&mut self, order: Order) {
        let most = self.steering.max_angle;
        match order {
            Order::Twist(twist) => {
                [self.speed, self.steering_angle] = self.steered(twist);
                self.yaw_rate = twist.wz;
            }
            Order::Ackermann { speed, steering_angle } | Order::Steered { speed, steering_angle } => {
                self.speed = speed;
                self.steering_angle = steering_angle.clamp(-most, most);
                self.yaw_rate = self.steering.yaw_rate(speed, self.steering_angle);
            }
            Order::Pedals { .. } | Order::Wheels(_) => {}
        }
    }

    /// Speed [m/s] and steering angle [rad] of a velocity (body frame [m/s, rad/s]): full lock if it requires turning on the
    /// spot.
    pub fn steered(&self, velocity_in_body: Twist2) -> [f64; 2] {
        let Twist2 { vx, wz, .. } = velocity_in_body;
        let most = self.steering.max_angle;
        let angle = if wz == 0.0 {
            0.0
        } else if vx == 0.0 {
            most.copysign(wz)
        } else {
            self.steering.angle(vx, wz)
        };
        [vx, angle.clamp(-most, most)]
    }

    /// The steering geometry.
    pub fn steering(&self) -> &Steering {
        &self.steering
    }

    /// Steers both wheels by the same angle or not; none: as in the world file.
    pub fn set_parallel(&mut self, parallel: Option<bool>) {
        self.steering.set_parallel(parallel);
    }

    /// Zero speed, steering kept.
    pub fn stop(&mut self) {
        self.speed = 0.0;
        self.yaw_rate = 0.0;
    }

    /// Back to the first order.
    pub fn reset(&mut self) {
        self.take(self.start);
    }

    /// The commanded velocity, in the body frame [m/s, rad/s].
    pub fn twist(&self) -> Twist2 {
        Twist2::new(self.speed, 0.0, self.yaw_rate)
    }

    /// The set-point, for frames.
    pub fn setpoint(&self) -> Setpoint {
        Setpoint { velocity_in_body: self.twist(), steering_angle: self.steering_angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::HingeArms;

    const CAR: Steering =
        Steering { wheelbase: 1.3, track: 2.0, max_angle: 0.5, parallel: false, parallel_in_file: false, hinge: None };

    #[test]
    fn both_kinds_of_order_are_equivalent() {
        let mut order = SteeredOrder::new(CAR, Order::Ackermann { speed: -2.0, steering_angle: 0.3 });
        let twist = order.twist();
        order.take(Order::Twist(twist));
        assert!((order.steering_angle - 0.3).abs() < 1e-15 && order.speed == -2.0);
    }

    /// Corke and Ridley's yaw rate and its inverse, also where the frames fold beyond what any angle gives.
    #[test]
    fn both_kinds_of_order_are_equivalent_for_a_hinge() {
        let arms = HingeArms { rear: 0.9, front: 0.6 };
        let loader = Steering { wheelbase: 1.5, track: 0.0, max_angle: 0.8, hinge: Some(arms), ..CAR };
        for (speed, angle) in [(1.0, 0.5), (-2.0, 0.3), (0.4, -0.8)] {
            let mut order = SteeredOrder::new(loader, Order::Ackermann { speed, steering_angle: angle });
            let expected = speed * libm::sin(angle) / (0.6 + 0.9 * libm::cos(angle));
            assert!((order.yaw_rate - expected).abs() < 1e-15);
            order.take(Order::Twist(order.twist()));
            assert!((order.steering_angle - angle).abs() < 1e-14 && order.speed == speed, "{order:?}");
        }
        for (front, yaw_rate) in [(0.6, -30.0), (2.0, 30.0)] {
            let loader = Steering { hinge: Some(HingeArms { front, ..arms }), ..loader };
            let order = SteeredOrder::new(loader, Order::Twist(Twist2::new(0.5, 0.0, yaw_rate)));
            assert_eq!(order.steering_angle, 0.8_f64.copysign(yaw_rate), "{order:?}");
            assert!(loader.share_of_curvature(0.5, yaw_rate, 0.8) > 10.0);
        }
    }

    #[test]
    fn turning_on_the_spot_is_full_lock_towards_the_turn() {
        let mut order = SteeredOrder::new(CAR, Order::Twist(Twist2::ZERO));
        order.take(Order::Twist(Twist2::new(0.0, 0.0, -0.1)));
        assert_eq!(order.steering_angle, -0.5);
    }

    #[test]
    fn a_reset_restores_the_first_order_even_one_beyond_the_lock() {
        for twist in [Twist2::new(0.0, 0.0, 0.2), Twist2::new(1.0, 0.0, 3.0)] {
            let fresh = SteeredOrder::new(CAR, Order::Twist(twist));
            let mut order = fresh;
            order.take(Order::Ackermann { speed: 1.0, steering_angle: -0.2 });
            order.reset();
            assert_eq!(order, fresh);
            assert_eq!(order.yaw_rate, twist.wz);
        }
    }

    #[test]
    fn stopping_keeps_the_wheels_where_they_are() {
        let mut order = SteeredOrder::new(CAR, Order::Ackermann { speed: 1.0, steering_angle: 0.9 });
        order.stop();
        assert_eq!((order.speed, order.steering_angle, order.yaw_rate), (0.0, 0.5, 0.0));
    }
}
