//! Stamps by another clock than that of the simulation. Messages are filled with simulated times, and those become other ones where a message becomes bytes, so
//! that nothing that fills messages has to know.

use skidpad_math::time::SimTime;

use super::Time;

/// A line from simulated time to that of another clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StampLine {
    /// A simulated time [ns].
    pub simulated: SimTime,
    /// Its stamp, by the other clock [ns].
    pub stamp: SimTime,
    /// How much that clock advances in a simulated second [s].
    pub pace: f64,
}

impl StampLine {
    /// The stamp of a simulated time [ns].
    pub fn at(&self, time: SimTime) -> SimTime {
        let since = (time - self.simulated).0 as f64;
        self.stamp + SimTime(libm::round(self.pace * since) as i64)
    }

    /// The stamp in place of one of simulated time. One of 0 means "the newest" in ROS, and stays.
    pub(super) fn replace(&self, stamp: Time) -> Time {
        if stamp == Time::default() {
            return stamp;
        }
        let simulated = SimTime(i64::from(stamp.sec) * 1_000_000_000 + i64::from(stamp.nanosec));
        let (sec, nanosec) = self.at(simulated).split();
        Time { sec, nanosec }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Clock, Header, LaserScan, MapMetaData, Message, OccupancyGrid, TFMessage, TransformStamped};
    use super::*;
    use crate::message::cdr;

    const SECOND: SimTime = SimTime(1_000_000_000);

    fn line() -> StampLine {
        StampLine { simulated: SECOND, stamp: SimTime(1_800_000_000 * SECOND.0), pace: 0.5 }
    }

    fn stamp(sec: i32, nanosec: u32) -> Time {
        Time { sec, nanosec }
    }

    /// The message as it is read by those who get it with other stamps.
    fn sent<M: Message + serde::de::DeserializeOwned>(message: &M) -> M {
        let mut bytes = Vec::new();
        message.write(Some(&line()), &mut bytes).unwrap();
        cdr::read(&bytes).unwrap()
    }

    #[test]
    fn stamps_follow_the_line_to_the_nanosecond() {
        assert_eq!(line().at(SimTime(3 * SECOND.0 + 2)), SimTime(1_800_000_001 * SECOND.0 + 1));
        assert_eq!(line().at(SimTime::ZERO), SimTime(1_799_999_999 * SECOND.0 + SECOND.0 / 2));
    }

    #[test]
    fn every_stamp_of_a_message_is_replaced_wherever_it_is_and_nothing_else() {
        let header = |sec, frame_id: &str| Header { stamp: stamp(sec, 0), frame_id: frame_id.into() };
        let at = |sec: i32| stamp(1_799_999_999 + sec, 500_000_000);
        let scan = LaserScan { header: header(2, "a"), ranges: vec![2.0, 3.0], ..LaserScan::default() };
        assert_eq!(sent(&scan), LaserScan { header: Header { stamp: at(1), ..scan.header.clone() }, ..scan });
        let transform = |sec| TransformStamped { header: header(sec, "odom"), ..TransformStamped::default() };
        let transforms = TFMessage { transforms: vec![transform(2), transform(4)] };
        let stamps: Vec<Time> = sent(&transforms).transforms.iter().map(|one| one.header.stamp).collect();
        assert_eq!(stamps, [at(1), at(2)]);
        let info = MapMetaData { map_load_time: stamp(2, 0), width: 2, ..MapMetaData::default() };
        let map = OccupancyGrid { header: header(6, "map"), info, data: vec![1, 2] };
        let actual = sent(&map);
        assert_eq!((actual.header.stamp, actual.info.map_load_time), (at(3), at(1)));
        assert_eq!((actual.info.width, actual.data), (2, vec![1, 2]));
        assert_eq!(sent(&Clock { clock: Time::default() }).clock, Time::default(), "the newest");
    }
}
