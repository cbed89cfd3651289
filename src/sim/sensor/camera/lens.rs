//! The pin-hole model with distortion: where a direction appears in the picture, and where a pixel looks.
//!
//! Camera axes follow REP 103: z ahead, x to the right, y down. The pixel in column u and row v covers u − ½ to u + ½ and v − ½ to
//! v + ½, as in OpenCV. A point (x, y, z) appears at u = fx·x″ + cx, v = fy·y″ + cy, with, for x′ = x/z, y′ = y/z, r² = x′² + y′²:
//!
//! * `plumb_bob` (D. C. Brown 1966): x″ = x′·(1 + k1·r² + k2·r⁴ + k3·r⁶) + 2·p1·x′·y′ + p2·(r² + 2·x′²), and likewise
//!   y″ = y′·(…) + p1·(r² + 2·y′²) + 2·p2·x′·y′; parameters k1 k2 p1 p2 k3.
//! * `equidistant` (J. Kannala and S. Brandt 2006): x″ = θ·(1 + k1·θ² + k2·θ⁴ + k3·θ⁶ + k4·θ⁸)·x′/r, θ the angle from the z axis;
//!   parameters k1 k2 k3 k4.
//!
//! Both are inverted by Newton's method to 10⁻¹² of the focal length, on the branch through the middle of the picture only.

use nalgebra::{Matrix2, Vector2};
use skidpad_files::counted::counted_by;
use skidpad_math::Vec3;

/// Most steps of Newton's method.
const MAX_STEPS: u32 = 60;
/// The inverse is found when it is off by less than this share of the focal length [-].
const ACCURACY: f64 = 1e-12;

/// How a lens bends straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distortion {
    /// Radial and tangential: k1, k2, p1, p2, k3.
    PlumbBob([f64; 5]),
    /// By the angle from the axis, of fisheye lenses: k1, k2, k3, k4.
    Equidistant([f64; 4]),
}

impl Distortion {
    /// Name and number of parameters of each, as in `sensor_msgs/msg/CameraInfo`.
    pub const NAMES: [(&str, usize); 2] = [("plumb_bob", 5), ("equidistant", 4)];

    /// Its name there.
    pub fn name(&self) -> &'static str {
        match self {
            Distortion::PlumbBob(_) => Distortion::NAMES[0].0,
            Distortion::Equidistant(_) => Distortion::NAMES[1].0,
        }
    }

    /// Its parameters, in the order there [-].
    pub fn parameters(&self) -> &[f64] {
        match self {
            Distortion::PlumbBob(parameters) => parameters,
            Distortion::Equidistant(parameters) => parameters,
        }
    }
}

/// Size of the picture, focal lengths, principal point and distortion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Columns of the picture.
    pub columns: usize,
    /// Rows of the picture.
    pub rows: usize,
    /// Focal lengths along columns and rows [pixels].
    pub focal: [f64; 2],
    /// Where the z axis appears: column and row [pixels].
    pub centre: [f64; 2],
    /// Distortion.
    pub distortion: Distortion,
}

impl Default for Lens {
    /// MVSim's, of cameras.
    fn default() -> Lens {
        Lens {
            columns: 640,
            rows: 480,
            focal: [500.0; 2],
            centre: [320.0, 240.0],
            distortion: Distortion::PlumbBob([0.0; 5]),
        }
    }
}

impl Lens {
    /// Size, and the horizontal angle between the outermost pixels, for people.
    pub fn in_words(&self) -> String {
        let middle = self.centre[1];
        let ends = [-0.5, self.columns as f64 - 0.5].map(|column| self.direction([column, middle]));
        let view = match ends {
            [Some(left), Some(right)] => {
                let angle = right.x.atan2(right.z) - left.x.atan2(left.z);
                format!(" over {:.1}°", angle.to_degrees())
            }
            _ => String::new(),
        };
        format!("{}{view}", counted_by([self.columns, self.rows], "pixel"))
    }

    /// The camera matrix K [pixels], row by row.
    pub fn matrix(&self) -> [f64; 9] {
        let ([fx, fy], [cx, cy]) = (self.focal, self.centre);
        [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0]
    }

    /// The projection P to the rectified picture [pixels], row by row: that of the same camera without distortion, as the left one of
    /// a pair, or as the right one at this distance to the right of it [m].
    pub fn projection(&self, baseline: f64) -> [f64; 12] {
        let ([fx, fy], [cx, cy]) = (self.focal, self.centre);
        [fx, 0.0, cx, -fx * baseline, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    }

    /// Column and row [pixels] at which a point in camera axes [m] appears; none behind a pin-hole camera, or beyond where the
    /// distortion folds the picture.
    pub fn project(&self, point: Vec3) -> Option<[f64; 2]> {
        let bent = match self.distortion {
            Distortion::PlumbBob(parameters) => {
                if point.z <= 0.0 {
                    return None;
                }
                let at = Vector2::new(point.x / point.z, point.y / point.z);
                if parameters == [0.0; 5] {
                    at
                } else {
                    let (bent, slope) = plumb_bob(&parameters, at);
                    (at.norm_squared() < plumb_bob_fold(&parameters) && slope.determinant() > 0.0).then_some(bent)?
                }
            }
            Distortion::Equidistant(parameters) => {
                let from_axis = libm::hypot(point.x, point.y);
                let angle = libm::atan2(from_axis, point.z);
                let (bent, _) = equidistant(&parameters, angle);
                let scale = if from_axis > 0.0 { bent / from_axis } else { 0.0 };
                (angle < equidistant_fold(&parameters)).then_some(scale * Vector2::new(point.x, point.y))?
            }
        };
        Some([self.focal[0] * bent.x + self.centre[0], self.focal[1] * bent.y + self.centre[1]])
    }

    /// The unit vectors in camera axes [-] along which the pixels look, row by row from the top; none for a pixel at which the distortion
    /// cannot be inverted.
    pub fn directions(&self) -> impl Iterator<Item = Option<[f32; 3]>> + use<> {
        let (Lens { columns, rows, focal, centre, .. }, inverse) = (*self, Inverse::of(&self.distortion));
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row))).map(move |(column, row)| {
            let x = (column as f64 - centre[0]) / focal[0];
            let y = (row as f64 - centre[1]) / focal[1];
            let direction = inverse.direction(Vector2::new(x, y))?;
            Some([direction.x as f32, direction.y as f32, direction.z as f32])
        })
    }

    /// Whether every pixel looks somewhere.
    ///
    /// # Errors
    /// The first pixel, as column and row, at which the distortion cannot be inverted.
    pub fn check(&self) -> Result<(), [usize; 2]> {
        if matches!(Inverse::of(&self.distortion), Inverse::Straight) {
            return Ok(());
        }
        let first = self.directions().position(|direction| direction.is_none());
        first.map_or(Ok(()), |pixel| Err([pixel % self.columns, pixel / self.columns]))
    }

    /// The unit vector in camera axes [-] along which a point of the picture, in pixels, looks; none where the distortion cannot be
    /// inverted.
    pub fn direction(&self, [column, row]: [f64; 2]) -> Option<Vec3> {
        let x = (column - self.centre[0]) / self.focal[0];
        let y = (row - self.centre[1]) / self.focal[1];
        Inverse::of(&self.distortion).direction(Vector2::new(x, y))
    }
}

/// The inverse of a distortion, with the place where it folds.
#[derive(Clone, Copy)]
enum Inverse {
    Straight,
    PlumbBob([f64; 5], f64),
    Equidistant([f64; 4], f64),
}

impl Inverse {
    fn of(distortion: &Distortion) -> Inverse {
        match *distortion {
            Distortion::PlumbBob(parameters) if parameters == [0.0; 5] => Inverse::Straight,
            Distortion::PlumbBob(parameters) => Inverse::PlumbBob(parameters, plumb_bob_fold(&parameters)),
            Distortion::Equidistant(parameters) => Inverse::Equidistant(parameters, equidistant_fold(&parameters)),
        }
    }

    /// The unit vector along which what appears at `bent` [focal lengths] lies.
    fn direction(&self, bent: Vector2<f64>) -> Option<Vec3> {
        match self {
            Inverse::Straight => Some(ahead(bent)),
            Inverse::PlumbBob(parameters, fold_square) => {
                let mut at = bent;
                for _ in 0..MAX_STEPS {
                    let (projected, slope) = plumb_bob(parameters, at);
                    let error = bent - projected;
                    if error.norm() < ACCURACY {
                        let is_unfolded = at.norm_squared() < *fold_square && slope.determinant() > 0.0;
                        return is_unfolded.then(|| ahead(at));
                    }
                    let mut next = at + slope.try_inverse()? * error;
                    // A step over the fold would follow another branch.
                    let size = next.norm_squared();
                    if size >= *fold_square {
                        next *= 0.999 * (fold_square / size).sqrt();
                    }
                    at = next;
                }
                None
            }
            Inverse::Equidistant(parameters, fold_angle) => {
                let target = bent.norm();
                let mut angle = target.min(0.999 * fold_angle);
                for _ in 0..MAX_STEPS {
                    let (projected, slope) = equidistant(parameters, angle);
                    let error = target - projected;
                    if error.abs() < ACCURACY {
                        let (sin, cos) = libm::sincos(angle);
                        let scale = if target > 0.0 { sin / target } else { 0.0 };
                        return Some(Vec3::new(scale * bent.x, scale * bent.y, cos));
                    }
                    let next = angle + error / slope;
                    angle = if next < *fold_angle { next.max(0.0) } else { 0.5 * (angle + fold_angle) };
                }
                None
            }
        }
    }
}

fn ahead(at: Vector2<f64>) -> Vec3 {
    Vec3::new(at.x, at.y, 1.0).normalize()
}

/// Where (x′, y′) appears [focal lengths], and the derivative of that.
fn plumb_bob([k1, k2, p1, p2, k3]: &[f64; 5], at: Vector2<f64>) -> (Vector2<f64>, Matrix2<f64>) {
    let (x, y, q) = (at.x, at.y, at.norm_squared());
    let radial = 1.0 + q * (k1 + q * (k2 + q * k3));
    // Derivative by r², times two.
    let change = 2.0 * (k1 + q * (2.0 * k2 + 3.0 * q * k3));
    let bent = Vector2::new(
        x * radial + 2.0 * p1 * x * y + p2 * (q + 2.0 * x * x),
        y * radial + p1 * (q + 2.0 * y * y) + 2.0 * p2 * x * y,
    );
    let across = change * x * y + 2.0 * p1 * x + 2.0 * p2 * y;
    let slope = Matrix2::new(
        radial + change * x * x + 2.0 * p1 * y + 6.0 * p2 * x,
        across,
        across,
        radial + change * y * y + 6.0 * p1 * y + 2.0 * p2 * x,
    );
    (bent, slope)
}

/// r² from which the radial part of `plumb_bob` no longer grows.
fn plumb_bob_fold([k1, k2, _, _, k3]: &[f64; 5]) -> f64 {
    /// tan² of 86°: beyond, pin-hole pictures make no sense.
    const MAX_TAN_SQUARED: f64 = 200.0;
    first_root(MAX_TAN_SQUARED, |q| 1.0 + q * (3.0 * k1 + q * (5.0 * k2 + q * 7.0 * k3)))
}

/// Distance from the middle [focal lengths] of what lies at `angle` [rad] from the axis, and the derivative of that.
fn equidistant([k1, k2, k3, k4]: &[f64; 4], angle: f64) -> (f64, f64) {
    let q = angle * angle;
    let bent = angle * (1.0 + q * (k1 + q * (k2 + q * (k3 + q * k4))));
    (bent, 1.0 + q * (3.0 * k1 + q * (5.0 * k2 + q * (7.0 * k3 + q * 9.0 * k4))))
}

/// Angle [rad] from which `equidistant` no longer grows.
fn equidistant_fold(parameters: &[f64; 4]) -> f64 {
    first_root(std::f64::consts::PI, |angle| equidistant(parameters, angle).1)
}

/// Where a function that is positive at 0 first becomes 0, at most `end`.
fn first_root(end: f64, function: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 4000;
    let at = |step: u32| {
        let share = f64::from(step) / f64::from(STEPS);
        // Closer together near 0.
        end * share * share
    };
    let Some(step) = (1..=STEPS).find(|&step| function(at(step)) <= 0.0) else { return end };
    let (mut low, mut high) = (at(step - 1), at(step));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if function(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lens(distortion: Distortion) -> Lens {
        Lens { columns: 64, rows: 48, focal: [50.0, 55.0], centre: [31.0, 25.0], distortion }
    }

    #[test]
    fn a_pin_hole_camera_looks_along_similar_triangles() {
        let lens = lens(Distortion::PlumbBob([0.0; 5]));
        assert_eq!(lens.project(Vec3::new(1.0, -0.5, 2.0)), Some([56.0, 11.25]));
        assert_eq!(lens.project(Vec3::new(1.0, -0.5, -2.0)), None);
        let direction = lens.direction([56.0, 11.25]).unwrap();
        assert!((direction - Vec3::new(1.0, -0.5, 2.0).normalize()).norm() < 1e-15);
        assert_eq!(lens.matrix(), [50.0, 0.0, 31.0, 0.0, 55.0, 25.0, 0.0, 0.0, 1.0]);
        assert_eq!(lens.projection(0.12)[3], -6.0);
    }

    /// Values of `projectPoints` and `fisheye::projectPoints` of OpenCV 5.
    #[test]
    fn points_appear_where_opencv_has_them() {
        let near = |actual: Option<[f64; 2]>, expected: [f64; 2]| {
            let actual = actual.unwrap();
            let error = (actual[0] - expected[0]).abs().max((actual[1] - expected[1]).abs());
            assert!(error < 1e-9, "{actual:?} instead of {expected:?}");
        };
        let bent = lens(Distortion::PlumbBob([-0.3, 0.1, 0.001, -0.002, 0.05]));
        near(bent.project(Vec3::new(0.3, -0.2, 1.0)), [45.40499775, 14.43395165]);
        let fisheye = lens(Distortion::Equidistant([-0.02, 0.003, -0.001, 0.0002]));
        near(fisheye.project(Vec3::new(0.9, -0.7, 1.0)), [64.134_876_438_220_81, -3.348_727_619_366_695]);
        // 45° to the right through an ideal fisheye lens: π/4 focal lengths.
        let fisheye = lens(Distortion::Equidistant([0.0; 4]));
        let actual = fisheye.project(Vec3::new(1.0, 0.0, 1.0)).unwrap();
        assert!((actual[0] - (50.0 * std::f64::consts::FRAC_PI_4 + 31.0)).abs() < 1e-12 && actual[1] == 25.0);
        // To the side, and somewhat behind.
        let actual = fisheye.project(Vec3::new(1.0, 0.0, -0.1)).unwrap();
        assert!((actual[0] - (50.0 * (std::f64::consts::FRAC_PI_2 + libm::atan(0.1)) + 31.0)).abs() < 1e-9);
    }

    #[test]
    fn every_pixel_looks_to_where_its_content_appears() {
        let lenses = [
            Distortion::PlumbBob([-0.35, 0.15, 0.001, -0.0005, -0.02]),
            Distortion::PlumbBob([0.2, 0.05, -0.002, 0.001, 0.0]),
            Distortion::Equidistant([-0.02, 0.003, -0.001, 0.0002]),
        ];
        for distortion in lenses {
            let lens = lens(distortion);
            for (index, direction) in lens.directions().map(Option::unwrap).enumerate() {
                let direction = Vec3::from(direction.map(f64::from));
                assert!((direction.norm() - 1.0).abs() < 1e-6);
                let [column, row] = lens.project(direction).unwrap();
                let error = (column - (index % 64) as f64).abs().max((row - (index / 64) as f64).abs());
                // Directions are kept in single precision.
                assert!(error < 5e-5, "{distortion:?} {index}: {error}");
            }
            let exact = lens.project(lens.direction([3.25, 40.5]).unwrap()).unwrap();
            assert!((exact[0] - 3.25).abs() < 1e-9 && (exact[1] - 40.5).abs() < 1e-9, "{exact:?}");
        }
    }

    #[test]
    fn a_distortion_that_folds_within_the_picture_is_refused() {
        let folded = lens(Distortion::PlumbBob([-2.0, 0.0, 0.0, 0.0, 0.0]));
        assert_eq!(folded.check().unwrap_err(), [0, 0]);
        // r·(1 − 2·r²) grows up to r = 1/√6, where it is 0.27.
        assert!(folded.direction([31.0 + 50.0 * 0.27, 25.0]).is_some());
        assert_eq!(folded.direction([31.0 + 50.0 * 0.28, 25.0]), None);
        assert_eq!(folded.project(Vec3::new(0.42, 0.0, 1.0)), None);
        // An ideal fisheye lens ends at 180° to either side.
        let fisheye = Lens { focal: [5.0; 2], ..lens(Distortion::Equidistant([0.0; 4])) };
        assert_eq!(fisheye.check().unwrap_err(), [0, 0]);
    }
}
