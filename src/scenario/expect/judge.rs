//! Judges a criterion while a run is stepped, and at its end.

use std::sync::Arc;

use skidpad_math::Vec2;
use skidpad_metrics::Metrics;
use skidpad_sim::sensor::Reading;
use skidpad_sim::world::{Frame, Scene, VehicleFrame, VehicleInfo};

use super::limit::{Extremes, beside, bounds, distinguished, number};
use super::places::{Closest, area, goal};
use super::{Expected, Kind, Law, Words, peers};
use crate::measures::Now;
use crate::peers::{Known, NeedOf};
use crate::result::{Criterion, Measure};

/// Speed [m/s] and yaw rate [rad/s] below which a vehicle stands, as in the metrics.
const STANDS: (f64, f64) = (0.01, 0.02);

/// A vehicle after a step.
pub struct Seen<'a> {
    /// The scene.
    pub scene: &'a Arc<Scene>,
    /// The frame.
    pub frame: &'a Frame,
    /// Its facts and state; none: it is not there.
    pub vehicle: Option<(&'a VehicleInfo, &'a VehicleFrame)>,
    /// What is observed of it.
    pub now: Option<&'a Now>,
    /// What is known of the nodes beside the simulation.
    pub known: &'a Known,
}

impl Seen<'_> {
    /// Whether it stands.
    pub(super) fn stands(&self) -> bool {
        self.vehicle.is_some_and(|(_, frame)| {
            let velocity = frame.velocity_in_body;
            velocity.linear().norm() < STANDS.0 && velocity.wz.abs() < STANDS.1
        })
    }

    /// Its position in the world [m].
    pub(super) fn position(&self) -> Option<Vec2> {
        self.vehicle.map(|(_, frame)| frame.world_from_body.planar().position())
    }
}

/// How far a criterion is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum State {
    /// It may still hold or not.
    #[default]
    Open,
    /// It has been fulfilled at this time [s].
    Fulfilled(f64),
    /// It does not hold since this time [s].
    Broken(f64),
}

/// The numbers of a whole run.
pub struct Numbers<'a> {
    /// Of all vehicles that are watched.
    pub measures: &'a [Measure],
    /// Of the scenario's vehicle; none: the run was too short.
    pub metrics: Option<&'a Metrics>,
}

/// Judges one criterion.
#[derive(Debug)]
pub struct Judge {
    expected: Expected,
    /// Name of its vehicle.
    vehicle: String,
    state: State,
    extremes: Extremes,
    count: f64,
    closest: Closest,
    /// When its sensor last had a reading [s]; none: before it was looked at.
    heard: Option<f64>,
    /// What was found when it broke; empty: it follows from the extremes.
    found: String,
    /// Whether the vehicle was ever there.
    was_there: bool,
    /// Its number among the criteria, by which topics are watched.
    number: usize,
    /// Indices of the events whose goals it is about.
    goals: Vec<usize>,
    /// Whether its node has been in the state.
    was_so: bool,
}

impl Expected {
    /// Whether its sensor of this vehicle had a reading in this step, or would have had one for whoever takes it.
    fn has_reading(&self, seen: &Seen<'_>, vehicle: &str) -> bool {
        let find = || {
            let vehicle = seen.scene.vehicle_index(vehicle)?;
            let sensors = &seen.scene.vehicles[vehicle].sensors;
            let sensor = sensors.iter().position(|info| Some(&info.name) == self.words.sensor.as_ref())?;
            Some((vehicle, sensor))
        };
        let is_due = |place| {
            let is_of_sensor = |reading: &&Reading| (reading.vehicle, reading.sensor) == place;
            seen.frame.readings.iter().find(is_of_sensor).is_some_and(|reading| reading.was_due(seen.frame.time))
        };
        find().is_some_and(is_due)
    }
}

impl Judge {
    /// Of this criterion, the one of this number, which is about the vehicle `usual` unless it names another one.
    pub fn new(expected: Expected, number: usize, usual: &str) -> Judge {
        let vehicle = expected.words.vehicle.clone().unwrap_or_else(|| usual.to_owned());
        Judge {
            expected,
            vehicle,
            state: State::Open,
            extremes: Extremes::default(),
            count: 0.0,
            closest: Closest::default(),
            heard: None,
            found: String::new(),
            was_there: false,
            number,
            goals: Vec::new(),
            was_so: false,
        }
    }

    /// The same about the goals that the events of these indices send.
    pub(crate) fn about_goals(self, goals: Vec<usize>) -> Judge {
        Judge { goals, ..self }
    }

    /// What it needs of the nodes beside the simulation.
    pub(crate) fn need(&self) -> Option<NeedOf> {
        peers::need(&self.expected, self.number)
    }

    /// Line and column of its key, counted from 1.
    pub(crate) fn place(&self) -> (usize, usize) {
        self.expected.place
    }

    /// Its words.
    pub(super) fn words(&self) -> &Words {
        &self.expected.words
    }

    /// Its number among the criteria.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Indices of the events whose goals it is about.
    pub(super) fn goals(&self) -> &[usize] {
        &self.goals
    }

    /// Whether it is about a goal, of which a run may consist.
    pub(crate) fn is_of_goal(&self) -> bool {
        matches!(self.law(), Some(Law::Goal | Law::Navigation))
    }

    /// Name of its vehicle.
    pub fn vehicle(&self) -> &str {
        &self.vehicle
    }

    /// How far it is judged.
    pub fn state(&self) -> State {
        self.state
    }

    /// The point that its vehicle is to go to [m], if it is a goal.
    pub fn goal(&self) -> Option<Vec2> {
        match self.law()? {
            Law::Goal => self.expected.words.at.map(|[x, y]| Vec2::new(x, y)),
            _ => None,
        }
    }

    /// A few words for pictures, such as `clearance at least 0.1 m`.
    pub fn title(&self) -> String {
        format!("{} {}", self.expected.kind.key(), self.described())
    }

    fn law(&self) -> Option<Law> {
        match self.expected.kind {
            Kind::Row(row) => Some(row.law),
            Kind::Metric(_) | Kind::Field(_) => None,
        }
    }

    /// Looks at the next frame; does nothing once it has been decided.
    pub fn look(&mut self, seen: &Seen<'_>) {
        let Some(law) = self.law().filter(|_| self.state == State::Open) else { return };
        let words = &self.expected.words;
        let time = seen.frame.time.secs();
        if time < words.from.unwrap_or(0.0) || words.until.is_some_and(|until| time > until) || seen.vehicle.is_none() {
            return;
        }
        self.was_there = true;
        match law {
            Law::Limit(get) => {
                if words.area.is_some() && seen.position().is_none_or(|position| !area(words, position)) {
                    return;
                }
                let Some(value) = get(seen, self) else { return };
                self.extremes.note(value, time);
                if words.at_most.is_some_and(|most| value > most) || words.at_least.is_some_and(|least| value < least) {
                    self.state = State::Broken(time);
                    let found = beside(value, self.expected.kind.unit(), words.bounds());
                    self.found = format!("{found}{}", self.nearby(seen));
                }
            }
            Law::Silence => {
                let heard = *self.heard.get_or_insert(time);
                let silence = if self.expected.has_reading(seen, &self.vehicle) { 0.0 } else { time - heard };
                self.heard = Some(time - silence);
                self.extremes.note(silence, time);
                // Sums of steps differ from multiples in their last digits.
                if words.at_most.is_some_and(|most| silence > most + 1e-9) {
                    self.state = State::Broken(time);
                    let sensor = words.sensor.as_deref().unwrap_or_default();
                    self.found = format!("no reading of \"{sensor}\" for {}", beside(silence, "s", words.bounds()));
                }
            }
            Law::Count(added) => {
                self.count += added(seen);
                if words.at_most.is_some_and(|most| self.count > most) {
                    self.state = State::Broken(time);
                    let nearby_object = seen
                        .now
                        .and_then(|now| now.begun.first())
                        .map(|nearby_object| nearby_object.described(seen.scene));
                    let touched =
                        nearby_object.map_or_else(String::new, |touched| format!(", the last with {touched}"));
                    self.found = format!("{}{touched}", number(self.count, ""));
                }
            }
            Law::Goal => {
                if goal(words, seen, &mut self.closest) {
                    self.state = State::Fulfilled(time);
                } else if words.by.is_some_and(|by| time > by) {
                    self.state = State::Broken(time);
                }
            }
            Law::Area { inside } => {
                let Some(position) = seen.position() else { return };
                if area(words, position) != inside {
                    self.state = State::Broken(time);
                    let [x, y, to_x, to_y] = words.area.unwrap_or_default().map(Some);
                    let coordinate = |value: f64, bounds| distinguished(value, format!("{value:.3}"), bounds);
                    let position =
                        format!("({}, {})", coordinate(position.x, [x, to_x]), coordinate(position.y, [y, to_y]));
                    self.found = format!("{} at {position}", if inside { "outside" } else { "inside" });
                }
            }
            Law::Stands => {
                let speed = seen.now.map_or(0.0, |now| now.speed);
                self.extremes.note(speed, time);
                if !seen.stands() {
                    self.state = State::Broken(time);
                    let yaw_rate = seen.now.map_or(0.0, |now| now.yaw_rate);
                    self.found = format!("moves with {} and {}", number(speed, "m/s"), number(yaw_rate, "rad/s"));
                }
            }
            Law::Navigation => {
                let (state, found) = peers::navigation(self, seen);
                (self.state, self.found) = (state, found);
            }
            Law::Lifecycle => {
                let (state, found) = peers::lifecycle(self, seen, self.was_so);
                self.was_so |= found.is_none();
                (self.state, self.found) = (state, found.unwrap_or_default());
            }
        }
    }

    /// What a clearance was to, for messages.
    fn nearby(&self, seen: &Seen<'_>) -> String {
        let nearby_object = match (self.expected.kind.key(), seen.now) {
            ("clearance", Some(now)) => now.nearest.nearby_object,
            ("person_distance", Some(now)) => now.person.nearby_object,
            _ => None,
        };
        nearby_object.map_or_else(String::new, |nearby_object| format!(", to {}", nearby_object.described(seen.scene)))
    }

    /// Whether a run has to go on at this time [s] for it: until the goal is reached, and as long as something is to be watched.
    pub(crate) fn needs_run(&self, time: f64) -> bool {
        let words = &self.expected.words;
        let is_open = self.state == State::Open;
        match self.law() {
            None => false,
            Some(Law::Goal | Law::Navigation) => is_open,
            Some(Law::Lifecycle) => is_open && (!self.was_so || words.until.is_some_and(|until| time < until)),
            Some(Law::Limit(_) | Law::Count(_) | Law::Silence) => {
                let is_unheard = self.need().is_some() && self.extremes.is_empty();
                let is_to_come =
                    words.until.is_some_and(|until| time < until) || words.from.is_some_and(|from| time < from);
                is_open && (is_to_come || is_unheard)
            }
            Some(Law::Area { .. } | Law::Stands) => is_open && words.until.is_none_or(|until| time < until),
        }
    }

    /// Whether it holds only if there is such a number: others hold where there is nothing, such as a clearance where nothing stands.
    fn must_have_value(&self) -> bool {
        self.need().is_some() || ["recoveries", "tracking_error"].contains(&self.expected.kind.key())
    }

    /// What must hold, in words.
    fn described(&self) -> String {
        let words = &self.expected.words;
        let mut text = match self.law() {
            None | Some(Law::Limit(_) | Law::Count(_)) => bounds(words, self.expected.kind.unit()),
            Some(Law::Silence) => {
                let sensor = words.sensor.as_deref().unwrap_or_default();
                format!("{} without a reading of \"{sensor}\"", bounds(words, self.expected.kind.unit()))
            }
            Some(Law::Goal) => goal_words(words),
            Some(Law::Area { inside }) => {
                let [x, y, to_x, to_y] = words.area.unwrap_or_default();
                format!("{} ({x}, {y}) to ({to_x}, {to_y})", if inside { "within" } else { "not within" })
            }
            Some(Law::Stands) => "at rest".to_owned(),
            Some(Law::Navigation | Law::Lifecycle) => peers::described(&self.expected),
        };
        if let (Some(Law::Limit(_)), Some([x, y, to_x, to_y])) = (self.law(), words.area) {
            text += &format!(", within ({x}, {y}) to ({to_x}, {to_y})");
        }
        if let Some(topic) = &words.topic {
            text = format!("{topic} {text}");
        }
        if let Some(from) = words.from {
            text += &format!(", from {from} s");
        }
        if let Some(until) = words.until {
            text += &format!(", until {until} s");
        }
        text
    }

    /// The verdict at the end of the run, at `time` [s]; `is_whole` says that the run was not cut short by another criterion.
    pub fn conclude(&self, numbers: &Numbers<'_>, is_whole: bool) -> Criterion {
        let kind = self.expected.kind;
        let words = &self.expected.words;
        let (held, actual, time) = match (self.state, self.law()) {
            (_, None) => {
                let value = match kind {
                    Kind::Field(field) => numbers.metrics.and_then(field.get),
                    _ => numbers
                        .measures
                        .iter()
                        .find(|measure| measure.key == kind.key() && measure.vehicle.as_deref() == Some(&self.vehicle))
                        .and_then(|measure| measure.value),
                };
                let is_within = |value: f64| {
                    words.at_most.is_none_or(|most| value <= most) && words.at_least.is_none_or(|least| value >= least)
                };
                let actual =
                    value.map_or_else(|| "no value".into(), |value| beside(value, kind.unit(), words.bounds()));
                // What a longer run would have brought is not known.
                let held = value.is_some_and(is_within) || !is_whole && value.is_none();
                (held, actual, None)
            }
            (State::Fulfilled(time), _) => (true, format!("after {}", number(time, "s")), Some(time)),
            (State::Broken(time), Some(Law::Goal)) => (false, self.closest.words(words), Some(time)),
            (State::Broken(time), _) => (false, self.found.clone(), Some(time)),
            (State::Open, Some(Law::Goal)) if is_whole => (false, self.closest.words(words), None),
            (State::Open, Some(Law::Goal)) => (true, format!("undecided, {}", self.closest.words(words)), None),
            (State::Open, Some(_)) if !self.was_there => {
                (!is_whole, format!("no vehicle \"{}\" in this time", self.vehicle), None)
            }
            (State::Open, Some(Law::Count(_))) => {
                let is_enough = words.at_least.is_none_or(|least| self.count >= least) || !is_whole;
                (is_enough, number(self.count, ""), None)
            }
            (State::Open, Some(Law::Limit(_))) if self.extremes.is_empty() && self.must_have_value() => {
                (!is_whole, "no data received".to_owned(), None)
            }
            (State::Open, Some(Law::Limit(_))) if self.extremes.is_empty() && words.area.is_some() => {
                (true, "never in the area".to_owned(), None)
            }
            (State::Open, Some(Law::Limit(_) | Law::Silence)) => (true, self.extremes.words(words, kind.unit()), None),
            (State::Open, Some(Law::Area { inside })) => {
                (true, (if inside { "always inside" } else { "never inside" }).to_owned(), None)
            }
            (State::Open, Some(Law::Stands)) => (true, "at rest".to_owned(), None),
            (State::Open, Some(Law::Navigation)) => {
                let found = if self.found.is_empty() { "no goal was sent" } else { &self.found };
                (!is_whole, if is_whole { found.to_owned() } else { format!("undecided, {found}") }, None)
            }
            (State::Open, Some(Law::Lifecycle)) if self.was_so => (true, "the node is in this state".to_owned(), None),
            (State::Open, Some(Law::Lifecycle)) => (!is_whole, self.found.clone(), None),
        };
        let vehicle = Some(self.vehicle.clone());
        Criterion { name: kind.key().to_owned(), vehicle, expected: self.described(), actual, time, held }
    }
}

/// A goal in words.
fn goal_words(words: &super::Words) -> String {
    let [x, y] = words.at.unwrap_or_default();
    let mut text = format!("within {} m of ({x}, {y})", words.within.unwrap_or_default());
    if let Some(yaw) = words.yaw {
        text += &format!(", yaw {yaw} ± {} rad", words.within_yaw.unwrap_or(super::places::WITHIN_YAW));
    }
    if words.stands == Some(true) {
        text += ", at rest";
    }
    words.by.map_or(text.clone(), |by| format!("{text}, by {by} s"))
}
