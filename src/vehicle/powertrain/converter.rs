//! The hydrodynamic torque converter.
//!
//! With the pump on the engine at ω_p, the turbine on the gearbox at ω_t and ν = ω_t/ω_p, the pump takes T_p = λ(ν)·ω_p², and the turbine
//! gives μ(ν)·T_p (J. Y. Wong, "Theory of Ground Vehicles", §3.3, where the capacity factor is K = ω_p/√T_p). λ(0) follows from the stall
//! speed, at which full load balances the stationary turbine. Beyond ν = 1 turbine and pump swap roles: T_p = −λ(1/ν)·ω_t², without
//! multiplication. A turbine that turns backwards counts as stationary.
//!
//! μ and λ are linear between the rows of the characteristic. So the torque is a quadratic function of the turbine's speed there, and the
//! speed at which it balances a shaft is the root of a quadratic equation.

use skidpad_xml::{Accept, Reader};

use super::engine::{Engine, RPM};

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

/// A hydrodynamic torque converter.
#[derive(Clone, Debug, PartialEq)]
pub struct TorqueConverter {
    /// λ at stall [N·m·s²/rad²].
    pub stall_capacity: f64,
    /// Rows of speed ratio ν, torque ratio μ and relative capacity λ/λ(0) [-]; two at least, whose ν rise from 0 to 1.
    pub rows: Vec<[f64; 3]>,
    /// Lowest gear and turbine speed [rad/s] at which it locks up, if it does.
    pub lock_up: Option<(i8, f64)>,
}

/// μ and λ/λ(0) between two rows: their values at the lower one, and their slopes.
struct Segment {
    ratio: f64,
    torque: [f64; 2],
    capacity: [f64; 2],
}

impl TorqueConverter {
    /// The default characteristic, stalling this engine's full load at `stall_speed` [rad/s]; without lock-up.
    pub fn new(engine: &Engine, stall_speed: f64) -> TorqueConverter {
        TorqueConverter::from_rows(engine, stall_speed, CHARACTERISTIC.to_vec())
    }

    fn from_rows(engine: &Engine, stall_speed: f64, rows: Vec<[f64; 3]>) -> TorqueConverter {
        TorqueConverter {
            stall_capacity: engine.full_load(stall_speed) / (stall_speed * stall_speed),
            rows,
            lock_up: None,
        }
    }

    /// Reads `<coupling type="torque_converter">`, for this engine.
    pub(super) fn read(reader: &Reader<'_>, engine: &Engine) -> TorqueConverter {
        let stall = RPM * reader.f64("stall_speed", 2000.0, Accept::positive());
        let gear = reader.integer("lock_up_gear", 0, Accept::range(0.0, 100.0)) as i8;
        let speed = RPM * reader.f64("lock_up_speed", 1800.0, Accept::positive());
        let rows = reader.numbers("characteristic", &[]).and_then(|numbers| read_rows(reader, &numbers));
        let mut converter = match rows {
            Some(rows) => TorqueConverter::from_rows(engine, stall, rows),
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

    /// The segment of a speed ratio from 0 to 1.
    #[inline]
    fn segment_of(&self, ratio: f64) -> usize {
        let inner = &self.rows[1..self.rows.len() - 1];
        inner.iter().take_while(|row| row[0] <= ratio).count()
    }

    #[inline]
    fn segment(&self, index: usize) -> Segment {
        let ([from, mu, lambda], [to, next_mu, next_lambda]) = (self.rows[index], self.rows[index + 1]);
        let per_width = 1.0 / (to - from);
        Segment {
            ratio: from,
            torque: [mu, (next_mu - mu) * per_width],
            capacity: [lambda, (next_lambda - lambda) * per_width],
        }
    }

    /// Torques [N·m] that the pump takes from the engine and the turbine gives to the gearbox, at their speeds [rad/s].
    #[inline]
    pub fn torques(&self, pump_speed: f64, turbine_speed: f64) -> [f64; 2] {
        let pump = pump_speed.max(0.0);
        let overruns = turbine_speed > pump;
        let ratio = match overruns {
            true => pump / turbine_speed,
            false if pump > 0.0 => (turbine_speed / pump).max(0.0),
            false => 0.0,
        };
        let Segment { ratio: from, torque, capacity } = self.segment(self.segment_of(ratio));
        let relative = capacity[0] + capacity[1] * (ratio - from);
        if overruns {
            return [-self.stall_capacity * relative * turbine_speed * turbine_speed; 2];
        }
        let taken = self.stall_capacity * relative * pump * pump;
        [taken, (torque[0] + torque[1] * (ratio - from)) * taken]
    }

    /// The torques [N·m] at the speed of the turbine where the shaft takes what the turbine gives, `per_speed`·(ω_t − `free`); `per_speed`
    /// [N·m·s/rad] is > 0. The turbine's torque at `free` is not 0.
    #[inline]
    pub(super) fn balanced_torques(&self, pump_speed: f64, free: f64, per_speed: f64) -> [f64; 2] {
        let pump = pump_speed.max(0.0);
        let turbine =
            if free > pump { self.overrunning(pump, free, per_speed) } else { self.driving(pump, free, per_speed) };
        let [_, ratio, capacity] = self.rows[self.rows.len() - 1];
        if turbine == pump && capacity > 0.0 {
            // With capacity at ν = 1 the torques jump there, and the turbine stays with the pump.
            let given = per_speed * (pump - free);
            return [if given > 0.0 && ratio > 0.0 { given / ratio } else { given }, given];
        }
        self.torques(pump, turbine)
    }

    /// The speed of the turbine [rad/s] where the pump drives: between `free` and the speed of the pump.
    #[inline]
    fn driving(&self, pump: f64, free: f64, per_speed: f64) -> f64 {
        let stalled = self.stall_capacity * self.rows[0][1] * self.rows[0][2] * pump * pump;
        if free + stalled / per_speed <= 0.0 {
            return free + stalled / per_speed;
        }
        let (at_one, per_ratio) = (self.stall_capacity * pump * pump, per_speed * pump);
        // What the turbine gives more than the shaft takes at the end of each segment is below 0 from the one of the root on.
        let gives = |row: [f64; 3]| at_one * row[1] * row[2] > per_ratio * row[0] - per_speed * free;
        let first = self.segment_of((free / pump).max(0.0));
        let last = self.rows.len() - 2;
        let index = (first..last).find(|&index| !gives(self.rows[index + 1])).unwrap_or(last);
        let Segment { ratio, torque, capacity } = self.segment(index);
        let square = at_one * torque[1] * capacity[1];
        let slope = at_one * (torque[0] * capacity[1] + torque[1] * capacity[0]) - per_ratio;
        let constant = at_one * torque[0] * capacity[0] - (per_ratio * ratio - per_speed * free);
        let beyond = first_root(square, slope, constant);
        pump * (ratio + beyond).min(1.0)
    }

    /// The same where the turbine drives: between the speed of the pump and `free`.
    #[inline]
    fn overrunning(&self, pump: f64, free: f64, per_speed: f64) -> f64 {
        // What the turbine takes more than the shaft gives at the end of each segment is below 0 from the one of the root on.
        let takes = |row: [f64; 3]| {
            let turbine = pump / row[0];
            self.stall_capacity * row[2] * turbine * turbine > per_speed * (free - turbine)
        };
        let last = self.rows.len() - 2;
        let first = self.segment_of(pump / free);
        let index = (first..last).find(|&index| !takes(self.rows[index + 1])).unwrap_or(last);
        let Segment { ratio, capacity, .. } = self.segment(index);
        let square = self.stall_capacity * (capacity[0] - capacity[1] * ratio);
        let slope = self.stall_capacity * capacity[1] * pump + per_speed;
        first_root(square, slope, -per_speed * free).max(pump)
    }

    /// Whether the lock-up clutch is closed, in `gear` with the turbine at `turbine_speed` [rad/s]; `closed` is its previous state.
    pub(super) fn is_locked_up(&self, closed: bool, gear: i8, turbine_speed: f64) -> bool {
        let opens_at = |speed: f64| if closed { 0.85 * speed } else { speed };
        self.lock_up.is_some_and(|(from, speed)| gear >= from && turbine_speed >= opens_at(speed))
    }

    /// Upper bound of the torque of the pump [N·m] while both turn at most at `speed` [rad/s].
    pub(super) fn largest_torque(&self, speed: f64) -> f64 {
        self.stall_capacity * self.rows.iter().map(|row| row[2]).fold(1.0, f64::max) * speed * speed
    }
}

/// The smallest positive root of `square`·x² + `slope`·x + `constant`, where there is one; its sign changes there for the first time.
#[inline]
fn first_root(square: f64, slope: f64, constant: f64) -> f64 {
    let signed = (slope * slope - 4.0 * square * constant).max(0.0).sqrt().copysign(constant);
    // Of the two forms, the one without a difference of like numbers.
    if slope * constant <= 0.0 { 2.0 * constant / (signed - slope) } else { -(slope + signed) / (2.0 * square) }
}

/// The rows of `<characteristic>`; invalid ones are an error.
fn read_rows(reader: &Reader<'_>, numbers: &[f64]) -> Option<Vec<[f64; 3]>> {
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

    /// Over all speeds and shafts, and characteristics with a hump and with capacity at ν = 1: the torques agree, or jump there.
    #[test]
    fn the_balanced_speed_is_that_at_which_turbine_and_shaft_agree() {
        let hump = vec![[0.0, 1.5, 0.8], [0.5, 1.4, 1.3], [1.0, 1.0, 0.0]];
        let jump = vec![[0.0, 2.0, 1.0], [1.0, 1.0, 0.3]];
        for rows in [CHARACTERISTIC.to_vec(), hump, jump] {
            let converter = TorqueConverter::from_rows(&engine(), 200.0, rows);
            for pump in [0.0, 1e-3, 80.0, 250.0, 600.0] {
                for free in [-90.0, -1e-3, 0.0, 40.0, 79.9, 80.1, 200.0, 249.0, 260.0, 700.0] {
                    for per_speed in [1e-3, 0.3, 20.0, 3e3, 1e7] {
                        let sought = converter.torques(pump, free)[1];
                        if sought == 0.0 {
                            continue;
                        }
                        let given = converter.balanced_torques(pump, free, per_speed)[1];
                        let of = (pump, free, per_speed);
                        assert!(given * sought >= 0.0, "{given} towards {sought} of {of:?}");
                        let speed = free + given / per_speed;
                        let near = |part: f64| converter.torques(pump, speed + part * speed.abs())[1] - given;
                        let close = 1e-9 * given.abs();
                        assert!(near(-1e-9) >= -close && near(1e-9) <= close, "{given} N·m at {speed} of {of:?}");
                    }
                }
            }
        }
    }
}
