//! Several rays a pixel, so that edges are smooth and fine lines do not flicker.
//!
//! Of n × n rays each is in a cell of a grid of n × n that is turned, such that each has a row and a column of the n² × n² fine cells of the pixel
//! for itself: edges that are nearly level or upright, which are seen most, get n² + 1 steps (rotated grid: T. Akenine-Möller, E. Haines and
//! N. Hoffman 2018, "Real-time rendering", 5.4.2). Their mean is the middle of the pixel.
//!
//! What is averaged are the numbers of the picture before exposure, noise and the end of the scale. In them light falls by a linear law, and
//! the film is linear: they are proportional to light, of which a real pixel gathers the mean. They are also what viewers take as sRGB, by
//! whose curve the same mean would be lighter; but then light, textures and glass, which are mixed without the curve too, would no longer
//! agree with it.

use skidpad_math::Vec3;

use super::camera_motion::Place;
use super::eye::Eye;
use crate::raycast::space::batch::Batch;
use crate::raycast::space::{PACKET, Ray, Space};

/// How many rays a pixel may have, and their names in world files.
pub(super) const SAMPLES: &[(&str, usize)] = &[("1", 1), ("4", 4), ("9", 9), ("16", 16)];

/// Most of them.
const MAX_SAMPLES: usize = 16;

/// Where the rays of a pixel are in it.
pub(super) struct Pattern {
    /// From the middle, to the right and down [pixels].
    offsets: [[f64; 2]; MAX_SAMPLES],
    count: usize,
}

impl Pattern {
    /// That of so many rays, a square number.
    pub(super) fn new(samples: usize) -> Pattern {
        let side = samples.min(MAX_SAMPLES).isqrt().max(1);
        let fine = (side * side) as f64;
        let place = |cell: usize| (cell as f64 + 0.5) / fine - 0.5;
        let offset = |index: usize| match (index / side, index % side) {
            (column, row) if column < side => [place(side * column + row), place(side * row + side - 1 - column)],
            _ => [0.0; 2],
        };
        Pattern { offsets: std::array::from_fn(offset), count: side * side }
    }

    /// The unit vector [-] of the ray at this place in a pixel, from the direction of its middle and how that changes from pixel to pixel.
    #[inline]
    fn direction(&self, place: usize, [middle, across, along]: &[Vec3; 3]) -> Vec3 {
        let [right, down] = self.offsets[place];
        (middle + right * across + down * along).normalize()
    }

    /// Number of rays of a pixel.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

impl Eye {
    /// The unit vector [-] in camera axes of a ray, counted through all pixels.
    ///
    /// # Panics
    /// The eye is not open.
    pub(super) fn direction(&self, pattern: &Pattern, ray: usize) -> Vec3 {
        let (pixel, place) = (ray / pattern.count, ray % pattern.count);
        match pattern.count {
            1 => Vec3::from(self.directions[pixel].map(f64::from)),
            _ => pattern.direction(place, &self.around(pixel)),
        }
    }

    /// The direction of a pixel [-] in camera axes, and how it changes to the next one in its row and in its column: by half of the way
    /// between the neighbours on both sides, which is off by no more than 10⁻³ of a pixel in all but the strongest lenses.
    fn around(&self, pixel: usize) -> [Vec3; 3] {
        let (columns, rows) = (self.lens.columns, self.lens.rows);
        let (column, row) = (pixel % columns, pixel / columns);
        let at = |index: usize| Vec3::from(self.directions[index].map(f64::from));
        let change_along = |place: usize, count: usize, step: usize| {
            let (before, after) = (usize::from(place > 0), usize::from(place + 1 < count));
            (at(pixel + after * step) - at(pixel - before * step)) / (before + after).max(1) as f64
        };
        [at(pixel), change_along(column, columns, 1), change_along(row, rows, columns)]
    }

    /// The angle [rad] of a pixel, the mean of those to its neighbours in row and column. 0 where there is no picture that would be averaged
    /// over it.
    ///
    /// # Panics
    /// The eye is not open.
    pub(super) fn spread(&self, space: &Space, pixel: usize) -> f64 {
        if !space.has_pictures() {
            return 0.0;
        }
        let [_, across, along] = self.around(pixel).map(|change| change.norm());
        // A picture of one row or column has neighbours on one axis alone.
        if across == 0.0 || along == 0.0 { across + along } else { 0.5 * (across + along) }
    }

    /// Calls `develop` with each column of a row and the mean of what the rays of its pixel see.
    pub(super) fn expose(
        &self,
        space: &Space,
        batch: &Batch,
        row: usize,
        place: &Place,
        pattern: &Pattern,
        mut develop: impl FnMut(usize, [f32; 3]),
    ) {
        let (columns, count) = (self.lens.columns, pattern.count);
        let share = 1.0 / count as f32;
        let narrower = (count as f64).sqrt().recip();
        let (mut sum, mut done) = ([0.0; 3], 0);
        let mut look = |rays: &[Ray]| {
            let first = count * columns * row + done;
            let spread = narrower * self.spread(space, first / count);
            let seen = batch.look_packet(space, |lane| first + lane, rays, spread);
            for (color, _) in &seen[..rays.len()] {
                sum = std::array::from_fn(|channel| sum[channel] + color[channel]);
                done += 1;
                if done.is_multiple_of(count) {
                    develop(done / count - 1, sum.map(|channel| channel * share));
                    sum = [0.0; 3];
                }
            }
        };
        let (mut rays, mut waiting) = ([Ray::NOWHERE; PACKET], 0);
        for pixel in row * columns..(row + 1) * columns {
            let around = self.around(pixel);
            for sample in 0..count {
                rays[waiting] = self.ray_along(pattern.direction(sample, &around), place).0;
                waiting += 1;
                if waiting == PACKET {
                    look(&rays);
                    waiting = 0;
                }
            }
        }
        if waiting > 0 {
            look(&rays[..waiting]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Distortion, Lens};
    use super::*;

    #[test]
    fn each_ray_has_a_row_and_a_column_and_their_mean_is_the_middle() {
        for (_, samples) in SAMPLES {
            let pattern = Pattern::new(*samples);
            assert_eq!(pattern.count(), *samples);
            for axis in [0, 1] {
                let mut places: Vec<f64> = pattern.offsets[..*samples].iter().map(|offset| offset[axis]).collect();
                assert!(places.iter().sum::<f64>().abs() < 1e-12);
                places.sort_by(f64::total_cmp);
                for (index, place) in places.iter().enumerate() {
                    assert!((place - ((index as f64 + 0.5) / *samples as f64 - 0.5)).abs() < 1e-12, "{places:?}");
                }
            }
        }
    }

    #[test]
    fn rays_of_a_pixel_look_where_the_lens_sends_them() {
        for distortion in
            [Distortion::PlumbBob([-0.2, 0.05, 0.001, -0.002, 0.0]), Distortion::Equidistant([-0.03, 0.002, 0.0, 0.0])]
        {
            let lens = Lens { columns: 320, rows: 240, focal: [200.0; 2], centre: [160.0, 120.0], distortion };
            let mut eye = Eye::new(lens, [0.1, 10.0]).unwrap();
            eye.open();
            let pattern = Pattern::new(4);
            for pixel in [0, 319, 160 + 120 * 320, 17 + 200 * 320, 320 * 240 - 1] {
                for (place, [right, down]) in pattern.offsets[..4].iter().enumerate() {
                    let at = [(pixel % 320) as f64 + right, (pixel / 320) as f64 + down];
                    let actual = lens.project(eye.direction(&pattern, 4 * pixel + place)).unwrap();
                    let error = (actual[0] - at[0]).hypot(actual[1] - at[1]);
                    assert!(error < 5e-3, "{distortion:?} {at:?}: off by {error}");
                }
            }
        }
    }
}
