//! Vertical extents: whether two bodies stand on the same storey.

/// Two vertical extents that overlap by less than this [m] pass over each other.
const MIN_OVERLAP: f64 = 0.01;

/// All heights [m]: the extent of bodies without a height of their own.
pub const ALL_HEIGHTS: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Whether two vertical extents [m], each from low to high, overlap by a centimetre or more, or by half of the thinner one.
#[inline]
pub fn share_heights(a: [f64; 2], b: [f64; 2]) -> bool {
    let overlap = a[1].min(b[1]) - a[0].max(b[0]);
    overlap >= MIN_OVERLAP || overlap >= 0.5 * (a[1] - a[0]).min(b[1] - b[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storeys_meet_where_they_share_a_centimetre() {
        assert!(share_heights([0.0, 1.0], [0.98, 2.0]));
        assert!(!share_heights([0.0, 1.0], [0.995, 2.0]));
        assert!(!share_heights([0.0, 1.0], [1.0, 2.0]));
        assert!(share_heights(ALL_HEIGHTS, [5.0, 5.1]) && share_heights(ALL_HEIGHTS, ALL_HEIGHTS));
        // A mat of 4 mm on the floor, and one of no thickness.
        assert!(share_heights([0.0, 0.6], [0.0, 0.004]) && share_heights([0.0, 0.6], [0.3, 0.3]));
        assert!(!share_heights([0.0, 0.6], [-0.003, 0.001]));
    }
}
