//! The random numbers of expressions: MT19937 with exactly MVSim's distributions, so that a world that fixes its seed
//! (`$f{randomize(2)}`) gets the same layout.

use rand_mt::Mt;

/// Generator behind `rand`, `unifrnd`, `randn` and `randomize`.
#[derive(Debug, Clone)]
pub struct Generator {
    mt: Mt,
    /// The second value of the last polar pair.
    saved: Option<f64>,
}

impl Generator {
    /// A generator seeded with 32 bits.
    pub fn new(seed: u32) -> Generator {
        Generator { mt: Mt::new(seed), saved: None }
    }

    /// Restarts the bits from `seed`. A normal value saved earlier is still returned next, as in MVSim.
    pub(crate) fn reseed(&mut self, seed: u32) {
        self.mt = Mt::new(seed);
    }

    /// The next 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.mt.next_u32()
    }

    /// Uniform in [low, high], with a resolution of 32 bits.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.bits()) * 2.328_306_437_080_797_4e-10
    }

    /// Standard normal: the Marsaglia polar method, with the order of draws of `std::normal_distribution<double>` in libstdc++.
    pub fn normal(&mut self) -> f64 {
        if let Some(value) = self.saved.take() {
            return value;
        }
        loop {
            let x = 2.0 * self.canonical() - 1.0;
            let y = 2.0 * self.canonical() - 1.0;
            let square = x * x + y * y;
            if square <= 1.0 && square != 0.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.saved = Some(x * scale);
                return y * scale;
            }
        }
    }

    /// Uniform in [0, 1) with 53 bits from two draws, the low half first: `std::generate_canonical<double, 53>`.
    fn canonical(&mut self) -> f64 {
        const TWO_32: f64 = 4_294_967_296.0;
        let low = f64::from(self.bits());
        let high = f64::from(self.bits());
        let value = (low + high * TWO_32) / (TWO_32 * TWO_32);
        value.min(1.0 - f64::EPSILON / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_reference_generator() {
        // First outputs of the reference MT19937 for its default seed, and the 10000th, which the C++ standard states.
        let mut generator = Generator::new(5489);
        assert_eq!(generator.bits(), 3_499_211_612);
        assert_eq!(generator.bits(), 581_869_302);
        for _ in 2..9999 {
            generator.bits();
        }
        assert_eq!(generator.bits(), 4_123_659_995);
        // The seed of MVSim's world demo_road_circuit1.
        assert_eq!(Generator::new(2).bits(), 1_872_583_848);
    }

    #[test]
    fn uniform_covers_both_ends_of_the_bits() {
        let mut generator = Generator::new(5489);
        let expected = 3_499_211_612.0 * 2.328_306_437_080_797_4e-10;
        assert_eq!(generator.uniform(0.0, 1.0), expected);
        let mut generator = Generator::new(5489);
        assert!((generator.uniform(-3.0, 5.0) - (-3.0 + 8.0 * expected)).abs() < 1e-15);
    }

    #[test]
    fn normal_returns_y_then_the_saved_x() {
        let mut generator = Generator::new(7);
        let (mut x, mut y, mut square) = (2.0, 2.0, 8.0);
        let mut raw = Mt::new(7);
        while square > 1.0 {
            let mut next = || {
                let (low, high) = (f64::from(raw.next_u32()), f64::from(raw.next_u32()));
                (low + high * 4294967296.0) / 18446744073709551616.0 * 2.0 - 1.0
            };
            (x, y) = (next(), next());
            square = x * x + y * y;
        }
        let scale = (-2.0 * libm::log(square) / square).sqrt();
        assert_eq!(generator.normal(), y * scale);
        assert_eq!(generator.normal(), x * scale);
    }

    #[test]
    fn reseeding_restarts_the_bits_and_keeps_the_saved_normal() {
        let mut plain = Generator::new(3);
        let mut other = Generator::new(3);
        other.normal();
        plain.normal();
        other.reseed(5489);
        assert_eq!(other.normal(), plain.normal());
        assert_eq!(other.bits(), 3_499_211_612);
    }

    #[test]
    fn normal_has_mean_zero_and_unit_variance() {
        let mut generator = Generator::new(1);
        let count = 100_000;
        let values: Vec<f64> = (0..count).map(|_| generator.normal()).collect();
        let mean = values.iter().sum::<f64>() / f64::from(count);
        let variance = values.iter().map(|v| v * v).sum::<f64>() / f64::from(count) - mean * mean;
        assert!(mean.abs() < 0.01, "mean {mean}");
        assert!((variance - 1.0).abs() < 0.02, "variance {variance}");
    }
}
