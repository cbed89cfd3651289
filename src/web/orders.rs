//! What holds for orders whoever carries them out: their ranges, and how many may come.

use std::time::Instant;

use super::messages::Order;

/// Orders of one viewer per second, and of all that come over REST.
const RATE: f64 = 200.0;
/// The slowest speed of time [simulated seconds per second] that can be ordered.
const SLOWEST: f64 = 1e-3;

/// Why nobody may give this order, if so.
pub(super) fn permit(order: &Order, read_only: bool) -> Result<(), String> {
    match order {
        Order::Watch { .. } => Ok(()),
        _ if read_only => Err("order: this server is read-only\n  accepted: watch".into()),
        _ => Ok(()),
    }
}

/// What is wrong with this order, if something is.
pub(super) fn check(order: &Order) -> Result<(), String> {
    match *order {
        Order::Watch { rate, .. } if rate != 0.0 && !(0.01..=60.0).contains(&rate) => {
            Err(format!("watch: rate {rate} is out of range\n  accepted: 0, or 0.01 to 60 [1/s]"))
        }
        Order::Watch { stride: 0, .. } => Err("watch: stride 0 is out of range\n  accepted: 1 to 65535".into()),
        Order::Step { count } if !(1..=100_000).contains(&count) => {
            Err(format!("step: count {count} is out of range\n  accepted: 1 to 100000"))
        }
        // Slower than that nothing would seem to happen any more.
        Order::SetRate { rate: Some(rate) } if rate < SLOWEST => {
            Err(format!("set_rate: rate {rate} is out of range\n  accepted: {SLOWEST} or more, none"))
        }
        _ => Ok(()),
    }
}

/// How many orders a viewer may still give.
#[derive(Debug)]
pub(super) struct Budget {
    left: f64,
    since: Instant,
}

impl Budget {
    pub(super) fn new() -> Budget {
        Budget { left: RATE, since: Instant::now() }
    }

    /// Takes one off, or says that there is none.
    pub(super) fn spend(&mut self) -> Result<(), String> {
        let now = Instant::now();
        self.left = (self.left + RATE * (now - self.since).as_secs_f64()).min(RATE);
        self.since = now;
        if self.left < 1.0 {
            return Err(format!("order: too many\n  accepted: up to {RATE} in a second"));
        }
        self.left -= 1.0;
        Ok(())
    }
}
