//! Odometry: where the vehicle believes to be.
//!
//! By default it comes from the spin of wheels 0 and 1 (the axle estimate without side slip), so that slip shows in it as on a
//! real robot. MVSim instead scales the true motion; `source="truth"` does that.
//!
//! ```xml
//! <odometry source="wheels"            wheels: from wheel spin; truth: the true motion
//!           x_multiplier="1" y_multiplier="1" yaw_multiplier="1"/>   scale of each increment [-], finite
//! ```
//! Multipliers model wrong radii and track. Where MVSim draws absent multipliers at random, here they are 1.

use super::drive::{advance, velocity_from_axle};
use super::wheel::Wheel;
use crate::math::{Pose2, Twist2};
use crate::xml::{Accept, Reader};

/// Where odometry takes its motion from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OdometrySource {
    /// Spin of wheels 0 and 1.
    #[default]
    Wheels,
    /// True motion of the body.
    Truth,
}

/// Integrates the believed pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Odometry {
    /// Where the motion comes from.
    pub source: OdometrySource,
    /// Scale of each increment along x, y and yaw [-].
    pub multipliers: [f64; 3],
    /// Believed pose since the start, in the odometry frame [m, rad].
    pub odom_from_body: Pose2,
    /// Believed velocity, body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

impl Default for Odometry {
    fn default() -> Odometry {
        Odometry {
            source: OdometrySource::Wheels,
            multipliers: [1.0; 3],
            odom_from_body: Pose2::IDENTITY,
            velocity_in_body: Twist2::ZERO,
        }
    }
}

impl Odometry {
    /// Reads the attributes above; `default` counts where they name no source.
    pub fn read(reader: &Reader<'_>, default: OdometrySource) -> Odometry {
        let scale = |name: &str| reader.attribute_f64(name, 1.0, Accept::any());
        Odometry {
            source: reader.attribute_choice(
                "source",
                default,
                &[("wheels", OdometrySource::Wheels), ("truth", OdometrySource::Truth)],
            ),
            multipliers: [scale("x_multiplier"), scale("y_multiplier"), scale("yaw_multiplier")],
            ..Odometry::default()
        }
    }

    /// Adds one step of `dt` [s]; `true_velocity_in_body` is that of the reference point after the step.
    #[inline]
    pub fn update(&mut self, wheels: &[Wheel], true_velocity_in_body: Twist2, dt: f64) {
        let moved = match self.source {
            OdometrySource::Truth => true_velocity_in_body,
            OdometrySource::Wheels => {
                let axle = velocity_from_axle(wheels);
                // No side slip at the axle, which need not stand at the reference point.
                let axle_x = 0.5 * (wheels[0].parameters.position.x + wheels[1].parameters.position.x);
                Twist2::new(axle.vx, -axle.wz * axle_x, axle.wz)
            }
        };
        let [x, y, yaw] = self.multipliers;
        self.velocity_in_body = Twist2::new(x * moved.vx, y * moved.vy, yaw * moved.wz);
        if self.velocity_in_body != Twist2::ZERO {
            self.odom_from_body = advance(self.odom_from_body, self.velocity_in_body, dt);
        }
    }

    /// Back to the origin, at rest.
    pub fn reset(&mut self) {
        self.odom_from_body = Pose2::IDENTITY;
        self.velocity_in_body = Twist2::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::vehicle::wheel::WheelParameters;

    fn axle(x: f64, spins: [f64; 2]) -> Vec<Wheel> {
        [(0.5, spins[0]), (-0.5, spins[1])]
            .map(|(y, spin)| {
                let mut wheel = Wheel::new(WheelParameters::new("w", Vec2::new(x, y)));
                wheel.spin = spin;
                wheel
            })
            .into()
    }

    #[test]
    fn spinning_wheels_move_the_believed_pose_while_the_body_stands() {
        let mut odometry = Odometry::default();
        for _ in 0..100 {
            odometry.update(&axle(0.0, [5.0, 5.0]), Twist2::ZERO, 0.01);
        }
        assert!((odometry.odom_from_body.x - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_axle_behind_the_reference_point_makes_it_swing() {
        let mut odometry = Odometry::default();
        odometry.update(&axle(-2.0, [-0.25, 0.25]), Twist2::ZERO, 0.01);
        assert!((odometry.velocity_in_body.vy - 0.1 * 2.0).abs() < 1e-12, "{odometry:?}");
        assert!((odometry.velocity_in_body.wz - 0.1).abs() < 1e-12);
    }

    #[test]
    fn multipliers_scale_each_increment() {
        let mut odometry =
            Odometry { source: OdometrySource::Truth, multipliers: [1.1, 0.5, 0.0], ..Odometry::default() };
        odometry.update(&axle(0.0, [0.0, 0.0]), Twist2::new(1.0, 2.0, 3.0), 0.1);
        let p = odometry.odom_from_body;
        assert!((p.x - 0.11).abs() < 1e-15 && (p.y - 0.1).abs() < 1e-15 && p.yaw == 0.0);
    }
}
