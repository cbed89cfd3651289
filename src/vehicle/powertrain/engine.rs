//! Engines: torque over speed and throttle, `<engine type="gasoline|diesel|electric|table">` of `<powertrain>`.
//!
//! The throttle t interpolates linearly between drag and full load: T = T_drag + t·(T_full − T_drag). Combustion engines idle
//! by a governor that opens the throttle below `idle_speed`, fully at three quarters of it, and brake with their drag when the
//! throttle is closed. Above `max_speed` the limiter closes the throttle within 3 % of speed.
//!
//! * `gasoline`, `diesel`: a curve through five points, scaled so that it has the peak torque T and, at ω_P = P/(k·T), the peak
//!   power P; k is 0.85 and 0.75. In units of ω_P and T: gasoline (0.12, 0.6) (0.3, 0.85) (0.6, 1) (1, 0.85) (1.1, 0.7), diesel
//!   (0.15, 0.5) (0.25, 0.75) (0.4, 1) (0.65, 1) (1, 0.75) (1.15, 0.5). Shapes chosen after the typical torque curves in
//!   S. Waslander and J. Kelly, "Introduction to Self-Driving Cars" (University of Toronto, Coursera), module 4: gasoline rises
//!   to a flat peak, diesel has its torque at low speed.
//! * `electric`: T_full = min(T, P/|ω|), in both directions; with the throttle closed, the share `regeneration` of it brakes.
//! * `table`: user-defined points with linear interpolation, constant beyond them.
//!
//! ```xml
//! <engine type="gasoline">
//!   <peak_torque>150</peak_torque>          T [N·m], > 0; not for table
//!   <peak_power>85000</peak_power>          P [W], > 0; not for table
//!   <torque_curve>1000 90 4000 150 6000 130</torque_curve>   table only: pairs of speed [rpm], rising, and torque [N·m] ≥ 0
//!   <inertia>0.15</inertia>                 with flywheel or rotor, and pump of the converter [kg·m²], > 0; electric 0.03
//!   <idle_speed>800</idle_speed>            [rpm], > 0; not for electric
//!   <max_speed>6700</max_speed>             [rpm], > idle; default: last point of the curve; electric 14000
//!   <drag_torque>10 25</drag_torque>        at rest and at max_speed [N·m], ≥ 0; default 7 % and 17 % of T; electric 0.5 % and 1 %
//!   <regeneration>0.2</regeneration>        electric only: share of full load that brakes with the foot off [-], 0 to 1
//! </engine>
//! ```
//! Not modelled: intake and turbo lag, fuel, temperature, a battery's limits, cold start and stalling.

use skidpad_xml::{Accept, Reader};

/// One revolution per minute in rad/s.
pub const RPM: f64 = std::f64::consts::PI / 30.0;
/// Share of `max_speed` over which the limiter acts.
const LIMITER: f64 = 0.03;
/// Share of the idle speed below which the governor opens the throttle fully.
const WIDE_OPEN: f64 = 0.75;
/// Speed at which an electric motor's drag is fully developed, relative to `max_speed`.
const ELECTRIC_FADE: f64 = 0.01;

/// Full-load torque over speed.
#[derive(Clone, Debug, PartialEq)]
pub enum TorqueCurve {
    /// Points of speed [rad/s], rising, and torque [N·m]: linear in between, constant beyond.
    Points(Vec<(f64, f64)>),
    /// Limits of an electric motor: torque [N·m] and power [W].
    Limits {
        /// Largest torque [N·m].
        torque: f64,
        /// Largest power [W].
        power: f64,
    },
}

impl TorqueCurve {
    /// Torque [N·m] at `speed` [rad/s] ≥ 0.
    pub fn torque(&self, speed: f64) -> f64 {
        match self {
            TorqueCurve::Points(points) => interpolate(points, speed),
            TorqueCurve::Limits { torque, power } => {
                if speed * torque <= *power {
                    *torque
                } else {
                    power / speed
                }
            }
        }
    }

    /// Largest torque at any speed [N·m].
    pub fn peak(&self) -> f64 {
        match self {
            TorqueCurve::Points(points) => points.iter().map(|p| p.1).fold(0.0, f64::max),
            TorqueCurve::Limits { torque, .. } => *torque,
        }
    }

    /// A shape in units of ω_P and T, for the peak torque T [N·m] and peak power P [W] at ω_P = P/(k·T).
    fn scaled(shape: &[(f64, f64)], k: f64, torque: f64, power: f64) -> TorqueCurve {
        let at_power = power / (k * torque);
        TorqueCurve::Points(shape.iter().map(|&(x, y)| (x * at_power, y * torque)).collect())
    }

    /// The gasoline preset for a peak torque [N·m] and power [W].
    pub fn gasoline(torque: f64, power: f64) -> TorqueCurve {
        TorqueCurve::scaled(&[(0.12, 0.6), (0.3, 0.85), (0.6, 1.0), (1.0, 0.85), (1.1, 0.7)], 0.85, torque, power)
    }

    /// The diesel preset for a peak torque [N·m] and power [W].
    pub fn diesel(torque: f64, power: f64) -> TorqueCurve {
        let shape = [(0.15, 0.5), (0.25, 0.75), (0.4, 1.0), (0.65, 1.0), (1.0, 0.75), (1.15, 0.5)];
        TorqueCurve::scaled(&shape, 0.75, torque, power)
    }

    /// Speed of the last point [rad/s].
    fn last_speed(&self) -> Option<f64> {
        match self {
            TorqueCurve::Points(points) => points.last().map(|p| p.0),
            TorqueCurve::Limits { .. } => None,
        }
    }
}

/// Linear interpolation at `x` through `points`, which rise in x; constant beyond them, and 0 without any.
pub(super) fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let next = points.partition_point(|p| p.0 <= x);
    match (next.checked_sub(1).map(|i| points[i]), points.get(next)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * ((x - x0) / (x1 - x0)),
        (Some((_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    }
}

/// An engine. Its speed is part of the state of the powertrain.
#[derive(Clone, Debug, PartialEq)]
pub struct Engine {
    /// Full load.
    pub curve: TorqueCurve,
    /// Whether it runs in both directions from standstill, without idling.
    pub electric: bool,
    /// Moment of inertia [kg·m²].
    pub inertia: f64,
    /// Speed without load and throttle [rad/s]; 0 for electric ones.
    pub idle_speed: f64,
    /// Speed at which the limiter begins [rad/s].
    pub max_speed: f64,
    /// Drag torque at rest and at `max_speed` [N·m], ≥ 0.
    pub drag: [f64; 2],
    /// Share of full load that brakes with the throttle closed [-]; electric only.
    pub regeneration: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Gasoline,
    Diesel,
    Electric,
    Table,
}

const KINDS: &[(&str, Kind)] =
    &[("gasoline", Kind::Gasoline), ("diesel", Kind::Diesel), ("electric", Kind::Electric), ("table", Kind::Table)];

impl Engine {
    /// An engine with this full-load curve and the defaults above for everything else.
    pub fn new(curve: TorqueCurve, electric: bool) -> Engine {
        let peak = curve.peak();
        let share = if electric { [0.005, 0.01] } else { [0.07, 0.17] };
        Engine {
            electric,
            inertia: if electric { 0.03 } else { 0.15 },
            idle_speed: if electric { 0.0 } else { 800.0 * RPM },
            max_speed: curve.last_speed().unwrap_or(14_000.0 * RPM),
            drag: [share[0] * peak, share[1] * peak],
            regeneration: if electric { 0.2 } else { 0.0 },
            curve,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>) -> Engine {
        let kind = reader.attribute_choice("type", Kind::Gasoline, KINDS);
        let electric = kind == Kind::Electric;
        let limits = |torque: f64, power: f64| {
            (reader.f64("peak_torque", torque, Accept::positive()), reader.f64("peak_power", power, Accept::positive()))
        };
        let curve = match kind {
            Kind::Gasoline => {
                let (torque, power) = limits(150.0, 85e3);
                TorqueCurve::gasoline(torque, power)
            }
            Kind::Diesel => {
                let (torque, power) = limits(320.0, 110e3);
                TorqueCurve::diesel(torque, power)
            }
            Kind::Electric => {
                let (torque, power) = limits(220.0, 110e3);
                TorqueCurve::Limits { torque, power }
            }
            Kind::Table => TorqueCurve::Points(read_curve(reader)),
        };
        let mut engine = Engine::new(curve, electric);
        engine.inertia = reader.f64("inertia", engine.inertia, Accept::positive());
        if !electric {
            engine.idle_speed = RPM * reader.f64("idle_speed", engine.idle_speed / RPM, Accept::positive());
        }
        engine.max_speed = RPM * reader.f64("max_speed", engine.max_speed / RPM, Accept::positive());
        if engine.max_speed <= engine.idle_speed {
            let (max, idle) = (engine.max_speed / RPM, engine.idle_speed / RPM);
            reader
                .error_at(
                    "max_speed",
                    format!("the engine's max_speed {max:.0} rpm is not above its idle {idle:.0} rpm"),
                )
                .accepted(["max_speed greater than idle_speed"]);
        }
        if let Some(drag) = reader.numbers("drag_torque", &[2]) {
            if drag.iter().any(|&torque| torque < 0.0) {
                reader.error_at("drag_torque", "a drag torque below 0").accepted(["two numbers >= 0 [N·m]"]);
            }
            engine.drag = [drag[0].max(0.0), drag[1].max(0.0)];
        }
        if electric {
            engine.regeneration = reader.f64("regeneration", engine.regeneration, Accept::range(0.0, 1.0));
        }
        engine
    }

    /// Torque at full load [N·m] at `speed` [rad/s], without the limiter.
    #[inline]
    pub fn full_load(&self, speed: f64) -> f64 {
        self.curve.torque(speed.abs())
    }

    /// Torque with the throttle closed [N·m] at `speed` [rad/s]: against the motion.
    #[inline]
    pub fn drag_torque(&self, speed: f64) -> f64 {
        let [at_rest, at_max] = self.drag;
        let part = speed.abs() / self.max_speed;
        let drag = at_rest + (at_max - at_rest) * part;
        if self.electric {
            let fade = (speed / (ELECTRIC_FADE * self.max_speed)).clamp(-1.0, 1.0);
            -(drag + self.regeneration * self.full_load(speed)) * fade
        } else {
            // Fully developed from a quarter of the idle speed on, so that drag does not turn a stopped engine backwards.
            -drag * (4.0 * speed / self.idle_speed).clamp(0.0, 1.0)
        }
    }

    /// Torque on the shaft [N·m] at `throttle` [-], 0 to 1, and `speed` [rad/s]: governor and limiter included.
    #[inline]
    pub fn torque(&self, throttle: f64, speed: f64) -> f64 {
        let (full, drag) = (self.full_load(speed), self.drag_torque(speed));
        let mut open = throttle.clamp(0.0, 1.0);
        if !self.electric {
            open = open.max(self.governor(speed, full, drag));
        }
        let beyond = (speed.abs() - self.max_speed) / (LIMITER * self.max_speed);
        open *= 1.0 - beyond.clamp(0.0, 1.0);
        drag + open * (full - drag)
    }

    /// Throttle [-] demanded by the idle governor: at idle speed just enough to hold the speed without load.
    #[inline]
    fn governor(&self, speed: f64, full: f64, drag: f64) -> f64 {
        let holding = if full - drag > 0.0 { -drag / (full - drag) } else { 0.0 };
        let below = (1.0 - speed / self.idle_speed) / (1.0 - WIDE_OPEN);
        if below >= 0.0 {
            (holding + (1.0 - holding) * below).min(1.0)
        } else {
            // Closed again 5 % above idle speed.
            (holding * (1.0 + 5.0 * below)).max(0.0)
        }
    }
}

/// The points of `<torque_curve>`; invalid ones are an error.
fn read_curve(reader: &Reader<'_>) -> Vec<(f64, f64)> {
    const ACCEPTED: &str = "pairs of speed [rpm] and torque [N·m], such as 1000 90 4000 150 6000 130";
    let fallback = vec![(0.0, 1.0), (1000.0, 1.0)];
    let Some(numbers) = reader.numbers("torque_curve", &[]) else {
        if !reader.has("torque_curve") {
            reader.missing("<torque_curve>").accepted([ACCEPTED]);
        }
        return fallback;
    };
    if numbers.len() < 4 || !numbers.len().is_multiple_of(2) {
        reader
            .error_at("torque_curve", format!("{} numbers in <torque_curve>", numbers.len()))
            .accepted([ACCEPTED])
            .hint("an even count, and two points at least");
        return fallback;
    }
    let points: Vec<(f64, f64)> = numbers.chunks_exact(2).map(|pair| (pair[0] * RPM, pair[1])).collect();
    if let Some(pair) = numbers.chunks_exact(2).zip(numbers.chunks_exact(2).skip(1)).find(|(a, b)| a[0] >= b[0]) {
        reader
            .error_at("torque_curve", format!("{} rpm after {} rpm in <torque_curve>", pair.1[0], pair.0[0]))
            .accepted(["speeds that rise from point to point"]);
        return fallback;
    }
    if let Some(pair) = numbers.chunks_exact(2).find(|pair| pair[0] < 0.0 || pair[1] < 0.0) {
        reader
            .error_at("torque_curve", format!("the point {} rpm, {} N·m in <torque_curve>", pair[0], pair[1]))
            .accepted(["numbers >= 0"]);
        return fallback;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peak torque T and peak power P as in the manual page: max over ω of T(ω) and of T(ω)·ω.
    #[test]
    fn presets_reach_their_peak_torque_and_power() {
        for (curve, torque, power) in [
            (TorqueCurve::gasoline(150.0, 85e3), 150.0, 85e3),
            (TorqueCurve::diesel(320.0, 110e3), 320.0, 110e3),
            (TorqueCurve::Limits { torque: 220.0, power: 110e3 }, 220.0, 110e3),
        ] {
            let speeds = || (1..200_000).map(|i| 0.005 * f64::from(i));
            let most = speeds().map(|w| curve.torque(w)).fold(0.0, f64::max);
            let strongest = speeds()
                .filter(|w| curve.last_speed().is_none_or(|last| *w <= last))
                .map(|w| w * curve.torque(w))
                .fold(0.0, f64::max);
            assert!((most / torque - 1.0).abs() < 1e-9, "{most}");
            assert!((strongest / power - 1.0).abs() < 1e-5, "{strongest}");
        }
    }

    #[test]
    fn a_table_is_linear_between_its_points_and_constant_beyond() {
        let curve = TorqueCurve::Points(vec![(100.0, 50.0), (200.0, 100.0), (300.0, 80.0)]);
        for (speed, torque) in [(0.0, 50.0), (100.0, 50.0), (150.0, 75.0), (250.0, 90.0), (300.0, 80.0), (400.0, 80.0)]
        {
            assert_eq!(curve.torque(speed), torque, "{speed}");
        }
    }

    #[test]
    fn the_throttle_mixes_drag_and_full_load() {
        let engine = Engine::new(TorqueCurve::gasoline(150.0, 85e3), false);
        let (speed, full) = (400.0, engine.full_load(400.0));
        let drag = engine.drag_torque(speed);
        assert!(drag < -10.0 && full > 140.0);
        for throttle in [0.0, 0.25, 1.0] {
            let expected = drag + throttle * (full - drag);
            assert!((engine.torque(throttle, speed) - expected).abs() < 1e-12, "{throttle}");
        }
        assert!((engine.torque(0.0, engine.idle_speed)).abs() < 1e-12, "no torque at idle");
        assert!(engine.torque(0.0, 0.9 * engine.idle_speed) > 20.0, "it catches itself");
        assert_eq!(engine.torque(1.0, 1.04 * engine.max_speed), engine.drag_torque(1.04 * engine.max_speed));
    }

    #[test]
    fn a_motor_is_symmetric_except_for_the_throttle() {
        let motor = Engine::new(TorqueCurve::Limits { torque: 200.0, power: 100e3 }, true);
        assert_eq!(motor.torque(1.0, 0.0), 200.0);
        assert_eq!(motor.torque(1.0, 1000.0), 100.0);
        assert!((motor.torque(0.0, 1000.0) + 0.2 * 100.0 + motor.drag[0]).abs() < 1.0);
        assert_eq!(motor.torque(0.0, -1000.0), -motor.torque(0.0, 1000.0));
        assert_eq!(motor.torque(0.0, 0.0), 0.0);
    }

    #[test]
    fn drag_is_linear_in_speed_and_fades_below_a_quarter_of_idle() {
        let gasoline = Engine::new(TorqueCurve::gasoline(150.0, 85e3), false);
        let engine = Engine { drag: [10.0, 30.0], idle_speed: 80.0, max_speed: 400.0, ..gasoline };
        for (speed, drag) in [(0.0, 0.0), (10.0, 0.5 * 10.5), (20.0, 11.0), (200.0, 20.0), (400.0, 30.0)] {
            assert!((engine.drag_torque(speed) + drag).abs() < 1e-12, "{speed}");
        }
    }

    /// Below 1 % of its top speed a motor's drag and regeneration decrease with the speed, to zero at rest.
    #[test]
    fn the_drag_of_a_motor_fades_in_proportion_near_rest() {
        let plain = Engine::new(TorqueCurve::Limits { torque: 200.0, power: 100e3 }, true);
        let motor = Engine { drag: [10.0, 30.0], max_speed: 400.0, regeneration: 0.1, ..plain };
        for (speed, share) in [(0.0_f64, 0.0), (1.0, 0.25), (-2.0, -0.5), (4.0, 1.0), (100.0, 1.0)] {
            let whole = 10.0 + 20.0 * speed.abs() / 400.0 + 0.1 * 200.0;
            assert!((motor.drag_torque(speed) + share * whole).abs() < 1e-12, "{speed}: {}", motor.drag_torque(speed));
        }
    }

    /// A drag of 25 N·m and a full-load torque of 100 N·m: one fifth of throttle balances the drag.
    #[test]
    fn the_governor_opens_below_idle_and_closes_above() {
        let engine = Engine { idle_speed: 80.0, ..Engine::new(TorqueCurve::gasoline(150.0, 85e3), false) };
        let half_open = 0.5 * (1.0 + WIDE_OPEN);
        for (part, throttle) in [(1.0, 0.2), (half_open, 0.6), (WIDE_OPEN, 1.0), (0.0, 1.0), (1.025, 0.1), (1.06, 0.0)]
        {
            let actual = engine.governor(80.0 * part, 100.0, -25.0);
            assert!((actual - throttle).abs() < 1e-12, "{actual} at {part} of idle");
        }
    }
}
