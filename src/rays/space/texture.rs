//! Pictures on surfaces: each in its own size and in halves of it, so that one seen from afar is the mean of what a pixel covers and does
//! not flicker.
//!
//! A pixel sees a surface through a cone, which covers an ellipse there: as wide as the cone across the ray, and longer by one over the cosine
//! along it (T. Akenine-Möller et al. 2021, "Improved shader and texture level of detail using ray cones"). The size is chosen that gives
//! the short axis one pixel, between two sizes a mixture of both (L. Williams 1983, "Pyramidal parametrics"), and as many places along the long
//! axis are averaged as it is longer, up to [`MAX_PLACES`] (R. McCormack et al. 1999, "Feline"). All means are of the numbers in files, as
//! everything else in a picture is.

use skidpad_files::mesh::texture::Wrap;
use skidpad_math::Vec3;

/// Most places on a texture that are averaged for a pixel.
const MAX_PLACES: f32 = 8.0;

/// A picture in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// The picture, and then each time half as wide and high.
    levels: Vec<Level>,
    /// How opaque the pixels of the picture are; empty: all are.
    alpha: Vec<u8>,
}

/// A picture in one of its sizes.
#[derive(Clone, Debug, PartialEq)]
struct Level {
    width: usize,
    height: usize,
    /// Row by row from the top.
    pixels: Vec<[u8; 3]>,
}

/// What a pixel covers on a texture: two axes of an ellipse in texture coordinates [-]; zero: a point.
pub(super) type Footprint = [[f32; 2]; 2];

/// A triangle on a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OnPicture {
    /// Texture coordinates of the corners [-], see `Picture` in `world::drawing` of `skidpad-sim`.
    corners: [[f32; 2]; 3],
    /// How both texture coordinates grow along the triangle, in the frame of the model [1/m].
    gradients: [[f32; 3]; 2],
}

impl OnPicture {
    /// A triangle with these corners [m] and their texture coordinates [-].
    pub fn new([a, b, c]: [Vec3; 3], on: [[f32; 2]; 3]) -> OnPicture {
        let (second, third) = (b - a, c - a);
        let normal = second.cross(&third);
        let square = normal.norm_squared();
        let gradients = [0, 1].map(|axis| {
            let grows = |corner: usize| f64::from(on[corner][axis] - on[0][axis]);
            let gradient = (grows(1) * third.cross(&normal) + grows(2) * normal.cross(&second)) / square;
            // A triangle without area is not seen.
            if square > 0.0 { gradient.cast::<f32>().into() } else { [0.0; 3] }
        });
        OnPicture { corners: on, gradients }
    }

    /// The place on the picture [-] with these weights of the corners [-].
    pub(super) fn at(&self, weights: [f32; 3]) -> [f32; 2] {
        std::array::from_fn(|axis| (0..3).map(|corner| weights[corner] * self.corners[corner][axis]).sum())
    }

    /// What a cone covers there that is `width` [m] wide and runs along `direction`, from a surface with this unit normal towards its start;
    /// both in the frame of the model.
    pub(super) fn footprint(&self, width: f64, direction: Vec3, normal: Vec3) -> Footprint {
        /// Least cosine between ray and normal [-]: beyond it the ellipse has no end.
        const MIN_COSINE: f64 = 1e-3;
        let along = direction - normal.dot(&direction) * normal;
        let cosine = -normal.dot(&direction);
        // A ray along the normal has no direction along the surface; then any will do, since both axes are equally long.
        let along = along.try_normalize(1e-9).unwrap_or_else(|| normal.cross(&least_axis(normal)).normalize());
        let across = normal.cross(&along);
        [along * (width / cosine.max(MIN_COSINE)), across * width]
            .map(|axis| self.gradients.map(|gradient| Vec3::from(gradient.map(f64::from)).dot(&axis) as f32))
    }
}

/// The unit vector of the axis along which this one is shortest.
fn least_axis(vector: Vec3) -> Vec3 {
    let mut axis = Vec3::zeros();
    axis[vector.abs().imin()] = 1.0;
    axis
}

impl Texture {
    /// A picture of these pixels (red, green, blue), row by row from the top; none if they are not `width` × `height`, at least one.
    pub fn new(width: usize, height: usize, pixels: Vec<[u8; 3]>) -> Option<Texture> {
        if pixels.is_empty() || width.checked_mul(height) != Some(pixels.len()) {
            return None;
        }
        let mut levels = vec![Level { width, height, pixels }];
        while let Some(half) = levels.last().and_then(Level::half) {
            levels.push(half);
        }
        Some(Texture { levels, alpha: Vec::new() })
    }

    /// The same with these opacities of its pixels, 0 to 255, if there are as many.
    pub fn with_alpha(mut self, alpha: Vec<u8>) -> Texture {
        if alpha.len() == self.levels[0].pixels.len() {
            self.alpha = alpha;
        }
        self
    }

    /// Memory that it takes [bytes].
    #[inline]
    pub fn bytes(&self) -> u64 {
        let pixels: usize = self.levels.iter().map(|level| level.pixels.len()).sum();
        (3 * pixels + self.alpha.len()) as u64
    }

    /// Whether any pixel may be less than opaque.
    pub(super) fn has_alpha(&self) -> bool {
        !self.alpha.is_empty()
    }

    /// How opaque it is at a place, 0 to 255, between the four nearest pixels. It is not averaged over what a pixel of a camera covers: a hole
    /// is in the same place for all sensors and from everywhere.
    pub(super) fn alpha(&self, [u, v]: [f32; 2], [wrap_u, wrap_v]: [Wrap; 2]) -> f32 {
        if self.alpha.is_empty() {
            return 255.0;
        }
        let Level { width, height, .. } = self.levels[0];
        let (left, right, x) = place(u, width, wrap_u);
        let (top, bottom, y) = place(1.0 - v, height, wrap_v);
        let pixel = |column: usize, row: usize| f32::from(self.alpha[row * width + column]);
        let [a, b, c, d] = [pixel(left, top), pixel(right, top), pixel(left, bottom), pixel(right, bottom)];
        let (above, below) = (a + x * (b - a), c + x * (d - c));
        above + y * (below - above)
    }

    /// Red, green, blue, 0 to 1, of what is covered around `at`: 0 0 is the lower left corner, 1 1 the upper right one.
    pub(super) fn color(&self, at: [f32; 2], wrap: [Wrap; 2], covered: &Footprint) -> [f32; 3] {
        let full = &self.levels[0];
        let [first_side, second_side] = covered.map(|[u, v]| {
            let (x, y) = (u * full.width as f32, v * full.height as f32);
            (x * x + y * y).sqrt()
        });
        let (long, short, axis) = match first_side >= second_side {
            true => (first_side, second_side, covered[0]),
            false => (second_side, first_side, covered[1]),
        };
        if long.is_nan() || long <= 1.0 {
            return full.color(at, wrap);
        }
        let places = (long / short.max(1.0)).ceil().min(MAX_PLACES);
        let level = libm::log2f((long / places).max(1.0)).min((self.levels.len() - 1) as f32);
        let mut sum = [0.0; 3];
        for place in 0..places as usize {
            let share = (place as f32 + 0.5) / places - 0.5;
            let color = self.color_at_level([at[0] + share * axis[0], at[1] + share * axis[1]], wrap, level);
            sum = std::array::from_fn(|channel| sum[channel] + color[channel]);
        }
        sum.map(|channel| channel / places)
    }

    /// The colour at a place of the picture in a size between two levels: `level` is the number of halvings.
    fn color_at_level(&self, at: [f32; 2], wrap: [Wrap; 2], level: f32) -> [f32; 3] {
        let low = level as usize;
        let color = self.levels[low].color(at, wrap);
        match self.levels.get(low + 1) {
            Some(next) if level > low as f32 => {
                let (share, next) = (level - low as f32, next.color(at, wrap));
                std::array::from_fn(|channel| color[channel] + share * (next[channel] - color[channel]))
            }
            _ => color,
        }
    }
}

impl Level {
    /// Red, green, blue, 0 to 1, between the four nearest pixels.
    fn color(&self, [u, v]: [f32; 2], [wrap_u, wrap_v]: [Wrap; 2]) -> [f32; 3] {
        let (left, right, x) = place(u, self.width, wrap_u);
        let (top, bottom, y) = place(1.0 - v, self.height, wrap_v);
        let pixel = |column: usize, row: usize| self.pixels[row * self.width + column].map(f32::from);
        let corners = [pixel(left, top), pixel(right, top), pixel(left, bottom), pixel(right, bottom)];
        std::array::from_fn(|channel| {
            let [a, b, c, d] = corners.map(|corner| corner[channel]);
            let (above, below) = (a + x * (b - a), c + x * (d - c));
            (above + y * (below - above)) / 255.0
        })
    }

    /// The same in half the size, each pixel the mean of those that it covers; none of a single one.
    fn half(&self) -> Option<Level> {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        if (width, height) == (self.width, self.height) {
            return None;
        }
        let columns: Vec<_> = (0..width).map(|column| shares(column, self.width, width)).collect();
        let mut pixels = Vec::with_capacity(width * height);
        for row in 0..height {
            let rows = shares(row, self.height, height);
            for across in &columns {
                let mut sum = [0.0_f32; 3];
                for (row, down) in rows.iter().filter(|(_, share)| *share > 0.0) {
                    for (column, share) in across.iter().filter(|(_, share)| *share > 0.0) {
                        let pixel = self.pixels[row * self.width + column];
                        sum = std::array::from_fn(|c| sum[c] + down * share * f32::from(pixel[c]));
                    }
                }
                pixels.push(sum.map(|channel| (channel + 0.5) as u8));
            }
        }
        Some(Level { width, height, pixels })
    }
}

/// The pixels of a side of `size` that pixel `index` of a side of `half` covers, and the share [-] of each in it.
fn shares(index: usize, size: usize, half: usize) -> [(usize, f32); 3] {
    let [start, end] = [index, index + 1].map(|edge| (edge * size) as f32 / half as f32);
    std::array::from_fn(|offset| {
        let pixel = start as usize + offset;
        let covered = (end.min((pixel + 1) as f32) - start.max(pixel as f32)).max(0.0);
        (pixel.min(size - 1), covered / (end - start))
    })
}

/// The pixels on both sides of a place on a side of so many, and how far it is from the first to the second [-].
fn place(at: f32, size: usize, wrap: Wrap) -> (usize, usize, f32) {
    let at = match wrap {
        Wrap::Repeat => at - at.floor(),
        Wrap::Mirror => (at - 2.0 * (0.5 * at).floor()).min(2.0),
        Wrap::Stretch => at.clamp(0.0, 1.0),
    };
    let at = at * size as f32 - 0.5;
    let low = at.floor();
    let pixel = |index: i64| {
        let size = size as i64;
        let index = match wrap {
            Wrap::Repeat => index.rem_euclid(size),
            Wrap::Mirror => {
                let turned = index.rem_euclid(2 * size);
                turned.min(2 * size - 1 - turned)
            }
            Wrap::Stretch => index.clamp(0, size - 1),
        };
        index as usize
    };
    (pixel(low as i64), pixel(low as i64 + 1), at - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPEAT: [Wrap; 2] = [Wrap::Repeat; 2];

    fn checkers(size: usize) -> Texture {
        let pixels =
            (0..size * size).map(|index| [if (index % size + index / size).is_multiple_of(2) { 255 } else { 0 }; 3]);
        Texture::new(size, size, pixels.collect()).unwrap()
    }

    #[test]
    fn halves_keep_the_mean_and_end_with_one_pixel() {
        let pixels: Vec<[u8; 3]> = (0..7 * 5).map(|index| [7 * index, 255 - 7 * index, 100]).collect();
        let texture = Texture::new(7, 5, pixels).unwrap();
        let sizes: Vec<_> = texture.levels.iter().map(|level| (level.width, level.height)).collect();
        assert_eq!(sizes, [(7, 5), (4, 3), (2, 2), (1, 1)]);
        let [red, green, blue] = texture.levels[3].pixels[0];
        assert!(red.abs_diff(119) <= 2 && green.abs_diff(136) <= 2 && blue == 100, "{red} {green} {blue}");
        assert_eq!(checkers(8).levels[1].pixels, vec![[128; 3]; 16]);
        assert!(Texture::new(2, 2, vec![[0; 3]; 3]).is_none());
    }

    #[test]
    fn a_pixel_that_covers_many_sees_their_mean_and_one_that_covers_few_sees_them() {
        let texture = checkers(64);
        let grey = |covered: Footprint| texture.color([0.5 + 0.5 / 64.0, 0.5 - 0.5 / 64.0], REPEAT, &covered)[0];
        assert_eq!(grey([[0.0; 2]; 2]), 1.0);
        assert_eq!(grey([[0.9 / 64.0, 0.0], [0.0, 0.9 / 64.0]]), 1.0, "nearer than its pixels");
        for covered in [[[0.1, 0.0], [0.0, 0.1]], [[0.1, 0.0], [0.0, 1e-4]], [[1e9, 0.0], [0.0, 1e9]]] {
            assert!((grey(covered) - 0.5).abs() < 0.05, "{covered:?}: {}", grey(covered));
        }
        assert!(grey([[f32::NAN; 2]; 2]) == 1.0);
        // Stripes along the long axis stay sharp; across it they are averaged.
        let stripes = (0..64 * 64).map(|index| [if (index / 64) % 8 < 4 { 255 } else { 0 }; 3]).collect();
        let stripes = Texture::new(64, 64, stripes).unwrap();
        let at = [0.5, 1.0 - 34.0 / 64.0];
        let along = stripes.color(at, REPEAT, &[[8.0 / 64.0, 0.0], [0.0, 1.0 / 64.0]])[0];
        let across = stripes.color(at, REPEAT, &[[1.0 / 64.0, 0.0], [0.0, 8.0 / 64.0]])[0];
        assert!(along == 1.0 && (across - 0.5).abs() < 0.05, "{along} {across}");
    }

    #[test]
    fn a_cone_covers_more_along_the_ray_than_across_it() {
        let corners = [Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];
        let on = OnPicture::new(corners, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        // 60 degrees from the normal, towards x: twice as long there.
        let direction = Vec3::new(0.75_f64.sqrt(), 0.0, -0.5);
        let [along, across] = on.footprint(0.1, direction, Vec3::z());
        for (actual, expected) in [(along[0], 0.1), (along[1], 0.0), (across[0], 0.0), (across[1].abs(), 0.025)] {
            assert!((actual - expected).abs() < 1e-6, "{along:?} {across:?}");
        }
        let [one, other] = on.footprint(0.1, -Vec3::z(), Vec3::z()).map(|axis| axis[0].abs().max(axis[1].abs()));
        assert!((one.max(other) - 0.05).abs() < 1e-6 && (one.min(other) - 0.025).abs() < 1e-6);
    }

    #[test]
    fn beyond_its_edge_a_picture_is_repeated_mirrored_or_stretched() {
        let texture = Texture::new(4, 1, vec![[0; 3], [50; 3], [100; 3], [150; 3]]).unwrap();
        let red = |u: f32, wrap| (255.0 * texture.color([u, 0.5], [wrap; 2], &Footprint::default())[0]).round();
        for (wrap, expected) in [
            (Wrap::Repeat, [100.0, 150.0, 0.0, 50.0, 0.0]),
            (Wrap::Mirror, [50.0, 0.0, 150.0, 100.0, 0.0]),
            (Wrap::Stretch, [0.0, 0.0, 150.0, 150.0, 150.0]),
        ] {
            let actual = [-0.375, -0.125, 1.125, 1.375, 2.125].map(|u| red(u, wrap));
            assert_eq!(actual, expected, "{wrap:?}");
        }
    }
}
