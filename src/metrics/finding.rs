//! Findings that explain the error of a run, from the recorded data alone.

use serde::Serialize;
use skidpad_math::{Pose2, Vec2};

use super::metrics::{ErrorSample, Metrics, MetricsOptions, TrackingMetrics, longest_interval};
use super::run::CommandSample;

/// A likely cause of the error of a run, or a defect of its data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Its kind, for scripts: `offset`, `lag`, `frame`, `steering_saturated`, `reference_too_fast`, `growing`, `gaps`; of experiments also
    /// `plan_held`.
    pub kind: &'static str,
    /// The explanation for readers, with numbers.
    pub text: String,
    /// For `offset` and `frame`: the RMSE without them [m].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aligned_rmse_m: Option<f64>,
}

/// Share of the squared error that a cause must explain to be reported [-].
const EXPLAINS: f64 = 0.9;
/// Share of the commands from which on saturated steering is reported [-].
const OFTEN: f64 = 0.05;
/// Ratio of the reference's speed to the vehicle's largest speed from which on the reference counts as too fast [-].
const FASTER: f64 = 1.02;
/// Ratio of the error in the last third to that in the first third from which on the error counts as growing [-].
const GROWS: f64 = 1.5;
/// Smallest distance of the points from which the curvature of a path is computed [m].
const APART: f64 = 0.05;

/// The findings in the errors and commands of a run, most basic first. Causes are reported only if the error leaves the band.
pub(super) fn findings(
    metrics: &Metrics,
    errors: &[ErrorSample],
    commands: &[CommandSample],
    options: &MetricsOptions,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(gaps(errors));
    if let Some(tracking) = metrics.tracking.filter(|tracking| tracking.max_error > options.band) {
        // A special cause rules out the more general ones after it.
        findings.extend(offset(errors).or_else(|| lag(errors)).or_else(|| frame(errors)));
        findings.extend(saturated(&tracking, errors, commands, options));
        findings.extend(too_fast(metrics.max_speed, &tracking, errors, options));
        findings.extend(growing(errors, options));
    }
    findings
}

fn gaps(errors: &[ErrorSample]) -> Option<Finding> {
    let longest = longest_interval(errors);
    let gaps = || errors.windows(2).map(|pair| pair[1].time - pair[0].time).filter(|interval| *interval > longest);
    let (count, time) = (gaps().count(), gaps().sum::<f64>());
    (count > 0).then(|| Finding {
        kind: "gaps",
        aligned_rmse_m: None,
        text: format!("{count} gaps of {time:.2} s in all, over which nothing is integrated"),
    })
}

/// Sum of squared lengths.
fn squares(vectors: impl Iterator<Item = Vec2>) -> f64 {
    vectors.map(|v| v.dot(v)).sum()
}

fn offset(errors: &[ErrorSample]) -> Option<Finding> {
    let count = errors.len() as f64;
    let sum = errors.iter().fold(Vec2::ZERO, |sum, sample| sum + sample.error());
    let mean = (1.0 / count) * sum;
    let left = squares(errors.iter().map(|sample| sample.error() - mean));
    let rmse = libm::sqrt(left / count);
    // A few samples are always near their mean.
    let is_offset = errors.len() > 9 && left <= (1.0 - EXPLAINS) * squares(errors.iter().map(ErrorSample::error));
    is_offset.then(|| Finding {
        kind: "offset",
        text: format!(
            "the error is a constant offset of ({:.3}, {:.3}) m: are odometry and reference in the same frame? Without it, the RMSE is \
             {rmse:.4} m",
            mean.x, mean.y
        ),
        aligned_rmse_m: Some(rmse),
    })
}

/// The rotation and translation that bring the positions nearest to the reference, by least squares.
///
/// Closed form in the plane: Umeyama, *Least-squares estimation of transformation parameters between two point
/// patterns*, 1991, without scale.
fn reference_from_odometry(errors: &[ErrorSample]) -> Pose2 {
    let mean = |point: fn(&ErrorSample) -> Vec2| {
        (1.0 / errors.len() as f64) * errors.iter().fold(Vec2::ZERO, |sum, sample| sum + point(sample))
    };
    let (position, reference) = (mean(|sample| sample.position), mean(|sample| sample.reference));
    let pairs = || errors.iter().map(|sample| (sample.position - position, sample.reference - reference));
    let cross: f64 = pairs().map(|(a, b)| a.cross(b)).sum();
    let dot: f64 = pairs().map(|(a, b)| a.dot(b)).sum();
    let yaw = libm::atan2(cross, dot);
    let (sin, cos) = libm::sincos(yaw);
    let x = reference.x - (cos * position.x - sin * position.y);
    let y = reference.y - (sin * position.x + cos * position.y);
    Pose2::new(x, y, yaw)
}

/// An error that is a constant rotation and translation: positions and reference are in different frames.
fn frame(errors: &[ErrorSample]) -> Option<Finding> {
    let aligned = reference_from_odometry(errors);
    let left = squares(errors.iter().map(|sample| aligned.transform_point(sample.position) - sample.reference));
    // A few samples can be aligned with any others.
    let is_frame = errors.len() > 9 && left <= (1.0 - EXPLAINS) * squares(errors.iter().map(ErrorSample::error));
    let rmse = libm::sqrt(left / errors.len() as f64);
    is_frame.then(|| Finding {
        kind: "frame",
        text: format!(
            "positions and reference differ by a constant transform (x {:.3} m, y {:.3} m, yaw {:.2} deg): are they in the same frame? \
             Aligned, the RMSE is {rmse:.4} m",
            aligned.x,
            aligned.y,
            aligned.yaw.to_degrees()
        ),
        aligned_rmse_m: Some(rmse),
    })
}

/// An error of −τ times the reference's velocity, by least squares: the vehicle lags by τ.
fn lag(errors: &[ErrorSample]) -> Option<Finding> {
    let velocity = || errors.iter().map(|sample| sample.reference_velocity);
    let power = squares(velocity());
    let behind: f64 = errors.iter().zip(velocity()).map(|(sample, velocity)| -sample.error().dot(velocity)).sum();
    let lag = if power > 0.0 { behind / power } else { return None };
    let left = squares(errors.iter().map(|sample| sample.error() + lag * sample.reference_velocity));
    let is_lag = lag > 0.0 && left <= (1.0 - EXPLAINS) * squares(errors.iter().map(ErrorSample::error));
    is_lag.then(|| Finding {
        kind: "lag",
        aligned_rmse_m: None,
        text: format!(
            "the vehicle follows {lag:.3} s behind the reference: P control without feed-forward lags 1/Kp, delays add"
        ),
    })
}

fn saturated(
    tracking: &TrackingMetrics,
    errors: &[ErrorSample],
    commands: &[CommandSample],
    options: &MetricsOptions,
) -> Option<Finding> {
    let angles: Vec<f64> = commands.iter().filter_map(|c| c.steering_angle).collect();
    let most = angles.iter().map(|angle| angle.abs()).fold(0.0, f64::max);
    // Without a known limit the largest commanded angle takes its place. A steady circle reaches that too, so the run must not settle.
    let limit = match options.max_steering_angle {
        Some(limit) => limit,
        None if most > 0.0 && tracking.settling_time.is_none() => most,
        None => return None,
    };
    // Commands are single precision.
    let at_limit = angles.iter().filter(|angle| angle.abs() >= limit * (1.0 - 1e-6)).count();
    let share = at_limit as f64 / angles.len().max(1) as f64;
    let needed = options.wheelbase.map(|wheelbase| libm::atan(wheelbase * greatest_curvature(errors)));
    let why = match needed {
        Some(needed) if needed >= limit => format!("the path is too tight, it needs {needed:.3} rad"),
        Some(needed) => {
            format!(
                "the path needs no more than {needed:.3} rad, so the tyres slide or the vehicle is far off the path"
            )
        }
        None => "the path is too tight, the tyres slide, or the vehicle is far off the path".into(),
    };
    (share >= OFTEN).then(|| Finding {
        kind: "steering_saturated",
        aligned_rmse_m: None,
        text: format!(
            "steering stands at its limit of {limit:.3} rad for {:.0} % of the commands: {why}",
            100.0 * share
        ),
    })
}

/// The largest curvature of the reference path [1/m]: that of circles through three successive points at least [`APART`] apart.
fn greatest_curvature(errors: &[ErrorSample]) -> f64 {
    let mut places: Vec<Vec2> = Vec::new();
    for place in errors.iter().map(|sample| sample.reference) {
        if places.last().is_none_or(|last| (place - *last).norm() >= APART) {
            places.push(place);
        }
    }
    let curvature = |three: &[Vec2]| {
        let [before, after] = [three[1] - three[0], three[2] - three[1]];
        // No steering angle follows a path that turns back.
        let goes_on = before.dot(after) > 0.0;
        if !goes_on {
            return 0.0;
        }
        2.0 * before.cross(after).abs() / (before.norm() * after.norm() * (before + after).norm())
    };
    places.windows(3).map(curvature).fold(0.0, f64::max)
}

fn too_fast(
    max_speed: f64,
    tracking: &TrackingMetrics,
    errors: &[ErrorSample],
    options: &MetricsOptions,
) -> Option<Finding> {
    let speeds = || errors.iter().map(|sample| sample.reference_velocity.norm());
    let faster = speeds().filter(|speed| *speed > FASTER * max_speed).count();
    let share = faster as f64 / errors.len() as f64;
    let falls_behind = tracking.along_track_mean < -options.band;
    (share >= OFTEN && max_speed > 0.0 && falls_behind).then(|| Finding {
        kind: "reference_too_fast",
        aligned_rmse_m: None,
        text: format!(
            "the reference moves at up to {:.3} m/s, the vehicle never at more than {max_speed:.3} m/s, and falls behind",
            speeds().fold(0.0, f64::max)
        ),
    })
}

fn growing(errors: &[ErrorSample], options: &MetricsOptions) -> Option<Finding> {
    let third = errors.len() / 3;
    let rms = |part: &[ErrorSample]| libm::sqrt(squares(part.iter().map(ErrorSample::error)) / part.len() as f64);
    if third < 10 {
        return None;
    }
    let (early, late) = (rms(&errors[..third]), rms(&errors[errors.len() - third..]));
    (late > GROWS * early && late > options.band).then(|| Finding {
        kind: "growing",
        aligned_rmse_m: None,
        text: format!("the error grows: RMSE {early:.3} m in the first third, {late:.3} m in the last"),
    })
}
