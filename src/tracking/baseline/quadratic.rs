//! Quadratic programmes of predictive control: the cheapest inputs of a linear system over a horizon, within limits.
//!
//! ```text
//! minimise    Σ_{k=1..N} x_kᵀ·Q_k·x_k + Σ_{k<N} u_kᵀ·R·u_k        with x_{k+1} = A_k·x_k + B_k·u_k + d_k
//! within      |u_k| ≤ most_input, and low ≤ x_k ≤ high for the states that have bounds
//! ```
//! States and inputs of all steps are unknowns, so that the matrices are sparse. The solver is Clarabel, an interior-point method (P. J. Goulart
//! and Y. Chen, 2024), with its own factorisation in one thread. It ends by its iterations alone: its limit of time is infinite, and the clock that
//! it reads for its report decides nothing. Each programme is set up anew, so that a solution does not depend on those before.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, SupportedConeT, ZeroConeT,
};

use super::matrix::Matrix;

/// One step of the system and its costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) a: Matrix,
    pub(super) b: Matrix,
    /// Column d.
    pub(super) d: Matrix,
    /// Cost of the state after the step.
    pub(super) q: Matrix,
}

/// Limits and costs that are the same in all steps.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// Cost of each input, > 0.
    pub(super) input_costs: Vec<f64>,
    /// Largest amount of each input; infinite: none.
    pub(super) most_inputs: Vec<f64>,
    /// Index, least and largest value of each state with bounds; infinite: none.
    pub(super) states: Vec<(usize, f64, f64)>,
}

/// Rows of a sparse matrix as they are found.
#[derive(Default)]
struct Triplets {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Triplets {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        if value != 0.0 {
            self.rows.push(row);
            self.columns.push(column);
            self.values.push(value);
        }
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.rows, self.columns, self.values)
    }
}

/// The inputs of all steps, one after another, that cost least from the state `start`; none if the solver finds none within its iterations.
pub(super) fn solve(start: &Matrix, steps: &[Step], limits: &Limits, max_iterations: u32) -> Option<Vec<f64>> {
    let (n, m) = (start.rows(), limits.input_costs.len());
    let unknowns = steps.len() * (n + m);
    // The unknowns are u_0, x_1, u_1, x_2, …
    let input = |step: usize, index: usize| step * (n + m) + index;
    let state = |step: usize, index: usize| step * (n + m) + m + index;

    // Clarabel minimises ½·zᵀ·P·z, of which it takes the upper triangle.
    let mut cost = Triplets::default();
    for (k, step) in steps.iter().enumerate() {
        limits.input_costs.iter().enumerate().for_each(|(i, weight)| cost.push(input(k, i), input(k, i), 2.0 * weight));
        for j in 0..n {
            (0..=j).for_each(|i| cost.push(state(k, i), state(k, j), 2.0 * step.q.get(i, j)));
        }
    }

    let (mut rows, mut right) = (Triplets::default(), Vec::new());
    for (k, step) in steps.iter().enumerate() {
        for i in 0..n {
            let row = right.len();
            rows.push(row, state(k, i), 1.0);
            (0..m).for_each(|j| rows.push(row, input(k, j), -step.b.get(i, j)));
            let mut known = step.d.get(i, 0);
            for j in 0..n {
                match k.checked_sub(1) {
                    Some(before) => rows.push(row, state(before, j), -step.a.get(i, j)),
                    None => known += step.a.get(i, j) * start.get(j, 0),
                }
            }
            right.push(known);
        }
    }
    let equations = right.len();
    let mut bound = |unknown: usize, low: f64, high: f64| {
        for (sign, limit) in [(1.0, high), (-1.0, -low)] {
            if limit < f64::INFINITY {
                rows.push(right.len(), unknown, sign);
                right.push(limit);
            }
        }
    };
    for k in 0..steps.len() {
        limits.most_inputs.iter().enumerate().for_each(|(i, most)| bound(input(k, i), -most, *most));
        limits.states.iter().for_each(|(i, low, high)| bound(state(k, *i), *low, *high));
    }
    let cones: [SupportedConeT<f64>; 2] = [ZeroConeT(equations), NonnegativeConeT(right.len() - equations)];
    let cones = if right.len() == equations { &cones[..1] } else { &cones[..] };
    if !right.iter().all(|value| value.is_finite()) {
        return None;
    }
    let settings = DefaultSettings {
        verbose: false,
        max_iter: max_iterations,
        time_limit: f64::INFINITY,
        max_threads: 1,
        direct_solve_method: "qdldl".to_owned(),
        presolve_enable: false,
        ..DefaultSettings::default()
    };
    let (cost, rows) = (cost.matrix(unknowns, unknowns), rows.matrix(right.len(), unknowns));
    let mut solver = DefaultSolver::new(&cost, &vec![0.0; unknowns], &rows, &right, cones, settings).ok()?;
    solver.solve();
    let solution = &solver.solution;
    let is_solved = matches!(solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    let inputs = (0..steps.len()).flat_map(|k| (0..m).map(move |i| input(k, i)));
    let inputs: Vec<f64> = inputs.filter_map(|unknown| solution.x.get(unknown).copied()).collect();
    (is_solved && inputs.iter().all(|value| value.is_finite())).then_some(inputs)
}
