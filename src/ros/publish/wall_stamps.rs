//! Stamps by the wall clock (`stamps:=wall`), for nodes that do not follow simulated time.
//!
//! A frame is stamped with the instant at which it is due, so that stamps are as regular as simulated time while the simulation keeps its
//! pace. Where it is late or early by more than a tolerance, after a pause, or without a pace, a frame is stamped with the present. Stamps
//! do not go back, unless the system's clock does.

use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use skidpad_math::time::{Rate, SimTime};
use skidpad_ros_data::message::StampLine;
use skidpad_run::guard::lock;

/// The stamps of the snapshot that is being published, for all publishers of the node.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedStamps(Arc<Mutex<Option<StampLine>>>);

impl SharedStamps {
    /// Sets those of the next messages.
    pub fn set(&self, line: Option<StampLine>) {
        *lock(&self.0) = line;
    }

    /// Those of the next message.
    pub fn get(&self) -> Option<StampLine> {
        *lock(&self.0)
    }
}

/// The wall clock [ns] since 1970.
pub fn now() -> SimTime {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    SimTime(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

/// Farthest that the stamp of a frame may be from the present [ns].
const TOLERANCE: SimTime = SimTime(20_000_000);
/// Between the stamps of two frames where the second would be stamped before the first [ns].
const MIN_INTERVAL: SimTime = SimTime(1_000);
/// A clock that is farther back than this [ns] has been set back.
const SET_BACK: SimTime = SimTime(1_000_000_000);

/// Stamps the frames of a run.
#[derive(Debug, Default)]
pub(crate) struct WallStamps {
    /// The line on which stamps are while the simulation keeps its pace.
    line: Option<StampLine>,
    /// Simulated time and stamp of the last frame.
    last: Option<(SimTime, SimTime)>,
}

impl WallStamps {
    /// The stamps around a frame of the simulated time `time` [ns], which is there at the wall time `now` [ns], at this speed of time.
    pub fn at(&mut self, time: SimTime, now: SimTime, rate: Rate) -> StampLine {
        let is_near = |line: &StampLine| (line.at(time) - now).0.abs() <= TOLERANCE.0;
        let pace = match rate {
            Rate::Factor(factor) => Some(1.0 / factor),
            Rate::Max => None,
        };
        let goes_on = self.last.is_some_and(|(last, _)| last < time);
        let kept = self.line.filter(|line| goes_on && Some(line.pace) == pace && is_near(line));
        let line = kept.unwrap_or_else(|| self.begin(time, now, pace));
        self.line = Some(StampLine { pace: pace.unwrap_or(line.pace), ..line });
        self.last = Some((time, line.at(time)));
        line
    }

    /// A line that begins at the present, or just after the last stamp, and does not lead back before that.
    fn begin(&self, time: SimTime, now: SimTime, pace: Option<f64>) -> StampLine {
        let Some((last, last_stamp)) = self.last.filter(|(_, stamp)| now + SET_BACK > *stamp) else {
            return StampLine { simulated: time, stamp: now, pace: pace.unwrap_or(1.0) };
        };
        let stamp = now.max(last_stamp + MIN_INTERVAL);
        let steepest = if time > last { (stamp - last_stamp).0 as f64 / (time - last).0 as f64 } else { 0.0 };
        StampLine { simulated: time, stamp, pace: pace.unwrap_or(steepest).min(steepest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: i64 = 5_000_000;
    const START: i64 = 1_800_000_000_000_000_000;

    fn at(stamps: &mut WallStamps, step: i64, wall: i64, rate: Rate) -> i64 {
        let time = SimTime(step * STEP);
        stamps.at(time, SimTime(START + wall), rate).at(time).0 - START
    }

    #[test]
    fn stamps_are_as_regular_as_simulated_time_though_frames_are_late() {
        for (factor, spacing) in [(1.0, STEP), (2.0, STEP / 2), (0.5, 2 * STEP)] {
            let mut stamps = WallStamps::default();
            let late = |step: i64| (step * 7_919) % 15_000_000;
            let actual: Vec<i64> =
                (1..500).map(|step| at(&mut stamps, step, step * spacing + late(step), Rate::Factor(factor))).collect();
            assert!(actual.windows(2).all(|pair| pair[1] - pair[0] == spacing), "{factor}");
        }
    }

    #[test]
    fn after_a_pause_stamps_go_on_from_the_present() {
        let mut stamps = WallStamps::default();
        let real = Rate::Factor(1.0);
        assert_eq!(at(&mut stamps, 1, STEP, real), STEP);
        assert_eq!(at(&mut stamps, 2, 3_000_000_000, real), 3_000_000_000);
        assert_eq!(at(&mut stamps, 3, 3_000_000_000 + STEP, real), 3_000_000_000 + STEP);
        // While time stands, the instant is repeated.
        assert_eq!(at(&mut stamps, 3, 4_000_000_000, real), 4_000_000_000);
        assert_eq!(at(&mut stamps, 3, 4_100_000_000, real), 4_100_000_000);
    }

    #[test]
    fn what_catches_up_is_stamped_with_the_present_and_in_order() {
        let mut stamps = WallStamps::default();
        let real = Rate::Factor(1.0);
        let mut stamped = vec![at(&mut stamps, 1, STEP, real)];
        // 0.2 s late, and then as many steps at once.
        stamped.extend((2..42).map(|step| at(&mut stamps, step, 200_000_000, real)));
        assert!(stamped.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(stamped.iter().all(|stamp| *stamp <= 200_000_000 + TOLERANCE.0 + 100 * MIN_INTERVAL.0), "{stamped:?}");
        // Samples of the step are stamped within it.
        let mut stamps = WallStamps::default();
        at(&mut stamps, 1, STEP, real);
        let line = stamps.at(SimTime(2 * STEP), SimTime(START + STEP + 1), Rate::Max);
        let between: Vec<i64> = (0..=5).map(|k| line.at(SimTime(STEP + k * STEP / 5)).0 - START).collect();
        assert_eq!((between[0], between[5]), (STEP, STEP + 1000));
        assert!(between.windows(2).all(|pair| pair[0] < pair[1]), "{between:?}");
    }

    #[test]
    fn a_clock_that_is_set_back_is_followed_and_so_is_a_simulation_that_is() {
        let mut stamps = WallStamps::default();
        let real = Rate::Factor(1.0);
        assert_eq!(at(&mut stamps, 100, 10_000_000_000, real), 10_000_000_000);
        assert_eq!(at(&mut stamps, 101, 5_000_000_000, real), 5_000_000_000);
        assert_eq!(at(&mut stamps, 1, 5_000_000_500, real), 5_000_001_000, "just after the last");
    }

    #[test]
    fn without_a_pace_every_frame_has_the_present() {
        let mut stamps = WallStamps::default();
        let walls = [10, 400_000, 410_000, 410_100];
        let actual: Vec<i64> = (1..).zip(walls).map(|(step, wall)| at(&mut stamps, step, wall, Rate::Max)).collect();
        assert_eq!(actual, [10, 400_000, 410_000, 411_000]);
    }
}
