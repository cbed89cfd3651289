//! A trajectory, its tracker and a linearizer as one: what a world steps to have a vehicle follow a path.

use super::{Linearizer, PointTracker, Steer, TrackerParameters, TrackerStep, VehicleState};
use crate::math::Vec2;
use crate::time::{Periodic, SimTime};
use crate::trajectory::{Sample, Trajectory};

/// What a driver did at its last tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackingFrame {
    /// When it was [ns of simulated time].
    pub time: SimTime,
    /// Where the reference point shall be, in the frame of the trajectory.
    pub reference: Sample,
    /// P [m].
    pub point: Vec2,
    /// Where P shall be [m].
    pub point_reference: Vec2,
    /// The velocity that P shall have [m/s].
    pub point_velocity: Vec2,
    /// What the vehicle is told.
    pub steer: Steer,
    /// Whether the tracker is active; else the vehicle is told to stand, and the reference waits at its start.
    pub active: bool,
    /// Whether the frame of the trajectory is that of the vehicle's odometry; else it is the world's.
    pub in_odometry: bool,
}

/// Drives a vehicle along a trajectory.
#[derive(Debug)]
pub struct TrajectoryDriver {
    trajectory: Box<dyn Trajectory>,
    tracker: PointTracker,
    linearizer: Box<dyn Linearizer>,
    /// Whether it goes by the odometry instead of the truth.
    follows_odometry: bool,
    due: Periodic,
    /// When the motion began; none before its first active tick.
    started: Option<SimTime>,
    /// When the last tick was; none before the first.
    last: Option<SimTime>,
}

impl TrajectoryDriver {
    /// A driver that acts every `period` [ns]; the motion starts at its first tick.
    pub fn new(
        trajectory: Box<dyn Trajectory>,
        tracker: PointTracker,
        linearizer: Box<dyn Linearizer>,
        period: SimTime,
    ) -> TrajectoryDriver {
        TrajectoryDriver {
            trajectory,
            tracker,
            linearizer,
            follows_odometry: false,
            due: Periodic::new(period),
            started: None,
            last: None,
        }
    }

    /// Has it go by the odometry, whose frame begins at the vehicle's start, instead of the true pose in the world.
    pub fn follow_odometry(mut self, yes: bool) -> TrajectoryDriver {
        self.follows_odometry = yes;
        self
    }

    /// Whether it goes by the odometry instead of the truth.
    pub fn follows_odometry(&self) -> bool {
        self.follows_odometry
    }

    /// The path that it follows, in the frame of the trajectory [m]; see [`course`](crate::trajectory::course).
    pub fn course(&self) -> Vec<Vec2> {
        crate::trajectory::course(&*self.trajectory)
    }

    /// The tracker's gains and geometry.
    pub fn parameters(&self) -> &TrackerParameters {
        self.tracker.parameters()
    }

    /// New gains and geometry from the next tick on; becoming `active` starts the motion anew.
    ///
    /// # Errors
    /// As [`TrackerParameters::check`]; the old ones stay.
    pub fn set_parameters(&mut self, parameters: TrackerParameters) -> Result<(), String> {
        let begins = parameters.active && !self.parameters().active;
        self.tracker.set_parameters(parameters)?;
        if begins {
            // It may have been off for less than a tick.
            self.started = None;
        }
        Ok(())
    }

    /// Starts the motion anew at the next tick.
    pub fn reset(&mut self) {
        (self.started, self.last) = (None, None);
        self.tracker.reset();
        self.linearizer.reset();
    }

    /// What it does at `now` with the vehicle in `state`; none between its ticks.
    pub fn tick(&mut self, now: SimTime, state: &VehicleState) -> Option<TrackingFrame> {
        let is_due = self.due.is_due(now);
        if self.last.is_some() && !is_due {
            return None;
        }
        let dt = (now - self.last.unwrap_or(now)).secs();
        self.last = Some(now);
        let active = self.tracker.parameters().active;
        let started = if active { *self.started.get_or_insert(now) } else { now };
        if !active {
            self.started = None;
        }
        let reference = self.trajectory.at((now - started).secs());
        let step = self.tracker.step(&reference, state, dt);
        let steer = self.linearizer.steer(step.point_velocity, state);
        self.tracker.report_cut(steer.is_cut());
        let TrackerStep { point, point_reference, point_velocity } = step;
        let in_odometry = self.follows_odometry;
        Some(TrackingFrame { time: now, reference, point, point_reference, point_velocity, steer, active, in_odometry })
    }
}
