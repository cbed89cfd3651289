//! glTF 2.0: the triangles and lines of the default scene, with the transforms of its nodes; `.gltf` with buffers in
//! separate files or embedded, and `.glb`. Sparse and compressed data are not supported. How the mesh moves is read in `gltf_rig`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::accessor::{DataType, Dimensions};
use gltf::material::AlphaMode;
use gltf::mesh::Mode;
use gltf::{Accessor, Material, Node, Primitive};
use nalgebra::Matrix4;
use skidpad_math::Vec3;

use super::gltf_checked::{self, CheckedFile};
use super::gltf_rig::Motion;
use super::texture::{Alpha, Image, Indices, file_of};
use super::{DEEPEST, MAX_BYTES, MAX_NODES, MAX_VERTICES, Mesh, PAINT, read_bytes};

/// A share of linear light as a byte of sRGB (IEC 61966-2-1).
pub(super) fn encoded(linear: f32) -> u8 {
    let linear = f64::from(linear).clamp(0.0, 1.0);
    let share = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 };
    (255.0 * share).round() as u8
}

/// The reading of a file.
pub(super) struct Reading<'a> {
    pub(super) file: &'a gltf::Document,
    pub(super) path: &'a Path,
    pub(super) buffers: Vec<Vec<u8>>,
    /// The pictures that materials have named, by their numbers.
    pub(super) images: BTreeMap<usize, Image>,
    /// Those within buffers, by buffer, start and end.
    pub(super) views: BTreeMap<(usize, usize, usize), Image>,
    /// Length of all pictures in memory [bytes].
    pub(super) of_images: u64,
    pub(super) textures: Indices,
    nodes: usize,
    /// What is known of its motion; none where nothing moves, or where that cannot be read.
    motion: Option<Motion>,
    /// Why accessors cannot be read, by their numbers.
    broken: BTreeMap<usize, String>,
    pub(super) mesh: Mesh,
}

/// Reads a glTF file; buffers in other files are looked up relative to `path`.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    let mut mesh = Mesh::default();
    let CheckedFile { document: file, mut blob, broken } = gltf_checked::parse(bytes, &mut mesh)?;
    let mut buffers = Vec::new();
    let mut total = 0;
    for buffer in file.buffers() {
        let data = match buffer.source() {
            gltf::buffer::Source::Bin => blob.take().ok_or("its binary part is missing")?,
            gltf::buffer::Source::Uri(uri) => read_uri(uri, path)?,
        };
        add_length(&mut total, data.len(), "buffers")?;
        buffers.push(data);
    }
    let mut reading = Reading {
        file: &file,
        path,
        buffers,
        images: BTreeMap::new(),
        views: BTreeMap::new(),
        of_images: 0,
        textures: Indices::default(),
        nodes: 0,
        motion: (file.animations().len() > 0 || file.skins().len() > 0).then(Motion::default),
        broken,
        mesh,
    };
    let scene = file.default_scene().or_else(|| file.scenes().next()).ok_or("it has no scene")?;
    for node in scene.nodes() {
        reading.node(&node, &Matrix4::identity(), None, 0)?;
    }
    if let Some(motion) = reading.motion.take() {
        match reading.rig(motion) {
            Ok(rig) => reading.mesh.rig = Some(Arc::new(rig)),
            Err(reason) => reading.note_still(&reason),
        }
    }
    Ok(reading.mesh)
}

/// Adds a length to the sum of those of a file's parts [bytes].
///
/// Errors: together they are longer than a file may be.
pub(super) fn add_length(total: &mut u64, length: usize, parts: &str) -> Result<(), String> {
    *total += length as u64;
    match *total > MAX_BYTES {
        true => Err(format!("its {parts} are longer than {} MB", MAX_BYTES >> 20)),
        false => Ok(()),
    }
}

/// What the opacity of a material's picture means, and the material's opacity, 0 to 255 (glTF 2.0, 3.9.4 "Alpha coverage").
fn opacity(material: &Material<'_>) -> (Alpha, u8) {
    let pbr = material.pbr_metallic_roughness();
    let of_material = f64::from(pbr.base_color_factor()[3]).clamp(0.0, 1.0);
    match material.alpha_mode() {
        AlphaMode::Opaque => (Alpha::Ignored, u8::MAX),
        AlphaMode::Blend => (Alpha::Blend, (255.0 * of_material).round() as u8),
        AlphaMode::Mask => {
            let cutoff = f64::from(material.alpha_cutoff().unwrap_or(0.5));
            // Of the picture times the material's own; more than 255: all of it is a hole.
            let least = (255.0 * cutoff / of_material).ceil().clamp(0.0, 256.0) as u16;
            let has_picture = pbr.base_color_texture().is_some();
            (Alpha::Mask(least), if has_picture || least <= 255 { u8::MAX } else { 0 })
        }
    }
}

/// The bytes behind the URI of a buffer.
fn read_uri(uri: &str, path: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = data_of(uri) {
        return data.map_err(|error| format!("a buffer within the file {error}"));
    }
    let file = file_of(uri, path).map_err(|error| format!("its buffer {error}"))?;
    read_bytes(&file).map_err(|error| format!("its buffer \"{uri}\": {error}"))
}

/// The bytes that a URI holds itself; none if it names a place.
pub(super) fn data_of(uri: &str) -> Option<Result<Vec<u8>, String>> {
    let (_, encoded) = match uri.strip_prefix("data:")?.split_once(";base64,") {
        Some(parts) => parts,
        None => return Some(Err("is not in base64".to_string())),
    };
    Some(STANDARD.decode(encoded).map_err(|error| format!("is broken: {error}")))
}

impl Reading<'_> {
    /// Adds a node, and those below it, where its parent takes it. `parent` is the index of the parent in the rig.
    fn node(
        &mut self,
        node: &Node<'_>,
        from_parent: &Matrix4<f64>,
        parent: Option<usize>,
        depth: usize,
    ) -> Result<(), String> {
        self.nodes += 1;
        if depth >= DEEPEST || self.nodes > MAX_NODES {
            return Err(format!("its nodes are nested more than {DEEPEST} deep, or more than {MAX_NODES}"));
        }
        let columns = node.transform().matrix();
        let from_node = from_parent * Matrix4::from_fn(|row, column| f64::from(columns[column][row]));
        let in_rig = self.motion.as_mut().map(|motion| motion.add_node(node, parent));
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            self.primitive(&primitive, node, in_rig, &from_node)?;
        }
        for child in node.children() {
            self.node(&child, &from_node, in_rig, depth + 1)?;
        }
        Ok(())
    }

    /// Notes that its motion is not read, and why.
    fn note_still(&mut self, reason: &str) {
        self.mesh.note_unseen(format!("its animation: {reason}"));
    }

    /// Adds a primitive of a node. `in_rig` is the index of the node in the rig.
    fn primitive(
        &mut self,
        primitive: &Primitive<'_>,
        node: &Node<'_>,
        in_rig: Option<usize>,
        from_node: &Matrix4<f64>,
    ) -> Result<(), String> {
        if primitive.mode() == Mode::Points {
            return Ok(());
        }
        let Some(positions) = primitive.get(&gltf::Semantic::Positions) else { return Ok(()) };
        self.sound(&positions)?;
        if (positions.data_type(), positions.dimensions()) != (DataType::F32, Dimensions::Vec3) {
            return Err("its positions are not three 32-bit numbers each".to_string());
        }
        let points = self.items(&positions, |item| {
            let (numbers, _) = item.as_chunks::<4>();
            let coordinate = |i: usize| numbers.get(i).map_or(f64::NAN, |&b| f64::from(f32::from_le_bytes(b)));
            Vec3::new(coordinate(0), coordinate(1), coordinate(2))
        })?;
        let corners: Vec<u32> = match primitive.indices() {
            Some(accessor) => {
                self.items(&accessor, |item| item.iter().rev().fold(0, |sum, &b| sum << 8 | u32::from(b)))?
            }
            None => (0..points.len() as u32).collect(),
        };
        let first = self.mesh.add_points(&points, from_node)?;
        if let (Some(mut motion), Some(at)) = (self.motion.take(), in_rig) {
            let places = points.iter().map(|point| [point.x, point.y, point.z].map(|c| c as f32));
            match self.add_piece(&mut motion, node, at, primitive, places.collect()) {
                Ok(()) => self.motion = Some(motion),
                Err(reason) => self.note_still(&reason),
            }
        }
        let factor = primitive.material().pbr_metallic_roughness().base_color_factor();
        let has_material = primitive.material().index().is_some();
        let start = self.mesh.triangles.len();
        self.add_shapes(primitive.mode(), first, &corners)?;
        self.paint_vertices(primitive, factor, start, first);
        let (alpha, opacity) = opacity(&primitive.material());
        self.lay_on_texture(primitive, start, first, alpha, opacity);
        self.mesh.make_clear(&mut self.textures, start, opacity);
        self.mesh.paint(start, has_material.then(|| [factor[0], factor[1], factor[2]].map(encoded)));
        self.mesh.mark_paint(start, primitive.material().name() == Some(PAINT));
        Ok(())
    }

    /// Adds what these corners mean, whose indices count from vertex `first`.
    fn add_shapes(&mut self, mode: Mode, first: u32, corners: &[u32]) -> Result<(), String> {
        let triples = corners.windows(3).map(|w| [w[0], w[1], w[2]]);
        let pairs = corners.windows(2).map(|w| [w[0], w[1]]);
        match mode {
            Mode::Triangles => self.mesh.add_triangles(first, corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]])),
            Mode::TriangleStrip => self.mesh.add_triangles(first, triples),
            Mode::TriangleFan => {
                self.mesh.add_triangles(first, corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]))
            }
            Mode::Lines => self.mesh.add_lines(first, corners.chunks_exact(2).map(|c| [c[0], c[1]])),
            Mode::LineStrip => self.mesh.add_lines(first, pairs),
            Mode::LineLoop => {
                self.mesh.add_lines(first, pairs)?;
                let closing = corners.last().zip(corners.first()).map(|(&last, &start)| [last, start]);
                self.mesh.add_lines(first, closing)
            }
            Mode::Points => Ok(()),
        }
    }

    /// Errors: the accessor is wrong, or names what is not there.
    pub(super) fn sound(&self, accessor: &Accessor<'_>) -> Result<(), String> {
        self.broken.get(&accessor.index()).map_or(Ok(()), |reason| Err(reason.clone()))
    }

    /// The items of an accessor. The library's own iterators trust the counts in the file, so that the bytes are decoded here.
    pub(super) fn items<T>(&self, accessor: &Accessor<'_>, convert: impl Fn(&[u8]) -> T) -> Result<Vec<T>, String> {
        self.items_in(accessor, 0..accessor.count(), convert)
    }

    /// The items of an accessor with these indices; those beyond its end are left out.
    pub(super) fn items_in<T>(
        &self,
        accessor: &Accessor<'_>,
        wanted: Range<usize>,
        convert: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, String> {
        self.sound(accessor)?;
        if accessor.sparse().is_some() {
            return Err("sparse data are not read".to_string());
        }
        let view = accessor.view().ok_or("compressed or absent data are not read")?;
        let (count, size) = (accessor.count(), accessor.size());
        if count > 3 * MAX_VERTICES {
            return Err(format!("it has more than {MAX_VERTICES} vertices or triangles"));
        }
        let buffer = self.buffers.get(view.buffer().index()).map(Vec::as_slice).unwrap_or_default();
        let bytes = view.offset().checked_add(view.length()).and_then(|end| buffer.get(view.offset()..end));
        let bytes = bytes.ok_or("its buffer is shorter than declared")?;
        let stride = view.stride().unwrap_or(size);
        if stride < size {
            return Err("its data overlap".to_string());
        }
        let item = |index: usize| {
            let start = index.checked_mul(stride)?.checked_add(accessor.offset())?;
            bytes.get(start..start.checked_add(size)?)
        };
        // The last item is checked first, so that a false count allocates no memory.
        if count > 0 && item(count - 1).is_none() {
            return Err("its data are shorter than declared".to_string());
        }
        let wanted = wanted.start..wanted.end.min(count);
        wanted.map(|index| item(index).map(&convert).ok_or_else(|| "its data are cut short".to_string())).collect()
    }
}
