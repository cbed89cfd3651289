//! Textures of COLLADA files: from the diffuse part of an effect through sampler and surface to the file of the picture.

use super::collada::{Reading, numbers};
use super::document::Node;
use super::texture::{Image, Texture, Wrap, file_of, with_slashes};

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
        Some(Texture { image, wrap: [wrap("wrap_s"), wrap("wrap_t")] })
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

/// Whether a material with this effect lets light through, by its `<transparent>` and `<transparency>` (COLLADA 1.5, "Determining
/// Transparency"). An opacity of zero counts as one: programs write it where they mean nothing invisible.
pub(super) fn is_clear(effect: Node<'_, '_>) -> bool {
    let part = |name: &str| effect.descendants().find(|node| node.name() == name);
    let transparent = part("transparent");
    if transparent.is_some_and(|node| node.child("texture").is_some()) {
        return true;
    }
    let share = part("transparency").and_then(|node| text(node.child("float")?)?.parse::<f64>().ok()).unwrap_or(1.0);
    let color = transparent.and_then(|node| numbers::<4>(node.child("color")?).ok()).unwrap_or([1.0; 4]);
    let [red, green, blue, alpha] = color.map(|channel| share * channel);
    let is_between = |opacity: f64| opacity > 0.0 && opacity < 1.0;
    match transparent.and_then(|node| node.attribute("opaque")) {
        Some("A_ZERO") => alpha > 0.0,
        Some("RGB_ZERO") => red.max(green).max(blue) > 0.0,
        Some("RGB_ONE") => is_between(red.min(green).min(blue)),
        _ => is_between(alpha),
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
