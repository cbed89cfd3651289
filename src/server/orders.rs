//! Checks of orders that do not depend on who carries them out: ranges and rate.

use std::time::Instant;

use skidpad_view::messages::{MAX_PICTURES, Order};

/// Most orders per second of one viewer, and of all REST clients together.
const RATE: f64 = 200.0;
/// The lowest speed of time that can be ordered [simulated seconds per second].
const MIN_RATE: f64 = 1e-3;

/// The reason why the order is refused, if any.
pub(super) fn permit(order: &Order, read_only: bool) -> Result<(), String> {
    match order {
        Order::Watch { .. } | Order::Parameters { .. } => Ok(()),
        _ if read_only => Err("order: this server is read-only\n  accepted: watch, parameters".into()),
        _ => Ok(()),
    }
}

/// Checks the values of an order.
pub(super) fn check(order: &Order) -> Result<(), String> {
    match *order {
        Order::Watch { rate, .. } if rate != 0.0 && !(0.01..=60.0).contains(&rate) => {
            Err(format!("watch: rate {rate} is out of range\n  accepted: 0, or 0.01 to 60 [1/s]"))
        }
        Order::Watch { stride: 0, .. } => Err("watch: stride 0 is out of range\n  accepted: 1 to 65535".into()),
        Order::Watch { ref pictures, .. } if pictures.len() > MAX_PICTURES => {
            Err(format!("watch: {} pictures are too many\n  accepted: up to {MAX_PICTURES}", pictures.len()))
        }
        Order::Step { count } if !(1..=100_000).contains(&count) => {
            Err(format!("step: count {count} is out of range\n  accepted: 1 to 100000"))
        }
        // At lower speeds the simulation would appear frozen.
        Order::SetRate { rate: Some(rate) } if rate < MIN_RATE => {
            Err(format!("set_rate: rate {rate} is out of range\n  accepted: {MIN_RATE} or more, none"))
        }
        _ => Ok(()),
    }
}

/// Rate limiter of a viewer's orders.
#[derive(Debug)]
pub(super) struct OrderBudget {
    left: f64,
    since: Instant,
}

impl OrderBudget {
    pub(super) fn new() -> OrderBudget {
        OrderBudget { left: RATE, since: Instant::now() }
    }

    /// Takes one order from the budget, or fails.
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
