//! `<element class="property_region">`: a box in which the ground, or the reception of satellites, has other properties.
//!
//! ```xml
//! <element class="property_region">
//!   <property_name>friction_mu</property_name>    required
//!   <value_double>0.15</value_double>             or <value_bool>true</value_bool>, or <value_string>…</value_string>
//!   <x_min>-1</x_min> <x_max>1</x_max>            the box, borders included [m]
//!   <y_min>-1</y_min> <y_max>1</y_max>
//!   <z_min>-1000</z_min> <z_max>1000</z_max>
//! </element>
//! ```
//! | property | value | |
//! |---|---|---|
//! | `friction_mu` | double [-], ≥ 0 | friction coefficient of the ground, in place of the tyre's |
//! | `friction_C_rr` | double [-], ≥ 0 | rolling resistance of the ground, in place of the tyre's |
//! | `wind_x`, `wind_y` | double [m/s] | mean wind along the axes of the world |
//! | `wind_gusts` | double [m/s], ≥ 0 | standard deviation of gusts along it |
//! | `wind_gust_length` | double [m], > 0 | their length |
//! | `gps_no_coverage` | bool | satellites are not received inside |
//!
//! Other properties are kept without effect. Where regions of one property overlap, the first in the file counts.

use skidpad_math::Vec3;
use skidpad_xml::{Accept, Reader};

use super::Builder;
use crate::world::region::{FRICTION, NO_COVERAGE, ROLLING_RESISTANCE, Region, Value};
use crate::world::wind::{WIND_GUST_LENGTH, WIND_GUSTS, WIND_X, WIND_Y};

/// Properties that have an effect, for messages.
const KNOWN: &[&str] = &[FRICTION, ROLLING_RESISTANCE, NO_COVERAGE, WIND_X, WIND_Y, WIND_GUSTS, WIND_GUST_LENGTH];

impl Builder<'_> {
    pub(super) fn property_region(&mut self, reader: &Reader<'_>) {
        let name = self.names.numbered("region", 1, |stem, number| format!("{stem}{number}"));
        let side = |tag: &str, default: f64| reader.f64(tag, default, Accept::any());
        let low = Vec3::new(side("x_min", -1.0), side("y_min", -1.0), side("z_min", -1000.0));
        let high = Vec3::new(side("x_max", 1.0), side("y_max", 1.0), side("z_max", 1000.0));
        let property = reader.text("property_name").unwrap_or_default();
        let value = read_value(reader, &property);
        for (axis, low, high) in [("x", low.x, high.x), ("y", low.y, high.y), ("z", low.z, high.z)] {
            if low > high {
                reader.warn(format!("the region is empty: {axis}_min is {low}, {axis}_max {high}"));
            }
        }
        if property.is_empty() {
            reader.missing("<property_name>").accepted(KNOWN.iter().copied());
        } else if !KNOWN.contains(&property.as_str()) {
            reader.warn(format!("the property \"{property}\" has no effect")).one_of(&property, KNOWN.iter().copied());
        } else if let Some(value) = &value {
            check_type(reader, &property, value);
        }
        if let Some(value) = value {
            self.regions.push(Region { name, low, high, property, value });
        }
        reader.finish();
    }
}

/// The first value tag that is present. None if there is none or it is bad, with the error recorded.
fn read_value(reader: &Reader<'_>, property: &str) -> Option<Value> {
    let accept = match property {
        FRICTION | ROLLING_RESISTANCE | WIND_GUSTS => Accept::non_negative(),
        WIND_GUST_LENGTH => Accept::positive(),
        _ => Accept::any(),
    };
    reader.ignore(&["value_bool", "value_string"]);
    if reader.has("value_double") {
        reader.optional_f64("value_double", accept).map(Value::Double)
    } else if reader.has("value_bool") {
        Some(Value::Bool(reader.bool("value_bool", false)))
    } else if let Some(text) = reader.text("value_string") {
        Some(Value::Text(text))
    } else {
        reader.missing("a value").accepted(["<value_double>", "<value_bool>", "<value_string>"]);
        None
    }
}

/// Checks the type of the value: an error where MVSim refuses it, a warning where MVSim ignores it.
fn check_type(reader: &Reader<'_>, property: &str, value: &Value) {
    match (property, value) {
        (NO_COVERAGE, Value::Bool(_)) => {}
        (NO_COVERAGE, _) => {
            reader.error(format!("\"{property}\" is not a boolean")).accepted(["<value_bool>"]);
        }
        (_, Value::Double(_)) => {}
        _ => {
            let report = reader.warn(format!("\"{property}\" is not a number, and has no effect"));
            report.accepted(["<value_double>"]);
        }
    }
}
