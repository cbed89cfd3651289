//! Sums of the contributions of clusters of residuals, which are windows or recordings, to a least-squares problem; and
//! what follows from leaving out each of them in turn.

use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};
use skidpad_analysis::student;

/// Relative curvature below which a direction counts as unconstrained, and squared component below which an unknown
/// does not take part in a direction.
const NEGLIGIBLE: f64 = 1e-9;
/// Relative curvature below which the recordings but one do not constrain a direction: what the one adds to it then tells
/// nothing of them.
const UNCONSTRAINED: f64 = 1e-6;
/// Singular value of H below which a direction is left out of its pseudo-inverse.
const SINGULAR: f64 = 1e-12;
/// Least effective number of recordings from which their scatter is taken: of two there would be one degree of freedom.
const MIN_RECORDINGS: f64 = 2.5;

/// Sums over clusters, which are windows or recordings, with derivatives per whole range of each unknown.
pub(super) struct Sums {
    /// JᵀJ.
    pub normal: DMatrix<f64>,
    /// Sum of the outer products of the gradients after the correction by the jackknife.
    pub scatter: DMatrix<f64>,
    /// Pseudo-inverse of JᵀJ, without the directions that the data do not constrain.
    inverse: DMatrix<f64>,
    /// Contribution of each cluster to JᵀJ, and its gradient.
    clusters: Vec<Contribution>,
}

/// A contribution to JᵀJ, and the gradient of the same residuals.
pub(super) type Contribution = (DMatrix<f64>, DVector<f64>);

impl Sums {
    /// The sums of these contributions.
    pub(super) fn of(clusters: Vec<Contribution>, count: usize) -> Sums {
        let zeros = || DMatrix::zeros(count, count);
        let normal = clusters.iter().fold(zeros(), |sum, (of_cluster, _)| sum + of_cluster);
        let inverse = normal.clone().pseudo_inverse(SINGULAR).unwrap_or_else(|_| zeros());
        let scatter = clusters.iter().fold(zeros(), |sum, (of_cluster, gradient)| {
            // Singular if a cluster alone determines an unknown, which `depend_on_single` finds.
            let leverage_complement = DMatrix::identity(count, count) * (1.0 + SINGULAR) - of_cluster * &inverse;
            let gradient = leverage_complement.lu().solve(gradient).unwrap_or_else(|| gradient.clone());
            sum + &gradient * gradient.transpose()
        });
        Sums { normal, scatter, inverse, clusters }
    }

    /// The inverse square roots of the diagonal of JᵀJ, which make it one of ones.
    fn scale(&self) -> DMatrix<f64> {
        DMatrix::from_diagonal(&self.normal.diagonal().map(|x| if x > 0.0 { 1.0 / x.sqrt() } else { 0.0 }))
    }

    /// Curvatures and directions of JᵀJ without a cluster, scaled.
    fn without(&self, scale: &DMatrix<f64>, of_cluster: &DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
        (scale * (&self.normal - of_cluster) * scale).symmetric_eigen()
    }

    /// The values without each cluster in turn minus those with all of them, relative to the ranges. Directions that no
    /// other cluster constrains are left out.
    pub(super) fn leave_one_out(&self) -> Vec<DVector<f64>> {
        let scale = self.scale();
        let shift = |(of_cluster, gradient): &Contribution| {
            let without_cluster = self.without(&scale, of_cluster);
            let gradient = &scale * gradient;
            let directions = without_cluster.eigenvalues.iter().zip(without_cluster.eigenvectors.column_iter());
            let known = directions.filter(|(curvature, _)| **curvature > UNCONSTRAINED);
            let sum = known.fold(DVector::zeros(gradient.len()), |sum, (curvature, direction)| {
                sum + direction * (direction.dot(&gradient) / curvature)
            });
            &scale * sum
        };
        self.clusters.iter().map(shift).collect()
    }

    /// The standard deviation of each unknown by the scatter of its values without each cluster in turn, relative to its
    /// range, and half the width of the 95 % interval in standard deviations; none where too few clusters depend on it.
    pub(super) fn scatter_between(&self) -> Vec<Option<(f64, f64)>> {
        let count = self.clusters.len() as f64;
        let depends_on_single = self.depend_on_single();
        let shifts = self.leave_one_out();
        let of_unknown = |k: usize| {
            let effective = self.effective_clusters(k);
            let variance = (count - 1.0) / count * shifts.iter().map(|shift| shift[k] * shift[k]).sum::<f64>();
            let is_known = !depends_on_single[k] && effective >= MIN_RECORDINGS && variance.is_finite();
            is_known.then(|| (variance.sqrt(), student(effective - 1.0)))
        };
        (0..self.normal.nrows()).map(of_unknown).collect()
    }

    /// Whether each unknown would be unconstrained without one of the clusters.
    pub(super) fn depend_on_single(&self) -> Vec<bool> {
        let scale = self.scale();
        let mut depend = vec![false; self.normal.nrows()];
        for (of_cluster, _) in &self.clusters {
            let without = self.without(&scale, of_cluster);
            let directions = without.eigenvalues.iter().zip(without.eigenvectors.column_iter());
            for (_, open) in directions.filter(|(curvature, _)| **curvature < NEGLIGIBLE) {
                depend.iter_mut().zip(open.iter()).for_each(|(depends, part)| *depends |= part.powi(2) > NEGLIGIBLE);
            }
        }
        depend
    }

    /// Effective number of clusters that unknown `k` depends on: their count, if they contribute equally [-]; NaN if
    /// there are none.
    pub(super) fn effective_clusters(&self, k: usize) -> f64 {
        let row = self.inverse.column(k);
        let shares: Vec<f64> = self.clusters.iter().map(|(of_cluster, _)| row.dot(&(of_cluster * row))).collect();
        shares.iter().sum::<f64>().powi(2) / shares.iter().map(|share| share * share).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_of_a_mean_is_that_of_the_sample_over_its_size() {
        let sample = [1.0, 4.0, 2.5, 7.0, 3.0];
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        // Residuals mean − y of windows of one row each.
        let windows = sample.map(|y| (DMatrix::from_element(1, 1, 1.0), DVector::from_element(1, mean - y)));
        let Sums { normal, scatter, .. } = Sums::of(windows.to_vec(), 1);
        let variance = scatter[0] / (normal[0] * normal[0]) * (n - 1.0) / n;
        let expected = sample.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1.0) / n;
        assert!((variance / expected - 1.0).abs() < 1e-9, "{variance} {expected}");
    }

    #[test]
    fn an_unknown_that_one_window_alone_determines_is_found() {
        // Both windows depend on the first unknown, only the second on the other.
        let windows = [([1.0, 0.0], 0.5), ([1.0, 1.0], -0.5)].map(|(slopes, residual)| {
            let slopes = DVector::from_row_slice(&slopes);
            (&slopes * slopes.transpose(), &slopes * residual)
        });
        assert!(Sums::of(windows.to_vec(), 2).depend_on_single()[1]);
        let more = [windows.clone(), windows].concat();
        assert!(!Sums::of(more, 2).depend_on_single()[1]);
    }

    /// Residuals θ − y of windows of one row each, about the mean θ of all rows, and their sums over recordings.
    fn about_the_mean(recordings: &[Vec<f64>]) -> (f64, [Sums; 2]) {
        let rows: Vec<f64> = recordings.iter().flatten().copied().collect();
        let mean = rows.iter().sum::<f64>() / rows.len() as f64;
        let cluster = |rows: &[f64]| {
            let gradient = rows.iter().map(|y| mean - y).sum::<f64>();
            (DMatrix::from_element(1, 1, rows.len() as f64), DVector::from_element(1, gradient))
        };
        let windows = rows.iter().map(|y| cluster(std::slice::from_ref(y))).collect();
        (mean, [Sums::of(windows, 1), Sums::of(recordings.iter().map(|rows| cluster(rows)).collect(), 1)])
    }

    /// A mean without one of its groups, in closed form.
    #[test]
    fn the_values_without_a_recording_are_those_of_the_others() {
        let recordings = [vec![1.0, 2.0], vec![4.0], vec![0.5, 7.0, 3.0]];
        let (mean, [_, of_runs]) = about_the_mean(&recordings);
        for (run, shift) in of_runs.leave_one_out().into_iter().enumerate() {
            let other_values: Vec<f64> =
                recordings.iter().enumerate().filter(|(other, _)| *other != run).flat_map(|(_, y)| y.clone()).collect();
            let expected = other_values.iter().sum::<f64>() / other_values.len() as f64;
            assert!((mean + shift[0] - expected).abs() < 1e-12, "{run}: {} {expected}", mean + shift[0]);
        }
    }

    /// Six recordings of twenty windows, of a number that differs between recordings as much as it scatters within them: the
    /// interval of windows has the true one in far fewer than 95 of 100 cases, that of recordings in about so many.
    #[test]
    fn intervals_from_recordings_hold_where_the_car_differs_between_them() {
        const CASES: usize = 2000;
        let mut random = <rand_xoshiro::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(5);
        let mut gauss = || (0..12).map(|_| rand::Rng::random_range(&mut random, -0.5..0.5)).sum::<f64>();
        let mut hits = [0, 0];
        for _ in 0..CASES {
            let recordings: Vec<Vec<f64>> = (0..6)
                .map(|_| {
                    let of_recording = gauss();
                    (0..20).map(|_| of_recording + gauss()).collect()
                })
                .collect();
            let (mean, [of_windows, of_runs]) = about_the_mean(&recordings);
            for (hits, sums) in hits.iter_mut().zip([&of_windows, &of_runs]) {
                let (sigma, bound) = sums.scatter_between()[0].unwrap();
                *hits += usize::from(mean.abs() <= bound * sigma);
            }
        }
        let shares = hits.map(|hits| hits as f64 / CASES as f64);
        assert!(shares[0] < 0.75 && (0.935..=0.965).contains(&shares[1]), "{shares:?}");
    }

    #[test]
    fn windows_that_contribute_equally_are_counted() {
        let windows =
            [0.3, -0.1, -0.2].map(|residual| (DMatrix::from_element(1, 1, 4.0), DVector::from_element(1, residual)));
        assert!((Sums::of(windows.to_vec(), 1).effective_clusters(0) - 3.0).abs() < 1e-12);
    }
}
