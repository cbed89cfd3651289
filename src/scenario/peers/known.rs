//! What is known of the nodes beside a simulation: the sum of all that was heard.

use std::collections::{BTreeMap, VecDeque};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::legible::name;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Vec2};

use super::{Absent, Ending, Goal, Heard};

/// What is known of a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalRecord {
    /// Index of its event.
    pub event: usize,
    /// The vehicle.
    pub vehicle: String,
    /// The goal.
    pub goal: Goal,
    /// The number of its order.
    pub order: usize,
    /// Whether it has gone out to a server.
    pub is_sent: bool,
    /// When it was accepted [s].
    pub accepted: Option<f64>,
    /// When and how it ended [s].
    pub ended: Option<(f64, Ending)>,
    /// Recoveries so far; none: nobody has told.
    pub recoveries: Option<u32>,
    /// Way that is left [m]; none: nobody has told.
    pub remaining: Option<f64>,
}

/// What is known of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderRecord {
    /// The action of its event.
    pub action: &'static str,
    /// Where the file asks for it, `file:line:column`.
    pub place: String,
    /// When it was given [s].
    pub ordered: f64,
    /// Whether it is not known yet that somebody was there for it.
    pub is_open: bool,
    /// Who is not there that it is for; none: nobody is known to be missing.
    pub absent: Option<Absent>,
}

/// What is known of a topic.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopicRecord {
    /// When messages have arrived, as far back as the rate is counted.
    arrivals: VecDeque<SimTime>,
    /// Greatest time from a stamp to its arrival among the messages of the last step [s].
    pub delay: Option<f64>,
    /// How many there were.
    pub count: u64,
}

/// Arrivals that are kept of a topic.
const MAX_ARRIVALS: usize = 1 << 16;

impl TopicRecord {
    /// Messages per second over the last `window` up to `now` [Hz].
    pub fn rate(&self, now: SimTime, window: SimTime) -> f64 {
        let since = now - window;
        let count = self.arrivals.iter().rev().take_while(|arrival| **arrival > since).count();
        count as f64 / window.secs()
    }

    fn note(&mut self, now: SimTime, stamp: Option<SimTime>) {
        self.count += 1;
        if self.arrivals.len() >= MAX_ARRIVALS {
            self.arrivals.pop_front();
        }
        self.arrivals.push_back(now);
        if let Some(stamp) = stamp {
            let delay = (now - stamp).secs();
            self.delay = Some(self.delay.map_or(delay, |most| most.max(delay)));
        }
    }
}

/// All that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// The orders by their numbers.
    pub orders: Vec<OrderRecord>,
    /// The goals by their numbers.
    pub goals: Vec<GoalRecord>,
    /// The first order that was not carried out.
    pub refused: Option<Diagnostic>,
    /// The lifecycle states of watched nodes, by vehicle and name, each with the time since when [s].
    states: BTreeMap<(String, String), (String, f64)>,
    /// The watched topics by their numbers.
    topics: BTreeMap<usize, TopicRecord>,
    /// From the odometry frame of a vehicle to the map.
    corrections: BTreeMap<String, Pose2>,
    /// The poses that were heard in the last step, with their stamps, by their watches.
    poses: BTreeMap<usize, Vec<(SimTime, Vec2)>>,
    /// Where vehicles truly were in the last seconds, by their names.
    truth: BTreeMap<String, VecDeque<(SimTime, Vec2)>>,
}

/// How long it is known where vehicles were: localisation takes less for a pose.
const TRUTH_KEPT: SimTime = SimTime(10_000_000_000);

impl Known {
    /// The lifecycle state of a node, and since when [s]; none: nobody has told.
    pub fn state(&self, vehicle: &str, node: &str) -> Option<(&str, f64)> {
        let record = self.states.get(&(vehicle.to_owned(), node.to_owned()));
        record.map(|(state, since)| (state.as_str(), *since))
    }

    /// What is known of the topic of this watch.
    pub fn topic(&self, watch: usize) -> Option<&TopicRecord> {
        self.topics.get(&watch)
    }

    /// Where the odometry frame of a vehicle is taken to be in the map [m, rad].
    pub fn correction(&self, vehicle: &str) -> Option<Pose2> {
        self.corrections.get(vehicle).copied()
    }

    /// How far a goal is at `now` [s], in words.
    pub fn words(&self, goal: &GoalRecord, now: f64) -> String {
        let GoalRecord { order, is_sent, accepted, ended, remaining, .. } = goal;
        match (ended, accepted, is_sent) {
            (Some((time, ending)), ..) => format!("{}, after {time:.3} s", ending.words()),
            (None, Some(_), _) => match remaining {
                Some(remaining) => format!("under way, {remaining:.2} m left"),
                None => "under way".to_owned(),
            },
            (None, None, true) => "sent, but not accepted".to_owned(),
            (None, None, false) => {
                let record = self.orders.get(*order);
                let absent = record.and_then(|record| {
                    let words = record.absent.as_ref()?.words(now - record.ordered);
                    Some(format!("{words} ({})", record.place))
                });
                absent.unwrap_or_else(|| "no action server".to_owned())
            }
        }
    }

    /// Whether there are orders of which it is neither known that somebody was there nor who is missing.
    pub(super) fn is_undecided(&self) -> bool {
        self.refused.is_none() && self.orders.iter().any(|order| order.is_open && order.absent.is_none())
    }

    /// The orders that wait at `now` [s] for somebody who is not there.
    pub fn lapses(&self, now: f64) -> Vec<Diagnostic> {
        let lapse = |record: &OrderRecord| {
            let words = record.absent.as_ref()?.words(now - record.ordered);
            Some(Diagnostic::new(record.action, words).at(&record.place))
        };
        self.orders.iter().filter_map(lapse).collect()
    }

    /// The goals of an event, in their order.
    pub(crate) fn goals_of(&self, event: usize) -> impl Iterator<Item = &GoalRecord> {
        self.goals.iter().filter(move |goal| goal.event == event)
    }

    /// A step ends at `now`: what was heard in the last one is no news.
    pub(super) fn begin_step(&mut self) {
        self.topics.values_mut().for_each(|topic| topic.delay = None);
        self.poses.values_mut().for_each(Vec::clear);
    }

    /// Notes where a vehicle truly is.
    pub(super) fn note_truth(&mut self, vehicle: &str, now: SimTime, position: Vec2) {
        if !self.truth.contains_key(vehicle) {
            self.truth.insert(vehicle.to_owned(), VecDeque::new());
        }
        let Some(track) = self.truth.get_mut(vehicle) else { return };
        while track.front().is_some_and(|(time, _)| *time < now - TRUTH_KEPT) {
            track.pop_front();
        }
        track.push_back((now, position));
    }

    /// The greatest distance of the poses of this watch in the last step from where the vehicle was at their stamps [m]; none: there were none, or
    /// they are too old to be judged.
    pub(crate) fn pose_error(&self, watch: usize, vehicle: &str) -> Option<f64> {
        let (poses, track) = (self.poses.get(&watch)?, self.truth.get(vehicle)?);
        let error = |(stamp, position): &(SimTime, Vec2)| {
            let after = track.partition_point(|(time, _)| time <= stamp);
            let (_, truth) = if stamp.0 == 0 { track.back()? } else { track.get(after.checked_sub(1)?)? };
            Some((*position - *truth).norm())
        };
        poses.iter().filter_map(error).reduce(f64::max)
    }

    /// Takes what was heard at `now`; returns a line where something has gone on.
    pub(super) fn take(&mut self, heard: Heard, now: SimTime) -> Option<String> {
        let time = now.secs();
        match heard {
            Heard::Absent { order, absent } => {
                let order = self.orders.get_mut(order)?;
                (order.is_open, order.absent) = (absent.is_some(), absent);
            }
            Heard::Sent(number) => self.goals.get_mut(number)?.is_sent = true,
            Heard::Accepted(number) => self.goals.get_mut(number)?.accepted = Some(time),
            Heard::Feedback { number, recoveries, remaining } => {
                let goal = self.goals.get_mut(number)?;
                goal.recoveries = recoveries.or(goal.recoveries);
                goal.remaining = remaining.or(goal.remaining);
            }
            Heard::Ended { number, ending } => {
                let goal = self.goals.get_mut(number)?;
                let line = format!("{time:.3} s: goal {}: {}", number + 1, ending.words());
                goal.ended.get_or_insert((time, ending));
                let order = goal.order;
                let order = self.orders.get_mut(order)?;
                (order.is_open, order.absent) = (false, None);
                return Some(line);
            }
            Heard::Lifecycle { node, vehicle, state } => {
                let line = format!("{time:.3} s: {node} is {}", name(&state));
                let was = self.states.get(&(vehicle.clone(), node.clone())).map(|(state, _)| state.clone());
                if was.as_ref() != Some(&state) {
                    self.states.insert((vehicle, node), (state, time));
                    return Some(line);
                }
            }
            Heard::Message { watch, stamp } => self.topics.entry(watch).or_default().note(now, stamp),
            Heard::Pose { watch, stamp, position } => self.poses.entry(watch).or_default().push((stamp, position)),
            Heard::Correction { vehicle, map_from_odom } => {
                self.corrections.insert(vehicle, map_from_odom);
            }
            Heard::Remark(remark) => return Some(format!("{time:.3} s: {}", remark.first_line())),
            Heard::Refused(problem) => {
                let line = format!("{time:.3} s: {}", problem.first_line());
                self.refused.get_or_insert(problem);
                return Some(line);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_counts_the_arrivals_of_its_window() {
        let mut topic = TopicRecord::default();
        for tenth in 1..=30 {
            topic.note(SimTime::from_secs(f64::from(tenth) * 0.1), None);
        }
        let rate = |now, window| topic.rate(SimTime::from_secs(now), SimTime::from_secs(window));
        assert_eq!((rate(3.0, 1.0), rate(3.0, 2.0), rate(3.5, 1.0), rate(9.0, 1.0)), (10.0, 10.0, 5.0, 0.0));
    }

    #[test]
    fn the_greatest_delay_of_a_step_counts() {
        let mut known = Known::default();
        let at = SimTime::from_secs;
        for stamp in [0.75, 0.5, 0.875] {
            known.take(Heard::Message { watch: 3, stamp: Some(at(stamp)) }, at(1.0));
        }
        assert_eq!(known.topic(3).unwrap().delay, Some(0.5));
        known.begin_step();
        assert_eq!((known.topic(3).unwrap().delay, known.topic(3).unwrap().count), (None, 3));
        assert_eq!(known.topic(4), None);
    }

    #[test]
    fn a_pose_is_compared_with_the_truth_at_its_stamp() {
        let (mut known, at) = (Known::default(), SimTime::from_secs);
        for tenth in 0..200_u32 {
            let time = f64::from(tenth) * 0.1;
            known.note_truth("r", at(time), Vec2::new(time, 0.0));
        }
        let mut error = |stamp: f64, x: f64| {
            known.begin_step();
            let _ = known.take(Heard::Pose { watch: 1, stamp: at(stamp), position: Vec2::new(x, 0.0) }, at(20.0));
            known.pose_error(1, "r").map(|error| (error * 1e6).round() as i64)
        };
        // Late by a second, and right; between two steps; without a stamp; older than is known.
        assert_eq!(
            [error(18.9, 18.9), error(18.95, 19.0), error(0.0, 19.4), error(3.0, 3.0)],
            [Some(0), Some(100_000), Some(500_000), None]
        );
        known.begin_step();
        assert_eq!((known.pose_error(1, "r"), known.pose_error(2, "r"), known.pose_error(1, "q")), (None, None, None));
    }

    #[test]
    fn a_state_is_told_when_it_changes() {
        let mut known = Known::default();
        let state = |state: &str| Heard::Lifecycle { node: "amcl".into(), vehicle: "r".into(), state: state.into() };
        assert_eq!(known.take(state("inactive"), SimTime::from_secs(1.0)).unwrap(), "1.000 s: amcl is inactive");
        assert_eq!(known.take(state("inactive"), SimTime::from_secs(2.0)), None);
        assert_eq!(known.state("r", "amcl"), Some(("inactive", 1.0)));
        assert!(known.take(state("active"), SimTime::from_secs(3.0)).is_some());
        assert_eq!((known.state("r", "amcl"), known.state("q", "amcl")), (Some(("active", 3.0)), None));
    }
}
