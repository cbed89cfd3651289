//! What a matrix of the user's own varies: axes `KEY=A,B,C`, or `KEY:KEY=A:X,B:Y` of keys that change together.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_saphyr::Spanned;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;

use crate::yaml::{self, Refused};

/// One axis: its keys, and the values that they take together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// The keys, at least one.
    pub keys: Vec<String>,
    /// The values of all keys, one after the other; at least one.
    pub values: Vec<Vec<String>>,
    /// Where a config has it; none: it is from a command line.
    pub written: Option<Written>,
}

/// Where the section `vary` of a config has an axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Name of the file.
    file: String,
    /// Line and column of the keys, counted from 1.
    keys: (usize, usize),
    /// Line and column of each value, counted from 1.
    values: Vec<(usize, usize)>,
    /// What is wrong with the axis itself, so that it has no values.
    problem: Option<Diagnostic>,
}

impl Written {
    /// The place of words in the section that stand at this line and column.
    fn place(&self, (line, column): (usize, usize), words: &str) -> String {
        format!("{}:{line}:{column}: vary: {words}", self.file)
    }
}

/// How axes are written.
const FORM: &str = "KEY=A,B,C, or KEY:KEY=A:X,B:Y for keys that change together";

impl Axis {
    /// The axis of `keys` with these `values`, both as they are written.
    ///
    /// # Errors
    /// A key or value is empty or there twice, or a value has too few or too many parts.
    pub fn new(keys: &str, values: &[String]) -> Result<Axis, Diagnostic> {
        let wrong = |found: String| Diagnostic::new(keys, found).accepted(FORM);
        let names: Vec<String> = keys.split(':').map(|key| key.trim().to_owned()).collect();
        if let Some(empty) = names.iter().find(|name| !is_name(name)) {
            return Err(wrong(format!("\"{empty}\" is not a valid name of a key")));
        }
        if values.is_empty() {
            return Err(wrong("no values".into()));
        }
        let mut axis = Axis { keys: names, ..Axis::default() };
        for value in values {
            let parts: Vec<String> = match axis.keys.len() {
                1 => vec![value.trim().to_owned()],
                _ => value.split(':').map(|part| part.trim().to_owned()).collect(),
            };
            if parts.len() != axis.keys.len() || parts.iter().any(String::is_empty) {
                return Err(wrong(format!("\"{value}\" does not give one value for each key")));
            }
            if axis.values.contains(&parts) {
                return Err(wrong(format!("\"{value}\" appears twice")));
            }
            axis.values.push(parts);
        }
        Ok(axis)
    }

    /// Its name: the keys as they are written.
    pub fn name(&self) -> String {
        self.keys.join(":")
    }

    /// One of its values as it is written.
    pub fn label(&self, index: usize) -> String {
        self.values[index].join(":")
    }

    /// Where it is written; `key` is the one of its keys that is meant, or all of them.
    pub(super) fn placed(&self, key: &str) -> String {
        self.written.as_ref().map_or_else(|| format!("--vary {key}"), |written| written.place(written.keys, key))
    }

    /// Where the value with this index is written; `setting` is the part `KEY=VALUE` of it that is meant.
    pub(super) fn place_of(&self, index: usize, setting: &str) -> String {
        let written_value = self.written.as_ref().and_then(|written| Some((written, *written.values.get(index)?)));
        written_value.map_or_else(|| format!("--vary {setting}"), |(written, at)| written.place(at, setting))
    }

    /// One of its values for legends: that of the first key, if it tells all values apart.
    pub fn short(&self, index: usize) -> String {
        let firsts = || self.values.iter().map(|parts| &parts[0]);
        let first = &self.values[index][0];
        if firsts().filter(|other| *other == first).count() == 1 { first.clone() } else { self.label(index) }
    }

    /// The values of its first key as numbers, if all of them are.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let number = |parts: &Vec<String>| parts[0].parse().ok().filter(|number: &f64| number.is_finite());
        self.values.iter().map(number).collect()
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl FromStr for Axis {
    type Err = Diagnostic;

    fn from_str(text: &str) -> Result<Axis, Diagnostic> {
        let Some((keys, values)) = text.split_once('=') else {
            return Err(Diagnostic::of("no values").accepted(FORM));
        };
        let values: Vec<String> = values.split(',').map(str::to_owned).collect();
        Axis::new(keys, &values)
    }
}

/// The axes of a matrix, in the order in which they are written: section `vary` of a config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axes(pub Vec<Axis>);

impl Axes {
    /// Adds axes; one of the same name takes the place of that which is there.
    pub fn add(&mut self, added: impl IntoIterator<Item = Axis>) {
        for other in added {
            match self.0.iter_mut().find(|axis| axis.keys == other.keys) {
                Some(axis) => *axis = other,
                None => self.0.push(other),
            }
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where the runs are asked for: the section of the config in which all axes are, or the option.
    pub(super) fn place(&self) -> String {
        let in_file = self.0.iter().all(|axis| axis.written.is_some());
        let first = self.0.iter().find_map(|axis| axis.written.as_ref()).filter(|_| in_file);
        first.map_or_else(|| "--vary".to_owned(), |written| format!("{}:{}:1: vary", written.file, written.keys.0))
    }

    /// The axes that have been read with mistakes of their own.
    pub(super) fn refused(&self) -> impl Iterator<Item = Refused> {
        self.0.iter().filter_map(|axis| {
            let Written { keys, problem, .. } = axis.written.as_ref()?;
            Some(Refused::At { place: *keys, problem: problem.clone()?.at("vary") })
        })
    }

    /// Makes the names of files relative to `folder`, where they are there; `name` is that of the file that has the axes.
    pub(super) fn find_files(&mut self, name: &str, folder: &Path) {
        for axis in &mut self.0 {
            axis.written.iter_mut().for_each(|written| name.clone_into(&mut written.file));
            for value in &mut axis.values {
                let parts = value.iter_mut().zip(&axis.keys);
                for (part, _) in parts.filter(|(_, key)| ["trajectory", "world"].contains(&key.as_str())) {
                    let placed = folder.join(&*part);
                    if input_file::is_file(&placed) {
                        *part = placed.display().to_string();
                    }
                }
            }
        }
    }

    /// The values of a key, each with its place.
    pub(super) fn values_of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (&'a str, String)> {
        let of_axis = move |axis: &'a Axis| {
            let number = axis.keys.iter().position(|name| name == key)?;
            let value = move |(index, parts): (usize, &'a Vec<String>)| {
                (parts[number].as_str(), axis.place_of(index, &format!("{key}={}", parts[number])))
            };
            Some(axis.values.iter().enumerate().map(value))
        };
        self.0.iter().filter_map(of_axis).flatten()
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|axis| axis.keys.iter().map(String::as_str))
    }
}

impl Serialize for Axes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let labels = |axis: &Axis| (0..axis.values.len()).map(|index| axis.label(index)).collect::<Vec<_>>();
        serializer.collect_map(self.0.iter().map(|axis| (axis.name(), labels(axis))))
    }
}

impl<'de> Deserialize<'de> for Axes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Axes, D::Error> {
        struct Map;
        impl<'de> Visitor<'de> for Map {
            type Value = Axes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("keys with lists of values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Axes, A::Error> {
                let mut axes = Vec::new();
                while let Some((keys, Values(values))) = map.next_entry::<Spanned<String>, Values>()? {
                    let (values, places): (Vec<String>, Vec<_>) =
                        values.into_iter().map(|(Scalar(value), place)| (value, place)).unzip();
                    let written = Written { keys: yaml::place(&keys), values: places, ..Written::default() };
                    let is_placed = written.keys.0 > 0;
                    axes.push(match Axis::new(&keys.value, &values) {
                        Ok(axis) => Axis { written: is_placed.then_some(written), ..axis },
                        // Told by whoever knows the file.
                        Err(problem) if is_placed => Axis {
                            keys: vec![keys.value],
                            values: Vec::new(),
                            written: Some(Written { problem: Some(problem), ..written }),
                        },
                        Err(problem) => return Err(A::Error::custom(problem.in_one_line())),
                    });
                }
                Ok(Axes(axes))
            }
        }
        deserializer.deserialize_map(Map)
    }
}

/// A list of scalars as they would be written on the command line, each with line and column.
struct Values(Vec<(Scalar, (usize, usize))>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Values;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Values, A::Error> {
                let mut values = Vec::new();
                while let Some(item) = list.next_element::<Spanned<Scalar>>()? {
                    let place = yaml::place(&item);
                    values.push((item.value, place));
                }
                Ok(Values(values))
            }
        }
        deserializer.deserialize_seq(List)
    }
}

struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a name or a file")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_lists_of_values_of_one_key_or_of_several() {
        let axis: Axis = "speed=0.5,1, 2".parse().unwrap();
        assert_eq!((axis.name().as_str(), axis.label(2).as_str()), ("speed", "2"));
        assert_eq!(axis.numbers(), Some(vec![0.5, 1.0, 2.0]));
        let tied: Axis = "linearizer:PL_distance=kinematic:0.1,dynamic:0.26".parse().unwrap();
        assert_eq!((tied.keys.len(), tied.label(1).as_str(), tied.numbers()), (2, "dynamic:0.26", None));
        let refused = |text: &str| text.parse::<Axis>().unwrap_err().first_line();
        assert_eq!(refused("speed"), "no values");
        assert_eq!(refused("=1"), ": \"\" is not a valid name of a key");
        assert_eq!(refused("speed="), "speed: \"\" does not give one value for each key");
        assert_eq!(refused("speed=1,2,1"), "speed: \"1\" appears twice");
        assert_eq!(refused("L:M=1:2,3"), "L:M: \"3\" does not give one value for each key");
    }

    #[test]
    fn a_config_has_them_as_a_section() {
        let text = "speed: [0.5, 1, 2e-1]\nFFWD: [true, false]\nlinearizer:L: [kinematic:0.3]\n";
        let axes: Axes = serde_saphyr::from_str(text).unwrap();
        assert_eq!(axes.keys().collect::<Vec<_>>(), ["speed", "FFWD", "linearizer", "L"]);
        assert_eq!(axes.0[0].values.concat(), ["0.5", "1", "0.2"]);
        assert_eq!(axes.0[1].values.concat(), ["true", "false"]);
        let mut more = axes.clone();
        more.add(["speed=3".parse().unwrap(), "Kp=1,2".parse().unwrap()]);
        assert_eq!((more.0.len(), more.0[0].label(0).as_str(), more.0[3].name().as_str()), (4, "3", "Kp"));
    }
}
