//! The window of a run: the time over which its metrics, findings and errors count.
//!
//! It begins when both poses and reference are there and ends with the reference: where that comes to rest for good, or with its
//! last message. What a vehicle does earlier or later, such as braking and standing, follows nothing, and would make every mean depend
//! on how long it stood there. A reference that jumps between places where it rests is a series of goals and not a path; it counts to the
//! end of the run.

use serde::Serialize;

use super::metrics::MetricsOptions;
use super::run::{PositionSample, Run};

/// Positions that are no further apart than this [m] are one place, up to rounding.
const ONE_PLACE: f64 = 1e-6;
/// Fewest moves of a path.
const MIN_MOVES: usize = 3;

/// The time over which metrics count; times are those of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Window {
    /// Its first time [s].
    pub start: f64,
    /// Its last time [s].
    pub end: f64,
    /// Why it ends there.
    pub ended_by: WindowEnd,
    /// First time of the reference, or without one of the poses that count [s].
    pub origin: f64,
    /// First and last time of the poses [s].
    pub of_run: (f64, f64),
    /// Whether it leaves out what is before the reference.
    pub begins_late: bool,
}

/// Why a window ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowEnd {
    /// The run does.
    #[default]
    Run,
    /// The reference comes to rest for good.
    ReferenceRests,
    /// The reference has no later message.
    ReferenceStops,
    /// The user wants it so.
    Option,
}

impl Window {
    /// The window of a tidy run in which the poses from `first` to `last` [s] have a reference, or are all that there are.
    pub(super) fn of(run: &Run, (first, last): (f64, f64), options: &MetricsOptions) -> Window {
        let start = first + options.from.unwrap_or(0.0);
        let origin = run.reference.first().map_or(first, |sample| sample.time);
        let of_run =
            (run.poses.first().map_or(first, |pose| pose.time), run.poses.last().map_or(last, |pose| pose.time));
        // Where poses and references are merely not sent at the same instants nothing is left out that is worth telling.
        let slack = options.join_tolerance;
        let begins_late = options.from.is_none() && !run.reference.is_empty() && of_run.0 + slack < origin;
        let window = |end: f64, ended_by: WindowEnd| Window { start, end, ended_by, origin, of_run, begins_late };
        if let Some(to) = options.to {
            let end = first + to;
            return if end < last { window(end, WindowEnd::Option) } else { window(last, WindowEnd::Run) };
        }
        let Some((end, ended_by)) = end_of(&run.reference) else { return window(last, WindowEnd::Run) };
        let slack = if ended_by == WindowEnd::ReferenceStops { slack } else { 0.0 };
        window(end.min(last), if end + slack < of_run.1 { ended_by } else { WindowEnd::Run })
    }

    /// Whether a time [s] is in it.
    pub fn contains(&self, time: f64) -> bool {
        time >= self.start && time <= self.end
    }

    /// Says where it begins and ends, and why, in times since the reference began; none if it does so with the run, or as the user wants.
    pub fn explanation(&self) -> Option<String> {
        let since = |time: f64| time - self.origin;
        let begin = self.begins_late.then(|| {
            format!(
                "metrics begin with the first message of the reference, {:.3} s after the run",
                -since(self.of_run.0)
            )
        });
        let why = match self.ended_by {
            WindowEnd::ReferenceRests => Some("where the reference comes to rest"),
            WindowEnd::ReferenceStops => Some("with the last message of the reference"),
            WindowEnd::Run | WindowEnd::Option => None,
        };
        let end = why.map(|why| {
            let [end, run_end] = [self.end, self.of_run.1].map(since);
            format!("metrics end at {end:.3} s, {why}; the run goes on to {run_end:.3} s")
        });
        begin.into_iter().chain(end).reduce(|begin, end| format!("{begin}; {end}"))
    }
}

/// The time [s] at which a tidy reference ends, and how; none for none.
fn end_of(reference: &[PositionSample]) -> Option<(f64, WindowEnd)> {
    let last = reference.last()?;
    let is_there = |sample: &PositionSample| (sample.position - last.position).norm() <= ONE_PLACE;
    let resting = reference.iter().rev().take_while(|sample| is_there(sample)).count();
    let arrival = reference.len() - resting;
    if resting > 1 && is_path(&reference[..=arrival]) {
        return Some((reference[arrival].time, WindowEnd::ReferenceRests));
    }
    Some((last.time, WindowEnd::ReferenceStops))
}

/// Whether the reference moves most of the time, once it has begun to.
fn is_path(reference: &[PositionSample]) -> bool {
    let moves = |pair: &[PositionSample]| (pair[1].position - pair[0].position).norm() > ONE_PLACE;
    let steps = || reference.windows(2).skip_while(|pair| !moves(pair));
    let moving_steps = steps().filter(|pair| moves(pair)).count();
    moving_steps >= MIN_MOVES && 2 * moving_steps >= steps().count()
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;

    /// A reference at 100 Hz for `duration` [s], as a function of time.
    fn reference(duration: f64, x: impl Fn(f64) -> f64) -> Vec<PositionSample> {
        let times = (0..=(100.0 * duration).round() as usize).map(|i| 0.01 * i as f64);
        times.map(|time| PositionSample { time, position: Vec2::new(x(time), 0.0) }).collect()
    }

    #[test]
    fn a_path_ends_where_it_comes_to_rest_however_long_it_rests() {
        let path = |duration: f64| end_of(&reference(duration, |t| 1.5 * (t - 0.2).clamp(0.0, 1.6)));
        for duration in [1.82, 3.0, 60.0] {
            let (end, why) = path(duration).unwrap();
            assert!((end - 1.8).abs() < 1e-9 && why == WindowEnd::ReferenceRests, "{duration}: {end}");
        }
        // Cut off on its way, it has ended with its last message.
        let (end, why) = path(1.5).unwrap();
        assert!((end - 1.5).abs() < 1e-9 && why == WindowEnd::ReferenceStops, "{end}");
        assert_eq!(end_of(&[]), None);
    }

    #[test]
    fn goals_are_no_path() {
        let step = |t: f64| if t < 1.0 { 0.0 } else { 1.0 };
        for goals in [reference(5.0, step), reference(5.0, |t| t.floor().min(3.0)), reference(5.0, |_| 2.0)] {
            assert_eq!(end_of(&goals).unwrap().1, WindowEnd::ReferenceStops);
        }
    }
}
