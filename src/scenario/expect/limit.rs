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
        let bounds = words.bounds();
        let reported = |(value, time): (f64, f64)| match value.is_finite() {
            true => format!("{}, after {}", beside(value, unit, bounds), number(time, "s")),
            false => "nothing in range".to_owned(),
        };
        match (words.at_least, words.at_most) {
            (Some(_), Some(_)) => {
                format!("from {} to {}", beside(least.0, unit, bounds), beside(greatest.0, unit, bounds))
            }
            (Some(_), None) => reported(least),
            _ => reported(greatest),
        }
    }
}

/// A number with its unit, four significant digits.
pub(super) fn number(value: f64, unit: &str) -> String {
    with_unit(shown(Some(value)), unit)
}

fn with_unit(text: String, unit: &str) -> String {
    if unit.is_empty() { text } else { format!("{text} {unit}") }
}

impl Words {
    /// The bounds that a number is compared with.
    pub(super) fn bounds(&self) -> [Option<f64>; 2] {
        [self.at_least, self.at_most]
    }
}

/// A number with its unit, in as many digits as tell it from each of these bounds that it differs from.
pub(super) fn beside(value: f64, unit: &str, bounds: impl IntoIterator<Item = Option<f64>>) -> String {
    with_unit(distinguished(value, shown(Some(value)), bounds), unit)
}

/// The text `short` of a number, or more of its digits, where `short` does not tell it from a bound that it differs from.
pub(super) fn distinguished(value: f64, short: String, bounds: impl IntoIterator<Item = Option<f64>>) -> String {
    let bounds: Vec<f64> = bounds.into_iter().flatten().collect();
    let is_distinct = |text: &String| {
        let seen: f64 = text.parse().unwrap_or(f64::NAN);
        bounds.iter().all(|bound| seen.partial_cmp(bound) == value.partial_cmp(bound))
    };
    let longer = (4..=17).map(|decimals| format!("{value:.decimals$}"));
    std::iter::once(short).chain(longer).find(is_distinct).unwrap_or_else(|| value.to_string())
}

/// The bounds in words.
pub(super) fn bounds(words: &Words, unit: &str) -> String {
    match (words.at_least, words.at_most) {
        (Some(least), Some(most)) => with_unit(format!("from {least} to {most}"), unit),
        (Some(least), None) => with_unit(format!("at least {least}"), unit),
        (None, Some(most)) => with_unit(format!("at most {most}"), unit),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_digits_that_tell_it_from_its_bound() {
        let text = |value| beside(value, "m", [Some(0.3), None]);
        assert_eq!(text(0.299_96), "0.29996 m");
        assert_eq!(text(0.3 - 1e-12), "0.299999999999 m");
        assert_eq!((text(0.3).as_str(), text(0.25).as_str()), ("0.3000 m", "0.2500 m"));
        // Sums of steps differ from multiples in their last digit.
        assert_eq!(text(0.1 + 0.2), "0.30000000000000004 m");
        assert_eq!(beside(1.000_04, "", [Some(0.5), Some(1.0)]), "1.00004");
        assert_eq!(beside(f64::INFINITY, "m", [Some(0.3)]), "inf m");
    }

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
