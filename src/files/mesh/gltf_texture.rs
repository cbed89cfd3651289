//! Pictures of glTF files: the base colour textures of materials, embedded or in files of their own, and colours of vertices.

use std::sync::Arc;

use gltf::accessor::{DataType, Dimensions};
use gltf::json::texture::WrappingMode;
use gltf::json::validation::Checked;
use gltf::material::AlphaMode;
use gltf::{Accessor, Primitive};

use super::gltf::{Reading, add_length, data_of, encoded};
use super::texture::{Alpha, Image, Texture, Wrap, file_of};

impl Reading<'_> {
    /// Lays the triangles of a primitive on the base colour texture of its material. What cannot be read is a texture that is lost.
    ///
    /// The triangles were added last, from the index `start` on; their vertices count from `first`. `alpha` is the meaning of the
    /// texture's opacity, and `opacity` that of the material, 0 to 255.
    pub(super) fn lay_on_texture(
        &mut self,
        primitive: &Primitive<'_>,
        start: usize,
        first: u32,
        alpha: Alpha,
        opacity: u8,
    ) {
        let Some(info) = primitive.material().pbr_metallic_roughness().base_color_texture() else { return };
        let number = info.texture().index();
        let transform = info.texture_transform();
        let set = transform.as_ref().and_then(|transform| transform.tex_coord()).unwrap_or(info.tex_coord());
        let (texture, points) = match self.points_on(primitive, set, self.mesh.vertices.len() - first as usize) {
            Ok(points) => (self.texture(number), points),
            Err(reason) => {
                let images = self.file.as_json().images.len();
                let source = self.file.as_json().textures.get(number).map_or(images, |texture| texture.source.value());
                (Texture::opaque(Image::Lost(source.min(images), reason), [Wrap::Repeat; 2]), Vec::new())
            }
        };
        let texture = Texture { alpha, opacity, ..texture };
        let Some(texture) = self.mesh.add_texture(&mut self.textures, texture) else { return };
        let place = |[u, v]: [f32; 2]| {
            let Some(transform) = &transform else { return [u, 1.0 - v] };
            // KHR_texture_transform: scaled, turned counter-clockwise, with v downwards, and moved.
            let ([x, y], [right, down]) = (transform.scale(), transform.offset());
            let (sin, cos) = libm::sincosf(transform.rotation());
            let (u, v) = (x * u, y * v);
            [cos * u + sin * v + right, 1.0 - (cos * v - sin * u + down)]
        };
        let at = |vertex: u32| points.get((vertex - first) as usize).copied().map(place);
        let corners = self.mesh.triangles[start..].iter().map(|&[a, b, c]| Some([at(a)?, at(b)?, at(c)?]));
        let corners: Vec<_> = corners.collect();
        self.mesh.lay_on(texture, &corners);
    }

    /// The texture coordinates of a set, one of each vertex.
    fn points_on(&self, primitive: &Primitive<'_>, set: u32, vertices: usize) -> Result<Vec<[f32; 2]>, String> {
        let missing = || format!("a mesh has no texture coordinates TEXCOORD_{set} for it");
        let accessor = primitive.get(&gltf::Semantic::TexCoords(set)).ok_or_else(missing)?;
        self.sound(&accessor)?;
        if accessor.dimensions() != Dimensions::Vec2 {
            return Err("its texture coordinates are not two numbers each".to_string());
        }
        self.shares(&accessor, vertices)
    }

    /// Gives the triangles of a primitive the colours of its vertices, times the colour of its material, if it has such.
    pub(super) fn paint_vertices(&mut self, primitive: &Primitive<'_>, factor: [f32; 4], start: usize, first: u32) {
        let Some(accessor) = primitive.get(&gltf::Semantic::Colors(0)) else { return };
        let sound = self.sound(&accessor);
        let colors = match accessor.dimensions() {
            _ if sound.is_err() => sound.map(|()| Vec::new()),
            Dimensions::Vec3 => self.shares::<3>(&accessor, self.mesh.vertices.len() - first as usize),
            Dimensions::Vec4 => {
                let colors = self.shares::<4>(&accessor, self.mesh.vertices.len() - first as usize);
                let is_opaque = primitive.material().alpha_mode() == AlphaMode::Opaque;
                if !is_opaque && colors.iter().flatten().any(|color| color[3] < 1.0) {
                    self.mesh.note_unseen("the opacity of its vertices".to_string());
                }
                colors.map(|colors| colors.into_iter().map(|[red, green, blue, _]| [red, green, blue]).collect())
            }
            _ => Err("they are not three or four numbers each".to_string()),
        };
        let colors = match colors {
            Ok(colors) => colors,
            Err(reason) => return self.mesh.note_unseen(format!("the colours of its vertices ({reason})")),
        };
        let color = |vertex: u32| {
            let of_vertex = colors.get((vertex - first) as usize).copied().unwrap_or([1.0; 3]);
            std::array::from_fn(|channel| encoded(of_vertex[channel] * factor[channel]))
        };
        let corners: Vec<_> = self.mesh.triangles[start..].iter().map(|triangle| triangle.map(color)).collect();
        self.mesh.paint_corners(corners.into_iter());
    }

    /// The first N numbers of each item of an accessor, one for each of so many vertices, those of integers as shares of the largest one.
    fn shares<const N: usize>(&self, accessor: &Accessor<'_>, vertices: usize) -> Result<Vec<[f32; N]>, String> {
        self.sound(accessor)?;
        // Checked first: nodes without number may share an accessor that takes long to read.
        if accessor.count() != vertices {
            return Err(format!(
                "{} texture coordinates or colours are given for {vertices} vertices",
                accessor.count()
            ));
        }
        let kind = accessor.data_type();
        let size = match kind {
            DataType::F32 => 4,
            DataType::U16 => 2,
            DataType::U8 => 1,
            _ => return Err("its texture coordinates or colours are signed or too long".to_string()),
        };
        self.items(accessor, |item| {
            std::array::from_fn(|index| match (kind, item.get(size * index..size * (index + 1))) {
                (DataType::F32, Some(&[a, b, c, d])) => f32::from_le_bytes([a, b, c, d]),
                (DataType::U16, Some(&[a, b])) => f32::from(u16::from_le_bytes([a, b])) / 65535.0,
                (DataType::U8, Some(&[a])) => f32::from(a) / 255.0,
                _ => f32::NAN,
            })
        })
    }

    /// The texture with this number.
    fn texture(&mut self, number: usize) -> Texture {
        let root = self.file.as_json();
        let Some(texture) = root.textures.get(number) else {
            let image = Image::Lost(root.images.len(), format!("texture {number} is not there"));
            return Texture::opaque(image, [Wrap::Repeat; 2]);
        };
        let sampler = texture.sampler.and_then(|sampler| root.samplers.get(sampler.value()));
        let wrap = sampler.map_or([Wrap::Repeat; 2], |sampler| {
            [sampler.wrap_s, sampler.wrap_t].map(|mode| match mode {
                Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Stretch,
                Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
                _ => Wrap::Repeat,
            })
        });
        let source = texture.source.value();
        if let Some(image) = self.images.get(&source) {
            return Texture::opaque(image.clone(), wrap);
        }
        let image = self.image(source).unwrap_or_else(|reason| Image::Lost(source.min(root.images.len()), reason));
        self.images.insert(source, image.clone());
        Texture::opaque(image, wrap)
    }

    /// The picture with this number, or the same bytes under the number by which they were found first.
    fn image(&mut self, number: usize) -> Result<Image, String> {
        let root = self.file.as_json();
        let image = root.images.get(number).ok_or("its format is not supported, such as KTX2 or WebP")?;
        if let Some(view) = image.buffer_view {
            let view = root.buffer_views.get(view.value()).ok_or("its data are not there")?;
            let buffer = self.buffers.get(view.buffer.value()).map(Vec::as_slice).unwrap_or_default();
            let start = view.byte_offset.map_or(0, |offset| offset.0 as usize);
            let end = start.saturating_add(view.byte_length.0 as usize);
            let place = (view.buffer.value(), start, end);
            if let Some(known) = self.views.get(&place) {
                return Ok(known.clone());
            }
            let bytes = buffer.get(start..end).ok_or("its data are cut short")?;
            // Views may overlap, so that all pictures together may be longer than the buffer.
            add_length(&mut self.of_images, bytes.len(), "file's pictures")?;
            let image = Image::Within(number, Arc::from(bytes));
            self.views.insert(place, image.clone());
            return Ok(image);
        }
        let uri = image.uri.as_deref().ok_or("it has no data")?;
        match data_of(uri) {
            Some(data) => Ok(Image::Within(number, Arc::from(data?))),
            None => Ok(Image::File(file_of(uri, self.path)?)),
        }
    }
}
