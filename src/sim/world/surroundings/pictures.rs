//! Pictures on surfaces and of the sky, from files of their own and from mesh files, in memory: read once, when the world is loaded, and only
//! where a camera sees them.

use std::collections::BTreeMap;
use std::io::Cursor;
#[cfg(feature = "maps")]
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "maps")]
use image::{DynamicImage, GenericImageView, ImageDecoder};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
#[cfg(feature = "maps")]
use skidpad_files::input_file;
use skidpad_files::mesh::texture::Image;

use super::{Surroundings, shares};
use crate::raycast::space::{Dome, Light, Sky, Texture};
#[cfg(feature = "maps")]
use crate::world::map_file::undecodable;
use crate::world::viewer_scene::{Lights, Skybox, ViewerScene};

/// Most memory of a picture as it is in its file [bytes].
#[cfg(feature = "maps")]
const MOST_BYTES: u64 = 1 << 29;
/// Most pixels of a picture, which take three bytes each, and a third of that in smaller sizes.
#[cfg(feature = "maps")]
const MOST_PIXELS: u64 = 1 << 26;

/// A picture: a file, or the number of a picture in it, with the reason if it is lost.
pub(super) type PictureKey = (PathBuf, Option<(usize, Option<String>)>);

/// A picture that was read, if it has a pixel, and whether any of it lets light through.
type Read = (Option<Texture>, bool);

/// The pictures that have been read; none where it cannot be read.
pub(super) type Pictures = BTreeMap<PictureKey, Option<Arc<Texture>>>;

impl Surroundings {
    /// Reads the pictures on all surfaces and of the sky, and takes the light of the scene.
    pub(super) fn add_colors(&mut self, scene: &ViewerScene) {
        let images = std::mem::take(&mut self.images);
        self.space.textures =
            images.iter().map(|place| place.as_ref().and_then(|(key, image)| self.picture(key, image))).collect();
        self.images = images;
        self.space.light = light(&scene.lights);
        let pictures = scene.sky.as_ref().and_then(|sky| self.sky(sky));
        self.space.sky = pictures.unwrap_or_else(|| Sky::Dome(dome(&scene.lights)));
    }

    fn picture(&mut self, key: &PictureKey, image: &Image) -> Option<Arc<Texture>> {
        if let Some(known) = self.colors.get(key) {
            return known.clone();
        }
        let named = |number: usize| format!("picture {number} of {}", key.0.display());
        let read = match image {
            Image::File(file) => read(file),
            Image::Within(number, bytes) => decode(Cursor::new(&**bytes), Path::new(&named(*number))),
            Image::Lost(number, reason) => Err(Diagnostic::new(named(*number), reason)),
        };
        let read = match read {
            Ok((texture, is_clear)) => {
                // Of pictures within mesh files the material says whether this counts.
                if is_clear && matches!(image, Image::File(_)) {
                    let found = Diagnostic::new(key.0.display(), "its opacity");
                    self.problems.push(found.at("cameras do not see all of a picture"));
                }
                texture.map(Arc::new)
            }
            Err(error) => {
                self.problems.push(error.at("cameras do not see a picture"));
                None
            }
        };
        self.colors.insert(key.clone(), read.clone());
        read
    }

    /// All six sides, or none.
    fn sky(&mut self, sky: &Skybox) -> Option<Sky> {
        let mut sides = Vec::with_capacity(6);
        for file in &sky.files {
            let file = file.as_ref()?;
            sides.push(self.picture(&(file.clone(), None), &Image::File(file.clone()))?);
        }
        Some(Sky::Box(Arc::new(sides.try_into().ok()?)))
    }
}

#[cfg(feature = "maps")]
fn read(file: &Path) -> Result<Read, Diagnostic> {
    let open = input_file::open(file).map_err(|error| FileError::read(file, error))?;
    decode(BufReader::new(open), file)
}

/// Refuses the picture: there is no decoder.
#[cfg(not(feature = "maps"))]
fn read(file: &Path) -> Result<Read, Diagnostic> {
    let reason = Diagnostic::of("this build reads no images").hint(crate::world::map_file::NEEDED);
    Err(FileError::read(file, reason).into())
}

/// Decodes the picture that is called `name` in messages.
#[cfg(feature = "maps")]
fn decode(bytes: impl BufRead + Seek, name: &Path) -> Result<Read, Diagnostic> {
    let undecodable = |error| undecodable("texture", name, Some(&error));
    let unread = |error: std::io::Error| FileError::read(name, error);
    let mut reader = image::ImageReader::new(bytes).with_guessed_format().map_err(unread)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits.clone());
    let decoder = reader.into_decoder().map_err(undecodable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        let found = Diagnostic::of(format!("it has {width} by {height} pixels"));
        return Err(FileError::read(name, found.accepted(format!("up to {MOST_PIXELS}"))).into());
    }
    limits.reserve(decoder.total_bytes()).map_err(undecodable)?;
    let picture = DynamicImage::from_decoder(decoder).map_err(undecodable)?;
    let is_clear = picture.color().has_alpha() && picture.pixels().any(|(_, _, pixel)| pixel.0[3] < u8::MAX);
    let bytes = picture.into_rgb8().into_raw();
    let pixels = bytes.as_chunks::<3>().0.to_vec();
    // The smaller sizes are not made beside it.
    drop(bytes);
    Ok((Texture::new(width as usize, height as usize, pixels), is_clear))
}

#[cfg(not(feature = "maps"))]
fn decode(_: Cursor<&[u8]>, name: &Path) -> Result<Read, Diagnostic> {
    read(name)
}

fn light(lights: &Lights) -> Light {
    let ambient = lights.ambient.clamp(0.0, 1.0) as f32;
    let [above, below] = dome(lights).light(ambient);
    Light {
        to_sun: -lights.direction(),
        color: shares(lights.color),
        ambient,
        above,
        below,
        has_shadows: lights.enable_shadows,
        shadow_range: lights.shadow_clip[1],
    }
}

fn dome(lights: &Lights) -> Dome {
    Dome {
        zenith: shares(lights.zenith_color),
        horizon: shares(lights.horizon_color),
        ground: shares(lights.ground_color),
    }
}
