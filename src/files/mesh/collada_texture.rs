//! Textures of COLLADA files: from the diffuse part of an effect through sampler and surface to the file of the picture; and opacities.

use super::collada::{Reading, numbers};
use super::document::Node;
use super::texture::{Alpha, Image, Texture, Wrap, file_of, opacity_of, with_slashes};

impl<'a, 'i> Reading<'a, 'i> {
    /// The texture of the diffuse part of an effect, if it has one.
    pub(super) fn texture(&self, effect: Node<'a, 'i>, diffuse: Node<'a, 'i>) -> Option<Texture> {
        let name = diffuse.child("texture")?.attribute("texture")?;
        let sampler = parameter(effect, name).and_then(|parameter| parameter.child("sampler2D"));
        let wrap = |axis: &str| match sampler.and_then(|sampler| sampler.child(axis)).and_then(text) {
            Some("MIRROR") => Wrap::Mirror,
            Some("CLAMP" | "BORDER" | "NONE") => Wrap::Stretch,
            _ => Wrap::Repeat,
        };
        let image = self.image(effect, sampler).or_else(|| self.called(name).and_then(file_in));
        let image = match image {
            Some(uri) => match file_of(&with_slashes(uri), self.path) {
                Ok(file) => Image::File(file),
                Err(reason) => Image::Lost(0, reason),
            },
            None => Image::Lost(0, format!("the texture \"{name}\" names no file")),
        };
        Some(Texture::opaque(image, [wrap("wrap_s"), wrap("wrap_t")]))
    }

    /// What the opacity of this picture of colours means; none if the effect has another picture for that, or means it otherwise.
    pub(super) fn alpha(
        &self,
        opacity: &Opacity<'a, 'i>,
        effect: Option<Node<'a, 'i>>,
        of_color: Option<&Texture>,
    ) -> Option<Alpha> {
        let Some((picture, effect)) = opacity.picture.zip(effect) else { return Some(Alpha::Unsaid) };
        let is_same =
            self.texture(effect, picture).is_some_and(|texture| Some(&texture.image) == of_color.map(|t| &t.image));
        (is_same && opacity.is_alpha).then_some(Alpha::Blend)
    }

    /// The file that a sampler names, by way of a surface (COLLADA 1.4) or itself (1.5).
    fn image(&self, effect: Node<'a, 'i>, sampler: Option<Node<'a, 'i>>) -> Option<&'a str> {
        let sampler = sampler?;
        if let Some(instance) = sampler.child("instance_image") {
            return self.target(instance, "url").and_then(file_in);
        }
        let surface = parameter(effect, text(sampler.child("source")?)?)?.child("surface")?;
        self.called(text(surface.child("init_from")?)?).and_then(file_in)
    }
}

/// How much light an effect keeps back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opacity<'a, 'i> {
    /// Opacity of the material without its picture, as a byte.
    pub(super) of_material: u8,
    /// The part that names a picture of opacity, if there is one.
    picture: Option<Node<'a, 'i>>,
    /// Whether the opacity of that picture counts as it is, not what it lets pass and not its colours.
    is_alpha: bool,
}

impl Default for Opacity<'_, '_> {
    fn default() -> Self {
        Opacity { of_material: u8::MAX, picture: None, is_alpha: true }
    }
}

impl<'a, 'i> Opacity<'a, 'i> {
    /// That of an effect, by its `<transparent>` and `<transparency>` (COLLADA 1.5, "Determining Transparency"). An opacity of zero counts as
    /// one: programs write it where they mean nothing invisible.
    pub(super) fn of(effect: Node<'a, 'i>) -> Opacity<'a, 'i> {
        let part = |name: &str| effect.descendants().find(|node| node.name() == name);
        let transparent = part("transparent");
        let share = part("transparency").and_then(|node| text(node.child("float")?)?.parse::<f64>().ok());
        let share = share.unwrap_or(1.0);
        let mode = transparent.and_then(|node| node.attribute("opaque")).unwrap_or("A_ONE");
        let picture = transparent.filter(|node| node.child("texture").is_some());
        let color = transparent.and_then(|node| numbers::<4>(node.child("color")?).ok()).unwrap_or([1.0; 4]);
        let [red, green, blue, alpha] = color.map(|channel| share * channel);
        // Of the standard.
        let luminance = 0.212_671 * red + 0.715_160 * green + 0.072_169 * blue;
        let share = match mode {
            // With a picture it is its light that passes, which is not read.
            "A_ZERO" | "RGB_ZERO" if picture.is_some() => 1.0,
            "A_ZERO" => 1.0 - alpha,
            "RGB_ZERO" => 1.0 - luminance,
            "RGB_ONE" => luminance,
            _ => alpha,
        };
        let is_alpha = !["A_ZERO", "RGB_ZERO", "RGB_ONE"].contains(&mode);
        Opacity { of_material: opacity_of(share), picture, is_alpha }
    }
}

/// The parameter of an effect with this name.
fn parameter<'a, 'i>(effect: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    effect.descendants().find(|node| node.name() == "newparam" && node.attribute("sid") == Some(name))
}

/// The file of an image.
fn file_in<'a>(image: Node<'a, '_>) -> Option<&'a str> {
    let from = image.child("init_from")?;
    text(from.child("ref").unwrap_or(from))
}

/// The text of an element.
fn text<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    node.texts().next().map(str::trim)
}
