//! Errors of odometry that accumulate with the distance travelled, and the covariance of the estimate that follows from them.
//!
//! ```xml
//! <odometry>
//!   <noise scale_std="0.01"       of the scale of ways [-]: both wheel radii off alike
//!          yaw_scale_std="0.02"   of the scale of turns [-]: the track off
//!          curvature_std="0.01"   of the turn per way [rad/m]: unequal radii, Δr/(r·track)
//!          along_walk="0.01"      random walk along the way [m/√m]
//!          across_walk="0.005"    random walk across it [m/√m]
//!          yaw_walk="0.005"       random walk of yaw per way [rad/√m]
//!          turn_walk="0.01"       random walk of yaw per turn [rad/√rad]
//!          set="chosen"/>         chosen or create: what attributes are that are not written
//! </odometry>
//! ```
//! All are standard deviations, ≥ 0; the values above are those of the set `chosen`, and [`CREATE`](OdometryNoise::CREATE) has those
//! of `create`. Without `<noise>` nothing is drawn.
//!
//! The first three are systematic: drawn once per vehicle, constant, and present in both pose and velocity. They are the errors that
//! UMBmark finds (J. Borenstein and L. Feng, "Measurement and correction of systematic odometry errors in mobile robots", IEEE T-RA
//! 12(6), 1996). The others are errors that encoders do not see, from uneven floor and slip: their variance grows in proportion to the
//! distance, and so does not depend on the step (K. S. Chong and L. Kleeman, "Accurate odometry and error modelling for a mobile robot",
//! ICRA 1997). They affect the pose and leave the velocity alone. The estimate of a standing vehicle stands too.
//!
//! The numbers of `chosen` are chosen: after 10 m straight ahead about 10 cm, 3 cm and 6° of each kind, typical of a wheeled robot without
//! careful calibration.
//!
//! The covariance is the first-order one of this model about the estimated path: P = Q + S·Σ·Sᵀ, with the random walks in Q, the
//! variances of the systematic errors in Σ and the pose's sensitivity to them in S. Not modelled: slip beyond the walk, such as
//! wheels that spin at a wall.

use skidpad_math::{PlanarCovariance, Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use skidpad_math::noise::WhiteNoise;

/// Standard deviations of the odometry errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometryNoise {
    /// Scale error of distances [-].
    pub scale_std: f64,
    /// Scale error of turns [-].
    pub yaw_scale_std: f64,
    /// Turn per distance [rad/m].
    pub curvature_std: f64,
    /// Random walk along the path [m/√m].
    pub along_walk: f64,
    /// Random walk across the path [m/√m].
    pub across_walk: f64,
    /// Random walk of yaw per distance [rad/√m].
    pub yaw_walk: f64,
    /// Random walk of yaw per turn [rad/√rad].
    pub turn_walk: f64,
}

impl Default for OdometryNoise {
    fn default() -> OdometryNoise {
        OdometryNoise {
            scale_std: 0.01,
            yaw_scale_std: 0.02,
            curvature_std: 0.01,
            along_walk: 0.01,
            across_walk: 0.005,
            yaw_walk: 0.005,
            turn_walk: 0.01,
        }
    }
}

impl OdometryNoise {
    /// Assumed errors of odometry in a world without noise, where only slip makes it differ from the truth: 2 % of distances and
    /// turns, and 0.01 rad per metre.
    pub const WITHOUT: OdometryNoise = OdometryNoise {
        scale_std: 0.02,
        yaw_scale_std: 0.02,
        curvature_std: 0.01,
        along_walk: 0.0,
        across_walk: 0.0,
        yaw_walk: 0.0,
        turn_walk: 0.0,
    };

    /// Measured errors of a robot that takes its commanded velocities for its odometry: ten runs of five iRobot Creates in windows of 10 s,
    /// as `skidpad identify` finds them (config/identify/create.yaml). Encoders would see a part of these walks. Data: K. Y. K. Leung,
    /// Y. Halpern, T. D. Barfoot and H. H. T. Liu, "The UTIAS multi-robot cooperative localization and mapping dataset", IJRR 30(8), 2011,
    /// sets 6 and 7.
    pub const CREATE: OdometryNoise = OdometryNoise {
        scale_std: 0.02,
        yaw_scale_std: 0.012,
        curvature_std: 0.02,
        along_walk: 0.091,
        across_walk: 0.0,
        yaw_walk: 0.043,
        turn_walk: 0.114,
    };

    /// Reads the attributes above.
    pub fn read(reader: &Reader<'_>) -> OdometryNoise {
        let sets = [("chosen", OdometryNoise::default()), ("create", OdometryNoise::CREATE)];
        let default = reader.attribute_choice("set", OdometryNoise::default(), &sets);
        let std = |name: &str, default: f64| reader.attribute_f64(name, default, Accept::non_negative());
        OdometryNoise {
            scale_std: std("scale_std", default.scale_std),
            yaw_scale_std: std("yaw_scale_std", default.yaw_scale_std),
            curvature_std: std("curvature_std", default.curvature_std),
            along_walk: std("along_walk", default.along_walk),
            across_walk: std("across_walk", default.across_walk),
            yaw_walk: std("yaw_walk", default.yaw_walk),
            turn_walk: std("turn_walk", default.turn_walk),
        }
    }

    /// Variances of the systematic errors, in the order of [`Drawn::systematic`].
    const fn systematic(&self) -> [f64; 3] {
        let (scale, yaw_scale, curvature) = (self.scale_std, self.yaw_scale_std, self.curvature_std);
        [scale * scale, yaw_scale * yaw_scale, curvature * curvature]
    }

    /// Whether any random walk is not zero.
    const fn walks(&self) -> bool {
        self.along_walk != 0.0 || self.across_walk != 0.0 || self.yaw_walk != 0.0 || self.turn_walk != 0.0
    }

    /// Variances of the random walk over a step over `distance` [m] and a turn by `turn` [rad]: along, across [m²], yaw [rad²].
    fn walk(&self, distance: f64, turn: f64) -> [f64; 3] {
        let per = |std: f64, gone: f64| std * std * gone;
        let yaw = per(self.yaw_walk, distance) + per(self.turn_walk, turn);
        [per(self.along_walk, distance), per(self.across_walk, distance), yaw]
    }
}

/// The errors of one vehicle, from their own seeded stream.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawn {
    /// Scale errors of distances [-] and turns [-], and the turn per distance [rad/m].
    systematic: [f64; 3],
    noise: WhiteNoise,
}

impl Drawn {
    /// The errors of the vehicle called `vehicle` under the world's `seed`.
    pub(super) fn new(model: &OdometryNoise, seed: u64, vehicle: &str) -> Drawn {
        let mut noise = WhiteNoise::new(seed, &format!("{vehicle}/odometry"));
        let systematic = model.systematic().map(|variance| variance.sqrt() * noise.sample());
        Drawn { systematic, noise }
    }

    /// Restarts the stream: the random walk repeats.
    pub(super) fn restart(&mut self) {
        self.noise.restart();
        // The systematic errors, which are constant, were the first samples.
        for _ in self.systematic {
            self.noise.sample();
        }
    }

    /// Velocity in the body frame [m/s, rad/s] that the encoders measure for `velocity`.
    pub(super) fn seen(&self, velocity: Twist2) -> Twist2 {
        let [scale, yaw_scale, curvature] = self.systematic;
        Twist2::new(
            (1.0 + scale) * velocity.vx,
            (1.0 + scale) * velocity.vy,
            (1.0 + yaw_scale) * velocity.wz + curvature * velocity.vx,
        )
    }

    /// Contribution of the random walk to a step with the velocity `seen` over `dt` [s], as a velocity in the body frame.
    pub(super) fn walk(&mut self, model: &OdometryNoise, seen: Twist2, dt: f64) -> Twist2 {
        let along = seen.linear();
        let speed = along.norm();
        let variances = model.walk(speed * dt, seen.wz.abs() * dt);
        let [ahead, aside, yaw] = variances.map(|variance| variance.sqrt() * self.noise.sample() / dt);
        let direction = if speed > 0.0 { (1.0 / speed) * along } else { Vec2::ZERO };
        let shift = ahead * direction + aside * direction.perpendicular();
        Twist2::new(shift.x, shift.y, yaw)
    }
}

/// Uncertainty of the estimate: the sums that the covariances follow from. The covariances are computed only when read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometryUncertainty {
    /// Variances of the systematic errors, in the order of [`Drawn::systematic`].
    variances: [f64; 3],
    /// Sensitivity of the pose: to the scale of distances [m]; to the scale of turns and the turn per distance [m, m, rad].
    by_scale: Vec2,
    by_yaw_scale: [f64; 3],
    by_curvature: [f64; 3],
    /// Whether the model has a random walk, and the covariance that the walk has added.
    walks: bool,
    walk: PlanarCovariance,
}

impl OdometryUncertainty {
    /// Uncertainty of an exactly known pose, under errors of this kind.
    pub const fn new(model: &OdometryNoise) -> OdometryUncertainty {
        OdometryUncertainty {
            variances: model.systematic(),
            by_scale: Vec2::ZERO,
            by_yaw_scale: [0.0; 3],
            by_curvature: [0.0; 3],
            walks: model.walks(),
            walk: PlanarCovariance { xx: 0.0, xy: 0.0, x_yaw: 0.0, yy: 0.0, y_yaw: 0.0, yaw: 0.0 },
        }
    }

    /// Becomes equal to `other`.
    #[inline]
    pub fn copy_from(&mut self, other: &OdometryUncertainty) {
        (self.variances, self.by_scale) = (other.variances, other.by_scale);
        (self.by_yaw_scale, self.by_curvature) = (other.by_yaw_scale, other.by_curvature);
        if self.walks || other.walks {
            (self.walks, self.walk) = (other.walks, other.walk);
        }
    }

    /// Adds a step that moves the estimate by `displacement` [m] in the frame of odometry and `turn` [rad], over `way` [m] along x of the body.
    #[inline]
    pub fn advance(&mut self, model: &OdometryNoise, displacement: Vec2, turn: f64, way: f64) {
        // An error of yaw before the step rotates the step.
        let turned = displacement.perpendicular();
        self.by_scale = self.by_scale + displacement;
        for by_error in [&mut self.by_yaw_scale, &mut self.by_curvature] {
            by_error[0] += by_error[2] * turned.x;
            by_error[1] += by_error[2] * turned.y;
        }
        self.by_yaw_scale[2] += turn;
        self.by_curvature[2] += way;
        if self.walks {
            self.walk(model, displacement, turn);
        }
    }

    /// Adds the random walk of a step by `displacement` [m] in the odometry frame and `turn` [rad].
    #[inline(never)]
    fn walk(&mut self, model: &OdometryNoise, displacement: Vec2, turn: f64) {
        let (turned, walk) = (displacement.perpendicular(), &mut self.walk);
        walk.xx += turned.x * (2.0 * walk.x_yaw + turned.x * walk.yaw);
        walk.yy += turned.y * (2.0 * walk.y_yaw + turned.y * walk.yaw);
        walk.xy += turned.y * walk.x_yaw + turned.x * walk.y_yaw + turned.x * turned.y * walk.yaw;
        walk.x_yaw += turned.x * walk.yaw;
        walk.y_yaw += turned.y * walk.yaw;
        let distance = displacement.norm();
        let [along, across, yaw] = model.walk(distance, turn.abs());
        if distance > 0.0 {
            let direction = (1.0 / distance) * displacement;
            let aside = direction.perpendicular();
            walk.add(along, [direction.x, direction.y, 0.0]);
            walk.add(across, [aside.x, aside.y, 0.0]);
        }
        walk.yaw += yaw;
    }

    /// Change of the estimated pose [m, m, rad], in the frame of odometry, per scale error of distances [-], per scale error of turns [-],
    /// and per turn per distance [rad/m].
    pub fn sensitivities(&self) -> [[f64; 3]; 3] {
        [[self.by_scale.x, self.by_scale.y, 0.0], self.by_yaw_scale, self.by_curvature]
    }

    /// Covariance of the estimated pose [m, rad].
    pub fn of_pose(&self) -> PlanarCovariance {
        let mut covariance = self.walk;
        for (variance, error) in self.variances.into_iter().zip(self.sensitivities()) {
            covariance.add(variance, error);
        }
        covariance
    }

    /// Covariance of the estimated velocity `seen` in the body frame [m/s, rad/s].
    pub fn of_velocity(&self, seen: Twist2) -> PlanarCovariance {
        let mut covariance = PlanarCovariance::default();
        let errors = [[seen.vx, seen.vy, 0.0], [0.0, 0.0, seen.wz], [0.0, 0.0, seen.vx]];
        for (variance, error) in self.variances.into_iter().zip(errors) {
            covariance.add(variance, error);
        }
        covariance
    }
}

impl Default for OdometryUncertainty {
    /// Uncertainty in a world without noise.
    fn default() -> OdometryUncertainty {
        OdometryUncertainty::new(&OdometryNoise::WITHOUT)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose2, Vec3, wrap_angle};

    use super::super::{Odometry, OdometrySource};
    use super::*;

    fn vehicle(model: OdometryNoise, seed: u64) -> Odometry {
        Odometry::new(OdometrySource::Truth).with_noise(model, seed, "r1")
    }

    /// A winding path of 12 m with a stop and a stretch in reverse; the last pose without noise, and the estimate.
    fn drive(odometry: &mut Odometry, dt: f64) -> Pose2 {
        let mut exact = Odometry::new(OdometrySource::Truth);
        let steps = (30.0 / dt).round() as usize;
        for step in 0..steps {
            let t = step as f64 * dt;
            let twist = match t {
                t if t < 10.0 => Twist2::new(0.5, 0.0, 0.3),
                t if t < 12.0 => Twist2::ZERO,
                t if t < 20.0 => Twist2::new(0.5, 0.0, -0.4),
                _ => Twist2::new(-0.3, 0.0, 0.1),
            };
            exact.update(&[], &[], twist, dt);
            odometry.update(&[], &[], twist, dt);
        }
        exact.odom_from_body
    }

    fn error(of: Pose2, truth: Pose2) -> Vec3 {
        Vec3::new(of.x - truth.x, of.y - truth.y, wrap_angle(of.yaw - truth.yaw))
    }

    /// Normalised estimation error squared (Y. Bar-Shalom, X.-R. Li, T. Kirubarajan, "Estimation with Applications to Tracking and
    /// Navigation", ch. 5.4): its mean over n runs is χ²-distributed over n, mean 3 and variance 6/n for three dimensions.
    #[test]
    fn errors_of_many_runs_match_their_covariances() {
        let (n, model) = (400, OdometryNoise::default());
        let mut nees = 0.0;
        for seed in 0..n {
            let mut odometry = vehicle(model, seed);
            let truth = drive(&mut odometry, 0.1);
            let error = error(odometry.odom_from_body, truth);
            let inverse = odometry.uncertainty().of_pose().matrix().try_inverse().unwrap();
            nees += (error.transpose() * inverse * error)[0] / n as f64;
        }
        // Four standard deviations: an error of 8 % in σ would fail.
        assert!((nees - 3.0).abs() < 4.0 * (6.0 / n as f64).sqrt(), "{nees}");
    }

    #[test]
    fn each_number_alone_accounts_for_its_error() {
        let none = OdometryNoise { scale_std: 0.0, yaw_scale_std: 0.0, curvature_std: 0.0, ..OdometryNoise::WITHOUT };
        let alone = [
            OdometryNoise { scale_std: 0.01, ..none },
            OdometryNoise { yaw_scale_std: 0.01, ..none },
            OdometryNoise { curvature_std: 0.01, ..none },
            OdometryNoise { along_walk: 0.01, ..none },
            OdometryNoise { across_walk: 0.01, ..none },
            OdometryNoise { yaw_walk: 0.01, ..none },
            OdometryNoise { turn_walk: 0.01, ..none },
        ];
        let n = 200;
        for model in alone {
            let (mut actual, mut reported) = (Vec3::zeros(), Vec3::zeros());
            for seed in 0..n {
                let mut odometry = vehicle(model, seed);
                let truth = drive(&mut odometry, 0.25);
                let error = error(odometry.odom_from_body, truth);
                actual += error.component_mul(&error) / n as f64;
                reported += odometry.uncertainty().of_pose().matrix().diagonal() / n as f64;
            }
            for axis in 0..3 {
                // The variance of n samples has the relative deviation √(2/n); the margin is five of those.
                let (actual, reported) = (actual[axis], reported[axis]);
                assert!(
                    (actual - reported).abs() <= 5.0 * (2.0 / n as f64).sqrt() * reported + 1e-20,
                    "{model:?} {axis}: {actual} {reported}"
                );
            }
        }
    }

    /// With variances in proportion to the square of the step the spreads would differ by √10.
    #[test]
    fn spread_does_not_depend_on_the_step() {
        let spread = |dt: f64| {
            let mut sum = Vec3::zeros();
            for seed in 0..100 {
                let mut odometry = vehicle(OdometryNoise::default(), seed);
                let truth = drive(&mut odometry, dt);
                let error = error(odometry.odom_from_body, truth);
                sum += error.component_mul(&error) / 100.0;
            }
            sum.map(f64::sqrt)
        };
        let (coarse, fine) = (spread(0.5), spread(0.05));
        for axis in 0..3 {
            assert!((coarse[axis] / fine[axis] - 1.0).abs() < 0.4, "{coarse} {fine}");
        }
    }

    #[test]
    fn velocity_errors_match_their_covariance() {
        let (n, twist) = (1000, Twist2::new(0.8, 0.0, -0.5));
        let (mut actual, mut reported) = (Vec3::zeros(), Vec3::zeros());
        for seed in 0..n {
            let mut odometry = vehicle(OdometryNoise::default(), seed);
            odometry.update(&[], &[], twist, 0.01);
            let seen = odometry.velocity_in_body;
            let error = Vec3::new(seen.vx - twist.vx, seen.vy - twist.vy, seen.wz - twist.wz);
            actual += error.component_mul(&error) / n as f64;
            reported += odometry.uncertainty().of_velocity(odometry.velocity_in_body).matrix().diagonal() / n as f64;
        }
        for axis in [0, 2] {
            assert!((actual[axis] / reported[axis] - 1.0).abs() < 5.0 * (2.0 / n as f64).sqrt(), "{actual} {reported}");
        }
        assert_eq!([actual[1], reported[1]], [0.0; 2]);
    }

    #[test]
    fn the_estimate_of_a_standing_vehicle_stands_and_a_reset_clears_the_drift() {
        let mut odometry = vehicle(OdometryNoise::default(), 7);
        drive(&mut odometry, 0.05);
        let before = odometry.clone();
        odometry.update(&[], &[], Twist2::ZERO, 0.05);
        assert_eq!(odometry.odom_from_body, before.odom_from_body);
        assert_eq!(odometry.uncertainty().of_pose(), before.uncertainty().of_pose());
        odometry.reset();
        assert_eq!(
            (odometry.odom_from_body, odometry.uncertainty().of_pose()),
            (Pose2::IDENTITY, PlanarCovariance::default())
        );
    }

    #[test]
    fn vehicles_and_seeds_err_differently_and_runs_repeat() {
        let end = |seed, name: &str| {
            let mut odometry = Odometry::new(OdometrySource::Truth);
            odometry = odometry.with_noise(OdometryNoise::default(), seed, name);
            drive(&mut odometry, 0.05);
            odometry.odom_from_body
        };
        assert_eq!(end(1, "r1"), end(1, "r1"));
        assert_ne!(end(1, "r1"), end(1, "r2"));
        assert_ne!(end(1, "r1"), end(2, "r1"));
    }

    /// First-order growth across the path: half of 0.01 rad/m times the distance squared.
    #[test]
    fn ten_metres_straight_on_without_noise_leave_twenty_centimetres_along_and_a_tenth_of_a_radian() {
        let mut odometry = Odometry::new(OdometrySource::Truth);
        for _ in 0..1000 {
            odometry.update(&[], &[], Twist2::new(1.0, 0.0, 0.0), 0.01);
        }
        let std = odometry.uncertainty().of_pose().matrix().diagonal().map(f64::sqrt);
        assert!((std.x - 0.2).abs() < 1e-9 && (std.y - 0.5).abs() < 1e-3 && (std.z - 0.1).abs() < 1e-9, "{std}");
    }
}
