//! COLLADA: the geometry of the visual scene, with the transforms of its nodes and the header's unit and up axis.
//!
//! Supported are `<triangles>`, `<tristrips>`, `<trifans>`, `<polylist>`, `<polygons>` (without holes), `<lines>` and
//! `<linestrips>`; `<instance_geometry>`, `<instance_node>`, and the shape under an `<instance_controller>` in its bind
//! pose; `<matrix>`, `<translate>`, `<rotate>` and `<scale>`; the plain `<diffuse>` colours of materials. Files in use
//! violate the schema (arrays longer than declared, elements out of order), so that the reader requires only the data
//! it uses.

use std::collections::BTreeMap;

use nalgebra::{Matrix3, Matrix4, Unit};
use skidpad_math::Vec3;

use super::document::{Document, Node};
use super::{DEEPEST, MOST_NODES, MOST_VERTICES, Mesh, polygon};

struct Reading<'a, 'i> {
    by_id: BTreeMap<&'a str, Node<'a, 'i>>,
    /// The shapes of the library, each in its own frame.
    shapes: BTreeMap<u32, Shape<'a>>,
    /// Number of points of all shapes, bounded like that of the mesh.
    points: usize,
    nodes: usize,
    mesh: Mesh,
}

/// A shape of the library.
#[derive(Default)]
struct Shape<'a> {
    mesh: Mesh,
    /// For each primitive the number of triangles up to its end, and the symbol of its material.
    symbols: Vec<(usize, Option<&'a str>)>,
}

/// The rotation [-] from the coordinates of a mesh that was read to those in its file.
pub(super) fn written_from_read(bytes: &[u8]) -> Result<Matrix3<f64>, String> {
    let text = String::from_utf8_lossy(bytes);
    let turn = turn_to_y_up(Document::parse(&text)?.root());
    Ok(turn.fixed_view::<3, 3>(0, 0).transpose())
}

/// Reads the text of a COLLADA file.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, String> {
    let text = String::from_utf8_lossy(bytes);
    let document = Document::parse(&text)?;
    let root = document.root();
    let mut by_id = BTreeMap::new();
    for node in root.descendants() {
        if let Some(id) = node.attribute("id") {
            by_id.entry(id).or_insert(node);
        }
    }
    let mut reading = Reading { by_id, shapes: BTreeMap::new(), points: 0, nodes: 0, mesh: Mesh::default() };
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

fn numbers<const N: usize>(node: Node<'_, '_>) -> Result<[f64; N], String> {
    let mut read = [0.0; N];
    let mut words = words(node);
    for slot in &mut read {
        let word = words.next().unwrap_or_default();
        let bad = || format!("bad number \"{}\" in <{}>", word.escape_default(), node.name());
        *slot = word.parse().map_err(|_| bad())?;
    }
    Ok(read)
}

/// The indices in a `<p>` or `<vcount>`.
fn indices<'a>(node: Node<'a, '_>) -> impl Iterator<Item = Result<u32, String>> + 'a {
    words(node).map(|word| word.parse().map_err(|_| format!("bad index \"{}\"", word.escape_default())))
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
                    Some(axis) => rotation(&axis, degrees.to_radians()),
                    None => continue,
                }
            }
            _ => continue,
        };
    }
    Ok(transform)
}

/// Rotation about a unit axis by `angle` [rad], by Rodrigues' formula, with the same bits on every machine.
fn rotation(axis: &Unit<Vec3>, angle: f64) -> Matrix4<f64> {
    let (sin, cos) = libm::sincos(angle);
    let cross = axis.cross_matrix();
    let linear = nalgebra::Matrix3::identity() + sin * cross + (1.0 - cos) * cross * cross;
    linear.to_homogeneous()
}

impl<'a, 'i> Reading<'a, 'i> {
    /// The element that an attribute references as `#id`.
    fn target(&self, node: Node<'a, 'i>, attribute: &str) -> Option<Node<'a, 'i>> {
        let reference = node.attribute(attribute)?;
        self.by_id.get(reference.strip_prefix('#').unwrap_or(reference)).copied()
    }

    fn node(&mut self, node: Node<'a, 'i>, from_parent: &Matrix4<f64>, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if depth >= DEEPEST || self.nodes > MOST_NODES {
            return Err(format!("its nodes are nested more than {DEEPEST} deep, or more than {MOST_NODES}"));
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
            self.mesh.add_triangles(first, shape.mesh.triangles[start..end].iter().copied())?;
            self.mesh.paint(symbol.and_then(|symbol| self.color(symbol, instance)));
            start = end;
        }
        self.mesh.add_lines(first, shape.mesh.lines.iter().copied())?;
        self.shapes.insert(id, shape);
        Ok(())
    }

    /// The diffuse colour of the material that an instance binds to a symbol, or that is called so.
    fn color(&self, symbol: &str, instance: Option<Node<'a, 'i>>) -> Option<[u8; 3]> {
        let bound = instance
            .iter()
            .flat_map(|instance| instance.descendants())
            .find(|&node| node.name() == "instance_material" && node.attribute("symbol") == Some(symbol));
        let material = match bound {
            Some(bound) => self.target(bound, "target")?,
            None => self.by_id.get(symbol).copied().filter(|&node| node.name() == "material")?,
        };
        let effect = self.target(material.child("instance_effect")?, "url")?;
        let diffuse = effect.descendants().find(|&node| node.name() == "diffuse")?;
        let [red, green, blue] = numbers::<3>(diffuse.child("color")?).ok()?;
        Some([red, green, blue].map(|share| (255.0 * share).round() as u8))
    }

    fn shape(&mut self, geometry: Node<'a, 'i>) -> Result<Shape<'a>, String> {
        let mut shape = Shape::default();
        let Some(mesh) = geometry.child("mesh") else { return Ok(shape) };
        // Primitives may share a source of points; each source is read once.
        let mut firsts: BTreeMap<&str, u32> = BTreeMap::new();
        for primitive in mesh.children() {
            let kind = primitive.name();
            let known =
                ["triangles", "tristrips", "trifans", "polylist", "polygons", "lines", "linestrips"].contains(&kind);
            if !known {
                continue;
            }
            let Some((source, offset, stride)) = self.positions(primitive) else { continue };
            let key = source.attribute("id").unwrap_or_default();
            let first = match firsts.get(key) {
                Some(&first) => first,
                None => {
                    let first = u32::try_from(shape.mesh.vertices.len()).map_err(|_| "it has too many vertices")?;
                    self.read_points(source, &mut shape.mesh.vertices)?;
                    firsts.insert(key, first);
                    first
                }
            };
            read_primitive(primitive, offset, stride, first, &mut shape.mesh)?;
            shape.symbols.push((shape.mesh.triangles.len(), primitive.attribute("material")));
        }
        Ok(shape)
    }

    /// The source of a primitive's positions, the offset of their index within a corner, and the number of indices per corner.
    fn positions(&self, primitive: Node<'a, 'i>) -> Option<(Node<'a, 'i>, usize, usize)> {
        let inputs = || primitive.children().filter(|&node| node.name() == "input");
        let offset =
            |input: Node<'_, '_>| input.attribute("offset").and_then(|o| o.trim().parse::<u16>().ok()).unwrap_or(0);
        let stride = usize::from(inputs().map(offset).max()?) + 1;
        for input in inputs() {
            let source = match input.attribute("semantic")? {
                "VERTEX" => {
                    let vertices = self.target(input, "source")?;
                    let position = vertices.children().find(|node| node.attribute("semantic") == Some("POSITION"))?;
                    self.target(position, "source")?
                }
                "POSITION" => self.target(input, "source")?,
                _ => continue,
            };
            return Some((source, usize::from(offset(input)), stride));
        }
        None
    }

    /// Appends the positions of a `<source>`: as many as there are, whatever count it declares.
    fn read_points(&mut self, source: Node<'a, 'i>, points: &mut Vec<Vec3>) -> Result<(), String> {
        let accessor = source.descendants().find(|&node| node.name() == "accessor");
        let number =
            |name: &str| accessor.and_then(|a| a.attribute(name)).and_then(|text| text.trim().parse::<usize>().ok());
        let (stride, offset) = (number("stride").unwrap_or(3).max(3), number("offset").unwrap_or(0));
        let most = number("count").unwrap_or(usize::MAX);
        let array =
            accessor.and_then(|accessor| self.target(accessor, "source")).or_else(|| source.child("float_array"));
        let Some(array) = array else { return Ok(()) };
        let mut values = words(array).skip(offset);
        let mut point = [0.0; 3];
        for _ in 0..most {
            for index in 0..stride {
                let Some(word) = values.next() else { return Ok(()) };
                if let Some(slot) = point.get_mut(index) {
                    let bad = |_| format!("bad number \"{}\" in <float_array>", word.escape_default());
                    *slot = word.parse().map_err(bad)?;
                }
            }
            self.points += 1;
            if self.points > MOST_VERTICES {
                return Err(format!("it has more than {MOST_VERTICES} vertices"));
            }
            points.push(Vec3::from(point));
        }
        Ok(())
    }
}

/// Adds the triangles and lines of a primitive, whose corners have `stride` indices each, the one at `offset` counting
/// from point `first`.
fn read_primitive(
    primitive: Node<'_, '_>,
    offset: usize,
    stride: usize,
    first: u32,
    shape: &mut Mesh,
) -> Result<(), String> {
    let kind = primitive.name();
    let lists = primitive.descendants().filter(|&node| node.name() == "p");
    let mut counts = primitive.child("vcount").map(indices);
    for list in lists {
        let mut corners = Vec::new();
        for index in indices(list).skip(offset).step_by(stride) {
            let index = first.checked_add(index?).filter(|&i| (i as usize) < shape.vertices.len());
            corners.push(index.ok_or("an index names a vertex that is not there")?);
        }
        let triples = corners.windows(3).map(|w| [w[0], w[1], w[2]]);
        match kind {
            "triangles" => shape.triangles.extend(corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]])),
            "tristrips" => shape.triangles.extend(triples),
            "trifans" => shape.triangles.extend(corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]])),
            "polygons" => shape.triangles.extend(polygon::triangulate(&shape.vertices, &corners)),
            "lines" => shape.lines.extend(corners.chunks_exact(2).map(|c| [c[0], c[1]])),
            "linestrips" => shape.lines.extend(corners.windows(2).map(|w| [w[0], w[1]])),
            _ => {
                let mut rest = corners.as_slice();
                for count in counts.iter_mut().flatten() {
                    let (face, after) =
                        rest.split_at_checked(count? as usize).ok_or("<vcount> asks for more than <p> has")?;
                    rest = after;
                    match *face {
                        [a, b, c] => shape.triangles.push([a, b, c]),
                        _ => shape.triangles.extend(polygon::triangulate(&shape.vertices, face)),
                    }
                }
            }
        }
    }
    Ok(())
}
