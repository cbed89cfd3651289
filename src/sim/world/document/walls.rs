//! Walls of a world file: pairs of points in `<walls>`.

use skidpad_math::{Pose2, Vec2};
use skidpad_xml::edit::{Change, Expressions, Splice};
use skidpad_xml::spans::Spans;

use super::body::BodyElement;
use super::property::PropertyKind;
use super::{EditError, Planned, WorldDocument, check_number, tidy};

/// Most points of walls that are drawn at once.
const MAX_POINTS: usize = 1000;
/// Walls that are drawn are at least this long [m].
const MIN_LENGTH: f64 = 1e-3;
/// What a file says if it does not say it [m].
const DEFAULT_THICKNESS: f64 = 0.1;
const DEFAULT_HEIGHT: f64 = 2.0;
const DEFAULT_COLOR: &str = "#323232";

/// Tags of `<walls>` that are listed even where a file leaves them out, with their defaults.
pub(super) const DEFAULTS: [(&str, &str); 3] =
    [("color", DEFAULT_COLOR), ("wallThickness", "0.1"), ("wallHeight", "2")];

/// A wall: the tags of its two points.
struct Pair {
    shape: usize,
    points: [usize; 2],
}

/// The points of a wall in the text.
fn pair(document: &WorldDocument, spans: &Spans<'_>, body_element: &BodyElement) -> Result<Pair, EditError> {
    let at = spans.element(body_element.element).start.start;
    for (tag, why) in [("model_uri", "are the lines of a mesh"), ("transformation", "are moved by a <transformation>")]
    {
        if spans.child(body_element.element, tag).is_some() {
            return Err(document.refuse(at, format!("these walls {why}, and cannot be edited one by one")));
        }
    }
    let shape = spans.child(body_element.element, "shape");
    let shape = shape.ok_or_else(|| document.refuse(at, "these walls have no <shape>"))?;
    let points: Vec<usize> = spans.children(shape, "pt").collect();
    let count = document.written.blocks.iter().filter(|place| spans.at(place) == Some(body_element.element)).count();
    match (points.chunks_exact(2).nth(body_element.part), points.len() == 2 * count) {
        (Some(&[from, to]), true) => Ok(Pair { shape, points: [from, to] }),
        _ => Err(document.refuse(at, "some of these walls have no length, so the points of this wall are ambiguous")),
    }
}

/// Moves both ends of a wall by a motion in the world.
pub(super) fn shift(
    document: &WorldDocument,
    spans: &Spans<'_>,
    body_element: &BodyElement,
    world_from_before: Pose2,
    expressions: Expressions,
) -> Result<Change, EditError> {
    let mut splices = Vec::new();
    for point in pair(document, spans, body_element)?.points {
        let at = spans.element(point).start.start;
        let text = spans.text_of(point).unwrap_or_default();
        let numbers: Vec<f64> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let &[x, y] = numbers.as_slice() else {
            return Err(document
                .refuse(at, format!("this end of the wall is written as \"{text}\"\n  hint: change it in the file")));
        };
        let p = world_from_before.transform_point(Vec2::new(x, y));
        let point_splices = spans.set_numbers(point, &[tidy(p.x), tidy(p.y)], expressions);
        splices.extend(point_splices.map_err(document.expression(at, "an end of the wall"))?);
    }
    Ok(Change::of(splices))
}

/// Removes a wall, and its tag with the last one.
pub(super) fn remove(
    document: &WorldDocument,
    spans: &Spans<'_>,
    body_element: &BodyElement,
) -> Result<Change, EditError> {
    let Pair { shape, points: [from, to] } = pair(document, spans, body_element)?;
    if spans.children(shape, "pt").count() == 2 {
        return Ok(Change::of([spans.remove(body_element.element)]));
    }
    let [first, second] = [from, to].map(|point| spans.element(point).whole());
    let is_together = spans.text()[first.end..second.start].trim().is_empty();
    let removed = match is_together {
        true => vec![spans.remove_all(first.start..second.end)],
        // A comment is between them.
        false => vec![spans.remove(from), spans.remove(to)],
    };
    Ok(Change::of(removed))
}

/// Adds walls along a line of points, to a tag whose walls are as thick and as high, or in a tag of their own.
pub(super) fn add(
    document: &WorldDocument,
    spans: &Spans<'_>,
    points: &[Vec2],
    [thickness, height]: [f64; 2],
    color: Option<&str>,
) -> Result<Planned, EditError> {
    if !(2..=MAX_POINTS).contains(&points.len()) {
        let message = format!("edit: walls along {} points\n  accepted: 2 to {MAX_POINTS}", points.len());
        return Err(EditError::Refused(message));
    }
    for p in points {
        check_number("a coordinate of a wall", p.x)?;
        check_number("a coordinate of a wall", p.y)?;
    }
    let (thickness, height) = (tidy(thickness), tidy(height));
    for (label, value) in [("thickness", thickness), ("height", height)] {
        check_number(label, value)?;
        if value <= 0.0 {
            return Err(EditError::Refused(format!("edit: walls of {label} {value} m\n  accepted: more than 0")));
        }
    }
    if let Some(bad) = color.filter(|color| !PropertyKind::Color.takes(color)) {
        let start: String = bad.chars().take(40).collect();
        let accepted = PropertyKind::Color.accepted();
        return Err(EditError::Refused(format!("edit: walls of colour \"{start}\"\n  accepted: {accepted}")));
    }
    let point = |p: Vec2| format!("<pt>{} {}</pt>", tidy(p.x), tidy(p.y));
    let lines: Vec<String> = points
        .windows(2)
        .filter(|ends| (ends[1] - ends[0]).norm() >= MIN_LENGTH)
        .map(|ends| format!("{} {}", point(ends[0]), point(ends[1])))
        .collect();
    if lines.is_empty() {
        return Err(EditError::Refused(format!("edit: walls of no length\n  accepted: at least {MIN_LENGTH} m")));
    }
    let root = document.root(spans)?;
    let is_alike = |walls: &usize| {
        let is = |tag: &str, wanted: f64, default: f64| match spans.child(*walls, tag) {
            None => default == wanted,
            Some(tag) => spans.text_of(tag).is_some_and(|text| text.parse() == Ok(wanted)),
        };
        is("wallThickness", thickness, DEFAULT_THICKNESS)
            && is("wallHeight", height, DEFAULT_HEIGHT)
            && color.is_none_or(|color| {
                let written = spans.child(*walls, "color").and_then(|tag| spans.text_of(tag)).unwrap_or(DEFAULT_COLOR);
                written.eq_ignore_ascii_case(color)
            })
            && ["model_uri", "transformation"].iter().all(|tag| spans.child(*walls, tag).is_none())
    };
    let known = spans.children(root, "walls").filter(is_alike).last();
    if let Some(shape) = known.and_then(|walls| spans.child(walls, "shape")) {
        return Ok(Change::of([spans.insert_last(shape, &lines)]).into());
    }
    let inside = lines.iter().map(|line| format!("    {line}"));
    let mut all = vec!["<walls>".to_owned(), "  <shape>".to_owned()];
    all.extend(inside);
    all.push("  </shape>".into());
    all.push(format!("  <wallThickness>{thickness}</wallThickness> <wallHeight>{height}</wallHeight>"));
    all.extend(color.map(|color| format!("  <color>{color}</color>")));
    all.push("</walls>".into());
    let splice: Splice = spans.insert_last(root, &all);
    Ok(Change::of([splice]).into())
}
