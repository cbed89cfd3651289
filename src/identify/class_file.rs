//! A vehicle class as a tree of XML, in which numbers are read and set by their path.
//!
//! A path lists the names of nested tags, from a child of the class down to the tag that holds the number. `[2]` after
//! a name selects the second tag of that name, `@attribute` at the end an attribute instead of the text of the tag, and
//! `:2` after that the second of several numbers: `dynamics/inputs/steering@delay`, `friction[2]/mu`,
//! `dynamics/inputs/steering@curve:4`.

use std::io::{self, Cursor};
use std::path::Path;

use quick_xml::events::{BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;

use super::IdentifyError;

/// Largest file [bytes], and deepest nesting of tags in it.
const MAX_BYTES: u64 = 1 << 22;
const DEEPEST: usize = 100;
/// Most numbers in one attribute or text, such as a curve, and most tags of a path.
const MAX_NUMBERS: usize = 1000;
const MAX_TAGS: usize = 20;

/// An element of XML with its content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Node>,
}

/// The path of a number in a class.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberPath {
    /// Names of the tags with the index among those of the same name, from 0.
    tags: Vec<(String, usize)>,
    attribute: Option<String>,
    /// Index among several numbers, from 0.
    index: usize,
}

impl NumberPath {
    /// Parses a path.
    ///
    /// # Errors
    /// `text` is malformed; the message lists what is accepted.
    pub fn parse(text: &str) -> Result<NumberPath, Diagnostic> {
        let wrong = || {
            Diagnostic::new(format!("\"{text}\""), "not a path")
                .accepted("such as dynamics/inputs/steering@delay, friction[2]/mu, dynamics/inputs/steering@curve:4")
        };
        let (path, index) = match text.rsplit_once(':') {
            Some((path, index)) => {
                let place = index.parse::<u128>().ok().filter(|k| *k > 0).ok_or_else(wrong)?;
                match usize::try_from(place).ok().filter(|k| *k <= MAX_NUMBERS) {
                    Some(place) => (path, place - 1),
                    None => {
                        let found = format!("the {place}th of several numbers");
                        let message = Diagnostic::new(format!("\"{text}\""), found);
                        return Err(message.accepted(format!("up to :{MAX_NUMBERS}")));
                    }
                }
            }
            None => (text, 0),
        };
        let (path, attribute) = match path.split_once('@') {
            Some((path, attribute)) => (path, Some(attribute.to_owned())),
            None => (path, None),
        };
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mut tags = Vec::new();
        for part in path.split('/') {
            let (name, place) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
                Some((name, place)) => {
                    (name, place.parse::<usize>().ok().filter(|k| (1..100).contains(k)).ok_or_else(wrong)? - 1)
                }
                None => (part, 0),
            };
            if !is_name(name) {
                return Err(wrong());
            }
            tags.push((name.to_owned(), place));
        }
        if tags.len() > MAX_TAGS {
            let message = Diagnostic::of(format!("a path of {} tags", tags.len()));
            return Err(message.accepted(format!("up to {MAX_TAGS}")));
        }
        if attribute.as_deref().is_some_and(|name| !is_name(name)) {
            return Err(wrong());
        }
        Ok(NumberPath { tags, attribute, index })
    }
}

/// The class `class` of the file at `path`, without what it looks like: motion does not need that, and meshes are named from the file's folder.
///
/// # Errors
/// The file cannot be read, is not XML, or has no such class.
pub(super) fn read(path: &Path, class: &str) -> Result<Node, IdentifyError> {
    let wrong = |found: String| Diagnostic::new(path.display(), found);
    let text = input_file::read_text(path, MAX_BYTES).map_err(|error| FileError::read(path, error))?;
    let root = parse(&text).map_err(wrong)?;
    let name_of = |node: &Node| node.attributes.iter().find(|(name, _)| name == "name").map(|(_, value)| value.clone());
    let classes: Vec<&Node> = root.children.iter().filter(|node| node.name == "vehicle:class").collect();
    let matching_node = classes.iter().find(|node| name_of(node).as_deref() == Some(class));
    let mut class_node = matching_node.map(|node| (*node).clone()).ok_or_else(|| {
        let names: Vec<String> = classes.iter().filter_map(|node| name_of(node)).collect();
        wrong(format!("no class \"{class}\"")).one_of(class, &names)
    })?;
    class_node.drop_appearance();
    Ok(class_node)
}

/// All elements of a text, as children of a root without a name.
fn parse(text: &str) -> Result<Node, String> {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Node::default()];
    let close = |open: &mut Vec<Node>| {
        if let Some(node) = open.pop()
            && let Some(parent) = open.last_mut()
        {
            parent.children.push(node);
        }
    };
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => {
                if open.len() > DEEPEST {
                    return Err("its tags are nested too deeply".into());
                }
                open.push(element(&start)?);
            }
            Event::Empty(start) => {
                open.push(element(&start)?);
                close(&mut open);
            }
            Event::End(_) if open.len() > 1 => close(&mut open),
            Event::Text(run) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(run.as_ref());
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    Ok(open.remove(0))
}

fn element(start: &BytesStart<'_>) -> Result<Node, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value =
            attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).map_err(|error| error.to_string())?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(Node { name: start.name().as_ref().to_owned(), attributes, ..Node::default() })
}

impl Node {
    fn child(&self, name: &str, place: usize) -> Option<&Node> {
        self.children.iter().filter(|child| child.name == name).nth(place)
    }

    /// Removes the meshes of the vehicle and of its wheels.
    fn drop_appearance(&mut self) {
        self.children.retain(|child| child.name != "visual");
        self.children.iter_mut().for_each(Node::drop_appearance);
    }

    /// The number at a path; none if the class has no number there.
    pub fn number(&self, path: &NumberPath) -> Option<f64> {
        let mut node = self;
        for (name, place) in &path.tags {
            node = node.child(name, *place)?;
        }
        let text = match &path.attribute {
            Some(wanted) => &node.attributes.iter().find(|(name, _)| name == wanted)?.1,
            None => &node.text,
        };
        with_defaults(text).split_whitespace().nth(path.index)?.parse().ok()
    }

    /// Sets the number at a path, adding missing tags and attributes.
    pub fn set(&mut self, path: &NumberPath, value: f64) {
        let mut node = self;
        for (name, place) in &path.tags {
            let same_name: Vec<usize> =
                node.children.iter().enumerate().filter(|(_, child)| child.name == *name).map(|(k, _)| k).collect();
            let index = same_name.get(*place).copied().unwrap_or_else(|| {
                node.children.push(Node { name: name.clone(), ..Node::default() });
                node.children.len() - 1
            });
            node = &mut node.children[index];
        }
        let text = match &path.attribute {
            Some(wanted) => {
                let index = node.attributes.iter().position(|(name, _)| name == wanted).unwrap_or_else(|| {
                    node.attributes.push((wanted.clone(), String::new()));
                    node.attributes.len() - 1
                });
                &mut node.attributes[index].1
            }
            None => &mut node.text,
        };
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if words.len() <= path.index {
            words.resize(path.index + 1, "0".to_owned());
        }
        words[path.index] = value.to_string();
        *text = words.join(" ");
    }

    /// Renames the class.
    pub fn rename(&mut self, class: &str) {
        for (name, value) in &mut self.attributes {
            if name == "name" {
                *value = class.to_owned();
            }
        }
    }

    /// The element as indented text.
    ///
    /// # Errors
    /// It holds something that XML does not allow.
    pub fn to_text(&self) -> io::Result<String> {
        let mut out = Writer::new_with_indent(Cursor::new(Vec::new()), b' ', 2);
        self.write(&mut out)?;
        String::from_utf8(out.into_inner().into_inner())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    fn write(&self, out: &mut Writer<Cursor<Vec<u8>>>) -> io::Result<()> {
        let attributes = self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let start = out.create_element(self.name.as_str()).with_attributes(attributes);
        let text = self.text.trim();
        if self.children.is_empty() {
            let written =
                if text.is_empty() { start.write_empty() } else { start.write_text_content(BytesText::new(text)) };
            return written.map(drop);
        }
        start.write_inner_content(|out| self.children.iter().try_for_each(|child| child.write(out))).map(drop)
    }
}

/// The text with each `${NAME|DEFAULT}` replaced by its default: only in included files does the simulator substitute
/// these itself.
pub(super) fn with_defaults(text: &str) -> String {
    let mut parts = text.split("${");
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}').and_then(|(inside, after)| Some((inside.split_once('|')?.1, after))) {
            Some((default, after)) => replaced.extend([default, after]),
            None => replaced.extend(["${", part]),
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &str = r#"<?xml version="1.0"?><!-- cars -->
        <vehicle:class name="a"><dynamics class="ackermann"><fl_wheel mass="0.2"><visual><model_uri>w.glb</model_uri></visual></fl_wheel><inputs><steering curve="-1 -0.3 1 0.3"/></inputs></dynamics>
        <friction class="linear"><mu>0.9</mu></friction><friction class="linear"><mu> 0.8 </mu></friction></vehicle:class>
        <vehicle:class name="b"/>"#;

    fn class(name: &str) -> Result<Node, IdentifyError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.xml"), CLASS).unwrap();
        read(&folder.path().join("a.xml"), name)
    }

    fn path(text: &str) -> NumberPath {
        NumberPath::parse(text).unwrap()
    }

    #[test]
    fn numbers_are_found_and_set_by_their_path() {
        let mut node = class("a").unwrap();
        let paths = ["dynamics/fl_wheel@mass", "friction/mu", "friction[2]/mu", "dynamics/inputs/steering@curve:4"];
        assert_eq!(paths.map(|text| node.number(&path(text))), [Some(0.2), Some(0.9), Some(0.8), Some(0.3)]);
        let new = [
            "dynamics/inputs/speed@lag",
            "dynamics/fl_wheel@mass",
            "friction[2]/mu",
            "dynamics/inputs/steering@curve:2",
            "dynamics/com",
        ];
        for (k, text) in new.into_iter().enumerate() {
            assert_eq!(node.number(&path(text)).is_some(), (1..4).contains(&k));
            node.set(&path(text), 1.5 + k as f64);
        }
        node.rename("c");
        let text = node.to_text().unwrap();
        assert!(!text.contains("visual"), "{text}");
        let again = parse(&text).unwrap().children.remove(0);
        assert_eq!(again.to_text().unwrap(), text);
        assert_eq!(new.map(|text| again.number(&path(text)).unwrap()), [1.5, 2.5, 3.5, 4.5, 5.5]);
        assert!(text.starts_with("<vehicle:class name=\"c\">") && text.contains("curve=\"-1 4.5 1 0.3\""), "{text}");
    }

    #[test]
    fn wrong_paths_and_classes_are_explained() {
        let error = |text: &str| NumberPath::parse(text).unwrap_err().to_string();
        assert_eq!(
            error("a:99999999999"),
            "\"a:99999999999\": the 99999999999th of several numbers\n  accepted: up to :1000"
        );
        assert_eq!(error(&["a"; 21].join("/")), "a path of 21 tags\n  accepted: up to 20");
        assert!(NumberPath::parse("a@curve:1000").is_ok());
        for text in ["", "a//b", "a[0]", "a[x]", "a@", "a:0", "a b", "a@b@c"] {
            assert!(NumberPath::parse(text).is_err(), "{text}");
        }
        let error = class("d").unwrap_err().to_string();
        assert!(
            error.ends_with("a.xml: no class \"d\"\n  accepted: a, b\n  hint: did you mean \"a\"?")
                || error.ends_with("accepted: a, b"),
            "{error}"
        );
    }

    #[test]
    fn variables_are_replaced_by_their_defaults() {
        assert_eq!(with_defaults("a ${V|0} b ${W} c ${X|} ${"), "a 0 b ${W} c  ${");
    }
}
