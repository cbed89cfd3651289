//! Counts the laps of a vehicle from its positions, one after the other, so that it serves a running world and a recording alike.
//!
//! The way of a vehicle along the line grows and shrinks as it drives. A lap ends where the way reaches the next multiple of the line's length for the
//! first time, so that whoever reverses over the line, or stands on it with a position that jitters, ends one lap there and not several. The first lap
//! begins with the last such crossing before the vehicle leaves the line. Instants are interpolated between the two positions around them.

use std::sync::Arc;

use skidpad_math::Vec2;

use super::course::Course;
use super::{Cut, Excursion, Lap, Laps, Sector, SpeedDifference};

/// Share of the line's length within which a position is looked for around the one before, beside twice the way driven [-].
const REACH: f64 = 0.05;
/// Share of the line's length after which a vehicle has left the start [-].
const LEFT: f64 = 0.05;
/// Share of the line's length after the line within which a vehicle that stands there at the beginning stands on it [-].
const ON_THE_LINE: f64 = 1e-3;
/// A vehicle has crossed the line right before its first position if that was less than so many intervals before.
const BEFORE: f64 = 1.5;
/// How much nearer another part of the line has to be for a vehicle to have got there [-].
const NEARER: f64 = 0.5;
/// A vehicle that gets along the line by more than so many times the way that it drives takes a short cut [-]: on the inside of a bend, half-way to its
/// middle, it gets along twice its way.
const FASTER: f64 = 2.0;
/// It has cut the line if it has saved more than this share of its length so [-].
const CUT: f64 = 0.1;

/// A position, and what follows from it.
#[derive(Clone, Copy, Debug)]
struct State {
    time: f64,
    position: Vec2,
    /// Way along the line from its beginning [m], over all laps.
    arc_length: f64,
    /// How far it is beyond the nearer border of the track [m], and whether that is the left one for who drives along the line.
    beyond: Option<(f64, bool)>,
}

/// The lap that is being driven.
#[derive(Clone, Debug)]
struct Current {
    /// Way at which it began [m], a multiple of the line's length.
    gate: f64,
    begin: f64,
    /// Instants at which its sectors ended [s].
    marks: Vec<f64>,
    /// Whether it began before the first position.
    is_from_start: bool,
    max_speed: f64,
    /// Sum and sum of squares of the difference to the line's speed, and their number.
    differences: (f64, f64, u32),
}

/// Counts laps.
#[derive(Clone, Debug)]
pub struct LapCounter {
    course: Arc<Course>,
    last: Option<State>,
    current: Option<Current>,
    /// Whether the vehicle has left the line after its first crossing.
    has_left: bool,
    positions: usize,
    /// Sum of the distances to the line [m], and the way along it at first [m].
    distances: f64,
    first_arc_length: f64,
    laps: Vec<Lap>,
    excursions: Vec<Excursion>,
    cuts: Vec<Cut>,
    /// The way saved [m] since an instant [s] and a way along the line [m], by more than what bends save.
    saved: (f64, f64, f64),
}

impl LapCounter {
    /// Counts laps on this course.
    pub fn new(course: Arc<Course>) -> LapCounter {
        LapCounter {
            course,
            last: None,
            current: None,
            has_left: false,
            positions: 0,
            distances: 0.0,
            first_arc_length: 0.0,
            laps: Vec::new(),
            excursions: Vec::new(),
            cuts: Vec::new(),
            saved: (0.0, 0.0, 0.0),
        }
    }

    /// Takes the next position [m] of the vehicle, with its time [s], which is later than that before, and its speed [m/s]. Returns the lap that has
    /// ended with it.
    pub fn push(&mut self, time: f64, position: Vec2, speed: f64) -> Option<&Lap> {
        let course = Arc::clone(&self.course);
        let (arc_length, distance) = self.project(position);
        let now = State { time, position, arc_length, beyond: course.beyond(arc_length, position) };
        self.positions += 1;
        self.distances += distance;
        self.watch_borders(&now);
        let count = self.laps.len();
        match self.last.replace(now) {
            Some(last) => {
                self.watch_cuts(&last, &now);
                self.advance(&last, &now);
            }
            None => self.first_arc_length = arc_length,
        }
        if let Some(current) = &mut self.current {
            current.max_speed = current.max_speed.max(speed);
            if let Some(wanted) = course.line.speed(arc_length) {
                let difference = speed - wanted;
                let (sum, squares, number) = current.differences;
                current.differences = (sum + difference, squares + difference * difference, number + 1);
            }
        }
        self.laps.get(count..)?.last()
    }

    /// The best lap so far [s]; none: no valid one.
    pub fn best(&self) -> Option<f64> {
        super::best(&self.laps)
    }

    /// The way along the line of the last position, over all laps [m].
    pub(super) fn last_arc_length(&self) -> f64 {
        self.last.map_or(0.0, |last| last.arc_length)
    }

    /// What has been counted.
    pub fn into_laps(self) -> Laps {
        let progress = self.last_arc_length() - self.first_arc_length;
        Laps {
            length: self.course.length(),
            ends: self.course.ends.clone(),
            laps: self.laps,
            excursions: self.course.track.is_some().then_some(self.excursions),
            cuts: self.cuts,
            progress,
            mean_distance: self.distances / self.positions.max(1) as f64,
            trace: Vec::new(),
        }
    }

    /// The way along the line of a position, over all laps, and its distance to the line [m].
    fn project(&self, position: Vec2) -> (f64, f64) {
        let Course { line, lost, .. } = &*self.course;
        let length = line.length();
        let Some(last) = self.last else {
            let place = line.place(position);
            return (place.arc_length, place.distance);
        };
        let before = last.arc_length.rem_euclid(length);
        let step_length = (position - last.position).norm();
        let mut place = line.place_near(before, REACH * length + 2.0 * step_length, position);
        // Round the line by the shorter way.
        let step = |to: f64| (to - before + 0.5 * length).rem_euclid(length) - 0.5 * length;
        if place.distance > *lost {
            let elsewhere = line.place(position);
            if elsewhere.distance < NEARER * place.distance {
                place = elsewhere;
            }
        }
        (last.arc_length + step(place.arc_length), place.distance)
    }

    /// Follows whether it gets along the line without driving there: the sum of what it saves, which what it drives in vain uses up.
    fn watch_cuts(&mut self, last: &State, now: &State) {
        let length = self.course.length();
        let gained = (now.arc_length - last.arc_length) - FASTER * (now.position - last.position).norm();
        let (before, ..) = self.saved;
        if before <= 0.0 {
            self.saved = (0.0, last.time, last.arc_length);
        }
        self.saved.0 = (before + gained).max(0.0);
        let (saved, start, from) = self.saved;
        if saved <= CUT * length || gained <= 0.0 {
            return;
        }
        let (from, to) = (from.rem_euclid(length), now.arc_length.rem_euclid(length));
        match self.cuts.last_mut().filter(|cut| cut.start >= start) {
            Some(open) => (open.end, open.to) = (now.time, to),
            None => self.cuts.push(Cut { start, end: now.time, from, to }),
        }
    }

    /// Follows what happens at the borders of the track.
    fn watch_borders(&mut self, now: &State) {
        let Some((excess, is_left)) = now.beyond else { return };
        let last = self.last.and_then(|last| Some((last.time, last.beyond?.0)));
        let open = last.filter(|(_, before)| *before > 0.0).and_then(|_| self.excursions.last_mut());
        // Where it is neither inside nor beyond the border.
        let at_border = |(time, before): (f64, f64)| time + (now.time - time) * (before / (before - excess));
        let place = now.arc_length.rem_euclid(self.course.length());
        match open {
            Some(open) if excess > 0.0 => {
                open.end = now.time;
                if excess > open.excess {
                    (open.excess, open.worst, open.is_left) = (excess, place, is_left);
                }
            }
            Some(open) => open.end = last.map_or(now.time, at_border),
            None if excess > 0.0 => {
                let start = last.map_or(now.time, at_border);
                let (end, arc_length, worst) = (now.time, place, place);
                self.excursions.push(Excursion { start, end, arc_length, worst, excess, is_left });
            }
            None => {}
        }
    }

    /// The instant at which the way reaches `target` [m] between two positions.
    fn instant(&self, last: &State, now: &State, target: f64) -> f64 {
        let (line, step) = (&self.course.line, now.arc_length - last.arc_length);
        let [before, behind] = [last, now].map(|state| line.ahead(target.rem_euclid(line.length()), state.position));
        let is_near = step < 0.25 * line.length() && before < 0.0 && behind >= 0.0;
        let share = if is_near { before / (before - behind) } else { (target - last.arc_length) / step };
        last.time + share * (now.time - last.time)
    }

    /// The instant at which a vehicle was on the line that is a little behind it at both of two positions.
    fn instant_before(&self, last: &State, now: &State) -> f64 {
        let [first, second] = [last, now].map(|state| self.course.line.ahead(0.0, state.position));
        let interval = now.time - last.time;
        let back = if second > first { interval * first / (second - first) } else { 0.0 };
        last.time - back.clamp(0.0, 2.0 * interval)
    }

    /// Follows the vehicle from one position to the next.
    fn advance(&mut self, last: &State, now: &State) {
        let length = self.course.length();
        let step = now.arc_length - last.arc_length;
        match &self.current {
            None => {
                let on_the_line = (BEFORE * step).max(ON_THE_LINE * length);
                let next = (last.arc_length / length).floor() * length + length;
                if self.positions == 2 && last.arc_length <= on_the_line {
                    self.begin(0.0, self.instant_before(last, now), true);
                } else if now.arc_length >= next {
                    self.begin(next, self.instant(last, now, next), false);
                }
            }
            Some(Current { gate, is_from_start, .. }) if !self.has_left => {
                let gate = *gate;
                if last.arc_length < gate && now.arc_length >= gate {
                    self.begin(gate, self.instant(last, now, gate), false);
                } else if *is_from_start && last.arc_length - gate <= ON_THE_LINE * length && step > 0.0 {
                    self.begin(gate, self.instant_before(last, now), true);
                }
            }
            Some(_) => {}
        }
        let Some(current) = &self.current else { return };
        self.has_left |= now.arc_length >= current.gate + LEFT * length;
        while let Some(current) = &self.current
            && let Some(end) = self.course.ends.get(current.marks.len())
            && now.arc_length >= current.gate + end
        {
            let (target, is_last) = (current.gate + end, current.marks.len() + 1 == self.course.ends.len());
            let time = self.instant(last, now, target);
            if let Some(current) = &mut self.current {
                current.marks.push(time);
            }
            if is_last {
                self.finish(target, time);
            }
        }
    }

    fn begin(&mut self, gate: f64, begin: f64, is_from_start: bool) {
        let (max_speed, differences) = (0.0, (0.0, 0.0, 0));
        self.current = Some(Current { gate, begin, marks: Vec::new(), is_from_start, max_speed, differences });
    }

    /// Ends the current lap, and begins the next.
    fn finish(&mut self, gate: f64, end: f64) {
        let Some(lap) = self.current.take() else { return };
        let off_track = |from: f64, to: f64| {
            let parts = self.excursions.iter().map(|e| (e.end.min(to) - e.start.max(from)).max(0.0));
            parts.fold(0.0, |sum, part| sum + part)
        };
        let cuts = |from: f64, to: f64| self.cuts.iter().filter(|cut| cut.end > from && cut.start < to).count();
        let starts = [lap.begin].into_iter().chain(lap.marks.iter().copied());
        let sectors = starts.zip(&lap.marks).map(|(from, to)| Sector {
            duration: to - from,
            is_valid: off_track(from, *to) <= 0.0 && cuts(from, *to) == 0,
        });
        let (sum, squares, number) = lap.differences;
        let count = f64::from(number);
        let finished = Lap {
            number: self.laps.len() + 1,
            start: lap.begin,
            duration: end - lap.begin,
            sectors: sectors.collect(),
            off_track: off_track(lap.begin, end),
            cuts: cuts(lap.begin, end),
            is_from_start: lap.is_from_start,
            max_speed: lap.max_speed,
            speed_difference: (number > 0)
                .then(|| SpeedDifference { mean: sum / count, rms: libm::sqrt(squares / count) }),
        };
        self.laps.push(finished);
        self.begin(gate, end, false);
    }
}
