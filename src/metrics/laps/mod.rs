//! Laps on a closed line: their times, sectors and speeds, and where the vehicle left the track.
//!
//! ```text
//!  track or racing line ─▶ LapLine ─┐
//!  widths ─▶ Track ─────────────────┴▶ Course ─▶ LapCounter, position by position ─▶ Laps
//! ```
//! Start and finish is the line across the path at its first point. A lap is valid if the vehicle was within the track all the time, where its widths are
//! known, and cut no part of the line.

mod counter;
mod course;
mod line;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;

pub use counter::LapCounter;
pub use course::{Course, LapParameters, Sectors};
pub use line::LapLine;
pub use table::html;
pub use table::{laps_csv, laps_text, off_track_csv};

use super::metrics::MetricsOptions;
use super::{Analyzed, Run};

/// A part of a lap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sector {
    /// Its time [s].
    pub duration: f64,
    /// Whether the vehicle was on the track all the time.
    pub is_valid: bool,
}

/// Driven speed less that of the line, over the positions of a lap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpeedDifference {
    /// Mean [m/s]; negative: slower than the line.
    pub mean: f64,
    /// Root mean square [m/s].
    pub rms: f64,
}

/// A complete lap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lap {
    /// Its number, from 1 on.
    pub number: usize,
    /// When it began [s], in the time of the run.
    pub start: f64,
    /// Its time [s].
    pub duration: f64,
    /// Its sectors.
    pub sectors: Vec<Sector>,
    /// Time off the track [s].
    pub off_track: f64,
    /// How often a part of the line was cut.
    pub cuts: usize,
    /// Whether the vehicle began on the line, so that the instant of its start lies at or before its first position.
    pub is_from_start: bool,
    /// Greatest speed [m/s].
    pub max_speed: f64,
    /// How much the speed differed from that of the line; none: the line has no speeds.
    pub speed_difference: Option<SpeedDifference>,
}

impl Lap {
    /// Whether it counts.
    pub fn is_valid(&self) -> bool {
        self.off_track <= 0.0 && self.cuts == 0
    }

    /// Why it does not count; empty if it does.
    pub fn reasons(&self) -> String {
        let off = (self.off_track > 0.0).then(|| format!("{:.3} s off the track", self.off_track));
        let cut = (self.cuts > 0).then(|| "a part of the line is cut".to_owned());
        off.into_iter().chain(cut).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Lap {
    /// One line for people: its time, that of its sectors, and why it is not valid.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lap {}: {:.3} s", self.number, self.duration)?;
        if self.sectors.len() > 1 {
            let sectors: Vec<String> = self.sectors.iter().map(|sector| format!("{:.3}", sector.duration)).collect();
            write!(f, " = {}", sectors.join(" + "))?;
        }
        if self.is_valid() { Ok(()) } else { write!(f, "  not valid: {}", self.reasons()) }
    }
}

/// A time off the track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Excursion {
    /// When it began and ended [s], in the time of the run.
    pub start: f64,
    /// Its end [s].
    pub end: f64,
    /// Where along the line it began [m].
    pub arc_length: f64,
    /// Where along the line the vehicle was furthest off [m].
    pub worst: f64,
    /// How far it was beyond the border there [m]: half of its width, or its reference point.
    pub excess: f64,
    /// Whether that was beyond the left border of the track, for who drives along the line.
    pub is_left: bool,
}

/// A part of the line that was not driven: the vehicle got along it by more than twice the way that it drove.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cut {
    /// When it began and ended [s], in the time of the run.
    pub start: f64,
    /// Its end [s].
    pub end: f64,
    /// Where along the line it began [m].
    pub from: f64,
    /// Where it ended [m].
    pub to: f64,
}

/// The laps of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laps {
    /// Length of the line [m].
    pub length: f64,
    /// Ways along the line at which sectors end [m]; the last is its length.
    pub ends: Vec<f64>,
    /// The complete laps.
    pub laps: Vec<Lap>,
    /// The times off the track, within laps and outside; none: its widths are not known.
    pub excursions: Option<Vec<Excursion>>,
    /// What was cut.
    pub cuts: Vec<Cut>,
    /// Way along the line from the first position to the last [m].
    pub progress: f64,
    /// Mean distance to the line [m].
    pub mean_distance: f64,
    /// Of each position: time [s], in the time of the run, way along the line [m], below its length, and speed [m/s].
    pub trace: Vec<(f64, f64, f64)>,
}

/// The time of the best valid lap [s].
fn best(laps: &[Lap]) -> Option<f64> {
    let valid = laps.iter().filter(|lap| lap.is_valid());
    valid.map(|lap| lap.duration).min_by(f64::total_cmp)
}

impl Laps {
    /// Speed over the way along the line of a lap [m, m/s].
    pub fn speeds(&self, lap: &Lap) -> impl Iterator<Item = (f64, f64)> {
        let (start, end) = (lap.start, lap.start + lap.duration);
        let of_lap = self.trace.iter().filter(move |(time, ..)| (start..=end).contains(time));
        of_lap.map(|(_, arc_length, speed)| (*arc_length, *speed))
    }

    /// Number of complete laps.
    pub fn count(&self) -> usize {
        self.laps.len()
    }

    /// Number of valid laps.
    pub fn valid(&self) -> usize {
        self.laps.iter().filter(|lap| lap.is_valid()).count()
    }

    /// Time of the best valid lap [s].
    pub fn best(&self) -> Option<f64> {
        best(&self.laps)
    }

    /// Mean time of the valid laps [s].
    pub fn mean(&self) -> Option<f64> {
        let sum = self.laps.iter().filter(|lap| lap.is_valid()).fold(0.0, |sum, lap| sum + lap.duration);
        (self.valid() > 0).then(|| sum / self.valid() as f64)
    }

    /// The best valid time of each sector [s]; none: it was never driven within the track.
    pub(crate) fn best_sectors(&self) -> Vec<Option<f64>> {
        let times = |index: usize| self.laps.iter().filter_map(move |lap| lap.sectors.get(index));
        let best = |index| times(index).filter(|s| s.is_valid).map(|s| s.duration).min_by(f64::total_cmp);
        (0..self.ends.len()).map(best).collect()
    }

    /// The sum of the best times of all sectors [s].
    pub(crate) fn theoretical_best(&self) -> Option<f64> {
        self.best_sectors().into_iter().sum()
    }

    /// Time off the track [s]; none: its widths are not known.
    pub fn off_track(&self) -> Option<f64> {
        let excursions = self.excursions.as_ref()?;
        Some(excursions.iter().fold(0.0, |sum, excursion| sum + excursion.end - excursion.start))
    }

    /// Greatest distance beyond a border [m], 0 if there was none; none: the widths are not known.
    pub(crate) fn off_track_max(&self) -> Option<f64> {
        let excursions = self.excursions.as_ref()?;
        Some(excursions.iter().fold(0.0, |most, excursion| excursion.excess.max(most)))
    }

    /// What is to be told of a run without a complete lap.
    fn note(&self) -> Option<Diagnostic> {
        if !self.laps.is_empty() {
            return None;
        }
        let Laps { length, progress, mean_distance, .. } = self;
        let found = format!(
            "no complete lap: the vehicle got {progress:.2} m along the line of {length:.2} m, {mean_distance:.2} m from it on average"
        );
        let note = Diagnostic::new("laps", found);
        Some(match *progress < -0.5 * length {
            true => note.hint("it drives against the direction of the line: turn the order of the file's rows around"),
            false if *mean_distance > 0.1 * length => note.hint("are both in the same frame?"),
            false => note,
        })
    }
}

/// The laps of a tidy run, of the time that the options select.
fn laps(run: &Run, course: &Arc<Course>, within: impl Fn(f64) -> bool) -> Laps {
    let mut counter = LapCounter::new(Arc::clone(course));
    let mut trace = Vec::with_capacity(run.poses.len());
    for pose in run.poses.iter().filter(|pose| within(pose.time)) {
        let speed = pose.velocity_in_body.linear().norm();
        counter.push(pose.time, pose.pose.position(), speed);
        trace.push((pose.time, counter.last_arc_length().rem_euclid(course.length()), speed));
    }
    Laps { trace, ..counter.into_laps() }
}

impl Analyzed {
    /// Times its laps on a course, which is in the frame of its poses. A vehicle ends its last lap after its reference, so that laps count up to the last
    /// pose unless the options say otherwise.
    pub fn time_laps(&mut self, course: &Arc<Course>, options: &MetricsOptions) {
        let window = self.metrics.window;
        let laps = laps(&self.run, course, |time| {
            let is_early = options.from.is_some() && time < window.start;
            let is_late = options.to.is_some() && time > window.end;
            !is_early && !is_late
        });
        self.run.notes.extend(laps.note());
        self.metrics.laps = Some(laps);
        self.course = Some(Arc::clone(course));
    }
}
