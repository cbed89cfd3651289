//! Couplings between engine and gearbox: `<coupling type="torque_converter|clutch|none">` of `<powertrain>`.
//!
//! * `torque_converter`: see [`super::converter`]. From a given gear and speed on, a lock-up clutch may bridge it.
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
//! ν = ω_t/ω_p is the speed ratio, μ the torque ratio, λ the capacity. The default characteristic is typical of passenger cars: torque
//! ratio 2 at stall, coupling point at ν = 0.88. Not modelled: heat and wear, response time of pedals and valves, dampers.

use skidpad_xml::{Accept, Reader};

use super::converter::TorqueConverter;
use super::engine::{Engine, RPM};

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
            Kind::Converter => Coupling::Converter(TorqueConverter::read(reader, engine)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::powertrain::engine::TorqueCurve;

    fn engine() -> Engine {
        Engine::new(TorqueCurve::gasoline(150.0, 85e3), false)
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
