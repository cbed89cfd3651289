//! A bump across the road, and a kerb that the vehicle drives up.
//!
//! No standard has these: the bump is 6 cm high and 60 cm long, part of a cylinder, and the kerb 8 cm high. The vehicle crosses them at
//! 20 km/h. Heights are those of the reference point, accelerations their second differences over 10 ms. Without springs the body follows its
//! wheels up an edge within a step. Its peaks then depend on the step.

use skidpad_sim::vehicle::WheelFrame;

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
/// Interval of the second differences [s].
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
    let places: Vec<f64> = run
        .vehicle()
        .map_or_else(Vec::new, |vehicle| vehicle.wheels().iter().map(|wheel| wheel.parameters.position.x).collect());
    let front = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (place, before) = (run.length(PLACE) - front, BEFORE * run.scale);
    let reached = run.reach_place(SPEED, |speed| place - speed * before)?.map(|(speed, _)| speed);
    let (mut height, mut pitch, mut load) = (Vec::new(), Vec::new(), Vec::new());
    let (steps, speed) = reached.map_or((0, 0.0), |speed| (run.steps(SHOWN), speed));
    let mut is_stopped = false;
    for step in 0..steps {
        let time = step as f64 * run.dt - before;
        let frame = run.step(speed, 0.0)?;
        is_stopped |= frame.colliding;
        height.push((time, frame.world_from_body.z));
        // Positive pitch is nose down.
        pitch.push((time, -frame.world_from_body.pitch.to_degrees()));
        load.push((time, on_front_axle(&frame.wheels, &places, front)));
    }
    let at_rest = load.first().map_or(1.0, |point: &(f64, f64)| point.1);
    let load: Vec<(f64, f64)> = load.into_iter().map(|(time, load)| (time, 100.0 * load / at_rest)).collect();
    let acceleration = second_differences(&height, ((WINDOW / run.dt).round() as usize).max(1), run.dt);
    // A vehicle that the edge stops stands in front of it, and has no numbers.
    let ends = |points: &[(f64, f64)]| range(points.iter().map(|point| point.1)).filter(|_| !is_stopped);
    let peak_pitch = peak(pitch.iter().map(|point| point.1)).filter(|_| !is_stopped);
    let loads = ends(&load);
    let numbers = vec![
        measured("speed_mps", "speed", "m/s", reached.filter(|_| !is_stopped)),
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

/// Load of the wheels whose place is that of the front axle [N].
fn on_front_axle(wheels: &[WheelFrame], places: &[f64], front: f64) -> f64 {
    wheels.iter().zip(places).filter(|(_, place)| **place == front).map(|(wheel, _)| wheel.load).sum()
}

/// Second differences over windows of so many steps of `dt` [s], of positions over time.
fn second_differences(positions: &[(f64, f64)], window: usize, dt: f64) -> Vec<(f64, f64)> {
    let length = window as f64 * dt;
    let triples = positions.windows(2 * window + 1);
    triples
        .map(|all| (all[window].0, (all[0].1 - 2.0 * all[window].1 + all[2 * window].1) / (length * length)))
        .collect()
}
