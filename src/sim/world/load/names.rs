//! Generates names for elements without a name, or with a name that is in use: unique in the world, and the same at every load.

use std::collections::{BTreeMap, BTreeSet};

use crate::world::BodyRef;

/// All names given so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// The next number to try for each stem.
    next: BTreeMap<String, usize>,
    /// The body with each name, for names of bodies.
    bodies: BTreeMap<String, BodyRef>,
    /// Names of bodies that could not be read.
    unread: BTreeSet<String>,
}

impl Names {
    /// Whether a name is in use.
    pub(super) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// The body with this name.
    pub(super) fn body(&self, name: &str) -> Option<BodyRef> {
        self.bodies.get(name).copied()
    }

    /// Registers the body of a name.
    pub(super) fn give(&mut self, name: &str, body: BodyRef) {
        self.bodies.insert(name.to_string(), body);
    }

    /// Registers that the body of a name could not be read, which has been reported.
    pub(super) fn note_unread(&mut self, name: String) {
        self.unread.insert(name);
    }

    /// Whether the body of a name could not be read.
    pub(super) fn is_unread(&self, name: &str) -> bool {
        self.unread.contains(name)
    }

    /// `wanted` itself, or, if it is in use, `wanted_2`, `wanted_3`, …
    pub(super) fn unique(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_string()) {
            return wanted.to_string();
        }
        self.numbered(wanted, 2, |stem, number| format!("{stem}_{number}"))
    }

    /// The first free name that `format` builds from the stem and a number; numbers start at `first`.
    pub(super) fn numbered(&mut self, stem: &str, first: usize, format: impl Fn(&str, usize) -> String) -> String {
        let next = self.next.entry(stem.to_string()).or_insert(first);
        loop {
            let name = format(stem, *next);
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_use_get_a_number_that_never_changes() {
        let mut names = Names::default();
        assert_eq!(
            ["crate", "crate_2", "crate", "crate"].map(|n| names.unique(n)),
            ["crate", "crate_2", "crate_3", "crate_4"]
        );
        let block = |names: &mut Names| names.numbered("block", 0, |stem, n| format!("{stem}{n:03}"));
        assert_eq!(names.unique("block001"), "block001");
        assert_eq!([block(&mut names), block(&mut names)], ["block000", "block002"]);
    }
}
