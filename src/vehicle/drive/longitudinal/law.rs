//! Longitudinal motion of a vehicle that rolls without slip.
//!
//! (m + Σ I/R²)·a = F_x − F_aero − R_x + m·g_x, with g_x = −g·sin α along the vehicle (R. Rajamani, "Vehicle Dynamics and
//! Control", 2nd ed., eq. 4.1; the rotating wheels as in §4.2). F_x is the drive force less the braking force; F_aero and R_x are
//! those of [`Resistance`]. Brakes and rolling resistance are dry friction: they oppose the motion, and hold a standing vehicle
//! up to their sum. Drive and braking force are each bounded by the grip μ·N, beyond which wheels would spin or lock.
//!
//! Over a step F_x is constant; the rest is integrated by the classical rule of Runge and Kutta. If friction stops a vehicle
//! within the step, it stands at the end of the step, after the distance given by its mean deceleration.

use crate::integrate::Integrator;
use crate::resistance::Resistance;

/// Masses of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Longitudinal {
    /// m [kg], > 0.
    pub mass: f64,
    /// Σ I/R² of the wheels [kg], ≥ 0.
    pub rotating_mass: f64,
}

/// Forces over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongitudinalInput<'a> {
    /// Drive force of engine or motors [N], forward positive.
    pub drive: f64,
    /// Braking capacity [N], ≥ 0.
    pub brake: f64,
    /// μ·N [N]: the largest force of the ground.
    pub grip: f64,
    /// g_x [m/s²]: gravity along the vehicle, negative uphill, and the push of wind per mass.
    pub gravity_along: f64,
    /// g_z [m/s²]: gravity into the ground, ≥ 0.
    pub gravity_into_ground: f64,
    /// Rolling resistance [-] of the ground in addition to that of `resistance`, ≥ 0.
    pub ground_rolling: f64,
    /// C_a [N/(m/s)²]: air drag of calm air.
    pub drag: f64,
    /// Rolling resistance.
    pub resistance: &'a Resistance,
}

/// Distance covered in a step [m], and the speed at its end [m/s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    /// Distance [m], forward positive.
    pub distance: f64,
    /// Speed [m/s].
    pub speed: f64,
}

impl LongitudinalInput<'_> {
    /// Air drag [N] at `speed` [m/s].
    pub fn air(&self, speed: f64) -> f64 {
        if self.drag == 0.0 { 0.0 } else { -self.drag * speed.abs() * speed }
    }
}

impl Longitudinal {
    /// Effective mass [kg], including rotating wheels.
    pub fn effective_mass(&self) -> f64 {
        self.mass + self.rotating_mass
    }

    /// Brakes and rolling resistance at `speed` [m/s]: the largest opposing force [N].
    fn dry(&self, speed: f64, input: &LongitudinalInput<'_>) -> f64 {
        let rolling = input.ground_rolling + input.resistance.rolling(speed);
        input.brake.min(input.grip) + rolling * self.mass * input.gravity_into_ground
    }

    /// Net force [N] without dry friction at `speed` [m/s].
    fn pull(&self, speed: f64, input: &LongitudinalInput<'_>) -> f64 {
        let drive = if input.drive.abs() <= input.grip { input.drive } else { input.grip.copysign(input.drive) };
        drive + self.mass * input.gravity_along + input.air(speed)
    }

    /// Acceleration [m/s²] at `speed` [m/s] of a vehicle that moves with the sign of `direction`.
    fn acceleration(&self, speed: f64, direction: f64, input: &LongitudinalInput<'_>) -> f64 {
        (self.pull(speed, input) - direction * self.dry(speed, input)) / self.effective_mass()
    }

    /// Whether a standing vehicle stays at rest.
    pub fn is_held(&self, input: &LongitudinalInput<'_>) -> bool {
        self.pull(0.0, input).abs() <= self.dry(0.0, input)
    }

    /// One step of `dt` [s] from `speed` [m/s].
    pub fn advance(&self, speed: f64, input: &LongitudinalInput<'_>, dt: f64) -> Advance {
        if speed == 0.0 && self.is_held(input) {
            return Advance::default();
        }
        let direction = if speed == 0.0 { self.pull(0.0, input).signum() } else { speed.signum() };
        let [distance, end] =
            Integrator::Rk4.step([0.0, speed], dt, |s| [s[1], self.acceleration(s[1], direction, input)]);
        if end * direction >= 0.0 {
            return Advance { distance, speed: end };
        }
        // It came to rest within the step, after this fraction.
        let part = speed / (speed - end);
        let stopped = Advance { distance: 0.5 * speed * part * dt, speed: 0.0 };
        if self.is_held(input) {
            return stopped;
        }
        let remaining_time = (1.0 - part) * dt;
        let back = self.acceleration(0.0, -direction, input);
        Advance {
            distance: stopped.distance + 0.5 * back * remaining_time * remaining_time,
            speed: back * remaining_time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAR: Longitudinal = Longitudinal { mass: 1200.0, rotating_mass: 60.0 };
    const LEVEL: LongitudinalInput<'_> = LongitudinalInput {
        drive: 0.0,
        brake: 0.0,
        grip: 10e3,
        gravity_along: 0.0,
        gravity_into_ground: 9.81,
        ground_rolling: 0.0,
        drag: 0.0,
        resistance: &Resistance { drag: 0.0, rolling: [0.0; 3], wind_in_body: None },
    };

    fn run(speed: f64, input: &LongitudinalInput<'_>, seconds: f64, dt: f64) -> Advance {
        (0..(seconds / dt).round() as u32).fold(Advance { distance: 0.0, speed }, |at, _| {
            let next = CAR.advance(at.speed, input, dt);
            Advance { distance: at.distance + next.distance, speed: next.speed }
        })
    }

    #[test]
    fn it_stops_after_v_squared_over_two_a_at_any_step() {
        let braking = LongitudinalInput { brake: 6300.0, ..LEVEL };
        for (speed, dt) in [(20.0, 0.001), (20.0, 0.02), (-20.0, 0.005), (7.3, 0.1)] {
            let end = run(speed, &braking, 10.0, dt);
            let expected = 0.5 * speed * speed.abs() / (6300.0 / 1260.0);
            assert!(end.speed == 0.0 && (end.distance - expected).abs() < 1e-9, "{speed} {dt}: {end:?} {expected}");
        }
    }

    #[test]
    fn coasting_against_air_follows_the_closed_form() {
        // v(t) = v0/(1 + C·v0·t/M), s(t) = M/C·ln(1 + C·v0·t/M).
        let air = LongitudinalInput { drag: 0.8, ..LEVEL };
        let end = run(40.0, &air, 60.0, 0.02);
        let growth: f64 = 1.0 + 0.8 * 40.0 * 60.0 / 1260.0;
        assert!((end.speed - 40.0 / growth).abs() < 1e-8, "{end:?}");
        assert!((end.distance - 1260.0 / 0.8 * growth.ln()).abs() < 1e-6, "{end:?}");
    }

    #[test]
    fn top_speed_is_where_drive_and_drag_balance() {
        let resistance = &Resistance { rolling: [0.01, 0.0, 1e-6], ..Resistance::default() };
        let full = LongitudinalInput { drive: 900.0, drag: 0.5, resistance, ..LEVEL };
        let weight: f64 = 1200.0 * 9.81;
        let expected = ((900.0 - 0.01 * weight) / (0.5 + 1e-6 * weight)).sqrt();
        assert!((run(0.0, &full, 900.0, 0.05).speed - expected).abs() < 1e-6);
    }

    #[test]
    fn a_slope_accelerates_by_g_sin_and_brakes_hold_up_to_their_capacity() {
        let downhill = LongitudinalInput { gravity_along: 0.7, ..LEVEL };
        let end = run(0.0, &downhill, 3.0, 0.01);
        assert!((end.speed - 3.0 * 0.7 * 1200.0 / 1260.0).abs() < 1e-12);
        let pull = 0.7 * 1200.0;
        assert!(CAR.is_held(&LongitudinalInput { brake: 1.001 * pull, ..downhill }));
        assert!(!CAR.is_held(&LongitudinalInput { brake: 0.999 * pull, ..downhill }));
        // Rolling up, stopping, and rolling back: friction takes energy in both directions.
        let resistance = &Resistance { rolling: [0.02, 0.0, 0.0], ..Resistance::default() };
        let uphill = LongitudinalInput { gravity_along: -0.7, resistance, ..LEVEL };
        let friction = 0.02 * 9.81 * 1200.0;
        let (up, down) = ((pull + friction) / 1260.0, (pull - friction) / 1260.0);
        let turning = 5.0 / up;
        let end = run(5.0, &uphill, turning + 2.0, (turning + 2.0) / 1000.0);
        assert!((end.speed + 2.0 * down).abs() < 1e-9, "{end:?}");
        assert!((end.distance - (0.5 * 5.0 * turning - 0.5 * down * 4.0)).abs() < 1e-4, "{end:?}");
    }

    #[test]
    fn forces_are_limited_by_the_grip_of_the_ground() {
        let icy = LongitudinalInput { drive: 9e3, grip: 1260.0, ..LEVEL };
        assert!((run(0.0, &icy, 2.0, 0.01).speed - 2.0).abs() < 1e-12);
        assert!((run(9.0, &LongitudinalInput { brake: 9e3, drive: 0.0, ..icy }, 2.0, 0.01).speed - 7.0).abs() < 1e-12);
    }
}
