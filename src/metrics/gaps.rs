//! Gaps in the data of a run: intervals without messages in a stream that is otherwise regular.
//!
//! A metric over a gap is computed from what is around it: an error against a reference that is too old or too new, a length that cuts a
//! corner. So every gap in the analyzed time is reported, with its place.

use skidpad_files::diagnostic::Diagnostic;

use super::run::Run;
use super::window::Window;

/// Intervals below which nothing is known of a stream.
const MIN_INTERVALS: usize = 10;
/// A gap is longer than this many median intervals if the others are all alike: one message is missing.
const MIN_GAP: f64 = 1.8;
/// A gap is longer than this many median intervals in any stream.
const MAX_GAP: f64 = 10.0;
/// Commands hold until the next, and are regular only if gaps of less than so many median intervals show.
const REGULAR: f64 = 3.0;
/// How much faster than the spread of the intervals the length of a gap grows [-].
const MARGIN: f64 = 10.0;
/// Gaps whose places are listed, the longest.
const LISTED: usize = 5;

/// The gaps of poses, reference and commands in the window of the metrics, a note for each stream that has some, in times since `origin` [s].
/// The run is tidy.
pub(super) fn gaps(run: &Run, window: &Window, origin: f64) -> Vec<Diagnostic> {
    let within = |times: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
        times.filter(|time| window.contains(*time)).map(|time| time - origin).collect()
    };
    let poses = within(&mut run.poses.iter().map(|sample| sample.time));
    let reference = within(&mut run.reference.iter().map(|sample| sample.time));
    let commands = within(&mut run.commands.iter().map(|sample| sample.time));
    let hint = "errors near a gap are not the vehicle's: exclude gaps with --from and --to, or record again";
    let topics = &run.topics;
    let notes = [
        note(&topics.poses, "odometry", &poses, MAX_GAP),
        note(&topics.reference, "reference", &reference, MAX_GAP).map(|note| note.hint(hint)),
        note(&topics.commands, "commands", &commands, REGULAR),
    ];
    notes.into_iter().flatten().collect()
}

/// The note about the gaps of a stream with messages at these times [s], in order; none if there are none, or if gaps would have to be longer
/// than `most` median intervals to differ from the others.
fn note(topic: &str, stream: &str, times: &[f64], most: f64) -> Option<Diagnostic> {
    let intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut sorted = intervals.clone();
    sorted.sort_by(f64::total_cmp);
    let median = *sorted.get(sorted.len() / 2).filter(|median| sorted.len() >= MIN_INTERVALS && **median > 0.0)?;
    // Where messages fall on the steps of a coarser clock, up to one interval in five may be twice as long.
    let usual = sorted[sorted.len() * 4 / 5];
    let longest = (1.0 + MARGIN * (usual / median - 1.0)).clamp(MIN_GAP, MAX_GAP);
    if longest > most {
        return None;
    }
    let mut long_intervals: Vec<(f64, f64)> =
        times.iter().copied().zip(intervals).filter(|(_, interval)| *interval > longest * median).collect();
    if long_intervals.is_empty() {
        return None;
    }
    let (count, sum) = (long_intervals.len(), long_intervals.iter().fold(0.0, |sum, (_, interval)| sum + interval));
    long_intervals.sort_by(|a, b| b.1.total_cmp(&a.1));
    long_intervals.truncate(LISTED);
    long_intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places: Vec<String> =
        long_intervals.iter().map(|(time, interval)| format!("{time:.3} to {:.3} s", time + interval)).collect();
    let (gaps, beginning) = match count {
        1 => ("gap", "it is from"),
        _ if count > LISTED => ("gaps", "the longest are from"),
        _ => ("gaps", "they are from"),
    };
    let text = format!(
        "{count} {gaps} of {sum:.3} s in all where messages come every {median:.3} s; {beginning} {}",
        places.join(", ")
    );
    Some(Diagnostic::new(if topic.is_empty() { stream } else { topic }, text))
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;
    use crate::metrics::{MetricsOptions, metrics};
    use crate::{CommandSample, PoseSample, PositionSample, RunTopics};

    /// Messages at 50 Hz from 100 s on, without those from one number to before another.
    fn times(missing: &[[u32; 2]]) -> Vec<f64> {
        let is_missing = |k: &u32| missing.iter().any(|[from, to]| (from..to).contains(&k));
        (0..500).filter(|k| !is_missing(k)).map(|k| 100.0 + f64::from(k) * 0.02).collect()
    }

    fn run(poses: &[f64], reference: &[f64], commands: &[f64]) -> Run {
        let position = Vec2::ZERO;
        Run {
            topics: RunTopics { reference: "/reference_trajectory".into(), ..RunTopics::default() },
            poses: poses.iter().map(|time| PoseSample { time: *time, ..PoseSample::default() }).collect(),
            reference: reference.iter().map(|time| PositionSample { time: *time, position }).collect(),
            commands: commands.iter().map(|time| CommandSample { time: *time, ..CommandSample::default() }).collect(),
            ..Run::default()
        }
    }

    fn reported(run: &Run, options: &MetricsOptions) -> Vec<String> {
        let window = metrics(run, options).unwrap().window;
        gaps(run, &window, window.start - options.from.unwrap_or(0.0)).iter().map(Diagnostic::first_line).collect()
    }

    #[test]
    fn every_gap_of_a_regular_stream_is_found_with_its_place() {
        let whole = times(&[]);
        let default = MetricsOptions::default();
        assert!(reported(&run(&whole, &whole, &whole), &default).is_empty());
        let single_gap = "/reference_trajectory: 1 gap of 0.040 s in all where messages come every 0.020 s; it is from 1.980 to 2.020 s";
        assert_eq!(reported(&run(&whole, &times(&[[100, 101]]), &whole), &default), [single_gap], "a single message");
        let two = "/reference_trajectory: 2 gaps of 6.560 s in all where messages come every 0.020 s; they are from 1.980 to 2.020 s, \
                   2.980 to 9.500 s";
        let lossy = run(&whole, &times(&[[100, 101], [150, 475]]), &whole);
        assert_eq!(reported(&lossy, &default), [two]);
        assert_eq!(
            reported(&lossy, &MetricsOptions { to: Some(2.5), ..default }),
            [single_gap],
            "in the analyzed time only"
        );
        assert!(reported(&lossy, &MetricsOptions { from: Some(9.6), ..default }).is_empty());
        let every_tenth: Vec<_> = (0..50).map(|k| [10 * k + 5, 10 * k + 6]).collect();
        let many = reported(&run(&whole, &whole, &times(&every_tenth)), &default);
        let expected = "commands: 50 gaps of 2.000 s in all where messages come every 0.020 s; the longest are from 0.080 to 0.120 s, ";
        assert!(many[0].starts_with(expected), "{many:?}");
        assert!(
            reported(&run(&times(&[[200, 210]]), &whole, &whole), &default)[0]
                .starts_with("odometry: 1 gap of 0.220 s")
        );
    }

    #[test]
    fn irregular_messages_are_no_gaps() {
        let default = MetricsOptions::default();
        let whole = times(&[]);
        let jitter: Vec<f64> =
            whole.iter().enumerate().map(|(k, time)| time + 0.008 * libm::sin(k as f64 * 1.3)).collect();
        assert!(reported(&run(&whole, &jitter, &jitter), &default).is_empty());
        // 20 ms on a clock of 16 ms, and a driver's commands.
        let coarse: Vec<f64> = whole.iter().map(|time| (time / 0.016).ceil() * 0.016).collect();
        let by_hand: Vec<f64> = (0..30).map(|k| 100.0 + 0.01 * f64::from(k * k)).collect();
        assert!(reported(&run(&coarse, &coarse, &by_hand), &default).is_empty());
        assert!(reported(&run(&whole, &[100.0, 101.0, 109.0], &[]), &default).is_empty(), "too few to judge");
    }
}
