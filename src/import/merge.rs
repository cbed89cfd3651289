//! The parts of a model that `<include merge="true">` puts into the model around it, under their own names.
//!
//! Source: the specification of SDF 1.9 (sdformat.org/spec), element `include`: what was relative to the included model becomes relative to a
//! frame at its pose.

use skidpad_xml::{Attribute, Element};

/// The parts of a model as parts of another one.
pub(super) fn parts(model: Element) -> Vec<Element> {
    let name = model.attribute("name").map(|name| name.value.clone()).unwrap_or_default();
    let proxy = format!("_merged__{name}__model__");
    let mut frame = Element::new("frame", model.place.clone(), model.directory.clone());
    set(&mut frame, "name", &proxy);
    frame.children.extend(model.child("pose").cloned());
    let mut parts = vec![frame];
    for mut part in model.children {
        match part.tag.as_str() {
            "link" | "model" => place(&mut part, &proxy),
            "frame" => {
                let is_attached = part.attribute("attached_to").is_some_and(|frame| !frame.value.is_empty());
                if !is_attached {
                    set(&mut part, "attached_to", &proxy);
                }
            }
            "joint" | "plugin" => {}
            _ => continue,
        }
        rename(&mut part, &proxy);
        parts.push(part);
    }
    parts
}

/// Makes the pose of a part relative to a frame, unless it is relative to another one.
fn place(part: &mut Element, frame: &str) {
    if part.child("pose").is_none() {
        let pose = Element::new("pose", part.place.clone(), part.directory.clone());
        part.children.push(pose);
    }
    for pose in part.children.iter_mut().filter(|child| child.tag == "pose") {
        if pose.attribute("relative_to").is_none_or(|frame| frame.value.is_empty()) {
            set(pose, "relative_to", frame);
        }
    }
}

/// Gives a frame to what names the model itself.
fn rename(part: &mut Element, frame: &str) {
    const ITSELF: &str = "__model__";
    for attribute in part.attributes.iter_mut().filter(|attribute| attribute.value == ITSELF) {
        frame.clone_into(&mut attribute.value);
    }
    if let Some(text) = part.text.as_mut().filter(|text| text.value == ITSELF) {
        frame.clone_into(&mut text.value);
    }
    // Names in models within it are theirs.
    if part.tag != "model" {
        part.children.iter_mut().for_each(|child| rename(child, frame));
    }
}

/// Sets an attribute.
fn set(element: &mut Element, name: &str, value: &str) {
    element.attributes.retain(|attribute| attribute.name != name);
    let place = element.place.clone();
    element.attributes.push(Attribute {
        name: name.to_owned(),
        value: value.to_owned(),
        place: place.clone(),
        name_place: place,
    });
}
