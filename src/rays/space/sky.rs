//! The sky: what rays see that meet nothing, and the hue of the light that comes from there.
//!
//! A [`ClearSky`] goes from the colour of the horizon to that of the zenith as the gradation of the clear sky by CIE S 011 (ISO 15469:2004, types
//! 12 and 13) does: φ(Z) = 1 − exp(−0.32 / cos Z) for an angle Z from the zenith, so that the zenith has the share
//! (1 − φ(Z)) / (1 − φ(0)) = exp(0.32 · (1 − 1 / cos Z)). Below the horizon there is the colour of the ground by the same law, since what
//! is far away is seen through as much air. The sky is as bright around the sun as elsewhere, which in the standard it is not: pictures would
//! be overexposed there.
//!
//! What comes from it to a level surface is the mean of the colours above, each weighted by the cosine to the zenith. It has the hue of the
//! light from above; its brightness is that of the world file's ambient light. The more light comes from the sky instead of from the sun, the
//! more clouds there are, and the whiter it is: at an ambient share of one there is no sun, and light from everywhere is white.

use std::sync::Arc;

use skidpad_files::mesh::texture::Wrap;
use skidpad_math::Vec3;

use super::texture::Texture;

/// What is seen where nothing is hit.
#[derive(Clone, Debug)]
pub enum Sky {
    /// Two gradients.
    Clear(ClearSky),
    /// Pictures of the six sides: ahead (x), back, down, up, left (y), right.
    Box(Arc<[Arc<Texture>; 6]>),
}

/// A sky without clouds above a plain. Colours are red, green, blue, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearSky {
    /// Straight up.
    pub zenith: [f32; 3],
    /// At the horizon.
    pub horizon: [f32; 3],
    /// Straight down.
    pub ground: [f32; 3],
}

impl Default for Sky {
    /// A dome of its default colours.
    fn default() -> Sky {
        Sky::Clear(ClearSky::default())
    }
}

impl Default for ClearSky {
    /// A clear day above light soil; chosen so that a shadow on grey is as much bluer than the sun as on photographs that are balanced for
    /// daylight.
    fn default() -> ClearSky {
        let color = |bytes: [u8; 4]| [bytes[0], bytes[1], bytes[2]].map(|byte| f32::from(byte) / 255.0);
        ClearSky { zenith: color(ClearSky::ZENITH), horizon: color(ClearSky::HORIZON), ground: color(ClearSky::GROUND) }
    }
}

impl ClearSky {
    /// Default colour of the zenith, red green blue alpha.
    pub const ZENITH: [u8; 4] = [0x5a, 0x92, 0xd6, 0xff];
    /// Default colour of the horizon.
    pub const HORIZON: [u8; 4] = [0xd8, 0xe6, 0xf2, 0xff];
    /// Default colour of the ground.
    pub const GROUND: [u8; 4] = [0x8a, 0x83, 0x78, 0xff];

    /// The coefficient b of the gradation [-], without its sign.
    const THICKNESS: f64 = 0.32;
    /// Share of the zenith's colour in what comes to a level surface [-]: the integral of 2 c exp(b (1 − 1 / c)) over the cosine c.
    const OF_ZENITH: f32 = 0.801_040_6;

    /// The colour where a unit vector goes upwards by `up` [-].
    #[inline]
    pub fn color(&self, up: f64) -> [f32; 3] {
        let far = if up > 0.0 { &self.zenith } else { &self.ground };
        // The horizon itself has no share of either.
        let share = libm::exp(ClearSky::THICKNESS * (1.0 - up.abs().recip())) as f32;
        mix(&self.horizon, far, share)
    }

    /// What comes from above to surfaces that look up, and from below to those that look down, where this share [-] of all light does not come
    /// from the sun: factors of each channel, 0 to 1.
    #[inline]
    pub fn light(&self, ambient: f32) -> [[f32; 3]; 2] {
        let above = mix(&self.horizon, &self.zenith, ClearSky::OF_ZENITH);
        let brightest = above.iter().fold(0.0, |most: f32, channel| most.max(*channel));
        // A black sky has no hue.
        let above = if brightest > 0.0 { above.map(|channel| channel / brightest) } else { [1.0; 3] };
        [above, self.ground].map(|color| mix(&color, &[1.0; 3], ambient))
    }
}

/// A colour with this share [-] of another one.
fn mix(color: &[f32; 3], other: &[f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|channel| color[channel] + share * (other[channel] - color[channel]))
}

impl Sky {
    /// The colour in a direction of the world, of a cone with this angle [rad]: red, green, blue, 0 to 1.
    #[inline]
    pub fn color(&self, direction: Vec3, spread: f64) -> [f32; 3] {
        let sides = match self {
            Sky::Clear(sky) => return sky.color(direction.z),
            Sky::Box(sides) => sides,
        };
        let [x, y, z] = [direction.x, direction.y, direction.z];
        let [width, depth, height] = [x.abs(), y.abs(), z.abs()];
        // Index of the side of the box; right and up in its picture; and the component along its outward normal.
        let (side, right, up, out) = if width >= depth && width >= height {
            if x > 0.0 { (0, -y, z, width) } else { (1, y, z, width) }
        } else if depth >= height {
            if y > 0.0 { (4, x, z, depth) } else { (5, -x, z, depth) }
        } else if z > 0.0 {
            (3, y, x, height)
        } else {
            (2, y, -x, height)
        };
        let share = |component: f64| (0.5 + 0.5 * component / out) as f32;
        // In the middle of a side, whose half is seen under 45 degrees; towards its edges a cone covers up to twice as much.
        let covered = (0.5 * spread) as f32;
        sides[side].color([share(right), share(up)], [Wrap::Stretch; 2], &[[covered, 0.0], [0.0, covered]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(actual: [f32; 3], expected: [f32; 3]) {
        let error = actual.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(error < 1e-5, "{actual:?} instead of {expected:?}");
    }

    const COLORS: ClearSky = ClearSky { zenith: [0.0, 0.2, 1.0], horizon: [1.0, 0.8, 0.6], ground: [0.3, 0.2, 0.1] };

    #[test]
    fn it_goes_from_the_horizon_to_the_zenith_by_the_gradation_of_a_clear_sky_and_down_to_the_ground() {
        assert_near(COLORS.color(1.0), COLORS.zenith);
        assert_near(COLORS.color(-1.0), COLORS.ground);
        for up in [0.0, -0.0, 1e-300, -1e-9] {
            assert_near(COLORS.color(up), COLORS.horizon);
        }
        // φ(60°) = 1 − exp(−0.64), φ(0) = 1 − exp(−0.32); red is the share of the horizon.
        let [most, half] = [0.32_f64, 0.64].map(|thickness| (-thickness).exp());
        assert!((f64::from(COLORS.color(0.5)[0]) - (1.0 - half / most)).abs() < 1e-6);
        let [low, high] = [0.1, 0.3].map(|up| COLORS.color(up)[2]);
        assert!(0.6 < low && low < high && high < 1.0);
    }

    #[test]
    fn its_light_has_the_hue_of_what_is_above_and_is_whiter_the_less_sun_there_is() {
        // The mean over the half sphere, by the cosine: rings of equal width in cos Z.
        let rings = 100_000;
        let mut mean = [0.0_f64; 3];
        for ring in 0..rings {
            let up = (f64::from(ring) + 0.5) / f64::from(rings);
            let color = COLORS.color(up);
            mean =
                std::array::from_fn(|channel| mean[channel] + 2.0 * up * f64::from(color[channel]) / f64::from(rings));
        }
        let [above, below] = COLORS.light(0.0);
        assert_near(above, mean.map(|channel| (channel / mean[2]) as f32));
        assert_near(below, COLORS.ground);
        assert_eq!(COLORS.light(1.0), [[1.0; 3]; 2]);
        assert_near(COLORS.light(0.5)[1], [0.65, 0.6, 0.55]);
        let black = ClearSky { zenith: [0.0; 3], horizon: [0.0; 3], ground: [0.0; 3] };
        assert_eq!(black.light(0.0), [[1.0; 3], [0.0; 3]]);
    }

    #[test]
    fn pictures_are_around_the_world_the_right_way_up() {
        let side = |number: u8| Arc::new(Texture::new(1, 1, vec![[10 * number; 3]]).unwrap());
        let sky = Sky::Box(Arc::new([1, 2, 3, 4, 5, 6].map(side)));
        let directions = [Vec3::x(), -Vec3::x(), -Vec3::z(), Vec3::z(), Vec3::y(), -Vec3::y()];
        for (direction, number) in directions.into_iter().zip(1_u8..) {
            assert_near(sky.color(direction, 0.0), [f32::from(10 * number) / 255.0; 3]);
        }
        // Ahead and to the left: the left half of the picture ahead.
        let halves = Arc::new(Texture::new(2, 1, vec![[255; 3], [0; 3]]).unwrap());
        let sky = Sky::Box(Arc::new(std::array::from_fn(|_| halves.clone())));
        assert_near(sky.color(Vec3::new(1.0, 0.9, 0.0), 0.0), [1.0; 3]);
    }
}
