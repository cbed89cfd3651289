//! Pictures on surfaces and of the sky, in memory: read once, when the world is loaded, and only where a camera sees them.

use std::collections::BTreeMap;
#[cfg(feature = "maps")]
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
#[cfg(feature = "maps")]
use skidpad_files::input_file;

use super::Surroundings;
use crate::raycast::space::{Light, Sky, Texture};
#[cfg(feature = "maps")]
use crate::world::map_file::undecodable;
use crate::world::viewer_scene::{Lights, Skybox, ViewerScene};

#[cfg(feature = "maps")]
/// Most memory that a picture may take while it is read [bytes].
const MOST_BYTES: u64 = 1 << 29;

/// The pictures that have been read, by file; none where it cannot be read.
pub(super) type Pictures = BTreeMap<PathBuf, Option<Arc<Texture>>>;

impl Surroundings {
    /// Reads the pictures on all surfaces and of the sky, and takes the light of the scene.
    pub(super) fn add_colors(&mut self, scene: &ViewerScene) {
        let files = self.space.pictures.clone();
        self.space.textures = files.iter().map(|file| self.picture(file)).collect();
        self.space.light = light(&scene.lights);
        if let Some(sky) = &scene.sky {
            self.space.sky = self.sky(sky).unwrap_or_default();
        }
    }

    fn picture(&mut self, file: &Path) -> Option<Arc<Texture>> {
        if let Some(known) = self.colors.get(file) {
            return known.clone();
        }
        let read = match read(file) {
            Ok(texture) => texture.map(Arc::new),
            Err(error) => {
                self.problems.push(error.at("cameras do not see a picture"));
                None
            }
        };
        self.colors.insert(file.to_owned(), read.clone());
        read
    }

    /// All six sides, or none.
    fn sky(&mut self, sky: &Skybox) -> Option<Sky> {
        let mut sides = Vec::with_capacity(6);
        for file in &sky.files {
            sides.push(self.picture(file.as_ref()?)?);
        }
        Some(Sky::Box(Box::new(sides.try_into().ok()?)))
    }
}

/// Refuses the picture: there is no decoder.
#[cfg(not(feature = "maps"))]
fn read(file: &Path) -> Result<Option<Texture>, Diagnostic> {
    let reason = Diagnostic::of("this build reads no images").hint(crate::world::map_file::NEEDED);
    Err(FileError::read(file, reason).into())
}

#[cfg(feature = "maps")]
fn read(file: &Path) -> Result<Option<Texture>, Diagnostic> {
    let unread = |error: std::io::Error| FileError::read(file, error);
    let open = input_file::open(file).map_err(unread)?;
    let mut reader = image::ImageReader::new(BufReader::new(open)).with_guessed_format().map_err(unread)?;
    let mut limits = image::Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| undecodable("texture", file, Some(&error)))?.into_rgb8();
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    Ok(Texture::new(width, height, picture.pixels().map(|pixel| pixel.0).collect()))
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
