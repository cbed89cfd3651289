//! The metrics as a table: names for scripts, names and units for people, in one order everywhere.

use super::laps::Laps;
use super::metrics::{EffortMetrics, Metrics, TrackingMetrics};

/// One number of [`Metrics`], or of another record `M` of a run.
#[derive(Debug)]
pub struct Field<M = Metrics> {
    /// Its name in CSV and JSON, with its unit.
    pub key: &'static str,
    /// Its name for readers.
    pub label: &'static str,
    /// Unit, as in tables.
    pub unit: &'static str,
    /// Its definition in a few words.
    pub help: &'static str,
    /// Its value; none if the run has no such number.
    pub get: fn(&M) -> Option<f64>,
}

impl<M> Field<M> {
    /// Its name for readers, with the unit.
    pub fn title(&self) -> String {
        match self.unit {
            "" => self.label.to_owned(),
            unit => format!("{} [{unit}]", self.label),
        }
    }
}

impl Field {
    /// Whether it is information that there is no such number: that the error does not settle.
    pub fn tells_by_absence(&self) -> bool {
        self.key == "settling_time_s"
    }
}

/// Shortens the table below.
const fn field(
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    help: &'static str,
    get: fn(&Metrics) -> Option<f64>,
) -> Field {
    Field { key, label, unit, help, get }
}

fn tracking(metrics: &Metrics, get: fn(&TrackingMetrics) -> f64) -> Option<f64> {
    metrics.tracking.as_ref().map(get)
}

fn laps(metrics: &Metrics, get: fn(&Laps) -> Option<f64>) -> Option<f64> {
    metrics.laps.as_ref().and_then(get)
}

fn effort(metrics: &Metrics, get: fn(&EffortMetrics) -> Option<f64>) -> Option<f64> {
    metrics.effort.as_ref().and_then(get)
}

/// All numbers of [`Metrics`], the most important first.
pub const FIELDS: &[Field] = &[
    field("rmse_m", "RMSE", "m", "root mean square of the position error", |m| tracking(m, |t| t.rmse)),
    field("ise_m2s", "ISE", "m²·s", "integral of the squared error over time", |m| tracking(m, |t| t.ise)),
    field("max_error_m", "greatest error", "m", "greatest position error", |m| tracking(m, |t| t.max_error)),
    field("max_error_time_s", "… at", "s", "when it was greatest", |m| tracking(m, |t| t.max_error_time)),
    field("mean_error_m", "mean error", "m", "mean length of the position error", |m| tracking(m, |t| t.mean_error)),
    field("final_error_m", "final error", "m", "error of the last sample", |m| tracking(m, |t| t.final_error)),
    field("rmse_x_m", "RMSE along x", "m", "root mean square of the error along x", |m| tracking(m, |t| t.rmse_x)),
    field("rmse_y_m", "RMSE along y", "m", "root mean square of the error along y", |m| tracking(m, |t| t.rmse_y)),
    field("cross_track_rms_m", "cross-track RMS", "m", "root mean square of the distance to the path", |m| {
        tracking(m, |t| t.cross_track_rms).or(m.path.map(|p| p.cross_track_rms))
    }),
    field("cross_track_max_m", "cross-track greatest", "m", "greatest distance to the path", |m| {
        tracking(m, |t| t.cross_track_max).or(m.path.map(|p| p.cross_track_max))
    }),
    field("along_track_mean_m", "along-track mean", "m", "mean error along the path, negative: behind", |m| {
        tracking(m, |t| t.along_track_mean)
    }),
    field("along_track_rms_m", "along-track RMS", "m", "root mean square of the error along the path", |m| {
        tracking(m, |t| t.along_track_rms)
    }),
    field("settling_time_s", "settled after", "s", "when the error stays within the band for good", |m| {
        m.tracking.as_ref().and_then(|t| t.settling_time)
    }),
    field("squared_error_sum_m2", "sum of squares", "m²", "plain sum of squared errors over the samples", |m| {
        tracking(m, |t| t.squared_error_sum)
    }),
    field("speed_variation_mps", "speed variation", "m/s", "∫|a| dt of the commanded speed", |m| {
        effort(m, |e| Some(e.speed_variation))
    }),
    field("steering_variation_rad", "steering variation", "rad", "∫|dδ/dt| dt of the commanded steering", |m| {
        effort(m, |e| e.steering_variation)
    }),
    field("steering_effort_rad2ps", "steering effort", "rad²/s", "∫(dδ/dt)² dt of the commanded steering", |m| {
        effort(m, |e| e.steering_effort)
    }),
    field("max_steering_rad", "greatest steering", "rad", "greatest commanded steering angle", |m| {
        effort(m, |e| e.max_steering_angle)
    }),
    field("mean_speed_mps", "mean speed", "m/s", "way over time", |m| Some(m.mean_speed)),
    field("max_speed_mps", "greatest speed", "m/s", "greatest speed of the odometry", |m| Some(m.max_speed)),
    field("path_length_m", "way", "m", "length of the way", |m| Some(m.path_length)),
    field("duration_s", "duration", "s", "from the first to the last sample that counts", |m| Some(m.duration)),
    field("samples", "samples", "", "odometry samples that count", |m| Some(m.samples as f64)),
    field("lap_count", "laps", "", "complete laps", |m| laps(m, |l| Some(l.count() as f64))),
    field("valid_laps", "valid laps", "", "complete laps within the track, without a cut", |m| {
        laps(m, |l| Some(l.valid() as f64))
    }),
    field("best_lap_s", "best lap", "s", "time of the best valid lap", |m| laps(m, Laps::best)),
    field("mean_lap_s", "mean lap", "s", "mean time of the valid laps", |m| laps(m, Laps::mean)),
    field("theoretical_best_lap_s", "best sectors", "s", "sum of the best valid times of all sectors", |m| {
        laps(m, Laps::theoretical_best)
    }),
    field("off_track_s", "off the track", "s", "time beyond a border", |m| laps(m, Laps::off_track)),
    field("off_track_max_m", "… at most", "m", "greatest distance beyond a border", |m| laps(m, Laps::off_track_max)),
];

/// A value for display: four significant digits, whole numbers in full; a dash for none.
pub fn shown(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(value) if value == value.round() && value.abs() < 1e6 => format!("{value}"),
        Some(value) if value.abs() >= 1e4 || value.abs() < 1e-3 => format!("{value:.3e}"),
        Some(value) => {
            let decimals = (3 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
            format!("{value:.decimals$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_field_has_a_unique_name_that_ends_in_its_unit() {
        let keys: BTreeSet<_> = FIELDS.iter().map(|field| field.key).collect();
        assert_eq!(keys.len(), FIELDS.len());
        for field in FIELDS.iter().filter(|field| !field.unit.is_empty()) {
            let unit = field.unit.replace('²', "2").replace('·', "").replace('/', "p");
            assert!(field.key.ends_with(&format!("_{unit}")), "{} in {}", field.key, field.unit);
        }
    }

    #[test]
    fn values_are_short() {
        let text = [0.0, 201.0, 0.123456, -12.3456, 1234.56, 0.00012345, 123456.7].map(|v| shown(Some(v)));
        assert_eq!(text, ["0", "201", "0.1235", "-12.35", "1235", "1.234e-4", "1.235e5"]);
        assert_eq!(shown(None), "–");
    }
}
