//! When the next step is due on the wall clock. Pure arithmetic; the runner supplies the wall time.

use std::time::Duration;

use skidpad_math::time::SimTime;

use super::Rate;

/// An absolute schedule: step k is due k·dt/rate after the origin, so that late wake-ups do not add up.
#[derive(Debug)]
pub(super) struct Pacer {
    rate: Rate,
    wall_origin: Duration,
    sim_origin: SimTime,
    overruns: u64,
}

impl Pacer {
    /// Shorter waits are not worth a sleep; steps due within it are made together.
    const MIN_WAIT: Duration = Duration::from_millis(1);
    /// A simulation that is later than this drops the lost time instead of catching up.
    const MAX_DELAY: Duration = Duration::from_millis(250);

    pub(super) fn new(rate: Rate) -> Pacer {
        Pacer { rate, wall_origin: Duration::ZERO, sim_origin: SimTime::ZERO, overruns: 0 }
    }

    /// Restarts the schedule at this wall and simulated time.
    pub(super) fn restart(&mut self, now: Duration, sim: SimTime) {
        self.wall_origin = now;
        self.sim_origin = sim;
    }

    /// The rate of time.
    pub(super) fn rate(&self) -> Rate {
        self.rate
    }

    pub(super) fn set_rate(&mut self, rate: Rate, now: Duration, sim: SimTime) {
        self.rate = rate;
        self.restart(now, sim);
    }

    /// How often the schedule was restarted because the simulation was too late.
    pub(super) fn overruns(&self) -> u64 {
        self.overruns
    }

    /// Restarts the schedule after a delay that was not caused by the simulation, without counting an overrun.
    pub(super) fn forgive(&mut self, now: Duration, sim: SimTime) {
        if let Rate::Factor(factor) = self.rate
            && now > self.due(sim, factor).saturating_add(Self::MAX_DELAY)
        {
            self.restart(now, sim);
        }
    }

    /// Wall time at which simulated time is due to reach `sim`, at `factor` [-].
    fn due(&self, sim: SimTime, factor: f64) -> Duration {
        let since_origin = (sim - self.sim_origin).secs() / factor;
        // A time too far away for a Duration is never reached.
        let since_origin = Duration::try_from_secs_f64(since_origin.max(0.0)).unwrap_or(Duration::MAX);
        self.wall_origin.saturating_add(since_origin)
    }

    /// How long to wait, at wall time `now`, before the step that ends at simulated time `step_end`; none: make it now.
    pub(super) fn wait(&mut self, now: Duration, step_end: SimTime) -> Option<Duration> {
        let Rate::Factor(factor) = self.rate else { return None };
        let due = self.due(step_end, factor);
        if now > due.saturating_add(Self::MAX_DELAY) {
            self.overruns += 1;
            self.restart(now, step_end);
            return None;
        }
        Some(due.saturating_sub(now)).filter(|wait| *wait >= Self::MIN_WAIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: SimTime = SimTime(5_000_000);

    fn ms(value: f64) -> Duration {
        Duration::from_secs_f64(value * 1e-3)
    }

    #[test]
    fn the_schedule_does_not_drift_when_every_wake_up_is_late() {
        let mut pacer = Pacer::new(Rate::Factor(1.0));
        let (mut now, mut sim) = (Duration::ZERO, SimTime::ZERO);
        for _ in 0..10_000 {
            if let Some(wait) = pacer.wait(now, sim + STEP) {
                now += wait + ms(0.2);
            }
            sim += STEP;
        }
        assert_eq!(sim, SimTime::from_secs(50.0));
        assert!(now.abs_diff(ms(50_000.0)) < ms(5.0), "{now:?}");
        assert_eq!(pacer.overruns(), 0);
    }

    #[test]
    fn small_steps_are_made_in_batches() {
        let mut pacer = Pacer::new(Rate::Factor(1.0));
        let step = SimTime(100_000);
        let (mut now, mut sim, mut waits) = (Duration::ZERO, SimTime::ZERO, 0);
        for _ in 0..10_000 {
            if let Some(wait) = pacer.wait(now, sim + step) {
                assert!(wait >= ms(1.0));
                now += wait;
                waits += 1;
            }
            sim += step;
        }
        assert!((900..=1000).contains(&waits), "{waits}");
    }

    #[test]
    fn the_rate_scales_the_wait() {
        assert_eq!(Pacer::new(Rate::Factor(0.5)).wait(Duration::ZERO, STEP), Some(ms(10.0)));
        assert_eq!(Pacer::new(Rate::Factor(10.0)).wait(Duration::ZERO, STEP), None);
        assert_eq!(Pacer::new(Rate::Max).wait(Duration::ZERO, STEP), None);
        assert!(Pacer::new(Rate::Factor(1e-300)).wait(ms(1.0), STEP).is_some());
    }

    #[test]
    fn a_late_simulation_restarts_its_schedule() {
        let mut pacer = Pacer::new(Rate::Factor(1.0));
        assert_eq!(pacer.wait(ms(250.0), STEP), None);
        assert_eq!(pacer.overruns(), 0);
        assert_eq!(pacer.wait(ms(1000.0), STEP), None);
        assert_eq!(pacer.overruns(), 1);
        assert_eq!(pacer.wait(ms(1000.0), STEP + STEP), Some(ms(5.0)));
    }
}
