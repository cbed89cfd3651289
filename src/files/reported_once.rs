//! Reports each problem once, and bounds the number of different ones: the sender of wrong messages chooses their text.

use std::collections::BTreeSet;

/// Most different problems that are reported.
const MAX_PROBLEMS: usize = 32;

/// The problems that have been reported.
#[derive(Clone, Debug, Default)]
pub struct ReportedOnce(BTreeSet<String>);

impl ReportedOnce {
    /// The text if it has not been reported. The last text that is reported says that others are left out.
    pub fn first(&mut self, text: &str) -> Option<String> {
        if self.0.len() >= MAX_PROBLEMS || !self.0.insert(text.to_owned()) {
            return None;
        }
        let is_last = self.0.len() == MAX_PROBLEMS;
        Some(if is_last { format!("{text}\n  other messages like this are left out") } else { text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_problem_is_reported_once_and_endless_ones_are_not() {
        let mut reported = ReportedOnce::default();
        let all: Vec<String> = (0..1000).filter_map(|number| reported.first(&format!("{}", number / 2))).collect();
        assert_eq!((all.len(), all[0].as_str(), all[30].as_str()), (MAX_PROBLEMS, "0", "30"));
        assert_eq!(all[31], "31\n  other messages like this are left out");
        assert_eq!(reported.first("0"), None);
    }
}
