//! Couplings between engine and gearbox: `<coupling type="torque_converter|clutch|none">` of `<powertrain>`.
//!
//! * `torque_converter`: with the pump on the engine at ω_p, the turbine on the gearbox at ω_t and ν = ω_t/ω_p, the pump takes
//!   T_p = λ(ν)·ω_p² and the turbine gives μ(ν)·T_p (J. Y. Wong, "Theory of Ground Vehicles", §3.3, where the capacity factor
//!   is K = ω_p/√T_p). λ(0) follows from the stall speed, at which full load balances the stationary turbine. Beyond ν = 1
//!   turbine and pump swap roles: T_p = −λ(1/ν)·ω_t², without multiplication. From a given gear and speed on, a lock-up clutch
//!   may bridge the converter.
//! * `clutch`: an automatic friction clutch. It carries at most c(ω) = capacity·(ω − engage)/(full − engage), limited to
//!   0…capacity, with ω the faster of engine and input shaft: so it closes as the engine revs up or the vehicle rolls, and
//!   opens before the engine stalls. It sticks if it can, else it slips with that torque.
//! * `none`: a rigid shaft, for electric motors.
//!
//! ```xml
//! <coupling type="torque_converter">       default; for electric engines none
//!   <stall_speed>2000</stall_speed>        at full load [rpm], > 0
//!   <characteristic>0 2 1  0.2 1.8 1.02  0.4 1.56 1.01  0.6 1.32 0.96  0.8 1.09 0.82  0.88 1 0.71  0.95 1 0.4  1 1 0</characteristic>
//!                                          rows of ν [-], rising from 0 to 1, μ [-] ≥ 0, and λ(ν)/λ(0) [-] ≥ 0
//!   <lock_up_gear>0</lock_up_gear>         from this gear on it locks up; 0: never
//!   <lock_up_speed>1800</lock_up_speed>    of the turbine [rpm], > 0; it opens again at 85 % of it
//! </coupling>
//! <coupling type="clutch">
//!   <capacity>225</capacity>               [N·m], > 0; default 1.5 times the engine's peak torque
//!   <engage_speed>880</engage_speed>       where it begins to carry [rpm], > 0; default 1.1 times idle
//!   <full_speed>2400</full_speed>          where it carries all [rpm], > engage_speed; default 3 times idle
//! </coupling>
//! ```
//! The default characteristic is typical of passenger cars: torque ratio 2 at stall, coupling point at ν = 0.88. Not
//! modelled: heat and wear, response time of pedals and valves, dampers.

use skidpad_xml::{Accept, Reader};

use super::engine::{Engine, RPM, interpolate};

/// Speed ratio, torque ratio and relative capacity of the default converter.
const CHARACTERISTIC: [[f64; 3]; 8] = [
    [0.0, 2.0, 1.0],
    [0.2, 1.8, 1.02],
    [0.4, 1.56, 1.01],
    [0.6, 1.32, 0.96],
    [0.8, 1.09, 0.82],
    [0.88, 1.0, 0.71],
    [0.95, 1.0, 0.4],
    [1.0, 1.0, 0.0],
];

/// The connection between engine and gearbox.
#[derive(Clone, Debug, PartialEq)]
pub enum Coupling {
    /// A rigid shaft.
    Rigid,
    /// An automatic friction clutch.
    Clutch(Clutch),
    /// A hydrodynamic torque converter.
    Converter(TorqueConverter),
}

/// An automatic friction clutch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clutch {
    /// Torque capacity when fully closed [N·m].
    pub capacity: f64,
    /// Speed at which it begins to transmit torque [rad/s].
    pub engage_speed: f64,
    /// Speed at which it is fully closed [rad/s].
    pub full_speed: f64,
}

impl Clutch {
    /// The defaults above for this engine.
    pub fn new(engine: &Engine) -> Clutch {
        Clutch {
            capacity: 1.5 * engine.curve.peak(),
            engage_speed: 1.1 * engine.idle_speed,
            full_speed: 3.0 * engine.idle_speed,
        }
    }

    /// Torque capacity [N·m] when the faster side turns at `speed` [rad/s].
    #[inline]
    pub fn limit(&self, speed: f64) -> f64 {
        let closed = (speed - self.engage_speed) / (self.full_speed - self.engage_speed);
        self.capacity * closed.clamp(0.0, 1.0)
    }
}

/// A hydrodynamic torque converter.
#[derive(Clone, Debug, PartialEq)]
pub struct TorqueConverter {
    /// λ at stall [N·m·s²/rad²].
    pub stall_capacity: f64,
    /// Torque ratio [-] over the speed ratio [-].
    pub torque_ratio: Vec<(f64, f64)>,
    /// Capacity relative to that at stall [-] over the speed ratio [-].
    pub relative_capacity: Vec<(f64, f64)>,
    /// Lowest gear and turbine speed [rad/s] at which it locks up, if it does.
    pub lock_up: Option<(i8, f64)>,
}

impl TorqueConverter {
    /// The default characteristic, stalling this engine's full load at `stall_speed` [rad/s]; without lock-up.
    pub fn new(engine: &Engine, stall_speed: f64) -> TorqueConverter {
        TorqueConverter::from_rows(engine, stall_speed, &CHARACTERISTIC)
    }

    fn from_rows(engine: &Engine, stall_speed: f64, rows: &[[f64; 3]]) -> TorqueConverter {
        TorqueConverter {
            stall_capacity: engine.full_load(stall_speed) / (stall_speed * stall_speed),
            torque_ratio: rows.iter().map(|row| (row[0], row[1])).collect(),
            relative_capacity: rows.iter().map(|row| (row[0], row[2])).collect(),
            lock_up: None,
        }
    }

    /// Torques [N·m] that the pump takes from the engine and the turbine gives to the gearbox, at their speeds [rad/s].
    #[inline]
    pub fn torques(&self, pump_speed: f64, turbine_speed: f64) -> [f64; 2] {
        let pump = pump_speed.max(0.0);
        if turbine_speed > pump {
            let ratio = pump / turbine_speed;
            let torque =
                -self.stall_capacity * interpolate(&self.relative_capacity, ratio) * turbine_speed * turbine_speed;
            return [torque; 2];
        }
        // A turbine that turns backwards counts as stationary.
        let ratio = if pump > 0.0 { (turbine_speed / pump).max(0.0) } else { 0.0 };
        let torque = self.stall_capacity * interpolate(&self.relative_capacity, ratio) * pump * pump;
        [torque, interpolate(&self.torque_ratio, ratio) * torque]
    }

    /// Upper bound of the torques of pump and turbine [N·m] while both turn at most at `speed` [rad/s].
    pub(super) fn largest_torque(&self, speed: f64) -> f64 {
        let most = |rows: &[(f64, f64)]| rows.iter().map(|row| row.1).fold(1.0, f64::max);
        self.stall_capacity * most(&self.relative_capacity) * most(&self.torque_ratio) * speed * speed
    }

    /// Whether the lock-up clutch is closed, in `gear` with the turbine at `turbine_speed` [rad/s]; `closed` is its previous state.
    pub(super) fn is_locked_up(&self, closed: bool, gear: i8, turbine_speed: f64) -> bool {
        let opens_at = |speed: f64| if closed { 0.85 * speed } else { speed };
        self.lock_up.is_some_and(|(from, speed)| gear >= from && turbine_speed >= opens_at(speed))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Rigid,
    Clutch,
    Converter,
}

const KINDS: &[(&str, Kind)] =
    &[("torque_converter", Kind::Converter), ("clutch", Kind::Clutch), ("none", Kind::Rigid)];

impl Coupling {
    /// Reads the XML block above, for this engine; without the block, the default.
    pub fn read(reader: Option<&Reader<'_>>, engine: &Engine) -> Coupling {
        let default = if engine.electric { Kind::Rigid } else { Kind::Converter };
        let Some(reader) = reader else {
            return match default {
                Kind::Rigid => Coupling::Rigid,
                _ => Coupling::Converter(TorqueConverter::new(engine, 2000.0 * RPM)),
            };
        };
        let kind = reader.attribute_choice("type", default, KINDS);
        if engine.electric && kind != Kind::Rigid {
            reader.error("an electric engine has no clutch and no converter").accepted(["<coupling type=\"none\">"]);
            return Coupling::Rigid;
        }
        if !engine.electric && kind == Kind::Rigid {
            reader
                .error("an engine that idles cannot be coupled rigidly")
                .accepted(["torque_converter", "clutch"])
                .hint("only <engine type=\"electric\"> starts from standstill");
            return Coupling::Rigid;
        }
        match kind {
            Kind::Rigid => Coupling::Rigid,
            Kind::Clutch => Coupling::Clutch(read_clutch(reader, engine)),
            Kind::Converter => Coupling::Converter(read_converter(reader, engine)),
        }
    }
}

fn read_clutch(reader: &Reader<'_>, engine: &Engine) -> Clutch {
    let default = Clutch::new(engine);
    let clutch = Clutch {
        capacity: reader.f64("capacity", default.capacity, Accept::positive()),
        engage_speed: RPM * reader.f64("engage_speed", default.engage_speed / RPM, Accept::positive()),
        full_speed: RPM * reader.f64("full_speed", default.full_speed / RPM, Accept::positive()),
    };
    if clutch.full_speed <= clutch.engage_speed {
        let (full, engage) = (clutch.full_speed / RPM, clutch.engage_speed / RPM);
        reader
            .error_at(
                "full_speed",
                format!("the clutch's full_speed {full:.0} rpm is not above its engage_speed {engage:.0} rpm"),
            )
            .accepted(["full_speed greater than engage_speed"]);
        return default;
    }
    clutch
}

fn read_converter(reader: &Reader<'_>, engine: &Engine) -> TorqueConverter {
    let stall = RPM * reader.f64("stall_speed", 2000.0, Accept::positive());
    let gear = reader.integer("lock_up_gear", 0, Accept::range(0.0, 100.0)) as i8;
    let speed = RPM * reader.f64("lock_up_speed", 1800.0, Accept::positive());
    let mut converter = match reader.numbers("characteristic", &[]) {
        Some(numbers) => match rows(reader, &numbers) {
            Some(rows) => TorqueConverter::from_rows(engine, stall, &rows),
            None => TorqueConverter::new(engine, stall),
        },
        None => TorqueConverter::new(engine, stall),
    };
    if gear > 0 {
        converter.lock_up = Some((gear, speed));
    }
    if converter.stall_capacity <= 0.0 {
        reader
            .error_at("stall_speed", format!("the engine has no torque at the stall speed {:.0} rpm", stall / RPM))
            .accepted(["a speed at which the engine pulls"]);
    }
    converter
}

/// The rows of `<characteristic>`; invalid ones are an error.
fn rows(reader: &Reader<'_>, numbers: &[f64]) -> Option<Vec<[f64; 3]>> {
    let rows: Vec<[f64; 3]> = numbers.chunks_exact(3).map(|row| [row[0], row[1], row[2]]).collect();
    let whole = numbers.len().is_multiple_of(3) && rows.len() >= 2;
    let ends = rows.first().map(|row| row[0]) == Some(0.0) && rows.last().map(|row| row[0]) == Some(1.0);
    let rising = rows.iter().zip(rows.iter().skip(1)).all(|(a, b)| a[0] < b[0]);
    // A converter cannot put out more power than it takes in.
    let loses = rows.iter().all(|row| row[0] * row[1] <= 1.0);
    if whole && ends && rising && loses && numbers.iter().all(|&x| x >= 0.0) {
        return Some(rows);
    }
    reader
        .error_at("characteristic", "bad rows in <characteristic>")
        .accepted(["rows of speed ratio, torque ratio and relative capacity, such as 0 2 1  0.9 1 0.7  1 1 0"])
        .hint("the speed ratio rises from 0 to 1, its product with the torque ratio is at most 1, and nothing is negative");
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::powertrain::engine::TorqueCurve;

    fn engine() -> Engine {
        Engine::new(TorqueCurve::gasoline(150.0, 85e3), false)
    }

    /// At stall T_t = μ(0)·T_p and T_p = full load at the stall speed; at the coupling point T_t = T_p; at ν = 1 both are zero.
    #[test]
    fn a_converter_stalls_multiplies_and_couples() {
        let engine = engine();
        let stall = 2000.0 * RPM;
        let converter = TorqueConverter::new(&engine, stall);
        let [pump, turbine] = converter.torques(stall, 0.0);
        assert!((pump - engine.full_load(stall)).abs() < 1e-9 && (turbine - 2.0 * pump).abs() < 1e-9);
        let [pump, turbine] = converter.torques(300.0, 0.88 * 300.0);
        assert!(pump > 0.0 && turbine == pump);
        assert_eq!(converter.torques(300.0, 300.0), [0.0; 2]);
        let [pump, turbine] = converter.torques(240.0, 300.0);
        assert!(pump < 0.0 && turbine == pump, "it brakes on the overrun");
        assert_eq!(converter.torques(100.0, -50.0), converter.torques(100.0, 0.0));
        assert_eq!(converter.torques(0.0, 0.0), [0.0; 2]);
    }

    #[test]
    fn a_clutch_opens_before_the_engine_stalls() {
        let engine = engine();
        let clutch = Clutch::new(&engine);
        assert_eq!(clutch.limit(engine.idle_speed), 0.0);
        assert_eq!(clutch.limit(3.0 * engine.idle_speed), 225.0);
        assert!((clutch.limit(2.05 * engine.idle_speed) - 112.5).abs() < 1e-9);
    }
}
