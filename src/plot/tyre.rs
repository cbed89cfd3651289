//! Tyres: lateral force against slip angle, longitudinal force against slip ratio, and both together.
//!
//! Each point is a call of the law itself ([`FrictionLaw::react`]) on a wheel that rolls at 20 m/s with that slip, repeated
//! until the tyre's relaxation has settled: a figure shows what is simulated. Wheel and mass are so heavy that one step does
//! not change their motion, since laws limit the force to what would stop it. Sticking laws (`default`) then have a step
//! at zero.

use skidpad_math::Vec2;
use skidpad_sim::friction::{FrictionLaw, WheelContact};
use skidpad_sim::vehicle::Vehicle;

use super::figure::{Axis, Dash, Figure, Key, Line, Panel, Series, sweep};

/// Speed of the wheel over the ground [m/s].
const SPEED: f64 = 20.0;
/// Mass that no tyre force moves noticeably within a step [kg]; the wheel has a hundredth of it at its rim.
const HEAVY: f64 = 1e9;
/// Loads shown, as shares of the static load [-], with their line styles.
const LOADS: [(f64, Dash); 3] = [(1.0, Dash::Solid), (0.5, Dash::Dashed), (1.5, Dash::Dotted)];
/// Largest slip angle shown [rad].
const MAX_ANGLE: f64 = 20.0 * std::f64::consts::PI / 180.0;
/// Largest slip ratio shown [-].
const MAX_RATIO: f64 = 0.3;
/// Slip angles of combined slip [deg].
const COMBINED_ANGLES: [f64; 4] = [2.0, 4.0, 8.0, 16.0];

/// A law on a wheel at a load.
#[derive(Clone, Copy)]
pub struct Tyre<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// The law.
    pub law: &'a dyn FrictionLaw,
    /// Index of the wheel within its vehicle.
    pub wheel: usize,
    /// Static load [N], > 0.
    pub load: f64,
    /// Radius of the wheel [m].
    pub radius: f64,
}

impl<'a> Tyre<'a> {
    /// A law on the wheel of a car: 4 kN, radius 0.31 m.
    pub fn of_car(name: &'a str, law: &'a dyn FrictionLaw) -> Tyre<'a> {
        Tyre { name, law, wheel: 0, load: 4000.0, radius: 0.31 }
    }

    /// The first wheel of a vehicle; none if it carries no load.
    pub fn of_vehicle(name: &'a str, vehicle: &'a Vehicle) -> Option<Tyre<'a>> {
        let (wheel, load) = (vehicle.wheels().first()?, *vehicle.loads_at_rest().first()?);
        (load > 0.0).then(|| Tyre { name, law: vehicle.law(), wheel: 0, load, radius: wheel.parameters.radius })
    }

    /// Rolling resistance of a freely rolling wheel at `speed` [m/s], as a force at its rim [N] against the motion: the
    /// torque about the axle that is explained neither by the ground force nor by the spin acceleration.
    pub fn rolling_resistance(&self, load: f64, speed: f64) -> f64 {
        let contact = self.contact(load, Vec2::new(speed, 0.0), speed);
        let reaction = self.law.react(&contact);
        -(contact.inertia * reaction.spin_acceleration / self.radius + reaction.force_in_wheel.x)
    }

    /// A wheel that moves with this velocity [m/s] and has this speed at its rim [m/s].
    fn contact(&self, load: f64, velocity_in_wheel: Vec2, rim: f64) -> WheelContact {
        WheelContact {
            wheel: self.wheel,
            velocity_in_wheel,
            pull_in_wheel: Vec2::ZERO,
            load,
            mass: HEAVY,
            spin: rim / self.radius,
            torque: 0.0,
            radius: self.radius,
            inertia: 0.01 * HEAVY * self.radius * self.radius,
            locked: false,
            camber: 0.0,
            relaxed_slip: Vec2::ZERO,
            ground_mu: None,
            ground_rolling_resistance: None,
            dt: 1e-3,
        }
    }

    /// Cornering stiffness [N/rad] at `load` [N]: the slope at zero slip. Meaninglessly large for sticking laws.
    pub fn cornering_stiffness(&self, load: f64) -> f64 {
        /// A slip angle [rad] at which the curvature changes the slope by less than a thousandth.
        const SMALL: f64 = 1e-5;
        self.force(load, SMALL, 0.0).y / SMALL
    }

    /// The settled force on the tyre [N], in the wheel frame, at `load` [N], with its velocity at `angle` [rad]
    /// to the right of the rolling direction (so that the lateral force is positive) and slip ratio `ratio` [-] in (-1, 1).
    pub fn force(&self, load: f64, angle: f64, ratio: f64) -> Vec2 {
        let (sin, cos) = libm::sincos(angle);
        let along = SPEED * cos;
        let rim = if ratio > 0.0 { along / (1.0 - ratio) } else { along * (1.0 + ratio) };
        let mut contact = self.contact(load, Vec2::new(along, -SPEED * sin), rim);
        // At 20 m/s even a relaxation length of 2 m has settled to 1e-8 after 2 s.
        for _ in 0..2000 {
            let reaction = self.law.react(&contact);
            if reaction.relaxed_slip == contact.relaxed_slip {
                return reaction.force_in_wheel;
            }
            contact.relaxed_slip = reaction.relaxed_slip;
        }
        self.law.react(&contact).force_in_wheel
    }
}

/// A unit of force that suits the loads: its name, and its size [N].
struct Unit {
    name: &'static str,
    newtons: Option<f64>,
}

impl Unit {
    /// Newtons or kilonewtons for tyres of one size; for tyres of several sizes, shares of the static load.
    fn of(tyres: &[Tyre<'_>]) -> Unit {
        let least = tyres.iter().map(|tyre| tyre.load).fold(f64::INFINITY, f64::min);
        let most = tyres.iter().map(|tyre| tyre.load).fold(0.0, f64::max);
        match most {
            most if most > 1.5 * least => Unit { name: "over load at rest [-]", newtons: None },
            most if most >= 1000.0 => Unit { name: "[kN]", newtons: Some(1000.0) },
            _ => Unit { name: "[N]", newtons: Some(1.0) },
        }
    }

    fn scaled(&self, tyre: &Tyre<'_>, force: f64) -> f64 {
        force / self.newtons.unwrap_or(tyre.load)
    }

    fn load(&self, tyre: &Tyre<'_>, share: f64) -> String {
        match self.newtons {
            Some(newtons) if newtons > 1.0 => format!("load {:.1} kN", share * tyre.load / newtons),
            Some(_) => format!("load {:.1} N", share * tyre.load),
            None => format!("{share} × load at rest"),
        }
    }
}

/// Forces of these tyres over slip angle, over slip ratio, and in combined slip.
pub fn figure(tyres: &[Tyre<'_>]) -> Figure {
    let unit = Unit::of(tyres);
    let lateral = pure(tyres, &unit, sweep(0.0, MAX_ANGLE, 201), f64::to_degrees, |tyre, load, angle| {
        tyre.force(load, angle, 0.0).y
    });
    let longitudinal = pure(
        tyres,
        &unit,
        sweep(0.0, MAX_RATIO, 151),
        |ratio| ratio,
        |tyre, load, ratio| tyre.force(load, 0.0, ratio).x,
    );
    let mut legend: Vec<Key> = tyres.iter().enumerate().map(|(i, t)| Key::new(t.name, Line::solid(i))).collect();
    if let Some(tyre) = tyres.first() {
        legend.extend(LOADS.iter().map(|&(share, dash)| Key::new(unit.load(tyre, share), Line::grey(dash))));
    }
    let [lateral_force, longitudinal_force] =
        ["lateral", "longitudinal"].map(|axis| format!("{axis} force {}", unit.name));
    let angles = COMBINED_ANGLES.map(|angle| angle.to_string()).join(", ");
    let combined_title = format!("Combined slip, at slip angles of {angles} °");
    Figure {
        title: String::new(),
        columns: 3,
        panels: vec![
            Panel {
                x: Axis::within("slip angle [°]", 0.0, MAX_ANGLE.to_degrees()),
                series: lateral,
                ..Panel::new("Pure lateral slip", "", &lateral_force, false)
            },
            Panel {
                x: Axis::within("slip ratio [-]", 0.0, MAX_RATIO),
                series: longitudinal,
                ..Panel::new("Pure longitudinal slip", "", &longitudinal_force, false)
            },
            Panel {
                series: tyres.iter().enumerate().flat_map(|(i, tyre)| combined(tyre, i, &unit)).collect(),
                ..Panel::new(&combined_title, &longitudinal_force, &lateral_force, true)
            },
        ],
        legend,
    }
}

/// A series for each tyre and load, over slips along one axis.
fn pure(
    tyres: &[Tyre<'_>],
    unit: &Unit,
    slips: impl Iterator<Item = f64> + Clone,
    shown: impl Fn(f64) -> f64,
    force: impl Fn(&Tyre<'_>, f64, f64) -> f64,
) -> Vec<Series> {
    let mut series = Vec::new();
    for (color, tyre) in tyres.iter().enumerate() {
        for (share, dash) in LOADS {
            let load = share * tyre.load;
            let point = |slip| (shown(slip), unit.scaled(tyre, force(tyre, load, slip)));
            series.push(Series {
                label: format!("{}, load {load:.1} N", tyre.name),
                points: slips.clone().map(point).collect(),
                line: Line { color: Some(color), dash },
            });
        }
    }
    series
}

/// A series for each slip angle: the force as the slip ratio goes from braking to driving.
fn combined(tyre: &Tyre<'_>, color: usize, unit: &Unit) -> Vec<Series> {
    let curve = |degrees: f64| {
        // Finer where the force changes most.
        let ratios = sweep(-1.0, 1.0, 241).map(|u| 0.95 * u * u * u.abs().sqrt() * u.signum());
        let forces = ratios.map(|ratio| tyre.force(tyre.load, degrees.to_radians(), ratio));
        Series {
            label: format!("{}, slip angle {degrees} deg", tyre.name),
            points: forces.map(|f| (unit.scaled(tyre, f.x), unit.scaled(tyre, f.y))).collect(),
            line: Line::solid(color),
        }
    };
    COMBINED_ANGLES.map(curve).into()
}

#[cfg(test)]
mod tests {
    use skidpad_sim::friction::{Coulomb, FRICTION_LAWS};

    use super::*;

    #[test]
    fn a_sliding_tyre_gives_mu_times_load_against_its_slip() {
        let law = Coulomb { mu: 0.7, ..Coulomb::default() };
        let tyre = Tyre::of_car("default", &law);
        let force = tyre.force(3000.0, 0.2, 0.0);
        assert!((force.norm() - 2100.0).abs() < 1e-9 && force.y > 0.0, "{force:?}");
        assert!(tyre.force(3000.0, 0.0, 0.2).x > 2000.0 && tyre.force(3000.0, 0.0, -0.2).x < -2000.0);
    }

    #[test]
    fn rolling_resistance_is_c_rr_times_load() {
        for entry in FRICTION_LAWS {
            let text =
                format!("<friction class=\"{}\"><C_rr>0.02</C_rr><C_damping>0</C_damping></friction>", entry.name);
            let world = format!(
                "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>{text}</vehicle></mvsim_world>"
            );
            let options = skidpad_sim::world::LoadOptions::default();
            let (world, _) =
                skidpad_sim::world::World::load_text("t", std::path::Path::new("."), &world, &options).unwrap();
            let tyre = Tyre::of_car(entry.name, world.vehicle(0).unwrap().law());
            // Ward and Iagnemma's law adds its own: R1 + R2·v, at 10 m/s 0.2075.
            let expected = if entry.name == "wardiagnemma" { 0.2275 * 3000.0 } else { 60.0 };
            let resistance = tyre.rolling_resistance(3000.0, 10.0);
            assert!((resistance - expected).abs() < 1e-3, "{}: {resistance} N", entry.name);
        }
    }

    #[test]
    fn every_law_has_a_figure_of_finite_numbers() {
        for entry in FRICTION_LAWS {
            let law = (entry.default)();
            let figure = figure(&[Tyre::of_car(entry.name, &*law)]);
            let points = figure.panels.iter().flat_map(|panel| &panel.series).flat_map(|series| &series.points);
            assert!(points.clone().all(|(x, y)| x.is_finite() && y.is_finite()), "{}", entry.name);
            let most = points.fold(0.0_f64, |most, (_, y)| most.max(*y));
            assert!((1.5..10.0).contains(&most), "{}: {most} kN", entry.name);
        }
    }

    #[test]
    fn tyres_of_different_sizes_share_one_scale() {
        let law = Coulomb::default();
        let small = Tyre { load: 10.0, ..Tyre::of_car("small", &law) };
        let figure = figure(&[small, Tyre::of_car("large", &law)]);
        let [x, y] = figure.panels[0].ranges();
        assert!(x.1 == 20.0 && y.1 < 1.5, "{y:?}");
        assert!(figure.panels[0].y.label.contains("[-]"));
    }
}
