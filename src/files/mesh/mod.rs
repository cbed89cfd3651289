//! Triangle meshes: read from files, generated from primitives, and reduced to the outlines that bodies collide with.
//!
//! Formats, recognised by the file name's extension: COLLADA `.dae`, STL `.stl` (binary and text), OBJ `.obj`, glTF
//! `.gltf` and `.glb`. Read are the geometry, the plain colours of materials and vertices, and where the [pictures](texture) of materials
//! are; of glTF files also [how the mesh moves](rig): bones and animations.
//! Files are limited to [`MAX_BYTES`], meshes to [`MAX_VERTICES`] vertices and as many triangles; the counts that a
//! file declares are not trusted. Reading files needs feature `meshes`; without it each is refused, with the reason.
//!
//! Coordinates are those of MVSim: in the file's unit and axes, with one exception. `<unit>` and `<up_axis>` of a COLLADA
//! header are applied as in Assimp, which scales to metres and turns the up axis to y. That is why so
//! many worlds stand a mesh up with `<model_roll>90</model_roll>`.
#![cfg_attr(not(feature = "meshes"), allow(dead_code, reason = "parts of the readers"))]

mod cache;
#[cfg(feature = "meshes")]
mod collada;
#[cfg(feature = "meshes")]
mod collada_texture;
#[cfg(feature = "meshes")]
mod document;
#[cfg(feature = "meshes")]
mod gltf;
#[cfg(feature = "meshes")]
mod gltf_checked;
#[cfg(feature = "meshes")]
mod gltf_rig;
#[cfg(feature = "meshes")]
mod gltf_texture;
#[cfg(feature = "meshes")]
mod obj;
mod outline;
mod polygon;
pub mod primitives;
mod prism;
mod raster;
mod reduce;
pub mod rig;
#[cfg(feature = "meshes")]
mod stl;
#[cfg(test)]
mod tests;
pub mod texture;
#[cfg(test)]
mod texture_tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nalgebra::{Matrix3, Matrix4};
use skidpad_math::Vec3;

pub use self::cache::Meshes;
pub use self::outline::{MAX_POINTS, Outline, OutlineError, area, convex_hull, convex_outline};
pub use self::prism::prism;
use self::rig::Rig;
use self::texture::{OnTexture, Texture};
use crate::diagnostic::Diagnostic;
use crate::error_by_parts;
use crate::file_error::FileError;
use crate::input_file::{self, FileProblem};

/// Longest file accepted [bytes].
pub const MAX_BYTES: u64 = 256 << 20;
/// Most vertices, and most triangles, of a mesh.
pub const MAX_VERTICES: usize = 8_000_000;
/// Most nested nodes of a scene.
const DEEPEST: usize = 64;
/// Most nodes visited: instances may multiply them.
const MAX_NODES: usize = 100_000;
/// Most phrases about what of the looks of a mesh is not read.
const MAX_UNSEEN: usize = 20;

/// Name of the material, in glTF files, that has the colour of the vehicle on which the mesh is.
pub(crate) const PAINT: &str = "paint";

/// Extensions of the supported formats.
pub const FORMATS: &[&str] = &[".dae", ".stl", ".obj", ".gltf", ".glb"];

/// A mesh: triangles, and lines where the file has any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions [m] in the mesh's own frame; all finite.
    pub vertices: Vec<Vec3>,
    /// Three indices of vertices each, in any winding order.
    pub triangles: Vec<[u32; 3]>,
    /// Two indices of vertices each.
    pub lines: Vec<[u32; 2]>,
    /// The colour of each triangle's material, red, green, blue (sRGB); none: it has no material. Empty: no triangle has one.
    pub colors: Vec<Option<[u8; 3]>>,
    /// Whether each triangle's material is called `PAINT`; empty: none is.
    pub painted: Vec<bool>,
    /// The colours of each triangle's corners, red, green, blue (sRGB), where vertices have them, times that of its material; none: that of the
    /// material alone. May be shorter than the list of triangles: the rest has none.
    pub corner_colors: Vec<Option<[[u8; 3]; 3]>>,
    /// The pictures that materials lay on triangles.
    pub textures: Vec<Texture>,
    /// The place of each triangle on a texture, whose colours count times its own; none: it has no texture. May be shorter, as the colours of
    /// corners.
    pub on_texture: Vec<Option<OnTexture>>,
    /// What of its looks or its motion is not read, a phrase each; the last one of many says that there is more.
    pub unseen: Vec<String>,
    /// How it moves, if its file says so; the vertices are where the nodes of the file put them without its skins and clips.
    pub rig: Option<Arc<Rig>>,
}

/// Why a mesh could not be read.
#[derive(Debug)]
pub enum MeshError {
    /// The file cannot be opened or read.
    File(FileError),
    /// An unsupported format.
    Format {
        /// The file.
        path: PathBuf,
        /// Extension of its name, with the dot; may be empty.
        ending: String,
    },
    /// The file is broken, or larger than the limit.
    Content {
        /// The file.
        path: PathBuf,
        /// The fault.
        message: String,
    },
}

impl From<&MeshError> for Diagnostic {
    fn from(error: &MeshError) -> Diagnostic {
        match error {
            MeshError::File(error) => error.into(),
            MeshError::Format { path, ending } => {
                FileError::read(path, unknown(ending, cfg!(feature = "meshes"))).into()
            }
            MeshError::Content { path, message } => FileError::read(path, Diagnostic::of(message)).into(),
        }
    }
}

error_by_parts!(MeshError { File(FileError) });

impl FileProblem for MeshError {
    fn diagnostic(&self) -> Diagnostic {
        self.into()
    }

    fn without_content(&self) -> Diagnostic {
        match self {
            MeshError::Content { path, .. } => FileError::read(path, Diagnostic::of("it holds no mesh")).into(),
            MeshError::File(_) | MeshError::Format { .. } => self.into(),
        }
    }
}

/// Why a file with this extension is not read, in a build with readers and in one without.
fn unknown(ending: &str, has_readers: bool) -> Diagnostic {
    let read = FORMATS.join(", ");
    match ending {
        _ if !has_readers && FORMATS.contains(&ending) => Diagnostic::of(format!("this build reads no {ending} files"))
            .hint("enable the feature \"meshes\" of skidpad-sim"),
        "" => Diagnostic::of(format!("its name has no ending (supported: {read})")),
        ".fbx" => Diagnostic::of(format!("FBX is not supported (supported: {read})")),
        _ => Diagnostic::of(format!("unknown format \"{ending}\" (supported: {read})")),
    }
}

/// Reads the mesh at `path`; the extension determines the format.
///
/// Errors: a file that cannot be opened, an unknown format, a truncated or inconsistent file, one without any
/// triangle or line, and one beyond the limits.
pub fn load(path: &Path) -> Result<Mesh, MeshError> {
    let ending = path.extension().map(|e| format!(".{}", e.to_string_lossy().to_ascii_lowercase())).unwrap_or_default();
    let Some(read) = reader(&ending) else { return Err(MeshError::Format { path: path.to_path_buf(), ending }) };
    let bytes = read_bytes(path)?;
    parse(read, &bytes, path).map_err(|message| MeshError::Content { path: path.to_path_buf(), message })
}

/// The rotation [-] that takes the coordinates of a mesh, as [`load`] gives them, to those that its file states: it undoes the turn of a
/// COLLADA file's up axis to y. Other programs, such as RViz and Gazebo, leave the axes as they are in the file.
///
/// Errors: as of [`load`], as far as the header of the file goes.
pub fn written_from_loaded(path: &Path) -> Result<Matrix3<f64>, MeshError> {
    if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("dae")) {
        return Ok(Matrix3::identity());
    }
    #[cfg(not(feature = "meshes"))]
    return Err(MeshError::Format { path: path.to_path_buf(), ending: ".dae".to_string() });
    #[cfg(feature = "meshes")]
    let bytes = read_bytes(path)?;
    #[cfg(feature = "meshes")]
    collada::written_from_read(&bytes).map_err(|message| MeshError::Content { path: path.to_path_buf(), message })
}

/// Reads the bytes of a file; the path locates the files that it references.
type Read = fn(&[u8], &Path) -> Result<Mesh, String>;

#[cfg(not(feature = "meshes"))]
fn reader(_: &str) -> Option<Read> {
    None
}

#[cfg(feature = "meshes")]
fn reader(ending: &str) -> Option<Read> {
    Some(match ending {
        ".dae" => collada::read,
        ".stl" => |bytes, _| stl::read(bytes),
        ".obj" => obj::read,
        ".gltf" | ".glb" => gltf::read,
        _ => return None,
    })
}

fn parse(read: Read, bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    let mesh = read(bytes, path)?;
    if mesh.triangles.is_empty() && mesh.lines.is_empty() {
        return Err("there is neither a triangle nor a line in it".to_string());
    }
    Ok(mesh)
}

/// The whole file, unless it is longer than [`MAX_BYTES`].
fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    input_file::read(path, MAX_BYTES).map_err(|source| FileError::read(path, source))
}

impl Mesh {
    /// Adds `points`, transformed to the mesh's frame by `mesh_from_points`. Returns the index of the first.
    fn add_points(&mut self, points: &[Vec3], mesh_from_points: &Matrix4<f64>) -> Result<u32, String> {
        let first = self.vertices.len();
        if first + points.len() > MAX_VERTICES {
            return Err(format!("it has more than {MAX_VERTICES} vertices"));
        }
        let linear = mesh_from_points.fixed_view::<3, 3>(0, 0).into_owned();
        let offset = Vec3::new(mesh_from_points[(0, 3)], mesh_from_points[(1, 3)], mesh_from_points[(2, 3)]);
        for point in points {
            let p = linear * point + offset;
            // The bound keeps sums and products of coordinates finite.
            if !p.iter().all(|c| c.abs() < 1e12) {
                return Err("a vertex is not finite".to_string());
            }
            self.vertices.push(p);
        }
        u32::try_from(first).map_err(|_| "it has too many vertices".to_string())
    }

    /// Adds triangles whose indices count from vertex `first`.
    fn add_triangles(&mut self, first: u32, triangles: impl IntoIterator<Item = [u32; 3]>) -> Result<(), String> {
        for triangle in triangles {
            if self.triangles.len() >= MAX_VERTICES {
                return Err(format!("it has more than {MAX_VERTICES} triangles"));
            }
            let [a, b, c] = triangle;
            self.triangles.push([self.checked(first, a)?, self.checked(first, b)?, self.checked(first, c)?]);
        }
        Ok(())
    }

    /// Gives the triangles from index `start` on, which were added last, this colour, as of a material.
    fn paint(&mut self, start: usize, color: Option<[u8; 3]>) {
        if color.is_some() || !self.colors.is_empty() {
            self.colors.resize(start, None);
            self.colors.resize(self.triangles.len(), color);
        }
    }

    /// Notes what of its looks or its motion is not read, once.
    fn note_unseen(&mut self, note: String) {
        if self.unseen.len() <= MAX_UNSEEN && !self.unseen.contains(&note) {
            let is_last = self.unseen.len() == MAX_UNSEEN;
            self.unseen.push(if is_last { "and more of the kind".to_string() } else { note });
        }
    }

    /// Marks the triangles from index `start` on, which were added last, as painted or not.
    fn mark_paint(&mut self, start: usize, is_paint: bool) {
        if is_paint || !self.painted.is_empty() {
            self.painted.resize(start, false);
            self.painted.resize(self.triangles.len(), is_paint);
        }
    }

    /// Adds lines whose indices count from vertex `first`.
    fn add_lines(&mut self, first: u32, lines: impl IntoIterator<Item = [u32; 2]>) -> Result<(), String> {
        for [a, b] in lines {
            if self.lines.len() >= MAX_VERTICES {
                return Err(format!("it has more than {MAX_VERTICES} lines"));
            }
            self.lines.push([self.checked(first, a)?, self.checked(first, b)?]);
        }
        Ok(())
    }

    fn checked(&self, first: u32, index: u32) -> Result<u32, String> {
        let absolute = first.checked_add(index).filter(|&i| (i as usize) < self.vertices.len());
        absolute.ok_or_else(|| format!("an index names vertex {index}, which is not there"))
    }
}

/// Lower and upper corner of the box around these points [m]. None without a point.
fn extent(points: impl Iterator<Item = Vec3>) -> Option<[Vec3; 2]> {
    points.map(|p| [p, p]).reduce(|[low, high], [p, _]| [low.inf(&p), high.sup(&p)])
}
