//! A bump across the road, and a kerb that the vehicle drives up.
//!
//! No standard has these: the bump is 6 cm high and 60 cm long, part of a cylinder, and the kerb 8 cm high. The vehicle crosses them at
//! 20 km/h. Accelerations are means over 10 ms. Without springs the body follows its wheels up an edge within a step, so that its peaks depend
//! on the step.

use super::{Curve, Outcome, measured, peak, range};
use crate::figure::Panel;
use crate::test_drive::TestDrive;
use crate::test_vehicle::ModelError;

/// Speed [m/s].
const SPEED: f64 = 20.0 / 3.6;
/// Place of the bump and of the edge of the kerb [m]: behind the longest run-up.
const PLACE: f64 = 600.0;
/// Height and length of the bump, height of the kerb [m].
const BUMP: [f64; 2] = [0.06, 0.6];
const KERB: f64 = 0.08;
/// Time that is shown, from before the place on [s], and the part of it before.
const SHOWN: f64 = 3.0;
const BEFORE: f64 = 0.3;
/// Window of the means of the acceleration [s].
const WINDOW: f64 = 0.01;

/// The bump, for a vehicle of this scale [-].
pub(super) fn bump(scale: f64) -> String {
    let [x, height, length] = [PLACE, BUMP[0], BUMP[1]].map(|length| length * scale * scale);
    format!(
        "<block name=\"bump\"> <init_pose>{x} 0 90</init_pose>\
         <geometry type=\"semi_cylinder_bump\" lx=\"{width}\" ly=\"{length}\" lz=\"{height}\"/> <shape_from_visual/>\
         <static>true</static> <intangible>true</intangible> </block>",
        width = 10.0 * scale * scale
    )
}

/// The kerb, for a vehicle of this scale [-].
pub(super) fn kerb(scale: f64) -> String {
    let [x, height] = [PLACE, KERB].map(|length| length * scale * scale);
    format!(
        "<element class=\"horizontal_plane\"> <x_min>{x}</x_min> <x_max>{end}</x_max> <y_min>-1e3</y_min> <y_max>1e3</y_max> <z>{height}</z> </element>",
        end = x + 1e3
    )
}

/// The diagrams.
pub(super) fn panels() -> Vec<Panel> {
    let over = "time [s]";
    vec![
        Panel::new("Height of the body", over, "height [m]", false),
        Panel::new("Vertical acceleration", over, "acceleration [m/s²]", false),
        Panel::new("Pitch angle", over, "nose up [°]", false),
        Panel::new("Load of the front axle", over, "of the load at rest [%]", false),
    ]
}

/// Drives over it.
pub(super) fn drive(run: &mut TestDrive<'_>) -> Result<Outcome, ModelError> {
    let speed = run.speed_up(SPEED)?;
    let front = run.vehicle().and_then(|vehicle| vehicle.wheels().last().map(|wheel| wheel.parameters.position.x));
    let front = front.unwrap_or(run.wheelbase);
    let begin = run.length(PLACE) - front - speed * BEFORE * run.scale;
    let patience = (1.5 * begin / (speed * run.dt)) as usize;
    let mut is_there = false;
    for _ in 0..patience {
        if run.step(speed, 0.0)?.world_from_body.x >= begin {
            is_there = true;
            break;
        }
    }
    let (mut height, mut pitch, mut load) = (Vec::new(), Vec::new(), Vec::new());
    let steps = if is_there { run.steps(SHOWN) } else { 0 };
    for step in 0..steps {
        let time = step as f64 * run.dt - BEFORE * run.scale;
        let frame = run.step(speed, 0.0)?;
        let half = frame.wheels.len() / 2;
        height.push((time, frame.world_from_body.z));
        // Positive pitch is nose down.
        pitch.push((time, -frame.world_from_body.pitch.to_degrees()));
        load.push((time, frame.wheels[half..].iter().map(|wheel| wheel.load).sum::<f64>()));
    }
    let at_rest = load.first().map_or(1.0, |point: &(f64, f64)| point.1);
    let load: Vec<(f64, f64)> = load.into_iter().map(|(time, load)| (time, 100.0 * load / at_rest)).collect();
    let acceleration = second_differences(&height, ((WINDOW / run.dt).round() as usize).max(1), run.dt);
    let ends = |points: &[(f64, f64)]| range(points.iter().map(|point| point.1));
    let (loads, peak_pitch) = (ends(&load), peak(pitch.iter().map(|point| point.1)));
    let numbers = vec![
        measured("speed_mps", "speed", "m/s", is_there.then_some(speed)),
        measured("upwards_mps2", "largest acceleration upwards", "m/s²", ends(&acceleration).map(|range| range.1)),
        measured("downwards_mps2", "largest acceleration downwards", "m/s²", ends(&acceleration).map(|range| -range.0)),
        measured("pitch_rad", "peak pitch angle, nose up", "rad", peak_pitch.map(f64::to_radians)),
        measured(
            "largest_load",
            "largest load of the front axle, per that at rest",
            "-",
            loads.map(|range| 0.01 * range.1),
        ),
        measured(
            "least_load",
            "least load of the front axle, per that at rest",
            "-",
            loads.map(|range| 0.01 * range.0),
        ),
    ];
    let curves = [height, acceleration, pitch, load].map(|points| vec![Curve::solid(points)]);
    Ok(Outcome { curves: curves.into(), numbers })
}

/// Mean acceleration over windows of so many steps of `dt` [s], of positions over time.
fn second_differences(positions: &[(f64, f64)], window: usize, dt: f64) -> Vec<(f64, f64)> {
    let length = window as f64 * dt;
    let triples = positions.windows(2 * window + 1);
    triples
        .map(|all| (all[window].0, (all[0].1 - 2.0 * all[window].1 + all[2 * window].1) / (length * length)))
        .collect()
}
