//! Pictures that mesh files lay on their triangles: where each is, how it goes on beyond its edges, and which of its points is at which
//! corner; and how much light passes. They are found here and decoded by who shows them.

use std::collections::BTreeMap;
use std::ffi::OsString;
#[cfg(feature = "meshes")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use super::Mesh;

/// Most textures of a mesh.
const MAX_TEXTURES: usize = 10_000;

/// A picture on triangles, of the colour that a material has before light falls on it; or a material that lets light pass, with or without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// The picture.
    pub image: Image,
    /// What is beyond its edges, to the right and upwards.
    pub wrap: [Wrap; 2],
    /// What the opacity of the picture means.
    pub alpha: Alpha,
    /// Share of the light that the material keeps back, times what the picture does, 0 to 255; less: glass.
    pub opacity: u8,
}

/// What the opacity of a picture means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alpha {
    /// The file does not say: the picture is opaque.
    #[default]
    Unsaid,
    /// The file says that it does not count.
    Ignored,
    /// Where it is less than this, of 255, there is a hole, and elsewhere it is opaque.
    Mask(u16),
    /// The share of the light that it keeps back.
    Blend,
}

/// A picture that a mesh file names or holds, as PNG, JPEG or what else its author used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// None: the plain colour of a material that lets light pass.
    Plain,
    /// A file of its own, which may be missing.
    File(PathBuf),
    /// Bytes of the mesh file, by the number of the picture in it.
    Within(usize, Arc<[u8]>),
    /// One that cannot be found, by its number in the mesh file, and why.
    Lost(usize, String),
}

/// What is beyond the edge of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrap {
    /// The picture again.
    #[default]
    Repeat,
    /// The picture as in a mirror, and then again.
    Mirror,
    /// The pixels of the edge.
    Stretch,
}

/// Where a triangle is on a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnTexture {
    /// Index into [`Mesh::textures`].
    pub texture: u32,
    /// Of its corners [-]: 0 0 is the lower left corner of the picture, 1 1 the upper right; finite.
    pub corners: [[f32; 2]; 3],
}

/// The indices of the textures of a mesh, by all that tells them apart within its file, without the bytes of pictures.
#[derive(Default)]
pub(super) struct Indices(BTreeMap<Key, u32>);

/// Number of the picture in its file, the file or the reason why it is lost, what is beyond its edges, and both opacities.
type Key = (Option<usize>, OsString, [Wrap; 2], Alpha, u8);

impl Mesh {
    /// Adds a texture, unless there is the same one. Returns its index; none if it is one too many, which is noted.
    pub(super) fn add_texture(&mut self, known: &mut Indices, texture: Texture) -> Option<u32> {
        let (number, text) = match &texture.image {
            Image::Plain => (None, OsString::new()),
            Image::File(file) => (None, file.into()),
            Image::Within(number, _) => (Some(*number), OsString::new()),
            Image::Lost(number, reason) => (Some(*number), reason.into()),
        };
        let key = (number, text, texture.wrap, texture.alpha, texture.opacity);
        if let Some(&index) = known.0.get(&key) {
            return Some(index);
        }
        if self.textures.len() >= MAX_TEXTURES {
            self.note_unseen(format!("more than {MAX_TEXTURES} textures"));
            return None;
        }
        let index = self.textures.len() as u32;
        known.0.insert(key, index);
        self.textures.push(texture);
        Some(index)
    }

    /// Lays the triangles that were added last, as many as there are corners here, on this texture. Those without corners stay without it.
    pub(super) fn lay_on(&mut self, texture: u32, corners: &[Option<[[f32; 2]; 3]>]) {
        self.on_texture.resize(self.triangles.len().saturating_sub(corners.len()), None);
        let is_finite = |corners: &[[f32; 2]; 3]| corners.as_flattened().iter().all(|share| share.is_finite());
        let on = corners.iter().map(|corners| corners.filter(is_finite).map(|corners| OnTexture { texture, corners }));
        self.on_texture.extend(on);
    }

    /// Lets light pass those triangles from index `start` on that are on no picture, up to this opacity, 0 to 255.
    pub(super) fn make_clear(&mut self, known: &mut Indices, start: usize, opacity: u8) {
        if opacity < u8::MAX {
            let texture = Texture { opacity, ..Texture::opaque(Image::Plain, [Wrap::Repeat; 2]) };
            if let Some(texture) = self.add_texture(known, texture) {
                self.on_texture.resize(self.triangles.len(), None);
                let plain = OnTexture { texture, corners: [[0.0; 2]; 3] };
                self.on_texture[start..].iter_mut().for_each(|on| *on = on.or(Some(plain)));
            }
        }
    }

    /// Gives the triangles that were added last, as many as there are colours here, these colours of their corners.
    pub(super) fn paint_corners(&mut self, colors: impl ExactSizeIterator<Item = [[u8; 3]; 3]>) {
        self.corner_colors.resize(self.triangles.len().saturating_sub(colors.len()), None);
        self.corner_colors.extend(colors.map(Some));
    }
}

impl Texture {
    /// A picture whose opacity nobody asks for.
    pub(super) fn opaque(image: Image, wrap: [Wrap; 2]) -> Texture {
        Texture { image, wrap, alpha: Alpha::Unsaid, opacity: u8::MAX }
    }
}

/// A share of the light that a material keeps back, from 0 to 1, as a byte. One that keeps none back is written by programs that mean nothing
/// invisible: it counts as opaque.
#[cfg(feature = "meshes")]
pub(super) fn opacity_of(share: f64) -> u8 {
    if share > 0.0 { (255.0 * share.min(1.0)).round().max(1.0) as u8 } else { u8::MAX }
}

/// The file that a URI in the mesh file at `path` means: relative to it, or absolute.
///
/// Errors: it is not a file.
#[cfg(feature = "meshes")]
pub(super) fn file_of(uri: &str, path: &Path) -> Result<PathBuf, String> {
    let local = uri.strip_prefix("file://").unwrap_or(uri);
    if local.contains("://") {
        return Err(format!("\"{uri}\" is not a file"));
    }
    let name = percent_encoding::percent_decode_str(local).decode_utf8_lossy();
    Ok(path.parent().unwrap_or(Path::new(".")).join(name.as_ref()))
}

/// A file name with / for the \ that programs on Windows write.
#[cfg(feature = "meshes")]
pub(super) fn with_slashes(name: &str) -> String {
    name.replace('\\', "/")
}
