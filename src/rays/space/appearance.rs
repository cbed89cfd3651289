//! What a ray sees: colours of surfaces, light and shadow, and pictures on surfaces.
//!
//! A level surface below a white sun appears in its own colour; in shadow, in about the share `ambient` of it, in the light that comes from
//! the [sky](super::sky) above and from the ground below; in between the sun adds to that by Lambert's law:
//! own · (ambient · h(n) + (1 − ambient · above) · light · max(0, n·s)). h(n) = (1 + n_z)/2 · above + (1 − n_z)/2 · below is what a surface
//! with the normal n receives between two halves of a sphere that shine evenly (hemisphere lighting: T. Akenine-Möller, E. Haines and
//! N. Hoffman 2018, "Real-time rendering", 10.6). The sun lacks what the sky gives: the air scatters the blue of its light, and both together
//! are white. Colours are those of files (sRGB) throughout, as in MVSim's renderer: no gamma correction. Through a surface of the opacity α
//! the share 1 − α of what is behind it is seen, and one that is less than half opaque casts no shadow. Not modelled: reflections,
//! refraction, gloss, light from other surfaces.

use std::collections::BTreeSet;

use skidpad_math::Vec3;

use super::sky::Sky;
use super::texture::Footprint;
use super::{Hit, Ray, Space, SurfacePicture};

/// The sun, and the light of sky and ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Unit vector to the sun in the world [-].
    pub to_sun: Vec3,
    /// Red, green, blue of the sun, 0 to 1.
    pub color: [f32; 3],
    /// Share of its colour in which a surface appears without the sun [-], 0 to 1, times what comes from where it looks.
    pub ambient: f32,
    /// What of that share comes to surfaces that look straight up: red, green, blue, 0 to 1.
    pub above: [f32; 3],
    /// The same of surfaces that look straight down.
    pub below: [f32; 3],
    /// Whether what is in the way of the sun casts a shadow.
    pub has_shadows: bool,
    /// Farthest distance from a surface of what casts a shadow on it [m].
    pub shadow_range: f64,
}

impl Default for Light {
    /// Without sun: every surface in its own colour.
    fn default() -> Light {
        Light {
            to_sun: Vec3::z(),
            color: [1.0; 3],
            ambient: 1.0,
            above: [1.0; 3],
            below: [1.0; 3],
            has_shadows: false,
            shadow_range: 0.0,
        }
    }
}

impl Space {
    /// Whether there are pictures, on surfaces or of the sky.
    #[inline]
    pub fn has_pictures(&self) -> bool {
        !self.textures.is_empty() || matches!(self.sky, Sky::Box(_))
    }

    /// What a cone sees around a ray that widens by `spread` [rad]: its colour (red, green, blue, 0 to 1), and what is nearest on the way of
    /// the ray, if anything is. The width matters to pictures alone, which are averaged over it.
    #[inline]
    pub fn look(&self, ray: &Ray, spread: f64) -> ([f32; 3], Option<Hit>) {
        self.see(ray, spread, self.cast(ray), |to_sun| self.is_blocked(to_sun))
    }

    /// What such a cone sees on whose way `nearest` is. `is_blocked` tells whether anything is between there and the sun.
    pub(super) fn see(
        &self,
        ray: &Ray,
        spread: f64,
        nearest: Option<Hit>,
        is_blocked: impl FnOnce(&Ray) -> bool,
    ) -> ([f32; 3], Option<Hit>) {
        let Some(nearest) = nearest else { return (self.sky.color(ray.direction, spread), None) };
        let color = self.lit_color(ray, spread, &nearest, is_blocked);
        if !self.has_glass || self.opacity(ray, &nearest) >= 1.0 {
            return (color, Some(nearest));
        }
        (self.look_through_glass(ray, spread, &nearest, color), Some(nearest))
    }

    /// The colour of a pane of this colour, and of what is behind it.
    fn look_through_glass(&self, ray: &Ray, spread: f64, pane: &Hit, color: [f32; 3]) -> [f32; 3] {
        /// Least share of what is behind that still shows.
        const MIN_SHARE: f32 = 1.0 / 512.0;
        let (mut ray, mut pane, mut color) = (*ray, *pane, color);
        let (mut sum, mut share) = ([0.0; 3], 1.0);
        let mut add = |color: [f32; 3], share: f32| {
            sum = std::array::from_fn(|channel| sum[channel] + share * color[channel]);
        };
        loop {
            let opacity = self.opacity(&ray, &pane);
            add(color, share * opacity);
            share *= 1.0 - opacity;
            if share < MIN_SHARE {
                break;
            }
            ray.near = pane.behind();
            let Some(next) = self.cast(&ray) else {
                add(self.sky.color(ray.direction, spread), share);
                break;
            };
            (pane, color) = (next, self.lit_color(&ray, spread, &next, |to_sun| self.is_blocked(to_sun)));
        }
        sum
    }

    /// The pictures on all surfaces in it, one as often as it is there.
    #[inline]
    pub fn surface_pictures(&self) -> impl Iterator<Item = SurfacePicture> + '_ {
        let surfaces = self.instances.iter().flat_map(|instance| instance.surfaces.iter());
        surfaces.filter_map(|surface| surface.picture)
    }

    /// The indices of the pictures that are on something in it.
    #[inline]
    pub fn pictures_shown(&self) -> BTreeSet<u32> {
        self.surface_pictures().map(|picture| picture.texture).collect()
    }

    /// The colour of a surface as such that a cone of the angle `spread` [rad] around a ray covers: red, green, blue, 0 to 1.
    pub fn own_color(&self, ray: &Ray, spread: f64, hit: &Hit) -> [f32; 3] {
        let (surface, model) = (self.surface(hit), self.model(hit));
        let triangle = hit.triangle as usize;
        // A model that joins several bodies has colours for some of them only: black corners are those of the others.
        let colors = model.colors.get(triangle).filter(|colors| **colors != [[0; 3]; 3]);
        let on_picture = surface.picture.and_then(|picture| {
            Some((self.textures.get(picture.texture as usize)?.as_deref()?, picture, model.on_picture.get(triangle)?))
        });
        if colors.is_none() && on_picture.is_none() {
            return surface.color;
        }
        let [second, third] = self.instance(hit).weights(ray, hit).map(|weight| weight as f32);
        let weights = [1.0 - second - third, second, third];
        let of_corners = colors.map(|colors| -> [f32; 3] {
            std::array::from_fn(|channel| {
                let mix: f32 = (0..3).map(|corner| weights[corner] * f32::from(colors[corner][channel])).sum();
                mix / 255.0
            })
        });
        if let Some((texture, picture, on_picture)) = on_picture {
            let covered = match spread > 0.0 {
                true => {
                    let [direction, normal] = self.instance(hit).turned([ray.direction, hit.normal]);
                    on_picture.footprint(spread * hit.range, direction, normal)
                }
                false => Footprint::default(),
            };
            let color = texture.color(on_picture.at(weights), picture.wrap, &covered);
            let tint = of_corners.filter(|_| picture.is_tinted).unwrap_or([1.0; 3]);
            return std::array::from_fn(|channel| tint[channel] * color[channel]);
        }
        of_corners.unwrap_or(surface.color)
    }

    /// The colour of what a ray has hit, in light and shadow. `is_blocked` tells whether anything is on a way to the sun.
    fn lit_color(&self, ray: &Ray, spread: f64, hit: &Hit, is_blocked: impl FnOnce(&Ray) -> bool) -> [f32; 3] {
        let own_color = self.own_color(ray, spread, hit);
        let light = &self.light;
        if !self.surface(hit).is_lit {
            return own_color;
        }
        let cosine = hit.normal.dot(&light.to_sun);
        let in_shadow = || self.way_to_sun(ray, hit).is_some_and(|to_sun| is_blocked(&to_sun));
        let sun = if light.ambient >= 1.0 || cosine <= 0.0 || in_shadow() { 0.0 } else { cosine as f32 };
        let upwards = (0.5 + 0.5 * hit.normal.z) as f32;
        std::array::from_fn(|channel| {
            let Light { ambient, above, below, color, .. } = light;
            let around = below[channel] + upwards * (above[channel] - below[channel]);
            own_color[channel] * (ambient * around + (1.0 - ambient * above[channel]) * color[channel] * sun)
        })
    }

    /// The way to the sun from what a ray has hit, if a shadow would be seen there.
    pub(super) fn way_to_sun(&self, ray: &Ray, hit: &Hit) -> Option<Ray> {
        /// Distance from the surface [m] at which the way to the sun begins, above the rounding of large models.
        const OFFSET: f64 = 1e-3;
        let light = &self.light;
        let is_lit = light.ambient < 1.0 && hit.normal.dot(&light.to_sun) > 0.0 && self.surface(hit).is_lit;
        (light.has_shadows && is_lit).then(|| {
            let origin = ray.origin + hit.range * ray.direction + OFFSET * hit.normal;
            Ray {
                origin,
                direction: light.to_sun,
                near: 0.0,
                far: light.shadow_range,
                hidden: None,
                looker: ray.looker,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use skidpad_files::mesh::texture::{Alpha, Wrap};
    use skidpad_math::Pose3;

    use super::super::{Looker, Model, OnPicture, Surface, Texture};
    use super::*;

    /// A square of side 2 in the plane z = 0, and a smaller one above it.
    fn space(picture: bool, roof: bool) -> Space {
        let square = |half: f64, z: f64| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| Vec3::new(half * x, half * y, z))
        };
        let mut model = Model::new(&square(1.0, 0.0));
        let on = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let corners = square(1.0, 0.0);
        let triangles = corners.as_chunks::<3>().0.iter().zip(on.as_chunks::<3>().0);
        model.on_picture = triangles.map(|(corners, on)| OnPicture::new(*corners, *on)).collect();
        let picture = picture.then_some(SurfacePicture {
            texture: 0,
            wrap: [Wrap::Repeat; 2],
            is_tinted: false,
            alpha: Alpha::Unsaid,
        });
        let surface = Surface { color: [0.8, 0.4, 0.2], picture, is_lit: true, ..Surface::default() };
        let mut space = Space::default();
        let texture = Texture::new(2, 2, vec![[255, 0, 0], [0, 255, 0], [0, 0, 255], [255; 3]]).unwrap();
        space.textures = vec![Some(Arc::new(texture))];
        space.add(Arc::new(model), [surface.clone()].into(), None, Pose3::default());
        if roof {
            space.add(Arc::new(Model::new(&square(0.5, 3.0))), [surface].into(), None, Pose3::default());
        }
        space.finish();
        space
    }

    fn down(x: f64, y: f64) -> Ray {
        Ray {
            origin: Vec3::new(x, y, 1.0),
            direction: -Vec3::z(),
            near: 0.0,
            far: 10.0,
            hidden: None,
            looker: Looker::Camera,
        }
    }

    fn assert_near(actual: [f32; 3], expected: [f32; 3]) {
        let error = actual.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(error < 1e-5, "{actual:?} instead of {expected:?}");
    }

    #[test]
    fn light_falls_by_lamberts_law_and_not_into_shadows() {
        let mut space = space(false, true);
        assert_near(space.look(&down(0.1, 0.2), 0.0).0, [0.8, 0.4, 0.2]);
        let to_sun = Vec3::new(0.6, 0.0, 0.8);
        let even = Light { has_shadows: true, shadow_range: 100.0, ..Light::default() };
        space.light = Light { to_sun, color: [1.0, 0.5, 1.0], ambient: 0.25, ..even };
        let lit = [0.25 + 0.75 * 0.8, 0.25 + 0.75 * 0.5 * 0.8, 0.25 + 0.75 * 0.8_f32];
        // The roof, 3 m up, throws its shadow 2.25 m away from the sun.
        assert_near(space.look(&down(0.1, 0.2), 0.0).0, [0.8 * lit[0], 0.4 * lit[1], 0.2 * lit[2]]);
        space.light.to_sun = Vec3::z();
        assert_near(space.look(&down(0.1, 0.2), 0.0).0, [0.2, 0.1, 0.05]);
        assert_near(space.look(&down(0.6, 0.2), 0.0).0, [0.8, 0.4 * 0.625, 0.2]);
        space.light.has_shadows = false;
        assert_near(space.look(&down(0.1, 0.2), 0.0).0, [0.8, 0.4 * 0.625, 0.2]);
    }

    #[test]
    fn pictures_lie_on_surfaces_the_right_way_up_and_are_smooth() {
        let space = space(true, false);
        // Centres of the four pixels: y points up in the picture.
        assert_near(space.look(&down(-0.5, 0.5), 0.0).0, [1.0, 0.0, 0.0]);
        assert_near(space.look(&down(0.5, 0.5), 0.0).0, [0.0, 1.0, 0.0]);
        assert_near(space.look(&down(-0.5, -0.5), 0.0).0, [0.0, 0.0, 1.0]);
        assert_near(space.look(&down(0.0, 0.5), 0.0).0, [0.5, 0.5, 0.0]);
        assert_near(space.look(&down(0.25, -0.25), 0.0).0, {
            // 3/4 to the right, 1/4 up.
            let [above, below] = [[0.25, 0.75, 0.0], [0.75, 0.75, 1.0]];
            std::array::from_fn(|channel| 0.25 * above[channel] + 0.75 * below[channel])
        });
    }

    #[test]
    fn what_is_behind_glass_shows_by_the_share_that_passes_and_clear_glass_casts_no_shadow() {
        let mut space = space(false, false);
        let pane = |opacity: f32, z: f64| {
            let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
            let model = Model::new(&corners.map(|(x, y)| Vec3::new(x, y, z)));
            (Arc::new(model), [Surface { color: [1.0, 1.0, 0.0], opacity, ..Surface::default() }])
        };
        let mut add = |opacity, z| {
            let (model, surface) = pane(opacity, z);
            space.add(model, surface.into(), None, Pose3::default());
        };
        add(0.25, 0.5);
        add(0.25, 0.75);
        space.finish();
        let (color, hit) = space.look(&down(0.1, 0.2), 0.0);
        assert!((hit.unwrap().range - 0.25).abs() < 1e-9);
        let behind = 0.75_f32 * 0.75;
        let front = 1.0 - behind;
        assert_near(color, [front + behind * 0.8, front + behind * 0.4, behind * 0.2]);
        assert_near(space.look(&down(0.9, 0.9), 0.0).0, [0.8, 0.4, 0.2]);
        let through = space.cast_through_glass(&down(0.1, 0.2)).unwrap();
        assert!((through.range - 1.0).abs() < 1e-6);
        let up = Ray { origin: Vec3::new(0.1, 0.2, 0.1), direction: Vec3::z(), ..down(0.0, 0.0) };
        assert!(!space.is_blocked(&up), "two clear panes");
        let sky = space.sky.color(Vec3::z(), 0.0);
        assert_near(space.look(&up, 0.0).0, [0, 1, 2].map(|c| front * [1.0, 1.0, 0.0][c] + behind * sky[c]));
        let (model, surface) = pane(0.6, 0.9);
        space.add(model, surface.into(), None, Pose3::default());
        space.finish();
        assert!(space.is_blocked(&up), "a dark pane");
    }

    /// Surfaces that look up, to the side and down, in the shade and in the sun.
    #[test]
    fn what_looks_up_has_the_light_of_the_sky_and_what_looks_down_that_of_the_ground() {
        let mut space = space(false, false);
        let (above, below) = ([0.5, 0.75, 1.0], [0.75, 0.5, 0.25]);
        let night = Light { to_sun: -Vec3::z(), ambient: 0.4, above, below, ..Light::default() };
        let own = [0.8, 0.4, 0.2];
        let lit = |share: &dyn Fn(usize) -> f32| std::array::from_fn(|channel| own[channel] * share(channel));
        let up = Ray { origin: Vec3::new(0.1, 0.2, -1.0), direction: Vec3::z(), ..down(0.0, 0.0) };
        space.light = night;
        assert_near(space.look(&down(0.1, 0.2), 0.0).0, lit(&|channel| 0.4 * above[channel]));
        space.light.to_sun = Vec3::z();
        assert_near(space.look(&up, 0.0).0, lit(&|channel| 0.4 * below[channel]));
        assert_near(space.look(&down(0.1, 0.2), 0.0).0, own);
        // Upright and facing the x axis: half of each.
        space.place(0, Pose3 { pitch: std::f64::consts::FRAC_PI_2, ..Pose3::default() });
        space.finish();
        space.light = night;
        let ahead = Ray { origin: Vec3::new(1.0, 0.2, 0.1), direction: -Vec3::x(), ..down(0.0, 0.0) };
        assert_near(space.look(&ahead, 0.0).0, lit(&|channel| 0.2 * (above[channel] + below[channel])));
        space.light.to_sun = Vec3::new(0.6, 0.0, 0.8);
        let sun = |channel: usize| 0.6 * (1.0 - 0.4 * above[channel]);
        assert_near(space.look(&ahead, 0.0).0, lit(&|channel| 0.2 * (above[channel] + below[channel]) + sun(channel)));
    }
}
