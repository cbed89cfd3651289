//! Results on their way from one process to another, with each bit that reports are made from.

use std::fmt::Display;

use serde::{Deserialize, Deserializer, de};
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_metrics::FIELDS;

use crate::measures::METRICS;
use crate::result::{CaseResult, Measure};

impl CaseResult {
    /// The result as CBOR (RFC 8949), for another process of the same version.
    pub fn to_chunk(&self) -> Vec<u8> {
        let mut chunk = Vec::new();
        // Writing to memory does not fail.
        let _ = ciborium::into_writer(self, &mut chunk);
        chunk
    }

    /// The result that [`to_chunk`](CaseResult::to_chunk) has written.
    ///
    /// # Errors
    /// It is none, or one of another version.
    pub fn of_chunk(chunk: &[u8]) -> Result<CaseResult, Diagnostic> {
        ciborium::from_reader(chunk).map_err(|error: ciborium::de::Error<_>| broken_chunk(&error))
    }
}

fn broken_chunk(error: &impl Display) -> Diagnostic {
    Diagnostic::new("result", format!("cannot be read: {error}"))
        .hint("both processes need the same version of skidpad")
}

/// A number as it travels.
#[derive(Deserialize)]
struct Number {
    key: String,
    vehicle: Option<String>,
    value: Option<f64>,
}

/// Its key is one of the tables.
impl<'de> Deserialize<'de> for Measure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Measure, D::Error> {
        let number = Number::deserialize(deserializer)?;
        let mut keys = METRICS.iter().map(|metric| metric.key).chain(FIELDS.iter().map(|field| field.key));
        match keys.find(|known| *known == number.key) {
            Some(key) => Ok(Measure { key, vehicle: number.vehicle, value: number.value }),
            None => Err(de::Error::custom(format!("no number is called {}", number.key))),
        }
    }
}

/// Messages, by their parts.
pub(crate) mod messages {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Diagnostic, Diagnostics};

    type Parts = (Option<String>, String, Vec<String>, Vec<String>, Option<String>);

    pub(crate) fn serialize<S: Serializer>(all: &Diagnostics, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = |diagnostic: &Diagnostic| -> Parts {
            let Diagnostic { place, found, notes, accepted, hint } = diagnostic.clone();
            (place, found, notes, accepted, hint)
        };
        all.0.iter().map(parts).collect::<Vec<Parts>>().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Diagnostics, D::Error> {
        let all = Vec::<Parts>::deserialize(deserializer)?;
        let of = |(place, found, notes, accepted, hint): Parts| Diagnostic { place, found, notes, accepted, hint };
        Ok(all.into_iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::results;

    #[test]
    fn a_chunk_keeps_each_bit() {
        for mut result in results() {
            if let Some(measure) = result.measures.first_mut() {
                measure.value = Some(0.1 + 0.2);
            }
            assert_eq!(CaseResult::of_chunk(&result.to_chunk()).unwrap(), result);
        }
        let reported = CaseResult::of_chunk(b"something else").unwrap_err().to_string();
        assert!(
            reported.starts_with("result: cannot be read: ") && reported.contains("hint: both processes"),
            "{reported}"
        );
    }
}
