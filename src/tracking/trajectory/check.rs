//! Checks of parameters with one form of error message, and the accepted spellings in files.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use skidpad_files::diagnostic::Diagnostic;

/// Fails unless the value is finite and `holds` is true; `accepted` names the accepted values.
pub fn require(name: &str, value: f64, holds: bool, accepted: &str) -> Result<(), Diagnostic> {
    match holds && value.is_finite() {
        true => Ok(()),
        false => Err(Diagnostic::new(name, format!("found {value}")).accepted(accepted)),
    }
}

/// Fails unless the value is finite and positive.
pub fn positive(name: &str, value: f64, unit: &str) -> Result<(), Diagnostic> {
    require(name, value, value > 0.0, &format!("a number > 0 [{unit}]"))
}

/// Fails unless the value is finite and not negative.
pub fn not_negative(name: &str, value: f64, unit: &str) -> Result<(), Diagnostic> {
    require(name, value, value >= 0.0, &format!("a number ≥ 0 [{unit}]"))
}

/// Fails unless the value is finite.
pub fn finite(name: &str, value: f64, unit: &str) -> Result<(), Diagnostic> {
    require(name, value, true, &format!("a finite number [{unit}]"))
}

/// The message for a name that is not among `names`.
pub fn unknown(place: &str, found: &str, names: &[&str]) -> Diagnostic {
    Diagnostic::new(place, format!("found \"{found}\"")).one_of(found, names)
}

/// A name, or its number in the study, as in the study's YAML parameter files.
pub fn name_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a name or a number")]
    enum Either {
        Number(u8),
        Name(String),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Number(number) => number.to_string(),
        Either::Name(name) => name,
    })
}

/// true or false, or the study's 1 or 0.
pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "true, false, 1 or 0")]
    enum Either {
        Flag(bool),
        Number(u8),
    }
    match Either::deserialize(deserializer)? {
        Either::Flag(flag) => Ok(flag),
        Either::Number(number @ (0 | 1)) => Ok(number == 1),
        Either::Number(number) => Err(D::Error::custom(format!("found {number}, accepted: true, false, 1, 0"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::TrackerParameters;
    use crate::trajectory::TrajectoryParameters;

    #[test]
    fn parameter_files_of_the_study_are_read_unchanged() {
        for text in ["trajectory_type: 2", "trajectory_type: \"2\""] {
            let read: TrajectoryParameters = serde_saphyr::from_str(text).unwrap();
            assert_eq!(read.trajectory_type, "2");
            assert!(crate::trajectory::build(&read).is_ok());
        }
        let named: TrajectoryParameters = serde_saphyr::from_str("trajectory_type: circle\nR: 1").unwrap();
        assert_eq!((named.trajectory_type.as_str(), named.circle_radius), ("circle", 1.0));
        for (text, expected) in [("FFWD: 0", false), ("FFWD: 1", true), ("FFWD: false", false), ("FFWD: true", true)] {
            let read: TrackerParameters = serde_saphyr::from_str(text).unwrap();
            assert_eq!(read.feed_forward, expected, "{text}");
        }
        let two = serde_saphyr::from_str::<TrackerParameters>("FFWD: 2").unwrap_err().to_string();
        assert!(two.contains("found 2, accepted: true, false, 1, 0"), "{two}");
    }
}
