//! Service brakes, `<brakes>` in `<dynamics>`: from the pedal to the torque capacity of each wheel's brake, with ABS.
//!
//! Linear from pedal to torque (S. Waslander and J. Kelly, "Introduction to Self-Driving Cars", University of Toronto, Coursera,
//! module 4): capacity of a wheel = pedal · `max_torque` · share of its axle / wheels of the axle. The pressure may follow
//! the pedal with a first-order lag, exact at any step. The effect of a brake of this capacity on a wheel is described in
//! [`friction::brake`](crate::friction::brake).
//!
//! ABS is a relay on the slip ratio of each wheel with the rates of a valve (the bang-bang principle of Bosch, "Automotive
//! Handbook", "Antilock braking system"; slip as the controlled value after M. Burckhardt, "Fahrwerktechnik:
//! Radschlupf-Regelsysteme", 1993): beyond slip·(1 + hysteresis) the pressure of that wheel falls with `release_rate`,
//! below slip·(1 − hysteresis) the pressure is rebuilt with `rebuild_rate` up to the pedal's, and in between it is held.
//! Below the speed `min_speed` a wheel may lock. The law uses the true slip ratio, which a real controller has to
//! estimate.
//!
//! ```xml
//! <brakes max_torque="3000"      all wheels together at full pedal [N·m], > 0; default: 1.2·m·g·R, more than roads hold
//!         front_share="0.6"      share of the wheels in front of the middle [-], 0 to 1
//!         lag="0"                time constant of the pressure [s], ≥ 0
//!         auto_hold="false">     true: once it stands under the pedal it is held at full pressure until the throttle is pressed
//!   <abs slip="0.15"             target of |slip ratio| [-], 0.01 to 0.9
//!        hysteresis="0.2"        half the width of the relay over the target [-], 0 to 0.9
//!        release_rate="20"       fall of the pressure over that at full pedal [1/s], > 0
//!        rebuild_rate="10"       its rise [1/s], > 0
//!        min_speed="1"/>         works above this speed of the wheel's centre [m/s], ≥ 0
//! </brakes>
//! ```
//! Without the block, a vehicle whose controller has pedals gets these defaults, and any other has no service brakes. Of
//! the models of whole vehicles only `longitudinal` supports the block.
//!
//! Not modelled: fading, hydraulics beyond the lag, and the pump's reaction on the pedal.

use skidpad_xml::{Accept, Reader};

use super::STANDARD_GRAVITY;
use super::command::Pedals;
use super::wheel::WheelParameters;
use crate::friction::{WheelContact, slip_ratio};

/// Speed [m/s] below which automatic holding considers the vehicle stationary.
const STANDS_BELOW: f64 = 1e-3;

/// Torque capacity from the brake pedal.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceBrakes {
    /// Capacity of each wheel's brake at full pedal [N·m].
    full: Vec<f64>,
    /// Time constant of the pressure [s]; 0: none.
    lag: f64,
    auto_hold: bool,
    abs: Option<Abs>,
    /// Pressure relative to that at full pedal [-].
    pressure: f64,
    /// Share of full pressure that ABS allows at each wheel [-].
    allowed: Vec<f64>,
    held: bool,
}

/// Slip control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Abs {
    /// Target of |slip ratio| [-].
    pub slip: f64,
    /// Half the width of the relay over the target [-].
    pub hysteresis: f64,
    /// Rate at which the pressure falls, relative to that at full pedal [1/s].
    pub release_rate: f64,
    /// Rate at which it is rebuilt, relative to the same [1/s].
    pub rebuild_rate: f64,
    /// ABS is inactive below this speed [m/s].
    pub min_speed: f64,
}

impl Default for Abs {
    fn default() -> Abs {
        Abs { slip: 0.15, hysteresis: 0.2, release_rate: 20.0, rebuild_rate: 10.0, min_speed: 1.0 }
    }
}

impl Abs {
    fn read(tag: Reader<'_>) -> Abs {
        let default = Abs::default();
        let abs = Abs {
            slip: tag.attribute_f64("slip", default.slip, Accept::range(0.01, 0.9)),
            hysteresis: tag.attribute_f64("hysteresis", default.hysteresis, Accept::range(0.0, 0.9)),
            release_rate: tag.attribute_f64("release_rate", default.release_rate, Accept::positive()),
            rebuild_rate: tag.attribute_f64("rebuild_rate", default.rebuild_rate, Accept::positive()),
            min_speed: tag.attribute_f64("min_speed", default.min_speed, Accept::non_negative()),
        };
        tag.finish();
        abs
    }

    /// Remaining pressure [-] at this contact for a pedal that commands `wanted` [-].
    #[inline]
    fn follow(&self, allowed: f64, wanted: f64, contact: &WheelContact) -> f64 {
        let speed = contact.velocity_in_wheel.x;
        if wanted <= 0.0 || speed.abs() < self.min_speed {
            return 1.0;
        }
        // Positive when the wheel turns too slowly for its motion, forwards or backwards.
        let slip = -slip_ratio(contact.velocity_in_wheel, contact.spin * contact.radius) * speed.signum();
        let present = allowed.min(wanted);
        if slip > self.slip * (1.0 + self.hysteresis) {
            (present - self.release_rate * contact.dt).max(0.0)
        } else if slip < self.slip * (1.0 - self.hysteresis) {
            (present + self.rebuild_rate * contact.dt).min(1.0)
        } else {
            present
        }
    }
}

impl ServiceBrakes {
    /// Brakes of wheels with these capacities at full pedal [N·m], with or without slip control.
    pub fn new(full: Vec<f64>, abs: Option<Abs>) -> ServiceBrakes {
        let allowed = vec![1.0; full.len()];
        ServiceBrakes { full, lag: 0.0, auto_hold: false, abs, pressure: 0.0, allowed, held: false }
    }

    /// Reads the block from `<dynamics>`, for a vehicle with these wheels under `chassis_mass` [kg]. Without the block: the
    /// defaults if its controller `has_pedals`, otherwise none.
    pub fn read(
        dynamics: &Reader<'_>,
        wheels: &[WheelParameters],
        chassis_mass: f64,
        has_pedals: bool,
    ) -> Option<ServiceBrakes> {
        let mass = chassis_mass + wheels.iter().map(|wheel| wheel.mass).sum::<f64>();
        let radius = wheels.iter().map(|wheel| wheel.radius).sum::<f64>() / wheels.len() as f64;
        let enough = 1.2 * mass * STANDARD_GRAVITY * radius;
        let Some(tag) = dynamics.child("brakes") else {
            return has_pedals.then(|| ServiceBrakes::new(shared(wheels, enough, FRONT_SHARE), None));
        };
        let max_torque = tag.attribute_f64("max_torque", enough, Accept::positive());
        let front_share = tag.attribute_f64("front_share", FRONT_SHARE, Accept::range(0.0, 1.0));
        let abs = tag.child("abs").map(Abs::read);
        let brakes = ServiceBrakes {
            lag: tag.attribute_f64("lag", 0.0, Accept::non_negative()),
            auto_hold: tag.attribute_bool("auto_hold", false),
            ..ServiceBrakes::new(shared(wheels, max_torque, front_share), abs)
        };
        tag.finish();
        Some(brakes)
    }

    /// Adds the torque capacity of the brake at each wheel [N·m], ≥ 0.
    pub fn torques(&mut self, pedals: Pedals, contacts: &[WheelContact], torque: &mut [f64]) {
        let Some(first) = contacts.first() else { return };
        let rise = if self.lag > 0.0 { -libm::expm1(-first.dt / self.lag) } else { 1.0 };
        self.pressure += rise * (pedals.brake - self.pressure);
        self.hold_automatically(pedals, contacts);
        let wanted = if self.held { 1.0 } else { self.pressure };
        for (i, contact) in contacts.iter().enumerate() {
            if let Some(abs) = &self.abs {
                self.allowed[i] = abs.follow(self.allowed[i], wanted, contact);
            }
            torque[i] += wanted.min(self.allowed[i]) * self.full[i];
        }
    }

    fn hold_automatically(&mut self, pedals: Pedals, contacts: &[WheelContact]) {
        if !self.auto_hold || pedals.throttle > 0.0 {
            self.held = false;
        } else if pedals.brake > 0.0 {
            self.held |= contacts.iter().all(|contact| {
                let fastest = contact.velocity_in_wheel.x.abs().max(contact.velocity_in_wheel.y.abs());
                fastest.max((contact.spin * contact.radius).abs()) < STANDS_BELOW
            });
        }
    }

    /// Back to rest.
    pub fn reset(&mut self) {
        self.pressure = 0.0;
        self.allowed.fill(1.0);
        self.held = false;
    }
}

/// Default share of the front wheels [-].
const FRONT_SHARE: f64 = 0.6;

/// Capacity of each wheel [N·m] out of `total` [N·m]. Wheels ahead of the middle are front wheels; with a single axle all
/// wheels are alike.
fn shared(wheels: &[WheelParameters], total: f64, front_share: f64) -> Vec<f64> {
    let xs = || wheels.iter().map(|wheel| wheel.position.x);
    let middle = 0.5 * (xs().fold(f64::INFINITY, f64::min) + xs().fold(f64::NEG_INFINITY, f64::max));
    let front = xs().filter(|&x| x > middle).count();
    let rear = wheels.len() - front;
    let share = |x: f64| match (front, rear) {
        (0, all) => 1.0 / all as f64,
        (front, _) if x > middle => front_share / front as f64,
        (_, rear) => (1.0 - front_share) / rear as f64,
    };
    xs().map(|x| total * share(x)).collect()
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;

    fn wheels(xs: &[f64]) -> Vec<WheelParameters> {
        xs.iter().map(|&x| WheelParameters::new("w", Vec2::new(x, 0.0))).collect()
    }

    fn contact(speed: f64, slip: f64, dt: f64) -> WheelContact {
        let radius = 0.3;
        WheelContact {
            wheel: 0,
            velocity_in_wheel: Vec2::new(speed, 0.0),
            pull_in_wheel: Vec2::ZERO,
            load: 1000.0,
            mass: 100.0,
            spin: speed * (1.0 - slip) / radius,
            torque: 0.0,
            radius,
            inertia: 0.5,
            locked: false,
            camber: 0.0,
            relaxed_slip: Vec2::ZERO,
            ground_mu: None,
            ground_rolling_resistance: None,
            dt,
        }
    }

    fn braking(brake: f64) -> Pedals {
        Pedals { brake, ..Pedals::default() }
    }

    fn torque(brakes: &mut ServiceBrakes, pedals: Pedals, contact: WheelContact) -> f64 {
        let mut torque = [0.0];
        brakes.torques(pedals, &[contact], &mut torque);
        torque[0]
    }

    #[test]
    fn torque_is_shared_by_axles_and_linear_in_the_pedal() {
        assert_eq!(shared(&wheels(&[0.0, 0.0, 2.0, 2.0]), 1000.0, 0.75), [125.0, 125.0, 375.0, 375.0]);
        assert_eq!(shared(&wheels(&[0.0, 0.0]), 1000.0, 0.7), [500.0, 500.0]);
        assert_eq!(shared(&wheels(&[0.0, 0.0, 1.0]), 1000.0, 0.5), [250.0, 250.0, 500.0]);
        let mut brakes = ServiceBrakes::new(vec![400.0], None);
        for pedal in [0.0, 0.25, 1.0] {
            assert_eq!(torque(&mut brakes, braking(pedal), contact(9.0, 1.0, 0.005)), 400.0 * pedal);
        }
    }

    /// 1 − e^(−t/τ), at any step.
    #[test]
    fn the_pressure_follows_with_an_exact_lag() {
        for dt in [0.001_f64, 0.005, 0.02] {
            let mut brakes = ServiceBrakes { lag: 0.1, ..ServiceBrakes::new(vec![100.0], None) };
            let mut last = 0.0;
            for _ in 0..(0.2 / dt).round() as usize {
                last = torque(&mut brakes, braking(1.0), contact(9.0, 0.0, dt));
            }
            assert!((last - 100.0 * (1.0 - (-2.0_f64).exp())).abs() < 1e-9, "{last} at {dt}");
        }
    }

    #[test]
    fn abs_releases_above_the_band_holds_within_it_and_rebuilds_below() {
        for sign in [1.0, -1.0] {
            let mut brakes = ServiceBrakes::new(vec![100.0], Some(Abs::default()));
            let mut at = |slip| torque(&mut brakes, braking(1.0), contact(sign * 10.0, slip, 0.01));
            assert!((at(0.19) - 80.0).abs() < 1e-9);
            assert!((at(0.19) - 60.0).abs() < 1e-9);
            assert!((at(0.15) - 60.0).abs() < 1e-9);
            assert!((at(0.11) - 70.0).abs() < 1e-9);
        }
        let mut brakes = ServiceBrakes::new(vec![100.0], Some(Abs::default()));
        assert_eq!(torque(&mut brakes, braking(1.0), contact(0.9, 1.0, 0.01)), 100.0, "too slow for it");
        // Released by 0.2 of full pressure from half the pedal: rebuilding stops at the pedal's pressure.
        assert!((torque(&mut brakes, braking(0.5), contact(9.0, 1.0, 0.01)) - 30.0).abs() < 1e-9);
        for _ in 0..5 {
            torque(&mut brakes, braking(0.5), contact(9.0, 0.0, 0.01));
        }
        assert_eq!(torque(&mut brakes, braking(0.5), contact(9.0, 0.0, 0.01)), 50.0);
    }

    #[test]
    fn automatic_holding_begins_at_standstill_and_ends_with_the_throttle() {
        let mut brakes = ServiceBrakes { auto_hold: true, ..ServiceBrakes::new(vec![100.0], None) };
        let (rolling, standing) = (contact(1.0, 0.0, 0.01), contact(0.0, 0.0, 0.01));
        assert_eq!(torque(&mut brakes, braking(0.3), rolling), 30.0);
        assert_eq!(torque(&mut brakes, braking(0.0), standing), 0.0, "not under the pedal");
        assert_eq!(torque(&mut brakes, braking(0.3), standing), 100.0);
        assert_eq!(torque(&mut brakes, braking(0.0), standing), 100.0);
        let throttle = Pedals { throttle: 0.1, ..Pedals::default() };
        assert_eq!(torque(&mut brakes, throttle, standing), 0.0);
    }
}
