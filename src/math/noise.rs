//! White Gaussian noise from a named stream.

use rand::SeedableRng as _;
use rand_distr::{Distribution as _, StandardNormal};

use crate::rng::{Rng, stream};

/// A source of independent normal samples.
#[derive(Clone, Debug, PartialEq)]
pub struct WhiteNoise {
    rng: Rng,
    /// As it was before the first sample.
    start: Rng,
}

impl WhiteNoise {
    /// The source called `name` under the world's `seed`.
    pub fn new(seed: u64, name: &str) -> WhiteNoise {
        WhiteNoise::of(stream(seed, name))
    }

    /// The source with this seed of its own.
    #[inline]
    pub fn seeded(seed: u64) -> WhiteNoise {
        WhiteNoise::of(Rng::seed_from_u64(seed))
    }

    #[inline]
    fn of(rng: Rng) -> WhiteNoise {
        WhiteNoise { start: rng.clone(), rng }
    }

    /// Starts over: the samples come again.
    #[inline]
    pub fn restart(&mut self) {
        self.rng.clone_from(&self.start);
    }

    /// A sample with mean 0 and standard deviation 1 (ziggurat method; G. Marsaglia and W. W. Tsang 2000).
    #[inline]
    pub fn sample(&mut self) -> f64 {
        StandardNormal.sample(&mut self.rng)
    }

    /// Whether something with this share of all is next [-].
    #[inline]
    pub fn strikes(&mut self, share: f64) -> bool {
        use rand::Rng as _;
        self.rng.random::<f64>() < share
    }

    /// Fills `samples` with the next ones.
    pub fn fill(&mut self, samples: &mut [f64]) {
        // A copy, so that the generator's state stays in registers.
        let mut rng = self.rng.clone();
        samples.iter_mut().for_each(|sample| *sample = StandardNormal.sample(&mut rng));
        self.rng = rng;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_standard_normal() {
        let mut noise = WhiteNoise::new(3, "x");
        let n = 100_000;
        let mut samples = vec![0.0; n as usize];
        noise.fill(&mut samples);
        let mean = samples.iter().sum::<f64>() / f64::from(n);
        let variance = samples.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        // Four standard errors: 4/√n and 4·√(2/n).
        assert!(mean.abs() < 0.0127 && (variance - 1.0).abs() < 0.0179, "{mean} {variance}");
    }
}
