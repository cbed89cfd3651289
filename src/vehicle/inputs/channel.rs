//! One channel of the inputs: its stages, and where they start.

use std::collections::VecDeque;

use skidpad_xml::{Accept, Reader};

use super::super::lag::remaining;

/// Longest delay [s].
const MAX_DELAY: f64 = 5.0;

/// From a command to what arrives.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    pub(super) shape: Shape,
    /// [s].
    pub(super) delay: f64,
    /// Distance from its target up to which the servo rests.
    pub(super) dead_band: f64,
    /// [s].
    pub(super) lag: f64,
    /// Per second.
    pub(super) rate: f64,
    /// Width of the gap.
    pub(super) backlash: f64,
    /// Shaped commands of the last steps, the newest first, as far back as the delay reaches; none: not yet used.
    pub(super) past: VecDeque<f64>,
    /// Where the servo is.
    pub(super) servo: f64,
    /// What arrives, behind the gap.
    pub(super) value: f64,
}

/// Static curve of a channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Line { dead_zone: f64, gain: f64, offset: f64 },
    Points(Vec<[f64; 2]>),
}

impl Shape {
    pub(super) fn of(&self, command: f64) -> f64 {
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
            dead_band: 0.0,
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
    /// Reads the attributes of a channel; those that end in `_deg` too where the command is an angle or its rate. Delay
    /// and lag are by default those of `with`.
    pub(super) fn read(tag: &Reader<'_>, is_angle: bool, with: &Channel) -> Channel {
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
            tag.attribute_numbers("curve", &[]).map_or(line, |numbers| Shape::Points(read_points(tag, &numbers)));
        let dead_band = number("dead_band", 0.0, Accept::non_negative());
        let rate = number("rate", f64::INFINITY, Accept::positive());
        let backlash = number("backlash", 0.0, Accept::non_negative());
        let delay = tag.attribute_f64("delay", with.delay, Accept::range(0.0, MAX_DELAY));
        let lag = tag.attribute_f64("lag", with.lag, Accept::non_negative());
        Channel { shape, delay, dead_band, lag, rate, backlash, ..Channel::default() }
    }

    /// A channel that only takes as long as `with`.
    pub(super) fn as_late_as(with: &Channel) -> Channel {
        Channel { delay: with.delay, lag: with.lag, ..Channel::default() }
    }

    /// Starts at `value`, as if that had arrived for as long as the delay reaches back.
    pub(super) fn start_at(&mut self, value: f64) {
        self.past.iter_mut().for_each(|past| *past = value);
        self.continue_from(value);
    }

    /// Goes on from `value`; what is under way still arrives.
    pub(super) fn continue_from(&mut self, value: f64) {
        (self.servo, self.value) = (value, value);
    }

    /// What arrives after another `dt` [s], with this command in force.
    pub(super) fn advance(&mut self, command: f64, dt: f64) -> f64 {
        let shaped = self.shape.of(command);
        let target = self.delayed(shaped, dt);
        let wanted = if self.dead_band == 0.0 {
            target
        } else {
            target + (self.servo - target).clamp(-self.dead_band, self.dead_band)
        };
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
            // The first step: the servo is where the channel starts.
            self.past.resize(whole + 2, self.servo);
        }
        self.past.rotate_right(1);
        self.past[0] = shaped;
        let share = steps - whole as f64;
        self.past[whole] + share * (self.past[whole + 1] - self.past[whole])
    }
}

/// Pairs of command and result.
fn read_points(tag: &Reader<'_>, numbers: &[f64]) -> Vec<[f64; 2]> {
    let points: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    if points.is_empty() || numbers.len() % 2 == 1 || !points.windows(2).all(|pair| pair[0][0] < pair[1][0]) {
        tag.error("not a valid curve").accepted(["pairs of a command and its result, with increasing commands"]);
    }
    points
}
