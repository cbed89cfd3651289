//! What laps are driven on: a closed line, perhaps the borders of a track around it, and where sectors end.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::Vec2;
use skidpad_sim::trajectory::{Across, Track, TrajectoryParameters, check};
use skidpad_sim::waypoint_file;

use super::line::LapLine;

/// Most sectors of a lap.
const MAX_SECTORS: usize = 100;
/// Share of the line's length from which on a vehicle is lost beside a line without borders [-].
const FAR: f64 = 0.05;

/// The sectors of a lap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Sectors {
    /// So many of the same length, ≥ 1.
    Equal(u16),
    /// Ways along the line [m] at which a sector ends and the next one begins, rising.
    Ends(Vec<f64>),
}

impl Default for Sectors {
    fn default() -> Sectors {
        Sectors::Equal(3)
    }
}

/// How laps are timed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LapParameters {
    /// The sectors of a lap.
    pub sectors: Sectors,
    /// Width of the track around a line without widths, half of it to each side [m]. 0: not known.
    pub track_width: f64,
    /// Width of the vehicle [m], ≥ 0: it is off the track when half of it reaches over a border. 0: when its reference point does.
    pub vehicle_width: f64,
}

impl LapParameters {
    /// Checks them, without the line.
    ///
    /// # Errors
    /// A value out of its range.
    pub fn check(&self) -> Result<(), Diagnostic> {
        for (name, width) in [("track_width", self.track_width), ("vehicle_width", self.vehicle_width)] {
            check::require(name, width, (0.0..=1e3).contains(&width), "a number from 0 to 1000 [m]")?;
        }
        let wrong = |found: String, accepted: &str| Err(Diagnostic::new("sectors", found).accepted(accepted));
        match &self.sectors {
            Sectors::Equal(count) if !(1..=MAX_SECTORS).contains(&usize::from(*count)) => {
                wrong(format!("found {count}"), "1 to 100 sectors")
            }
            Sectors::Ends(ends) if ends.len() >= MAX_SECTORS => wrong(format!("{} ends", ends.len()), "at most 99"),
            Sectors::Ends(ends) => {
                let starts = [0.0].into_iter().chain(ends.iter().copied());
                match starts
                    .zip(ends)
                    .find(|(before, end)| end.partial_cmp(&before) != Some(std::cmp::Ordering::Greater))
                {
                    Some((before, end)) => {
                        wrong(format!("{end} does not come after {before}"), "increasing distances along the line [m]")
                    }
                    None => Ok(()),
                }
            }
            Sectors::Equal(_) => Ok(()),
        }
    }
}

/// A line to drive laps on.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The line.
    pub(super) line: LapLine,
    /// The track around it; none: no widths are known.
    pub(super) track: Option<Track>,
    /// Half the width of the vehicle [m].
    pub(super) half_width: f64,
    /// Ways along the line at which sectors end [m]; the last is its length.
    pub(super) ends: Vec<f64>,
    /// From this distance to the line on [m] a vehicle may have got to another part of it.
    pub(super) lost: f64,
}

impl Course {
    /// The course along a line and within a track, which are in one frame.
    ///
    /// # Errors
    /// Wrong parameters, or a sector that ends beyond the line.
    pub fn new(line: LapLine, track: Option<Track>, parameters: &LapParameters) -> Result<Arc<Course>, Diagnostic> {
        parameters.check()?;
        let length = line.length();
        let ends = match &parameters.sectors {
            Sectors::Equal(count) => (1..=*count).map(|end| length * f64::from(end) / f64::from(*count)).collect(),
            Sectors::Ends(ends) => {
                if let Some(beyond) = ends.iter().find(|end| **end >= length) {
                    let message = Diagnostic::new("sectors", format!("a sector ends at {beyond} m"));
                    return Err(message.accepted(format!("distances below the length of the line, {length:.3} m")));
                }
                ends.iter().copied().chain([length]).collect()
            }
        };
        let lost = track.as_ref().map_or(FAR * length, Track::greatest_width);
        Ok(Arc::new(Course { line, track, half_width: 0.5 * parameters.vehicle_width, ends, lost }))
    }

    /// The course of closed waypoints, in the frame of the trajectory; none of other trajectories, which have no laps.
    ///
    /// # Errors
    /// As [`new`](Course::new).
    pub fn of(trajectory: &TrajectoryParameters, laps: &LapParameters) -> Result<Option<Arc<Course>>, Diagnostic> {
        if trajectory.trajectory_type != "waypoints" || !trajectory.closed {
            return Ok(None);
        }
        let place = trajectory.place();
        let mut points = trajectory.points.clone();
        points.iter_mut().for_each(|point| point.position = place.transform_point(point.position));
        let line = LapLine::of(&points, true)?;
        let around = || {
            let half = 0.5 * laps.track_width;
            let mut wide = trajectory.clone();
            wide.points.iter_mut().for_each(|point| point.free = Some([half, half]));
            (half > 0.0).then(|| Track::of(&wide)).flatten()
        };
        Course::new(line, Track::of(trajectory).or_else(around), laps).map(Some)
    }

    /// The course of files with a closed line and with the widths of a track, one of which may have both; and warnings about them.
    ///
    /// # Errors
    /// A file is missing or wrong, or its line is open; as [`new`](Course::new).
    pub fn read(
        line: Option<&Path>,
        track: Option<&Path>,
        laps: &LapParameters,
    ) -> Result<(Arc<Course>, Vec<Diagnostic>), Diagnostics> {
        let name = |path: Option<&Path>| path.map(|path| path.display().to_string()).unwrap_or_default();
        let file = line.or(track);
        let mut trajectory = TrajectoryParameters {
            trajectory_type: "waypoints".into(),
            file: name(file),
            track_file: name(track.filter(|_| line.is_some())),
            closed: true,
            ..TrajectoryParameters::default()
        };
        waypoint_file::load(&mut trajectory, Path::new(""))?;
        let placed = |problem: Diagnostic| Diagnostics::from(problem.at(name(file)));
        LapLine::of(&trajectory.points, false).map_err(placed)?;
        match Course::of(&trajectory, laps)? {
            Some(course) => Ok((course, trajectory.notes)),
            None => Err(placed(Diagnostic::of("no line"))),
        }
    }

    /// Length of its line [m].
    pub fn length(&self) -> f64 {
        self.line.length()
    }

    /// How far a position at `arc_length` [m] along the line is beyond the nearer border of the track [m]; negative: within the track. Also
    /// whether that border is to the left of who drives along the line. None: no widths are known.
    pub(super) fn beyond(&self, arc_length: f64, position: Vec2) -> Option<(f64, bool)> {
        let Across { margins: [right, left], direction } = self.track.as_ref()?.across(position);
        // The file of a track may go round the other way.
        let is_against = direction.dot(self.line.direction(arc_length)) < 0.0;
        Some((self.half_width - left.min(right), (left < right) != is_against))
    }

    /// The right and the left border of its track [m], for drawing; none: no widths are known.
    pub fn borders(&self) -> Option<[Vec<Vec2>; 2]> {
        self.track.as_ref().map(Track::borders)
    }

    /// Its speeds over the way along its line [m, m/s]; empty: it has none.
    pub fn speeds(&self) -> Vec<(f64, f64)> {
        self.line.profile()
    }
}
