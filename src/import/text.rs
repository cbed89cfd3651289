//! Writes XML, and numbers in it as people would.

use std::io::{self, Cursor};

use quick_xml::Writer;
use quick_xml::events::{BytesText, Event};
use skidpad_xml::markup::xml_comment;

/// Significant digits of numbers: far more than any description has, and few enough that sums show no rounding.
const DIGITS: usize = 12;
/// Lengths, angles and masses below this are rounding.
const MIN_NUMBER: f64 = 1e-12;

/// A number without the last digits that are rounding: 0.3, not 0.30000000000000004.
pub(super) fn number(value: f64) -> String {
    if value.abs() < MIN_NUMBER {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    rounded.to_string()
}

/// Numbers, separated by blanks.
pub(super) fn numbers(values: &[f64]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

/// A colour as `#rrggbb`, or `#rrggbbaa` where it is not opaque.
pub(super) fn color([r, g, b, a]: [u8; 4]) -> String {
    if a == 255 { format!("#{r:02x}{g:02x}{b:02x}") } else { format!("#{r:02x}{g:02x}{b:02x}{a:02x}") }
}

/// A name for classes, sensors, topics and files: letters, digits and underscores, beginning with a letter.
pub(super) fn identifier(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain = plain.trim_matches('_');
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain.to_owned() } else { format!("n{plain}") }
}

/// The words of a name in small letters, which signs, digits or capitals separate.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && was_small) {
            words.push(String::new());
        }
        if c.is_ascii_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        was_small = c.is_ascii_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A value without `$`, which world files would replace with what follows it.
fn literal(value: &str) -> String {
    value.replace('$', "_")
}

/// XML under construction, indented.
pub(super) struct Out(Writer<Cursor<Vec<u8>>>);

/// Attributes of a tag.
pub(super) type Attributes<'a> = [(&'a str, String)];

impl Out {
    pub(super) fn new() -> Out {
        Out(Writer::new_with_indent(Cursor::new(Vec::new()), b' ', 2))
    }

    /// A comment.
    pub(super) fn comment(&mut self, text: &str) -> io::Result<()> {
        let comment = xml_comment(text);
        let inner = comment.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).unwrap_or_default();
        self.0.write_event(Event::Comment(BytesText::from_escaped(inner)))
    }

    /// A tag with attributes and nothing in it.
    pub(super) fn empty(&mut self, tag: &str, attributes: &Attributes<'_>) -> io::Result<()> {
        let attributes: Vec<(&str, String)> = attributes.iter().map(|(name, value)| (*name, literal(value))).collect();
        let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
        self.0.create_element(tag).with_attributes(attributes).write_empty().map(drop)
    }

    /// A tag with a text in it.
    pub(super) fn text(&mut self, tag: &str, text: &str) -> io::Result<()> {
        self.0.create_element(tag).write_text_content(BytesText::new(&literal(text))).map(drop)
    }

    /// A tag with what `inner` writes in it.
    pub(super) fn with(
        &mut self,
        tag: &str,
        attributes: &Attributes<'_>,
        inner: impl FnOnce(&mut Out) -> io::Result<()>,
    ) -> io::Result<()> {
        let attributes: Vec<(&str, String)> = attributes.iter().map(|(name, value)| (*name, literal(value))).collect();
        let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
        let start = quick_xml::events::BytesStart::new(tag).with_attributes(attributes);
        let end = start.to_end().into_owned();
        self.0.write_event(Event::Start(start.borrow()))?;
        inner(self)?;
        self.0.write_event(Event::End(end))
    }

    /// The text, ending with a new line.
    pub(super) fn finish(self) -> io::Result<String> {
        let mut bytes = self.0.into_inner().into_inner();
        bytes.push(b'\n');
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_no_rounding_and_names_are_plain() {
        assert_eq!(
            [0.1 + 0.2, -1e-17, 2.0713e-5, 0.33, -0.0, 1.0 / 3.0].map(number),
            ["0.3", "0", "0.000020713", "0.33", "0", "0.333333333333"]
        );
        assert_eq!(["/front/scan", "a b", "2d", "", "x_"].map(identifier), ["front_scan", "a_b", "n2d", "n", "x"]);
        assert_eq!([[255, 0, 16, 255], [0, 0, 0, 128]].map(color), ["#ff0010", "#00000080"]);
    }

    #[test]
    fn texts_cannot_end_tags_and_comments() {
        let mut out = Out::new();
        out.comment("a --> b").unwrap();
        out.with("a", &[("b", "\"<&".to_owned())], |out| out.text("c", "</c>&${HOME}")).unwrap();
        let text = out.finish().unwrap();
        assert_eq!(text, "<!-- a –> b -->\n<a b=\"&quot;&lt;&amp;\">\n  <c>&lt;/c&gt;&amp;_{HOME}</c>\n</a>\n");
    }
}
