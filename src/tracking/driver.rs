//! A trajectory, its tracker and a linearizer as one: what a world steps to have a vehicle follow a path.

use super::{Linearizer, PointTracker, Steer, VehicleState};
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
    started: Option<SimTime>,
    last: SimTime,
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
            last: SimTime::ZERO,
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

    /// Starts the motion anew at the next tick.
    pub fn reset(&mut self) {
        self.started = None;
        self.tracker.reset();
        self.linearizer.reset();
    }

    /// What it does at `now` with the vehicle in `state`; none between its ticks.
    pub fn tick(&mut self, now: SimTime, state: &VehicleState) -> Option<TrackingFrame> {
        let is_due = self.due.is_due(now);
        let started = match self.started {
            Some(_) if !is_due => return None,
            Some(started) => started,
            None => {
                self.started = Some(now);
                self.last = now;
                now
            }
        };
        let dt = (now - self.last).secs();
        self.last = now;
        let reference = self.trajectory.at((now - started).secs());
        let step = self.tracker.step(&reference, state, dt);
        let steer = self.linearizer.steer(step.point_velocity, state, dt);
        Some(TrackingFrame {
            time: now,
            reference,
            point: step.point,
            point_reference: step.point_reference,
            point_velocity: step.point_velocity,
            steer,
        })
    }
}
