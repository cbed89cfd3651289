//! The turn of a lidar whose rays are cast while the vehicle drives: how far it has come, and where the vehicle was meanwhile.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, wrap_angle};

use super::View;

/// The start of the period that `now` [ns] is in. Periods begin at multiples of their length `period` [ns].
pub(super) fn period_start(now: SimTime, period: SimTime) -> SimTime {
    SimTime(now.0.div_euclid(period.0) * period.0)
}

/// The turn of a lidar that is in progress.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    /// When it began [ns]; none before the first look.
    pub start: Option<SimTime>,
    /// Whether its rays and their errors are made.
    pub is_filled: bool,
    /// Number of rays that are cast.
    pub cast: usize,
    /// Time and pose in the world of the vehicle at the last look.
    pub before: Option<(SimTime, Pose3)>,
}

impl Turn {
    /// Begins a turn at `start` [ns].
    pub(super) fn begin(&mut self, start: SimTime) {
        (self.start, self.is_filled, self.cast) = (Some(start), false, 0);
    }

    /// Drops the turn in progress.
    pub(super) fn drop(&mut self) {
        *self = Turn::default();
    }

    /// Drops the turn in progress if time has been set back since to `now` [ns]. Whether that was so.
    pub(super) fn drop_if_time_went_back(&mut self, now: SimTime) -> bool {
        let went_back = self.start.is_some_and(|start| start > now);
        if went_back {
            self.drop();
        }
        went_back
    }

    /// The way of the vehicle since the last look, or where it is now if it was placed meanwhile, or nothing looked.
    pub(super) fn way(&self, view: &View<'_>) -> Way {
        let now = (view.time, view.world_from_body);
        let continues = |&(time, _): &(SimTime, Pose3)| time < now.0 && view.since_set_down > now.0 - time;
        Way { before: self.before.filter(continues).unwrap_or(now), now }
    }
}

/// The way of a vehicle that moves evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Time [ns] and pose in the world at its start.
    pub before: (SimTime, Pose3),
    /// The same at its end.
    pub now: (SimTime, Pose3),
}

impl Way {
    /// Where a vehicle is that does not move.
    pub(super) fn still(time: SimTime, world_from_body: Pose3) -> Way {
        Way { before: (time, world_from_body), now: (time, world_from_body) }
    }

    /// The pose of the vehicle at `time` [ns].
    pub(super) fn at(&self, time: SimTime) -> Pose3 {
        let ((start, from), (end, to)) = (self.before, self.now);
        let whole = (end - start).secs();
        if whole <= 0.0 || time >= end {
            return to;
        }
        let share = ((time - start).secs() / whole).max(0.0);
        let mix = |a: f64, b: f64| a + share * (b - a);
        let turn = |a: f64, b: f64| a + share * wrap_angle(b - a);
        Pose3 {
            x: mix(from.x, to.x),
            y: mix(from.y, to.y),
            z: mix(from.z, to.z),
            yaw: turn(from.yaw, to.yaw),
            pitch: turn(from.pitch, to.pitch),
            roll: turn(from.roll, to.roll),
        }
    }
}
