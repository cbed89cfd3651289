//! Reports of runs: JUnit XML for continuous integration, JSON and CSV for scripts, all from the same record. The page for people is in
//! `skidpad-analysis`.

mod csv;
mod json;
mod junit;
#[cfg(test)]
pub(crate) mod samples;
/// What the samples are made of; the tests of the page take the same file.
#[cfg(test)]
mod types {
    pub(super) use crate::measures::{DrivenPath, Moment, Sample, Trace};
    pub(super) use crate::result::{Case, CaseResult, Criterion, Measure, Missed, Verdict};
}

pub use csv::csv;
pub use json::{json, run_json};
pub use junit::junit;

use skidpad_files::legible;
use skidpad_record::quoted;

use crate::result::{CaseResult, Criterion, Missed, Verdict};

/// Most lines of notes of a run in a report.
const MAX_NOTES: usize = 200;
/// Most characters of a line in a report.
const MAX_CHARACTERS: usize = 2000;

/// How many runs came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those in which all held.
    pub passed: usize,
    /// Those in which a criterion did not.
    pub failed: usize,
    /// Those that could not be made or finished.
    pub broken: usize,
}

impl Counts {
    /// The counts of these runs.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> Counts {
        let mut counts = Counts::default();
        for result in results {
            match result.verdict {
                Verdict::Passed => counts.passed += 1,
                Verdict::Failed => counts.failed += 1,
                Verdict::Broken(_) => counts.broken += 1,
            }
        }
        counts
    }

    /// All runs.
    pub fn all(self) -> usize {
        self.passed + self.failed + self.broken
    }
}

impl std::fmt::Display for Counts {
    /// Such as `12 runs: 10 passed, 1 failed, 1 broken`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let runs = if self.all() == 1 { "run" } else { "runs" };
        write!(f, "{} {runs}: {} passed", self.all(), self.passed)?;
        for (count, word) in [(self.failed, "failed"), (self.broken, "broken")] {
            if count > 0 {
                write!(f, ", {count} {word}")?;
            }
        }
        Ok(())
    }
}

impl Verdict {
    /// The word for it in all reports.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::Broken(_) => "broken",
        }
    }
}

impl Criterion {
    /// In a line, such as `clearance of r1: 0.043 m, to block "door" at 3.2 s; expected at least 0.1 m`.
    pub fn line(&self) -> String {
        let of = self.vehicle.as_ref().map_or_else(String::new, |vehicle| format!(" of {vehicle}"));
        let at = self.time.map_or_else(String::new, |time| format!(" at {} s", seconds(time)));
        format!("{}{of}: {}{at}; expected {}", self.name, self.actual, self.expected)
    }
}

impl Missed {
    /// In a line, such as `never happened: command r1 (door.yaml:9:3)`.
    fn line(&self) -> String {
        bounded(&format!("never happened: {} ({})", self.event, self.place))
    }
}

impl CaseResult {
    /// The events that never happened, a line for each; those that had to are among the [reasons](CaseResult::reasons) of a failure as well.
    pub fn never_happened(&self) -> Vec<String> {
        self.missed.iter().map(Missed::line).collect()
    }

    /// The criteria that did not hold.
    pub fn unmet(&self) -> impl Iterator<Item = &Criterion> {
        self.criteria.iter().filter(|criterion| !criterion.held)
    }

    /// Why it did not pass, a line for each reason; empty if it did.
    pub fn reasons(&self) -> Vec<String> {
        match &self.verdict {
            Verdict::Passed => Vec::new(),
            Verdict::Failed => self.unmet().map(Criterion::line).collect(),
            Verdict::Broken(diagnostics) => diagnostics.0.iter().map(ToString::to_string).collect(),
        }
    }

    /// All that is told of a run that did not pass, in lines: the reasons, why it ended, the command that makes it again and the one that shows its
    /// recording.
    pub fn explained(&self) -> Vec<String> {
        let again = self.again().map(|command| format!("again: {command}"));
        let replay = self.replay().map(|command| format!("recording: {command}"));
        let end = format!("ended after {} s: {}", seconds(self.simulated), self.end);
        let reasons = self.reasons();
        reasons.iter().map(|reason| bounded(reason)).chain([end]).chain(again).chain(replay).collect()
    }

    /// The command that makes it alone again; none if there is none.
    pub fn again(&self) -> Option<String> {
        let words = || self.command.iter().map(|word| quoted(word)).collect::<Vec<_>>();
        (!self.command.is_empty()).then(|| format!("skidpad {}", words().join(" ")))
    }

    /// The command that shows its recording.
    pub fn replay(&self) -> Option<String> {
        self.recording.as_ref().map(|path| format!("skidpad replay {}", quoted(&path.display().to_string())))
    }
}

/// A time for people [s]: to the millisecond, without zeros behind.
pub fn seconds(time: f64) -> String {
    let text = format!("{time:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The notes of a run as lines of bounded length and number; the last one says how many are left out in the middle.
pub fn notes(result: &CaseResult) -> Vec<String> {
    let lines: Vec<&str> = result.notes.iter().flat_map(|note| note.lines()).collect();
    let short = |line: &&str| bounded(line);
    if lines.len() <= MAX_NOTES {
        return lines.iter().map(short).collect();
    }
    // What happened last tells most.
    let (first, last) = (&lines[..MAX_NOTES / 4], &lines[lines.len() - 3 * MAX_NOTES / 4..]);
    let left_out = format!("… {} lines are left out …", lines.len() - first.len() - last.len());
    first.iter().map(short).chain([left_out]).chain(last.iter().map(short)).collect()
}

/// A text of about [`MAX_CHARACTERS`] at most.
fn bounded(text: &str) -> String {
    legible::bounded(text, MAX_CHARACTERS).into_owned()
}

/// The vehicles that have measures, in the order of their first one; none stands for the run.
fn measured<'a>(results: impl IntoIterator<Item = &'a CaseResult>) -> Vec<Option<&'a str>> {
    let mut vehicles = Vec::new();
    for measure in results.into_iter().flat_map(|result| &result.measures) {
        if !vehicles.contains(&measure.vehicle.as_deref()) {
            vehicles.push(measure.vehicle.as_deref());
        }
    }
    vehicles
}

#[cfg(test)]
mod tests {
    use super::samples::results;
    use super::*;

    #[test]
    fn counts_and_reasons_are_in_words() {
        let results = results();
        assert_eq!(Counts::of(&results).to_string(), "3 runs: 1 passed, 1 failed, 1 broken");
        assert_eq!(Counts::of(&results[..1]).to_string(), "1 run: 1 passed");
        assert_eq!(results[0].reasons(), Vec::<String>::new());
        assert_eq!(
            results[1].reasons(),
            [
                "clearance of r1: 0.043 m, to block \"door <2>\" at 3.2 s; expected at least 0.1 m",
                "goal of r1: 1.2 m away; expected within 0.25 m in 30 s"
            ]
        );
        assert_eq!(results[1].never_happened(), ["never happened: remove <box> (door.yaml:9:3)"]);
        assert_eq!(results[2].reasons(), ["nav2: ended with status 1\n  hint: its log is nav2.log"]);
    }

    #[test]
    fn commands_are_quoted() {
        let results = results();
        assert_eq!(results[1].again().unwrap(), "skidpad test door.yaml --only 'doorway[seed=3,wall=a b]'");
        assert_eq!(results[1].replay().unwrap(), "skidpad replay out/2.mcap");
    }

    #[test]
    fn long_notes_keep_their_ends() {
        let mut result = results().remove(0);
        result.notes = (1..=1000).map(|line| format!("line {line}")).chain(["x".repeat(9000)]).collect();
        let notes = notes(&result);
        assert_eq!((notes.len(), notes[0].as_str(), notes[50].as_str()), (201, "line 1", "… 801 lines are left out …"));
        assert_eq!(notes[199], "line 1000");
        assert!(notes[200].ends_with('x') && notes[200].contains(" … 7000 characters are left out … "));
    }
}
