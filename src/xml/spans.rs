//! Where the elements of a text are, byte by byte, so that one value can be changed while everything else stays as it is written.
//!
//! The text is that of a file, without a byte order mark and before any substitution; the dialect is that of `parse`.

use std::ops::Range;

use quick_xml::events::{BytesStart, Event};

use super::Place;
use super::name::can_become_name;
use super::parse::{offset_in, reader_of, unescape};

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeSpan {
    /// Bytes of its name.
    pub name: Range<usize>,
    /// Bytes of its value, between the quotes.
    pub value: Range<usize>,
    /// The quote: `"` or `'`.
    pub quote: char,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementSpan {
    /// Bytes of its name.
    pub tag: Range<usize>,
    /// Bytes of its start tag, from `<` to `>`.
    pub start: Range<usize>,
    /// Bytes of its end tag; none for `<tag/>`.
    pub end: Option<Range<usize>>,
    /// Bytes of its first text that is not blank, without the blanks around it.
    pub text: Option<Range<usize>>,
    /// Its attributes in order.
    pub attributes: Vec<AttributeSpan>,
    /// Index of the element that contains it.
    pub parent: Option<usize>,
    /// Indices of its child elements in order.
    pub children: Vec<usize>,
}

impl ElementSpan {
    /// All of its bytes.
    pub fn whole(&self) -> Range<usize> {
        self.start.start..self.end.as_ref().unwrap_or(&self.start).end
    }
}

/// The elements of a text.
#[derive(Clone, Debug)]
pub struct Spans<'t> {
    text: &'t str,
    elements: Vec<ElementSpan>,
}

impl<'t> Spans<'t> {
    /// Finds the elements of a text. None if it is not well formed even in the dialect of world files.
    pub fn of(text: &'t str) -> Option<Spans<'t>> {
        let mut reader = reader_of(text);
        let mut elements: Vec<ElementSpan> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        // Bytes of the text since the last tag or comment.
        let mut run: Option<Range<usize>> = None;
        loop {
            let from = usize::try_from(reader.buffer_position()).ok()?;
            let event = reader.read_event().ok()?;
            let to = usize::try_from(reader.buffer_position()).ok()?;
            if matches!(event, Event::Text(_) | Event::CData(_) | Event::GeneralRef(_)) {
                run = Some(run.map_or(from, |run| run.start)..to);
                continue;
            }
            if let (Some(run), Some(&top)) = (run.take(), open.last()) {
                note_text(text, run, &mut elements[top]);
            }
            match event {
                Event::Start(start) => {
                    let index = add(text, &start, from..to, open.last().copied(), &mut elements)?;
                    open.push(index);
                }
                Event::Empty(start) => {
                    add(text, &start, from..to, open.last().copied(), &mut elements)?;
                }
                Event::End(_) => elements[open.pop()?].end = Some(from..to),
                Event::Eof => break,
                _ => {}
            }
        }
        open.is_empty().then_some(Spans { text, elements })
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// All elements, in the order of their start tags.
    pub fn elements(&self) -> &[ElementSpan] {
        &self.elements
    }

    /// The element with this index.
    pub fn element(&self, index: usize) -> &ElementSpan {
        &self.elements[index]
    }

    /// Index of the element whose start tag begins at a place of this text.
    pub fn at(&self, place: &Place) -> Option<usize> {
        let offset = offset_of(self.text, place.line, place.column)?;
        self.elements.binary_search_by_key(&offset, |element| element.start.start).ok()
    }

    /// The bytes of a range as they are written.
    pub fn written(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The name of an element.
    pub fn tag(&self, element: usize) -> &'t str {
        self.written(&self.elements[element].tag)
    }

    /// Indices of the child elements with this name.
    pub fn children<'a>(&'a self, element: usize, tag: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.elements[element].children.iter().copied().filter(move |&child| self.tag(child) == tag)
    }

    /// Index of the first child element with this name.
    pub fn child(&self, element: usize, tag: &str) -> Option<usize> {
        self.children(element, tag).next()
    }

    /// The first attribute with this name.
    pub fn attribute(&self, element: usize, name: &str) -> Option<&AttributeSpan> {
        self.elements[element].attributes.iter().find(|attribute| self.written(&attribute.name) == name)
    }

    /// The value of an attribute, entities decoded.
    pub fn attribute_value(&self, element: usize, name: &str) -> Option<String> {
        self.attribute(element, name).map(|attribute| unescape(self.written(&attribute.value)))
    }

    /// The text of an element as it is written.
    pub fn text_of(&self, element: usize) -> Option<&'t str> {
        self.elements[element].text.as_ref().map(|range| self.written(range))
    }

    /// The elements around an element, from the innermost one outwards.
    pub fn ancestors(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.elements[element].parent, |&index| self.elements[index].parent)
    }
}

/// Adds the element of a start tag and returns its index. None if a name or an attribute is malformed.
fn add(
    text: &str,
    start: &BytesStart,
    span: Range<usize>,
    parent: Option<usize>,
    elements: &mut Vec<ElementSpan>,
) -> Option<usize> {
    let bytes = |part: &str| {
        let from = offset_in(text, part);
        from..from + part.len()
    };
    if !can_become_name(start.name().as_ref()) {
        return None;
    }
    let mut attributes = Vec::new();
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        if !can_become_name(attribute.key.as_ref()) {
            return None;
        }
        let std::borrow::Cow::Borrowed(value) = attribute.value else { return None };
        let value = bytes(value);
        let quote = text.as_bytes().get(value.end).map_or('"', |&byte| char::from(byte));
        attributes.push(AttributeSpan { name: bytes(attribute.key.as_ref()), value, quote });
    }
    let index = elements.len();
    let tag = bytes(start.name().as_ref());
    elements.push(ElementSpan { tag, start: span, end: None, text: None, attributes, parent, children: Vec::new() });
    if let Some(parent) = parent {
        elements[parent].children.push(index);
    }
    Some(index)
}

/// Keeps the bytes of a text as the text of its element, if it is the first that is not blank.
fn note_text(text: &str, run: Range<usize>, element: &mut ElementSpan) {
    let written = text.get(run.clone()).unwrap_or_default();
    let start = run.start + (written.len() - written.trim_start().len());
    if element.text.is_none() && !written.trim().is_empty() {
        element.text = Some(start..start + written.trim().len());
    }
}

/// The byte at a line and a column, both from 1, columns in characters.
fn offset_of(text: &str, line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let column = usize::try_from(column.checked_sub(1)?).ok()?;
    text[start..].char_indices().map(|(at, _)| start + at).chain([text.len()]).nth(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "<!-- ü -->\n<world>\n  <a x='1' y=\"2 > 1\"/> é <b> one &amp; <![CDATA[two]]> <c/> three </d>\n</world>\n";

    #[test]
    fn every_part_of_an_element_is_found() {
        let spans = Spans::of(TEXT).unwrap();
        let names: Vec<&str> = (0..spans.elements().len()).map(|index| spans.tag(index)).collect();
        assert_eq!(names, ["world", "a", "b", "c"]);
        assert_eq!(spans.written(&spans.element(1).whole()), "<a x='1' y=\"2 > 1\"/>");
        assert_eq!(spans.attribute_value(1, "y").unwrap(), "2 > 1");
        assert_eq!(spans.attribute(1, "x").unwrap().quote, '\'');
        assert_eq!((spans.text_of(0), spans.text_of(2)), (Some("é"), Some("one &amp; <![CDATA[two]]>")));
        // End tags need not match.
        assert_eq!(spans.written(spans.element(2).end.as_ref().unwrap()), "</d>");
        assert_eq!(spans.ancestors(3).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(spans.child(0, "b"), Some(2));
    }

    #[test]
    fn elements_are_found_at_their_places() {
        let spans = Spans::of(TEXT).unwrap();
        let at = |line, column| spans.at(&Place { line, column, ..Place::of_file("w") });
        assert_eq!((at(2, 1), at(3, 3), at(3, 26)), (Some(0), Some(1), Some(2)));
        assert_eq!((at(3, 4), at(9, 1), at(0, 0)), (None, None, None));
    }

    #[test]
    fn what_is_not_well_formed_has_no_spans() {
        for bad in ["<a>", "<a x=1/>", "</a>", "<a><b/>", "<a//>", "<1/>", "<a b'c='1'/>"] {
            assert!(Spans::of(bad).is_none(), "{bad}");
        }
    }
}
