//! Holes and glass: what rays pass that have met a triangle.
//!
//! A picture whose opacity counts makes holes of a surface where it is [masked](Alpha::Mask) or lets all light pass; there nothing is for any
//! sensor. Elsewhere the surface keeps back its own opacity times that of the picture: cameras mix it with what is behind, and sensors with a
//! single return pass what is [clear](super::is_clear). Both are decided when a ray has ended, and rays go on behind what they pass, so that the
//! trees know nothing of it.

use std::sync::Arc;

use skidpad_files::mesh::texture::Alpha;

use super::{Hit, Ray, Space, Surface, SurfacePicture, Texture, is_clear};

/// Most surfaces that a ray passes, such as the leaves of a tree: then it has met nothing.
const MAX_PASSED: usize = 64;

impl Surface {
    /// Whether a picture can make holes in it.
    pub(super) fn can_have_holes(&self) -> bool {
        self.picture.is_some_and(|picture| matches!(picture.alpha, Alpha::Mask(_) | Alpha::Blend))
    }

    /// Whether one of these pictures makes holes in it, or lets light through.
    fn has_holes(&self, textures: &[Option<Arc<Texture>>]) -> bool {
        let has_alpha =
            |picture: u32| textures.get(picture as usize).and_then(Option::as_deref).is_some_and(Texture::has_alpha);
        self.picture.is_some_and(|picture| match picture.alpha {
            // All of a picture is below such a limit.
            Alpha::Mask(least) => least > u16::from(u8::MAX) || has_alpha(picture.texture),
            Alpha::Blend => has_alpha(picture.texture),
            _ => false,
        })
    }
}

impl Space {
    /// Gives it these pictures: whether there are holes is known then.
    pub fn show_pictures(&mut self, textures: Vec<Option<Arc<Texture>>>) {
        let surfaces = || self.instances.iter().flat_map(|instance| instance.surfaces.iter());
        let has_holes = surfaces().any(|surface| surface.has_holes(&textures));
        let has_glass = has_holes || surfaces().any(|surface| surface.opacity < 1.0);
        (self.has_holes, self.has_glass, self.textures) = (has_holes, has_glass, textures);
    }

    /// Share of the light that is kept back where a ray has ended [-], 0 to 1.
    #[inline]
    pub fn opacity(&self, ray: &Ray, hit: &Hit) -> f32 {
        let surface = self.surface(hit);
        match surface.picture {
            Some(picture) if picture.alpha == Alpha::Blend => {
                surface.opacity * self.picture_opacity(&picture, ray, hit) / 255.0
            }
            _ => surface.opacity,
        }
    }

    /// The opacity of a picture where a ray has ended, 0 to 255; of one that is not there the largest.
    fn picture_opacity(&self, picture: &SurfacePicture, ray: &Ray, hit: &Hit) -> f32 {
        let texture = self.textures.get(picture.texture as usize).and_then(Option::as_deref);
        let on_picture = self.model(hit).on_picture.get(hit.triangle as usize);
        let Some((texture, on_picture)) = texture.zip(on_picture) else { return 255.0 };
        let [second, third] = self.instance(hit).weights(ray, hit).map(|weight| weight as f32);
        texture.alpha(on_picture.at([1.0 - second - third, second, third]), picture.wrap)
    }

    /// Whether there is a hole where a ray has ended.
    fn is_hole(&self, ray: &Ray, hit: &Hit) -> bool {
        match self.surface(hit).picture {
            Some(picture @ SurfacePicture { alpha: Alpha::Mask(least), .. }) => {
                self.picture_opacity(&picture, ray, hit) < f32::from(least)
            }
            Some(picture @ SurfacePicture { alpha: Alpha::Blend, .. }) => {
                self.picture_opacity(&picture, ray, hit) <= 0.0
            }
            _ => false,
        }
    }

    /// What a ray meets behind holes that ends at `nearest` as far as triangles go.
    #[inline]
    pub(super) fn pass_holes(&self, ray: &Ray, nearest: Option<Hit>) -> Option<Hit> {
        if self.has_holes { self.pass(ray, nearest, |hit| self.is_hole(ray, hit)) } else { nearest }
    }

    /// The nearest triangle on the way of a ray that lets no more than half of the light through.
    #[inline]
    pub fn cast_through_glass(&self, ray: &Ray) -> Option<Hit> {
        self.pass_glass(ray, self.cast(ray))
    }

    /// That triangle of a ray on whose way `nearest` is the nearest of all.
    #[inline]
    pub fn pass_glass(&self, ray: &Ray, nearest: Option<Hit>) -> Option<Hit> {
        if !self.has_glass {
            return nearest;
        }
        self.pass(ray, nearest, |hit| is_clear(self.opacity(ray, hit)) || self.has_holes && self.is_hole(ray, hit))
    }

    /// The nearest triangle on the way of a ray that does not let it pass.
    fn pass(&self, ray: &Ray, mut nearest: Option<Hit>, lets_pass: impl Fn(&Hit) -> bool) -> Option<Hit> {
        let mut ray = *ray;
        for _ in 0..MAX_PASSED {
            let hit = nearest?;
            if !lets_pass(&hit) {
                return Some(hit);
            }
            ray.near = hit.behind();
            nearest = self.nearest(&ray);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use skidpad_files::mesh::texture::Wrap;
    use skidpad_math::{Pose3, Vec3};

    use super::super::{Light, Looker, Model, OnPicture, PACKET};
    use super::*;

    /// A square of side 2 at this height whose left half has one opacity of 0 to 255 and whose right half another.
    fn pane(space: &mut Space, z: f64, alpha: Alpha, opacity: f32, color: [f32; 3]) {
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(x, y)| Vec3::new(x, y, z));
        let mut model = Model::new(&corners);
        let on = corners.map(|corner| [(0.5 + 0.5 * corner.x) as f32, (0.5 + 0.5 * corner.y) as f32]);
        let triangles = corners.as_chunks::<3>().0.iter().zip(on.as_chunks::<3>().0);
        model.on_picture = triangles.map(|(corners, on)| OnPicture::new(*corners, *on)).collect();
        let picture = Some(SurfacePicture { texture: 0, wrap: [Wrap::Stretch; 2], is_tinted: true, alpha });
        let surface = Surface { color, opacity, picture, label: [7, 7], ..Surface::default() };
        space.add(Arc::new(model), [surface].into(), None, Pose3::default());
    }

    /// A pane above a floor of one colour; its picture is white.
    fn space(look: (Alpha, f32), [left, right]: [u8; 2]) -> Space {
        let (alpha, opacity) = look;
        let texture = Texture::new(2, 1, vec![[255; 3]; 2]).unwrap().with_alpha(vec![left, right]);
        let mut space = Space { textures: vec![Some(Arc::new(texture))], ..Space::default() };
        pane(&mut space, 1.0, alpha, opacity, [1.0; 3]);
        let floor = [(-9.0, -9.0), (9.0, -9.0), (0.0, 9.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        let surface = Surface { color: [0.5, 0.0, 0.0], is_lit: true, label: [1, 1], ..Surface::default() };
        space.add(Arc::new(Model::new(&floor)), [surface].into(), None, Pose3::default());
        space.finish();
        space
    }

    fn down(x: f64) -> Ray {
        let (origin, looker) = (Vec3::new(x, 0.0, 3.0), Looker::Camera);
        Ray { origin, direction: -Vec3::z(), near: 0.0, far: 10.0, hidden: None, looker }
    }

    fn ranges(space: &Space) -> [f64; 2] {
        let rays = [down(-0.7), down(0.7)];
        let of = |hit: Option<Hit>| hit.map_or(f64::NAN, |hit| (1e3 * hit.range).round() / 1e3);
        let packet = space.cast_packet(&rays);
        let single = rays.map(|ray| of(space.cast(&ray)));
        assert_eq!([of(packet[0]), of(packet[1])], single);
        assert!(packet[2..PACKET].iter().all(Option::is_none));
        let blocked = space.is_packet_blocked(&rays);
        assert_eq!([blocked[0], blocked[1]], rays.map(|ray| space.is_blocked(&ray)));
        single
    }

    #[test]
    fn where_a_mask_is_below_its_limit_there_is_nothing() {
        for (least, expected) in [(128, [3.0, 2.0]), (101, [3.0, 2.0]), (100, [2.0, 2.0]), (256, [3.0, 3.0])] {
            let space = space((Alpha::Mask(least), 1.0), [100, 200]);
            assert_eq!(ranges(&space), expected, "{least}");
            for (x, range) in [-0.7, 0.7].into_iter().zip(expected) {
                let (color, hit) = space.look(&down(x), 0.0);
                let is_floor = range == 3.0;
                assert_eq!(color, if is_floor { [0.5, 0.0, 0.0] } else { [1.0; 3] });
                assert_eq!(space.surface(&hit.unwrap()).label, if is_floor { [1, 1] } else { [7, 7] });
            }
        }
        for alpha in [Alpha::Unsaid, Alpha::Ignored] {
            assert_eq!(ranges(&space((alpha, 1.0), [0, 0])), [2.0; 2], "{alpha:?}");
        }
    }

    #[test]
    fn what_a_picture_lets_pass_is_mixed_with_what_is_behind() {
        let space = space((Alpha::Blend, 0.8), [0, 153]);
        // A hole, and 0.8 · 0.6 of the light.
        assert_eq!(ranges(&space), [3.0, 2.0]);
        assert_eq!(space.look(&down(-0.7), 0.0).0, [0.5, 0.0, 0.0]);
        let color = space.look(&down(0.7), 0.0).0;
        for (actual, expected) in color.into_iter().zip([0.48 + 0.52 * 0.5, 0.48, 0.48]) {
            assert!((actual - expected).abs() < 1e-6, "{color:?}");
        }
        let through = |x: f64| space.cast_through_glass(&down(x)).unwrap().range;
        assert!((through(0.7) - 3.0).abs() < 1e-6, "less than half opaque");
        let dark = super::tests::space((Alpha::Blend, 1.0), [153, 153]);
        assert!((dark.cast_through_glass(&down(0.7)).unwrap().range - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_picture_without_opacity_makes_neither_holes_nor_glass() {
        let holes_and_glass = |look, texture: Option<Texture>| {
            let mut space = space(look, [0, 255]);
            space.show_pictures(vec![texture.map(Arc::new)]);
            [space.has_holes, space.has_glass]
        };
        let opaque = || Texture::new(2, 1, vec![[255; 3]; 2]);
        let clear = || opaque().map(|texture| texture.with_alpha(vec![0, 255]));
        for alpha in [Alpha::Mask(128), Alpha::Blend] {
            assert_eq!(holes_and_glass((alpha, 1.0), opaque()), [false; 2], "{alpha:?}");
            assert_eq!(holes_and_glass((alpha, 1.0), None), [false; 2], "{alpha:?}");
            assert_eq!(holes_and_glass((alpha, 0.5), opaque()), [false, true], "{alpha:?}");
            assert_eq!(holes_and_glass((alpha, 1.0), clear()), [true; 2], "{alpha:?}");
        }
        assert_eq!(holes_and_glass((Alpha::Mask(256), 1.0), opaque()), [true; 2]);
        assert_eq!(holes_and_glass((Alpha::Unsaid, 1.0), clear()), [false; 2]);
    }

    #[test]
    fn light_falls_through_holes() {
        let mut space = space((Alpha::Mask(128), 1.0), [0, 255]);
        space.light = Light { ambient: 0.5, has_shadows: true, shadow_range: 10.0, ..Light::default() };
        let below = |x: f64| Ray { origin: Vec3::new(x, 0.0, 0.5), ..down(x) };
        assert_eq!(space.look(&below(-0.7), 0.0).0[0], 0.5);
        assert_eq!(space.look(&below(0.7), 0.0).0[0], 0.25);
    }

    #[test]
    fn so_many_leaves_are_passed() {
        let mut space = space((Alpha::Mask(128), 1.0), [0, 255]);
        for leaf in 0..30 {
            pane(&mut space, 1.0 + 0.01 * f64::from(leaf), Alpha::Mask(128), 1.0, [1.0; 3]);
        }
        space.finish();
        let [left, right] = ranges(&space);
        assert!(left == 3.0 && right < 2.0, "{left} {right}");
    }
}
