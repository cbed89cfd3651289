//! Limits on the number of elements of each kind in a world, so that a loop of a few lines cannot take all memory.

use skidpad_xml::Reader;

/// Vehicles and blocks of a world: at some 7 kB each they take no more than 350 MB.
pub(super) const BODIES: Quota = Quota::of("vehicles and blocks", 50_000);
/// Maps, elevation maps and point clouds of a world: one for each storey or district of a large site.
pub(super) const SURVEYS: Quota = Quota::of("maps, elevation maps and point clouds", 64);

/// A limit, and the remaining quota.
#[derive(Clone, Debug)]
pub(super) struct Quota {
    /// The limited elements, for the error.
    elements: &'static str,
    most: usize,
    taken: usize,
}

impl Quota {
    const fn of(elements: &'static str, most: usize) -> Quota {
        Quota { elements, most, taken: 0 }
    }

    /// Reserves a place for the element of `reader`; false if none is left, which is an error at the first such element.
    pub(super) fn take(&mut self, reader: &Reader<'_>) -> bool {
        self.taken = self.taken.saturating_add(1);
        if self.taken == self.most + 1 {
            let accepted = format!("at most {}", self.most);
            reader.error(format!("too many {} in this world", self.elements)).accepted([accepted]);
        }
        self.taken <= self.most
    }
}
