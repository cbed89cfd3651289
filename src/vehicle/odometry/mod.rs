//! Odometry: the vehicle's estimate of its own pose.
//!
//! By default the estimate comes from the spin of wheels 0 and 1 (axle speeds without side slip), or of all wheels if they have rollers
//! ([`WheelKinematics`]), so that slip shows in it as on a real robot. MVSim instead scales the true motion; `source="truth"` does that.
//!
//! ```xml
//! <odometry source="wheels"            wheels: from wheel spin; truth: the true motion
//!           model="no_slip"            no_slip: the axle moves straight ahead; steady_slip: with the side slip below
//!           cornering_stiffness="C_f C_r"  of front and rear axle [N/rad], > 0; steady_slip needs it
//!           longitudinal_stiffness="…"     of each wheel [N] per slip ratio, > 0; absent: no slip along the way
//!           integration="arc"          arc: exact for constant velocity; euler: along the heading before the step
//!           x_multiplier="1" y_multiplier="1" yaw_multiplier="1"    scale of each increment [-], finite
//!           curvature="0">             turn added per way [rad/m], counter-clockwise positive, finite
//!   <noise …/>                         errors that add up; see [`OdometryNoise`]; absent: none
//! </odometry>
//! ```
//! With `steady_slip` the axle of wheels 0 and 1 slips as that of a linear single track on a steady circle (R. Rajamani,
//! "Vehicle Dynamics and Control", ch. 2.3 and 3.3): from the lateral acceleration v·ω measured by the wheels, its lateral
//! force is F = m·s·v·ω, s being its share of the weight, at the slip angle F/C, so that v_y = −|v|·F/C besides v along x. C
//! is C_r if the axle is behind the centre of mass, else C_f. With `longitudinal_stiffness` C_x a wheel under torque T rolls
//! with ω·R·(1 − T/(R·C_x)), its steady slip.
//!
//! Multipliers and curvature model wrong radii and track that are the same in every run: ω_seen = yaw_multiplier·ω +
//! curvature·v. MVSim draws absent multipliers at random; here they are 1. Not modelled: slip in transients and beyond the linear range, steered wheels 0 and 1.

mod noise;

use skidpad_math::{Pose2, Rot2, Twist2, Vec2, advance};
use skidpad_xml::{Accept, Reader};

use super::Inertia;
use super::drive::{velocity_from_axle, velocity_from_rims};
use super::wheel::Wheel;
use super::wheel_kinematics::WheelKinematics;
use noise::Drawn;
pub use noise::{OdometryNoise, OdometryUncertainty};

/// Source of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OdometrySource {
    /// Spin of wheels 0 and 1.
    #[default]
    Wheels,
    /// True motion of the body.
    Truth,
}

/// Integration of increments to a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integration {
    /// An arc: exact when the velocity is constant over the step.
    #[default]
    Arc,
    /// Straight along the heading before the step.
    Euler,
}

/// Tyre stiffness assumed by odometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffness {
    /// Of front and rear axle [N/rad].
    pub cornering: [f64; 2],
    /// Longitudinal stiffness of a wheel [N]; none: no longitudinal slip.
    pub longitudinal: Option<f64>,
}

/// Integrates the estimated pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Odometry {
    /// Source of the motion.
    pub source: OdometrySource,
    /// Integration of the motion.
    pub integration: Integration,
    /// Scale of each increment along x, y and yaw [-].
    pub multipliers: [f64; 3],
    /// Turn that is added per way along x [rad/m], counter-clockwise positive.
    pub curvature: f64,
    /// Estimated pose since the start, in the odometry frame [m, rad].
    pub odom_from_body: Pose2,
    /// Estimated velocity, body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Slip angle of the axle of wheels 0 and 1 per v·ω [rad/(m/s²)]; 0 without side slip.
    pub side_slip: f64,
    /// Slip ratio of a wheel per T/R [1/N]; 0 without longitudinal slip.
    pub slip_along: f64,
    /// The multipliers without the scale that a run gave them, and that scale; none: it gave none.
    scaled: Option<([f64; 3], [f64; 3])>,
    /// How the motion follows from wheels with rollers; none: from the axle of wheels 0 and 1.
    kinematics: Option<WheelKinematics>,
    /// Noise model, drawn or assumed.
    noise: OdometryNoise,
    /// Errors of this vehicle, if the world enables noise.
    drawn: Option<Drawn>,
    uncertainty: OdometryUncertainty,
}

impl Default for Odometry {
    fn default() -> Odometry {
        Odometry {
            source: OdometrySource::Wheels,
            integration: Integration::Arc,
            multipliers: [1.0; 3],
            curvature: 0.0,
            odom_from_body: Pose2::IDENTITY,
            velocity_in_body: Twist2::ZERO,
            side_slip: 0.0,
            slip_along: 0.0,
            scaled: None,
            kinematics: None,
            noise: OdometryNoise::WITHOUT,
            drawn: None,
            uncertainty: OdometryUncertainty::default(),
        }
    }
}

impl Odometry {
    /// Odometry from this `source`, without slip model and errors.
    pub fn new(source: OdometrySource) -> Odometry {
        Odometry { source, ..Odometry::default() }
    }

    /// Reads the attributes above, for a vehicle with this `inertia` on `wheels`; `default` is the source if none is given. A
    /// slip model without stiffness, or for a vehicle on one axle, is an error.
    pub fn read(reader: &Reader<'_>, default: OdometrySource, wheels: &[Wheel], inertia: &Inertia) -> Odometry {
        let scale = |name: &str| reader.attribute_f64(name, 1.0, Accept::any());
        let odometry = Odometry {
            source: reader.attribute_choice(
                "source",
                default,
                &[("wheels", OdometrySource::Wheels), ("truth", OdometrySource::Truth)],
            ),
            integration: reader.attribute_choice(
                "integration",
                Integration::Arc,
                &[("arc", Integration::Arc), ("euler", Integration::Euler)],
            ),
            multipliers: [scale("x_multiplier"), scale("y_multiplier"), scale("yaw_multiplier")],
            curvature: reader.attribute_f64("curvature", 0.0, Accept::any()),
            ..Odometry::default()
        };
        let slips = reader.attribute_choice("model", false, &[("no_slip", false), ("steady_slip", true)]);
        if !slips {
            reader.ignore(&["cornering_stiffness", "longitudinal_stiffness"]);
            return odometry;
        }
        let Some(cornering) = reader.attribute_numbers("cornering_stiffness", &[2]) else {
            if reader.attribute_raw("cornering_stiffness").is_none() {
                reader.missing("cornering_stiffness").hint("model=\"steady_slip\" needs C_f and C_r [N/rad]");
            }
            return odometry;
        };
        if cornering.iter().any(|&c| c <= 0.0) {
            reader
                .error_at("cornering_stiffness", format!("cornering stiffness {} {}", cornering[0], cornering[1]))
                .accepted(["two numbers > 0 [N/rad]"]);
            return odometry;
        }
        if wheels.iter().any(|wheel| wheel.parameters.rollers.is_some()) {
            reader.error_at("model", "model=\"steady_slip\" is for wheels without rollers").accepted(["no_slip"]);
            return odometry;
        }
        let longitudinal = reader.optional_attribute_f64("longitudinal_stiffness", Accept::positive());
        let stiffness = Stiffness { cornering: [cornering[0], cornering[1]], longitudinal };
        match odometry.with_slip(&stiffness, wheels, inertia) {
            Some(odometry) => odometry,
            None => {
                reader
                    .error_at("model", "model=\"steady_slip\" needs wheels ahead of or behind the first two")
                    .accepted(["no_slip"]);
                Odometry::default()
            }
        }
    }

    /// Adds the slip of tyres with this stiffness under a vehicle of this `inertia` on `wheels`. None if no wheel is ahead of or
    /// behind the axle of wheels 0 and 1.
    pub fn with_slip(self, stiffness: &Stiffness, wheels: &[Wheel], inertia: &Inertia) -> Option<Odometry> {
        let (axle, other_wheels) = wheels.split_at_checked(2)?;
        let middle =
            |wheels: &[Wheel]| wheels.iter().map(|w| w.parameters.position.x).sum::<f64>() / wheels.len() as f64;
        let (axle_x, other_x) = (middle(axle), middle(other_wheels));
        let share = (inertia.center_of_mass.x - other_x) / (axle_x - other_x);
        let [front, rear] = stiffness.cornering;
        let cornering = if axle_x > inertia.center_of_mass.x { front } else { rear };
        share.is_finite().then_some(Odometry {
            side_slip: inertia.mass * share / cornering,
            slip_along: stiffness.longitudinal.map_or(0.0, |stiffness| 1.0 / stiffness),
            ..self
        })
    }

    /// Takes the motion from all of these wheels if they have rollers.
    pub fn on_wheels(self, wheels: &[Wheel]) -> Odometry {
        let has_rollers = wheels.iter().any(|wheel| wheel.parameters.rollers.is_some());
        Odometry { kinematics: if has_rollers { WheelKinematics::new(wheels) } else { None }, ..self }
    }

    /// Scales each increment along x, y and yaw by these factors [-] from now on, besides the multipliers that it has of its own.
    pub fn set_scale(&mut self, scale: [f64; 3]) {
        if scale == self.scale() {
            return;
        }
        let own = self.scaled.map_or(self.multipliers, |(own, _)| own);
        self.multipliers = std::array::from_fn(|axis| own[axis] * scale[axis]);
        self.scaled = Some((own, scale));
    }

    /// That scale [-].
    pub fn scale(&self) -> [f64; 3] {
        self.scaled.map_or([1.0; 3], |(_, scale)| scale)
    }

    /// Adds one step of `dt` [s] in which motors drove the wheels with `torque` [N·m]; `true_velocity_in_body` is that of the
    /// reference point after the step.
    #[inline]
    pub fn update(&mut self, wheels: &[Wheel], torque: &[f64], true_velocity_in_body: Twist2, dt: f64) {
        let measured = match (self.source, &self.kinematics) {
            (OdometrySource::Truth, _) => true_velocity_in_body,
            (OdometrySource::Wheels, Some(kinematics)) => kinematics.velocity(wheels),
            (OdometrySource::Wheels, None) => {
                let axle =
                    if self.slip_along > 0.0 { self.slipping_axle(wheels, torque) } else { velocity_from_axle(wheels) };
                // The axle need not be at the reference point.
                let axle_x = 0.5 * (wheels[0].parameters.position.x + wheels[1].parameters.position.x);
                let side_slip = -axle.vx.abs() * self.side_slip * axle.vx * axle.wz;
                Twist2::new(axle.vx, side_slip - axle.wz * axle_x, axle.wz)
            }
        };
        let [x, y, yaw] = self.multipliers;
        self.velocity_in_body = Twist2::new(x * measured.vx, y * measured.vy, yaw * measured.wz);
        if self.curvature != 0.0 {
            self.velocity_in_body.wz += self.curvature * measured.vx;
        }
        if let Some(drawn) = &self.drawn {
            self.velocity_in_body = drawn.seen(self.velocity_in_body);
        }
        if self.velocity_in_body != Twist2::ZERO {
            let (seen, from) = (self.velocity_in_body, self.odom_from_body);
            let mut velocity = seen;
            if let Some(drawn) = &mut self.drawn {
                let walk = drawn.walk(&self.noise, velocity, dt);
                velocity = Twist2::new(velocity.vx + walk.vx, velocity.vy + walk.vy, velocity.wz + walk.wz);
            }
            self.odom_from_body = match self.integration {
                Integration::Arc => advance(self.odom_from_body, velocity, dt),
                Integration::Euler => {
                    let Twist2 { vx, vy, wz } = velocity;
                    let step = self.odom_from_body.rotation() * Vec2::new(dt * vx, dt * vy);
                    let Pose2 { x, y, yaw } = self.odom_from_body;
                    Pose2::new(x + step.x, y + step.y, skidpad_math::wrap_angle(yaw + dt * wz))
                }
            };
            let turn = dt * seen.wz;
            // A random walk moves the estimate, but is no way that the wheels have seen.
            let displacement = match self.drawn {
                Some(_) => Rot2::new(from.yaw + 0.5 * turn) * (dt * seen.linear()),
                None => self.odom_from_body.position() - from.position(),
            };
            self.uncertainty.advance(&self.noise, displacement, turn, dt * seen.vx);
        }
    }

    /// [`velocity_from_axle`] of wheels with longitudinal slip under `torque` [N·m].
    fn slipping_axle(&self, wheels: &[Wheel], torque: &[f64]) -> Twist2 {
        let speed = |i: usize| {
            let slip = (self.slip_along * torque[i] / wheels[i].parameters.radius).clamp(-1.0, 1.0);
            // Braked tyres have slip of the opposite sign, whichever way they roll.
            wheels[i].rim_speed() - slip * wheels[i].rim_speed().abs()
        };
        velocity_from_rims(wheels, [speed(0), speed(1)])
    }

    /// Back to the origin, at rest.
    pub fn reset(&mut self) {
        self.odom_from_body = Pose2::IDENTITY;
        self.velocity_in_body = Twist2::ZERO;
        self.uncertainty = OdometryUncertainty::new(&self.noise);
    }

    /// To be called when simulated time has returned to 0: the errors repeat.
    pub fn restart(&mut self) {
        if let Some(drawn) = &mut self.drawn {
            drawn.restart();
        }
    }

    /// Adds errors of this kind, as drawn for the vehicle called `vehicle` under the world's `seed`.
    pub fn with_noise(self, noise: OdometryNoise, seed: u64, vehicle: &str) -> Odometry {
        Odometry {
            drawn: Some(Drawn::new(&noise, seed, vehicle)),
            uncertainty: OdometryUncertainty::new(&noise),
            noise,
            ..self
        }
    }

    /// Uncertainty of the estimate.
    pub fn uncertainty(&self) -> &OdometryUncertainty {
        &self.uncertainty
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wheel::WheelParameters;

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
    fn spinning_wheels_move_the_estimated_pose_while_the_body_stands() {
        let mut odometry = Odometry::default();
        for _ in 0..100 {
            odometry.update(&axle(0.0, [5.0, 5.0]), &[0.0; 2], Twist2::ZERO, 0.01);
        }
        assert!((odometry.odom_from_body.x - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_axle_behind_the_reference_point_adds_lateral_motion() {
        let mut odometry = Odometry::default();
        odometry.update(&axle(-2.0, [-0.25, 0.25]), &[0.0; 2], Twist2::ZERO, 0.01);
        assert!((odometry.velocity_in_body.vy - 0.1 * 2.0).abs() < 1e-12, "{odometry:?}");
        assert!((odometry.velocity_in_body.wz - 0.1).abs() < 1e-12);
    }

    #[test]
    fn multipliers_scale_each_increment() {
        let mut odometry =
            Odometry { source: OdometrySource::Truth, multipliers: [1.1, 0.5, 0.0], ..Odometry::default() };
        odometry.update(&axle(0.0, [0.0, 0.0]), &[0.0; 2], Twist2::new(1.0, 2.0, 3.0), 0.1);
        let p = odometry.odom_from_body;
        assert!((p.x - 0.11).abs() < 1e-15 && (p.y - 0.1).abs() < 1e-15 && p.yaw == 0.0);
    }

    #[test]
    fn curvature_turns_the_estimate_of_a_straight_path_into_an_arc() {
        let mut odometry = Odometry { source: OdometrySource::Truth, curvature: 0.5, ..Odometry::default() };
        odometry.update(&axle(0.0, [0.0, 0.0]), &[0.0; 2], Twist2::new(2.0, 0.0, 0.0), 0.3);
        // 0.6 m on a circle of 2 m.
        let p = odometry.odom_from_body;
        assert!((p.x - 2.0 * 0.3_f64.sin()).abs() < 1e-12 && (p.yaw - 0.3).abs() < 1e-12, "{p:?}");
    }

    /// Half a circle in n steps: the arc ends across the circle; Euler's sum is the geometric series of its steps, one step
    /// ahead and a little short.
    #[test]
    fn euler_is_off_by_half_a_step_on_a_half_circle_and_the_arc_is_exact() {
        let steps = 100;
        let dt = std::f64::consts::PI / f64::from(steps);
        let [arc, euler] = [Integration::Arc, Integration::Euler].map(|integration| {
            let mut odometry = Odometry { source: OdometrySource::Truth, integration, ..Odometry::default() };
            for _ in 0..steps {
                odometry.update(&axle(0.0, [0.0; 2]), &[0.0; 2], Twist2::new(1.0, 0.0, 1.0), dt);
            }
            odometry.odom_from_body
        });
        assert!(arc.x.abs() < 1e-12 && (arc.y - 2.0).abs() < 1e-12, "{arc:?}");
        // Σ dt·(cos k·dt, sin k·dt) over k = 0 … n−1 with n·dt = π.
        let (x, y) = (dt, dt / (0.5 * dt).tan());
        assert!((euler.x - x).abs() < 1e-12 && (euler.y - y).abs() < 1e-12, "{euler:?}");
    }

    /// A rear axle with half of 1000 kg and C_r = 50 kN/rad at 10 m/s and 0.4 rad/s: F = 2 kN, 0.04 rad to the outside.
    #[test]
    fn the_axle_slips_outwards_by_force_over_stiffness_forward_and_back() {
        let wheels: Vec<Wheel> = axle(-1.0, [49.0, 51.0]).into_iter().chain(axle(1.0, [0.0; 2])).collect();
        let inertia = Inertia { mass: 1000.0, center_of_mass: Vec2::ZERO, yaw: 1.0 };
        let stiffness = Stiffness { cornering: [1.0, 5e4], longitudinal: None };
        for sign in [1.0, -1.0] {
            let mut odometry = Odometry::default().with_slip(&stiffness, &wheels, &inertia).unwrap();
            let mut wheels = wheels.clone();
            wheels.iter_mut().for_each(|wheel| wheel.spin *= sign);
            odometry.update(&wheels, &[0.0; 4], Twist2::ZERO, 0.01);
            let slip = odometry.velocity_in_body.vy - odometry.velocity_in_body.wz;
            // Backwards the same circle, turned the other way: the centre stays on the left.
            assert!((slip + 10.0 * 0.04).abs() < 1e-12, "{odometry:?}");
        }
    }

    #[test]
    fn torque_causes_longitudinal_slip() {
        let wheels: Vec<Wheel> = axle(-1.0, [50.0, 50.0]).into_iter().chain(axle(1.0, [0.0; 2])).collect();
        let inertia = Inertia { mass: 1000.0, center_of_mass: Vec2::ZERO, yaw: 1.0 };
        let stiffness = Stiffness { cornering: [1.0; 2], longitudinal: Some(2e4) };
        let mut odometry = Odometry::default().with_slip(&stiffness, &wheels, &inertia).unwrap();
        odometry.update(&wheels, &[80.0; 4], Twist2::ZERO, 0.01);
        // T/R = 400 N over 20 kN: 2 % of 10 m/s.
        assert!((odometry.velocity_in_body.vx - 9.8).abs() < 1e-12, "{odometry:?}");
    }
}
