//! Dead man's switch: stops vehicles whose driver no longer repeats its orders.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::hub::Pilot;
use crate::view::messages::Order;

/// Largest age of a driver's last order.
const PATIENCE: Duration = Duration::from_millis(500);

/// The vehicles under manual control. Dropping it stops them all.
pub(super) struct DeadMan {
    pilot: Arc<dyn Pilot>,
    /// Deadline of each vehicle, and the order that stops it.
    driven: BTreeMap<u64, (Instant, Order)>,
}

impl DeadMan {
    pub(super) fn new(pilot: Arc<dyn Pilot>) -> DeadMan {
        DeadMan { pilot, driven: BTreeMap::new() }
    }

    /// Records an order that has been passed on.
    pub(super) fn note(&mut self, order: &Order) {
        let (vehicle, stop, stands) = match *order {
            Order::Drive { vehicle, speed, turn } => {
                (vehicle, Order::Drive { vehicle, speed: 0.0, turn: 0.0 }, speed == 0.0 && turn == 0.0)
            }
            Order::Pedals { vehicle, .. } => {
                let stop = Order::Pedals { vehicle, throttle: 0.0, brake: 1.0, reverse: false, steering_angle: 0.0 };
                (vehicle, stop.clone(), *order == stop)
            }
            // A reset stops all vehicles.
            Order::Reset {} => return self.driven.clear(),
            _ => return,
        };
        if stands {
            self.driven.remove(&vehicle);
        } else {
            self.driven.insert(vehicle, (Instant::now() + PATIENCE, stop));
        }
    }

    /// Stops the vehicles whose driver has timed out; never returns.
    pub(super) async fn watch(&mut self) {
        loop {
            match self.driven.values().map(|(due, _)| *due).min() {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
            let now = Instant::now();
            self.stop(|due| due <= now);
        }
    }

    /// Records all orders from the channel until it closes.
    pub(super) async fn follow(mut self, mut orders: mpsc::Receiver<Order>) {
        loop {
            tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => self.note(&order),
                    None => return,
                },
                () = self.watch() => {}
            }
        }
    }

    fn stop(&mut self, is_meant: impl Fn(Instant) -> bool) {
        let pilot = &self.pilot;
        self.driven.retain(|_, (due, order)| {
            let stops = is_meant(*due);
            if stops {
                // A removed vehicle needs no stop.
                pilot.carry_out(order.clone(), Box::new(|_| ()));
            }
            !stops
        });
    }
}

impl Drop for DeadMan {
    fn drop(&mut self) {
        self.stop(|_| true);
    }
}
