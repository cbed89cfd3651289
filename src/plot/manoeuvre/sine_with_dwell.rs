//! Sine with dwell: a period of a sine of steering that dwells for 0.5 s at its second peak, while the vehicle coasts.
//!
//! Source: FMVSS 126 (49 CFR 571.126), which ISO 19365 follows. The amplitude is counted in A, the steering angle at which a slowly increasing
//! steering gives 0.3 g at 80 km/h. It rises from 1.5·A in steps of 0.5·A to 6.5·A. After the steering has come back to zero, the yaw rate must
//! have fallen to 35 % of its second peak within 1.00 s and to 20 % within 1.75 s. From 5·A on, the centre of mass must have moved sideways by
//! 1.83 m at 1.07 s after the beginning. The standard's end at 270° of the steering wheel is left out, since few vehicles have a steering ratio.

use skidpad_math::Pose2;
use skidpad_sim::vehicle::STANDARD_GRAVITY;

use super::{Curve, Outcome, measured, range};
use crate::figure::Panel;
use crate::test_drive::{Sample, TestDrive};
use crate::test_vehicle::ModelError;

/// Speed [m/s].
const SPEED: f64 = 80.0 / 3.6;
/// Frequency of the sine [Hz].
const FREQUENCY: f64 = 0.7;
/// Duration of the dwell [s].
const DWELL: f64 = 0.5;
/// Rate of the lateral acceleration while the steering increases slowly [m/s² per s].
const RISE: f64 = 0.5;
/// Lateral acceleration at the steering angle A, and the range whose straight line gives A [m/s²].
const AT_A: f64 = 0.3 * STANDARD_GRAVITY;
const LINE: [f64; 2] = [0.1 * STANDARD_GRAVITY, 0.375 * STANDARD_GRAVITY];
/// Times after the end of the steering [s], and the greatest share of the second peak of the yaw rate at them [-].
const LIMITS: [(f64, f64); 2] = [(1.0, 0.35), (1.75, 0.2)];
/// Time after the beginning of the steering [s], least displacement then [m], and the amplitude [A] from which it counts.
const DISPLACEMENT: (f64, f64, f64) = (1.07, 1.83, 5.0);
/// Time after the last limit within which a vehicle may still tip over [s].
const TIPPING: f64 = 2.0;
/// Amplitudes [A]: from, to, step.
const AMPLITUDES: (f64, f64, f64) = (1.5, 6.5, 0.5);

/// The diagrams.
pub(super) fn panels() -> Vec<Panel> {
    vec![
        Panel::new("Yaw rate at 5·A", "time [s]", "yaw rate [°/s]", false),
        Panel::new("Path at 5·A", "x [m]", "y [m]", false),
        Panel::new("Yaw rate left after the steering", "amplitude [A]", "share of the second peak [%]", false),
        Panel::new("Displacement at 1.07 s", "amplitude [A]", "displacement [m]", false),
    ]
}

/// One run.
struct Run {
    /// Time [s] and motion since the beginning of the steering.
    samples: Vec<(f64, Sample)>,
    start: Pose2,
    /// End of the steering [s].
    end: f64,
    is_overturned: bool,
}

impl Run {
    /// The first sample from a time [s] on.
    fn at(&self, time: f64) -> Option<&Sample> {
        self.samples.iter().find(|sample| sample.0 >= time).map(|(_, sample)| sample)
    }

    /// The yaw rate at `after` [s] after the end of the steering, as a share of its second peak [-].
    fn share(&self, after: f64) -> Option<f64> {
        // Steering to the right gives the second peak: the yaw rate is negative there.
        let peak = self.samples.iter().map(|(_, sample)| -sample.velocity.wz).fold(0.0, f64::max);
        Some(self.at(self.end + after)?.velocity.wz.abs() / peak).filter(|share| share.is_finite())
    }

    /// Way to the left at a time [s] since the beginning [m].
    fn displacement(&self, time: f64) -> Option<f64> {
        Some((self.start.inverse() * self.at(time)?.world_from_center).y)
    }
}

/// Drives the series.
pub(super) fn drive(run: &mut TestDrive<'_>) -> Result<Outcome, ModelError> {
    let unit_angle = unit_angle(run)?;
    let required = run.length(DISPLACEMENT.1);
    let (mut shares, mut displacements) = ([Vec::new(), Vec::new()], Vec::new());
    let (mut yaw_rate, mut path, mut largest, mut overturned) = (Vec::new(), Vec::new(), None, None);
    let (from, to, step) = AMPLITUDES;
    let count = ((to - from) / step).round() as usize;
    let (mut runs, mut speed) = (0, None);
    for amplitude in (0..=count).map(|index| from + step * index as f64) {
        let Some(angle) = unit_angle.map(|unit| unit * amplitude).filter(|angle| *angle <= run.max_steer) else {
            break;
        };
        let driven = steer(run, angle)?;
        runs += 1;
        largest = Some(amplitude);
        speed = driven.samples.first().map(|(_, sample)| sample.velocity.vx);
        for ((after, _), shares) in LIMITS.iter().zip(&mut shares) {
            shares.extend(driven.share(after * run.scale).map(|share| (amplitude, 100.0 * share)));
        }
        displacements.extend(driven.displacement(DISPLACEMENT.0 * run.scale).map(|way| (amplitude, way)));
        if (amplitude - DISPLACEMENT.2).abs() < 0.5 * step {
            yaw_rate = driven.samples.iter().map(|(time, sample)| (*time, sample.velocity.wz.to_degrees())).collect();
            let local = |sample: &Sample| driven.start.inverse() * sample.world_from_center;
            path = driven.samples.iter().map(|(_, sample)| (local(sample).x, local(sample).y)).collect();
        }
        if driven.is_overturned {
            overturned = Some(amplitude);
            break;
        }
    }
    // A run without a share has spun or tipped over, so that the others do not have the largest one.
    let worst = |index: usize| {
        let largest = range(shares[index].iter().map(|point: &(f64, f64)| 0.01 * point.1)).map(|range| range.1);
        largest.filter(|_| shares[index].len() == runs)
    };
    let counted = displacements.iter().filter(|point| point.0 >= DISPLACEMENT.2).map(|point: &(f64, f64)| point.1);
    let numbers = vec![
        measured("speed_mps", "speed", "m/s", speed),
        measured("unit_angle_rad", "steering angle A at 0.3 g", "rad", unit_angle),
        measured("largest_amplitude", "largest amplitude, in A", "-", largest),
        measured("overturns_at", "amplitude at which it tips over, in A", "-", overturned),
        measured("yaw_rate_left_1_00_s", "largest share of the yaw rate after 1.00 s, at most 0.35", "-", worst(0)),
        measured("yaw_rate_left_1_75_s", "largest share of the yaw rate after 1.75 s, at most 0.20", "-", worst(1)),
        measured("displacement_m", "least displacement from 5 A on", "m", range(counted).map(|range| range.0)),
        measured("required_displacement_m", "displacement that is required", "m", required),
    ];
    let line = |y: f64| vec![(from, y), (to, y)];
    let [first, second] = shares;
    let curves = vec![
        vec![Curve::solid(yaw_rate)],
        vec![Curve::solid(path)],
        vec![
            Curve::solid(first),
            Curve::dashed(second, "after 1.75 s"),
            Curve::limit(line(100.0 * LIMITS[0].1), "limit"),
            Curve::limit(line(100.0 * LIMITS[1].1), "limit"),
        ],
        vec![Curve::solid(displacements), Curve::limit(line(required), "limit")],
    ];
    Ok(Outcome { curves, numbers })
}

/// The steering angle [rad] that gives 0.3 g, from a line through the points of slowly increasing steering; none if the vehicle does not get there.
fn unit_angle(run: &mut TestDrive<'_>) -> Result<Option<f64>, ModelError> {
    let Some(speed) = run.reach(SPEED)? else { return Ok(None) };
    let rate = RISE * run.wheelbase / (speed * speed * run.scale);
    // Sums of 1, x, y, x², x·y for a line through steering angle y over lateral acceleration x.
    let mut sums = [0.0; 5];
    let mut highest = 0.0;
    for step in 0..run.steps(30.0) {
        let angle = rate * step as f64 * run.dt;
        if angle > run.max_steer {
            break;
        }
        let (sample, _) = run.sample(speed, angle)?;
        let felt = sample.velocity.wz * sample.velocity.vx;
        highest = f64::max(highest, felt);
        if felt > LINE[1] {
            break;
        }
        if felt >= LINE[0] {
            for (sum, term) in sums.iter_mut().zip([1.0, felt, angle, felt * felt, felt * angle]) {
                *sum += term;
            }
        }
    }
    if highest < AT_A {
        return Ok(None);
    }
    let [n, x, y, xx, xy] = sums;
    let slope = (n * xy - x * y) / (n * xx - x * x);
    Ok(Some((y - slope * x) / n + slope * AT_A).filter(|angle| angle.is_finite() && *angle > 0.0))
}

/// The sine with dwell of this amplitude [rad], first to the left.
fn steer(run: &mut TestDrive<'_>, amplitude: f64) -> Result<Run, ModelError> {
    let speed = run.speed_up(SPEED)?;
    let (period, dwell) = (run.scale / FREQUENCY, DWELL * run.scale);
    let end = period + dwell;
    let (first, _) = run.sample(speed, 0.0)?;
    let (start, mut speed) = (first.world_from_center, first.velocity.vx);
    let (mut samples, mut is_overturned) = (vec![(0.0, first)], false);
    let steps = ((end + 1.02 * LIMITS[1].0 * run.scale) / run.dt) as usize;
    for step in 0..steps + run.steps(TIPPING) {
        let time = step as f64 * run.dt;
        let in_sine = if time < 0.75 * period { time } else { (time - dwell).max(0.75 * period) };
        let angle = if time < end { amplitude * libm::sin(std::f64::consts::TAU * in_sine / period) } else { 0.0 };
        // The commanded speed follows the vehicle's, so that it coasts.
        let (sample, frame) = run.sample(speed, angle)?;
        if frame.is_overturned {
            is_overturned = true;
            break;
        }
        speed = sample.velocity.vx.max(0.0);
        if step < steps {
            samples.push((time + run.dt, sample));
        }
    }
    Ok(Run { samples, start, end, is_overturned })
}
