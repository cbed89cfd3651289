//! Random inputs, the same in each run of the tests, and those of bolero.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};

/// `attempt!(number, longest, |input: &[u8]| …)` tries so many random inputs of at most so many bytes. They follow from the seed of all property tests.
/// Bolero's inputs are next: the kept ones, and in `cargo bolero test` those that it finds.
macro_rules! attempt {
    ($number:expr, $longest:expr, $attempt:expr) => {{
        let attempt = $attempt;
        $crate::random::inputs($number, $longest, &attempt);
        bolero::check!().with_iterations(0).with_max_len($longest).for_each(attempt);
    }};
}

/// Tries random inputs. A failure shows the shortest input that fails like it.
pub fn inputs(number: u32, longest: usize, attempt: &impl Fn(&[u8])) {
    let config = Config { failure_persistence: None, ..Config::with_cases(number) };
    let seed = config.rng_seed;
    let all = TestRunner::new(config).run(&vec(any::<u8>(), 0..=longest), |input| {
        attempt(&input);
        Ok(())
    });
    if let Err(failure) = all {
        panic!("{failure}\nseed: {seed:?}");
    }
}
