//! Errors of measured ranges and depths: the models of module `errors`, and losses.
//!
//! The tags of that module begin with `range_`, or `depth_`, and there is one more:
//! ```xml
//! <QUANTITY_drop_out>0</…>   share of returns that are lost at random [-], 0 to 1
//! ```
//! White noise and outliers are independent for each ray; the bias is that of the instrument, one for all rays of a sample.

use super::errors::{ErrorParameters, Errors};
use super::{SensorContext, WhiteNoise};
use crate::xml::{Accept, Reader};

/// How much ranges are disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeErrorParameters {
    /// Errors of a range [m].
    pub errors: ErrorParameters,
    /// Share of returns that are lost [-].
    pub drop_out: f64,
}

impl RangeErrorParameters {
    /// White noise alone, with this standard deviation [m].
    pub const fn white(white: f64) -> RangeErrorParameters {
        RangeErrorParameters { errors: ErrorParameters::white(white), drop_out: 0.0 }
    }

    /// Reads the tags above for `quantity`, of a sensor with this period [s].
    pub fn read(
        reader: &Reader<'_>,
        quantity: &str,
        default: RangeErrorParameters,
        period: f64,
    ) -> RangeErrorParameters {
        RangeErrorParameters {
            errors: ErrorParameters::read(reader, quantity, default.errors, period),
            drop_out: reader.f64(&format!("{quantity}_drop_out"), default.drop_out, Accept::range(0.0, 1.0)),
        }
    }

    /// Standard deviation of the noise of each ray [m].
    pub fn white_std(&self) -> f64 {
        self.errors.white
    }
}

/// The errors of the ranges of one sensor over time, but for the white noise, which sensors with many rays add themselves.
#[derive(Clone, Debug)]
pub(super) struct RangeErrors {
    parameters: RangeErrorParameters,
    bias: Errors,
    has_bias: bool,
    outliers: WhiteNoise,
    drop_out: WhiteNoise,
    /// The bias of the sample that is being taken [m].
    of_sample: f64,
}

impl RangeErrors {
    /// Errors of `quantity` from the streams of the sensor in `context`.
    pub(super) fn new(parameters: RangeErrorParameters, quantity: &str, context: &SensorContext) -> RangeErrors {
        let stream = |what| format!("{}/{}/{quantity}/{what}", context.vehicle, context.name);
        let bias = ErrorParameters { white: 0.0, outlier_share: 0.0, resolution: 0.0, ..parameters.errors };
        RangeErrors {
            parameters,
            bias: Errors::new([bias; 3], context.seed, &stream("bias")),
            has_bias: !bias.is_none(),
            outliers: WhiteNoise::new(context.seed, &stream("outliers")),
            drop_out: WhiteNoise::new(context.seed, &stream("drop_out")),
            of_sample: 0.0,
        }
    }

    /// Starts over: the same errors come again.
    pub(super) fn restart(&mut self) {
        self.bias.restart();
        self.outliers.restart();
        self.drop_out.restart();
    }

    /// Whether there are errors beside the white noise.
    pub(super) fn any(&self) -> bool {
        let RangeErrorParameters { errors, drop_out } = &self.parameters;
        self.has_bias || errors.has_outliers() || errors.resolution > 0.0 || *drop_out > 0.0
    }

    /// Begins a sample, or a part of one, `elapsed` [s] after the one before.
    pub(super) fn begin(&mut self, elapsed: f64) {
        if self.has_bias {
            self.of_sample = self.bias.disturb_one(0.0, elapsed);
        }
    }

    /// A range [m] with its white noise, infinite for no return, as it is told. Draws the same numbers whatever there is.
    #[inline]
    pub(super) fn disturb(&mut self, range: f64) -> f64 {
        let RangeErrorParameters { errors, drop_out } = &self.parameters;
        let off = if errors.has_outliers() { self.outliers.outlier(errors) } else { 0.0 };
        let is_lost = *drop_out > 0.0 && self.drop_out.strikes(*drop_out);
        if is_lost || !range.is_finite() { f64::INFINITY } else { errors.told(range + self.of_sample + off) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(errors: ErrorParameters, drop_out: f64) -> RangeErrors {
        let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "sonar".into(), wheels: Vec::new() };
        RangeErrors::new(RangeErrorParameters { errors, drop_out }, "range", &context)
    }

    #[test]
    fn the_bias_is_one_for_all_rays_and_comes_again_after_a_restart() {
        let mut errors = errors(ErrorParameters { turn_on: 0.5, ..ErrorParameters::white(0.1) }, 0.0);
        assert!(errors.any());
        errors.begin(0.1);
        let first = errors.disturb(2.0);
        assert!((first - 2.0).abs() > 1e-3, "{first}");
        assert!((errors.disturb(3.0) - 1.0 - first).abs() < 1e-12, "no white noise: that is the sensor's");
        errors.restart();
        errors.begin(0.1);
        assert_eq!(errors.disturb(2.0), first);
    }

    #[test]
    fn returns_are_lost_in_whole_steps_of_the_rest() {
        let mut errors = errors(ErrorParameters { resolution: 0.1, ..ErrorParameters::white(0.0) }, 0.25);
        errors.begin(0.1);
        let told: Vec<f64> = (0..10_000).map(|_| errors.disturb(1.234)).collect();
        let lost = told.iter().filter(|range| range.is_infinite()).count();
        assert!(lost.abs_diff(2500) < 174, "{lost}");
        assert!(told.iter().all(|range| range.is_infinite() || (range - 1.2).abs() < 1e-12));
        assert_eq!(errors.disturb(f64::INFINITY), f64::INFINITY, "what is not there stays away");
    }
}
