//! Tells each problem once, and bounds how many different ones there are: whoever sends wrong messages chooses what is in them.

use std::collections::BTreeSet;

/// Most different problems that are told.
const MOST: usize = 32;

/// The problems that have been told.
#[derive(Clone, Debug, Default)]
pub struct ToldOnce(BTreeSet<String>);

impl ToldOnce {
    /// The text if it has not been told. The last one that is told says that others are not.
    pub fn first(&mut self, text: &str) -> Option<String> {
        if self.0.len() >= MOST || !self.0.insert(text.to_owned()) {
            return None;
        }
        let is_last = self.0.len() == MOST;
        Some(if is_last { format!("{text}\n  other messages like this are left out") } else { text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_problem_is_told_once_and_endless_ones_are_not() {
        let mut told = ToldOnce::default();
        let all: Vec<String> = (0..1000).filter_map(|number| told.first(&format!("{}", number / 2))).collect();
        assert_eq!((all.len(), all[0].as_str(), all[30].as_str()), (MOST, "0", "30"));
        assert_eq!(all[31], "31\n  other messages like this are left out");
        assert_eq!(told.first("0"), None);
    }
}
