//! Student's distribution, by which all 95 % intervals of means and of unknowns are computed: Student (W. S. Gosset), "The probable error of a mean",
//! Biometrika 6, 1908.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The 97.5 % point of Student's distribution with `freedom` degrees of freedom, at least 1: half the width of a two-sided 95 % interval, in
/// standard deviations of what is estimated.
pub fn student(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::INFINITY, |distribution| distribution.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::student;

    /// Quantiles as tables have them (for example NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2).
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (5.0, 2.571),
            (9.0, 2.262),
            (19.0, 2.093),
            (29.0, 2.045),
            (99.0, 1.984),
        ] {
            let actual = student(freedom);
            assert!((actual - quantile).abs() < 6e-4, "{freedom}: {actual}, {quantile}");
        }
        assert_eq!([0.3, f64::NAN].map(student), [student(1.0); 2], "fewer degrees of freedom than one are one");
    }
}
