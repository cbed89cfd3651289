//! `<label>` of a vehicle, block, actor, `<walls>` or element, or of its class: the name of the class that sensors report of it.
//!
//! ```xml
//! <label>tree</label>        1 to 255 bytes of text; default ground, wall, block, vehicle or actor, by what it is
//! ```

use skidpad_xml::Reader;

use crate::world::label::Label;

/// Longest name of a class [bytes].
const MAX_BYTES: usize = 255;

/// The label that a tag asks for, or that of its kind.
pub(super) fn read_label(reader: &Reader<'_>, kind: &str) -> Label {
    let Some(class) = reader.text("label") else { return Label::of_class(kind) };
    if class.is_empty() || class.len() > MAX_BYTES || class.chars().any(char::is_control) {
        let start: String = class.chars().filter(|c| !c.is_control()).take(40).collect();
        reader
            .error_at("label", format!("<label> \"{start}\" cannot be a class"))
            .accepted([format!("1 to {MAX_BYTES} bytes of printable text")]);
    }
    Label::of_class(class)
}
