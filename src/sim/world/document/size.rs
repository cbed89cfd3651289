//! Extents of blocks.

use skidpad_files::mesh::primitives::Geometry;
use skidpad_math::Vec2;
use skidpad_xml::edit::{Change, Expressions, Splice};
use skidpad_xml::spans::Spans;

use super::body::{self, BodyElement};
use super::{EditError, WorldDocument, check_number, tidy};
use crate::world::{BlockInfo, BodyRef};

/// Smallest and largest extent [m].
const RANGE: [f64; 2] = [1e-3, 1e5];
/// Smaller relative changes count as no change [-].
const SAME: f64 = 1e-9;

/// The extents of a body along its axes [m], or why they cannot be edited.
pub(super) fn extents(
    document: &WorldDocument,
    spans: &Spans<'_>,
    body_element: &BodyElement,
) -> Result<[f64; 3], String> {
    let BodyRef::Block(index) = body_element.body else {
        return Err("the class of a vehicle determines its size".into());
    };
    if spans.tag(body_element.element) == "walls" {
        return Err("its points determine the length of a wall".into());
    }
    let info = &document.scene.blocks[index];
    match info.visuals.is_empty() {
        true => Ok(extents_of(info)),
        false => Err("its meshes determine its size".into()),
    }
}

fn extents_of(info: &BlockInfo) -> [f64; 3] {
    let extent = |axis: fn(&Vec2) -> f64| {
        let [low, high] = info
            .outline
            .iter()
            .map(axis)
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        tidy(high - low)
    };
    [extent(|p| p.x), extent(|p| p.y), tidy(info.z[1] - info.z[0])]
}

pub(super) fn resize(
    document: &WorldDocument,
    spans: &Spans<'_>,
    name: &str,
    size: [f64; 3],
    expressions: Expressions,
) -> Result<Change, EditError> {
    let body_element = body::find(document, spans, name)?;
    let element = body_element.element;
    let at = spans.element(element).start.start;
    let now =
        extents(document, spans, &body_element).map_err(|why| document.refuse(at, format!("\"{name}\": {why}")))?;
    let BodyRef::Block(index) = body_element.body else { return Ok(Change::default()) };
    let info = &document.scene.blocks[index];
    let mut factors = [1.0; 3];
    for ((factor, size), now) in factors.iter_mut().zip(size).zip(now) {
        check_number("an extent", size)?;
        if !(RANGE[0]..=RANGE[1]).contains(&size) {
            let message = format!("edit: an extent of {size} m\n  accepted: {} to {} m", RANGE[0], RANGE[1]);
            return Err(EditError::Refused(message));
        }
        if (size - now).abs() > SAME && now > 0.0 {
            *factor = size / now;
        }
    }
    let has_heights = ["zmin", "zmax"].iter().all(|tag| spans.child(element, tag).is_some());
    let mut edit = Edit { document, spans, element, name, expressions, splices: Vec::new() };
    let declared = spans.child(element, "shape");
    match (&info.geometry, declared, spans.child(element, "geometry")) {
        (Some(geometry), None, tag) => {
            let of_tag = if has_heights { [factors[0], factors[1], 1.0] } else { factors };
            edit.geometry(&scaled(geometry, of_tag), tag)?;
            if has_heights {
                edit.heights(info, size[2], factors[2])?;
            }
        }
        (_, Some(shape), _) => {
            edit.points(shape, factors)?;
            edit.heights(info, size[2], factors[2])?;
        }
        (_, None, _) => {
            if factors[0] != 1.0 || factors[1] != 1.0 {
                let points = info
                    .outline
                    .iter()
                    .map(|p| format!("<pt>{} {}</pt>", tidy(factors[0] * p.x), tidy(factors[1] * p.y)));
                let shape = format!("<shape> {} </shape>", points.collect::<Vec<_>>().join(" "));
                edit.splices.push(spans.insert_last(element, &[shape]));
            }
            edit.heights(info, size[2], factors[2])?;
        }
    }
    Ok(Change::of(edit.splices))
}

/// A solid scaled along its axes. Round ones stay round: the first factor other than 1 counts.
fn scaled(geometry: &Geometry, factors: [f64; 3]) -> Geometry {
    let [fx, fy, fz] = factors;
    let first = |factors: &[f64]| factors.iter().copied().find(|factor| *factor != 1.0).unwrap_or(1.0);
    let size = |size: [f64; 3]| [fx * size[0], fy * size[1], fz * size[2]];
    match *geometry {
        Geometry::Cylinder { radius, length, vertex_count } => {
            Geometry::Cylinder { radius: radius * first(&[fx, fy]), length: length * fz, vertex_count }
        }
        Geometry::Sphere { radius, vertex_count } => {
            Geometry::Sphere { radius: radius * first(&factors), vertex_count }
        }
        Geometry::Box { size: of } => Geometry::Box { size: size(of) },
        Geometry::Ramp { size: of } => Geometry::Ramp { size: size(of) },
        Geometry::Bump { size: of, vertex_count } => Geometry::Bump { size: size(of), vertex_count },
    }
}

/// The type of a solid, as files call it, and its sizes by attribute [m].
fn attributes(geometry: &Geometry) -> (&'static str, Vec<(&'static str, f64)>) {
    let sizes = |[x, y, z]: [f64; 3]| vec![("lx", x), ("ly", y), ("lz", z)];
    match *geometry {
        Geometry::Cylinder { radius, length, .. } => ("cylinder", vec![("radius", radius), ("length", length)]),
        Geometry::Sphere { radius, .. } => ("sphere", vec![("radius", radius)]),
        Geometry::Box { size } => ("box", sizes(size)),
        Geometry::Ramp { size } => ("ramp", sizes(size)),
        Geometry::Bump { size, .. } => ("semi_cylinder_bump", sizes(size)),
    }
}

/// A change of size under construction.
struct Edit<'a> {
    document: &'a WorldDocument,
    spans: &'a Spans<'a>,
    element: usize,
    name: &'a str,
    expressions: Expressions,
    splices: Vec<Splice>,
}

impl Edit<'_> {
    fn at(&self, element: usize) -> usize {
        self.spans.element(element).start.start
    }

    /// Scales the points of a `<shape>`.
    fn points(&mut self, shape: usize, factors: [f64; 3]) -> Result<(), EditError> {
        if factors[0] == 1.0 && factors[1] == 1.0 {
            return Ok(());
        }
        for point in self.spans.children(shape, "pt") {
            let text = self.spans.text_of(point).unwrap_or_default();
            let numbers: Vec<f64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
            let &[x, y] = numbers.as_slice() else {
                let message =
                    format!("a point of \"{}\" is written as \"{text}\"\n  hint: change it in the file", self.name);
                return Err(self.document.refuse(self.at(point), message));
            };
            let values = [tidy(factors[0] * x), tidy(factors[1] * y)];
            let scaled = self.spans.set_numbers(point, &values, self.expressions);
            self.splices.extend(scaled.map_err(self.document.expression(self.at(point), "a point"))?);
        }
        Ok(())
    }

    /// Sets `<zmax>`, and `<zmin>` if it is not there: both count only together.
    fn heights(&mut self, info: &BlockInfo, height: f64, factor: f64) -> Result<(), EditError> {
        if factor == 1.0 {
            return Ok(());
        }
        let low = tidy(info.z[0]);
        for (tag, value) in [("zmin", low), ("zmax", tidy(low + height))] {
            match self.spans.child(self.element, tag) {
                Some(child) => {
                    let set = self.spans.set_numbers(child, &[value], self.expressions);
                    self.splices.extend(set.map_err(self.document.expression(self.at(child), tag))?);
                }
                None => self.splices.push(self.spans.insert_last(self.element, &[format!("<{tag}>{value}</{tag}>")])),
            }
        }
        Ok(())
    }

    /// Writes the sizes of a solid into its tag, or into a new one.
    fn geometry(&mut self, geometry: &Geometry, tag: Option<usize>) -> Result<(), EditError> {
        let (kind, sizes) = attributes(geometry);
        let Some(tag) = tag else {
            let sizes: String = sizes.iter().map(|(name, size)| format!(" {name}=\"{}\"", tidy(*size))).collect();
            self.splices.push(self.spans.insert_last(self.element, &[format!("<geometry type=\"{kind}\"{sizes}/>")]));
            return Ok(());
        };
        for (name, size) in sizes {
            let size = tidy(size);
            if self.spans.attribute_value(tag, name).is_some_and(|value| value.parse() == Ok(size)) {
                continue;
            }
            let set = self.spans.set_attribute(tag, name, &size.to_string(), self.expressions);
            self.splices.push(set.map_err(self.document.expression(self.at(tag), name))?);
        }
        Ok(())
    }
}
