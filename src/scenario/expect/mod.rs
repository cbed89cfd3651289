//! What must hold: section `expect` of a scenario, a list of criteria, or a section of them where each is there once.
//!
//! Which criteria there are, what each reads and in which words it is told follow from the table [`CRITERIA`], and from those of the metrics
//! [`METRICS`] and [`FIELDS`], each of which can be bounded.

mod judge;
mod limit;
mod peers;
mod places;
mod table;

use std::fmt;
use std::sync::LazyLock;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_metrics::experiment::ExperimentConfig;
use skidpad_metrics::{FIELDS, Field, Metrics, yaml};

pub use judge::{Judge, Numbers, Seen, State};
pub use table::{CRITERIA, CriterionKind, Law};

use crate::measures::{METRICS, Metric};
use crate::peers::GoalStatus;

/// The words of a criterion as they are written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// Upper bound, which is accepted, in the unit of the criterion.
    pub at_most: Option<f64>,
    /// Lower bound, which is accepted, in the unit of the criterion.
    pub at_least: Option<f64>,
    /// A point of the world [m].
    pub at: Option<[f64; 2]>,
    /// Heading [rad].
    pub yaw: Option<f64>,
    /// Greatest distance from the point [m].
    pub within: Option<f64>,
    /// Greatest difference of the heading [rad].
    pub within_yaw: Option<f64>,
    /// Until when it must be fulfilled [s of simulated time].
    pub by: Option<f64>,
    /// Whether the vehicle has to stand there.
    pub stands: Option<bool>,
    /// Lower and upper corner of a box in the world: x, y, x, y [m].
    pub area: Option<[f64; 4]>,
    /// From when on it is looked at [s of simulated time].
    pub from: Option<f64>,
    /// Until when it is looked at [s of simulated time].
    pub until: Option<f64>,
    /// The vehicle; none: that of the scenario.
    pub vehicle: Option<String>,
    /// The name of an event that sends a goal.
    pub of: Option<String>,
    /// How the goal is to end; none: it succeeds.
    pub status: Option<GoalStatus>,
    /// The error code that it is to end with.
    pub error_code: Option<u16>,
    /// Name of a managed ROS node.
    pub node: Option<String>,
    /// Its lifecycle state; none: active.
    pub state: Option<String>,
    /// Name of a topic.
    pub topic: Option<String>,
    /// Time over which messages are counted [s].
    pub window: Option<f64>,
    /// The frame of a position.
    pub frame: Option<FrameWord>,
    /// A sensor of the vehicle.
    pub sensor: Option<String>,
}

/// Frames in which a vehicle believes to be somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameWord {
    /// That of its odometry.
    Odom,
    /// The map, by the transform from the map to the odometry.
    Map,
}

impl Words {
    /// The names of those that are given.
    fn given(&self) -> Vec<&'static str> {
        let all = [
            ("at_most", self.at_most.is_some()),
            ("at_least", self.at_least.is_some()),
            ("at", self.at.is_some()),
            ("yaw", self.yaw.is_some()),
            ("within", self.within.is_some()),
            ("within_yaw", self.within_yaw.is_some()),
            ("by", self.by.is_some()),
            ("stands", self.stands.is_some()),
            ("area", self.area.is_some()),
            ("from", self.from.is_some()),
            ("until", self.until.is_some()),
            ("vehicle", self.vehicle.is_some()),
            ("of", self.of.is_some()),
            ("status", self.status.is_some()),
            ("error_code", self.error_code.is_some()),
            ("node", self.node.is_some()),
            ("state", self.state.is_some()),
            ("topic", self.topic.is_some()),
            ("window", self.window.is_some()),
            ("frame", self.frame.is_some()),
            ("sensor", self.sensor.is_some()),
        ];
        all.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }

    /// The numbers that are given, by name.
    fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let scalars = [
            ("at_most", self.at_most),
            ("at_least", self.at_least),
            ("yaw", self.yaw),
            ("within", self.within),
            ("within_yaw", self.within_yaw),
            ("by", self.by),
            ("from", self.from),
            ("until", self.until),
            ("window", self.window),
        ];
        let at = self.at.into_iter().flatten().map(|number| ("at", number));
        let area = self.area.into_iter().flatten().map(|number| ("area", number));
        scalars.into_iter().filter_map(|(name, number)| Some((name, number?))).chain(at).chain(area)
    }
}

/// What a criterion is about.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A row of [`CRITERIA`].
    Row(&'static CriterionKind),
    /// A metric of a vehicle.
    Metric(&'static Metric),
    /// A number of the analysis of the scenario's vehicle.
    Field(&'static Field<Metrics>),
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.key() == other.key()
    }
}

/// The keys of all criteria.
pub(crate) static KEYS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut keys: Vec<&str> = CRITERIA.iter().map(|row| row.key).collect();
    for key in METRICS.iter().map(|metric| metric.key).chain(FIELDS.iter().map(|field| field.key)) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
});

impl Kind {
    /// The kind of this key.
    pub fn of(key: &str) -> Option<Kind> {
        let row = CRITERIA.iter().find(|row| row.key == key).map(Kind::Row);
        let metric = || METRICS.iter().find(|metric| metric.key == key).map(Kind::Metric);
        row.or_else(metric).or_else(|| FIELDS.iter().find(|field| field.key == key).map(Kind::Field))
    }

    /// Its key.
    pub fn key(&self) -> &'static str {
        match self {
            Kind::Row(row) => row.key,
            Kind::Metric(metric) => metric.key,
            Kind::Field(field) => field.key,
        }
    }

    /// Its unit; empty: a plain number, or none.
    pub fn unit(&self) -> &'static str {
        match self {
            Kind::Row(row) => row.unit,
            Kind::Metric(metric) => metric.unit,
            Kind::Field(field) => field.unit,
        }
    }

    /// The words that it reads.
    fn reads(&self) -> &'static [&'static str] {
        match self {
            Kind::Row(row) => row.reads,
            Kind::Metric(_) => &["at_most", "at_least", "vehicle"],
            Kind::Field(_) => &["at_most", "at_least"],
        }
    }

    /// The words that it needs.
    fn needs(&self) -> &'static [&'static str] {
        match self {
            Kind::Row(row) => row.needs,
            Kind::Metric(_) | Kind::Field(_) => &[],
        }
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        struct Key;
        impl Visitor<'_> for Key {
            type Value = Kind;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the key of a criterion")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Kind, E> {
                Kind::of(text).ok_or_else(|| E::unknown_field(text, &KEYS))
            }
        }
        deserializer.deserialize_identifier(Key)
    }
}

/// A criterion as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// What it is about.
    pub kind: Kind,
    /// Its words.
    pub words: Words,
    /// Line and column of its key, counted from 1.
    pub place: (usize, usize),
}

impl Expected {
    /// What is wrong with it in a scenario with this experiment, of this duration [s].
    pub(crate) fn check(&self, experiment: &ExperimentConfig, duration: f64) -> Option<Diagnostic> {
        let key = self.kind.key();
        let (given, reads) = (self.words.given(), self.kind.reads());
        if let Some(unknown) = given.iter().find(|name| !reads.contains(name)) {
            return Some(Diagnostic::new(key, format!("has no key {unknown}")).accepted_all(reads.iter().copied()));
        }
        if let Some(missing) = self.kind.needs().iter().find(|name| !given.contains(name)) {
            return Some(Diagnostic::new(key, format!("missing key \"{missing}\"")));
        }
        let is_bounded = given.contains(&"at_most") || given.contains(&"at_least");
        if reads.contains(&"at_most") && !is_bounded {
            return Some(Diagnostic::new(key, "has no bound").accepted("at_most, at_least, or both"));
        }
        let out_of_range = |(name, number): &(&str, f64)| {
            let is_accepted = match *name {
                "within" | "within_yaw" | "by" | "window" => *number > 0.0,
                "from" | "until" => *number >= 0.0,
                _ => true,
            };
            !(number.is_finite() && is_accepted)
        };
        if let Some((name, number)) = self.words.numbers().find(out_of_range) {
            return Some(Diagnostic::new(format!("{key}.{name}"), format!("found {number}")).accepted("a number > 0"));
        }
        let order = |low: Option<f64>, high: Option<f64>| low.zip(high).is_none_or(|(low, high)| low <= high);
        let [x, y, to_x, to_y] = self.words.area.unwrap_or_default();
        let pairs = [
            (order(self.words.at_least, self.words.at_most), "at_least is greater than at_most"),
            (order(self.words.from, self.words.until), "from is later than until"),
            (x <= to_x && y <= to_y, "the first corner of the area is beyond the second"),
        ];
        if let Some((_, found)) = pairs.into_iter().find(|(is_right, _)| !is_right) {
            return Some(Diagnostic::new(key, found));
        }
        let times = [("by", self.words.by), ("from", self.words.from), ("until", self.words.until)];
        let late = times.into_iter().find(|(_, time)| time.is_some_and(|time| time > duration));
        if let Some((name, Some(time))) = late {
            let found = format!("found {time}, after the end of the run");
            let accepted = format!("at most the duration, {duration} [s]");
            return Some(Diagnostic::new(format!("{key}.{name}"), found).accepted(accepted));
        }
        if let Some(wrong) = self.check_peers() {
            return Some(wrong);
        }
        let needs_reference = match self.kind {
            Kind::Field(field) => field.help.contains("error") || field.help.contains("path"),
            Kind::Row(row) => row.key == "tracking_error",
            Kind::Metric(_) => false,
        };
        (needs_reference && !experiment.has_trajectory()).then(|| {
            Diagnostic::new(key, "the vehicle follows no trajectory").hint("set controller: builtin to follow one")
        })
    }
}

/// All criteria of a scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Expect(pub(crate) Vec<Expected>);

impl<'de> Deserialize<'de> for Expect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expect, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Expect;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("criteria, such as collisions: {at_most: 0}")
            }

            fn visit_unit<E>(self) -> Result<Expect, E> {
                Ok(Expect::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Expect, A::Error> {
                let mut all = Vec::new();
                while let Some(Entries(criteria)) = list.next_element()? {
                    all.extend(criteria);
                }
                Ok(Expect(all))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expect, A::Error> {
                entries(map).map(Expect)
            }
        }
        deserializer.deserialize_any(List)
    }
}

fn entries<'de, A: MapAccess<'de>>(mut map: A) -> Result<Vec<Expected>, A::Error> {
    let mut all = Vec::new();
    while let Some(key) = map.next_key::<Spanned<Kind>>()? {
        all.push(Expected { kind: key.value, place: yaml::place(&key), words: map.next_value()? });
    }
    Ok(all)
}

/// An item of the list.
struct Entries(Vec<Expected>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries, D::Error> {
        struct Item;
        impl<'de> Visitor<'de> for Item {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a criterion, such as collisions: {at_most: 0}")
            }

            fn visit_unit<E>(self) -> Result<Entries, E> {
                Ok(Entries(Vec::new()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entries, A::Error> {
                entries(map).map(Entries)
            }
        }
        deserializer.deserialize_any(Item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        for row in CRITERIA {
            assert!(row.needs.iter().all(|name| row.reads.contains(name)), "{}", row.key);
            assert!(!row.help.is_empty() && row.reads.contains(&"vehicle"), "{}", row.key);
        }
        let mut keys = KEYS.clone();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), KEYS.len());
    }

    #[test]
    fn words_that_do_not_belong_together_are_refused() {
        let refused = |key: &str, text: &str| {
            let words: Words = serde_json::from_str(text).unwrap();
            let expected = Expected { kind: Kind::of(key).unwrap(), words, place: (1, 1) };
            let problem = expected.check(&ExperimentConfig::default(), 60.0);
            problem.or_else(|| expected.check_names(&[], false)).map(|problem| problem.first_line())
        };
        assert_eq!(refused("goal", r#"{"at": [1, 2], "within": 0.1, "by": 60}"#), None);
        assert_eq!(refused("goal", r#"{"within": 0.1}"#).unwrap(), "goal: missing key \"at\"");
        assert_eq!(refused("goal", r#"{"at": [1, 2], "within": 0}"#).unwrap(), "goal.within: found 0");
        assert_eq!(refused("speed", r#"{"by": 3, "at_most": 1}"#).unwrap(), "speed: has no key by");
        assert_eq!(refused("speed", "{}").unwrap(), "speed: has no bound");
        assert_eq!(refused("navigation", "{}").unwrap(), "navigation: no event sends a goal");
        assert_eq!(refused("localisation_error", r#"{"at_most": 1, "topic": "amcl_pose"}"#), None);
        assert_eq!(
            refused("localisation_error", r#"{"at_most": 1, "topic": "amcl_pose", "frame": "map"}"#).unwrap(),
            "localisation_error: frame and topic exclude each other"
        );
        assert_eq!(refused("lifecycle", r#"{"node": "amcl"}"#).unwrap(), "lifecycle: needs exactly one of by and from");
        assert_eq!(
            refused("speed", r#"{"at_most": 1, "at_least": 2}"#).unwrap(),
            "speed: at_least is greater than at_most"
        );
        assert_eq!(
            refused("speed", r#"{"at_most": 1, "from": 70}"#).unwrap(),
            "speed.from: found 70, after the end of the run"
        );
    }
}
