//! Simulated time in integer nanoseconds, so that a million steps sum without a rounding error, and its rate.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

/// An instant [ns] since the start of the simulation, or a span between two; never wall time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(pub i64);

impl SimTime {
    /// The start of the simulation.
    pub const ZERO: SimTime = SimTime(0);

    /// The nearest whole nanosecond to `secs` [s]; saturates where i64 ends, NaN gives zero.
    pub fn from_secs(secs: f64) -> SimTime {
        SimTime(libm::round(secs * 1e9) as i64)
    }

    /// The time in seconds [s].
    #[inline]
    pub fn secs(self) -> f64 {
        self.0 as f64 * 1e-9
    }

    /// Whole seconds [s] and the remaining nanoseconds [ns], as in `builtin_interfaces/Time`.
    pub fn split(self) -> (i32, u32) {
        (self.0.div_euclid(1_000_000_000) as i32, self.0.rem_euclid(1_000_000_000) as u32)
    }
}

impl Add for SimTime {
    type Output = SimTime;
    #[inline]
    fn add(self, other: SimTime) -> SimTime {
        SimTime(self.0 + other.0)
    }
}

impl AddAssign for SimTime {
    #[inline]
    fn add_assign(&mut self, other: SimTime) {
        self.0 += other.0;
    }
}

impl Sub for SimTime {
    type Output = SimTime;
    #[inline]
    fn sub(self, other: SimTime) -> SimTime {
        SimTime(self.0 - other.0)
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.secs())
    }
}

/// A repeating instant: due once in every period, on the grid `period, 2·period, …`.
///
/// Where the step does not divide the period, each sample falls on the first step at or after its grid instant, so
/// that the mean rate is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Periodic {
    period: i64,
    next: i64,
}

impl Periodic {
    /// Due every `period` [ns], at least 1, first at `period`.
    pub fn new(period: SimTime) -> Periodic {
        let period = period.0.max(1);
        Periodic { period, next: period }
    }

    /// Due every `period` [ns] on the same grid, first after `now` [ns].
    pub fn after(period: SimTime, now: SimTime) -> Periodic {
        let mut periodic = Periodic::new(period);
        periodic.next = (now.0.div_euclid(periodic.period) + 1) * periodic.period;
        periodic
    }

    /// Starts over after time has been reset: the next instant is the first after `now` [ns].
    pub fn restart(&mut self, now: SimTime) {
        *self = Periodic::after(self.period(), now);
    }

    /// The period [ns].
    pub fn period(&self) -> SimTime {
        SimTime(self.period)
    }

    /// The next due instant of the grid.
    pub fn next(&self) -> SimTime {
        SimTime(self.next)
    }

    /// The instants of the grid after `before`, up to `now` [ns], as the first one and their number, each once.
    pub fn instants(&mut self, before: SimTime, now: SimTime) -> (SimTime, i64) {
        if self.next <= before.0 || self.next - self.period > now.0 {
            *self = Periodic::after(self.period(), before);
        }
        let first = self.next();
        let count = if first > now { 0 } else { (now.0 - first.0) / self.period + 1 };
        self.next += count * self.period;
        (first, count)
    }

    /// True when an instant of the grid has been reached by `now` since the last call that returned true. Starts over if time has
    /// been reset to before the last instant.
    #[inline]
    pub fn is_due(&mut self, now: SimTime) -> bool {
        if now.0 < self.next {
            if now.0 >= self.next - self.period {
                return false;
            }
            self.restart(now - SimTime(1));
            return self.is_due(now);
        }
        self.next = (now.0 / self.period + 1) * self.period;
        true
    }
}

/// Rate of simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Simulated seconds per wall second, from [`Rate::MIN_FACTOR`] to [`Rate::MAX_FACTOR`].
    Factor(f64),
    /// As fast as the processor allows.
    Max,
}

impl Default for Rate {
    /// Real time.
    fn default() -> Rate {
        Rate::Factor(1.0)
    }
}

impl Rate {
    /// Slowest rate [simulated s per wall s]: chosen because a step of 5 ms then takes five seconds, which a person still perceives as
    /// motion.
    pub const MIN_FACTOR: f64 = 1e-3;
    /// Fastest [simulated s per wall s]: chosen because no processor is as fast.
    pub const MAX_FACTOR: f64 = 1e6;

    /// The reason why this rate is not accepted, if any.
    pub fn check(self) -> Result<Rate, RateError> {
        match self {
            Rate::Factor(factor) if !(Rate::MIN_FACTOR..=Rate::MAX_FACTOR).contains(&factor) => {
                Err(RateError::OutOfRange(factor))
            }
            Rate::Factor(_) | Rate::Max => Ok(self),
        }
    }
}

/// Why a rate is not accepted.
#[derive(Clone, Debug, PartialEq)]
pub enum RateError {
    /// It is not between [`Rate::MIN_FACTOR`] and [`Rate::MAX_FACTOR`].
    OutOfRange(f64),
    /// It is neither a number nor `max`.
    NotANumber(String),
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RateError::OutOfRange(factor) => write!(f, "{factor} is out of range"),
            RateError::NotANumber(text) => write!(f, "\"{text}\" is not a number"),
        }
    }
}

impl std::error::Error for RateError {}

impl FromStr for Rate {
    type Err = RateError;

    /// Reads `max` or a number.
    fn from_str(text: &str) -> Result<Rate, RateError> {
        if text == "max" {
            return Ok(Rate::Max);
        }
        match text.parse() {
            Ok(factor) => Rate::Factor(factor).check(),
            Err(_) => Err(RateError::NotANumber(text.to_owned())),
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rate::Factor(factor) => write!(f, "{factor}"),
            Rate::Max => f.write_str("max"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_steps_miss_no_sample() {
        let mut scan = Periodic::new(SimTime::from_secs(0.025));
        let mut now = SimTime::ZERO;
        let mut count = 0;
        for _ in 0..1_000_000 {
            now += SimTime::from_secs(0.005);
            count += i32::from(scan.is_due(now));
        }
        assert_eq!(count, 200_000);
    }

    #[test]
    fn a_period_that_the_step_does_not_divide_keeps_its_mean_rate() {
        let mut scan = Periodic::new(SimTime::from_secs(0.007));
        let due: Vec<i64> = (1..=7).map(|k| k * 5).filter(|&ms| scan.is_due(SimTime(ms * 1_000_000))).collect();
        assert_eq!(due, [10, 15, 25, 30, 35]);
    }

    #[test]
    fn a_late_or_restarted_schedule_is_due_on_the_same_grid() {
        let mut late = Periodic::after(SimTime(10), SimTime(25));
        assert_eq!([25, 29, 30, 31, 40].map(|now| late.is_due(SimTime(now))), [false, false, true, false, true]);
        assert_eq!(Periodic::after(SimTime(10), SimTime(30)).next(), SimTime(40));
        assert_eq!(Periodic::after(SimTime(10), SimTime(0)), Periodic::new(SimTime(10)));
        late.restart(SimTime::ZERO);
        assert_eq!(late, Periodic::new(SimTime(10)));
        let mut clock = Periodic::new(SimTime(10));
        let due: Vec<i64> =
            [10, 20, 25, 5, 10, 15, 30, 10, 19, 20].into_iter().filter(|&t| clock.is_due(SimTime(t))).collect();
        assert_eq!(due, [10, 20, 10, 30, 10, 20]);
    }

    #[test]
    fn instants_between_steps_are_those_of_the_grid() {
        let instants = |period: i64, steps: &[[i64; 2]]| {
            let mut clock = Periodic::new(SimTime(period));
            let of_step = |&[before, now]: &[i64; 2]| {
                let (first, count) = clock.instants(SimTime(before), SimTime(now));
                (0..count).map(|k| first.0 + k * period).collect::<Vec<_>>()
            };
            steps.iter().map(of_step).collect::<Vec<_>>()
        };
        let steps = [[0, 5], [5, 10], [10, 15], [15, 20]];
        assert_eq!(instants(2, &steps), [vec![2, 4], vec![6, 8, 10], vec![12, 14], vec![16, 18, 20]]);
        assert_eq!(instants(12, &steps), [vec![], vec![], vec![12], vec![]]);
        assert_eq!(instants(5, &steps), [[5], [10], [15], [20]]);
        // After steps that were not looked at, and after a reset.
        assert_eq!(instants(2, &[[0, 5], [15, 20], [0, 5]]), [vec![2, 4], vec![16, 18, 20], vec![2, 4]]);
    }

    #[test]
    fn negative_times_split_towards_the_past() {
        assert_eq!(SimTime(-1).split(), (-1, 999_999_999));
    }
}
