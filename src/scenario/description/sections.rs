//! Reads the sections of a scenario: its own keys, and beside them those of an experiment, in one pass over the file.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;
use skidpad_metrics::experiment::ExperimentConfig;
use skidpad_metrics::yaml;

use crate::beside::{BesideWords, ReadyWords};
use crate::events::EventWords;
use crate::expect::Expect;

/// The keys of a scenario that are none of an experiment.
pub const OWN_KEYS: [&str; 9] =
    ["events", "expect", "seeds", "timeout", "beside", "ready", "lockstep", "pace", "parameters"];

/// All keys of a scenario.
static KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| yaml::keys_of::<ExperimentConfig>().iter().copied().chain(OWN_KEYS).collect());

/// The sections as they are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sections {
    pub(super) experiment: ExperimentConfig,
    /// With line and column, counted from 1.
    pub(super) events: Vec<(EventWords, (usize, usize))>,
    pub(super) expect: Expect,
    pub(super) seeds: Option<Seeds>,
    pub(super) timeout: Option<f64>,
    /// With line and column, counted from 1.
    pub(super) beside: Vec<(BesideWords, (usize, usize))>,
    pub(super) ready: Option<ReadyWords>,
    pub(super) lockstep: Option<f64>,
    pub(super) pace: Option<String>,
    pub(super) parameters: BTreeMap<String, String>,
}

/// Seeds of several runs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a number of seeds, or a list of them")]
pub enum Seeds {
    /// So many, from the scenario's on.
    Count(usize),
    /// These.
    List(Vec<u64>),
}

impl Seeds {
    pub(super) fn count(&self) -> usize {
        match self {
            Seeds::Count(count) => *count,
            Seeds::List(list) => list.len(),
        }
    }

    /// All of them, where the scenario's own is `first`.
    pub(super) fn all(self, first: u64) -> Vec<u64> {
        match self {
            Seeds::Count(count) => (first..).take(count).collect(),
            Seeds::List(list) => list,
        }
    }
}

impl Sections {
    /// Reads the value of a key of its own.
    fn read<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "events" => {
                let events: Option<Vec<Spanned<EventWords>>> = map.next_value()?;
                self.events = with_places(events);
            }
            "beside" => {
                let beside: Option<Vec<Spanned<BesideWords>>> = map.next_value()?;
                self.beside = with_places(beside);
            }
            "ready" => self.ready = map.next_value()?,
            "lockstep" => self.lockstep = map.next_value()?,
            "pace" => self.pace = map.next_value()?,
            "parameters" => self.parameters = map.next_value()?,
            "expect" => self.expect = map.next_value()?,
            "seeds" => self.seeds = map.next_value()?,
            _ => self.timeout = map.next_value()?,
        }
        Ok(())
    }
}

/// The items of a list with line and column.
fn with_places<T>(items: Option<Vec<Spanned<T>>>) -> Vec<(T, (usize, usize))> {
    let with_place = |item: Spanned<T>| {
        let place = yaml::place(&item);
        (item.value, place)
    };
    items.into_iter().flatten().map(with_place).collect()
}

impl<'de> Deserialize<'de> for Sections {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sections, D::Error> {
        struct Root;
        impl<'de> Visitor<'de> for Root {
            type Value = Sections;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the sections of a scenario")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Sections, A::Error> {
                let mut sections = Sections::default();
                let experiment_keys = ExperimentKeys { map, sections: &mut sections };
                let experiment = ExperimentConfig::deserialize(MapAccessDeserializer::new(experiment_keys))?;
                Ok(Sections { experiment, ..sections })
            }
        }
        deserializer.deserialize_map(Root)
    }
}

/// What is left for the experiment.
struct ExperimentKeys<'a, A> {
    map: A,
    sections: &'a mut Sections,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ExperimentKeys<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = Some(seed);
        loop {
            match self.map.next_key_seed(Key(&mut seed, PhantomData))? {
                None => return Ok(None),
                Some(SectionKey::OfExperiment(value)) => return Ok(Some(value)),
                Some(SectionKey::Own(key)) => self.sections.read(key, &mut self.map)?,
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

enum SectionKey<T> {
    Own(&'static str),
    OfExperiment(T),
}

/// Reads a key, which is one of a scenario or goes to the reader of experiments.
struct Key<'a, 'de, K: DeserializeSeed<'de>>(&'a mut Option<K>, PhantomData<&'de ()>);

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<'_, 'de, K> {
    type Value = SectionKey<K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<SectionKey<K::Value>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for Key<'_, 'de, K> {
    type Value = SectionKey<K::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key of a scenario")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SectionKey<K::Value>, E> {
        if let Some(scenario_key) = OWN_KEYS.into_iter().find(|key| *key == text) {
            return Ok(SectionKey::Own(scenario_key));
        }
        match self.0.take() {
            Some(seed) if KEYS.contains(&text) => {
                seed.deserialize(text.into_deserializer()).map(SectionKey::OfExperiment)
            }
            _ => Err(E::unknown_field(text, &KEYS)),
        }
    }
}
