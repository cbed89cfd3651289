//! Linear systems with a symmetric positive definite matrix whose entries lie near the diagonal, as for a chain of joints:
//! stored row by row from the first non-zero entry (the envelope), factored into L·D·Lᵀ in place (A. George and J. Liu,
//! "Computer Solution of Large Sparse Positive Definite Systems", 1981, ch. 4). The memory is reused.

/// Largest distance of an entry from the diagonal; entries beyond are dropped, and the outer iteration corrects for them. This
/// bounds the work in worlds with thousands of joints on one body.
const MAX_JOINTS: usize = 300;
/// Smallest pivot relative to the diagonal, so that redundant rows share their impulse.
const MIN_PIVOT: f64 = 1e-10;

/// A symmetric matrix, or its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Envelope {
    /// Start of each row in `entries`; a row ends with its diagonal entry, before the start of the next.
    starts: Vec<usize>,
    entries: Vec<f64>,
}

impl Envelope {
    /// Reserves memory for this many rows: all entries for few rows, a band for many.
    pub(super) fn with_capacity(rows: usize) -> Envelope {
        let reach = if rows <= 100 { rows } else { 20 };
        Envelope { starts: Vec::with_capacity(rows + 1), entries: Vec::with_capacity(rows * (reach + 1)) }
    }

    /// Clears all rows.
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.entries.clear();
    }

    fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Adds a row whose first non-zero entry is not before column `first`; `entry` gives each entry up to the diagonal.
    pub(super) fn push(&mut self, first: usize, entry: impl Fn(usize) -> f64) {
        let row = self.rows();
        let first = first.max(row.saturating_sub(MAX_JOINTS));
        self.entries.extend((first..=row).map(entry));
        self.starts.push(self.entries.len());
    }

    /// First column of a row.
    fn first(&self, row: usize) -> usize {
        row + 1 - (self.starts[row + 1] - self.starts[row])
    }

    /// Factors the matrix.
    pub(super) fn factor(&mut self) {
        for row in 0..self.rows() {
            let (start, first) = (self.starts[row], self.first(row));
            let (above, this_row) = self.entries.split_at_mut(start);
            for column in first..row {
                // this_row[k] holds L·D until its column is finished.
                let other_first = column + 1 - (self.starts[column + 1] - self.starts[column]);
                let from = first.max(other_first);
                let other_entries = &above[self.starts[column] + from - other_first..self.starts[column + 1] - 1];
                let entries = &this_row[from - first..column - first];
                let sum: f64 = entries.iter().zip(other_entries).map(|(a, b)| a * b).sum();
                this_row[column - first] -= sum;
            }
            let diagonal = this_row[row - first];
            let mut pivot = diagonal;
            for column in first..row {
                let scaled = this_row[column - first] / above[self.starts[column + 1] - 1];
                pivot -= this_row[column - first] * scaled;
                this_row[column - first] = scaled;
            }
            this_row[row - first] = if pivot > MIN_PIVOT * diagonal { pivot } else { MIN_PIVOT * diagonal };
        }
    }

    /// Replaces the right-hand side `x` by the solution; after [`Self::factor`].
    pub(super) fn solve(&self, x: &mut [f64]) {
        for row in 0..self.rows() {
            let first = self.first(row);
            let entries = &self.entries[self.starts[row]..self.starts[row + 1] - 1];
            let sum: f64 = entries.iter().zip(&x[first..row]).map(|(l, x)| l * x).sum();
            x[row] -= sum;
        }
        for (x, end) in x.iter_mut().zip(&self.starts[1..]) {
            *x /= self.entries[end - 1];
        }
        for row in (0..self.rows()).rev() {
            let first = self.first(row);
            let entries = &self.entries[self.starts[row]..self.starts[row + 1] - 1];
            let known = x[row];
            for (l, x) in entries.iter().zip(&mut x[first..row]) {
                *x -= l * known;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        matrix.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    fn solved(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
        let mut envelope = Envelope::with_capacity(matrix.len());
        envelope.clear();
        for (i, row) in matrix.iter().enumerate() {
            let first = row.iter().position(|&a| a != 0.0).unwrap_or(i).min(i);
            envelope.push(first, |k| row[k]);
        }
        envelope.factor();
        let mut x = right.to_vec();
        envelope.solve(&mut x);
        x
    }

    #[test]
    fn solutions_of_full_banded_and_gappy_matrices_satisfy_them() {
        for reach in [0, 1, 3, 9] {
            let n = 10;
            // Diagonally dominant, so positive; with holes inside the envelope.
            let entry = |i: usize, k: usize| {
                if i == k {
                    20.0 + i as f64
                } else if i.abs_diff(k) <= reach && !(i + k).is_multiple_of(3) {
                    ((7 * i.max(k) + 3 * i.min(k)) % 5) as f64 - 2.0
                } else {
                    0.0
                }
            };
            let matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|k| entry(i, k)).collect()).collect();
            let right: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
            let x = solved(&matrix, &right);
            for (actual, wanted) in product(&matrix, &x).iter().zip(&right) {
                assert!((actual - wanted).abs() < 1e-12, "reach {reach}: {actual} for {wanted}");
            }
        }
    }

    #[test]
    fn redundant_rows_are_solved() {
        let x = solved(&[vec![2.0, 2.0], vec![2.0, 2.0]], &[1.0, 1.0]);
        assert!((x[0] + x[1] - 0.5).abs() < 1e-6 && x[0].is_finite(), "{x:?}");
    }
}
