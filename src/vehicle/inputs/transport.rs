//! The way of commands to a vehicle: each takes a time of its own, and none overtakes another one.

use std::collections::VecDeque;

use skidpad_xml::{Accept, Reader};

use crate::controller::Order;
use skidpad_math::noise::WhiteNoise;

/// Longest delay [s].
const MAX_DELAY: f64 = 5.0;

/// How commands get to the vehicle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transport {
    /// Mean time of a command [s].
    pub(super) delay: f64,
    /// Its standard deviation [s].
    pub(super) jitter: f64,
    noise: WhiteNoise,
    /// What the present command takes [s]: the same for all that it says over time.
    takes: f64,
    /// Time [s] since the start of the vehicle.
    now: f64,
    /// Orders with the times at which they arrive [s].
    under_way: VecDeque<(f64, Order)>,
    /// When the last of them arrives [s].
    last: f64,
}

impl Transport {
    /// That of `delay` and `jitter` [s], with random numbers of this seed and name.
    pub(super) fn new(delay: f64, jitter: f64, (seed, vehicle): (u64, &str)) -> Transport {
        let noise = WhiteNoise::new(seed, &format!("{vehicle}/inputs/delay"));
        Transport { delay, jitter, noise, takes: delay, now: 0.0, under_way: VecDeque::new(), last: 0.0 }
    }

    /// Reads the attributes of `<inputs>`; none if commands arrive at once.
    pub(super) fn read(tag: &Reader<'_>, stream: (u64, &str)) -> Option<Transport> {
        let time = |name: &str| tag.attribute_f64(name, 0.0, Accept::range(0.0, MAX_DELAY));
        let (delay, jitter) = (time("delay"), time("jitter"));
        (delay > 0.0 || jitter > 0.0).then(|| Transport::new(delay, jitter, stream))
    }

    /// Begins another command: what is sent from now on takes the time of this one.
    pub(super) fn begin(&mut self) {
        self.takes = (self.delay + self.jitter * self.noise.sample()).clamp(0.0, MAX_DELAY);
    }

    /// Sends an order.
    pub(super) fn send(&mut self, order: Order) {
        self.last = self.last.max(self.now + self.takes);
        self.under_way.push_back((self.last, order));
    }

    /// The last order that arrives by now, if any does, before the step of `dt` [s] that follows.
    pub(super) fn receive(&mut self, dt: f64) -> Option<Order> {
        // Sums of steps and of delays differ in their last digits.
        let by = self.now + 1e-9;
        let mut received = None;
        while self.under_way.front().is_some_and(|(arrives, _)| *arrives <= by) {
            received = self.under_way.pop_front().map(|(_, order)| order);
        }
        self.now += dt;
        received
    }

    /// Loses what is under way.
    pub(super) fn forget(&mut self) {
        self.under_way.clear();
        self.last = self.now;
    }

    /// Starts over: the same times come again.
    pub(super) fn restart(&mut self) {
        self.forget();
        self.noise.restart();
        (self.takes, self.now, self.last) = (self.delay, 0.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 0.001;

    /// When orders arrive [s] that say when they were sent, one every 20 ms for so many, and which of them.
    fn arrivals(transport: &mut Transport, count: u32) -> Vec<(f64, f64)> {
        let mut arrivals = Vec::new();
        for step in 0..(count + 50) * 20 {
            let now = f64::from(step) * STEP;
            if step % 20 == 0 && step / 20 < count {
                transport.begin();
                transport.send(Order::Ackermann { speed: now, steering_angle: 0.0 });
            }
            if let Some(Order::Ackermann { speed, .. }) = transport.receive(STEP) {
                arrivals.push((now, speed));
            }
        }
        arrivals
    }

    #[test]
    fn a_delay_alone_is_that_of_every_command() {
        let actual = arrivals(&mut Transport::new(0.035, 0.0, (1, "car")), 100);
        assert!(actual.len() == 100 && actual.iter().all(|(at, sent)| (at - sent - 0.035).abs() < 1e-9), "{actual:?}");
    }

    #[test]
    fn jitter_has_its_deviation_and_comes_again_after_a_restart() {
        let mut transport = Transport::new(0.1, 0.002, (1, "car"));
        let actual = arrivals(&mut transport, 5000);
        let late: Vec<f64> = actual.iter().map(|(at, sent)| at - sent - 0.1).collect();
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        let deviation = (late.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / late.len() as f64).sqrt();
        // A command is heard at the first step at or after its arrival: half of a step later, with 1/√12 of it more.
        let expected = (0.002_f64.powi(2) + STEP * STEP / 12.0).sqrt();
        assert!((mean - 0.0005).abs() < 2e-4 && (deviation / expected - 1.0).abs() < 0.05, "{mean} {deviation}");
        transport.restart();
        assert_eq!(arrivals(&mut transport, 50), actual[..50]);
    }

    #[test]
    fn no_command_overtakes_an_earlier_one() {
        // A jitter of several periods: those that arrive together count as one, the newest.
        let actual = arrivals(&mut Transport::new(0.1, 0.05, (1, "car")), 2000);
        assert!((500..1500).contains(&actual.len()), "{}", actual.len());
        assert!(actual.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert_eq!(actual.last().map(|(_, sent)| (sent / 0.02).round()), Some(1999.0), "the last one arrives");
    }
}
