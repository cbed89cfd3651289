//! Reference paths over time: position, velocity and acceleration of the point to be tracked.
//!
//! A trajectory is a file with its equations, and a line in [`TRAJECTORIES`]. The five shapes and the names of their parameters
//! are those of "the study" (§5.3; see [`skidpad_tracking`](crate)).

pub mod check;
mod circle;
mod course;
mod cycloid;
mod feasibility;
mod figure_eight;
mod line;
mod pace;
mod parabola;
mod placed;
mod reference_speed;
mod spline;
#[cfg(test)]
mod tests;
mod track;
mod waypoints;

use std::fmt::Debug;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Pose2, Vec2};

pub use course::course;
pub use feasibility::{Infeasible, Quantity, VehicleLimits, feasibility};
pub use reference_speed::{mean_speed, time_scale_for};
pub use track::{Across, Track};
pub use waypoints::check_waypoint;

/// A point of a trajectory, in the frame that the trajectory is given in (the world's, or the odometry's).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Position [m].
    pub position: Vec2,
    /// Velocity [m/s].
    pub velocity: Vec2,
    /// Acceleration [m/s²].
    pub acceleration: Vec2,
}

/// Below this speed [m/s] a path has no direction.
const STANDSTILL: f64 = 1e-9;

impl Sample {
    /// Speed along the path [m/s], ≥ 0.
    pub fn speed(&self) -> f64 {
        self.velocity.norm()
    }

    /// Heading of the path [rad] in (-π, π]; 0 where it stands still.
    pub fn heading(&self) -> f64 {
        libm::atan2(self.velocity.y, self.velocity.x)
    }

    /// Signed curvature of the path [1/m], positive to the left: (ẋ·ÿ − ẏ·ẍ)/|v|³. 0 where it stands still.
    pub fn curvature(&self) -> f64 {
        let speed = self.speed();
        if speed > STANDSTILL { self.turn_rate() / speed } else { 0.0 }
    }

    /// Rate of change of the path's heading [rad/s], positive to the left: (ẋ·ÿ − ẏ·ẍ)/|v|². 0 where it stands still.
    pub fn turn_rate(&self) -> f64 {
        let speed = self.speed();
        if speed > STANDSTILL { self.velocity.cross(self.acceleration) / (speed * speed) } else { 0.0 }
    }
}

/// The reference position of a point as a function of time.
pub trait Trajectory: Debug + Send + Sync {
    /// The reference `time` [s] after the start of the motion.
    fn at(&self, time: f64) -> Sample;

    /// Duration of the motion [s]; none if it is endless. Afterwards the reference rests at its end.
    fn duration(&self) -> Option<f64> {
        None
    }

    /// Whether the motion is over `time` [s] after its start, so that the reference rests at its end.
    fn is_over(&self, time: f64) -> bool {
        self.duration().is_some_and(|end| time > end)
    }
}

/// A point to pass through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waypoint {
    /// Time [s]; none on a path without times.
    pub time: Option<f64>,
    /// Position [m].
    pub position: Vec2,
    /// Speed along the path there [m/s], ≥ 0; none: that of the parameters, at all points.
    pub speed: Option<f64>,
    /// Free width of the track to the right and to the left of it [m], ≥ 0; none: no track is known.
    pub free: Option<[f64; 2]>,
}

impl Waypoint {
    /// A point [m] of which nothing else is known.
    pub fn at(x: f64, y: f64) -> Waypoint {
        Waypoint { position: Vec2::new(x, y), ..Waypoint::default() }
    }
}

/// The parameters of all trajectories, under the names of the study (§5.3.2) where it has them.
///
/// `phase`, `time_scale`, `x0`, `y0` and `yaw0` apply to every kind: the motion begins at the point that the shape reaches `phase`
/// seconds after its own start, goes on `time_scale` times as fast, and the shape's frame is at (`x0`, `y0`), rotated by `yaw0`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrajectoryParameters {
    /// A name of [`TRAJECTORIES`], or its number in the study.
    #[serde(deserialize_with = "check::name_or_number")]
    pub trajectory_type: String,
    /// Line: velocity along x [m/s].
    pub a_coeff: f64,
    /// Line: velocity along y [m/s].
    pub b_coeff: f64,
    /// Parabola: focal length a [m]; the speed t after the vertex is 2·a·√(1 + t²), the radius 2·a·(1 + t²)^1.5. With the default, cars
    /// can follow the parabola from a `phase` of two seconds after the vertex on.
    pub focal_length: f64,
    /// Circle: radius [m], > 0.
    #[serde(rename = "R")]
    pub circle_radius: f64,
    /// Circle: angular velocity [rad/s], > 0.
    #[serde(rename = "W")]
    pub circle_rate: f64,
    /// Figure of eight: amplitude [m], > 0.
    #[serde(rename = "a")]
    pub eight_amplitude: f64,
    /// Figure of eight: angular velocity [rad/s], > 0.
    #[serde(rename = "w")]
    pub eight_rate: f64,
    /// Cycloid: radius of the rolling circle [m], > 0.
    pub cycloid_radius: f64,
    /// Cycloid: distance of the drawing point from the circle's centre [m], > 0 and less than the radius.
    pub cycloid_distance: f64,
    /// Waypoints: their CSV file, as [`waypoint_file`](crate::waypoint_file) describes it; a relative path is from the
    /// folder of the file that names it.
    pub file: String,
    /// Waypoints without times and speeds: speed along the path [m/s], > 0.
    pub speed: f64,
    /// Waypoints: whether the path leads from the last point back to the first, endlessly.
    pub closed: bool,
    /// Waypoints: the CSV file of the track around the line, with its widths, where `file` has none; the path is as that of `file`.
    pub track_file: String,
    /// Waypoints: the folder from which relative paths were read, filled in by [`waypoint_file::load`](crate::waypoint_file::load).
    #[serde(skip)]
    pub folder: PathBuf,
    /// Waypoints: content of the file, filled in by [`waypoint_file::load`](crate::waypoint_file::load).
    #[serde(skip)]
    pub points: Vec<Waypoint>,
    /// Waypoints: content of the track's file, likewise.
    #[serde(skip)]
    pub track: Vec<Waypoint>,
    /// Warnings about a waypoint file, likewise.
    #[serde(skip)]
    pub notes: Vec<Diagnostic>,
    /// Time offset into the shape's motion at the start [s].
    pub phase: f64,
    /// How many times as fast as its equations or its file the motion is [-], > 0.
    pub time_scale: f64,
    /// Position of the shape's origin along x [m].
    pub x0: f64,
    /// Position of the shape's origin along y [m].
    pub y0: f64,
    /// Heading of the shape's x axis [rad].
    pub yaw0: f64,
}

impl Default for TrajectoryParameters {
    fn default() -> TrajectoryParameters {
        TrajectoryParameters {
            trajectory_type: "figure_eight".into(),
            a_coeff: 0.6,
            b_coeff: 0.8,
            focal_length: 0.02,
            circle_radius: 2.0,
            circle_rate: 0.4,
            eight_amplitude: 2.0,
            eight_rate: 0.4,
            cycloid_radius: 0.5,
            cycloid_distance: 0.25,
            file: String::new(),
            speed: 1.0,
            closed: false,
            track_file: String::new(),
            folder: PathBuf::new(),
            points: Vec::new(),
            track: Vec::new(),
            notes: Vec::new(),
            phase: 0.0,
            time_scale: 1.0,
            x0: 0.0,
            y0: 0.0,
            yaw0: 0.0,
        }
    }
}

impl TrajectoryParameters {
    /// Where its shape's frame is [m, rad].
    pub fn place(&self) -> Pose2 {
        Pose2::new(self.x0, self.y0, self.yaw0)
    }
}

/// A kind of trajectory.
pub struct TrajectoryEntry {
    /// Name in experiments.
    pub name: &'static str,
    /// Its number in the study.
    pub number: Option<u8>,
    /// One line of help.
    pub help: &'static str,
    /// Builds the trajectory, or returns a message about its parameters.
    pub build: fn(&TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic>,
}

/// Every kind of trajectory.
pub const TRAJECTORIES: &[TrajectoryEntry] =
    &[line::ENTRY, parabola::ENTRY, circle::ENTRY, figure_eight::ENTRY, cycloid::ENTRY, waypoints::ENTRY];

/// Builds the trajectory named in the parameters.
///
/// # Errors
/// An unknown kind, or a parameter out of its range; the text gives the accepted values.
pub fn build(parameters: &TrajectoryParameters) -> Result<Box<dyn Trajectory>, Diagnostic> {
    let wanted = parameters.trajectory_type.as_str();
    let is_wanted = |entry: &&TrajectoryEntry| {
        entry.name == wanted || entry.number.is_some_and(|number| wanted.parse() == Ok(number))
    };
    let entry = TRAJECTORIES.iter().find(is_wanted).ok_or_else(|| {
        let names: Vec<&str> = TRAJECTORIES.iter().map(|entry| entry.name).collect();
        check::unknown("trajectory_type", wanted, &names)
    })?;
    placed::place((entry.build)(parameters)?, parameters)
}
