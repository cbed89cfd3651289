//! What lies between the commands and the controller of a real car, `<inputs>` in `<dynamics>`: radio, servo, speed controller.
//!
//! ```xml
//! <inputs>
//!   <speed …/>      of velocity and Ackermann commands [m/s]
//!   <steering …/>   of Ackermann and pedal commands [rad]
//!   <throttle …/>   of pedal commands [-]
//!   <brake …/>      of pedal commands [-]
//! </inputs>
//! ```
//! Each of the four may be left out, and then passes its command on. Its attributes are stages, in this order:
//!
//! ```xml
//! <steering dead_zone="0"       a command up to this size counts as 0, a larger one as its excess, ≥ 0
//!           gain="1"            factor [-]
//!           offset="0"          added after the gain
//!           curve="-1 -0.35 0 0 1 0.38"   in place of the three: pairs of command and result, rising commands; linear in
//!                                         between, constant beyond
//!           delay="0"           pure delay [s], 0 to 5
//!           lag="0"             time constant [s], ≥ 0
//!           rate="…"            largest change per second, > 0; default: any
//!           backlash="0"/>      play of the linkage: the whole width of the gap, ≥ 0
//! ```
//! Units are those of the command; `steering` takes `dead_zone_deg`, `offset_deg`, `rate_deg` and `backlash_deg` too.
//! The delay reaches between steps by linear interpolation, so that results depend on it smoothly. Lag and rate
//! together are a lag whose servo saturates, exact at any step while its input is constant within the step. With
//! backlash the result follows only where the gap is used up: it stays where it is while the servo moves within the
//! gap.
//!
//! Before the first command nothing is passed on; then the command before it counts as 0. A kinematic car or single
//! track that is set to a velocity continues from it: the lag of its speed starts there. When commands stop, by a
//! timeout or a teleport, the controller is notified at once, and what was under way arrives no more: the command
//! before the next one counts as 0 again, with the steering where it is.
//!
//! Chosen as the linear blocks that the identification of actuators works with (L. Ljung, "System Identification:
//! Theory for the User", 2nd ed., 1999, §4.2 and §5.2: Hammerstein models, a static curve before linear dynamics, and
//! process models with dead time; backlash: G. Tao and P. V. Kokotović, "Adaptive Control of Systems with Actuator and
//! Sensor Nonlinearities", 1996, §2.3).
//!
//! Not modelled: quantisation, noise, and lost messages.

use std::collections::VecDeque;

use skidpad_xml::{Accept, Reader};

use super::controller::Order;
use super::lag::remaining;

/// Longest delay [s].
const LONGEST_DELAY: f64 = 5.0;

/// The inputs of a vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    speed: Channel,
    steering: Channel,
    throttle: Channel,
    brake: Channel,
    /// The last command, with a speed of 0 once it has been stopped.
    order: Option<Order>,
    /// Whether that command is in force: nothing is passed on otherwise.
    is_in_force: bool,
}

/// From a command to what arrives.
#[derive(Clone, Debug, PartialEq)]
struct Channel {
    shape: Shape,
    /// [s].
    delay: f64,
    /// [s].
    lag: f64,
    /// Per second.
    rate: f64,
    /// Width of the gap.
    backlash: f64,
    /// Shaped commands of the last steps, the newest first, as far back as the delay reaches; none: not yet used.
    past: VecDeque<f64>,
    /// Where the servo is.
    servo: f64,
    /// What arrives, behind the gap.
    value: f64,
}

/// Static curve of a channel.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Line { dead_zone: f64, gain: f64, offset: f64 },
    Points(Vec<[f64; 2]>),
}

impl Shape {
    fn of(&self, command: f64) -> f64 {
        match self {
            Shape::Line { dead_zone, gain, offset } => {
                let excess = (command.abs() - dead_zone).max(0.0).copysign(command);
                gain * excess + offset
            }
            Shape::Points(points) => {
                let above = points.partition_point(|[input, _]| *input <= command);
                match (above.checked_sub(1).and_then(|below| points.get(below)), points.get(above)) {
                    (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (command - a[0]) / (b[0] - a[0]),
                    (Some(end), None) | (None, Some(end)) => end[1],
                    (None, None) => command,
                }
            }
        }
    }
}

impl Default for Channel {
    /// Passes the command on.
    fn default() -> Channel {
        let shape = Shape::Line { dead_zone: 0.0, gain: 1.0, offset: 0.0 };
        Channel {
            shape,
            delay: 0.0,
            lag: 0.0,
            rate: f64::INFINITY,
            backlash: 0.0,
            past: VecDeque::new(),
            servo: 0.0,
            value: 0.0,
        }
    }
}

impl Channel {
    /// Reads the child `name`; attributes that end in `_deg` too where the command is an angle.
    fn read(inputs: &Reader<'_>, name: &str, is_angle: bool) -> Channel {
        let Some(tag) = inputs.child(name) else { return Channel::default() };
        let number = |name: &str, default: f64, accept: Accept| {
            let plain = tag.attribute_f64(name, default, accept);
            if is_angle { tag.attribute_degrees(&format!("{name}_deg"), plain, accept) } else { plain }
        };
        let line = Shape::Line {
            dead_zone: number("dead_zone", 0.0, Accept::non_negative()),
            gain: tag.attribute_f64("gain", 1.0, Accept::any()),
            offset: number("offset", 0.0, Accept::any()),
        };
        let shape =
            tag.attribute_numbers("curve", &[]).map_or(line, |numbers| Shape::Points(read_points(&tag, &numbers)));
        let rate = number("rate", f64::INFINITY, Accept::positive());
        let backlash = number("backlash", 0.0, Accept::non_negative());
        let delay = tag.attribute_f64("delay", 0.0, Accept::range(0.0, LONGEST_DELAY));
        let lag = tag.attribute_f64("lag", 0.0, Accept::non_negative());
        tag.finish();
        let idle = shape.of(0.0);
        Channel { shape, delay, lag, rate, backlash, past: VecDeque::new(), servo: idle, value: idle }
    }

    /// What arrives after another `dt` [s], with this command in force.
    fn advance(&mut self, command: f64, dt: f64) -> f64 {
        let shaped = self.shape.of(command);
        let wanted = self.delayed(shaped, dt);
        self.servo = if self.lag == 0.0 && self.rate == f64::INFINITY {
            wanted
        } else {
            wanted - remaining(wanted - self.servo, self.lag, self.rate, dt)
        };
        let play = 0.5 * self.backlash;
        self.value = self.value.max(self.servo - play).min(self.servo + play);
        self.value
    }

    /// The shaped command of `delay` ago.
    fn delayed(&mut self, shaped: f64, dt: f64) -> f64 {
        if self.delay == 0.0 {
            return shaped;
        }
        let steps = self.delay / dt;
        let whole = steps as usize;
        if self.past.len() != whole + 2 {
            self.past.resize(whole + 2, self.shape.of(0.0));
        }
        self.past.rotate_right(1);
        self.past[0] = shaped;
        let share = steps - whole as f64;
        self.past[whole] + share * (self.past[whole + 1] - self.past[whole])
    }

    /// Forgets what is under way, with the result where it is.
    fn hold(&mut self) {
        let servo = self.servo;
        self.past.iter_mut().for_each(|past| *past = servo);
    }

    fn reset(&mut self) {
        let idle = self.shape.of(0.0);
        self.past.iter_mut().for_each(|past| *past = idle);
        (self.servo, self.value) = (idle, idle);
    }
}

/// Pairs of command and result.
fn read_points(tag: &Reader<'_>, numbers: &[f64]) -> Vec<[f64; 2]> {
    let points: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    if points.is_empty() || numbers.len() % 2 == 1 || !points.windows(2).all(|pair| pair[0][0] < pair[1][0]) {
        tag.error("the curve is not one").accepted(["pairs of a command and its result, with rising commands"]);
    }
    points
}

impl Inputs {
    /// Reads `<inputs>`; none without it.
    pub fn read(dynamics: &Reader<'_>) -> Option<Inputs> {
        dynamics.read_child("inputs", |tag| Inputs {
            speed: Channel::read(tag, "speed", false),
            steering: Channel::read(tag, "steering", true),
            throttle: Channel::read(tag, "throttle", false),
            brake: Channel::read(tag, "brake", false),
            order: None,
            is_in_force: false,
        })
    }

    /// Takes a command, which is passed on from the next [`Inputs::advance`] on.
    pub fn take(&mut self, order: Order) {
        self.order = Some(order);
        self.is_in_force = true;
    }

    /// Speed [m/s] and steering angle [rad] of the last command, if it has both.
    pub fn ackermann(&self) -> Option<[f64; 2]> {
        match self.order {
            Some(Order::Ackermann { speed, steering_angle }) => Some([speed, steering_angle]),
            _ => None,
        }
    }

    /// What the controller hears for the next `dt` [s]; none: nothing.
    pub fn advance(&mut self, dt: f64) -> Option<Order> {
        Some(match self.order.filter(|_| self.is_in_force)? {
            Order::Twist(mut twist) => {
                twist.vx = self.speed.advance(twist.vx, dt);
                Order::Twist(twist)
            }
            Order::Ackermann { speed, steering_angle } => Order::Ackermann {
                speed: self.speed.advance(speed, dt),
                steering_angle: self.steering.advance(steering_angle, dt),
            },
            Order::Pedals { mut pedals, steering_angle } => {
                pedals.throttle = self.throttle.advance(pedals.throttle, dt);
                pedals.brake = self.brake.advance(pedals.brake, dt);
                Order::Pedals { pedals, steering_angle: self.steering.advance(steering_angle, dt) }
            }
            wheels @ Order::Wheels(_) => wheels,
        })
    }

    /// Lets the speed continue from `speed` [m/s].
    pub fn continue_from(&mut self, speed: f64) {
        (self.speed.servo, self.speed.value) = (speed, speed);
    }

    /// Passes nothing on until the next command, and forgets what is under way.
    pub fn stop(&mut self) {
        self.is_in_force = false;
        if let Some(Order::Ackermann { speed, .. }) = &mut self.order {
            *speed = 0.0;
        }
        [&mut self.speed, &mut self.throttle, &mut self.brake].into_iter().for_each(Channel::reset);
        self.steering.hold();
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        (self.order, self.is_in_force) = (None, false);
        for channel in [&mut self.speed, &mut self.steering, &mut self.throttle, &mut self.brake] {
            channel.reset();
        }
    }
}

#[cfg(test)]
#[path = "inputs_tests.rs"]
mod tests;
