//! Crosswind: the vehicle drives straight through wind from its right side, with its steering held at zero.
//!
//! Source: ISO 12021:2010, at 100 km/h with a wind of 20 m/s; the deviation is noted 2 s after the entry. The zone is 25 m long, as many wind
//! machines make it. The wind takes hold of the whole vehicle as soon as its reference point is in the zone.

use super::{Curve, Outcome, measured, peak};
use crate::figure::Panel;
use crate::test_drive::{Sample, TestDrive};
use crate::test_vehicle::ModelError;

/// Speed and wind [m/s].
const SPEED: f64 = 100.0 / 3.6;
const WIND: f64 = 20.0;
/// Beginning and length of the zone [m]: behind the longest run-up.
const ZONE: [f64; 2] = [3000.0, 25.0];
/// Time since the entry for which is measured [s], and the one at which the deviation is noted.
const SHOWN: f64 = 3.0;
const NOTED: f64 = 2.0;

/// The wind, for a vehicle of this scale [-].
pub(super) fn elements(scale: f64) -> String {
    let [begin, length] = ZONE.map(|length| length * scale * scale);
    format!(
        "<element class=\"property_region\"> <property_name>wind_y</property_name> <value_double>{wind}</value_double>\
         <x_min>{begin}</x_min> <x_max>{end}</x_max> <y_min>-1e5</y_min> <y_max>1e5</y_max> </element>",
        wind = WIND * scale,
        end = begin + length
    )
}

/// The diagrams.
pub(super) fn panels() -> Vec<Panel> {
    let over = "time since the entry [s]";
    vec![
        Panel::new("Lateral deviation", over, "to leeward [m]", false),
        Panel::new("Yaw rate", over, "yaw rate [°/s]", false),
        Panel::new("Lateral acceleration", over, "lateral acceleration [m/s²]", false),
        Panel::new("Roll angle", over, "roll angle [°]", false),
    ]
}

/// Drives through the wind.
pub(super) fn drive(run: &mut TestDrive<'_>) -> Result<Outcome, ModelError> {
    let (begin, dt) = (run.length(ZONE[0]), run.dt);
    // One step before the entry.
    let entry = run.reach_place(SPEED, |speed| begin - speed * dt)?;
    let mut samples = Vec::new();
    if let Some((speed, _)) = entry {
        for step in 1..=run.steps(SHOWN) {
            let (sample, frame) = run.sample(speed, 0.0)?;
            samples.push((step as f64 * dt, sample, frame.world_from_body.roll));
        }
    }
    let before = entry.map(|(_, sample)| sample);
    let start = before.unwrap_or_default().world_from_center.inverse();
    let deviation: Vec<(f64, f64)> =
        samples.iter().map(|(time, sample, _)| (*time, (start * sample.world_from_center).y)).collect();
    let noted = deviation.iter().find(|point| point.0 >= NOTED * run.scale).map(|point| point.1);
    let over = |value: fn(&(f64, Sample, f64)) -> f64| -> Vec<(f64, f64)> {
        samples.iter().map(|sample| (sample.0, value(sample))).collect()
    };
    let yaw_rate = over(|(_, sample, _)| sample.velocity.wz.to_degrees());
    let acceleration = over(|(_, sample, _)| sample.acceleration.y);
    let roll = over(|(.., roll)| roll.to_degrees());
    let peak_of = |points: &[(f64, f64)]| peak(points.iter().map(|point| point.1));
    let numbers = vec![
        measured("speed_mps", "speed", "m/s", before.map(|sample| sample.velocity.vx)),
        measured("wind_mps", "wind from the right", "m/s", WIND * run.scale),
        measured("deviation_m", "deviation after 2 s", "m", noted),
        measured("yaw_rate_radps", "peak yaw rate", "rad/s", peak_of(&yaw_rate).map(f64::to_radians)),
        measured("lateral_mps2", "peak lateral acceleration", "m/s²", peak_of(&acceleration)),
        measured("roll_rad", "peak roll angle", "rad", peak_of(&roll).map(f64::to_radians)),
    ];
    let curves = [deviation, yaw_rate, acceleration, roll].map(|points| vec![Curve::solid(points)]);
    Ok(Outcome { curves: curves.into(), numbers })
}
