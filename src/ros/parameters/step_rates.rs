//! Warnings of rates of messages that are higher than the rate of steps: what is sent at them is known at the end of a step only. Odometry
//! and the other states are not among them, since those between two steps are interpolated.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use skidpad_math::time::SimTime;
use skidpad_run::guard::lock;

use super::table::Parameters;

/// Each rate, and the switch without which nothing is sent at it.
const AT_STEPS: [(&str, &str); 4] = [
    ("clock_rate", "publish_clock"),
    ("marker_rate", "publish_markers"),
    ("body_rate", "publish_bodies"),
    ("log_rate", "publish_log_topics"),
];

/// Warns of these rates, once for each value and length of a step.
pub(crate) struct StepRates {
    parameters: Arc<Parameters>,
    /// Of the present world [ns].
    step: AtomicI64,
    reported: Mutex<BTreeSet<String>>,
}

impl StepRates {
    /// For these parameters, before there is a world.
    pub fn new(parameters: Arc<Parameters>) -> StepRates {
        StepRates { parameters, step: AtomicI64::new(0), reported: Mutex::default() }
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
            if let Some(warning) = warning_of(&self.parameters, rate, step).filter(|_| self.parameters.flag(switch))
                && lock(&self.reported).insert(warning.clone())
            {
                tracing::warn!("{warning}");
            }
        }
    }
}

/// The warning of a rate [Hz] of messages, the parameter `name`, that is higher than that of steps as long as `step` [ns]; none if it is not,
/// or if nobody has asked for it.
pub(crate) fn warning_of(parameters: &Parameters, name: &str, step: SimTime) -> Option<String> {
    let rate = parameters.number(name);
    let is_set = parameters.given(name).is_some() || parameters.changes(name) > 0;
    if !is_set || SimTime::from_secs(1.0 / rate) >= step {
        return None;
    }
    let most = (1e3 / step.secs()).round() / 1e3;
    Some(format!(
        "parameter \"{name}\": found {rate}, but there are only {most} steps a second: each step gets a message\n  accepted: up to {most}\n  \
         hint: a smaller step"
    ))
}

#[cfg(test)]
mod tests {
    use r2r::ParameterValue::{Bool, Double};

    use super::*;
    use crate::parameters::table::{Declaration, number, switch};

    const STEP: SimTime = SimTime(5_000_000);

    const DECLARATIONS: [Declaration; 8] = [
        number("clock_rate", 100.0, [1.0, 1000.0], "of the clock"),
        number("marker_rate", 20.0, [1.0, 1000.0], "of markers"),
        number("body_rate", 20.0, [1.0, 1000.0], "of bodies"),
        number("log_rate", 50.0, [1.0, 1000.0], "of logs"),
        switch("publish_clock", true, "send the clock"),
        switch("publish_markers", true, "send markers"),
        switch("publish_bodies", true, "send bodies"),
        switch("publish_log_topics", false, "send logs"),
    ];

    fn start_with(given: &[(String, r2r::ParameterValue)]) -> Arc<Parameters> {
        Parameters::new(&DECLARATIONS, &[], given.iter().map(|(name, value)| (name, value)), Box::new(|_, _| {}))
            .unwrap()
    }

    #[test]
    fn rates_beyond_the_steps_are_told_if_they_are_asked_for() {
        let given = [("clock_rate", 1000.0), ("marker_rate", 100.0), ("log_rate", 200.1)];
        let given = given.map(|(name, value)| (name.to_owned(), Double(value)));
        let parameters = start_with(&given);
        let reported = |name: &str, step: SimTime| warning_of(&parameters, name, step);
        assert_eq!(
            reported("clock_rate", STEP).unwrap(),
            "parameter \"clock_rate\": found 1000, but there are only 200 steps a second: each step gets a message\n  accepted: up to 200\n  \
             hint: a smaller step"
        );
        assert_eq!(reported("marker_rate", STEP), None);
        assert!(reported("log_rate", STEP).is_some());
        assert_eq!(reported("clock_rate", SimTime(1_000_000)), None);
        assert!(reported("marker_rate", SimTime(30_000_000)).unwrap().contains("only 33.333 steps a second"));
        // Nobody has asked for a default, whatever the step is.
        assert_eq!(warning_of(&start_with(&[]), "clock_rate", SimTime(50_000_000)), None);
    }

    #[test]
    fn each_rate_is_told_once_in_a_world_with_its_step() {
        let given = [("clock_rate".to_owned(), Double(1000.0)), ("log_rate".to_owned(), Double(1000.0))];
        let rates = StepRates::new(start_with(&given));
        let reported = || lock(&rates.reported).len();
        rates.follow(STEP);
        rates.warn();
        rates.follow(STEP);
        assert_eq!(reported(), 1, "nothing is sent at log_rate");
        rates.follow(SimTime(1_000_000));
        assert_eq!(reported(), 1);
        rates.parameters.set(vec![("clock_rate".to_owned(), Double(100.0)), ("publish_clock".to_owned(), Bool(false))]);
        rates.follow(SimTime(50_000_000));
        assert_eq!(reported(), 1);
        rates.parameters.set(vec![("publish_clock".to_owned(), Bool(true))]);
        rates.warn();
        assert_eq!(reported(), 2, "a value that is set is asked for");
    }
}
