//! Which bodies an edit touches: those whose own text, or whose class, is another one.

use skidpad_math::wrap_angle;
use skidpad_xml::Element;
use skidpad_xml::spans::Spans;

use super::WorldDocument;
use super::body::{SAME_ANGLE, SAME_LENGTH, pose_tag, start_pose};
use crate::world::{BodyRef, Touched};

/// What is written of a body.
struct Text<'t> {
    /// Its tag without that of its pose.
    without_pose: [&'t str; 2],
    pose: &'t str,
    class: Option<String>,
}

/// What `after` touches of the bodies of `before`. Walls never move by themselves, so that comparing them is enough.
pub(super) fn touched_bodies(before: &WorldDocument, after: &WorldDocument) -> Touched {
    let mut touched = Touched::default();
    let (Some(old), Some(new)) = (Spans::of(&before.text), Spans::of(&after.text)) else { return touched };
    let scene = &after.scene;
    let vehicles = (0..scene.vehicles.len()).map(BodyRef::Vehicle);
    for body in vehicles.chain((0..scene.blocks.len()).map(BodyRef::Block)) {
        let name = scene.body_name(body);
        let Some(was) = before.scene.body(name) else { continue };
        let (text, other) = (text_of(after, &new, body), text_of(before, &old, was));
        let (start, other_start) = (start_pose(after, body), start_pose(before, was));
        let is_moved = (start.x - other_start.x).abs() >= SAME_LENGTH
            || (start.y - other_start.y).abs() >= SAME_LENGTH
            || wrap_angle(start.yaw - other_start.yaw).abs() >= SAME_ANGLE;
        let pose = |text: &Option<Text<'_>>| text.as_ref().map(|text| text.pose.to_owned());
        // Random starts of others may be others, too.
        if is_moved && pose(&text) != pose(&other) {
            touched.moved_bodies.push(name.to_owned());
        }
        let without_pose = |text: &Option<Text<'_>>| text.as_ref().map(|text| text.without_pose.map(str::to_owned));
        if without_pose(&text) != without_pose(&other) || has_other_class(before, after, body, text) {
            touched.rebuilt_bodies.push(name.to_owned());
        }
    }
    touched
}

/// None: it is written in another file, or among walls.
fn text_of<'t>(document: &WorldDocument, spans: &Spans<'t>, body: BodyRef) -> Option<Text<'t>> {
    let place = match body {
        BodyRef::Vehicle(index) => document.written.vehicles.get(index),
        BodyRef::Block(index) => document.written.blocks.get(index),
    };
    let element = spans.at(place.filter(|place| place.included_from.is_none())?)?;
    if spans.tag(element) == "walls" {
        return None;
    }
    let whole = spans.element(element).whole();
    let pose = pose_tag(spans, element).map_or(whole.end..whole.end, |(tag, _)| spans.element(tag).whole());
    let without_pose = [whole.start..pose.start, pose.end..whole.end].map(|range| spans.written(&range));
    Some(Text { without_pose, pose: spans.written(&pose), class: spans.attribute_value(element, "class") })
}

/// Whether the class of a body says something else than before; if it is unknown, whether any does.
fn has_other_class(before: &WorldDocument, after: &WorldDocument, body: BodyRef, text: Option<Text<'_>>) -> bool {
    let (old, new) = (&before.catalogue, &after.catalogue);
    let (old, new, class) = match body {
        BodyRef::Vehicle(index) => (&old.vehicles, &new.vehicles, Some(after.scene.vehicles[index].class.clone())),
        BodyRef::Block(_) => (&old.blocks, &new.blocks, text.map(|text| text.class.unwrap_or_default())),
    };
    let differs = |name: &String| match (old.get(name), new.get(name)) {
        (Some(old), Some(new)) => !says_the_same(old, new),
        _ => false,
    };
    class.map_or_else(|| new.keys().any(differs), |class| differs(&class))
}

/// Whether two elements are the same but for where they are written.
fn says_the_same(a: &Element, b: &Element) -> bool {
    let text = |element: &Element| element.text.as_ref().map(|text| text.value.clone());
    let attributes = |element: &Element| -> Vec<(String, String)> {
        element.attributes.iter().map(|each| (each.name.clone(), each.value.clone())).collect()
    };
    a.tag == b.tag
        && text(a) == text(b)
        && attributes(a) == attributes(b)
        && a.children.len() == b.children.len()
        && a.children.iter().zip(&b.children).all(|(a, b)| says_the_same(a, b))
}
