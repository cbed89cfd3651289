//! Small dense matrices on the stack. Their sums have one order, so that they have the same bits on every machine; general libraries
//! choose instructions by the processor.

/// Most rows and columns.
pub(super) const MAX_ROWS: usize = 10;

/// A matrix with up to [`MAX_ROWS`] rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix {
    rows: usize,
    columns: usize,
    values: [[f64; MAX_ROWS]; MAX_ROWS],
}

impl Matrix {
    /// Zeros.
    pub(super) fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix { rows: rows.min(MAX_ROWS), columns: columns.min(MAX_ROWS), values: [[0.0; MAX_ROWS]; MAX_ROWS] }
    }

    /// The identity.
    pub(super) fn identity(size: usize) -> Matrix {
        let mut matrix = Matrix::zeros(size, size);
        (0..matrix.rows).for_each(|i| matrix.values[i][i] = 1.0);
        matrix
    }

    /// A column of these numbers.
    pub(super) fn column(numbers: &[f64]) -> Matrix {
        let mut matrix = Matrix::zeros(numbers.len(), 1);
        numbers.iter().take(MAX_ROWS).enumerate().for_each(|(i, number)| matrix.values[i][0] = *number);
        matrix
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row][column]
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row][column] = value;
    }

    /// The part of `rows` × `columns` that begins at a row and a column.
    pub(super) fn block(&self, [row, column]: [usize; 2], [rows, columns]: [usize; 2]) -> Matrix {
        let mut block = Matrix::zeros(rows, columns);
        for i in 0..block.rows {
            for j in 0..block.columns {
                block.values[i][j] = self.values[row + i][column + j];
            }
        }
        block
    }

    /// Puts `block` at a row and a column.
    pub(super) fn put(&mut self, [row, column]: [usize; 2], block: &Matrix) {
        for i in 0..block.rows {
            for j in 0..block.columns {
                self.values[row + i][column + j] = block.values[i][j];
            }
        }
    }

    pub(super) fn transposed(&self) -> Matrix {
        let mut out = Matrix::zeros(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                out.values[j][i] = self.values[i][j];
            }
        }
        out
    }

    pub(super) fn times(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for k in 0..self.columns.min(other.rows) {
                let factor = self.values[i][k];
                for j in 0..other.columns {
                    out.values[i][j] += factor * other.values[k][j];
                }
            }
        }
        out
    }

    /// `self + factor·other`.
    pub(super) fn plus(&self, factor: f64, other: &Matrix) -> Matrix {
        let mut out = *self;
        for i in 0..self.rows {
            for j in 0..self.columns {
                out.values[i][j] += factor * other.values[i][j];
            }
        }
        out
    }

    pub(super) fn scaled(&self, factor: f64) -> Matrix {
        Matrix::zeros(self.rows, self.columns).plus(factor, self)
    }

    /// The largest sum of absolute values of a row.
    pub(super) fn norm(&self) -> f64 {
        let sum = |row: &[f64; MAX_ROWS]| row.iter().map(|value| value.abs()).sum::<f64>();
        self.values.iter().map(sum).fold(0.0, f64::max)
    }

    pub(super) fn is_finite(&self) -> bool {
        self.values.iter().flatten().all(|value| value.is_finite())
    }

    /// `self⁻¹·right` by elimination with partial pivoting; none where it is singular.
    pub(super) fn solve(&self, right: &Matrix) -> Option<Matrix> {
        let (mut left, mut right) = (*self, *right);
        let size = self.rows;
        for k in 0..size {
            let mut pivot = k;
            for i in k + 1..size {
                if left.values[i][k].abs() > left.values[pivot][k].abs() {
                    pivot = i;
                }
            }
            left.values.swap(k, pivot);
            right.values.swap(k, pivot);
            let head = left.values[k][k];
            if head == 0.0 || !head.is_finite() {
                return None;
            }
            for i in (0..size).filter(|i| *i != k) {
                let factor = left.values[i][k] / head;
                if factor != 0.0 {
                    (k..size).for_each(|j| left.values[i][j] -= factor * left.values[k][j]);
                    (0..right.columns).for_each(|j| right.values[i][j] -= factor * right.values[k][j]);
                }
            }
        }
        for k in 0..size {
            let head = left.values[k][k];
            (0..right.columns).for_each(|j| right.values[k][j] /= head);
        }
        Some(right)
    }

    /// The matrix exponential, by scaling to a norm below 1/2, a Taylor sum that is exact to rounding there, and squaring.
    pub(super) fn exponential(&self) -> Matrix {
        let norm = self.norm();
        let mut squarings = 0;
        let mut scale = 1.0;
        while norm * scale > 0.5 && squarings < 60 {
            (squarings, scale) = (squarings + 1, 0.5 * scale);
        }
        let small = self.scaled(scale);
        let mut sum = Matrix::identity(self.rows);
        let mut term = sum;
        for k in 1..=16 {
            term = term.times(&small).scaled(1.0 / f64::from(k));
            sum = sum.plus(1.0, &term);
        }
        for _ in 0..squarings {
            sum = sum.times(&sum);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[f64]]) -> Matrix {
        let mut matrix = Matrix::zeros(rows.len(), rows[0].len());
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, value)| matrix.set(i, j, *value));
        }
        matrix
    }

    fn distance(a: &Matrix, b: &Matrix) -> f64 {
        a.plus(-1.0, b).norm()
    }

    #[test]
    fn the_exponential_of_a_rotation_and_of_a_chain_is_their_closed_form() {
        let turn = of(&[&[0.0, -2.0], &[2.0, 0.0]]).exponential();
        assert!(distance(&turn, &of(&[&[2f64.cos(), -2f64.sin()], &[2f64.sin(), 2f64.cos()]])) < 1e-14);
        let chain = of(&[&[0.0, 3.0, 0.0], &[0.0, 0.0, 3.0], &[0.0, 0.0, 0.0]]).exponential();
        assert!(distance(&chain, &of(&[&[1.0, 3.0, 4.5], &[0.0, 1.0, 3.0], &[0.0, 0.0, 1.0]])) < 1e-14);
        let stiff = of(&[&[-300.0]]).exponential();
        assert!(stiff.get(0, 0) < 1e-100, "{stiff:?}");
    }

    #[test]
    fn a_solution_solves_and_a_singular_matrix_has_none() {
        let left = of(&[&[0.0, 2.0, 1.0], &[1.0, 1.0, 0.0], &[3.0, 0.0, 1.0]]);
        let right = of(&[&[1.0, 0.0], &[2.0, 1.0], &[3.0, -1.0]]);
        let solution = left.solve(&right).unwrap();
        assert!(distance(&left.times(&solution), &right) < 1e-14);
        assert_eq!(of(&[&[1.0, 2.0], &[2.0, 4.0]]).solve(&Matrix::identity(2)), None);
    }
}
