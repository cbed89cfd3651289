//! Metrics of a run: position errors against the reference, control effort, speed.
//!
//! Each odometry sample is compared with the reference sample nearest in time, as in the study (§6.0.1): `e = q − q_ref`, with q
//! the position on the odometry topic. The heading does not count. All sums run over the samples that have a reference sample, up
//! to the end of the reference (`window`).

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_math::Vec2;

use super::finding::{self, Finding};
use super::join;
use super::laps::Laps;
use super::path::Path;
use super::run::{CommandSample, PoseSample, PositionSample, Run, WantedPath};
use super::window::Window;

/// How metrics are computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetricsOptions {
    /// Largest difference in time between an odometry sample and its reference sample [s], > 0.
    pub join_tolerance: f64,
    /// A run has settled when the error stays below this [m], > 0.
    pub band: f64,
    /// Leaves out data before this time [s] after the first sample with a reference.
    pub from: Option<f64>,
    /// Leaves out data after this time [s] after the first sample with a reference, instead of after the end of the reference.
    pub to: Option<f64>,
    /// Largest steering angle of the vehicle or its linearizer [rad], if known: commands that reach it count as saturated.
    pub max_steering_angle: Option<f64>,
    /// Distance of the axles [m], > 0, if known; it determines the steering angle that the path needs.
    pub wheelbase: Option<f64>,
}

impl Default for MetricsOptions {
    fn default() -> MetricsOptions {
        let (max_steering_angle, wheelbase) = (None, None);
        MetricsOptions { join_tolerance: 0.1, band: 0.05, from: None, to: None, max_steering_angle, wheelbase }
    }
}

/// Intervals longer than this many median intervals of the odometry are gaps, over which nothing is integrated.
const GAP: f64 = 10.0;

/// The metrics of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    /// The time over which the metrics count.
    pub window: Window,
    /// Number of odometry samples used: all in the window, or with a reference those of them that have a reference sample.
    pub samples: usize,
    /// Time from the first to the last of them [s].
    pub duration: f64,
    /// Length of the path from the first to the last of them [m].
    pub path_length: f64,
    /// That length over the duration [m/s]; 0 for less than two samples.
    pub mean_speed: f64,
    /// Greatest speed in the odometry [m/s].
    pub max_speed: f64,
    /// Errors against the reference; none without a reference.
    pub tracking: Option<TrackingMetrics>,
    /// Distances from the paths to follow; none without such, or with a reference in time.
    pub path: Option<PathMetrics>,
    /// Control effort; none without commands.
    pub effort: Option<EffortMetrics>,
    /// Its laps; none unless they were timed on a course.
    pub laps: Option<Laps>,
    /// Findings in the data that explain the error.
    pub findings: Vec<Finding>,
}

/// Errors of position against the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackingMetrics {
    /// Root mean square error, √(mean of ex² + ey²) [m].
    pub rmse: f64,
    /// Root mean square of the error along x [m].
    pub rmse_x: f64,
    /// Root mean square of the error along y [m].
    pub rmse_y: f64,
    /// Integral square error, ∫ (ex² + ey²) dt by the trapezoid rule [m²·s].
    pub ise: f64,
    /// The plain sum of ex² + ey² [m²], which grows with the rate of the odometry: what the study's script prints as ISE.
    pub squared_error_sum: f64,
    /// Mean of the error's length [m].
    pub mean_error: f64,
    /// Greatest error [m].
    pub max_error: f64,
    /// Time of that error [s] after the first sample.
    pub max_error_time: f64,
    /// Error of the last sample [m].
    pub final_error: f64,
    /// Root mean square of the distance to the reference path as a polyline [m], at any time of the reference.
    pub cross_track_rms: f64,
    /// Greatest such distance [m].
    pub cross_track_max: f64,
    /// Mean of the error along the direction of the reference's motion [m]; negative: behind it.
    pub along_track_mean: f64,
    /// Root mean square of the error along that direction [m].
    pub along_track_rms: f64,
    /// Time after the first sample from which on the error stays within the band [s]; none: never.
    pub settling_time: Option<f64>,
}

/// Distances from paths without times, over the way driven: how long the vehicle stands changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PathMetrics {
    /// Root mean square of the distance to the path as a polyline that holds at the time, √(∫ d² ds / ∫ ds) by the trapezoid rule [m].
    pub cross_track_rms: f64,
    /// Greatest such distance [m].
    pub cross_track_max: f64,
}

/// Control effort over the same time as the errors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EffortMetrics {
    /// Number of commands.
    pub commands: usize,
    /// ∫ |dv/dt| dt of the commanded speed [m/s]: its total variation.
    pub speed_variation: f64,
    /// ∫ |dδ/dt| dt of the commanded steering angle [rad]: its total variation; none without steering angles.
    pub steering_variation: Option<f64>,
    /// ∫ (dδ/dt)² dt of it [rad²/s]; none without steering angles.
    pub steering_effort: Option<f64>,
    /// Greatest steering angle commanded, to either side [rad]; none without steering angles.
    pub max_steering_angle: Option<f64>,
}

/// Why there are no metrics.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisError {
    /// There are no poses of the vehicle.
    NoOdometry {
        /// The run.
        run: String,
    },
    /// Odometry and reference have no times in common.
    NoPartners {
        /// The run.
        run: String,
        /// First and last time of the odometry [s].
        odometry: (f64, f64),
        /// First and last time of the reference [s].
        reference: (f64, f64),
        /// Largest accepted difference [s].
        tolerance: f64,
    },
    /// There is no sample in the selected time.
    Empty {
        /// The run.
        run: String,
        /// Start and end of the selected time [s]; infinite: to the end.
        wanted: (f64, f64),
        /// Duration of the run [s].
        duration: f64,
    },
}

impl From<&AnalysisError> for Diagnostic {
    fn from(error: &AnalysisError) -> Diagnostic {
        match error {
            AnalysisError::NoOdometry { run } => Diagnostic::new(run, "has no odometry to analyze"),
            AnalysisError::NoPartners { run, odometry, reference, tolerance } => {
                let found = format!(
                    "no odometry sample between the first reference sample and the last has one within {tolerance} s: odometry is from {:.3} to {:.3} s, the reference from {:.3} to {:.3} s",
                    odometry.0, odometry.1, reference.0, reference.1
                );
                Diagnostic::new(run, found)
                    .accepted("stamps of one clock")
                    .hint("do both stamp by the same clock (use_sim_time)?")
            }
            AnalysisError::Empty { run, wanted, duration } => {
                Diagnostic::new(run, format!("no sample from {} s to {}", wanted.0, end(wanted.1)))
                    .accepted(format!("0 to {duration:.3} s"))
            }
        }
    }
}

error_by_parts!(AnalysisError);

fn end(to: f64) -> String {
    if to.is_finite() { format!("{to} s") } else { "the end".into() }
}

/// An odometry sample with its reference sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorSample {
    /// Time [s], as in the recording.
    pub time: f64,
    /// Position of the vehicle [m].
    pub position: Vec2,
    /// Position of the reference [m].
    pub reference: Vec2,
    /// Velocity of the reference [m/s], from the neighbouring samples; zero for a single sample.
    pub reference_velocity: Vec2,
}

impl ErrorSample {
    /// Position minus reference [m].
    pub fn error(&self) -> Vec2 {
        self.position - self.reference
    }

    /// The error along the direction of the reference's motion [m]; none if the reference stands still.
    pub(crate) fn along_track(&self) -> Option<f64> {
        let speed = self.reference_velocity.norm();
        (speed > 0.0).then(|| self.error().dot(self.reference_velocity) / speed)
    }
}

/// The odometry samples with their reference samples. Left out are those before the first reference and after the last, which nothing was to be
/// followed at, and those without one within the tolerance. The run is tidy.
pub fn errors(run: &Run, options: &MetricsOptions) -> Vec<ErrorSample> {
    let (Some(first), Some(last)) = (run.reference.first(), run.reference.last()) else { return Vec::new() };
    let (begin, end) = (
        run.poses.partition_point(|pose| pose.time < first.time),
        run.poses.partition_point(|pose| pose.time <= last.time),
    );
    let poses = &run.poses[begin..end];
    let times = poses.iter().map(|pose| pose.time);
    let partners = join::nearest(times, &run.reference, |sample| sample.time, options.join_tolerance);
    let joined = poses.iter().zip(partners).filter_map(|(pose, partner)| {
        let (index, reference) = partner?;
        Some(ErrorSample {
            time: pose.time,
            position: pose.pose.position(),
            reference: reference.position,
            reference_velocity: velocity_at(&run.reference, index),
        })
    });
    joined.collect()
}

/// The velocity of the reference [m/s] at one of its samples, from the samples before and after it.
fn velocity_at(reference: &[PositionSample], index: usize) -> Vec2 {
    let before = &reference[index.saturating_sub(1)];
    let after = &reference[(index + 1).min(reference.len() - 1)];
    let dt = after.time - before.time;
    if dt > 0.0 { (1.0 / dt) * (after.position - before.position) } else { Vec2::ZERO }
}

/// The metrics of a run.
///
/// # Errors
/// There is no odometry, it has no times in common with the reference, or there is none between `from` and `to`.
pub fn metrics(run: &Run, options: &MetricsOptions) -> Result<Metrics, AnalysisError> {
    let mut run = run.clone();
    run.tidy();
    let name = || run.name.clone();
    let (Some(first), Some(last)) = (run.poses.first(), run.poses.last()) else {
        return Err(AnalysisError::NoOdometry { run: name() });
    };
    let mut errors = errors(&run, options);
    if let (Some(from), Some(to), true) = (run.reference.first(), run.reference.last(), errors.is_empty()) {
        return Err(AnalysisError::NoPartners {
            run: name(),
            odometry: (first.time, last.time),
            reference: (from.time, to.time),
            tolerance: options.join_tolerance,
        });
    }
    // First and last time of the odometry, or of the samples that have a reference sample or a path.
    let whole = match (errors.first(), errors.last(), run.plans.first()) {
        (Some(first), Some(last), _) => (first.time, last.time),
        (_, _, Some(plan)) => (first.time.max(plan.time), last.time),
        _ => (first.time, last.time),
    };
    let window = Window::of(&run, whole, options);
    errors.retain(|sample| window.contains(sample.time));
    let poses: Vec<_> = match run.reference.is_empty() {
        true => run.poses.iter().filter(|pose| window.contains(pose.time)).collect(),
        // Both are in the order of time, and each error is of one pose.
        false => {
            let mut partners = errors.iter().map(|sample| sample.time).peekable();
            run.poses.iter().filter(|pose| partners.next_if_eq(&pose.time).is_some()).collect()
        }
    };
    let (Some(first), Some(last)) = (poses.first(), poses.last()) else {
        let wanted = (options.from.unwrap_or(0.0), options.to.unwrap_or(f64::INFINITY));
        return Err(AnalysisError::Empty { run: name(), wanted, duration: window.end.max(whole.0) - whole.0 });
    };
    let duration = last.time - first.time;
    let path_length = total(poses.windows(2).map(|pair| (pair[1].pose.position() - pair[0].pose.position()).norm()));
    let commands: Vec<CommandSample> =
        run.commands.iter().copied().filter(|c| c.time >= first.time && c.time <= last.time).collect();
    let mut metrics = Metrics {
        window,
        samples: poses.len(),
        duration,
        path_length,
        mean_speed: if duration > 0.0 { path_length / duration } else { 0.0 },
        max_speed: poses.iter().map(|pose| pose.velocity_in_body.linear().norm()).fold(0.0, f64::max),
        tracking: tracking(&errors, &run.reference, options),
        path: run.reference.is_empty().then(|| beside(&poses, &run.plans)).flatten(),
        effort: effort(&commands),
        laps: None,
        findings: Vec::new(),
    };
    metrics.findings = finding::findings(&metrics, &errors, &commands, options);
    Ok(metrics)
}

fn tracking(errors: &[ErrorSample], reference: &[PositionSample], options: &MetricsOptions) -> Option<TrackingMetrics> {
    let (first, last) = (errors.first()?, errors.last()?);
    let path = Path::through(reference.iter().map(|sample| sample.position))?;
    let count = errors.len() as f64;
    let mut metrics = TrackingMetrics { final_error: last.error().norm(), ..TrackingMetrics::default() };
    let [mut sum_x, mut sum_y, mut sum, mut beside, mut along, mut along_squared] = [0.0; 6];
    let mut moving = 0;
    let mut settled = Some(first.time);
    for sample in errors {
        let error = sample.error();
        let length = error.norm();
        sum_x += error.x * error.x;
        sum_y += error.y * error.y;
        sum += length;
        if length > metrics.max_error {
            metrics.max_error = length;
            metrics.max_error_time = sample.time - first.time;
        }
        let distance = path.distance(sample.position);
        beside += distance * distance;
        metrics.cross_track_max = metrics.cross_track_max.max(distance);
        if let Some(ahead) = sample.along_track() {
            moving += 1;
            along += ahead;
            along_squared += ahead * ahead;
        }
        settled = if length > options.band { None } else { settled.or(Some(sample.time)) };
    }
    metrics.rmse_x = libm::sqrt(sum_x / count);
    metrics.rmse_y = libm::sqrt(sum_y / count);
    metrics.squared_error_sum = sum_x + sum_y;
    metrics.rmse = libm::sqrt(metrics.squared_error_sum / count);
    metrics.mean_error = sum / count;
    metrics.cross_track_rms = libm::sqrt(beside / count);
    if moving > 0 {
        metrics.along_track_mean = along / f64::from(moving);
        metrics.along_track_rms = libm::sqrt(along_squared / f64::from(moving));
    }
    metrics.settling_time = settled.map(|time| time - first.time);
    metrics.ise = integral_of_squares(errors);
    Some(metrics)
}

/// Distances of poses from the paths that hold at their times; none without a pose that has a path.
fn beside(poses: &[&PoseSample], plans: &[WantedPath]) -> Option<PathMetrics> {
    let paths: Vec<Option<Path>> = plans.iter().map(|plan| Path::through(plan.points.iter().copied())).collect();
    let distance = |pose: &&PoseSample| {
        let plan = plans.partition_point(|plan| plan.time <= pose.time).checked_sub(1)?;
        Some((pose.pose.position(), paths[plan].as_ref()?.distance(pose.pose.position())))
    };
    let distances: Vec<(Vec2, f64)> = poses.iter().filter_map(distance).collect();
    let cross_track_max = distances
        .iter()
        .map(|(_, distance)| *distance)
        .fold(None, |most: Option<f64>, distance| Some(most.map_or(distance, |most| most.max(distance))))?;
    let steps = || distances.windows(2).map(|pair| ((pair[1].0 - pair[0].0).norm(), pair));
    let squares = total(steps().map(|(length, pair)| 0.5 * length * (pair[0].1 * pair[0].1 + pair[1].1 * pair[1].1)));
    let length = total(steps().map(|(length, _)| length));
    let cross_track_rms = if length > 0.0 { libm::sqrt(squares / length) } else { cross_track_max };
    Some(PathMetrics { cross_track_rms, cross_track_max })
}

/// ∫ e² dt by the trapezoid rule [m²·s]; gaps of the recording add nothing.
fn integral_of_squares(errors: &[ErrorSample]) -> f64 {
    let longest = longest_interval(errors);
    let part = |pair: &[ErrorSample]| {
        let (from, to) = (pair[0].error(), pair[1].error());
        let dt = pair[1].time - pair[0].time;
        if dt <= longest { 0.5 * (from.dot(from) + to.dot(to)) * dt } else { 0.0 }
    };
    total(errors.windows(2).map(part))
}

/// The longest interval between samples that is not a gap [s].
pub(super) fn longest_interval(errors: &[ErrorSample]) -> f64 {
    let mut intervals: Vec<f64> = errors.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    intervals.sort_by(f64::total_cmp);
    intervals.get(intervals.len() / 2).map_or(f64::INFINITY, |median| GAP * median)
}

/// The sum; +0 for no values, where the iterator's own sum gives −0.
fn total(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}

fn effort(commands: &[CommandSample]) -> Option<EffortMetrics> {
    if commands.is_empty() {
        return None;
    }
    let mut metrics = EffortMetrics { commands: commands.len(), ..EffortMetrics::default() };
    let steered: Option<Vec<(f64, f64)>> = commands.iter().map(|c| Some((c.time, c.steering_angle?))).collect();
    metrics.speed_variation = total(commands.windows(2).map(|pair| (pair[1].speed - pair[0].speed).abs()));
    if let Some(steered) = steered {
        let steps = || steered.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        metrics.steering_variation = Some(total(steps().map(|(_, angle)| angle.abs())));
        metrics.steering_effort = Some(total(steps().map(|(dt, angle)| angle * angle / dt)));
        metrics.max_steering_angle = Some(steered.iter().map(|(_, angle)| angle.abs()).fold(0.0, f64::max));
    }
    Some(metrics)
}
