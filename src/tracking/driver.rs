//! A trajectory, its tracker and a linearizer combined into a driver that a world steps, so that a vehicle follows a path.

use std::collections::VecDeque;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;
use skidpad_math::time::{Periodic, SimTime};

use super::baseline::{Baseline, Moment};
use super::{Linearizer, LinearizerParameters, PointTracker, Steer, TrackerParameters, TrackerStep, VehicleState};
use crate::trajectory::{Sample, Track, Trajectory};

/// Result of a driver's last tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackingFrame {
    /// Time of the tick [ns of simulated time].
    pub time: SimTime,
    /// Reference of the vehicle's reference point, in the frame of the trajectory.
    pub reference: Sample,
    /// P [m].
    pub point: Vec2,
    /// Reference position of P [m].
    pub point_reference: Vec2,
    /// Commanded velocity of P [m/s].
    pub point_velocity: Vec2,
    /// Command to the vehicle.
    pub steer: Steer,
    /// Whether the tracker is active; otherwise the vehicle is commanded to stand, and the reference waits at its start.
    pub active: bool,
    /// Whether the motion of the reference is over: it rests at its end, and the vehicle is commanded to stand with its steering held.
    pub is_over: bool,
    /// Whether the frame of the trajectory is that of the vehicle's odometry; otherwise it is the world's.
    pub in_odometry: bool,
    /// Whether somebody else leads the vehicle: there is a reference, but neither a velocity of P nor a command.
    pub is_guide: bool,
}

/// What leads the vehicle.
#[derive(Debug)]
enum Law {
    /// The study's tracker with a linearizer.
    Point(Box<PointTracker>, Box<dyn Linearizer>),
    /// A tracker that steers by itself.
    Baseline(Box<Baseline>),
    /// Somebody else, whom the reference is for; of the parameters `active` counts.
    Guide(TrackerParameters),
}

/// Drives a vehicle along a trajectory.
#[derive(Debug)]
pub struct TrajectoryDriver {
    trajectory: Box<dyn Trajectory>,
    law: Law,
    /// Whether it uses the odometry instead of the true pose.
    follows_odometry: bool,
    /// Whether it uses the state that motion capture gives instead.
    follows_markers: bool,
    /// The track around the trajectory, in its frame; none: no widths are known.
    track: Option<Track>,
    due: Periodic,
    /// Start of the motion; none before the first active tick.
    started: Option<SimTime>,
    /// Time of the last tick; none before the first.
    last: Option<SimTime>,
    /// From the sample of the pose to the command that acts [ns].
    latency: SimTime,
    /// Commands under way and when each acts.
    under_way: VecDeque<(SimTime, Steer)>,
    /// Whether commands flow, so that the next one acts after the latency.
    flows: bool,
    /// The speed that it holds until others lead the vehicle [m/s]; 0: it commands nothing.
    start_speed: f64,
}

impl TrajectoryDriver {
    /// A driver that acts every `period` [ns]; the motion starts at its first tick.
    pub fn new(
        trajectory: Box<dyn Trajectory>,
        tracker: PointTracker,
        linearizer: Box<dyn Linearizer>,
        period: SimTime,
    ) -> TrajectoryDriver {
        TrajectoryDriver::of(trajectory, Law::Point(Box::new(tracker), linearizer), period)
    }

    /// A driver with the tracker that the parameters name, which acts every `period` [ns]. The limits and the vehicle are those of the
    /// linearizer's parameters, also of a tracker without one.
    ///
    /// # Errors
    /// A parameter is out of its range; the text gives the accepted values.
    pub fn with(
        trajectory: Box<dyn Trajectory>,
        tracker: &TrackerParameters,
        linearizer: &LinearizerParameters,
        period: SimTime,
    ) -> Result<TrajectoryDriver, Diagnostic> {
        let law = match Baseline::new(tracker, linearizer)? {
            Some(baseline) => Law::Baseline(Box::new(baseline)),
            None => Law::Point(Box::new(PointTracker::new(*tracker)?), super::build(linearizer)?),
        };
        Ok(TrajectoryDriver::of(trajectory, law, period))
    }

    /// Gives the reference every `period` [ns], while commands from outside lead the vehicle: they do not override it, and its motion goes on.
    pub fn guide(trajectory: Box<dyn Trajectory>, period: SimTime) -> TrajectoryDriver {
        TrajectoryDriver::of(trajectory, Law::Guide(TrackerParameters::default()), period)
    }

    /// Whether it leaves it to others to lead the vehicle.
    pub fn is_guide(&self) -> bool {
        matches!(self.law, Law::Guide(_))
    }

    fn of(trajectory: Box<dyn Trajectory>, law: Law, period: SimTime) -> TrajectoryDriver {
        TrajectoryDriver {
            trajectory,
            law,
            follows_odometry: false,
            follows_markers: false,
            track: None,
            due: Periodic::new(period),
            started: None,
            last: None,
            latency: SimTime::ZERO,
            under_way: VecDeque::new(),
            flows: false,
            start_speed: 0.0,
        }
    }

    /// Commands the vehicle once, at the first tick, to go straight on at this speed [m/s]; for one that starts in motion, and whose first command by
    /// others comes later. At 0 it commands nothing.
    #[must_use]
    pub fn holding(self, start_speed: f64) -> TrajectoryDriver {
        TrajectoryDriver { start_speed, ..self }
    }

    /// Lets each command act this much later than the sample of the pose that it follows from [ns], as the time that localization, controller
    /// and radio of a real car take together. The first one acts at once, as if such commands had come before.
    #[must_use]
    pub fn with_latency(self, latency: SimTime) -> TrajectoryDriver {
        TrajectoryDriver { latency, ..self }
    }

    /// Uses the odometry, whose frame is at the vehicle's start, instead of the true pose in the world.
    pub fn follow_odometry(mut self, yes: bool) -> TrajectoryDriver {
        self.follows_odometry = yes;
        self
    }

    /// Uses the state that motion capture of the vehicle's marker body gives, instead of the true one.
    #[must_use]
    pub fn follow_markers(self, yes: bool) -> TrajectoryDriver {
        TrajectoryDriver { follows_markers: yes, ..self }
    }

    /// Whether motion capture is used instead of the true pose.
    pub fn follows_markers(&self) -> bool {
        self.follows_markers
    }

    /// Knows the track around its trajectory, in the same frame, so that it can be drawn.
    #[must_use]
    pub fn on_track(self, track: Option<Track>) -> TrajectoryDriver {
        TrajectoryDriver { track, ..self }
    }

    /// The right and the left border of its track, in the frame of the trajectory [m]; none: no widths are known.
    pub fn borders(&self) -> Option<[Vec<Vec2>; 2]> {
        self.track.as_ref().map(Track::borders)
    }

    /// Whether the odometry is used instead of the true pose.
    pub fn follows_odometry(&self) -> bool {
        self.follows_odometry
    }

    /// The path of the trajectory, in the frame of the trajectory [m]; see [`course`](crate::trajectory::course).
    pub fn course(&self) -> Vec<Vec2> {
        crate::trajectory::course(&*self.trajectory)
    }

    /// Gains and geometry of the tracker.
    pub fn parameters(&self) -> &TrackerParameters {
        match &self.law {
            Law::Point(tracker, _) => tracker.parameters(),
            Law::Baseline(baseline) => baseline.parameters(),
            Law::Guide(parameters) => parameters,
        }
    }

    /// Sets gains and geometry from the next tick on; becoming `active` restarts the motion.
    ///
    /// # Errors
    /// See [`TrackerParameters::check`], and the kind of the tracker cannot change; the old parameters remain in that case.
    pub fn set_parameters(&mut self, parameters: TrackerParameters) -> Result<(), Diagnostic> {
        let now = self.parameters();
        if parameters.tracker != now.tracker {
            let found = format!("found \"{}\"", parameters.tracker.as_str());
            let message = Diagnostic::new("tracker", found).accepted(now.tracker.as_str());
            return Err(message.hint("the tracker can be chosen only at the start"));
        }
        let begins = parameters.active && !now.active;
        match &mut self.law {
            Law::Point(tracker, _) => tracker.set_parameters(parameters)?,
            Law::Baseline(baseline) => baseline.set_parameters(parameters)?,
            Law::Guide(guide) => *guide = parameters,
        }
        if begins {
            // The tracker may have been inactive for less than a tick.
            self.started = None;
        }
        Ok(())
    }

    /// Restarts the motion at the next tick.
    pub fn reset(&mut self) {
        (self.started, self.last) = (None, None);
        self.drop_commands();
        match &mut self.law {
            Law::Point(tracker, linearizer) => {
                tracker.reset();
                linearizer.reset();
            }
            Law::Baseline(baseline) => baseline.reset(),
            Law::Guide(_) => {}
        }
    }

    /// Drops the commands under way, as where somebody else drives; the next one acts at once.
    pub fn drop_commands(&mut self) {
        self.under_way.clear();
        self.flows = false;
    }

    /// Computes the command at `now` with the vehicle in `state`; none between ticks.
    pub fn tick(&mut self, now: SimTime, state: &VehicleState) -> Option<TrackingFrame> {
        let is_due = self.due.is_due(now);
        if self.last.is_some() && !is_due {
            return None;
        }
        let is_first = self.last.is_none();
        let dt = (now - self.last.unwrap_or(now)).secs();
        let acts = if std::mem::replace(&mut self.flows, true) { now + self.latency } else { now };
        self.last = Some(now);
        let active = self.parameters().active;
        let started = if active { *self.started.get_or_insert(now) } else { now };
        if !active {
            self.started = None;
        }
        let elapsed = (now - started).secs();
        let reference = self.trajectory.at(elapsed);
        let is_over = active && self.trajectory.is_over(elapsed);
        let (step, steer) = match &mut self.law {
            Law::Point(tracker, linearizer) => {
                let mut step = tracker.step(&reference, state, dt);
                if is_over {
                    // No law leads a car that stands to a place beside it: it would creep there with its wheels at full lock.
                    step.point_velocity = Vec2::ZERO;
                }
                let steer = linearizer.steer(step.point_velocity, state);
                tracker.report_cut(steer.is_cut());
                (step, steer)
            }
            Law::Baseline(baseline) => {
                let trajectory = &*self.trajectory;
                // Ticks come at the steps of the world, which may be longer than the period.
                let period = if dt > 0.0 { dt } else { self.due.period().secs() };
                let moment = Moment { trajectory, time: elapsed, reference, dt, period };
                let steer = baseline.step(&moment, state, active && !is_over);
                // Their point is the reference point of the vehicle.
                let heading = state.world_from_body.rotation();
                let point_velocity = heading * Vec2::new(steer.speed, 0.0);
                let point = state.world_from_body.position();
                (TrackerStep { point, point_reference: reference.position, point_velocity }, steer)
            }
            Law::Guide(_) => {
                let point = state.world_from_body.position();
                let step = TrackerStep { point, point_reference: reference.position, point_velocity: Vec2::ZERO };
                (step, Steer::default())
            }
        };
        let is_guide = self.is_guide();
        if !is_guide {
            self.under_way.push_back((acts, steer));
        } else if is_first && active && self.start_speed > 0.0 {
            self.under_way.push_back((now, Steer { speed: self.start_speed, ..Steer::default() }));
        }
        let TrackerStep { point, point_reference, point_velocity } = step;
        let in_odometry = self.follows_odometry;
        Some(TrackingFrame {
            time: now,
            reference,
            point,
            point_reference,
            point_velocity,
            steer,
            active,
            is_over,
            in_odometry,
            is_guide,
        })
    }

    /// The newest command that acts from `now` on and has not been returned before: without latency that of this tick.
    pub fn arrived(&mut self, now: SimTime) -> Option<Steer> {
        let mut newest = None;
        while let Some(&(acts, steer)) = self.under_way.front()
            && acts <= now
        {
            newest = Some(steer);
            self.under_way.pop_front();
        }
        newest
    }
}
