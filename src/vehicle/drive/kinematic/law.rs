//! Kinematic models, which roll without slip: the unicycle, the two-wheeled robot, and the bicycle with its rear axle,
//! front axle or centre of gravity as reference point.
//!
//! Source: S. Waslander and J. Kelly, "Introduction to Self-Driving Cars" (University of Toronto, Coursera), module 4, and
//! R. Rajamani, "Vehicle Dynamics and Control", 2nd ed., §2.2 for the bicycle at its centre of gravity.
//!
//! * Unicycle: ẋ = v·cos θ, ẏ = v·sin θ, θ̇ = ω.
//! * Two wheels at y = y_l, y_r: v = (R_r·ω_r + R_l·ω_l)/2, ω = (R_r·ω_r − R_l·ω_l)/(y_l − y_r); it turns about the
//!   instantaneous centre of rotation (ICR) at y = v/ω on the axle.
//! * Bicycle, with wheelbase L, steering angle δ, and v the speed of the reference point along its path:
//!
//! | reference | direction of v against the heading | θ̇ |
//! |---|---|---|
//! | rear axle | 0 | v·tan δ/L |
//! | front axle | δ | v·sin δ/L |
//! | centre of gravity, b ahead of the rear axle | β = atan(b·tan δ/L) | v·cos β·tan δ/L |
//!
//! All three are the same rigid motion when v·cos(direction), the speed along the body's x axis, is the same. With steering
//! rate as input δ is a state: δ̇ = φ.
//!
//! Signs: x forward, y left, θ, ω and δ positive to the left, v negative in reverse. |δ| < 90°.
//!
//! Integration `exact`: with constant δ the path is a circle or a line, in closed form. With a steering rate, δ and the
//! heading are in closed form (an integral of tan δ, sin δ or cos β·tan δ over δ); the position comes from Gauss–Legendre
//! quadrature with five nodes, of order 10, since there is no elementary antiderivative.

use skidpad_math::{Pose2, Twist2, Vec2, advance};

use crate::integrate::Integrator;

/// Integration of a kinematic model over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integration {
    /// In closed form, for inputs that are constant over the step.
    #[default]
    Exact,
    /// Numerical integration of the differential equation.
    Continuous(Integrator),
}

impl Integration {
    /// Names in world files.
    pub const NAMES: [(&'static str, Integration); 4] = [
        ("exact", Integration::Exact),
        ("euler", Integration::Continuous(Integrator::Euler)),
        ("midpoint", Integration::Continuous(Integrator::Midpoint)),
        ("rk4", Integration::Continuous(Integrator::Rk4)),
    ];
}

/// Pose [m, rad] of a unicycle `dt` [s] after `pose`, with speed `v` [m/s] and yaw rate `omega` [rad/s].
pub fn unicycle(pose: Pose2, v: f64, omega: f64, dt: f64, integration: Integration) -> Pose2 {
    match integration {
        Integration::Exact => advance(pose, Twist2::new(v, 0.0, omega), dt),
        Integration::Continuous(integrator) => {
            let [x, y, yaw] = integrator.step([pose.x, pose.y, pose.yaw], dt, |s| {
                let (sin, cos) = libm::sincos(s[2]);
                [v * cos, v * sin, omega]
            });
            Pose2::new(x, y, yaw)
        }
    }
}

/// Two driven wheels on one axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoWheels {
    /// Radius of the left and the right wheel [m], > 0.
    pub radius: [f64; 2],
    /// y of the left and the right wheel [m], left greater.
    pub y: [f64; 2],
}

impl TwoWheels {
    /// Velocity [m/s, rad/s] of the centre of the axle on the body's x axis, from the spin of the left and the right wheel [rad/s].
    pub fn velocity(&self, spin: [f64; 2]) -> Twist2 {
        let [left, right] = [self.radius[0] * spin[0], self.radius[1] * spin[1]];
        let omega = (right - left) / (self.y[0] - self.y[1]);
        Twist2::new(0.5 * (left + right) + 0.5 * (self.y[0] + self.y[1]) * omega, 0.0, omega)
    }

    /// Spin of the left and the right wheel [rad/s] for speed `v` [m/s] and yaw rate `omega` [rad/s].
    pub fn spin(&self, v: f64, omega: f64) -> [f64; 2] {
        [(v - omega * self.y[0]) / self.radius[0], (v - omega * self.y[1]) / self.radius[1]]
    }
}

/// Reference point of a bicycle's speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// Centre of the rear axle.
    #[default]
    Rear,
    /// Centre of the front axle.
    Front,
    /// Centre of gravity.
    Cog,
}

impl Reference {
    /// Names in world files.
    pub const NAMES: [(&'static str, Reference); 3] =
        [("rear", Reference::Rear), ("front", Reference::Front), ("cog", Reference::Cog)];
}

/// The kinematic bicycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KinematicBicycle {
    /// L [m], > 0.
    pub wheelbase: f64,
    /// Distance b of the centre of gravity from the rear axle [m], positive ahead of it.
    pub rear_to_cog: f64,
    /// Reference point of the speed.
    pub reference: Reference,
}

/// State of a kinematic bicycle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BicycleState {
    /// Pose of the reference point [m, rad].
    pub pose: Pose2,
    /// Steering angle δ [rad].
    pub steering_angle: f64,
}

/// Nodes and weights [-] of the Gauss–Legendre quadrature over [-1, 1] (Abramowitz and Stegun, Table 25.4, n = 5).
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

impl KinematicBicycle {
    /// Position of the reference point ahead of the rear axle [m].
    pub fn reference_from_rear(&self) -> f64 {
        match self.reference {
            Reference::Rear => 0.0,
            Reference::Front => self.wheelbase,
            Reference::Cog => self.rear_to_cog,
        }
    }

    /// Direction of the reference point's velocity against the heading [rad] at this steering angle [rad].
    #[inline]
    pub fn direction(&self, steering_angle: f64) -> f64 {
        match self.reference {
            Reference::Rear => 0.0,
            Reference::Front => steering_angle,
            Reference::Cog => libm::atan(self.rear_to_cog / self.wheelbase * libm::tan(steering_angle)),
        }
    }

    /// Velocity of the reference point in the body frame and yaw rate [m/s, rad/s], at speed `v` [m/s] along the path.
    #[inline]
    pub fn velocity(&self, v: f64, steering_angle: f64) -> Twist2 {
        let (sin, cos) = libm::sincos(self.direction(steering_angle));
        let along = v * cos;
        // v·cos(direction)·tan δ/L in every row of the table.
        Twist2::new(along, v * sin, along * libm::tan(steering_angle) / self.wheelbase)
    }

    /// Speed of the reference point along its path [m/s] for the speed `vx` [m/s] along the body's x axis.
    pub fn path_speed(&self, vx: f64, steering_angle: f64) -> f64 {
        vx / libm::cos(self.direction(steering_angle))
    }

    /// Integral of θ̇/v over the steering angle [rad] from `from` to `from + change`: ∫ cos(direction)·tan δ/L dδ [rad/m]. Written
    /// in differences of cosines, so that a small change loses no digits.
    fn turn_integral(&self, from: f64, change: f64) -> f64 {
        let (c0, c1) = (libm::cos(from), libm::cos(from + change));
        let fall = 2.0 * libm::sin(from + 0.5 * change) * libm::sin(0.5 * change);
        let integral = match self.reference {
            Reference::Rear => -libm::log1p(-fall / c0),
            Reference::Front => fall,
            Reference::Cog => {
                // ∫ sin δ/√(k² + (1 − k²)·cos² δ) dδ, k = b/L.
                let k = self.rear_to_cog / self.wheelbase;
                let complement = 1.0 - k * k;
                let root = |c: f64| (k * k + complement * c * c).max(0.0).sqrt();
                let (r0, r1) = (root(c0), root(c1));
                if complement.abs() < 1e-9 {
                    fall
                } else if complement > 0.0 {
                    let m = complement.sqrt();
                    let change = m * fall + complement * fall * (c0 + c1) / (r0 + r1);
                    libm::log1p(change / (m * c1 + r1)) / m
                } else {
                    let m = (-complement).sqrt();
                    let (x, y) = (m * c0 / k.abs(), m * c1 / k.abs());
                    let squares = m * m * fall * (c0 + c1) / (k * k);
                    libm::asin(squares / (x * r1 + y * r0) * k.abs()) / m
                }
            }
        };
        integral / self.wheelbase
    }

    /// The state after `dt` [s] at speed `v` [m/s] with steering rate `rate` [rad/s] (φ), both constant.
    pub fn advance(&self, state: BicycleState, v: f64, rate: f64, dt: f64, integration: Integration) -> BicycleState {
        let BicycleState { pose, steering_angle } = state;
        match integration {
            Integration::Continuous(integrator) => {
                let start = [pose.x, pose.y, pose.yaw, steering_angle];
                let [x, y, yaw, steering_angle] = integrator.step(start, dt, |s| {
                    let twist = self.velocity(v, s[3]);
                    let (sin, cos) = libm::sincos(s[2]);
                    [cos * twist.vx - sin * twist.vy, sin * twist.vx + cos * twist.vy, twist.wz, rate]
                });
                BicycleState { pose: Pose2::new(x, y, yaw), steering_angle }
            }
            Integration::Exact if (rate * dt).abs() < 1e-14 => {
                let twist = self.velocity(v, steering_angle);
                BicycleState { pose: advance(pose, twist, dt), steering_angle: steering_angle + rate * dt }
            }
            Integration::Exact => {
                let yaw = |change: f64| pose.yaw + v / rate * self.turn_integral(steering_angle, change);
                let mut displacement = Vec2::ZERO;
                for (node, weight) in GAUSS {
                    let change = 0.5 * (1.0 + node) * rate * dt;
                    let (sin, cos) = libm::sincos(yaw(change) + self.direction(steering_angle + change));
                    displacement = displacement + (0.5 * weight * v * dt) * Vec2::new(cos, sin);
                }
                BicycleState {
                    pose: Pose2::new(pose.x + displacement.x, pose.y + displacement.y, yaw(rate * dt)),
                    steering_angle: steering_angle + rate * dt,
                }
            }
        }
    }
}

/// Steering rate [rad/s] that moves `angle` towards `wanted` [rad] within `dt` [s], at most `most` [rad/s].
#[inline]
pub fn rate_towards(angle: f64, wanted: f64, most: f64, dt: f64) -> f64 {
    ((wanted - angle) / dt).clamp(-most, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Reference; 3] = [Reference::Rear, Reference::Front, Reference::Cog];

    fn bicycle(reference: Reference) -> KinematicBicycle {
        KinematicBicycle { wheelbase: 2.5, rear_to_cog: 1.1, reference }
    }

    #[test]
    fn each_reference_point_moves_on_its_own_circle_about_the_same_centre() {
        for delta in [0.3_f64, -0.2] {
            let radius = 2.5 / delta.tan();
            for reference in ALL {
                let model = bicycle(reference);
                // From the ICR at (0, L/tan δ) seen from the rear axle.
                let expected = radius.hypot(model.reference_from_rear());
                let v = 3.0;
                let yaw_rate = model.velocity(v, delta).wz;
                assert!((v / yaw_rate.abs() - expected).abs() < 1e-12, "{reference:?}");
                // A full circle ends where it started.
                let period = std::f64::consts::TAU / yaw_rate.abs();
                let start = BicycleState { pose: Pose2::IDENTITY, steering_angle: delta };
                let end = model.advance(start, v, 0.0, period, Integration::Exact).pose;
                assert!(end.position().norm() < 1e-12, "{reference:?}: {end:?}");
            }
        }
    }

    #[test]
    fn the_three_reference_points_describe_the_same_motion() {
        // The same steering, and speeds along x that are the same at every instant.
        let integrator = Integration::Continuous(Integrator::Rk4);
        let dt = 1e-3;
        let mut states = ALL.map(|reference| {
            let at = bicycle(reference).reference_from_rear();
            BicycleState { pose: Pose2::new(at, 0.0, 0.0), steering_angle: 0.1 }
        });
        for k in 0..4000 {
            let delta = 0.4 * libm::sin(2e-3 * f64::from(k));
            for (state, reference) in states.iter_mut().zip(ALL) {
                let model = bicycle(reference);
                state.steering_angle = delta;
                *state = model.advance(*state, model.path_speed(3.0, delta), 0.0, dt, integrator);
            }
        }
        let rear = states.iter().zip(ALL).map(|(state, reference)| {
            state.pose.transform_point(Vec2::new(-bicycle(reference).reference_from_rear(), 0.0))
        });
        let rear: Vec<Vec2> = rear.collect();
        for (state, at) in states.iter().zip(&rear) {
            assert!((*at - rear[0]).norm() < 1e-9, "{rear:?}");
            assert!((state.pose.yaw - states[0].pose.yaw).abs() < 1e-10);
        }
    }

    #[test]
    fn the_exact_step_solves_the_differential_equation() {
        let fine = Integration::Continuous(Integrator::Rk4);
        for reference in ALL {
            for (rate, v) in [(0.0, 4.0), (0.5, 4.0), (-0.7, 3.0), (0.4, -2.0), (1e-8, 4.0)] {
                for rear_to_cog in [1.1, 2.5, 3.0] {
                    let model = KinematicBicycle { wheelbase: 2.5, rear_to_cog, reference };
                    let start = BicycleState { pose: Pose2::new(1.0, 2.0, 0.7), steering_angle: 0.2 };
                    let exact = model.advance(start, v, rate, 0.4, Integration::Exact);
                    let mut state = start;
                    for _ in 0..4000 {
                        state = model.advance(state, v, rate, 1e-4, fine);
                    }
                    let apart = (exact.pose.position() - state.pose.position()).norm();
                    assert!(apart < 1e-10, "{reference:?} {rate} {v} {rear_to_cog}: {apart}");
                    assert!((exact.pose.yaw - state.pose.yaw).abs() < 1e-11, "{reference:?} {rate}");
                    assert!((exact.steering_angle - state.steering_angle).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn integrators_converge_on_the_arc_with_their_order() {
        for (name, integrator) in Integrator::NAMES {
            let error = |steps: u32| {
                let dt = 1.0 / f64::from(steps);
                let end = (0..steps)
                    .fold(Pose2::IDENTITY, |pose, _| unicycle(pose, 2.0, 1.5, dt, Integration::Continuous(integrator)));
                (end.position() - unicycle(Pose2::IDENTITY, 2.0, 1.5, 1.0, Integration::Exact).position()).norm()
            };
            let order = (error(50) / error(100)).log2();
            assert!((order - f64::from(integrator.order())).abs() < 0.1, "{name}: {order}");
        }
    }

    #[test]
    fn two_wheels_turn_about_the_icr() {
        let robot = TwoWheels { radius: [0.1, 0.1], y: [0.3, -0.3] };
        let spin = [4.0, 8.0];
        let velocity = robot.velocity(spin);
        assert!((velocity.vx - 0.6).abs() < 1e-15 && (velocity.wz - 0.4 / 0.6).abs() < 1e-15);
        // Rim speeds grow in proportion to the distance from the ICR.
        let icr = velocity.vx / velocity.wz;
        assert!(((icr + 0.3) / (icr - 0.3) - 2.0).abs() < 1e-12, "{icr}");
        assert_eq!(robot.velocity([-1.0, 1.0]).vx, 0.0);
        assert_eq!(robot.velocity([2.0, 2.0]).wz, 0.0);
        for (a, b) in robot.spin(velocity.vx, velocity.wz).iter().zip(spin) {
            assert!((a - b).abs() < 1e-12);
        }
        let lopsided = TwoWheels { radius: [0.1, 0.2], y: [0.5, -0.3] };
        let back = lopsided.velocity(lopsided.spin(1.0, 0.7));
        assert!((back.vx - 1.0).abs() < 1e-14 && (back.wz - 0.7).abs() < 1e-14);
    }

    #[test]
    fn steering_follows_at_its_rate_and_arrives() {
        let mut angle = 0.0;
        for _ in 0..10 {
            angle += rate_towards(angle, 0.3, 0.5, 0.1) * 0.1;
        }
        assert!((angle - 0.3).abs() < 1e-15);
        assert_eq!(rate_towards(0.0, -9.0, 0.5, 0.1), -0.5);
    }
}
