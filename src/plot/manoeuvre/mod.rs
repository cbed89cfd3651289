//! Standard manoeuvres: what each measures, as curves and as numbers.
//!
//! Like the figures of [`model`](crate::model), a manoeuvre drives the vehicle in its world by ordinary commands, and scales with its size.
//! Each file below has one manoeuvre and the source of its numbers; the table [`MANOEUVRES`] names them all.

mod braking_in_turn;
mod bump;
mod crosswind;
mod frequency_response;
mod lane_change;
mod sine_with_dwell;

use super::figure::{Dash, Figure, Key, Line, Panel, Series};
use super::model::{THEORY, THEORY_NAME};
use super::test_drive::{TestDrive, scale_of};
use super::test_vehicle::{ModelError, TestVehicle};

/// A manoeuvre.
pub struct Manoeuvre {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in one line.
    pub help: &'static str,
    /// The elements of a world that it needs, in the format of world files, for a vehicle of the scale √(L/2.6 m) [-]; empty: open ground.
    elements: fn(f64) -> String,
    /// The diagrams, empty.
    panels: fn() -> Vec<Panel>,
    /// Drives it.
    drive: fn(&mut TestDrive<'_>) -> Result<Outcome, ModelError>,
}

/// All manoeuvres, as listed.
pub const MANOEUVRES: &[Manoeuvre] = &[
    Manoeuvre {
        name: "sine_with_dwell",
        help: "a sine of steering that dwells at its second peak, at rising amplitudes (FMVSS 126, ISO 19365)",
        elements: open_ground,
        panels: sine_with_dwell::panels,
        drive: sine_with_dwell::drive,
    },
    Manoeuvre {
        name: "double_lane_change",
        help: "the fastest entry into the double lane change that touches no cone (ISO 3888-1)",
        elements: open_ground,
        panels: lane_change::panels,
        drive: |run| lane_change::drive(run, &lane_change::DOUBLE_LANE_CHANGE),
    },
    Manoeuvre {
        name: "obstacle_avoidance",
        help: "the same for obstacle avoidance with released throttle, the elk test (ISO 3888-2)",
        elements: open_ground,
        panels: lane_change::panels,
        drive: |run| lane_change::drive(run, &lane_change::OBSTACLE_AVOIDANCE),
    },
    Manoeuvre {
        name: "braking_in_turn",
        help: "braking on a circle with fixed steering, ever harder (ISO 7975)",
        elements: open_ground,
        panels: braking_in_turn::panels,
        drive: braking_in_turn::drive,
    },
    Manoeuvre {
        name: "frequency_response",
        help: "yaw rate and lateral acceleration over the frequency of steering (ISO 7401)",
        elements: open_ground,
        panels: frequency_response::panels,
        drive: frequency_response::drive,
    },
    Manoeuvre {
        name: "crosswind",
        help: "a passage through wind from the side with fixed steering (ISO 12021)",
        elements: crosswind::elements,
        panels: crosswind::panels,
        drive: crosswind::drive,
    },
    Manoeuvre {
        name: "bump",
        help: "driving over a bump across the road",
        elements: bump::bump,
        panels: bump::panels,
        drive: bump::drive,
    },
    Manoeuvre {
        name: "kerb",
        help: "driving up a kerb",
        elements: bump::kerb,
        panels: bump::panels,
        drive: bump::drive,
    },
];

/// Open ground needs no elements.
fn open_ground(_: f64) -> String {
    String::new()
}

/// A number that a manoeuvre measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its key in documents, with the unit: `speed_mps`.
    pub key: &'static str,
    /// What it is.
    pub quantity: &'static str,
    /// Its unit in SI, such as `m/s`; `-` for none.
    pub unit: &'static str,
    /// The number in that unit; none: the vehicle did not get that far.
    pub value: Option<f64>,
}

impl Measured {
    /// Unit and number for people, who read angles in degrees.
    pub fn shown(&self) -> (&'static str, Option<f64>) {
        match self.unit {
            "rad" => ("°", self.value.map(f64::to_degrees)),
            "rad/s" => ("°/s", self.value.map(f64::to_degrees)),
            unit => (unit, self.value),
        }
    }
}

/// Shorthand for a measured number.
fn measured(key: &'static str, quantity: &'static str, unit: &'static str, value: impl Into<Option<f64>>) -> Measured {
    Measured { key, quantity, unit, value: value.into().filter(|value| value.is_finite()) }
}

/// What a vehicle did.
struct Outcome {
    /// Curves of each panel.
    curves: Vec<Vec<Curve>>,
    /// The numbers, the same quantities for every vehicle.
    numbers: Vec<Measured>,
}

/// A curve of a panel.
struct Curve {
    points: Vec<(f64, f64)>,
    dash: Dash,
    /// What it is: a second curve of the vehicle by its name; a limit or a border, which is grey.
    kind: Kind,
}

/// What a curve shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Vehicle(&'static str),
    Limit(&'static str),
    Theory,
}

impl Curve {
    /// The curve of the vehicle.
    fn solid(points: Vec<(f64, f64)>) -> Curve {
        Curve { points, dash: Dash::Solid, kind: Kind::Vehicle("") }
    }

    /// A second curve of the vehicle, called so.
    fn dashed(points: Vec<(f64, f64)>, name: &'static str) -> Curve {
        Curve { points, dash: Dash::Dashed, kind: Kind::Vehicle(name) }
    }

    /// A limit or a border, called so.
    fn limit(points: Vec<(f64, f64)>, name: &'static str) -> Curve {
        Curve { points, dash: Dash::Dashed, kind: Kind::Limit(name) }
    }

    /// The curve of the linear single track.
    fn theory(points: Vec<(f64, f64)>) -> Curve {
        Curve { points, dash: Dash::Dotted, kind: Kind::Theory }
    }
}

impl Manoeuvre {
    /// The manoeuvre of this name.
    pub fn named(name: &str) -> Option<&'static Manoeuvre> {
        MANOEUVRES.iter().find(|entry| entry.name == name)
    }

    /// The elements that the world of a vehicle with this wheelbase [m] needs, in the format of world files; empty: open ground.
    pub fn elements(&self, wheelbase: f64) -> String {
        (self.elements)(scale_of(wheelbase))
    }

    /// The figure without vehicles.
    pub fn figure(&self) -> Figure {
        Figure { columns: 2, panels: (self.panels)(), ..Figure::default() }
    }

    /// Drives the vehicle, adds its curves to the figure, and returns its numbers.
    ///
    /// # Errors
    /// The vehicle is not steered, has two frames, takes no commands, or its world fails.
    pub fn add(&self, figure: &mut Figure, vehicle: &mut TestVehicle<'_>) -> Result<Vec<Measured>, ModelError> {
        if vehicle.world.vehicle(vehicle.vehicle).is_some_and(|vehicle| vehicle.articulation().is_some()) {
            let reason = "has two frames, and manoeuvres are for vehicles of one";
            return Err(ModelError::Unfit { name: vehicle.name.to_string(), reason });
        }
        let mut run = TestDrive::new(vehicle)?;
        let outcome = (self.drive)(&mut run)?;
        run.reset();
        let theory = Key::new(THEORY_NAME, THEORY);
        let colors = figure.legend.iter().filter(|key| **key != theory).filter_map(|key| key.line.color);
        let color = colors.max().map_or(0, |color| color + 1);
        for (panel, curves) in figure.panels.iter_mut().zip(outcome.curves) {
            for Curve { points, dash, kind } in curves {
                let (label, line) = match kind {
                    Kind::Vehicle("") => (vehicle.name.to_string(), Line { color: Some(color), dash }),
                    Kind::Vehicle(name) => (format!("{}, {name}", vehicle.name), Line { color: Some(color), dash }),
                    Kind::Limit(name) => (name.to_string(), Line::grey(dash)),
                    Kind::Theory => (format!("{}, {THEORY_NAME}", vehicle.name), THEORY),
                };
                let key = if kind == Kind::Theory { theory.clone() } else { Key::new(label.clone(), line) };
                if !figure.legend.contains(&key) {
                    figure.legend.push(key);
                }
                panel.series.push(Series { label, points, line });
            }
        }
        Ok(outcome.numbers)
    }
}

/// Least and largest of the values; none of none.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((f64::min(low, value), f64::max(high, value)))
    })
}

/// The value that is farthest from zero; none of none.
fn peak(values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(|peak, value| if value.abs() > peak.abs() { value } else { peak })
}

#[cfg(test)]
mod tests;
