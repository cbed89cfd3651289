//! How the error of dead reckoning grows: what `<odometry>` and its `<noise>` need to err like a recorded robot.
//!
//! The velocity that odometry tells is that of the recorded commands of velocities, or of the recorded rates of both
//! wheels with the radii and the separation that were found. It is integrated over windows, and compared with the measured
//! poses at their ends. The law of the errors is that of the simulation
//! ([`OdometryUncertainty`](skidpad_sim::vehicle::OdometryUncertainty)), so that its numbers are those of world files:
//!
//! * each recording has three systematic errors, which are constant: a scale of ways, a scale of turns, and a turn per way
//!   (J. Borenstein and L. Feng, IEEE T-RA 12(6), 1996). Their means over recordings are multipliers of `<odometry>`, their
//!   spread, less what their own uncertainty adds to it, the standard deviations of `<noise>`;
//! * the rest walks at random along and across the way and in yaw, by way and by turn (K. S. Chong and L. Kleeman, ICRA
//!   1997). The measured poses at both ends have noise of their own, which is found beside the walks, since it does not grow.
//!
//! Not modelled: windows that depend on each other, and a delay between what is told and what moves, which counts as noise
//! of the ends.

mod reckoning;
mod text;
mod variances;

#[cfg(test)]
mod tests;

use nalgebra::{Matrix3, Vector3};
use skidpad_analysis::student;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Twist2;
use skidpad_sim::world::World;

use super::IdentifyError;
use super::car::Car;
use super::config::IdentifyConfig;
use super::data::Data;
use super::recording::Recording;
use reckoning::{ReportedMotion, Window};
pub use text::odometry_tables;
use variances::{NORMAL, VarianceFit, covariance, fitted};

/// How often the windows are reckoned anew about the systematic errors that were found.
const ROUNDS: usize = 4;
/// Fewest windows of a fitted recording.
const MIN_WINDOWS: usize = 4;
/// The key of configs, and what it needs.
const KEY: &str = "odometry_window";
const NEEDED: &str = "recordings with poses and with commanded velocities or wheel rates, in which the robot drives and turns in several windows";

/// Systematic errors of odometry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Systematic {
    /// Relative error of ways [-]: told = (1 + scale) × true.
    pub scale: f64,
    /// Relative error of turns [-]: told = (1 + yaw_scale) × true, plus the next.
    pub yaw_scale: f64,
    /// Turn that is told per told way [rad/m], counter-clockwise positive.
    pub curvature: f64,
}

impl Systematic {
    /// The true velocity in the body frame [m/s, rad/s], where this one is told.
    fn corrected(&self, reported: Twist2) -> Twist2 {
        let scale = 1.0 / (1.0 + self.scale);
        let vx = scale * reported.vx;
        Twist2::new(vx, scale * reported.vy, (reported.wz - self.curvature * vx) / (1.0 + self.yaw_scale))
    }

    fn vector(&self) -> Vector3<f64> {
        Vector3::new(self.scale, self.yaw_scale, self.curvature)
    }
}

impl From<Vector3<f64>> for Systematic {
    fn from(v: Vector3<f64>) -> Systematic {
        Systematic { scale: v.x, yaw_scale: v.y, curvature: v.z }
    }
}

/// Dead reckoning in one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct OfRecording {
    /// Name of the recording.
    pub name: String,
    /// Count of windows in which the robot moves.
    pub windows: usize,
    /// Its systematic errors, and half the width of the 95 % interval of each.
    pub systematic: Systematic,
    /// See `systematic`.
    pub half_widths: [f64; 3],
}

/// An estimate with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Half the width; infinite if it is not known.
    pub half_width: f64,
}

/// Root mean square of the errors of dead reckoning at the ends of windows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reckoned {
    /// Count of windows.
    pub windows: usize,
    /// Position as told [m], and yaw [rad].
    pub reported: [f64; 2],
    /// With the mean systematic errors taken off.
    pub corrected: [f64; 2],
    /// Mean of the squared errors over what the noise that was found says: 1 if it says right.
    pub ratio: f64,
}

/// The noise of odometry.
#[derive(Clone, Debug, PartialEq)]
pub struct OdometryErrors {
    /// Length of the windows [s].
    pub length: f64,
    /// Mean way [m] and turn, to either side [rad], of a window of the fitted recordings.
    pub mean_window: [f64; 2],
    /// The fitted recordings, then the others.
    pub recordings: Vec<OfRecording>,
    /// Count of fitted recordings among them.
    pub fitted: usize,
    /// Mean over the fitted recordings: scale of ways [-], scale of turns [-], turn per way [rad/m].
    pub mean: [Estimate; 3],
    /// Standard deviation between the fitted recordings, in these units; of a single one that of its estimate.
    pub spread: [f64; 3],
    /// Random walks: along and across [m/√m], yaw per way [rad/√m] and per turn [rad/√rad]; then the noise of positions [m]
    /// and headings [rad] at the ends. Half widths are those of the upper sides.
    pub walks: [Estimate; 6],
    /// Dead reckoning on the fitted recordings, and on the others.
    pub reckoned: [Reckoned; 2],
    /// Distance of the two wheels of the car [m].
    pub separation: f64,
}

/// Finds the noise of odometry from the recordings of a car with these values; none if the config does not ask for it.
///
/// # Errors
/// The car cannot be loaded, the recordings have no velocities, or too few windows.
pub fn odometry_errors(
    data: &[Data; 2],
    car: &Car,
    values: &[f64],
    config: &IdentifyConfig,
) -> Result<Option<OdometryErrors>, IdentifyError> {
    let length = config.odometry_window;
    if length == 0.0 {
        return Ok(None);
    }
    let world = car.world(values)?;
    let gap = config.windows.longest_gap;
    let of = |data| reported(data, &world, car, values, gap);
    let [fit, unfitted] = [of(&data[0])?, of(&data[1])?];
    if let Some((name, _)) =
        fit.iter().find(|(_, reported)| reported.windows(length, &Systematic::default()).len() < MIN_WINDOWS)
    {
        let found = format!("{name} has fewer than {MIN_WINDOWS} windows of {length} s in which the robot moves");
        return Err(Diagnostic::new(KEY, found).accepted(NEEDED).into());
    }
    let all: Vec<&ReportedMotion<'_>> = fit.iter().map(|(_, reported)| reported).collect();
    let (systematic, windows, variance_fit) = settle(&all, length).ok_or_else(|| {
        Diagnostic::new(KEY, "in a recording the robot only drives straight ahead, or only turns on the spot")
            .accepted(NEEDED)
    })?;
    let mut recordings = Vec::new();
    let describe = |name: &str, windows: &[Window], at: &Systematic, covariance: &Matrix3<f64>| OfRecording {
        name: name.to_owned(),
        windows: windows.len(),
        systematic: *at,
        half_widths: std::array::from_fn(|k| NORMAL * covariance[(k, k)].sqrt()),
    };
    for ((((name, _), windows), at), group) in fit.iter().zip(&windows).zip(&systematic).zip(&variance_fit.groups) {
        recordings.push(describe(name, windows, at, &group.covariance));
    }
    let (mean, spread) = mean_and_spread(&systematic, &variance_fit);
    let expected = Systematic::from(Vector3::from(mean.map(|mean| mean.value)));
    // What is known of a robot that has not been fitted.
    let unknown = Matrix3::from_diagonal(&Vector3::from_fn(|k, _| spread[k].powi(2) + se(mean[k]).powi(2)));
    for (name, reported) in &unfitted {
        if let Some((at, windows, covariance)) = settle_with(reported, length, &variance_fit) {
            recordings.push(describe(name, &windows, &at, &covariance));
        }
    }
    let score = |reported: &[(String, ReportedMotion<'_>)]| {
        let windows = |known: &Systematic| -> Vec<Window> {
            reported.iter().flat_map(|(_, reported)| reported.windows(length, known)).collect()
        };
        reckoned(&windows(&Systematic::default()), &windows(&expected), &variance_fit, &unknown)
    };
    let reckoned = [score(&fit), score(&unfitted)];
    let count = windows.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let total = |of: fn(&Window) -> f64| windows.iter().flatten().map(of).sum::<f64>() / count;
    let wheels = world.vehicle(0).map(|vehicle| vehicle.wheels()).unwrap_or_default();
    let separation = match wheels {
        [left, right, ..] => left.parameters.position.y - right.parameters.position.y,
        _ => 0.0,
    };
    Ok(Some(OdometryErrors {
        length,
        mean_window: [total(|window| window.path_length), total(|window| window.turn)],
        fitted: fit.len(),
        recordings,
        mean,
        spread,
        walks: std::array::from_fn(|k| deviation(variance_fit.variances[k], variance_fit.half_widths[k])),
        reckoned,
        separation,
    }))
}

/// What odometry tells in each of these recordings of a car with these values, after its name.
fn reported<'a>(
    data: &'a Data,
    world: &World,
    car: &Car,
    values: &[f64],
    longest_gap: f64,
) -> Result<Vec<(String, ReportedMotion<'a>)>, IdentifyError> {
    let named = |recording: &'a Recording| {
        let name = recording.name();
        let found = format!("{name} has no velocities");
        let measurement = car.measurement_of(values, &recording.path);
        let reported = ReportedMotion::new(recording, world, measurement, longest_gap);
        reported.map(|reported| (name, reported)).ok_or_else(|| Diagnostic::new(KEY, found).accepted(NEEDED).into())
    };
    data.runs.iter().map(|(recording, _)| named(recording)).collect()
}

/// Standard error of an estimate.
fn se(estimate: Estimate) -> f64 {
    if estimate.half_width.is_finite() { estimate.half_width / NORMAL } else { 0.0 }
}

/// The standard deviation that belongs to a variance with this half width of its interval.
fn deviation(variance: f64, half_width: f64) -> Estimate {
    let value = variance.sqrt();
    Estimate { value, half_width: (variance + half_width).sqrt() - value }
}

/// The systematic errors of each recording and the variances of all, with the windows about these errors; none if there
/// are too few windows.
fn settle(reported: &[&ReportedMotion<'_>], length: f64) -> Option<(Vec<Systematic>, Vec<Vec<Window>>, VarianceFit)> {
    let mut systematic = vec![Systematic::default(); reported.len()];
    let mut last = None;
    for _ in 0..ROUNDS {
        let windows: Vec<Vec<Window>> =
            reported.iter().zip(&systematic).map(|(reported, known)| reported.windows(length, known)).collect();
        let variance_fit = fitted(&windows)?;
        for (known, group) in systematic.iter_mut().zip(&variance_fit.groups) {
            *known = Systematic::from(known.vector() + group.change);
        }
        last = Some((windows, variance_fit));
    }
    let (windows, variance_fit) = last?;
    Some((systematic, windows, variance_fit))
}

/// The systematic errors of one recording under known variances, its windows, and the covariance of the errors.
fn settle_with(
    reported: &ReportedMotion<'_>,
    length: f64,
    variance_fit: &VarianceFit,
) -> Option<(Systematic, Vec<Window>, Matrix3<f64>)> {
    let mut known = Systematic::default();
    let mut last = None;
    for _ in 0..ROUNDS {
        let windows = reported.windows(length, &known);
        let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
        for window in &windows {
            let inverse = covariance(window, &variance_fit.variances).try_inverse()?;
            let weighted = window.by_systematic.transpose() * inverse;
            normal += weighted * window.by_systematic;
            right += weighted * window.error;
        }
        let inverse = normal.try_inverse()?;
        known = Systematic::from(known.vector() + inverse * right);
        last = Some((windows, inverse));
    }
    let (windows, inverse) = last?;
    Some((known, windows, inverse))
}

/// Means of the systematic errors, and their standard deviations between recordings, without what the uncertainty of each
/// adds to it.
fn mean_and_spread(systematic: &[Systematic], variance_fit: &VarianceFit) -> ([Estimate; 3], [f64; 3]) {
    let count = systematic.len() as f64;
    let mean_variance =
        |k: usize| variance_fit.groups.iter().map(|group| group.covariance[(k, k)]).sum::<f64>() / count;
    let mean = |k: usize| systematic.iter().map(|of| of.vector()[k]).sum::<f64>() / count;
    if systematic.len() < 2 {
        let estimate = |k: usize| Estimate { value: mean(k), half_width: NORMAL * mean_variance(k).sqrt() };
        return (std::array::from_fn(estimate), std::array::from_fn(|k| mean_variance(k).sqrt()));
    }
    let scatter =
        |k: usize| systematic.iter().map(|of| (of.vector()[k] - mean(k)).powi(2)).sum::<f64>() / (count - 1.0);
    let student = student(count - 1.0);
    let estimate = |k: usize| Estimate { value: mean(k), half_width: student * (scatter(k) / count).sqrt() };
    (std::array::from_fn(estimate), std::array::from_fn(|k| (scatter(k) - mean_variance(k)).max(0.0).sqrt()))
}

/// Errors of dead reckoning in windows as told, and with the mean systematic errors taken off.
fn reckoned(reported: &[Window], corrected: &[Window], variance_fit: &VarianceFit, unknown: &Matrix3<f64>) -> Reckoned {
    let rms = |windows: &[Window]| {
        let count = windows.len().max(1) as f64;
        let place = windows.iter().map(|window| window.error.x.powi(2) + window.error.y.powi(2)).sum::<f64>();
        let yaw = windows.iter().map(|window| window.error.z.powi(2)).sum::<f64>();
        [(place / count).sqrt(), (yaw / count).sqrt()]
    };
    let ratio = |window: &Window| {
        let by = window.by_systematic;
        let covariance = covariance(window, &variance_fit.variances) + by * unknown * by.transpose();
        covariance.try_inverse().map_or(f64::NAN, |inverse| window.error.dot(&(inverse * window.error)) / 3.0)
    };
    let ratio = corrected.iter().map(ratio).sum::<f64>() / corrected.len().max(1) as f64;
    Reckoned { windows: reported.len(), reported: rms(reported), corrected: rms(corrected), ratio }
}
