//! Which pixels a camera looks through at once.
//!
//! Rays of a packet share the boxes that any of them enters, so that they are cheapest where they are closest: four columns of two rows enter
//! fewer than eight columns of one.

use crate::raycast::space::PACKET;

/// Most rows that are taken together.
pub(super) const ROWS: usize = 2;

/// Pixels that are next to each other in one or two rows, those of the upper row first.
pub(super) struct Tile {
    /// The row of each, counted from the first, and its column; those from `count` on are the last one again.
    pub(super) pixels: [(usize, usize); PACKET],
    pub(super) count: usize,
}

impl Tile {
    /// Those of up to [`ROWS`] rows with so many columns: each pixel is in one, and those of a row come from left to right.
    pub(super) fn of_rows(rows: usize, columns: usize) -> impl Iterator<Item = Tile> {
        let most = PACKET / rows.max(1);
        (0..columns).step_by(most).map(move |first| {
            let width = most.min(columns - first);
            let count = rows * width;
            let pixel = |lane: usize| if lane < width { (0, first + lane) } else { (1, first + lane - width) };
            Tile { pixels: std::array::from_fn(|lane| pixel(lane.min(count - 1))), count }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_is_in_one_tile_and_rows_run_to_the_right() {
        for (rows, columns) in [(1, 1), (1, 8), (1, 13), (2, 1), (2, 4), (2, 7), (2, 160)] {
            let mut next = [0; ROWS];
            for Tile { pixels, count } in Tile::of_rows(rows, columns) {
                for (row, column) in &pixels[..count] {
                    assert_eq!((*column, *row < rows), (next[*row], true), "{rows} rows of {columns}");
                    next[*row] += 1;
                }
                assert!(pixels[count..].iter().all(|filler| *filler == pixels[count - 1]));
            }
            assert_eq!(next[..rows], [columns; ROWS][..rows], "{rows} rows of {columns}");
        }
    }
}
