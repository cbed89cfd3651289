//! Powertrains: torque and power of the engine at full load, and the traction in every gear compared with the resistance.
//!
//! The third panel is the sawtooth diagram: traction at full load F = T(ω)·i_g·i_0·η/r over v = ω·r/(i_g·i_0), without slip of
//! coupling and tyres, and the resistance on level ground and on a slope of 10 % (J. Y. Wong, "Theory of Ground Vehicles", §3.4).
//! The top speed is where the last tooth crosses the resistance.

use skidpad_math::Vec2;
use skidpad_sim::vehicle::powertrain::engine::RPM;
use skidpad_sim::vehicle::powertrain::{Engine, Gearbox};
use skidpad_sim::vehicle::{STANDARD_GRAVITY, Vehicle};

use super::figure::{Dash, Figure, Key, Line, Panel, Series, sweep};
use super::tyre::Tyre;

/// Slopes whose resistance is shown [-], with their line styles.
const SLOPES: [(f64, Dash); 2] = [(0.0, Dash::Dashed), (0.1, Dash::Dotted)];
/// Drive and resistance of a vehicle.
pub struct Traction<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// The engine.
    pub engine: &'a Engine,
    /// Gearbox and final drive.
    pub gearbox: &'a Gearbox,
    /// Radius of the driven wheels [m].
    pub radius: f64,
    /// Mass of the vehicle [kg].
    pub mass: f64,
    /// Resistance on level ground [N] at a speed [m/s].
    pub resistance: &'a dyn Fn(f64) -> f64,
}

impl Traction<'_> {
    /// Traction at full load [N] over speed [m/s] in `gear` (from 1), from idle to the engine's largest speed.
    pub(crate) fn tooth(&self, gear: i8) -> Vec<(f64, f64)> {
        let ratio = self.gearbox.ratio_of(gear);
        let point = |speed: f64| {
            let force = self.engine.full_load(speed) * ratio * self.gearbox.efficiency / self.radius;
            (speed * self.radius / ratio, force)
        };
        sweep(self.engine.idle_speed, self.engine.max_speed, 121).map(point).collect()
    }

    /// Number of forward gears.
    fn gears(&self) -> impl Iterator<Item = i8> {
        1..=i8::try_from(self.gearbox.ratios.len()).unwrap_or(i8::MAX)
    }

    /// Largest speed in any gear [m/s].
    fn fastest(&self) -> f64 {
        self.gears().filter_map(|gear| self.tooth(gear).last().map(|point| point.0)).fold(0.0, f64::max)
    }
}

/// Resistance of a vehicle on level ground [N] at `speed` [m/s]: aerodynamic drag and rolling resistance.
pub fn resistance(vehicle: &Vehicle, speed: f64) -> f64 {
    let air = vehicle.resistance().air(Vec2::new(speed, 0.0)).norm();
    let rolling = vehicle.wheels().iter().zip(vehicle.loads_at_rest()).enumerate().map(|(index, (wheel, &load))| {
        let tyre = Tyre { name: "", law: vehicle.law(), wheel: index, load, radius: wheel.parameters.radius };
        tyre.rolling_resistance(load, speed) + vehicle.resistance().rolling(speed) * load
    });
    air + rolling.sum::<f64>()
}

/// Torque, power and traction of these powertrains.
pub fn figure(vehicles: &[Traction<'_>]) -> Figure {
    let mut panels = [
        ("Torque at full load and without throttle", "engine speed [1000 rpm]", "torque [N·m]"),
        ("Power at full load", "engine speed [1000 rpm]", "power [kW]"),
        ("Traction in each gear, and resistance", "speed [km/h]", "force [kN]"),
    ]
    .map(|(title, x, y)| Panel::new(title, x, y, false));
    let mut legend = Vec::new();
    for (index, vehicle) in vehicles.iter().enumerate() {
        let line = Line::solid(index);
        legend.push(Key::new(vehicle.name, line));
        let over_speed = |measure: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
            let speeds = sweep(vehicle.engine.idle_speed, vehicle.engine.max_speed, 201);
            speeds.map(|speed| (speed / RPM / 1000.0, measure(speed))).collect()
        };
        let engine = vehicle.engine;
        let mut add = |panel: usize, curve: &str, dash, points| {
            let label = format!("{}, {curve}", vehicle.name);
            panels[panel].series.push(Series { label, points, line: Line { dash, ..line } });
        };
        add(0, "full load", Dash::Solid, over_speed(&|speed| engine.full_load(speed)));
        add(0, "no throttle", Dash::Dashed, over_speed(&|speed| engine.drag_torque(speed)));
        add(1, "full load", Dash::Solid, over_speed(&|speed| 1e-3 * speed * engine.full_load(speed)));
        let shown = |(speed, force): (f64, f64)| (3.6 * speed, 1e-3 * force);
        for gear in vehicle.gears() {
            add(2, &format!("gear {gear}"), Dash::Solid, vehicle.tooth(gear).into_iter().map(shown).collect());
        }
        for (slope, dash) in SLOPES {
            // The sine of the slope's angle, from its tangent.
            let climb = vehicle.mass * STANDARD_GRAVITY * slope / (1.0 + slope * slope).sqrt();
            let points = sweep(0.1, vehicle.fastest(), 121).map(|v| shown((v, (vehicle.resistance)(v) + climb)));
            add(2, &format!("resistance at {:.0} %", 100.0 * slope), dash, points.collect());
        }
    }
    legend.push(Key::new("no throttle; resistance on the level", Line::grey(Dash::Dashed)));
    legend.push(Key::new("resistance on a slope of 10 %", Line::grey(Dash::Dotted)));
    panels[2].y.range = Some((0.0, 1.06 * most(&panels[2])));
    Figure { title: String::new(), columns: 3, panels: panels.into(), legend }
}

/// The largest value of a panel.
fn most(panel: &Panel) -> f64 {
    panel.series.iter().flat_map(|series| &series.points).map(|point| point.1).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use skidpad_sim::vehicle::powertrain::TorqueCurve;

    use super::*;

    /// With constant power P the traction of every gear lies on the hyperbola F = η·P/v.
    #[test]
    fn teeth_of_constant_power_lie_on_one_hyperbola() {
        let (power, torque) = (50e3, 1e6);
        let engine = Engine::new(TorqueCurve::Limits { torque, power }, true);
        let gearbox = Gearbox::new(vec![3.0, 1.0], 4.0, &engine);
        let vehicle = Traction {
            name: "car",
            engine: &engine,
            gearbox: &gearbox,
            radius: 0.3,
            mass: 1000.0,
            resistance: &|v| 100.0 + v * v,
        };
        for gear in [1, 2] {
            for (v, force) in vehicle.tooth(gear).into_iter().skip(1) {
                assert!((force * v / (gearbox.efficiency * power) - 1.0).abs() < 1e-12, "gear {gear}, {v} m/s");
            }
        }
        let figure = figure(&[vehicle]);
        assert_eq!(figure.panels[2].series.len(), 4, "two gears and two slopes");
        let climb = &figure.panels[2].series[3].points[0];
        assert!((climb.1 - 1e-3 * (100.01 + 9810.0 * (0.1_f64.atan()).sin())).abs() < 1e-9, "{climb:?}");
    }
}
