//! COLLADA: the geometry of the visual scene, with the transforms of its nodes and the header's unit and up axis.
//!
//! Supported are `<triangles>`, `<tristrips>`, `<trifans>`, `<polylist>`, `<polygons>` (without holes), `<lines>` and
//! `<linestrips>`; `<instance_geometry>`, `<instance_node>`, and the shape under an `<instance_controller>` in its bind
//! pose; `<matrix>`, `<translate>`, `<rotate>` and `<scale>`; the `<diffuse>` colours and textures of materials, by the first set of texture
//! coordinates. Files in use violate the schema (arrays longer than declared, elements out of order), so that the reader requires only
//! the data it uses.

use std::collections::BTreeMap;
use std::path::Path;

use nalgebra::{Matrix3, Matrix4, Unit};
use skidpad_math::{Vec3, turned_by};

use super::collada_texture::Opacity;
use super::document::{Document, Node};
use super::texture::{Indices, Texture};
use super::{DEEPEST, MAX_NODES, MAX_VERTICES, Mesh, polygon};

pub(super) struct Reading<'a, 'i> {
    by_id: BTreeMap<&'a str, Node<'a, 'i>>,
    pub(super) path: &'a Path,
    /// The shapes of the library, each in its own frame.
    shapes: BTreeMap<u32, Shape<'a>>,
    /// Number of points of all shapes, bounded like that of the mesh.
    points: usize,
    nodes: usize,
    textures: Indices,
    mesh: Mesh,
}

/// A shape of the library.
#[derive(Default)]
struct Shape<'a> {
    mesh: Mesh,
    /// For each primitive the number of triangles up to its end, and the symbol of its material.
    symbols: Vec<(usize, Option<&'a str>)>,
    /// Texture coordinates of the corners of each triangle, where it has them.
    on: Vec<Option<[[f32; 2]; 3]>>,
}

/// The rotation [-] from the coordinates of a mesh that was read to those in its file.
pub(super) fn written_from_read(bytes: &[u8]) -> Result<Matrix3<f64>, String> {
    let text = String::from_utf8_lossy(bytes);
    let turn = turn_to_y_up(Document::parse(&text)?.root());
    Ok(turn.fixed_view::<3, 3>(0, 0).transpose())
}

/// Reads the text of a COLLADA file; pictures are looked up relative to `path`.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    let text = String::from_utf8_lossy(bytes);
    let document = Document::parse(&text)?;
    let root = document.root();
    let mut by_id = BTreeMap::new();
    for node in root.descendants() {
        if let Some(id) = node.attribute("id") {
            by_id.entry(id).or_insert(node);
        }
    }
    let mut reading = Reading {
        by_id,
        path,
        shapes: BTreeMap::new(),
        points: 0,
        nodes: 0,
        textures: Indices::default(),
        mesh: Mesh::default(),
    };
    let from_root = header(root);
    let named = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
    let scene = named
        .and_then(|instance| reading.target(instance, "url"))
        .or_else(|| root.descendants().find(|node| node.name() == "visual_scene"));
    match scene {
        Some(scene) => {
            for node in scene.children().filter(|&node| node.name() == "node") {
                reading.node(node, &from_root, 0)?;
            }
        }
        None => {
            for geometry in root.descendants().filter(|&node| node.name() == "geometry") {
                reading.geometry(geometry, &from_root, None)?;
            }
        }
    }
    Ok(reading.mesh)
}

/// The transform of `<unit>` and `<up_axis>` in the header: scales to metres, and turns the up axis to y.
fn header(root: Node<'_, '_>) -> Matrix4<f64> {
    let asset = root.child("asset");
    let meter =
        asset.and_then(|asset| asset.child("unit")).and_then(|unit| unit.attribute("meter")?.trim().parse().ok());
    let scale: f64 = meter.filter(|&m: &f64| m > 0.0 && m.is_finite()).unwrap_or(1.0);
    Matrix4::new_scaling(scale) * turn_to_y_up(root)
}

/// The rotation that turns the up axis of the header to y.
fn turn_to_y_up(root: Node<'_, '_>) -> Matrix4<f64> {
    let asset = root.child("asset");
    let up = asset.and_then(|asset| asset.child("up_axis")).and_then(|up| up.texts().next()).unwrap_or("Y_UP");
    #[rustfmt::skip]
    let turn = match up.trim() {
        "Z_UP" => Matrix4::new(
            1.0,  0.0, 0.0, 0.0,
            0.0,  0.0, 1.0, 0.0,
            0.0, -1.0, 0.0, 0.0,
            0.0,  0.0, 0.0, 1.0,
        ),
        "X_UP" => Matrix4::new(
            0.0, -1.0, 0.0, 0.0,
            1.0,  0.0, 0.0, 0.0,
            0.0,  0.0, 1.0, 0.0,
            0.0,  0.0, 0.0, 1.0,
        ),
        _ => Matrix4::identity(),
    };
    turn
}

/// The words of an element's text.
fn words<'a>(node: Node<'a, '_>) -> impl Iterator<Item = &'a str> {
    node.texts().flat_map(str::split_ascii_whitespace)
}

/// The first N numbers of an element's text.
pub(super) fn numbers<const N: usize>(node: Node<'_, '_>) -> Result<[f64; N], String> {
    let mut read = [0.0; N];
    let mut words = words(node);
    for slot in &mut read {
        let word = words.next().unwrap_or_default();
        let bad = || format!("bad number \"{}\" in <{}>", word.escape_default(), node.name());
        *slot = word.parse().map_err(|_| bad())?;
    }
    Ok(read)
}

/// An index in a `<p>`, or a number of them in a `<vcount>`.
fn index(word: &str) -> Result<u32, String> {
    word.parse().map_err(|_| format!("bad index \"{}\"", word.escape_default()))
}

fn local_transform(node: Node<'_, '_>) -> Result<Matrix4<f64>, String> {
    let mut transform = Matrix4::identity();
    for child in node.children() {
        transform *= match child.name() {
            "matrix" => Matrix4::from_row_slice(&numbers::<16>(child)?),
            "translate" => Matrix4::new_translation(&Vec3::from(numbers::<3>(child)?)),
            "scale" => Matrix4::new_nonuniform_scaling(&Vec3::from(numbers::<3>(child)?)),
            "rotate" => {
                let [x, y, z, degrees] = numbers::<4>(child)?;
                match Unit::try_new(Vec3::new(x, y, z), 1e-12) {
                    Some(axis) => turned_by(axis.into_inner() * degrees.to_radians()).to_homogeneous(),
                    None => continue,
                }
            }
            _ => continue,
        };
    }
    Ok(transform)
}

impl<'a, 'i> Reading<'a, 'i> {
    /// The element that an attribute references as `#id`.
    pub(super) fn target(&self, node: Node<'a, 'i>, attribute: &str) -> Option<Node<'a, 'i>> {
        self.called(node.attribute(attribute)?)
    }

    /// The element with this id, with or without `#`.
    pub(super) fn called(&self, reference: &str) -> Option<Node<'a, 'i>> {
        self.by_id.get(reference.strip_prefix('#').unwrap_or(reference)).copied()
    }

    fn node(&mut self, node: Node<'a, 'i>, from_parent: &Matrix4<f64>, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if depth >= DEEPEST || self.nodes > MAX_NODES {
            return Err(format!("its nodes are nested more than {DEEPEST} deep, or more than {MAX_NODES}"));
        }
        let from_node = from_parent * local_transform(node)?;
        for child in node.children() {
            match child.name() {
                "node" => self.node(child, &from_node, depth + 1)?,
                "instance_node" => {
                    if let Some(target) = self.target(child, "url").filter(|&target| target.name() == "node") {
                        self.node(target, &from_node, depth + 1)?;
                    }
                }
                "instance_geometry" => {
                    if let Some(target) = self.target(child, "url") {
                        self.geometry(target, &from_node, Some(child))?;
                    }
                }
                "instance_controller" => self.controller(child, &from_node)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The shape that a controller deforms, in its bind pose.
    fn controller(&mut self, instance: Node<'a, 'i>, from_node: &Matrix4<f64>) -> Result<(), String> {
        let mut target = self.target(instance, "url");
        let mut transform = *from_node;
        // A skin may deform a morph, which deforms a shape.
        for _ in 0..4 {
            let Some(node) = target else { return Ok(()) };
            if node.name() == "geometry" {
                return self.geometry(node, &transform, Some(instance));
            }
            let Some(deformer) = node.child("skin").or_else(|| node.child("morph")) else { return Ok(()) };
            if let Some(bind) = deformer.child("bind_shape_matrix") {
                transform *= Matrix4::from_row_slice(&numbers::<16>(bind)?);
            }
            target = self.target(deformer, "source");
        }
        Ok(())
    }

    /// Adds a shape of the library to the mesh, with the materials that its instance binds.
    fn geometry(
        &mut self,
        geometry: Node<'a, 'i>,
        from_node: &Matrix4<f64>,
        instance: Option<Node<'a, 'i>>,
    ) -> Result<(), String> {
        let id = geometry.id();
        let shape = match self.shapes.remove(&id) {
            Some(shape) => shape,
            None => self.shape(geometry)?,
        };
        let first = self.mesh.add_points(&shape.mesh.vertices, from_node)?;
        let mut start = 0;
        for &(end, symbol) in &shape.symbols {
            let before = self.mesh.triangles.len();
            self.mesh.add_triangles(first, shape.mesh.triangles[start..end].iter().copied())?;
            let material_effect = symbol.and_then(|symbol| self.effect(symbol, instance));
            let diffuse = material_effect
                .and_then(|(_, effect)| Some((effect, effect.descendants().find(|&node| node.name() == "diffuse")?)));
            self.mesh.paint(before, diffuse.and_then(|(_, diffuse)| color(diffuse)));
            let texture = diffuse.and_then(|(effect, diffuse)| self.texture(effect, diffuse));
            let opacity = material_effect.map(|(_, effect)| Opacity::of(effect)).unwrap_or_default();
            let alpha = self.alpha(&opacity, material_effect.map(|(_, effect)| effect), texture.as_ref());
            if let Some((material, _)) = material_effect.filter(|_| alpha.is_none()) {
                let name = material.attribute("name").or_else(|| material.attribute("id")).unwrap_or_default();
                self.mesh.note_unseen(format!(
                    "the opacity picture of its material \"{name}\", which differs from its colour picture"
                ));
            }
            if let Some(texture) = texture {
                let texture = Texture { alpha: alpha.unwrap_or_default(), opacity: opacity.of_material, ..texture };
                if let Some(texture) = self.mesh.add_texture(&mut self.textures, texture) {
                    self.mesh.lay_on(texture, &shape.on[start..end]);
                }
            }
            self.mesh.make_clear(&mut self.textures, before, opacity.of_material);
            start = end;
        }
        self.mesh.add_lines(first, shape.mesh.lines.iter().copied())?;
        self.shapes.insert(id, shape);
        Ok(())
    }

    /// The material that an instance binds to a symbol, or that is called so, and its effect.
    fn effect(&self, symbol: &str, instance: Option<Node<'a, 'i>>) -> Option<(Node<'a, 'i>, Node<'a, 'i>)> {
        let bound = instance
            .iter()
            .flat_map(|instance| instance.descendants())
            .find(|&node| node.name() == "instance_material" && node.attribute("symbol") == Some(symbol));
        let material = match bound {
            Some(bound) => self.target(bound, "target")?,
            None => self.by_id.get(symbol).copied().filter(|&node| node.name() == "material")?,
        };
        Some((material, self.target(material.child("instance_effect")?, "url")?))
    }

    fn shape(&mut self, geometry: Node<'a, 'i>) -> Result<Shape<'a>, String> {
        let mut shape = Shape::default();
        let Some(mesh) = geometry.child("mesh") else { return Ok(shape) };
        // Primitives may share a source of points; each source is read once.
        let mut firsts: BTreeMap<&str, u32> = BTreeMap::new();
        let mut sets: BTreeMap<&str, Vec<[f64; 2]>> = BTreeMap::new();
        for primitive in mesh.children() {
            let kind = primitive.name();
            let known =
                ["triangles", "tristrips", "trifans", "polylist", "polygons", "lines", "linestrips"].contains(&kind);
            if !known {
                continue;
            }
            let Some((source, offset, stride)) = self.positions(primitive) else { continue };
            let set = self.set(primitive);
            if let Some((id, source, _)) = set
                && !sets.contains_key(id)
            {
                let mut bad = None;
                let points = self.read_points(source, |word| {
                    bad = bad.or(Some(word));
                    Ok(f64::NAN)
                })?;
                sets.insert(id, points);
                if let Some(word) = bad {
                    self.mesh.note_unseen(format!("its texture coordinate \"{}\"", word.escape_default()));
                }
            }
            let on = set.and_then(|(id, _, offset)| Some((sets.get(id)?.as_slice(), offset)));
            let key = source.attribute("id").unwrap_or_default();
            let first = match firsts.get(key) {
                Some(&first) => first,
                None => {
                    let first = u32::try_from(shape.mesh.vertices.len()).map_err(|_| "it has too many vertices")?;
                    let points = self.read_points(source, |word| {
                        Err(format!("bad number \"{}\" in <float_array>", word.escape_default()))
                    })?;
                    shape.mesh.vertices.extend(points.into_iter().map(Vec3::from));
                    firsts.insert(key, first);
                    first
                }
            };
            read_primitive(primitive, offset, stride, first, on, &mut shape)?;
            shape.symbols.push((shape.mesh.triangles.len(), primitive.attribute("material")));
        }
        Ok(shape)
    }

    /// The source of a primitive's positions, the offset of their index within a corner, and the number of indices per corner.
    fn positions(&self, primitive: Node<'a, 'i>) -> Option<(Node<'a, 'i>, usize, usize)> {
        let stride = inputs(primitive).map(offset_of).max()? + 1;
        for input in inputs(primitive) {
            let source = match input.attribute("semantic")? {
                "VERTEX" => {
                    let vertices = self.target(input, "source")?;
                    let position = vertices.children().find(|node| node.attribute("semantic") == Some("POSITION"))?;
                    self.target(position, "source")?
                }
                "POSITION" => self.target(input, "source")?,
                _ => continue,
            };
            return Some((source, offset_of(input), stride));
        }
        None
    }

    /// The id and source of a primitive's texture coordinates, and the offset of their index within a corner.
    fn set(&self, primitive: Node<'a, 'i>) -> Option<(&'a str, Node<'a, 'i>, usize)> {
        let number = |input: &Node<'_, '_>| input.attribute("set").and_then(|set| set.trim().parse().ok()).unwrap_or(0);
        let sets = inputs(primitive).filter(|input| input.attribute("semantic") == Some("TEXCOORD"));
        let first = sets.min_by_key(|input| -> u32 { number(input) })?;
        let source = self.target(first, "source")?;
        Some((source.attribute("id")?, source, offset_of(first)))
    }

    /// The first N numbers of each item of a `<source>`: as many as there are, whatever count it declares. `instead`: what counts for a word
    /// that is no number.
    fn read_points<const N: usize>(
        &mut self,
        source: Node<'a, 'i>,
        mut instead: impl FnMut(&'a str) -> Result<f64, String>,
    ) -> Result<Vec<[f64; N]>, String> {
        let accessor = source.descendants().find(|&node| node.name() == "accessor");
        let number =
            |name: &str| accessor.and_then(|a| a.attribute(name)).and_then(|text| text.trim().parse::<usize>().ok());
        let (stride, offset) = (number("stride").unwrap_or(N).max(N), number("offset").unwrap_or(0));
        let most = number("count").unwrap_or(usize::MAX);
        let array =
            accessor.and_then(|accessor| self.target(accessor, "source")).or_else(|| source.child("float_array"));
        let mut points = Vec::new();
        let Some(array) = array else { return Ok(points) };
        let mut values = words(array).skip(offset);
        let mut point = [0.0; N];
        for _ in 0..most {
            for index in 0..stride {
                let Some(word) = values.next() else { return Ok(points) };
                if let Some(slot) = point.get_mut(index) {
                    *slot = word.parse().or_else(|_| instead(word))?;
                }
            }
            self.points += 1;
            if self.points > 2 * MAX_VERTICES {
                return Err(format!("it has more than {MAX_VERTICES} vertices"));
            }
            points.push(point);
        }
        Ok(points)
    }
}

/// The inputs of a primitive.
fn inputs<'a, 'i>(primitive: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    primitive.children().filter(|&node| node.name() == "input")
}

/// The offset of an input's index within a corner.
fn offset_of(input: Node<'_, '_>) -> usize {
    input.attribute("offset").and_then(|o| o.trim().parse::<u16>().ok()).map_or(0, usize::from)
}

/// A plain colour.
fn color(diffuse: Node<'_, '_>) -> Option<[u8; 3]> {
    let share = numbers::<3>(diffuse.child("color")?).ok()?;
    Some(share.map(|share| (255.0 * share).round() as u8))
}

/// Adds the triangles and lines of a primitive, whose corners have `stride` indices each, the one at `offset` counting from point `first`,
/// and, if `on` is given, an index into its points at its offset.
fn read_primitive(
    primitive: Node<'_, '_>,
    offset: usize,
    stride: usize,
    first: u32,
    on: Option<(&[[f64; 2]], usize)>,
    shape: &mut Shape<'_>,
) -> Result<(), String> {
    let kind = primitive.name();
    let lists = primitive.descendants().filter(|&node| node.name() == "p");
    let mut counts = primitive.child("vcount").map(|counts| words(counts).map(index));
    for list in lists {
        let (mut corners, mut points) = (Vec::new(), Vec::new());
        for (place, word) in words(list).enumerate() {
            let place = place % stride;
            if place == offset {
                let index = first.checked_add(index(word)?).filter(|&i| (i as usize) < shape.mesh.vertices.len());
                corners.push(index.ok_or("an index names a vertex that is not there")?);
            }
            if let Some((known, _)) = on.filter(|(_, offset)| *offset == place) {
                // Programs write -1 for a corner that is nowhere on the picture.
                let point = word.parse::<usize>().ok().and_then(|index| known.get(index));
                points.push(point.map(|point| point.map(|share| share as f32)));
            }
        }
        let count = corners.len() as u32;
        let places: Vec<[u32; 3]> = match kind {
            "triangles" => (0..count / 3).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect(),
            "tristrips" => (2..count).map(|last| [last - 2, last - 1, last]).collect(),
            "trifans" => (2..count).map(|last| [0, last - 1, last]).collect(),
            "polygons" => polygon::places(&shape.mesh.vertices, &corners),
            "lines" | "linestrips" => {
                let step = if kind == "lines" { 2 } else { 1 };
                shape.mesh.lines.extend(corners.windows(2).step_by(step).map(|w| [w[0], w[1]]));
                continue;
            }
            _ => {
                let (mut places, mut start) = (Vec::new(), 0);
                for count in counts.iter_mut().flatten() {
                    let end = start + count? as usize;
                    let face = corners.get(start..end).ok_or("<vcount> asks for more than <p> has")?;
                    let of_face = match face.len() {
                        3 => vec![[0, 1, 2]],
                        _ => polygon::places(&shape.mesh.vertices, face),
                    };
                    places.extend(of_face.into_iter().map(|places| places.map(|place| start as u32 + place)));
                    start = end;
                }
                places
            }
        };
        shape.mesh.triangles.extend(places.iter().map(|places| places.map(|place| corners[place as usize])));
        let at = |place: u32| points.get(place as usize).copied().flatten();
        shape.on.extend(places.iter().map(|&[a, b, c]| Some([at(a)?, at(b)?, at(c)?])));
    }
    Ok(())
}
