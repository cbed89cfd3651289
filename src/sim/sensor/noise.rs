//! Random numbers of sensors: white noise of single readings, outliers, and values in whole steps.

use rand::RngCore as _;
use skidpad_math::noise::WhiteNoise;
use skidpad_math::rng::stream;

use super::ErrorParameters;

/// The error of the next value by outliers [unit]; 0 for most. Two draws, whatever comes.
#[inline]
pub(super) fn outlier(white: &mut WhiteNoise, parameters: &ErrorParameters) -> f64 {
    let (is_outlier, deviation) = (white.strikes(parameters.outlier_share), white.sample());
    if is_outlier { parameters.outlier_std * deviation } else { 0.0 }
}

/// White noise of readings. Each reading has a stream of its own, by its number, so that one that is not taken changes none of the others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReadingNoise {
    key: u64,
    /// Number of the next reading.
    next: u64,
    /// That of the reading that is being taken.
    pub(crate) white: WhiteNoise,
}

impl ReadingNoise {
    /// The source called `name` under the world's `seed`, before the first reading.
    pub(crate) fn new(seed: u64, name: &str) -> ReadingNoise {
        let key = stream(seed, name).next_u64();
        ReadingNoise { key, next: 0, white: WhiteNoise::seeded(key) }
    }

    /// Starts over: the readings come again.
    pub(crate) fn restart(&mut self) {
        self.next = 0;
    }

    /// Begins the next reading.
    pub(crate) fn begin(&mut self) {
        // An odd factor other than the increment with which the generator spreads its seed: with that one, the states
        // of neighbours would overlap.
        self.white = WhiteNoise::seeded(self.key.wrapping_add(self.next.wrapping_mul(0xd134_2543_de82_ef95)));
        self.next += 1;
    }

    /// Passes over the next reading.
    pub(crate) fn skip(&mut self) {
        self.next += 1;
    }
}

/// The whole number of `step`s that is nearest to `value`, both in one unit.
#[inline]
pub(crate) fn whole_steps(value: f64, step: f64) -> f64 {
    libm::round(value / step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reading_has_its_noise_whichever_others_are_taken() {
        let reading = |noise: &mut ReadingNoise| {
            noise.begin();
            let mut samples = [0.0; 4];
            noise.white.fill(&mut samples);
            samples
        };
        let mut all = ReadingNoise::new(3, "r1/scan/range");
        let readings: Vec<[f64; 4]> = (0..1000).map(|_| reading(&mut all)).collect();
        let mut some = ReadingNoise::new(3, "r1/scan/range");
        for taken in readings.chunks(3) {
            assert_eq!(reading(&mut some), taken[0]);
            (1..taken.len()).for_each(|_| some.skip());
        }
        some.restart();
        assert_eq!(reading(&mut some), readings[0]);
        // Neighbours have nothing in common: four standard errors of the mean of a product.
        for lag in 0..4 {
            let products = readings.windows(2).map(|pair| pair[0][lag] * pair[1][0]);
            let mean = products.sum::<f64>() / 999.0;
            assert!(mean.abs() < 4.0 / 999.0_f64.sqrt(), "{lag}: {mean}");
        }
    }
}
