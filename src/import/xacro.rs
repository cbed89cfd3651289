//! Recognises descriptions that xacro has not expanded yet.

use skidpad_xml::{Context, Element, Place};

/// Whether nothing of xacro is left in `root`; an error where something is.
pub(super) fn is_expanded(context: &Context, root: &Element) -> bool {
    let Some(place) = leftover(root) else { return true };
    let file = &place.file;
    let expanded = match file.strip_suffix(".xacro") {
        Some(plain) if plain.ends_with(".urdf") || plain.ends_with(".sdf") => plain.to_owned(),
        Some(plain) => format!("{plain}.urdf"),
        None => format!("expanded_{}", file.rsplit('/').next().unwrap_or(file)),
    };
    context
        .error(&place, "this is xacro, which is not evaluated here")
        .hint(format!("expand it first: xacro {file} > {expanded}"));
    false
}

/// The first place of a tag, an expression or an argument of xacro.
fn leftover(element: &Element) -> Option<Place> {
    let is_left = |text: &str| text.contains("${") || text.contains("$(");
    if element.tag.starts_with("xacro:") {
        return Some(element.place.clone());
    }
    let attribute = element.attributes.iter().find(|attribute| is_left(&attribute.value));
    let text = element.text.as_ref().filter(|text| is_left(&text.value));
    let of_element = attribute.map(|attribute| &attribute.place).or(text.map(|text| &text.place));
    of_element.cloned().or_else(|| element.children.iter().find_map(leftover))
}
