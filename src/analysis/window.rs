//! The window of a run: the time over which its metrics, findings and errors count.
//!
//! It begins with the first pose that has a reference and ends with the reference: where that comes to rest for good, or with its
//! last message. What a vehicle does later, such as braking and standing, follows nothing, and would make every mean depend on how
//! long it stood there. A reference that jumps between places where it rests is a series of goals and not a path; it counts to the
//! end of the run.

use serde::Serialize;

use super::metrics::MetricsOptions;
use super::run::{PositionSample, Run};

/// Positions that are no further apart than this [m] are one place, up to rounding.
const ONE_PLACE: f64 = 1e-6;
/// Fewest moves of a path.
const FEWEST_MOVES: usize = 3;

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
    /// Last time of the poses [s].
    pub run_end: f64,
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
        let run_end = run.poses.last().map_or(last, |pose| pose.time);
        let window = |end: f64, ended_by: WindowEnd| Window { start, end, ended_by, origin, run_end };
        if let Some(to) = options.to {
            let end = first + to;
            return if end < last { window(end, WindowEnd::Option) } else { window(last, WindowEnd::Run) };
        }
        let Some((end, ended_by)) = end_of(&run.reference) else { return window(last, WindowEnd::Run) };
        // Where poses and references are merely not sent at the same instants nothing is left out.
        let slack = if ended_by == WindowEnd::ReferenceStops { options.join_tolerance } else { 0.0 };
        window(end.min(last), if end + slack < run_end { ended_by } else { WindowEnd::Run })
    }

    /// Whether a time [s] is in it.
    pub(super) fn contains(&self, time: f64) -> bool {
        time >= self.start && time <= self.end
    }

    /// Says where it ends and why, in times since the reference began; none if it ends with the run, or as the user wants.
    pub fn explanation(&self) -> Option<String> {
        let why = match self.ended_by {
            WindowEnd::ReferenceRests => "where the reference comes to rest",
            WindowEnd::ReferenceStops => "with the last message of the reference",
            WindowEnd::Run | WindowEnd::Option => return None,
        };
        let [end, run_end] = [self.end, self.run_end].map(|time| time - self.origin);
        Some(format!("metrics end at {end:.3} s, {why}; the run goes on to {run_end:.3} s"))
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
    // Its last sample is good for as long as others are.
    let mut intervals: Vec<f64> = reference.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    intervals.sort_by(f64::total_cmp);
    let interval = intervals.get(intervals.len() / 2).copied().unwrap_or(0.0);
    Some((last.time + interval, WindowEnd::ReferenceStops))
}

/// Whether the reference moves most of the time, once it has begun to.
fn is_path(reference: &[PositionSample]) -> bool {
    let moves = |pair: &[PositionSample]| (pair[1].position - pair[0].position).norm() > ONE_PLACE;
    let steps = || reference.windows(2).skip_while(|pair| !moves(pair));
    let moved = steps().filter(|pair| moves(pair)).count();
    moved >= FEWEST_MOVES && 2 * moved >= steps().count()
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
        // Cut off on its way, it has ended a moment after its last message.
        let (end, why) = path(1.5).unwrap();
        assert!((end - 1.51).abs() < 1e-9 && why == WindowEnd::ReferenceStops, "{end}");
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
