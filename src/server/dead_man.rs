//! Dead man's switch: stops vehicles whose driver no longer repeats its orders.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use skidpad_view::messages::Order;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::hub::Pilot;

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
        let (vehicle, stop) = match *order {
            Order::Drive { vehicle, .. } => (vehicle, Order::Drive { vehicle, speed: 0.0, turn: 0.0, sideways: 0.0 }),
            Order::Pedals { vehicle, .. } => {
                (vehicle, Order::Pedals { vehicle, throttle: 0.0, brake: 1.0, reverse: false, steering_angle: 0.0 })
            }
            Order::Command { vehicle, ref command } => (vehicle, Order::Command { vehicle, command: command.stop() }),
            // A reset stops all vehicles.
            Order::Reset {} => return self.driven.clear(),
            _ => return,
        };
        if *order == stop {
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::hub::OrderCallback;

    /// Notes its orders.
    #[derive(Default)]
    struct Noting(Mutex<Vec<Order>>);

    impl Pilot for Noting {
        fn carry_out(&self, order: Order, _: OrderCallback) {
            self.0.lock().unwrap().push(order);
        }
    }

    #[test]
    fn who_only_moves_sideways_is_stopped_too() {
        let order = |sideways| Order::Drive { vehicle: 7, speed: 0.0, turn: 0.0, sideways };
        let pilot = Arc::new(Noting::default());
        let mut dead_man = DeadMan::new(Arc::clone(&pilot) as Arc<dyn Pilot>);
        dead_man.note(&order(0.5));
        drop(dead_man);
        assert_eq!(*pilot.0.lock().unwrap(), [order(0.0)]);
    }

    #[test]
    fn every_command_is_stopped_by_one_of_its_kind() {
        let cases = [
            (
                r#"{"kind": "twist", "vx": 1, "vy": 2, "yaw_rate": 3}"#,
                r#"{"kind": "twist", "vx": 0, "vy": 0, "yaw_rate": 0}"#,
            ),
            (
                r#"{"kind": "steering_rate", "speed": 1, "steering_rate": 1}"#,
                r#"{"kind": "ackermann", "speed": 0, "steering_angle": 0}"#,
            ),
            (
                r#"{"kind": "ackermann", "speed": 1, "steering_angle": 1, "acceleration": 1}"#,
                r#"{"kind": "ackermann", "speed": 0, "steering_angle": 0}"#,
            ),
            (
                r#"{"kind": "pedals", "throttle": 1, "brake": 0, "gear": "reverse", "steering_angle": 1}"#,
                r#"{"kind": "pedals", "throttle": 0, "brake": 1, "gear": "drive", "steering_angle": 0}"#,
            ),
            (
                r#"{"kind": "wheels", "spin": [1, null, null, null], "hinge": [1, 1]}"#,
                r#"{"kind": "wheels", "spin": [0, 0, 0, 0], "hinge": [null, null]}"#,
            ),
            (
                r#"{"kind": "wheel_speeds", "left": 1, "right": 2}"#,
                r#"{"kind": "wheel_speeds", "left": 0, "right": 0}"#,
            ),
        ];
        for (given, stop) in cases {
            let order = |text: &str| Order::Command { vehicle: 7, command: serde_json::from_str(text).unwrap() };
            let pilot = Arc::new(Noting::default());
            let mut dead_man = DeadMan::new(Arc::clone(&pilot) as Arc<dyn Pilot>);
            dead_man.note(&order(given));
            drop(dead_man);
            assert_eq!(*pilot.0.lock().unwrap(), [order(stop)], "{given}");
            // A vehicle that was told to stand needs no stop.
            let pilot = Arc::new(Noting::default());
            let mut dead_man = DeadMan::new(Arc::clone(&pilot) as Arc<dyn Pilot>);
            dead_man.note(&order(given));
            dead_man.note(&order(stop));
            drop(dead_man);
            assert_eq!(*pilot.0.lock().unwrap(), [], "{given}");
        }
    }
}
