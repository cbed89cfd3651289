//! Uneven ground: heights at the corners of square cells.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_math::Vec2;

use super::Bounds;

/// The largest number of vertices of a height map.
pub const MAX_VERTICES: usize = 40_000_000;

/// Largest number of multiplications for a kernel.
const MAX_KERNEL_WORK: usize = 4_000_000_000;

/// Heights over a grid of square cells. Row i of the grid lies at x = corner.x + i·resolution, column j at
/// y = corner.y + j·resolution. Each cell is two triangles, split along the diagonal from (i, j) to (i+1, j+1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeightMap {
    corner: Vec2,
    resolution: f64,
    rows: usize,
    columns: usize,
    heights: Vec<f64>,
}

/// A point of a height map, in its cell.
struct Place {
    /// Coordinates in the cell, from 0 to 1.
    x: f64,
    y: f64,
    /// Heights [m] of its corners (0, 0), (0, 1), (1, 0) and (1, 1).
    corners: [f64; 4],
}

/// Why a set of numbers is not a valid height map.
#[derive(Clone, Debug, PartialEq)]
pub enum HeightMapError {
    /// Too few vertices for a cell, or too many.
    Size {
        /// Vertices along x.
        rows: usize,
        /// Vertices along y.
        columns: usize,
    },
    /// A height or position that is NaN or infinite, or a length that is not positive.
    NotFinite,
    /// A kernel that would take too long.
    Kernel {
        /// Side length of the kernel: how many numbers it has.
        side: usize,
        /// Vertices of the map.
        vertices: usize,
    },
}

impl From<&HeightMapError> for Diagnostic {
    fn from(error: &HeightMapError) -> Diagnostic {
        match error {
            HeightMapError::Size { rows, columns } => {
                Diagnostic::of(format!("a height map of {rows} x {columns} vertices"))
                    .accepted(format!("2 or more in each direction, at most {MAX_VERTICES} altogether"))
            }
            HeightMapError::NotFinite => Diagnostic::of("a height map with a number that is not finite"),
            HeightMapError::Kernel { side, vertices } => {
                Diagnostic::of(format!("a kernel of {side} x {side} on {vertices} vertices"))
                    .accepted(format!("{MAX_KERNEL_WORK} multiplications altogether"))
            }
        }
    }
}

error_by_parts!(HeightMapError);

/// Checks the number of vertices along x and y against the limits; returns the total.
pub(in crate::world) fn check_size(rows: usize, columns: usize) -> Result<usize, HeightMapError> {
    match rows.checked_mul(columns) {
        Some(count) if rows >= 2 && columns >= 2 && count <= MAX_VERTICES => Ok(count),
        _ => Err(HeightMapError::Size { rows, columns }),
    }
}

impl HeightMap {
    /// A map of `heights` [m], `columns` for each row; vertex (0, 0) at `corner` [m], vertices `resolution` [m] apart.
    pub fn new(corner: Vec2, resolution: f64, columns: usize, heights: Vec<f64>) -> Result<HeightMap, HeightMapError> {
        let rows = heights.len() / columns.max(1);
        let count = check_size(rows, columns)?;
        let places = corner.is_finite() && resolution.is_finite() && resolution > 0.0;
        if count != heights.len() || !places || !heights.iter().all(|height| height.is_finite()) {
            return Err(HeightMapError::NotFinite);
        }
        Ok(HeightMap { corner, resolution, rows, columns, heights })
    }

    /// Position of vertex (0, 0) in the world [m].
    pub fn corner(&self) -> Vec2 {
        self.corner
    }

    /// Distance between neighbouring vertices [m].
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Vertices along x.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Vertices along y.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Heights [m], row by row.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Bounding box [m] and greatest height [m].
    pub(super) fn bounds(&self) -> (Bounds, f64) {
        let mut bounds = Bounds::EMPTY;
        bounds.include(self.corner);
        let size = Vec2::new((self.rows.saturating_sub(1)) as f64, (self.columns - 1) as f64);
        bounds.include(self.corner + self.resolution * size);
        (bounds, self.heights.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Height [m] at `p` [m] by linear interpolation over the triangle that contains it. None off the map.
    #[inline]
    pub fn height_at(&self, p: Vec2) -> Option<f64> {
        let Place { x, y, corners: [h00, h01, h10, h11] } = self.place(p)?;
        Some(if y >= x { h00 + y * (h01 - h00) + x * (h11 - h01) } else { h00 + x * (h10 - h00) + y * (h11 - h10) })
    }

    /// Gradient [-] of the triangle that contains `p` [m], along x and y. None off the map.
    pub(super) fn gradient_at(&self, p: Vec2) -> Option<Vec2> {
        let Place { x, y, corners: [h00, h01, h10, h11] } = self.place(p)?;
        let rise = if y >= x { Vec2::new(h11 - h01, h01 - h00) } else { Vec2::new(h10 - h00, h11 - h10) };
        Some((1.0 / self.resolution) * rise)
    }

    /// The cell of `p` [m]. None off the map.
    #[inline]
    fn place(&self, p: Vec2) -> Option<Place> {
        if self.rows < 2 || self.columns < 2 {
            return None;
        }
        let x = (p.x - self.corner.x) / self.resolution;
        let y = (p.y - self.corner.y) / self.resolution;
        if !(x >= 0.0 && y >= 0.0 && x <= (self.rows.saturating_sub(1)) as f64 && y <= (self.columns - 1) as f64) {
            return None;
        }
        // The outer edges belong to the last cells.
        let (i, j) = ((x as usize).min(self.rows - 2), (y as usize).min(self.columns - 2));
        let (x, y) = (x - i as f64, y - j as f64);
        let at = i * self.columns + j;
        let [h00, h01] = [self.heights[at], self.heights[at + 1]];
        let [h10, h11] = [self.heights[at + self.columns], self.heights[at + self.columns + 1]];
        Some(Place { x, y, corners: [h00, h01, h10, h11] })
    }

    /// The map convolved with a square kernel [-], `side` numbers in a row. Beyond the border heights count as 0, as in
    /// MVSim.
    pub fn convolved(&self, side: usize, kernel: &[f64]) -> Result<HeightMap, HeightMapError> {
        let work = kernel.len().checked_mul(self.heights.len());
        if side == 0 || kernel.len() != side * side || work.is_none_or(|work| work > MAX_KERNEL_WORK) {
            return Err(HeightMapError::Kernel { side, vertices: self.heights.len() });
        }
        let middle = side / 2;
        let mut heights = Vec::with_capacity(self.heights.len());
        for i in 0..self.rows {
            for j in 0..self.columns {
                let mut sum = 0.0;
                for (k, row) in kernel.chunks_exact(side).enumerate() {
                    // Row i − (k − middle) may lie off the map.
                    let Some(from) = (i + middle).checked_sub(k).filter(|&from| from < self.rows) else { continue };
                    let heights = &self.heights[from * self.columns..(from + 1) * self.columns];
                    for (l, weight) in row.iter().enumerate() {
                        if let Some(height) = (j + middle).checked_sub(l).and_then(|from| heights.get(from)) {
                            sum += weight * height;
                        }
                    }
                }
                heights.push(sum);
            }
        }
        HeightMap::new(self.corner, self.resolution, self.columns, heights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> HeightMap {
        HeightMap::new(Vec2::new(-1.0, 2.0), 0.5, 3, vec![0.0, 1.0, 2.0, 10.0, 20.0, 40.0]).unwrap()
    }

    fn at(map: &HeightMap, x: f64, y: f64) -> Option<f64> {
        map.height_at(Vec2::new(x, y))
    }

    #[test]
    fn rows_run_along_x_and_columns_along_y() {
        let map = map();
        assert_eq!((map.rows(), map.columns()), (2, 3));
        for (x, y, height) in [(-1.0, 2.0, 0.0), (-1.0, 2.5, 1.0), (-0.5, 2.0, 10.0), (-0.5, 3.0, 40.0)] {
            assert_eq!(at(&map, x, y), Some(height));
        }
        for (x, y) in [(-1.01, 2.0), (-0.49, 2.0), (-1.0, 1.99), (-1.0, 3.01), (f64::NAN, 2.0)] {
            assert_eq!(at(&map, x, y), None);
        }
    }

    #[test]
    fn each_cell_is_two_triangles_split_by_its_diagonal() {
        let map = map();
        // Cell (0, 0): corners 0, 1 (y), 10 (x), 20. Beyond the diagonal in y, then in x.
        assert_eq!(at(&map, -0.875, 2.375), Some(0.75 + 0.25 * 19.0));
        assert_eq!(at(&map, -0.625, 2.125), Some(7.5 + 0.25 * 10.0));
        assert_eq!(at(&map, -0.75, 2.25), Some(10.0));
        let far = HeightMap::new(Vec2::new(4_077_123.25, 5e6), 0.5, 2, vec![0.0, 0.0, 1.0, 1.0]).unwrap();
        assert_eq!(at(&far, 4_077_123.375, 5e6 + 0.125), Some(0.25));
    }

    #[test]
    fn a_kernel_mixes_neighbours_and_takes_zero_beyond_the_border() {
        let flat = HeightMap::new(Vec2::ZERO, 1.0, 4, vec![1.0; 16]).unwrap();
        let mean = flat.convolved(3, &[1.0 / 9.0; 9]).unwrap();
        assert!((mean.heights()[5] - 1.0).abs() < 1e-12);
        assert!((mean.heights()[0] - 4.0 / 9.0).abs() < 1e-12 && (mean.heights()[1] - 6.0 / 9.0).abs() < 1e-12);
        // A single height is smeared into the kernel itself.
        let mut one = vec![0.0; 25];
        one[12] = 1.0;
        let kernel: Vec<f64> = (1..10).map(f64::from).collect();
        let smeared = HeightMap::new(Vec2::ZERO, 1.0, 5, one).unwrap().convolved(3, &kernel).unwrap();
        let middle: Vec<f64> = (6..=16).step_by(5).flat_map(|at| smeared.heights()[at..at + 3].to_vec()).collect();
        assert_eq!(middle, kernel);
    }

    #[test]
    fn invalid_maps_are_refused() {
        let new = |columns, heights| HeightMap::new(Vec2::ZERO, 1.0, columns, heights).unwrap_err().to_string();
        assert_eq!(
            new(3, vec![0.0; 3]),
            "a height map of 1 x 3 vertices\n  accepted: 2 or more in each direction, at most 40000000 altogether"
        );
        assert_eq!(new(2, vec![0.0, 0.0, f64::NAN, 0.0]), "a height map with a number that is not finite");
        assert!(check_size(usize::MAX, 2).is_err() && check_size(7000, 7000).is_err());
        assert_eq!(
            map().convolved(40_000, &vec![0.0; 1_600_000_000 / 1000]).unwrap_err().to_string(),
            "a kernel of 40000 x 40000 on 6 vertices\n  accepted: 4000000000 multiplications altogether"
        );
    }
}
