//! Spatial index of the surfaces that may lie under a point: a uniform grid over their bounding boxes.

use skidpad_math::Vec2;

use super::Bounds;

/// Approximate number of cells per surface.
const CELLS_PER_SURFACE: f64 = 4.0;
/// Largest number of cells along one side.
const MAX_CELLS: f64 = 1024.0;
/// A surface that covers more than this many cells, and more than this many times the square root of their number, is kept
/// in a separate list, so that the lists of the cells stay few and short.
const WIDE: f64 = 64.0;
const WIDE_ROOTS: f64 = 8.0;

/// A grid of cells, each with the surfaces whose boxes overlap it. Points off the grid belong to its border cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    origin: Vec2,
    /// Cells per metre.
    density: Vec2,
    columns: usize,
    rows: usize,
    /// Start of each cell's surfaces in `items`; one entry more than there are cells.
    starts: Vec<u32>,
    items: Vec<u32>,
    /// Surfaces that cover a large part of the grid.
    wide: Vec<u32>,
}

impl Index {
    /// An index over these boxes; the position in the list is the surface's number. Surfaces without a box are left out.
    pub(super) fn new(boxes: &[Bounds]) -> Index {
        let placed: Vec<(u32, Bounds)> =
            (0..).zip(boxes.iter().copied()).filter(|(_, bounds)| !bounds.is_empty()).collect();
        let [x, y] = [middle_range(placed.iter().map(|(_, b)| b.min.x), placed.iter().map(|(_, b)| b.max.x)), {
            middle_range(placed.iter().map(|(_, b)| b.min.y), placed.iter().map(|(_, b)| b.max.y))
        }];
        let size = Vec2::new((x[1] - x[0]).max(1e-3), (y[1] - y[0]).max(1e-3));
        let side = (size.x * size.y / (CELLS_PER_SURFACE * (placed.len().max(1) as f64))).sqrt();
        // A non-finite extent gives no number of cells; one is enough.
        let count = |length: f64| ((length / side).ceil().clamp(1.0, MAX_CELLS) as usize).max(1);
        let (columns, rows) = (count(size.x), count(size.y));
        let mut index = Index {
            origin: Vec2::new(x[0], y[0]),
            density: Vec2::new(columns as f64 / size.x, rows as f64 / size.y),
            columns,
            rows,
            starts: vec![0; columns * rows + 1],
            ..Index::default()
        };
        let mut narrow = Vec::with_capacity(placed.len());
        for &(surface, bounds) in &placed {
            let (from, to) = (index.cell(bounds.min), index.cell(bounds.max));
            let cells = (to.0 - from.0 + 1) * (to.1 - from.1 + 1);
            if cells as f64 > WIDE.max(WIDE_ROOTS * ((columns * rows) as f64).sqrt()) {
                index.wide.push(surface);
            } else {
                narrow.push((surface, from, to));
            }
        }
        let cells = |from: (usize, usize), to: (usize, usize)| {
            (from.1..=to.1).flat_map(move |row| (from.0..=to.0).map(move |column| row * columns + column))
        };
        for &(_, from, to) in &narrow {
            cells(from, to).for_each(|cell| index.starts[cell + 1] += 1);
        }
        for cell in 0..columns * rows {
            index.starts[cell + 1] += index.starts[cell];
        }
        index.items = vec![0; index.starts.last().map_or(0, |&end| end as usize)];
        let mut next = index.starts.clone();
        for &(surface, from, to) in &narrow {
            for cell in cells(from, to) {
                index.items[next[cell] as usize] = surface;
                next[cell] += 1;
            }
        }
        index
    }

    #[inline]
    fn cell(&self, p: Vec2) -> (usize, usize) {
        // The cast turns negative numbers and NaN into zero.
        let column = ((p.x - self.origin.x) * self.density.x) as usize;
        let row = ((p.y - self.origin.y) * self.density.y) as usize;
        (column.min(self.columns.saturating_sub(1)), row.min(self.rows.saturating_sub(1)))
    }

    /// The surfaces that may lie above or below `p` [m]: the large ones, and those of its cell.
    #[inline]
    pub(super) fn at(&self, p: Vec2) -> (&[u32], &[u32]) {
        if self.items.is_empty() {
            return (&self.wide, &[]);
        }
        let (column, row) = self.cell(p);
        let cell = row * self.columns + column;
        (&self.wide, &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize])
    }
}

/// From the smallest start to the largest end, without the outermost hundredth on each side, so that a few distant surfaces do
/// not make all cells large.
fn middle_range(starts: impl Iterator<Item = f64>, ends: impl Iterator<Item = f64>) -> [f64; 2] {
    let sorted = |values: Vec<f64>| {
        let mut values = values;
        values.sort_by(f64::total_cmp);
        values
    };
    let (starts, ends) = (sorted(starts.collect()), sorted(ends.collect()));
    let cut = starts.len() / 100;
    match (starts.get(cut), ends.len().checked_sub(cut + 1).and_then(|last| ends.get(last))) {
        (Some(&from), Some(&to)) => [from, to.max(from)],
        _ => [0.0, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    fn square(x: f64, y: f64, half: f64) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        bounds.include(Vec2::new(x - half, y - half));
        bounds.include(Vec2::new(x + half, y + half));
        bounds
    }

    #[test]
    fn every_box_that_holds_a_point_is_found_there() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        for count in [0, 1, 2, 50, 1000] {
            let mut boxes: Vec<Bounds> = (0..count)
                .map(|k| {
                    let half = if k % 20 == 0 { 30.0 } else { random.random_range(0.0..2.0) };
                    square(random.random_range(-40.0..40.0), random.random_range(-3.0..90.0), half)
                })
                .collect();
            boxes.push(square(1e6, -1e6, 1.0));
            boxes.push(Bounds::EMPTY);
            let index = Index::new(&boxes);
            for _ in 0..1000 {
                let p = Vec2::new(random.random_range(-60.0..60.0), random.random_range(-60.0..120.0));
                let (wide, near) = index.at(p);
                for (surface, bounds) in (0..).zip(&boxes) {
                    let actual = wide.contains(&surface) || near.contains(&surface);
                    assert!(actual || !bounds.contains(p), "{surface} of {count} at {p:?}");
                }
            }
            let (wide, near) = index.at(Vec2::new(1e6, -1e6));
            assert!(wide.contains(&count) || near.contains(&count));
        }
    }

    #[test]
    fn a_thousand_blocks_give_a_handful_of_candidates_per_place() {
        let mut boxes: Vec<Bounds> =
            (0..1000).map(|k| square(f64::from(k % 40) * 2.0, f64::from(k / 40) * 2.0, 0.25)).collect();
        boxes.push(square(1e7, 0.0, 1.0));
        let index = Index::new(&boxes);
        for k in 0..1000 {
            let (wide, near) = index.at(Vec2::new(f64::from(k % 80), f64::from(k / 20)));
            assert!(wide.is_empty() && near.len() < 8, "{} at {k}", near.len());
        }
    }
}
