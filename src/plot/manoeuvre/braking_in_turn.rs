//! Braking in a turn: from a steady circle the vehicle brakes with its steering angle fixed, in one run after the other ever harder.
//!
//! Source: ISO 7975:2019, on a circle of 100 m at 5 m/s². A vehicle that cannot reach that takes a lower speed. Braking begins at zero. What
//! counts is the state one second later. The deceleration is the mean up to then.
//!
//! * The yaw rate over v/R, which would stay on the circle.
//! * The change of the side-slip angle.
//! * The distance from the circle.

use super::{Curve, Outcome, measured, peak, range};
use crate::figure::Panel;
use crate::test_drive::{Sample, TestDrive};
use crate::test_vehicle::ModelError;

/// Radius of the circle [m].
const RADIUS: f64 = 100.0;
/// Lateral accelerations that are tried [m/s²]; the first that the vehicle reaches counts.
const LATERAL: [f64; 5] = [5.0, 4.0, 3.0, 2.0, 1.0];
/// Commanded decelerations [m/s²], a whole number of them from 1.
const DECELERATIONS: usize = 8;
/// Time after the beginning of braking at which is measured [s].
const NOTED: f64 = 1.0;
/// The deceleration whose yaw rate is drawn [m/s²].
const DRAWN: usize = 5;

/// The diagrams.
pub(super) fn panels() -> Vec<Panel> {
    let over = "mean deceleration [m/s²]";
    vec![
        Panel::new("Yaw rate after 1 s", over, "share of that of the circle [%]", false),
        Panel::new("Change of the side-slip angle after 1 s", over, "angle [°]", false),
        Panel::new("Distance from the circle after 1 s", over, "outwards [m]", false),
        Panel::new("Yaw rate at 5 m/s²", "time [s]", "share of that before [%]", false),
    ]
}

/// A vehicle on its circle.
struct Circling {
    speed: f64,
    steering_angle: f64,
    last: Sample,
}

/// Drives the series.
pub(super) fn drive(run: &mut TestDrive<'_>) -> Result<Outcome, ModelError> {
    let radius = run.length(RADIUS);
    let mut reached = None;
    for lateral in LATERAL {
        if let Some(circling) = circle(run, radius, lateral)? {
            reached = Some((lateral, circling.speed, circling.steering_angle));
            break;
        }
    }
    let (mut yaw, mut slip, mut outwards, mut drawn) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    if let Some((lateral, ..)) = reached {
        for deceleration in 1..=DECELERATIONS {
            let Some(circling) = circle(run, radius, lateral)? else { break };
            let Circling { speed, steering_angle, last: before } = circling;
            let mut after = before;
            let steps = run.steps(NOTED);
            for step in 1..=steps {
                let commanded = (speed - deceleration as f64 * step as f64 * run.dt).max(0.0);
                (after, _) = run.sample(commanded, steering_angle)?;
                if deceleration == DRAWN {
                    let share = after.velocity.wz / before.velocity.wz;
                    drawn.push((step as f64 * run.dt, 100.0 * share));
                }
            }
            let mean = (before.velocity.vx - after.velocity.vx) / (steps as f64 * run.dt);
            let on_circle = after.velocity.linear().norm() / radius;
            yaw.push((mean, 100.0 * after.velocity.wz / on_circle));
            slip.push((mean, (after.slip_angle() - before.slip_angle()).to_degrees()));
            let pose = before.world_from_center;
            let course = pose.rotation() * before.velocity.linear();
            let center = pose.position() + (radius / course.norm()) * course.perpendicular();
            outwards.push((mean, (after.world_from_center.position() - center).norm() - radius));
        }
    }
    let ends = |points: &[(f64, f64)]| range(points.iter().map(|point| 0.01 * point.1));
    let hardest = range(yaw.iter().map(|point| point.0));
    let turned = peak(slip.iter().map(|point| point.1));
    let numbers = vec![
        measured("radius_m", "radius", "m", radius),
        measured("lateral_mps2", "lateral acceleration before", "m/s²", reached.map(|(lateral, ..)| lateral)),
        measured("speed_mps", "speed before", "m/s", reached.map(|(_, speed, _)| speed)),
        measured("steering_rad", "steering angle", "rad", reached.map(|(.., angle)| angle)),
        measured("deceleration_mps2", "greatest mean deceleration", "m/s²", hardest.map(|range| range.1)),
        measured(
            "least_yaw_rate",
            "least yaw rate after 1 s, per that of the circle",
            "-",
            ends(&yaw).map(|range| range.0),
        ),
        measured(
            "largest_yaw_rate",
            "largest yaw rate after 1 s, per that of the circle",
            "-",
            ends(&yaw).map(|range| range.1),
        ),
        measured("slip_angle_rad", "largest change of the side-slip angle", "rad", turned.map(f64::to_radians)),
        measured("outwards_m", "largest distance from the circle", "m", peak(outwards.iter().map(|point| point.1))),
    ];
    let curves = [yaw, slip, outwards, drawn].map(|points| vec![Curve::solid(points)]);
    Ok(Outcome { curves: curves.into(), numbers })
}

/// Brings the vehicle onto a circle at a lateral acceleration [m/s²]; none if it does not get there.
fn circle(run: &mut TestDrive<'_>, radius: f64, lateral: f64) -> Result<Option<Circling>, ModelError> {
    let speed_of_car = (lateral * RADIUS).sqrt();
    let speed = run.speed_up(speed_of_car)?;
    let wanted = speed / radius;
    let mut angle = 0.0;
    let mut last = Sample::default();
    // The rate of the angle is in proportion to the error of the yaw rate: slow against the vehicle, whose gain is about V/L.
    let rate = run.wheelbase / (speed * run.scale);
    for _ in 0..run.steps(12.0) {
        (last, _) = run.sample(speed, angle)?;
        angle = (angle + rate * (wanted - last.velocity.wz) * run.dt).clamp(-run.max_steer, run.max_steer);
    }
    let is_there = |value: f64, wanted: f64| (value / wanted - 1.0).abs() < 0.03;
    let reached = is_there(last.velocity.wz, wanted) && is_there(last.velocity.vx, speed);
    Ok(reached.then_some(Circling { speed, steering_angle: angle, last }))
}
