//! The parameters of lockstep: collects their values and asks the simulation for what they say together.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use r2r::ParameterValue;

use super::table::{Declaration, Kind, number, switch};
use crate::runner::{Lockstep, Outbox, Request, WhenLate};
use crate::time::SimTime;

/// Names of what to do about late commands.
const WHEN_LATE: [&str; 2] = [WhenLate::NAMES[0].0, WhenLate::NAMES[1].0];

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
        [Lockstep::SHORTEST_TIMEOUT, 1e6],
        "how long a command may take in lockstep [wall s] before it is said whose is late",
    ),
    Declaration::new(
        "lockstep_when_late",
        Kind::Word { default: WHEN_LATE[0], of: &WHEN_LATE },
        "after lockstep_timeout: go on until the next wait, or keep waiting",
    ),
    Declaration::new(
        "lockstep_vehicles",
        Kind::Text { default: "" },
        "vehicles that lockstep waits for, such as \"r1, r2\"; empty: all that take commands and have no driver here",
    ),
];

/// What the parameters say at the moment.
#[derive(Clone, Debug, PartialEq)]
struct Wish {
    on: bool,
    period: f64,
    odometry_rate: f64,
    timeout: f64,
    when_late: WhenLate,
    vehicles: Vec<String>,
}

impl Wish {
    fn lockstep(&self) -> Option<Lockstep> {
        // As the odometry's clock has it, to the nanosecond, so that both fall on the same steps.
        let period = if self.period > 0.0 { self.period } else { 1.0 / self.odometry_rate };
        self.on.then(|| Lockstep {
            period: SimTime::from_secs(period).max(SimTime(1)),
            timeout: Duration::from_secs_f64(self.timeout),
            when_late: self.when_late,
            vehicles: self.vehicles.clone(),
        })
    }
}

/// Listens to the parameters.
pub struct LockstepWatch(Mutex<(Wish, Option<Lockstep>)>);

impl LockstepWatch {
    /// Before the first parameter is known.
    pub fn new() -> LockstepWatch {
        let wish = Wish {
            on: false,
            period: 0.0,
            odometry_rate: 50.0,
            timeout: 1.0,
            when_late: WhenLate::GoOn,
            vehicles: Vec::new(),
        };
        LockstepWatch(Mutex::new((wish, None)))
    }

    /// Takes the value of any parameter; asks the simulation when that changes what they say together.
    pub fn tell(&self, outbox: &Outbox, name: &str, value: &ParameterValue) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (wish, asked) = &mut *state;
        match (name, value) {
            ("lockstep", ParameterValue::Bool(on)) => wish.on = *on,
            ("lockstep_period", ParameterValue::Double(period)) => wish.period = *period,
            ("odom_rate", ParameterValue::Double(rate)) => wish.odometry_rate = *rate,
            ("lockstep_timeout", ParameterValue::Double(timeout)) => wish.timeout = *timeout,
            ("lockstep_when_late", ParameterValue::String(word)) => {
                let known = WhenLate::NAMES.iter().find(|(name, _)| name == word);
                wish.when_late = known.map(|(_, when_late)| *when_late).unwrap_or_default();
            }
            ("lockstep_vehicles", ParameterValue::String(names)) => {
                let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
                wish.vehicles = names.map(str::to_owned).collect();
            }
            _ => return,
        }
        let lockstep = wish.lockstep();
        if lockstep != *asked {
            asked.clone_from(&lockstep);
            outbox.send(Request::SetLockstep(lockstep));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::{Inbox, mailbox};

    fn rig() -> (LockstepWatch, Outbox, Inbox) {
        let (outbox, inbox) = mailbox();
        (LockstepWatch::new(), outbox, inbox)
    }

    fn asked(inbox: &Inbox) -> Vec<Request> {
        inbox.requests()
    }

    #[test]
    fn nothing_is_asked_as_long_as_it_is_off() {
        let (watch, outbox, inbox) = rig();
        watch.tell(&outbox, "lockstep_timeout", &ParameterValue::Double(3.0));
        watch.tell(&outbox, "lockstep", &ParameterValue::Bool(false));
        assert_eq!(asked(&inbox), []);
    }

    #[test]
    fn the_period_is_that_of_odometry_unless_it_is_given() {
        let (watch, outbox, inbox) = rig();
        watch.tell(&outbox, "lockstep", &ParameterValue::Bool(true));
        watch.tell(&outbox, "odom_rate", &ParameterValue::Double(20.0));
        watch.tell(&outbox, "lockstep_period", &ParameterValue::Double(0.1));
        watch.tell(&outbox, "odom_rate", &ParameterValue::Double(30.0));
        watch.tell(&outbox, "lockstep", &ParameterValue::Bool(false));
        let every = |seconds| Request::SetLockstep(Some(Lockstep::every(SimTime::from_secs(seconds))));
        assert_eq!(asked(&inbox), [every(0.02), every(0.05), every(0.1), Request::SetLockstep(None)]);
    }

    #[test]
    fn who_is_waited_for_and_how_long_goes_along() {
        let (watch, outbox, inbox) = rig();
        watch.tell(&outbox, "lockstep_timeout", &ParameterValue::Double(2.5));
        watch.tell(&outbox, "lockstep_when_late", &ParameterValue::String("wait".into()));
        watch.tell(&outbox, "lockstep_vehicles", &ParameterValue::String("r1, r2,".into()));
        watch.tell(&outbox, "lockstep", &ParameterValue::Bool(true));
        let expected = Lockstep {
            timeout: Duration::from_millis(2500),
            when_late: WhenLate::KeepWaiting,
            vehicles: vec!["r1".into(), "r2".into()],
            ..Lockstep::every(SimTime::from_secs(0.02))
        };
        assert_eq!(asked(&inbox), [Request::SetLockstep(Some(expected))]);
    }
}
