//! Statistics of a run: its cost, how it keeps up with its rate, and what its sinks drop.
//!
//! The runner measures windows of a tenth of a second and passes each to the sinks, which add them up to longer ones.

use std::time::Duration;

use hdrhistogram::Histogram;
use skidpad_math::time::{Rate, SimTime};
use skidpad_sim::world::Frame;

use super::SinkLoad;

/// A window of a run.
#[derive(Clone, Debug, Default)]
pub struct RunStatistics {
    /// The requested speed of time at its end.
    pub rate: Rate,
    /// Whether time was stopped at its end.
    pub paused: bool,
    /// Wall time that it covers.
    pub wall: Duration,
    /// Of that, pauses.
    pub in_pause: Duration,
    /// Of that, waiting for commands in lockstep.
    pub waiting: Duration,
    /// Of that, in the sinks.
    pub in_sinks: Duration,
    /// Simulated time that passed [ns].
    pub simulated: SimTime,
    /// Wall time of each step.
    pub step_times: StepTimes,
    /// Rays cast by lidars.
    pub rays: u64,
    /// Commands accepted by vehicles.
    pub commands: u64,
    /// How often the simulation was too late for its rate and dropped the lost time.
    pub overruns: u64,
    /// The load of every sink by name; none: it failed.
    pub sinks: Vec<(String, Option<SinkLoad>)>,
}

impl RunStatistics {
    /// Appends the following window.
    pub fn add(&mut self, next: &RunStatistics) {
        (self.rate, self.paused) = (next.rate, next.paused);
        self.wall += next.wall;
        self.in_pause += next.in_pause;
        self.waiting += next.waiting;
        self.in_sinks += next.in_sinks;
        self.simulated += next.simulated;
        self.step_times.add(&next.step_times);
        self.rays += next.rays;
        self.commands += next.commands;
        self.overruns += next.overruns;
        self.sinks.clone_from(&next.sinks);
    }

    /// Begins a new window in the same memory.
    pub fn clear(&mut self) {
        let (mut step_times, mut sinks) = (std::mem::take(&mut self.step_times), std::mem::take(&mut self.sinks));
        step_times.clear();
        sinks.clear();
        *self = RunStatistics { step_times, sinks, rate: self.rate, paused: self.paused, ..RunStatistics::default() };
    }

    /// Simulated seconds per wall second, pauses left out [-]; 0 in a pause.
    pub fn real_time_factor(&self) -> f64 {
        per_second(self.simulated.secs(), self.wall.saturating_sub(self.in_pause))
    }

    /// The same, without the time spent waiting for commanders too [-]: the speed of the simulation itself.
    pub(crate) fn own_real_time_factor(&self) -> f64 {
        per_second(self.simulated.secs(), self.wall.saturating_sub(self.in_pause).saturating_sub(self.waiting))
    }

    /// Rays per wall second [1/s].
    pub fn rays_per_second(&self) -> f64 {
        per_second(self.rays as f64, self.wall)
    }

    /// Commands accepted per wall second [1/s].
    pub fn commands_per_second(&self) -> f64 {
        per_second(self.commands as f64, self.wall)
    }

    /// Adds the counts of a step.
    pub fn count(&mut self, frame: &Frame) {
        self.commands += frame.commands.len() as u64;
        for reading in frame.fresh_readings() {
            self.rays += reading.data.rays();
        }
    }
}

/// `amount` per second of `time`; 0 for up to a millisecond.
fn per_second(amount: f64, time: Duration) -> f64 {
    if time > Duration::from_millis(1) { amount / time.as_secs_f64() } else { 0.0 }
}

/// Wall times of steps, as a distribution with a resolution of 1 %.
#[derive(Clone, Debug)]
pub struct StepTimes {
    /// Step times [ns]; none: it could not be allocated, and quantiles are 0.
    histogram: Option<Histogram<u32>>,
    count: u64,
    /// [ns]
    sum: u64,
    /// [ns]
    longest: u64,
}

impl StepTimes {
    /// Longer steps [ns] count as this.
    const MAX_STEP: u64 = 100_000_000_000;

    /// Adds a step time.
    #[inline]
    pub fn record(&mut self, time: Duration) {
        // Sums of nanoseconds cost less than sums of durations, and last for 500 years.
        let time = time.as_secs().wrapping_mul(1_000_000_000).wrapping_add(u64::from(time.subsec_nanos()));
        self.count += 1;
        self.sum += time;
        self.longest = self.longest.max(time);
        if let Some(histogram) = &mut self.histogram {
            histogram.saturating_record(time);
        }
    }

    /// Adds the step times of another window.
    pub fn add(&mut self, other: &StepTimes) {
        self.count += other.count;
        self.sum += other.sum;
        self.longest = self.longest.max(other.longest);
        if let (Some(histogram), Some(other_histogram)) = (&mut self.histogram, &other.histogram) {
            // Both have the same bounds, so this cannot fail.
            let _ = histogram.add(other_histogram);
        }
    }

    fn clear(&mut self) {
        (self.count, self.sum, self.longest) = (0, 0, 0);
        if let Some(histogram) = &mut self.histogram {
            histogram.reset();
        }
    }

    /// Number of steps.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All step times together.
    pub fn sum(&self) -> Duration {
        Duration::from_nanos(self.sum)
    }

    /// Mean step time; zero without steps.
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.sum.checked_div(self.count).unwrap_or_default())
    }

    /// The longest step time.
    pub fn longest(&self) -> Duration {
        Duration::from_nanos(self.longest)
    }

    /// The step time that this fraction of the steps [-], from 0 to 1, does not exceed.
    pub fn quantile(&self, part: f64) -> Duration {
        let nanoseconds = self.histogram.as_ref().map_or(0, |histogram| histogram.value_at_quantile(part));
        // The upper end of a bin may exceed the values in it.
        Duration::from_nanos(nanoseconds.min(self.longest))
    }
}

impl Default for StepTimes {
    /// An empty distribution.
    fn default() -> StepTimes {
        let histogram = Histogram::new_with_bounds(1, StepTimes::MAX_STEP, 2).ok();
        StepTimes { histogram, count: 0, sum: 0, longest: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    #[test]
    fn windows_add_up() {
        let mut sum = RunStatistics::default();
        for k in 0..10 {
            let (wall, in_pause, simulated) = (ms(100), ms(20), SimTime(50_000_000));
            let mut window = RunStatistics { wall, in_pause, simulated, rays: 7, ..RunStatistics::default() };
            (1..=10).for_each(|step| window.step_times.record(ms(10 * k + step)));
            sum.add(&window);
        }
        assert_eq!((sum.wall, sum.rays, sum.step_times.count()), (ms(1000), 70, 100));
        assert!((sum.real_time_factor() - 0.5 / 0.8).abs() < 1e-12);
        assert!((sum.rays_per_second() - 70.0).abs() < 1e-12);
        assert_eq!((sum.step_times.mean(), sum.step_times.longest()), (Duration::from_micros(50_500), ms(100)));
        let p99 = sum.step_times.quantile(0.99).as_secs_f64();
        assert!((p99 - 0.099).abs() < 0.001, "{p99}");
        sum.clear();
        assert_eq!((sum.wall, sum.rays, sum.step_times.count()), (Duration::ZERO, 0, 0));
        assert_eq!((sum.step_times.mean(), sum.step_times.quantile(0.99)), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn a_pause_has_no_speed() {
        let pause = RunStatistics { wall: ms(100), in_pause: ms(100), ..RunStatistics::default() };
        assert_eq!(pause.real_time_factor(), 0.0);
        let waits = RunStatistics { wall: ms(100), waiting: ms(60), simulated: SimTime(20_000_000), ..pause };
        let waits = RunStatistics { in_pause: Duration::ZERO, ..waits };
        assert!((waits.real_time_factor() - 0.2).abs() < 1e-12 && (waits.own_real_time_factor() - 0.5).abs() < 1e-12);
    }
}
