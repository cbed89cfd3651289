//! Errors of measured ranges and depths: the models of module `errors`, and losses.
//!
//! The tags of that module begin with `range_`, or `depth_`, and there is one more:
//! ```xml
//! <QUANTITY_drop_out>0</…>   share of returns that are lost at random [-], 0 to 1
//! ```
//! White noise and outliers are independent for each ray; the bias is that of the instrument, one for all rays of a sample.

use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::SensorContext;
use super::errors::{ErrorParameters, Errors};
use super::noise::{ReadingNoise, outlier};

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
    outliers: ReadingNoise,
    drop_out: ReadingNoise,
    /// Time between samples [ns].
    period: SimTime,
    /// Time of the sample before [ns].
    before: Option<SimTime>,
    /// The bias of the sample that is being taken [m].
    of_sample: f64,
}

impl RangeErrors {
    /// Errors of `quantity`, of a sensor with this period [ns], from the streams of the one in `context`.
    pub(super) fn new(
        parameters: RangeErrorParameters,
        quantity: &str,
        period: SimTime,
        context: &SensorContext,
    ) -> RangeErrors {
        let stream = |name| format!("{}/{}/{quantity}/{name}", context.vehicle, context.name);
        let bias = ErrorParameters { white: 0.0, outlier_share: 0.0, resolution: 0.0, ..parameters.errors };
        RangeErrors {
            parameters,
            bias: Errors::new([bias; 3], context.seed, &stream("bias")),
            has_bias: !bias.is_none(),
            outliers: ReadingNoise::new(context.seed, &stream("outliers")),
            drop_out: ReadingNoise::new(context.seed, &stream("drop_out")),
            period,
            before: None,
            of_sample: 0.0,
        }
    }

    /// Starts over: the same errors come again.
    pub(super) fn restart(&mut self) {
        self.bias.restart();
        self.outliers.restart();
        self.drop_out.restart();
        self.before = None;
    }

    /// Whether there are errors beside the white noise.
    pub(super) fn any(&self) -> bool {
        let RangeErrorParameters { errors, drop_out } = &self.parameters;
        self.has_bias || errors.has_outliers() || errors.resolution > 0.0 || *drop_out > 0.0
    }

    /// Begins a sample at `time` [ns].
    pub(super) fn begin(&mut self, time: SimTime) {
        self.go_on(time);
        self.outliers.begin();
        self.drop_out.begin();
    }

    /// Passes over a sample at `time` [ns] that is not taken: later ones have the errors that they would have after it.
    pub(super) fn skip(&mut self, time: SimTime) {
        self.go_on(time);
        self.outliers.skip();
        self.drop_out.skip();
    }

    /// Lets the bias go on to a sample at `time` [ns].
    fn go_on(&mut self, time: SimTime) {
        let elapsed = self.before.replace(time).map_or(self.period, |before| time - before);
        if self.has_bias {
            self.of_sample = self.bias.disturb_one(0.0, elapsed.secs());
        }
    }

    /// A range [m] with its white noise, infinite for no return, as it is reported. Draws the same numbers whatever there is.
    #[inline]
    pub(super) fn disturb(&mut self, range: f64) -> f64 {
        let RangeErrorParameters { errors, drop_out } = &self.parameters;
        let off = if errors.has_outliers() { outlier(&mut self.outliers.white, errors) } else { 0.0 };
        let is_lost = *drop_out > 0.0 && self.drop_out.white.strikes(*drop_out);
        if is_lost || !range.is_finite() { f64::INFINITY } else { errors.quantised(range + self.of_sample + off) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: SimTime = SimTime(100_000_000);

    fn errors(errors: ErrorParameters, drop_out: f64) -> RangeErrors {
        let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "sonar".into(), wheels: Vec::new() };
        RangeErrors::new(RangeErrorParameters { errors, drop_out }, "range", PERIOD, &context)
    }

    #[test]
    fn the_bias_is_one_for_all_rays_and_comes_again_after_a_restart() {
        let mut errors = errors(ErrorParameters { turn_on: 0.5, ..ErrorParameters::white(0.1) }, 0.0);
        assert!(errors.any());
        errors.begin(PERIOD);
        let first = errors.disturb(2.0);
        assert!((first - 2.0).abs() > 1e-3, "{first}");
        assert!((errors.disturb(3.0) - 1.0 - first).abs() < 1e-12, "no white noise: that is the sensor's");
        errors.restart();
        errors.begin(PERIOD);
        assert_eq!(errors.disturb(2.0), first);
    }

    #[test]
    fn samples_have_the_errors_that_they_would_have_after_those_that_are_passed_over() {
        let all = ErrorParameters {
            random_walk: 0.1,
            instability: 0.2,
            bias_time: 1.0,
            turn_on: 0.5,
            outlier_share: 0.2,
            outlier_std: 3.0,
            ..ErrorParameters::white(0.1)
        };
        let (mut taken, mut passed) = (errors(all, 0.2), errors(all, 0.2));
        for number in 1..200 {
            let time = SimTime(number * PERIOD.0);
            taken.begin(time);
            let ranges: Vec<f64> = (0..3).map(|_| taken.disturb(5.0)).collect();
            if number % 7 == 0 {
                passed.begin(time);
                assert_eq!((0..3).map(|_| passed.disturb(5.0)).collect::<Vec<_>>(), ranges, "{number}");
            } else {
                passed.skip(time);
            }
        }
    }

    #[test]
    fn returns_are_lost_in_whole_steps_of_the_rest() {
        let mut errors = errors(ErrorParameters { resolution: 0.1, ..ErrorParameters::white(0.0) }, 0.25);
        errors.begin(PERIOD);
        let reported: Vec<f64> = (0..10_000).map(|_| errors.disturb(1.234)).collect();
        let lost = reported.iter().filter(|range| range.is_infinite()).count();
        assert!(lost.abs_diff(2500) < 174, "{lost}");
        assert!(reported.iter().all(|range| range.is_infinite() || (range - 1.2).abs() < 1e-12));
        assert_eq!(errors.disturb(f64::INFINITY), f64::INFINITY, "what is not there stays away");
    }
}
