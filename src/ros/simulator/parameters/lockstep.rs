//! The lockstep parameters, and the requests to the simulation that follow from their combined values.

use std::sync::Mutex;
use std::time::Duration;

use skidpad_math::time::SimTime;
use skidpad_run::guard::lock;
use skidpad_run::runner::{Lockstep, Outbox, Request, WhenLate};

use crate::parameters::table::{Declaration, Kind, Parameters, number, switch};

/// Names of the policies for late commands.
const WHEN_LATE: [&str; 3] = [WhenLate::NAMES[0].0, WhenLate::NAMES[1].0, WhenLate::NAMES[2].0];

/// The parameters. They can be set at any time.
pub const DECLARATIONS: [Declaration; 5] = [
    switch("lockstep", false, "wait for a command to every controlled vehicle each lockstep_period"),
    number(
        "lockstep_period",
        0.0,
        [0.0, 1e6],
        "simulated time between two waits of lockstep [s]; 0: that of odometry, 1 / odom_rate",
    ),
    number(
        "lockstep_timeout",
        1.0,
        [Lockstep::MIN_TIMEOUT, 1e6],
        "longest wait for a command in lockstep [wall s], after which the late vehicles are named",
    ),
    Declaration::new(
        "lockstep_when_late",
        Kind::Word { default: WHEN_LATE[0], of: &WHEN_LATE },
        "after lockstep_timeout: go on until the next wait, keep waiting, or end the run with status 1",
    ),
    Declaration::new(
        "lockstep_vehicles",
        Kind::Text { default: "" },
        "vehicles that lockstep waits for, such as \"r1, r2\"; empty: all that take commands and have no driver here",
    ),
];

/// The settings that the parameters request at present.
fn lockstep(parameters: &Parameters) -> Option<Lockstep> {
    // Computed like the period of odometry, to the nanosecond, so that both fall on the same steps.
    let given = parameters.number("lockstep_period");
    let period = if given > 0.0 { given } else { 1.0 / parameters.number("odom_rate") };
    let when_late = parameters.word("lockstep_when_late");
    parameters.flag("lockstep").then(|| Lockstep {
        period: SimTime::from_secs(period).max(SimTime(1)),
        timeout: Duration::from_secs_f64(parameters.number("lockstep_timeout")),
        when_late: WhenLate::NAMES
            .iter()
            .find(|(name, _)| *name == when_late)
            .map(|(_, late)| *late)
            .unwrap_or_default(),
        vehicles: vehicles(parameters),
    })
}

/// The vehicles that lockstep waits for; empty: all.
fn vehicles(parameters: &Parameters) -> Vec<String> {
    let names = parameters.word("lockstep_vehicles");
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Those of these vehicles that lockstep waits for, or would.
pub fn awaited<T>(parameters: &Parameters, mut all: Vec<(String, T)>) -> Vec<(String, T)> {
    let wanted = vehicles(parameters);
    all.retain(|(name, _)| wanted.is_empty() || wanted.contains(name));
    all
}

/// Forwards changes of lockstep to the simulation.
pub(crate) struct LockstepRequests {
    outbox: Outbox,
    /// The last request.
    last_request: Mutex<Option<Lockstep>>,
}

impl LockstepRequests {
    /// For a simulation without lockstep, which reads `outbox`.
    pub fn new(outbox: Outbox) -> LockstepRequests {
        LockstepRequests { outbox, last_request: Mutex::default() }
    }

    /// Sends a request if the parameters differ from the last one. To be called after every change of parameters.
    pub fn follow(&self, parameters: &Parameters) {
        let lockstep = lockstep(parameters);
        let mut last_request = lock(&self.last_request);
        if lockstep != *last_request {
            last_request.clone_from(&lockstep);
            self.outbox.send(Request::SetLockstep(lockstep));
        }
    }
}

#[cfg(test)]
mod tests {
    use r2r::ParameterValue::{self, Bool, Double};
    use skidpad_run::runner::mailbox;

    use super::super::tests::start_with;
    use super::*;

    /// The requests that result from setting these one after the other.
    fn requests_after(values: &[(&str, ParameterValue)]) -> Vec<Request> {
        let ((outbox, inbox), parameters) = (mailbox(), start_with(&[]));
        let requests = LockstepRequests::new(outbox);
        for (name, value) in values {
            let value = parameters.would_set(name, value).unwrap();
            parameters.set(vec![((*name).to_owned(), value)]);
            requests.follow(&parameters);
        }
        inbox.requests()
    }

    #[test]
    fn no_request_is_sent_while_lockstep_is_off() {
        assert_eq!(requests_after(&[("lockstep_timeout", Double(3.0)), ("lockstep", Bool(false))]), []);
    }

    #[test]
    fn the_period_is_that_of_odometry_by_default() {
        let requests = requests_after(&[
            ("lockstep", Bool(true)),
            ("odom_rate", Double(20.0)),
            ("lockstep_period", Double(0.1)),
            ("odom_rate", Double(30.0)),
            ("lockstep", Bool(false)),
        ]);
        let every = |seconds| Request::SetLockstep(Some(Lockstep::every(SimTime::from_secs(seconds))));
        assert_eq!(requests, [every(0.02), every(0.05), every(0.1), Request::SetLockstep(None)]);
    }

    #[test]
    fn the_awaited_vehicles_and_the_timeout_are_part_of_the_request() {
        let requests = requests_after(&[
            ("lockstep_timeout", Double(2.5)),
            ("lockstep_when_late", ParameterValue::String("wait".into())),
            ("lockstep_vehicles", ParameterValue::String("r1, r2,".into())),
            ("lockstep", Bool(true)),
        ]);
        let expected = Lockstep {
            timeout: Duration::from_millis(2500),
            when_late: WhenLate::KeepWaiting,
            vehicles: vec!["r1".into(), "r2".into()],
            ..Lockstep::every(SimTime::from_secs(0.02))
        };
        assert_eq!(requests, [Request::SetLockstep(Some(expected))]);
    }
}
