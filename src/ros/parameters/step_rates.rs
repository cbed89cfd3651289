//! Warnings of rates that are asked for and that there are no steps for: what they send is known at the end of a step alone. Odometry and the other
//! states are not among them, since those between two steps are interpolated.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use super::table::Parameters;
use crate::guard::lock;
use crate::time::SimTime;

/// Each rate, and the switch without which nothing is sent at it.
const AT_STEPS: [(&str, &str); 3] =
    [("clock_rate", "publish_clock"), ("marker_rate", "publish_markers"), ("log_rate", "publish_log_topics")];

/// Warns of them once for each value and step.
pub struct StepRates {
    parameters: Arc<Parameters>,
    /// Of the present world [ns].
    step: AtomicI64,
    told: Mutex<BTreeSet<String>>,
}

impl StepRates {
    /// For these parameters, before there is a world.
    pub fn new(parameters: Arc<Parameters>) -> StepRates {
        StepRates { parameters, step: AtomicI64::new(0), told: Mutex::default() }
    }

    /// Warns after a world with this step has come.
    pub fn follow(&self, step: SimTime) {
        if self.step.swap(step.0, Ordering::Relaxed) != step.0 {
            self.warn();
        }
    }

    /// Warns after parameters have changed.
    pub fn warn(&self) {
        let step = SimTime(self.step.load(Ordering::Relaxed));
        for (rate, switch) in AT_STEPS {
            if let Some(warning) = beyond(&self.parameters, rate, step).filter(|_| self.parameters.flag(switch))
                && lock(&self.told).insert(warning.clone())
            {
                tracing::warn!("{warning}");
            }
        }
    }
}

/// The warning of a rate [Hz] that somebody has asked for, of messages that are sent at steps as long as `step` [ns]; none if there are enough of them.
pub fn beyond(parameters: &Parameters, name: &str, step: SimTime) -> Option<String> {
    let rate = parameters.number(name);
    let is_asked = parameters.given(name).is_some() || parameters.changes(name) > 0;
    if !is_asked || SimTime::from_secs(1.0 / rate) >= step {
        return None;
    }
    let most = (1e3 / step.secs()).round() / 1e3;
    Some(format!(
        "parameter \"{name}\": found {rate}, with {most} steps a second: there is a message at every step\n  accepted: up to {most}\n  \
         hint: a smaller step"
    ))
}

#[cfg(test)]
mod tests {
    use r2r::ParameterValue::{Bool, Double};

    use super::*;
    use crate::ros::parameters::settings::tests::start_with;

    const STEP: SimTime = SimTime(5_000_000);

    #[test]
    fn rates_beyond_the_steps_are_told_if_they_are_asked_for() {
        let given = [("clock_rate", 1000.0), ("marker_rate", 100.0), ("log_rate", 200.1)];
        let given = given.map(|(name, value)| (name.to_owned(), Double(value)));
        let parameters = start_with(&given);
        let told = |name: &str, step: SimTime| beyond(&parameters, name, step);
        assert_eq!(
            told("clock_rate", STEP).unwrap(),
            "parameter \"clock_rate\": found 1000, with 200 steps a second: there is a message at every step\n  accepted: up to 200\n  \
             hint: a smaller step"
        );
        assert_eq!(told("marker_rate", STEP), None);
        assert!(told("log_rate", STEP).is_some());
        assert_eq!(told("clock_rate", SimTime(1_000_000)), None);
        assert!(told("marker_rate", SimTime(30_000_000)).unwrap().contains("with 33.333 steps a second"));
        // Nobody has asked for a default, whatever the step is.
        assert_eq!(beyond(&start_with(&[]), "clock_rate", SimTime(50_000_000)), None);
    }

    #[test]
    fn each_rate_is_told_once_in_a_world_with_its_step() {
        let given = [("clock_rate".to_owned(), Double(1000.0)), ("log_rate".to_owned(), Double(1000.0))];
        let rates = StepRates::new(start_with(&given));
        let told = || lock(&rates.told).len();
        rates.follow(STEP);
        rates.warn();
        rates.follow(STEP);
        assert_eq!(told(), 1, "nothing is sent at log_rate");
        rates.follow(SimTime(1_000_000));
        assert_eq!(told(), 1);
        rates.parameters.set(vec![("clock_rate".to_owned(), Double(100.0)), ("publish_clock".to_owned(), Bool(false))]);
        rates.follow(SimTime(50_000_000));
        assert_eq!(told(), 1);
        rates.parameters.set(vec![("publish_clock".to_owned(), Bool(true))]);
        rates.warn();
        assert_eq!(told(), 2, "a value that is set is asked for");
    }
}
