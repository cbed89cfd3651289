//! Bounds of quantities, and what was found of them, in words.

use skidpad_metrics::shown;

use super::Words;

/// The least and the greatest value of a quantity, with their times [s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extremes(Option<[(f64, f64); 2]>);

impl Extremes {
    /// Takes the next value.
    pub(super) fn note(&mut self, value: f64, time: f64) {
        let new = (value, time);
        let [least, greatest] = self.0.unwrap_or([new; 2]);
        self.0 = Some([if value < least.0 { new } else { least }, if value > greatest.0 { new } else { greatest }]);
    }

    /// Whether there has been no value.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What was found, for one of these bounds.
    pub(super) fn words(&self, words: &Words, unit: &str) -> String {
        let Some([least, greatest]) = self.0 else { return "no value".to_owned() };
        let reported = |(value, time): (f64, f64)| match value.is_finite() {
            true => format!("{}, after {}", number(value, unit), number(time, "s")),
            false => "nothing in range".to_owned(),
        };
        match (words.at_least, words.at_most) {
            (Some(_), Some(_)) => format!("from {} to {}", number(least.0, unit), number(greatest.0, unit)),
            (Some(_), None) => reported(least),
            _ => reported(greatest),
        }
    }
}

/// A number with its unit, four significant digits.
pub(super) fn number(value: f64, unit: &str) -> String {
    let value = shown(Some(value));
    if unit.is_empty() { value } else { format!("{value} {unit}") }
}

/// The bounds in words.
pub(super) fn bounds(words: &Words, unit: &str) -> String {
    let with_unit = |text: String| if unit.is_empty() { text } else { format!("{text} {unit}") };
    match (words.at_least, words.at_most) {
        (Some(least), Some(most)) => with_unit(format!("from {least} to {most}")),
        (Some(least), None) => with_unit(format!("at least {least}")),
        (None, Some(most)) => with_unit(format!("at most {most}")),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_told_for_the_bound_that_they_are_near() {
        let mut extremes = Extremes::default();
        for (value, time) in [(1.0, 0.1), (3.0, 0.2), (0.5, 0.3), (3.0, 0.4)] {
            extremes.note(value, time);
        }
        let words = |at_least, at_most| Words { at_least, at_most, ..Words::default() };
        assert_eq!(extremes.words(&words(None, Some(4.0)), "m"), "3 m, after 0.2000 s");
        assert_eq!(extremes.words(&words(Some(0.0), None), "m"), "0.5000 m, after 0.3000 s");
        assert_eq!(extremes.words(&words(Some(0.0), Some(4.0)), ""), "from 0.5000 to 3");
        assert_eq!(bounds(&words(Some(0.0), Some(4.0)), "m"), "from 0 to 4 m");
        assert_eq!(bounds(&words(None, Some(0.05)), ""), "at most 0.05");
    }
}
