//! Gearboxes: ratios and shift logic, `<gearbox>` of `<powertrain>`.
//!
//! The shift logic uses the engine speed that a rigid coupling would give in gear g, ω_g = i_g·ω_shaft, so that slip of clutch or
//! converter never causes hunting. It shifts up when ω_g > up(t), where up(t) interpolates `up_speed` between closed and
//! open throttle, and down when the speed in the gear below would be ω_{g−1} < down_ratio·up(t). Both conditions use the
//! speed in the same gear, so that a band of 1 − down_ratio lies between them whatever the ratio steps (chosen for that). During a
//! shift, for `shift_time`, no torque is transmitted and combustion engines get no throttle.
//!
//! Changes between forward and reverse wait until the vehicle is slow (the shaft's speed times the new ratio below the idle
//! speed; for electric engines 5 % of max_speed); until then the gearbox is in neutral.
//!
//! ```xml
//! <gearbox>
//!   <ratios>3.6 2.0 1.4 1.0 0.75</ratios>   engine over output speed [-], first gear first, each > 0 and falling; electric 1
//!   <reverse_ratio>3.5</reverse_ratio>      [-], > 0; default the first
//!   <final_drive>4</final_drive>            differential's ratio [-], > 0; electric 9
//!   <efficiency>0.92</efficiency>           of gearbox and final drive [-], > 0 to 1
//!   <inertia>0.02</inertia>                 of turbine and input shaft, turning with the gear's input [kg·m²], ≥ 0
//!   <shift>automatic</shift>                or locked: stays in <gear>
//!   <gear>1</gear>                          the gear of shift locked
//!   <up_speed>2200 6000</up_speed>          at closed and open throttle [rpm]; default 35 % and 92 % of the engine's max_speed
//!   <down_ratio>0.7</down_ratio>            [-], > 0, < 1
//!   <shift_time>0.3</shift_time>            [s], ≥ 0
//!   <shift_interval>1</shift_interval>      least time between two shifts [s], ≥ 0
//! </gearbox>
//! ```
//! Not modelled: synchronisers, shaft wind-up, backlash, losses that grow with speed.

use skidpad_xml::{Accept, Reader};

use super::engine::{Engine, RPM};
use crate::command::GearLever;

/// Share of an electric engine's `max_speed` below which its direction may be reversed.
const SLOW: f64 = 0.05;

/// Conditions and times of shifts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftLogic {
    /// The fixed gear, if shifting is locked.
    pub locked: Option<i8>,
    /// Speed at which to shift up, at closed and open throttle [rad/s].
    pub up_speed: [f64; 2],
    /// Fraction of that speed below which it shifts down [-].
    pub down_ratio: f64,
    /// Duration of a shift, without torque [s].
    pub shift_time: f64,
    /// Shortest time between two shifts [s].
    pub shift_interval: f64,
}

/// A gearbox with its final drive and state.
#[derive(Clone, Debug, PartialEq)]
pub struct Gearbox {
    /// Forward ratios, first gear first [-].
    pub ratios: Vec<f64>,
    /// Reverse ratio [-], > 0.
    pub reverse_ratio: f64,
    /// Final drive [-].
    pub final_drive: f64,
    /// Efficiency: output power over input power [-].
    pub efficiency: f64,
    /// Moment of inertia that turns with the input [kg·m²].
    pub inertia: f64,
    /// Conditions and times of shifts.
    pub logic: ShiftLogic,
    /// Input speed [rad/s] below which the direction may change.
    slow: f64,
    /// The engaged gear, or the one being engaged: 1 and up forward, 0 neutral, -1 reverse.
    gear: i8,
    /// Time until the gear is engaged [s].
    shifting: f64,
    /// Time since the last shift began [s].
    since: f64,
}

impl Gearbox {
    /// A gearbox with these forward ratios and this final drive, and the defaults above for everything else.
    pub fn new(ratios: Vec<f64>, final_drive: f64, engine: &Engine) -> Gearbox {
        let logic = ShiftLogic {
            locked: None,
            up_speed: [0.35 * engine.max_speed, 0.92 * engine.max_speed],
            down_ratio: 0.7,
            shift_time: 0.3,
            shift_interval: 1.0,
        };
        let slow = if engine.electric { SLOW * engine.max_speed } else { engine.idle_speed };
        let reverse_ratio = ratios.first().copied().unwrap_or(1.0);
        let mut gearbox = Gearbox {
            ratios,
            reverse_ratio,
            final_drive,
            efficiency: 0.92,
            inertia: 0.02,
            logic,
            slow,
            gear: 1,
            shifting: 0.0,
            since: 0.0,
        };
        gearbox.reset();
        gearbox
    }

    /// Reads the XML block above for this engine; without one, the defaults.
    pub fn read(reader: Option<&Reader<'_>>, engine: &Engine) -> Gearbox {
        let (ratios, final_drive) =
            if engine.electric { (vec![1.0], 9.0) } else { (vec![3.6, 2.0, 1.4, 1.0, 0.75], 4.0) };
        let mut gearbox = Gearbox::new(ratios, final_drive, engine);
        let Some(reader) = reader else { return gearbox };
        if let Some(ratios) = read_ratios(reader) {
            gearbox.reverse_ratio = ratios[0];
            gearbox.ratios = ratios;
        }
        gearbox.reverse_ratio = reader.f64("reverse_ratio", gearbox.reverse_ratio, Accept::positive());
        gearbox.final_drive = reader.f64("final_drive", gearbox.final_drive, Accept::positive());
        gearbox.efficiency = reader.f64("efficiency", gearbox.efficiency, Accept::range(0.01, 1.0));
        gearbox.inertia = reader.f64("inertia", gearbox.inertia, Accept::non_negative());
        let locked = reader.choice("shift", false, &[("automatic", false), ("locked", true)]);
        let gears = gearbox.ratios.len() as f64;
        let gear = reader.integer("gear", 1, Accept::range(1.0, gears)) as i8;
        let logic = &mut gearbox.logic;
        logic.locked = locked.then_some(gear);
        if let Some(speeds) = reader.numbers("up_speed", &[2]) {
            logic.up_speed = [RPM * speeds[0], RPM * speeds[1]];
            if !(0.0 < speeds[0] && speeds[0] <= speeds[1]) {
                reader
                    .error_at("up_speed", format!("up_speed {} {} in <gearbox>", speeds[0], speeds[1]))
                    .accepted(["two speeds [rpm] > 0, the second not below the first"]);
            }
        }
        logic.down_ratio = reader.f64("down_ratio", logic.down_ratio, Accept::range(0.01, 0.99));
        logic.shift_time = reader.f64("shift_time", logic.shift_time, Accept::non_negative());
        logic.shift_interval = reader.f64("shift_interval", logic.shift_interval, Accept::non_negative());
        gearbox.reset();
        gearbox
    }

    /// Engine over shaft speed [-] in `gear`: negative in reverse, 0 in neutral.
    #[inline]
    pub fn ratio_of(&self, gear: i8) -> f64 {
        match gear {
            0 => 0.0,
            g if g < 0 => -self.reverse_ratio * self.final_drive,
            g => self.ratios.get(g as usize - 1).map_or(0.0, |ratio| ratio * self.final_drive),
        }
    }

    /// Current ratio of engine to shaft speed [-]: 0 in neutral and during a shift.
    #[inline]
    pub fn ratio(&self) -> f64 {
        if self.is_shifting() { 0.0 } else { self.ratio_of(self.gear) }
    }

    /// The engaged gear, or the one being engaged: 1 and up forward, 0 neutral, -1 reverse.
    pub fn gear(&self) -> i8 {
        self.gear
    }

    /// Whether a shift is in progress.
    #[inline]
    pub fn is_shifting(&self) -> bool {
        self.shifting > 0.0
    }

    /// Runs the shift logic for the next `dt` [s], with the shaft at `shaft_speed` [rad/s].
    #[inline]
    pub fn update(&mut self, lever: GearLever, throttle: f64, shaft_speed: f64, dt: f64) {
        // A remainder within rounding counts as elapsed.
        self.shifting = if self.shifting <= 1.0001 * dt { 0.0 } else { self.shifting - dt };
        self.since += dt;
        let slow = |gear: i8| (self.ratio_of(gear) * shaft_speed) >= -self.slow;
        match lever {
            GearLever::Neutral => self.gear = 0,
            GearLever::Reverse if self.gear >= 0 => self.gear = if slow(-1) { -1 } else { 0 },
            GearLever::Reverse => {}
            GearLever::Drive if self.gear <= 0 => {
                self.gear = if slow(1) { self.fitting(throttle, shaft_speed) } else { 0 }
            }
            GearLever::Drive => self.shift(throttle, shaft_speed),
        }
    }

    /// Speed at which to shift up [rad/s] at this throttle.
    fn up_speed(&self, throttle: f64) -> f64 {
        let [closed, open] = self.logic.up_speed;
        closed + (open - closed) * throttle.clamp(0.0, 1.0)
    }

    /// The forward gear for this shaft speed, when engaging from neutral.
    fn fitting(&self, throttle: f64, shaft_speed: f64) -> i8 {
        if let Some(gear) = self.logic.locked {
            return gear;
        }
        let up = self.up_speed(throttle);
        let last = self.ratios.len() as i8;
        (1..last).find(|&gear| self.ratio_of(gear) * shaft_speed <= up).unwrap_or(last)
    }

    fn shift(&mut self, throttle: f64, shaft_speed: f64) {
        if self.logic.locked.is_some() || self.is_shifting() || self.since < self.logic.shift_interval {
            return;
        }
        let up = self.up_speed(throttle);
        let next = if self.ratio_of(self.gear) * shaft_speed > up && (self.gear as usize) < self.ratios.len() {
            self.gear + 1
        } else if self.gear > 1 && self.ratio_of(self.gear - 1) * shaft_speed < self.logic.down_ratio * up {
            self.gear - 1
        } else {
            return;
        };
        self.gear = next;
        self.shifting = self.logic.shift_time;
        self.since = 0.0;
    }

    /// Back to the start: first gear, or the locked one.
    pub fn reset(&mut self) {
        self.gear = self.logic.locked.unwrap_or(1);
        self.shifting = 0.0;
        self.since = self.logic.shift_interval;
    }
}

/// The forward ratios; invalid ones are an error.
fn read_ratios(reader: &Reader<'_>) -> Option<Vec<f64>> {
    const MAX_GEARS: usize = 100;
    let ratios = reader.numbers("ratios", &[])?;
    let accepted = ["ratios > 0, first gear first, each below the one before"];
    if ratios.is_empty() || ratios.len() > MAX_GEARS {
        reader
            .error_at("ratios", format!("{} gears in <ratios>", ratios.len()))
            .accepted([format!("1 to {MAX_GEARS} gears")]);
        return None;
    }
    if let Some(bad) = ratios.iter().find(|&&ratio| ratio <= 0.0) {
        reader.error_at("ratios", format!("the ratio {bad} in <ratios>")).accepted(accepted);
        return None;
    }
    if let Some((a, b)) = ratios.iter().zip(ratios.iter().skip(1)).find(|(a, b)| a <= b) {
        reader.error_at("ratios", format!("the ratio {b} after {a} in <ratios>")).accepted(accepted);
        return None;
    }
    Some(ratios)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::powertrain::engine::TorqueCurve;

    fn gearbox() -> Gearbox {
        let engine = Engine::new(TorqueCurve::gasoline(150.0, 85e3), false);
        Gearbox::new(vec![3.6, 2.0, 1.4, 1.0, 0.75], 4.0, &engine)
    }

    #[test]
    fn it_shifts_up_as_the_shaft_speeds_up_and_down_at_lower_speeds() {
        let mut gearbox = gearbox();
        let mut speed_of_shift = [[0.0; 6]; 2];
        for (direction, speeds) in [(0, (0..2000).collect::<Vec<_>>()), (1, (0..2000).rev().collect())] {
            for k in speeds {
                let (before, shaft) = (gearbox.gear(), 0.1 * f64::from(k));
                // Two seconds at each speed, so that neither time of the logic hides a shift.
                for _ in 0..20 {
                    gearbox.update(GearLever::Drive, 0.5, shaft, 0.1);
                }
                if gearbox.gear() != before {
                    speed_of_shift[direction][before.max(gearbox.gear()) as usize] = shaft;
                }
            }
        }
        for (gear, [up, down]) in
            speed_of_shift[0].iter().zip(speed_of_shift[1]).map(|(a, b)| [*a, b]).enumerate().skip(2)
        {
            assert!(up > 0.0 && (down / up - 0.7).abs() < 0.02, "gear {gear}: up at {up}, down at {down}");
        }
        assert_eq!(gearbox.gear(), 1);
    }

    #[test]
    fn a_shift_takes_shift_time_without_torque() {
        let mut gearbox = gearbox();
        gearbox.update(GearLever::Drive, 0.0, 30.0, 0.01);
        assert_eq!((gearbox.gear(), gearbox.ratio()), (2, 0.0));
        let mut steps = 1;
        while gearbox.is_shifting() {
            gearbox.update(GearLever::Drive, 0.0, 30.0, 0.01);
            steps += 1;
        }
        assert_eq!((steps, gearbox.ratio()), (31, 8.0));
    }

    #[test]
    fn reverse_waits_until_the_vehicle_is_slow() {
        let mut gearbox = gearbox();
        gearbox.update(GearLever::Reverse, 0.0, 20.0, 0.01);
        assert_eq!(gearbox.gear(), 0);
        gearbox.update(GearLever::Reverse, 0.0, 1.0, 0.01);
        assert_eq!((gearbox.gear(), gearbox.ratio()), (-1, -14.4));
        gearbox.update(GearLever::Drive, 0.0, -20.0, 0.01);
        assert_eq!(gearbox.gear(), 0);
        gearbox.update(GearLever::Drive, 0.0, 20.0, 0.01);
        assert_eq!(gearbox.gear(), 2);
    }
}
