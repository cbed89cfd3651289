//! Errors of what sensors measure: one set of models, read from world files in the same words by every sensor.
//!
//! Where a sensor's quantity is called `QUANTITY`, for example `angular_velocity`, these tags set its errors, independent on each axis
//! and of the same size on all axes that the quantity has:
//! ```xml
//! <QUANTITY_white_noise_std_noise>0</…>   of each sample [unit], ≥ 0; short: <QUANTITY_std_noise>; or
//! <QUANTITY_noise_density>0</…>           of white noise [unit/√Hz], ≥ 0: a sample has density / √period
//! <QUANTITY_random_walk_std_noise>0</…>   growth of the bias [unit/√s], ≥ 0
//! <QUANTITY_bias_instability>0</…>        standard deviation of a bias that comes and goes [unit], ≥ 0
//! <QUANTITY_bias_time>100</…>             with this correlation time [s], > 0
//! <QUANTITY_turn_on_std_noise>0</…>       of a bias that stays until the next start [unit], ≥ 0
//! <QUANTITY_outlier_share>0</…>           of the values that are off by much [-], 0 to 1, by an error with
//! <QUANTITY_outlier_std_noise>0</…>       this standard deviation more [unit], ≥ 0
//! <QUANTITY_resolution>0</…>              quantisation step of the values [unit], ≥ 0; 0: none
//! ```
//! White noise, random walk, and a first-order Gauss–Markov process for the bias instability: IEEE Std 952-1997, annex
//! C. That process has the Allan deviation of a bias instability B near its correlation time T: it peaks with 0.617·σ
//! at 1.89·T, where a flicker floor has 0.664·B. Outliers are those of a contaminated normal distribution (J. W. Tukey
//! 1960). All have streams of their own, by vehicle, sensor and quantity, and those of outliers are drawn from only
//! where there are any.

use skidpad_math::Vec3;
use skidpad_xml::{Accept, Reader};

use super::WhiteNoise;
use super::noise::{outlier, whole_steps};

/// How much one axis of a quantity is disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorParameters {
    /// Standard deviation of each sample [unit].
    pub white: f64,
    /// Growth of the bias [unit/√s].
    pub random_walk: f64,
    /// Standard deviation of the bias that comes and goes [unit].
    pub instability: f64,
    /// Its correlation time [s].
    pub bias_time: f64,
    /// Standard deviation of the bias that stays [unit].
    pub turn_on: f64,
    /// Share of the values that are off by much [-].
    pub outlier_share: f64,
    /// Standard deviation of what is added to those [unit].
    pub outlier_std: f64,
    /// Quantisation step of the values [unit]; 0: none.
    pub resolution: f64,
}

impl ErrorParameters {
    /// White noise alone, with this standard deviation [unit].
    pub const fn white(white: f64) -> ErrorParameters {
        ErrorParameters {
            white,
            random_walk: 0.0,
            instability: 0.0,
            bias_time: 100.0,
            turn_on: 0.0,
            outlier_share: 0.0,
            outlier_std: 0.0,
            resolution: 0.0,
        }
    }

    /// Reads the tags above for `quantity`, of a sensor with this period [s].
    pub fn read(reader: &Reader<'_>, quantity: &str, default: ErrorParameters, period: f64) -> ErrorParameters {
        let number = |suffix: &str| reader.optional_f64(&format!("{quantity}_{suffix}"), Accept::non_negative());
        let (long, short, density) = (number("white_noise_std_noise"), number("std_noise"), number("noise_density"));
        if [long, short, density].iter().flatten().count() > 1 {
            reader.error(format!("the white noise of {quantity} is given more than once"));
        }
        let of_density = density.map(|density| density / period.sqrt());
        ErrorParameters {
            white: long.or(short).or(of_density).unwrap_or(default.white),
            random_walk: number("random_walk_std_noise").unwrap_or(default.random_walk),
            instability: number("bias_instability").unwrap_or(default.instability),
            bias_time: reader.f64(&format!("{quantity}_bias_time"), default.bias_time, Accept::positive()),
            turn_on: number("turn_on_std_noise").unwrap_or(default.turn_on),
            outlier_share: reader.f64(
                &format!("{quantity}_outlier_share"),
                default.outlier_share,
                Accept::range(0.0, 1.0),
            ),
            outlier_std: number("outlier_std_noise").unwrap_or(default.outlier_std),
            resolution: number("resolution").unwrap_or(default.resolution),
        }
    }

    /// Density of the white noise [unit/√Hz] of samples at this period [s].
    pub fn noise_density(&self, period: f64) -> f64 {
        self.white * period.sqrt()
    }

    /// Random walk [unit/√s] that the bias follows for times much shorter than its correlation time: its own, and the
    /// noise that drives the Gauss–Markov process of deviation σ and correlation time T, σ·√(2/T) (R. G. Brown and P.
    /// Y. C. Hwang, Introduction to Random Signals and Applied Kalman Filtering, chapter on Gauss–Markov processes).
    pub fn bias_random_walk(&self) -> f64 {
        (self.random_walk * self.random_walk + 2.0 * self.instability * self.instability / self.bias_time).sqrt()
    }

    /// Variance at the start [unit²]: of everything but outliers, and the random walk, which has no bound.
    pub fn variance(&self) -> f64 {
        // The true value is anywhere within half a step of the reported one.
        let rounding = self.resolution * self.resolution / 12.0;
        self.white * self.white + self.instability * self.instability + self.turn_on * self.turn_on + rounding
    }

    /// Whether there is any error.
    pub fn is_none(&self) -> bool {
        let ErrorParameters { white, random_walk, instability, turn_on, resolution, .. } = *self;
        [white, random_walk, instability, turn_on, resolution].iter().all(|size| *size == 0.0) && !self.has_outliers()
    }

    /// The value [unit] rounded to whole steps of the resolution.
    #[inline]
    pub(super) fn quantised(&self, value: f64) -> f64 {
        if self.resolution > 0.0 { self.resolution * whole_steps(value, self.resolution) } else { value }
    }

    /// Whether there are outliers.
    pub(super) fn has_outliers(&self) -> bool {
        self.outlier_share > 0.0 && self.outlier_std > 0.0
    }
}

/// The errors of one quantity over time.
#[derive(Clone, Debug)]
pub(crate) struct Errors {
    /// Of each axis.
    parameters: [ErrorParameters; 3],
    source: WhiteNoise,
    /// The bias that stays, with the random walk [unit].
    walk: Vec3,
    /// The bias that comes and goes [unit].
    wandering: Vec3,
    is_fresh: bool,
    /// Where outliers come from, if there are any.
    outliers: Option<WhiteNoise>,
}

impl Errors {
    /// Errors of these sizes on the axes, from the stream called `name` under the world's `seed`.
    pub(crate) fn new(parameters: [ErrorParameters; 3], seed: u64, name: &str) -> Errors {
        let (zero, has_outliers) = (Vec3::zeros(), parameters.iter().any(ErrorParameters::has_outliers));
        let outliers = has_outliers.then(|| WhiteNoise::new(seed, &format!("{name}/outliers")));
        let source = WhiteNoise::new(seed, name);
        Errors { parameters, source, walk: zero, wandering: zero, is_fresh: true, outliers }
    }

    /// Starts over: the same errors come again.
    pub(crate) fn restart(&mut self) {
        self.source.restart();
        self.outliers.iter_mut().for_each(WhiteNoise::restart);
        self.is_fresh = true;
    }

    /// A value [unit] with the errors of a sample, `elapsed` [s] after the sample before.
    pub(crate) fn disturb(&mut self, value: Vec3, elapsed: f64) -> Vec3 {
        // Every axis draws four numbers a sample, so that no error changes another one's.
        let mut draws = [0.0; 12];
        self.source.fill(&mut draws);
        let of_axis = |axis: usize| {
            let ErrorParameters { white, random_walk, instability, bias_time, turn_on, .. } = self.parameters[axis];
            let draw = |kind: usize| draws[3 * kind + axis];
            let (walk, wandering) = if self.is_fresh {
                (turn_on * draw(3), instability * draw(2))
            } else {
                // The exact solution over the interval.
                let kept = libm::exp(-elapsed / bias_time);
                let renewed = instability * (1.0 - kept * kept).sqrt() * draw(2);
                (self.walk[axis] + random_walk * elapsed.sqrt() * draw(1), kept * self.wandering[axis] + renewed)
            };
            let measured = value[axis] + walk + wandering + white * draw(0);
            [walk, wandering, measured]
        };
        let axes = [0, 1, 2].map(of_axis);
        let [walk, wandering, measured] = [0, 1, 2].map(|kind| Vec3::from(axes.map(|axis| axis[kind])));
        (self.walk, self.wandering, self.is_fresh) = (walk, wandering, false);
        let mut reported = measured;
        for (value, parameters) in reported.iter_mut().zip(&self.parameters) {
            *value += self.outliers.as_mut().map_or(0.0, |source| outlier(source, parameters));
            *value = parameters.quantised(*value);
        }
        reported
    }

    /// The same for a quantity of one axis.
    pub(super) fn disturb_one(&mut self, value: f64, elapsed: f64) -> f64 {
        self.disturb(Vec3::new(value, 0.0, 0.0), elapsed).x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(parameters: ErrorParameters, count: usize, period: f64) -> Vec<Vec3> {
        let mut errors = Errors::new([parameters; 3], 3, "x");
        (0..count).map(|_| errors.disturb(Vec3::zeros(), period)).collect()
    }

    fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
        values.clone().map(|x| x * x).sum::<f64>() / values.count() as f64
    }

    #[test]
    fn white_noise_has_its_deviation_on_each_axis() {
        let samples = samples(ErrorParameters::white(0.3), 20_000, 0.01);
        for axis in 0..3 {
            // Four standard errors of a variance: 4·√(2/n).
            assert!((variance(samples.iter().map(|s| s[axis])) / 0.09 - 1.0).abs() < 0.04);
        }
    }

    #[test]
    fn biases_walk_as_filters_are_told_for_times_much_shorter_than_their_own() {
        let parameters =
            ErrorParameters { random_walk: 0.01, instability: 0.2, bias_time: 50.0, ..ErrorParameters::white(0.0) };
        let samples = samples(parameters, 50_000, 0.01);
        let steps: Vec<f64> = samples.windows(2).map(|pair| pair[1].x - pair[0].x).collect();
        let expected = parameters.bias_random_walk() * parameters.bias_random_walk() * 0.01;
        assert!((variance(steps.into_iter()) / expected - 1.0).abs() < 0.03);
        assert_eq!(ErrorParameters::white(0.3).noise_density(0.04), 0.06);
    }

    #[test]
    fn a_random_walk_grows_with_the_root_of_time_whatever_the_period() {
        let parameters = ErrorParameters { random_walk: 0.2, ..ErrorParameters::white(0.0) };
        for (period, count) in [(0.01, 50_000), (0.25, 50_000)] {
            let samples = samples(parameters, count, period);
            let steps = samples.windows(2).flat_map(|pair| (pair[1] - pair[0]).iter().copied().collect::<Vec<_>>());
            let steps: Vec<f64> = steps.collect();
            assert!((variance(steps.into_iter()) / (0.04 * period) - 1.0).abs() < 0.02, "{period}");
        }
    }

    #[test]
    fn a_bias_that_wanders_keeps_its_deviation_and_forgets_within_its_time() {
        let parameters = ErrorParameters { instability: 0.5, bias_time: 2.0, ..ErrorParameters::white(0.0) };
        let samples = samples(parameters, 200_000, 0.1);
        let axis: Vec<f64> = samples.iter().map(|s| s[1]).collect();
        assert!((variance(axis.iter().copied()) / 0.25 - 1.0).abs() < 0.1);
        // Correlation after its time: 1/e.
        let after: f64 = axis.windows(21).map(|w| w[0] * w[20]).sum::<f64>() / (axis.len() - 20) as f64;
        assert!((after / 0.25 - (-1.0_f64).exp()).abs() < 0.06, "{after}");
    }

    #[test]
    fn outliers_have_their_share_and_size_and_leave_the_others_alone() {
        let white = ErrorParameters::white(0.1);
        let outliers = ErrorParameters { outlier_share: 0.1, outlier_std: 5.0, ..white };
        let clean = samples(white, 20_000, 0.1);
        let off: Vec<f64> =
            samples(outliers, 20_000, 0.1).iter().zip(&clean).map(|(with, without)| with.y - without.y).collect();
        let count = off.iter().filter(|error| **error != 0.0).count();
        // Four standard deviations of a binomial count: 4·√(n·p·(1 − p)).
        assert!(count.abs_diff(2000) < 170, "{count}");
        let size = variance(off.into_iter().filter(|error| *error != 0.0)).sqrt();
        assert!((size / 5.0 - 1.0).abs() < 0.1, "{size}");
    }

    #[test]
    fn values_are_told_in_whole_steps() {
        let parameters = ErrorParameters { resolution: 0.25, ..ErrorParameters::white(0.0) };
        assert!((parameters.variance() - 0.25 * 0.25 / 12.0).abs() < 1e-15);
        let reported = Errors::new([parameters; 3], 1, "x").disturb(Vec3::new(0.12, 0.13, -1.1), 0.1);
        assert_eq!(reported, Vec3::new(0.0, 0.25, -1.0));
    }

    #[test]
    fn the_bias_of_a_start_stays_and_comes_again_after_a_restart() {
        let parameters = ErrorParameters { turn_on: 1.0, ..ErrorParameters::white(0.0) };
        let mut errors = Errors::new([parameters; 3], 3, "x");
        let first = errors.disturb(Vec3::zeros(), 0.1);
        assert!(first.norm() > 0.1);
        let truth = Vec3::new(1.0, 2.0, 3.0);
        assert!((errors.disturb(truth, 0.1) - first - truth).norm() < 1e-12);
        errors.restart();
        assert_eq!(errors.disturb(Vec3::zeros(), 0.1), first);
    }
}
