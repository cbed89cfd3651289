//! Parsers for the values of command-line arguments.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::diagnostic::Diagnostic;
use crate::find;
use crate::preset::{self, PRESET_NAMES, Preset};
use crate::time::{Rate, RateError, SimTime};

/// A name of `table`; `kind` names its kind in messages.
pub fn choice<T: Copy>(text: &str, kind: &str, table: &[(&str, T)]) -> Result<T, Diagnostic> {
    let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let value = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    value.ok_or_else(|| Diagnostic::of(format!("unknown {kind}")).one_of(text, &names()))
}

/// The parser of [`choice`]: help, manual pages and completions know its names.
#[derive(Clone)]
pub struct Choice<T: 'static> {
    kind: &'static str,
    table: &'static [(&'static str, T)],
}

impl<T> Choice<T> {
    /// Of the names of `table`; `kind` names their kind in messages.
    pub fn of(kind: &'static str, table: &'static [(&'static str, T)]) -> Choice<T> {
        Choice { kind, table }
    }
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let Choice { kind, table } = *self;
        (move |text: &str| choice(text, kind, table)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.table.iter().map(|(name, _)| PossibleValue::new(*name))))
    }
}

/// A file, also one that comes with the program by its path in the manual.
pub fn shipped_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(find::shipped)
}

/// A preset by its name.
pub(crate) fn preset_name(text: &str) -> Result<&'static Preset, Diagnostic> {
    preset::preset(text).ok_or_else(|| Diagnostic::of("unknown preset").one_of(text, &PRESET_NAMES))
}

/// A variable of a world, `NAME=VALUE`.
pub fn variable(text: &str) -> Result<(String, String), Diagnostic> {
    let name_of = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && name.chars().all(name_of) => Ok((name.into(), value.into())),
        Some(_) | None => {
            Err(Diagnostic::of("not a variable").accepted("NAME=VALUE, with letters, digits and _ in the name"))
        }
    }
}

/// A number for which `is_accepted` holds; otherwise `found` is not one of `accepted`.
pub fn number(text: &str, is_accepted: impl Fn(f64) -> bool, found: &str, accepted: &str) -> Result<f64, Diagnostic> {
    let number = text.parse().ok().filter(|&value| is_accepted(value));
    number.ok_or_else(|| Diagnostic::of(found).accepted(accepted))
}

/// A whole number of this range; `kind` names it in messages.
pub fn whole<T>(text: &str, range: RangeInclusive<T>, kind: &str) -> Result<T, Diagnostic>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse::<T>().ok().filter(|value| range.contains(value));
    number.ok_or_else(|| {
        let accepted = format!("a whole number from {} to {}", range.start(), range.end());
        Diagnostic::of(format!("not {kind}")).accepted(accepted)
    })
}

/// A seed of noise.
pub fn seed(text: &str) -> Result<u64, Diagnostic> {
    whole(text, 0..=u64::MAX, "a seed")
}

/// How often a run is made.
pub fn repetitions(text: &str) -> Result<u32, Diagnostic> {
    whole(text, 1..=100_000, "a number of repetitions")
}

/// A number of runs side by side.
pub fn jobs(text: &str) -> Result<usize, Diagnostic> {
    whole(text, 1..=1024, "a number of runs")
}

/// A number of evaluations in a search.
pub fn evaluations(text: &str) -> Result<usize, Diagnostic> {
    whole(text, 0..=usize::MAX, "a number of evaluations")
}

/// A number of elements of a list.
pub fn elements(text: &str) -> Result<usize, Diagnostic> {
    whole(text, 0..=usize::MAX, "a number of elements")
}

/// The size of a file, in MiB.
pub fn mebibytes(text: &str) -> Result<u64, Diagnostic> {
    whole(text, 1..=1 << 20, "a size in MiB")
}

/// A length [m], > 0.
pub fn length(text: &str) -> Result<f64, Diagnostic> {
    number(text, |value| value > 0.0 && value.is_finite(), "not a length", "a number of metres above 0")
}

/// An angle [rad], > 0.
pub fn angle(text: &str) -> Result<f64, Diagnostic> {
    number(text, |value| value > 0.0 && value.is_finite(), "not an angle", "a number of radians above 0")
}

/// A duration [s], > 0.
pub fn seconds(text: &str) -> Result<f64, Diagnostic> {
    number(text, |value| value > 0.0 && value <= 9e9, "not a time", "a number of seconds above 0, at most 9e9")
}

/// A duration of simulated time, > 0.
pub fn duration(text: &str) -> Result<SimTime, Diagnostic> {
    // A positive duration never rounds to zero.
    seconds(text).map(|value| SimTime::from_secs(value).max(SimTime(1)))
}

/// A rate of simulated time.
pub fn rate(text: &str) -> Result<Rate, Diagnostic> {
    // The option names it.
    text.parse().map_err(|error: RateError| Diagnostic { place: None, ..error.into() })
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, Diagnostic> {
    whole(text, 1..=1024, "a number of threads")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of a parser that refuses a text.
    fn refused<T: std::fmt::Debug>(parsed: Result<T, Diagnostic>) -> String {
        parsed.unwrap_err().to_string()
    }

    #[test]
    fn whole_numbers_outside_of_a_range_are_refused_with_the_range() {
        assert_eq!((whole("3", 3..=5, "a size").unwrap(), whole("5", 3..=5, "a size").unwrap()), (3, 5));
        for wrong in ["2", "6", "-4", "3.5", "abc", "", "99999999999999999999"] {
            let message = refused(whole(wrong, 3..=5_u8, "a size"));
            assert_eq!(message, "not a size\n  accepted: a whole number from 3 to 5", "{wrong}");
        }
    }

    #[test]
    fn a_seed_is_any_whole_number_of_64_bits() {
        assert_eq!((seed("0").unwrap(), seed("18446744073709551615").unwrap()), (0, u64::MAX));
        for wrong in ["abc", "-1", "1.5", "18446744073709551616"] {
            let message = "not a seed\n  accepted: a whole number from 0 to 18446744073709551615";
            assert_eq!(refused(seed(wrong)), message, "{wrong}");
        }
    }

    #[test]
    fn counts_and_sizes_have_their_ranges() {
        assert_eq!((repetitions("1").unwrap(), repetitions("100000").unwrap()), (1, 100_000));
        assert_eq!(
            refused(repetitions("0")),
            "not a number of repetitions\n  accepted: a whole number from 1 to 100000"
        );
        assert_eq!((jobs("1024").unwrap(), threads("1024").unwrap()), (1024, 1024));
        assert_eq!(refused(jobs("0")), "not a number of runs\n  accepted: a whole number from 1 to 1024");
        assert_eq!(refused(threads("1025")), "not a number of threads\n  accepted: a whole number from 1 to 1024");
        assert_eq!((evaluations("0").unwrap(), elements("0").unwrap()), (0, 0));
        assert!(refused(evaluations("many")).starts_with("not a number of evaluations\n  accepted: "));
        assert!(refused(elements("all")).starts_with("not a number of elements\n  accepted: "));
        assert_eq!((mebibytes("1").unwrap(), mebibytes("1048576").unwrap()), (1, 1_048_576));
        assert_eq!(refused(mebibytes("0")), "not a size in MiB\n  accepted: a whole number from 1 to 1048576");
    }

    #[test]
    fn lengths_angles_and_durations_are_above_zero() {
        assert_eq!((length("0.05").unwrap(), angle("0.4").unwrap(), seconds("9e9").unwrap()), (0.05, 0.4, 9e9));
        for wrong in ["0", "-1", "inf", "nan", "wide"] {
            assert_eq!(refused(length(wrong)), "not a length\n  accepted: a number of metres above 0", "{wrong}");
            assert_eq!(refused(angle(wrong)), "not an angle\n  accepted: a number of radians above 0", "{wrong}");
            let message = "not a time\n  accepted: a number of seconds above 0, at most 9e9";
            assert_eq!(refused(seconds(wrong)), message, "{wrong}");
        }
    }
}
