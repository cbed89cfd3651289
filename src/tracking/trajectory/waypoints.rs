//! A smooth curve through waypoints, open or closed.
//!
//! With times, x(t) and y(t) are cubic splines through the points: velocity and acceleration are continuous. The motion
//! starts at the first time. Without times the path is such a spline over the distance between the points, and the
//! reference moves along it with a constant `speed` v, or with the speeds of the points (`pace`): the arc length s(t)
//! is inverted for the position, where the acceleration is v²·κ to the left and v̇ ahead. A closed path continues from
//! its last point to its first; one with times must end where it began.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;

use super::check::positive;
use super::pace::{Motion, Pace};
use super::spline::{Jet, Spline};
use super::{Sample, Trajectory, TrajectoryEntry, TrajectoryParameters, Waypoint};

pub(super) const ENTRY: TrajectoryEntry = TrajectoryEntry {
    name: "waypoints",
    number: None,
    help: "a smooth curve through the points of a CSV file: file, speed, closed",
    build,
};

/// Farthest point [m] and latest time [s].
const MAX_COORDINATE: f64 = 1e9;
/// Smallest distance between consecutive points [m].
const NEAREST: f64 = 1e-6;

/// Checks a waypoint against the one before it.
///
/// # Errors
/// It is not finite, is not later, or coincides with the one before.
pub fn check_waypoint(before: Option<&Waypoint>, point: &Waypoint) -> Result<(), Diagnostic> {
    let Vec2 { x, y } = point.position;
    for (name, value, unit) in [("x", x, "m"), ("y", y, "m"), ("time", point.time.unwrap_or(0.0), "s")] {
        if value.is_nan() || value.abs() > MAX_COORDINATE {
            let found = format!("{name} {value} is out of range");
            return Err(Diagnostic::of(found).accepted(format!("-1e9 to 1e9 [{unit}]")));
        }
    }
    let Some(before) = before else { return Ok(()) };
    match (before.time, point.time) {
        (Some(earlier), Some(time)) if time - earlier < 1e-6 => {
            Err(Diagnostic::of(format!("time {time} does not come after {earlier}"))
                .accepted("times that rise from row to row [s]"))
        }
        (Some(_), None) | (None, Some(_)) => {
            Err(Diagnostic::of("some points have a time and some have none").accepted("all or none"))
        }
        (None, None) if (point.position - before.position).norm() < NEAREST => {
            Err(Diagnostic::of(format!("the point ({x}, {y}) comes twice in a row")).accepted("points that lie apart"))
        }
        _ => Ok(()),
    }
}

fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    let points = &parameters.points;
    let closed = parameters.closed;
    if points.is_empty() {
        let hint = "the trajectory waypoints reads its points from this CSV file";
        let message = Diagnostic::new("file", format!("found \"{}\"", parameters.file));
        return Err(message.accepted("a CSV file with waypoints").hint(hint));
    }
    for (index, point) in points.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &points[before]);
        check_waypoint(before, point).map_err(|fault| fault.at(format!("waypoint {}", index + 1)))?;
    }
    let mut places: Vec<Vec2> = points.iter().map(|point| point.position).collect();
    let returns = places.len() > 1 && (places[0] - places[places.len() - 1]).norm() < NEAREST;
    let times: Option<Vec<f64>> = points.iter().map(|point| point.time).collect();
    if closed && returns {
        // The same point to the last bit, so that the curve closes exactly.
        let last = places.len() - 1;
        places[last] = places[0];
    } else if closed && times.is_none() {
        places.push(places[0]);
    } else if closed {
        return Err(Diagnostic::new("closed", "the last waypoint is not at the first one")
            .accepted("a last row with the time at which the path is back at its first point"));
    }
    let (count, least) = (places.len(), if closed { 4 } else { 2 });
    if count < least {
        let (count, least) = if closed { (count - 1, 3) } else { (count, 2) };
        let message = Diagnostic::new("file", format!("{count} waypoints that lie apart"));
        return Err(message.accepted(format!("at least {least}")));
    }
    let spline = |knots, places| if closed { Spline::closed(knots, places) } else { Spline::open(knots, places) };
    if let Some(mut times) = times {
        let start = times[0];
        times.iter_mut().for_each(|time| *time -= start);
        return Ok(Box::new(Timed { spline: spline(times, places), closed }));
    }
    let mut speeds: Vec<f64> = points.iter().filter_map(|point| point.speed).collect();
    if speeds.is_empty() {
        positive("speed", parameters.speed, "m/s")?;
    } else if speeds.len() < points.len() {
        return Err(Diagnostic::of("some points have a speed and some have none").accepted("all or none"));
    }
    let mut knots = vec![0.0];
    for pair in places.windows(2) {
        knots.push(knots[knots.len() - 1] + (pair[1] - pair[0]).norm());
    }
    let spline = spline(knots, places);
    let lengths = Lengths::of(&spline);
    let pace = if speeds.is_empty() {
        Pace::Constant(parameters.speed)
    } else {
        if closed {
            // At the end it is at its first point again, which the last one repeats or not.
            let first = speeds[0];
            speeds.truncate(spline.knots().len() - 1);
            speeds.push(first);
        }
        Pace::profile(&lengths.of_knots(), &speeds)?
    };
    Ok(Box::new(Paced { spline, lengths, pace, closed }))
}

/// Waypoints with times.
#[derive(Debug)]
struct Timed {
    spline: Spline,
    closed: bool,
}

impl Trajectory for Timed {
    fn at(&self, time: f64) -> Sample {
        let (_, end) = self.spline.ends();
        let inside = if self.closed { time.rem_euclid(end) } else { time.clamp(0.0, end) };
        let Jet { position, slope, bend } = self.spline.at(inside);
        if !self.closed && time > end {
            return Sample { position, ..Sample::default() };
        }
        Sample { position, velocity: slope, acceleration: bend }
    }

    fn duration(&self) -> Option<f64> {
        (!self.closed).then(|| self.spline.ends().1)
    }
}

/// Waypoints followed at a pace.
#[derive(Debug)]
struct Paced {
    spline: Spline,
    lengths: Lengths,
    pace: Pace,
    closed: bool,
}

impl Trajectory for Paced {
    fn at(&self, time: f64) -> Sample {
        let whole = self.lengths.whole();
        let motion = self.pace.at(time, whole, self.closed);
        let distance = motion.map_or(whole, |motion| motion.distance);
        let Jet { position, slope, bend } = self.spline.at(self.lengths.invert(&self.spline, distance));
        let size = slope.norm();
        let Some(Motion { speed, acceleration, .. }) = motion.filter(|_| size >= 1e-9) else {
            return Sample { position, ..Sample::default() };
        };
        let ahead = (1.0 / size) * slope;
        let curvature = slope.cross(bend) / (size * size * size);
        let across = (speed * speed * curvature) * ahead.perpendicular();
        Sample { position, velocity: speed * ahead, acceleration: across + acceleration * ahead }
    }

    fn duration(&self) -> Option<f64> {
        (!self.closed).then(|| self.pace.duration(self.lengths.whole()))
    }
}

/// Arc length along a spline.
#[derive(Debug)]
struct Lengths {
    /// Curve parameters, several per piece, and the arc length [m] up to each.
    marks: Vec<(f64, f64)>,
}

/// Number of intervals between marks per piece.
const PARTS: usize = 4;
/// Abscissas and weights on [-1, 1] of the five-point Gauss-Legendre quadrature.
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// ∫|r'| du from `from` to `to` within one piece [m].
fn length(spline: &Spline, from: f64, to: f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    GAUSS.iter().map(|(x, weight)| weight * half * spline.at(middle + half * x).slope.norm()).sum()
}

impl Lengths {
    fn of(spline: &Spline) -> Lengths {
        let mut marks = vec![(0.0, 0.0)];
        let mut sum = 0.0;
        for knots in spline.knots().windows(2) {
            let mut last = knots[0];
            for part in 1..=PARTS {
                let next = knots[0] + (knots[1] - knots[0]) * (part as f64 / PARTS as f64);
                sum += length(spline, last, next);
                marks.push((next, sum));
                last = next;
            }
        }
        Lengths { marks }
    }

    /// Arc lengths at the knots of the spline [m].
    fn of_knots(&self) -> Vec<f64> {
        self.marks.iter().step_by(PARTS).map(|mark| mark.1).collect()
    }

    /// Length of the whole curve [m].
    fn whole(&self) -> f64 {
        self.marks[self.marks.len() - 1].1
    }

    /// The curve parameter at the arc length `wanted` [m], by Newton's method between the marks around it.
    fn invert(&self, spline: &Spline, wanted: f64) -> f64 {
        let next = self.marks.partition_point(|mark| mark.1 <= wanted).clamp(1, self.marks.len() - 1);
        let ((low, before), (high, after)) = (self.marks[next - 1], self.marks[next]);
        let beyond_mark = wanted - before;
        let mut u = if after > before { low + (high - low) * (beyond_mark / (after - before)) } else { low };
        for _ in 0..8 {
            let slope = spline.at(u).slope.norm();
            let step = (length(spline, low, u) - beyond_mark) / slope.max(1e-9);
            u = (u - step).clamp(low, high);
            if step.abs() <= 1e-13 * high.abs() {
                break;
            }
        }
        u
    }
}
