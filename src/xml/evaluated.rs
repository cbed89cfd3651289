//! Conversion of an evaluated text to a typed value, with bounds and error messages.

use super::value::{scan_bool, scan_color, scan_integer, scan_number};
use super::{Accept, Context, Place, Report};

/// An evaluated text, its place, and its name in messages. A conversion that fails records the problem and returns none.
pub(super) struct EvaluatedText<'a> {
    pub(super) context: &'a Context,
    /// The evaluated text, trimmed.
    pub(super) text: String,
    /// The text as written.
    pub(super) raw: &'a str,
    pub(super) place: &'a Place,
    /// What the text is a value of, in messages: `<mu> in <friction class="default">`.
    pub(super) subject: String,
}

impl EvaluatedText<'_> {
    fn error(&self) -> Report<'_> {
        self.context.error(self.place, format!("bad value \"{}\" for {}", self.text, self.subject))
    }

    fn bad(&self, accepted: String) {
        let report = self.error().accepted([accepted]);
        if self.raw.trim() != self.text {
            report.hint(format!("the file has \"{}\"", self.raw.trim()));
        }
    }

    fn warn_suffix(&self, read: impl std::fmt::Display) {
        let message = format!("\"{}\" for {} is read as {read}", self.text, self.subject);
        self.context.warn(self.place, message);
    }

    /// The value that was read at the start of the text, with a warning of the rest; an error if `value` is `None`.
    fn checked<T: Copy + std::fmt::Display>(&self, value: Option<(T, &str)>, accepted: String) -> Option<T> {
        match value {
            Some((value, "")) => return Some(value),
            Some((value, _)) => self.warn_suffix(value),
            None => self.bad(accepted),
        }
        value.map(|(value, _)| value)
    }

    pub(super) fn f64(&self, accept: Accept) -> Option<f64> {
        let number = scan_number(&self.text).filter(|(value, _)| accept.takes(*value));
        self.checked(number, accept.describe("a finite number"))
    }

    pub(super) fn integer(&self, accept: Accept) -> Option<i64> {
        let integer = scan_integer(&self.text).filter(|(value, _)| accept.takes(*value as f64));
        self.checked(integer, accept.describe("a whole number"))
    }

    pub(super) fn bool(&self) -> Option<bool> {
        self.checked(scan_bool(&self.text).map(|value| (value, "")), "true, false, 1, 0".into())
    }

    pub(super) fn color(&self) -> Option<[u8; 4]> {
        let value = scan_color(&self.text);
        if value.is_none() {
            self.bad("#RRGGBB, #RRGGBBAA".into());
        }
        value
    }

    pub(super) fn numbers(&self, counts: &[usize]) -> Option<Vec<f64>> {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let mut numbers = Vec::with_capacity(words.len());
        let mut untidy = false;
        for (index, word) in words.iter().enumerate() {
            match scan_number(word) {
                Some((value, suffix)) if value.is_finite() && (suffix.is_empty() || index + 1 == words.len()) => {
                    untidy |= !suffix.is_empty();
                    numbers.push(value);
                }
                _ => break,
            }
        }
        let most = counts.iter().copied().max();
        let enough = match most {
            None => numbers.len() == words.len(),
            Some(most) if numbers.len() >= most => {
                numbers.truncate(most);
                untidy |= words.len() > most;
                true
            }
            Some(_) => numbers.len() == words.len() && counts.contains(&numbers.len()),
        };
        if !enough {
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            let accepted = match counts.as_slice() {
                [] => "finite numbers, separated by blanks".to_string(),
                _ => format!("{} finite numbers, separated by blanks", counts.join(" or ")),
            };
            self.bad(accepted);
            return None;
        }
        if untidy {
            let read: Vec<String> = numbers.iter().map(f64::to_string).collect();
            self.warn_suffix(read.join(" "));
        }
        Some(numbers)
    }

    pub(super) fn choice<T: Copy>(&self, table: &[(&str, T)]) -> Option<T> {
        let entry = table.iter().find(|(name, _)| *name == self.text);
        if entry.is_none() {
            self.error().one_of(&self.text, table.iter().map(|(name, _)| *name));
        }
        entry.map(|(_, value)| *value)
    }
}
