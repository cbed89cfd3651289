//! Pictures on surfaces and of the sky, from files of their own and from mesh files, in memory: read once, when the world is loaded, and only
//! where a camera sees them.

use std::collections::BTreeMap;
use std::io::Cursor;
#[cfg(feature = "maps")]
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
#[cfg(feature = "maps")]
use skidpad_files::input_file;
use skidpad_files::mesh::texture::Image;

use super::Surroundings;
use crate::raycast::space::{Light, Sky, Texture};
#[cfg(feature = "maps")]
use crate::world::map_file::undecodable;
use crate::world::viewer_scene::{Lights, Skybox, ViewerScene};

#[cfg(feature = "maps")]
/// Most memory that a picture may take while it is read [bytes].
const MOST_BYTES: u64 = 1 << 29;

/// A picture: a file, or the number of a picture in it.
pub(super) type PictureKey = (PathBuf, Option<usize>);

/// The pictures that have been read; none where it cannot be read.
pub(super) type Pictures = BTreeMap<PictureKey, Option<Arc<Texture>>>;

impl Surroundings {
    /// Reads the pictures on all surfaces and of the sky, and takes the light of the scene.
    pub(super) fn add_colors(&mut self, scene: &ViewerScene) {
        let images = std::mem::take(&mut self.images);
        self.space.textures = images.iter().map(|(key, image)| self.picture(key, image)).collect();
        self.images = images;
        self.space.light = light(&scene.lights);
        if let Some(sky) = &scene.sky {
            self.space.sky = self.sky(sky).unwrap_or_default();
        }
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
            Ok(texture) => texture.map(Arc::new),
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
        Some(Sky::Box(Box::new(sides.try_into().ok()?)))
    }
}

#[cfg(feature = "maps")]
fn read(file: &Path) -> Result<Option<Texture>, Diagnostic> {
    let open = input_file::open(file).map_err(|error| FileError::read(file, error))?;
    decode(BufReader::new(open), file)
}

/// Refuses the picture: there is no decoder.
#[cfg(not(feature = "maps"))]
fn read(file: &Path) -> Result<Option<Texture>, Diagnostic> {
    let reason = Diagnostic::of("this build reads no images").hint(crate::world::map_file::NEEDED);
    Err(FileError::read(file, reason).into())
}

/// Decodes the picture that is called `name` in messages.
#[cfg(feature = "maps")]
fn decode(bytes: impl BufRead + Seek, name: &Path) -> Result<Option<Texture>, Diagnostic> {
    let unread = |error: std::io::Error| FileError::read(name, error);
    let mut reader = image::ImageReader::new(bytes).with_guessed_format().map_err(unread)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| undecodable("texture", name, Some(&error)))?.into_rgb8();
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    Ok(Texture::new(width, height, picture.pixels().map(|pixel| pixel.0).collect()))
}

#[cfg(not(feature = "maps"))]
fn decode(_: Cursor<&[u8]>, name: &Path) -> Result<Option<Texture>, Diagnostic> {
    read(name)
}

fn light(lights: &Lights) -> Light {
    let [red, green, blue, _] = lights.color;
    Light {
        to_sun: -lights.direction(),
        color: [red, green, blue].map(|channel| f32::from(channel) / 255.0),
        ambient: lights.ambient.clamp(0.0, 1.0) as f32,
        has_shadows: lights.enable_shadows,
        shadow_range: lights.shadow_clip[1],
    }
}
