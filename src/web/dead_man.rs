//! Stops the vehicles of those who no longer say that they drive.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::hub::Pilot;
use super::messages::Order;

/// How old the last word of a driver may grow.
const PATIENCE: Duration = Duration::from_millis(500);

/// The vehicles that somebody drives. Dropped, it stops them all.
pub(super) struct DeadMan {
    pilot: Arc<dyn Pilot>,
    /// When each is to be stopped, and how.
    driven: BTreeMap<u64, (Instant, Order)>,
}

impl DeadMan {
    pub(super) fn new(pilot: Arc<dyn Pilot>) -> DeadMan {
        DeadMan { pilot, driven: BTreeMap::new() }
    }

    /// Takes note of an order that has been handed on.
    pub(super) fn note(&mut self, order: &Order) {
        let (vehicle, stop, stands) = match *order {
            Order::Drive { vehicle, speed, turn } => {
                (vehicle, Order::Drive { vehicle, speed: 0.0, turn: 0.0 }, speed == 0.0 && turn == 0.0)
            }
            Order::Pedals { vehicle, .. } => {
                let stop = Order::Pedals { vehicle, throttle: 0.0, brake: 1.0, reverse: false, steering_angle: 0.0 };
                (vehicle, stop.clone(), *order == stop)
            }
            // All of them stand then.
            Order::Reset {} => return self.driven.clear(),
            _ => return,
        };
        if stands {
            self.driven.remove(&vehicle);
        } else {
            self.driven.insert(vehicle, (Instant::now() + PATIENCE, stop));
        }
    }

    /// Stops those whose driver has fallen silent; never comes back.
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

    /// Takes note of all orders that come, as long as some may come.
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
                // A vehicle that is gone stands too.
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
