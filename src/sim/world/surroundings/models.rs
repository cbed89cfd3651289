//! The triangles of mesh files and of bodies, kept once: everything that shows the same file in the same size, and all bodies of the same
//! shape, share one tree. What comes later with a known shape builds nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file::FileProblem as _;
use skidpad_files::mesh;
use skidpad_files::mesh::rig::Rig;
use skidpad_files::mesh::texture::Texture;
use skidpad_math::Vec3;

use super::pictures::Pictures;
use crate::raycast::space::{Model, OnPicture};
use crate::world::drawing::{Drawing, Shape};

/// Which colours a mesh has from its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileColors {
    /// None: the world file gives it one.
    None,
    /// All.
    All,
    /// All but that of its paint, which is the vehicle's.
    ButPaint,
}

/// Surfaces of every instance of a mesh with paint or textures: its own, and that of paint. Those of its textures follow.
pub(super) const PLAIN_SURFACES: u32 = 2;

/// A model, and the textures of its mesh file.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) model: Arc<Model>,
    pub(super) textures: Arc<[Texture]>,
    /// How its mesh moves in itself, if its file says so.
    pub(super) moving: Option<Arc<Moving>>,
}

/// How the mesh of a file moves in itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Moving {
    pub(super) path: PathBuf,
    pub(super) rig: Arc<Rig>,
    /// Vertices of the corners of each triangle.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Size of the mesh [-].
    pub(super) scale: f64,
}

/// The models of what has been seen.
#[derive(Clone, Debug, Default)]
pub(in crate::world) struct Models {
    /// Of each mesh file and the bits of its scale, by these of its colours.
    files: BTreeMap<(PathBuf, u64), BTreeMap<FileColors, Seen>>,
    /// Mesh files that cannot be read: no step tries it again.
    unreadable: BTreeSet<PathBuf>,
    /// Of each shape of bodies, by all numbers of it.
    shapes: BTreeMap<Vec<u64>, Arc<Model>>,
    /// The pictures that have been read; none if no camera looks at the world, so that those of a body that comes are not read.
    pub(super) pictures: Option<Pictures>,
}

impl Models {
    /// The model of a drawing; none for a line, and for a mesh that cannot be read, which is then one of the problems. `is_painted`: what is
    /// called paint has the second surface of its instance.
    pub(super) fn of(&mut self, drawing: &Drawing, is_painted: bool, problems: &mut Vec<Diagnostic>) -> Option<Seen> {
        match &drawing.shape {
            Shape::Triangles(corners) => {
                let model = self.shapes.entry(numbers(corners, drawing));
                let model = model.or_insert_with(|| Arc::new(model_of(corners, drawing)));
                Some(Seen { model: Arc::clone(model), ..Seen::default() })
            }
            Shape::File(path, scale) => {
                let colors = match drawing.color {
                    Some(_) => FileColors::None,
                    None if is_painted => FileColors::ButPaint,
                    None => FileColors::All,
                };
                let known = self.files.entry((path.clone(), scale.to_bits())).or_default();
                if let Some(seen) = known.get(&colors) {
                    return Some(seen.clone());
                }
                if self.unreadable.contains(path) {
                    return None;
                }
                let same_triangles = known.values().next().cloned();
                match read(path, *scale, colors, same_triangles.as_ref()) {
                    Ok((seen, unseen)) => {
                        if known.keys().all(|&colors| colors == FileColors::None) {
                            problems.extend(unseen);
                        }
                        known.insert(colors, seen.clone());
                        Some(seen)
                    }
                    Err(problem) => {
                        problems.push(problem);
                        self.unreadable.insert(path.clone());
                        None
                    }
                }
            }
            Shape::Line(_) => None,
        }
    }

    /// Those of mesh files. Whoever gets them tries again to read the others.
    pub(super) fn of_files(&self) -> Models {
        Models { files: self.files.clone(), ..Models::default() }
    }

    /// Those of files that others do not have, and of shapes.
    pub(in crate::world) fn without_files_of(mut self, other_models: &Models) -> Models {
        self.files.retain(|file, models| {
            let known = other_models.files.get(file);
            models.retain(|colors, _| known.is_none_or(|known| !known.contains_key(colors)));
            !models.is_empty()
        });
        self
    }

    /// Takes over what it does not have yet. True if a file of them could not be read before.
    pub(super) fn add(&mut self, new_models: Models) -> bool {
        let mut is_mended = false;
        for ((path, scale), models) in new_models.files {
            is_mended |= self.unreadable.remove(&path);
            let known = self.files.entry((path, scale)).or_default();
            for (colors, model) in models {
                known.entry(colors).or_insert(model);
            }
        }
        for (shape, model) in new_models.shapes {
            self.shapes.entry(shape).or_insert(model);
        }
        self.unreadable.extend(new_models.unreadable);
        is_mended
    }

    /// Forgets what nothing shows any more. Files of the loaded world stay: its [`Catalogue`](crate::world::Catalogue) has their models too.
    pub(super) fn forget_unused(&mut self) {
        self.shapes.retain(|_, model| Arc::strong_count(model) > 1);
        self.files.retain(|_, models| {
            models.retain(|_, seen| Arc::strong_count(&seen.model) > 1);
            !models.is_empty()
        });
    }

    /// How many it has.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.shapes.len() + self.files.values().map(BTreeMap::len).sum::<usize>()
    }
}

/// Everything that tells the model of these triangles [m] from others.
fn numbers(corners: &[Vec3], drawing: &Drawing) -> Vec<u64> {
    let on_picture = drawing.picture.iter().flat_map(|picture| &picture.corners).flatten();
    let colors = drawing.corner_colors.iter().map(|&[r, g, b]| u64::from(u32::from_be_bytes([0, r, g, b])));
    let coordinates = corners.iter().flat_map(|corner| corner.iter()).chain(on_picture).map(|number| number.to_bits());
    [corners.len() as u64, colors.len() as u64].into_iter().chain(coordinates).chain(colors).collect()
}

fn model_of(corners: &[Vec3], drawing: &Drawing) -> Model {
    let mut model = Model::new(corners);
    model.on_picture =
        drawing.picture.as_ref().map(|picture| on_picture(corners, &picture.corners)).unwrap_or_default();
    model.colors = visible_corners(&drawing.corner_colors).collect();
    model
}

/// Reads a mesh, with what of it sensors do not see; the triangles that another model has are not sorted again.
fn read(
    path: &Path,
    scale: f64,
    colors: FileColors,
    same_triangles: Option<&Seen>,
) -> Result<(Seen, Vec<Diagnostic>), Diagnostic> {
    let plain = |model, moving| (Seen { model: Arc::new(model), moving, ..Seen::default() }, Vec::new());
    if let (FileColors::None, Some(known)) = (colors, same_triangles) {
        return Ok(plain(known.model.without_looks(), known.moving.clone()));
    }
    let mesh = mesh::load(path).map_err(|error| error.without_content().at("sensors do not see a mesh"))?;
    let corners = mesh.triangles.iter().flatten().map(|&corner| scale * mesh.vertices[corner as usize]);
    let corners: Vec<Vec3> = corners.collect();
    let mut model = same_triangles.map(|known| known.model.without_looks()).unwrap_or_else(|| Model::new(&corners));
    let moving = same_triangles.and_then(|known| known.moving.clone()).or_else(|| {
        let (path, rig) = (path.to_path_buf(), mesh.rig.clone()?);
        Some(Arc::new(Moving { path, rig, triangles: mesh.triangles.clone(), scale }))
    });
    if colors == FileColors::None {
        return Ok(plain(model, moving));
    }
    let has_paint = colors == FileColors::ButPaint;
    let is_paint = |triangle: usize| has_paint && mesh.painted.get(triangle) == Some(&true);
    let on = |triangle: usize| mesh.on_texture.get(triangle).copied().flatten();
    let color = |triangle: usize| match mesh.corner_colors.get(triangle).copied().flatten() {
        _ if is_paint(triangle) => [[0; 3]; 3],
        Some(corners) => corners.map(visible),
        None => [mesh.colors.get(triangle).copied().flatten().map_or([0; 3], visible); 3],
    };
    let count = mesh.triangles.len();
    if !mesh.colors.is_empty() || !mesh.corner_colors.is_empty() {
        model.colors = (0..count).map(color).collect();
    }
    if !mesh.textures.is_empty() {
        let place = |triangle: usize, corners: &[Vec3; 3]| {
            on(triangle).map_or_else(OnPicture::default, |on| OnPicture::new(*corners, on.corners))
        };
        let triangles = corners.as_chunks::<3>().0.iter().enumerate();
        model.on_picture = triangles.map(|(triangle, corners)| place(triangle, corners)).collect();
    }
    if !mesh.textures.is_empty() || has_paint && !mesh.painted.is_empty() {
        let surface = |triangle: usize| match on(triangle) {
            _ if is_paint(triangle) => 1,
            Some(on) => PLAIN_SURFACES + on.texture,
            None => 0,
        };
        model.surfaces = (0..count).map(surface).collect();
    }
    let unseen =
        mesh.unseen.iter().map(|part| Diagnostic::new(path.display(), part).at("sensors do not see all of a mesh"));
    let unseen = unseen.collect();
    Ok((Seen { model: Arc::new(model), textures: mesh.textures.into(), moving }, unseen))
}

/// The colours of triangles with corners of these colours.
pub(super) fn visible_corners(corners: &[[u8; 3]]) -> impl Iterator<Item = [[u8; 3]; 3]> {
    corners.as_chunks::<3>().0.iter().map(|corners| corners.map(visible))
}

/// The nearest colour that is not black: in a model black corners stand for those without a colour of their own.
fn visible(color: [u8; 3]) -> [u8; 3] {
    if color == [0; 3] { [1; 3] } else { color }
}

/// Where triangles with these corners [m] and texture coordinates [-] are on their picture.
pub(super) fn on_picture(corners: &[Vec3], on: &[[f64; 2]]) -> Vec<OnPicture> {
    let triangles = corners.as_chunks::<3>().0.iter().zip(on.as_chunks::<3>().0);
    triangles.map(|(corners, on)| OnPicture::new(*corners, on.map(|at| at.map(|share| share as f32)))).collect()
}
