//! The elements of an XML file that is read as a whole, as COLLADA needs it: their names, attributes and texts, without comments.
//!
//! Names count without their prefix, and attributes with a prefix are left out. Document types are refused, since entities that they
//! define may multiply. No part of this is recursive, so elements may be nested as deep as the file is long.

use std::borrow::Cow;
use std::ops::Range;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// Most elements, most attributes and most texts of a file.
const MAX_PARTS: usize = 4_000_000;
/// Most attributes of an element: each is compared with all others.
const MAX_ATTRIBUTES: usize = 1000;

/// A file, with its elements in the order of their start tags.
#[derive(Debug)]
pub(super) struct Document<'a> {
    elements: Vec<Element<'a>>,
    attributes: Vec<(&'a str, Cow<'a, str>)>,
    /// Texts that are not blank, each with its element, ordered by element.
    texts: Vec<(u32, Cow<'a, str>)>,
}

#[derive(Debug)]
struct Element<'a> {
    name: &'a str,
    attributes: Range<u32>,
    /// Index of the first element that is not within this one.
    end: u32,
}

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'d, 'a> {
    document: &'d Document<'a>,
    index: u32,
}

impl<'a> Document<'a> {
    /// Parses a text, which has one root.
    pub(super) fn parse(text: &'a str) -> Result<Document<'a>, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Parser { text, document: Document::new(), open: Vec::new(), run: Cow::Borrowed("") }.parse()
    }

    fn new() -> Document<'a> {
        Document { elements: Vec::new(), attributes: Vec::new(), texts: Vec::new() }
    }

    pub(super) fn root(&self) -> Node<'_, 'a> {
        Node { document: self, index: 0 }
    }
}

impl<'d, 'a> Node<'d, 'a> {
    fn element(self) -> &'d Element<'a> {
        &self.document.elements[self.index as usize]
    }

    /// A number that no other element of the document has.
    pub(super) fn id(self) -> u32 {
        self.index
    }

    /// Its name without prefix.
    pub(super) fn name(self) -> &'a str {
        self.element().name
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        let Range { start, end } = self.element().attributes;
        let attributes = &self.document.attributes[start as usize..end as usize];
        attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_ref())
    }

    /// The elements directly within this one.
    pub(super) fn children(self) -> impl Iterator<Item = Node<'d, 'a>> {
        let end = self.element().end;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(Node { index: next, ..self })?;
            next = child.element().end;
            Some(child)
        })
    }

    /// The first child of this name.
    pub(super) fn child(self, name: &str) -> Option<Node<'d, 'a>> {
        self.children().find(|child| child.name() == name)
    }

    /// This element and all within it, in the order of their start tags.
    pub(super) fn descendants(self) -> impl Iterator<Item = Node<'d, 'a>> {
        (self.index..self.element().end).map(move |index| Node { index, ..self })
    }

    /// Its own texts between tags and comments, those that are not blank.
    pub(super) fn texts(self) -> impl Iterator<Item = &'d str> {
        let texts = &self.document.texts;
        let first = texts.partition_point(|(element, _)| *element < self.index);
        texts[first..].iter().take_while(move |(element, _)| *element == self.index).map(|(_, text)| text.as_ref())
    }
}

/// Reads a document.
struct Parser<'a> {
    text: &'a str,
    document: Document<'a>,
    /// Indices of the elements that are not closed yet, from the root on.
    open: Vec<u32>,
    /// Text since the last tag or comment.
    run: Cow<'a, str>,
}

impl<'a> Parser<'a> {
    fn parse(mut self) -> Result<Document<'a>, String> {
        let mut reader = Reader::from_str(self.text);
        loop {
            let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                    return Err(self.fault(at, &error.to_string().replace('`', "")));
                }
            };
            match event {
                Event::Text(piece) => self.add_text(piece.into_inner(), at)?,
                Event::CData(piece) => self.add_text(piece.into_inner(), at)?,
                Event::GeneralRef(name) => {
                    let value = self.resolve(&name, at)?;
                    self.add_text(value, at)?;
                }
                Event::Start(start) => {
                    let index = self.add_element(&start, at)?;
                    self.open.push(index);
                }
                Event::Empty(start) => {
                    self.add_element(&start, at)?;
                }
                Event::End(_) => {
                    self.end_run()?;
                    // The library has compared the names of both tags.
                    let end = self.document.elements.len() as u32;
                    if let Some(index) = self.open.pop() {
                        self.document.elements[index as usize].end = end;
                    }
                }
                Event::DocType(_) => return Err("XML with DTD detected".to_string()),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => self.end_run()?,
                Event::Eof => break,
            }
        }
        if !self.open.is_empty() {
            return Err("the root node was opened but never closed".to_string());
        }
        if self.document.elements.is_empty() {
            return Err("the document does not have a root node".to_string());
        }
        self.document.texts.sort_by_key(|(element, _)| *element);
        Ok(self.document)
    }

    /// A message with the line and column, from 1, of a byte.
    fn fault(&self, at: usize, message: &str) -> String {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{message} at {line}:{column}")
    }

    fn add_element(&mut self, start: &BytesStart<'_>, at: usize) -> Result<u32, String> {
        self.end_run()?;
        if self.open.is_empty() && !self.document.elements.is_empty() {
            return Err(self.fault(at, "a second root"));
        }
        let first = self.document.attributes.len();
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| {
                let (offset, message) = fault_of_attribute(&error);
                self.fault(at + 1 + offset, message)
            })?;
            let name = self.part(attribute.key.as_ref());
            // Exporters write names such as <STL_BINARY> as they are.
            if !is_name(name) {
                return Err(self.fault(at, &format!("attribute '{name}' is not well formed")));
            }
            if self.document.attributes[first..].iter().any(|(other, _)| *other == name) {
                return Err(self.fault(at, &format!("attribute '{name}' is given twice")));
            }
            if name.contains(':') {
                continue;
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            let value = match value.map_err(|error| self.fault(at, &error.to_string()))? {
                Cow::Borrowed(value) => Cow::Borrowed(self.part(value)),
                Cow::Owned(value) => Cow::Owned(value),
            };
            self.document.attributes.push((name, value));
            if self.document.attributes.len() - first > MAX_ATTRIBUTES {
                return Err(self.fault(at, &format!("more than {MAX_ATTRIBUTES} attributes")));
            }
        }
        if !is_name(start.name().as_ref()) {
            return Err(self.fault(at, "a tag without a valid name"));
        }
        let index = self.document.elements.len() as u32;
        let attributes = first as u32..self.document.attributes.len() as u32;
        let name = self.part(start.local_name().as_ref());
        self.document.elements.push(Element { name, attributes, end: index + 1 });
        self.check_size()?;
        Ok(index)
    }

    /// Text of the element that is open: a piece between tags, comments and entities.
    fn add_text(&mut self, piece: Cow<'a, str>, at: usize) -> Result<(), String> {
        if self.open.is_empty() {
            return match piece.trim().is_empty() {
                true => Ok(()),
                false => Err(self.fault(at, "text outside of the root")),
            };
        }
        match self.run.is_empty() {
            true => self.run = piece,
            false => self.run.to_mut().push_str(&piece),
        }
        Ok(())
    }

    /// A tag or a comment ends the text before it.
    fn end_run(&mut self) -> Result<(), String> {
        let run = std::mem::take(&mut self.run);
        match self.open.last() {
            Some(&element) if !run.trim().is_empty() => {
                self.document.texts.push((element, run));
                self.check_size()
            }
            _ => Ok(()),
        }
    }

    fn check_size(&self) -> Result<(), String> {
        let Document { elements, attributes, texts } = &self.document;
        match elements.len().max(attributes.len()).max(texts.len()) > MAX_PARTS {
            true => Err(format!("it has more than {MAX_PARTS} elements, attributes or texts")),
            false => Ok(()),
        }
    }

    /// What stands for `&name;`: only the five entities of XML, and numbers of characters.
    fn resolve(&self, name: &BytesRef<'_>, at: usize) -> Result<Cow<'a, str>, String> {
        if let Some(known) = resolve_xml_entity(name) {
            return Ok(Cow::Borrowed(known));
        }
        match name.resolve_char_ref() {
            Ok(Some(character)) => Ok(Cow::Owned(character.to_string())),
            Ok(None) => Err(self.fault(at, &format!("unknown entity reference '{}'", &**name))),
            Err(error) => Err(self.fault(at, &error.to_string())),
        }
    }

    /// The same part of the text, which lives as long as all of it.
    fn part(&self, part: &str) -> &'a str {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        self.text.get(start..start.saturating_add(part.len())).unwrap_or_default()
    }
}

/// Whether XML allows this name, as far as ASCII goes.
fn is_name(name: &str) -> bool {
    let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || c == ':' || !c.is_ascii();
    name.starts_with(is_first) && name.chars().all(|c| is_first(c) || c.is_ascii_digit() || c == '-' || c == '.')
}

/// Where in a tag an attribute is wrong, and why.
fn fault_of_attribute(error: &AttrError) -> (usize, &'static str) {
    match *error {
        AttrError::ExpectedEq(at) => (at, "an attribute without ="),
        AttrError::ExpectedValue(at) => (at, "an attribute without a value"),
        AttrError::UnquotedValue(at) => (at, "an attribute value without quotes"),
        AttrError::ExpectedQuote(at, _) => (at, "an attribute value never closed"),
        AttrError::Duplicated(at, _) => (at, "an attribute given twice"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_their_attributes_children_and_texts() {
        let text = "\u{feff}<?xml version=\"1.0\"?>\n<!-- a --><r a='1' x:b=\"2\" c=\"&lt;&#65;\"><c:n>1 2<!-- 5 -->3<m> </m>&#52;<![CDATA[ 6]]></c:n><n/></r>\n";
        let document = Document::parse(text).unwrap();
        let root = document.root();
        assert_eq!((root.attribute("a"), root.attribute("b"), root.attribute("c")), (Some("1"), None, Some("<A")));
        assert_eq!(root.children().map(Node::name).collect::<Vec<_>>(), ["n", "n"]);
        assert_eq!(root.descendants().map(Node::name).collect::<Vec<_>>(), ["r", "n", "m", "n"]);
        assert_eq!(root.child("n").unwrap().texts().collect::<Vec<_>>(), ["1 2", "3", "4 6"]);
        assert_eq!(root.texts().count() + root.children().last().unwrap().texts().count(), 0);
        assert!(root.child("m").is_none());
        let named = Document::parse("<a b='<STL>'><c d=\"<>\"/></a>").unwrap();
        let values = [named.root().attribute("b"), named.root().child("c").unwrap().attribute("d")];
        assert_eq!(values, [Some("<STL>"), Some("<>")]);
    }

    #[test]
    fn faults_are_found_with_their_places() {
        for (text, expected) in [
            ("", "the document does not have a root node"),
            ("<a>\n<b></a>", "ill-formed document: expected </b>, but </a> was found at 2:4"),
            ("<a>\n<b c></b></a>", "an attribute without = at 2:5"),
            ("<a 3='1'/>", "attribute '3' is not well formed at 1:1"),
            ("<a><3/></a>", "a tag without a valid name at 1:4"),
            ("<a><b>", "the root node was opened but never closed"),
            ("<a>\n &c;</a>", "unknown entity reference 'c' at 2:2"),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "XML with DTD detected"),
            ("<a/><b/>", "a second root at 1:5"),
            ("<a/> b", "text outside of the root at 1:5"),
            ("<a b='1' b='2'/>", "attribute 'b' is given twice at 1:1"),
        ] {
            assert_eq!(Document::parse(text).unwrap_err(), expected, "{text}");
        }
        let many: String = (0..=MAX_ATTRIBUTES).map(|index| format!(" a{index}=''")).collect();
        assert_eq!(Document::parse(&format!("<a{many}/>")).unwrap_err(), "more than 1000 attributes at 1:1");
    }
}
