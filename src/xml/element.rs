//! The element tree: the content of a file with places, without interpretation.

use super::Place;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// An attribute of an element, entities decoded, expressions not yet evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Name with its prefix, as written.
    pub name: String,
    /// Value with entities decoded.
    pub value: String,
    /// Where the value starts (behind the quote).
    pub place: Place,
    /// Where the name starts.
    pub name_place: Place,
}

/// The text of an element: its first text node that is not blank, trimmed, entities decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The trimmed text, expressions not yet evaluated.
    pub value: String,
    /// Place of its first character that is not blank.
    pub place: Place,
}

/// An element with everything below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Name with its prefix (`vehicle:class`), as written.
    pub tag: String,
    /// Attributes in document order; of two with the same name the first counts.
    pub attributes: Vec<Attribute>,
    /// The first text node that is not blank.
    pub text: Option<Text>,
    /// Child elements in document order.
    pub children: Vec<Element>,
    /// Place of the `<` of its start tag.
    pub place: Place,
    /// Directory of the file that contains it, against which relative paths are resolved.
    pub directory: Arc<Path>,
}

static EMPTY: LazyLock<Element> = LazyLock::new(|| Element::new("", Place::of_file(""), Path::new(".").into()));

impl Element {
    /// An element with this tag and nothing in it.
    pub fn new(tag: impl Into<String>, place: Place, directory: Arc<Path>) -> Element {
        Element { tag: tag.into(), attributes: Vec::new(), text: None, children: Vec::new(), place, directory }
    }

    /// An element without tag, and with nothing in it.
    pub fn empty() -> &'static Element {
        &EMPTY
    }

    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// The first child of that name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.tag == name)
    }

    /// The element as messages name it: `<friction class="default">`.
    pub fn describe(&self) -> String {
        for name in ["class", "name"] {
            if let Some(attribute) = self.attribute(name) {
                return format!("<{} {name}=\"{}\">", self.tag, attribute.value);
            }
        }
        format!("<{}>", self.tag)
    }
}
