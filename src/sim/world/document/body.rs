//! A body of a world file: where it is written, its pose, and its removal.

use skidpad_math::{Pose2, Pose3, wrap_angle};
use skidpad_xml::Place;
use skidpad_xml::edit::{Change, Expressions};
use skidpad_xml::spans::Spans;

use super::property::{self, Property};
use super::{EditError, WorldDocument, check_number, size, tidy, walls};
use crate::world::BodyRef;

/// Smaller changes of a pose count as no change [m], [rad].
pub(super) const SAME_LENGTH: f64 = 1e-6;
pub(super) const SAME_ANGLE: f64 = 1e-8;

/// A body, and what of it can be edited.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Name of the body.
    pub name: String,
    /// Where it is written, as `file:line:column`.
    pub place: String,
    /// Its start pose [m, rad].
    pub pose: Pose2,
    /// The expression that its pose is written as, if it is one.
    pub pose_expression: Option<String>,
    /// Its extents along its axes [m], or why they cannot be edited.
    pub size: Result<[f64; 3], String>,
    /// Its values that can be edited.
    pub properties: Vec<Property>,
}

/// A body and its element in the text.
pub(super) struct BodyElement {
    pub(super) body: BodyRef,
    pub(super) element: usize,
    /// Number of bodies of the same element before this one.
    pub(super) part: usize,
}

/// Finds the element of a body.
pub(super) fn find(document: &WorldDocument, spans: &Spans<'_>, name: &str) -> Result<BodyElement, EditError> {
    let Some(body) = document.scene.body(name) else {
        let message = format!(
            "edit: \"{name}\" is not in {}\n  accepted: bodies of the world file\n  hint: bodies spawned during the run are not in the file",
            document.name
        );
        return Err(EditError::Refused(message));
    };
    let (places, index) = match body {
        BodyRef::Vehicle(index) => (&document.written.vehicles, index),
        BodyRef::Block(index) => (&document.written.blocks, index),
    };
    let place = &places[index];
    if place.included_from.is_some() {
        let message = format!(
            "\"{name}\" is defined in this included file\n  accepted: bodies defined in {} itself",
            document.name
        );
        return Err(EditError::Refused(format!("{place}: {message}")));
    }
    let refused = |why: &str| EditError::Refused(format!("{place}: {why}"));
    let element = spans.at(place).ok_or_else(|| refused("the tag is no longer here"))?;
    if let Some(around) = spans.ancestors(element).find(|&around| spans.tag(around) == "for") {
        let line = document.place_at(spans.element(around).start.start).line;
        return Err(refused(&format!(
            "\"{name}\" is made by the loop in line {line}, together with others\n  hint: change the loop in the file"
        )));
    }
    let part = places[..index].iter().rev().take_while(|other: &&Place| *other == place).count();
    Ok(BodyElement { body, element, part })
}

pub(super) fn describe(document: &WorldDocument, spans: &Spans<'_>, name: &str) -> Result<Description, EditError> {
    let body_element = find(document, spans, name)?;
    let pose_expression = (spans.tag(body_element.element) != "walls")
        .then(|| pose_tag(spans, body_element.element))
        .flatten()
        .and_then(|(tag, _)| spans.text_of(tag))
        .filter(|text| text.contains('$'));
    Ok(Description {
        name: name.to_owned(),
        place: document.place_at(spans.element(body_element.element).start.start).to_string(),
        pose: start_pose(document, body_element.body).planar(),
        pose_expression: pose_expression.map(str::to_owned),
        size: size::extents(document, spans, &body_element),
        properties: property::list(document, spans, &body_element),
    })
}

/// The start pose of a body [m, rad].
pub(super) fn start_pose(document: &WorldDocument, body: BodyRef) -> Pose3 {
    match body {
        BodyRef::Vehicle(index) => document.scene.vehicles[index].world_from_start,
        BodyRef::Block(index) => document.scene.blocks[index].world_from_start,
    }
}

/// The tag of an element that holds its pose, and whether that is `<init_pose3d>`: the loader prefers the other one.
pub(super) fn pose_tag(spans: &Spans<'_>, element: usize) -> Option<(usize, bool)> {
    let planar = spans.child(element, "init_pose").map(|tag| (tag, false));
    planar.or_else(|| spans.child(element, "init_pose3d").map(|tag| (tag, true)))
}

pub(super) fn place(
    document: &WorldDocument,
    spans: &Spans<'_>,
    name: &str,
    pose: Pose2,
    expressions: Expressions,
) -> Result<Change, EditError> {
    for (label, value) in [("x", pose.x), ("y", pose.y), ("yaw", pose.yaw)] {
        check_number(label, value)?;
    }
    let body_element = find(document, spans, name)?;
    let (element, start) = (body_element.element, start_pose(document, body_element.body));
    let at = spans.element(element).start.start;
    if spans.tag(element) == "walls" {
        return walls::shift(document, spans, &body_element, pose * start.planar().inverse(), expressions);
    }
    if spans.child(element, "animation").is_some() {
        return Err(document.refuse(at, format!("\"{name}\" moves as its <animation> says")));
    }
    let Some((tag, is_spatial)) = pose_tag(spans, element) else {
        if spans.child(element, "include").is_some() {
            return Err(document.refuse(at, format!("\"{name}\" has its pose from a file that it includes")));
        }
        let values = [tidy(pose.x), tidy(pose.y), heading(pose.yaw)].map(|value| value.to_string());
        return Ok(Change::of([spans.insert_last(element, &[format!("<init_pose>{}</init_pose>", values.join(" "))])]));
    };
    let written: Vec<f64> =
        spans.text_of(tag).unwrap_or_default().split_whitespace().map_while(|word| word.parse().ok()).collect();
    // Numbers that do not change stay as they are written.
    let keep = |index: usize, value: f64, is_same: bool| match written.get(index) {
        Some(written) if is_same => *written,
        _ => tidy(value),
    };
    let x = keep(0, pose.x, (pose.x - start.x).abs() < SAME_LENGTH);
    let y = keep(1, pose.y, (pose.y - start.y).abs() < SAME_LENGTH);
    let is_same_yaw = wrap_angle(pose.yaw - start.yaw).abs() < SAME_ANGLE;
    let yaw = |index| keep(index, heading(pose.yaw), is_same_yaw);
    let values = match is_spatial {
        false => vec![x, y, yaw(2)],
        true => {
            let angles =
                [(4, start.pitch), (5, start.roll)].map(|(index, angle)| keep(index, angle.to_degrees(), true));
            vec![x, y, keep(2, start.z, true), yaw(3), angles[0], angles[1]]
        }
    };
    let subject = format!("<{}> of \"{name}\"", spans.tag(tag));
    let splices = spans.set_numbers(tag, &values, expressions);
    splices.map(Change::of).map_err(document.expression(spans.element(tag).start.start, &subject))
}

/// A yaw [rad] in [deg], above -180 and up to 180.
pub(super) fn heading(yaw: f64) -> f64 {
    let angle = tidy(wrap_angle(yaw).to_degrees());
    if angle <= -180.0 { angle + 360.0 } else { angle }
}

/// Fails if a body does not start where an edit has placed it, because something else decides that.
pub(super) fn check_placed(document: &WorldDocument, name: &str, pose: Pose2) -> Result<(), EditError> {
    const NEAR: f64 = 1e-5;
    let spans = document.spans()?;
    // Walls end differently where they meet others.
    let Ok(BodyElement { body, element, .. }) = find(document, &spans, name) else { return Ok(()) };
    if spans.tag(element) == "walls" {
        return Ok(());
    }
    let start = start_pose(document, body).planar();
    let is_there = (start.position() - pose.position()).norm() < NEAR && wrap_angle(start.yaw - pose.yaw).abs() < NEAR;
    if is_there {
        return Ok(());
    }
    let message = format!(
        "edit: \"{name}\" would not start there: its class or a joint determines its pose\n  hint: change the class or the joint in the file"
    );
    Err(EditError::Refused(message))
}

pub(super) fn remove(document: &WorldDocument, spans: &Spans<'_>, name: &str) -> Result<Change, EditError> {
    let body_element = find(document, spans, name)?;
    match spans.tag(body_element.element) {
        "walls" => walls::remove(document, spans, &body_element),
        _ => Ok(Change::of([spans.remove(body_element.element)])),
    }
}
