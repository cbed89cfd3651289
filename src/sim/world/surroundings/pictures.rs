//! Pictures on surfaces and of the sky, from files of their own and from mesh files, in memory: read once, when the world is loaded, and only
//! where a camera sees them.

use std::collections::BTreeMap;
use std::io::Cursor;
#[cfg(feature = "maps")]
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "maps")]
use image::{DynamicImage, ImageDecoder};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
#[cfg(feature = "maps")]
use skidpad_files::input_file;
use skidpad_files::mesh::texture::{Alpha, Image};

use super::{Surroundings, shares};
use crate::raycast::space::{ClearSky, Light, Sky, Texture};
#[cfg(feature = "maps")]
use crate::world::map_file::undecodable;
use crate::world::viewer_scene::{Lights, Skybox, ViewerScene};

/// Most memory of a picture as it is in its file [bytes].
#[cfg(feature = "maps")]
const MAX_BYTES: u64 = 1 << 29;
/// Most pixels of a picture, which take three bytes each, one more with opacity, and a third of three in smaller sizes.
#[cfg(feature = "maps")]
const MAX_PIXELS: u64 = 1 << 26;

/// Most memory of all pictures within a mesh file [bytes].
#[cfg(not(test))]
const MAX_OF_FILE: u64 = 1 << 30;
/// The same in tests, whose pictures are small.
#[cfg(test)]
const MAX_OF_FILE: u64 = 1 << 16;

/// A picture: a file, or the number of a picture in it, with the reason if it is lost.
pub(super) type PictureKey = (PathBuf, Option<(usize, Option<String>)>);

/// A picture that was read, if it has a pixel, and whether any of it lets light through.
type Read = (Option<Texture>, bool);

/// The pictures that have been read; none where it cannot be read.
pub(super) type Pictures = BTreeMap<PictureKey, Option<Arc<Texture>>>;

impl Surroundings {
    /// Reads the pictures on all surfaces and of the sky, and takes the light of the scene.
    pub(super) fn add_colors(&mut self, scene: &ViewerScene) {
        self.add_pictures(|_| true);
        self.space.light = light(&scene.lights);
        let pictures = scene.sky.as_ref().and_then(|sky| self.sky(sky));
        self.space.sky = pictures.unwrap_or_else(|| Sky::Clear(clear_sky(&scene.lights)));
    }

    /// Reads the pictures on all surfaces, as far as they are not known.
    pub(super) fn read_pictures(&mut self, known: Pictures) {
        self.colors.extend(known);
        self.add_pictures(|_| true);
    }

    /// Reads the pictures whose opacity counts, for sensors that see no colours: rays pass the holes.
    pub(super) fn add_holes(&mut self) {
        self.add_pictures(|alpha| matches!(alpha, Alpha::Mask(_) | Alpha::Blend));
    }

    /// Reads the pictures on surfaces of these kinds.
    fn add_pictures(&mut self, is_wanted: impl Fn(Alpha) -> bool) {
        // Of each picture whether it is wanted, and whether it is on a surface that does not say what its opacity means; without a surface it is
        // of that kind.
        let mut uses = vec![None; self.images.len()];
        for picture in self.space.surface_pictures() {
            if let Some(of_picture) = uses.get_mut(picture.texture as usize) {
                let (is_on, is_unsaid) = of_picture.unwrap_or((false, false));
                *of_picture = Some((is_on || is_wanted(picture.alpha), is_unsaid || picture.alpha == Alpha::Unsaid));
            }
        }
        let of_none = (is_wanted(Alpha::Unsaid), true);
        let images = std::mem::take(&mut self.images);
        let pictures = images.iter().zip(uses).map(|(place, of_picture)| {
            let (is_on, is_unsaid) = of_picture.unwrap_or(of_none);
            let (key, image) = place.as_ref().filter(|_| is_on)?;
            self.picture(key, image, is_unsaid)
        });
        let textures = pictures.collect();
        self.space.show_pictures(textures);
        self.images = images;
    }

    /// A picture; `is_unsaid`: on a surface that takes it for opaque, though nothing says that its opacity does not count.
    fn picture(&mut self, key: &PictureKey, image: &Image, is_unsaid: bool) -> Option<Arc<Texture>> {
        if let Some(known) = self.colors.get(key) {
            return known.clone();
        }
        let named = |number: usize| format!("picture {number} of {}", key.0.display());
        let read = match image {
            Image::File(file) => read(file),
            Image::Within(number, bytes) => {
                decode(Cursor::new(&**bytes), Path::new(&named(*number))).and_then(|read| self.within_limit(key, read))
            }
            Image::Lost(number, reason) => Err(Diagnostic::new(named(*number), reason)),
            Image::Plain => return None,
        };
        let read = match read {
            Ok((texture, is_clear)) => {
                if is_clear && is_unsaid {
                    let problem = Diagnostic::new(key.0.display(), "its opacity");
                    self.problems.push(problem.at("cameras do not see all of a picture"));
                }
                texture.map(Arc::new)
            }
            Err(error) => {
                self.problems.push(error.at("sensors do not see a picture"));
                None
            }
        };
        self.colors.insert(key.clone(), read.clone());
        read
    }

    /// A picture within a mesh file, unless all those of the file that were read take too much memory together.
    fn within_limit(&self, key: &PictureKey, read: Read) -> Result<Read, Diagnostic> {
        let of_file = self.colors.iter().filter(|((file, _), _)| *file == key.0);
        let pictures = of_file.filter_map(|(_, picture)| picture.as_deref()).chain(&read.0);
        let bytes: u64 = pictures.map(Texture::bytes).sum();
        if bytes > MAX_OF_FILE {
            let problem = Diagnostic::of(format!("its pictures up to this one take {bytes} bytes in memory"));
            return Err(FileError::read(&key.0, problem.accepted(format!("up to {MAX_OF_FILE}"))).into());
        }
        Ok(read)
    }

    /// All six sides, or none.
    fn sky(&mut self, sky: &Skybox) -> Option<Sky> {
        let mut sides = Vec::with_capacity(6);
        for file in &sky.files {
            let file = file.as_ref()?;
            sides.push(self.picture(&(file.clone(), None), &Image::File(file.clone()), true)?);
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
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits.clone());
    let decoder = reader.into_decoder().map_err(undecodable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        let problem = Diagnostic::of(format!("it has {width} by {height} pixels"));
        return Err(FileError::read(name, problem.accepted(format!("up to {MAX_PIXELS}"))).into());
    }
    limits.reserve(decoder.total_bytes()).map_err(undecodable)?;
    let picture = DynamicImage::from_decoder(decoder).map_err(undecodable)?;
    let has_alpha = picture.color().has_alpha();
    let alpha = has_alpha.then(|| picture.to_rgba8().pixels().map(|pixel| pixel.0[3]).collect::<Vec<u8>>());
    let alpha = alpha.filter(|alpha| alpha.iter().any(|&opacity| opacity < u8::MAX));
    let is_clear = alpha.is_some();
    let bytes = picture.into_rgb8().into_raw();
    let pixels = bytes.as_chunks::<3>().0.to_vec();
    // The smaller sizes are not made beside it.
    drop(bytes);
    let texture = Texture::new(width as usize, height as usize, pixels);
    Ok((texture.map(|texture| texture.with_alpha(alpha.unwrap_or_default())), is_clear))
}

#[cfg(not(feature = "maps"))]
fn decode(_: Cursor<&[u8]>, name: &Path) -> Result<Read, Diagnostic> {
    read(name)
}

fn light(lights: &Lights) -> Light {
    let ambient = lights.ambient.clamp(0.0, 1.0) as f32;
    let [above, below] = clear_sky(lights).light(ambient);
    Light {
        to_sun: -lights.direction(),
        color: shares(lights.color),
        ambient,
        above,
        below,
        has_shadows: lights.enable_shadows,
        shadow_range: lights.shadow_range,
    }
}

fn clear_sky(lights: &Lights) -> ClearSky {
    lights.sky.map_or_else(ClearSky::default, |colors| {
        let [zenith, horizon, ground] = colors.map(shares);
        ClearSky { zenith, horizon, ground }
    })
}
