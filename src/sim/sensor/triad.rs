//! Errors of instruments with three axes, such as gyroscopes, accelerometers and magnetometers: those of module `errors`, and axes that
//! measure too much and are not square to each other.
//!
//! Besides the tags of `errors`, for a quantity called `QUANTITY`:
//! ```xml
//! <QUANTITY_scale_error>0</…>             share by which every axis measures too much [-], −0.5 to 0.5
//! <QUANTITY_cross_axis>0 0 0 0 0 0</…>    what axis x measures of y and of z, y of x and of z, z of x and of y [-], −0.5 to 0.5
//! ```
//! For small angles the share of another axis is the angle [rad] by which an axis leans towards it. A turn of all axes together belongs to
//! the mounting.

use skidpad_math::Vec3;
use skidpad_xml::{Accept, Reader};

use super::errors::{ErrorParameters, Errors};

/// How much the values of three axes are disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriadParameters {
    /// What is added on each axis.
    pub errors: ErrorParameters,
    /// Share by which every axis measures too much [-].
    pub scale_error: f64,
    /// Of each axis: the shares of the other two, in their order, that it measures too [-].
    pub cross_axis: [[f64; 2]; 3],
}

/// Shares beyond this are mistakes in the file.
const MAX_SHARE: f64 = 0.5;

impl TriadParameters {
    /// White noise alone, with this standard deviation [unit].
    pub const fn white(white: f64) -> TriadParameters {
        TriadParameters { errors: ErrorParameters::white(white), scale_error: 0.0, cross_axis: [[0.0; 2]; 3] }
    }

    /// Reads the tags above for `quantity`, of a sensor with this period [s].
    pub fn read(reader: &Reader<'_>, quantity: &str, default: TriadParameters, period: f64) -> TriadParameters {
        let accepted = Accept::range(-MAX_SHARE, MAX_SHARE);
        TriadParameters {
            errors: ErrorParameters::read(reader, quantity, default.errors, period),
            scale_error: reader.f64(&format!("{quantity}_scale_error"), default.scale_error, accepted),
            cross_axis: read_cross_axis(reader, &format!("{quantity}_cross_axis")).unwrap_or(default.cross_axis),
        }
    }

    /// Variance of one axis at the start [unit²], as [`ErrorParameters::variance`]: errors that grow with the value are not in it.
    pub fn variance(&self) -> f64 {
        self.errors.variance()
    }
}

fn read_cross_axis(reader: &Reader<'_>, tag: &str) -> Option<[[f64; 2]; 3]> {
    let shares = reader.numbers(tag, &[6])?;
    if shares.iter().any(|share| share.abs() > MAX_SHARE) {
        let report = reader.error_at(tag, format!("a share in <{tag}> is too large"));
        report.accepted([format!("six numbers from -{MAX_SHARE} to {MAX_SHARE}")]);
        return None;
    }
    Some([0, 1, 2].map(|axis| [shares[2 * axis], shares[2 * axis + 1]]))
}

/// Three axes with their errors over time.
#[derive(Clone, Debug)]
pub(super) struct Triad {
    scale_error: f64,
    cross_axis: [[f64; 2]; 3],
    errors: Errors,
}

impl Triad {
    /// Axes whose errors come from the stream called `name` under the world's `seed`.
    pub(super) fn new(parameters: TriadParameters, seed: u64, name: &str) -> Triad {
        let TriadParameters { errors, scale_error, cross_axis } = parameters;
        Triad { scale_error, cross_axis, errors: Errors::new([errors; 3], seed, name) }
    }

    /// Starts over: the same errors come again.
    pub(super) fn restart(&mut self) {
        self.errors.restart();
    }

    /// What is measured of `truth` [unit], `elapsed` [s] after the sample before.
    pub(super) fn measure(&mut self, truth: Vec3, elapsed: f64) -> Vec3 {
        let [of_x, of_y, of_z] = self.cross_axis;
        let leaked = Vec3::new(
            of_x[0] * truth.y + of_x[1] * truth.z,
            of_y[0] * truth.x + of_y[1] * truth.z,
            of_z[0] * truth.x + of_z[1] * truth.y,
        );
        self.errors.disturb((1.0 + self.scale_error) * truth + leaked, elapsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_has_its_scale_and_shares_of_the_others() {
        let cross_axis = [[0.1, 0.2], [0.3, 0.4], [-0.1, -0.2]];
        let parameters = TriadParameters { scale_error: 0.5, cross_axis, ..TriadParameters::white(0.0) };
        let measured = Triad::new(parameters, 1, "x").measure(Vec3::new(1.0, 10.0, 100.0), 0.1);
        let expected = Vec3::new(1.5 + 1.0 + 20.0, 0.3 + 15.0 + 40.0, -0.1 - 2.0 + 150.0);
        assert!((measured - expected).norm() < 1e-12, "{measured}");
    }

    #[test]
    fn errors_are_added_to_the_truth_and_come_again_after_a_restart() {
        let errors = ErrorParameters { turn_on: 1.0, ..ErrorParameters::white(0.0) };
        let parameters = TriadParameters { errors, scale_error: 0.1, ..TriadParameters::white(0.0) };
        let mut triad = Triad::new(parameters, 3, "x");
        let first = triad.measure(Vec3::zeros(), 0.1);
        assert!(first.norm() > 0.1);
        let truth = Vec3::new(1.0, 2.0, 3.0);
        assert!((triad.measure(truth, 0.1) - first - 1.1 * truth).norm() < 1e-12);
        triad.restart();
        assert_eq!(triad.measure(Vec3::zeros(), 0.1), first);
    }
}
