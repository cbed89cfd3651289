//! Reports on trajectory tracking during a run: a line per second of simulated time, up to the end of the reference.

use std::fmt;
use std::sync::Arc;

use skidpad_math::Vec2;
use skidpad_math::time::{Periodic, SimTime};
use skidpad_sim::trajectory::Track;
use skidpad_sim::world::Frame;

use crate::laps::{Course, Lap, LapCounter};

/// Tracking since the last report, and the error since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrackingReport {
    /// Time [ns of simulated time].
    pub time: SimTime,
    /// Reference position [m].
    pub reference: Vec2,
    /// Position of the reference point [m].
    pub position: Vec2,
    /// Root mean square of their distance since the start [m].
    pub rmse: f64,
    /// Ticks since the last report.
    pub ticks: u32,
    /// Ticks at which the steering was limited.
    pub steering_cuts: u32,
    /// Ticks at which the speed was limited.
    pub speed_cuts: u32,
    /// Ticks at which the reference point was off the track, if there is one.
    pub off_track: u32,
    /// Ticks at which a tracker that plans went on with an earlier plan.
    pub plans_held: u32,
    /// Whether commands override the driver.
    pub suspended: bool,
    /// Whether this is the last report, because the reference has come to its end.
    pub is_last: bool,
}

impl fmt::Display for TrackingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.secs();
        if self.suspended {
            return write!(f, "t {time:6.1} s  somebody else drives, the reference waits");
        }
        let (at, to) = (self.position, self.reference);
        write!(f, "t {time:6.1} s  reference ({:6.2}, {:6.2}) m  position ({:6.2}, {:6.2}) m", to.x, to.y, at.x, at.y)?;
        write!(f, "  error {:6.2} cm  RMSE {:6.2} cm", 100.0 * (at - to).norm(), 100.0 * self.rmse)?;
        let counts = [
            ("steering at its limit", self.steering_cuts),
            ("speed at its limit", self.speed_cuts),
            ("off the track", self.off_track),
            ("an earlier plan held", self.plans_held),
        ];
        for (event, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            write!(f, "  {event} {:.0} %", 100.0 * f64::from(count) / f64::from(self.ticks.max(1)))?;
        }
        if self.is_last { f.write_str("  the reference ends here, the vehicle is braked") } else { Ok(()) }
    }
}

/// Computes the reports of one vehicle from frames.
#[derive(Debug)]
pub struct TrackingWatch {
    vehicle: Option<usize>,
    follows_odometry: bool,
    track: Option<Track>,
    laps: Option<(Arc<Course>, LapCounter)>,
    /// What is to be told of the lap that has ended last.
    lap: Option<String>,
    due: Periodic,
    squares: f64,
    count: f64,
    step: Option<u64>,
    /// Whether the reference has come to its end.
    has_ended: bool,
    report: TrackingReport,
}

impl TrackingWatch {
    /// Watches the vehicle with this index, by its odometry or the truth, and reports every `period` [ns] of simulated time.
    pub fn new(vehicle: usize, follows_odometry: bool, period: SimTime) -> TrackingWatch {
        TrackingWatch {
            vehicle: Some(vehicle),
            follows_odometry,
            track: None,
            laps: None,
            lap: None,
            due: Periodic::new(period),
            squares: 0.0,
            count: 0.0,
            step: None,
            has_ended: false,
            report: TrackingReport::default(),
        }
    }

    /// Counts when it is off this track, in the frame of the trajectory.
    #[must_use]
    pub fn on_track(self, track: Option<Track>) -> TrackingWatch {
        TrackingWatch { track, ..self }
    }

    /// Times its laps on this course, in the frame of the trajectory.
    #[must_use]
    pub fn timed_on(self, course: Option<Arc<Course>>) -> TrackingWatch {
        let laps = course.map(|course| (Arc::clone(&course), LapCounter::new(course)));
        TrackingWatch { laps, ..self }
    }

    /// What is to be told of a lap that has ended since the last call.
    pub fn take_lap(&mut self) -> Option<String> {
        self.lap.take()
    }

    /// Updates the vehicle's index; none after its removal.
    pub fn follow(&mut self, vehicle: Option<usize>) {
        self.vehicle = vehicle;
    }

    /// Processes the next frame; returns a report when one is due.
    pub fn look(&mut self, frame: &Frame) -> Option<TrackingReport> {
        let vehicle = frame.vehicles.get(self.vehicle?)?;
        if self.step.is_some_and(|step| frame.step <= step) {
            // After a reset the statistics start over.
            (self.squares, self.count, self.report) = (0.0, 0.0, TrackingReport::default());
            if let Some((course, counter)) = &mut self.laps {
                *counter = LapCounter::new(Arc::clone(course));
            }
        }
        self.step = Some(frame.step);
        let tick = vehicle.tracking.filter(|tracking| tracking.time == frame.time);
        let had_ended = self.has_ended;
        self.has_ended = tick.map_or(had_ended, |tracking| tracking.is_over);
        if let Some(tracking) = tick.filter(|tracking| !tracking.is_over) {
            let pose = if self.follows_odometry { vehicle.odom_from_body } else { vehicle.world_from_body.planar() };
            let position = pose.position();
            let error = position - tracking.reference.position;
            self.squares += error.dot(error);
            self.count += 1.0;
            if let Some((_, counter)) = &mut self.laps {
                let best = counter.best();
                let lap = counter.push(frame.time.secs(), position, vehicle.velocity_in_body.linear().norm());
                let is_best = |lap: &Lap| lap.is_valid() && best.is_some_and(|best| lap.duration < best);
                let reported = lap.map(|lap| format!("{lap}{}", if is_best(lap) { "  the best so far" } else { "" }));
                self.lap = reported.or(self.lap.take());
            }
            let report = &mut self.report;
            (report.position, report.reference) = (position, tracking.reference.position);
            report.ticks += 1;
            report.steering_cuts += u32::from(tracking.steer.steering_is_cut);
            report.speed_cuts += u32::from(tracking.steer.speed_is_cut);
            report.plans_held += u32::from(tracking.steer.plan_is_held);
            report.off_track += u32::from(self.track.as_ref().is_some_and(|track| track.margin(position) < 0.0));
        }
        let is_last = self.has_ended && !had_ended;
        let is_due = self.due.is_due(frame.time) && !self.has_ended;
        if !(is_due || is_last) || self.count == 0.0 {
            return None;
        }
        let fresh = TrackingReport {
            reference: self.report.reference,
            position: self.report.position,
            ..TrackingReport::default()
        };
        let mut report = std::mem::replace(&mut self.report, fresh);
        report.time = frame.time;
        report.rmse = libm::sqrt(self.squares / self.count);
        report.suspended = vehicle.tracking.is_none();
        report.is_last = is_last;
        Some(report)
    }
}
